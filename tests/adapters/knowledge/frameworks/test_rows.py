"""What becomes of a framework's answer: labels, metadata, scopes, ties, failures. Stand-ins: nothing is installed."""

from __future__ import annotations

import math
from pathlib import PurePosixPath
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge import DeclaredScope, StoreError
from symfonic.adapters.knowledge.frameworks.haystack import HaystackRetriever
from symfonic.adapters.knowledge.frameworks.langchain import LangChainRetriever, LangChainStore
from symfonic.adapters.knowledge.frameworks.llamaindex import LlamaIndexRetriever
from symfonic.capabilities.knowledge import ContextRequest, FragmentSelection, KnowledgeSource, RetrievalPolicy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ACME = "tenant\x1facme"
EVERYBODY = DeclaredScope.fixed("")


def document(text: Any = "text", number: Any = 0.5, **told: Any) -> Any:
    """A document of LangChain's shape with its score."""
    return SimpleNamespace(page_content=text, metadata=told, id="own-id"), number


class Store:
    """Answers the best ``k`` of what it holds as LangChain's stores do: equals in the order of storing."""

    def __init__(self, *pairs: Any, error: BaseException | None = None) -> None:
        self.pairs = list(pairs)
        self.error = error
        self.asked: list[tuple[str, int, dict[str, Any]]] = []

    def similarity_search_with_score(self, query: str, k: int, **named: Any) -> list[Any]:
        self.asked.append((query, k, named))
        if self.error is not None:
            raise self.error
        return self.pairs[:k]


def adapted(store: Any, **told: Any) -> LangChainStore:
    """The store behind our adapter, everybody's and of similarities unless told otherwise."""
    return LangChainStore(store, **{"scope": EVERYBODY, "scores": "similarity", **told})


def selected(retriever: Any, **ceilings: Any) -> FragmentSelection:
    """What the boundary makes of it."""
    return KnowledgeSource(retriever, "leave", RetrievalPolicy(**ceilings)).select(ContextRequest("k"))


@pytest.mark.requirement("FW-ROW-1")
def test_metadata_shadow_neither_content_nor_what_is_reserved() -> None:
    """Keys that frameworks or the boundary read in a sense of their own are not a document's to say."""
    claims = {
        "page_content": "other",
        "scope_path": ACME,
        "document": "another's",
        "score": 9,
        "content": "c",
        "kept": 1,
    }
    (row,) = adapted(Store(document("text", **claims))).search("q", 3)
    assert (row.content, row.score) == ("text", 0.5)
    assert dict(row.metadata) == {"score": 9, "content": "c", "kept": 1, "scope_path": ""}


@pytest.mark.parametrize(
    ("told", "label"),
    [
        ({"id": "i", "title": "t", "url": "u", "file_name": "n", "file_path": "p", "source": "s"}, "s"),
        ({"id": "i", "title": "t", "url": "u", "file_name": "n", "file_path": "p"}, "p"),
        ({"id": "i", "title": "t", "url": "u", "file_name": "n"}, "n"),
        ({"id": "i", "title": "t", "url": "u"}, "u"),
        ({"id": "i", "title": "t"}, "t"),
        ({"id": "i"}, "i"),
        ({}, "own-id"),
        ({"source": " ", "file_path": None, "file_name": 7, "url": ["x"], "title": "t"}, "t"),
        ({"source": PurePosixPath("a/b.md")}, "a/b.md"),
        ({"source": " Leave.MD "}, " Leave.MD "),
    ],
)
def test_a_row_is_named_after_the_first_field_with_a_name(told: dict[str, Any], label: str) -> None:
    """As it stands there; the document's own id is the last choice."""
    (row,) = adapted(Store(document(**told))).search("q", 3)
    assert row.source == label


def test_the_operator_may_choose_the_label() -> None:
    """A document without any name is unknown to the boundary."""
    pair = (SimpleNamespace(page_content="x", metadata={"ref": "r", "source": "s"}), 0.5)
    assert [row.source for row in adapted(Store(pair), labels=["ref"]).search("q", 3)] == ["r"]
    assert [row.source for row in adapted(Store(pair), labels=[]).search("q", 3)] == [""]


class Odd(dict[str, Any]):
    """Metadata that raise when they are gone through."""

    def items(self) -> Any:
        raise RuntimeError


