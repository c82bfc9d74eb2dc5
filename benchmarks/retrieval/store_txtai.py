"""txtai, hybrid: a Faiss index, a BM25 index of its own and SQLite for the content, fused by its default weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from txtai import Embeddings

if TYPE_CHECKING:
    from pathlib import Path

    from given import Rows


class Store:
    """An ``Embeddings`` database; vectors that are given come in through its ``external`` method."""

    packages = ("txtai", "faiss-cpu", "transformers", "torch")

    def __init__(self) -> None:
        self._known: dict[str, list[float]] = {}
        self._store: Any = None
        self._weights: Path | None = None
        self._model: Any = None

    def _look(self, texts: list[str]) -> Any:
        import numpy as np

        return np.array([self._known[text] for text in texts], dtype=np.float32)

    def _hybrid(self) -> Any:
        return Embeddings({"method": "external", "transform": self._look, "hybrid": True, "content": True})

    def prepare(self, rows: Rows) -> None:
        """Make the table of vectors; not part of what is measured."""
        self._known = dict(zip(rows.texts, rows.vectors.tolist(), strict=True))

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
        self._known[text] = vector
        return [(row["id"], float(row["score"])) for row in self._store.search(text, limit)]

    def close(self) -> None:
        """Close the database."""
        if self._store is not None:
            self._store.close()
        self._store = None

    def load_model(self, weights: Path) -> None:
        """Transformers through txtai."""
        self._weights = weights
        self._model = Embeddings({"path": str(weights)})

    def embed(self, texts: list[str]) -> list[list[float]]:
        """In batches, as it likes."""
        return [vector.tolist() for vector in self._model.batchtransform(texts)]

    def ingest(self, folder: Path, ids: list[str], texts: list[str]) -> None:
        """All in one call, then saved; the model is the one that was loaded."""
        store = Embeddings(
            {"path": str(self._weights), "hybrid": True, "content": True},
            models={str(self._weights): self._model.model.model},
        )
        store.index(zip(ids, texts, strict=True))
        store.save(str(folder))
        store.close()
