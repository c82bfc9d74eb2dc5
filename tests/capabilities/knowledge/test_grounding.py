"""The grounding filter: what is a reference, what becomes of it, what is told of it, when, and how much is held."""

from __future__ import annotations

import copy
import gc
import itertools
import random
import unicodedata
import weakref
from time import process_time
from typing import TYPE_CHECKING, Any

import pytest
from grounding_texts import ENDS, PIECES, SHORT, Seamed
from hypothesis import example, given, settings
from hypothesis import strategies as st
from plain_grounding import PlainGrounding, PlainLedger, is_word_or_number, plain_report, seen_report
from plain_tags import PlainTagMachine

from symfonic.capabilities.knowledge import (
    DEFAULT_LAYER_NAMES,
    AmbiguousReference,
    BridgeContractError,
    BridgeTypeError,
    CitationLedger,
    CitationTagFilter,
    CitedFragment,
    GroundingFilter,
    GroundingReport,
    LedgerEntry,
    UnknownReference,
    _account,
    chain,
    grounding,
    safe_source,
)
from symfonic.capabilities.knowledge._code import Ticks
from symfonic.capabilities.knowledge._references import Limits, goes_on
from symfonic.testing.knowledge import assert_chunk_invariant, assert_latency_optimal, filtered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

MARK = "[unverified source]"
TAG = " ·k7d2q4x4m3"
OTHER_TAG = " ·abcdefghij"
LEDGER = CitationLedger(
    [
        LedgerEntry("Handbook", "Handbook", "Leave is 28 days."),
        LedgerEntry("Ledger" + TAG, "Ledger", "Paid."),
        LedgerEntry("Rota" + TAG, "Rota", "Monday."),
        LedgerEntry("Rota" + OTHER_TAG, "Rota", "Tuesday."),
        LedgerEntry("2024", "2024", "A year."),
        LedgerEntry("²³", "²³", "Two notes."),
        LedgerEntry("٢٠٢٤", "٢٠٢٤", "A year."),
        LedgerEntry("x", "x", "A letter."),
        LedgerEntry("^note", "^note", "A note."),
        LedgerEntry("a`b", "a`b", "A tick."),
        LedgerEntry("社内規程", "社内規程", "Rules."),
        LedgerEntry("So far", "So far", "Begins like the word."),
        LedgerEntry("SOURCE", "SOURCE", "Is the word."),
    ]
)


def number(entry: LedgerEntry, count: int) -> str:
    """A reference as its number, in brackets no text here has."""
    return f"⟨{count}⟩"


def make(ledger: CitationLedger = LEDGER, **fields: Any) -> Callable[[], GroundingFilter]:
    """Makes new filters."""
    return lambda: GroundingFilter(ledger, **fields)


def shown(text: str, **fields: Any) -> str:
    """What a new filter makes of a text, the same however it is cut."""
    return assert_chunk_invariant(make(**fields), text, rounds=4)


def reported(text: str, **fields: Any) -> GroundingReport:
    """The report on a text."""
    one = GroundingFilter(LEDGER, **fields)
    filtered(one, [text])
    return one.report()


# -------------------------------------------------------------------------------------------------- arguments


@pytest.mark.parametrize(
    ("rule", "args"),
    [
        pytest.param(
            "KB-GRD-FILTER-1", {"ledger": [LEDGER["Handbook"]]}, marks=pytest.mark.requirement("KB-GRD-FILTER-1")
        ),
        pytest.param(
            "KB-GRD-FILTER-2",
            {"ledger": LEDGER, "on_unknown": "delete"},
            marks=pytest.mark.requirement("KB-GRD-FILTER-2"),
        ),
        pytest.param(
            "KB-GRD-FILTER-2", {"ledger": LEDGER, "on_unknown": None}, marks=pytest.mark.requirement("KB-GRD-FILTER-2")
        ),
        pytest.param(
            "KB-GRD-FILTER-3", {"ledger": LEDGER, "render": "[{}]"}, marks=pytest.mark.requirement("KB-GRD-FILTER-3")
        ),
    ],
)
def test_arguments_of_another_kind_are_refused(rule: str, args: dict[str, Any]) -> None:
    """A filter that could not do its work is never built."""
    with pytest.raises(BridgeContractError) as caught:
        GroundingFilter(**args)
    assert caught.value.rule == rule


class Lies(str):
    """A text that says of itself that there is nothing in it."""

    __slots__ = ()

    def __len__(self) -> int:
        return 0

    def strip(self, chars: str | None = None, /) -> str:
        """Nothing."""
        return ""


class NoText:
    """Has what a text is asked for first."""

    def __len__(self) -> int:
        return 1

    def strip(self, chars: str | None = None) -> str:
        """Nothing."""
        return ""


@pytest.mark.requirement("KB-GRD-CHUNK-1")
def test_a_text_of_another_class_is_read_by_its_characters() -> None:
    """What it says of itself does not count."""
    for before in ("", "a ", "a\n", "` "):
        assert filtered(GroundingFilter(LEDGER), [before, Lies("SOURCE [Evil]")]) == before + MARK


@pytest.mark.requirement("KB-GRD-CHUNK-1")
@pytest.mark.parametrize("text", [None, b"SOURCE", 1, ["a"], NoText()])
def test_what_is_no_text_is_refused_and_what_is_held_stays(text: Any) -> None:
    """In any state."""
    for before in ("", "a", "a\n", "a SOURCE [Hand"):
        one = GroundingFilter(LEDGER)
        held = one.feed(before)
        with pytest.raises(BridgeTypeError) as caught:
            one.feed(text)
        assert caught.value.rule == "KB-STR-TEXT-1"
        assert held + one.feed("book]") + one.flush() == f"{before}book]"


# -------------------------------------------------------------------------------------------- what is a reference


@pytest.mark.requirement("KB-GRD-REF-1")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See SOURCE [Handbook].", "See ⟨1⟩."),
        ("See Source [Handbook].", "See ⟨1⟩."),
        ("SOURCE[Handbook]", "⟨1⟩"),
        ("SOURCE \t [Handbook]", "⟨1⟩"),
        ("SOURCE" + " " * 64 + "[Handbook]", "⟨1⟩"),
        ("(SOURCE [Handbook])", "(⟨1⟩)"),
        ("据SOURCE [Handbook]", "据⟨1⟩"),
        ("éSOURCE [Handbook]", "é⟨1⟩"),
        ("-SOURCE [Handbook]", "-⟨1⟩"),
        ("**SOURCE [Handbook]**", "**⟨1⟩**"),
        ("SOURCE [社内規程]", "⟨1⟩"),
        (f"SOURCE [Ledger{TAG}]", "⟨1⟩"),
        ("SOURCE [2024] SOURCE [x] SOURCE [^note]", "⟨1⟩ ⟨2⟩ ⟨3⟩"),
        ("SOURCE [Handbook]SOURCE [x]SOURCE [Handbook]", "⟨1⟩ ⟨2⟩ ⟨1⟩"),
        ("SOURCE SOURCE [Handbook]", "SOURCE ⟨1⟩"),
        ("SOURCE [SOURCE [Handbook]]", "SOURCE [⟨1⟩]"),
        ("SSOURCE SSource Source [x", "SSOURCE SSource Source [x"),
        ("SOURCE [Handbook](https://example.org)", "⟨1⟩ (https://example.org)"),
    ],
)
def test_the_word_and_a_name_in_brackets_are_a_reference(text: str, expected: str) -> None:
    """In capitals or as at the beginning of a sentence, where no ASCII word goes on."""
    assert shown(text, render=number) == expected


@pytest.mark.requirement("KB-GRD-REF-2")
@pytest.mark.parametrize(
    "text",
    [
        "resource [1] RESOURCE [1] RESource [Evil] SOURCES [1] SOURCE_[1] SOURCE: [1] _SOURCE [1] 1SOURCE [1]",
        "source [Evil] sOURCE [Evil] SOUrce [Evil]",
        "SOURCE (Evil) SOURCE 【Evil】 SOURCE\n[Evil] SOURCE\u00a0[Evil] SOURCE\u2003[Evil]",
        "SOURCE" + " " * 65 + "[Evil]",
        "SOURCE [] SOURCE [\n] SOURCE [E\nvil] SOURCE [E\rvil]",
        "SOURCE [Ev[il] SOURCE [Hand[Evil]book] SOURCE [",
        "SOURCE [" + "e" * 255 + "]",
        "SOURCE [Evil",
        "SOURCE",
    ],
)
def test_what_is_no_reference_stays(text: str) -> None:
    """Longer words, other cases and brackets, too many spaces, names that are none."""
    assert shown(text, render=number) == text
    assert reported(text) == GroundingReport(uncited=tuple(entry.label for entry in LEDGER))


@pytest.mark.requirement("KB-GRD-REF-3")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Leave is 28 days [Handbook].", "Leave is 28 days ⟨1⟩."),
        ("[Handbook]", "⟨1⟩"),
        ("[Handbook]\n[Handbook]x", "⟨1⟩\n⟨1⟩x"),
        ("_[Handbook]_ 据[Handbook]", "_⟨1⟩_ 据⟨1⟩"),
        ("[[Handbook]]", "[⟨1⟩]"),
        (f"[Rota{TAG}]", "⟨1⟩"),
        ("[see [Handbook], please]", "[see ⟨1⟩, please]"),
        ("RESOURCE [Handbook]", "RESOURCE ⟨1⟩"),
        ("[Handbook]`code`", "⟨1⟩`code`"),
        ("据[Handbook]。规程々[Handbook] 第〇[Handbook]", "据⟨1⟩。规程々⟨1⟩ 第〇⟨1⟩"),
        ("です[Handbook] ルー[Handbook] か\u3099[Handbook] ﾙ[Handbook]", "です⟨1⟩ ルー⟨1⟩ か\u3099⟨1⟩ ﾙ⟨1⟩"),
        ("葛\U000e0100[Handbook] ㄅ[Handbook] ꀀ[Handbook]", "葛\U000e0100⟨1⟩ ㄅ⟨1⟩ ꀀ⟨1⟩"),
        ("วัน[Handbook] ที่[Handbook] ວັນ[Handbook] ថ្ងៃ[Handbook]", "วัน⟨1⟩ ที่⟨1⟩ ວັນ⟨1⟩ ថ្ងៃ⟨1⟩"),
        ("✔\ufe0f[Handbook] €[Handbook] —[Handbook]", "✔\ufe0f⟨1⟩ €⟨1⟩ —⟨1⟩"),
    ],
)
def test_a_bare_label_is_a_reference_where_it_is_exact(text: str, expected: str) -> None:
    """And nothing beside it makes it something else."""
    assert shown(text, render=number) == expected


