"""Ingestion with several workers: nothing but time depends on how many there are."""

from __future__ import annotations

import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.extractors import detection
from symfonic.adapters.knowledge.extractors.isolation import ExtractionLimits, ExtractionPool, IsolatedExtractor
from symfonic.adapters.knowledge.extractors.plain import PlainTextExtractor
from symfonic.adapters.knowledge.ports import Extraction, Extractor, Section
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.composition.knowledge.ingestion import IngestProgress, IngestReport, IngestStoppedError, ingest

from .conftest import GroupingStore, LetterEmbedder, MemoryStore, VectorMemoryStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# A worker that reads text: it dies of "die", and takes longer over "slow" than over anything else.
READING = (
    "import os, sys, json, time; i=sys.stdin.buffer\n"
    "def frame():\n"
    "    head=i.read(8)\n"
    "    if len(head)<8: sys.exit()\n"
    "    return i.read(int.from_bytes(head,'big'))\n"
    "def say(*parts):\n"
    "    for b in parts: sys.stdout.buffer.write(len(b).to_bytes(8,'big')+b)\n"
    "    sys.stdout.buffer.flush()\n"
    "say(b'{\"protections\": []}')\n"
    "while True:\n"
    "    number=json.loads(frame())[2]; data=frame()\n"
    "    if b'die' in data: os.abort()\n"
    "    if b'forever' in data: time.sleep(60)\n"
    "    if b'slow' in data: time.sleep(0.3)\n"
    "    say(json.dumps({'sections': [[len(data), [], 1]], 'request': number}).encode(), data)\n"
)
COMMAND = (sys.executable, "-S", "-c", READING)


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """Files that other processes read among some that are read here, a slow one and one that is fatal in the middle."""
    folder = tmp_path / "mixed"
    folder.mkdir()
    for number in range(40):
        (folder / f"{number:02}.{('txt', 'csv', 'tsv')[number % 3]}").write_text(f"Words {number}.\n\n" * (number + 1))
    (folder / "19.csv").write_text("slow")
    (folder / "20.tsv").write_text("die")
    (folder / "22.csv").write_text("")
    return folder


def run(store: Any, folder: Path, workers: int, **more: Any) -> IngestReport:
    """Ingest with a pool of so many."""
    with ExtractionPool(workers=workers, command=COMMAND, limits=ExtractionLimits(seconds=20)) as pool:
        apart = {kind: IsolatedExtractor(kind, pool, version="1") for kind in ("csv", "tsv")}
        readers: dict[str, Extractor] = {"text": PlainTextExtractor(), **apart}
        return ingest(store, [folder], extractors=readers, workers=workers, **more)


def own_threads() -> list[str]:
    """Threads of a run."""
    return [thread.name for thread in threading.enumerate() if thread.name == "symfonic-knowledge-ingest"]


def content(store: Any) -> list[Any]:
    """Everything that is stored."""
    return [(held.document, held.chunk) for held in store.chunks()]


@pytest.mark.requirement("IN-WORK-1")
@pytest.mark.usefixtures("deadline")
def test_what_is_stored_and_told_does_not_depend_on_the_number_of_workers(mixed: Path, tmp_path: Path) -> None:
    """Documents with their digests, passages, labels, groups, progress, report, order; a store in a file as well."""
    seen = []
    for workers in (1, 2, 8):
        store = GroupingStore()
        told: list[IngestProgress] = []
        report = run(store, mixed, workers, on_progress=told.append)
        file = SqliteStore(tmp_path / f"{workers}.db")
        run(file, mixed, workers)
        seen.append((content(store), store.groups, report, told, content(file)))
        file.close()
    assert seen[0][2].counts() == {"ingested": 38, "empty": 1, "failed": 1}
    assert [item.file for item in seen[0][2].items] == sorted(path.name for path in mixed.iterdir())
    assert seen[1] == seen[0]
    assert seen[2] == seen[0]


@pytest.mark.requirement("IN-WORK-1")
@pytest.mark.usefixtures("deadline")
def test_vectors_do_not_depend_on_the_number_of_workers(mixed: Path) -> None:
    """The stages behind extraction get the same documents in the same order."""
    seen = []
    for workers in (1, 2):
        store = VectorMemoryStore(LetterEmbedder())
        report = run(store, mixed, workers)
        seen.append((content(store), store.vectors, store.embedder.texts, report))
    assert len(seen[0][1]) > 30
    assert seen[1] == seen[0]


