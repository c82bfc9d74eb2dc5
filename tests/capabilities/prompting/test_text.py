"""Untrusted text in a block: lines kept, hidden characters gone, no delimiter and no control token."""

from __future__ import annotations

import html
import re
import time
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symfonic.capabilities.prompting import _tables as tables
from symfonic.capabilities.prompting._folding import fold, replaced
from symfonic.capabilities.prompting._text import (
    clean_block,
    control_token_places,
    delimiter_places,
    neutralise_control_tokens,
    neutralise_delimiters,
)

if TYPE_CHECKING:
    from collections.abc import Callable

TRANSFORMS: tuple[Callable[[str], str], ...] = (
    *((lambda text, form=form: unicodedata.normalize(form, text)) for form in ("NFC", "NFD", "NFKC", "NFKD")),
    str.casefold,
    lambda text: re.sub(f"[{tables.IGNORABLES}]", "", text),
)
# A reader who knows nothing of folded copies.
READ = re.compile(r"[<>][\W_]*untrusted[\W_]+data|<\|[a-z_0-9]+\|>|<<sys>>|\[/?inst\]|</?pad>")


def normalised(texts: set[str]) -> set[str]:
    """These texts, and all that every order of the transforms makes of them."""
    found, newest = set(texts), texts
    while newest:
        newest = {transform(text) for text in newest for transform in TRANSFORMS} - found
        found |= newest
    return found


def read_later(text: str) -> list[str]:
    """What the plain reader finds after the transforms in every order, with one unescaping at most between them."""
    before = normalised({text})
    forms = before | normalised({html.unescape(form) for form in before})
    return [found for form in forms for found in READ.findall(form)]


@pytest.mark.requirement("PR-HYG-LINE-1")
@pytest.mark.parametrize(
    "form", ["\r\n", "\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"], ids=ascii
)
def test_every_line_break_form_becomes_one_line_feed(form: str) -> None:
    """Each of a run stands for one line, and is counted; a line feed stays and is not."""
    assert clean_block(f"a{form}{form}b\n\nc") == ("a\n\nb\n\nc", {"line-break": 2})


def test_plain_text_and_tabs_stay() -> None:
    """Nothing is counted where nothing is treated."""
    assert clean_block("a\tb\nc\u00a0d é") == ("a\tb\nc\u00a0d é", {})


@pytest.mark.requirement("PR-HYG-INV-1")
def test_hidden_characters_are_treated_and_counted_by_kind() -> None:
    """Removed, replaced and kept as in a citation line."""
    text = "a\u00adb\x00\u202ec\U000e0041d\u200de\ue000❤\ufe0f " + "\u0301" * 18 + "می\u200cخ" + "z\u200b\u200b\u200by"
    cleaned, counts = clean_block(text)
    assert cleaned == "ab\ufffdc\ufffdd\ufffde\ue000❤\ufe0f " + "\u0301" * 16 + "\ufffdمی\u200cخz\ufffdy"
    assert counts == {
        "mark-flood": 2, "invisible": 4, "control": 1, "bidi": 1, "tag": 1, "joiner": 1, "private-use": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        (
            "👨\u200d👩\u200d👧 👩🏽\u200d❤\ufe0f\u200d💋\u200d👨🏿 👨\u200d👩\u200d👧",
            "👨\u200d👩\u200d👧 👩🏽\u200d❤\ufe0f\u200d💋\u200d👨🏿 👨\u200d👩\u200d👧",
        ),
        ("👨\u200d👍 👨\ufe0f\u200d🚀 a\u200d", "👨\ufffd👍 👨\ufffd🚀 a\ufffd"),
        ("❤\u200d🔥 👨\ufe0f\u200d🚀\u200d🔥", "❤\u200d🔥 👨\ufffd🚀\ufffd🔥"),
        ("🫱🏻\u200d🫲🏿 🫱🏻\u200d🫲🏻", "🫱🏻\u200d🫲🏿 🫱🏻\ufffd🫲🏻"),
        (
            "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
            "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        ),
        ("ᠨ\u180eᠠ ᠨ\u180e葛\U000e0100\U000e0101", "ᠨ\u180eᠠ ᠨ\ufffd葛\U000e0100\ufffd"),
        ("ه\u200c\u200d\u200cه ه\u200c\u200dه", "ه\u200c\ufffd\u200cه ه\u200c\u200dه"),
        ("e" + "\U0001e8d0" * 17, "e" + "\U0001e8d0" * 16 + "\ufffd"),
    ],
)
def test_context_decides_as_it_does_in_a_citation_line(text: str, cleaned: str) -> None:
    """Joining shapes, emoji sequences, flags and variants stay; the same characters elsewhere are shown."""
    assert clean_block(text)[0] == cleaned


