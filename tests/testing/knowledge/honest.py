"""An honest store in memory, in steps small enough that a test can replace one of them by a fault.

Rules of this module: it is written as plainly as possible and fast enough for small tests; all handles on one content
share its lock.
"""

from __future__ import annotations

import fnmatch
import math
import re
from dataclasses import dataclass, field, replace
from threading import RLock
from typing import TYPE_CHECKING, Any

from symfonic.adapters.knowledge.ports import (
    Chunk,
    Document,
    DocumentRecord,
    EmbeddingError,
    EmbeddingSpace,
    Removal,
    StoredChunk,
    StoreError,
    StoreStats,
    embedded_text,
    retrieved_text,
)
from symfonic.capabilities.knowledge import BridgeContractError, RetrievedFragment, scope_ancestors

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

Vector = tuple[float, ...]


@dataclass
class Entry:
    """A stored document."""

    document: Document
    chunks: tuple[Chunk, ...]
    vectors: tuple[Vector | None, ...]


@dataclass
class Content:
    """What all handles on one store share."""

    entries: dict[Any, Entry] = field(default_factory=dict)
    revision: int = 0
    space: EmbeddingSpace | None = None
    lock: Any = field(default_factory=RLock)


class HonestStore:
    """Implements ``VectorStore``, ``BulkStore`` and ``CheckedStore`` over a :class:`Content`."""

    def __init__(self, content: Content | None = None, embedder: Any = None) -> None:
        self.content = content or Content()
        self.embedder = embedder
        self.closed = False

    # -------------------------------------------------------------------------------------------- searching, in steps

    def search(
        self, query: str, limit: int, *, scope_path: str = "", vector: Iterable[float] | None = None
    ) -> Sequence[RetrievedFragment]:
        """Rank what is visible."""
        self.require_open()
        paths = self.ancestors(scope_path)
        asked, wanted = self.asked(query, vector), self.words(query)
        with self.content.lock:
            self.require_open()
            rows = [
                self.row(one, chunk, score)
                for one in self.visible(paths)
                for chunk, known in zip(one.chunks, one.vectors, strict=True)
                if (score := self.score(wanted, chunk, asked, known)) > 0
            ]
        return self.cut(self.ranked(rows), limit)

    def require_open(self) -> None:
        """Refuse what comes after close."""
        if self.closed:
            raise StoreError("the store is closed")

    def ancestors(self, path: str) -> tuple[str, ...]:
        """Paths visible from one."""
        try:
            return scope_ancestors(path)
        except BridgeContractError as error:
            raise StoreError(str(error)) from error

    def asked(self, query: str, vector: Iterable[float] | None) -> Vector | None:
        """The vector of a question."""
        if vector is not None:
            return self.sound(vector)
        if self.embedder is None:
            return None
        self.require_space()
        return tuple(self.embedder.embed_query(query))

    def visible(self, paths: Collection[str]) -> list[Entry]:
        """Entries that may be answered."""
        return [entry for entry in list(self.content.entries.values()) if entry.document.scope_path in paths]

    def score(self, wanted: frozenset[str], chunk: Chunk, asked: Vector | None, known: Vector | None) -> float:
        """A similarity."""
        lexical = len(wanted & self.words(f"{chunk.heading} {chunk.text}")) / len(wanted) if wanted else 0.0
        if asked is None:
            return lexical
        return 0.6 * lexical + 0.4 * (0.0 if known is None else max(0.0, self.cosine(asked, known)))

    def words(self, text: str) -> frozenset[str]:
        """Words of a text."""
        return frozenset(re.findall(r"\w+", text.casefold()))

    def cosine(self, one: Vector, other: Vector) -> float:
        """Of an angle."""
        length = math.sqrt(sum(x * x for x in one) * sum(x * x for x in other))
        return round(min(1.0, sum(x * y for x, y in zip(one, other, strict=True)) / length), 9)

    def row(self, one: Entry, chunk: Chunk, score: float) -> RetrievedFragment:
        """A passage as it is answered."""
        return RetrievedFragment(self.shown(chunk.text), chunk.label, score, self.metadata(one.document, chunk))

    def shown(self, text: str) -> str:
        """What of a text is answered."""
        return retrieved_text(text)

    def metadata(self, one: Document, chunk: Chunk) -> dict[str, Any]:
        """Where a passage comes from."""
        data: dict[str, Any] = {"scope_path": one.scope_path, "document": ascii(one.origin), "file": one.file}
        data["ordinal"] = chunk.ordinal
        if chunk.page is not None:
            data["slide" if one.kind == "pptx" else "page"] = chunk.page
        if chunk.heading:
            data["sheet" if one.kind in {"xlsx", "xls", "ods"} else "heading"] = chunk.heading
        return data

    def ranked(self, rows: list[RetrievedFragment]) -> list[RetrievedFragment]:
        """Best first."""
        return sorted(rows, key=lambda row: (-row.score, row.source, row.content))

    def cut(self, rows: list[RetrievedFragment], limit: int) -> list[RetrievedFragment]:
        """As many as are wanted."""
        return rows[: max(0, limit)]

    # ------------------------------------------------------------------------------------------------------- changing

    def put(
        self, document: Document, chunks: Sequence[Chunk], *, vectors: Iterable[Iterable[float]] | None = None
    ) -> None:
        """Store a document."""
        self.require_open()
        entry = self.entry(document, chunks, vectors)
        with self.content.lock:
            self.require_open()
            self.store(entry)
            self.changed()

    def entry(self, document: Document, chunks: Sequence[Chunk], vectors: Iterable[Iterable[float]] | None) -> Entry:
        """A document that can be stored."""
        given: tuple[Any, ...] = tuple(chunks)
        self.ancestors(document.scope_path)
        texts = [document.origin, document.file, document.digest, document.kind]
        for chunk in given:
            if not isinstance(chunk, Chunk) or not isinstance(chunk.text, str):
                raise StoreError("no passage")
            texts += [chunk.text, chunk.label, chunk.heading]
        self.require_encodable(texts)
        if len({chunk.ordinal for chunk in given}) != len(given):
            raise StoreError("an ordinal is used twice")
        return Entry(document, given, self.vectors(document, given, vectors))

    def require_encodable(self, texts: Sequence[str]) -> None:
        """Refuse lone surrogates."""
        if any("\ud800" <= letter <= "\udfff" for text in texts if not text.isascii() for letter in text):
            raise StoreError("a lone surrogate")

    def key(self, document: Document) -> Any:
        """Identity."""
        return document.scope_path, document.origin

    def store(self, entry: Entry) -> None:
        """Put an entry in its place."""
        self.content.entries[self.key(entry.document)] = entry

    def changed(self) -> None:
        """Count a change."""
        self.content.revision += 1

    def put_many(self, items: Iterable[tuple[Document, Sequence[Chunk], Any]]) -> None:
        """Store one by one."""
        for document, chunks, vectors in items:
            self.put(document, chunks, vectors=vectors)

    def remove(self, documents: Iterable[Document]) -> Removal:
        """Take out by identity."""
        self.require_open()
        with self.content.lock:
            return self.drop({self.key(one) for one in documents} & self.content.entries.keys())

    def drop(self, keys: Collection[Any]) -> Removal:
        """Take out entries."""
        gone = [self.content.entries.pop(key) for key in keys]
        if gone:
            self.changed()
        return Removal(documents=len(gone), chunks=sum(len(entry.chunks) for entry in gone))

    def forget(self, pattern: str, *, scope_path: str) -> Removal:
        """Take out what is named."""
        self.require_open()
        with self.content.lock:
            exact = self.named(scope_path, lambda name: name == pattern)
            if exact != Removal():
                return exact
            matches = re.compile(fnmatch.translate(pattern)).match
            return self.named(scope_path, lambda name: matches(name) is not None)

    def named(self, scope_path: str, wanted: Callable[[str], bool]) -> Removal:
        """Take out documents by file and passages by label."""
        here = {key: entry for key, entry in self.content.entries.items() if self.is_here(entry, scope_path)}
        removal = self.drop([key for key, entry in here.items() if wanted(entry.document.file)])
        chunks = sum(self.thin(entry, wanted) for key, entry in here.items() if key in self.content.entries)
        emptied = [key for key, entry in here.items() if not entry.chunks and key in self.content.entries and chunks]
        documents = self.drop(emptied).documents
        return Removal(documents=removal.documents + documents, chunks=removal.chunks + chunks)

    def is_here(self, entry: Entry, scope_path: str) -> bool:
        """Whether it is stored exactly there."""
        return entry.document.scope_path == scope_path

    def thin(self, entry: Entry, wanted: Callable[[str], bool]) -> int:
        """Take out passages by label, and say how many."""
        kept = [at for at, chunk in enumerate(entry.chunks) if not wanted(chunk.label)]
        gone = len(entry.chunks) - len(kept)
        if gone:
            entry.chunks = tuple(entry.chunks[at] for at in kept)
            entry.vectors = tuple(entry.vectors[at] for at in kept)
            entry.document = self.incomplete(entry.document)
            self.changed()
        return gone

    def incomplete(self, document: Document) -> Document:
        """A document that lost a passage."""
        return replace(document, digest="")

    def forget_scope(self, scope_path: str) -> Removal:
        """Take out what is there and below."""
        self.require_open()
        with self.content.lock:
            keys = [key for key, one in self.content.entries.items() if self.is_below(one.document, scope_path)]
            return self.drop(keys)

    def is_below(self, document: Document, scope_path: str) -> bool:
        """Whether it is stored there or below."""
        return scope_path in scope_ancestors(document.scope_path)

    # -------------------------------------------------------------------------------------------------------- reading

    def listed(self, scope_path: str | None) -> list[Entry]:
        """Entries in order."""
        self.require_open()
        with self.content.lock:
            found = [
                one for one in self.content.entries.values() if scope_path is None or self.is_here(one, scope_path)
            ]
            return sorted((replace(one) for one in found), key=self.place)

    def place(self, entry: Entry) -> tuple[str, str, str]:
        """What entries are ordered by."""
        return entry.document.scope_path, entry.document.file, entry.document.origin

    def get(self, scope_path: str, origin: str) -> DocumentRecord | None:
        """One document."""
        self.require_open()
        with self.content.lock:
            entry = self.content.entries.get(
                self.key(Document(scope_path=scope_path, origin=origin, file="", digest=""))
            )
            return None if entry is None else self.record(entry)

    def record(self, entry: Entry) -> DocumentRecord:
        """A document with its counts."""
        characters = sum(map(self.characters, entry.chunks))
        return DocumentRecord(document=entry.document, chunks=len(entry.chunks), characters=characters)

    def characters(self, chunk: Chunk) -> int:
        """Length of a passage."""
        return len(chunk.text)

    def documents(self, *, scope_path: str | None = None) -> Iterator[DocumentRecord]:
        """Every document."""
        for entry in self.listed(scope_path):
            self.require_open()
            yield self.record(entry)

    def chunks(self, *, scope_path: str | None = None) -> Iterator[StoredChunk]:
        """Every passage."""
        for entry in self.listed(scope_path):
            for chunk in self.in_order(entry.chunks):
                yield StoredChunk(document=entry.document, chunk=chunk)

    def in_order(self, chunks: Sequence[Chunk]) -> list[Chunk]:
        """Passages by ordinal."""
        return sorted(chunks, key=lambda chunk: chunk.ordinal)

    def stats(self) -> StoreStats:
        """Totals."""
        self.require_open()
        with self.content.lock:
            records = [self.record(entry) for entry in self.content.entries.values()]
            vectors = sum(one is not None for entry in self.content.entries.values() for one in entry.vectors)
        paths = sorted({one.document.scope_path for one in records})
        kinds = sorted({one.document.kind for one in records})
        at = {path: [one.chunks for one in records if one.document.scope_path == path] for path in paths}
        return StoreStats(
            documents=len(records),
            chunks=sum(one.chunks for one in records),
            characters=sum(one.characters for one in records),
            file_bytes=0,
            scopes=tuple((path, len(at[path]), sum(at[path])) for path in paths),
            kinds=tuple((kind, sum(one.document.kind == kind for one in records)) for kind in kinds),
            vectors=vectors,
            embedding=self.content.space if vectors else None,
        )

    def revision(self) -> int:
        """Changes so far."""
        self.require_open()
        return self.content.revision

    def vacuum(self) -> None:
        """Nothing is left over."""
        self.require_open()

    def check(self) -> tuple[str, ...]:
        """Nothing can be wrong."""
        self.require_open()
        return ()

    def close(self) -> None:
        """Refuse everything from now on."""
        self.closed = True

    # -------------------------------------------------------------------------------------------------------- vectors

    def vectors(
        self, document: Document, chunks: Sequence[Chunk], given: Iterable[Iterable[float]] | None
    ) -> tuple[Vector | None, ...]:
        """One for each passage."""
        if self.embedder is None:
            if given is not None or self.content.space is not None:
                raise StoreError("vectors without an embedder, or passages without vectors")
            return (None,) * len(chunks)
        self.require_space()
        if given is not None:
            found: tuple[Vector | None, ...] = tuple(map(self.sound, given))
        else:
            found = self.made([self.embedded(chunk) for chunk in chunks], document.scope_path)
        if len(found) != len(chunks):
            raise StoreError("not one vector for each passage")
        self.content.space = self.space()
        return found

    def embedded(self, chunk: Chunk) -> str:
        """What of a passage is embedded."""
        return embedded_text(chunk)

    def made(self, texts: list[str], scope_path: str) -> tuple[Vector | None, ...]:
        """Known vectors, and new ones for the rest."""
        known = dict(zip(texts, self.known_vectors(texts, scope_path=scope_path), strict=True))
        missing = [text for text in dict.fromkeys(texts) if known[text] is None]
        new = zip(missing, self.embedder.embed_documents(missing) if missing else (), strict=True)
        known |= {text: tuple(vector) for text, vector in new}
        return tuple(known[text] for text in texts)

    def space(self) -> EmbeddingSpace:
        """Of the embedder."""
        return EmbeddingSpace(name=self.embedder.name, dimensions=self.embedder.dimensions)

    def require_space(self) -> None:
        """Refuse another embedder."""
        if self.content.space not in {None, self.space()}:
            raise StoreError("vectors of another embedder")

    def sound(self, vector: Iterable[Any]) -> Vector:
        """Refuse what is no vector."""
        numbers = tuple(vector)
        if self.embedder is None or len(numbers) != self.embedder.dimensions:
            raise StoreError("a vector of other dimensions, or without an embedder")
        if not all(isinstance(one, float) and math.isfinite(one) for one in numbers) or not any(numbers):
            raise StoreError("no finite numbers, or all zeros")
        return numbers

    def known_vectors(self, texts: Sequence[str], *, scope_path: str = "") -> Sequence[Vector | None]:
        """Of exactly one scope."""
        self.require_open()
        with self.content.lock:
            known = {
                self.embedded(chunk): vector
                for entry in self.content.entries.values()
                if self.is_near(entry, scope_path)
                for chunk, vector in zip(entry.chunks, entry.vectors, strict=True)
            }
        return [known.get(text) for text in texts]

    def is_near(self, entry: Entry, scope_path: str) -> bool:
        """Whether its vectors may be used there."""
        return entry.document.scope_path == scope_path

    def embed(self, *, anew: bool = False, on_progress: Callable[[int, int], None] | None = None) -> int:
        """Give vectors to passages without."""
        self.require_open()
        if self.embedder is None:
            raise EmbeddingError("no embedder")
        with self.content.lock:
            entries = list(self.content.entries.values())
            if anew:
                self.content.space = None
            for entry in entries:
                entry.vectors = (None,) * len(entry.chunks) if anew else entry.vectors
            waiting = [(entry, at) for entry in entries for at, one in enumerate(entry.vectors) if one is None]
            self.require_space()
            for done, (entry, at) in enumerate(waiting, 1):
                (vector,) = self.embedder.embed_documents([self.embedded(entry.chunks[at])])
                entry.vectors = (*entry.vectors[:at], tuple(vector), *entry.vectors[at + 1 :])
                self.content.space = self.space()
                if on_progress is not None:
                    on_progress(done, len(waiting))
            self.changed()
        return len(waiting)
