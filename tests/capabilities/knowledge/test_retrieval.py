"""The source: how a store is asked, and what becomes of whatever it answers."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import itertools
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest

from symfonic.capabilities.knowledge import (
    BridgeContractError,
    ContextContribution,
    ContextRead,
    ContextRequest,
    ContextScope,
    FragmentSelection,
    KnowledgeRetriever,
    KnowledgeSource,
    RetrievalPolicy,
    RetrievedFragment,
    ScopedKnowledgeRetriever,
    knowledge_contribution,
    render_fragments,
    select_fragments,
    selection_revision,
    takes_scope_path,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

REQUEST = ContextRequest("facts", "tenant\x1facme", 3)
ROW = RetrievedFragment("opens at nine", "rota.txt", 0.8)


class Plain:
    """A store without scopes that remembers what it was asked."""

    def __init__(self, *rows: Any) -> None:
        self.rows = rows
        self.asked: list[tuple[str, int]] = []

    def search(self, query: str, limit: int) -> Iterable[RetrievedFragment]:
        self.asked.append((query, limit))
        return self.rows


class Scoped:
    """A store that is asked on behalf of a scope."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int, str]] = []

    def search(self, query: str, limit: int, *, scope_path: str) -> Iterable[RetrievedFragment]:
        self.asked.append((query, limit, scope_path))
        return [ROW]


class Open:
    """A store whose search takes any keyword."""

    def __init__(self) -> None:
        self.asked: dict[str, Any] = {}

    def search(self, query: str, limit: int, **options: Any) -> Iterable[RetrievedFragment]:
        self.asked = options
        return [ROW]


def drops(selection: FragmentSelection) -> list[tuple[object, str]]:
    """Reduce the drops to source and code."""
    return [(source, reason.code.value) for source, reason in selection.dropped]


@pytest.mark.requirement("KB-RET-READ-1")
def test_a_read_is_the_admitted_lines_untrusted_with_their_revision() -> None:
    """What ``select`` decides is what ``read`` renders."""
    source = KnowledgeSource(Plain(ROW, RetrievedFragment("x", "late", -1.0)), "when?")
    selection = source.select(REQUEST)
    read = source.read(REQUEST)
    assert read.text == render_fragments(selection) == "SOURCE [rota.txt]: opens at nine"
    assert read.revision == selection_revision(selection)
    assert read.untrusted is True
    assert drops(selection) == [("late", "below-floor")]


@pytest.mark.requirement("KB-RET-QUERY-1")
def test_a_query_is_text_or_a_function_of_the_request() -> None:
    """The store is asked for ``limit × overfetch`` rows."""
    store = Plain(ROW)
    KnowledgeSource(store, "when?", RetrievalPolicy(limit=4, overfetch=3)).read(REQUEST)
    KnowledgeSource(store, lambda request: f"turn {request.turn}").read(REQUEST)
    assert store.asked == [("when?", 12), ("turn 3", 3)]


@pytest.mark.requirement("KB-RET-SCOPE-1")
def test_a_retriever_that_accepts_a_scope_gets_the_requests_path() -> None:
    """By name or by taking any keyword; a plain one is not given what it cannot take."""
    scoped, taking, plain = Scoped(), Open(), Plain(ROW)
    for store in (scoped, taking, plain):
        assert KnowledgeSource(store, "q").select(REQUEST).admitted == (ROW,)
    assert scoped.asked == [("q", 3, "tenant\x1facme")]
    assert taking.asked == {"scope_path": "tenant\x1facme"}
    assert plain.asked == [("q", 3)]
    assert isinstance(scoped, ScopedKnowledgeRetriever)
    assert isinstance(plain, KnowledgeRetriever)


def test_a_positional_only_parameter_of_that_name_is_not_passed_by_keyword() -> None:
    """And a callable without a readable signature is asked plainly."""

    class Odd:
        def search(self, query: str, limit: int, scope_path: str = "none", /) -> list[RetrievedFragment]:
            return [RetrievedFragment("x", scope_path, 1.0)]

    class Builtin:
        search = staticmethod(max)  # max has no signature to read

    class Callable:
        __signature__ = 7

        def __call__(self, query: str, limit: int) -> list[RetrievedFragment]:
            return [RetrievedFragment(query, "asked plainly", 1.0)]

    class Unreadable:
        search = Callable()

    assert KnowledgeSource(Odd(), "q").select(REQUEST).admitted[0].source == "none"
    assert KnowledgeSource(Unreadable(), "q").select(REQUEST).admitted[0].source == "asked plainly"
    ((_, reason),) = KnowledgeSource(Builtin(), "q").select(REQUEST).dropped  # type: ignore[arg-type]  # odd on purpose
    assert reason == "the store failed: TypeError"  # raised by max itself


@pytest.mark.requirement("KB-RET-SCOPE-2")
def test_the_placeholder_in_a_query_is_replaced_plainly() -> None:
    """No ``str.format``: other braces in a question are text."""
    store = Plain(ROW)
    KnowledgeSource(store, "{x} in {scope_path} {0}", scope_in_query=True).read(REQUEST)
    KnowledgeSource(store, lambda _: "of {scope_path}", scope_in_query=True).read(REQUEST)
    KnowledgeSource(store, lambda r: f"of {r.scope_path}", scope_in_query=True).read(REQUEST)
    KnowledgeSource(store, "kept {scope_path}").read(REQUEST)
    assert [query for query, _ in store.asked] == [
        "{x} in tenant\x1facme {0}",
        "of tenant\x1facme",
        "of tenant\x1facme",
        "kept {scope_path}",
    ]