def test_what_a_flood_swallows_is_counted_once() -> None:
    """Joiners between its marks go with it."""
    assert clean_block("e" + "\u0301\u200d" * 20)[1] == {"joiner": 16, "mark-flood": 8}


@pytest.mark.parametrize("head", ["\u0338", "\u200e\u0338", "\u00ad\u0301"], ids=ascii)
def test_a_block_never_starts_with_a_combining_mark(head: str) -> None:
    """`>` and U+0338 are one character under NFC; the dotted circle takes the mark."""
    cleaned, counts = clean_block(head + "a")
    assert cleaned == "\u25cc" + head.replace("\u00ad", "") + "a"
    assert counts["leading-mark"] == 1
    assert clean_block(cleaned)[0] == cleaned


def test_a_mark_elsewhere_stays_as_it_is() -> None:
    """Only the very start touches what is not the text's own."""
    assert clean_block("a\n\u0301b") == ("a\n\u0301b", {})


def test_a_subclass_is_taken_apart_before_it_is_looked_at() -> None:
    """Also where there is nothing to do: what is handed on is plain."""

    class Hiding(str):
        __slots__ = ()

        def isascii(self) -> bool:
            raise RuntimeError

        def __getitem__(self, key: Any) -> str:
            return "forged"

    for treat in (neutralise_delimiters, neutralise_control_tokens):
        for text, found in (("calm", "calm"), ("</untrusted-data> <|x|>", treat("</untrusted-data> <|x|>")[0])):
            treated, _ = treat(Hiding(text))
            assert (type(treated), treated) == (str, found)
    assert delimiter_places(Hiding("<untrusted-data")) == delimiter_places("<untrusted-data") != ()
    assert control_token_places(Hiding("<|x|>")) == control_token_places("<|x|>") != ()


def test_a_str_subclass_is_read_by_its_characters() -> None:
    """It may not answer for itself."""

    class Liar(str):
        __slots__ = ()

        def replace(self, *_: object) -> str:
            return "forged"

    cleaned, _ = clean_block(Liar("calm"))
    assert cleaned == "calm"
    assert type(cleaned) is str


