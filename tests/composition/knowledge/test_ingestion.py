"""From files to stored passages."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from symfonic.adapters.knowledge.extractors.detection import default_extractors
from symfonic.adapters.knowledge.ports import Extraction, ExtractionError, Section, retrieved_text
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.composition.knowledge import _preparing
from symfonic.composition.knowledge.chunking import ChunkPolicy
from symfonic.composition.knowledge.errors import InputError
from symfonic.composition.knowledge.ingestion import (
    FileOutcome,
    IngestItem,
    IngestProgress,
    IngestReport,
    IngestStoppedError,
    ingest,
    require_paths,
)

from .conftest import GroupingStore, MemoryStore


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A folder with one file of each kind that needs no worker."""
    folder = tmp_path / "docs"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.md").write_text("# Guide\n\nRead this.\n\n## Setup\n\nInstall it.\n")
    (folder / "b.txt").write_text("Plain words.")
    (folder / "sub" / "c.rst").write_text("Title\n=====\n\nWords.\n")
    return folder


def outcomes(report: IngestReport) -> dict[str, str]:
    """Outcome by file."""
    return {item.file: str(item.outcome) for item in report.items}


def stored(store: Any) -> list[tuple[str, str, str]]:
    """Scope, label and text of every stored passage, the text as a search answers it."""
    return [(held.document.scope_path, held.chunk.label, retrieved_text(held.chunk.text)) for held in store.chunks()]


@pytest.mark.requirement("IN-CHUNK-1")
@pytest.mark.requirement("IN-CHUNK-5")
def test_what_is_stored_of_a_file_is_its_text(memory_store: MemoryStore, docs: Path) -> None:
    """Joined in their order; a stretch that shows nothing and has no room beside others is missing, and its number."""
    texts = {"a.md": "\n\n# One\n\nText. \n\n## Two\nMore.\n\n\n", "b.txt": "Words." + "\n" * 1000 + "End.\n"}
    for name, text in texts.items():
        (docs / name).write_text(text)
    (docs / "wide.txt").write_text("Words." + "\n" * 5000 + "End.")
    ingest(memory_store, [docs])
    held = {
        name: [row.chunk for row in memory_store.chunks() if row.document.file == name] for name in (*texts, "wide.txt")
    }
    assert {name: "".join(chunk.text for chunk in held[name]) for name in texts} == texts
    assert [(chunk.ordinal, chunk.text) for chunk in held["wide.txt"]] == [(0, "Words." + "\n" * 1994), (3, "End.")]


@pytest.mark.requirement("IN-RUN-1")
def test_files_become_labelled_passages(memory_store: MemoryStore, docs: Path) -> None:
    """Label: the path from the ingest root, then the heading."""
    report = ingest(memory_store, [docs], scope_path="tenant:acme")
    assert report.items[0] == IngestItem(
        path=str(docs / "a.md"), file="a.md", outcome=FileOutcome.INGESTED, chunks=2, reason=""
    )
    assert (report.counts(), report.chunks, report.oversized_units, report.ok) == ({"ingested": 3}, 4, 0, True)
    assert stored(memory_store) == [
        ("tenant:acme", "a.md § Guide", "# Guide\n\nRead this."),
        ("tenant:acme", "a.md § Setup", "## Setup\n\nInstall it."),
        ("tenant:acme", "b.txt", "Plain words."),
        ("tenant:acme", "sub/c.rst § Title", "Title\n=====\n\nWords."),
    ]
    record = memory_store.get("tenant:acme", str(docs / "sub" / "c.rst"))
    assert record is not None
    assert (record.document.kind, record.document.size, record.document.file) == ("rst", 20, "sub/c.rst")


class Counting:
    """A text extractor that counts its calls and has a version."""

    def __init__(self, version: str = "1") -> None:
        self.calls = 0
        self.version = version

    def extract(self, data: bytes, *, name: str) -> Extraction:
        self.calls += 1
        return Extraction(kind="text", sections=(Section(text=data.decode()),))


@pytest.mark.requirement("IN-RUN-2")
def test_a_second_run_does_nothing(memory_store: MemoryStore, docs: Path) -> None:
    """It does not even extract."""
    extractor = Counting()
    ingest(memory_store, [docs / "b.txt"], extractors={"text": extractor})
    report = ingest(memory_store, [docs / "b.txt"], extractors={"text": extractor})
    assert (outcomes(report), report.chunks) == ({"b.txt": "unchanged"}, 0)
    assert (extractor.calls, memory_store.puts) == (1, 1)


