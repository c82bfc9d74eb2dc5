"""What the filter of tags does, written down twice, as plainly as possible: the two things it is held against.

`PlainTagMachine` is the machine, one character at a time. `without_tags` is the idea behind it: delete tags with the
white space left of them until none is left. They agree on every text for which the machine makes no forced release.
"""

from __future__ import annotations

import re
import string
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_SPACE: Final = 64
MOST_FRAMES: Final = 2
SPACE: Final = " \t"
_LOWER: Final = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def lower(text: str) -> str:
    """ASCII letters in lower case, all else as it is."""
    return text.translate(_LOWER)


class PlainTagMachine:
    """The machine as it is described: frames of white space and a part, and a pending run of white space."""

    def __init__(self, names: Iterable[str]) -> None:
        self.tags = {lower(f"[{name}]") for name in names}
        self.parts = {tag[:end] for tag in self.tags for end in range(1, len(tag))}
        self.memory_size = max(map(len, self.tags)) - 1
        self._reset()

    def _reset(self) -> None:
        self.frames: list[tuple[str, str]] = []
        self.pending = ""
        self.memory = ""  # the end of the output
        self.was_forced = False

    @property
    def held(self) -> str:
        """All that was read and neither shown nor deleted."""
        return "".join(space + part for space, part in self.frames) + self.pending

    @property
    def bound(self) -> int:
        """How much is ever held, in characters."""
        return MOST_FRAMES * (MOST_SPACE + self.memory_size) + MOST_SPACE

    def feed(self, text: str) -> str:
        """Read text one character at a time."""
        return "".join([self._read(character) for character in text])

    def flush(self) -> str:
        """End of the text."""
        unfinished = self.frames and not self.pending
        rest = self._show(self.frames[0][0] if unfinished else self.held)
        self._reset()
        return rest

    def _read(self, character: str) -> str:
        if self.frames and not self.pending:
            space, part = self.frames[-1]
            if lower(part + character) in self.tags:
                self.frames.pop()
                return ""
            if lower(part + character) in self.parts:
                self.frames[-1] = (space, part + character)
                return ""
        if character == "[":
            forced = self._make_room()
            self.frames.append((self.pending, character))
            self.pending = ""
            return forced
        if character in SPACE:
            forced = self._make_room()
            self.pending += character
            return forced + self._shorten()
        held = self.held
        self.frames, self.pending = [], ""
        return self._show(held + character)

    def _make_room(self) -> str:
        if len(self.frames) < MOST_FRAMES:
            return ""
        space, part = self.frames.pop(0)
        return self._force(space + part)

    def _shorten(self) -> str:
        if len(self.pending) <= MOST_SPACE:
            return ""
        frames = "".join(space + part for space, part in self.frames)
        oldest, self.pending = self.pending[0], self.pending[1:]
        self.frames = []
        return self._force(frames + oldest)

    def _force(self, text: str) -> str:
        self.was_forced = True
        return self._show(text)

    def _show(self, text: str) -> str:
        shown = ""
        for character in text:
            if self.was_forced and character == "]" and any((self.memory + "]").endswith(tag) for tag in self.tags):
                continue
            shown += character
            self.memory = (self.memory + lower(character))[-self.memory_size :]
        return shown


def without_tags(text: str, names: Iterable[str]) -> str:
    """Tags deleted with the white space left of them until none is left, then the unfinished one at the end."""
    tag, unfinished = _patterns(tuple(names))
    before = None
    while before != text:
        before, text = text, tag.sub("", text, count=1)
    found = unfinished.search(text)
    if found is None:
        return text
    return text[: found.start()] + re.match(r"[ \t]*", found[0])[0]  # type: ignore[index]  # it matches the empty text


@cache
def _patterns(names: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    tag = rf"[ \t]*\[(?:{'|'.join(map(re.escape, names))})\]"
    parts = {f"[{name}"[: end + 1] for name in names for end in range(len(name) + 1)}
    beginnings = "|".join(map(re.escape, sorted(parts, key=len, reverse=True)))
    unfinished = rf"((?:[ \t]*(?:{beginnings}))+)\Z"
    return re.compile(tag, re.ASCII | re.IGNORECASE), re.compile(unfinished, re.ASCII | re.IGNORECASE)
