"""What an archive or a compound file holds, by its directory."""

from __future__ import annotations

import struct

import pytest

from symfonic.adapters.knowledge.extractors import containers
from symfonic.adapters.knowledge.extractors.containers import kind_of_archive, kind_of_compound_file
from symfonic.adapters.knowledge.ports import ExtractionError

from .hostile import compound, office, word, zipped

VENDOR = "application/vnd."
OOXML = f"{VENDOR}openxmlformats-officedocument."


def listed(*types: str) -> tuple[str, bytes]:
    """A list of content types."""
    return "[Content_Types].xml", "".join(f'<Override PartName="/a" ContentType="{kind}"/>' for kind in types).encode()


WIDE = listed(f"{VENDOR}ms-word.document.macroEnabled.main+xml")[1].decode().encode("utf-16")


@pytest.mark.requirement("EX-DET-2")
@pytest.mark.parametrize(
    ("content_type", "kind"),
    [
        (f"{OOXML}wordprocessingml.document.main+xml", "docx"),
        (f"{OOXML}wordprocessingml.template.main+xml", "docx"),
        (f"{VENDOR}ms-word.document.macroEnabled.main+xml", "docx"),
        (f"{OOXML}spreadsheetml.sheet.main+xml", "xlsx"),
        (f"{VENDOR}ms-excel.sheet.macroEnabled.main+xml", "xlsx"),
        (f"{OOXML}presentationml.presentation.main+xml", "pptx"),
        (f"{OOXML}presentationml.slideshow.main+xml", "pptx"),
        (f"{VENDOR}ms-powerpoint.presentation.macroEnabled.main+xml", "pptx"),
    ],
)
def test_office_files_are_told_apart_by_the_type_of_their_main_part(content_type: str, kind: str) -> None:
    """Wherever that part lies; what is embedded, or comes after it, does not count."""
    embedded = f"{OOXML}spreadsheetml.sheet"
    data = zipped(listed(embedded, content_type, f"{OOXML}spreadsheetml.sheet.main+xml"), ("word/other.xml", b""))
    assert kind_of_archive(data, name="a") == kind


@pytest.mark.requirement("EX-DET-2")
@pytest.mark.parametrize(
    ("members", "kind"),
    [
        ([("[Content_Types].xml", b"<x/>"), ("word/document.xml", b"")], "docx"),
        ([("[Content_Types].xml", b"<x/>"), ("ppt/presentation.xml", b""), ("word/document.xml", b"")], "docx"),
        ([("mimetype", b"application/epub+zip\n")], "epub"),
        ([("META-INF/container.xml", b"")], "epub"),
        ([("mimetype", b"application/vnd.oasis.opendocument.spreadsheet")], "ods"),
        ([*office("xlsx", b""), ("mimetype", b"application/epub+zip")], "xlsx"),
        ([("[Content_Types].xml", WIDE)], "docx"),
    ],
)  # fmt: skip
def test_what_says_no_type_goes_by_its_parts(members: list[tuple[str, bytes]], kind: str) -> None:
    """One answer, also where parts of several formats lie there, and in any encoding of the list."""
    assert kind_of_archive(zipped(*members), name="a") == kind


@pytest.mark.requirement("EX-DET-2")
@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ([("a.txt", b"words")], "a.zip is an archive of other files"),
        ([("mimetype", b"application/vnd.oasis.opendocument.text")], "other than a spreadsheet"),
        ([listed(f"{VENDOR}ms-excel.sheet.binary.macroEnabled.main"), ("xl/workbook.bin", b"")], "a binary workbook"),
        ([("[Content_Types].xml", b"<x/>"), ("META-INF/container.xml", b"")], "an archive of other files"),
        ([("mimetype", b"application/epub+zip".ljust(201))], "an archive of other files"),
        ([("[Content_Types].xml", b"<x/>".ljust(1_000_001)), ("word/document.xml", b"")], "of other files"),
    ],
)
def test_other_archives_are_named_as_what_they_are(members: list[tuple[str, bytes]], reason: str) -> None:
    """With a remedy; what would have to be unpacked beyond a ceiling is not looked at."""
    with pytest.raises(ExtractionError, match=reason) as caught:
        kind_of_archive(zipped(*members, method=0), name="a.zip")
    assert caught.value.code == "unsupported"


