"""What an embedder answers, checked, and what it raises, in our words.

Rules of this module: an embedder may be anybody's. What it raises leaves here as an :class:`EmbeddingError`: its own
words where it is one, the kind of any other and never its words, which may hold a piece of a document, a question or a
key. A vector that could be compared with nothing is the embedder's failure, and no store is given it.
"""

from __future__ import annotations

import inspect
import math
from array import array
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Final, cast

from symfonic.adapters.knowledge.ports import EmbeddingError

from .errors import WiringError, type_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from symfonic.adapters.knowledge.ports import Embedder, KnowledgeStore, Reranker

_HARMLESS: Final = "Is there anything that can be embedded?"
"""What an embedder that works can embed."""


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
    with _in_our_words():
        given = list(texts)  # theirs to sort or empty; vectors go to our own
        answer: Iterable[Iterable[float]] = () if embedder is None else embedder.embed_documents(given)
        vectors = [_numbers(row) for row in islice(answer, len(texts) + 1)]
        dimensions = 0 if embedder is None else embedder.dimensions  # an embedder may find out with its first vector
    if len(vectors) != len(texts):
        raise EmbeddingError(
            f"an embedder answers with one vector for each text; this one was given {len(texts)} and answered "
            f"{'more' if len(vectors) > len(texts) else len(vectors)}, so nobody knows which is whose; "
            "correct the embedder"
        )
    return [_fault(vector, dimensions) or vector for vector in vectors]


def _numbers(row: Iterable[float]) -> array[float]:
    if isinstance(row, bytes | bytearray):  # an array would take their bits for numbers
        raise TypeError
    return array("d", row)


@contextmanager
def _in_our_words() -> Iterator[None]:
    try:
        yield
    except EmbeddingError:
        raise
    except Exception as error:
        raise foreign(error) from error


def foreign(error: Exception) -> EmbeddingError:
    """What somebody's embedder raised and no embedder should."""
    return EmbeddingError(
        f"an embedder answers with rows of numbers; this one failed ({type_name(error)}) and nothing of it was used; "
        "look at its cause, and correct the embedder"
    )


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


# ------------------------------------------------------------------------------------------------------ what is passed

_MISSING: Final = object()


def require_embedder(value: object) -> Embedder | None:
    """What was passed as an embedder; asking it nothing, for it may have to ask a server.

    Raises:
        WiringError: It is none.
    """
    if value is None or (_has(value, "name", "dimensions") and _does(value, "embed_documents", "embed_query")):
        return cast("Embedder | None", value)
    raise WiringError(
        "an embedder is an object with name, dimensions, embed_documents and embed_query, not "
        f"{_what(value)}; nothing was opened; pass one such as MiniLM(), or name it: "
        "settings=Settings(embedder='minilm')"
    )


def require_store(value: object) -> KnowledgeStore:
    """What was passed as a store.

    Raises:
        WiringError: It cannot even be searched.
    """
    if _has(value, "search"):
        return cast("KnowledgeStore", value)
    raise WiringError(
        f"a knowledge base stands on a store, an object with the methods of KnowledgeStore, not {_what(value)}; it was "
        "not made; pass one, or open a path or an address with KnowledgeBase.open"
    )


def require_reranker(value: object) -> Reranker | None:
    """What was passed as a reranker.

    Raises:
        WiringError: It is none.
    """
    if value is None or _does(value, "rerank"):
        return cast("Reranker | None", value)
    raise WiringError(
        f"a reranker is an object with a method rerank(query, rows), not {_what(value)}; nothing was opened; pass one, "
        "or none"
    )


def _what(value: object) -> str:
    return f"a class ({value.__name__!a})" if isinstance(value, type) else type_name(value)


def _does(value: object, *names: str) -> bool:
    return not isinstance(value, type) and all(callable(getattr(value, name, None)) for name in names)


def _has(value: object, *names: str) -> bool:
    """Whether there are attributes of these names; none is read, except where only reading can tell."""
    return not isinstance(value, type) and all(
        inspect.getattr_static(value, name, _MISSING) is not _MISSING or _answers_for_itself(value) for name in names
    )


def _answers_for_itself(value: object) -> bool:
    return inspect.getattr_static(type(value), "__getattr__", _MISSING) is not _MISSING
