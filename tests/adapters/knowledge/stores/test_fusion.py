"""One score of two: a weighted mean that knows no negative likeness."""

from __future__ import annotations

import numpy as np
import pytest

from symfonic.adapters.knowledge.stores._fusion import LEXICAL_SHARE, fused


@pytest.mark.parametrize(
    ("lexical", "cosine", "expected"),
    [(0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.5, 0.25, 0.4), (0.5, -0.9, 0.3), (0.0, -1.0, 0.0), (0.0, 0.5, 0.2)],
)
@pytest.mark.requirement("ST-HYB-1")
def test_a_score_is_the_mean_of_words_and_of_likeness_where_there_is_any(
    lexical: float, cosine: float, expected: float
) -> None:
    """Three parts of words to two of meaning; beyond a right angle nothing is taken off."""
    assert LEXICAL_SHARE == 0.6
    assert fused(lexical, cosine) == expected


def test_numbers_and_arrays_give_the_same_bits() -> None:
    """Bounds are computed by arrays, and must speak of the same function."""
    source = np.random.default_rng(1)
    lexical, cosine = source.random(1_000), source.uniform(-1, 1, 1_000)
    one_by_one = [fused(left, right) for left, right in zip(lexical.tolist(), cosine.tolist(), strict=True)]
    assert fused(lexical, cosine).tolist() == one_by_one


def test_it_never_falls_where_an_argument_grows() -> None:
    """What is given up by an upper bound relies on it."""
    steps = np.linspace(-1, 1, 401)
    assert (np.diff(fused(0.3, steps)) >= 0).all()
    assert (np.diff(fused(np.abs(steps[200:]), 0.2)) >= 0).all()
