"""Sixty questions about a public collection have the same answers from PostgreSQL as from the embedded store."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from symfonic.adapters.knowledge.embedders.minilm import MiniLM
from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.adapters.knowledge.stores.pgvector import PgvectorStore
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.capabilities.knowledge import ContextRequest, DropCode, KnowledgeSource, RetrievalPolicy
from symfonic.composition.knowledge import KnowledgeBase

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


pytestmark = [pytest.mark.corpora, pytest.mark.stores]

HARDENED = RetrievalPolicy.hardened(key=bytes(32), max_total_chars=1_500)


class Filled(NamedTuple):
    """Both stores with the same passages, and sixty questions."""

    embedded: SqliteStore
    served: PgvectorStore
    questions: list[str]


@pytest.fixture(scope="module", params=["en", "de"])
def filled(
    corpora: Path, tmp_path_factory: pytest.TempPathFactory, postgres: Any, request: pytest.FixtureRequest
) -> Iterator[Filled]:
    """By words and MiniLM, in German by words alone."""
    folder = corpora / "collections" / f"xquad-{request.param}"
    passages = [json.loads(line) for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines()]
    questions = [json.loads(line)["text"] for line in (folder / "queries.jsonl").read_text("utf-8").splitlines()]
    embedder = MiniLM() if request.param == "en" else None
    items = [
        (
            Document(scope_path="", origin=passage["id"], file=passage["id"], digest="1"),
            [Chunk(text=passage["text"], label=passage["title"] or passage["id"], ordinal=0)],
            None if embedder is None else embedder.embed_documents([passage["text"]]),
        )
        for passage in passages
    ]
    place = tmp_path_factory.mktemp("parity") / "xquad.db"
    with (
        SqliteStore(place, embedder=embedder) as embedded,
        PgvectorStore(postgres.url, schema=f"xquad {request.param}", embedder=embedder) as served,
    ):
        for store in (embedded, served):
            store.put_many(items)
        yield Filled(embedded, served, questions[:: len(questions) // 60][:60])


@pytest.mark.requirement("ST-PG-SAME-1")
def test_xquad_has_the_same_rows_and_scores(filled: Filled) -> None:
    """Source, content, score, metadata of ten rows each, to the bit."""
    answers = [(filled.embedded.search(one, 10), filled.served.search(one, 10)) for one in filled.questions]
    assert len(answers) == 60
    assert min(len(rows) for rows, _ in answers) == 10
    assert [rows for rows, _ in answers] == [rows for _, rows in answers]


@pytest.mark.requirement("ST-PG-SAME-2")
def test_xquad_has_the_same_admitted_rows_reasons_and_prompt(filled: Filled) -> None:
    """Asked through the knowledge base: the whole selection, row by row, reason by reason, and the prompt's bytes."""
    ours, theirs = (KnowledgeBase(store, key=bytes(32)) for store in (filled.embedded, filled.served))
    for question in filled.questions:
        one, other = ours.ask(question), theirs.ask(question)
        assert one.selection.admitted
        assert one.selection == other.selection
        assert one.prompt.text.encode() == other.prompt.text.encode()


@pytest.mark.requirement("ST-PG-SAME-2")
def test_xquad_has_the_same_selection_under_ceilings_that_bite(filled: Filled) -> None:
    """Selected on its own, so tightly that rows are left out by name."""
    request = ContextRequest("knowledge")
    selections = [
        [KnowledgeSource(store, question, HARDENED).select(request) for question in filled.questions]
        for store in (filled.embedded, filled.served)
    ]
    assert selections[0] == selections[1]
    assert {reason.code for one in selections[0] for _, reason in one.dropped} >= {DropCode.OVER_TOTAL}
