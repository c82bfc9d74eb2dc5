"""A reranker between a store and the boundary: more rows are fetched than are wanted, scored again, and cut.

Rules of this module: it changes scores and their order and nothing else of a row. The reranker is given copies, down to
the lists and mappings in their metadata, so that nothing it does to them reaches an answer, and its scores go by the
order of our own. What it does not score is left
out, and a reranker that fails is a store that fails: no question is answered in an order that only looks reranked. What
is no row with text is nothing a reranker could read: it is passed on behind all others, as the store answered it, and
the boundary drops and counts it.
"""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from numbers import Real
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.ports import AdapterError, StoreError
from symfonic.capabilities.knowledge import RetrievedFragment, takes_scope_path

from .errors import SettingsError, type_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from symfonic.adapters.knowledge.ports import Reranker
    from symfonic.capabilities.knowledge import KnowledgeRetriever, ScopedKnowledgeRetriever

__all__ = ["RerankedRetriever"]

_MOST_TIES: Final = 256
"""Rows beyond those that were asked for that are looked at: a store may add rows that tie with its last."""

_PLAIN: Final = (list, tuple, set, bytearray)
_DEEPEST: Final = 8
_MOST_VALUES: Final = 10_000
"""How deep metadata is copied, and how many values of a row: far more than any store writes."""


class RerankedRetriever:
    """Answers with a store's rows in a reranker's order; a ``ScopedKnowledgeRetriever``.

    Args:
        retriever: Is asked for ``max(limit, depth)`` rows.
        reranker: Scores them again.
        depth: Least number of rows that are scored, at least 1.

    Raises:
        SettingsError: ``depth`` is no whole number of at least 1.
    """

    __slots__ = ("_depth", "_reranker", "_retriever")

    def __init__(
        self, retriever: KnowledgeRetriever | ScopedKnowledgeRetriever, reranker: Reranker, depth: int = 50
    ) -> None:
        if type(depth) is not int or depth < 1:
            raise SettingsError(
                f"depth is a whole number of rows, at least 1, not {depth!a}; nothing could be reranked; correct it"
            )
        self._retriever = retriever
        self._reranker = reranker
        self._depth = depth

    def search(self, query: str, limit: int, *, scope_path: str = "") -> Sequence[RetrievedFragment]:
        """Rank what is visible at ``scope_path`` for ``query``: as the store finds it, in the reranker's order.

        Returns:
            The first ``limit`` rows under ``(-score, source, content)``, and those that tie with the last of them.
            Scores are the reranker's, in [0, 1]. Behind them comes what is no row with text.

        Raises:
            StoreError: ``limit`` is no plain int of at least 0, the store answered what is no list of rows, the
                reranker failed, or it answered what is not one real number in [0, 1] for each row. What the store
                raises passes.
        """
        if type(limit) is not int or limit < 0:
            raise StoreError(
                f"a limit is a plain int of at least 0; {limit!a} was given and nothing was read; pass one"
            )
        wanted = max(limit, self._depth)
        found = self._found(query, wanted, scope_path)
        if limit < 1:
            return []
        readable: list[RetrievedFragment] = []
        unreadable: list[RetrievedFragment] = []
        for row in islice(found, min(wanted + _MOST_TIES, sys.maxsize)):
            (readable if _has_text(row) else unreadable).append(row)
        rows = sorted(readable, key=_rank)[:wanted]
        return [*self._ranked(query, rows, limit), *unreadable] if rows else unreadable

    def _found(self, query: str, wanted: int, scope_path: str) -> Iterable[RetrievedFragment]:
        """The store's rows; one that takes no scope path is bound to its scope."""
        search: Callable[..., object] = self._retriever.search
        scoped = takes_scope_path(self._retriever)
        found = search(query, wanted, scope_path=scope_path) if scoped else search(query, wanted)
        if not isinstance(found, Iterable) or isinstance(found, str | bytes) or inspect.isawaitable(found):
            if inspect.iscoroutine(found):
                found.close()  # spares the host a "never awaited" warning
            raise StoreError(
                f"a store answers with rows; this one's search answered {type_name(found)}, so there was nothing to "
                "rerank and nothing was answered; correct the store, or wrap an asynchronous one so that it waits"
            )
        return found

    def _ranked(self, query: str, rows: Sequence[RetrievedFragment], limit: int) -> list[RetrievedFragment]:
        scored = sorted((replace(row, score=score) for row, score in self._scored(query, rows)), key=_rank)
        least = scored[min(limit, len(scored)) - 1].score
        return [row for row in scored if row.score >= least]

    def _scored(self, query: str, rows: Sequence[RetrievedFragment]) -> list[tuple[RetrievedFragment, float]]:
        try:
            scores: list[object] = list(islice(self._reranker.rerank(query, [*map(_copied, rows)]), len(rows) + 1))
        except AdapterError as error:
            raise StoreError(f"the reranker failed, so nothing was answered: {error}") from error
        except Exception as error:
            # The kind of a foreign error and never its words: they may hold a question, a passage or a key.
            raise StoreError(
                f"a question is answered in the reranker's order; it failed ({type_name(error)}), so nothing was "
                "answered; look at its cause, or open the knowledge base without a reranker"
            ) from error
        if len(scores) != len(rows):
            raise StoreError(
                f"a reranker gives one score for each row; this one was given {len(rows)} and answered "
                f"{'more' if len(scores) > len(rows) else len(scores)}, so nobody knows which is whose and nothing was "
                "answered; correct the reranker"
            )
        return [(row, _score(score)) for row, score in zip(rows, scores, strict=True)]


