"""Ranking in PostgreSQL, to the bit as the embedded store ranks: BM25 over what is visible, cosines, both together.

Rules of this module: it only reads, inside the caller's transaction. Weights of words are computed here, sums on the
server, in double precision and in the same order of operations as :mod:`._ranking`. The server computes inner products
of vectors in single precision; they choose candidates, with a margin for their error, and the cosine that counts is
computed in double precision from the two vectors alone (:mod:`._encoding`).
"""

from __future__ import annotations

import heapq
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.ports import EmbeddingSpace

from ._fusion import LEXICAL_SHARE, fused
from ._lexical import K1, B, highest_gain, inverse_document_frequency
from ._pgvector_values import MOST_POSITIONS, escaped, identity, queried, stored_bytes, vector_text
from ._ranking import MAX_TIES, Weighed, highest_sum

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ._lexical import Term
    from ._pgvector_connections import Transaction

_LOG: Final = logging.getLogger("symfonic.adapters.knowledge.stores.pgvector")

_MOST_ROWS: Final = 2**31
"""More is never asked for."""

READ_WHOLE: Final = 20_000
"""Visible passages up to which all vectors are read, index or not: it takes some milliseconds, and misses none."""

_MOST_SEARCHED: Final = 1_000
"""Rows asked of the index of vectors at most; who wants more reads all."""

ORDER: Final = "label, text, path, file, origin, ordinal"
"""What decides between rows of equal score; an order that is total and knows nothing of ids."""


@dataclass(frozen=True, slots=True)
class Visible:
    """What can be seen from a scope path: ids of scopes, their passages, and the length of these in weighted words."""

    scopes: tuple[int, ...]
    passages: int
    length: int


@dataclass(frozen=True, slots=True)
class Asked:
    """Terms of a question with their weights, rarest first, and whether a passage holds one more than 255 times."""

    terms: list[Weighed]
    often: bool


def visible_from(sql: Transaction, paths: Collection[str]) -> Visible:
    """Sum up the scopes stored exactly at ``paths``."""
    rows = sql.rows(
        "SELECT id, passages, length FROM scope WHERE identity = ANY(%s) AND path = ANY(%s)",
        ([identity(path) for path in paths], [escaped(path) for path in paths]),
    )
    return Visible(
        scopes=tuple(sorted(row[0] for row in rows)),
        passages=sum(row[1] for row in rows),
        length=sum(row[2] for row in rows),
    )


def weigh(sql: Transaction, terms: Sequence[Term], visible: Visible) -> Asked:
    """Terms with their weights, rarest first, counted in one pass over the passages that hold any."""
    if not (terms and visible.passages):
        return Asked([Weighed(term, 0, inverse_document_frequency(visible.passages, 0)) for term in terms], often=False)
    counts = ", ".join(f"count(*) FILTER (WHERE lexemes @@ %(t{at})s::tsquery)" for at in range(len(terms)))
    row = sql.row(
        f"""SELECT coalesce(bool_or(lexemes @@ %(often)s::tsquery), false), {counts} FROM word
        WHERE lexemes @@ %(any)s::tsquery AND scope = ANY(%(scopes)s::bigint[])""",  # noqa: S608 - constants of this product
        {**_asked(terms, visible), "often": " | ".join(queried(term, often=True) for term in terms)},
    )
    assert row is not None
    weighed = [
        Weighed(term, found, inverse_document_frequency(visible.passages, found))
        for term, found in zip(terms, row[1:], strict=True)
    ]
    return Asked(sorted(weighed, key=lambda each: (each.holding, each.term.stem)), often=row[0])


def _asked(terms: Sequence[Term], visible: Visible) -> dict[str, Any]:
    queries = [queried(term) for term in terms]
    return {
        **{f"t{at}": query for at, query in enumerate(queries)},
        "any": " | ".join(queries),
        "scopes": list(visible.scopes),
    }


