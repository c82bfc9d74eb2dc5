"""Ingestion into a store that keeps vectors: what is embedded, when, and what a failure costs."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import EmbeddingError, StoreError
from symfonic.composition.knowledge import _vectors, ingestion
from symfonic.composition.knowledge._vectors import vectors_of
from symfonic.composition.knowledge.ingestion import IngestProgress, IngestStoppedError, ingest

from .conftest import GroupingVectorStore, LetterEmbedder, MemoryStore, VectorMemoryStore

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from symfonic.composition.knowledge.ingestion import IngestReport


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
def test_every_passage_is_stored_with_its_vector(vector_store: VectorMemoryStore, folder: Path) -> None:
    """In walking order, each text embedded once however many files hold it."""
    report = ingest(vector_store, [folder])
    assert outcomes(report) == [(f"{number:02}.txt", "ingested") for number in range(40)]
    texts = {f"Words number {number}." for number in range(40) if number % 4} | {"The same words."}
    assert sorted(vector_store.embedder.texts) == sorted(texts)
    assert vector_store.vectors == {text: vector_store.embedder.embed_query(text) for text in texts}
    assert (report.chunks, report.embedded) == (40, 0)


@pytest.mark.requirement("IN-VEC-2")
@pytest.mark.usefixtures("deadline")
def test_what_the_store_has_is_not_embedded_again(vector_store: VectorMemoryStore, folder: Path) -> None:
    """A second run, a file under another name, the same text under another scope."""
    ingest(vector_store, [folder])
    vector_store.embedder.calls.clear()
    assert ingest(vector_store, [folder]).counts() == {"unchanged": 40}
    (folder / "07.txt").rename(folder / "renamed.txt")
    ingest(vector_store, [folder], prune=True)
    ingest(vector_store, [folder], scope_path="tenant:acme")
    assert vector_store.embedder.calls == []
    assert len(vector_store.held) == 80


@pytest.mark.requirement("IN-VEC-2")
@pytest.mark.usefixtures("deadline")
def test_a_text_that_is_on_its_way_is_not_embedded_again(
    vector_store: VectorMemoryStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store does not have it yet when the next document with it comes; every document is a batch of its own."""
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
def test_a_document_that_cannot_be_embedded_costs_itself(folder: Path) -> None:
    """The others of its batch are stored; the reason is the embedder's, and a stored version stays."""
    store = VectorMemoryStore(LetterEmbedder())
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


@pytest.mark.requirement("IN-VEC-4")
@pytest.mark.usefixtures("deadline")
def test_an_embedder_that_embeds_nothing_ends_the_run(folder: Path) -> None:
    """From the start or on the way; what was stored stays, and no thread is left."""
    before = threading.active_count()
    store = VectorMemoryStore(LetterEmbedder("*"))
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
def test_passages_stored_before_without_a_vector_get_one_at_the_end(folder: Path) -> None:
    """Told as progress over passages; the report says how many."""
    store = VectorMemoryStore(LetterEmbedder())
    lexical = MemoryStore()
    ingest(lexical, [folder])
    store.held = lexical.held
    (folder / "new.txt").write_text("Newer words.")
    told: list[IngestProgress] = []
    report = ingest(store, [folder], on_progress=told.append)
    assert (report.counts(), report.embedded) == ({"ingested": 1, "unchanged": 40}, 31)
    assert set(store.vectors) == set(store.embedder.texts)
    ends = [progress for progress in told if progress.done == progress.total]
    assert ends == [
        IngestProgress(total=41, done=41, passages=1),
        IngestProgress(total=31, done=31, unit="passages", passages=32),
    ]


@pytest.mark.usefixtures("deadline")
def test_a_failure_while_completing_ends_the_run(folder: Path) -> None:
    """The report says how far that came."""
    store = VectorMemoryStore(LetterEmbedder("number 3."))
    lexical = MemoryStore()
    ingest(lexical, [folder])
    store.held = lexical.held
    with pytest.raises(
        IngestStoppedError, match="The embedder failed, so the run ended after 40 of 40 files"
    ) as caught:
        ingest(store, [folder])
    assert caught.value.report.counts() == {"unchanged": 40}
    assert caught.value.report.embedded == len(store.vectors)


@pytest.mark.usefixtures("deadline")
def test_a_long_document_is_embedded_call_by_call(
    vector_store: VectorMemoryStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the run can be ended between two calls."""
    monkeypatch.setattr(_vectors, "_CALL_TEXTS", 4)
    (tmp_path / "long.md").write_text("".join(f"# H{part}\n\nWords {part}.\n\n" for part in range(10)))
    ingest(vector_store, [tmp_path])
    assert [len(call) for call in vector_store.embedder.calls] == [4, 4, 2]
    assert vector_store.embedder.texts[0] == "H0\n# H0\n\nWords 0."


@pytest.mark.requirement("IN-PACE-2")
@pytest.mark.usefixtures("deadline")
def test_progress_is_told_while_one_document_is_embedded(
    vector_store: VectorMemoryStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the passages that are done of it; the number never falls."""
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
