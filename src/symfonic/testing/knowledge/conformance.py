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

import functools
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import contextmanager
from itertools import count, permutations
from numbers import Real
from threading import Barrier, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final

from symfonic.capabilities.knowledge import RetrievedFragment, ScopePath, scope_ancestors

from .fakes import SeedRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

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
    "nine' OR '1'='1",
    'nine" OR "1"="1',
    "nine') OR 1=1 --",
    "%' OR scope_path LIKE '%",
    "scope_path:acme-labs",
    "tenant\x1facme-labs nine",
    "%",
    "\\",
    "\x00nine",
    "\u202enine",
    "nine \ud800",
    "質問",
    "🙂",
    "nine " * 2000,
)
"""Questions as people and attackers type them.

None may raise or widen the scope, whatever a store's query language makes of it.
"""

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

# Ids that some comparison other than equality takes for `acme`, or that make such a comparison take others for them.
_ALIKE: Final = (
    *("acme", "Acme", "ACME", "acm", "acme-labs", "acme.labs", "acme labs", "labs acme"),
    *("a_me", "acme%", "%", "_", "*", "acme*", "a?me", "[a]cme", ".*", "acme|labs"),
    *("acme'", 'acme"', "acme\\", "acme/", "acme' OR '1'='1", "0", "00", "null"),
    *("caf\u00e9", "cafe\u0301", "cafe", "stra\u00dfe", "strasse", "\uff41cme", "\u0430cme", "\u212a1", "K1", "k1"),
)
_SIBLINGS: Final = (
    "",
    *(str(ScopePath.of(("tenant", name))) for name in _ALIKE),
    *(str(ScopePath.of(("tenant", name), ("user", "7"))) for name in ("acme", "acme-labs", "Acme", "a_me", "%")),
    str(ScopePath.of(("tenant", "acme"), ("user", "70"))),
    str(ScopePath.of(("tenant", "acme"), ("User", "7"))),
    str(ScopePath.of(("tenant", "acme"), ("user", "7"), ("session", "1"))),
    str(ScopePath.of(("user", "7"))),
    str(ScopePath.of(("user", "7"), ("tenant", "acme"))),
    str(ScopePath.of(("team", "acme"))),
    str(ScopePath.of(("Tenant", "acme"))),
    str(ScopePath.of(("acme", "tenant"))),
)
_ASKED: Final = (
    *_SIBLINGS,
    *(str(ScopePath.of(("tenant", name))) for name in ("nobody", "acme_labs", "a%", "ac*")),
    str(ScopePath.of(("tenant", "labs"), ("user", "7"))),
    str(ScopePath.of(("tenant", "acme"), ("user", "8"))),
)
_AT_SIBLINGS: Final = tuple(
    SeedRow(content="the shop opens at nine", source=f"{number}.md", scope_path=path)
    for number, path in enumerate(_SIBLINGS)
)
_CALLERS: Final = 8
_TURNS: Final = 100  # a store that runs many lines of Python for an answer must not take minutes
#: Threads make way for each other at every line, then at every second and so on: so far into an answer reach the turns.
_STRIDES: Final = (1, 1, 2, 3, 5, 8, 13, 21)


def _watched(check: Callable[[Any], None]) -> Callable[[Any], None]:
    """Run a check in a thread of its own, so that a retriever that blocks fails it instead of holding up everything."""

    @functools.wraps(check)
    def watched(self: BoundRetrieverConformance) -> None:
        _together([lambda: check(self)], self.deadline_seconds)

    return watched


def _together(calls: Sequence[Callable[[], None]], seconds: float) -> None:
    """Make these calls at once, each in a thread that dies with the program, and raise the first error of them."""
    errors: list[BaseException] = []

    def run(call: Callable[[], None]) -> None:
        try:
            call()
        except BaseException as error:  # noqa: BLE001 - raised again where somebody can see it
            errors.append(error)

    threads = [Thread(target=run, args=(call,), daemon=True) for call in calls]
    end = monotonic() + seconds
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, end - monotonic()))
    if errors:
        raise errors[0]
    assert not any(thread.is_alive() for thread in threads), (
        f"no answer within {seconds:g} seconds: the retriever blocks, or is slower than deadline_seconds allows"
    )


