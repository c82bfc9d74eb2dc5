"""Mutation testing takes too long for every run; that it covers the boundary and excuses nothing idly is checked."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.tree

#: Modules with nothing to mutate: generated tables, and the doors.
NOTHING_TO_MUTATE = {"__init__", "_tables", "hygiene"}


@pytest.fixture(scope="module")
def settings(project: Path) -> dict[str, Any]:
    """What ``make mutate`` reads."""
    return tomllib.loads((project / "scripts" / "mutation.toml").read_text(encoding="utf-8"))


def test_every_module_of_the_boundary_is_mutated(project: Path, settings: dict[str, Any]) -> None:
    """A new module cannot be forgotten."""
    modules = {path.stem for path in (project / settings["package"]).glob("*.py")}
    assert set(settings["tests"]) == modules - NOTHING_TO_MUTATE


def test_every_module_has_tests_that_answer_for_it(project: Path, settings: dict[str, Any]) -> None:
    """They are there, under the name given."""
    folder = project / "tests" / "capabilities" / "knowledge"
    named = {name for names in settings["tests"].values() for name in names}
    assert [name for name in sorted(named) if not (folder / name).is_file()] == []


def test_every_excuse_names_one_mutant_and_a_reason(settings: dict[str, Any]) -> None:
    """No repetition, and no excuse for a module that is not mutated."""
    excuses = settings["equivalent"]
    assert [
        row for row in excuses if set(row) - {"cost"} != {"module", "was", "now", "why"} or not all(row.values())
    ] == []
    assert [row["module"] for row in excuses if row["module"] not in settings["tests"]] == []
    assert len({(row["module"], row["was"]) for row in excuses}) == len(excuses)


def test_what_changes_only_the_cost_is_told_apart(settings: dict[str, Any]) -> None:
    """A short cut or a cache answers the same with and without; whoever weakens one looks at the benchmarks."""
    excuses = settings["equivalent"]
    assert {row["cost"] for row in excuses if "cost" in row} == {True}
    saying = [row for row in excuses if row["why"].startswith(("a short cut:", "a cache "))]
    assert saying == [row for row in excuses if "cost" in row]
    assert 0 < len(saying) < len(excuses)
