"""Files that are not ours, damage, full disks, several threads and processes, and the sudden end of one."""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document, StoreError
from symfonic.adapters.knowledge.stores import _schema
from symfonic.adapters.knowledge.stores._connections import IDLE_READERS, translated
from symfonic.adapters.knowledge.stores._schema import APPLICATION_ID, SCHEMA_VERSION
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from symfonic.adapters.knowledge.ports import Embedder

WRITER = """
import itertools, sys
from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

path, name, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
store = SqliteStore(path)
for turn in range(rounds) if rounds else itertools.count():
    for file in range(5):
        origin = f"/{name}/{file}"
        chunks = [
            Chunk(text=f"{name} version{turn} place{at} " + "apple pear fig " * 20, label=f"{origin} {at}", ordinal=at)
            for at in range(7)
        ]
        store.put(Document(scope_path="", origin=origin, file=origin, digest=str(turn)), chunks)
        print(turn, file, flush=True)
store.close()
"""


def start_writer(path: Path, name: str, rounds: int) -> subprocess.Popen[str]:
    """Another process that puts five documents over and over and reports each one it has put."""
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(rounds)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def assert_whole(path: Path) -> None:
    """File, index, lengths and totals agree, and every document is one version's seven passages."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as sql:
        assert sql.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert sql.execute("PRAGMA foreign_key_check").fetchall() == []
        sql.execute("INSERT INTO passage_index(passage_index, rank) VALUES ('integrity-check', 1)")
        ids = [sql.execute(f"SELECT id FROM {table} ORDER BY id").fetchall() for table in ("chunk", "passage")]
        assert ids[0] == ids[1] == sql.execute("SELECT id FROM passage_index_docsize ORDER BY id").fetchall()
        assert sql.execute("SELECT sum(chunks), sum(context_tokens), sum(text_tokens) FROM scope").fetchone() == (
            sql.execute("SELECT count(*), sum(context_tokens), sum(text_tokens) FROM chunk").fetchone()
        )
    with SqliteStore(path) as store:
        for record in store.documents():
            texts = [row.chunk.text for row in store.chunks() if row.document == record.document]
            name = record.document.origin.split("/")[1]
            expected = [
                f"{name} version{record.document.digest} place{at} " + "apple pear fig " * 20 for at in range(7)
            ]
            assert texts == expected


@pytest.mark.requirement("ST-FILE-1")
def test_the_file_and_its_log_are_for_the_owner_only(tmp_path: Path) -> None:
    """Folders are created; what is stored may be secret."""
    path = tmp_path / "a" / "b" / "knowledge.sqlite3"
    mask = os.umask(0)
    try:
        with SqliteStore(path) as store:
            store.put(Document(scope_path="", origin="a", file="a", digest=""), [])
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    finally:
        os.umask(mask)
    assert modes == {path.name: 0o600, f"{path.name}-wal": 0o600, f"{path.name}-shm": 0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.requirement("ST-FILE-2")
def test_the_file_says_what_it_is(store: SqliteStore, path: Path) -> None:
    """Application id, schema version, write-ahead log."""
    with contextlib.closing(sqlite3.connect(path)) as sql:
        header = [
            sql.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version", "journal_mode")
        ]
    assert header == [APPLICATION_ID, SCHEMA_VERSION, "wal"]


def foreign(path: Path) -> None:
    """A database of another program."""
    with contextlib.closing(sqlite3.connect(path)) as sql:
        sql.execute("CREATE TABLE diary(entry)")


def foreign_empty(path: Path) -> None:
    """Another program's, without tables yet."""
    with contextlib.closing(sqlite3.connect(path)) as sql:
        sql.execute("PRAGMA application_id = 99")


def newer(path: Path) -> None:
    """A store of a later schema."""
    SqliteStore(path).close()
    with contextlib.closing(sqlite3.connect(path)) as sql:
        sql.execute("PRAGMA journal_mode = DELETE")
        sql.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")


def truncated(path: Path) -> None:
    """A store cut in half."""
    with SqliteStore(path) as store:
        chunks = [Chunk(text=f"apple {at} " * 200, label="a", ordinal=at) for at in range(50)]
        store.put(Document(scope_path="", origin="a", file="a", digest=""), chunks)
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def garbled_header(path: Path) -> None:
    """A store whose first page is noise."""
    SqliteStore(path).close()
    with path.open("r+b") as file:
        file.seek(100)
        file.write(os.urandom(4000))


