"""What the filter of tags does, written down twice, as plainly as possible: the two things it is held against.

`PlainTagMachine` is the machine, one character at a time. `without_tags` is the idea behind it: delete tags with the
white space left of them until none is left. They agree on every text for which the machine makes no forced release.
"""

from __future__ import annotations

import re
import string
from functools import cache
from itertools import pairwise
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
    """The machine as it is described: frames of white space and a part, and a pending run of white space.

    All of them are places in the text. What stands in the output side by side and did not in the text shows where
    something was deleted.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.tags = {lower(f"[{name}]") for name in names}
        self.parts = {tag[:end] for tag in self.tags for end in range(1, len(tag))}
        self.memory_size = max(map(len, self.tags)) - 1
        self.seams: list[int] = []  # of the last stream: places in its output where something was deleted
        self._reset()

    def _reset(self) -> None:
        self.text = ""
        self.output: list[int] = []
        self.frames: list[tuple[list[int], list[int]]] = []
        self.pending: list[int] = []
        self.memory = ""  # the end of the output
        self.was_forced = False

    def _at(self, places: Iterable[int]) -> str:
        return "".join(self.text[place] for place in places)

    @property
    def _held(self) -> list[int]:
        return [place for space, part in self.frames for place in space + part] + self.pending

    @property
    def held(self) -> str:
        """All that was read and neither shown nor deleted."""
        return self._at(self._held)

    @property
    def bound(self) -> int:
        """How much is ever held, in characters."""
        return MOST_FRAMES * (MOST_SPACE + self.memory_size) + MOST_SPACE

    def feed(self, text: str) -> str:
        """Read text one character at a time."""
        shown = len(self.output)
        for character in text:
            self.text += character
            self._read(len(self.text) - 1, character)
        return self._at(self.output[shown:])

    def flush(self) -> str:
        """End of the text."""
        shown = len(self.output)
        unfinished = self.frames and not self.pending
        self._show(self.frames[0][0] if unfinished else self._held)
        rest = self._at(self.output[shown:])
        around = [-1, *self.output, len(self.text)]
        self.seams = [place for place, (left, right) in enumerate(pairwise(around)) if right != left + 1]
        self._reset()
        return rest

    def _read(self, place: int, character: str) -> None:
        if self.frames and not self.pending:
            space, part = self.frames[-1]
            longer = lower(self._at(part) + character)
            if longer in self.tags:
                self.frames.pop()
                return
            if longer in self.parts:
                self.frames[-1] = (space, [*part, place])
                return
        if character == "[":
            self._make_room()
            self.frames.append((self.pending, [place]))
            self.pending = []
            return
        if character in SPACE:
            self._make_room()
            self.pending = [*self.pending, place]
            self._shorten()
            return
        held = self._held
        self.frames, self.pending = [], []
        self._show([*held, place])

    def _make_room(self) -> None:
        if len(self.frames) == MOST_FRAMES:
            space, part = self.frames.pop(0)
            self._force(space + part)

    def _shorten(self) -> None:
        if len(self.pending) > MOST_SPACE:
            oldest = self._held[: len(self._held) - MOST_SPACE]
            self.frames, self.pending = [], self.pending[1:]
            self._force(oldest)

    def _force(self, places: list[int]) -> None:
        self.was_forced = True
        self._show(places)

    def _show(self, places: list[int]) -> None:
        for place in places:
            character = self.text[place]
            if self.was_forced and character == "]" and any((self.memory + "]").endswith(tag) for tag in self.tags):
                continue
            self.output.append(place)
            self.memory = (self.memory + lower(character))[-self.memory_size :]


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
