"""Citation markers inside content: found on a folded copy, neutralised in the text.

Rules of this module:

* A marker is the word `source`, at the start of a word for any reader, then optional spaces, then an opening square
  bracket or whatever imitates one: the shape of our own citation lines. `resource [1]` is none, and lower-case
  `source` with the bracket directly after it is code.
* Both brackets become parentheses; nothing else changes. Afterwards the detector finds nothing, nor does it after any
  normal form, case folding, removal of invisibles, or one HTML unescape.
* It works on content that `_text.clean_content` has treated: removal of invisibles joins neighbours and comes first.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING

from . import _tables as tables
from ._folding import ANY_MARKS, MAY_START_REFERENCE, folded_copies, neutralised, places, spelled
from ._text import exact_str

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._folding import Folded

_CANDIDATE = re.compile(f"[{tables.SQUARE_OPEN}{MAY_START_REFERENCE}]")
# An accent on the last letter makes another word, French "sourcé"; a line through, above or below it is dress.
_ACCENTS = "\u0300-\u0304\u0306-\u0330\u0340-\u0344"
_DRESS = f"(?:(?![{_ACCENTS}]){ANY_MARKS[:-2]})*+"
# Spaces, and the U+FFFD that hygiene puts in the place of hidden characters, with whatever sits on them.
_GAP = f"(?:[ \ufffd]{ANY_MARKS})*+"


@cache
def _marker() -> re.Pattern[str]:
    """The word in any spelling before a bracket; compiled when it is first needed, not on import."""
    return re.compile(rf"{spelled('source')}{_DRESS}{_GAP}\[")


_WORD = re.compile("[A-Za-z0-9_]", re.ASCII)
_BRACKET = re.compile(r"[\[\]]")
_CODE = "source["


def has_marker(text: str) -> bool:
    """Whether the text holds a citation marker, in any spelling the folded copy sees through."""
    return _CANDIDATE.search(text) is not None and any(any(_openers(copy)) for copy in folded_copies(text))


def neutralise_markers(text: str) -> tuple[str, int]:
    """Turn the brackets of every citation marker into parentheses.

    Args:
        text: Content that `clean_content` has treated. In other text a marker may hide behind what that would remove,
            and stand there once it is removed.

    Returns:
        The text, the same object where it holds no marker, and how many markers were neutralised.

    Raises:
        BridgeTypeError: It is no `str` (`KB-TXT-TYPE-1`).
    """
    text = exact_str(text)
    if _CANDIDATE.search(text) is None:
        return text, 0
    return neutralised(text, _brackets)


def marker_places(text: str) -> tuple[tuple[int, int, str], ...]:
    """Start and end of every bracket that :func:`neutralise_markers` turns into a parenthesis, and that, in order."""
    text = exact_str(text)
    return () if _CANDIDATE.search(text) is None else places(text, _brackets)


def _brackets(folded: Folded) -> tuple[set[int], set[int]]:
    """The opening brackets of all markers, and the closing ones."""
    openers = set(_openers(folded))
    return openers, set(_closers(folded.text, openers))


def _openers(folded: Folded) -> Iterator[int]:
    """Where, in the folded copy, the opening brackets of markers stand."""
    for match in _marker().finditer(folded.text):
        start, end = folded.raw_span(match.start())[0], folded.raw_span(match.end() - 1)[1]
        touches = start > 0 and _WORD.match(folded.raw, start - 1) is not None
        counts = _follows_a_reference(folded, match.start(), start) if touches else folded.raw[start:end] != _CODE
        if counts:
            yield match.end() - 1


def _follows_a_reference(folded: Folded, index: int, start: int) -> bool:
    """Whether the word character before the word at the folded `index` is the end of a reference, as in `a&shySOURCE`.

    Elsewhere the word is the rest of a longer one, as in `resource` and `data_source`. Only a letter, digit or
    underscore of ASCII that is written as itself and touches the word makes it longer: after `&#97;`, `²`, `é` or a
    letter with something invisible behind it, the word starts for one reader or another. Chinese text has no spaces,
    and a marker after it is a marker.
    """
    return index == 0 or folded.raw_span(index - 1) != (start - 1, start)


def _closers(text: str, openers: set[int]) -> Iterator[int]:
    """The bracket that closes each opener: its partner, or the next closing one where the brackets do not pair up."""
    open_brackets: list[int] = []
    closing: list[int] = []
    for match in _BRACKET.finditer(text):
        if match[0] == "[":
            open_brackets.append(match.start())
            continue
        closing.append(match.start())
        if open_brackets and open_brackets.pop() in openers:
            yield match.start()
    for opener in openers.intersection(open_brackets):
        after = bisect_right(closing, opener)
        if after < len(closing):
            yield closing[after]
