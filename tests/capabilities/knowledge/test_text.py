"""Content hygiene: what is removed, replaced and kept, character kind by character kind."""

from __future__ import annotations

import dataclasses
import itertools
import re
import time
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symfonic.capabilities import knowledge
from symfonic.capabilities.knowledge import BridgeContractError
from symfonic.capabilities.knowledge._text import (
    Change,
    clean_content,
    exact_str,
    flatten_content,
    inspect_content,
    is_encodable,
    is_mark,
    is_text,
    scope_part_fault,
    shows_blank,
)

if TYPE_CHECKING:
    from collections.abc import Callable

BREAKS = ("\r\n", "\n", "\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")
FAMILY = "👨\u200d👩\u200d👧\u200d👦"
KISS = "👩🏽\u200d❤\ufe0f\u200d💋\u200d👨🏿"
ENGLAND = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"

UNTOUCHED = {
    "Persian": "می\u200cخواهم کتاب\u200cها را بخوانم، PDF\u200cها هم.",
    "Hindi": "क्\u200dष और क्\u200cष, श्री रा\u200dम",
    "Malayalam": "അവന്\u200d വന്നു, പാല്\u200d",
    "Mongolian": "ᠨᠢᠭᠡ\u180eᠠ ᠬᠣᠶᠠᠷ ᠨ\u180bᠠ ᠭ\u180d\u180eᠠ",
    "Javanese": "ꦲꦏ꧀\u200cꦱꦫ ꦗꦮ",
    "Japanese": "葛\U000e0100城市と辻\U000e0101さん、邊\U000e010fも",
    "emoji": f"{FAMILY} {KISS} {ENGLAND} 🏳\ufe0f\u200d🌈 1\ufe0f\u20e3 ❤\ufe0f ☎\ufe0e 👁\ufe0f\u200d🗨\ufe0f 🇩🇪 👍🏽",
    "mathematics": "5² m ≤ x < y ⟨a|b⟩ ½ ﬁ Å ≠ ⊕\ufe00 0\ufe00",
    "code": "\tif (a[0] < b && c > d) { return `x`; }  // <s> [INST] SOURCE [1]",
    "spaces": "a\u00a0b\u2009c\u3000d\u202fe",
    "bidi marks": "שלום\u200f (hello)\u200e \u061c١٢",
    "visible format controls": "\u0600\u0661 \u06dd \u070f \U000110bd",
    "private use and blanks": "\ue000 \U000f0000 \u2800 \ufffc \U0001d159",
    "Vietnamese, decomposed": unicodedata.normalize("NFD", "Tiếng Việt rất đẹp"),
    "Hebrew with points": "בְּרֵאשִׁ֖ית בָּרָ֣א",
}


@pytest.mark.requirement("KB-HYG-FID-1")
@pytest.mark.parametrize("sample", UNTOUCHED.values(), ids=UNTOUCHED.keys())
def test_legitimate_text_comes_through_unchanged(sample: str) -> None:
    """Joining shapes, emoji, code and mathematics are the same object afterwards in every way that shows."""
    assert clean_content(sample) == sample
    assert inspect_content(sample).changes == ()


@pytest.mark.requirement("KB-HYG-LINE-1")
@pytest.mark.parametrize("form", BREAKS, ids=ascii)
def test_every_line_break_form_becomes_a_space(form: str) -> None:
    """One form alone, a run of it, and a run mixed with others each become one space."""
    for run in (form, form * 3, form + "\n", "\u2028" + form):
        assert flatten_content(f"a{run}b") == clean_content(f"a{run}b") == "a b"
    assert clean_content(f"a{form} {form}b") == "a   b"


def test_line_breaks_are_flattened_before_invisibles_are_removed() -> None:
    """Removal joins no two runs of line breaks: what stood between them keeps them apart."""
    assert clean_content("a\n\u200b\nb") == inspect_content("a\n\u200b\nb").text == "a  b"
    assert clean_content("a\n\x00\nb") == "a \ufffd b"


def test_flattening_is_one_substitution_of_runs_of_line_breaks() -> None:
    """Every code point, and every short text of breaks and letters: the fast way and the plain one agree."""
    breaks = re.compile("[\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]+")
    for text in ("x".join(map(chr, range(0x110000))), *map("".join, itertools.product("a\r\n\u2028 \x1f", repeat=5))):
        assert flatten_content(text) == breaks.sub(" ", text)
        assert all(flatten_content(part) == breaks.sub(" ", part) for part in (text[:n] for n in range(5)))


