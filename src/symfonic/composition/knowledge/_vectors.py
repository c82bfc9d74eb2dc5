"""From passages to vectors, between cutting and storing.

Rules of this module: nothing is embedded that is known: what the store has, what another document of the run has, what
the same document has twice. Passages of several small documents are embedded together. A failure is asked whose it is:
where the embedder still embeds anything else, it is the document's, and costs that document; otherwise it is the
embedder's, and every further document would fail too. A vector that could be compared with nothing is such a failure:
the store would refuse it, and is never given it. What was embedded beside a failure is kept.
"""

from __future__ import annotations

import contextlib
import math
from array import array
from itertools import islice
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import EmbeddingError, embedded_text

from ._walk import FileOutcome
from .errors import type_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from symfonic.adapters.knowledge.ports import Embedder, VectorStore

    from ._flow import Ahead, Flow
    from ._preparing import Prepared

_BATCH_SIZE: Final = 100_000
"""Characters of small documents that are embedded together, at most."""

_CALL_TEXTS: Final = 64
"""Texts the embedder is given at once, so that a run can be ended between two calls."""

_HARMLESS: Final = "Is there anything that can be embedded?"
"""What an embedder that works can embed."""


class Vectors:
    """The stage that embeds.

    Args:
        store: Is asked for the vectors it has; its embedder makes the others.
        flow: Says whether anybody still waits.
        stored: How many things this stage handed on are in the store by now.
        noted: Completes the reason why a document was not stored, by its origin.
    """

    def __init__(
        self,
        store: VectorStore,
        *,
        flow: Flow,
        stored: Callable[[], int],
        noted: Callable[[str, str], str],
    ) -> None:
        self._store = store
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
        found = zip(asked, self._store.known_vectors(asked) if asked else (), strict=True)
        known |= {text: vector for text, vector in found if vector is not None}
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


def require_working(embedder: Embedder | None) -> None:
    """Refuse an embedder that does not even embed what any can.

    Raises:
        EmbeddingError: It does not.
    """
    (vector,) = vectors_of(embedder, [_HARMLESS])
    if isinstance(vector, EmbeddingError):
        raise vector


def vectors_of(embedder: Embedder | None, texts: Sequence[str]) -> list[Sequence[float] | EmbeddingError]:
    """One vector for each text, as it came; in the place of one that could be compared with nothing, what is wrong.

    Raises:
        EmbeddingError: The embedder raised it, or answered something else than that many rows of numbers.
    """
    try:
        answer: Iterable[Iterable[float]] = () if embedder is None else embedder.embed_documents(texts)
        vectors = [array("d", row) for row in islice(answer, len(texts) + 1)]
        dimensions = 0 if embedder is None else embedder.dimensions  # an embedder may find out with its first vector
    except EmbeddingError:
        raise
    except Exception as error:
        # The kind of a foreign error and never its words: they may hold a piece of a document, or a key.
        raise EmbeddingError(
            f"an embedder answers with rows of numbers; this one failed ({type_name(error)}) and nothing of it was "
            "stored; look at its cause, and correct the embedder"
        ) from error
    if len(vectors) != len(texts):
        raise EmbeddingError(
            f"an embedder answers with one vector for each text; this one was given {len(texts)} and answered "
            f"{'more' if len(vectors) > len(texts) else len(vectors)}, so nobody knows which is whose; "
            "correct the embedder"
        )
    return [_fault(vector, dimensions) or vector for vector in vectors]


def _fault(vector: array[float], dimensions: int) -> EmbeddingError | None:
    """What is wrong with a vector; the numbers are not shown."""
    if len(vector) != dimensions:
        what = f"answered one of {len(vector)} numbers where it announced {dimensions}"
    elif not all(map(math.isfinite, vector)):
        what = "answered one with infinity or with what is no number"
    elif not any(vector):
        what = "answered one of zeros"
    else:
        return None
    return EmbeddingError(
        "an embedder answers with vectors of the length it announces, finite and not all zeros; this one "
        f"{what}, which can be compared with nothing; correct the embedder"
    )


def _texts(one: Prepared) -> list[str]:
    return [embedded_text(chunk) for chunk in one.chunks]


def _with_vectors(one: Prepared, known: dict[str, Sequence[float]]) -> Prepared:
    if one.document is None:
        return one
    texts = _texts(one)
    return one.embedded([known[text] for text in texts])
