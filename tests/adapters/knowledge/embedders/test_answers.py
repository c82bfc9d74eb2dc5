"""What an embedder of others answers: checked before anything is stored."""

from __future__ import annotations

import array
import datetime as dt
import math
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from symfonic.adapters.knowledge import EmbeddingError
from symfonic.adapters.knowledge.embedders._answers import Answers, readable_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def test_what_is_sound_comes_back_as_numbers() -> None:
    """Lists, tuples and arrays of everything that is a real number."""
    rows: list[Any] = [
        [1, Fraction(5, 2)],
        (0.0, True),
        array.array("f", [1, 2]),
        np.array([1, 0.5], dtype=np.float16),
        [np.float32(0.5), np.int8(3)],
    ]
    found = Answers("m", 2).checked(5, lambda: iter(rows))
    assert found == [(1.0, 2.5), (0.0, 1.0), (1.0, 2.0), (1.0, 0.5), (0.5, 3.0)]
    assert {type(number) for row in found for number in row} == {float}


@pytest.mark.requirement("KB-EMB-8")
@pytest.mark.parametrize(
    "row",
    [
        "12", ["1", "2"], [b"1", b"2"], b"12", bytearray(b"12"), memoryview(b"12"), {1: 0, 2: 0}, {1, 2}, None, 12,
        [1, None], [1j, 1], [Decimal(1), Decimal(2)], [[1], [2]], iter([1.0, 2.0]), [dt.date(2026, 1, 1)] * 2,
        np.array([1, 2j]), [np.complex128(1j)] * 2, np.array(["1", "2"]), np.array([1, "2"], dtype=object),
        np.array(["2026-01-01"] * 2, dtype="M8[ns]"), np.array([1, 2], dtype="m8[ns]"), [np.timedelta64(1, "ns")] * 2,
        np.ma.masked_array([1.0, 2.0], mask=[True, False]), np.ma.masked_array([1.0, 2.0]), np.ones((2, 1)),
        np.float64(1),
    ],
    ids=lambda row: type(row).__name__,
)  # fmt: skip
def test_what_only_looks_like_numbers_is_refused(row: Any) -> None:
    """Vectors made of it would mean nothing."""
    with pytest.raises(EmbeddingError, match="'m' answered a row that is no sequence of numbers and nothing"):
        Answers("m", 2).checked(1, lambda: [row])


@pytest.mark.requirement("KB-EMB-8")
@pytest.mark.parametrize("answer", ["a", b"a", {(1.0, 2.0): 1}, {(1.0, 2.0)}, frozenset({(1.0, 2.0)})], ids=repr)
def test_an_answer_without_an_order_is_refused(answer: Any) -> None:
    """Nobody could say which text a vector is of."""
    with pytest.raises(EmbeddingError, match="answered no sequence of vectors"):
        Answers("m", 2).checked(1, lambda: answer)


@pytest.mark.requirement("KB-EMB-8")
@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([], "answered 0 vectors for 2 texts"),
        ([[1.0, 1.0]], "answered 1 vectors for 2 texts"),
        ([[1.0, 1.0]] * 3, "answered more than 2 vectors for 2 texts"),
        ([[1.0, 1.0], [1.0]], "answered a vector of 1 numbers, not 2"),
        ([[1.0, 1.0], []], "answered a vector of 0 numbers, not 2"),
        ([[1.0, math.nan], [1.0, 1.0]], "answered a number that is not finite"),
        ([[1.0, 1.0], [-math.inf, 1.0]], "answered a number that is not finite"),
        ([[1.0, 1.0], [0.0, -0.0]], "answered a vector of zeros"),
        ([["1.0", "1.0"], [1.0, 1.0]], "answered a row that is no sequence of numbers"),
        ([None, [1.0, 1.0]], "answered a row that is no sequence of numbers"),
        ([[10**400, 1.0], [1.0, 1.0]], r"failed \(OverflowError\)"),
        (None, r"failed \(TypeError\)"),
        (7, r"failed \(TypeError\)"),
    ],
)
@pytest.mark.parametrize("dimensions", [2, None])
def test_what_is_not_sound_is_refused(rows: Any, fault: str, dimensions: int | None) -> None:
    """Whether the number of dimensions was known or comes from the first vector."""
    with pytest.raises(EmbeddingError, match=f"^an embedder answers one vector .* 'm' {fault} and nothing of this was"):
        Answers("m", dimensions).checked(2, lambda: rows)


@pytest.mark.requirement("KB-EMB-8")
def test_an_endless_answer_is_not_read_to_its_end() -> None:
    """One vector more than asked for is enough."""

    def forever() -> Iterator[list[float]]:
        while True:
            yield [1.0]

    with pytest.raises(EmbeddingError, match="more than 3 vectors for 3 texts"):
        Answers("m", 1).checked(3, forever)


class Endless(list[float]):
    """A row that says it is short and never ends."""

    def __init__(self, length: int) -> None:
        super().__init__([1.0] * length)
        self.read = 0

    def __iter__(self) -> Iterator[float]:
        while True:
            self.read += 1
            yield 1.0


