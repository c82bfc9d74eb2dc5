"""What text hygiene would change, told by kind and place."""

from __future__ import annotations

import pytest

from symfonic.composition.knowledge import TextChange, inspect_text, showable


@pytest.mark.requirement("CO-HYG-1")
def test_changes_are_told_with_line_and_column() -> None:
    """Places count from 1, in code points; counts are characters by kind."""
    inspection = inspect_text("fine\nred \x1b[31m and \u202e\n")
    assert inspection.changes[1] == TextChange(
        kind="control", start=9, end=10, line=2, column=5, found="\x1b", replacement="\ufffd"
    )
    assert dict(inspection.counts) == {"bidi": 1, "control": 1, "line-break": 2}
    assert (inspection.characters, inspection.markers, inspection.clean) == (21, 0, False)


def test_markers_and_private_use_are_counted() -> None:
    """A marker is no change of characters before it is broken, and private use is kept."""
    inspection = inspect_text("SOURCE [x]: a \ue000")
    assert (inspection.changes, inspection.counts) == ((), ())
    assert (inspection.markers, inspection.private_use, inspection.clean) == (1, 1, False)


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
