"""A store in Qdrant passes the suites for stores, in a folder and over the client's transport."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from symfonic.testing.knowledge import StoreConformance, VectorStoreConformance

if TYPE_CHECKING:
    from pathlib import Path

    from symfonic.adapters.knowledge.stores.qdrant import QdrantStore

pytestmark = pytest.mark.stores


class _Folder:
    """Each store in a folder of its own; a further handle is opened beside one that is open."""

    embedder: Any = None

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path
        self.made = 0
        self.places: dict[int, str] = {}
        self.stores: list[QdrantStore] = []  # kept, so that no two have one id

    def make_store(self) -> QdrantStore:
        """An empty folder."""
        self.made += 1
        return self._open(f"qdrant://{self.folder}/{self.made}", self.embedder)

    def _open(self, url: str, embedder: Any) -> QdrantStore:
        from symfonic.adapters.knowledge.stores.qdrant import QdrantStore

        return self._remembered(QdrantStore.from_url(url, embedder=embedder), url)

    def _remembered(self, store: QdrantStore, url: str) -> QdrantStore:
        self.stores.append(store)
        self.places[id(store)] = url
        return store

    def reopen_with(self, store: Any, embedder: Any) -> QdrantStore:
        """The same folder."""
        from symfonic.adapters.knowledge.ports import StoreError

        url = self.places[id(store)]
        try:
            return self._remembered(store.beside(embedder=embedder), url)
        except StoreError as error:
            if "a closed store" not in str(error):
                raise
        return self._open(url, embedder)


@pytest.mark.requirement("ST-CONF-1")
class TestQdrantStore(_Folder, StoreConformance):
    """Words alone."""

    def reopen(self, store: Any) -> QdrantStore:
        """The same folder."""
        return self.reopen_with(store, None)


@pytest.mark.requirement("ST-CONF-1")
class TestQdrantStoreWithVectors(_Folder, VectorStoreConformance):
    """Words and meaning."""

    embedder: Any = VectorStoreConformance.embedder
