"""The judgement on every suspicious run: kind, place and action, kept ones included."""

from __future__ import annotations

import pytest

from symfonic.capabilities.knowledge._invisibles import (
    Action,
    Verdict,
    find_runs,
    is_variation,
    mark_floods,
    replace_floods,
    treat_runs,
)

KEEP, REMOVE, REPLACE = Action.KEEP, Action.REMOVE, Action.REPLACE
ENGLAND = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("plain", []),
        ("a\u200bb", [(1, 2, "invisible", REMOVE)]),
        ("a\u200b\u00adb", [(1, 3, "invisible", REMOVE)]),
        ("a\u200b\u200b\u200bb", [(1, 4, "invisible", REPLACE)]),
        ("a\x00\u202e", [(1, 2, "control", REPLACE), (2, 3, "bidi", REPLACE)]),
        ("\u3164x\ufdd0", [(0, 1, "filler", REPLACE), (2, 3, "noncharacter", REPLACE)]),
        ("ه\u200d", [(1, 2, "joiner", KEEP)]),
        ("x\u200d", [(1, 2, "joiner", REPLACE)]),
        ("ه\u200d\u200c", [(1, 2, "joiner", KEEP), (2, 3, "joiner", REPLACE)]),
        ("x\u200d\u200cه", [(1, 2, "joiner", REPLACE), (2, 3, "joiner", KEEP)]),
        (
            "ه\u200d\u200c\u200d\u200cه",
            [(1, 2, "joiner", KEEP), (2, 4, "joiner", REPLACE), (4, 5, "joiner", KEEP)],
        ),
        ("❤\ufe0f", [(1, 2, "selector", KEEP)]),
        ("❤\ufe0f\ufe0f\ufe0f", [(1, 2, "selector", KEEP), (2, 4, "selector", REPLACE)]),
        ("a\ufe0f", [(1, 2, "selector", REPLACE)]),
        ("葛\U000e01f0", [(1, 2, "filler", REPLACE)]),
        (ENGLAND, [(1, 7, "tag", KEEP)]),
        (ENGLAND + "\U000e0041", [(1, 7, "tag", KEEP), (7, 8, "tag", REPLACE)]),
        ("🏴\U000e0075", [(1, 2, "tag", REPLACE)]),
        ("🏴\x00", [(1, 2, "control", REPLACE)]),
        ("👨" + ENGLAND[1:], [(1, 7, "tag", REPLACE)]),
        ("ᠨ\u180eᠠ", [(1, 2, "separator", KEEP)]),
        ("ᠨ\u180e", [(1, 2, "separator", REPLACE)]),
        ("\u180eᠠ", [(0, 1, "separator", REPLACE)]),
        ("ᠨ\u180e\u180eᠠ", [(1, 3, "separator", REPLACE)]),
        ("ᠨ\u180e\u180e\u180eᠠ", [(1, 4, "separator", REPLACE)]),
    ],
    ids=ascii,
)
def test_every_run_is_judged_by_kind_and_place(text: str, verdicts: list[tuple[int, int, str, Action]]) -> None:
    """The verdicts cover each run without gaps."""
    assert list(find_runs(text)) == [Verdict(*verdict) for verdict in verdicts]


@pytest.mark.parametrize(
    ("text", "treated"),
    [
        # A kept selector leaves its base where it was; nothing else does.
        ("ᠨ\u180b\u180eᠠ", "ᠨ\u180b\u180eᠠ"),
        ("ᠨ\u200d\u180eᠠ", "ᠨ\u200d\ufffdᠠ"),
        ("ه\ufe0f\u200dx", "ه\ufffdx"),
        ("ᠨ\u180b\u180c\u200dx", "ᠨ\u180b\ufffdx"),
        ("ه\x00\u200dx", "ه\ufffdx"),
        # What is no selector has no base, Han or not.
        ("葛\U000e01f0", "葛\ufffd"),
        ("N\u180f", "N\ufffd"),
        ("e\ufe0a", "e\ufffd"),
        # At the head of a text.
        ("\ufeffx", "x"),
        ("\u200b\ufeffx", "x"),
        ("\ufe0fx", "\ufffdx"),
        ("\u180b", "\ufffd"),
    ],
    ids=ascii,
)
def test_what_stands_before_a_character_decides(text: str, treated: str) -> None:
    """The character it would belong to, and no other."""
    assert treat_runs(text) == treated


@pytest.mark.parametrize(
    ("text", "treated"),
    [
        # A selector that may not stand there ends the chain; what comes after it is a chain of its own.
        ("👩\ufe0f\u200d👩\u200d🚀", "👩\ufffd👩\u200d🚀"),
        ("👩🏽\u200d🚀\u200d👩\ufe0f\u200d👩🏽\u200d🚀", "👩🏽\u200d🚀\ufffd👩\ufffd👩🏽\u200d🚀"),
        ("👩\ufe0f\u200d👩🏽\ufe0f\u200d👩\u200d❤\ufe0f\u200d👨", "👩\ufffd👩🏽\ufffd👩\u200d❤\ufe0f\u200d👨"),
        ("🕵🏽\ufe0f\u200d♂\ufe0f", "🕵🏽\ufffd♂\ufe0f"),
        ("🕵\ufe0f\u200d♂\ufe0f", "🕵\ufe0f\u200d♂\ufe0f"),
        # Tones that must differ do so inside the sequence, and make no sequence of what is none.
        ("🫱🏻\u200d🫲🏻\u200d🫲🏿", "🫱🏻\ufffd🫲🏻\ufffd🫲🏿"),
        ("👩🏽\u200d👩🏿", "👩🏽\ufffd👩🏿"),
        ("🫱\u200d🫲", "🫱\ufffd🫲"),
    ],
    ids=ascii,
)
def test_a_chain_of_emoji_is_judged_part_by_part(text: str, treated: str) -> None:
    """Whatever the lengths of its elements."""
    assert treat_runs(text) == treated


def test_a_selector_follows_what_it_is_registered_for() -> None:
    """An ideographic one any Han character; one that is registered for nothing follows nothing."""
    assert [is_variation(base, "\ufe0f") for base in ("❤", "a", "")] == [True, False, False]
    assert [is_variation(base, "\U000e0100") for base in ("葛", "か")] == [True, False]
    assert [is_variation(base, "\ufe0a") for base in "None"] == [False] * 4


def test_floods_are_found_and_replaced_at_one_length_or_the_other() -> None:
    """The text stays the same length where its places must stay."""
    text = "e" + "\u0301" * 20 + "x" + "\u0301" * 17
    assert list(mark_floods(text)) == [(17, 21), (38, 39)]
    assert replace_floods(text) == "e" + "\u0301" * 16 + "\ufffdx" + "\u0301" * 16 + "\ufffd"
    assert replace_floods(text, same_length=True) == "e" + "\u0301" * 16 + "\ufffd" * 4 + "x" + "\u0301" * 16 + "\ufffd"
