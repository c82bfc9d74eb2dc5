"""A knowledge base from one store into another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document, EmbeddingError, EmbeddingSpace, StoreError
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.composition.knowledge.copying import CopyProgress, copy_store
from symfonic.composition.knowledge.errors import SettingsError, WiringError

from .conftest import GroupingStore, LetterEmbedder, MemoryStore, VectorMemoryStore, unit

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

ACME = "tenant\x1facme"
SMALL = Document(scope_path="", origin="/a", file="a.md", digest="1" * 64, kind="markdown", size=7)
TENANTS = Document(scope_path=ACME, origin="/a", file="a.md", digest="2" * 64)
EMPTY = Document(scope_path=ACME, origin="/none", file="none.md", digest="3" * 64)
CHUNKS = (
    Chunk(text="# Guide\n\n", label="a.md § Guide", ordinal=0, heading="Guide"),
    Chunk(text="Read this.\n", label="a.md p. 2", ordinal=1, page=2),
)


def filled(store: Any) -> Any:
    """A store with three documents of two scopes, one of them empty."""
    store.put(SMALL, CHUNKS)
    store.put(TENANTS, CHUNKS[:1])
    store.put(EMPTY, ())
    return store


@pytest.fixture
def source() -> MemoryStore:
    """A store to copy from."""
    store: MemoryStore = filled(MemoryStore())
    return store


@pytest.mark.requirement("CP-COPY-1")
def test_everything_arrives_as_it_was(source: MemoryStore, tmp_path: Path) -> None:
    """Documents, passages, labels, places and scopes; the digest of both sides is the same."""
    with SqliteStore(tmp_path / "k.db") as target:
        report = copy_store(source, target)
        assert list(target.chunks()) == list(source.chunks())
        assert list(target.documents()) == list(source.documents())
        back = copy_store(target, MemoryStore())
    assert (report.copied, report.unchanged, report.passages, report.extra) == (3, 0, 3, 0)
    assert report.characters == sum(len(chunk.text) for chunk in (*CHUNKS, CHUNKS[0]))
    assert report.ok
    assert back.digest == report.digest


@pytest.mark.requirement("CP-COPY-1")
@pytest.mark.parametrize(
    "change",
    [
        {"text": "# Guide\n\n "},
        {"label": "b.md"},
        {"ordinal": 9},
        {"heading": ""},
        {"page": 0},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_difference_in_any_part_of_a_passage_is_seen_and_mended(source: MemoryStore, change: dict[str, Any]) -> None:
    """A target that holds almost the same gets the document again."""
    target = filled(MemoryStore())
    target.held["", "/a"] = (SMALL, (replace(CHUNKS[0], **change), CHUNKS[1]))
    report = copy_store(source, target)
    assert (report.copied, report.unchanged) == (1, 2)
    assert target.held == source.held


@pytest.mark.requirement("CP-COPY-1")
@pytest.mark.parametrize("name", ["file", "digest", "kind", "size"])
def test_a_difference_in_any_part_of_a_document_is_seen_and_mended(source: MemoryStore, name: str) -> None:
    """What is known of a document counts like its passages."""
    target = filled(MemoryStore())
    other: Any = 8 if name == "size" else "other"
    target.held["", "/a"] = (replace(SMALL, **{name: other}), CHUNKS)
    assert copy_store(source, target).copied == 1
    assert target.held == source.held


@pytest.mark.requirement("CP-COPY-1")
def test_a_copy_again_stores_nothing(source: MemoryStore) -> None:
    """What is there is left alone, and what is there besides is counted and stays."""
    target = MemoryStore()
    copy_store(source, target)
    other = replace(SMALL, origin="/b")
    target.put(other, CHUNKS)
    before = target.puts
    report = copy_store(source, target)
    assert (report.copied, report.unchanged, report.extra, target.puts) == (0, 3, 1, before)
    assert ("", "/b") in target.held


@pytest.mark.requirement("CP-COPY-1")
def test_one_scope_can_be_copied_alone(source: MemoryStore) -> None:
    """That scope and what is below it, as it is forgotten; nothing of the others is looked at."""
    below = replace(SMALL, scope_path=f"{ACME}\x1fprofile\x1fsales", origin="/below")
    beside = replace(SMALL, scope_path=f"{ACME}e", origin="/beside")
    for document in (below, beside):
        source.put(document, ())
    target = MemoryStore()
    target.put(SMALL, ())
    report = copy_store(source, target, scope_path=ACME)
    held = [("", "/a"), (ACME, "/a"), (ACME, "/none"), (below.scope_path, "/below")]
    assert sorted(target.held) == sorted(held)
    assert (report.copied, report.extra, report.ok) == (3, 0, True)
    assert target.held["", "/a"] == (SMALL, ())


@pytest.mark.requirement("CP-COPY-1")
def test_what_everybody_shares_can_be_copied_alone(source: MemoryStore) -> None:
    """A scope of no pairs is below none and above all: here it is itself."""
    target = MemoryStore()
    assert copy_store(source, target, scope_path="").ok
    assert {scope for scope, _ in target.held} == {""}


class ChoosyStore(GroupingStore):
    """Refuses one document, also among others."""

    def put(self, document: Document, chunks: Sequence[Chunk]) -> None:
        if document.scope_path:
            message = "no tenants here"
            raise StoreError(message)
        super().put(document, chunks)


@pytest.mark.requirement("CP-COPY-2")
def test_a_document_that_is_refused_costs_itself(source: MemoryStore) -> None:
    """The others arrive, and the report names it with the store's own reason."""
    target = ChoosyStore()
    report = copy_store(source, target)
    assert list(target.held) == [("", "/a")]
    assert not report.ok
    assert [(one.scope_path, one.file, one.reason) for one in report.failures] == [
        (ACME, "a.md", "no tenants here"),
        (ACME, "none.md", "no tenants here"),
    ]


