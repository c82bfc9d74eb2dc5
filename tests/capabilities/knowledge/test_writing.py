"""References that a model gave beside its text are written where they count, and change nothing else."""

from __future__ import annotations

import re
import time
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symfonic.capabilities.knowledge import (
    BridgeContractError,
    BridgeTypeError,
    CitationLedger,
    CitationTagFilter,
    GroundingFilter,
    GroundingReport,
    LedgerEntry,
    ReferenceWriter,
    chain,
)

LABELS = ("Handbook", "b`c", "Leave \u00b7aaaaaaaaaa")
NATIVE = ("N1", "n`2", "search result 9")
"""Names that are given beside the text, and never stand in it."""
ADMITTED = NATIVE[:2]
LEDGER = CitationLedger(
    LedgerEntry(label, label.partition(" \u00b7")[0], "Thirty days of leave.") for label in (*LABELS, *ADMITTED)
)

Block = tuple[str, tuple[str, ...]]


class Found(NamedTuple):
    """What an answer is found to hold."""

    cited: dict[str, int]
    unknown: dict[str, int]
    ambiguous: dict[str, int]
    quotes: list[str]


def found(report: GroundingReport, *, without: tuple[str, ...] = ()) -> Found:
    """A report without offsets, and without some names."""
    counted = (
        {one.label: len(one.offsets) for one in report.cited if one.label not in without},
        {one.name: len(one.offsets) for one in report.unknown if one.name not in without},
        {one.name: len(one.offsets) for one in report.ambiguous},
    )
    return Found(*counted, sorted(quote.text for quote in report.quotes))


def written(*blocks: Block) -> str:
    """The text that blocks make."""
    writer = ReferenceWriter()
    shown = []
    for text, names in blocks:
        shown.append(writer.feed(text))
        writer.cite(names)
    return "".join(shown) + writer.flush()


def reported(*blocks: Block, tags: bool = False, on_unknown: Any = "keep") -> tuple[str, GroundingReport]:
    """The text that is shown of blocks, and its report."""
    writer, grounding = ReferenceWriter(), GroundingFilter(LEDGER, on_unknown=on_unknown)
    filters = chain(*[CitationTagFilter()] * tags, writer, grounding)
    shown = []
    for text, names in blocks:
        shown.append(filters.feed(text))
        writer.cite(names)
    return "".join(shown) + filters.flush(), grounding.report()


PIECES = (
    "```", "````", "~~~", "~~~~", "``", "`", "~", "\n", "\r\n", "\n\n", "   ", " ", "\t", "- ", "> ", "1. ", "1", "x",
    "word", ".", ",", ":", '"', "\u201c", "\u201d", "\u201e", "[", "]", "(", ")", "](", "SOURCE", "Source", "S",
    "OURCE",
    " [", "[Handbook]", "SOURCE [Handbook]", "SOURCE [Nobody]", "[Leave \u00b7aaaaaaaaaa]", "SOURCE [Leave]", "Hand",
    "[semantic]", "[sem", "antic]", " [semantic]", "one two three", "!", "https://a.b/c", "\u4f60\u597d\u3002",
    "pip install",
)  # fmt: skip
TEXTS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
    st.text('`~ \n[]S.x"', max_size=12),
)
BLOCKS = st.lists(st.tuples(TEXTS, st.lists(st.sampled_from(NATIVE), max_size=2, unique=True).map(tuple)), max_size=6)


@pytest.mark.requirement("KB-GRD-WRITER-2")
@given(blocks=BLOCKS, tags=st.booleans())
def test_every_reference_counts_and_nothing_else_is_read_in_another_way(*, blocks: list[Block], tags: bool) -> None:
    """What is cited and unknown is what the text says without them, and they, whatever the text is made of."""
    plain, alone = reported(*((text, ()) for text, _ in blocks), tags=tags)
    shown, report = reported(*blocks, tags=tags)
    given_ = {name for _, names in blocks for name in names}
    assert found(report, without=NATIVE)[:3] == found(alone)[:3]
    assert {one.label for one in report.cited} & set(NATIVE) == given_ & set(ADMITTED)
    assert [one.name for one in report.unknown if one.name in NATIVE] == [*(given_ - set(ADMITTED))]
    rest = bare(re.sub(r"SOURCE \[(?:N1|n`2|search result 9)\]", "", shown)).removeprefix(bare(plain))
    assert not rest.strip("`") or not rest.strip("~")


def bare(text: str) -> str:
    """A text without white space."""
    return "".join(text.split())


