"""Scope paths: who a row was stored for, and who may see it.

Rules of this module: a row stored at a path is visible at that path and below it, never beside it. Membership is exact
over the set of ancestors; a string prefix would let ``tenant␟acme`` see ``tenant␟acme-labs``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, cast

from . import _tables as tables
from ._refusals import refuse
from ._text import exact_str, is_text, scope_part_fault

SCOPE_PATH_DELIMITER: Final = "\x1f"
"""Joins the parts of a scope path: ``kind␟id␟kind␟id``, root first."""

_MAX_PAIRS: Final = 64
_SPACE_AT_END: Final = re.compile(f"\\A[ {tables.SPACES}]|[ {tables.SPACES}]\\Z")


@dataclass(frozen=True, slots=True)
class ScopePath:
    """A place in the tree of scopes, built from pairs: ``ScopePath.of(("tenant", "acme"), ("user", "7"))``.

    ``str(path)`` is what requests, rows and stores carry.

    Args:
        pairs: ``(kind, id)`` pairs, root first; none is the whole deployment.

    Raises:
        BridgeContractError: A part is not text, is empty, or holds what the hygiene table refuses in a scope part.
    """

    pairs: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.pairs, tuple | list):
            refuse("KB-CON-PATH-3", self.pairs)
        if len(self.pairs) > _MAX_PAIRS:
            refuse("KB-CON-PATH-8", self.pairs, count=len(self.pairs))
        object.__setattr__(self, "pairs", tuple(_pair(pair) for pair in self.pairs))

    @classmethod
    def of(cls, *pairs: tuple[str, str]) -> ScopePath:
        """Build a path from pairs, root first."""
        return cls(pairs)

    @classmethod
    def parse(cls, path: str) -> ScopePath:
        """Read a path as requests carry it; the empty text is the whole deployment.

        Raises:
            BridgeContractError: It is not text, has an odd number of parts, or a part is refused.
        """
        if not is_text(path):
            refuse("KB-CON-PATH-1", path)
        text = exact_str(path)
        parts = text.split(SCOPE_PATH_DELIMITER) if text else []
        if len(parts) % 2:
            refuse("KB-CON-PATH-2", text)
        return cls(tuple(zip(parts[::2], parts[1::2], strict=True)))

    def ancestors(self) -> tuple[str, ...]:
        """Every path whose rows are visible from here: the empty path first, this one last."""
        steps = [SCOPE_PATH_DELIMITER.join(pair) for pair in self.pairs]
        return tuple(SCOPE_PATH_DELIMITER.join(steps[:depth]) for depth in range(len(steps) + 1))

    def __str__(self) -> str:
        return SCOPE_PATH_DELIMITER.join(part for pair in self.pairs for part in pair)


def scope_ancestors(path: str) -> tuple[str, ...]:
    """Every path whose rows are visible at ``path``, from the root (``""``) to ``path`` itself.

    Raises:
        BridgeContractError: ``path`` is not a scope path.
    """
    return ScopePath.parse(path).ancestors()


def _pair(pair: object) -> tuple[str, str]:
    if not isinstance(pair, tuple):
        refuse("KB-CON-PATH-3", pair)
    parts = cast("tuple[object, ...]", pair)
    if len(parts) != 2:
        refuse("KB-CON-PATH-3", parts)
    return (_part(parts[0]), _part(parts[1]))


def _part(part: object) -> str:
    text = exact_str(part) if is_text(part) else ""
    if not text:
        refuse("KB-CON-PATH-4", part)
    fault = scope_part_fault(text)  # first: some spaces of Python's are line breaks or do not show
    if fault is None and _SPACE_AT_END.search(text):
        fault = "it begins or ends with a space"
    if fault is not None:
        refuse("KB-CON-PATH-5", text, fault=fault)
    return text
