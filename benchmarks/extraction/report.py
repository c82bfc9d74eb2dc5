"""Tables and a picture of what `run.py` measured."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent.parent))

import chart

OURS = "symfonic-1"
TITLES = {
    "symfonic-1": "symfonic, 1 worker",
    "symfonic-2": "symfonic, 2 workers",
    "langchain": "LangChain",
    "langchain-pdfium": "LangChain, PyPDFium2Loader",
    "llamaindex": "LlamaIndex",
}
#: Kinds in the picture.
PICTURED = ("pdf", "docx", "pptx", "xlsx", "html", "csv", "md")


def table(heading: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [heading, ["---", *["---:"] * (len(heading) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def answer(run: Any, party: str, kind: str) -> Any:
    """Figures of one kind, ``None`` where that way of reading has none."""
    return run["results"].get(party, {}).get("kinds", {}).get(kind)


def failures(run: Any, party: str, kind: str) -> int:
    """How many of the files, each counted once, gave no text."""
    return len(answer(run, party, kind)["failed"])


def reads(run: Any, party: str, kind: str) -> bool:
    """Whether it got text of any file of that kind; how long a refusal takes is no rate."""
    return bool(answer(run, party, kind)) and failures(run, party, kind) < run["sizes"][kind]["files"]


def rate(run: Any, party: str, kind: str) -> float:
    """MB a second by the clock."""
    size = run["sizes"][kind]
    return float(size["bytes"] * size["times"] / 1e6 / answer(run, party, kind)["wall"])


def cpu(run: Any, party: str, kind: str) -> float:
    """Milliseconds of processor time a file."""
    size = run["sizes"][kind]
    return float(answer(run, party, kind)["cpu"] * 1000 / (size["files"] * size["times"]))


def compared(run: Any, party: str, kind: str, figure: Any, digits: int) -> str:
    """A figure with its ratio to this project's with one worker."""
    if not reads(run, party, kind):
        return "–"
    value, text = figure(run, party, kind), f"{figure(run, party, kind):,.{digits}f}"
    if party == OURS or not reads(run, OURS, kind):
        return text
    return f"{text} (× {value / figure(run, OURS, kind):.2g})"


def outcomes(run: Any) -> str:
    """What became of the files, by kind, read by this project with one worker."""
    rows = []
    for kind, size in run["sizes"].items():
        found = answer(run, OURS, kind)
        if found is None:
            continue
        failed = len(found["failed"])
        rows.append(
            [
                kind,
                str(size["files"]),
                str(size["files"] - failed),
                str(failed),
                f"{size['bytes']:,}",
                f"{found['characters']:,}",
                f"{found['wall'] * 1000 / (size['files'] * size['times']):,.1f}",
            ]
        )
    sums = [sum(int(row[at].replace(",", "")) for row in rows) for at in range(1, 6)]
    rows.append(["all", *(f"{number:,}" for number in sums), ""])
    return table(["kind", "files", "with text", "without", "bytes", "characters", "ms a file"], rows)


def by_kind(run: Any, figure: Any, digits: int) -> str:
    """One figure of all ways of reading, by kind."""
    rows = [[kind, *(compared(run, party, kind, figure, digits) for party in TITLES)] for kind in run["sizes"]]
    return table(["", *TITLES.values()], rows)


def characters(run: Any) -> str:
    """Characters that are no white space by kind, and how many files gave none."""
    rows = []
    for kind in run["sizes"]:
        row = [kind]
        for party in TITLES:
            found = answer(run, party, kind)
            failed = f", {len(found['failed'])} without" if found and found["failed"] else ""
            row.append(f"{found['visible']:,}{failed}" if found else "–")
        rows.append(row)
    return table(["", *TITLES.values()], rows)


def whole(run: Any) -> str:
    """The folder in a fresh process."""
    files, ours = sum(size["files"] for size in run["sizes"].values()), run["results"][OURS]
    rows = []
    for party, title in TITLES.items():
        for task, note in (("folder", ""), ("store", ", stored")):
            if taken := run["results"][party].get(task):
                ratios = [f"{taken[clock]:.2f} (× {taken[clock] / ours['folder'][clock]:.2g})" for clock in taken]
                rows.append([title + note, f"{files / taken['wall']:,.0f}", *ratios])
    return table(["", "files a second", "wall s", "CPU s"], rows)


def reasons(run: Any) -> list[str]:
    """Every reason for a file without text, with the kind and how many files had it."""
    counted: dict[tuple[str, str, str], int] = {}
    for party, title in TITLES.items():
        for kind in run["sizes"]:
            for reason in (answer(run, party, kind) or {"failed": {}})["failed"].values():
                key = (title, kind, reason.splitlines()[0][:160])
                counted[key] = counted.get(key, 0) + 1
    lines = [f"- {title}, {kind}, {count}: {reason}" for (title, kind, reason), count in counted.items()]
    return [*lines, *(f"- {name}: {reason}" for name, reason in run["failed"].items())]


def markdown(run: Any) -> str:
    """All tables."""
    load = run["load_before_and_after"]
    head = (
        f"Medians of {run['rounds']} rounds; {run['cores']} cores, load {load[0]:.1f} before and {load[1]:.1f} after, "
        f"Python {run['python']}."
    )
    copied = ", ".join(f"{kind} {size['files'] * size['times']}" for kind, size in run["sizes"].items())
    parts = [
        head,
        "What became of the files:",
        outcomes(run),
        f"MB a second (files read: {copied}):",
        by_kind(run, rate, 2),
        "Processor time, ms a file:",
        by_kind(run, cpu, 1),
        "Characters that are no white space, and files without text:",
        characters(run),
        "The whole folder once, in a fresh process:",
        whole(run),
        "Files without text:",
        "\n".join(reasons(run)),
        "\n".join(
            f"- {TITLES[party]}: " + ", ".join(f"{name} {release}" for name, release in releases.items())
            for party, releases in run["releases"].items()
        ),
    ]
    return "\n\n".join(parts) + "\n"


def picture(run: Any) -> str:
    """Processor time by kind: it suffers less from other work than the clock."""
    groups = []
    for kind in PICTURED:
        rows = [
            (TITLES[party], cpu(run, party, kind), compared(run, party, kind, cpu, 1))
            for party in TITLES
            if kind in run["sizes"] and reads(run, party, kind)
        ]
        if rows:
            groups.append((f"{kind}, processor time, ms a file", rows))
    return chart.bars("Files to text beside loaders of two frameworks", groups)
