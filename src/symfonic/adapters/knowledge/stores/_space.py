"""The embedding space of a store's file: whose vectors it holds, which passages have one, and who may ask.

Rules of this module: it only reads, inside the caller's transaction, except :func:`claim`, which records whose vectors
are about to be stored. Vectors pass through it as bytes.
"""

from __future__ import annotations

import hashlib
import math
import sys
from array import array
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import Chunk, EmbeddingSpace, StoreError, embedded_text

from ._schema import stored_row

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

_HASH_BYTES: Final = 16

VECTOR: Final = "iif(typeof(vector) = 'text', x'', vector)"
"""The column of vectors. Text in it, which only damage leaves there, may be no UTF-8, and reading it would fail."""


def embedding_hash(text: str) -> bytes:
    """What tells embedded texts apart: 16 bytes of SHA-256."""
    return hashlib.sha256(text.encode()).digest()[:_HASH_BYTES]


def stored_space(sql: sqlite3.Connection) -> EmbeddingSpace | None:
    """Whose vectors the store holds; ``None`` where it holds none."""
    if sql.execute("SELECT 1 FROM vector LIMIT 1").fetchone() is None:
        return None
    name, dimensions = sql.execute("SELECT embedding, dimensions FROM state").fetchone()
    return EmbeddingSpace(name=name, dimensions=dimensions)


def require(sql: sqlite3.Connection, space: EmbeddingSpace) -> None:
    """Refuse an embedder whose vectors cannot be compared with those that are stored.

    Raises:
        StoreError: They are another model's, or of another size.
    """
    stored = stored_space(sql)
    if stored is not None and stored != space:
        raise StoreError(
            "vectors are compared within one model; this store holds vectors of "
            f"{stored.name!a} with {stored.dimensions} dimensions, and was opened with {space.name!a} with "
            f"{space.dimensions}; nothing was done; open it with the former, or replace its vectors with "
            "store.embed(anew=True) or `symfonic-knowledge embed --anew`"
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


def known(sql: sqlite3.Connection, hashes: Sequence[bytes]) -> dict[bytes, bytes]:
    """Stored vectors by the hash of what was embedded, for those hashes that have a sound one.

    A damaged one is made again where its text is stored again, and never copied.
    """
    found: dict[bytes, bytes] = {}
    space = stored_space(sql)
    if space is None:
        return found
    for key in dict.fromkeys(hashes):
        row = sql.execute(f"SELECT {VECTOR} FROM vector WHERE hash = ? ORDER BY id LIMIT 1", (key,)).fetchone()  # noqa: S608 - a constant
        if row is not None and is_sound(row[0], space.dimensions):
            found[key] = row[0]
    return found


def is_sound(vector: object, dimensions: int) -> bool:
    """Whether a stored value is a vector: so many finite numbers."""
    if type(vector) is not bytes or len(vector) != 4 * dimensions:
        return False
    # A sum of float32 numbers in float64 does not overflow; infinity and what is no number stay in it.
    return math.isfinite(sum(floats(vector)))


def floats(data: bytes) -> array[float]:
    """A stored vector as numbers."""
    numbers = array("f", data)
    if sys.byteorder == "big":  # pragma: no cover - depends on the machine
        numbers.byteswap()
    return numbers


def without_vector(sql: sqlite3.Connection, after: int, most: int) -> list[tuple[int, str]]:
    """The next passages that have no vector: chunk id and embedded text, by id, after that id."""
    rows = sql.execute(
        """SELECT passage.id, heading, text FROM passage LEFT JOIN vector ON vector.id = passage.id
        WHERE vector.id IS NULL AND passage.id > ? ORDER BY passage.id LIMIT ?""",
        (after, most),
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


def count_without_vector(sql: sqlite3.Connection) -> int:
    """How many passages have no vector."""
    (chunks,) = sql.execute("SELECT total(chunks) FROM scope").fetchone()
    return int(chunks) - count(sql)


def count(sql: sqlite3.Connection) -> int:
    """How many passages have a vector."""
    return int(sql.execute("SELECT count(*) FROM vector").fetchone()[0])
