"""Word documents (DOCX) to text, as light Markdown (lxml over the zip container).

Rules of this module: it walks the tree of a document and decides what of it is text; what styles and numbering mean is
known to ``docx_styles``, parts and their relationships to ``opc``. It runs in the worker process (``isolation``).

What comes out: paragraphs apart by a blank line, headings with their numbers as headings, items of lists behind the
number or ``- `` that Word shows, one ``| cell | cell |`` line for each row of a table (a table that holds tables, or
one single cell, comes out as blocks), footnotes and endnotes as ``[^1]`` and a block behind the paragraph or table that
refers to them, text boxes behind the paragraph they hang on, formulas in one line. Headers come first and footers last,
each text once, without page numbers. Of a tracked change the new text is kept.

Left out is what no reader sees: hidden text (also hidden by its style), deleted text, codes of fields, hidden drawings
and rows, headers that are not in use. Comments are left out as well: they are about the text. So are embedded files and
descriptions of pictures. Hidden text is counted, and so is text of a point and less, and white text that nothing lies
behind (``docx_shading``). Other text made invisible by colour or place is *not* recognised.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Protocol

from symfonic.adapters.knowledge.extractors._omissions import Omissions
from symfonic.adapters.knowledge.extractors.blocks import Blocks, one_line, row_of
from symfonic.adapters.knowledge.extractors.docx_shading import Grounds
from symfonic.adapters.knowledge.extractors.docx_styles import Numbering, Style, Styles, W, is_on, value
from symfonic.adapters.knowledge.extractors.drawings import GRAPHICS, Drawings
from symfonic.adapters.knowledge.extractors.formulas import FORMULAS, linear, symbol
from symfonic.adapters.knowledge.extractors.opc import ALTERNATIVES, RELATIONS, Package, chosen
from symfonic.adapters.knowledge.ports import Extraction, ExtractionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from symfonic.adapters.knowledge.extractors.opc import Relation

__all__ = ["extract_docx"]


def extract_docx(data: bytes, *, name: str) -> Extraction:
    """Return the text of a Word document, one section for each heading.

    Args:
        data: The whole file.
        name: The file's name, for messages only.

    Raises:
        ExtractionError: ``encrypted``, ``damaged``, ``empty``, ``limit`` (of the container, of its XML, or
            ``characters``), ``unsupported`` for a document of before 2007.
    """
    package = Package(data, name=name)
    blocks = Blocks(name)
    document = _Document(package, package.main("word/document.xml"), blocks)
    document.write()
    sections = blocks.sections()
    if not sections:
        message = f"{name} holds no text that a reader sees, so nothing of it can be found; pictures of text need OCR."
        raise ExtractionError(message, code="empty")
    return Extraction(kind="docx", sections=sections, hidden=document.omissions.counted())


def _names(text: str) -> frozenset[str]:
    return frozenset(f"{W}{name}" for name in text.split())


_PARAGRAPH: Final = f"{W}p"
_PARAGRAPH_PROPERTIES: Final = f"{W}pPr"
_TABLE: Final = f"{W}tbl"
_ROW: Final = f"{W}tr"
_CELL: Final = f"{W}tc"
_RUN: Final = f"{W}r"
_RUN_PROPERTIES: Final = f"{W}rPr"
_TEXT: Final = f"{W}t"
_FIELD_MARK: Final = f"{W}fldChar"
_FIELD_CODE: Final = f"{W}instrText"
_TEXT_BOX: Final = f"{W}txbxContent"
_SECTION: Final = f"{W}sectPr"
_ID: Final = f"{W}id"
_TYPE: Final = f"{W}type"
# What holds runs, and what holds paragraphs, tables, rows or cells, without meaning anything itself.
_INLINE_WRAPPERS: Final = _names("hyperlink ins moveTo sdt sdtContent smartTag customXml fldSimple dir bdo")
_BLOCK_WRAPPERS: Final = _names("sdt sdtContent customXml ins moveTo smartTag")
_REMOVED: Final = _names("del moveFrom")
_NOTES: Final = {f"{W}footnoteReference": "footnotes", f"{W}endnoteReference": "endnotes"}
_PICTURES: Final = _names("drawing pict object")
_SIGNS: Final = {
    f"{W}tab": "\t",
    f"{W}ptab": "\t",
    f"{W}br": "\n",
    f"{W}cr": "\n",
    f"{W}noBreakHyphen": "\u2011",  # a soft hyphen shows at line ends only, and the lines are ours
}
_EXTENDED: Final = "{http://schemas.microsoft.com/office/word/2015/wordml/symex}"
_EMOJI: Final = f"{_EXTENDED}symEx"
_EMOJI_CHARACTER: Final = f"{_EXTENDED}char"
_WHITE: Final = re.compile("[\t\r\n]+")
# Fields whose result is true of one page, or of the day it was printed.
_PAGE_FIELD: Final = re.compile(r"\s{0,20}(?:PAGE|NUMPAGES|SECTIONPAGES|DATE|TIME|PRINTDATE)\b", re.IGNORECASE)
_HIDING: Final = re.compile(r"visibility\s{0,9}:\s{0,9}hidden|display\s{0,9}:\s{0,9}none", re.IGNORECASE)
_BODY_TEXT: Final = "9"
_TINY: Final = frozenset({"0", "1", "2"})  # half points
_WHITE_INK: Final = "FFFFFF"


class _Sink(Protocol):
    """Where blocks go: the document, or a cell of a table, which is one line."""

    def paragraph(self, text: str, *, level: int | None = None) -> None: ...

    def item(self, text: str, *, marker: str, depth: int = 0) -> None: ...

    def row(self, cells: Iterable[str]) -> None: ...

    def part(self) -> None: ...


class _Gathered:
    """The texts of a cell or a note."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def paragraph(self, text: str, *, level: int | None = None) -> None:  # noqa: ARG002 - a heading is text here
        self.texts.append(text)

    def item(self, text: str, *, marker: str, depth: int = 0) -> None:  # noqa: ARG002 - one line has no depth
        self.texts.append(f"{marker} {text}")

    def row(self, cells: Iterable[str]) -> None:
        self.texts.append(row_of(one_line(cell) for cell in cells))

    def part(self) -> None:
        """A line has no parts."""