class BoundRetrieverConformance:
    """What every retriever must do, also one that is bound to its scope and takes none. Override the first method.

    Attributes:
        deadline_seconds: How long one check may take, all its searches together; what takes longer fails.
    """

    deadline_seconds: float = 120.0

    def make_retriever(self, rows: Sequence[SeedRow]) -> Any:
        """Build a retriever over ``rows``, inserted in this order."""
        raise NotImplementedError("say how your retriever is built: override make_retriever(self, rows)")

    def drop_retriever(self, retriever: Any) -> None:
        """Release what ``make_retriever`` built; by default its ``close`` is called where it has one."""
        close: Callable[[], None] | None = getattr(retriever, "close", None)
        if close is not None:
            close()

    # ------------------------------------------------------------------------------------------------- the suite

    @_watched
    def test_rows_are_fragments_with_text_and_finite_scores(self) -> None:
        """Content and source are text, scores are finite real numbers."""
        self._check_rows(self._ask(_ROWS, "opens at nine", 3))

    @_watched
    def test_the_best_row_has_the_highest_score(self) -> None:
        """Higher is better: distances and negated products are turned round by the adapter."""
        rows = self._ask(_ROWS, "shop opens at nine weekdays", 4)
        assert rows, "a question whose words stand in a passage must find it"
        assert max(rows, key=lambda row: row.score).source == "rota.md", (
            "the passage with all the words must score best"
        )

    @_watched
    def test_content_and_source_come_back_as_they_were_stored(self) -> None:
        """A store neither trims nor rewrites."""
        odd = SeedRow(content="  nine [red] SOURCE [x]: \u202b y\n\n ", source="odd] name\u200b.md")
        found = [(row.content, row.source) for row in self._ask((odd,), "nine", 5)]
        assert found == [(odd.content, odd.source)], f"expected the passage byte for byte, got {found!a}"

    @_watched
    def test_a_limit_is_respected_but_for_ties(self) -> None:
        """More rows than asked may come only where they tie with the last one."""
        for limit in (1, 2, 3):
            scores = sorted((row.score for row in self._ask(_ROWS, "opens at nine", limit)), reverse=True)
            assert scores, "the question has matches"
            beyond = scores[limit:]
            assert all(score == scores[limit - 1] for score in beyond), f"limit {limit} answered {len(scores)} rows"

    @_watched
    def test_ties_at_the_cut_do_not_depend_on_insertion_order(self) -> None:
        """Which rows a cut leaves out must be decided by the rows, not by when they were stored."""
        tied = [SeedRow(content="opens at nine", source=f"{name}.md") for name in "abcd"]
        answers = set()
        for order in permutations(tied):
            rows = sorted(self._ask(order, "opens", 2), key=lambda row: (-row.score, row.source))
            answers.add(tuple((row.source, row.score) for row in rows[:2]))
        assert len(answers) == 1, f"insertion order decided what was found: {sorted(answers)}"

    @_watched
    def test_the_same_question_gets_the_same_answer(self) -> None:
        """Asked twice, nothing changes; nor does it for another retriever over the same rows."""
        with self._made(_ROWS) as retriever:
            first, again = (self._shown(self._search(retriever, "opens at nine", 3, "")) for _ in range(2))
            assert first == again, "asked a second time, the retriever answered differently"
        assert first == self._shown(self._ask(_ROWS, "opens at nine", 3)), "two with the same rows answered differently"

    @_watched
    def test_an_answer_stays_as_it_was(self) -> None:
        """Other questions change nothing of rows that were answered before, whoever still holds them."""
        with self._made(_ROWS) as retriever:
            answer = self._answer(retriever, "opens at nine", 3, "")
            rows = list(answer)
            held = answer if isinstance(answer, Sequence) else rows
            before = self._noted(rows)
            for query in ("shop", "refunds are paid within nine days", "?"):
                self._search(retriever, query, 3, "")
            assert self._noted(rows) == before, "rows that were answered before changed with a later question"
            assert self._noted(held) == before, "an answer given before changed with a later question"

    @_watched
    def test_an_answer_nobody_finishes_holds_nothing_up(self) -> None:
        """The boundary stops reading at its ceilings; whoever asks next must not wait for the rest."""
        with self._made(_ROWS) as retriever:
            whole = self._shown(self._search(retriever, "opens at nine", 3, ""))
            for unread in (0, 1):
                answer = iter(self._answer(retriever, "opens at nine", 3, ""))
                started = [next(answer) for _ in range(unread)]
                again = self._shown(self._search(retriever, "opens at nine", 3, ""))
                assert again == whole, "an answer that was not read to its end changed the next one"
                rest = self._shown([*started, *answer])
                assert rest == whole, "an answer that was read late was no longer whole"

    @_watched
    def test_no_question_raises(self) -> None:
        """Whatever a query language would make of it, a question is words, and what it answers is rows."""
        with self._made(_ROWS) as retriever:
            for query in HOSTILE_QUERIES:
                self._check_rows(self._search(retriever, query, 3, ""))

    @_watched
    def test_a_limit_of_zero_answers_nothing(self) -> None:
        """Nor may it raise; a limit below zero may, or answer nothing either."""
        with self._made(_ROWS) as retriever:
            for query in ("opens at nine", "", "?"):
                assert self._search(retriever, query, 0, "") == [], f"limit 0 answered rows for {query!a}"
                for limit in (-1, -3):
                    try:
                        rows = self._search(retriever, query, limit, "")
                    except Exception:  # noqa: BLE001, S112 - a store may refuse with any error of its own
                        continue
                    assert rows == [], f"limit {limit} answered rows for {query!a}"

    @_watched
    def test_an_empty_store_answers_nothing(self) -> None:
        """And does not raise."""
        assert list(self._ask((), "opens", 3)) == []

    @_watched
    def test_many_threads_get_the_answer_of_one(self) -> None:
        """A retriever is shared by all requests of a service."""
        with self._made(_ROWS) as retriever:
            alone = self._shown(self._search(retriever, "opens at nine", 3, ""))

            def call() -> None:
                for stride in _STRIDES:
                    with _giving_way(stride):
                        answer = self._search(retriever, "opens at nine", 3, "")
                    assert self._shown(answer) == alone, "concurrent searches answered differently"

            _together([call] * _CALLERS, self.deadline_seconds)

    # --------------------------------------------------------------------------------------------------- plumbing

    def _answer(self, retriever: Any, query: str, limit: int, scope_path: str) -> Iterable[RetrievedFragment]:
        """What ``search`` answers, not read yet."""
        if scope_path:
            raise ValueError("a bound retriever takes no scope; inherit RetrieverConformance for one that does")
        rows: Iterable[RetrievedFragment] = retriever.search(query, limit)
        return rows

    def _search(self, retriever: Any, query: str, limit: int, scope_path: str) -> list[RetrievedFragment]:
        answer: object = self._answer(retriever, query, limit, scope_path)
        assert isinstance(answer, Iterable), f"search must answer rows, not {type(answer).__name__}, for {query[:60]!a}"
        return list(answer)

    @contextmanager
    def _made(self, rows: Sequence[SeedRow]) -> Iterator[Any]:
        retriever = self.make_retriever(rows)
        try:
            yield retriever
        finally:
            self.drop_retriever(retriever)

    def _ask(self, rows: Sequence[SeedRow], query: str, limit: int, scope_path: str = "") -> list[RetrievedFragment]:
        with self._made(rows) as retriever:
            return self._search(retriever, query, limit, scope_path)

    @staticmethod
    def _check_rows(rows: Sequence[object]) -> None:
        for row in rows:
            assert isinstance(row, RetrievedFragment), f"a row must be a RetrievedFragment, not {type(row).__name__}"
            content: object = row.content
            source: object = row.source
            score: object = row.score
            assert isinstance(content, str), "content must be text"
            assert isinstance(source, str), "source must be text"
            assert type(score) is not bool, "score must not be a bool"
            assert isinstance(score, Real), "score must be a real number"
            assert math.isfinite(score), "score must be finite"

    @staticmethod
    def _noted(rows: Sequence[RetrievedFragment]) -> list[tuple[object, ...]]:
        """All that can be read of the rows, in their order and as it is now."""
        return [(row.content, row.source, row.score, repr(row.metadata)) for row in rows]

    @staticmethod
    def _shown(rows: Sequence[RetrievedFragment]) -> list[tuple[float, str, str]]:
        return sorted((-row.score, row.source, row.content) for row in rows)


