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

__all__ = ["HIDING", "INTERESTING", "PLAIN", "State", "hides", "looks_of", "shown_by"]

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
    r"display|visibility|opacity|font|indent|position|clip|color|background|overflow|animation|transform|left|top|right"
    r"|float|inset|height|width|\\",
    re.IGNORECASE,
)
"""Found in each style that may hide something, or show it again."""

# Of functions, those that say by themselves that nothing shows, and colours in numbers.
_CLIPPED: Final = re.compile(
    r"rect\(\s{0,9}(?:[01](?:px)?[\s,]{0,9}){4}\)|inset\(\s{0,9}(?:50|100)%\s{0,9}\)|circle\(\s{0,9}0(?:px|%)?\s{0,9}\)"
)
_RGB: Final = re.compile(
    r"rgba?\(\s{0,9}(\d{1,3})[\s,]{1,9}(\d{1,3})[\s,]{1,9}(\d{1,3})\s{0,9}(?:[,/]\s{0,9}(\d{0,3}(?:\.\d{1,9})?)\s{0,9})?\)"
)
_HEX: Final = re.compile(r"#(?:[0-9a-f]{3}(?=f?\Z)|[0-9a-f]{6}(?=(?:ff)?\Z))")
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
_CLEARED: Final = frozenset(
    {"background-clip", "-webkit-background-clip", "text-shadow", "-webkit-text-stroke", "-webkit-text-fill-color"}
)
# A value that other declarations or what is around decide.
_DECIDED_ELSEWHERE: Final = ("var" + _SOME, "env" + _SOME)
_AS_AROUND: Final = frozenset({"inherit", "unset", "revert", "revert-layer"})


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
    ``font``: ``size`` or ``shown``. ``indent``: ``place`` or ``shown``. ``place``: ``place``, ``moved`` or ``shown``.
    ``box``: ``size``, ``narrow`` (of no size where it is a block) or ``shown``. ``color``, ``background``: six digits
    behind ``#``, ``transparent``, or ``some``. Empty where it is as around it.
    """
    if not INTERESTING.search(style):
        return {}
    found: dict[str, tuple[str, bool]] = {}
    for name, value, important in _declarations(style.lower()):
        if _is_valid(name, value) and important >= found.get(name, ("", False))[1]:
            found.pop(name, None)  # the last one stands last
            found[name] = (value, important)
    looks = {_ASPECTS[name]: (_SIMPLE[name](value), mark) for name, (value, mark) in found.items() if name in _SIMPLE}
    if "color" in looks and looks["color"][0] == "transparent" and not _CLEARED.isdisjoint(found):
        looks["color"] = ("some", looks["color"][1])
    _add_background(found, looks)
    values = {name: value for name, (value, _) in found.items()}
    marks = any(mark for _, mark in found.values())
    if any(name in values for name in _PLACES):
        looks["place"] = ("place" if _is_away(values) else "moved" if _is_moved(values) else "shown", marks)
    if any(name in values for name in _BOXES):
        shut = "size" if "display" in values or _is_moved(values) else "narrow"
        looks["box"] = (shut if _is_shut(values) else "shown", marks)
    if any(values.get(name, "none") != "none" for name in ("animation", "animation-name")):
        # What it shows in the end stands elsewhere; an element that is not there has none.
        looks = {name: look for name, look in looks.items() if name == "display" or look[0] not in HIDING}
    return looks


def hides(looks: Mapping[str, tuple[str, bool]]) -> list[str]:
    """The aspects by which a block of declarations alone hides text."""
    hiding = [aspect for aspect, (look, _) in looks.items() if look in HIDING and aspect != "background"]
    if _are_alike(looks.get("color", ("", False))[0], looks.get("background", ("", False))[0]):
        hiding += ["color", "background"]
    return hiding


HIDING: Final = frozenset({"hidden", "transparent", "size", "narrow", "place"})
"""What looks that hide text are called."""


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
        said = {aspect: look for aspect, (look, _) in looks.items() if look}
        sealed = next((said[name] for name in ("content", "opacity", "place", "box") if said.get(name) in HIDING), "")
        visibility = said.get("visibility", "")
        return replace(
            self,
            veiled=visibility == "hidden" if visibility else self.veiled,
            sealed=self.sealed or ("size" if sealed == "narrow" else sealed),
            tiny=said["font"] == "size" if "font" in said else self.tiny,
            away=said["indent"] == "place" if "indent" in said else self.away,
            ink=said.get("color", self.ink),
            ground=said.get("background", "some" if said.get("place") in {"moved", "place"} else self.ground),
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
        if not mark or word.strip() == "important":
            found.append((*_longhand(name.strip(), value.strip()), bool(mark)))
    return found


def _longhand(name: str, value: str) -> tuple[str, str]:
    """Of a font its size, which stands in front of its family; everything else as it is."""
    if name != "font" or value in _ANYTHING:
        return ("font-size" if name == "font" else name), value
    sizes = (word.partition("/")[0] for word in value.split()[:-1])
    return "font-size", next((size for size in sizes if (found := _NUMBER.fullmatch(size)) and _is_size(found)), "some")


def _is_size(found: re.Match[str]) -> bool:
    """Whether a number is a length, and not a weight."""
    return found[2] is not None or float(found[1]) == 0


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
    if value.startswith(_DECIDED_ELSEWHERE):
        return True
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
    if value in _AS_AROUND or (length and value.endswith(("em", "%", "ex", "ch")) and not value.endswith("rem")):
        length = _length(value) or _READABLE
        return "" if length >= _READABLE else "size"
    return "size" if length is not None and 0 <= length < _READABLE else "shown"


def _indent(value: str) -> str:
    if value in _AS_AROUND:
        return ""
    length = _length(value)
    return "place" if length is not None and length <= _FAR else "shown"


def _colour(value: str) -> str:
    value = _NAMED.get(value, value)
    if value in _AS_AROUND or value == "currentcolor":
        return ""
    if _CLEAR.fullmatch(value) or value == "transparent":
        return "transparent"
    found = _HEX.match(value)
    if found is None:
        return "some"
    value = found[0]
    return value if len(value) > len("#fff") else "#" + "".join(digit * 2 for digit in value[1:])


_SIMPLE: Final = {
    "display": lambda value: "hidden" if value == "none" else "shown",
    "visibility": lambda value: _VISIBILITIES.get(value, "shown"),
    "content-visibility": lambda value: "hidden" if value == "hidden" else "shown",
    "opacity": _opacity,
    "font-size": _font,
    "text-indent": _indent,
    "color": _colour,
}
_ASPECTS: Final = {name: name for name in _SIMPLE} | {
    "content-visibility": "content", "font-size": "font", "text-indent": "indent",
}  # fmt: skip
_PLACES: Final = (
    "position", "left", "top", "right", "inset", "clip", "clip-path", "float", "transform", "margin-left", "margin-top",
)  # fmt: skip
_BOXES: Final = ("height", "width", "max-height", "max-width", "overflow", "overflow-x", "overflow-y")
_EMPTY: Final = frozenset({"none", "initial", "transparent", "0", "0 0", *_AS_AROUND})


def _add_background(found: Mapping[str, tuple[str, bool]], looks: dict[str, tuple[str, bool]]) -> None:
    said = [_ground(found[name]) for name in ("background", "background-color") if name in found]
    if said:
        looks["background"] = said[0] if len(set(said)) == 1 and "background-image" not in found else ("some", False)
    elif "background-image" in found:
        looks["background"] = ("some", found["background-image"][1])


def _ground(said: tuple[str, bool]) -> tuple[str, bool]:
    """A background; empty where one sees what lies behind."""
    value, mark = said
    look = "" if value in _EMPTY else _colour(value)
    return ("" if look == "transparent" else look), mark


_LIFTED: Final = frozenset({"absolute", "fixed"})


def _is_away(values: Mapping[str, str]) -> bool:
    position = values.get("position")
    if position in _LIFTED and "0clipped" in values.get("clip", ""):
        return True
    inset = values.get("inset", "").split() or [""]
    starts = [values.get("left", ""), values.get("top", ""), inset[0], inset[-1] if len(inset) != 3 else inset[1]]
    ends = [values.get("right", "")]
    sides = starts + ends if position in _LIFTED else starts if position == "relative" else []
    padded = any(name.startswith("padding") and _length(value) != 0 for name, value in values.items())
    margins = [] if padded else [values.get("margin-left", ""), values.get("margin-top", "")]
    return "0clipped" in values.get("clip-path", "") or any(_indent(side) == "place" for side in (*sides, *margins))


def _is_moved(values: Mapping[str, str]) -> bool:
    """Whether it may lie over something else than what is around it."""
    margins = (_length(values.get(side, "0")) for side in ("margin-left", "margin-top"))
    lifted = values.get("position", "static") != "static" or values.get("transform", "none") != "none"
    return lifted or any(margin is None or margin < 0 for margin in margins)


def _is_shut(values: Mapping[str, str]) -> bool:
    """Whether a box is too small to show anything and lets nothing out; something else may give it room."""
    overflow = " ".join(values.get(name, "") for name in ("overflow", "overflow-x", "overflow-y")).split()
    if {"hidden", "clip"}.isdisjoint(overflow) or values.get("display", "").startswith("table"):
        return False
    if any(name.startswith(_ROOMY) and _length(value) != 0 for name, value in values.items()):
        return False
    sides = (_length(values.get(side, "")) for side in ("height", "max-height", "width", "max-width"))
    return any(side is not None and 0 <= side <= 1 for side in sides)


_ROOMY: Final = ("padding", "min-", "flex")


def _are_alike(one: str, other: str) -> bool:
    if not one.startswith("#") or not other.startswith("#"):
        return False
    pairs = (abs(int(one[at : at + 2], 16) - int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return max(pairs) <= _NEAR
