"""What the style written on an element of a page says about whether it shows.

Rules of this module: pure, standard library only, its time in proportion to the text. It reads declarations as CSS does
as far as they matter here: comments are none, escapes are the characters they stand for, what stands in quotation marks
or brackets is a value, of several valid declarations the last one counts, important ones before others, and what is not
valid says nothing. It is no engine: nothing is laid out, and where a value depends on anything but itself, text shows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["INTERESTING", "PLAIN", "State", "hides", "looks_of", "shown_by"]

_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-f]{1,6})[ \t\n\r\f]?|(.))", re.DOTALL)
# A value that may hold anything, as one word that means nothing here. What is left open goes on to the end.
_TEXT: Final = re.compile(r""""(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?""", re.DOTALL)
_BRACKETS: Final = re.compile(r"\([^()]*\)")
_SOME: Final = "0some"
_ANYTHING: Final = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})
_DISPLAY_WORD: Final = re.compile(
    r"block|inline|flow|flow-root|list-item|contents|run-in|math|inline-block|(?:-webkit-)?(?:inline-)?(?:flex|box)"
    r"|(?:inline-)?(?:grid|table)|table-(?:row|header|footer|column)-group|table-(?:row|cell|column|caption)"
    r"|ruby(?:-base|-text)?(?:-container)?"
)
_VISIBILITIES: Final = {
    "visible": "shown", "hidden": "hidden", "collapse": "hidden", "initial": "shown", "inherit": "", "unset": "",
    "revert": "", "revert-layer": "",
}  # fmt: skip

INTERESTING: Final = re.compile(
    r"display|visibility|opacity|font|indent|position|clip|color|background|overflow|\\", re.IGNORECASE
)
"""Found in each style that may hide something."""

# Of functions, those that say by themselves that nothing shows, and colours in numbers.
_CLIPPED: Final = re.compile(
    r"rect\(\s{0,9}(?:[01](?:px)?[\s,]{0,9}){4}\)|inset\(\s{0,9}(?:50|100)%\s{0,9}\)|circle\(\s{0,9}0(?:px|%)?\s{0,9}\)"
)
_RGB: Final = re.compile(
    r"rgba?\(\s{0,9}(\d{1,3})[\s,]{1,9}(\d{1,3})[\s,]{1,9}(\d{1,3})\s{0,9}(?:[,/]\s{0,9}(\d{0,3}(?:\.\d{1,9})?)\s{0,9})?\)"
)
_HEX: Final = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})")
_CLEAR: Final = re.compile(r"#(?:[0-9a-f]{3}0|[0-9a-f]{6}00)")
_NAMED: Final = {
    "white": "#ffffff", "black": "#000000", "red": "#ff0000", "lime": "#00ff00", "blue": "#0000ff", "gray": "#808080",
    "grey": "#808080", "silver": "#c0c0c0", "yellow": "#ffff00", "green": "#008000", "navy": "#000080",
    "snow": "#fffafa", "ivory": "#fffff0", "whitesmoke": "#f5f5f5", "transparent": "transparent",
}  # fmt: skip
_NEAR: Final = 8
_NUMBER: Final = re.compile(r"([+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}))(px|pt|em|rem|ex|ch|%|vw|vh|cm|mm|in|pc|q)?")
_PIXELS: Final = {"": 1, "px": 1, "pt": 1, "em": 16, "rem": 16, "ex": 8, "ch": 8, "%": 10, "vw": 10, "vh": 10}
_FAR: Final = -999
_READABLE: Final = 1.6  # pixels, or what a length below a tenth of a line comes to
_CLEARED: Final = frozenset({"background-clip", "-webkit-background-clip", "text-shadow", "-webkit-text-stroke"})


def shown_by(style: str) -> tuple[bool | None, bool | None]:
    """Return whether an element is there at all (``display``) and whether it is visible; ``None`` where that is unsaid.

    Args:
        style: Declarations, as the attribute ``style`` holds them.
    """
    looks = looks_of(style)
    display, visibility = looks.get("display", ("", False))[0], looks.get("visibility", ("", False))[0]
    return (
        None if not display else display != "hidden",
        None if not visibility else visibility != "hidden",
    )


