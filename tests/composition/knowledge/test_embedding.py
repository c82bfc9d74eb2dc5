"""Which embedder a store is opened with."""

from __future__ import annotations

import asyncio
import math
import re
import sys
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.embedders.minilm import MiniLM
from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.composition.knowledge import (
    AsyncKnowledgeBase,
    EmbedderFailedError,
    IngestProgress,
    KnowledgeBase,
    MissingExtraError,
    Settings,
    SettingsError,
    StoreFailedError,
    WiringError,
    embedder_of,
)
from symfonic.composition.knowledge._guarded import require_embedder

from .conftest import LetterEmbedder, MemoryStore

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import VectorMemoryStore


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Two documents."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.txt").write_text("Leave is long.")
    (folder / "b.txt").write_text("Expenses are refunded.")
    return folder


@pytest.fixture
def path(tmp_path: Path, docs: Path) -> Path:
    """A store that letters filled."""
    with KnowledgeBase.open(tmp_path / "k.db", embedder=LetterEmbedder()) as knowledge:
        knowledge.ingest(docs)
    return tmp_path / "k.db"


def filled_with(path: Path, embedder: LetterEmbedder, text: str) -> None:
    """Put a document into a store with this embedder."""
    place = path.parent / f"{path.name}.txt"
    place.write_text(text)
    with KnowledgeBase.open(path, embedder=embedder) as knowledge:
        knowledge.ingest(place)


@pytest.mark.requirement("CO-EMB-1")
def test_nobody_embeds_unless_somebody_says_so(tmp_path: Path, docs: Path) -> None:
    """A new store is searched by words."""
    with KnowledgeBase.open(tmp_path / "k.db") as knowledge:
        knowledge.ingest(docs)
        stats = knowledge.stats()
        assert (knowledge.embedder, stats.vectors, stats.embedding) == (None, 0, None)


@pytest.mark.requirement("CO-EMB-6")
@pytest.mark.parametrize(("chosen", "kept"), [(None, 2), (2 * (26 * 4 + 16), 2), (2 * (26 * 4 + 16) - 1, 0), (0, 0)])
def test_settings_say_how_much_memory_vectors_may_take(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chosen: int | None, kept: int
) -> None:
    """Of a file as well as of a program, whoever named the embedder; answers are the same."""
    file = tmp_path / "s.toml"
    file.write_text("" if chosen is None else f"vector_cache_bytes = {chosen}\n")
    monkeypatch.setattr("symfonic.composition.knowledge._opening.minilm", LetterEmbedder)
    for embedder in (LetterEmbedder(), None):
        with KnowledgeBase.open(path, settings=Settings.load(file, {}), embedder=embedder) as knowledge:
            assert [row.source for row in knowledge.search("leave", limit=1)] == ["a.txt"]
            assert isinstance(knowledge._store, SqliteStore)
            assert knowledge._store._embedding is not None
            index = knowledge._store._embedding._index
            assert index is not None
            assert sum(each._count for each in index.cache._kept.values()) == kept


@pytest.mark.requirement("CO-EMB-1")
def test_an_embedder_of_ones_own_is_used(path: Path) -> None:
    """To fill and to ask."""
    embedder = LetterEmbedder()
    with KnowledgeBase.open(path, embedder=embedder) as knowledge:
        assert knowledge.embedder is embedder
        assert knowledge.stats().vectors == 2
        found = knowledge.search("eeavl")
        assert found[0].content == "Leave is long.", "no word in common, the same letters"


@pytest.mark.requirement("CO-EMB-2")
def test_a_store_remembers_what_filled_it(tmp_path: Path) -> None:
    """The model of this machine is made again; settings that name none of them, or words alone, are heard first."""
    named = LetterEmbedder()
    named.name = MiniLM().name
    named.dimensions = 26
    filled_with(tmp_path / "k.db", named, "Leave is long.")
    with KnowledgeBase.open(tmp_path / "k.db") as knowledge:
        assert isinstance(knowledge.embedder, MiniLM)
    with KnowledgeBase.open(tmp_path / "k.db", settings=Settings(embedder="none")) as knowledge:
        assert knowledge.embedder is None
        assert [row.content for row in knowledge.search("leave")] == ["Leave is long."]
    with KnowledgeBase.open(tmp_path / "new.db", settings=Settings(embedder="minilm")) as knowledge:
        assert isinstance(knowledge.embedder, MiniLM)