def table_missing(path: Path) -> None:
    """A store that lost a table."""
    SqliteStore(path).close()
    with contextlib.closing(sqlite3.connect(path)) as sql:
        sql.execute("DROP TABLE state")


@pytest.mark.requirement("ST-FILE-2")
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: path.write_text("Dear diary\n" * 100), "this file is none and was left alone"),
        (foreign, "belongs to another program and was left alone"),
        (foreign_empty, "belongs to another program and was left alone"),
        (newer, "has schema 3 and was left alone"),
        (truncated, "this one is damaged"),
        (garbled_header, "this one is damaged"),
        (table_missing, "failed unexpectedly"),
        (lambda path: path.mkdir(), "is a folder and was left alone"),
    ],
)
def test_a_file_that_is_no_store_is_refused_and_not_touched(
    path: Path, make: Callable[[Path], object], message: str
) -> None:
    """Whoever names the wrong file loses nothing."""
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(StoreError, match=message):
        SqliteStore(path)
    assert (path.read_bytes() if path.is_file() else b"") == before


def test_a_path_below_a_file_is_refused(tmp_path: Path) -> None:
    """The folder cannot be created."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="check that the path is a file and who may write its folder"):
        SqliteStore(tmp_path / "file" / "store")


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    """What a process leaves that was killed while it created one."""
    path.touch()
    with SqliteStore(path) as store:
        assert store.revision() == 0


def test_damage_met_later_is_a_store_error(store: SqliteStore, fill: Callable[..., Document], path: Path) -> None:
    """Index pages overwritten behind the store's back."""
    fill("a", *(f"apple {at} " * 100 for at in range(60)))
    store.close()
    with contextlib.closing(sqlite3.connect(path)) as sql:
        sql.execute("UPDATE passage_index_data SET block = x'00ff00ff00ff' WHERE id > 10")
        sql.commit()
    with SqliteStore(path) as damaged:
        with pytest.raises(StoreError, match="this one is damaged"):
            damaged.search("apple", 3)
        assert damaged.stats().chunks == 60


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (sqlite3.SQLITE_BUSY, "another one held the store"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, "another one held the store"),
        (sqlite3.SQLITE_LOCKED, "another one held the store"),
        (sqlite3.SQLITE_READONLY_DIRECTORY, "is read-only and nothing was changed"),
        (sqlite3.SQLITE_PERM, "it could not be opened"),
        (sqlite3.SQLITE_AUTH, "it could not be opened"),
        (sqlite3.SQLITE_CANTOPEN_ISDIR, "it could not be opened"),
        (sqlite3.SQLITE_FULL, "the disk is full and nothing was changed"),
        (sqlite3.SQLITE_IOERR_WRITE, "the disk reported an error"),
        (sqlite3.SQLITE_NOTADB, "this file is none"),
        (sqlite3.SQLITE_CORRUPT_VTAB, "this one is damaged"),
        (sqlite3.SQLITE_TOOBIG, "up to a gigabyte in one row"),
        (sqlite3.SQLITE_MISUSE, "failed unexpectedly"),
    ],
)
def test_every_failure_of_sqlite_has_its_own_words(code: int, message: str) -> None:
    """Rule, consequence, remedy, the file, and the cause attached."""
    error = sqlite3.OperationalError("boom")
    error.sqlite_errorcode = code
    with pytest.raises(StoreError, match=rf"{message}.*\(/a/store: boom\)") as caught, translated(Path("/a/store")):
        raise error
    assert caught.value.__cause__ is error


def test_failures_without_a_code_and_of_the_file_system_are_translated_too() -> None:
    """Some errors of the module carry no code."""
    for error in (sqlite3.InterfaceError("x"), sqlite3.Warning("x")):
        with pytest.raises(StoreError, match="failed unexpectedly"), translated(Path("s")):
            raise error
    for code, message in (
        (errno.ENOTDIR, "could not be opened"),
        (errno.EACCES, "no permission"),
        (errno.EPERM, "no permission"),
        (errno.ENOSPC, "the disk is full and nothing was changed"),
        (errno.EROFS, "is read-only and nothing was changed"),
        (errno.EIO, "the disk reported an error"),
    ):
        with pytest.raises(StoreError, match=message), translated(Path("s")):
            raise OSError(code, "x")


