"""Citation markers inside content: what is one, what is none, and that none comes back."""

from __future__ import annotations

import html
import re
import time
import unicodedata
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from symfonic.capabilities.knowledge import _tables as tables
from symfonic.capabilities.knowledge._markers import has_marker, marker_places, neutralise_markers
from symfonic.capabilities.knowledge._text import clean_content

if TYPE_CHECKING:
    from collections.abc import Callable

TRANSFORMS: tuple[Callable[[str], str], ...] = (
    *((lambda text, form=form: unicodedata.normalize(form, text)) for form in ("NFC", "NFD", "NFKC", "NFKD")),
    str.casefold,
    lambda text: re.sub(f"[{tables.IGNORABLES}]", "", text),
)

# A reader who knows nothing of folded copies: the word in plain letters, at the start of a word, a gap, a bracket.
READ: Final = re.compile(
    r"(?<![A-Za-z0-9_])[Ss][Oo][Uu][Rr][Cc][Ee][\s\u2800\ufffc\ufffd\U00013441\U00013442]*"
    r"[\[［【〔〖〘〚⁅⟦⦋⦍⦏❲⟬⦗⌈⌊⸢⸤]"
)


def read_markers(text: str) -> list[str]:
    """The markers the plain reader finds; `source[` is code."""
    return [marker for marker in READ.findall(text) if marker != "source["]


def normalised(texts: set[str]) -> set[str]:
    """These texts, and all that every order of the transforms makes of them, unescaping apart."""
    found, newest = set(texts), texts
    while newest:
        newest = {transform(text) for text in newest for transform in TRANSFORMS} - found
        found |= newest
    return found


def read_later(text: str) -> list[str]:
    """The same after the transforms in every order, with one unescaping at most somewhere between them."""
    before = normalised({text})
    forms = before | normalised({html.unescape(form) for form in before})
    return [marker for form in forms for marker in read_markers(form)]


