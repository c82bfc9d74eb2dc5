"""Functions that a caller passes to be called: whoever is told of progress, and a clock.

Rules of this module: what cannot be called is refused before anything is read, stored or measured. What such a function
raises is its author's and passes.
"""

from __future__ import annotations

import time
from numbers import Real
from typing import TYPE_CHECKING

from .errors import SettingsError, type_name

if TYPE_CHECKING:
    from collections.abc import Callable


def require_told(on_progress: object) -> None:
    """Refuse what is neither ``None`` nor a function to be told of progress.

    Raises:
        SettingsError: It cannot be called.
    """
    if on_progress is not None and not callable(on_progress):
        raise SettingsError(
            f"progress is told to a function of one argument; {type_name(on_progress)} cannot be called and nothing "
            "was begun; pass a function, or None"
        )


class Stopwatch:
    """Seconds between two moments, never less than 0: a clock may be set back.

    Args:
        clock: Answers seconds; ``None`` is the machine's.

    Raises:
        SettingsError: It cannot be called.
    """

    __slots__ = ("_clock",)

    def __init__(self, clock: Callable[[], float] | None) -> None:
        given: object = clock
        if given is not None and not callable(given):
            raise SettingsError(
                f"a clock is a function that answers seconds; {type_name(given)} cannot be called and nothing was "
                "measured; pass one such as time.perf_counter, or None"
            )
        self._clock = clock or time.perf_counter

    def now(self) -> float:
        """This moment.

        Raises:
            SettingsError: The clock answered no number.
        """
        seconds: object = self._clock()
        if not isinstance(seconds, Real):
            raise SettingsError(
                f"a clock answers seconds as a number; this one answered {type_name(seconds)}, and no time can be "
                "told; pass one such as time.perf_counter, or None"
            )
        return float(seconds)

    def since(self, moment: float) -> float:
        """Seconds from ``moment`` until now; 0 where the clock was set back meanwhile."""
        return max(0.0, self.now() - moment)
