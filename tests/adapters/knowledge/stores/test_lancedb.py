"""What only a store in LanceDB does: tables of others, an engine that fails, pieces joined, columns left over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document, StoreError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.stores


def put(store: Any, origin: str, *texts: str) -> None:
    """Store a document of these passages."""
    chunks = [Chunk(text=text, label=f"{origin} {at}", ordinal=at) for at, text in enumerate(texts)]
    store.put(Document(scope_path="", origin=origin, file=origin, digest="1"), chunks)


@pytest.mark.requirement("ST-LANCE-OPEN-1")
def test_a_table_of_another_program_is_refused(tmp_path: Path) -> None:
    """It is left as it is."""
    import lancedb

    from symfonic.adapters.knowledge.stores.lancedb import LanceDBStore

    theirs = lancedb.connect(tmp_path).create_table("symfonic", [{"x": 1}])
    with pytest.raises(StoreError, match="belongs to another program and was left as it is"):
        LanceDBStore(tmp_path)
    assert theirs.count_rows() == 1


@pytest.mark.requirement("ST-LANCE-OPEN-1")
def test_a_table_of_another_version_is_refused(tmp_path: Path) -> None:
    """With both versions."""
    import lancedb

    from symfonic.adapters.knowledge.stores.lancedb import LanceDBStore

    LanceDBStore(tmp_path).close()
    lancedb.connect(tmp_path).open_table("symfonic").update(where="id = 'state'", values={"version": 7})
    with pytest.raises(StoreError, match="says its version, 1 here; this one says 7 and was left as it is"):
        LanceDBStore(tmp_path)


@pytest.mark.requirement("ST-LANCE-OPEN-1")
def test_an_engine_that_fails_is_asked_again_and_then_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With growing pauses; its words are not repeated."""
    from symfonic.adapters.knowledge.stores.lancedb import LanceDBStore

    pauses: list[float] = []
    with LanceDBStore(tmp_path, attempts=4, pause=pauses.append, jitter=lambda: 0.5) as store:

        def fail(_: str) -> None:
            raise RuntimeError("a secret")

        with monkeypatch.context() as patched:
            patched.setattr(store._shelf._database, "open_table", fail)  # type: ignore[attr-defined]  # of the engine
            with pytest.raises(StoreError, match="opening the table failed with RuntimeError") as told:
                store.revision()
        assert "secret" not in str(told.value)
        assert pauses == [0.05 * 1.5, 0.1 * 1.5, 0.2 * 1.5]
        assert store.revision() == 0


@pytest.mark.requirement("ST-LANCE-OPEN-1")
def test_many_changes_join_the_pieces_of_the_table(tmp_path: Path) -> None:
    """After 64 changes there are fewer pieces than changes, and everything is as it was."""
    from symfonic.adapters.knowledge.stores.lancedb import LanceDBStore

    with LanceDBStore(tmp_path) as store:
        for at in range(64):
            put(store, f"/{at:02}", f"word {at}")
        table = store._shelf._database.open_table("symfonic")  # type: ignore[attr-defined]  # of the engine
        assert table.stats()["fragment_stats"]["num_fragments"] < 5
        assert [each.chunk.text for each in store.chunks()] == [f"word {at}" for at in range(64)]
        assert store.revision() == 64
        before = store.stats().file_bytes
        store.forget_scope("")
        store.vacuum()
        assert store.stats().file_bytes < before
        assert not [file for file in tmp_path.rglob("*") if file.is_file() and b"word 1" in file.read_bytes()]


@pytest.mark.requirement("ST-LANCE-OPEN-1")
def test_a_column_that_a_broken_change_left_is_made_anew(tmp_path: Path, make_embedder: Any) -> None:
    """Whatever its dimensions were."""
    import pyarrow as pa

    from symfonic.adapters.knowledge.stores.lancedb import LanceDBStore

    with LanceDBStore(tmp_path, embedder=make_embedder()) as store:
        table = store._shelf._database.open_table("symfonic")  # type: ignore[attr-defined]  # of the engine
        table.add_columns(pa.schema([pa.field("vector_1", pa.list_(pa.float32(), 3))]))
        put(store, "/a", "one")
        assert (store.stats().vectors, len(store.search("one", 1))) == (1, 1)


@pytest.mark.requirement("ST-LANCE-OPEN-1")
@pytest.mark.parametrize("half", ["", "_versions", "data"])
def test_a_table_that_was_half_made_is_made_anew(tmp_path: Path, half: str) -> None:
    """Who makes a table may be killed before its first version is there; without leave to make one it stays so."""
    from symfonic.adapters.knowledge.stores.lancedb import LanceDBStore

    (tmp_path / "symfonic.lance" / half).mkdir(parents=True)
    with pytest.raises(StoreError, match="holds no table 'symfonic' and was left as it is"):
        LanceDBStore(tmp_path, create=False)
    with LanceDBStore(tmp_path, attempts=1) as store:
        put(store, "/a", "one")
        assert [row.content for row in store.search("one", 1)] == ["one"]


@pytest.mark.requirement("ST-LANCE-OPEN-1")
def test_a_change_is_done_also_where_the_pieces_cannot_be_joined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is raised, for an error says that nothing was changed."""
    import lancedb.table

    from symfonic.adapters.knowledge.stores import _lancedb_shelf
    from symfonic.adapters.knowledge.stores.lancedb import LanceDBStore

    tried = []

    def fail(*_: object, **__: object) -> None:
        tried.append(1)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(_lancedb_shelf, "_COMPACTED", 1)
    monkeypatch.setattr(lancedb.table.LanceTable, "optimize", fail)
    with LanceDBStore(tmp_path) as store:
        put(store, "/a", "one")
        assert (tried, [each.chunk.text for each in store.chunks()]) == ([1], ["one"])
