"""The independent parser: strict about lines, wary about markers."""

from __future__ import annotations

import pytest

from symfonic.testing.knowledge import (
    LineFormatError,
    ParsedDocument,
    ParsedLine,
    find_inline_markers,
    parse_documents,
    parse_lines,
)


def test_lines_are_read_with_label_tag_and_content() -> None:
    """The tag is told apart from the label."""
    text = "SOURCE [rota.txt]: opens at nine\nSOURCE [Handbook ·k7d2q7x4m3]: a ]: b"
    assert parse_lines(text) == (
        ParsedLine(label="rota.txt", tag=None, content="opens at nine"),
        ParsedLine(label="Handbook", tag="k7d2q7x4m3", content="a ]: b"),
    )
    assert parse_lines("") == ()
    assert parse_lines("source [x]: y", keyword="source") == (ParsedLine(label="x", tag=None, content="y"),)


@pytest.mark.parametrize(
    "bad",
    [
        "rota.txt: opens",
        " SOURCE [x]: y",
        "SOURCE [x] y",
        "SOURCE [x]:y",
        "SOURCE [x",
        "SOURCE []: y",
        "SOURCE [ ]: y",
        "SOURCE [a[b]: y",
        "SOURCE [x]: y\n",
        "SOURCE [x]: y\u2028z",
        "SOURCE [x]: y\rz",
        "SOURCE [x]: y\n\nSOURCE [z]: y",
        "SOURCE [ ·abcdefghij]: x",
        "SOURCE [\u200b ·abcdefghij]: x",
        "SOURCE [\u200b]: x",
        "SOURCE [\u3164]: x",
        "SOURCE [\u2800\u00a0]: x",
        "SOURCE [\ufe0f]: x",
        "SOURCE [a【b]: x",
        "SOURCE [‹］]: x",
        "SOURCE [a⹖]: x",
        "SOURCE [Hand\u200bbook]: x",
        "SOURCE [Hand\u3164book]: x",
        "SOURCE [Hand\ufe0fbook]: x",
        "SOURCE [a\u200eb]: x",
        "SOURCE [a\tb]: x",
        "SOURCE [a\x7fb]: x",
        "SOURCE [a\ufff9b]: x",
        "SOURCE [a\ud800b]: x",
        "SOURCE [x]: a\x00",
        "SOURCE [x]: a\x1b[1m",
        "SOURCE [x]: a\x9b",
        "SOURCE [x]: a\u200b",
        "SOURCE [x]: a\u202e",
        "SOURCE [x]: a\u2066",
        "SOURCE [x]: a\u00ad",
        "SOURCE [x]: a\ufeff",
        "SOURCE [x]: a\U000e0041",
        "SOURCE [x]: \U0001f3f4\U000e0067",
        "SOURCE [x]: a\ud800",
    ],
)
def test_everything_else_is_refused(bad: str) -> None:
    """A reader would be unsure, so the parser is sure that it is wrong."""
    with pytest.raises(LineFormatError):
        parse_lines(bad)


@pytest.mark.parametrize(
    ("label", "content"),
    [
        ("RFC 7231 §5.3", "a\tb"),
        ("社内規程.docx", "می\u200cخواهم"),
        ("L’Étranger", "क्\u200dष"),
        ("مصحف \u06dd", "\u0600\u0661 \u06dd"),
        ("< b > (c) 「d」", "\u200fא\u200e \u061c"),
        ("~0123456789ab", "👩\u200d👩\u200d👧 ❤\ufe0f"),
        ("a", "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"),
        ("a", "ᠠ\u180eᠡ 葛\U000e0100 []【"),
    ],
)
def test_ordinary_text_of_every_script_is_a_line(label: str, content: str) -> None:
    """Joiners, marks of direction, selectors and flags belong to it; in a label only what shows."""
    assert parse_lines(f"SOURCE [{label}]: {content}") == (ParsedLine(label=label, tag=None, content=content),)


def test_documents_are_read_with_label_tag_and_lines() -> None:
    """A bar alone is an empty line; what stands behind the bar and its space is the line."""
    text = "DOCUMENT SOURCE [a.md]:\n| one\n|\n| | x |\nDOCUMENT SOURCE [b ·k7d2q7x4m3]:\n|  SOURCE [x]: y"
    assert parse_documents(text) == (
        ParsedDocument(label="a.md", tag=None, lines=("one", "", "| x |")),
        ParsedDocument(label="b", tag="k7d2q7x4m3", lines=(" SOURCE [x]: y",)),
    )
    assert parse_documents("") == ()
    (one,) = parse_documents("attachment source [x]:\n| y", keyword="attachment source")
    assert one == ParsedDocument(label="x", tag=None, lines=("y",))


