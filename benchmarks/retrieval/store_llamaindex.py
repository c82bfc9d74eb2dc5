"""LlamaIndex with its default vector store: everything in memory, persisted as JSON files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from llama_index.core import MockEmbedding, StorageContext, VectorStoreIndex, load_index_from_storage
from llama_index.core.schema import QueryBundle, TextNode

if TYPE_CHECKING:
    from pathlib import Path

    from given import Rows


class Store:
    """A ``VectorStoreIndex`` over nodes, one for each passage."""

    packages = ("llama-index-core", "sentence-transformers", "torch")

    def __init__(self) -> None:
        self._vectors: list[list[float]] = []
        self._absent: Any = None
        self._index: Any = None
        self._model: Any = None

    def prepare(self, rows: Rows) -> None:
        """Turn the matrix into what an embedder of this library returns; not part of what is measured."""
        self._vectors = rows.vectors.tolist()

    def build(self, folder: Path, rows: Rows) -> None:
        """Nodes that carry their vectors are not embedded again."""
        nodes = [
            TextNode(id_=name, text=text, embedding=vector, metadata={"source": name})
            for name, text, vector in zip(rows.ids, rows.texts, self._vectors, strict=True)
        ]
        index = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=rows.vectors.shape[1]))
        index.storage_context.persist(persist_dir=str(folder))

    def open(self, folder: Path) -> None:
        """Load everything into memory."""
        self._absent = MockEmbedding(embed_dim=1)
        context = StorageContext.from_defaults(persist_dir=str(folder))
        self._index = load_index_from_storage(context, embed_model=self._absent)

    def search(self, text: str, vector: list[float], limit: int) -> list[tuple[str, float]]:
        """Nearest by vector alone: what the retriever of this index does unless told otherwise."""
        retriever = self._index.as_retriever(similarity_top_k=limit)
        found = retriever.retrieve(QueryBundle(text, embedding=vector))
        return [(row.node.metadata["source"], float(row.score)) for row in found]

    def close(self) -> None:
        """Drop the index."""
        self._index = None

    def load_model(self, weights: Path) -> None:
        """Sentence Transformers through LlamaIndex."""
        from llama_index.embeddings.huggingface import HuggingFaceEmbedding

        self._model = HuggingFaceEmbedding(model_name=str(weights), normalize=True)

    def embed(self, texts: list[str]) -> list[list[float]]:
        """In batches, as it likes."""
        vectors: list[list[float]] = self._model.get_text_embedding_batch(texts)
        return vectors

    def ingest(self, folder: Path, ids: list[str], texts: list[str]) -> None:
        """Nodes without vectors, so that no text is split; metadata stays out of what is embedded."""
        nodes = [
            TextNode(id_=name, text=text, metadata={"source": name}, excluded_embed_metadata_keys=["source"])
            for name, text in zip(ids, texts, strict=True)
        ]
        index = VectorStoreIndex(nodes, embed_model=self._model)
        index.storage_context.persist(persist_dir=str(folder))