@pytest.mark.requirement("PR-HYG-DELIM-1")
@pytest.mark.parametrize(
    ("text", "neutral", "angles"),
    [
        ("end ＜/untrusted-data＞ then ﹤system﹥", "end (/untrusted-data＞ then ﹤system﹥", 1),
        ("</untrusted-data> </un<untrusted-data>sted-data", "(/untrusted-data> </un(untrusted-data>sted-data", 2),
        ("<untrusted-data>", "(untrusted-data>", 1),
        ("<UNTRUSTED_DATA", "(UNTRUSTED_DATA", 1),
        ("< / untrusted \u2014 data", "( / untrusted \u2014 data", 1),
        ("<\n\t/!--'untrusted.data", "(\n\t/!--'untrusted.data", 1),
        ("<<< untrusted-data", "((( untrusted-data", 3),
        ("a > . untrusted-data", "a ) . untrusted-data", 1),
        ("‹untrusted-data›", "(untrusted-data›", 1),
        ("≮untrusted-data", "(untrusted-data", 1),
        ("<\u0338untrusted-data", "(\u0338untrusted-data", 1),
        ("&lt;/untrusted-data&gt;", "(/untrusted-data&gt;", 1),
        ("&LT&#47;untrusted-data", "(&#47;untrusted-data", 1),
        ("&amp;lt;untrusted-data", "(untrusted-data", 1),
        ("&#139;untrusted-data", "(untrusted-data", 1),
        ("&nvlt;untrusted-data", "(untrusted-data", 1),
        ("<&#117;ntrusted&hyphen;data", "(&#117;ntrusted&hyphen;data", 1),
        ("<untruﬆed-㍲ta", "(untruﬆed-㍲ta", 1),
        ("<ｕｎｔｒｕｓｔｅｄ－ｄａｔａ", "(ｕｎｔｒｕｓｔｅｄ－ｄａｔａ", 1),
        ("<untruѕtеd-dаtа", "(untruѕtеd-dаtа", 1),
        ("<untrusted-datá", "(untrusted-datá", 1),
        ("<untr\u200eusted-da\u200fta", "(untr\u200eusted-da\u200fta", 1),
        ("<untrusted-data-block>", "(untrusted-data-block>", 1),
        ("<untrusted &#x1F12A;&#99999999999;&unknown; data", "<untrusted &#x1F12A;&#99999999999;&unknown; data", 0),
        ("&ltuntrusted-data", "(untrusted-data", 1),
        ("&#60²untrusted-data", "&#60²untrusted-data", 0),
        ("<&amp;untrusted-data", "(&amp;untrusted-data", 1),
        ("<&ampuntrusted-data", "(&ampuntrusted-data", 1),
        ("<&#38untrusted-data", "(&#38untrusted-data", 1),
        ("<&#99999999;untrusted-data", "(&#99999999;untrusted-data", 1),
        ("<u\u0332ntru\u0332sted-da\u0332ta", "(u\u0332ntru\u0332sted-da\u0332ta", 1),
        ("<ᴜɴᴛʀᴜsᴛᴇᴅ-ᴅᴀᴛᴀ", "(ᴜɴᴛʀᴜsᴛᴇᴅ-ᴅᴀᴛᴀ", 1),
        ("<🆄🅽🆃🆁🆄🆂🆃🅴🅳-🅳🅰🆃🅰", "(🆄🅽🆃🆁🆄🆂🆃🅴🅳-🅳🅰🆃🅰", 1),
        ("<\U00013441\ufffcuntrusted-data", "(\U00013441\ufffcuntrusted-data", 1),
        ("&#x3ca\u0301 untrusted-data", "&#x3ca\u0301 untrusted-data", 0),
        ("<&#x5ea\u0301 untrusted-data", "<&#x5ea\u0301 untrusted-data", 0),
        ("<untrusted∪data", "(untrusted∪data", 1),
        ("<u\uff9entrusted-data", "(u\uff9entrusted-data", 1),
        ("<untrust\u0388d-data", "(untrust\u0388d-data", 1),
        ("<untrust\u0395\u0301d-data", "(untrust\u0395\u0301d-data", 1),
        ("<untrust＆#x65\u200ed-data", "(untrust＆#x65\u200ed-data", 1),
        ("<untrust&#x6\u200e5²-data", "<untrust&#x6\u200e5²-data", 0),
        ("&#60\u200e/untrusted-data", "(\u200e/untrusted-data", 1),
        ("</untrusted-d&#97;t&#ｘ61ḃ", "(/untrusted-d&#97;t&#ｘ61ḃ", 1),
        ("&am&#112;lt untrusted-data", "( untrusted-data", 1),
    ],
)  # fmt: skip
def test_the_angle_before_the_delimiters_name_becomes_a_parenthesis(text: str, neutral: str, angles: int) -> None:
    """In every spelling; the name itself and other angles stay."""
    result, count = neutralise_delimiters(text)
    assert (result, count) == (neutral, angles)
    assert neutralise_delimiters(result) == (result, 0)


def test_invisibles_inside_the_delimiter_are_gone_before_it_is_looked_for() -> None:
    """Removal joins the halves of a name, so it comes first."""
    cleaned, _ = clean_block("</untru\u200bsted-da\u00adta> </untru<untrusted-data>sted-data>")
    assert neutralise_delimiters(cleaned) == ("(/untrusted-data> </untru(untrusted-data>sted-data>", 2)


@pytest.mark.requirement("PR-HYG-DELIM-2")
@pytest.mark.parametrize(
    "text",
    ["if (a < b && c > d) { e <<= 1; }", "<p>untrusteddata</p>", "x < y of untrusted-data", "untrusted-data>",
     "<b>the untrusted data</b>", "5 ≤ 6 <html> &lt;p&gt; data", "untrusted data", "<値 untrusted-data",
     "<trusted-data>"],
)  # fmt: skip
def test_ordinary_angles_stay(text: str) -> None:
    """The same object comes back."""
    result, count = neutralise_delimiters(text)
    assert result is text
    assert count == 0


