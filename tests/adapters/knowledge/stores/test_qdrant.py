"""A store in Qdrant answers as the embedded store does, and a change that breaks off leaves nothing half done."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import threading
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import (
    BulkStore,
    CheckedStore,
    Chunk,
    Document,
    Removal,
    StoreError,
    VectorStore,
)
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from symfonic.adapters.knowledge.stores.qdrant import QdrantStore

pytestmark = pytest.mark.stores

A, B, A1 = "tenant\x1fa", "tenant\x1fb", "tenant\x1fa\x1fuser\x1f1"


@pytest.fixture
def open_qdrant(quick_folder: Path) -> Iterator[Callable[..., QdrantStore]]:
    """Open stores in folders; each is closed at the end."""
    from symfonic.adapters.knowledge.stores.qdrant import QdrantStore

    opened: list[QdrantStore] = []

    def open_one(name: str = "one", **options: Any) -> QdrantStore:
        opened.append(QdrantStore.from_url(f"qdrant://{quick_folder}/{name}?collection=kept", **options))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


def document(origin: str, scope: str = "", **values: Any) -> Document:
    """A document that is called as its origin."""
    return Document(**{"scope_path": scope, "origin": origin, "file": origin, "digest": "d", "kind": "text"} | values)


def chunked(*texts: str, file: str = "f", heading: str = "") -> list[Chunk]:
    """Passages labelled by file and place."""
    return [Chunk(text=text, label=f"{file} p. {at}", ordinal=at, heading=heading) for at, text in enumerate(texts)]


def corpus(seed: int, documents: int, longest: int = 50) -> list[tuple[Document, list[Chunk], None]]:
    """Documents of four scopes whose words repeat often and rarely, with copies of each other."""
    chance = random.Random(seed)
    words = [f"{chr(97 + at % 26)}{at}x" for at in range(200)]
    words += ["running", "runs", "ran", "東京都", "日本語", "café", "don't", "İstanbul", "naïve", "x\0y"]
    made = []
    for number in range(documents):
        texts = [
            " ".join(chance.choice(words[: chance.choice((12, 210))]) for _ in range(chance.randint(1, longest)))
            for _ in range(chance.randint(1, 6))
        ]
        if number % 7 == 0:
            texts.append("the very same passage of a10x and b1x")
        file = f"file{number}.txt"
        heading = f"Head > {chance.choice(words)}" if number % 3 else ""
        scope = chance.choice(("", A, B, A1))
        made.append((document(f"/d/{number}", scope, file=file), chunked(*texts, file=file, heading=heading), None))
    return made


def questions(seed: int, count: int) -> list[tuple[str, int, str]]:
    """Questions of one to six words, with a limit and a scope path."""
    chance = random.Random(seed)
    words = [f"{chr(97 + at % 26)}{at}x" for at in range(200)]
    words += ["run", "東京", "京", "cafe", "istanbul", "the", "unheard"]
    return [
        (
            " ".join(chance.choice(words[: chance.choice((12, 207))]) for _ in range(chance.randint(1, 6))),
            chance.randint(1, 12),
            chance.choice(("", A, B, A1, "tenant\x1fnobody")),
        )
        for _ in range(count)
    ]


@pytest.mark.requirement("ST-QD-SAME-1")
@pytest.mark.parametrize(("meaning", "whole"), [(False, True), (True, True), (True, False)])
def test_rows_and_scores_are_the_embedded_stores(
    open_qdrant: Callable[..., QdrantStore],
    path: Path,
    make_embedder: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    *,
    meaning: bool,
    whole: bool,
) -> None:
    """Of eighty questions every row, score and order, to the bit; also where candidates are bounded."""
    from symfonic.adapters.knowledge.stores import _qdrant_ranking

    if not whole:
        monkeypatch.setattr(_qdrant_ranking, "READ_WHOLE_LOCAL", 0)
        monkeypatch.setattr(_qdrant_ranking, "_FIRST", 4)
    embedder = make_embedder() if meaning else None
    with SqliteStore(path, embedder=embedder) as embedded:
        store = open_qdrant(embedder=embedder)
        items = corpus(1, 60)
        store.put_many(items)
        embedded.put_many(items)
        for question, limit, scope in questions(2, 80):
            assert store.search(question, limit, scope_path=scope) == embedded.search(question, limit, scope_path=scope)
        assert list(store.documents()) == list(embedded.documents())
        assert list(store.chunks()) == list(embedded.chunks())
        ours, theirs = store.stats(), embedded.stats()
        assert (ours.scopes, ours.kinds, ours.vectors, ours.embedding) == (
            theirs.scopes,
            theirs.kinds,
            theirs.vectors,
            theirs.embedding,
        )
        assert store.check() == ()


@pytest.mark.requirement("ST-QD-SAME-1")
def test_passages_of_any_length_are_ranked_as_in_the_embedded_store(
    open_qdrant: Callable[..., QdrantStore], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where they are ten times as long as sparse vectors suppose, and more than are looked at first."""
    from symfonic.adapters.knowledge.stores import _qdrant_ranking

    monkeypatch.setattr(_qdrant_ranking, "READ_WHOLE_LOCAL", 0)
    monkeypatch.setattr(_qdrant_ranking, "_FIRST", 4)
    chance = random.Random(5)
    words = [f"w{at}" for at in range(30)]
    texts = [" ".join(chance.choices(words, k=chance.choice((3, 300, 3_000)))) for _ in range(150)]
    with SqliteStore(path) as embedded:
        store = open_qdrant()
        for one in (store, embedded):
            one.put(document("/long"), chunked(*texts))
        for number in range(12):
            question = " ".join(chance.choices(words, k=2))
            assert store.search(question, 1 + number) == embedded.search(question, 1 + number)