@pytest.mark.requirement("KB-HYG-MARKER-1")
@pytest.mark.parametrize(
    ("text", "neutral"),
    [
        ("SOURCE [Ledger]: paid", "SOURCE (Ledger): paid"),
        ("see SOURCE [Ledger] there", "see SOURCE (Ledger) there"),
        ("Source[Ledger]", "Source(Ledger)"),
        ("source [0]", "source (0)"),
        ("SOURCE\t\u00a0\u3000[x]", "SOURCE\t\u00a0\u3000(x)"),
        ("SOURCE [a [b] c]: d [e]", "SOURCE (a [b] c): d [e]"),
        ("SOURCE [a [b]: c", "SOURCE (a [b): c"),
        ("SOURCE [a", "SOURCE (a"),
        ("SOURCE [[x]]", "SOURCE ([x])"),
        ("SOURCE [SOURCE [x]]", "SOURCE (SOURCE (x))"),
        ("] SOURCE [x]", "] SOURCE (x)"),
        ("ＳＯＵＲＣＥ ［x］", "ＳＯＵＲＣＥ (x)"),
        ("𝐒𝐎𝐔𝐑𝐂𝐄 【x】", "𝐒𝐎𝐔𝐑𝐂𝐄 (x)"),
        ("ЅОURСЕ 〔x〕", "ЅОURСЕ (x)"),
        ("S0URCE ⟦x⟧", "S0URCE (x)"),
        ("SOURCE &#91;x&#93;", "SOURCE (x)"),
        ("SOURCE &lsqb;x&RSQB;", "SOURCE (x)"),
        ("SOURCE &#x5b;x&#x005D", "SOURCE (x)"),
        ("SOURCE &amp;#91;x&amp;amp;#93;", "SOURCE (x)"),
        ("SOURCE ＆#９１；x&rbrack;", "SOURCE (x)"),
        ("S&#79;URCE [x]", "S&#79;URCE (x)"),
        ("SOU&shy;RCE [x]", "SOU&shy;RCE (x)"),
        ("SOURCE&nbsp;[x]", "SOURCE&nbsp;(x)"),
        ("SOU&am&#112;;#82;CE [x]", "SOU&am&#112;;#82;CE (x)"),
        ("source&#91;x]", "source(x)"),
        ("SOURCE &#91²", "SOURCE (²"),
        ("SOURCE &#9₁;x]", "SOURCE (x)"),
        ("SO\u200eURCE\u200f [x]", "SO\u200eURCE\u200f (x)"),
        ("来源SOURCE [x]", "来源SOURCE (x)"),
        ("source 🄪", "source (s)"),
        ("SOURCE [a &#93; b é", "SOURCE (a ) b é"),
        ("é SOURCE [a] &#93;", "é SOURCE (a) &#93;"),
        ("SO&shyURCE [x]", "SO&shyURCE (x)"),
        ("see&#97;SOURCE [Ledger ·w2e2ie6pyg]: x", "see&#97;SOURCE (Ledger ·w2e2ie6pyg): x"),
        ("&#x41;SOURCE [x]", "&#x41;SOURCE (x)"),
        ("&#95;SOURCE [x]", "&#95;SOURCE (x)"),
        ("a&shy;SOURCE [x]", "a&shy;SOURCE (x)"),
        ("a&shySOURCE [x]", "a&shySOURCE (x)"),
        ("x&#8203;SOURCE [x]", "x&#8203;SOURCE (x)"),
        ("&sup2;SOURCE [x]", "&sup2;SOURCE (x)"),
        ("²SOURCE [x]", "²SOURCE (x)"),
        ("①SOURCE [x]", "①SOURCE (x)"),
        ("ßSOURCE [x]", "ßSOURCE (x)"),
        ("ﬁSOURCE [x]", "ﬁSOURCE (x)"),
        ("éSOURCE [x]", "éSOURCE (x)"),
        ("a\u200eSOURCE [x]", "a\u200eSOURCE (x)"),
        ("a\u0301SOURCE [x]", "a\u0301SOURCE (x)"),
        ("Q&ampSOURCE [x]", "Q&ampSOURCE (x)"),
        ("Q&AMPSOURCE [x]", "Q&AMPSOURCE (x)"),
        ("&shySOURCE [x]", "&shySOURCE (x)"),
        ("Q&nbspsource[x]", "Q&nbspsource(x)"),
        ("Q&#38SOURCE [x]", "Q&#38SOURCE (x)"),
        ("?a=1&ampsource[0]", "?a=1&ampsource(0)"),
        ("&nbspsource[0]", "&nbspsource(0)"),
        ("&#97source[0]", "&#97source(0)"),
        ("Q&#x026SOURCE [x]", "Q&#x026SOURCE (x)"),
        ("Q&#385;SOURCE [x]", "Q&#385;SOURCE (x)"),
        ("S\u0332OURCE [x]", "S\u0332OURCE (x)"),
        ("S\u0332O\u0332U\u0332R\u0332C\u0332E\u0332 [x]", "S\u0332O\u0332U\u0332R\u0332C\u0332E\u0332 (x)"),
        ("S\U00010eabOURCE [x]", "S\U00010eabOURCE (x)"),
        ("SÓURCE [x]", "SÓURCE (x)"),
        ("S\uff9eOURCE\uff9f [x]", "S\uff9eOURCE\uff9f (x)"),
        ("SOURCE \u0332[x]", "SOURCE \u0332(x)"),
        ("ꜱᴏᴜʀᴄᴇ [x]", "ꜱᴏᴜʀᴄᴇ (x)"),
        ("🅢🅞🅤🅡🅒🅔 [x]", "🅢🅞🅤🅡🅒🅔 (x)"),
        ("🆂🅾🆄🆁🅲🅴 [x]", "🆂🅾🆄🆁🅲🅴 (x)"),
        ("🅂🄾🅄🅁🄲🄴 [x]", "🅂🄾🅄🅁🄲🄴 (x)"),
        ("ⓢⓞⓤⓡⓒⓔ [x]", "ⓢⓞⓤⓡⓒⓔ (x)"),
        ("🇸🇴🇺🇷🇨🇪 [x]", "🇸🇴🇺🇷🇨🇪 (x)"),
        ("SOURCE\ufffc[x]", "SOURCE\ufffc(x)"),
        ("SOURCE\U00013441\U00013442[x]", "SOURCE\U00013441\U00013442(x)"),
        ("SOURCE\u2800[x]", "SOURCE\u2800(x)"),
        ("SOURCE\ufffd[x]", "SOURCE\ufffd(x)"),
        ("source\ufffd[x]", "source\ufffd(x)"),
        ("SOURCE&#0;[x]", "SOURCE&#0;(x)"),
        ("SOURCE&#99999999;[x]", "SOURCE&#99999999;(x)"),
        ("SOURCE &#x5ba\u0301", "SOURCE (a\u0301"),
        ("SOURCE &#x5bá", "SOURCE (á"),
        ("SOURCE &#x5b\u0301", "SOURCE (\u0301"),
        ("&tim&#101;SOURCE [x]", "&tim&#101;SOURCE (x)"),
        ("&time\u200eSOURCE [x]", "&time\u200eSOURCE (x)"),
        # One more for each order of the steps that no other order reads as a marker.
        ("SOU＆#x52\u200eCE [x]", "SOU＆#x52\u200eCE (x)"),
        ("SOU&#X52\u200eCE [x]", "SOU&#X52\u200eCE (x)"),
        ("SOU&＃x52\u200eCE [x]", "SOU&＃x52\u200eCE (x)"),
        ("SOU&#ｘ52\ufe0fCE [x]", "SOU&#ｘ52\ufe0fCE (x)"),
        ("SOURCE &#９1\u200e1x]", "SOURCE (\u200e1x)"),
        ("SOURCE ＆#x5b\u200eabba］", "SOURCE (\u200eabba)"),
        ("SOURCE &#9\u200e1²x]", "SOURCE (²x)"),
        ("SOU&#x52\u200eCE &#x5bﬀ", "SOU&#x52\u200eCE (ﬀ"),
        ("SOURCE &#x5\u200ebﬀ", "SOURCE (ﬀ"),
        ("SOU&#xﬀ32\u200eCE &#x5b²", "SOU&#xﬀ32\u200eCE (²"),
        ("SOURCE &#xﬀ3\u200eb²", "SOURCE (²"),
        ("SOURCE &#xﬀ3b²x]", "SOURCE (²x)"),
        ("SOU&#x52ＣE &#x5ḃ", "SOU&#x52ＣE ("),
        ("SOURCE &#xff3bc\u0327", "SOURCE (c\u0327"),
        ("SOURCE ＆#x5b\u200ec\u0327", "SOURCE (\u200ec\u0327"),
    ],
)
def test_a_marker_loses_both_brackets(text: str, neutral: str) -> None:
    """In every spelling that a later stage could turn into one; the word stays as it is."""
    result, count = neutralise_markers(text)
    assert result == neutral
    assert count == text.upper().count("SOURCE [SOURCE") + 1
    assert has_marker(text)
    assert neutralise_markers(result) == (result, 0)
    assert read_later(result) == []


