"""A store in PostgreSQL answers as the embedded store does, to the bit."""

from __future__ import annotations

import random
import threading
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import (
    BulkStore,
    CheckedStore,
    Chunk,
    Document,
    EmbeddingError,
    EmbeddingSpace,
    Removal,
    StoreError,
    VectorStore,
)
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from symfonic.adapters.knowledge.stores.pgvector import PgvectorStore

pytestmark = pytest.mark.stores

A, B, A1 = "tenant\x1fa", "tenant\x1fb", "tenant\x1fa\x1fuser\x1f1"
HOSTILE = (
    "plain",
    "NUL \0 inside \0\0",
    "\1 and \0011 and \0010",
    "'; DROP TABLE passage; --",
    "back\\slash 'quote' \"double\" $$dollar$$ %s %(x)s {}",
    "\n\n  indented\n  text \n",
    "東京都は日本の首都です。",
    "e\u0301 \u202e \ufeff \U0010ffff \ue000",
    "x" * 5_000,
    "wort " * 400,
    "\t",
    "",
)


def document(origin: str, scope: str = "", **values: Any) -> Document:
    """A document that is called as its origin."""
    return Document(**{"scope_path": scope, "origin": origin, "file": origin, "digest": "d", "kind": "text"} | values)


def chunked(*texts: str, file: str = "f", heading: str = "") -> list[Chunk]:
    """Passages labelled by file and place."""
    return [Chunk(text=text, label=f"{file} p. {at}", ordinal=at, heading=heading) for at, text in enumerate(texts)]


def corpus(seed: int, documents: int = 50) -> list[tuple[Document, list[Chunk], None]]:
    """Documents of three scopes whose words repeat often and rarely, with copies of each other."""
    chance = random.Random(seed)
    words = [f"{chr(97 + at % 26)}{at}x" for at in range(200)] + [
        "running", "runs", "ran", "東京都", "日本語", "café", "don't", "İstanbul", "naïve", "ﬁn", "x\0y",
    ]  # fmt: skip
    made = []
    for number in range(documents):
        texts = [
            " ".join(chance.choice(words[: chance.choice((12, 211))]) for _ in range(chance.randint(1, 50)))
            for _ in range(chance.randint(1, 6))
        ]
        if number % 7 == 0:
            texts.append("the very same passage of a10x and b1x")
        heading = f"Head > {chance.choice(words)}" if number % 3 else ""
        made.append(
            (
                document(f"/d/{number}", chance.choice(("", A, B, A1)), file=f"file{number}.txt"),
                chunked(*texts, file=f"file{number}.txt", heading=heading),
                None,
            )
        )
    return made


def questions(seed: int, count: int) -> list[tuple[str, int, str]]:
    """Questions of one to six words, with a limit and a scope path."""
    chance = random.Random(seed)
    words = [f"{chr(97 + at % 26)}{at}x" for at in range(200)] + [
        "run",
        "東京",
        "京",
        "cafe",
        "istanbul",
        "the",
        "unheard",
    ]
    return [
        (
            " ".join(chance.choice(words[: chance.choice((12, 207))]) for _ in range(chance.randint(1, 6))),
            chance.randint(1, 12),
            chance.choice(("", A, B, A1, "tenant\x1fnobody")),
        )
        for _ in range(count)
    ]