def test_a_full_disk_changes_nothing(store: SqliteStore, fill: Callable[..., Document], path: Path) -> None:
    """The document is refused whole, and the store goes on."""
    fill("a", "apple")
    with store._connections.alone() as sql:
        pages = sql.execute("PRAGMA page_count").fetchone()[0]
        sql.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(StoreError, match="the disk is full and nothing was changed"):
        fill("b", *(f"pear {at} " * 500 for at in range(100)))
    assert (store.revision(), [record.document.file for record in store.documents()]) == (1, ["a"])
    assert list(store.search("pear", 1)) == []
    with store._connections.alone() as sql:
        sql.execute("PRAGMA max_page_count = 100000")
    fill("b", "pear")
    assert len(store.search("pear", 1)) == 1


def test_a_read_only_store_refuses_changes(store: SqliteStore, fill: Callable[..., Document]) -> None:
    """What SQLite says about a file it may not write."""
    with store._connections.alone() as sql:
        sql.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreError, match="read-only and nothing was changed"):
        fill("a", "apple")
    assert store.revision() == 0


def test_another_writer_is_waited_for_and_then_named(path: Path) -> None:
    """Readers never wait."""
    with SqliteStore(path, busy_timeout=0.05) as store, contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="held the store for longer than the busy timeout"):
            store.put(Document(scope_path="", origin="a", file="a", digest=""), [])
        assert store.revision() == 0
        other.rollback()
        store.put(Document(scope_path="", origin="a", file="a", digest=""), [])
        assert store.revision() == 1


def test_a_file_locked_while_it_is_made_a_store_is_waited_for_and_then_named(path: Path) -> None:
    """SQLite itself does not wait when the journal is switched."""
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA page_size = 4096")
        other.execute("VACUUM")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another one held the store"):
            SqliteStore(path, busy_timeout=0.05)
        other.rollback()
    SqliteStore(path).close()


def test_an_exception_inside_a_change_undoes_it(store: SqliteStore) -> None:
    """Whatever it is, also one that is not SQLite's."""

    def interrupted() -> None:
        with store._connections.writing() as sql:
            sql.execute("UPDATE state SET revision = 7")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert store.revision() == 0


@pytest.mark.requirement("ST-CRASH-1")
def test_a_process_killed_while_it_puts_leaves_whole_documents(path: Path) -> None:
    """SIGKILL at several moments; everything reported as put is there, and the next process goes on."""
    SqliteStore(path).close()
    for attempt in range(6):
        with start_writer(path, f"w{attempt}", 0) as process:
            assert process.stdout is not None
            reported = [process.stdout.readline() for _ in range(4 + 5 * attempt)]
            time.sleep(0.003 * attempt)
            process.send_signal(signal.SIGKILL)
            reported += process.stdout.readlines()
        last: dict[str, int] = {}
        for line in reported:
            if line.endswith("\n"):
                turn, file = line.split()
                last[file] = int(turn)
        assert_whole(path)
        with SqliteStore(path) as store:
            for file, acknowledged in last.items():
                record = store.get("", f"/w{attempt}/{file}")
                assert record is not None
                assert int(record.document.digest) >= acknowledged
    with SqliteStore(path) as store:
        assert store.stats().documents >= 6 * 4


@pytest.mark.requirement("ST-CRASH-2")
def test_two_processes_write_one_new_store(path: Path) -> None:
    """Both create it, both fill it, nobody loses anything."""
    processes = [start_writer(path, name, 4) for name in ("left", "right")]
    for process in processes:
        with process:
            assert process.stdout is not None
            assert len(process.stdout.readlines()) == 20
        assert process.returncode == 0
    assert_whole(path)
    with SqliteStore(path) as store:
        assert (store.stats().documents, store.stats().chunks, store.revision()) == (10, 70, 40)


