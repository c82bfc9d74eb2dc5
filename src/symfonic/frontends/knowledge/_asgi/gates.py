"""How many requests at once, and how many in a while.

Rules of this module: counts and times alone; it knows nothing of requests. What it remembers is bounded.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable


class FullError(Exception):
    """There is no place, and none became free in time."""


class Gate:
    """So many at once, so many waiting behind them, for so many seconds at most."""

    def __init__(self, *, places: int, waiting: int, seconds: float) -> None:
        self._places = asyncio.Semaphore(places)
        self._most_waiting = waiting
        self._seconds = seconds
        self._waiting = 0

    @contextlib.asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """A place for as long as the block lasts.

        Raises:
            FullError: Too many wait, or it took too long.
        """
        await self._enter()
        try:
            yield
        finally:
            self._places.release()

    async def _enter(self) -> None:
        if self._places.locked() and self._waiting >= self._most_waiting:
            raise FullError
        self._waiting += 1
        try:
            async with asyncio.timeout(self._seconds):
                await self._places.acquire()
        except TimeoutError:
            raise FullError from None
        finally:
            self._waiting -= 1


class Gates:
    """A gate for each name, for as long as somebody stands at it."""

    def __init__(self, *, places: int, waiting: int, seconds: float) -> None:
        self._make = partial(Gate, places=places, waiting=waiting, seconds=seconds)
        self._gates: dict[str, tuple[Gate, int]] = {}

    def __len__(self) -> int:
        return len(self._gates)

    @contextlib.asynccontextmanager
    async def place(self, name: str) -> AsyncIterator[None]:
        """A place at the gate of that name for as long as the block lasts.

        Raises:
            FullError: Too many wait there, or it took too long.
        """
        gate, standing = self._gates.get(name) or (self._make(), 0)
        self._gates[name] = (gate, standing + 1)
        try:
            async with gate.place():
                yield
        finally:
            _, standing = self._gates.pop(name)
            if standing > 1:
                self._gates[name] = (gate, standing - 1)


class Rates:
    """A token bucket for each name: it fills steadily, and each request takes one out."""

    def __init__(self, *, per_minute: int, burst: int, most: int, clock: Callable[[], float]) -> None:
        self._per_second = per_minute / 60
        self._burst = float(burst)
        self._most = most
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def wait(self, name: str) -> float:
        """Take one out: 0 where there was one, else the seconds until there will be."""
        now = self._clock()
        left, since = self._buckets.pop(name, (self._burst, now))
        left = min(self._burst, left + max(0.0, now - since) * self._per_second)
        granted = left >= 1
        self._buckets[name] = (left - 1 if granted else left, now)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return 0.0 if granted else (1 - left) / self._per_second