@pytest.mark.requirement("FW-ROW-2")
@pytest.mark.parametrize(
    ("item", "code"),
    [
        (None, "bad-score"),
        ("a text", "bad-score"),
        ((SimpleNamespace(), 0.5), "bad-score"),
        (document(7), "bad-content"),
        (document(None), "bad-content"),
        (document("x", math.nan), "bad-score"),
        (document("x", "0.9"), "bad-score"),
        (document("x", None), "bad-score"),
        (document("x", True), "bad-score"),
        (document("\ud800"), "bad-text"),
        ((SimpleNamespace(page_content="x", metadata=Odd(a=1)), 0.5), "bad-score"),
    ],
)
def test_a_row_nobody_can_read_costs_no_other(item: Any, code: str) -> None:
    """The boundary leaves it out by name, wherever in the answer it stands."""
    for pairs in ((item, document("good")), (document("good"), item)):
        selection = selected(adapted(Store(*pairs)))
        assert [row.content for row in selection.admitted] == ["good"]
        assert [reason.code.value for _, reason in selection.dropped] == [code]


class Incomparable(str):
    """Text of a class of its own that cannot be put in order."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __lt__(self, other: object) -> bool:
        raise RuntimeError

    def __eq__(self, other: object) -> bool:
        raise RuntimeError


@pytest.mark.requirement("FW-ROW-2")
def test_text_of_a_strange_class_is_text() -> None:
    """What its class says of order and equality is not asked."""
    odd = SimpleNamespace(page_content=Incomparable("x"), metadata={"source": Incomparable("a")})
    rows = adapted(Store((odd, 0.5), (odd, 0.5))).search("q", 3)
    assert [(type(row.content), type(row.source), row.content) for row in rows] == [(str, str, "x")] * 2


@pytest.mark.parametrize("metadata", [None, 7, "text", [("source", "s")], {7: "x", None: 1}])
def test_metadata_of_a_strange_type_are_none(metadata: Any) -> None:
    """The row stays."""
    (row,) = adapted(Store((SimpleNamespace(page_content="x", metadata=metadata), 0.5))).search("q", 3)
    assert (row.content, dict(row.metadata)) == ("x", {"scope_path": ""})


@pytest.mark.requirement("FW-SCOPE-1")
def test_rows_are_visible_where_the_operator_says_they_are_stored() -> None:
    """By one path for all, or by the field that names it; a claim of the document's own is none."""
    claims = [document("a", tenant_path=ACME), document("b", tenant_path=""), document("c", scope_path="")]
    named = adapted(Store(*claims), scope=DeclaredScope.field("tenant_path"))
    assert [row.content for row in named.search("q", 9, scope_path=ACME)] == ["a", "b"]
    assert [row.content for row in named.search("q", 9)] == ["b"]
    assert [row.content for row in named.search("q", 9, scope_path="tenant\x1facme-labs")] == ["b"]
    store = Store(*claims)
    fixed = adapted(store, scope=DeclaredScope.fixed(ACME))
    assert [row.metadata["scope_path"] for row in fixed.search("q", 9, scope_path=ACME)] == [ACME] * 3
    store.asked.clear()
    assert fixed.search("q", 9) == []
    assert store.asked == []


@pytest.mark.requirement("FW-TIE-1")
def test_ties_at_the_cut_are_fetched_and_decided_by_the_rows() -> None:
    """Twenty equals behind one better row: all are asked for, whatever the order of storing."""
    tied = [document(f"text {number:02}", 0.5) for number in range(20)]
    best = document("best", 0.9)
    answers = set()
    for order in (tied, tied[::-1]):
        store = Store(best, *order, document("last", 0.1))
        rows = adapted(store).search("q", 3)
        answers.add(tuple(row.content for row in rows))
        assert [k for _, k, _ in store.asked] == [4, 16, 64]
    assert answers == {("best", *(f"text {number:02}" for number in range(20)))}


@pytest.mark.requirement("FW-TIE-1")
def test_fetching_is_bounded() -> None:
    """By ``max_rows``, also where a store answers without end, whatever limit is asked for."""
    store = Store(*(document(f"text {number}", 0.5) for number in range(500)))
    assert len(adapted(store, max_rows=100).search("q", 3)) == 100
    assert [k for _, k, _ in store.asked] == [4, 16, 64, 100]
    assert len(adapted(store, max_rows=100).search("q", 2**40)) == 100


