"""Stages that work at the same time: each runs in a thread of its own, ahead of the one that reads it.

Rules of this module: it knows nothing of documents. What a stage makes is handed on in its order, and what it raises is
raised where its next item would have come. How far a stage runs ahead is bounded by the size of what waits; a single
thing that is larger waits alone. Leaving a :class:`Flow` ends its stages after the item each is at, and waits for that.
Whoever interrupts that waiting leaves at once: a thread then ends after its item, and keeps no process from ending.
What fails or interrupts a run first lets go of what its stages wait for, where there is a way.
"""

from __future__ import annotations

import contextvars
import threading
from collections import deque
from typing import TYPE_CHECKING, Generic, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

_T = TypeVar("_T")


class RunOverError(Exception):
    """Ends a stage whose result nobody waits for; nobody sees it."""


class Flow:
    """The stages of one run; a context manager that ends them.

    Args:
        let_go: Is called once the run is over by an error or an interruption, before its stages are waited for: it
            ends what they may be waiting for themselves.
    """

    __slots__ = ("_let_go", "_over", "_threads", "changed")

    def __init__(self, let_go: Callable[[], None] | None = None) -> None:
        self._let_go = let_go
        self.changed = threading.Condition()
        """Held while anything that stages share is looked at or changed."""
        self._over = False
        self._threads: list[threading.Thread] = []

    @property
    def over(self) -> bool:
        """Whether nobody waits for a result any more."""
        return self._over

    def refuse_over(self) -> None:
        """End a stage that takes long over one item, where nobody waits for it any more.

        Raises:
            RunOverError: Nobody does.
        """
        if self._over:
            raise RunOverError

    def ahead(self, items: Iterator[_T], *, size: Callable[[_T], int], most: int) -> Ahead[_T]:
        """Read ``items`` in a thread, until what waits to be taken has a size of ``most``."""
        stage = Ahead(self, items, size=size, most=most)
        self.start(stage.work)
        return stage

    def start(self, work: Callable[[], None]) -> None:
        """Do ``work`` in a thread, which is waited for in the end."""
        run = contextvars.copy_context().run
        thread = threading.Thread(target=run, args=(work,), name="symfonic-knowledge-ingest", daemon=True)
        thread.start()
        self._threads.append(thread)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self.changed:
            self._over = True
            self.changed.notify_all()
        if kind is not None and self._let_go is not None:
            self._let_go()
        for thread in self._threads:
            thread.join()


class Ahead(Generic[_T]):
    """What a stage makes, to be iterated over by the next one. Made by :meth:`Flow.ahead`."""

    __slots__ = ("_ended", "_failure", "_flow", "_items", "_most", "_size", "_waiting", "_weight")

    def __init__(self, flow: Flow, items: Iterator[_T], *, size: Callable[[_T], int], most: int) -> None:
        self._flow = flow
        self._items = items
        self._size = size
        self._most = most
        self._waiting: deque[_T] = deque()
        self._weight = 0
        self._ended = False
        self._failure: BaseException | None = None

    def work(self) -> None:
        """Make everything; the thread's part."""
        failure: BaseException | None = None
        try:
            for item in self._items:
                if not self._handed_over(item):
                    break
        except BaseException as error:  # noqa: BLE001 - raised again where the items are read
            failure = error
        with self._flow.changed:
            self._failure = failure
            self._ended = True
            self._flow.changed.notify_all()

    def _handed_over(self, item: _T) -> bool:
        """Wait for room and put ``item`` there; not where the run is over."""
        size = self._size(item)
        with self._flow.changed:
            while not self._flow.over and self._waiting and self._weight + size > self._most:
                self._flow.changed.wait()
            if self._flow.over:
                return False
            self._waiting.append(item)
            self._weight += size
            self._flow.changed.notify_all()
            return True

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> _T:
        with self._flow.changed:
            while not (self._waiting or self._ended or self._flow.over):
                self._flow.changed.wait()
            if self._waiting and not self._flow.over:
                return self._taken()
            failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        raise StopIteration

    def ready(self, seconds: float) -> bool:
        """Wait so long at most until there is an item, or none will come; whether that is so."""
        with self._flow.changed:
            return self._flow.changed.wait_for(lambda: bool(self._waiting) or self._ended or self._flow.over, seconds)

    def waiting(self, most: int) -> list[_T]:
        """Take what waits already, in its order, as long as its size together is no more than ``most``."""
        taken: list[_T] = []
        with self._flow.changed:
            while self._waiting and (most := most - self._size(self._waiting[0])) >= 0:
                taken.append(self._taken())
        return taken

    def _taken(self) -> _T:
        item = self._waiting.popleft()
        self._weight -= self._size(item)
        self._flow.changed.notify_all()
        return item
