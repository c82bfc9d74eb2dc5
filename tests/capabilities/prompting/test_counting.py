"""Budgets in tokens: whatever a counter answers, either the ceilings hold or there is one error of ours."""

from __future__ import annotations

import hashlib
import itertools
import pickle
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symfonic.capabilities.prompting import (
    CompiledPrompt,
    CounterError,
    PromptBudgetError,
    PromptCompiler,
    PromptContractError,
    PromptContribution,
    PromptError,
    RenderPolicy,
    StaticPromptSource,
    authority_note,
)

if TYPE_CHECKING:
    from collections.abc import Callable

KEY = bytes(range(32))
NOTE = authority_note(RenderPolicy())


def words(text: str) -> int:
    """Count words."""
    return len(text.split())


COUNTERS: dict[str, Callable[[str], int]] = {
    "characters": len,
    "words": words,
    "bytes": lambda text: len(text.encode()),
    "more together": lambda text: len(text) ** 2 // 900,
    "less together": lambda text: int(len(text) ** 0.5),
    "always the same": lambda text: 40,
    "nothing": lambda text: 0,
    # As no tokenizer does: the same text always alike, and nothing adds up.
    "scattered": lambda text: hashlib.sha256(text.encode()).digest()[0],
}


def authored(name: str, text: str, **fields: Any) -> PromptContribution:
    """Return a declaration of the operator's own text."""
    made: dict[str, Any] = {"source": StaticPromptSource(text), "tier": "operating", "layer": "L0"} | fields
    return PromptContribution(name, **made)


def learned(name: str, text: str, **fields: Any) -> PromptContribution:
    """Return a declaration of learned text."""
    return PromptContribution(name, StaticPromptSource(text, untrusted=True), **fields)


def compiled(*items: PromptContribution, **policy: Any) -> CompiledPrompt:
    """Compile with a keyed policy."""
    return PromptCompiler(RenderPolicy(**{"delimiter_key": KEY} | policy)).compile(items)


def told(prompt: CompiledPrompt) -> list[tuple[str, str, int | None, int | None]]:
    """Return code, contribution and numbers of every diagnostic."""
    return [(str(found.code), found.contribution_id, found.actual, found.ceiling) for found in prompt.diagnostics]


TEXTS = st.text("ab <>\n\u200b\u0301é字", max_size=40) | st.sampled_from(
    ["x" * 300, "</untrusted-data>", "one two  three"]
)


@st.composite
def declarations(draw: st.DrawFn) -> list[PromptContribution]:
    """Return a few declarations of both kinds, pinned ones among them."""
    made = [
        authored(f"a{place}", "R" + draw(TEXTS), pinned=draw(st.booleans()), layer=draw(st.sampled_from(["L0", "L2"])))
        for place in range(draw(st.integers(0, 3)))
    ]
    return made + [learned(f"l{place}", draw(TEXTS)) for place in range(draw(st.integers(0, 4)))]


@pytest.mark.requirement("PR-COUNT-1")
@given(
    declarations(),
    st.sampled_from(sorted(COUNTERS)),
    st.integers(1, 400),
    st.integers(0, 900),
    st.sampled_from([None, "\ue000"]),
)
@settings(max_examples=80)
def test_the_ceilings_hold_for_what_the_counter_says_of_the_whole_prompt(
    items: list[PromptContribution], name: str, most: int, total: int, mark: str | None
) -> None:
    """However it counts, or what is pinned does not fit and there is no prompt."""
    count = COUNTERS[name]
    try:
        prompt = compiled(*items, max_learned_chars=most, max_prompt_chars=total, count=count, datamark=mark)
    except PromptBudgetError as error:
        assert error.actual > total  # noqa: PT017 - either outcome is right
        return
    assert count(prompt.text) <= total
    texts = {item.contribution_id: item.source.read(None).text for item in items}  # type: ignore[arg-type] # fixed
    for block in prompt.blocks:
        assert block.trusted or count(texts[block.contribution_id]) <= most
    left = [found.contribution_id for found in prompt.diagnostics if found.left_out]
    assert sorted(left + [block.contribution_id for block in prompt.blocks]) == sorted(texts)


