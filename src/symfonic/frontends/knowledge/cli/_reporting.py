"""Exit codes and errors: 0 done, 1 error, 2 wrong use, 3 nothing admitted, 130 interrupted, 141 nobody listens.

Rules of this module: the only place that turns an exception into words and a code. With ``--json`` the words are one
JSON document on standard output, otherwise they stand on standard error.
"""

from __future__ import annotations

import os
import sys
import traceback
from typing import TYPE_CHECKING, Any, Final

from typer import Abort, Exit
from typer.core import TyperGroup

from symfonic.composition.knowledge import KnowledgeError
from symfonic.frontends.knowledge._views import View, error_view, failure_view

from ._output import say, write_json

if TYPE_CHECKING:
    from collections.abc import Sequence

NOTHING_ADMITTED: Final = 3
_ERROR: Final = 1
_INTERRUPTED: Final = 130
_NOBODY_LISTENS: Final = 141  # what a shell reports for a command that SIGPIPE ended


class Commands(TyperGroup):
    """The group of all commands; it reports what they raise."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: FBT001, FBT002 - the signature is the library's
        windows_expand_args: bool = True,  # noqa: FBT001, FBT002 - as above
        **extra: Any,
    ) -> Any:
        """Run a command; in standalone mode leave the process with its code, otherwise return that."""
        words = list(sys.argv[1:] if args is None else args)
        try:
            code = super().main(
                words, prog_name or "symfonic-knowledge", complete_var, False, windows_expand_args, **extra
            )
        except Exception as error:  # noqa: BLE001 - the last place where anything can be reported
            code = _report(error, as_json="--json" in words)
        if code == _INTERRUPTED:
            say("Interrupted.")
        if standalone_mode:
            sys.exit(code or 0)
        return code or 0

    def invoke(self, ctx: Any) -> Any:
        """Run the chosen command; a reader who left early ends it quietly."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # Whatever is still buffered must not fail again when the interpreter closes the stream.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise Exit(_NOBODY_LISTENS) from None
        return result


def _report(error: Exception, *, as_json: bool) -> int:
    if isinstance(error, Abort):
        return _INTERRUPTED
    if isinstance(error, KnowledgeError):
        _tell(error_view(error), as_json=as_json)
        return _ERROR
    message = getattr(error, "format_message", None)
    if callable(message):  # the command line's own errors: a wrong option, a missing argument
        _tell(failure_view("usage", message()), as_json=as_json, usage=_usage_of(error))
        return int(getattr(error, "exit_code", 2))
    traceback.print_exception(error)
    if as_json:
        _tell(failure_view("internal", type(error).__name__), as_json=True)
    return _ERROR


def _usage_of(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    if context is None:
        return ""
    return f"{context.get_usage()}\nTry '{context.command_path} --help' for help."


def _tell(view: View, *, as_json: bool, usage: str = "") -> None:
    if as_json:
        write_json(view)
        return
    if not view["error"]["message"]:
        return  # the help was shown instead of an answer
    if usage:
        say(usage)
    say(f"Error: {view['error']['message']}")
