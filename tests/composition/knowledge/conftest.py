"""What the tests of ingestion share: a store in memory, and folders to ingest."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    embedded_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

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
        raise NotImplementedError

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
        return [float(1 + text.lower().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz"]


class VectorMemoryStore(MemoryStore):
    """A store in memory that keeps vectors by the text they are of."""

    def __init__(self, embedder: LetterEmbedder, *, fail_after: int | None = None) -> None:
        super().__init__(fail_after=fail_after)
        self.embedder = embedder
        self.vectors: dict[str, list[float]] = {}

    def put(
        self, document: Document, chunks: Sequence[Chunk], *, vectors: Iterable[Iterable[float]] | None = None
    ) -> None:
        super().put(document, chunks)
        if vectors is not None:
            pairs = zip(map(embedded_text, chunks), map(list, vectors), strict=True)
            self.vectors |= pairs

    def known_vectors(self, texts: Sequence[str]) -> list[list[float] | None]:
        return [self.vectors.get(text) for text in texts]

    def embed(self, *, anew: bool = False, on_progress: Callable[[int, int], None] | None = None) -> int:
        if anew:
            self.vectors.clear()
        texts = {embedded_text(chunk) for _, chunks in self.held.values() for chunk in chunks}
        missing = sorted(texts - self.vectors.keys())
        for done, text in enumerate(missing):
            if on_progress is not None:
                on_progress(done, len(missing))
            self.vectors[text] = self.embedder.embed_documents([text])[0]
        if on_progress is not None and missing:
            on_progress(len(missing), len(missing))
        return len(missing)


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


@pytest.fixture
def vector_store() -> VectorMemoryStore:
    """An empty store that keeps vectors."""
    return VectorMemoryStore(LetterEmbedder())


@pytest.fixture
def memory_store() -> MemoryStore:
    """An empty store in memory."""
    return MemoryStore()


@pytest.fixture
def failing_store() -> MemoryStore:
    """A store that takes one document and fails at the second."""
    return MemoryStore(fail_after=1)
