"""Exit codes and errors.

0 done, 1 error, 2 wrong use, 3 nothing admitted, 4 an invented source, 130 interrupted, 141 nobody listens.

Rules of this module: the only place that turns an exception into words and a code. With ``--json`` the words are one
JSON document on standard output, otherwise they stand on standard error.
"""

from __future__ import annotations

import sys
import traceback
from typing import TYPE_CHECKING, Any, Final

from typer import Abort
from typer.core import TyperGroup

from symfonic.composition.knowledge import KnowledgeError
from symfonic.frontends.knowledge._views import View, error_view, failure_view

from ._output import abandon_output, say, write_json
from ._start import INTERRUPTED, tell_interrupted, wants_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NOTHING_ADMITTED: Final = 3
INVENTED_SOURCE: Final = 4
FAILED: Final = 1
TOLD_INTERRUPTED: Final = -INTERRUPTED
"""The same exit code of a command whose one document says already that it was interrupted."""
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
        run = super().main
        code = _ended(
            lambda: run(words, prog_name or "symfonic-knowledge", complete_var, False, windows_expand_args, **extra),
            as_json=wants_json(words),
        )
        if code == INTERRUPTED:
            tell_interrupted(as_json=wants_json(words))
        code = abs(code)
        if standalone_mode:
            sys.exit(code)
        return code


def _ended(run: Callable[[], Any], *, as_json: bool) -> int:
    """The exit code of a run, which covers writing the last of its output and the report of its error."""
    try:
        code = _reported(run, as_json=as_json)
        sys.stdout.flush()
    except BrokenPipeError:
        abandon_output()
        return _NOBODY_LISTENS
    except SystemExit as error:
        # Both libraries end the process themselves where a pipe is closed while they write.
        if not isinstance(error.__context__, BrokenPipeError):
            raise
        abandon_output()
        return _NOBODY_LISTENS
    except OSError as error:
        abandon_output()
        say(
            f"Error: results are written to standard output; that failed ({error.strerror}) and they are incomplete; "
            "what was stored or removed stays so; make room, or send them elsewhere"
        )
        return FAILED
    return code


def _reported(run: Callable[[], Any], *, as_json: bool) -> int:
    try:
        return int(run() or 0)
    except OSError as error:
        if isinstance(error, KnowledgeError) or error.filename is not None:
            return _report(error, as_json=as_json)
        raise  # ours name their file; this one is about the output
    except Exception as error:  # noqa: BLE001 - the last place where anything can be reported
        return _report(error, as_json=as_json)


def _report(error: Exception, *, as_json: bool) -> int:
    if isinstance(error, Abort):
        return INTERRUPTED
    if isinstance(error, KnowledgeError):
        _tell(error_view(error), as_json=as_json)
        return FAILED
    message = getattr(error, "format_message", None)
    if callable(message):  # the command line's own errors: a wrong option, a missing argument
        _tell(failure_view("usage", _in_plain_words(message())), as_json=as_json, usage=_usage_of(error))
        return int(getattr(error, "exit_code", 2))
    traceback.print_exception(error)
    if as_json:
        _tell(failure_view("internal", type(error).__name__), as_json=True)
    return FAILED


def _in_plain_words(message: str) -> str:
    """A refusal of a number as the rest of the command line words its own."""
    for told, kind in _KINDS.items():
        head, found, _ = message.partition(told)
        if found:
            return f"{head}it takes {kind}, and nothing was done; correct it"
    return message


_KINDS: Final = {
    "Input should be a valid integer": "a whole number such as 8",
    "Input should be a valid number": "a number such as 0.5",
}
"""What the library says of a word that is no number, and what to say in its place."""


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
