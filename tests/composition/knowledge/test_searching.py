"""A search answers as many rows as were asked for, however many copies of one passage a store holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.capabilities.knowledge import RetrievedFragment
from symfonic.composition.knowledge import Judgements, KnowledgeBase, _searching, evaluate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from .conftest import MemoryStore

COPIES = 300
OTHERS = 40


@pytest.fixture
def crowded(tmp_path: Path) -> Path:
    """One passage three hundred times, which answers best, and forty others."""
    path = tmp_path / "crowded.db"
    passages = [("same", "leave leave leave", number) for number in range(COPIES)]
    passages += [(f"other {number}", f"leave and {number} other words", number) for number in range(OTHERS)]
    with SqliteStore(path) as store:
        store.put_many(
            (
                Document(scope_path="", origin=f"o:{label}:{number}", file=f"{label} {number}", digest="x"),
                [Chunk(text=text, label=label, ordinal=0)],
                None,
            )
            for label, text, number in passages
        )
    return path


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows the embedded store was asked for, each time."""
    limits: list[int] = []
    search = SqliteStore.search

    def recorded(self: SqliteStore, query: str, limit: int, **named: Any) -> Any:
        limits.append(limit)
        return search(self, query, limit, **named)

    monkeypatch.setattr(SqliteStore, "search", recorded)
    return limits


@pytest.mark.requirement("CO-FIND-2")
def test_copies_take_no_places_of_a_search(crowded: Path, asked: list[int]) -> None:
    """What the store was asked for is full of them; it is asked for more, and only until there is enough."""
    with KnowledgeBase.open(crowded) as base:
        found = base.search("leave", limit=100)
        assert len(found) == len({row.source for row in found}) == 1 + OTHERS
        assert asked == [200, 400]
        asked.clear()
        assert [row.source for row in base.search("leave", limit=1)] == ["same"]
        assert asked == [2]


@pytest.mark.requirement("CO-FIND-2")
def test_a_store_with_few_copies_is_asked_once(crowded: Path, asked: list[int]) -> None:
    """Whatever is left out of its answer: rows below the floor, or copies that it has places for."""
    with KnowledgeBase.open(crowded) as base:
        assert len(base.search("words", limit=20)) == 20
        assert len(base.search("words", limit=100)) == OTHERS
        assert base.search("leave", limit=30, min_score=0.99) == ()
    assert asked == [40, 200, 60]


ASKED_AGAIN = [48, 96, 192, 384, 768, 1536, 3072, 6144, 10_049]


@pytest.mark.requirement("CO-FIND-2")
@pytest.mark.parametrize(
    ("answered", "limits"),
    [
        (lambda limit: min(limit, 10_048), ASKED_AGAIN),
        (lambda limit: min(limit, 500), ASKED_AGAIN[:5]),
        (lambda limit: 20_000, [48, 96]),
        (lambda limit: 47, [48]),
    ],
    ids=["nothing but copies", "a store with a most", "a store that keeps to no limit", "few rows"],
)
def test_asking_for_more_has_an_end(
    answered: Callable[[int], int], limits: list[int], memory_store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At ten thousand rows beyond twice the limit, where there are no more, or where asking brings no more."""
    asked: list[int] = []

    def search(query: str, limit: int, *, scope_path: str = "") -> Sequence[RetrievedFragment]:
        asked.append(limit)
        return [RetrievedFragment("leave", "same", 0.5, {"scope_path": ""})] * answered(limit)

    monkeypatch.setattr(memory_store, "search", search)
    with KnowledgeBase(memory_store, key=bytes(range(32))) as base:
        assert [row.source for row in base.search("leave", limit=24)] == ["same"]
    assert asked == limits


@pytest.mark.requirement("KB-EVAL-DEPTH-1")
@pytest.mark.parametrize("spare", [10_000, 20])
def test_copies_end_no_ranking_of_an_evaluation(spare: int, crowded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything relevant stands behind them; also where one search ends before it has read them all."""
    monkeypatch.setattr(_searching, "SPARE_ROWS", spare)
    judged = Judgements(queries={"q": "leave"}, grades={"q": {f"other {number}": 1 for number in range(OTHERS)}})
    with KnowledgeBase.open(crowded) as base:
        found = evaluate(base, judged, resamples=100)
    assert found.metrics["recall@100"].value == 1.0
    assert found.metrics["mrr@10"].value == 0.5
    assert found.boundary.relevant == {"not-retrieved": pytest.approx(1.0)}
