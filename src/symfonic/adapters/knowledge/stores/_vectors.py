"""Search by words and meaning together: vectors kept in memory by scope, scanned whole, and the exact best of all.

Rules of this module: the only one of the store that knows NumPy. It reads inside the caller's transaction, and what it
keeps is named by the state of a scope as that transaction sees it, so that a change by any process is noticed.

Exact and deterministic. A product of matrices in float32 may differ in its last bits with a row's place among others,
so it only bounds a cosine (:func:`_margin`); those of candidates are computed again in float64, each from its two
vectors alone. What words bring is bounded by what is left to read. A passage is given up only when its upper bound is
below the lower bounds of as many others as are asked for, so nothing depends on what was given up, or when.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from symfonic.adapters.knowledge.ports import EmbeddingSpace, StoreError

from ._fusion import fused
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
from ._words import Posted, Words

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from ._lexical import Analyzer, Term

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Integers = NDArray[np.int64]

_STORED: Final = np.dtype("<f4")
_BLOCK: Final = 4_096
"""Rows read, or computed exactly, at a time."""

_MOST_COUNTED: Final = 1_000
"""Passages whose words may be counted for one question."""

_WORD_COST: Final = 0.35
"""What it takes to count a word of a text, in microseconds; only the ratio to the next number matters."""

_POSTING_COST: Final = 0.25
"""What it takes to read one place of a word in the index, in microseconds."""

_WORDS_SHARE: Final = 8
"""Postings kept in memory take at most this part of what vectors take."""

_ROOM: Final = 1.5
"""What a scope may take beside its rows, for postings and for growth, as a factor."""

_UNIT: Final = 1e-6
"""How far the length of a vector in float32 may be from 1 to be stored as it is."""


def encode(vectors: Iterable[Iterable[float]], space: EmbeddingSpace, count: int) -> list[bytes]:
    """Unit vectors as they are stored; equal vectors give equal bytes, and what was stored gives itself again.

    Raises:
        StoreError: They are not ``count`` vectors of finite numbers, as many as the space has, or one is all zeros.
    """
    numbers = _matrix(vectors, space.dimensions)
    if len(numbers) != count:
        raise StoreError(
            f"every passage has one vector; {len(numbers)} came for {count} and nothing was done; see to the embedder "
            f"{space.name!a}"
        )
    if not np.isfinite(numbers).all():
        raise _refusal("is finite numbers", "one has infinity or what is no number", space)
    # What is of unit length already, as far as float32 can say, stays: rounding twice would not give the same.
    with np.errstate(over="ignore"):  # what is too large is far from it
        stored = numbers.astype(_STORED)
        kept = (np.abs(np.sqrt(_dots(numbers, numbers)) - 1) <= _UNIT) & (stored == numbers).all(axis=1)
    if not kept.all():
        stored[~kept] = _unit(numbers[~kept], space)
    data = stored.tobytes()
    size = space.dimensions * _STORED.itemsize
    return [data[at : at + size] for at in range(0, len(data), size)]


def _unit(numbers: Floats, space: EmbeddingSpace) -> Floats:
    peaks = np.abs(numbers).max(axis=1, keepdims=True)
    if not peaks.all():
        raise _refusal("points somewhere", "one is all zeros", space)
    scaled = numbers / peaks  # so that no square overflows or vanishes
    unit: Floats = scaled / np.sqrt(_dots(scaled, scaled))[:, None]
    return unit


def _matrix(vectors: Iterable[Iterable[float]], dimensions: int) -> Floats:
    if isinstance(vectors, np.ndarray) and vectors.ndim == 2 and vectors.dtype.kind == "f" and len(vectors):
        vectors = np.asarray(vectors, dtype=np.float64)
        if vectors.shape[1] == dimensions:
            return vectors
    rows: list[Floats] = []
    for vector in vectors:
        try:
            row = np.asarray(vector if hasattr(vector, "__len__") else list(vector), dtype=np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            raise StoreError(
                "a vector is a row of numbers; something else was given and nothing was done; see to the embedder"
            ) from error
        if row.shape != (dimensions,):
            raise StoreError(
                f"a vector has as many numbers as its embedder says; one of shape {row.shape} came where {dimensions} "
                "were announced and nothing was done; see to the embedder"
            )
        rows.append(row)
    return np.stack(rows) if rows else np.empty((0, dimensions))


def _refusal(rule: str, fault: str, space: EmbeddingSpace) -> StoreError:
    return StoreError(
        f"a vector {rule}; {fault} and nothing was done; see to the embedder {space.name!a}, or to "
        "the text it was given"
    )


def _decoded_rows(vectors: Iterable[bytes | None], space: EmbeddingSpace) -> Singles:
    """Stored vectors as :func:`decoded` has them; a row of zeros for ``None``, where there is none."""
    size = space.dimensions * _STORED.itemsize
    nothing = bytes(size)
    found = [nothing if vector is None else vector for vector in vectors]
    try:
        # One by one: of two damaged vectors one may lack what the other has too much.
        whole = set(map(len, found)) <= {size}
    except TypeError:  # a number has no length
        whole = False
    return decoded(b"".join(found) if whole else b"\0", space)


def decoded(data: bytes, space: EmbeddingSpace) -> Singles:
    """Stored vectors as a matrix of one row each.

    Raises:
        StoreError: They are of another size, or not finite: the file is damaged.
    """
    if len(data) % (space.dimensions * _STORED.itemsize) == 0:
        rows = np.frombuffer(data, dtype=_STORED).reshape(-1, space.dimensions)
        if np.isfinite(rows).all():
            return rows
    raise StoreError(
        f"a stored vector is {space.dimensions} finite numbers; one of this store is not, for its file is damaged or "
        "another program changed it; replace the vectors with store.embed(anew=True) or `symfonic-knowledge embed "
        "--anew`"
    )


def _dots(left: Floats, right: Floats) -> Floats:
    """Products row by row, each summed in an order that depends on the number of columns only."""
    products: Floats = np.add.reduce(np.ascontiguousarray(left * right), axis=1)
    return products


def cosines(rows: Singles, question: Singles) -> Floats:
    """Cosines of stored vectors to the question's in float64; each depends on these two vectors only.

    A row of zeros stands for a missing vector; its cosine is 0.
    """
    wide = rows.astype(np.float64)
    asked = question.astype(np.float64)
    lengths = np.sqrt(_dots(wide, wide)) * np.sqrt(_dots(asked[None, :], asked[None, :]))
    found: Floats = np.clip(_dots(wide, asked[None, :]) / np.where(lengths == 0, 1.0, lengths), -1.0, 1.0)
    return found


def _products(rows: Singles, question: Singles) -> Floats:
    """Products in float32, within :func:`_margin` of the cosines.

    One by one: a product of matrix and vector would start a thread for each core, which cost more than they bring.
    """
    products: Floats = np.vecdot(rows, question).astype(np.float64)
    return products


def _margin(dimensions: int) -> float:
    """What a float32 product of two stored vectors can be off their cosine, in whatever order it is summed.

    The error of a sum of ``n`` products is at most ``n u / (1 - n u)`` times the sum of their sizes (Higham, 2002,
    section 3.1), which for vectors of length 1 is at most 1; ``u`` is 2**-24. Their lengths are 1 within ``_UNIT``.
    """
    error = dimensions * 2.0**-24
    return 1.01 * error / (1 - min(error, 0.5)) + 4 * _UNIT


@dataclass(frozen=True, slots=True)
class _Rows:
    """Passages of one scope, by id.

    Attributes:
        ids: Chunk ids, ascending.
        lengths: Their lengths in weighted words.
        vectors: A row each, of zeros where there is none; ``None`` where they do not fit into memory.
        words: What was read of the index for these very passages.
    """

    ids: Integers
    lengths: Floats
    vectors: Singles | None
    words: Words

    def positions(self, ids: Integers) -> Integers:
        """Where each of ``ids`` stands, the number of rows for one that is not here."""
        count = len(self.ids)
        if not count:
            return np.zeros(len(ids), dtype=np.int64)
        first, last = int(self.ids[0]), int(self.ids[-1])
        if last - first + 1 == count:
            return np.where((ids >= first) & (ids <= last), ids - first, count)
        found = np.minimum(np.searchsorted(self.ids, ids), count - 1)
        return np.where(self.ids[found] == ids, found, count)


class _Kept:
    """What is kept of one scope. Rows are only ever added behind those that readers may look at."""

    def __init__(self, dimensions: int) -> None:
        self.lock = threading.Lock()
        self.version = (-1, -1)
        self.counted = 0
        self._used = 0
        self._count = 0
        self._ids: Integers = np.empty(0, dtype=np.int64)
        self._lengths: Floats = np.empty(0)
        self._vectors: Singles = np.empty((0, dimensions), dtype=_STORED)
        self._words = Words(0)

    @property
    def nbytes(self) -> int:
        """Memory it takes, in bytes."""
        return self._ids.nbytes + self._lengths.nbytes + self._vectors.nbytes + self._words.nbytes

    def rows(self, sql: sqlite3.Connection, state: ScopeState, space: EmbeddingSpace) -> _Rows:
        """The scope as ``state`` has it; it is not older than what is kept, or a beginning of it."""
        if self.version[0] != state.embedded:
            self._used = 0
            self._keep(np.zeros(self._count, dtype=np.bool_))
        elif self.version != (state.embedded, state.changes):
            self._keep(np.isin(self._ids[: self._count], _remaining(sql, state, self._used), assume_unique=True))
        self.version = (state.embedded, state.changes)
        if state.used > self._used:
            self._extend(sql, state, space)
        end, words = self._count, self._words
        if state.used < self._used:
            end, words = int(np.searchsorted(self._ids[:end], (state.scope << SCOPE_SHIFT) + state.used)), Words(0)
        return _Rows(self._ids[:end], self._lengths[:end], self._vectors[:end], words)

    def _keep(self, stays: NDArray[np.bool_]) -> None:
        """Leave out the rows of passages that are gone; readers keep the arrays they have."""
        count = self._count
        self._ids, self._lengths = self._ids[:count][stays], self._lengths[:count][stays]
        self._vectors = self._vectors[:count][stays]
        self._count = len(self._ids)
        self._words = Words(self._room_for_words())

    def _room_for_words(self) -> int:
        return self._vectors[: self._count].nbytes // _WORDS_SHARE

    def _extend(self, sql: sqlite3.Connection, state: ScopeState, space: EmbeddingSpace) -> None:
        count = self._count
        self._reserve(state.passages)
        for ids, lengths, vectors in _read(sql, state, self._used, space):
            end = count + len(ids)
            self._reserve(end)
            self._ids[count:end], self._lengths[count:end], self._vectors[count:end] = ids, lengths, vectors
            count = end
        # Last, so that a reading that broke off leaves what was kept before.
        self._count = count
        self._used = state.used
        self._words = Words(self._room_for_words())

    def _reserve(self, rows: int) -> None:
        if rows <= len(self._ids):
            return
        # Exactly what is there at first, and room to grow afterwards. Readers keep the arrays they have.
        rows = rows if not self._count else max(rows, self._count + self._count // 4)
        for name in ("_ids", "_lengths", "_vectors"):
            old = getattr(self, name)
            new = np.empty((rows, *old.shape[1:]), dtype=old.dtype)
            new[: self._count] = old[: self._count]
            setattr(self, name, new)


def _remaining(sql: sqlite3.Connection, state: ScopeState, used: int) -> Integers:
    """Ids of a scope's passages among the first ``used`` it gave away."""
    base = state.scope << SCOPE_SHIFT
    (found,) = sql.execute(
        "SELECT group_concat(id - :base, ',') FROM chunk WHERE id >= :base AND id < :base + :used",
        {"base": base, "used": used},
    ).fetchone()
    return np.fromstring(found or "", dtype=np.int64, sep=",") + base