@pytest.mark.requirement("KB-RET-SCOPE-3")
@pytest.mark.parametrize(
    "answer",
    [
        "anything",
        "",
        "tenant\x1facme-labs",
        "tenant\x1facme\x1fuser\x1f7",
        "x\x1ftenant\x1facme",
        "subtenant\x1facme",
        "xtenant\x1facme",
        "\u20actenant\x1facme",
        "\u2014tenant\x1facme",
        "tenant\x1facmeß",
        "tenant\x1facme\u0301",
        "tenant\x1facme\u2011labs",
        *[f"tenant\x1facme{sign}north" for sign in "@:+/'-._&=#%~*$^\\`([{<\x0b\x00"],
    ],
)
def test_a_query_function_that_does_not_name_the_scope_reads_nothing(answer: str) -> None:
    """Neither a missing path nor one that continues into another tenant's counts."""
    store = Plain(ROW)
    selection = KnowledgeSource(store, lambda _: answer, scope_in_query=True).select(REQUEST)
    assert drops(selection) == [("", "empty-scope")]
    assert store.asked == []


@pytest.mark.requirement("KB-RET-SCOPE-2")
@pytest.mark.parametrize("query", ["kb-{scope_path}", "coll_{scope_path}_v2", "ns.{scope_path}-x", "a{scope_path}"])
def test_a_text_with_the_placeholder_is_asked_wherever_it_stands(query: str) -> None:
    """It was checked at construction; names of collections are made like this."""
    store = Plain(ROW)
    assert KnowledgeSource(store, query, scope_in_query=True).select(REQUEST).admitted == (ROW,)
    assert store.asked == [(query.replace("{scope_path}", "tenant\x1facme"), 3)]


def test_a_function_may_put_a_prefix_before_the_path() -> None:
    """Only what could go on as a scope part makes it another path; the reason says what was missing."""
    store = Plain(ROW)
    assert KnowledgeSource(store, lambda r: f"kb-{r.scope_path}", scope_in_query=True).select(REQUEST).admitted
    ((_, reason),) = KnowledgeSource(store, lambda _: "all", scope_in_query=True).select(REQUEST).dropped
    assert "does not name the scope path" in reason
    assert "carries no scope path" not in reason


@pytest.mark.parametrize("before", ["\t", "\n", " ", "-", '"', "(", ""])
def test_a_path_may_stand_behind_what_begins_a_word(before: str) -> None:
    """A space of any kind, an opening bracket, a mark that joins a prefix, or nothing at all."""
    store = Plain(ROW)
    query = f"a{before}tenant\x1facme" if before else "tenant\x1facme"
    assert KnowledgeSource(store, lambda _: query, scope_in_query=True).select(REQUEST).admitted == (ROW,)


@pytest.mark.parametrize("end", [*' \t\r\n,;!?)]}>|"', ""])
def test_a_path_may_be_followed_by_what_ends_a_word(end: str) -> None:
    """A closing bracket, a quotation mark, punctuation that no id is joined by, or nothing at all."""
    store = Plain(ROW)
    query = f"in (tenant\x1facme{end}"
    assert KnowledgeSource(store, lambda _: query, scope_in_query=True).select(REQUEST).admitted == (ROW,)
    assert store.asked == [(query, 3)]


def test_a_path_that_is_named_after_a_longer_one_still_counts() -> None:
    """Every occurrence is looked at."""
    store = Plain(ROW)
    KnowledgeSource(store, lambda _: "tenant\x1facme-labs or tenant\x1facme!", scope_in_query=True).read(REQUEST)
    assert len(store.asked) == 1


def test_a_path_that_repeats_itself_is_looked_for_at_every_place() -> None:
    """An occurrence may begin one character after another that does not count."""
    store = Plain(ROW)
    source = KnowledgeSource(store, lambda _: "a--- x", scope_in_query=True)
    assert source.select(ContextRequest("c", "--")).admitted == (ROW,)
    assert store.asked == [("a--- x", 3)]


@pytest.mark.requirement("KB-RET-SCOPE-4")
@pytest.mark.parametrize("query", ["coll_{scope_path}", lambda r: f"all {r.scope_path}"])
def test_a_query_that_names_its_scope_is_not_asked_without_one(query: Any) -> None:
    """An empty path would leave a name that stands for everybody."""
    store = Plain(ROW)
    assert drops(KnowledgeSource(store, query, scope_in_query=True).select(ContextRequest("facts"))) == [
        ("", "empty-scope")
    ]
    assert store.asked == []


class Wrapped:
    """A retriever whose search wraps another one."""

    def __init__(self) -> None:
        self.asked: list[str] = []

        def plain(query: str, limit: int) -> list[RetrievedFragment]:
            return [ROW]

        @functools.wraps(plain)
        def search(query: str, limit: int, *, scope_path: str = "nobody") -> list[RetrievedFragment]:
            self.asked.append(scope_path)
            return plain(query, limit)

        self.search = search


@pytest.mark.requirement("KB-RET-SCOPE-1")
def test_a_wrapper_is_asked_by_its_own_signature() -> None:
    """What it wraps is not what is called."""
    store = Wrapped()
    KnowledgeSource(store, "q").read(REQUEST)
    assert store.asked == ["tenant\x1facme"]


