"""Mail messages (RFC 5322, MIME) to what a mail program shows.

Rules of this module: standard library only. Messages are parsed by ``email`` under its ``compat32`` policy, which
leaves header fields as they are: the newer ones take ten seconds for a megabyte of addresses, quadratic time for
encoded words, and end in the stack on nested comments. Pages are read by ``html``, so it runs in the worker process
(``isolation``).

What comes out, a section for each message and for each heading in one: the subject, as a heading too; ``From``, ``To``,
``Cc`` and ``Date`` on a line each; the text; ``Attachment: name (type, N bytes)`` for each part that is not text, where
it stands. Attachments are named and not read: each is a document of its own. A message within a message follows below
the headings of the one that holds it. Other header fields, and what stands before the first part and behind the last,
are left out: no reader sees them.

Of alternatives (``multipart/alternative``) the page is taken, for that is what mail programs show; the plain text where
there is no page or it shows nothing, and where there is neither, the last. Text the page hides is left out and counted.

Text is in the encoding it declares if it can be, else in what ``decoding`` finds. Text in none costs the message; a
header field in none shows U+FFFD. Parts whose boundaries are missing are read as the text they are.
"""

from __future__ import annotations

import binascii
import re
from email import message_from_bytes
from email.policy import compat32
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.extractors._omissions import Omissions
from symfonic.adapters.knowledge.extractors.characters import WHITE_SPACE
from symfonic.adapters.knowledge.extractors.decoding import decode_text
from symfonic.adapters.knowledge.extractors.html import PageText, read_page
from symfonic.adapters.knowledge.extractors.outline import Heading, heading_text, one_line, sections_of
from symfonic.adapters.knowledge.extractors.plain import require_text
from symfonic.adapters.knowledge.ports import Extraction, ExtractionError, Section

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from email.message import Message

__all__ = ["MAX_DEPTH", "MAX_FIELD_BYTES", "MAX_PARTS", "extract_eml"]

MAX_DEPTH: Final = 50
"""How deep parts may lie within parts."""

MAX_PARTS: Final = 10_000
"""Parts a message may have, those of messages within it included."""

MAX_FIELD_BYTES: Final = 4_096
"""Bytes the fields may have that say what a part is; the library takes quadratic time on them."""

_FIELDS: Final = ("From", "To", "Cc", "Date")
_PAGE: Final = "text/html"
# Text to programs: shown as attachments by whatever shows mail.
_NOT_SHOWN: Final = frozenset({"text/calendar", "text/rtf", "text/vcard", "text/x-vcard", "text/directory"})
_MESSAGES: Final = frozenset({"message/rfc822", "message/global"})
_NOTICES: Final = frozenset({"message/delivery-status", "message/disposition-notification"})
_PACKED: Final = frozenset({"base64", "quoted-printable"})
_CERTAIN: Final = re.compile(
    rb"(?:^|\r)content-(?:type|disposition)[ \t]*:(?:[^\r\n]|\r?\n[ \t]|\r[ \t])*+", re.IGNORECASE | re.MULTILINE
)
_FAULTS: Final = (LookupError, ValueError, TypeError, AttributeError, AssertionError)


def extract_eml(data: bytes, *, name: str) -> Extraction:
    """Return what a reader sees of a message; call it in the worker process.

    Raises:
        ExtractionError: ``encrypted`` (its text needs a key), ``limit`` (``depth``, ``members``: parts, ``bytes``: a
            field that says what a part is), ``binary`` (text in no known encoding), ``damaged``, ``empty``.
    """
    if any(len(found[0]) > MAX_FIELD_BYTES for found in _CERTAIN.finditer(data)):
        raise _too_much(name, f"a field on the type of a part with more than {MAX_FIELD_BYTES:,} bytes", "bytes")
    mail = _Mail(name)
    try:
        mail.add_message(message_from_bytes(data.lstrip(b"\xef\xbb\xbf\r\n"), policy=compat32), depth=0)
    except RecursionError:
        # The library's own depth ends far beyond ours, so the outcome does not depend on how much stack was left.
        raise _too_deep(name) from None
    except _FAULTS as error:
        message = f"{name} is a damaged message ({type(error).__name__}), so nothing of it is used; save it anew."
        raise ExtractionError(message, code="damaged") from None
    require_text("".join(section.text for section in mail.sections), name=name)
    return Extraction(kind="eml", sections=tuple(mail.sections), hidden=mail.omissions.counted())


