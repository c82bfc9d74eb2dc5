"""Every promise has an id, one sentence and a source, and at least one test carries it."""

from __future__ import annotations

import ast
import functools
import re
import tomllib
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.tree

IDENTIFIER = re.compile(r"[A-Z]{2,4}(-[A-Z]{1,12}){0,3}-[0-9]{1,2}")
RULE = re.compile(r"(?<![\w-])[A-Z]{2,4}(?:-[A-Z]+)+-[0-9]+(?![\w-])")
FAMILY = re.compile(r"[A-Z]{2,4}(?:-[A-Z]+)+-?")


def carried(tree: ast.AST) -> Iterator[str]:
    """Ids in ``requirement("…")`` marks, wherever in a module they stand: decorator, ``pytestmark`` or ``param``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "requirement":
            yield from (str(argument.value) for argument in node.args if isinstance(argument, ast.Constant))


@functools.cache
def of_tests(project: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Ids all tests carry together, and those of them that a test also names; each module is parsed once."""
    marks, names = set[str](), set[str]()
    for path in (project / "tests").rglob("test_*.py"):
        source = path.read_text(encoding="utf-8")
        if "requirement" in source:
            tree = ast.parse(source)
            marks.update(carried(tree))
            names.update(named(tree))
    return frozenset(marks - {"SAMPLE-A-1", "SAMPLE-B-2"}), frozenset(names)


def texts(tree: ast.AST) -> Iterator[str]:
    """Every string constant of a module or a part of it, docstrings and the fixed parts of f-strings included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def named(tree: ast.AST) -> Iterator[str]:
    """Ids that a test both carries as a mark and names elsewhere, as one that looks at an error's rule does."""
    for test in ast.walk(tree):
        if isinstance(test, ast.FunctionDef | ast.AsyncFunctionDef):
            marked = list(carried(test))
            told = [rule for text in texts(test) for rule in RULE.findall(text)] if marked else []
            yield from {one for one in marked if told.count(one) > marked.count(one)}


@functools.cache
def shipped(project: Path) -> tuple[str, ...]:
    """String constants of all shipped modules."""
    modules = sorted((project / "src").rglob("*.py"))
    return tuple(text for path in modules for text in texts(ast.parse(path.read_text(encoding="utf-8"))))


def rules(found: Iterable[str]) -> set[str]:
    """Ids of rules that stand in texts."""
    return {identifier for text in found for identifier in RULE.findall(text)}


def promises(project: Path) -> dict[str, dict[str, str]]:
    """The list of promises."""
    return tomllib.loads((project / "tests" / "requirements.toml").read_text(encoding="utf-8"))


def test_every_promise_is_held_by_a_test(project: Path) -> None:
    """No promise without a test."""
    assert sorted(promises(project).keys() - of_tests(project)[0]) == []


def test_every_id_on_a_test_is_a_promise(project: Path) -> None:
    """No test for a promise nobody wrote down."""
    assert sorted(of_tests(project)[0] - promises(project).keys()) == []


def test_every_rule_the_code_refuses_by_is_a_promise(project: Path) -> None:
    """A refusal nobody wrote down could be lost without a test that fails."""
    assert sorted(rules(shipped(project)) - promises(project).keys()) == []


def test_every_rule_the_pages_name_is_a_promise(project: Path) -> None:
    """Who looks an error up reads of rules that there are."""
    pages = [*project.glob("*.md"), *(project / "docs").rglob("*.md")]
    found = rules(path.read_text(encoding="utf-8") for path in pages)
    assert len(found) > 10
    assert sorted(found - promises(project).keys()) == []


def test_rules_stand_whole_in_the_code(project: Path) -> None:
    """What makes an id up from parts of it hides it from whoever looks for the id."""
    families = {identifier.rpartition("-")[0] for identifier in promises(project)}
    made_up = {text for text in shipped(project) if FAMILY.fullmatch(text) and text.rstrip("-") in families}
    assert sorted(made_up) == []


def test_a_refusal_is_held_by_a_test_that_names_its_rule(project: Path) -> None:
    """One id never stands for a refusal in the code and for something else in the list."""
    assert sorted(rules(shipped(project)) - of_tests(project)[1]) == []


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
    assert sorted(carried(ast.parse(sample))) == ["SAMPLE-A-1", "SAMPLE-B-2"]


def test_the_scanner_finds_rules_everywhere() -> None:
    """Arguments, docstrings, keys and f-strings count; longer names and comments do not."""
    sample = (
        'RULES = {"KB-A-1": "must"}  # KB-A-2\n'
        'def check(x):\n    """Raises ``KB-A-3``."""\n    raise Fault(f"no {x} KB-A-4", rule="PR-B-CD-10")\n'
        'NAMES = ("XKB-A-5X", "ISO-8859-1", "UTF-8", "KB-A-6-X", "a-KB-A-7")\n'
    )
    assert sorted(rules(texts(ast.parse(sample)))) == ["KB-A-1", "KB-A-3", "KB-A-4", "PR-B-CD-10"]


def test_the_scanner_tells_a_test_that_names_its_rule() -> None:
    """In its body or beside the mark of a parameter; the mark alone is none."""
    sample = (
        '@pytest.mark.requirement("SAMPLE-A-1")\ndef test_a():\n    assert rule == "KB-A-2"\n'
        '@pytest.mark.requirement("KB-A-3")\ndef test_b():\n    assert rule == "KB-A-3"\n'
        '@pytest.mark.parametrize("x", [pytest.param("KB-A-4", marks=pytest.mark.requirement("KB-A-4"))])\n'
        "async def test_c(x): ...\n"
    )
    assert sorted(named(ast.parse(sample))) == ["KB-A-3", "KB-A-4"]