def passing_on(search: Any) -> Any:
    """Decorate as logging and retrying decorators do."""

    @functools.wraps(search)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return search(*args, **kwargs)

    return wrapper


@pytest.mark.requirement("KB-RET-SCOPE-1")
@pytest.mark.parametrize("times", [1, 2])
def test_a_wrapper_that_hands_everything_on_is_asked_as_what_it_wraps(times: int) -> None:
    """It takes any keyword, and what is inside may not: a plain store under a decorator is asked plainly."""

    def deep(search: Any) -> Any:
        for _ in range(times):
            search = passing_on(search)
        return search

    class Decorated(Plain):
        search = deep(Plain.search)

    class DecoratedScoped(Scoped):
        search = deep(Scoped.search)

    class DecoratedOpen(Open):
        search = deep(Open.search)

    plain, scoped, taking = Decorated(ROW), DecoratedScoped(), DecoratedOpen()
    for store in (plain, scoped, taking):
        assert KnowledgeSource(store, "q").select(REQUEST).admitted == (ROW,)
    assert plain.asked == [("q", 3)]
    assert scoped.asked == [("q", 3, "tenant\x1facme")]
    assert taking.asked == {"scope_path": "tenant\x1facme"}


def test_a_wrapper_inside_that_takes_a_scope_is_given_one() -> None:
    """The first one that says what it takes decides, whatever it wraps in turn."""
    inside = Wrapped()
    store = type("Store", (), {"search": staticmethod(passing_on(inside.search))})()
    assert KnowledgeSource(store, "q").select(REQUEST).admitted == (ROW,)
    assert inside.asked == ["tenant\x1facme"]


def test_a_wrapper_that_takes_no_scope_is_not_given_one() -> None:
    """Whatever it wraps: it could not be called with it."""
    inside = Wrapped()

    @functools.wraps(inside.search)
    def search(query: str, limit: int) -> list[RetrievedFragment]:
        return inside.search(query, limit)

    store = type("Store", (), {"search": staticmethod(search)})()
    assert KnowledgeSource(store, "q").select(REQUEST).admitted == (ROW,)
    assert inside.asked == ["nobody"]


def test_a_wrapper_that_names_the_scope_is_given_one_although_it_takes_any_keyword() -> None:
    """It says itself what it takes; what is inside, which takes none, is not asked."""
    asked: list[str] = []

    @functools.wraps(Plain.search)
    def search(query: str, limit: int, *, scope_path: str = "nobody", **_: Any) -> list[RetrievedFragment]:
        asked.append(scope_path)
        return [ROW]

    store = type("Store", (), {"search": staticmethod(search)})()
    assert KnowledgeSource(store, "q").select(REQUEST).admitted == (ROW,)
    assert asked == ["tenant\x1facme"]


class Untouchable:
    """No function, and whoever looks at it gets an error."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


def test_what_is_no_function_is_not_looked_into() -> None:
    """It takes nothing, a scope path least of all."""
    store: Any = type("Store", (), {"search": Untouchable()})()
    assert takes_scope_path(store) is False


def test_wrappers_that_wrap_each_other_are_asked_plainly() -> None:
    """Nothing can be told from them."""

    def search(*args: Any, **kwargs: Any) -> list[RetrievedFragment]:
        return [] if kwargs else [ROW]

    search.__wrapped__ = search  # type: ignore[attr-defined]  # the mistake under test
    store = type("Store", (), {"search": staticmethod(search)})()
    assert KnowledgeSource(store, "q").select(REQUEST).admitted == (ROW,)


class Unreadable:
    """A callable whose signature cannot be read."""

    __signature__ = "none"

    def __call__(self, query: str, limit: int) -> list[RetrievedFragment]:
        return [ROW]


def test_a_search_whose_signature_cannot_be_read_is_asked_plainly() -> None:
    """Built-in functions are like this."""
    store = type("Store", (), {"search": Unreadable()})()
    assert KnowledgeSource(store, "q").select(REQUEST).admitted == (ROW,)


def test_a_number_of_rows_beyond_memory_is_no_fault_of_the_store() -> None:
    """And a retriever whose search cannot even be looked up is refused."""
    policy = RetrievalPolicy(max_rows=10**30)
    rows = [RetrievedFragment(f"text {number}", "s", 0.5) for number in range(1_000)]
    selection = KnowledgeSource(Plain(*rows), "q", policy).select(REQUEST)
    assert len(selection.admitted) + len(selection.dropped) == 1_000

    class Trap:
        @property
        def search(self) -> Any:
            raise RuntimeError("no")

    with pytest.raises(BridgeContractError) as caught:
        KnowledgeSource(Trap(), "q")
    assert caught.value.rule == "KB-RET-SOURCE-1"


class Sly(str):
    """A query that claims to hold the placeholder."""

    __slots__ = ()

    def __contains__(self, part: object) -> bool:
        return True


def test_a_query_is_taken_for_the_characters_it_holds() -> None:
    """A subclass has no say in whether the placeholder is there."""
    with pytest.raises(BridgeContractError) as caught:
        KnowledgeSource(Plain(), Sly("all"), scope_in_query=True)
    assert caught.value.rule == "KB-RET-SOURCE-3"


@pytest.mark.requirement("KB-RET-SCOPE-4")
def test_a_scope_aware_source_asked_without_scope_answers_nothing_with_a_reason() -> None:
    """Scope fails closed."""
    store = Scoped()
    source = KnowledgeSource(store, "q", scope_aware=True)
    assert drops(source.select(ContextRequest("facts"))) == [("", "empty-scope")]
    assert source.read(ContextRequest("facts")).text == ""
    assert store.asked == []
    assert source.select(REQUEST).admitted == (ROW,)


class Failing:
    """A store that fails in a chosen way."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def search(self, query: str, limit: int) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer() if callable(self.answer) else self.answer


