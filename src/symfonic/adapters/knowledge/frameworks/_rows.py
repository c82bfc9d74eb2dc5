"""What a framework's retriever answers, as rows of ours.

Rules of this module: it imports no framework; what each calls its parts comes in as functions. One item nobody can read
costs no other. What stands in a document's metadata decides nothing but a row's label: not its content, not its score,
and not who may see it, unless the operator has declared the field.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import PurePath
from typing import Any, Final

from symfonic.adapters.knowledge.declared import DeclaredScope, ScorePolicy
from symfonic.adapters.knowledge.ports import AdapterError, StoreError
from symfonic.capabilities.knowledge import RetrievedFragment, scope_ancestors

__all__ = ["LABELS", "Filters", "Item", "Origin", "asked", "require"]

LABELS: Final = ("source", "file_path", "file_name", "url", "title", "id")
"""Metadata fields a row is named after; the first with a name in it counts."""

_RESERVED: Final = frozenset({"scope_path", "document", "page_content"})
"""Written by a store that is ours, or read by frameworks as the text itself: never a document's to say."""
_GROWTH: Final = 4

Filters = Callable[[str], Mapping[str, Any]]
"""From a scope path to the named arguments that make a framework's store filter by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One item of an answer, taken apart but not judged."""

    content: object
    metadata: object
    number: object
    name: object = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Turns answers of one retriever into rows.

    Attributes:
        framework: Its name, for messages.
        ask: Answers the items for a question: ``ask(query, k, scope_path)``, best first.
        read: Takes one item apart.
        scope: Whose the rows are.
        scores: What their numbers mean.
        labels: Metadata fields a row is named after, first choice first.
        max_rows: Most rows asked for and read.
        grows: Whether a higher ``k`` gets more rows.
    """

    framework: str
    ask: Callable[[str, int, str], Iterable[Any]]
    read: Callable[[Any], Item]
    scope: DeclaredScope
    scores: ScorePolicy
    labels: Sequence[str] = LABELS
    max_rows: int = 1_000
    grows: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.scope, DeclaredScope):
            raise TypeError(
                f"whose rows these are is a DeclaredScope, not {self.scope!a}; anybody could be shown them; pass "
                "DeclaredScope.fixed(path) or DeclaredScope.field(name)"
            )
        if type(self.max_rows) is not int or self.max_rows < 1:
            raise ValueError(
                f"max_rows is a whole number of at least 1, not {self.max_rows!a}; nothing could be read; leave it out"
            )

    def rows(self, query: str, limit: int, scope_path: str) -> list[RetrievedFragment]:
        """The best ``limit`` rows visible at ``scope_path``, those that tie with the last one too, and unusable ones.

        More and more are asked for until one ranks below the cut, the answer ends or ``max_rows`` is reached: where the
        framework cut, the order of storing decided among equals.

        Raises:
            StoreError: Their side failed; what was raised is the cause.
        """
        visible = frozenset(scope_ancestors(scope_path))
        if limit <= 0 or not query.strip() or (self.scope.path is not None and self.scope.path not in visible):
            return []
        query = query.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        wanted = min(limit + 1, self.max_rows)
        while True:
            items = asked(self.framework, partial(self._items, query, wanted, scope_path))
            found = [row for place, item in enumerate(items) if (row := self._row(item, place, visible)) is not None]
            usable, unusable = _parted(found)
            whole = len(items) < wanted or wanted == self.max_rows or not self.grows
            if whole or (len(usable) > limit and usable[limit - 1].score > usable[-1].score):
                return [row for row in usable if row.score >= usable[min(limit, len(usable)) - 1].score] + unusable
            wanted = min(wanted * _GROWTH, self.max_rows)

    def _items(self, query: str, k: int, scope_path: str) -> list[Any]:
        return list(islice(self.ask(query, k, scope_path), self.max_rows))

    def _row(self, item: object, place: int, visible: frozenset[str]) -> RetrievedFragment | None:
        """One row; ``None`` where it is stored nowhere the asker can see."""
        try:
            parts = self.read(item)
            metadata = _plain(parts.metadata)
            stored_at = self.scope.of(metadata)
            name = _name(metadata, self.labels, parts.name)
            score = self.scores.score(parts.number, place)
        except Exception:  # noqa: BLE001 - whatever a strange object does when it is read
            parts, metadata, name, score = Item(content=None, metadata=None, number=None), {}, "", math.nan
            stored_at = self.scope.path
        if stored_at is None or stored_at not in visible:
            return None
        kept = {key: value for key, value in metadata.items() if key not in _RESERVED}
        content: Any = str.__str__(parts.content) if isinstance(parts.content, str) else parts.content
        return RetrievedFragment(content, name, score, {**kept, "scope_path": stored_at})


def asked(framework: str, call: Callable[[], Any]) -> Any:
    """What a call into a framework answers.

    Raises:
        StoreError: It failed; what was raised is the cause, and its words, which may quote anything, are not repeated.
    """
    try:
        return call()
    except AdapterError:
        raise
    except BaseException as error:
        if not is_failure(error):
            raise
        raise StoreError(
            f"a question needs the store's answer; {framework} failed: {type(error).__name__}, and nothing was "
            "retrieved; look at its cause"
        ) from error


def require(origin: Any, methods: tuple[str, ...], what: str) -> None:
    """Refuse what has none of these methods.

    Raises:
        TypeError: It has none.
    """
    if not any(callable(getattr(origin, method, None)) for method in methods):
        raise TypeError(
            f"{what} has a method {' or '.join(methods)}; {type(origin).__name__} has none and could not be asked; "
            "pass one that has"
        )


def is_failure(error: BaseException) -> bool:
    """Whether a library failed: a panic of native code is no ``Exception``; what ends the process is no failure."""
    return isinstance(error, Exception) or type(error).__name__ == "PanicException"


def _plain(metadata: object) -> dict[str, Any]:
    """Metadata as a dictionary of our own; what has no text for a name is left behind."""
    if not isinstance(metadata, Mapping):
        return {}
    return {key: value for key, value in metadata.items() if isinstance(key, str)}


def _name(metadata: Mapping[str, Any], labels: Sequence[str], other: object) -> str:
    for value in (*(metadata.get(label) for label in labels), other):
        if isinstance(value, PurePath):
            return value.as_posix()
        if isinstance(value, str) and str.strip(value):
            return str.__str__(value)
    return ""


def _parted(rows: list[RetrievedFragment]) -> tuple[list[RetrievedFragment], list[RetrievedFragment]]:
    """Rows that can be ranked, best first, and those that cannot."""
    usable = [row for row in rows if _ranks(row)]
    usable.sort(key=lambda row: (-row.score, row.source, row.content))
    return usable, [row for row in rows if not _ranks(row)]


def _ranks(row: RetrievedFragment) -> bool:
    score: object = row.score
    return isinstance(score, float) and math.isfinite(score) and isinstance(row.content, str)
