"""Values as PostgreSQL keeps them: texts with NUL, words with their frequencies, vectors, rows of a binary COPY.

Rules of this module: pure functions over values; it knows neither connection nor table.

A word's frequency in a passage is the number of its positions in a ``tsvector``. PostgreSQL's ``ts_rank`` with weights
1 and no normalization gives, for a query of one word with ``f`` positions, ``(1 + 1/4 + ... + 1/f**2) / (pi**2 / 6)``
in single precision. It grows with every ``f`` up to 255, by at least 9e-6, so thresholds half way between give ``f``
again, exactly. A higher frequency has a second lexeme, whose positions count by 255 each.
"""

from __future__ import annotations

import hashlib
import math
import struct
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import StoreError, retrieved_text

from ._lexical import CONTEXT_WEIGHT
from ._space import floats

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ._lexical import Term

MOST_POSITIONS: Final = 255
"""Most positions a lexeme has in a ``tsvector``."""

MOST_OCCURRENCES: Final = MOST_POSITIONS + MOST_POSITIONS**2
"""A higher frequency counts as this one."""

MOST_LEXEME_BYTES: Final = 1_024
"""Longest word kept as it is; of a longer one the digest is kept. PostgreSQL allows 2,046 bytes."""

MOST_BYTES: Final = 2**20 - 1
"""Most bytes of all words of a passage with their positions; PostgreSQL's offsets have 20 bits."""

_WORD, _PIECE, _FIRST = "wpc"
_POSITIONS: Final = tuple(struct.pack(f">H{f}H", f, *range(1, f + 1)) for f in range(MOST_POSITIONS + 1))


def escaped(text: str) -> str:
    """``text`` without NUL; nothing is lost, and order by code point stays: NUL, U+0001 -> U+0001 and ``0``, ``1``."""
    if "\0" in text or "\1" in text:
        return text.replace("\1", "\0011").replace("\0", "\0010")
    return text


def unescaped(text: str) -> str:
    """What :func:`escaped` was given."""
    return text.replace("\0010", "\0").replace("\0011", "\1") if "\1" in text else text


def identity(text: str) -> bytes:
    """What tells paths and origins apart in an index: 32 bytes."""
    return hashlib.sha256(text.encode()).digest()


def parted(text: str) -> tuple[str, str, str]:
    """What stands before the text a search answers, that text, and what stands behind it."""
    shown = retrieved_text(text)
    start = len(text.rstrip()) - len(shown)
    return text[:start], shown, text[start + len(shown) :]


def occurrence_thresholds() -> str:
    """From which rank on a word has 1, 2, ... positions, as the elements of an array of SQL."""
    limit = math.pi**2 / 6
    sums, total = [], 0.0
    for f in range(1, MOST_POSITIONS + 1):
        before, total = total, total + 1 / f**2
        sums.append((before + total) / 2 / limit)
    return ",".join(map(repr, sums))


def lexeme(kind: str, stem: str) -> str:
    """How a word stands in a ``tsvector``; the first character says of what kind it is."""
    data = stem.encode()
    return f"{kind}{stem}" if len(data) <= MOST_LEXEME_BYTES else f"{kind}\1{hashlib.sha256(data).hexdigest()}"


def lexemes(counts: Iterable[tuple[str, str, int]]) -> dict[str, int]:
    """Lexemes of a passage with their frequencies.

    A question's word is looked for everywhere, words of the context counted by their weight; a piece among pieces only,
    and one of a single character by the character pieces begin with.

    Args:
        counts: Stem, column, and how often the one stands in the other.
    """
    found: dict[str, int] = {}
    for stem, column, count in counts:
        key = lexeme(_WORD, stem)
        found[key] = found.get(key, 0) + count * (CONTEXT_WEIGHT if column == "context" else 1)
        if column == "pieces":
            for key in (lexeme(_PIECE, stem), lexeme(_FIRST, stem[0])):
                found[key] = found.get(key, 0) + count
    return found


def queried(term: Term, *, often: bool = False) -> str:
    """The ``tsquery`` of one term of a question; ``often``: of the lexeme whose positions count by 255 each."""
    kind = _WORD if not term.piece else _FIRST if len(term.word) == 1 else _PIECE
    kind = kind.upper() if often else kind
    inner = lexeme(kind, term.stem).replace("\\", "\\\\").replace("'", "''")
    return f"'{inner}'"


def tsvector(found: Mapping[str, int]) -> bytes:
    """A ``tsvector`` in the form of a binary COPY (``tsvectorsend``).

    Raises:
        StoreError: PostgreSQL has no room for so many words in one.
    """
    parts = []
    for key, count in found.items():
        often, once = divmod(min(count, MOST_OCCURRENCES) - 1, MOST_POSITIONS)
        parts.append(key.encode() + b"\0" + _POSITIONS[once + 1])
        if often:
            parts.append(key[0].upper().encode() + key[1:].encode() + b"\0" + _POSITIONS[often])
    if sum(len(part) & ~1 for part in parts) > MOST_BYTES:  # each begins at an even place, and no zero byte is kept
        raise StoreError(
            f"PostgreSQL keeps {MOST_BYTES:,} bytes of different words for a passage; one has more and nothing was "
            "changed; split it into smaller passages"
        )
    return struct.pack(">i", len(parts)) + b"".join(parts)


def vector_bytes(data: bytes) -> bytes:
    """A stored vector (float32, lowest byte first) in pgvector's binary form."""
    numbers = floats(data)
    swapped = bytearray(len(data))
    for at in range(4):
        swapped[at::4] = data[3 - at :: 4]
    return struct.pack(">HH", len(numbers), 0) + bytes(swapped)


def stored_bytes(sent: bytes | None) -> bytes:
    """A vector as the other stores keep it, from pgvector's binary form; empty where there is none."""
    if sent is None:
        return b""
    data = bytes(sent[4:])
    swapped = bytearray(len(data))
    for at in range(4):
        swapped[at::4] = data[3 - at :: 4]
    return bytes(swapped)


def vector_text(data: bytes) -> str:
    """A stored vector as a literal of pgvector; each number as exact as float32 is."""
    return f"[{','.join(map(repr, floats(data)))}]"


def row(*values: bytes | str | int | None) -> bytes:
    """A row in the form of a binary COPY; every number is a ``bigint``."""
    parts = [struct.pack(">h", len(values))]
    for value in values:
        if value is None:
            parts.append(b"\xff\xff\xff\xff")
            continue
        data = (
            value
            if isinstance(value, bytes)
            else value.encode()
            if isinstance(value, str)
            else struct.pack(">q", value)
        )
        parts += (struct.pack(">i", len(data)), data)
    return b"".join(parts)


def copied(rows: Iterable[bytes]) -> bytes:
    """Rows as a binary COPY whole: signature, rows, end."""
    return b"".join((b"PGCOPY\n\xff\r\n\0", bytes(8), *rows, b"\xff\xff"))
