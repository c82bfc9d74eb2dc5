"""What an embedder does for the embedded store: where its vectors are looked up, searched, and kept.

Rules of this module: the embedder is asked by :class:`._embedding.Embedding`, never inside a transaction. Here stands
what that class needs of the file, and the index that searches its vectors, which is imported with NumPy when a store
has an embedder.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from . import _space, _writing
from ._connections import Connections
from ._embedding import Embedding
from ._schema import SCOPE_SHIFT

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Sequence

    from symfonic.adapters.knowledge.ports import Embedder, EmbeddingSpace

    from ._lexical import Analyzer
    from ._ranking import Question
    from ._vectors import VectorIndex


class SqliteEmbedding(Embedding[Connections, int]):
    """A store's embedder, and the index that searches its vectors.

    Raises:
        StoreError: The embedder has no name, or NumPy is not installed.
    """

    def __init__(self, embedder: Embedder, cache_bytes: int) -> None:
        super().__init__(embedder)
        from ._vectors import VectorIndex

        self._make_index = VectorIndex
        self._cache_bytes = cache_bytes
        self._lock = threading.Lock()
        self._index: VectorIndex | None = None

    def space(self, connections: Connections) -> EmbeddingSpace:
        """Whose vectors are stored and searched: as the store has it recorded, or else as the embedder says.

        Raises:
            StoreError: The store holds another embedder's vectors, or the embedder has no dimensions.
            EmbeddingError: The embedder was asked, and failed.
        """
        with connections.reading() as sql:
            stored = _space.require_name(sql, self._name)
        return self._announced() if stored is None else stored

    def require(self, sql: sqlite3.Connection) -> None:
        """Refuse a store that holds another embedder's vectors.

        Raises:
            StoreError: It does.
        """
        _space.require_name(sql, self._name)

    def rank(
        self,
        sql: sqlite3.Connection,
        analyzer: Analyzer,
        paths: Collection[str],
        question: Question,
        space: EmbeddingSpace,
    ) -> dict[int, float]:
        """Scores of the best visible passages by chunk id.

        Raises:
            StoreError: The store holds another embedder's vectors.
        """
        _space.require(sql, space)
        return self._index_of(space).rank(sql, analyzer, paths, question)

    def _index_of(self, space: EmbeddingSpace) -> VectorIndex:
        with self._lock:
            if self._index is None or self._index.space != space:
                self._index = self._make_index(space, self._cache_bytes)
            return self._index

    def let_go(self, connections: Connections) -> None:
        """Let what was forgotten leave memory."""
        index = self._index
        if index is not None:
            with connections.reading() as sql:
                index.cache.forget(sql)

    def _known(self, connections: Connections, hashes: Sequence[bytes], scope_path: str) -> dict[bytes, bytes]:
        """Vectors stored exactly at a scope path, by the hash of their text."""
        with connections.reading() as sql:
            return _space.known_at(sql, hashes, scope_path)

    def _renew(self, connections: Connections, space: EmbeddingSpace) -> None:
        """Drop all vectors, and say whose are to come."""
        with connections.writing() as sql:
            _writing.drop_vectors(sql)
            _space.claim(sql, space)

    def _wanted(self, connections: Connections) -> list[int]:
        """Ids of the passages that have no sound vector, ascending."""
        with connections.reading() as sql:
            return _space.without_vector(sql, self._missing)

    def _batch(
        self, connections: Connections, chunks: Sequence[int]
    ) -> tuple[list[tuple[int, bytes, str]], dict[int, bytes]]:
        """Id, hash and text of passages, and the vectors their own scope has for the same text."""
        with connections.reading() as sql:
            batch = [(chunk, _space.embedding_hash(text), text) for chunk, text in _space.embedded_texts(sql, chunks)]
            return batch, _known_beside(sql, [(chunk, key) for chunk, key, _ in batch])

    def _keep(self, connections: Connections, space: EmbeddingSpace, rows: Sequence[tuple[int, bytes, bytes]]) -> None:
        """Store vectors of passages that had none: id, hash and vector of each."""
        with connections.writing() as sql:
            _space.claim(sql, space)
            _writing.put_late_vectors(sql, rows, space.dimensions)


def _known_beside(sql: sqlite3.Connection, passages: Sequence[tuple[int, bytes]]) -> dict[int, bytes]:
    """Vectors by passage, for passages whose hash has one in their own scope."""
    scopes: dict[int, dict[int, bytes]] = {}
    for chunk, key in passages:
        scopes.setdefault(chunk >> SCOPE_SHIFT, {})[chunk] = key
    return {
        chunk: known[key]
        for scope, keys in scopes.items()
        for known in (_space.known(sql, keys.values(), scope),)
        for chunk, key in keys.items()
        if key in known
    }
