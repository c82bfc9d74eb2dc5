"""Sixty questions about a public collection have the same answers from PostgreSQL as from the embedded store."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.embedders.minilm import MiniLM
from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.adapters.knowledge.stores.pgvector import PgvectorStore
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.corpora
@pytest.mark.stores
@pytest.mark.requirement("ST-PG-SAME-1")
@pytest.mark.parametrize("language", ["en", "de"])
def test_xquad_has_the_same_rows_and_scores(corpora: Path, tmp_path: Path, postgres: Any, language: str) -> None:
    """Source, content, score, metadata of ten rows each, to the bit: by words and MiniLM, in German by words alone."""
    folder = corpora / "collections" / f"xquad-{language}"
    passages = [json.loads(line) for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines()]
    questions = [json.loads(line)["text"] for line in (folder / "queries.jsonl").read_text("utf-8").splitlines()]
    asked = questions[:: len(questions) // 60][:60]
    embedder = MiniLM() if language == "en" else None
    items = [
        (
            Document(scope_path="", origin=passage["id"], file=passage["id"], digest="1"),
            [Chunk(text=passage["text"], label=passage["title"] or passage["id"], ordinal=0)],
        )
        for passage in passages
    ]
    with (
        SqliteStore(tmp_path / "xquad.db", embedder=embedder) as embedded,
        PgvectorStore(postgres.url, schema=f"xquad {language}", embedder=embedder) as served,
    ):
        vectors = [None if embedder is None else embedder.embed_documents([chunk.text]) for _, (chunk,) in items]
        for store in (embedded, served):
            store.put_many((*item, found) for item, found in zip(items, vectors, strict=True))
        answers = [(embedded.search(question, 10), served.search(question, 10)) for question in asked]
    assert len(answers) == 60
    assert min(len(rows) for rows, _ in answers) == 10
    assert [rows for rows, _ in answers] == [rows for _, rows in answers]
