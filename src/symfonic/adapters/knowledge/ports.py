"""What passes between ingestion, a store, an extractor, an embedder, a reranker and a model.

Rules of this module: values and Protocols only. It knows no store, no file format, no model and no outside library;
every adapter stands on it and adapters never import each other. Read access to a store is the capability's own port
(``ScopedKnowledgeRetriever``); this module adds the write side.

::

    AdapterError                 an outside part did not do its work
    ├── EmbeddingError           text that could not become vectors
    ├── ExtractionError          bytes that could not become text
    ├── ModelError               a model that did not answer, or not to the end
    └── StoreError               the store could not be opened, read or written
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from ._telemetry_port import Attributes, AttributeValue, Span, Telemetry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from symfonic.capabilities.knowledge import RetrievedFragment

__all__ = [
    "AdapterError",
    "AttributeValue",
    "Attributes",
    "BulkStore",
    "ChatMessage",
    "ChatModel",
    "CheckedStore",
    "Chunk",
    "Completion",
    "Document",
    "DocumentRecord",
    "Embedder",
    "EmbeddingError",
    "EmbeddingSpace",
    "Extraction",
    "ExtractionError",
    "Extractor",
    "FinishReason",
    "KnowledgeStore",
    "ModelError",
    "Removal",
    "Reranker",
    "SearchResultModel",
    "Section",
    "Span",
    "StoreError",
    "StoreStats",
    "StoredChunk",
    "Telemetry",
    "VectorStore",
    "embedded_text",
    "retrieved_text",
]


class AdapterError(Exception):
    """An outside part did not do its work; the message gives rule, consequence and remedy."""


class ExtractionError(AdapterError):
    """Bytes that could not become text.

    Attributes:
        code: A stable word for programs: ``unsupported``, ``empty``, ``binary``, ``encrypted``, ``damaged``, ``limit``,
            and ``unavailable`` where the library for the format is not installed (the message names the extra).
        limit: Where the code is ``limit``, a stable word for which one: ``seconds``, ``memory``, ``characters``,
            ``members`` (of an archive, a message, a tag), ``unpacked-bytes``, ``ratio`` (of unpacked to packed),
            ``depth``, ``bytes``.
    """

    def __init__(self, message: str, *, code: str, limit: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.limit = limit

    def __reduce__(self) -> tuple[object, ...]:
        """Keep the code when the error crosses a process boundary."""
        return (_restore_extraction_error, (self.args[0], self.code, self.limit))


def _restore_extraction_error(message: str, code: str, limit: str) -> ExtractionError:
    return ExtractionError(message, code=code, limit=limit)


class EmbeddingError(AdapterError):
    """Text that could not become vectors: the model is not there, did not answer, or answered something else."""


class ModelError(AdapterError):
    """A model that did not answer, or not to the end. No message repeats what the other side said, nor any key.

    Attributes:
        code: A stable word for programs: ``unreachable`` (no connection), ``timeout`` (nothing came for too long),
            ``credentials`` (the key was refused, or is missing), ``not-found`` (no such model or address),
            ``rate-limit``, ``refused`` (any other fault of the request), ``server`` (a fault over there),
            ``malformed`` (an answer that is none), ``interrupted`` (it broke off), ``too-long``, and ``unavailable``
            where a part is not installed (the message names the extra).
        status: The HTTP status behind it; ``None`` where there was none.
    """

    def __init__(self, message: str, *, code: str, status: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.status = status

    def __reduce__(self) -> tuple[object, ...]:
        """Keep code and status when the error crosses a process boundary."""
        return (_restore_model_error, (self.args[0], self.code, self.status))


def _restore_model_error(message: str, code: str, status: int | None) -> ModelError:
    return ModelError(message, code=code, status=status)


class StoreError(AdapterError):
    """The store could not be opened, read or written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A stretch of extracted text with its place in the document.

    Attributes:
        text: Plain text, line feeds between lines.
        headings: Titles from the document's root down to this section; empty where the format has none. The name of a
            sheet is the heading of what stands in it.
        page: One-based number of the page or slide, where the format has some.
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
        hidden: Characters, white space aside, that were left out because no reader of the file sees them, by why, each
            once and sorted: ``colour`` (that of what lies behind it), ``hidden`` (the file says so), ``place`` (outside
            what is shown), ``size`` (next to none), ``transparent``; beside them ``formula``, which counts cells: those
            of a workbook whose formula was saved without a result.
    """

    kind: str
    sections: tuple[Section, ...]
    hidden: tuple[tuple[str, int], ...] = ()


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
        text: The passage; it never exceeds the ceiling it was split under. Those of a document, joined, are its text,
            so white space between two of them stands at the end of the first; :func:`retrieved_text` is without it.
        label: The raw name of its place: the file, then `` § heading``, `` p. N`` or `` slide N`` where known. It may
            hold anything its author wrote; the boundary makes it safe to show.
        ordinal: Zero-based position in its document.
        heading: Heading path as one text, parts joined by `` > ``; searched together with the text.
        page: One-based number of its page or slide, where the format has some.
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
class EmbeddingSpace:
    """What makes vectors comparable with each other.

    Attributes:
        name: Name of the model, with whatever else decides its vectors (revision, precision).
        dimensions: Numbers in each vector.
    """

    name: str
    dimensions: int


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
        vectors: Number of passages that have a vector; 0 where nothing was ever embedded.
        embedding: Whose vectors they are; ``None`` where there are none.
    """

    documents: int
    chunks: int
    characters: int
    file_bytes: int
    scopes: tuple[tuple[str, int, int], ...] = ()
    kinds: tuple[tuple[str, int], ...] = ()
    schema_version: int = 0
    vectors: int = 0
    embedding: EmbeddingSpace | None = None


