"""Full disks, files that can only be read, locks, damage, clocks that jump: an error that says which, or no effect."""

from __future__ import annotations

import ast
import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from symfonic.adapters.knowledge import stores
from symfonic.adapters.knowledge.ports import Chunk, Document, StoreError
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from symfonic.adapters.knowledge.ports import Embedder
    from symfonic.capabilities.knowledge import RetrievedFragment

ACME: Final = "tenant\x1facme"
BETA: Final = "tenant\x1fbeta"
WORDS: Final = ("apple", "pear", "fig", "plum", "手机", "quince", "date", "lemon", "olive")
PAGE: Final = 8_192
QUESTIONS: Final = ("apple fig", "手机", "nothing of it")

PARTS: Final = """
import atexit, os, resource, sys
import numpy
from symfonic.adapters.knowledge.ports import Chunk, Document, StoreError
from symfonic.adapters.knowledge.stores import _vectors
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

def document(name, passages):
    chunks = [Chunk(text=f"apple {name} {at} " * 50, label=name, ordinal=at) for at in range(passages)]
    return Document(scope_path="", origin=f"/{name}", file=name, digest="d"), chunks

def refused(request, *parts):
    try:
        request()
    except StoreError as error:
        assert all(part in str(error) for part in parts), error
    else:
        raise AssertionError("it was not refused")

def become_nobody():
    # Nobody may not read the interpreter's files here, and Python 3.13 imports this when a path becomes a URI.
    import urllib.parse
    # Until the end only: what measures coverage writes then.
    if os.geteuid() == 0:
        atexit.register(os.seteuid, 0)
        os.setgroups([])
        os.setegid(65534)
        os.seteuid(65534)
"""


def run(script: str, *arguments: object) -> None:
    """Run a script in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", PARTS + script, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONDONTWRITEBYTECODE": "1"},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def fill(path: Path, embedder: Embedder | None, documents: int = 20) -> None:
    """A store of some documents at three scopes, five passages each."""
    source = random.Random(1)
    with SqliteStore(path, embedder=embedder) as store:
        store.put_many(
            (
                Document(scope_path=scope, origin=f"/d/{number}", file=f"f{number}", digest="d", kind="text"),
                [
                    Chunk(
                        text=" ".join(source.choices(WORDS, k=30)), label=f"f{number} {at}", ordinal=at, heading="Fruit"
                    )
                    for at in range(5)
                ],
                None,
            )
            for scope in ("", ACME, BETA)
            for number in range(documents)
        )


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory, embedder_of_module: Embedder) -> bytes:
    """The bytes of a closed store with vectors."""
    path = tmp_path_factory.mktemp("sound") / "store"
    fill(path, embedder_of_module)
    return path.read_bytes()


def asked(store: SqliteStore) -> list[list[RetrievedFragment]]:
    """Answers to every question from every scope."""
    return [list(store.search(question, 4, scope_path=scope)) for question in QUESTIONS for scope in ("", ACME, BETA)]


def requests(store: SqliteStore) -> Iterator[Callable[[], object]]:
    """Everything a store can be asked and told."""
    document = Document(scope_path=ACME, origin="/d/3", file="f3", digest="e")
    yield lambda: asked(store)
    yield lambda: list(store.chunks())
    yield store.stats
    yield lambda: store.known_vectors(["Fruit", WORDS[0]])
    yield lambda: store.put(document, [Chunk(text="apple pie", label="a", ordinal=0)])
    yield store.embed
    yield lambda: store.forget("f1", scope_path=ACME)
    yield lambda: store.remove([document])
    yield lambda: store.forget_scope(BETA)
    yield lambda: store.embed(anew=True)
    yield store.vacuum


# ------------------------------------------------------------------------------------------------ space, permission


@pytest.mark.requirement("ST-FAULT-1")
def test_a_file_that_cannot_grow_changes_nothing_and_goes_on_when_it_can(path: Path) -> None:
    """The system refuses to write beyond a size: the document is absent, the rest is there, and later it is stored."""
    run(
        """
