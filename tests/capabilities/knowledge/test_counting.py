"""Ceilings in tokens: whatever a counter answers, either the ceilings hold or there is one error of ours."""

from __future__ import annotations

import hashlib
import itertools
import pickle
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symfonic.capabilities.knowledge import (
    BridgeContractError,
    BridgeError,
    ContextRequest,
    CounterError,
    FragmentSelection,
    KnowledgeSource,
    RetrievalPolicy,
    RetrievedFragment,
    _hardening,
    _selection,
    render_fragments,
    select_fragments,
)
from symfonic.capabilities.knowledge._counting import counted, is_out_of_proportion
from symfonic.testing.knowledge.strategies import hostile_rows

if TYPE_CHECKING:
    from collections.abc import Callable

KEY = bytes(range(32))


def words(text: str) -> int:
    """Count words."""
    return len(text.split())


def scattered(text: str) -> int:
    """Count as no tokenizer does: the same text always alike, and nothing adds up."""
    return hashlib.sha256(text.encode()).digest()[0] % 24


COUNTERS: dict[str, Callable[[str], int]] = {
    "characters": len,
    "words": words,
    "bytes": lambda text: len(text.encode()),
    "more together": lambda text: len(text) ** 2 // 40,
    "less together": lambda text: int(len(text) ** 0.5),
    "always the same": lambda text: 7,
    "nothing": lambda text: 0,
    "scattered": scattered,
}


def row(content: str, source: str = "a.md", score: float = 0.5) -> RetrievedFragment:
    """A row of a store."""
    return RetrievedFragment(content, source, score, {"scope_path": ""})


def told(selection: FragmentSelection) -> list[tuple[object, str, object, object]]:
    """Source, code and numbers of every drop."""
    return [(source, reason.code.value, reason.actual, reason.ceiling) for source, reason in selection.dropped]


# --------------------------------------------------------------------------------------------------------- the ceilings


@pytest.mark.requirement("KB-RET-COUNT-1")
@given(
    hostile_rows(max_size=8),
    st.sampled_from(sorted(COUNTERS)),
    st.integers(0, 60),
    st.integers(0, 90),
    st.booleans(),
)
@settings(max_examples=60)
def test_the_ceilings_hold_for_what_the_counter_says_of_the_rendered_text(
    rows: list[RetrievedFragment],
    name: str,
    most: int,
    total: int,
    hardened: bool,  # noqa: FBT001
) -> None:
    """However it counts; every row is admitted or dropped, and any order of the rows gives the same bytes."""
    count = COUNTERS[name]
    fields: dict[str, Any] = {"max_fragment_chars": most, "max_total_chars": total, "count": count}
    policy = RetrievalPolicy.hardened(key=KEY, limit=5, **fields) if hardened else RetrievalPolicy(5, -9.0, **fields)
    selection = select_fragments(rows, policy)
    text = render_fragments(selection)
    assert not selection.admitted or count(text) <= total
    assert all(count(fragment.content) <= most for fragment in selection.admitted)
    assert len(selection.admitted) + len(selection.dropped) == len(rows)
    backwards = select_fragments(rows[::-1], policy)
    assert (render_fragments(backwards), told(backwards)) == (text, told(selection))


@pytest.mark.requirement("KB-RET-COUNT-2")
@given(hostile_rows(max_size=8), st.integers(1, 80), st.integers(0, 200), st.booleans())
@settings(max_examples=60)
def test_counting_characters_is_what_no_counter_does(
    rows: list[RetrievedFragment],
    most: int,
    total: int,
    hardened: bool,  # noqa: FBT001
) -> None:
    """The same rows, lines, codes and numbers; only the sentences speak of tokens."""
    fields: dict[str, Any] = {"max_fragment_chars": most, "max_total_chars": total}
    build: Any = RetrievalPolicy.hardened if hardened else RetrievalPolicy
    fields |= {"key": KEY} if hardened else {}
    plain, by_len = (select_fragments(rows, build(**fields, **extra)) for extra in ({}, {"count": len}))
    assert (by_len.admitted, by_len.lines, told(by_len)) == (plain.admitted, plain.lines, told(plain))


def test_reasons_speak_of_tokens() -> None:
    """The codes stay, the unit is named."""
    rows = [row("one two three", score=0.9), row("one two", "b.md", 0.8), row("one", "c.md", 0.7)]
    policy = RetrievalPolicy(max_fragment_chars=2, max_total_chars=5, count=words)
    selection = select_fragments(rows, policy)
    assert [fragment.source for fragment in selection.admitted] == ["b.md"]
    assert told(selection) == [("a.md", "over-fragment", 3, 2), ("c.md", "over-total", 7, 5)]
    assert [str(reason) for _, reason in selection.dropped] == [
        "its 3 tokens are over the ceiling of 2 for one fragment",
        "with it the lines would come to 7 tokens, over the total of 5",
    ]
    assert str(select_fragments(rows, RetrievalPolicy(max_fragment_chars=2)).dropped[0][1]).startswith("its 13 char")