class KnowledgeStore(Protocol):
    """A store that ingestion can fill and the boundary can ask. Every method may be called from any thread.

    Every method raises :class:`StoreError` where the store fails, and nothing of the underlying library.
    """

    def search(self, query: str, limit: int, *, scope_path: str = "") -> Sequence[RetrievedFragment]:
        """Rank what is visible at ``scope_path`` (stored there or at an ancestor) for ``query``.

        Rows come best first under ``(-score, source, content)``. Rows that tie with the last one may be returned as
        well, so that the boundary can choose among them; a store bounds their number and cuts in that same order, for
        insertion order must never decide what is left out. Content is the :func:`retrieved_text` of the passage.

        Metadata carries ``scope_path``, ``document`` (the same text for all passages of one document, and of no other),
        ``file``, ``ordinal``, and where known ``page`` and ``heading``; besides, ``slide`` is the page of a ``pptx``
        and ``sheet`` the heading of an ``xlsx``, ``xls`` or ``ods``. The first two are reserved: the store writes them
        from the :class:`Document` it was given, never from content or metadata of others, for they decide who sees a
        row and whose places it uses up. The score is a similarity in [0, 1].
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


class Embedder(Protocol):
    """Text to vectors. Every method may be called from any thread.

    A vector is a row of finite numbers, as many as :attr:`dimensions`; a NumPy array is one. Vectors are compared by
    the cosine of their angle, so their length does not matter, but a vector of zeros is none. The same text has the
    same vector whatever it is embedded with.

    Every method raises :class:`EmbeddingError`, and nothing of the underlying library.
    """

    @property
    def name(self) -> str:
        """Name of the model, with whatever else decides its vectors. Equal names: vectors that can be compared."""
        ...

    @property
    def dimensions(self) -> int:
        """Numbers in each vector, at least 1."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> Iterable[Iterable[float]]:
        """One vector for each passage, in their order."""
        ...

    def embed_query(self, text: str) -> Iterable[float]:
        """The vector of a question."""
        ...


@runtime_checkable
class VectorStore(KnowledgeStore, Protocol):
    """A store that finds passages by their meaning as well, with the vectors of one embedder.

    A vector that is not of the embedder's dimensions, finite and other than zero is a :class:`StoreError`. What the
    embedder raises is an :class:`EmbeddingError`.
    """

    @property
    def embedder(self) -> Embedder | None:
        """What embeds questions, and passages that come without a vector; ``None`` where words alone are searched."""
        ...

    def search(
        self, query: str, limit: int, *, scope_path: str = "", vector: Iterable[float] | None = None
    ) -> Sequence[RetrievedFragment]:
        """Rank as any store, by meaning as well; ``vector`` is the question's, which the embedder makes otherwise."""
        ...

    def put(
        self, document: Document, chunks: Sequence[Chunk], *, vectors: Iterable[Iterable[float]] | None = None
    ) -> None:
        """Store a document with one vector for each passage, of :func:`embedded_text`; all or nothing.

        Without ``vectors`` the store's embedder makes those that are not :meth:`known_vectors` already.
        """
        ...

    def known_vectors(self, texts: Sequence[str], *, scope_path: str = "") -> Sequence[Sequence[float] | None]:
        """The vector of each text where a passage stored exactly at ``scope_path`` has it, or else ``None``.

        With it nothing is embedded twice for one scope. Another scope lends nothing, for whoever stores there may have
        given any vector.
        """
        ...

    def embed(self, *, anew: bool = False, on_progress: Callable[[int, int], None] | None = None) -> int:
        """Embed the passages that have no vector; ``anew`` first drops all vectors, also those of another embedder.

        ``on_progress`` is told how many passages are done, and how many there are to do. Interrupted, it goes on where
        it was. Returns how many passages were embedded. Where some cannot be, the others are stored, and an
        :class:`EmbeddingError` at the end says how many are left; an embedder that embeds nothing ends it at once.
        """
        ...


