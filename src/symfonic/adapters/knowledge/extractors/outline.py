"""Lines and the headings found between them, made into sections.

Rules of this module: pure, standard library only. It knows how headings nest, not how any format writes them; what it
returns holds every line it was given, in order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.extractors.characters import WHITE_SPACE
from symfonic.adapters.knowledge.ports import Section

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["MAX_HEADING_CHARS", "Heading", "heading_text", "one_line", "sections_of"]

MAX_HEADING_CHARS: Final = 160
"""Longest heading kept as such, in characters; a longer one is shortened in labels and paths, never in the text."""

# White space and control characters: a heading is one line of a label.
_GAPS: Final = re.compile(rf"[{WHITE_SPACE}\x00-\x1f\x7f-\x9f]+")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading and the line it begins at.

    Attributes:
        line: Zero-based number of its first line.
        level: 1 is the top.
        title: Its words.
    """

    line: int
    level: int
    title: str


def one_line(raw: str) -> str:
    """Return ``raw`` with every run of white space and control characters as one space, and none at its ends."""
    return _GAPS.sub(" ", raw).strip(" ")


def heading_text(raw: str) -> str:
    """Return ``raw`` as one line of at most :data:`MAX_HEADING_CHARS` characters."""
    title = one_line(raw)
    return title if len(title) <= MAX_HEADING_CHARS else title[: MAX_HEADING_CHARS - 1].rstrip(" ") + "…"


def sections_of(lines: Sequence[str], headings: Iterable[Heading], *, title: str = "") -> tuple[Section, ...]:
    """Cut ``lines`` (with their line ends) before every heading.

    Args:
        lines: All lines of the text.
        headings: In text order.
        title: Heading above all others; empty for none.
    """
    sections: list[Section] = []
    path: list[tuple[int, str]] = [(0, title)] if title else []
    start = 0
    for heading in headings:
        _add(sections, lines[start : heading.line], path)
        while path and path[-1][0] >= heading.level:
            path.pop()
        path.append((heading.level, heading_text(heading.title)))
        start = heading.line
    _add(sections, lines[start:], path)
    return tuple(sections)


def _add(sections: list[Section], lines: Sequence[str], path: Sequence[tuple[int, str]]) -> None:
    text = "".join(lines)
    if text:
        sections.append(Section(text=text, headings=tuple(title for _, title in path if title)))
