"""What goes into an embedder of others, and what it answers, checked.

Rules of this module: pure; it knows no library. A vector that is missing, too many, of another length, not finite or
all zeros would be found by nothing and rank nothing; it is refused before it can be stored. What the other side said
when it failed is not repeated: it may quote the text, or a key.
"""

from __future__ import annotations

import itertools
import math
import re
from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Answers", "readable_texts"]

_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def readable_texts(texts: object) -> list[str]:
    """The texts, halves of surrogate pairs replaced by U+FFFD: no library or server takes them.

    Raises:
        EmbeddingError: It is one text, or holds something else than texts.
    """
    given = list(texts) if isinstance(texts, Iterable) and not isinstance(texts, str) else [None]
    found = [_SURROGATES.sub("\ufffd", text) for text in given if isinstance(text, str)]
    if len(found) != len(given):
        raise EmbeddingError(
            "embed_documents takes a sequence of texts; it was given something else and nothing was embedded; pass a "
            "list of str"
        )
    return found


class Answers:
    """Checks the vectors of one embedder; where nobody said how many numbers they have, the first one does.

    Args:
        name: Name of the model.
        dimensions: Numbers in each vector, where that is known.

    Raises:
        ValueError: ``name`` is empty, or ``dimensions`` no positive whole number.
    """

    __slots__ = ("_dimensions", "name")

    def __init__(self, name: str, dimensions: int | None) -> None:
        if not name.strip():
            raise ValueError(
                "an embedder has a name that says what decides its vectors; this one has none, so vectors of two "
                "models could be mixed; name the model and its revision"
            )
        if dimensions is not None and (type(dimensions) is not int or dimensions < 1):
            raise ValueError(
                f"dimensions is a whole number of at least 1, not {dimensions!a}; no vector has as many numbers; leave "
                "it out to have it found out"
            )
        self.name = name
        self._dimensions = dimensions

    def dimensions(self, ask: Callable[[Sequence[str]], object]) -> int:
        """Numbers in each vector; a short text is embedded to find out, once."""
        if self._dimensions is None:
            ask(["dimensions"])
        if self._dimensions is None:
            raise self._refused("answered nothing")
        return self._dimensions

    def checked(self, count: int, ask: Callable[[], Iterable[Iterable[float]]]) -> list[tuple[float, ...]]:
        """Ask for ``count`` vectors and return them.

        Raises:
            EmbeddingError: Asking failed, or what came is something else; what was raised is the cause.
        """
        try:
            rows = [tuple(array("d", iter(row))) for row in itertools.islice(ask(), count + 1)]
        except EmbeddingError:
            raise
        except Exception as error:
            raise self._refused(f"failed ({type(error).__name__})") from error
        if len(rows) != count:
            number = f"more than {count}" if len(rows) > count else str(len(rows))
            raise self._refused(f"answered {number} vectors for {count} texts")
        for row in rows:
            self._check(row)
        return rows

    def _check(self, row: tuple[float, ...]) -> None:
        if self._dimensions is None and row:
            self._dimensions = len(row)
        if len(row) != self._dimensions:
            raise self._refused(f"answered a vector of {len(row)} numbers, not {self._dimensions}")
        if not all(map(math.isfinite, row)):
            raise self._refused("answered a number that is not finite")
        if not any(row):
            raise self._refused("answered a vector of zeros")

    def _refused(self, what: str) -> EmbeddingError:
        return EmbeddingError(
            f"an embedder answers one vector for each text, of one length, finite and not all zeros; {self.name!a} "
            f"{what} and nothing of this was used; check the model"
        )