@pytest.mark.requirement("ST-PG-SAME-1")
@pytest.mark.parametrize("meaning", [False, True])
def test_rows_and_scores_are_the_embedded_stores_to_the_bit(
    open_pgvector: Callable[..., PgvectorStore], path: Path, make_embedder: Callable[..., Any], *, meaning: bool
) -> None:
    """The same sixty questions and more, by words alone and by meaning too."""
    embedder = make_embedder() if meaning else None
    with SqliteStore(path, embedder=embedder) as embedded:
        served = open_pgvector(embedder=embedder)
        items = corpus(1)
        served.put_many(items)
        embedded.put_many(items)
        for question, limit, scope in questions(2, 80):
            assert served.search(question, limit, scope_path=scope) == embedded.search(
                question, limit, scope_path=scope
            )
        assert list(served.documents()) == list(embedded.documents())
        assert list(served.chunks()) == list(embedded.chunks())
        assert served.check() == ()
        ours, theirs = served.stats(), embedded.stats()
        assert (ours.scopes, ours.kinds, ours.characters) == (theirs.scopes, theirs.kinds, theirs.characters)
        assert (ours.vectors, ours.embedding) == (theirs.vectors, theirs.embedding)


def test_order_of_insertion_decides_nothing(open_pgvector: Callable[..., PgvectorStore], schema: str) -> None:
    """The same documents stored backwards give the same rows."""
    items = corpus(3, 30)
    forwards, backwards = open_pgvector(), open_pgvector(schema=f"{schema} backwards")
    forwards.put_many(items)
    backwards.put_many(items[::-1])
    for question, limit, scope in questions(4, 20):
        assert forwards.search(question, limit, scope_path=scope) == backwards.search(question, limit, scope_path=scope)


@pytest.mark.requirement("ST-PG-SAME-1")
def test_ties_beyond_the_cut_come_as_in_the_embedded_store(
    open_pgvector: Callable[..., PgvectorStore], path: Path, make_embedder: Callable[..., Any]
) -> None:
    """Of four hundred copies come limit and 256, the first by label."""
    embedder = make_embedder()
    chunks = [Chunk(text="a copied passage", label=f"p. {at * 7 % 400:03}", ordinal=at) for at in range(400)]
    with SqliteStore(path, embedder=embedder) as embedded:
        served = open_pgvector(embedder=embedder)
        for store in (embedded, served):
            store.put(document("/copies"), chunks)
        rows = served.search("copied", 3)
        assert rows == embedded.search("copied", 3)
        assert [row.source for row in rows] == [f"p. {at:03}" for at in range(259)]
        assert open_pgvector().search("copied", 3)[0].source == "p. 000"


@pytest.mark.requirement("ST-PG-LEX-1")
def test_frequencies_are_read_back_exactly(
    open_pgvector: Callable[..., PgvectorStore], postgres: Any, schema: str
) -> None:
    """For every frequency from 0 to 255 the server counts what was stored."""
    import psycopg

    open_pgvector()
    with psycopg.connect(postgres.url) as sql:
        rows = sql.execute(
            f"""SELECT f, "{schema}".occurrences(
                ('''x'':' || (SELECT string_agg(p::text, ',') FROM generate_series(1, f) AS p))::tsvector, '''x''')
            FROM generate_series(1, 255) AS f"""
        ).fetchall()
        assert rows == [(f, f) for f in range(1, 256)]
        assert sql.execute(f"""SELECT "{schema}".occurrences('''y'':1', '''x''')""").fetchone() == (0,)


@pytest.mark.requirement("ST-PG-TEXT-1")
def test_any_text_comes_back_as_it_was(open_pgvector: Callable[..., PgvectorStore], path: Path) -> None:
    """NUL, quotes, statements, joiners, empty passages: in every field."""
    served = open_pgvector()
    with SqliteStore(path) as embedded:
        for at, text in enumerate(HOSTILE):
            stored = document(f"/{at}{text}", file=f"{text}{at}", digest=text, kind=text)
            chunks = [
                Chunk(text=other, label=text, ordinal=number, heading=text, page=number or None)
                for number, other in enumerate(HOSTILE)
            ]
            for store in (served, embedded):
                store.put(stored, chunks)
            assert served.get("", f"/{at}{text}") == embedded.get("", f"/{at}{text}")
        assert list(served.chunks()) == list(embedded.chunks())
        assert list(served.documents()) == list(embedded.documents())
        for question in (*HOSTILE, "wort", "x AND y | z & !w <-> 'q':*", "東", "quote double"):
            assert served.search(question, 5) == embedded.search(question, 5)
        assert served.check() == ()
        assert served.forget(HOSTILE[1], scope_path="") == embedded.forget(HOSTILE[1], scope_path="")
        assert list(served.chunks()) == list(embedded.chunks())


