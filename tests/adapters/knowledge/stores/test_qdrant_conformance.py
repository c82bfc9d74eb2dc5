"""A store in Qdrant passes the suites for stores: in a folder, and over HTTP to something that answers as a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import StoreError
from symfonic.testing.knowledge import StoreConformance, VectorStoreConformance

from .qdrant_server import KEY, running
from .together import FilledTogether

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from symfonic.adapters.knowledge.stores.qdrant import QdrantStore

    from .qdrant_server import FakeServer

pytestmark = [pytest.mark.stores, pytest.mark.filterwarnings("ignore:Api key is used with an insecure")]


def opened(url: str, **options: Any) -> QdrantStore:
    """The store there."""
    from symfonic.adapters.knowledge.stores.qdrant import QdrantStore

    return QdrantStore.from_url(url, **options)


@pytest.mark.requirement("ST-CONF-1")
class TestQdrantStoreInAFolder(StoreConformance):
    """Words alone; a further handle is opened beside one that is open."""

    @pytest.fixture(autouse=True)
    def _folder(self, quick_folder: Path) -> None:
        self.folder = quick_folder
        self.made = 0

    def make_store(self) -> QdrantStore:
        """An empty folder."""
        self.made += 1
        return opened(f"qdrant://{self.folder}/{self.made}?collection=kept")

    def reopen(self, store: Any) -> QdrantStore:
        """The same folder."""
        try:
            other: QdrantStore = store.beside()
        except StoreError:  # it is closed
            return opened(store.url)
        return other


@pytest.fixture(scope="class")
def server() -> Iterator[FakeServer]:
    """A server for all tests of a class."""
    with running() as one:
        yield one


@pytest.mark.requirement("ST-CONF-1")
class TestQdrantStoreOnAServer(FilledTogether, VectorStoreConformance):
    """Words and meaning."""

    @pytest.fixture(autouse=True)
    def _server(self, server: FakeServer) -> None:
        self.server = server

    def make_store(self) -> QdrantStore:
        """Collections of a name nobody used."""
        self.server.made += 1
        return self.reopen_with(None, self.embedder, f"{self.server.url}/kept-{self.server.made}")

    def reopen_with(self, store: Any, embedder: Any, url: str = "") -> QdrantStore:
        """The same collections."""
        return opened(url or store.url, api_key=KEY, embedder=embedder, pause=lambda _: None)