def test_a_line_is_counted_with_the_line_feed_before_it() -> None:
    """The first has none."""
    seen: list[str] = []

    def count(text: str) -> int:
        seen.append(text)
        return len(text)

    selection = select_fragments([row("x", score=0.9), row("y")], RetrievalPolicy(count=count))
    assert seen == ["x", "SOURCE [a.md]: x", "y", "\nSOURCE [a.md]: y", "SOURCE [a.md]: x\nSOURCE [a.md]: y"]
    assert seen[-1] == render_fragments(selection)


@pytest.mark.requirement("KB-RET-COUNT-1")
def test_rows_leave_from_the_end_where_lines_count_more_together() -> None:
    """Told in rank order, with what the joined lines came to; smaller rows had their chance before."""
    counts = {1: 10, 2: 60, 3: 130, 4: 140}  # of so many lines together; each alone, with its line feed, is 10
    rows = [row(name, f"{name}.md", score) for name, score in (("a", 0.9), ("b", 0.8), ("c", 0.7), ("d", 0.6))]
    policy = RetrievalPolicy(
        5, max_fragment_chars=10, max_total_chars=99, count=lambda text: counts[max(1, text.count("SOURCE"))]
    )
    selection = select_fragments([*rows, row("low", "low.md", -1.0)], policy)
    assert [fragment.source for fragment in selection.admitted] == ["a.md", "b.md"]
    assert told(selection) == [
        ("c.md", "over-total", 130, 99),
        ("d.md", "over-total", 140, 99),
        ("low.md", "below-floor", -1.0, 0.0),
    ]
    assert selection.dropped[0][1] == "with it the lines would come to 130 tokens, over the total of 99"


@pytest.mark.requirement("KB-RET-COUNT-3")
def test_what_is_long_out_of_all_proportion_is_not_counted() -> None:
    """A tokenizer is not shown a megabyte for a ceiling of a thousand tokens; the numbers are characters."""
    longest = 0

    def count(text: str) -> int:
        nonlocal longest
        longest = max(longest, len(text))
        return 1

    rows = [row("x" * 3001, "long.md", 0.9), row("x" * 3000, "edge.md", 0.8)]
    selection = select_fragments(rows, RetrievalPolicy(max_fragment_chars=3, count=count))
    assert [fragment.source for fragment in selection.admitted] == ["edge.md"]
    assert told(selection) == [("long.md", "over-fragment", 3001, 3000)]
    assert str(selection.dropped[0][1]) == (
        "its 3001 characters are over the ceiling of 3000 for one fragment: more than is counted in tokens, a thousand "
        "for each of them"
    )
    assert longest < 3100
    assert [is_out_of_proportion("x" * size, 1) for size in (1000, 1001)] == [False, True]
    assert [is_out_of_proportion(text, 0) for text in ("", "x")] == [False, True]


def test_lengthened_tags_are_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that no longer fits is dropped, as with characters; tags that start alike force it."""
    whole = _hardening.fragment_tag
    monkeypatch.setattr(_selection, "fragment_tag", lambda *parts: "a" * 11 + whole(*parts)[11:])
    rows = [row("text 0", "S", 0.9), row("text 1", "S", 0.8), row("beside it", "S", 0.7)]
    short = 2 * len("SOURCE [S ·aaaaaaaaaa]: text 0") + 1
    for total in (short, short + 4, short + 100):
        fields: dict[str, Any] = {"key": KEY, "max_per_source": None, "max_total_chars": total}
        plain = select_fragments(rows, RetrievalPolicy.hardened(**fields))
        by_len = select_fragments(rows, RetrievalPolicy.hardened(**fields, count=len))
        assert (by_len.lines, told(by_len)) == (plain.lines, told(plain))
        assert len(plain.lines) == {short: 1, short + 4: 2, short + 100: 3}[total]


@pytest.mark.requirement("KB-RET-COUNT-1")
def test_rows_with_lengthened_tags_leave_from_the_end_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line alone fits, both together do not: the last goes, and is told at its rank."""
    whole = _hardening.fragment_tag
    monkeypatch.setattr(_selection, "fragment_tag", lambda *parts: "a" * 11 + whole(*parts)[11:])
    rows = [row("text 0", "S", 0.9), row("text 1", "S", 0.8), row("low", "S", -1.0)]
    policy = RetrievalPolicy.hardened(
        key=KEY, max_per_source=None, max_total_chars=39, count=lambda text: 10 * text.count("SOURCE") ** 2
    )
    selection = select_fragments(rows, policy)
    assert [fragment.content for fragment in selection.admitted] == ["text 0"]
    assert told(selection) == [("S", "over-total", 40, 39), ("S", "below-floor", -1.0, 0.0)]
    assert selection.dropped_rows == (rows[1], rows[2])


