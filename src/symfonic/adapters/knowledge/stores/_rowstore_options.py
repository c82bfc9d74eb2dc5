"""What stores of rows have in common in how they are opened: limits, pauses.

Rules of this module: values only; it imports no client.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST: Final = 2_000_000
_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 5.0


def require_common(create: object, attempts: object, **seconds: object) -> None:
    """Refuse what is no flag, no count, or no time.

    Raises:
        StoreError: One is none.
    """
    if type(create) is not bool:
        raise _refusal("create is True or False")
    if type(attempts) is not int or not 1 <= attempts <= _MOST:
        raise _refusal("attempts is a plain int of at least 1")
    for name, value in seconds.items():
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value <= _MOST:
            raise _refusal(f"{name} is a number of seconds above 0 and up to {_MOST:,}")


def _refusal(rule: str) -> StoreError:
    return StoreError(f"{rule}; something else was given and nothing was opened; correct it")


def paused(attempt: int, pause: Callable[[float], None], jitter: Callable[[], float] | None) -> None:
    """Wait after a failure, longer each time, and up to twice as long by chance."""
    seconds = min(_LONGEST_PAUSE, _FIRST_PAUSE * math.ldexp(1, min(attempt - 1, 10)))
    pause(seconds * (1 + (jitter or float)()))