@runtime_checkable
class BulkStore(Protocol):
    """A store that takes several documents at once with less work for each. Ingestion then hands over small ones so."""

    def put_many(self, items: Iterable[tuple[Document, Sequence[Chunk], Iterable[Iterable[float]] | None]]) -> None:
        """Store documents with their passages and, where the store keeps vectors, one for each passage or ``None``.

        Each document is stored whole or not at all, as by ``put``; of several under one identity the last one stays.
        When it returns, all are. After an error some may be: those at the beginning, without a gap.

        Raises:
            StoreError: The store failed, or refused a document.
            EmbeddingError: The embedder could not embed a passage that came without a vector.
        """
        ...


@runtime_checkable
class CheckedStore(Protocol):
    """A store that can tell whether what it keeps is sound."""

    def check(self) -> tuple[str, ...]:
        """What is wrong, one plain sentence each; nothing where it is sound. Nothing is changed.

        Raises:
            StoreError: It could not be looked at. A fault it finds is no error.
        """
        ...


class Reranker(Protocol):
    """Scores again what a store found, with more care than a store can spend on everything. Called from any thread."""

    def rerank(self, query: str, rows: Sequence[RetrievedFragment]) -> Iterable[float]:
        """One similarity in [0, 1] for each row, in their order; of the query and the row alone."""
        ...


def embedded_text(chunk: Chunk) -> str:
    """What of a passage is embedded: its headings, if any, and its :func:`retrieved_text`. The name of its file is not.

    A file can therefore be renamed, and white space move to the next passage, without embedding anything again.
    """
    text = retrieved_text(chunk.text)
    return f"{chunk.heading}\n{text}" if chunk.heading else text


def retrieved_text(text: str) -> str:
    """What of a passage's text a search answers: no blank lines at its beginning and no white space at its end.

    The first line that shows keeps its indent, which may mean something.
    """
    text = text.rstrip()
    start = text.rfind("\n", 0, len(text) - len(text.lstrip())) + 1
    return text[start:]


_ROLES: Final = frozenset({"system", "user", "assistant"})


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message to a model.

    Args:
        role: ``system``, ``user`` or ``assistant``.
        content: Its text, exactly as it is sent.

    Raises:
        ValueError: Another role, or a content that is no text.
    """

    role: str
    content: str

    def __post_init__(self) -> None:
        if self.role not in _ROLES:
            raise ValueError(
                f"a message's role is one of {', '.join(sorted(_ROLES))}, not {self.role!a}; a model would not know "
                "who speaks and nothing is sent; correct it"
            )
        if not isinstance(self.content, str):
            raise ValueError(  # noqa: TRY004 - every refusal of a value is a ValueError
                f"a message's content is a str, not {type(self.content).__name__}; nothing is sent; pass text"
            )


class FinishReason(StrEnum):
    """Why an answer ended."""

    STOP = "stop"
    """The model had said all it would."""
    LENGTH = "length"
    """It was cut off at the largest number of tokens."""
    FILTERED = "filtered"
    """The other side withheld the rest."""
    OTHER = "other"
    """A reason this list does not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """How an answer ended, and what it took.

    Attributes:
        finish: Why it ended.
        model: What answered, as the other side names it; raw.
        prompt_tokens: Tokens read; ``None`` where nobody counted.
        answer_tokens: Tokens written; ``None`` where nobody counted.
    """

    finish: FinishReason = FinishReason.STOP
    model: str = ""
    prompt_tokens: int | None = None
    answer_tokens: int | None = None


class ChatModel(Protocol):
    """A model that answers messages with a text that grows."""

    def stream(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
        """Answer piece by piece; pieces may be of any size, empty ones included.

        The iterator raises :class:`ModelError` where the answer cannot begin or go on; nothing else is raised for
        anything the other side does. Pieces that came before stand. Where it is a generator, it may return a
        :class:`Completion`, and ``close()`` ends the answer early and releases what it held.
        """
        ...


@runtime_checkable
class SearchResultModel(ChatModel, Protocol):
    """A model whose provider takes evidence apart from the prompt, as search results, and cites it by number.

    It is asked with a request in the provider's own shape, and answers with the provider's own events; what these cite
    is known to whoever made the request.
    """

    def stream_search_results(self, request: Mapping[str, Any]) -> Iterator[object]:
        """Answer event by event; raises and ends as :meth:`ChatModel.stream`."""
        ...
