"""A store in PostgreSQL with pgvector: full text ranked by BM25 and by vectors, any number of tenants and of machines.

Rules of this module: the public class and the outline of each request; tables, connections, ranking, reading and
writing stand in the private modules beside it, and nothing of psycopg passes through it. It is imported when a store is
opened. Without an embedder words alone are searched, and NumPy is not imported.

Guarantees.

* A row stored at a scope path is seen there and below, never beside; nor do rows that cannot be seen change the score
  or the order of those that can. Row-level security says the same once more, on the server, where it is switched on.
* Rows and scores are the embedded store's, to the bit, where vectors are searched whole (``index="exact"``).
* A change is whole or absent, also when a process, the server or the network between them ends in the middle of it.
* What was removed is gone from every index when the call returns, and from the server's files after
  :meth:`PgvectorStore.vacuum`; not from its write-ahead log, its replicas and its backups.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, Self, TypeVar, Unpack

from symfonic.adapters.knowledge.ports import Removal, StoreError, embedded_text

from . import _pgvector_embedding as embedding
from . import _pgvector_reading as reading
from . import _pgvector_writing as writing
from . import _reading, _writing
from ._embedding import refuse_vectors, require_question
from ._lexical import Analyzer
from ._pgvector_check import faults
from ._pgvector_options import Arguments, Options, VectorSearch, parted_url, shown_url
from ._pgvector_ranking import Nearness, rank, rank_both, visible_from
from ._pgvector_schema import grants
from ._pgvector_sight import EVERYTHING, Sight
from ._pgvector_values import identity
from ._space import embedding_hash, floats
from ._url_options import merged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import TracebackType

    from symfonic.adapters.knowledge.ports import (
        Chunk,
        Document,
        DocumentRecord,
        Embedder,
        StoredChunk,
        StoreStats,
    )
    from symfonic.capabilities.knowledge import RetrievedFragment

    from ._pgvector_connections import Transaction

__all__ = ["PgvectorStore"]

T = TypeVar("T")

GROUP: Final = 1_024
"""Documents and passages that share a transaction when many are put."""


class PgvectorStore:
    """A knowledge store in one schema of a PostgreSQL database; implements ``VectorStore``.

    Any number of threads, processes and machines may use one schema. A store is used in the process that opened it. It
    is a context manager that closes itself.

    Args:
        url: Where the database is: ``postgresql://user@host:port/database``, with libpq's parameters in its query
            (``sslmode=verify-full``). A password is better given in the file libpq reads (``PGPASSFILE``); it appears
            in no message.
        schema: The schema of the store's tables; created when missing.
        create: Whether a schema without a store gets one. Otherwise it is refused and left as it is.
        embedder: What makes vectors of questions, and of passages that come without one; ``None`` where words alone are
            searched. It needs NumPy, from the extra ``vectors``.
        index: ``"exact"`` reads all visible vectors; ``"hnsw"`` builds an index where there is an embedder, which finds
            near vectors among many passages faster and may miss some. Passages found by words have their exact cosine
            either way, and from 20,000 visible passages down nothing is missed.
        row_security: Whether the server itself hides rows of other scopes; ``None`` leaves that as it is. Only the
            owner of the tables can change it.
        pool_size: Most connections at once.
        pool_timeout: How long a request waits for one of them, in seconds.
        connect_timeout: How long connecting may take, in seconds; libpq counts whole ones, and at least two.
        statement_timeout: How long a statement may take, in seconds. What goes through all there is (``vacuum``,
            building an index) has no limit.
        lock_timeout: How long a change waits for another one, in seconds.
        keepalive: After how many silent seconds a connection is probed; it counts as lost after twice as many.
        attempts: How often a request is tried when the server goes away in the middle of it, or changes collide.
        pause: Waits for so many seconds before the next attempt.
        jitter: A number in [0, 1) by chance, such as ``random.random`` gives: by how much of itself such a pause grows,
            so that many that failed together do not come back together. Without it they do.

    Raises:
        StoreError: psycopg or NumPy is not installed, an argument is not what it must be, the server cannot be reached
            or refuses, pgvector is missing, or the schema belongs to another program or a newer version. The embedder
            is asked for nothing but its name.
    """

    def __init__(  # noqa: PLR0913 - a server has many limits, all of them named
        self,
        url: str,
        *,
        schema: str = "symfonic",
        create: bool = True,
        embedder: Embedder | None = None,
        index: VectorSearch = "exact",
        row_security: bool | None = None,
        pool_size: int = 8,
        pool_timeout: float = 10.0,
        connect_timeout: float = 10.0,
        statement_timeout: float = 60.0,
        lock_timeout: float = 30.0,
        keepalive: int = 30,
        attempts: int = 6,
        pause: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] | None = None,
    ) -> None:
        conninfo, given = parted_url(url)
        if given:
            raise StoreError(
                "options of a store are arguments here; the URL has some of them in its query and nothing was opened; "
                "open it with PgvectorStore.from_url"
            )
        options = Options(
            schema=schema,
            create=create,
            index=index,
            row_security=row_security,
            pool_size=pool_size,
            pool_timeout=pool_timeout,
            connect_timeout=connect_timeout,
            statement_timeout=statement_timeout,
            lock_timeout=lock_timeout,
            keepalive=keepalive,
            attempts=attempts,
            pause=pause,
            jitter=jitter,
        )
        self._options = options
        self._shown = shown_url(conninfo)
        self._embedding = None if embedder is None else embedding.PgvectorEmbedding(embedder)
        try:
            from ._pgvector_connections import Connections
        except ImportError as error:
            raise StoreError(
                "a store in PostgreSQL needs psycopg, which is not installed, and nothing was opened; install it with "
                "pip install 'symfonic-knowledge[pgvector]'"
            ) from error
        self._connections = Connections(conninfo, options)
        self._analyzer = Analyzer()
        try:
            self._index()
        except BaseException:
            self.close()
            raise

    @classmethod
    def from_url(cls, url: str, *, embedder: Embedder | None = None, **options: Unpack[Arguments]) -> Self:
        """Open the store a URL names; options may stand in its query: ``?schema=handbook&index=hnsw``.

        Args:
            url: As for the class, with any of ``schema``, ``index``, ``row_security``, ``pool_size``, ``pool_timeout``,
                ``connect_timeout``, ``statement_timeout``, ``lock_timeout``, ``keepalive`` and ``attempts`` in its
                query.
            embedder: As for the class.
            options: As for the class; what stands in the query as well has to say the same.

        Raises:
            StoreError: As for the class; or an option of the URL is not known, is there twice, or was passed as
                something else.
        """
        conninfo, given = parted_url(url)
        return cls(conninfo, embedder=embedder, **merged(given, options))

    @staticmethod
    def grants(role: str, *, schema: str = "symfonic") -> tuple[str, ...]:
        """Statements that let a role use the store and change none of its tables; for the owner to run.

        With row-level security such a role sees and changes only what the scope path of its transaction allows. It must
        not be a superuser, nor have BYPASSRLS. The first vectors have to be stored, or asked for with :meth:`embed`, by
        the owner, for he decides whose they are.
        """
        return grants(schema, role)

    @property
    def embedder(self) -> Embedder | None:
        """What embeds questions, and passages that come without a vector; ``None`` where words alone are searched."""
        return None if self._embedding is None else self._embedding.embedder

    def __repr__(self) -> str:
        return f"PgvectorStore({self._shown!r}, schema={self._options.schema!r})"

    def __enter__(self) -> Self:
        self._connections.require_open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _index(self) -> None:
        if self._options.index == "hnsw" and self._embedding is not None:  # by words alone nothing would use it
            self._connections.index_vectors()

    def _read(self, work: Callable[[Transaction], T], sight: Sight = EVERYTHING) -> T:
        return self._connections.read(work, sight)

    def search(
        self, query: str, limit: int, *, scope_path: str = "", vector: Iterable[float] | None = None
    ) -> list[RetrievedFragment]:
        """Rank what is visible at ``scope_path`` for ``query``, by words, and by meaning where there is an embedder.

        Args:
            query: Any text.
            limit: Most rows, besides those that tie with the last.
            scope_path: Who asks.
            vector: The question's, where it is known already.

        Returns:
            Rows under ``(-score, source, content)``, each score in (0, 1], as ``SqliteStore.search`` gives them.

        Raises:
            StoreError: The store fails or is closed, an argument is no question, limit, scope path or vector, a vector
                was given without an embedder, or the store holds vectors of another one.
            EmbeddingError: The embedder could not embed the question.
        """
        self._connections.require_open()
        require_question(query, limit)
        paths, sight = _writing.ancestors(scope_path), Sight(scope_path)
        if self._embedding is None:
            refuse_vectors(vector)
            terms = self._analyzer.terms(query)
            return self._read(
                lambda sql: reading.fragments(sql, rank(sql, terms, visible_from(sql, paths), limit)), sight
            )
        if not limit or (vector is None and not query.strip()):
            return []  # nothing is asked
        asked = self._embedding.question(self._connections, query, vector)
        terms = self._analyzer.terms(query)
        nearness = Nearness(asked.vector, asked.space, self._options.index == "hnsw")

        def work(sql: Transaction) -> list[RetrievedFragment]:
            embedding.require(sql, asked.space)
            return reading.fragments(sql, rank_both(sql, terms, visible_from(sql, paths), limit, nearness))

        return self._read(work, sight)

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
            StoreError: The store fails or is closed, or a value cannot be stored as it is. Nothing was written.
            EmbeddingError: The embedder could not embed a passage. Nothing was written.
        """
        self._connections.require_open()
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
        latest = {(item.document.scope_path, item.document.origin): item for item in items}
        by_scope: dict[str, list[writing.Prepared]] = {}
        for path, _ in sorted(latest, key=lambda key: (key[0], identity(key[1]))):
            by_scope[path] = []
        for (path, _), item in sorted(latest.items(), key=lambda each: identity(each[0][1])):
            by_scope[path].append(writing.Prepared(item, writing.analyzed(self._analyzer, item.chunks)))

        def work(sql: Transaction) -> None:
            self._claim(sql, items)
            writing.put(sql, by_scope)

        self._connections.write(work, Sight(next(iter(by_scope))), again=True)

    def _claim(self, sql: Transaction, items: Sequence[_writing.Item]) -> None:
        if self._embedding is None:
            embedding.require_none(sql)
            return
        self._embedding.require(sql)
        for space in {item.space for item in items if item.space is not None}:
            embedding.require(sql, space)
            writing.claim(sql, space)

    def known_vectors(self, texts: Sequence[str], *, scope_path: str = "") -> Sequence[Sequence[float] | None]:
        """The vector of each text where a passage stored exactly at ``scope_path`` has it, in float32.

        Raises:
            StoreError: The store fails or is closed, or holds vectors of another embedder.
        """
        _writing.ancestors(scope_path)
        hashes = []
        for text in _writing.listed("texts", texts):
            _writing.require_text("text", text)
            hashes.append(embedding_hash(str(text)))

        def work(sql: Transaction) -> dict[bytes, bytes]:
            if self._embedding is not None:
                self._embedding.require(sql)
            return embedding.known_at(sql, hashes, scope_path)

        found = self._read(work, Sight(scope_path))
        return [floats(found[key]) if key in found else None for key in hashes]

    def embed(self, *, anew: bool = False, on_progress: Callable[[int, int], None] | None = None) -> int:
        """Embed the passages that have no vector, some hundred in a transaction; interrupted, it goes on where it was.

        Args:
            anew: First drop all vectors, also those of another embedder, once this one has embedded a text of one
                letter.
            on_progress: Told how many passages are done, and how many there are to do.

        Returns:
            How many passages were embedded.

        Raises:
            StoreError: The store fails or is closed, has no embedder, or holds vectors of another one.
            EmbeddingError: The embedder embeds nothing; or, after everything else was embedded and stored, some
                passages could not be: how many, and why the first one.
        """
        self._connections.require_open()
        _writing.require_flag("anew", anew)
        _writing.require_callback("on_progress", on_progress)
        if self._embedding is None:
            raise StoreError(
                "an embedder makes the vectors; this store was opened without one and nothing was done; open it "
                "with one"
            )
        done = self._embedding.embed(self._connections, anew=anew, on_progress=on_progress)
        self._index()
        return done

    def get(self, scope_path: str, origin: str) -> DocumentRecord | None:
        """Return the document stored under that identity."""
        _writing.ancestors(scope_path)
        _writing.require_text("origin", origin)
        return self._read(lambda sql: reading.record(sql, scope_path, origin), Sight(scope_path))

    def documents(self, *, scope_path: str | None = None) -> Iterator[DocumentRecord]:
        """Documents stored exactly at ``scope_path`` (all scopes when ``None``), ordered by scope path, file, origin.

        They are read in pages, each one consistent; a change made meanwhile shows in the pages still to come.
        """
        for path in self._paths(scope_path):
            page: list[DocumentRecord] | None = None
            while page is None or len(page) == _reading.PAGE:
                after = (page[-1].document.file, page[-1].document.origin) if page else None
                page = self._read(lambda sql, at=(path, after): reading.document_page(sql, *at), Sight(path))  # type: ignore[misc]  # bound now
                yield from page

    def chunks(self, *, scope_path: str | None = None) -> Iterator[StoredChunk]:
        """Passages stored exactly at ``scope_path`` (all when ``None``), in document order, then by ordinal.

        They are read in pages like :meth:`documents`.
        """
        for record in self.documents(scope_path=scope_path):
            sight = Sight(record.document.scope_path)
            page: list[StoredChunk] | None = None
            while page is None or len(page) == _reading.PAGE:
                after = page[-1].chunk.ordinal if page else -1
                page = self._read(lambda sql, at=(record.document, after): reading.chunk_page(sql, *at), sight)  # type: ignore[misc]  # bound now
                yield from page

    def _paths(self, scope_path: str | None) -> list[str]:
        if scope_path is not None:
            _writing.ancestors(scope_path)
            return [scope_path]
        return self._read(reading.scope_paths)

    def remove(self, documents: Iterable[Document]) -> Removal:
        """Remove these documents in one transaction; those not stored are passed over.

        Raises:
            StoreError: The store fails or is closed; nothing was removed, unless the connection broke off in the very
                moment of the commit, which the message says then.
        """
        wanted = sorted(
            {(each.scope_path, each.origin): each for each in _writing.documents(documents)}.values(),
            key=lambda each: (each.scope_path, identity(each.origin)),
        )

        def work(sql: Transaction) -> Removal:
            taken = {}
            for path in dict.fromkeys(each.scope_path for each in wanted):
                sql.act_for(Sight(path))
                ids = [reading.document_id(sql, each) for each in wanted if each.scope_path == path]
                part = writing.take(sql, [each for each in ids if each is not None])
                if part.removal.documents:
                    taken[path] = part
            if taken:
                sql.act_for(Sight(next(iter(taken))))
                writing.count(sql, {path: part.changes for path, part in taken.items()})
            return Removal(
                documents=sum(part.removal.documents for part in taken.values()),
                chunks=sum(part.removal.chunks for part in taken.values()),
            )

        return self._connections.write(work, EVERYTHING, again=False)

    def forget(self, pattern: str, *, scope_path: str) -> Removal:
        """Remove, in one transaction and exactly at ``scope_path``, what a label or a glob names.

        ``pattern`` is compared with each document's ``file`` and ``origin`` (the whole document goes) and with each
        passage's label (that passage goes, and its document's digest is cleared so that the next ingest stores it anew;
        a document that has no passage left goes as well). Only where nothing is named exactly is the pattern read as a
        glob over whole names: ``*`` stands for any run of characters, ``/`` included, ``?`` for one, ``[ab]`` for one
        of these. A glob counts for origins only where it begins as one does, with ``/`` or with a scheme and a colon.

        Raises:
            StoreError: As for :meth:`remove`.
        """
        _writing.require_text("pattern", pattern)
        _writing.require_text("scope path", scope_path)

        def work(sql: Transaction) -> Removal:
            named = reading.named_by(sql, pattern, scope_path)
            return writing.forget(sql, named.documents, named.chunks)

        return self._connections.write(work, Sight(scope_path), again=False)

    def forget_scope(self, scope_path: str) -> Removal:
        """Remove, in one transaction, everything stored at ``scope_path`` and below it; ``""`` is everything.

        Raises:
            StoreError: As for :meth:`remove`.
        """
        _writing.ancestors(scope_path)
        return self._connections.write(
            lambda sql: writing.forget(sql, reading.documents_below(sql, scope_path)),
            Sight(scope_path, below=True),
            again=False,
        )

    def stats(self) -> StoreStats:
        """Totals over the whole store; ``file_bytes`` is what its tables and indexes take on the server."""
        return self._read(reading.stats)

    def revision(self) -> int:
        """A number that grows with every change of content, seen the same by every process."""
        return self._read(lambda sql: sql.revision)

    def vacuum(self) -> None:
        """Give the space of removed content back to the file system; every table is written anew without it.

        Others wait meanwhile. The server's write-ahead log, its replicas and its backups keep what they keep.

        Raises:
            StoreError: The store fails or is closed, this role does not own its tables, or others held them for longer
                than the lock timeout.
        """
        self._connections.vacuum()

    def check(self) -> tuple[str, ...]:
        """What is wrong with the store, in plain sentences; empty where it is sound. Nothing is changed.

        It reads every passage, cuts it into words again, and looks at every vector.

        Raises:
            StoreError: The store is closed, or cannot be reached.
        """
        return self._read(lambda sql: faults(sql, self._analyzer))

    def build_index(self) -> bool:
        """Build the HNSW index of vectors where it is missing, as after an ingest, while questions and changes go on.

        It takes as long as it takes, and waits for transactions that began before. A build that was broken off is
        begun anew. It is used by stores that are opened with ``index="hnsw"``.

        Returns:
            Whether it is there now: not where no vector is stored yet, nor while somebody else is building it.

        Raises:
            StoreError: The store fails or is closed, its vectors have more than 2,000 dimensions, or this role does not
                own its tables.
        """
        return self._connections.build_index()

    def close(self) -> None:
        """Release every connection. Calling it twice is fine; any other call afterwards raises StoreError."""
        self._connections.close()
        self._analyzer.close()
