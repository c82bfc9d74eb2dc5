"""Ring 1 is pure: standard library only, synchronous, no input or output, no clock, no randomness, no environment."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.tree

#: What ring 1 may import. Everything here computes; nothing here reads the machine it runs on.
ALLOWED = {
    "__future__", "abc", "base64", "bisect", "collections", "contextlib", "copy", "dataclasses", "enum", "functools",
    "hashlib", "hmac", "html", "itertools", "json", "math", "numbers", "operator", "re", "string", "types", "typing",
    "unicodedata",
}  # fmt: skip

#: Exceptions, each with its reason: a module, and what it may hold. An entry nobody uses fails.
EXCEPTIONS = {
    ("knowledge/_asking.py", "import inspect"): "whether a store takes a scope is read from its signature",
    ("knowledge/streaming.py", "async"): "afilter_stream waits for the source it is given, and for nothing else",
    ("knowledge/grounding.py", "id()"): "the memo of a deep copy is keyed by it, as `copy` demands; nothing is ordered",
    ("knowledge/grounding.py", "import weakref"): "a filter and what calls its render must not keep each other alive",
    ("prompting/_memo.py", "import threading"): "the memo of reads is shared by threads, hence a lock",
}

FORBIDDEN_CALLS = {"open", "print", "input", "eval", "exec", "compile", "__import__", "breakpoint", "id", "hash"}
GENERATED = "_tables.py"  # plain dictionaries of characters; a proxy around each would cost every look-up
MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
CHANGING = {"append", "extend", "insert", "add", "update", "setdefault", "pop", "popitem", "clear", "remove", "discard"}
MUTABLE_CALLS = {"list", "dict", "set", "defaultdict", "deque", "Counter", "OrderedDict", "bytearray"}


def impurities(path: str, source: str) -> list[str]:
    """Everything in a module that ring 1 must not hold, as ``line: what``."""
    tree = ast.parse(source)
    found: list[tuple[int, str]] = [*_imports(path, tree), *_calls(tree)]
    if not path.endswith(GENERATED):
        found += _globals(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.AsyncFunctionDef | ast.Await):
            found.append((node.lineno, "async"))
        if isinstance(node, ast.Global):
            found.append((node.lineno, "global statement"))
    return [f"{line}: {what}" for line, what in sorted(found) if (path, what) not in EXCEPTIONS]


def _imports(path: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom) or (isinstance(node, ast.ImportFrom) and node.level):
            continue
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        for name in names:
            own = ".".join(["symfonic", "capabilities", path.partition("/")[0]])
            top = name.partition(".")[0]
            if not name.startswith(own) and top not in ALLOWED:
                yield node.lineno, f"import {name}"


def _calls(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
            yield node.lineno, f"{node.func.id}()"


def _globals(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Containers at module level that are public or written to; a private table nobody writes to is a constant."""
    written = set(_written(tree))
    for node in tree.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = {target.id for target in targets if isinstance(target, ast.Name)} - {"__all__"}
        call = node.value.func if isinstance(node.value, ast.Call) else None
        made = isinstance(call, ast.Name) and call.id in MUTABLE_CALLS
        exposed = {name for name in names if name in written or not re.fullmatch(r"_[A-Z0-9_]+", name)}
        if (isinstance(node.value, MUTABLE) or made) and exposed:
            yield node.lineno, f"mutable global {', '.join(sorted(exposed))}"


def _written(tree: ast.Module) -> Iterator[str]:
    """Names something is stored in, deleted from, or asked to change itself."""
    for node in ast.walk(tree):
        place: ast.expr | None = None
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            place = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
            place = node.func.value
        if isinstance(place, ast.Name):
            yield place.id


def ring_one(project: Path) -> Iterator[tuple[str, str]]:
    """Every module of the capabilities: its path below them and its source."""
    root = project / "src" / "symfonic" / "capabilities"
    for path in sorted(root.rglob("*.py")):
        yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def test_capabilities_hold_nothing_impure(project: Path) -> None:
    """No module of ring 1 imports, calls or keeps what it must not."""
    assert {path: found for path, source in ring_one(project) if (found := impurities(path, source))} == {}


def test_every_exception_is_used(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of exceptions shrinks with the code."""
    listed = set(EXCEPTIONS)
    monkeypatch.setattr(sys.modules[__name__], "EXCEPTIONS", {})
    found = {
        (path, entry.partition(": ")[2]) for path, source in ring_one(project) for entry in impurities(path, source)
    }
    assert sorted(listed - found) == []


def test_capabilities_run_with_nothing_installed(project: Path) -> None:
    """An isolated interpreter without site-packages imports every module and selects two rows."""
    command = [sys.executable, "-I", "-S", str(project / "scripts" / "bare.py"), str(project / "src")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        ("import os", "1: import os"),
        ("def f():\n    from time import time", "2: import time"),
        ("import rich.text", "1: import rich.text"),
        ("from symfonic.capabilities.prompting import x", "1: import symfonic.capabilities.prompting"),
        ("import threading", "1: import threading"),
        ("x = open('f')", "1: open()"),
        ("async def f(): ...", "1: async"),
        ("CACHE = {}", "1: mutable global CACHE"),
        ("CACHE: dict[str, int] = dict()", "1: mutable global CACHE"),
        ("_CACHE = {}\ndef f(x):\n    _CACHE[x] = 1", "1: mutable global _CACHE"),
        ("_CACHE = []\ndef f(x):\n    _CACHE.append(x)", "1: mutable global _CACHE"),
        ("def f():\n    global x", "2: global statement"),
    ],
)
def test_the_scanner_finds(sample: str, expected: str) -> None:
    """Each rule has a sample that breaks it."""
    assert impurities("knowledge/sample.py", sample) == [expected]


def test_the_scanner_passes_pure_code() -> None:
    """Constants, own imports and ``__all__`` are fine."""
    sample = (
        "from .contracts import x\nfrom symfonic.capabilities.knowledge import y\n__all__ = ['x']\nLADDER = (1, 2)\n"
    )
    assert impurities("knowledge/sample.py", sample) == []
