"""Messages of protocol buffers, read and written field by field.

Rules of this module: pure; it knows how a message is laid out and nothing of what it means. It is for files whose
digest is known, so what it cannot read is a mistake of the caller. Fields are kept in their order, and what is written
depends on nothing but what was read. Two of the wire types are all that a graph of ONNX is made of, above the level of
single attributes: numbers, and stretches of bytes.

Source: "Encoding", the specification of the wire format of protocol buffers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Field", "field_list", "numbers", "parts", "texts", "written"]

Field: TypeAlias = "tuple[int, int | bytes]"
"""The number of a field and what it holds: a whole number, or bytes (a text, a message, or data)."""

_NUMBER: Final = 0
_BYTES: Final = 2


def field_list(message: bytes) -> list[Field]:
    """The fields of a message in their order.

    Raises:
        ValueError: It holds a wire type this module does not read.
    """
    found: list[Field] = []
    at = 0
    while at < len(message):
        tag, at = _number_at(message, at)
        value, at = _number_at(message, at)
        if tag & 7 == _NUMBER:
            found.append((tag >> 3, value))
        elif tag & 7 == _BYTES:
            found.append((tag >> 3, message[at : at + value]))
            at += value
        else:
            raise ValueError(
                f"a message is read where its fields are numbers or bytes; one has wire type {tag & 7} and cannot be "
                "read; read that message as bytes"
            )
    return found


def written(fields: Iterable[Field]) -> bytes:
    """The message that holds these fields."""
    pieces: list[bytes] = []
    for number, value in fields:
        if isinstance(value, int):
            pieces.append(_number(number << 3 | _NUMBER) + _number(value))
        else:
            pieces += (_number(number << 3 | _BYTES) + _number(len(value)), value)
    return b"".join(pieces)


def parts(fields: Iterable[Field], number: int) -> list[bytes]:
    """What the fields of that number hold, where that is bytes."""
    return [value for found, value in fields if found == number and isinstance(value, bytes)]


def texts(fields: Iterable[Field], number: int) -> list[str]:
    """The same, as text."""
    return [value.decode() for value in parts(fields, number)]


def numbers(fields: Iterable[Field], number: int) -> list[int]:
    """What the fields of that number hold, where that is a number."""
    return [value for found, value in fields if found == number and isinstance(value, int)]


def _number_at(message: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, the lowest first, and where it ends."""
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            return value, at
        shift += 7


def _number(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)
