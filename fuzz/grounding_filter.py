"""Fuzz target: the grounding filter against its plain machine.

An input is a digit for the way the filter is used, and text in which ``|`` is where one chunk ends and the next begins,
and ``¦`` is where a filter before this one deleted something.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from plain_grounding import PlainGrounding, PlainLedger, plain_report, seen_report

from symfonic.capabilities.knowledge import CitationLedger, GroundingFilter, LedgerEntry, grounding, safe_source
from symfonic.capabilities.knowledge._references import Limits

INSTRUMENTED = (
    "symfonic.capabilities.knowledge.grounding",
    "symfonic.capabilities.knowledge._reader",
    "symfonic.capabilities.knowledge._settler",
    "symfonic.capabilities.knowledge._finder",
    "symfonic.capabilities.knowledge._code",
    "symfonic.capabilities.knowledge._references",
    "symfonic.capabilities.knowledge._quotes",
)
TAG = " ·k7d2q4x4m3"
LEDGER = CitationLedger(
    [
        LedgerEntry("ab", "ab", "one two three"),
        LedgerEntry("cd" + TAG, "cd", "four"),
        LedgerEntry("cd ·abcdefghij", "cd", "five"),
        LedgerEntry("a`b", "a`b", "six"),
    ]
)
TOKENS = (
    *(b"SOURCE [", b"Source [", b"SOURCE", b"[ab]", b"[cd]", b"]:", b"[no]", TAG.encode(), b"a`b"),
    *("¦".encode(), "SOURCE [a¦b]".encode(), b"!SOURCE [no](x)"),
    *(b"```", b"~~~", b"``", b"`", b"\n```", b"\r\n", b"\n\n", b" " * 64, b"|", b". ", b'"one two three"'),
    *("“".encode(), "”".encode(), "„".encode(), "»".encode(), "。".encode()),
)
SMALL = Limits(3, 18, 12)
WAYS: tuple[tuple[Limits, dict[str, Any]], ...] = (
    (Limits(), {}),
    (SMALL, {}),
    (SMALL, {"render": lambda _, number: f"⟨{number}⟩"}),
    (SMALL, {"on_unknown": "keep", "render": lambda _, number: f"⟨{number}⟩"}),
)


def made(limits: Limits, way: dict[str, Any]) -> tuple[GroundingFilter, PlainGrounding]:
    """A filter and its plain machine; the filter's limits are set for as long as it is made."""
    usual = grounding._LIMITS
    grounding._LIMITS = limits  # type: ignore[misc]  # smaller ones are reached by shorter inputs
    try:
        tested = GroundingFilter(LEDGER, **way)
    finally:
        grounding._LIMITS = usual  # type: ignore[misc]  # the same
    plain = PlainGrounding(
        PlainLedger(tuple((entry.label, entry.source_label, entry.content) for entry in LEDGER)),
        way.get("on_unknown") != "keep",
        (lambda _, number: f"⟨{number}⟩") if "render" in way else None,
        limits.gap,
        limits.name,
        limits.code,
    )
    return tested, plain


def check(data: bytes) -> None:
    """Feed a filter the chunks: output and report are those of the plain machine for the whole text.

    Raises:
        AssertionError: They differ.
    """
    limits, way = WAYS[(data[0] - ord("0") if data else 0) % len(WAYS)]
    tested, plain = made(limits, way)
    chunks = data[1:].decode("utf-8", "replace").split("|")
    parts = "".join(chunks).split("¦")
    expected = plain.answer("".join(parts), list(accumulate(map(len, parts[:-1]))))
    assert "".join([*(tested._feed_joined(chunk.split("¦")) for chunk in chunks), tested.flush()]) == expected.output
    assert seen_report(tested.report()) == plain_report(expected, lambda name: str(safe_source(name)))
