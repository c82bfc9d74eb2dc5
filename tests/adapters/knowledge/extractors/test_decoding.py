"""Bytes to characters: every encoding that may be assumed, and none that may not."""

from __future__ import annotations

import pytest

from symfonic.adapters.knowledge.extractors.decoding import decode_text
from symfonic.adapters.knowledge.ports import ExtractionError

TEXT = "Größe: 5² m, „Zitat“\n"


@pytest.mark.requirement("EX-DEC-1")
@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", b"\xef\xbb\xbf"),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
        ("utf-32-le", b"\xff\xfe\x00\x00"),
        ("utf-32-be", b"\x00\x00\xfe\xff"),
        ("cp1252", b""),
    ],
)
def test_text_comes_back_from_every_assumed_encoding(encoding: str, mark: bytes) -> None:
    """Byte order marks are binding; without one it is UTF-8, then Windows-1252."""
    assert decode_text(mark + TEXT.encode(encoding), name="a.txt") == TEXT


def test_every_line_end_becomes_a_line_feed() -> None:
    """CRLF and CR alone are line ends of their own time."""
    assert decode_text(b"a\r\nb\rc\n", name="a.txt") == "a\nb\nc\n"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (b'<meta charset="koi8-r">' + "Привет".encode("koi8-r"), '<meta charset="koi8-r">Привет'),
        (
            b'<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">' + "規程".encode("cp932"),
            '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">規程',
        ),
        (b"<meta charset=latin1>\x80", "<meta charset=latin1>€"),
        # Wrongly declared: the bytes are UTF-8.
        ('<meta charset="euc-jp">€'.encode(), '<meta charset="euc-jp">€'),
        # Not an encoding of web pages: it would turn the text into another.
        (b'<meta charset="unicode_escape">\\x41', '<meta charset="unicode_escape">\\x41'),
        (b'<meta charset="rot13">abc', '<meta charset="rot13">abc'),
    ],
)
def test_a_page_may_declare_its_encoding(page: bytes, text: str) -> None:
    """Where it is one of the web's encodings and the bytes agree."""
    assert decode_text(page, name="a.html", html=True) == text


def test_a_declaration_counts_only_in_html() -> None:
    """A text file about HTML is not written in what it quotes."""
    assert decode_text('<meta charset="koi8-r"> ä'.encode(), name="a.txt") == '<meta charset="koi8-r"> ä'


@pytest.mark.requirement("EX-DEC-1")
@pytest.mark.parametrize(
    "data",
    [
        b"abc\0def",
        "a\0b".encode("utf-16"),
        b"\xff\xfea",  # half a character
        b"\xff\xfe" + b"\x00\xd8",  # half a surrogate pair
        b"caf\xe9 \x01",  # controls: no Windows-1252 text
        b"caf\x81",  # no character of Windows-1252
        bytes(range(128, 256)) * 4,  # no text in anything
        b"ab\0c",  # UTF-16 of one order of bytes as likely as of the other
        "Привет".encode("koi8-r"),  # too little to be certain
        "šč".encode("cp1250"),
    ],
)
def test_what_cannot_be_decoded_is_refused_not_mangled(data: bytes) -> None:
    """No byte is ever dropped, and no encoding guessed against the odds."""
    with pytest.raises(ExtractionError, match=r"notes\.txt is not text that can be decoded") as caught:
        decode_text(data, name="notes.txt")
    assert caught.value.code == "binary"
