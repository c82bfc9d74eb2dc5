"""The finder: what in a stream of text is a reference, code, or the end of a paragraph, and what may become one.

Rules of this module: places are counted in the text that came in, from its beginning. What is found is written down in
order; it becomes certain later, and what code swallows is forgotten again. Nothing is shown or counted here.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from ._code import FENCE_CHARS, FENCE_INDENT, Fence, Opener, Ticks
from ._references import BARE_NOT_AFTER, BARE_NOT_BEFORE, WORD_CHARACTERS, goes_on, reference_pattern

if TYPE_CHECKING:
    from ._references import Limits, Meaning, Names

IN_LINE: Final = re.compile("[`\r\n]").search
NONE: Final = -1
BODY: Final = -1
_BLANK: Final = -2  # nothing but spaces, too many for a fence
_LISTED: Final = -3  # markers of list items or quoted lines, and spaces
_MARKED: Final = -4  # a marker that needs a space behind it
_COUNTED: Final = -5  # the digits of one
MARKERS: Final = "->*+0123456789"
_REST_OF_LINE: Final = re.compile("[^\r\n]+").match
_TICKS: Final = re.compile("`+")
_TILDES: Final = re.compile("~+")


class Kind(IntEnum):
    """What an item is."""

    REFERENCE = 0
    CODE = 1
    FENCE = 2
    PARAGRAPH_END = 3


class Item(NamedTuple):
    """Something that was found and is not yet certain.

    Args:
        start: Where it begins.
        end: Where it ends.
        kind: What it is.
        name: Of a reference, the name.
        meaning: Of a reference, what its name means.
        sealed: Whether something was deleted right behind it.
    """

    start: int
    end: int
    kind: Kind
    name: str = ""
    meaning: Meaning | None = None
    sealed: bool = False

    @property
    def is_replaced(self) -> bool:
        """Whether something else will be written in its place."""
        return self.meaning is not None and self.meaning.is_replaced


class Finder:
    """Reads on in a text and finds what is in it.

    Args:
        names: What names mean.
        limits: The numbers that bound what is kept.
    """

    __slots__ = (
        "_base", "_before", "_candidate", "_fence", "_fence_start", "_found", "_head", "_is_owed", "_kept", "_lead",
        "_limits", "_names", "_search", "_ticks", "_tildes", "_walls",
    )  # fmt: skip

    def __init__(self, names: Names, limits: Limits) -> None:
        self._names = names
        self._limits = limits
        self._search = reference_pattern(limits).search
        self._ticks = Ticks(limits.code)
        self._fence = Fence()
        self._fence_start: int = 0
        self._found: list[Item] = []
        self._kept = ""  # text that is not certain
        self._before = ""  # the character before it
        self._base: int = 0  # where it begins
        self._candidate: int = NONE  # where a reference may have begun
        self._walls: list[int] = []  # where something was deleted, as far as it is kept
        self._head: int = 0  # spaces at the beginning of the line, while it holds nothing else
        self._lead: int = BODY  # what stood before the last run of backticks in its line: a state of the head
        self._is_owed = False  # whether a fence behind the marker of a list item waits for the one that closes it
        self._tildes: int = 0  # the same for tildes behind them, too few for a fence

    def _close(self) -> None:
        """The text ends: so does everything in it."""
        end = len(self._kept)
        if self._ticks.run:
            self._end_run(end)
        if self._ticks.is_fence:
            self._open_fence()
        if self._fence.character:
            self._add_fence(end)
        self._close_bare()
        self._ticks.clear()
        self._tildes = 0

    def _wall_off(self, end: int) -> None:
        """Something was deleted behind what was read, which ends there.

        A bare reference goes no further. One with the word may: a reader sees one, and nobody wrote its name.
        """
        del self._walls[: bisect_left(self._walls, self._base if self._kept else end)]
        if self._candidate >= 0 and self._kept[self._candidate - self._base] == "[":
            at = self._candidate - self._base + 1
            self._close_bare()
            if self._kept[-1] != "]":
                self._scan(at, len(self._kept))
        if self._found and self._found[-1].end == end:
            self._found[-1] = self._found[-1]._replace(sealed=True)
        if self._walls[-1:] != [end]:
            self._walls.append(end)

    def _is_wall(self, place: int) -> bool:
        """Whether something was deleted at a place."""
        at = bisect_left(self._walls, place)
        return self._walls[at : at + 1] == [place]

    def _is_torn(self, bracket: int, end: int) -> bool:
        """Whether something was deleted behind a bracket, and before another place."""
        at = bisect_right(self._walls, bracket)
        return at < len(self._walls) and self._walls[at] < end

    def _close_bare(self) -> None:
        """Nothing that decides follows: what began is a reference if it is a whole bare one."""
        if self._candidate >= 0:
            text = self._kept[self._candidate - self._base :]
            if text[0] == "[" and text[-1] == "]":
                self._add_reference(self._candidate, self._candidate + len(text), text[1:-1])
            self._candidate = NONE

    def _walk(self, at: int) -> None:
        """Read what was kept, from ``at`` on."""
        kept, ticks = self._kept, self._ticks
        while at < len(kept):
            if self._fence.character:
                at = self._read_fence(at)
                continue
            character = kept[at]
            if character == "`":
                at = self._read_ticks(at)
                continue
            if ticks.run:
                self._end_run(at)
            if self._head != BODY and character not in "\r\n":
                at = self._read_head(at)
            elif character in "\r\n":
                at = self._read_break(at)
            else:
                part = IN_LINE(kept, at)
                stop = len(kept) if part is None else part.start()
                self._scan(at, stop)
                at = stop
                if ticks.is_fence and ticks.reach(self._base + at) <= 0:
                    self._open_fence()
        if self._fence.character:
            self._add_fence(at)

    def _read_fence(self, at: int) -> int:
        at = self._fence.read(self._kept, at)
        if not self._fence.character:
            self._add_fence(at)
            self._head = BODY
        return at

    def _add_fence(self, stop: int) -> None:
        """What was read of a fenced block is certain to be code."""
        end = self._base + stop
        self._found.append(Item(self._fence_start, end, Kind.FENCE))
        self._fence_start = end

    def _open_fence(self) -> None:
        """What looked like a fence is one: nothing behind it was a reference."""
        opener = self._ticks.openers[0]
        self._ticks.clear()
        is_due, self._is_owed = self._is_owed and self._is_bare(opener), False
        if is_due:
            return
        self._drop_from(opener.start)
        self._fence.open("`", opener.length)
        self._fence_start = opener.start

    def _is_bare(self, opener: Opener) -> bool:
        """Whether nothing but spaces was read behind a run of backticks, as far as is looked."""
        start = opener.end - self._base
        rest = _REST_OF_LINE(self._kept, start, start + self._limits.code)
        return rest is None or not rest[0].strip(" \t")

    def _drop_from(self, start: int) -> None:
        """Forget what was found behind ``start`` or across it."""
        self._candidate = NONE
        while self._found and self._found[-1].end > start:
            self._found.pop()

    def _forget_from(self, place: int) -> None:
        """Forget the text from a place on: one before which nothing is held."""
        if place < self._base + len(self._kept):
            self._ticks.run = 0
            self._drop_from(place)
            self._kept = self._kept[: place - self._base]

    def _read_ticks(self, at: int) -> int:
        run = _TICKS.match(self._kept, at)
        stop = run.end() if run else at
        if not self._ticks.run:
            self._lead = self._head
        self._ticks.add(stop - at, at_head=self._head >= 0 and not self._tildes)
        self._head, self._tildes = BODY, 0
        if self._candidate >= 0:
            self._scan(at, stop)
        return stop

    def _end_run(self, at: int) -> None:
        """The run at the end is complete: it closes code, opens some, or is text."""
        end = self._base + at
        start = self._ticks.end_run(end)
        if start >= 0:
            self._drop_from(start)
            self._found.append(Item(start, end, Kind.CODE))

    def _read_head(self, at: int) -> int:
        """One step into a line that holds nothing but spaces so far."""
        character = self._kept[at]
        if character == "~" and self._head >= 0:
            run = _TILDES.match(self._kept, at)
            stop = run.end() if run else at
            self._tildes += stop - at
            if self._tildes >= FENCE_CHARS:
                self._fence.open("~", self._tildes, growing=stop == len(self._kept))
                self._fence_start = self._base + stop - self._tildes
                self._tildes = 0
            return stop
        if self._tildes or self._head < _BLANK or character not in " \t":
            self._head = BODY if self._tildes else _after_marker(self._head, character)
            self._tildes = 0
            return at if self._head == BODY else at + 1
        self._head = self._head + 1 if character == " " and 0 <= self._head < FENCE_INDENT else _BLANK
        return at + 1

    def _read_break(self, at: int) -> int:
        """A line ends: so do inline code, references, and a paragraph whose line is blank."""
        if self._ticks.is_fence:
            self._open_fence()
            return at
        if self._candidate >= 0:
            self._scan(at, at + 1)
        self._settle_debt(at)
        self._ticks.clear()
        before = self._kept[at - 1] if at else self._before
        is_blank = (self._head >= 0 or self._head == _BLANK) and not self._tildes
        if is_blank and not (self._kept[at] == "\n" and before == "\r"):
            self._found.append(Item(self._base + at, self._base + at, Kind.PARAGRAPH_END))
        self._head = self._tildes = 0
        return at + 1

    def _settle_debt(self, at: int) -> None:
        """A line ends: did it open a fence behind the marker of a list item, or close that one?

        Such a fence hides nothing. But the one that closes it, at the beginning of its line, must not be taken for one
        that opens: it would hide everything behind it.
        """
        openers = self._ticks.openers
        if len(openers) == 1 and openers[0].length >= FENCE_CHARS:
            opener = openers[0]
            if self._base + at - opener.end + 1 + opener.length <= self._limits.code:
                if self._lead == _LISTED:
                    self._is_owed = True
                elif self._lead == _BLANK and self._is_bare(opener):
                    self._is_owed = False

    def _scan(self, at: int, stop: int) -> None:
        """Look for references up to ``stop``: from where one may have begun, or else from ``at`` on."""
        kept, base = self._kept, self._base
        if self._candidate >= 0:
            at = self._candidate - base
            self._candidate = NONE
        search = self._search
        match = search(kept, at, stop)
        while match is not None:
            at = match.start()
            before = kept[at - 1] if at else self._before
            if self._walls and self._is_wall(base + at):
                before = ""
            if kept[at] == "[":
                at = self._scan_bare(match, before)
            elif before and before in WORD_CHARACTERS:
                at += 1
            elif match.lastindex:
                self._add_reference(base + at, base + match.end(), match[1])
                at = match.end()
            else:
                self._candidate = base + at
            if self._candidate >= 0:
                return
            match = search(kept, at, stop)

    def _scan_bare(self, match: re.Match[str], before: str) -> int:
        """A bracket without the word: return where to look next."""
        kept = self._kept
        start, end = match.span()
        if before in BARE_NOT_AFTER or (before > "\x7f" and goes_on(before)):
            return start + 1
        label = match[2]
        if label is None:
            if self._names.begins_bare(kept[start + 1 : end]):
                self._candidate = self._base + start
            return start + 1
        if label in self._names.bare:
            if end == len(kept):
                self._candidate = self._base + start
            elif kept[end] not in BARE_NOT_BEFORE:
                self._add_reference(self._base + start, self._base + end, label)
        return end

    def _add_reference(self, start: int, end: int, name: str) -> None:
        is_torn = self._walls and self._is_torn(end - len(name) - 2, end)
        meaning = self._names.unknown if is_torn else self._names.meaning(name)
        self._found.append(Item(start, end, Kind.REFERENCE, name, meaning))


def _after_marker(head: int, character: str) -> int:
    """The next state of the head of a line: where it goes on with the marker of a list item or a quoted line."""
    if character in " \t":
        return _LISTED if head in (_LISTED, _MARKED) else BODY
    if head == _COUNTED:
        return _COUNTED if character in MARKERS[4:] else _MARKED if character in ".)" else BODY
    if head == _MARKED or character not in MARKERS:
        return BODY
    if character == ">":
        return _LISTED
    return _MARKED if character in "-*+" else _COUNTED
