"""Files that want to do harm, written here so that none of them has to be kept.

Rules of this module: each maker returns the bytes of one file, the same on every run. ``CASES`` pairs every file with
the outcomes it may have: ``text``, the code of an ``ExtractionError``, or ``limit:`` and the limit's name. Where two
outcomes are named, how fast the machine is or what a library follows decides which comes first.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

# ------------------------------------------------------------------------------------------------------- archives


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of these members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as file:
        for name, data in members:
            file.writestr(zipfile.ZipInfo(name), data, method)
    return buffer.getvalue()


def raw_zip(*members: tuple[str, bytes, int], shared: int = 1) -> bytes:
    """An archive of deflated members that tell the size given; each is listed ``shared`` times and lies there once."""
    body, directory, count = b"", b"", 0
    for name, data, size in members:
        packer = zlib.compressobj(wbits=-15)
        packed = packer.compress(data) + packer.flush()
        told = struct.pack("<IIIHH", zlib.crc32(data[:size]), len(packed), size, len(name), 0)
        start = len(body)
        body += b"PK\x03\x04" + struct.pack("<HHHHH", 20, 0, 8, 0, 33) + told + name.encode() + packed
        for number in range(shared):
            listed = name if shared == 1 else f"{number:0{len(name)}d}"
            directory += b"PK\x01\x02" + struct.pack("<HHHHHH", 20, 20, 0, 8, 0, 33) + told
            directory += struct.pack("<HHHII", 0, 0, 0, 0, start) + listed.encode()
            count += 1
    end = struct.pack("<HHHHIIH", 0, 0, count, count, len(directory), len(body), 0)
    return body + directory + b"PK\x05\x06" + end


_OFFICE: Final = "application/vnd.openxmlformats-officedocument"
_W: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_R: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN: Final = {
    "docx": ("word/document.xml", f"{_OFFICE}.wordprocessingml.document.main+xml"),
    "docm": ("word/document.xml", "application/vnd.ms-word.document.macroEnabled.main+xml"),
    "xlsx": ("xl/workbook.xml", f"{_OFFICE}.spreadsheetml.sheet.main+xml"),
    "pptx": ("ppt/presentation.xml", f"{_OFFICE}.presentationml.presentation.main+xml"),
}


def office(form: str, main: bytes, *more: tuple[str, bytes], types: str = "") -> list[tuple[str, bytes]]:
    """Members of an office file: what says so, its main part, and others."""
    part, kind = _MAIN[form]
    listed = (
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/><Override PartName="/{part}" ContentType="{kind}"/>'
        f"{types}</Types>"
    )
    relations = (
        '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="r1" Type="{_R}/officeDocument" Target="{part}"/></Relationships>'
    )
    return [("[Content_Types].xml", listed.encode()), ("_rels/.rels", relations.encode()), (part, main), *more]


def word(paragraph: str = "Ordinary words.", before: str = "") -> bytes:
    """The main part of a document with one paragraph; ``before`` stands between declaration and root."""
    text = f"<w:body><w:p><w:r><w:t>{paragraph}</w:t></w:r></w:p></w:body>"
    return f'<?xml version="1.0"?>{before}<w:document xmlns:w="{_W}">{text}</w:document>'.encode()


def workbook(strings: bytes, cell: str = '<c r="A1" t="s"><v>0</v></c>') -> list[tuple[str, bytes]]:
    """Members of a workbook with one sheet of one row."""
    namespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheets = '<sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets>'
    main = f'<workbook xmlns="{namespace}" xmlns:r="{_R}">{sheets}</workbook>'
    relations = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="r1" Type="{_R}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="r2" Type="{_R}/sharedStrings" Target="sharedStrings.xml"/></Relationships>'
    )
    sheet = f'<worksheet xmlns="{namespace}"><sheetData><row r="1">{cell}</row></sheetData></worksheet>'
    return office(
        "xlsx", main.encode(), ("xl/_rels/workbook.xml.rels", relations.encode()),
        ("xl/worksheets/sheet1.xml", sheet.encode()), ("xl/sharedStrings.xml", strings),
    )  # fmt: skip


def strings(text: str = "Ordinary words.", before: str = "") -> bytes:
    """The strings of a workbook."""
    namespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return f'<?xml version="1.0"?>{before}<sst xmlns="{namespace}"><si><t>{text}</t></si></sst>'.encode()


def book(chapter: bytes) -> bytes:
    """An EPUB of one chapter."""
    container = (
        '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="b.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
    )
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/>'
        '<manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="c"/></spine></package>'
    )
    return zipped(
        ("mimetype", b"application/epub+zip"), ("META-INF/container.xml", container.encode()),
        ("b.opf", package.encode()), ("c.xhtml", chapter),
    )  # fmt: skip


_LAUGHS: Final = (
    '<!DOCTYPE d [<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)) + "]>"
)
_QUADRATIC: Final = f'<!DOCTYPE d [<!ENTITY a "{"a" * 50_000}">]>'
_OF_FILE: Final = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
_OF_NET: Final = '<!DOCTYPE d [<!ENTITY x SYSTEM "http://127.0.0.1:9/x">]>'
_REMOTE_TYPES: Final = '<!DOCTYPE d SYSTEM "http://127.0.0.1:9/d.dtd">'


def marked_encrypted() -> bytes:
    """An archive whose member claims to need a password."""
    plain = zipped(*office("docx", word()))
    at = plain.index(b"PK\x01\x02")
    return plain[: at + 8] + b"\x01" + plain[at + 9 :]


# ------------------------------------------------------------------------------------------------- compound files


def compound(*names: str, nested: tuple[str, ...] = (), sectors: int = 0) -> bytes:
    """An OLE2 file: streams of these names in its root, and others in a storage below; empty ones all.

    ``sectors`` more are put before the directory, so that its place stands beyond the header's share of the table.
    """
    entries = [_entry("Root Entry", 5, child=1 if names else -1)]
    for number, name in enumerate(names, 1):
        last = number == len(names)
        # A list is a tree as well; the last stream is a storage where something is to lie below it.
        kind, child = (1, number + 1) if last and nested else (2, -1)
        entries.append(_entry(name, kind, right=-1 if last else number + 1, child=child))
    for number, name in enumerate(nested, len(names) + 1):
        entries.append(_entry(name, 2, right=number + 1 if number < len(names) + len(nested) else -1))
    directory = b"".join(entries)
    directory += bytes(-len(directory) % 512)
    first = sectors
    used = len(directory) // 512
    tables = (first + used + 127) // 128 + 2  # room for the places of the tables themselves
    chain = [0xFFFFFFFE] * first + [*range(first + 1, first + used), 0xFFFFFFFE] + [0xFFFFFFFD] * tables
    table = struct.pack(f"<{len(chain)}I", *chain) + b"\xff" * (tables * 512 - 4 * len(chain))
    places = [first + used + number for number in range(tables)]
    listed, beyond = places[:109], places[109:]
    more = b""
    if beyond:
        more = (
            struct.pack(f"<{len(beyond)}I", *beyond) + b"\xff" * (508 - 4 * len(beyond)) + struct.pack("<I", 0xFFFFFFFE)
        )
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    header += struct.pack("<III", 0, tables, first) + bytes(4) + struct.pack("<III", 4096, 0xFFFFFFFE, 0)
    chained = (first + used + tables, 1) if beyond else (0xFFFFFFFE, 0)
    header += struct.pack("<II", *chained) + struct.pack(f"<{len(listed)}I", *listed)
    return header.ljust(512, b"\xff") + bytes(512 * sectors) + directory + table + more


def _entry(name: str, kind: int, *, right: int = -1, child: int = -1) -> bytes:
    raw = name.encode("utf-16-le")
    tree = struct.pack("<iii", -1, right, child)
    return raw.ljust(64, b"\0") + struct.pack("<HBB", len(raw) + 2, kind, 1) + tree + bytes(36) + bytes(12)


# ------------------------------------------------------------------------------------------------------------- PDF


def pdf(*objects: str, trailer: str = "") -> bytes:
    """A PDF of these objects, numbered from 1, the first of which is its catalogue."""
    body, places = ["%PDF-1.4\n"], []
    at = len(body[0])
    for number, text in enumerate(objects, 1):
        places.append(at)
        body.append(f"{number} 0 obj\n{text}\nendobj\n")
        at += len(body[-1])
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    tail = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\n"
    return ("".join(body) + tail + f"startxref\n{at}\n%%EOF\n").encode("latin-1")


def pages(count: int) -> bytes:
    """A PDF with so many pages that share one text."""
    kids = " ".join(f"{number + 5} 0 R" for number in range(count))
    text = "BT /F1 12 Tf 72 720 Td (Ordinary words.) Tj ET"
    page = (
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents 4 0 R >>"
    )
    return pdf(
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< /Length {len(text)} >>\nstream\n{text}\nendstream",
        *[page] * count,
    )


def pages_in_circles() -> bytes:
    """A tree of pages that contains itself, and lengths that refer to each other."""
    return pdf(
        "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 1000000 >>",
        "<< /Type /Pages /Kids [2 0 R] /Count 5 0 R >>", "<< /Length 5 0 R >>\nstream\nx\nendstream", "6 0 R", "5 0 R",
    )  # fmt: skip


def nested_arrays() -> bytes:
    """A PDF whose page has an array nested a hundred thousand times."""
    return pdf(
        "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox {'[' * 100_000}0{']' * 100_000} >>",
    )  # fmt: skip


def encrypted_pdf() -> bytes:
    """A PDF with a password nobody knows."""
    blank = "00" * 32
    trailer = f"/Encrypt << /Filter /Standard /V 1 /R 2 /O <{blank}> /U <{blank}> /P -4 >> /ID [<00> <00>]"
    return pdf("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 0 >>", trailer=trailer)


# ------------------------------------------------------------------------------------------------- text, mail, HTML


def nested_mail(parts: int) -> bytes:
    """A message whose part has a part, and so on."""
    lines = ["From: a@example.org", "Subject: Parts", "MIME-Version: 1.0"]
    for number in range(parts):
        lines += [f'Content-Type: multipart/mixed; boundary="b{number}"', "", f"--b{number}"]
    return "\r\n".join([*lines, "Content-Type: text/plain", "", "Ordinary words."]).encode()


def many_parts(parts: int) -> bytes:
    """A message with so many parts beside each other."""
    part = "--b\r\nContent-Type: text/plain\r\n\r\nOrdinary words.\r\n"
    head = "From: a@example.org\r\nSubject: Parts\r\nMIME-Version: 1.0\r\n"
    head += 'Content-Type: multipart/mixed; boundary="b"\r\n\r\n'
    return (head + part * parts + "--b--\r\n").encode()


# ----------------------------------------------------------------------------------------------------------- cases


@dataclass(frozen=True, slots=True)
class Case:
    """One file: what it is called, who writes it, and the outcomes it may have."""

    name: str
    make: Callable[[], bytes]
    outcomes: tuple[str, ...]


def _docx(main: bytes, *more: tuple[str, bytes]) -> Callable[[], bytes]:
    return lambda: zipped(*office("docx", main, *more))


_BOMB: Final = ("word/media/image1.bin", bytes(3_000_000))

CASES: Final = (
    # Archives: flat, nested, lying, overlapping, crowded, encrypted, names that lead elsewhere.
    Case("flat.docx", _docx(word(), _BOMB), ("limit:ratio",)),
    Case("flat.epub", lambda: zipped(("mimetype", b"application/epub+zip"), _BOMB), ("limit:ratio",)),
    Case("nested.docx", _docx(word(), ("word/embeddings/a.zip", zipped(_BOMB))), ("text",)),
    Case("lying.docx", lambda: raw_zip(*((n, d, 200) for n, d in office("docx", word("a" * 20_000_000)))),
         ("damaged",)),
    Case("overlapping.docx", lambda: raw_zip(("aaaa", bytes(999_999), 999_999), shared=300), ("limit:unpacked-bytes",)),
    Case("overlap.docx", lambda: raw_zip(("aaaa", bytes(999), 999), shared=30), ("unsupported",)),
    Case("crowded.docx", lambda: zipped(*((str(n), b"") for n in range(5_001))), ("limit:members",)),
    Case("encrypted.docx", marked_encrypted, ("encrypted",)),
    Case("truncated.docx", lambda: _docx(word())()[:-40], ("damaged",)),
    Case("traversal.docx", _docx(word(), ("../../evil.txt", b"x"), ("/etc/evil", b"x"), ("C:\\evil", b"x")), ("text",)),
    Case("archive.zip", lambda: zipped(("a.txt", b"words")), ("unsupported",)),
    # Macros are never looked at.
    Case("macros.docm", lambda: zipped(*office("docm", word(), ("word/vbaProject.bin", bytes(100)))), ("text",)),
    # XML: entities within, entities from elsewhere, depth.
    Case("laughs.docx", _docx(word("&a9;", _LAUGHS)), ("damaged",)),
    Case("quadratic.docx", _docx(word("&a;" * 5_000, _QUADRATIC)), ("damaged",)),
    Case("laughs.xlsx", lambda: zipped(*workbook(strings("&a9;", _LAUGHS))), ("damaged",)),
    Case("quadratic.xlsx", lambda: zipped(*workbook(strings("&a;" * 5_000, _QUADRATIC))), ("damaged",)),
    Case("of-a-file.docx", _docx(word("&x;", _OF_FILE)), ("damaged",)),
    Case("of-the-net.docx", _docx(word("&x;", _OF_NET)), ("damaged",)),
    Case("of-a-file.xlsx", lambda: zipped(*workbook(strings("&x;", _OF_FILE))), ("damaged",)),
    Case("remote-types.docx", _docx(word(before=_REMOTE_TYPES)), ("text",)),
    Case("picture.docx", _docx(word(), ("word/media/a.svg", f"<svg>{_LAUGHS}&a9;</svg>".encode())), ("text",)),
    Case("laughs.epub", lambda: book(f"<?xml version='1.0'?>{_LAUGHS}<html><p>&a9; words</p></html>".encode()),
         ("text", "damaged")),
    Case("deep.docx", _docx(word("<w:r>" * 50_000 + "</w:r>" * 50_000)), ("limit:depth",)),
    # Compound files.
    Case("password.docx", lambda: compound("EncryptionInfo", "EncryptedPackage"), ("encrypted",)),
    Case("letter.doc", lambda: compound("WordDocument", nested=("Workbook",)), ("unsupported",)),
    Case("broken.xls", lambda: compound("Workbook")[:700], ("damaged",)),
    # PDF.
    Case("truncated.pdf", lambda: pages(20)[:900], ("damaged", "empty")),
    Case("encrypted.pdf", encrypted_pdf, ("encrypted",)),
    Case("circles.pdf", pages_in_circles, ("damaged", "empty", "limit:seconds")),
    Case("arrays.pdf", nested_arrays, ("damaged", "empty")),
    # Two formats at once, and names that do not fit.
    Case("pdf-and-zip.docx", lambda: pages(1) + zipped(*office("docx", word())), ("text",)),
    Case("html-and-zip.docx", lambda: b"<html><p>Ordinary words.</p></html>" + zipped(*office("docx", word())),
         ("text", "binary")),
    Case("words.docx", lambda: b"Ordinary words.", ("unsupported",)),
    Case("pdf.txt", lambda: pages(1), ("text",)),
    Case("picture.txt", lambda: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", ("binary",)),
    # Text.
    Case("nul.txt", lambda: b"words\0words", ("binary",)),
    Case("nul.csv", lambda: b"a,b\0,c\n", ("binary",)),
    Case("mixed.txt", lambda: "Grüße ".encode() * 50 + "Grüße".encode("utf-16-le"), ("binary",)),
    Case("mixed.html", lambda: b"<html><p>" + "Grüße ".encode() * 9 + "Grüße".encode("latin-1"), ("binary",)),
    Case("wide.csv", lambda: b"," * 1_000_000 + b"\na" + b",b" * 999_999, ("text", "limit:characters")),
    Case("quote.csv", lambda: b'"' + b"a,b\n" * 100_000, ("text",)),
    Case("deep.html", lambda: b"<html>" + b"<div>" * 3_000 + b"words", ("text", "limit:depth")),
    Case("parts.eml", lambda: many_parts(10_000), ("text", "limit:members")),
    Case("nested.eml", lambda: nested_mail(10_000), ("text", "damaged", "limit:depth", "limit:seconds")),
)  # fmt: skip
"""Every file, by a name that says what is wrong with it."""


def large_cases() -> tuple[Case, ...]:
    """Files that take seconds to write or to read."""
    return (
        Case("pages.pdf", lambda: pages(10_000), ("text",)),
        Case("abyss.html", lambda: b"<html>" + b"<div>" * 200_000, ("limit:seconds", "limit:depth")),
        Case("wider.csv", lambda: (b",ab" * 1_000_000 + b"\n") * 8, ("text", "limit:characters", "limit:seconds")),
        Case("flood.html", lambda: b"<html><p>" + b"words " * 5_000_000, ("text", "limit:characters")),
        Case("flood.txt", lambda: b"words " * 8_000_000, ("text",)),
        Case("spaces.csv", lambda: b" \n" * 20_000_000, ("empty",)),
        Case("rows.tsv", lambda: b"a\tb\n" * 10_000_000, ("text", "limit:characters", "limit:seconds")),
        Case("headings.html", lambda: b"<html>" + b"<h1>a</h1>" * 200_000, ("limit:bytes", "limit:seconds")),
    )
