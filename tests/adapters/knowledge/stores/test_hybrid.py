"""Words and vectors together: exactly the best of everything visible, whatever was kept in memory, and by whom."""

from __future__ import annotations

import contextlib
import random
import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document, EmbeddingError, EmbeddingSpace, StoreError, embedded_text
from symfonic.adapters.knowledge.stores import _kept, _vectors
from symfonic.adapters.knowledge.stores._encoding import cosines, decoded, encode
from symfonic.adapters.knowledge.stores._fusion import fused
from symfonic.adapters.knowledge.stores._ranking import MAX_TIES, visible_from
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from symfonic.adapters.knowledge.ports import Embedder
    from symfonic.capabilities.knowledge import RetrievedFragment

ACME = "tenant\x1facme"
BETA = "tenant\x1fbeta"
SPACE = EmbeddingSpace(name="hashed-words", dimensions=16)
WORDS = [f"w{number}" for number in range(40)]
QUESTIONS = ("w1 w2 w3", "same", "w7", "zorkmid w4 w4 w9", "手机 w1", "w0 w5 w10 w15 w20 w25 w30 w35", "zorkmid")

Passage = tuple[Document, list[Chunk]]


def passages(count: int, *, seed: int = 1, scopes: Sequence[str] = ("", ACME, BETA)) -> list[Passage]:
    """Documents of one to three passages of few words, some of them equal."""
    source = random.Random(seed)
    made = []
    for number in range(count):
        texts = [" ".join(source.choices(WORDS, k=source.randint(1, 20))) for _ in range(source.randint(1, 3))]
        if number % 9 == 0:
            texts = ["w1 w2 same"]
        if number % 11 == 0:
            texts = [f"手机 {text}" for text in texts]
        document = Document(
            scope_path=scopes[number % len(scopes)], origin=f"/{number}", file=f"{number}.md", digest="d"
        )
        made.append(
            (
                document,
                [Chunk(text=text, label=f"l{number % 5}", ordinal=at) for at, text in enumerate(texts)],
            )
        )
    return made


def fill(store: SqliteStore, documents: Iterable[Passage]) -> None:
    """Store them one by one."""
    for document, chunks in documents:
        store.put(document, chunks)


def place(row: RetrievedFragment) -> tuple[Any, ...]:
    """Which passage a row is."""
    return (row.metadata["scope_path"], row.metadata["file"], row.metadata["ordinal"])


def brute_force(
    documents: Iterable[Passage], lexical: SqliteStore, embedder: Embedder, question: str, scope: str
) -> dict[tuple[Any, ...], float]:
    """The score of every visible passage, each computed alone."""
    words = {place(row): row.score for row in lexical.search(question, 10**6, scope_path=scope)}
    asked = decoded(encode([embedder.embed_query(question)], SPACE, 1)[0], SPACE)[0]
    scores = {}
    for document, chunks in documents:
        for chunk in chunks if document.scope_path in ("", scope) else ():
            [vector] = encode(embedder.embed_documents([embedded_text(chunk)]), SPACE, 1)
            where = (document.scope_path, document.file, chunk.ordinal)
            scores[where] = fused(words.get(where, 0.0), float(cosines(decoded(vector, SPACE), asked)[0]))
    return {where: score for where, score in scores.items() if score > 0}


@pytest.mark.requirement("ST-HYB-1")
@pytest.mark.requirement("ST-HYB-2")
@pytest.mark.parametrize("most_counted", [0, 1_000_000])
def test_the_best_of_everything_visible_is_returned_to_the_bit(
    hybrid: SqliteStore, embedder: Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_counted: int
) -> None:
    """Against a score for each passage alone: rows, scores and ties, however the words are counted."""
    monkeypatch.setattr(_vectors, "_MOST_COUNTED", most_counted)
    monkeypatch.setattr(_vectors, "_WORD_COST", 0.0)
    documents = passages(120)
    fill(hybrid, documents)
    with SqliteStore(tmp_path / "words") as lexical:
        fill(lexical, documents)
        for question in QUESTIONS:
            for scope in ("", ACME):
                model = brute_force(documents, lexical, embedder, question, scope)
                everything = list(hybrid.search(question, 10**6, scope_path=scope))
                assert {place(row): row.score for row in everything} == model
                for limit in (1, 3, 10, 50):
                    last = everything[min(limit, len(everything)) - 1].score
                    assert list(hybrid.search(question, limit, scope_path=scope)) == [
                        row for row in everything if row.score >= last
                    ]


