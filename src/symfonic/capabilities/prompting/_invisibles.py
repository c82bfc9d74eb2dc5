"""Which invisible and control characters of a text stay, which go, and which are replaced where a reader sees it.

Rules of this module:

* It judges runs of suspicious characters in their context (a joiner between Persian letters is spelling, between Latin
  letters it is a hidden channel) and knows nothing of line breaks, labels, markers or delimiters.
* It reads only the literal tables next to it, never `unicodedata`: the same text gives the same bytes on every
  interpreter.
* The module stands twice, in the knowledge and in the prompting capability, which may not import each other. Both
  copies are equal to the byte; a test says so.

Sources: Unicode Standard 17.0, chapter 23; UTS #51 (emoji sequences); UTS #37 (ideographic variation sequences).
"""

from __future__ import annotations

import re
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from . import _tables as tables

if TYPE_CHECKING:
    from collections.abc import Iterator

REPLACEMENT = "\ufffd"
MAX_MARKS = 16
_ZWNJ = "\u200c"
_ZWJ = "\u200d"
_EMOJI_SELECTOR = "\ufe0f"
_BLACK_FLAG = "\U0001f3f4"
_MONGOLIAN_SEPARATOR = "\u180e"
_TONES = "\U0001f3fb-\U0001f3ff"
_TONE = re.compile(f"[{_TONES}]")
_MAX_ELEMENTS = 4  # of the longest sequence

_KINDS = {
    "invisible": tables.SOFT_INVISIBLES,
    "joiner": tables.JOINERS,
    "selector": tables.SELECTORS,
    "tag": tables.TAGS,
    "separator": _MONGOLIAN_SEPARATOR,
    "control": tables.CONTROLS,
    "bidi": tables.BIDI_CONTROLS,
    "filler": tables.FILLERS,
    "noncharacter": tables.NONCHARACTERS,
}
SUSPICIOUS = "".join(_KINDS.values())
"""The inside of a character class: whatever this module has to judge."""

# Negated: the engine settles an ordinary character with one look-up.


@cache
def _run() -> re.Pattern[str]:
    """A run to be judged; a large class, so it is compiled when it is first needed, not on import."""
    return re.compile(f"[^{tables.UNSUSPICIOUS}]+")


@cache
def _hard_run() -> re.Pattern[str]:
    """The same without the two runs of ordinary text, which the engine passes over without a call.

    They are a lone joiner beside a letter that joins, which stays, and one or two soft invisibles, which go. What the
    pattern does not know (letters beyond the basic plane, the head of the text) is judged like any other run.
    """
    alone = f"(?<=[{tables.UNSUSPICIOUS}])"
    joiner = f"[{tables.JOINERS}]"
    soft = f"[{tables.SOFT_INVISIBLES}]"
    return re.compile(
        f"[^{tables.UNSUSPICIOUS}]++(?:(?<![{tables.SOFT_INVISIBLES}{tables.JOINERS}])"
        f"|(?<!{alone}{soft})(?<!{alone}{soft}{soft})"
        f"(?<![{tables.BASIC_JOINING}]{joiner})(?!(?<={alone}{joiner})[{tables.BASIC_JOINING}]))"
    )


_SOFT_RUN = re.compile(f"[{tables.SOFT_INVISIBLES}]+")
_HAS_CONTEXT = re.compile(
    f"[{tables.SOFT_INVISIBLES}{tables.JOINERS}{tables.SELECTORS}{tables.TAGS}{_MONGOLIAN_SEPARATOR}]"
)


_TOKEN = re.compile("|".join(f"(?P<{kind}>[{inside}]+)" for kind, inside in _KINDS.items()))
_JOINING = re.compile(f"[{tables.JOINING}]")
_MONGOLIAN = re.compile(f"[{tables.MONGOLIAN}]")

_UNCOUNTED = f"[{tables.JOINERS}{tables.SELECTORS}{tables.SOFT_INVISIBLES}{tables.BIDI_MARKS}]*+"
_BEYOND_BASIC = re.compile("[\U00010000-\U0010ffff]")


@cache
def _flood(marks: str) -> re.Pattern[str]:
    """More marks in a row than any script stacks; group 1 stays, group 2 is the flood."""
    return re.compile(f"([{marks}](?:{_UNCOUNTED}[{marks}]){{{MAX_MARKS - 1}}}+)((?:{_UNCOUNTED}[{marks}])++)")


@cache
def _floodable(marks: str) -> re.Pattern[str]:
    """As many characters in a row as the shortest flood has, of those that it may have."""
    return re.compile(
        f"[{marks}{tables.JOINERS}{tables.SELECTORS}{tables.SOFT_INVISIBLES}{tables.BIDI_MARKS}]{{{MAX_MARKS + 1}}}"
    )


def may_be_flooded(text: str) -> bool:
    """Whether a flood is possible at all; far cheaper to ask than where it is."""
    return _floodable(_marks_of(text)).search(text) is not None