@pytest.mark.requirement("KB-EMB-8")
@pytest.mark.parametrize(("dimensions", "most"), [(2, 2), (None, 8192)])
def test_an_endless_row_is_not_read_to_its_end(dimensions: int | None, most: int) -> None:
    """One number more than a vector may have is enough, and a row that says it is longer is not read at all."""
    row = Endless(2)
    with pytest.raises(EmbeddingError, match=f"answered a vector of {most + 1} numbers, not"):
        Answers("m", dimensions).checked(1, lambda: [row])
    honest = Endless(most + 1)
    with pytest.raises(EmbeddingError, match=f"answered a vector of {most + 1} numbers, not"):
        Answers("m", dimensions).checked(1, lambda: [honest])
    assert (row.read, honest.read) == (most + 1, 0)


@pytest.mark.requirement("KB-EMB-8")
@pytest.mark.parametrize("bad", [[[math.nan, 1.0, 1.0]] * 2, [[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]], [[1.0] * 3] * 3])
def test_what_is_refused_decides_nothing(bad: list[list[float]]) -> None:
    """A good answer of another length is taken after it."""
    answers = Answers("m", None)
    with pytest.raises(EmbeddingError):
        answers.checked(2, lambda: bad)
    assert answers.checked(1, lambda: [[1.0, 2.0]]) == [(1.0, 2.0)]
    assert answers.dimensions(lambda _: pytest.fail("it is known")) == 2


@pytest.mark.requirement("KB-EMB-8")
def test_rows_may_share_one_buffer() -> None:
    """Each is copied before the next one is made."""

    def rows() -> Iterator[Any]:
        buffer = np.zeros(2)
        for number in (1.0, 2.0):
            buffer[:] = number
            yield buffer

    assert Answers("m", None).checked(2, rows) == [(1.0, 1.0), (2.0, 2.0)]


@pytest.mark.requirement("KB-EMB-8")
def test_the_first_vector_decides_for_all_that_follow() -> None:
    """A model does not change in the middle."""
    answers = Answers("m", None)
    answers.checked(1, lambda: [[1.0, 2.0, 3.0]])
    assert answers.dimensions(lambda _: pytest.fail("it is known")) == 3
    with pytest.raises(EmbeddingError, match="a vector of 2 numbers, not 3"):
        answers.checked(1, lambda: [[1.0, 2.0]])


def test_dimensions_are_found_out_once() -> None:
    """With one short text."""
    answers = Answers("m", None)
    asked: list[Sequence[str]] = []

    def ask(texts: Sequence[str]) -> object:
        asked.append(texts)
        return answers.checked(1, lambda: [[1.0, 2.0]])

    assert (answers.dimensions(ask), answers.dimensions(ask), asked) == (2, 2, [["dimensions"]])


def test_dimensions_nobody_tells_are_an_error() -> None:
    """An embedder that checks nothing would otherwise have None of them."""
    with pytest.raises(EmbeddingError, match="answered nothing"):
        Answers("m", None).dimensions(lambda _: None)


@pytest.mark.requirement("KB-EMB-9")
def test_what_is_raised_is_the_cause_and_is_not_repeated() -> None:
    """Its message may quote the text, or a key."""
    error = RuntimeError("sk-secret")

    def fail() -> list[list[float]]:
        raise error

    with pytest.raises(EmbeddingError, match=r"failed \(RuntimeError\)") as caught:
        Answers("m", 1).checked(1, fail)
    assert caught.value.__cause__ is error
    assert "secret" not in str(caught.value)


@pytest.mark.requirement("KB-EMB-9")
@pytest.mark.parametrize("stopping", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_stops_the_process_passes(stopping: type[BaseException]) -> None:
    """It is no failure of the model."""

    def stop() -> list[list[float]]:
        raise stopping

    with pytest.raises(stopping):
        Answers("m", 1).checked(1, stop)


@pytest.mark.requirement("KB-EMB-9")
def test_a_panic_of_native_code_is_a_failure() -> None:
    """It derives from no Exception, but asks for nothing to end."""
    panic = type("PanicException", (BaseException,), {})

    def fail() -> list[list[float]]:
        raise panic

    with pytest.raises(EmbeddingError, match=r"failed \(PanicException\)"):
        Answers("m", 1).checked(1, fail)


@pytest.mark.parametrize("name", ["", "  \n", None, 5, b"m"])
def test_an_embedder_has_a_name(name: Any) -> None:
    """Without one, vectors of two models could be mixed."""
    with pytest.raises(ValueError, match="has a name"):
        Answers(name, 1)


@pytest.mark.parametrize("dimensions", [0, -1, 1.0, True])
def test_dimensions_are_a_positive_whole_number(dimensions: Any) -> None:
    """Nothing else is a number of numbers."""
    with pytest.raises(ValueError, match="at least 1"):
        Answers("m", dimensions)


def test_halves_of_pairs_are_replaced() -> None:
    """No library or server takes them."""
    assert readable_texts(["a\ud800b", "\U0001f600", ""]) == ["a\ufffdb", "\U0001f600", ""]


def test_texts_that_can_be_read_once_are_read_once() -> None:
    """A generator is not used up by looking at it."""
    assert readable_texts(text for text in ("a", "b")) == ["a", "b"]


@pytest.mark.parametrize("texts", ["text", [1], ["a", None], None, 7, b"ab"])
def test_only_a_sequence_of_texts_is_taken(texts: Any) -> None:
    """One text is not read as many of one letter."""
    with pytest.raises(EmbeddingError, match="a sequence of texts"):
        readable_texts(texts)
