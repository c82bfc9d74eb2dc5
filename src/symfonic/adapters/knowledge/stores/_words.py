"""What was read of the full-text index for one state of a scope, so that words asked often are not read again.

Rules of this module: it keeps and forgets; what it keeps was read by somebody else, in a transaction of that state.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._lexical import Term

MOST_CHARACTERS: Final = 64
"""Longest word that is remembered."""

_COUNT_BYTES: Final = 300
"""What it takes to remember something of a word, beside its characters, in bytes."""

Posted: TypeAlias = tuple[Any, Any]
"""Positions of the passages that hold a word, and how often each does: two arrays."""


class Words:
    """Holders of words in one state of a scope, and how often they hold them. Safe from any thread.

    Args:
        most_bytes: Most memory for postings; those not asked for longest go first.
        most_counts: Most memory for the numbers of passages that hold a word; the oldest go first.
    """

    def __init__(self, most_bytes: int, most_counts: int) -> None:
        self._lock = threading.Lock()
        self._most_bytes = most_bytes
        self._most_counts = most_counts
        self._holding: OrderedDict[tuple[str, bool], int] = OrderedDict()
        self._posted: OrderedDict[tuple[str, bool], Posted] = OrderedDict()
        self._posted_bytes = 0
        self._counts_bytes = 0

    def bound(self, most_bytes: int, most_counts: int) -> None:
        """Go by other bounds from now on, and forget what exceeds them."""
        with self._lock:
            self._most_bytes, self._most_counts = most_bytes, most_counts
            self._forget()

    @property
    def nbytes(self) -> int:
        """Memory it takes, in bytes."""
        return self._posted_bytes + self._counts_bytes

    def holding(self, term: Term, read: Callable[[], int]) -> int:
        """How many passages hold a term, counted by ``read`` if need be."""
        key = (term.stem, term.piece)
        found = self._holding.get(key)
        if found is not None:
            return found
        found = read()
        size = _count_bytes(key)
        if len(term.stem) > MOST_CHARACTERS or size > self._most_counts:
            return found
        with self._lock:
            if key not in self._holding:
                self._holding[key] = found
                self._counts_bytes += size
            self._forget()
        return found

    def posted(self, term: Term) -> Posted | None:
        """The postings of a term; ``None`` where they have to be read."""
        key = (term.stem, term.piece)
        with self._lock:
            found = self._posted.get(key)
            if found is not None:
                self._posted.move_to_end(key)
            return found

    def keep(self, term: Term, posted: Posted) -> None:
        """Remember postings, unless they alone are more than is kept."""
        key = (term.stem, term.piece)
        size = _posted_bytes(key, posted)
        with self._lock:
            if key in self._posted or size > self._most_bytes or len(term.stem) > MOST_CHARACTERS:
                return
            self._posted[key] = posted
            self._posted_bytes += size
            self._forget()

    def _forget(self) -> None:
        while self._counts_bytes > self._most_counts:
            self._counts_bytes -= _count_bytes(self._holding.popitem(last=False)[0])
        while self._posted_bytes > self._most_bytes:
            self._posted_bytes -= _posted_bytes(*self._posted.popitem(last=False))


def _count_bytes(key: tuple[str, bool]) -> int:
    return _COUNT_BYTES + 4 * len(key[0])


def _posted_bytes(key: tuple[str, bool], posted: Posted) -> int:
    return _count_bytes(key) + int(posted[0].nbytes) + int(posted[1].nbytes)
