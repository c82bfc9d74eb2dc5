"""Ranking in Qdrant: candidates by the server's two kinds of vectors, scores computed here, as the embedded store's.

Rules of this module: it only reads. BM25 is counted over what is visible: number and length of passages are sums over
records, how many hold a word is a count on the server. Frequencies come with a passage, vectors as they were stored, so
a score is the embedded store's to the bit.

Which passages are looked at is what the server chooses, by products of sparse vectors and by inner products of dense
ones. The first bound BM25 from above (below), the second the cosine, so it is known what a passage that was not looked
at can score at most. As long as that reaches the last row of the answer, four times as many are fetched; at
:data:`MOST_CANDIDATES` it ends, and only there may a passage be missed. With ``index="hnsw"`` the server itself may
miss some.

A gain in a sparse vector supposes a mean length ``T``; at the mean ``m`` of what is visible the true gain is at most
``max(1, m / T)`` of it: both have the form ``f / (f + a + b * length / mean)``, and the quotient of two such
denominators lies between 1 and that of their slopes.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.ports import StoreError, retrieved_text

from ._fusion import fused
from ._lexical import K1, B, highest_gain, inverse_document_frequency, similarity
from ._qdrant_embedding import stored_bytes
from ._qdrant_options import VectorSearch
from ._qdrant_records import Space
from ._qdrant_values import TYPICAL_LENGTH, asked_lexeme, chunk_of, dimension
from ._ranking import MAX_TIES, ROUNDING, Weighed, highest_sum
from ._reading import answered, fragment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from symfonic.capabilities.knowledge import RetrievedFragment

    from ._lexical import Term
    from ._qdrant_link import Link, Scored
    from ._qdrant_records import Moment, Records

MOST_CANDIDATES: Final = 4_096
"""Most passages looked at by each kind of vector, where no more rows are asked for."""

READ_WHOLE: Final = 256
"""Visible passages up to which all that hold a word are fetched, instead of counting them word by word."""

READ_WHOLE_LOCAL: Final = 20_000
"""The same in a folder, where each count looks at every passage."""

_FIRST: Final = 64
"""Passages looked at first."""

_STEP: Final = 4

_SINGLE: Final = 1 + 1e-5
"""What a sum of products in single precision may be short of the true one."""

_TURNS: Final = 20
"""How often an answer is begun again because its documents changed meanwhile."""

_STRICT_TURNS: Final = 4
"""How often even for a document on its way, which can only be counted among those that hold a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearness:
    """A question's vector as it would be stored, where those of passages are, and how to search them."""

    vector: bytes
    space: Space
    index: VectorSearch


def answer(
    records: Records, paths: Sequence[str], terms: Sequence[Term], limit: int, nearness: Nearness | None
) -> list[RetrievedFragment]:
    """The best ``limit`` visible passages, and at most ``MAX_TIES`` that tie with the last, all of one moment.

    Raises:
        StoreError: What is visible changed all the time.
    """
    for turn in range(_TURNS):
        before = records.moment(paths)
        try:
            found = _Search(records, before, terms, limit, nearness).rows()
        except StoreError:
            if before.is_like(records.moment(paths), roughly=True):
                raise
            continue
        if before.is_like(records.moment(paths), roughly=turn >= _STRICT_TURNS):
            return found
    raise StoreError(
        f"an answer is of one moment; what is visible changed {_TURNS} times while it was searched, and nothing is "
        "answered; ask again when fewer documents are being stored"
    )


def _weighed(terms: Sequence[Term], holding: Sequence[int], visible: int) -> list[Weighed]:
    """Terms with their weights among what is visible, rarest first."""
    found = [
        Weighed(term, count, inverse_document_frequency(visible, count))
        for term, each in zip(terms, holding, strict=True)
        for count in (min(each, visible),)  # more are of a change that began meanwhile
    ]
    return sorted(found, key=lambda each: (each.holding, each.term.stem))


