"""Models of other libraries as embedders: sentence-transformers, fastembed, LangChain.

Rules of this module: it imports none of them. Whoever has a model of theirs passes it in, and is asked by the methods
that library documents, with a list of its own. What comes back is checked and copied, and what is raised becomes an
:class:`EmbeddingError`.

The first two are asked for one text at a time unless told otherwise. Texts in one batch are padded to one length, and
then the same text has slightly other vectors beside others; quantized models differ visibly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symfonic.adapters.knowledge.embedders._answers import Answers, readable_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["FastEmbedEmbedder", "LangChainEmbedder", "SentenceTransformersEmbedder"]


class SentenceTransformersEmbedder:
    """A model of sentence-transformers.

    Passages go to ``encode_document`` and questions to ``encode_query``, which add the model's own prompts; a release
    before 5 has ``encode`` alone.

    Args:
        model: A ``SentenceTransformer``.
        name: Name of the model, with whatever else decides its vectors (revision, precision, normalization).
        batch_size: Texts in one run of the model. Above 1 a text's vector depends, in its last digits, on its
            neighbours.
        dimensions: Numbers in each vector; ``None`` finds out.

    Raises:
        ValueError: ``name``, ``batch_size`` or ``dimensions`` is none.
    """

    __slots__ = ("_answers", "_batch_size", "_model")

    def __init__(self, model: Any, *, name: str, batch_size: int = 1, dimensions: int | None = None) -> None:
        self._answers = Answers(name, dimensions)
        self._model = model
        self._batch_size = _size(batch_size)

    @property
    def name(self) -> str:
        """As it was given."""
        return self._answers.name

    @property
    def dimensions(self) -> int:
        """As given, or as the first vector has it."""
        return self._answers.dimensions(self.embed_documents)

    @property
    def batch_size(self) -> int:
        """As it was given."""
        return self._batch_size

    def embed_documents(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """One vector for each passage.

        Raises:
            EmbeddingError: The model failed, or answered something else.
        """
        return self._encoded(readable_texts(texts), "encode_document")

    def embed_query(self, text: str) -> tuple[float, ...]:
        """The vector of a question; raises as :meth:`embed_documents`."""
        return self._encoded(readable_texts([text]), "encode_query")[0]

    def _encoded(self, texts: list[str], method: str) -> list[tuple[float, ...]]:
        def ask(handed: list[str]) -> Iterable[Any]:
            encode = getattr(self._model, method, None) or self._model.encode
            rows: Iterable[Any] = encode(handed, batch_size=self._batch_size, show_progress_bar=False)
            return rows

        return self._answers.of(texts, ask) if texts else []


class FastEmbedEmbedder:
    """A model of fastembed.

    Passages go to ``passage_embed`` and questions to ``query_embed``, which treat them as the model wants it.

    Args:
        model: A ``TextEmbedding``.
        name: As for :class:`SentenceTransformersEmbedder`.
        batch_size: As for :class:`SentenceTransformersEmbedder`; fastembed's models are often quantized.
        dimensions: Numbers in each vector; ``None`` finds out.

    Raises:
        ValueError: ``name``, ``batch_size`` or ``dimensions`` is none.
    """

    __slots__ = ("_answers", "_batch_size", "_model")

    def __init__(self, model: Any, *, name: str, batch_size: int = 1, dimensions: int | None = None) -> None:
        self._answers = Answers(name, dimensions)
        self._model = model
        self._batch_size = _size(batch_size)

    @property
    def name(self) -> str:
        """As it was given."""
        return self._answers.name

    @property
    def dimensions(self) -> int:
        """As given, or as the first vector has it."""
        return self._answers.dimensions(self.embed_documents)

    @property
    def batch_size(self) -> int:
        """As it was given."""
        return self._batch_size

    def embed_documents(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """One vector for each passage.

        Raises:
            EmbeddingError: The model failed, or answered something else.
        """
        return self._asked(
            readable_texts(texts), lambda handed: self._model.passage_embed(handed, batch_size=self._batch_size)
        )

    def embed_query(self, text: str) -> tuple[float, ...]:
        """The vector of a question; raises as :meth:`embed_documents`."""
        return self._asked(readable_texts([text]), lambda handed: self._model.query_embed(handed[0]))[0]

    def _asked(self, texts: list[str], ask: Callable[[list[str]], Iterable[Any]]) -> list[tuple[float, ...]]:
        return self._answers.of(texts, ask) if texts else []


class LangChainEmbedder:
    """Anything with LangChain's ``Embeddings`` interface.

    Whether a text's vector depends on its neighbours is up to what stands behind it.

    Args:
        embeddings: It has ``embed_documents`` and ``embed_query``.
        name: Name of the model, with whatever else decides its vectors; the interface does not tell.
        dimensions: Numbers in each vector; ``None`` finds out.

    Raises:
        ValueError: ``name`` or ``dimensions`` is none.
    """

    __slots__ = ("_answers", "_embeddings")

    def __init__(self, embeddings: Any, *, name: str, dimensions: int | None = None) -> None:
        self._answers = Answers(name, dimensions)
        self._embeddings = embeddings

    @property
    def name(self) -> str:
        """As it was given."""
        return self._answers.name

    @property
    def dimensions(self) -> int:
        """As given, or as the first vector has it."""
        return self._answers.dimensions(self.embed_documents)

    def embed_documents(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """One vector for each passage.

        Raises:
            EmbeddingError: What stands behind it failed, or answered something else.
        """

        def ask(handed: list[str]) -> Iterable[Any]:
            rows: Iterable[Any] = self._embeddings.embed_documents(handed)
            return rows

        given = readable_texts(texts)
        return self._answers.of(given, ask) if given else []

    def embed_query(self, text: str) -> tuple[float, ...]:
        """The vector of a question; raises as :meth:`embed_documents`."""
        (given,) = readable_texts([text])
        return self._answers.checked(1, lambda: [self._embeddings.embed_query(given)])[0]


def _size(batch_size: int) -> int:
    if type(batch_size) is not int or batch_size < 1:
        raise ValueError(
            f"batch_size is a whole number of at least 1, not {batch_size!a}; nothing can be run with it; leave it out"
        )
    return batch_size
