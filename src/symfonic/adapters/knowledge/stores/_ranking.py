"""Ranking over what one scope can see, read from the full-text index.

Rules of this module: it only reads, inside the caller's transaction. FTS5 has a ``bm25()`` of its own; it counts over
the whole table, so that one tenant's documents would move another tenant's scores. Everything here is counted over the
visible scopes instead, and summed in an order that depends on nothing else, so that neither insertion order nor row ids
change a bit of any score.
"""

from __future__ import annotations

import functools
import heapq
import itertools
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ._lexical import CONTEXT_WEIGHT, K1, B, Term, highest_gain, inverse_document_frequency, similarity
from ._schema import GENERATION, SCOPE_SHIFT

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Sequence

MAX_TIES: Final = 256
"""How many rows an answer may hold beyond its limit because they tie with the last one."""

ROUNDING: Final = 1 + 1e-9
"""Sums of a few dozen floats differ from the true sum by far less than this."""

_GAINS: Final = f"""
    WITH held AS MATERIALIZED (
        SELECT doc, sum(CASE col WHEN 'context' THEN {CONTEXT_WEIGHT} ELSE 1 END) AS f
        FROM posting WHERE {{posted}} AND {{among}} GROUP BY doc)
    SELECT doc, :height * f / (f + :base + :slope * ({CONTEXT_WEIGHT} * context_tokens + text_tokens))
    FROM held JOIN chunk ON chunk.id = doc"""  # noqa: S608 - constants of this product
_VISIBLE: Final = f"doc >> {SCOPE_SHIFT} IN (SELECT value FROM json_each(:among))"  # noqa: S608 - a constant
_CANDIDATES: Final = "doc IN (SELECT value FROM json_each(:among))"


@dataclass(frozen=True, slots=True, order=True)
class ScopeState:
    """A scope at the moment of a reading transaction. Equal values: the same passages, the same vectors.

    Attributes:
        scope: Its id.
        embedded: How often vectors were added to passages, or dropped; in the upper half how often the whole file was
            replaced.
        changes: How often passages were taken out.
        used: How many ids it has given away. Of two states with equal counters before, the one with fewer ids used is
            the beginning of the other.
        passages: How many passages it holds.
    """

    scope: int
    embedded: int
    changes: int
    used: int
    passages: int


