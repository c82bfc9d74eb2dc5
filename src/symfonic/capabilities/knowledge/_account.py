"""The account of one answer: which references were read, where, and what they meant.

Rules of this module: it counts and reports. It reads no text, and what a model made up reaches a report as a label
only. What it keeps is bounded by the ledger and the numbers below, whatever the answer; what is beyond them is counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, Self, TypeVar, cast

from ._labels import safe_source
from ._references import MARK
from ._report import AmbiguousReference, CitedFragment, GroundingReport, QuoteCheck, UnknownReference
from ._text import exact_str

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ._ledger import CitationLedger, LedgerEntry
    from ._quotes import Attributed, Found
    from ._shelf import Shelf

MAX_REPORTED_NAMES: Final = 256
"""Most different names that were never admitted and are told by name; references to further ones are counted."""

MAX_REPORTED_OFFSETS: Final = 1000
"""Most places that are told of one fragment or name; references behind them are counted."""

MAX_REPORTED_QUOTES: Final = 500
"""Most quotations that are checked and told; those behind them are counted."""

_NAME_OF_MARK: Final = MARK[1:-1]
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class _Journal:
    """What was counted since it was last opened, so that it can be taken back.

    Kept only where somebody may have to take back what they did not show; it grows with one piece of text.
    """

    __slots__ = ("_items",)

    def __init__(self) -> None:
        self._items: list[tuple[_Counter, int] | tuple[dict[str, Any], str]] | None = None

    def open(self) -> None:
        """Begin anew."""
        self._items = []

    def place(self) -> int:
        """How much is written down."""
        return len(self._items or ())

    def note(self, counter: _Counter, count: int) -> None:
        """Write down what was counted, if anybody is to know."""
        if self._items is not None:
            self._items.append((counter, count))

    def enter(self, table: dict[str, Any], key: str, value: _Value) -> _Value:
        """Enter something new into a table."""
        table[key] = value
        if self._items is not None:
            self._items.append((table, key))
        return value

    def take_back(self, place: int) -> None:
        """Take back what was written down since a place, the last first."""
        items = self._items or []
        while len(items) > place:
            owner, what = items.pop()
            if isinstance(owner, dict):
                del owner[cast("str", what)]
            else:
                owner.take_back(cast("int", what))


class _Counter(Protocol):
    def take_back(self, count: int) -> None:
        """Undo the last count."""
        ...


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
        self._journal.note(self, count)

    def take_back(self, count: int) -> None:
        """Undo the last count."""
        if self.omitted:
            self.omitted -= count
        else:
            self.offsets.pop()


class Quotations:
    """Quotations that belong to a reference, in the order of the output, as many as are told; the others counted.

    Attributes:
        kept: Those that are told.
        further: Counts those behind them.
        unread: Counts characters in which none was looked for.
    """

    __slots__ = ("_journal", "further", "kept", "unread")

    def __init__(self, journal: _Journal) -> None:
        self._journal = journal
        self.kept: list[Attributed] = []
        self.further = _Tally(journal, 0)
        self.unread = _Tally(journal, 0)

    def __iadd__(self, found: Found) -> Self:
        """Take what was found in a paragraph."""
        room = MAX_REPORTED_QUOTES - len(self.kept)
        self.kept += found.quotes[:room]
        self._journal.note(self, len(found.quotes[:room]))
        for quote in found.quotes[room:]:
            self.further.add(quote.offset)
        if found.unread:
            self.unread.add(found.unread_from, found.unread)
        return self

    def take_back(self, count: int) -> None:
        """Give back the last of those that are told."""
        del self.kept[len(self.kept) - count :]


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
        """Write down what is counted from now on, so that it can be taken back."""
        self._journal.open()

    def place(self) -> int:
        """How much was written down."""
        return self._journal.place()

    def take_back(self, place: int) -> None:
        """Take back what was written down since a place, as if it had never been counted."""
        self._journal.take_back(place)
        del self._checked[len(self.quotes.kept) :]

    def cite(self, entry: LedgerEntry, offset: int) -> int:
        """Count a reference to an entry and return the number of the entry, from 1 in the order of first reference."""
        cited = self._cited.get(entry.label)
        if cited is None:
            cited = _Cited(len(self._cited) + 1, entry, self._new())
            self._journal.enter(self._cited, entry.label, cited)
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
        tally = self._labels.get(label) or self._journal.enter(self._labels, label, self._new())
        return self._journal.enter(self._unknown, name, tally)

    def _new(self) -> _Tally:
        return _Tally(self._journal, MAX_REPORTED_OFFSETS)

    def doubt(self, name: str, offset: int) -> None:
        """Count a reference that can mean several entries."""
        tally = self._ambiguous.get(name)
        if tally is None:
            tally = self._journal.enter(self._ambiguous, name, self._new())
        tally.add(offset)

    def report(self) -> GroundingReport:
        """What the answer rests on. Each quotation is looked up once, when it is first reported."""
        self._checked += [self._shelf.check(quote) for quote in self.quotes.kept[len(self._checked) :]]
        cited = tuple(
            CitedFragment(entry.label, entry.source, offsets, omitted=omitted)
            for entry, offsets, omitted in _told((one.entry, one.tally) for one in self._cited.values())
        )
        labels = {one.label for one in cited}
        return GroundingReport(
            cited,
            tuple(
                UnknownReference(label, offsets, omitted=omitted)
                for label, offsets, omitted in _told(self._labels.items())
            ),
            tuple(entry.label for entry in self._ledger if entry.label not in labels),
            tuple(self._checked),
            ambiguous=tuple(
                AmbiguousReference(
                    name, tuple(entry.label for entry in self._ledger.named(name)), offsets, omitted=omitted
                )
                for name, offsets, omitted in _told(self._ambiguous.items())
            ),
            omitted_unknown=self._further.omitted,
            omitted_quotes=self.quotes.further.omitted,
            unread_chars=self.quotes.unread.omitted,
            marked=self._marked.omitted,
        )


def _told(tallies: Iterable[tuple[_Key, _Tally]]) -> Iterator[tuple[_Key, tuple[int, ...], int]]:
    """Of each that has one, its places and how many more there were."""
    return ((key, tuple(tally.offsets), tally.omitted) for key, tally in tallies if tally.offsets)
