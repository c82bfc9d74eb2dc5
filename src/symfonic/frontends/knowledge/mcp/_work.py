"""Blocking work in threads, bounded in number, in waiting and in time.

Rules of this module: it knows nothing of what it runs. A call that takes too long is left alone, not ended, and its
thread stays taken until it is through: there are never more threads than were allowed.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from . import _refusals as refusals

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkLimits:
    """How much is done at a time.

    Attributes:
        threads: Calls that are answered at the same time.
        waiting: Calls that may wait beside them; more are refused.
        seconds: Longest time for one call, waiting included.
    """

    threads: int = 4
    waiting: int = 32
    seconds: float = 30.0


class Workers:
    """Threads for blocking calls. Use it from one event loop; close it when nothing is served any more."""

    __slots__ = ("_limits", "_open", "_pool")

    def __init__(self, limits: WorkLimits) -> None:
        self._limits = limits
        self._open = 0
        self._pool = ThreadPoolExecutor(limits.threads, thread_name_prefix="mcp-call")

    async def run(self, call: Callable[[], _T]) -> _T:
        """Run ``call`` in a thread.

        Raises:
            RefusedError: Too many calls wait, or it took too long.
        """
        if self._open >= self._limits.threads + self._limits.waiting:
            raise refusals.RefusedError(refusals.BUSY)
        self._open += 1
        loop = asyncio.get_running_loop()
        job = self._pool.submit(call)
        job.add_done_callback(lambda done: self._left(loop, done))
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await asyncio.wrap_future(job)
        except TimeoutError:
            if job.done() and not job.cancelled():
                raise  # the call's own
            raise refusals.RefusedError(refusals.TIMED_OUT) from None

    def _left(self, loop: asyncio.AbstractEventLoop, job: Future[_T]) -> None:  # noqa: ARG002 - what is called back is told
        if not loop.is_closed():
            loop.call_soon_threadsafe(self._count_down)

    def _count_down(self) -> None:
        self._open -= 1

    def close(self) -> None:
        """Drop what waits; what runs is left alone."""
        self._pool.shutdown(wait=False, cancel_futures=True)
