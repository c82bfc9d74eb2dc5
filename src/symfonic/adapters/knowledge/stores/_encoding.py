"""Vectors as numbers and as bytes: what is stored of them, what is read back, and how alike two are.

Rules of this module: it reads nothing and keeps nothing. Whatever a vector comes in (float32 arrays, lists of Python's
floats, arrays of float64), it is rounded to float32 first, as it would be on the way through any float32 array, and
brought to length 1 afterwards, so that equal numbers are stored as equal bytes by every path. A stored value that is
no vector of length 1 counts as missing: damage to one passage's vector costs that passage its meaning, and nobody an
answer.
"""

from __future__ import annotations

import itertools
from array import array
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any, Final, TypeGuard

import numpy as np

from symfonic.adapters.knowledge.ports import EmbeddingSpace, StoreError

from ._space import UNIT_SQUARE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Matrix = NDArray[np.floating[Any]]

STORED: Final = np.dtype("<f4")
"""Type of a stored number."""

_UNIT: Final = 1e-6
"""How far the length of a vector in float32 may be from 1 to be stored as it is."""


_TOGETHER: Final = 16
"""Matrices encoded at once: few enough passages to stay in the processor's cache."""

_ANEW: Final = (
    "see to the embedder, or replace what is stored with store.embed(anew=True) or `symfonic-knowledge embed --anew`"
)

_NO_ROW: Final = "a vector is a row of numbers; something else was given and nothing was done; see to the embedder"


class VectorError(StoreError):
    """Numbers that are no vector of the store's."""


def encode(
    vectors: Iterable[Iterable[float]], space: EmbeddingSpace, count: int, *, remedy: str = _ANEW
) -> list[bytes]:
    """Unit vectors as they are stored; equal vectors give equal bytes, and what was stored gives itself again.

    Args:
        vectors: They; of more than ``count`` one is read, and of a longer one as much as shows that it is.
        space: What they shall belong to.
        count: How many they shall be.
        remedy: What to do about one of another length.

    Raises:
        VectorError: They are not ``count`` vectors of finite numbers, as many as the space has, or one is all zeros.
    """
    numbers = _matrix(vectors, space, count, remedy)
    require_count(len(numbers), count, space)
    if not np.isfinite(numbers).all():
        raise _refusal("is finite numbers", "one has infinity or what is no number", space)
    stored = _singles(numbers, space)
    wide = stored.astype(np.float64)
    # What is of unit length already, as far as float32 can say, stays: rounding twice would not give the same.
    other = ~(np.abs(np.sqrt(_dots(wide, wide)) - 1) <= _UNIT)
    stored[other] = _unit(wide[other])
    data = stored.tobytes()
    size = space.dimensions * STORED.itemsize
    return [data[at : at + size] for at in range(0, len(data), size)]


def encode_many(matrices: Sequence[Matrix], counts: Sequence[int], space: EmbeddingSpace) -> Iterator[list[bytes]]:
    """As :func:`encode`, for matrices that :func:`copied` gave; some at once take a fraction of the time.

    Raises:
        VectorError: As :func:`encode`, for the first that cannot be stored.
    """
    for first in range(0, len(matrices), _TOGETHER):
        some, lengths = matrices[first : first + _TOGETHER], counts[first : first + _TOGETHER]
        if [matrix.shape for matrix in some] == [(length, space.dimensions) for length in lengths]:
            rows = iter(encode(np.concatenate(some), space, sum(lengths)))
            yield from (list(itertools.islice(rows, length)) for length in lengths)
        else:
            yield from (encode(matrix, space, length) for matrix, length in zip(some, lengths, strict=True))


def copied(vectors: object) -> Matrix | None:
    """A copy of what is a matrix of floats, for whoever gave it may write other numbers there; ``None`` of the rest."""
    return vectors.copy() if _is_matrix(vectors) else None


def _is_matrix(vectors: object) -> TypeGuard[Matrix]:
    return type(vectors) is np.ndarray and vectors.ndim == 2 and vectors.dtype.kind == "f" and len(vectors) > 0


def require_count(came: int, count: int, space: EmbeddingSpace) -> None:
    """Refuse another number of vectors than of texts.

    Raises:
        VectorError: It is another.
    """
    if came != count:
        raise VectorError(
            f"every passage has one vector; {came} came for {count} and nothing was done; see to the embedder "
            f"{space.name!a}"
        )


def _singles(numbers: Matrix, space: EmbeddingSpace) -> Singles:
    """Rounded to float32; rows that are too large or too small for it are scaled first, by a power of two."""
    with np.errstate(over="ignore", under="ignore"):
        rounded: Singles = numbers.astype(STORED)
    outside = ~np.isfinite(rounded).all(axis=1) | ~rounded.any(axis=1)
    if outside.any():
        peaks = np.abs(numbers[outside]).max(axis=1, keepdims=True)
        if not peaks.all():
            raise _refusal("points somewhere", "one is all zeros", space)
        with np.errstate(under="ignore"):
            rounded[outside] = np.ldexp(numbers[outside], -np.frexp(peaks)[1])
    return rounded


def _unit(wide: Floats) -> Floats:
    unit: Floats = wide / np.sqrt(_dots(wide, wide))[:, None]
    return unit


