"""The public API is what a façade re-exports: modules, façades and reference pages say the same."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.tree

#: Façade package, below ``src/symfonic``, to the reference page that names all it exports.
FACADES = {
    "capabilities/knowledge": "knowledge.md",
    "capabilities/prompting": "prompting.md",
    "composition/knowledge": "composition.md",
    "adapters/knowledge": "store.md",
    "adapters/knowledge/messages": "messages.md",
    "testing/knowledge": "testing.md",
}
#: Public modules a façade leaves out, with the reason.
APART = {"testing/knowledge": {"strategies": "needs Hypothesis, and importing the kit must not"}}
#: Packages whose ``__init__.py`` is in no reference page: importing one must not import an optional part.
SILENT = {
    "adapters/knowledge/counters",
    "adapters/knowledge/documents",
    "adapters/knowledge/embedders",
    "adapters/knowledge/extractors",
    "adapters/knowledge/frameworks",
    "adapters/knowledge/measures",
    "adapters/knowledge/models",
    "adapters/knowledge/pictures",
    "adapters/knowledge/stores",
    "adapters/knowledge/telemetry",
    "frontends/knowledge",
    "frontends/knowledge/_asgi",
    "frontends/knowledge/cli",
    "frontends/knowledge/http",
    "frontends/knowledge/http/inspector",
    "frontends/knowledge/mcp",
}


def declared(source: str) -> list[str]:
    """The names in a module's ``__all__``."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            return [str(value) for value in ast.literal_eval(node.value)]
    return []


def reexported(source: str) -> dict[str, str]:
    """Name to module of every explicit re-export; anything else in a façade is reported under its line."""
    found: dict[str, str] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if not isinstance(node, ast.ImportFrom):
            found[f"line {node.lineno}"] = "no re-export"
        elif node.module != "__future__":
            for alias in node.names:
                explicit = alias.asname == alias.name
                found[alias.name if explicit else f"line {node.lineno}"] = node.module or ""
    return found


def drift(facade: str, modules: dict[str, str]) -> list[str]:
    """Differences between a façade's source and the ``__all__`` of its public modules (name to source)."""
    public = {name: source for name, source in modules.items() if not name.startswith("_")}
    expected = {export for source in public.values() for export in declared(source)}
    actual = reexported(facade)
    found = [f"{name} is not re-exported" for name in sorted(expected - actual.keys())]
    found += [f"{name} comes from no public module" for name in sorted(actual.keys() - expected)]
    return found + [f"{name}.py has no __all__" for name, source in sorted(public.items()) if not declared(source)]


@pytest.mark.parametrize("package", FACADES)
def test_facade_and_modules_agree(project: Path, package: str) -> None:
    """A façade re-exports exactly what its public modules declare."""
    folder = project / "src" / "symfonic" / package
    left_out = {"__init__", *APART.get(package, {})}
    modules = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.py") if path.stem not in left_out}
    assert drift((folder / "__init__.py").read_text(encoding="utf-8"), modules) == []


@pytest.mark.parametrize(("package", "page"), FACADES.items())
def test_every_public_name_is_in_the_reference(project: Path, package: str, page: str) -> None:
    """The reference page of a façade names, in code type, all it exports."""
    facade = (project / "src" / "symfonic" / package / "__init__.py").read_text(encoding="utf-8")
    text = (project / "docs" / "reference" / page).read_text(encoding="utf-8")
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`\n]+`", text))))
    assert sorted(reexported(facade).keys() - named) == []


def test_every_package_is_a_facade_or_silent(project: Path) -> None:
    """No package is forgotten by this test, and a silent one holds a docstring only."""
    root = project / "src" / "symfonic"
    packages = {path.parent.relative_to(root).as_posix() for path in root.rglob("__init__.py")}
    silent = packages - FACADES.keys()
    assert sorted(silent - SILENT) == []
    for package in sorted(silent & SILENT):
        body = ast.parse((root / package / "__init__.py").read_text(encoding="utf-8")).body
        assert ast.get_docstring(ast.Module(body=body, type_ignores=[])), package


@pytest.mark.parametrize(
    ("facade", "modules", "expected"),
    [
        ("", {"a": "__all__ = ['x']"}, ["x is not re-exported"]),
        ("from .b import y as y", {}, ["y comes from no public module"]),
        ("from .a import x", {"a": "__all__ = ['x']"}, ["x is not re-exported", "line 1 comes from no public module"]),
        ("import os", {}, ["line 1 comes from no public module"]),
        ("", {"a": ""}, ["a.py has no __all__"]),
        ("'''Doc.'''\nfrom .a import x as x", {"a": "__all__ = ['x']", "_b": ""}, []),
    ],
)
def test_the_check_finds(facade: str, modules: dict[str, str], expected: list[str]) -> None:
    """Each kind of drift has a sample."""
    assert drift(facade, modules) == expected