class DeadStore(MemoryStore):
    """Does nothing any more once it has failed."""

    def revision(self) -> int:
        if self.fail_after is not None and self.puts >= self.fail_after:
            message = "the server is gone"
            raise StoreError(message)
        return super().revision()


@pytest.mark.requirement("CP-COPY-2")
def test_a_store_that_does_nothing_any_more_ends_the_copy(source: MemoryStore) -> None:
    """Going on would only fail with every other document."""
    with pytest.raises(StoreError, match="the disk is full"):
        copy_store(source, DeadStore(fail_after=0))


@pytest.mark.requirement("CP-COPY-2")
def test_an_embedder_that_embeds_nothing_any_more_ends_the_copy(tmp_path: Path) -> None:
    """With what it says; one that refuses a document alone costs that document."""
    source = MemoryStore()
    source.put(SMALL, CHUNKS)
    source.put(TENANTS, CHUNKS[:1])
    down = LetterEmbedder("*")
    with (
        SqliteStore(tmp_path / "down.db", embedder=down) as target,
        pytest.raises(EmbeddingError, match="the server did not answer"),
    ):
        copy_store(source, target)
    with SqliteStore(tmp_path / "choosy.db", embedder=LetterEmbedder("Guide")) as target:
        report = copy_store(source, target)
    assert [one.reason for one in report.failures] == ["the server did not answer"] * 2


class AbsentStore(MemoryStore):
    """Cannot be reached."""

    def revision(self) -> int:
        message = "a server has to be reached"
        raise StoreError(message)

    def documents(self, *, scope_path: str | None = None) -> Any:
        message = "a server has to be reached"
        raise StoreError(message)


@pytest.mark.requirement("CP-COPY-2")
def test_an_error_says_of_which_store_it_is(source: MemoryStore) -> None:
    """For both may be servers."""
    with pytest.raises(StoreError, match=r"^source of the copy: a server has to be reached"):
        copy_store(AbsentStore(), source)
    with pytest.raises(StoreError, match=r"^target of the copy: a server has to be reached"):
        copy_store(source, AbsentStore())
    with pytest.raises(StoreError, match=r"^target of the copy: the disk is full"):
        copy_store(source, DeadStore(fail_after=0))


class LossyStore(MemoryStore):
    """Loses the last letter of everything."""

    def put(self, document: Document, chunks: Sequence[Chunk]) -> None:
        super().put(document, [replace(chunk, text=chunk.text[:-1]) for chunk in chunks])


class ForgetfulStore(MemoryStore):
    """Takes everything and keeps nothing."""

    def put(self, document: Document, chunks: Sequence[Chunk]) -> None:
        self.puts += 1


