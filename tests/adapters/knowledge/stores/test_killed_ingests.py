"""Ingests killed at random moments lose and tear nothing.

The moment is drawn from a seed: a number of documents the ingest must have told to be stored, from none to all but one,
and a few milliseconds after that; where it is none, anything from before the store is made. What a process had printed,
it had been told was stored.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self, TextIO, TypeAlias

import pytest

from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path

INGESTS: Final = '''
import hashlib, json, os, random, sys, time
from pathlib import Path
from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.composition.knowledge import KnowledgeBase

class Digests:
    """Eight numbers of a text's digest, after a moment."""

    name, dimensions = "digests", 8

    def __init__(self, seed):
        self.delays = random.Random(seed)

    def embed_documents(self, texts):
        time.sleep(self.delays.random() * 0.003)
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text):
        return [byte - 127.5 for byte in hashlib.sha256(text.encode()).digest()[:8]]

def ingest(way, path, folder, seed):
    embedder = Digests(seed)
    print("begin", flush=True)
    if way == "ingest":
        with KnowledgeBase.open(path, embedder=embedder) as knowledge:
            told = lambda progress: progress.unit == "files" and print(progress.done, flush=True)
            knowledge.ingest(folder, on_progress=told)
    else:
        files = sorted(Path(folder).iterdir())
        with SqliteStore(path, embedder=embedder) as store:
            for at in range(0, len(files), 3):
                items = []
                for file in files[at : at + 3]:
                    parts = file.read_text().split("\\n\\n")
                    chunks = [Chunk(text=text, label=file.name, ordinal=n) for n, text in enumerate(parts)]
                    document = Document(scope_path="", origin=str(file), file=file.name, digest=parts[0])
                    items.append((document, chunks, embedder.embed_documents(parts)))
                store.put_many(items)
                print(at + len(items), flush=True)
    print("end", flush=True)

for line in sys.stdin:
    out, *request = json.loads(line)
    child = os.fork()
    if child == 0:
        os.dup2(os.open(out, os.O_WRONLY), 1)
        ingest(*request)
        os._exit(0)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
