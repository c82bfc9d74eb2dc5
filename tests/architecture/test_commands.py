"""The commands themselves: `make` lists them, and set-up knows a finished environment from an interrupted one."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import distributions
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

pytestmark = pytest.mark.tree

PROMISED = {
    "demo",
    "test",
    "check",
    "corpora",
    "bench",
    "bench-extraction",
    "bench-retrieval",
    "local-answer",
    "lint",
    "types",
    "coverage",
    "wheel-test",
    "sdk",
    "stores",
    "browser",
    "fuzz",
    "fuzz-service",
    "help",
    "clean",
}


@pytest.fixture
def environment(project: Path) -> Any:
    """The set-up script as a module."""
    spec = importlib.util.spec_from_file_location("environment", project / "scripts" / "environment.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(project: Path, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the project with nothing but a path in its environment."""
    values: Mapping[str, str] = {"PATH": os.environ["PATH"], **variables}
    return subprocess.run(command, cwd=project, env=values, capture_output=True, text=True, check=False)


def test_make_lists_every_command(project: Path) -> None:
    """`make` alone shows what there is."""
    done = run(project, "make")
    listed = set(re.findall(r"^  make ([a-z-]+)", done.stdout, flags=re.MULTILINE))
    assert done.returncode == 0
    assert listed >= PROMISED


def test_check_runs_every_kind_of_check(project: Path) -> None:
    """Nothing CI needs is left to memory."""
    planned = run(project, "make", "-n", "check").stdout
    for step in ("ruff check", "ruff format --check", "mypy", "pyright", "lint-imports", "bare.py", "fail-under=100"):
        assert step in planned
    for step in (
        "fail-under=95",
        "wheel.py test",
        "wheel.py coexistence",
        "--sdk -m sdk",
        "--stores -m 'stores",
        "--browser -m browser",
    ):
        assert step in planned


def test_ci_calls_the_commands_people_call(project: Path) -> None:
    """One way to do each thing."""
    script = project / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "for target in test check corpora demo" in script.read_text(encoding="utf-8")


def test_an_unsuitable_python_is_refused_with_advice(project: Path, tmp_path: Path) -> None:
    """The message says what to install."""
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = run(project, "sh", "scripts/python.sh", "-c", "print(1)", PYTHON=str(old))
    assert done.returncode == 1
    assert "Python 3.11 or newer" in done.stderr
    assert "apt-get install python3 python3-venv" in done.stderr
    assert "brew install" in done.stderr


def test_a_python_without_venv_is_refused_with_advice(project: Path, tmp_path: Path) -> None:
    """Debian ships Python without venv."""
    bare = tmp_path / "python3"
    bare.write_text(f'#!/bin/sh\ncase "$2" in *venv*) exit 1;; esac\nexec {sys.executable} "$@"\n')
    bare.chmod(0o755)
    done = run(project, "sh", "scripts/python.sh", "-c", "print(1)", PYTHON=str(bare))
    assert done.returncode == 1
    assert "'venv' module" in done.stderr