class _Field:
    """A complex field that is open: first its code, which shows nothing, then its result."""

    __slots__ = ("code", "in_code", "silent")

    def __init__(self) -> None:
        self.code: list[str] = []
        self.in_code = True
        self.silent = True


class _Document:
    """One document on its way through."""

    def __init__(self, package: Package, part: str, blocks: Blocks) -> None:
        self._package = package
        self._blocks = blocks
        self._root = package.root(part)
        self._parts = package.relations(part)
        self._relations: Mapping[str, Relation] = self._parts
        self._styles = Styles(package.related("styles", self._parts))
        self._numbering = Numbering(package.related("numbering", self._parts), self._styles)
        self._drawings = Drawings(package)
        self.omissions = Omissions()
        self._grounds = Grounds(self._root, package.related("styles", self._parts))
        self._sink: _Sink = blocks
        self._text: list[str] = []
        self._later: list[Any] = []  # text boxes, charts and diagrams of the paragraph
        self._fields: list[_Field] = []
        self._silent = 0
        self._unended: frozenset[Any] = frozenset()  # beginnings of fields that never end: they hide nothing
        self._notes: dict[tuple[str, str], int] = {}
        self._due: list[tuple[str, str]] = []  # notes referred to since the last block
        self._note_roots: dict[str, dict[str, Any]] = {}
        self._style = Style()
        self._in_margin = False
        self._headings_count = True

    def write(self) -> None:
        """Everything, in the order it is read."""
        headers, footers = self._margins()
        self._write_margins(headers)
        self._write_story(self._root, self._root.find(f"{W}body"))
        if footers:
            self._blocks.leave_headings()
            self._write_margins(footers)

    # ------------------------------------------------------------------------------------------- headers and footers

    def _margins(self) -> tuple[list[str], list[str]]:
        """Parts of the headers and of the footers that are in use, each once."""
        settings = self._package.related("settings", self._parts)
        sections = [
            found for found in self._root.iter(_SECTION) if not str(found.getparent().tag).endswith("sectPrChange")
        ]
        shown = {"default"}
        shown |= {"even"} if is_on(settings, "evenAndOddHeaders") else set()
        shown |= {"first"} if any(is_on(section, "titlePg") for section in sections) else set()
        found: dict[str, list[str]] = {"header": [], "footer": []}
        for section in sections:
            for reference in section:
                kind = str(reference.tag).removeprefix(W).removesuffix("Reference")
                relation = self._parts.get(reference.get(f"{RELATIONS}id", ""))
                if kind in found and relation is not None and reference.get(_TYPE, "default") in shown:
                    found[kind].append(relation.target)
        headers, footers = (
            [part for part in dict.fromkeys(parts) if part in self._package] for parts in found.values()
        )
        return headers, footers

    def _write_margins(self, parts: Sequence[str]) -> None:
        self._in_margin = True
        seen: set[str] = set()
        for part in parts:
            root, self._relations = self._package.root(part), self._package.relations(part)
            texts = self._gathered(root, root)
            for text in texts:
                if text.strip() not in seen:
                    seen.add(text.strip())
                    self._blocks.paragraph(text)
        self._relations, self._in_margin = self._parts, False

    # ------------------------------------------------------------------------------------------------------ stories

    def _write_story(self, root: Any, body: Any) -> None:
        """One flow of text of its own: no field reaches beyond it."""
        if body is None:
            return
        kept = self._fields, self._silent, self._unended
        self._fields, self._silent, self._unended = [], 0, _unended(root)
        self._write_blocks(body)
        self._fields, self._silent, self._unended = kept

    def _gathered(self, root: Any, body: Any) -> list[str]:
        """The texts of a flow, which goes elsewhere."""
        kept, gathered = self._sink, _Gathered()
        self._sink = gathered
        self._write_story(root, body)
        self._sink = kept
        return gathered.texts

    def _write_blocks(self, parent: Any) -> None:
        carried = ""
        for child in parent:
            tag = child.tag
            if tag == _PARAGRAPH:
                carried = self._write_paragraph(child, carried)
            elif tag == _TABLE:
                self._write_table(child)
            elif tag in _BLOCK_WRAPPERS:
                self._write_blocks(child)
            elif tag == ALTERNATIVES and (branch := chosen(child)) is not None:
                self._write_blocks(branch)
            if self._due and self._sink is self._blocks:
                self._write_notes()
        if carried:
            self._sink.paragraph(carried)

    # --------------------------------------------------------------------------------------------------- paragraphs

    def _write_paragraph(self, paragraph: Any, carried: str) -> str:
        """Write a paragraph; one whose end was deleted is handed on to the next one instead."""
        properties = paragraph.find(_PARAGRAPH_PROPERTIES)
        style = self._styles.paragraph(value(properties, "pStyle"))
        self._style = style
        self._text = [carried]
        self._read_inline(paragraph)
        text, later = "".join(self._text), self._later
        self._text, self._later = [], []
        mark = None if properties is None else properties.find(_RUN_PROPERTIES)
        joined = mark is not None and mark.find(f"{W}del") is not None
        if not joined:
            hidden = not text.strip() and (style.hidden or self._styles.hides or bool(is_on(mark, "vanish")))
            self._put(text, style, properties, "" if hidden else self._marker(style, properties))
        for element in later:
            self._write_later(element)
        return text if joined else ""

    def _marker(self, style: Style, properties: Any) -> str:
        numbering = None if properties is None else properties.find(f"{W}numPr")
        number = value(numbering, "numId")
        if number is None:
            number = style.number
        if not number or number == "0":
            return ""
        return self._numbering.marker(number, _depth(numbering, style))

    def _put(self, text: str, style: Style, properties: Any, marker: str) -> None:
        text = text.strip(" \t\n")
        if not text:
            return
        outline = value(properties, "outlineLvl")
        level = style.level
        if outline is not None:
            level = int(outline) + 1 if outline in set("012345678") else None if outline == _BODY_TEXT else level
        if level is not None and self._headings_count and not self._in_margin:
            self._sink.paragraph(f"{marker} {text}" if marker else text, level=level)
        elif marker:
            numbering = None if properties is None else properties.find(f"{W}numPr")
            self._sink.item(text, marker=marker, depth=_depth(numbering, style))
        else:
            self._sink.paragraph(text)

    # --------------------------------------------------------------------------------------------------------- runs

    def _read_inline(self, parent: Any) -> None:
        for child in parent:
            tag = child.tag
            if tag == _RUN:
                self._read_run(child)
            elif tag in _INLINE_WRAPPERS:
                if not (self._in_margin and _PAGE_FIELD.match(child.get(f"{W}instr", ""))):
                    self._read_inline(child)
            elif tag == ALTERNATIVES:
                branch = chosen(child)
                if branch is not None:
                    self._read_inline(branch)
            elif tag in FORMULAS and not self._silent:
                self._text.append(linear(child))

    def _read_run(self, run: Any) -> None:
        self._read_pieces(run, why=self._why_hidden(run))

    def _read_pieces(self, parent: Any, *, why: str) -> None:
        for child in parent:
            tag = child.tag
            if tag == _FIELD_MARK:
                self._mark_field(child)
            elif tag == _FIELD_CODE:
                if self._fields:
                    self._fields[-1].code.append(child.text or "")
            elif why or self._silent:
                if not self._silent:
                    self._omit(child, why)
            elif tag == _TEXT:
                self._text.append(_WHITE.sub(" ", child.text or ""))
            elif tag == ALTERNATIVES:
                branch = chosen(child)
                self._read_pieces(() if branch is None else branch, why="")
            else:
                self._read_sign(child, tag)

    def _why_hidden(self, run: Any) -> str:
        """Why a run does not show; empty where it does."""
        properties = run.find(_RUN_PROPERTIES)
        named = value(properties, "rStyle")
        style = Style() if named is None else self._styles.style(named)
        hidden = is_on(properties, "vanish")
        if hidden is None:
            # Twice, by the style of the paragraph and that of the run, is not hidden (ECMA-376 part 1, 17.7.3).
            hidden = self._styles.hides or self._style.hidden ^ style.hidden
        if hidden:
            return "hidden"
        size = value(properties, "sz") or style.size or self._style.size
        if size in _TINY:
            return "size"
        colour = value(properties, "color") or style.colour or self._style.colour
        # Within a shape and in a margin something else may lie behind it.
        plain = colour.upper() == _WHITE_INK and self._headings_count and not self._in_margin
        return "colour" if plain and not self._grounds.lies_behind(run) else ""

    def _omit(self, element: Any, why: str) -> None:
        """Count the text of an element that does not show."""
        for text in element.iter(_TEXT):
            self.omissions.add(why, text.text or "")

    def _read_sign(self, child: Any, tag: str) -> None:
        if tag in _SIGNS:
            self._text.append(_SIGNS[tag])
        elif tag == f"{W}sym":
            self._text.append(symbol(child.get(f"{W}font", ""), child.get(f"{W}char", "")))
        elif tag in _NOTES:
            self._refer(_NOTES[tag], child.get(_ID, ""))
        elif tag == _EMOJI:
            self._text.append(symbol("", child.get(_EMOJI_CHARACTER, "")))
        elif tag in _PICTURES:
            self._later += _graphics([child])
        elif tag == f"{W}ruby":
            self._read_ruby(child)

    def _read_ruby(self, ruby: Any) -> None:
        for name in ("rubyBase", "rt"):
            part = ruby.find(f"{W}{name}")
            if part is not None:
                self._text.append("(" if name == "rt" else "")
                self._read_inline(part)
                self._text.append(")" if name == "rt" else "")

    # ------------------------------------------------------------------------------------------------------- fields

    def _mark_field(self, mark: Any) -> None:
        kind = mark.get(f"{W}fldCharType")
        if kind == "begin":
            if mark not in self._unended:
                self._fields.append(_Field())
                self._silent += 1
            return
        if not self._fields:
            return
        field = self._fields[-1]
        if kind == "separate" and field.in_code:
            field.in_code = False
            field.silent = self._in_margin and _PAGE_FIELD.match("".join(field.code)) is not None
            self._silent -= not field.silent
        elif kind == "end":
            self._fields.pop()
            self._silent -= field.silent

    # -------------------------------------------------------------------------------------------------------- notes

    def _refer(self, kind: str, note: str) -> None:
        key = (kind, note)
        if note not in self._notes_of(kind):
            return
        if key not in self._notes:
            self._notes[key] = len(self._notes) + 1
            self._due.append(key)
        self._text.append(f"[^{self._notes[key]}]")

    def _notes_of(self, kind: str) -> dict[str, Any]:
        if kind not in self._note_roots:
            root = self._package.related(kind, self._parts)
            entries = [] if root is None else [entry for entry in root if entry.get(_TYPE, "normal") == "normal"]
            self._note_roots[kind] = {entry.get(_ID, ""): entry for entry in entries}
        return self._note_roots[kind]

    def _write_notes(self) -> None:
        due, self._due = self._due, []
        self._blocks.part()
        for kind, note in due:
            body = self._note_roots[kind][note]
            text = "\n".join(text for text in self._gathered(body, body) if text)
            if text:
                self._blocks.paragraph(f"[^{self._notes[kind, note]}]: {text}")

    # --------------------------------------------------------------------------------------- text boxes and graphics

    def _write_later(self, element: Any) -> None:
        if element.tag != _TEXT_BOX:
            self._drawings.write(element, self._relations, self._sink)
            return
        kept, self._headings_count = self._headings_count, False
        self._write_story(element, element)
        self._headings_count = kept

    # ------------------------------------------------------------------------------------------------------- tables

    def _write_table(self, table: Any) -> None:
        rows = []
        for row in _inside(table, _ROW):
            if _is_gone(row.find(f"{W}trPr")):
                if is_on(row.find(f"{W}trPr"), "hidden"):
                    self._omit(row, "hidden")
            else:
                rows.append(row)
        self._sink.part()
        if self._sink is self._blocks and (_holds_table(table) or _is_frame(rows)):
            for row in rows:
                for cell in _cells(row):
                    self._write_blocks(cell)
        else:
            for row in rows:
                self._sink.row([self._cell_text(cell) for cell in _cells(row)])
        self._sink.part()

    def _cell_text(self, cell: Any) -> str:
        if _continues(cell):
            return ""
        kept, gathered = self._sink, _Gathered()
        self._sink = gathered
        self._write_blocks(cell)
        self._sink = kept
        return " ".join(gathered.texts)


