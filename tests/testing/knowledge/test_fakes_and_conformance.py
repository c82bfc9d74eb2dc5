"""The conformance suite passes an honest retriever and catches each dishonest one."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial
from html import escape, unescape
from operator import itemgetter
from random import Random
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

    def test_a_retriever_is_closed(self) -> None:
        """What was built is released."""
        bound = self.make_retriever(())
        self.drop_retriever(bound)
        assert bound.closed


def joined(path: str, joint: str, between: str = "") -> str:
    """The path as a store without U+001F might write it: one sign inside pairs, another between them."""
    parts = path.split("\x1f")
    pairs = (joint.join(parts[at : at + 2]) for at in range(0, len(parts), 2))
    return (between or joint).join(pairs)


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


def by_key(key: Callable[[str], str]) -> Callable[[str, str], bool]:
    """Visibility where paths are compared by a key made of them."""
    return under(lambda stored, path: key(stored) == key(path))


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
    **{
        f"joined-by-{joint!a}": by_key(partial(joined, joint=joint))
        for joint in ("", "/", ":", ".", "|", ",", "-", "_", " ", "::", "%1F", "\u241f", "\\x1f", "\\")
    },
    "pairs-by-colon": by_key(partial(joined, joint=":", between="/")),
    "pairs-by-equals": by_key(partial(joined, joint="=", between=",")),
    "pairs-like-a-query": by_key(partial(joined, joint="=", between="&")),
}
#: Faulty keys: rows stored under one key replace each other.
KEYS: dict[str, Callable[[SeedRow], tuple[str, ...]]] = {
    "keyed-by-source": lambda row: (row.source,),
    "keyed-by-content": lambda row: (row.content,),
    "keyed-by-source-and-content": lambda row: (row.source, row.content),
    "keyed-by-scope-and-source": lambda row: (row.scope_path, row.source),
    "keyed-by-scope-and-content": lambda row: (row.scope_path, row.content),
    "keyed-by-lower-case-source": lambda row: (row.scope_path, row.source.lower(), row.content),
    "keyed-by-stripped-source": lambda row: (row.scope_path, row.source.strip(), row.content),
    "keyed-by-folded-source": lambda row: (row.scope_path, normalize("NFKC", row.source), row.content),
}
#: Faulty writing: what is stored is not what was given.
WRITES: dict[str, Callable[[SeedRow], SeedRow]] = {
    "compatible-content": lambda row: replace(row, content=normalize("NFKC", row.content)),
    "composes-content": lambda row: replace(row, content=normalize("NFC", row.content)),
    "lower-content": lambda row: replace(row, content=row.content.lower()),
    "unescapes-content": lambda row: replace(row, content=unescape(row.content)),
    "escapes-content": lambda row: replace(row, content=escape(row.content)),
    "collapses-spaces": lambda row: replace(row, content=re.sub(" +", " ", row.content)),
    "translates-line-ends": lambda row: replace(row, content=row.content.replace("\r\n", "\n")),
    "cuts-content": lambda row: replace(row, content=row.content[:2000]),
    "hides-invisibles": lambda row: replace(row, content=row.content.replace("\u200b", "")),
    "compatible-names": lambda row: replace(row, source=normalize("NFKC", row.source)),
    "strips-names": lambda row: replace(row, source=row.source.strip()),
    "lower-names": lambda row: replace(row, source=row.source.lower()),
    "base-names": lambda row: replace(row, source=row.source.rpartition("/")[2]),
}
#: Faulty columns: the path is cut before it is stored and before it is asked for.
CUTS: dict[str, Callable[[str], str]] = {
    **{f"first-{length}": itemgetter(slice(length)) for length in (32, 63, 64, 128, 255, 256)},
    **{f"last-{length}": itemgetter(slice(-length, None)) for length in (32, 64, 255)},
}


SHUFFLED = Random(1)


class Twisted:
    """An honest retriever with one fault."""

    made = 0

    def __init__(self, rows: Sequence[SeedRow], fault: str) -> None:
        self.rows, self.fault = self.stored(rows, fault), fault
        self.calls, self.scope = 0, ""
        self.cached: dict[tuple[str, int], Any] = {}
        self.kept: dict[str, RetrievedFragment] = {}
        self.hits: list[RetrievedFragment] = []
        self.lock = Lock()
        Twisted.made += 1

    @staticmethod
    def stored(rows: Sequence[SeedRow], fault: str) -> tuple[SeedRow, ...]:
        """What arrives in the store."""
        if key := KEYS.get(fault):
            return tuple({key(row): row for row in rows}.values())
        if fault == "first-one-stays":
            return tuple({row.source: row for row in reversed(rows)}.values())
        write = WRITES.get(fault)
        return tuple(map(write, rows)) if write else tuple(rows)

    def search(self, query: str, limit: int, *, scope_path: str = "") -> Any:
        self.calls += 1
        self.scope = scope_path
        special = getattr(self, f"search_{self.fault.replace('-', '_')}", None)
        answer = special and special(query, limit, scope_path)
        if answer is not None:
            return answer
        if sees := SEES.get(self.fault):
            return LyingRetriever([r for r in self.rows if sees(r.scope_path, scope_path)]).search(query, limit)
        if cut := CUTS.get(self.fault):
            seen = {cut(path) for path in scope_ancestors(scope_path)}
            return LyingRetriever([row for row in self.rows if cut(row.scope_path) in seen]).search(query, limit)
        if self.fault.startswith("post-filters"):
            return self.post_filtered(query, limit, scope_path)
        return self.twist(InMemoryRetriever(self.rows).search(query, 999, scope_path=scope_path), limit)

    def post_filtered(self, query: str, limit: int, scope_path: str) -> list[RetrievedFragment]:
        """Rank and cut everybody's rows, or those of one tenant, and filter what is left."""
        rows = self.rows
        if self.fault == "post-filters-below":
            rows = tuple(row for row in rows if SEES["first-pair"](row.scope_path, scope_path))
        factor = int(self.fault.rpartition("-")[2]) if self.fault[-1].isdigit() else 3
        found = LyingRetriever(rows).search(query, 999)[: max(limit, 0) * factor]
        return [row for row in found if row.metadata["scope_path"] in scope_ancestors(scope_path)][: max(limit, 0)]

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

    def search_shuffles(self, query: str, limit: int, scope_path: str) -> Any:
        found = InMemoryRetriever(self.rows).search(query, 999, scope_path=scope_path)
        SHUFFLED.shuffle(found)
        return sorted(found, key=lambda row: -row.score)[: max(limit, 0)]

    def search_raises_late(self, query: str, limit: int, scope_path: str) -> Any:
        yield from InMemoryRetriever(self.rows).search(query, limit, scope_path=scope_path)
        if "*" in query:
            raise ValueError(query)

    def search_answers_none(self, query: str, limit: int, scope_path: str) -> Any:
        return Bound(self.rows).inner.search(query, limit, scope_path=scope_path) or NotImplemented

    def search_asynchronous(self, query: str, limit: int, scope_path: str) -> Any:
        async def rows() -> list[RetrievedFragment]:
            return []

        return rows()

    def search_less(self, query: str, limit: int, scope_path: str) -> Any:
        return InMemoryRetriever(self.rows).search(query, max(limit - 1, 1 if limit else 0), scope_path=scope_path)

    def search_one_more(self, query: str, limit: int, scope_path: str) -> Any:
        return InMemoryRetriever(self.rows).search(query, limit + (limit > 0), scope_path=scope_path)

    def search_slices(self, query: str, limit: int, scope_path: str) -> Any:
        return InMemoryRetriever(self.rows).search(query, 999, scope_path=scope_path)[:limit]

    def search_finds_nothing(self, query: str, limit: int, scope_path: str) -> Any:
        return []

    def search_own_path_alone(self, query: str, limit: int, scope_path: str) -> Any:
        return LyingRetriever([row for row in self.rows if row.scope_path == scope_path]).search(query, limit)

    def search_falls_back(self, query: str, limit: int, scope_path: str) -> Any:
        found = InMemoryRetriever(self.rows).search(query, limit, scope_path=scope_path)
        return found or LyingRetriever(self.rows).search("nine", limit)

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
            "constant": {"score": 1.0},
            "text-scores": {"score": str(row.score)},
            "bool-scores": {"score": True},
            "bytes": {"content": row.content.encode()},
            "nameless": {"source": None},
            "stamps-what-is-asked": {"metadata": {"scope_path": self.scope}},
            "nan": {"score": math.nan},
            "trims": {"source": row.source.strip()},
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
    "raises-late": "test_no_question_raises",
    "answers-none": "test_an_empty_store_answers_nothing",
    "asynchronous": "test_rows_are_fragments_with_text_and_finite_scores",
    "finds-nothing": "test_an_answer_nobody_finishes_holds_nothing_up",
    "one-more": "test_a_limit_is_respected_but_for_ties",
    "less": "test_a_limit_is_respected_but_for_ties",
    "slices": "test_a_limit_of_zero_answers_nothing",
    "shuffles": "test_ties_at_the_cut_do_not_depend_on_insertion_order",
    "constant": "test_the_best_row_has_the_highest_score",
    "text-scores": "test_rows_are_fragments_with_text_and_finite_scores",
    "bool-scores": "test_rows_are_fragments_with_text_and_finite_scores",
    "bytes": "test_rows_are_fragments_with_text_and_finite_scores",
    "nameless": "test_rows_are_fragments_with_text_and_finite_scores",
    "own-path-alone": "test_scopes_see_themselves_and_what_is_above",
    "stamps-what-is-asked": "test_scopes_see_themselves_and_what_is_above",
    "falls-back": "test_no_question_widens_the_scope",
    **dict.fromkeys(WRITES, "test_content_and_source_come_back_as_they_were_stored"),
    "first-one-stays": "test_rows_of_other_scopes_replace_nothing",
    **dict.fromkeys(KEYS, "test_sources_are_told_apart_exactly"),
    "keyed-by-source": "test_rows_of_other_scopes_replace_nothing",
    "keyed-by-content": "test_rows_of_other_scopes_replace_nothing",
    "keyed-by-source-and-content": "test_rows_of_other_scopes_replace_nothing",
    "keyed-by-scope-and-source": "test_passages_do_not_replace_each_other",
    "keyed-by-scope-and-content": "test_passages_do_not_replace_each_other",
    **dict.fromkeys(CUTS, "test_long_scopes_are_told_apart"),
    **{f"post-filters-{factor}": "test_other_tenants_push_nothing_out" for factor in (1, 2, 3, 5, 10, 20, 33)},
    "post-filters-below": "test_other_tenants_push_nothing_out",
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
    """A check that cannot fail would be none; it names the rule, what was seen, a cause and a remedy, all in short."""
    with pytest.raises(AssertionError) as caught:
        getattr(suite_for(fault), caught_by)()
    rule, seen, cause, remedy = str(caught.value).split("\n")
    assert rule.endswith(".")
    assert seen.startswith("  seen: ")
    assert len(seen) < 700, "few rows, and little of each"
    assert cause.startswith("  likely cause: ")
    assert remedy.startswith("  remedy: ")


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
    with pytest.raises(AssertionError, match=r"deadline_seconds[.]\n  seen: +no answer within 0.3 seconds"):
        suite_for("blocks").test_no_question_widens_the_scope()


