"""LangChain + Chroma, as its documentation builds it: ``Chroma.from_texts`` into a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_chroma import Chroma
from langchain_core.embeddings import Embeddings

if TYPE_CHECKING:
    from pathlib import Path

    from given import Rows


class Looked(Embeddings):
    """Vectors that are known already, by text."""

    def __init__(self) -> None:
        self.known: dict[str, list[float]] = {}

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Look them up."""
        return [self.known[text] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Look it up."""
        return self.known[text]


class Store:
    """A persistent collection with the settings that come with it (HNSW, squared L2)."""

    packages = ("langchain-chroma", "chromadb", "sentence-transformers", "torch")

    def __init__(self) -> None:
        self._looked = Looked()
        self._store: Any = None
        self._model: Any = None

    def prepare(self, rows: Rows) -> None:
        """Turn the matrix into what an embedder of this library returns; not part of what is measured."""
        self._looked.known = dict(zip(rows.texts, rows.vectors.tolist(), strict=True))

    def build(self, folder: Path, rows: Rows) -> None:
        """All in one call."""
        self._fill(folder, rows.ids, rows.texts, self._looked)

    @staticmethod
    def _fill(folder: Path, ids: list[str], texts: list[str], embedding: Embeddings) -> Any:
        places = [{"source": name} for name in ids]
        return Chroma.from_texts(texts, embedding, metadatas=places, ids=ids, persist_directory=str(folder))

    def open(self, folder: Path) -> None:
        """Open the collection."""
        self._store = Chroma(persist_directory=str(folder), embedding_function=self._looked)

    def search(self, text: str, vector: list[float], limit: int) -> list[tuple[str, float]]:
        """Nearest by vector alone: what a retriever of this store does unless told otherwise."""
        found = self._store.similarity_search_by_vector_with_relevance_scores(vector, k=limit)
        return [(document.metadata["source"], -distance) for document, distance in found]

    def close(self) -> None:
        """Drop the client."""
        self._store = None

    def load_model(self, weights: Path) -> None:
        """Sentence Transformers through LangChain."""
        from langchain_huggingface import HuggingFaceEmbeddings

        self._model = HuggingFaceEmbeddings(model_name=str(weights), encode_kwargs={"normalize_embeddings": True})

    def embed(self, texts: list[str]) -> list[list[float]]:
        """In batches, as it likes."""
        vectors: list[list[float]] = self._model.embed_documents(texts)
        return vectors

    def ingest(self, folder: Path, ids: list[str], texts: list[str]) -> None:
        """All in one call."""
        self._fill(folder, ids, texts, self._model)
