"""Vectors as they are stored: equal bytes by every path, and damage that counts as a missing vector."""

from __future__ import annotations

import itertools
from array import array
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document, EmbeddingSpace
from symfonic.adapters.knowledge.stores._encoding import (
    VectorError,
    copied,
    cosines,
    decoded,
    encode,
    encode_many,
    margin,
    products,
    stored_rows,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

SPACE = EmbeddingSpace(name="n", dimensions=7)


def test_equal_vectors_are_stored_as_equal_bytes_of_unit_length() -> None:
    """Whatever they came in and however long they were; what was stored stays as it is."""
    source = np.random.default_rng(1)
    space = EmbeddingSpace(name="n", dimensions=7)
    numbers = source.standard_normal((50, 7))
    stored = encode(numbers, space, 50)
    assert encode(numbers.tolist(), space, 50) == stored
    assert encode([iter(row) for row in numbers.tolist()], space, 50) == stored
    assert [encode([row], space, 1)[0] for row in numbers] == stored
    assert encode([decoded(row, space)[0] for row in stored], space, 50) == stored
    assert np.abs(np.linalg.norm(decoded(b"".join(stored), space).astype(float), axis=1) - 1).max() < 1e-6
    assert encode([[1e300] * 7], space, 1) == encode([[1e-300] * 7], space, 1)
    assert len(stored[0]) == 28


@pytest.mark.requirement("ST-HYB-2")
@pytest.mark.parametrize("kind", ["<f4", "<f8", "<f2", "g"])
def test_matrices_of_many_documents_are_stored_as_one_by_one(kind: str) -> None:
    """However many are encoded at once, and whatever floats they hold; whoever gave one may write there again."""
    sizes = [1, 7, 3, *[2] * 40]
    given = [np.random.default_rng(at).standard_normal((size, 7)).astype(kind) for at, size in enumerate(sizes)]
    one_by_one = [encode(matrix, SPACE, len(matrix)) for matrix in given]
    kept = [copied(matrix) for matrix in given]
    for matrix in given:
        matrix.fill(0)
    matrices = [matrix for matrix in kept if matrix is not None]
    assert list(encode_many(matrices, sizes, SPACE)) == one_by_one


def test_one_matrix_among_many_that_cannot_be_stored_is_refused_as_it_would_be_alone() -> None:
    """A row too few, another space's, a number that is none, and what is no matrix does not wait for others."""
    good = np.ones((2, 7), dtype=np.float32)
    cases: list[tuple[NDArray[Any], str]] = [
        (good[:1], "1 came for 2"),
        (np.ones((2, 6)), r"one of shape \(6,\) came where 7"),
        (good * np.nan, "is finite numbers"),
        (good * 0, "points somewhere"),
    ]
    for bad, said in cases:
        found = encode_many([*[good] * 20, bad], [2] * 21, SPACE)
        with pytest.raises(VectorError, match=said):
            list(found)
    for other in (good.tolist(), good[0], good[:0], good.astype(int), np.ma.array(good), "text", None):
        assert copied(other) is None


def test_a_float32_product_is_within_its_margin_of_the_cosine() -> None:
    """Candidates are found by it, so none may be missed."""
    for dimensions in (1, 3, 384, 4_096):
        space = EmbeddingSpace(name="n", dimensions=dimensions)
        numbers = np.random.default_rng(dimensions).standard_normal((500, dimensions))
        rows = decoded(b"".join(encode(numbers, space, 500)), space)
        difference = np.abs(products(rows, rows[0]) - cosines(rows, rows[0]))
        assert difference.max() <= margin(dimensions)


@pytest.mark.requirement("ST-HYB-2")
@pytest.mark.parametrize("scale", [1.0, 1e-3, 7.3, 1e30, 1e-35])
def test_float32_and_float64_of_the_same_numbers_are_stored_alike(scale: float) -> None:
    """Arrays of both kinds, lists of Python's floats, and what the standard library packs as float32."""
    numbers = np.random.default_rng(2).standard_normal((50, 7)) * scale
    stored = encode(numbers, SPACE, 50)
    assert encode(numbers.astype(np.float32), SPACE, 50) == stored
    assert encode(numbers.tolist(), SPACE, 50) == stored
    assert encode([array("f", row) for row in numbers.tolist()], SPACE, 50) == stored
    assert encode([array("d", row) for row in numbers.tolist()], SPACE, 50) == stored


@pytest.mark.requirement("ST-HYB-2")
def test_known_vectors_are_stored_as_the_bytes_they_were_read_from(hybrid: SqliteStore) -> None:
    """Handed on by a pipeline, or found by the store."""
    chunk = Chunk(text="fig", label="", ordinal=0)
    hybrid.put(Document(scope_path="", origin="/a", file="a", digest="d"), [chunk])
    (known,) = hybrid.known_vectors(["fig"])
    assert known is not None
    hybrid.put(Document(scope_path="", origin="/b", file="b", digest="d"), [chunk], vectors=[known])
    with hybrid._connections.reading() as sql:
        assert sql.execute("SELECT count(*), count(DISTINCT vector) FROM vector").fetchone() == (2, 1)


@pytest.mark.parametrize(
    "damaged",
    [
        None,
        1,
        "text",
        b"",
        b"\0" * 27,
        b"\0" * 28,
        np.full(7, np.nan, dtype="<f4").tobytes(),
        np.full(7, np.inf, dtype="<f4").tobytes(),
        np.full(7, 3e38, dtype="<f4").tobytes(),
        np.full(7, 0.5, dtype="<f4").tobytes(),
    ],
)
def test_a_stored_value_that_is_no_vector_of_length_1_is_missing(damaged: object) -> None:
    """Its neighbours stay as they are."""
    sound = encode(np.random.default_rng(3).standard_normal((2, 7)), SPACE, 2)
    rows = stored_rows([sound[0], damaged, sound[1]], SPACE)
    assert [rows[0].tobytes(), rows[2].tobytes()] == sound
    assert not rows[1].any()
    assert cosines(rows, rows[0]).tolist()[:2] == [1.0, 0.0]


@pytest.mark.requirement("ST-VEC-1")
@pytest.mark.parametrize(
    "row",
    [
        ["1", "2", "3", "4", "5", "6", "7"],
        [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, "7"],
        np.array(["2020-01-01"] * 7, dtype="M8[D]"),
        np.array([1 + 9j] * 7),
        [1, 2, 3, 4, 5, 6, 7j],
        np.ma.array([1.0] * 7, mask=[True] + [False] * 6),
        b"1234567",
        bytearray(b"1234567"),
        "1234567",
        [None] * 7,
        [[1.0], [2.0, 3.0]],
    ],
    ids=repr,
)
def test_what_only_looks_like_a_vector_is_refused(row: Any) -> None:
    """Texts, dates, complex and masked numbers, bytes: whoever passes them made a mistake."""
    with pytest.raises(VectorError, match="a vector is a row of numbers; something else was given"):
        encode([row], SPACE, 1)


def test_numbers_of_any_kind_are_a_vector() -> None:
    """Whole ones, fractions and decimals."""
    expected = encode([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.5]], SPACE, 1)
    row: list[Any] = [1, 2, 3, 4, 5, Decimal(6), Fraction(1, 2)]
    assert encode([row], SPACE, 1) == expected