def test_a_hidden_character_between_word_and_bracket_leaves_a_marker_behind() -> None:
    """Hygiene puts U+FFFD in its place, which no reader takes for an end of the word's line."""
    assert neutralise_markers(clean_content("SOURCE\x00[Ledger]: x")) == ("SOURCE\ufffd(Ledger): x", 1)


@pytest.mark.requirement("KB-HYG-MARKER-2")
@pytest.mark.parametrize(
    "text",
    ["resource [1]", "datasource [1]", "data_source [1]", "source[0] = x", "self.source[i][j]", "x2source [1]",
     "source (x)", "source: [x]", "sources [x]", "the source", "see [1] and [2]", "sourcé [1]", "source 「x」",
     "AT&T source & [x]", "SOURCÉ [1]", "source\u0301 [1]", "source\u0332\u0301 [1]",
     "resource\ufffd[1]", "a&shy;source[0]", "?a=1&source[0]=2", "&amp;source[0]", "é.source[0]", "²source[0]",
     "2source [1]", "Asource [1]", "&ampere [1]", "so&ampurce [1]", "S O U R C E [1]",
     "SOURCE \\[1]", "**SOURCE** [1]", "SOURCE &#x26a5b; [1]", "SOURCE &#x5aa\u0301 x", "SOURCE &#x5da x",
     "SOURCE&#1000000;[1]",
     "&unknown; [x] &#; &#x; &#99999999999;", "fish &amp; chips [1]"],
)  # fmt: skip
def test_what_is_no_marker_stays(text: str) -> None:
    """The same object comes back."""
    result, count = neutralise_markers(text)
    assert result is text
    assert count == 0
    assert not has_marker(text)


