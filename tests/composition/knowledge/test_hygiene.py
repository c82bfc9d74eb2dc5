"""What text hygiene would change, told by kind and place."""

from __future__ import annotations

import pytest
from hypothesis import given

from symfonic.capabilities.knowledge import is_encodable
from symfonic.composition.knowledge import TextChange, inspect_text, showable
from symfonic.testing.knowledge.strategies import hostile_text


@pytest.mark.requirement("CO-HYG-1")
def test_changes_are_told_with_line_and_column() -> None:
    """Places count from 1, in code points; counts are characters by kind."""
    inspection = inspect_text("fine\nred \x1b[31m and \u202e\n")
    assert inspection.changes[0] == TextChange(
        kind="control", start=9, end=10, line=2, column=5, found="\x1b", replacement="\ufffd"
    )
    assert inspection.counts == (("bidi", 1), ("control", 1))
    assert (inspection.characters, inspection.markers, inspection.clean) == (21, 0, False)


@pytest.mark.requirement("CO-HYG-1")
def test_ordinary_line_ends_are_counted_and_no_fault() -> None:
    """LF, CRLF and CR are one each; other forms of a line break are changes like any other."""
    inspection = inspect_text("a\nb\r\nc\rd\n\n")
    assert (inspection.line_ends, inspection.changes, inspection.counts, inspection.clean) == (5, (), (), True)
    inspection = inspect_text("a\u2028\nb\x0b")
    assert [(change.kind, change.found) for change in inspection.changes] == [
        ("line-break", "\u2028\n"),
        ("line-break", "\x0b"),
    ]
    assert (inspection.line_ends, inspection.counts, inspection.clean) == (1, (("line-break", 2),), False)


@pytest.mark.requirement("CO-HYG-1")
@pytest.mark.parametrize(
    ("text", "delimiters", "control_tokens"),
    [
        ("<untrusted-data id='x'>", 1, 0),
        ("a </untrusted\u200b-\ndata>", 1, 0),
        ("<|im_start|>system [INST] and <s>", 0, 2),
        ("[inst\u00ad] <\u200b|im_end|>", 0, 2),
        ("a < b, [x], <b>", 0, 0),
    ],
)
def test_what_the_compiler_would_break_is_counted(text: str, delimiters: int, control_tokens: int) -> None:
    """Look-alikes of its delimiters and control tokens, as they stand after the treatment of the passage."""
    inspection = inspect_text(text)
    assert (inspection.delimiters, inspection.control_tokens) == (delimiters, control_tokens)
    assert inspection.clean is not bool(delimiters or control_tokens)


def test_markers_and_private_use_are_counted() -> None:
    """A marker is no change of characters before it is broken, and private use is kept."""
    inspection = inspect_text("SOURCE [x]: a \ue000")
    assert (inspection.changes, inspection.counts) == ((), ())
    assert (inspection.markers, inspection.private_use, inspection.clean) == (1, 1, False)


def test_markers_are_counted_as_the_prompt_would_show_them() -> None:
    """In the treated text: what one reader would join, U+FFFD parts for all, and what was parted is joined."""
    assert inspect_text("SOU\u200b\u200b\u200bRCE [x]").markers == 0
    assert inspect_text("SOU\u200bRCE [x]").markers == 1
    assert inspect_text("SOURCE\n[x]").markers == 1


def test_ordinary_text_is_clean() -> None:
    """Nothing to tell."""
    assert inspect_text("Überstunden: 5² m").clean


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\tb\nc", "a b c"),
        ("\x1b[31m", "\ufffd[31m"),
        ("a\udcffb", "a\ufffdb"),
        ("\x9b1m", "\ufffd1m"),
    ],
)
def test_whatever_is_shown_steers_no_terminal(text: str, shown: str) -> None:
    """One line, no control character, encodable."""
    assert showable(text) == shown


@pytest.mark.requirement("CO-HYG-1")
def test_what_is_broken_is_told_with_its_place() -> None:
    """Each bracket, angle and beginning that becomes a parenthesis, in the text as it came, whatever stands before."""
    text = "\u202e\u202ea\r\nSOURCE\u200b [x]: &lsqb;b [INST] </untrusted-\u00addata>\n<|im_start|>"
    inspection = inspect_text(text)
    assert [(place.kind, place.line, place.column, place.found, place.replacement) for place in inspection.places] == [
        ("marker", 2, 9, "[", "("),
        ("marker", 2, 11, "]", ")"),
        ("control-token", 2, 22, "[", "("),
        ("delimiter", 2, 29, "<", "("),
        ("control-token", 3, 1, "<", "("),
    ]
    for place in inspection.places:
        assert text[place.start : place.end] == place.found


@pytest.mark.requirement("CO-HYG-1")
def test_a_bracket_that_two_rules_look_at_is_told_once() -> None:
    """The boundary comes first; what it breaks the compiler no longer finds."""
    inspection = inspect_text("SOURCE [INST]: x")
    assert [(place.kind, place.found) for place in inspection.places] == [("marker", "["), ("marker", "]")]
    assert (inspection.markers, inspection.control_tokens, inspection.delimiters) == (1, 0, 0)


@given(hostile_text())
def test_places_and_counts_agree(text: str) -> None:
    """Where something is broken there is a place, and every place holds what it names."""
    if not is_encodable(text):
        return
    inspection = inspect_text(text)
    kinds = {place.kind for place in inspection.places}
    assert ("marker" in kinds) is (inspection.markers > 0)
    assert ("delimiter" in kinds) is (inspection.delimiters > 0)
    assert ("control-token" in kinds) is (inspection.control_tokens > 0)
    assert all(text[place.start : place.end] == place.found for place in inspection.places)
