"""The outline of each request to a store of rows, whatever the engine: validate, embed, cut into words, hand over.

Rules of this module: it knows the port to an engine (:mod:`._rowstore_values`) and no engine. The embedder is asked
before a change begins; everything that can be refused is refused before anything is written.
"""

from __future__ import annotations

import fnmatch
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Self

from symfonic.adapters.knowledge.ports import Document, Removal, StoredChunk, StoreError, StoreStats, embedded_text
from symfonic.capabilities.knowledge import SCOPE_PATH_DELIMITER

from . import _rowstore_embedding as embedding
from . import _writing
from ._embedding import refuse_vectors, require_question
from ._lexical import Analyzer
from ._reading import PLACE_PATTERN
from ._rowstore_check import faults
from ._rowstore_ranking import Nearness, rank
from ._rowstore_values import (
    FORMAT,
    Change,
    Named,
    New,
    Record,
    Shelf,
    Sight,
    document_digest,
    new_document,
    prepared,
    scope_digest,
    together,
)
from ._space import embedding_hash, floats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import TracebackType

    from symfonic.adapters.knowledge.ports import Chunk, DocumentRecord, Embedder
    from symfonic.capabilities.knowledge import RetrievedFragment

GROUP: Final = 1_024
"""Documents and passages that share a change when many are put."""


