"""The embedded store is held to the suite that is shipped for stores of other people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.testing.knowledge import StoreConformance, VectorStoreConformance

if TYPE_CHECKING:
    from pathlib import Path


class _Folder:
    """Each store on a file of its own."""

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path
        self.made = 0

    def next_file(self) -> Path:
        """A file that is not there yet."""
        self.made += 1
        return self.folder / f"{self.made}.sqlite"


@pytest.mark.requirement("ST-CONF-1")
class TestSqliteStore(_Folder, StoreConformance):
    """Words alone."""

    def make_store(self) -> SqliteStore:
        """An empty file."""
        return SqliteStore(self.next_file())

    def reopen(self, store: Any) -> SqliteStore:
        """The same file."""
        return SqliteStore(store.path)


@pytest.mark.requirement("ST-CONF-1")
class TestSqliteStoreWithVectors(_Folder, VectorStoreConformance):
    """Words and meaning."""

    def make_store(self) -> SqliteStore:
        """An empty file."""
        return SqliteStore(self.next_file(), embedder=self.embedder)

    def reopen_with(self, store: Any, embedder: Any) -> SqliteStore:
        """The same file."""
        return SqliteStore(store.path, embedder=embedder)
