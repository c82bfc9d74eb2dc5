"""A store in Chroma is held to the suite that is shipped for stores of other people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from symfonic.testing.knowledge import StoreConformance, VectorStoreConformance

from .together import FilledTogether

if TYPE_CHECKING:
    from pathlib import Path

    from symfonic.adapters.knowledge.stores.chroma import ChromaStore

pytestmark = pytest.mark.stores


class _Folder(FilledTogether):
    """Each store in a folder of its own."""

    @pytest.fixture(autouse=True)
    def _folder(self, quick_folder: Path) -> None:
        self.folder = quick_folder
        self.made = 0

    def open(self, folder: Path, embedder: Any) -> ChromaStore:
        """A store in that folder."""
        from symfonic.adapters.knowledge.stores.chroma import ChromaStore

        return ChromaStore(folder, embedder=embedder)

    def open_next(self, embedder: Any) -> ChromaStore:
        """A store in a folder that is not there yet."""
        self.made += 1
        return self.open(self.folder / str(self.made), embedder)


@pytest.mark.lengthy
@pytest.mark.requirement("ST-CHROMA-CONF-1")
class TestChromaStore(_Folder, StoreConformance):
    """Words alone."""

    def make_store(self) -> ChromaStore:
        """An empty folder."""
        return self.open_next(None)

    def reopen(self, store: Any) -> ChromaStore:
        """The same folder."""
        return self.open(store.place, None)


@pytest.mark.requirement("ST-CHROMA-CONF-1")
class TestChromaStoreWithVectors(_Folder, VectorStoreConformance):
    """Words and meaning."""

    def make_store(self) -> ChromaStore:
        """An empty folder."""
        return self.open_next(self.embedder)

    def reopen_with(self, store: Any, embedder: Any) -> ChromaStore:
        """The same folder."""
        return self.open(store.place, embedder)