class _Mail:
    """The sections of one message and of those within it."""

    def __init__(self, name: str) -> None:
        self.sections: list[Section] = []
        self.omissions = Omissions()
        self._name = name
        self._path: tuple[str, ...] = ()
        self._lines: list[str] = []
        self._headings: list[Heading] = []
        self._parts = 0

    def add_message(self, message: Message, *, depth: int) -> None:
        """Add a message below the headings of the one that holds it."""
        self._flush()
        holder = self._path
        subject = one_line(", ".join(_fields(message, "Subject", self._name)))
        if subject:
            self._path = (*holder, heading_text(subject))
            self._add([f"{subject}\n"])
        fields = ((field, ", ".join(_fields(message, field, self._name))) for field in _FIELDS)
        self._add([f"{field}: {value}\n" for field, value in fields if value])
        if _is_encrypted(message):
            if depth == 0:
                text = f"{self._name} is encrypted, so its text cannot be read; save a copy without encryption."
                raise ExtractionError(text, code="encrypted")
            self._add([_attachment(message, self._name)])
        else:
            self._add_part(message, depth)
        self._flush()
        self._path = holder

    def _flush(self) -> None:
        for section in sections_of(self._lines, self._headings):
            self.sections.append(Section(text=section.text, headings=(*self._path, *section.headings)))
        self._lines, self._headings = [], []

    def _add(self, lines: Sequence[str], headings: Iterable[Heading] = ()) -> None:
        """Add a block, a blank line behind it."""
        if lines:
            self._headings += [Heading(len(self._lines) + found.line, found.level, found.title) for found in headings]
            self._lines += lines if lines[-1] == "\n" else [*lines, "\n"]

    def _add_part(self, part: Message, depth: int) -> None:
        self._parts += 1
        if depth > MAX_DEPTH:
            raise _too_deep(self._name)
        if self._parts > MAX_PARTS:
            raise _too_much(self._name, f"more than {MAX_PARTS:,} parts", "members")
        kind = part.get_content_type()
        if kind in _MESSAGES and part.is_multipart():
            self.add_message(_held_message(part), depth=depth + 1)
        elif kind in _NOTICES and part.is_multipart():
            for block in _children(part):
                self._add([f"{field}: {_decoded(str(value), self._name)}\n" for field, value in _raw_items(block)])
        elif part.is_multipart():
            self._add_parts(part, depth + 1)
        elif _is_shown(part):
            self._add_text(part)
        else:
            self._add([_attachment(part, self._name)])

    def _add_parts(self, part: Message, depth: int) -> None:
        children = _children(part)
        chosen = self._chosen(children) if part.get_content_type() == "multipart/alternative" else None
        for child in children:
            if chosen is None or child is chosen:
                self._add_part(child, depth)
            else:
                attached = [leaf for leaf in _leaves(child, depth, self._name) if not _is_shown(leaf)]
                self._add([_attachment(leaf, self._name) for leaf in attached])

    def _add_text(self, part: Message) -> None:
        if part.get_content_type() == _PAGE:
            page = self._page(part)
            self.omissions.add_counts(page.hidden)
            self._add(page.lines, page.headings)
        else:
            text = self._text(part).strip("\n")
            if text.strip(WHITE_SPACE):
                self._add([f"{line}\n" for line in text.split("\n")])

    def _text(self, part: Message) -> str:
        declared = part.get_content_charset() or ""
        return decode_text(_content(part), name=self._name, html=part.get_content_type() == _PAGE, declared=declared)

    def _page(self, part: Message) -> PageText:
        return read_page(self._text(part), name=self._name)

    def _chosen(self, children: Sequence[Message]) -> Message:
        """The alternative that is read."""
        pages = ((child, leaf) for child in children for leaf in _leaves(child, 0, self._name) if _is_page(leaf))
        holder, page = next(pages, (None, None))
        plain = next((child for child in children if child.get_content_type() == "text/plain"), None)
        if plain is None or holder is None or page is None:
            return plain or holder or children[-1]
        return holder if "".join(self._page(page).lines).strip(WHITE_SPACE) else plain


# ----------------------------------------------------------------------------------------------------------- parts


def _children(part: Message) -> list[Message]:
    payload: Any = part.get_payload()
    return list(payload)


def _leaves(part: Message, depth: int, name: str) -> Iterator[Message]:
    """The parts below one that hold no others; messages count as such."""
    if depth > MAX_DEPTH:
        raise _too_deep(name)
    if part.get_content_maintype() == "multipart" and part.is_multipart():
        for child in _children(part):
            yield from _leaves(child, depth + 1, name)
    else:
        yield part


