"""Evaluations beside each other, query by query, and the file their values are kept in."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.composition.knowledge import InputError, paired_differences, read_per_query, write_per_query

if TYPE_CHECKING:
    from pathlib import Path

BASE = {"q1": {"ndcg@5": 0.5, "old": 1.0}, "q2": {"ndcg@5": 0.25, "old": 1.0}, "gone": {"ndcg@5": 0.0, "old": 1.0}}
OTHER = {"q1": {"ndcg@5": 0.75, "new": 1.0}, "q2": {"ndcg@5": 0.25, "new": 1.0}}


@pytest.mark.requirement("KB-EVAL-DIFF-1")
def test_differences_are_paired_by_query() -> None:
    """Only queries and measures of both count."""
    found = paired_differences(BASE, OTHER, resamples=500)
    assert list(found) == ["ndcg@5"]
    assert found["ndcg@5"].value == pytest.approx(0.125)
    assert found["ndcg@5"].interval == (0.0, 0.25)


@pytest.mark.requirement("KB-EVAL-DIFF-1")
def test_what_has_nothing_in_common_is_not_compared() -> None:
    """Neither queries nor measures."""
    for base in ({"x": {"ndcg@5": 1.0}}, {"q1": {"map": 1.0}, "q2": {"map": 1.0}}, {}):
        with pytest.raises(InputError, match="no query or no measure in common"):
            paired_differences(base, OTHER)


@pytest.mark.requirement("KB-EVAL-DIFF-1")
def test_values_of_queries_are_kept_in_a_table(tmp_path: Path) -> None:
    """One line for each query; ids that would break a line are escaped."""
    path = tmp_path / "values.tsv"
    write_per_query(path, {**OTHER, "a\tb\n\x1b": {"ndcg@5": 1 / 3, "new": 0.0}})
    assert path.read_text() == (
        "query-id\tndcg@5\tnew\nq1\t0.750000\t1.000000\nq2\t0.250000\t1.000000\n"
        "a\\u0009b\\u000a\\u001b\t0.333333\t0.000000\n"
    )
    assert read_per_query(path)["q1"] == {"ndcg@5": 0.75, "new": 1.0}
    write_per_query(path, {})
    with pytest.raises(InputError, match="a baseline is the file that --per-query"):
        read_per_query(path)


@pytest.mark.requirement("KB-EVAL-DIFF-2")
def test_every_id_is_read_back_as_it_was(tmp_path: Path) -> None:
    """Whatever it holds, and none collides with another's escape; lines may end in CRLF behind a byte order mark."""
    ids = [
        "a\tb",
        r"a\u0009b",
        r"a\\u0009b",
        "\\",
        "\r\n",
        "x\u00a0y",
        "\u3000",
        "\u202eq",
        "\ufeffq",
        "\U000e0041",
        "é §",
    ]
    values = {query: {"ndcg@5": place / 20, "recall@admitted": 1.0} for place, query in enumerate(ids)}
    path = tmp_path / "values.tsv"
    write_per_query(path, values)
    assert read_per_query(path) == values
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_per_query(path) == values


