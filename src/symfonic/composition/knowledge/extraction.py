"""What ingestion would make of files, without a store: text, sections, passages, or the reason why not.

Rules of this module: it finds, reads, extracts and cuts by the very parts ingestion has, and stores nothing. One file
after the other is handed on and none is kept, so that memory is bounded by what one file and those begun ahead of it
may take.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from symfonic.adapters.knowledge.ports import Chunk, Section

from ._flow import Flow
from ._lanes import Begun, Lanes
from ._preparing import ITEM_SIZE, Reader, Reading, UnreadError
from ._walk import FileOutcome, Found, walk
from .chunking import ChunkPolicy
from .ingestion import MAX_FILE_BYTES, MAX_WAITING_CHARS

if TYPE_CHECKING:
    import os
    from collections.abc import Generator, Iterable

    from symfonic.adapters.knowledge.extractors.isolation import ExtractionLimits

__all__ = ["ExtractedFile", "extract_files"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedFile:
    """What one file yields.

    Attributes:
        path: As a person is shown it: one line of valid Unicode.
        outcome: What ingestion would report of it, were it stored nowhere: ``ingested`` where it yields passages.
        reason: One sentence for people; empty where the outcome says all.
        limit: The limit it exceeds, where that is why it yields nothing, as ``IngestItem.limit``.
        file: What its labels begin with, raw.
        kind: Its format; empty where that was not found out.
        size: Its bytes; 0 where it was not read.
        sections: Its text, raw, with headings and pages.
        chunks: The passages that would be stored, raw.
        oversized_units: Units that alone exceeded the ceiling and were split.
        hidden: Characters left out because no reader of the file sees them, by why, as ``Extraction.hidden``.
        seconds: Wall time of extracting and cutting, waiting for a process included; 0 where it was not begun.
    """

    path: str
    outcome: FileOutcome
    reason: str = ""
    limit: str = ""
    file: str = ""
    kind: str = ""
    size: int = 0
    sections: Sequence[Section] = ()
    chunks: Sequence[Chunk] = ()
    oversized_units: int = 0
    hidden: tuple[tuple[str, int], ...] = ()
    seconds: float = 0.0

    @property
    def characters(self) -> int:
        """Of its extracted text."""
        return sum(len(section.text) for section in self.sections)


def extract_files(
    paths: Iterable[str | os.PathLike[str]],
    *,
    policy: ChunkPolicy | None = None,
    max_file_bytes: int = MAX_FILE_BYTES,
    workers: int = 1,
    limits: ExtractionLimits | None = None,
    clock: Callable[[], float] | None = None,
) -> Generator[ExtractedFile]:
    """Extract files and cut them, as :func:`ingest` would.

    Exhaust the iterator or close it: that ends the processes that read.

    Args:
        paths: Files and folders, walked as ingestion walks them.
        policy: Sizes of passages; the default when ``None``.
        max_file_bytes: Larger files are ``too-large`` and not read.
        workers: Files that are extracted at the same time, at most.
        limits: What one file may take in the process that reads it; the defaults when ``None``.
        clock: Seconds that never go back; ``time.monotonic`` when ``None``.

    Yields:
        One for each file, in walking order. A file that yields nothing says why and ends nothing.
    """
    from symfonic.adapters.knowledge.extractors.detection import default_extractors  # as in ingestion.py

    with default_extractors(workers=workers, limits=limits) as extractors:
        reader = Reader(policy=policy or ChunkPolicy(), extractors=extractors, max_file_bytes=max_file_bytes)
        with Flow(reader.let_go) as flow:
            lanes: Lanes[ExtractedFile] = Lanes(flow, max(workers, 1), size=_size_of, most=MAX_WAITING_CHARS)
            yield from lanes.in_order(_begun(reader, found, clock or time.monotonic) for found in walk(paths).found)


def _begun(reader: Reader, found: Found, clock: Callable[[], float]) -> Begun[ExtractedFile]:
    if found.outcome is not None:
        return Begun(finish=partial(_unread, found, UnreadError(found.outcome, found.reason)))
    try:
        reading = reader.read(found)
    except UnreadError as error:
        return Begun(finish=partial(_unread, found, error))
    return Begun(finish=partial(_extracted, reader, reading, clock), apart=reading.concurrent, size=len(reading.data))


def _extracted(reader: Reader, reading: Reading, clock: Callable[[], float]) -> ExtractedFile:
    found, began = reading.found, clock()
    try:
        extraction, chunking = reader.cut(reading)
    except UnreadError as error:
        return _unread(found, error, kind=reading.kind, size=len(reading.data), seconds=clock() - began)
    return ExtractedFile(
        path=found.shown,
        outcome=FileOutcome.INGESTED,
        file=found.file,
        kind=reading.kind,
        size=len(reading.data),
        sections=extraction.sections,
        chunks=chunking.visible,
        oversized_units=chunking.oversized_units,
        hidden=extraction.hidden,
        seconds=clock() - began,
    )


def _unread(found: Found, error: UnreadError, *, kind: str = "", size: int = 0, seconds: float = 0.0) -> ExtractedFile:
    return ExtractedFile(
        path=found.shown,
        outcome=error.outcome,
        reason=str(error),
        limit=error.limit,
        file=found.file,
        kind=kind,
        size=size,
        seconds=seconds,
    )


def _size_of(extracted: ExtractedFile) -> int:
    """Characters of its text, which passages hold again, with something added for each."""
    return ITEM_SIZE * (1 + len(extracted.sections) + len(extracted.chunks)) + 2 * extracted.characters
