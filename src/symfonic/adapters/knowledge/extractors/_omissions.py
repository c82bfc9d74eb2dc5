"""How much was left out of a file because no reader of it sees it.

Rules of this module: pure. It counts characters other than white space, so that a count says how much could have been
read, and knows the names of the reasons, which are the same for every format.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["REASONS", "UNSAVED", "Omissions"]

UNSAVED: Final = "formula"
"""Why a cell of a workbook shows nothing: its formula was saved without a result. Cells are counted, no characters."""

REASONS: Final = frozenset({"colour", UNSAVED, "hidden", "place", "size", "transparent"})
"""Why text does not show, as ``Extraction.hidden`` names it."""


class Omissions:
    """Counts what is left out, by why."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def add(self, why: str, text: str) -> None:
        """Count a text that is left out."""
        self._counts[why] += sum(map(len, text.split()))

    def add_counts(self, counts: Iterable[tuple[str, int]]) -> None:
        """Count what a part of the file left out."""
        for why, number in counts:
            self._counts[why] += number

    def counted(self) -> tuple[tuple[str, int], ...]:
        """Characters by why, sorted, as ``Extraction.hidden``."""
        return tuple(sorted((why, number) for why, number in self._counts.items() if number))