# ------------------------------------------------------------------------------------------------- counters that fail


def raising(error: BaseException) -> Callable[[str], int]:
    """Return a counter that raises."""

    def count(text: str) -> int:
        raise error

    return count


class Odd(int):
    """An int of somebody's own."""


class PanicException(BaseException):
    """A panic of native code, as PyO3 names it."""


NONSENSE: list[tuple[Any, str]] = [
    (raising(ValueError("secret")), "raised ValueError"),
    (raising(RecursionError()), "raised RecursionError"),
    (raising(PanicException("secret")), "raised PanicException"),
    (raising(type("A\n" + "x" * 99, (Exception,), {})()), "raised A\\n" + "x" * 77),
    (lambda text: True, "answered a bool"),
    (lambda text: -1, "answered a negative number"),
    (lambda text: 1.0, "answered a float"),
    (lambda text: float("nan"), "answered a float"),
    (lambda text: "3", "answered a str"),
    (lambda text: None, "answered a NoneType"),
    (lambda text: [1], "answered a list"),
    (lambda text: Odd(3), "answered a Odd"),
    (lambda text: 2**63, "answered a number beyond 2**63"),
    (lambda text: 10**5000, "answered a number beyond 2**63"),
    (lambda: 3, "raised TypeError"),
]


@pytest.mark.requirement("KB-RET-COUNT-4")
@pytest.mark.parametrize(("count", "answer"), NONSENSE)
def test_a_counter_that_does_not_count_is_one_error(count: Any, answer: str) -> None:
    """It says what the counter did and how long the text was, and repeats neither text nor message."""
    with pytest.raises(CounterError) as caught:
        select_fragments([row("some secret text")], RetrievalPolicy(count=count))
    error = caught.value
    assert isinstance(error, BridgeError)
    assert (error.rule, error.value, error.answer, error.characters) == ("KB-RET-COUNT-4", answer, answer, 16)
    assert f"for one of 16 characters it {answer}, and nothing was rendered" in str(error)
    assert "secret" not in str(error)
    assert (error.__cause__ is not None) is answer.startswith("raised")
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.answer, copy.characters) == (CounterError, str(error), answer, 16)


@pytest.mark.requirement("KB-RET-COUNT-4")
@pytest.mark.parametrize("call", [0, 1, 2])
def test_a_counter_may_fail_at_any_text(call: int) -> None:
    """At the content, at the line, at the joined lines."""
    calls = itertools.count()
    with pytest.raises(CounterError):
        select_fragments([row("text")], RetrievalPolicy(count=lambda text: -1 if next(calls) == call else 1))


def test_a_source_passes_the_error_on() -> None:
    """A store that fails becomes a reason, a counter that fails does not: without it no ceiling holds."""

    class Shelf:
        def search(self, query: str, limit: int) -> list[RetrievedFragment]:
            return [row("text")]

    source = KnowledgeSource(Shelf(), "q", RetrievalPolicy(count=raising(ValueError())))
    with pytest.raises(CounterError):
        source.read(ContextRequest("knowledge"))


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1), GeneratorExit(), BaseException()])
def test_what_stops_the_process_passes_through(error: BaseException) -> None:
    """It is no answer of the counter's."""
    with pytest.raises(type(error)):
        counted(raising(error), "text")


@pytest.mark.parametrize("number", [0, 1, 2**63 - 1])
def test_a_count_is_taken_as_it_is(number: int) -> None:
    """From nothing to the largest."""
    assert counted(lambda text: number, "text") == number


@pytest.mark.requirement("KB-RET-POLICY-9")
@pytest.mark.parametrize("bad", ["cl100k_base", 3, True, object()])
def test_a_counter_that_cannot_be_called_is_refused(bad: Any) -> None:
    """A name is no counter."""
    with pytest.raises(BridgeContractError) as caught:
        RetrievalPolicy(count=bad)
    assert (caught.value.rule, caught.value.value) == ("KB-RET-POLICY-9", bad)


def test_a_counter_is_neither_shown_nor_compared() -> None:
    """Like the key: a function's repr is an address."""
    policy = RetrievalPolicy(count=words)
    assert policy == RetrievalPolicy()
    assert hash(policy) == hash(RetrievalPolicy())
    assert "count" not in repr(policy)
    assert policy.count is words
    assert RetrievalPolicy.hardened(key=KEY, count=words).count is words
