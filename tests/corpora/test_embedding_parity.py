"""The local embedder beside the same model in floating point: near in angle, and as good at finding.

Processors with other instructions round differently, and some saturate in products of bytes, so the bounds have a
margin. Measured where there is VNNI, over the first 120 documents and 60 queries: cosines of .9956 in the mean and
.9933 at least on Cranfield, .9960 and .9931 on XQuAD (English); nDCG@10 in 8 bits and in floating point of .5868 and
.5859, and of .9486 and .9508. Over all documents the lowest cosines were .9823 and .9915, and nDCG@10 .3714 and .3749,
and .9444 and .9456.
"""

from __future__ import annotations

import json
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pytest

from symfonic.adapters.knowledge.embedders import minilm
from symfonic.adapters.knowledge.embedders.minilm import MiniLM
from symfonic.adapters.knowledge.measures.trec import TrecMeasures

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

pytestmark = pytest.mark.corpora

DOCUMENTS: Final = 120
QUERIES: Final = 60

COLLECTIONS = {"cranfield": 0.57, "xquad-en": 0.93}
"""Name to the nDCG@10 that is reached."""


class Collection(NamedTuple):
    documents: list[str]
    queries: list[str]
    grades: list[dict[str, int]]
    """For each query the grade of each judged document, by its place."""


def sample(folder: Path) -> Collection:
    """The first documents of a collection, each its title and its text, and the first queries they answer."""
    documents = [json.loads(line) for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines()[:DOCUMENTS]]
    queries = [json.loads(line) for line in (folder / "queries.jsonl").read_text("utf-8").splitlines()]
    place = {str(document["id"]): str(number) for number, document in enumerate(documents)}
    grades: dict[str, dict[str, int]] = {str(query["id"]): {} for query in queries}
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        if document in place:
            grades[query][place[document]] = int(grade)
    asked = [query for query in queries if any(grades[str(query["id"])].values())][:QUERIES]
    texts = [f"{document.get('title', '')}\n{document['text']}".strip() for document in documents]
    return Collection(texts, [query["text"] for query in asked], [grades[str(query["id"])] for query in asked])


class Found(NamedTuple):
    vectors: NDArray[Any]
    ndcg: float


def searched(embedder: MiniLM, found: Collection) -> Found:
    """Every document's vector, and how well they answer the queries."""
    documents = np.stack(embedder.embed_documents(found.documents))
    scores = np.stack(embedder.embed_documents(found.queries)) @ documents.T
    ranked = np.argsort(-scores, axis=1, kind="stable")[:, :10].tolist()
    measured = TrecMeasures().values(("ndcg@10",), found.grades, [list(map(str, row)) for row in ranked])
    return Found(documents, fmean(measured["ndcg@10"]))


@pytest.mark.requirement("KB-EMB-7")
@pytest.mark.parametrize(("name", "reached"), COLLECTIONS.items())
def test_eight_bits_are_close_to_floating_point(
    corpora: Path, name: str, reached: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model as it is installed calculates in floating point: cosines to its vectors, and nDCG@10 of both."""
    found = sample(corpora / "collections" / name)
    small = searched(MiniLM(), found)
    monkeypatch.setattr(minilm, "with_integer_arithmetic", lambda model: model)
    whole = searched(MiniLM(), found)

    cosines = np.sum(small.vectors * whole.vectors, axis=1)
    figures = {"mean": float(cosines.mean()), "lowest": float(cosines.min()), "8": small.ndcg, "32": whole.ndcg}
    assert figures["mean"] > 0.99, figures
    assert figures["lowest"] > 0.96, figures
    assert small.ndcg > whole.ndcg - 0.01, figures
    assert small.ndcg > reached, figures