class _Search:
    """One question at one moment."""

    def __init__(
        self, records: Records, moment: Moment, terms: Sequence[Term], limit: int, nearness: Nearness | None
    ) -> None:
        self._link: Link = records.link
        self._passages = records.passages
        self._moment = moment
        self._nearness = nearness
        self._limit = min(limit, moment.passages)
        length = moment.length
        self._payloads: dict[str, Mapping[str, Any]] = {}
        self._whole = moment.passages <= (READ_WHOLE_LOCAL if self._link.is_local else READ_WHOLE)
        weighed = _weighed(terms, self._holding(terms), moment.passages) if self._limit and length else []
        self._highest = highest_sum(weighed)
        self._held = [(asked_lexeme(each.term), highest_gain(each.idf)) for each in weighed if each.holding]
        self._slope = K1 * B * moment.passages / length if length else 0.0
        self._more = max(1.0, length / max(1, moment.passages) / TYPICAL_LENGTH)
        self._vectors: dict[str, bytes] = {}
        self._scores: dict[str, float] = {}

    def _holding(self, terms: Sequence[Term]) -> list[int]:
        """How many visible passages hold each term."""
        words = [asked_lexeme(term) for term in terms]
        if not self._whole:
            return [self._link.count(self._passages, self._moment.where(words=[word])) for word in words]
        if words:
            query = dict.fromkeys(map(dimension, words), 1.0)
            self._fetch(self._link.nearest_words(self._passages, query, self._moment.where(), self._moment.passages))
        held = [set(payload["words"]) for payload in self._payloads.values()]
        return [sum(word in each for each in held) for word in words]

    def _fetch(self, hits: Sequence[Scored]) -> None:
        self._payloads.update((point.id, point.payload) for _, point in hits if self._moment.shows(point.payload))

    def rows(self) -> list[RetrievedFragment]:
        if not self._limit:
            return []
        most = min(self._moment.passages, max(self._limit + MAX_TIES, MOST_CANDIDATES))
        wanted = min(most, max(2 * self._limit, _FIRST))
        while True:
            lexical, cosine = self._words(wanted), self._meaning(wanted)
            self._score()
            unseen = self._combined(lexical, cosine)
            if wanted >= most or not unseen or self._last() > unseen * ROUNDING:
                return self._fragments()
            wanted = min(most, wanted * _STEP)

    def _words(self, wanted: int) -> float:
        """Fetch passages by words; what one that was not fetched can have of their similarity at most."""
        if not self._held or self._whole:
            return 0.0
        query: dict[int, float] = {}
        for word, height in self._held:
            query[dimension(word)] = query.get(dimension(word), 0.0) + height
        hits = self._link.nearest_words(self._passages, query, self._moment.where(), wanted)
        self._fetch(hits)
        if len(hits) < wanted:
            return 0.0
        return min(1.0, min(score for score, _ in hits) * self._more * _SINGLE / self._highest)

    def _meaning(self, wanted: int) -> float:
        """Fetch passages by meaning; the cosine of one that was not fetched at most."""
        near = self._nearness
        if near is None:
            return 0.0
        from ._encoding import margin
        from ._space import floats

        hits = self._link.nearest(near.space.collection, floats(near.vector), self._moment.where(), wanted, near.index)
        shown = {point.id: point for _, point in hits if self._moment.shows(point.payload)}
        self._vectors.update((name, stored_bytes(point.dense)) for name, point in shown.items())
        missing = sorted(shown.keys() - self._payloads.keys())
        self._payloads.update((point.id, point.payload) for point in self._link.retrieve(self._passages, missing))
        missing = sorted(self._payloads.keys() - self._vectors.keys())
        found = self._link.retrieve(near.space.collection, missing, (), vectors=True)
        self._vectors.update((point.id, stored_bytes(point.dense)) for point in found)
        if len(hits) < wanted:
            return 0.0
        return max(0.0, min(score for score, _ in hits) + margin(near.space.embedding.dimensions))

    def _combined(self, lexical: float, cosine: float) -> float:
        return lexical if self._nearness is None else float(fused(lexical, min(1.0, cosine)))

    def _score(self) -> None:
        names = [name for name in self._payloads if name not in self._scores]
        scores = [self._similarity(self._payloads[name]) for name in names]
        near = self._nearness
        if near is not None and names:
            from ._encoding import cosines, decoded, stored_rows

            space = near.space.embedding
            rows = stored_rows([self._vectors.get(name, b"") for name in names], space)
            angles = cosines(rows, decoded(near.vector, space)[0]).tolist()
            scores = [float(fused(score, cosine)) for score, cosine in zip(scores, angles, strict=True)]
        self._scores.update(zip(names, scores, strict=True))

    def _similarity(self, payload: Mapping[str, Any]) -> float:
        counts = dict(zip(payload["words"], payload["counts"], strict=True))
        total = 0.0
        for word, height in self._held:
            count = counts.get(word)
            if count:
                total += height * count / (count + K1 * (1 - B) + self._slope * payload["length"])
        return similarity(total, self._highest) if total else 0.0

    def _last(self) -> float:
        """Score of the last row of the answer as it is; below every score where there are too few."""
        if len(self._scores) < self._limit:
            return -1.0
        return heapq.nlargest(self._limit, self._scores.values())[-1]

    def _fragments(self) -> list[RetrievedFragment]:
        scores = {name: score for name, score in self._scores.items() if score > 0}
        if len(scores) > self._limit:
            last = heapq.nlargest(self._limit, scores.values())[-1]
            scores = {name: score for name, score in scores.items() if score >= last}
            first = sorted(scores, key=lambda name: (-scores[name], *self._place(self._payloads[name])))
            scores = {name: scores[name] for name in first[: self._limit + MAX_TIES]}
        return answered([self._fragment(score, self._payloads[name]) for name, score in scores.items()])

    def _place(self, payload: Mapping[str, Any]) -> tuple[Any, ...]:
        document = self._moment.records[payload["document"]].document
        text = retrieved_text(payload["text"])
        return payload["label"], text, document.scope_path, document.file, document.origin, payload["ordinal"]

    def _fragment(self, score: float, payload: Mapping[str, Any]) -> RetrievedFragment:
        one = self._moment.records[payload["document"]].document
        return fragment(score, (one.scope_path, one.origin, one.file, one.kind), chunk_of(payload))
