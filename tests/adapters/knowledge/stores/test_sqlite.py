"""The write side of the port: identity, replacement, listings, totals, revision, and every refusal."""

from __future__ import annotations

import contextlib
import math
import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import (
    Chunk,
    Document,
    DocumentRecord,
    KnowledgeStore,
    Removal,
    StoredChunk,
    StoreError,
    StoreStats,
)
from symfonic.adapters.knowledge.stores import _reading
from symfonic.adapters.knowledge.stores._schema import varints
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from symfonic.adapters.knowledge.ports import Embedder

ACME = "tenant\x1facme"
NOTE = Document(scope_path=ACME, origin="/n.md", file="n.md", digest="d1", kind="markdown", size=20)
PASSAGE = Chunk(text="apple", label="n.md § A", ordinal=0, heading="Top > A", page=2)


def test_the_store_is_a_knowledge_store(store: SqliteStore) -> None:
    """The type checker holds the signatures; this holds that it checks something."""
    port: KnowledgeStore = store
    assert port.revision() == 0


@pytest.mark.requirement("ST-PUT-1")
def test_putting_a_document_again_replaces_it(store: SqliteStore) -> None:
    """Identity is scope path and origin; nothing of the first version is found any more."""
    store.put(NOTE, [PASSAGE, replace(PASSAGE, text="fig", ordinal=1)])
    store.put(replace(NOTE, digest="d2", file="m.md"), [replace(PASSAGE, text="pears")])
    assert store.get(ACME, "/n.md") == DocumentRecord(
        document=replace(NOTE, digest="d2", file="m.md"), chunks=1, characters=5
    )
    assert list(store.search("apple fig", 5, scope_path=ACME)) == []
    assert [row.content for row in store.search("pear", 5, scope_path=ACME)] == ["pears"]
    assert len(list(store.documents())) == 1


def test_one_origin_in_two_scopes_is_two_documents(store: SqliteStore) -> None:
    """Tenants may ingest the same file."""
    store.put(NOTE, [PASSAGE])
    store.put(replace(NOTE, scope_path="", digest="other"), [])
    found = [store.get(scope, "/n.md") for scope in (ACME, "", "tenant\x1fbeta")]
    assert [record and record.document.digest for record in found] == ["d1", "other", None]


def test_chunks_come_back_as_they_went_in(store: SqliteStore) -> None:
    """Export gives the whole value, NUL and line ends included."""
    chunks = [PASSAGE, Chunk(text="a\0b\r\n\u2028é😀\ufeff", label="", ordinal=7)]
    store.put(NOTE, chunks)
    assert list(store.chunks()) == [StoredChunk(document=NOTE, chunk=chunk) for chunk in chunks]
    assert store.stats().characters == 5 + 9
    assert [row.metadata["ordinal"] for row in store.search("b", 5, scope_path=ACME)] == [7]


