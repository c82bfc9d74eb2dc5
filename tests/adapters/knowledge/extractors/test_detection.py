"""Which format a file is in."""

from __future__ import annotations

from importlib import metadata

import pytest

from symfonic.adapters.knowledge.extractors import _worker
from symfonic.adapters.knowledge.extractors.detection import HEAD_BYTES, default_extractors, detect_kind
from symfonic.adapters.knowledge.ports import ExtractionError

from .hostile import compound, office, word, zipped

DOCX = zipped(*office("docx", word()))
XLSX = zipped(*office("xlsx", b""))
XLS = compound("Workbook")


@pytest.mark.requirement("EX-DET-1")
@pytest.mark.parametrize(
    ("name", "head", "kind"),
    [
        ("a.md", b"# Title", "markdown"),
        ("A.MARKDOWN", b"text", "markdown"),
        ("a.rst", b"text", "rst"),
        ("a.txt", b"text", "text"),
        ("README", b"text", "text"),
        ("a.html", b"<p>text", "html"),
        ("a.HTM", b"text", "html"),
        ("a.csv", b"a,b", "csv"),
        ("a.tsv", b"a\tb", "tsv"),
        ("a.tab", b"a\tb", "tsv"),
        ("a.eml", b"Received: from a", "eml"),
        ("a.eml", b"\r\nFrom a@example.org Mon", "eml"),
        ("a.pdf", b"%PDF-1.7\n", "pdf"),
        ("a.pdf", b"\r\n junk before %PDF-1.4", "pdf"),
        ("a.txt", b"%PDF-1.7\n", "pdf"),
        ("scan.docx", b"%PDF-1.7\n", "pdf"),
        ("a.md", b"%PDF-1.7\n", "pdf"),
        ("a.md", b"The head `%PDF-` begins a PDF.", "markdown"),
        ("a.txt", b"\xef\xbb\xbf <!DOCTYPE html>\n<p>", "html"),
        ("a.txt", b"<?xml version='1.0'?>\n<html lang='en'>", "html"),
        ("a.pdf", b"<html><body>Not found", "html"),
        ("a.xls", b"<html><body><table>", "html"),
        ("a.eml", b"<html><body>", "html"),
        ("page", b"<html><body>", "html"),
        ("a.md", b"<html> is an element", "markdown"),
        ("a.rst", b"{\\rtf1 is how RTF begins", "rst"),
    ],
)
def test_content_decides_where_it_is_decisive_and_the_name_elsewhere(name: str, head: bytes, kind: str) -> None:
    """A PDF is one under any name."""
    assert detect_kind(name, head) == kind


@pytest.mark.requirement("EX-DET-2")
@pytest.mark.parametrize(
    ("data", "kind"), [(DOCX, "docx"), (XLSX, "xlsx"), (zipped(*office("docm", b"")), "docx"), (XLS, "xls")]
)
@pytest.mark.parametrize("name", ["a.docx", "a.pptx", "a.txt", "a.csv", "a.md", "a.pdf", "a.zip", "a"])
def test_a_container_is_what_it_holds_under_any_name(name: str, data: bytes, kind: str) -> None:
    """A workbook that is named like text, a document without an ending."""
    assert detect_kind(name, data) == kind


