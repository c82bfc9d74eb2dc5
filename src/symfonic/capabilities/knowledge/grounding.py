"""Grounding: what the references of an answer rest on.

Rules of this module: it reads a stream of text and holds as little of it as any correct filter must. It knows the
ledger, which says what the prompt really showed, and no store, prompt or model.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final, Literal

from ._account import Account
from ._ledger import AdmittedFragment, CitationLedger, LedgerEntry
from ._quotes import Shelf
from ._reader import Reader
from ._references import Limits, Names
from ._refusals import refuse
from ._report import (
    AmbiguousReference,
    CitedFragment,
    GroundingReport,
    QuoteCheck,
    QuoteVerdict,
    UnknownReference,
)
from ._streaming import checked_text

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
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

_ON_UNKNOWN: Final = ("mark", "keep")
_LIMITS: Final = Limits()
_STRIP: Final = str.strip


class GroundingFilter:
    """Checks the references of an answer while it streams.

    Args:
        ledger: What the prompt showed.
        on_unknown: What becomes of a reference to a name that was never admitted: ``mark`` puts the fixed text
            ``[unverified source]`` in its place, ``keep`` leaves it. It is reported either way, and never deleted.
        render: What to write in the place of an admitted reference: a function of its entry and its number, counted
            from 1 in the order of first reference. ``None`` leaves references as they are.

    Raises:
        BridgeContractError: The ledger is none, ``on_unknown`` is neither word, or ``render`` cannot be called.
    """

    __slots__ = ("_account", "_ledger", "_names", "_reader", "_render", "_shelf")

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
        self._render = render
        self._names = Names(ledger, mark=on_unknown == "mark", rewrite=render is not None, limits=_LIMITS)
        self._shelf = Shelf(ledger)
        self._reader = self._new_reader()
        self._account = self._reader.account

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
            return reader.read(reader, text)
        except BaseException:
            self._account, self._reader = reader.account, self._new_reader(follows_break=True)
            raise

    def flush(self) -> str:
        """End the answer and return what was still held. The next text begins a new answer.

        An answer may be empty: then so is the report. Only directly after an error there is no answer to end, and the
        report on what came before the error stays.

        Raises:
            BridgeContractError: As :meth:`feed`.
        """
        reader = self._reader
        if reader.follows_break and not reader.position:
            self._reader = self._new_reader()
            return ""
        # Whatever is raised now, the answer has ended, and the next flush may be that of somebody who cleans up.
        self._account, self._reader = reader.account, self._new_reader(follows_break=True)
        rest = reader.finish()
        self._reader.follows_break = False
        return rest

    def report(self) -> GroundingReport:
        """What is certain of the answer so far; after :meth:`flush`, of the whole of it, until another begins."""
        reader = self._reader
        return (reader.account if reader.position else self._account).report()

    def __copy__(self) -> GroundingFilter:
        """A filter in the middle of the same answer, which then goes its own way."""
        return deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> GroundingFilter:
        """As a copy: what both only read is not copied, and `render` is the same function."""
        twin = GroundingFilter.__new__(type(self))
        memo.update({id(one): one for one in (self._ledger, *self._ledger, self._names, self._render, self._shelf)})
        for name in GroundingFilter.__slots__:
            setattr(twin, name, deepcopy(getattr(self, name), memo))
        return twin

    def _new_reader(self, *, follows_break: bool = False) -> Reader:
        account = Account(self._ledger, self._shelf)
        return Reader(self._names, account, self._render, _LIMITS, follows_break=follows_break)

    def _discard(self) -> None:
        """End the answer at what was shown: the report tells of that, and nobody is called for the rest."""
        reader = self._reader
        if reader.position:
            reader.abandon()
            self._account, self._reader = reader.account, self._new_reader(follows_break=True)

    def _feed_joined(self, parts: list[str]) -> str:
        """As :meth:`feed`, of pieces between which something was deleted; no reference is read across such a place."""
        shown: list[str] = []
        for place, part in enumerate(parts):
            if place:
                shown.append(self._reader.deleted())
            shown.append(self.feed(part))
        return "".join(shown)
