"""Several things worked on at the same time, and handed on in their order."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from symfonic.composition.knowledge._flow import Flow, RunOverError
from symfonic.composition.knowledge._lanes import Lanes

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Work that gives its number; ``wait`` is done before."""

    number: int
    apart: bool = True
    size: int = 1
    wait: Callable[[], object] = field(default=lambda: None)

    def finish(self) -> int:
        self.wait()
        return self.number


def of_any_size(item: int) -> int:
    """Everything weighs the same."""
    return 1


@pytest.mark.requirement("IN-LANE-1")
@pytest.mark.usefixtures("deadline")
@pytest.mark.parametrize("count", [1, 2, 8])
def test_results_come_in_the_order_of_the_work(count: int) -> None:
    """Also where each waits for a later one, and what is done at once stands between what is not."""
    ended = [threading.Event() for _ in range(61)]

    def job(number: int) -> Job:
        def wait() -> None:
            if count > 1 and number % 5 == 0:  # two begun together end the wrong way round
                assert ended[number + 1].wait(5)
            ended[number].set()

        return Job(number=number, apart=number % 5 < 3, wait=wait)

    jobs = [job(number) for number in range(60)]
    with Flow() as flow:
        assert list(Lanes(flow, count, size=of_any_size, most=9).in_order(iter(jobs))) == list(range(60))


@pytest.mark.requirement("IN-LANE-1")
@pytest.mark.usefixtures("deadline")
@pytest.mark.parametrize("apart", [True, False])
def test_what_work_raises_comes_in_its_place(apart: bool) -> None:  # noqa: FBT001 - a case
    """Whether it was being begun or finished; what stands before it comes first, nothing after."""

    def fail() -> None:
        raise KeyError

    def failing() -> Iterator[Job]:
        yield Job(number=1)
        raise KeyError

    for works in (iter([Job(number=1), Job(number=2, apart=apart, wait=fail), Job(number=3)]), failing()):
        with Flow() as flow:
            results = Lanes(flow, 2, size=of_any_size, most=9).in_order(works)
            assert next(results) == 1
            with pytest.raises(KeyError):
                next(results)
            assert list(results) == []


@pytest.mark.requirement("IN-LANE-2")
@pytest.mark.usefixtures("deadline")
@pytest.mark.parametrize(("size", "begun"), [(1, 8), (4, 3), (50, 2)])
def test_what_is_not_finished_is_bounded(size: int, begun: int) -> None:
    """By four for each thread, and by its size, of which each thread may have one thing whatever that is."""
    made: list[int] = []
    go, full = threading.Event(), threading.Event()

    def works() -> Iterator[Job]:
        for number in range(30):
            made.append(number)
            if len(made) == begun:
                full.set()
            yield Job(number=number, size=size, wait=lambda: go.wait(5))

    with Flow() as flow:
        results = Lanes(flow, 2, size=of_any_size, most=9).in_order(works())
        reader = threading.Thread(target=lambda: [next(results)])
        reader.start()
        assert full.wait(5)
        reader.join(0.05)
        assert len(made) == begun
        go.set()
        reader.join()
        assert list(results) == list(range(1, 30))


@pytest.mark.requirement("IN-LANE-2")
@pytest.mark.usefixtures("deadline")
def test_what_is_finished_behind_a_slow_thing_is_bounded() -> None:
    """Nothing more is begun once it weighs as much as may wait; it goes on when the slow one is done."""
    made: list[int] = []
    go, done = threading.Event(), threading.Event()

    def works() -> Iterator[Job]:
        yield Job(number=0, wait=lambda: go.wait(5))
        for number in range(1, 40):
            made.append(number)
            if number == 5:
                done.set()
            yield Job(number=number, apart=False)

    with Flow() as flow:
        results = Lanes(flow, 2, size=of_any_size, most=5).in_order(works())
        reader = threading.Thread(target=lambda: [next(results)])
        reader.start()
        assert done.wait(5)
        reader.join(0.05)
        assert made == [1, 2, 3, 4, 5]
        go.set()
        reader.join()
        assert list(results) == list(range(1, 40))


@pytest.mark.requirement("IN-LANE-3")
@pytest.mark.usefixtures("deadline")
def test_leaving_early_lets_go_of_what_is_being_done() -> None:
    """What fails or interrupts a run ends what its threads wait for, and no thread is left; a run that is over ends."""
    before, go = threading.active_count(), threading.Event()
    jobs = [Job(number=number, wait=go.wait) for number in range(20)]

    def interrupted(flow: Flow) -> None:
        with flow:
            assert next(Lanes(flow, 2, size=of_any_size, most=9).in_order(iter([Job(number=7), *jobs]))) == 7
            raise KeyboardInterrupt

    flow = Flow(go.set)
    with pytest.raises(KeyboardInterrupt):
        interrupted(flow)
    assert (go.is_set(), threading.active_count()) == (True, before)
    with pytest.raises(RunOverError):
        next(Lanes(flow, 1, size=of_any_size, most=9).in_order(iter([Job(number=1, wait=threading.Event().wait)])))


def test_no_thread_is_started_for_what_is_done_at_once() -> None:
    """Nor are more than there is work for."""
    with Flow() as flow:
        before = threading.active_count()
        at_once = (Job(number=number, apart=False) for number in range(50))
        assert len(list(Lanes(flow, 8, size=of_any_size, most=9).in_order(at_once))) == 50
        assert threading.active_count() == before
        assert list(Lanes(flow, 8, size=of_any_size, most=9).in_order(iter([Job(number=1)]))) == [1]


def test_a_flow_that_ends_well_lets_go_of_nothing() -> None:
    """Nobody else may be waiting for it, but what is done is done."""
    calls: list[int] = []
    with Flow(lambda: calls.append(1)):
        pass
    assert calls == []