def test_rows_of_others_push_nothing_out() -> None:
    """Without a filter of theirs, more is fetched until what is visible fills the limit."""
    others = [document(f"other {number}", 0.9, at="tenant\x1fother") for number in range(60)]
    store = Store(*others, document("ours", 0.5, at=ACME))
    retriever = adapted(store, scope=DeclaredScope.field("at"))
    assert [row.content for row in retriever.search("q", 1, scope_path=ACME)] == ["ours"]


def test_a_filter_of_theirs_is_made_from_the_scope_path() -> None:
    """Its arguments are handed on."""
    store = Store(document())
    adapted(store, filters=lambda path: {"filter": path}).search("q", 1, scope_path=ACME)
    assert store.asked == [("q", 2, {"filter": ACME})]


@pytest.mark.parametrize(("query", "limit"), [("", 3), (" \n", 3), ("q", 0), ("q", -1)])
def test_nothing_asked_is_nothing_answered(query: str, limit: int) -> None:
    """Stores of theirs raise for an empty question."""
    store = Store(document())
    assert adapted(store).search(query, limit) == []
    assert store.asked == []


def test_half_a_surrogate_pair_reaches_no_store() -> None:
    """Theirs cannot encode it."""
    store = Store(document())
    adapted(store).search("nine \ud800", 1)
    assert store.asked[0][0].encode() == b"nine " + "\ufffd".encode() * 3


@pytest.mark.requirement("FW-ERR-1")
def test_what_a_framework_raises_is_a_store_error_without_its_words() -> None:
    """They may quote anything; the error itself is the cause."""
    error = RuntimeError("password=hunter2")
    with pytest.raises(StoreError, match="LangChain's store failed: RuntimeError") as told:
        adapted(Store(error=error)).search("q", 3)
    assert told.value.__cause__ is error
    assert "hunter2" not in str(told.value)
    known = StoreError("known")
    with pytest.raises(StoreError) as told:
        adapted(Store(error=known)).search("q", 3)
    assert told.value is known


@pytest.mark.requirement("FW-ERR-1")
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_ends_a_process_passes(error: type[BaseException]) -> None:
    """It is no failure of a store."""
    with pytest.raises(error):
        adapted(Store(error=error())).search("q", 3)


def test_an_answer_that_fails_while_it_is_read_is_a_failure() -> None:
    """An answer may be a generator."""

    class Lazy:
        def similarity_search_with_score(self, query: str, k: int) -> Any:
            yield document()
            raise OSError

    with pytest.raises(StoreError, match="OSError"):
        adapted(Lazy()).search("q", 3)


@pytest.mark.requirement("FW-SCORE-2")
@pytest.mark.parametrize(
    ("missing", "field", "scores"),
    [
        ("rank", None, [1.0, 0.5]),
        (0.2, None, [0.2, 0.2]),
        ("drop", None, [None, None]),
        ("drop", "relevance_score", [0.7, None]),
        ("rank", "relevance_score", [0.7, 0.5]),
    ],
)
def test_a_retriever_without_scores_has_those_that_were_declared(missing: Any, field: Any, scores: list[Any]) -> None:
    """By rank, a number, none, or from the field in which it tells one."""

    class Retriever:
        def invoke(self, query: str) -> list[Any]:
            return [document("a", relevance_score=0.7)[0], document("b")[0]]

    retriever = LangChainRetriever(Retriever(), scope=EVERYBODY, missing_score=missing, score_field=field)
    assert [row.score for row in retriever.search("q", 9)] == scores


def test_a_retriever_is_cut_on_our_side() -> None:
    """It takes no limit: it is asked once, and the best of its answer are taken."""
    calls: list[dict[str, Any]] = []

    class Retriever:
        def invoke(self, query: str, **named: Any) -> list[Any]:
            calls.append(named)
            return [document(str(number))[0] for number in range(9)]

    retriever = LangChainRetriever(
        Retriever(), scope=EVERYBODY, missing_score="rank", filters=lambda path: {"filter": path}
    )
    assert [row.content for row in retriever.search("q", 2)] == ["0", "1"]
    assert calls == [{"filter": ""}]


