"""What is kept in memory of a store's scopes: ids, lengths and vectors of their passages, and words read of the index.

Rules of this module: it reads inside the caller's transaction, and what it keeps is named by the state of a scope as
that transaction sees it, so that a change by any process is noticed. What is kept of all scopes together stays within
one bound, room being made before anything is read; what a question needs beyond it is read from the file. A scope is
kept where its rows fit; room for words and for growth it takes where there is some. Scopes that are no longer there
leave at the next question, and when this process forgets.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ._encoding import STORED, stored_rows
from ._lexical import CONTEXT_WEIGHT
from ._ranking import ScopeState
from ._schema import GENERATION, SCOPE_SHIFT
from ._space import VECTOR
from ._words import Words

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from symfonic.adapters.knowledge.ports import EmbeddingSpace

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Singles = NDArray[np.float32]

BLOCK: Final = 4_096
"""Rows read, or computed exactly, at a time, where they are not long."""

_BLOCK_BYTES: Final = 2**26
"""Memory for the vectors of such rows, in bytes."""

_WORDS_SHARE: Final = 8
"""Postings kept in memory take at most this part of what vectors take, and counts of words this part of those."""

_COUNTS_BYTES: Final = 65_536
"""Memory for counts of words that small scopes may use as well, in bytes."""

_ROOM: Final = 0.5
"""What a scope may take beside its rows, for words and growth, as a part of them, where there is so much."""

_RECENT: Final = 256
"""How many questions ago a scope was asked for the last time that leaves for the words of another one."""

_GROWTH: Final = 6 / 7
"""The part of a scope's memory in which rows may grow; the rest is for words, and what rows leave."""


@dataclass(frozen=True, slots=True)
class Rows:
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