def test_a_document_is_replaced_whole(open_pgvector: Callable[..., PgvectorStore]) -> None:
    """Stored twice it is there once; its former words are gone."""
    store = open_pgvector()
    before = store.revision()
    store.put(document("/a"), chunked("first words", "second words"))
    store.put(document("/a", digest="e"), chunked("third thing"))
    record = store.get("", "/a")
    assert record is not None
    assert (record.document.digest, record.chunks, record.characters) == ("e", 1, 11)
    assert store.search("words", 5) == []
    assert [row.content for row in store.search("thing", 5)] == ["third thing"]
    assert store.revision() == before + 2
    assert store.get("", "/b") is None
    assert isinstance(store, VectorStore)
    assert isinstance(store, BulkStore)
    assert isinstance(store, CheckedStore)


def test_of_several_under_one_identity_the_last_stays(open_pgvector: Callable[..., PgvectorStore]) -> None:
    """In one call of ``put_many``."""
    store = open_pgvector()
    store.put_many([(document("/a"), chunked("one"), None), (document("/a"), chunked("two"), None)])
    assert [stored.chunk.text for stored in store.chunks()] == ["two"]


def test_what_is_removed_is_gone(open_pgvector: Callable[..., PgvectorStore]) -> None:
    """By document, by label, by glob, by subtree; elsewhere nothing changes."""
    store = open_pgvector()
    for scope in ("", A, A1, B):
        store.put(document("/x/one.txt", scope, file="one.txt"), chunked("alpha", "beta", file="one.txt"))
        store.put(document("/x/two.md", scope, file="two.md"), chunked("gamma", file="two.md"))
    assert store.remove([document("/x/two.md", A), document("/none", A)]) == Removal(documents=1, chunks=1)
    assert store.forget("one.txt p. 1", scope_path=B) == Removal(documents=0, chunks=1)
    record = store.get(B, "/x/one.txt")
    assert record is not None
    assert (record.document.digest, record.chunks, record.characters) == ("", 1, 5)
    assert store.forget("one.txt p. 0", scope_path=B) == Removal(documents=1, chunks=1)
    assert store.forget("/x/*", scope_path=B) == Removal(documents=1, chunks=1)
    assert store.forget("nothing*", scope_path=B) == Removal()
    assert store.forget_scope(A) == Removal(documents=3, chunks=5)
    assert [path for path, _, _ in store.stats().scopes] == [""]
    assert store.check() == ()
    assert store.forget_scope("") == Removal(documents=2, chunks=3)
    assert (store.stats().documents, list(store.documents())) == (0, [])


def test_vacuum_leaves_nothing_of_it_in_the_files(open_pgvector: Callable[..., PgvectorStore], postgres: Any) -> None:
    """No file of the server's tables holds a removed word."""
    store = open_pgvector()
    store.put(document("/a"), chunked("Zwiebelfischsalat"))
    store.put(document("/b"), chunked("stays"))
    store.forget("/a", scope_path="")
    store.vacuum()
    import psycopg

    with psycopg.connect(postgres.url, autocommit=True) as sql:
        sql.execute("CHECKPOINT")
    files = [file for file in (postgres.folder / "data" / "base").rglob("*") if file.is_file()]
    assert files
    assert [file for file in files if b"wiebelfischsala" in file.read_bytes()] == []
    assert [row.content for row in store.search("stays", 1)] == ["stays"]


