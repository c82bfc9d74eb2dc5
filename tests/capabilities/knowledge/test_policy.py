"""Ceilings and switches: defaults, refusals, hardened mode."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

import pytest

from symfonic.capabilities.knowledge import BridgeContractError, RetrievalPolicy

KEY = bytes(range(32))


def refused(rule: str, **fields: Any) -> BridgeContractError:
    """Return the error that building a policy from ``fields`` raises, after checking its rule."""
    with pytest.raises(BridgeContractError) as caught:
        RetrievalPolicy(**fields)
    assert caught.value.rule == rule
    return caught.value


@pytest.mark.requirement("KB-RET-POLICY-6")
def test_a_policy_has_the_published_defaults() -> None:
    """The four documented fields by position; the others off."""
    policy = RetrievalPolicy()
    assert dataclasses.astuple(policy) == (
        3,
        0.0,
        2000,
        8000,
        None,
        1,
        10_000,
        None,
        False,
        False,
        False,
        False,
        False,
        None,
    )
    assert RetrievalPolicy(5, 0.25, 100, 300).max_total_chars == 300
    with pytest.raises(TypeError):
        RetrievalPolicy(3, 0.0, 2000, 8000, 2)  # type: ignore[call-arg]  # further fields are keyword-only
    assert not hasattr(policy, "__dict__")


@pytest.mark.requirement("KB-RET-POLICY-1")
@pytest.mark.parametrize("name", ["limit", "max_fragment_chars", "max_total_chars", "max_per_source", "max_rows"])
@pytest.mark.parametrize("bad", [-1, True, 2.0, "3", float("nan")])
def test_a_ceiling_that_is_negative_or_no_plain_int_is_refused(name: str, bad: object) -> None:
    """NaN or True as a ceiling would hold nothing back."""
    error = refused("KB-RET-POLICY-1", **{name: bad})
    assert error.value is bad
    assert f"{name} must be a plain int of at least 0" in str(error)
    least: dict[str, Any] = {name: 0}
    assert getattr(RetrievalPolicy(**least), name) == 0


@pytest.mark.requirement("KB-RET-POLICY-1")
@pytest.mark.parametrize("name", ["limit", "max_fragment_chars", "max_total_chars", "overfetch", "max_rows"])
def test_a_required_ceiling_cannot_be_none(name: str) -> None:
    """Only the cap per source may be absent."""
    refused("KB-RET-POLICY-1", **{name: None})
    assert RetrievalPolicy(max_per_source=None).max_per_source is None


def test_overfetch_starts_at_one() -> None:
    """Asking the store for nothing is not an overfetch."""
    assert "at least 1" in str(refused("KB-RET-POLICY-1", overfetch=0))
    assert RetrievalPolicy(overfetch=1).overfetch == 1


@pytest.mark.requirement("KB-RET-POLICY-2")
@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf"), 10**400, True, "0.5", None])
def test_a_floor_that_is_not_a_finite_number_is_refused(bad: object) -> None:
    """A score compares false with NaN, so a NaN floor would admit everything."""
    assert refused("KB-RET-POLICY-2", min_score=bad).value is bad


def test_a_negative_finite_floor_is_legal() -> None:
    """Stores that answer negated distances need it."""
    assert RetrievalPolicy(min_score=-2.5).min_score == -2.5
    assert RetrievalPolicy(min_score=-3).min_score == -3


@pytest.mark.requirement("KB-RET-POLICY-3")
@pytest.mark.parametrize(
    "name", ["neutralise_markers", "drop_duplicates", "prove_scope", "report_confusables", "cap_documents"]
)
@pytest.mark.parametrize("bad", [0, 1, None, "yes"])
def test_a_switch_that_is_not_a_bool_is_refused(name: str, bad: object) -> None:
    """A defence must not be off because somebody passed 0."""
    error = refused("KB-RET-POLICY-3", **{name: bad})
    assert error.value is bad
    assert str(error).startswith(f"{name} must be a bool, got ")


@pytest.mark.requirement("KB-RET-POLICY-4")
@pytest.mark.parametrize("bad", ["secret-secret-secret", b"short", bytearray(32), 7, b"x" * 15])
def test_a_key_that_is_weak_or_no_bytes_is_refused_without_showing_it(bad: object) -> None:
    """The message may be logged, so it names the type only."""
    error = refused("KB-RET-POLICY-4", key=bad, neutralise_markers=True)
    assert error.value == (f"{len(bad)} bytes" if isinstance(bad, bytes) else type(bad).__name__)
    assert "secret-secret" not in str(error)
    assert RetrievalPolicy(key=b"x" * 16, neutralise_markers=True).key == b"x" * 16


@pytest.mark.requirement("KB-RET-POLICY-5")
def test_keyed_labels_need_neutralised_markers() -> None:
    """A tag that was shown once could otherwise be replayed inside content."""
    assert refused("KB-RET-POLICY-5", key=KEY).value is False


@pytest.mark.requirement("KB-RET-POLICY-7")
def test_hardened_switches_every_defence_on() -> None:
    """One call, all parts; those a key does not imply can still be switched off."""
    policy = RetrievalPolicy.hardened(key=KEY)
    assert dataclasses.astuple(policy) == (3, 0.0, 2000, 8000, 2, 1, 10_000, KEY, True, True, True, True, False, None)
    assert RetrievalPolicy.hardened(key=KEY, limit=1).max_per_source == 1
    assert RetrievalPolicy.hardened(key=KEY, limit=8).max_per_source == 7
    changed = RetrievalPolicy.hardened(key=KEY, limit=5, max_per_source=None, prove_scope=False)
    assert (changed.limit, changed.max_per_source, changed.prove_scope) == (5, None, False)
    others: dict[str, Any] = {
        "min_score": -1.0,
        "max_fragment_chars": 7,
        "max_total_chars": 9,
        "overfetch": 4,
        "max_rows": 11,
        "drop_duplicates": False,
        "report_confusables": False,
        "cap_documents": True,
    }
    for name, value in others.items():
        assert getattr(RetrievalPolicy.hardened(key=KEY, **{name: value}), name) == value
    names = {field.name for field in dataclasses.fields(RetrievalPolicy)}
    assert set(inspect.signature(RetrievalPolicy.hardened).parameters) == names - {"neutralise_markers"}
    with pytest.raises(BridgeContractError, match="limit must be a plain int"):
        RetrievalPolicy.hardened(key=KEY, limit="3")  # type: ignore[arg-type]  # the mistake under test


@pytest.mark.requirement("KB-RET-POLICY-4")
def test_a_hardened_policy_without_a_key_is_refused() -> None:
    """A setting that got lost must not switch a defence off."""
    with pytest.raises(BridgeContractError) as caught:
        RetrievalPolicy.hardened(key=None)  # type: ignore[arg-type]  # the mistake under test
    assert caught.value.rule == "KB-RET-POLICY-4"


@pytest.mark.requirement("KB-RET-POLICY-8")
def test_the_key_is_neither_shown_nor_compared() -> None:
    """A repr ends up in logs; two deployments with one policy have equal policies."""
    policy = RetrievalPolicy.hardened(key=KEY)
    assert "key" not in repr(policy)
    assert policy == RetrievalPolicy.hardened(key=b"y" * 32)
    assert hash(policy) == hash(RetrievalPolicy.hardened(key=b"y" * 32))
