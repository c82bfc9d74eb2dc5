"""Quotations: what counts as one, which reference it belongs to, and whether its words stand in the fragment."""

from __future__ import annotations

from time import process_time
from typing import Any

import plain_quotes
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_grounding import PlainGrounding, PlainLedger
from plain_quotes import QUOTED, Quotation

from symfonic.capabilities.knowledge import (
    CitationLedger,
    GroundingFilter,
    LedgerEntry,
    QuoteCheck,
    QuoteVerdict,
    _quotes,
    _shelf,
    clean_content,
)
from symfonic.testing.knowledge import filtered

TAG = " ·k7d2q4x4m3"
OTHER_TAG = " ·abcdefghij"
LEDGER = CitationLedger(
    [
        LedgerEntry("a", "a", "Leave is 28\n days, and “unused days” lapse in the heart of winter."),
        LedgerEntry("bb", "bb", "Rooms are booked by phone. L’équipe dit : « oui ou non »."),
        LedgerEntry("c" + TAG, "c", "The rota is on the wall. It is new."),
        LedgerEntry("c" + OTHER_TAG, "c", "The rota is in the hall. It is new."),
    ]
)
VERBATIM, ELSEWHERE, NOWHERE = QuoteVerdict.VERBATIM, QuoteVerdict.ELSEWHERE, QuoteVerdict.NOWHERE


def quotes(text: str, **fields: Any) -> tuple[QuoteCheck, ...]:
    """The quotations of an answer, the same however it is cut."""
    one = GroundingFilter(LEDGER, **fields)
    filtered(one, [text])
    whole = one.report().quotes
    filtered(one, list(text))
    assert one.report().quotes == whole
    return whole


def found(text: str, **fields: Any) -> list[tuple[str, str]]:
    """Words and label of every quotation."""
    return [(quote.text, quote.label) for quote in quotes(text, **fields)]


# ---------------------------------------------------------------------------------------------------- what is one


@pytest.mark.requirement("KB-GRD-QUOTE-1")
@pytest.mark.parametrize(
    "quoted",
    [
        '"{}"',
        "“{}”",
        "„{}“",
        "„{}”",
        "”{}”",
        "«{}»",
        "»{}«",
        "‹{}›",
        "›{}‹",
        "「{}」",
        "『{}』",
        "＂{}＂",
        "‟{}”",
        "〝{}〞",
        "〝{}〟",
        "('{}' and \"{}\")",
    ],
)
def test_a_span_between_quotation_marks_is_a_quotation(quoted: str) -> None:
    """Double ones and those of typography, of several countries."""
    text = f"It says {quoted.replace('{}', 'leave is 28')} SOURCE [a]."
    assert found(text) == [("leave is 28", "a")]


@pytest.mark.requirement("KB-GRD-QUOTE-1")
@pytest.mark.parametrize(
    "text",
    [
        'Policy:"leave is 28" SOURCE [a]',
        "It is.＂leave is 28＂ SOURCE [a]",
        'So…"leave is 28" SOURCE [a]',
        'a 5 " screen and "leave is 28" SOURCE [a]',
        'a 5" screen and "leave is 28" SOURCE [a]',
        'See "no."Then "leave is 28" SOURCE [a]',
    ],
)
def test_a_straight_mark_opens_where_a_word_begins(text: str) -> None:
    """Whatever punctuation stands before it; one that stands for inches opens nothing."""
    assert found(text) == [("leave is 28", "a")]


@pytest.mark.requirement("KB-GRD-QUOTE-1")
def test_a_quotation_with_spaces_inside_its_marks() -> None:
    """Straight marks may stand free on both sides."""
    assert found('" leave is 28 " SOURCE [a]') == [(" leave is 28 ", "a")]
    assert found('"\nleave is 28"\nSOURCE [a]') == [("\nleave is 28", "a")]


@pytest.mark.requirement("KB-GRD-QUOTE-1")
@pytest.mark.parametrize(
    "text",
    [
        "“two words” SOURCE [a]",
        "“a — b …” SOURCE [a]",
        "“never closed SOURCE [a]",
        "“closed in another\n\nparagraph here” SOURCE [a]",
        "“closed in a\n```\nfence” here\n```\n SOURCE [a]",
        "`“one two three” SOURCE [a]`",
        "`“`one two three” SOURCE [a]",
        "“one two three`”` SOURCE [a]",
        "```\n“one two three” SOURCE [a]\n```\n",
        "‘one two three’ 'one two three' SOURCE [a]",
        'a 5" and a 6" and a 7" screen SOURCE [a]',
        "said so.” And then he said no.” SOURCE [a]",
        "“" + "w " * 1001 + "” SOURCE [a]",
        "“one two three” and no reference at all",
        "SOURCE [a].\n\n“one two three”",
        "“one two three”\n \t\nSOURCE [a]",
        "“one two three”\r\n\r\nSOURCE [a]",
    ],
)
def test_what_is_no_quotation_or_nobodys_is_not_reported(text: str) -> None:
    """Too short, too long, never closed, in code, another kind of mark, or without a reference in its paragraph."""
    assert found(text) == []