store = SqliteStore(sys.argv[1])
store.put(*document("a", 20))
log = os.stat(sys.argv[1] + "-wal").st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (log + 50_000, resource.RLIM_INFINITY))
refused(lambda: store.put(*document("b", 400)), "stored whole or not at all", "nothing was changed")
assert (store.revision(), store.stats().documents, store.check()) == (1, 1, ())
assert len(store.search("apple", 100)) == 20
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
store.put(*document("b", 400))
assert (store.revision(), store.stats().documents, store.check()) == (2, 2, ())
""",
        path,
    )


@pytest.mark.requirement("ST-FAULT-1")
def test_a_full_disk_takes_no_vector_away(path: Path, embedder: Embedder) -> None:
    """Neither where a document is replaced nor where everything is embedded anew."""
    fill(path, embedder, 2)
    with SqliteStore(path, embedder=embedder) as store:
        before = asked(store)
        with store._connections.alone() as sql:
            pages = sql.execute("PRAGMA page_count").fetchone()[0]
            sql.execute(f"PRAGMA max_page_count = {pages + 1}")
        chunks = [Chunk(text=f"apple {at} " * 50, label="a", ordinal=at) for at in range(100)]
        document = Document(scope_path="", origin="/d/1", file="f1", digest="e")
        with pytest.raises(StoreError, match="the disk is full and nothing was changed"):
            store.put(document, chunks)
        assert asked(store) == before
        assert store.check() == ()
        with store._connections.alone() as sql:
            sql.execute("PRAGMA max_page_count = 100000")
        store.put(document, chunks)
        assert store.check() == ()


@pytest.mark.requirement("ST-FAULT-2")
@pytest.mark.parametrize(("file", "folder"), [(0o444, 0o555), (0o000, 0o777), (0o666, 0o555)])
def test_what_may_not_be_written_is_refused_and_stays(file: int, folder: int) -> None:
    """By an account whose permissions are looked at: those of root are not."""
    place = Path(tempfile.mkdtemp())
    try:
        path = place / "store"
        fill(path, None, 2)
        before = path.read_bytes()
        path.chmod(file)
        place.chmod(folder)
        run(
            """
become_nobody()
refused(lambda: SqliteStore(sys.argv[1]), "nothing was changed", "permissions")
refused(lambda: SqliteStore(sys.argv[1], create=False), "nothing was changed", "permissions")
""",
            path,
        )
        place.chmod(0o700)
        path.chmod(0o600)
        assert path.read_bytes() == before
        with SqliteStore(path) as store:
            assert (store.stats().documents, store.check()) == (6, ())
    finally:
        place.chmod(0o700)
        shutil.rmtree(place)


@pytest.mark.requirement("ST-FAULT-2")
def test_a_read_only_file_in_a_folder_that_can_be_written_is_searched_and_not_changed() -> None:
    """SQLite opens it for reading; its log takes nothing."""
    place = Path(tempfile.mkdtemp())
    try:
        path = place / "store"
        fill(path, None, 2)
        before = path.read_bytes()
        path.chmod(0o444)
        place.chmod(0o777)
        run(
            """