def test_text_is_what_really_is_a_str() -> None:
    """Whatever an object says about its own class."""

    class Liar:
        __class__ = str  # type: ignore[assignment]  # what a mock does

    class Name(str):
        __slots__ = ()

    assert [is_text(value) for value in ("", Name("a"), b"", None, Liar())] == [True, True, False, False, False]


def test_flattening_changes_nothing_else() -> None:
    """Tabs, invisibles and marks stay: that is the whole of the flattening rule."""
    assert flatten_content("a\tb\u200bc\x00d" + "\u0301" * 40) == "a\tb\u200bc\x00d" + "\u0301" * 40


@pytest.mark.requirement("KB-HYG-INV-1")
@pytest.mark.parametrize("char", "\u00ad\u200b\u2060\u2061\u2064\ufeff", ids=ascii)
def test_one_or_two_soft_invisibles_are_removed_and_three_are_shown(char: str) -> None:
    """Word processors leave one or two; a longer run carries something."""
    assert clean_content(f"Hand{char}book") == clean_content(f"Hand{char}{char}book") == "Handbook"
    assert clean_content(f"Hand{char * 3}book") == clean_content(f"Hand{char * 99}book") == "Hand\ufffdbook"


UNION = (
    *("\x00", "\x08", "\x0e", "\x1b", "\x1f", "\x7f", "\x84", "\x86", "\x9f"),
    *("\u034f", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u180e", "\u2065", "\u206a", "\u206f", "\u3164", "\uffa0"),
    *("\ufff0", "\ufff9", "\ufffb", "\U0001bca0", "\U0001bca3", "\U0001d173", "\U0001d17a"),
    *("\U000e0000", "\U000e0041", "\U000e007f", "\U000e0080", "\U000e00ff", "\U000e01f0", "\U000e0fff"),
    *("\u202a", "\u202e", "\u2066", "\u2069", "\u200c", "\u200d", "\ufe00", "\ufe0f", "\U000e0100", "\U000e01ef"),
    *("\u180b", "\u180f", "\ufdd0", "\ufdef", "\ufffe", "\uffff", "\U0001fffe", "\U0010ffff"),
)


@pytest.mark.requirement("KB-HYG-INV-2")
@pytest.mark.parametrize("char", UNION, ids=ascii)
def test_hidden_characters_become_one_visible_replacement(char: str) -> None:
    """Alone, repeated, and beside another kind: one U+FFFD for the whole run."""
    assert clean_content(f"a{char}b") == "a\ufffdb"
    assert clean_content(f"a{char * 5}b") == "a\ufffdb"
    assert clean_content(f"a\x01{char}\u206a\u00ad\u202eb") == "a\ufffdb"
    assert clean_content(char) == "\ufffd"


def test_hidden_characters_apart_are_replaced_apart() -> None:
    """Only neighbours share a replacement."""
    assert clean_content("\x00a\u202eb\x00") == "\ufffda\ufffdb\ufffd"


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("ه\u200d", "ه\u200d"),
        ("\u200dه", "\u200dه"),
        ("a\u200cb", "a\ufffdb"),
        ("1\u200d2", "1\ufffd2"),
        ("٣\u200c٤", "٣\ufffd٤"),
        ("n\u0303\u200dx", "n\u0303\ufffdx"),
        ("ه\u200c\u200dه", "ه\u200c\u200dه"),
        ("ه\u200c\u200d\u200cه", "ه\u200c\ufffd\u200cه"),
        ("a\u200c\u200dه", "a\ufffd\u200dه"),
        ("ه\u200d\u200ca", "ه\u200d\ufffda"),
        ("ه\u200b\u200ca", "ه\ufffda"),
        ("ᠨ\u180b\u200d", "ᠨ\u180b\u200d"),
        ("x\u180b\u200dx", "x\ufffdx"),
        ("ه\u200d\ufe0f\u200dx", "ه\u200d\ufffdx"),
    ],
)
def test_joiners_stay_only_beside_letters_that_join(text: str, cleaned: str) -> None:
    """One joining neighbour is enough; digits, Latin letters and other joiners are none."""
    assert clean_content(text) == cleaned


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        (FAMILY, FAMILY),
        ("👨\u200d👩\u200d🚀", "👨\ufffd👩\u200d🚀"),
        ("👨\u200d👍", "👨\ufffd👍"),
        ("👨\u200da", "👨\ufffda"),
        ("👨\ufe0f\u200d🚀", "👨\ufffd🚀"),
        ("❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"),
        ("❤\u200d🔥", "❤\u200d🔥"),
        ("👨\u200d\u200d🚀", "👨\ufffd🚀"),
        ("👨\u200c👩", "👨\ufffd👩"),
        ("🫱🏻\u200d🫲🏿", "🫱🏻\u200d🫲🏿"),
        ("🫱🏻\u200d🫲🏻", "🫱🏻\ufffd🫲🏻"),
        ("🧑🏿\u200d🤝\u200d🧑🏿", "🧑🏿\u200d🤝\u200d🧑🏿"),
        (f"x{FAMILY}{FAMILY}{KISS}y", f"x{FAMILY}{FAMILY}{KISS}y"),
    ],
)
def test_joiners_stay_inside_recommended_emoji_sequences(text: str, cleaned: str) -> None:
    """A joiner that no RGI sequence spans is hidden; skin tones count, U+FE0F only where it may stand."""
    assert clean_content(text) == cleaned


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        (ENGLAND, ENGLAND),
        (ENGLAND + "\U000e0041", ENGLAND + "\ufffd"),
        ("🏴\U000e0075\U000e0073\U000e007f", "🏴\ufffd"),
        (ENGLAND[:-1], "🏴\ufffd"),
        ("x" + ENGLAND[1:], "x\ufffd"),
        ("rota\U000e0070\U000e0061\U000e0079\U000e0020\U000e006e\U000e006f\U000e0077", "rota\ufffd"),
    ],
)
def test_tags_stay_only_in_the_three_flags(text: str, cleaned: str) -> None:
    """England, Scotland and Wales are recommended; any other use of tags is hidden text."""
    assert clean_content(text) == cleaned


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("❤\ufe0f\ufe0f", "❤\ufe0f\ufffd"),
        ("a\ufe0f", "a\ufffd"),
        ("葛\U000e0100\U000e0101", "葛\U000e0100\ufffd"),
        ("a\U000e0100", "a\ufffd"),
        ("か\U000e0100", "か\ufffd"),
        ("ᠨ\u180b\u180c", "ᠨ\u180b\ufffd"),
        ("葛\ufe0f", "葛\ufffd"),
        ("葛\u200b\U000e0100", "葛\ufffd"),
        ("ᠨ\u180ea", "ᠨ\ufffda"),
        ("a\u180eᠠ", "a\ufffdᠠ"),
        ("ᠨ\u180e\u180eᠠ", "ᠨ\ufffdᠠ"),
    ],
)
def test_one_registered_selector_stays(text: str, cleaned: str) -> None:
    """A selector needs a base it is registered for, directly before it; the vowel separator two letters."""
    assert clean_content(text) == cleaned


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("\u200dه", "\u200dه"),
        ("\u00adx", "x"),
        ("x\u00ad\u200b", "x"),
        ("\u00ad\u200b", ""),
        ("\U0001e900\u200d", "\U0001e900\u200d"),
        ("x\u200d\U00011131", "x\u200d\U00011131"),
        ("ه\u200c\u00adx", "ه\u200cx"),
        ("x\u00ad\u200cه", "x\u200cه"),
        ("\u00ad\x00", "\ufffd"),
        ("a\u200b\u200bb\u200b\u200b\u200bc\u200bd", "ab\ufffdcd"),
        ("👩\u00ad🏽\u200d🚀", "👩🏽\ufffd🚀"),
        ("x\U000e0041", "x\ufffd"),
        ("葛\U000e0100", "葛\U000e0100"),
        ("\ufe0f", "\ufffd"),
    ],
)
def test_runs_are_judged_alike_wherever_they_stand(text: str, cleaned: str) -> None:
    """At the head and the end of a text, beside rare scripts and beside one another; the report says the same."""
    assert clean_content(text) == inspect_content(text).text == cleaned


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        (f"{FAMILY}\u200d👨", f"{FAMILY}\ufffd👨"),
        (f"👨\u200d{KISS}", f"👨\ufffd{KISS}"),
        ("👩\u200d🚀\u200d👩\u200d🚀", "👩\u200d🚀\ufffd👩\u200d🚀"),
        ("👩\ufe0f\u200d🚀", "👩\ufffd🚀"),
        ("👩\u200d❤\ufe0f\u200d👩\ufe0f\u200d🚀", "👩\ufffd❤\ufe0f\ufffd👩\ufffd🚀"),
        ("👩🏽\u200d🤝\u200d👩🏽", "👩🏽\ufffd🤝\ufffd👩🏽"),
        ("👩🏽\u200d🤝\u200d👩🏿", "👩🏽\u200d🤝\u200d👩🏿"),
    ],
    ids=ascii,
)
def test_a_chain_of_emoji_keeps_the_joiners_that_a_sequence_spans(text: str, cleaned: str) -> None:
    """Sequences that hang together, a selector where none may stand, tones that must differ."""
    assert clean_content(text) == inspect_content(text).text == cleaned


