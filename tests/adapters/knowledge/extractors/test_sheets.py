"""Workbooks: one section for each sheet, one line for each row, values as people write them."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest

from symfonic.adapters.knowledge.extractors import blocks, sheets
from symfonic.adapters.knowledge.extractors.sheets import extract_ods, extract_xls, extract_xlsx
from symfonic.adapters.knowledge.ports import ExtractionError, Section

SCHEMAS = "http://schemas.openxmlformats.org/"
MAIN = f'xmlns="{SCHEMAS}spreadsheetml/2006/main" xmlns:r="{SCHEMAS}officeDocument/2006/relationships"'


def xlsx(*contents: str, states: str = "", names: str = "", strings: str = "") -> bytes:
    """A workbook of sheets with this ``sheetData``; styles 1 to 4 are date, date and time, time, span of time."""
    buffer = io.BytesIO()
    states_of, names_of = states.split() or ["visible"] * len(contents), names.split("/") if names else []
    numbers = range(1, len(contents) + 1)
    listed = "".join(
        f'<sheet name="{names_of[number - 1] if names_of else f"S{number}"}" sheetId="{number}" '
        f'state="{states_of[number - 1]}" r:id="s{number}"/>'
        for number in numbers
    )
    kind = f"{SCHEMAS}officeDocument/2006/relationships"
    targets = [(f"s{number}", "worksheet", f"worksheets/sheet{number}.xml") for number in numbers]
    targets += [("st", "styles", "styles.xml"), ("ss", "sharedStrings", "sharedStrings.xml")]
    related = "".join(f'<Relationship Id="{i}" Type="{kind}/{what}" Target="{to}"/>' for i, what, to in targets)
    formats = "".join(f'<xf numFmtId="{number}"/>' for number in (0, 14, 22, 21, 46))
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(
            "_rels/.rels", _relations(f'<Relationship Id="a" Type="{kind}/officeDocument" Target="xl/workbook.xml"/>')
        )
        file.writestr("xl/workbook.xml", f"<workbook {MAIN}><sheets>{listed}</sheets></workbook>")
        file.writestr("xl/_rels/workbook.xml.rels", _relations(related))
        file.writestr("xl/styles.xml", f"<styleSheet {MAIN}><cellXfs>{formats}</cellXfs></styleSheet>")
        file.writestr("xl/sharedStrings.xml", f"<sst {MAIN}>{strings}</sst>")
        for number, content in enumerate(contents, 1):
            data = f"<worksheet {MAIN}><sheetData>{content}</sheetData></worksheet>"
            file.writestr(f"xl/worksheets/sheet{number}.xml", data)
    return buffer.getvalue()


def _relations(inside: str) -> str:
    return f'<Relationships xmlns="{SCHEMAS}package/2006/relationships">{inside}</Relationships>'


def cell(place: str, text: str, more: str = 't="str"') -> str:
    """A cell with a value."""
    return f'<c r="{place}" {more}><v>{text}</v></c>'


def row(number: int, *cells: str) -> str:
    """A row."""
    return f'<row r="{number}">{"".join(cells)}</row>'


def text_of(content: str, **more: str) -> str:
    """The text of a workbook with one sheet."""
    (section,) = extract_xlsx(xlsx(content, **more), name="a.xlsx").sections
    return section.text


@pytest.mark.requirement("EX-SHEET-1")
def test_every_sheet_is_a_section_named_after_it() -> None:
    """In the order of the workbook; one without cells has none."""
    data = xlsx(row(1, cell("A1", "x")), "", row(1, cell("A1", "y")), names="Café &amp; Co/Empty/Two")
    assert extract_xlsx(data, name="a.xlsx").sections == (
        Section(text="| x |\n", headings=("Café & Co",)),
        Section(text="| y |\n", headings=("Two",)),
    )


@pytest.mark.requirement("EX-SHEET-1")
def test_rows_are_lines_and_empty_ones_part_tables() -> None:
    """Rows and columns before the first cell and cells behind the last one are left out, gaps within are kept."""
    content = (
        row(3, cell("C3", "a"), cell("E3", "b"), '<c r="F3" s="1"/>')
        + row(4, cell("D4", "two&#10;lines"))
        + row(7, cell("C7", "c"))
    )
    assert text_of(content) == "| a | | b |\n| | two lines |\n\n| c |\n"


@pytest.mark.requirement("EX-SHEET-2")
@pytest.mark.parametrize(
    ("text", "more", "expected"),
    [
        ("12", "", "12"),
        ("12.0", "", "12"),
        ("0.30000000000000004", "", "0.3"),
        ("-1234.5", "", "-1234.5"),
        ("1E+20", "", "1e+20"),
        ("9007199254740991", "", "9007199254740991"),
        ("1", 't="b"', "TRUE"),
        ("0", 't="b"', "FALSE"),
        ("0", 't="s"', "shared text"),
        ("45292", 's="1"', "2024-01-01"),
        ("45292.5", 's="2"', "2024-01-01 12:00:00"),
        ("0.75", 's="3"', "18:00:00"),
        ("1.25", 's="4"', "30:00:00"),
    ],
)
def test_values_are_written_as_people_write_them(text: str, more: str, expected: str) -> None:
    """Whole numbers without a point, fifteen digits as spreadsheets show at most, ISO dates, truth."""
    strings = (
        "<si><r><t xml:space='preserve'>shared </t></r><r><t>text</t></r><rPh sb='0' eb='1'><t>phonetic</t></rPh></si>"
    )
    assert text_of(row(1, cell("A1", text, more)), strings=strings) == f"| {expected} |\n"


@pytest.mark.requirement("EX-SHEET-2")
def test_an_error_shows_nothing() -> None:
    """Whatever a formula could not work out."""
    assert text_of(row(1, cell("A1", "#DIV/0!", 't="e"'), cell("B1", "a"))) == "| | a |\n"


@pytest.mark.requirement("EX-SHEET-2")
def test_of_a_formula_the_saved_value_is_kept() -> None:
    """The formula itself is not text of the sheet."""
    assert text_of(row(1, '<c r="A1"><f>SUM(B1:B9)</f><v>45</v></c>')) == "| 45 |\n"


@pytest.mark.requirement("EX-SHEET-3")
def test_hidden_sheets_are_left_out() -> None:
    """Hidden and very hidden; a workbook of nothing else is empty."""
    contents = [row(1, cell("A1", text)) for text in "abc"]
    (section,) = extract_xlsx(xlsx(*contents, states="hidden visible veryHidden"), name="a.xlsx").sections
    assert section.text == "| b |\n"
    assert refusal(xlsx(contents[0], states="hidden")) == ("empty", "")


def spoiled(data: bytes, part: str) -> bytes:
    """The same archive with a member that cannot be unpacked."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        member = file.getinfo(part)
    at = member.header_offset + 30 + len(part)
    return data[:at] + b"\xff" * member.compress_size + data[at + member.compress_size :]


