"""The account of one answer: which references were read, where, and what they meant.

Rules of this module: it counts and reports. It reads no text, and what a model made up reaches a report as a label
only. What it keeps is bounded by the ledger and the numbers below, whatever the answer; what is beyond them is counted.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final, NamedTuple, Self, TypeVar

from ._labels import safe_source
from ._references import MARK
from ._report import AmbiguousReference, CitedFragment, GroundingReport, QuoteCheck, UnknownReference
from ._text import exact_str

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ._ledger import CitationLedger, LedgerEntry
    from ._quotes import Attributed, Found, Shelf

MAX_REPORTED_NAMES: Final = 256
"""Most different names that were never admitted and are told by name; references to further ones are counted."""

MAX_REPORTED_OFFSETS: Final = 1000
"""Most places that are told of one fragment or name; references behind them are counted."""

MAX_REPORTED_QUOTES: Final = 500
"""Most quotations that are checked and told; those behind them are counted."""

_NAME_OF_MARK: Final = MARK[1:-1]
_Key = TypeVar("_Key")


class _Journal:
    """What was counted beyond the limits since it was last opened: tally, place in the output, how much.

    Kept only where somebody may have to take back what they did not show; it grows with one piece of text.
    """

    __slots__ = ("_items",)

    def __init__(self) -> None:
        self._items: list[tuple[_Tally, int, int]] | None = None

    def open(self) -> None:
        """Begin anew."""
        self._items = []

    def note(self, tally: _Tally, offset: int, count: int) -> None:
        """Write down, if anybody is to know."""
        if self._items is not None:
            self._items.append((tally, offset, count))

    def since(self, end: int, tally: _Tally) -> int:
        """How much of a tally stands at ``end`` or behind it."""
        noted = (item for item in self._items or () if item[0] is tally)
        return sum(max(0, min(count, offset + count - end)) for _, offset, count in noted)


class _Tally:
    """Places in the output as far as there is room, and how many more there were."""

    __slots__ = ("_journal", "_room", "offsets", "omitted")

    def __init__(self, journal: _Journal, room: int) -> None:
        self._journal = journal
        self._room = room
        self.offsets: list[int] = []
        self.omitted = 0

    def add(self, offset: int, count: int = 1) -> None:
        """Count what stands at a place, or ``count`` characters from there on."""
        if len(self.offsets) < self._room:
            self.offsets.append(offset)
        else:
            self.omitted += count
            self._journal.note(self, offset, count)

    def until(self, end: int | None) -> tuple[tuple[int, ...], int]:
        """Places before ``end``, and how many more there were before it."""
        if end is None:
            return tuple(self.offsets), self.omitted
        return tuple(self.offsets[: bisect_left(self.offsets, end)]), self.omitted - self._journal.since(end, self)


class Quotations:
    """Quotations that belong to a reference, in the order of the output, as many as are told; the others counted.

    Attributes:
        kept: Those that are told.
        further: Counts those behind them.
        unread: Counts characters in which none was looked for.
    """

    __slots__ = ("further", "kept", "unread")

    def __init__(self, journal: _Journal) -> None:
        self.kept: list[Attributed] = []
        self.further = _Tally(journal, 0)
        self.unread = _Tally(journal, 0)

    def __iadd__(self, found: Found) -> Self:
        """Take what was found in a paragraph."""
        room = MAX_REPORTED_QUOTES - len(self.kept)
        self.kept += found.quotes[:room]
        for quote in found.quotes[room:]:
            self.further.add(quote.offset)
        if found.unread:
            self.unread.add(found.unread_from, found.unread)
        return self


class _Cited(NamedTuple):
    number: int
    entry: LedgerEntry
    tally: _Tally


class Account:
    """What is certain of an answer so far.

    Args:
        ledger: What the prompt showed.
        shelf: Its fragments, to look quotations up in.

    Attributes:
        quotes: Takes the quotations of each paragraph; whoever finds them adds them.
    """

    __slots__ = (
        "_ambiguous", "_checked", "_cited", "_further", "_journal", "_labels", "_ledger", "_marked", "_shelf",
        "_unknown", "quotes",
    )  # fmt: skip

    def __init__(self, ledger: CitationLedger, shelf: Shelf) -> None:
        self._ledger = ledger
        self._shelf = shelf
        self._journal = _Journal()
        self._cited: dict[str, _Cited] = {}
        self._unknown: dict[str, _Tally] = {}  # by name; only names that show as blank share one
        self._labels: dict[str, _Tally] = {}  # the same by label
        self._further = _Tally(self._journal, 0)  # references to further names
        self._marked = _Tally(self._journal, 0)
        self._ambiguous: dict[str, _Tally] = {}
        self._checked: list[QuoteCheck] = []
        self.quotes = Quotations(self._journal)

    def follow(self) -> None:
        """Let :meth:`report` tell exactly what stands before a place in what is counted from now on."""
        self._journal.open()

    def cite(self, entry: LedgerEntry, offset: int) -> int:
        """Count a reference to an entry and return the number of the entry, from 1 in the order of first reference."""
        cited = self._cited.get(entry.label)
        if cited is None:
            cited = self._cited[entry.label] = _Cited(len(self._cited) + 1, entry, self._new())
        cited.tally.add(offset)
        return cited.number

    def miss(self, name: str, offset: int) -> None:
        """Count a reference to a name that was never admitted."""
        tally = self._unknown.get(name)
        if tally is None:
            tally = self._marked if name == _NAME_OF_MARK else self._named(name)
        tally.add(offset)

    def _named(self, name: str) -> _Tally:
        """Where a new name is counted. Its label is made here, once, and for as many names as are told."""
        if len(self._unknown) == MAX_REPORTED_NAMES:
            return self._further
        label = exact_str(safe_source(name))
        tally = self._unknown[name] = self._labels.setdefault(label, self._new())
        return tally

    def _new(self) -> _Tally:
        return _Tally(self._journal, MAX_REPORTED_OFFSETS)

    def doubt(self, name: str, offset: int) -> None:
        """Count a reference that can mean several entries."""
        tally = self._ambiguous.get(name)
        if tally is None:
            tally = self._ambiguous[name] = self._new()
        tally.add(offset)

    def report(self, end: int | None = None) -> GroundingReport:
        """What the answer rests on. Each quotation is looked up once, when it is first reported.

        Args:
            end: Tell only of what begins before this place in the output, not before what was shown when
                :meth:`follow` was last called; ``None`` tells of everything.
        """
        self._checked += [self._shelf.check(quote) for quote in self.quotes.kept[len(self._checked) :]]
        cited = tuple(
            CitedFragment(entry.label, entry.source, offsets, omitted=omitted)
            for entry, offsets, omitted in _told(((one.entry, one.tally) for one in self._cited.values()), end)
        )
        labels = {one.label for one in cited}
        return GroundingReport(
            cited,
            tuple(
                UnknownReference(label, offsets, omitted=omitted)
                for label, offsets, omitted in _told(self._labels.items(), end)
            ),
            tuple(entry.label for entry in self._ledger if entry.label not in labels),
            tuple(quote for quote in self._checked if end is None or quote.offset < end),
            ambiguous=tuple(
                AmbiguousReference(
                    name, tuple(entry.label for entry in self._ledger.named(name)), offsets, omitted=omitted
                )
                for name, offsets, omitted in _told(self._ambiguous.items(), end)
            ),
            omitted_unknown=self._further.until(end)[1],
            omitted_quotes=self.quotes.further.until(end)[1],
            unread_chars=self.quotes.unread.until(end)[1],
            marked=self._marked.until(end)[1],
        )


def _told(tallies: Iterable[tuple[_Key, _Tally]], end: int | None) -> Iterator[tuple[_Key, tuple[int, ...], int]]:
    """Of each that has one, the places before ``end`` and how many more there were."""
    for key, tally in tallies:
        offsets, omitted = tally.until(end)
        if offsets:
            yield key, offsets, omitted
