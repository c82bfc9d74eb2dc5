"""Grounding: what the references of an answer rest on.

Rules of this module: it reads a stream of text and holds as little of it as any correct filter must. It knows the
ledger, which says what the prompt really showed, and no store, prompt or model.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, cast
from weakref import ref

from ._account import MAX_REPORTED_NAMES, MAX_REPORTED_OFFSETS, MAX_REPORTED_QUOTES, Account
from ._ledger import MAX_REFERENCE_CHARS, AdmittedFragment, CitationLedger, LedgerEntry
from ._quotes import MAX_PARAGRAPH_CHARS, MAX_QUOTE_CHARS
from ._reader import Reader
from ._references import CODE_CHARS, GAP_CHARS, MARK, Limits, Names
from ._refusals import refuse
from ._report import (
    AmbiguousReference,
    CitedFragment,
    GroundingReport,
    QuoteCheck,
    QuoteVerdict,
    UnknownReference,
)
from ._shelf import MAX_ELSEWHERE_LABELS, Shelf
from ._streaming import checked_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._settler import Mark

__all__ = [
    "MAX_CODE_CHARS",
    "MAX_ELSEWHERE_LABELS",
    "MAX_HELD_CHARS",
    "MAX_PARAGRAPH_CHARS",
    "MAX_QUOTE_CHARS",
    "MAX_REFERENCE_CHARS",
    "MAX_REFERENCE_GAP",
    "MAX_REPORTED_NAMES",
    "MAX_REPORTED_OFFSETS",
    "MAX_REPORTED_QUOTES",
    "UNVERIFIED_MARK",
    "AdmittedFragment",
    "AmbiguousReference",
    "CitationLedger",
    "CitedFragment",
    "GroundingFilter",
    "GroundingReport",
    "LedgerEntry",
    "QuoteCheck",
    "QuoteVerdict",
    "UnknownReference",
]

MAX_REFERENCE_GAP: Final = GAP_CHARS
"""Most spaces and tabs between the word of a reference and its bracket."""

MAX_CODE_CHARS: Final = CODE_CHARS
"""Most characters from the end of a backtick run to the end of the run that closes it."""

MAX_HELD_CHARS: Final[int] = MAX_CODE_CHARS + MAX_CODE_CHARS - 1
"""Most characters of an answer that a grounding filter keeps because they are not certain yet: a run of backticks, and
what it may still turn into code. The longest reference with a backtick in its name keeps less."""

UNVERIFIED_MARK: Final = MARK
"""What is written in the place of a reference to a name that was never admitted."""

_ON_UNKNOWN: Final = ("mark", "keep")
_LIMITS: Final = Limits()
_STRIP: Final = str.strip


def _refuse_to_read(_: object, __: str) -> NoReturn:
    refuse("KB-GRD-RENDER-4", "feed", got="a call of feed")


class _Writing:
    """Stands in for the reader while `render` is asked: a report can be had, and nothing can be fed."""

    __slots__ = ("account", "calm", "find", "follows_break", "keeps_end", "last", "position", "read")

    def __init__(self, account: Account) -> None:
        self.account = account
        self.calm = ""
        self.find = len
        self.follows_break = False
        self.keeps_end = bool
        self.last = ""
        self.position = 1
        self.read = _refuse_to_read


class _Render:
    """Calls `render` of a filter. It must not keep the filter alive, which has it through its reader."""

    __slots__ = ("_filter", "_render")

    def __init__(self, one: GroundingFilter, render: Callable[[LedgerEntry, int], str]) -> None:
        self._filter = ref(one)
        self._render = render

    def __call__(self, entry: LedgerEntry, number: int) -> str:
        one = cast("GroundingFilter", self._filter())
        # A part of the filter, and no part of what others may call.
        return one._write(self._render, entry, number)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

    def of(self, twin: GroundingFilter) -> _Render:
        """The same for a copy of the filter."""
        return _Render(twin, self._render)


class GroundingFilter:
    """Checks the references of an answer while it streams.

    Args:
        ledger: What the prompt showed.
        on_unknown: What becomes of a reference to a name that was never admitted: ``mark`` puts the fixed text
            :data:`UNVERIFIED_MARK` in its place, ``keep`` leaves it. It is reported either way, and never deleted.
        render: What to write in the place of an admitted reference: a function of its entry and its number, counted
            from 1 in the order of first reference. ``None`` leaves references as they are. It may ask this filter for
            its report; feeding, flushing or copying it from there is refused (``KB-GRD-RENDER-4``).

    What stands in the place of a reference is kept apart by a space from neighbours with which Markdown would read it
    as a link or an image.

    Raises:
        BridgeContractError: The ledger is none, ``on_unknown`` is neither word, or ``render`` cannot be called.
    """

    __slots__ = ("__weakref__", "_account", "_joins", "_ledger", "_marks", "_names", "_reader", "_render", "_shelf")

    def __init__(
        self,
        ledger: CitationLedger,
        *,
        on_unknown: Literal["mark", "keep"] = "mark",
        render: Callable[[LedgerEntry, int], str] | None = None,
    ) -> None:
        if type(ledger) is not CitationLedger:
            refuse("KB-GRD-FILTER-1", ledger)
        if on_unknown not in _ON_UNKNOWN:
            refuse("KB-GRD-FILTER-2", on_unknown)
        if render is not None and not callable(render):
            refuse("KB-GRD-FILTER-3", render)
        self._ledger = ledger
        self._render = None if render is None else _Render(self, render)
        self._names = Names(ledger, mark=on_unknown == "mark", rewrite=render is not None, limits=_LIMITS)
        self._shelf = Shelf(ledger)
        self._reader = self._new_reader()
        self._account = self._reader.account
        self._joins = False  # whether a call is under way in which pieces are fed one by one
        self._marks: list[tuple[Reader, Mark]] = []  # where the last call began; of an end, the one before it too

    def feed(self, text: str) -> str:
        """Take the next piece of the answer and return what can be shown of it now.

        Args:
            text: Characters of any number, also none.

        Raises:
            BridgeTypeError: ``text`` is no text (``KB-STR-TEXT-1``); what is held stays as it was.
            BridgeContractError: ``render`` raised (``KB-GRD-RENDER-1``), or answered something else than text
                (``KB-GRD-RENDER-2``). The answer ends there.
        """
        if type(text) is not str:
            text = checked_text(text)
        reader = self._reader
        try:
            if not _STRIP(text, reader.calm) or not reader.find(text):
                reader.last = text or reader.last
                reader.position += len(text)
                return text
            if self._render is not None and not self._joins:
                if "]" in text or reader.keeps_end():
                    self._mark()
                elif self._marks:
                    self._marks = []  # of another call; `render` is not asked in this one
            return reader.read(reader, text)
        except BaseException:
            if not self._is_writing():
                self._break_off()
            raise

    def flush(self) -> str:
        """End the answer and return what was still held. The next text begins a new answer.

        An answer may be empty: then so is the report. Only directly after an error there is no answer to end, and the
        report on what came before the error stays.

        Raises:
            BridgeContractError: As :meth:`feed`.
        """
        self._refuse_while_writing("flush")
        reader = self._reader
        if reader.follows_break and not reader.position:
            self._reader = self._new_reader()
            return ""
        # Whatever is raised now, the answer has ended, and the next flush may be that of somebody who cleans up.
        self._marks = [*self._marks[:1], (reader, reader.mark(reader.shown()))]
        self._account, self._reader = reader.account, self._new_reader(follows_break=True)
        try:
            rest = reader.finish()
        except BaseException:
            self._go_back(*self._marks[-1])
            raise
        self._reader.follows_break = False
        return rest

    def report(self) -> GroundingReport:
        """What is certain of the answer so far; after :meth:`flush`, of the whole of it, until another begins.

        Of an answer without measure the beginning is told, and how much is left out: see the ``omitted`` counts.
        """
        return self._told().report()

    def __copy__(self) -> GroundingFilter:
        """A filter in the middle of the same answer, which then goes its own way."""
        return deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> GroundingFilter:
        """As a copy: what both only read is not copied, and `render` is the same function."""
        self._refuse_while_writing("copy")
        twin = GroundingFilter.__new__(type(self))
        memo.update({id(one): one for one in (self._ledger, *self._ledger, self._names, self._shelf)})
        if self._render is not None:
            memo[id(self._render)] = self._render.of(twin)
        for name in GroundingFilter.__slots__[1:]:
            setattr(twin, name, deepcopy(getattr(self, name), memo))
        return twin

    def _new_reader(self, *, follows_break: bool = False) -> Reader:
        account = Account(self._ledger, self._shelf)
        return Reader(self._names, account, self._render, _LIMITS, follows_break=follows_break)

    def _told(self) -> Account:
        """The account that a report is made of."""
        return self._reader.account if self._reader.position else self._account

    def _report_until(self, end: int) -> GroundingReport:
        """End an answer that broke off in the last call of a chain, and report on what was shown of it.

        Args:
            end: How many characters of the output the calls before answered.
        """
        if not self._reader.position or self._reader.shown() > end:
            for reader, mark in reversed(self._marks):
                if mark.shown <= end:
                    self._go_back(reader, mark)
                    break
        self._discard()
        return self._told().report()

    def _mark(self) -> None:
        """Remember where the answer stands, for whoever has to take back the call that begins."""
        if not self._is_writing():
            reader = self._reader
            reader.account.follow()
            self._marks = [(reader, reader.mark(reader.shown()))]

    def _break_off(self) -> None:
        """The answer ends where the call began that raised: nothing of what it read was shown."""
        reader = self._reader
        is_marked = bool(self._marks) and self._marks[-1][0] is reader and (self._joins or self._render is not None)
        if is_marked:
            self._go_back(*self._marks[-1])
        else:
            self._account, self._reader = reader.account, self._new_reader(follows_break=True)

    def _go_back(self, reader: Reader, mark: Mark) -> None:
        """Give an answer up where it stood."""
        reader.restore(mark)
        reader.abandon()
        self._account, self._reader = reader.account, self._new_reader(follows_break=True)

    def _write(self, render: Callable[[LedgerEntry, int], str], entry: LedgerEntry, number: int) -> str:
        """Ask `render`; until it answers, this filter is not to be fed."""
        reader = self._reader
        self._reader = cast("Reader", _Writing(self._told()))  # has what is asked of one before it reads
        try:
            return render(entry, number)
        finally:
            self._reader = reader

    def _is_writing(self) -> bool:
        reader: object = self._reader
        return type(reader) is _Writing

    def _refuse_while_writing(self, call: str) -> None:
        if self._is_writing():
            refuse("KB-GRD-RENDER-4", call, got=f"a call of {call}")

    def _discard(self) -> None:
        """End the answer at what was shown: the report tells of that, and nobody is called for the rest."""
        reader = self._reader
        if reader.position and not self._is_writing():
            reader.abandon()
            self._account, self._reader = reader.account, self._new_reader(follows_break=True)

    def _feed_joined(self, parts: list[str]) -> str:
        """As :meth:`feed`, of pieces between which something was deleted; no name is read across such a place."""
        self._refuse_while_writing("feed")
        self._mark()
        shown: list[str] = []
        self._joins = True
        try:
            for place, part in enumerate(parts):
                if place:
                    shown.append(self._reader.deleted())
                shown.append(self.feed(part))
        finally:
            self._joins = False
        return "".join(shown)
