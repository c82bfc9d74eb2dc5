"""What happens to the text of a document on its way into a prompt, told change by change.

Rules of this module: the public door to the boundary's text hygiene. It changes nothing anywhere; whoever wonders why a
passage looks different in a prompt asks here.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Final

from symfonic.capabilities.knowledge import clean_content, inspect_content, is_encodable, neutralise_markers

_PRIVATE_USE: Final = "private-use"

__all__ = ["TextChange", "TextInspection", "inspect_text", "showable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextChange:
    """One stretch of the text that would be treated.

    Attributes:
        kind: Which rule of the hygiene table, as a stable word.
        start: Where it begins, in code points from 0.
        end: Where it ends.
        line: Its line, from 1.
        column: Its column, in code points from 1.
        found: What stands there; raw.
        replacement: What would stand there instead.
    """

    kind: str
    start: int
    end: int
    line: int
    column: int
    found: str = field(repr=False)
    replacement: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextInspection:
    """All that text hygiene would do to a text.

    Attributes:
        characters: Length of the text, in code points.
        changes: Every change, in order of place.
        counts: ``(kind, characters)`` that would be treated, sorted by kind.
        private_use: Private-use characters, which are kept: what they show depends on the font.
        markers: Imitations of a citation marker that would be broken visibly.
    """

    characters: int
    changes: tuple[TextChange, ...]
    counts: tuple[tuple[str, int], ...]
    private_use: int
    markers: int

    @property
    def clean(self) -> bool:
        """Whether the text would come through as it is."""
        return not self.changes and not self.markers


def inspect_text(text: str) -> TextInspection:
    """Tell what text hygiene would change in ``text``, by kind and place. Line breaks count: a passage is one line."""
    inspection = inspect_content(text)
    starts = [0, *(place + 1 for place, character in enumerate(text) if character == "\n")]
    changes: list[TextChange] = []
    for change in inspection.changes:
        line = bisect_right(starts, change.start)
        changes.append(
            TextChange(
                kind=str(change.kind),
                start=change.start,
                end=change.end,
                line=line,
                column=change.start - starts[line - 1] + 1,
                found=text[change.start : change.end],
                replacement=change.replacement,
            )
        )
    return TextInspection(
        characters=len(text),
        changes=tuple(changes),
        counts=tuple((kind, count) for kind, count in inspection.counts if kind != _PRIVATE_USE),
        private_use=dict(inspection.counts).get(_PRIVATE_USE, 0),
        markers=neutralise_markers(clean_content(text))[1],
    )


def showable(text: str) -> str:
    """``text`` as one line that is safe to show: the content treatment, without tabs and lone surrogates."""
    if not is_encodable(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return clean_content(text).replace("\t", " ")
