"""What an operator declares about a store that somebody else filled: whose its rows are, and what its scores mean.

Rules of this module: pure values over plain data; it knows no store and no framework, and adapters of both stand on it.
Nothing is guessed. A document's own word on its scope never counts, a score that is missing is never a silent zero, and
what cannot be read as a number stays what it is, so that the boundary leaves its row out by name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, Final, Literal, get_args

from symfonic.capabilities.knowledge import BridgeContractError, ScopePath

__all__ = ["DeclaredScope", "MissingScore", "ScoreKind", "ScorePolicy"]

ScoreKind = Literal["similarity", "distance", "squared-distance", "cosine-distance", "negated-product"]
"""What a store's number says: the higher the better, or one of the numbers of which a lower one is better."""

MissingScore = Literal["drop", "rank"] | float
"""What stands for a score that is not there: nothing, ``1 / (1 + place in the answer)``, or a fixed number."""

_ROUNDING: Final = 1e-6
"""How far below zero rounding takes a distance; one further below is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredScope:
    """Under which scope path the rows of a store count as stored. Make one with :meth:`fixed` or :meth:`field`.

    Attributes:
        path: The one path of all rows; ``None`` where each row names its own.
        field_name: The metadata field that names it, where ``path`` is ``None``.

    Raises:
        BridgeContractError: ``path`` is no scope path.
        ValueError: Neither or both are given, or the field is no name a document's own claim is kept out of.
    """

    path: str | None = None
    field_name: str = ""

    def __post_init__(self) -> None:
        if self.path is not None:
            ScopePath.parse(self.path)
        if (self.path is None) is (self.field_name == ""):
            raise ValueError(
                "the scope of a store is one path or one metadata field; neither or both were given, so nobody knows "
                "whose its rows are; use DeclaredScope.fixed(path) or DeclaredScope.field(name)"
            )

    @classmethod
    def fixed(cls, path: str) -> DeclaredScope:
        """Every row is stored at ``path``; ``""`` is the whole deployment."""
        return cls(path=path)

    @classmethod
    def field(cls, name: str) -> DeclaredScope:
        """Every row names its path in the metadata field ``name``, which *ingestion* writes and no document can.

        A row without it, or with a value that is no scope path, is visible nowhere.
        """
        if name in ("", "scope_path"):
            raise ValueError(
                f"the field that names a scope is one that your ingestion writes, not {name!a}; a document could say "
                "itself who sees it; let ingestion write a field of another name"
            )
        return cls(field_name=name)

    def of(self, metadata: Mapping[str, Any]) -> str | None:
        """The path a row with that metadata is stored at, ``None`` where it has none."""
        if self.path is not None:
            return self.path
        named = metadata.get(self.field_name)
        try:
            return str(ScopePath.parse(named)) if isinstance(named, str) else None
        except BridgeContractError:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePolicy:
    """What the numbers of a store mean, turned into scores of which the higher is better.

    ======================  ========================  ==================================
    ``kind``                the store's number ``x``  score
    ======================  ========================  ==================================
    ``similarity``          the higher the better     ``x``
    ``distance``            0 is the same             ``1 / (1 + x)``
    ``squared-distance``    0 is the same             ``1 / (1 + sqrt(x))``
    ``cosine-distance``     0 is the same, 2 opposed  ``1 - x``
    ``negated-product``     the lower the better      ``-x``
    a function              anything                  what it answers; NaN if it raises
    ======================  ========================  ==================================

    Attributes:
        kind: One of the words above, or a function.
        missing: What stands for a score that is ``None``. ``"drop"`` leaves it ``None``, and the boundary drops the row
            as ``bad-score``.

    Raises:
        ValueError: Another word, or a number that is not finite.
    """

    kind: ScoreKind | Callable[[Any], float]
    missing: MissingScore = "drop"

    def __post_init__(self) -> None:
        words = get_args(ScoreKind)
        if not callable(self.kind) and self.kind not in words:
            raise ValueError(
                f"what a store's number means is one of {', '.join(words)}, or a function, not {self.kind!a}; rows "
                "could be ranked upside down; look up what your store answers"
            )
        if self.missing not in ("drop", "rank") and not _is_finite(self.missing):
            raise ValueError(
                f"a missing score is 'drop', 'rank' or a finite number, not {self.missing!a}; such rows could not be "
                "ranked; choose one"
            )

    def score(self, number: object, place: int) -> Any:
        """The score of a row.

        Args:
            number: What the store answered, a number of NumPy's perhaps.
            place: Zero-based place in the store's answer.

        Returns:
            A ``float``; what is no number comes back as it is.
        """
        if number is None:
            return self._missing(place)
        if callable(self.kind):
            return _answered(self.kind, number)
        value = _number(number)
        return _FORMULAS[self.kind](value) if isinstance(value, float) and math.isfinite(value) else value

    def _missing(self, place: int) -> float | None:
        if self.missing == "drop":
            return None
        return 1 / (1 + place) if self.missing == "rank" else float(self.missing)


def _is_finite(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _answered(function: Callable[[Any], float], number: object) -> Any:
    try:
        return _number(function(number))
    except Exception:  # noqa: BLE001 - the row is left out by name, and costs no other
        return math.nan


def _number(value: object) -> object:
    """A float of whatever is a real number; everything else as it came."""
    if isinstance(value, bool | str | bytes | bytearray) or not (
        isinstance(value, Real) or hasattr(value, "__float__")
    ):
        return value
    try:
        return float(value)
    except Exception:  # noqa: BLE001 - a number beyond a float, an array of several
        return value


def _distance(value: float) -> float:
    return 1 / (1 + max(value, 0.0)) if value >= -_ROUNDING else math.nan


def _squared(value: float) -> float:
    return 1 / (1 + math.sqrt(max(value, 0.0))) if value >= -_ROUNDING else math.nan


_FORMULAS: Final[Mapping[str, Callable[[float], float]]] = {
    "similarity": lambda value: value,
    "distance": _distance,
    "squared-distance": _squared,
    "cosine-distance": lambda value: 1 - value,
    "negated-product": lambda value: -value,
}
