"""A store of schema 1 becomes one of schema 2 when it is opened, whole or not at all."""

from __future__ import annotations

import sqlite3
import threading
from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document, StoreError
from symfonic.adapters.knowledge.stores import _schema
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from symfonic.adapters.knowledge.ports import Embedder

_TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
VERSION_1 = (
    "CREATE TABLE state(one INTEGER PRIMARY KEY CHECK (one = 1), revision INTEGER NOT NULL)",
    """CREATE TABLE scope(
        id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id < 1 << 31),
        path TEXT NOT NULL UNIQUE,
        used INTEGER NOT NULL DEFAULT 0 CHECK (used < 1 << 32),
        chunks INTEGER NOT NULL DEFAULT 0,
        context_tokens INTEGER NOT NULL DEFAULT 0,
        text_tokens INTEGER NOT NULL DEFAULT 0)""",
    """CREATE TABLE document(
        id INTEGER PRIMARY KEY, scope INTEGER NOT NULL REFERENCES scope(id), file TEXT NOT NULL, origin TEXT NOT NULL,
        digest TEXT NOT NULL, kind TEXT NOT NULL, size INTEGER NOT NULL, chunks INTEGER NOT NULL,
        characters INTEGER NOT NULL, UNIQUE (scope, origin))""",
    "CREATE INDEX document_order ON document(scope, file, origin)",
    """CREATE TABLE chunk(
        id INTEGER PRIMARY KEY, document INTEGER NOT NULL REFERENCES document(id), ordinal INTEGER NOT NULL,
        page INTEGER, context_tokens INTEGER NOT NULL, text_tokens INTEGER NOT NULL, UNIQUE (document, ordinal))""",
    """CREATE TABLE passage(
        id INTEGER PRIMARY KEY, label TEXT NOT NULL, heading TEXT NOT NULL, context TEXT NOT NULL,
        text TEXT NOT NULL)""",
    f"""CREATE VIRTUAL TABLE passage_index USING fts5(
        context, text, content='passage', content_rowid='id', tokenize="{_TOKENIZER}")""",
    "CREATE VIRTUAL TABLE posting USING fts5vocab(passage_index, instance)",
    "INSERT INTO passage_index(passage_index, rank) VALUES ('automerge', 8)",
    "INSERT INTO state(one, revision) VALUES (1, 3)",
    "PRAGMA application_id = 1398361419",
    "PRAGMA user_version = 1",
)
ACME = "tenant\x1facme"
PASSAGES = (
    (1, "", "a.md", "apples and pears", 3),
    (1, "", "b.md", "a fig", 2),
    (2, ACME, "c.md", "这部手机 apple", 2),
)


@pytest.fixture
def old(path: Path) -> Path:
    """A store as the first version wrote it: three documents of one passage at two scopes."""
    with sqlite3.connect(path) as sql:
        for statement in VERSION_1:
            sql.execute(statement)
        sql.execute("INSERT INTO scope VALUES (1, '', 2, 2, 4, 5), (2, ?, 1, 1, 2, 2)", (ACME,))
        for document, (scope, _, file, text, words) in enumerate(PASSAGES, start=1):
            chunk = (scope << 32) + (document - 1 if scope == 1 else 0)
            sql.execute(
                "INSERT INTO document VALUES (?,?,?,?,'d','text',9,1,?)",
                (document, scope, file, f"/docs/{file}", len(text)),
            )
            sql.execute("INSERT INTO passage VALUES (?,?,'',?,?)", (chunk, file, file, text))
            sql.execute("INSERT INTO passage_index(rowid, context, text) VALUES (?,?,?)", (chunk, file, text))
            sql.execute("INSERT INTO chunk VALUES (?,?,0,NULL,2,?)", (chunk, document, words))
    sql.close()
    return path


def version(path: Path) -> int:
    """The schema the file says it has."""
    sql = sqlite3.connect(path)
    found: int = sql.execute("PRAGMA user_version").fetchone()[0]
    sql.close()
    return found


def fresh(path: Path) -> SqliteStore:
    """A new store with the same passages."""
    store = SqliteStore(path)
    for _, scope, file, text, _ in PASSAGES:
        document = Document(scope_path=scope, origin=f"/docs/{file}", file=file, digest="d", kind="text", size=9)
        store.put(document, [Chunk(text=text, label=file, ordinal=0)])
    return store


