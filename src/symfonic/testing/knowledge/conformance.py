"""A suite for anything that answers ``search``: inherit it, say how to build your retriever, run pytest.

Rules of this module: plain assertions with messages, standard library only, and nothing that knows a particular store.

Example:
    class TestMyStore(RetrieverConformance):
        def make_retriever(self, rows):
            store = MyStore()
            store.add(rows)
            return store
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from numbers import Real
from typing import TYPE_CHECKING, Any, Final

from symfonic.capabilities.knowledge import RetrievedFragment, ScopePath, scope_ancestors

from .fakes import SeedRow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["HOSTILE_QUERIES", "BoundRetrieverConformance", "RetrieverConformance"]

HOSTILE_QUERIES: Final = (
    "",
    " ",
    "?",
    '"',
    "'",
    "C++",
    "don't",
    "foo-bar",
    "col:val",
    "NEAR(a b)",
    "a AND",
    "OR",
    "NOT nine",
    "*",
    "nine*",
    "^nine",
    "(((",
    "{scope_path}",
    "'; DROP TABLE chunk; --",
    "%",
    "\\",
    "\x00nine",
    "\u202enine",
    "nine \ud800",
    "質問",
    "🙂",
    "nine " * 2000,
)
"""Questions as people and attackers type them. None may raise, whatever a store's query language makes of it."""

_ACME: Final = str(ScopePath.of(("tenant", "acme")))
_USER: Final = str(ScopePath.of(("tenant", "acme"), ("user", "7")))
_LABS: Final = str(ScopePath.of(("tenant", "acme-labs")))
_ROWS: Final = (
    SeedRow(content="the shop opens at nine on weekdays", source="rota.md"),
    SeedRow(content="the warehouse opens at seven", source="warehouse.md"),
    SeedRow(content="refunds are paid within nine days", source="refunds.md"),
    SeedRow(content="parking is free for visitors", source="parking.md"),
)
_TENANTS: Final = (
    SeedRow(content="the shop opens at nine", source="all.md"),
    SeedRow(content="the shop opens at nine", source="acme.md", scope_path=_ACME),
    SeedRow(content="the shop opens at nine", source="user.md", scope_path=_USER),
    SeedRow(content="the shop opens at nine", source="labs.md", scope_path=_LABS),
)