@pytest.mark.requirement("ST-HYB-2")
def test_insertion_order_changes_nothing(embedder: Embedder, tmp_path: Path) -> None:
    """Twenty orders, with passages that tie within the answer and beyond it."""
    documents = passages(40)
    seen = []
    for order in range(20):
        random.Random(order).shuffle(documents)
        with SqliteStore(tmp_path / str(order), embedder=embedder) as store:
            if order % 2:
                fill(store, documents)
            else:
                store.put_many((document, chunks, None) for document, chunks in documents)
            seen.append([list(store.search(question, 4, scope_path=ACME)) for question in QUESTIONS])
    assert all(answers == seen[0] for answers in seen)


@pytest.mark.requirement("ST-HYB-2")
@pytest.mark.parametrize("backwards", [False, True])
def test_no_more_than_a_fixed_number_of_ties_is_returned(hybrid: SqliteStore, *, backwards: bool) -> None:
    """The first by source, content and place, as without vectors."""
    names = [f"{number:03}" for number in range(400)]
    hybrid.put_many(
        (
            Document(scope_path="", origin=f"/{name}", file=name, digest="d"),
            [Chunk(text="apple pie", label=f"{int(name) % 3}", ordinal=0)],
            None,
        )
        for name in (reversed(names) if backwards else names)
    )
    rows = hybrid.search("apple", 3)
    assert len({row.score for row in rows}) == 1
    assert [row.metadata["file"] for row in rows] == [*names[0::3], *names[1::3]][: 3 + MAX_TIES]


@pytest.mark.requirement("ST-HYB-3")
def test_what_cannot_be_seen_changes_no_row_and_no_bit_of_a_score(hybrid: SqliteStore) -> None:
    """Neighbours come and go; every passage of one's own is found, and none of theirs."""
    ours = passages(40, scopes=("", ACME))
    fill(hybrid, ours)
    before = [list(hybrid.search(question, 5, scope_path=ACME)) for question in QUESTIONS]
    fill(hybrid, passages(80, seed=2, scopes=(BETA, f"{ACME}\x1fuser\x1f7")))
    assert [list(hybrid.search(question, 5, scope_path=ACME)) for question in QUESTIONS] == before
    for document, chunks in ours:
        for chunk in chunks:
            rows = hybrid.search(chunk.text, 1, scope_path=ACME)
            assert {row.content for row in rows if row.score == rows[0].score} == {chunk.text}
            assert {row.metadata["scope_path"] for row in rows} <= {"", ACME}
            assert document.scope_path in ("", ACME)
    hybrid.forget_scope(BETA)
    assert [list(hybrid.search(question, 5, scope_path=ACME)) for question in QUESTIONS] == before


def test_meaning_finds_what_shares_no_word(hybrid: SqliteStore, embedder: Embedder) -> None:
    """The question's vector may come from the caller, and decides alone where no word is known."""
    fill(hybrid, passages(10))
    [row] = hybrid.search("zorkmid", 1, vector=embedder.embed_query("w1 w2 same"))
    assert (row.content, row.score) == ("w1 w2 same", 0.4)
    assert hybrid.search("", 3, vector=embedder.embed_query("w1"))


@pytest.mark.requirement("ST-QUERY-1")
@pytest.mark.parametrize("question", ["", " \n", "\ud800 w1", "\0", "C++ AND (", "the", "w1 " * 40_000])
def test_no_question_is_an_error(hybrid: SqliteStore, question: str) -> None:
    """Nothing asked finds nothing; the embedder gets text that can be written."""
    fill(hybrid, passages(5))
    rows = hybrid.search(question, 3)
    assert all(0 < row.score <= 1 for row in rows)
    assert bool(rows) == bool(question.strip())
    assert hybrid.search(question, 0) == []


def test_passages_without_a_vector_are_found_by_their_words(path: Path, embedder: Embedder) -> None:
    """A store that is embedded half way searches with what it has."""
    with SqliteStore(path) as store:
        store.put(Document(scope_path="", origin="/a", file="a", digest="d"), [Chunk(text="fig", label="", ordinal=0)])
        [lexical] = store.search("fig", 5)
    with SqliteStore(path, embedder=embedder) as store:
        assert [row.score for row in store.search("fig", 5)] == [0.6 * lexical.score]
        store.put(Document(scope_path="", origin="/b", file="b", digest="d"), [Chunk(text="fig", label="", ordinal=0)])
        assert [row.metadata["file"] for row in store.search("fig", 5)] == ["b", "a"]
        assert store.stats().vectors == 1


