"""What lies behind text of a DOCX: shading that is in force for a run, and things that may lie anywhere.

Rules of this module: it reads properties and no text. Styles count only where they are used, for templates describe
hundreds that shade; within a style of a table any shading counts, whichever of its rows or columns it is for. Where it
cannot be told whether something lies behind a run, it does. Every style is worked out once, however long its chain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.extractors.docx_styles import W, value

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Grounds"]

_SHADING: Final = f"{W}shd"
_PLAIN_FILLS: Final = frozenset({"", "AUTO", "FFFFFF"})
_PLAIN_PATTERNS: Final = frozenset({"", "clear", "nil"})
_ANCHOR: Final = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}anchor"
# Where properties stand that shade, and where they name a style, by what holds them.
_PROPERTIES: Final = {
    f"{W}r": ("rPr", "rStyle"),
    f"{W}p": ("pPr", "pStyle"),
    f"{W}tc": ("tcPr", ""),
    f"{W}tr": ("tblPrEx", ""),
    f"{W}tbl": ("tblPr", "tblStyle"),
}
_KINDS: Final = {"pStyle": "paragraph", "tblStyle": "table"}


class Grounds:
    """What a document puts behind its text.

    Args:
        root: Root of the document.
        styles: Root of ``styles.xml``; ``None`` where the document has none.
    """

    def __init__(self, root: Any, styles: Any) -> None:
        others = root.iter(f"{W}background", f"{W}pict", f"{W}object", _ANCHOR)
        defaults = None if styles is None else styles.find(f"{W}docDefaults")
        self._everywhere = next(others, None) is not None or _shades(defaults)
        entries = [] if styles is None else [entry for entry in styles.iter(f"{W}style") if entry.get(f"{W}styleId")]
        self._entries = {entry.get(f"{W}styleId"): entry for entry in entries}
        self._defaults = {
            entry.get(f"{W}type"): entry.get(f"{W}styleId")
            for entry in reversed(entries)
            if entry.get(f"{W}default", "0") in {"1", "true", "on"}
        }
        self._known: dict[str, bool] = {}

    def lies_behind(self, run: Any) -> bool:
        """Whether anything but paper may lie behind a run."""
        return self._everywhere or any(map(self._is_shaded, _with_ancestors(run)))

    def _is_shaded(self, element: Any) -> bool:
        names = _PROPERTIES.get(element.tag)
        if names is None:
            return False
        properties = element.find(f"{W}{names[0]}")
        style = value(properties, names[1]) if names[1] else None
        named = style or self._defaults.get(_KINDS.get(names[1], ""), "")
        if properties is not None and properties.find(f"{W}highlight") is not None:
            return True
        own = None if properties is None else properties.find(_SHADING)
        return (own is not None and _is_ground(own)) or self._style_shades(named)

    def _style_shades(self, style_id: str) -> bool:
        """Whether a style or one that it is based on shades."""
        chain: list[str] = []
        current = style_id
        while current in self._entries and current not in self._known:
            self._known[current] = False  # a chain that comes back to itself ends here
            chain.append(current)
            current = value(self._entries[current], "basedOn") or ""
        found = self._known.get(current, False)
        for step in reversed(chain):
            found = self._known[step] = found or _shades(self._entries[step])
        return found


def _with_ancestors(run: Any) -> Iterable[Any]:
    yield run
    yield from run.iterancestors()


def _shades(element: Any) -> bool:
    """Whether any shading stands within an element."""
    return element is not None and any(map(_is_ground, element.iter(_SHADING, f"{W}highlight")))


def _is_ground(shading: Any) -> bool:
    if shading.tag != _SHADING:
        return True
    fill, pattern = shading.get(f"{W}fill", "").upper(), shading.get(f"{W}val", "")
    return fill not in _PLAIN_FILLS or pattern not in _PLAIN_PATTERNS or bool(shading.get(f"{W}themeFill"))
