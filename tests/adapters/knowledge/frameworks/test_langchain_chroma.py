"""LangChain's Chroma, wrapped: the shipped suite over a real collection, ties at the cut, scopes, and its distances.

Chroma's index is a graph of near neighbours. With its default of 16 neighbours a row beside 240 near copies was out of
reach in about half of the collections made for it, filtered or not, and a wider `ef_search` changed nothing. With 256
none was in sixty, so that is what these collections have.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge import DeclaredScope, ScoreKind
from symfonic.adapters.knowledge.frameworks.langchain import LangChainStore
from symfonic.capabilities.knowledge import scope_ancestors
from symfonic.testing.knowledge import RetrieverConformance, SeedRow

from .conftest import SCOPE, documents_of, vector

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

pytestmark = [pytest.mark.stores, pytest.mark.filterwarnings("ignore")]

ACME, LABS = "tenant\x1facme", "tenant\x1flabs"
_NAMES = itertools.count()


def chroma_of(rows: Sequence[SeedRow], *, space: str = "l2", folder: Path | None = None) -> Any:
    """LangChain's wrapper around a collection of its own, in memory or in a folder, ``space`` its distance."""
    import chromadb
    from chromadb.config import Settings
    from langchain_chroma import Chroma
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings

    class Words(Embeddings):  # type: ignore[misc, unused-ignore]
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [vector(text) for text in texts]

        def embed_query(self, text: str) -> list[float]:
            return vector(text)

    quiet = Settings(anonymized_telemetry=False)
    store = Chroma(
        collection_name=f"rows-{next(_NAMES)}",  # clients in memory share one
        embedding_function=Words(),
        client=chromadb.EphemeralClient(quiet) if folder is None else chromadb.PersistentClient(str(folder), quiet),
        collection_configuration={"hnsw": {"space": space, "max_neighbors": 256}},
    )
    documents = [Document(page_content=text, metadata=told) for text, told in documents_of(rows)]
    if documents:
        store.add_documents(documents)
    return store


def visible(path: str) -> Mapping[str, Any]:
    """Chroma's own filter for the rows of a scope."""
    return {"filter": {"tenant_path": {"$in": list(scope_ancestors(path))}}}


def wrapped(store: Any, scores: ScoreKind = "squared-distance", **told: Any) -> LangChainStore:
    """Behind our adapter, filtered by Chroma."""
    return LangChainStore(store, **{"scope": SCOPE, "scores": scores, "filters": visible, **told})


@pytest.mark.requirement("FW-CONF-1")
class TestChroma(RetrieverConformance):
    """Squared distances, as Chroma answers unless told otherwise."""

    def make_retriever(self, rows: Sequence[SeedRow]) -> Any:
        return wrapped(chroma_of(rows))


@pytest.mark.requirement("FW-CONF-1")
class TestChromaByCosine(RetrieverConformance):
    """Cosine distances; without a filter of Chroma's, so that more is fetched until what is visible fills the limit."""

    def make_retriever(self, rows: Sequence[SeedRow]) -> Any:
        return wrapped(chroma_of(rows, space="cosine"), "cosine-distance", filters=None)


@pytest.mark.requirement("FW-TIE-1")
def test_rows_that_tie_at_the_cut_are_the_same_in_whatever_order_they_were_stored() -> None:
    """Chroma itself answers two of twelve, by the order of storing."""
    rows = [SeedRow(content="days of leave", source=f"{name}.md", scope_path=ACME) for name in "abcdefghijkl"]
    above = SeedRow(content="leave", source="z.md", scope_path=ACME)
    answers = []
    for stored in ([above, *rows], [*reversed(rows), above]):
        found = wrapped(chroma_of(stored)).search("leave", 2, scope_path=ACME)
        answers.append([(row.source, row.score) for row in found])
        assert [row.source for row in found] == ["z.md", *(row.source for row in rows)]
        assert len({row.score for row in found[1:]}) == 1
    assert answers[0] == answers[1]


@pytest.mark.requirement("FW-SCOPE-1")
@pytest.mark.parametrize("filters", [visible, None], ids=["filtered", "unfiltered"])
def test_a_scope_is_the_field_that_ingestion_wrote_and_no_document_says_it_itself(filters: Any) -> None:
    """Its own rows and the deployment's; a row without the field, and one that claims a scope, are seen by nobody."""
    from langchain_core.documents import Document

    store = chroma_of(
        [SeedRow(content="leave", source=f"{path[-4:]}.md", scope_path=path) for path in ("", ACME, LABS)]
    )
    store.add_documents([Document(page_content="leave", metadata={"source": "x.md", "scope_path": ACME})])
    ours = wrapped(store, filters=filters)
    seen = {path: [row.source for row in ours.search("leave", 9, scope_path=path)] for path in ("", ACME, LABS)}
    assert seen == {"": [".md"], ACME: [".md", "acme.md"], LABS: [".md", "labs.md"]}
    assert [row.metadata["scope_path"] for row in ours.search("leave", 9, scope_path=ACME)] == ["", ACME]


@pytest.mark.requirement("FW-SCORE-1")
@pytest.mark.parametrize(
    ("space", "scores", "expected"),
    [
        ("l2", "squared-distance", [1.0, 1 / (1 + 2**0.5)]),
        ("cosine", "cosine-distance", [1.0, 0.0]),
        ("ip", "cosine-distance", [1.0, 0.0]),
    ],
)
def test_each_distance_of_chroma_becomes_a_score_by_the_declared_policy(
    space: str, scores: ScoreKind, expected: list[float], tmp_path: Path
) -> None:
    """The same text, and one at a right angle; its inner product is answered as one minus it. Kept in a folder."""
    rows = [SeedRow(content=text, source=f"{text}.md", scope_path="") for text in ("parking", "leave")]
    ours = wrapped(chroma_of(rows, space=space, folder=tmp_path), scores, scope=DeclaredScope.field("tenant_path"))
    found = ours.search("leave", 2)
    assert [row.source for row in found] == ["leave.md", "parking.md"]
    assert [row.score for row in found] == pytest.approx(expected, abs=1e-6)