@pytest.mark.requirement("CP-COPY-2")
@pytest.mark.parametrize(
    ("target", "told", "files"),
    [
        (LossyStore, "it holds another", ["a.md", "a.md"]),
        (ForgetfulStore, "it does not hold it", ["a.md"] * 2 + ["none.md"]),
    ],
)
def test_what_did_not_arrive_is_named(
    source: MemoryStore, target: type[MemoryStore], told: str, files: list[str]
) -> None:
    """Everything is read again from the target; that it raised nothing proves nothing."""
    report = copy_store(source, target())
    assert [one.file for one in report.failures] == files
    assert all(told in one.reason for one in report.failures)


@pytest.mark.requirement("CP-COPY-2")
def test_a_source_that_changes_meanwhile_is_told() -> None:
    """What is compared is what was read."""
    source = filled(MemoryStore())

    def change(progress: CopyProgress) -> None:
        if progress.stage == "copying":
            source.put(replace(SMALL, origin="/late"), ())

    assert copy_store(source, MemoryStore(), on_progress=change).moved
    assert not copy_store(source, MemoryStore()).moved


@pytest.mark.requirement("CP-COPY-3")
def test_vectors_of_the_same_embedder_come_along() -> None:
    """Nothing is embedded twice, and the target finds by meaning at once."""
    source = filled(VectorMemoryStore(LetterEmbedder()))
    source.embed()
    told = LetterEmbedder()
    target = VectorMemoryStore(told)
    source_stats = source.stats()
    source.stats = lambda: replace(source_stats, embedding=_space(told))
    report = copy_store(source, target)
    assert report.vectors == 3
    assert target.vectors == {text: unit(vector) for text, vector in source.vectors.items()}
    assert told.calls == []


@pytest.mark.requirement("CP-COPY-3")
def test_vectors_of_another_embedder_stay_behind(tmp_path: Path) -> None:
    """The target's own embedder makes them."""
    source = filled(VectorMemoryStore(LetterEmbedder()))
    source.embed()
    told = LetterEmbedder()
    told.name = "other"
    with SqliteStore(tmp_path / "k.db", embedder=told) as target:
        report = copy_store(source, target)
        assert target.stats().vectors == 3
    assert report.vectors == 0
    assert told.calls != []


@pytest.mark.requirement("CP-COPY-3")
def test_vectors_that_were_left_behind_are_brought_by_a_copy_again(tmp_path: Path) -> None:
    """What a target took by its words alone is not held yet, once it is opened with its embedder."""
    with SqliteStore(tmp_path / "from.db", embedder=LetterEmbedder()) as held:
        filled(held)
        with SqliteStore(tmp_path / "to.db") as words:
            first = copy_store(held, words)
        with SqliteStore(tmp_path / "to.db", embedder=LetterEmbedder()) as target:
            again, third = copy_store(held, target), copy_store(held, target)
            assert target.stats().vectors == 3
    assert [(one.ok, one.copied, one.vectors) for one in (first, again, third)] == [
        (True, 3, 0),
        (True, 2, 3),
        (True, 0, 0),
    ]


def _space(embedder: LetterEmbedder) -> EmbeddingSpace:
    return EmbeddingSpace(name=embedder.name, dimensions=embedder.dimensions)


@pytest.mark.requirement("CP-COPY-4")
def test_progress_is_told_in_three_stages(source: MemoryStore) -> None:
    """What is compared, what is copied, what is verified."""
    target = MemoryStore()
    target.put(SMALL, CHUNKS)
    told: list[CopyProgress] = []
    copy_store(source, target, on_progress=told.append)
    assert [(one.stage, one.done, one.total, one.passages) for one in told] == [
        ("comparing", 1, 3, 2),
        ("copying", 3, 3, 3),
        ("verifying", 1, 3, 2),
        ("verifying", 2, 3, 3),
        ("verifying", 3, 3, 3),
    ]


@pytest.mark.requirement("CP-COPY-4")
def test_what_cannot_be_copied_is_refused_before_anything_is_read(source: MemoryStore, tmp_path: Path) -> None:
    """A store into itself, a progress that cannot be called, a target opened without its embedder."""
    with pytest.raises(WiringError, match="both are the same"):
        copy_store(source, source)
    with pytest.raises(SettingsError, match="cannot be called"):
        copy_store(source, MemoryStore(), on_progress=5)  # type: ignore[arg-type]  # the point of the test
    with SqliteStore(tmp_path / "k.db", embedder=LetterEmbedder()) as store:
        filled(store)
    with SqliteStore(tmp_path / "k.db") as words, pytest.raises(WiringError, match="without an embedder"):
        copy_store(source, words)