def torn() -> Iterator[RetrievedFragment]:
    """Answer one row, then break."""
    yield ROW
    raise ConnectionError("password=hunter2")


class Indexed:
    """Rows by number only, which Python would count up without end."""

    def __getitem__(self, number: int) -> RetrievedFragment:
        return ROW


async def coroutine() -> list[RetrievedFragment]:
    """An async store that nobody adapted."""
    return [ROW]


async def stream() -> AsyncIterator[RetrievedFragment]:
    """An async store that answers row by row."""
    yield ROW


AWAITED = ", and has to be awaited: adapt an asynchronous store once, where the application is composed"


@pytest.mark.requirement("KB-RET-STORE-1")
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (RuntimeError("password=hunter2"), "RuntimeError"),
        (None, "its search answered a NoneType, not rows"),
        (7, "its search answered a int, not rows"),
        (Indexed(), "its search answered a Indexed, not rows"),
        (torn, "ConnectionError"),
        (coroutine, f"its search answered a coroutine, not rows{AWAITED}"),
        (stream, f"its search answered a async_generator, not rows{AWAITED}"),
    ],
)
def test_a_store_that_fails_costs_the_read_and_raises_nothing(answer: Any, told: str) -> None:
    """The reason names the error's type, whose text may hold secrets; what is no list of rows is told in full."""
    selection = KnowledgeSource(Failing(answer), "q").select(REQUEST)
    ((source, reason),) = selection.dropped
    assert (selection.admitted, source, reason.code.value) == ((), "", "store-failed")
    assert reason == f"the store failed: {told}"


def test_an_awaitable_that_is_no_coroutine_is_told_like_one() -> None:
    """There is nothing to close."""
    future = asyncio.new_event_loop()
    try:
        ((_, reason),) = KnowledgeSource(Failing(future.create_future()), "q").select(REQUEST).dropped
    finally:
        future.close()
    assert reason == f"the store failed: its search answered a Future, not rows{AWAITED}"


class Posing(str):
    """Text that a query function answers, and that poses as other text."""

    __slots__ = ()

    def replace(self, *_: Any) -> str:
        return "tenant\x1facme"


@pytest.mark.requirement("KB-RET-QUERY-2")
def test_a_query_function_that_fails_is_told_as_such_and_the_store_is_not_asked() -> None:
    """Whether it raises or answers something that is no text: a fault of the operator's is not told as the store's."""

    def broken(request: ContextRequest) -> str:
        raise KeyError("password=hunter2")

    queries: tuple[Any, ...] = (broken, lambda _: None, lambda _: Mock(spec=str))
    sentences = []
    for query in queries:
        store = Plain(ROW)
        selection = KnowledgeSource(store, query).select(REQUEST)
        assert (drops(selection), store.asked) == ([("", "store-failed")], [])
        sentences.append(selection.dropped[0][1])
    assert sentences == [
        "the query function failed and the store was not asked: it raised KeyError",
        "the query function failed and the store was not asked: it answered a NoneType, not text",
        "the query function failed and the store was not asked: it answered a Mock, not text",
    ]
    posing = KnowledgeSource(Plain(ROW), lambda _: Posing("all"), scope_in_query=True)
    assert drops(posing.select(REQUEST)) == [("", "empty-scope")]


def test_an_unscoped_query_is_told_in_full() -> None:
    """The sentence names what is missing."""
    ((_, reason),) = KnowledgeSource(Plain(ROW), lambda _: "all", scope_in_query=True).select(REQUEST).dropped
    assert reason == "the query does not name the scope path it is asked for, so it might answer for another tenant"
    assert (reason.code.value, reason.actual, reason.ceiling) == ("empty-scope", None, None)


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_is_not_swallowed(stop: type[BaseException]) -> None:
    """Ctrl-C during a search, or while the query is made, ends the program."""

    class Stopping:
        def search(self, query: str, limit: int) -> Iterable[RetrievedFragment]:
            raise stop

    def stopping(request: ContextRequest) -> str:
        raise stop

    for source in (KnowledgeSource(Stopping(), "q"), KnowledgeSource(Plain(ROW), stopping)):
        with pytest.raises(stop):
            source.read(REQUEST)


@pytest.mark.requirement("KB-RET-ROWS-1")
@pytest.mark.requirement("KB-RET-READ-2")
def test_a_store_that_answers_without_end_is_read_up_to_max_rows() -> None:
    """The selection carries one reason for the rest."""

    class Endless:
        def search(self, query: str, limit: int) -> Iterable[RetrievedFragment]:
            return (RetrievedFragment(f"text {i}", "s", 1.0) for i in itertools.count())

    selection = KnowledgeSource(Endless(), "q", RetrievalPolicy(limit=2, max_rows=5)).select(REQUEST)
    assert drops(selection) == [("s", "over-limit")] * 3 + [("", "unexamined")]
    assert selection.dropped[-1][1].ceiling == 5
    exact = KnowledgeSource(Plain(*[ROW] * 5), "q", RetrievalPolicy(limit=2, max_rows=5)).select(REQUEST)
    assert drops(exact) == [("rota.txt", "over-limit")] * 3


