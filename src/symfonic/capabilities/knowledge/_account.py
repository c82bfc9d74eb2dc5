"""The account of one answer: which references were read, where, and what they meant.

Rules of this module: it counts and reports. It reads no text, and what a model made up reaches a report as a label
only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ._labels import safe_source
from ._report import AmbiguousReference, CitedFragment, GroundingReport, QuoteCheck, UnknownReference
from ._text import exact_str

if TYPE_CHECKING:
    from ._ledger import CitationLedger, LedgerEntry
    from ._quotes import Attributed, Shelf


class _Cited(NamedTuple):
    number: int
    entry: LedgerEntry
    offsets: list[int]


class Account:
    """What is certain of an answer so far.

    Args:
        ledger: What the prompt showed.
        shelf: Its fragments, to look quotations up in.

    Attributes:
        quotes: Quotations that belong to a reference, in the order of the output; whoever finds one adds it.
    """

    __slots__ = ("_ambiguous", "_checked", "_cited", "_ledger", "_shelf", "_unknown", "quotes")

    def __init__(self, ledger: CitationLedger, shelf: Shelf) -> None:
        self._ledger = ledger
        self._shelf = shelf
        self._cited: dict[str, _Cited] = {}
        self._unknown: dict[str, list[int]] = {}
        self._ambiguous: dict[str, list[int]] = {}
        self._checked: list[QuoteCheck] = []
        self.quotes: list[Attributed] = []

    def cite(self, entry: LedgerEntry, offset: int) -> int:
        """Count a reference to an entry and return the number of the entry, from 1 in the order of first reference."""
        cited = self._cited.get(entry.label)
        if cited is None:
            cited = self._cited[entry.label] = _Cited(len(self._cited) + 1, entry, [])
        cited.offsets.append(offset)
        return cited.number

    def miss(self, name: str, offset: int) -> None:
        """Count a reference to a name that was never admitted."""
        self._unknown.setdefault(name, []).append(offset)

    def doubt(self, name: str, offset: int) -> None:
        """Count a reference that can mean several entries."""
        self._ambiguous.setdefault(name, []).append(offset)

    def report(self) -> GroundingReport:
        """What the answer rests on. Each quotation is looked up once, when it is first reported."""
        self._checked += [self._shelf.check(quote) for quote in self.quotes[len(self._checked) :]]
        return GroundingReport(
            tuple(CitedFragment(one.entry.label, one.entry.source, tuple(one.offsets)) for one in self._cited.values()),
            tuple(UnknownReference(name, offsets) for name, offsets in self._unknown_labels()),
            tuple(entry.label for entry in self._ledger if entry.label not in self._cited),
            tuple(self._checked),
            ambiguous=tuple(
                AmbiguousReference(name, tuple(entry.label for entry in self._ledger.named(name)), tuple(offsets))
                for name, offsets in self._ambiguous.items()
            ),
        )

    def _unknown_labels(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names that were made up, as labels; only names that show as blank share one."""
        labels: dict[str, list[int]] = {}
        for name, offsets in self._unknown.items():
            labels.setdefault(exact_str(safe_source(name)), []).extend(offsets)
        return [(label, tuple(sorted(offsets))) for label, offsets in labels.items()]
