"""Selection beside the plain way to do the same job, in one process and one run: ratios, not absolute times.

The plain way is what people write by hand: sort everything by score, source and content, check the ceilings row by
row, format a reason for every row that is left out, join the rest. The framework idioms are what LangChain and
LlamaIndex applications do with the rows of a retriever; they are measured where these packages are installed (group
``bench``), and left out where not. Limit 3, contents of about 330 characters, as in the published targets.
"""

from __future__ import annotations

import gc
import importlib
import random
import re
import statistics
import time
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from symfonic.capabilities.knowledge import RetrievalPolicy, RetrievedFragment, render_fragments, select_fragments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIZES = (10, 1_000, 100_000)
KEY = bytes(range(32))
WORDS = (
    "the",
    "shop",
    "opens",
    "at",
    "nine",
    "on",
    "weekdays",
    "and",
    "closes",
    "late",
    "refunds",
    "take",
    "parking",
    "is",
    "free",
)


def make_rows(count: int) -> list[RetrievedFragment]:
    """Rows of about 330 ASCII characters with distinct scores, in no order."""
    rng = random.Random(7)
    return [
        RetrievedFragment(
            " ".join(rng.choices(WORDS, k=65)), f"folder/file-{number % 997}.md", rng.random(), {"scope_path": ""}
        )
        for number in range(count)
    ]


def plain(rows: list[RetrievedFragment], policy: RetrievalPolicy) -> tuple[str, list[tuple[str, str]]]:
    """Sort everything, format every reason: no hygiene, no screening of rows."""
    admitted: list[str] = []
    dropped: list[tuple[str, str]] = []
    total = 0
    for row in sorted(rows, key=lambda row: (-row.score, row.source, row.content)):
        line = ""
        if len(admitted) < policy.limit:
            flat = re.sub(r"[\r\n]+", " ", row.content)
            line = f"SOURCE [{row.source}]: {flat}"
        if len(admitted) >= policy.limit:
            dropped.append((row.source, f"over the limit of {policy.limit} rows"))
        elif row.score < policy.min_score:
            dropped.append((row.source, f"score {row.score} is below {policy.min_score}"))
        elif len(row.content) > policy.max_fragment_chars:
            dropped.append((row.source, f"{len(row.content)} characters, at most {policy.max_fragment_chars}"))
        elif total + len(line) > policy.max_total_chars:
            dropped.append((row.source, f"{total + len(line)} characters in all, at most {policy.max_total_chars}"))
        else:
            admitted.append(line)
            total += len(line) + 1
    return "\n".join(admitted), dropped


def ours(rows: list[RetrievedFragment], policy: RetrievalPolicy) -> tuple[str, Any]:
    """The boundary, reasons read."""
    selection = select_fragments(rows, policy)
    return render_fragments(selection), selection.dropped


def langchain_idiom(rows: list[RetrievedFragment], policy: RetrievalPolicy) -> Callable[[], Any] | None:
    """Documents joined by blank lines: the usual ``format_docs`` of a LangChain chain. No reasons exist there."""
    try:
        from langchain_core.documents import Document
    except ImportError:
        return None
    pairs = [(Document(page_content=row.content, metadata={"source": row.source}), row.score) for row in rows]

    def run() -> str:
        best = sorted(pairs, key=lambda pair: pair[1], reverse=True)[: policy.limit]
        return "\n\n".join(document.page_content for document, score in best if score >= policy.min_score)

    return run


def llamaindex_idiom(rows: list[RetrievedFragment], policy: RetrievalPolicy) -> Callable[[], Any] | None:
    """Nodes through the similarity postprocessor, then their content with metadata. No reasons exist there either."""
    try:
        from llama_index.core.postprocessor import SimilarityPostprocessor
        from llama_index.core.schema import MetadataMode, NodeWithScore, TextNode
    except ImportError:
        return None
    nodes = [
        NodeWithScore(node=TextNode(text=row.content, metadata={"source": row.source}), score=row.score) for row in rows
    ]
    cut = SimilarityPostprocessor(similarity_cutoff=policy.min_score)

    def run() -> str:
        best = sorted(nodes, key=lambda node: node.score or 0.0, reverse=True)[: policy.limit]
        return "\n\n".join(n.node.get_content(metadata_mode=MetadataMode.LLM) for n in cut.postprocess_nodes(best))

    return run


