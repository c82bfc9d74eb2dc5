"""A suite for anything that answers ``search``: inherit it, say how to build your retriever, run pytest.

Rules of this module: plain assertions with messages, standard library only, and nothing that knows a particular store.
What is stored and asked stands in ``_seeds``, what is demanded in ``_rules``, how checks are run in ``_threads``.

Example:
    class TestMyStore(RetrieverConformance):
        def make_retriever(self, rows):
            store = MyStore()
            store.add(rows)
            return store
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice, permutations
from numbers import Real
from threading import Barrier
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final
from unittest import SkipTest

from symfonic.capabilities.knowledge import RetrievedFragment, scope_ancestors

from . import _rules as rules
from . import _seeds as seeds
from ._seeds import HOSTILE_QUERIES
from ._threads import CALLERS, STRIDES, giving_way, together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .fakes import SeedRow

__all__ = ["HOSTILE_QUERIES", "BoundRetrieverConformance", "RetrieverConformance"]

_ASKED_AGAIN: Final = 12  # two of four tied rows, drawn at random, come out the same so often once in a hundred million


def watched(check: Callable[[Any], None]) -> Callable[[Any], None]:
    """Run a check in a thread of its own, so that a retriever that blocks fails it instead of holding up everything."""

    @functools.wraps(check)
    def watched_check(self: BoundRetrieverConformance) -> None:
        unknown = sorted(name for name in self.limitations if not callable(getattr(self, name, None)))
        assert not unknown, rules.LIMITATION.broken(f"no check is called {unknown[0]!a}" if unknown else "")
        reason = self.limitations.get(check.__name__)
        if reason is None:
            together([lambda: self._run(check)], self.deadline_seconds)
        else:
            _confirm(functools.partial(self._run, check), check.__name__, reason, self.deadline_seconds)

    return watched_check


def _confirm(check: Callable[[], None], name: str, reason: str, seconds: float) -> None:
    """See to it that a check that is declared to fail does, and tell why it may.

    Raises:
        SkipTest: It fails, as declared.
    """
    assert reason.strip(), rules.LIMITATION.broken(f"{name} has no reason")
    try:
        together([check], seconds)
    except (AssertionError, NotImplementedError):
        raise SkipTest(f"{name} does not hold, as declared: {reason}") from None
    raise AssertionError(rules.LIMITATION.broken(f"{name} holds, declared was: {reason}"))


class BoundRetrieverConformance:
    """What every retriever must do, also one that is bound to its scope and takes none. Override the first method.

    Attributes:
        deadline_seconds: How long one check may take, all its searches together; what takes longer fails.
        limitations: What the engine behind cannot do: the name of a check, and the reason why it cannot hold. Such a
            check is run all the same, and skipped with that reason where it fails; where it holds, it fails.
    """

    deadline_seconds: float = 120.0
    limitations: Mapping[str, str] = MappingProxyType({})

    def make_retriever(self, rows: Sequence[SeedRow]) -> Any:
        """Build a retriever over ``rows``, inserted in this order."""
        raise NotImplementedError("say how your retriever is built: override make_retriever(self, rows)")

    def drop_retriever(self, retriever: Any) -> None:
        """Release what ``make_retriever`` built; by default its ``close`` is called where it has one."""
        close: Callable[[], None] | None = getattr(retriever, "close", None)
        if close is not None:
            close()

    # ------------------------------------------------------------------------------------------------- the suite

    @watched
    def test_rows_are_fragments_with_text_and_finite_scores(self) -> None:
        """Content and source are text, scores are finite real numbers."""
        self._found(self._ask(seeds.ROWS, "opens at nine", 3), "opens at nine")

    @watched
    def test_the_best_row_has_the_highest_score(self) -> None:
        """Higher is better: distances and negated products are turned round by the adapter; scores are not constant."""
        query = "shop opens at nine weekdays"
        rows = self._found(self._ask(seeds.ROWS, query, 4), query)
        assert "rota.md" in [row.source for row in rows], rules.FOUND.broken(f"{query!r} did not find 'rota.md'")
        best = next(row for row in rows if row.source == "rota.md")
        others = [(row.source, row.score) for row in rows if row is not best and row.score >= best.score]
        assert not others, rules.BEST.broken(f"'rota.md' scores {best.score!r}, but {rules.listed(others)}")

    @watched
    def test_content_and_source_come_back_as_they_were_stored(self) -> None:
        """A store rewrites nothing, neither letters nor spaces nor case; what shows nothing at the ends may go."""
        self._check_stored(seeds.ODD, "nine", rules.VERBATIM)

    @watched
    def test_passages_do_not_replace_each_other(self) -> None:
        """A source has many passages, and the same words may stand in two sources."""
        self._check_stored(seeds.SEVERAL, "nine", rules.SEVERAL)

    @watched
    def test_sources_are_told_apart_exactly(self) -> None:
        """Not by case, spaces, folder or normal form."""
        self._check_stored(seeds.NAMED, "shop opens nine", rules.NAMES)

    @watched
    def test_a_limit_is_respected_but_for_ties(self) -> None:
        """More rows than asked may come only where they tie with the last one."""
        for limit in (1, 2, 3):
            rows = self._found(self._ask(seeds.ROWS, "opens at nine", limit), "opens at nine")
            scores = sorted((row.score for row in rows), reverse=True)
            assert all(score == scores[limit - 1] for score in scores[limit:]), rules.LIMIT.broken(
                f"limit {limit} answered {len(scores)} rows with the scores {scores}"
            )
        three = self._ask(seeds.ROWS, "opens at nine", 3)
        two = self._ask(seeds.ROWS, "opens at nine", 2)
        assert len(two) >= min(2, len(three)), rules.LIMIT.broken(
            f"limit 2 answered {len(two)} rows where limit 3 answered {len(three)}"
        )

    @watched
    def test_ties_at_the_cut_do_not_depend_on_insertion_order(self) -> None:
        """Which rows a cut leaves out must be decided by the rows, not by when they were stored, and not by chance."""
        self._check_stored(seeds.TIED, "opens", rules.SEVERAL)
        with self._made(seeds.TIED) as retriever:
            again = {self._cut(self._search(retriever, "opens", 2, "")) for _ in range(_ASKED_AGAIN)}
        assert len(again) == 1, rules.RANDOM.broken(
            f"{_ASKED_AGAIN} times the same question over four tied rows, limit 2: {rules.listed(sorted(again))}"
        )
        answers = {self._cut(self._ask(order, "opens", 2)) for order in permutations(seeds.TIED)}
        assert len(answers) == 1, rules.ORDER.broken(
            f"four tied rows, stored in every order, limit 2: {rules.listed(sorted(answers))}"
        )

    @watched
    def test_the_same_question_gets_the_same_answer(self) -> None:
        """Asked twice, nothing changes; nor does it for another retriever over the same rows."""
        with self._made(seeds.ROWS) as retriever:
            first, again = (self._shown(self._search(retriever, "opens at nine", 3, "")) for _ in range(2))
        self._check_same(first, again, rules.SAME, "asked a second time")
        other = self._shown(self._ask(seeds.ROWS, "opens at nine", 3))
        self._check_same(first, other, rules.SAME, "asked of a second retriever over the same rows")

    @watched
    def test_an_answer_stays_as_it_was(self) -> None:
        """Other questions change nothing of rows that were answered before, whoever still holds them."""
        with self._made(seeds.ROWS) as retriever:
            answer = self._answer(retriever, "opens at nine", 3, "")
            rows = list(answer)
            self._check_rows(rows)
            held = answer if isinstance(answer, Sequence) else rows
            before = self._noted(rows)
            for query in ("shop", "refunds are paid within nine days", "?"):
                self._search(retriever, query, 3, "")
            for now in (rows, held):
                self._check_same(before, self._noted(now), rules.HELD, "after three other questions")

    @watched
    def test_an_answer_nobody_finishes_holds_nothing_up(self) -> None:
        """The boundary stops reading at its ceilings; whoever asks next must not wait for the rest."""
        query = "opens at nine"
        with self._made(seeds.ROWS) as retriever:
            whole = self._shown(self._found(self._search(retriever, query, 3, ""), query))
            for unread in (0, 1):
                answer = iter(self._answer(retriever, query, 3, ""))
                started = list(islice(answer, unread))
                again = self._shown(self._search(retriever, query, 3, ""))
                self._check_same(whole, again, rules.UNREAD, "while another answer was not read to its end")
                rest = self._shown([*started, *answer])
                self._check_same(whole, rest, rules.UNREAD, "the answer that was read late")

    @watched
    def test_no_question_raises(self) -> None:
        """Whatever a query language would make of it, a question is words, and what it answers is rows."""
        with self._made(seeds.ROWS) as retriever:
            for query in HOSTILE_QUERIES:
                self._search(retriever, query, 3, "")

    @watched
    def test_a_limit_of_zero_answers_nothing(self) -> None:
        """Nor may it raise; a limit below zero may, or answer nothing either."""
        with self._made(seeds.ROWS) as retriever:
            for query in ("opens at nine", "", "?"):
                rows = self._search(retriever, query, 0, "", rules.ZERO)
                assert rows == [], rules.ZERO.broken(f"{len(rows)} rows for {query!a}")
                for limit in (-1, -3):
                    try:
                        rows = list(self._answer(retriever, query, limit, ""))
                    except Exception:  # noqa: BLE001, S112 - a store may refuse with any error of its own
                        continue
                    assert rows == [], rules.NEGATIVE.broken(f"limit {limit} answered {len(rows)} rows for {query!a}")

    @watched
    def test_an_empty_store_answers_nothing(self) -> None:
        """And does not raise."""
        rows = self._ask((), "opens", 3)
        assert rows == [], rules.EMPTY.broken(rules.listed((row.source, row.content) for row in rows))

    @watched
    def test_many_threads_get_the_answer_of_one(self) -> None:
        """A retriever is shared by all requests of a service."""
        with self._made(seeds.ROWS) as retriever:
            alone = self._shown(self._search(retriever, "opens at nine", 3, ""))

            def call() -> None:
                for stride in STRIDES:
                    with giving_way(stride):
                        answer = self._search(retriever, "opens at nine", 3, "")
                    self._check_same(alone, self._shown(answer), rules.THREADS, f"{CALLERS} threads at once")

            together([call] * CALLERS, self.deadline_seconds)

    # --------------------------------------------------------------------------------------------------- plumbing

    def _run(self, check: Callable[[Any], None]) -> None:
        """Run one check."""
        check(self)

    def _check_signature(self, retriever: Any) -> None:
        """Tell whoever inherited the wrong one of the two suites."""
        assert _takes(retriever, "", 1), rules.BOUND.broken(_signature_of(retriever))

    def _answer(self, retriever: Any, query: str, limit: int, _scope_path: str) -> Iterable[RetrievedFragment]:
        """What ``search`` answers, not read yet; a bound retriever is asked without a scope."""
        rows: Iterable[RetrievedFragment] = retriever.search(query, limit)
        return rows

    def _search(
        self, retriever: Any, query: str, limit: int, scope_path: str, rule: rules.Rule = rules.RAISES
    ) -> list[RetrievedFragment]:
        """All rows of one answer, each of them checked."""
        try:
            answer: object = self._answer(retriever, query, limit, scope_path)
            rows = list(answer) if isinstance(answer, Iterable) else None
        except Exception as error:
            asked = f"{rules.shown(query)}, limit {limit}" + (f", scope {scope_path!a}" if scope_path else "")
            raise AssertionError(rule.broken(f"{type(error).__name__} for {asked}: {error}")) from error
        if inspect.iscoroutine(answer):
            answer.close()
        assert rows is not None, rules.ANSWER.broken(f"{type(answer).__name__} for {rules.shown(query)}")
        self._check_rows(rows)
        return rows

    @contextmanager
    def _made(self, rows: Sequence[SeedRow]) -> Iterator[Any]:
        retriever = self.make_retriever(rows)
        try:
            assert callable(getattr(retriever, "search", None)), rules.SEARCH.broken(f"a {type(retriever).__name__}")
            self._check_signature(retriever)
            yield retriever
        finally:
            self.drop_retriever(retriever)

    def _ask(self, rows: Sequence[SeedRow], query: str, limit: int, scope_path: str = "") -> list[RetrievedFragment]:
        with self._made(rows) as retriever:
            return self._search(retriever, query, limit, scope_path)

    def _check_stored(self, stored: Sequence[SeedRow], query: str, rule: rules.Rule) -> None:
        """Hold what a question finds against all that is stored, each row of which has its words."""
        rows = self._ask(stored, query, len(stored))
        wanted = sorted((row.source, row.content.strip()) for row in stored)
        seen = sorted((row.source, row.content.strip()) for row in rows)
        assert seen == wanted, rule.broken(f"{query!r} over {len(stored)} rows: {rules.difference(wanted, seen)}")

    @staticmethod
    def _found(rows: list[RetrievedFragment], query: str) -> list[RetrievedFragment]:
        assert rows, rules.FOUND.broken(f"no row for {query!r}")
        return rows

    @staticmethod
    def _check_same(
        wanted: Sequence[tuple[object, ...]], seen: Sequence[tuple[object, ...]], rule: rules.Rule, when: str
    ) -> None:
        assert seen == wanted, rule.broken(f"{when}: {rules.difference(wanted, seen) or 'another order'}")

    @staticmethod
    def _check_rows(rows: Sequence[object]) -> None:
        for row in rows:
            assert isinstance(row, RetrievedFragment), rules.ROW.broken(f"a {type(row).__name__}")
            for name, value in (("content", row.content), ("source", row.source)):
                checked: object = value
                assert isinstance(checked, str), rules.FIELDS.broken(f"{name} is {rules.shown(value)}")
            score: object = row.score
            assert type(score) is not bool, rules.FIELDS.broken(f"score is {score}")
            assert isinstance(score, Real), rules.FIELDS.broken(f"score is {rules.shown(score)}")
            assert math.isfinite(score), rules.FIELDS.broken(f"score is {score}")

    @staticmethod
    def _cut(rows: Sequence[RetrievedFragment]) -> tuple[tuple[object, ...], ...]:
        """The two rows that ranking would admit of this answer."""
        ranked = sorted(rows, key=lambda row: (-row.score, row.source))
        return tuple((row.source, row.score) for row in ranked[:2])

    @staticmethod
    def _noted(rows: Sequence[RetrievedFragment]) -> list[tuple[object, ...]]:
        """All that can be read of the rows, in their order and as it is now."""
        return [(row.source, row.score, row.content, repr(row.metadata)) for row in rows]

    @staticmethod
    def _shown(rows: Sequence[RetrievedFragment]) -> list[tuple[object, ...]]:
        ranked = sorted(rows, key=lambda row: (-row.score, row.source, row.content))
        return [(row.source, row.score, row.content) for row in ranked]


class RetrieverConformance(BoundRetrieverConformance):
    """What a retriever must do that is asked on behalf of a scope: all of the above, and tenants kept apart."""

    @watched
    def test_scopes_see_themselves_and_what_is_above(self) -> None:
        """Never beside, never below, never by a name that starts alike; each row carries where it was stored."""
        for path in seeds.PLACES:
            self._check_scope(self._ask(seeds.TENANTS, "shop", 9, path), seeds.TENANTS, path, rules.SCOPES)

    @watched
    def test_scopes_are_told_apart_exactly(self) -> None:
        """Not by case, normal form, wildcard, quote, joint, first or last pair; one retriever is asked for all."""
        stored = seeds.rows_at(seeds.SIBLINGS)
        with self._made(stored) as retriever:
            for path in (*seeds.ASKED, *reversed(seeds.ASKED)):
                rows = self._search(retriever, "shop", len(stored), path)
                self._check_scope(rows, stored, path, rules.EXACT)

    @watched
    def test_long_scopes_are_told_apart(self) -> None:
        """By their first and their last characters, however many lie between."""
        stored = seeds.rows_at(seeds.LONG)
        with self._made(stored) as retriever:
            for path in (*seeds.LONG, seeds.LONG[-1][:64], ""):
                self._check_scope(self._search(retriever, "shop", 9, path), stored, path, rules.WHOLE)

    @watched
    def test_rows_of_other_scopes_replace_nothing(self) -> None:
        """The same source, and the same passage of it, is stored in every scope, whichever comes first."""
        for stored in (seeds.NAMESAKES, tuple(reversed(seeds.NAMESAKES))):
            for path in seeds.PLACES:
                self._check_scope(self._ask(stored, "shop", 9, path), stored, path, rules.KEYED)

    @watched
    def test_other_tenants_push_nothing_out(self) -> None:
        """However many rows beside and below score better, a scope gets its own, up to its limit."""
        query = "shop opens nine"
        for limit in (1, 3):
            alone = self._shown(self._found(self._ask(seeds.FEW, query, limit, seeds.ACME), query))
            among = self._shown(self._ask((*seeds.CROWD, *seeds.FEW), query, limit, seeds.ACME))
            crowd = f"limit {limit}, {len(seeds.CROWD)} better rows of others"
            self._check_same([row[:1] for row in alone], [row[:1] for row in among], rules.PUSHED, crowd)
            self._check_same(alone, among, rules.STATISTICS, crowd)

    @watched
    def test_answers_read_side_by_side_keep_their_scopes(self) -> None:
        """An answer that is read late must not follow the scope that was asked for in between."""
        stored = seeds.rows_at(seeds.SIBLINGS)
        with self._made(stored) as retriever:
            answers = [(path, self._answer(retriever, "shop", len(stored), path)) for path in seeds.ASKED]
            for path, rows in answers:
                self._check_scope(list(rows), stored, path, rules.LATE)

    @watched
    def test_scopes_asked_at_once_keep_apart(self) -> None:
        """Several callers ask one retriever for different scopes; each gets what it would get alone."""
        paths = seeds.PLACES
        with self._made(seeds.TENANTS) as retriever:
            alone = {path: self._shown(self._search(retriever, "shop", 9, path)) for path in paths}
            meet = Barrier(CALLERS, timeout=60)

            def call(caller: int) -> None:
                meet.wait()
                for turn, stride in enumerate(STRIDES):
                    path = paths[(caller + turn) % len(paths)]
                    with giving_way(stride):
                        rows = self._search(retriever, "shop", 9, path)
                    self._check_scope(rows, seeds.TENANTS, path, rules.THREADS)
                    self._check_same(alone[path], self._shown(rows), rules.THREADS, f"at {path!a}, {CALLERS} threads")

            together([functools.partial(call, caller) for caller in range(CALLERS)], self.deadline_seconds)

    @watched
    def test_no_question_widens_the_scope(self) -> None:
        """Quotes, operators, another tenant's path, no word at all: who asks sees their own, whatever the limit."""
        with self._made(seeds.TENANTS) as retriever:
            for path in (seeds.ACME, seeds.LABS):
                for query in HOSTILE_QUERIES:
                    rows = self._search(retriever, query, 9, path)
                    self._check_scope(rows, seeds.TENANTS, path, rules.QUESTION, complete=False)
                for query in ("shop", "", "?"):
                    rows = self._search(retriever, query, 0, path, rules.ZERO)
                    assert rows == [], rules.ZERO.broken(f"{len(rows)} rows for {query!a} at {path!a}")

    @watched
    def test_other_tenants_change_neither_rows_nor_scores(self) -> None:
        """Statistics over everything would let one tenant read another's from its own scores."""
        stored = seeds.TENANTS[:2]
        others = [row for row in seeds.CROWD if row.scope_path == seeds.LABS][:20]
        alone = self._shown(self._ask(stored, "shop opens nine", 9, seeds.ACME))
        among = self._shown(self._ask([*others, *stored], "shop opens nine", 9, seeds.ACME))
        self._check_same(alone, among, rules.STATISTICS, f"{len(others)} rows of another tenant")

    def _check_signature(self, retriever: Any) -> None:
        assert _takes(retriever, "", 1, scope_path=""), rules.SCOPED.broken(_signature_of(retriever))

    def _answer(self, retriever: Any, query: str, limit: int, _scope_path: str) -> Iterable[RetrievedFragment]:
        rows: Iterable[RetrievedFragment] = retriever.search(query, limit, scope_path=_scope_path)
        return rows

    def _check_scope(
        self,
        rows: Sequence[RetrievedFragment],
        stored: Sequence[SeedRow],
        path: str,
        rule: rules.Rule,
        *,
        complete: bool = True,
    ) -> None:
        """Hold rows against all that is visible at ``path``, or see to it that they are a part of it."""
        self._check_rows(rows)
        visible = scope_ancestors(path)
        wanted = [(row.source, row.scope_path, row.content) for row in stored if row.scope_path in visible]
        seen = [(row.source, _stamp(row), row.content) for row in rows]
        if complete:
            assert sorted(seen) == sorted(wanted), rule.broken(f"at {path!a} {rules.difference(wanted, seen)}")
        else:
            assert set(seen) <= set(wanted), rule.broken(f"at {path!a} {rules.difference(wanted, seen)}")


def _takes(retriever: Any, *arguments: object, **named: object) -> bool:
    """Whether ``search`` can be called like this; what shows no signature is tried."""
    try:
        inspect.signature(retriever.search).bind(*arguments, **named)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def _signature_of(retriever: Any) -> str:
    return f"{type(retriever).__name__}.search{inspect.signature(retriever.search)}"


def _stamp(row: RetrievedFragment) -> str:
    metadata: object = row.metadata
    stamp: object = metadata.get("scope_path") if isinstance(metadata, Mapping) else None
    assert isinstance(stamp, str), rules.STAMP.broken(f"{rules.shown(row.source)} has {rules.shown(stamp)}")
    return stamp