@pytest.mark.requirement("KB-GRD-WRITER-2")
@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        # a place that is good at once
        ([("28 days", ("N1",)), (", yes.", ())], "28 days SOURCE [N1], yes."),
        ([("28 days \n", ("N1", "N2")), ("a year", ())], "28 days SOURCE [N1] SOURCE [N2] \na year"),
        ([("One.", ("N1",)), (" Two.", ("N1",))], "One. SOURCE [N1] Two. SOURCE [N1]"),
        ([("", ("N1",))], "SOURCE [N1]"),
        ([(" \n", ("N1",)), ("x", ())], " \nx SOURCE [N1]"),
        # fences
        ([("```\ncode\n```", ("N1",)), ("\n\nThen", ())], "```\ncode\n```\nSOURCE [N1]\n\nThen"),
        ([("```\ncode\n```", ("N1",)), ("\nThen", ())], "```\ncode\n```\nSOURCE [N1]\n\nThen"),
        ([("```\ncode\n```  ", ("N1",)), ("\r\nThen", ())], "```\ncode\n```\nSOURCE [N1]\n  \r\nThen"),
        ([("```\ncode\n```", ("N1",))], "```\ncode\n```\nSOURCE [N1]"),
        ([("```\nco", ("N1",)), ("de\n```\nx", ())], "```\ncode\n```\nSOURCE [N1]\n\nx"),
        ([("~~~~ a\nco", ("N1",)), ("de", ())], "~~~~ a\ncode\n~~~~\nSOURCE [N1]"),
        ([("````py", ("N1",))], "````py\n````\nSOURCE [N1]"),
        ([("```", ("N1",)), ("py` x", ())], "```py` x SOURCE [N1]"),
        ([("- ```py", ("N1",)), ("\nx\n```\ny", ())], "- ```py\nx SOURCE [N1]\n```\ny"),
        ([("- ```py\nx\n```", ("N1",))], "- ```py\nx\n```\nSOURCE [N1]"),
        # inline code
        ([("Run `pip", ("N1",)), (" install`, then", ())], "Run `pip install` SOURCE [N1], then"),
        ([("Run `a`", ("N1",)), ("`b` x", ())], "Run `a``b` SOURCE [N1] x"),
        ([("It is `", ("N1",)), ("\nx`", ())], "It is ` SOURCE [N1]\nx`"),
        ([("a`", ("N1",)), ("x" * 1030 + " y", ())], "a`" + "x" * 1030 + " SOURCE [N1] y"),
        # words, references, brackets, links
        ([("hand", ("N1",)), ("book is", ())], "handbook SOURCE [N1] is"),
        ([("x", ("N1",)), ("SOURCE [b]", ())], "xSOURCE SOURCE [N1] [b]"),
        ([("see SOURCE", ("N1",)), (" [Handbook] x", ())], "see SOURCE [Handbook] SOURCE [N1] x"),
        ([("the SOURCE", ("N1",)), (" of it", ())], "the SOURCE of SOURCE [N1] it"),
        ([("see SOURCE [Hand", ("N1",)), ("book]. x", ())], "see SOURCE [Handbook] SOURCE [N1]. x"),
        ([("S", ("N1",)), (". x", ())], "S SOURCE [N1]. x"),
        ([("see [the", ("N1",)), (" page](a.b/c) x", ())], "see [the page](a.b/c) SOURCE [N1] x"),
        ([("see [page](a.", ("N1",)), ("b/c) x", ())], "see [page](a.b/c) SOURCE [N1] x"),
        ([("a [b", ("N1",)), (" " + "c " * 160, ())], "a [b " + "c " * 149 + "c SOURCE [N1] " + "c " * 10),
        ([("see [a](b", ("N1",)), ("." * 2050 + " x", ())], "see [a](b" + "." * 2047 + " SOURCE [N1]" + "... x"),
        ([("days", ("N1",)), (": x", ())], "days: SOURCE [N1] x"),
        ([("days\ud83d", ("N1",)), ("\ude00 x", ())], "days\ud83d\ude00 SOURCE [N1] x"),
        # heads of lines
        ([("- ", ("N1",)), ("```", ())], "- ``` SOURCE [N1]"),
        ([("28", ("N1",)), (" days. x", ())], "28 days SOURCE [N1]. x"),
        ([("a\n~~", ("N1",)), ("~\nx", ())], "a\n~~~\nx\n~~~\nSOURCE [N1]"),
        # quotations
        ([('It says "', ()), ("thirty days", ("N1",)), ('" of', ())], 'It says "thirty days" SOURCE [N1] of'),
        ([("“one", ("N1",)), ("\ntwo” x", ())], "“one\ntwo” SOURCE [N1] x"),
        ([("“one", ("N1",)), ("\r\n\r\ntwo” x", ())], "“one SOURCE [N1]\r\n\r\ntwo” x"),
        ([("“one\n\ntwo", ("N1",)), (" x", ())], "“one\n\ntwo SOURCE [N1] x"),
        ([("“one\r", ()), ("\ntwo", ("N1",)), ("” x", ())], "“one\r\ntwo” SOURCE [N1] x"),
        ([('5" of', ("N1",)), (" pipe", ())], '5" of SOURCE [N1] pipe'),
        # names with a backtick
        ([("a", ("n`1", "n`2")), (" `b`\nc", ())], "a `b`\nSOURCE [n`1]\nSOURCE [n`2]\nc"),
        ([("a `b", ("n`1",))], "a `b\nSOURCE [n`1]"),
        # named already
        ([("see SOURCE [N1].", ("N1", "N2"))], "see SOURCE [N1]. SOURCE [N2]"),
        ([("see SOURCE [N1].", ()), (" x", ("N1",))], "see SOURCE [N1]. x SOURCE [N1]"),
        ([("```\nx\n```\nSOURCE [N1]:", ("N1",)), ("\ny", ())], "```\nx\n```\nSOURCE [N1]:\ny"),
        ([("see `SOURCE [N1]`", ("N1",))], "see `SOURCE [N1]` SOURCE [N1]"),
        ([("see `[N1]`", ("N1",)), (" x", ())], "see `[N1]` SOURCE [N1] x"),
    ],
)
def test_a_reference_stands_at_the_first_place_that_is_good(blocks: list[Block], expected: str) -> None:
    """Behind whatever the words end in the middle of."""
    assert written(*blocks) == expected


