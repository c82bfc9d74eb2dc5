"""The grounding filter: its arguments."""

from __future__ import annotations

from typing import Any

import pytest

from symfonic.capabilities.knowledge import BridgeContractError, CitationLedger, GroundingFilter, LedgerEntry

LEDGER = CitationLedger([LedgerEntry("Handbook", "Handbook", "text")])


@pytest.mark.parametrize(
    ("rule", "args"),
    [
        ("KB-GRD-FILTER-1", {"ledger": [LEDGER["Handbook"]]}),
        ("KB-GRD-FILTER-2", {"ledger": LEDGER, "on_unknown": "delete"}),
        ("KB-GRD-FILTER-3", {"ledger": LEDGER, "render": "[{}]"}),
    ],
)
def test_arguments_of_another_kind_are_refused(rule: str, args: dict[str, Any]) -> None:
    """A filter that could not do its work is never built."""
    with pytest.raises(BridgeContractError) as caught:
        GroundingFilter(**args)
    assert caught.value.rule == rule


def test_before_anything_is_cited_everything_is_uncited() -> None:
    """The report is there from the beginning."""
    grounding = GroundingFilter(LEDGER, on_unknown="keep", render=lambda entry, number: f"{entry.label} {number}")
    assert grounding.feed("text") + grounding.flush() == "text"
    assert grounding.report().uncited == ("Handbook",)