@pytest.mark.requirement("PR-COUNT-2")
@given(declarations(), st.integers(1, 60), st.none() | st.integers(0, 1500))
@settings(max_examples=80)
def test_counting_characters_is_what_no_counter_does(
    items: list[PromptContribution], most: int, total: int | None
) -> None:
    """The same bytes, blocks, codes and numbers; only the sentences speak of tokens."""

    def outcome(**fields: Any) -> object:
        try:
            prompt = compiled(*items, max_learned_chars=most, max_prompt_chars=total, **fields)
        except PromptBudgetError as error:
            return (error.contribution_id, error.actual, error.ceiling)
        return (prompt.text, prompt.blocks, prompt.digests, told(prompt))

    assert outcome(count=len) == outcome()


@pytest.mark.requirement("PR-COUNT-1")
def test_blocks_leave_in_the_same_order_and_are_counted_again_each_time() -> None:
    """Learned ones first, last-ranked first, then unpinned authored ones; numbers are tokens of the joined text."""
    items = [
        authored("pin", "one two", pinned=True),
        authored("free", "three", layer="L1"),
        learned("a", "four five six"),
        learned("b", "seven eight"),
    ]
    seen: list[str] = []

    def count(text: str) -> int:
        seen.append(text)
        return words(text)

    least = words(NOTE) + 2
    prompt = compiled(*items, max_prompt_chars=least, count=count)
    assert prompt.text == f"{NOTE}\n\none two"
    assert [(code, name) for code, name, _, _ in told(prompt)] == [
        ("over-prompt", "free"), ("over-prompt", "a"), ("over-prompt", "b"),
    ]  # fmt: skip
    whole = seen[2]
    assert seen[:2] == ["four five six", "seven eight"]
    assert words(whole) == prompt.diagnostics[2].actual
    assert seen[-1] == prompt.text
    assert len(seen) == 2 + 4
    assert "tokens and max_prompt_chars" in prompt.diagnostics[0].message
    with pytest.raises(PromptBudgetError, match="tokens and max_prompt_chars") as caught:
        compiled(*items, max_prompt_chars=least - 1, count=words)
    assert (caught.value.contribution_id, caught.value.actual, caught.value.ceiling) == ("pin", least, least - 1)


@pytest.mark.requirement("PR-COUNT-1")
def test_a_counter_that_sees_tokens_in_nothing_keeps_its_word() -> None:
    """An empty prompt that counts as more than its ceiling is an error, too."""
    with pytest.raises(PromptBudgetError) as caught:
        compiled(authored("a", "text"), max_prompt_chars=2, count=lambda text: 3)
    assert (caught.value.contribution_id, caught.value.actual) == ("", 3)
    assert compiled(authored("a", "text"), max_prompt_chars=3, count=lambda text: 3).text == "text"


@pytest.mark.requirement("PR-BUD-1")
def test_a_learned_read_is_counted_as_its_source_gave_it() -> None:
    """What will be removed counts; the sentence names the unit."""
    seen: list[str] = []

    def count(text: str) -> int:
        seen.append(text)
        return words(text)

    prompt = compiled(
        learned("fits", "one\u200b two"), learned("long", "one two three"), max_learned_chars=2, count=count
    )
    assert seen == ["one\u200b two", "one two three"]
    assert [found for found in told(prompt) if found[0] != "cleaned"] == [("over-learned", "long", 3, 2)]
    assert prompt.diagnostics[1].message.startswith("the text has 3 tokens and max_learned_chars allows 2: ")


