"""The shelf: where the words of a quotation stand in what a prompt showed.

Rules of this module: it compares words with fragments only when somebody asks. White space and typographic quotation
marks are made alike before comparing, nothing else is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from . import _tables as tables
from ._report import QuoteCheck, QuoteVerdict
from ._text import clean_content

if TYPE_CHECKING:
    from ._ledger import CitationLedger
    from ._quotes import Attributed

MAX_ELSEWHERE_LABELS: Final = 16
"""Most fragments named that hold the words of one quotation."""

# Where a word may begin or end. No text that was made comparable holds a line break.
_EDGE: Final = "\n"
_BETWEEN: Final = "\r"
_HYPHENS: Final = "\u2010\u2011\u2212-"
_ALIKE: Final = MappingProxyType(
    dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u00ab\u00bb\u301d\u301e\u301f\uff02"), '"')
    | dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2039\u203a"), "'")
)


class Shelf:
    """The fragments of a ledger, made comparable when the first quotation is checked.

    Args:
        ledger: What the prompt showed.
    """

    __slots__ = ("_ledger", "_starts", "_text")

    def __init__(self, ledger: CitationLedger) -> None:
        self._ledger = ledger
        self._text = ""
        self._starts: list[int] = []

    def check(self, quote: Attributed) -> QuoteCheck:
        """Say where the words of a quotation stand."""
        holders = self._holders(_comparable(quote.text))
        held = frozenset(holders)
        named = next((label for label in quote.labels if label in held), None)
        label = named or (quote.labels[0] if len(quote.labels) == 1 else "")
        if named is not None:
            return QuoteCheck(quote.text, quote.offset, label, QuoteVerdict.VERBATIM)
        verdict = QuoteVerdict.ELSEWHERE if holders else QuoteVerdict.NOWHERE
        return QuoteCheck(quote.text, quote.offset, label, verdict, tuple(holders[:MAX_ELSEWHERE_LABELS]))

    def _holders(self, words: str) -> list[str]:
        """Labels of the fragments that hold the words, in the order of the ledger.

        One look at each fragment tells, because words and fragments have their edges in them.
        """
        if not self._starts:
            self._fill()
        words = _edged(words)
        found: list[str] = []
        at = self._text.find(words)
        while at >= 0:
            place = bisect_right(self._starts, at)
            found.append(self._ledger.entries[place - 1].label)
            at = self._text.find(words, self._starts[place]) if place < len(self._starts) else -1
        return found

    def _fill(self) -> None:
        """Put all fragments into one text, each apart from the next."""
        contents = [_edged(_comparable(clean_content(entry.content))) for entry in self._ledger]
        self._starts = [0, *accumulate(len(content) + len(_BETWEEN) for content in contents)][: len(contents)]
        self._text = _BETWEEN.join(contents)


def _comparable(text: str) -> str:
    """The text with white space and quotation marks made alike."""
    return " ".join(text.translate(_ALIKE).split())


def _edged(text: str) -> str:
    """The text with every place marked where a word may begin or end; what stands in it then stands alone."""
    return f"{_EDGE}{_EDGE.join(_parts().findall(text))}{_EDGE}"


@cache
def _parts() -> re.Pattern[str]:
    """What stands alone: a word, with its marks, apostrophes and hyphens; a number, with its sign; any other character.

    Compiled when it is first needed, not on import.
    """
    marks = f"[{tables.MARKS}{tables.SELECTORS}]*+"
    joined = rf"['\uff07{_HYPHENS}](?=\w)|(?<=\d)[.,:/\u2013](?=\d)"
    return re.compile(rf"(?:[{_HYPHENS}](?=\d))?\w{marks}(?:(?:{joined})?\w{marks})*+|.{marks}")
