"""What is kept in memory stays within its bound, and leaves with what was forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document
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