def _marks_of(text: str) -> str:
    return tables.MARKS if _BEYOND_BASIC.search(text) else tables.BASIC_MARKS


def mark_floods(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of what exceeds sixteen combining marks in a row.

    Joiners, selectors and invisibles between the marks neither count nor end the row.
    """
    if may_be_flooded(text):
        for flood in _flood(_marks_of(text)).finditer(text):
            yield flood.span(2)


def replace_floods(text: str, *, same_length: bool = False) -> str:
    """Replace each flood by one U+FFFD, or by as many as it has characters."""
    pieces: list[str] = []
    position = 0
    for start, end in mark_floods(text):
        pieces += (text[position:start], REPLACEMENT * (end - start if same_length else 1))
        position = end
    return "".join((*pieces, text[position:]))


class Action(Enum):
    """What happens to a token."""

    KEEP = "keep"
    REMOVE = "remove"
    REPLACE = "replace"


class Verdict(NamedTuple):
    """The judgement on `text[start:end]`, characters of one kind."""

    start: int
    end: int
    kind: str
    action: Action


class _EmojiJoiners:
    """The joiners of a text that some recommended emoji sequence spans, found once, when the first is asked for."""

    __slots__ = ("_found", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: frozenset[int] | None = None

    def __contains__(self, joiner: int) -> bool:
        if self._found is None:
            self._found = frozenset(_spanned_joiners(self._text))
        return joiner in self._found


def _judge(text: str, start: int, end: int, emoji: _EmojiJoiners) -> Iterator[Verdict]:
    """Judge a maximal run of suspicious characters.

    Args:
        text: The whole text, mark floods already cut.
        start: Where the run starts.
        end: Where it ends.
        emoji: The joiners of the text that belong to emoji.

    Yields:
        Verdicts that cover the run without gaps, in order.
    """
    base = text[start - 1 : start]
    for token in _TOKEN.finditer(text, start, end):
        verdicts = list(_judge_token(text, token.span(), str(token.lastgroup), base, emoji))
        yield from verdicts
        _, _, kind, action = verdicts[-1]
        if kind != "selector" or action is not Action.KEEP:
            # A kept selector belongs to its base: the next character still stands beside that base.
            base = text[token.end() - 1]


def _judge_token(text: str, span: tuple[int, int], kind: str, base: str, emoji: _EmojiJoiners) -> Iterator[Verdict]:
    """The verdicts on one run of one kind."""
    start, end = span
    if kind == "invisible":
        # One or two are what word processors leave behind; more is a channel.
        yield Verdict(start, end, kind, Action.REMOVE if end - start <= 2 else Action.REPLACE)
    elif kind == "joiner":
        yield from _judge_joiners(text, span, base, emoji)
    elif kind == "separator":
        kept = end - start < 2 and _MONGOLIAN.match(base) and _MONGOLIAN.match(text, end)
        yield Verdict(start, end, kind, Action.KEEP if kept else Action.REPLACE)
    else:
        head = _legitimate_head(text, start, kind)
        if head:
            yield Verdict(start, start + head, kind, Action.KEEP)
        if end - start - head:
            yield Verdict(start + head, end, kind, Action.REPLACE)


def _legitimate_head(text: str, start: int, kind: str) -> int:
    """How many characters of a run of selectors or tags belong to what stands before it."""
    before = text[start - 1 : start]
    if kind == "selector":
        return int(is_variation(before, text[start]))
    if before == _BLACK_FLAG:
        return max((len(tail) for tail in tables.FLAG_TAGS.split() if text.startswith(tail, start)), default=0)
    return 0


def _judge_joiners(text: str, span: tuple[int, int], base: str, emoji: _EmojiJoiners) -> Iterator[Verdict]:
    """Joiners stay beside a letter or mark that joins, and inside an emoji sequence."""
    start, end = span
    if end - start < 2:
        kept = _lone_joiner_stays(text, start, base, emoji)
        yield Verdict(start, end, "joiner", Action.KEEP if kept else Action.REPLACE)
        return
    head = _JOINING.match(base) is not None
    tail = _JOINING.match(text, end) is not None
    yield Verdict(start, start + 1, "joiner", Action.KEEP if head else Action.REPLACE)
    if end - start - 2:
        yield Verdict(start + 1, end - 1, "joiner", Action.REPLACE)
    yield Verdict(end - 1, end, "joiner", Action.KEEP if tail else Action.REPLACE)


def _lone_joiner_stays(text: str, joiner: int, base: str, emoji: _EmojiJoiners) -> bool:
    """Whether a joiner stands where its script, or an emoji sequence, wants one."""
    return joiner in emoji or _JOINING.match(base) is not None or _JOINING.match(text, joiner + 1) is not None


def is_variation(base: str, selector: str) -> bool:
    """Whether the selector may follow the base: a registered pair, or an ideographic selector after Han."""
    bases = _variation_bases(selector)
    return bases is not None and bases.match(base) is not None


@cache
def _variation_bases(selector: str) -> re.Pattern[str] | None:
    """What a selector may follow; the cache holds one entry a selector, 260 at most."""
    if selector >= "\U000e0100":  # ideographic; no other selector stands higher
        return re.compile(f"[{tables.HAN}]")
    bases = tables.VARIATIONS.get(selector)
    return re.compile(f"[{bases}]") if bases else None


@cache
def _emoji_sequences() -> tuple[frozenset[str], frozenset[str], re.Pattern[str]]:
    """Sequences with free skin tones, those whose tones must differ, and the pattern of a chain of elements."""
    words = tables.EMOJI_SEQUENCES.split()
    free, unlike = (frozenset(word[1:] for word in words if word[0] == mark) for mark in "=!")
    bases = "".join(sorted(set("".join(free | unlike)) - {_ZWJ, "*"}))
    element = f"[{bases}][{_TONES}]?{_EMOJI_SELECTOR}?"
    return free, unlike, re.compile(f"{element}(?:{_ZWJ}{element})+")


def _spanned_joiners(text: str) -> Iterator[int]:
    """Where the joiners stand that a sequence spans; U+FE0F is ignored where it is registered, else it ends a chain."""
    known: dict[str, tuple[int, ...]] = {}
    for match in _emoji_sequences()[2].finditer(text):
        chain = match[0]
        if chain not in known:
            known[chain] = tuple(_spanned_in_chain(chain))
        yield from (match.start() + offset for offset in known[chain])


def _spanned_in_chain(chain: str) -> Iterator[int]:
    """The same for one chain of elements."""
    for position, elements in _registered_parts(chain):
        spanned = _spanned_in(elements)
        end = position
        for index, element in enumerate(elements[:-1]):
            end += len(element)
            if index in spanned:
                yield end
            end += 1


def _registered_parts(chain: str) -> Iterator[tuple[int, list[str]]]:
    """The chain cut where an element carries a selector that it may not: start and elements of each part."""
    part: list[str] = []
    position = part_start = 0
    for element in chain.split(_ZWJ):
        if element[-1] == _EMOJI_SELECTOR and not is_variation(element[-2], _EMOJI_SELECTOR):
            yield part_start, part
            part, part_start = [], position + len(element) + 1
        else:
            part.append(element)
        position += len(element) + 1
    yield part_start, part


def _spanned_in(elements: list[str]) -> set[int]:
    """Which joiners of a chain some sequence spans, the one after the first element being number 0."""
    free, unlike, _ = _emoji_sequences()
    spanned: set[int] = set()
    # Tones count as one, and the selector does not count.
    shapes = [_TONE.sub("*", element).replace(_EMOJI_SELECTOR, "") for element in elements]
    for first in range(len(shapes)):
        for last in range(first + 1, min(first + _MAX_ELEMENTS, len(shapes))):
            shape = _ZWJ.join(shapes[first : last + 1])
            if shape in free or (shape in unlike and len(set(_TONE.findall("".join(elements[first : last + 1])))) > 1):
                spanned.update(range(first, last))
    return spanned


def treat_runs(text: str) -> str:
    """Remove, replace or keep every suspicious run of a text whose mark floods are cut."""
    emoji = _EmojiJoiners(text)
    # Soft invisibles that are left stand alone among ordinary characters, one or two of them.
    return _SOFT_RUN.sub("", _hard_run().sub(lambda run: _treat_run(run, emoji), text))


def _treat_run(run: re.Match[str], emoji: _EmojiJoiners) -> str:
    """What stands for one run; whatever is replaced side by side shares one U+FFFD."""
    start, end = run.span()
    text = run.string
    if end - start < 2 and (alone := _treat_one(text, start, emoji)):
        return alone
    pieces: list[str] = []
    replacing = False
    for low, high, _, action in _judge(text, start, end, emoji):
        if action is Action.KEEP:
            pieces.append(text[low:high])
            replacing = False
        elif action is Action.REPLACE and not replacing:
            pieces.append(REPLACEMENT)
            replacing = True
    return "".join(pieces)


def _treat_one(text: str, start: int, emoji: _EmojiJoiners) -> str:
    """A short way to what stands for a run of one character, for the most frequent ones; empty for all others."""
    character = text[start]
    if not _HAS_CONTEXT.match(character):
        return REPLACEMENT
    if character == _EMOJI_SELECTOR:
        return character if is_variation(text[start - 1 : start], character) else REPLACEMENT
    if character in (_ZWNJ, _ZWJ):
        return character if _lone_joiner_stays(text, start, text[start - 1 : start], emoji) else REPLACEMENT
    return ""


def find_runs(text: str) -> Iterator[Verdict]:
    """The verdicts on every suspicious run of the text, kept ones included."""
    emoji = _EmojiJoiners(text)
    for run in _run().finditer(text):
        yield from _judge(text, run.start(), run.end(), emoji)
