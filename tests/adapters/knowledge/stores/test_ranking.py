"""Scores by hand, order by rule, and nothing that depends on insertion order or on what cannot be seen."""

from __future__ import annotations

import itertools
import math
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symfonic.adapters.knowledge.ports import Chunk, Document, StoreError
from symfonic.adapters.knowledge.stores._ranking import MAX_TIES
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from symfonic.capabilities.knowledge import RetrievedFragment

ACME = "tenant\x1facme"
ACME_USER = "tenant\x1facme\x1fuser\x1f7"
LABS = "tenant\x1facme-labs"
SCOPES = ("", ACME, ACME_USER, LABS, "tenant\x1fbeta")

Row = tuple[str, str, float, dict[str, Any]]


def plain(rows: Iterable[RetrievedFragment]) -> list[Row]:
    """Rows as values that compare field by field."""
    return [(row.source, row.content, row.score, dict(row.metadata)) for row in rows]


def sources(rows: Iterable[RetrievedFragment]) -> list[str]:
    """Labels, best first."""
    return [row.source for row in rows]


def put(store: SqliteStore, file: str, text: str, *, scope: str = "", label: str = "", heading: str = "") -> None:
    """Store a document of one passage."""
    document = Document(scope_path=scope, origin=f"/{file}", file=file, digest="d")
    store.put(document, [Chunk(text=text, label=label, ordinal=0, heading=heading)])


@pytest.mark.requirement("ST-SIM-1")
def test_scores_are_bm25_over_its_highest_value(store: SqliteStore) -> None:
    """Three passages of 4, 2 and 6 words; the whole calculation by hand."""
    put(store, "a", "apple apple pear plum")
    put(store, "b", "apple fig")
    put(store, "c", "pear fig fig fig fig fig")
    rows = store.search("apples and pears, quince", 10)
    idf_two, idf_none = math.log(1 + 1.5 / 2.5), math.log(1 + 3.5 / 0.5)
    highest = 2.2 * (idf_two + idf_two + idf_none)

    def gain(f: int, length: int) -> float:
        return idf_two * f * 2.2 / (f + 1.2 * (0.25 + 0.75 * length / 4))

    expected = {"a": gain(2, 4) + gain(1, 4), "b": gain(1, 2), "c": gain(1, 6)}
    assert {row.metadata["file"]: row.score for row in rows} == pytest.approx(
        {file: value / highest for file, value in expected.items()}, rel=1e-12
    )
    assert [row.metadata["file"] for row in rows] == ["a", "b", "c"]


@pytest.mark.requirement("ST-SIM-1")
def test_a_passage_of_mean_length_with_every_word_once_scores_the_same_in_every_corpus(store: SqliteStore) -> None:
    """That is what makes a floor mean something."""
    put(store, "a", "apple pear")
    assert store.search("apple pear", 1)[0].score == pytest.approx(1 / 2.2)
    put(store, "b", "fig plum")
    assert store.search("apple pear", 1)[0].score == pytest.approx(1 / 2.2)


def test_words_nobody_wrote_weigh_the_score_down(store: SqliteStore) -> None:
    """A question mostly about something else is answered badly, not relatively well."""
    put(store, "a", "apple pear")
    put(store, "b", "fig plum")
    assert store.search("apple", 1)[0].score > 3 * store.search("apple zorkmid quux frobnitz", 1)[0].score


def test_a_word_of_the_heading_counts_twice_and_a_heading_in_the_label_is_not_counted_again(store: SqliteStore) -> None:
    """Context holds the label and the headings the label does not show."""
    put(store, "a", "apple pear", heading="Travel > Expenses", label="a.md § Expenses")
    put(store, "b", "expenses of someone paid here")
    rows = store.search("expenses", 10)
    idf = math.log(1 + 0.5 / 2.5)
    # a: context "a.md § Expenses Travel" has 4 words, length 2 * 4 + 2; b: 5 words; the mean is 7.5.
    assert [row.score for row in rows] == pytest.approx(
        [
            idf * f * 2.2 / (f + 1.2 * (0.25 + 0.75 * length / 7.5)) / (2.2 * idf)
            for f, length in sorted([(2, 10), (1, 5)], key=lambda pair: -pair[0])
        ]
    )
    assert [row.metadata["file"] for row in rows] == ["a", "b"]
    assert sources(store.search("travel", 10)) == ["a.md § Expenses"]