class Counting:
    """A store that answers row by row, counts what is pulled, and notes when it is closed."""

    def __init__(self, rows: int, *, then: Exception | None = None, at_close: Exception | None = None) -> None:
        self.rows = rows
        self.then = then
        self.at_close = at_close
        self.limit = 0
        self.pulled = 0
        self.closed = False

    def search(self, query: str, limit: int) -> Iterator[RetrievedFragment]:
        self.limit = limit
        try:
            for number in range(self.rows):
                self.pulled += 1
                yield RetrievedFragment(f"text {number}", "s", 1.0)
            if self.then is not None:
                raise self.then
        finally:
            self.closed = True
            if self.at_close is not None:
                raise self.at_close


@pytest.mark.requirement("KB-RET-ROWS-3")
def test_at_most_one_row_more_than_counts_is_asked_for_and_pulled() -> None:
    """One is needed to tell whether there are more; a generator that is cut is closed at once."""
    store = Counting(50)
    selection = KnowledgeSource(store, "q", RetrievalPolicy(limit=9, overfetch=5, max_rows=3)).select(REQUEST)
    assert (store.limit, store.pulled, store.closed) == (4, 4, True)
    assert [code for _, code in drops(selection)] == ["unexamined"]
    assert len(selection.admitted) == 3
    whole = Counting(3)
    assert KnowledgeSource(whole, "q", RetrievalPolicy(max_rows=3)).select(REQUEST).dropped == ()
    assert (whole.limit, whole.pulled) == (3, 3)
    none = Counting(50)
    assert drops(KnowledgeSource(none, "q", RetrievalPolicy(max_rows=0)).select(REQUEST)) == [("", "unexamined")]
    assert (none.limit, none.pulled) == (1, 1)


@pytest.mark.requirement("KB-RET-ROWS-3")
def test_an_error_at_the_row_that_does_not_count_costs_no_row() -> None:
    """Every row that counts was read; that the store broke there means that it had not ended."""
    store = Counting(3, then=ConnectionError("password=hunter2"))
    selection = KnowledgeSource(store, "q", RetrievalPolicy(max_rows=3)).select(REQUEST)
    assert [fragment.content for fragment in selection.admitted] == ["text 0", "text 1", "text 2"]
    ((_, reason),) = selection.dropped
    assert reason == "the store had not ended after 3 rows; the rest was not read"
    sooner = KnowledgeSource(store, "q", RetrievalPolicy(max_rows=4)).select(REQUEST)
    assert (sooner.admitted, drops(sooner)) == ((), [("", "store-failed")])


class Rude:
    """Rows of an iterator that must not be asked again once it has ended."""

    def __init__(self) -> None:
        self.rows: list[Any] = [ROW, StopIteration(), RuntimeError("asked again")]

    def __iter__(self) -> Rude:
        return self

    def __next__(self) -> RetrievedFragment:
        row = self.rows.pop(0)
        if isinstance(row, Exception):
            raise row
        return ROW


def test_a_store_that_ended_is_not_asked_again() -> None:
    """Fewer rows than count mean that there are no more."""
    selection = KnowledgeSource(Failing(Rude()), "q").select(REQUEST)
    assert (selection.admitted, selection.dropped) == ((ROW,), ())


def test_a_generator_that_fails_when_it_is_closed_costs_nothing() -> None:
    """Its rows are here."""
    store = Counting(9, at_close=OSError("gone"))
    selection = KnowledgeSource(store, "q", RetrievalPolicy(max_rows=2)).select(REQUEST)
    assert (len(selection.admitted), drops(selection), store.closed) == (2, [("", "unexamined")], True)


class Cursor:
    """Rows without end, read from something of the store's own that can be closed."""

    def __init__(self) -> None:
        self.closed = False

    def __iter__(self) -> Cursor:
        return self

    def __next__(self) -> RetrievedFragment:
        return ROW

    def close(self) -> None:
        self.closed = True


def test_what_is_no_generator_is_left_open() -> None:
    """What closing means is known of a generator only; a cursor may be shared, or read on by the store itself."""
    cursor = Cursor()
    selection = KnowledgeSource(Failing(cursor), "q", RetrievalPolicy(max_rows=2)).select(REQUEST)
    assert (len(selection.admitted), drops(selection), cursor.closed) == (2, [("", "unexamined")], False)


def test_rows_that_were_cut_keep_the_lines_they_were_counted_by() -> None:
    """One reason more changes nothing about what was admitted."""
    selection = KnowledgeSource(Counting(9), "q", RetrievalPolicy(max_rows=2)).select(REQUEST)
    assert selection.counted == ("SOURCE [s]: text 0", "SOURCE [s]: text 1")


@pytest.mark.requirement("KB-RET-ROWS-2")
def test_what_a_store_returns_beyond_what_was_asked_is_ranked_and_dropped() -> None:
    """More rows are never trusted, and never lost from the account."""
    rows = [RetrievedFragment(f"text {i}", f"s{i}", i / 10) for i in range(5)]
    selection = KnowledgeSource(Plain(*rows), "q", RetrievalPolicy(limit=1)).select(REQUEST)
    assert [fragment.source for fragment in selection.admitted] == ["s4"]
    assert drops(selection) == [(f"s{i}", "over-limit") for i in (3, 2, 1, 0)]