@pytest.mark.requirement("EX-ZIP-3")
@pytest.mark.parametrize(
    "part", ["xl/media/image1.png", "xl/theme/theme1.xml", "docProps/app.xml", "xl/drawings/d.xml"]
)
def test_a_damaged_part_without_text_costs_no_text(part: str) -> None:
    """A picture, a theme, what is told of the file."""
    with zipfile.ZipFile(buffer := io.BytesIO(xlsx(row(1, cell("A1", "0", 't="s"')), strings=TEXT)), "a") as file:
        file.writestr(part, bytes(range(256)))
    (section,) = extract_xlsx(spoiled(buffer.getvalue(), part), name="a.xlsx").sections
    assert section.text == "| text |\n"


@pytest.mark.requirement("EX-ZIP-3")
@pytest.mark.parametrize(
    "part", ["xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml", "xl/workbook.xml"]
)
def test_a_damaged_part_with_text_costs_the_workbook_and_is_named(part: str) -> None:
    """Styles say which numbers are dates."""
    data = xlsx(row(1, cell("A1", "0", 't="s"')), strings=TEXT)
    with pytest.raises(ExtractionError, match=f"its part (?i:{part}) cannot be unpacked") as caught:
        extract_xlsx(spoiled(data, part), name="a.xlsx")
    assert caught.value.code == "damaged"


@pytest.mark.requirement("EX-ZIP-3")
def test_a_sheet_in_a_folder_of_pictures_is_missed_where_it_is_damaged() -> None:
    """Its place does not make it one: the library looks for it."""
    with (
        zipfile.ZipFile(io.BytesIO(xlsx(row(1, cell("A1", "a"))))) as file,
        zipfile.ZipFile(moved := io.BytesIO(), "w") as copy,
    ):
        for part in file.namelist():
            content = file.read(part).replace(b"worksheets/sheet1.xml", b"media/image.png")
            copy.writestr(part.replace("worksheets/sheet1.xml", "media/image.png"), content)
    assert text_in(moved.getvalue()) == "| a |\n"
    assert refusal(spoiled(moved.getvalue(), "xl/media/image.png")) == ("damaged", "")