@pytest.mark.requirement("KB-GRD-REF-4")
@pytest.mark.parametrize(
    "text",
    [
        "arr[0] arr[Handbook] arr_1[Handbook] f()[Handbook] [a][Handbook]",
        "é[Handbook] e\u0301[Handbook] ß[Handbook] Я[Handbook] ק\u05b8[Handbook] द्[Handbook] 요[Handbook] ª[Handbook]",
        "²[Handbook] ٣[Handbook] ①[Handbook] ½[Handbook] ２[Handbook] Ａ[Handbook] ๒[Handbook] 1\u20e3[Handbook]",
        "[²³] [٢٠٢٤] [2024] [x] [ ] [^note] [Ledger] [handbook] [ Handbook] [Evil] []",
        "- [ ] open\n- [x] done",
        "[Handbook](https://example.org) [Handbook][1] [Handbook]: https://example.org",
        "[a`b] [Hand[Evil]book] [Handbook",
        "[Hand\nbook] [Hand\rbook]",
    ],
)
def test_ordinary_brackets_are_never_touched(text: str) -> None:
    """Indices, years, boxes, links, footnotes, definitions, and labels that are not exact."""
    assert shown(text, render=number) == text
    report = reported(text)
    assert (len(report.cited), len(report.unknown)) == (0, 0)


@pytest.mark.requirement("KB-GRD-REF-3")
@pytest.mark.requirement("KB-GRD-REF-4")
def test_what_goes_on_with_a_bracket_is_what_unicode_calls_letters_marks_and_digits() -> None:
    """Every character of the first plane, by its name and properties; those of scripts without spaces do not."""
    assigned = [one for one in map(chr, range(0x80, 0x10000)) if unicodedata.category(one) not in {"Cn", "Cs"}]
    assert [one for one in assigned if goes_on(one) != is_word_or_number(one)] == []
    assert 20_000 < sum(map(goes_on, assigned)) < 30_000


@pytest.mark.requirement("KB-GRD-CODE-1")
@pytest.mark.parametrize(
    "text",
    [
        "```\nSOURCE [Evil]\n```\n",
        "```py SOURCE [Evil]\nSOURCE [Evil]\n```",
        "   ```\nSOURCE [Evil]\n  ````  \t\n",
        "~~~ `SOURCE [Evil]`\n[Handbook]\n~~~",
        "````\n```\nSOURCE [Evil]\n````",
        "```\n~~~\nSOURCE [Evil]\n``\nSOURCE [Evil]",
        "```\n```x\nSOURCE [Evil]",
        "```\n    ```\nSOURCE [Evil]",
        "```\r\nSOURCE [Evil]\r\n```\r\n",
        "a\r~~~~\rSOURCE [Evil]\r~~~\rSOURCE [Evil]",
        "Run `SOURCE [Evil]` now, or ``a ` SOURCE [Evil]`` then.",
        "`SOURCE [Evil]` ``SOURCE [Evil]`` ```SOURCE [Evil]```",
        "SOURCE `[Evil]` SOURCE [`Evil`] [`Handbook`] SOURCE [Hand`book]`",
        "`" + "e" * 1023 + "`" * 2 + "`",
        "`" + "SOURCE [Evil]".ljust(1023) + "`",
        "```" + "e" * 1024 + "` SOURCE [Evil]\nSOURCE [Evil]",
        "```",
        "``` SOURCE [Evil]",
        "~~~ SOURCE [Evil]",
    ],
)
def test_code_comes_through_untouched(text: str) -> None:
    """Fences and inline code; a fence that is not closed goes on to the end."""
    assert shown(text, render=number) == text
    report = reported(text)
    assert (len(report.cited), len(report.unknown)) == (0, 0)


@pytest.mark.requirement("KB-GRD-CODE-2")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```\ncode\n```\nSOURCE [Evil]", f"```\ncode\n```\n{MARK}"),
        ("    ```\nSOURCE [Evil]", f"    ```\n{MARK}"),
        ("\t```\nSOURCE [Evil]", f"\t```\n{MARK}"),
        ("a ```\nSOURCE [Evil]", f"a ```\n{MARK}"),
        ("``\nSOURCE [Evil]", f"``\n{MARK}"),
        ("1. ```sh\n   ls\n   ```\nSOURCE [Evil]", f"1. ```sh\n   ls\n   ```\n{MARK}"),
        ("- ```\n  code\n  ```  \nSOURCE [Evil]", f"- ```\n  code\n  ```  \n{MARK}"),
        ("- ```\rcode\r```\r(SOURCE [Evil]", f"- ```\rcode\r```\r({MARK}"),
        ("> - ````\r\n> x\r\n````\r\nSOURCE [Evil]", f"> - ````\r\n> x\r\n````\r\n{MARK}"),
        ("-\t12) ```\n```\nSOURCE [Evil]\n```\nSOURCE [Evil]", f"-\t12) ```\n```\n{MARK}\n```\nSOURCE [Evil]"),
        ("- ```\n    ```\n```\nSOURCE [Evil]", "- ```\n    ```\n```\nSOURCE [Evil]"),
        ("- ```\n```py\n```\n```\nSOURCE [Evil]", "- ```\n```py\n```\n```\nSOURCE [Evil]"),
        ("- ```\n    ```x\n```\nSOURCE [Evil]", f"- ```\n    ```x\n```\n{MARK}"),
        ("- ```" + "e" * 1021 + "\n```\nSOURCE [Evil]", "- ```" + "e" * 1021 + "\n```\nSOURCE [Evil]"),
        ("- ```" + "e" * 1020 + "\n```\nSOURCE [Evil]", "- ```" + "e" * 1020 + f"\n```\n{MARK}"),
        ("- a ```\n```\nSOURCE [Evil]", "- a ```\n```\nSOURCE [Evil]"),
        ("-```\n```\nSOURCE [Evil]", "-```\n```\nSOURCE [Evil]"),
        ("- ```a```\n```\nSOURCE [Evil]", "- ```a```\n```\nSOURCE [Evil]"),
        ("~~\nSOURCE [Evil]", f"~~\n{MARK}"),
        ("~~`SOURCE [Evil]", f"~~`{MARK}"),
        ("~~a~\nSOURCE [Evil]", f"~~a~\n{MARK}"),
        ("``` a ` SOURCE [Evil]\nSOURCE [Evil]", f"``` a ` {MARK}\n{MARK}"),
        ("``` SOURCE [Evil] `", f"``` {MARK} `"),
        ("```a```\nSOURCE [Evil]", f"```a```\n{MARK}"),
        ("it`s SOURCE [Evil]\n`", f"it`s {MARK}\n`"),
        ("it`s SOURCE [Evil]", f"it`s {MARK}"),
        ("`` SOURCE [Evil] ` SOURCE [Evil] `", f"`` {MARK} ` SOURCE [Evil] `"),
        ("` SOURCE [Evil]``", f"` {MARK}``"),
        ("`" + "SOURCE [Evil]".ljust(1024) + "`", "`" + (MARK + " " * 1011) + "`"),
        ("`" * 1025 + "SOURCE [Evil]" + "`" * 1025, "`" * 1025 + MARK + "`" * 1025),
        ("```\ncode\n```  x\n```\nSOURCE [Evil]", f"```\ncode\n```  x\n```\n{MARK}"),
        ("SOURCE [Ev`il] SOURCE [`]", "SOURCE [Ev`il] SOURCE [`]"),
        ("SOURCE [Ev`il]", MARK),
        ("SOURCE [a`b]", "SOURCE [a`b]"),
    ],
)
def test_what_only_looks_like_code_hides_nothing(text: str, expected: str) -> None:
    """Backticks without a partner, fences too short or too far in, lines that are none."""
    assert shown(text, render=number) == expected


@pytest.mark.requirement("KB-GRD-REF-2")
@pytest.mark.parametrize("space", [" ", "\t", "\t "])
def test_up_to_64_spaces_stand_between_the_word_and_its_bracket(space: str) -> None:
    """Behind one more nothing is marked or reported, and nothing waits."""
    gap = (space * 64)[:64]
    assert shown(f"SOURCE{gap}[Evil] x") == f"{MARK} x"
    text = f"SOURCE{gap} [Evil] x"
    assert shown(text) == text
    assert reported(text).unknown == ()
    one = GroundingFilter(LEDGER)
    assert one.feed(f"SOURCE{gap}") == ""
    assert one.feed(" ") == f"SOURCE{gap} "


@pytest.mark.requirement("KB-GRD-CODE-1")
@pytest.mark.requirement("KB-GRD-CODE-2")
@pytest.mark.parametrize("ticks", ["```", "`````"])
def test_a_backtick_that_makes_a_fence_none_is_looked_for_in_1024_characters(ticks: str) -> None:
    """One that comes later changes nothing any more: the block is open, and hides what stands in it."""
    text = ticks + "e" * 1_023 + "` a\nSOURCE [Evil]"
    assert shown(text) == ticks + "e" * 1_023 + f"` a\n{MARK}"
    text = ticks + "e" * 1_024 + "` a\nSOURCE [Evil]"
    assert shown(text) == text
    assert reported(text).unknown == ()


# ------------------------------------------------------------------------------------------- what becomes of it


