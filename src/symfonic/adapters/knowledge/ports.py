"""What passes between ingestion, a store and an extractor.

Rules of this module: values and Protocols only. It knows no store, no file format and no outside library; every adapter
stands on it and adapters never import each other. Read access to a store is the capability's own port
(``ScopedKnowledgeRetriever``); this module adds the write side.

::

    AdapterError                 an outside part did not do its work
    ├── ExtractionError          bytes that could not become text
    └── StoreError               the store could not be opened, read or written
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from symfonic.capabilities.knowledge import RetrievedFragment

__all__ = [
    "AdapterError",
    "Chunk",
    "Document",
    "DocumentRecord",
    "Extraction",
    "ExtractionError",
    "Extractor",
    "KnowledgeStore",
    "Removal",
    "Section",
    "StoreError",
    "StoreStats",
    "StoredChunk",
]


class AdapterError(Exception):
    """An outside part did not do its work; the message gives rule, consequence and remedy."""


class ExtractionError(AdapterError):
    """Bytes that could not become text.

    Attributes:
        code: A stable word for programs: ``unsupported``, ``empty``, ``binary``, ``encrypted``, ``damaged``, ``limit``,
            and ``unavailable`` where the library for the format is not installed (the message names the extra).
    """

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[object, ...]:
        """Keep the code when the error crosses a process boundary."""
        return (_restore_extraction_error, (self.args[0], self.code))


def _restore_extraction_error(message: str, code: str) -> ExtractionError:
    return ExtractionError(message, code=code)


class StoreError(AdapterError):
    """The store could not be opened, read or written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A stretch of extracted text with its place in the document.

    Attributes:
        text: Plain text, line feeds between lines.
        headings: Titles from the document's root down to this section; empty where the format has none.
        page: One-based page number, where the format has pages.
    """

    text: str
    headings: tuple[str, ...] = ()
    page: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What an extractor made of one file.

    Attributes:
        kind: Short name of the format: ``markdown``, ``rst``, ``text``, ``html``, ``pdf``.
        sections: In reading order; their texts together are the whole extracted text.
    """

    kind: str
    sections: tuple[Section, ...]


class Extractor(Protocol):
    """Bytes to text for the formats of one outside library."""

    def extract(self, data: bytes, *, name: str) -> Extraction:
        """Return the text of ``data``.

        Args:
            data: The whole file.
            name: The file's name, for messages only; the caller has decided the format.

        Raises:
            ExtractionError: The bytes hold no text this extractor can find. Nothing else is raised for any input.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """One passage, ready to be stored.

    Attributes:
        text: The passage; it never exceeds the ceiling it was split under.
        label: The raw name of its place: the file, then `` § heading`` or `` p. N`` where known. It may hold anything
            its author wrote; the boundary makes it safe to show.
        ordinal: Zero-based position in its document.
        heading: Heading path as one text, parts joined by `` > ``; searched together with the text.
        page: One-based page number, where the format has pages.
    """

    text: str
    label: str
    ordinal: int
    heading: str = ""
    page: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Identity and state of one ingested document. ``(scope_path, origin)`` is its identity within a store.

    Attributes:
        scope_path: Scope path it is stored under; ``""`` is the whole deployment.
        origin: Where it came from: the absolute POSIX path of a file, or a URI.
        file: What a person calls it: the path relative to the ingest root, with ``/``.
        digest: Hex SHA-256 over the bytes and over everything else that decides its chunks. Equal digest, same chunks.
        kind: Format name as in :class:`Extraction`.
        size: Bytes of the original.
    """

    scope_path: str
    origin: str
    file: str
    digest: str
    kind: str = ""
    size: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRecord:
    """A stored document with what the store knows about it."""

    document: Document
    chunks: int
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredChunk:
    """A stored passage with the document it belongs to, as ``export`` writes it."""

    document: Document
    chunk: Chunk


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """What one removal took out."""

    documents: int = 0
    chunks: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreStats:
    """Totals of a store, or of one scope in it.

    Attributes:
        documents: Number of documents.
        chunks: Number of passages.
        characters: Characters over all passages.
        file_bytes: Size of the store's file, write-ahead log included.
        scopes: ``(scope path, documents, chunks)`` in path order.
        kinds: ``(format, documents)`` in name order.
        schema_version: Version of the store's schema.
    """

    documents: int
    chunks: int
    characters: int
    file_bytes: int
    scopes: tuple[tuple[str, int, int], ...] = ()
    kinds: tuple[tuple[str, int], ...] = ()
    schema_version: int = 0


class KnowledgeStore(Protocol):
    """A store that ingestion can fill and the boundary can ask. Every method may be called from any thread.

    Every method raises :class:`StoreError` where the store fails, and nothing of the underlying library.
    """

    def search(self, query: str, limit: int, *, scope_path: str = "") -> Sequence[RetrievedFragment]:
        """Rank what is visible at ``scope_path`` (stored there or at an ancestor) for ``query``.

        Rows come best first under ``(-score, source, content)``. Rows that tie with the last one may be returned as
        well, so that the boundary can choose among them; a store bounds their number and cuts in that same order, for
        insertion order must never decide what is left out. Metadata carries ``scope_path``, ``document`` (the same
        text for all passages of one document), ``file``, ``ordinal``, and ``page`` and ``heading`` where known. The
        score is a similarity in [0, 1].
        """
        ...

    def put(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Store a document; one already stored under its identity is replaced, all or nothing."""
        ...

    def get(self, scope_path: str, origin: str) -> DocumentRecord | None:
        """Return the document stored under that identity."""
        ...

    def documents(self, *, scope_path: str | None = None) -> Iterator[DocumentRecord]:
        """Documents stored exactly at ``scope_path`` (all when ``None``), by scope path, file, origin."""
        ...

    def chunks(self, *, scope_path: str | None = None) -> Iterator[StoredChunk]:
        """Passages stored exactly at ``scope_path`` (all when ``None``), in document order, then by ordinal."""
        ...

    def remove(self, documents: Iterable[Document]) -> Removal:
        """Remove these documents in one transaction; those not stored are passed over."""
        ...

    def forget(self, pattern: str, *, scope_path: str) -> Removal:
        """Remove, in one transaction and exactly at ``scope_path``, what a label or a glob names.

        ``pattern`` is compared with each document's ``file`` (the whole document goes) and with each passage's label
        (that passage goes; what stays of its document is marked incomplete so that the next ingest stores it anew).
        An exact match counts first; only where there is none is the pattern read as a glob.
        """
        ...

    def forget_scope(self, scope_path: str) -> Removal:
        """Remove, in one transaction, everything stored at ``scope_path`` and below it."""
        ...

    def stats(self) -> StoreStats:
        """Totals over the whole store."""
        ...

    def revision(self) -> int:
        """A number that grows with every change of content, seen the same by every process."""
        ...

    def vacuum(self) -> None:
        """Give the space of removed content back to the file system; nothing of it is left in the file."""
        ...

    def close(self) -> None:
        """Release every connection. Calling it twice is fine; any other call afterwards raises StoreError."""
        ...
