"""Quotations: which spans of an answer quote, and which reference each belongs to.

Rules of this module: it is told the settled output piece by piece, and keeps no more of a paragraph than the limits
below allow. Whether the words stand in a fragment is not its business.

A quotation is a span between double or typographic quotation marks, not in code, of at least three words and at most
:data:`MAX_QUOTE_CHARS` characters, in one paragraph. It belongs to the first reference after it in its sentence; else
to one that follows at once, with nothing but punctuation between; else to the last one before it in its sentence; else
to the first one after it in its paragraph. Without any of these it is nobody's and not reported.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_PARAGRAPH_CHARS: Final = 8192
"""Of a paragraph, this many characters are looked at for quotations, from its first quotation mark on."""

MAX_QUOTE_CHARS: Final = 2000
"""Characters of the longest quotation that is looked at."""

CLOSERS: Final = MappingProxyType(
    {
        '"': '"',
        "\u201c": "\u201d",
        "\u201e": "\u201c\u201d",
        "\u201d": "\u201d",
        "\u00ab": "\u00bb",
        "\u00bb": "\u00ab",
        "\u2039": "\u203a",
        "\u203a": "\u2039",
        "\u300c": "\u300d",
        "\u300e": "\u300f",
        "\u201f": "\u201c\u201d",
        "\u301d": "\u301e\u301f",
        "\uff02": "\uff02",
    }
)
OPENING: Final = "".join(CLOSERS)
ENDING: Final = ".!?\u2026\u3002\uff01\uff1f"
_OPENER: Final = re.compile(f"[{OPENING}]")
_STRAIGHT: Final = frozenset('"\uff02')  # marks that look the same at both ends
_EITHER_WAY: Final = _STRAIGHT | frozenset(
    "\u201d\u00bb\u203a"
)  # marks that also close; after a word or its punctuation they do
_WORD_BEFORE: Final = re.compile("[A-Za-z0-9]")
_CLOSING_AFTER: Final = re.compile("[A-Za-z0-9.,;:!?\u2026]")
_ENDS: Final = ".!?\u2026"
_AFTER_END: Final = "\"'\u201d\u2019\u201c\u00bb\u00ab\u203a\u2039)\\]*_"
_UNSURE: Final = re.compile(f"[{_ENDS}{_AFTER_END}]*")
_END: Final = re.compile(f"[{ENDING}][{_ENDS}{_AFTER_END}]*")
# Possessive, and without a look at what follows: a run that ends no sentence is not to be read again from each of its
# characters.
_SENTENCE_END: Final = re.compile(f"[{_ENDS}][{_ENDS}{_AFTER_END}]*+|[\u3002\uff01\uff1f]")
_WIDE: Final = "\u3000"  # an end of a sentence from here on needs no space behind it
_PUNCTUATION: Final = re.compile(r"[\s.,;:!?\u2026()\[\]\u2013\u2014*_\u3001\u3002\uff0c-]*")
_WORD: Final = re.compile(r"\w")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_LEAST_WORDS: Final = 3
_COVERED: Final = "\0"
_RECORDED: Final = MAX_PARAGRAPH_CHARS + 2  # with what is told of the text before the first quotation mark


class Attributed(NamedTuple):
    """A quotation and the labels that the reference it belongs to can mean; none where that is unknown."""

    text: str
    offset: int
    labels: tuple[str, ...]


class Found(NamedTuple):
    """What a paragraph held.

    Args:
        quotes: Quotations that belong to a reference.
        unread: Characters behind those that were looked at.
        unread_from: Where in the output those begin.
    """

    quotes: list[Attributed]
    unread: int = 0
    unread_from: int = 0


class _Reference(NamedTuple):
    start: int
    labels: tuple[str, ...]


class _Span(NamedTuple):
    start: int
    stop: int


class ParagraphMark(NamedTuple):
    """A state of a paragraph: the values of its slots, and how long its lists were."""

    state: tuple[Any, ...]
    sizes: tuple[int, int, int]


class Paragraph:
    """What a paragraph has held so far, as far as its quotations need it.

    Until the first quotation mark it keeps nothing but the last reference of the sentence; from there on the text, up
    to the limit, and the references.

    Attributes:
        is_recording: Whether there was a quotation mark.
        is_watching: Whether it has to be told where the sentence of the last reference ends.
        is_unsure: Whether the next character decides if the sentence of the last reference has ended.
    """

    __slots__ = (
        "_before", "_covered", "_offset", "_pieces", "_reference_end", "_reference_last", "_references", "_size",
        "is_recording", "is_unsure", "is_watching",
    )  # fmt: skip

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self.is_recording = self.is_watching = self.is_unsure = False
        self._before: tuple[str, ...] | None = None
        # New ones: a mark may hold those before.
        self._pieces: list[str] = []
        self._covered: list[_Span] = []
        self._references: list[_Reference] = []
        self._size = self._offset = 0
        self._reference_end, self._reference_last = -1, ""

    def mark(self) -> ParagraphMark:
        """This state, at little cost; see :meth:`restore`."""
        return ParagraphMark(_state(self), (len(self._pieces), len(self._covered), len(self._references)))

    def restore(self, mark: ParagraphMark) -> None:
        """Go back to a state before: what was recorded since is cut off."""
        for name, value in zip(Paragraph.__slots__, mark.state, strict=True):
            setattr(self, name, value)
        for kept, size in zip((self._pieces, self._covered, self._references), mark.sizes, strict=True):
            del cast("list[Any]", kept)[size:]

    def plain(self, text: str, offset: int, before: str) -> None:
        """Read ordinary text.

        Args:
            text: The text.
            offset: Where it stands in the output.
            before: The character before it.
        """
        if self.is_recording:
            self.add(text)
            return
        opener = _OPENER.search(text)
        stop = len(text) if opener is None else opener.start()
        if self.is_watching:
            self._watch(text, stop)
        if opener is not None:
            # What comes before the mark decides whether it can open, and whether a sentence ends behind it.
            if offset == self._reference_end:
                before = self._reference_last
            lead = ("." if self.is_unsure else " ") + (text[stop - 1] if stop else before or " ")
            self.is_recording = True
            self.is_watching = False
            self._offset = offset + stop - len(lead)
            self.add(lead)
            self.add(text[stop:])

    def _watch(self, text: str, stop: int) -> None:
        """Forget the last reference where its sentence ends before ``stop``."""
        at = 0
        if self.is_unsure:
            more = _UNSURE.match(text, 0, stop)
            at = more.end() if more else 0
            if at == stop:
                return
            self.is_unsure = False
            if text[at].isspace():
                self.forget()
                return
        for end in _END.finditer(text, at, stop):
            if end.end() == stop and end[0] < _WIDE:
                self.is_unsure = True
            elif end[0] >= _WIDE or text[end.end()].isspace():
                self.forget()
                return

    def forget(self) -> None:
        """The sentence of the last reference has ended."""
        self._before = None
        self.is_watching = self.is_unsure = False

    def add(self, text: str) -> None:
        """Record text, up to the limit."""
        if text and self._size < _RECORDED:
            self._pieces.append(text[: _RECORDED - self._size])
        self._size += len(text)

    def code(self, text: str) -> None:
        """Read code: no mark in it opens or closes a quotation or ends a sentence."""
        self.is_unsure = False
        if self.is_recording:
            self._cover(text)

    def reference(self, text: str, offset: int, labels: tuple[str, ...]) -> None:
        """Read a reference, as it stands in the output."""
        self.is_unsure = False
        if not self.is_recording:
            # What follows it in the output did not always follow it in what came in.
            self._reference_end, self._reference_last = offset + len(text), text[-1:]
            self._before = labels
            self.is_watching = True
            return
        if not self._references or self._references[-1].start < _RECORDED:
            self._references.append(_Reference(self._size, labels))
        self._cover(text)

    def _cover(self, text: str) -> None:
        if text and self._size < _RECORDED:
            self._covered.append(_Span(self._size, min(self._size + len(text), _RECORDED)))
        self.add(text)

    def end(self) -> Found:
        """End the paragraph and return what it held."""
        found = Found([], max(0, self._size - _RECORDED), self._offset + _RECORDED)
        if self.is_recording and (self._references or self._before is not None):
            text = "".join(self._pieces)
            shown = _uncovered(text, self._covered)
            quotes = list(_quotations(shown))
            ends = _sentence_ends(shown, quotes)
            starts = [reference.start for reference in self._references]
            for quote in filter(lambda span: _has_words(shown, span), quotes):
                labels = self._belonging(shown, quote, ends, starts)
                if labels is not None:
                    words = _SURROGATE.sub("\ufffd", text[quote.start + 1 : quote.stop - 1])
                    found.quotes.append(Attributed(words, self._offset + quote.start, labels))
        self._clear()
        return found

    def _belonging(self, shown: str, quote: _Span, ends: list[int], starts: list[int]) -> tuple[str, ...] | None:
        """The labels of the reference a quotation belongs to, ``None`` where it belongs to none."""
        place = bisect_left(starts, quote.start)
        after = self._references[place] if place < len(starts) else None
        sentence = bisect_right(ends, quote.start)
        stop = ends[sentence] if sentence < len(ends) else self._size
        if after is not None and (after.start < stop or _follows(shown, quote.stop, after.start)):
            return after.labels
        begin = ends[sentence - 1] if sentence else 0
        if place and starts[place - 1] >= begin:
            return self._references[place - 1].labels
        if not place and not sentence and self._before is not None:
            return self._before
        return None if after is None else after.labels


_state: Final = attrgetter(*Paragraph.__slots__)


def _uncovered(text: str, covered: list[_Span]) -> str:
    """The text with code and references covered, each by as many characters that mean nothing."""
    pieces: list[str] = []
    at = 0
    for span in covered:
        pieces += (text[at : span.start], _COVERED * (span.stop - span.start))
        at = span.stop
    return "".join((*pieces, text[at:]))


def _quotations(shown: str) -> Iterator[_Span]:
    """Spans between quotation marks, marks included, from left to right."""
    opener = _OPENER.search(shown)
    while opener is not None:
        at = opener.start()
        stop = _closed(shown, at)
        if stop:
            yield _Span(at, stop)
        opener = _OPENER.search(shown, stop or at + 1)


def _closed(shown: str, at: int) -> int:
    """Where the quotation ends that the mark at ``at`` opens, 0 where it opens none.

    After a word or its punctuation, a mark that can be either closes; but a straight one between punctuation and a
    letter opens. A straight one before a space opens only what another closes that no letter follows: in
    ``5 " and "one two three"`` the first is none.
    """
    mark, behind = shown[at], shown[at + 1 : at + 2]
    if mark in _EITHER_WAY and at and _CLOSING_AFTER.match(shown, at - 1):
        opens = mark in _STRAIGHT and behind.isalnum() and not _WORD_BEFORE.match(shown, at - 1)
        if not opens:
            return 0
    found = (shown.find(closer, at + 1, at + MAX_QUOTE_CHARS + 2) for closer in CLOSERS[mark])
    stop = min((place for place in found if place > 0), default=-1) + 1
    return 0 if mark in _STRAIGHT and behind.isspace() and shown[stop : stop + 1].isalnum() else stop


def _has_words(shown: str, span: _Span) -> bool:
    """Whether there are enough of them between the marks."""
    return sum(_WORD.search(word) is not None for word in shown[span.start + 1 : span.stop - 1].split()) >= _LEAST_WORDS


def _sentence_ends(shown: str, quotes: list[_Span]) -> list[int]:
    """Where sentences end, closing marks included; an end inside a quotation is none of the sentence around it."""
    ends: list[int] = []
    place = 0
    for match in _SENTENCE_END.finditer(shown):
        end = match.end()
        if match[0] < _WIDE and end < len(shown) and not shown[end].isspace():
            continue
        while place < len(quotes) and quotes[place].stop <= end:
            place += 1
        if place == len(quotes) or quotes[place].start >= end:
            ends.append(end)
    return ends


def _follows(shown: str, stop: int, start: int) -> bool:
    """Whether nothing but punctuation stands between a quotation and a reference."""
    return start <= len(shown) and _PUNCTUATION.fullmatch(shown, stop, start) is not None