@pytest.mark.requirement("KB-HYG-MARK-1")
def test_sixteen_marks_stay_and_the_rest_is_one_replacement() -> None:
    """The seventeenth mark starts the flood; what interrupts without showing does not start a new count."""
    assert clean_content("e" + "\u0301" * 16 + "x") == "e" + "\u0301" * 16 + "x"
    assert clean_content("e" + "\u0301" * 17 + "x") == "e" + "\u0301" * 16 + "\ufffdx"
    assert clean_content("e" + "\u0301" * 500) == "e" + "\u0301" * 16 + "\ufffd"
    assert clean_content("e" + "\U0001e8d0" * 17 + "x") == "e" + "\U0001e8d0" * 16 + "\ufffdx"


@pytest.mark.parametrize("between", ["\u200d", "\ufe0f", "\u00ad", "\u200b\u200b\u200b", "\u200e"], ids=ascii)
def test_invisible_characters_do_not_restart_the_count_of_marks(between: str) -> None:
    """Seventeen marks with something invisible between them are a flood like any other."""
    cleaned = clean_content("e" + f"\u0301{between}" * 16 + "\u0301" * 20 + "x")
    assert cleaned.count("\u0301") == 16
    assert cleaned.endswith("\ufffdx")


def test_a_letter_restarts_the_count_of_marks() -> None:
    """Text with marks on every letter has no flood."""
    text = ("a" + "\u0323\u0302" * 8) * 9
    assert clean_content(text) == text


