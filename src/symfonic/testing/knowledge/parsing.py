"""A strict parser of rendered citation lines that shares no code with the renderer.

Rules of this module: it knows the *published form* of a line and nothing of how lines are made. It accepts exactly what
a careful reader of a prompt would, and raises for everything else, so that a test can say: these rows came in, and
these rows, no more and no fewer, are what a reader sees.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

__all__ = ["LineFormatError", "ParsedLine", "find_inline_markers", "parse_lines"]

_LINE_BREAKS: Final = re.compile("[\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
_OPENERS: Final = "[［【〔〖〘〚⁅⟦⦋⦍⦏❲⟬⦗⸢⸤⸨⌈⌊﹇﹝"
_TAG: Final = re.compile(r" ·(?P<tag>[a-z2-7]{10,52})\Z")
_MARKER: Final = re.compile(rf"(?<![^\W_])(?P<word>source)(?P<gap>\s*)(?P<bracket>[{re.escape(_OPENERS)}])")


class LineFormatError(ValueError):
    """A text is not a sequence of citation lines; the message says which line and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedLine:
    """One citation line as a reader sees it.

    Attributes:
        label: What stands in the brackets, without the keyed tag.
        tag: The keyed tag, where the label carries one.
        content: Everything after the colon and its space.
    """

    label: str
    tag: str | None
    content: str


def parse_lines(text: str, *, keyword: str = "SOURCE") -> tuple[ParsedLine, ...]:
    """Read rendered lines strictly.

    Args:
        text: Lines joined by line feeds; the empty text has none.
        keyword: The word before the bracket; after a case folding of the whole text it is ``source``.

    Raises:
        LineFormatError: A line has another form, an empty label, a second bracket in its label, or the text holds any
            line break other than the line feeds between lines.
    """
    if not text:
        return ()
    return tuple(_parse_line(line, number, keyword) for number, line in enumerate(text.split("\n"), 1))


def _parse_line(line: str, number: int, keyword: str) -> ParsedLine:
    if _LINE_BREAKS.search(line):
        raise LineFormatError(f"line {number} holds another line break: {line!a}")
    prefix = f"{keyword} ["
    if not line.startswith(prefix):
        raise LineFormatError(f"line {number} does not start with {prefix!r}: {line!a}")
    label, closing, content = line[len(prefix) :].partition("]")
    if not closing or not content.startswith(": "):
        raise LineFormatError(f"line {number} does not close its label with ']: ': {line!a}")
    if not label.strip() or "[" in label:
        raise LineFormatError(f"line {number} has an empty label or a second bracket in it: {line!a}")
    tagged = _TAG.search(label)
    return ParsedLine(
        label=label[: tagged.start()] if tagged else label,
        tag=tagged["tag"] if tagged else None,
        content=content[2:],
    )


def find_inline_markers(content: str) -> tuple[str, ...]:
    """Whatever a reader or a later tool could take for a citation marker inside ``content``.

    The text is looked at after one unescaping of HTML entities, NFKC and case folding. Lower-case ``source[`` without a
    space is code, not a marker, as long as the text itself spells it so.
    """
    folded = unicodedata.normalize("NFKC", html.unescape(content)).casefold()
    code = content.count("source[")
    found = [match.group() for match in _MARKER.finditer(folded)]
    plain = [marker for marker in found if marker == "source["]
    return tuple(marker for marker in found if marker != "source[") + tuple(plain[code:])
