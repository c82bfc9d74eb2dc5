"""Reading the sources of one prompt at the same time, each with a deadline.

Rules of this module: it is the compiler's port of reading sources where threads and a clock exist. It judges no text
and no tier: a source that is too slow is a failure like any other, which costs its own block, or an authored tier the
compile.

Each read runs in a daemon thread of its own, so that a source which never answers cannot keep the process from ending.
Nobody can stop a thread from outside; a read whose deadline has passed is left alone, and whatever it answers later
goes nowhere: not into this prompt, not into the memory of reads. When it answered is noted at its answer, so that does
not depend on what else arrives meanwhile. A source that keeps an account of what it read can ask for the
:func:`current_call` and is told there.

Reads that were left alone are counted by contribution. One of which too many hang is not asked again until some have
ended, and the others still are.
"""

from __future__ import annotations

import contextvars
import math
import threading
import time
from collections import deque
from copy import copy
from queue import Empty, SimpleQueue
from types import NoneType
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from symfonic.capabilities.prompting import (
    DiagnosticCode,
    PromptContribution,
    PromptRead,
    PromptRequest,
    ReadFailure,
    ReadMemo,
    StaticPromptSource,
    read_source,
)

from .errors import SettingsError, type_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Self

    from symfonic.capabilities.prompting import PromptSource

__all__ = ["ConcurrentHydrator"]

DEFAULT_DEADLINE: Final = 30.0
"""Seconds a source has for its answer unless the deployment says otherwise."""


class ReadingCall:
    """One read as its source may see it from inside.

    Attributes:
        left_alone: Whether its deadline has passed and the compile went on without it. It is settled when the compile
            is over, and never taken back.
    """

    __slots__ = ("left_alone",)

    def __init__(self) -> None:
        self.left_alone = False


_CALL: Final[contextvars.ContextVar[ReadingCall | None]] = contextvars.ContextVar("reading_call", default=None)


def current_call() -> ReadingCall | None:
    """The read that is under way here; ``None`` where nobody sets a deadline."""
    return _CALL.get()


class ConcurrentHydrator:
    """Reads the sources of a compile at the same time; safe to use from several threads.

    Args:
        deadline: Seconds each source has, counted from the moment it is asked.
        workers: Most sources of one compile that are waited for at the same time; further ones wait their turn.
        memo_size: Entries of its memory of reads; 0 remembers nothing.
        max_hanging: Most reads, of all compiles together, that may still run after their deadline. Above it a source of
            which one hangs is too slow at once, unasked, until some have ended; one of which none hangs is asked, as
            long as fewer contributions than this have hanging reads.
        max_hanging_each: The same for one contribution, by its capability and id, whatever hangs of others.
        clock: Monotonic seconds, by which answers are late, asked from several threads; ``time.monotonic`` where
            ``None``.

    Attributes:
        memo: The memory of reads declared with ``requires_hydration=False``.

    Raises:
        SettingsError: A deadline that is no positive finite number of seconds, or a number of threads below 1.
        PromptContractError: A ``memo_size`` that is negative or no plain ``int``.
    """

    __slots__ = ("_clock", "_deadline", "_hanging", "_key_fingerprint", "_workers", "memo")

    def __init__(
        self,
        *,
        deadline: float = DEFAULT_DEADLINE,
        workers: int = 16,
        memo_size: int = 256,
        max_hanging: int = 64,
        max_hanging_each: int = 8,
        clock: Callable[[], float] | None = None,
    ) -> None:
        check_deadline("deadline", deadline)
        for name, number in (
            ("workers", workers),
            ("max_hanging", max_hanging),
            ("max_hanging_each", max_hanging_each),
        ):
            if type(number) is not int or number < 1:
                raise SettingsError(
                    f"{name} must be a whole number of at least 1, not {_shown(number)}; no source could ever be read; "
                    "correct it"
                )
        self._deadline = float(deadline)
        self._clock = time.monotonic if clock is None else clock
        self._workers = workers
        self._hanging = _Hanging(max_hanging, max_hanging_each)
        self._key_fingerprint = ""
        self.memo = ReadMemo(memo_size)

    def keyed(self, key_fingerprint: str) -> Self:
        """Return a reader with the same memory and threads that remembers and recalls under this fingerprint only."""
        reader = copy(self)
        reader._key_fingerprint = key_fingerprint  # noqa: SLF001 - it is a copy of this object
        return reader

    def read_all(
        self, contributions: Sequence[PromptContribution], request: PromptRequest
    ) -> Mapping[str, PromptRead | ReadFailure]:
        """Return one answer per contribution, in the given order.

        An ``Exception``, and a panic of native code, becomes a failure; what stops the process, such as
        ``KeyboardInterrupt``, is raised here.
        """
        generation = self.memo.generation
        answers = {item.contribution_id: self._at_hand(item, request) for item in contributions}
        unread = [item for item in contributions if answers[item.contribution_id] is None]
        reading = _Round(unread, request, self._deadline, self._workers, self._hanging, self._clock)
        for item, answer in reading.answers():
            answers[item.contribution_id] = answer
            if isinstance(answer, PromptRead):
                self.memo.remember(item, request, answer, generation=generation, key_fingerprint=self._key_fingerprint)
        return {name: answer for name, answer in answers.items() if answer is not None}

    def _at_hand(self, item: PromptContribution, request: PromptRequest) -> PromptRead | ReadFailure | None:
        """What needs no thread: fixed text, and what is remembered."""
        if type(item.source) is StaticPromptSource:
            return read_source(item, request)
        return self.memo.recall(item, request, key_fingerprint=self._key_fingerprint)

    def invalidate(
        self,
        *,
        source: PromptSource | None = None,
        capability: str | None = None,
        contribution_id: str | None = None,
        scope_path: str | None = None,
        key_fingerprint: str | None = None,
    ) -> int:
        """Forget remembered reads; the conditions are those of :meth:`ReadMemo.invalidate`."""
        return self.memo.invalidate(
            source=source,
            capability=capability,
            contribution_id=contribution_id,
            scope_path=scope_path,
            key_fingerprint=key_fingerprint,
        )