def test_a_limit_of_zero_asks_nothing() -> None:
    """There is nothing to admit."""
    store = Plain(ROW)
    assert KnowledgeSource(store, "q", RetrievalPolicy(limit=0)).select(REQUEST) == FragmentSelection()
    assert store.asked == []


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        pytest.param({"retriever": object()}, "KB-RET-SOURCE-1", marks=pytest.mark.requirement("KB-RET-SOURCE-1")),
        pytest.param({"query": None}, "KB-RET-SOURCE-2", marks=pytest.mark.requirement("KB-RET-SOURCE-2")),
        pytest.param({"query": 7}, "KB-RET-SOURCE-2", marks=pytest.mark.requirement("KB-RET-SOURCE-2")),
        pytest.param({"scope_in_query": True}, "KB-RET-SOURCE-3", marks=pytest.mark.requirement("KB-RET-SOURCE-3")),
        pytest.param({"policy": 3}, "KB-RET-SOURCE-4", marks=pytest.mark.requirement("KB-RET-SOURCE-4")),
        pytest.param({"policy": None}, "KB-RET-SOURCE-4", marks=pytest.mark.requirement("KB-RET-SOURCE-4")),
        pytest.param({"scope_aware": 1}, "KB-RET-SOURCE-5", marks=pytest.mark.requirement("KB-RET-SOURCE-5")),
        pytest.param({"offline_safe": None}, "KB-RET-SOURCE-5", marks=pytest.mark.requirement("KB-RET-SOURCE-5")),
        pytest.param({"scope_in_query": "no"}, "KB-RET-SOURCE-5", marks=pytest.mark.requirement("KB-RET-SOURCE-5")),
    ],
)
def test_a_source_that_cannot_work_is_refused_at_construction(fields: dict[str, Any], rule: str) -> None:
    """Not at the first question."""
    with pytest.raises(BridgeContractError) as caught:
        KnowledgeSource(**{"retriever": Plain(), "query": "q", **fields})
    ((name, value),) = fields.items()
    evidence = "q" if rule == "KB-RET-SOURCE-3" else value
    assert (caught.value.rule, caught.value.value) == (rule, evidence)
    assert str(caught.value).startswith(f"{name} must ") or rule == "KB-RET-SOURCE-3"


def test_a_source_claims_nothing_by_default_and_stays_as_built() -> None:
    """Neither scopes nor being safe offline; frozen and slotted."""
    source = KnowledgeSource(Plain(ROW), "q")
    assert (source.policy, source.scope_aware, source.offline_safe) == (RetrievalPolicy(), False, False)
    assert source.scope_in_query is False
    assert not hasattr(source, "__dict__")
    with pytest.raises(dataclasses.FrozenInstanceError):
        source.scope_aware = True  # type: ignore[misc]  # the mistake under test


@pytest.mark.requirement("KB-HRD-SCOPE-1")
def test_rows_are_judged_under_the_scope_of_the_request() -> None:
    """A store that ignores the scope it was asked for leaks nothing through a source that proves scope."""
    rows = [
        RetrievedFragment("ours", "s", 0.5, {"scope_path": "tenant\x1facme"}),
        RetrievedFragment("theirs", "t", 0.9, {"scope_path": "tenant\x1fother"}),
    ]
    selection = KnowledgeSource(Plain(*rows), "q", RetrievalPolicy(prove_scope=True)).select(REQUEST)
    assert [fragment.content for fragment in selection.admitted] == ["ours"]
    assert drops(selection) == [("t", "out-of-scope")]


@pytest.mark.requirement("KB-RET-CONTRIBUTION-1")
def test_a_knowledge_contribution_is_per_turn_session_and_hydrated() -> None:
    """Scope goes through the same door as everywhere."""
    source = KnowledgeSource(Scoped(), "q", scope_aware=True)
    made = knowledge_contribution("facts", source, order=2, scope="tenant")
    assert made == ContextContribution("facts", source, "knowledge", scope=ContextScope.TENANT, order=2)
    assert (made.layer, made.tier, made.requires_hydration) == ("L2", "session", True)
    least = knowledge_contribution("facts", source)
    assert (least.scope, least.order) == (ContextScope.DEPLOYMENT, 0)
    with pytest.raises(BridgeContractError, match="scope must be one of"):
        knowledge_contribution("facts", source, scope="everyone")
    with pytest.raises(BridgeContractError, match="scope_aware"):
        knowledge_contribution("facts", KnowledgeSource(Scoped(), "q"), scope="tenant")


def test_a_source_bound_to_its_scope_answers_without_a_path() -> None:
    """Only a source that depends on the path needs one."""
    assert KnowledgeSource(Plain(ROW), "q").select(ContextRequest("facts")).admitted == (ROW,)


@pytest.mark.requirement("KB-RET-READ-5")
def test_a_reason_about_the_whole_read_has_no_row_behind_it() -> None:
    """One entry for each drop, whatever it is about."""
    failed = KnowledgeSource(Failing(RuntimeError()), "q").select(REQUEST)
    assert failed.dropped_rows == (None,)
    cut = KnowledgeSource(Plain(ROW, ROW, ROW), "q", RetrievalPolicy(limit=1, max_rows=2)).select(REQUEST)
    assert drops(cut) == [("rota.txt", "over-limit"), ("", "unexamined")]
    assert cut.dropped_rows == (ROW, None)