def test_embedding_what_has_no_vector(
    open_pgvector: Callable[..., PgvectorStore], make_embedder: Callable[..., Any]
) -> None:
    """Passages stored without an embedder get vectors; another embedder has to replace them."""
    store = open_pgvector()
    store.put(document("/a"), chunked("one two", "three"))
    store.put(document("/b", A), chunked("one two"))
    first = make_embedder()
    with_first = open_pgvector(embedder=first)
    seen: list[tuple[int, int]] = []
    assert with_first.embed(on_progress=lambda done, of: seen.append((done, of))) == 3
    assert (seen, with_first.embed()) == ([(3, 3)], 0)
    assert with_first.stats().embedding == EmbeddingSpace(name="hashed-words", dimensions=16)
    (known, none), (other,) = (
        with_first.known_vectors(["three", "four"]),
        with_first.known_vectors(["three"], scope_path=A),
    )
    assert known is not None
    assert (none, other) == (None, None)
    with pytest.raises(StoreError, match="joins a store with the vector"):
        store.put(document("/c"), chunked("x"))
    second = make_embedder(8, "other")
    with_second = open_pgvector(embedder=second)
    for ask in (lambda: with_second.search("one", 1), lambda: with_second.put(document("/c"), chunked("x"))):
        with pytest.raises(StoreError, match="compared within one model"):
            ask()
    assert with_second.embed(anew=True) == 3
    assert with_second.check() == ()
    assert with_second.search("one two", 1)[0].content == "one two"
    with pytest.raises(StoreError, match="opened without one"):
        store.embed()


def test_nothing_is_embedded_twice_within_a_scope(open_pgvector: Callable[..., PgvectorStore], embedder: Any) -> None:
    """And nothing is borrowed from another."""
    store = open_pgvector(embedder=embedder)
    store.put(document("/a", A), chunked("same text"))
    store.put(document("/b", A), chunked("same text", "new text"))
    store.put(document("/c", B), chunked("same text"))
    assert embedder.embedded == ["same text", "new text", "same text"]


def test_vectors_are_refused_that_cannot_be_stored(open_pgvector: Callable[..., PgvectorStore], embedder: Any) -> None:
    """Too few, too short, not finite, without embedder; nothing is written."""
    store = open_pgvector(embedder=embedder)
    for vectors in ([], [[1.0] * 15], [[float("nan")] * 16], [[0.0] * 16]):
        with pytest.raises(StoreError):
            store.put(document("/a"), chunked("x"), vectors=vectors)
    with pytest.raises(StoreError, match="opened without one"):
        open_pgvector().put(document("/a"), chunked("x"), vectors=[[1.0] * 16])
    assert store.stats().documents == 0


