"""The folded copy on which the detectors of markers and delimiters look, and the way back to the rendered text.

Rules of this module:

* A folded copy is for looking only. It drops what no reader sees, takes every normal form, case and known look-alike
  as one, and reads HTML character references as what they name. No folded character is ever rendered.
* Every folded character knows which characters of the text it came from, so that a detector can treat exactly those.
* What folds to what is a literal table of one Unicode version: the bytes that are rendered depend on it.
* The module stands twice, in the knowledge and in the prompting capability, which may not import each other. Both
  copies are equal to the byte; the letters their tables fold differ.

The fold is closed under the transforms a later stage may apply (NFC, NFD, NFKC, NFKD, case folding, removal of
default-ignorable characters, unescaping): what folds to a marker after such a step already does so before it. Escaped
ampersands are read to any depth for the same reason.

Sources: UAX #15, UTS #39, HTML Standard section 13.5 (named character references, which are frozen).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from html import unescape
from html.entities import html5
from typing import TYPE_CHECKING

from . import _tables as tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    _Replacement = Callable[[re.Match[str]], tuple[int, str] | None]

MAY_START_REFERENCE = "&\uff06\ufe60"
"""Every character that is an ampersand, or becomes one; the inside of a character class."""

_ONE = str.maketrans({c: target for target, sources in tables.FOLD_TO_ONE.items() for c in sources})
_MANY = {c: target for target, sources in tables.FOLD_TO_MANY.items() for c in sources}
_REWRITTEN = re.compile(f"[{tables.IGNORABLES}{''.join(_MANY)}]")
# Escaped ampersands, then what they escape, if anything: `&ampSOURCE` is read as `&SOURCE`.
_REFERENCE = re.compile(
    r"&(?P<escapes>(?:amp;?|#0*38(?![0-9]);?|#x0*26(?![0-9a-f]);?)*+)"
    r"(?:#x(?P<hex>[0-9a-f]++);?|#(?P<decimal>[0-9]++);?|(?P<name>[a-z][a-z0-9]{1,31}+;?))?+"
)
# The same on text that is not folded yet.
_RAW_REFERENCE = re.compile(_REFERENCE.pattern, re.IGNORECASE | re.ASCII)
_MARK = re.compile(f"[{tables.MARKS}]")
_STRUCTURE = frozenset("[]<> ")
_REFERENCE_DEPTH = 4  # references made of references; deeper ones need as many unescapings
_TO_PARENTHESES = str.maketrans("[]<>", "()()")
Place = tuple[int, int, str]
"""Start and end in the raw text, and the parenthesis that would stand there."""

_MAX_DIGITS = 7  # U+10FFFF has seven decimal digits


# Marks above the basic plane make a class slow, so they are asked for only where something so rare stands.
ANY_MARKS = f"(?:[{tables.BASIC_MARKS}]|[\U00010000-\U0010ffff](?<=[{tables.MARKS}]))*+"
"""A pattern of any number of combining marks."""


def spelled(word: str) -> str:
    """A pattern of the word on a folded copy, each letter in every look-alike, whatever marks stand between them."""
    return ANY_MARKS.join(f"[{letter}{tables.LOOKALIKES[letter]}]" for letter in word)


def folded_copies(raw: str) -> Iterator[Folded]:
    """Every folded copy a detector has to look at.

    Usually one. Where references stand in a text beyond ASCII, the order counts: `&#91²` is a bracket for who unescapes
    first, and the number 912 for who normalises first.
    """
    yield Folded(raw)
    if "&" in raw and not raw.isascii():
        yield Folded(raw, references_first=True)


def neutralised(raw: str, find: Callable[[Folded], tuple[set[int], int]]) -> tuple[str, int]:
    """The text with what `find` reports made parentheses, and how much that was.

    Args:
        raw: The text.
        find: From a folded copy to the folded places of brackets or angles, and the number of findings.
    """
    text, count = raw, 0
    for folded in folded_copies(raw):
        current = folded if folded.raw == text else Folded(text, references_first=True)
        places, found = find(current)
        if places:
            text = current.parenthesised(places)
            count += found
    return text, count


def places(raw: str, find: Callable[[Folded], tuple[set[int], int]]) -> tuple[Place, ...]:
    """Where in the text `neutralised` would put parentheses: each bracket or angle, in order, and what it becomes."""
    return tuple(sorted({copy.place(index) for copy in folded_copies(raw) for index in find(copy)[0]}))


class Folded:
    """A folded copy with the way back.

    Attributes:
        raw: The text it was made of.
        text: The folded characters.
    """

    __slots__ = ("_layers", "raw", "text")

    def __init__(self, raw: str, *, references_first: bool = False) -> None:
        """Fold a text, reading references before the other characters or, in any case, after them."""
        self.raw = self.text = raw
        self._layers: list[_Layer] = []
        if references_first:
            self._rewrite(_RAW_REFERENCE, _fold_reference)
        if not raw.isascii():
            self._rewrite(_REWRITTEN, _fold_character)
        self.text = self.text.translate(_ONE)
        for _ in range(_REFERENCE_DEPTH):
            if not self._rewrite(_REFERENCE, _fold_reference):
                break

    def _rewrite(self, pattern: re.Pattern[str], replacement: _Replacement) -> bool:
        """Apply one rewriting step and note the way back; False where nothing was found."""
        self.text, layer = _rewrite(self.text, pattern, replacement)
        if layer:
            self._layers.insert(0, layer)
        return layer is not None

    def raw_span(self, index: int) -> tuple[int, int]:
        """Where in the raw text the folded character at `index` came from, as start and end."""
        start, end = index, index + 1
        for layer in self._layers:
            start, end = layer.before(start)[0], layer.before(end - 1)[1]
        return start, end

    def place(self, index: int) -> Place:
        """Where in the raw text the bracket or angle at the folded `index` stands, and the parenthesis for it."""
        start, end = self.raw_span(index)
        return start, end, _MANY.get(self.raw[start:end], self.text[index]).translate(_TO_PARENTHESES)

    def parenthesised(self, indices: Iterable[int]) -> str:
        """The raw text with the brackets or angles at the folded `indices` made parentheses."""
        pieces: list[str] = []
        position = 0
        for index in sorted(indices):
            start, end, piece = self.place(index)
            if start < position:  # two folded brackets of one raw character
                continue
            pieces += (self.raw[position:start], piece)
            position = end
        return "".join((*pieces, self.raw[position:]))


class _Layer:
    """The places where one rewriting step changed a text."""

    __slots__ = ("_new_starts", "_spans")

    def __init__(self) -> None:
        self._new_starts: list[int] = []
        self._spans: list[tuple[int, int, int]] = []

    def add(self, new_start: int, new_end: int, old_start: int, old_end: int) -> None:
        """Note that `old_start:old_end` became `new_start:new_end`."""
        self._new_starts.append(new_start)
        self._spans.append((new_end, old_start, old_end))

    def before(self, index: int) -> tuple[int, int]:
        """Start and end, before the step, of what the character at `index` came from."""
        at = bisect_right(self._new_starts, index) - 1
        if at < 0:
            return index, index + 1
        new_end, old_start, old_end = self._spans[at]
        if index < new_end:
            return old_start, old_end
        return old_end + index - new_end, old_end + index - new_end + 1


def _rewrite(text: str, pattern: re.Pattern[str], replacement: _Replacement) -> tuple[str, _Layer | None]:
    """Replace what the pattern finds and note where; the replacement says which length it stands for."""
    layer = _Layer()
    pieces: list[str] = []
    position = length = 0
    for match in pattern.finditer(text):
        replaced = replacement(match)
        if replaced is None:
            continue
        width, piece = replaced
        end = match.start() + width
        kept = text[position : match.start()]
        length += len(kept)
        layer.add(length, length + len(piece), match.start(), end)
        pieces += (kept, piece)
        length += len(piece)
        position = end
    return ("".join((*pieces, text[position:])), layer) if position else (text, None)


def _fold_character(match: re.Match[str]) -> tuple[int, str]:
    """What an expanding or ignorable character becomes."""
    return 1, _MANY.get(match[0], "")


def _fold_reference(match: re.Match[str]) -> tuple[int, str] | None:
    """What a character reference becomes, and how many of its characters it takes; None where it names nothing."""
    decimal, hexadecimal, name = match["decimal"], match["hex"], match["name"]
    if decimal:
        return len(match[0]), _numbered(decimal, 10)
    if hexadecimal:
        return _hexadecimal(match, hexadecimal)
    escapes = len(match["escapes"])
    named = _named(name) if name else None
    if named:
        return 1 + escapes + named[0], named[1]
    return (1 + escapes, "&") if escapes else None


def _hexadecimal(match: re.Match[str], digits: str) -> tuple[int, str]:
    """The number, or the one without its last digit where NFC may take that away and leave a bracket or a break.

    `&#x5ba` and an acute become `&#x5b` and `á`.
    """
    width, whole = len(match[0]), _numbered(digits, 16)
    if whole not in _STRUCTURE and match[0][-1] in "abcdefABCDEF" and _MARK.match(match.string, match.end()):
        shorter = _numbered(digits[:-1], 16)
        if shorter in _STRUCTURE:
            return width - 1, shorter
    return width, whole


def _numbered(digits: str, base: int) -> str:
    """What a number names; one that is too long for a character names U+FFFD, as in HTML."""
    digits = digits.lstrip("0") or "0"
    if len(digits) > _MAX_DIGITS:
        return "\ufffd"
    # unescape knows which numbers HTML maps elsewhere: 139 is an angle quotation mark.
    return _fold_plain(unescape(f"&#{int(digits, base)};"))


@cache
def _references() -> dict[str, str]:
    """HTML's names in lower case; where two differ by case only, the lower-case one counts."""
    return {name.lower(): html5[name] for name in sorted(html5)}


def _named(name: str) -> tuple[int, str] | None:
    """Length and meaning of the longest name at the head of `name`; without a semicolon HTML reads prefixes too."""
    references = _references()
    name = name.lower()
    if name in references:
        return len(name), _fold_plain(references[name])
    for length in range(min(len(name), 6), 1, -1):  # the longest name that needs no semicolon has six letters
        if name[:length] in references:
            return length, _fold_plain(references[name[:length]])
    return None


def _fold_plain(text: str) -> str:
    """Fold what a reference names, without the way back."""
    return _REWRITTEN.sub(lambda match: _MANY.get(match[0], ""), text).translate(_ONE)
