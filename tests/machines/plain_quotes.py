"""What the quotations of a paragraph are, which reference each belongs to, and where its words stand: plainly.

Written after docs/explanation/grounding.md. A paragraph is its text in the output, and the same text in which code and
references are covered by a character that means nothing.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from symfonic.capabilities.knowledge import is_mark

if TYPE_CHECKING:
    from collections.abc import Sequence

COVER = "\0"
LEAST_WORDS, MOST_CHARACTERS, LOOKED_AT, MOST_NAMED = 3, 2_000, 8_192, 16
APOSTROPHES = "'" + unicodedata.lookup("FULLWIDTH APOSTROPHE")
HYPHENS = "-" + "".join(map(unicodedata.lookup, ("HYPHEN", "NON-BREAKING HYPHEN", "MINUS SIGN")))
NUMERIC = ".,:/" + unicodedata.lookup("EN DASH")
_PAIRS = """
QUOTATION MARK: QUOTATION MARK
FULLWIDTH QUOTATION MARK: FULLWIDTH QUOTATION MARK
LEFT DOUBLE QUOTATION MARK: RIGHT DOUBLE QUOTATION MARK
RIGHT DOUBLE QUOTATION MARK: RIGHT DOUBLE QUOTATION MARK
DOUBLE LOW-9 QUOTATION MARK: LEFT DOUBLE QUOTATION MARK, RIGHT DOUBLE QUOTATION MARK
DOUBLE HIGH-REVERSED-9 QUOTATION MARK: LEFT DOUBLE QUOTATION MARK, RIGHT DOUBLE QUOTATION MARK
LEFT-POINTING DOUBLE ANGLE QUOTATION MARK: RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK
RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK: LEFT-POINTING DOUBLE ANGLE QUOTATION MARK
SINGLE LEFT-POINTING ANGLE QUOTATION MARK: SINGLE RIGHT-POINTING ANGLE QUOTATION MARK
SINGLE RIGHT-POINTING ANGLE QUOTATION MARK: SINGLE LEFT-POINTING ANGLE QUOTATION MARK
REVERSED DOUBLE PRIME QUOTATION MARK: DOUBLE PRIME QUOTATION MARK, LOW DOUBLE PRIME QUOTATION MARK
LEFT CORNER BRACKET: RIGHT CORNER BRACKET
LEFT WHITE CORNER BRACKET: RIGHT WHITE CORNER BRACKET
"""
MARKS = {
    unicodedata.lookup(opening): {unicodedata.lookup(name) for name in closing.split(", ")}
    for opening, closing in (line.split(": ") for line in _PAIRS.strip().splitlines())
}
STRAIGHT = {mark for mark, closing in MARKS.items() if closing == {mark} and "RIGHT" not in unicodedata.name(mark)}
CLOSING_TOO = STRAIGHT | {mark for mark in MARKS if "RIGHT" in unicodedata.name(mark)}


@dataclass(frozen=True)
class Quotation:
    """A quotation of the output, and what the report says of it."""

    text: str
    offset: int
    label: str
    verdict: str
    elsewhere: tuple[str, ...]


QUOTED = ("text", "offset", "label", "verdict", "elsewhere")
"""What both say of a quotation."""


def quotations(
    shown: str,
    covered: str,
    offset: int,
    references: Sequence[tuple[int, tuple[str, ...]]],
    fragments: Sequence[tuple[str, str]],
) -> list[Quotation]:
    """The quotations of one paragraph that belong to a reference.

    Args:
        shown: Its text.
        covered: The same, with code and references covered.
        offset: Where in the output it begins.
        references: Where in it each reference begins, and the labels that can mean.
        fragments: Label and content of each fragment.
    """
    text = looked_at(covered)
    spans = _spans(text)
    ends = [end for end in _sentence_ends(text) if not any(start < end < stop for start, stop in spans)]
    found: list[Quotation] = []
    for start, stop in spans:
        words = text[start + 1 : stop - 1].split()
        if sum(any(one.isalnum() or one == "_" for one in word) for word in words) < LEAST_WORDS:
            continue
        labels = _belongs_to(text, (start, stop), ends, references)
        if labels is not None:
            quoted = "".join(
                "\ufffd" if unicodedata.category(one) == "Cs" else one for one in shown[start + 1 : stop - 1]
            )
            found.append(_checked(quoted, offset + start, labels, fragments))
    return found


def looked_at(covered: str) -> str:
    """As much of a paragraph as is looked at, from its first quotation mark on."""
    first = next((at for at, character in enumerate(covered) if character in MARKS), len(covered))
    return covered[: first + LOOKED_AT]


def _spans(text: str) -> list[tuple[int, int]]:
    """Each from a mark that opens to the next that closes it, from left to right."""
    spans: list[tuple[int, int]] = []
    for at, mark in enumerate(text):
        if mark not in MARKS or (spans and at < spans[-1][1]) or _closes(text, at):
            continue
        within = range(at + 1, min(at + 2 + MOST_CHARACTERS, len(text)))
        stop = next((end + 1 for end in within if text[end] in MARKS[mark]), 0)
        stray = mark in STRAIGHT and text[at + 1 : at + 2].isspace() and text[stop : stop + 1].isalnum()
        if stop and not stray:
            spans.append((at, stop))
    return spans


def _closes(text: str, at: int) -> bool:
    """Whether the mark there closes, by what stands beside it."""
    left, right = text[max(at - 1, 0) : at], text[at + 1 : at + 2]
    is_word = left.isascii() and left.isalnum()
    is_punctuation = left != "" and left in ".,;:!?…"
    if text[at] not in CLOSING_TOO or not (is_word or is_punctuation):
        return False
    return not (text[at] in STRAIGHT and is_punctuation and right.isalnum())


def _sentence_ends(text: str) -> list[int]:
    """Behind full stops and their like, with what closes behind them, before white space; behind wide ones at once."""
    ends: list[int] = []
    at = 0
    while at < len(text):
        end = at + 1
        if text[at] in ".!?…":
            while end < len(text) and text[end] in ".!?…\"'”’“»«›‹)]*_":
                end += 1
            if end == len(text) or text[end].isspace():
                ends.append(end)
        elif text[at] in "。！？":
            ends.append(end)
        at = end
    return ends


def _belongs_to(
    text: str, span: tuple[int, int], ends: list[int], references: Sequence[tuple[int, tuple[str, ...]]]
) -> tuple[str, ...] | None:
    """The labels of its reference: behind it in its sentence, at once behind it, before it, or later."""
    start, stop = span
    begin = max([0, *(end for end in ends if end <= start)])
    end = min([end for end in ends if end >= stop], default=None)
    later = [(place, labels) for place, labels in references if place >= start]
    before = [labels for place, labels in references if begin <= place < start]
    if later:
        place, labels = later[0]
        if end is None or place < end:
            return labels
        if place <= len(text) and all(one.isspace() or one in ".,;:!?…()[]–—*_、。，-" for one in text[stop:place]):
            return labels
    if before:
        return before[-1]
    return later[0][1] if later else None


def _checked(quoted: str, offset: int, labels: tuple[str, ...], fragments: Sequence[tuple[str, str]]) -> Quotation:
    """Where the words stand."""
    holders = [label for label, content in fragments if holds(_alike(content), _alike(quoted))]
    for label in labels:
        if label in holders:
            return Quotation(quoted, offset, label, "verbatim", ())
    label = labels[0] if len(labels) == 1 else ""
    return Quotation(quoted, offset, label, "elsewhere" if holders else "nowhere", tuple(holders[:MOST_NAMED]))


def holds(content: str, words: str) -> bool:
    """Whether the words stand there, and nothing that began before them or goes on behind them is cut in two."""
    starts = (at for at in range(len(content)) if content.startswith(words, at))
    return any(not _is_inside(content, at) and not _is_inside(content, at + len(words)) for at in starts)


def _is_inside(content: str, at: int) -> bool:
    """Whether a place is inside of a word or a number."""
    if not 0 < at < len(content):
        return False
    left, right = content[at - 1], content[at]
    if is_mark(right):
        return True
    if left in HYPHENS and right.isdecimal():
        return True
    return (
        (_ends_word(content[:at]) and _is_word(right))
        or _is_joint(content[:at], right, content[at + 1 : at + 2])
        or _is_joint(content[: at - 1], left, right)
    )


def _is_joint(before: str, joint: str, behind: str) -> bool:
    """Whether a character holds together what stands before and behind it."""
    if joint in APOSTROPHES + HYPHENS:
        return _ends_word(before) and _is_word(behind)
    return joint in NUMERIC and before[-1:].isdecimal() and behind.isdecimal()


def _ends_word(text: str) -> bool:
    """Whether the last character that is no mark belongs to a word."""
    while text and is_mark(text[-1]):
        text = text[:-1]
    return _is_word(text[-1:])


def _is_word(character: str) -> bool:
    return character == "_" or character.isalnum()


def _alike(text: str) -> str:
    """White space and quotation marks made alike."""
    for one in set(text):
        name = unicodedata.name(one, "")
        if name.endswith("QUOTATION MARK"):
            text = text.replace(one, "'" if "SINGLE" in name else '"')
    return " ".join(text.split())