def test_only_exact_code_is_spared() -> None:
    """Lower case, ASCII, the bracket directly after the word: anything else is a marker."""
    for text in ("Source[0]", "ѕource[0]", "source\u200e[0]", "source&#91;0]", "source【0】", "sourcE[0]"):
        assert has_marker(text), text


def test_markers_of_both_readings_of_references_are_neutralised() -> None:
    """One stands there for who normalises first, the other for who unescapes first."""
    assert neutralise_markers("SOURCE &#9₁;a] SOURCE &#91²b") == ("SOURCE (a) SOURCE (²b", 2)


def test_a_number_too_long_for_a_character_names_none() -> None:
    """Nor does it cost more than reading it."""
    for text in (f"SOURCE &#{'9' * 5_000};x]", f"SOURCE &#x{'f' * 5_000};x]", "SOURCE &#99999991;x]"):
        assert neutralise_markers(text) == (text, 0)
    padded = f"SOURCE &#{'0' * 5_000}91;x]"
    assert neutralise_markers(padded) == ("SOURCE (x)", 1)


def test_many_markers_are_counted() -> None:
    """Each of them, nested ones too."""
    assert neutralise_markers("SOURCE [a] SOURCE [b] source[c] Source [d]") == (
        "SOURCE (a) SOURCE (b) source[c] Source (d)",
        3,
    )


def test_references_made_of_references_are_read_to_a_depth_of_four() -> None:
    """Deeper ones would need as many unescapings before anything came of them."""
    spelled = ["&#91;"]
    for _ in range(7):
        spelled.append(re.sub("[0-9]", lambda digit: f"&#{ord(digit[0])};", spelled[-1], count=1))
    assert [has_marker(f"SOURCE {bracket}x]") for bracket in spelled] == [True] * 4 + [False] * 4


ALPHABET = st.sampled_from(
    [*"SOURCEsource [](){}&#;x19amplt0", "SOURCE", "source", "&#91;", "&lsqb;", "&amp;", "［", "】", "ſ", "Ο", "ϲ", "🄪",
     "²", "₁", "①", "ß",
     "&shy", "&sup2", "&amp", "&#x41", "&#x5ba", "\ufffc", "\x00", "_", "x", "\u0301", "\u200e", "é", "\u00a0", "&#",
     "91", "&#x5b;", "&#38;", "＆", "ﬀ", "５", "ｂ", "３", "ç", "&time", "&#xff3b", "&#x52"]
)  # fmt: skip


@pytest.mark.requirement("KB-HYG-MARKER-3")
@given(parts=st.lists(ALPHABET, max_size=24))
def test_no_transform_brings_a_marker_back(parts: list[str]) -> None:
    """After neutralising, neither the detector nor the plain reader finds one, now or after any transforms."""
    result, _ = neutralise_markers(clean_content("".join(parts)))
    assert not has_marker(result)
    assert read_later(result) == []


