"""Presentations (PPTX) to text, slide by slide (lxml over the zip container).

Rules of this module: it knows slides, shapes and notes; parts and relationships are known to ``opc``, the text of
shapes, charts and diagrams to ``drawings``. It runs in the worker process (``isolation``).

What comes out: one section for each slide, in the order of the presentation, with its number as the page and its title
as the heading. First the title, then every shape in the order of the file, which is the order programs read slides out
in: paragraphs of one shape as lines below each other, lists with ``- `` or numbers, one ``| cell | cell |`` line for
each row of a table, the cached numbers of charts as a table, diagrams (SmartArt) as a list, then ``Notes:`` and the
speaker's notes. A footer is written once for the whole deck.

Left out is what no reader sees: hidden slides, which keep their number, and hidden shapes, empty placeholders, and what
stands on layouts and masters only. Text of hidden slides and shapes is counted, and so is that of shapes beside a slide
that has no animations, which could move them onto it. Slide numbers, dates and comments are left out as well. Text made
invisible by colour, by its size, or by what lies over it is *not* recognised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.extractors._omissions import Omissions
from symfonic.adapters.knowledge.extractors.blocks import Blocks, mended
from symfonic.adapters.knowledge.extractors.characters import WHITE_SPACE
from symfonic.adapters.knowledge.extractors.drawings import GRAPHICS, A, Drawings, paragraph_text
from symfonic.adapters.knowledge.extractors.opc import ALTERNATIVES, RELATIONS, Package, chosen
from symfonic.adapters.knowledge.extractors.outline import heading_text
from symfonic.adapters.knowledge.ports import Extraction, ExtractionError, Section

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from symfonic.adapters.knowledge.extractors.opc import Relation

__all__ = ["extract_pptx"]


def extract_pptx(data: bytes, *, name: str) -> Extraction:
    """Return the text of a presentation, one section for each slide that has any, numbered from 1.

    Args:
        data: The whole file.
        name: The file's name, for messages only.

    Raises:
        ExtractionError: ``encrypted``, ``damaged``, ``empty``, ``limit`` (of the container, of its XML, or
            ``characters``), ``unsupported`` for a presentation of before 2007.
    """
    package = Package(data, name=name)
    deck = _Deck(package, name)
    sections = tuple(section for number, part in _slides(package) if (section := deck.slide(number, part)) is not None)
    if not sections:
        message = f"{name} has no slide with text that a reader sees; nothing of it can be found; pictures need OCR."
        raise ExtractionError(message, code="empty")
    return Extraction(kind="pptx", sections=sections, hidden=deck.omissions.counted())


_P: Final = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_SHAPE: Final = f"{_P}sp"
_GROUP: Final = f"{_P}grpSp"
_FRAME: Final = f"{_P}graphicFrame"
_PARAGRAPHS: Final = f"{_P}txBody/{A}p"
_TITLES: Final = frozenset({"title", "ctrTitle"})
_LISTS: Final = frozenset({"", "body", "obj"})
_CHANGING: Final = frozenset({"dt", "sldNum"})
_ONCE: Final = frozenset({"ftr", "hdr"})
_ON: Final = frozenset({"1", "true"})
_OFF: Final = frozenset({"0", "false"})


def _slides(package: Package) -> Iterator[tuple[int, str]]:
    """Number and part of every slide, each part once, as the presentation lists them."""
    part = package.main("ppt/presentation.xml")
    relations = package.relations(part)
    seen: set[str] = set()
    for number, entry in enumerate(package.root(part).iterfind(f"{_P}sldIdLst/{_P}sldId"), 1):
        relation = relations.get(entry.get(f"{RELATIONS}id", ""))
        if relation is not None and relation.target in package and relation.target.lower() not in seen:
            seen.add(relation.target.lower())
            yield number, relation.target


class _Deck:
    """A presentation on its way through."""

    def __init__(self, package: Package, name: str) -> None:
        self._package = package
        self._blocks = Blocks(name)
        self._drawings = Drawings(package)
        self.omissions = Omissions()
        self._extent = _extent(package.root(package.main("ppt/presentation.xml")))
        self._footers: set[str] = set()
        self._notes: dict[str, str] = {}  # by part
        self._relations: Mapping[str, Relation] = {}

    def slide(self, number: int, part: str) -> Section | None:
        """One slide; ``None`` where it is hidden or shows no text."""
        root = self._package.root(part)
        if root.get("show") in _OFF:
            self._omit(root, "hidden")
            return None
        self._relations = self._package.relations(part)
        extent = self._extent if root.find(f"{_P}timing") is None else None
        shapes = list(self._shown(root.find(f"{_P}cSld/{_P}spTree"), extent))
        titles = [shape for shape in shapes if _placeholder(shape) in _TITLES]
        title = "\n".join(_text(shape) for shape in titles).strip(WHITE_SPACE)
        self._blocks.paragraph(title)
        for shape in shapes:
            if _placeholder(shape) not in _TITLES:
                self._write_shape(shape)
        self._write_notes()
        text = self._blocks.take()
        heading = heading_text(mended(title))
        return Section(text=text, headings=(heading,) if heading else (), page=number) if text else None

    def _shown(self, parent: Any, extent: tuple[int, int] | None) -> Iterator[Any]:
        """Shapes with text and frames, groups opened, in the order of the file; what does not show is counted."""
        for child in () if parent is None else parent:
            tag = child.tag
            if tag == ALTERNATIVES:
                yield from self._shown(chosen(child), extent)
            elif tag not in {_SHAPE, _FRAME, _GROUP}:
                continue
            elif _is_hidden(child):
                self._omit(child, "hidden")
            elif extent is not None and _is_beside(child, extent):
                self._omit(child, "place")
            elif tag == _GROUP:
                yield from self._shown(child, None)  # within a group places are counted from elsewhere
            else:
                yield child

    def _omit(self, element: Any, why: str) -> None:
        for text in element.iter(f"{A}t"):
            self.omissions.add(why, text.text or "")

    def _write_shape(self, shape: Any) -> None:
        self._blocks.part()
        if shape.tag == _FRAME:
            self._write_frame(shape)
            return
        kind = _placeholder(shape)
        if kind in _CHANGING:
            return
        if kind in _ONCE:
            text = _text(shape)
            if text not in self._footers:
                self._footers.add(text)
                self._blocks.paragraph(text)
            return
        self._write_lines(shape, is_list=kind in _LISTS)

    def _write_lines(self, shape: Any, *, is_list: bool) -> None:
        """Paragraphs of one shape below each other; those of a body are a list, unless they say they are not."""
        paragraphs = list(shape.iterfind(_PARAGRAPHS))
        texts = [paragraph_text(paragraph).strip(WHITE_SPACE) for paragraph in paragraphs]
        is_list = is_list and sum(map(bool, texts)) > 1
        numbers: dict[int, int] = {}
        lines: list[str] = []
        for paragraph, text in zip(paragraphs, texts, strict=True):
            if not text:
                continue
            properties = paragraph.find(f"{A}pPr")
            depth = _depth(properties)
            marker = _marker(properties, depth, numbers, is_list=is_list)
            if marker:
                self._write_paragraph(lines)
                self._blocks.item(text, marker=marker, depth=depth)
            else:
                lines.append(text)
        self._write_paragraph(lines)

    def _write_paragraph(self, lines: list[str]) -> None:
        self._blocks.paragraph("\n".join(lines))
        lines.clear()

    def _write_frame(self, frame: Any) -> None:
        for element in frame.iter(f"{A}tbl", *GRAPHICS):
            if element.tag == f"{A}tbl":
                for row in element.iterchildren(f"{A}tr"):
                    self._blocks.row(
                        [_cell(cell) for cell in row.iterchildren(f"{A}tc") if not _is_set(cell, "hMerge")]
                    )
                self._blocks.part()
            else:
                self._drawings.write(element, self._relations, self._blocks)

    def _write_notes(self) -> None:
        part = self._package.part_related("notesSlide", self._relations)
        if part is None:
            return
        # Read once, however many slides share it.
        text = self._notes.get(part.lower())
        if text is None:
            shapes = self._shown(self._package.root(part).find(f"{_P}cSld/{_P}spTree"), None)
            text = "\n".join(_text(shape) for shape in shapes if _placeholder(shape) == "body").strip(WHITE_SPACE)
            self._notes[part.lower()] = text
        if text:
            self._blocks.paragraph(f"Notes: {text}")


def _is_hidden(shape: Any) -> bool:
    """By the properties that stand first in every shape."""
    properties = next(iter(shape), None)
    described = None if properties is None else properties.find(f"{_P}cNvPr")
    return described is not None and described.get("hidden") in _ON


def _extent(presentation: Any) -> tuple[int, int] | None:
    """Width and height of a slide; ``None`` where they are not said."""
    size = presentation.find(f"{_P}sldSz")
    width, height = (_whole(size, name) for name in ("cx", "cy"))
    return (width, height) if width and height else None


def _is_beside(shape: Any, extent: tuple[int, int]) -> bool:
    """Whether a shape that says where it is lies beside the slide altogether, and is not turned."""
    place = next((found for found in shape.iter(f"{A}xfrm", f"{_P}xfrm")), None)
    if place is None or place.get("rot", "0") != "0":
        return False
    left, top = (_whole(place.find(f"{A}off"), name) for name in ("x", "y"))
    width, height = (_whole(place.find(f"{A}ext"), name) for name in ("cx", "cy"))
    if left is None or top is None or width is None or height is None:
        return False
    return left >= extent[0] or top >= extent[1] or left + width <= 0 or top + height <= 0


def _whole(element: Any, name: str) -> int | None:
    text = "" if element is None else element.get(name, "")
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 16 else None


def _placeholder(shape: Any) -> str | None:
    """Which placeholder of its layout a shape fills, ``""`` for one of no type; ``None`` for a shape of its own."""
    found = shape.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
    return None if found is None else str(found.get("type", ""))


def _text(shape: Any) -> str:
    texts = (paragraph_text(paragraph).strip(WHITE_SPACE) for paragraph in shape.iterfind(_PARAGRAPHS))
    return "\n".join(text for text in texts if text)


def _cell(cell: Any) -> str:
    if _is_set(cell, "vMerge"):
        return ""
    return " ".join(paragraph_text(paragraph) for paragraph in cell.iterfind(f"{A}txBody/{A}p"))


def _is_set(element: Any, name: str) -> bool:
    return element.get(name) in _ON


def _depth(properties: Any) -> int:
    depth = "0" if properties is None else properties.get("lvl", "0")
    return int(depth) if depth in set("012345678") else 0


def _marker(properties: Any, depth: int, numbers: dict[int, int], *, is_list: bool) -> str:
    """What stands before a paragraph; ``numbers`` counts the items of every depth."""
    for deeper in [other for other in numbers if other > depth]:
        del numbers[deeper]
    numbered = None if properties is None else properties.find(f"{A}buAutoNum")
    if numbered is not None:
        start = numbered.get("startAt", "1")
        first = int(start) if start.isascii() and start.isdigit() and len(start) < 6 else 1
        numbers[depth] = numbers[depth] + 1 if depth in numbers else first
        return f"{numbers[depth]}."
    numbers.pop(depth, None)
    if properties is not None:
        if properties.find(f"{A}buNone") is not None:
            return ""
        if properties.find(f"{A}buChar") is not None or properties.find(f"{A}buBlip") is not None:
            return "-"
    return "-" if is_list else ""
