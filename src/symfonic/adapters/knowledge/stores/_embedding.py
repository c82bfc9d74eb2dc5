"""What an embedder does for a store: vectors of questions and passages, and those of passages that have none.

Rules of this module: the embedder is asked here and nowhere else, never inside a transaction, for a model is slow.
NumPy is reached through :mod:`._vectors`, which is imported when a store has an embedder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import EmbeddingSpace, StoreError, embedded_text

from . import _space, _writing
from ._lexical import storable

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Iterable, Sequence

    from symfonic.adapters.knowledge.ports import Chunk, Embedder

    from ._connections import Connections
    from ._lexical import Analyzer
    from ._ranking import Question

BATCH: Final = 256
"""Passages embedded for one transaction."""


def require_question(query: object, limit: object) -> None:
    """Refuse what is no question, or no number of rows.

    Raises:
        StoreError: It is none.
    """
    if not isinstance(query, str):
        raise StoreError(f"a question is text; {type(query).__name__} was given and nothing was read; pass a str")
    if type(limit) is not int or limit < 0:
        raise StoreError(f"a limit is a plain int of at least 0; {limit!r} was given and nothing was read; pass one")


def refuse_vectors(vectors: object) -> None:
    """Refuse vectors where nobody says whose they are.

    Raises:
        StoreError: There are some.
    """
    if vectors is not None:
        raise StoreError(
            "vectors are compared within one model, which a store's embedder names; this store was opened without one "
            "and nothing was done; open it with the embedder that made them"
        )


class Embedding:
    """A store's embedder, and the index that searches its vectors.

    Raises:
        StoreError: The embedder has no name or dimensions, the memory is no number, or NumPy is not installed.
    """

    def __init__(self, embedder: Embedder, cache_bytes: int) -> None:
        self.embedder = embedder
        self.space = EmbeddingSpace(name=embedder.name, dimensions=embedder.dimensions)
        _writing.require_text("embedder's name", self.space.name)
        if not self.space.name or type(self.space.dimensions) is not int or self.space.dimensions < 1:
            raise StoreError(
                f"an embedder has a name, and at least one dimension; this one has {self.space.name!a} and "
                f"{self.space.dimensions!r} and nothing was opened; see to the embedder"
            )
        if type(cache_bytes) is not int or cache_bytes < 0:
            raise StoreError(
                f"memory for vectors is a plain int of at least 0, in bytes; {cache_bytes!r} was given and nothing was "
                "opened; pass one"
            )
        try:
            from ._vectors import VectorIndex, encode
        except ImportError as error:
            raise StoreError(
                "searching vectors needs NumPy, which is not installed, and nothing was opened; install "
                "symfonic-knowledge[minilm], or open the store without an embedder"
            ) from error
        self._encode = encode
        self._index = VectorIndex(self.space, cache_bytes)

    def question(self, query: str, vector: Iterable[float] | None) -> bytes:
        """The question's vector, made where none is given; of a text that can be written as UTF-8."""
        made = self.embedder.embed_query(storable(query)) if vector is None else vector
        return self._encode([made], self.space, 1)[0]

    def rank(
        self, sql: sqlite3.Connection, analyzer: Analyzer, paths: Collection[str], question: Question
    ) -> dict[int, float]:
        """Scores of the best visible passages by chunk id.

        Raises:
            StoreError: The store holds another embedder's vectors.
        """
        _space.require(sql, self.space)
        return self._index.rank(sql, analyzer, paths, question)

    def of_chunks(
        self, connections: Connections, chunks: Sequence[Chunk], vectors: Iterable[Iterable[float]] | None
    ) -> list[bytes]:
        """One vector for each passage: the one given, or stored for the same text already, or made."""
        if vectors is not None:
            return self._encode(vectors, self.space, len(chunks))
        return self._of_texts(connections, [embedded_text(chunk) for chunk in chunks])

    def _of_texts(self, connections: Connections, texts: Sequence[str]) -> list[bytes]:
        hashes = [_space.embedding_hash(text) for text in texts]
        with connections.reading() as sql:
            _space.require(sql, self.space)
            found = _space.known(sql, hashes)
        missing = {key: text for key, text in zip(hashes, texts, strict=True) if key not in found}
        if missing:
            made = self._encode(self.embedder.embed_documents(list(missing.values())), self.space, len(missing))
            found.update(zip(missing, made, strict=True))
        return [found[key] for key in hashes]

    def embed(
        self, connections: Connections, *, anew: bool, on_progress: Callable[[int, int], None] | None = None
    ) -> int:
        """Embed the passages that have no vector, batch by batch; return how many."""
        if anew:
            with connections.writing() as sql:
                _writing.drop_vectors(sql)
                _space.claim(sql, self.space)
        with connections.reading() as sql:
            _space.require(sql, self.space)
            total = _space.count_without_vector(sql)
        done = last = 0
        while batch := self._next_batch(connections, last):
            made = self._of_texts(connections, [text for _, text in batch])
            hashes = [_space.embedding_hash(text) for _, text in batch]
            with connections.writing() as sql:
                _space.claim(sql, self.space)
                _writing.put_late_vectors(sql, list(zip((chunk for chunk, _ in batch), hashes, made, strict=True)))
            done, last = done + len(batch), batch[-1][0]
            if on_progress is not None:
                on_progress(done, max(total, done))
        return done

    def _next_batch(self, connections: Connections, after: int) -> list[tuple[int, str]]:
        with connections.reading() as sql:
            return _space.without_vector(sql, after, BATCH)
