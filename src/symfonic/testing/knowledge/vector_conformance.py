"""A suite for a store that keeps vectors as well: inherit it, say how a store and a further handle are made.

Rules of this module: plain assertions through ``VectorStore``, standard library only.

Example:
    class TestMyStore(VectorStoreConformance):
        def make_store(self):
            return MyStore(new_folder(), embedder=self.embedder)

        def reopen_with(self, store, embedder):
            return MyStore(store.folder, embedder=embedder)
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.ports import EmbeddingError, EmbeddingSpace, StoreError, embedded_text

from . import _seeds as seeds
from . import _store_rules as rules
from . import _store_seeds as stored
from ._store_checks import ALL, check_equal, check_refused, no_error
from .conformance import watched
from .fakes import HashingEmbedder
from .store_conformance import StoreConformance

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from symfonic.adapters.knowledge.ports import Chunk, Document

__all__ = ["VectorStoreConformance"]

_ALIKE: Final = 0.999
"""Cosine of a vector with itself after it was stored, in whatever precision."""


class _Witness:
    """An embedder that keeps what it was asked, and fails where it is told to."""

    def __init__(self, embedder: Any) -> None:
        self._embedder = embedder
        self.embedded: list[str] = []
        self.fails = False

    @property
    def name(self) -> str:
        return str(self._embedder.name)

    @property
    def dimensions(self) -> int:
        return int(self._embedder.dimensions)

    def embed_documents(self, texts: Sequence[str]) -> Iterable[Iterable[float]]:
        """Vectors of the embedder behind."""
        self._note(texts)
        answer: Iterable[Iterable[float]] = self._embedder.embed_documents(texts)
        return answer

    def embed_query(self, text: str) -> Iterable[float]:
        """The vector of the embedder behind."""
        self._note([text])
        answer: Iterable[float] = self._embedder.embed_query(text)
        return answer

    def _note(self, texts: Sequence[str]) -> None:
        if self.fails:
            raise EmbeddingError("the embedder fails, as this check wants; nothing was embedded; nothing is to be done")
        self.embedded += texts


class VectorStoreConformance(StoreConformance):
    """What a ``VectorStore`` must do. Override ``make_store``, with ``embedder=self.embedder``, and ``reopen_with``.

    Attributes:
        embedder: Of the stores that ``make_store`` makes; one that needs no model by default. Texts that share words
            have to be alike for it.
    """

    embedder: Any = HashingEmbedder()

    def reopen_with(self, store: Any, embedder: Any) -> Any:
        """Open what ``store`` keeps once more, with that embedder; with ``None`` words alone are searched."""
        raise NotImplementedError(
            f"say how {type(store).__name__} is opened with another embedder: override reopen_with(self, store, "
            "embedder)"
        )

    def reopen(self, store: Any) -> Any:
        """Open what ``store`` keeps once more."""
        return self.reopen_with(store, self.embedder)

    @contextmanager
    def _with(self, store: Any, embedder: Any) -> Iterator[Any]:
        other = self.reopen_with(store, embedder)
        try:
            yield other
        finally:
            self.drop_store(other)

    @contextmanager
    def _witnessed(self, *puts: tuple[Document, Sequence[Chunk]]) -> Iterator[tuple[Any, _Witness]]:
        """A store with these documents, and what embeds for it."""
        witness = _Witness(self.embedder)
        with self._opened() as first, self._with(first, witness) as store:
            for put in puts:
                store.put(*put)
            yield store, witness

    @watched
    def test_a_store_tells_its_embedder(self) -> None:
        """And has what ``VectorStore`` has."""
        assert self.embedder is not None, rules.VECTORS.broken("embedder of this test is None")
        with self._witnessed() as (store, witness):
            missing = [name for name in ("search", "put", "known_vectors", "embed") if not hasattr(store, name)]
            assert not missing, rules.VECTORS.broken(f"no {', '.join(missing)}")
            assert store.embedder is witness, rules.VECTORS.broken(f"embedder is {type(store.embedder).__name__}")

    @watched
    def test_vectors_that_are_given_are_used(self) -> None:
        """For the passages they were given for, whatever these say; nothing is embedded."""
        meant = {"alpha": "shop opens", "beta": "cellar closes", "gamma": "visitors park"}
        chunks = stored.passages("a.md", *meant)
        with self._witnessed() as (store, witness):
            vectors = [self._vector(text) for text in meant.values()]
            with no_error(rules.GIVEN, "put or search with vectors"):
                store.put(stored.document("a.md"), chunks, vectors=(iter(vector) for vector in vectors))
                check_equal(rules.GIVEN, [], witness.embedded, "embedded by put")
                for chunk, text in zip(chunks, meant.values(), strict=True):
                    rows = list(store.search("nothing", 3, vector=iter(self._vector(text))))
                    self._check_rows(rows)
                    check_equal(rules.GIVEN, [chunk.label], [row.source for row in rows[:1]], f"nearest to {text!r}")
            check_equal(rules.GIVEN, [], witness.embedded, "embedded by search")
            check_equal(rules.GIVEN, [3], [store.stats().vectors], "vectors in stats()")

    @watched
    def test_vectors_are_made_of_the_embedded_text(self) -> None:
        """Headings and text of every passage; stats tells how many there are and whose."""
        puts = [(stored.document("rota.md", path), stored.RICH) for path in stored.TENANTS]
        with self._witnessed() as (store, witness):
            check_equal(rules.MADE, [0], [store.stats().vectors], "vectors of an empty store")
            store.put(*puts[0])
            wanted = sorted(embedded_text(chunk) for chunk in stored.RICH)
            check_equal(rules.MADE, wanted, sorted(set(witness.embedded)), "embedded")
            for put in puts[1:]:
                store.put(*put)
            stats = store.stats()
            space = EmbeddingSpace(name=self.embedder.name, dimensions=self.embedder.dimensions)
            count = len(puts) * len(stored.RICH)
            check_equal(rules.MADE, [(count, space)], [(stats.vectors, stats.embedding)], "stats()")
            store.remove([puts[0][0]])
            check_equal(rules.MADE, [count - len(stored.RICH)], [store.stats().vectors], "vectors after remove")

    @watched
    def test_scores_stay_similarities_whatever_the_angle(self) -> None:
        """Of a vector that points the other way, one that is very long and one that is very short."""
        vector = self._vector("shop opens nine")
        angles = [[-one for one in vector], [one * 1e6 for one in vector], [one * 1e-6 for one in vector], vector]
        with self._witnessed() as (store, _):
            store.put(stored.document("a.md"), stored.passages("a.md", *"wxyz"), vectors=angles)
            rows = self._rows(store, "shop opens nine")
            scores = {row.content: row.score for row in rows}
            out = {text: score for text, score in scores.items() if not 0 <= score <= 1}
            assert not out, rules.RANKED.broken(f"outside [0, 1]: {out}")
            near = [scores.get(text, -1.0) for text in "xyz"]
            assert max(near) - min(near) < 1e-4, rules.RANKED.broken(f"scores {near} of vectors that differ in length")
            assert scores.get("w", 0.0) < min(near), rules.RANKED.broken(f"the opposite scores {scores.get('w')}")

    @watched
    def test_known_vectors_are_those_of_exactly_one_scope(self) -> None:
        """In the order of the texts, ``None`` where there is none; what was removed is known no more."""
        puts = [
            (stored.document("rota.md", path), stored.passages("rota.md", f"at {at}"))
            for at, path in enumerate(stored.TENANTS)
        ]
        texts = ["at 3", "at 1", "other", "at 0", "At 1", "at 1 ", "at 2", "at 1"]
        with self._witnessed(*puts) as (store, witness):
            witness.embedded.clear()
            with no_error(rules.KNOWN, "known_vectors"):
                for at, path in enumerate(stored.TENANTS):
                    known = store.known_vectors(texts, scope_path=path)
                    seen = [None if vector is None else self._alike(vector, f"at {at}") for vector in known]
                    check_equal(
                        rules.KNOWN, [True if text == f"at {at}" else None for text in texts], seen, f"at {path!a}"
                    )
                store.remove([puts[1][0]])
                check_equal(rules.KNOWN, [None], list(store.known_vectors(["at 1"], scope_path=seeds.ACME)), "removed")
            check_equal(rules.KNOWN, [], witness.embedded, "embedded")

    @watched
    def test_nothing_is_embedded_twice_for_one_scope(self) -> None:
        """Nor is another scope's vector taken, which anybody may have given."""
        chunks = stored.passages("a.md", "shop opens", "cellar closes")
        with self._witnessed((stored.document("a.md", seeds.ACME), chunks)) as (store, witness):
            witness.embedded.clear()
            store.put(stored.document("a.md", seeds.ACME, digest="2"), chunks)
            store.put(stored.document("b.md", seeds.ACME), stored.passages("b.md", "cellar closes", "new"))
            check_equal(rules.REUSED, ["new"], witness.embedded, "embedded for texts that are stored here")
            for path in ("", seeds.USER, seeds.LABS):
                witness.embedded.clear()
                store.put(stored.document("c.md", path), stored.passages("c.md", "new"))
                check_equal(rules.REUSED, ["new"], witness.embedded, f"embedded for {path!a}")

    @watched
    def test_what_is_no_vector_is_refused(self) -> None:
        """Too few, too many, too short, too long, not finite, all zeros, no numbers: nothing changes."""
        old = stored.version(0)
        new = (replace(old[0], digest="new"), stored.passages("rota.md", "attic one", "attic two"))
        good = self._vector("attic")
        bad: dict[str, list[Any]] = {
            "too short": good[:-1],
            "too long": [*good, 1.0],
            "of NaN": [math.nan, *good[1:]],
            "of infinity": [*good[:-1], math.inf],
            "of zeros": [0.0] * len(good),
            "of nothing": [],
            "of texts": ["x"] * len(good),
        }
        with self._witnessed(old) as (store, _):
            for name, vector in bad.items():
                refused = partial(store.put, *new, vectors=[good, vector])
                check_refused(rules.NO_VECTOR, f"put with a vector {name}", refused)
                self._check_kept(store, rules.NO_VECTOR, [old], f"after a vector {name}")
                refused = partial(self._search_by, store, vector)
                check_refused(rules.NO_VECTOR, f"search with a vector {name}", refused)
            for count in (0, 1, 3):
                refused = partial(store.put, *new, vectors=[good] * count)
                check_refused(rules.NO_VECTOR, f"put of 2 passages with {count} vectors", refused)
            self._check_kept(store, rules.NO_VECTOR, [old], "after the wrong number of vectors")
            check_equal(rules.NO_VECTOR, [3], [store.stats().vectors], "vectors in stats()")

    @watched
    def test_vectors_that_break_off_change_nothing(self) -> None:
        """They cannot be read to the end: the old document stays, with its vectors."""
        old = stored.version(0)
        new = (replace(old[0], digest="new"), stored.passages("rota.md", *(f"attic {at}" for at in range(stored.MANY))))
        with self._witnessed(old) as (store, _):
            check_refused(rules.WHOLE, "put", lambda: store.put(*new, vectors=self._breaking_vectors()), Exception)
            self._check_kept(store, rules.WHOLE, [old], "after vectors that broke off")
            check_equal(rules.WHOLE, [3], [store.stats().vectors], "vectors in stats()")
            store.put(*stored.version(1))
            self._check_kept(store, rules.WHOLE, [stored.version(1)], "when it was put again")

    @staticmethod
    def _search_by(store: Any, vector: Iterable[Any]) -> list[Any]:
        return list(store.search("shop", 3, vector=vector))

    def _breaking_vectors(self) -> Iterator[list[float]]:
        for _ in range(stored.MANY - 1):
            yield self._vector("attic")
        raise InterruptedError("the vectors break off here, as this check wants")

    @watched
    def test_an_embedder_that_fails_changes_nothing(self) -> None:
        """EmbeddingError from put and search; afterwards everything is as before."""
        old = stored.version(0)
        with self._witnessed(old) as (store, witness):
            before = self._shown(self._rows(store, "shop"))
            witness.fails = True
            new = (replace(old[0], digest="new"), stored.passages("rota.md", "attic"))
            check_refused(rules.FAILS, "put", lambda: store.put(*new), EmbeddingError)
            check_refused(rules.FAILS, "search", lambda: list(store.search("attic", 3)), EmbeddingError)
            self._check_kept(store, rules.FAILS, [old], "after the embedder failed")
            witness.fails = False
            check_equal(rules.FAILS, before, self._shown(self._rows(store, "shop")), "search")

    @watched
    def test_another_embedder_is_refused(self) -> None:
        """By name, or by dimensions; embed(anew=True) makes the store the other's."""
        others = (
            HashingEmbedder(f"{self.embedder.name}-2", self.embedder.dimensions),
            HashingEmbedder(self.embedder.name, self.embedder.dimensions + 1),
        )
        for other in others:
            with self._opened(stored.version(0)) as first:
                # An embedder whose own dimensions changed contradicts itself, which either error says.
                kinds = (StoreError,) if other.name != self.embedder.name else (StoreError, EmbeddingError)
                doing = f"{other.name!a} of {other.dimensions} dimensions"
                check_refused(rules.OTHER, f"put with {doing}", partial(self._put_with, first, other), kinds)
                check_refused(rules.OTHER, f"search with {doing}", partial(self._search_with, first, other), kinds)
                self._check_kept(first, rules.OTHER, [stored.version(0)], "after it was refused")

    def _put_with(self, store: Any, embedder: Any) -> None:
        with self._with(store, embedder) as other:
            other.put(*stored.version(1, "other.md"))

    def _search_with(self, store: Any, embedder: Any) -> list[Any]:
        with self._with(store, embedder) as other:
            return list(other.search("shop", 3))

    @watched
    def test_embed_anew_takes_another_embedder(self) -> None:
        """All vectors are dropped and made again; passages are as they were."""
        other = HashingEmbedder(f"{self.embedder.name}-2", self.embedder.dimensions + 1)
        with self._opened(stored.version(0), stored.version(1, "other.md", seeds.ACME)) as first:
            told: list[tuple[int, int]] = []
            with self._with(first, other) as store, no_error(rules.EMBEDS, "embed(anew=True)"):
                count = store.embed(anew=True, on_progress=lambda done, todo: told.append((done, todo)))
                stats = store.stats()
                space = EmbeddingSpace(name=other.name, dimensions=other.dimensions)
                check_equal(
                    rules.EMBEDS, [(7, 7, space)], [(count, stats.vectors, stats.embedding)], "embedded and stats"
                )
                check_equal(rules.EMBEDS, [(7, 7)], told[-1:], "progress at the end")
                self._check_kept(store, rules.EMBEDS, [stored.version(0), stored.version(1, "other.md", seeds.ACME)])
                found = self._rows(store, "shop version1", ALL, seeds.ACME)
                check_equal(rules.EMBEDS, [7], [len(found)], "rows found")

    @watched
    def test_embed_gives_vectors_to_those_without(self) -> None:
        """To passages that were put while words alone were searched; the second time there is nothing to do."""
        with self._opened() as first:
            with self._with(first, None) as words:
                assert words.embedder is None, rules.VECTORS.broken(f"embedder {words.embedder!a} instead of None")
                words.put(*stored.version(0))
                words.put(*stored.version(1, "other.md", seeds.ACME))
                check_refused(
                    rules.NO_VECTOR,
                    "put with vectors and without an embedder",
                    lambda: words.put(*stored.version(2), vectors=[self._vector("x")] * 3),
                )
            witness = _Witness(self.embedder)
            with self._with(first, witness) as store, no_error(rules.EMBEDS, "embed()"):
                counts = [store.embed(), store.embed()]
                check_equal(rules.EMBEDS, [7, 0], counts, "embedded, the first time and the second")
                check_equal(rules.EMBEDS, [7], [store.stats().vectors], "vectors in stats()")
                check_equal(rules.EMBEDS, [True], [set(witness.embedded) >= {"shop version1 passage 3"}], "embedded")

    # --------------------------------------------------------------------------------------------------- plumbing

    def _vector(self, text: str) -> list[float]:
        return [float(number) for number in self.embedder.embed_query(text)]

    def _alike(self, vector: Iterable[float], text: str) -> bool:
        one, other = list(vector), self._vector(text)
        lengths = math.sqrt(sum(number * number for number in one) * sum(number * number for number in other))
        return len(one) == len(other) and sum(map(float.__mul__, map(float, one), other)) > _ALIKE * lengths
