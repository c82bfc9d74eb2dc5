"""How long the embedded store takes to store a passage and to answer a question.

Run ``python benchmarks/query.py``; ``--chunks`` sets the size, ``--json`` prints one JSON object instead of the table.
Text comes from a seed: words drawn from a vocabulary of realistic skew (Zipf), with a topic for each document, so that
questions have answers and common words are common. Times are wall clock, one thread.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sqlite3
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 20_000
CHUNKS_PER_DOCUMENT = 8
VOCABULARY = 30_000
WORDS_PER_CHUNK = (80, 220)
_FUNCTION_WORDS = "the of and a to in is that for it as was with be by on not this are or at from which but have"
FUNCTION_WORDS = _FUNCTION_WORDS.split()


class Corpus:
    """Documents and questions that depend on the seed alone."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        syllables = [start + vowel for start in "bcdfglmnprstvz" for vowel in "aeiou"]
        words = {"".join(self._random.choices(syllables, k=self._random.randint(2, 5))) for _ in range(VOCABULARY * 2)}
        self._words = sorted(words)[:VOCABULARY]
        self._random.shuffle(self._words)
        self._weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(VOCABULARY)))

    def _draw(self, count: int) -> list[str]:
        return self._random.choices(self._words, cum_weights=self._weights, k=count)

    def _text(self, topic: list[str]) -> str:
        length = self._random.randint(*WORDS_PER_CHUNK)
        sources = (FUNCTION_WORDS, self._draw(length), topic)
        picks = self._random.choices(sources, weights=(40, 52, 8), k=length)
        words = [self._random.choice(pick) for pick in picks]
        sentences = [" ".join(words[at : at + 15]).capitalize() for at in range(0, length, 15)]
        return ". ".join(sentences) + "."

    def documents(self, chunks: int) -> Iterator[tuple[Document, list[Chunk]]]:
        """Documents of some passages each, ``chunks`` passages in all."""
        for number, first in enumerate(range(0, chunks, CHUNKS_PER_DOCUMENT)):
            topic = self._draw(12)
            file = f"handbook/{topic[0]}/{number:05}.md"
            size = min(CHUNKS_PER_DOCUMENT, chunks - first)
            yield (
                Document(scope_path="", origin=f"/{file}", file=file, digest=f"{number:064x}", kind="markdown"),
                [
                    Chunk(text=self._text(topic), label=f"{file} § {topic[1]}", ordinal=at, heading=topic[1])
                    for at in range(size)
                ],
            )

    def question(self, common: int, rare: int) -> str:
        """A question of function words, words from the vocabulary's head, and words drawn as text is."""
        head = self._random.sample(self._words[:100], k=common)
        words = [*self._random.sample(FUNCTION_WORDS, k=3), *head, *self._draw(rare)]
        self._random.shuffle(words)
        return " ".join(words).capitalize() + "?"


def _milliseconds(store: SqliteStore, questions: list[str], limit: int) -> list[float]:
    taken = []
    for question in questions:
        start = time.perf_counter()
        store.search(question, limit)
        taken.append((time.perf_counter() - start) * 1000)
    return taken


def measure(chunks: int, questions: int, limit: int) -> dict[str, object]:
    """Fill a store, ask, and return the figures with their units in the names."""
    corpus = Corpus(SEED)
    documents = list(corpus.documents(chunks))
    with tempfile.TemporaryDirectory() as folder, SqliteStore(Path(folder) / "knowledge.sqlite3") as store:
        start = time.perf_counter()
        for document, passages in documents:
            store.put(document, passages)
        seconds = time.perf_counter() - start
        queries = {}
        for name, common, rare in (("ordinary", 1, 4), ("common words only", 6, 0), ("long", 6, 24)):
            asked = [corpus.question(common, rare) for _ in range(questions)]
            taken = _milliseconds(store, asked, limit)
            cuts = statistics.quantiles(taken, n=20)
            queries[name] = {
                "p50_ms": round(cuts[9], 2),
                "p95_ms": round(cuts[18], 2),
                "worst_ms": round(max(taken), 2),
            }
        return {
            "chunks": chunks,
            "characters": sum(len(passage.text) for _, passages in documents for passage in passages),
            "sqlite": sqlite3.sqlite_version,
            "questions": questions,
            "limit": limit,
            "ingest_us_per_chunk": round(seconds / chunks * 1_000_000, 1),
            "file_bytes": store.stats().file_bytes,
            "queries": queries,
        }


def table(figures: dict[str, object]) -> str:
    """The figures as a table for people."""
    lines = [
        f"{figures['chunks']:,} chunks, {figures['characters']:,} characters, SQLite {figures['sqlite']}",
        f"store overhead of ingest  {figures['ingest_us_per_chunk']} µs per chunk",
        f"size of the file          {figures['file_bytes']:,} bytes",
        "",
        f"{'question':<20}{'p50 ms':>10}{'p95 ms':>10}{'worst ms':>10}",
    ]
    queries = figures["queries"]
    assert isinstance(queries, dict)
    for name, row in queries.items():
        lines.append(f"{name:<20}{row['p50_ms']:>10}{row['p95_ms']:>10}{row['worst_ms']:>10}")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Time ingest and questions on the embedded store.")
    parser.add_argument("--chunks", type=int, default=20_000)
    parser.add_argument("--questions", type=int, default=100, help="questions of each kind")
    parser.add_argument("--limit", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = measure(options.chunks, options.questions, options.limit)
    print(json.dumps(figures, indent=2) if options.json else table(figures))


if __name__ == "__main__":
    main()
