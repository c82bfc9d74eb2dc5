"""Why a row was left out: one sentence for people that carries its code and numbers for programs.

Rules of this module: values only. It knows neither policies nor rows; whoever drops something says what and how much.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Self


class DropCode(StrEnum):
    """Every reason a row, or a whole read, can be left out for."""

    BAD_SCORE = "bad-score"
    BAD_CONTENT = "bad-content"
    BAD_SOURCE = "bad-source"
    BAD_TEXT = "bad-text"
    BLANK = "blank"
    OUT_OF_SCOPE = "out-of-scope"
    OVER_LIMIT = "over-limit"
    BELOW_FLOOR = "below-floor"
    OVER_FRAGMENT = "over-fragment"
    OVER_SOURCE = "over-source"
    DUPLICATE = "duplicate"
    OVER_TOTAL = "over-total"
    UNEXAMINED = "unexamined"
    EMPTY_SCOPE = "empty-scope"
    STORE_FAILED = "store-failed"


Number = int | float


class DropReason(str):
    """A sentence that says why something was left out; JSON and logs take it as text.

    Args:
        text: The sentence.
        code: Its code.
        actual: The number that broke the rule, where one did: characters, rows, or a score.
        ceiling: The number that was in force.

    Attributes:
        code: As given.
        actual: As given.
        ceiling: As given.
    """

    __slots__ = ("actual", "ceiling", "code")

    code: DropCode
    actual: Number | None
    ceiling: Number | None

    def __new__(cls, text: str, code: DropCode, actual: Number | None = None, ceiling: Number | None = None) -> Self:
        """Build the sentence and hang code and numbers on it."""
        reason = super().__new__(cls, text)
        reason.code = code if type(code) is DropCode else DropCode(code)
        reason.actual = actual
        reason.ceiling = ceiling
        return reason

    def __reduce__(self) -> tuple[object, ...]:
        """Keep code and numbers when copied or pickled."""
        return (DropReason, (str(self), self.code, self.actual, self.ceiling))


_SENTENCES: Final = MappingProxyType(
    {
        DropCode.BAD_SCORE: "the score is not a finite number",
        DropCode.BAD_CONTENT: "the content is not text",
        DropCode.BAD_SOURCE: "the source is not text",
        DropCode.BAD_TEXT: "the text holds lone surrogates and cannot be encoded",
        DropCode.BLANK: "the content shows nothing",
        DropCode.OUT_OF_SCOPE: "the row carries no proof that it was stored for this scope or one above it",
        DropCode.OVER_LIMIT: "the limit of {ceiling} was reached before it",
        DropCode.BELOW_FLOOR: "its score {actual!r} is below the floor {ceiling!r}",
        DropCode.OVER_FRAGMENT: "its {actual} characters are over the ceiling of {ceiling} for one fragment",
        DropCode.OVER_SOURCE: "its source or document had reached the cap of {ceiling} before it",
        DropCode.DUPLICATE: "its source and text were admitted already",
        DropCode.OVER_TOTAL: "with it the lines would come to {actual} characters, over the total of {ceiling}",
        DropCode.UNEXAMINED: "the store answered more than {ceiling} rows; the rest was not read",
        DropCode.EMPTY_SCOPE: "the request carries no scope path, and this source answers only within one",
        DropCode.STORE_FAILED: "the store failed",
    }
)


@lru_cache(maxsize=16)
def over_limit(limit: int) -> DropReason:
    """The one reason all rows past the limit share."""
    return drop_reason(DropCode.OVER_LIMIT, ceiling=limit)


@lru_cache(maxsize=16)
def over_source(most: int) -> DropReason:
    """The one reason all rows past the cap of their source share: each would be one too many."""
    return drop_reason(DropCode.OVER_SOURCE, most + 1, most)


def drop_reason(
    code: DropCode, actual: Number | None = None, ceiling: Number | None = None, detail: str = ""
) -> DropReason:
    """Word the reason ``code``; ``detail`` follows after a colon."""
    sentence = _SENTENCES[code].format(actual=actual, ceiling=ceiling)
    return DropReason(f"{sentence}: {detail}" if detail else sentence, code, actual, ceiling)
