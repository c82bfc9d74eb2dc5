"""Evaluations beside each other, query by query, and the file their values are kept in."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    """One line for each query; ids that would break a line are escaped, and read back as they were written down."""
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


@pytest.mark.requirement("KB-EVAL-DIFF-1")
@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"query-id\tx\nq\n", b"query-id\tx\nq\tnan\n", b"query-id\tx\nq\ty\n", b"\xff", b"query-id\nq\n"],
)
def test_another_file_is_no_baseline(content: bytes, tmp_path: Path) -> None:
    """Empty, ragged, no numbers, no text."""
    path = tmp_path / "values.tsv"
    path.write_bytes(content)
    with pytest.raises(InputError, match="a baseline is the file that --per-query of an earlier run wrote"):
        read_per_query(path)


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    """For reading and for writing."""
    with pytest.raises(InputError, match="could not be read"):
        read_per_query(tmp_path / "none")
    with pytest.raises(InputError, match="could not be written"):
        write_per_query(tmp_path, OTHER)
