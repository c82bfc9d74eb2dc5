"""Retrievers with known behaviour, honest and not, for tests of code that stands behind the boundary.

Rules of this module: standard library only, deterministic, no I/O. Each fake does one thing, named by its class.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from symfonic.capabilities.knowledge import RetrievedFragment, scope_ancestors

__all__ = [
    "EndlessRetriever",
    "FailingRetriever",
    "HashingEmbedder",
    "InMemoryRetriever",
    "LyingRetriever",
    "ScriptedRetriever",
    "SeedRow",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedRow:
    """A passage to put into a store under test, and the scope it is stored under."""

    content: str
    source: str
    scope_path: str = ""


@dataclass(frozen=True, slots=True)
class HashingEmbedder:
    """An embedder without a model: it adds up a fixed direction for each word, so texts that share words are alike.

    A word that comes twice counts once, and case does not count. Every number is an odd multiple of one half, or a sum
    of such, so that vectors are exact in float32 and the same on every machine. No text has a vector of zeros.
    """

    name: str = "hashing"
    dimensions: int = 64

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text."""
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """The sum of the directions of its words, and of one that all texts share."""
        sums = self._direction("")
        for word in _words(text):
            sums = [total + part for total, part in zip(sums, self._direction(word), strict=True)]
        return sums if any(sums) else self._direction("")

    def _direction(self, word: str) -> list[float]:
        digest = hashlib.shake_256(word.encode("utf-8", "surrogatepass")).digest(self.dimensions)
        return [byte - 127.5 for byte in digest]


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


@dataclass(frozen=True, slots=True)
class InMemoryRetriever:
    """An honest scoped store: the score is the share of the query's words that a passage holds."""

    rows: Sequence[SeedRow]

    def search(self, query: str, limit: int, *, scope_path: str = "") -> list[RetrievedFragment]:
        """Answer the visible rows that share a word with the query, best first, ties at the cut included."""
        visible = frozenset(scope_ancestors(scope_path))
        return _best([row for row in self.rows if row.scope_path in visible], query, limit)


@dataclass(frozen=True, slots=True)
class LyingRetriever:
    """A store that ignores the scope it is asked for. All else about it is honest, the stamp on its rows included."""

    rows: Sequence[SeedRow]

    def search(self, query: str, limit: int, *, scope_path: str = "") -> list[RetrievedFragment]:  # noqa: ARG002 - that is the lie
        """Answer the rows that share a word with the query, whose they may be, best first, ties at the cut included."""
        return _best(self.rows, query, limit)


def _best(rows: Iterable[SeedRow], query: str, limit: int) -> list[RetrievedFragment]:
    wanted = _words(query)
    found = [hit for row in rows if (hit := _hit(row, wanted)).score > 0]
    found.sort(key=lambda hit: (-hit.score, hit.source, hit.content))
    if limit <= 0:
        return []
    return [hit for hit in found if hit.score >= found[min(limit, len(found)) - 1].score]


def _hit(row: SeedRow, wanted: frozenset[str]) -> RetrievedFragment:
    score = len(wanted & _words(row.content)) / len(wanted) if wanted else 0.0
    return RetrievedFragment(row.content, row.source, score, {"scope_path": row.scope_path})


@dataclass(frozen=True, slots=True)
class ScriptedRetriever:
    """Answers the rows it was given, whatever it is asked, and keeps what it was asked."""

    rows: Iterable[RetrievedFragment]
    asked: list[tuple[str, int, str]] = field(default_factory=list)

    def search(self, query: str, limit: int, *, scope_path: str = "") -> Iterable[RetrievedFragment]:
        """Answer the script."""
        self.asked.append((query, limit, scope_path))
        return self.rows


@dataclass(frozen=True, slots=True)
class FailingRetriever:
    """Raises what it was given."""

    error: BaseException

    def search(self, query: str, limit: int, *, scope_path: str = "") -> list[RetrievedFragment]:  # noqa: ARG002 - it always fails
        """Fail."""
        raise self.error


@dataclass(frozen=True, slots=True)
class EndlessRetriever:
    """Answers rows without end, made from their number."""

    make: Callable[[int], RetrievedFragment]

    def search(self, query: str, limit: int, *, scope_path: str = "") -> Iterator[RetrievedFragment]:  # noqa: ARG002 - it never stops
        """Answer the rows made from 0, 1, 2 and so on."""
        number = 0
        while True:
            yield self.make(number)
            number += 1
