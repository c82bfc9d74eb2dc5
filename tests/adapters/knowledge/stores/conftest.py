"""A store in a temporary folder, and short ways to fill it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


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