def _copied(row: RetrievedFragment) -> RetrievedFragment:
    """A row as the reranker gets it; metadata that is no mapping is for the boundary to judge, and is not shown.

    Nor is a value of it that is deeper or larger than any store writes, or holds itself.
    """
    metadata: dict[str, Any] = {}
    with suppress(Exception):  # a foreign mapping may raise anything
        for name, value in dict(row.metadata).items():
            with suppress(Exception):
                metadata[name] = _apart(value, [_MOST_VALUES])
    return RetrievedFragment(row.content, row.source, row.score, metadata)


def _apart(value: object, left: list[int], depth: int = 0) -> object:
    """A value that shares no list, mapping or set with the given one; objects of other kinds stay the same.

    Raises:
        ValueError: It is too deep, or has more than the values that are left.
    """
    if not isinstance(value, (Mapping, *_PLAIN)):
        return value
    left[0] -= len(value)
    if depth == _DEEPEST or left[0] < 0:
        raise ValueError
    if isinstance(value, Mapping):
        return {name: _apart(item, left, depth + 1) for name, item in value.items()}
    plain: Callable[[Iterable[Any]], object] = next(kind for kind in _PLAIN if isinstance(value, kind))
    return plain(_apart(item, left, depth + 1) for item in value)


def _score(score: object) -> float:
    """A score as a plain float, 0.0 where it is -0.0."""
    try:
        number = float(score) if not isinstance(score, bool) and isinstance(score, Real) else math.nan
    except Exception:  # noqa: BLE001 - a foreign number may raise anything, and in words that nobody should see
        number = math.nan
    if not 0 <= number <= 1:
        raise StoreError(
            f"a reranker's score is a number in [0, 1]; this one answered something else ({type_name(score)}), so "
            "nothing was answered; correct the reranker, or map its scores"
        )
    return number + 0.0


def _has_text(row: object) -> bool:
    return isinstance(row, RetrievedFragment) and all(isinstance(text, str) for text in (row.source, row.content))


def _rank(row: RetrievedFragment) -> tuple[float, str, str]:
    try:
        score = float(row.score)
    except (TypeError, ValueError, OverflowError):
        score = -math.inf
    return (math.inf if math.isnan(score) else -score, row.source, row.content)
