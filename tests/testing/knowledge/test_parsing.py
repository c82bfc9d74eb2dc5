"""The independent parser: strict about lines, wary about markers."""

from __future__ import annotations

import pytest

from symfonic.testing.knowledge import LineFormatError, ParsedLine, find_inline_markers, parse_lines


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
    ],
)
def test_everything_else_is_refused(bad: str) -> None:
    """A reader would be unsure, so the parser is sure that it is wrong."""
    with pytest.raises(LineFormatError):
        parse_lines(bad)


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
    ],
)
def test_markers_are_found_in_every_disguise_a_later_step_would_lift(text: str) -> None:
    """Entities, width forms, other brackets, any case."""
    assert len(find_inline_markers(text)) == 1


@pytest.mark.parametrize(
    "text", ["resource [1]", "source[0]", "the source (1)", "SOURCE: x", "outsource [x]", "[1] source"]
)
def test_ordinary_text_holds_no_marker(text: str) -> None:
    """Code and prose about sources stay what they are."""
    assert find_inline_markers(text) == ()