@pytest.mark.requirement("KB-HYG-MARKER-3")
@given(
    before=st.lists(ALPHABET, max_size=4),
    middle=st.sampled_from(
        ["SOURCE", "ſource", "&#83;OURCE", "ＳＯＵＲＣＥ", "source", "SOU&#x52\u200eCE", "sou＆#x72\ufe0fce"]
    ),
    between=st.lists(ALPHABET, max_size=2),
    bracket=st.sampled_from(["[", "&#91;", "&#91", "&#x5b", "【", "&lsqb;", "&", "＆#９1", "&#xﬀ3b", "&#9\u200e1"]),
    after=st.lists(ALPHABET, max_size=3),
)
def test_nothing_around_a_marker_hides_it_from_the_detector(
    before: list[str], middle: str, between: list[str], bracket: str, after: list[str]
) -> None:
    """Whatever stands before the word, in the gap and after the bracket."""
    text = "".join((*before, middle, *between, bracket, *after))
    assert read_later(neutralise_markers(clean_content(text))[0]) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["SOURCE [", "[", "SOURCE [x] ", "source ", "&amp;", "&#", "]", "SOURCE []", "&#0", "S\u200e"], ids=ascii
)
def test_cost_is_linear(unit: str) -> None:
    """Sixteen times the text, about sixteen times the time."""

    def seconds(length: int) -> float:
        text = unit * (length // len(unit))
        start = time.process_time()
        neutralise_markers(text)
        return time.process_time() - start

    allowed = 48 * min(seconds(4_096) for _ in range(3)) + 0.01
    assert any(seconds(65_536) < allowed for _ in range(3))  # again only where the time before was disturbed


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("open-source [MIT]", "open-source (MIT)"),
        ("resource [1]", "resource [1]"),
        ("data_source [1]", "data_source [1]"),
        ("source[0]", "source[0]"),
    ],
)
def test_a_hyphen_ends_a_word(text: str, rendered: str) -> None:
    """The examples of the page that explains markers: what follows a hyphen is a word of its own."""
    assert neutralise_markers(text)[0] == rendered
    assert [text[start:end] for start, end, _ in marker_places(text)] == (["[", "]"] if text != rendered else [])


@pytest.mark.parametrize(
    "text",
    [
        "SOURCE [a]: b",
        "SOURCE &#91;a&rsqb;",
        "x SOURCE [a] SOURCE [[b]]",
        "\uff33\uff2f\uff35\uff32\uff23\uff25 \uff3ba\uff3d",
    ],
)
def test_places_are_those_that_are_changed(text: str) -> None:
    """Parentheses put there by hand make the same text."""
    pieces, position = [], 0
    for start, end, parenthesis in marker_places(text):
        pieces += [text[position:start], parenthesis]
        position = end
    assert "".join((*pieces, text[position:])) == neutralise_markers(text)[0] != text
    assert marker_places("nothing here") == marker_places("a [b]") == ()


SPELLED = (
    "SOURCE source S [ ] &#91 &#91; &lbrack &#x5b &#93 \uff3b \u3010 \u27e6 ( ) 1 8 a ; & amp; # \ufe0f \ufe0e "
    "\U000e0100 \u180b \u1820 \u200c \u200d \u0301 \u200b \xad \u202e \x00 \u0628 \u5203 \u20e3 \ufffd"
)


@pytest.mark.requirement("KB-HYG-IDEM-1")
@given(st.lists(st.sampled_from([*SPELLED.split(), " ", "\n"]), max_size=14).map("".join))
@settings(max_examples=400)
@example("SOURCE &#91\ufe0f1&#93\ufe0f")
def test_what_neutralising_leaves_is_clean(text: str) -> None:
    """A selector goes with what it belonged to, such as the last digit of a reference."""
    treated, _ = neutralise_markers(clean_content(text))
    assert clean_content(treated) == treated
    assert neutralise_markers(treated) == (treated, 0)


def test_a_selector_goes_with_the_bracket_it_stood_behind() -> None:
    """In the text and in the places alike."""
    text = "SOURCE &#91\ufe0f1&#93\ufe0e\ufe0f"
    assert neutralise_markers(text) == ("SOURCE (1)", 1)
    assert marker_places(text) == ((7, 12, "("), (13, 19, ")"))