def check_deadline(name: str, seconds: object) -> None:
    """Refuse what no source can be waited for.

    Raises:
        SettingsError: It is no positive finite number of seconds, or more than a thread can wait.
    """
    number = seconds if type(seconds) in {int, float} else math.nan
    if not 0 < number <= threading.TIMEOUT_MAX:  # type: ignore[operator]  # one of the two types, or not a number
        raise SettingsError(
            f"{name} must be a number of seconds above 0, not {type_name(seconds)} {_shown(seconds)}; every "
            "source would be too slow, or none ever; correct it"
        )


def _shown(number: object) -> str:
    """A number that was refused, short: Python writes out no int of thousands of digits."""
    if type(number) is int and number.bit_length() > 64:
        return f"of {number.bit_length()} bits"
    return repr(number)[:30] if type(number) in {int, float, bool, str, NoneType} else f"of type {type_name(number)}"


class _Hanging:
    """Threads that still read after their deadline, over all compiles of one hydrator, by whose contribution they read.

    Who has none hanging is refused only where too many others have some, so that a source which hangs, however often it
    is asked at once, costs nobody else the answer. The lock lets its own thread in again: foreign code may run inside.
    """

    __slots__ = ("_lock", "_most", "_most_of_one", "_threads")

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most = most
        self._most_of_one = most_of_one
        self._threads: dict[_Owner, list[threading.Thread]] = {}
        self._lock = threading.RLock()

    def add(self, left: Collection[_Running]) -> None:
        with self._lock:
            for running in left:
                self._threads.setdefault(_owner(running.item), []).append(running.thread)

    def refusal(self, item: PromptContribution) -> str:
        """Why no read of this contribution may begin; empty where it may."""
        with self._lock:
            alive = {owner: sum(thread.is_alive() for thread in threads) for owner, threads in self._threads.items()}
            self._threads = {
                owner: [thread for thread in self._threads[owner] if thread.is_alive()]
                for owner, number in alive.items()
                if number
            }
        own = alive.get(_owner(item), 0)
        everybody = sum(alive.values())
        if own >= self._most_of_one:
            return f"not asked, {own} earlier reads of it still hang"
        owners = sum(map(bool, alive.values()))
        if owners >= self._most or (own and everybody >= self._most):
            return f"not asked, {everybody} earlier reads still hang"
        return ""


_Owner: TypeAlias = tuple[str, str]


