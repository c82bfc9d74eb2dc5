"""How the conformance suite runs its checks: with an end in sight, and with threads that get in each other's way.

Rules of this module: it knows threads and time, and neither rows nor retrievers.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from itertools import count
from threading import Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final

from ._rules import TIME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import FrameType

CALLERS: Final = 8
#: Threads make way for each other at every line, then at every second and so on: so far into an answer reach the turns.
STRIDES: Final = (1, 1, 2, 3, 5, 8, 13, 21)
_TURNS: Final = 100  # a store that runs many lines of Python for an answer must not take minutes


def together(calls: Sequence[Callable[[], None]], seconds: float) -> None:
    """Make these calls at once, each in a thread that dies with the program, and raise the first error of them."""
    errors: list[BaseException] = []

    def run(call: Callable[[], None]) -> None:
        try:
            call()
        except BaseException as error:  # noqa: BLE001 - raised again where somebody can see it
            errors.append(error)

    threads = [Thread(target=run, args=(call,), daemon=True) for call in calls]
    end = monotonic() + seconds
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, end - monotonic()))
    if errors:
        raise errors[0]
    assert not any(thread.is_alive() for thread in threads), TIME.broken(f"no answer within {seconds:g} seconds")


@contextmanager
def giving_way(stride: int) -> Iterator[None]:
    """Let this thread make way for the others before every so many of its next lines of Python.

    A race between two lines would show by chance once in a hundred runs; like this it shows in the first. Lines of the
    standard library and of the boundary are passed over: the race that is looked for is the retriever's own.
    """
    usual = sys.gettrace()
    lines = count()
    last = stride * _TURNS

    def step(frame: FrameType, event: str, _: object) -> Any:  # pragma: no cover - what traces is not traced
        if event == "call" and _is_ours(frame):
            return None
        number = next(lines)
        if number < last and number % stride == 0:
            sleep(0)
        return step

    sys.settrace(step)
    try:
        yield
    finally:
        sys.settrace(usual)  # pragma: no cover - the same


def _is_ours(frame: FrameType) -> bool:  # pragma: no cover - called by what traces
    name = str(frame.f_globals.get("__name__", ""))
    return name.startswith("symfonic.capabilities.") or name.partition(".")[0] in sys.stdlib_module_names
