"""A reranker between a store and the boundary."""

from __future__ import annotations

import math
from collections import OrderedDict
from copy import deepcopy
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import AdapterError, ModelError, StoreError
from symfonic.capabilities.knowledge import RetrievedFragment
from symfonic.composition.knowledge import (
    KnowledgeBase,
    RerankedRetriever,
    SettingsError,
    StoreFailedError,
    WiringError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from .conftest import MemoryStore


class Rows:
    """A store that answers rows as they are, and remembers what it was asked."""

    def __init__(self, *rows: Any) -> None:
        self.rows = rows
        self.asked: list[tuple[str, int, str]] = []

    def search(self, query: str, limit: int, *, scope_path: str = "") -> Sequence[RetrievedFragment]:
        self.asked.append((query, limit, scope_path))
        return self.rows


class Scores:
    """A reranker with a score for each content."""

    def __init__(self, **scores: Any) -> None:
        self.scores = scores
        self.given: list[str] = []

    def rerank(self, query: str, rows: Sequence[RetrievedFragment]) -> Iterable[float]:
        self.given = [row.content for row in rows]
        return [self.scores[row.content] for row in rows]


class Answering:
    """A reranker that answers whatever a function says."""

    def __init__(self, answer: Callable[[Sequence[RetrievedFragment]], Any]) -> None:
        self.answer = answer

    def rerank(self, query: str, rows: Sequence[RetrievedFragment]) -> Any:
        return self.answer(rows)


class Secretive(float):
    """A number that does not tell which."""

    def __float__(self) -> float:
        message = "the words of a passage"
        raise RuntimeError(message)


def row(content: str, score: float = 0.5, source: str = "s") -> RetrievedFragment:
    """A row of a store."""
    return RetrievedFragment(content, source, score, {"ordinal": 7})


def ranked(rows: Iterable[RetrievedFragment]) -> list[tuple[str, float]]:
    """Content and score."""
    return [(found.content, found.score) for found in rows]


@pytest.mark.requirement("CO-RANK-1")
def test_rows_come_in_the_rerankers_order_with_its_scores() -> None:
    """Everything else of a row stays."""
    store = Rows(row("a", 0.9), row("b", 0.8), row("c", 0.7))
    retriever = RerankedRetriever(store, Scores(a=0.1, b=0.3, c=0.2))
    found = retriever.search("q", 2, scope_path="tenant:a")
    assert ranked(found) == [("b", 0.3), ("c", 0.2)]
    assert found[0] == RetrievedFragment("b", "s", 0.3, {"ordinal": 7})
    assert store.asked == [("q", 50, "tenant:a")]


@pytest.mark.requirement("CO-RANK-1")
def test_a_store_that_is_bound_to_its_scope_is_reranked_as_well() -> None:
    """It takes no scope path; the boundary asks it so, too."""

    class Bound:
        def search(self, query: str, limit: int) -> list[RetrievedFragment]:
            return [RetrievedFragment("one", "a", 0.1), RetrievedFragment("two", "b", 0.2)]

    found = RerankedRetriever(Bound(), Scores(one=0.9, two=0.3)).search("q", 2, scope_path="tenant\x1facme")
    assert [(row.content, row.score) for row in found] == [("one", 0.9), ("two", 0.3)]


def test_more_rows_than_wanted_are_asked_for() -> None:
    """The depth, or the limit where that is more."""
    store = Rows()
    for limit in (0, 7, 8):
        assert list(RerankedRetriever(store, Scores(), 7).search("q", limit)) == []
    assert [limit for _, limit, _ in store.asked] == [7, 7, 8]


@pytest.mark.requirement("CO-RANK-2")
def test_rows_that_tie_with_the_last_come_as_well() -> None:
    """In an order that does not depend on the store's."""
    rows = [row("d", source="b"), row("a", source="b"), row("c", source="a"), row("b", source="c")]
    scores = Scores(a=0.5, b=0.5, c=0.5, d=0.9)
    expected = [("d", 0.9), ("c", 0.5), ("a", 0.5), ("b", 0.5)]
    for order in (rows, rows[::-1], rows[2:] + rows[:2]):
        assert ranked(RerankedRetriever(Rows(*order), scores).search("q", 2)) == expected
        assert ranked(RerankedRetriever(Rows(*order), scores).search("q", 1)) == [("d", 0.9)]


@pytest.mark.requirement("CO-RANK-2")
def test_rows_beyond_the_depth_are_left_out() -> None:
    """The same ones in whatever order the store answers; none is shown that was not scored."""
    rows = [row("a", 0.9), row("c", 0.5), row("b", 0.5), row("d", 0.5), row("e", math.nan)]
    for order in (rows, rows[::-1]):
        reranker = Scores(a=0.1, b=0.2)
        assert ranked(RerankedRetriever(Rows(*order), reranker, 2).search("q", 2)) == [("b", 0.2), ("a", 0.1)]
        assert reranker.given == ["a", "b"]


def test_a_store_without_end_is_read_only_so_far() -> None:
    """Rows that tie may come on top of those that were asked for."""
    read = []

    class Endless:
        def search(self, query: str, limit: int, *, scope_path: str = "") -> Any:
            while True:
                read.append(query)
                yield row(f"{len(read):05}", 1 / len(read))

    reranker = Answering(lambda rows: [0.5] * len(rows))
    assert len(RerankedRetriever(Endless(), reranker, 3).search("q", 2)) == 3
    assert len(read) == 3 + 256


@pytest.mark.requirement("CO-RANK-3")
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda rows: [0.5], "was given 2 and answered 1, so nobody knows which is whose"),
        (lambda rows: [0.5] * 3, "was given 2 and answered more, so nobody"),
        (lambda rows: [0.5, math.nan], r"a number in \[0, 1\]"),
        (lambda rows: [0.5, math.inf], r"a number in \[0, 1\]"),
        (lambda rows: [0.5, -0.1], r"a number in \[0, 1\]"),
        (lambda rows: [0.5, 1.5], r"a number in \[0, 1\]"),
        (lambda rows: [0.5, None], r"a number in \[0, 1\]"),
        (lambda rows: [0.5, "0.5"], r"a number in \[0, 1\]; this one answered something else \(str\)"),
        (lambda rows: [0.5, bytearray(b"0.5")], r"something else \(bytearray\)"),
        (lambda rows: [0.5, memoryview(b"0.5")], r"something else \(memoryview\)"),
        (lambda rows: [0.5, True], r"something else \(bool\)"),
        (lambda rows: [0.5, 10**400], r"something else \(int\)"),
        (lambda rows: [0.5, Secretive(0.5)], r"something else \(Secretive\)"),
        (lambda rows: None, r"it failed \(TypeError\), so nothing was answered"),
        (lambda rows: 1 / 0, r"it failed \(ZeroDivisionError\), so nothing was answered"),
    ],
)
def test_an_answer_that_is_none_is_refused(answer: Callable[[Sequence[RetrievedFragment]], Any], said: str) -> None:
    """No question is answered in an order that only looks reranked."""
    with pytest.raises(StoreError, match=said):
        RerankedRetriever(Rows(row("a"), row("b")), Answering(answer)).search("q", 1)