@given(blocks=BLOCKS, size=st.integers(1, 3))
def test_how_a_text_is_cut_changes_nothing(blocks: list[Block], size: int) -> None:
    """A place is judged by what came and by the next character that shows."""
    writer, shown = ReferenceWriter(), []
    for text, names in blocks:
        shown += [writer.feed(text[at : at + size]) for at in range(0, len(text), size)]
        writer.cite(names)
    assert "".join(shown) + writer.flush() == written(*blocks)


def test_a_place_where_something_was_deleted_stays_one() -> None:
    """Nothing is read across it, with references or without."""
    shown, report = reported(("x [Hand [semantic]book] y [semantic]", ("N1",)), (" [semantic]. z [sem", ()), tags=True)
    assert shown == "x [Handbook] y SOURCE [N1]. z "
    assert [one.label for one in report.cited] == ["N1"]
    torn, report = reported(("SOURCE [N[semantic]1]", ("N1",)), tags=True)
    assert torn == "SOURCE [N1] SOURCE [N1]"
    assert [(one.label, one.offsets) for one in report.cited] == [("N1", (12,))]
    held, _ = reported((" [semantic]", ("N1",)), tags=True)
    assert held == "SOURCE [N1]"


def test_a_writer_is_as_good_as_new_after_an_answer() -> None:
    """Nothing waits, is held, or stands open."""
    writer = ReferenceWriter()
    writer.feed("```\nx ")
    writer.cite(["N1"])
    assert writer.flush() == "\n```\nSOURCE [N1] "
    assert writer.feed("y SOURCE") + writer.flush() == "y SOURCE"


@pytest.mark.requirement("KB-GRD-WRITER-1")
@pytest.mark.parametrize("name", ["", "a]b", "a[b", "a\nb", "a\rb", "x" * 255, None, b"x"])
def test_a_name_no_reference_can_have_is_refused(name: Any) -> None:
    """It would be written and found nowhere; the names beside it are not noted either."""
    writer = ReferenceWriter()
    writer.feed("x")
    with pytest.raises(BridgeContractError) as caught:
        writer.cite(["N1", name])
    assert caught.value.rule == "KB-GRD-WRITER-1"
    assert writer.flush() == ""


def test_what_is_no_text_is_refused() -> None:
    """As by every filter."""
    with pytest.raises(BridgeTypeError):
        ReferenceWriter().feed(b"x")  # type: ignore[arg-type]


def seconds(pieces: list[str], *names: str) -> float:
    """Processor time of an answer in which references wait from the beginning."""
    writer = ReferenceWriter()
    writer.feed("~~~\nx" if names else "")
    writer.cite(names)
    begun = time.process_time()
    for piece in pieces:
        writer.feed(piece)
    writer.flush()
    return time.process_time() - begun


@pytest.mark.parametrize("piece", [" ", "x ", "`", "[", "\u201cx ", "SOURCE [", "\n"])
@pytest.mark.parametrize("names", [(), ("N1",)])
def test_time_grows_with_the_text(piece: str, names: tuple[str, ...]) -> None:
    """Sixteen times the pieces take no more than 64 times the time; squares would be 256."""
    short = min(seconds([piece] * 1000, *names) for _ in range(3))
    assert seconds([piece] * 16000, *names) < 64 * short + 0.05
