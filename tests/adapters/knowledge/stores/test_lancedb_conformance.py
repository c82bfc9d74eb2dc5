"""A store in LanceDB is held to the suite that is shipped for stores of other people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from symfonic.testing.knowledge import StoreConformance, VectorStoreConformance

from .together import FilledTogether

if TYPE_CHECKING:
    from pathlib import Path

    from symfonic.adapters.knowledge.stores.lancedb import LanceDBStore

pytestmark = pytest.mark.stores


class _Folder(FilledTogether):
    """Each store in a folder of its own."""

    @pytest.fixture(autouse=True)
    def _folder(self, quick_folder: Path) -> None:
        self.folder = quick_folder
        self.made = 0

    def open(self, folder: Path, embedder: Any) -> LanceDBStore:
        """A store in that folder."""
        from symfonic.adapters.knowledge.stores.lancedb import LanceDBStore

        return LanceDBStore(folder, embedder=embedder)

    def open_next(self, embedder: Any) -> LanceDBStore:
        """A store in a folder that is not there yet."""
        self.made += 1
        return self.open(self.folder / str(self.made), embedder)


@pytest.mark.lengthy
@pytest.mark.requirement("ST-LANCE-CONF-1")
class TestLanceDBStore(_Folder, StoreConformance):
    """Words alone."""

    def make_store(self) -> LanceDBStore:
        """An empty folder."""
        return self.open_next(None)

    def reopen(self, store: Any) -> LanceDBStore:
        """The same folder."""
        return self.open(store.folder, None)


@pytest.mark.requirement("ST-LANCE-CONF-1")
class TestLanceDBStoreWithVectors(_Folder, VectorStoreConformance):
    """Words and meaning."""

    def make_store(self) -> LanceDBStore:
        """An empty folder."""
        return self.open_next(self.embedder)

    def reopen_with(self, store: Any, embedder: Any) -> LanceDBStore:
        """The same folder."""
        return self.open(store.folder, embedder)

    @pytest.mark.lengthy  # what is below a scope is found here as in Chroma, by the same code
    def test_forget_scope_takes_what_is_below(self) -> None:
        """As in the suite."""
        super().test_forget_scope_takes_what_is_below()
