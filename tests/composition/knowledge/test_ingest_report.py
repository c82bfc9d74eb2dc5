"""What an ingestion says of its pace."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from symfonic.composition.knowledge._ingest_report import IngestProgress, Pace, embedding_progress
from symfonic.composition.knowledge.ingestion import ingest

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import MemoryStore


class Clock:
    """A clock that is set by hand; it may move on by itself at every look."""

    def __init__(self, *, tick: float = 0.0) -> None:
        self.now = 1000.0
        self.tick = tick

    def __call__(self) -> float:
        self.now += self.tick
        return self.now


@pytest.mark.requirement("IN-PACE-1")
def test_rate_and_remaining_time_follow_from_what_was_done() -> None:
    """Four files with 20 passages in two seconds, six files left."""
    clock = Clock()
    pace = Pace(clock)
    assert pace.at(0, 10, 0) == (0.0, None, None)
    clock.now += 0.5
    assert pace.at(1, 10, 8) == (0.5, None, None), "too early for a rate"
    clock.now += 1.5
    assert pace.at(4, 10, 20) == (2.0, 10.0, 3.0)


@pytest.mark.requirement("IN-PACE-1")
def test_what_nobody_knows_is_none() -> None:
    """Without a clock everything; before the first file is done, the end."""
    assert Pace(None).at(5, 10, 50) == (None, None, None)
    clock = Clock()
    pace = Pace(clock)
    pace.at(0, 10, 0)
    clock.now += 4
    assert pace.at(0, 10, 0) == (4.0, 0.0, None)


@pytest.mark.requirement("IN-PACE-1")
def test_only_the_last_half_minute_counts() -> None:
    """A run that passes over a thousand files in a second, and then takes one a second, says so."""
    clock = Clock()
    pace = Pace(clock)
    pace.at(0, 2000, 0)
    clock.now += 1
    pace.at(1000, 2000, 0)
    told = []
    for second in range(1, 41):
        clock.now += 1
        told.append(pace.at(1000 + second, 2000, 2 * second))
    assert told[-1] == (41.0, 2.0, 960.0)


def test_marks_stay_few() -> None:
    """However often somebody asks."""
    clock = Clock(tick=0.001)
    pace = Pace(clock)
    for done in range(100_000):
        pace.at(done, 100_000, done)
    assert len(pace._marks) <= 122


def test_a_second_count_begins_anew() -> None:
    """Files were counted, now passages are; the time that has passed stays."""
    clock = Clock()
    pace = Pace(clock)
    pace.at(0, 10, 0)
    clock.now += 10
    pace.at(10, 10, 100)
    pace.begin()
    assert pace.at(0, 40, 100) == (10.0, None, None)
    clock.now += 2
    assert pace.at(20, 40, 120) == (12.0, 10.0, 2.0)


@pytest.mark.requirement("IN-PACE-1")
def test_a_run_tells_its_pace(memory_store: MemoryStore, tmp_path: Path) -> None:
    """By the clock it was given."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text("Words.")
    told: list[IngestProgress] = []
    ingest(memory_store, [tmp_path], on_progress=told.append, clock=Clock(tick=2.0))
    a, b = (str(tmp_path / name) for name in ("a.txt", "b.txt"))
    assert told == [
        IngestProgress(total=2, done=0, current=a, elapsed=2.0),
        IngestProgress(total=2, done=1, current=b, passages=1, elapsed=4.0, rate=0.5, remaining=2.0),
        IngestProgress(total=2, done=2, passages=2, elapsed=6.0, rate=0.5, remaining=0.0),
    ]


def test_progress_over_passages_counts_them() -> None:
    """As a store tells it: done, and to do."""
    told: list[IngestProgress] = []
    tell = embedding_progress(told.append, Clock(tick=1.0))
    tell(0, 30)
    tell(10, 30)
    assert told == [
        IngestProgress(total=30, done=0, unit="passages", elapsed=1.0),
        IngestProgress(total=30, done=10, unit="passages", passages=10, elapsed=2.0, rate=10.0, remaining=2.0),
    ]
