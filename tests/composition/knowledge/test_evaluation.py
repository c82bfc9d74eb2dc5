"""Evaluation: measures of a store's rankings, and an account of what the ceilings cost that adds up."""

from __future__ import annotations

import itertools
import json
import math
import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.capabilities.knowledge import ScopePath
from symfonic.composition.knowledge import (
    MEASURES,
    Evaluation,
    EvaluationProgress,
    InputError,
    Judgements,
    KnowledgeBase,
    KnowledgeError,
    MissingExtraError,
    Settings,
    SettingsError,
    StoreFailedError,
    WiringError,
    evaluate,
    evaluate_collection,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

DOCUMENTS = [
    {"_id": "leave", "title": "Leave", "text": "Employees have thirty days of leave every year."},
    {"_id": "travel", "title": "Travel", "text": "Travel by train is booked two weeks early."},
    {"_id": "sick", "title": "Illness", "text": "A certificate is due on the third day of an illness."},
    {"_id": "blank", "title": "", "text": ""},
    {"_id": "heading", "title": "Parking of bicycles", "text": ""},
]
ASKED = Judgements(
    queries={"q1": "days of leave", "q2": "book a train", "q3": "bicycles", "q4": "never judged"},
    grades={"q1": {"leave": 2, "sick": 1}, "q2": {"travel": 1}, "q3": {"heading": 1, "blank": 1}},
)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Five documents, one of them blank and one a heading only."""
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(json.dumps(document) + "\n" for document in DOCUMENTS))
    return path


def quick(corpus: Path, judgements: Judgements = ASKED, **words: Any) -> Evaluation:
    """With few resamples."""
    return evaluate_collection(corpus, judgements, resamples=200, **words)


@pytest.mark.requirement("KB-EVAL-MEASURE-1")
def test_a_collection_is_measured(corpus: Path) -> None:
    """Counts, the mean of every measure, and the values of every query; what is blank counts as never found."""
    found = quick(corpus)
    assert (found.queries, found.unjudged, found.documents, found.passages, found.judgements) == (3, 1, 5, 4, 5)
    assert list(found.per_query) == ["q1", "q2", "q3"]
    assert list(found.metrics) == list(MEASURES)
    assert {query: values["recall@5"] for query, values in found.per_query.items()} == {"q1": 1.0, "q2": 1.0, "q3": 0.5}
    assert found.metrics["recall@5"].value == pytest.approx(2.5 / 3)
    assert found.metrics["mrr@10"].value == 1.0
    assert found.metrics["mrr@10"].interval == (1.0, 1.0)
    assert [(fault.line, fault.code) for fault in found.faults.examples] == [(4, "blank")]


@pytest.mark.requirement("KB-EVAL-SAME-1")
def test_order_of_lines_changes_nothing_but_times(corpus: Path) -> None:
    """Documents, queries and judgements in another order: equal values, times apart, which take no part."""
    first = quick(corpus)
    lines = corpus.read_text().splitlines(keepends=True)
    random.Random(7).shuffle(lines)
    corpus.write_text("".join(lines))
    turned = Judgements(
        queries=dict(reversed(list(ASKED.queries.items()))),
        grades={query: dict(reversed(list(judged.items()))) for query, judged in reversed(list(ASKED.grades.items()))},
    )
    ticks = itertools.count()
    second = quick(corpus, turned, clock=lambda: float(next(ticks)))
    assert replace(second, faults=first.faults) == first
    assert (second.times.search, second.times.prompt) == (1.0, 1.0)
    assert quick(corpus, seed=1).metrics["recall@5"].interval is not None


@pytest.mark.requirement("KB-EVAL-STORE-1")
def test_a_long_document_stands_where_its_best_passage_stands(corpus: Path) -> None:
    """Cut as ingestion would cut it; one place in the ranking, whatever the number of its passages."""
    long = {"_id": "long", "title": "Long", "text": "\n\n".join(f"Penguins number {n} walk." for n in range(300))}
    with corpus.open("a") as file:
        file.write(json.dumps(long) + "\n")
    judged = Judgements(queries={"q": "number of penguins and bicycles"}, grades={"q": {"long": 1, "heading": 1}})
    found = quick(corpus, judged, settings=Settings(max_chunk_chars=200))
    assert found.passages > 30
    assert found.metrics["recall@5"].value == 1.0
    assert found.metrics["recall@5"].interval is None


@pytest.mark.requirement("KB-EVAL-STORE-1")
def test_a_store_is_kept_filled_anew_and_never_mixed(corpus: Path, tmp_path: Path) -> None:
    """A second run stores what changed and removes what is gone; documents of another kind are refused and stay."""
    store = tmp_path / "kept" / "corpus.db"
    first = quick(corpus, store=store)
    with KnowledgeBase.open(store) as knowledge:
        revision = knowledge.revision()
    assert replace(quick(corpus, store=store), times=first.times) == first
    with KnowledgeBase.open(store) as knowledge:
        assert knowledge.revision() == revision
    corpus.write_text("".join(json.dumps(document) + "\n" for document in DOCUMENTS[:2]))
    again = quick(corpus, store=store)
    assert (again.documents, again.faults.total) == (2, 3)
    own = tmp_path / "own.db"
    (tmp_path / "note.txt").write_text("Leave is granted.")
    with KnowledgeBase.open(own) as knowledge:
        knowledge.ingest(tmp_path / "note.txt")
    with pytest.raises(InputError, match="a corpus is kept in a store of its own"):
        quick(corpus, store=own)
    with KnowledgeBase.open(own) as knowledge:
        assert knowledge.stats().documents == 1


@pytest.mark.requirement("KB-EVAL-STORE-1")
def test_a_store_that_is_none_is_an_error_of_the_knowledge_base(corpus: Path, tmp_path: Path) -> None:
    """Nothing of an adapter passes through."""
    (tmp_path / "no.db").write_bytes(b"something else entirely" * 100)
    with pytest.raises(StoreFailedError):
        quick(corpus, store=tmp_path / "no.db")


@pytest.mark.requirement("KB-EVAL-INPUT-1")
def test_judgements_of_documents_that_are_not_there_are_counted(corpus: Path) -> None:
    """Each is a fault, of whatever grade; where nothing else is left it is an error that says so."""
    some = Judgements(queries=ASKED.queries, grades={"q1": {"leave": 1, "nowhere": 1, "elsewhere": 0}})
    found = quick(corpus, some)
    assert (found.queries, found.unjudged, found.judgements, found.not_stored) == (1, 3, 3, 1)
    assert ("qrels", "unknown-document", 2) in found.faults.counts
    none = Judgements(queries=ASKED.queries, grades={"q1": {"nowhere": 1, "leave": 0}})
    with pytest.raises(InputError, match="the judgements name other documents"):
        quick(corpus, none)


@pytest.mark.requirement("KB-EVAL-MISSED-1")
def test_a_relevant_document_that_is_not_stored_counts_as_missed(corpus: Path) -> None:
    """In recall, in the ideal of nDCG, and in how relevant documents ended; a query of which none is stored gets 0."""
    judged = Judgements(
        queries=ASKED.queries, grades={"q1": {"leave": 1, "nowhere": 1, "gone": 1}, "q2": {"gone": 1, "travel": 0}}
    )
    found = quick(corpus, judged)
    assert (found.queries, found.not_stored) == (2, 3)
    assert found.per_query["q1"]["recall@100"] == pytest.approx(1 / 3)
    assert found.per_query["q1"]["ndcg@10"] == pytest.approx(1 / (1 + 1 / math.log2(3) + 1 / 2))
    assert set(found.per_query["q2"].values()) == {0.0}
    assert found.boundary.relevant == {"admitted": pytest.approx(1 / 6), "not-stored": pytest.approx(5 / 6)}
    assert found.boundary.admitted["recall"].value == pytest.approx(1 / 6)
    assert found.boundary.lifted["limit"].value == pytest.approx(1 / 6)


class Meaning:
    """Knows one thing: what is ridden on rails."""

    name = "meaning/1"
    dimensions = 2

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        self.embedded += texts
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return [1.0, 0.1] if "train" in text or "locomotive" in text else [0.0, 1.0]


@pytest.mark.requirement("KB-EVAL-STORE-1")
def test_a_corpus_is_asked_by_meaning_and_its_vectors_are_kept(corpus: Path, tmp_path: Path) -> None:
    """What no word finds is found by its vector; another run embeds nothing twice; words alone stay possible."""
    judged = Judgements(queries={"q": "locomotive"}, grades={"q": {"travel": 1}})
    store, first, second = tmp_path / "corpus.db", Meaning(), Meaning()
    told: list[EvaluationProgress] = []
    found = quick(corpus, judged, store=store, embedder=first, on_progress=told.append)
    assert (found.embedder, found.metrics["mrr@10"].value) == ("meaning/1", 1.0)
    assert len(first.embedded) == 4
    assert "embedding" in {one.stage for one in told}
    again = quick(corpus, judged, store=store, embedder=second)
    assert (again.metrics, second.embedded) == (found.metrics, [])
    words = quick(corpus, judged, store=store, settings=Settings(embedder="none"))
    assert (words.embedder, words.metrics["mrr@10"].value) == (None, 0.0)


@pytest.mark.requirement("KB-EVAL-STORE-1")
@pytest.mark.parametrize("before", [{}, {"settings": Settings(embedder="none")}])
def test_a_corpus_with_vectors_is_brought_up_to_date(
    before: dict[str, Any], corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One document is added, one changed, one removed: two are embedded. So they are where words alone are asked."""
    judged = Judgements(queries={"q": "locomotive"}, grades={"q": {"new": 1, "leave": 1}})
    store, first, second = tmp_path / "corpus.db", Meaning(), Meaning()
    quick(corpus, Judgements(queries={"q": "train"}, grades={"q": {"travel": 1}}), store=store, embedder=first)
    documents = [
        {"_id": "leave", "title": "Leave", "text": "Employees leave by train."},
        {"_id": "new", "title": "", "text": "A train, lately added."},
        *DOCUMENTS[2:],
    ]
    corpus.write_text("".join(json.dumps(document) + "\n" for document in documents))
    if before:
        monkeypatch.setattr("symfonic.composition.knowledge._opening.minilm", lambda: second)
        assert quick(corpus, judged, store=store, **before).embedder is None
    found = quick(corpus, judged, store=store, embedder=second)
    assert sorted(second.embedded) == ["A train, lately added.", "Leave\nEmployees leave by train."]
    assert (found.documents, found.metrics["recall@5"].value) == (5, 1.0)
    with KnowledgeBase.open(store, embedder=second) as knowledge:
        files = sorted(record.document.file for record in knowledge.documents())
    assert files == ["blank", "heading", "leave", "new", "sick"]
    assert replace(quick(corpus, judged, store=store, embedder=Meaning()), times=found.times) == found


@pytest.mark.requirement("KB-EVAL-STORE-1")
def test_a_changed_corpus_whose_embedder_nobody_names_is_refused(corpus: Path, tmp_path: Path) -> None:
    """With a remedy the caller has; while nothing changed, words alone can be asked."""
    store, words = tmp_path / "corpus.db", Settings(embedder="none")
    quick(corpus, store=store, embedder=Meaning())
    assert quick(corpus, store=store, settings=words).documents == 5
    corpus.write_text(corpus.read_text().replace("thirty", "forty"))
    with pytest.raises(WiringError, match=r"name it with --embedder or pass it once, or name another --store"):
        quick(corpus, store=store, settings=words)
    assert quick(corpus, store=store, embedder=Meaning()).documents == 5


@pytest.mark.requirement("KB-EVAL-VECTORS-1")
def test_the_share_of_passages_with_vectors_is_told(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All, some, or none, which is no measurement of meaning; words alone have no share."""
    store, words = tmp_path / "corpus.db", Settings(embedder="none")
    assert quick(corpus, store=store, settings=words).embedded is None
    with KnowledgeBase.open(store, embedder=Meaning()) as knowledge:
        with pytest.raises(InputError, match=r"no passage of this store has one, .*symfonic-knowledge embed"):
            evaluate(knowledge, ASKED, resamples=200)
        knowledge.embed()
        assert evaluate(knowledge, ASKED, resamples=200).embedded == 1.0
        part = replace(knowledge.stats(), vectors=3)
        monkeypatch.setattr(KnowledgeBase, "stats", lambda _: part)
        assert evaluate(knowledge, ASKED, resamples=200).embedded == 0.75


@pytest.mark.requirement("KB-EVAL-FLOOR-1")
def test_floors_are_told_of_judged_queries_and_of_negatives(corpus: Path) -> None:
    """Negatives change no measure; a floor does to both what ``min_score`` does."""
    negatives = ["quantum chromodynamics", "a year of zeppelins, balloons and gliders"]
    plain = quick(corpus)
    found = quick(corpus, negatives=negatives)
    assert replace(found, negatives=0, floors=()) == plain
    assert (found.negatives, plain.floors) == (2, ())
    assert (found.floors[0].kept, found.floors[0].refused) == (1.0, 0.5)
    for one in found.floors:
        held = quick(corpus, settings=Settings(min_score=one.floor)).boundary
        assert (held.admitted["mrr"].value == 1.0) == (one.kept == 1.0)
    assert found.floors[-1].refused == 1.0


# ------------------------------------------------------------------------------------------------------- the boundary


@pytest.fixture
def herd(tmp_path: Path) -> Path:
    """Eight documents about zebras, the relevant ones long, so that every ceiling has something to do."""
    path = tmp_path / "herd.jsonl"
    lines = [
        {"_id": f"z{number}", "title": "", "text": "zebra " * (number + 1) + "grass " * (10 * number)}
        for number in range(8)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


ZEBRAS = Judgements(
    queries={"a": "zebra", "b": "zebra grass", "c": "grass"},
    grades={
        "a": {"z0": 1, "z1": 1, "z7": 1},
        "b": {"z7": 1, "z6": 2, "z0": 1},
        "c": {"z3": 1, "z5": 1, "z2": 0},
    },
)


@pytest.mark.requirement("KB-EVAL-COST-1")
@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings(limit=2),
        Settings(limit=3, max_fragment_chars=200),
        Settings(limit=3, max_total_chars=400, max_fragment_chars=400),
        Settings(limit=3, min_score=0.4),
        Settings(limit=1, max_total_chars=500, max_fragment_chars=300, min_score=0.2),
        Settings(limit=3, candidates=4),
    ],
)
def test_the_account_adds_up(herd: Path, settings: Settings) -> None:
    """First rows less what was lost plus what moved up is what was admitted; every relevant document ends once."""
    cost = quick(
        herd, ZEBRAS, settings=replace(settings, max_chunk_chars=min(600, settings.max_fragment_chars))
    ).boundary
    left = cost.raw["recall"].value - sum(cost.lost.values()) + cost.gained
    assert left == pytest.approx(cost.admitted["recall"].value)
    assert sum(cost.relevant.values()) == pytest.approx(1.0)
    assert cost.relevant.get("admitted", 0.0) == pytest.approx(cost.admitted["recall"].value)
    for kind in ("ndcg", "recall", "mrr"):
        assert cost.cost[kind].value == pytest.approx(cost.raw[kind].value - cost.admitted[kind].value)


@pytest.mark.requirement("KB-EVAL-COST-1")
def test_each_ceiling_is_named_for_what_it_lost(tmp_path: Path) -> None:
    """One store, one question, one ceiling at a time; the share is that of the relevant document it dropped."""
    docs = tmp_path / "docs"
    docs.mkdir()
    for number in range(4):
        (docs / f"f{number}.txt").write_text("okapi " * 3 + "leaf " * (10 * (number + 1)))
    judged = Judgements(queries={"q": "okapi"}, grades={"q": {f"f{number}.txt": 1 for number in range(4)}})
    ceilings: list[tuple[str, dict[str, Any]]] = [
        ("over-fragment", {"max_fragment_chars": 200}),
        ("over-total", {"max_total_chars": 250}),
        ("below-floor", {"min_score": 0.999}),
    ]
    with KnowledgeBase.open(tmp_path / "k.db") as knowledge:
        knowledge.ingest(docs)
    for code, changes in ceilings:
        with KnowledgeBase.open(tmp_path / "k.db", settings=Settings(**changes)) as knowledge:
            cost = evaluate(knowledge, judged, resamples=100).boundary
        assert set(cost.lost) == {code}
        assert cost.admitted["recall"].value == pytest.approx(1 - cost.lost[code])
        assert cost.relevant.get(code) == pytest.approx(cost.lost[code])


@pytest.mark.requirement("KB-EVAL-COST-2")
def test_lifting_a_ceiling_alone_shows_what_it_holds_back(herd: Path) -> None:
    """What is told of a lifted ceiling is what a run without it admits; one that holds nothing back changes nothing."""
    held = Settings(limit=3, max_total_chars=300, max_chunk_chars=300, max_fragment_chars=300)
    cost = quick(herd, ZEBRAS, settings=held).boundary
    free = quick(herd, ZEBRAS, settings=replace(held, max_total_chars=8000)).boundary
    assert cost.lifted["max_total_chars"].value == pytest.approx(free.admitted["recall"].value)
    assert free.admitted["recall"].value > cost.admitted["recall"].value
    assert cost.lifted["min_score"] == cost.admitted["recall"]
    wide = quick(herd, ZEBRAS, settings=replace(held, limit=20)).boundary
    assert cost.lifted["limit"].value == pytest.approx(wide.admitted["recall"].value)


@pytest.mark.requirement("KB-EVAL-COST-2")
def test_the_cap_of_a_source_is_lifted_as_a_run_without_it(tmp_path: Path) -> None:
    """Two judged sections of one file under a cap of one."""
    (tmp_path / "a.md").write_text("# Gnu one\n\nGnu walk.\n\n# Gnu two\n\nGnu run.\n")
    judged = Judgements(queries={"q": "gnu"}, grades={"q": {"a.md § Gnu one": 1, "a.md § Gnu two": 1}})
    with KnowledgeBase.open(tmp_path / "k.db", settings=Settings(max_per_source=1)) as knowledge:
        knowledge.ingest(tmp_path / "a.md")
        cost = evaluate(knowledge, judged, resamples=100).boundary
    assert (cost.admitted["recall"].value, cost.lost) == (0.5, {"over-source": 0.5})
    assert cost.lifted["max_per_source"].value == 1.0


# -------------------------------------------------------------------------------------------------------------- names


@pytest.mark.requirement("KB-EVAL-NAME-1")
@pytest.mark.parametrize("name", ["a[1].md § Gnu", "a_1_.md § Gnu", "a[1].md", "shown", "tagged"])
def test_a_judgement_names_what_is_stored_as_it_is_stored_or_shown(name: str, tmp_path: Path) -> None:
    """A label, a file, raw or as a prompt shows it, with the tag or without."""
    (tmp_path / "a[1].md").write_text("# Gnu\n\nGnu walk.\n\n# Kudu\n\nKudu run.\n")
    with KnowledgeBase.open(tmp_path / "k.db") as knowledge:
        knowledge.ingest(tmp_path / "a[1].md")
        row = knowledge.ask("gnu").explain().admitted[0]
        named = {"shown": str(row.label), "tagged": row.citation, "a_1_.md § Gnu": str(row.label)}.get(name, name)
        found = evaluate(knowledge, Judgements(queries={"q": "gnu"}, grades={"q": {named: 1}}), resamples=100)
    assert (found.metrics["mrr@10"].value, found.faults.total) == (1.0, 0)


@pytest.mark.requirement("KB-EVAL-NAME-1")
def test_a_scope_sees_its_own_and_what_is_above_it(tmp_path: Path) -> None:
    """Judgements of a sibling's documents are unknown to it, so these count as missed."""
    for name in ("ours", "theirs", "all"):
        (tmp_path / f"{name}.txt").write_text(f"Gnu of {name}.")
    judged = Judgements(queries={"q": "gnu"}, grades={"q": {"ours.txt": 1, "theirs.txt": 1, "all.txt": 1}})
    with KnowledgeBase.open(tmp_path / "k.db") as knowledge:
        knowledge.ingest(tmp_path / "all.txt")
        knowledge.ingest(tmp_path / "ours.txt", scope=ScopePath.of(("tenant", "a")))
        knowledge.ingest(tmp_path / "theirs.txt", scope=ScopePath.of(("tenant", "b")))
        found = evaluate(knowledge, judged, scope=ScopePath.of(("tenant", "a")), resamples=100)
    assert (found.documents, found.judgements, found.not_stored) == (2, 3, 1)
    assert found.metrics["recall@5"].value == pytest.approx(2 / 3)
    assert found.faults.counts == (("qrels", "unknown-document", 1),)


# -------------------------------------------------------------------------------------------------------------- edges


def test_progress_tells_of_documents_and_queries(corpus: Path) -> None:
    """In the calling thread, with the total as far as it is known."""
    told: list[EvaluationProgress] = []
    quick(corpus, on_progress=told.append, clock=lambda: 2.0)
    assert told == [
        *(EvaluationProgress(stage="storing", total=None, done=done, elapsed=0.0) for done in range(5)),
        *(EvaluationProgress(stage="asking", total=3, done=done, elapsed=0.0) for done in range(4)),
    ]


@pytest.mark.parametrize("words", [{"resamples": 10}, {"resamples": 10**9}, {"seed": -1}, {"seed": True}])
def test_resamples_and_seeds_out_of_range_are_refused(words: dict[str, Any], corpus: Path) -> None:
    """Before anything is stored."""
    with pytest.raises(SettingsError, match="is a whole number from"):
        evaluate_collection(corpus, ASKED, **words)


def test_a_limit_of_nothing_is_refused(corpus: Path) -> None:
    """There is nothing to compare."""
    with pytest.raises(SettingsError, match="set a limit of at least 1"):
        quick(corpus, settings=Settings(limit=0))


def test_a_missing_library_is_an_error_of_the_knowledge_base(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the extra, before anything is stored."""
    monkeypatch.setitem(__import__("sys").modules, "ir_measures", None)
    with pytest.raises(MissingExtraError, match=r"symfonic-knowledge\[eval\]"):
        quick(corpus)


def test_a_ranking_goes_as_deep_as_the_measures_look(tmp_path: Path) -> None:
    """However many passages one document has among the first rows."""
    path = tmp_path / "deep.jsonl"
    many = {"_id": "many", "text": "\n\n".join(["Yak yak."] * 400)}
    others = [
        {"_id": f"d{number}", "text": "A yak and a long sentence about many other things."} for number in range(120)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in [many, *others]))
    judged = Judgements(queries={"q": "yak"}, grades={"q": {f"d{number}": 1 for number in range(120)}})
    found = quick(path, judged, settings=Settings(max_chunk_chars=20))
    assert found.metrics["recall@100"].value == pytest.approx(99 / 120)


@pytest.mark.requirement("KB-EVAL-STORE-1")
def test_a_ranking_is_read_no_further_than_the_last_relevant_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few long documents: the measures look at a hundred places, and there are only three to fill them."""
    path = tmp_path / "corpus.jsonl"
    words = ("penguins", "otters", "herons")
    documents = [
        {"_id": word, "title": "", "text": "\n\n".join(f"Number {n} of {word} walks by." for n in range(900))}
        for word in words
    ]
    path.write_text("".join(json.dumps(document) + "\n" for document in documents))
    limits: list[int | None] = []
    ranking = KnowledgeBase._ranking

    def recorded(self: KnowledgeBase, *given: Any, **named: Any) -> Any:
        limits.append(named.get("limit"))
        return ranking(self, *given, **named)

    monkeypatch.setattr(KnowledgeBase, "_ranking", recorded)
    settings = Settings(max_chunk_chars=30)
    near = Judgements(queries={"q": "penguins"}, grades={"q": {"penguins": 1}})
    found = quick(path, near, settings=settings)
    assert found.passages > 2000
    assert found.metrics["mrr@10"].value == 1.0
    assert limits == [1000]
    limits.clear()
    far = Judgements(queries={"q": "penguins walk"}, grades={"q": {"penguins": 1, "herons": 1, "nowhere": 1}})
    assert quick(path, far, settings=settings).metrics["recall@10"].value == pytest.approx(2 / 3)
    assert limits[0] == 1000


@pytest.mark.parametrize("negatives", ["Who?", b"Who?", ["Who?", "\u200b"], [" "], [5]])
def test_negatives_that_cannot_be_asked_are_refused_before_anything_is_measured(
    corpus: Path, tmp_path: Path, negatives: Any
) -> None:
    """A single text would be taken for its letters."""
    store = tmp_path / "none.db"
    with pytest.raises(InputError, match="negatives are a list of questions"):
        quick(corpus, negatives=negatives, store=store)
    refused = pytest.raises(InputError, match="negatives are a list of questions")
    with KnowledgeBase.open(tmp_path / "empty.db") as knowledge, refused:
        evaluate(knowledge, ASKED, negatives=negatives)
    assert not store.exists()


EVERYWHERE: list[tuple[dict[str, Any], type[KnowledgeError], str]] = [
    ({"judgements": None}, InputError, "what is measured with is a Judgements; this one is a NoneType"),
    ({"judgements": {"q": {"d": 1}}}, InputError, "what is measured with is a Judgements; this one is a dict"),
    ({"negatives": None}, InputError, "negatives are a list of questions"),
    ({"negatives": 5}, InputError, "negatives are a list of questions"),
    ({"on_progress": 5}, SettingsError, "progress is told to a function of one argument; int cannot be called"),
    ({"clock": 5}, SettingsError, "a clock is a function that answers seconds; int cannot be called"),
    ({"clock": lambda: "noon"}, SettingsError, "a clock answers seconds as a number; this one answered str"),
]
"""Arguments of both ways to evaluate, the error, and what it says."""


@pytest.mark.requirement("KB-EVAL-INPUT-4")
@pytest.mark.parametrize(
    ("wrong", "kind", "message"),
    [
        *EVERYWHERE,
        ({"corpus": None}, InputError, "a file is named by a path; NoneType is none"),
        ({"store": b"y"}, InputError, "a file is named by a path; bytes is none"),
        ({"store": "a\0b"}, InputError, "a path is text without NUL characters"),
        ({"settings": 5}, SettingsError, "a deployment's settings are a Settings, not int"),
        ({"settings": Settings(limit=0)}, SettingsError, "set a limit of at least 1"),
        ({"embedder": "minilm"}, WiringError, "an embedder is an object with name"),
        ({"environ": 5}, SettingsError, "an environment is a mapping of names to texts"),
    ],
)
def test_arguments_of_another_kind_are_refused_before_anything_is_stored(
    wrong: dict[str, Any], kind: type[KnowledgeError], message: str, corpus: Path, tmp_path: Path
) -> None:
    """Each by one of our errors, with a rule and a remedy."""
    store = tmp_path / "none.db"
    given: dict[str, Any] = {"corpus": corpus, "judgements": ASKED, "store": store, **wrong}
    with pytest.raises(kind, match=message):
        evaluate_collection(**given)
    assert not store.exists()


@pytest.mark.requirement("KB-EVAL-INPUT-4")
@pytest.mark.parametrize(
    ("wrong", "kind", "message"),
    [*EVERYWHERE, ({"knowledge": None}, InputError, "what is measured is a KnowledgeBase; this one is a NoneType")],
)
def test_arguments_of_another_kind_are_refused_before_anything_is_asked(
    wrong: dict[str, Any], kind: type[KnowledgeError], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a store of one's own as well."""
    monkeypatch.setattr(SqliteStore, "search", None)
    with KnowledgeBase.open(tmp_path / "k.db") as knowledge, pytest.raises(kind, match=message):
        evaluate(**{"knowledge": knowledge, "judgements": ASKED, **wrong})


@pytest.mark.requirement("KB-EVAL-SAME-1")
def test_a_clock_that_is_set_back_takes_no_time(corpus: Path) -> None:
    """Not less than none; what is measured is the same."""
    told: list[EvaluationProgress] = []
    back = itertools.count(1000, -1)
    found = quick(corpus, on_progress=told.append, clock=lambda: next(back))
    assert (found.times.search, found.times.prompt, found.times.filling) == (0.0, 0.0, 0.0)
    assert {at.elapsed for at in told} == {0.0}
    assert found == quick(corpus)


def test_a_corpus_that_is_none_leaves_no_store(tmp_path: Path) -> None:
    """It is read before a store is made for it."""
    store = tmp_path / "none.db"
    with pytest.raises(InputError):
        quick(tmp_path / "missing.jsonl", store=store)
    bad = tmp_path / "bad.jsonl"
    bad.write_text("no JSON\n")
    with pytest.raises(InputError):
        quick(bad, store=store)
    assert not store.exists()
