"""Code in an answer: fenced blocks and inline code, told apart from ordinary text while it arrives.

Rules of this module: it counts backticks, tildes and places, and knows nothing of references.

A fence is a run of at least three backticks or tildes at the beginning of a line, indented by at most three spaces; it
ends at a line with a run at least as long and nothing else, or with the text. The rest of a line that opens one with
backticks holds no backtick; where none came within the limit, none is waited for. Inline code goes from a run of
backticks to the next run of the same length in the same line that ends within the limit; where there is none, the run
is ordinary text.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_BREAK: Final = re.compile("[\r\n]")
FENCE_CHARS: Final = 3
"""Fewest characters of a fence."""

FENCE_INDENT: Final = 3
"""Most spaces before a fence."""

_ANY: Final = 1 << 40  # more than any text has


class Opener(NamedTuple):
    """A backtick run that may yet be closed.

    Args:
        start: Where it begins.
        end: Where it ends.
        length: How many backticks it has.
    """

    start: int
    end: int
    length: int


class Ticks:
    """The backtick runs of one line that may yet open code, and the run at its end.

    Attributes:
        openers: Runs that are not closed, in the order of the text.
        run: Length of the run at the end of what was read; 0 where it does not end in a backtick.
        is_fence: Whether the first opener opens a fence unless a backtick follows in its line.
    """

    __slots__ = ("_at_head", "_limit", "is_fence", "openers", "run")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.openers: list[Opener] = []
        self.run = 0
        self.is_fence = False
        self._at_head = False

    def clear(self) -> None:
        """Forget everything: a new line begins."""
        self.openers.clear()
        self.run = 0
        self.is_fence = False

    def add(self, count: int, *, at_head: bool) -> None:
        """Read more backticks; ``at_head`` where they are the first thing in their line."""
        if not self.run:
            self._at_head = at_head
            self.is_fence = False
        self.run += count

    def end_run(self, end: int) -> int:
        """End the run before ``end``; where it closes code, return where that began, else -1."""
        length, self.run = self.run, 0
        # What is too far back closes here no more, nor later: looking only at the others keeps this a short look.
        while self.openers and end - self.openers[0].end > self._limit:
            del self.openers[0]
        for place, opener in enumerate(self.openers):
            if opener.length == length:
                del self.openers[place:]
                return opener.start
        self.is_fence = self._at_head and length >= FENCE_CHARS
        if self.is_fence or length <= self._limit:
            self.openers.append(Opener(end - self.kept_run(length), end, length))
        return -1

    def kept_run(self, length: int) -> int:
        """How many backticks of a run are kept until it is clear what it is: a longer one opens no inline code."""
        return length if length <= self._limit else 0

    def closes(self, length: int, end: int) -> bool:
        """Whether a run of this length that ends at ``end`` would close what stands open."""
        return any(opener.length == length and end - opener.end <= self._limit for opener in self.openers)

    def expire(self, end: int) -> None:
        """Drop the first openers that no text after ``end`` can close any more."""
        while self.openers and not self.is_fence and not self._can_close(self.openers[0], end):
            del self.openers[0]

    def _can_close(self, opener: Opener, end: int) -> bool:
        """Whether a run of its length can still end within the limit: the one at the end grown, or a new one."""
        begun = self.run if self.run <= opener.length else -1
        return end - begun + opener.length - opener.end <= self._limit

    def reach(self, end: int) -> int:
        """How many more characters may hold the backtick that makes an opened fence none; no limit without one."""
        return self._limit - (end - self.openers[0].end) if self.is_fence else _ANY


class Fence:
    """A fenced block, line by line.

    Attributes:
        character: What its fences are made of; empty where none is open.
    """

    __slots__ = ("_count", "_length", "_place", "character")

    def __init__(self) -> None:
        self.character = ""
        self._length = 0
        self._place = _REST
        self._count = 0

    @property
    def is_inside(self) -> bool:
        """Whether nothing before the next line break can end it."""
        return self._place == _REST

    @property
    def may_close(self) -> bool:
        """Whether it ends here where the line does."""
        return self._place in _CLOSED and self._count >= self._length

    @property
    def closing(self) -> str:
        """The shortest run that closes it."""
        return self.character * self._length

    def open(self, character: str, length: int, *, growing: bool = False) -> None:
        """Open it; ``growing`` where more of its opening run may follow."""
        self.character = character
        self._length = length
        self._place = _OPENING if growing else _REST

    def read(self, text: str, at: int) -> int:
        """Read on from ``at``; where the block ends, return the place after its closing fence, else the text's end."""
        end = len(text)
        while at < end:
            if self._place == _REST:
                found = _BREAK.search(text, at)
                if found is None:
                    return end
                at = found.start()
            if text[at] in "\r\n":
                if self.may_close:
                    self.character = ""
                    return at
                self._place, self._count = _INDENT, 0
            else:
                self._step(text[at])
            at += 1
        return end

    def _step(self, character: str) -> None:
        """One character of a line that may be the closing fence, or of the run that opens the block."""
        place = self._place
        if place == _OPENING:
            if character == self.character:
                self._length += 1
            else:
                self._place = _REST
        elif place == _INDENT:
            self._count += 1
            if character == self.character:
                self._place, self._count = _RUN, 1
            elif character != " " or self._count > FENCE_INDENT:
                self._place = _REST
        elif place == _RUN and character == self.character:
            self._count += 1
        else:
            self._place = _AFTER if character in " \t" else _REST


_REST, _OPENING, _INDENT, _RUN, _AFTER = range(5)
_CLOSED: Final = (_RUN, _AFTER)