def _read(
    sql: sqlite3.Connection, state: ScopeState, used: int, space: EmbeddingSpace
) -> Iterator[tuple[Integers, Floats, Singles]]:
    """Passages of a scope from the first id that was not used yet: ids, lengths and vectors, in blocks."""
    found = sql.execute(
        f"""SELECT chunk.id, {CONTEXT_WEIGHT} * context_tokens + text_tokens, {VECTOR}
        FROM chunk LEFT JOIN vector ON vector.id = chunk.id WHERE chunk.id >= ? AND chunk.id < ? ORDER BY chunk.id""",  # noqa: S608 - a constant
        ((state.scope << SCOPE_SHIFT) + used, (state.scope << SCOPE_SHIFT) + state.used),
    )
    while block := found.fetchmany(_BLOCK):
        ids, lengths, vectors = zip(*block, strict=True)
        yield (
            np.array(ids, dtype=np.int64),
            np.array(lengths, dtype=np.float64),
            _decoded_rows(vectors, space),
        )


class VectorIndex:
    """Searches a store by words and vectors. Safe from any thread; readers share what is kept in memory.

    Args:
        space: Whose vectors are searched.
        cache_bytes: Most memory for vectors, in bytes; the least recently asked scopes go first. What does not fit is
            read from the file for every question.
    """

    def __init__(self, space: EmbeddingSpace, cache_bytes: int) -> None:
        self.space = space
        self._cache_bytes = cache_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, _Kept] = OrderedDict()
        self._taken = 0

    def rank(
        self, sql: sqlite3.Connection, analyzer: Analyzer, paths: Collection[str], question: Question
    ) -> dict[int, float]:
        """Scores of the best ``limit`` visible passages by chunk id, and of those that tie with the last of them.

        Of these at most ``MAX_TIES`` come on top of ``limit``, the first in an order that knows nothing of row ids.
        """
        visible = visible_from(sql, paths)
        if not (question.limit and visible.passages):
            return {}
        found = _Search(sql, analyzer, visible, self._seen(sql, visible), question, self.space)
        scores = found.best()
        self._make_room([state.scope for state in visible.states])
        return first_ties(sql, scores, question.limit + MAX_TIES)

    def _seen(self, sql: sqlite3.Connection, visible: Visible) -> list[tuple[ScopeState, _Rows]]:
        return [(state, self._rows(sql, state)) for state in visible.states]

    def _rows(self, sql: sqlite3.Connection, state: ScopeState) -> _Rows:
        if state.passages * (self.space.dimensions * _STORED.itemsize + 16) * _ROOM > self._cache_bytes:
            return _without_vectors(sql, state)
        with self._lock:
            kept = self._kept.setdefault(state.scope, _Kept(self.space.dimensions))
            self._kept.move_to_end(state.scope)
        with kept.lock:
            # A reader whose transaction began before a change that others have seen already reads for itself.
            late = kept.version > (state.embedded, state.changes)
            rows = None if late else kept.rows(sql, state, self.space)
        if rows is None:
            return _Kept(self.space.dimensions).rows(sql, state, self.space)
        return rows

    def _make_room(self, used: Iterable[int]) -> None:
        """Count again what a question has used, and let go of what was not asked for longest."""
        with self._lock:
            for scope in used:
                kept = self._kept.get(scope)
                if kept is not None:
                    self._taken += kept.nbytes - kept.counted
                    kept.counted = kept.nbytes
            while self._taken > self._cache_bytes and self._kept:
                self._taken -= self._kept.popitem(last=False)[1].counted


