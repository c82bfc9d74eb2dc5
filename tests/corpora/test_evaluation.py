"""Evaluation on public collections: the figures that the documentation tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from symfonic.composition.knowledge import evaluate_collection, read_judgements

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
