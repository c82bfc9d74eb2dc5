"""This project's embedded store, hybrid: the one place of the benchmark that knows its interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from given import Rows

CHUNKS_PER_DOCUMENT = 8
BATCH = 256  # texts given to the embedder at once


class Named:
    """Names a space of vectors; it never embeds, since every vector is given."""

    def __init__(self, dimensions: int) -> None:
        self.name = "given"
        self.dimensions = dimensions

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Never asked."""
        raise NotImplementedError

    def embed_query(self, text: str) -> list[float]:
        """Never asked."""
        raise NotImplementedError


class Store:
    """One SQLite file; a document for every few passages, handed over in one call, as ingestion does."""

    packages = ("symfonic-knowledge", "numpy", "onnxruntime")

    def __init__(self) -> None:
        self._store: Any = None
        self._model: Any = None

    def prepare(self, rows: Rows) -> None:
        """Nothing: the store takes rows of a matrix."""

    def build(self, folder: Path, rows: Rows) -> None:
        """All documents in one call, as the peers get theirs."""
        self._fill(folder, rows.ids, rows.texts, rows.vectors, Named(rows.vectors.shape[1]))

    @staticmethod
    def _fill(folder: Path, ids: Sequence[str], texts: Sequence[str], vectors: Any, embedder: Any) -> None:
        with SqliteStore(folder / "knowledge.db", embedder=embedder) as store:
            store.put_many(
                Store._document(first, ids[first : first + CHUNKS_PER_DOCUMENT], texts, vectors)
                for first in range(0, len(ids), CHUNKS_PER_DOCUMENT)
            )

    @staticmethod
    def _document(first: int, ids: Sequence[str], texts: Sequence[str], vectors: Any) -> tuple[Any, Any, Any]:
        file = f"part/{ids[0]}"
        document = Document(scope_path="", origin=f"/{file}", file=file, digest=f"{first:064x}", kind="text")
        part = slice(first, first + len(ids))
        chunks = [
            Chunk(text=text, label=name, ordinal=at)
            for at, (name, text) in enumerate(zip(ids, texts[part], strict=True))
        ]
        return document, chunks, vectors[part]

    def open(self, folder: Path) -> None:
        """Open the file."""
        self._store = SqliteStore(folder / "knowledge.db", embedder=Named(384))

    def search(self, text: str, vector: list[float], limit: int) -> list[tuple[str, float]]:
        """Words and vectors together; rows that tie with the last one come as well and are cut here."""
        rows = self._store.search(text, limit, vector=vector)
        return [(row.source, row.score) for row in rows[:limit]]

    def close(self) -> None:
        """Close the file."""
        if self._store is not None:
            self._store.close()
        self._store = None

    def load_model(self, weights: Path) -> None:
        """The offline embedder; it finds its own weights."""
        from symfonic.adapters.knowledge.embedders.minilm import MiniLM

        self._model = MiniLM()

    def embed(self, texts: list[str]) -> list[list[float]]:
        """In its own batches."""
        return [list(map(float, vector)) for vector in self._model.embed_documents(texts)]

    def ingest(self, folder: Path, ids: list[str], texts: list[str]) -> None:
        """Embed some hundred texts at once, as the pipeline does, then put the documents with their vectors."""
        vectors: list[Any] = []
        for first in range(0, len(texts), BATCH):
            vectors += self._model.embed_documents(texts[first : first + BATCH])
        self._fill(folder, ids, texts, vectors, self._model)