TEXT = "<si><t>text</t></si>"


def text_in(data: bytes) -> str:
    """The text of a workbook with one sheet that has some."""
    (section,) = extract_xlsx(data, name="a.xlsx").sections
    return section.text


def refusal(data: bytes) -> tuple[str, str]:
    """Code and limit with which a workbook is refused."""
    with pytest.raises(ExtractionError, match=r"^a\.xlsx ") as caught:
        extract_xlsx(data, name="a.xlsx")
    return caught.value.code, caught.value.limit


@pytest.mark.requirement("EX-SHEET-3")
def test_formatted_cells_without_a_value_cost_nothing() -> None:
    """To the last cell a sheet has."""
    content = row(1, cell("A1", "a"), '<c r="XFD1" s="1"/>') + row(1_048_576, '<c r="A1048576" s="1"/>')
    assert text_of(content) == "| a |\n"


@pytest.mark.requirement("EX-SHEET-3")
def test_a_sheet_laid_out_larger_than_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two values in two corners are enough; a column to the last row is fine."""
    assert refusal(xlsx(row(1, cell("A1", "a")) + row(1_048_576, cell("XFD1048576", "b")))) == ("limit", "memory")
    monkeypatch.setattr(sheets, "MAX_CELLS", 6)
    assert text_of(row(2, cell("B2", "a")) + row(4, cell("C4", "b"))) == "| a |\n\n| | b |\n"
    assert refusal(xlsx(row(2, cell("B2", "a")) + row(5, cell("C5", "b")))) == ("limit", "memory")


UNSAVED = (
    "<c r='B{n}'><f>SUM(A1)</f><v></v></c>",
    "<c r='B{n}'><f>SUM(A1)</f><v/></c>",
    "<c r='B{n}'><f>SUM(A1)</f></c>",
    "<c r='B{n}'><f t='shared' si='0'/></c>",
)


@pytest.mark.requirement("EX-SHEET-8")
@pytest.mark.parametrize("written", UNSAVED)
def test_a_formula_without_a_saved_result_is_counted(written: str) -> None:
    """However its absence is written; one with a result, and one whose result is an empty text, is none of them."""
    saved = "<c r='C{n}'><f>A1</f><v>7</v></c>", "<c r='D{n}' t='str'><f>IF(A1,1,\"\")</f><v></v></c>"
    rows = (row(n, cell(f"A{n}", "a"), *(each.format(n=n) for each in (written, *saved))) for n in (1, 2))
    extraction = extract_xlsx(xlsx("".join(rows)), name="a.xlsx")
    assert extraction.sections[0].text == "| a | | 7 |\n| a | | 7 |\n"
    assert extraction.hidden == (("formula", 2),)


@pytest.mark.requirement("EX-SHEET-8")
def test_a_workbook_without_text_says_what_would_help() -> None:
    """To calculate it, to show its sheets, or to fill it."""
    for content, states, remedy in (
        (row(1, UNSAVED[0].format(n=1)), "visible", "1 formula without a saved result and no other text"),
        (row(1, cell("A1", "a")), "hidden", "text on hidden sheets only"),
        ("", "visible", "no cell with text"),
    ):
        with pytest.raises(ExtractionError, match=rf"^a.xlsx holds {remedy}, so nothing"):
            extract_xlsx(xlsx(content, states=states), name="a.xlsx")


def replaced(data: bytes, old: bytes, new: bytes, *, renamed: str = "sheet1.xml") -> bytes:
    """A workbook with other words in its parts, and another name for its sheet."""
    with zipfile.ZipFile(io.BytesIO(data)) as file, zipfile.ZipFile(buffer := io.BytesIO(), "w") as other:
        for part in file.namelist():
            content = file.read(part).replace(old, new).replace(b"sheet1.xml", renamed.encode())
            other.writestr(part.replace("sheet1.xml", renamed), content)
    return buffer.getvalue()


@pytest.mark.requirement("EX-SHEET-4")
@pytest.mark.parametrize(
    ("old", "new", "renamed"),
    [
        (b'<row r="1048576">', b"<row>", "sheet1.xml"),
        (b' r="1048576"', b' r = "1048576"', "sheet1.xml"),
        (b' r="XFD1048576"', b" x='>' r\n=\n'xfd1048576'", "sheet1.xml"),
        (b"?", b"?", "sheet1.dat"),
        (b"?", b"?", "sheet1.png"),
    ],
)
def test_the_extent_of_a_sheet_is_seen_however_it_is_written(old: bytes, new: bytes, renamed: str) -> None:
    """Rows without a number, other spaces and quotation marks, a part of any name."""
    data = xlsx(row(1, cell("A1", "a")) + row(1_048_576, cell("XFD1048576", "b")))
    assert refusal(replaced(data, old, new, renamed=renamed)) == ("limit", "memory")


def test_rows_and_cells_that_say_no_place_are_counted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """They stand behind those before them."""
    monkeypatch.setattr(sheets, "MAX_CELLS", 6)
    value = "<c t='str'><v>a</v></c>"
    assert text_of(f"<row>{value * 3}</row><row>{value}</row>") == "| a | a | a |\n| a |\n"
    assert refusal(xlsx(f"<row>{value * 4}</row><row>{value}</row>")) == ("limit", "memory")


@pytest.mark.requirement("EX-SHEET-4")
@pytest.mark.parametrize(("encoding", "declared"), [("utf-16", "UTF-16"), ("utf-16-be", "UTF-16"), ("cp037", "IBM037")])
def test_a_sheet_in_an_encoding_the_library_does_not_know_is_damage(encoding: str, declared: str) -> None:
    """It would come out as a sheet without cells, beside others that are read."""
    data = xlsx(row(1, cell("A1", "a")), row(1, cell("A1", "b")))
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        sheet = file.read("xl/worksheets/sheet2.xml")
    other = f'<?xml version="1.0" encoding="{declared}"?>{sheet.decode()}'.encode(encoding)
    assert refusal(replaced(data, sheet, other)) == ("damaged", "")
    same = b'<?xml version="1.0" encoding="ISO-8859-1"?>' + sheet
    assert len(extract_xlsx(replaced(data, sheet, same), name="a.xlsx").sections) == 2


@pytest.mark.requirement("EX-SHEET-4")
@pytest.mark.parametrize("count", [b'uniqueCount="99999999999"', b"uniqueCount = '99999999999'"])
def test_a_count_of_entries_that_lies_is_damage(count: bytes) -> None:
    """Room for so many strings would be made at once, and the process ended."""
    data = xlsx(row(1, cell("A1", "a")))
    assert refusal(replaced(data, b"<sst ", b"<sst a='>' " + count + b" ")) == ("damaged", "")
    quoted = f"an {count.decode()} of it"
    assert text_of(row(1, cell("A1", quoted))) == f"| {quoted} |\n"


@pytest.mark.requirement("EX-SHEET-4")
def test_what_is_no_workbook_has_a_named_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Damaged, empty, encrypted, old, beyond all measure."""
    good = xlsx(row(1, cell("A1", "more than ten characters")))
    old = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
    assert refusal(b"PK\x03\x04") == ("damaged", "")
    assert refusal(good[:-40]) == ("damaged", "")
    assert refusal(xlsx("<row><c r='A1'")) == ("damaged", "")
    assert refusal(xlsx("")) == ("empty", "")
    assert refusal(old) == ("unsupported", "")
    assert refusal(old + "EncryptedPackage".encode("utf-16-le")) == ("encrypted", "")
    monkeypatch.setattr(blocks, "MAX_CHARS", 10)
    assert refusal(good) == ("limit", "characters")


