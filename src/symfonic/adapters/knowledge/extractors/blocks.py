"""Paragraphs, list items and rows of tables put together to lines, in the form that all formats share.

Rules of this module: pure, standard library only; it knows no format. Blocks stand apart by a blank line, items of a
list and rows of a table below each other. Everything written is mended (line feeds only, signs for controls) and
counted: a document may be smaller than the text it unfolds into.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.extractors.characters import WHITE_SPACE
from symfonic.adapters.knowledge.extractors.outline import Heading, heading_text, sections_of
from symfonic.adapters.knowledge.ports import ExtractionError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from symfonic.adapters.knowledge.ports import Section

__all__ = ["MAX_CHARS", "Blocks", "mended", "number_text", "one_line", "row_of"]

MAX_CHARS: Final = 50_000_000
"""Characters one document may unfold into."""

_BREAKS: Final = re.compile("\r\n?|[\v\f\u2028\u2029]")
# Controls, halves of surrogate pairs and what is no character: nothing of it has a meaning as text.
_CONTROLS: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_GAPS: Final = re.compile(r"[ \t\n]+")
# What keeps a cell from being one line as it is; most are.
_UNEVEN: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]|  ")
_MAX_DEPTH: Final = 8
_LONGEST_WHOLE: Final = 1e17  # a number of a card or an account is whole, however long


def mended(text: str) -> str:
    """``text`` with line feeds as its only line breaks, and U+FFFD for what has no meaning as text."""
    return _CONTROLS.sub("\ufffd", _BREAKS.sub("\n", text))


def one_line(text: str) -> str:
    """``text`` mended, with a space for what breaks or aligns lines, and nothing around it."""
    return _GAPS.sub(" ", mended(text)).strip(WHITE_SPACE)


def number_text(number: float) -> str:
    """A number as people write it: in digits, without what binary fractions add in the sixteenth place."""
    if float(number).is_integer() and abs(number) < _LONGEST_WHOLE:
        return str(int(number))
    return f"{number:.15g}"


def row_of(cells: Iterable[str]) -> str:
    """One row of a table, ``| cell | cell |``; empty where every cell is. Cells are one line each."""
    line = "".join(f"| {cell} " if cell else "| " for cell in cells)
    return f"{line}|" if line.strip("| ") else ""


class Blocks:
    """A text that grows block by block.

    Args:
        name: The file's name, for messages only.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lines: list[str] = []
        self._headings: list[Heading] = []
        self._last = ""
        self._chars = 0

    def paragraph(self, text: str, *, level: int | None = None) -> None:
        """Add a paragraph, or the heading of what follows where ``level`` is given (0 stands above all others)."""
        text = mended(text).strip(WHITE_SPACE)
        if text:
            self._part_from("paragraph")
            if level is not None:
                self._headings.append(Heading(len(self._lines), level, heading_text(text)))
            self._write(text)

    def item(self, text: str, *, marker: str, depth: int = 0) -> None:
        """Add an item of a list; depth 0 is the outermost."""
        text = mended(text).strip(WHITE_SPACE)
        if text:
            self._part_from("item")
            self._write("  " * max(0, min(depth, _MAX_DEPTH)) + one_line(marker) + " " + text)

    def row(self, cells: Iterable[str]) -> None:
        """Add a row to the table that is being written; one that is empty is left out."""
        texts = list(cells)
        if _UNEVEN.search("|".join(texts)):
            texts = [one_line(text) for text in texts]
        line = row_of(text.strip(WHITE_SPACE) for text in texts)
        if line:
            self._part_from("row")
            self._write(line)

    def part(self) -> None:
        """End a list or a table: what follows is another."""
        self._last = "parted"

    def leave_headings(self) -> None:
        """Let what follows stand below no heading."""
        self.part()
        if self._lines:
            self._part_from("")
        self._headings.append(Heading(len(self._lines), 0, ""))

    def sections(self) -> tuple[Section, ...]:
        """Everything written, cut at the headings."""
        return sections_of(self._lines, self._headings)

    def take(self) -> str:
        """Everything written since the last call, as one text; the count of characters goes on."""
        text = "".join(self._lines)
        self._lines.clear()
        self._headings.clear()
        self._last = ""
        return text

    def _part_from(self, kind: str) -> None:
        if self._lines and self._lines[-1] != "\n" and (self._last != kind or kind == "paragraph"):
            self._lines.append("\n")
        self._last = kind

    def _write(self, text: str) -> None:
        self._chars += len(text) + 1
        if self._chars > MAX_CHARS:
            message = f"{self._name} holds more than {MAX_CHARS:,} characters, so nothing of it is used; split it."
            raise ExtractionError(message, code="limit", limit="characters")
        self._lines += [f"{line}\n" for line in text.split("\n")]