def test_rows_carry_their_place_and_nothing_else(store: SqliteStore) -> None:
    """Absolute paths stay inside; page and heading appear where known."""
    document = Document(scope_path=ACME, origin="/home/me/guide.pdf", file="guide.pdf", digest="d")
    store.put(
        document,
        [
            Chunk(text="apple", label="guide.pdf p. 3", ordinal=4, page=3, heading="Fruit"),
            Chunk(text="apple", label="g", ordinal=5),
        ],
    )
    first, second = sorted(store.search("apple", 5, scope_path=ACME), key=lambda row: row.metadata["ordinal"])
    place = {"scope_path": ACME, "document": sha256(b"/home/me/guide.pdf").hexdigest()[:32], "file": "guide.pdf"}
    assert dict(first.metadata) == {**place, "ordinal": 4, "page": 3, "heading": "Fruit"}
    assert dict(second.metadata) == {**place, "ordinal": 5}
    assert (first.source, first.content) == ("guide.pdf p. 3", "apple")


@pytest.mark.requirement("ST-ROW-2")
@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("pptx", {"slide": 3}),
        ("xlsx", {"sheet": "A > B"}),
        ("xls", {"sheet": "A > B"}),
        ("ods", {"sheet": "A > B"}),
        ("pdf", {}),
    ],
)
def test_slides_and_sheets_are_told_by_their_names(store: SqliteStore, kind: str, more: dict[str, object]) -> None:
    """Beside page and heading, which every reader knows."""
    document = Document(scope_path="", origin="/o", file="f", digest="d", kind=kind)
    store.put(document, [Chunk(text="apple", label="f", ordinal=0, page=3, heading="A > B")])
    [row] = store.search("apple", 1)
    place = {"scope_path": "", "document": sha256(b"/o").hexdigest()[:32], "file": "f", "ordinal": 0}
    assert dict(row.metadata) == {**place, "page": 3, "heading": "A > B", **more}


@pytest.mark.requirement("ST-ROW-1")
def test_rows_are_without_white_space_at_their_ends(store: SqliteStore) -> None:
    """What is stored keeps it."""
    put(store, "a", "\n \n  apple\n pie \n\n")
    assert [row.content for row in store.search("apple", 1)] == ["  apple\n pie"]
    assert [stored.chunk.text for stored in store.chunks()] == ["\n \n  apple\n pie \n\n"]


@pytest.mark.requirement("ST-ROW-1")
@pytest.mark.requirement("ST-RANK-1")
def test_ties_are_cut_in_the_order_of_what_rows_hold(store: SqliteStore) -> None:
    """White space that a row does not show plays no part."""
    spaces = ("", "\n", "\n\n", " ")
    names = [f"{number:03}" for number in range(MAX_TIES + 20)]
    for number, name in enumerate(names):
        put(store, name, spaces[number % 2] + "apple pie" + spaces[number % 4], label="l")
    rows = store.search("apple", 1)
    assert [row.metadata["file"] for row in rows] == names[: 1 + MAX_TIES]
    assert {row.content for row in rows} == {"apple pie"}


@pytest.mark.requirement("ST-RANK-1")
def test_rows_that_tie_with_the_last_one_are_returned(store: SqliteStore) -> None:
    """Insertion order never decides what is left out."""
    for name in ("d", "b", "c", "a"):
        put(store, name, "apple pie", label=name)
    put(store, "best", "apple apple", label="z")
    assert sources(store.search("apple", 1)) == ["z"]
    assert sources(store.search("apple", 2)) == ["z", "a", "b", "c", "d"]
    assert sources(store.search("apple", 10**30)) == ["z", "a", "b", "c", "d"]


@pytest.mark.requirement("ST-RANK-1")
@pytest.mark.parametrize("backwards", [False, True])
def test_no_more_than_a_fixed_number_of_ties_is_returned(store: SqliteStore, *, backwards: bool) -> None:
    """The first by source, content and place, whatever the order they were stored in."""
    names = [f"{number:03}" for number in range(400)]
    for name in reversed(names) if backwards else names:
        put(store, name, "apple pie", label=f"{int(name) % 3}")
    put(store, "best", "apple apple", label="z")
    rows = store.search("apple", 3)
    expected = [("0", name) for name in names[0::3]] + [("1", name) for name in names[1::3]]
    assert [(row.source, row.metadata["file"]) for row in rows] == [("z", "best"), *expected][: 3 + MAX_TIES]
    assert len(store.search("apple", 150)) == 401