# ------------------------------------------------------------------------------------------------------------- XLS


def record(kind: int, data: bytes = b"") -> bytes:
    """A record of BIFF8."""
    return struct.pack("<HH", kind, len(data)) + data


def begin(kind: int) -> bytes:
    """The record that begins the workbook (5) or a sheet (16)."""
    return record(0x0809, struct.pack("<HHHHII", 0x0600, kind, 0, 1997, 0, 6))


def xls(*contents: bytes, states: bytes = b"", first: bytes = b"") -> bytes:
    """A workbook of before 2007: BIFF8 records in a compound file of one stream."""
    states = states or bytes(len(contents))
    listed = [struct.pack("<BBBB2s", state, 0, 2, 0, b"S%d" % number) for number, state in enumerate(states, 1)]
    stream, place = b"", len(begin(5) + first) + sum(8 + len(entry) for entry in listed) + 4
    for content in contents:
        stream += begin(16) + content + record(0x000A)
    places, start = [], place
    for content in contents:
        places.append(start)
        start += len(begin(16)) + len(content) + 4
    sheets_listed = [record(0x0085, struct.pack("<I", at) + entry) for at, entry in zip(places, listed, strict=True)]
    return compound(begin(5) + first + b"".join(sheets_listed) + record(0x000A) + stream)


