"""What the process that reads documents may say, and nothing else.

Rules of this module: the parent's side, pure. The child may have been taken over, so an answer is believed in its shape
and never beyond it: whatever is not exactly as agreed is no answer, and costs the file. Everything is bounded before it
is built, because a few bytes of JSON can stand for a hundred times as much memory.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.extractors._omissions import REASONS
from symfonic.adapters.knowledge.extractors._worker import MAX_HEADER_VALUES, MAX_SECTIONS, values_of
from symfonic.adapters.knowledge.extractors.outline import one_line
from symfonic.adapters.knowledge.ports import Extraction, ExtractionError, Section

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["header_of", "understood"]

_MAX_MESSAGE_CHARS: Final = 1_000
_MAX_PAGE: Final = 10**9
_MAX_HIDDEN: Final = 10**12
_CODES: Final = frozenset({"unsupported", "empty", "binary", "encrypted", "damaged"})
_LIMITS: Final = frozenset({"seconds", "memory", "characters", "members", "unpacked-bytes", "ratio", "depth", "bytes"})
_LIBRARIES: Final = {
    "docx": "lxml",
    "eml": "selectolax",
    "epub": "lxml and selectolax",
    "html": "selectolax",
    "ods": "lxml",
    "pdf": "pypdfium2",
    "pptx": "lxml",
    "xls": "python-calamine",
    "xlsx": "lxml and python-calamine",
}


def header_of(raw: bytes) -> Any:
    """Return what the JSON of an answer says.

    Raises:
        ValueError: It is no JSON, or holds more values than an answer may.
        RecursionError: It nests deeper than can be followed.
    """
    if values_of(raw) > MAX_HEADER_VALUES:
        raise ValueError("too many values")
    return json.loads(raw)


def understood(header: Any, text: bytes, *, kind: str, name: str, request: int) -> Extraction | ExtractionError | None:
    """Return the extraction or the failure an answer describes, ``None`` where it has not the agreed shape.

    Args:
        header: What was told of the text.
        text: Of all sections.
        kind: The format that was asked for.
        name: The file's name, for messages only.
        request: Number of the request that has to come back.
    """
    if not isinstance(header, dict) or not _is_number(header.get("request")) or header["request"] != request:
        return None
    match header:
        case {"sections": [_, *_] as places} if len(places) <= MAX_SECTIONS:
            return _extraction(kind, places, text, header.get("hidden", []))
        case {"code": "unavailable"}:
            return _missing(kind, name)
        case {"code": "limit", "message": str(message), "limit": str(limit)} if limit in _LIMITS:
            return _failure(message, "limit", limit)
        case {"code": str(code), "message": str(message), "limit": ""} if code in _CODES:
            return _failure(message, code, "")
        case _:
            return None


def _failure(message: str, code: str, limit: str) -> ExtractionError | None:
    shown = one_line(message[:_MAX_MESSAGE_CHARS])
    return ExtractionError(shown, code=code, limit=limit) if shown and _is_sound(shown) else None


def _extraction(kind: str, places: Sequence[Any], text: bytes, hidden: Any) -> Extraction | None:
    sections, start = [], 0
    left_out = _hidden(hidden)
    for place in places:
        match place:
            case [size, [*headings], page] if _is_number(size) and size >= 0 and _is_page(page):
                piece = text[start : start + size]
            case _:
                return None
        if len(piece) != size or not all(isinstance(title, str) and _is_sound(title) for title in headings):
            return None
        try:
            # A heading is one line of a label, whoever says it.
            sections.append(Section(text=piece.decode(), headings=tuple(map(one_line, headings)), page=page))
        except UnicodeDecodeError:
            return None
        start += size
    if start != len(text) or left_out is None:
        return None
    return Extraction(kind=kind, sections=tuple(sections), hidden=left_out)


def _hidden(told: Any) -> tuple[tuple[str, int], ...] | None:
    """What was left out, by why, as it is agreed: known words, each once and sorted, with counts above zero."""
    if not isinstance(told, list) or len(told) > len(REASONS):
        return None
    found: list[tuple[str, int]] = []
    for entry in told:
        match entry:
            case [str(why), number] if why in REASONS and _is_number(number) and 0 < number <= _MAX_HIDDEN:
                found.append((why, number))
            case _:
                return None
    return tuple(found) if found == sorted({why: (why, number) for why, number in found}.values()) else None


def _is_number(value: Any) -> bool:
    return type(value) is int  # and no truth value


def _is_page(value: Any) -> bool:
    return value is None or (_is_number(value) and 1 <= value <= _MAX_PAGE)


def _is_sound(text: str) -> bool:
    """Whether a text can be encoded, as everything that is stored has to be."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _missing(kind: str, name: str) -> ExtractionError:
    message = (
        f"{name} needs {_LIBRARIES.get(kind, kind)}, which is not installed, so nothing of it is used; "
        'install it with: pip install "symfonic-knowledge[ingest]".'
    )
    return ExtractionError(message, code="unavailable")