@pytest.mark.requirement("KB-GRD-UNKNOWN-1")
@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("See SOURCE [Evil].", f"See {MARK}."),
        ("See SOURCE [Evil]: it says", f"See {MARK} it says"),
        ("SOURCE [Evil]::", f"{MARK} :"),
        ("\nSOURCE [Evil]:\n:", f"\n{MARK}\n:"),
        ("“SOURCE [Evil]: x", f"“{MARK} x"),
        ("`a SOURCE [Evil]: x", f"`a {MARK} x"),
        ("Sorry, So SOURSE [Evil]: SOURCE [Evil]:Source [Evil]", f"Sorry, So SOURSE [Evil]: {MARK} {MARK}"),
        ("SOURCE [Evil] :", f"{MARK} :"),
        ("SOURCE [Hand[Evil]book] SOURCE [Evil]", f"SOURCE [Hand[Evil]book] {MARK}"),
        ("SOURCE [Hand SOURCE [Evil]book]", f"SOURCE [Hand {MARK}book]"),
        ("SOURCE [ Handbook]", MARK),
        ("SOURCE [Handbook, Rota]", MARK),
        ("SOURCE [" + "e" * 254 + "]", MARK),
        (f"SOURCE [Handbook{TAG}]", MARK),
        ("SOURCE [Hand\u200bbook]", MARK),
        ("SOURCE [Hand\u2028book]", MARK),
    ],
)
def test_an_unknown_name_is_marked_and_never_deleted(text: str, marked: str) -> None:
    """A deletion could forge a neighbour. The colon of the line it imitates goes with it."""
    assert shown(text) == marked
    assert shown(text, on_unknown="keep") == text


@pytest.mark.requirement("KB-GRD-LINK-1")
@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("SOURCE [x y](https://example.org)", f"{MARK} (https://example.org)"),
        ("SOURCE [x y]:(https://example.org)", f"{MARK} (https://example.org)"),
        ("SOURCE [x y]::(https://example.org)", f"{MARK} :(https://example.org)"),
        ("SOURCE [x y][1]\n\n[1]: https://example.org", f"{MARK} [1]\n\n[1]: https://example.org"),
        ("SOURCE [x y][] SOURCE [x y][^1]", f"{MARK} [] {MARK} [^1]"),
        ("SOURCE [x y]:: https://example.org", f"{MARK} : https://example.org"),
        ("!SOURCE [x y](https://example.org/p.png)", f"! {MARK} (https://example.org/p.png)"),
        ("!SOURCE[x y]", f"! {MARK}"),
        ("[see]SOURCE [x y].", f"[see] {MARK}."),
        ("Source [x y]SOURCE [x y]", f"{MARK} {MARK}"),
        ("Source [x y]:SOURCE [x y][Handbook]", f"{MARK} {MARK} [Handbook]"),
        ("SOURCE [x y] (see [1](x)) \\SOURCE [x y]", f"{MARK} (see [1](x)) \\{MARK}"),
        ("`a` SOURCE [x y](b) ` !SOURCE [x y](", f"`a` {MARK} (b) ` ! {MARK} ("),
        ("`SOURCE [x y](b)` `!SOURCE [x y]`", "`SOURCE [x y](b)` `!SOURCE [x y]`"),
        ("SOURCE [Handbook](b) !SOURCE [Handbook]", "SOURCE [Handbook](b) !SOURCE [Handbook]"),
    ],
)
def test_the_mark_never_becomes_a_link_or_an_image(text: str, marked: str) -> None:
    """A space keeps it apart from what Markdown would read with it; nothing is deleted for that."""
    assert shown(text) == marked
    assert shown(text, on_unknown="keep") == text
    places = [at for at in range(len(marked)) if marked.startswith(MARK, at)]
    assert [offset for one in reported(text).unknown for offset in one.offsets] == places


@pytest.mark.requirement("KB-GRD-LINK-1")
@pytest.mark.parametrize(
    ("text", "written", "expected"),
    [
        ("SOURCE [x](https://example.org)", "[1]", "[1] (https://example.org)"),
        ("SOURCE [x]SOURCE [Handbook] [Handbook]", "[^1]", "[^1] [^1] [^1]"),
        ("!SOURCE [x] ![Handbook].", "[1]", "! [1] ! [1]."),
        ("!SOURCE [x][y](https://example.org)", "", "!  [y](https://example.org)"),
        ("[y]SOURCE [x](https://example.org)", "", "[y]  (https://example.org)"),
        ("`a SOURCE [x][y]\n!SOURCE [x]:[y]", "[1]", "`a [1] [y]\n! [1] [y]"),
    ],
)
def test_what_render_writes_is_kept_apart_as_well(text: str, written: str, expected: str) -> None:
    """Whatever it is; the number in brackets would be a link as the mark would."""
    assert shown(text, render=lambda entry, count: written) == expected


@pytest.mark.requirement("KB-GRD-LINK-1")
def test_the_space_in_front_counts_for_quotations_as_it_shows() -> None:
    """It ends a sentence behind an exclamation mark, and it moves what stands behind it."""
    text = "SOURCE [Handbook] Look!SOURCE [x y] “Leave is 28 days”"
    for chunks in ([text], text, [text[:23], text[23:]], [text[:22], text[22:35], text[35:]]):
        one = GroundingFilter(LEDGER)
        assert filtered(one, chunks) == f"SOURCE [Handbook] Look! {MARK} “Leave is 28 days”"
        assert [(quote.offset, quote.label) for quote in one.report().quotes] == [(44, "")]


@pytest.mark.requirement("KB-GRD-UNKNOWN-2")
def test_unknown_names_are_reported_either_way() -> None:
    """Through `safe_source`, with the place of each in the output."""
    text = "SOURCE [Evil] SOURCE [a\tb] SOURCE [Evil]: SOURCE [ ] SOURCE [  ]"
    marked, kept = reported(text), reported(text, on_unknown="keep")
    names = ("Evil", safe_source("a\tb"), "unknown")
    assert marked.unknown == tuple(map(UnknownReference, names, ((0, 40), (20,), (60, 80))))
    assert kept.unknown == tuple(map(UnknownReference, names, ((0, 27), (14,), (42, 53))))


@pytest.mark.requirement("KB-GRD-CITED-1")
def test_admitted_references_pass_and_are_counted() -> None:
    """Label, source, and where in the output each stands; what was not cited is named."""
    text = f"SOURCE [Handbook] [Handbook], SOURCE [Ledger]: SOURCE [Ledger{TAG}]"
    assert shown(text) == text
    assert reported(text).cited == (
        CitedFragment("Handbook", "Handbook", (0, 18)),
        CitedFragment("Ledger" + TAG, "Ledger", (30, 47)),
    )
    assert reported(text).cited[0].count == 2
    assert "Handbook" not in reported(text).uncited
    assert reported(text).uncited[0] == "Rota" + TAG


@pytest.mark.requirement("KB-GRD-AMBIGUOUS-1")
def test_a_source_with_several_fragments_is_ambiguous_and_never_unknown() -> None:
    """It passes, is reported with what it can mean, and cites none of them for certain."""
    text = "SOURCE [Rota] and Source [Rota]"
    assert shown(text, render=number) == text
    report = reported(text, render=number)
    assert report.ambiguous == (AmbiguousReference("Rota", ("Rota" + TAG, "Rota" + OTHER_TAG), (0, 18)),)
    assert (len(report.cited), len(report.unknown)) == (0, 0)
    assert "Rota" + TAG in report.uncited


@pytest.mark.requirement("KB-GRD-WRITE-1")
def test_references_are_rewritten_by_number_of_first_reference() -> None:
    """The function gets the entry and its number; offsets are those of the output; no colon stays."""
    text = "SOURCE [x]: a [Handbook] SOURCE [x]. SOURCE [Ledger]"
    calls: list[tuple[str, int]] = []

    def render(entry: LedgerEntry, count: int) -> str:
        calls.append((entry.label, count))
        return "[^1]" * count

    one = GroundingFilter(LEDGER, render=render)
    assert filtered(one, [text]) == "[^1] a [^1][^1] [^1]. [^1][^1][^1]"
    assert calls == [("x", 1), ("Handbook", 2), ("x", 1), ("Ledger" + TAG, 3)]
    assert [cited.offsets for cited in one.report().cited] == [(0, 16), (7,), (22,)]


@pytest.mark.requirement("KB-GRD-WRITE-2")
@pytest.mark.parametrize("written", ["", "SOURCE [Evil]", "[Handbook]", "`", "```\n", "S"])
def test_what_render_writes_is_not_read_again(written: str) -> None:
    """It is the operator's; neither a reference nor code in it counts."""
    text = "\n[Handbook]OURCE [Evil] SOURCE [Evil]"
    assert shown(text, render=lambda entry, count: written) == f"\n{written}OURCE [Evil] {MARK}"


@pytest.mark.requirement("KB-GRD-ACCOUNT-1")
def test_references_written_as_nothing_stand_a_space_apart() -> None:
    """The report says where, and comes back from JSON."""
    one = GroundingFilter(LEDGER, render=lambda entry, count: "")
    assert filtered(one, ["SOURCE [Handbook]SOURCE [Handbook]"]) == " "
    report = one.report()
    assert report.cited == (CitedFragment("Handbook", "Handbook", (0, 1)),)
    assert GroundingReport.from_json(report.to_json()) == report


@pytest.mark.requirement("KB-GRD-RENDER-1")
@pytest.mark.requirement("KB-GRD-RENDER-2")
@pytest.mark.requirement("KB-GRD-WRITE-3")
def test_what_goes_wrong_in_render_names_the_label() -> None:
    """The error is ours, the answer ends, and the filter is as good as new."""

    def render(entry: LedgerEntry, count: int) -> Any:
        if entry.label == "x":
            raise LookupError("content that must not be logged")
        return None

    one = GroundingFilter(LEDGER, render=render)
    for text, rule, label in (
        ("SOURCE [x]", "KB-GRD-RENDER-1", "x"),
        ("SOURCE [Handbook]", "KB-GRD-RENDER-2", "Handbook"),
    ):
        one.feed("```\n```\nSOURCE [Evil] ")
        with pytest.raises(BridgeContractError) as caught:
            one.feed(text)
        assert (caught.value.rule, caught.value.value) == (rule, label)
        assert "logged" not in str(caught.value)
        assert rule != "KB-GRD-RENDER-2" or ", got NoneType for 'Handbook'" in str(caught.value)
        assert one.report().unknown == (UnknownReference("Evil", (8,)),)
        assert filtered(one, ["SOURCE [Evil]"]) == MARK
    one.feed("[Handbook]")
    with pytest.raises(BridgeContractError):
        one.flush()
    assert filtered(one, ["a"]) == "a"


