"""A store in Qdrant, on a server or in a folder: words ranked by BM25 and vectors, any number of tenants.

Rules of this module: the public class and the outline of each request; requests, records, changes and ranking stand in
the private modules beside it, and nothing of the client passes through it. It is imported when a store is opened.
Without an embedder words alone are searched, and no vector is asked for.

Guarantees.

* A row stored at a scope path is seen there and below, never beside; nor do rows that cannot be seen change the score
  or the order of those that can.
* Scores are the embedded store's. So are the rows, unless more than 4,096 passages have to be looked at to tell which
  are best, or the server's approximate index is chosen (``index="hnsw"``).
* Qdrant has no transactions. A document is old or new, never a part, whatever ends in the middle of a change, and of
  several that are put or removed together each is; not all of them at once. What a broken change left is never seen and
  goes with the next change of that document, or with :meth:`QdrantStore.vacuum`.
* What was removed can be found no more when the call returns. When a server gives its room on the disk back is its own
  decision; a folder's files are written anew by :meth:`QdrantStore.vacuum`.
"""

from __future__ import annotations

import fnmatch
import re
import time
import uuid
from typing import TYPE_CHECKING, Final, Self, Unpack

from symfonic.adapters.knowledge.ports import Removal, StoredChunk, StoreError, StoreStats, embedded_text

from . import _writing
from ._embedding import refuse_vectors, require_question
from ._lexical import Analyzer
from ._qdrant_options import Arguments, Options, Place, VectorSearch, placed
from ._qdrant_values import chunk_of, document_id
from ._reading import PLACE_PATTERN
from ._space import embedding_hash, floats
from ._url_options import merged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import TracebackType

    from symfonic.adapters.knowledge.ports import Chunk, Document, DocumentRecord, Embedder
    from symfonic.capabilities.knowledge import RetrievedFragment

    from ._qdrant_link import Link
    from ._qdrant_ranking import Nearness
    from ._qdrant_records import Record
    from ._qdrant_writing import Written

__all__ = ["QdrantStore"]

GROUP: Final = 1_024
"""Documents and passages that are put together when many are."""


def _token() -> str:
    return uuid.uuid4().hex


