"""``check``: what text hygiene would change in a text, by kind and place.

Rules of this module: it reads one text and shows the inspection; nothing of the text itself is printed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from symfonic.composition.knowledge import inspect_text
from symfonic.frontends.knowledge._views import View, as_counts, inspection_view

from . import _options as options
from ._output import console, print_table, write_json
from ._reporting import InputError

_SHOWN: Final = 100
_FOLDED: Final = "line-break"
"""Every line of a text ends with one; they are counted and not listed."""


def check(source: str = options.TEXT_FILE, *, as_json: bool = options.JSON) -> None:
    """Show what text hygiene would change in a text before a model sees it, by kind and place."""
    view = inspection_view(source, inspect_text(_read(source)))
    if as_json:
        write_json(view)
    else:
        _print(view)


def _print(view: View) -> None:
    out = console()
    listed = [change for change in view["changes"] if change["kind"] != _FOLDED]
    if listed:
        print_table(
            out,
            (("Line", "right"), ("Column", "right"), "Kind", "Found", "Becomes"),
            [
                (
                    change["line"],
                    change["column"],
                    change["kind"],
                    change["found"],
                    change["replacement"] or "(nothing)",
                )
                for change in listed[:_SHOWN]
            ],
        )
    if len(listed) > _SHOWN:
        out.print(f"… and {len(listed) - _SHOWN:,} more; --json lists all.")
    markers = view["markers"]
    if markers:
        out.print(f"{markers:,} imitations of a citation marker would be broken visibly.")
    found = as_counts(view["counts"])
    out.print(f"{view['characters']:,} characters: {found or 'nothing'} would change.")


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
        raise InputError(
            f"check reads UTF-8 text; {source} is not, at byte {error.start}, and nothing was looked at; convert it "
            "first, or ingest it and look at `symfonic-knowledge export`"
        ) from error