def test_of_many_equal_rows_few_are_loaded(store: SqliteStore) -> None:
    """The passages of one document tie in everything but their place."""
    document = Document(scope_path="", origin="/a", file="a", digest="d")
    store.put(document, [Chunk(text="apple pie", label="a", ordinal=ordinal) for ordinal in range(5_000)])
    rows = store.search("apple", 3)
    assert [row.metadata["ordinal"] for row in rows] == list(range(3 + MAX_TIES))


def test_rows_of_one_score_are_ordered_by_source_then_content(store: SqliteStore) -> None:
    """The total order of the boundary, upheld by the store already."""
    for name, text, label in (("1", "pie apple", "b"), ("2", "apple pie", "b"), ("3", "apple pie", "a")):
        put(store, name, text, label=label)
    assert [(row.source, row.content) for row in store.search("apple", 1)] == [
        ("a", "apple pie"),
        ("b", "apple pie"),
        ("b", "pie apple"),
    ]


def test_limit_zero_answers_nothing(store: SqliteStore) -> None:
    """Nothing was asked for."""
    put(store, "a", "apple")
    assert list(store.search("apple", 0)) == []


@pytest.mark.parametrize("limit", [-1, True, 1.0, "3", None])
def test_a_limit_that_is_no_count_is_refused(store: SqliteStore, limit: Any) -> None:
    """A negative number is no way to ask for everything."""
    with pytest.raises(StoreError, match="a limit is a plain int of at least 0"):
        store.search("apple", limit)


def test_a_question_that_is_no_text_is_refused(store: SqliteStore) -> None:
    """Bytes are not guessed at."""
    question: Any = b"apple"
    with pytest.raises(StoreError, match="a question is text; bytes was given"):
        store.search(question, 1)


@pytest.mark.parametrize("scope", ["tenant", "tenant\x1f", "\x1facme", "a\x1fb\x1fc"])
def test_a_scope_path_that_is_none_is_refused(store: SqliteStore, scope: str) -> None:
    """Nothing is visible from nowhere."""
    with pytest.raises(StoreError, match="a scope path is kind and id in turn"):
        store.search("apple", 1, scope_path=scope)


@pytest.mark.requirement("ST-QUERY-1")
@pytest.mark.parametrize(
    "question",
    [
        "C++", "don't", "foo-bar", "col:val", '"', '""', '"a', "*", "a*", "NEAR(", "NEAR(a b, 2)", "", " ", "a AND",
        "OR", "NOT", "^a", "{a b} : c", "- a", "(", ")", "text : apple", "\0", "a\0b", "\ud800", "\udc80 apple",
        "the", "to be or not to be", "'; DROP TABLE chunk; --", "%", "_", "\\", "\x1f", "apple " * 200_000,
    ],
)  # fmt: skip
def test_no_question_is_an_error(store: SqliteStore, question: str) -> None:
    """Whatever a person types is a question."""
    put(store, "a", "apple pie with the C++ crust")
    assert all(0 < row.score <= 1 for row in store.search(question, 5))


@given(question=st.text(st.characters(), max_size=40))
def test_any_text_is_a_question(question: str) -> None:
    """Every code point, surrogates included."""
    with tempfile.TemporaryDirectory() as folder, SqliteStore(Path(folder) / "s") as opened:
        put(opened, "a", question.encode("utf-8", "replace").decode())
        assert all(0 < row.score <= 1 for row in opened.search(question, 5))


def test_stop_words_alone_find_what_holds_them(store: SqliteStore) -> None:
    """To be or not to be is a question."""
    put(store, "hamlet", "to be or not to be that is the question")
    put(store, "fruit", "apple pear")
    assert [row.metadata["file"] for row in store.search("to be or not to be", 5)] == ["hamlet"]


@pytest.mark.requirement("ST-SCOPE-1")
def test_a_row_is_seen_at_its_scope_and_below_never_beside(store: SqliteStore) -> None:
    """Membership is exact: a neighbour whose name starts alike sees nothing."""
    for scope in SCOPES:
        put(store, "a", "apple", scope=scope, label=scope)
    seen = {scope: set(sources(store.search("apple", 10, scope_path=scope))) for scope in SCOPES}
    assert seen == {
        "": {""},
        ACME: {"", ACME},
        ACME_USER: {"", ACME, ACME_USER},
        LABS: {"", LABS},
        "tenant\x1fbeta": {"", "tenant\x1fbeta"},
    }
    assert set(sources(store.search("apple", 10, scope_path="tenant\x1facm"))) == {""}
    assert set(sources(store.search("apple", 10, scope_path="tenant\x1f%"))) == {""}


