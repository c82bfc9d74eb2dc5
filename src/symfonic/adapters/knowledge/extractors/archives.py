"""Zip containers of office documents and books, opened with suspicion.

Rules of this module: standard library only, everything in memory, nothing is written and no member's name is a path.
The directory is looked at before anything is unpacked, and whatever it says, no more is unpacked than it says: sizes
that lie end in an error and not in memory. Only what these formats use is read: members stored or deflated, each name
once, nothing encrypted. An archive inside an archive stays what it is, bytes.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import ExtractionError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MAX_MEMBERS", "MAX_RATIO", "MAX_UNPACKED_BYTES", "RATIO_FROM_BYTES", "Archive", "shown_part"]

MAX_MEMBERS: Final = 5_000
"""Members an archive may have."""

MAX_UNPACKED_BYTES: Final = 200_000_000
"""Bytes all members together may have, unpacked."""

MAX_RATIO: Final = 200
"""How many times its packed size a member may have, unpacked; small members may have more."""

RATIO_FROM_BYTES: Final = 1_000_000
"""Unpacked size from which the ratio is looked at, in bytes."""

_SHOWN_PART: Final = re.compile(r"[\w. /\[\]-]{1,100}", re.ASCII)
_ENTRY: Final = b"PK\x01\x02"  # begins each member's entry in the directory
_ENCRYPTED: Final = 0x1
_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError)


class Archive:
    """The members of one container, by name.

    Args:
        data: The whole file.
        name: The file's name, for messages only.

    Raises:
        ExtractionError: ``limit`` where the directory promises too much (``members``, ``unpacked-bytes``, ``ratio``),
            ``encrypted``, or ``damaged``: no archive, a name twice, an unusual method of packing.
    """

    __slots__ = ("_file", "_members", "_name")

    def __init__(self, data: bytes, *, name: str) -> None:
        self._name = name
        # Before objects are made of them: each takes ten times the bytes it has in the directory.
        if data.count(_ENTRY) > MAX_MEMBERS:
            raise _too_much(name, f"more than {MAX_MEMBERS:,} members", "members")
        try:
            self._file = zipfile.ZipFile(io.BytesIO(data))
            members = self._file.infolist()
        except _BROKEN:
            raise _damaged(name, "its directory cannot be read") from None
        _check_directory(members, name)
        self._members = {member.filename: member for member in members}
        if len(self._members) < len(members):
            # Readers differ in which of the two they show.
            raise _damaged(name, "it holds two members of one name")

    def __contains__(self, member: object) -> bool:
        return member in self._members

    def __iter__(self) -> Iterator[str]:
        """Names of members, in the order of the directory."""
        return iter(self._members)

    def size(self, member: str) -> int:
        """Unpacked bytes of a member as the directory tells them; 0 where there is none."""
        return self._members[member].file_size if member in self._members else 0

    def read(self, member: str) -> bytes:
        """Unpack one member.

        Raises:
            ExtractionError: ``damaged`` where it is missing, or is not what the directory says.
        """
        if member not in self._members:
            raise _damaged(self._name, f"{shown_part(member)} is missing")
        told = self._members[member]
        try:
            # To be asked for this many bytes is what keeps the library from unpacking all there is.
            with self._file.open(told) as part:
                data = part.read(told.file_size)
        except _BROKEN:
            raise _damaged(self._name, f"{shown_part(member)} cannot be unpacked") from None
        # What ends there without the library's check of the sum has more to it than the directory says.
        if len(data) != told.file_size or zlib.crc32(data) != told.CRC:
            raise _damaged(self._name, f"{shown_part(member)} cannot be unpacked whole")
        return data


def shown_part(part: str) -> str:
    """How a message names a part: whoever made the file chose the name, so only a plain one is told."""
    return f"its part {part}" if _SHOWN_PART.fullmatch(part) else "a part of it"


def _check_directory(members: list[zipfile.ZipInfo], name: str) -> None:
    """Refuse what the directory shows to be hostile or of no use, before any of it is unpacked."""
    unpacked = sum(member.file_size for member in members)
    if unpacked > MAX_UNPACKED_BYTES:
        raise _too_much(name, f"{unpacked:,} bytes unpacked, more than {MAX_UNPACKED_BYTES:,}", "unpacked-bytes")
    for member in members:
        if member.file_size > RATIO_FROM_BYTES and member.file_size > MAX_RATIO * max(member.compress_size, 1):
            times = member.file_size // max(member.compress_size, 1)
            raise _too_much(name, f"a member packed {times:,} times smaller, more than {MAX_RATIO}", "ratio")
        if member.flag_bits & _ENCRYPTED:
            message = f"{name} is encrypted, so its text cannot be read; save a copy without a password."
            raise ExtractionError(message, code="encrypted")
        if member.compress_type not in _METHODS:
            raise _damaged(name, "it is packed by a method these documents never use")


def _too_much(name: str, what: str, limit: str) -> ExtractionError:
    message = f"{name} holds {what}, so nothing of it is unpacked; it is hostile, or has to be split."
    return ExtractionError(message, code="limit", limit=limit)


def _damaged(name: str, why: str) -> ExtractionError:
    message = f"{name} is damaged ({why}), so nothing of it is used; repair it or save it anew."
    return ExtractionError(message, code="damaged")
