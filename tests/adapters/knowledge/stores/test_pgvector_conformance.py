"""The store in PostgreSQL is held to the suite that is shipped for stores of other people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from symfonic.testing.knowledge import StoreConformance, VectorStoreConformance

if TYPE_CHECKING:
    from collections.abc import Callable

    from symfonic.adapters.knowledge.stores.pgvector import PgvectorStore

pytestmark = pytest.mark.stores


class _Schemas:
    """Each store in a schema of its own."""

    @pytest.fixture(autouse=True)
    def _opener(self, open_pgvector: Callable[..., PgvectorStore], schema: str) -> None:
        self.open = open_pgvector
        self.schema = schema
        self.made = 0

    def next_schema(self) -> str:
        """One that is not there yet."""
        self.made += 1
        return f"{self.schema} {self.made}"

    @staticmethod
    def schema_of(store: Any) -> str:
        """Where a store is."""
        schema: str = store._options.schema
        return schema


@pytest.mark.requirement("ST-CONF-1")
class TestPgvectorStore(_Schemas, StoreConformance):
    """Words alone."""

    def make_store(self) -> PgvectorStore:
        """An empty schema."""
        return self.open(schema=self.next_schema())

    def reopen(self, store: Any) -> PgvectorStore:
        """The same schema."""
        return self.open(schema=self.schema_of(store))


@pytest.mark.requirement("ST-CONF-1")
class TestPgvectorStoreWithVectors(_Schemas, VectorStoreConformance):
    """Words and meaning."""

    def make_store(self) -> PgvectorStore:
        """An empty schema."""
        return self.open(schema=self.next_schema(), embedder=self.embedder)

    def reopen_with(self, store: Any, embedder: Any) -> PgvectorStore:
        """The same schema."""
        return self.open(schema=self.schema_of(store), embedder=embedder)