def _held(asked: Asked, visible: Visible) -> tuple[str, dict[str, Any]]:
    """A query of the passages that hold any term, each with its lexical similarity, and its parameters."""
    held = [term for term in asked.terms if term.holding]
    if not held:
        return "SELECT 0::bigint AS passage, 0::float8 AS lexical WHERE false", {}
    beyond = f" + {MOST_POSITIONS} * occurrences(lexemes, %(m{{0}})s::tsquery)" if asked.often else ""
    count = f"occurrences(lexemes, %(t{{0}})s::tsquery){beyond} AS f{{0}}"
    counts = ", ".join(count.format(at) for at in range(len(held)))
    gains = " + ".join(
        f"%(h{at})s::float8 * f{at} / (f{at} + %(base)s::float8 + %(slope)s::float8 * length)"
        for at in range(len(held))
    )
    # Read once and kept: the frequency of a term stands twice in its gain.
    statement = f"""
        SELECT passage, least(1::float8, ({gains}) / %(highest)s::float8) AS lexical FROM (
            SELECT passage, length, {counts} FROM word
            WHERE lexemes @@ %(any)s::tsquery AND scope = ANY(%(scopes)s::bigint[]) OFFSET 0) AS counted"""  # noqa: S608 - constants of this product
    return statement, {
        **_asked([term.term for term in held], visible),
        **{f"m{at}": queried(term.term, often=True) for at, term in enumerate(held)},
        **{f"h{at}": highest_gain(term.idf) for at, term in enumerate(held)},
        "base": K1 * (1 - B),
        "slope": K1 * B * visible.passages / visible.length,
        "highest": highest_sum(asked.terms),
    }


def rank(sql: Transaction, terms: Sequence[Term], visible: Visible, limit: int) -> dict[int, float]:
    """Similarity of the best ``limit`` passages by id, and of those that tie with the last of them.

    Of these at most ``MAX_TIES`` come on top of ``limit``, the first in :data:`ORDER`.
    """
    if not (terms and limit and visible.length):
        return {}
    statement, values = _held(weigh(sql, terms, visible), visible)
    if not values:
        return {}
    rows = sql.rows(
        f"""WITH best AS MATERIALIZED (
            SELECT passage, lexical FROM ({statement}) AS held ORDER BY lexical DESC
            FETCH FIRST (%(limit)s::bigint) ROWS WITH TIES)
        SELECT best.passage, lexical FROM best JOIN passage ON passage.id = best.passage
        JOIN document ON document.id = document JOIN scope ON scope.id = passage.scope
        ORDER BY lexical DESC, {ORDER} LIMIT %(most)s""",  # noqa: S608 - constants of this product
        {**values, "limit": min(limit, _MOST_ROWS), "most": min(limit, _MOST_ROWS) + MAX_TIES},
    )
    return dict(rows)


@dataclass(frozen=True, slots=True)
class Nearness:
    """A question's vector and how to search with it.

    Attributes:
        vector: As it would be stored.
        space: Whose it is.
        indexed: Whether the index of vectors may be used.
    """

    vector: bytes
    space: EmbeddingSpace
    indexed: bool


def rank_both(
    sql: Transaction, terms: Sequence[Term], visible: Visible, limit: int, nearness: Nearness
) -> dict[int, float]:
    """Scores by words and meaning of the best ``limit`` passages by id, with ties as :func:`rank`."""
    if not (limit and visible.passages):
        return {}
    limit = min(limit, _MOST_ROWS)
    asked = weigh(sql, terms, visible) if visible.length else Asked([], often=False)
    statement, values = _held(asked, visible)
    groups = _candidates(sql, statement, values, visible, limit, nearness)
    scores = _scored(groups, nearness)
    return _first_ties(sql, _best(scores, limit), limit + MAX_TIES)


_BOTH_LEGS: Final = """
    WITH held AS MATERIALIZED ({held}),
    near AS MATERIALIZED ({near}),
    close AS (SELECT passage, cosine FROM near WHERE cosine >= coalesce(
        (SELECT cosine FROM near ORDER BY cosine DESC OFFSET %(before)s LIMIT 1), -2) - 2 * %(slack)s::float8),
    both_legs AS MATERIALIZED (
        SELECT held.passage, lexical, {own} FROM held LEFT JOIN {source} ON {source}.passage = held.passage
        UNION ALL
        SELECT passage, 0, cosine FROM close
        WHERE NOT EXISTS (SELECT FROM held WHERE held.passage = close.passage)
    ),
    scored AS MATERIALIZED (
        SELECT passage, lexical, cosine,
        %(words)s::float8 * lexical + %(meaning)s::float8 * greatest(cosine, 0) AS score FROM both_legs),
    best AS (
        SELECT passage, lexical FROM scored WHERE (lexical > 0 OR cosine > -%(slack)s::float8)
        AND score >= coalesce((SELECT score FROM scored ORDER BY score DESC OFFSET %(before)s LIMIT 1), -2)
        - 2 * %(slack)s::float8)
    SELECT lexical, {extension}.vector_send(own), array_agg(passage ORDER BY passage) FROM (
        SELECT passage, lexical, (SELECT vector FROM embedding WHERE embedding.passage = best.passage) AS own
        FROM best OFFSET 0) AS found GROUP BY lexical, own"""
"""Candidates for the best, by what they share; what is in braces is filled in."""


