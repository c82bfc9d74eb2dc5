"""The ranking: a total order over usable rows, and what of their metadata decides about them.

Rules of this module: order of arrival decides nothing, and each row's metadata is read once. It drops nothing.
"""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter, eq, itemgetter
from typing import TYPE_CHECKING, Final, Self

from ._hardening import Groups, cap_groups, is_in_scope, visible_paths

if TYPE_CHECKING:
    from ._fragments import RetrievedFragment
    from ._policy import RetrievalPolicy

Decision = tuple[bool, Groups]
"""What a row's metadata decides: whether it is out of scope, and what the cap per source counts it under."""

_by_score: Final = attrgetter("score")
_by_rank: Final = attrgetter("source", "content")


class RowMetadata:
    """What the metadata of rows decides, and of rows that had to be looked at to rank them what it was.

    Each row's is read once: a store's own mapping may answer otherwise the second time.

    Args:
        visible: Scope paths whose rows may be shown; ``None`` where scope is not proved.
        by_document: Whether rows are counted under their document, too.
    """

    __slots__ = ("_by_document", "_known", "_visible")

    def __init__(self, visible: frozenset[str] | None, *, by_document: bool) -> None:
        self._visible = visible
        self._by_document = by_document
        self._known: dict[int, Decision] = {}  # by place in the ranking

    @classmethod
    def under(cls, policy: RetrievalPolicy, scope_path: str) -> Self | None:
        """What it decides under ``policy``; ``None`` where it decides nothing, which is the common case."""
        if not (policy.prove_scope or policy.cap_documents):
            return None
        return cls(visible_paths(scope_path) if policy.prove_scope else None, by_document=policy.cap_documents)

    def ordered(self, tied: list[RetrievedFragment], start: int) -> list[RetrievedFragment]:
        """Rows of one score in rank order, equal ones by what is decided about them; ``start`` is their first place."""
        decided = sorted([(self._decision(row), row) for row in tied], key=itemgetter(0))
        decided.sort(key=lambda pair: _by_rank(pair[1]))
        self._known.update(enumerate([decision for decision, _ in decided], start))
        return [row for _, row in decided]

    def _decision(self, row: RetrievedFragment) -> Decision:
        return (self.conceals(row), cap_groups(row, by_document=self._by_document))

    def conceals(self, row: RetrievedFragment) -> bool:
        """Whether a row of no place in the ranking is out of scope."""
        return self._visible is not None and not is_in_scope(row, self._visible)

    def hides(self, place: int, row: RetrievedFragment) -> bool:
        """Whether the row at ``place`` is out of scope."""
        known = self._known.get(place)
        return self.conceals(row) if known is None else known[0]

    def groups(self, place: int, row: RetrievedFragment) -> Groups:
        """What the cap per source counts the row at ``place`` under, if it is in scope."""
        known = self._known.get(place)
        return cap_groups(row, by_document=self._by_document) if known is None else known[1]


def rank(usable: list[RetrievedFragment], metadata: RowMetadata | None) -> None:
    """Sort in place into the total order ``(-score, source, content)``.

    Scores alone decide almost always, and sorting by one float is several times cheaper than by three keys, so only
    runs of equal scores are sorted by the rest. Rows equal in all three are put in order by whatever of their metadata
    decides about them: otherwise their order of arrival would decide their reasons.
    """
    usable.sort(key=_by_score, reverse=True)
    scores = [row.score for row in usable]
    if not any(map(eq, scores, scores[1:])):
        return
    start = 0
    for _, run in groupby(usable, key=_by_score):
        tied = list(run)
        if len(tied) > 1:
            usable[start : start + len(tied)] = _tie_broken(tied, start, metadata)
        start += len(tied)


def _tie_broken(tied: list[RetrievedFragment], start: int, metadata: RowMetadata | None) -> list[RetrievedFragment]:
    tied.sort(key=_by_rank)
    if metadata is None:
        return tied
    ranks = [*map(_by_rank, tied)]
    return metadata.ordered(tied, start) if any(map(eq, ranks, ranks[1:])) else tied
