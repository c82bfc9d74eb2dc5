"""Workbooks (XLSX, XLS, ODS) to text, sheet by sheet (python-calamine; lxml for ODS).

Rules of this module: the only one that knows python-calamine, which is imported when a workbook is read. It is native
code that lays out a sheet in memory from its first to its last cell, so the extent of a sheet is known before it is
asked for one. It runs in the worker process (``isolation``).

What comes out: one section for each sheet, with its name as the heading, and one ``| cell | cell |`` line for each row.
Rows and columns before the first cell, and cells behind the last one of a row, are left out; an empty row parts tables.
Of a formula the value that was saved with it is kept, a merged cell stands once, at its upper left. In XLSX and XLS
numbers are plain, as the file holds them (25 % is ``0.25``, an amount has no currency, an article's number no leading
zeros, for formats are not looked at), dates and times are ISO 8601, and truth is ``TRUE`` or ``FALSE``; an ODS file
holds the text that is shown, and that is taken.

Left out are hidden sheets, whose text is counted, formulas, comments, charts, text boxes, headers and footers. A cell
with a formula and no saved result, as programs write them that do not calculate, shows nothing and is counted, in XLSX
and ODS, whatever its sheet; an XLS file cannot say that. Hidden rows and columns are kept, because a filter hides them
for a while; text made invisible by colour or by a number format is *not* recognised.
"""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from symfonic.adapters.knowledge.extractors._omissions import UNSAVED, Omissions
from symfonic.adapters.knowledge.extractors.archives import Archive
from symfonic.adapters.knowledge.extractors.blocks import Blocks, mended, number_text
from symfonic.adapters.knowledge.extractors.opc import Package
from symfonic.adapters.knowledge.extractors.outline import heading_text
from symfonic.adapters.knowledge.extractors.xml import parse_xml
from symfonic.adapters.knowledge.ports import Extraction, ExtractionError, Section

__all__ = ["MAX_CELLS", "extract_ods", "extract_xls", "extract_xlsx"]

MAX_CELLS: Final = 20_000_000
"""Cells between the first and the last one of a sheet, empty ones included."""
_MAX_COLUMNS: Final = 16_384


def extract_xlsx(data: bytes, *, name: str) -> Extraction:
    """Return the text of an Excel workbook, one section for each sheet that has any.

    Args:
        data: The whole file.
        name: The file's name, for messages only.

    Raises:
        ExtractionError: ``encrypted``, ``damaged``, ``empty``, ``unsupported`` for a workbook of before 2007, ``limit``
            (what the container promises, ``characters``, or ``memory`` where a sheet has more than :data:`MAX_CELLS`
            from its first to its last cell).
    """
    package = Package(data, name=name)
    damaged: set[str] = set()
    omissions = Omissions()
    for part in package:
        # Whatever the library may unpack, by any name, is unpacked here once, so that no size in the directory lies.
        try:
            content = package.read(part)
        except ExtractionError:
            if _NO_TEXT.match(part) is None:
                raise
            damaged.add(part)
            continue
        _check_counts(content, name)
        _check_extent(content, name)
        omissions.add_counts([(UNSAVED, _unsaved_formulas(content))])
        if part.startswith("xl/") and part.endswith(".xml"):
            _check_encoding(content, name)
    sound = _without(damaged, data, name) if damaged else data
    return _extraction("xlsx", _calamine_sheets(sound, name, omissions), omissions, name)


# Where pictures and settings lie, whose loss costs no text.
_NO_TEXT: Final = re.compile(
    r"docprops/|customxml/|xl/(?:media|drawings|charts|diagrams|theme|printersettings|embeddings|activex|ctrlprops)/"
)


def _without(damaged: Container[str], data: bytes, name: str) -> bytes:
    """The workbook without some of its parts: if the library looks for one of them after all, it misses it."""
    archive, sound = Archive(data, name=name), io.BytesIO()
    with zipfile.ZipFile(sound, "w") as copy:
        for member in archive:
            if member.lstrip("/").lower() not in damaged:
                copy.writestr(member, archive.read(member))
    return sound.getvalue()


