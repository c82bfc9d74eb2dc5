"""Text hygiene, for whoever prepares text for the boundary or shows what the boundary does to it.

Rules of this module: the public door to the treatment of content. It holds no rule of its own; the tables and the
treatment stand in the private modules below.
"""

from __future__ import annotations

from ._markers import marker_places, neutralise_markers
from ._text import Change, Inspection, clean_content, inspect_content, is_encodable, is_mark, shows_blank

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