@pytest.mark.requirement("ST-QD-SAME-1")
def test_ties_beyond_the_cut_come_as_in_the_embedded_store(open_qdrant: Callable[..., QdrantStore], path: Path) -> None:
    """Of four hundred copies come limit and 256, the first by label."""
    chunks = [Chunk(text="a copied passage", label=f"p. {at * 7 % 400:03}", ordinal=at) for at in range(400)]
    with SqliteStore(path) as embedded:
        store = open_qdrant()
        for one in (store, embedded):
            one.put(document("/copies"), chunks)
        rows = store.search("copied", 5)
        assert rows == embedded.search("copied", 5)
        assert len(rows) == 261


def test_it_is_what_ingestion_looks_for(
    open_qdrant: Callable[..., QdrantStore], make_embedder: Callable[..., Any]
) -> None:
    """A store of vectors that takes many documents, and that can be checked."""
    store = open_qdrant(embedder=make_embedder())
    assert isinstance(store, VectorStore)
    assert isinstance(store, BulkStore)
    assert isinstance(store, CheckedStore)


def _changing(url: str, what: str, after: int) -> None:
    """In a process of its own: change a document, and be killed before the request behind so many that change data."""
    from symfonic.adapters.knowledge.stores import _qdrant_link
    from symfonic.adapters.knowledge.stores.qdrant import QdrantStore

    store = QdrantStore.from_url(url)
    left = iter(range(after))

    def counted(name: str) -> None:
        real = getattr(_qdrant_link.Link, name)

        def call(*arguments: Any) -> Any:
            if next(left, None) is None:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments)

        setattr(_qdrant_link.Link, name, call)

    for name in ("upsert", "delete", "delete_where"):
        counted(name)
    if what == "put":
        store.put(document("/a", digest="new"), chunked("new shop 0", "new shop 1", "new shop 2"))
    else:
        store.remove([document("/a")])
    os._exit(0)


@pytest.mark.requirement("ST-QD-CRASH-1")
@pytest.mark.parametrize("what", ["put", "remove"])
def test_a_process_killed_at_any_step_leaves_the_document_old_or_new(
    open_qdrant: Callable[..., QdrantStore], quick_folder: Path, what: str
) -> None:
    """Killed before each request that changes something: never a part, no leftover is seen, the next change cleans."""
    seen: list[list[str]] = []
    old = chunked("old shop 0", "old shop 1", file="a")
    for after in range(20):
        name = f"killed{after}"
        with open_qdrant(name) as store:
            store.put(document("/a", digest="old"), old)
            store.put(document("/b"), chunked("other shop"))
        url = f"qdrant://{quick_folder}/{name}?collection=kept"
        process = multiprocessing.get_context("fork").Process(target=_changing, args=(url, what, after))
        process.start()
        process.join(60)
        with open_qdrant(name) as store:
            rows = store.search("shop", 9)
            seen.append(sorted(row.content for row in rows if row.content != "other shop"))
            kept = [(each.chunk.text, each.document.digest) for each in store.chunks()]
            assert sorted(text for text, _ in kept) == sorted(row.content for row in rows)
            assert store.check() == ()
            alone = {row.content: row.score for row in rows}
            store.vacuum()
            assert {row.content: row.score for row in store.search("shop", 9)} == alone
            assert _points(store) == len(kept)
            store.put(document("/a", digest="again"), old)
            assert sorted(row.content for row in store.search("old", 9)) == ["old shop 0", "old shop 1"]
        if process.exitcode == 0:
            break
        assert process.exitcode == -signal.SIGKILL
    before, after_it = seen[0], seen[-1]
    assert before == ["old shop 0", "old shop 1"]
    assert after_it == (["new shop 0", "new shop 1", "new shop 2"] if what == "put" else [])
    flip = seen.index(after_it)
    assert seen == [before] * flip + [after_it] * (len(seen) - flip)
    assert 0 < flip < len(seen) - 1