@pytest.mark.requirement("KB-GRD-QUOTE-1")
def test_the_longest_quotation_and_a_line_break_inside() -> None:
    """Two thousand characters; one line break ends no paragraph, however it is written."""
    long = "w " * 999 + "ww"
    assert found(f"“{long}” SOURCE [a]") == [(long, "a")]
    assert found("“one\ntwo three”\r\nSOURCE [a]") == [("one\ntwo three", "a")]
    assert found("“one\r\ntwo three”\rSOURCE [a]") == [("one\r\ntwo three", "a")]


@pytest.mark.requirement("KB-GRD-QUOTE-2")
def test_of_a_long_paragraph_the_beginning_is_looked_at() -> None:
    """From its first quotation mark on; a reference further down still counts."""
    before = "“" + "x" * 8172
    assert found(f"{before}xxx “one two three” yes SOURCE [a]") == [("one two three", "a")]
    assert found(f"{before}xxxx “one two three” yes SOURCE [a]") == []
    filler = "y " * 5000
    assert found(f"{filler}“one two three” {filler} SOURCE [a] SOURCE [bb]") == [("one two three", "a")]


@pytest.mark.requirement("KB-GRD-QUOTE-5")
def test_how_much_of_long_paragraphs_was_not_looked_at_is_told() -> None:
    """Counted in characters of the output, over all paragraphs, once a paragraph ends; a shorter one adds nothing."""
    most = _quotes.MAX_PARAGRAPH_CHARS
    one = GroundingFilter(LEDGER, render=lambda entry, count: f"[{count}]")
    for more in (0, 1):
        filtered(one, ["a" * 9_000 + " “" + "x" * (most - 1 + more)])
        assert one.report().unread_chars == more
    one.feed("“" + "x" * (most - 2) + " SOURCE [a]")
    assert one.report().unread_chars == 0
    one.feed("\n\n")
    assert one.report().unread_chars == len("[1]\n")
    one.feed("“" + "x" * most + "`y`\n```\n")
    assert one.report().unread_chars == len("[1]\n") + len("x`y`\n")
    one.flush()
    assert filtered(one, ["no quotation mark " * 1_000])
    assert one.report().unread_chars == 0


@pytest.mark.requirement("KB-GRD-QUOTE-5")
def test_an_answer_given_up_tells_of_what_was_shown_of_a_long_paragraph() -> None:
    """Not of what had come and was held."""
    one = GroundingFilter(LEDGER)
    one.feed("“" + "x" * _quotes.MAX_PARAGRAPH_CHARS + "yz SOURCE [a")
    one._discard()
    assert one.report().unread_chars == 4


@pytest.mark.requirement("KB-GRD-STREAM-3")
@pytest.mark.parametrize("run", ["." * 100, '."' * 50, ".)" * 50, "\u2026\u201d" * 50])
def test_a_run_that_may_end_a_sentence_is_read_once(run: str) -> None:
    """Whether it does or not: read from each of its characters again, the time would grow with its square."""
    for text, ends in ((f"a{run}x", []), (f"a{run} x", [101]), (f"a{run}", [101])):
        assert [match.span() for match in _quotes._SENTENCE_END.finditer(text)] == [(1, 101)]
        assert _quotes._sentence_ends(text, []) == ends


# ------------------------------------------------------------------------------------------ to which it belongs


