"""Every row has exactly one outcome, and it is the one selection decided."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symfonic.capabilities.knowledge import (
    ContextRequest,
    DropCode,
    KnowledgeSource,
    RetrievalPolicy,
    RetrievedFragment,
    safe_source,
    select_fragments,
)
from symfonic.composition.knowledge import ExplainedRow
from symfonic.composition.knowledge.explanation import explain_read, explain_rows
from symfonic.composition.knowledge.keys import derive_keys
from symfonic.composition.knowledge.wiring import harden

KEYS = derive_keys(bytes(range(32)))
POLICY = harden(RetrievalPolicy(2, 0.1, 20, 120), KEYS)


def row(content: Any, score: Any = 0.5, source: Any = "a.md", **metadata: Any) -> RetrievedFragment:
    """A row everybody may see, unless its metadata say otherwise."""
    return RetrievedFragment(content, source, score, {"scope_path": "", **metadata})


def told(rows: list[RetrievedFragment], policy: RetrievalPolicy = POLICY) -> list[tuple[str, str]]:
    """Label and outcome of each row, in the order of the explanation."""
    explained = explain_rows(select_fragments(rows, policy))
    return [(str(item.label), item.reason.code.value if item.reason else "admitted") for item in explained]


ROWS = [
    row("beside", 0.95, "beside.md", scope_path="tenant\x1fother"),
    row("first", 0.9, "first.md"),
    row("first", 0.8, "first.md"),
    row("x" * 21, 0.7, "long.md"),
    row("Zweite", 0.6, "Ä.md"),
    row("third", 0.5, "third.md"),
    row("low", 0.05, "low.md"),
    row("odd", float("nan"), "nan.md"),
    row(None, 0.5, "none.md"),
    row(" ", 0.5, "blank.md"),
    row("s", 0.5, 3),
]


@pytest.mark.requirement("CO-EXP-1")
def test_every_row_has_its_outcome() -> None:
    """In the selection's order: admitted rows, unusable ones by code, then the others in rank order."""
    assert told(ROWS) == [
        ("first.md", "admitted"),
        ("Ä.md", "admitted"),
        ("none.md", "bad-content"),
        ("nan.md", "bad-score"),
        ("unknown", "bad-source"),
        ("blank.md", "blank"),
        ("unknown", "out-of-scope"),
        ("first.md", "over-source"),
        ("long.md", "over-fragment"),
        ("third.md", "over-limit"),
        ("low.md", "over-limit"),
    ]


def test_the_order_of_the_store_changes_nothing() -> None:
    """Any permutation is told alike."""
    assert all(told(list(rows)) == told(ROWS[:5]) for rows in itertools.permutations(ROWS[:5]))


def test_rows_alike_in_all_but_scope_are_told_apart() -> None:
    """The tenant's copy and the one beside it are equal to the eye; only the first may be seen."""
    rows = [row("same", 0.5, "a.md", scope_path="tenant\x1fother", file="2"), row("same", 0.5, "a.md", file="1")]
    for order in (rows, rows[::-1]):
        first, second = explain_rows(select_fragments(order, POLICY))
        assert (first.file, first.admitted) == ("1", True)
        assert (second.file, second.fragment, second.score, second.label) == ("", None, None, "unknown")


def test_duplicates_and_totals_are_told_in_place() -> None:
    """A later, smaller row still gets its chance."""
    policy = harden(RetrievalPolicy(4, 0.0, 100, 70, max_per_source=4), KEYS)
    rows = [row("first", 0.9), row("first", 0.8), row("y" * 60, 0.7), row("z", 0.6)]
    assert told(rows, policy) == [
        ("a.md", "admitted"),
        ("a.md", "admitted"),
        ("a.md", "duplicate"),
        ("a.md", "over-total"),
    ]


SHARED: dict[str, Any] = {"scope_path": ""}
cells = st.sampled_from(["a", "b", "ab", "Ä", " ", None])
hostile = st.builds(
    lambda content, score, source, path, shared: RetrievedFragment(
        content, source, score, SHARED if shared else {"scope_path": path}
    ),
    cells,
    st.sampled_from([0.0, 0.5, 0.5, 1, 1.0, float("nan"), True, "x"]),
    cells,
    st.sampled_from(["", "tenant\x1fa", "tenant\x1fb"]),
    st.booleans(),
)
policies = st.builds(
    lambda limit, floor, size, total: harden(RetrievalPolicy(limit, floor, size, total), KEYS),
    st.integers(0, 4),
    st.sampled_from([0.0, 0.5]),
    st.integers(0, 2),
    st.integers(0, 120),
)


@pytest.mark.requirement("CO-EXP-1")
@given(st.lists(hostile, max_size=8), policies, st.sampled_from(["", "tenant\x1fa"]))
def test_rows_in_are_rows_admitted_and_rows_dropped(
    rows: list[RetrievedFragment], policy: RetrievalPolicy, scope_path: str
) -> None:
    """Whatever a store answers, the explanation is the selection: its rows, its lines, its reasons, in its order."""
    selection = select_fragments(rows, policy, scope_path=scope_path)
    explained = explain_rows(selection)
    assert len(explained) == len(rows)
    assert [item.rank for item in explained] == list(range(1, len(rows) + 1))
    admitted = [item for item in explained if item.admitted]
    assert list(explained[: len(admitted)]) == admitted
    assert tuple(item.line for item in admitted) == selection.lines
    assert tuple(item.fragment for item in admitted) == selection.admitted
    dropped = explained[len(admitted) :]
    assert tuple(item.reason for item in dropped) == tuple(reason for _, reason in selection.dropped)
    assert all(item.fragment is row for item, row in zip(dropped, selection.dropped_rows, strict=True))
    assert explain_read(selection) == ()


