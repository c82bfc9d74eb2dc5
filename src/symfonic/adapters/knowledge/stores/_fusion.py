"""How words and meaning become one score.

Rules of this module: one pure function and its constant. It works on numbers and, element by element and to the same
bit, on NumPy arrays; it never falls where one of its arguments grows, which is what lets a search stop early.
"""

from __future__ import annotations

from typing import Any, Final

LEXICAL_SHARE: Final = 0.6
"""What words count in a score, against what meaning counts; measured in decision 0016."""


def fused(lexical: Any, cosine: Any) -> Any:
    """The score of a passage, in [0, 1]: weighted mean of what its words and its vector say.

    ``lexical`` is the lexical similarity in [0, 1]; ``cosine`` that of the angle to the question's vector, in [-1, 1],
    where 0 stands for a passage without a vector. Below a right angle nothing is taken off: unlike is not opposite.
    """
    positive = (cosine + abs(cosine)) / 2
    return LEXICAL_SHARE * lexical + (1 - LEXICAL_SHARE) * positive