class Meeting:
    """A text extractor that is done only when as many files are being read as shall meet."""

    concurrent = True

    def __init__(self, count: int) -> None:
        self.barrier = threading.Barrier(count, timeout=5)

    def extract(self, data: bytes, *, name: str) -> Extraction:
        self.barrier.wait()
        return Extraction(kind="text", sections=(Section(text=data.decode()),))


@pytest.mark.requirement("IN-WORK-1")
@pytest.mark.usefixtures("deadline")
def test_as_many_files_are_extracted_at_once_as_there_are_workers(memory_store: MemoryStore, tmp_path: Path) -> None:
    """Where their extractor says that it may be called so; one that does not is called by one thread only."""
    for number in range(6):
        (tmp_path / f"{number}.txt").write_text("Words.")
    assert ingest(memory_store, [tmp_path], extractors={"text": Meeting(3)}, workers=3).ok
    alone = Meeting(1)
    alone.concurrent = False
    threads: set[int] = set()
    alone.barrier = threading.Barrier(1, action=lambda: threads.add(threading.get_ident()))
    ingest(MemoryStore(), [tmp_path], extractors={"text": alone}, workers=3)
    assert threads == {threading.get_ident()}


@pytest.mark.requirement("IN-WORK-2")
@pytest.mark.usefixtures("deadline")
def test_a_store_that_fails_or_an_interrupt_ends_a_run_with_workers_as_one_without(mixed: Path) -> None:
    """What was stored until then is the same and stays, and no thread is left."""
    seen = []

    def stop(progress: IngestProgress) -> None:
        if progress.done == 10:
            raise KeyboardInterrupt

    for workers in (1, 4):
        failing, stopped = MemoryStore(fail_after=7), MemoryStore()
        with pytest.raises(IngestStoppedError, match="ended after 7 of 40 files: the disk is full") as caught:
            run(failing, mixed, workers)
        with pytest.raises(KeyboardInterrupt):
            run(stopped, mixed, workers, on_progress=stop)
        seen.append((caught.value.report, content(failing), content(stopped)))
        assert len(stopped.held) == 10
    assert seen[1] == seen[0]
    assert not own_threads()


@pytest.mark.requirement("IN-WORK-2")
@pytest.mark.usefixtures("deadline")
def test_an_interrupt_does_not_wait_for_files_that_are_being_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The processes that the run itself has started are ended, whatever they are at."""
    for number in range(4):
        (tmp_path / f"{number}.csv").write_text("Words." if number == 0 else "forever")

    @contextmanager
    def opened(*, workers: int, limits: ExtractionLimits | None) -> Iterator[dict[str, IsolatedExtractor]]:
        with ExtractionPool(workers=workers, limits=limits, command=COMMAND) as pool:
            yield {"csv": IsolatedExtractor("csv", pool, version="1")}

    def stop(progress: IngestProgress) -> None:
        if progress.done == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(detection, "default_extractors", opened)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        ingest(MemoryStore(), [tmp_path], workers=2, on_progress=stop)
    assert time.monotonic() - began < 20  # of the sixty that each file takes
    assert not own_threads()


@pytest.mark.requirement("IN-LIMIT-1")
@pytest.mark.usefixtures("deadline")
def test_the_limit_that_a_file_exceeds_is_named(memory_store: MemoryStore, tmp_path: Path) -> None:
    """Of extraction and of reading; nothing where no limit is why."""
    (tmp_path / "a.txt").write_text("Words.")
    (tmp_path / "b.csv").write_text("one,two,three\n" * 10)
    (tmp_path / "c.txt").write_text("Words." * 100)
    (tmp_path / "d.txt").write_text("")
    limits = ExtractionLimits(characters=20, seconds=20)
    report = ingest(memory_store, [tmp_path], limits=limits, max_file_bytes=500)
    assert [(item.file, str(item.outcome), item.limit) for item in report.items] == [
        ("a.txt", "ingested", ""),
        ("b.csv", "failed", "characters"),
        ("c.txt", "too-large", "file-bytes"),
        ("d.txt", "empty", ""),
    ]
