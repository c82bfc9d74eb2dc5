"""A store in a temporary folder, and short ways to fill it."""

from __future__ import annotations

import hashlib
import itertools
import os
import random
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the store of this test lies."""
    return tmp_path / "knowledge.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    """An empty store."""
    with SqliteStore(path, busy_timeout=10) as opened:
        yield opened


@pytest.fixture
def fill(store: SqliteStore) -> Callable[..., Document]:
    """Store a document whose passages are the given texts, labelled by file and place."""

    def put(file: str, *texts: str, scope: str = "", heading: str = "") -> Document:
        document = Document(
            scope_path=scope, origin=f"/docs/{file}", file=file, digest=f"digest of {file}", kind="text"
        )
        chunks = [
            Chunk(text=text, label=f"{file} p. {at + 1}", ordinal=at, heading=heading) for at, text in enumerate(texts)
        ]
        store.put(document, chunks)
        return document

    return put


class HashedWords:
    """An embedder without a model: it adds up a random direction for each word, so texts that share words are alike."""

    def __init__(self, dimensions: int = 16, name: str = "hashed-words") -> None:
        self.name = name
        self.dimensions = dimensions
        self.embedded: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text."""
        self.embedded += texts
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """The sum of the directions of its words."""
        sums = [0.0] * self.dimensions
        for word in ["", *text.lower().split()]:
            source = random.Random(hashlib.sha256(word.encode()).digest())
            sums = [total + source.gauss(0, 1) for total in sums]
        return sums


@pytest.fixture
def embedder() -> HashedWords:
    """An embedder of 16 dimensions that remembers what it embedded."""
    return HashedWords()


@pytest.fixture
def make_embedder() -> Callable[..., HashedWords]:
    """Embedders of other names and sizes."""
    return HashedWords


@pytest.fixture
def hybrid(path: Path, embedder: HashedWords) -> Iterator[SqliteStore]:
    """An empty store with an embedder."""
    with SqliteStore(path, busy_timeout=10, embedder=embedder) as opened:
        yield opened


@pytest.fixture(scope="module")
def embedder_of_module() -> HashedWords:
    """As ``embedder``, for what the tests of a module share."""
    return HashedWords()


_schemas = itertools.count(1)


@pytest.fixture
def schema() -> str:
    """A schema no other test uses."""
    return f"store {next(_schemas)}"


@pytest.fixture
def open_pgvector(postgres: Any, schema: str) -> Iterator[Callable[..., Any]]:
    """Open stores in this test's schema; each is closed at the end."""
    from symfonic.adapters.knowledge.stores.pgvector import PgvectorStore

    opened: list[PgvectorStore] = []

    def open_one(**options: Any) -> PgvectorStore:
        options = {"url": postgres.url, "schema": schema, "pool_timeout": 5.0, "pause": lambda _: None} | options
        opened.append(PgvectorStore(**options))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def quick_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where the system has one: an engine that commits every row takes seconds on a disk."""
    memory = Path("/dev/shm")
    if not (memory.is_dir() and os.access(memory, os.W_OK)):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)
