"""What filters of a stream cost: ratios in one run, each beside the target it is held to.

The yardsticks: *ident*, an object whose ``feed`` returns its argument; *join*, ``"".join(chunks)``; *re.sub*, one plain
substitution over the whole text, which cannot be fed chunks; *predecessor*, the ``CitationFilter`` of symfonic-core,
where it is installed (group ``bench``). Every job feeds the same list of chunks, collects what comes in a list, and
flushes. Jobs take turns; the time is that of the processor in this thread, and the fastest round counts, so that a busy
machine changes little.

A further filter takes part by adding rows to `run`, with texts of its own; `cost` and `growth` measure any filter.
"""

from __future__ import annotations

import importlib.util
import random
import re
import time
from importlib.metadata import PackageNotFoundError, distribution
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from selection import WORDS

from symfonic.capabilities.knowledge import DEFAULT_LAYER_NAMES, CitationTagFilter, chain

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES: Final = (1, 4, 256, 65_536)
#: Characters of text for each chunk size: enough chunks to time, and a round of a few milliseconds.
LENGTHS: Final = {1: 8_000, 4: 32_000, 256: 512_000, 65_536: 1_048_576}
SUBSTITUTION: Final = re.compile(rf"[ \t]*\[(?:{'|'.join(DEFAULT_LAYER_NAMES)})\]", re.ASCII | re.IGNORECASE)
ENDS: Final = (*(" ",) * 19, ", ", ", ", ". ", ". ", ".\n")
MANY: Final = tuple(f"layer-{number}" for number in range(10_000))
HOSTILE: Final = {
    "spaces": " ",
    "brackets": "[",
    "beginnings": "[semanti",
    "tags in tags": "[sem[semantic]antic]",
    "three deep": "[s[s[s[semantic]emantic]emantic]emantic] ",
    "links": "[link](x) ",
}


