r"""What a character is, the same on every interpreter: white space, letters, digits, case.

Rules of this module: pure, standard library only. ``str.strip()``, ``str.islower()``, ``\s`` and ``\w`` follow the
Unicode version of the interpreter that runs, so one text would be cut differently by two of them and every digest with
it. Extractors and chunking ask here instead; the tables are generated from one Unicode version. Of the higher planes,
where new scripts arrive every year, every character counts as part of a word.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from symfonic.adapters.knowledge.extractors import _tables as tables

__all__ = ["WHITE_SPACE", "WORD", "is_digit", "is_lower", "is_upper", "lower"]

WHITE_SPACE: Final = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""White space, for ``str.strip`` and its kin and, as none of it means anything there, for the inside of a class."""

WORD: Final = f"0-9A-Z_a-z{tables.WORDS}\U00010000-\U0003ffff"
"""Letters, marks, numbers and the underscore, as the inside of a regular-expression class."""


@cache
def _class(inside: str) -> re.Pattern[str]:
    """Compiled when first needed: whoever only asks a store never needs it."""
    return re.compile(f"[{inside}]")


@cache
def _small() -> dict[int, int]:
    return dict(zip(map(ord, tables.CAPITALS), map(ord, tables.SMALL), strict=True))


def is_lower(character: str) -> bool:
    """Whether the one character, or the empty text, is a small letter."""
    return character.islower() if character.isascii() else _class(tables.LOWERCASE).match(character) is not None


def is_upper(character: str) -> bool:
    """Whether the one character, or the empty text, is a capital: a letter that has a small letter."""
    return character.isupper() if character.isascii() else ord(character) in _small()


def is_digit(text: str) -> bool:
    """Whether the text consists of decimal digits, of any script, and is not empty."""
    return text.isdigit() if text.isascii() else all(_class(tables.DIGITS).match(character) for character in text)


def lower(text: str) -> str:
    """``text`` in small letters, character by character, so that its length stays."""
    return text.lower() if text.isascii() else text.translate(_small())