@dataclass(frozen=True, slots=True)
class Visible:
    """What can be seen from a scope path.

    Attributes:
        scopes: Ids of the scopes that hold anything, ascending.
        states: The same scopes with what tells their content from that of another moment.
        passages: Number of visible passages.
        length: Their lengths together, in weighted words.
    """

    scopes: tuple[int, ...]
    states: tuple[ScopeState, ...]
    passages: int
    length: int


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, in words and as a vector.

    Attributes:
        terms: Its words.
        vector: Its vector as it would be stored.
        limit: How many passages are wanted.
    """

    terms: tuple[Term, ...]
    vector: bytes
    limit: int


@dataclass(frozen=True, slots=True)
class Weighed:
    """A term of the question with its weight among the visible passages."""

    term: Term
    holding: int
    idf: float


def visible_from(sql: sqlite3.Connection, paths: Collection[str]) -> Visible:
    """Sum up the scopes stored exactly at ``paths``."""
    rows = sql.execute(
        f"SELECT id, embedded + {GENERATION}, changes, used, chunks, context_tokens, text_tokens FROM scope "  # noqa: S608 - a constant
        "WHERE path IN (SELECT value FROM json_each(?))",
        (json.dumps(list(paths)),),
    ).fetchall()
    return Visible(
        scopes=tuple(sorted(row[0] for row in rows)),
        states=tuple(sorted(ScopeState(*row[:5]) for row in rows)),
        passages=sum(row[4] for row in rows),
        length=sum(CONTEXT_WEIGHT * row[5] + row[6] for row in rows),
    )


def rank(sql: sqlite3.Connection, terms: Sequence[Term], visible: Visible, limit: int) -> dict[int, float]:
    """Similarity of the best ``limit`` passages by chunk id, and of those that tie with the last of them.

    Of these at most :data:`MAX_TIES` come on top of ``limit``: the first by label, text and place in the store, an
    order that is total and knows nothing of row ids. A thousand copies of one passage are therefore never all loaded.
    """
    if not (terms and limit and visible.length):
        return {}
    weighed = weigh(terms, visible, functools.partial(count_holding, sql))
    highest = highest_sum(weighed)
    sums = _Sums(sql, visible, limit)
    for term, outlook in with_outlook([term for term in weighed if term.holding]):
        sums.add(term, outlook)
    scores = {chunk: similarity(bm25, highest) for chunk, bm25 in sums.scores.items()}
    return first_ties(sql, _best(scores, limit), limit + MAX_TIES)


def weigh(terms: Sequence[Term], visible: Visible, holding: Callable[[Term, int], int]) -> list[Weighed]:
    """Terms with their weights, rarest first: it decides most, and the order depends on visible passages only.

    ``holding`` counts the passages of a scope that hold a term.
    """
    weighed = []
    for term in terms:
        found = sum(holding(term, scope) for scope in visible.scopes)
        weighed.append(Weighed(term, found, inverse_document_frequency(visible.passages, found)))
    return sorted(weighed, key=lambda each: (each.holding, each.term.stem))


def count_holding(sql: sqlite3.Connection, term: Term, scope: int) -> int:
    """How many passages of a scope hold a term."""
    found = sql.execute(
        "SELECT count(*) FROM passage_index WHERE passage_index MATCH ? AND rowid BETWEEN ? AND ?",
        (term.match, scope << SCOPE_SHIFT, ((scope + 1) << SCOPE_SHIFT) - 1),
    )
    return int(found.fetchone()[0])


def highest_sum(weighed: Sequence[Weighed]) -> float:
    """The most that all terms together can bring, those that nobody holds included."""
    return sum(highest_gain(term.idf) for term in weighed)


def with_outlook(terms: Sequence[Weighed]) -> list[tuple[Weighed, float]]:
    """Each term with what it and all later ones can bring at most."""
    heights = [highest_gain(term.idf) for term in reversed(terms)]
    return list(zip(terms, reversed(list(itertools.accumulate(heights))), strict=True))


class _Sums:
    """BM25 sums, term by term, of every passage that can still be among the best (the MaxScore rule, exact).

    Once ``limit`` passages have more than all remaining terms can bring, no new passage can come among the best, and
    one that lags too far behind is given up: the postings of common words are then read for few passages only.
    """

    def __init__(self, sql: sqlite3.Connection, visible: Visible, limit: int) -> None:
        self._sql = sql
        self._visible = visible
        self._limit = limit
        self._complete = False
        self.scores: dict[int, float] = {}

    def add(self, term: Weighed, outlook: float) -> None:
        """Add a term's gains; ``outlook`` is what this term and all later ones can bring at most."""
        self._give_up(outlook)
        for chunk, gain in self._gains(term):
            self.scores[chunk] = self.scores.get(chunk, 0.0) + gain

    def _give_up(self, outlook: float) -> None:
        if len(self.scores) < self._limit:
            return
        floor = heapq.nlargest(self._limit, self.scores.values())[-1]
        self._complete = self._complete or floor > outlook * ROUNDING
        if self._complete:
            self.scores = {
                chunk: score for chunk, score in self.scores.items() if (score + outlook) * ROUNDING >= floor
            }

    def _gains(self, term: Weighed) -> sqlite3.Cursor:
        among: Collection[int] = self.scores.keys() if self._complete else self._visible.scopes
        return self._sql.execute(
            _GAINS.format(posted=term.term.posted, among=_CANDIDATES if self._complete else _VISIBLE),
            {
                **term.term.parameters,
                "among": json.dumps(list(among)),
                "height": highest_gain(term.idf),
                "base": K1 * (1 - B),
                "slope": K1 * B * self._visible.passages / self._visible.length,
            },
        )


def _best(scores: dict[int, float], limit: int) -> dict[int, float]:
    if len(scores) <= limit:
        return scores
    last = heapq.nlargest(limit, scores.values())[-1]
    return {chunk: score for chunk, score in scores.items() if score >= last}


def first_ties(sql: sqlite3.Connection, scores: dict[int, float], most: int) -> dict[int, float]:
    """``scores`` without the last of the rows that tie at the end, where there are more than ``most``."""
    if len(scores) <= most:
        return scores
    last = min(scores.values())
    kept = {chunk: score for chunk, score in scores.items() if score > last}
    tied = [chunk for chunk, score in scores.items() if score == last]
    first = sql.execute(
        """SELECT chunk.id FROM json_each(?) JOIN chunk ON chunk.id = value JOIN passage ON passage.id = chunk.id
        JOIN document ON document.id = document JOIN scope ON scope.id = scope
        ORDER BY label, retrieved_text(text), scope.path, file, origin, ordinal LIMIT ?""",
        (json.dumps(tied), most - len(kept)),
    )
    return kept | {chunk: last for (chunk,) in first}
