"""The one definition of text hygiene for content, scope parts and blankness.

Rules of this module:

* What a code point is stands in `_tables` (generated), what happens to it stands here and in `_invisibles`. It knows
  nothing of labels (`_labels`), markers (`_markers`), policies or rows.
* No normal form is ever applied to text that will be rendered, and nothing depends on the Unicode version of the
  interpreter.
* `clean_content` is idempotent, linear, and returns ordinary text as the same object.

Why each kind is treated as it is: `docs/` on text hygiene. In short: one row must stay one line for every reader
(str.splitlines, JavaScript, YAML, a terminal), nothing invisible may carry a message, and no letter, digit, punctuation
mark, emoji or joining shape of legitimate text may be lost.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeGuard

from . import _tables as tables
from ._invisibles import REPLACEMENT, SUSPICIOUS, Action, find_runs, mark_floods, replace_floods, treat_runs
from ._refusals import refuse, refuse_type

if TYPE_CHECKING:
    from collections.abc import Iterator

_BREAK_RUN = re.compile(f"[{tables.LINE_BREAKS}]+")
_BREAK = re.compile(f"[{tables.LINE_BREAKS}]")
_PRINTABLE_ASCII = bytes(range(0x20, 0x7F))


@cache
def _ordinary() -> re.Pattern[str]:
    """Text in which nothing needs a closer look; a large class, so it is compiled when first needed, not on import.

    Marks are not suspicious, but only a text that has some can have a flood of them: they are not ordinary.
    """
    return re.compile(f"[{tables.ORDINARY}]*")


_PRIVATE_USE = re.compile(f"[{tables.PRIVATE_USE}]+")
_VISIBLE = re.compile(
    f"[^ {tables.SPACES}{tables.LINE_BREAKS}{SUSPICIOUS}{tables.BIDI_MARKS}{tables.IGNORABLES}{tables.BLANKS}]"
)
_SCOPE_FAULT = re.compile(
    f"(?P<break>[{tables.LINE_BREAKS}])|(?P<tab>\t)|(?P<surrogate>[{tables.SURROGATES}])|(?P<blank>[{tables.BLANKS}])"
    f"|(?P<invisible>[{SUSPICIOUS}{tables.BIDI_MARKS}])"
)
_FAULT_NAMES = {
    "break": "a line break",
    "tab": "a tab",
    "surrogate": "a lone surrogate",
    "blank": "a blank that is not a space",
    "invisible": "an invisible or control character",
}


def exact_str(value: str) -> str:
    """The characters of `value` as a plain `str`.

    A subclass of `str` may format itself as something else; the f-string that renders a line would ask it to.

    Raises:
        BridgeTypeError: `value` is no `str` (`KB-TXT-TYPE-1`).
    """
    try:
        return str.__str__(value)
    except TypeError:
        refuse_type("KB-TXT-TYPE-1", value)


def is_text(value: object) -> TypeGuard[str]:
    """Whether the value is a `str`, whatever it says about its own class."""
    return issubclass(type(value), str)


def is_encodable(text: str) -> bool:
    """Whether the text can be encoded as UTF-8, which means that it holds no lone surrogate.

    Raises:
        BridgeTypeError: It is no `str` (`KB-TXT-TYPE-1`).
    """
    text = exact_str(text)
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def flatten_content(content: str) -> str:
    """The content on one line: each run of line breaks becomes one space, and nothing else changes.

    Line breaks are CRLF, LF, CR, VT, FF, FS, GS, RS, NEL, LS and PS: whatever `str.splitlines`, JavaScript, YAML or a
    terminal takes for one.

    Raises:
        BridgeTypeError: It is no `str` (`KB-TXT-TYPE-1`).
    """
    return _flattened(exact_str(content))


def _flattened(text: str) -> str:
    """The work of `flatten_content`: `str.splitlines` parts text at the same characters, several times faster."""
    lines = text.splitlines()
    if not lines or len(lines[0]) == len(text):
        return text
    flat = " ".join(filter(None, lines))
    head = "" if lines[0] else " "
    tail = " " if flat and _BREAK.match(text, len(text) - 1) else ""
    return f"{head}{flat}{tail}"


def clean_content(content: str) -> str:
    """The content as it may be rendered after a label: on one line, without hidden characters.

    Mark floods are cut, runs of line breaks become a space, one or two soft invisibles are removed, every other
    invisible or control character becomes a visible U+FFFD, one a run. Idempotent; ordinary text comes back unchanged.
    Lone surrogates stay: they make a row unusable, which is for selection to say.

    Raises:
        BridgeTypeError: It is no `str` (`KB-TXT-TYPE-1`).
    """
    text = content if type(content) is str else exact_str(content)
    if text.isascii() and not text.encode().translate(None, _PRINTABLE_ASCII):  # the cheapest look at every character
        return text
    text = _flattened(text)
    # A line break ends a row of marks, as the space does that stands for it: floods may be cut afterwards.
    return text if _ordinary().fullmatch(text) else treat_runs(replace_floods(text))


def shows_blank(text: str) -> bool:
    """Whether a reader sees nothing: spaces, invisibles, controls and glyphs without ink only.

    Raises:
        BridgeTypeError: It is no `str` (`KB-TXT-TYPE-1`).
    """
    return _VISIBLE.search(exact_str(text)) is None


@cache
def _mark() -> re.Pattern[str]:
    """Every combining mark; compiled when it is first needed, not on import."""
    return re.compile(f"[{tables.MARKS}{tables.SELECTORS}]")


def is_mark(character: str) -> bool:
    """Whether a character belongs to the one before it: a combining mark or a variation selector of Unicode 17.

    Raises:
        BridgeContractError: It is not exactly one character (`KB-TXT-MARK-1`).
        BridgeTypeError: It is no `str` (`KB-TXT-TYPE-1`).
    """
    text = exact_str(character)
    if len(text) != 1:
        refuse("KB-TXT-MARK-1", text)
    return _mark().match(text) is not None


def scope_part_fault(part: str) -> str | None:
    """Why the text cannot be a part of a scope path, in English, or None where it can.

    A scope part decides who sees what, so it is refused where a label would be repaired: whatever does not show, or
    shows like something else in another reader, could make two tenants look like one.
    """
    if not part:
        return "it is empty"
    fault = _SCOPE_FAULT.search(part)
    if fault:
        return f"it holds {_FAULT_NAMES[fault.lastgroup or '']}, U+{ord(fault[0]):04X}, at character {fault.start()}"
    if any(mark_floods(part)):
        return "it holds more than sixteen combining marks in a row"
    return None


@dataclass(frozen=True, slots=True)
class Change:
    """One place that hygiene treats: `text[start:end]` becomes `replacement`.

    Attributes:
        kind: `mark-flood`, `line-break`, or a kind of invisible (`invisible`, `joiner`, `selector`, `tag`,
            `separator`, `control`, `bidi`, `filler`, `noncharacter`).
        start: First character, counted in the original text.
        end: One past the last character.
        replacement: What stands there instead; empty where the characters are removed, or where a neighbour's
            replacement stands for them too.
    """

    kind: str
    start: int
    end: int
    replacement: str


@dataclass(frozen=True, slots=True)
class Inspection:
    """What hygiene makes of a text, and why.

    Attributes:
        text: The same as `clean_content` gives.
        changes: Every treated place, in the order of the text.
        counts: `(kind, characters)` pairs, sorted by kind; `private-use` counts characters that are kept.
    """

    text: str
    changes: tuple[Change, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()


def inspect_content(content: str) -> Inspection:
    """Treat a text as `clean_content` does and report what changed, where and by kind.

    Raises:
        BridgeTypeError: It is no `str` (`KB-TXT-TYPE-1`).
    """
    text = exact_str(content)
    changes = tuple(sorted(_changes(text), key=lambda change: change.start))
    counts: dict[str, int] = {}
    for change in changes:
        counts[change.kind] = counts.get(change.kind, 0) + change.end - change.start
    private = sum(len(run[0]) for run in _PRIVATE_USE.finditer(text))
    if private:
        counts["private-use"] = private
    return Inspection(_applied(text, changes), changes, tuple(sorted(counts.items())))


def _changes(text: str) -> Iterator[Change]:
    """Every treated place, kind after kind."""
    for start, end in mark_floods(text):
        yield Change("mark-flood", start, end, REPLACEMENT)
    for run in _BREAK_RUN.finditer(text):
        yield Change("line-break", run.start(), run.end(), " ")
    # Same length, so that the places are those of the original text.
    unflooded = replace_floods(text, same_length=True)
    shared_from = -1  # where a replacement ends that the next character may share
    for verdict in find_runs(unflooded):
        shared = verdict.start == shared_from
        if verdict.action is Action.REPLACE:
            yield Change(verdict.kind, verdict.start, verdict.end, "" if shared else REPLACEMENT)
            shared_from = verdict.end
        elif verdict.action is Action.REMOVE:
            yield Change(verdict.kind, verdict.start, verdict.end, "")
            shared_from = verdict.end if shared else shared_from


def _applied(text: str, changes: tuple[Change, ...]) -> str:
    """The text with the changes made."""
    pieces: list[str] = []
    position = 0
    for change in changes:
        pieces += (text[position : change.start], change.replacement)
        position = change.end
    return "".join((*pieces, text[position:]))