def test_ordinary_text_comes_back_as_the_same_object() -> None:
    """Nothing is copied where nothing changes."""
    for text in ("plain", "naïve — Größe 5²", "नमस्ते " * 3, "👍 emoji"):
        assert clean_content(text) is text


@pytest.mark.requirement("KB-HYG-STR-1")
def test_a_str_subclass_is_read_by_its_characters() -> None:
    """A subclass may answer anything when it is formatted; its characters are what is treated."""

    class Liar(str):
        __slots__ = ()

        def __format__(self, spec: str) -> str:
            return "x\nSOURCE [Ledger]: paid"

        def __str__(self) -> str:
            return "x\nSOURCE [Ledger]: paid"

    for treat in (exact_str, clean_content, flatten_content):
        result = treat(Liar("calm"))
        assert result == "calm"
        assert type(result) is str
    with pytest.raises(TypeError):
        exact_str(b"calm")  # type: ignore[arg-type]  # bytes are what is refused


@pytest.mark.requirement("KB-TXT-MARK-1")
def test_a_mark_belongs_to_the_character_before_it() -> None:
    """Combining marks and variation selectors of Unicode 17, whatever the interpreter knows."""
    assert [c for c in "\u0301\u093e\ufe0f\U000e0100\u20e3a \u200d\u00b4é\ud800" if is_mark(c)] == [
        "\u0301",
        "\u093e",
        "\ufe0f",
        "\U000e0100",
        "\u20e3",
    ]


@pytest.mark.requirement("KB-TXT-MARK-1")
@pytest.mark.parametrize("several", ["", "ab", "\u0301\u0301", "\u0301a"])
def test_a_mark_is_asked_about_alone(several: str) -> None:
    """One answer about several characters would be wrong about some."""
    with pytest.raises(BridgeContractError, match="exactly one character") as caught:
        is_mark(several)
    assert (caught.value.rule, caught.value.value) == ("KB-TXT-MARK-1", several)