class Row(NamedTuple):
    """One measured figure, and the most (or, with ``least``, the least) it may be."""

    name: str
    figure: float
    unit: str
    target: float | None = None
    least: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the target is met, where there is one."""
        if self.target is None:
            return None
        return self.figure >= self.target if self.least else self.figure <= self.target


class Ident:
    """A filter that does nothing."""

    __slots__ = ()

    def feed(self, text: str) -> str:
        """Return the argument."""
        return text

    def flush(self) -> str:
        """Return nothing."""
        return ""


def prose(length: int, tag_every: int = 0) -> str:
    """Words and sentences, a line break about every 130 characters; with a tag about every so many."""
    rng = random.Random(5)
    parts: list[str] = []
    size = since = 0
    while size < length:
        word = rng.choice(WORDS) + rng.choice(ENDS)
        since += len(word)
        if tag_every and since >= tag_every - len(" [semantic] "):
            word, since = word.rstrip() + " [semantic] ", 0
        parts.append(word)
        size += len(word)
    return "".join(parts)[:length]


def bracketed(length: int) -> str:
    """Words with a bracket about every 40 characters: notes, links, and beginnings of names."""
    rng = random.Random(6)
    kinds = ("[note]", "[2024]", "[layer-12", "[sem", "[link](x)", "[layer-]")
    parts: list[str] = []
    size = since = 0
    while size < length:
        word = rng.choice(WORDS) + rng.choice(ENDS)
        since += len(word)
        if since >= 40:
            word, since = f"{word.rstrip()} {rng.choice(kinds)} ", 0
        parts.append(word)
        size += len(word)
    return "".join(parts)[:length]


def cut(text: str, size: int) -> list[str]:
    """The text in chunks of one size."""
    return [text[start : start + size] for start in range(0, len(text), size)]


def feeding(make: Callable[[], Any], chunks: list[str]) -> Callable[[], float]:
    """A job that sends a text through a new filter and answers the seconds it took."""

    def job() -> float:
        one = make()
        feed, shown = one.feed, []
        add = shown.append
        started = time.thread_time()
        for chunk in chunks:
            add(feed(chunk))
        add(one.flush())
        return time.thread_time() - started

    return job


def taking(work: Callable[[], Any]) -> Callable[[], float]:
    """A job that answers the seconds of one call."""

    def job() -> float:
        started = time.thread_time()
        work()
        return time.thread_time() - started

    return job


def fastest(jobs: dict[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """Seconds of the fastest round of each job; they take turns."""
    best = dict.fromkeys(jobs, float("inf"))
    for _ in range(rounds):
        for name, job in jobs.items():
            best[name] = min(best[name], job())
    return best


def predecessor() -> type[Any] | None:
    """The filter of symfonic-core, loaded from its file: importing its package would load all of it."""
    try:
        file = distribution("symfonic-core").locate_file("symfonic/core/streaming/citation_filter.py")
    except PackageNotFoundError:
        return None
    spec = importlib.util.spec_from_file_location("predecessor", str(file))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    kind: type[Any] = module.CitationFilter
    return kind


def cost(make: Callable[[], Any], text: str, size: int, rounds: int, **others: Callable[[], float]) -> dict[str, float]:
    """Seconds of a filter, of ident and join over the same chunks, and of other jobs in the same rounds."""
    chunks = cut(text, size)
    jobs = {"ours": feeding(make, chunks), "ident": feeding(Ident, chunks), "join": taking(lambda: "".join(chunks))}
    return fastest(jobs | others, rounds)


def growth(make: Callable[[], Any], unit: str, size: int, short: int = 2_048, rounds: int = 15) -> float:
    """Time of a character in a text of 16 times the length, as a multiple; 1 is linear. ``size`` 0 is one chunk."""
    texts = [(unit * (length // len(unit) + 1))[:length] for length in (short, 16 * short)]
    jobs = {str(len(text)): feeding(make, cut(text, size or len(text))) for text in texts}
    few, many = fastest(jobs, rounds).values()
    return many / few / 16


TARGETS: Final[dict[tuple[bool, int], tuple[str, float]]] = {
    (False, 1): ("ident", 3.5),
    (False, 4): ("ident", 4.0),
    (False, 65_536): ("join", 10.0),
    (True, 1): ("ident", 4.2),
    (True, 4): ("ident", 4.5),
    (True, 65_536): ("join", 60.0),
}
FASTER: Final = {(False, 65_536): 40.0, (True, 65_536): 8.0, 1: 4.0, 4: 3.5, 256: 3.5}


def tag_rows(rounds: int) -> list[Row]:
    """The filter of tags on ordinary text and on text with tags."""
    old = predecessor()
    rows: list[Row] = []
    for tagged in (False, True):
        for size in SIZES:
            text = prose(LENGTHS[size], 500 if tagged else 0)
            chunks = cut(text, size)
            others = {"old": feeding(old, chunks)} if old is not None else {}
            if tagged and size == SIZES[-1]:
                others["re.sub"] = taking(lambda text=text: SUBSTITUTION.sub("", text))  # type: ignore[misc]  # bound now
            seconds = cost(CitationTagFilter, text, size, rounds if size < 256 else rounds // 3, **others)
            where = f"{'a tag per 500' if tagged else 'no tag'}, chunks of {size:,}"
            yardstick, target = TARGETS.get((tagged, size), ("ident", None))
            rows.append(Row(f"{where}: × {yardstick}", seconds["ours"] / seconds[yardstick], "×", target))
            if "re.sub" in seconds:
                rows.append(
                    Row(f"{where}: faster than re.sub", seconds["re.sub"] / seconds["ours"], "×", 8.0, least=True)
                )
            if "old" in seconds:
                least = FASTER.get((tagged, size), FASTER.get(size))
                rows.append(
                    Row(
                        f"{where}: faster than the predecessor",
                        seconds["old"] / seconds["ours"],
                        "×",
                        least,
                        least=True,
                    )
                )
    return rows


def growth_rows() -> list[Row]:
    """Whether time is linear in the text, hostile text included."""
    rows = [Row("growth, prose, chunks of 4", growth(CitationTagFilter, prose(4_000, 500), 4), "×", 1.3)]
    for name, unit in HOSTILE.items():
        for size in (1, 0):
            where = f"growth, {name}, {'one chunk' if size == 0 else 'chunks of 1'}"
            rows.append(Row(where, growth(CitationTagFilter, unit, size), "×", 1.3))
    spaces = fastest({"spaces": feeding(CitationTagFilter, [" " * 32_768])}, 10)["spaces"]
    return [*rows, Row("32 Ki spaces in one chunk", spaces * 1e3, "ms", 5.0)]


def vocabulary_rows(rounds: int) -> list[Row]:
    """Ten thousand names beside five."""
    rows: list[Row] = []
    texts = {
        "no tag": prose,
        "a tag per 500": lambda length: prose(length, 500),
        "a bracket per 40": bracketed,
    }
    for kind, written in texts.items():
        for size in (4, 65_536):
            chunks = cut(written(LENGTHS[size]), size)
            many = (*MANY, *DEFAULT_LAYER_NAMES)
            ready = CitationTagFilter(many)
            jobs = {"few": feeding(CitationTagFilter, chunks), "many": feeding(lambda ready=ready: ready, chunks)}  # type: ignore[misc]  # bound now
            seconds = fastest(jobs, rounds if size < 256 else rounds // 3)
            where = f"10,000 names, {kind}, chunks of {size:,}: × five names"
            rows.append(Row(where, seconds["many"] / seconds["few"], "×", 1.5))
    made = fastest({"made": taking(lambda: CitationTagFilter(MANY))}, 10)["made"]
    return [*rows, Row("making a filter of 10,000 names", made * 1e3, "ms", 10.0)]


def chain_rows(rounds: int) -> list[Row]:
    """What a chain adds."""
    text = prose(LENGTHS[4], 500)
    chunks = cut(text, 4)
    jobs = {
        "alone": feeding(CitationTagFilter, chunks),
        "chained": feeding(lambda: chain(CitationTagFilter()), chunks),
        "two": feeding(lambda: chain(CitationTagFilter(), CitationTagFilter(["draft"])), chunks),
    }
    seconds = fastest(jobs, rounds)
    return [
        Row("a chain of one, chunks of 4: × the filter", seconds["chained"] / seconds["alone"], "×"),
        Row("a chain of two, chunks of 4: × one filter", seconds["two"] / seconds["alone"], "×"),
    ]


def run(rounds: int = 60) -> list[Row]:
    """Measure everything."""
    return [*tag_rows(rounds), *growth_rows(), *vocabulary_rows(rounds), *chain_rows(rounds)]


def results(rows: list[Row]) -> list[dict[str, Any]]:
    """The rows as plain data."""
    return [{**row._asdict(), "met": row.met} for row in rows]


def show(rows: list[Row]) -> str:
    """The rows as a table for people."""
    lines = ["Filters of streams (fastest round; ratios within one run)"]
    for row in rows:
        sign = "at least" if row.least else "at most"
        held = "" if row.target is None else f"   {sign} {row.target:g}: {'met' if row.met else 'MISSED'}"
        lines.append(f"    {row.name:<62}{row.figure:>9,.2f} {row.unit:<3}{held}")
    return "\n".join(lines)


if __name__ == "__main__":
    print(show(run()))
