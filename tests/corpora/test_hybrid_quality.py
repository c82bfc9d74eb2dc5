"""Words and meaning together on a public collection: the figure that is told, and above words alone.

Cranfield, whole: 1,400 documents, which the local embedder embeds once, and 225 questions, of which every third is
asked by words alone as well; what words alone reach over all of them is held in the neighbouring tests of evaluation.
SciFact has five times the text, too much for every run; its figure is measured in its folder of the corpora, with

    symfonic-knowledge eval --corpus corpus.jsonl --queries queries.jsonl --qrels qrels.tsv \
        --embedder minilm --compare none
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from symfonic.composition.knowledge import (
    Evaluation,
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
def test_words_and_meaning_find_more_than_words_on_cranfield(corpora: Path, tmp_path: Path) -> None:
    """nDCG@10 of .418; over every third question .446 against .397, the whole interval of the difference above 0."""
    folder = corpora / "collections" / "cranfield"
    judged = read_judgements(folder / "queries.jsonl", folder / "qrels.tsv")
    thirds = judged.judged[::3]
    some = Judgements(queries=judged.queries, grades={query: judged.grades[query] for query in thirds})

    def measured(asked: Judgements, embedder: str) -> Evaluation:
        corpus, store = folder / "corpus.jsonl", tmp_path / "cranfield.db"
        return evaluate_collection(corpus, asked, store=store, settings=Settings(embedder=embedder), resamples=100)

    hybrid, words = measured(judged, "minilm"), measured(some, "none")
    assert (hybrid.queries, hybrid.documents, hybrid.embedded) == (225, 1400, 1.0)
    assert (words.queries, words.embedder) == (75, None)
    assert hybrid.metrics["ndcg@10"].value == pytest.approx(0.418, abs=0.003)
    better = paired_differences(words.per_query, hybrid.per_query, resamples=1000)["ndcg@10"].interval
    assert better is not None
    assert better[0] > 0