@pytest.mark.requirement("KB-EVAL-DIFF-2")
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "line 1: it is no heading of query-id and measures"),
        (b"\n", "line 1: it is no heading"),
        (b"q\t0.5\n", "line 1: it is no heading"),
        (b"foo\tbar\nq\t5\n", "line 1: it is no heading"),
        (b"query-id\nq\n", "line 1: it is no heading"),
        (b"query-id\tx\tx\nq\t1\t2\n", "line 1: a measure stands in two columns"),
        (b"query-id\tx\t\nq\t1\t2\n", "line 1: '' is no id"),
        (b"query-id\tx\n", "it has no line of values"),
        (b"query-id\tx\nq\n", "line 2: it has 0 values for 1 measures"),
        (b"query-id\tx\n\nq\tnan\n", "line 3: 'nan' is no value"),
        (b"query-id\tx\nq\t1_0\n", "line 2: '1_0' is no value"),
        (b"query-id\tx\nq\t1e999\n", "line 2: '1e999' is no value"),
        (b"query-id\tx\nq\t1e308\n", "line 2: '1e308' is no value from 0 to 1"),
        (b"query-id\tx\nq\t1\nr\t-5\n", "line 3: '-5' is no value from 0 to 1"),
        (b"query-id\tx\nq\t1.000001\n", "line 2: '1.000001' is no value from 0 to 1"),
        (b"query-id\tx\n\\ud800\t1\n", "line 2: .* is no id as it is written there"),
        (b"query-id\tx\nq\t1\nr\t1\nq\t0\n", "line 4: the query 'q' stands on an earlier line"),
        (b"query-id\tx\na\\b\t1\n", "line 2: .* is no id as it is written there"),
        (b"query-id\tx\n\xff\t1\n", "line 2: it is no UTF-8 text"),
    ],
)
def test_another_file_is_no_baseline(content: bytes, reason: str, tmp_path: Path) -> None:
    """Empty, ragged, no numbers, no text, or a query or measure twice: with the line."""
    path = tmp_path / "values.tsv"
    path.write_bytes(content)
    message = f"a baseline is the file that --per-query of an earlier run wrote; .* is none .{reason}"
    with pytest.raises(InputError, match=message):
        read_per_query(path)


@pytest.mark.requirement("KB-EVAL-DIFF-3")
@pytest.mark.parametrize(
    ("values", "told"),
    [
        (None, "NoneType"),
        ([("q", {"m": 1.0})], "list"),
        ({"q": None}, "NoneType"),
        ({"q": {"m": 1.0}, "r": {}}, "queries with different measures"),
        ({"q": {"m": 1.0}, "r": {"n": 1.0}}, "queries with different measures"),
        ({5: {"m": 1.0}}, "int as an id"),
        ({"": {"m": 1.0}}, "'' as an id"),
        ({"q\ud800": {"m": 1.0}}, r"'q\\ud800' as an id"),
        ({"q": {"\udfff": 1.0}}, r"'\\udfff' as an id"),
        ({"q": {None: 1.0}}, "NoneType as an id"),
        *(
            ({"q": {"m": value}}, "a value that is no number from 0 to 1")
            for value in (1e308, -5, math.nan, math.inf, 1.001, -1e-300, 10**400, Fraction(10**400), True, "1", None)
        ),
    ],
)
def test_what_no_measure_could_be_is_refused(values: Any, told: str, tmp_path: Path) -> None:
    """On either side of a comparison, and before anything is written."""
    path = tmp_path / "values.tsv"
    sound = {"q": {"m": 1.0}, "r": {"m": 0.0}}
    for call in (
        lambda: paired_differences(values, sound, resamples=100),
        lambda: paired_differences(sound, values, resamples=100),
        lambda: write_per_query(path, values),
    ):
        with pytest.raises(InputError, match=f"each a number from 0 to 1; there is {told}, and nothing was compared"):
            call()
    assert not path.exists()


def test_any_real_number_is_a_value(tmp_path: Path) -> None:
    """Also one that rounded a little beyond 1, as sums do."""
    values: Any = {"q": {"m": Fraction(1, 2)}, "r": {"m": 1}, "s": {"m": math.nextafter(1.0, 2.0)}}
    write_per_query(tmp_path / "values.tsv", values)
    written = read_per_query(tmp_path / "values.tsv")
    assert written == {"q": {"m": 0.5}, "r": {"m": 1.0}, "s": {"m": 1.0}}
    assert paired_differences(values, written, resamples=100)["m"].value == pytest.approx(0.0)


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    """For reading and for writing."""
    with pytest.raises(InputError, match="could not be read"):
        read_per_query(tmp_path / "none")
    with pytest.raises(InputError, match="could not be written"):
        write_per_query(tmp_path, OTHER)
    for path in ("a\0b", None, 5):
        with pytest.raises(InputError, match="path"):
            read_per_query(path)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="path"):
            write_per_query(path, OTHER)  # type: ignore[arg-type]
