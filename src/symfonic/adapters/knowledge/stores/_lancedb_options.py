"""How a store in LanceDB is opened: what may be chosen, what is refused, and what a URL says of it.

Rules of this module: values only; it imports no client.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypedDict

from symfonic.adapters.knowledge.ports import StoreError

from ._rowstore_options import paused, require_common
from ._url_options import options_of

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
URL_OPTIONS: Final[dict[str, Callable[[str], Any]]] = {
    "table": str,
    "timeout": float,
    "lock_timeout": float,
    "attempts": int,
}


class Arguments(TypedDict, total=False):
    """What may be passed beside a URL; see ``LanceDBStore`` for their meaning."""

    table: str
    timeout: float
    lock_timeout: float
    attempts: int
    pause: Callable[[float], None]
    jitter: Callable[[], float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a store was opened with; see ``LanceDBStore`` for their meaning.

    Raises:
        StoreError: One is not what it must be.
    """

    folder: Path
    table: str
    create: bool
    timeout: float
    lock_timeout: float
    attempts: int
    pause: Callable[[float], None]
    jitter: Callable[[], float] | None

    def __post_init__(self) -> None:
        name: object = self.table
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise StoreError(
                "a table is called by up to 64 letters of ASCII, digits, - and _; another name was given and nothing "
                "was opened; choose such a name"
            )
        require_common(self.create, self.attempts, timeout=self.timeout, lock_timeout=self.lock_timeout)

    def wait(self, attempt: int) -> None:
        """Wait before the next attempt."""
        paused(attempt, self.pause, self.jitter)


def given(query: str) -> dict[str, Any]:
    """What a URL's query says.

    Raises:
        StoreError: It says something else.
    """
    return options_of(query, URL_OPTIONS)
