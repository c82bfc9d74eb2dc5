"""The folded copy on which the detectors of markers and delimiters look, and the way back to the rendered text.

Rules of this module:

* A folded copy is for looking only. It drops what no reader sees, takes every normal form, case and known look-alike
  as one, and reads HTML character references as what they name. No folded character is ever rendered.
* Every folded character knows which characters of the text it came from, so that a detector can treat exactly those.
* What folds to what is a literal table of one Unicode version: the bytes that are rendered depend on it.
* The module stands twice, in the knowledge and in the prompting capability, which may not import each other. Both
  copies are equal to the byte; the letters their tables fold differ.

The fold is closed under the transforms a later stage may apply (NFC, NFD, NFKC, NFKD, case folding, removal of
default-ignorable characters, and one unescaping between any of them): what folds to a marker after such steps already
does so before them. What a reference names depends on the steps before the unescaping, so a text has a copy for every
order of them that reads it differently. Escaped ampersands are read to any depth, and references made of references to
a depth of four; each depth has its copy, because one more reading can take away what stood there before it.

Sources: UAX #15, UTS #39, HTML Standard section 13.5 (named character references, which are frozen).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from html import unescape
from html.entities import html5
from itertools import product, starmap
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import ucd_3_2_0

from . import _tables as tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    _Finder = Callable[["Folded"], tuple[set[int], set[int]]]
    _Replacement = Callable[[re.Match[str]], tuple[int, str] | None]

MAY_START_REFERENCE = "&\uff06\ufe60"
"""Every character that is an ampersand, or becomes one; the inside of a character class."""

_ONE = str.maketrans({c: target for target, sources in tables.FOLD_TO_ONE.items() for c in sources})
_MANY = {c: target for target, sources in tables.FOLD_TO_MANY.items() for c in sources}
_REWRITTEN = re.compile(f"[{tables.IGNORABLES}{''.join(_MANY)}]")


def _reference(hex_digit: str) -> str:
    """The pattern of a character reference: escaped ampersands, then what they escape, if anything.

    `&ampSOURCE` is read as `&SOURCE`.
    """
    return (
        r"&(?P<escapes>(?:amp;?|#0*38(?![0-9]);?|#x0*26(?![0-9a-f]);?)*+)"
        rf"(?:#x(?P<hex>(?:{hex_digit})++);?|#(?P<decimal>[0-9]++);?|(?P<name>[a-z][a-z0-9]{{1,31}}+;?))?+"
    )


_REFERENCE = re.compile(_reference("[0-9a-f]"))
# A reference as far as ASCII spells it, and the character at which ASCII ends.
_STOPPED_REFERENCE = re.compile(f"[{MAY_START_REFERENCE}][#0-9A-Za-z;&]*+([^\\x00-\\x7f])?+")
_MAY_GO_ON = re.compile(f"[#0-9a-z;&{tables.MARKS}]|\\Z")
_FOLDED_BY_CASE = "\u00df\u017f\u1e9e\u212a\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06"  # to letters of ASCII
_REFERENCE_DEPTH = 4  # references made of references; deeper ones need as many unescapings
_TO_PARENTHESES = str.maketrans("[]<>", "()()")
_SELECTORS = re.compile(f"[{tables.SELECTORS}]++")
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
    """Every folded copy a detector has to look at; usually one.

    The order of the steps counts where something that one of them folds or drops stands in a reference or right after
    it: `&#91²` is a bracket for who unescapes first, and the number 912 for who normalises first.
    """
    for order in _orders() if _has_ambiguous_reference(raw) else (None,):
        yield from _read_on(fold(raw, order))


def _read_on(folded: Folded) -> Iterator[Folded]:
    """The copy, then the one with its references read once more, and so on."""
    for _ in range(_REFERENCE_DEPTH):
        yield folded
        shallower, folded = folded, folded.rewritten(_REFERENCE, _fold_reference)
        if folded is shallower:
            return


def _has_ambiguous_reference(raw: str) -> bool:
    """Whether some reference goes on, for some reader, where ASCII ends."""
    return not raw.isascii() and any(stop[1] and _may_go_on(stop[1]) for stop in _STOPPED_REFERENCE.finditer(raw))


def _may_go_on(character: str) -> bool:
    """Whether a character can vanish, take the letter before it away, or become what references are made of."""
    return _MAY_GO_ON.match(fold_plain(character)) is not None


class _Order(NamedTuple):
    """An order of the steps: what comes before the first reading of references, and how they are read."""

    folded: re.Pattern[str]
    reference: re.Pattern[str]


@cache
def _orders() -> tuple[_Order, ...]:
    """Every order in which references read differently.

    Before references are read, nothing is folded, or what canonical forms and case folding change, or what the
    compatibility forms change too; what is ignorable is there or not; and a letter is a digit of its number even where
    a mark follows, or a canonical form has joined the two: `&#x5ba` and an acute become `&#x5b` and `á`.
    """
    foldable = [c for c in (*map(chr, _ONE), *_MANY) if not c.isascii()]
    early = [c for c in foldable if c in _FOLDED_BY_CASE or ucd_3_2_0.normalize("NFD", c)[0].isascii()]
    classes = product(("", "".join(early), "".join(foldable)), ("", tables.IGNORABLES))
    folded = (re.compile(f"[{changed}{dropped}]" if changed or dropped else "(?!)") for changed, dropped in classes)
    digits = ("[0-9a-f]", f"[0-9a-f](?![{tables.MARKS}])")
    references = [re.compile(_reference(digit), re.IGNORECASE | re.ASCII) for digit in digits]
    return tuple(starmap(_Order, product(folded, references)))


def neutralised(raw: str, find: _Finder) -> tuple[str, int]:
    """The text with what `find` reports made parentheses, and how much that was.

    Args:
        raw: The text.
        find: From a folded copy to the folded places of brackets or angles: those that count, and their partners.
    """
    found, count = _found(raw, find)
    return replaced(raw, found), count


def places(raw: str, find: _Finder) -> tuple[Place, ...]:
    """Where in the text `neutralised` puts parentheses: each bracket or angle, in order, and what it becomes."""
    return tuple(_apart(_found(raw, find)[0]))


def replaced(raw: str, found: Iterable[Place]) -> str:
    """The text with something else in these places."""
    pieces: list[str] = []
    position = 0
    for start, end, piece in _apart(found):
        pieces += (raw[position:start], piece)
        position = end
    return "".join((*pieces, raw[position:])) if pieces else raw


def _found(raw: str, find: _Finder) -> tuple[set[Place], int]:
    """What any folded copy shows, and how much of it counts."""
    found: set[Place] = set()
    counted: set[int] = set()
    for folded in folded_copies(raw):
        counting, partners = find(folded)
        found.update(map(folded.place, counting | partners))
        counted.update(folded.raw_span(index)[0] for index in counting)
    return found, len(counted)


def _apart(found: Iterable[Place]) -> Iterator[Place]:
    """The places in order; of those that overlap, the first one that is the longest."""
    position = 0
    for place in sorted(found, key=lambda place: (place[0], -place[1], place[2])):
        if place[0] >= position:
            yield place
            position = place[1]


def fold(raw: str, order: _Order | None = None) -> Folded:
    """Fold a text and read its references once, in the usual order where none is given: after everything else."""
    folded = Folded(raw, raw)
    if order:
        folded = folded.rewritten(order.folded, _fold_character).rewritten(order.reference, _fold_reference)
    if not raw.isascii():
        folded = folded.rewritten(_REWRITTEN, _fold_character)
    folded = folded.in_small_letters()
    return folded if order else folded.rewritten(_REFERENCE, _fold_reference)


class Folded:
    """A folded copy with the way back.

    Attributes:
        raw: The text it was made of.
        text: The folded characters.
    """

    __slots__ = ("_layers", "raw", "text")

    def __init__(self, raw: str, text: str, layers: tuple[_Layer, ...] = ()) -> None:
        """Hold a text, what became of it, and the steps that changed lengths, the last one first."""
        self.raw = raw
        self.text = text
        self._layers = layers

    def rewritten(self, pattern: re.Pattern[str], replacement: _Replacement) -> Folded:
        """The copy after one more rewriting step; itself where nothing was found."""
        text, layer = _rewrite(self.text, pattern, replacement)
        return Folded(self.raw, text, (layer, *self._layers)) if layer else self

    def in_small_letters(self) -> Folded:
        """The copy after the foldings of one character to one."""
        return Folded(self.raw, self.text.translate(_ONE), self._layers)

    def raw_span(self, index: int) -> tuple[int, int]:
        """Where in the raw text the folded character at `index` came from, as start and end."""
        start, end = index, index + 1
        for layer in self._layers:
            start, end = layer.before(start)[0], layer.before(end - 1)[1]
        return start, end

    def place(self, index: int) -> Place:
        """Where in the raw text the bracket or angle at the folded `index` stands, and the parenthesis for it.

        A selector right behind it goes as well: it belonged to what stood there, as to the last digit of a reference,
        and no selector may follow a parenthesis.
        """
        start, end = self.raw_span(index)
        selectors = _SELECTORS.match(self.raw, end)
        # One character may fold to several, brackets among them.
        piece = _MANY.get(self.raw[start:end], self.text[index]).translate(_TO_PARENTHESES)
        return start, selectors.end() if selectors else end, piece


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
    """What a character becomes that folds or is dropped."""
    return 1, fold_plain(match[0])


def _fold_reference(match: re.Match[str]) -> tuple[int, str] | None:
    """What a character reference becomes, and how many of its characters it takes; None where it names nothing."""
    decimal, hexadecimal, name = match["decimal"], match["hex"], match["name"]
    if decimal:
        return len(match[0]), _numbered(decimal, 10)
    if hexadecimal:
        return len(match[0]), _numbered(hexadecimal, 16)
    escapes = len(match["escapes"])
    named = _named(name) if name else None
    if named:
        return 1 + escapes + named[0], named[1]
    return (1 + escapes, "&") if escapes else None


def _numbered(digits: str, base: int) -> str:
    """What a number names; one that is too long for a character names U+FFFD, as in HTML."""
    digits = digits.lstrip("0") or "0"
    if len(digits) > _MAX_DIGITS:
        return "\ufffd"
    # unescape knows which numbers HTML maps elsewhere: 139 is an angle quotation mark.
    return fold_plain(unescape(f"&#{int(digits, base)};"))


@cache
def _references() -> dict[str, str]:
    """HTML's names in lower case; where two differ by case only, the lower-case one counts."""
    return {name.lower(): html5[name] for name in sorted(html5)}


def _named(name: str) -> tuple[int, str] | None:
    """Length and meaning of the longest name at the head of `name`; without a semicolon HTML reads prefixes too."""
    references = _references()
    name = name.lower()
    if name in references:
        return len(name), fold_plain(references[name])
    for length in range(min(len(name), 6), 1, -1):  # the longest name that needs no semicolon has six letters
        if name[:length] in references:
            return length, fold_plain(references[name[:length]])
    return None


def fold_plain(text: str) -> str:
    """Fold a text, such as what a reference names, without the way back; references in it stay as they are."""
    return _REWRITTEN.sub(lambda match: _MANY.get(match[0], ""), text).translate(_ONE)
