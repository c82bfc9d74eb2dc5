"""What the grounding filter costs: ratios in one run, each beside the target it is held to.

The yardsticks and the way of measuring are those of ``filters``. The answers are prose with a reference about every 200
characters, to twenty labels; the hostile ones are nothing but what costs most.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

import filters
from filters import ENDS, LENGTHS, SIZES, Row, cost, cut, fastest, feeding, growth, taking
from selection import WORDS

from symfonic.capabilities.knowledge import CitationLedger, CitationTagFilter, GroundingFilter, LedgerEntry, chain

if TYPE_CHECKING:
    from collections.abc import Callable

CONTENT: Final = "The shop opens at nine on weekdays, and closes late."
LABELS: Final = tuple(f"handbook/chapter-{number}.md" for number in range(20))
HOSTILE: Final = {
    "spaces": " ",
    "brackets": "[",
    "begun references": "SOURCE [",
    "unknown references": "SOURCE [x] ",
    "the word": "SOURCE ",
    "single backticks": "` ",
    "backticks in pairs": "`a` ",
    "runs that grow": "".join("`" * length + "a" for length in range(1, 46)),
    "references after a backtick": "`" + "SOURCE [x] " * 90,
    "quotation marks": '"',
    "quotation marks never closed": "\u201e",
    "quotations": "\u201cone two three\u201d SOURCE [x] ",
    "fences": "```\n",
    "one line": "x",
}


def ledger(labels: tuple[str, ...] = LABELS) -> CitationLedger:
    """A ledger with these labels."""
    return CitationLedger([LedgerEntry(label, label, CONTENT) for label in labels])


def answer(length: int, every: int = 200) -> str:
    """Words and sentences, a line break about every 130 characters, and a reference about every so many."""
    rng = random.Random(5)
    parts: list[str] = []
    size = since = 0
    while size < length:
        word = rng.choice(WORDS) + rng.choice(ENDS)
        since += len(word)
        if since >= every:
            word, since = f"{word.rstrip(' .,')} SOURCE [{rng.choice(LABELS)}]. ", 0
        parts.append(word)
        size += len(word)
    return "".join(parts)[:length]


def bracketed(length: int) -> str:
    """The same with a bracket about every 40 characters: notes, labels, beginnings of labels, and links."""
    rng = random.Random(6)
    kinds = ("[note]", "[2024]", f"[{LABELS[3]}]", "[document 12]", "[handbook]", "[doc](x)", "[a]")
    parts: list[str] = []
    size = since = 0
    while size < length:
        word = rng.choice(WORDS) + rng.choice(ENDS)
        since += len(word)
        if since >= 40:
            word, since = f"{word.rstrip(' .,')} {rng.choice(kinds)} ", 0
        parts.append(word)
        size += len(word)
    return "".join(parts)[:length]


def quoting(length: int) -> str:
    """An honest answer: words, and about every 200 characters a passage quoted as it stands, with its reference."""
    rng = random.Random(7)
    parts: list[str] = []
    size = 0
    while size < length:
        words = " ".join(rng.choices(WORDS, k=20))
        parts.append(f"{words} “{CONTENT[4:40]}” SOURCE [{rng.choice(LABELS)}]. ")
        parts += ["\n\n"] if rng.random() < 0.2 else []
        size += len(parts[-1])
    return "".join(parts)[:length]


def numbered(_: LedgerEntry, number: int) -> str:
    """A reference as its number."""
    return f"[{number}]"


def ways() -> dict[str, Callable[[], GroundingFilter]]:
    """What is measured: marks alone, and references rewritten as well."""
    shown = ledger()
    return {
        "marked": lambda: GroundingFilter(shown),
        "rewritten": lambda: GroundingFilter(shown, render=numbered),
    }


def cost_rows(rounds: int) -> list[Row]:
    """A reference per 200 characters, in chunks of each size."""
    rows: list[Row] = []
    for name, make in ways().items():
        for size in SIZES:
            seconds = cost(make, answer(LENGTHS[size]), size, rounds if size < 256 else rounds // 3)
            target = 8.0 if size == 4 and name == "marked" else None
            rows.append(Row(f"{name}, chunks of {size:,}: × ident", seconds["ours"] / seconds["ident"], "×", target))
    return rows


def growth_rows() -> list[Row]:
    """Whether time is linear in the text, hostile text included."""
    rows: list[Row] = []
    for name, make in ways().items():
        rows.append(Row(f"growth, {name}, chunks of 4", growth(make, answer(4_000), 4), "×", 1.3))
        for kind, unit in HOSTILE.items():
            for size in (1, 0):
                where = f"growth, {name}, {kind}, {'one chunk' if size == 0 else 'chunks of 1'}"
                # Longer than what is ever kept, which is where time per character stops growing.
                rows.append(Row(where, growth(make, unit, size, short=16_384, rounds=3), "×", 1.3))
    return rows


def size_rows(rounds: int) -> list[Row]:
    """Ten thousand entries beside twenty, and behind the filter of tags."""
    few, many = ledger(), ledger((*LABELS, *(f"document {number}" for number in range(10_000))))
    rows: list[Row] = []
    for text, kind in ((answer(LENGTHS[4]), "a reference per 200"), (bracketed(LENGTHS[4]), "a bracket per 40")):
        chunks = cut(text, 4)
        for name, render in (("marked", None), ("rewritten", numbered)):
            small, large = GroundingFilter(few, render=render), GroundingFilter(many, render=render)
            jobs = {
                "few": feeding(lambda one=small: one, chunks),  # type: ignore[misc]  # bound now
                "many": feeding(lambda one=large: one, chunks),  # type: ignore[misc]  # the same
            }
            seconds = fastest(jobs, rounds)
            where = f"10,000 entries, {name}, {kind}, chunks of 4: × twenty entries"
            rows.append(Row(where, seconds["many"] / seconds["few"], "×", 1.5))
    chunks = cut(answer(LENGTHS[4]), 4)
    jobs = {
        "alone": feeding(lambda: GroundingFilter(few), chunks),
        "tags": feeding(lambda: chain(CitationTagFilter(), GroundingFilter(few)), chunks),
    }
    seconds = fastest(jobs, rounds)
    made = fastest({"made": taking(lambda: GroundingFilter(many))}, 5)["made"]
    return [
        *rows,
        Row("behind the filter of tags, chunks of 4: × alone", seconds["tags"] / seconds["alone"], "×"),
        Row("making a filter of 10,000 entries", made * 1e3, "ms"),
    ]


def report_rows(rounds: int) -> list[Row]:
    """What a report on an honest answer costs, beside reading the answer."""
    chunks = cut(quoting(LENGTHS[4]), 4)
    shown = ledger()

    def asked() -> float:
        one = GroundingFilter(shown)
        filters.feeding(lambda: one, chunks)()
        return taking(one.report)()

    seconds = fastest({"read": feeding(lambda: GroundingFilter(shown), chunks), "report": asked}, rounds // 3)
    return [
        Row("report() on 32,000 characters, a quotation per 200", seconds["report"] * 1e3, "ms"),
        Row("report() on them: × reading them in chunks of 4", seconds["report"] / seconds["read"], "×"),
    ]


def run(rounds: int = 60) -> list[Row]:
    """Measure everything."""
    return [*cost_rows(rounds), *size_rows(rounds), *report_rows(rounds), *growth_rows()]


def show(rows: list[Row]) -> str:
    """The rows as a table for people."""
    return filters.show(rows).replace("Filters of streams", "Grounding", 1)


if __name__ == "__main__":
    print(show(run()))
