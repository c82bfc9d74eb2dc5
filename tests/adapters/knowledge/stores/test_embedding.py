"""A store and its embedder: damage and failures cost the passages they concern, and nobody else anything."""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from symfonic.adapters.knowledge.ports import AdapterError, Chunk, Document, EmbeddingError, EmbeddingSpace, StoreError
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

ACME = "tenant\x1facme"
TEXTS = [f"fig number{at}" for at in range(9)]
DAMAGE = {
    "short": "x'00'",
    "empty": "zeroblob(0)",
    "zeros": "zeroblob(64)",
    "infinite": "CAST(x'0000807F' || zeroblob(60) AS BLOB)",
    "long": "CAST(x'0000803F0000803F' || zeroblob(56) AS BLOB)",
    "text": "'text'",
    "number": "7",
}


class Words:
    """The embedder of the other tests, failing where it is told to."""

    def __init__(self, inner: Any, refused: Sequence[str] = ()) -> None:
        self.inner = inner
        self.name = "hashed-words"
        self.refused = set(refused)
        self.calls: list[list[str]] = []
        self.asked_dimensions = 0
        self.error: BaseException | None = None
        self.answer: Any = None

    @property
    def dimensions(self) -> int:
        """Counted, because a server is asked for it."""
        self.asked_dimensions += 1
        if self.error is not None:
            raise self.error
        return 16

    def embed_documents(self, texts: Sequence[str]) -> list[Any]:
        """A vector for each, or the error, or an answer that is none."""
        self.calls.append(list(texts))
        if self.error is not None:
            raise self.error
        if self.answer is None and self.refused & set(texts):
            raise EmbeddingError("one of the texts is refused")
        return [self.answer if text in self.refused else self.inner.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> Any:
        """As for a document."""
        return self.embed_documents([text])[0]


@pytest.fixture
def words(embedder: Any) -> Words:
    """An embedder that can be told to fail."""
    return Words(embedder)


def document(name: str, scope: str = "") -> Document:
    """A document of that name."""
    return Document(scope_path=scope, origin=f"/{name}", file=name, digest="d")


def chunks(*texts: str) -> list[Chunk]:
    """Passages of these texts."""
    return [Chunk(text=text, label="", ordinal=at) for at, text in enumerate(texts)]


def damaged(path: Path, statement: str) -> None:
    """Change the file as another program would."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as sql:
        sql.execute(statement)


@pytest.mark.requirement("ST-VEC-4")
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
@pytest.mark.parametrize("bound", [0, 2**20])
def test_a_damaged_vector_counts_as_none_and_is_replaced(path: Path, embedder: Any, damage: str, bound: int) -> None:
    """Found by words, not copied, named by the check, and as before after embedding."""
    with SqliteStore(path, embedder=embedder, vector_cache_bytes=bound) as store:
        store.put(document("a"), chunks(*TEXTS))
        before = list(store.search("fig", 20, scope_path=ACME))
        damaged(path, f"UPDATE vector SET vector = {damage} WHERE id = 1 << 32")
    embedder.embedded.clear()
    with SqliteStore(path, embedder=embedder, vector_cache_bytes=bound) as store:
        found = {row.content: row.score for row in store.search("fig", 20, scope_path=ACME)}
        expected = {row.content: row.score for row in before}
        assert found.pop(TEXTS[0]) < expected.pop(TEXTS[0])
        assert found == expected
        assert store.known_vectors(TEXTS[:2])[0] is None
        assert [fault for fault in store.check() if "There should be no vectors" in fault]
        store.put(document("b"), chunks(TEXTS[0]))
        assert embedder.embedded == TEXTS[:1]
        assert store.known_vectors(TEXTS[:1])[0] is not None, "a sound one of the same text is found behind it"
        store.remove([document("b")])
        assert store.embed() == 1
        assert store.check() == ()
        assert list(store.search("fig", 20, scope_path=ACME)) == before
        assert store.embed() == 0


PLANTED = [
    (table, column, value)
    for table, columns in {
        "vector": ("hash", "vector"),
        "state": ("revision", "embedding", "dimensions"),
        "scope": ("path", "used", "chunks", "context_tokens", "text_tokens", "changes", "embedded"),
        "document": ("scope", "file", "origin", "digest", "kind", "size", "chunks", "characters"),
        "chunk": ("document", "ordinal", "page", "context_tokens", "text_tokens"),
        "passage": ("label", "heading", "context", "text", "pieces"),
        "passage_index_docsize": ("sz",),
    }.items()
    for column in columns
    for value in ("'text'", "7", "1e300", "x'ff00'", "NULL")
]


@pytest.mark.requirement("ST-CHK-1")
@pytest.mark.requirement("ST-VEC-4")
def test_values_of_other_kinds_anywhere_are_answers_or_errors_of_the_store(path: Path, words: Words) -> None:
    """Each column with each kind the schema lets in; the check raises nothing."""
    with SqliteStore(path, embedder=words) as store:
        store.put(document("a"), chunks(*TEXTS[:3]))
    sound = path.read_bytes()
    asked = []
    for number, (table, column, value) in enumerate(PLANTED):
        planted = path.with_name(f"{number}.sqlite3")
        planted.write_bytes(sound)
        try:
            damaged(planted, f"UPDATE {table} SET {column} = {value} WHERE rowid = (SELECT max(rowid) FROM {table})")
        except sqlite3.IntegrityError:
            continue
        asked.append((table, column))
        with SqliteStore(planted, embedder=words) as store:
            store.check()
            for request in (
                lambda store: store.search("fig number1", 5),
                lambda store: store.known_vectors(TEXTS),
                lambda store: store.stats(),
                lambda store: list(store.chunks()),
                lambda store: store.put(document("b"), chunks("pear")),
                lambda store: store.embed(),
                lambda store: store.embed(anew=True),
                lambda store: store.forget("a", scope_path=""),
            ):
                with contextlib.suppress(AdapterError):
                    request(store)
    assert {("vector", "vector"), ("state", "dimensions"), ("scope", "changes")} <= set(asked)


@pytest.mark.requirement("ST-VEC-5")
def test_a_passage_that_cannot_be_embedded_costs_no_other(path: Path, words: Words) -> None:
    """All others are embedded; what is left is counted, and tried again."""
    with SqliteStore(path) as plain:
        plain.put(document("a"), chunks(*TEXTS))
        plain.put(document("b", ACME), chunks("pear", TEXTS[4]))
    words.refused = {TEXTS[4], TEXTS[7]}
    with SqliteStore(path, embedder=words) as store:
        message = r"3 of 11 could not be embedded, .*; 8 were embedded and stay; .*: one of the texts is refused"
        with pytest.raises(EmbeddingError, match=message):
            store.embed()
        assert store.stats().vectors == 8
        with pytest.raises(EmbeddingError, match=r"3 of 3 could not be embedded, .*; 0 were embedded"):
            store.embed()
        words.refused = set()
        assert store.embed() == 3
        assert store.check() == ()


@pytest.mark.requirement("ST-VEC-5")
@pytest.mark.parametrize("answer", [[0.0] * 16, [float("nan")] * 16, [1.0] * 15, ["x"] * 16, 7])
def test_a_vector_that_cannot_be_stored_is_its_passages_failure(path: Path, words: Words, answer: Any) -> None:
    """Zeros, no numbers, another size: the rest of the same answer is kept, and not asked for again."""
    with SqliteStore(path) as plain:
        plain.put(document("a"), chunks(*TEXTS))
    words.refused, words.answer = {TEXTS[4]}, answer
    with SqliteStore(path, embedder=words) as store:
        with pytest.raises(EmbeddingError, match=r"1 of 9 could not be embedded, .*; 8 were embedded and stay"):
            store.embed()
        assert words.calls == [TEXTS]
        assert store.stats().vectors == 8
        with pytest.raises(EmbeddingError, match="see to the embedder"):
            store.put(document("b"), chunks(TEXTS[4]))
        assert store.get("", "/b") is None


@pytest.mark.requirement("ST-VEC-5")
def test_an_embedder_that_embeds_nothing_ends_it_at_once(path: Path, words: Words) -> None:
    """Two calls: the batch, and a text that everybody embeds."""
    with SqliteStore(path) as plain:
        plain.put(document("a"), chunks(*TEXTS))
    with SqliteStore(path, embedder=words) as store:
        store.put(document("b"), chunks("pear"))
        words.calls.clear()
        words.error = EmbeddingError("the server is down")
        with pytest.raises(EmbeddingError, match=r"^the server is down$"):
            store.embed()
        assert words.calls == [TEXTS, ["a"]]


@pytest.mark.requirement("ST-VEC-6")
def test_opening_asks_an_embedder_for_its_name_alone(path: Path, words: Words) -> None:
    """One that is down keeps nobody from reading, counting and forgetting; what is recorded is not asked for."""
    with SqliteStore(path, embedder=words) as store:
        assert words.asked_dimensions == 0
        store.put(document("a"), chunks(*TEXTS))
        assert words.asked_dimensions == 1
    with SqliteStore(path, embedder=words) as store:
        store.put(document("b"), chunks("pear"))
        assert store.search("pear", 1)
        assert words.asked_dimensions == 1
    words.error = EmbeddingError("the server is down")
    with SqliteStore(path, embedder=words) as store:
        assert len(list(store.chunks())) == 10
        assert store.stats().embedding == EmbeddingSpace(name="hashed-words", dimensions=16)
        assert store.search("pear", 1, vector=[1.0] * 16)
        assert store.check() == ()
        with pytest.raises(EmbeddingError, match="the server is down"):
            store.embed(anew=True)
        assert store.stats().vectors == 10, "nothing is dropped before the embedder was asked"
        assert store.forget_scope("").documents == 2
        with pytest.raises(EmbeddingError, match="the server is down"):
            store.put(document("a"), chunks("pear"))


@pytest.mark.requirement("ST-VEC-6")
@pytest.mark.parametrize(
    "answer",
    [EmbeddingError("the server is down"), RuntimeError("no model"), [[1.0] * 15], [[0.0] * 16], [], None],
    ids=["down", "broken", "short", "zeros", "nothing", "none"],
)
def test_no_vector_is_dropped_for_an_embedder_that_embeds_nothing(
    path: Path, embedder: Any, monkeypatch: pytest.MonkeyPatch, answer: Any
) -> None:
    """Its dimensions are known all the same, as those of many a server and of every model on this machine."""
    with SqliteStore(path, embedder=embedder) as store:
        store.put(document("a"), chunks(*TEXTS))
        before = (store.revision(), store.stats().vectors, store.known_vectors(TEXTS))

    def embed_documents(_: Sequence[str]) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    with monkeypatch.context() as patched:
        patched.setattr(embedder, "name", "another")
        patched.setattr(embedder, "embed_documents", embed_documents)
        with SqliteStore(path, embedder=embedder) as failing, pytest.raises(EmbeddingError):
            failing.embed(anew=True)
    with SqliteStore(path, embedder=embedder) as store:
        assert (store.revision(), store.stats().vectors, store.known_vectors(TEXTS)) == before
        assert store.embed(anew=True) == len(TEXTS)


@pytest.mark.requirement("ST-VEC-7")
def test_what_an_embedder_raises_is_an_embedding_error_without_its_words(path: Path, words: Words) -> None:
    """Kind and cause, wherever it is asked."""
    with SqliteStore(path) as plain:
        plain.put(document("a"), chunks(*TEXTS))
    words.error = RuntimeError("secret key sk-1")
    calls: list[Callable[[SqliteStore], object]] = [
        lambda store: store.search("fig", 1),
        lambda store: store.put(document("b"), chunks("pear")),
        lambda store: store.embed(),
        lambda store: store.embed(anew=True),
    ]
    with SqliteStore(path, embedder=words) as store:
        for call in calls:
            with pytest.raises(EmbeddingError, match="failed with RuntimeError") as caught:
                call(store)
            assert caught.value.__cause__ is words.error
            assert "secret" not in str(caught.value)
        words.error = KeyboardInterrupt()
        with pytest.raises(KeyboardInterrupt):
            store.embed()


@pytest.mark.requirement("ST-VEC-7")
def test_an_answer_that_fails_half_way_is_the_embedders_failure(hybrid: SqliteStore, monkeypatch: Any) -> None:
    """Rows may be made one by one, while they are read."""

    def rows(texts: Sequence[str]) -> Any:
        yield [1.0] * 16
        raise ValueError(texts[0])

    monkeypatch.setattr(hybrid.embedder, "embed_documents", rows)
    with pytest.raises(EmbeddingError, match="failed with ValueError") as caught:
        hybrid.put(document("a"), chunks("secret", "pear"))
    assert "secret" not in str(caught.value)
    assert hybrid.get("", "/a") is None


@pytest.mark.requirement("ST-VEC-10")
@pytest.mark.parametrize("late", [False, True])
def test_an_embedder_may_yield_one_buffer_again_and_again(
    path: Path, embedder: Any, monkeypatch: Any, *, late: bool
) -> None:
    """Every passage keeps its own vector, by ``put`` and by ``embed``."""
    buffer = np.zeros(16)

    def rows(texts: Sequence[str]) -> Any:
        for text in texts:
            buffer[:] = embedder.embed_query(text)
            yield buffer

    monkeypatch.setattr(embedder, "embed_documents", rows)
    with SqliteStore(path, embedder=None if late else embedder) as store:
        store.put(document("a"), chunks(*TEXTS))
    with SqliteStore(path, embedder=embedder) as store:
        assert store.embed() == (len(TEXTS) if late else 0)
        found = [np.array(vector) for vector in store.known_vectors(TEXTS)]
    made = [np.array(embedder.embed_query(text)) for text in TEXTS]
    assert np.allclose(found, [vector / np.linalg.norm(vector) for vector in made], atol=1e-6)


A_DOCUMENT = document("b")
A_CHUNK = chunks("pear")[0]
NO_TEXT: Any = 5

MISUSES: dict[str, Callable[[Any], object]] = {
    "anew": lambda store: store.embed(anew="false"),
    "generator of chunks": lambda store: store.put(A_DOCUMENT, (A_CHUNK for _ in range(1))),
    "one chunk": lambda store: store.put(A_DOCUMENT, A_CHUNK),
    "texts for chunks": lambda store: store.put(A_DOCUMENT, ["pear"]),
    "no chunks": lambda store: store.put(A_DOCUMENT, None),
    "no document": lambda store: store.put("b", [A_CHUNK]),
    "two of three": lambda store: store.put_many([(A_DOCUMENT, [A_CHUNK])]),
    "no items": lambda store: store.put_many(None),
    "a document alone": lambda store: store.put_many([A_DOCUMENT]),
    "chunks that are none": lambda store: store.put_many([(A_DOCUMENT, 5, None)]),
    "a number for vectors": lambda store: store.put(A_DOCUMENT, [A_CHUNK], vectors=5),
    "a number for a vector": lambda store: store.put(A_DOCUMENT, [A_CHUNK], vectors=[5]),
    "a vector that is none": lambda store: store.search("pear", 1, vector="pear"),
    "no texts": lambda store: store.known_vectors(None),
    "one text": lambda store: store.known_vectors("ab"),
    "numbers for texts": lambda store: store.known_vectors([1]),
    "no scope": lambda store: store.known_vectors(["ab"], scope_path=None),
    "a number for progress": lambda store: store.embed(on_progress=5),
    "a number for progress, anew": lambda store: store.embed(anew=True, on_progress=5),
    "nothing to remove": lambda store: store.remove(None),
    "a document to remove": lambda store: store.remove(document("a")),
    "paths to remove": lambda store: store.remove(["/a"]),
    "documents and more to remove": lambda store: store.remove([document("a"), None]),
    "a number to forget": lambda store: store.forget(5, scope_path=""),
    "no scope to forget": lambda store: store.forget_scope(None),
    "a number to get": lambda store: store.get("", 5),
    "a number for a scope to list": lambda store: list(store.documents(scope_path=5)),
    "a number for a scope to read": lambda store: list(store.chunks(scope_path=5)),
    "no question": lambda store: store.search(None, 1),
    "a fraction of rows": lambda store: store.search("pear", 1.0),
    "no scope to search": lambda store: store.search("pear", 1, scope_path=None),
    "no document to put": lambda store: store.put_many([(None, [A_CHUNK], None)]),
    "a document with a number": lambda store: store.put(replace(A_DOCUMENT, origin=NO_TEXT), []),
}


@pytest.mark.requirement("ST-PUT-2")
@pytest.mark.parametrize("with_embedder", [False, True])
def test_what_is_no_argument_is_an_error_of_the_store(path: Path, embedder: Any, *, with_embedder: bool) -> None:
    """And changes nothing; a text for a flag decides nothing by being there."""
    taken = []
    with SqliteStore(path, embedder=embedder if with_embedder else None) as store:
        store.put(document("a"), chunks(*TEXTS))
        before = (store.revision(), store.stats().vectors)
        for name, misuse in MISUSES.items():
            with contextlib.suppress(StoreError):
                misuse(store)
                taken.append(name)
        assert (store.revision(), store.stats().vectors) == before
    assert taken == []


def test_what_has_a_name_only_is_no_embedder(path: Path) -> None:
    """Such as a model of another library."""

    class Named:
        name = "n"
        dimensions = 3

    for value, said in ((Named(), "Named lacks embed_documents or embed_query"), (object(), "object has no name")):
        with pytest.raises(StoreError, match=f"{said}.* nothing was opened"):
            SqliteStore(path, embedder=value)  # type: ignore[arg-type]  # what is refused
    assert not path.exists()
