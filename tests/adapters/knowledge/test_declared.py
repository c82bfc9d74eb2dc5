"""What an operator declares about a store that somebody else filled: scopes and scores."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from symfonic.adapters.knowledge import DeclaredScope, ScorePolicy
from symfonic.capabilities.knowledge import BridgeContractError

ACME = "tenant\x1facme"


@pytest.mark.requirement("FW-SCOPE-1")
def test_a_fixed_scope_is_that_of_every_row_whatever_its_metadata_say() -> None:
    """A document's own claim does not count."""
    assert DeclaredScope.fixed(ACME).of({"scope_path": "", "tenant": "x"}) == ACME
    assert DeclaredScope.fixed("").of({"scope_path": ACME}) == ""


@pytest.mark.requirement("FW-SCOPE-1")
@pytest.mark.parametrize(
    ("metadata", "path"),
    [
        ({"tenant_path": ACME}, ACME),
        ({"tenant_path": ""}, ""),
        ({"scope_path": ACME}, None),
        ({}, None),
        ({"tenant_path": None}, None),
        ({"tenant_path": ["tenant", "acme"]}, None),
        ({"tenant_path": "acme"}, None),
        ({"tenant_path": "tenant\x1f"}, None),
        ({"tenant_path": "tenant\x1fac\u200bme"}, None),
        ({"tenant_path": "tenant\x1f\ud800"}, None),
    ],
)
def test_a_field_names_the_scope_or_the_row_has_none(metadata: dict[str, Any], path: str | None) -> None:
    """Read and validated; nothing stands in for it."""
    assert DeclaredScope.field("tenant_path").of(metadata) == path


def test_a_scope_that_is_none_is_refused() -> None:
    """When it is declared, not when the first question comes."""
    with pytest.raises(BridgeContractError):
        DeclaredScope.fixed("acme")
    for wrong in ({}, {"path": "", "field_name": "x"}):
        with pytest.raises(ValueError, match="one path or one metadata field"):
            DeclaredScope(**wrong)
    for name in ("", "scope_path"):
        with pytest.raises(ValueError, match="one that your ingestion writes"):
            DeclaredScope.field(name)


@pytest.mark.requirement("FW-SCORE-1")
@pytest.mark.parametrize(
    ("kind", "number", "score"),
    [
        ("similarity", 0.25, 0.25),
        ("similarity", 7, 7.0),
        ("distance", 0, 1.0),
        ("distance", 3, 0.25),
        ("distance", -1e-9, 1.0),
        ("squared-distance", 9, 0.25),
        ("squared-distance", -1e-9, 1.0),
        ("cosine-distance", 0.25, 0.75),
        ("cosine-distance", 2, -1.0),
        ("negated-product", -0.5, 0.5),
        (lambda raw: raw["score"], {"score": 0.5}, 0.5),
    ],
)
def test_a_number_becomes_a_score_of_which_the_higher_is_better(kind: Any, number: Any, score: float) -> None:
    """As the table says."""
    found = ScorePolicy(kind=kind).score(number, 0)
    assert (found, type(found)) == (score, float)


@pytest.mark.requirement("FW-SCORE-1")
@pytest.mark.parametrize(
    "number", [np.float64(0.5), np.float32(0.5), np.float16(0.5), np.array(0.5), Decimal("0.5"), Fraction(1, 2)]
)
def test_numbers_of_other_libraries_become_floats(number: Any) -> None:
    """Those of NumPy among them."""
    found = ScorePolicy(kind="similarity").score(number, 0)
    assert (found, type(found)) == (0.5, float)


@pytest.mark.requirement("FW-SCORE-2")
@pytest.mark.parametrize("kind", ["similarity", "distance", "squared-distance", "cosine-distance", "negated-product"])
def test_what_is_no_number_stays_what_it_is(kind: Any) -> None:
    """The boundary leaves its row out by name."""
    policy = ScorePolicy(kind=kind)
    assert math.isnan(policy.score(math.nan, 0))
    assert policy.score(math.inf, 0) == math.inf
    for number in (True, "0.9", b"1", [0.5], 10**400):
        assert policy.score(number, 0) is number


@pytest.mark.requirement("FW-SCORE-2")
@pytest.mark.parametrize("kind", ["distance", "squared-distance"])
def test_a_distance_below_zero_is_no_score(kind: Any) -> None:
    """The declaration is wrong, and would rank rows anyhow."""
    assert math.isnan(ScorePolicy(kind=kind).score(-0.5, 0))


def test_a_function_that_fails_costs_its_row_alone() -> None:
    """The score is then no number."""
    assert math.isnan(ScorePolicy(kind=lambda raw: 1 / raw).score(0, 0))


@pytest.mark.requirement("FW-SCORE-2")
@pytest.mark.parametrize(("missing", "score"), [("drop", None), ("rank", 0.25), (0.1, 0.1), (0, 0.0)])
def test_a_missing_score_is_what_was_declared(missing: Any, score: float | None) -> None:
    """Never a zero nobody asked for; a rank is that of the fourth row here."""
    assert ScorePolicy(kind="distance", missing=missing).score(None, 3) == score


@pytest.mark.parametrize(
    "wrong", [{"kind": "cosine"}, {"kind": None}, {"missing": "zero"}, {"missing": math.nan}, {"missing": True}]
)
def test_a_policy_that_is_none_is_refused(wrong: Any) -> None:
    """Rows could be ranked upside down."""
    with pytest.raises(ValueError, match="could"):
        ScorePolicy(**{"kind": "similarity", **wrong})