def _without_vectors(sql: sqlite3.Connection, state: ScopeState) -> _Rows:
    found = sql.execute(
        f"""SELECT id, {CONTEXT_WEIGHT} * context_tokens + text_tokens FROM chunk
        WHERE id >= ? AND id < ? ORDER BY id""",  # noqa: S608 - a constant
        (state.scope << SCOPE_SHIFT, (state.scope << SCOPE_SHIFT) + state.used),
    ).fetchall()
    numbers = np.array(found, dtype=np.int64).reshape(-1, 2)
    return _Rows(numbers[:, 0].copy(), numbers[:, 1].astype(np.float64), None, Words(0))


class _Search:
    """One question among the visible passages; a passage is its position in the order of ids."""

    def __init__(
        self,
        sql: sqlite3.Connection,
        analyzer: Analyzer,
        visible: Visible,
        seen: Sequence[tuple[ScopeState, _Rows]],
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
        self._margin = _margin(space.dimensions)
        self._ids = _joined([rows.ids for _, rows in seen])
        self._lengths = _joined([rows.lengths for _, rows in seen])
        self._cosines = _joined([self._likeness(state, rows) for state, rows in seen])
        self._lexical: Floats = np.zeros(len(self._ids))
        self._nearest: Integers = _highest(self._cosines, question.limit)
        self._usual = float(np.maximum(self._cosines, 0.0).mean())
        self._alive: Integers | None = None  # all of them

    def _likeness(self, state: ScopeState, rows: _Rows) -> Floats:
        if rows.vectors is not None:
            return _products(rows.vectors, self._question)
        blocks = [_products(vectors, self._question) for _, _, vectors in _read(self._sql, state, 0, self._space)]
        return np.concatenate(blocks)

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
        exact: list[Floats] = [
            cosines(self._vectors(alive[at : at + _BLOCK]), self._question) for at in range(0, len(alive), _BLOCK)
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
        return _decoded_rows((vector for (vector,) in found), self._space)


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


def _summed(rows: _Rows, ids: Integers, weights: Floats) -> Posted:
    """Positions of passages in one scope and the sums of their weights."""
    count = len(rows.ids)
    counts: Floats = np.bincount(rows.positions(ids), weights=weights, minlength=count)[:count].astype(np.float64)
    held: Integers = np.flatnonzero(counts > 0).astype(np.int64)
    return held, counts[held]


def _joined(parts: Sequence[Any]) -> Any:
    if not parts:
        return np.empty(0)
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
