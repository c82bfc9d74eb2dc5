"""``check``: what text hygiene would change in a text, by kind and place.

Rules of this module: it reads one text and shows the inspection; nothing of the text itself is printed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from symfonic.composition.knowledge import InputError, inspect_text
from symfonic.frontends.knowledge._views import View, as_counts, counted, inspection_view

from . import _options as options
from ._output import Column, console, print_table, write_json

_SHOWN: Final = 100
_COLUMNS: Final = (
    Column("Line", "right", wraps=False),
    Column("Column", "right", wraps=False),
    Column("Kind", wraps=False),
    Column("Found"),
    Column("Becomes"),
)
_NOTICES: Final = (
    ("line_ends", "line end", "would become spaces, as in every citation line"),
    ("private_use", "private-use character", "would stay; what they show depends on the font"),
    ("markers", "imitation", "of a citation marker would be broken visibly"),
    ("delimiters", "angle", "of the prompt's delimiter or a look-alike would become parentheses"),
    ("control_tokens", "control token", "of chat templates would be broken visibly"),
)
"""What is counted apart: the key of the view, what it counts, and what becomes of it."""


def check(source: str = options.TEXT_FILE, *, as_json: bool = options.JSON) -> None:
    """Show what text hygiene would change in a text before a model sees it, by kind and place."""
    view = inspection_view(source, inspect_text(_read(source)))
    if as_json:
        write_json(view)
    else:
        _print(view)


def _print(view: View) -> None:
    out = console()
    changes = sorted((*view["changes"], *view["places"]), key=lambda change: change["start"])
    if changes:
        cells = ("line", "column", "kind", "found", "replacement")
        rows = [[change[cell] or "(nothing)" for cell in cells] for change in changes[:_SHOWN]]
        print_table(out, _COLUMNS, rows)
    if len(changes) > _SHOWN:
        out.print(f"… and {len(changes) - _SHOWN:,} more; --json lists all.")
    for key, noun, outcome in _NOTICES:
        if view[key]:
            out.print(f"{counted(view[key], noun)} {outcome}.")
    found = as_counts(view["counts"]) or ("nothing" if view["clean"] else "nothing else")
    out.print(f"{counted(view['characters'], 'character')}: {found} would change.")


def _read(source: str) -> str:
    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(
            f"a text is read from a file or from standard input; {source} could not be read ({error.strerror}); "
            "check the path"
        ) from error
    except UnicodeDecodeError as error:
        binary = b"\0" in error.object or error.object.startswith(b"%PDF-")
        remedy = (
            "it looks like a binary file: ingest it and look at its text in `symfonic-knowledge export`"
            if binary
            else "convert it first, or ingest it and look at `symfonic-knowledge export`"
        )
        raise InputError(
            f"check reads UTF-8 text; {source} is not, at byte {error.start}, and nothing was looked at; {remedy}"
        ) from error