def timed(jobs: dict[str, Callable[[], Any]], rounds: int, batch: int = 1) -> dict[str, float]:
    """Median seconds of processor time of each job, run ``batch`` times a round.

    The jobs take turns, so that a busy moment meets all of them; time spent waiting for a processor counts for none.
    """
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            started = time.process_time()
            for _ in range(batch):
                job()
            times[name].append((time.process_time() - started) / batch)
    return {name: statistics.median(values) for name, values in times.items()}


TARGET: Final = 1.0
"""Ratio to the plain way that selection in default mode should not pass, at any size; hardened mode has no target."""


def cases(size: int) -> Iterator[tuple[str, list[RetrievedFragment]]]:
    """Rows as they should be, and rows that leave the cheapest path; one list at a time, as a store answers one.

    Three lists of 100,000 rows kept alive would measure the garbage collector, which walks them all. The last case is
    the dearest there is: one score and one text for all, so that even their metadata has to be read to order them.
    """
    yield "distinct scores", make_rows(size)
    yield "scores of two decimals", [replace(row, score=round(row.score, 2)) for row in make_rows(size)]
    yield "letters beyond ASCII", [replace(row, content=f"Größe {row.content}") for row in make_rows(size)]
    first = make_rows(1)[0]
    yield "one row again and again", [replace(first, metadata={"scope_path": ""}) for _ in range(size)]


def measure(size: int) -> list[dict[str, Any]]:
    """All ways at one size, case by case; peers in the first case only, up to 1,000 rows."""
    policy, hardened = RetrievalPolicy(), RetrievalPolicy.hardened(key=KEY)
    results: list[dict[str, Any]] = []
    for case, rows in cases(size):
        jobs: dict[str, Callable[[], Any]] = {
            "plain": partial(plain, rows, policy),
            "ours": partial(ours, rows, policy),
            "ours, hardened": partial(ours, rows, hardened),
        }
        if size <= 1_000 and not results:  # building framework objects for 100,000 rows outlasts all measuring
            peers = {
                "LangChain idiom": langchain_idiom(rows, policy),
                "LlamaIndex idiom": llamaindex_idiom(rows, policy),
            }
            jobs.update({name: job for name, job in peers.items() if job is not None})
        seconds = timed(jobs, *{10: (100, 20), 1_000: (60, 1), 100_000: (5, 1)}[size])
        ratios = {name: second / seconds["plain"] for name, second in seconds.items()}
        results.append(
            {
                "rows": size,
                "case": case,
                "microseconds": {name: second * 1e6 for name, second in seconds.items()},
                "ratio_to_plain": ratios,
                "target": TARGET,
                "met": ratios["ours"] <= TARGET,
            }
        )
    return results


def run() -> list[dict[str, Any]]:
    """Measure every size.

    What peers load is a heap of a million objects, and Python's collector would walk it during whatever makes many
    objects of its own; it is set aside first. Rows are not: an application has them.
    """
    for module in ("langchain_core.documents", "llama_index.core.schema", "llama_index.core.postprocessor"):
        with suppress(ImportError):
            importlib.import_module(module)
    gc.collect()
    gc.freeze()
    return [result for size in SIZES for result in measure(size)]


def show(results: list[dict[str, Any]]) -> str:
    """The results as a table for people."""
    lines = ["Selection, limit 3, contents of ~330 characters (median; ratio to the plain way in the same run)"]
    for result in results:
        verdict = "met" if result["met"] else "missed"
        lines.append(f"  {result['rows']:>7,} rows, {result['case']} (target × {result['target']:.2f}: {verdict})")
        lines.extend(
            f"    {name:<22}{micro:>12,.1f} µs   × {result['ratio_to_plain'][name]:.2f}"
            for name, micro in result["microseconds"].items()
        )
    return "\n".join(lines)


if __name__ == "__main__":
    print(show(run()))
