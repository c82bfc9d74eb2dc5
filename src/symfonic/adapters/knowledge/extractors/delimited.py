r"""Delimited text (CSV, TSV) to one ``| cell | cell |`` line a row.

Rules of this module: pure, standard library only, linear in the text. Not the ``csv`` module: its ceiling on a field is
a setting of the whole process, an unpaired quotation mark makes it read the rest of a file as one cell, and its sniffer
takes a letter for the delimiter where that suits it.

- **Delimiter.** CSV is cut at whichever of ``,`` ``;`` tab ``|`` makes the rows of its beginning most alike: the share
  of rows that have the most frequent number of cells, where that is more than one and most rows are cut at all. Of
  equals the one that makes more cells wins, then the order above. With none of them, each line is one cell. A first
  line ``sep=;`` decides, and is left out: it is written for programs. TSV is cut at tabs.
- **Quotation.** A cell that begins with ``"`` goes to the next ``"`` that is not doubled, line breaks included, if a
  delimiter, a line end or the end of the text follows it. If none does, the mark is text and ends nothing.
- **Cells** come out on one line: line breaks become a space, white space around a cell goes. Rows of blank cells are
  left out. Nothing else is changed, and no row is taken for a header.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.extractors.characters import WHITE_SPACE
from symfonic.adapters.knowledge.extractors.decoding import decode_text
from symfonic.adapters.knowledge.extractors.plain import require_text
from symfonic.adapters.knowledge.ports import Extraction, Section

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["delimiter_of", "extract_csv", "extract_tsv", "rows_of"]

_DELIMITERS: Final = (",", ";", "\t", "|")
_SAMPLE_CHARS: Final = 65_536
_SAMPLE_ROWS: Final = 200
_MOST_ROWS: Final = 0.5
_DECLARED: Final = re.compile(r"sep=([,;\t|])[ \t]*(?:\n|\Z)", re.IGNORECASE)


def extract_csv(data: bytes, *, name: str) -> Extraction:
    """Return the rows of a CSV file as one section.

    Raises:
        ExtractionError: ``binary`` where the bytes are no text, ``empty`` where they show nothing.
    """
    text = decode_text(data, name=name)
    declared = _DECLARED.match(text)
    if declared:
        return _extraction("csv", text[declared.end() :], declared[1], name)
    return _extraction("csv", text, delimiter_of(text), name)


def extract_tsv(data: bytes, *, name: str) -> Extraction:
    """Return the rows of a file with tabs between its cells as one section.

    Raises:
        ExtractionError: ``binary`` where the bytes are no text, ``empty`` where they show nothing.
    """
    return _extraction("tsv", decode_text(data, name=name), "\t", name)


def _extraction(kind: str, text: str, delimiter: str, name: str) -> Extraction:
    require_text(text, name=name)
    lines = (_line(row) for row in rows_of(text, delimiter))
    shown = require_text("".join(line for line in lines if line), name=name)
    return Extraction(kind=kind, sections=(Section(text=shown),))


def _line(row: Sequence[str]) -> str:
    cells = [_on_one_line(cell) for cell in row]
    return "".join(f"| {cell} " if cell else "| " for cell in cells) + "|\n" if any(cells) else ""


def _on_one_line(cell: str) -> str:
    if "\n" not in cell:
        return cell.strip(WHITE_SPACE)
    return " ".join(part for line in cell.split("\n") if (part := line.strip(WHITE_SPACE)))


def delimiter_of(text: str) -> str:
    """Return what parts the cells of a text with line feeds as line ends; empty where nothing does."""
    sample = text[:_SAMPLE_CHARS]
    if len(sample) < len(text) and "\n" in sample:
        # The row that the sample cuts would count with too few cells.
        sample = sample[: sample.rindex("\n") + 1]
    scores = [(*_likeness(sample, delimiter), delimiter) for delimiter in _DELIMITERS]
    return max(scores, key=lambda score: score[:2])[2] if any(score[0] for score in scores) else ""


def _likeness(sample: str, delimiter: str) -> tuple[float, int]:
    """How alike a delimiter makes the rows, from 0 to 1, and how many cells they have."""
    rows = islice((row for row in rows_of(sample, delimiter) if row != [""]), _SAMPLE_ROWS)
    # A cut through a quotation leaves half of its marks on either side; such a row is like no other.
    widths = Counter(0 if any(cell.count('"') % 2 for cell in row) else len(row) for row in rows)
    cut = Counter({width: count for width, count in widths.items() if width > 1})
    if cut.total() <= _MOST_ROWS * widths.total():
        return 0.0, 0
    width, count = max(cut.items(), key=lambda item: (item[1], item[0]))
    return count / widths.total(), width


def rows_of(text: str, delimiter: str) -> Iterator[list[str]]:
    """Cut a text with line feeds as line ends into rows of cells.

    Args:
        text: The whole text.
        delimiter: One character; empty for rows of one cell.
    """
    place = 0
    while place < len(text):
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        if text.find('"', place, end) < 0:
            line = text[place:end]
            yield line.split(delimiter) if delimiter else [line]
            place = end + 1
        else:
            row, place = _quoted_row(text, delimiter, place)
            yield row


@cache
def _cell(delimiter: str) -> re.Pattern[str]:
    """A cell with or without quotation, and what ends it.

    Where a quotation is tried and is none, all that was passed over holds doubled marks only: none of the cells in it
    can begin another long try, and the time stays linear.
    """
    part = re.escape(delimiter)
    return re.compile(rf'(?:"([^"]*+(?:""[^"]*+)*+)"(?=[{part}\n]|\Z)|([^{part}\n]*+))([{part}\n]|\Z)')


def _quoted_row(text: str, delimiter: str, place: int) -> tuple[list[str], int]:
    """The row that begins at a place, and where the next one begins."""
    row = []
    pattern = _cell(delimiter)
    while True:
        found = pattern.match(text, place)
        assert found is not None
        quoted, bare, ending = found.groups()
        row.append(bare if quoted is None else quoted.replace('""', '"'))
        place = found.end()
        if ending in {"\n", ""}:
            return row, place