@pytest.mark.requirement("EX-DET-2")
def test_a_file_in_two_formats_is_what_it_begins_as() -> None:
    """Readers of archives look at the end of a file, readers of everything else at its beginning."""
    assert detect_kind("a.docx", b"%PDF-1.4\n" + DOCX) == "pdf"
    assert detect_kind("a.docx", b"<html></html>" + DOCX) == "html"
    assert detect_kind("a.pdf", b"%PDF-1.4 %%EOF" + XLS) == "pdf"
    assert detect_kind("a.pdf", DOCX + b"%PDF-1.4") == "docx"


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [("a.docx", DOCX, "docx"), ("a.epub", DOCX, "epub"), ("a.xls", compound("WordDocument"), "xls")],
)
def test_the_beginning_of_a_container_is_what_its_name_says(name: str, data: bytes, kind: str) -> None:
    """The directory of an archive stands at its end; a damaged one is the extractor's to judge."""
    assert detect_kind(name, data[: HEAD_BYTES // 4]) == kind


@pytest.mark.parametrize(
    ("name", "head", "code"),
    [
        ("a.md", b"", "empty"),
        ("a.docx", b"Ordinary words.", "unsupported"),
        ("a.docx", b"PK\x05\x06" + bytes(18), "unsupported"),
        ("a.xls", b"a\tb\n", "unsupported"),
        ("a.eml", b"Ordinary words.", "unsupported"),
        ("a.doc", b"{\\rtf1 words", "unsupported"),
        ("a.txt", b"{\\rtf1 words", "unsupported"),
        ("a.txt", DOCX[:100], "damaged"),
        ("a.docx", XLS[:100], "damaged"),
        ("a.xls", DOCX[:100], "damaged"),
        ("a.xls", compound("EncryptedPackage"), "encrypted"),
        ("a.docx", zipped(("a", b"words")), "unsupported"),
        ("a.pdf", b"plain text", "unsupported"),
        ("a.png", b"\x89PNG", "unsupported"),
        ("Makefile", b"all:", "unsupported"),
        (".md", b"text", "unsupported"),
    ],
)
def test_other_files_are_named_as_what_they_are(name: str, head: bytes, code: str) -> None:
    """Empty files, formats nobody reads here, and names that are not believed."""
    with pytest.raises(ExtractionError) as caught:
        detect_kind(name, head)
    assert caught.value.code == code


def test_a_name_that_is_not_believed_is_told() -> None:
    """What the file is called, what it is not, and what could be done."""
    with pytest.raises(
        ExtractionError, match=r"named like a docx file and is none, .*; rename it after what it is, one"
    ):
        detect_kind("a.docx", b"words")
    with pytest.raises(ExtractionError, match=r"^this format cannot be read, .* convert it to one of: \.md \.rst"):
        detect_kind("a.exe", b"MZ\0")
    with pytest.raises(
        ExtractionError, match=r"^this format cannot be read, .*; rename it to \.txt where it is text, "
    ):
        detect_kind("a.json", b"{}")


def test_every_kind_has_an_extractor() -> None:
    """What detection may answer can be read, here or in a worker."""
    with default_extractors() as extractors:
        assert set(extractors) == {"markdown", "rst", "text", *_worker.EXTRACTORS}
        assert extractors["text"].extract(b"hello", name="a.txt").sections[0].text == "hello"


def test_versions_name_our_rules_and_the_libraries_that_decide_the_text() -> None:
    """A file stored before is read anew when one of them changed, and not for nothing."""
    with default_extractors() as extractors:
        versions = {kind: getattr(extractor, "version", "") for kind, extractor in extractors.items()}
    releases = {name: metadata.version(name) for name in ("selectolax", "pypdfium2", "chardetng-py", "lxml")}
    assert versions["html"] == f"6 selectolax {releases['selectolax']} chardetng-py {releases['chardetng-py']}"
    assert versions["pdf"] == f"4 pypdfium2 {releases['pypdfium2']}"
    assert versions["docx"] == f"3 lxml {releases['lxml']}"
    assert all(versions.values())


@pytest.mark.requirement("EX-ENC-1")
@pytest.mark.parametrize("kind", ["html", "csv", "eml"])
def test_encodings_are_told_behind_the_wall_as_they_are_here(kind: str) -> None:
    """The detector is imported before files are out of reach."""
    text = "Отпуск сотрудника составляет двадцать восемь дней в году и заявление подаётся за месяц. " * 4
    data = {"html": f"<p>{text}", "csv": f"{text};да\n{text};нет\n", "eml": f"Subject: a\n\n{text}"}[kind].encode(
        "koi8-r"
    )
    with default_extractors() as extractors:
        found = extractors[kind].extract(data, name=f"a.{kind}")
    assert text.strip() in "".join(section.text for section in found.sections)