@pytest.mark.requirement("ST-VEC-1")
def test_masked_rows_and_what_is_no_row_of_vectors_are_refused() -> None:
    """A matrix as well; a number, nothing."""
    for vectors in (np.ma.array(np.ones((1, 7)), mask=[[True] + [False] * 6]), 5, None):
        with pytest.raises(VectorError, match="something else was given"):
            encode(vectors, SPACE, 1)  # type: ignore[arg-type]  # what is refused


class Raising:
    """What fails when it becomes numbers."""

    def __len__(self) -> int:
        return 7

    def __array__(self, *arguments: object, **options: object) -> Any:
        raise RuntimeError

    def __iter__(self) -> Iterator[float]:
        return iter([1.0] * 7)


class RaisingNumber(float):
    """A number that fails when it is read as one."""

    def __float__(self) -> float:
        raise RuntimeError


@pytest.mark.requirement("ST-VEC-1")
@pytest.mark.parametrize("row", [Raising(), [RaisingNumber(1)] * 7], ids=["array", "number"])
def test_what_fails_when_it_becomes_numbers_is_no_vector(row: Any) -> None:
    """The store says so, with the cause; nothing of another library passes through it."""
    with pytest.raises(VectorError, match="a vector is a row of numbers; something else was given") as caught:
        encode([row], SPACE, 1)
    assert isinstance(caught.value.__cause__, RuntimeError)


@pytest.mark.requirement("ST-VEC-1")
@pytest.mark.parametrize("rows", [1, 2])
def test_numbers_too_large_for_float64_are_infinite(rows: int) -> None:
    """And refused as such, without a warning."""
    matrix = np.full((rows, 7), np.longdouble("1e4000"))
    for vectors in (matrix, list(matrix)):
        with pytest.raises(VectorError, match="one has infinity"):
            encode(vectors, SPACE, rows)


@pytest.mark.requirement("ST-VEC-13")
def test_of_rows_without_end_no_more_is_read_than_shows_that_they_are_too_many() -> None:
    """Vectors of a document, numbers of a vector; whatever their length is said to be."""
    taken = []

    def counted(rows: Any) -> Iterator[Any]:
        for row in rows:
            taken.append(row)
            yield row

    cases = {
        "every passage has one vector; 4 came for 3": counted(itertools.repeat([1.0] * 7)),
        r"one of shape \(8,\) came where 7": [counted(itertools.count(1.0))],
        r"one of shape \(8,\) came where 7 were": [range(10**13)],
    }
    for message, vectors in cases.items():
        taken.clear()
        with pytest.raises(VectorError, match=message):
            encode(vectors, SPACE, 3)
        assert len(taken) <= 8


@pytest.mark.requirement("ST-VEC-10")
def test_rows_that_come_in_the_same_memory_are_told_apart() -> None:
    """Each is read before the next one is asked for."""
    buffer = np.zeros(7)

    def rows() -> Iterator[Any]:
        for at in range(3):
            buffer[:] = 0
            buffer[at] = 1
            yield buffer

    assert encode(rows(), SPACE, 3) == encode(np.eye(3, 7), SPACE, 3)
