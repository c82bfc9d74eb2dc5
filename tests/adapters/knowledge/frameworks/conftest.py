"""Stores of the frameworks themselves, filled with rows; whoever uses one needs the `sdk` environment."""

from __future__ import annotations

import math
import re
import zlib
from typing import TYPE_CHECKING, Any

from symfonic.adapters.knowledge import DeclaredScope
from symfonic.adapters.knowledge.frameworks.haystack import HaystackRetriever
from symfonic.adapters.knowledge.frameworks.langchain import LangChainStore
from symfonic.adapters.knowledge.frameworks.llamaindex import LlamaIndexRetriever
from symfonic.capabilities.knowledge import scope_ancestors

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from symfonic.testing.knowledge import SeedRow

SCOPE = DeclaredScope.field("tenant_path")
DIMENSIONS = 512


def vector(text: str) -> list[float]:
    """Counts of hashed words, at length 1: the same words, the same direction."""
    found = [0.0] * DIMENSIONS
    for word in re.findall(r"\w+", text.casefold()) or ["nothing"]:
        found[zlib.crc32(word.encode("utf-8", "replace")) % DIMENSIONS] += 1.0
    length = math.sqrt(sum(value * value for value in found))
    return [value / length for value in found]


def documents_of(rows: Iterable[SeedRow]) -> list[tuple[str, dict[str, Any]]]:
    """Text and metadata as an ingestion of their own writes them."""
    return [(row.content, {"source": row.source, "tenant_path": row.scope_path}) for row in rows]


def langchain_store(documents: Sequence[tuple[str, Mapping[str, Any]]]) -> Any:
    """LangChain's in-memory vector store."""
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_core.vectorstores import InMemoryVectorStore

    class Words(Embeddings):  # type: ignore[misc, unused-ignore]
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [vector(text) for text in texts]

        def embed_query(self, text: str) -> list[float]:
            return vector(text)

    store = InMemoryVectorStore(Words())
    if documents:
        store.add_documents([Document(page_content=text, metadata=dict(told)) for text, told in documents])
    return store


def llamaindex_index(documents: Sequence[tuple[str, Mapping[str, Any]]]) -> Any:
    """LlamaIndex's in-memory index; metadata take no part in its vectors, as text alone shall rank."""
    from llama_index.core import VectorStoreIndex
    from llama_index.core.embeddings import BaseEmbedding
    from llama_index.core.schema import TextNode

    class Words(BaseEmbedding):  # type: ignore[misc, unused-ignore]
        def _get_text_embedding(self, text: str) -> list[float]:
            return vector(text)

        def _get_query_embedding(self, query: str) -> list[float]:
            return vector(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return vector(query)

    nodes = [
        TextNode(text=text, metadata=dict(told), excluded_embed_metadata_keys=list(told)) for text, told in documents
    ]
    return VectorStoreIndex(nodes=nodes, embed_model=Words())


def haystack_component(documents: Sequence[tuple[str, Mapping[str, Any]]], *, by_meaning: bool = False) -> Any:
    """Haystack's in-memory store behind its own retriever, by words or by vectors."""
    from haystack import Document
    from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    store = InMemoryDocumentStore(embedding_similarity_function="cosine")
    store.write_documents([Document(content=text, meta=dict(told), embedding=vector(text)) for text, told in documents])
    return InMemoryEmbeddingRetriever(store) if by_meaning else InMemoryBM25Retriever(store)


def langchain_rows(rows: Sequence[SeedRow]) -> LangChainStore:
    """Behind our adapter, filtered by LangChain's own filter."""

    def visible(path: str) -> Mapping[str, Any]:
        seen = frozenset(scope_ancestors(path))
        return {"filter": lambda document: document.metadata["tenant_path"] in seen}

    return LangChainStore(langchain_store(documents_of(rows)), scope=SCOPE, scores="similarity", filters=visible)


def llamaindex_rows(rows: Sequence[SeedRow]) -> LlamaIndexRetriever:
    """Behind our adapter, filtered by LlamaIndex's own filter."""

    def visible(path: str) -> Mapping[str, Any]:
        from llama_index.core.vector_stores import FilterOperator, MetadataFilter, MetadataFilters

        seen = list(scope_ancestors(path))
        return {
            "filters": MetadataFilters(
                filters=[MetadataFilter(key="tenant_path", value=seen, operator=FilterOperator.IN)]
            )
        }

    return LlamaIndexRetriever(llamaindex_index(documents_of(rows)), scope=SCOPE, filters=visible)


def haystack_rows(rows: Sequence[SeedRow]) -> HaystackRetriever:
    """Behind our adapter, filtered by Haystack's own filter."""

    def visible(path: str) -> Mapping[str, Any]:
        seen = list(scope_ancestors(path))
        return {"filters": {"field": "meta.tenant_path", "operator": "in", "value": seen}}

    component = haystack_component(documents_of(rows), by_meaning=True)
    return HaystackRetriever(component, scope=SCOPE, embed=vector, filters=visible)