@pytest.mark.requirement("IN-RUN-2")
@pytest.mark.parametrize(
    "changed",
    [
        {"policy": ChunkPolicy(max_chars=1999)},
        {"policy": ChunkPolicy(target_chars=1199)},
        {"extractors": {"text": Counting("2")}},
    ],
)
def test_changed_settings_replace_the_passages(memory_store: MemoryStore, docs: Path, changed: dict[str, Any]) -> None:
    """Whatever decides passages is part of the digest."""
    ingest(memory_store, [docs / "b.txt"], extractors={"text": Counting()})
    report = ingest(memory_store, [docs / "b.txt"], **({"extractors": {"text": Counting()}} | changed))
    assert outcomes(report) == {"b.txt": "replaced"}


@pytest.mark.requirement("IN-RUN-2")
def test_a_changed_file_replaces_its_passages(memory_store: MemoryStore, docs: Path) -> None:
    """Only its own; and another root changes its label."""
    ingest(memory_store, [docs])
    (docs / "a.md").write_text("New.\n")
    assert outcomes(ingest(memory_store, [docs])) == {
        "a.md": "replaced",
        "b.txt": "unchanged",
        "sub/c.rst": "unchanged",
    }
    assert [label for _, label, _ in stored(memory_store)] == ["a.md", "b.txt", "sub/c.rst § Title"]
    assert outcomes(ingest(memory_store, [docs / "sub"])) == {"c.rst": "replaced"}
    assert len(memory_store.held) == 3


def test_one_file_may_be_stored_under_several_scopes(memory_store: MemoryStore, docs: Path) -> None:
    """Identity is scope and origin."""
    ingest(memory_store, [docs / "b.txt"], scope_path="tenant:a")
    assert outcomes(ingest(memory_store, [docs / "b.txt"], scope_path="tenant:b")) == {"b.txt": "ingested"}
    assert len(memory_store.held) == 2


# --------------------------------------------------------------------------------------------------- named outcomes


@pytest.mark.requirement("IN-RUN-3")
@pytest.mark.usefixtures("deadline")
def test_every_file_has_a_named_outcome_and_none_ends_the_run(memory_store: MemoryStore, docs: Path) -> None:
    """Bad neighbours do not keep the good ones out."""
    (docs / "bin.txt").write_bytes(b"a\0b")
    (docs / "broken.pdf").write_bytes(b"%PDF-1.4 nothing more")
    (docs / "empty.md").touch()
    (docs / "blank.md").write_text(" \n")
    (docs / "unseen.txt").write_text("\u2800\u200b")
    (docs / "huge.txt").write_text("x" * 101)
    (docs / "drawing.dwg").write_bytes(b"AC1032")
    (docs / "page.html").write_text("<title>T</title><p>Hi")
    os.mkfifo(docs / "pipe.txt")
    report = ingest(memory_store, [docs, docs / "none"], max_file_bytes=100)
    assert outcomes(report) == {
        "a.md": "ingested",
        "b.txt": "ingested",
        "bin.txt": "binary",
        "blank.md": "empty",
        "broken.pdf": "failed",
        "empty.md": "empty",
        "huge.txt": "too-large",
        "none": "missing",
        "page.html": "ingested",
        "pipe.txt": "not-a-file",
        "drawing.dwg": "unsupported",
        "sub/c.rst": "ingested",
        "unseen.txt": "empty",
    }
    reasons = {item.file: item.reason for item in report.items}
    assert (
        reasons["huge.txt"] == "it has 101 bytes, more than the 100 a file may have; split it, or raise max_file_bytes"
    )
    assert "damaged PDF" in reasons["broken.pdf"]
    assert all(item.reason for item in report.items if item.outcome is not FileOutcome.INGESTED)
    assert not report.ok


