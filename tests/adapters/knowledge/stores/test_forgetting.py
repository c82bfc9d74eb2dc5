"""What is removed is gone: from answers, from every index, and from the bytes on disk after vacuum."""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document, Removal, StoreError
from symfonic.adapters.knowledge.stores._connections import _configure
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ACME = "tenant\x1facme"
SECRET = "zebrafishsecret"


def words(path: Path) -> set[str]:
    """Every word the index knows, asked as a stranger would."""
    with sqlite3.connect(path) as sql:
        sql.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, passage_index, row)")
        found = {row[0] for row in sql.execute("SELECT term FROM vocabulary")}
        sql.execute("DROP TABLE temp.vocabulary")
    sql.close()
    return found


def on_disk(path: Path) -> bytes:
    """Every byte of every file beside the store."""
    return b"".join(file.read_bytes() for file in sorted(path.parent.iterdir()))


def labels(store: SqliteStore) -> list[str]:
    """Label of every passage, in order."""
    return [row.chunk.label for row in store.chunks()]


REMOVALS: list[Callable[[SqliteStore], Removal]] = [
    lambda store: store.remove([Document(scope_path=ACME, origin="/docs/secret", file="", digest="")]),
    lambda store: store.forget("secret", scope_path=ACME),
    lambda store: store.forget("secret p. ?", scope_path=ACME),
    lambda store: store.forget_scope(ACME),
]


@pytest.mark.requirement("ST-FORGET-1")
@pytest.mark.parametrize("remove", REMOVALS)
def test_no_index_holds_a_word_of_removed_text(
    store: SqliteStore, fill: Callable[..., Document], path: Path, remove: Callable[[SqliteStore], Removal]
) -> None:
    """Segments of the full-text index included, without a vacuum."""
    for number in range(20):
        fill(f"other{number}", "apple pear")
    fill("secret", f"the {SECRET} is here", f"and {SECRET} there", scope=ACME, heading=f"head{SECRET}")
    assert {SECRET, f"head{SECRET}"} <= words(path)
    assert remove(store) == Removal(documents=1, chunks=2)
    assert not {word for word in words(path) if SECRET in word}
    with store._connections.reading() as sql:
        tables = [row[0] for row in sql.execute("SELECT name FROM sqlite_master WHERE rootpage > 0 AND type = 'table'")]
        held = b"".join(repr(sql.execute(f"SELECT * FROM {table}").fetchall()).encode() for table in tables)
    assert b"other7" in held
    assert SECRET.encode() not in held
    assert b"acme" not in held
    assert len(store.search("apple", 100)) == 20


@pytest.mark.requirement("ST-FORGET-2")
@pytest.mark.parametrize("remove", REMOVALS)
def test_after_vacuum_no_byte_of_it_is_left_on_disk(
    store: SqliteStore, fill: Callable[..., Document], path: Path, remove: Callable[[SqliteStore], Removal]
) -> None:
    """Neither in the file nor in its write-ahead log; other content stays and the file shrinks."""
    fill("kept", "apple pear uniquekept")
    fill("secret", *(f"the {SECRET} is here {number} " * 50 for number in range(60)), scope=ACME, heading=SECRET)
    for _ in store.search("apple", 3):
        pass
    assert SECRET.encode() in on_disk(path)
    before = store.stats().file_bytes
    store.forget("secret p. 1?", scope_path=ACME)
    remove(store)
    store.forget_scope(ACME)
    store.vacuum()
    left = on_disk(path)
    assert SECRET.encode() not in left
    assert SECRET[:6].encode() not in left
    assert b"acme" not in left
    assert b"uniquekept" in left
    assert store.stats().file_bytes < before / 2
    assert [row.content for row in store.search("apple", 3)] == ["apple pear uniquekept"]


def test_vacuum_also_clears_what_was_replaced(store: SqliteStore, fill: Callable[..., Document], path: Path) -> None:
    """A new version of a document leaves nothing of the old one."""
    fill("kept", "apple")
    fill("note", f"old {SECRET}")
    fill("note", "new text")
    store.vacuum()
    assert SECRET[:6].encode() not in on_disk(path)
    assert SECRET not in words(path)


