"""A ranking without the ceilings of a prompt: every defence of the boundary, and as many rows as were asked for.

Rules of this module: copies of one passage are dropped after the store has answered. Where too few rows are left, it is
asked for twice as many, until enough are, it has no more, or :data:`SPARE_ROWS` beyond twice the limit were read. It is
asked for twice the limit to begin with, so one that is not full of copies is asked once.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from symfonic.capabilities.knowledge import ContextRequest, DropCode, RetrievalPolicy, RetrievedFragment

from .wiring import Inquiry, harden

if TYPE_CHECKING:
    from symfonic.capabilities.knowledge import FragmentSelection, ScopedKnowledgeRetriever

    from .keys import DerivedKeys

SPARE_ROWS: Final = RetrievalPolicy().max_rows
"""Rows beyond twice the limit that are read of one answer at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The best rows.

    Attributes:
        rows: Best first, raw.
        ended: Whether the store had no more rows than were read: what is not among them is not found.
    """

    rows: tuple[RetrievedFragment, ...]
    ended: bool


def ranking_of(
    retriever: ScopedKnowledgeRetriever,
    question: str,
    scope_path: str,
    *,
    limit: int,
    min_score: float,
    keys: DerivedKeys,
) -> Ranking:
    """Rank what is visible at a scope path.

    Raises:
        StoreFailedError, EmbedderFailedError: As :meth:`Inquiry.refuse_failed`.
    """
    most = 2 * limit + SPARE_ROWS
    open_ended = RetrievalPolicy(limit, min_score, sys.maxsize, sys.maxsize, max_per_source=limit, max_rows=most)
    policy = replace(harden(open_ended, keys), max_per_source=None)
    before = 0
    while True:
        selection = _asked(retriever, question, scope_path, policy)
        wanted = limit * policy.overfetch
        given = _given(selection)
        if given < wanted or given <= before or wanted >= most or not _lacks(selection, limit):
            return Ranking(rows=selection.admitted, ended=given < min(wanted, most))
        before = given
        policy = replace(policy, overfetch=2 * policy.overfetch)


def _asked(
    retriever: ScopedKnowledgeRetriever, question: str, scope_path: str, policy: RetrievalPolicy
) -> FragmentSelection:
    inquiry = Inquiry(retriever, question, policy, scope_aware=bool(scope_path))
    inquiry.read(ContextRequest("search", scope_path))
    inquiry.refuse_failed()
    return inquiry.selection


def _given(selection: FragmentSelection) -> int:
    """How many rows the store's answer had, as far as it was read."""
    return len(selection.admitted) + sum(reason.code is not DropCode.UNEXAMINED for _, reason in selection.dropped)


def _lacks(selection: FragmentSelection, limit: int) -> bool:
    """Whether rows are missing for copies that took their places. What follows a row below the floor is below it."""
    codes = {reason.code for _, reason in selection.dropped}
    return len(selection.admitted) < limit and DropCode.DUPLICATE in codes and DropCode.BELOW_FLOOR not in codes
