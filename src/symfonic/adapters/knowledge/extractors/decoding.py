"""Bytes to characters: which encoding a text file is in.

Rules of this module: standard library only, and no character is ever dropped. Either every byte is accounted for, or
the file is refused with a reason. What is tried, in this order:

1. a byte order mark (UTF-8, UTF-32, UTF-16), which is then binding;
2. for HTML, the encoding its first 4,096 bytes declare, if it is one web pages are written in;
3. UTF-8, strictly;
4. Windows-1252, where no control character appears and at most a quarter of the bytes lie outside ASCII. More than
   that is some other encoding, and a wrong guess would fill the store with text that nobody wrote.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

from symfonic.adapters.knowledge.ports import ExtractionError

__all__ = ["decode_text"]

# UTF-32 little endian begins like UTF-16 little endian, so it is asked first.
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED_WITHIN: Final = 4096
_DECLARATION: Final = re.compile(
    rb"<(?:meta|\?xml)\b[^>]{0,400}?\b(?:charset|encoding)\s{0,9}=\s{0,9}[\"']?([\w.:-]{1,40})", re.IGNORECASE
)

# Encodings of web pages. Not every Python codec: "unicode_escape" interprets the text, "utf-7" hides markup, and
# "punycode" takes quadratic time. As the HTML standard has it, Latin-1 and ASCII mean Windows-1252.
_WEB_ENCODINGS: Final = {
    **dict.fromkeys(("ascii", "us-ascii", "iso-8859-1", "iso8859-1", "latin1", "windows-1252", "cp1252"), "cp1252"),
    **{f"iso-8859-{part}": f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{f"windows-{page}": f"cp{page}" for page in (874, 1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258)},
    **dict.fromkeys(("utf-8", "utf8"), "utf-8"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j"), "cp932"),
    **dict.fromkeys(("gb2312", "gbk", "gb18030", "x-gbk"), "gb18030"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "korean"), "cp949"),
    "iso-8859-9": "cp1254",
    "big5": "big5hkscs",
    "big5-hkscs": "big5hkscs",
    "euc-jp": "euc_jp",
    "iso-2022-jp": "iso2022_jp",
    "koi8-r": "koi8_r",
    "koi8-u": "koi8_u",
    "macintosh": "mac_roman",
}
_MAX_FOREIGN_SHARE: Final = 0.25
# C0 without tab, line feed, vertical tab, form feed and carriage return; DEL.
_CONTROLS: Final = bytes([*range(9), *range(14, 32), 127])
_ASCII: Final = bytes(range(128))


def decode_text(data: bytes, *, name: str, html: bool = False) -> str:
    """Return the text of ``data`` with line feeds as line ends and without a byte order mark.

    Raises:
        ExtractionError: ``binary`` where the bytes are no text in any encoding that may be assumed.
    """
    text = _marked(data, name) or (_declared(data) if html else None)
    if text is None:
        text = _unmarked(data, name)
    if "\0" in text:
        raise _not_text(name, "it contains NUL")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _marked(data: bytes, name: str) -> str | None:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return data[len(mark) :].decode(encoding)
            except UnicodeDecodeError as error:
                raise _not_text(name, f"its byte order mark says {encoding}, byte {error.start} is not") from None
    return None


def _declared(data: bytes) -> str | None:
    found = _DECLARATION.search(data[:_DECLARED_WITHIN])
    encoding = _WEB_ENCODINGS.get(found[1].decode("ascii", "replace").lower()) if found else None
    try:
        return data.decode(encoding) if encoding else None
    except UnicodeDecodeError:
        # A page that declares the wrong encoding is common; the bytes decide then.
        return None


def _unmarked(data: bytes, name: str) -> str:
    if b"\0" in data:
        raise _not_text(name, "it contains NUL")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        where = error.start
    foreign = len(data.translate(None, _ASCII))
    controls = len(data) - len(data.translate(None, _CONTROLS))
    if controls or foreign > _MAX_FOREIGN_SHARE * len(data):
        raise _not_text(name, f"byte {where} is not UTF-8")
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError as error:
        raise _not_text(name, f"byte {where} is not UTF-8, byte {error.start} not Windows-1252") from None


def _not_text(name: str, why: str) -> ExtractionError:
    message = f"{name} is not text that can be decoded: {why}; nothing of it is stored. Save it as UTF-8."
    return ExtractionError(message, code="binary")