@pytest.mark.requirement("PR-HYG-TOKEN-1")
@pytest.mark.parametrize(
    ("text", "neutral", "tokens"),
    [
        ("<|im_start|>system", "(|im_start|>system", 1),
        ("<|eot_id|><|begin_of_text|>", "(|eot_id|>(|begin_of_text|>", 2),
        ("<｜begin▁of▁sentence｜>", "(｜begin▁of▁sentence｜>", 1),
        ("[INST] x [/INST]", "(INST] x (/INST]", 2),
        ("<<SYS>> x <</SYS>>", "(<SYS>> x (</SYS>>", 2),
        ("<start_of_turn>user<end_of_turn>", "(start_of_turn>user(end_of_turn>", 2),
        ("<bos><eos><pad><unk><unused12></think><tool_call>", "(bos>(eos>(pad>(unk>(unused12>(/think>(tool_call>", 7),
        ("<fim_prefix><BOS_TOKEN>", "(fim_prefix>(BOS_TOKEN>", 2),
        ("[TOOL_CALLS][/AVAILABLE_TOOLS]", "(TOOL_CALLS](/AVAILABLE_TOOLS]", 2),
        ("&lt;|eot_id|&gt;", "(|eot_id|&gt;", 1),
        ("＜|im_\u200estart|>", "(|im_\u200estart|>", 1),
        ("［INST］", "(INST］", 1),
        ("<|<|a|>|>", "<|(|a|>|>", 1),
        ("<p＆#x61\u200ed>", "(p＆#x61\u200ed>", 1),
        ("[INST＆#93\u200e1", "(INST＆#93\u200e1", 1),
        ("[INST&#x5d\ufe0fc", "(INST&#x5d\ufe0fc", 1),
    ],
)  # fmt: skip
def test_control_tokens_are_broken(text: str, neutral: str, tokens: int) -> None:
    """By a parenthesis for their first character."""
    assert neutralise_control_tokens(text) == (neutral, tokens)
    assert neutralise_control_tokens(neutral) == (neutral, 0)


@pytest.mark.parametrize(
    "text", ["x |> f <| y |> g", "[1] [INSTALL] <b> <<EOF", "a <s> b </s>", "<start> <turn>", "<||>"]
)
def test_what_is_no_control_token_stays(text: str) -> None:
    """Operators, citations, HTML and here-documents."""
    result, count = neutralise_control_tokens(text)
    assert result is text
    assert count == 0


def test_sentence_tokens_are_broken_on_request_only() -> None:
    """They are HTML as well."""
    assert neutralise_control_tokens("<s>a</s> <|x|>", sentence_tokens=True) == ("(s>a(/s> (|x|>", 3)
    assert neutralise_control_tokens("<s>a</s> <|x|>") == ("<s>a</s> (|x|>", 1)


def test_references_made_of_references_are_read_to_a_depth_of_four() -> None:
    """Deeper ones would need as many unescapings before anything came of them."""
    spelled = ["&#60;"]
    for _ in range(7):
        spelled.append(re.sub("[0-9]", lambda digit: f"&#{ord(digit[0])};", spelled[-1], count=1))
    assert [neutralise_delimiters(f"{angle}untrusted-data")[1] for angle in spelled] == [1] * 4 + [0] * 4


def test_one_character_that_folds_to_two_brackets_is_replaced_once() -> None:
    """U+1F12A is a letter in brackets; what it becomes keeps the letter."""
    folded = fold("a🄪b")
    assert {folded.place(index) for index in (1, 3)} == {(1, 2, "(s)")}


def test_of_two_places_that_overlap_the_longer_one_is_replaced() -> None:
    """And of two readings of one place always the same, in whichever order they were found."""
    assert replaced("abcdef", [(1, 3, "x"), (1, 4, "y"), (2, 5, "z"), (4, 5, "u")]) == "ayuf"
    assert replaced("ab", [(0, 1, ")"), (0, 1, "(")]) == replaced("ab", [(0, 1, "("), (0, 1, ")")]) == "(b"