become_nobody()
store = SqliteStore(sys.argv[1])
assert len(store.search("apple fig", 3)) >= 3
refused(lambda: store.put(*document("a", 1)), "read-only and nothing was changed; change its permissions")
refused(lambda: store.forget_scope(""), "read-only and nothing was changed; change its permissions")
store.close()
""",
            path,
        )
        assert path.read_bytes() == before
    finally:
        shutil.rmtree(place)


@pytest.mark.requirement("ST-FAULT-2")
@pytest.mark.parametrize("lock", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_a_lock_of_another_process_delays_no_reader_and_is_named_to_a_writer(
    path: Path, embedder: Embedder, lock: str
) -> None:
    """Held for longer than the busy timeout, and then given up."""
    fill(path, embedder, 2)
    script = f"import sqlite3; sql = sqlite3.connect({str(path)!r}); sql.execute({lock!r}); print(flush=True); input()"
    with (
        SqliteStore(path, busy_timeout=0.05, embedder=embedder) as store,
        subprocess.Popen(
            [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as other,
    ):
        assert other.stdin is not None
        assert other.stdout is not None
        before = asked(store)
        other.stdout.readline()
        document = Document(scope_path="", origin="/x", file="x", digest="d")
        for request in (
            lambda: store.put(document, []),
            lambda: store.remove([document]),
            lambda: store.embed(anew=True),
            store.vacuum,
            store.check,
        ):
            with pytest.raises(StoreError, match="held the store for longer than the busy timeout and nothing was"):
                request()
        with SqliteStore(path, busy_timeout=0.05, embedder=embedder) as second:
            assert asked(second) == asked(store) == before
        other.communicate("\n")
        store.put(document, [])
        assert store.check() == ()


# ---------------------------------------------------------------------------------------------------------- damage


def root_of(path: Path, table: str) -> int:
    """Number of the first page of a table, from 0."""
    with contextlib.closing(sqlite3.connect(path)) as sql:
        return int(sql.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]) - 1


def flipped(table: str) -> Callable[[Path], None]:
    """Every byte of what describes a table's first page is turned round."""

    def damage(path: Path) -> None:
        data = bytearray(path.read_bytes())
        at = root_of(path, table) * PAGE
        data[at : at + 100] = bytes(byte ^ 0xFF for byte in data[at : at + 100])
        path.write_bytes(data)

    return damage


def emptied(path: Path) -> None:
    """The pages of the second half hold zeros."""
    data = path.read_bytes()
    half = len(data) // PAGE // 2 * PAGE
    path.write_bytes(data[:half] + bytes(len(data) - half))


def cut(path: Path) -> None:
    """The last pages are gone."""
    os.truncate(path, path.stat().st_size - 3 * PAGE)


def changed(statement: str) -> Callable[[Path], None]:
    """Something in a table is no longer what was written."""

    def damage(path: Path) -> None:
        with contextlib.closing(sqlite3.connect(path)) as sql:
            sql.execute(statement)
            sql.commit()

    return damage


def reindexed(path: Path) -> None:
    """Pairs of characters no passage has, and an index that agrees with them: every number is as it was."""
    for statement in (
        "UPDATE passage SET pieces = replace(pieces, '手机', '手手')",
        "INSERT INTO passage_index(passage_index) VALUES ('rebuild')",
    ):
        changed(statement)(path)


@pytest.mark.requirement("ST-FAULT-3")
@pytest.mark.parametrize(
    "damage",
    [
        *(flipped(table) for table in ("chunk", "passage", "document", "scope", "vector", "vector_hash")),
        flipped("passage_index_data"),
        flipped("passage_index_idx"),
        emptied,
        cut,
        reindexed,
        changed("UPDATE passage_index_data SET block = zeroblob(length(block)) WHERE id > 10"),
        changed("DELETE FROM passage_index_data WHERE id > 10"),
        changed("UPDATE vector SET vector = CAST(vector AS TEXT) WHERE id % 3 = 0"),
        changed("UPDATE vector SET vector = 7 WHERE id = 1 << 32"),
        changed("UPDATE vector SET vector = substr(vector, 1, 60)"),
        changed("UPDATE vector SET vector = CAST(x'0000C07F' || substr(vector, 5) AS BLOB)"),
        changed("UPDATE vector SET vector = CAST(x'0000803F' || substr(vector, 5) AS BLOB)"),
        changed("UPDATE passage SET text = CAST(text AS BLOB) WHERE id % 2"),
        changed("UPDATE passage SET label = CAST(x'ff' AS TEXT)"),
        changed("UPDATE passage SET heading = x'ff', text = 7"),
        changed("UPDATE chunk SET text_tokens = 'many'"),
        changed("UPDATE document SET chunks = 'many', characters = x'00'"),
        changed("UPDATE scope SET chunks = 'many' WHERE path <> ''"),
        changed("UPDATE scope SET path = 'tenant' WHERE path = ''"),
        changed("UPDATE scope SET embedded = 'often', context_tokens = x'00'"),
        changed("UPDATE state SET revision = 'late'"),
        changed("UPDATE state SET dimensions = 'wide'"),
        changed("UPDATE state SET dimensions = 1000000000"),
        changed("UPDATE vector SET vector = zeroblob(100000) WHERE id % 3 = 0"),
        changed("UPDATE passage_index_docsize SET sz = 'x'"),
    ],
)
def test_damage_is_named_by_the_check_and_never_another_error(
    sound: bytes, path: Path, embedder: Embedder, damage: Callable[[Path], None]
) -> None:
    """Each request answers or raises the store's error; where the store cannot even be opened, that says it."""
    path.write_bytes(sound)
    damage(path)
    try:
        store = SqliteStore(path, embedder=embedder)
    except StoreError as error:
        assert "damaged" in str(error)  # noqa: PT017 - which of two outcomes it is does not matter
        return
    with contextlib.closing(store):
        faults = store.check()
        assert faults
        assert all(fault.endswith(".") for fault in faults)
        for request in requests(store):
            with contextlib.suppress(StoreError):
                request()


