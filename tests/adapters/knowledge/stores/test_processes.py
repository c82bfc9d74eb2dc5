"""Several processes at one store: what they store together and read of it, and an old store they open at once."""

from __future__ import annotations

import contextlib
import json
import os
import random
import runpy
import signal
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document, StoreError
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from symfonic.adapters.knowledge.ports import Embedder

VERSION_1: Final = runpy.run_path(str(Path(__file__).with_name("test_migration.py")))["VERSION_1"]
ACME: Final = "tenant\x1facme"
BETA: Final = "tenant\x1fbeta"
QUESTIONS: Final = ("w1 w2 w3", "same", "w7", "zorkmid w4 w4 w9", "w0 w5 w10 w15 w20", "zorkmid")

SCRIPT: Final = """
import json, random, runpy, sys
from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

embedder = runpy.run_path(sys.argv[1])["HashedWords"]()
with SqliteStore(sys.argv[2], embedder=embedder) as store:
    print("open", flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        if isinstance(request, str):
            rows = store.search(request, 5, scope_path="tenant\\x1facme")
            answer = [[row.source, row.content, row.score.hex()] for row in rows]
        else:
            scope, name, texts = request
            chunks = [Chunk(text=text, label=name, ordinal=at) for at, text in enumerate(texts)]
            store.put(Document(scope_path=scope, origin=name, file=name, digest="d"), chunks)
            answer = name
        print(json.dumps(answer), flush=True)
"""


class Process:
    """Another process that has the store open."""

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(Path(__file__).with_name("conftest.py")), str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )

    def __enter__(self) -> Self:
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "open\n"
        return self

    def __exit__(self, *error: object) -> None:
        self._process.communicate()
        assert self._process.returncode == 0

    def ask(self, requests: list[Any]) -> list[Any]:
        """Everything at once, so that the process never waits for this one."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("".join(f"{json.dumps(request)}\n" for request in requests))
        self._process.stdin.flush()
        return [json.loads(self._process.stdout.readline()) for _ in requests]


def documents(count: int) -> list[list[Any]]:
    """Scope, name and texts of documents, some of whose passages tie."""
    source = random.Random(3)
    made = []
    for number in range(count):
        texts = [" ".join(f"w{source.randrange(30)}" for _ in range(8)) for _ in range(1 + number % 3)]
        made.append([("", ACME, BETA)[number % 3], f"/{number}", ["w1 w2 same"] if number % 7 == 0 else texts])
    return made


def put(store: SqliteStore, request: list[Any]) -> None:
    """Store one of them."""
    scope, name, texts = request
    chunks = [Chunk(text=text, label=name, ordinal=at) for at, text in enumerate(texts)]
    store.put(Document(scope_path=scope, origin=name, file=name, digest="d"), chunks)


def answers(store: SqliteStore) -> list[list[list[str]]]:
    """What the other process tells as well."""
    return [
        [[row.source, row.content, row.score.hex()] for row in store.search(question, 5, scope_path=ACME)]
        for question in QUESTIONS
    ]


@pytest.mark.requirement("ST-CRASH-2")
def test_two_processes_that_write_vectors_at_once_leave_what_one_would(
    path: Path, tmp_path: Path, embedder: Embedder
) -> None:
    """Both complete, nothing is lost, and answers are equal to the bit."""
    wanted = documents(60)
    with SqliteStore(tmp_path / "one", embedder=embedder) as one:
        for request in wanted:
            put(one, request)
        expected = answers(one)
    with Process(path) as left, Process(path) as right, ThreadPoolExecutor(2) as pool:
        told = list(pool.map(Process.ask, (left, right), (wanted[::2], wanted[::-1][::2])))
        assert told == [[request[1] for request in half] for half in (wanted[::2], wanted[::-1][::2])]
    with SqliteStore(path, embedder=embedder) as both:
        assert both.check() == ()
        assert answers(both) == expected
        stats = both.stats()
        assert (stats.documents, stats.vectors, both.revision()) == (60, stats.chunks, 60)


@pytest.mark.requirement("ST-THREAD-2")
def test_threads_and_processes_answer_alike_while_another_one_commits(path: Path, embedder: Embedder) -> None:
    """One thread, eight and two processes, to the bit, while a neighbour's documents come, change and go."""
    with SqliteStore(path, embedder=embedder) as store:
        for request in documents(60):
            put(store, request)
        expected = answers(store)
        done = threading.Event()

        def write() -> int:
            turn = 0
            while not done.is_set():
                turn += 1
                put(store, [BETA, f"/new{turn % 4}", [f"w1 w2 same turn{turn}", "w7 zorkmid"]])
                if turn % 5 == 0:
                    store.forget("/new1", scope_path=BETA)
            return turn

        with Process(path) as left, Process(path) as right, ThreadPoolExecutor(11) as pool:
            writer = pool.submit(write)
            try:
                processes = [pool.submit(each.ask, list(QUESTIONS) * 5) for each in (left, right)]
                threads = [pool.submit(answers, store) for _ in range(40)]
                assert [thread.result() for thread in threads] == [expected] * 40
                assert [process.result() for process in processes] == [expected * 5] * 2
                assert answers(store) == expected
            finally:
                done.set()
            assert writer.result() > 1