class RowStore:
    """A knowledge store over an engine; see the classes that are made of it."""

    _needs_embedder: str | None = None
    """Why nothing is found without an embedder; ``None`` where words are searched."""

    def __init__(self, shelf: Shelf, embedder: embedding.RowEmbedding | None) -> None:
        self._shelf = shelf
        self._embedding = embedder
        self._analyzer = Analyzer()

    @property
    def embedder(self) -> Embedder | None:
        """What embeds questions, and passages that come without a vector; ``None`` where words alone are searched."""
        return None if self._embedding is None else self._embedding.embedder

    def __enter__(self) -> Self:
        self.revision()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

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
        require_question(query, limit)
        scopes = [scope_digest(path) for path in _writing.ancestors(scope_path)]
        terms = self._analyzer.terms(query)  # of a closed store it is refused here
        if self._embedding is None:
            refuse_vectors(vector)
            return self._shelf.read(lambda sight: rank(sight, terms, scopes, limit, None))
        if not limit or (vector is None and not query.strip()):
            return []  # nothing is asked
        asked = self._embedding.question(self._shelf, query, vector)

        def work(sight: Sight) -> list[RetrievedFragment]:
            embedding.require(sight, asked.space)
            return rank(sight, terms, scopes, limit, Nearness(asked.vector, asked.space))

        return self._shelf.read(work)

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
        passages = _writing.validated(document, chunks, set())
        self._write([self._item(document, passages, vectors)])

    def put_many(self, items: Iterable[tuple[Document, Sequence[Chunk], Iterable[Iterable[float]] | None]]) -> None:
        """Store many documents with less work for each: some thousand passages share a change.

        Args:
            items: Documents with their passages and their vectors, ``None`` for those the embedder shall make; read as
                they are needed. Each is stored as by :meth:`put`; of several under one identity the last one stays.

        Raises:
            StoreError: As for :meth:`put`; each document is stored whole or not at all, and those of changes before
                stay.
            EmbeddingError: The embedder could not embed a passage; the same holds.
        """
        self.revision()
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
        encoded = self._embedding.of_texts(self._shelf, texts, vectors, document.scope_path)
        return _writing.Item(document, chunks, *encoded)

    def _waiting(self, document: Document, chunks: Sequence[Chunk], vectors: object) -> _writing.Item | None:
        """A document whose vectors are encoded with those of others, where they can be."""
        matrix = None if self._embedding is None else self._embedding.copied(vectors)
        return None if matrix is None else _writing.Item(document, chunks, matrix=matrix)

    def _write(self, items: Sequence[_writing.Item]) -> None:
        if self._embedding is not None:
            items = self._embedding.settled(self._shelf, items)
        latest = {(item.document.scope_path, item.document.origin): item for item in items}
        put = [prepared(self._analyzer, item) for item in latest.values()]
        spaces = {item.space for item in items if item.space is not None}

        def work(sight: Sight) -> tuple[None, Change]:
            if self._embedding is None:
                embedding.require_none(sight)
            else:
                self._embedding.require(sight)
            for space in spaces:
                embedding.require(sight, space)
            return None, Change(put=put, space=next(iter(spaces), None))

        self._shelf.write(work)

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

        def work(sight: Sight) -> dict[bytes, bytes]:
            if self._embedding is not None:
                self._embedding.require(sight)
            return embedding.known_at(sight, hashes, scope_path)

        found = self._shelf.read(work)
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
        self.revision()
        _writing.require_flag("anew", anew)
        _writing.require_callback("on_progress", on_progress)
        if self._embedding is None:
            raise StoreError(
                "an embedder makes the vectors; this store was opened without one and nothing was done; open it "
                "with one"
            )
        return self._embedding.embed(self._shelf, anew=anew, on_progress=on_progress)

    def get(self, scope_path: str, origin: str) -> DocumentRecord | None:
        """Return the document stored under that identity."""
        _writing.ancestors(scope_path)
        _writing.require_text("origin", origin)
        found = self._shelf.read(lambda sight: sight.record(document_digest(scope_path, origin)))
        return None if found is None else found.told

    def documents(self, *, scope_path: str | None = None) -> Iterator[DocumentRecord]:
        """Documents stored exactly at ``scope_path`` (all scopes when ``None``), ordered by scope path, file, origin.

        They are read in one sight; a change made meanwhile does not show.
        """
        for record in self._records(scope_path):
            yield record.told

    def _records(self, scope_path: str | None) -> list[Record]:
        if scope_path is not None:
            _writing.ancestors(scope_path)
        scope = None if scope_path is None else scope_digest(scope_path)
        found = self._shelf.read(lambda sight: sight.records(scope))
        return sorted(found, key=_listed)

    def chunks(self, *, scope_path: str | None = None) -> Iterator[StoredChunk]:
        """Passages stored exactly at ``scope_path`` (all when ``None``), in document order, then by ordinal.

        Each document is read in one sight; one that was replaced meanwhile comes as it is then.
        """
        for part in together(self._records(scope_path)):
            keys = [record.key for record in part]
            yield from self._shelf.read(lambda sight, keys=keys: _stored(sight, keys))  # type: ignore[misc]  # bound now

    def remove(self, documents: Iterable[Document]) -> Removal:
        """Remove these documents in one change; those not stored are passed over.

        Raises:
            StoreError: The store fails or is closed; nothing was removed.
        """
        keys = dict.fromkeys(document_digest(each.scope_path, each.origin) for each in _writing.documents(documents))

        def work(sight: Sight) -> tuple[Removal, Change | None]:
            return _removal(sight.some(list(keys)))

        return self._shelf.write(work)

    def forget(self, pattern: str, *, scope_path: str) -> Removal:
        """Remove, in one change and exactly at ``scope_path``, what a label or a glob names.

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

        def work(sight: Sight) -> tuple[Removal, Change | None]:
            named = _named_by(sight, pattern, scope_digest(scope_path))
            rest = [_without(record, sight, ordinals) for record, ordinals in named.parts]
            emptied = [record for (record, _), new in zip(named.parts, rest, strict=True) if not new.passages]
            gone, change = _removal([*named.records, *emptied], [new for new in rest if new.passages])
            taken = sum(len(part) for _, part in named.parts)
            lost = sum(record.chunks for record in emptied)
            return Removal(documents=gone.documents, chunks=gone.chunks - lost + taken), change

        return self._shelf.write(work)

    def forget_scope(self, scope_path: str) -> Removal:
        """Remove, in one change, everything stored at ``scope_path`` and below it; ``""`` is everything.

        Raises:
            StoreError: As for :meth:`remove`.
        """
        _writing.ancestors(scope_path)
        below = f"{scope_path}{SCOPE_PATH_DELIMITER}"

        def work(sight: Sight) -> tuple[Removal, Change | None]:
            return _removal(
                [
                    record
                    for record in sight.records()
                    if not scope_path
                    or record.document.scope_path == scope_path
                    or record.document.scope_path.startswith(below)
                ]
            )

        return self._shelf.write(work)

    def stats(self) -> StoreStats:
        """Totals over the whole store; ``file_bytes`` is what it takes on this machine, 0 where it is another one."""
        stats = self._shelf.read(_stats)
        return replace(stats, file_bytes=self._shelf.file_bytes())

    def revision(self) -> int:
        """A number that grows with every change of content, seen the same by every process."""
        return self._shelf.read(lambda sight: sight.head.revision)

    def vacuum(self) -> None:
        """Give the space of removed content back to the file system.

        Raises:
            StoreError: The store fails or is closed.
        """
        self._shelf.vacuum()

    def check(self) -> tuple[str, ...]:
        """What is wrong with the store, in plain sentences; empty where it is sound. Nothing is changed.

        It reads every passage, cuts it into words again, and looks at every vector.

        Raises:
            StoreError: The store is closed, or cannot be read.
        """
        return self._shelf.read(lambda sight: (*faults(sight, self._analyzer), *self._shelf.faults(sight)))

    def close(self) -> None:
        """Release everything. Calling it twice is fine; any other call afterwards raises StoreError."""
        self._shelf.close()
        self._analyzer.close()


def _listed(record: Record) -> tuple[str, str, str]:
    return record.document.scope_path, record.document.file, record.document.origin


def _stored(sight: Sight, keys: Sequence[str]) -> list[StoredChunk]:
    records = {record.key: record for record in sight.some(keys)}
    passages = sight.passages(list(records.values()))
    return [
        StoredChunk(document=records[key].document, chunk=passage.chunk)
        for key in keys
        for passage in passages.get(key, ())
    ]


def _removal(gone: Sequence[Record], put: Sequence[New] = ()) -> tuple[Removal, Change | None]:
    removal = Removal(documents=len(gone), chunks=sum(record.chunks for record in gone))
    return removal, Change(gone=gone, put=put) if gone or put else None


def _without(record: Record, sight: Sight, ordinals: set[int]) -> New:
    """A document without some of its passages, marked as incomplete."""
    passages = sight.passages([record]).get(record.key, [])
    kept = [passage for passage in passages if passage.chunk.ordinal not in ordinals]
    return new_document(replace(record.document, digest=""), kept)


def _named_by(sight: Sight, pattern: str, scope: str) -> Named:
    """What is called ``pattern``; without anything, what it matches as a glob."""
    records = sorted(sight.records(scope), key=_listed)
    labels = sight.labels(scope)
    exact = _select(labels, records, lambda name: name == pattern, with_origins=True)
    if exact.records or exact.parts:
        return exact
    matches = re.compile(fnmatch.translate(pattern)).match
    with_origins = PLACE_PATTERN.match(pattern) is not None
    return _select(labels, records, lambda name: matches(name) is not None, with_origins=with_origins)


def _select(
    labels: Mapping[str, Mapping[int, str]],
    records: Sequence[Record],
    wanted: Callable[[str], bool],
    *,
    with_origins: bool,
) -> Named:
    named = Named()
    for record in records:
        if wanted(record.document.file) or (with_origins and wanted(record.document.origin)):
            named.records.append(record)
            continue
        part = {ordinal for ordinal, label in labels.get(record.key, {}).items() if wanted(label)}
        if part:
            named.parts.append((record, part))
    return named


def _stats(sight: Sight) -> StoreStats:
    scopes: dict[str, list[int]] = {}
    kinds: dict[str, int] = {}
    records = sight.records()
    for record in records:
        totals = scopes.setdefault(record.document.scope_path, [0, 0])
        totals[0] += 1
        totals[1] += record.chunks
        kinds[record.document.kind] = kinds.get(record.document.kind, 0) + 1
    vectors = sight.vector_count()
    return StoreStats(
        documents=len(records),
        chunks=sum(record.chunks for record in records),
        characters=sum(record.characters for record in records),
        file_bytes=0,
        scopes=tuple((path, *scopes[path]) for path in sorted(scopes)),  # type: ignore[misc]  # two numbers each
        kinds=tuple(sorted(kinds.items())),
        schema_version=FORMAT,
        vectors=vectors,
        embedding=sight.head.space if vectors else None,
    )


def named_embedder(embedder: Any) -> embedding.RowEmbedding | None:
    """What an embedder does for a store; ``None`` where there is none."""
    return None if embedder is None else embedding.RowEmbedding(embedder)
