"""The short proof of the wheel, and that the whole check measures the tests it runs: each can fail."""

from __future__ import annotations

import importlib.util
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from typing import Any

import pytest

pytestmark = pytest.mark.tree


class Installed(PurePosixPath):
    """A path of a distribution, found below a folder."""

    site = Path()

    def locate(self) -> Path:
        return self.site / self


@pytest.fixture
def proof(project: Path) -> Any:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("installed", project / "scripts" / "installed.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("installed", "expected"),
    [
        ({"a.py": "1", "b/py.typed": ""}, []),
        ({"a.py": "1"}, ["symfonic/b/py.typed"]),
        ({"a.py": "2", "b/py.typed": ""}, ["symfonic/a.py"]),
        ({"a.py": "1", "b/py.typed": "", "c.py": ""}, ["symfonic/c.py"]),
    ],
)
def test_what_is_missing_changed_or_too_much_in_a_wheel_is_told(
    proof: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed: dict[str, str], expected: list[str]
) -> None:
    """Byte for byte, data of the package included."""
    for folder, held in (("src", {"a.py": "1", "b/py.typed": ""}), ("site", installed)):
        for name, text in held.items():
            path = tmp_path / folder / "symfonic" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(Installed, "site", tmp_path / "site")
    files = [Installed(f"symfonic/{name}") for name in installed]
    monkeypatch.setattr(proof, "distribution", lambda name: SimpleNamespace(files=files))
    assert proof.different(tmp_path / "src") == expected


def test_the_source_tree_is_not_taken_for_the_wheel(proof: Any, project: Path) -> None:
    """Modules found there prove nothing."""
    with pytest.raises(SystemExit, match="imported from the source tree"):
        proof.imported(project / "src")


def test_the_whole_check_judges_the_run_it_has_measured(project: Path) -> None:
    """The tests run under coverage at the first step; `make coverage` runs them anew where that run is outdated."""
    assert '"$target" COVERAGE=1' in (project / ".ci" / "run").read_text(encoding="utf-8")
    rule = (project / "Makefile").read_text(encoding="utf-8").partition("\ncoverage:")[2].partition("\n\n")[0]
    assert "-newer .coverage" in rule
    assert "test COVERAGE=1" in rule
