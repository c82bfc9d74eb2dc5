"""Bytes to characters: which encoding a text file is in.

Rules of this module: no character is ever dropped. Either every byte is accounted for, or the file is refused with a
reason. What is tried, in this order:

1. a byte order mark (UTF-8, UTF-32, UTF-16), which is then binding;
2. the encoding a message declares, or for HTML the one its first 4,096 bytes declare, if web pages are written in it;
3. where there are NUL bytes, UTF-32 and UTF-16 without a mark; where there are escape sequences, ISO-2022-JP;
4. UTF-8, strictly, if at most a tenth of it is control characters;
5. what the detector names, if the text bears it out (``charsets``);
6. without the detector, which the extra ``ingest`` brings: Windows-1252, where no control character appears and at
   most a quarter of the bytes lie outside ASCII.

Anything else is refused: a wrong guess would fill the store with text that nobody wrote.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

from symfonic.adapters.knowledge.extractors.charsets import codec_of, detected_text, escaped_text, wide_text
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
_MAX_FOREIGN_SHARE: Final = 0.25
_MAX_CONTROL_SHARE: Final = 0.1
# C0 without tab, line feed, vertical tab, form feed and carriage return; DEL.
_CONTROLS: Final = bytes([*range(9), *range(14, 32), 127])
_ASCII: Final = bytes(range(128))


def decode_text(data: bytes, *, name: str, html: bool = False, declared: str = "") -> str:
    """Return the text of ``data`` with line feeds as line ends and without a byte order mark.

    Args:
        data: The whole text.
        name: The file's name, for messages only.
        html: Whether a declaration within the text counts.
        declared: The encoding a message declares for it; a name nobody knows is as good as none.

    Raises:
        ExtractionError: ``binary`` where the bytes are no text in any encoding that may be assumed.
    """
    text = _marked(data, name)
    if text is None and declared:
        text = _strictly(data, codec_of(declared, mail=True))
    if text is None and html:
        text = _declared(data)
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
    return _strictly(data, codec_of(found[1].decode("ascii", "replace"))) if found else None


def _strictly(data: bytes, encoding: str) -> str | None:
    """The text, if it is in the encoding it declares: a wrong declaration is common, and the bytes decide then."""
    try:
        return data.decode(encoding) if encoding else None
    except UnicodeDecodeError:
        return None


def _unmarked(data: bytes, name: str) -> str:
    if b"\0" in data:
        text = wide_text(data)
        if text is None:
            raise _not_text(name, "it contains NUL")
        return text
    escaped = escaped_text(data)
    if escaped is not None:
        return escaped
    try:
        text = data.decode("utf-8")
        if _controls(data) > _MAX_CONTROL_SHARE * len(data):
            # Such as UTF-16 of some scripts, each character two bytes of ASCII.
            raise _not_text(name, "it consists of control characters")
    except UnicodeDecodeError as error:
        text = _legacy(data, name, error.start)
    return text


def _legacy(data: bytes, name: str, where: int) -> str:
    try:
        text = detected_text(data)
    except ImportError:
        text = _western(data)
    if text is None:
        raise _not_text(name, f"byte {where} is not UTF-8, and no other encoding is certain")
    return text


def _western(data: bytes) -> str | None:
    foreign = len(data.translate(None, _ASCII))
    plausible = not _controls(data) and foreign <= _MAX_FOREIGN_SHARE * len(data)
    return _strictly(data, "cp1252") if plausible else None


def _controls(data: bytes) -> int:
    return len(data) - len(data.translate(None, _CONTROLS))


def _not_text(name: str, why: str) -> ExtractionError:
    message = f"{name} is not text that can be decoded: {why}; nothing of it is used. Save it as UTF-8."
    return ExtractionError(message, code="binary")