@pytest.mark.requirement("KB-RET-READ-2")
@pytest.mark.parametrize("hardened", [False, True])
def test_a_read_that_was_cut_carries_one_reason_for_all_that_was_not_read(*, hardened: bool) -> None:
    """Behind the rows that were read, with the ceiling and without a count nobody has."""
    changes: dict[str, Any] = {"limit": 1, "max_rows": 3}
    policy = RetrievalPolicy.hardened(key=bytes(32), **changes) if hardened else RetrievalPolicy(**changes)
    rows = [RetrievedFragment(f"text {n}", "s", n / 10, {"scope_path": ""}) for n in range(9)]
    selection = KnowledgeSource(Plain(*rows), "q", policy).select(REQUEST)
    (*of_rows, (source, reason)) = selection.dropped
    assert [code for _, code in drops(selection)] == ["over-limit", "over-limit", "unexamined"]
    assert (source, reason.actual, reason.ceiling, selection.dropped_rows[-1]) == ("", None, 3, None)
    assert reason == "the store had not ended after 3 rows; the rest was not read"
    assert len(selection.admitted) + len(of_rows) == 3


@pytest.mark.requirement("KB-RET-READ-3")
@pytest.mark.parametrize("switch", ["scope_aware", "scope_in_query"])
def test_a_read_without_the_scope_it_needs_is_one_reason_and_asks_nothing(switch: str) -> None:
    """With an empty source, no row and no numbers."""
    store = Plain(ROW)
    selection = KnowledgeSource(store, "of {scope_path}", **{switch: True}).select(ContextRequest("facts"))  # type: ignore[arg-type]  # one of the two switches
    ((source, reason),) = selection.dropped
    assert (source, reason.code.value, reason.actual, reason.ceiling) == ("", "empty-scope", None, None)
    assert reason == "the request carries no scope path, and this source answers only within one"
    assert (selection.admitted, selection.dropped_rows, store.asked) == ((), (None,), [])


@pytest.mark.requirement("KB-RET-READ-4")
def test_a_read_of_a_store_that_failed_is_one_reason_and_no_row_of_it_counts() -> None:
    """Half an answer would be another prompt each time; the reason names the type of the error and nothing else."""
    selection = KnowledgeSource(Failing(torn), "q").select(REQUEST)
    ((source, reason),) = selection.dropped
    assert (source, reason.code.value, reason.actual, reason.ceiling) == ("", "store-failed", None, None)
    assert reason == "the store failed: ConnectionError"
    assert (selection.admitted, selection.dropped_rows) == ((), (None,))


@pytest.mark.requirement("KB-RET-READ-5")
def test_reasons_about_a_read_are_counted_apart_from_rows() -> None:
    """Rows read are rows admitted plus rows dropped, whatever else the account says."""
    of_the_read = {"unexamined", "empty-scope", "store-failed"}
    cases = [
        (KnowledgeSource(Plain(ROW, ROW, ROW), "q", RetrievalPolicy(max_rows=2)), 2),
        (KnowledgeSource(Plain(ROW, ROW), "q", RetrievalPolicy(max_rows=2)), 2),
        (KnowledgeSource(Plain(ROW), "q", RetrievalPolicy(max_rows=0)), 0),
        (KnowledgeSource(Failing(torn), "q"), 0),
        (KnowledgeSource(Plain(ROW), lambda _: "nobody", scope_in_query=True), 0),
    ]
    for source, read in cases:
        selection = source.select(REQUEST)
        about_rows = [code for _, code in drops(selection) if code not in of_the_read]
        assert len(selection.admitted) + len(about_rows) == read
        assert len(selection.dropped_rows) == len(selection.dropped)


@pytest.mark.requirement("KB-RET-ASK-1")
@pytest.mark.parametrize("junk", [None, 7, "facts", object()])
def test_a_source_is_asked_with_a_request(junk: Any) -> None:
    """Anything else is the caller's mistake, and is not taken for a failure of the store."""
    store = Plain(ROW)
    for ask in (KnowledgeSource(store, "q").select, KnowledgeSource(store, "q").read):
        with pytest.raises(BridgeContractError) as caught:
            ask(junk)
        assert (caught.value.rule, caught.value.value) == ("KB-RET-ASK-1", junk)
    assert store.asked == []


@pytest.mark.requirement("KB-RET-ASK-2")
@pytest.mark.parametrize("junk", [None, 7, ROW])
def test_rows_that_cannot_be_iterated_are_refused(junk: Any) -> None:
    """A single row is not a list of rows."""
    with pytest.raises(BridgeContractError) as caught:
        select_fragments(junk, RetrievalPolicy())
    assert (caught.value.rule, caught.value.value) == ("KB-RET-ASK-2", junk)


@pytest.mark.requirement("KB-RET-SOURCE-4")
@pytest.mark.parametrize("junk", [None, 7, "strict", RetrievalPolicy])
def test_a_policy_of_another_type_is_refused(junk: Any) -> None:
    """No ceiling would be in force."""
    with pytest.raises(BridgeContractError) as caught:
        select_fragments([ROW], junk)
    assert (caught.value.rule, caught.value.value) == ("KB-RET-SOURCE-4", junk)


@pytest.mark.requirement("KB-CON-PATH-1")
@pytest.mark.parametrize("junk", [None, 7, ("tenant", "acme")])
def test_a_scope_path_of_another_type_is_refused(junk: Any) -> None:
    """Also where nothing is proved: a key would be made of it."""
    with pytest.raises(BridgeContractError) as caught:
        select_fragments([ROW], RetrievalPolicy(), scope_path=junk)
    assert (caught.value.rule, caught.value.value) == ("KB-CON-PATH-1", junk)


