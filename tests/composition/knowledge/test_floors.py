"""Floors: what each keeps of judged questions and keeps out of others."""

from __future__ import annotations

import pytest

from symfonic.composition.knowledge import FLOORS
from symfonic.composition.knowledge.floors import floor_shares


@pytest.mark.requirement("KB-EVAL-FLOOR-1")
def test_a_score_at_the_floor_is_kept_and_nothing_found_is_refused() -> None:
    """Both shares at each floor; a judged query that found nothing relevant is kept under none."""
    found = floor_shares([0.2, 0.5, None, 0.1], [None, 0.1])
    assert tuple(one.floor for one in found) == FLOORS
    assert [one.kept for one in found] == [0.75, 0.75, 0.75, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25]
    assert [one.refused for one in found] == [0.5, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]


@pytest.mark.requirement("KB-EVAL-FLOOR-1")
def test_without_such_questions_there_are_no_floors() -> None:
    """A share of nothing is none."""
    assert floor_shares([0.2], []) == ()