class Kept:
    """What is kept of one scope. Rows are only ever added behind those that readers may look at."""

    def __init__(self, dimensions: int) -> None:
        self.lock = threading.Lock()
        self.version = (-1, -1)
        self.counted = 0
        self.asked = 0
        self._used = 0
        self._count = 0
        self._ids: Integers = np.empty(0, dtype=np.int64)
        self._lengths: Floats = np.empty(0)
        self._vectors: Singles = np.empty((0, dimensions), dtype=STORED)
        self._words = Words(0, 0)

    @property
    def nbytes(self) -> int:
        """Memory it takes, in bytes."""
        return self._rows_bytes + self._words.nbytes

    @property
    def _rows_bytes(self) -> int:
        return self._ids.nbytes + self._lengths.nbytes + self._vectors.nbytes

    def shrink(self, most_bytes: int) -> None:
        """Give up room for growth, and words, that do not fit into ``most_bytes``."""
        if self._rows_bytes > most_bytes * _GROWTH and len(self._ids) > self._count:
            self._resize(self._count)
        left = max(0, most_bytes - self._rows_bytes)
        vectors = self._vectors[: self._count].nbytes
        counts = min(max(vectors // _WORDS_SHARE**2, _COUNTS_BYTES), left // 2)
        self._words.bound(min(vectors // _WORDS_SHARE, left - counts), counts)

    def rows(self, sql: sqlite3.Connection, state: ScopeState, space: EmbeddingSpace, most_bytes: int) -> Rows:
        """The scope as ``state`` has it; it is not older than what is kept, or a beginning of it.

        ``most_bytes``, where it will be kept, is at least what its rows take.
        """
        if self.version[0] != state.embedded:
            self._used = 0
            self._keep(np.zeros(self._count, dtype=np.bool_))
        elif self.version != (state.embedded, state.changes):
            self._keep(np.isin(self._ids[: self._count], _remaining(sql, state, self._used), assume_unique=True))
        self.version = (state.embedded, state.changes)
        if state.used > self._used:
            self._extend(sql, state, space, most_bytes)
        self.shrink(most_bytes)
        end, words = self._count, self._words
        if state.used < self._used:
            end, words = int(np.searchsorted(self._ids[:end], (state.scope << SCOPE_SHIFT) + state.used)), Words(0, 0)
        return Rows(self._ids[:end], self._lengths[:end], self._vectors[:end], words)

    def _keep(self, stays: NDArray[np.bool_]) -> None:
        """Leave out the rows of passages that are gone; readers keep the arrays they have."""
        count = self._count
        self._ids, self._lengths = self._ids[:count][stays], self._lengths[:count][stays]
        self._vectors = self._vectors[:count][stays]
        self._count = len(self._ids)
        self._words = Words(0, 0)

    def _extend(self, sql: sqlite3.Connection, state: ScopeState, space: EmbeddingSpace, most_bytes: int) -> None:
        count = self._count
        self._words = Words(0, 0)
        self._reserve(state.passages, most_bytes)
        for ids, lengths, vectors in read_rows(sql, state, self._used, space):
            end = count + len(ids)
            self._reserve(end, most_bytes)
            self._ids[count:end], self._lengths[count:end], self._vectors[count:end] = ids, lengths, vectors
            count = end
        # Last, so that a reading that broke off leaves what was kept before.
        self._count = count
        self._used = state.used

    def _reserve(self, rows: int, most_bytes: int) -> None:
        if rows <= len(self._ids):
            return
        # Exactly what is there at first, and room to grow afterwards, as far as there is some.
        fitting = int(most_bytes * _GROWTH) // row_bytes(self._vectors.shape[1])
        self._resize(rows if not self._count else max(rows, min(self._count + self._count // 4, fitting)))

    def _resize(self, rows: int) -> None:
        """Arrays of another length; readers keep those they have."""
        for name in ("_ids", "_lengths", "_vectors"):
            old = getattr(self, name)
            new = np.empty((rows, *old.shape[1:]), dtype=old.dtype)
            new[: self._count] = old[: self._count]
            setattr(self, name, new)


def row_bytes(dimensions: int) -> int:
    """Memory a passage takes: its vector, its id and its length, in bytes."""
    return dimensions * STORED.itemsize + 16


def _remaining(sql: sqlite3.Connection, state: ScopeState, used: int) -> Integers:
    """Ids of a scope's passages among the first ``used`` it gave away."""
    base = state.scope << SCOPE_SHIFT
    (found,) = sql.execute(
        "SELECT group_concat(id - :base, ',') FROM chunk WHERE id >= :base AND id < :base + :used",
        {"base": base, "used": used},
    ).fetchone()
    return np.fromstring(found or "", dtype=np.int64, sep=",") + base


def block_of(space: EmbeddingSpace) -> int:
    """How many rows are read, or computed exactly, at a time."""
    return max(1, min(BLOCK, _BLOCK_BYTES // (space.dimensions * STORED.itemsize)))


def read_rows(
    sql: sqlite3.Connection, state: ScopeState, used: int, space: EmbeddingSpace
) -> Iterator[tuple[Integers, Floats, Singles]]:
    """Passages of a scope from the first id that was not used yet: ids, lengths and vectors, in blocks."""
    found = sql.execute(
        f"""SELECT chunk.id, {CONTEXT_WEIGHT} * context_tokens + text_tokens, {VECTOR}
        FROM chunk LEFT JOIN vector ON vector.id = chunk.id WHERE chunk.id >= ? AND chunk.id < ? ORDER BY chunk.id""",  # noqa: S608 - a constant
        ((state.scope << SCOPE_SHIFT) + used, (state.scope << SCOPE_SHIFT) + state.used),
    )
    while block := found.fetchmany(block_of(space)):
        ids, lengths, vectors = zip(*block, strict=True)
        yield np.array(ids, dtype=np.int64), np.array(lengths, dtype=np.float64), stored_rows(vectors, space)


class Cache:
    """Scopes in memory, for readers of any thread.

    Args:
        space: Whose vectors are kept.
        most_bytes: Most memory, in bytes; the least recently asked scopes go first.
    """

    def __init__(self, space: EmbeddingSpace, most_bytes: int) -> None:
        self._space = space
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, Kept] = OrderedDict()
        self._taken = 0
        self._asked = 0
        self._checked = -1

    def seen(self, sql: sqlite3.Connection, states: Sequence[ScopeState]) -> list[tuple[ScopeState, Rows]]:
        """The rows of every scope; those that together fit into memory are kept there."""
        self.let_go(sql)
        needed: dict[int, int] = {}
        left = self._most_bytes
        for state in states:
            if (size := self._needed(state)) <= left:
                needed[state.scope] = size
                left -= size
        shares = self._shares(needed, [state.scope for state in states])
        return [
            (
                state,
                self.rows(sql, state, shares[state.scope]) if state.scope in shares else without_vectors(sql, state),
            )
            for state in states
        ]

    def _needed(self, state: ScopeState) -> int:
        return state.passages * row_bytes(self._space.dimensions)

    def _shares(self, needed: Mapping[int, int], asked: Sequence[int]) -> dict[int, int]:
        """Memory for each scope that is kept, at least what it needs; none of it is taken by another one then."""
        total = sum(needed.values())
        extra = min(int(total * _ROOM) + 2 * _COUNTS_BYTES * len(needed), self._most_bytes - total)
        room = self._make_room(needed, asked, total, extra)
        shares = {scope: room * size // total if total else 0 for scope, size in needed.items()}
        with self._lock:
            there = [(self._kept_of(scope, needed[scope]), share) for scope, share in shares.items()]
        for kept, share in there:
            with kept.lock:
                kept.shrink(share)
        return shares

    def _kept_of(self, scope: int, needed: int) -> Kept:
        """What is kept of a scope, with what it needs counted as taken from now on."""
        kept = self._kept.setdefault(scope, Kept(self._space.dimensions))
        self._kept.move_to_end(scope)
        kept.asked = self._asked
        self._taken += max(0, needed - kept.counted)
        kept.counted = max(needed, kept.counted)
        return kept

    def _make_room(self, needed: Collection[int], asked: Collection[int], total: int, extra: int) -> int:
        """Let go of what does not fit, and of what was not asked for longest; return what is left for those needed.

        For rows others give up their words and growth first, then all of them. For words and growth only others leave
        that nobody has asked for a while: two scopes asked in turn must not push each other out.
        """
        with self._lock:
            self._asked += 1
            for scope in self._kept.keys() & set(asked).difference(needed):
                self._drop(scope)
            beside = self._taken - sum(self._kept[scope].counted for scope in needed if scope in self._kept)
            if beside + total + extra <= self._most_bytes:
                return self._most_bytes - beside
            others = [(scope, kept) for scope, kept in self._kept.items() if scope not in needed]
            for _, kept in others:
                if (missing := beside + total - self._most_bytes) <= 0:
                    break
                beside -= self._tighten(kept, missing)
            for scope, kept in others:
                missing = beside + total - self._most_bytes
                if missing + extra <= 0:
                    break
                if missing > 0 or kept.asked < self._asked - _RECENT:
                    beside -= self._drop(scope)
            return self._most_bytes - beside

    def _tighten(self, kept: Kept, missing: int) -> int:
        """Take so much from what a scope has beside its rows, as far as there is some; return how much that was."""
        if not kept.lock.acquire(blocking=False):
            return 0  # somebody is reading it into memory
        try:
            kept.shrink(kept.nbytes - missing)
        finally:
            kept.lock.release()
        before = kept.counted
        self._recount(kept)
        return before - kept.counted

    def _recount(self, kept: Kept) -> None:
        size = kept.nbytes
        self._taken += size - kept.counted
        kept.counted = size

    def _drop(self, scope: int) -> int:
        counted = self._kept.pop(scope).counted
        self._taken -= counted
        return counted

    def rows(self, sql: sqlite3.Connection, state: ScopeState, most_bytes: int) -> Rows:
        """The scope as ``state`` has it, and in memory afterwards, where it may take ``most_bytes``."""
        with self._lock:
            kept = self._kept_of(state.scope, self._needed(state))
        with kept.lock:
            if kept.version <= (state.embedded, state.changes):
                return kept.rows(sql, state, self._space, most_bytes)
        # A reader whose transaction began before a change that others have seen already reads for itself.
        return without_vectors(sql, state)

    def count(self, scopes: Sequence[int]) -> None:
        """Count again what a question has used, and let go of what was not asked for longest."""
        with self._lock:
            for scope in scopes:
                kept = self._kept.get(scope)
                if kept is not None:
                    self._recount(kept)
            while self._taken > self._most_bytes and self._kept:
                self._drop(next(iter(self._kept)))

    def let_go(self, sql: sqlite3.Connection) -> None:
        """Let go of scopes that are no longer there; it looks where something has changed since it looked last."""
        (revision,) = sql.execute(f"SELECT revision + {GENERATION} FROM state").fetchone()  # noqa: S608 - a constant
        with self._lock:
            if revision != self._checked:
                self._checked = revision
                there = {state.scope for state in _states(sql, self._kept)}
                for scope in self._kept.keys() - there:
                    self._drop(scope)

    def forget(self, sql: sqlite3.Connection) -> None:
        """Let go of passages that are no longer there, in whatever scope."""
        self.let_go(sql)
        with self._lock:
            changed = [
                state
                for state in _states(sql, self._kept)
                if self._kept[state.scope].version != (state.embedded, state.changes)
            ]
            beside = {state.scope: self._taken - self._kept[state.scope].counted for state in changed}
        for state in changed:
            left = self._most_bytes - beside[state.scope]
            if self._needed(state) <= left:
                self.rows(sql, state, left)
            else:
                with self._lock:
                    self._drop(state.scope)
        self.count([state.scope for state in changed])


def _states(sql: sqlite3.Connection, scopes: Iterable[int]) -> list[ScopeState]:
    rows = sql.execute(
        f"SELECT id, embedded + {GENERATION}, changes, used, chunks FROM scope "  # noqa: S608 - a constant
        "WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(scopes)),),
    )
    return [ScopeState(*row) for row in rows]


def without_vectors(sql: sqlite3.Connection, state: ScopeState) -> Rows:
    found = sql.execute(
        f"""SELECT id, {CONTEXT_WEIGHT} * context_tokens + text_tokens FROM chunk
        WHERE id >= ? AND id < ? ORDER BY id""",  # noqa: S608 - a constant
        (state.scope << SCOPE_SHIFT, (state.scope << SCOPE_SHIFT) + state.used),
    ).fetchall()
    numbers = np.array(found, dtype=np.int64).reshape(-1, 2)
    return Rows(numbers[:, 0].copy(), numbers[:, 1].astype(np.float64), None, Words(0, 0))