SAYS = {
    "shuffles": "also where rows tie",
    "insertion": "does not depend on the order they were stored in",
    "keyed-by-scope-and-content": "a passage may stand in many sources",
    "finds-nothing": "make_retriever does not store its rows",
    "dicts": "Every row is a RetrievedFragment.\n  seen:         a dict",
    "asynchronous": "coroutine for 'opens at nine'",
    "post-filters-10": "limit 1, 240 better rows of others: missing: ('bread.md')",
    "global": "moves no score",
    "slices": "A limit below zero answers nothing, or raises",
    "below-zero": "A limit below zero answers nothing, or raises",
    "raises": "ValueError for '*', limit 3: *",
    "lies": "at '' not expected: ('acme.md', 'tenant\\x1facme', 'the shop opens at nine'), ",
    "own-path-alone": "missing: ('all.md', '', 'the shop opens at nine')",
    "joined-by-'/'": "pairs joined by a sign that an id may hold",
    "constant": "or the same score for everything",
    "nan": "score is nan",
}
CHECKED = {"keyed-by-scope-and-content": "test_ties_at_the_cut_do_not_depend_on_insertion_order"}


@pytest.mark.parametrize(("fault", "says"), SAYS.items())
def test_a_message_tells_one_fault_from_another(fault: str, says: str) -> None:
    """Whoever reads it knows where to look: chance is not the order of insertion, nor a lost row a wrong score."""
    with pytest.raises(AssertionError, match=re.escape(says)):
        getattr(suite_for(fault), CHECKED.get(fault, CATCHES[fault]))()


