"""nDCG@10 on public collections, one judge for all: ``ir-measures`` over the same judgements.

A collection is a folder with ``corpus.jsonl`` (``id``, ``title``, ``text``), ``queries.jsonl`` (``id``, ``text``) and
``qrels.tsv`` (query, document, grade; first line is a heading), under ``$SYMFONIC_CORPORA/collections``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import ir_measures
import made

if TYPE_CHECKING:
    from pathlib import Path

#: Name in the table, folder, number of questions taken (all when ``None``).
COLLECTIONS = (
    ("SciFact", "scifact", None),
    ("Cranfield", "cranfield", None),
    ("XQuAD-en", "xquad-en", None),
    ("XQuAD-en, first 200", "xquad-en", 200),
)


def _lines(file: Path) -> list[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write(source: Path, folder: Path) -> None:
    """Write texts and questions of a collection the way workers read them; only questions that are judged."""
    judged = set(judgements(source))
    documents, questions = _lines(source / "corpus.jsonl"), _lines(source / "queries.jsonl")
    texts = ["\n".join(part for part in (row.get("title"), row["text"]) if part) for row in documents]
    made.write(folder / "corpus.jsonl", [str(row["id"]) for row in documents], texts)
    asked = [row for row in questions if str(row["id"]) in judged]
    made.write(folder / "queries.jsonl", [str(row["id"]) for row in asked], [row["text"] for row in asked])


def judgements(source: Path) -> dict[str, dict[str, int]]:
    """Grades by question and document."""
    grades: dict[str, dict[str, int]] = {}
    for line in (source / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        grades.setdefault(query, {})[document] = int(grade)
    return grades


def ndcg(source: Path, questions: list[str], found: list[list[tuple[str, float]]]) -> float:
    """Mean nDCG@10 over those questions. The order of each answer counts: ranks stand in for scores, so ties stay."""
    grades = judgements(source)
    run = {
        query: {document: float(-rank) for rank, (document, _) in enumerate(rows)}
        for query, rows in zip(questions, found, strict=True)
    }
    measure = ir_measures.nDCG @ 10
    values = {row.query_id: row.value for row in ir_measures.iter_calc([measure], grades, run)}
    return sum(values.get(query, 0.0) for query in questions) / len(questions)
