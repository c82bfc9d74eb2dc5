"""Grounding: what the references of an answer rest on.

Rules of this module: it reads a stream of text and holds as little of it as any correct filter must. It knows the
ledger, which says what the prompt really showed, and no store, prompt or model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from ._ledger import AdmittedFragment, CitationLedger, LedgerEntry
from ._refusals import refuse
from ._report import (
    AmbiguousReference,
    CitedFragment,
    GroundingReport,
    QuoteCheck,
    QuoteVerdict,
    UnknownReference,
)

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


class GroundingFilter:
    """Checks the references of an answer while it streams.

    Not finished: it takes its arguments and passes text through; no reference is recognised yet.

    Args:
        ledger: What the prompt showed.
        on_unknown: What becomes of a reference to a name that was never admitted: ``mark`` puts the fixed text
            ``[unverified source]`` in its place, ``keep`` leaves it. It is reported either way, and never deleted.
        render: What to write in the place of an admitted reference: a function of its entry and its number, counted
            from 1 in the order of first reference. ``None`` leaves references as they are.

    Raises:
        BridgeContractError: The ledger is none, ``on_unknown`` is neither word, or ``render`` cannot be called.
    """

    __slots__ = ("_ledger",)

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

    def feed(self, text: str) -> str:
        """Take the next piece of the answer and return what can be shown of it now."""
        return text

    def flush(self) -> str:
        """End the answer and return what was still held. The next text begins a new answer."""
        return ""

    def report(self) -> GroundingReport:
        """What is certain of the answer so far; after :meth:`flush`, of the whole of it."""
        return GroundingReport(uncited=tuple(entry.label for entry in self._ledger))
