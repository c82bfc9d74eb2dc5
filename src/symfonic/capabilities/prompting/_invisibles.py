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
_ZWJ = "\u200d"
_EMOJI_SELECTOR = "\ufe0f"
_BLACK_FLAG = "\U0001f3f4"
_MONGOLIAN_SEPARATOR = "\u180e"
_TONES = "\U0001f3fb-\U0001f3ff"
_TONE = re.compile(f"[{_TONES}]")
_EMOJI_REACH = 12  # the longest sequence has four elements, each at most base, tone, selector, joiner

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


_TOKEN = re.compile("|".join(f"(?P<{kind}>[{inside}]+)" for kind, inside in _KINDS.items()))
_JOINING = re.compile(f"[{tables.JOINING}]")
_MONGOLIAN = re.compile(f"[{tables.MONGOLIAN}]")

_UNCOUNTED = f"[{tables.JOINERS}{tables.SELECTORS}{tables.SOFT_INVISIBLES}{tables.BIDI_MARKS}]*+"
_BEYOND_BASIC = re.compile("[\U00010000-\U0010ffff]")


@cache
def _flood(marks: str) -> re.Pattern[str]:
    """More marks in a row than any script stacks; group 1 stays, group 2 is the flood."""
    return re.compile(f"([{marks}](?:{_UNCOUNTED}[{marks}]){{{MAX_MARKS - 1}}}+)((?:{_UNCOUNTED}[{marks}])++)")


def mark_floods(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of what exceeds sixteen combining marks in a row.

    Joiners, selectors and invisibles between the marks neither count nor end the row.
    """
    pattern = _flood(tables.MARKS if _BEYOND_BASIC.search(text) else tables.BASIC_MARKS)
    for flood in pattern.finditer(text):
        yield flood.span(2)


def replace_floods(text: str, *, same_length: bool = False) -> str:
    """Replace each flood by one U+FFFD, or by as many as it has characters."""
    pieces: list[str] = []
    position = 0
    for start, end in mark_floods(text):
        pieces += (text[position:start], REPLACEMENT * (end - start if same_length else 1))
        position = end
    return "".join((*pieces, text[position:])) if position else text


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


def judge(text: str, start: int, end: int) -> Iterator[Verdict]:
    """Judge a maximal run of suspicious characters.

    Args:
        text: The whole text, mark floods already cut.
        start: Where the run starts.
        end: Where it ends.

    Yields:
        Verdicts that cover the run without gaps, in order.
    """
    base = text[start - 1 : start]
    for token in _TOKEN.finditer(text, start, end):
        kind = token.lastgroup or ""
        kept_selector = False
        for verdict in _judge_token(text, token.start(), token.end(), kind, base):
            yield verdict
            kept_selector = kind == "selector" and verdict.action is Action.KEEP
        if not kept_selector:
            # A kept selector belongs to its base: the next character still stands beside that base.
            base = text[token.end() - 1]


def _judge_token(text: str, start: int, end: int, kind: str, base: str) -> Iterator[Verdict]:
    """The verdicts on one run of one kind."""
    if kind == "invisible":
        # One or two are what word processors leave behind; more is a channel.
        yield Verdict(start, end, kind, Action.REMOVE if end - start <= 2 else Action.REPLACE)
    elif kind == "joiner":
        yield from _judge_joiners(text, start, end, base)
    elif kind == "separator":
        kept = end - start == 1 and _MONGOLIAN.match(base) and _MONGOLIAN.match(text, end)
        yield Verdict(start, end, kind, Action.KEEP if kept else Action.REPLACE)
    else:
        kept_to = start + _legitimate_head(text, start, kind)
        if kept_to > start:
            yield Verdict(start, kept_to, kind, Action.KEEP)
        if end > kept_to:
            yield Verdict(kept_to, end, kind, Action.REPLACE)


def _legitimate_head(text: str, start: int, kind: str) -> int:
    """How many characters of a run of selectors or tags belong to what stands before it."""
    before = text[start - 1 : start]
    if kind == "selector":
        return int(is_variation(before, text[start]))
    if kind == "tag" and before == _BLACK_FLAG:
        return max((len(tail) for tail in tables.FLAG_TAGS.split(" ") if text.startswith(tail, start)), default=0)
    return 0


def _judge_joiners(text: str, start: int, end: int, base: str) -> Iterator[Verdict]:
    """Joiners stay beside a letter or mark that joins, and inside an emoji sequence."""
    head = _JOINING.match(base) is not None
    tail = _JOINING.match(text, end) is not None
    if end - start == 1:
        kept = head or tail or (text[start] == _ZWJ and _inside_emoji(text, start))
        yield Verdict(start, end, "joiner", Action.KEEP if kept else Action.REPLACE)
        return
    yield Verdict(start, start + 1, "joiner", Action.KEEP if head else Action.REPLACE)
    if end - start > 2:
        yield Verdict(start + 1, end - 1, "joiner", Action.REPLACE)
    yield Verdict(end - 1, end, "joiner", Action.KEEP if tail else Action.REPLACE)


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
    words = tables.EMOJI_SEQUENCES.split(" ")
    free, unlike = (frozenset(word[1:] for word in words if word[0] == mark) for mark in "=!")
    bases = "".join(sorted(set("".join(free | unlike)) - {_ZWJ, "*"}))
    element = f"[{bases}][{_TONES}]?{_EMOJI_SELECTOR}?"
    return free, unlike, re.compile(f"{element}(?:{_ZWJ}{element})+")


def _inside_emoji(text: str, joiner: int) -> bool:
    """Whether some RGI sequence spans the joiner; U+FE0F is ignored where it may stand, and else breaks the chain."""
    free, unlike, chain = _emoji_sequences()
    first = max(0, joiner - _EMOJI_REACH)
    for match in chain.finditer(text, first, joiner + _EMOJI_REACH + 1):
        if match.start() < joiner < match.end():
            elements = match[0].split(_ZWJ)
            here = match[0].count(_ZWJ, 0, joiner - match.start())
            return any(
                _is_sequence(elements[low:high], free, unlike)
                for low in range(max(0, here - 2), here + 1)
                for high in range(here + 2, min(low + 4, len(elements)) + 1)
            )
    return False


def _is_sequence(elements: list[str], free: frozenset[str], unlike: frozenset[str]) -> bool:
    """Whether the elements, joined, are a recommended sequence."""
    if any(e[-1] == _EMOJI_SELECTOR and not is_variation(e[-2], _EMOJI_SELECTOR) for e in elements):
        return False
    joined = _ZWJ.join(elements).replace(_EMOJI_SELECTOR, "")
    shape = _TONE.sub("*", joined)
    if shape in free:
        return True
    return shape in unlike and len(set(_TONE.findall(joined))) > 1


def treat_runs(text: str) -> str:
    """Remove, replace or keep every suspicious run of a text whose mark floods are cut."""
    return _run().sub(_treat_run, text)


def _treat_run(run: re.Match[str]) -> str:
    """What stands for one run; whatever is replaced side by side shares one U+FFFD."""
    pieces: list[str] = []
    text = run.string
    replacing = False
    for start, end, _, action in judge(text, run.start(), run.end()):
        if action is Action.KEEP:
            pieces.append(text[start:end])
            replacing = False
        elif action is Action.REPLACE and not replacing:
            pieces.append(REPLACEMENT)
            replacing = True
    return "".join(pieces)


def find_runs(text: str) -> Iterator[Verdict]:
    """The verdicts on every suspicious run of the text, kept ones included."""
    for run in _run().finditer(text):
        yield from judge(text, run.start(), run.end())
