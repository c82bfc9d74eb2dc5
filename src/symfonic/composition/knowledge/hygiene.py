"""What happens to the text of a document on its way into a prompt, told change by change.

Rules of this module: the public door to the text hygiene of both sides, the boundary's and the compiler's. It changes
nothing anywhere; whoever wonders why a passage looks different in a prompt asks here.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from symfonic.capabilities.knowledge import (
    clean_content,
    inspect_content,
    is_encodable,
    marker_places,
    neutralise_markers,
)
from symfonic.capabilities.prompting import (
    control_token_places,
    delimiter_places,
    neutralise_control_tokens,
    neutralise_delimiters,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from symfonic.capabilities.knowledge import Change, Inspection

_PRIVATE_USE: Final = "private-use"
_LINE_BREAK: Final = "line-break"
_FINDERS: Final = (
    ("marker", marker_places),
    ("delimiter", delimiter_places),
    ("control-token", control_token_places),
)
"""In the order of the way into a prompt: what the boundary breaks, the compiler does not find."""

_LINE_ENDS: Final = "\r\n"
_LINE_END: Final = re.compile(r"\r\n?|\n")

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
        changes: Every change but that of ordinary line ends, in order of place.
        counts: ``(kind, characters)`` that would be treated, without ordinary line ends, sorted by kind.
        line_ends: Ordinary line ends (LF, CRLF, CR). A passage is one line, so they become spaces in it; every text
            has them, and they are no fault.
        private_use: Private-use characters, which are kept: what they show depends on the font.
        markers: Imitations of a citation marker that would be broken visibly.
        delimiters: Angles before a look-alike of the prompt's delimiter, which would become parentheses.
        control_tokens: Control tokens of chat templates that would be broken visibly.
        places: Where that would happen, in order of place: each bracket of a ``marker``, angle of a ``delimiter`` and
            beginning of a ``control-token`` that would become a parenthesis.
    """

    characters: int
    changes: tuple[TextChange, ...]
    counts: tuple[tuple[str, int], ...]
    line_ends: int
    private_use: int
    markers: int
    delimiters: int
    control_tokens: int
    places: tuple[TextChange, ...]

    @property
    def clean(self) -> bool:
        """Whether the text would come through as it is, its line ends aside."""
        return not (self.changes or self.markers or self.delimiters or self.control_tokens)


def inspect_text(text: str) -> TextInspection:
    """Tell what text hygiene would change in ``text``, by kind and place, and what it would break visibly."""
    inspection = inspect_content(text)
    counts = dict(inspection.counts)
    private_use = counts.pop(_PRIVATE_USE, 0)
    counts[_LINE_BREAK] = counts.get(_LINE_BREAK, 0) - sum(map(text.count, _LINE_ENDS))
    # In the order of the way into a prompt: a passage is cleaned, then its markers are broken, then the compiler comes.
    passage, markers = neutralise_markers(inspection.text)
    starts = _starts(text)
    return TextInspection(
        characters=len(text),
        changes=tuple(_placed(text, starts, inspection.changes)),
        counts=tuple(sorted((kind, count) for kind, count in counts.items() if count)),
        line_ends=sum(1 for _ in _LINE_END.finditer(text)),
        private_use=private_use,
        markers=markers,
        delimiters=neutralise_delimiters(passage)[1],
        control_tokens=neutralise_control_tokens(passage)[1],
        places=tuple(_broken(text, starts, inspection)),
    )


def _starts(text: str) -> list[int]:
    """Where each line begins."""
    return [0, *(place + 1 for place, character in enumerate(text) if character == "\n")]


def _placed(text: str, starts: Sequence[int], changes: Sequence[Change]) -> Iterator[TextChange]:
    """Each change with its line and column; runs of ordinary line ends are passed over."""
    for change in changes:
        if change.kind != _LINE_BREAK or text[change.start : change.end].strip(_LINE_ENDS):
            yield _change(text, starts, str(change.kind), (change.start, change.end), change.replacement)


def _broken(text: str, starts: Sequence[int], inspection: Inspection) -> Iterator[TextChange]:
    """Each place that would become a parenthesis; a bracket that two rules look at belongs to the first."""
    raw_span = _way_back(inspection.changes)
    kinds: dict[tuple[int, int, str], str] = {}
    for kind, find in _FINDERS:
        for place in find(inspection.text):
            kinds.setdefault(place, kind)
    for (start, end, replacement), kind in sorted(kinds.items()):
        yield _change(text, starts, kind, raw_span((start, end)), replacement)


def _way_back(changes: Sequence[Change]) -> Callable[[tuple[int, int]], tuple[int, int]]:
    """From a span of the treated text to the span of the text before it."""
    ends = [0]  # where each replacement ends in the treated text, and what it replaced ends in the text before
    sources = [0]
    for change in changes:
        ends.append(ends[-1] + change.start - sources[-1] + len(change.replacement))
        sources.append(change.end)

    def raw(place: int) -> int:
        at = bisect_right(ends, place) - 1
        return sources[at] + place - ends[at]

    return lambda span: (raw(span[0]), raw(span[1] - 1) + 1)


def _change(text: str, starts: Sequence[int], kind: str, span: tuple[int, int], replacement: str) -> TextChange:
    start, end = span
    line = bisect_right(starts, start)
    return TextChange(
        kind=kind,
        start=start,
        end=end,
        line=line,
        column=start - starts[line - 1] + 1,
        found=text[start:end],
        replacement=replacement,
    )


def showable(text: str) -> str:
    """``text`` as one line that is safe to show: the content treatment, without tabs and lone surrogates."""
    if not is_encodable(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return clean_content(text).replace("\t", " ")