@pytest.mark.requirement("ST-THREAD-1")
def test_readers_see_whole_documents_while_one_writes(store: SqliteStore) -> None:
    """Every answer is of one state: all passages of one version, scores over that state."""
    done = threading.Event()

    def put(turn: int) -> None:
        chunks = [Chunk(text=f"apple turn{turn}", label=f"l{at}", ordinal=at) for at in range(6)]
        store.put(Document(scope_path="", origin="a", file="a", digest=str(turn)), chunks)

    def read() -> int:
        reads = 0
        while not done.is_set() or reads == 0:
            rows = store.search("apple", 100)
            assert [row.source for row in rows] == [f"l{at}" for at in range(6)]
            assert len({row.content for row in rows}) == 1
            assert len({row.score for row in rows}) == 1
            assert store.stats().chunks == 6
            reads += 1
        return reads

    put(0)
    with ThreadPoolExecutor(IDLE_READERS + 2) as pool:
        readers = [pool.submit(read) for _ in range(IDLE_READERS + 2)]
        try:
            for turn in range(1, 40):
                put(turn)
        finally:
            done.set()
        assert all(reader.result() > 0 for reader in readers)


def test_threads_writing_at_once_take_turns(store: SqliteStore) -> None:
    """No change is lost."""

    def put(number: int) -> None:
        document = Document(scope_path="", origin=str(number), file="f", digest="")
        store.put(document, [Chunk(text="apple", label="l", ordinal=0)])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(put, range(60)))
    assert (store.revision(), len(store.search("apple", 1))) == (60, 60)


@pytest.mark.requirement("ST-THREAD-2")
def test_one_and_eight_threads_get_the_same_rows(store: SqliteStore, fill: Callable[..., Document]) -> None:
    """To the bit."""
    for number in range(80):
        fill(str(number), "apple pear fig plum"[: 5 + number % 14], "pear " * (number % 5 + 1))
    questions = ["apple", "pear fig", "plum apple pear", "fig"] * 10
    alone = [[(row.source, row.score) for row in store.search(question, 5)] for question in questions]
    with ThreadPoolExecutor(8) as pool:
        together = list(
            pool.map(lambda question: [(row.source, row.score) for row in store.search(question, 5)], questions)
        )
    assert together == alone


def test_close_waits_for_nobody_and_leaves_nothing_open(path: Path) -> None:
    """A reader in the middle of its answer finishes; its connection is closed after it."""
    store = SqliteStore(path)
    with store._connections.reading() as sql:
        store.close()
        assert sql.execute("SELECT 1").fetchone() == (1,)
    with pytest.raises(sqlite3.ProgrammingError):
        sql.execute("SELECT 1")
    gc.collect()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


CLOSER = """
import sys, threading, time
from symfonic.adapters.knowledge.ports import Chunk, Document, StoreError
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

question = " ".join(f"word{number} apple" for number in range(4000))
document = Document(scope_path="", origin="a", file="a", digest="")

def repeat(request):
    try:
        while True:
            request()
    except StoreError as error:
        told.append(str(error).startswith("a closed store answers nothing"))

for _ in range(5):
    store, told = SqliteStore(sys.argv[1]), []
    store.put(document, [Chunk(text="apple", label="a", ordinal=0)])
    requests = [lambda: store.search(question, 3)] * 4 + [
        store.stats, lambda: list(store.chunks()), lambda: store.put(document, [])
    ]
    threads = [threading.Thread(target=repeat, args=(request,)) for request in requests]
    for thread in threads:
        thread.start()
    time.sleep(0.1)
    store.close()
    for thread in threads:
        thread.join()
    assert told == [True] * 7, told
# Two connections that close in one moment may leave SQLite's files behind; the next one takes them away, but not while
# a connection that was forgotten is open.
SqliteStore(sys.argv[1]).close()
"""