def test_listings_are_ordered_and_exact_about_scope(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """By scope path, file, origin; then ordinal; over page borders."""
    monkeypatch.setattr(_reading, "PAGE", 2)
    expected = []
    for scope in ("", ACME, "tenant\x1facme\x1fuser\x1f1", "tenant\x1facme-labs"):
        for file, origin in (("a", "/2"), ("a", "/3"), ("b", "/1"), ("c", "/0"), ("é", "/4")):
            expected.append(Document(scope_path=scope, origin=origin, file=file, digest=f"{scope}{origin}"))
    for document in reversed(expected):
        store.put(document, [replace(PASSAGE, ordinal=ordinal) for ordinal in (4, 0, 2, 3, 1)])
    in_order = sorted(expected, key=lambda document: (document.scope_path, document.file, document.origin))
    assert [record.document for record in store.documents()] == in_order
    assert [record.document for record in store.documents(scope_path=ACME)] == expected[5:10]
    assert [(row.document, row.chunk.ordinal) for row in store.chunks()] == [
        (document, ordinal) for document in in_order for ordinal in range(5)
    ]
    assert {row.document.scope_path for row in store.chunks(scope_path=ACME)} == {ACME}
    assert list(store.documents(scope_path="tenant\x1fnobody")) == []


def test_a_listing_nobody_finishes_holds_nothing(store: SqliteStore, fill: Callable[..., Document]) -> None:
    """A change, a vacuum and a close pass by an abandoned iterator."""
    for number in range(3):
        fill(str(number), "apple")
    listing, passages = store.documents(), store.chunks()
    next(listing)
    next(passages)
    fill("4", "pear")
    store.vacuum()
    store.close()


def test_stats_are_totals_by_scope_and_kind(store: SqliteStore, path: Path) -> None:
    """In path order and name order, with the bytes on disk."""
    store.put(NOTE, [PASSAGE, replace(PASSAGE, ordinal=1)])
    store.put(replace(NOTE, origin="/h", kind="html"), [PASSAGE])
    store.put(replace(NOTE, scope_path=""), [])
    stats = store.stats()
    assert stats == StoreStats(
        documents=3,
        chunks=3,
        characters=15,
        file_bytes=stats.file_bytes,
        scopes=(("", 1, 0), (ACME, 2, 3)),
        kinds=(("html", 1), ("markdown", 2)),
        schema_version=2,
    )
    assert stats.file_bytes == path.stat().st_size + path.with_name(path.name + "-wal").stat().st_size
    assert stats.file_bytes > 20_000


def test_an_empty_store_has_empty_totals(store: SqliteStore) -> None:
    """Nothing is counted as nothing."""
    stats = store.stats()
    assert (stats.documents, stats.chunks, stats.characters, stats.scopes, stats.kinds) == (0, 0, 0, (), ())


@pytest.mark.requirement("ST-REV-1")
def test_the_revision_grows_with_every_change_and_with_nothing_else(store: SqliteStore, path: Path) -> None:
    """Every process sees the same number."""
    with SqliteStore(path) as other:
        seen = [other.revision()]
        for change in (
            lambda: store.put(NOTE, [PASSAGE]),
            lambda: store.put(NOTE, [PASSAGE]),
            lambda: store.forget("n.md § A", scope_path=ACME),
            lambda: store.put(NOTE, [PASSAGE]),
            lambda: store.remove([NOTE]),
            lambda: store.put(NOTE, [PASSAGE]),
            lambda: store.forget_scope(""),
        ):
            change()
            seen.append(other.revision())
        assert seen == sorted(set(seen))
        for nothing in (
            lambda: store.search("apple", 3),
            lambda: store.remove([NOTE]),
            lambda: store.forget("n.md", scope_path=ACME),
            lambda: store.forget_scope(""),
            store.vacuum,
        ):
            nothing()
        assert other.revision() == seen[-1]


NO_TEXT: Any = 7


@pytest.mark.requirement("ST-PUT-2")
@pytest.mark.parametrize(
    ("document", "chunks", "message"),
    [
        (NOTE, [PASSAGE, replace(PASSAGE, ordinal=1, text="ab\ud800c")],
         r"a chunk text .* '\\ud800c' at character 2"),
        (NOTE, [replace(PASSAGE, label="\udfff")], "a chunk label can be written as UTF-8"),
        (NOTE, [replace(PASSAGE, heading="\udfff")], "a chunk heading can be written as UTF-8"),
        (NOTE, [replace(PASSAGE, text=NO_TEXT)], "a chunk text is text; int was given"),
        (NOTE, [replace(PASSAGE, ordinal=1 << 20_000)], r"; a number of thousands of digits was given and nothing"),
        (NOTE, [replace(PASSAGE, page=-1)], r"a chunk page is a plain int from 0 to 2\*\*63 - 1; -1 was given"),
        (NOTE, [replace(PASSAGE, page=1 << 63)], "a chunk page is a plain int"),
        (NOTE, [replace(PASSAGE, ordinal=True)], "a chunk ordinal is a plain int"),
        (NOTE, [PASSAGE, PASSAGE], "every chunk of a document has its own ordinal; two of 'n.md' share one"),
        (replace(NOTE, origin="\ud800"), [], "a document origin can be written as UTF-8"),
        (replace(NOTE, file=NO_TEXT), [], "a document file is text"),
        (replace(NOTE, size=1 << 64), [], "a document size is a plain int"),
        (replace(NOTE, scope_path="tenant"), [], "a scope path is kind and id in turn"),
    ],
)  # fmt: skip
def test_what_cannot_be_stored_as_it_is_is_refused_before_anything_is_written(
    store: SqliteStore, document: Document, chunks: list[Chunk], message: str
) -> None:
    """The version stored before stays, whole."""
    store.put(NOTE, [PASSAGE])
    with pytest.raises(StoreError, match=message):
        store.put(document, chunks)
    assert store.revision() == 1
    assert list(store.chunks()) == [StoredChunk(document=NOTE, chunk=PASSAGE)]


@pytest.mark.parametrize(
    "ask",
    [
        lambda store: store.get("", "\ud800"),
        lambda store: store.get("\ud800", ""),
        lambda store: list(store.documents(scope_path="\ud800")),
        lambda store: list(store.chunks(scope_path="\ud800")),
        lambda store: store.forget("\ud800", scope_path=""),
        lambda store: store.remove([replace(NOTE, origin="\ud800")]),
        lambda store: store.forget_scope("\ud800"),
        lambda store: store.search("a", 1, scope_path="tenant\x1f\ud800"),
    ],
)
def test_a_name_nothing_can_be_stored_under_is_refused(
    store: SqliteStore, ask: Callable[[SqliteStore], object]
) -> None:
    """It is a mistake of the caller, said as one."""
    with pytest.raises(StoreError, match="nothing was done"):
        ask(store)


REQUESTS: list[Callable[[SqliteStore], object]] = [
    lambda store: store.search("a", 1),
    lambda store: store.search("", 3),
    lambda store: store.search("fig", 0),
    lambda store: store.put(NOTE, []),
    lambda store: store.put(NOTE, [PASSAGE]),
    lambda store: store.put_many([]),
    lambda store: store.put_many([(NOTE, [PASSAGE], None)]),
    lambda store: store.known_vectors([]),
    lambda store: store.embed(),
    lambda store: store.embed(anew=True),
    lambda store: store.check(),
    lambda store: store.get("", ""),
    lambda store: next(store.documents()),
    lambda store: next(store.documents(scope_path="")),
    lambda store: next(store.chunks()),
    lambda store: store.remove([]),
    lambda store: store.forget("a", scope_path=""),
    lambda store: store.forget_scope(""),
    lambda store: store.stats(),
    lambda store: store.revision(),
    lambda store: store.vacuum(),
]


@pytest.mark.requirement("ST-OPEN-2")
@pytest.mark.parametrize("with_embedder", [False, True])
def test_a_closed_store_refuses_everything_but_closing(path: Path, embedder: Any, *, with_embedder: bool) -> None:
    """Also what asks for nothing and stores nothing. Closing twice is fine."""
    store = SqliteStore(path, embedder=embedder if with_embedder else None)
    store.close()
    store.close()
    told = []
    for request in REQUESTS:
        try:
            told.append(f"{request(store)}")
        except StoreError as error:
            told.append(str(error))
    assert [sentence.partition(";")[0] for sentence in told] == ["a closed store answers nothing"] * len(REQUESTS)
    assert embedder.embedded == []


@pytest.mark.requirement("ST-OPEN-1")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        *(
            ({"busy_timeout": value}, "a busy timeout is a number of seconds from 0 to 2147483; .*nothing was opened")
            for value in (math.inf, -math.inf, math.nan, -1, -0.001, 2_147_483.5, 1e300, 10**400, "5", None, True)
        ),
        *(({"create": value}, "create is True or False; .* was given and nothing was done") for value in ("no", 0)),
        *(
            ({"vector_cache_bytes": value}, "vector_cache_bytes is a plain int of at least 0, in bytes")
            for value in (-1, 1.0, "1", True)
        ),
        *(
            ({"path": value}, "a store's path is text or a Path; .* was given and nothing was opened")
            for value in (5, None, b"x", object())
        ),
        ({"path": "\ud800"}, r"a path can be written in the file system's encoding; '\\ud800' cannot"),
        ({"path": "a\0b"}, "a path holds no NUL"),
    ],
)
def test_what_a_store_cannot_be_opened_with_is_refused_before_anything_is_made(
    path: Path, arguments: dict[str, Any], message: str
) -> None:
    """With and without an embedder; nothing is taken for its truth or for something near it."""
    with pytest.raises(StoreError, match=message):
        SqliteStore(**{"path": path, **arguments})
    assert not path.exists()