def extract_xls(data: bytes, *, name: str) -> Extraction:
    """Return the text of an Excel workbook of before 2007, one section for each sheet that has any.

    Args:
        data: The whole file. One that lies about sizes may end the process in the library, whatever is checked before.
        name: The file's name, for messages only.

    Raises:
        ExtractionError: ``encrypted``, ``damaged``, ``empty``, ``limit`` (``characters``).
    """
    if not data.startswith(_COMPOUND_FILE):
        raise _damaged(name)
    if _ENCRYPTED.search(data):
        raise _encrypted(name)
    omissions = Omissions()
    return _extraction("xls", _calamine_sheets(data, name, omissions), omissions, name)


def extract_ods(data: bytes, *, name: str) -> Extraction:
    """Return the text of an OpenDocument spreadsheet, one section for each sheet that has any.

    Args:
        data: The whole file.
        name: The file's name, for messages only.

    Raises:
        ExtractionError: ``encrypted``, ``damaged``, ``empty``, ``limit`` (of the container, of its XML,
            ``characters``, or ``memory`` where a row has more columns than any program shows).
    """
    archive = Archive(data, name=name)
    manifest = archive.read(_MANIFEST) if _MANIFEST in archive else b""
    if b"encryption-data" in manifest or "encrypted-package" in archive:
        raise _encrypted(name)
    root = parse_xml(archive.read("content.xml"), name=name)
    omissions = Omissions()
    omissions.add_counts([(UNSAVED, sum(map(_is_unsaved, root.iter(_CELL_TAG))))])
    return _extraction("ods", _ods_sheets(root, name, omissions), omissions, name)


_COMPOUND_FILE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# The record that begins a workbook (BIFF8), perhaps one against writing, and the one that says how it is encrypted.
_ENCRYPTED: Final = re.compile(rb"\x09\x08\x10\x00\x00\x06\x05\x00.{12}(?:\x86\x00\x00\x00)?\x2f\x00", re.DOTALL)
_MANIFEST: Final = "META-INF/manifest.xml"

_Rows = Iterable[tuple[int, Sequence[str]]]
"""Rows from their first column on, each with how often it stands."""


def _extraction(kind: str, sheets: Iterable[tuple[str, _Rows]], omissions: Omissions, name: str) -> Extraction:
    """Sheets as sections; ``omissions`` is complete once the last sheet was taken."""
    blocks = Blocks(name)
    sections = []
    for title, rows in sheets:
        for times, cells in rows:
            if not any(cells):
                blocks.part()
                continue
            for _ in range(times):
                blocks.row(cells)
        text = blocks.take()
        if text:
            sections.append(Section(text=text, headings=(heading_text(mended(title)),)))
    if not sections:
        raise _empty(name, dict(omissions.counted()))
    return Extraction(kind=kind, sections=tuple(sections), hidden=omissions.counted())


def _empty(name: str, omitted: Mapping[str, int]) -> ExtractionError:
    """Why a workbook shows no text, and what would change that."""
    what, remedy = "no cell with text", "give it cells, or leave it out"
    if formulas := omitted.get(UNSAVED):
        cells = "1 formula" if formulas == 1 else f"{formulas:,} formulas"
        what, remedy = f"{cells} without a saved result and no other text", "open and save it in a spreadsheet program"
    elif omitted:
        what, remedy = "text on hidden sheets only", "unhide its sheets"
    return ExtractionError(f"{name} holds {what}, so nothing of it can be found; {remedy}.", code="empty")


def _omit(rows: _Rows, omissions: Omissions) -> None:
    """Count the text of a hidden sheet."""
    for times, cells in rows:
        omissions.add_counts(("hidden", times * len("".join(cell.split()))) for cell in cells)


