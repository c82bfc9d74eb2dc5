"""Screening: which rows of an answer can be ranked at all, and in what order the others are told.

Rules of this module: a row comes from a store, and so do the classes of what it holds; nothing they do may raise here,
and each costs its own row only. Rows that pass hold plain ``str`` and ``float``. It knows no policy and no other row.
"""

from __future__ import annotations

import hashlib
import math
from math import isfinite
from numbers import Real
from typing import TYPE_CHECKING

from ._fragments import RetrievedFragment
from ._reasons import DropCode, DropReason, drop_reason
from ._text import exact_str, is_encodable, is_text, shows_blank
from .errors import is_failure, type_name

if TYPE_CHECKING:
    from collections.abc import Iterable

BadRow = tuple[object, DropReason, object]
"""Raw source, reason, and the row as it came."""


def screened(fragments: Iterable[RetrievedFragment]) -> tuple[list[RetrievedFragment], list[BadRow]]:
    """Part the rows that can be ranked from those that cannot. Nothing a row holds may raise here."""
    usable: list[RetrievedFragment] = []
    unusable: list[BadRow] = []
    for row in fragments:
        try:
            if (
                type(row) is RetrievedFragment
                and type(row.score) is float
                and type(content := row.content) is str
                and type(source := row.source) is str
                and isfinite(row.score)
                and row.score != 0.0  # zero might be a negative one
                and ("!" <= content[:1] <= "~" or not shows_blank(content))
                and (content.isascii() or content.encode())
                and (source.isascii() or source.encode())
            ):  # the ordinary row: nothing to convert, nothing to doubt
                usable.append(row)
                continue
        except (AttributeError, UnicodeEncodeError):  # a row never filled and a lone surrogate are told apart below
            pass
        exact = _exact_row(row)
        if isinstance(exact, RetrievedFragment):
            usable.append(exact)
        else:
            unusable.append(exact)
    return usable, unusable


def _exact_row(row: object) -> RetrievedFragment | BadRow:
    """Return the row with plain ``str`` and ``float`` in it, or its raw source with the reason it is unusable."""
    try:
        if isinstance(row, RetrievedFragment):
            return _converted(row)
        return ("", drop_reason(DropCode.BAD_CONTENT, detail=f"the row is a {type_name(row)}"), row)
    except BaseException as error:  # a store's own classes may raise anything; that costs their row only
        if not is_failure(error):
            raise
        return ("", drop_reason(DropCode.BAD_CONTENT, detail=f"reading the row raised {type_name(error)}"), row)


def _converted(row: RetrievedFragment) -> RetrievedFragment | BadRow:
    raw: tuple[object, object] = (row.source, row.content)  # whatever the annotations of a row promise
    source, content = (exact_str(part) if is_text(part) else part for part in raw)
    number = _number(row.score)
    if not isfinite(number):
        return (source, drop_reason(DropCode.BAD_SCORE), row)
    if not is_text(content):
        return (source, drop_reason(DropCode.BAD_CONTENT, detail=f"a {type_name(content)}"), row)
    if not is_text(source):
        return (source, drop_reason(DropCode.BAD_SOURCE, detail=f"a {type_name(source)}"), row)
    if not (is_encodable(source) and is_encodable(content)):
        return (source, drop_reason(DropCode.BAD_TEXT), row)
    if shows_blank(content):
        return (source, drop_reason(DropCode.BLANK), row)
    return RetrievedFragment(content, source, number, row.metadata)


def _number(score: object) -> float:
    """Return the score as a plain float; NaN for all that is no real number or lies beyond the range of float."""
    try:
        if isinstance(score, bool) or not isinstance(score, Real):
            return math.nan
        return float(score) + 0.0  # no negative zero: it equals zero, but shows otherwise
    except BaseException as error:  # OverflowError from a huge int, anything from a number class of the store's own
        if not is_failure(error):
            raise
        return math.nan


def unusable_key(drop: BadRow) -> tuple[str, ...]:
    source, reason, row = drop
    return (reason.code.value, type_name(source), _sortable(source), str(reason), *_row_key(row))


def _row_key(row: object) -> tuple[str, ...]:
    """What tells rows apart whose drops are alike; text is compared where it lies: copies of it could fill memory."""
    if type(row) is not RetrievedFragment:
        return (_digest(row),)
    try:
        content = row.content
        return (exact_str(content) if is_text(content) else _digest(content), _digest(row.score))
    except AttributeError:  # a row that was never filled
        return ("",)


def _digest(value: object) -> str:
    return hashlib.sha256(_sortable(value).encode(errors="surrogatepass")).hexdigest()


def _sortable(source: object) -> str:
    if is_text(source):
        return exact_str(source)
    try:
        return exact_str(repr(source))
    except BaseException as error:  # an object that cannot even show itself still has to be listed
        if not is_failure(error):
            raise
        return ""