@pytest.mark.requirement("ST-MIG-1")
def test_an_old_store_answers_as_a_new_one_with_the_same_passages(old: Path, tmp_path: Path) -> None:
    """Rows, scores to the bit, totals, and what only the new index finds."""
    with SqliteStore(old, create=False) as opened, fresh(tmp_path / "fresh") as new:
        assert version(old) == 2
        assert opened.check() == ()
        for question in ("apple", "figs", "手机", "这", "a.md"):
            for scope in ("", ACME):
                assert list(opened.search(question, 5, scope_path=scope)) == list(
                    new.search(question, 5, scope_path=scope)
                )
        assert opened.search("手机", 5, scope_path=ACME)
        assert list(opened.chunks()) == list(new.chunks())
        assert opened.revision() == 4
        assert opened.stats().vectors == 0
    with SqliteStore(old) as again:
        assert again.revision() == 4


def test_an_old_store_can_be_embedded(old: Path, embedder: Embedder) -> None:
    """Its passages have no vectors until somebody makes them."""
    with SqliteStore(old, embedder=embedder) as opened:
        assert [row.metadata["file"] for row in opened.search("figs", 5)] == ["b.md"]
        assert opened.embed() == 3
        assert opened.stats().vectors == 3
        assert opened.check() == ()


@pytest.mark.requirement("ST-MIG-1")
def test_a_migration_that_breaks_off_leaves_the_old_store(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its last statement fails, as if the process had been killed before it."""
    before = old.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(_schema, "_VECTORS", (*_schema._VECTORS, "INSERT INTO nowhere VALUES (1)"))
        with pytest.raises(StoreError):
            SqliteStore(old)
    assert version(old) == 1
    assert old.read_bytes() == before
    with SqliteStore(old) as opened:
        assert len(opened.search("apples", 5, scope_path=ACME)) == 2


@pytest.mark.requirement("ST-MIG-1")
def test_of_two_that_open_an_old_store_at_once_one_migrates(old: Path) -> None:
    """The other one waits and finds it done."""
    revisions: list[int] = []

    def open_and_ask() -> None:
        with SqliteStore(old) as opened:
            revisions.append(opened.revision())

    threads = [threading.Thread(target=open_and_ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert revisions == [4] * 4


@pytest.mark.requirement("ST-MIG-2")
@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("PRAGMA user_version = 3", r"this version reads stores of schema 2; .* has schema 3 and was left alone"),
        ("PRAGMA application_id = 7", "belongs to another program and was left alone"),
    ],
)
def test_whoever_has_a_store_open_leaves_it_alone_once_a_newer_version_brought_it_up_to_date(
    path: Path, embedder: Embedder, statement: str, message: str
) -> None:
    """It neither writes what it knows into the newer tables nor answers from them; others go on."""
    document = Document(scope_path="", origin="/a", file="a", digest="d")
    chunks = [Chunk(text="a fig", label="a", ordinal=0)]
    requests: list[Callable[[SqliteStore], object]] = [
        lambda store: store.put(document, chunks),
        lambda store: store.put_many([(document, chunks, None)]),
        lambda store: store.remove([document]),
        lambda store: store.forget("a", scope_path=""),
        lambda store: store.forget_scope(""),
        lambda store: store.embed(),
        lambda store: store.embed(anew=True),
        lambda store: store.vacuum(),
        lambda store: store.check(),
        lambda store: store.search("fig", 1),
        lambda store: list(store.chunks()),
        lambda store: store.stats(),
        lambda store: store.revision(),
    ]
    with SqliteStore(path, embedder=embedder) as store:
        store.put(document, chunks)
        answer = list(store.search("fig", 1))
        other = sqlite3.connect(path, isolation_level=None)
        header = [other.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
        before = other.execute("PRAGMA data_version").fetchone()
        other.execute(statement)
        for request in requests:
            with pytest.raises(StoreError, match=message):
                request(store)
        assert other.execute("PRAGMA data_version").fetchone() == before, "nobody else wrote"
        other.execute(f"PRAGMA application_id = {header[0]}")
        other.execute(f"PRAGMA user_version = {header[1]}")
        other.close()
        assert list(store.search("fig", 1)) == answer
        assert store.check() == ()


def test_an_old_store_that_can_only_be_read_is_told_as_such(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads the message knows what has to happen once."""

    def refuse(_: sqlite3.Connection) -> None:
        error = sqlite3.OperationalError("attempt to write a readonly database")
        error.sqlite_errorcode = sqlite3.SQLITE_READONLY
        raise error

    monkeypatch.setattr(_schema, "_from_version_1", refuse)
    with pytest.raises(StoreError, match=r"schema 1 is brought up to schema 2 when it is opened; .* is read-only"):
        SqliteStore(old)
    assert version(old) == 1