@pytest.mark.requirement("KB-GRD-QUOTE-3")
@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("“one two three” SOURCE [a].", "a"),
        ("“one two three” [bb].", "bb"),
        ("SOURCE [a] says “one two three” and SOURCE [bb] not.", "bb"),
        ("SOURCE [a] says “one two three”. And SOURCE [bb] not.", "a"),
        ("SOURCE [a] says “one two three.” And SOURCE [bb] not.", "a"),
        ("SOURCE [a] says “one two three!” SOURCE [bb] not.", "bb"),
        ("“one two three.” (SOURCE [a]) SOURCE [bb]", "a"),
        ("“one two three.”\nSOURCE [a]", "a"),
        ("He says “one two three.” That is new. It is SOURCE [a], or SOURCE [bb].", "a"),
        ("See SOURCE [a]. He says “one two three”. That is SOURCE [bb].", "bb"),
        ("See SOURCE [a]. He says “one two three”.", ""),
        ("See SOURCE [a]… “one two three”.", ""),
        ("See SOURCE [a]!) “one two three”.", ""),
        ("见SOURCE [a]。“one two three”.", ""),
        ("See SOURCE [a] v1.5 of “one two three”.", "a"),
        ("See SOURCE [a] e.g.“one two three”.", "a"),
        ('See SOURCE [a].)"one two three" and', "a"),
        ('See SOURCE [a].) "one two three" and', ""),
        ("See SOURCE [a] `x. y` of “one two three”.", "a"),
        ("See SOURCE [a], “It is. Not so” and “one two three”.", "a"),
        ("“one two three SOURCE [a] four”, SOURCE [bb]", "a"),
        ("See SOURCE [bb] or SOURCE [a], “one two three”.", "a"),
        ("“x” SOURCE [bb] SOURCE [a], “one two three”.", "a"),
        ("“x” SOURCE [bb]. SOURCE [a] and “one two three”.", "a"),
        ("“x” SOURCE [bb]. Then “one two three”.", ""),
        ("SOURCE [bb] “x”. Then “one two three”.", ""),
        ("SOURCE [bb] said “x. y” then “one two three”.", "bb"),
    ],
)
def test_a_quotation_belongs_to_a_reference(text: str, label: str) -> None:
    """After it in its sentence; following at once; before it in its sentence; after it in its paragraph."""
    labels = [quote.label for quote in quotes(text) if "one two three" in quote.text]
    assert labels == ([label] if label else [])


@pytest.mark.requirement("KB-GRD-QUOTE-3")
def test_what_stands_before_a_mark_is_what_a_reader_sees() -> None:
    """A colon that went with its reference, or the end of what `render` wrote, decides whether a mark can open."""
    assert found('SOURCE [x]:"one two three"') == [("one two three", "")]
    assert found('SOURCE [a]"one two three"', render=lambda entry, count: f"^{count}") == []
    assert found('SOURCE [a]"one two three"', render=lambda entry, count: f"^{count}^") == [("one two three", "a")]


@pytest.mark.requirement("KB-GRD-QUOTE-3")
def test_quotations_and_references_by_turns() -> None:
    """Each has its own; offsets are those of the output."""
    text = "“one two three.” SOURCE [a] “four five six.” SOURCE [bb]: “seven eight nine” SOURCE [x]."
    expected = [("one two three.", "a"), ("four five six.", "bb"), ("seven eight nine", "")]
    assert found(text) == expected
    rewritten = quotes(text, render=lambda entry, count: f"[{count}]")
    assert [(quote.text, quote.label) for quote in rewritten] == expected
    shown = "“one two three.” [1] “four five six.” [2] “seven eight nine” [unverified source]."
    assert [quote.offset for quote in rewritten] == [shown.index(words) - 1 for words, _ in expected]


# -------------------------------------------------------------------------------------------- where it stands


@pytest.mark.requirement("KB-GRD-QUOTE-4")
@pytest.mark.parametrize(
    ("quoted", "name", "verdict", "label", "elsewhere"),
    [
        ("“Leave is 28 days”", "a", VERBATIM, "a", ()),
        ("“Leave\nis  28 days”", "a", VERBATIM, "a", ()),
        ('„and "unused days" lapse”', "a", VERBATIM, "a", ()),
        ("“L'équipe dit : \" oui”", "bb", VERBATIM, "bb", ()),
        ("“Leave is 28 days”", "bb", ELSEWHERE, "bb", ("a",)),
        ("“Leave is 28 days”", "x", ELSEWHERE, "", ("a",)),
        ("“Leave is 29 days”", "a", NOWHERE, "a", ()),
        ("“leave is 28 days”", "a", NOWHERE, "a", ()),
        ("“Leave is 28 days.”", "a", NOWHERE, "a", ()),
        ("“heart of win”", "a", NOWHERE, "a", ()),
        ("“art of winter”", "a", NOWHERE, "a", ()),
        ("“winter. Rooms are”", "a", NOWHERE, "a", ()),
        ("“The rota is on”", "c", VERBATIM, "c" + TAG, ()),
        ("“The rota is in”", "c", VERBATIM, "c" + OTHER_TAG, ()),
        ("“It is new.”", "a", ELSEWHERE, "a", ("c" + TAG, "c" + OTHER_TAG)),
        ("“Leave is 28 days”", "c", ELSEWHERE, "", ("a",)),
        ("“Leave it at that”", "c", NOWHERE, "", ()),
        ("“one \ud800 two three”", "a", NOWHERE, "a", ()),
    ],
)
def test_the_words_are_looked_for_in_the_fragment_and_elsewhere(
    quoted: str, name: str, verdict: QuoteVerdict, label: str, elsewhere: tuple[str, ...]
) -> None:
    """White space and quotation marks are made alike, nothing else is; a word is a whole word."""
    (quote,) = quotes(f"{quoted} SOURCE [{name}]")
    text = quoted[1:-1].replace("\ud800", "\ufffd")
    assert quote == QuoteCheck(text, 0, label, verdict, elsewhere)


