"""Build the wheel and run the tests against it where it is installed, away from the source tree.

Usage: ``wheel.py test`` runs the tests on the newest interpreter present, and on Python 3.11, where ``make test`` has
run them on the source tree, the short proof of ``installed.py``; ``wheel.py test --all`` runs them on both.
``wheel.py coexistence`` installs the wheel beside symfonic-core, the other distribution in our namespace, and tests
that both work.

Each interpreter gets its own environment, kept between runs and brought up to date by the rules of ``environment.py``;
the wheel itself is installed anew every time.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from environment import ROOT, finish, interpreter, pip, prepare, ready_level

LOWEST = (3, 11)
WHEELS = ROOT / "build" / "wheel"
PROBE = "import sys, ensurepip, venv; print(*sys.version_info[:4], '.'.join(map(str, sys.version_info[:3])))"


def build() -> Path:
    """Build the wheel from the tree with the pinned tools and return its path."""
    shutil.rmtree(WHEELS, ignore_errors=True)
    tool = str(interpreter(ROOT / ".venv"))
    subprocess.run(
        [tool, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(WHEELS)],
        check=True,
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )
    (wheel,) = WHEELS.glob("*.whl")
    return wheel


def candidates() -> list[str]:
    """Interpreters that may exist: by name on the path, and those a version manager keeps beside its shims."""
    folders = [Path(entry) for entry in os.environ.get("PATH", "").split(os.pathsep) if entry]
    roots = [folder.parent for folder in folders if folder.name == "shims"]
    named = [shutil.which(f"python3.{minor}") for minor in range(LOWEST[1], LOWEST[1] + 10)]
    kept = [str(path) for root in roots for path in sorted(root.glob("versions/3.*/bin/python3"))]
    return [sys.executable, *(name for name in named if name), *kept]


def interpreters() -> dict[tuple[int, int], tuple[str, str]]:
    """Released interpreters that run and have ``venv``: ``(major, minor)`` to ``(command, full version)``."""
    found: dict[tuple[int, int], tuple[str, str]] = {}
    for command in candidates():
        try:
            done = subprocess.run([command, "-I", "-c", PROBE], capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        major, minor, _micro, level, version = done.stdout.split()
        if level == "final" and (int(major), int(minor)) >= LOWEST:
            found.setdefault((int(major), int(minor)), (command, version))
    return found


def install(folder: Path, wheel: Path, command: str, version: str, *groups: str) -> None:
    """Bring an environment up to date and put the wheel, with every extra, into it."""
    if ready_level(folder, version, *groups) is None:
        print(f"Setting up {folder.name} with Python {version} ...", file=sys.stderr, flush=True)
        prepare(folder, command, version)
        asked = [argument for group in groups for argument in ("--group", group)]
        pip(folder, *asked, f"{wheel}[all,testing]")
        finish(folder, "test", version, *groups)
    pip(folder, "--force-reinstall", "--no-deps", str(wheel))


def run_tests(folder: Path, *arguments: str) -> None:
    """Run pytest in an environment that must not see the source tree (``-P`` keeps the working folder off the path)."""
    command = [str(interpreter(folder)), "-P", "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, "SYMFONIC_TESTED": "wheel"})


def test(wheel: Path, *, everywhere: bool) -> None:
    """Run every test that needs no source tree on the newest interpreter, and on the lowest too or the short proof."""
    found = interpreters()
    if LOWEST not in found:
        print("make: Python 3.11 is not on this machine; the lowest version found stands in for it.", file=sys.stderr)
    for key in sorted({min(found), max(found)}):
        command, version = found[key]
        folder = ROOT / f".venv-wheel-{key[0]}.{key[1]}"
        if key == max(found) or everywhere:
            install(folder, wheel, command, version, "test")
            print(f"Tests on the wheel, Python {version}", flush=True)
            run_tests(folder, "-q", "-n", os.environ.get("WORKERS", "auto"), "--dist", "worksteal", "-m", "not tree")
        else:
            folder = folder.with_name(f"{folder.name}-short")  # without pytest, as the people who use it have it
            install(folder, wheel, command, version)
            print(f"Short proof of the wheel, Python {version}", flush=True)
            proof = [str(interpreter(folder)), "-I", "scripts/installed.py", "src"]
            subprocess.run(proof, check=True, cwd=ROOT)


def coexistence(wheel: Path) -> None:
    """Test the wheel beside symfonic-core, each installed and removed without touching the other."""
    folder = ROOT / ".venv-coexistence"
    found = interpreters()
    command, version = found[min(found)]
    install(folder, wheel, command, version, "test", "coexistence")
    run_tests(folder, "-q", "--coexistence", "-m", "coexistence", "tests/architecture/test_coexistence.py")


def main() -> None:
    """Build once, then do what was asked."""
    parser = argparse.ArgumentParser(description="Test the built wheel.")
    parser.add_argument("what", choices=["test", "coexistence"])
    parser.add_argument("--all", action="store_true", help="run the tests on the lowest interpreter too")
    asked = parser.parse_args()
    try:
        wheel = build()
        if asked.what == "test":
            test(wheel, everywhere=asked.all)
        else:
            coexistence(wheel)
    except subprocess.CalledProcessError as error:
        print(f"make: the wheel step '{asked.what}' failed, see above.", file=sys.stderr)
        raise SystemExit(error.returncode) from None


if __name__ == "__main__":
    main()
