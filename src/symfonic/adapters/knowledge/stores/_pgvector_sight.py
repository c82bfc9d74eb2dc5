"""For whom a transaction in PostgreSQL acts, which row-level security goes by.

Rules of this module: values only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Sight:
    """For whom a transaction acts, which row-level security goes by.

    Attributes:
        scope_path: Rows of this path and above can be read, rows of exactly this path can be changed.
        below: Also what lies below.
    """

    scope_path: str = ""
    below: bool = False


EVERYTHING: Final = Sight(below=True)
