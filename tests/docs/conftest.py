"""The command line, run in this process: dozens of documented commands would otherwise start dozens of interpreters."""

from __future__ import annotations

import contextlib
import io
from typing import TYPE_CHECKING, NamedTuple, Protocol

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence


class Done(NamedTuple):
    """What a command left behind."""

    code: int
    output: str
    errors: str


class RunCommand(Protocol):
    """Runs ``symfonic-knowledge`` with arguments."""

    def __call__(self, arguments: Sequence[str]) -> Done: ...


@pytest.fixture
def run_command(monkeypatch: pytest.MonkeyPatch) -> RunCommand:
    """The program's own entry point with arguments and streams of its own; colours and terminal width are fixed."""
    from symfonic.frontends.knowledge.cli import main

    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))

    def run(arguments: Sequence[str]) -> Done:
        monkeypatch.setattr("sys.argv", ["symfonic-knowledge", *arguments])
        streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
        code = 0
        with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
            try:
                main()
            except SystemExit as leaving:
                code = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
        texts = []
        for stream in streams:
            stream.seek(0)
            texts.append(stream.read())
        return Done(code, *texts)

    return run