def _points(store: QdrantStore) -> int:
    """Passages in the collection, whoever sees them."""
    from symfonic.adapters.knowledge.stores._qdrant_values import Where

    return store._link.count("kept", Where())


@pytest.mark.requirement("ST-QD-CRASH-1")
def test_what_a_broken_change_left_is_deleted_by_the_next_change_of_that_document(
    open_qdrant: Callable[..., QdrantStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Passages without a record are counted nowhere and gone after the next put."""
    from symfonic.adapters.knowledge.stores._qdrant_writing import Writer

    store = open_qdrant()
    store.put(document("/b"), chunked("shop of others"))
    alone = store.search("shop", 9)

    def broken(*_: Any) -> None:
        raise OSError("the disk")

    with monkeypatch.context() as patch:
        patch.setattr(Writer, "_commit", broken)
        with pytest.raises(OSError, match="the disk"):
            store.put(document("/a"), chunked("shop one", "shop two"))
    assert _points(store) == 3
    assert store.search("shop", 9) == alone
    assert store.get("", "/a") is None
    store.put(document("/a"), chunked("shop three"))
    assert _points(store) == 2
    assert sorted(row.content for row in store.search("shop", 9)) == ["shop of others", "shop three"]


@pytest.mark.requirement("ST-QD-LOCK-1")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the client forgets its lock file
def test_a_folder_is_refused_to_a_second_client(open_qdrant: Callable[..., QdrantStore]) -> None:
    """In the same process or another; it says what to do, and afterwards the folder can be opened."""
    store = open_qdrant()
    with pytest.raises(StoreError, match=r"one process at a time.*store\.beside"):
        open_qdrant()
    store.close()
    open_qdrant().put(document("/a"), chunked("x"))


def test_stores_beside_each_other_close_by_themselves(open_qdrant: Callable[..., QdrantStore]) -> None:
    """The client stays open until the last of them is closed."""
    store = open_qdrant()
    other = store.beside()
    store.close()
    other.put(document("/a"), chunked("the shop"))
    with pytest.raises(StoreError, match="closed store"):
        store.search("shop", 1)
    with pytest.raises(StoreError, match="closed store"):
        store.beside()
    other.close()
    with pytest.raises(StoreError, match="closed store"):
        other.revision()


@pytest.mark.requirement("ST-QD-OPEN-1")
def test_without_create_a_place_without_a_store_is_refused_and_left_alone(
    open_qdrant: Callable[..., QdrantStore], quick_folder: Path
) -> None:
    """No folder is made, and a store that is there is opened."""
    with pytest.raises(StoreError, match="has none and nothing was made"):
        open_qdrant("nothing", create=False)
    assert not (quick_folder / "nothing").exists()
    open_qdrant("there").close()
    assert open_qdrant("there", create=False).stats().documents == 0


def test_vacuum_leaves_nothing_of_removed_texts_in_a_folder(
    open_qdrant: Callable[..., QdrantStore], quick_folder: Path
) -> None:
    """No file holds a word of them."""
    store = open_qdrant()
    store.put(document("/a"), chunked(*(f"quicksilver {at}" for at in range(50))))
    assert store.remove([document("/a")]) == Removal(documents=1, chunks=50)
    store.vacuum()
    files = [file for file in quick_folder.rglob("*") if file.is_file()]
    assert files
    assert [file for file in files if b"quicksilver" in file.read_bytes()] == []


def test_check_tells_what_does_not_agree(
    open_qdrant: Callable[..., QdrantStore], make_embedder: Callable[..., Any]
) -> None:
    """A passage that went, words that are others, a passage of another scope, a vector of another text."""
    from symfonic.adapters.knowledge.stores._qdrant_values import Point, Where

    store = open_qdrant(embedder=make_embedder())
    for at in range(3):
        store.put(document(f"/{at}"), chunked("the shop", f"opens {at}"))
    link, space = store._link, store._records.space()
    assert space is not None
    ids = {
        (record.document.origin, point.payload["ordinal"]): point
        for record in store._records.listed(None)
        for point in link.scroll("kept", Where(has={"generation": [record.generation]}))
    }
    link.delete("kept", [ids["/0", 0].id])
    wrong = ids["/1", 0]
    link.upsert("kept", [Point(id=wrong.id, payload={**wrong.payload, "words": [1], "scope": A}, sparse={1: 1.0})])
    vector = link.retrieve(space.collection, [ids["/2", 1].id], vectors=True)[0]
    link.upsert(space.collection, [Point(id=vector.id, payload={**vector.payload, "hash": "00"}, dense=vector.dense)])
    assert [sentence.rpartition("; ")[2] for sentence in store.check()] == ["1 found."] * 4


@pytest.mark.requirement("ST-QD-OPEN-1")
def test_collections_of_another_program_or_a_newer_version_are_refused(
    open_qdrant: Callable[..., QdrantStore], quick_folder: Path
) -> None:
    """Nothing is written to them."""
    from qdrant_client import QdrantClient, models

    open_qdrant().close()
    client = QdrantClient(path=f"{quick_folder}/one")
    client.set_payload("kept-documents", {"version": 2}, models.FilterSelector(filter=models.Filter()))
    client.close()
    with pytest.raises(StoreError, match="has schema 2 and this version knows 1"):
        open_qdrant()
    client = QdrantClient(path=f"{quick_folder}/two")
    client.create_collection("kept", vectors_config=models.VectorParams(size=1, distance=models.Distance.DOT))
    client.upsert("kept", [models.PointStruct(id=1, vector=[1.0], payload={"theirs": 1})])
    client.close()
    with pytest.raises(StoreError, match="points of another program"):
        open_qdrant("two")


def test_files_that_come_and_go_are_no_failure(open_qdrant: Callable[..., QdrantStore], quick_folder: Path) -> None:
    """SQLite makes and removes journals while another thread writes: the size counts what is there."""
    store, journal, over = open_qdrant(), quick_folder / "one" / "storage.sqlite-journal", threading.Event()

    def churn() -> None:
        while not over.is_set():
            journal.write_bytes(b"j")
            journal.unlink()

    writer = threading.Thread(target=churn)
    writer.start()
    try:
        assert all(store.stats().file_bytes > 0 for _ in range(500))
    finally:
        over.set()
        writer.join()


@pytest.mark.requirement("ST-QD-TURN-1")
def test_embedding_anew_takes_no_collection_away(
    open_qdrant: Callable[..., QdrantStore], make_embedder: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever searches meanwhile asks it; all its vectors are made anew, also those of another embedder."""
    store = open_qdrant(embedder=make_embedder())
    store.put(document("/a"), chunked("one", "two"))
    dropped: list[str] = []
    monkeypatch.setattr(store._link, "drop", dropped.append)
    assert (store.embed(anew=True), store.stats().vectors, dropped) == (2, 2, [])
    other = store.beside(embedder=make_embedder(dimensions=5, name="other"))
    assert (other.embed(anew=True), other.stats().vectors) == (2, 2)
    other.close()


@pytest.mark.requirement("ST-QD-TURN-1")
def test_what_changes_while_a_store_is_checked_is_no_fault(
    open_qdrant: Callable[..., QdrantStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A document that another client replaces between two requests is looked at as it is then."""
    store = open_qdrant()
    for name in ("/a", "/b"):
        store.put(document(name), chunked("one", "two"))
    monkeypatch.setattr(store._link, "is_local", False)  # as on a server, where others change it meanwhile
    listed = store._records.listed

    def meanwhile(scope_path: str | None) -> Any:
        found = listed(scope_path)
        monkeypatch.setattr(store._records, "listed", listed)
        store.put(document("/a"), chunked("three"))
        store.remove([document("/b")])
        return found

    monkeypatch.setattr(store._records, "listed", meanwhile)
    assert store.check() == ()
    assert [each.chunk.text for each in store.chunks()] == ["three"]