@pytest.mark.requirement("KB-RET-RENDER-1")
@pytest.mark.parametrize("junk", [None, 7, (ROW,), "SOURCE [x]: y"])
def test_only_a_selection_is_rendered(junk: Any) -> None:
    """Least of all bare rows: whether they were admitted nobody can tell."""
    for render in (render_fragments, selection_revision):
        with pytest.raises(BridgeContractError, match="pass what select_fragments or KnowledgeSource") as caught:
            render(junk)
        assert (caught.value.rule, caught.value.value) == ("KB-RET-RENDER-1", junk)


@pytest.mark.requirement("KB-RET-TAKES-1")
def test_whether_a_retriever_is_asked_for_a_scope_can_be_told() -> None:
    """What has no search takes none."""
    unsearchable: Any = object()
    assert [takes_scope_path(each) for each in (Scoped(), Plain(), unsearchable)] == [True, False, False]
    for each in (scoped := Scoped(), plain := Plain(ROW)):
        KnowledgeSource(each, "q").select(REQUEST)
    assert (len(scoped.asked[0]), len(plain.asked[0])) == (3, 2)


# ---------------------------------------------------------------------------------------------- panics of native code


class PanicException(BaseException):
    """A panic of native code, as PyO3 names it."""


class Native:
    """A store whose native part raises in one place."""

    def __init__(self, place: str, error: BaseException) -> None:
        self.place, self.error = place, error

    def _at(self, place: str) -> None:
        if place == self.place:
            raise self.error

    def search(self, query: str, limit: int) -> Iterator[RetrievedFragment]:
        """Raise when asked, before or after a row, or while the row or what is in it is looked at."""
        self._at("search")
        return self._rows()

    def _rows(self) -> Iterator[RetrievedFragment]:
        self._at("first row")
        yield self._row()
        self._at("after the rows that count")

    def _row(self) -> RetrievedFragment:
        store = self

        class Score(float):
            def __float__(self) -> float:
                store._at("score")
                return 0.5

        class Metadata(dict[str, Any]):
            def get(self, key: str, default: Any = None) -> Any:
                store._at("metadata")
                return super().get(key, default)

        class Row(RetrievedFragment):
            def __getattribute__(self, name: str) -> Any:
                if name == "content":
                    store._at("content")
                return super().__getattribute__(name)

        return Row("text", "a.md", Score(0.5), Metadata(scope_path=""))


@pytest.mark.requirement("KB-RET-STORE-1")
@pytest.mark.parametrize(
    ("place", "codes"),
    [
        ("search", ["store-failed"]),
        ("first row", ["store-failed"]),
        ("content", ["bad-content"]),
        ("score", ["bad-score"]),
        ("metadata", ["out-of-scope"]),
        ("after the rows that count", ["unexamined"]),
    ],
)
def test_a_store_that_panics_in_native_code_fails_where_it_does(place: str, codes: list[str]) -> None:
    """As one that raises: the read, or its own row. What asks for the end of anything passes through."""
    policy = RetrievalPolicy(max_rows=1, prove_scope=True)
    selection = KnowledgeSource(Native(place, PanicException()), "q", policy).select(ContextRequest("kb"))
    assert [reason.code.value for _, reason in selection.dropped] == codes
    for error in (KeyboardInterrupt(), GeneratorExit(), BaseException()):
        with pytest.raises(type(error)):
            KnowledgeSource(Native(place, error), "q", policy).select(ContextRequest("kb"))


def test_a_row_that_panics_when_it_is_shown_is_listed_all_the_same() -> None:
    """Dropped for what it is; what asks for the end of anything passes through here too."""

    class Unshown:
        def __init__(self, error: BaseException) -> None:
            self.error = error

        def __repr__(self) -> str:
            raise self.error

    for rows in ([Unshown(PanicException())], [Unshown(PanicException())] * 2):
        selection = select_fragments(rows, RetrievalPolicy())  # type: ignore[arg-type] # a store may answer anything
        assert [reason.code.value for _, reason in selection.dropped] == ["bad-content"] * len(rows)
    with pytest.raises(KeyboardInterrupt):
        select_fragments([Unshown(KeyboardInterrupt())], RetrievalPolicy())  # type: ignore[list-item] # the same


def test_a_query_that_panics_in_native_code_reads_nothing() -> None:
    """As one that raises; so does an attribute of a source."""

    def query(request: ContextRequest) -> str:
        raise PanicException

    source = KnowledgeSource(Native("", PanicException()), query)
    ((_, reason),) = source.select(ContextRequest("kb")).dropped
    assert str(reason).endswith("it raised PanicException")

    def stopped(request: ContextRequest) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        KnowledgeSource(Native("", PanicException()), stopped).select(ContextRequest("kb"))

    class Odd:
        def __init__(self, error: BaseException) -> None:
            self.error = error

        def read(self, request: ContextRequest) -> ContextRead:
            return ContextRead("text")

        @property
        def scope_aware(self) -> bool:
            raise self.error

    with pytest.raises(BridgeContractError):
        ContextContribution("kb", Odd(PanicException()), scope="tenant")  # type: ignore[arg-type] # a plain string
    with pytest.raises(KeyboardInterrupt):
        ContextContribution("kb", Odd(KeyboardInterrupt()), scope="tenant")  # type: ignore[arg-type] # a plain string