@pytest.mark.requirement("ST-OPEN-1")
@pytest.mark.parametrize("seconds", [0, 0.5, 2_147_483])
def test_any_other_busy_timeout_is_what_sqlite_waits_for(path: Path, seconds: float) -> None:
    """In milliseconds, also in the connections of readers."""
    with SqliteStore(path, busy_timeout=seconds) as store:
        for connection in (store._connections.alone(), store._connections.reading()):
            with connection as sql:
                assert sql.execute("PRAGMA busy_timeout").fetchone() == (int(seconds * 1000),)


@pytest.mark.requirement("ST-PUT-3")
@pytest.mark.parametrize("with_embedder", [False, True])
def test_one_list_may_hold_the_passages_of_many_documents_in_turn(
    path: Path, embedder: Embedder, *, with_embedder: bool
) -> None:
    """Each document keeps its own, and they are those that were looked at."""

    def items() -> Iterator[tuple[Document, list[Chunk], None]]:
        passages: list[Chunk] = []
        for name, texts in (("a", ["one"]), ("b", ["two", "three"]), ("c", ["four"])):
            passages[:] = [Chunk(text=text, label=name, ordinal=at) for at, text in enumerate(texts)]
            yield replace(NOTE, origin=name, file=name), passages, None
        passages[:] = [PASSAGE, PASSAGE]

    with SqliteStore(path, embedder=embedder if with_embedder else None) as store:
        store.put_many(items())
        assert [(row.document.file, row.chunk.text) for row in store.chunks()] == [
            ("a", "one"), ("b", "two"), ("b", "three"), ("c", "four"),
        ]  # fmt: skip
        assert store.check() == ()


