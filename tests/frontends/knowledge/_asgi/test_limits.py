"""Ceilings of a service: all of them are there, or it does not start."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from symfonic.composition.knowledge import SettingsError
from symfonic.frontends.knowledge._asgi import EdgeLimits


@pytest.mark.parametrize("name", [field.name for field in fields(EdgeLimits)])
def test_every_ceiling_is_a_finite_number_above_nothing(name: str) -> None:
    """A service without one of them would not be bounded."""
    refused: list[Any] = [-1, float("nan"), float("inf"), True, "10", None]
    refused += [] if name in {"max_waiting", "notice_seconds"} else [0]
    refused += [] if name.endswith("_seconds") else [1.5]
    for value in refused:
        with pytest.raises(SettingsError, match=f"{name} must be a "):
            EdgeLimits(**{name: value})
    assert getattr(EdgeLimits(**{name: 1}), name) == 1


def test_nobody_has_to_wait() -> None:
    """Then whoever finds no place is refused at once."""
    assert EdgeLimits(max_waiting=0).max_waiting == 0
