"""What an embedder does for a store in Qdrant: where its vectors are looked up, and where they are kept.

Rules of this module: the embedder is asked by :class:`._embedding.Embedding`, never while a change is on its way. Here
stands what that class needs of the collections. Another scope lends no vector, not even an ancestor.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.ports import EmbeddingSpace, StoreError, embedded_text

from ._embedding import Embedding
from ._qdrant_values import Point, Where, chunk_of
from ._space import embedding_hash, floats, is_sound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from symfonic.adapters.knowledge.ports import Embedder

    from ._qdrant_records import Records, Space
    from ._qdrant_writing import Writer

MOST_DIMENSIONS: Final = 65_535
"""Most numbers in a vector of Qdrant's."""

_HASHES: Final = 512
"""Hashes asked for at once."""


def stored_bytes(numbers: Sequence[float] | None) -> bytes:
    """A vector as the other stores keep it; empty where there is none."""
    if numbers is None:
        return b""
    data = array("f", numbers).tobytes()
    return floats(data).tobytes()


def binding(records: Records) -> Space | None:
    """Whose vectors the store holds, or awaits; ``None`` where it holds no document, whoever was named before."""
    space = records.space()
    return None if space is None or records.is_empty() else space


def require_name(records: Records, name: str) -> Space | None:
    """Whose vectors the store holds or awaits, refusing an embedder of another name.

    Raises:
        StoreError: They are another model's.
    """
    stored = binding(records)
    if stored is not None and stored.embedding.name != name:
        raise _refusal(stored.embedding, f"{name!a}")
    return stored


def require(records: Records, space: EmbeddingSpace) -> Space | None:
    """Refuse an embedder whose vectors cannot be compared with those that are stored; return where these are.

    Raises:
        StoreError: They are another model's, or of another size.
    """
    stored = require_name(records, space.name)
    if stored is not None and stored.embedding != space:
        raise _refusal(stored.embedding, f"{space.name!a} with {space.dimensions}")
    return stored


def _refusal(stored: EmbeddingSpace, other: str) -> StoreError:
    return StoreError(
        f"vectors are compared within one model; this store holds or awaits vectors of {stored.name!a} with "
        f"{stored.dimensions} dimensions, and was opened with {other}; nothing was done; open it with the former, or "
        "replace its vectors with store.embed(anew=True) or `symfonic-knowledge embed --anew --embedder NAME`"
    )


def require_none(records: Records) -> None:
    """Refuse to add passages without vectors to a store that holds vectors.

    Raises:
        StoreError: It does.
    """
    stored = binding(records)
    if stored is not None and records.vectors(stored, ()):
        raise StoreError(
            f"a passage joins a store with the vector its search needs; this one holds vectors of "
            f"{stored.embedding.name!a} and was opened without an embedder, so nothing was stored; open it with that "
            "embedder"
        )


def known_at(records: Records, hashes: Sequence[bytes], scope_path: str) -> dict[bytes, bytes]:
    """Vectors stored exactly at a scope path by the hash of what was embedded, sound ones of stored documents."""
    space = records.space()
    if space is None or not hashes:
        return {}
    hits: list[Point] = []
    keys = list(dict.fromkeys(key.hex() for key in hashes))
    for start in range(0, len(keys), _HASHES):
        where = Where(has={"scope": [scope_path], "hash": keys[start : start + _HASHES]})
        hits += records.link.scroll(space.collection, where, vectors=True)
    stored = records.of(point.payload["document"] for point in hits)
    found: dict[bytes, bytes] = {}
    for point in sorted(hits, key=lambda each: each.id):
        record, vector = stored.get(point.payload["document"]), stored_bytes(point.dense)
        is_current = record is not None and record.generation == point.payload["generation"]
        if is_current and is_sound(vector, space.embedding.dimensions):
            found.setdefault(bytes.fromhex(point.payload["hash"]), vector)
    return found


class QdrantEmbedding(Embedding[Any, str]):
    """A store's embedder, with its vectors in Qdrant.

    Raises:
        StoreError: The embedder has no name, or NumPy is not installed.
    """

    def __init__(self, embedder: Embedder, writer: Writer) -> None:
        super().__init__(embedder)
        self._writer = writer

    def space(self, connections: Any) -> EmbeddingSpace:
        """Whose vectors are stored and searched: as the store has it recorded, or else as the embedder says.

        Raises:
            StoreError: The store holds another embedder's vectors, or Qdrant cannot hold this one's.
            EmbeddingError: The embedder was asked, and failed.
        """
        stored = require_name(connections, self._name)
        return self._announced() if stored is None else stored.embedding

    def _announced(self) -> EmbeddingSpace:
        space = super()._announced()
        if space.dimensions > MOST_DIMENSIONS:
            raise StoreError(
                f"Qdrant holds vectors of at most {MOST_DIMENSIONS} dimensions; {space.name!a} has "
                f"{space.dimensions} and nothing was done; use another embedder, or another store"
            )
        return space

    def require(self, sql: Any) -> None:
        """Refuse a store that holds another embedder's vectors.

        Raises:
            StoreError: It does.
        """
        require_name(sql, self._name)

    def _known(self, connections: Any, hashes: Sequence[bytes], scope_path: str) -> dict[bytes, bytes]:
        return known_at(connections, hashes, scope_path)

    def _renew(self, connections: Any, space: EmbeddingSpace) -> None:
        with connections.link.writing:
            self._writer.renew(space)

    def _wanted(self, connections: Any) -> Any:
        records: Records = connections
        space = records.space()
        sound: set[str] = set()
        if space is not None:
            for page in records.link.pages(space.collection, Where(), (), vectors=True):
                lost = set(self._missing([stored_bytes(point.dense) for point in page], space.embedding))
                sound.update(point.id for at, point in enumerate(page) if at not in lost)
        current = {record.generation for record in records.listed(None)}
        keys = ["generation"]
        return sorted(
            point.id
            for page in records.link.pages(records.passages, Where(), keys)
            for point in page
            if point.payload["generation"] in current and point.id not in sound
        )

    def _batch(self, connections: Any, chunks: Any) -> Any:
        records: Records = connections
        points = {point.id: point for point in records.link.retrieve(records.passages, list(chunks))}
        texts = [(name, embedded_text(chunk_of(points[name].payload))) for name in chunks if name in points]
        batch = [(name, embedding_hash(text), text) for name, text in texts]
        found: dict[str, bytes] = {}
        for path in sorted({point.payload["scope"] for point in points.values()}):
            keys = {name: key for name, key, _ in batch if points[name].payload["scope"] == path}
            known = known_at(records, list(keys.values()), path)
            found |= {name: known[key] for name, key in keys.items() if key in known}
        return batch, found

    def _keep(self, connections: Any, space: EmbeddingSpace, rows: Any) -> None:
        records: Records = connections
        with records.link.writing:
            require(records, space)
            stored = self._writer.claim(space)
            said = {
                point.id: {key: point.payload[key] for key in ("scope", "document", "generation")}
                for point in records.link.retrieve(records.passages, [name for name, _, _ in rows])
            }
            self._writer.put_late(
                stored,
                [
                    Point(id=name, payload={"hash": key.hex(), **said[name]}, dense=floats(vector))
                    for name, key, vector in rows
                    if name in said
                ],
            )
