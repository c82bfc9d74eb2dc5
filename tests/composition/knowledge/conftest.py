"""What the tests of ingestion share: a store in memory, and folders to ingest."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import pytest

from symfonic.adapters.knowledge.ports import (
    Chunk,
    Document,
    DocumentRecord,
    EmbeddingError,
    Removal,
    StoredChunk,
    StoreError,
    StoreStats,
    VectorStore,
    embedded_text,
)
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from symfonic.capabilities.knowledge import RetrievedFragment


class MemoryStore:
    """The write side of a store, kept in a dictionary; ``fail_after`` counts the documents it takes before it fails."""

    def __init__(self, *, fail_after: int | None = None) -> None:
        self.held: dict[tuple[str, str], tuple[Document, tuple[Chunk, ...]]] = {}
        self.puts = 0
        self.fail_after = fail_after

    def put(self, document: Document, chunks: Sequence[Chunk]) -> None:
        if self.fail_after is not None and self.puts >= self.fail_after:
            message = "the disk is full"
            raise StoreError(message)
        self.puts += 1
        self.held[document.scope_path, document.origin] = (document, tuple(chunks))

    def get(self, scope_path: str, origin: str) -> DocumentRecord | None:
        entry = self.held.get((scope_path, origin))
        return None if entry is None else _record(*entry)

    def documents(self, *, scope_path: str | None = None) -> Iterator[DocumentRecord]:
        entries = sorted(self.held.items(), key=lambda entry: (entry[0][0], entry[1][0].file, entry[0][1]))
        return iter([_record(*entry) for key, entry in entries if scope_path in {None, key[0]}])

    def chunks(self, *, scope_path: str | None = None) -> Iterator[StoredChunk]:
        records = list(self.documents(scope_path=scope_path))
        keys = [(record.document.scope_path, record.document.origin) for record in records]
        return iter(
            [StoredChunk(document=self.held[key][0], chunk=chunk) for key in keys for chunk in self.held[key][1]]
        )

    def remove(self, documents: Iterable[Document]) -> Removal:
        gone = [self.held.pop((document.scope_path, document.origin)) for document in documents]
        return Removal(documents=len(gone), chunks=sum(len(chunks) for _, chunks in gone))

    def search(self, query: str, limit: int, *, scope_path: str = "") -> Sequence[RetrievedFragment]:
        raise NotImplementedError

    def forget(self, pattern: str, *, scope_path: str) -> Removal:
        raise NotImplementedError

    def forget_scope(self, scope_path: str) -> Removal:
        raise NotImplementedError

    def stats(self) -> StoreStats:
        chunks = [chunk for _, held in self.held.values() for chunk in held]
        characters = sum(len(chunk.text) for chunk in chunks)
        return StoreStats(documents=len(self.held), chunks=len(chunks), characters=characters, file_bytes=0)

    def revision(self) -> int:
        return self.puts

    def vacuum(self) -> None:
        raise NotImplementedError

    def close(self) -> None:
        self.held.clear()


def _record(document: Document, chunks: tuple[Chunk, ...]) -> DocumentRecord:
    return DocumentRecord(document=document, chunks=len(chunks), characters=sum(len(chunk.text) for chunk in chunks))


class LetterEmbedder:
    """Counts letters. What it was given is kept; it refuses texts that hold one of ``refused``, ``"*"`` all of them."""

    name = "letters"
    dimensions = 26

    def __init__(self, *refused: str) -> None:
        self.calls: list[list[str]] = []
        self.refused = refused
        self.odd: dict[str, list[float]] = {}
        """Vectors in the place of those of texts that hold a word."""

    @property
    def texts(self) -> list[str]:
        return [text for call in self.calls for text in call]

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        self.calls.append(list(texts))
        if any(word == "*" or word in text for word in self.refused for text in texts):
            message = "the server did not answer"
            raise EmbeddingError(message)
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        for word, vector in self.odd.items():
            if word in text:
                return vector
        return [float(1 + text.lower().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz"]


def unit(vector: Sequence[float]) -> list[float]:
    """A vector of the same direction and of length 1, whatever its numbers."""
    peak = max(map(abs, vector))
    length = math.hypot(*(number / peak for number in vector))
    return [number / peak / length for number in vector]


class LookedIntoStore(VectorStore, Protocol):
    """A store that keeps vectors, with what tests ask of it."""

    @property
    def embedder(self) -> LetterEmbedder: ...

    @property
    def held(self) -> dict[tuple[str, str], tuple[Document, tuple[Chunk, ...]]]: ...

    @property
    def vectors(self) -> dict[str, list[float]]: ...

    def take(self, other: MemoryStore) -> None: ...


class OpenStore(Protocol):
    """Makes an empty store."""

    def __call__(self, embedder: LetterEmbedder | None = None) -> LookedIntoStore: ...


class VectorMemoryStore(MemoryStore):
    """A store in memory that keeps vectors by the text they are of."""

    def __init__(self, embedder: LetterEmbedder, *, fail_after: int | None = None) -> None:
        super().__init__(fail_after=fail_after)
        self.embedder = embedder
        self.vectors: dict[str, list[float]] = {}
        self.stops_at_a_failure = False

    def search(
        self, query: str, limit: int, *, scope_path: str = "", vector: Iterable[float] | None = None
    ) -> Sequence[RetrievedFragment]:
        raise NotImplementedError

    def put(
        self, document: Document, chunks: Sequence[Chunk], *, vectors: Iterable[Iterable[float]] | None = None
    ) -> None:
        pairs = [] if vectors is None else list(zip(map(embedded_text, chunks), map(self._taken, vectors), strict=True))
        super().put(document, chunks)
        self.vectors |= pairs

    def _taken(self, vector: Iterable[float]) -> list[float]:
        """A vector as the embedded store takes it, and refuses it."""
        numbers = list(vector)
        if len(numbers) != self.embedder.dimensions or not any(numbers) or not all(map(math.isfinite, numbers)):
            message = "a vector that is none"
            raise StoreError(message)
        return unit(numbers)

    def known_vectors(self, texts: Sequence[str], *, scope_path: str = "") -> list[list[float] | None]:
        here = {
            embedded_text(chunk)
            for (scope, _), (_, chunks) in self.held.items()
            if scope == scope_path
            for chunk in chunks
        }
        return [self.vectors.get(text) if text in here else None for text in texts]

    def embed(self, *, anew: bool = False, on_progress: Callable[[int, int], None] | None = None) -> int:
        if anew:
            self.vectors.clear()
        texts = [embedded_text(chunk) for _, chunks in self.held.values() for chunk in chunks]
        missing = sorted(text for text in texts if text not in self.vectors)
        failures: list[Exception] = []
        for done, text in enumerate(missing):
            if on_progress is not None:
                on_progress(done, len(missing))
            if text in self.vectors:
                continue
            try:
                self.vectors[text] = self._taken(self.embedder.embed_documents([text])[0])
            except (EmbeddingError, StoreError) as error:
                if self.stops_at_a_failure:
                    raise
                failures.append(error)
        if on_progress is not None and missing:
            on_progress(len(missing), len(missing))
        if failures:
            message = f"{len(failures)} passages could not be embedded"
            raise EmbeddingError(message) from failures[-1]
        return len(missing)

    def stats(self) -> StoreStats:
        with_vector = sum(embedded_text(chunk) in self.vectors for _, chunks in self.held.values() for chunk in chunks)
        return replace(super().stats(), vectors=with_vector)

    def take(self, other: MemoryStore) -> None:
        """Hold what another store holds, without vectors."""
        self.held = dict(other.held)


class GroupingStore(MemoryStore):
    """A store in memory that takes several documents at once; ``groups`` says how many each time."""

    def __init__(self, *, fail_after: int | None = None) -> None:
        super().__init__(fail_after=fail_after)
        self.groups: list[int] = []

    def put_many(self, items: Iterable[tuple[Document, Sequence[Chunk], object]]) -> None:
        wanted = list(items)
        if self.fail_after is not None and self.puts + len(wanted) > self.fail_after:
            message = "the disk is full"
            raise StoreError(message)
        self.groups.append(len(wanted))
        for document, chunks, _ in wanted:
            self.put(document, chunks)


class GroupingVectorStore(VectorMemoryStore):
    """The same with vectors."""

    def __init__(self, embedder: LetterEmbedder) -> None:
        super().__init__(embedder)
        self.groups: list[int] = []

    def put_many(self, items: Iterable[tuple[Document, Sequence[Chunk], Iterable[Iterable[float]] | None]]) -> None:
        wanted = list(items)
        self.groups.append(len(wanted))
        for document, chunks, vectors in wanted:
            self.put(document, chunks, vectors=vectors)


class LookedIntoSqlite(SqliteStore):
    """The embedded store, looked into as the one in memory is."""

    def __init__(self, path: Path, embedder: LetterEmbedder) -> None:
        super().__init__(path, embedder=embedder)
        self._letters = embedder

    @property
    def embedder(self) -> LetterEmbedder:
        return self._letters

    @property
    def held(self) -> dict[tuple[str, str], tuple[Document, tuple[Chunk, ...]]]:
        found: dict[tuple[str, str], tuple[Document, tuple[Chunk, ...]]] = {}
        for stored in self.chunks():
            key = (stored.document.scope_path, stored.document.origin)
            found[key] = (stored.document, (*found.get(key, (stored.document, ()))[1], stored.chunk))
        return found

    @property
    def vectors(self) -> dict[str, list[float]]:
        passages = sorted({(stored.document.scope_path, embedded_text(stored.chunk)) for stored in self.chunks()})
        known = {text: self.known_vectors([text], scope_path=scope)[0] for scope, text in passages}
        return {text: list(vector) for text, vector in known.items() if vector is not None}

    def take(self, other: MemoryStore) -> None:
        with SqliteStore(self.path) as words:
            for document, chunks in other.held.values():
                words.put(document, chunks)


@pytest.fixture
def vector_store() -> VectorMemoryStore:
    """An empty store that keeps vectors, in memory."""
    return VectorMemoryStore(LetterEmbedder())


@pytest.fixture(params=["memory", "grouping", "sqlite"])
def open_vectors(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenStore]:
    """Makes an empty store that keeps vectors, of each kind."""
    opened: list[LookedIntoStore] = []

    def made(embedder: LetterEmbedder | None = None) -> LookedIntoStore:
        used = embedder or LetterEmbedder()
        store: LookedIntoStore
        if request.param == "sqlite":
            store = LookedIntoSqlite(tmp_path_factory.mktemp("store") / "k.db", used)
        else:
            store = VectorMemoryStore(used) if request.param == "memory" else GroupingVectorStore(used)
        opened.append(store)
        return store

    yield made
    for store in opened:
        store.close()


@pytest.fixture
def memory_store() -> MemoryStore:
    """An empty store in memory."""
    return MemoryStore()


@pytest.fixture
def failing_store() -> MemoryStore:
    """A store that takes one document and fails at the second."""
    return MemoryStore(fail_after=1)
