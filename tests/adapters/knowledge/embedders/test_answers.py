"""What an embedder of others answers: checked before anything is stored."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge import EmbeddingError
from symfonic.adapters.knowledge.embedders._answers import Answers, readable_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def test_what_is_sound_comes_back_as_numbers() -> None:
    """Whole numbers, bytes and subclasses included: everything that is a real number."""
    assert Answers("m", 2).checked(3, lambda: [[1, 2.5], iter([0.0, True]), b"\x01\x02"]) == [
        (1.0, 2.5),
        (0.0, 1.0),
        (1.0, 2.0),
    ]


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
        ([["1.0", "1.0"], [1.0, 1.0]], r"failed \(TypeError\)"),
        ([None, [1.0, 1.0]], r"failed \(TypeError\)"),
        (None, r"failed \(TypeError\)"),
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
def test_what_stops_the_process_passes() -> None:
    """It is no failure of the model."""

    def stop() -> list[list[float]]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Answers("m", 1).checked(1, stop)


@pytest.mark.parametrize("name", ["", "  \n"])
def test_an_embedder_has_a_name(name: str) -> None:
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
