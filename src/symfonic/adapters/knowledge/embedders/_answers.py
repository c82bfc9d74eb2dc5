"""What goes into an embedder of others, and what it answers, checked.

Rules of this module: pure; it knows no library. A vector that is missing, too many, of another length, not finite or
all zeros would be found by nothing and rank nothing; it is refused before it can be stored, and so is what only looks
like numbers (bytes, texts, dates, what is masked). Rows are copied as they come, so one buffer may serve for all of
them. What the other side said when it failed is not repeated: it may quote the text, or a key.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from numbers import Real
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.ports import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MOST_DIMENSIONS", "Answers", "is_failure", "readable_texts"]

MOST_DIMENSIONS: Final = 8_192
"""Numbers in a vector whose length nobody said; more are not read."""

_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_NO_ROWS: Final = (str, bytes, bytearray, memoryview, Mapping, AbstractSet)
"""What can be gone through and is no answer: it has no order, or another meaning than its items."""


def is_failure(error: BaseException) -> bool:
    """Whether a library failed: a panic of native code is no ``Exception``; what stops the process is no failure."""
    return isinstance(error, Exception) or type(error).__name__ == "PanicException"


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
    """Checks the vectors of one embedder; where nobody said how many numbers they have, the first sound answer does.

    Args:
        name: Name of the model.
        dimensions: Numbers in each vector, where that is known.

    Raises:
        ValueError: ``name`` is no text or empty, or ``dimensions`` no positive whole number.
    """

    __slots__ = ("_dimensions", "name")

    def __init__(self, name: object, dimensions: int | None) -> None:
        if not isinstance(name, str) or not name.strip():
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

    @property
    def most_dimensions(self) -> int:
        """Numbers in each vector, or the most there may be where that is not known yet."""
        return self._dimensions or MOST_DIMENSIONS

    def dimensions(self, ask: Callable[[Sequence[str]], object]) -> int:
        """Numbers in each vector; a short text is embedded to find out, once."""
        if self._dimensions is None:
            ask(["dimensions"])
        if self._dimensions is None:
            raise self._refused("answered nothing")
        return self._dimensions

    def of(self, texts: Sequence[str], ask: Callable[[list[str]], Iterable[Any]]) -> list[tuple[float, ...]]:
        """Ask for the vectors of ``texts`` with a list that is the other side's own.

        Raises:
            EmbeddingError: As for :meth:`checked`; or that list came back changed, in another order perhaps, so that
                nobody knows which text a vector is of.
        """
        handed = list(texts)
        rows = self.checked(len(texts), lambda: ask(handed))
        if handed != list(texts):
            raise self._refused("changed the list of texts")
        return rows

    def checked(self, count: int, ask: Callable[[], Iterable[Any]]) -> list[tuple[float, ...]]:
        """Ask for ``count`` vectors and return them.

        Raises:
            EmbeddingError: Asking failed, or what came is something else; what was raised is the cause.
        """
        try:
            rows = self._rows(ask(), count + 1)
        except EmbeddingError:
            raise
        except BaseException as error:
            if not is_failure(error):
                raise
            raise self._refused(f"failed ({type(error).__name__})") from error
        if len(rows) != count:
            number = f"more than {count}" if len(rows) > count else str(len(rows))
            raise self._refused(f"answered {number} vectors for {count} texts")
        self._check(rows)
        return rows

    def _rows(self, answer: Iterable[Any], most: int) -> list[tuple[float, ...]]:
        if isinstance(answer, _NO_ROWS):
            raise self._refused("answered no sequence of vectors")
        return [self._row(row) for row in itertools.islice(answer, most)]

    def _row(self, row: Any) -> tuple[float, ...]:
        """A copy of one row; no more of it is read than a vector may have."""
        if not _may_be_numbers(row):
            raise self._refused("answered a row that is no sequence of numbers")
        self._bound(len(row))
        # All numbers of an array at once take a tenth of the time of reading them one by one.
        values = row.tolist() if hasattr(row, "tolist") else list(itertools.islice(row, self.most_dimensions + 1))
        if not isinstance(values, list) or not all(map(_is_number_type, {type(value) for value in values})):
            raise self._refused("answered a row that is no sequence of numbers")
        self._bound(len(values))
        return tuple(map(float, values))

    def _bound(self, length: int) -> None:
        if length > self.most_dimensions:
            expected = self._dimensions or f"at most {MOST_DIMENSIONS}"
            raise self._refused(f"answered a vector of {length} numbers, not {expected}")

    def _check(self, rows: list[tuple[float, ...]]) -> None:
        dimensions = self._dimensions or (len(rows[0]) if rows else 0)
        for row in rows:
            if len(row) != dimensions or not row:
                raise self._refused(f"answered a vector of {len(row)} numbers, not {dimensions or 'at least 1'}")
            if not all(map(math.isfinite, row)):
                raise self._refused("answered a number that is not finite")
            if not any(row):
                raise self._refused("answered a vector of zeros")
        # Only now: what is refused decides nothing.
        self._dimensions = dimensions or None

    def _refused(self, what: str) -> EmbeddingError:
        return EmbeddingError(
            f"an embedder answers one vector for each text, of one length, finite and not all zeros; {self.name!a} "
            f"{what} and nothing of this was used; check the model"
        )


def _may_be_numbers(row: Any) -> bool:
    """Whether it is a sequence or an array, and not one of texts, dates, or numbers some of which do not count."""
    if isinstance(row, _NO_ROWS) or hasattr(row, "fill_value"):
        return False
    if isinstance(row, Sequence):
        return True
    kind = getattr(getattr(row, "dtype", None), "kind", "f")  # "m" and "M" of NumPy turn into whole numbers
    return kind not in {"m", "M"} and hasattr(row, "tolist") and hasattr(row, "__len__")


def _is_number_type(kind: type) -> bool:
    return issubclass(kind, Real) and kind.__name__ != "timedelta64"  # NumPy calls that one a whole number