@pytest.mark.requirement("ST-FAULT-3")
def test_bytes_changed_at_random_cause_no_other_error_and_no_other_row_unnoticed(
    sound: bytes, path: Path, embedder: Embedder
) -> None:
    """Where an answer has other rows than before, the check finds something as well."""
    path.write_bytes(sound)
    with SqliteStore(path, embedder=embedder) as store:
        assert store.check() == ()
        wanted = [[(row.source, row.content) for row in rows] for rows in asked(store)]
    refused = differing = 0
    for seed in range(12):
        source = random.Random(seed)
        data = bytearray(sound)
        for _ in range(1 + seed % 4):
            page = source.randrange(len(data) // PAGE) * PAGE
            data[page + source.randrange(source.choice((100, PAGE)))] ^= 1 << source.randrange(8)
        path.write_bytes(data)
        try:
            store = SqliteStore(path, embedder=embedder)
        except StoreError:
            refused += 1
            continue
        with contextlib.closing(store):
            faults = store.check()
            found: list[list[tuple[str, str]]] | None = None
            with contextlib.suppress(StoreError):
                found = [[(row.source, row.content) for row in rows] for rows in asked(store)]
            if found != wanted:
                differing += 1
                assert faults, seed
            for request in requests(store):
                with contextlib.suppress(StoreError):
                    request()
    assert refused + differing >= 2


@pytest.mark.requirement("ST-FAULT-3")
def test_a_message_that_quotes_damaged_bytes_is_damage_as_well(path: Path) -> None:
    """SQLite names what it cannot parse, and Python cannot decode the name."""
    fill(path, None, 1)
    data = path.read_bytes()
    path.write_bytes(data.replace(b"CREATE TABLE document(", b"CREATE TABLE document(\xcd", 1))
    with pytest.raises(StoreError, match="this one is damaged"):
        SqliteStore(path)
    path.write_bytes(data)
    with (
        SqliteStore(path) as store,
        pytest.raises(StoreError, match="this one is damaged") as caught,
        store._connections.reading(),
    ):
        b"\xcd".decode()
    assert isinstance(caught.value.__cause__, UnicodeDecodeError)


@pytest.mark.requirement("ST-FAULT-3")
@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.99])
def test_a_log_that_was_cut_takes_back_whole_documents_only(
    path: Path, tmp_path: Path, embedder: Embedder, share: float
) -> None:
    """As after a power cut: the file and a part of its log are what is left."""
    left = tmp_path / "left"
    with SqliteStore(path, embedder=embedder) as store:
        for number in range(10):
            chunks = [Chunk(text=f"apple {number} {at}", label="a", ordinal=at) for at in range(8)]
            store.put(Document(scope_path="", origin=str(number), file="f", digest="d"), chunks)
        shutil.copy(path, left)
        log = path.with_name(f"{path.name}-wal").read_bytes()
    left.with_name("left-wal").write_bytes(log[: int(len(log) * share)])
    # What is not in the log is in the file at the latest when tables were made, unless nothing of them was.
    with SqliteStore(left, embedder=embedder) as store:
        assert store.check() == ()
        stats = store.stats()
        assert stats.chunks == stats.vectors == 8 * stats.documents
        assert [record.document.origin for record in store.documents()] == [str(at) for at in range(stats.documents)]


