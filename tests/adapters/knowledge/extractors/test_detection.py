"""Which format a file is in."""

from __future__ import annotations

import pytest

from symfonic.adapters.knowledge.extractors.detection import default_extractors, detect_kind
from symfonic.adapters.knowledge.ports import ExtractionError


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
        ("a.pdf", b"%PDF-1.7\n", "pdf"),
        ("a.pdf", b"\r\n junk before %PDF-1.4", "pdf"),
        ("a.txt", b"%PDF-1.7\n", "pdf"),
        ("scan.docx", b"%PDF-1.7\n", "pdf"),
        ("a.md", b"The head `%PDF-` begins a PDF.", "markdown"),
        ("a.txt", b"\xef\xbb\xbf <!DOCTYPE html>\n<p>", "html"),
        ("a.pdf", b"<html><body>Not found", "html"),
        ("a.md", b"<html> is an element", "markdown"),
    ],
)
def test_content_decides_where_it_is_decisive_and_the_name_elsewhere(name: str, head: bytes, kind: str) -> None:
    """A PDF is one under any name."""
    assert detect_kind(name, head) == kind


@pytest.mark.parametrize(
    ("name", "head", "code"),
    [
        ("a.md", b"", "empty"),
        ("a.docx", b"PK\x03\x04", "unsupported"),
        ("a.csv", b"a,b", "unsupported"),
        ("a.pdf", b"plain text", "unsupported"),
        ("Makefile", b"all:", "unsupported"),
        (".md", b"text", "unsupported"),
    ],
)
def test_other_files_are_named_as_what_they_are(name: str, head: bytes, code: str) -> None:
    """Empty files and formats nobody reads here."""
    with pytest.raises(ExtractionError) as caught:
        detect_kind(name, head)
    assert caught.value.code == code


def test_every_kind_has_an_extractor() -> None:
    """What detection may answer can be read."""
    with default_extractors() as extractors:
        assert set(extractors) == {"markdown", "rst", "text", "html", "pdf"}
        assert extractors["text"].extract(b"hello", name="a.txt").sections[0].text == "hello"