def test_what_an_archive_refuses_is_handed_on() -> None:
    """The directory is judged before anything is looked for in it."""
    with pytest.raises(ExtractionError) as caught:
        kind_of_archive(zipped(*office("docx", word()), ("a", bytes(2_000_000))), name="a.docx")
    assert (caught.value.code, caught.value.limit) == ("limit", "ratio")


@pytest.mark.requirement("EX-DET-2")
@pytest.mark.parametrize(
    ("names", "code", "reason"),
    [
        (("EncryptionInfo", "EncryptedPackage"), "encrypted", "save a copy without a password"),
        (("1Table", "WordDocument"), "unsupported", r"save it as \.docx"),
        (("PowerPoint Document",), "unsupported", r"save it as \.pptx"),
        (("__nameid_version1.0", "__properties_version1.0"), "unsupported", r"save it as \.eml"),
        (("VisioDocument",), "unsupported", r"save it as \.pdf"),
        (("Whatever",), "unsupported", "a compound file of no known kind"),
        ((), "unsupported", "a compound file of no known kind"),
    ],
)
def test_compound_files_are_told_apart_by_their_streams(names: tuple[str, ...], code: str, reason: str) -> None:
    """Each with a remedy."""
    with pytest.raises(ExtractionError, match=reason) as caught:
        kind_of_compound_file(compound(*names), name="a.doc")
    assert caught.value.code == code


@pytest.mark.requirement("EX-DET-2")
def test_a_workbook_is_one_by_its_own_stream_and_not_by_one_it_contains() -> None:
    """The tree of the root is walked, and nothing below it."""
    assert kind_of_compound_file(compound("Other", "Workbook"), name="a.xls") == "xls"
    assert kind_of_compound_file(compound("Book"), name="a.xls") == "xls"
    with pytest.raises(ExtractionError, match="Word 2003"):
        kind_of_compound_file(compound("WordDocument", "ObjectPool", nested=("Workbook",)), name="a.doc")


def test_a_directory_far_down_a_large_file_is_found() -> None:
    """Where its place in the table stands in a chain of further sectors."""
    assert kind_of_compound_file(compound("Workbook", sectors=110 * 128), name="a.xls") == "xls"


@pytest.mark.parametrize(
    "data",
    [
        compound("Workbook")[:20],
        compound("Workbook")[:512],
        compound("Workbook")[:30] + b"\x01\x00" + compound("Workbook")[32:],
        compound("Workbook")[:48] + struct.pack("<I", 5000) + compound("Workbook")[52:],
        compound("Workbook")[:48] + struct.pack("<I", 0xFFFFFFFE) + compound("Workbook")[52:],
    ],
)
def test_a_directory_that_leads_nowhere_is_damage(data: bytes) -> None:
    """Cut off, of a strange size, or elsewhere."""
    with pytest.raises(ExtractionError, match="its directory cannot be read") as caught:
        kind_of_compound_file(data, name="a.xls")
    assert caught.value.code == "damaged"


def test_a_directory_in_circles_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain of sectors that leads to itself, and a tree whose leaf is its root."""
    monkeypatch.setattr(containers, "_MAX_ENTRIES", 50)
    data = bytearray(compound("Workbook"))
    table = 512 + 512  # the directory has one sector, and the table follows
    data[table : table + 4] = struct.pack("<I", 0)
    assert kind_of_compound_file(bytes(data), name="a.xls") == "xls"
    child = 512 + 128
    data[child + 72 : child + 76] = struct.pack("<I", 1)
    assert kind_of_compound_file(bytes(data), name="a.xls") == "xls"