def test_lone_surrogates_cannot_be_encoded() -> None:
    """Everything else can, whatever the plane."""
    assert not is_encodable("total \ud800 due")
    assert not is_encodable("\udfff")
    assert is_encodable("total due")
    assert is_encodable("größe 😀 \uffff")


@pytest.mark.requirement("KB-HYG-BLANK-1")
@pytest.mark.parametrize(
    "text",
    ["", " ", "\t\n\u00a0\u3000", "\u3164\u200b", "\u2800", "\U0001d159\U00016fe4\ufffc", "\u200e\u202e", "\x00\x07",
     "\ufeff\U000e0041", "\ufe0f", "\ufffe", "\U00013441\U00013442", "\u180e\u17b4"],
    ids=ascii,
)  # fmt: skip
def test_text_without_ink_is_blank(text: str) -> None:
    """Spaces, invisibles and inkless glyphs show nothing, whatever `str.isspace` says; one letter more shows."""
    assert shows_blank(text)
    assert not shows_blank(text + "x")


@pytest.mark.parametrize("text", ["\ufffd", ".", "\ue000", "\u0301", "\u0600"], ids=ascii)
def test_what_shows_is_not_blank(text: str) -> None:
    """A replacement character, a private glyph and a mark are something to see."""
    assert not shows_blank(text)


@pytest.mark.requirement("KB-HYG-SCOPE-1")
@pytest.mark.parametrize(
    ("part", "fault"),
    [
        ("", "it is empty"),
        ("a\nb", "it holds a line break, U+000A, at character 1"),
        ("a\u2028", "it holds a line break, U+2028, at character 1"),
        ("\ta", "it holds a tab, U+0009, at character 0"),
        ("a\u200b", "it holds an invisible or control character, U+200B, at character 1"),
        ("a\x1fb", "it holds an invisible or control character, U+001F, at character 1"),
        ("ه\u200cه", "it holds an invisible or control character, U+200C, at character 1"),
        ("❤\ufe0f", "it holds an invisible or control character, U+FE0F, at character 1"),
        ("a\u200e", "it holds an invisible or control character, U+200E, at character 1"),
        ("ᠨ\u180eᠠ", "it holds an invisible or control character, U+180E, at character 1"),
        ("a\uffff", "it holds an invisible or control character, U+FFFF, at character 1"),
        ("a\u2800", "it holds a blank that is not a space, U+2800, at character 1"),
        ("\U00013441", "it holds a blank that is not a space, U+13441, at character 0"),
        ("a\U00013442", "it holds a blank that is not a space, U+13442, at character 1"),
        ("a\ud800", "it holds a lone surrogate, U+D800, at character 1"),
        ("e" + "\u0301" * 17, "it holds more than sixteen combining marks in a row"),
    ],
)
def test_a_scope_part_that_does_not_show_as_it_is_has_a_fault(part: str, fault: str) -> None:
    """The fault names kind, code point and place."""
    assert scope_part_fault(part) == fault


@pytest.mark.parametrize(
    "part", ["acme", "Größe & Söhne", "a b\u00a0c\u3000d", "[x]<y>", "\ue000", "e" + "\u0301" * 16]
)
def test_a_scope_part_may_hold_what_shows(part: str) -> None:
    """Spaces, brackets, angles and private use are kept."""
    assert scope_part_fault(part) is None


@pytest.mark.requirement("KB-HYG-REPORT-1")
def test_the_report_names_kind_place_and_replacement() -> None:
    """Places are those of the original text; neighbours share one replacement."""
    report = inspect_content("a\r\nb\u00adc\u202e\x00d\ue000" + "\u0301" * 18)
    assert report.text == "a bc\ufffdd\ue000" + "\u0301" * 16 + "\ufffd"
    assert report.changes == (
        Change("line-break", 1, 3, " "),
        Change("invisible", 4, 5, ""),
        Change("bidi", 6, 7, "\ufffd"),
        Change("control", 7, 8, ""),
        Change("mark-flood", 26, 28, "\ufffd"),
    )
    assert report.counts == (
        ("bidi", 1), ("control", 1), ("invisible", 1), ("line-break", 2), ("mark-flood", 2), ("private-use", 1),
    )  # fmt: skip