@pytest.mark.requirement("ST-HYB-4")
def test_a_change_by_another_process_shows_in_the_next_answer(hybrid: SqliteStore, path: Path) -> None:
    """Added, replaced, removed and embedded anew, while this process keeps vectors in memory."""
    fill(hybrid, passages(12))
    expected = list(hybrid.search("w1 w2", 5))
    script = f"""if True:
        import runpy, sys
        from symfonic.adapters.knowledge.ports import Chunk, Document
        from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
        HashedWords = runpy.run_path(sys.argv[1])["HashedWords"]
        document = Document(scope_path="", origin="/new", file="new", digest="d")
        with SqliteStore({str(path)!r}, embedder=HashedWords()) as store:
            for line in sys.stdin:
                if line == "put\\n":
                    store.put(document, [Chunk(text="w1 w2", label="", ordinal=0)])
                elif line == "replace\\n":
                    store.put(document, [Chunk(text="w1 w2 w3 w3", label="", ordinal=0)])
                elif line == "remove\\n":
                    store.remove([document])
                else:
                    store.embed(anew=True)
                print("done", flush=True)
    """
    conftest = str(__import__("pathlib").Path(__file__).with_name("conftest.py"))
    with subprocess.Popen(
        [sys.executable, "-c", script, conftest], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdin
        assert other.stdout

        def ask(change: str) -> list[str]:
            assert other.stdin
            assert other.stdout
            other.stdin.write(f"{change}\n")
            other.stdin.flush()
            assert other.stdout.readline() == "done\n"
            return [row.content for row in hybrid.search("w1 w2", 5) if row.metadata["file"] == "new"]

        assert ask("put") == ["w1 w2"]
        assert ask("replace") == ["w1 w2 w3 w3"]
        assert ask("remove") == []
        assert list(hybrid.search("w1 w2", 5)) == expected
        assert ask("anew") == []
        assert list(hybrid.search("w1 w2", 5)) == expected
        other.stdin.close()


def restore(path: Path, backup: Path) -> None:
    """As SQLite's own tools do it, into the file that others have open."""
    with contextlib.closing(sqlite3.connect(backup)) as source, contextlib.closing(sqlite3.connect(path)) as target:
        source.backup(target)


@pytest.mark.requirement("ST-HYB-5")
@pytest.mark.parametrize("times", [1, 2])
def test_a_backup_restored_into_an_open_store_shows_in_the_next_answer(
    hybrid: SqliteStore, path: Path, embedder: Embedder, times: int
) -> None:
    """Though every counter comes to the number it had: as many passages are stored behind it as there were before."""
    backup = path.with_name("backup.db")
    ours = passages(12, scopes=("", ACME))
    fill(hybrid, ours[:6])
    restore(backup, path)
    fill(hybrid, ours[6:])
    hybrid.search("w1 w2", 3, scope_path=ACME)
    revision = hybrid.revision()
    others = [
        (document, [replace(chunk, text=f"{chunk.text[::-1]} w2") for chunk in chunks]) for document, chunks in ours
    ]
    with SqliteStore(path, embedder=embedder) as other:
        for _ in range(times):
            restore(path, backup)
            fill(other, others[6:])
        assert hybrid.revision() == revision
        for question in (*QUESTIONS, others[7][1][0].text):
            with SqliteStore(path, embedder=embedder) as fresh:
                expected = list(fresh.search(question, 5, scope_path=ACME))
            assert list(hybrid.search(question, 5, scope_path=ACME)) == expected
        assert hybrid.check() == ()


@pytest.mark.requirement("ST-HYB-4")
def test_eight_readers_answer_alike_while_a_writer_works(hybrid: SqliteStore) -> None:
    """Every answer is that of some moment: the passages of a document are there together or not at all."""
    fill(hybrid, passages(30))
    expected = [list(hybrid.search(question, 5, scope_path=ACME)) for question in QUESTIONS]
    stop = threading.Event()
    wrong: list[object] = []

    def read() -> None:
        while not stop.is_set():
            answers = [list(hybrid.search(question, 5, scope_path=ACME)) for question in QUESTIONS]
            pair = [row.content for row in hybrid.search("left right", 9, scope_path=BETA) if "side" in row.content]
            if answers != expected or len(pair) not in (0, 2):
                wrong.append(answers)

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    document = Document(scope_path=BETA, origin="/pair", file="pair", digest="d")
    for _ in range(15):
        hybrid.put(
            document,
            [Chunk(text=f"{word} side", label=word, ordinal=at) for at, word in enumerate(("left", "right"))],
        )
        hybrid.remove([document])
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.requirement("ST-HYB-4")
@pytest.mark.parametrize("bound", [0, 1_000, 8_000, 40_000])
def test_the_bound_on_memory_changes_no_answer(hybrid: SqliteStore, path: Path, embedder: Embedder, bound: int) -> None:
    """What does not fit is read for each question, and what is kept stays below the bound."""
    fill(hybrid, passages(60))
    with SqliteStore(path, embedder=embedder, vector_cache_bytes=bound) as bounded:
        for question in QUESTIONS:
            for scope in ("", ACME, BETA):
                assert list(bounded.search(question, 4, scope_path=scope)) == list(
                    hybrid.search(question, 4, scope_path=scope)
                )
                assert bounded._embedding is not None
                assert bounded._embedding._index is not None
                assert sum(kept.nbytes for kept in bounded._embedding._index.cache._kept.values()) <= bound


def test_a_document_of_one_scope_reloads_no_other_and_adds_only_its_rows(
    hybrid: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept is kept by scope, and grows."""
    fill(hybrid, passages(30))
    hybrid.search("w1", 5, scope_path=ACME)
    read: list[tuple[int, int]] = []
    reading = _kept.read_rows

    def watched(sql: Any, state: Any, used: int, space: Any) -> Any:
        read.append((state.scope, used))
        return reading(sql, state, used, space)

    monkeypatch.setattr(_kept, "read_rows", watched)
    hybrid.search("w1", 5, scope_path=ACME)
    assert read == []
    hybrid.put(Document(scope_path=ACME, origin="/x", file="x", digest="d"), [Chunk(text="w1", label="", ordinal=0)])
    hybrid.search("w1", 5, scope_path=ACME)
    assert len(read) == 1
    assert read[0][1] > 0
    hybrid.remove([Document(scope_path=ACME, origin="/x", file="x", digest="")])
    hybrid.search("w1", 5, scope_path=ACME)
    assert len(read) == 1
    hybrid.put(Document(scope_path=BETA, origin="/x", file="x", digest="d"), [Chunk(text="w1", label="", ordinal=0)])
    hybrid.search("w1", 5, scope_path=ACME)
    assert len(read) == 1


def test_a_reader_of_an_older_moment_sees_that_moment(hybrid: SqliteStore) -> None:
    """Its transaction decides, though others have seen more since."""
    fill(hybrid, passages(20, scopes=("",)))
    assert hybrid._embedding is not None
    hybrid.search("w1", 3)
    index = hybrid._embedding._index
    assert index is not None
    with hybrid._connections.reading() as sql:
        before = [visible_from(sql, [""])]
        rows = index.cache.rows(sql, before[0].states[0], 10_000)
        for change in ("more", "fewer"):
            fill(
                hybrid,
                [
                    (
                        Document(scope_path="", origin="/n", file="n", digest=change),
                        [Chunk(text="w1", label="", ordinal=0)],
                    )
                ],
            )
            hybrid.search("w1", 3)
            again = index.cache.rows(sql, before[0].states[0], 10_000)
            assert np.array_equal(again.ids, rows.ids)
            assert (again.vectors is None) == (change == "fewer"), "a reader that comes late fills no memory"


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ([[1.0] * 16] * 2, r"every passage has one vector; 2 came for 1"),
        ([], r"every passage has one vector; 0 came for 1"),
        ([[1.0] * 15], r"one of shape \(15,\) came where 16 were announced"),
        (np.ones((1, 15)), r"one of shape \(15,\) came where 16 were announced"),
        ([[[1.0] * 16]], r"one of shape \(1, 16\) came where 16"),
        ([[0.0] * 16], "a vector points somewhere; one is all zeros"),
        ([[float("nan")] * 16], "a vector is finite numbers"),
        ([[float("inf")] * 16], "a vector is finite numbers"),
        ([["x"] * 16], "a vector is a row of numbers"),
        ([None], "a vector is a row of numbers"),
    ],
)
@pytest.mark.requirement("ST-VEC-1")
def test_vectors_that_are_none_are_refused_and_nothing_is_stored(
    hybrid: SqliteStore, vectors: Any, message: str
) -> None:
    """Wrong number, wrong size, no direction."""
    document = Document(scope_path="", origin="/a", file="a", digest="d")
    with pytest.raises(StoreError, match=message):
        hybrid.put(document, [Chunk(text="fig", label="", ordinal=0)], vectors=vectors)
    assert hybrid.get("", "/a") is None


@pytest.mark.requirement("ST-VEC-1")
def test_vectors_of_another_embedder_are_neither_searched_nor_added(
    hybrid: SqliteStore, path: Path, make_embedder: Callable[..., Any]
) -> None:
    """The store opens, says both names, and is mended by embedding anew."""
    fill(hybrid, passages(5))
    expected = list(hybrid.search("w1 w2", 5))
    document, chunks = passages(1)[0]
    with SqliteStore(path, embedder=make_embedder(name="other")) as store:
        message = r"'hashed-words' with 16 dimensions, .*'other'; .*embed --anew --embedder NAME`"
        with pytest.raises(StoreError, match=message):
            store.search("w1", 5)
        with pytest.raises(StoreError, match=message):
            store.put(document, chunks)
        with pytest.raises(StoreError, match=message):
            store.put(document, [])
        with pytest.raises(StoreError, match=message):
            store.put(document, chunks, vectors=[[1.0] * 16] * len(chunks))
        with pytest.raises(StoreError, match=message):
            store.known_vectors(["w1"])
        with pytest.raises(StoreError, match=message):
            store.embed()
    with SqliteStore(path, embedder=make_embedder(dimensions=17)) as store:
        message = r"one of shape \(17,\) came where 16 were announced, or are stored of 'hashed-words' already, .*anew"
        with pytest.raises(EmbeddingError, match=message):
            store.search("w1", 5)
        with pytest.raises(EmbeddingError, match=message):
            store.put(document, [Chunk(text="new", label="", ordinal=0)])
        with pytest.raises(StoreError, match=message):
            store.put(document, chunks, vectors=[[1.0] * 17] * len(chunks))
    assert list(hybrid.search("w1 w2", 5)) == expected
    with SqliteStore(path, embedder=make_embedder(name="other")) as store:
        assert store.embed(anew=True) == store.stats().chunks
        assert store.stats().embedding == EmbeddingSpace(name="other", dimensions=16)
        assert list(store.search("w1 w2", 5)) == expected
        assert store.check() == ()


@pytest.mark.requirement("ST-VEC-12")
def test_embedding_anew_is_not_undone_by_a_process_that_has_the_former_embedder(
    path: Path, make_embedder: Callable[..., Any]
) -> None:
    """It is refused from the moment the vectors are dropped, also where none of the new ones is stored."""
    refused: list[str] = []

    class Another(type(make_embedder())):  # type: ignore[misc]  # a class of the tests
        def embed_documents(self, texts: Any) -> Any:
            if len(texts) > 1:
                for request in (former.embed, lambda: former.put(*passages(1)[0]), lambda: former.search("w1", 3)):
                    try:
                        request()
                    except StoreError as error:
                        refused.append(str(error)[:90])
                raise KeyboardInterrupt
            return super().embed_documents(texts)

    with SqliteStore(path, embedder=make_embedder()) as former, SqliteStore(path, embedder=Another(8, "new")) as store:
        fill(former, passages(5))
        with pytest.raises(KeyboardInterrupt):
            store.embed(anew=True)
        message = "vectors are compared within one model; this store awaits vectors of 'new' with 8 "
        assert [reason[: len(message)] for reason in refused] == [message] * 3
        assert store.stats().vectors == 0
        with SqliteStore(path, embedder=make_embedder(8, "new")) as again:
            assert again.embed() == again.stats().chunks
        assert former.embed(anew=True) == former.stats().chunks
        assert former.search("w1", 3)


@pytest.mark.requirement("ST-VEC-1")
def test_a_question_whose_vector_has_another_length_is_not_told_to_drop_the_stored_ones(hybrid: SqliteStore) -> None:
    """What is stored is right."""
    fill(hybrid, passages(3))
    with pytest.raises(StoreError, match=r"one of shape \(3,\) came where 16 .*; pass a vector that this embedder"):
        hybrid.search("w1", 3, vector=[1.0, 2.0, 3.0])


@pytest.mark.requirement("ST-VEC-1")
def test_without_an_embedder_no_vector_is_taken_and_a_store_with_vectors_not_added_to(
    hybrid: SqliteStore, path: Path
) -> None:
    """Reading it by words alone is fine."""
    fill(hybrid, passages(5))
    document, chunks = passages(1)[0]
    with SqliteStore(path) as plain:
        assert plain.embedder is None
        assert plain.search("w1", 5)
        with pytest.raises(StoreError, match="opened without one"):
            plain.search("w1", 5, vector=[1.0] * 16)
        with pytest.raises(StoreError, match="opened without one"):
            plain.put(document, chunks, vectors=[[1.0] * 16])
        with pytest.raises(StoreError, match="opened without an embedder, so nothing was stored"):
            plain.put(document, chunks)
        with pytest.raises(StoreError, match="an embedder makes the vectors"):
            plain.embed()


@pytest.mark.parametrize(("name", "cache"), [("", 1), ("n", -1), ("n", 1.5)])
def test_an_embedder_without_a_name_and_memory_that_is_no_number_are_refused(
    path: Path, make_embedder: Callable[..., Any], name: str, cache: Any
) -> None:
    """Nothing is opened, and no file made."""
    with pytest.raises(StoreError, match="nothing was opened"):
        SqliteStore(path, embedder=make_embedder(3, name), vector_cache_bytes=cache)
    assert not path.exists()


def test_an_embedder_whose_name_is_no_text_is_refused(path: Path, make_embedder: Callable[..., Any]) -> None:
    """Nothing is opened, and no file made."""
    with pytest.raises(StoreError, match=r"^a name of an embedder is text; int was given"):
        SqliteStore(path, embedder=make_embedder(name=5))
    assert not path.exists()


def test_what_has_no_name_is_no_embedder(path: Path) -> None:
    """A name of one is what people pass by mistake."""
    with pytest.raises(
        StoreError, match=r"str has no name \(AttributeError\) and nothing was opened; pass an Embedder"
    ):
        SqliteStore(path, embedder="minilm")  # type: ignore[arg-type]  # what is refused
    assert not path.exists()


HUGE = 1 << 20_000
"""A number that Python refuses to write."""


@pytest.mark.parametrize("dimensions", [0, True, "3", 65_537, HUGE], ids=["none", "flag", "text", "one more", "huge"])
def test_an_embedder_without_dimensions_stores_nothing(
    path: Path, make_embedder: Callable[..., Any], dimensions: Any
) -> None:
    """It is asked when the first vector is to be stored."""
    document, chunks = passages(1)[0]
    embedder = make_embedder(3)
    embedder.dimensions = dimensions
    with SqliteStore(path, embedder=embedder) as store:
        with pytest.raises(StoreError, match="an embedder has at least one dimension and at most 65536;"):
            store.put(document, chunks)
        assert store.stats().documents == 0


@pytest.mark.requirement("ST-VEC-2")
def test_no_text_is_embedded_twice(hybrid: SqliteStore, embedder: Any) -> None:
    """Neither within a document, nor when it is stored again, nor under another name; each scope has its own."""
    chunks = [Chunk(text=text, label="", ordinal=at, heading="h") for at, text in enumerate(("fig", "pear", "fig"))]
    hybrid.put(Document(scope_path="", origin="/a", file="a", digest="d"), chunks)
    hybrid.put(Document(scope_path="", origin="/b", file="b", digest="e"), chunks[:2])
    assert embedder.embedded == ["h\nfig", "h\npear"]
    for _ in range(2):
        hybrid.put(Document(scope_path=ACME, origin="/b", file="b", digest="e"), chunks[:1])
    assert embedder.embedded == ["h\nfig", "h\npear", "h\nfig"]
    assert hybrid.known_vectors(["h\npear"], scope_path=ACME) == [None]
    fig, nothing = hybrid.known_vectors(["h\nfig", "fig"])
    assert nothing is None
    assert fig is not None
    assert list(fig) == decoded(encode([embedder.embed_query("h\nfig")], SPACE, 1)[0], SPACE)[0].tolist()


@pytest.mark.requirement("ST-QUERY-1")
@pytest.mark.parametrize("by_meaning", [False, True])
@pytest.mark.parametrize("letter", ["\u8bcd", "\u10d0", "\u0915"])
def test_a_word_beyond_what_the_index_reads_of_one_ends_with_a_whole_character(
    path: Path, embedder: Any, letter: str, *, by_meaning: bool
) -> None:
    """The index cuts it after 32,768 bytes, two thirds into a character; question and passage are still text."""
    long, fitting = letter * 10_923, letter * 10_922
    with SqliteStore(path, embedder=embedder if by_meaning else None) as store:
        chunks = [Chunk(text=text, label="", ordinal=at) for at, text in enumerate((long, fitting, "fig"))]
        store.put(Document(scope_path="", origin="/a", file="a", digest="d"), chunks)
        for question in (long, fitting, f"{long} fig"):
            assert fitting in [row.content for row in store.search(question, 3)]
        assert store.check() == ()


@pytest.mark.requirement("ST-VEC-9")
@pytest.mark.parametrize("given_at", ["", BETA, f"{ACME}\x1fuser\x1f7"])
def test_a_scope_is_lent_no_vector_of_another(
    hybrid: SqliteStore, path: Path, make_embedder: Callable[..., Any], given_at: str
) -> None:
    """Wherever a text was stored first, above, beside or below, and with whatever vector; by ``put`` and ``embed``."""
    own = make_embedder()
    text, late = "a policy", "a notice"
    with SqliteStore(path) as plain:
        plain.put(
            Document(scope_path=ACME, origin="/late", file="late", digest="d"), [Chunk(text=late, label="", ordinal=0)]
        )
    planted = [[-number for number in own.embed_query(each)] for each in (text, late)]
    hybrid.put(
        Document(scope_path=given_at, origin="/m", file="m", digest="d"),
        [Chunk(text=each, label="", ordinal=at) for at, each in enumerate((text, late))],
        vectors=planted,
    )
    hybrid.put(Document(scope_path=ACME, origin="/a", file="a", digest="d"), [Chunk(text=text, label="", ordinal=0)])
    assert hybrid.embed() == 1
    for each in (text, late):
        (vector,) = hybrid.known_vectors([each], scope_path=ACME)
        assert vector is not None
        assert list(vector) == decoded(encode([own.embed_query(each)], SPACE, 1)[0], SPACE)[0].tolist()
    assert hybrid.known_vectors([text, late], scope_path="tenant\x1fnobody") == [None, None]


@pytest.mark.requirement("ST-VEC-2")
def test_embedding_goes_on_where_it_was_interrupted(
    path: Path, make_embedder: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was embedded before stays, and nothing is embedded again."""
    monkeypatch.setattr("symfonic.adapters.knowledge.stores._embedding.BATCH", 10)
    with SqliteStore(path) as store:
        fill(store, passages(30))
        total = store.stats().chunks
    embedder = make_embedder()
    with SqliteStore(path, embedder=embedder) as store:

        def interrupt(done: int, of: int) -> None:
            assert of == total
            if done >= 20:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            store.embed(on_progress=interrupt)
        assert store.stats().vectors == 20
        assert store.search("w1 w2", 3)
        seen: list[tuple[int, int]] = []
        assert store.embed(on_progress=lambda done, of: seen.append((done, of))) == total - 20
        assert seen[-1] == (total - 20, total - 20)
        assert store.stats().vectors == total
        assert len(embedder.embedded) == len(set(embedder.embedded))
        assert store.embed() == 0
        assert store.check() == ()


@pytest.mark.requirement("ST-VEC-3")
def test_vectors_leave_with_their_passages(hybrid: SqliteStore, path: Path, embedder: Any) -> None:
    """Removed, forgotten, replaced: nothing is left in the tables, nor in the file after vacuum."""
    texts = [f"secret{number}" for number in range(5)]
    for number, text in enumerate(texts):
        hybrid.put(
            Document(scope_path=ACME, origin=f"/{number}", file=str(number), digest="d"),
            [Chunk(text=text, label=f"l{number}", ordinal=0), Chunk(text="stays", label="s", ordinal=1)],
        )
    stored = [encode([embedder.embed_query(text)], SPACE, 1)[0] for text in texts]
    hybrid.remove([Document(scope_path=ACME, origin="/0", file="0", digest="")])
    hybrid.forget("1", scope_path=ACME)
    hybrid.forget("l2", scope_path=ACME)
    hybrid.put(Document(scope_path=ACME, origin="/3", file="3", digest="e"), [])
    assert hybrid.stats().vectors == 3
    assert hybrid.check() == ()
    hybrid.forget_scope("")
    assert hybrid.stats().embedding is None
    hybrid.vacuum()
    data = path.read_bytes() + path.with_name(f"{path.name}-wal").read_bytes()
    assert not [text for text, vector in zip(texts, stored, strict=True) if vector in data or text.encode() in data]


def test_a_store_whose_vectors_are_gone_takes_those_of_another_embedder(
    hybrid: SqliteStore, path: Path, make_embedder: Callable[..., Any]
) -> None:
    """Nothing is left that they could be compared with."""
    fill(hybrid, passages(3))
    hybrid.forget_scope("")
    with SqliteStore(path, embedder=make_embedder(dimensions=3)) as other:
        fill(other, passages(3))
        assert other.stats().embedding == EmbeddingSpace(name="hashed-words", dimensions=3)
        assert other.search("w1", 3)


def test_many_documents_are_stored_as_one_by_one(
    hybrid: SqliteStore, tmp_path: Path, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same answers; of several under one identity the last one stays."""
    monkeypatch.setattr("symfonic.adapters.knowledge.stores.sqlite.GROUP", 20)
    documents = passages(40)
    first, chunks = documents[0]
    with SqliteStore(tmp_path / "one", embedder=embedder) as other:
        fill(other, documents)
        hybrid.put_many((document, chunks, None) for document, chunks in [(first, []), *documents])
        assert list(hybrid.chunks()) == list(other.chunks())
        assert [list(hybrid.search(question, 5)) for question in QUESTIONS] == [
            list(other.search(question, 5)) for question in QUESTIONS
        ]
    assert hybrid.check() == ()
    revision = hybrid.revision()
    with pytest.raises(StoreError, match="a chunk text is text"):
        hybrid.put_many([(first, chunks, None), (first, [Chunk(text=b"x", label="", ordinal=0)], None)])  # type: ignore[arg-type]  # what is refused
    assert hybrid.revision() == revision


def test_many_documents_with_their_vectors_are_stored_as_one_by_one(
    hybrid: SqliteStore, tmp_path: Path, embedder: Embedder
) -> None:
    """Matrices, lists and missing vectors among each other, from a generator that uses one array again and again."""
    documents = passages(12)
    sizes = [len(chunks) for _, chunks in documents]
    given = np.random.default_rng(5).standard_normal((sum(sizes), embedder.dimensions)).astype(np.float32)
    rows = np.split(given, np.cumsum(sizes)[:-1])
    buffer = np.empty((max(sizes), embedder.dimensions), dtype=np.float32)

    def items() -> Iterator[tuple[Document, Sequence[Chunk], Any]]:
        for at, ((document, chunks), vectors) in enumerate(zip(documents, rows, strict=True)):
            buffer[: len(vectors)] = vectors
            yield document, chunks, (buffer[: len(vectors)], vectors.tolist(), None)[at % 3]

    hybrid.put_many(items())
    with SqliteStore(tmp_path / "one", embedder=embedder) as other:
        for at, ((document, chunks), vectors) in enumerate(zip(documents, rows, strict=True)):
            other.put(document, chunks, vectors=None if at % 3 == 2 else vectors)
        assert list(hybrid.chunks()) == list(other.chunks())
        texts = [embedded_text(chunk) for _, chunks in documents for chunk in chunks]
        assert hybrid.known_vectors(texts) == other.known_vectors(texts)
    assert hybrid.check() == ()
    revision = hybrid.revision()
    with pytest.raises(StoreError, match="every passage has one vector"):
        hybrid.put_many([(*documents[0], rows[0]), (*documents[1], rows[1][:-1])])
    assert hybrid.revision() == revision


def test_without_an_embedder_numpy_is_not_imported(path: Path) -> None:
    """Words alone need nothing but Python."""
    script = f"""if True:
        import sys
        from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
        with SqliteStore({str(path)!r}) as store:
            store.search("apple", 1)
        assert "numpy" not in sys.modules
        sys.modules["numpy"] = None
        class E:
            name, dimensions = "e", 3
            embed_documents = embed_query = print
        try:
            SqliteStore({str(path)!r}, embedder=E())
        except Exception as error:
            print(error)
    """
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "install it with pip install 'symfonic-knowledge[vectors]' (the extra minilm brings it" in done.stdout
    assert "--embedder none or embedder=None" in done.stdout


def test_a_scope_whose_passages_are_gone_hides_nothing_of_the_others(hybrid: SqliteStore) -> None:
    """It stays visible and holds nothing."""
    fill(hybrid, passages(10, scopes=("",)))
    expected = list(hybrid.search("w1 w2", 5, scope_path=ACME))
    document = Document(scope_path=ACME, origin="/a", file="a", digest="d")
    hybrid.put(document, [Chunk(text="w1 w2", label="", ordinal=0)])
    assert list(hybrid.search("w1 w2", 5, scope_path=ACME)) != expected
    hybrid.put(document, [])
    assert list(hybrid.search("w1 w2", 5, scope_path=ACME)) == expected
