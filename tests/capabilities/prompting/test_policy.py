"""Ceilings, key and datamark: what a policy takes and refuses."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest

from symfonic.capabilities.prompting import MIN_KEY_BYTES, PromptContractError, RenderPolicy

KEY = bytes(range(32))


class Pretender:
    """Claims to be a str."""

    __class__ = str  # type: ignore[assignment] # the lie is the point


def test_the_defaults_are_the_documented_ones() -> None:
    """500 characters a learned block, no ceiling on the whole, no key, no datamark."""
    policy = RenderPolicy()
    assert (policy.max_learned_chars, policy.max_prompt_chars) == (500, None)
    assert (policy.delimiter_key, policy.datamark, policy.neutralise_sentence_tokens) == (None, None, False)
    assert RenderPolicy(0, 0, KEY, "^") == RenderPolicy(max_learned_chars=0, max_prompt_chars=0, datamark="^")


@pytest.mark.requirement("PR-POL-CEILING-1")
@pytest.mark.parametrize("field", ["max_learned_chars", "max_prompt_chars"])
@pytest.mark.parametrize("value", [-1, True, 1.0, "500", float("nan")])
def test_ceilings_that_do_not_compare_are_refused(field: str, value: Any) -> None:
    """Negative, bool, float and text are no ceilings."""
    with pytest.raises(PromptContractError) as caught:
        RenderPolicy(**{field: value})
    assert (caught.value.rule, caught.value.value) == ("PR-POL-CEILING-1", value)


@pytest.mark.requirement("PR-POL-CEILING-1")
def test_the_learned_ceiling_cannot_be_left_open() -> None:
    """Only the prompt's ceiling may be None."""
    wrong: Any = None
    with pytest.raises(PromptContractError, match="max_learned_chars must be a plain int"):
        RenderPolicy(wrong)


@pytest.mark.requirement("PR-POL-KEY-1")
@pytest.mark.parametrize("key", [b"", b"k" * 15, "k" * 32, bytearray(32), 7])
def test_weak_keys_are_refused_and_not_repeated(key: Any) -> None:
    """The refusal does not carry what may be most of a secret."""
    with pytest.raises(PromptContractError) as caught:
        RenderPolicy(delimiter_key=key)
    assert (caught.value.rule, caught.value.value) == ("PR-POL-KEY-1", None)
    assert MIN_KEY_BYTES == 16


@pytest.mark.requirement("PR-POL-KEY-1")
def test_a_key_of_a_subclass_is_refused() -> None:
    """It could answer differently each time it is looked at."""

    class Shifting(bytes):
        __slots__ = ()

    with pytest.raises(PromptContractError, match="delimiter_key must be bytes"):
        RenderPolicy(delimiter_key=Shifting(KEY))


def test_the_key_is_neither_shown_nor_compared() -> None:
    """Policies may be logged."""
    one, other = RenderPolicy(delimiter_key=b"secret-secret-secret"), RenderPolicy(delimiter_key=KEY)
    assert "secret" not in repr(one)
    assert "delimiter_key" not in repr(one)
    assert one == other
    assert hash(one) == hash(other)


def test_a_fingerprint_tells_keys_apart() -> None:
    """16 hex digits under a domain of their own; nothing without a key."""
    assert RenderPolicy().key_fingerprint == ""
    assert RenderPolicy(delimiter_key=KEY).key_fingerprint == "b96a53dce11a3d15"
    assert RenderPolicy(delimiter_key=KEY[:16]).key_fingerprint != RenderPolicy(delimiter_key=KEY).key_fingerprint


@pytest.mark.parametrize("mark", ["^", "ˆ", "⁂", "\ue000", "\uf8ff", "\U000f0000", "\U0010fffd"])
def test_characters_that_texts_do_not_have_may_datamark(mark: str) -> None:
    """Private use, and three visible ones."""
    assert RenderPolicy(datamark=mark).datamark == mark


@pytest.mark.requirement("PR-POL-DATAMARK-1")
@pytest.mark.parametrize("mark", [*".,;:!?'-_*#%&+=~@$/|\\`", *"§¶•→…–—·°×▁│※†¤¦¬"])
def test_characters_of_ordinary_text_are_refused(mark: str) -> None:
    """They would be replaced in every text that has them, or a tokenizer reads them as something else."""
    with pytest.raises(PromptContractError, match="a character of ordinary text would damage it") as caught:
        RenderPolicy(datamark=mark)
    assert (caught.value.rule, caught.value.value) == ("PR-POL-DATAMARK-1", mark)


@pytest.mark.requirement("PR-POL-DATAMARK-1")
@pytest.mark.parametrize(
    "mark",
    [
        *'aZ5é <>[](){}"\n\r\t\x00\x1f\u00a0\u2003\u200b\u202e\u0338\u25cc\ufffd\ud800‹›＜＞【】≮«»',
        *("", "^^", "\ue000\ue001", 7, b"^", True, pytest.param(Pretender(), id="pretender")),
    ],
)
def test_marks_that_could_forge_structure_are_refused(mark: Any) -> None:
    """Letters, digits, spaces, breaks, brackets, angles, invisibles; none and two; what is no text."""
    with pytest.raises(PromptContractError) as caught:
        RenderPolicy(datamark=mark)
    assert (caught.value.rule, caught.value.value) == ("PR-POL-DATAMARK-1", mark)


def test_the_datamark_is_kept_as_plain_text() -> None:
    """A subclass of str could format itself as something else in the note."""

    class Loud(str):
        __slots__ = ()

    mark = RenderPolicy(datamark=Loud("^")).datamark
    assert type(mark) is str
    assert mark == "^"


def test_the_allowed_datamarks_are_these() -> None:
    """Of every code point with a meaning and a share of the others; none of them changes under a normal form."""
    allowed = []
    for mark in map(chr, range(0x110000)):
        if unicodedata.category(mark) == "Cn" and ord(mark) % 64:
            continue
        try:
            allowed.append(str(RenderPolicy(datamark=mark).datamark))
        except PromptContractError:
            continue
    assert allowed[:3] == ["^", "ˆ", "⁂"]
    assert len(allowed) == 3 + 6400 + 2 * 65534
    assert {unicodedata.category(mark) for mark in allowed[3:]} == {"Co"}
    assert [mark for mark in allowed if unicodedata.normalize("NFKD", mark) != mark] == []


@pytest.mark.requirement("PR-POL-CLOSED-1")
def test_failing_closed_has_a_name_and_no_switch() -> None:
    """True is the rule that holds anyway; whatever else is refused with the reason."""
    assert RenderPolicy().fail_closed is True
    assert RenderPolicy(fail_closed=True) == RenderPolicy()
    wrong: Any
    for wrong in (False, None, 0, 1, "yes"):
        with pytest.raises(PromptContractError, match="lacks the operator's text") as caught:
            RenderPolicy(fail_closed=wrong)
        assert (caught.value.rule, caught.value.value) == ("PR-POL-CLOSED-1", wrong)


@pytest.mark.requirement("PR-POL-BOOL-1")
def test_switches_are_exactly_bool() -> None:
    """A truthy value switches no defence."""
    wrong: Any = 1
    with pytest.raises(PromptContractError) as caught:
        RenderPolicy(neutralise_sentence_tokens=wrong)
    assert caught.value.rule == "PR-POL-BOOL-1"