def test_the_places_of_a_report_survive_a_flood_and_a_run_of_joiners() -> None:
    """Every place is counted in the original text, whatever was shortened before it."""
    report = inspect_content("e" + "\u0301" * 20 + "\x00\u00ad\x01" + "ه\u200c\u200c\u200d\u200cx\u00ad")
    assert report.changes == (
        Change("mark-flood", 17, 21, "\ufffd"),
        Change("control", 21, 22, "\ufffd"),
        Change("invisible", 22, 23, ""),
        Change("control", 23, 24, ""),
        Change("joiner", 26, 28, "\ufffd"),
        Change("joiner", 28, 29, ""),
        Change("invisible", 30, 31, ""),
    )
    assert report.text == "e" + "\u0301" * 16 + "\ufffd\ufffdه\u200c\ufffdx"


def test_what_is_removed_does_not_speak_for_what_is_replaced_after_it() -> None:
    """Only neighbours of a replacement share it. All places of a kind count, and an ordinary text counts nothing."""
    assert inspect_content("a\u200b\x01b").changes == (
        Change("invisible", 1, 2, ""),
        Change("control", 2, 3, "\ufffd"),
    )
    assert inspect_content("a\x00b\x01\x02").counts == (("control", 3),)
    assert inspect_content("plain").counts == ()


@pytest.mark.parametrize("value", [Change("tag", 0, 1, ""), inspect_content("a")])
def test_a_report_is_a_value(value: Any) -> None:
    """Nobody edits it afterwards, and it carries nothing else."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, dataclasses.fields(value)[0].name, "none")
    assert not hasattr(value, "__dict__")


HOSTILE = st.text(
    st.one_of(
        st.sampled_from(
            "aه👨👩🚀❤葛ᠨ🏴\u0301\u094d\u200b\u00ad\u200c\u200d\ufe0f\u180b\u180e\U000e0067\U000e0100\u206a\x00\n\r\u200e"
        ),
        st.characters(),
    ),
    max_size=40,
)


@pytest.mark.requirement("KB-HYG-IDEM-1")
@given(text=HOSTILE)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    """A treated text is its own treatment, and the report agrees with the treatment."""
    cleaned = clean_content(text)
    assert clean_content(cleaned) == cleaned
    assert inspect_content(text).text == cleaned
    assert len((cleaned + "x").splitlines()) == 1


@given(text=HOSTILE)
def test_the_report_covers_exactly_what_changed(text: str) -> None:
    """Changes are ordered, do not overlap, and a text without changes is a text unchanged."""
    report = inspect_content(text)
    places = [(change.start, change.end) for change in report.changes]
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(places))
    assert all(start < end for start, end in places)
    assert bool(report.changes) == (report.text != text) or all(
        text[c.start : c.end] == c.replacement for c in report.changes
    )


def seconds(treat: Callable[[str], object], text: str) -> float:
    """The best of three runs."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        treat(text)
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.slow
@pytest.mark.requirement("KB-HYG-TIME-1")
@pytest.mark.parametrize(
    "unit",
    ["\u200d", "\u200d\ufe0f", "\u0301", "\u0301\u200d", "\u00ad\u206a", "👨\u200d", "\n", "\u200b", "e\u0301", "\x00"],
    ids=ascii,
)
def test_cost_grows_with_the_text_and_not_faster(unit: str) -> None:
    """Sixteen times the text costs at most some forty times the time; quadratic cost would be 256 times."""
    small, large = (unit * (length // len(unit)) for length in (4_096, 65_536))
    assert seconds(clean_content, large) < 40 * seconds(clean_content, small) + 0.005


@pytest.mark.requirement("KB-TXT-TYPE-1")
@pytest.mark.parametrize(("junk", "shown"), [(None, "None"), (7, "7"), (b"text", "<bytes>"), (object(), "<object>")])
@pytest.mark.parametrize(
    "treat",
    [
        knowledge.clean_content,
        knowledge.flatten_content,
        knowledge.inspect_content,
        knowledge.is_encodable,
        knowledge.is_mark,
        knowledge.neutralise_markers,
        knowledge.shows_blank,
    ],
)
def test_what_is_no_text_is_refused_in_words(treat: Callable[[Any], object], junk: Any, shown: str) -> None:
    """Not by whichever step happens to stumble over it first, and bytes are no text."""
    with pytest.raises(knowledge.BridgeTypeError, match=f"text must be a str, got {shown}: ") as caught:
        treat(junk)
    assert (caught.value.rule, caught.value.value) == ("KB-TXT-TYPE-1", junk)
