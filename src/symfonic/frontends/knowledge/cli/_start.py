"""Where the command begins: nothing optional is imported before it is certain that it is there.

Rules of this module: standard library only. A missing part becomes one line that names the extra.
"""

from __future__ import annotations

import io
import json
import sys

_PARTS = frozenset({"typer", "rich", "platformdirs"})


def main() -> None:
    """Run the command with ``sys.argv`` and leave the process with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a mark the terminal cannot show must not end the command
    try:
        from ._app import app
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PARTS:
            raise
        sys.exit(_missing(error.name or ""))
    app()


def _missing(part: str) -> int:
    message = (
        f"the command line needs {part}, which is not installed; no command can run; install symfonic-knowledge[cli]"
    )
    if "--json" in sys.argv[1:]:
        sys.stdout.write(json.dumps({"error": {"code": "missing-extra", "message": message}}) + "\n")
    else:
        sys.stderr.write(f"Error: {message}\n")
    return 1