def _damaged(name: str) -> ExtractionError:
    message = f"{name} is damaged or no workbook, so nothing of it is used; repair it or save it anew."
    return ExtractionError(message, code="damaged")


def _encrypted(name: str) -> ExtractionError:
    message = f"{name} is encrypted, so its text cannot be read; save a copy without a password."
    return ExtractionError(message, code="encrypted")


def _too_large(name: str, what: str) -> ExtractionError:
    message = f"{name} has {what}, so nothing of it is used; remove the stray cells far out, or split it."
    return ExtractionError(message, code="limit", limit="memory")


# -------------------------------------------------------------------------------------------------------- calamine


_COUNT: Final = re.compile(rb"""ount\s{0,9}=\s{0,9}["']\s{0,9}([0-9]{7,30})""")
_WITHIN_TAG: Final = re.compile(rb"""(?:"[^"]*"|'[^']*'|[^>"'])*""")
# Where a row or a cell says it stands; columns in letters, which the library takes in either case.
_PLACE: Final = re.compile(rb"""\sr\s{0,9}=\s{0,9}["']([A-Za-z]{0,7})([0-9]{1,10})["']""")
# A row or a cell with all it says. Neither begins within the other, so that time stays in proportion.
_TAG: Final = re.compile(rb"""<(?:[\w.-]{1,40}:)?(row|c)(?=[\s/>])((?:"[^"<]*"|'[^'<]*'|[^<>"'])*)>""")
_HAS_FORMULA: Final = re.compile(rb"<(?:[\w.-]{1,40}:)?f[\s/>]")
# A cell that holds a formula and nothing else, or a result of no length.
_UNSAVED_CELL: Final = re.compile(
    rb"<(?:[\w.-]{1,40}:)?c(\s[^<>]{0,400})?>\s{0,99}<(?:[\w.-]{1,40}:)?f(?:\s[^<>]{0,400})?"
    rb"(?:(?<=/)>|>[^<]{0,9999}</(?:[\w.-]{1,40}:)?f\s{0,9}>)\s{0,99}"
    rb"(<(?:[\w.-]{1,40}:)?v\s{0,9}(?:/>|>\s{0,99}</(?:[\w.-]{1,40}:)?v\s{0,9}>))?\s{0,99}</(?:[\w.-]{1,40}:)?c\s{0,9}>"
)
_OF_TEXT: Final = re.compile(rb"""\st\s{0,9}=\s{0,9}["']str["']""")
# No byte order mark but that of UTF-8, nothing of two bytes a character, and the encoding that is declared.
_HEAD: Final = re.compile(
    rb"""(?:\xef\xbb\xbf)?\s{0,99}<(?!\0)(?:\?xml[^<>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.-]{1,40})["'])?"""
)
_LIKE_ASCII: Final = re.compile(rb"iso-8859-[0-9]{1,2}|windows-125[0-9]", re.IGNORECASE)


def _check_counts(part: bytes, name: str) -> None:
    """Refuse a part that says it has more entries than bytes: the library makes room for as many at once."""
    if _COUNT.search(part) is None:
        return
    for tag in map(_WITHIN_TAG.match, part.split(b"<")):
        # Within a tag, for a cell may quote such words.
        if tag and any(int(count) > len(part) for count in _COUNT.findall(tag[0])):
            raise _damaged(name)


def _check_extent(part: bytes, name: str) -> None:
    """Refuse a sheet that takes more room laid out than it may: two cells in two corners are enough for that."""
    if b"sheetData" not in part:
        return
    # Only a sheet that could be too large is looked at more closely, for that takes longer than reading it. What says
    # no place stands behind the one before.
    places = set(_PLACE.findall(part))
    rows = max((int(number) for _, number in places), default=0) + part.count(b"row")
    columns = max(map(_column, {letters for letters, _ in places}), default=0) + part.count(b"<c") + part.count(b":c")
    if rows * min(columns, _MAX_COLUMNS) > MAX_CELLS and (cells := _cells(part)) > MAX_CELLS:
        raise _too_large(name, f"a sheet of {cells:,} cells from its first to its last, more than {MAX_CELLS:,}")


