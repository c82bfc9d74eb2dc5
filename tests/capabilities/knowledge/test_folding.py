"""The folded copies: how many there are, what they read, and the way back to the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from symfonic.capabilities.knowledge._folding import fold, folded_copies, neutralised, places, replaced

if TYPE_CHECKING:
    from symfonic.capabilities.knowledge._folding import Folded


def read(text: str) -> list[str]:
    """What the copies of a text read, each once, in the order of the copies."""
    return list(dict.fromkeys(copy.text for copy in folded_copies(text)))


@pytest.mark.parametrize(
    ("text", "copies"),
    [
        ("AT&T", ["at&t"]),
        ("ＡＴ＆Ｔ ﬁ²", ["at&t fi2"]),
        ("&lt;&#91;", ["<["]),
        ("&lt;é 公", ["<e\u0301 公"]),
        ("AT&T公", ["at&t公"]),
        ("&ltx &Aacutex &l", ["<x a\u0301x &l"]),
        ("&amp;#91;", ["["]),
        ("&am&#112;;#91;", ["&amp;#91;", "["]),
        ("&#9\u200e1²", [" 12", "[2", "ΐ"]),
    ],
)
def test_a_text_has_the_copies_that_read_it_differently(text: str, copies: list[str]) -> None:
    """One, unless a reference is followed by what other steps fold or drop, or makes another one."""
    assert read(text) == copies


@pytest.mark.parametrize(
    ("text", "number"),
    [("AT&T", 1), ("é²\u200e", 1), ("&#9公1", 1), ("& ²", 1), ("&公²", 1), ("&lt²", 12), ("&\u200e", 12), ("&ｌ", 12),
     ("&#x5ba\u0301", 12), ("&lt；", 12), ("公&＃", 12), ("&公&é", 12)],
)  # fmt: skip
def test_only_an_ambiguous_reference_makes_more_than_one_copy(text: str, number: int) -> None:
    """That is one that goes on, for some reader, where ASCII ends."""
    assert sum(1 for _ in folded_copies(text)) == number


def test_each_folded_character_knows_where_it_came_from() -> None:
    """Through every step: dropped, expanded, referenced."""
    copy = fold("a\u200eﬁ&#91;b🄪&amp;")
    assert copy.text == "afi[b[s]&"
    assert [copy.raw_span(index) for index in range(len(copy.text))] == [
        (0, 1), (2, 3), (2, 3), (3, 8), (8, 9), (9, 10), (9, 10), (9, 10), (10, 15)
    ]  # fmt: skip
    assert {copy.place(index) for index in (5, 7)} == {(9, 10, "(s)")}
    assert copy.place(3) == (3, 8, "(")


def test_of_places_that_overlap_the_longest_of_the_first_is_replaced() -> None:
    """And of two readings of one place always the same, in whichever order they were found."""
    assert replaced("abcdef", [(1, 3, "x"), (1, 4, "y"), (2, 5, "z"), (4, 5, "u")]) == "ayuf"
    assert replaced("ab", [(0, 1, ")"), (0, 1, "(")]) == replaced("ab", [(0, 1, "("), (0, 1, ")")]) == "(b"
    assert replaced("abc", [(0, 1, "x"), (1, 2, "y")]) == "xyc"
    text = "abc"
    assert replaced(text, []) is text


def test_findings_of_all_copies_are_counted_once() -> None:
    """Each place once, whichever copies show it; partners are changed and not counted."""

    def brackets(copy: Folded) -> tuple[set[int], set[int]]:
        return {i for i, c in enumerate(copy.text) if c == "["}, {i for i, c in enumerate(copy.text) if c == "]"}

    text = "[a] &#91² &#9₁; b]"
    assert neutralised(text, brackets) == ("(a) (² ( b)", 3)
    assert neutralised("&#91\u037e", brackets) == ("(", 1)
    assert places(text, brackets) == ((0, 1, "("), (2, 3, ")"), (4, 8, "("), (10, 15, "("), (17, 18, ")"))
