"""Where things stand: namespaces without ``__init__.py``, typed leaves, nobody else's names, the wheel's content."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROLES = ("", "capabilities", "adapters", "composition", "frontends", "testing")
#: Top-level names below ``symfonic`` that belong to symfonic-core.
FOREIGN = {"agent", "cli", "core", "diagnostics", "infra", "knowledge", "memory", "observability", "tools"}
#: Folders of what pages are made of, which is no code.
OF_PAGES = {"static", "templates"}
VAGUE = {"utils", "util", "helpers", "helper", "manager", "managers", "common", "misc", "base"}


def faults(files: list[str]) -> list[str]:
    """What is wrong with a list of paths below ``src/symfonic``."""
    found = [f"{role or '.'} has an __init__.py" for role in ROLES if f"{role}/__init__.py".lstrip("/") in files]
    tops = {path.partition("/")[0].removesuffix(".py") for path in files}
    found += [f"{name} is symfonic-core's" for name in sorted(tops & FOREIGN)]
    found += [f"{name} is no role" for name in sorted(tops - FOREIGN - set(ROLES) - {"__init__"})]
    for path in files:
        if VAGUE & {part.removesuffix(".py").strip("_") for part in path.split("/")}:
            found.append(f"{path} says nothing by its name")
    leaves = {"/".join(path.split("/")[:2]) for path in files if path.count("/") >= 2}
    found += [f"{leaf} has no py.typed" for leaf in sorted(leaves) if f"{leaf}/py.typed" not in files]
    found += [f"{leaf} has no __init__.py" for leaf in sorted(leaves) if f"{leaf}/__init__.py" not in files]
    return found


def tree(project: Path) -> list[str]:
    """Every file below ``src/symfonic``, caches left out."""
    root = project / "src" / "symfonic"
    paths = (path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return sorted(path.relative_to(root).as_posix() for path in paths)


@pytest.mark.tree
def test_the_tree_follows_the_layout(project: Path) -> None:
    """Roles are namespaces, leaves are typed packages, every name is ours and says something."""
    assert faults(tree(project)) == []


@pytest.mark.tree
def test_no_module_is_an_empty_placeholder(project: Path) -> None:
    """A room exists when it has content: every module has a docstring and every folder a module."""
    root = project / "src" / "symfonic"
    assert [path for path in tree(project) if path.endswith(".py") and not (root / path).read_text().strip()] == []
    folders = [path for path in root.rglob("*") if path.is_dir() and path.name not in {"__pycache__", *OF_PAGES}]
    assert [folder.name for folder in folders if not any(folder.rglob("*.py"))] == []


@pytest.mark.tree
def test_the_wheel_holds_the_tree_and_nothing_else(project: Path, tmp_path: Path) -> None:
    """Every file of ours is in the wheel, with licence and one script, and no test or document is."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=project, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        scripts = archive.read(next(name for name in names if name.endswith("entry_points.txt"))).decode()
    code = sorted(name.removeprefix("symfonic/") for name in names if name.startswith("symfonic/"))
    others = sorted(name.partition("/")[2] for name in names if not name.startswith("symfonic/"))
    assert code == tree(project)
    assert others == ["METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"]
    assert scripts.split() == ["[console_scripts]", "symfonic-knowledge", "=", "symfonic.frontends.knowledge.cli:main"]


def test_the_package_under_test_is_the_one_asked_for(project: Path) -> None:
    """Tests on the wheel must not find the source tree, tests on the tree nothing else."""
    import symfonic.capabilities.knowledge as subject

    in_tree = Path(str(subject.__file__)).is_relative_to(project / "src")
    assert in_tree is (os.environ.get("SYMFONIC_TESTED") != "wheel")


@pytest.mark.parametrize(
    ("extra", "fault"),
    [
        (["__init__.py"], ". has an __init__.py"),
        (["adapters/__init__.py"], "adapters has an __init__.py"),
        (["knowledge/x.py"], "knowledge is symfonic-core's"),
        (["plugins.py"], "plugins is no role"),
        (["adapters/web/_utils.py"], "adapters/web/_utils.py says nothing by its name"),
        (["adapters/web/a/x.py"], "adapters/web has no py.typed"),
    ],
)
def test_the_check_finds(extra: list[str], fault: str) -> None:
    """Each rule has a sample that breaks it, next to a tree that is fine."""
    good = ["capabilities/knowledge/__init__.py", "capabilities/knowledge/py.typed"]
    assert faults(good) == []
    assert fault in faults(good + extra)
