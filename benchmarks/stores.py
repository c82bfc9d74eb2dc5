"""What a question costs in PostgreSQL beside the embedded store, storing, and recall of the index.

Usage: ``.venv-stores/bin/python benchmarks/stores.py [--chunks 100000] [--questions 200] [--json FILE]``

Passages are 80 words drawn by Zipf's law without its first twenty, which stand for stop words, from 30,000; vectors are
384 numbers around 200 centres, so that near ones exist. A tenth of the documents belongs to one of ten tenants, the
rest to the deployment. Questions have six words and a vector; they are asked for ten rows, by the deployment and by a
tenant, after one round that warms up. PostgreSQL is started by ``scripts/postgres.py`` and does not flush to disk, so
the rate of storing is that of a server whose disk keeps up. Recall is the share of the exact rows that the index found.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.adapters.knowledge.stores import _pgvector_ranking
from symfonic.adapters.knowledge.stores.pgvector import PgvectorStore
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))
import postgres

DIMENSIONS, WORDS, PER_DOCUMENT, TENANT = 384, 30_000, 10, "tenant\x1f3"
VOCABULARY = [f"{chr(97 + at % 26)}{chr(97 + at // 26 % 26)}{at}w" for at in range(WORDS)]
_WEIGHTS = 1 / np.arange(21, WORDS + 21)
LAW = _WEIGHTS / _WEIGHTS.sum()
CENTRES = np.random.default_rng(9).normal(size=(200, DIMENSIONS))


class Given:
    """An embedder whose vectors are given with every call."""

    name, dimensions = "given", DIMENSIONS

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """It makes none."""
        raise NotImplementedError

    def embed_query(self, text: str) -> list[float]:
        """It makes none."""
        raise NotImplementedError


def documents(chunks: int) -> Iterator[tuple[Document, list[Chunk], Any]]:
    """The same documents at every call."""
    chance = np.random.default_rng(1)
    for number in range(chunks // PER_DOCUMENT):
        scope = f"tenant\x1f{number // 10 % 10}" if number % 10 == 0 else ""
        words = chance.choice(WORDS, size=(PER_DOCUMENT, 80), p=LAW)
        vectors = CENTRES[number % 200] + chance.normal(size=(PER_DOCUMENT, DIMENSIONS)) * 0.8
        document = Document(scope_path=scope, origin=f"/{number}", file=f"{number}", digest="1")
        passages = [
            Chunk(text=" ".join(VOCABULARY[word] for word in row), label=f"{number} p. {at}", ordinal=at)
            for at, row in enumerate(words)
        ]
        yield document, passages, vectors.astype(np.float32)


def questions(count: int) -> list[tuple[str, Any]]:
    """Six words and a vector each."""
    chance = np.random.default_rng(5)
    return [
        (
            " ".join(VOCABULARY[word] for word in chance.choice(WORDS, size=6, p=LAW)),
            CENTRES[at % 200] + chance.normal(size=DIMENSIONS) * 0.8,
        )
        for at in range(count)
    ]


def stored(store: Any, chunks: int) -> float:
    """Passages stored in a second; making them is not counted."""
    spent = 0.0
    items = documents(chunks)
    while batch := [item for item, _ in zip(items, range(400), strict=False)]:
        started = time.perf_counter()
        store.put_many(batch)
        spent += time.perf_counter() - started
    return chunks / spent


def asked(store: Any, wanted: Sequence[tuple[str, Any]], scope: str) -> tuple[dict[str, float], list[list[Any]]]:
    """Milliseconds of a question, and the rows of each."""
    for question, vector in wanted[:20]:
        store.search(question, 10, scope_path=scope, vector=vector)
    spent, rows = [], []
    for question, vector in wanted:
        started = time.perf_counter()
        rows.append(store.search(question, 10, scope_path=scope, vector=vector))
        spent.append((time.perf_counter() - started) * 1000)
    return {"p50_ms": statistics.median(spent), "p95_ms": statistics.quantiles(spent, n=20)[-1]}, rows


def recall(exact: list[list[Any]], found: list[list[Any]]) -> float:
    """Share of the exact rows that were found."""
    shares = [
        len({row.source for row in a} & {row.source for row in b}) / len(a)
        for a, b in zip(exact, found, strict=True)
        if a
    ]
    return statistics.fmean(shares)


def measured(chunks: int, count: int) -> dict[str, Any]:
    """All figures."""
    wanted = questions(count)
    found: dict[str, Any] = {"chunks": chunks, "questions": count}
    with (
        postgres.running(shared_buffers="512MB") as server,
        tempfile.TemporaryDirectory() as folder,
        PgvectorStore(server.url, embedder=Given()) as exact,
        SqliteStore(Path(folder) / "bench.db", embedder=Given()) as embedded,
    ):
        for name, store in (("pgvector exact", exact), ("embedded", embedded)):
            found[name] = {"chunks_per_second": stored(store, chunks), "file_mb": store.stats().file_bytes / 1e6}
        exact.vacuum()
        started = time.perf_counter()
        with PgvectorStore(server.url, embedder=Given(), index="hnsw") as indexed:
            found["pgvector hnsw"] = {"build_seconds": time.perf_counter() - started}
            for who, scope in (("deployment", ""), ("tenant", TENANT)):
                answers = {}
                for name, store in (("embedded", embedded), ("pgvector exact", exact), ("pgvector hnsw", indexed)):
                    found[name][who], answers[name] = asked(store, wanted, scope)
                found["pgvector exact"][who]["same_as_embedded"] = answers["embedded"] == answers["pgvector exact"]
                found["pgvector hnsw"][who]["recall"] = recall(answers["pgvector exact"], answers["pgvector hnsw"])
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--always-index", action="store_true", help="use the index however few passages are visible")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    if chosen.always_index:
        _pgvector_ranking.READ_WHOLE = 0  # type: ignore[misc]  # a small run shall try it too
    found = measured(chosen.chunks, chosen.questions)
    print(json.dumps(found, indent=2))
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
