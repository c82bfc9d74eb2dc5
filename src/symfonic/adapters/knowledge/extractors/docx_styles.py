"""What styles and numbering of a DOCX say about paragraphs: heading levels, hidden text, markers of lists.

Rules of this module: it reads ``styles.xml`` and ``numbering.xml`` and no text. Names of built-in styles are the same
in every language (ECMA-376 part 1, 17.7.4.9), ids are not, so ids decide only where a style is not described. Every
style is worked out once, however long its chain of ancestors.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["Numbering", "Style", "Styles", "W", "is_on", "value"]

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
"""Namespace of WordprocessingML, as lxml writes it before names."""

_VALUE: Final = f"{W}val"
_OFF: Final = frozenset({"0", "false", "off"})
_HEADING_NAME: Final = re.compile(r"heading ?([1-9])", re.IGNORECASE | re.ASCII)
_BODY_TEXT: Final = 9  # outline levels count from 0 to 8; this one is none
_MAX_MARKER: Final = 40
_MAX_LEVELS: Final = 9


def value(parent: Any, name: str) -> str | None:
    """``w:val`` of a child of ``parent``; ``None`` where either is missing."""
    child = None if parent is None else parent.find(f"{W}{name}")
    found: str | None = None if child is None else child.get(_VALUE)
    return found


def is_on(parent: Any, name: str) -> bool | None:
    """Whether a switch is set; ``None`` where nothing is said about it."""
    child = None if parent is None else parent.find(f"{W}{name}")
    return None if child is None else child.get(_VALUE, "1") not in _OFF


def _number(text: str | None) -> int | None:
    return int(text) if text and len(text) < _MAX_LEVELS and text.isascii() and text.isdigit() else None


# ----------------------------------------------------------------------------------------------------------- styles


@dataclass(frozen=True, slots=True)
class Style:
    """What a style means for the text that has it.

    Attributes:
        level: Heading level, 0 for the title of the document; ``None`` for no heading.
        hidden: Whether its text is hidden.
        number: Id of its numbering; ``""`` for none.
        depth: Level of the list, 0 for the outermost.
        size: Of its text in half points, as it is written; empty where the style does not say.
        colour: Of its text, as it is written; empty where the style does not say.
    """

    level: int | None = None
    hidden: bool = False
    number: str = ""
    depth: int | None = None
    size: str = ""
    colour: str = ""


class Styles:
    """The styles of a document.

    Args:
        root: Root of ``styles.xml``; ``None`` where the document has none.

    Attributes:
        hides: Whether the document's defaults hide what no style and no run says shows.
    """

    def __init__(self, root: Any) -> None:
        entries = [] if root is None else [entry for entry in root.iter(f"{W}style") if entry.get(f"{W}styleId")]
        self._entries = {entry.get(f"{W}styleId"): entry for entry in entries}
        self._known: dict[str, Style] = {}
        defaults = None if root is None else root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr")
        self.hides = bool(is_on(defaults, "vanish"))
        self._default = next(
            (
                entry.get(f"{W}styleId")
                for entry in entries
                if entry.get(f"{W}type") == "paragraph" and entry.get(f"{W}default", "0") not in _OFF
            ),
            "",
        )

    def paragraph(self, style_id: str | None) -> Style:
        """The style of a paragraph, the document's default one where it names none."""
        return self.style(style_id or self._default)

    def style(self, style_id: str) -> Style:
        """A style with what it inherits."""
        chain: list[str] = []
        current = style_id
        while current in self._entries and current not in self._known:
            self._known[current] = Style()  # a chain that comes back to itself ends here
            chain.append(current)
            current = value(self._entries[current], "basedOn") or ""
        found = self._known.get(current, Style()) if chain else self._known.get(current) or _undescribed(current)
        for step in reversed(chain):
            found = self._known[step] = _derived(found, self._entries[step])
        return found


def _undescribed(style_id: str) -> Style:
    named = _HEADING_NAME.fullmatch(style_id)
    return Style(level=int(named[1])) if named else Style()


def _derived(base: Style, entry: Any) -> Style:
    """A style made of the one it is based on and its own entry."""
    paragraph = entry.find(f"{W}pPr")
    run = entry.find(f"{W}rPr")
    hidden = is_on(run, "vanish")
    style = base if hidden is None else replace(base, hidden=hidden)
    size, colour = value(run, "sz"), value(run, "color")
    if size or colour:
        style = replace(style, size=size or style.size, colour=colour or style.colour)
    numbering = None if paragraph is None else paragraph.find(f"{W}numPr")
    if numbering is not None:
        number, depth = value(numbering, "numId"), _number(value(numbering, "ilvl"))
        style = replace(
            style, number=style.number if number is None else number, depth=style.depth if depth is None else depth
        )
    name = (value(entry, "name") or "").lower()
    named = _HEADING_NAME.fullmatch(name)
    outline = _number(value(paragraph, "outlineLvl"))
    if outline is not None:
        style = replace(style, level=outline + 1 if outline < _BODY_TEXT else None)
    elif named or name == "title":
        style = replace(style, level=int(named[1]) if named else 0)
    return style


