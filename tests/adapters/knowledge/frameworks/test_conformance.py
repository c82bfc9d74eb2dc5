"""Stores of the frameworks, wrapped, are held to the shipped suite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge import DeclaredScope
from symfonic.adapters.knowledge.frameworks.haystack import HaystackRetriever
from symfonic.adapters.knowledge.frameworks.langchain import LangChainStore
from symfonic.testing.knowledge import BoundRetrieverConformance, RetrieverConformance

from .conftest import (
    SCOPE,
    documents_of,
    haystack_component,
    haystack_rows,
    langchain_rows,
    langchain_store,
    llamaindex_rows,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from symfonic.testing.knowledge import SeedRow

pytestmark = [pytest.mark.sdk, pytest.mark.requirement("FW-CONF-1"), pytest.mark.filterwarnings("ignore")]


class TestLangChain(RetrieverConformance):
    def make_retriever(self, rows: Sequence[SeedRow]) -> Any:
        return langchain_rows(rows)


class TestLlamaIndex(RetrieverConformance):
    def make_retriever(self, rows: Sequence[SeedRow]) -> Any:
        return llamaindex_rows(rows)


class TestHaystack(RetrieverConformance):
    def make_retriever(self, rows: Sequence[SeedRow]) -> Any:
        return haystack_rows(rows)


class TestLangChainUnfiltered(RetrieverConformance):
    """Without a filter of theirs: more is fetched until what is visible fills the limit."""

    def make_retriever(self, rows: Sequence[SeedRow]) -> Any:
        return LangChainStore(langchain_store(documents_of(rows)), scope=SCOPE, scores="similarity")


class TestHaystackByWords(BoundRetrieverConformance):
    """For one tenant only: Haystack counts words over all documents, so that others move a tenant's scores."""

    def make_retriever(self, rows: Sequence[SeedRow]) -> Any:
        return HaystackRetriever(haystack_component(documents_of(rows)), scope=DeclaredScope.fixed(""))


class TestHaystackDocumentStore(BoundRetrieverConformance):
    """Asked itself, without a component."""

    def make_retriever(self, rows: Sequence[SeedRow]) -> Any:
        store = haystack_component(documents_of(rows)).document_store
        return HaystackRetriever(store, scope=DeclaredScope.fixed(""))