def compound(stream: bytes) -> bytes:
    """A compound file with one stream: header, allocation table, directory, and eight sectors of content."""
    none, end = 0xFFFFFFFF, 0xFFFFFFFE
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    head += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, end, 0, end, 0) + struct.pack("<109I", 0, *[none] * 108)
    table = struct.pack("<128I", 0xFFFFFFFD, end, *range(3, 10), end, *[none] * 118)

    def entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
        title = name.encode("utf-16-le")
        fields = struct.pack("<HBBIII36xIQ", len(title) + 2 if name else 0, kind, 1, none, none, child, start, size)
        return title.ljust(64, b"\0") + fields

    directory = entry("Root Entry", 5, 1, end, 0) + entry("Workbook", 2, none, 2, 4096)
    directory += entry("", 0, none, 0, 0) * 2
    return head + table + directory + stream.ljust(4096, b"\0")


def label(line: int, column: int, text: str) -> bytes:
    """A cell with text."""
    return record(0x0204, struct.pack("<HHHHB", line, column, 0, len(text), 0) + text.encode("latin-1"))


@pytest.mark.requirement("EX-SHEET-6")
def test_an_old_workbook_reads_like_a_new_one() -> None:
    """Text, numbers and truth, rows and columns from the first cell on, hidden sheets left out."""
    content = (
        label(2, 1, "caf\xe9")
        + record(0x0203, struct.pack("<HHHd", 2, 3, 0, 0.1 + 0.2))
        + record(0x0205, struct.pack("<HHHBB", 3, 1, 0, 1, 0))
    )
    assert extract_xls(xls(content, label(0, 0, "X"), states=b"\0\1"), name="a.xls").sections == (
        Section(text="| caf\xe9 | | 0.3 |\n| TRUE |\n", headings=("S1",)),
    )


@pytest.mark.requirement("EX-SHEET-6")
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (xls(label(0, 0, "a"), first=record(0x002F, struct.pack("<HHH", 1, 1, 1) + bytes(48))), "encrypted"),
        (xls(label(0, 0, " ")), "empty"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "damaged"),
        (b"PK\x03\x04" + bytes(600), "damaged"),
    ],
)
def test_what_is_no_old_workbook_has_a_named_error(data: bytes, code: str) -> None:
    """A password, no text, damage, another format."""
    with pytest.raises(ExtractionError, match=r"^a\.xls ") as caught:
        extract_xls(data, name="a.xls")
    assert caught.value.code == code


# ------------------------------------------------------------------------------------------------------------- ODS

ODF = "urn:oasis:names:tc:opendocument:xmlns:"
ODS = " ".join(f'xmlns:{name}="{ODF}{name}:1.0"' for name in ("office", "table", "text", "style"))


