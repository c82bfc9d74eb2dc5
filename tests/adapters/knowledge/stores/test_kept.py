"""What is kept in memory stays within its bound, and leaves with what was forgotten."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document, EmbeddingSpace
from symfonic.adapters.knowledge.stores import _kept
from symfonic.adapters.knowledge.stores._kept import block_of, row_bytes
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path

SCOPES = [f"tenant\x1f{number}" for number in range(5)]


def put(store: SqliteStore, scope: str, passages: int = 20) -> None:
    """Some passages of one scope."""
    chunks = [Chunk(text=f"fig w{at}", label="", ordinal=at) for at in range(passages)]
    store.put(Document(scope_path=scope, origin="/a", file="a", digest="d"), chunks)


def kept(store: SqliteStore) -> dict[int, Any]:
    """What is kept, by scope."""
    assert store._embedding is not None
    index = store._embedding._index
    return {} if index is None else dict(index.cache._kept)


@pytest.mark.requirement("ST-VEC-8")
def test_a_forgotten_scope_leaves_memory_at_once(hybrid: SqliteStore) -> None:
    """Whole scopes and single passages, though nobody asks there again."""
    for scope in SCOPES:
        put(hybrid, scope)
        hybrid.search("fig", 3, scope_path=scope)
    assert len(kept(hybrid)) == 5
    hybrid.forget_scope(SCOPES[0])
    assert len(kept(hybrid)) == 4
    hybrid.remove([Document(scope_path=SCOPES[1], origin="/a", file="a", digest="")])
    assert len(kept(hybrid)) == 3
    hybrid.put(
        Document(scope_path=SCOPES[2], origin="/b", file="b", digest="d"), [Chunk(text="b", label="", ordinal=0)]
    )
    hybrid.forget("a", scope_path=SCOPES[2])
    assert sorted(len(each._ids[: each._count]) for each in kept(hybrid).values()) == [1, 20, 20]


@pytest.mark.requirement("ST-VEC-8")
def test_what_another_process_forgot_leaves_memory_with_the_next_search(
    hybrid: SqliteStore, path: Path, embedder: Any
) -> None:
    """Of any scope, also an empty one; or with vacuum."""
    for scope in SCOPES:
        put(hybrid, scope)
        hybrid.search("fig", 3, scope_path=scope)
    with SqliteStore(path, embedder=embedder) as other:
        other.forget_scope(SCOPES[0])
        assert len(kept(hybrid)) == 5
        hybrid.search("fig", 3, scope_path="")
        assert len(kept(hybrid)) == 4
        other.forget_scope(SCOPES[1])
    hybrid.vacuum()
    assert len(kept(hybrid)) == 3


@pytest.mark.requirement("ST-VEC-8")
def test_words_are_counted_and_bounded_and_long_ones_not_kept(path: Path, embedder: Any) -> None:
    """Whatever is asked, and however often."""
    bound = 60_000
    with SqliteStore(path, embedder=embedder, vector_cache_bytes=bound) as store:
        put(store, "")
        for number in range(300):
            store.search(f"fig {'x' * 3_000}{number} q{number}", 3)
            (only,) = kept(store).values()
            words = only._words
            assert words.nbytes == sum(300 + 4 * len(key[0]) for key in (*words._holding, *words._posted)) + sum(
                part.nbytes for posted in words._posted.values() for part in posted
            )
            assert only.nbytes <= bound
        (only,) = kept(store).values()
        assert max(len(key[0]) for key in only._words._holding) <= 64
        assert 10 < len(only._words._holding) < 300


@pytest.mark.requirement("ST-VEC-8")
def test_room_is_made_before_a_scope_is_read(path: Path, embedder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """At no moment of a question is more kept than the bound, and scopes that do not fit together are read."""
    from symfonic.adapters.knowledge.stores._kept import Kept

    bound = 6_000
    most = 0
    extend = Kept._extend

    with SqliteStore(path, embedder=embedder, vector_cache_bytes=bound) as store:

        def watched(self: Kept, *rest: Any) -> None:
            nonlocal most
            extend(self, *rest)
            most = max(most, sum(each.nbytes for each in kept(store).values()))

        monkeypatch.setattr(Kept, "_extend", watched)
        for scope in ("", *SCOPES):
            put(store, scope, 40)
        for scope in ("", *SCOPES, *SCOPES):
            assert len(store.search("fig", 100, scope_path=scope)) == (40 if scope == "" else 80)
    assert 0 < most <= bound


ROW = 16 * 4 + 16
"""Bytes a passage takes: its vector, its id and its length."""


@pytest.mark.requirement("ST-VEC-11")
@pytest.mark.parametrize(("missing", "scopes"), [(0, 1), (1, 0)])
def test_a_scope_is_kept_where_its_passages_fit_exactly(path: Path, embedder: Any, missing: int, scopes: int) -> None:
    """Words and growth take what is left, be it nothing; what is read for every question gives the same rows."""
    with SqliteStore(path, embedder=embedder) as store:
        put(store, "", 200)
        wanted = [list(store.search(f"fig w{number}", 5)) for number in range(4)]
    with SqliteStore(path, embedder=embedder, vector_cache_bytes=200 * ROW - missing) as store:
        assert [list(store.search(f"fig w{number}", 5)) for number in range(4)] == wanted
        assert [each.nbytes for each in kept(store).values()] == [200 * ROW] * scopes


@pytest.mark.requirement("ST-VEC-11")
def test_half_a_million_passages_of_384_numbers_are_kept_unless_somebody_says_less() -> None:
    """With room for their words: an eighth of what vectors take, and an eighth of that for counts."""
    default = inspect.signature(SqliteStore).parameters["vector_cache_bytes"].default
    assert 500_000 * (row_bytes(384) + 384 * 4 * (1 / 8 + 1 / 64)) < default == 2**30


@pytest.mark.requirement("ST-VEC-8")
@pytest.mark.parametrize("room", [1.0, 1.05, 1.3, 3.0])
def test_a_scope_grows_within_the_bound(
    path: Path, embedder: Any, monkeypatch: pytest.MonkeyPatch, room: float
) -> None:
    """A document at a time, asked each time, until it fits exactly; it is read in addition and never anew."""
    passages = 0
    bound = int(240 * ROW * room)
    read: list[int] = []
    reader = _kept.read_rows

    def watched(sql: Any, state: Any, used: int, space: Any) -> Any:
        read.append(state.used - used)
        return reader(sql, state, used, space)

    monkeypatch.setattr(_kept, "read_rows", watched)
    with SqliteStore(path, embedder=embedder, vector_cache_bytes=bound) as store:
        for number in range(8):
            chunks = [Chunk(text=f"fig w{at} n{number}", label="", ordinal=at) for at in range(30)]
            store.put(Document(scope_path="", origin=str(number), file="a", digest="d"), chunks)
            passages += 30
            assert len(store.search("fig", 300)) == passages
            (only,) = kept(store).values()
            assert only._count == passages
            assert only.nbytes <= bound
        assert read == [30] * 8
        hits = list(store.search("fig w3", 8))
    with SqliteStore(path, embedder=embedder) as store:
        assert list(store.search("fig w3", 8)) == hits


@pytest.mark.requirement("ST-VEC-11")
def test_scopes_that_fit_together_do_not_push_each_other_out(
    path: Path, embedder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked in turn: what words and growth have taken is given up for rows, and rows are not for words."""
    read: list[int] = []
    reader = _kept.read_rows

    def watched(sql: Any, state: Any, used: int, space: Any) -> Any:
        read.append(state.passages)
        return reader(sql, state, used, space)

    with SqliteStore(path, embedder=embedder, vector_cache_bytes=5_000 * ROW) as store:
        put(store, SCOPES[0], 4_000)
        put(store, SCOPES[1], 900)
        monkeypatch.setattr(_kept, "read_rows", watched)
        for _ in range(3):
            for scope in SCOPES[:2]:
                for question in ("fig w3", "fig w700 w7"):
                    assert store.search(question, 3, scope_path=scope)
                    assert sum(each.nbytes for each in kept(store).values()) <= 5_000 * ROW
        assert read == [4_000, 900]
        assert [each._words.nbytes > 0 for each in kept(store).values()] == [True, True]


@pytest.mark.requirement("ST-VEC-11")
def test_words_of_a_scope_take_the_room_of_one_that_nobody_asked_for_a_while(
    path: Path, embedder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stays as long as it was asked lately."""
    monkeypatch.setattr(_kept, "_RECENT", 3)
    with SqliteStore(path, embedder=embedder, vector_cache_bytes=500 * ROW) as store:
        put(store, SCOPES[0], 100)
        put(store, SCOPES[1], 350)
        store.search("fig", 3, scope_path=SCOPES[0])
        there = []
        for number in range(5):
            store.search(f"fig w{number}", 3, scope_path=SCOPES[1])
            there.append(len(kept(store)))
        assert there == [2, 2, 2, 1, 1]


@pytest.mark.requirement("ST-VEC-13")
@pytest.mark.parametrize(("dimensions", "rows"), [(1, 4_096), (4_096, 4_096), (8_192, 2_048), (65_536, 256)])
def test_rows_are_read_in_blocks_of_bounded_memory(dimensions: int, rows: int) -> None:
    """As many as take 64 MiB, and no more than 4,096."""
    assert block_of(EmbeddingSpace(name="n", dimensions=dimensions)) == rows
