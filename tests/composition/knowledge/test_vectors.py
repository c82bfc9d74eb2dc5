"""Ingestion into a store that keeps vectors: what is embedded, when, and what a failure costs."""

from __future__ import annotations

import math
import re
import threading
from array import array
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import EmbeddingError, StoreError
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.composition.knowledge import _vectors, ingestion
from symfonic.composition.knowledge._guarded import vectors_of
from symfonic.composition.knowledge.ingestion import IngestProgress, IngestStoppedError, ingest

from .conftest import GroupingVectorStore, LetterEmbedder, MemoryStore, VectorMemoryStore, unit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from symfonic.composition.knowledge.ingestion import IngestReport

    from .conftest import OpenStore


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Forty small files, every fourth with the same text."""
    place = tmp_path / "texts"
    place.mkdir()
    for number in range(40):
        text = "The same words." if number % 4 == 0 else f"Words number {number}."
        (place / f"{number:02}.txt").write_text(text)
    return place


def outcomes(report: IngestReport) -> list[tuple[str, str]]:
    """Outcome by file, in the report's order."""
    return [(item.file, str(item.outcome)) for item in report.items]


@pytest.mark.requirement("IN-VEC-1")
@pytest.mark.usefixtures("deadline")
def test_every_passage_is_stored_with_its_vector(open_vectors: OpenStore, folder: Path) -> None:
    """In walking order, each text embedded once however many files hold it."""
    vector_store = open_vectors()
    report = ingest(vector_store, [folder])
    assert outcomes(report) == [(f"{number:02}.txt", "ingested") for number in range(40)]
    texts = {f"Words number {number}." for number in range(40) if number % 4} | {"The same words."}
    assert sorted(vector_store.embedder.texts) == sorted(texts)
    expected = {text: unit(vector_store.embedder.embed_query(text)) for text in sorted(texts)}
    stored = vector_store.vectors
    assert sorted(stored) == list(expected)
    assert all(stored[text] == pytest.approx(expected[text], abs=1e-7) for text in expected)
    assert (report.chunks, report.embedded) == (40, 0)


@pytest.mark.requirement("IN-VEC-1")
@pytest.mark.usefixtures("deadline")
@pytest.mark.parametrize("change", [list.sort, list.reverse, list.clear, lambda given: given.__setitem__(0, "other")])
def test_an_embedder_that_changes_what_it_is_given_moves_no_vector(
    open_vectors: OpenStore, folder: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[list[str]], None]
) -> None:
    """The list it gets is its own; every text keeps the vector that was made of it."""
    store = open_vectors()
    embed = store.embedder.embed_documents

    def changing(texts: list[str]) -> list[list[float]]:
        vectors = embed(texts)
        change(texts)
        return vectors

    monkeypatch.setattr(store.embedder, "embed_documents", changing)
    (folder / "00.txt").write_text("Zebras first.")
    ingest(store, [folder])
    assert len(store.vectors) == 32
    for text, vector in store.vectors.items():
        assert vector == pytest.approx(unit(store.embedder.embed_query(text)), abs=1e-7)


@pytest.mark.requirement("IN-VEC-2")
@pytest.mark.usefixtures("deadline")
def test_what_the_store_has_is_not_embedded_again(open_vectors: OpenStore, folder: Path) -> None:
    """A second run, a file under another name; another scope lends nothing and embeds its own."""
    vector_store = open_vectors()
    ingest(vector_store, [folder])
    vector_store.embedder.calls.clear()
    assert ingest(vector_store, [folder]).counts() == {"unchanged": 40}
    (folder / "07.txt").rename(folder / "renamed.txt")
    ingest(vector_store, [folder], prune=True)
    assert vector_store.embedder.calls == []
    ingest(vector_store, [folder], scope_path="tenant\x1facme")
    assert len(set(vector_store.embedder.texts)) == 31
    embedded = len(vector_store.embedder.texts)
    (folder / "renamed.txt").rename(folder / "07.txt")
    ingest(vector_store, [folder], scope_path="tenant\x1facme")
    assert len(vector_store.embedder.texts) == embedded
    assert len(vector_store.held) == 81