def test_names_on_the_path_that_do_not_run_are_passed_over(project: Path, tmp_path: Path) -> None:
    """A version manager's stub is no Python."""
    stub = tmp_path / "python3"
    stub.write_text("#!/bin/sh\nexit 127\n")
    stub.chmod(0o755)
    real = tmp_path / "python3.11"
    real.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    real.chmod(0o755)
    done = run(project, "/bin/sh", "scripts/python.sh", "-c", "print('ran')", PATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (0, "ran\n")


def test_a_finished_environment_is_ready(environment: Any, tmp_path: Path) -> None:
    """The stamp names its level."""
    (tmp_path / environment.UNFINISHED).touch()
    environment.finish(tmp_path, "test", "3.11.7")
    assert environment.ready_level(tmp_path, "3.11.7") == "test"


@pytest.mark.parametrize("damage", ["interrupted", "other version", "torn stamp", "no stamp", "unknown level"])
def test_anything_else_is_not_ready(environment: Any, tmp_path: Path, damage: str) -> None:
    """Half an installation is never mistaken for a whole one."""
    (tmp_path / environment.UNFINISHED).touch()
    environment.finish(tmp_path, "everything" if damage == "unknown level" else "test", "3.11.7")
    if damage == "interrupted":
        (tmp_path / environment.UNFINISHED).touch()
    elif damage == "torn stamp":
        (tmp_path / environment.STAMP).write_text('{"level": "te')
    elif damage == "no stamp":
        (tmp_path / environment.STAMP).unlink()
    assert environment.ready_level(tmp_path, "3.12.1" if damage == "other version" else "3.11.7") is None


def test_a_changed_input_makes_it_stale(environment: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Project file, pins and the script itself decide what an environment contains."""
    for name in ("pyproject.toml", "constraints.txt", "scripts/environment.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("one")
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    before = environment.digest("3.11.7")
    for name in ("pyproject.toml", "constraints.txt", "scripts/environment.py"):
        (tmp_path / name).write_text("two")
        assert environment.digest("3.11.7") != before
        (tmp_path / name).write_text("one")
    assert environment.digest("3.11.7") == before


def test_every_peer_has_a_group_a_module_and_pins(environment: Any, project: Path) -> None:
    """What is measured beside us is installed from a file of its own, everything asked for at one release."""
    groups = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    folder = project / "benchmarks"
    assert {f"bench-{path.stem[len('constraints-') :]}" for path in folder.glob("constraints-*.txt")} == set(
        environment.PEERS
    )
    for level in environment.PEERS:
        store = folder / "retrieval" / f"store_{level.removeprefix('bench-')}.py"
        assert (folder / "extraction" / "run.py" if level == "bench-loaders" else store).is_file()
        pins = (project / environment.pins(level)).read_text(encoding="utf-8").lower().replace("_", "-").splitlines()
        pinned = {line.partition("==")[0] for line in pins}
        assert {re.split("[>=]", wanted)[0] for wanted in groups[level]} <= pinned


def test_pins_are_what_the_environment_holds(project: Path) -> None:
    """Everything installed here is pinned, at the pinned release."""
    pins = dict(
        line.split("==", 1)
        for line in (project / "constraints.txt").read_text(encoding="utf-8").lower().splitlines()
        if not line.startswith("#")
    )
    pinned = {name.replace("_", "-").replace(".", "-"): release for name, release in pins.items()}
    installed = {
        (found.metadata["Name"] or "").lower().replace("_", "-").replace(".", "-"): found.version
        for found in distributions()
    }
    own = {"symfonic-knowledge", "setuptools"}
    assert {name: release for name, release in installed.items() if name not in own} == {
        name: pinned.get(name) for name in installed if name not in own
    }


def test_every_benchmark_is_run(project: Path) -> None:
    """A module of `benchmarks/` that measures is called by the one command that runs them all."""
    folder = project / "benchmarks"
    runner = (folder / "run.py").read_text(encoding="utf-8")
    measuring = {
        path.stem: re.findall(r"^def (run|measure)\(", path.read_text(encoding="utf-8"), re.MULTILINE)
        for path in folder.glob("*.py")
        if path.stem != "run"
    }
    assert {name for name, found in measuring.items() if found} >= {"selection", "filters", "grounding", "compile"}
    names = dict(re.findall(r"^import (\w+) as (\w+)$", runner, re.MULTILINE))
    missing = [
        name
        for name, found in measuring.items()
        if found and not any(f" {names.get(name, name)}.{function}(" in runner for function in found)
    ]
    assert missing == []


def test_a_benchmark_without_its_files_fails_only_where_it_was_asked_for(
    project: Path,
) -> None:
    """`make bench` goes on without the corpora, `make bench-extraction` does not, and neither takes a wrong name."""
    command = (sys.executable, "-B", str(project / "benchmarks" / "extraction" / "run.py"))
    part, alone, wrong = (run(project, *command, *more) for more in (("--optional",), (), ("--optional", "nowhere")))
    assert (part.returncode, alone.returncode, wrong.returncode) == (0, 1, 1)
    for said in (part.stdout, alone.stderr):
        assert "SYMFONIC_CORPORA is not set" in said
        assert "make bench-extraction FILES=FOLDER" in said
    assert "nowhere is no folder with files" in wrong.stderr