WORDS = st.sampled_from(["apple", "apples", "pear", "fig", "plum", "the", "quince"])
TEXTS = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
NOTES = st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=8)


def answers(opened: SqliteStore, questions: Sequence[str], scope: str) -> list[list[Row]]:
    """Every answer at several limits."""
    return [plain(opened.search(question, limit, scope_path=scope)) for question in questions for limit in (1, 2, 50)]


@pytest.mark.requirement("ST-SCOPE-2")
@settings(max_examples=40)
@given(ours=NOTES, theirs=NOTES, questions=st.lists(TEXTS, min_size=1, max_size=3))
def test_what_cannot_be_seen_changes_no_row_and_no_bit_of_a_score(
    ours: list[tuple[str, str]], theirs: list[tuple[str, str]], questions: list[str]
) -> None:
    """Documents come and go next door and below; nothing moves here."""
    with tempfile.TemporaryDirectory() as folder, SqliteStore(Path(folder) / "s") as opened:
        for at, (label, text) in enumerate(ours):
            put(opened, str(at), text, scope=("", ACME)[at % 2], label=label)
        before = answers(opened, questions, ACME)
        for at, (label, text) in enumerate(theirs):
            put(opened, str(at), text, scope=(LABS, ACME_USER, "tenant\x1fbeta")[at % 3], label=label)
        assert answers(opened, questions, ACME) == before
        opened.forget_scope(LABS)
        opened.forget_scope(ACME_USER)
        assert answers(opened, questions, ACME) == before


@pytest.mark.requirement("ST-RANK-2")
@settings(max_examples=40)
@given(data=st.data(), notes=NOTES, questions=st.lists(TEXTS, min_size=1, max_size=3))
def test_insertion_order_changes_nothing(
    data: st.DataObject, notes: list[tuple[str, str]], questions: list[str]
) -> None:
    """Rows, scores to the bit, metadata, and what is beyond the limit."""
    numbered = list(enumerate(notes))
    seen = []
    for order in (numbered, data.draw(st.permutations(numbered))):
        with tempfile.TemporaryDirectory() as folder, SqliteStore(Path(folder) / "s") as opened:
            for at, (label, text) in order:
                put(opened, str(at), text, scope=("", ACME)[at % 2], label=label)
            seen.append(answers(opened, questions, ACME))
    assert seen[0] == seen[1]


def test_what_was_removed_and_replaced_leaves_no_mark_on_scores(store: SqliteStore, tmp_path: Path) -> None:
    """A store with a past answers like one without."""
    for round_ in range(3):
        for name in ("a", "b", "c"):
            put(store, name, f"apple pear {name} round{round_}", label=name)
    put(store, "gone", "apple apple apple", label="gone")
    store.remove([Document(scope_path="", origin="/gone", file="gone", digest="")])
    with SqliteStore(tmp_path / "fresh") as fresh:
        for name in ("c", "a", "b"):
            put(fresh, name, f"apple pear {name} round2", label=name)
        assert plain(store.search("apple pear round2 c", 2)) == plain(fresh.search("apple pear round2 c", 2))


@pytest.mark.requirement("ST-RANK-3")
def test_giving_up_on_hopeless_passages_changes_no_answer(store: SqliteStore) -> None:
    """A small limit skips work; the rows it returns are those of the full ranking, to the bit."""
    vocabulary = [f"w{number}" for number in range(60)]
    for at in range(300):
        words = [vocabulary[(at * at * step + at * 7 + step * 3) % (2 + 3 * (step % 20))] for step in range(1, 25)]
        put(store, str(at), " ".join(words), label=f"l{at % 17}")
    for first, second, third in itertools.combinations(range(0, 60, 9), 3):
        question = f"w{first} w{second} w{third} w1 w2 w3"
        everything = plain(store.search(question, 10_000))
        for limit in (1, 3, 20):
            short = plain(store.search(question, limit))
            last = everything[min(limit, len(everything)) - 1][2]
            assert short == [row for row in everything if row[2] >= last]


def test_an_empty_store_answers_nothing(store: SqliteStore) -> None:
    """There is nothing to find."""
    assert list(store.search("apple", 5)) == []


def test_passages_without_words_are_never_found(fill: Callable[..., Document], store: SqliteStore) -> None:
    """A store of symbols has a mean length of zero and still answers."""
    store.put(Document(scope_path="", origin="/x", file="x", digest=""), [Chunk(text="*** ---", label="…", ordinal=0)])
    assert list(store.search("apple", 5)) == []
    fill("a", "apple")
    assert sources(store.search("apple", 5)) == ["a p. 1"]
