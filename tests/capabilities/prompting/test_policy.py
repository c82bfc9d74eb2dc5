"""Ceilings, key and datamark: what a policy takes and refuses."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest

from symfonic.capabilities.prompting import MIN_KEY_BYTES, PromptContractError, RenderPolicy

KEY = bytes(range(32))


def test_the_defaults_are_the_documented_ones() -> None:
    """500 characters a learned block, no ceiling on the whole, no key, no datamark."""
    policy = RenderPolicy()
    assert (policy.max_learned_chars, policy.max_prompt_chars) == (500, None)
    assert (policy.delimiter_key, policy.datamark, policy.neutralise_sentence_tokens) == (None, None, False)
    assert RenderPolicy(0, 0, KEY, "^") == RenderPolicy(max_learned_chars=0, max_prompt_chars=0, datamark="^")


@pytest.mark.parametrize("field", ["max_learned_chars", "max_prompt_chars"])
@pytest.mark.parametrize("value", [-1, True, 1.0, "500", float("nan")])
def test_ceilings_that_do_not_compare_are_refused(field: str, value: Any) -> None:
    """Negative, bool, float and text are no ceilings."""
    with pytest.raises(PromptContractError) as caught:
        RenderPolicy(**{field: value})
    assert (caught.value.rule, caught.value.value) == ("PR-POL-CEILING-1", value)


def test_the_learned_ceiling_cannot_be_left_open() -> None:
    """Only the prompt's ceiling may be None."""
    wrong: Any = None
    with pytest.raises(PromptContractError, match="max_learned_chars must be a plain int"):
        RenderPolicy(wrong)


@pytest.mark.parametrize("key", [b"", b"k" * 15, "k" * 32, bytearray(32), 7])
def test_weak_keys_are_refused_and_not_repeated(key: Any) -> None:
    """The refusal does not carry what may be most of a secret."""
    with pytest.raises(PromptContractError) as caught:
        RenderPolicy(delimiter_key=key)
    assert (caught.value.rule, caught.value.value) == ("PR-POL-KEY-1", None)
    assert MIN_KEY_BYTES == 16


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


@pytest.mark.parametrize("mark", ["^", "~", "ˆ", "§", "→", "▁", "\ue000", "\uf8ff", "\U000f0000", "\U0010fffd"])
def test_marks_and_private_use_characters_may_datamark(mark: str) -> None:
    """One character that reads as nothing else."""
    assert RenderPolicy(datamark=mark).datamark == mark


@pytest.mark.parametrize(
    "mark",
    [
        *"aZ5é <>[](){}|/\\\"'`\n\r\t\x00\x1f\u00a0\u2003\u200b\u202e\u0338\u25cc\ufffd\ud800‹›＜＞【】≮«»",
        "",
        "^^",
        None,
    ],
)
def test_marks_that_could_forge_structure_are_refused(mark: Any) -> None:
    """Letters, digits, spaces, breaks, brackets, angles, bars, invisibles; none and two."""
    if mark is None:
        mark = 7
    with pytest.raises(PromptContractError) as caught:
        RenderPolicy(datamark=mark)
    assert (caught.value.rule, caught.value.value) == ("PR-POL-DATAMARK-1", mark)


def test_no_datamark_becomes_structure_under_a_normal_form() -> None:
    """Whatever is allowed stays apart from spaces, breaks, angles, brackets and slashes when it is folded."""
    allowed = []
    edges = [*range(0xF8F0, 0xF910), *range(0xEFFF0, 0xF0010), *range(0xFFFF0, 0x100010), *range(0x10FFF0, 0x110000)]
    for code in [*range(0xE010), *edges]:
        try:
            allowed.append(RenderPolicy(datamark=chr(code)).datamark)
        except PromptContractError:
            continue
    assert len(allowed) == 40 + 2 + 10 + 48 + 204 + 51 + 16 + (16 + 16 + 14 + 16 + 14)
    structure = set("<>[](){}/|\\'\"` \t\n\r\u0338")
    folded = [(mark, unicodedata.normalize(form, str(mark))) for mark in allowed for form in ("NFC", "NFD", "NFKD")]
    assert [mark for mark, text in folded if set(text) & structure] == []


def test_switches_are_exactly_bool() -> None:
    """A truthy value switches no defence."""
    wrong: Any = 1
    with pytest.raises(PromptContractError) as caught:
        RenderPolicy(neutralise_sentence_tokens=wrong)
    assert caught.value.rule == "PR-POL-BOOL-1"