class RetrieverConformance(BoundRetrieverConformance):
    """What a retriever must do that is asked on behalf of a scope: all of the above, and tenants kept apart."""

    @_watched
    def test_scopes_see_themselves_and_what_is_above(self) -> None:
        """Never beside, never below, never by a name that starts alike; each row carries where it was stored."""
        for path in ("", _ACME, _USER, _LABS):
            self._check_scope(self._ask(_TENANTS, "shop", 9, path), _TENANTS, path, complete=True)

    @_watched
    def test_scopes_are_told_apart_exactly(self) -> None:
        """Not by case, normal form, wildcard, quote, first or last pair; one retriever is asked for all of them."""
        with self._made(_AT_SIBLINGS) as retriever:
            for path in (*_ASKED, *reversed(_ASKED)):
                rows = self._search(retriever, "shop", len(_AT_SIBLINGS), path)
                self._check_scope(rows, _AT_SIBLINGS, path, complete=True)

    @_watched
    def test_answers_read_side_by_side_keep_their_scopes(self) -> None:
        """An answer that is read late must not follow the scope that was asked for in between."""
        with self._made(_AT_SIBLINGS) as retriever:
            answers = [(path, self._answer(retriever, "shop", len(_AT_SIBLINGS), path)) for path in _ASKED]
            for path, rows in answers:
                self._check_scope(list(rows), _AT_SIBLINGS, path, complete=True)

    @_watched
    def test_scopes_asked_at_once_keep_apart(self) -> None:
        """Several callers ask one retriever for different scopes; each gets what it would get alone."""
        paths = ("", _ACME, _USER, _LABS)
        with self._made(_TENANTS) as retriever:
            alone = {path: self._shown(self._search(retriever, "shop", 9, path)) for path in paths}
            together = Barrier(_CALLERS, timeout=60)

            def call(caller: int) -> None:
                together.wait()
                for turn, stride in enumerate(_STRIDES):
                    path = paths[(caller + turn) % len(paths)]
                    with _giving_way(stride):
                        rows = self._search(retriever, "shop", 9, path)
                    self._check_scope(rows, _TENANTS, path, complete=True)
                    assert self._shown(rows) == alone[path], f"at {path!a} concurrent searches answered differently"

            _together([functools.partial(call, caller) for caller in range(_CALLERS)], self.deadline_seconds)

    @_watched
    def test_no_question_widens_the_scope(self) -> None:
        """Quotes, operators, another tenant's path, no word at all: who asks sees their own, whatever the limit."""
        with self._made(_TENANTS) as retriever:
            for path in (_ACME, _LABS):
                for query in HOSTILE_QUERIES:
                    self._check_scope(self._search(retriever, query, 9, path), _TENANTS, path)
                for query in ("shop", "", "?"):
                    assert self._search(retriever, query, 0, path) == [], f"limit 0 answered rows for {query!a}"

    @_watched
    def test_other_tenants_change_neither_rows_nor_scores(self) -> None:
        """Statistics over everything would let one tenant read another's from its own scores."""
        others = [SeedRow(content=f"shop shop nine {i}", source=f"{i}.md", scope_path=_LABS) for i in range(20)]
        alone = self._shown(self._ask(_TENANTS[:2], "shop opens nine", 9, _ACME))
        among = self._shown(self._ask([*others, *_TENANTS[:2]], "shop opens nine", 9, _ACME))
        assert alone == among, "rows stored for another tenant changed this tenant's answer"

    def _answer(self, retriever: Any, query: str, limit: int, scope_path: str) -> Iterable[RetrievedFragment]:
        rows: Iterable[RetrievedFragment] = retriever.search(query, limit, scope_path=scope_path)
        return rows

    def _check_scope(
        self, rows: Sequence[RetrievedFragment], stored: Sequence[SeedRow], path: str, *, complete: bool = False
    ) -> None:
        """Hold rows with sources of their own against what is visible at ``path``, or against all of it."""
        self._check_rows(rows)
        visible = scope_ancestors(path)
        wanted = sorted((row.source, row.scope_path) for row in stored if row.scope_path in visible)
        seen = sorted((row.source, _stamp(row)) for row in rows)
        if complete:
            assert seen == wanted, f"at {path!a} expected {wanted!a}, got {seen!a}"
        else:
            assert set(seen) <= set(wanted), f"at {path!a} only {wanted!a} may be seen, got {seen!a}"


