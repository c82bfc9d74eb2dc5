"""Text hygiene, for whoever prepares text for the boundary or shows what the boundary does to it.

Rules of this module: the public door to the treatment of content. It holds no rule of its own; the tables and the
treatment stand in the private modules below.
"""

from __future__ import annotations

import re
from functools import cache

from . import _tables as tables
from ._markers import marker_places, neutralise_markers
from ._text import Change, Inspection, clean_content, exact_str, inspect_content, is_encodable, shows_blank

__all__ = [
    "Change",
    "Inspection",
    "clean_content",
    "inspect_content",
    "is_encodable",
    "is_mark",
    "marker_places",
    "neutralise_markers",
    "shows_blank",
]


@cache
def _mark() -> re.Pattern[str]:
    """Every combining mark; compiled when it is first needed, not on import."""
    return re.compile(f"[{tables.MARKS}{tables.SELECTORS}]")


def is_mark(character: str) -> bool:
    """Whether a character belongs to the one before it: a combining mark or a variation selector of Unicode 17."""
    return _mark().fullmatch(exact_str(character)) is not None