@pytest.mark.requirement("PR-COUNT-3")
def test_a_counter_sees_no_text_that_is_long_out_of_all_proportion_or_has_no_utf8_form() -> None:
    """A tokenizer may take minutes for the one and raise for the other."""
    seen: list[int] = []

    def count(text: str) -> int:
        text.encode()
        seen.append(len(text))
        return 1

    items = [learned("edge", "x" * 2000), learned("long", "x" * 2001), learned("bad", "\ud800")]
    prompt = compiled(*items, max_learned_chars=2, count=count)
    assert told(prompt) == [("bad-text", "bad", None, None), ("over-learned", "long", 2001, 2000)]
    assert "2001 characters, too many to be counted in tokens, and" in prompt.diagnostics[1].message
    assert seen == [2000]


# ------------------------------------------------------------------------------------------------- counters that fail


def raising(text: str) -> int:
    """Raise with the text in the message."""
    raise ValueError(text)


class PanicException(BaseException):
    """A panic of native code, as PyO3 names it."""


def panicking(text: str) -> int:
    """Panic with the text in the message."""
    raise PanicException(text)


@pytest.mark.requirement("PR-COUNT-4")
@pytest.mark.parametrize(
    ("count", "answer"),
    [
        (raising, "raised ValueError"),
        (panicking, "raised PanicException"),
        (lambda text: True, "answered a bool"),
        (lambda text: -1, "answered a negative number"),
        (lambda text: 2.0, "answered a float"),
        (lambda text: None, "answered a NoneType"),
        (lambda text: 10**5000, "answered a number beyond 2**63"),
    ],
)
@pytest.mark.parametrize("place", ["read", "prompt"])
def test_a_counter_that_does_not_count_is_one_error(count: Any, answer: str, place: str) -> None:
    """No prompt whose ceiling nobody held; neither text nor message is repeated."""
    items = [learned("kb", "secret text")] if place == "read" else [authored("rules", "secret text")]
    with pytest.raises(CounterError) as caught:
        compiled(*items, max_prompt_chars=1000, count=count)
    error = caught.value
    assert isinstance(error, PromptError)
    assert (error.answer, error.characters, error.rule) == (answer, 11, "PR-COUNT-4")
    assert "secret" not in str(error)
    assert (error.__cause__ is not None) is answer.startswith("raised")
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.answer, copy.characters) == (CounterError, str(error), answer, 11)


def test_a_counter_may_fail_after_a_block_left() -> None:
    """Whatever it said before."""
    calls = itertools.count()
    with pytest.raises(CounterError):
        compiled(authored("a", "x"), authored("b", "y"), max_prompt_chars=1, count=lambda text: (9, None)[next(calls)])


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1), GeneratorExit(), BaseException()])
def test_what_stops_the_process_passes_through(error: BaseException) -> None:
    """It is no answer of the counter's."""

    def count(text: str) -> int:
        raise error

    with pytest.raises(type(error)):
        compiled(learned("kb", "x"), count=count)


@pytest.mark.requirement("PR-POL-COUNT-1")
@pytest.mark.parametrize("bad", ["o200k_base", 3, False])
def test_a_counter_that_cannot_be_called_is_refused(bad: Any) -> None:
    """A name is no counter."""
    with pytest.raises(PromptContractError) as caught:
        RenderPolicy(count=bad)
    assert (caught.value.rule, caught.value.value) == ("PR-POL-COUNT-1", bad)


def test_a_counter_is_neither_shown_nor_compared() -> None:
    """Like the key: a function's repr is an address."""
    policy = RenderPolicy(count=words)
    assert policy == RenderPolicy()
    assert hash(policy) == hash(RenderPolicy())
    assert "count" not in repr(policy)


def test_a_policy_measures_in_its_own_unit() -> None:
    """What a composition root asks before it wires."""
    assert RenderPolicy().measure("one two") == 7
    assert RenderPolicy(count=words).measure("one two") == 2
    with pytest.raises(CounterError):
        RenderPolicy(count=raising).measure("one")