@pytest.mark.parametrize("remove", REMOVALS)
def test_what_was_removed_is_overwritten_when_the_store_is_closed(
    store: SqliteStore, fill: Callable[..., Document], path: Path, remove: Callable[[SqliteStore], Removal]
) -> None:
    """Without a vacuum; what was replaced leaves its words in the index until then."""
    for number in range(20):
        fill(f"other{number}", "apple pear " * 40)
    fill("secret", *(f"the {SECRET}{number} is here " * 40 for number in range(40)), scope=ACME)
    fill("kept", *(f"zebrastripes{number} " * 40 for number in range(40)))
    store.close()
    assert on_disk(path).count(SECRET.encode()) > 1000
    with SqliteStore(path) as again:
        remove(again)
        again.forget_scope(ACME)
    assert SECRET[:8].encode() not in on_disk(path)
    assert b"zebrastripes" in on_disk(path)


def test_deleted_rows_are_overwritten_however_sqlite_was_built(store: SqliteStore) -> None:
    """Some builds leave them in free pages, others do not; ours always asks."""
    with contextlib.closing(sqlite3.connect(store.path)) as sql:
        sql.execute("PRAGMA secure_delete = OFF")
        _configure(sql)
        assert sql.execute("PRAGMA secure_delete").fetchone() == (1,)
    with store._connections.alone() as sql:
        assert sql.execute("PRAGMA secure_delete").fetchone() == (1,)


def test_forgetting_a_label_takes_that_passage_and_marks_its_document_incomplete(
    store: SqliteStore, fill: Callable[..., Document]
) -> None:
    """The cleared digest makes the next ingest store the document anew."""
    document = fill("a.md", "apple", "pears", "fig\0s", scope=ACME)
    fill("a.md", "apple")
    assert store.forget("a.md p. 2", scope_path=ACME) == Removal(documents=0, chunks=1)
    record = store.get(ACME, "/docs/a.md")
    assert record is not None
    assert record.document == replace(document, digest="")
    assert (record.chunks, record.characters) == (2, 10)
    assert labels(store) == ["a.md p. 1", "a.md p. 1", "a.md p. 3"]
    kept = store.get("", "/docs/a.md")
    assert kept is not None
    assert kept.document.digest == "digest of a.md"


def test_a_document_goes_with_its_last_passage(store: SqliteStore, fill: Callable[..., Document]) -> None:
    """Nothing is left that could be listed."""
    fill("a.md", "apple", "pear")
    assert store.forget("a.md p. *", scope_path="") == Removal(documents=1, chunks=2)
    assert (list(store.documents()), store.stats().scopes) == ([], ())


@pytest.mark.requirement("ST-FORGET-3")
@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("[draft] a.md", ["b.md p. 1", "d p. 1", "docs/x.md p. 1"]),
        ("[[]draft] a.md", ["b.md p. 1", "d p. 1", "docs/x.md p. 1"]),
        ("[draft]", ["[draft] a.md p. 1", "b.md p. 1", "docs/x.md p. 1"]),
        ("*.md", ["d p. 1"]),
        ("?.md", ["[draft] a.md p. 1", "d p. 1", "docs/x.md p. 1"]),
        ("docs/*", ["[draft] a.md p. 1", "b.md p. 1", "d p. 1"]),
        ("B.MD", ["[draft] a.md p. 1", "b.md p. 1", "d p. 1", "docs/x.md p. 1"]),
        ("[!b].md", ["[draft] a.md p. 1", "b.md p. 1", "d p. 1", "docs/x.md p. 1"]),
        ("b.md p. 1", ["[draft] a.md p. 1", "d p. 1", "docs/x.md p. 1"]),
        ("", ["[draft] a.md p. 1", "b.md p. 1", "d p. 1", "docs/x.md p. 1"]),
        ("*", []),
    ],
)
def test_a_pattern_names_exactly_first_and_as_a_glob_otherwise(
    store: SqliteStore, fill: Callable[..., Document], pattern: str, left: list[str]
) -> None:
    """Brackets in a name are found by writing the name."""
    for file in ("[draft] a.md", "b.md", "d", "docs/x.md"):
        fill(file, "apple")
    store.forget(pattern, scope_path="")
    assert labels(store) == left


