"""Values as Qdrant keeps them: points, what selects them, ids, and words with their frequencies.

Rules of this module: pure functions and values; it knows neither client nor collection.

A word stands in a passage's payload as 63 bits of its digest (``words``), with its frequency at the same place of
``counts``; so frequencies and numbers of passages are exact but for a collision in 63 bits. In the sparse vector it
stands under 32 bits, with its gain in a passage compared with a mean length of :data:`TYPICAL_LENGTH`: that chooses
candidates, and no score is made of it.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.ports import Chunk

from ._lexical import CONTEXT_WEIGHT, K1, B

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._lexical import Term

TYPICAL_LENGTH: Final = 150
"""Mean length of passages, in weighted words, that gains in sparse vectors suppose."""

_WORD, _PIECE, _FIRST = "wpc"


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A point of a collection: its id, what it says, and its vectors, none of them for a record."""

    id: str
    payload: dict[str, Any]
    sparse: Mapping[int, float] | None = None
    dense: Sequence[float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Which points: those whose payload has one of the values under each key of ``has``, and none of ``lacks``."""

    has: Mapping[str, Sequence[str | int]] = field(default_factory=dict)
    lacks: Mapping[str, Sequence[str | int]] = field(default_factory=dict)


def document_id(scope_path: str, origin: str) -> str:
    """Id of a document's record; half a SHA-256, so nobody can make one that is another's."""
    return _uuid("document", scope_path, origin)


def point_id(generation: str, ordinal: int) -> str:
    """Id of a passage, and of its vector."""
    return _uuid("passage", generation, ordinal)


def marker_id(generation: str) -> str:
    """Id of the note that a generation is being written."""
    return _uuid("change", generation)


def _uuid(*parts: str | int) -> str:
    return str(uuid.UUID(bytes=hashlib.sha256(json.dumps(parts).encode()).digest()[:16]))


def lexeme(kind: str, stem: str) -> int:
    """A word as a number of 63 bits; the kind tells pieces, and what pieces begin with, from words."""
    return int.from_bytes(hashlib.sha256(f"{kind}{stem}".encode()).digest()[:8], "big") >> 1


def lexemes(counts: Iterable[tuple[str, str, int]]) -> dict[int, int]:
    """Words of a passage with their frequencies.

    A question's word is looked for everywhere, words of the context counted by their weight; a piece among pieces only,
    and one of a single character by the character pieces begin with.

    Args:
        counts: Stem, column, and how often the one stands in the other.
    """
    found: dict[int, int] = {}
    for stem, column, count in counts:
        key = lexeme(_WORD, stem)
        found[key] = found.get(key, 0) + count * (CONTEXT_WEIGHT if column == "context" else 1)
        if column == "pieces":
            for key in (lexeme(_PIECE, stem), lexeme(_FIRST, stem[0])):
                found[key] = found.get(key, 0) + count
    return found


def asked_lexeme(term: Term) -> int:
    """The word of a question as it stands in a payload."""
    return lexeme(_WORD if not term.piece else _FIRST if len(term.word) == 1 else _PIECE, term.stem)


def dimension(word: int) -> int:
    """Where a word stands in a sparse vector."""
    return word & 0xFFFF_FFFF


def sparse(words: Mapping[int, int], length: int) -> dict[int, float]:
    """What each word brings in a passage of that length, from 0 to 1; of two in one place the more."""
    rest = K1 * (1 - B + B * length / TYPICAL_LENGTH)
    found: dict[int, float] = {}
    for word, count in words.items():
        at = dimension(word)
        found[at] = max(found.get(at, 0.0), count / (count + rest))
    return found


def passage_payload(chunk: Chunk) -> dict[str, Any]:
    """What a passage says of itself."""
    return {
        "ordinal": chunk.ordinal,
        "page": chunk.page,
        "label": chunk.label,
        "heading": chunk.heading,
        "text": chunk.text,
    }


def chunk_of(payload: Mapping[str, Any]) -> Chunk:
    """The passage a payload is of."""
    return Chunk(
        ordinal=payload["ordinal"],
        page=payload["page"],
        label=payload["label"],
        heading=payload["heading"],
        text=payload["text"],
    )
