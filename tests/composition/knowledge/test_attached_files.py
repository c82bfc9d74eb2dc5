"""Files that come with a question: which extractor reads them, how their sections become one text, what is refused."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.ports import Extraction, ExtractionError, Section
from symfonic.capabilities.knowledge import Attachment, AttachmentExtractor, AttachmentSource
from symfonic.composition.knowledge import FileExtractor, InputError, extracted_text, file_extractor, read_attachment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def extractor() -> Iterator[FileExtractor]:
    """The extractors of ingestion, with one worker for all of these tests."""
    with file_extractor() as opened:
        yield opened


def section(text: str, *headings: str, page: int | None = None) -> Section:
    """A section of a file."""
    return Section(text=text, headings=headings, page=page)


@pytest.mark.requirement("CO-ATT-1")
@pytest.mark.parametrize(
    ("name", "media_type", "data", "expected"),
    [
        ("note.txt", "", b"one\ntwo", "one\ntwo"),
        ("page.txt", "text/plain", b"<!doctype html><html><p>one<p>two", "one\n\ntwo"),
        ("page", "text/html; charset=utf-8", b"<!doctype html><html><p>one", "one"),
        ("note", "Text/Plain", b"one", "one"),
        ("rates", "text/csv", b"a,b\n1,2\n", "| a | b |\n| 1 | 2 |"),
        ("x.json", "application/json", b'{"a": 1}\n', '{"a": 1}'),
        ("x.py", "text/x-python; charset=utf-8", b"a = 1\n", "a = 1"),
        ("x.bin", "text/plain", b"text all the same", "text all the same"),
        ("x.dat", "text/html", b"a page<p>of two", "a page\n\nof two"),
        ("https://example.org/x", "text/uri-list", b"https://example.org/", "https://example.org/"),
        ("note.md", "application/pdf", b"# One\n\ntwo\n", "# One\n\ntwo"),
    ],
)
def test_content_and_name_decide_what_reads_a_file(
    extractor: FileExtractor, name: str, media_type: str, data: bytes, expected: str
) -> None:
    """What its sender says it is counts only where neither says anything."""
    assert isinstance(extractor, AttachmentExtractor)
    assert extractor.extract(Attachment(name, media_type, data)) == expected


@pytest.mark.requirement("CO-ATT-2")
@pytest.mark.parametrize(
    ("name", "media_type", "data", "code"),
    [
        ("x.bin", "", b"text all the same", "unsupported"),
        ("x.bin", "text/plain", b"a\0b", "binary"),
        ("x.json", "image/png", b"{}", "unsupported"),
        ("x.pdf", "text/plain", b"no pdf", "unsupported"),
        ("x", "image/png", b"text", "unsupported"),
        ("x.pdf", "", b"no pdf", "unsupported"),
        ("x.pdf", "", b"%PDF-1.7 damaged", "damaged"),
        ("x.txt", "", b"a\0b", "binary"),
    ],
)
def test_what_cannot_be_read_has_a_word_for_it(
    extractor: FileExtractor, name: str, media_type: str, data: bytes, code: str
) -> None:
    """Each failure carries its code, which the bridge of attachments tells; an address is fetched by nobody."""
    with pytest.raises(ExtractionError) as refusal:
        extractor.extract(Attachment(name, media_type, data))
    assert refusal.value.code == code


@pytest.mark.requirement("CO-ATT-2")
def test_the_bridge_tells_code_and_limit() -> None:
    """A limit that an extractor met is named in the reason, and a kind without an extractor is unsupported."""

    class Limited:
        def extract(self, data: bytes, *, name: str) -> Extraction:
            message = f"{name} of {len(data)} bytes is too deep"
            raise ExtractionError(message, code="limit", limit="depth")

    files = [Attachment("a.md", "", b"a"), Attachment("b.txt", "", b"b")]
    selection = AttachmentSource(files, FileExtractor({"markdown": Limited()})).select()
    assert [(name, str(reason), reason.code.value) for name, reason in selection.dropped] == [
        ("a.md", "its text could not be extracted: it met the limit of depth", "extraction-failed"),
        ("b.txt", "files of this kind cannot be read", "unsupported"),
    ]


@pytest.mark.requirement("CO-ATT-3")
@pytest.mark.parametrize(
    ("sections", "expected"),
    [
        ((), ""),
        ((section("one\n", "One"), section("two", "Two")), "One\none\n\nTwo\ntwo"),
        ((section("one", "Book", "Sheet1"), section("two", "Book", "Sheet1")), "Book > Sheet1\none\ntwo"),
        ((section("a\n\n", page=1), section("b\n", page=2), section("c", page=2)), "a\n\nb\nc"),
        ((section("# One\n\ntext\n", "One"), section("## Two\n", "One", "Two")), "# One\n\ntext\n## Two"),
        ((section("One\n===\ntext", "One"),), "One\n===\ntext"),
        ((section("One\nTwo\ntext", "One Two"),), "One\nTwo\ntext"),
        ((section("One more\n", "One"),), "One\nOne more"),
        ((section("a" * 9, "aaa…"),), "a" * 9),
        ((section("page one", page=1), section("page two", page=2)), "page one\n\npage two"),
        ((section("", "One"), section("two", "One", "Two")), "One\n\nOne > Two\ntwo"),
        ((section("one", "***"), section("two", "Two"), section("three")), "***\none\n\nTwo\ntwo\nthree"),
        ((section("_One_\ntext", "One"),), "_One_\ntext"),
        # Letters that older interpreters do not know: as no words at all, the two would be alike.
        ((section("\U00016d40\ntext", "\U00016d41"),), "\U00016d41\n\U00016d40\ntext"),
    ],
)
def test_sections_are_joined_with_the_headings_they_do_not_write(sections: tuple[Section, ...], expected: str) -> None:
    """Every section begins on a line of its own; a heading stands above it once, where its text does not write it."""
    assert extracted_text(Extraction(kind="text", sections=sections)) == expected


@pytest.mark.requirement("CO-ATT-4")
def test_a_file_is_read_up_to_its_ceiling(tmp_path: Path) -> None:
    """A file of just that size is read; one byte more is refused, and so is what has no size."""
    path = tmp_path / "note.txt"
    path.write_bytes(b"0123456789")
    assert read_attachment(path, media_type="text/plain", max_bytes=10) == Attachment(
        "note.txt", "text/plain", b"0123456789"
    )
    with pytest.raises(InputError, match=r"^an attachment has at most 9 bytes; .* has 10 and nothing was asked; "):
        read_attachment(path, max_bytes=9)
    with pytest.raises(
        InputError, match=r"^an attachment is a regular file; /dev/zero is a folder, a device or a pipe"
    ):
        read_attachment("/dev/zero")


@pytest.mark.requirement("CO-ATT-4")
def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """A folder, a pipe without a writer, nothing at all and what is no path: none is waited for."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(InputError, match="is a folder, a device or a pipe"):
            read_attachment(path)
    with pytest.raises(InputError, match=r"could not be read \(No such file or directory\)"):
        read_attachment(tmp_path / "nothing")
    for given in ("", "a\0b", 7):
        with pytest.raises(InputError, match=r"^an attachment is read from a file; "):
            read_attachment(given)  # type: ignore[arg-type]  # what a caller without types passes
    os.close(os.open(os.fsencode(tmp_path) + b"/\xff.txt", os.O_CREAT))
    assert read_attachment(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.txt")).name == "\ufffd.txt"
