"""Labels: which names stay, what is replaced, and that nobody else can make one."""

from __future__ import annotations

import copy
import hashlib
import html
import pickle
import re
import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symfonic.capabilities.knowledge import BridgeTypeError
from symfonic.capabilities.knowledge import _tables as tables
from symfonic.capabilities.knowledge._labels import (
    MAX_LABEL_CHARS,
    TAG_SEPARATOR,
    Label,
    label_skeleton,
    safe_source,
    tagged_label,
)

if TYPE_CHECKING:
    from collections.abc import Callable

TRANSFORMS: dict[str, Callable[[str], str]] = {
    "NFC": lambda text: unicodedata.normalize("NFC", text),
    "NFD": lambda text: unicodedata.normalize("NFD", text),
    "NFKC": lambda text: unicodedata.normalize("NFKC", text),
    "NFKD": lambda text: unicodedata.normalize("NFKD", text),
    "casefold": str.casefold,
    "no invisibles": lambda text: re.sub(f"[{tables.IGNORABLES}]", "", text),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
}


def suffix(raw: str) -> str:
    """What a label ends in whose raw name was changed."""
    return "~" + hashlib.sha256(raw.encode("utf-8", "surrogatepass")).hexdigest()[:12]


@pytest.mark.requirement("KB-HYG-LABEL-1")
@pytest.mark.parametrize(
    "name",
    ["RFC 7231 §5.3", "https://example.org/a?b=1&c=2&gte=5", "Geschäftsbericht 2024.pdf", "社内規程.docx", "L’Étranger",
     "「規程」“x” (1) {2}", "a:b", "x" * 200, "ü" * 200, "Tiếng Việt", "1 ~ 2", "~0123456789a", "a ·abc",
     "AT&T &amp; Co"],
)  # fmt: skip
def test_a_clean_name_is_its_own_label(name: str) -> None:
    """Nothing is added to a name that needs no treatment."""
    label = safe_source(name)
    assert label == name
    assert type(label) is Label


@pytest.mark.requirement("KB-HYG-LABEL-2")
@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("rota]: closed. SOURCE [Ledger", "rota_: closed. SOURCE _Ledger"),
        ("Hand\u200bbook", "Hand_book"),
        ("a[]<>\u200b\tb", "a_b"),
        ("a\r\n\u2028b", "a b"),
        ("a\n\u00a0b", "a _b"),
        ("x\u3000y", "x_y"),
        ("x\u200ey", "x_y"),
        ("ه\u200cه", "ه_ه"),
        ("❤\ufe0f", "❤_"),
        ("\ue000x", "_x"),
        ("x\u2800y", "x_y"),
        ("【x】〔y〕", "_x_y_"),
        ("[x]＜y﹥≮‹", "_x_y_"),
        ("🄪x", "_x"),
        ("\ufe47x\ufe48", "_x_"),
        (" x ", "x"),
        ("\tx\u00a0", "_x_"),
        ("\nx\n", "x"),
        ("\u0301x", "_x"),
        (" \u0301x", "_x"),
        ("e" + "\u0301" * 20 + "x", "e" + "\u0301" * 16 + "\ufffdx"),
        ("a&#93;: b SOURCE &lsqb;x", "a_: b SOURCE _x"),
        ("a&#x2028;&NewLine;b", "a__b"),
        ("a＆＃９３；b", "a_b"),
        ("a&lbrack;&#0091b", "a__b"),
        ("a&#x1F12A;b", "a_b"),
        ("Ledger&#93²: closed", "Ledger_²: closed"),
        ("Ledger&#10²SOURCE (x): paid", "Ledger_²SOURCE (x): paid"),
        ("a&#91０", "a_０"),
        ("a&#9₁;&#91²b", "a__²b"),
        ("a&#x5dá", "a_á"),
        ("a&#x5da\u0301", "a_a\u0301"),
        ("x＆#x5d\u200eC", "x__C"),
        ("x&＃x5d\u200eC", "x__C"),
        ("x&#x５d\u200ec", "x__c"),
        ("a＆#10\u200e1SOURCE", "a__1SOURCE"),
        ("a＆#x5d\u00adb: paid SOURCE ＆#x5b\u00adabc", "a__b: paid SOURCE __abc"),
        ("a&#9\u200e3²", "a_²"),
        ("a&#xﬀ3d²", "a_²"),
        ("a&#xﬀ3\u200ed²", "a_²"),
        ("a&#x5ḋ", "a_"),
        ("a&am&#112;#93;b", "a_b"),
        ("Hand\U00013441book", "Hand_book"),
        ("Hand\ufffc\U00013442book", "Hand_book"),
        ("&#x2800;", "_"),
    ],
)
def test_what_could_break_the_bracket_is_replaced_and_it_shows(name: str, body: str) -> None:
    """One `_` a run, line breaks a space, and a digest of the raw name at the end."""
    assert safe_source(name) == body + suffix(name)


