"""Formulas (Office Math) and characters of symbol fonts, as text.

Rules of this module: it knows what signs mean and nothing of the document around them. A formula becomes one line, as a
person would type it: ``(a+b)/2``, ``x^2``, ``√(2gh)``. What is written above and below becomes ``^`` and ``_``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FORMULAS", "linear", "symbol"]

_M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
FORMULAS: Final = frozenset(
    {f"{_M}oMath", f"{_M}oMathPara", "{http://schemas.microsoft.com/office/drawing/2010/main}m"}
)
"""Elements that hold a formula."""

# Signs that only say how two others belong together: a function and what it is of, factors, items, a number and a part.
_INVISIBLE: Final = {0x2061: " ", 0x2062: None, 0x2063: None, 0x2064: None}
_OFF: Final = frozenset({"0", "false", "off"})
_REMOVED: Final = frozenset({f"{_W}del", f"{_W}moveFrom"})


def linear(element: Any) -> str:
    """The formulas in an element, in one line."""
    text = ""
    for child in element:
        tag = child.tag
        if tag == f"{_M}t":
            text += (child.text or "").translate(_INVISIBLE)
        elif tag in _REMOVED or _is_hidden(child):
            continue
        elif tag in _SHAPES:
            text += _SHAPES[tag](child)
        else:
            text += linear(child)
    return text


def _is_hidden(element: Any) -> bool:
    hiding = element.find(f"{_W}rPr/{_W}vanish")
    if hiding is not None:
        return hiding.get(f"{_W}val", "1") not in _OFF
    shown = element.find(f"{_M}phantPr/{_M}show")
    return shown is not None and shown.get(f"{_M}val", "1") in _OFF


def _child(element: Any, name: str) -> str:
    child = element.find(f"{_M}{name}")
    return "" if child is None else linear(child)


def _group(text: str) -> str:
    return f"({text})" if len(text) > 1 else text


def _scripts(element: Any) -> str:
    low, high = _child(element, "sub"), _child(element, "sup")
    return (f"_{_group(low)}" if low else "") + (f"^{_group(high)}" if high else "")


def _setting(element: Any, properties: str, name: str, otherwise: str) -> str:
    found = element.find(f"{_M}{properties}/{_M}{name}")
    return otherwise if found is None else str(found.get(f"{_M}val", ""))[:4]


def _fraction(element: Any) -> str:
    return f"{_group(_child(element, 'num'))}/{_group(_child(element, 'den'))}"


def _scripted(element: Any) -> str:
    return _child(element, "e") + _scripts(element)


def _root(element: Any) -> str:
    degree = _child(element, "deg")
    return (f"({degree})" if degree else "") + "√" + _group(_child(element, "e"))


def _sum(element: Any) -> str:
    return f"{_setting(element, 'naryPr', 'chr', '∫')}{_scripts(element)} {_child(element, 'e')}"


def _bracketed(element: Any) -> str:
    inside = _setting(element, "dPr", "sepChr", "|").join(linear(part) for part in element.iterchildren(f"{_M}e"))
    return _setting(element, "dPr", "begChr", "(") + inside + _setting(element, "dPr", "endChr", ")")


def _limit(sign: str) -> Callable[[Any], str]:
    return lambda element: f"{_child(element, 'e')}{sign}{_group(_child(element, 'lim'))}"


def _matrix(element: Any) -> str:
    rows = (", ".join(linear(cell) for cell in row) for row in element.iterchildren(f"{_M}mr"))
    return "; ".join(rows)


def _lines(element: Any) -> str:
    return "; ".join(linear(line) for line in element.iterchildren(f"{_M}e"))


_SHAPES: Final[dict[str, Callable[[Any], str]]] = {
    f"{_M}f": _fraction,
    f"{_M}sSup": _scripted,
    f"{_M}sSub": _scripted,
    f"{_M}sSubSup": _scripted,
    f"{_M}rad": _root,
    f"{_M}nary": _sum,
    f"{_M}d": _bracketed,
    f"{_M}limLow": _limit("_"),
    f"{_M}limUpp": _limit("^"),
    f"{_M}m": _matrix,
    f"{_M}eqArr": _lines,
}


# ---------------------------------------------------------------------------------------------------------- symbols

# The Symbol font, whose places 0x41 to 0x5A and 0x61 to 0x7A are Greek, and signs often taken from it and Wingdings.
_GREEK: Final = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", "αβχδεφγηιϕκλμνοπθρστυϖωξψζ"
_SYMBOL: Final = {
    **dict(zip(range(0x41, 0x5B), _GREEK[0], strict=True)),
    **dict(zip(range(0x61, 0x7B), _GREEK[1], strict=True)),
    0xA3: "≤",
    0xA5: "∞",
    0xAE: "→",
    0xB0: "°",
    0xB1: "±",
    0xB3: "≥",
    0xB4: "×",
    0xB7: "•",
    0xB8: "÷",
    0xB9: "≠",
    0xBB: "≈",
    0xD6: "√",
    0xDE: "⇒",
    0xE5: "∑",
    0xF2: "∫",
}
_WINGDINGS: Final = {
    0x6C: "●",
    0x6E: "■",
    0x6F: "□",
    0x71: "❑",
    0x76: "❖",
    0x9F: "•",
    0xA7: "▪",
    0xA8: "◻",
    0xD8: "➢",
    0xDF: "←",
    0xE0: "→",
    0xE1: "↑",
    0xE2: "↓",
    0xE8: "➔",
    0xFB: "✗",
    0xFC: "✓",
    0xFD: "☒",
    0xFE: "☑",
}
_FONTS: Final = {"symbol": _SYMBOL, "wingdings": _WINGDINGS}


def symbol(font: str, code: str) -> str:
    """The character a symbol stands for; U+FFFD where only its font could tell.

    Args:
        font: Name of its font.
        code: Its place in the font, hexadecimal; symbol fonts begin at F000.
    """
    try:
        place = int(code[:8], 16)
        character = chr(place)
    except (ValueError, OverflowError):
        return "\ufffd"
    known = _FONTS.get(font.lower(), {}).get(place & 0xFF if 0xF000 <= place <= 0xF0FF or place <= 0xFF else -1)
    if known:
        return known
    is_private = 0xE000 <= place <= 0xF8FF or place >= 0xF0000
    return "\ufffd" if is_private else character