# ------------------------------------------------------------------------------------------------------- structure


def _depth(numbering: Any, style: Style) -> int:
    depth = value(numbering, "ilvl")
    if depth is None:
        return style.depth or 0
    return int(depth) if depth in set("012345678") else 0


def _unended(root: Any) -> frozenset[Any]:
    """Marks that begin a field which never ends; a document cut off in the middle has them."""
    begun: list[Any] = []
    for mark in root.iter(_FIELD_MARK):
        kind = mark.get(f"{W}fldCharType")
        if kind not in {"begin", "end"} or any(above.tag in _REMOVED for above in mark.iterancestors()):
            continue
        if kind == "begin":
            begun.append(mark)
        elif begun:
            begun.pop()
    return frozenset(begun)


def _inside(parent: Any, tag: str) -> Iterator[Any]:
    """Children of a tag, also within what means nothing itself."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in _BLOCK_WRAPPERS:
            yield from _inside(child, tag)


def _cells(row: Any) -> Iterator[Any]:
    for cell in _inside(row, _CELL):
        properties = cell.find(f"{W}tcPr")
        gone = properties is not None and properties.find(f"{W}cellDel") is not None
        if not gone and not _is_continued(properties, "hMerge"):
            yield cell


def _is_gone(properties: Any) -> bool:
    """Whether a row is deleted or hidden."""
    return properties is not None and (properties.find(f"{W}del") is not None or bool(is_on(properties, "hidden")))


def _is_continued(properties: Any, name: str) -> bool:
    merge = None if properties is None else properties.find(f"{W}{name}")
    return merge is not None and merge.get(f"{W}val", "continue") == "continue"


def _continues(cell: Any) -> bool:
    """Whether a cell belongs to the one above it."""
    return _is_continued(cell.find(f"{W}tcPr"), "vMerge")


def _holds_table(table: Any) -> bool:
    return next(table.iterdescendants(_TABLE), None) is not None


def _is_frame(rows: Sequence[Any]) -> bool:
    return len(rows) == 1 and len(list(_cells(rows[0]))) == 1


def _graphics(elements: Iterable[Any]) -> Iterator[Any]:
    """Text boxes, charts and diagrams among and below elements, each once and none that is hidden."""
    for element in elements:
        tag = element.tag
        if tag == ALTERNATIVES:
            branch = chosen(element)
            yield from _graphics(() if branch is None else branch)
        elif tag == _TEXT_BOX or tag in GRAPHICS:
            yield element
        elif not _is_hidden_graphic(element):
            yield from _graphics(element)


def _is_hidden_graphic(element: Any) -> bool:
    style = element.get("style")
    if style and _HIDING.search(style):
        return True
    return any(
        child.get("hidden") in {"1", "true"} for child in element if str(child.tag).endswith(("}docPr", "}cNvPr"))
    )
