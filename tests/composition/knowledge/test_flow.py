"""Stages that work at the same time."""

from __future__ import annotations

import contextvars
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from symfonic.composition.knowledge._flow import Flow, RunOverError

if TYPE_CHECKING:
    from collections.abc import Iterator


def of_any_size(item: object) -> int:
    """Everything weighs the same."""
    return 1


@pytest.mark.requirement("IN-FLOW-1")
@pytest.mark.usefixtures("deadline")
def test_items_keep_their_order_through_any_number_of_stages() -> None:
    """However narrow the way between two is."""
    with Flow() as flow:
        doubled = flow.ahead((2 * item for item in range(200)), size=of_any_size, most=1)
        told = flow.ahead(map(str, doubled), size=of_any_size, most=7)
        assert list(told) == [str(2 * item) for item in range(200)]


@pytest.mark.requirement("IN-FLOW-1")
@pytest.mark.usefixtures("deadline")
def test_what_a_stage_raises_comes_where_its_next_item_would_have() -> None:
    """Through every later stage, once; then the stage is at its end."""

    def failing() -> Iterator[int]:
        yield 1
        yield 2
        raise KeyError

    with Flow() as flow:
        stage = flow.ahead(map(str, flow.ahead(failing(), size=of_any_size, most=9)), size=of_any_size, most=9)
        assert [next(stage), next(stage)] == ["1", "2"]
        with pytest.raises(KeyError):
            next(stage)
        assert list(stage) == []


@pytest.mark.requirement("IN-FLOW-2")
@pytest.mark.usefixtures("deadline")
def test_a_stage_runs_ahead_by_no_more_than_it_may() -> None:
    """Sizes count, not items; a single larger item waits alone."""
    made: list[int] = []
    reached = threading.Event()

    def making() -> Iterator[int]:
        for item in (4, 4, 2, 50, 1):
            made.append(item)
            if len(made) == 4:
                reached.set()
            yield item

    with Flow() as flow:
        stage = flow.ahead(making(), size=lambda item: item, most=10)
        reached.wait()
        # Three wait with a size of 10; the fourth is made and has no room.
        assert made == [4, 4, 2, 50]
        assert stage.waiting(8) == [4, 4]
        assert stage.waiting(0) == []
        assert [next(stage), next(stage), next(stage)] == [2, 50, 1]


@pytest.mark.requirement("IN-FLOW-3")
@pytest.mark.usefixtures("deadline")
@pytest.mark.parametrize("taken", [0, 1, 3])
def test_leaving_a_flow_ends_every_stage(taken: int) -> None:
    """Those that wait for room, and those that wait for an item; no thread is left."""
    before = threading.active_count()

    def without_end() -> Iterator[int]:
        while True:
            yield 1

    with Flow() as flow:
        first = flow.ahead(without_end(), size=of_any_size, most=2)
        last = flow.ahead(map(str, first), size=of_any_size, most=2)
        for _ in range(taken):
            next(last)
    assert flow.over
    assert threading.active_count() == before
    assert list(last) == []
    with pytest.raises(RunOverError):
        flow.refuse_over()


HANGING = """
import threading
from symfonic.composition.knowledge._flow import Flow

def hang():
    begun.set()
    threading.Event().wait()
    yield 1

def interrupted(thread):
    raise KeyboardInterrupt

begun = threading.Event()
threading.Thread.join = interrupted
try:
    with Flow() as flow:
        flow.ahead(hang(), size=int, most=1)
        begun.wait()
        raise KeyboardInterrupt
except KeyboardInterrupt:
    print("left")
"""
"""A program that is interrupted while a stage hangs, and again while it waits for that stage."""


@pytest.mark.requirement("IN-FLOW-3")
def test_a_stage_that_hangs_keeps_no_process_once_waiting_for_it_is_interrupted() -> None:
    """The first interrupt waits for the stage, the second does not."""
    ended = subprocess.run([sys.executable, "-c", HANGING], capture_output=True, text=True, timeout=20, check=True)
    assert (ended.stdout, ended.stderr) == ("left\n", "")


@pytest.mark.usefixtures("deadline")
def test_a_stage_sees_the_context_of_whoever_began_it() -> None:
    """As a call in the same thread would."""
    name: contextvars.ContextVar[str] = contextvars.ContextVar("name")
    name.set("caller")
    with Flow() as flow:
        flow.refuse_over()
        assert list(flow.ahead((name.get() for _ in range(1)), size=of_any_size, most=1)) == ["caller"]
