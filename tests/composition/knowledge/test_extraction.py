"""What ingestion would make of files, without a store."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Self

import pytest

from symfonic.adapters.knowledge.extractors.isolation import ExtractionLimits
from symfonic.adapters.knowledge.ports import Section
from symfonic.composition.knowledge.chunking import ChunkPolicy
from symfonic.composition.knowledge.extraction import ExtractedFile, extract_files
from symfonic.composition.knowledge.ingestion import FileOutcome, ingest

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import MemoryStore


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Files that are read here, one by another process, and some that would not be stored."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("# Guide\n\nRead this.\n\n## Setup\n\nInstall it.\n")
    (folder / "b.csv").write_text("one,two\nthree,four\n")
    (folder / "c.txt").write_text("")
    (folder / "d.dwg").write_text("?")
    (folder / "e.txt").write_text("Words. " * 100)
    return folder


@pytest.mark.requirement("CLI-EXT-2")
@pytest.mark.usefixtures("deadline")
@pytest.mark.parametrize("workers", [1, 3])
def test_files_yield_what_ingestion_stores_of_them(memory_store: MemoryStore, docs: Path, workers: int) -> None:
    """The same outcomes, reasons, passages and formats, in the same order; a path that is missing included."""
    policy, paths = ChunkPolicy(max_chars=300, target_chars=100), [docs, docs / "none"]
    files = list(extract_files(paths, policy=policy, workers=workers))
    report = ingest(memory_store, paths, policy=policy)
    assert [(file.path, file.outcome, file.reason, file.limit, file.file, len(file.chunks)) for file in files] == [
        (item.path, item.outcome, item.reason, item.limit, item.file, item.chunks) for item in report.items
    ]
    stored = list(memory_store.chunks())
    assert [chunk for file in files for chunk in file.chunks] == [held.chunk for held in stored]
    assert {(file.file, file.kind, file.size) for file in files if file.chunks} == {
        (held.document.file, held.document.kind, held.document.size) for held in stored
    }


@pytest.mark.requirement("CLI-EXT-1")
def test_a_file_tells_its_sections_and_the_time_it_took(docs: Path) -> None:
    """By the clock that is passed in."""
    ticks = iter(range(100))
    (file,) = extract_files([docs / "a.md"], clock=lambda: float(next(ticks)))
    assert (file.outcome, file.kind, file.seconds, file.characters) == (FileOutcome.INGESTED, "markdown", 1.0, 43)
    assert file.sections == (
        Section(text="# Guide\n\nRead this.\n\n", headings=("Guide",)),
        Section(text="## Setup\n\nInstall it.\n", headings=("Guide", "Setup")),
    )


@pytest.mark.requirement("IN-LIMIT-1")
@pytest.mark.usefixtures("deadline")
def test_a_limit_is_named(docs: Path) -> None:
    """Of extraction, and of reading; the format is known where the file was read."""
    limits = ExtractionLimits(characters=5, seconds=20)
    found = extract_files([docs / "b.csv", docs / "e.txt"], limits=limits, max_file_bytes=100)
    assert [(file.outcome, file.limit, file.kind, file.size) for file in found] == [
        (FileOutcome.FAILED, "characters", "csv", 19),
        (FileOutcome.TOO_LARGE, "file-bytes", "", 0),
    ]


def test_closing_early_reads_no_further(docs: Path) -> None:
    """Nothing is read before the first is asked for."""
    files = extract_files([docs])
    first = next(files)
    assert isinstance(first, ExtractedFile)
    files.close()
    assert list(files) == []


@pytest.mark.requirement("IN-RUN-3")
def test_a_file_whose_kind_cannot_be_found_out_ends_nothing(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever goes wrong where its beginning is looked at: the kind of the error is told, and never its words."""

    def kind_of(name: str, head: bytes) -> str:
        if name == "b.csv":
            raise IndexError(head)
        return "text"

    monkeypatch.setattr("symfonic.adapters.knowledge.extractors.detection.detect_kind", kind_of)
    files = {file.file: file for file in extract_files([docs])}
    assert files["b.csv"].outcome is FileOutcome.FAILED
    assert files["b.csv"].reason == (
        "to see what it is failed (IndexError), so nothing of b.csv is stored; repair or convert it"
    )
    assert files["e.txt"].outcome is FileOutcome.INGESTED


@pytest.mark.requirement("IN-RUN-3")
def test_a_file_that_would_have_to_be_waited_for_is_empty(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As some files of the system are: they are regular, and have nothing yet."""
    monkeypatch.setattr(os, "fdopen", lambda descriptor, _: _Waiting(descriptor))
    (file,) = extract_files([docs / "a.md"])
    assert file.outcome is FileOutcome.EMPTY


class _Waiting:
    """A file that has nothing to read now."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)

    def read(self, size: int) -> None:
        """``None`` is what a file says that must not wait."""