@pytest.mark.requirement("ST-THREAD-3")
def test_a_store_closed_while_threads_use_it_tells_each_of_them(path: Path) -> None:
    """In another process: a connection closed under a running statement would take this one with it."""
    ended = subprocess.run(
        [sys.executable, "-c", CLOSER, str(path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_connection_opened_while_the_store_is_closed_is_not_used(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caller is told that the store is closed, and nothing stays open."""
    opened: list[sqlite3.Connection] = []
    opening = store._connections._open

    def slow(set_up: Callable[[sqlite3.Connection], object]) -> sqlite3.Connection:
        opened.append(opening(set_up))
        store.close()
        return opened[-1]

    monkeypatch.setattr(store._connections, "_open", slow)
    with pytest.raises(StoreError, match="a closed store answers nothing"):
        store.revision()
    with pytest.raises(sqlite3.ProgrammingError):
        opened[0].execute("SELECT 1")


def test_a_failure_while_tables_are_created_leaves_an_empty_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next one to open it starts from nothing."""
    monkeypatch.setattr(_schema, "_TABLES", (*_schema._TABLES[:3], "CREATE TABLE scope(twice)"))
    with pytest.raises(StoreError, match="failed unexpectedly"):
        SqliteStore(path)
    monkeypatch.undo()
    with SqliteStore(path) as store:
        assert store.revision() == 0


def test_several_openers_create_one_store(path: Path) -> None:
    """Whoever comes second finds it made."""
    with ThreadPoolExecutor(6) as pool:
        for store in pool.map(lambda _: SqliteStore(path), range(12)):
            assert store.revision() == 0
            store.close()


def test_a_forked_process_opens_its_own(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite's locks do not survive a fork; the child can neither use nor close what it inherited."""
    monkeypatch.setattr(store._connections, "_process", os.getpid() + 1)
    with pytest.raises(StoreError, match="a store is used in the process that opened it"):
        store.revision()
    store._connections.close()
    monkeypatch.undo()
    assert store._connections._writer.execute("SELECT 1").fetchone() == (1,)


FORKED: Final = Document(scope_path="", origin="/a", file="a", digest="")
REQUESTS: dict[str, Callable[[SqliteStore], object]] = {
    "search": lambda store: store.search("apple", 1),
    "put": lambda store: store.put(FORKED, [Chunk(text="apple", label="", ordinal=0)]),
    "put_many": lambda store: store.put_many([(FORKED, [Chunk(text="apple", label="", ordinal=0)], None)]),
    "known_vectors": lambda store: store.known_vectors(["apple"]),
    "embed": lambda store: store.embed(),
    "get": lambda store: store.get("", "/a"),
    "documents": lambda store: list(store.documents()),
    "chunks": lambda store: list(store.chunks()),
    "remove": lambda store: store.remove([FORKED]),
    "forget": lambda store: store.forget("a", scope_path=""),
    "forget_scope": lambda store: store.forget_scope(""),
    "stats": lambda store: store.stats(),
    "revision": lambda store: store.revision(),
    "vacuum": lambda store: store.vacuum(),
    "check": lambda store: store.check(),
}


@pytest.mark.requirement("ST-THREAD-4")
@pytest.mark.parametrize("with_embedder", [False, True])
def test_a_forked_process_is_refused_before_it_waits(
    path: Path, embedder: Embedder, monkeypatch: pytest.MonkeyPatch, *, with_embedder: bool
) -> None:
    """Any lock may have been held when the process was forked, and nobody is there to release it."""
    store = SqliteStore(path, embedder=embedder if with_embedder else None)
    locks = [store._analyzer._lock, store._connections._state, store._connections._write_lock]
    if store._embedding is not None:
        store.put(FORKED, [Chunk(text="apple", label="", ordinal=0)])
        store.search("apple", 1)
        assert store._embedding._index is not None
        locks += [store._embedding._lock, store._embedding._index.cache._lock]
    refused: list[str] = []

    def ask() -> None:
        for name, request in REQUESTS.items():
            with contextlib.suppress(StoreError):
                request(store)
                continue
            refused.append(name)
        store.close()
        refused.append("close")

    with contextlib.ExitStack() as held:
        for lock in locks:
            held.enter_context(lock)
        monkeypatch.setattr(os, "getpid", lambda: -1)
        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        asking.join(10)
        monkeypatch.undo()
    store.close()  # here, where it was opened, it does close
    assert refused == [*REQUESTS, "close"]


@pytest.mark.requirement("ST-FILE-1")
@pytest.mark.parametrize("content", [b"", None])
def test_a_file_that_is_no_store_yet_becomes_one_only_when_asked(path: Path, content: bytes | None) -> None:
    """Nothing, or an empty database of SQLite's: whoever only reads is refused, and the file stays as it is."""
    path.touch()
    if content is None:
        with contextlib.closing(sqlite3.connect(path)) as sql:
            sql.execute("VACUUM")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="is empty, so it is none yet"):
        SqliteStore(path, create=False)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    SqliteStore(path).close()
    with SqliteStore(path, create=False) as store:
        assert store.stats().documents == 0


@pytest.mark.requirement("ST-FILE-1")
def test_a_missing_file_is_not_made_where_none_was_asked_for(path: Path) -> None:
    """Nor are the folders above it."""
    with pytest.raises(StoreError):
        SqliteStore(path.parent / "no" / "such.sqlite", create=False)
    assert list(path.parent.iterdir()) == []