def test_the_store_says_which_file_it_is(store: SqliteStore, path: Path) -> None:
    """In repr and as a property."""
    assert (repr(store), store.path) == (f"SqliteStore({str(path)!r})", path)


@pytest.mark.requirement("ST-SCOPE-3")
@pytest.mark.parametrize(
    "malformed", ["tenant", "tenant\x1f", "\x1f", "tenant\x1fa\x1fuser", "tenant\x1f\u202ea", b"tenant"]
)
def test_a_malformed_scope_path_is_never_handed_out(store: SqliteStore, path: Path, malformed: str | bytes) -> None:
    """No version writes one, so the file is damaged or planted; what asks for other scopes is answered as ever."""
    store.put(NOTE, [PASSAGE])
    store.put(replace(NOTE, scope_path="tenant\x1fbeta"), [PASSAGE])
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as sql:
        sql.execute("UPDATE scope SET path = ? WHERE path = ?", (malformed, "tenant\x1fbeta"))
    for request in (store.stats, lambda: list(store.documents()), lambda: list(store.chunks())):
        with pytest.raises(StoreError, match=r"a store files its rows under scope paths; this one holds .* is none"):
            request()
    if isinstance(malformed, str):
        for named in (store.documents, store.chunks):
            with pytest.raises(StoreError, match="a scope path is kind and id in turn"):
                list(named(scope_path=malformed))
        with pytest.raises(StoreError, match="a scope path is kind and id in turn"):
            store.get(malformed, NOTE.origin)
    assert [row.content for row in store.search("apple", 5, scope_path=ACME)] == ["apple"]
    assert store.forget_scope("") == Removal(documents=2, chunks=2)
    assert store.stats().scopes == ()


def test_forgetting_a_scope_reaches_damaged_paths_below_it(store: SqliteStore, path: Path) -> None:
    """Damage keeps nothing from being forgotten, and nothing beside it goes."""
    for scope in ("tenant\x1facme\x1fuser\x1f1", "tenant\x1facme-labs"):
        store.put(replace(NOTE, scope_path=scope), [PASSAGE])
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as sql:
        sql.execute("UPDATE scope SET path = ? WHERE path LIKE '%1'", (f"{ACME}\x1fuser",))
    assert store.forget_scope(ACME) == Removal(documents=1, chunks=1)
    assert [entry[0] for entry in store.stats().scopes] == ["tenant\x1facme-labs"]


def test_removing_what_is_not_stored_removes_nothing(store: SqliteStore) -> None:
    """It is passed over, what is stored goes; a document named twice counts once."""
    store.put(NOTE, [PASSAGE])
    assert store.remove([replace(NOTE, origin="/other"), NOTE, NOTE]) == Removal(documents=1, chunks=1)
    assert list(store.documents()) == []


@pytest.mark.parametrize(
    ("data", "numbers"), [(b"", []), (b"\x00\x7f", [0, 127]), (b"\x81\x00\x05", [128, 5]), (b"\x81\x80\x00", [16384])]
)
def test_variable_length_numbers(data: bytes, numbers: list[int]) -> None:
    """As SQLite writes them."""
    assert varints(data) == numbers


def test_lengths_are_counted_as_the_index_counts(store: SqliteStore) -> None:
    """A passage of more than 127 words takes two bytes."""
    store.put(NOTE, [replace(PASSAGE, text="apple " * 300)])
    with store._connections.reading() as sql:
        assert sql.execute("SELECT context_tokens, text_tokens FROM chunk").fetchall() == [(4, 300)]
        assert sql.execute("SELECT context_tokens, text_tokens FROM scope").fetchall() == [(4, 300)]