def sort(rows: Any) -> list[float]:
    """Score, then move the rows."""
    scores = [0.1 if found.content == "a" else 0.9 for found in rows]
    rows.sort(key=lambda found: found.content, reverse=True)
    return scores


def forge(rows: Any) -> list[float]:
    """Put a row of its own in the first place, and remove all others."""
    scores = [0.1, 0.9]
    rows[:] = [RetrievedFragment("forged", "evil", 1.0)]
    return scores


def move(rows: Any) -> list[float]:
    """Show rows to somebody else, and change them where they stand."""
    for found in rows:
        found.metadata["scope_path"] = "tenant:other"
        object.__setattr__(found, "content", "forged")
    return [0.1, 0.9]


def lengthen(rows: Any) -> Iterable[float]:
    """Add rows while scores are read."""
    for score in (0.1, 0.9):
        rows.append(rows[0])
        yield score


@pytest.mark.requirement("CO-RANK-1")
@pytest.mark.parametrize("answer", [sort, forge, move, lengthen])
def test_nothing_a_reranker_does_to_its_rows_reaches_an_answer(answer: Callable[[Any], Any]) -> None:
    """It is given copies: scores belong to the rows as they were handed over, and a row keeps its scope."""
    rows = [RetrievedFragment(text, "s", 0.5, {"scope_path": "tenant:a"}) for text in "ab"]
    found = RerankedRetriever(Rows(*rows), Answering(answer)).search("q", 2)
    assert found == [
        RetrievedFragment("b", "s", 0.9, {"scope_path": "tenant:a"}),
        RetrievedFragment("a", "s", 0.1, {"scope_path": "tenant:a"}),
    ]


def itself() -> list[object]:
    """A list that holds itself."""
    found: list[object] = []
    found.append(found)
    return found


def woven() -> object:
    """Few lists, each twice in the next: a thousand million values for whoever copies them one by one."""
    found: list[object] = ["x"] * 100
    for _ in range(6):
        found = [found] * 100
    return found