'''
FILES: Final = 45

Content: TypeAlias = "dict[str, list[tuple[object, ...]]]"
"""Passages with their vectors, by file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a killed ingest left.

    Attributes:
        killed: Whether it was still running when it was killed.
        acknowledged: How many documents it had reported as stored.
        stored: How many documents of this ingest are there.
        lost: Documents it had reported that are not there.
        torn: Documents that are neither as before nor as they should become.
        faults: What the store's own check says.
        completed: Whether another run makes of it what an ingest makes that nobody kills.
    """

    killed: bool
    acknowledged: int
    stored: int
    lost: tuple[str, ...]
    torn: tuple[str, ...]
    faults: tuple[str, ...]
    completed: bool


def write_files(folder: Path, version: int) -> None:
    """Files of a few passages, each with other words in every version."""
    folder.mkdir(exist_ok=True)
    for number in range(FILES):
        parts = [
            f"# Version {version} of file {number}",
            *(f"Part {at} of {number}, version {version}: " + "apple pear fig. " * 60 for at in range(1 + number % 4)),
        ]
        (folder / f"file{number:02}.md").write_text("\n\n".join(parts), encoding="utf-8")


def content(path: Path) -> Content:
    """Everything stored, whatever ids it has."""
    found: Content = {}
    with contextlib.closing(sqlite3.connect(path)) as sql:
        for file, *rest in sql.execute(
            """SELECT file, document.digest, document.chunks, ordinal, label, heading, text, hash, vector FROM chunk
            JOIN passage USING (id) LEFT JOIN vector USING (id) JOIN document ON document.id = document
            ORDER BY file, ordinal"""
        ):
            found.setdefault(file, []).append(tuple(rest))
    return found


class Ingests:
    """Makes processes that ingest: each is a copy of one that has imported everything and opened nothing.

    Args:
        folder: Where the pipe is made through which they tell what they have stored.
    """

    def __init__(self, folder: Path) -> None:
        self._pipe = folder / "told"
        os.mkfifo(self._pipe)
        self._maker = subprocess.Popen(
            [sys.executable, "-c", INGESTS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._maker.communicate()

    def start(self, way: str, store: Path, files: Path, seed: int) -> tuple[int, TextIO]:
        """Process id of a new ingest, and what it tells."""
        assert self._maker.stdin is not None
        assert self._maker.stdout is not None
        print(json.dumps([str(self._pipe), way, str(store), str(files), seed]), file=self._maker.stdin, flush=True)
        return int(self._maker.stdout.readline()), self._pipe.open(encoding="utf-8")

    def ended(self) -> int:
        """How the last one ended: as the exit code of a child process."""
        assert self._maker.stdout is not None
        return int(self._maker.stdout.readline())


class Killings:
    """Ingests of one kind, each into a store of its own.

    Args:
        ingests: What makes the processes.
        folder: Where everything is written.
        way: ``ingest`` for that of a knowledge base, ``put_many`` for that of a store.
        replacing: Whether the store already holds an older version of every document.
    """

    def __init__(self, ingests: Ingests, folder: Path, way: str, *, replacing: bool) -> None:
        self._ingests = ingests
        self._files = folder / "docs"
        self._store = folder / "store"
        self._before = folder / "before"
        self._way = way
        self.old: Content = {}
        if replacing:
            write_files(self._files, 1)
            self._run(self._before)
            self.old = content(self._before)
        write_files(self._files, 2)
        self._begin()
        self._run(self._store)
        self.new = content(self._store)

    def killed(self, seed: int) -> Outcome:
        """Kill one ingest, look at what is left, and let another one complete it."""
        self._begin()
        source = random.Random(seed)
        least = source.randrange(FILES)
        told: list[str] = []
        process, output = self._ingests.start(self._way, self._store, self._files, seed)
        with output:
            while _acknowledged(told) < least or not told:
                told.append(output.readline())
                assert told[-1], "it failed"
            time.sleep(source.random() * (0.03 if least else 0.4))
            with contextlib.suppress(ProcessLookupError):  # it has ended, which is counted
                os.kill(process, signal.SIGKILL)
            told += output.readlines()
        ended = self._ingests.ended()
        acknowledged = _acknowledged(told)
        with SqliteStore(self._store) as store:
            faults = store.check()
        found = content(self._store)
        self._run(self._store)
        with SqliteStore(self._store) as store:
            faults += store.check()
        names = sorted(self.new)
        return Outcome(
            killed=ended == -signal.SIGKILL,
            acknowledged=acknowledged,
            stored=sum(found.get(name) == self.new[name] for name in names),
            lost=tuple(name for name in names[:acknowledged] if found.get(name) != self.new[name]),
            torn=tuple(name for name in names if found.get(name) not in (self.old.get(name), self.new[name])),
            faults=faults,
            completed=content(self._store) == self.new,
        )

    def _begin(self) -> None:
        for file in self._store.parent.glob("store*"):
            file.unlink()
        for file in self._before.parent.glob("before*"):
            shutil.copy(file, file.with_name(file.name.replace("before", "store")))

    def _run(self, store: Path) -> None:
        """Let an ingest end."""
        _, output = self._ingests.start(self._way, store, self._files, 0)
        with output:
            assert output.read().endswith(f"{FILES}\nend\n")
        assert self._ingests.ended() == 0


def _acknowledged(told: list[str]) -> int:
    """The last number of documents told; a line that was cut says nothing."""
    return max((int(line) for line in told if line.endswith("\n") and line.strip().isdigit()), default=0)


def assert_nothing_is_lost(folder: Path, way: str, *, replacing: bool, first: int, kills: int) -> None:
    """Kill so many ingests, and some more where one has ended before."""
    outcomes: list[Outcome] = []
    with Ingests(folder) as ingests:
        killings = Killings(ingests, folder, way, replacing=replacing)
        assert len(killings.new) == FILES
        assert all(vector is not None for passages in killings.new.values() for *_, vector in passages)
        while sum(each.killed for each in outcomes) < kills:
            assert len(outcomes) < 10 * kills  # on a fast machine many have ended before
            outcomes.append(killings.killed(first + len(outcomes)))
    sys.stdout.write(
        f"{way}, {'replacing' if replacing else 'new'}: {kills} killed, "
        f"{sum(each.acknowledged for each in outcomes)} documents acknowledged, "
        f"{sum(each.stored for each in outcomes)} stored, {sum(len(each.lost) for each in outcomes)} lost, "
        f"{sum(len(each.torn) for each in outcomes)} torn\n"
    )
    for each in outcomes:
        assert (each.lost, each.torn, each.faults, each.completed) == ((), (), (), True)


@pytest.mark.slow
@pytest.mark.requirement("ST-CRASH-1")
def test_a_killed_ingest_loses_and_tears_no_document(tmp_path: Path) -> None:
    """What was reported is there with its vectors, the rest is as before, and another run completes it."""
    assert_nothing_is_lost(tmp_path, "ingest", replacing=True, first=0, kills=3)


@pytest.mark.corpora
@pytest.mark.requirement("ST-CRASH-1")
@pytest.mark.parametrize(
    ("way", "replacing", "first"),
    [("ingest", False, 100), ("ingest", True, 200), ("put_many", False, 300), ("put_many", True, 400)],
)
def test_of_many_killed_ingests_none_loses_or_tears_a_document(
    tmp_path: Path, way: str, *, replacing: bool, first: int
) -> None:
    """Fifty and more moments, in all ways."""
    assert_nothing_is_lost(tmp_path, way, replacing=replacing, first=first, kills=13)