# --------------------------------------------------------------------------------------------------------- tenants


@pytest.mark.requirement("ST-HYB-3")
def test_among_many_uneven_tenants_each_finds_all_of_its_own_and_nothing_else(path: Path, embedder: Embedder) -> None:
    """The nearest of each tenant's vectors, computed one by one: recall 1.0, and no row of others."""
    sizes = [1, 2, 3, 5, 8, 13, 40, 120] + [4] * 12
    texts = {
        f"tenant\x1ft{tenant}": [f"t{tenant} word{number} word{number % 7}" for number in range(size)]
        for tenant, size in enumerate(sizes)
    }
    question = embedder.embed_query("word3 word5")

    def cosine(text: str) -> float:
        vector = embedder.embed_query(text)
        square = sum(a * a for a in vector) * sum(a * a for a in question)
        return sum(a * b for a, b in zip(vector, question, strict=True)) / float(square**0.5)

    with SqliteStore(path, embedder=embedder, vector_cache_bytes=20_000) as store:
        for turn in range(max(sizes)):
            for scope, own in texts.items():
                put(store, [scope, f"/{turn}", own[turn : turn + 1]])
        for scope, own in texts.items():
            nearest = sorted((text for text in own if cosine(text) > 0), key=cosine, reverse=True)[:10]
            rows = store.search("zorkmid", 10, scope_path=scope, vector=question)
            assert [row.content for row in rows] == nearest
            assert {row.metadata["scope_path"] for row in rows} <= {scope}
            everything = store.search("zorkmid word0 word1 word2 word3 word4 word5 word6", 1000, scope_path=scope)
            assert {row.content for row in everything} <= set(own)
            assert {row.metadata["scope_path"] for row in everything} == {scope}


@pytest.mark.requirement("ST-HYB-4")
def test_a_forgotten_tenant_leaves_nothing_in_memory_for_the_next(path: Path, embedder: Embedder) -> None:
    """Tenants come and go, in this process and in another, and ids of documents are used again."""
    with SqliteStore(path, embedder=embedder) as store, SqliteStore(path, embedder=embedder) as other:
        seen = []
        for turn in range(12):
            scope = f"tenant\x1f{'abc'[turn % 3]}"
            writer, reader = (store, other) if turn % 2 else (other, store)
            put(writer, [scope, "/only", [f"w1 secret{turn}", f"w2 secret{turn}"]])
            for each in (writer, reader):
                rows = each.search("w1 secret0 secret1 secret2", 9, scope_path=scope)
                assert {row.content for row in rows} <= {f"w1 secret{turn}", f"w2 secret{turn}"}
                assert f"w1 secret{turn}" in {row.content for row in rows}
                seen.append(len(rows))
            writer.forget_scope(scope)
            assert list(reader.search("w1", 9, scope_path=scope)) == []
            if turn % 4 == 3:
                writer.vacuum()
        assert len(seen) == 24
        assert store.check() == ()


# ------------------------------------------------------------------------------------------------------- migration

OPENER: Final = """
import sys
from symfonic.adapters.knowledge.ports import StoreError
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

print("begin", flush=True)
try:
    with SqliteStore(sys.argv[1], busy_timeout=float(sys.argv[2])) as store:
        print(store.revision(), len(store.check()), store.stats().chunks, flush=True)
except StoreError as error:
    print(error, flush=True)
"""
PASSAGES: Final = 600


