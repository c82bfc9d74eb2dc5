"""Citation markers inside content: what is one, what is none, and that none comes back."""

from __future__ import annotations

import html
import re
import time
import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symfonic.capabilities.knowledge import _tables as tables
from symfonic.capabilities.knowledge._markers import has_marker, neutralise_markers
from symfonic.capabilities.knowledge._text import clean_content

if TYPE_CHECKING:
    from collections.abc import Callable

TRANSFORMS: tuple[Callable[[str], str], ...] = (
    *((lambda text, form=form: unicodedata.normalize(form, text)) for form in ("NFC", "NFD", "NFKC", "NFKD")),
    str.casefold,
    lambda text: re.sub(f"[{tables.IGNORABLES}]", "", text),
    html.unescape,
)


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
    ],
)
def test_a_marker_loses_both_brackets(text: str, neutral: str) -> None:
    """In every spelling that a later stage could turn into one; the word stays as it is."""
    result, count = neutralise_markers(text)
    assert result == neutral
    assert count == text.upper().count("SOURCE [SOURCE") + 1
    assert has_marker(text)
    assert not has_marker(result)
    assert neutralise_markers(result) == (result, 0)


@pytest.mark.requirement("KB-HYG-MARKER-2")
@pytest.mark.parametrize(
    "text",
    ["resource [1]", "datasource [1]", "data_source [1]", "source[0] = x", "self.source[i][j]", "x2source [1]",
     "source (x)", "source: [x]", "sources [x]", "the source", "see [1] and [2]", "sourcé [1]", "source 「x」",
     "AT&T source & [x]", "&unknown; [x] &#; &#x; &#99999999999;", "fish &amp; chips [1]"],
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
     "²", "₁", "\u0301", "\u200e", "é", "\u00a0", "&#", "91", "&#x5b;", "&#38;", "＆"]
)  # fmt: skip


@pytest.mark.requirement("KB-HYG-MARKER-3")
@given(parts=st.lists(ALPHABET, max_size=24))
def test_no_transform_brings_a_marker_back(parts: list[str]) -> None:
    """After neutralising, the detector finds nothing, now or after any one transform."""
    result, _ = neutralise_markers(clean_content("".join(parts)))
    assert not has_marker(result)
    for transform in TRANSFORMS:
        assert not has_marker(transform(result))


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

    small, large = (min(seconds(length) for _ in range(3)) for length in (4_096, 65_536))
    assert large < 48 * small + 0.01