def _unsaved_formulas(part: bytes) -> int:
    """Cells of a sheet with a formula and no result; an empty text that was saved is one."""
    if b"sheetData" not in part or _HAS_FORMULA.search(part) is None:
        return 0
    return sum(not (cell[2] and _OF_TEXT.search(cell[1])) for cell in _UNSAVED_CELL.finditer(part))


def _cells(part: bytes) -> int:
    """Cells between the first and the last one with more than a style."""
    rows: set[int] = set()
    columns: set[int] = set()
    row = column = 0
    for found in _TAG.finditer(part):
        place = _PLACE.search(found[2])
        if found[1] == b"row":
            row, column = (row + 1 if place is None else int(place[2])), 0
            continue
        column = column + 1 if place is None else _column(place[1])
        if not found[2].endswith(b"/"):
            rows.add(row if place is None else int(place[2]))
            columns.add(column)
    return (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1) if rows else 0


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - ord("A") + 1
    return number


def _check_encoding(part: bytes, name: str) -> None:
    """Refuse a part the library would find nothing in: it knows UTF-8 alone, and says nothing of any other."""
    head = _HEAD.match(part)
    if not part or (head and (head[1] or b"utf-8").lower() in {b"utf-8", b"utf8", b"us-ascii"}):
        return
    if head is None or not part.isascii() or not _LIKE_ASCII.fullmatch(head[1]):
        raise _damaged(name)


def _calamine_sheets(data: bytes, name: str, omissions: Omissions) -> Iterator[tuple[str, _Rows]]:
    """Visible sheets with their rows."""
    import python_calamine

    try:
        with python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data)) as workbook:
            for place, sheet in enumerate(workbook.sheets_metadata):
                if sheet.typ != python_calamine.SheetTypeEnum.WorkSheet:
                    continue
                rows = _calamine_rows(workbook.get_sheet_by_index(place))
                if sheet.visible == python_calamine.SheetVisibleEnum.Visible:
                    yield sheet.name, rows
                else:
                    _omit(rows, omissions)
    except ExtractionError:
        raise
    except python_calamine.PasswordError:
        raise _encrypted(name) from None
    except Exception:  # noqa: BLE001 - whatever the library raises, it names none of its errors for damage
        raise _damaged(name) from None
    except BaseException as error:
        # What Rust did not expect comes as an exception that is no Exception.
        if type(error).__name__ != "PanicException":
            raise
        raise _damaged(name) from None


def _calamine_rows(sheet: Any) -> _Rows:
    if sheet.start is None:
        return
    for row in sheet.iter_rows():
        cells = [_shown(cell) for cell in row]
        while cells and not cells[-1]:
            cells.pop()
        yield 1, cells