class Node:
    """A node of LlamaIndex's shape: its text holds the metadata unless it is asked for without."""

    node_id = "node"
    metadata: Any = {"file_path": "a.md"}  # noqa: RUF012 - never written

    def get_content(self, metadata_mode: str = "all") -> str:
        return "text" if metadata_mode == "none" else "file_path: a.md\n\ntext"


class Found(SimpleNamespace):
    """A node with a score of LlamaIndex's shape."""

    def get_score(self) -> float:
        return self.score or 0.0


@pytest.mark.requirement("FW-SCORE-2")
def test_a_node_without_a_score_is_not_worth_zero() -> None:
    """``get_score()`` would say so."""
    index = SimpleNamespace(retrieve=lambda query: [Found(node=Node(), score=None), Found(node=Node(), score=0.3)])
    selection = selected(LlamaIndexRetriever(index, scope=EVERYBODY), min_score=0.0)
    assert [(row.content, row.source, row.score) for row in selection.admitted] == [("text", "a.md", 0.3)]
    assert [reason.code.value for _, reason in selection.dropped] == ["bad-score"]


def test_an_index_is_asked_for_as_many_rows_as_it_takes() -> None:
    """A retriever decides itself, and takes no filter."""
    asked: list[dict[str, Any]] = []

    class Index:
        def as_retriever(self, **named: Any) -> Any:
            asked.append(named)
            rows = [Found(node=Node(), score=0.5)] * 10
            return SimpleNamespace(retrieve=lambda query: rows[: named["similarity_top_k"]])

    assert (
        len(LlamaIndexRetriever(Index(), scope=EVERYBODY, filters=lambda path: {"filters": path}).search("q", 1)) == 10
    )
    assert asked == [{"similarity_top_k": k, "filters": ""} for k in (2, 8, 32)]
    with pytest.raises(ValueError, match="a retriever takes none"):
        LlamaIndexRetriever(SimpleNamespace(retrieve=len), scope=EVERYBODY, filters=lambda path: {})


def haystack_document(text: str, score: Any) -> Any:
    """A document of Haystack's shape."""
    return SimpleNamespace(content=text, meta={"title": "t"}, score=score, id="digest")


@pytest.mark.parametrize(
    ("embed", "question"),
    [(None, {"query": "q"}), (lambda text: (len(text), 2), {"query_embedding": [1, 2]})],
)
def test_a_component_is_asked_by_words_or_by_a_vector(
    embed: Callable[[str], Sequence[float]] | None, question: dict[str, Any]
) -> None:
    """And with a filter made from the scope path."""
    asked: list[dict[str, Any]] = []

    class Component:
        def run(self, **named: Any) -> Any:
            asked.append(named)
            return {"documents": [haystack_document("text", 0.5)]}

    retriever = HaystackRetriever(Component(), scope=EVERYBODY, embed=embed, filters=lambda path: {"filters": path})
    assert [(row.content, row.source) for row in retriever.search("q", 1)] == [("text", "t")]
    assert asked == [{"top_k": 2, "filters": "", **question}]


def test_a_document_store_is_asked_by_words() -> None:
    """It is no component."""
    store = SimpleNamespace(bm25_retrieval=lambda query, top_k: [haystack_document(query, 0.5)][:top_k])
    assert [row.content for row in HaystackRetriever(store, scope=EVERYBODY).search("q", 1)] == ["q"]


def test_a_declaration_that_is_none_is_refused() -> None:
    """When the adapter is made."""
    with pytest.raises(TypeError, match="is a DeclaredScope"):
        adapted(Store(), scope="")
    for max_rows in (0, True, 1.0):
        with pytest.raises(ValueError, match="at least 1"):
            adapted(Store(), max_rows=max_rows)
    with pytest.raises(ValueError, match="upside down"):
        adapted(Store(), scores="score")
    for adapter in (LangChainStore, LangChainRetriever, LlamaIndexRetriever, HaystackRetriever):
        told: dict[str, Any] = {"missing_score": "drop"} if adapter is LangChainRetriever else {"scores": "similarity"}
        with pytest.raises(TypeError, match="object has none and could not be asked"):
            adapter(object(), scope=EVERYBODY, **told)
