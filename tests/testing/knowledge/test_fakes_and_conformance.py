"""The conformance suite passes an honest retriever and catches each dishonest one."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.capabilities.knowledge import ContextRequest, KnowledgeSource, RetrievalPolicy, RetrievedFragment
from symfonic.testing.knowledge import (
    BoundRetrieverConformance,
    EndlessRetriever,
    FailingRetriever,
    InMemoryRetriever,
    LyingRetriever,
    RetrieverConformance,
    ScriptedRetriever,
    SeedRow,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


class TestInMemoryRetriever(RetrieverConformance):
    """The fake is held to the suite it ships with."""

    def make_retriever(self, rows: Sequence[SeedRow]) -> InMemoryRetriever:
        return InMemoryRetriever(tuple(rows))


class Bound:
    """A retriever bound to one scope."""

    def __init__(self, rows: Sequence[SeedRow]) -> None:
        self.inner = InMemoryRetriever(tuple(rows))
        self.closed = False

    def search(self, query: str, limit: int) -> list[RetrievedFragment]:
        return self.inner.search(query, limit)

    def close(self) -> None:
        self.closed = True


class TestBoundRetriever(BoundRetrieverConformance):
    """A retriever without scopes has a suite of its own."""

    def make_retriever(self, rows: Sequence[SeedRow]) -> Bound:
        return Bound(rows)

    def test_a_retriever_is_closed_and_cannot_be_asked_for_a_scope(self) -> None:
        """What was built is released."""
        bound = self.make_retriever(())
        self.drop_retriever(bound)
        assert bound.closed
        with pytest.raises(ValueError, match="inherit RetrieverConformance"):
            self._search(bound, "q", 1, "tenant\x1facme")


class Twisted:
    """An honest retriever with one fault."""

    def __init__(self, rows: Sequence[SeedRow], fault: str) -> None:
        self.rows, self.fault = tuple(rows), fault
        self.calls = 0

    def search(self, query: str, limit: int, *, scope_path: str = "") -> Any:
        self.calls += 1
        if self.fault == "raises" and "*" in query:
            raise ValueError(query)
        if self.fault == "lies":
            return LyingRetriever(self.rows).search(query, limit)
        found = InMemoryRetriever(self.rows).search(query, 99, scope_path=scope_path)
        return self.twist(found, limit)

    def twist(self, found: list[RetrievedFragment], limit: int) -> list[Any]:
        if self.fault == "greedy":
            return found
        if self.fault == "insertion":
            by_insertion = [row.source for row in self.rows]
            found.sort(key=lambda row: (-row.score, by_insertion.index(row.source)))
        return [self.twisted(row) for row in found[:limit]]

    def twisted(self, row: RetrievedFragment) -> Any:
        changed: dict[str, dict[str, Any]] = {
            "upside-down": {"score": -row.score},
            "nan": {"score": math.nan},
            "trims": {"content": row.content.strip()},
            "unstamped": {"metadata": {}},
            "global": {"score": row.score / len(self.rows)},
            "drifts": {"score": row.score + self.calls / 1e6},
        }
        return {"content": row.content} if self.fault == "dicts" else replace(row, **changed.get(self.fault, {}))


CATCHES = {
    "raises": "test_no_question_raises",
    "lies": "test_scopes_see_themselves_and_what_is_above",
    "upside-down": "test_the_best_row_has_the_highest_score",
    "insertion": "test_ties_at_the_cut_do_not_depend_on_insertion_order",
    "greedy": "test_a_limit_is_respected_but_for_ties",
    "dicts": "test_rows_are_fragments_with_text_and_finite_scores",
    "nan": "test_rows_are_fragments_with_text_and_finite_scores",
    "trims": "test_content_and_source_come_back_as_they_were_stored",
    "unstamped": "test_scopes_see_themselves_and_what_is_above",
    "global": "test_other_tenants_change_neither_rows_nor_scores",
    "drifts": "test_many_threads_get_the_answer_of_one",
}


@pytest.mark.requirement("KB-TST-1")
@pytest.mark.parametrize(("fault", "caught_by"), CATCHES.items())
def test_the_suite_catches_each_fault(fault: str, caught_by: str) -> None:
    """A check that cannot fail would be none."""

    class Suite(RetrieverConformance):
        def make_retriever(self, rows: Sequence[SeedRow]) -> Twisted:
            return Twisted(rows, fault)

    with pytest.raises((AssertionError, ValueError)):
        getattr(Suite(), caught_by)()


def test_the_suite_says_what_to_override() -> None:
    """A newcomer's first run tells what to do."""
    with pytest.raises(NotImplementedError, match="override make_retriever"):
        RetrieverConformance().test_an_empty_store_answers_nothing()


def test_fakes_do_what_their_names_say() -> None:
    """Each through the boundary."""
    request = ContextRequest("facts", "tenant\x1fa")
    row = RetrievedFragment("x", "s", 1.0)
    script = ScriptedRetriever([row])
    assert KnowledgeSource(script, "q").select(request).admitted == (row,)
    assert script.asked == [("q", 3, "tenant\x1fa")]
    failed = KnowledgeSource(FailingRetriever(RuntimeError("x")), "q").select(request)
    assert [reason.code.value for _, reason in failed.dropped] == ["store-failed"]
    endless = EndlessRetriever(lambda number: RetrievedFragment(f"t{number}", "s", 1.0))
    selection = KnowledgeSource(endless, "q", RetrievalPolicy(limit=1, max_rows=2)).select(request)
    assert [reason.code.value for _, reason in selection.dropped] == ["over-limit", "unexamined"]
    assert InMemoryRetriever((SeedRow(content="a", source="s"),)).search("a", 0) == []
    assert InMemoryRetriever((SeedRow(content="a", source="s"),)).search("", 3) == []