def test_a_str_of_another_class_is_taken_by_its_characters() -> None:
    """From a model's client, and from `render`."""

    class Loud(str):
        __slots__ = ()

        def __str__(self) -> str:
            return "loud"

        def strip(self, chars: str | None = None) -> str:
            return "S"

        def rfind(self, *args: Any) -> int:
            return 0

        def __getitem__(self, key: Any) -> str:
            return "S"

    one = GroundingFilter(LEDGER, render=lambda entry, count: Loud("1"))
    answers = [one.feed(Loud("a [Hand")), one.feed(Loud("book]")), one.flush()]
    assert "".join(answers) == "a 1"
    assert type(answers[-1]) is str


# ----------------------------------------------------------------------------------------------------- reports


@pytest.mark.requirement("KB-GRD-ACCOUNT-1")
def test_a_report_tells_what_is_certain_so_far_and_stays_until_the_next_answer() -> None:
    """Before, in the middle, after the end; empty chunks begin nothing."""
    one = GroundingFilter(LEDGER)
    nothing = GroundingReport(uncited=tuple(entry.label for entry in LEDGER))
    assert one.report() == nothing
    one.feed("SOURCE [Handbook] [Handbook]")
    assert [cited.offsets for cited in one.report().cited] == [(0,)]
    one.flush()
    for _ in range(2):
        assert [cited.offsets for cited in one.report().cited] == [(0, 18)]
        assert one.feed("") == ""
    one.feed("a")
    assert one.report() == nothing
    one.flush()
    assert one.report() == nothing


@pytest.mark.requirement("KB-GRD-ACCOUNT-1")
def test_an_empty_answer_has_an_empty_report() -> None:
    """Not that of the answer before: no chunk, an empty one, or one of which the filter of tags leaves nothing."""
    one = GroundingFilter(LEDGER)
    through = chain(CitationTagFilter(), one)
    nothing = one.report()
    for chunks in ([], [""], ["[semantic]"], ["[sem", "antic]"]):
        filtered(through, ["SOURCE [Handbook]"])
        assert one.report().cited[0].count == 1
        assert filtered(through, chunks) == ""
        assert one.report() == nothing


@pytest.mark.requirement("KB-GRD-ACCOUNT-1")
def test_after_an_error_the_report_on_what_came_before_it_stays() -> None:
    """Though somebody who cleans up flushes once more; the next flush ends the next answer."""

    def render(entry: LedgerEntry, count: int) -> str:
        raise LookupError

    for texts, way in ((["SOURCE [Evil] ", "SOURCE [x]"], "feed"), (["SOURCE [Evil] [Handbook]"], "flush")):
        one = GroundingFilter(LEDGER, render=render)
        with pytest.raises(BridgeContractError):
            filtered(one, texts)
        assert one.flush() == ""
        assert (one.report().unknown, way) == ((UnknownReference("Evil", (0,)),), way)
        assert one.flush() == ""
        assert one.report().unknown == ()


@pytest.mark.requirement("KB-GRD-ACCOUNT-1")
def test_giving_up_counts_nothing_that_was_held_and_calls_nobody() -> None:
    """What was shown counts as if the answer had ended there, quotations included."""
    calls: list[str] = []

    def render(entry: LedgerEntry, count: int) -> str:
        calls.append(entry.label)
        return "1"

    one = GroundingFilter(LEDGER, render=render)
    for text in (
        "a [Handbook]",
        "`a SOURCE [Evil]",
        "``py SOURCE [Evil``",
        "SOURCE [Ev",
        "`a SOURCE [Rota] SOURCE [x] b",
    ):
        one.feed(text)
        one._discard()
        assert (one.report().cited, one.report().unknown) == ((), ())
    assert [ambiguous.offsets for ambiguous in one.report().ambiguous] == [(3,)]
    assert calls == []
    one.feed("“Leave is 28” SOURCE [Handbook] SO")
    one._discard()
    assert [(quote.text, quote.label) for quote in one.report().quotes] == [("Leave is 28", "Handbook")]
    assert calls == ["Handbook"]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_goes_its_own_way(copied: Callable[[GroundingFilter], GroundingFilter]) -> None:
    """From the same place in the same answer; the ledger and the function are the same."""

    class Render:
        def __call__(self, entry: LedgerEntry, count: int) -> str:
            return f"⟨{count}⟩"

        def __deepcopy__(self, memo: object) -> Any:
            raise AssertionError

    for text in (
        "SOURCE [x] and SOURCE [Handbook], “a b c” [x]",
        "`a SOURCE [x]\n[Handbook]. ",
        "[SOURCE [a",
        "```\nx",
    ):
        expected = shown(text, render=number)
        for size in range(len(text)):
            one = GroundingFilter(LEDGER, render=Render())
            begun = one.feed(text[:size])
            twin = copied(one)
            assert begun + twin.feed(text[size:]) + twin.flush() == expected
            assert begun + filtered(one, [text[size:]]) == expected
            assert one.report() == twin.report()
            assert filtered(twin, ["SOURCE [Evil]"]) == MARK
            assert one.report() != twin.report()


def test_a_copy_rewrites_nothing_where_its_model_does_not() -> None:
    """And counts for itself."""
    one = GroundingFilter(LEDGER)
    assert one.feed("a SOURCE [Ev") == "a "
    twin = copy.copy(one)
    assert (filtered(twin, ["il]"]), filtered(one, ["en]"])) == (MARK, MARK)
    assert (twin.report().unknown[0].name, one.report().unknown[0].name) == ("Evil", "Even")


def test_a_reference_that_may_be_code_is_not_reported_yet() -> None:
    """Though it was shown, because it stays as it is either way."""
    one = GroundingFilter(LEDGER)
    assert one.feed("`a SOURCE [Handbook]") == "`a SOURCE [Handbook]"
    assert one.report().cited == ()
    assert one.feed("\n") == "\n"
    assert [cited.offsets for cited in one.report().cited] == [(3,)]


# ------------------------------------------------------------------------------------------- limits of a report


@pytest.mark.requirement("KB-GRD-LIMIT-1")
def test_of_too_many_invented_names_the_first_are_told_and_the_references_to_others_counted() -> None:
    """Names told go on being counted; those that show as blank share one label, wherever they come."""
    names = [f"n{i}" for i in range(grounding.MAX_REPORTED_NAMES - 2)]
    names = [" ", *names, "\u200b", *names[:2], "m1", "m2", "m1", " "]
    one = GroundingFilter(LEDGER, on_unknown="keep")
    text = " ".join(f"SOURCE [{name}]" for name in names)
    filtered(one, [text])
    report = one.report()
    assert [item.name for item in report.unknown] == ["unknown", *names[1:-7]]
    assert [item.count for item in report.unknown[:4]] == [3, 2, 2, 1]
    assert report.unknown[0].offsets == (0, text.index("SOURCE [\u200b]"), len(text) - 10)
    assert report.omitted_unknown == 3
    assert sum(item.count for item in report.unknown) + report.omitted_unknown == len(names)


@pytest.mark.requirement("KB-GRD-LIMIT-1")
def test_of_too_many_places_the_first_are_told_and_the_others_counted() -> None:
    """Of each fragment and each name for itself."""
    most = grounding.MAX_REPORTED_OFFSETS
    one = GroundingFilter(LEDGER)
    filtered(one, ["[Handbook] " * (most + 3) + "SOURCE [x] " * most + "SOURCE [no] SOURCE [Rota] " * (most + 1)])
    report = one.report()
    assert [(item.label, len(item.offsets), item.omitted, item.count) for item in report.cited] == [
        ("Handbook", most, 3, most + 3),
        ("x", most, 0, most),
    ]
    assert report.cited[0].offsets == tuple(range(0, most * 11, 11))
    assert [(len(item.offsets), item.omitted) for item in report.unknown] == [(most, 1)]
    assert [(len(item.offsets), item.omitted) for item in report.ambiguous] == [(most, 1)]
    assert GroundingReport.from_json(report.to_json()) == report


@pytest.mark.requirement("KB-GRD-LIMIT-1")
def test_a_report_on_a_hostile_answer_is_bounded() -> None:
    """Ten times the answer makes no longer report, but for the digits of its counts and places."""
    sizes: list[int] = []
    for times in (1, 10):
        one = GroundingFilter(LEDGER)
        for number in range(1_000 * times):
            one.feed(f"“a b {number}” SOURCE [evil {number}] [Handbook] SOURCE [Rota]\n\n")
        one.flush()
        sizes.append(len(one.report().to_json()))
        assert one.report().omitted_quotes == 1_000 * times - grounding.MAX_REPORTED_QUOTES
        assert one.report().omitted_unknown == 1_000 * times - grounding.MAX_REPORTED_NAMES
        kept = one._account
        assert len(kept._unknown) == len(kept._labels) == grounding.MAX_REPORTED_NAMES
        assert len(kept.quotes.kept) == grounding.MAX_REPORTED_QUOTES
        assert kept._journal._items is None
    assert sizes[1] - sizes[0] < 100


@pytest.mark.requirement("KB-GRD-LIMIT-1")
@given(
    pieces=st.lists(
        st.sampled_from(
            (
                *("[Handbook]", "SOURCE [x] ", "SOURCE [Rota] ", "SOURCE [a] ", "SOURCE [b] ", "SOURCE [c]: "),
                *(
                    "SOURCE [ ] ",
                    "SOURCE [\u200b] ",
                    "SOURCE [unverified source] ",
                    "“one two three” ",
                    "\n\n",
                    "`",
                    ".",
                ),
            )
        ),
        max_size=24,
    ),
    size=st.integers(1, 30),
    fields=st.sampled_from([{}, {"render": number}, {"on_unknown": "keep"}]),
    limits=st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3)),
)
def test_what_is_told_and_counted_is_that_of_the_plain_machine(
    pieces: list[str], size: int, fields: dict[str, Any], limits: tuple[int, int, int]
) -> None:
    """Whatever the limits are, and however the text is cut."""
    text = "".join(pieces)
    chunks = [text[start : start + size] for start in range(0, len(text), size)]
    with pytest.MonkeyPatch.context() as patch:
        for name, most in zip(("NAMES", "OFFSETS", "QUOTES"), limits, strict=True):
            patch.setattr(_account, f"MAX_REPORTED_{name}", most)
        one = GroundingFilter(LEDGER, **fields)
        held_against(plain(LEDGER, Limits(), fields), one, text, chunks, limits)