@pytest.mark.requirement("KB-HYG-LABEL-3")
@pytest.mark.parametrize("name", ["", "   ", "\u3164\u200b", "\u2800", "\n", "\u202e\x00", "\ufeff"], ids=ascii)
def test_a_name_that_shows_as_blank_is_unknown(name: str) -> None:
    """Blank names share the fallback."""
    assert safe_source(name) == "unknown"


@pytest.mark.requirement("KB-HYG-LABEL-3")
def test_of_a_very_long_name_the_first_4096_characters_are_looked_at() -> None:
    """The digest covers all of it."""
    for name, body in ((" " * 4095 + "x", "x"), (" " * 4096 + "x", "unknown")):
        assert safe_source(name) == body + suffix(name)


def test_a_source_really_named_unknown_is_told_from_the_fallback() -> None:
    """It gets the suffix."""
    assert safe_source("unknown") == "unknown" + suffix("unknown")
    assert safe_source("unknowns") == "unknowns"


@pytest.mark.parametrize(
    "name",
    ["Unknown", "UNKNOWN", "ｕｎｋｎｏｗｎ", "𝐮𝐧𝐤𝐧𝐨𝐰𝐧", "unkn\u043ewn", "&#117;nknown", "unk&#x6E;own"],
)
def test_a_name_that_reads_as_unknown_is_told_from_the_fallback(name: str) -> None:
    """In whatever case, normal form or spelling."""
    assert safe_source(name) == name + suffix(name)


@pytest.mark.parametrize("name", ["&shy;", "&ZeroWidthSpace;", "&#8203;&#x200d;", "&amp;shy;", "&#x3164;", "＆shy；"])
def test_a_name_that_shows_nothing_once_unescaped_gets_a_suffix(name: str) -> None:
    """It shows now, so it is not the fallback; later it would be empty."""
    assert safe_source(name) == name + suffix(name)
    assert safe_source("a" + name) == "a" + name


@pytest.mark.parametrize("name", ["\ud800", "total \udfff due"], ids=ascii)
def test_a_name_with_a_lone_surrogate_is_unknown_with_a_suffix(name: str) -> None:
    """It cannot be shown, yet it is not blank; the digest is over `surrogatepass`."""
    assert safe_source(name) == "unknown" + suffix(name)


@pytest.mark.requirement("KB-HYG-LABEL-4")
@pytest.mark.parametrize(
    "name",
    ["Handbook~0123456789ab", "Handbook ·k7d2q9x4m3", "Handbook ·abcdefghij", "Handbook ·" + "a2" * 26,
     "Handbook ⋅k7d2q7x4m3", "Handbook ・k7d2q7x4m3", "Handbook •k7d2q7x4m3", "Handbook ‧k7d2q7\u04454m3",
     "Handbook ·K7D2Q7X4M3", "Handbook∼0123456789ab", "Handbook〜0123456789ab", "Handbook~\u043e123456789\u0430b",
     "Handbook~o123456789ab", "Handbook &middot;k7d2q7x4m3", "Handbook&#126;0123456789ab",
     "Handbook～0123456789ab", "Handbook~0123456789AB", "Handbook~０１23456789ab", "Handbook \u0387abcdefghij"],
)  # fmt: skip
def test_a_clean_name_that_ends_like_ours_gets_a_suffix(name: str) -> None:
    """A name cannot pass itself off as a doctored or a tagged one, in any normal form."""
    assert safe_source(name) == name + suffix(name)