@pytest.mark.requirement("IN-RUN-3")
@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (ExtractionError("it needs a password", code="encrypted"), "failed"),
        (ExtractionError("install the extra", code="unavailable"), "failed"),
        (ExtractionError("no text", code="empty"), "empty"),
        (RuntimeError("a bug near the word xyzzy"), "failed"),
        (RecursionError(), "failed"),
    ],
)
def test_whatever_an_extractor_raises_costs_its_file(
    memory_store: MemoryStore, docs: Path, error: Exception, outcome: str
) -> None:
    """And the stored version stays, said in the reason."""

    class Failing:
        def extract(self, data: bytes, *, name: str) -> Extraction:
            raise error

    ingest(memory_store, [docs / "b.txt"])
    (docs / "b.txt").write_text("Changed.")
    (item,) = ingest(memory_store, [docs / "b.txt"], extractors={"text": Failing()}).items
    assert item.outcome == outcome
    assert "xyzzy" not in item.reason, "a foreign error's words may hold a piece of the file"
    assert item.reason.endswith("(the version stored before stays until it is forgotten)")
    assert [text for _, _, text in stored(memory_store)] == ["Plain words."]


def test_text_that_no_store_can_hold_is_a_failure(memory_store: MemoryStore, docs: Path) -> None:
    """An extractor of someone else's may return anything."""

    class Surrogates:
        def extract(self, data: bytes, *, name: str) -> Extraction:
            return Extraction(kind="text", sections=(Section(text="a\ud800"),))

    (item,) = ingest(memory_store, [docs / "b.txt"], extractors={"text": Surrogates()}).items
    assert (item.outcome, memory_store.puts) == ("failed", 0)


def test_a_format_without_extractor_is_unsupported(memory_store: MemoryStore, docs: Path) -> None:
    """The caller chose the extractors."""
    (item,) = ingest(memory_store, [docs / "b.txt"], extractors={}).items
    assert (item.outcome, item.reason) == ("unsupported", "b.txt is text, for which no extractor is at hand")


def test_oversized_units_are_counted(memory_store: MemoryStore, docs: Path) -> None:
    """In the item and in the report."""
    (docs / "b.txt").write_text("word " * 100)
    report = ingest(memory_store, [docs / "b.txt"], policy=ChunkPolicy(max_chars=100, target_chars=80))
    assert (report.items[0].oversized_units, report.oversized_units) == (1, 1)
    assert report.chunks == 5


# ---------------------------------------------------------------------------------------------------------- reading


