"""How things reach the terminal.

Rules of this module: it formats and decides nothing. Text is never read as markup, and what came from a document is
shown only in the forms the view model calls safe; JSON is ASCII, so that no byte of a document can steer a terminal.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console
    from rich.text import Text

    from symfonic.frontends.knowledge._views import View

_BAR_CELLS: Final = 10
_WIDTH_WITHOUT_TERMINAL: Final = 120


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


def say(text: str) -> None:
    """A line for people on standard error, without anything that could steer a terminal."""
    sys.stdout.flush()
    safe = "".join(character if character.isprintable() or character == "\n" else "�" for character in text)
    sys.stderr.write(f"{safe}\n")


def console() -> Console:
    """Standard output for people."""
    from rich.console import Console

    width = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else _WIDTH_WITHOUT_TERMINAL
    return Console(file=sys.stdout, markup=False, highlight=False, emoji=False, width=width)


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
    """A table of plain text. Nothing is shortened."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, safe_box=True)
    for column in columns:
        title, justify, wraps = column
        table.add_column(Text(title), justify=justify, overflow="fold", no_wrap=not wraps)
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else Text(str(cell)) for cell in row))
    out.print(table)


def print_hanging(out: Console, head: str, text: str, style: str) -> None:
    """``head`` and ``text`` behind it; lines that are wrapped begin where the text began."""
    width = max(1, out.width - len(head))
    for number, line in enumerate(styled(text, style).wrap(out, width, overflow="fold")):
        out.print(styled(head if not number else " " * len(head), style) + line)


def styled(text: str, style: str) -> Text:
    """Plain text with one style."""
    from rich.text import Text

    return Text(text, style=style)