@pytest.mark.requirement("KB-GRD-QUOTE-4")
@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("Employees of level one can't leave", "Employees of level one can"),
        ("Employees of level one can\u2019t leave", "Employees of level one can"),
        ("can\u2019t leave the house", "t leave the house"),
        ("The fee is 1,500 euros", "The fee is 1"),
        ("The fee is 1.5 million", "The fee is 1"),
        ("The fee is 1.5 million", "5 million"),
        ("The fee is 1/2 a euro", "The fee is 1"),
        ("It opens from 10:30 on", "It opens from 10"),
        ("The fee is 10\u201312 euros", "12 euros"),
        ("It fell to -5 degrees today", "5 degrees today"),
        ("It fell to \u22125 degrees today", "5 degrees today"),
        ("a non-binding offer was made", "binding offer was made"),
        ("the offer is cost\u2011free", "the offer is cost"),
        ("we use foo_bar in code", "we use foo"),
        ("See the old cafe\u0301 now", "See the old cafe"),
        ("See cafe\u0301s now", "s now"),
        ("मैं हिन्दी भाषा बोलता हूँ", "मैं हिन्दी भाष"),
    ],
)
def test_a_part_of_a_word_or_number_does_not_stand_alone(content: str, words: str) -> None:
    """It would be another word, or another number; the whole of it does stand there, and so it is for the machine."""
    shelf = _shelf.Shelf(CitationLedger([LedgerEntry("aa", "aa", content)]))
    for quoted, verdict in ((words, NOWHERE), (content, VERBATIM)):
        assert shelf.check(_quotes.Attributed(quoted, 0, ("aa",))).verdict is verdict
        alike = _shelf._comparable(content), _shelf._comparable(quoted)
        assert plain_quotes.holds(*alike) is (verdict is VERBATIM)


@pytest.mark.requirement("KB-GRD-QUOTE-4")
@pytest.mark.parametrize("words", ["It's the dogs'", "den. The fee is -5", "5,", "(20 - 3", "3)", "und Sonn-", "x-"])
def test_punctuation_that_joins_nothing_ends_a_word(words: str) -> None:
    """An apostrophe or a hyphen at the end of a word, and a full stop or a comma behind a number."""
    content = "It's the dogs' den. The fee is -5, (20 - 3). x- und Sonn- Feiertage"
    shelf = _shelf.Shelf(CitationLedger([LedgerEntry("aa", "aa", content)]))
    expected = NOWHERE if words == "5," else VERBATIM
    assert shelf.check(_quotes.Attributed(words, 0, ("aa",))).verdict is expected


def plain_holders(words: str, fragments: list[str]) -> list[str]:
    """Labels of the fragments in which the words stand alone somewhere."""
    return [f"n{i}" for i, content in enumerate(fragments) if plain_quotes.holds(content, words)]


PARTS = (
    *("aa", "a", "b", "é", "9", "_", "-", ".", "'", "“", '"', "»", " ", "  ", "\u3000", "\t", "据", "²"),
    *("\u0301", "\ufe0f", "\u2212", ",", "’", "\u093e", "٣"),
)


@pytest.mark.requirement("KB-GRD-QUOTE-4")
@given(
    fragments=st.lists(st.lists(st.sampled_from(PARTS), max_size=9), min_size=1, max_size=4),
    words=st.lists(st.sampled_from(PARTS), min_size=1, max_size=6),
)
def test_what_stands_alone_is_what_the_plain_definition_says(fragments: list[list[str]], words: list[str]) -> None:
    """In every fragment for itself, whatever repeats in it."""
    quoted, contents = "".join(words), ["".join(parts) for parts in fragments]
    ledger = CitationLedger([LedgerEntry(f"n{i}", f"n{i}", content) for i, content in enumerate(contents)])
    alike = [_shelf._comparable(clean_content(content)) for content in contents]
    shelf = _shelf.Shelf(ledger)
    needle = _shelf._comparable(quoted)
    if needle:
        assert shelf._holders(needle) == plain_holders(needle, alike)