def test_equal_rows_of_two_tenants_have_their_own_outcomes() -> None:
    """Equal in score, source and content: the one that is in scope is cited, and nothing of the other is kept."""
    rows = [
        row("same", 0.5, "a.md", scope_path=path, file=path or "shared")
        for path in ("tenant\x1fb", "tenant\x1fa", "", "tenant\x1fb")
    ]
    for order in itertools.permutations(rows):
        explained = explain_rows(select_fragments(order, POLICY, scope_path="tenant\x1fa"))
        assert sum(item.admitted for item in explained) == 1
        assert not any("tenant\x1fb" in item.scope_path for item in explained)
        assert sum(item.reason is not None and item.reason.code is DropCode.OUT_OF_SCOPE for item in explained) == 2


def test_rows_that_raise_when_looked_at_are_told() -> None:
    """A store's own classes may do anything; the account of the others does not fail for it."""

    class Row(RetrievedFragment):
        __slots__ = ()

        @property
        def score(self) -> float:
            raise ZeroDivisionError

        @score.setter
        def score(self, value: float) -> None:
            raise ZeroDivisionError

    class Record(dict[str, Any]):
        def get(self, *words: Any) -> Any:
            raise ZeroDivisionError

    rows = [Row.__new__(Row), RetrievedFragment.__new__(RetrievedFragment)]
    rows.append(RetrievedFragment("text", "a.md", 0.5, Record()))
    explained = explain_rows(select_fragments(rows, RetrievalPolicy()))
    assert [(item.admitted, item.score, item.file) for item in explained] == [
        (True, 0.5, ""),
        (False, None, ""),
        (False, None, ""),
    ]


def test_what_is_no_row_is_told_as_one() -> None:
    """It counts among the rows that came in, whatever it is."""
    answer: list[Any] = [None, 3, RetrievedFragment("text", "a.md", 1)]
    explained = explain_rows(select_fragments(answer, RetrievalPolicy()))
    assert [(item.admitted, item.score) for item in explained] == [(True, 1.0), (False, None), (False, None)]


def test_plain_mode_has_lines_too() -> None:
    """Without hardening the citation line is the line."""
    rows = [row("text")]
    (item,) = explain_rows(select_fragments(rows, RetrievalPolicy()))
    assert (item.line, item.citation) == ("SOURCE [a.md]: text", "a.md")


def test_reasons_about_the_read_are_no_rows() -> None:
    """They are counted apart."""
    source = KnowledgeSource(Endless(), "q", harden(RetrievalPolicy(1, max_rows=2), KEYS))
    selection = source.select(ContextRequest("k"))
    assert selection.dropped[-1][1].code is DropCode.UNEXAMINED
    assert [item.admitted for item in explain_rows(selection)] == [True, False]
    assert [reason.code for reason in explain_read(selection)] == [DropCode.UNEXAMINED]


class Endless:
    ROW = row("again")

    def search(self, query: str, limit: int) -> Any:
        return itertools.repeat(self.ROW)


def test_a_row_tells_where_it_comes_from() -> None:
    """File, page, heading and scope path as ingestion recorded them; anything else counts as not recorded."""
    recorded = {"file": "a.md", "page": 3, "heading": "One", "scope_path": ""}
    good, bad, none = (
        ExplainedRow(
            rank=1,
            label=safe_source("a.md"),
            score=0.5,
            fragment=RetrievedFragment("c", "a", 0.5, metadata),  # type: ignore[arg-type]  # a store may answer anything
        )
        for metadata in (recorded, {"file": 3, "page": "3", "heading": None}, None)
    )
    assert (good.file, good.page, good.heading, good.scope_path, good.citation) == ("a.md", 3, "One", "", "")
    for item in (bad, none):
        assert (item.file, item.page, item.heading, item.scope_path) == ("", None, "", "")


def test_a_row_of_a_deck_has_its_slide_and_one_of_a_workbook_its_sheet() -> None:
    """Beside page and heading, as a store records them; what is of another type counts as not recorded."""
    recorded = ({"page": 3, "slide": 3}, {"heading": "S", "sheet": "S"}, {"page": 3, "slide": "3", "sheet": 1})
    found = [
        ExplainedRow(rank=1, label=safe_source("x"), score=0.5, fragment=RetrievedFragment("c", "x", 0.5, metadata))
        for metadata in recorded
    ]
    assert [(row.page, row.slide, row.sheet) for row in found] == [(3, 3, None), (None, None, "S"), (3, None, None)]


def test_forged_markers_are_counted_where_they_were_made_harmless() -> None:
    """Not in a dropped row, and not where the policy leaves them as they are."""
    rows = [row("a SOURCE [x]: y [z]", 0.9, "a.md"), row("SOURCE [x]: SOURCE [y]: z", 0.5, "b.md"), row("c", 0.4)]
    assert [item.markers for item in explain_rows(select_fragments(rows, POLICY))] == [1, 0, 0]
    assert [item.reason and item.reason.code for item in explain_rows(select_fragments(rows, POLICY))][1] is not None
    assert [item.markers for item in explain_rows(select_fragments(rows, RetrievalPolicy()))] == [0, 0, 0]
