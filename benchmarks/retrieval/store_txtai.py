"""txtai, hybrid: a Faiss index, a BM25 index of its own and SQLite for the content, fused by its default weights."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from txtai import Embeddings

if TYPE_CHECKING:
    from pathlib import Path

    from given import Rows


os.environ["ALLOW_RESOLVE_TRANSFORM"] = "True"  # lets a database name the class below


class Looked:
    """Vectors that are known already, by text. The library makes one by its name whenever it opens a database."""

    known: ClassVar[dict[str, list[float]]] = {}

    def __call__(self, texts: list[str]) -> Any:
        """Look them up."""
        return np.array([self.known[text] for text in texts], dtype=np.float32)


class Store:
    """An ``Embeddings`` database; vectors that are given come in through its ``external`` method."""

    packages = ("txtai", "faiss-cpu", "transformers", "torch")

    def __init__(self) -> None:
        self._store: Any = None
        self._weights: Path | None = None
        self._loaded: dict[Any, Any] = {}  # models that databases share, kept by the library
        self._model: Any = None

    @staticmethod
    def _hybrid() -> Any:
        return Embeddings({"method": "external", "transform": f"{__name__}.Looked", "hybrid": True, "content": True})

    def prepare(self, rows: Rows) -> None:
        """Make the table of vectors; not part of what is measured."""
        Looked.known = dict(zip(rows.texts, rows.vectors.tolist(), strict=True))

    def build(self, folder: Path, rows: Rows) -> None:
        """All in one call, then saved."""
        store = self._hybrid()
        store.index(zip(rows.ids, rows.texts, strict=True))
        store.save(str(folder))
        store.close()

    def open(self, folder: Path) -> None:
        """Load the indexes; its content stays in SQLite."""
        self._store = self._hybrid()
        self._store.load(str(folder))

    def search(self, text: str, vector: list[float], limit: int) -> list[tuple[str, float]]:
        """Vectors and words together."""
        Looked.known[text] = vector
        return [(row["id"], float(row["score"])) for row in self._store.search(text, limit)]

    def close(self) -> None:
        """Close the database."""
        if self._store is not None:
            self._store.close()
        self._store = None

    def load_model(self, weights: Path) -> None:
        """Transformers through txtai."""
        self._weights = weights
        self._model = Embeddings({"path": str(weights)}, models=self._loaded)

    def embed(self, texts: list[str]) -> list[list[float]]:
        """In batches, as it likes."""
        return [vector.tolist() for vector in self._model.batchtransform(texts)]

    def ingest(self, folder: Path, ids: list[str], texts: list[str]) -> None:
        """All in one call, then saved; the model is the one that was loaded."""
        store = Embeddings({"path": str(self._weights), "hybrid": True, "content": True}, models=self._loaded)
        store.index(zip(ids, texts, strict=True))
        store.save(str(folder))
        store.close()
