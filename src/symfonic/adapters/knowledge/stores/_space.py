"""The embedding space of a store's file: whose vectors it holds, which passages have one, and who may ask.

Rules of this module: it only reads, inside the caller's transaction, except :func:`claim`, which records whose vectors
are about to be stored. Vectors pass through it as bytes.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
from array import array
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import Chunk, EmbeddingSpace, StoreError, embedded_text

from ._schema import SCOPE_SHIFT, stored_row

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Sequence

_HASH_BYTES: Final = 16

_BLOCK: Final = 1_024
"""Vectors looked at together."""

MOST_DIMENSIONS: Final = 65_536
"""Most numbers in a vector. Models have some thousand; a damaged file may say any number, and memory is kept for it."""

VECTOR: Final = "iif(typeof(vector) = 'blob' AND length(vector) = (SELECT 4 * dimensions FROM state), vector, x'')"
"""The column of vectors, nothing in place of what has another length, or is none.

Only damage leaves such there: texts that are no UTF-8, which cannot be read, or a gigabyte, which takes all memory.
"""

_OF_HASH: Final = f"SELECT {VECTOR} FROM vector WHERE hash = ? AND id BETWEEN ? AND ? ORDER BY id"  # noqa: S608 - a constant

UNIT_SQUARE: Final = 4e-6
"""How far the square of a stored vector's length may be from 1: twice what is kept as it came, and its rounding."""


def embedding_hash(text: str) -> bytes:
    """What tells embedded texts apart: 16 bytes of SHA-256."""
    return hashlib.sha256(text.encode()).digest()[:_HASH_BYTES]


def stored_space(sql: sqlite3.Connection) -> EmbeddingSpace | None:
    """Whose vectors the store holds; ``None`` where it holds none.

    Raises:
        StoreError: It holds some and does not say whose, so the file is damaged.
    """
    if sql.execute("SELECT 1 FROM vector LIMIT 1").fetchone() is None:
        return None
    claimed = _claimed(sql)
    if claimed is not None:
        return claimed
    raise StoreError(
        "a store says whose vectors it holds; this one does not, so they were not read, for its file is damaged or "
        "another program changed it; replace them with store.embed(anew=True) or `symfonic-knowledge embed --anew`"
    )


def _claimed(sql: sqlite3.Connection) -> EmbeddingSpace | None:
    row = sql.execute("SELECT embedding, dimensions FROM state").fetchone()
    name, dimensions = row if row is not None else (None, None)
    if type(name) is str and type(dimensions) is int and name and 0 < dimensions <= MOST_DIMENSIONS:
        return EmbeddingSpace(name=name, dimensions=dimensions)
    return None


def _binding(sql: sqlite3.Connection) -> EmbeddingSpace | None:
    """Whose vectors the store holds, or is to hold: who drops all of them claims the passages before they have others.

    A process that has the former embedder would take the store back otherwise, before the first of them is stored.
    """
    stored = stored_space(sql)
    if stored is None and sql.execute("SELECT 1 FROM passage LIMIT 1").fetchone() is not None:
        return _claimed(sql)
    return stored


def require_name(sql: sqlite3.Connection, name: str) -> EmbeddingSpace | None:
    """Whose vectors the store holds or is to hold, refusing an embedder of another name.

    Raises:
        StoreError: They are another model's.
    """
    stored = _binding(sql)
    if stored is not None and stored.name != name:
        raise _refusal(sql, stored, f"{name!a}")
    return stored


def require(sql: sqlite3.Connection, space: EmbeddingSpace) -> None:
    """Refuse an embedder whose vectors cannot be compared with those that are stored.

    Raises:
        StoreError: They are another model's, or of another size.
    """
    stored = require_name(sql, space.name)
    if stored is not None and stored != space:
        raise _refusal(sql, stored, f"{space.name!a} with {space.dimensions}")


def _refusal(sql: sqlite3.Connection, stored: EmbeddingSpace, other: str) -> StoreError:
    holds = "awaits" if stored_space(sql) is None else "holds"
    return StoreError(
        f"vectors are compared within one model; this store {holds} vectors of {stored.name!a} with "
        f"{stored.dimensions} dimensions, and was opened with {other}; nothing was done; open it with the former, or "
        "replace its vectors with store.embed(anew=True) or `symfonic-knowledge embed --anew --embedder NAME`"
    )


