"""What a store of rows keeps, and what it is asked for: values and the port to an engine.

Rules of this module: it knows no engine. An engine keeps records of documents and rows of passages, reads them in one
consistent sight, and takes a change whole or not at all; scopes, documents and words go to it as digests, so that no
text ever stands in one of its filters.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from symfonic.adapters.knowledge.ports import Chunk, Document, DocumentRecord, EmbeddingSpace, embedded_text

from ._lexical import CONTEXT_WEIGHT
from ._schema import indexed_pieces
from ._space import embedding_hash
from ._writing import indexed_context

if TYPE_CHECKING:
    from ._lexical import Analyzer, Term
    from ._writing import Item

T = TypeVar("T")

FORMAT: Final = 1
"""Version of what is kept; a newer one is refused."""

TOGETHER: Final = 512
"""Documents and passages that are read at once."""

_ANALYZED: Final = 128
"""Passages cut into words at once."""

_WORD, _PIECE, _FIRST = "wpc"


def digest(*parts: str) -> str:
    """What tells texts apart in a filter: 40 hexadecimal digits."""
    lengths = ",".join(str(len(part)) for part in parts)
    return hashlib.sha256(f"{lengths}:{''.join(parts)}".encode()).hexdigest()[:40]


def scope_digest(path: str) -> str:
    """The digest of a scope path."""
    return digest("scope", path)


def document_digest(scope_path: str, origin: str) -> str:
    """The digest of a document's identity."""
    return digest("document", scope_path, origin)


