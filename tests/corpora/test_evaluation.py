"""Evaluation on public collections: the figures that the documentation tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from symfonic.composition.knowledge import (
    Judgements,
    Settings,
    evaluate_collection,
    paired_differences,
    read_judgements,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.corpora
@pytest.mark.requirement("KB-EVAL-MEASURE-1")
@pytest.mark.parametrize(
    ("name", "queries", "documents", "ndcg", "recall"),
    [("cranfield", 225, 1400, 0.375, 0.747), ("xquad-en", 1190, 240, 0.970, 0.995)],
)
def test_words_alone_rank_as_well_as_told(
    name: str, queries: int, documents: int, ndcg: float, recall: float, corpora: Path
) -> None:
    """nDCG@10 and recall@100 within a hundredth; everything in the files is used, or told."""
    folder = corpora / "collections" / name
    judged = read_judgements(folder / "queries.jsonl", folder / "qrels.tsv")
    found = evaluate_collection(folder / "corpus.jsonl", judged, resamples=1000)
    assert (found.queries, found.unjudged, found.documents) == (queries, 0, documents)
    assert found.metrics["ndcg@10"].value == pytest.approx(ndcg, abs=0.01)
    assert found.metrics["recall@100"].value == pytest.approx(recall, abs=0.01)
    assert {code for _, code, _ in found.faults.counts} <= {"blank"}
    left = found.boundary.raw["recall"].value - sum(found.boundary.lost.values()) + found.boundary.gained
    assert left == pytest.approx(found.boundary.admitted["recall"].value)


@pytest.mark.corpora
@pytest.mark.requirement("KB-EVAL-MEASURE-1")
def test_words_and_meaning_rank_as_well_as_told_and_no_worse_than_words(corpora: Path, tmp_path: Path) -> None:
    """The first 200 questions of XQuAD, by id, over all its documents, which are embedded once: .987 against .981."""
    folder = corpora / "collections" / "xquad-en"
    judged = read_judgements(folder / "queries.jsonl", folder / "qrels.tsv")
    first = judged.judged[:200]
    some = Judgements(
        queries={query: judged.queries[query] for query in first},
        grades={query: judged.grades[query] for query in first},
    )
    hybrid, words = (
        evaluate_collection(
            folder / "corpus.jsonl",
            some,
            store=tmp_path / "xquad.db",
            settings=Settings(embedder=embedder),
            resamples=1000,
        )
        for embedder in ("minilm", "none")
    )
    assert (hybrid.queries, hybrid.documents, hybrid.not_stored, words.embedder) == (200, 240, 0, None)
    assert hybrid.metrics["ndcg@10"].value == pytest.approx(0.987, abs=0.01)
    assert paired_differences(words.per_query, hybrid.per_query, resamples=1000)["ndcg@10"].value >= 0