def ods(tables: str, *, styles: str = "", manifest: str = "") -> bytes:
    """A spreadsheet."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        file.writestr("META-INF/manifest.xml", f"<manifest>{manifest}</manifest>")
        body = f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
        automatic = f"<office:automatic-styles>{styles}</office:automatic-styles>"
        file.writestr("content.xml", f"<office:document-content {ODS}>{automatic}{body}</office:document-content>")
    return buffer.getvalue()


def ods_table(*rows: str, name: str = "S1", style: str = "") -> str:
    """A table of rows; each is its cells."""
    inside = "".join(r if r.startswith("<table:table-row") else f"<table:table-row>{r}</table:table-row>" for r in rows)
    return f'<table:table table:name="{name}" table:style-name="{style}">{inside}</table:table>'


def ods_cell(text: str = "", times: int = 1) -> str:
    """A cell."""
    content = "".join(f"<text:p>{line}</text:p>" for line in text.split("\n")) if text else ""
    return f'<table:table-cell table:number-columns-repeated="{times}">{content}</table:table-cell>'


@pytest.mark.requirement("EX-SHEET-8")
def test_a_formula_of_an_ods_sheet_without_a_saved_result_is_counted() -> None:
    """One that shows nothing and has no type; an empty text has one."""
    unsaved = '<table:table-cell table:formula="of:=1+1"/>'
    empty = '<table:table-cell table:formula="of:=T([.B1])" office:value-type="string"/>'
    extraction = extract_ods(ods(ods_table(ods_cell("a") + unsaved + empty)), name="a.ods")
    assert extraction.hidden == (("formula", 1),)


@pytest.mark.requirement("EX-SHEET-5")
def test_an_ods_sheet_shows_the_text_of_its_cells() -> None:
    """As the program showed it; spaces, links and lines within, no comments, merged cells once."""
    spaced = ods_cell(
        "a<text:s/>b<text:line-break/><text:a>c</text:a> <text:span>d<text:note>X</text:note></text:span>"
    )
    comment = "<office:annotation><text:p>X</text:p></office:annotation>"
    noted = f"<table:table-cell>{comment}<text:p>25 %</text:p></table:table-cell>"
    covered = "<table:covered-table-cell><text:p>X</text:p></table:covered-table-cell>"
    two = ods_cell("two\nlines")
    grouped = f"<table:table-row>{ods_cell()}{two}</table:table-row>"
    grouped = f"<table:table-row-group>{grouped}</table:table-row-group>"
    rows = (spaced + covered + noted, ods_cell(), f"{ods_cell()}{ods_cell('e')}")
    data = ods(ods_table(*rows, name="One").replace("</table:table>", grouped + "</table:table>"))
    assert extract_ods(data, name="a.ods").sections == (
        Section(text="| a b c d | | 25 % |\n\n| | e |\n| | two lines |\n", headings=("One",)),
    )


@pytest.mark.requirement("EX-SHEET-5")
def test_an_ods_cell_without_a_text_shows_its_value() -> None:
    """Libraries write no text; where there is one, it counts."""
    values = ('value="2.5"', 'date-value="2024-01-31"', 'string-value="a"', 'boolean-value="true"')
    cells = "".join(f"<table:table-cell office:{value}/>" for value in values)
    shown = '<table:table-cell office:value="0.25"><text:p>25 %</text:p></table:table-cell>'
    assert extract_ods(ods(ods_table(cells + shown)), name="a.ods").sections == (
        Section(text="| 2.5 | 2024-01-31 | a | true | 25 % |\n", headings=("S1",)),
    )


@pytest.mark.requirement("EX-SHEET-5")
def test_an_ods_sheet_is_read_without_what_fills_it_up() -> None:
    """Repeated cells and rows are written out, empty ones up to the edge are not; hidden sheets neither."""
    fill = ods_cell(times=16_000)
    twice = f'<table:table-row table:number-rows-repeated="2">{ods_cell()}{ods_cell("a", 2)}{fill}</table:table-row>'
    rest = f'<table:table-row table:number-rows-repeated="1048574">{ods_cell(times=16_384)}</table:table-row>'
    hidden = (
        '<style:style style:name="h" style:family="table"><style:table-properties table:display="false"/></style:style>'
    )
    data = ods(ods_table(twice, rest) + ods_table(ods_cell("X"), style="h"), styles=hidden)
    assert extract_ods(data, name="a.ods").sections == (Section(text="| a | a |\n| a | a |\n", headings=("S1",)),)


ROWS_WITHOUT_END = f'<table:table-row table:number-rows-repeated="99999999">{ods_cell("a" * 900_000)}</table:table-row>'


@pytest.mark.requirement("EX-SHEET-5")
@pytest.mark.parametrize(
    ("data", "code", "limit"),
    [
        (ods(ods_table(ods_cell("a", 999_999_999))), "limit", "memory"),
        (ods(ods_table(ROWS_WITHOUT_END)), "limit", "characters"),
        (ods(ods_table(ods_cell())), "empty", ""),
        (ods("", manifest="<encryption-data/>"), "encrypted", ""),
        (ods("<table"), "damaged", ""),
        (b"PK", "damaged", ""),
    ],
)
def test_what_is_no_ods_sheet_has_a_named_error(data: bytes, code: str, limit: str) -> None:
    """Cells and rows said to repeat without end, no text, a password, damage."""
    with pytest.raises(ExtractionError, match=r"^a\.ods ") as caught:
        extract_ods(data, name="a.ods")
    assert (caught.value.code, caught.value.limit) == (code, limit)