@pytest.mark.parametrize("check", SUITE)
def test_rows_of_another_kind_get_the_same_message_everywhere(check: str) -> None:
    """No check stumbles over them first."""
    if check in ("test_an_empty_store_answers_nothing", "test_a_limit_of_zero_answers_nothing"):
        getattr(suite_for("dicts"), check)()  # there are no rows to look at
        return
    with pytest.raises(AssertionError, match=r"\AEvery row is a RetrievedFragment[.]\n  seen: +a dict\n"):
        getattr(suite_for("dicts"), check)()


@pytest.mark.parametrize("check", SUITE)
def test_a_bound_retriever_in_the_scoped_suite_is_told_which_one_to_inherit(check: str) -> None:
    """By every check, before anything is asked."""

    class Suite(RetrieverConformance):
        def make_retriever(self, rows: Sequence[SeedRow]) -> Bound:
            return Bound(rows)

    with pytest.raises(AssertionError, match=r"Bound.search\(query: .*\n.*\n.*inherit BoundRetrieverConformance"):
        getattr(Suite(), check)()


def test_a_scoped_retriever_in_the_bound_suite_is_told_which_one_to_inherit() -> None:
    """Where the scope is needed; where it has a default, the retriever can be asked without one."""

    class Scoped:
        def search(self, query: str, limit: int, *, scope_path: str) -> list[RetrievedFragment]:
            return []

    class Suite(BoundRetrieverConformance):
        def make_retriever(self, rows: Sequence[SeedRow]) -> Any:
            return Scoped()

    with pytest.raises(AssertionError, match="inherit RetrieverConformance for one that takes scope_path"):
        Suite().test_no_question_raises()


