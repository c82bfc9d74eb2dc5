"""Several things worked on at the same time, and handed on in their order.

Rules of this module: it knows nothing of documents. Work is begun one after the other by whoever reads the results;
what may be done apart is then finished by one of several threads, the rest where it was begun. Results come in the
order of the work, and what one raises is raised in its place. How much is begun ahead of the result that is waited for
is bounded: by the size of what is finished, and by the size of what is not, of which each thread may have one thing of
any size.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._flow import Flow

_R = TypeVar("_R")
_Result_co = TypeVar("_Result_co", covariant=True)

_AHEAD: Final = 4
"""Things that are begun and not finished, for each thread: while one result is taken, no thread runs dry."""


class Work(Protocol[_Result_co]):
    """Something that is begun."""

    @property
    def apart(self) -> bool:
        """Whether another thread may finish it."""
        ...

    @property
    def size(self) -> int:
        """What it holds until it is finished."""
        ...

    def finish(self) -> _Result_co:
        """Do what is left."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun(Generic[_R]):
    """Work of which a function does the rest."""

    finish: Callable[[], _R]
    apart: bool = False
    size: int = 0


class Lanes(Generic[_R]):
    """Threads that finish work. They are started when there is some for them.

    Args:
        flow: Ends them.
        count: The most threads.
        size: Of a result.
        most: Size of finished results from which on nothing is begun, and likewise of what is not finished.
    """

    def __init__(self, flow: Flow, count: int, *, size: Callable[[_R], int], most: int) -> None:
        self._flow = flow
        self._count = count
        self._size = size
        self._most = most
        self._started = 0
        self._ended = False
        self._queue: deque[_Place[_R]] = deque()
        self._unfinished = 0
        self._unfinished_size = 0
        self._finished_size = 0

    def in_order(self, works: Iterator[Work[_R]]) -> Iterator[_R]:
        """The result of each; call this once."""
        places: deque[_Place[_R]] = deque()
        more = True
        try:
            while more or places:
                if more and self._has_room():
                    more = self._begin(works, places)
                elif not places[0].done:
                    self._wait(places[0], more=more)
                if places and places[0].done:
                    yield self._taken(places.popleft())
        finally:
            with self._flow.changed:
                self._ended = True
                self._flow.changed.notify_all()

    def _has_room(self) -> bool:
        with self._flow.changed:
            return self._finished_size < self._most and (
                self._unfinished < self._count
                or (self._unfinished < _AHEAD * self._count and self._unfinished_size < self._most)
            )

    def _begin(self, works: Iterator[Work[_R]], places: deque[_Place[_R]]) -> bool:
        """Begin the next thing; whether more may come after it."""
        try:
            work = next(works)
        except StopIteration:
            return False
        except Exception as error:  # noqa: BLE001 - raised again in its place
            places.append(_Place(None, error))
            return False
        place = _Place(work)
        places.append(place)
        if not work.apart:
            place.finish(Exception)  # an interruption is told at once
            with self._flow.changed:
                self._finished_size += place.weight(self._size)
            return True
        with self._flow.changed:
            self._unfinished += 1
            self._unfinished_size += work.size
            self._queue.append(place)
            self._flow.changed.notify_all()
        if self._started < min(self._count, self._unfinished):
            self._started += 1
            self._flow.start(self._finish_some)
        return True

    def _wait(self, first: _Place[_R], *, more: bool) -> None:
        with self._flow.changed:
            self._flow.refuse_over()
            if not first.done and not (more and self._has_room()):
                self._flow.changed.wait()

    def _taken(self, place: _Place[_R]) -> _R:
        with self._flow.changed:
            self._finished_size -= place.weight(self._size)
        return place.taken()

    def _finish_some(self) -> None:
        """Finish what waits, until nothing will come; a thread's part."""
        changed = self._flow.changed
        while True:
            with changed:
                while not (self._queue or self._ended or self._flow.over):
                    changed.wait()
                if self._ended or self._flow.over:
                    return
                place = self._queue.popleft()
            held = place.held
            place.finish(BaseException)
            with changed:
                self._unfinished -= 1
                self._unfinished_size -= held
                self._finished_size += place.weight(self._size)
                place.done = True
                changed.notify_all()


class _Place(Generic[_R]):
    """Where the result of one thing will be."""

    __slots__ = ("_failure", "_result", "_weight", "_work", "done", "held")

    def __init__(self, work: Work[_R] | None, failure: Exception | None = None) -> None:
        self._work = work
        self._failure: BaseException | None = failure
        self._result: _R | None = None
        self._weight: int | None = None
        self.held = 0 if work is None else work.size
        self.done = work is None or not work.apart

    def finish(self, caught: type[BaseException]) -> None:
        """Have a result, or what is raised again where it is taken."""
        work, self._work = self._work, None
        assert work is not None
        try:
            self._result = work.finish()
        except caught as error:
            self._failure = error

    def weight(self, size: Callable[[_R], int]) -> int:
        if self._weight is None:
            self._weight = 0 if self._result is None else size(self._result)
        return self._weight

    def taken(self) -> _R:
        if self._failure is not None:
            raise self._failure
        assert self._result is not None
        return self._result