@pytest.mark.requirement("IN-VEC-2")
@pytest.mark.usefixtures("deadline")
def test_a_text_that_is_on_its_way_is_not_embedded_again(
    open_vectors: OpenStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store does not have it yet when the next document with it comes; every document is a batch of its own."""
    vector_store = open_vectors()
    monkeypatch.setattr(_vectors, "_BATCH_SIZE", 0)
    reached = threading.Event()
    embed = vector_store.embedder.embed_documents

    def watched(texts: Sequence[str]) -> list[list[float]]:
        if "Words number 39." in texts:
            reached.set()
        return embed(texts)

    monkeypatch.setattr(vector_store.embedder, "embed_documents", watched)

    def wait(progress: IngestProgress) -> None:
        if progress.done == 1:
            reached.wait()  # the last text was embedded while the second file was not stored

    ingest(vector_store, [folder], on_progress=wait)
    assert vector_store.embedder.texts.count("The same words.") == 1
    assert len(vector_store.embedder.calls) == 31


@pytest.mark.requirement("IN-VEC-3")
@pytest.mark.usefixtures("deadline")
def test_a_document_that_cannot_be_embedded_costs_itself(open_vectors: OpenStore, folder: Path) -> None:
    """The others of its batch are stored; the reason is the embedder's, and a stored version stays."""
    store = open_vectors()
    (folder / "05.txt").write_text("Earlier words.")
    ingest(store, [folder / "05.txt"])
    (folder / "05.txt").write_text("Words number 5.")
    store.embedder.refused = ("number 5.", "number 23.")
    report = ingest(store, [folder])
    assert [file for file, outcome in outcomes(report) if outcome != "ingested"] == ["05.txt", "23.txt"]
    reason = "its passages could not be embedded, so nothing of it is stored: the server did not answer"
    assert [(item.outcome, item.reason, item.chunks) for item in report.items if item.reason] == [
        ("failed", f"{reason} (the version stored before stays until it is forgotten)", 0),
        ("failed", reason, 0),
    ]
    assert len(store.held) == 39
    assert not report.ok


@pytest.mark.requirement("IN-VEC-3")
@pytest.mark.usefixtures("deadline")
@pytest.mark.parametrize(
    ("vector", "said"),
    [
        ([0.0] * 26, "this one answered one of zeros"),
        ([math.nan] * 26, "with infinity or with what is no number"),
        ([1.0] * 25 + [-math.inf], "with infinity or with what is no number"),
        ([1.0] * 25, "one of 25 numbers where it announced 26"),
        ([1.0] * 27, "one of 27 numbers where it announced 26"),
        ([], "one of 0 numbers where it announced 26"),
        (["a"] * 26, r"this one failed \(TypeError\)"),
        (array("d", [1.0] * 26).tobytes(), r"this one failed \(TypeError\)"),
        (bytearray(array("d", [1.0] * 26)), r"this one failed \(TypeError\)"),
        ([10**400] * 26, r"this one failed \(OverflowError\)"),
    ],
)
def test_a_bad_vector_costs_its_document(open_vectors: OpenStore, folder: Path, vector: Any, said: str) -> None:
    """Whatever is wrong with it: the embedder is blamed, all others are stored, and the next run is no other."""
    store = open_vectors()
    store.embedder.odd["number 5."] = vector
    report = ingest(store, [folder])
    assert report.counts() == {"ingested": 39, "failed": 1}
    (reason,) = [item.reason for item in report.items if item.reason]
    assert re.search(f"^its passages could not be embedded, so nothing of it is stored: .*{said}", reason)
    assert (len(store.held), len(store.vectors)) == (39, 30)
    assert ingest(store, [folder]).counts() == {"unchanged": 39, "failed": 1}


@pytest.mark.requirement("IN-VEC-3")
@pytest.mark.usefixtures("deadline")
def test_a_vector_of_any_length_is_stored(open_vectors: OpenStore, folder: Path) -> None:
    """Only its direction counts: numbers that are too large or too small for float32 are none that are lost."""
    store = open_vectors()
    store.embedder.odd |= {"number 5.": [1e39] * 26, "number 6.": [1e-300] * 26}
    assert ingest(store, [folder]).counts() == {"ingested": 40}
    assert store.vectors["Words number 5."] == pytest.approx([26**-0.5] * 26)
    assert store.vectors["Words number 6."] == pytest.approx([26**-0.5] * 26)


@pytest.mark.requirement("IN-VEC-2")
@pytest.mark.usefixtures("deadline")
def test_what_was_embedded_beside_a_failure_is_not_embedded_again(
    open_vectors: OpenStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of calls before it, and of the call that answered one bad vector among good ones."""
    monkeypatch.setattr(_vectors, "_CALL_TEXTS", 4)
    (tmp_path / "a.md").write_text("".join(f"# H{part}\n\nWords {part}.\n\n" for part in range(10)))
    (tmp_path / "b.md").write_text("# H9\n\nWords 9.\n")
    store = open_vectors()
    store.embedder.odd["Words 6."] = [0.0] * 26
    assert outcomes(ingest(store, [tmp_path])) == [("a.md", "failed"), ("b.md", "ingested")]
    texts = store.embedder.texts
    assert [texts.count(f"H{part}\n# H{part}\n\nWords {part}.") for part in range(9)] == [1] * 9

    store = open_vectors(LetterEmbedder("Words 6."))
    assert outcomes(ingest(store, [tmp_path])) == [("a.md", "failed"), ("b.md", "ingested")]
    texts = store.embedder.texts
    assert [texts.count(f"H{part}\n# H{part}\n\nWords {part}.") for part in range(4)] == [1] * 4


@pytest.mark.requirement("IN-VEC-4")
@pytest.mark.usefixtures("deadline")
def test_an_embedder_that_answers_bad_vectors_only_ends_the_run(open_vectors: OpenStore, folder: Path) -> None:
    """One that announces another length, for instance; the message says so."""
    store = open_vectors()
    store.embedder.odd[""] = [1.0] * 3
    with pytest.raises(IngestStoppedError, match=r"The embedder failed.* one of 3 numbers where it announced 26"):
        ingest(store, [folder])
    assert store.held == {}


@pytest.mark.requirement("IN-VEC-4")
@pytest.mark.usefixtures("deadline")
def test_an_embedder_that_embeds_nothing_ends_the_run(open_vectors: OpenStore, folder: Path) -> None:
    """From the start or on the way; what was stored stays, and no thread is left."""
    before = threading.active_count()
    store = open_vectors(LetterEmbedder("*"))
    with pytest.raises(
        IngestStoppedError, match=r"The embedder failed, so the run ended after 0 of 40 files: the server did not"
    ) as caught:
        ingest(store, [folder])
    assert isinstance(caught.value.__cause__, EmbeddingError)
    assert (store.held, caught.value.report.items) == ({}, ())

    store.embedder.refused = ()

    def break_down(progress: IngestProgress) -> None:
        if progress.done == 40:
            store.embedder.refused = ("*",)
            (folder / "new.txt").write_text("Newer words.")

    ingest(store, [folder], on_progress=break_down)
    with pytest.raises(IngestStoppedError, match="after 40 of 41 files") as caught:
        ingest(store, [folder])
    assert caught.value.report.counts() == {"unchanged": 40}
    assert threading.active_count() == before


@pytest.mark.requirement("IN-RUN-6")
@pytest.mark.usefixtures("deadline")
def test_a_store_that_fails_ends_the_run_and_its_threads(folder: Path) -> None:
    """With what had become of the files until then."""
    before = threading.active_count()
    store = VectorMemoryStore(LetterEmbedder(), fail_after=3)
    with pytest.raises(
        IngestStoppedError, match="store failed, so the run ended after 3 of 40 files: the disk"
    ) as caught:
        ingest(store, [folder])
    assert isinstance(caught.value.__cause__, StoreError)
    assert outcomes(caught.value.report) == [(f"{number:02}.txt", "ingested") for number in range(3)]
    assert (len(store.held), threading.active_count()) == (3, before)


@pytest.mark.requirement("IN-FLOW-3")
@pytest.mark.usefixtures("deadline")
@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_what_progress_raises_ends_the_run_and_its_threads(
    vector_store: VectorMemoryStore, folder: Path, error: type[BaseException]
) -> None:
    """What was stored by then stays, and nothing more comes."""
    before = threading.active_count()

    def stop(progress: IngestProgress) -> None:
        if progress.done == 5:
            raise error

    with pytest.raises(error):
        ingest(vector_store, [folder], on_progress=stop)
    assert (vector_store.puts, threading.active_count()) == (5, before)
    assert ingest(vector_store, [folder]).counts() == {"ingested": 35, "unchanged": 5}


@pytest.mark.requirement("IN-VEC-5")
@pytest.mark.usefixtures("deadline")
def test_passages_stored_before_without_a_vector_get_one_at_the_end(open_vectors: OpenStore, folder: Path) -> None:
    """Told as progress over passages; the report says how many."""
    store = open_vectors()
    lexical = MemoryStore()
    ingest(lexical, [folder])
    store.take(lexical)
    (folder / "new.txt").write_text("Newer words.")
    told: list[IngestProgress] = []
    report = ingest(store, [folder], on_progress=told.append)
    assert (report.counts(), report.embedded, report.unembedded) == ({"ingested": 1, "unchanged": 40}, 40, 0)
    assert set(store.vectors) == set(store.embedder.texts)
    ends = [progress for progress in told if progress.done == progress.total]
    assert ends == [
        IngestProgress(total=41, done=41, passages=1),
        IngestProgress(total=40, done=40, unit="passages", passages=41),
    ]


@pytest.mark.requirement("IN-VEC-6")
@pytest.mark.usefixtures("deadline")
def test_a_passage_that_cannot_be_completed_ends_no_run(open_vectors: OpenStore, folder: Path) -> None:
    """It is counted, this time and the next, and whatever is named is stored."""
    store = open_vectors(LetterEmbedder("number 3."))
    lexical = MemoryStore()
    ingest(lexical, [folder])
    store.take(lexical)
    report = ingest(store, [folder])
    assert report.counts() == {"unchanged": 40}
    assert (report.embedded, report.unembedded, report.ok) == (39, 1, True)
    (folder / "new.txt").write_text("Newer words.")
    again = ingest(store, [folder])
    assert again.counts() == {"ingested": 1, "unchanged": 40}
    assert (again.embedded, again.unembedded) == (0, 1)
    assert "Newer words." in store.vectors


@pytest.mark.requirement("IN-VEC-7")
@pytest.mark.usefixtures("deadline")
def test_where_every_passage_has_a_vector_none_is_read(
    open_vectors: OpenStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the end of a run the totals suffice: looking for what is missing would read those of every tenant."""
    store = open_vectors()
    asked: list[object] = []

    def embed(**options: object) -> int:
        asked.append(options)
        return 0

    monkeypatch.setattr(store, "embed", embed)
    assert [ingest(store, [folder]).embedded for _ in range(2)] == [0, 0]
    assert asked == []


@pytest.mark.requirement("IN-VEC-7")
@pytest.mark.usefixtures("deadline")
def test_a_run_that_stores_nothing_refuses_another_embedders_store_as_well(tmp_path: Path, folder: Path) -> None:
    """Though nothing is missing in it."""
    letters, other = LetterEmbedder(), LetterEmbedder()
    other.name = "other letters"
    with SqliteStore(tmp_path / "store", embedder=letters) as store:
        ingest(store, [folder])
    with (
        SqliteStore(tmp_path / "store", embedder=other) as store,
        pytest.raises(IngestStoppedError, match="this store holds vectors of 'letters'"),
    ):
        ingest(store, [folder])


@pytest.mark.requirement("IN-VEC-6")
@pytest.mark.usefixtures("deadline")
@pytest.mark.parametrize(("stops", "embedded"), [(False, 39), (True, 27)])
def test_all_that_can_be_completed_is_counted(
    vector_store: VectorMemoryStore, folder: Path, *, stops: bool, embedded: int
) -> None:
    """Whether the store passes over what cannot be embedded, or stops there."""
    lexical = MemoryStore()
    ingest(lexical, [folder])
    vector_store.take(lexical)
    vector_store.embedder.refused = ("number 3.",)
    vector_store.stops_at_a_failure = stops
    report = ingest(vector_store, [folder])
    assert (report.embedded, report.unembedded) == (embedded, 40 - embedded)


@pytest.mark.requirement("IN-VEC-4")
@pytest.mark.usefixtures("deadline")
def test_an_embedder_that_completes_nothing_ends_the_run(open_vectors: OpenStore, folder: Path) -> None:
    """Everything is stored by then; the report says so."""
    store = open_vectors(LetterEmbedder("*"))
    lexical = MemoryStore()
    ingest(lexical, [folder])
    store.take(lexical)
    with pytest.raises(
        IngestStoppedError, match="The embedder failed, so the run ended after 40 of 40 files: the server did not"
    ) as caught:
        ingest(store, [folder])
    assert (caught.value.report.counts(), caught.value.report.embedded) == ({"unchanged": 40}, 0)


@pytest.mark.requirement("IN-VEC-6")
@pytest.mark.usefixtures("deadline")
@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, EmbeddingError])
def test_what_progress_raises_while_completing_ends_the_run(
    open_vectors: OpenStore, folder: Path, error: type[BaseException]
) -> None:
    """As it is; it is no failure of the embedder."""
    store = open_vectors()
    lexical = MemoryStore()
    ingest(lexical, [folder])
    store.take(lexical)
    wanted = error("stop")

    def stop(progress: IngestProgress) -> None:
        if progress.unit == "passages":
            raise wanted

    with pytest.raises((error, IngestStoppedError)) as caught:
        ingest(store, [folder], on_progress=stop)
    assert wanted in (caught.value, caught.value.__cause__)


