"""Models of other libraries, played by the methods those libraries document."""

from __future__ import annotations

import array
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge import EmbeddingError
from symfonic.adapters.knowledge.embedders.wrapped import (
    FastEmbedEmbedder,
    LangChainEmbedder,
    SentenceTransformersEmbedder,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from symfonic.adapters.knowledge import Embedder


def row(text: str, kind: float) -> list[float]:
    """A vector that tells the length of its text, and by which method it came."""
    return [float(len(text)), kind, 1.0]


class Encoder:
    """sentence-transformers before 5: one method, a matrix."""

    def __init__(self) -> None:
        self.asked: list[tuple[list[str], int]] = []

    def encode(self, sentences: list[str], *, batch_size: int, show_progress_bar: bool) -> list[array.array[float]]:
        assert show_progress_bar is False
        self.asked.append((sentences, batch_size))
        return [array.array("d", row(text, 0)) for text in sentences]


class Encoder5(Encoder):
    """From 5 on there are two more, with prompts."""

    def encode_query(self, sentences: list[str], **_: Any) -> list[list[float]]:
        return [row(text, 1) for text in sentences]

    def encode_document(self, sentences: list[str], **_: Any) -> list[list[float]]:
        return [row(text, 2) for text in sentences]


class TextEmbedding:
    """fastembed: generators of arrays."""

    def passage_embed(self, texts: Iterable[str], *, batch_size: int) -> Iterator[Any]:
        for text in texts:
            yield array.array("d", row(text, float(batch_size)))

    def query_embed(self, query: str) -> Iterator[Any]:
        yield array.array("d", row(query, 9))


class Embeddings:
    """LangChain: lists of lists."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [row(text, 2) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return row(text, 1)


class Failing:
    """Any of them, at its worst."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def fail(*_: object, **__: object) -> Any:
            raise RuntimeError("sk-secret")

        return fail


WRAPPERS: list[Any] = [SentenceTransformersEmbedder, FastEmbedEmbedder, LangChainEmbedder]


@pytest.mark.parametrize(
    ("embedder", "passage", "question"),
    [
        (SentenceTransformersEmbedder(Encoder(), name="m"), 0.0, 0.0),
        (SentenceTransformersEmbedder(Encoder5(), name="m"), 2.0, 1.0),
        (FastEmbedEmbedder(TextEmbedding(), name="m"), 1.0, 9.0),
        (FastEmbedEmbedder(TextEmbedding(), name="m", batch_size=7), 7.0, 9.0),
        (LangChainEmbedder(Embeddings(), name="m"), 2.0, 1.0),
    ],
    ids=["sentence-transformers 4", "sentence-transformers 5", "fastembed", "fastembed in batches", "langchain"],
)
def test_passages_and_questions_go_to_their_own_methods(embedder: Embedder, passage: float, question: float) -> None:
    """Many models treat them differently."""
    assert embedder.name == "m"
    assert embedder.dimensions == 3
    assert embedder.embed_documents(["four", ""]) == [(4.0, passage, 1.0), (0.0, passage, 1.0)]
    assert embedder.embed_query("to\ud800") == (3.0, question, 1.0)
    assert embedder.embed_documents([]) == []


@pytest.mark.requirement("KB-EMB-1")
@pytest.mark.parametrize(("options", "size"), [({}, 1), ({"batch_size": 32}, 32)])
def test_texts_are_run_one_by_one_unless_told_otherwise(options: dict[str, int], size: int) -> None:
    """Neighbours in a batch change a vector."""
    encoder = Encoder()
    SentenceTransformersEmbedder(encoder, name="m", **options).embed_documents(["a", "b"])
    assert encoder.asked == [(["a", "b"], size)]


@pytest.mark.requirement("KB-EMB-9")
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_model_that_fails_is_told_in_our_words(wrapper: Any) -> None:
    """Passages, questions and the number of dimensions alike."""
    embedder = wrapper(Failing(), name="m")
    asks: list[Callable[[], object]] = [
        lambda: embedder.embed_documents(["a"]),
        lambda: embedder.embed_query("a"),
        lambda: embedder.dimensions,
    ]
    for ask in asks:
        with pytest.raises(EmbeddingError, match=r"'m' failed \(RuntimeError\)") as caught:
            ask()
        assert isinstance(caught.value.__cause__, RuntimeError)
        assert "secret" not in str(caught.value)


@pytest.mark.requirement("KB-EMB-8")
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_model_of_other_dimensions_is_refused(wrapper: Any) -> None:
    """Told at the first vector, not at the first search."""
    model = {SentenceTransformersEmbedder: Encoder, FastEmbedEmbedder: TextEmbedding, LangChainEmbedder: Embeddings}
    with pytest.raises(EmbeddingError, match="a vector of 3 numbers, not 4"):
        wrapper(model[wrapper](), name="m", dimensions=4).embed_documents(["a"])


class Answering:
    """Any of them, answering the same to everything."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return lambda *_, **__: self._answer


@pytest.mark.requirement("KB-EMB-9")
@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("answer", [None, 7, "ab", b"ab", {}, [None], ["7"], {"a": [1.0]}], ids=repr)
def test_an_answer_of_another_kind_is_told_in_our_words(wrapper: Any, answer: Any) -> None:
    """For passages and for questions."""
    embedder = wrapper(Answering(answer), name="m")
    with pytest.raises(EmbeddingError, match="'m' "):
        embedder.embed_documents(["a"])
    with pytest.raises(EmbeddingError, match="'m' "):
        embedder.embed_query("a")


@pytest.mark.requirement("KB-EMB-9")
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_an_interrupt_passes(wrapper: Any) -> None:
    """Whoever presses the keys wants the process to end."""

    class Interrupted:
        def __getattr__(self, name: str) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wrapper(Interrupted(), name="m").embed_documents(["a"])
    with pytest.raises(KeyboardInterrupt):
        wrapper(Interrupted(), name="m").embed_query("a")


class Sorting:
    """Any of them, sorting the list it is given and answering in that order."""

    def _rows(self, texts: list[str], **_: Any) -> list[list[float]]:
        texts.sort()
        return [row(text, 0) for text in texts]

    encode = passage_embed = embed_documents = _rows


@pytest.mark.requirement("KB-EMB-8")
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_model_that_reorders_the_list_it_is_given_mixes_nothing_up(wrapper: Any) -> None:
    """The list is its own, the caller's stays, and vectors whose texts are not sure are not used."""
    texts = ["long one", "a"]
    embedder = wrapper(Sorting(), name="m")
    with pytest.raises(EmbeddingError, match="changed the list of texts"):
        embedder.embed_documents(texts)
    assert texts == ["long one", "a"]
    assert embedder.embed_documents(["a", "long one"]) == [(1.0, 0.0, 1.0), (8.0, 0.0, 1.0)]


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("name", [None, 5, ""])
def test_what_is_no_name_is_refused(wrapper: Any, name: Any) -> None:
    """Refused when the embedder is made."""
    with pytest.raises(ValueError, match="has a name"):
        wrapper(Encoder(), name=name)


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("attribute", ["name", "dimensions", "batch_size"])
def test_what_was_checked_stays(wrapper: Any, attribute: str) -> None:
    """A value that was refused when the embedder was made cannot be set later."""
    with pytest.raises(AttributeError):
        setattr(wrapper(Encoder(), name="m"), attribute, 0)


@pytest.mark.parametrize("wrapper", WRAPPERS[:2])
@pytest.mark.parametrize("size", [0, 2.0, True])
def test_a_batch_has_a_text_or_more(wrapper: Any, size: Any) -> None:
    """Refused when the embedder is made."""
    with pytest.raises(ValueError, match="batch_size"):
        wrapper(Encoder(), name="m", batch_size=size)


@pytest.mark.sdk
def test_embeddings_of_langchain_are_an_embedder() -> None:
    """Its own deterministic fake, with the interface that all others have."""
    from langchain_core.embeddings import DeterministicFakeEmbedding

    embedder = LangChainEmbedder(DeterministicFakeEmbedding(size=16), name="fake")
    (one, other) = embedder.embed_documents(["one", "other"])
    assert (embedder.dimensions, len(one), len(other)) == (16, 16, 16)
    assert embedder.embed_query("one") == one != other
