"""The conformance suite passes an honest retriever and catches each dishonest one."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from fnmatch import fnmatchcase
from threading import Event, Lock
from time import sleep
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

import pytest

from symfonic.capabilities.knowledge import (
    ContextRequest,
    KnowledgeSource,
    RetrievalPolicy,
    RetrievedFragment,
    scope_ancestors,
)
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
    from collections.abc import Callable, Sequence


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


def last_pair(path: str) -> str:
    """The end of a path."""
    return "\x1f".join(path.split("\x1f")[-2:])


def like(pattern: str, text: str) -> bool:
    """What a store with LIKE does."""
    wild = re.escape(pattern).replace("%", ".*").replace("_", ".")
    return re.fullmatch(wild, text, re.DOTALL) is not None


def under(compare: Callable[[str, str], bool]) -> Callable[[str, str], bool]:
    """Visibility whose only fault is how two paths are compared."""
    return lambda stored, asked: any(compare(stored, path) for path in scope_ancestors(asked))


#: Faulty readings of who sees what: is a row stored here seen by who asks there?
SEES: dict[str, Callable[[str, str], bool]] = {
    "ignores-case": under(lambda stored, path: stored.casefold() == path.casefold()),
    "ignores-ascii-case": under(lambda stored, path: stored.lower() == path.lower() if stored.isascii() else False),
    "normalises": under(lambda stored, path: normalize("NFC", stored) == normalize("NFC", path)),
    "compatible": under(lambda stored, path: normalize("NFKC", stored) == normalize("NFKC", path)),
    "asks-like": under(lambda stored, path: like(path, stored)),
    "stored-like": under(like),
    "asks-glob": under(fnmatchcase),
    "asks-regex": under(lambda stored, path: re.fullmatch(path.replace("\\", "/"), stored) is not None),
    "words": under(lambda stored, path: re.findall(r"\w+", stored) == re.findall(r"\w+", path)),
    "unordered": under(lambda stored, path: set(stored.split("\x1f")) == set(path.split("\x1f"))),
    "last-pair": lambda stored, asked: not stored or last_pair(stored) == last_pair(asked) or asked.startswith(stored),
    "ids-only": under(lambda stored, path: stored.split("\x1f")[1::2] == path.split("\x1f")[1::2]),
    "string-prefix": lambda stored, asked: asked.startswith(stored),
    "below": lambda stored, asked: stored in scope_ancestors(asked) or asked in scope_ancestors(stored),
    "first-pair": lambda stored, asked: stored.split("\x1f")[:2] in ([""], asked.split("\x1f")[:2]),
}


class Twisted:
    """An honest retriever with one fault."""

    made = 0

    def __init__(self, rows: Sequence[SeedRow], fault: str) -> None:
        self.rows, self.fault = tuple(rows), fault
        self.calls, self.scope = 0, ""
        self.cached: dict[tuple[str, int], Any] = {}
        self.kept: dict[str, RetrievedFragment] = {}
        self.hits: list[RetrievedFragment] = []
        self.lock = Lock()
        Twisted.made += 1

    def search(self, query: str, limit: int, *, scope_path: str = "") -> Any:
        self.calls += 1
        self.scope = scope_path
        special = getattr(self, f"search_{self.fault.replace('-', '_')}", None)
        answer = special and special(query, limit, scope_path)
        if answer is not None:
            return answer
        if sees := SEES.get(self.fault):
            return LyingRetriever([r for r in self.rows if sees(r.scope_path, scope_path)]).search(query, limit)
        return self.twist(InMemoryRetriever(self.rows).search(query, 99, scope_path=scope_path), limit)

    # Each returns an answer of its own, or None where the fault does not show.

    def search_raises(self, query: str, limit: int, scope_path: str) -> None:
        if "*" in query:
            raise ValueError(query)

    def search_zero_raises(self, query: str, limit: int, scope_path: str) -> None:
        if limit == 0:
            raise ValueError(limit)

    def search_lies(self, query: str, limit: int, scope_path: str) -> Any:
        return LyingRetriever(self.rows).search(query, limit)

    def search_caches(self, query: str, limit: int, scope_path: str) -> Any:
        honest = InMemoryRetriever(self.rows)
        if (query, limit) not in self.cached:
            self.cached[query, limit] = honest.search(query, limit, scope_path=scope_path)
        return self.cached[query, limit]

    def search_races(self, query: str, limit: int, scope_path: str) -> Any:
        return InMemoryRetriever(self.rows).search(query, limit, scope_path=self.scope)

    def search_late(self, query: str, limit: int, scope_path: str) -> Any:
        return (row for row in LyingRetriever(self.rows).search(query, 99) if self.sees_now(row))

    def sees_now(self, row: RetrievedFragment) -> bool:
        return row.metadata["scope_path"] in scope_ancestors(self.scope)

    def search_quote(self, query: str, limit: int, scope_path: str) -> Any:
        return LyingRetriever(self.rows).search("nine", limit) if "'" in query else None

    def search_double_quote(self, query: str, limit: int, scope_path: str) -> Any:
        return LyingRetriever(self.rows).search("nine", limit) if '"' in query else None

    def search_names_scope(self, query: str, limit: int, scope_path: str) -> Any:
        return LyingRetriever(self.rows).search("nine", limit) if "\x1f" in query else None

    def search_wordless(self, query: str, limit: int, scope_path: str) -> Any:
        return None if re.search(r"\w", query) else LyingRetriever(self.rows).search("nine", limit)

    def search_unlimited(self, query: str, limit: int, scope_path: str) -> Any:
        return LyingRetriever(self.rows).search("nine", 99) if limit == 0 else None

    def search_below_zero(self, query: str, limit: int, scope_path: str) -> Any:
        return LyingRetriever(self.rows).search("nine", 99) if limit < 0 else None

    def search_no_rows(self, query: str, limit: int, scope_path: str) -> Any:
        return [None, 7] if "*" in query else None

    def search_no_answer(self, query: str, limit: int, scope_path: str) -> Any:
        return NotImplemented if "*" in query else None

    def search_phantom(self, query: str, limit: int, scope_path: str) -> Any:
        return None if self.rows else [RetrievedFragment("nothing found", "", 1.0)]

    def search_rescores(self, query: str, limit: int, scope_path: str) -> Any:
        found = InMemoryRetriever(self.rows).search(query, limit, scope_path=scope_path)
        for row in found:
            object.__setattr__(self.kept.setdefault(row.source, row), "score", row.score)
        return [self.kept[row.source] for row in found]

    def search_reuses_its_list(self, query: str, limit: int, scope_path: str) -> Any:
        self.hits[:] = InMemoryRetriever(self.rows).search(query, limit, scope_path=scope_path)
        return self.hits

    def search_shares_a_cursor(self, query: str, limit: int, scope_path: str) -> Any:
        found = InMemoryRetriever(self.rows).search(query, limit, scope_path=scope_path)
        self.hits = []
        for row in found:
            self.hits.append(row)
        return self.hits

    def search_once(self, query: str, limit: int, scope_path: str) -> Any:
        found = InMemoryRetriever(self.rows).search(query, limit, scope_path=scope_path)
        return self.cached.setdefault((query, limit), iter(found))

    def search_holds_its_lock(self, query: str, limit: int, scope_path: str) -> Any:
        with self.lock:
            yield from InMemoryRetriever(self.rows).search(query, limit, scope_path=scope_path)

    def search_blocks(self, query: str, limit: int, scope_path: str) -> Any:
        if '"' in query:
            Event().wait()

    def search_deadlocks(self, query: str, limit: int, scope_path: str) -> Any:
        if not self.lock.acquire(blocking=False):
            Event().wait()
        sleep(0.001)
        self.lock.release()

    def twist(self, found: list[RetrievedFragment], limit: int) -> list[Any]:
        if self.fault == "greedy":
            return found
        if self.fault == "insertion":
            by_insertion = [row.source for row in self.rows]
            found.sort(key=lambda row: (-row.score, by_insertion.index(row.source)))
        return [self.twisted(row) for row in found[: max(limit, 0)]]

    def twisted(self, row: RetrievedFragment) -> Any:
        changed: dict[str, dict[str, Any]] = {
            "upside-down": {"score": -row.score},
            "nan": {"score": math.nan},
            "trims": {"content": row.content.strip()},
            "unstamped": {"metadata": {}},
            "stampless": {"metadata": None},
            "misstamped": {"metadata": {"scope_path": ""}},
            "global": {"score": row.score / len(self.rows)},
            "drifts": {"score": row.score + self.calls / 1e6},
            "moody": {"score": row.score + Twisted.made / 1e6},
        }
        return {"content": row.content} if self.fault == "dicts" else replace(row, **changed.get(self.fault, {}))


CATCHES = {
    "raises": "test_no_question_raises",
    "no-rows": "test_no_question_raises",
    "no-answer": "test_no_question_raises",
    "zero-raises": "test_a_limit_of_zero_answers_nothing",
    "unlimited": "test_a_limit_of_zero_answers_nothing",
    "below-zero": "test_a_limit_of_zero_answers_nothing",
    "upside-down": "test_the_best_row_has_the_highest_score",
    "insertion": "test_ties_at_the_cut_do_not_depend_on_insertion_order",
    "greedy": "test_a_limit_is_respected_but_for_ties",
    "dicts": "test_rows_are_fragments_with_text_and_finite_scores",
    "nan": "test_rows_are_fragments_with_text_and_finite_scores",
    "trims": "test_content_and_source_come_back_as_they_were_stored",
    "moody": "test_the_same_question_gets_the_same_answer",
    "once": "test_the_same_question_gets_the_same_answer",
    "rescores": "test_an_answer_stays_as_it_was",
    "reuses-its-list": "test_an_answer_stays_as_it_was",
    "holds-its-lock": "test_an_answer_nobody_finishes_holds_nothing_up",
    "blocks": "test_no_question_raises",
    "deadlocks": "test_many_threads_get_the_answer_of_one",
    "shares-a-cursor": "test_many_threads_get_the_answer_of_one",
    "phantom": "test_an_empty_store_answers_nothing",
    "drifts": "test_many_threads_get_the_answer_of_one",
    "global": "test_other_tenants_change_neither_rows_nor_scores",
    "lies": "test_scopes_see_themselves_and_what_is_above",
    "unstamped": "test_scopes_see_themselves_and_what_is_above",
    "stampless": "test_scopes_see_themselves_and_what_is_above",
    "misstamped": "test_scopes_see_themselves_and_what_is_above",
    "string-prefix": "test_scopes_see_themselves_and_what_is_above",
    "caches": "test_scopes_are_told_apart_exactly",
    **dict.fromkeys(SEES, "test_scopes_are_told_apart_exactly"),
    "late": "test_answers_read_side_by_side_keep_their_scopes",
    "races": "test_scopes_asked_at_once_keep_apart",
    "quote": "test_no_question_widens_the_scope",
    "double-quote": "test_no_question_widens_the_scope",
    "names-scope": "test_no_question_widens_the_scope",
    "wordless": "test_no_question_widens_the_scope",
}
SUITE = [name for name in dir(RetrieverConformance) if name.startswith("test_")]


def suite_for(fault: str) -> RetrieverConformance:
    """The suite over a retriever with this fault."""

    class Suite(RetrieverConformance):
        deadline_seconds = 0.3 if fault in {"blocks", "deadlocks", "holds-its-lock"} else 120.0

        def make_retriever(self, rows: Sequence[SeedRow]) -> Twisted:
            return Twisted(rows, fault)

    return Suite()


@pytest.mark.requirement("KB-TST-1")
@pytest.mark.parametrize(("fault", "caught_by"), CATCHES.items())
def test_the_suite_catches_each_fault(fault: str, caught_by: str) -> None:
    """A check that cannot fail would be none; what it says is an assertion unless the retriever itself raised."""
    with pytest.raises(ValueError if fault.endswith("raises") else AssertionError):
        getattr(suite_for(fault), caught_by)()


def test_every_check_of_the_suite_has_a_liar() -> None:
    """A new check cannot arrive without a retriever it catches."""
    assert sorted(set(CATCHES.values())) == sorted(SUITE)


@pytest.mark.parametrize("check", SUITE)
def test_the_same_retriever_without_a_fault_passes(check: str) -> None:
    """So it is the fault that is caught."""
    getattr(suite_for("none"), check)()


@pytest.mark.parametrize("fault", ["races", "shares-a-cursor"])
def test_a_race_is_found_on_every_run(fault: str) -> None:
    """Not now and then: the threads make way for each other at every line, however far into an answer it stands."""
    for _ in range(5):
        with pytest.raises(AssertionError):
            suite_for(fault).test_scopes_asked_at_once_keep_apart()


def test_a_retriever_that_blocks_fails_a_check_and_holds_up_nothing() -> None:
    """What failed says what to do; the thread that waits dies with the program."""
    with pytest.raises(AssertionError, match=r"no answer within 0.3 seconds: .* deadline_seconds"):
        suite_for("blocks").test_no_question_widens_the_scope()


def test_a_liar_ignores_the_scope_and_nothing_else() -> None:
    """It ranks, cuts and passes over what shares no word as the honest fake does."""
    rows = (
        SeedRow(content="a day", source="a", scope_path="tenant\x1fa"),
        SeedRow(content="a night", source="b", scope_path="tenant\x1fb"),
        SeedRow(content="night", source="c"),
    )
    liar = LyingRetriever(rows)
    assert [row.source for row in liar.search("a day", 3, scope_path="tenant\x1fb")] == ["a", "b"]
    assert [row.source for row in liar.search("a day", 1)] == ["a"]
    assert liar.search("a day", 0) == []
    assert liar.search("week", 3) == []
    assert liar.search("a", 3)[1].metadata == {"scope_path": "tenant\x1fb"}


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
