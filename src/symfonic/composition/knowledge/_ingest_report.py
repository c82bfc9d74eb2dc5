"""What an ingestion says of itself: of each file, of all of them, and while it runs.

Rules of this module: values, and the arithmetic of progress. It reads no file and no clock of its own.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from ._walk import FileOutcome

if TYPE_CHECKING:
    from collections.abc import Callable

_TROUBLE: Final = frozenset({FileOutcome.FAILED, FileOutcome.UNREADABLE, FileOutcome.MISSING})

_WINDOW_SECONDS: Final = 30.0
"""How far back progress looks: a run that begins with what it need not do again must not promise to go on so fast."""

_MARK_SECONDS: Final = 0.25
"""Least time between two marks, so that a window holds few of them."""

_LEAST_SECONDS: Final = 1.0
"""Time below which nothing is said of a rate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestItem:
    """What became of one file.

    Attributes:
        path: As a person is shown it: one line of valid Unicode.
        outcome: Its named outcome.
        reason: One sentence for people; empty where the outcome says all.
        file: What its labels begin with: the path relative to the ingest root, raw. Show it as a label.
        chunks: Passages stored for it by this run.
        oversized_units: Units that alone exceeded the ceiling and were split.
        limit: The limit it exceeds, where that is why it is not stored: a name of ``ExtractionError.limit``, or
            ``file-bytes``.
        hidden: Characters this run left out because no reader of the file sees them, by why, as ``Extraction.hidden``.
    """

    path: str
    outcome: FileOutcome
    reason: str = ""
    file: str = ""
    chunks: int = 0
    oversized_units: int = 0
    limit: str = ""
    hidden: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What became of all files, in walking order; pruned documents come last.

    Attributes:
        items: One for each file.
        embedded: Passages stored before, without a vector, that this run gave one.
        unembedded: Passages of the whole store that have none at the end, for they could not be embedded; they are
            found by their words.
    """

    items: tuple[IngestItem, ...]
    embedded: int = 0
    unembedded: int = 0

    def counts(self) -> dict[FileOutcome, int]:
        """Number of items by outcome, without outcomes that did not occur."""
        counted = Counter(item.outcome for item in self.items)
        return {outcome: counted[outcome] for outcome in FileOutcome if counted[outcome]}

    @property
    def chunks(self) -> int:
        """Passages this run stored."""
        return sum(item.chunks for item in self.items)

    @property
    def oversized_units(self) -> int:
        """Units this run had to split because they alone exceeded the ceiling."""
        return sum(item.oversized_units for item in self.items)

    @property
    def ok(self) -> bool:
        """Whether nothing failed, was unreadable or was missing."""
        return not any(item.outcome in _TROUBLE for item in self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestProgress:
    """Where a run stands.

    Attributes:
        total: Number of things there are to do: what the walk found, or passages without a vector.
        done: How many of them are finished.
        current: The file that is read next, or stored next where files are embedded, as shown; empty at the end, and
            for passages.
        unit: What is counted. ``files`` come first; ``passages`` are those that were stored before and get a vector.
        passages: Passages that this run has stored or given a vector.
        elapsed: Seconds since the run began; like the next two, ``None`` where it is not known.
        rate: Passages per second, of late.
        remaining: Seconds until all of ``total`` is done, if it goes on as of late.
    """

    total: int
    done: int
    current: str = ""
    unit: Literal["files", "passages"] = "files"
    passages: int = 0
    elapsed: float | None = None
    rate: float | None = None
    remaining: float | None = None


class Pace:
    """How fast a run goes, by a clock it is given.

    Args:
        clock: Seconds that never go back, such as ``time.monotonic``; ``None`` where no time is told.
    """

    __slots__ = ("_began", "_clock", "_marks")

    def __init__(self, clock: Callable[[], float] | None) -> None:
        self._clock = clock
        self._began = 0.0 if clock is None else clock()
        self._marks: deque[tuple[float, int, int]] = deque()

    def begin(self) -> None:
        """Begin to count something else; the time that has passed stays."""
        self._marks.clear()

    def at(self, done: int, total: int, passages: int) -> tuple[float | None, float | None, float | None]:
        """Seconds passed, passages per second, and seconds that remain."""
        if self._clock is None:
            return None, None, None
        now = self._clock()
        marks = self._marks
        if not marks or now - marks[-1][0] >= _MARK_SECONDS:
            marks.append((now, done, passages))
        while len(marks) > 1 and marks[1][0] <= now - _WINDOW_SECONDS:
            marks.popleft()
        since, done_then, passages_then = marks[0]
        seconds = now - since
        if seconds < _LEAST_SECONDS:
            return now - self._began, None, None
        left = (total - done) * seconds / (done - done_then) if done > done_then else None
        return now - self._began, (passages - passages_then) / seconds, left


def embedding_progress(
    on_progress: Callable[[IngestProgress], None], clock: Callable[[], float] | None
) -> Callable[[int, int], None]:
    """Tell how many passages are done, and how many there are to do, as progress."""
    pace = Pace(clock)

    def told(done: int, total: int) -> None:
        elapsed, rate, remaining = pace.at(done, total, done)
        on_progress(
            IngestProgress(
                total=total,
                done=done,
                unit="passages",
                passages=done,
                elapsed=elapsed,
                rate=rate,
                remaining=remaining,
            )
        )

    return told
