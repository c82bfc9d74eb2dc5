"""Search by words and meaning together: vectors by scope, scanned whole, and the exact best of all.

Rules of this module: with :mod:`._encoding` and :mod:`._kept` the only one of the store that knows NumPy. It reads
inside the caller's transaction.

Exact and deterministic. A product of matrices in float32 may differ in its last bits with a row's place among others,
so it only bounds a cosine (``margin``); those of candidates are computed again in float64, each from its two vectors
alone. What words bring is bounded by what is left to read. A passage is given up only when its upper bound is
below the lower bounds of as many others as are asked for, so nothing depends on what was given up, or when.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ._encoding import cosines, decoded, margin, products, stored_rows
from ._fusion import fused
from ._kept import Cache, block_of, read_rows
from ._lexical import CONTEXT_WEIGHT, K1, B, highest_gain
from ._ranking import (
    MAX_TIES,
    ROUNDING,
    Question,
    ScopeState,
    Visible,
    Weighed,
    count_holding,
    first_ties,
    highest_sum,
    visible_from,
    weigh,
    with_outlook,
)
from ._schema import SCOPE_SHIFT
from ._space import VECTOR

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Sequence

    from symfonic.adapters.knowledge.ports import EmbeddingSpace

    from ._encoding import Floats, Singles
    from ._kept import Integers, Rows
    from ._lexical import Analyzer, Term
    from ._words import Posted

_MOST_COUNTED: Final = 1_000
"""Passages whose words may be counted for one question."""

_WORD_COST: Final = 0.35
"""What it takes to count a word of a text, in microseconds; only the ratio to the next number matters."""

_POSTING_COST: Final = 0.25
"""What it takes to read one place of a word in the index, in microseconds."""


class VectorIndex:
    """Searches a store by words and vectors. Safe from any thread; readers share what is kept in memory.

    Args:
        space: Whose vectors are searched.
        cache_bytes: Most memory for vectors, in bytes; the least recently asked scopes go first. What does not fit is
            read from the file for every question.
    """

    def __init__(self, space: EmbeddingSpace, cache_bytes: int) -> None:
        self.space = space
        self.cache = Cache(space, cache_bytes)

    def rank(
        self, sql: sqlite3.Connection, analyzer: Analyzer, paths: Collection[str], question: Question
    ) -> dict[int, float]:
        """Scores of the best ``limit`` visible passages by chunk id, and of those that tie with the last of them.

        Of these at most ``MAX_TIES`` come on top of ``limit``, the first in an order that knows nothing of row ids.
        """
        visible = visible_from(sql, paths)
        if not (question.limit and visible.passages):
            self.cache.let_go(sql)
            return {}
        seen = self.cache.seen(sql, visible.states)
        if not any(len(rows.ids) for _, rows in seen):
            return {}  # totals of a damaged file
        scores = _Search(sql, analyzer, visible, seen, question, self.space).best()
        self.cache.count(visible.scopes)
        return first_ties(sql, scores, question.limit + MAX_TIES)


class _Search:
    """One question among the visible passages; a passage is its position in the order of ids."""

    def __init__(
        self,
        sql: sqlite3.Connection,
        analyzer: Analyzer,
        visible: Visible,
        seen: Sequence[tuple[ScopeState, Rows]],
        question: Question,
        space: EmbeddingSpace,
    ) -> None:
        self._sql = sql
        self._analyzer = analyzer
        self._visible = visible
        self._seen = seen
        self._terms = question.terms
        self._question: Singles = decoded(question.vector, space)[0]
        self._limit = question.limit
        self._space = space
        self._margin = margin(space.dimensions)
        self._ids = _joined([rows.ids for _, rows in seen])
        self._lengths = _joined([rows.lengths for _, rows in seen])
        self._cosines = _joined([self._likeness(state, rows) for state, rows in seen])
        self._lexical: Floats = np.zeros(len(self._ids))
        self._nearest: Integers = _highest(self._cosines, question.limit)
        self._usual = float(np.maximum(self._cosines, 0.0).mean())
        self._alive: Integers | None = None  # all of them

    def _likeness(self, state: ScopeState, rows: Rows) -> Floats:
        if rows.vectors is not None:
            return products(rows.vectors, self._question)
        blocks = [products(vectors, self._question) for _, _, vectors in read_rows(self._sql, state, 0, self._space)]
        likeness: Floats = _joined(blocks)
        return likeness

    def best(self) -> dict[int, float]:
        """Scores by chunk id: the best, and whatever ties with the last of them; none is 0."""
        weighed = weigh(self._terms, self._visible, self._holding) if self._visible.length else []
        highest = highest_sum(weighed) or 1.0
        left = with_outlook([term for term in weighed if term.holding])
        while left:
            self._give_up(left[0][1], highest)
            terms = [term for term, _ in left]
            if self._is_cheaper_counted(terms):
                self._count(terms)
                break
            self._add(terms[0], *self._posted(terms[0].term))
            left = left[1:]
        self._give_up(0.0, highest)
        return self._first(*self._scored(highest))

    def _holding(self, term: Term, scope: int) -> int:
        words = next(rows.words for state, rows in self._seen if state.scope == scope)
        return words.holding(term, lambda: count_holding(self._sql, term, scope))

    def _first(self, alive: Integers, scores: Floats) -> dict[int, float]:
        alive, scores = alive[scores > 0], scores[scores > 0]
        if len(scores) > self._limit:
            last = np.partition(scores, -self._limit)[-self._limit]
            alive, scores = alive[scores >= last], scores[scores >= last]
        return dict(zip(self._ids[alive].tolist(), scores.tolist(), strict=True))

    def _is_cheaper_counted(self, terms: Sequence[Weighed]) -> bool:
        """Whether to read the texts of the passages left, instead of every place where the words left stand."""
        if self._alive is None or len(self._alive) > _MOST_COUNTED:
            return False
        places = sum(
            term.holding for term in terms if any(rows.words.posted(term.term) is None for _, rows in self._seen)
        )
        return bool(self._lengths[self._alive].sum() * _WORD_COST < places * _POSTING_COST)

    def _count(self, terms: Sequence[Weighed]) -> None:
        """Add what terms bring to the passages left, counted in their texts."""
        alive = self._left()
        passages = self._sql.execute(
            "SELECT coalesce(context, ''), coalesce(text, ''), coalesce(pieces, '') "
            "FROM json_each(?) LEFT JOIN passage ON passage.id = value ORDER BY value",
            (json.dumps(self._ids[alive].tolist()),),
        ).fetchall()
        for term, counts in zip(terms, self._analyzer.counts(passages, [term.term for term in terms]), strict=True):
            self._add(
                term,
                alive[np.fromiter(counts.keys(), dtype=np.int64, count=len(counts))],
                np.fromiter(counts.values(), dtype=np.float64, count=len(counts)),
            )

    def _add(self, term: Weighed, positions: Integers, counts: Floats) -> None:
        """Add what one term brings to the passages that hold it so many times."""
        base, slope = K1 * (1 - B), K1 * B * self._visible.passages / self._visible.length
        height = highest_gain(term.idf)
        self._lexical[positions] += height * counts / (counts + base + slope * self._lengths[positions])

    def _posted(self, term: Term) -> Posted:
        """Positions of passages that hold a term, and how often, words of the context counted by their weight."""
        found = [rows.words.posted(term) for _, rows in self._seen]
        missing = [state.scope for (state, _), posted in zip(self._seen, found, strict=True) if posted is None]
        ids, weights = _postings(self._sql, term, missing)
        positions: list[Integers] = []
        counts: list[Floats] = []
        start = 0
        for (_, rows), kept in zip(self._seen, found, strict=True):
            posted = kept or _summed(rows, ids, weights)
            rows.words.keep(term, posted)
            positions.append(posted[0] + start)
            counts.append(posted[1])
            start += len(rows.ids)
        return _joined(positions), _joined(counts)

    def _left(self) -> Integers:
        return np.arange(len(self._ids)) if self._alive is None else self._alive

    def _give_up(self, outlook: float, highest: float) -> None:
        """Leave out what cannot be among the best any more when terms still to come bring ``outlook`` at most."""
        promising = self._promising()
        if len(promising) <= self._limit:
            return
        lower = fused(self._lexical[promising] / highest, self._cosines[promising] - self._margin)
        floor = np.partition(lower, -self._limit)[-self._limit]
        if self._alive is None and outlook and floor < fused(outlook / highest, self._usual):
            return  # most would stay
        lexical, cosine = self._lexical, self._cosines
        if self._alive is not None:
            lexical, cosine = lexical[self._alive], cosine[self._alive]
        stays = fused((lexical + outlook) / highest, cosine + self._margin) * ROUNDING >= floor
        self._alive = np.flatnonzero(stays) if self._alive is None else self._alive[stays]

    def _promising(self) -> Integers:
        """Passages among which the best so far are: those left, or those with some word and those nearest."""
        if self._alive is not None:
            return self._alive
        return np.concatenate([self._nearest[self._lexical[self._nearest] == 0], np.flatnonzero(self._lexical > 0)])

    def _scored(self, highest: float) -> tuple[Integers, Floats]:
        """What is left, with its scores, to the bit."""
        alive = self._left()
        lexical = np.minimum(1.0, self._lexical[alive] / highest)
        block = block_of(self._space)
        exact: list[Floats] = [
            cosines(self._vectors(alive[at : at + block]), self._question) for at in range(0, len(alive), block)
        ]
        return alive, fused(lexical, _joined(exact))

    def _vectors(self, positions: Integers) -> Singles:
        """Vectors at ascending positions."""
        parts: list[Singles] = []
        start = 0
        for _, rows in self._seen:
            end = start + len(rows.ids)
            inside = positions[(positions >= start) & (positions < end)] - start
            if len(inside):
                parts.append(self._stored(rows.ids[inside]) if rows.vectors is None else rows.vectors[inside])
            start = end
        return np.concatenate(parts)

    def _stored(self, ids: Integers) -> Singles:
        found = self._sql.execute(
            f"SELECT {VECTOR} FROM json_each(?) LEFT JOIN vector ON vector.id = value ORDER BY value",  # noqa: S608 - a constant
            (json.dumps(ids.tolist()),),
        )
        return stored_rows([vector for (vector,) in found], self._space)


def _highest(numbers: Floats, count: int) -> Integers:
    """Positions of the ``count`` highest, in no order."""
    if count >= len(numbers):
        return np.arange(len(numbers))
    return np.argpartition(numbers, -count)[-count:]


def _postings(sql: sqlite3.Connection, term: Term, scopes: Sequence[int]) -> Posted:
    """Every place where a term stands in these scopes, and in some between: chunk ids and weights."""
    if not scopes:
        return np.empty(0, dtype=np.int64), np.empty(0)
    base = scopes[0] << SCOPE_SHIFT
    # A row for each place would take three times as long to become numbers. Places in the context are told by a sign.
    (found,) = sql.execute(
        f"""SELECT group_concat(CASE col WHEN 'context' THEN ~(doc - :base) ELSE doc - :base END, ',') FROM posting
        WHERE {term.posted} AND doc BETWEEN :base AND :last""",  # noqa: S608 - constants of this product
        {**term.parameters, "base": base, "last": ((scopes[-1] + 1) << SCOPE_SHIFT) - 1},
    ).fetchone()
    numbers = np.fromstring(found or "", dtype=np.int64, sep=",")
    return np.where(numbers < 0, ~numbers, numbers) + base, np.where(numbers < 0, float(CONTEXT_WEIGHT), 1.0)


def _summed(rows: Rows, ids: Integers, weights: Floats) -> Posted:
    """Positions of passages in one scope and the sums of their weights."""
    count = len(rows.ids)
    counts: Floats = np.bincount(rows.positions(ids), weights=weights, minlength=count)[:count].astype(np.float64)
    held: Integers = np.flatnonzero(counts > 0).astype(np.int64)
    return held, counts[held]


def _joined(parts: Sequence[Any]) -> Any:
    if not parts:
        return np.empty(0)
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