def test_a_retriever_may_refuse_a_limit_below_zero() -> None:
    """With any error of its own; a limit of zero it has to answer."""

    class Refusing(Bound):
        def search(self, query: str, limit: int) -> list[RetrievedFragment]:
            if limit < 0:
                raise OverflowError(limit)
            return super().search(query, limit)

    class Suite(BoundRetrieverConformance):
        def make_retriever(self, rows: Sequence[SeedRow]) -> Refusing:
            return Refusing(rows)

    Suite().test_a_limit_of_zero_answers_nothing()


def test_what_cannot_be_searched_is_named() -> None:
    """A make_retriever that forgets its return is told so; what has no signature is simply asked."""

    class Nothing(RetrieverConformance):
        def make_retriever(self, rows: Sequence[SeedRow]) -> None:
            return None

    class Opaque:
        search = staticmethod(min)  # a built-in function whose signature Python cannot tell

    class Unsigned(RetrieverConformance):
        def make_retriever(self, rows: Sequence[SeedRow]) -> Opaque:
            return Opaque()

    with pytest.raises(AssertionError, match=r"seen: +a NoneType"):
        Nothing().test_no_question_raises()
    with pytest.raises(AssertionError, match=r"No question raises[.]\n  seen: +TypeError"):
        Unsigned().test_no_question_raises()


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