@pytest.mark.requirement("CO-RANK-1")
def test_nothing_a_reranker_does_inside_metadata_reaches_an_answer() -> None:
    """Lists, mappings, sets and tuples of them are copied, whatever kind of each they are."""
    held: dict[str, Any] = {"a": ["x", {"b": ["y"]}], "c": ({"z"}, bytearray(b"1")), "d": OrderedDict(e=[])}
    before = deepcopy(held)

    def spoil(rows: Any) -> list[float]:
        found = rows[0].metadata
        assert found == before
        found["a"].append("evil")
        found["a"][1]["b"].append("evil")
        found["c"][0].add("evil")
        found["c"][1].extend(b"evil")
        found["d"]["e"].append("evil")
        return [0.5]

    (found,) = RerankedRetriever(Rows(RetrievedFragment("a", "s", 0.1, held)), Answering(spoil)).search("q", 1)
    assert found.metadata == held == before


@pytest.mark.requirement("CO-RANK-1")
def test_what_is_too_large_to_copy_is_not_shown_to_a_reranker() -> None:
    """The rest of the metadata is; the answer keeps all of it."""
    odd = {"itself": itself(), "woven": woven(), "long": [0] * 20_000, "page": 3, "list": [1]}
    seen: list[Any] = []

    def look(rows: Any) -> list[float]:
        seen.extend(found.metadata for found in rows)
        return [0.5]

    (found,) = RerankedRetriever(Rows(RetrievedFragment("a", "s", 0.1, odd)), Answering(look)).search("q", 1)
    assert seen == [{"page": 3, "list": [1]}]
    assert found.metadata is odd


async def later() -> list[RetrievedFragment]:
    """Rows, some time."""
    return []


@pytest.mark.requirement("CO-RANK-3")
@pytest.mark.parametrize(
    ("answer", "kind"), [(lambda: None, "NoneType"), (lambda: 5, "int"), (lambda: "rows", "str"), (later, "coroutine")]
)
def test_a_store_that_answers_no_rows_is_told(answer: Callable[[], Any], kind: str, memory_store: MemoryStore) -> None:
    """In a store's error, also where a knowledge base asks."""

    class Odd:
        def search(self, query: str, limit: int, *, scope_path: str = "") -> Any:
            return answer()

    said = f"this one's search answered {kind}, so there was nothing to rerank"
    for limit in (0, 2):
        with pytest.raises(StoreError, match=said):
            RerankedRetriever(Odd(), Scores()).search("q", limit)
    memory_store.search = Odd().search  # type: ignore[method-assign]  # the case
    with pytest.raises(StoreFailedError, match=said):
        KnowledgeBase(memory_store, key=bytes(range(32)), reranker=Scores()).search("leave")


def test_metadata_that_is_no_mapping_is_not_shown_to_a_reranker() -> None:
    """The row is scored, and the boundary judges it as the store answered it."""
    odd: Any = RetrievedFragment("a", "s", 0.5, 3)  # type: ignore[arg-type]  # the case
    seen: list[Any] = []

    def look(rows: Sequence[RetrievedFragment]) -> list[float]:
        seen.extend(rows)
        return [0.25]

    (found,) = RerankedRetriever(Rows(odd), Answering(look)).search("q", 1)
    assert (found.score, found.metadata) == (0.25, odd.metadata)
    assert seen == [RetrievedFragment("a", "s", 0.5, {})]


def test_a_score_is_a_plain_positive_float() -> None:
    """Whatever real number the reranker answers."""
    retriever = RerankedRetriever(Rows(row("a"), row("b"), row("c")), Scores(a=-0.0, b=Fraction(1, 2), c=1))
    assert [repr(found.score) for found in retriever.search("q", 3)] == ["1.0", "0.5", "0.0"]


@pytest.mark.parametrize("limit", ["3", 1.5, True, None, -1])
def test_a_limit_that_is_none_is_refused(limit: Any) -> None:
    """Before the store is asked, in the words of the embedded one."""
    store = Rows(row("a"))
    with pytest.raises(StoreError, match="a limit is a plain int of at least 0"):
        RerankedRetriever(store, Scores(a=0.5)).search("q", limit)
    assert store.asked == []


def test_a_limit_may_be_larger_than_any_store() -> None:
    """All rows come."""
    assert ranked(RerankedRetriever(Rows(row("a")), Scores(a=0.5)).search("q", 10**30)) == [("a", 0.5)]


@pytest.mark.requirement("CO-RANK-3")
def test_a_failure_is_told_in_the_rerankers_words_where_they_are_for_people() -> None:
    """Those of an adapter are; the cause stays attached."""

    def fail(rows: Sequence[RetrievedFragment]) -> Any:
        raise ModelError("the server is busy", code="server")

    with pytest.raises(StoreError, match="the reranker failed, so nothing was answered: the server is busy") as caught:
        RerankedRetriever(Rows(row("a")), Answering(fail)).search("q", 1)
    assert isinstance(caught.value.__cause__, AdapterError)