def claim(sql: sqlite3.Connection, space: EmbeddingSpace) -> None:
    """Make sure that vectors of ``space`` may be stored, and say that they are its.

    Raises:
        StoreError: The store holds another model's.
    """
    require(sql, space)
    sql.execute(
        "UPDATE state SET embedding = ?, dimensions = ? WHERE (embedding, dimensions) <> (?, ?)",
        (space.name, space.dimensions) * 2,
    )


def require_none(sql: sqlite3.Connection) -> None:
    """Refuse to add passages without vectors to a store that holds vectors.

    Raises:
        StoreError: It does.
    """
    stored = stored_space(sql)
    if stored is not None:
        raise StoreError(
            f"a passage joins a store with the vector its search needs; this one holds vectors of {stored.name!a} and "
            "was opened without an embedder, so nothing was stored; open it with that embedder"
        )


def known_at(sql: sqlite3.Connection, hashes: Iterable[bytes], scope_path: str) -> dict[bytes, bytes]:
    """As :func:`known`, for the scope at a path; nothing where nothing is stored there."""
    row = sql.execute("SELECT id FROM scope WHERE path = ?", (scope_path,)).fetchone()
    return {} if row is None else known(sql, hashes, *stored_row(row, (int,)))


def known(sql: sqlite3.Connection, hashes: Iterable[bytes], scope: int) -> dict[bytes, bytes]:
    """Vectors stored in one scope by the hash of what was embedded, for those hashes that have a sound one there.

    Another scope lends nothing, not even an ancestor: its vectors may be whatever its tenant gave. A damaged one is
    made again where its text is stored again, and never copied.
    """
    found: dict[bytes, bytes] = {}
    space = stored_space(sql)
    if space is None:
        return found
    ids = (scope << SCOPE_SHIFT, ((scope + 1) << SCOPE_SHIFT) - 1)
    for key in dict.fromkeys(hashes):
        for (vector,) in sql.execute(_OF_HASH, (key, *ids)):
            if is_sound(vector, space.dimensions):
                found[key] = vector
                break
    return found


def is_sound(vector: object, dimensions: int) -> bool:
    """Whether a stored value is a vector: so many numbers, of length 1 together."""
    if type(vector) is not bytes or len(vector) != 4 * dimensions:
        return False
    return abs(math.hypot(*floats(vector)) ** 2 - 1) <= UNIT_SQUARE


def floats(data: bytes) -> array[float]:
    """A stored vector as numbers."""
    numbers = array("f", data)
    if sys.byteorder == "big":  # pragma: no cover - depends on the machine
        numbers.byteswap()
    return numbers


def without_vector(
    sql: sqlite3.Connection, missing: Callable[[Sequence[object], EmbeddingSpace], Sequence[int]]
) -> list[int]:
    """Ids of the passages that have no sound vector, ascending.

    Args:
        sql: A connection in a transaction.
        missing: The places of those among stored values that are no vector.
    """
    space = stored_space(sql)
    if space is None:
        return [chunk for (chunk,) in sql.execute("SELECT id FROM passage ORDER BY id")]
    rows = sql.execute(
        f"SELECT passage.id, {VECTOR} FROM passage LEFT JOIN vector USING (id) ORDER BY passage.id"  # noqa: S608 - a constant
    )
    found: list[int] = []
    while block := rows.fetchmany(_BLOCK):
        found += (block[at][0] for at in missing([vector for _, vector in block], space))
    return found


def embedded_texts(sql: sqlite3.Connection, chunks: Sequence[int]) -> list[tuple[int, str]]:
    """What is embedded of these passages, by id; those that are gone are passed over."""
    rows = sql.execute(
        "SELECT passage.id, heading, text FROM json_each(?) JOIN passage ON passage.id = value ORDER BY passage.id",
        (json.dumps(list(chunks)),),
    )
    return [
        (chunk, embedded_text(Chunk(text=text, label="", ordinal=0, heading=heading)))
        for chunk, heading, text in (stored_row(row, (int, str, str)) for row in rows)
    ]


def with_vector(sql: sqlite3.Connection) -> Iterator[tuple[str, object, object]]:
    """Every passage that has a vector: embedded text, hash and vector, as they are stored."""
    for heading, text, key, vector in sql.execute(
        f"SELECT heading, text, hash, {VECTOR} FROM vector JOIN passage ON passage.id = vector.id"  # noqa: S608 - a constant
    ):
        yield embedded_text(Chunk(text=text, label="", ordinal=0, heading=heading)), key, vector


def count(sql: sqlite3.Connection) -> int:
    """How many passages have a vector."""
    return int(sql.execute("SELECT count(*) FROM vector").fetchone()[0])