def _owner(item: PromptContribution) -> _Owner:
    """Whose reads are counted together; every question has a source of its own, so the source says too little."""
    return item.capability, item.contribution_id


class _Running(NamedTuple):
    item: PromptContribution
    thread: threading.Thread
    until: float
    call: ReadingCall


class _Arrival(NamedTuple):
    place: int
    answer: PromptRead | ReadFailure | BaseException
    at: float


class _Round:
    """One reading of several sources, in the calling thread; the answers come through a queue."""

    __slots__ = ("_arrived", "_clock", "_deadline", "_hanging", "_pending", "_request", "_running", "_workers")

    def __init__(
        self,
        items: Sequence[PromptContribution],
        request: PromptRequest,
        deadline: float,
        workers: int,
        hanging: _Hanging,
        clock: Callable[[], float],
    ) -> None:
        self._pending = deque(enumerate(items))
        self._request = request
        self._deadline = deadline
        self._workers = workers
        self._hanging = hanging
        self._clock = clock
        self._running: dict[int, _Running] = {}
        self._arrived: SimpleQueue[_Arrival] = SimpleQueue()

    def answers(self) -> list[tuple[PromptContribution, PromptRead | ReadFailure]]:
        found: list[tuple[PromptContribution, PromptRead | ReadFailure]] = []
        try:
            while self._pending or self._running:
                while self._pending and len(self._running) < self._workers:
                    found += self._begin(*self._pending.popleft())
                found += self._next()
        finally:
            self._leave_alone(self._running.values())
        return found

    def _begin(self, place: int, item: PromptContribution) -> list[tuple[PromptContribution, ReadFailure]]:
        refusal = self._hanging.refusal(item)
        if refusal:
            return [(item, ReadFailure(DiagnosticCode.TOO_SLOW, refusal))]
        context, call = contextvars.copy_context(), ReadingCall()
        context.run(_CALL.set, call)
        thread = threading.Thread(
            target=context.run, args=(self._read, place, item), name="symfonic-knowledge read", daemon=True
        )
        self._running[place] = _Running(item, thread, self._clock() + self._deadline, call)
        try:
            thread.start()
        except RuntimeError as error:  # no thread can be had, or the interpreter is ending
            del self._running[place]
            return [(item, ReadFailure(DiagnosticCode.SOURCE_FAILED, "no thread could be started", error))]
        return []

    def _read(self, place: int, item: PromptContribution) -> None:
        answer: PromptRead | ReadFailure | BaseException
        try:
            answer = read_source(item, self._request)
        except BaseException as error:  # noqa: BLE001 - raised again where the compile waits
            answer = error
        self._arrived.put(_Arrival(place, answer, self._clock()))

    def _next(self) -> list[tuple[PromptContribution, PromptRead | ReadFailure]]:
        """Wait for one answer, or for the first deadline; then give up whatever is late."""
        if not self._running:
            return []
        remaining = min(running.until for running in self._running.values()) - self._clock()
        try:
            arrivals = [self._arrived.get(timeout=max(0.0, remaining))]
        except Empty:
            arrivals = []
        now = self._clock()
        while not self._arrived.empty():  # what answered in time must not be given up for waiting in the queue
            arrivals.append(self._arrived.get_nowait())
        return [found for arrived in arrivals for found in self._in_time(arrived)] + self._expired(now)

    def _in_time(self, arrived: _Arrival) -> list[tuple[PromptContribution, PromptRead | ReadFailure]]:
        """What arrived, if it was not given up and answered before its deadline."""
        running = self._running.get(arrived.place)
        if running is None or arrived.at > running.until:
            return []  # one that is late is given up as soon as the deadlines are looked at, by the same clock
        del self._running[arrived.place]
        if isinstance(arrived.answer, BaseException):
            raise arrived.answer
        return [(running.item, arrived.answer)]

    def _expired(self, now: float) -> list[tuple[PromptContribution, PromptRead | ReadFailure]]:
        late = [place for place, running in self._running.items() if running.until < now]
        left = [self._running.pop(place) for place in late]
        self._leave_alone(left)
        return [(running.item, ReadFailure(DiagnosticCode.TOO_SLOW, f"{self._deadline:g} s")) for running in left]

    def _leave_alone(self, left: Collection[_Running]) -> None:
        for running in left:
            running.call.left_alone = True
        self._hanging.add(left)
