"""What must not be cut: code, table rows, list items, paragraphs.

Rules of this module: pure, one pass over the lines, constant work for each. It finds blocks; how large a passage may be
is not its business. The blocks of a text, joined, are the text. Quantifiers that meet are possessive: what one of them
has taken is not offered to the next again, so that no line takes more than linear time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from symfonic.adapters.knowledge.extractors.characters import WHITE_SPACE
from symfonic.adapters.knowledge.extractors.fences import FenceLine, FenceScanner

__all__ = ["Block", "BlockKind", "blocks", "lines_of"]


class BlockKind(StrEnum):
    """What a block is, hence where it may be divided."""

    PROSE = "prose"  # between sentences
    ITEM = "item"  # not at all; a nested item is an item of its own
    ROW = "row"  # not at all
    CODE = "code"  # not at all


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of text with the blank lines after it."""

    kind: BlockKind
    text: str


def blocks(text: str, kind: str, *, items: bool = True) -> list[Block]:
    """Cut ``text`` into blocks.

    Args:
        text: A section's text.
        kind: The format, as in ``Extraction.kind``. All have list items. ``text`` and ``pdf`` have nothing else,
            ``rst`` has literal blocks and its own tables. All others have fences and pipe tables; in ``eml``, which a
            person may have typed, a row of tildes is a rule and an indented paragraph no code.
        items: Whether list items are kept whole.
    """
    if kind == "rst":
        reader: _Reader = _RstReader(items=items)
    elif kind in _PLAIN:
        reader = _Reader(items=items)
    else:
        typed = kind in _TYPED
        reader = _Reader(items=items, markdown=not typed, rows=True, fences=("```",) if typed else ("```", "~~~"))
    for line in lines_of(text):
        reader.feed(line)
    return reader.finish()


_PLAIN: Final = frozenset({"text", "pdf"})
_TYPED: Final = frozenset({"eml"})
_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")


def lines_of(text: str) -> list[str]:
    """Lines with their ends; only line feeds end a line."""
    return _LINE.findall(text)


_ITEM: Final = re.compile(
    r"[ \t]*+(?:[-*+•◦▪‣–]|(?:[0-9]{1,9}|[a-zA-Z#]|[ivxIVX]{1,5})[.)]|\([0-9A-Za-z]{1,3}\))[ \t]++"
    rf"(?=[^{WHITE_SPACE}])"
)
_NUMBERED: Final = re.compile(r"[ \t]*+\(?[0-9A-Za-z]")
_FIRST: Final = re.compile(r"[ \t]*+\(?[1aAiI#][.)]")
_DELIMITER_ROW: Final = re.compile(r"[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?\Z")
_INDENTED_CODE: Final = 3


class _Reader:
    """Markdown, and with fewer rules plain text and PDF."""

    def __init__(
        self, *, items: bool, markdown: bool = False, rows: bool = False, fences: tuple[str, ...] = ()
    ) -> None:
        self._items = items
        self._markdown = markdown
        self._rows = rows
        self._fence_marks = fences
        self._fences = FenceScanner()
        self._fenced = False
        self._blocks: list[Block] = []
        self._kind: BlockKind | None = None
        self._lines: list[str] = []
        self._indent = 0  # of the open item
        self._after_blank = True
        self._literal = -1  # lines indented more than this are code as they stand; -1: none
        self._table = False

    def finish(self) -> list[Block]:
        self._start(None)
        return self._blocks

    def feed(self, line: str) -> None:
        bare = line.rstrip(WHITE_SPACE)
        fence = self._fence_line(bare) if self._fence_marks else FenceLine.OUTSIDE
        if fence is not FenceLine.OUTSIDE:
            self._feed_fence(line, fence)
        elif not bare:
            self._lines.append(line)
        elif not self._takes_literal(line):
            self._feed_text(line, bare)
        self._after_blank = not bare

    def _fence_line(self, bare: str) -> FenceLine:
        if not self._fenced and self._fence_marks[0] not in bare and self._fence_marks[-1] not in bare:
            return FenceLine.OUTSIDE  # as nearly every line is
        fence = self._fences.feed(bare)
        self._fenced = fence is FenceLine.OPENS or fence is FenceLine.INSIDE
        return fence

    def _start(self, kind: BlockKind | None, line: str = "") -> None:
        if self._lines:
            self._blocks.append(Block(self._kind or BlockKind.PROSE, "".join(self._lines)))
        self._kind = kind
        self._lines = [line] if line else []
        self._table = self._table and kind is BlockKind.ROW

    def _feed_fence(self, line: str, fence: FenceLine) -> None:
        self._literal = -1
        if fence is not FenceLine.OPENS or self._continues_item(line):
            self._lines.append(line)
        elif self._items and _ITEM.match(line):
            self._start_item(line)
        else:
            self._start(BlockKind.CODE, line)
        if fence is FenceLine.CLOSES and self._kind is BlockKind.CODE:
            self._start(None)

    def _takes_literal(self, line: str) -> bool:
        """Lines of an indented code block."""
        if self._literal < 0 and self._begins_literal(line):
            self._start(BlockKind.CODE)
        if self._literal >= 0 and _indent(line) > self._literal:
            self._lines.append(line)
            return True
        self._literal = -1
        return False

    def _begins_literal(self, line: str) -> bool:
        begins = self._markdown and self._after_blank and self._kind is not BlockKind.ITEM
        if begins and _indent(line) > _INDENTED_CODE:
            self._literal = _INDENTED_CODE
            return True
        return False

    def _feed_text(self, line: str, bare: str) -> None:
        if self._items and self._is_item(line):
            self._start_item(line)
        elif self._is_row(bare):
            self._feed_row(line, bare)
        elif self._continues_item(line) or (self._kind is BlockKind.PROSE and not self._after_blank):
            self._lines.append(line)
        else:
            self._start(BlockKind.PROSE, line)

    def _start_item(self, line: str) -> None:
        self._start(BlockKind.ITEM, line)
        self._indent = _indent(line)

    def _is_item(self, line: str) -> bool:
        if not _ITEM.match(line):
            return False
        if self._after_blank or self._kind is BlockKind.ITEM or self._kind is None:
            return True
        # Inside a paragraph a number or a dash may just have come to stand at the head of a line.
        return self._markdown and (not _NUMBERED.match(line) or _FIRST.match(line) is not None)

    def _continues_item(self, line: str) -> bool:
        return self._kind is BlockKind.ITEM and (not self._after_blank or _indent(line) > self._indent)

    def _is_row(self, bare: str) -> bool:
        if not self._rows or "|" not in bare:
            return False
        return bare.lstrip(WHITE_SPACE).startswith("|") or (self._table and not self._after_blank) or self._heads(bare)

    def _heads(self, bare: str) -> bool:
        """Whether ``bare`` is the row of dashes under a table's first row."""
        return len(self._lines) == 1 and "|" in self._lines[0] and _DELIMITER_ROW.match(bare) is not None

    def _feed_row(self, line: str, bare: str) -> None:
        if self._heads(bare) and not self._after_blank:
            self._lines.append(line)
            self._kind = BlockKind.ROW
            self._table = True
        else:
            self._start(BlockKind.ROW, line)