@pytest.mark.usefixtures("deadline")
def test_a_long_document_is_embedded_call_by_call(
    open_vectors: OpenStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the run can be ended between two calls."""
    vector_store = open_vectors()
    monkeypatch.setattr(_vectors, "_CALL_TEXTS", 4)
    (tmp_path / "long.md").write_text("".join(f"# H{part}\n\nWords {part}.\n\n" for part in range(10)))
    ingest(vector_store, [tmp_path])
    assert [len(call) for call in vector_store.embedder.calls] == [4, 4, 2]
    assert vector_store.embedder.texts[0] == "H0\n# H0\n\nWords 0."


@pytest.mark.requirement("IN-PACE-2")
@pytest.mark.usefixtures("deadline")
def test_progress_is_told_while_one_document_is_embedded(
    open_vectors: OpenStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the passages that are done of it; the number never falls."""
    vector_store = open_vectors()
    monkeypatch.setattr(ingestion, "_TICK_SECONDS", 0.01)
    monkeypatch.setattr(_vectors, "_CALL_TEXTS", 2)
    (tmp_path / "long.md").write_text("".join(f"# H{part}\n\nWords {part}.\n\n" for part in range(4)))
    seen = threading.Event()
    embed = vector_store.embedder.embed_documents

    def slow(texts: Sequence[str]) -> list[list[float]]:
        if vector_store.embedder.calls:
            seen.wait()  # the second call ends when the first was told of
        return embed(texts)

    monkeypatch.setattr(vector_store.embedder, "embed_documents", slow)
    told: list[IngestProgress] = []

    def tell(progress: IngestProgress) -> None:
        told.append(progress)
        if (progress.done, progress.passages) == (0, 2):
            seen.set()

    ingest(vector_store, [tmp_path], on_progress=tell)
    assert told[-1] == IngestProgress(total=1, done=1, passages=4)
    passages = [progress.passages for progress in told]
    assert passages == sorted(passages)


@pytest.mark.requirement("IN-RUN-8")
@pytest.mark.usefixtures("deadline")
def test_what_is_ready_at_the_same_time_is_stored_together(folder: Path) -> None:
    """Everything was embedded before the second file is stored; the rest then goes at once, and is told one by one."""
    store = GroupingVectorStore(LetterEmbedder())
    reached = threading.Event()
    embed = store.embedder.embed_documents
    done: list[int] = []

    def watched(texts: Sequence[str]) -> list[list[float]]:
        vectors = embed(texts)
        if "Words number 39." in texts:
            reached.set()
        return vectors

    def wait(progress: IngestProgress) -> None:
        done.append(progress.done)
        if progress.done >= 1:
            reached.wait()

    store.embedder.embed_documents = watched  # type: ignore[method-assign]  # to be told when
    report = ingest(store, [folder], on_progress=wait)
    assert len(store.groups) <= 3
    assert (sum(store.groups) >= 38, len(store.held), len(report.items)) == (True, 40, 40)
    assert sorted(set(done)) == list(range(41))


def _raising(error: Exception) -> Callable[[Sequence[str]], Any]:
    def embed(texts: Sequence[str]) -> Any:
        raise error

    return embed


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda texts: [[1.0]], "was given 2 and answered 1, so nobody knows"),
        (lambda texts: [[1.0]] * 3, "was given 2 and answered more, so nobody knows"),
        (lambda texts: None, r"this one failed \(TypeError\)"),
        (lambda texts: ["ab", "cd"], r"this one failed \(TypeError\)"),
        (_raising(RuntimeError("a word of a document")), r"this one failed \(RuntimeError\) and nothing of it was"),
        (_raising(EmbeddingError("no connection")), "^no connection$"),
    ],
)
def test_an_answer_that_is_none_is_an_embedding_error(answer: Callable[[Sequence[str]], Any], said: str) -> None:
    """The embedder may be anybody's; its own words are not repeated."""
    embedder = LetterEmbedder()
    embedder.embed_documents = answer  # type: ignore[method-assign, assignment]  # the fault of somebody's own embedder
    with pytest.raises(EmbeddingError, match=said):
        vectors_of(embedder, ["a", "b"])
