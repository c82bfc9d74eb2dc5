"""``check``: what text hygiene would change in a text, by kind and place.

Rules of this module: it reads one text and shows the inspection; nothing of the text itself is printed.
"""

from __future__ import annotations

from typing import Final

from symfonic.composition.knowledge import inspect_text
from symfonic.frontends.knowledge._views import View, as_counts, counted, inspection_view

from . import _options as options
from ._output import Column, console, print_table, write_json
from ._session import text_of

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
    view = inspection_view(source, inspect_text(text_of(source, "check")))
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