def _is_shown(part: Message) -> bool:
    kind = part.get_content_type()
    # A part that should hold others and does not is the text it is.
    is_text = part.get_content_maintype() in {"text", "multipart"} and kind not in _NOT_SHOWN
    return is_text and part.get_content_disposition() != "attachment"


def _is_page(part: Message) -> bool:
    return part.get_content_type() == _PAGE and _is_shown(part)


def _is_encrypted(message: Message) -> bool:
    kind = message.get_content_type()
    if kind in {"application/pkcs7-mime", "application/x-pkcs7-mime"}:
        return message.get_param("smime-type") not in {"signed-data", "certs-only"}
    return kind == "multipart/encrypted"


def _content(part: Message) -> bytes:
    """The bytes of a part without its transfer encoding."""
    content: Any = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _held_message(part: Message) -> Message:
    """The message in a part. None may be packed again, some are all the same."""
    held = _children(part)[0]
    packing = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    if packing in _PACKED and not held.keys() and not held.is_multipart():
        held["Content-Transfer-Encoding"] = packing
        return message_from_bytes(_content(held), policy=compat32)
    return held


def _attachment(part: Message, name: str) -> str:
    file = one_line(_decoded(part.get_filename() or "", name)) or "unnamed"
    size = len(_content(part)) or sum(len(_content(leaf)) for leaf in part.walk())
    kind = heading_text(part.get_content_type())
    return f"Attachment: {file} ({kind}, {size:,} {'byte' if size == 1 else 'bytes'})\n"


# --------------------------------------------------------------------------------------------------- header fields

# An encoded word (RFC 2047, with the language of RFC 2231 that nobody needs here).
_WORD: Final = re.compile(r"=\?([^?*\s]{1,60})(?:\*[^?\s]{0,40})?\?([bq])\?([^?]*+)\?=", re.IGNORECASE | re.ASCII)


def _raw_items(message: Message) -> Iterable[tuple[str, object]]:
    # Not items(): it turns undeclared bytes into U+FFFD.
    items: Iterable[tuple[str, object]] = message.raw_items()
    return items


def _fields(message: Message, field: str, name: str) -> list[str]:
    """What the fields of a name say, each on one line."""
    wanted = field.lower()
    found = (_decoded(str(value), name) for key, value in _raw_items(message) if key.lower() == wanted)
    return [value for value in found if value]


def _decoded(raw: str, name: str) -> str:
    """A field without its encoded words; neighbours of one charset are decoded together, or a character is torn."""
    parts: list[str] = []
    packed, charset, place = b"", "", 0
    for found in _WORD.finditer(raw):
        gap = raw[place : found.start()]
        if packed and (gap.strip(" \t\r\n") or found[1].lower() != charset):
            parts.append(_characters(packed, charset, name))
            packed = b""
        # White space between two encoded words belongs to neither.
        if gap.strip(" \t\r\n") or not place:
            parts.append(_undeclared(gap, name))
        packed, charset, place = packed + _unpacked(found), found[1].lower(), found.end()
    parts += [_characters(packed, charset, name), _undeclared(raw[place:], name)]
    return one_line("".join(parts))


def _unpacked(word: re.Match[str]) -> bytes:
    content = word[3].encode("utf-8", "surrogateescape")
    try:
        data = binascii.a2b_qp(content, header=True) if word[2] in "qQ" else binascii.a2b_base64(content + b"==")
    except ValueError:
        data = b""
    # What cannot be unpacked stays as it is written.
    return data if data or not content else word[0].encode("utf-8", "surrogateescape")


def _undeclared(text: str, name: str) -> str:
    # The parser keeps bytes outside ASCII as lone surrogates.
    return text if text.isascii() else _characters(text.encode("utf-8", "surrogateescape"), "", name)


def _characters(data: bytes, charset: str, name: str) -> str:
    try:
        return decode_text(data, name=name, declared=charset)
    except ExtractionError:
        return data.decode("utf-8", "replace")


# ---------------------------------------------------------------------------------------------------------- limits


def _too_deep(name: str) -> ExtractionError:
    return _too_much(name, f"parts within parts, more than {MAX_DEPTH} deep", "depth")


def _too_much(name: str, what: str, limit: str) -> ExtractionError:
    message = f"{name} holds {what}, so nothing of it is used; it is hostile, or has to be split."
    return ExtractionError(message, code="limit", limit=limit)
