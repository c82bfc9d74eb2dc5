"""What the tests of ingestion share: a store in memory, and folders to ingest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.ports import (
    Chunk,
    Document,
    DocumentRecord,
    Removal,
    StoredChunk,
    StoreError,
    StoreStats,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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


@pytest.fixture
def memory_store() -> MemoryStore:
    """An empty store in memory."""
    return MemoryStore()


@pytest.fixture
def failing_store() -> MemoryStore:
    """A store that takes one document and fails at the second."""
    return MemoryStore(fail_after=1)
