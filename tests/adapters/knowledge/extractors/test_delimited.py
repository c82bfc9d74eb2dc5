"""Delimited text: which delimiter, which cells, and what a stray quotation mark costs."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symfonic.adapters.knowledge.extractors.delimited import delimiter_of, extract_csv, extract_tsv, rows_of
from symfonic.adapters.knowledge.ports import ExtractionError


def csv(text: str) -> str:
    """The text of a CSV file."""
    (section,) = extract_csv(text.encode(), name="a.csv").sections
    assert (section.headings, section.page) == ((), None)
    return section.text


@pytest.mark.requirement("EX-CSV-1")
def test_a_row_is_one_line() -> None:
    """Line breaks inside a cell become a space, blank rows go, blank cells stay."""
    text = 'Name,Note\r\nA,"two\n  lines, ""quoted"""\n\n,,\nB, x \nC,\n'
    assert csv(text) == '| Name | Note |\n| A | two lines, "quoted" |\n| B | x |\n| C | |\n'


@pytest.mark.requirement("EX-CSV-2")
@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n", ";"),
        ("a\tb, c\n1\t2, 3\n4\t5\n", "\t"),
        ("a|b\n1|2\n", "|"),
        ("One, two; three; four\nfive; six; seven\nsix, seven; eight; nine\n", ";"),
        # A table below its title and a remark.
        ("Sales, by city\nall of them\n\nCity;Sum\nA;1\nB;2\nC;3\n", ";"),
        ("a,b;c\n", ","),
        ("a,b;c;d\n", ";"),
        ('"a;b;c",d\n"e;f;g",h\n', ","),
        # Prose: most lines are not cut by anything.
        ("one, two\nthree\nfour\nfive, six\n", ""),
        ("word\n", ""),
        ("", ""),
        ("a,b,c\nd\ne,f\ng,h,i,j\nk,l\n", ","),
    ],
)
def test_the_delimiter_makes_rows_alike(text: str, delimiter: str) -> None:
    """Of four candidates, and none where most rows would not be cut."""
    assert delimiter_of(text) == delimiter


@pytest.mark.requirement("EX-CSV-2")
def test_the_beginning_decides_about_the_delimiter() -> None:
    """However much follows, and whatever the line is cut to that the beginning ends in."""
    assert delimiter_of("a;b\n" * 20_000 + "x,y,z\n" * 90_000) == ";"
    assert delimiter_of("a;b\n" + "x" * 70_000 + ";y\n") == ";"


def test_a_declared_delimiter_is_obeyed_and_left_out() -> None:
    """Spreadsheet programs write it for each other."""
    assert csv("sep=;\na,b;c\n") == "| a,b | c |\n"
    assert csv("sep=:\na\n") == "| sep=: |\n| a |\n"


def test_tabs_part_the_cells_of_tsv() -> None:
    """Whatever else stands in them."""
    extraction = extract_tsv(b'a,b,c\td\n"x\ty"\tz\n', name="a.tsv")
    assert extraction.kind == "tsv"
    assert extraction.sections[0].text == "| a,b,c | d |\n| x\ty | z |\n"


@pytest.mark.requirement("EX-CSV-3")
@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('a,"b\nc,d\n', [["a", '"b'], ["c", "d"]]),
        ('a,"b" c,d\n', [["a", '"b" c', "d"]]),
        ('5" pipe,6"\n', [['5" pipe', '6"']]),
        ('a, "b, c"\n', [["a", ' "b', ' c"']]),
        ('"a""b","",""""\n', [['a"b', "", '"']]),
        ('"a","b"', [["a", "b"]]),
        ('"a",', [["a", ""]]),
        ('"a\n\nb",c\nd', [["a\n\nb", "c"], ["d"]]),
        ('"', [['"']]),
    ],
)
def test_an_unpaired_quotation_mark_is_text(text: str, rows: list[list[str]]) -> None:
    """It costs nothing but itself: the rows behind it are cut as ever."""
    assert list(rows_of(text, ",")) == rows


@pytest.mark.requirement("EX-CSV-3")
@settings(max_examples=60)
@given(st.text(alphabet='a",;\n ', max_size=40))
def test_no_word_is_lost(text: str) -> None:
    """Whatever the marks: all letters come out, in order."""
    assert "".join(cell for row in rows_of(text, ",") for cell in row).count("a") == text.count("a")


def test_another_encoding_is_no_matter() -> None:
    """Decoding is the same as for all text."""
    assert extract_csv("a,é\n".encode("utf-16"), name="a.csv").sections[0].text == "| a | é |\n"


@pytest.mark.parametrize("text", [" \n", ",,\n,,", '""'])
def test_blank_cells_alone_are_empty(text: str) -> None:
    """There is nothing to find."""
    with pytest.raises(ExtractionError) as caught:
        csv(text)
    assert caught.value.code == "empty"


@pytest.mark.requirement("EX-CSV-4")
@pytest.mark.parametrize(
    "text",
    [
        "," * 1_000_000 + "x",
        "x,y\n" * 250_000,
        '"a' * 100_000,
        ',"' * 100_000,
        '"x""' * 100_000,
        ',"""' * 100_000,
        '"\n' * 100_000,
        " " * 1_000_000 + '"',
        '"' + " \n" * 100_000,
    ],
    ids=["columns", "rows", "open", "opened", "doubled", "tripled", "lines", "spaces", "cell"],
)
def test_time_grows_with_the_text_only(text: str) -> None:
    """A million columns, a million rows, and marks made to be read again and again."""
    start = time.process_time()
    for delimiter in (",", ""):
        assert sum(len(row) for row in rows_of(text, delimiter)) > 0
    delimiter_of(text)
    assert time.process_time() - start < 4