def _shown(cell: object) -> str:
    """A value as text. Dates and times are ISO 8601; a span of time is hours, minutes and seconds."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, int | float):
        return number_text(cell)
    if isinstance(cell, dt.datetime):
        return cell.isoformat(" ", "seconds")
    if isinstance(cell, dt.timedelta):
        minutes, seconds = divmod(round(cell.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    return cell.isoformat() if isinstance(cell, dt.date | dt.time) else str(cell)


# ------------------------------------------------------------------------------------------------------------- ODS

_ODF: Final = "{urn:oasis:names:tc:opendocument:xmlns:"
_TABLE: Final = f"{_ODF}table:1.0}}"
_TEXT: Final = f"{_ODF}text:1.0}}"
_STYLE: Final = f"{_ODF}style:1.0}}"
_OFFICE: Final = f"{_ODF}office:1.0}}"
_SHEET: Final = f"{_TABLE}table"
_ROW: Final = f"{_TABLE}table-row"
_ROW_GROUPS: Final = frozenset({f"{_TABLE}table-row-group", f"{_TABLE}table-header-rows", f"{_TABLE}table-rows"})
_CELL_TAG: Final = f"{_TABLE}table-cell"
_COVERED: Final = f"{_TABLE}covered-table-cell"
_SPACES: Final = frozenset({f"{_TEXT}s", f"{_TEXT}tab", f"{_TEXT}line-break"})
_UNSEEN: Final = frozenset({f"{_OFFICE}annotation", f"{_TEXT}note", f"{_TEXT}ruby-text"})


def _ods_sheets(root: Any, name: str, omissions: Omissions) -> Iterator[tuple[str, _Rows]]:
    hidden = {
        style.get(f"{_STYLE}name")
        for style in root.iter(f"{_STYLE}style")
        if any(found.get(f"{_TABLE}display") == "false" for found in style.iterchildren(f"{_STYLE}table-properties"))
    }
    for sheet in root.iterfind(f"{_OFFICE}body/{_OFFICE}spreadsheet/{_SHEET}"):
        if sheet.get(f"{_TABLE}style-name") not in hidden:
            yield sheet.get(f"{_TABLE}name", ""), _ods_rows(sheet, name)
        else:
            _omit(_ods_rows(sheet, name), omissions)


def _ods_rows(sheet: Any, name: str) -> _Rows:
    rows = [(_repeats(row, "rows"), _ods_cells(row, name)) for row in _rows_in(sheet)]
    first = min((place for _, cells in rows for place, cell in enumerate(cells) if cell), default=0)
    return [(times, cells[first:]) for times, cells in rows]


def _is_unsaved(cell: Any) -> bool:
    """Whether a cell has a formula and no result; one that repeats counts once."""
    return bool(cell.get(f"{_TABLE}formula")) and not cell.get(f"{_OFFICE}value-type") and not _cell_text(cell)


def _rows_in(parent: Any) -> Iterator[Any]:
    for child in parent:
        if child.tag == _ROW:
            yield child
        elif child.tag in _ROW_GROUPS:
            yield from _rows_in(child)


def _ods_cells(row: Any, name: str) -> list[str]:
    """Cells up to the last one with text; what fills a row up to its end is never written out."""
    cells: list[str] = []
    gap = 0
    for cell in row.iterchildren(_CELL_TAG, _COVERED):
        text = _cell_text(cell) if cell.tag == _CELL_TAG else ""
        times = _repeats(cell, "columns")
        if not text:
            gap += times
            continue
        if len(cells) + gap + times > _MAX_COLUMNS:
            raise _too_large(name, f"a row of more than {_MAX_COLUMNS:,} cells")
        cells += [""] * gap + [text] * times
        gap = 0
    return cells


def _repeats(element: Any, what: str) -> int:
    times = element.get(f"{_TABLE}number-{what}-repeated", "1")
    return max(1, int(times)) if times.isascii() and times.isdigit() and len(times) < 10 else 1


_VALUES: Final = tuple(f"{_OFFICE}{kind}value" for kind in ("string-", "date-", "time-", "boolean-", ""))


def _cell_text(cell: Any) -> str:
    """What a program showed of a cell, or its value where the program that wrote it showed nothing."""
    if cell.find(f"{_TEXT}p") is None:
        return next((value for name in _VALUES if (value := cell.get(name, "").strip())), "")
    return " ".join(_paragraph_text(paragraph) for paragraph in cell.iterchildren(f"{_TEXT}p"))


def _paragraph_text(parent: Any) -> str:
    """White space collapsed, as the format says; spaces that count are elements."""
    text = parent.text or ""
    for child in parent:
        if child.tag in _SPACES:
            text += " "
        elif child.tag not in _UNSEEN:
            text += _paragraph_text(child)
        text += child.tail or ""
    return text
