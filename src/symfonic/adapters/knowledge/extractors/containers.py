"""Which document a container holds: zip archives (``archives``) and compound files (OLE2).

Rules of this module: standard library only; it runs in the parent, so it looks at directories and at two small
members, unpacks no more than a ceiling, parses no XML and reads no text. It names what it finds in the words of
``detection``; where that is nothing that is read here, it says what it is and what to do.

A compound file is walked from its root: a workbook inside a letter does not make the letter a workbook.

Sources: ECMA-376 part 2 (content types), OpenDocument 1.3 part 2 and EPUB 3.3 (``mimetype``), [MS-CFB] (compound
files), [MS-OFFCRYPTO] (encrypted packages).
"""

from __future__ import annotations

import re
import struct
from typing import Final

from symfonic.adapters.knowledge.extractors.archives import Archive
from symfonic.adapters.knowledge.ports import ExtractionError

__all__ = ["COMPOUND_HEAD", "ZIP_HEAD", "kind_of_archive", "kind_of_compound_file"]

ZIP_HEAD: Final = b"PK\x03\x04"
"""How an archive begins."""

COMPOUND_HEAD: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How a compound file begins."""

# ------------------------------------------------------------------------------------------------------------- zip

_TYPES: Final = "[Content_Types].xml"
_MAX_TYPES_BYTES: Final = 1_000_000
_MAX_MIMETYPE_BYTES: Final = 200
_CONTENT_TYPE: Final = re.compile(r"""ContentType\s{0,9}=\s{0,9}["']application/vnd\.([\w.+-]{1,120})["']""")
# By what the type of the main part begins with. Templates, shows and macro-enabled files are read as their format.
_KIND_BY_TYPE: Final = (
    ("openxmlformats-officedocument.wordprocessingml.document.main", "docx"),
    ("openxmlformats-officedocument.wordprocessingml.template.main", "docx"),
    ("ms-word.document.macroenabled.main", "docx"),
    ("ms-word.template.macroenabledtemplate.main", "docx"),
    ("openxmlformats-officedocument.spreadsheetml.sheet.main", "xlsx"),
    ("openxmlformats-officedocument.spreadsheetml.template.main", "xlsx"),
    ("ms-excel.sheet.macroenabled.main", "xlsx"),
    ("ms-excel.template.macroenabled.main", "xlsx"),
    ("openxmlformats-officedocument.presentationml.presentation.main", "pptx"),
    ("openxmlformats-officedocument.presentationml.template.main", "pptx"),
    ("openxmlformats-officedocument.presentationml.slideshow.main", "pptx"),
    ("ms-powerpoint.presentation.macroenabled.main", "pptx"),
    ("ms-powerpoint.template.macroenabled.main", "pptx"),
    ("ms-powerpoint.slideshow.macroenabled.main", "pptx"),
)
_KIND_BY_PART: Final = {"word/document.xml": "docx", "xl/workbook.xml": "xlsx", "ppt/presentation.xml": "pptx"}
_KIND_BY_MIMETYPE: Final = {
    b"application/epub+zip": "epub",
    b"application/vnd.oasis.opendocument.spreadsheet": "ods",
    b"application/vnd.oasis.opendocument.spreadsheet-template": "ods",
}
_OPEN_DOCUMENT: Final = b"application/vnd.oasis.opendocument."


def kind_of_archive(data: bytes, *, name: str) -> str:
    """Return ``docx``, ``xlsx``, ``pptx``, ``ods`` or ``epub``.

    An office file is what the first main part in its list of content types says, whatever else lies in the archive.

    Raises:
        ExtractionError: What :class:`Archive` raises of its directory, or ``unsupported``.
    """
    archive = Archive(data, name=name)
    kind = _office_kind(archive) or _KIND_BY_MIMETYPE.get(_mimetype(archive), "")
    if kind:
        return kind
    if "META-INF/container.xml" in archive and _TYPES not in archive:
        return "epub"
    if _mimetype(archive).startswith(_OPEN_DOCUMENT):
        raise _unsupported(name, "an OpenDocument file other than a spreadsheet", "save it as .docx, .pptx or .pdf")
    if "xl/workbook.bin" in archive:
        raise _unsupported(name, "a binary workbook", "save it as .xlsx")
    raise _unsupported(name, "an archive of other files", "unpack it and name what is in it")


def _office_kind(archive: Archive) -> str:
    if not 0 < archive.size(_TYPES) <= _MAX_TYPES_BYTES:
        return ""
    text = archive.read(_TYPES).replace(b"\0", b"").decode("ascii", "replace")
    for found in _CONTENT_TYPE.finditer(text):
        for beginning, kind in _KIND_BY_TYPE:
            if found[1].lower().startswith(beginning):
                return kind
    return next((kind for part, kind in _KIND_BY_PART.items() if part in archive), "")


def _mimetype(archive: Archive) -> bytes:
    return archive.read("mimetype").strip() if 0 < archive.size("mimetype") <= _MAX_MIMETYPE_BYTES else b""


# -------------------------------------------------------------------------------------------------- compound files

_MAX_SECTORS: Final = 20_000
_MAX_ENTRIES: Final = 10_000
_ENTRY_BYTES: Final = 128
_NONE: Final = 0xFFFFFFFF
_REMEDIES: Final = {
    "WordDocument": ("a document of Word 2003 or older", "save it as .docx or .pdf"),
    "PowerPoint Document": ("a presentation of PowerPoint 2003 or older", "save it as .pptx or .pdf"),
    "__properties_version1.0": ("a message of Outlook", "save it as .eml"),
    "VisioDocument": ("a drawing of Visio", "save it as .pdf"),
}


def kind_of_compound_file(data: bytes, *, name: str) -> str:
    """Return ``xls``.

    Raises:
        ExtractionError: ``encrypted`` for an office file with a password, ``damaged`` where the directory cannot be
            read, ``unsupported`` for any other document.
    """
    try:
        names = _root_names(data)
    except (struct.error, IndexError, _BrokenError):
        message = f"{name} is damaged (its directory cannot be read), so nothing of it is used; save it anew."
        raise ExtractionError(message, code="damaged") from None
    if "EncryptedPackage" in names:
        message = f"{name} is encrypted, so its text cannot be read; save a copy without a password."
        raise ExtractionError(message, code="encrypted")
    if names & {"Workbook", "Book"}:
        return "xls"
    what, remedy = next(
        (told for stream, told in _REMEDIES.items() if stream in names),
        ("a compound file of no known kind", "convert it to a format that is read"),
    )
    raise _unsupported(name, what, remedy)


class _BrokenError(Exception):
    """A directory that leads nowhere, or round in circles."""


def _root_names(data: bytes) -> frozenset[str]:
    """Names of what lies directly in the root: its children are a tree that is walked from the root's entry."""
    shift = struct.unpack_from("<H", data, 30)[0]
    if shift not in {9, 12}:
        raise _BrokenError
    directory = _directory(data, 1 << shift)
    names: set[str] = set()
    waiting, seen = [struct.unpack_from("<I", directory, 76)[0]], set[int]()
    while waiting and len(seen) < _MAX_ENTRIES:
        number = waiting.pop()
        if number == _NONE or number in seen:
            continue
        seen.add(number)
        entry = directory[number * _ENTRY_BYTES : (number + 1) * _ENTRY_BYTES]
        length, left, right = struct.unpack_from("<H", entry, 64)[0], *struct.unpack_from("<II", entry, 68)
        names.add(entry[: min(max(length - 2, 0), 62)].decode("utf-16-le", "replace"))
        waiting += [left, right]
    return frozenset(names)


def _directory(data: bytes, size: int) -> bytes:
    """The directory's sectors, put together."""
    table = _table_sectors(data, size)
    per_sector = size // 4
    pieces: list[bytes] = []
    sector = struct.unpack_from("<I", data, 48)[0]
    while sector < 0xFFFFFFFA and len(pieces) * size < _MAX_ENTRIES * _ENTRY_BYTES:
        pieces.append(_sector(data, size, sector))
        in_table = _sector(data, size, table[sector // per_sector])
        sector = struct.unpack_from("<I", in_table, sector % per_sector * 4)[0]
    if not pieces:
        raise _BrokenError
    return b"".join(pieces)


def _table_sectors(data: bytes, size: int) -> list[int]:
    """Where the allocation table lies: 109 places stand in the header, the others in a chain of sectors."""
    table = list(struct.unpack_from("<109I", data, 76))
    following = struct.unpack_from("<I", data, 68)[0]
    while following < 0xFFFFFFFA and len(table) < _MAX_SECTORS:
        places = struct.unpack(f"<{size // 4}I", _sector(data, size, following))
        table += places[:-1]
        following = places[-1]
    return table


def _sector(data: bytes, size: int, number: int) -> bytes:
    start = (number + 1) * size
    piece = data[start : start + size]
    # The last sector of a file may be short.
    if not piece:
        raise _BrokenError
    return piece.ljust(size, b"\0")


def _unsupported(name: str, what: str, remedy: str) -> ExtractionError:
    message = f"{name} is {what}, which cannot be read, so nothing of it is used; {remedy}."
    return ExtractionError(message, code="unsupported")
