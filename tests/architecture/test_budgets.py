"""Size budgets: modules and functions stay small enough to be read in one go."""

from __future__ import annotations

import ast
import functools
import statistics
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.tree

RING_ONE_LINES = 400
MODULE_LINES = 600
FUNCTION_LINES = 40
FUNCTION_MEDIAN = 8
GENERATED = "_tables.py"

#: ``path`` or ``path:function`` to the size it may have. It only ever shrinks: an entry that is not needed fails.
ALLOWANCES: dict[str, int] = {}


@functools.cache
def functions(source: str) -> tuple[tuple[str, int], ...]:
    """Qualified name and body lines of every function; the docstring does not count."""
    return tuple(_functions(ast.parse(source), ""))


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, int]]:
    for child in ast.iter_child_nodes(node):
        inner = prefix
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f"{prefix}{child.name}."
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + child.name, _body_lines(child)
        yield from _functions(child, inner)


def _body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def sizes(path: str, source: str) -> dict[str, int]:
    """What is over its budget in one module: key as in the allowances, and its size."""
    ceiling = RING_ONE_LINES if path.startswith("capabilities/") else MODULE_LINES
    lines = source.count("\n")
    over = {path: lines} if lines > ceiling else {}
    return over | {f"{path}:{name}": size for name, size in functions(source) if size > FUNCTION_LINES}


def modules(project: Path) -> Iterator[tuple[str, str]]:
    """Every hand-written module of ours."""
    root = project / "src" / "symfonic"
    for path in sorted(root.rglob("*.py")):
        if path.name != GENERATED:
            yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def test_modules_and_functions_keep_their_budgets(project: Path) -> None:
    """Nothing is larger than its budget or its allowance, and no allowance is larger than needed."""
    over: dict[str, int] = {}
    for path, source in modules(project):
        over |= sizes(path, source)
    assert over == ALLOWANCES


def test_half_of_all_functions_are_short(project: Path) -> None:
    """The median function body has at most eight lines."""
    bodies = [size for _, source in modules(project) for _, size in functions(source)]
    assert statistics.median(bodies) <= FUNCTION_MEDIAN


def test_the_measure_sees_long_functions_and_modules() -> None:
    """Methods and nested functions count, docstrings do not."""
    body = "        x = 1\n" * 41
    long = f"class A:\n    def f(self):\n        '''One.\n\n        Two.\n        '''\n{body}"
    assert sizes("adapters/a.py", long) == {"adapters/a.py:A.f": 41}
    assert sizes("capabilities/a.py", "x = 1\n" * 401) == {"capabilities/a.py": 401}
    assert sizes("adapters/a.py", "x = 1\n" * 401) == {}
    assert dict(functions("def f():\n    def g():\n        return 1\n    return g\n")) == {"f": 3, "f.g": 1}
    assert dict(functions("def f():\n    '''Only words.'''\n")) == {"f": 0}
