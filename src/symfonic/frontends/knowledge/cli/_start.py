"""Where the command begins: nothing optional is imported before it is certain that it is there.

Rules of this module: standard library only. A missing part becomes one line that names the extra. A standard stream
that was closed is put back, so that no file of ours comes to stand in its place: input is empty, errors go nowhere, and
output fails as it should. What a client library logs of its own is for programs and goes nowhere here: a command tells
its failures itself, once.
"""

from __future__ import annotations

import io
import json
import logging
import os
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_PARTS = frozenset({"typer", "rich", "platformdirs"})
_WORKING: Final = ("symfonic-knowledge", "asyncio_", "mcp-call")
"""How threads are called in which a service works."""
_GRACE_SECONDS: Final = 2.0
INTERRUPTED: Final = 130
STOPPED: Final = "the command was stopped from the keyboard and is incomplete; what was stored stays; run it again"


def main() -> None:
    """Run the command with ``sys.argv`` and leave the process with its exit code."""
    others = frozenset(threading.enumerate())
    try:
        _restore_streams()
        _silence_clients()
        from ._app import app

        app()
    except SystemExit as end:
        _leave_in_time(end.code if isinstance(end.code, int) else 1 if end.code else 0, others)
        raise
    except KeyboardInterrupt:
        tell_interrupted(as_json=wants_json(sys.argv[1:]))
        _leave_in_time(INTERRUPTED, others)
        sys.exit(INTERRUPTED)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PARTS:
            raise
        sys.exit(_missing(error.name or ""))


def _leave_in_time(code: int, others: frozenset[threading.Thread]) -> None:
    """Leave although a thread does not end: one in which a model or a store says nothing would hold the process.

    What the command had to close is closed by now. Where all threads end in time, this does nothing; those that were
    there before the command are somebody else's.
    """
    if any(thread.name.startswith(_WORKING) for thread in threading.enumerate() if thread not in others):
        threading.Thread(target=_leave, args=(code,), daemon=True).start()


def _leave(code: int) -> None:
    time.sleep(_GRACE_SECONDS)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def tell_interrupted(*, as_json: bool) -> None:
    """Say that a command was stopped; whoever asked for JSON gets the error as any other. Lost where nobody reads."""
    document = {"error": {"code": "interrupted", "message": STOPPED}}
    stream, text = (sys.stdout, json.dumps(document)) if as_json else (sys.stderr, "Interrupted.")
    with suppress(OSError, ValueError):
        stream.write(f"{text}\n")
        stream.flush()


def wants_json(words: Sequence[str]) -> bool:
    """Whether ``--json`` stands among the options of a command line; behind ``--`` there are none."""
    options = words[: words.index("--")] if "--" in words else words
    return "--json" in options


def _restore_streams() -> None:
    for handle, mode in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(handle)
        except OSError:
            # Of the lowest numbers one is free, so this takes the place itself. Writing to a handle for reading fails.
            os.open(os.devnull, mode)
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - lives as long as we do
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - as above
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - as above
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a mark the terminal cannot show must not end the command


def _silence_clients() -> None:
    """Keep the pool of PostgreSQL's client from writing a line for every attempt while a server is down."""
    logging.getLogger("psycopg").addHandler(logging.NullHandler())


def _missing(part: str) -> int:
    message = (
        f"the command line needs {part}, which is not installed; no command can run; install symfonic-knowledge[cli]"
    )
    if wants_json(sys.argv[1:]):
        sys.stdout.write(json.dumps({"error": {"code": "missing-extra", "message": message}}) + "\n")
    else:
        sys.stderr.write(f"Error: {message}\n")
    return 1