BROKEN = CitationLedger([LedgerEntry(name, name, "one two three") for name in ("Handbook", "Rota", "Boom")])


def breaking(entry: LedgerEntry, count: int) -> str:
    """Writes every reference but one."""
    if entry.label == "Boom":
        raise LookupError
    return f"⟨{count}⟩"


def _fed(way: str, one: GroundingFilter) -> Any:
    """A way to feed a filter."""
    if way == "chain":
        return chain(CitationTagFilter(), one)
    return Seamed(one) if way == "joined" else one


@pytest.mark.requirement("KB-GRD-ACCOUNT-1")
@given(
    pieces=st.lists(
        st.sampled_from(
            (
                *("[Handbook]", "SOURCE [Rota] ", "SOURCE [Evil] ", "SOURCE [E", "vil]", "[Ro", "ta]", ": ", "(", "!"),
                *("“one two three” ", "“one two", " three”", "\n\n", "\n", "`", "```", "~~~", ". ", "[semantic]", "|"),
            )
        ),
        max_size=16,
    ),
    last=st.lists(
        st.sampled_from(
            ("[Handbook] ", "SOURCE [Evil2] ", "vil]", "ta]", "“one two three” ", "three”", "\n\n", "`", ".", "\n```\n")
        ),
        max_size=5,
    ),
    sizes=st.lists(st.integers(1, 40), min_size=1, max_size=4),
    limits=st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3)),
    unknown=st.sampled_from(["mark", "keep"]),
    way=st.sampled_from(["feed", "joined", "chain"]),
)
def test_an_answer_that_breaks_inside_render_is_reported_as_given_up_where_it_was_shown(
    pieces: list[str], last: list[str], sizes: list[int], limits: tuple[int, int, int], unknown: Any, way: str
) -> None:
    """Whatever the call that broke had read: quotations, paragraphs, code, names, and what is beyond the limits."""
    text = "".join(pieces)
    ends = [0, *itertools.takewhile(lambda end: end < len(text), itertools.accumulate(itertools.cycle(sizes)))]
    chunks = [text[start:end] for start, end in itertools.pairwise([*ends, len(text)])]
    with pytest.MonkeyPatch.context() as patch:
        for name, most in zip(("NAMES", "OFFSETS", "QUOTES"), limits, strict=True):
            patch.setattr(_account, f"MAX_REPORTED_{name}", most)
        one, twin = (GroundingFilter(BROKEN, on_unknown=unknown, render=breaking) for _ in range(2))
        ways = [_fed(way, it) for it in (one, twin)]
        given_up = "".join(map(ways[1].feed, chunks))
        twin._discard()
        assert "".join(map(ways[0].feed, chunks)) == given_up
        try:
            ways[0].feed("".join(last) + " SOURCE [Boom]. ")
        except BridgeContractError:
            assert one.report() == twin.report()
            assert one._report_until(len(given_up)) == twin.report()
        else:
            assert {"`", "~"} & set(text + "".join(last))


@pytest.mark.requirement("KB-GRD-ACCOUNT-1")
def test_what_the_end_of_a_chain_read_before_it_broke_is_taken_back() -> None:
    """The rest that a filter before held was never shown, nor what a filter behind did not let through."""
    one = GroundingFilter(BROKEN, render=breaking)
    through = chain(CitationTagFilter(), one)
    begun = "".join(map(through.feed, ("“one two three” [Handbook] SOURCE [Evil] ", "[Boom] [")))
    assert begun == f"“one two three” ⟨1⟩ {MARK} "
    with pytest.raises(BridgeContractError):
        through.flush()
    report = one._report_until(len(begun))
    assert (len(report.quotes), len(report.cited), len(report.unknown)) == (1, 1, 1)
    other = GroundingFilter(BROKEN)
    begun = other._feed_joined(["SOURCE [Evil] "])
    other._feed_joined(["SOURCE [Evil] "])
    assert other._report_until(len(begun)).unknown == (UnknownReference("Evil", (0,)),)


class _Hoarding:
    """A filter that lets nothing through before the end."""

    def __init__(self) -> None:
        self.held = ""

    def feed(self, text: str) -> str:
        self.held += text
        return ""

    def flush(self) -> str:
        held, self.held = self.held, ""
        return held


@pytest.mark.requirement("KB-GRD-ACCOUNT-1")
def test_what_a_last_call_let_through_before_it_broke_is_taken_back() -> None:
    """The end of a chain shows nothing where it breaks, though this filter had read and written some of it by then."""
    one = GroundingFilter(BROKEN, render=breaking)
    through = chain(_Hoarding(), one)
    assert through.feed("“one two three” [Handbook] SOURCE [Evil]. And [Boom]") == ""
    with pytest.raises(BridgeContractError):
        through.flush()
    report = one._report_until(0)
    assert (report.quotes, report.cited, report.unknown) == ((), (), ())


@pytest.mark.requirement("KB-GRD-ACCOUNT-1")
def test_an_answer_shown_as_far_as_it_was_read_is_reported_as_it_stands() -> None:
    """Nothing is taken back, and of an answer that never began there is nothing to take."""
    one = GroundingFilter(BROKEN, render=breaking)
    shown = one.feed("SOURCE [Evil] and more")
    assert one._report_until(len(shown)).unknown == (UnknownReference("Evil", (0,)),)
    assert GroundingFilter(BROKEN)._report_until(0) == GroundingFilter(BROKEN).report()


@pytest.mark.requirement("KB-GRD-ACCOUNT-1")
def test_characters_that_were_not_looked_at_are_told_after_an_error() -> None:
    """The paragraph that was open ends where the answer does."""
    one = GroundingFilter(BROKEN, render=breaking)
    one.feed("“x " + "y " * 6000)
    unread = 12_003 - grounding.MAX_PARAGRAPH_CHARS
    with pytest.raises(BridgeContractError):
        one.feed("[Boom].")
    assert (one.report().unread_chars, one.report().cited) == (unread, ())


@pytest.mark.requirement("KB-GRD-LIMIT-2")
def test_a_label_is_made_once_however_often_a_report_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """And for names that are told only, so a report costs what it says and no more."""
    made: list[str] = []

    def counted(name: str) -> Any:
        made.append(name)
        return safe_source(name)

    monkeypatch.setattr(_account, "safe_source", counted)
    one = GroundingFilter(LEDGER)
    names = [f"e\u202e{i}" for i in range(grounding.MAX_REPORTED_NAMES + 50)]
    for name in names:
        one.feed(f"SOURCE [{name}] SOURCE [{name}] ")
        one.report()
    one.flush()
    assert [len(one.report().unknown) for _ in range(3)] == [grounding.MAX_REPORTED_NAMES] * 3
    assert made == names[: grounding.MAX_REPORTED_NAMES]


@pytest.mark.requirement("KB-GRD-LIMIT-2")
def test_reports_of_a_longer_answer_cost_no_more() -> None:
    """In processor time, generously: what is told is the same, and nothing of the answer is worked out again."""

    def spent(times: int) -> float:
        one = GroundingFilter(LEDGER)
        filtered(one, [f"SOURCE [e\u202evil {number}] " for number in range(1_000 * times)])
        one.report()
        start = process_time()
        for _ in range(20):
            one.report()
        return process_time() - start

    assert spent(20) < 5 * spent(1)


@pytest.mark.requirement("KB-GRD-UNKNOWN-3")
def test_the_mark_of_a_filter_before_is_no_name_that_was_invented() -> None:
    """Of ``SOURCE SOURCE [Evil]`` a filter leaves the word before its mark; a source really so named is one."""
    once = shown("SOURCE SOURCE [Evil] and SOURCE [Evil]")
    assert once == f"SOURCE {MARK} and {MARK}"
    for fields in ({}, {"on_unknown": "keep"}):
        report = reported(once + " SOURCE [Evil]", **fields)
        assert (report.marked, [item.name for item in report.unknown]) == (1, ["Evil"])
    assert shown(once) == f"{MARK} and {MARK}"
    named = GroundingFilter(CitationLedger([LedgerEntry("unverified source", "unverified source", "A source.")]))
    filtered(named, [once])
    assert (named.report().marked, named.report().cited[0].count) == (0, 2)


# --------------------------------------------------------------------------------------- a render that calls back


@pytest.mark.requirement("KB-GRD-RENDER-4")
@pytest.mark.parametrize("text", ["a", "", "SOURCE [Evil]", "`"])
@pytest.mark.parametrize("swallows", [False, True])
@pytest.mark.parametrize("name", ["feed", "flush", "copy", "chain", "end"])
def test_a_render_cannot_feed_flush_or_copy_its_filter(name: str, text: str, *, swallows: bool) -> None:
    """It is refused; where the function minds that, the answer ends, and where it does not, nothing has changed."""
    refused: list[str] = []
    calls: dict[str, Any] = {}

    def render(entry: LedgerEntry, count: int) -> str:
        try:
            calls[name]()
        except BridgeContractError as error:
            refused.append(error.rule)
            if not swallows:
                raise
        return f"⟨{count}⟩"

    one = GroundingFilter(LEDGER, render=render)
    calls |= {
        "feed": lambda: one.feed(text),
        "flush": one.flush,
        "copy": lambda: copy.copy(one),
        "chain": lambda: one._feed_joined([text]),
        "end": one._discard,
    }
    said = "a [Handbook] b SOURCE [x]: SOURCE [Evil]. `[Handbook]` c [Handbook]"
    is_refused = name != "end" and (name, text) != ("feed", "")
    if is_refused and not swallows:
        with pytest.raises(BridgeContractError) as caught:
            one.feed(said)
        assert caught.value.rule == "KB-GRD-RENDER-1"
        assert one.flush() == ""
    else:
        assert one.feed(said) + one.flush() == f"a ⟨1⟩ b ⟨2⟩ {MARK}. `[Handbook]` c ⟨1⟩"
        assert [item.count for item in one.report().cited] == [2, 1]
    assert set(refused) == ({"KB-GRD-RENDER-4"} if is_refused else set())
    calls.clear()
    refused.clear()
    calls[name] = lambda: None
    assert filtered(one, ["[Handbook]"]) == "⟨1⟩"


