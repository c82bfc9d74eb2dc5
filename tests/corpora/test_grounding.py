"""The grounding filter by the ten thousand, and over every hostile string, against its plain machine.

Output and report have to be those of the machine for every text, however it is cut; half of the texts are read with
limits so small that random pieces reach them. That nothing is held too long is proven by brute force on more texts than
in the ordinary tests.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import pytest
from grounding_texts import ENDS, PIECES, SHORT, Seamed
from plain_grounding import PlainAnswer, PlainGrounding, PlainLedger
from plain_quotes import QUOTED, Quotation
from plain_tags import PlainTagMachine

from symfonic.capabilities.knowledge import (
    DEFAULT_LAYER_NAMES,
    CitationLedger,
    CitationTagFilter,
    GroundingFilter,
    GroundingReport,
    LedgerEntry,
    chain,
    grounding,
    safe_source,
)
from symfonic.capabilities.knowledge._references import Limits
from symfonic.testing.knowledge import assert_latency_optimal, filtered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

pytestmark = [pytest.mark.corpora, pytest.mark.slow]
CASES: Final = 20_000  # for each way of using the filter
TAG: Final = " ·k7d2q4x4m3"
OTHER_TAG: Final = " ·abcdefghij"
LEDGER: Final = CitationLedger(
    [
        LedgerEntry("ab", "ab", "one two three four"),
        LedgerEntry("cd" + TAG, "cd", "five six seven"),
        LedgerEntry("ef" + TAG, "ef", "one two six"),
        LedgerEntry("ef" + OTHER_TAG, "ef", "two three five"),
        LedgerEntry("12", "12", "a number"),
        LedgerEntry("x", "x", "a letter"),
        LedgerEntry("a`b", "a`b", "a tick"),
        LedgerEntry("So far", "So far", "begins like the word"),
        LedgerEntry("SOURCE", "SOURCE", "is the word"),
    ]
)
TOKENS: Final = (
    *("- ", "\n- ", "\n1. ", "> ", "\n- ```\n", "\n> ```sh\n", "\n```\n", "\n    ```\n", "12)", "*", "+\t"),
    *("[S", "[So", "[So far", "[SOURCE", "[SOURCE]", "SOURCE [SOURCE", "SOURCE [see SOURCE ", "SOURCE [S"),
    *("Source [Sou", '"one two three" [ab] ', "...", '."', ".)", "Sou", "rce", "So"),
    *("SOURCE", "Source", "S", "SOU", "RCE", "source", " ", "  ", "\t", "[", "]", "[ab]", "[cd]", "[x]", "[12]"),
    *("[no]", f"[cd{TAG}]"),
    *(f"ef{TAG}", "SOURCE [ab]", "SOURCE [no]", "SOURCE [ef]", "SOURCE [a`b]", "SOURCE [no]:", "[ab"),
    *("`", "``", "```", "````", "~~~", "~~", "\n", "\r", "\r\n", "\n\n", "\n```", "\n~~~", "\n   ```", "    ", "`c`"),
    *("(", ")", "a", "1", "_", ".", "! ", "“", "”", '"', "„", "«", "»", "one two three", "。", "据", "é", ". ", ", "),
    *("!", "!SOURCE [no]", "](", "SOURCE [no](x)"),
    *("b]", ":", "“one two three”", "„two three five“", '"six, seven: eight" '),
)  # fmt: skip
LONG: Final = (" " * 64, " " * 65, "y" * 250, "`" * 40, "z " * 500)
LIMITS: Final = (Limits(), Limits(2, 16, 6), Limits(3, 18, 12))
WAYS: Final[dict[str, dict[str, Any]]] = {
    "marked": {},
    "rewritten": {"render": lambda entry, number: f"⟨{number}⟩"},
    "kept": {"on_unknown": "keep"},
    "kept and rewritten": {"on_unknown": "keep", "render": lambda entry, number: f"⟨{number}⟩"},
}


def machine(ledger: CitationLedger, limits: Limits, way: dict[str, Any]) -> PlainGrounding:
    """The plain machine for the same arguments."""
    return PlainGrounding(
        PlainLedger(tuple((entry.label, entry.source_label, entry.content) for entry in ledger)),
        way.get("on_unknown") != "keep",
        (lambda label, number: f"⟨{number}⟩") if "render" in way else None,
        limits.gap,
        limits.name,
        limits.code,
    )


def random_chunks(text: str, rng: random.Random) -> Iterator[str]:
    """The text in pieces; some are empty."""
    most = rng.choice((2, 4, 12, 60))
    start = 0
    while start < len(text):
        size = rng.randrange(most)
        yield text[start : start + size]
        start += size


def account(report: GroundingReport) -> tuple[Any, ...]:
    """A report as plain data."""
    return (
        {one.label: list(one.offsets) for one in report.cited},
        {one.name: list(one.offsets) for one in report.unknown},
        {one.name: list(one.offsets) for one in report.ambiguous},
        [Quotation(*(getattr(quote, name) for name in QUOTED)) for quote in report.quotes],
    )


def expected_account(answer: PlainAnswer) -> tuple[Any, ...]:
    """The same of the plain machine."""
    unknown: dict[str, list[int]] = {}
    for name, offsets in answer.unknown.items():
        unknown.setdefault(str(safe_source(name)), []).extend(offsets)
    return answer.cited, {name: sorted(offsets) for name, offsets in unknown.items()}, answer.ambiguous, answer.quotes


def kinds(answer: PlainAnswer) -> Iterator[str]:
    """What a text was good for."""
    parts = {"cited": answer.cited, "unknown": answer.unknown, "ambiguous": answer.ambiguous}
    yield from (name for name, part in parts.items() if part)
    yield from {quote.verdict for quote in answer.quotes}


@pytest.mark.requirement("KB-GRD-STREAM-1")
@pytest.mark.parametrize("name", WAYS)
def test_random_texts_in_random_chunks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Output and report are the plain machine's, one object for all the streams of each size of the limits."""
    rng = random.Random(name)
    met: Counter[str] = Counter()
    for share, limits in zip((2, 1, 1), LIMITS, strict=True):
        monkeypatch.setattr(grounding, "_LIMITS", limits)
        one, plain = GroundingFilter(LEDGER, **WAYS[name]), machine(LEDGER, limits, WAYS[name])
        for _ in range(CASES * share // 4):
            pieces = rng.choices(TOKENS, k=rng.randrange(1, 12))
            if rng.random() < 0.03:
                pieces.insert(rng.randrange(len(pieces)), rng.choice(LONG))
            text = "".join(pieces)
            expected = plain.answer(text)
            assert filtered(one, random_chunks(text, rng)) == expected.output, text
            assert account(one.report()) == expected_account(expected), text
            met.update(kinds(expected))
    least = {
        "cited": CASES // 6,
        "unknown": CASES // 20,
        "ambiguous": CASES // 50,
        **dict.fromkeys(("verbatim", "elsewhere", "nowhere"), CASES // 2_000),
    }
    assert {kind: met[kind] for kind in least if met[kind] < least[kind]} == {}


@pytest.mark.requirement("KB-GRD-STREAM-1")
@pytest.mark.parametrize("name", ["marked", "rewritten"])
def test_every_hostile_string_as_an_answer_with_references_in_it(hostile_texts: list[str], name: str) -> None:
    """References, whole and in pieces, code and quotation marks at random places."""
    rng = random.Random(11)
    one, plain = GroundingFilter(LEDGER, **WAYS[name]), machine(LEDGER, Limits(), WAYS[name])
    for raw in hostile_texts:
        short = raw[:1_000]  # the plain machine takes its time
        places = sorted(rng.choices(range(len(short) + 1), k=rng.randrange(1, 5)))
        parts = [short[start:end] for start, end in itertools.pairwise([0, *places, len(short)])]
        text = "".join([parts[0], *(rng.choice(TOKENS) + part for part in parts[1:])])
        expected = plain.answer(text)
        assert filtered(one, random_chunks(text, rng)) == expected.output
        assert account(one.report()) == expected_account(expected)
        assert GroundingReport.from_json(one.report().to_json()) == one.report()


@pytest.mark.requirement("KB-GRD-SEAM-1")
def test_random_texts_behind_the_filter_of_tags() -> None:
    """What the chain answers is what one machine makes of what the other leaves, with its seams."""
    rng = random.Random(13)
    plain = machine(LEDGER, Limits(), WAYS["rewritten"])
    tokens: Sequence[str] = (*TOKENS, *["[semantic]", " [semantic]", "[sem", "antic]", "[working]"] * 4)
    seen = 0
    tags = PlainTagMachine(DEFAULT_LAYER_NAMES)
    for _ in range(CASES // 8):
        text = "".join(rng.choices(tokens, k=rng.randrange(2, 10)))
        left = tags.feed(text) + tags.flush()
        one = GroundingFilter(LEDGER, **WAYS["rewritten"])
        output = filtered(chain(CitationTagFilter(), one), random_chunks(text, rng))
        expected = plain.answer(left, tags.seams)
        assert output == expected.output, text
        assert account(one.report()) == expected_account(expected), text
        seen += len(tags.seams) > 0
    assert seen > CASES // 40


@pytest.mark.requirement("KB-GRD-STREAM-2")
@pytest.mark.parametrize("name", ["marked", "rewritten", "kept and rewritten"])
def test_texts_of_all_kinds_show_as_early_as_can_be(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By brute force, with limits so small that continuations reach them: every text of two pieces, and longer ones."""
    rng = random.Random(name)
    longer = (rng.choices(PIECES, k=rng.randrange(3, 6)) for _ in range(200))
    for pieces in (*itertools.product(PIECES, repeat=2), *longer):
        limits = Limits(rng.choice((1, 2)), rng.choice((3, 4)), rng.choice((3, 5, 9)))
        monkeypatch.setattr(grounding, "_LIMITS", limits)
        assert_latency_optimal(lambda: Seamed(GroundingFilter(SHORT, **WAYS[name])), "".join(pieces), ENDS, 1)
    text = "".join(rng.choices(PIECES, k=3))
    assert_latency_optimal(lambda: Seamed(GroundingFilter(SHORT, **WAYS[name])), text, ENDS, 2)
