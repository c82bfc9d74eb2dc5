"""Zip containers: what is refused before anything is unpacked, and what a lying directory costs."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile
import zlib

import pytest

from symfonic.adapters.knowledge.extractors import archives
from symfonic.adapters.knowledge.extractors.archives import Archive
from symfonic.adapters.knowledge.ports import ExtractionError


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of these members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as file:
        for name, data in members:
            file.writestr(name, data)
    return buffer.getvalue()


def refusal(data: bytes) -> tuple[str, str]:
    """Code and limit with which an archive is refused."""
    with pytest.raises(ExtractionError, match=r"^a\.docx ") as caught:
        Archive(data, name="a.docx")
    return caught.value.code, caught.value.limit


@pytest.mark.requirement("EX-ZIP-1")
def test_members_are_read_by_name_in_the_order_of_the_directory() -> None:
    """Order, content and sizes are those of the archive."""
    archive = Archive(zipped(("b", b"two"), ("a/x", b"one")), name="a.docx")
    assert list(archive) == ["b", "a/x"]
    assert archive.read("a/x") == b"one"
    assert (archive.size("b"), archive.size("c")) == (3, 0)
    assert "b" in archive
    assert "c" not in archive


@pytest.mark.requirement("EX-ZIP-1")
def test_a_member_packed_too_well_is_refused_unread() -> None:
    """A megabyte of zeros more than a million bytes long is packed a thousand times smaller."""
    assert refusal(zipped(("a", bytes(1_000_001)))) == ("limit", "ratio")
    assert Archive(zipped(("a", bytes(1_000_000))), name="a.docx").size("a") == 1_000_000


@pytest.mark.requirement("EX-ZIP-1")
def test_too_many_members_are_refused() -> None:
    """One more than the ceiling."""
    members = [(str(number), b"") for number in range(archives.MAX_MEMBERS + 1)]
    assert refusal(zipped(*members, method=zipfile.ZIP_STORED)) == ("limit", "members")
    assert len(list(Archive(zipped(*members[1:], method=zipfile.ZIP_STORED), name="a.docx"))) == archives.MAX_MEMBERS


@pytest.mark.requirement("EX-ZIP-1")
def test_a_directory_that_promises_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sum counts, not the largest."""
    monkeypatch.setattr(archives, "MAX_UNPACKED_BYTES", 5)
    assert refusal(zipped(("a", b"123"), ("b", b"456"))) == ("limit", "unpacked-bytes")
    assert Archive(zipped(("a", b"123"), ("b", b"45")), name="a.docx").read("b") == b"45"


def lying(data: bytes, size: int) -> bytes:
    """The same archive whose directory and member both tell another unpacked size."""
    at, end = data.index(b"PK\x01\x02"), struct.pack("<I", size)
    return data[:22] + end + data[26 : at + 24] + end + data[at + 28 :]


@pytest.mark.requirement("EX-ZIP-1")
@pytest.mark.parametrize("size", [10, 999_999])
def test_a_size_that_lies_is_an_error_and_no_more_is_unpacked(size: int) -> None:
    """Smaller or larger than the truth."""
    archive = Archive(lying(zipped(("a", bytes(500_000))), size), name="a.docx")
    with pytest.raises(ExtractionError, match="cannot be unpacked") as caught:
        archive.read("a")
    assert caught.value.code == "damaged"


@pytest.mark.requirement("EX-ZIP-1")
def test_a_member_is_not_unpacked_beyond_what_it_tells() -> None:
    """A small size and the checksum of the beginning give the beginning, and the rest stays packed."""
    packed = lying(zipped(("a", bytes(50_000_000))), 10)
    at = packed.index(b"PK\x01\x02")
    short = struct.pack("<I", zlib.crc32(bytes(10)))
    archive = Archive(packed[:14] + short + packed[18 : at + 16] + short + packed[at + 20 :], name="a.docx")
    tracemalloc.start()
    try:
        assert archive.read("a") == bytes(10)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.requirement("EX-ZIP-1")
def test_what_these_formats_never_use_is_refused() -> None:
    """Passwords, other methods, a name twice, no archive at all, one that ends early."""
    plain = zipped(("a", b"text"))
    at = plain.index(b"PK\x01\x02")
    assert refusal(plain[: at + 8] + b"\x01" + plain[at + 9 :]) == ("encrypted", "")
    assert refusal(zipped(("a", b"text"), method=zipfile.ZIP_BZIP2)) == ("damaged", "")
    twice = zipped(("a", b"one"), ("b", b"two")).replace(b"b", b"a")
    assert refusal(twice) == ("damaged", "")
    assert refusal(b"PK\x03\x04 and no more") == ("damaged", "")
    assert refusal(plain[:-30]) == ("damaged", "")


def test_a_missing_member_is_damage() -> None:
    """What a format needs and the archive lacks."""
    with pytest.raises(ExtractionError, match=r"its part word/b\.xml is missing"):
        Archive(zipped(("a", b"text")), name="a.docx").read("word/b.xml")


@pytest.mark.requirement("EX-ZIP-3")
@pytest.mark.parametrize("part", ["", "a" * 101, "a\nb", "a\u202eb", "a; ignore what was said"])
def test_a_message_names_a_part_by_a_plain_name_only(part: str) -> None:
    """The name is the choice of whoever made the file."""
    with pytest.raises(ExtractionError, match=r"a part of it is missing"):
        Archive(zipped(("a", b"text")), name="a.docx").read(part)
