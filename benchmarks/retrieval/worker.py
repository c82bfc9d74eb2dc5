"""One store in an environment of its own: commands as JSON lines on standard input, answers on standard output.

Usage: ``worker.py STORE`` serves; ``worker.py STORE FOLDER QUESTION.json`` opens, answers one question and ends, which
is what a cold start is measured with. Times are seconds: ``wall`` by the clock, ``cpu`` of all threads of this process.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

os.environ.update(ANONYMIZED_TELEMETRY="False", HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1")


class Worker:
    """Carries out commands on one store."""

    def __init__(self, name: str) -> None:
        self.store: Any = importlib.import_module(f"store_{name}").Store()
        self.questions: list[tuple[str, list[float]]] = []

    def about(self) -> dict[str, Any]:
        """Releases of what is measured."""
        return {"python": sys.version.split()[0], "releases": {name: version(name) for name in self.store.packages}}

    def put(self, folder: str, texts: str, vectors: str, count: int) -> dict[str, float]:
        """Time a build from rows in memory to files on disk."""
        from given import read_rows

        rows = read_rows(Path(texts), Path(vectors), count)
        self.store.prepare(rows)
        Path(folder).mkdir(parents=True)
        taken = Stopwatch()
        self.store.build(Path(folder), rows)
        return {**taken.read(), "bytes": sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())}

    def open(self, folder: str, questions: str) -> dict[str, float]:
        """Open a store and read the questions it will be asked."""
        from given import read_rows

        rows = read_rows(Path(questions), Path(questions).with_suffix(".npy"))
        self.questions = list(zip(rows.texts, rows.vectors.tolist(), strict=True))
        self.store.close()
        taken = Stopwatch()
        self.store.open(Path(folder))
        return taken.read()

    def ask(self, limit: int, first: int | None = None) -> dict[str, list[float]]:
        """Ask every question once, or the first ones."""
        wall, cpu = [], []
        for text, vector in self.questions[:first]:
            taken = Stopwatch()
            self.store.search(text, vector, limit)
            times = taken.read()
            wall.append(times["wall"])
            cpu.append(times["cpu"])
        return {"wall": wall, "cpu": cpu}

    def rank(self, limit: int) -> list[list[tuple[str, float]]]:
        """What is found for every question."""
        return [self.store.search(text, vector, limit) for text, vector in self.questions]

    def orders(self, folder: str, texts: str, vectors: str, questions: str, orders: list[list[int]]) -> list[Any]:
        """Build once for each order of insertion; the first five of every question, order by order."""
        from given import read_rows

        rows, found = read_rows(Path(texts), Path(vectors)), []
        self.store.prepare(rows)
        for number, order in enumerate(orders):
            place = Path(folder) / str(number)
            place.mkdir(parents=True)
            again = rows.reordered(order)
            self.store.prepare(again)
            self.store.build(place, again)
            self.open(str(place), questions)
            found.append([[name for name, _ in rows] for rows in self.rank(5)])
            self.store.close()
        return found

    def load_model(self, weights: str) -> dict[str, float]:
        """Load the model and use it once, so that it is warm."""
        taken = Stopwatch()
        self.store.load_model(Path(weights))
        self.store.embed(["warm"])
        return taken.read()

    def embed(self, texts: str, into: str) -> dict[str, float]:
        """Write the vectors of texts as a matrix."""
        import numpy as np
        from given import read_texts

        passages = read_texts(Path(texts))[1]
        taken = Stopwatch()
        matrix = np.array(self.store.embed(passages), dtype=np.float32)
        times = taken.read()
        np.save(into, matrix)
        return times

    def ingest(self, folder: str, texts: str, count: int) -> dict[str, float]:
        """Time from text to searchable files, the model loaded before."""
        from given import read_texts

        ids, passages = read_texts(Path(texts), count)
        Path(folder).mkdir(parents=True)
        taken = Stopwatch()
        self.store.ingest(Path(folder), ids, passages)
        return taken.read()


class Stopwatch:
    """Both clocks from the moment it is made."""

    def __init__(self) -> None:
        self._cpu, self._wall = time.process_time(), time.perf_counter()

    def read(self) -> dict[str, float]:
        """Seconds since then."""
        return {"wall": time.perf_counter() - self._wall, "cpu": time.process_time() - self._cpu}


def serve(name: str) -> None:
    """Answer line by line; what a library prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    worker: Worker | None = None
    for line in sys.stdin:
        try:
            command = json.loads(line)
            worker = worker or Worker(name)
            answer = {"answer": getattr(worker, command.pop("do"))(**command)}
        except Exception as error:  # noqa: BLE001 - whatever a peer raises is told, not hidden
            answer = {"error": f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:300]}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def cold(name: str, folder: str, question: str) -> None:
    """Open, answer one question, tell the most memory that took in kB, end."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    text, vector = json.loads(Path(question).read_text(encoding="utf-8"))
    store = importlib.import_module(f"store_{name}").Store()
    store.open(Path(folder))
    found = store.search(text, vector, 10)
    assert len(found) == 10, found
    answers.write(str(peak()))
    answers.close()


def peak() -> int:
    """The most memory this process had at once, in kB.

    Linux tells it for the program that runs; elsewhere, and in ``ru_maxrss``, what the process that started it had
    counts as well.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return int(status.partition("VmHWM:")[2].split()[0])
    except (OSError, IndexError, ValueError):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    if len(sys.argv) == 2:
        serve(sys.argv[1])
    else:
        cold(*sys.argv[1:])