class QdrantStore:
    """A knowledge store in collections of Qdrant; implements ``VectorStore``.

    Any number of threads, processes and machines may use one server's collections; a folder is used by one process, in
    which :meth:`beside` opens further stores. A store is a context manager that closes itself.

    Args:
        url: ``qdrant+https://host:port/collection``, ``qdrant+http://…``, or ``qdrant:///folder?collection=name`` for
            the client's local mode. Three collections are made: of this name, and of it with ``-documents`` and
            ``-vectors-…`` behind. A folder is read with ``pickle``: open none that somebody else may have written.
        api_key: The server's; it appears in no message.
        create: Whether collections that are not there are made. Otherwise a place without them is refused.
        embedder: What makes vectors of questions, and of passages that come without one; ``None`` where words alone are
            searched. It needs NumPy, from the extra ``vectors``.
        index: ``"exact"`` has the server read all visible vectors; ``"hnsw"`` has it use its index, which is faster
            among many passages and may miss some.
        timeout: How long one request may take, in seconds.
        attempts: How often a request is made when the server is away or busy.
        lease: How long a change may be on its way before others clean up behind it, in seconds. Half of it is what a
            change of one call may take; clocks of machines that share a server differ by less than the other half.
        pause: Waits for so many seconds before the next attempt.
        jitter: A number in [0, 1) by chance, such as ``random.random`` gives: by how much of itself such a pause grows,
            so that many clients do not come back at once.
        clock: Seconds since 1970.
        token: A text that nobody else makes.

    Raises:
        StoreError: qdrant-client or NumPy is not installed, an argument is not what it must be, the server cannot be
            reached or refuses, the folder is open in another process, or nothing is there and nothing is to be made.
            The embedder is asked for nothing but its name.
    """

    def __init__(  # noqa: PLR0913 - a server has many limits, all of them named
        self,
        url: str,
        *,
        api_key: str = "",
        create: bool = True,
        embedder: Embedder | None = None,
        index: VectorSearch = "exact",
        timeout: float = 30.0,
        attempts: int = 5,
        lease: float = 3_600.0,
        pause: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] | None = None,
        clock: Callable[[], float] = time.time,
        token: Callable[[], str] = _token,
    ) -> None:
        place, given = placed(url)
        if given:
            raise StoreError(
                "options of a store are arguments here; the URL has some of them in its query and nothing was opened; "
                "open it with QdrantStore.from_url"
            )
        if api_key:
            _writing.require_text("api_key", api_key)
            place = Place(collection=place.collection, address=place.address, folder=place.folder, api_key=api_key)
        options = Options(
            create=create,
            index=index,
            timeout=timeout,
            attempts=attempts,
            lease=lease,
            pause=pause,
            jitter=jitter,
            clock=clock,
            token=token,
        )
        try:
            from ._qdrant_link import Link
        except ImportError as error:
            raise StoreError(
                "a store in Qdrant needs qdrant-client, which is not installed, and nothing was opened; install it "
                "with pip install 'symfonic-knowledge[qdrant]'"
            ) from error
        link = Link(place, options)
        try:
            self._open(link, embedder, create=create)
        except BaseException:
            link.close()
            raise

    def _open(self, link: Link, embedder: Embedder | None, *, create: bool) -> None:
        from . import _qdrant_embedding, _qdrant_ranking, _qdrant_writing
        from ._qdrant_records import Records

        self._link = link
        self._closed = False
        self._records = Records(link, create=create)
        self._writer = _qdrant_writing.Writer(self._records)
        self._embeddings, self._ranking, self._writing = _qdrant_embedding, _qdrant_ranking, _qdrant_writing
        self._embedding = None if embedder is None else _qdrant_embedding.QdrantEmbedding(embedder, self._writer)
        self._analyzer = Analyzer()

    @classmethod
    def from_url(cls, url: str, *, embedder: Embedder | None = None, **options: Unpack[Arguments]) -> Self:
        """Open the store a URL names; options may stand in its query: ``?index=hnsw&timeout=10``.

        Args:
            url: As for the class, with any of ``api_key``, ``collection``, ``index``, ``timeout`` and ``attempts`` in
                its query.
            embedder: As for the class.
            options: As for the class; what stands in the query as well has to say the same.

        Raises:
            StoreError: As for the class.
        """
        place, given = placed(url)
        key = {"api_key": place.api_key} if place.api_key else {}
        return cls(place.shown, embedder=embedder, **merged({**key, **given}, options))

    def beside(self, *, embedder: Embedder | None = None) -> Self:
        """Another store on the same collections, by the same client; each is closed by itself.

        Within one process that is the only way to open a folder twice.

        Raises:
            StoreError: The store is closed.
        """
        self._require_open()
        other = object.__new__(type(self))
        self._link.share()
        try:
            other._open(self._link, embedder, create=False)
        except BaseException:
            self._link.close()
            raise
        return other

    @property
    def url(self) -> str:
        """Where the store is, without a key."""
        return self._link.place.shown

    @property
    def embedder(self) -> Embedder | None:
        """What embeds questions, and passages that come without a vector; ``None`` where words alone are searched."""
        return None if self._embedding is None else self._embedding.embedder

    def __repr__(self) -> str:
        return f"QdrantStore({self._link.place.shown!r})"

    def __enter__(self) -> Self:
        self._require_open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _require_open(self) -> None:
        if self._closed:
            raise StoreError("a closed store answers nothing; nothing was done; open the store again")

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
                was given without an embedder, the store holds vectors of another one, or what is visible changes all
                the time.
            EmbeddingError: The embedder could not embed the question.
        """
        self._require_open()
        require_question(query, limit)
        paths = _writing.ancestors(scope_path)
        if self._embedding is None:
            refuse_vectors(vector)
        elif limit and vector is None and not query.strip():
            return []  # nothing is asked
        near = self._near(query, vector) if limit else None
        terms = self._analyzer.terms(query)
        return self._ranking.answer(self._records, paths, terms, limit, near)

    def _near(self, query: str, vector: Iterable[float] | None) -> Nearness | None:
        if self._embedding is None:
            return None
        asked = self._embedding.question(self._records, query, vector)
        space = self._embeddings.require(self._records, asked.space)
        if space is None:
            return None
        return self._ranking.Nearness(vector=asked.vector, space=space, index=self._link.options.index)

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
            StoreError: The store fails or is closed, or a value cannot be stored as it is. Nothing was changed, unless
                the server went away in the middle, which the message says then; even so no part is seen.
            EmbeddingError: The embedder could not embed a passage. Nothing was written.
        """
        self._require_open()
        passages = _writing.validated(document, chunks, set())
        self._write([self._item(document, passages, vectors)])

    def put_many(self, items: Iterable[tuple[Document, Sequence[Chunk], Iterable[Iterable[float]] | None]]) -> None:
        """Store many documents with less work for each: some thousand passages share their requests.

        Args:
            items: Documents with their passages and their vectors, ``None`` for those the embedder shall make; read as
                they are needed. Each is stored as by :meth:`put`; of several under one identity the last one stays.

        Raises:
            StoreError: As for :meth:`put`; each document is stored whole or not at all, and those before stay.
            EmbeddingError: The embedder could not embed a passage; the same holds.
        """
        self._require_open()
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
        encoded = self._embedding.of_texts(self._records, texts, vectors, document.scope_path)
        return _writing.Item(document, chunks, *encoded)

    def _waiting(self, document: Document, chunks: Sequence[Chunk], vectors: object) -> _writing.Item | None:
        """A document whose vectors are encoded with those of others, where they can be."""
        matrix = None if self._embedding is None else self._embedding.copied(vectors)
        return None if matrix is None else _writing.Item(document, chunks, matrix=matrix)

    def _write(self, items: Sequence[_writing.Item]) -> None:
        if self._embedding is not None:
            items = self._embedding.settled(self._records, items)
        latest = {self._writing.identity(item): item for item in items}
        token = self._link.options.token
        written: list[Written] = [self._writing.prepared(self._analyzer, item, token()) for item in latest.values()]
        spaces = {item.space for item in items if item.space is not None}
        with self._link.writing:
            self._require_open()
            stored = None
            if self._embedding is None:
                self._embeddings.require_none(self._records)
            elif not spaces:
                self._embedding.require(self._records)
            for space in spaces:
                stored = self._embeddings.require(self._records, space) or self._writer.claim(space)
            self._writer.put(written, stored or self._records.space())

    def known_vectors(self, texts: Sequence[str], *, scope_path: str = "") -> Sequence[Sequence[float] | None]:
        """The vector of each text where a passage stored exactly at ``scope_path`` has it, in float32.

        Raises:
            StoreError: The store fails or is closed, or holds vectors of another embedder.
        """
        self._require_open()
        _writing.ancestors(scope_path)
        hashes = []
        for text in _writing.listed("texts", texts):
            _writing.require_text("text", text)
            hashes.append(embedding_hash(str(text)))
        if self._embedding is not None:
            self._embedding.require(self._records)
        found = self._embeddings.known_at(self._records, hashes, scope_path)
        return [floats(found[key]) if key in found else None for key in hashes]

    def embed(self, *, anew: bool = False, on_progress: Callable[[int, int], None] | None = None) -> int:
        """Embed the passages that have no vector, some hundred at once; interrupted, it goes on where it was.

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
        self._require_open()
        _writing.require_flag("anew", anew)
        _writing.require_callback("on_progress", on_progress)
        if self._embedding is None:
            raise StoreError(
                "an embedder makes the vectors; this store was opened without one and nothing was done; open it "
                "with one"
            )
        return self._embedding.embed(self._records, anew=anew, on_progress=on_progress)

    def get(self, scope_path: str, origin: str) -> DocumentRecord | None:
        """Return the document stored under that identity."""
        self._require_open()
        _writing.ancestors(scope_path)
        _writing.require_text("origin", origin)
        name = document_id(scope_path, origin)
        found = self._records.of([name]).get(name)
        return None if found is None else found.told

    def documents(self, *, scope_path: str | None = None) -> Iterator[DocumentRecord]:
        """Documents stored exactly at ``scope_path`` (all scopes when ``None``), ordered by scope path, file, origin.

        They are those of one moment, read when the first is asked for.
        """
        for record in self._listed(scope_path):
            self._require_open()
            yield record.told

    def chunks(self, *, scope_path: str | None = None) -> Iterator[StoredChunk]:
        """Passages stored exactly at ``scope_path`` (all when ``None``), in document order, then by ordinal.

        Each document's are of one moment; a change made meanwhile shows in the documents still to come.
        """
        for record in self._listed(scope_path):
            self._require_open()
            found = self._records.whole(record)
            if found is not None:
                now, points = found
                yield from (StoredChunk(document=now.document, chunk=chunk_of(p.payload)) for p in points)

    def _listed(self, scope_path: str | None) -> list[Record]:
        self._require_open()
        if scope_path is not None:
            _writing.ancestors(scope_path)
        return self._records.listed(scope_path)

    def remove(self, documents: Iterable[Document]) -> Removal:
        """Remove these documents; those not stored are passed over.

        Raises:
            StoreError: The store fails or is closed. Each document is there whole or gone.
        """
        wanted = [document_id(each.scope_path, each.origin) for each in _writing.documents(documents)]
        with self._link.writing:
            self._require_open()
            return self._let_go(self._writer.remove(wanted))

    def forget(self, pattern: str, *, scope_path: str) -> Removal:
        """Remove, exactly at ``scope_path``, what a label or a glob names.

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
        with self._link.writing:
            self._require_open()
            records = self._records.listed(scope_path)
            labels = self._records.labels(scope_path)
            named = _named(records, labels, lambda name: name == pattern, with_origins=True)
            if not any(named):
                matches = re.compile(fnmatch.translate(pattern)).match
                with_origins = PLACE_PATTERN.match(pattern) is not None
                named = _named(records, labels, lambda name: matches(name) is not None, with_origins=with_origins)
            return self._let_go(self._writer.forget(*named))

    def forget_scope(self, scope_path: str) -> Removal:
        """Remove everything stored at ``scope_path`` and below it; ``""`` is everything.

        Raises:
            StoreError: As for :meth:`remove`.
        """
        _writing.ancestors(scope_path)
        with self._link.writing:
            self._require_open()
            return self._let_go(self._writer.forget(self._records.below(scope_path), []))

    def _let_go(self, removal: Removal) -> Removal:
        self._records.let_go()
        return removal

    def stats(self) -> StoreStats:
        """Totals over the whole store; ``file_bytes`` is the size of a folder, and 0 on a server, which does not tell.

        Vectors are counted after documents; a change made in between shows in the one and not in the other.
        """
        self._require_open()
        records = self._records.listed(None)
        space = self._records.space()
        vectors = self._records.vectors(space, self._records.unseen(records))
        scopes: dict[str, tuple[int, int]] = {}
        kinds: dict[str, int] = {}
        for record in records:
            path, kind = record.document.scope_path, record.document.kind
            count, chunks = scopes.get(path, (0, 0))
            scopes[path] = (count + 1, chunks + record.chunks)
            kinds[kind] = kinds.get(kind, 0) + 1
        return StoreStats(
            documents=len(records),
            chunks=sum(record.chunks for record in records),
            characters=sum(record.characters for record in records),
            file_bytes=self._link.folder_bytes(),
            scopes=tuple((path, *counts) for path, counts in sorted(scopes.items())),
            kinds=tuple(sorted(kinds.items())),
            schema_version=self._records.version,
            vectors=vectors,
            embedding=space.embedding if space is not None and vectors else None,
        )

    def revision(self) -> int:
        """A number that grows with every change of content, seen the same by every process."""
        self._require_open()
        return self._records.revision()

    def vacuum(self) -> None:
        """Take away what changes that broke off have left, and in a folder write its files anew without it.

        A server gives room back when its optimizer thinks fit; its snapshots keep what they keep. No embedder may be
        replaced elsewhere meanwhile.

        Raises:
            StoreError: The store fails or is closed.
        """
        with self._link.writing:
            self._require_open()
            self._writer.tidy()

    def check(self) -> tuple[str, ...]:
        """What is wrong with the store, in plain sentences; empty where it is sound. Nothing is changed.

        It reads every passage, cuts it into words again, and looks at every vector.

        Raises:
            StoreError: The store is closed, or cannot be reached.
        """
        from ._qdrant_check import faults

        self._require_open()
        return faults(self._records, self._analyzer)

    def close(self) -> None:
        """Release the client. Calling it twice is fine; any other call afterwards raises StoreError."""
        with self._link.writing:
            if not self._closed:
                self._closed = True
                self._link.close()
                self._analyzer.close()


def _named(
    records: Sequence[Record],
    labels: dict[str, dict[str, str]],
    wanted: Callable[[str], bool],
    *,
    with_origins: bool,
) -> tuple[list[Record], list[tuple[Record, list[str]]]]:
    """Documents a pattern names, and of other documents the ids of the passages it names.

    ``labels`` are those of passages by their ids, for each generation.
    """
    whole = [
        record
        for record in records
        if wanted(record.document.file) or (with_origins and wanted(record.document.origin))
    ]
    names = {record.id for record in whole}
    parts = [
        (record, [name for name, label in labels.get(record.generation, {}).items() if wanted(label)])
        for record in records
        if record.id not in names
    ]
    return whole, [(record, found) for record, found in parts if found]