def _number(kind: str, stem: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{kind}{stem}".encode()).digest()[:8], "big", signed=True)


def word_number(term: Term) -> int:
    """The number a term of a question is looked for by: 64 bits of a digest, so that two words never share one."""
    kind = _WORD if not term.piece else _FIRST if len(term.word) == 1 else _PIECE
    return _number(kind, term.stem)


@dataclass(frozen=True, slots=True)
class Words:
    """What is kept of the words of a passage.

    Attributes:
        length: Weighted words in it.
        counts: How often each stands in it, words of the context by their weight.
    """

    length: int
    counts: Mapping[int, int]


def analyzed(analyzer: Analyzer, chunks: Sequence[Chunk]) -> list[Words]:
    """The words of passages, cut as the embedded store cuts them."""
    found: list[Words] = []
    for start in range(0, len(chunks), _ANALYZED):
        passages = [
            (context, chunk.text, indexed_pieces(context, chunk.text))
            for chunk in chunks[start : start + _ANALYZED]
            for context in (indexed_context(chunk),)
        ]
        found += (
            Words(CONTEXT_WEIGHT * each.context + each.text, _numbered(each.counts))
            for each in analyzer.indexed(passages)
        )
    return found


def _numbered(counts: Sequence[tuple[str, str, int]]) -> dict[int, int]:
    found: dict[int, int] = {}
    for stem, column, count in counts:
        weight = CONTEXT_WEIGHT if column == "context" else 1
        kinds = [(_WORD, stem, weight)]
        if column == "pieces":
            kinds += [(_PIECE, stem, 1), (_FIRST, stem[0], 1)]
        for kind, text, factor in kinds:
            key = _number(kind, text)
            found[key] = found.get(key, 0) + factor * count
    return found


@dataclass(frozen=True, slots=True)
class Head:
    """What a store says of itself.

    Attributes:
        revision: Changes of content so far.
        space: Whose vectors it holds or awaits; ``None`` where nobody ever said.
        vectors: Where the engine keeps the vectors that count.
    """

    revision: int = 0
    space: EmbeddingSpace | None = None
    vectors: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """A document that is kept.

    Attributes:
        document: Its identity and state.
        chunks: Its passages.
        characters: Characters of these.
        length: Weighted words of these.
        generation: Which rows of passages are its; an engine that changes rows and records in one needs none.
    """

    document: Document
    chunks: int
    characters: int
    length: int
    generation: str = ""

    @property
    def key(self) -> str:
        """The digest of its identity."""
        return document_digest(self.document.scope_path, self.document.origin)

    @property
    def told(self) -> DocumentRecord:
        """As the port tells it."""
        return DocumentRecord(document=self.document, chunks=self.chunks, characters=self.characters)


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that is kept, or is to be.

    Attributes:
        chunk: What was put.
        words: Its words.
        vector: Its vector as it is stored; empty where it has none.
    """

    chunk: Chunk
    words: Words
    vector: bytes = b""

    @property
    def hash(self) -> bytes:
        """What tells its embedded text from others."""
        return embedding_hash(embedded_text(self.chunk))


def together(records: Sequence[Record]) -> Iterator[list[Record]]:
    """Documents in their order, some at once: as many as have some hundred passages, and one at least."""
    part: list[Record] = []
    size = 0
    for record in records:
        if part and size + record.chunks >= TOGETHER:
            yield part
            part, size = [], 0
        part.append(record)
        size += 1 + record.chunks
    if part:
        yield part


@dataclass(frozen=True, slots=True)
class New:
    """A document with all its passages, as it is to be from now on."""

    record: Record
    passages: Sequence[Passage]


def new_document(document: Document, passages: Sequence[Passage]) -> New:
    """A document as it is to be, with its totals."""
    characters = sum(len(passage.chunk.text) for passage in passages)
    length = sum(passage.words.length for passage in passages)
    return New(Record(document, len(passages), characters, length), passages)


def prepared(analyzer: Analyzer, item: Item) -> New:
    """An item as it is to be."""
    vectors = item.vectors or [b""] * len(item.chunks)
    words = analyzed(analyzer, item.chunks)
    return new_document(
        item.document,
        [Passage(*each) for each in zip(item.chunks, words, vectors, strict=True)],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is to be different, all of it at once.

    Attributes:
        put: Documents in place of those under their identities.
        gone: Documents that are to be no more.
        space: Whose vectors the store holds from now on; ``None`` leaves that as it is.
        renewed: Whether the vectors so far are dropped.
    """

    put: Sequence[New] = ()
    gone: Sequence[Record] = ()
    space: EmbeddingSpace | None = None
    renewed: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """A passage that holds words of a question: its id in this sight, its length, and how often it holds each."""

    passage: str
    length: int
    counts: Sequence[int]


@dataclass(frozen=True, slots=True)
class Embedded:
    """A passage as it is embedded: its id, its scope's path, what tells its text from others, and that text."""

    passage: str
    path: str
    hash: bytes
    text: str


class Sight(Protocol):
    """One consistent reading of a store. Ids of passages count inside it only."""

    head: Head

    def records(self, scope: str | None = None) -> list[Record]:
        """Documents stored exactly at the scope with that digest, in no order; of all scopes for ``None``."""
        ...

    def record(self, key: str) -> Record | None:
        """The document with that digest."""
        ...

    def some(self, keys: Sequence[str]) -> list[Record]:
        """Those of the documents with these digests that are there, in no order."""
        ...

    def passages(self, records: Sequence[Record]) -> dict[str, list[Passage]]:
        """All passages by ordinal of some documents, by their digest; a document without any may be missing."""
        ...

    def labels(self, scope: str) -> dict[str, dict[int, str]]:
        """Labels of the passages stored exactly at the scope with that digest, by document and ordinal."""
        ...

    def totals(self, scopes: Collection[str] | None = None) -> tuple[int, int]:
        """How many passages there are at these scopes, and their length; of all scopes for ``None``."""
        ...

    def any_passages(self) -> bool:
        """Whether the store holds any passage."""
        ...

    def vector_count(self) -> int:
        """How many passages have a vector."""
        ...

    def holding(self, scopes: Collection[str], words: Sequence[int]) -> list[Held]:
        """Every passage at these scopes that holds any of the words."""
        ...

    def nearest(self, scopes: Collection[str], question: bytes, count: int) -> list[tuple[str, float]]:
        """The ``count`` passages at these scopes whose vectors are nearest, with their cosines about; fewer: all."""
        ...

    def vectors(self, passages: Collection[str]) -> dict[str, bytes]:
        """Vectors of those passages that have one."""
        ...

    def loaded(self, passages: Collection[str]) -> dict[str, tuple[Document, Chunk]]:
        """Passages with their documents."""
        ...

    def known(self, scope: str, hashes: Collection[bytes]) -> dict[bytes, bytes]:
        """Vectors stored exactly at a scope by the hash of what was embedded."""
        ...

    def without_vector(self) -> list[str]:
        """Names of the passages that have no vector, in an order; such names count in other sights too."""
        ...

    def embedded(self, names: Collection[str]) -> list[Embedded]:
        """Passages by such names, in an order; those that are gone are passed over."""
        ...


class Shelf(Protocol):
    """An engine: what reads and changes a store, from any thread."""

    def read(self, work: Callable[[Sight], T]) -> T:
        """What ``work`` answers from one sight; it may be asked again where that went away."""
        ...

    def write(self, work: Callable[[Sight], tuple[T, Change | None]]) -> T:
        """Carry out the change that ``work`` wants, while nobody else changes anything."""
        ...

    def add_vectors(self, space: EmbeddingSpace, vectors: Mapping[str, tuple[bytes, bytes]]) -> None:
        """Give vectors, each with the hash of its text, to passages by name; those gone meanwhile are passed over."""
        ...

    def file_bytes(self) -> int:
        """What the store takes on this machine, in bytes; 0 where it is another one."""
        ...

    def vacuum(self) -> None:
        """Give space back."""
        ...

    def faults(self, sight: Sight) -> list[str]:
        """What of the engine's own is not as it should be, a sentence each."""
        ...

    def close(self) -> None:
        """Release everything."""
        ...


@dataclass(slots=True)
class Named:
    """What a pattern names: whole documents, and of others the ordinals of passages."""

    records: list[Record] = field(default_factory=list)
    parts: list[tuple[Record, set[int]]] = field(default_factory=list)
