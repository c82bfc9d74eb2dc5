"""What passes between the worker and a store: rows with vectors, questions with vectors.

Rules of this module: NumPy and the standard library only, since every environment imports it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Rows:
    """Passages in the order in which they are stored; ``vectors`` is a matrix with one row for each."""

    ids: list[str]
    texts: list[str]
    vectors: NDArray[np.float32]

    def reordered(self, order: list[int]) -> Rows:
        """The same passages in another order."""
        return Rows([self.ids[at] for at in order], [self.texts[at] for at in order], self.vectors[order])


class Store(Protocol):
    """One way to keep passages on disk and to find them again. Nothing is shared between two folders."""

    packages: tuple[str, ...]

    def build(self, folder: Path, rows: Rows) -> None:
        """Store everything with the vectors given; afterwards it is on disk, ready for another process."""

    def open(self, folder: Path) -> None:
        """Open what was built."""

    def search(self, text: str, vector: list[float], limit: int) -> list[tuple[str, float]]:
        """Identities and scores, best first. What ranks by distance answers the distance negated."""

    def close(self) -> None:
        """Let go of the files."""

    def load_model(self, weights: Path) -> None:
        """Load all-MiniLM-L6-v2 the way users of this store load it."""

    def embed(self, texts: list[str]) -> list[list[float]]:
        """Vectors of texts by the model that was loaded."""

    def ingest(self, folder: Path, ids: list[str], texts: list[str]) -> None:
        """Text to searchable files, vectors by the model that was loaded."""


def read_rows(texts: Path, vectors: Path, count: int | None = None) -> Rows:
    """Read passages, one JSON object ``{"id", "text"}`` a line, and their matrix."""
    matrix = np.load(vectors, mmap_mode="r")[:count]
    ids, passages = read_texts(texts, len(matrix))
    return Rows(ids, passages, np.ascontiguousarray(matrix, dtype=np.float32))


def read_texts(path: Path, count: int | None = None) -> tuple[list[str], list[str]]:
    """Identities and texts of the first ``count`` lines."""
    ids: list[str] = []
    texts: list[str] = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number == count:
                break
            row = json.loads(line)
            ids.append(row["id"])
            texts.append(row["text"])
    return ids, texts
