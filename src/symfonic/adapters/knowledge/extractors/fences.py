"""Fenced code blocks of Markdown, line by line.

Rules of this module: pure, standard library only, constant work for each line. Both the Markdown extractor (a ``#``
inside a fence is no heading) and chunking (a fence is not cut) stand on it. Follows CommonMark 0.31 section 4.5, with
fences inside block quotes and list items.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import Final

from symfonic.adapters.knowledge.extractors.characters import WHITE_SPACE

__all__ = ["FenceLine", "FenceScanner"]

_QUOTE: Final = re.compile(r"[ \t]{0,3}+(?:>[ \t]?)++")
_OPENING: Final = re.compile(
    r"(?P<lead>[ \t]*+(?:(?P<item>[-*+]|[0-9]{1,9}[.)])[ \t]++)?+)(?P<fence>`{3,}|~{3,})(?P<info>.*)"
)
_FENCE_CHARACTERS: Final = ("`", "~")


class FenceLine(Enum):
    """What one line is to the fences around it."""

    OUTSIDE = auto()
    OPENS = auto()
    INSIDE = auto()
    CLOSES = auto()


class FenceScanner:
    """Tells, line after line, whether code begins, goes on or ends."""

    __slots__ = ("_fence", "_floor", "_quoted")

    def __init__(self) -> None:
        self._fence = ""
        self._floor = 0
        self._quoted = False

    def feed(self, line: str) -> FenceLine:
        """Classify the next line, given without its line end."""
        quote = _QUOTE.match(line)
        bare = line[quote.end() :] if quote else line
        if self._fence and self._goes_on(bare, quoted=quote is not None):
            if not self._is_closing(bare):
                return FenceLine.INSIDE
            self._fence = ""
            return FenceLine.CLOSES
        return self._opening(bare, quoted=quote is not None)

    def _opening(self, bare: str, *, quoted: bool) -> FenceLine:
        self._fence = ""
        found = _OPENING.match(bare)
        if not found or (found["fence"][0] == "`" and "`" in found["info"]):
            return FenceLine.OUTSIDE
        self._fence = found["fence"]
        self._quoted = quoted
        # The code ends with the list item that holds it: before the first line indented less than the item's text.
        lead = len(found["lead"].expandtabs(4))
        self._floor = lead if found["item"] else max(0, lead - 3)
        return FenceLine.OPENS

    def _goes_on(self, bare: str, *, quoted: bool) -> bool:
        if self._quoted and not quoted:
            return False
        return not bare.strip(WHITE_SPACE) or not self._floor or _indent(bare) >= self._floor

    def _is_closing(self, bare: str) -> bool:
        stripped = bare.strip(WHITE_SPACE)
        long_enough = len(stripped) >= len(self._fence)
        return long_enough and stripped.startswith(_FENCE_CHARACTERS) and not stripped.strip(self._fence[0])


def _indent(line: str) -> int:
    lead = line[: len(line) - len(line.lstrip(" \t"))]
    return len(lead.expandtabs(4))