@pytest.mark.requirement("CO-EMB-2")
def test_an_embedder_that_cannot_be_made_here_is_an_error_with_its_remedies(path: Path) -> None:
    """Somebody's own, or one that a server runs: a file does not decide where questions are sent."""
    with pytest.raises(WiringError, match=r"filled with 'letters', which is not made") as caught:
        KnowledgeBase.open(path)
    assert str(caught.value).endswith(
        "pass it to KnowledgeBase.open(embedder=…) in a program, for no option can name it, search words alone with "
        "--embedder none, or replace its vectors with `symfonic-knowledge embed --anew --embedder minilm`"
    )
    with KnowledgeBase.open(path, settings=Settings(embedder="none")) as knowledge:
        assert [row.content for row in knowledge.search("leave")] == ["Leave is long."]


@pytest.mark.requirement("CO-EMB-2")
@pytest.mark.parametrize(
    ("name", "advice"),
    [
        (
            "text-embedding-3-small",
            "--embedder 'openai:text-embedding-3-small', or as embedder in the settings, search",
        ),
        (
            "m at http://localhost:11434/v1",
            "--embedder 'openai:m', or as embedder in the settings, with embedder_base_url = 'http://localhost:11434/v1'",
        ),
        ("words at rest", "pass it to KnowledgeBase.open(embedder=…) in a program, for no option can name it, search"),
    ],
)
def test_the_advice_can_be_followed(tmp_path: Path, docs: Path, name: str, advice: str) -> None:
    """A server's embedder is named by an option, somebody's own by a program alone."""
    embedder = LetterEmbedder()
    embedder.name = name
    with KnowledgeBase.open(tmp_path / "k.db", embedder=embedder) as knowledge:
        knowledge.ingest(docs)
    with pytest.raises(WiringError, match=re.escape(advice)):
        KnowledgeBase.open(tmp_path / "k.db")


@pytest.mark.requirement("CO-EMB-2")
def test_nothing_is_added_without_an_embedder_to_a_store_with_vectors(path: Path, docs: Path) -> None:
    """The caller's choice is refused before a file is read; a store without vectors takes passages."""
    seen: list[IngestProgress] = []
    with KnowledgeBase.open(path, settings=Settings(embedder="none")) as knowledge:
        with pytest.raises(WiringError, match="holds vectors of 'letters' and was opened without an embedder"):
            knowledge.ingest(docs, on_progress=seen.append)
        assert seen == []
        knowledge.forget("*")
        assert knowledge.ingest(docs).chunks == 2