def _candidates(
    sql: Transaction, held: str, values: dict[str, Any], visible: Visible, limit: int, nearness: Nearness
) -> list[tuple[float, bytes | None, list[int]]]:
    """Passages that may be among the best: lexical similarity, vector, and the ids of those that share both."""
    from ._encoding import margin

    slack = margin(nearness.space.dimensions)
    values = {
        **values,
        "scopes": list(visible.scopes),
        "question": vector_text(nearness.vector),
        "limit": limit,
        "before": limit - 1,
        "slack": slack,
        "words": LEXICAL_SHARE,
        "meaning": 1 - LEXICAL_SHARE,
    }
    near, found = _nearest(sql, visible, limit, nearness)
    values |= found
    # Passages found by words have their cosine from the scan, or else of their own.
    cosine = f"-(vector {sql.product} %(question)s::{sql.extension}.vector)"
    own = f"coalesce({cosine}, 0) AS cosine" if found else "coalesce(cosine, 0) AS cosine"
    source = "embedding" if found else "near"
    return sql.rows(_BOTH_LEGS.format(held=held, near=near, own=own, source=source, extension=sql.extension), values)


def _nearest(sql: Transaction, visible: Visible, limit: int, nearness: Nearness) -> tuple[str, dict[str, Any]]:
    """The query of visible vectors and their inner products with the question's: all, or what the index found."""
    asked = f"%(question)s::{sql.extension}.vector"
    whole = f"""SELECT passage, -(vector {sql.product} {asked}) AS cosine FROM embedding
        WHERE scope = ANY(%(scopes)s::bigint[])"""  # noqa: S608 - quoted names
    wanted = limit + MAX_TIES
    if not nearness.indexed or visible.passages <= READ_WHOLE or wanted > _MOST_SEARCHED:
        return whole, {}
    dimensions = int(nearness.space.dimensions)
    # The scan goes on past rows of other scopes until it has as many as are wanted.
    sql.run(
        f"SET LOCAL hnsw.iterative_scan TO strict_order; SET LOCAL hnsw.ef_search TO {wanted}; "
        "SET LOCAL hnsw.max_scan_tuples TO 200000; SET LOCAL hnsw.scan_mem_multiplier TO 8"
    )
    found = sql.rows(
        f"""SELECT passage, -(vector {sql.product} {asked}) FROM embedding WHERE scope = ANY(%(scopes)s::bigint[])
        ORDER BY (vector::{sql.extension}.vector({dimensions})) {sql.product} {asked}({dimensions}) LIMIT {wanted}""",  # noqa: S608 - numbers and quoted names
        {"question": vector_text(nearness.vector), "scopes": list(visible.scopes)},
    )
    if len(found) < wanted:
        _LOG.info("the index of vectors gave %d of %d rows; all visible vectors are read", len(found), wanted)
        return whole, {}  # it gave up before it had all, so all are read
    return "SELECT * FROM unnest(%(near)s::bigint[], %(cosines)s::float8[]) AS found(passage, cosine)", {
        "near": [passage for passage, _ in found],
        "cosines": [cosine for _, cosine in found],
    }


def _scored(groups: Sequence[tuple[float, bytes | None, list[int]]], nearness: Nearness) -> dict[int, float]:
    """Scores by id, to the bit as the embedded store computes them; none is 0."""
    from ._encoding import cosines, decoded, stored_rows

    if not groups:
        return {}
    question = decoded(nearness.vector, nearness.space)[0]
    rows = stored_rows([stored_bytes(vector) for _, vector, _ in groups], nearness.space)
    found: dict[int, float] = {}
    for (lexical, _, ids), cosine in zip(groups, cosines(rows, question).tolist(), strict=True):
        score = fused(lexical, cosine)
        if score > 0:
            found.update(dict.fromkeys(ids, score))
    return found


def _best(scores: dict[int, float], limit: int) -> dict[int, float]:
    if len(scores) <= limit:
        return scores
    last = heapq.nlargest(limit, scores.values())[-1]
    return {passage: score for passage, score in scores.items() if score >= last}


def _first_ties(sql: Transaction, scores: Mapping[int, float], most: int) -> dict[int, float]:
    """``scores`` without the last of the rows that tie at the end, where there are more than ``most``."""
    if len(scores) <= most:
        return dict(scores)
    last = min(scores.values())
    kept = {passage: score for passage, score in scores.items() if score > last}
    first = sql.rows(
        f"""SELECT passage.id FROM passage JOIN document ON document.id = document
        JOIN scope ON scope.id = passage.scope WHERE passage.id = ANY(%s) ORDER BY {ORDER} LIMIT %s""",  # noqa: S608 - constants of this product
        ([passage for passage, score in scores.items() if score == last], most - len(kept)),
    )
    return kept | {passage: last for (passage,) in first}