def start_opener(path: Path, busy_timeout: float) -> subprocess.Popen[str]:
    """Another process that opens the store, which brings it up to date, and says what it found."""
    return subprocess.Popen(
        [sys.executable, "-c", OPENER, str(path), str(busy_timeout)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


@pytest.fixture(scope="module")
def old_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A store of schema 1 with so much in it that bringing it up to date takes a while."""
    path = tmp_path_factory.mktemp("old") / "store"
    with contextlib.closing(sqlite3.connect(path)) as sql:
        sql.execute("PRAGMA journal_mode = WAL")
        for statement in VERSION_1:
            sql.execute(statement)
        text = "apples and pears 手机 " * 12
        sql.execute("INSERT INTO document VALUES (1,1,'a','/a','d','text',9,?,?)", (PASSAGES, PASSAGES * len(text)))
        base = 1 << 32
        rows = range(base, base + PASSAGES)
        sql.executemany("INSERT INTO passage VALUES (?,'a','','a',?)", ((at, text) for at in rows))
        sql.execute("INSERT INTO passage_index(rowid, context, text) SELECT id, context, text FROM passage")
        sql.executemany("INSERT INTO chunk VALUES (?,1,?,NULL,1,48)", ((at, at - base) for at in rows))
        sql.execute("INSERT INTO scope VALUES (1,'',?,?,?,?)", (PASSAGES, PASSAGES, PASSAGES, PASSAGES * 48))
        sql.commit()
    return path.read_bytes()


def version(path: Path) -> int:
    """The schema the file says it has."""
    with contextlib.closing(sqlite3.connect(path)) as sql:
        return int(sql.execute("PRAGMA user_version").fetchone()[0])


KILLED: Final = """
import os, signal, sys
from symfonic.adapters.knowledge.stores import _schema
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

def killed(sql, path, migrate=_schema._migrate):
    sql.execute("PRAGMA cache_size = 100")  # what is changed reaches the log long before the end
    sql.set_trace_callback(lambda statement: statement.startswith(sys.argv[2]) and os.kill(os.getpid(), signal.SIGKILL))
    migrate(sql, path)
    os.kill(os.getpid(), signal.SIGKILL)

_schema._migrate = killed
SqliteStore(sys.argv[1])
"""


@pytest.mark.slow
@pytest.mark.requirement("ST-MIG-1")
def test_a_process_killed_while_it_brings_a_store_up_to_date_leaves_the_old_or_the_new_one(
    old_bytes: bytes, path: Path
) -> None:
    """Before each of these statements, and behind the last; whoever opens it next completes it."""
    moments = {
        "DROP TABLE passage_index": 1,
        "INSERT INTO passage_index(passage_index) VALUES ('rebuild')": 1,
        "COMMIT": 1,
        "behind the last": 2,
    }
    found = {}
    for moment in moments:
        for file in path.parent.iterdir():
            file.unlink()
        path.write_bytes(old_bytes)
        process = subprocess.run(
            [sys.executable, "-c", KILLED, str(path), moment],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            check=False,
        )
        assert process.returncode == -signal.SIGKILL
        found[moment] = version(path)
        with contextlib.closing(sqlite3.connect(path)) as sql:
            assert sql.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert sql.execute("SELECT revision FROM state").fetchall() == [({1: 3, 2: 4}[found[moment]],)]
        with SqliteStore(path) as store:
            assert (store.revision(), store.check(), store.stats().chunks) == (4, (), PASSAGES)
            assert len(store.search("手机 apple", 1)) == 257
    assert found == moments


@pytest.mark.slow
@pytest.mark.requirement("ST-MIG-1")
def test_of_two_processes_that_open_an_old_store_one_brings_it_up_to_date(old_bytes: bytes, path: Path) -> None:
    """The other one waits, and both find the same."""
    path.write_bytes(old_bytes)
    processes = [start_opener(path, 60) for _ in range(2)]
    for process in processes:
        told, _ = process.communicate()
        assert told == f"begin\n4 0 {PASSAGES}\n"
    assert version(path) == 2


@pytest.mark.requirement("ST-MIG-1")
def test_whoever_waited_in_vain_for_an_old_store_is_told_what_may_be_going_on(old_bytes: bytes, path: Path) -> None:
    """Another process holds it for longer than the busy timeout; afterwards it opens."""
    path.write_bytes(old_bytes)
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="schema 1 is brought up to schema 2 by the first that opens it") as caught:
            SqliteStore(path, busy_timeout=0.05)
        assert str(path) in str(caught.value)
        other.rollback()
    assert version(path) == 1
    with SqliteStore(path, busy_timeout=0.05) as store:
        assert store.revision() == 4