@pytest.mark.requirement("ST-FAULT-3")
@pytest.mark.parametrize(
    "damage",
    [
        "CAST(vector AS TEXT)",
        "7",
        "substr(vector, 1, 60)",
        "CAST(x'0000C07F' || substr(vector, 5) AS BLOB)",
        "CASE id % 2 WHEN 0 THEN zeroblob(60) ELSE zeroblob(68) END",
    ],
)
def test_what_is_no_vector_counts_as_none_and_is_never_copied(
    sound: bytes, path: Path, embedder: Embedder, damage: str
) -> None:
    """Of whatever kind and size; the same text stored again is embedded again, and embedding mends the rest."""
    path.write_bytes(sound)
    changed(f"UPDATE vector SET vector = {damage}")(path)
    with SqliteStore(path, embedder=embedder) as store:
        texts = [f"Fruit\n{row.chunk.text}" for row in store.chunks(scope_path=ACME)]
        assert store.search("apple", 3)
        assert store.known_vectors(texts, scope_path=ACME) == [None] * len(texts)
        row = next(iter(store.chunks(scope_path=ACME)))
        document = Document(scope_path="tenant\x1fnew", origin="/new", file="new", digest="d")
        store.put(document, [row.chunk])
        assert [fault for fault in store.check() if "There should be no vectors" in fault]
        assert store.embed() == store.stats().chunks - 1
        assert store.check() == ()


# ----------------------------------------------------------------------------------------------------------- clocks


CLOCKS: Final = {"time", "datetime", "random", "secrets", "uuid"}
ODD: Final = {
    "_lancedb_shelf.py": {"timedelta"},  # how long, and not when
    "_qdrant_values.py": {"UUID"},  # of digests
    "_qdrant_writing.py": {"UUID"},
    "chroma.py": {"uuid4"},  # what a caller may give instead; a name that nobody else has
    "qdrant.py": {"time", "uuid4"},  # likewise
}
"""What a store takes of clocks and chance beside time that never goes back; nothing in the embedded one."""


@pytest.mark.requirement("ST-FAULT-4")
def test_the_store_asks_no_clock_but_one_that_never_goes_back() -> None:
    """Neither in Python nor in SQL; stores in other engines only where it is a default that a caller may replace."""
    used: dict[str, set[str]] = {}
    for file in sorted(Path(stores.__path__[0]).glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in CLOCKS:
                used.setdefault(file.name, set()).add(node.attr)
            elif isinstance(node, ast.ImportFrom) and node.module in CLOCKS:
                used.setdefault(file.name, set()).update(alias.name for alias in node.names)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                upper = node.value.upper()
                assert not any(name in upper for name in ("CURRENT_T", "CURRENT_D", "STRFTIME", "JULIANDAY")), file
    assert {name: rest for name, found in used.items() if (rest := found - {"monotonic", "sleep"})} == ODD


@pytest.mark.requirement("ST-FAULT-4")
def test_a_clock_that_jumps_changes_no_byte(
    sound: bytes, path: Path, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Years ahead and back again, between any two questions for the time."""
    jumps = random.Random(1)
    monkeypatch.setattr(time, "time", lambda: jumps.uniform(-1e9, 1e11))
    monkeypatch.setattr(time, "time_ns", lambda: jumps.randrange(-(10**18), 10**19))
    fill(path, embedder)
    assert path.read_bytes() == sound