@pytest.mark.requirement("KB-GRD-STREAM-3")
@pytest.mark.parametrize("unit", ["aa b ", "a", ". ", "ab"])
def test_looking_words_up_takes_time_in_proportion(unit: str) -> None:
    """In processor time, generously, where the words are found again and again and never stand alone."""

    def spent(size: int) -> float:
        ledger = CitationLedger([LedgerEntry(f"n{i}", f"n{i}", (unit * size)[:size]) for i in range(10)])
        shelf = _shelf.Shelf(ledger)
        shelf.check(_quotes.Attributed("x", 0, ()))
        quote = _quotes.Attributed((unit * size)[1 : size // 4], 0, ("n1",))
        start = process_time()
        for _ in range(20):
            shelf.check(quote)
        return process_time() - start

    spent(4_000)
    assert spent(64_000) < 16 * 4 * max(spent(4_000), 0.001)


@pytest.mark.requirement("KB-GRD-STREAM-3")
def test_a_reference_that_can_mean_many_is_checked_in_proportion() -> None:
    """In processor time, generously, where as many fragments hold the words, and none of them is meant."""

    def spent(size: int) -> float:
        ledger = CitationLedger([LedgerEntry(f"n{i}", f"n{i}", "one two three") for i in range(size)])
        shelf = _shelf.Shelf(ledger)
        quote = _quotes.Attributed("one two three", 0, tuple(f"m{i}" for i in range(size)))
        shelf.check(quote)
        start = process_time()
        shelf.check(quote)
        return process_time() - start

    spent(500)
    assert spent(8_000) < 16 * 4 * max(spent(500), 0.001)


def test_at_most_sixteen_fragments_are_named() -> None:
    """In the order of the ledger."""
    ledger = CitationLedger([LedgerEntry(f"n{i}", f"n{i}", "one two three") for i in range(20)])
    one = GroundingFilter(ledger)
    filtered(one, ["“one two three” SOURCE [x]"])
    assert one.report().quotes[0].elsewhere == tuple(f"n{i}" for i in range(16))


def test_an_empty_ledger_holds_nothing() -> None:
    """And can still be asked."""
    one = GroundingFilter(CitationLedger())
    filtered(one, ["“one two three” SOURCE [x]"])
    assert one.report().quotes == (QuoteCheck("one two three", 0, "", NOWHERE),)


def test_a_quotation_is_reported_when_its_paragraph_ends() -> None:
    """Before that, a reference may still come that it belongs to."""
    one = GroundingFilter(LEDGER)
    one.feed("SOURCE [a]: “Leave is 28 days”\n")
    assert one.report().quotes == ()
    one.feed("\n")
    assert [quote.verdict for quote in one.report().quotes] == [VERBATIM]
    one.feed("“Rooms are booked” SOURCE [bb]")
    one.flush()
    assert [quote.label for quote in one.report().quotes] == ["a", "bb"]


TOKENS = (
    *('"', "“", "”", "„", "«", "»", "one two three", "two three", "w ", " ", ". ", ".", "! ", "…", "。", ") ", ", "),
    *("\n", "\n\n", "\r\n", "SOURCE [a]", "SOURCE [c]", "[bb]", "SOURCE [x]:", "`", "`c. ”`", "\n```\n", "1", "S"),
    *("“a b c”", "＂", "‟", "〝", "〞", ':"', '."', ' " ', '"a'),
    *("— ", "(", "é", "...", '."', ".)", "!”", '"one two three" [bb] '),
)  # fmt: skip


@pytest.mark.requirement("KB-GRD-QUOTE-3")
@given(pieces=st.lists(st.sampled_from(TOKENS), max_size=16), size=st.integers(1, 9), renders=st.booleans())
def test_quotations_are_those_of_the_plain_machine(pieces: list[str], size: int, *, renders: bool) -> None:
    """Words, offsets, labels and verdicts, in chunks of any size."""
    text = "".join(pieces)
    ledger = PlainLedger(tuple((entry.label, entry.source_label, entry.content) for entry in LEDGER))
    expected = PlainGrounding(ledger, render=(lambda label, count: f"⟨{count}") if renders else None).answer(text)
    one = GroundingFilter(LEDGER, render=(lambda entry, count: f"⟨{count}") if renders else None)
    chunks = [text[start : start + size] for start in range(0, len(text), size)]
    assert filtered(one, chunks) == expected.output
    assert [Quotation(*(getattr(quote, name) for name in QUOTED)) for quote in one.report().quotes] == expected.quotes