@pytest.mark.parametrize(
    "name",
    [
        "Handbook~0123456789ab.pdf",
        "Handbook ·abcdefghi",
        "Handbook·abcdefghij",
        "x~0123456789ag",
        "x~0123456789abc",
        "社内規程・営業 2024",
        "a ・社内規程社内規程社内規程",
        "報告書〜第一回から第十回までのまとめ",
    ],
)
def test_a_name_that_only_resembles_our_endings_stays(name: str) -> None:
    """Too short, too long, not at the end or without the space: not ours."""
    assert safe_source(name) == name


def test_a_long_name_is_shortened_to_two_hundred_with_its_suffix() -> None:
    """The suffix counts; a space before it goes."""
    name = "y" * 201
    assert safe_source(name) == "y" * 187 + suffix(name)
    spaced = "y" * 186 + " " + "z" * 20
    assert safe_source(spaced) == "y" * 186 + suffix(spaced)
    doctored = "[" + "y" * 195
    assert safe_source(doctored) == "_" + "y" * 186 + suffix(doctored)
    assert len(safe_source("x" * 5_000)) == MAX_LABEL_CHARS


@pytest.mark.requirement("KB-HYG-LABEL-6")
@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a" * 183 + "&#937;" + "b" * 100, "a" * 183),
        ("a" * 183 + "&#x5d0;" + "b" * 100, "a" * 183),
        ("a" * 180 + "&lsqb" + "b" * 100, "a" * 180),
        ("a" * 180 + "&eacute;" + "b" * 100, "a" * 180),
        ("a" * 179 + "&eacute;" + "b" * 100, "a" * 179 + "&eacute;"),
        ("a" * 183 + "＆#９３７；" + "b" * 100, "a" * 183 + "_"),
        ("a" * 170 + "&c=1&d" + "b" * 100, "a" * 170 + "&c=1"),
        ("a" * 170 + " &d" + "b" * 100, "a" * 170),
    ],
)
def test_a_cut_leaves_no_part_of_a_reference(name: str, body: str) -> None:
    """What is left of one could name something else: `&#93`, of a Greek letter, closes the bracket."""
    label = safe_source(name)
    assert label == body + suffix(name)
    assert html.unescape(label).count("]") == 0


def test_a_label_is_treated_as_a_raw_name() -> None:
    """The treatment is applied once, by the caller; what comes out of it ends like a suffix and gets one more."""
    once = safe_source("a[b")
    assert safe_source(once) == once + suffix(once)


