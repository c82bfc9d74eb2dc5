"""Every benchmark in turn: tables for people, and JSON and pictures under ``build/bench``.

Run ``make bench``. Ratios compare things measured in the same run; nothing here decides whether a build passes.
"""

from __future__ import annotations

import json
import platform
from pathlib import Path
from typing import Any

import chart
import compile as compiling
import filters
import grounding
import hygiene
import prefix
import query
import selection

OUT = Path(__file__).resolve().parent.parent / "build" / "bench"


def selection_chart(results: list[dict[str, Any]]) -> str:
    """Times of one selection, by size and case."""
    groups = [
        (
            f"{result['rows']:,} rows, {result['case']}",
            [
                (name, micro, f"{micro:,.0f} µs, × {result['ratio_to_plain'][name]:.2f}")
                for name, micro in result["microseconds"].items()
            ],
        )
        for result in results
    ]
    return chart.bars("Selection beside the plain way and the idioms of two frameworks", groups)


def query_chart(figures: dict[str, Any]) -> str:
    """Milliseconds of a question, by kind."""
    kinds: dict[str, dict[str, float]] = figures["queries"]
    groups = [
        (kind, [(name, times[name], f"{times[name]:,.1f} ms") for name in ("p50_ms", "p95_ms")])
        for kind, times in kinds.items()
    ]
    return chart.bars(f"A question to a store of {figures['chunks']:,} passages", groups)


def prefix_chart(result: dict[str, Any]) -> str:
    """Shares of a conversation, by how the prompt is put together."""
    groups = [
        (title, [(name, 100 * share, f"{share:.1%}") for name, share in result[key].items()])
        for title, key in (("any prefix", "shares"), ("up to a breakpoint", "at_breakpoints"))
    ]
    return chart.bars(f"Bytes of {result['turns']} turns that a prefix cache can use again", groups)


def main() -> None:
    """Measure, print, write."""
    OUT.mkdir(parents=True, exist_ok=True)
    print("Measuring selection ...", flush=True)
    chosen = selection.run()
    print(selection.show(chosen), "\n\nMeasuring questions ...", flush=True)
    treated = hygiene.run()
    print(hygiene.show(treated), "\n")
    compiled = compiling.run()
    print(compiling.show(compiled), "\n")
    asked = query.measure(20_000, 100, 10)
    print(query.table(asked), "\n\nMeasuring prefixes ...", flush=True)
    reused = prefix.run()
    print(prefix.show(reused), "\n\nMeasuring filters ...", flush=True)
    filtered = filters.run()
    print(filters.show(filtered), "\n")
    grounded = grounding.run()
    print(grounding.show(grounded))
    results = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "selection": chosen,
        "hygiene": treated,
        "compile": compiled,
        "query": asked,
        "prefix": reused,
        "filters": filters.results(filtered),
        "grounding": filters.results(grounded),
    }
    (OUT / "results.json").write_text(json.dumps(results, indent=2) + "\n")
    (OUT / "selection.svg").write_text(selection_chart(chosen))
    (OUT / "prefix.svg").write_text(prefix_chart(reused))
    (OUT / "query.svg").write_text(query_chart(asked))
    print(f"\nJSON and pictures: {OUT}")


if __name__ == "__main__":
    main()
