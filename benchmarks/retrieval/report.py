"""The run as tables for people and as a picture; every ratio is to this project's own row of the same run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

sys.path.append(str(Path(__file__).resolve().parent.parent))

import chart  # the drawing that all benchmarks share

if TYPE_CHECKING:
    from collections.abc import Callable

TITLES: Final = {
    "symfonic": "symfonic-knowledge",
    "own vectors": "symfonic-knowledge, its own vectors",
    "chroma": "LangChain + Chroma",
    "faiss": "LangChain + FAISS",
    "llamaindex": "LlamaIndex, default store",
    "txtai": "txtai, hybrid",
}
#: Heading, section, figure (from the medians and the options), decimals.
COLUMNS: Final[tuple[tuple[str, str, Callable[[Any, Any], float], int], ...]] = (
    ("store a passage, CPU µs", "put", lambda row, options: row["cpu"] / options["chunks"] * 1e6, 0),
    ("wall µs", "put", lambda row, options: row["wall"] / options["chunks"] * 1e6, 0),
    ("bytes on disk", "put", lambda row, options: row["bytes"] / options["chunks"], 0),
    ("ask p50, CPU ms", "ask", lambda row, _: row["cpu_p50_ms"], 2),
    ("p95, CPU ms", "ask", lambda row, _: row["cpu_p95_ms"], 2),
    ("p50, wall ms", "ask", lambda row, _: row["wall_p50_ms"], 2),
    ("p95, wall ms", "ask", lambda row, _: row["wall_p95_ms"], 2),
    ("cold answer, CPU s", "cold", lambda row, _: row["cpu"], 2),
    ("wall s", "cold", lambda row, _: row["wall"], 2),
    ("peak MB", "cold", lambda row, _: row["resident_mb"], 0),
    ("ingest a document, CPU ms", "ingest", lambda row, options: row["cpu"] / options["documents"] * 1e3, 1),
    ("wall ms", "ingest", lambda row, options: row["wall"] / options["documents"] * 1e3, 1),
    ("orders that change the first five", "ties", lambda row, _: row["changed"], 0),
    ("installed MB", "size", lambda row, _: row["all"], 0),
    ("without graphics MB", "size", lambda row, _: row["without_graphics"], 0),
)
GROUPS: Final = (COLUMNS[:3], COLUMNS[3:7], COLUMNS[7:10], COLUMNS[10:12], COLUMNS[12:])
PLAIN: Final = frozenset({"ties"})  # counts, of which a ratio says nothing


def value(run: Any, store: str, column: tuple[str, str, Callable[[Any, Any], float], int]) -> float | str:
    """A figure, or why there is none."""
    row = run["results"].get(store, {})
    if "unavailable" in row:
        return str(row["unavailable"])
    section = row.get(column[1], {})
    if "median" in section:
        return column[2](section["median"], run["options"])
    return str(section.get("failed", "not measured"))


def cell(run: Any, store: str, column: tuple[str, str, Callable[[Any, Any], float], int]) -> str:
    """The figure, and how many times ours it is."""
    figure, ours = value(run, store, column), value(run, "symfonic", column)
    if isinstance(figure, str):
        return figure if figure == "not measured" else "–"
    text = f"{figure:,.{column[3]}f}"
    if column[1] in PLAIN or store == "symfonic" or isinstance(ours, str) or not ours:
        return text
    return f"{text} (× {figure / ours:.3g})"


def table(heading: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [heading, ["---", *["---:"] * (len(heading) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def reasons(run: Any) -> list[str]:
    """A line for everything that could not be measured."""
    found = []
    for store, row in run["results"].items():
        if "unavailable" in row:
            found.append(f"- {TITLES[store]}: {row['unavailable']}")
            continue
        failed = {section["failed"] for section in row.values() if isinstance(section, dict) and "failed" in section}
        found += [f"- {TITLES[store]}: {reason}" for reason in sorted(failed)]
    return found


def graded(run: Any) -> str:
    """nDCG@10 by collection."""
    rows = {store: row["quality"] for store, row in run["results"].items() if "quality" in row}
    scores = {store: section["median"] for store, section in rows.items() if section.get("median")}
    if not scores:
        return "nDCG@10: not measured; SYMFONIC_CORPORA names no collections."
    names = list(next(iter(scores.values())))
    lines = [[TITLES[store], *(f"{figures[name]:.3f}" for name in names)] for store, figures in scores.items()]
    return table(["nDCG@10", *names], lines)


def grown(run: Any) -> str:
    """Questions to this project's store as it grows."""
    sizes = run["results"].get("symfonic", {}).get("growth", {}).get("median")
    if not sizes:
        return "Growth: not measured."
    rows = []
    for size, figures in sizes.items():
        asked, stored = figures["ask"], figures["put"]
        names = ("cpu_p50_ms", "cpu_p95_ms", "wall_p50_ms", "wall_p95_ms")
        rows.append(
            [f"{int(size):,}", f"{stored['cpu'] / int(size) * 1e6:,.0f}", *(f"{asked[at]:,.1f}" for at in names)]
        )
    return table(["passages", "store, CPU µs", "ask p50, CPU ms", "p95, CPU ms", "p50, wall ms", "p95, wall ms"], rows)


def markdown(run: Any) -> str:
    """All tables."""
    stores = [store for store in TITLES if store in run["options"]["stores"]]
    load, options = run["load_before_and_after"], run["options"]
    size = (
        f"{options['chunks']:,} passages, {options['questions']} questions, {options['documents']:,} documents of "
        f"{options['document_chars']:,} characters embedded"
    )
    busy = f"{run['cores']} cores, load {load[0]:.1f} before and {load[1]:.1f} after"
    parts = [f"{size}, {options['orders']} orders; {busy}."]
    for columns in GROUPS:
        lines = [[TITLES[store], *(cell(run, store, column) for column in columns)] for store in stores]
        parts.append(table(["", *(column[0] for column in columns)], lines))
    parts += [graded(run), grown(run)]
    if missing := reasons(run):
        parts.append("Not measured:\n\n" + "\n".join(missing))
    releases = [
        f"- {TITLES[store]}: " + ", ".join(f"{name} {release}" for name, release in row["releases"].items())
        for store, row in run["results"].items()
        if "releases" in row
    ]
    return "\n\n".join([*parts, "\n".join(releases)]) + "\n"


def picture(run: Any) -> str:
    """The main figures as bars."""
    groups = []
    for column in (COLUMNS[0], COLUMNS[3], COLUMNS[7], COLUMNS[10], COLUMNS[13]):
        figures = {store: value(run, store, column) for store in TITLES}
        bars = [
            (TITLES[store], figure, cell(run, store, column))
            for store, figure in figures.items()
            if not isinstance(figure, str)
        ]
        if bars:
            groups.append((column[0], bars))
    return chart.bars(f"Retrieval beside peers, {run['options']['chunks']:,} passages", groups)