def _matrix(vectors: Iterable[Iterable[float]], space: EmbeddingSpace, count: int, remedy: str) -> Matrix:
    if _is_matrix(vectors) and vectors.shape[1] == space.dimensions:
        return vectors if vectors.dtype == STORED else _doubles(vectors)
    rows: list[Floats] = []
    try:
        given = iter(vectors)
    except TypeError as error:
        raise VectorError(_NO_ROW) from error
    for vector in itertools.islice(given, count + 1):
        row = _row(vector, space.dimensions)
        if row.shape != (space.dimensions,):
            raise VectorError(
                f"a vector has as many numbers as its embedder says; one of shape {row.shape} came where "
                f"{space.dimensions} were announced, or are stored of {space.name!a} already, and nothing was done; "
                f"{remedy}"
            )
        rows.append(row)
    return np.stack(rows) if rows else np.empty((0, space.dimensions))


def _row(vector: Iterable[float], most: int) -> Floats:
    """A vector as an array of its own, for whoever yields it may write the next one into the same memory.

    Of what is read one by one no more than one number beyond ``most`` is taken, for it may have no end.

    Raises:
        VectorError: It is no row of numbers: texts that spell some, dates, complex numbers and bytes are none, nor is
            an array some of whose numbers are masked.
    """
    if isinstance(vector, str | bytes | bytearray | np.ma.MaskedArray):
        raise VectorError(_NO_ROW)
    given: Any = vector
    if not (isinstance(vector, list | tuple | array | memoryview) or hasattr(vector, "__array__")):
        try:
            numbers = iter(vector)
        except TypeError as error:
            raise VectorError(_NO_ROW) from error
        given = list(itertools.islice(numbers, most + 1))
    try:
        row: NDArray[Any] = np.array(given)
        is_real = row.dtype.kind in "biuf" or (
            row.dtype.kind == "O" and all(isinstance(number, Real | Decimal) for number in row.flat)
        )
        if is_real:
            return _doubles(row)
    except Exception as error:
        # Whatever becomes an array, or a number, runs its own code for it.
        raise VectorError(_NO_ROW) from error
    raise VectorError(_NO_ROW)


def _doubles(numbers: NDArray[Any]) -> Floats:
    """As float64, infinite where that is too small a kind of number."""
    with np.errstate(over="ignore", under="ignore"):
        found: Floats = np.asarray(numbers, dtype=np.float64)
    return found


def _refusal(rule: str, fault: str, space: EmbeddingSpace) -> VectorError:
    return VectorError(
        f"a vector {rule}; {fault} and nothing was done; see to the embedder {space.name!a}, or to "
        "the text it was given"
    )


def decoded(data: bytes, space: EmbeddingSpace) -> Singles:
    """Sound vectors, as :func:`encode` gave them, as a matrix of one row each."""
    return np.frombuffer(data, dtype=STORED).reshape(-1, space.dimensions)


def stored_rows(vectors: Sequence[object], space: EmbeddingSpace) -> Singles:
    """Values of the file as a matrix of one row each; of zeros for one that is missing, or no vector of length 1."""
    size = space.dimensions * STORED.itemsize
    nothing = bytes(size)
    rows = decoded(
        b"".join(vector if type(vector) is bytes and len(vector) == size else nothing for vector in vectors), space
    )
    with np.errstate(over="ignore", invalid="ignore"):
        suspects = np.flatnonzero(~(np.abs(np.vecdot(rows, rows) - 1) <= _UNIT))
        wide = rows[suspects].astype(np.float64)
        damaged = suspects[~(np.abs(_dots(wide, wide) - 1) <= UNIT_SQUARE)]
    if len(damaged):
        rows = rows.copy()
        rows[damaged] = 0
    return rows


def missing(vectors: Sequence[object], space: EmbeddingSpace) -> list[int]:
    """The places of those among stored values that are no vector of length 1, ascending."""
    found: list[int] = np.flatnonzero(~stored_rows(vectors, space).any(axis=1)).tolist()
    return found


def _dots(left: Floats, right: Floats) -> Floats:
    """Products row by row, each summed in an order that depends on the number of columns only."""
    products: Floats = np.add.reduce(np.ascontiguousarray(left * right), axis=1)
    return products


def cosines(rows: Singles, question: Singles) -> Floats:
    """Cosines of stored vectors to the question's in float64; each depends on these two vectors only.

    A row of zeros stands for a missing vector; its cosine is 0.
    """
    wide = rows.astype(np.float64)
    asked = question.astype(np.float64)
    lengths = np.sqrt(_dots(wide, wide)) * np.sqrt(_dots(asked[None, :], asked[None, :]))
    found: Floats = np.clip(_dots(wide, asked[None, :]) / np.where(lengths == 0, 1.0, lengths), -1.0, 1.0)
    return found


def products(rows: Singles, question: Singles) -> Floats:
    """Products in float32, within :func:`margin` of the cosines.

    One by one: a product of matrix and vector would start a thread for each core, which cost more than they bring.
    """
    found: Floats = np.vecdot(rows, question).astype(np.float64)
    return found


def margin(dimensions: int) -> float:
    """What a float32 product of two stored vectors can be off their cosine, in whatever order it is summed.

    The error of a sum of ``n`` products is at most ``n u / (1 - n u)`` times the sum of their sizes (Higham, 2002,
    section 3.1), which for vectors of length 1 is at most 1; ``u`` is 2**-24. Their lengths are 1 within ``2 * _UNIT``,
    and half of that error where :func:`stored_rows` found them to be 1 by such a sum.
    """
    error = dimensions * 2.0**-24
    return 1.01 * 1.5 * error / (1 - min(error, 0.5)) + 4 * _UNIT