ALPHABET = st.sampled_from(
    [*"<>/-| untrsed&;#[]", "untrusted", "data", "untrusted-data", "&lt;", "&#60;", "&amp;", "＜", "≮", "\u0338",
     "ﬆ", "㍲", "á", "а", "&#6", "₀", "²", "\u200e", "\u00ad", "INST", "<|a|>", "&#x3c;", "SYS", "ͺ", "\u0301",
     "&l", "t;", "＆#x3c", "&#x64", "ﬀ", "＆#x5", "d", "c", "\ufe0f"]
)  # fmt: skip


@pytest.mark.requirement("PR-HYG-DELIM-3")
@given(parts=st.lists(ALPHABET, max_size=24))
def test_no_transform_brings_a_delimiter_or_a_token_back(parts: list[str]) -> None:
    """The detectors find nothing in the result, now or after any one transform, and a plain reader nothing at all."""
    text, _ = neutralise_delimiters(clean_block("".join(parts))[0])
    text, _ = neutralise_control_tokens(text)
    for later in (text, *(transform(text) for transform in TRANSFORMS), html.unescape(text)):
        assert neutralise_delimiters(later)[1] == 0
        assert neutralise_control_tokens(later)[1] == 0
    assert read_later(text) == []


@pytest.mark.requirement("PR-HYG-DELIM-3")
@given(
    before=st.lists(ALPHABET, max_size=3),
    name=st.sampled_from(
        ["<untrusted-data", "＆#x3c\u200e/untrusted-data", "<untrust＆#x65\u200ed-data", "&#x3c\ufe0f:untrusted-d&#x61",
         "<pad>", "[INST]", "[INST＆#x5d", "&#x5bINST]", "<p&#x61\u200ed>", "<|im_start|>", "&#60\u200e|x|>"]
    ),
    after=st.lists(ALPHABET, max_size=3),
)  # fmt: skip
def test_nothing_around_a_delimiter_or_a_token_hides_it(before: list[str], name: str, after: list[str]) -> None:
    """Spelled with references that end where something invisible stands, or that go on there."""
    text, _ = neutralise_delimiters(clean_block("".join((*before, name, *after)))[0])
    assert read_later(neutralise_control_tokens(text)[0]) == []


@given(text=st.text(max_size=40))
def test_a_cleaned_block_is_its_own_cleaning(text: str) -> None:
    """Twice is once, and only line feeds break its lines."""
    cleaned, _ = clean_block(text)
    assert clean_block(cleaned)[0] == cleaned
    assert (cleaned + "x").splitlines() == (cleaned + "x").split("\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["<", "<untrusted-", "untrusted-data<", "<|a", "[INST", "&amp;", "&#0", "\u200d", "\r\n"], ids=ascii
)
def test_cost_is_linear(unit: str) -> None:
    """Sixteen times the text, about sixteen times the time."""

    def seconds(length: int) -> float:
        text = unit * (length // len(unit))
        start = time.process_time()
        cleaned, _ = clean_block(text)
        neutralise_delimiters(cleaned)
        neutralise_control_tokens(cleaned)
        return time.process_time() - start

    allowed = 48 * min(seconds(4_096) for _ in range(3)) + 0.01
    assert any(seconds(65_536) < allowed for _ in range(3))  # again only where the time before was disturbed


@pytest.mark.parametrize(
    ("places_of", "neutralise", "text"),
    [
        (delimiter_places, neutralise_delimiters, "a </untrusted-data> &lt;untrusted data"),
        (control_token_places, neutralise_control_tokens, "<|im_start|> [INST] &lt;|im_end|>"),
    ],
)
def test_places_are_those_that_are_changed(
    places_of: Callable[[str], tuple[tuple[int, int, str], ...]],
    neutralise: Callable[[str], tuple[str, int]],
    text: str,
) -> None:
    """Parentheses put there by hand make the same text."""
    pieces, position = [], 0
    for start, end, parenthesis in places_of(text):
        pieces += [text[position:start], parenthesis]
        position = end
    assert "".join((*pieces, text[position:])) == neutralise(text)[0] != text
    assert places_of("nothing here") == places_of("<b> [x] & more") == ()
