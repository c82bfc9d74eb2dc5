"""Measures by ir-measures and intervals by SciPy, on rankings small enough to be checked by hand."""

from __future__ import annotations

import builtins
import math
from typing import Any

import pytest

from symfonic.adapters.knowledge.measures.trec import MOST_GRADE, TrecMeasures
from symfonic.adapters.knowledge.ports import AdapterError


@pytest.mark.requirement("KB-EVAL-MEASURE-1")
def test_measures_are_those_of_trec() -> None:
    """Gain by grade, discount by the binary logarithm of the place plus one; the first relevant place; shares."""
    found = TrecMeasures().values(
        ["ndcg@3", "recall@1", "recall@3", "mrr@2"], [{"a": 3, "b": 1, "c": 0}], [["c", "b", "a", "x"]]
    )
    gain = (1 / math.log2(3) + 3 / math.log2(4)) / (3 + 1 / math.log2(3))
    assert found["ndcg@3"] == pytest.approx((gain,))
    assert (found["recall@1"], found["recall@3"], found["mrr@2"]) == ((0.0,), (1.0,), (0.5,))


@pytest.mark.requirement("KB-EVAL-MEASURE-1")
def test_the_order_given_is_the_order_measured() -> None:
    """Names decide nothing, though the library breaks ties by them: every place is a score of its own."""
    for names in (["a", "b"], ["b", "a"], ["\0", "\ud800"], ["x y", "é" * 5000]):
        found = TrecMeasures().values(["mrr@2"], [{names[1]: 1}], [names])
        assert found == {"mrr@2": (0.5,)}


@pytest.mark.requirement("KB-EVAL-MEASURE-1")
def test_a_query_that_found_nothing_counts_as_nothing() -> None:
    """It is not left out of the mean; and the highest grade is one the library can hold."""
    found = TrecMeasures().values(["ndcg@10", "recall@10", "mrr@10"], [{"a": MOST_GRADE}, {"a": 1}], [[], ["a"]])
    assert found == {"ndcg@10": (0.0, 1.0), "recall@10": (0.0, 1.0), "mrr@10": (0.0, 1.0)}


@pytest.mark.parametrize("name", ["ndcg", "ndcg@0", "map@5", "recall@-1", "mrr@1e3", "NDCG@5\n"])
def test_other_names_are_refused(name: str) -> None:
    """A measure that is none is an error and no value."""
    with pytest.raises(ValueError, match="a measure is ndcg@K, recall@K or mrr@K"):
        TrecMeasures().values([name], [{"a": 1}], [["a"]])


@pytest.mark.requirement("KB-EVAL-MEASURE-1")
def test_an_interval_holds_the_mean_and_repeats() -> None:
    """Equal seeds, equal intervals; other seeds, other ones; none of a single value, a point of equal ones."""
    values = [0.0, 1.0, 0.5, 0.25, 1.0, 0.0, 0.75, 0.5]
    measures = TrecMeasures()
    low, high = measures.interval(values, resamples=1000, seed=0) or (1.0, 0.0)
    assert 0.2 < low < 0.5 < high < 0.8
    assert measures.interval(values, resamples=1000, seed=0) == (low, high)
    assert measures.interval(values, resamples=1000, seed=1) != (low, high)
    assert measures.interval([0.5], resamples=1000, seed=0) is None
    assert measures.interval([0.5, 0.5], resamples=1000, seed=0) == (0.5, 0.5)


@pytest.mark.parametrize("missing", ["ir_measures", "scipy"])
def test_a_missing_library_names_the_extra(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Either of the two."""
    real = builtins.__import__

    def refuse(name: str, *rest: Any, **words: Any) -> Any:
        if name.partition(".")[0] == missing:
            raise ImportError(name)
        return real(name, *rest, **words)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(AdapterError, match=r"install symfonic-knowledge\[eval\]"):
        TrecMeasures()