@pytest.mark.requirement("CO-EMB-2")
def test_without_numpy_the_extra_is_named(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An optional part is missing: no store failed, and none was made."""
    for name in ("_encoding", "_vectors"):
        monkeypatch.setitem(sys.modules, f"symfonic.adapters.knowledge.stores.{name}", None)
    for place in (path, tmp_path / "new.db"):
        with pytest.raises(MissingExtraError, match=r"symfonic-knowledge\[vectors\]"):
            KnowledgeBase.open(place, embedder=LetterEmbedder())
    assert not (tmp_path / "new.db").exists()


@pytest.mark.requirement("CO-EMB-2")
def test_vectors_of_two_embedders_are_not_mixed(path: Path, docs: Path) -> None:
    """The store refuses; embedding anew replaces them."""
    other = LetterEmbedder()
    other.name = "other letters"
    (docs / "c.txt").write_text("Something new.")
    with KnowledgeBase.open(path, embedder=other) as knowledge:
        with pytest.raises(StoreFailedError, match="letters"):
            knowledge.search("leave")
        with pytest.raises(StoreFailedError, match="letters"):
            knowledge.ingest(docs)
        assert knowledge.embed(anew=True) == 2
        embedding = knowledge.stats().embedding
        assert embedding is not None
        assert embedding.name == "other letters"
        assert knowledge.search("leave")[0].content == "Leave is long."


@pytest.mark.requirement("CO-EMB-3")
def test_a_store_filled_by_words_is_completed(tmp_path: Path, docs: Path) -> None:
    """By a command of its own, told as progress; a second time there is nothing to do."""
    with KnowledgeBase.open(tmp_path / "k.db") as knowledge:
        knowledge.ingest(docs)
        with pytest.raises(WiringError, match="this one has none and nothing was embedded; name one"):
            knowledge.embed()
    told: list[IngestProgress] = []
    with KnowledgeBase.open(tmp_path / "k.db", embedder=LetterEmbedder()) as knowledge:
        assert knowledge.embed(on_progress=told.append) == 2
        assert knowledge.embed() == 0
    assert (told[-1].unit, told[-1].done, told[-1].total) == ("passages", 2, 2)
    assert told[-1].elapsed is not None


@pytest.mark.requirement("CO-EMB-3")
def test_ingestion_completes_what_has_no_vector(tmp_path: Path, docs: Path) -> None:
    """Documents that did not change included."""
    with KnowledgeBase.open(tmp_path / "k.db") as knowledge:
        knowledge.ingest(docs)
    with KnowledgeBase.open(tmp_path / "k.db", embedder=LetterEmbedder()) as knowledge:
        report = knowledge.ingest(docs)
        assert (report.counts(), report.embedded, knowledge.stats().vectors) == ({"unchanged": 2}, 2, 2)


@pytest.mark.requirement("CO-EMB-4")
def test_what_the_embedder_raises_has_an_error_of_its_own(path: Path, docs: Path) -> None:
    """In a question with the way round it; in an ingestion after what was stored."""
    with KnowledgeBase.open(path, embedder=LetterEmbedder("*")) as knowledge:
        embedder: Any = knowledge.embedder
        embedder.embed_query = lambda text: embedder.embed_documents([text])[0]
        for ask in (knowledge.ask, knowledge.search):
            with pytest.raises(EmbedderFailedError, match=r"^the server did not answer; with 'none' as embedder"):
                ask("leave")
        (docs / "c.txt").write_text("Something new.")
        with pytest.raises(EmbedderFailedError, match=r"ended after 2 of 3 files: the server did not answer") as caught:
            knowledge.ingest(docs)
        assert caught.value.code == "embedder"


@pytest.mark.requirement("CO-EMB-4")
def test_foreign_errors_of_an_embedder_are_its_own_and_told_by_kind(path: Path, docs: Path) -> None:
    """In a question, in completing, and in ingestion: none blames the store, or repeats words that may hold a key."""

    def fail(_: Any) -> Any:
        raise RuntimeError("secret key sk-1")

    with KnowledgeBase.open(path, embedder=LetterEmbedder()) as knowledge:
        embedder: Any = knowledge.embedder
        embedder.embed_documents = embedder.embed_query = fail
        (docs / "c.txt").write_text("Something new.")
        for call in (
            lambda: knowledge.ask("leave"),
            lambda: knowledge.search("leave"),
            lambda: knowledge.embed(anew=True),
            lambda: knowledge.ingest(docs),
        ):
            with pytest.raises(EmbedderFailedError, match=r"this one failed .*RuntimeError") as caught:
                call()
            assert "sk-1" not in str(caught.value)


@pytest.mark.requirement("CO-EMB-4")
@pytest.mark.parametrize("vector", [[0.0] * 26, [1.0] * 25, [math.inf] * 26])
def test_a_question_whose_vector_is_none_is_the_embedders_failure(path: Path, vector: list[float]) -> None:
    """The store is sound."""
    embedder = LetterEmbedder()
    with KnowledgeBase.open(path, embedder=embedder) as knowledge:
        embedder.odd["leave"] = vector
        with pytest.raises(EmbedderFailedError, match="; with 'none' as embedder"):
            knowledge.search("leave")


@pytest.mark.requirement("CO-EMB-4")
def test_a_store_of_ones_own_that_lets_foreign_errors_out_is_told_by_kind(vector_store: VectorMemoryStore) -> None:
    """What progress raises is the caller's and passes."""
    knowledge = KnowledgeBase(vector_store, key=bytes(range(32)))
    document = Document(scope_path="", origin="a", file="a", digest="1")
    vector_store.put(document, [Chunk(text="Leave.", label="a", ordinal=0)])

    def stop(progress: IngestProgress) -> None:
        raise LookupError(progress.unit)

    with pytest.raises(LookupError, match="passages"):
        knowledge.embed(on_progress=stop)
    vector_store.embedder.odd["Leave"] = 1 / 3  # type: ignore[assignment]  # the fault of somebody's own embedder
    with pytest.raises(EmbedderFailedError, match=r"failed \(TypeError\) and nothing of it was used"):
        knowledge.embed()


@pytest.mark.parametrize("embedder", ["minilm", 3, LetterEmbedder, MiniLM, object(), {"name": "letters"}])
def test_what_is_no_embedder_is_refused(tmp_path: Path, embedder: Any) -> None:
    """A name, a class: before anything is opened, with the way to say it."""
    with pytest.raises(WiringError, match=r"an embedder is an object with name.*Settings\(embedder='minilm'\)"):
        KnowledgeBase.open(tmp_path / "k.db", embedder=embedder)
    assert list(tmp_path.iterdir()) == []


def test_an_embedder_is_recognized_without_being_asked(tmp_path: Path) -> None:
    """To tell its dimensions it may have to ask a server; one that passes on whatever it is asked is one."""

    class Passing:
        def __init__(self) -> None:
            self.letters = LetterEmbedder()

        def __getattr__(self, name: str) -> Any:
            return getattr(self.letters, name)

    embedder: Any = Passing()
    with KnowledgeBase.open(tmp_path / "k.db", embedder=embedder) as knowledge:
        assert knowledge.embedder is embedder

    class Asked(LetterEmbedder):
        @property
        def dimensions(self) -> int:  # type: ignore[override]  # the case
            raise AssertionError

    assert require_embedder(Asked()) is not None


def test_a_store_of_ones_own_need_not_know_vectors(memory_store: MemoryStore) -> None:
    """What it cannot do is refused."""
    knowledge = KnowledgeBase(memory_store, key=bytes(range(32)))
    assert knowledge.embedder is None
    with pytest.raises(WiringError, match="this one has none"):
        knowledge.embed()
    with pytest.raises(WiringError, match="MemoryStore has no method check"):
        knowledge.check()


@pytest.mark.requirement("CO-CHECK-1")
def test_a_sound_store_has_no_faults(path: Path) -> None:
    """A damaged one is told by the store's own tests."""
    with KnowledgeBase.open(path, embedder=LetterEmbedder()) as knowledge:
        assert knowledge.check() == ()


# ------------------------------------------------------------------------------------------------- what settings name


def test_settings_that_name_no_embedder_make_none() -> None:
    """Nothing, and none."""
    assert embedder_of(Settings()) is None
    assert embedder_of(Settings(embedder="none")) is None


def test_the_model_of_this_machine_uses_its_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as this process may use."""
    made = embedder_of(Settings(embedder="minilm"))
    assert isinstance(made, MiniLM)
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    made = embedder_of(Settings(embedder="minilm"))
    assert isinstance(made, MiniLM)
    assert made.threads == 3


@pytest.mark.parametrize("embedder", ["MiniLM", "openai:", "openai: x", "all-MiniLM-L6-v2", None, 3, ["minilm"]])
def test_an_unknown_embedder_is_refused(embedder: Any) -> None:
    """Before anything is opened."""
    with pytest.raises(SettingsError, match=r"embedder is minilm|what follows openai: is the name of a model"):
        Settings(embedder=embedder)


@pytest.mark.requirement("CO-EMB-5")
@pytest.mark.parametrize(
    ("address", "name"),
    [
        (None, "m"),
        ("https://api.openai.com/v1", "m"),
        ("https://API.openai.com/v1/", "m"),
        ("http://127.0.0.1:8080/v1", "m at http://127.0.0.1:8080/v1"),
        ("https://Models.example/v1/", "m at https://models.example/v1"),
    ],
)
def test_vectors_of_a_server_are_named_by_its_address(address: str | None, name: str) -> None:
    """The provider's own is named by the model alone; two servers with one name for two models are not mixed."""
    made = embedder_of(Settings(embedder="openai:m", embedder_base_url=address), {"OPENAI_API_KEY": "sk-1"})
    assert made is not None
    assert made.name == name


def test_an_address_that_is_none_is_refused() -> None:
    """By the setting's name."""
    with pytest.raises(SettingsError, match=r"embedder_base_url: a model's address is"):
        Settings(embedder_base_url="ftp://example.com")


# ------------------------------------------------------------------------------------------------------------ asyncio


@pytest.mark.requirement("CO-EMB-1")
@pytest.mark.requirement("CO-EMB-3")
def test_the_asynchronous_base_does_the_same(tmp_path: Path, docs: Path) -> None:
    """Embedder, reranker, embed and check."""

    class Ones:
        def rerank(self, query: str, rows: Any) -> list[float]:
            return [1.0] * len(rows)

    async def used() -> None:
        embedder = LetterEmbedder()
        told: list[IngestProgress] = []
        async with AsyncKnowledgeBase.open(tmp_path / "k.db", embedder=embedder, reranker=Ones()) as knowledge:
            assert knowledge.embedder is embedder
            await knowledge.ingest(docs)
            assert await knowledge.embed(anew=True, on_progress=told.append) == 2
            assert await knowledge.check() == ()
            assert [row.score for row in await knowledge.search("leave")] == [1.0, 1.0]
        assert told[-1].done == 2

    asyncio.run(used())


def test_an_open_store_is_not_left_behind(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where its embedder cannot be made."""
    closed: list[SqliteStore] = []
    close = SqliteStore.close

    def watched(store: SqliteStore) -> None:
        closed.append(store)
        close(store)

    monkeypatch.setattr(SqliteStore, "close", watched)
    with pytest.raises(WiringError):
        KnowledgeBase.open(path)
    assert len(closed) == 1
