"""LangChain + FAISS, as its documentation builds it: a flat index in memory, saved to a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_community.vectorstores import FAISS
from langchain_core.embeddings import Embeddings

if TYPE_CHECKING:
    from pathlib import Path

    from given import Rows


class Absent(Embeddings):
    """No embedder: every vector is given."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Never asked."""
        raise NotImplementedError

    def embed_query(self, text: str) -> list[float]:
        """Never asked."""
        raise NotImplementedError


class Store:
    """A flat index (exact, squared L2) beside a pickled dictionary of documents."""

    packages = ("langchain-community", "faiss-cpu", "sentence-transformers", "torch")

    def __init__(self) -> None:
        self._vectors: list[list[float]] = []
        self._store: Any = None
        self._model: Any = None

    def prepare(self, rows: Rows) -> None:
        """Turn the matrix into what an embedder of this library returns; not part of what is measured."""
        self._vectors = rows.vectors.tolist()

    def build(self, folder: Path, rows: Rows) -> None:
        """All in one call, then saved."""
        places = [{"source": name} for name in rows.ids]
        pairs = list(zip(rows.texts, self._vectors, strict=True))
        FAISS.from_embeddings(pairs, Absent(), metadatas=places, ids=rows.ids).save_local(str(folder))

    def open(self, folder: Path) -> None:
        """Load everything into memory; the library wants to be told that unpickling is meant."""
        self._store = FAISS.load_local(str(folder), Absent(), allow_dangerous_deserialization=True)

    def search(self, text: str, vector: list[float], limit: int) -> list[tuple[str, float]]:
        """Nearest by vector alone: what a retriever of this store does unless told otherwise."""
        found = self._store.similarity_search_with_score_by_vector(vector, k=limit)
        return [(document.metadata["source"], -float(distance)) for document, distance in found]

    def close(self) -> None:
        """Drop the index."""
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
        """All in one call, then saved."""
        places = [{"source": name} for name in ids]
        FAISS.from_texts(texts, self._model, metadatas=places, ids=ids).save_local(str(folder))