_CODE_DIRECTIVE: Final = re.compile(
    r"[ \t]*+\.\. (?:code|code-block|sourcecode|parsed-literal|literalinclude|math|table|csv-table|list-table|"
    r"doctest|testcode|testoutput|prompt|raw)::"
)
_EXPLICIT: Final = re.compile(r"[ \t]*+\.\.(?:[ \t]|$)")
_GRID_BORDER: Final = re.compile(r"[ \t]*+\+[-=][-=+]*+(?<=\+)\Z")
_SIMPLE_BORDER: Final = re.compile(r"[ \t]*+=++(?:[ \t]++=++)++\Z")


class _RstReader(_Reader):
    """reStructuredText: literal blocks, code directives, grid and simple tables."""

    def __init__(self, *, items: bool) -> None:
        super().__init__(items=items)
        self._promised = -1  # indent of a paragraph that ended in "::"
        self._simple_borders = 0
        self._row_is_full = False

    def _takes_literal(self, line: str) -> bool:
        """Lines of a literal block or of a directive that holds code."""
        if self._literal >= 0 and _indent(line) > self._literal:
            self._lines.append(line)
        elif self._promised >= 0 and self._after_blank and _indent(line) > self._promised:
            self._begin_code(line, self._promised)
        elif _CODE_DIRECTIVE.match(line):
            self._begin_code(line, _indent(line))
        else:
            self._literal = -1
            return False
        return True

    def _begin_code(self, line: str, indent: int) -> None:
        self._literal, self._promised = indent, -1
        if self._continues_item(line):
            self._lines.append(line)  # code inside a list item stays with it
        else:
            self._start(BlockKind.CODE, line)

    def _feed_text(self, line: str, bare: str) -> None:
        if self._feed_table(line, bare):
            return
        super()._feed_text(line, bare)
        self._promised = _indent(line) if bare.endswith("::") and not _EXPLICIT.match(line) else -1

    def _feed_table(self, line: str, bare: str) -> bool:
        if _GRID_BORDER.match(bare):
            self._simple_borders = 0  # whatever came before, this is another table
            self._feed_grid_border(line)
            return True
        if self._kind is BlockKind.ROW and not self._simple_borders and bare.lstrip(WHITE_SPACE).startswith("|"):
            self._start(BlockKind.ROW, line) if self._row_is_full else self._lines.append(line)
            self._row_is_full = False
            return True
        return self._feed_simple_table(line, bare)

    def _feed_grid_border(self, line: str) -> None:
        if self._kind is BlockKind.ROW and not self._row_is_full and not self._after_blank:
            self._lines.append(line)
            self._row_is_full = True
        else:
            self._start(BlockKind.ROW, line)
            self._row_is_full = False

    def _feed_simple_table(self, line: str, bare: str) -> bool:
        # The second border closes the head or, with a blank line after it, the table.
        if self._simple_borders >= 2 and self._after_blank and self._ends_in_border():
            self._simple_borders = 0
        if _SIMPLE_BORDER.match(bare):
            self._simple_borders += 1
            if self._simple_borders == 1:
                self._start(BlockKind.ROW, line)
            else:
                self._lines.append(line)
            return True
        if not self._simple_borders:
            return False
        if line[0] in " \t" or self._only_border():
            self._lines.append(line)
        else:
            self._start(BlockKind.ROW, line)
        return True

    def _ends_in_border(self) -> bool:
        return any(_SIMPLE_BORDER.match(line.rstrip(WHITE_SPACE)) for line in self._lines[-3:])

    def _only_border(self) -> bool:
        return len(self._lines) == 1 and _SIMPLE_BORDER.match(self._lines[0].rstrip(WHITE_SPACE)) is not None


def _indent(line: str) -> int:
    lead = line[: len(line) - len(line.lstrip(" \t"))]
    return len(lead.expandtabs(4))
