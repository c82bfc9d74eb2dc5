"""Opt-in tests: left out unless asked for, and failing rather than skipping when what they need is missing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.tree

SUITE = """
import pytest

@pytest.mark.corpora
def test_needs_data(corpora):
    assert corpora.is_dir()

def test_plain():
    pass
"""


@pytest.fixture
def suite(project: Path, tmp_path: Path) -> Path:
    """A suite of two tests under our conftest."""
    shutil.copy(project / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_sample.py").write_text(SUITE)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    corpora: sample\n    coexistence: sample\n")
    return tmp_path


def outcome(suite: Path, *arguments: str, corpora: str | None) -> str:
    """The closing line of a run."""
    environment = {key: value for key, value in os.environ.items() if key != "SYMFONIC_CORPORA"}
    if corpora is not None:
        environment["SYMFONIC_CORPORA"] = corpora
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(command, cwd=suite, env=environment, capture_output=True, text=True, check=False)
    return done.stdout.strip().split("\n")[-1].partition(" in ")[0]


def test_nobody_asked(suite: Path) -> None:
    """Without asking, the test is deselected."""
    assert outcome(suite, corpora=None) == "1 passed, 1 deselected"


@pytest.mark.parametrize("data", [None, "nowhere"])
def test_asked_without_data(suite: Path, data: str | None) -> None:
    """Asked for without its data, the test fails; it never skips."""
    assert outcome(suite, "--corpora", corpora=data) == "1 passed, 1 error"


def test_asked_with_data(suite: Path) -> None:
    """Asked for by its marker and with its data, it runs."""
    assert outcome(suite, "-m", "corpora or not corpora", corpora=str(suite)) == "2 passed"


@pytest.mark.parametrize(("kind", "elsewhere"), [("sdk", ()), ("stores", ("tests/corpora",)), ("browser", ())])
def test_a_command_runs_every_test_of_its_kind(project: Path, kind: str, elsewhere: tuple[str, ...]) -> None:
    """None stands where its command does not look; corpora are asked for by a folder."""
    rule = (project / "Makefile").read_text(encoding="utf-8").partition(f"\n{kind}: ")[2].partition("\n\n")[0]
    looked = (*re.findall(r"tests/[\w/.]+", rule), *elsewhere)
    holding = [
        path.relative_to(project)
        for path in sorted((project / "tests").rglob("*.py"))
        if f"pytest.mark.{kind}" in path.read_text(encoding="utf-8") and "architecture" not in path.parts
    ]
    assert holding
    assert [path.as_posix() for path in holding if not any(path.is_relative_to(place) for place in looked)] == []