# -------------------------------------------------------------------------------------------------------- numbering


@dataclass(frozen=True, slots=True)
class _Level:
    start: int = 1
    form: str = "decimal"
    text: str = ""
    legal: bool = False


class Numbering:
    """The lists of a document while it is read in order.

    Args:
        root: Root of ``numbering.xml``; ``None`` where the document has none.
        styles: For lists that are described by a style.
    """

    def __init__(self, root: Any, styles: Styles) -> None:
        self._lists: dict[str, str] = {}
        self._levels: dict[str, dict[int, _Level]] = {}
        self._restarts: dict[tuple[str, int], int] = {}
        self._counts: dict[str, dict[int, int]] = {}
        if root is not None:
            self._read(root, styles)

    def _read(self, root: Any, styles: Styles) -> None:
        abstract = {entry.get(f"{W}abstractNumId", ""): entry for entry in root.iter(f"{W}abstractNum")}
        described = {kind: dict(_levels(entry.iterchildren(f"{W}lvl"))) for kind, entry in abstract.items()}
        numbers = {entry.get(f"{W}numId", ""): entry for entry in root.iterchildren(f"{W}num")}
        for number, entry in numbers.items():
            kind = value(entry, "abstractNumId") or ""
            link = value(abstract.get(kind), "numStyleLink")
            linked = numbers.get(styles.style(link).number) if link else None
            self._lists[number] = kind = (value(linked, "abstractNumId") or kind) if link else kind
            own = _levels(entry.iterfind(f"{W}lvlOverride/{W}lvl"))
            self._levels[number] = described.get(kind, {}) | dict(own)
            for override in entry.iterchildren(f"{W}lvlOverride"):
                start = _number(value(override, "startOverride"))
                if start is not None:
                    self._restarts[number, _number(override.get(f"{W}ilvl")) or 0] = start

    def marker(self, number: str, depth: int) -> str:
        """Count one more item of a list and return what stands before it; ``""`` where nothing does."""
        kind = self._lists.get(number)
        level = self._levels.get(number, {}).get(depth)
        if kind is None or level is None:
            return ""
        counts = self._counts.setdefault(kind, {})
        start = self._restarts.pop((number, depth), None)
        if start is not None:
            counts[depth] = start
        else:
            counts[depth] = counts[depth] + 1 if depth in counts else level.start
        for deeper in range(depth + 1, _MAX_LEVELS):
            counts.pop(deeper, None)
        return _marker(level, self._levels[number], counts)


def _levels(entries: Iterable[Any]) -> Iterator[tuple[int, _Level]]:
    for level in entries:
        depth, start = _number(level.get(f"{W}ilvl")), _number(value(level, "start"))
        if depth is not None and depth < _MAX_LEVELS:
            form = value(level, "numFmt") or "decimal"
            text = (value(level, "lvlText") or "")[:_MAX_MARKER]
            yield depth, _Level(1 if start is None else start, form, text, bool(is_on(level, "isLgl")))


_PLACE: Final = re.compile("%([1-9])")


def _marker(level: _Level, levels: Mapping[int, _Level], counts: Mapping[int, int]) -> str:
    if level.form == "bullet":
        return "-"

    def counted(found: re.Match[str]) -> str:
        depth = int(found[1]) - 1
        other = levels.get(depth, _Level())
        form = "decimal" if level.legal and other.form != "none" else other.form
        return _numeral(counts.get(depth, other.start), form)

    return _PLACE.sub(counted, level.text).strip(" \t")


_ROMAN: Final = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_MAX_LETTERS: Final = 30
_MAX_ROMAN: Final = 4000


def _numeral(number: int, form: str) -> str:
    """A number as the named format writes it; formats that are rare are written in digits."""
    if form == "none":
        return ""
    if form == "decimalZero":
        return f"{number:02}"
    if form.endswith("Letter") and 0 < number <= 26 * _MAX_LETTERS:
        letters = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letters.upper() if form == "upperLetter" else letters
    if form.endswith("Roman") and 0 < number < _MAX_ROMAN:
        numeral = _roman(number)
        return numeral.upper() if form == "upperRoman" else numeral
    return str(number)


def _roman(number: int) -> str:
    numeral = ""
    for size, letters in _ROMAN:
        numeral += letters * (number // size)
        number %= size
    return numeral
