"""What a floor under scores keeps of judged questions, and what it keeps out of those that have no answer.

Rules of this module: values and arithmetic over scores; it asks nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FLOORS", "FloorShares"]

FLOORS: Final = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)
"""Floors that are told about, in the unit of scores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorShares:
    """What ``min_score`` would do.

    Attributes:
        floor: The score.
        kept: Share of judged queries whose best relevant row has at least this score.
        refused: Share of questions without an answer that admit nothing under it.
    """

    floor: float
    kept: float
    refused: float


def floor_shares(best: Sequence[float | None], highest: Sequence[float | None]) -> tuple[FloorShares, ...]:
    """Each of :data:`FLOORS` with its shares; nothing without a question that has no answer.

    Args:
        best: For each judged query the score of its best relevant row, ``None`` where none was found.
        highest: For each question without an answer the score of its best row, ``None`` where it found nothing.
    """
    if not highest:
        return ()
    return tuple(
        FloorShares(
            floor=floor,
            kept=sum(score is not None and score >= floor for score in best) / len(best),
            refused=sum(score is None or score < floor for score in highest) / len(highest),
        )
        for floor in FLOORS
    )
