"""Exit codes of what the other tests of the command line do not raise."""

from __future__ import annotations

import io
import sys
import threading
from typing import TYPE_CHECKING

import pytest
import typer
from typer.main import get_command

from symfonic.frontends.knowledge.cli import _start, main
from symfonic.frontends.knowledge.cli._app import app
from symfonic.frontends.knowledge.cli._reporting import _report

if TYPE_CHECKING:
    from .conftest import Command


def test_a_program_may_run_commands_without_leaving(filled: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """Outside standalone mode the code is the answer."""
    commands = get_command(app)
    assert commands.main(["list", "--store", str(filled.store)], standalone_mode=False) == 0
    assert commands.main(["prompt", "zebra", "--store", str(filled.store)], standalone_mode=False) == 3
    assert commands.main(["prompt"], standalone_mode=False) == 2
    assert "handbook.md" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "word", "kind"),
    [("--max-attachments", "abc", "a whole number such as 8"), ("--min-score", "x", "a number such as 0.5")],
)
def test_a_word_that_is_no_number_is_told_in_plain_words(
    option: str, word: str, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The option, what it takes, and that nothing was done."""
    assert get_command(app).main(["prompt", "leave", option, word], standalone_mode=False) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert told.endswith(f"Invalid value for '{option}': it takes {kind}, and nothing was done; correct it")


def test_errors_without_a_place(capsys: pytest.CaptureFixture[str]) -> None:
    """An abort is an interrupt; a wrong value without a command has no usage line."""
    assert _report(typer.Abort(), as_json=False) == 130
    assert _report(typer.BadParameter("too small"), as_json=False) == 2
    assert capsys.readouterr().err == "Error: Invalid value: too small\n"


def test_main_takes_streams_that_are_no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that replaced standard error is left alone."""
    monkeypatch.setattr(sys, "argv", ["symfonic-knowledge", "prompt"])
    replaced = io.StringIO()
    monkeypatch.setattr(sys, "stderr", replaced)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "Missing argument" in replaced.getvalue()


def test_a_host_with_threads_of_its_own_is_not_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that were there before a command, though they work for a service, end nothing."""
    begun: list[str] = []
    over = threading.Event()
    working = threading.Thread(target=over.wait, args=(30,), name="symfonic-knowledge_0", daemon=True)
    working.start()
    monkeypatch.setattr(_start, "_leave", lambda code: begun.append(f"left with {code}"))
    monkeypatch.setattr(sys, "argv", ["symfonic-knowledge", "prompt"])
    try:
        with pytest.raises(SystemExit):
            main()
    finally:
        over.set()
        working.join()
    assert begun == []
