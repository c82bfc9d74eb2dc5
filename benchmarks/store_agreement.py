"""Whether other stores rank as the embedded one does: questions of a public collection, the first ten rows of each.

Usage: ``.venv-stores/bin/python benchmarks/store_agreement.py COLLECTION [--questions 60] [--passages N]``
``[--engine NAME]… [--words] [--json FILE]``

A collection is a folder with ``corpus.jsonl`` (``id``, ``title``, ``text``) and ``queries.jsonl`` (``text``). Each
passage is embedded once by MiniLM, ``--words`` leaves vectors out, and every store is given the same. Of each store:
the share of questions with the same rows, in the same order and with the same scores; the mean share of the embedded
store's rows that it found (overlap@10); the mean of Kendall's tau-b over the rows both answered; the highest difference
of a score; and the share of questions for which the boundary admits the same rows and the same prompt is compiled.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from scipy.stats import kendalltau

from symfonic.adapters.knowledge.embedders.minilm import MiniLM
from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.adapters.knowledge.stores.chroma import ChromaStore
from symfonic.adapters.knowledge.stores.lancedb import LanceDBStore
from symfonic.adapters.knowledge.stores.pgvector import PgvectorStore
from symfonic.adapters.knowledge.stores.qdrant import QdrantStore
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.composition.knowledge import KnowledgeBase

if TYPE_CHECKING:
    from collections.abc import Sequence

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))
import postgres

KEY, ROWS, BATCH = bytes(32), 10, 400


def lines_of(path: Path) -> list[dict[str, Any]]:
    """One object a line."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def items_of(passages: Sequence[dict[str, Any]], embedder: MiniLM | None) -> list[tuple[Document, list[Chunk], Any]]:
    """Each passage as a document of one chunk, with its vector."""
    return [
        (
            Document(scope_path="", origin=passage["id"], file=passage["id"], digest="1"),
            [Chunk(text=passage["text"], label=passage["title"] or passage["id"], ordinal=0)],
            None if embedder is None else embedder.embed_documents([passage["text"]]),
        )
        for passage in passages
    ]


def answers_of(store: Any, questions: Sequence[str]) -> tuple[list[list[Any]], list[Any]]:
    """The first rows of each question; and what the boundary admits of them, with the prompt it ends in."""
    knowledge = KnowledgeBase(store, key=KEY)
    rows = [list(store.search(question, ROWS))[:ROWS] for question in questions]
    asked = [knowledge.ask(question) for question in questions]
    return rows, [(one.selection.admitted, one.prompt.text) for one in asked]


def agreement(ours: Sequence[list[Any]], theirs: Sequence[list[Any]]) -> dict[str, float]:
    """How far two rankings of the same questions agree."""
    overlaps, taus, apart = [], [], [0.0]
    for a, b in zip(ours, theirs, strict=True):
        mine, others = ({(row.source, row.content): (at, row.score) for at, row in enumerate(rows)} for rows in (a, b))
        both = [name for name in mine if name in others]
        overlaps.append(len(both) / len(mine) if mine else float(not others))
        apart += [abs(mine[name][1] - others[name][1]) for name in both]
        if len(both) > 1:
            taus.append(float(kendalltau([mine[one][0] for one in both], [others[one][0] for one in both]).statistic))
    return {
        "same_rows_and_scores": fmean(a == b for a, b in zip(ours, theirs, strict=True)),
        "overlap_at_10": fmean(overlaps),
        "kendall_tau": round(fmean(taus), 9),
        "highest_score_difference": max(apart),
    }


def makers_of(place: Path, url: str, embedder: MiniLM | None) -> dict[str, Any]:
    """How each store is made; the first is what others are compared with."""
    return {
        "embedded": lambda: SqliteStore(place / "own.db", embedder=embedder),
        "PostgreSQL, exact": lambda: PgvectorStore(url, embedder=embedder),
        "LanceDB": lambda: LanceDBStore(place / "lancedb", embedder=embedder),
        "Chroma": lambda: ChromaStore(place / "chroma", embedder=embedder),
        "Qdrant": lambda: QdrantStore.from_url(f"qdrant://{place}/qdrant", embedder=embedder),
    }


def measured(
    collection: Path, count: int, embedder: MiniLM | None, most: int | None = None, engines: Sequence[str] = ()
) -> dict[str, Any]:
    """All figures."""
    passages = lines_of(collection / "corpus.jsonl")[:most]
    questions = [line["text"] for line in lines_of(collection / "queries.jsonl")]
    asked = questions[:: max(1, len(questions) // count)][:count]
    items = items_of(passages, embedder)
    found: dict[str, Any] = {"collection": collection.name, "passages": len(passages), "questions": len(asked)}
    with ExitStack() as open_, tempfile.TemporaryDirectory() as folder:
        server = open_.enter_context(postgres.running())
        reference: Any = None
        for name, make in makers_of(Path(folder), server.url, embedder).items():
            if reference is not None and engines and name not in engines:
                continue
            started = time.perf_counter()
            with make() as store:
                for at in range(0, len(items), BATCH):
                    store.put_many(items[at : at + BATCH])
                stored = time.perf_counter()
                rows, admitted = answers_of(store, asked)
            reference = reference or (rows, admitted)
            found[name] = agreement(reference[0], rows) | {
                "same_admitted_and_prompt": fmean(a == b for a, b in zip(reference[1], admitted, strict=True)),
                "storing_seconds": round(stored - started, 1),
                "asking_seconds": round(time.perf_counter() - stored, 1),
            }
            print(name, json.dumps(found[name]), file=sys.stderr, flush=True)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("collection", type=Path)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--passages", type=int, help="of the collection's the first so many")
    parser.add_argument("--engine", action="append", default=[], help="only this one beside the embedded store")
    parser.add_argument("--words", action="store_true", help="search by words alone")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    found = measured(
        chosen.collection, chosen.questions, None if chosen.words else MiniLM(), chosen.passages, chosen.engine
    )
    print(json.dumps(found, indent=2))
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
