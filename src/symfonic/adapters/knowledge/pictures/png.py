"""An SVG drawing as a PNG picture, by resvg.

Rules of this module: the only one that knows resvg. It reads no file but the fonts of this machine.
"""

from __future__ import annotations

import re
from typing import Final

from symfonic.adapters.knowledge.ports import AdapterError

__all__ = ["png_of"]

_TEXTS: Final = re.compile(r"<text\b.*?</text>", re.DOTALL)


def png_of(svg: str, *, zoom: float = 2.0) -> bytes:
    """Draw an SVG of our own as PNG.

    Args:
        svg: The drawing; any text in it is set in fonts of this machine.
        zoom: Pixels for each unit of the drawing, above 0.

    Raises:
        AdapterError: resvg is not installed, the message names the extra; it cannot read the drawing; or no font is
            installed, and every text would be missing.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        raise AdapterError(
            "a picture in PNG needs resvg-py, which is not installed; nothing was drawn; install "
            "symfonic-knowledge[eval], or write an .svg"
        ) from error
    try:
        drawn = bytes(svg_to_bytes(svg_string=svg, zoom=zoom))
        bare = bytes(svg_to_bytes(svg_string=_TEXTS.sub("", svg), zoom=zoom))
    except ValueError as error:
        raise AdapterError(
            "a picture is drawn from SVG; this text could not be read as such and nothing was drawn; correct it"
        ) from error
    if drawn == bare and _TEXTS.search(svg):
        raise AdapterError(
            "a picture with text in it needs fonts; this machine has none that is found and every label would be "
            "missing; install a font such as DejaVu Sans, or write an .svg, which whoever shows it sets in fonts of "
            "its own"
        )
    return drawn