def looks_of(style: str) -> dict[str, tuple[str, bool]]:
    """What a block of declarations says, aspect by aspect, each with whether it is important.

    ``display``, ``visibility``, ``content``: ``hidden`` or ``shown``. ``opacity``: ``transparent`` or ``shown``.
    ``font``: ``size`` or ``shown``. ``indent``, ``place``: ``place`` or ``shown``. ``box``: ``size`` or ``shown``.
    ``color``, ``background``: six digits behind ``#``, ``transparent``, or ``some``.
    """
    if not INTERESTING.search(style):
        return {}
    found: dict[str, tuple[str, bool]] = {}
    for name, value, important in _declarations(style.lower()):
        if _is_valid(name, value) and important >= found.get(name, ("", False))[1]:
            found[name] = (value, important)
    looks = {_ASPECTS[name]: (_SIMPLE[name](value), mark) for name, (value, mark) in found.items() if name in _SIMPLE}
    if "color" in looks and looks["color"][0] == "transparent" and not _CLEARED.isdisjoint(found):
        looks["color"] = ("some", looks["color"][1])
    _add_background(found, looks)
    values = {name: value for name, (value, _) in found.items()}
    marks = any(mark for _, mark in found.values())
    if any(name in values for name in _PLACES):
        looks["place"] = ("place" if _is_away(values) else "shown", marks)
    if any(name in values for name in _BOXES):
        looks["box"] = ("size" if _is_shut(values) else "shown", marks)
    return looks


def hides(looks: Mapping[str, tuple[str, bool]]) -> list[str]:
    """The aspects by which a block of declarations alone hides text."""
    hiding = [aspect for aspect, (look, _) in looks.items() if look in _HIDING and aspect != "background"]
    if _are_alike(looks.get("color", ("", False))[0], looks.get("background", ("", False))[0]):
        hiding += ["color", "background"]
    return hiding


_HIDING: Final = frozenset({"hidden", "transparent", "size", "place"})


@dataclass(frozen=True, slots=True)
class State:
    """How text stands at one place of a page.

    Attributes:
        veiled: Invisible, until an element below says otherwise.
        sealed: Why nothing below shows, whatever it says; empty where it may.
        tiny: Of no size to speak of.
        away: Moved out of sight by its indent.
        ink: Colour of the text, as far as it is known.
        ground: Colour behind it, as far as it is known.
    """

    veiled: bool = False
    sealed: str = ""
    tiny: bool = False
    away: bool = False
    ink: str = ""
    ground: str = ""

    def below(self, looks: Mapping[str, tuple[str, bool]]) -> State:
        """The state within an element that looks so."""
        said = {aspect: look for aspect, (look, _) in looks.items()}
        sealed = next((said[name] for name in ("content", "opacity", "place", "box") if said.get(name) in _HIDING), "")
        visibility = said.get("visibility", "")
        return replace(
            self,
            veiled=visibility == "hidden" if visibility else self.veiled,
            sealed=self.sealed or sealed,
            tiny=said["font"] == "size" if "font" in said else self.tiny,
            away=said["indent"] == "place" if "indent" in said else self.away,
            ink=said.get("color", self.ink),
            ground=said.get("background", "some" if "place" in said else self.ground),
        )

    @property
    def why(self) -> str:
        """Why text does not show; empty where it does."""
        if self.veiled:
            return "hidden"
        if self.sealed or self.tiny or self.away:
            return self.sealed or ("size" if self.tiny else "place")
        if self.ink == "transparent":
            return "transparent"
        return "colour" if _are_alike(self.ink, self.ground) else ""


PLAIN: Final = State()
"""Text that shows."""


# ---------------------------------------------------------------------------------------------------- declarations


def _declarations(style: str) -> list[tuple[str, str, bool]]:
    plain = _ESCAPE.sub(_unescaped, _TEXT.sub(_SOME, _COMMENT.sub("", style)))
    plain = _RGB.sub(_colour_of, _CLIPPED.sub("0clipped", plain))
    for _ in range(3):
        plain = _BRACKETS.sub(_SOME, plain)
    found = []
    for declaration in plain.partition("(")[0].split(";"):
        name, _, value = declaration.partition(":")
        value, mark, word = value.partition("!")
        found.append((name.strip(), value.strip(), mark == "!" and word.strip() == "important"))
    return found