@pytest.mark.requirement("KB-GRD-RENDER-4")
def test_a_render_can_ask_for_the_report() -> None:
    """It tells what is certain so far, the reference under way included: in the middle, and at the end of an answer."""
    told: list[list[int]] = []

    def render(entry: LedgerEntry, count: int) -> str:
        told.append([item.count for item in one.report().cited])
        return f"⟨{count}⟩"

    one = GroundingFilter(LEDGER, render=render)
    assert filtered(one, ["[Handbook] SOURCE [x] ", "[Handbook]"]) == "⟨1⟩ ⟨2⟩ ⟨1⟩"
    assert told == [[1], [1, 1], [2, 1]]


def test_a_filter_with_a_render_is_gone_when_nobody_has_it() -> None:
    """Without waiting for the collector: it may hold much of the operator's documents."""
    gc.disable()
    try:
        one = GroundingFilter(LEDGER, render=number)
        filtered(one, ["[Handbook]"])
        gone = weakref.ref(one)
        del one
        assert gone() is None
    finally:
        gc.enable()


# --------------------------------------------------------------------------------------------------- streaming


@pytest.mark.requirement("KB-GRD-STREAM-1")
def test_a_reference_in_five_chunks_is_recognised() -> None:
    """And shown when it is complete; its colon may come later."""
    one = GroundingFilter(LEDGER)
    chunks = ["See SO", "UR", "CE", " [Ev", "il]", ": it"]
    assert [one.feed(chunk) for chunk in chunks] == ["See ", "", "", "", MARK, " it"]
    assert one.flush() == ""


@pytest.mark.requirement("KB-GRD-STREAM-1")
def test_what_ends_a_reference_in_its_chunk_is_read_with_it() -> None:
    """The end of a sentence behind it, a colon, a quotation mark, more of the name than there may be."""
    for behind in (". And “one two three”", ". “one two three” [x]", ": “one two three”", "“one two three” a"):
        text = f"SOURCE [x]{behind}"
        one = GroundingFilter(LEDGER)
        filtered(one, ["a SOURCE [", text[8:13], text[13:]])
        expected = one.report()
        filtered(one, ["a " + text])
        assert one.report() == expected
    one = GroundingFilter(LEDGER)
    assert filtered(one, ["a SOURCE [" + "e" * 200, "e" * 55 + "] b"]) == "a SOURCE [" + "e" * 255 + "] b"
    assert filtered(one, ["a SOURCE [" + "e" * 200, "e" * 54 + "] b"]) == f"a {MARK} b"
    assert filtered(one, ["a SOURCE [", "] b"]) == "a SOURCE [] b"


@pytest.mark.requirement("KB-GRD-STREAM-2")
@pytest.mark.parametrize(
    ("fields", "text", "expected"),
    [
        ({}, "a [Handb", "a [Handb"),
        ({}, "`a SOURCE [Handbook] b", "`a SOURCE [Handbook] b"),
        ({}, "`a SOURCE [Evil] b", "`a "),
        ({}, "```py SOURCE [Evil] b", "```py "),
        ({}, "~~~ SOURCE [Evil] b", "~~~ SOURCE [Evil] b"),
        ({}, "resS", "resS"),
        ({}, "a SOURCE" + " " * 64, "a "),
        ({}, "a SOURCE" + " " * 65, "a SOURCE" + " " * 65),
        ({}, "a SOURCE [" + "e" * 254, "a "),
        ({}, "a SOURCE [" + "e" * 255, "a SOURCE [" + "e" * 255),
        ({"on_unknown": "keep"}, "a SOURCE [Ev", "a SOURCE [Ev"),
        ({"on_unknown": "keep", "render": number}, "a SOURCE [Hand", "a "),
        ({"on_unknown": "keep", "render": number}, "a SOURCE [Rota", "a SOURCE [Rota"[:2]),
        ({"on_unknown": "keep", "render": number}, "a SOURCE [Ev", "a SOURCE [Ev"),
        ({"on_unknown": "keep", "render": number}, "a [Handbook]", "a "),
        ({"render": number}, "a [Handbook](", "a [Handbook]("),
        ({"render": number}, "a [Handbok", "a [Handbok"),
        ({"render": number}, "a [Handb", "a "),
    ],
)
def test_nothing_waits_that_nothing_can_change(fields: dict[str, Any], text: str, expected: str) -> None:
    """What is held is the beginning of a reference that may be replaced, and what stands behind it."""
    assert GroundingFilter(LEDGER, **fields).feed(text) == expected