def test_an_index_of_vectors_finds_the_same_rows_in_a_small_store(
    open_pgvector: Callable[..., PgvectorStore],
    make_embedder: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Forced to use it, a tenant among others loses no row, and words' matches have their exact cosine."""
    from symfonic.adapters.knowledge.stores import _pgvector_ranking

    embedder = make_embedder()
    exact = open_pgvector(embedder=embedder)
    exact.put_many(corpus(5, 200))
    indexed = open_pgvector(embedder=embedder, index="hnsw")
    expected = [exact.search(*question[:2], scope_path=question[2]) for question in questions(6, 30)]
    monkeypatch.setattr(_pgvector_ranking, "READ_WHOLE", 0)
    caplog.set_level("INFO", "symfonic.adapters.knowledge.stores.pgvector")
    found = [indexed.search(*question[:2], scope_path=question[2]) for question in questions(6, 30)]
    assert {message.partition(" gave ")[0] for message in caplog.messages} == {"the index of vectors"}
    same = sum(a == b for a, b in zip(expected, found, strict=True))
    assert [len(rows) for rows in found] == [len(rows) for rows in expected]
    assert same >= 28


def test_two_that_build_the_index_at_once_both_succeed(
    open_pgvector: Callable[..., PgvectorStore], postgres: Any, schema: str, embedder: Any
) -> None:
    """Whoever comes second opens the store without waiting, and reads all vectors until it is built."""
    import psycopg

    words = [f"word{at} word{at % 7}" for at in range(3_000)]
    open_pgvector(embedder=embedder).put(document("/a"), chunked(*words))
    with psycopg.connect(postgres.url) as other:
        other.execute(f'LOCK TABLE "{schema}".embedding IN ROW EXCLUSIVE MODE')  # so that the first has to wait
        found: list[PgvectorStore] = []
        meet = threading.Barrier(2)

        def build() -> None:
            meet.wait()
            found.append(open_pgvector(embedder=embedder, index="hnsw"))

        threads = [threading.Thread(target=build) for _ in range(2)]
        for thread in threads:
            thread.start()
        while not found and any(thread.is_alive() for thread in threads):
            threads[0].join(0.01)
        assert found[0].search("word5", 1)[0].content == "word5 word5"
        other.rollback()
    for thread in threads:
        thread.join()
    assert len(found) == 2


@pytest.mark.requirement("ST-PG-INDEX-1")
def test_of_many_that_build_the_index_beside_changes_one_does(
    open_pgvector: Callable[..., PgvectorStore], postgres: Any, schema: str, embedder: Any
) -> None:
    """None fails, whoever opens the store among them; a vacuum of the server's in the way is waited for."""
    import psycopg

    stores = [open_pgvector(embedder=embedder) for _ in range(3)]
    stores[0].put(document("/a"), chunked(*(f"word{at}" for at in range(300))))
    built: list[bool] = []
    failures: list[StoreError] = []
    meet = threading.Barrier(4)

    def run(build: Callable[[], bool]) -> None:
        meet.wait()
        try:
            built.append(build())
        except StoreError as error:
            failures.append(error)

    def opened() -> bool:
        open_pgvector(embedder=embedder, index="hnsw")
        return False

    with psycopg.connect(postgres.url) as vacuum:
        vacuum.execute(f'LOCK TABLE "{schema}".embedding IN SHARE UPDATE EXCLUSIVE MODE')
        threads = [threading.Thread(target=run, args=(one,)) for one in (*(one.build_index for one in stores), opened)]
        for thread in threads:
            thread.start()
        while len(built) + len(failures) < 3:
            threads[0].join(0.01)
        vacuum.rollback()
    for thread in threads:
        thread.join()
    assert failures == []
    assert stores[0].build_index()


@pytest.mark.requirement("ST-PG-INDEX-1")
def test_the_index_is_built_on_request_while_changes_go_on(
    open_pgvector: Callable[..., PgvectorStore],
    postgres: Any,
    schema: str,
    embedder: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Not before there are vectors; what a build left that was broken off is replaced; the second does not."""
    import psycopg

    store = open_pgvector(embedder=embedder, lock_timeout=0.2)
    assert not store.build_index()
    caplog.set_level("INFO", "symfonic.adapters.knowledge.stores.pgvector")
    open_pgvector(embedder=embedder, index="hnsw")
    assert caplog.messages[-1].startswith("there is no index of vectors at postgresql://127.0.0.1:")
    store.put(document("/a"), chunked(*(f"word{at} word{at % 7}" for at in range(300))))
    open_pgvector(index="hnsw")  # by words alone it would use none, and makes nobody wait for one
    valid = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)"
    name = (f'"{schema}".embedding_hnsw',)
    with psycopg.connect(postgres.url, autocommit=True) as sql, psycopg.connect(postgres.url) as other:
        assert sql.execute(valid, name).fetchone() is None
        other.execute(f'LOCK TABLE "{schema}".embedding IN ROW EXCLUSIVE MODE')  # a change that takes long
        broken: list[StoreError] = []

        def build() -> None:
            try:
                store.build_index()
            except StoreError as error:
                broken.append(error)

        building = threading.Thread(target=build)
        building.start()
        while sql.execute(valid, name).fetchone() is None:
            building.join(0.01)
        store.put(document("/b"), chunked("stored meanwhile"))
        assert not open_pgvector().build_index()
        assert caplog.messages[-1].startswith("somebody else is building the index of vectors at postgresql://127")
        sql.execute("SELECT pg_cancel_backend(pid) FROM pg_stat_progress_create_index")
        building.join()
        other.rollback()
        assert len(broken) == 1
        assert sql.execute(valid, name).fetchone() == (False,)
        assert store.build_index()
        assert sql.execute(valid, name).fetchone() == (True,)
    assert store.build_index()
    assert open_pgvector(embedder=embedder, index="hnsw").search("stored", 1)[0].content == "stored meanwhile"


def test_threads_and_stores_write_at_once(open_pgvector: Callable[..., PgvectorStore]) -> None:
    """Eight threads over two stores put overlapping documents and search meanwhile; nothing is lost or doubled."""
    stores = [open_pgvector(), open_pgvector()]
    failures: list[Exception] = []

    def work(number: int) -> None:
        store = stores[number % 2]
        try:
            for turn in range(6):
                items = [
                    (document(f"/{at}", A), chunked(f"word{at} from {number}", "shared"), None)
                    for at in range(turn, turn + 4)
                ]
                store.put_many(items[:: 1 if number % 3 else -1])
                store.search("shared word3", 3, scope_path=A)
        except Exception as error:  # noqa: BLE001 - told below
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert stores[0].stats().documents == 9
    assert stores[0].stats().chunks == 18
    assert stores[1].check() == ()
    assert stores[0].revision() == 8 * 6


def test_changes_of_many_scopes_at_once_wait_and_do_not_collide(open_pgvector: Callable[..., PgvectorStore]) -> None:
    """One attempt is enough for each: storing and removing in the same scopes, named in any order."""
    scopes = [f"tenant\x1f{number}" for number in range(5)]
    failures: list[Exception] = []

    def work(number: int) -> None:
        store = open_pgvector(attempts=1)
        chance = random.Random(number)
        try:
            for _ in range(8):
                paths = chance.sample(scopes, 3)
                store.put_many([(document(f"/{at}", path), chunked("text"), None) for path in paths for at in "ab"])
                store.remove([document("/a", path) for path in paths])
                store.forget("b", scope_path=paths[0])
        except Exception as error:  # noqa: BLE001 - told below
            failures.append(error)

    open_pgvector().put_many([(document("/kept", path), chunked("text"), None) for path in scopes])
    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [str(failure) for failure in failures] == []
    assert open_pgvector().check() == ()


def test_two_that_create_at_once_both_succeed(open_pgvector: Callable[..., PgvectorStore]) -> None:
    """Whoever comes second finds the tables made."""
    opened: list[Any] = []

    def open_one() -> None:
        try:
            opened.append(open_pgvector().revision())
        except StoreError as error:
            opened.append(error)

    threads = [threading.Thread(target=open_one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert opened == [0, 0, 0, 0]


def test_arguments_that_are_none_are_refused(open_pgvector: Callable[..., PgvectorStore]) -> None:
    """With a StoreError, before anything is asked of the server."""
    store = open_pgvector()
    bad: Sequence[Callable[[], object]] = (
        lambda: store.search("x", -1),
        lambda: store.search(b"x", 1),  # type: ignore[arg-type]  # on purpose
        lambda: store.search("x", 1, scope_path="tenant"),
        lambda: store.search("x", 1, vector=[1.0]),
        lambda: store.put(document("/\ud800"), []),
        lambda: store.put(document("/a"), [Chunk(text="x", label="l", ordinal=0)] * 2),
        lambda: store.put_many([1]),  # type: ignore[list-item]  # on purpose
        lambda: store.forget("\ud800", scope_path=""),
        store.embed,
    )
    for ask in bad:
        with pytest.raises(StoreError):
            ask()
    assert store.search("x", 0) == []
    assert store.search("", 5) == []
    assert store.stats().documents == 0


def test_a_closed_store_answers_nothing(open_pgvector: Callable[..., PgvectorStore]) -> None:
    """Every method says so; closing twice is fine."""
    with open_pgvector() as store:
        store.revision()
    store.close()
    for ask in (lambda: store.search("x", 1), store.revision, store.stats, store.vacuum, store.__enter__):
        with pytest.raises(StoreError, match="closed store"):
            ask()


def test_an_embedder_that_fails_writes_nothing(open_pgvector: Callable[..., PgvectorStore], embedder: Any) -> None:
    """Its error is an EmbeddingError."""
    store = open_pgvector(embedder=embedder)
    embedder.embed_query = lambda text: 1 / 0
    with pytest.raises(EmbeddingError):
        store.put(document("/a"), chunked("x"))
    with pytest.raises(EmbeddingError):
        store.search("x", 1)
    assert store.stats().documents == 0


def test_many_documents_are_stored_in_groups(
    open_pgvector: Callable[..., PgvectorStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error in a later group leaves the groups before it."""
    from symfonic.adapters.knowledge.stores import pgvector

    monkeypatch.setattr(pgvector, "GROUP", 4)
    store = open_pgvector()
    items = [(document(f"/{at}"), chunked("a", "b"), None) for at in range(5)]
    with pytest.raises(StoreError):
        store.put_many([*items, (document("/\ud800"), [], None)])
    assert [record.document.origin for record in store.documents()] == ["/0", "/1", "/2", "/3"]
    store.put_many(items)
    assert store.stats().documents == 5
    assert store.search("a", 1, scope_path="")[0].metadata["ordinal"] == 0


@pytest.mark.parametrize(("dimensions", "bytes_each"), [(1_900, 7_600), (2_500, 10_000)])
def test_long_vectors_are_kept(
    open_pgvector: Callable[..., PgvectorStore], dimensions: int, bytes_each: int, make_embedder: Callable[..., Any]
) -> None:
    """In their row, or out of it where a page would not hold them."""
    embedder = make_embedder(dimensions)
    embedder.embed_query = lambda text: [1.0 + len(text), *[0.5] * (dimensions - 1)]
    store = open_pgvector(embedder=embedder)
    store.put(document("/a"), chunked("one", "three"))
    (known,) = store.known_vectors(["one"])
    assert known is not None
    assert len(memoryview(known).tobytes()) == bytes_each  # type: ignore[arg-type]  # an array
    assert store.search("three", 1)[0].content == "three"
    assert store.search("", 3) == []
    assert store.search("one", 0) == []
    assert store.check() == ()
    if dimensions > 2_000:
        before = threading.active_count()
        with pytest.raises(StoreError, match="at most 2000 dimensions") as raised:
            open_pgvector(embedder=embedder, index="hnsw")
        assert (raised.type, threading.active_count()) == (StoreError, before)  # its pool was closed


def test_more_numbers_than_pgvector_holds_are_refused(
    open_pgvector: Callable[..., PgvectorStore], make_embedder: Callable[..., Any]
) -> None:
    """Before anything is embedded."""
    embedder = make_embedder(16_001)
    with pytest.raises(StoreError, match="at most 16000 dimensions"):
        open_pgvector(embedder=embedder).put(document("/a"), chunked("x"))
    assert embedder.embedded == []


def test_a_question_of_another_embedders_store_is_refused_also_by_size(
    open_pgvector: Callable[..., PgvectorStore], make_embedder: Callable[..., Any]
) -> None:
    """The same name with other dimensions is another model."""
    open_pgvector(embedder=make_embedder()).put(document("/a"), chunked("x"))
    other = open_pgvector(embedder=make_embedder(8))
    with pytest.raises((StoreError, EmbeddingError)):
        other.search("x", 1)
    with pytest.raises(StoreError):
        other.search("x", 1, vector=[1.0] * 8)
