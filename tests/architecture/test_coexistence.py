"""Beside symfonic-core: two distributions, one namespace, and neither breaks the other."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

pytestmark = pytest.mark.coexistence

OURS, THEIRS = "symfonic-knowledge", "symfonic-core"


def files(name: str) -> set[str]:
    """Paths a distribution owns, its own metadata folder and compiled caches left out."""
    owned = (str(path) for path in distribution(name).files or ())
    return {path for path in owned if ".dist-info" not in path and "__pycache__" not in path}


def test_the_other_distribution_is_the_expected_one() -> None:
    """The test would prove nothing against another release."""
    assert distribution(THEIRS).version.startswith("9.12.")


def test_no_file_belongs_to_both() -> None:
    """Installing or removing one never touches a file of the other."""
    assert files(OURS) & files(THEIRS) == set()


def test_nobody_closes_the_namespace() -> None:
    """An ``__init__.py`` in ``symfonic`` would hide the other distribution."""
    import symfonic

    assert getattr(symfonic, "__file__", None) is None
    assert "symfonic/__init__.py" not in files(OURS) | files(THEIRS)


@pytest.mark.parametrize(
    "module",
    [
        "symfonic.core",
        "symfonic.knowledge",
        "symfonic.memory",
        "symfonic.capabilities.knowledge",
        "symfonic.capabilities.prompting",
        "symfonic.adapters.knowledge",
        "symfonic.composition.knowledge",
    ],
)
def test_both_sides_import(module: str) -> None:
    """Each name leads to its own distribution, in one process."""
    origin = str(importlib.import_module(module).__file__)
    owner = THEIRS if module.split(".")[1] in {"core", "knowledge", "memory"} else OURS
    assert any(origin.endswith(path) for path in files(owner))


def test_both_scripts_are_there() -> None:
    """The two command lines have two names, and ours starts."""
    folder = Path(sys.executable).parent
    assert (folder / "symfonic").is_file()
    command = [str(folder / "symfonic-knowledge"), "--help"]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stderr == ""


def test_the_page_on_migration_says_what_the_other_filter_does() -> None:
    """Every row of its table, through the filter of symfonic-core."""
    page = Path(__file__).resolve().parent.parent.parent / "docs" / "how-to" / "migrate-from-symfonic-core.md"
    rows = re.findall(r"^\| `(\[.*?\])` \| `(.*?)` \|", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert len(rows) > 10
    kind = importlib.import_module("symfonic.core.streaming.citation_filter").CitationFilter
    for chunks, expected in rows:
        old = kind()
        output = "".join([*map(old.feed, ast.literal_eval(chunks)), old.flush()])
        assert output == ast.literal_eval(expected), chunks
