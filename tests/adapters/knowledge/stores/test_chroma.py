"""What only a store in Chroma does: servers' URLs, collections of others, the index of vectors."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document, StoreError
from symfonic.adapters.knowledge.stores._chroma_options import Server, placed

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.stores


@pytest.mark.requirement("ST-CHROMA-OPEN-1")
def test_a_url_of_a_server_says_where_it_is() -> None:
    """Host, port, collection, and whether TLS is used."""
    assert placed("chroma+http://db:9000/handbook?attempts=2") == (
        Server("db", 9000, tls=False),
        {"attempts": 2, "collection": "handbook"},
    )
    assert placed("chroma+https://db") == (Server("db", 443, tls=True), {})


@pytest.mark.requirement("ST-CHROMA-OPEN-1")
@pytest.mark.parametrize("rest", ["//me:secret@db/x", "//", "//db:port/x", "//db/x/y", "//db/x#y"])
def test_another_url_of_a_server_is_refused(rest: str) -> None:
    """And a password in it is not repeated."""
    with pytest.raises(StoreError, match="pass keys as headers") as refused:
        placed(f"chroma+https:{rest}")
    assert "secret" not in str(refused.value)


@pytest.mark.requirement("ST-CHROMA-OPEN-1")
@pytest.mark.parametrize("space", ["l2", "ip"])
def test_a_collection_of_another_metric_is_refused(tmp_path: Path, space: str) -> None:
    """So is one without the store's mark; it is left as it is."""
    import chromadb

    from symfonic.adapters.knowledge.stores.chroma import ChromaStore

    settings = chromadb.config.Settings(anonymized_telemetry=False)
    client = chromadb.PersistentClient(path=tmp_path, settings=settings)
    theirs = client.create_collection("symfonic", embedding_function=None, configuration={"hnsw": {"space": space}})
    theirs.add(ids=["x"], embeddings=[[1.0, 2.0]])
    with pytest.raises(StoreError, match="was left as it is"):
        ChromaStore(tmp_path)
    assert theirs.get(include=[])["ids"] == ["x"]


@pytest.mark.requirement("ST-CHROMA-OPEN-1")
def test_a_server_that_is_not_there_is_an_error() -> None:
    """With the kind of the fault, and no address."""
    from symfonic.adapters.knowledge.stores.chroma import ChromaStore

    with pytest.raises(StoreError, match="opening failed with"):
        ChromaStore.from_url("chroma+http://127.0.0.1:9/handbook", headers={"x": "secret"}, timeout=1)


@pytest.mark.requirement("ST-CHROMA-INDEX-1")
def test_the_index_answers_where_many_are_visible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make_embedder: Any
) -> None:
    """Nearest rows of one tenant among others'; what a generation left behind takes no place."""
    from symfonic.adapters.knowledge.stores import _chroma_sight
    from symfonic.adapters.knowledge.stores.chroma import ChromaStore

    chance = random.Random(5)
    embedder = make_embedder()
    texts = [f"{chance.choice('abcdefgh')} {chance.choice('ijklmnop')} {at}" for at in range(60)]
    with ChromaStore(tmp_path, embedder=embedder) as store:
        for at, text in enumerate(texts):
            path = ("tenant\x1fa", "tenant\x1fb")[at % 2]
            one = Document(scope_path=path, origin=f"/{at}", file=str(at), digest="1")
            store.put(one, [Chunk(text=text, label=str(at), ordinal=0)])
        whole = [store.search(f"zz {text}", 5, scope_path="tenant\x1fa") for text in texts[:12]]
        monkeypatch.setattr(_chroma_sight, "READ_WHOLE", 3)
        indexed = [store.search(f"zz {text}", 5, scope_path="tenant\x1fa") for text in texts[:12]]
    assert indexed == whole
