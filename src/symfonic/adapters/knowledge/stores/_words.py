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

MOST_WORDS: Final = 65_536
"""Words of which a scope remembers how many passages hold them."""

Posted: TypeAlias = tuple[Any, Any]
"""Positions of the passages that hold a word, and how often each does: two arrays."""


class Words:
    """Holders of words in one state of a scope, and how often they hold them. Safe from any thread.

    Args:
        most_bytes: Most memory for postings; those not asked for longest go first.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._holding: dict[tuple[str, bool], int] = {}
        self._posted: OrderedDict[tuple[str, bool], Posted] = OrderedDict()
        self.nbytes = 0

    def holding(self, term: Term, read: Callable[[], int]) -> int:
        """How many passages hold a term, counted by ``read`` if need be."""
        key = (term.stem, term.piece)
        found = self._holding.get(key)
        if found is None:
            found = read()
            with self._lock:
                if len(self._holding) >= MOST_WORDS:
                    self._holding.clear()
                self._holding[key] = found
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
        size = posted[0].nbytes + posted[1].nbytes
        with self._lock:
            if key in self._posted or size > self._most_bytes:
                return
            self._posted[key] = posted
            self.nbytes += size
            while self.nbytes > self._most_bytes:
                self.nbytes -= sum(part.nbytes for part in self._posted.popitem(last=False)[1])