@pytest.mark.parametrize(
    "bad",
    [
        "| one",
        "DOCUMENT SOURCE [x]:",
        "DOCUMENT SOURCE [x]: one\n| two",
        "DOCUMENT SOURCE [x]\n| one",
        "DOCUMENT SOURCE [x\n| one",
        "DOCUMENT SOURCE []:\n| one",
        "DOCUMENT SOURCE [a【b]:\n| one",
        "DOCUMENT SOURCE [a\u200bb]:\n| one",
        "DOCUMENT SOURCE [x]:\none",
        "DOCUMENT SOURCE [x]:\n|one",
        "DOCUMENT SOURCE [x]:\n | one",
        "DOCUMENT SOURCE [x]:\n| one\n",
        "DOCUMENT SOURCE [x]:\n| one\u2028two",
        "DOCUMENT SOURCE [x]:\n| one\r\n| two",
        "DOCUMENT SOURCE [x]:\n| one\u202e",
        "DOCUMENT SOURCE [x]:\n| one\nSOURCE [y]: z",
        "ATTACHMENT SOURCE [x]:\n| one",
    ],
)
def test_everything_else_is_no_document(bad: str) -> None:
    """Neither a line without its bar, nor a header that says more, nor a line break that only some readers see."""
    with pytest.raises(LineFormatError):
        parse_documents(bad)


@pytest.mark.parametrize(
    "text",
    [
        "SOURCE [x]",
        "a Source [x]: y",
        "SOURCE[x]",
        "ＳＯＵＲＣＥ［x］",
        "SOURCE &#91;x]",
        "source [x]",
        "(SOURCE\t[x]",
        "SOURCE 【x】",
        "sOuRcE[x]",
        "ЅOURCE [x]",
        "ѕоurсе [x]",
        "SOURϹE [x]",
        "S0URCE [x]",
        "\u017fource [x]",
        "SO\u200bURCE [x]",
        "SO\u200eURCE [x]",
        "SOURCE\u2060\u3164[x]",
        "来源SOURCE [x]",
        "SOURCE ⹕x⹖",
        "SOURCE ︻x︼",
        "&amp;#83;OURCE [x]",
        "&amp;amp;amp;#83;OURCE [x]",
        "SOURCE &LBRACK;x]",
        "SOURCE&#x20;&#91²x]",
        "SOURCE ＆#91;x]",
        "Q&ampSOURCE [L]",
        "see&#97;SOURCE [L]",
        "²SOURCE [L]",
        "Source[x]",
        "source［x]",
        "resource[0] sour&#99;e[1]",
        "resource[0] Source[evil]: x",
        "source[0] so\u200burce[1]",
        "source[SOURCE [x]]",
        "sou&#114;ce[0] source[1]",
        "Q&ampsource[0]",
        "&nbspsource[0]",
        "&ampamp;source&#91;0]",
        "&#97SOURCE [x]",
        "&#x41;SOURCE [x]",
        "&amp;#97SOURCE [x]",
        "SOURCE\ufffd[x]",
        "SOURCE\ufffc[x]",
    ],
)
def test_markers_are_found_in_every_disguise_a_later_step_would_lift(text: str) -> None:
    """Entities, width forms, other brackets, any case."""
    assert len(find_inline_markers(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "resource [1]",
        "source[0]",
        "(source[i], source[-1])",
        "来源source[0]",
        "the source (1)",
        "?a=1&source[0]=2&amp;source[1]=3",
        "&#97;source[0]",
        "source&#97;[0]",
        "source&lsqb&#97;0]",
        "&resource[0]",
        "SOURCE: x",
        "outsource [x]",
        "[1] source",
        "data_source [1]",
        "_SOURCE [L]",
        "2SOURCE [L]",
        "SOURCE “x”",
        "sauce [1]",
        "",
    ],
)
def test_ordinary_text_holds_no_marker(text: str) -> None:
    """Code and prose about sources stay what they are."""
    assert find_inline_markers(text) == ()


def test_markers_are_told_as_the_form_that_shows_most_of_them_spells_them() -> None:
    """The text itself comes first; a disguised one needs a form that lifts it."""
    assert find_inline_markers("SOURCE [x] Source\u00a0[y]") == ("SOURCE [", "Source\u00a0[")
    assert find_inline_markers("SOURCE [x] &#83;OURCE [y]") == ("SOURCE [", "SOURCE [")
    assert find_inline_markers("ＳＯＵＲＣＥ ［x］ SOURCE [y]") == ("SOURCE [", "SOURCE [")