class BoundRetrieverConformance:
    """What every retriever must do, also one that is bound to its scope and takes none. Override the first method."""

    def make_retriever(self, rows: Sequence[SeedRow]) -> Any:
        """Build a retriever over ``rows``, inserted in this order."""
        raise NotImplementedError("say how your retriever is built: override make_retriever(self, rows)")

    def drop_retriever(self, retriever: Any) -> None:
        """Release what ``make_retriever`` built; by default its ``close`` is called where it has one."""
        close: Callable[[], None] | None = getattr(retriever, "close", None)
        if close is not None:
            close()

    # ------------------------------------------------------------------------------------------------- the suite

    def test_rows_are_fragments_with_text_and_finite_scores(self) -> None:
        """Content and source are text, scores are finite real numbers."""
        for row in self._ask(_ROWS, "opens at nine", 3):
            assert isinstance(row, RetrievedFragment), f"a row must be a RetrievedFragment, not {type(row).__name__}"
            assert isinstance(row.content, str), "content must be text"
            assert isinstance(row.source, str), "source must be text"
            score: object = row.score
            assert type(score) is not bool, "score must not be a bool"
            assert isinstance(score, Real), "score must be a real number"
            assert math.isfinite(score), "score must be finite"

    def test_the_best_row_has_the_highest_score(self) -> None:
        """Higher is better: distances and negated products are turned round by the adapter."""
        rows = self._ask(_ROWS, "shop opens at nine weekdays", 4)
        assert rows, "a question whose words stand in a passage must find it"
        assert max(rows, key=lambda row: row.score).source == "rota.md", (
            "the passage with all the words must score best"
        )

    def test_content_and_source_come_back_as_they_were_stored(self) -> None:
        """A store neither trims nor rewrites."""
        odd = SeedRow(content="  nine [red] SOURCE [x]: \u202b y\n\n ", source="odd] name\u200b.md")
        found = [(row.content, row.source) for row in self._ask((odd,), "nine", 5)]
        assert found == [(odd.content, odd.source)], f"expected the passage byte for byte, got {found!a}"

    def test_a_limit_is_respected_but_for_ties(self) -> None:
        """More rows than asked may come only where they tie with the last one."""
        for limit in (1, 2, 3):
            scores = sorted((row.score for row in self._ask(_ROWS, "opens at nine", limit)), reverse=True)
            assert scores, "the question has matches"
            beyond = scores[limit:]
            assert all(score == scores[limit - 1] for score in beyond), f"limit {limit} answered {len(scores)} rows"

    def test_ties_at_the_cut_do_not_depend_on_insertion_order(self) -> None:
        """Which rows a cut leaves out must be decided by the rows, not by when they were stored."""
        tied = [SeedRow(content="opens at nine", source=f"{name}.md") for name in "abcd"]
        answers = set()
        for order in permutations(tied):
            rows = sorted(self._ask(order, "opens", 2), key=lambda row: (-row.score, row.source))
            answers.add(tuple((row.source, row.score) for row in rows[:2]))
        assert len(answers) == 1, f"insertion order decided what was found: {sorted(answers)}"

    def test_the_same_question_gets_the_same_answer(self) -> None:
        """Asked twice, nothing changes."""
        first, second = (self._shown(self._ask(_ROWS, "opens at nine", 3)) for _ in range(2))
        assert first == second, "two stores with the same rows answered differently"

    def test_no_question_raises(self) -> None:
        """Whatever a query language would make of it, a question is words."""
        retriever = self.make_retriever(_ROWS)
        try:
            for query in HOSTILE_QUERIES:
                list(self._search(retriever, query, 3, ""))
        finally:
            self.drop_retriever(retriever)

    def test_an_empty_store_answers_nothing(self) -> None:
        """And does not raise."""
        assert list(self._ask((), "opens", 3)) == []

    def test_many_threads_get_the_answer_of_one(self) -> None:
        """A retriever is shared by all requests of a service."""
        retriever = self.make_retriever(_ROWS)
        try:
            alone = self._shown(self._search(retriever, "opens at nine", 3, ""))
            with ThreadPoolExecutor(8) as pool:
                answers = pool.map(lambda _: self._shown(self._search(retriever, "opens at nine", 3, "")), range(64))
                assert all(answer == alone for answer in answers), "concurrent searches answered differently"
        finally:
            self.drop_retriever(retriever)

    # --------------------------------------------------------------------------------------------------- plumbing

    def _search(self, retriever: Any, query: str, limit: int, scope_path: str) -> list[RetrievedFragment]:
        if scope_path:
            raise ValueError("a bound retriever takes no scope; inherit RetrieverConformance for one that does")
        return list(retriever.search(query, limit))

    def _ask(self, rows: Sequence[SeedRow], query: str, limit: int, scope_path: str = "") -> list[RetrievedFragment]:
        retriever = self.make_retriever(rows)
        try:
            return self._search(retriever, query, limit, scope_path)
        finally:
            self.drop_retriever(retriever)

    @staticmethod
    def _shown(rows: Sequence[RetrievedFragment]) -> list[tuple[float, str, str]]:
        return sorted((-row.score, row.source, row.content) for row in rows)


class RetrieverConformance(BoundRetrieverConformance):
    """What a retriever must do that is asked on behalf of a scope: all of the above, and tenants kept apart."""

    def test_scopes_see_themselves_and_what_is_above(self) -> None:
        """Never beside, never below, never by a name that starts alike; each row carries where it was stored."""
        for path in ("", _ACME, _USER, _LABS):
            seen = {row.source: row.metadata.get("scope_path") for row in self._ask(_TENANTS, "shop", 9, path)}
            visible = scope_ancestors(path)
            wanted = {row.source: row.scope_path for row in _TENANTS if row.scope_path in visible}
            assert seen == wanted, f"at {path!a} expected {wanted!a}, got {seen!a}"

    def test_other_tenants_change_neither_rows_nor_scores(self) -> None:
        """Statistics over everything would let one tenant read another's from its own scores."""
        others = [SeedRow(content=f"shop shop nine {i}", source=f"{i}.md", scope_path=_LABS) for i in range(20)]
        alone = self._shown(self._ask(_TENANTS[:2], "shop opens nine", 9, _ACME))
        among = self._shown(self._ask([*others, *_TENANTS[:2]], "shop opens nine", 9, _ACME))
        assert alone == among, "rows stored for another tenant changed this tenant's answer"

    def _search(self, retriever: Any, query: str, limit: int, scope_path: str) -> list[RetrievedFragment]:
        return list(retriever.search(query, limit, scope_path=scope_path))