def test_a_file_that_cannot_be_opened_is_unreadable(
    memory_store: MemoryStore, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's words are the reason."""
    opened = os.open

    def guarded(path: str, flags: int, *rest: Any, **named: Any) -> int:
        if str(path).endswith("a.md"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return opened(path, flags, *rest, **named)

    monkeypatch.setattr(os, "open", guarded)
    report = ingest(memory_store, [docs])
    assert (report.items[0].outcome, report.items[0].reason) == ("unreadable", "it cannot be read (Permission denied)")
    assert report.counts() == {"ingested": 2, "unreadable": 1}


@pytest.mark.requirement("IN-RUN-4")
@pytest.mark.usefixtures("deadline")
def test_what_takes_a_files_place_after_the_walk_is_not_read(
    memory_store: MemoryStore, docs: Path, tmp_path: Path
) -> None:
    """A link, a link in place of its folder, or a pipe."""
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "c.rst").write_text("secret")

    def swap(progress: IngestProgress) -> None:
        if progress.done:
            return
        for name in ("a.md", "b.txt", "sub/c.rst"):
            (docs / name).unlink()
        (docs / "a.md").symlink_to(tmp_path / "secret" / "c.rst")
        os.mkfifo(docs / "b.txt")
        (docs / "sub").rmdir()
        (docs / "sub").symlink_to(tmp_path / "secret")

    report = ingest(memory_store, [docs], on_progress=swap)
    assert outcomes(report) == {"a.md": "unreadable", "b.txt": "not-a-file", "sub/c.rst": "outside-root"}
    assert memory_store.held == {}


@pytest.mark.requirement("IN-RUN-4")
@pytest.mark.parametrize("by_folders", [True, False])
def test_a_folder_swapped_while_the_file_is_opened_is_noticed(
    memory_store: MemoryStore, docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, by_folders: bool
) -> None:
    """A link that takes the folder's place for a moment and is gone again afterwards leads nowhere."""
    monkeypatch.setattr(_preparing, "_BY_FOLDERS", by_folders)
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "c.rst").write_text("secret")
    opened = os.open

    def swapping(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if Path(path).name != "c.rst" and path != "sub":
            return opened(path, flags, mode, dir_fd=dir_fd)
        (docs / "sub").rename(docs / "aside")
        (docs / "sub").symlink_to(tmp_path / "secret")
        try:
            return opened(path, flags, mode, dir_fd=dir_fd)
        finally:
            (docs / "sub").unlink()
            (docs / "aside").rename(docs / "sub")

    monkeypatch.setattr(os, "open", swapping)
    (item,) = ingest(memory_store, [docs / "sub"]).items
    assert (item.outcome, memory_store.held) == ("outside-root", {})


@pytest.mark.requirement("IN-RUN-4")
@pytest.mark.parametrize("by_folders", [True, False])
def test_both_ways_of_opening_read_the_same(
    memory_store: MemoryStore, docs: Path, monkeypatch: pytest.MonkeyPatch, *, by_folders: bool
) -> None:
    """And leave no descriptor open; a folder that vanished makes a file unreadable."""
    monkeypatch.setattr(_preparing, "_BY_FOLDERS", by_folders)
    assert ingest(memory_store, [docs]).counts() == {"ingested": 3}

    def vanish(progress: IngestProgress) -> None:
        if not progress.done:
            (docs / "sub").rename(docs / "gone")

    descriptors = len(list(Path("/dev/fd").iterdir()))
    assert outcomes(ingest(memory_store, [docs], on_progress=vanish))["sub/c.rst"] == "unreadable"
    assert len(list(Path("/dev/fd").iterdir())) == descriptors


def test_a_file_that_grows_is_read_to_the_limit(
    memory_store: MemoryStore, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its size at first sight is not believed."""
    fstat = os.fstat

    def small(descriptor: int) -> os.stat_result:
        status = list(fstat(descriptor))
        status[6] = 1
        return os.stat_result(status)

    monkeypatch.setattr(os, "fstat", small)
    (item,) = ingest(memory_store, [docs / "b.txt"], max_file_bytes=5).items
    assert item.outcome == "too-large"


def test_strange_names_are_stored_and_shown(memory_store: MemoryStore, tmp_path: Path) -> None:
    """Undecodable bytes, line feeds, terminal sequences."""
    (tmp_path / "d").mkdir()
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/d/a\xff\n\x1b[0m.txt")).write_text("Words.")
    file = "a\U0010f4ff\n\x1b[0m.txt"
    report = ingest(memory_store, [tmp_path / "d"])
    assert outcomes(report) == {file: "ingested"}
    assert report.items[0].path == str(tmp_path / "d" / "a%FF%0A%1B[0m.txt")
    assert stored(memory_store) == [("", file, "Words.")]
    assert outcomes(ingest(memory_store, [tmp_path / "d"], prune=True)) == {file: "unchanged"}


def test_messages_name_a_file_on_one_line(memory_store: MemoryStore, tmp_path: Path) -> None:
    """The raw name is for the label; people get the name as it is shown."""
    (tmp_path / "a\n\x1b[0m\u202e.txt").touch()
    (item,) = ingest(memory_store, [tmp_path]).items
    assert item.reason == "a%0A%1B[0m%E2%80%AE.txt is empty (0 bytes), so there is nothing to read."


# ------------------------------------------------------------------------------------------------- prune, progress


@pytest.mark.requirement("IN-RUN-5")
def test_prune_removes_what_disappeared_below_the_given_folders(memory_store: MemoryStore, docs: Path) -> None:
    """At exactly this scope, and nothing beside the folder."""
    beside = docs.parent / "docs2"
    beside.mkdir()
    (beside / "x.txt").write_text("Beside.")
    ingest(memory_store, [docs, beside])
    ingest(memory_store, [docs], scope_path="tenant:a")
    for gone in (docs / "a.md", docs / "sub" / "c.rst", beside / "x.txt"):
        gone.unlink()
    assert outcomes(ingest(memory_store, [docs])) == {"b.txt": "unchanged"}
    report = ingest(memory_store, [docs], prune=True)
    assert outcomes(report) == {"b.txt": "unchanged", "a.md": "pruned", "sub/c.rst": "pruned"}
    assert report.items[1].path == str(docs / "a.md")
    assert [(scope, label) for scope, label, _ in stored(memory_store)] == [
        ("", "b.txt"), ("", "x.txt"), ("tenant:a", "a.md § Guide"), ("tenant:a", "a.md § Setup"),
        ("tenant:a", "b.txt"), ("tenant:a", "sub/c.rst § Title"),
    ]  # fmt: skip


@pytest.mark.requirement("IN-RUN-5")
def test_prune_keeps_what_exists(memory_store: MemoryStore, docs: Path) -> None:
    """A file that can no longer be extracted, one that is hidden now, and a PATH that was never there."""
    (docs / ".hidden.txt").write_text("Hidden.")
    ingest(memory_store, [docs, docs / ".hidden.txt"])
    (docs / "a.md").write_bytes(b"\0")
    report = ingest(memory_store, [docs, docs / "b.txt", docs / "none"], prune=True)
    assert FileOutcome.PRUNED not in report.counts()
    assert len(memory_store.held) == 4


@pytest.mark.requirement("IN-RUN-5")
def test_prune_removes_what_came_from_a_path_that_is_gone_itself(memory_store: MemoryStore, tmp_path: Path) -> None:
    """A folder and a file, named beside one that exists; a neighbour whose name begins alike stays."""
    for name in ("a/x.txt", "a-b/y.txt", "z.txt", "w.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("Text.")
    given = [tmp_path / name for name in ("a", "a-b", "z.txt", "w.txt")]
    ingest(memory_store, given)
    shutil.rmtree(tmp_path / "a")
    (tmp_path / "z.txt").unlink()
    report = ingest(memory_store, given, prune=True)
    assert report.counts()[FileOutcome.PRUNED] == 2
    assert sorted(document.file for document, _ in memory_store.held.values()) == ["w.txt", "y.txt"]
    lost = ingest(memory_store, [tmp_path / "w.txt", tmp_path / "no" / "a-b"], prune=True)
    assert FileOutcome.PRUNED not in lost.counts()


def test_an_empty_path_is_refused(docs: Path) -> None:
    """It would name the current folder."""
    with pytest.raises(InputError, match="must not be empty"):
        require_paths([docs, ""])


def test_progress_is_told_before_each_file_and_at_the_end(memory_store: MemoryStore, docs: Path) -> None:
    """The total is known from the start."""
    told: list[IngestProgress] = []
    ingest(memory_store, [docs], on_progress=told.append)
    assert told == [
        IngestProgress(total=3, done=0, current=str(docs / "a.md")),
        IngestProgress(total=3, done=1, current=str(docs / "b.txt"), passages=2),
        IngestProgress(total=3, done=2, current=str(docs / "sub" / "c.rst"), passages=3),
        IngestProgress(total=3, done=3, passages=4),
    ]


def test_what_progress_raises_ends_the_run(memory_store: MemoryStore, docs: Path) -> None:
    """What was stored stays."""

    def stop(progress: IngestProgress) -> None:
        if progress.done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest(memory_store, [docs], on_progress=stop)
    assert memory_store.puts == 1


@pytest.mark.requirement("IN-RUN-6")
def test_a_store_that_fails_ends_the_run(failing_store: MemoryStore, docs: Path) -> None:
    """With what had become of the files until then."""
    with pytest.raises(IngestStoppedError, match="ended after 1 of 3 files: the disk is full") as caught:
        ingest(failing_store, [docs])
    assert outcomes(caught.value.report) == {"a.md": "ingested"}
    assert len(failing_store.held) == 1


# ------------------------------------------------------------------------------------------------- several at once


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """Seventy small files, and a long one in the middle."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(70):
        (folder / f"{number:02}.txt").write_text(f"Words {number}.")
    (folder / "35.txt").unlink()
    (folder / "35.md").write_text("".join(f"# H{part}\n\nWords {part}.\n\n" for part in range(300)))
    return folder


@pytest.mark.requirement("IN-RUN-8")
def test_small_documents_are_stored_together(many: Path) -> None:
    """A document is done when it is stored: progress, outcomes and what the store holds say the same."""
    store, told = GroupingStore(), []

    def tell(progress: IngestProgress) -> None:
        told.append((progress.done, Path(progress.current).name))
        assert progress.done == len(store.held)

    report = ingest(store, [many], on_progress=tell)
    assert store.groups == [32, 4, 32, 2], "32 files, or 256 passages, or what is left"
    assert (len(store.held), report.chunks) == (70, 369)
    assert [done for done, _ in told] == [0] * 32 + [32] * 4 + [36] * 32 + [68] * 2 + [70]
    assert [name for _, name in told] == [Path(item.path).name for item in report.items] + [""]
    plain = MemoryStore()
    assert ingest(plain, [many]) == report
    assert list(plain.chunks()) == list(store.chunks())


@pytest.mark.requirement("IN-RUN-6")
@pytest.mark.requirement("IN-RUN-8")
def test_what_was_not_stored_is_not_reported(many: Path) -> None:
    """Where the store fails at several at once, or a run is stopped before them; the next run stores them."""
    store = GroupingStore(fail_after=40)
    with pytest.raises(IngestStoppedError, match="ended after 36 of 70 files: the disk is full") as caught:
        ingest(store, [many])
    assert caught.value.report.counts() == {"ingested": 36}
    assert len(store.held) == 36
    store.fail_after = None

    def stop(progress: IngestProgress) -> None:
        if progress.current.endswith("50.txt"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest(store, [many], on_progress=stop)
    assert len(store.held) == 36, "what was read for the next transaction is not stored"
    assert ingest(store, [many]).counts() == {"ingested": 34, "unchanged": 36}


# ------------------------------------------------------------------------------------------------ the embedded store


def test_the_embedded_store_is_filled_and_finds(tmp_path: Path, docs: Path) -> None:
    """The real store, the real extractors."""
    with default_extractors() as extractors:
        store = SqliteStore(tmp_path / "kb.sqlite")
        try:
            assert ingest(store, [docs], extractors=extractors).counts() == {"ingested": 3}
            assert ingest(store, [docs], extractors=extractors).counts() == {"unchanged": 3}
            hits = store.search("install", 3)
            assert [(hit.source, hit.metadata["file"], hit.metadata["heading"]) for hit in hits] == [
                ("a.md § Setup", "a.md", "Guide > Setup")
            ]
            store.forget("a.md § Setup", scope_path="")
            assert outcomes(ingest(store, [docs]))["a.md"] == "replaced"
            (docs / "b.txt").unlink()
            assert ingest(store, [docs], prune=True).counts() == {"unchanged": 2, "pruned": 1}
        finally:
            store.close()


_CHILD = """
import json, sys, time
sys.path[:] = json.loads(sys.argv[1])
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.composition.knowledge.ingestion import ingest
store = SqliteStore(sys.argv[2])
def tell(progress):
    print(progress.done, flush=True)
    time.sleep(0.002)
ingest(store, [sys.argv[3]], on_progress=tell)
store.close()
"""


@pytest.mark.slow
@pytest.mark.requirement("IN-RUN-7")
@pytest.mark.parametrize("kill_at", [1, 7, 23])
def test_a_run_killed_midway_is_completed_by_the_next(tmp_path: Path, kill_at: int) -> None:
    """SIGKILL leaves whole documents only; the rerun gives what a clean run gives."""
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(40):
        (folder / f"{number:02}.md").write_text(
            "".join(f"# H{part}\n\nWords {number}.{part}.\n\n" for part in range(30))
        )
    path = tmp_path / "killed.sqlite"
    command = [sys.executable, "-S", "-c", _CHILD, json.dumps(sys.path), str(path), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for line in child.stdout:
            if int(line) >= kill_at:
                time.sleep(0.0013 * kill_at % 0.01)
                child.send_signal(signal.SIGKILL)
                break
    assert child.returncode == -signal.SIGKILL
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    killed, clean = SqliteStore(path), SqliteStore(tmp_path / "clean.sqlite")
    try:
        before = [record.chunks for record in killed.documents()]
        assert kill_at <= len(before) < 40
        assert set(before) == {30}
        assert ingest(killed, [folder]).counts() == {"ingested": 40 - len(before), "unchanged": len(before)}
        ingest(clean, [folder])
        assert list(killed.chunks()) == list(clean.chunks())
        assert [hit.content for hit in killed.search("words", 50)] == [hit.content for hit in clean.search("words", 50)]
    finally:
        killed.close()
        clean.close()


def test_the_report_adds_up() -> None:
    """Outcomes that did not occur are left out."""
    items = (
        IngestItem(path="a", outcome=FileOutcome.INGESTED, chunks=2, oversized_units=1),
        IngestItem(path="b", outcome=FileOutcome.UNSUPPORTED),
        IngestItem(path="c", outcome=FileOutcome.REPLACED, chunks=3),
    )
    report = IngestReport(items=items)
    assert (report.chunks, report.oversized_units, report.ok) == (5, 1, True)
    assert report.counts() == {"ingested": 1, "replaced": 1, "unsupported": 1}
