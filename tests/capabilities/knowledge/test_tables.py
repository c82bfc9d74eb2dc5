"""The generated tables: what they hold, and that every interpreter reads them alike."""

from __future__ import annotations

import re
import unicodedata

import pytest

from symfonic.capabilities.knowledge import _tables as tables

#: All of Unicode in one text, which is looked through much faster than its characters one by one.
EVERYTHING = "".join(map(chr, range(0x110000)))


def members(inside: str) -> set[int]:
    """The code points of a character class."""
    return set(map(ord, re.findall(f"[{inside}]", EVERYTHING)))


def test_the_tables_are_of_one_named_unicode_version() -> None:
    """Newer interpreters change nothing."""
    assert tables.UNICODE_VERSION == "17.0.0"


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("LINE_BREAKS", {0xA, 0xB, 0xC, 0xD, 0x1C, 0x1D, 0x1E, 0x85, 0x2028, 0x2029}),
        ("SPACES", {0x9, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000}),
        ("SOFT_INVISIBLES", {0xAD, 0x200B, *range(0x2060, 0x2065), 0xFEFF}),
        ("CONTROLS", {*range(9), *range(0xE, 0x1C), 0x1F, *range(0x7F, 0x85), *range(0x86, 0xA0)}),
        ("BIDI_MARKS", {0x200E, 0x200F, 0x61C}),
        ("BIDI_CONTROLS", {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}),
        ("JOINERS", {0x200C, 0x200D}),
        ("BLANKS", {0x2800, 0x1D159, 0x16FE4, 0xFFFC, 0x13441, 0x13442}),
        ("SURROGATES", set(range(0xD800, 0xE000))),
        ("TAGS", set(range(0xE0000, 0xE0080))),
    ],
)
def test_a_set_that_is_a_decision_holds_exactly_what_was_decided(name: str, points: set[int]) -> None:
    """Code point by code point."""
    assert members(getattr(tables, name)) == points


def test_every_form_of_a_square_bracket_and_an_angle_is_in_its_set() -> None:
    """Whatever a normal form of this interpreter turns into a bracket is one; quotes and parentheses are not."""
    square = members(tables.SQUARE_OPEN + tables.SQUARE_CLOSE)
    angle = members(tables.ANGLES_OPEN + tables.ANGLES_CLOSE)
    for code in range(0x110000):
        folded = unicodedata.normalize("NFKD", chr(code))
        assert not set("[]") & set(folded) or code in square
        assert not set("<>") & set(folded) or code in angle
    assert not {ord(c) for c in "()’“「」『』{}«»"} & (square | angle)
    assert {ord(c) for c in "[]［］【】〔〕〖〗〘〙〚〛⟦⟧⁅⁆❲❳"} <= square
    assert {ord(c) for c in "<>≮≯﹤﹥＜＞˂˃ᐳᐸᚲ‹›❮❯⟨⟩〈〉〈〉"} <= angle


def test_whatever_this_interpreter_calls_a_mark_is_one() -> None:
    """The table is at least as new as the interpreter; selectors stand apart."""
    known = {c for c in range(0x110000) if unicodedata.category(chr(c))[0] == "M"}
    selectors = members(tables.SELECTORS)
    assert members(tables.MARKS) >= known - selectors
    assert not members(tables.MARKS) & selectors
    assert members(tables.BASIC_MARKS) == {c for c in members(tables.MARKS) if c < 0x10000}


def test_first_looks_are_complements() -> None:
    """A first look that missed a character would switch its treatment off."""
    suspicious = members(
        tables.SOFT_INVISIBLES + tables.CONTROLS + tables.FILLERS + tables.TAGS + tables.BIDI_CONTROLS
        + tables.NONCHARACTERS + tables.JOINERS + tables.SELECTORS + "\u180e"
    )  # fmt: skip
    assert members(tables.UNSUSPICIOUS) == set(range(0x110000)) - suspicious
    marks = members(tables.MARKS)
    assert not members(tables.ORDINARY) & (suspicious | marks | members(tables.PRIVATE_USE))
    unsafe = members(
        tables.SPACES + tables.BIDI_MARKS + tables.PRIVATE_USE + tables.BLANKS + tables.SQUARE_OPEN
        + tables.SQUARE_CLOSE + tables.ANGLES_OPEN + tables.ANGLES_CLOSE + tables.SURROGATES + tables.LINE_BREAKS
    )  # fmt: skip
    assert not members(tables.LABEL_ORDINARY) & (suspicious | marks | unsafe)
    assert members(tables.LABEL_ORDINARY) >= {ord(c) for c in "aZ0 ~·:/?#-_()’“「」äß社😀"}


def test_the_fold_agrees_with_this_interpreter() -> None:
    """What the interpreter folds to one ASCII letter or digit, the table folds to the same."""
    one = {ord(c): target for target, sources in tables.FOLD_TO_ONE.items() for c in sources}
    for code in range(0x80, 0x110000):
        folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", chr(code)).casefold())
        if len(folded) == 1 and folded.isascii() and folded.isalnum():
            assert one[code] == folded


def test_look_alikes_hold_the_cyrillic_and_greek_letters() -> None:
    """The letters of `source`, and zero for o."""
    assert members(tables.LOOKALIKES["o"]) >= {ord(c) for c in "0оОοΟօ"}
    assert members(tables.LOOKALIKES["s"]) >= {ord(c) for c in "ѕЅ"}
    assert members(tables.LOOKALIKES["c"]) >= {ord(c) for c in "сСϲ"}
    assert members(tables.LOOKALIKES["e"]) >= {ord(c) for c in "еЕΕ"}
    assert sorted(tables.LOOKALIKES) == sorted("source")


def test_dressed_letters_count_as_the_letters() -> None:
    """Small capitals, letters on black ground, regional indicators: UTS #39 lists none of them, a reader reads them."""
    dressed = {"s": "ꜱ🅢🆂🇸", "o": "ᴏ🅞🅾🇴", "u": "ᴜ🅤🆄🇺", "r": "ʀ🅡🆁🇷", "c": "ᴄ🅒🅲🇨", "e": "ᴇ🅔🅴🇪"}
    for letter, characters in dressed.items():
        assert members(tables.LOOKALIKES[letter]) >= set(map(ord, characters)), letter


def test_imitations_of_our_separators_are_listed() -> None:
    """Code point by code point."""
    assert members(tables.MIDDLE_DOTS) == set(map(ord, "\xb7\u0387᛫•‧∙⋅⸱⸳・･ꞏᐧ․𐄁"))
    assert members(tables.TILDES) == set(map(ord, "~˜˷῀⁓∼∽〜～"))


def test_decompositions_of_the_tables_and_of_unicode_3_2_are_those_of_this_interpreter() -> None:
    """Together they know every canonical decomposition, and no other."""
    lines = [line.split("\x1f") for line in tables.LATER_DECOMPOSITIONS.strip("\n").split("\n")]
    later = {character: parts for parts, characters in lines for character in characters}
    for code in range(0x110000):
        character = chr(code)
        known = unicodedata.normalize("NFD", character)
        if unicodedata.category(character) != "Cn":
            assert (later.get(character) or unicodedata.ucd_3_2_0.normalize("NFD", character)) == known
