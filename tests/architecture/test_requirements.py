"""Every promise has an id, one sentence and a source, and at least one test carries it."""

from __future__ import annotations

import ast
import re
import tomllib
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.tree

IDENTIFIER = re.compile(r"[A-Z]{2,4}(-[A-Z]{1,12}){0,3}-[0-9]{1,2}")


def carried(source: str) -> Iterator[str]:
    """Ids in ``requirement("…")`` marks, wherever in a module they stand: decorator, ``pytestmark`` or ``param``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "requirement":
            yield from (str(argument.value) for argument in node.args if isinstance(argument, ast.Constant))


def marks(project: Path) -> set[str]:
    """Ids all tests carry together."""
    sources = (path.read_text(encoding="utf-8") for path in (project / "tests").rglob("test_*.py"))
    return {identifier for source in sources for identifier in carried(source)} - {"SAMPLE-A-1", "SAMPLE-B-2"}


def promises(project: Path) -> dict[str, dict[str, str]]:
    """The list of promises."""
    return tomllib.loads((project / "tests" / "requirements.toml").read_text(encoding="utf-8"))


def test_every_promise_is_held_by_a_test(project: Path) -> None:
    """No promise without a test."""
    assert sorted(promises(project).keys() - marks(project)) == []


def test_every_id_on_a_test_is_a_promise(project: Path) -> None:
    """No test for a promise nobody wrote down."""
    assert sorted(marks(project) - promises(project).keys()) == []


def test_every_promise_is_one_sentence_with_a_source(project: Path) -> None:
    """Ids are regular; text and source are all there is."""
    for identifier, entry in promises(project).items():
        assert IDENTIFIER.fullmatch(identifier), identifier
        assert sorted(entry) == ["source", "text"], identifier
        assert entry["text"].endswith("."), identifier
        assert "\n" not in entry["text"], identifier


def test_the_scanner_finds_marks_everywhere() -> None:
    """Decorators and module marks count."""
    sample = (
        'pytestmark = [pytest.mark.requirement("SAMPLE-A-1")]\n'
        '@pytest.mark.requirement("SAMPLE-B-2")\ndef test_x(): ...\n'
    )
    assert sorted(carried(sample)) == ["SAMPLE-A-1", "SAMPLE-B-2"]
