"""A sound store has no faults; a damaged one says what is wrong, and raises nothing."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document, StoreError
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path

    from symfonic.adapters.knowledge.ports import Embedder


@pytest.fixture
def filled(path: Path, embedder: Embedder) -> Path:
    """A closed store of three documents with vectors."""
    with SqliteStore(path, embedder=embedder) as store:
        for name in ("a", "b", "c"):
            document = Document(scope_path="", origin=f"/{name}", file=name, digest="d")
            store.put(document, [Chunk(text=f"{name} fig 手机", label=name, ordinal=0)])
        assert store.check() == ()
    return path


@pytest.mark.requirement("ST-CHK-1")
@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ("DELETE FROM passage WHERE id = 1 << 32", "There should be no passages without text; 1 found."),
        ("DELETE FROM chunk WHERE id = 1 << 32", "There should be no texts without a passage; 1 found."),
        ("DELETE FROM passage_index_docsize WHERE id = 1 << 32", "not in the full-text index; 1 found."),
        ("UPDATE passage SET text = 'pear' WHERE id = 1 << 32", "index does not agree with the passages"),
        ("UPDATE chunk SET text_tokens = 9 WHERE id = 1 << 32", "lengths differ from those of the index; 1 found."),
        ("UPDATE scope SET chunks = 9", "totals are not the sums of their passages; 1 found."),
        ("UPDATE scope SET used = 2", "would give an id of theirs away again; 1 found."),
        ("UPDATE document SET characters = 1 WHERE id = 2", "characters than they say; 1 found."),
        ("UPDATE document SET scope = 7 WHERE id = 2", "outside their document's scope; 1 found."),
        ("UPDATE document SET scope = 7 WHERE id = 2", "references that lead nowhere; 1 found."),
        ("UPDATE passage SET label = 'z' WHERE id = 1 << 32", "another label or heading than they have; 1 found."),
        ("UPDATE passage SET pieces = '' WHERE id = 1 << 32", "other pairs of characters than they have; 1 found."),
        ("UPDATE scope SET path = 'tenant'", "There should be no scopes under a path that is none; 1 found."),
        ("UPDATE passage SET label = CAST(x'ff' AS TEXT)", "could not be read to its end: Could not decode to UTF-8"),
        ("UPDATE state SET revision = 'late'", "no state with a value of another kind than its column's; 1 found."),
        ("INSERT INTO vector VALUES (7, x'00', x'00')", "vectors without a passage; 1 found."),
        ("UPDATE vector SET vector = x'00' WHERE id = 1 << 32", "vectors of another size; 1 found."),
        ("UPDATE vector SET vector = zeroblob(64)", "not finite, or not of length 1; 3 found."),
        ("UPDATE vector SET hash = x'00'", "vectors of another text than their passage's; 3 found."),
        ("UPDATE state SET embedding = ''", "The store holds vectors and does not say whose they are."),
        ("DROP TABLE vector", "A part of the store could not be read to its end: no such table: vector."),
    ],
)
def test_what_does_not_agree_is_told_in_a_sentence(filled: Path, damage: str, sentence: str) -> None:
    """Each of our own invariants, broken from outside."""
    with sqlite3.connect(filled) as sql:
        sql.execute(damage)
    sql.close()
    with SqliteStore(filled) as store:
        found = store.check()
        assert [each for each in found if sentence in each]
        assert all(each.endswith(".") for each in found)


def test_a_damaged_page_is_told_as_well(filled: Path) -> None:
    """Bytes that mean nothing, in the middle of the file."""
    data = bytearray(filled.read_bytes())
    data[8 * 4096 : 9 * 4096] = b"\xff" * 4096
    filled.write_bytes(data)
    with SqliteStore(filled) as store:
        assert [each for each in store.check() if "malformed" in each or "damaged" in each]


def test_a_closed_store_is_not_checked(store: SqliteStore) -> None:
    """As for every other request."""
    store.close()
    with pytest.raises(StoreError, match="a closed store answers nothing"):
        store.check()


@pytest.mark.requirement("ST-CHK-1")
def test_a_passage_that_holds_nul_is_sound(store: SqliteStore) -> None:
    """For SQLite a text ends there, for the store it does not."""
    document = Document(scope_path="", origin="/a", file="a", digest="d")
    store.put(document, [Chunk(text="he\0llo \0", label="a\0b", ordinal=0)])
    assert store.check() == ()
    assert next(store.documents()).characters == 8