def _unescaped(found: re.Match[str]) -> str:
    code = int(found[1], 16) if found[1] else ord(found[2])
    character = chr(code).lower() if code < 0x80 else "_"
    # Whatever else it stands for, it parts nothing.
    return character if character.isalnum() or character == "-" else "_"


def _colour_of(found: re.Match[str]) -> str:
    if found[4] is not None and not float(found[4] or 1):
        return "transparent"
    if found[4] is not None and float(found[4] or 1) < 1:
        return _SOME
    return "#" + "".join(f"{min(int(part), 255):02x}" for part in found.groups()[:3])


def _is_valid(name: str, value: str) -> bool:
    if name == "display":
        return _is_display(value)
    return value in _VISIBILITIES if name == "visibility" else bool(value)


def _is_display(value: str) -> bool:
    words = value.split()
    if len(words) == 1 and words[0] in {"none", *_ANYTHING}:
        return True
    return bool(words) and len(words) <= 3 and all(map(_DISPLAY_WORD.fullmatch, words))


# ---------------------------------------------------------------------------------------------------------- values


def _length(value: str) -> float | None:
    """A length in pixels, about; ``None`` for what is none."""
    found = _NUMBER.fullmatch(value)
    return None if found is None else float(found[1]) * _PIXELS.get(found[2] or "", 10)


def _opacity(value: str) -> str:
    found = _NUMBER.fullmatch(value)
    return "transparent" if found and found[2] in {None, "%"} and float(found[1]) <= 0 else "shown"


def _font(value: str) -> str:
    length = _length(value)
    return "size" if length is not None and 0 <= length < _READABLE else "shown"


def _indent(value: str) -> str:
    length = _length(value)
    return "place" if length is not None and length <= _FAR else "shown"


def _colour(value: str) -> str:
    value = _NAMED.get(value, value)
    if _CLEAR.fullmatch(value) or value == "transparent":
        return "transparent"
    if not _HEX.fullmatch(value):
        return "some"
    return value if len(value) > len("#fff") else "#" + "".join(digit * 2 for digit in value[1:])


_SIMPLE: Final = {
    "display": lambda value: "hidden" if value == "none" else "shown",
    "visibility": lambda value: _VISIBILITIES[value],
    "content-visibility": lambda value: "hidden" if value == "hidden" else "shown",
    "opacity": _opacity,
    "font-size": _font,
    "text-indent": _indent,
    "color": _colour,
}
_ASPECTS: Final = {name: name for name in _SIMPLE} | {
    "content-visibility": "content", "font-size": "font", "text-indent": "indent",
}  # fmt: skip
_PLACES: Final = ("position", "left", "top", "right", "clip", "clip-path", "float", "transform", "margin-left")
_BOXES: Final = ("height", "width", "max-height", "max-width", "overflow")


def _add_background(found: Mapping[str, tuple[str, bool]], looks: dict[str, tuple[str, bool]]) -> None:
    said = [(_colour(found[name][0]), found[name][1]) for name in ("background", "background-color") if name in found]
    if said:
        looks["background"] = said[0] if len(said) == 1 and "background-image" not in found else ("some", False)
    elif "background-image" in found:
        looks["background"] = ("some", found["background-image"][1])


def _is_away(values: Mapping[str, str]) -> bool:
    if values.get("position") in {"absolute", "fixed"}:
        sides = (_length(values.get(side, "")) for side in ("left", "top", "right"))
        if "0clipped" in values.get("clip", "") or any(side is not None and side <= _FAR for side in sides):
            return True
    return "0clipped" in values.get("clip-path", "") or _indent(values.get("margin-left", "")) == "place"


def _is_shut(values: Mapping[str, str]) -> bool:
    """Whether a box is too small to show anything and lets nothing out; one with a padding may have room there."""
    if values.get("overflow") not in {"hidden", "clip"} or any(name.startswith("padding") for name in values):
        return False
    sides = (_length(values.get(side, "")) for side in ("height", "max-height", "width", "max-width"))
    return any(side is not None and 0 <= side <= 1 for side in sides)


def _are_alike(one: str, other: str) -> bool:
    if not one.startswith("#") or not other.startswith("#"):
        return False
    pairs = (abs(int(one[at : at + 2], 16) - int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return max(pairs) <= _NEAR