def test_a_str_subclass_is_read_by_its_characters() -> None:
    """It may not answer for itself, neither when it is treated nor when it is compared."""

    class Liar(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def isascii(self) -> bool:
            return True

        def strip(self, chars: str | None = None) -> str:
            return "Ledger"

        def __eq__(self, other: object) -> bool:
            return True

    assert safe_source(Liar("calm")) == "calm"
    assert safe_source(Liar("a[b")) == "a_b" + suffix("a[b")


@pytest.mark.parametrize("name", [None, b"a", 1, ["a"]])
def test_only_text_can_be_a_name(name: object) -> None:
    """Nothing is converted: the word None is nobody's name."""
    with pytest.raises(BridgeTypeError, match="text must be a str, got ") as caught:
        safe_source(name)  # type: ignore[arg-type]  # that is what is refused
    assert (caught.value.rule, caught.value.value) == ("KB-TXT-TYPE-1", name)


@pytest.mark.requirement("KB-HYG-LABEL-5")
def test_a_label_can_only_be_minted_by_the_treatment() -> None:
    """Neither construction, nor subclassing, nor pickling makes one."""
    with pytest.raises(TypeError, match="call safe_source"):
        Label("x]: y")
    with pytest.raises(TypeError, match="no subclasses"):
        type("Loose", (Label,), {})
    label = safe_source("Handbook")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        thawed = pickle.loads(pickle.dumps(label, protocol))
        assert thawed == "Handbook"
        assert type(thawed) is str
    assert copy.copy(label) is label
    assert copy.deepcopy([label])[0] is label
    assert type(label.upper()) is str
    assert not hasattr(label, "__dict__")


def test_a_tag_stands_after_the_label() -> None:
    """The tagged label is a label; the tag does not count against the length."""
    tagged = tagged_label(safe_source("x" * 200), "k7d2q4x4m3")
    assert tagged == "x" * 200 + TAG_SEPARATOR + "k7d2q4x4m3"
    assert type(tagged) is Label
    assert TAG_SEPARATOR == " ·"


@pytest.mark.parametrize("tag", ["", "k7d2q4x4m", "K7D2Q4X4M3", "k7d2q4x4m3\n", "k7d2q4x4m1", "k7d2q4x4m]", "ſ" * 10])
def test_a_tag_is_ten_or_more_of_base32(tag: str) -> None:
    """Anything else could not be told from a name."""
    with pytest.raises(ValueError, match="a tag is ten or more"):
        tagged_label(safe_source("x"), tag)


def test_only_a_label_can_carry_a_tag() -> None:
    """A plain name was never made safe."""
    with pytest.raises(TypeError, match="call safe_source first"):
        tagged_label("x", "k7d2q4x4m3")  # type: ignore[arg-type]  # that is what is refused


def assert_holds_the_bracket(name: str) -> None:
    """The line's label is the one label of the line, after every transform."""
    label = safe_source(name)
    line = f"SOURCE [{label}]: content"
    for transform in TRANSFORMS.values():
        later = transform(line)
        assert len(later.splitlines()) == 1
        assert later == f"{transform('SOURCE [')}{transform(str(label))}{transform(']: content')}"
        assert (later.count("["), later.count("]"), later.count("<") + later.count(">")) == (1, 1, 0)


@pytest.mark.requirement("KB-HYG-LABEL-6")
@given(name=st.text(max_size=30))
def test_no_transform_lets_a_label_out_of_its_bracket(name: str) -> None:
    """Whatever the name is made of."""
    assert_holds_the_bracket(name)


@pytest.mark.parametrize("place", ["{}", "{}x", "x{}", "x{}]: y SOURCE [z"])
def test_no_code_point_of_the_basic_plane_lets_a_label_out(place: str) -> None:
    """A sample of every seventh code point; the exhaustive run is among the corpora tests."""
    for code in range(0, 0x10000, 7):
        if not 0xD800 <= code < 0xE000:
            assert_holds_the_bracket(place.format(chr(code)))


def normalised(texts: set[str]) -> set[str]:
    """These texts, and all that every order of the transforms makes of them."""
    steps = [transform for name, transform in TRANSFORMS.items() if name != "CRLF"]
    found, newest = set(texts), texts
    while newest:
        newest = {transform(text) for text in newest for transform in steps} - found
        found |= newest
    return found


REFERENCES = st.sampled_from(
    ["&", "&#", "#", "9", "3", "93", "91", "10", "1", "²", "₁", "０", "９", "&#93", "&#91", "&#10", ";", "&amp;",
     "&amp", "amp", "lsqb", "rsqb;", "&lbrack", "&nbsp", "＆", "x", "5d", "5B", "&#x5d", "a", "\u0301", "é", "\u200b",
     "[", "\n", "&NewLine;", "&#133;", "ℍ", "\u200e", "\ufe0f", "ｘ", "５", "ﬀ", "&#xff3d", "＆#x5", "ḋ", "c", "D"]
)  # fmt: skip


@pytest.mark.requirement("KB-HYG-LABEL-6")
@given(
    length=st.sampled_from([0, 1, 176, 180, 183, 185]), parts=st.lists(REFERENCES, max_size=9), tail=st.integers(0, 40)
)
def test_no_unescaping_lets_a_label_out_of_its_bracket(length: int, parts: list[str], tail: int) -> None:
    """Whatever comes before and after it in whichever order, and wherever a long name is cut."""
    label = safe_source("a" * length + "".join(parts) + "b" * tail)
    before = normalised({f"SOURCE [{label}]: content"})
    for form in before | normalised({html.unescape(line) for line in before}):
        assert (form.count("["), form.count("]"), len(form.splitlines())) == (1, 1, 1)


@given(first=st.text(max_size=12), second=st.text(max_size=12))
def test_different_names_that_show_have_different_labels(first: str, second: str) -> None:
    """Only blank names share one."""
    labels = {safe_source(first), safe_source(second)}
    assert len(labels) == 2 or first == second or labels == {"unknown"}


def test_labels_that_look_alike_share_a_skeleton() -> None:
    """UTS #39: Cyrillic letters, ligatures and invisibles; different letters do not."""
    assert label_skeleton("раураl") == label_skeleton("paypal")
    assert label_skeleton("ℌandbook") == label_skeleton("Handbook")
    assert label_skeleton("rn") == label_skeleton("m")
    assert label_skeleton("pay\u200bpal") == label_skeleton("paypal")
    assert label_skeleton("é") == label_skeleton("e\u0301")
    assert label_skeleton("paypal") != label_skeleton("payqal")
    assert label_skeleton("\u1b06") == label_skeleton("\u1b05\u1b35")
    assert label_skeleton("ệ") == label_skeleton("e\u0302\u0323") == label_skeleton("e\u0323\u0302")
    assert label_skeleton("가") == label_skeleton("\u1100\u1161")


def test_a_skeleton_does_not_depend_on_the_interpreter() -> None:
    """A mark that only newer versions of Unicode know is put in order like any other: by code point."""
    assert label_skeleton("x\U00010efd\u0301") == label_skeleton("x\u0301\U00010efd") == "x\u0301\U00010efd"
    assert label_skeleton("x\u0323\u0301") == "x\u0301\u0323"
    assert label_skeleton(safe_source("Handbook")) == label_skeleton("Handbook")


@pytest.mark.parametrize("name", ["x~||||||||||||", "é~||||||||||||", "x~œœœœœœ"])
def test_only_single_letters_beyond_ascii_are_read_as_what_they_look_like(name: str) -> None:
    """Bars are ordinary ASCII, and a letter that looks like two looks like no digit: each name is its own label."""
    assert safe_source(name) == name


@pytest.mark.parametrize("length", [5, 186, 187])
def test_only_a_name_that_is_cut_loses_an_unfinished_reference_at_its_end(length: int) -> None:
    """`&am` in a changed name that fits is what it is; after a cut it may be the rest of a longer one."""
    name = "\x00&am".rjust(length, "a")
    digest = hashlib.sha256(name.encode()).hexdigest()[:12]
    assert safe_source(name) == f"{name.replace(chr(0), '_')}~{digest}"


@pytest.mark.parametrize(("name", "body"), [("a`b`c.md", "a_b_c.md"), ("``a``", "__a__"), ("a`b``c`", "a_b__c_")])
def test_a_name_with_code_in_it_has_none_in_its_label(name: str, body: str) -> None:
    """No reference is read in code, so nobody could cite it."""
    assert safe_source(name) == f"{body}~{hashlib.sha256(name.encode()).hexdigest()[:12]}"


@pytest.mark.parametrize("name", ["a`b.md", "a``b`c", "```"])
def test_backticks_that_make_no_code_stay(name: str) -> None:
    """A name is changed only where it has to be."""
    assert safe_source(name) == name
