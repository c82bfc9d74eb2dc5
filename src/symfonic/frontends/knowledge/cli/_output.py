"""How things reach the terminal.

Rules of this module: it formats and decides nothing. Text is never read as markup, and what came from a document is
shown only in the forms the view model calls safe; JSON is ASCII, so that no byte of a document can steer a terminal.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.console import Console
    from rich.text import Text

    from symfonic.frontends.knowledge._views import View

_BAR_CELLS: Final = 10
_WIDTH_WITHOUT_TERMINAL: Final = 120
_LEAST_WIDTH: Final = 20
_MOST_WIDTH: Final = 1000
_WIDTH_DIGITS: Final = 9
_COLUMN_GAP: Final = 3
_LEAST_COLUMN: Final = 6

# Everything that could steer a terminal or reorder what it shows: controls but the line feed and the tab, separators of
# lines, direction marks that override, surrogates, and the invisible tags of plane 14. Joiners and variation selectors
# stay, for writing and emoji need them.
_STEERING: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)


def write_json(view: View) -> None:
    """One JSON document and a line feed on standard output."""
    sys.stdout.write(json.dumps(view, allow_nan=False) + "\n")


def write_exactly(text: str) -> None:
    """``text`` as UTF-8 on standard output, not a byte more or less; a terminal gets a line feed behind it."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()
    if sys.stdout.isatty():
        sys.stdout.write("\n")


def write_piece(text: str) -> None:
    """A piece of a growing text, at once: its bytes where they are collected, a harmless form of it on a terminal."""
    if sys.stdout.isatty():
        sys.stdout.write(_STEERING.sub("�", text))
        sys.stdout.flush()
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def end_line() -> None:
    """A line feed behind a growing text, on a terminal only."""
    if sys.stdout.isatty():
        sys.stdout.write("\n")
        sys.stdout.flush()


def say(text: str) -> None:
    """A line for people on standard error, without anything that could steer a terminal. Lost where nobody reads it."""
    sys.stdout.flush()
    safe = "".join(character if character.isprintable() or character == "\n" else "�" for character in text)
    try:
        sys.stderr.write(f"{safe}\n")
        sys.stderr.flush()
    except OSError:
        _abandon(sys.stderr)


def abandon_output() -> None:
    """Give up standard output: what is still buffered must not fail again when the interpreter closes the stream."""
    _abandon(sys.stdout)


@contextmanager
def on_errors() -> Iterator[Console]:
    """Standard error for people; what is printed is lost where nobody reads it."""
    from rich.console import Console

    sys.stdout.flush()
    # Printed here first: the library would end the process where it finds a pipe closed.
    printed = io.TextIOWrapper(io.BytesIO(), encoding=sys.stderr.encoding, errors="backslashreplace", newline="")
    yield Console(
        file=printed,
        force_terminal=sys.stderr.isatty() or None,
        markup=False,
        highlight=False,
        emoji=False,
        width=width_of(sys.stderr),
        safe_box=True,
    )
    try:
        printed.seek(0)
        sys.stderr.write(printed.read())
        sys.stderr.flush()
    except OSError:
        _abandon(sys.stderr)


def _abandon(stream: TextIO) -> None:
    with suppress(OSError, ValueError):  # a stream that is no file has nothing to fail
        handle = os.open(os.devnull, os.O_WRONLY)
        os.dup2(handle, stream.fileno())
        os.close(handle)
        stream.flush()


def console() -> Console:
    """Standard output for people."""
    from rich.console import Console

    return Console(file=sys.stdout, markup=False, highlight=False, emoji=False, width=width_of(sys.stdout))


def width_of(stream: TextIO) -> int:
    """Cells of a line: what ``COLUMNS`` says where that is a sensible number, else what the terminal has."""
    said = os.environ.get("COLUMNS", "")
    if said.isascii() and said.isdigit() and _LEAST_WIDTH <= int(said[:_WIDTH_DIGITS]) <= _MOST_WIDTH:
        return int(said[:_WIDTH_DIGITS])
    if not stream.isatty():
        return _WIDTH_WITHOUT_TERMINAL
    columns = 0  # as a terminal answers that does not know
    with suppress(OSError, ValueError):
        columns = os.get_terminal_size(stream.fileno()).columns
    return max(_LEAST_WIDTH, columns) if columns else _WIDTH_WITHOUT_TERMINAL


def score_bar(score: float | None, out: Console) -> str:
    """Ten cells, filled in proportion to a score in [0, 1]."""
    full, empty = ("█", "░") if out.encoding.lower().startswith("utf") else ("#", "-")
    filled = round(_BAR_CELLS * min(1.0, max(0.0, score or 0.0)))
    return full * filled + empty * (_BAR_CELLS - filled)


def as_score(score: float | None) -> str:
    """Three decimals, or a dash where there is none."""
    return "-" if score is None else f"{score:.3f}"


class Column(NamedTuple):
    """A column of a table; what stands in one that does not wrap is never broken."""

    title: str
    justify: Literal["left", "right"] = "left"
    wraps: bool = True


def print_table(out: Console, columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> None:
    """A table of plain text; where lines are too short for one, each cell on a line. Nothing is shortened."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    cells = [[cell if isinstance(cell, Text) else Text(str(cell)) for cell in row] for row in rows]
    if _table_width(columns, cells) > out.width:
        _print_cells(out, columns, cells)
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, safe_box=True)
    for column in columns:
        title, justify, wraps = column
        table.add_column(Text(title), justify=justify, overflow="fold", no_wrap=not wraps)
    for row in cells:
        table.add_row(*row)
    out.print(table)


def _table_width(columns: Sequence[Column], rows: Sequence[Sequence[Text]]) -> int:
    """Fewest cells of a line on which a table can be read: what must not wrap is whole, the rest not in splinters."""
    width = _COLUMN_GAP * len(columns)
    for place, column in enumerate(columns):
        widest = max([len(column.title), *(row[place].cell_len for row in rows)])
        width += min(widest, _LEAST_COLUMN) if column.wraps else widest
    return width


def _print_cells(out: Console, columns: Sequence[Column], rows: Sequence[Sequence[Text]]) -> None:
    """Each cell that holds something on a line of its own, behind its column's title; an empty line after a row."""
    for row in rows:
        for column, cell in zip(columns, row, strict=True):
            if cell.plain.strip():
                head = f"{column.title}: " if column.title else ""
                out.print(styled(head, "") + cell, soft_wrap=True)
        out.print()


def print_hanging(out: Console, head: str, text: str, style: str) -> None:
    """``head`` and ``text`` behind it; lines that are wrapped begin where the text began."""
    width = max(1, out.width - len(head))
    for number, line in enumerate(styled(text, style).wrap(out, width, overflow="fold")):
        out.print(styled(head if not number else " " * len(head), style) + line)


def styled(text: str, style: str) -> Text:
    """Plain text with one style."""
    from rich.text import Text

    return Text(text, style=style)
