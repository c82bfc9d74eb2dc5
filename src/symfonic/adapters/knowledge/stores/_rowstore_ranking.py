"""Ranking over rows that an engine finds, as the embedded store ranks: BM25 over what is visible, cosines, both.

Rules of this module: it asks an engine for the passages that hold a word and for those nearest to a vector, and
computes every score here, in the embedded store's order of operations. What an engine says of distances chooses
candidates, with a margin for its precision; the cosine that counts is computed from the two vectors alone.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import EmbeddingSpace, retrieved_text

from ._fusion import LEXICAL_SHARE, fused
from ._lexical import K1, B, highest_gain, similarity
from ._ranking import MAX_TIES, Visible, highest_sum, weigh
from ._reading import answered, fragment
from ._rowstore_values import Held, Sight, word_number

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from symfonic.capabilities.knowledge import RetrievedFragment

    from ._lexical import Term

_BLOCK: Final = 512
"""Passages found by words whose vectors are fetched together."""

_WIDER: Final = 4
"""How many times as many near vectors are asked for where they did not decide."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """A question's vector as it would be stored, and whose it is."""

    vector: bytes
    space: EmbeddingSpace


def rank(
    sight: Sight, terms: Sequence[Term], scopes: Collection[str], limit: int, nearness: Nearness | None
) -> list[RetrievedFragment]:
    """The best ``limit`` passages and those that tie with the last of them, of which ``MAX_TIES`` may come on top."""
    passages, length = sight.totals(scopes)
    limit = min(limit, passages)
    if not limit:
        return []
    scores = _lexical(sight, terms, scopes, Visible((0,), (), passages, length))
    if nearness is not None:
        scores = _Both(sight, scopes, limit, nearness, scores).scores()
    return _answer(sight, _best(scores, limit), limit + MAX_TIES)


def _lexical(sight: Sight, terms: Sequence[Term], scopes: Collection[str], visible: Visible) -> dict[str, float]:
    """Lexical similarities of all passages that hold a word, rarest words summed first."""
    if not (terms and visible.length):
        return {}
    numbers = {term: word_number(term) for term in terms}
    found = sight.holding(scopes, list(numbers.values()))
    at = {term: place for place, term in enumerate(numbers)}
    weighed = weigh(terms, visible, lambda term, _: sum(each.counts[at[term]] > 0 for each in found))
    highest = highest_sum(weighed)
    slope = K1 * B * visible.passages / visible.length
    heights = [(at[each.term], highest_gain(each.idf)) for each in weighed if each.holding]
    return {each.passage: similarity(_sum(each, heights, slope), highest) for each in found}


def _sum(held: Held, heights: Sequence[tuple[int, float]], slope: float) -> float:
    total = 0.0
    for place, height in heights:
        count = held.counts[place]
        if count:
            total += height * count / (count + K1 * (1 - B) + slope * held.length)
    return total


class _Both:
    """Scores by words and meaning of every passage that can be among the best.

    Passages found by words are looked at in the order of what their words say, until none can reach the last of the
    best any more; the nearest ones until the same holds for those that are found by their vector alone.
    """

    def __init__(
        self, sight: Sight, scopes: Collection[str], limit: int, nearness: Nearness, lexical: Mapping[str, float]
    ) -> None:
        from ._encoding import cosines, decoded, margin, stored_rows

        self._sight = sight
        self._scopes = scopes
        self._limit = limit
        self._nearness = nearness
        self._lexical = lexical
        self._held = sorted(lexical, key=lambda passage: (-lexical[passage], passage))
        self._seen: dict[str, float] = {}
        self._cosines, self._stored_rows = cosines, stored_rows
        self._question = decoded(nearness.vector, nearness.space)[0]
        self._slack = margin(nearness.space.dimensions)

    def scores(self) -> dict[str, float]:
        """All that count; none is 0."""
        count = self._limit + 1
        while True:
            near = self._sight.nearest(self._scopes, self._nearness.vector, count)
            self._see([passage for passage, _ in near])
            self._see_held()
            if len(near) < count or self._is_settled(near[-1][1] + self._slack):
                return {passage: score for passage, score in self._seen.items() if score > 0}
            count *= _WIDER

    def _is_settled(self, nearest: float) -> bool:
        """Whether nothing that is farther away, and holds no word, can be among the best or tie with the last."""
        return nearest <= 0 or fused(0.0, nearest) < self._floor()

    def _floor(self) -> float:
        if len(self._seen) < self._limit:
            return 0.0
        return heapq.nlargest(self._limit, self._seen.values())[-1]

    def _see_held(self) -> None:
        start = 0
        while start < len(self._held):
            # The best that is left may have the very direction of the question.
            if LEXICAL_SHARE * self._lexical[self._held[start]] + (1 - LEXICAL_SHARE) < self._floor():
                return
            self._see(self._held[start : start + _BLOCK])
            start += _BLOCK

    def _see(self, passages: Iterable[str]) -> None:
        new = [passage for passage in passages if passage not in self._seen]
        if not new:
            return
        vectors = self._sight.vectors(new)
        rows = self._stored_rows([vectors.get(passage) for passage in new], self._nearness.space)
        for passage, cosine in zip(new, self._cosines(rows, self._question).tolist(), strict=True):
            self._seen[passage] = fused(self._lexical.get(passage, 0.0), cosine)


def _best(scores: Mapping[str, float], limit: int) -> dict[str, float]:
    if len(scores) <= limit:
        return dict(scores)
    last = heapq.nlargest(limit, scores.values())[-1]
    return {passage: score for passage, score in scores.items() if score >= last}


def _answer(sight: Sight, scores: Mapping[str, float], most: int) -> list[RetrievedFragment]:
    """Rows of an answer; where too many tie at the end, the first by label, text and place in the store."""
    rows = [(scores[passage], *found) for passage, found in sight.loaded(list(scores)).items()]
    rows.sort(
        key=lambda row: (
            *(-row[0], row[2].label, retrieved_text(row[2].text)),
            *(row[1].scope_path, row[1].file, row[1].origin, row[2].ordinal),
        )
    )
    return answered(
        [
            fragment(score, (document.scope_path, document.origin, document.file, document.kind), chunk)
            for score, document, chunk in rows[:most]
        ]
    )
