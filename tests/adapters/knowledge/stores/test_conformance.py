"""The embedded store is held to the suite that is shipped for stores of other people."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.testing.knowledge import RetrieverConformance

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from symfonic.testing.knowledge import SeedRow


@pytest.mark.requirement("ST-CONF-1")
class TestSqliteStore(RetrieverConformance):
    """Every test of the suite, each on files of its own."""

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path
        self.made = 0

    def make_retriever(self, rows: Sequence[SeedRow]) -> SqliteStore:
        """Store each row as a document of one passage, in the order given."""
        self.made += 1
        store = SqliteStore(self.folder / f"{self.made}.sqlite")
        for number, row in enumerate(rows):
            document = Document(scope_path=row.scope_path, origin=f"/{number}", file=row.source, digest="d")
            store.put(document, [Chunk(text=row.content, label=row.source, ordinal=0)])
        return store