def _stamp(row: RetrievedFragment) -> str:
    metadata: object = row.metadata
    stamp: object = metadata.get("scope_path") if isinstance(metadata, Mapping) else None
    assert isinstance(stamp, str), "metadata['scope_path'] must say where the row was stored"
    return stamp


@contextmanager
def _giving_way(stride: int) -> Iterator[None]:
    """Let this thread make way for the others before every so many of its next lines of Python.

    A race between two lines would show by chance once in a hundred runs; like this it shows in the first. Lines of the
    standard library and of the boundary are passed over: the race that is looked for is the retriever's own.
    """
    usual = sys.gettrace()
    lines = count()
    last = stride * _TURNS

    def step(frame: FrameType, event: str, _: object) -> Any:  # pragma: no cover - what traces is not traced
        if event == "call" and _is_ours(frame):
            return None
        number = next(lines)
        if number < last and number % stride == 0:
            sleep(0)
        return step

    sys.settrace(step)
    try:
        yield
    finally:
        sys.settrace(usual)  # pragma: no cover - the same


def _is_ours(frame: FrameType) -> bool:  # pragma: no cover - called by what traces
    name = str(frame.f_globals.get("__name__", ""))
    return name.startswith("symfonic.capabilities.") or name.partition(".")[0] in sys.stdlib_module_names