@pytest.mark.requirement("KB-GRD-STREAM-2")
@pytest.mark.parametrize("fields", [{}, {"render": number}, {"on_unknown": "keep", "render": number}], ids=len)
def test_what_is_shown_is_all_that_every_continuation_agrees_on(
    fields: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By brute force, with limits so small that continuations reach them, and places where something was deleted."""
    rng = random.Random(f"{sorted(fields)}")
    for _ in range(20):  # the corpora take every text of two pieces
        limits = Limits(rng.choice((1, 2)), rng.choice((3, 4)), rng.choice((3, 5, 9)))
        monkeypatch.setattr(grounding, "_LIMITS", limits)
        made = make(SHORT, **fields)
        text = "".join(rng.choices(PIECES, k=rng.randrange(1, 5)))
        assert_latency_optimal(lambda made=made: Seamed(made()), text, ENDS, 1)  # type: ignore[misc]  # bound now


@pytest.mark.requirement("KB-GRD-STREAM-2")
@pytest.mark.parametrize("fields", [{}, {"render": number}, {"on_unknown": "keep", "render": number}], ids=len)
def test_a_beginning_inside_a_beginning_is_held_as_long_as_it_has_to_be(
    fields: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that begins like the word, and a word inside a name, followed by two ends with no backtick behind.

    These are all that bring the outputs apart at this depth; the corpora take every end twice.
    """
    ends = [end for end in ENDS if "`" not in end or end in {"`", "``"}]
    monkeypatch.setattr(grounding, "_LIMITS", Limits(1, 7, 9))
    known: dict[tuple[str | None, ...], str] = {}
    texts = ("[SOUR", "SOURCE[S") if fields else ("[SOUR", "SOURCE[S", "SOURCE[xS", "SOURCE[`S")
    for text in texts:
        assert_latency_optimal(lambda: Remembered(make(SHORT, **fields), known), text, ENDS, 1)
        assert_latency_optimal(lambda: Remembered(make(SHORT, **fields), known), text, ends, 2)


class Remembered:
    """A filter whose answers to one sequence of calls are worked out once: most texts arise in many ways.

    Args:
        made: Makes the filter.
        known: Its answer to the last call of each sequence; None stands for a flush.
    """

    def __init__(self, made: Callable[[], GroundingFilter], known: dict[tuple[str | None, ...], str]) -> None:
        self._made = made
        self._known = known
        self._calls: tuple[str | None, ...] = ()
        self._filter: GroundingFilter | None = None

    def feed(self, text: str) -> str:
        return self._answer(text)

    def flush(self) -> str:
        return self._answer(None)

    def _answer(self, call: str | None) -> str:
        before, self._calls = self._calls, (*self._calls, call)
        if self._filter is None and self._calls not in self._known:
            self._filter = self._made()
            for earlier in before:
                asked(self._filter, earlier)
        if self._filter is not None:
            self._known[self._calls] = asked(self._filter, call)
        return self._known[self._calls]


def asked(one: GroundingFilter, call: str | None) -> str:
    """What a filter answers to a chunk, or to None, which is a flush."""
    return one.flush() if call is None else one.feed(call)


@pytest.mark.requirement("KB-GRD-STREAM-2")
@pytest.mark.parametrize("fields", [{}, {"render": number}, {"on_unknown": "keep", "render": number}], ids=len)
@pytest.mark.parametrize(
    "text", ["SOURCE[a|b", "SO|UR", "SOURCE[ab|", "SOURCE|[abc", "[a|b]", "SOURCE[x|S", "SOURCE[|xS", "S[|S`", "x|S"]
)
def test_nothing_is_held_across_a_deletion_that_could_be_shown(
    text: str, fields: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bare label ends there, and a name that was put together is marked or nothing."""
    monkeypatch.setattr(grounding, "_LIMITS", Limits(1, 3, 9))
    made = make(SHORT, **fields)
    assert_latency_optimal(lambda: Seamed(made()), text, ENDS, 1)


@pytest.mark.requirement("KB-GRD-STREAM-1")
@pytest.mark.parametrize(
    ("text", "fields", "expected"),
    [
        ("See [SOURCE [Evil]] and [Source[Evil].", {}, f"See [{MARK}] and [{MARK}."),
        ("[So SOURCE [Evil] [SSOURCE [Evil]", {}, f"[So {MARK} [SSOURCE [Evil]"),
        ("SOURCE [see SOURCE [Handbook]]", {"on_unknown": "keep", "render": number}, "SOURCE [see ⟨1⟩]"),
        ("SOURCE [S SOURCE\t[No] SOURCE [x]", {"on_unknown": "keep", "render": number}, "SOURCE [S SOURCE\t[No] ⟨1⟩"),
        ("SOURCE [Rota SOURCE [R SOURCE [x]", {"on_unknown": "keep", "render": number}, "SOURCE [Rota SOURCE [R ⟨1⟩"),
    ],
)
def test_a_reference_inside_what_looked_like_one_is_found(text: str, fields: dict[str, Any], expected: str) -> None:
    """In chunks as in one piece, shown once, with its place."""
    assert assert_chunk_invariant(make(**fields), text) == expected
    one, other = GroundingFilter(LEDGER, **fields), GroundingFilter(LEDGER, **fields)
    filtered(one, [text])
    for size in range(1, len(text)):
        filtered(other, [text[:size], text[size:]])
        assert other.report() == one.report()


def plain(ledger: CitationLedger, limits: Limits, fields: dict[str, Any]) -> PlainGrounding:
    """The plain machine for the same arguments."""
    return PlainGrounding(
        PlainLedger(tuple((entry.label, entry.source_label, entry.content) for entry in ledger)),
        fields.get("on_unknown") != "keep",
        (lambda label, count: f"⟨{count}⟩") if "render" in fields else None,
        limits.gap,
        limits.name,
        limits.code,
    )


def held_against(
    machine: PlainGrounding, one: GroundingFilter, text: str, chunks: Sequence[str], limits: tuple[int, ...] = ()
) -> None:
    """Output and report of a filter are those of the plain machine; ``|`` is where something was deleted."""
    parts = text.split("|")
    expected = machine.answer("".join(parts), list(itertools.accumulate(map(len, parts[:-1]))))
    assert filtered(Seamed(one), chunks) == expected.output
    assert seen_report(one.report()) == plain_report(expected, lambda name: str(safe_source(name)), *limits)


TOKENS = (
    *("- ", "\n- ", "\n1. ", "> ", "\n- ```\n", "\n> ```sh\n", "\n```\n", "\n    ```\n", "12)", "*", "+\t"),
    *("[S", "[So", "[So far", "[SOURCE", "[SOURCE]", "SOURCE [SOURCE", "SOURCE [see SOURCE ", "SOURCE [S"),
    *("Source [Sou", '"one two three" [Handbook] ', "...", '."', ".)"),
    *("SOURCE", "Source", "S", "SOU", "RCE", "source", " ", "  ", "\t", "[", "]", "[Handbook]", "[Ledger]", "[x]"),
    *("[2024]", f"[Ledger{TAG}]", f"Rota{TAG}", "[Evil]", "`", "``", "```", "````", "~~~", "~~", "\n", "\r", "\r\n"),
    *("\n\n", ":"),
    *("(", ")", "a", "1", "_", ".", "! ", "“", "”", '"', "„", "«", "»", "one two three", "。", "据", "   "),
    *("    ", "é"),
    *("SOURCE [Handbook]", "SOURCE [Evil]", "SOURCE [Rota]", "SOURCE [a`b]", "\n```", "\n~~~", "\n   ```"),
    *("|", "|", "|", "SOURCE [Hand|book]", "SOU|RCE [", "[Hand|book]", "\r|\n", "SOURCE [Evil](x)", "!SOURCE [Evil]"),
    *("“Leave is 28 days”", '"Leave  is 28 days." ', "„Leave is 28 days” [Handbook]"),
    *(" " * 64, " " * 65, "y" * 250, "`" * 40),
)  # fmt: skip
TAGS = (
    *("[semantic]", " [semantic]", "[sem", "antic]", "[working]", "SOURCE [Hand[semantic]book]", "\r[semantic]\n"),
    "[s",
)


@pytest.mark.requirement("KB-GRD-STREAM-1")
@example(pieces=["[S", "OURCE [Evil]"], cuts=[2], fields={}, limits=Limits())
@example(
    pieces=["SOURCE [see SOURCE ", "[Handbook]"],
    cuts=[19],
    fields={"on_unknown": "keep", "render": number},
    limits=Limits(),
)
@given(
    pieces=st.lists(st.sampled_from(TOKENS), max_size=12),
    cuts=st.lists(st.integers(0, 9), max_size=40),
    fields=st.sampled_from([{}, {"render": number}, {"on_unknown": "keep"}, {"on_unknown": "keep", "render": number}]),
    limits=st.sampled_from([Limits(), Limits(2, 18, 6), Limits(3, 20, 12)]),
)
def test_the_filter_is_the_plain_machine(
    pieces: list[str], cuts: list[int], fields: dict[str, Any], limits: Limits
) -> None:
    """Whole, and in chunks of any size."""
    text = "".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grounding, "_LIMITS", limits)
        one = GroundingFilter(LEDGER, **fields)
        machine = plain(LEDGER, limits, fields)
        held_against(machine, one, text, [text])
        held_against(machine, one, text, list(text))
        chunks = []
        for cut in cuts:
            chunks.append(text[:cut])
            text = text[cut:]
        held_against(machine, one, "".join([*chunks, text]), [*chunks, text])


@pytest.mark.requirement("KB-GRD-ACCOUNT-1")
@given(pieces=st.lists(st.sampled_from(TOKENS), max_size=9), size=st.integers(1, 9))
def test_the_report_on_an_answer_that_is_given_up_tells_of_what_was_shown(pieces: list[str], size: int) -> None:
    """As if no more had ever come."""
    text = "".join(pieces).replace("|", "")
    chunks = [text[start : start + size] for start in range(0, len(text), size)]
    kept, marked = GroundingFilter(LEDGER, on_unknown="keep"), GroundingFilter(LEDGER)
    shown_kept, shown_marked = "".join(map(kept.feed, chunks)), "".join(map(marked.feed, chunks))
    kept._discard()
    marked._discard()
    assert kept.report() == reported(shown_kept, on_unknown="keep")
    marks = [at for at in range(len(shown_marked)) if shown_marked.startswith(MARK, at)]
    assert sorted(offset for unknown in marked.report().unknown for offset in unknown.offsets) == marks
    assert kept.flush() == marked.flush() == ""


@pytest.mark.requirement("KB-GRD-STREAM-3")
@pytest.mark.parametrize(
    "text",
    [
        "[" * 3_000,
        "SOURCE [" * 500,
        "SOURCE [" + "e" * 3_000,
        "SOURCE" + " " * 3_000,
        "SOURCE [Evil] " * 200,
        "`SOURCE [Evil] " * 300,
        "SOURCE [Evil]`" * 300,
        "`SOURCE [Evil]" + " " * 3_000,
        "```SOURCE [Evil]" + " " * 3_000,
        "SOURCE [" + "`" * 250 + "] " + "x" * 3_000,
        "x" + "".join("SOURCE [x]" + "`" * length for length in range(1, 60)),
        "`" * 3_000,
        "`" * 1_024 + "x" * 2_000,
        "`" * 1_025 + "x" * 2_000,
        "x" + "`" * 1_023 + "x" + "`" * 2_000,
        "- " + "`" * 1_000 + "x" * 24 + "`" * 2_000,
        "`" * 1_024 + "SOURCE [Evil]" + "x" * 2_000,
        "\n" + "~" * 3_000,
        " " * 3_000,
        '"' * 3_000,
        '"one two three" [Handbook] ' + "." * 3_000 + "x",
        "[S" * 1_500,
        "[SOURCE " * 400,
        "„" * 3_000,
        "“" + "SOURCE [Handbook]" * 5_000,
        "“" + "x" * 9_000,
        "“" + "[Handbook]x" * 1_000,
    ],
    ids=lambda text: ascii(text[:24]),
)
@pytest.mark.parametrize(
    "fields", [{}, {"render": number}, {"render": lambda entry, count: ""}], ids=["mark", "render", "nothing"]
)
def test_what_is_held_is_bounded(text: str, fields: dict[str, Any]) -> None:
    """By the longest reference and the window of inline code, and of a paragraph by its limit, whatever comes."""
    one = GroundingFilter(LEDGER, **fields)
    reader = one._reader
    answer = ""
    most = grounding.MAX_PARAGRAPH_CHARS + 2
    pieces: list[str] = []
    known = size = 0
    for character in text:
        answer += one.feed(character)
        assert len(reader._kept) <= grounding.MAX_HELD_CHARS
        paragraph = reader._paragraph
        if paragraph._pieces is not pieces or len(pieces) < known:  # another paragraph, or back to a mark
            known = size = 0
        pieces = paragraph._pieces
        size += sum(map(len, pieces[known:]))
        known = len(pieces)
        assert size <= most
        assert max(len(paragraph._pieces), len(paragraph._covered), len(paragraph._references)) <= most
    assert sum(map(len, reader._paragraph._pieces)) <= most
    assert answer + one.flush() == filtered(one, [text])


def most_kept(one: GroundingFilter, chunks: Iterable[str]) -> int:
    """Most characters that it keeps behind one of these chunks."""
    most = 0
    for chunk in chunks:
        one.feed(chunk)
        most = max(most, len(one._reader._kept))
    return most


RUNS = (1, 2, 3, 250, 253, 254, 255, 500, 511, 512, 513, 1_000, 1_021, 1_022, 1_023, 1_024, 1_025)
held_pieces = st.one_of(
    st.builds(str.__mul__, st.sampled_from("``~xeS ["), st.sampled_from(RUNS)),
    st.sampled_from(["SOURCE [", "SOURCE" + " " * 64 + "[", "]", "[Handbook]", "\n", "- ", "   ", "> ", '"', "“", "x"]),
)


@pytest.mark.requirement("KB-GRD-STREAM-3")
@settings(max_examples=150)
@given(pieces=st.lists(held_pieces, max_size=9), end=st.integers(0, 3), render=st.sampled_from([None, number]))
def test_no_run_of_backticks_gap_or_name_at_its_limit_breaks_the_bound(
    pieces: list[str], end: int, render: Any
) -> None:
    """In one chunk each but for its last characters."""
    cuts = [(piece, max(0, len(piece) - end)) for piece in pieces]
    chunks = [part for piece, at in cuts for part in (piece[:at], *piece[at:])]
    assert most_kept(GroundingFilter(LEDGER, render=render), chunks) <= grounding.MAX_HELD_CHARS


@pytest.mark.requirement("KB-GRD-STREAM-3")
def test_the_bound_is_reached_and_is_the_formula() -> None:
    """A run of backticks with the longest code that it may open, fenced or not; a paragraph to its limit."""
    gap, name, code = grounding.MAX_REFERENCE_GAP, grounding.MAX_REFERENCE_CHARS, grounding.MAX_CODE_CHARS
    assert code + code - 1 == grounding.MAX_HELD_CHARS == 2_047
    for text in ("`" * code + "x" * 2 * code, "x" + "`" * (code - 1) + "x" + "`" * 2 * code):
        assert most_kept(GroundingFilter(LEDGER), text) == grounding.MAX_HELD_CHARS
    reference = len("SOURCE") + gap + len("[") + name + len("]")
    one = GroundingFilter(LEDGER)
    longest = most_kept(one, "a SOURCE" + " " * gap + "[" + "e" * (name - 1) + "`]" + "x" * 2 * code)
    assert reference + code - 2 <= longest <= reference + code < grounding.MAX_HELD_CHARS
    one.flush()
    reader = one._reader
    one.feed("a “")
    for _ in range(grounding.MAX_PARAGRAPH_CHARS + 9):
        one.feed("x")
    assert sum(map(len, reader._paragraph._pieces)) == grounding.MAX_PARAGRAPH_CHARS + 2


@pytest.mark.requirement("KB-GRD-STREAM-3")
def test_backticks_too_far_back_are_looked_at_no_more() -> None:
    """However many there are in one chunk; the others still open code."""
    ticks, end = Ticks(10), 0
    for count in (1, 2, 3, 4):
        end += count + 3
        ticks.add(count, at_head=False)
        assert ticks.end_run(end) == -1
    assert [opener.length for opener in ticks.openers] == [3, 4]
    ticks.add(4, at_head=False)
    assert ticks.end_run(end + 10) == end - 4
    assert [opener.length for opener in ticks.openers] == []


# -------------------------------------------------------------------------------------------------------- seams


@pytest.mark.requirement("KB-GRD-SEAM-1")
@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (["[Hand", "book] x"], "[Handbook] x"),
        (["[Hand", "book](x) [S", "o far]"], "[Handbook](x) [So far]"),
        (["[S", "OURCE [Evil]"], f"[{MARK}"),
        (["[Handbook] [SO", "", "URCE [x"], "⟨1⟩ [SOURCE [x"),
        (["re", "SOURCE [Evil] x"], f"re{MARK} x"),
        (["arr", "[Handbook] x"], "arr⟨1⟩ x"),
        (["[Handbook]", "(x) x"], "⟨1⟩ (x) x"),
        (["SOURCE [Evil]", ": x"], f"{MARK} : x"),
        (["SOURCE [Evil]", "x(y)"], f"{MARK}x(y)"),
        (["`SOURCE [Evil]", ":` x"], "`SOURCE [Evil]:` x"),
        (["`a SOURCE [Evil]", ": \nx"], f"`a {MARK} : \nx"),
        (["``", "`\nSOURCE [Evil]\n``", "`\nSOURCE [Evil]"], f"```\nSOURCE [Evil]\n```\n{MARK}"),
        (["`SOURCE", " [Evil]` x"], "`SOURCE [Evil]` x"),
        (["", "OURCE [Evil] x"], f"{MARK} x"),
        (["arr] `x` ", "[Handbook]x"], "arr] `x` ⟨1⟩x"),
        (["x]", "[Handbook]"], "x] ⟨1⟩"),
        (["x!", "SOURCE [Evil]"], f"x! {MARK}"),
        (["[Handbook]", "", "(x"], "⟨1⟩ (x"),
    ],
)
def test_no_reference_is_read_where_something_was_deleted(parts: list[str], expected: str) -> None:
    """Nor a neighbour; code is code in what a reader sees."""
    one = GroundingFilter(LEDGER, render=number)
    before = "S" if parts[0] == "" else ""
    assert one.feed(before) + one._feed_joined(parts) + one.flush() == expected
    for cut in range(1, len(parts)):
        left, right = [*parts[:cut], ""], parts[cut:]
        answers = [one.feed(before), one._feed_joined(left), one._feed_joined([]), one._feed_joined(right), one.flush()]
        assert "".join(answers) == expected


@pytest.mark.requirement("KB-GRD-SEAM-1")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[Hand [semantic]book].", "[Handbook]."),
        ("SOURCE [Hand[semantic]book].", f"{MARK}."),
        ("SOURCE [semantic] [Handbook].", "⟨1⟩."),
        ("SOURCE [Handbook] [semantic].", "⟨1⟩."),
        ("SOURCE [Evil][semantic]: x", f"{MARK} : x"),
        ("SOURCE [Evil] [semantic](https://example.org)", f"{MARK} (https://example.org)"),
        ("SOURCE [Evil] [working]", MARK),
    ],
)
def test_behind_the_filter_of_tags_nothing_is_forged(text: str, expected: str) -> None:
    """In a chain, however the text is cut."""
    assert assert_chunk_invariant(lambda: chain(CitationTagFilter(), GroundingFilter(LEDGER, render=number)), text) == (
        expected
    )


@pytest.mark.requirement("KB-GRD-SEAM-2")
@pytest.mark.parametrize(
    ("text", "expected", "unknown", "cited"),
    [
        ("SOURCE [A|a] x", f"{MARK} x", ["Aa"], []),
        ("SOURCE [Hand|book]: x", f"{MARK} x", ["Handbook"], []),
        ("SOURCE [|Handbook] x", f"{MARK} x", ["Handbook"], []),
        ("SOURCE [Handbook|] x", f"{MARK} x", ["Handbook"], []),
        ("SOURCE [Handbook]| x", "⟨1⟩ x", [], ["Handbook"]),
        ("a |SOURCE [Handbook]", "a ⟨1⟩", [], ["Handbook"]),
        ("SOU|RCE [Evil] x", f"{MARK} x", ["Evil"], []),
        ("SOU|RCE| |[Handbook] x", "⟨1⟩ x", [], ["Handbook"]),
        ("SOURCE | [Rota] x", "SOURCE  [Rota] x", [], []),
        ("SOURCE [Ro|ta] x", f"{MARK} x", ["Rota"], []),
        ("SOURCE [A|\na] x", "SOURCE [A\na] x", [], []),
        ("SOURCE [|] SOURCE [A|[Handbook]", "SOURCE [] SOURCE [A⟨1⟩", [], ["Handbook"]),
        ("SOURCE [x S|OURCE [Evil]", f"SOURCE [x {MARK}", ["Evil"], []),
        ("SOURCE [x|SOURCE [Evil]", f"SOURCE [x{MARK}", ["Evil"], []),
        ("`SOURCE [A|a]` x", "`SOURCE [Aa]` x", [], []),
        ("`SOURCE [A|a] x", f"`{MARK} x", ["Aa"], []),
        ("SOURCE [" + "e" * 90 + "|" + "e" * 164 + "] x", f"{MARK} x", [str(safe_source("e" * 254))], []),
        ("SOURCE [" + "e" * 90 + "|" + "e" * 165 + "] x", "SOURCE [" + "e" * 255 + "] x", [], []),
    ],
)
def test_a_name_that_a_deletion_put_together_was_never_admitted(
    text: str, expected: str, unknown: list[str], cited: list[str]
) -> None:
    """A reader sees a reference, so it is marked and reported; the word may be torn, for nobody is named by it."""
    for fields, output in (({"render": number}, expected), ({"on_unknown": "keep"}, text.replace("|", ""))):
        one = GroundingFilter(LEDGER, **fields)
        assert assert_chunk_invariant(lambda one=one: Seamed(one), text) == output  # type: ignore[misc]  # bound now
        report = one.report()
        assert [name.name for name in report.unknown] == unknown
        assert [fragment.label for fragment in report.cited] == cited


@pytest.mark.requirement("KB-GRD-SEAM-1")
@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("“one two three”\r[semantic]\nhe says. SOURCE [Handbook]", "Handbook"),
        ("“one two three”\r [semantic]\nhe says. SOURCE [Handbook]", "Handbook"),
        ("“one two three”\r\n[semantic]\nhe says. SOURCE [Handbook]", None),
        ("“one two three”\n[semantic]\rhe says. SOURCE [Handbook]", None),
        ("“one two three”\n[semantic]he says. SOURCE [Handbook]", "Handbook"),
        ("[semantic]\n“one two three” SOURCE [Handbook]", "Handbook"),
    ],
)
def test_a_line_ends_where_a_reader_sees_it_end(text: str, label: str | None) -> None:
    """A tag between CR and LF leaves CRLF, which is one end of a line and no blank one."""
    shown_text = filtered(CitationTagFilter(), [text])
    assert [quote.label for quote in reported(shown_text).quotes] == ([] if label is None else [label])
    for size in (1, 2, len(text)):
        one = GroundingFilter(LEDGER)
        filtered(chain(CitationTagFilter(), one), [text[at : at + size] for at in range(0, len(text), size)])
        assert one.report() == reported(shown_text)


@pytest.mark.requirement("KB-GRD-SEAM-1")
@pytest.mark.requirement("KB-STR-CHAIN-1")
@given(
    pieces=st.lists(st.one_of(st.sampled_from(TOKENS), st.sampled_from(TAGS)), max_size=12),
    cuts=st.lists(st.integers(0, 9), max_size=40),
    fields=st.sampled_from([{}, {"render": number}, {"on_unknown": "keep", "render": number}]),
)
def test_a_chain_of_tags_and_grounding_is_one_plain_machine_behind_the_other(
    pieces: list[str], cuts: list[int], fields: dict[str, Any]
) -> None:
    """Output and report, seams included, whole and in chunks of any size."""
    text = "".join(pieces).replace("|", "")
    tags = PlainTagMachine(DEFAULT_LAYER_NAMES)
    left = tags.feed(text) + tags.flush()
    expected = plain(LEDGER, Limits(), fields).answer(left, tags.seams)
    one = GroundingFilter(LEDGER, **fields)
    through = chain(CitationTagFilter(), one)
    chunks, rest = [], text
    for cut in cuts:
        chunks.append(rest[:cut])
        rest = rest[cut:]
    for pieces_of_it in ([text], list(text), [*chunks, rest]):
        assert filtered(through, pieces_of_it) == expected.output
        assert seen_report(one.report()) == plain_report(expected, lambda name: str(safe_source(name)))