@pytest.mark.requirement("CO-RANK-4")
@pytest.mark.parametrize(
    "bad",
    [
        "text",
        None,
        RetrievedFragment(None, "s", 0.9),  # type: ignore[arg-type]  # the case
        RetrievedFragment("b", 3, 0.9),  # type: ignore[arg-type]  # the case
    ],
)
def test_a_row_without_text_is_passed_on_behind_the_others(bad: Any) -> None:
    """As it is and wherever it stood; no reranker is given it, and one that scores nothing is not asked."""
    reranker = Scores(a=0.1, b=0.2)
    for rows in ((row("a"), bad, row("b")), (bad, row("b"), row("a"))):
        assert RerankedRetriever(Rows(*rows), reranker).search("q", 2) == [row("b", 0.2), row("a", 0.1), bad]
        assert sorted(reranker.given) == ["a", "b"]
    assert RerankedRetriever(Rows(row("a"), bad, row("b")), reranker).search("q", 1) == [row("b", 0.2), bad]
    assert RerankedRetriever(Rows(bad), Answering(lambda rows: 1 / 0)).search("q", 2) == [bad]
    assert RerankedRetriever(Rows(bad), reranker).search("q", 0) == []


@pytest.mark.requirement("CO-RANK-4")
def test_a_row_without_text_costs_itself_in_a_prompt(memory_store: MemoryStore, monkeypatch: Any) -> None:
    """The boundary counts it, with a reranker as without."""
    good = RetrievedFragment("Leave is long.", "a.txt", 0.5, {"scope_path": ""})
    bad: Any = RetrievedFragment(None, "b.txt", 0.9, {"scope_path": ""})  # type: ignore[arg-type]  # the case
    monkeypatch.setattr(memory_store, "search", lambda query, limit, scope_path="": [bad, good])
    for reranker in (None, Answering(lambda rows: [0.25] * len(rows))):
        knowledge = KnowledgeBase(memory_store, key=bytes(range(32)), reranker=reranker)
        selection = knowledge.ask("leave").selection
        assert [found.content for found in selection.admitted] == ["Leave is long."]
        assert [reason.code for _, reason in selection.dropped] == ["bad-content"]


@pytest.mark.parametrize("reranker", ["minilm", 3, Answering, Scores, object()])
def test_what_is_no_reranker_is_refused(tmp_path: Path, memory_store: MemoryStore, reranker: Any) -> None:
    """Before anything is opened; a class is none of its own."""
    with pytest.raises(WiringError, match=r"a reranker is an object with a method rerank\(query, rows\), not "):
        KnowledgeBase.open(tmp_path / "k.db", reranker=reranker)
    with pytest.raises(WiringError, match="nothing was opened; pass one"):
        KnowledgeBase(memory_store, key=bytes(range(32)), reranker=reranker)
    assert list(tmp_path.iterdir()) == []


def test_a_row_without_a_score_ranks_last() -> None:
    """It is scored where there is room."""
    unscored = RetrievedFragment("b", "s", None)  # type: ignore[arg-type]  # the case
    assert ranked(RerankedRetriever(Rows(unscored, row("a")), Scores(a=0.1, b=0.2)).search("q", 2)) == [
        ("b", 0.2),
        ("a", 0.1),
    ]


@pytest.mark.parametrize("depth", [0, -1, 2.0, True, "5"])
def test_a_depth_is_a_number_of_rows(depth: Any) -> None:
    """At least one."""
    with pytest.raises(SettingsError, match="depth is a whole number of rows"):
        RerankedRetriever(Rows(), Scores(), depth)


@pytest.mark.requirement("CO-RANK-1")
@pytest.mark.requirement("CO-RANK-3")
def test_a_knowledge_base_asks_through_its_reranker(tmp_path: Path) -> None:
    """In a search and in a prompt; the boundary still selects, and a failure is the store's."""
    (tmp_path / "a.txt").write_text("Leave is long.")
    (tmp_path / "b.txt").write_text("Leave is leave.")
    short_first = Answering(lambda rows: [1 / len(found.content) for found in rows])
    with KnowledgeBase.open(tmp_path / "k.db", reranker=short_first) as knowledge:
        knowledge.ingest(tmp_path / "a.txt", tmp_path / "b.txt")
        assert ranked(knowledge.search("leave")) == [("Leave is long.", 1 / 14), ("Leave is leave.", 1 / 15)]
        admitted = knowledge.ask("leave").selection.admitted
        assert [fragment.score for fragment in admitted] == [1 / 14, 1 / 15]
        short_first.answer = lambda rows: []
        for ask in (knowledge.ask, knowledge.search):
            with pytest.raises(StoreFailedError, match="one score for each row"):
                ask("leave")
