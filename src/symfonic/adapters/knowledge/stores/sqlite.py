"""The embedded store: one SQLite file, full text ranked by BM25 and by vectors, any number of tenants.

Rules of this module: the public class and the outline of each request; tables, connections, ranking, reading and
writing stand in the private modules beside it. Nothing of :mod:`sqlite3` passes through it. Without an embedder words
alone are searched, and NumPy is not imported.

Guarantees.

* A row stored at a scope path is seen there and below, never beside; nor do rows that cannot be seen change the score
  or the order of those that can. (How long an answer takes may depend on the whole file.)
* Answers depend on what is stored, never on the order in which it was stored, on threads or on processes.
* A change is whole or absent, also when its process is killed. A power cut may take back the last documents put, whole
  ones; what was forgotten stays forgotten.
* What was removed is gone from every index when the call returns, and from the bytes of the file after
  :meth:`SqliteStore.vacuum`. Words of a replaced document may stay in the file, marked void, until then.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Final, Self

from symfonic.adapters.knowledge.ports import StoreError, embedded_text

from . import _reading, _writing
from ._check import faults
from ._connections import Connections, require_busy_timeout, translated
from ._embedding import refuse_vectors, require_question
from ._lexical import Analyzer
from ._place import absolute
from ._ranking import Question, rank, visible_from
from ._space import claim, embedding_hash, floats, known_at, require_none
from ._sqlite_embedding import SqliteEmbedding

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    from symfonic.adapters.knowledge.ports import (
        Chunk,
        Document,
        DocumentRecord,
        Embedder,
        Removal,
        StoredChunk,
        StoreStats,
    )
    from symfonic.capabilities.knowledge import RetrievedFragment

    from ._lexical import Term

__all__ = ["SqliteStore"]

MINIMUM_SQLITE: Final = (3, 38, 0)
"""Oldest SQLite library whose functions suffice."""


GROUP: Final = 4_096
"""Documents and passages that share a transaction when many are put."""


class SqliteStore:
    """A knowledge store in one SQLite file; implements ``VectorStore``.

    Any number of threads and processes may use one file: readers never wait, writers take turns. A store is used in the
    process that opened it. It is a context manager that closes itself.

    Args:
        path: The file. It and its folders are created when missing, readable by their owner only.
        busy_timeout: How long a change waits for another process's change, in seconds, up to 2,147,483.
        create: Whether a file that is missing or empty becomes a store. Otherwise it is refused and left as it is.
        embedder: What makes vectors of questions, and of passages that come without one; ``None`` where words alone
            are searched. It needs NumPy, from the extra ``vectors``.
        vector_cache_bytes: Most memory for vectors, in bytes; those of the scopes asked least recently go first. What
            does not fit is read from the file for every question, with the same answers.

    Raises:
        StoreError: The file cannot be opened, is damaged, belongs to another program, or a newer version wrote it; the
            path is relative and the current folder is gone, or the path is too long or leads to what is no file; an
            argument is not what it must be; the embedder has no name, or NumPy is not installed. The embedder is asked
            for nothing but its name.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        busy_timeout: float = 30.0,
        create: bool = True,
        embedder: Embedder | None = None,
        vector_cache_bytes: int = 2**30,
    ) -> None:
        self._path = absolute(path)
        require_busy_timeout(busy_timeout)
        _writing.require_flag("create", create)
        _writing.require_bytes("vector_cache_bytes", vector_cache_bytes)
        if sqlite3.sqlite_version_info < MINIMUM_SQLITE:  # pragma: no cover - depends on the interpreter
            raise StoreError(
                f"the embedded store needs SQLite {'.'.join(map(str, MINIMUM_SQLITE))}; this Python has "
                f"{sqlite3.sqlite_version} and nothing was opened; use a newer Python"
            )
        self._embedding = None if embedder is None else SqliteEmbedding(embedder, vector_cache_bytes)
        self._connections = Connections(self._path, busy_timeout, create=create)
        with translated(self._path):
            self._analyzer = Analyzer()

    @property
    def path(self) -> Path:
        """The store's file, from the root: a relative path was completed with the folder the process was in."""
        return self._path

    @property
    def embedder(self) -> Embedder | None:
        """What embeds questions, and passages that come without a vector; ``None`` where words alone are searched."""
        return None if self._embedding is None else self._embedding.embedder

    def __repr__(self) -> str:
        return f"SqliteStore({str(self._path)!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def search(
        self, query: str, limit: int, *, scope_path: str = "", vector: Iterable[float] | None = None
    ) -> Sequence[RetrievedFragment]:
        """Rank the passages visible at ``scope_path`` for ``query``.

        Args:
            query: Any text at all. Words are compared by their English stems, accents and case aside; a word of a
                question is a word, never an operator. Scripts written without spaces are compared by pairs of
                characters.
            limit: How many rows are wanted. Rows that tie with the last one are returned as well, at most 256 of them:
                the first by source, content and place.
            scope_path: Rows stored at this path or at one of its ancestors are visible.
            vector: The question's vector, where the caller has it; otherwise the embedder makes it.

        Returns:
            Rows under ``(-score, source, content)``, each score in (0, 1]. Without an embedder it is the lexical
            similarity: the share of the question's weight the passage attains, BM25 over what is visible divided by the
            highest BM25 any passage could reach. A passage of mean length that holds every word once scores 0.45. With
            an embedder it is six tenths of that similarity and four tenths of the cosine between the vectors of passage
            and question, or of 0 where that is negative or missing. It is no probability of relevance, and between
            questions no measure of which is answered better.

        Raises:
            StoreError: The store fails or is closed, an argument is no question, limit, scope path or vector, a vector
                was given without an embedder, or the store holds vectors of another one.
            EmbeddingError: The embedder could not embed the question.
        """
        self._connections.require_open()
        require_question(query, limit)
        paths = _writing.ancestors(scope_path)
        if self._embedding is None:
            refuse_vectors(vector)
            terms = self._terms(query)
            with self._connections.reading() as sql:
                return _reading.fragments(sql, rank(sql, terms, visible_from(sql, paths), limit))
        if not limit or (vector is None and not query.strip()):
            return []  # nothing is asked
        asked = self._embedding.question(self._connections, query, vector)
        question = Question(self._terms(query), asked.vector, limit)
        with self._connections.reading() as sql:
            return _reading.fragments(sql, self._embedding.rank(sql, self._analyzer, paths, question, asked.space))

    def _terms(self, query: str) -> tuple[Term, ...]:
        with translated(self._path):
            return self._analyzer.terms(query)

    def put(
        self, document: Document, chunks: Sequence[Chunk], *, vectors: Iterable[Iterable[float]] | None = None
    ) -> None:
        """Store a document; one already stored under its scope path and origin is replaced, all or nothing.

        Args:
            document: Its identity and state.
            chunks: Its passages.
            vectors: One for each passage, of ``embedded_text``; the embedder makes those that are not given, and no
                text that is stored at this very scope path already is embedded again.

        Raises:
            StoreError: The store fails or is closed, or a value cannot be stored as it is: a text that is no UTF-8, a
                number out of range, an ordinal used twice, vectors that are not one for each passage, finite, other
                than zero and of the embedder's dimensions; or passages would come without the vectors the others have.
                Nothing was written.
            EmbeddingError: The embedder could not embed a passage. Nothing was written.
        """
        passages = _writing.validated(document, chunks, set())
        self._write([self._item(document, passages, vectors)])

    def put_many(self, items: Iterable[tuple[Document, Sequence[Chunk], Iterable[Iterable[float]] | None]]) -> None:
        """Store many documents with less work for each: some thousand passages share a transaction.

        Args:
            items: Documents with their passages and their vectors, ``None`` for those the embedder shall make; read as
                they are needed. Each is stored as by :meth:`put`; of several under one identity the last one stays.

        Raises:
            StoreError: As for :meth:`put`; each document is stored whole or not at all, and those of transactions
                before stay.
            EmbeddingError: The embedder could not embed a passage; the same holds.
        """
        self._connections.require_open()
        group: list[_writing.Item] = []
        sound: set[str] = set()
        size = 0
        for item in _writing.listed("documents", items):
            document, given, vectors = _writing.parts(item)
            chunks = _writing.validated(document, given, sound)
            group.append(self._waiting(document, chunks, vectors) or self._item(document, chunks, vectors))
            size += 1 + len(chunks)
            if size >= GROUP:
                self._write(group)
                group, size = [], 0
        if group:
            self._write(group)

    def _item(
        self, document: Document, chunks: Sequence[Chunk], vectors: Iterable[Iterable[float]] | None
    ) -> _writing.Item:
        if self._embedding is None:
            refuse_vectors(vectors)
            return _writing.Item(document, chunks)
        texts = [embedded_text(chunk) for chunk in chunks]
        encoded = self._embedding.of_texts(self._connections, texts, vectors, document.scope_path)
        return _writing.Item(document, chunks, *encoded)

    def _waiting(self, document: Document, chunks: Sequence[Chunk], vectors: object) -> _writing.Item | None:
        """A document whose vectors are encoded with those of others, where they can be."""
        matrix = None if self._embedding is None else self._embedding.copied(vectors)
        return None if matrix is None else _writing.Item(document, chunks, matrix=matrix)

    def _write(self, items: Sequence[_writing.Item]) -> None:
        if self._embedding is not None:
            items = self._embedding.settled(self._connections, items)
        with self._connections.writing() as sql:
            if self._embedding is None:
                require_none(sql)
            else:
                self._embedding.require(sql)
                for space in {item.space for item in items if item.space is not None}:
                    claim(sql, space)
            _writing.put(sql, items)

    def known_vectors(self, texts: Sequence[str], *, scope_path: str = "") -> Sequence[Sequence[float] | None]:
        """The vector of each text where a passage stored exactly at ``scope_path`` has it, in float32.

        With it nothing is embedded twice for one scope. No other scope lends its vectors, neither an ancestor nor one
        below: they may have been given by somebody this scope has no reason to trust.

        Raises:
            StoreError: The store fails or is closed, or holds vectors of another embedder.
        """
        _writing.ancestors(scope_path)
        hashes = []
        for text in _writing.listed("texts", texts):
            _writing.require_text("text", text)
            hashes.append(embedding_hash(str(text)))
        with self._connections.reading() as sql:
            if self._embedding is not None:
                self._embedding.require(sql)
            found = known_at(sql, hashes, scope_path)
        return [floats(found[key]) if key in found else None for key in hashes]

    def embed(self, *, anew: bool = False, on_progress: Callable[[int, int], None] | None = None) -> int:
        """Embed the passages that have no vector, some hundred in a transaction; interrupted, it goes on where it was.

        A damaged vector counts as none, and is replaced. A passage that cannot be embedded, or whose vector cannot be
        stored, is passed over.

        Args:
            anew: First drop all vectors, also those of another embedder, once this one has embedded a text of one
                letter.
            on_progress: Told how many passages are done, and how many there are to do.

        Returns:
            How many passages were embedded.

        Raises:
            StoreError: The store fails or is closed, has no embedder, or holds vectors of another one.
            EmbeddingError: The embedder embeds nothing, and what was embedded before stays, with ``anew`` also what
                was to be dropped; or, after everything else
                was embedded and stored, some passages could not be: how many, and why the first one.
        """
        self._connections.require_open()
        _writing.require_flag("anew", anew)
        _writing.require_callback("on_progress", on_progress)
        if self._embedding is None:
            raise StoreError(
                "an embedder makes the vectors; this store was opened without one and nothing was done; open it "
                "with one"
            )
        return self._embedding.embed(self._connections, anew=anew, on_progress=on_progress)

    def get(self, scope_path: str, origin: str) -> DocumentRecord | None:
        """Return the document stored under that identity."""
        _writing.ancestors(scope_path)
        _require(origin=origin)
        with self._connections.reading() as sql:
            return _reading.record(sql, scope_path, origin)

    def documents(self, *, scope_path: str | None = None) -> Iterator[DocumentRecord]:
        """Documents stored exactly at ``scope_path`` (all scopes when ``None``), ordered by scope path, file, origin.

        They are read in pages, each one consistent; a change made meanwhile shows in the pages still to come.
        """
        for path in self._paths(scope_path):
            page: list[DocumentRecord] | None = None
            while page is None or len(page) == _reading.PAGE:
                after = (page[-1].document.file, page[-1].document.origin) if page else None
                with self._connections.reading() as sql:
                    page = _reading.document_page(sql, path, after)
                yield from page

    def chunks(self, *, scope_path: str | None = None) -> Iterator[StoredChunk]:
        """Passages stored exactly at ``scope_path`` (all when ``None``), in document order, then by ordinal.

        They are read in pages like :meth:`documents`.
        """
        for record in self.documents(scope_path=scope_path):
            page: list[StoredChunk] | None = None
            while page is None or len(page) == _reading.PAGE:
                after = page[-1].chunk.ordinal if page else -1
                with self._connections.reading() as sql:
                    page = _reading.chunk_page(sql, record.document, after)
                yield from page

    def _paths(self, scope_path: str | None) -> list[str]:
        if scope_path is not None:
            _writing.ancestors(scope_path)
            return [scope_path]
        with self._connections.reading() as sql:
            return _reading.scope_paths(sql)

    def remove(self, documents: Iterable[Document]) -> Removal:
        """Remove these documents in one transaction; those not stored are passed over.

        No word of them is left in the index.
        """
        wanted = _writing.documents(documents)
        with self._connections.writing(durable=True) as sql:
            removal = _writing.forget(sql, _reading.document_ids(sql, wanted))
        self._let_go()
        return removal

    def forget(self, pattern: str, *, scope_path: str) -> Removal:
        """Remove, in one transaction and exactly at ``scope_path``, what a label or a glob names.

        ``pattern`` is compared with each document's ``file`` and ``origin`` (the whole document goes) and with each
        passage's label (that passage goes, and its document's digest is cleared so that the next ingest stores it anew;
        a document that has no passage left goes as well). Only where nothing is named exactly is the pattern read as a
        glob over whole names: ``*`` stands for any run of characters, ``/`` included, ``?`` for one, ``[ab]`` for one
        of these. A glob counts for origins only where it begins as one does, with ``/`` or with a scheme and a colon.
        """
        _require(pattern=pattern, scope_path=scope_path)
        with self._connections.writing(durable=True) as sql:
            named = _reading.named_by(sql, pattern, scope_path)
            removal = _writing.forget(sql, named.documents, named.chunks)
        self._let_go()
        return removal

    def forget_scope(self, scope_path: str) -> Removal:
        """Remove, in one transaction, everything stored at ``scope_path`` and below it; ``""`` is everything."""
        _writing.ancestors(scope_path)
        with self._connections.writing(durable=True) as sql:
            removal = _writing.forget(sql, _reading.documents_below(sql, scope_path))
        self._let_go()
        return removal

    def _let_go(self) -> None:
        """What was forgotten leaves memory as well."""
        if self._embedding is not None:
            self._embedding.let_go(self._connections)

    def stats(self) -> StoreStats:
        """Totals over the whole store."""
        with self._connections.reading() as sql:
            return _reading.stats(sql, self._file_bytes())

    def _file_bytes(self) -> int:
        real = self._path.resolve()  # SQLite keeps the log where a link leads
        return sum(_size(file) for file in (real, real.with_name(f"{real.name}-wal")))

    def revision(self) -> int:
        """A number that grows with every change of content, seen the same by every process."""
        with self._connections.reading() as sql:
            return _reading.revision(sql)

    def vacuum(self) -> None:
        """Give the space of removed content back to the file system; nothing of it is left in the file.

        Raises:
            StoreError: The store fails or is closed, or a reader held on to the old content for longer than the busy
                timeout.
        """
        with self._connections.writing(durable=True) as sql:
            _writing.optimize(sql)
        with self._connections.alone() as sql:
            sql.execute("VACUUM")
            busy, _, _ = sql.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self._let_go()
        if busy:
            raise StoreError(
                "removed content leaves the file when no reader needs it; one was reading for longer than the busy "
                f"timeout and traces may be left in {self._path}; run vacuum again when it has finished"
            )

    def check(self) -> tuple[str, ...]:
        """What is wrong with the file, in plain sentences; empty where it is sound. Nothing is changed.

        It reads the whole file: pages, the full-text index against the texts, totals, and every vector. Changes wait
        until it has finished.

        Raises:
            StoreError: The store is closed, its file is no longer there, or another process held it for longer than
                the busy timeout.
        """
        with self._connections.inspecting() as sql:
            return faults(sql)

    def close(self) -> None:
        """Release every connection. Calling it twice is fine; any other call afterwards raises StoreError."""
        self._connections.close()
        self._analyzer.close()


def _require(**texts: object) -> None:
    for name, value in texts.items():
        _writing.require_text(name.replace("_", " "), value)


def _size(file: Path) -> int:
    """Bytes of a file; 0 where there is none, or none any more: a log goes when its last connection does."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
