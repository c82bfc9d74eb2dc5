"""From passages to vectors, between cutting and storing.

Rules of this module: nothing is embedded that is known: what the store has in the scope of the run, what another
document of the run has, what the same document has twice. Passages of several small documents are embedded together. A
failure is asked whose it is: where the embedder still embeds anything else, it is the document's, and costs that
document; otherwise it is the embedder's, and every further document would fail too. A vector that could be compared
with nothing is such a failure: the store would refuse it, and is never given it. What was embedded beside a failure is
kept.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import EmbeddingError, embedded_text

from ._guarded import require_working, vectors_of
from ._walk import FileOutcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from symfonic.adapters.knowledge.ports import VectorStore

    from ._flow import Ahead, Flow
    from ._preparing import Prepared

_BATCH_SIZE: Final = 100_000
"""Characters of small documents that are embedded together, at most."""

_CALL_TEXTS: Final = 64
"""Texts the embedder is given at once, so that a run can be ended between two calls."""


class Vectors:
    """The stage that embeds.

    Args:
        store: Is asked for the vectors it has; its embedder makes the others.
        scope_path: Where everything will be stored. Vectors stored in other scopes are not asked for.
        flow: Says whether anybody still waits.
        stored: How many things this stage handed on are in the store by now.
        noted: Completes the reason why a document was not stored, by its origin.
    """

    def __init__(
        self,
        store: VectorStore,
        *,
        scope_path: str,
        flow: Flow,
        stored: Callable[[], int],
        noted: Callable[[str, str], str],
    ) -> None:
        self._store = store
        self._scope_path = scope_path
        self._flow = flow
        self._stored = stored
        self._noted = noted
        self._handed_on = 0
        self._recent: dict[str, tuple[int, Sequence[float]]] = {}
        self.under_way = 0
        """Passages embedded of what is not handed on yet."""

    def run(self, prepared: Ahead[Prepared]) -> Iterator[Prepared]:
        """Hand on everything that comes, in its order; documents with a vector for each passage."""
        for first in prepared:
            batch = [first, *prepared.waiting(_BATCH_SIZE - first.size)]
            self.under_way = 0
            for one in self._embedded(batch):
                vectors = zip(_texts(one), one.vectors or (), strict=True)
                self._recent |= {text: (self._handed_on, vector) for text, vector in vectors}
                self._handed_on += 1
                yield one

    def _embedded(self, batch: list[Prepared]) -> Iterator[Prepared]:
        stored = self._stored()
        self._recent = {text: held for text, held in self._recent.items() if held[0] >= stored}
        known = {text: vector for text, (_, vector) in self._recent.items()}
        asked = list(dict.fromkeys(text for one in batch for text in _texts(one) if text not in known))
        found = self._store.known_vectors(asked, scope_path=self._scope_path) if asked else ()
        known |= {text: vector for text, vector in zip(asked, found, strict=True) if vector is not None}
        refused: dict[str, EmbeddingError] = {}
        with contextlib.suppress(EmbeddingError):  # whose it is, each document finds out by itself
            self._make(asked, known, refused)
        yield from (self._embedded_alone(one, known, refused) for one in batch)

    def _embedded_alone(
        self, one: Prepared, known: dict[str, Sequence[float]], refused: dict[str, EmbeddingError]
    ) -> Prepared:
        """One document with what is known by now; what is not is asked for, for it may be a neighbour that failed.

        Raises:
            EmbeddingError: The embedder embeds nothing at all.
        """
        texts = dict.fromkeys(_texts(one))
        try:
            self._make(texts, known, refused)
            for text in texts:
                if text in refused:
                    raise refused[text]
        except EmbeddingError as error:
            require_working(self._store.embedder)
            reason = f"its passages could not be embedded, so nothing of it is stored: {error}"
            origin = "" if one.document is None else one.document.origin
            return one.failed(FileOutcome.FAILED, self._noted(reason, origin))
        return _with_vectors(one, known)

    def _make(
        self, texts: Iterable[str], known: dict[str, Sequence[float]], refused: dict[str, EmbeddingError]
    ) -> None:
        """Embed what is neither known nor refused; what was embedded before an error stays known."""
        wanted = [text for text in texts if text not in known and text not in refused]
        for start in range(0, len(wanted), _CALL_TEXTS):
            self._flow.refuse_over()
            part = wanted[start : start + _CALL_TEXTS]
            for text, vector in zip(part, vectors_of(self._store.embedder, part), strict=True):
                if isinstance(vector, EmbeddingError):
                    refused[text] = vector
                else:
                    known[text] = vector
                    self.under_way += 1


def _texts(one: Prepared) -> list[str]:
    return [embedded_text(chunk) for chunk in one.chunks]


def _with_vectors(one: Prepared, known: dict[str, Sequence[float]]) -> Prepared:
    if one.document is None:
        return one
    texts = _texts(one)
    return one.embedded([known[text] for text in texts])
