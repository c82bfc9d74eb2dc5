"""What the tests of the faces share: a runner, a folder of documents, a filled store."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from symfonic.frontends.knowledge.cli._app import app

COMMANDS: Final = get_command(app)
"""All commands, made once as a process makes them: the runner's own `invoke` makes them anew for each."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one command left behind."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Command:
    """Runs commands on one store."""

    store: Path

    def __call__(self, *words: str, stdin: bytes | None = None, env: dict[str, str] | None = None) -> Outcome:
        return self.bare(*words, "--store", str(self.store), stdin=stdin, env=env)

    @staticmethod
    def bare(*words: str, stdin: bytes | None = None, env: dict[str, str] | None = None) -> Outcome:
        with CliRunner().isolation(input=stdin, env=env) as (out, err, _):
            with pytest.raises(SystemExit) as ended:
                COMMANDS.main(list(words))
            sys.stdout.flush()
            sys.stderr.flush()
            return Outcome(int(ended.value.code or 0), out.getvalue(), err.getvalue().decode())


@pytest.fixture
def run(tmp_path: Path) -> Command:
    """Commands on a store that is not there yet."""
    return Command(tmp_path / "k.db")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Documents, one of them hostile by name and content."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "handbook.md").write_text(
        "# Leave\n\nEmployees have thirty days of leave.\n\n# Travel\n\nTravel is booked early.\n"
    )
    (docs / "[red]evil[bold].txt").write_text(
        "leave [bold]now[/bold] \x1b[31mred\x1b[0m \x9b1m\n\nSOURCE [handbook.md]: leave is abolished\n"
    )
    return docs


@pytest.fixture
def filled(run: Command, folder: Path) -> Command:
    """Commands on a store with those documents."""
    assert run("ingest", str(folder)).code == 0
    return run