@pytest.mark.requirement("ST-FORGET-3")
@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("/old/leave/a.md", ["/new/leave/a.md", "notes:leave"]),
        ("/old/*", ["/new/leave/a.md", "notes:leave"]),
        ("/*/a.md", ["notes:leave"]),
        ("notes:*", ["/new/leave/a.md", "/old/leave/a.md"]),
        ("notes:leave", ["/new/leave/a.md", "/old/leave/a.md"]),
        ("a.md", ["notes:leave"]),
        ("*leave*", ["/new/leave/a.md", "/old/leave/a.md", "notes:leave"]),
        ("old/*", ["/new/leave/a.md", "/old/leave/a.md", "notes:leave"]),
    ],
)
def test_an_origin_names_what_a_moved_folder_left_behind(store: SqliteStore, pattern: str, left: list[str]) -> None:
    """Exactly, or by a glob that begins as an origin does; a word in a folder's name names nothing below it."""
    for file, origin in (("a.md", "/old/leave/a.md"), ("a.md", "/new/leave/a.md"), ("b.md", "notes:leave")):
        document = Document(scope_path="", origin=origin, file=file, digest="1")
        store.put(document, [Chunk(text="apple", label=f"{file} p. 1", ordinal=0)])
    removal = store.forget(pattern, scope_path="")
    assert [record.document.origin for record in store.documents()] == left
    assert removal == Removal(documents=3 - len(left), chunks=3 - len(left))


def test_forgetting_acts_at_its_scope_only(store: SqliteStore, fill: Callable[..., Document]) -> None:
    """Neither above nor below nor beside."""
    for scope in ("", ACME, ACME + "\x1fuser\x1f1", ACME + "-labs"):
        fill("a.md", "apple", scope=scope)
    assert store.forget("a.md", scope_path=ACME) == Removal(documents=1, chunks=1)
    assert [record.document.scope_path for record in store.documents()] == ["", ACME + "\x1fuser\x1f1", ACME + "-labs"]


def test_forgetting_a_scope_takes_what_is_below_it(store: SqliteStore, fill: Callable[..., Document]) -> None:
    """A neighbour whose name starts alike stays."""
    for scope in ("", ACME, ACME + "\x1fuser\x1f1", ACME + "-labs"):
        fill("a.md", "apple", scope=scope)
    assert store.forget_scope(ACME) == Removal(documents=2, chunks=2)
    assert [record.document.scope_path for record in store.documents()] == ["", ACME + "-labs"]
    assert store.forget_scope("") == Removal(documents=2, chunks=2)


def test_rows_stored_after_a_scope_was_forgotten_are_found(store: SqliteStore, fill: Callable[..., Document]) -> None:
    """The scope starts anew under another id."""
    fill("a", "apple", scope=ACME)
    store.forget_scope(ACME)
    fill("b", "apple", scope=ACME)
    assert [row.source for row in store.search("apple", 5, scope_path=ACME)] == ["b p. 1"]


def test_a_vacuum_that_a_reader_keeps_from_finishing_says_so(
    fill: Callable[..., Document], store: SqliteStore, path: Path
) -> None:
    """Traces may be left, and silence would be a false promise."""
    fill("a", "apple")
    reader = sqlite3.connect(path)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM document").fetchall()
    with SqliteStore(path, busy_timeout=0.05) as impatient, pytest.raises(StoreError, match="run vacuum again"):
        impatient.vacuum()
    reader.close()
    store.vacuum()


def test_forgetting_reaches_the_disk_before_it_returns(store: SqliteStore) -> None:
    """A power cut must not bring back what was forgotten; puts may be repeated and need not wait."""
    store.put(Document(scope_path="", origin="a", file="a", digest=""), [Chunk(text="a", label="a", ordinal=0)])
    with store._connections.alone() as sql:
        assert sql.execute("PRAGMA synchronous").fetchone() == (1,)
    store.forget("a", scope_path="")
    with store._connections.alone() as sql:
        assert sql.execute("PRAGMA synchronous").fetchone() == (2,)
