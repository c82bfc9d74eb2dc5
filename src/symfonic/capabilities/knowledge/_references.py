"""References: how one is spelled, and what the name in its brackets means.

Rules of this module: it knows the ledger and single references. It knows neither code nor the stream; what may still
become of the beginning of a reference is answered for any text that could follow.

A reference is ``SOURCE [name]`` or ``Source [name]``: the word where no letter, digit or underscore of ASCII stands
before it, up to :data:`GAP_CHARS` spaces or tabs, and a name of one line without square brackets. A bare ``[label]`` is
one only where it is the exact label of an entry and nothing around it makes it something else: a letter or a digit of
any script before it makes it an index, but not a letter of a script that is written without spaces.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from ._ledger import MAX_REFERENCE_CHARS
from ._text import is_mark

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._code import Ticks
    from ._ledger import CitationLedger, LedgerEntry

GAP_CHARS: Final = 64
"""Most spaces and tabs between the word and its bracket."""

CODE_CHARS: Final = 1024
"""Most characters from the end of a backtick run to the end of the run that closes it."""


class Limits(NamedTuple):
    """The numbers that bound what is held."""

    gap: int = GAP_CHARS
    name: int = MAX_REFERENCE_CHARS
    code: int = CODE_CHARS


WORD: Final = "SOURCE"
MARK: Final = "[unverified source]"
WORD_CHARACTERS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
BARE_NOT_AFTER: Final = (WORD_CHARACTERS - {"_"}) | {"]", ")"}
BARE_NOT_BEFORE: Final = frozenset("([:")
# Kana, bopomofo, Han, Yi; Thai, Lao, Tibetan, Burmese, Khmer, the scripts of Tai, Javanese and Balinese; and what
# selects the form of a Chinese character or of an emoji.
_UNSPACED: Final = re.compile(
    "[\u3005-\u3007\u302a-\u302d\u3031-\u3035\u303b-\u303c\u3041-\u30ff\u3105-\u312f\u3190-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua48c\uf900-\ufaff\uff66-\uff9f\U0001aff0-\U0001b16f"
    "\U0001d372-\U0001d376\U00020000-\U0003ffff"
    "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf\u1b00-\u1b7f\ua980-\ua9ff\uaa60-\uaadf"
    "\ufe00-\ufe0f\U000e0100-\U000e01ef]"
).match
_FAR: Final = "\U0010ffff"  # a non-character, which no label holds: behind every label with the same beginning


def goes_on(character: str) -> bool:
    """Whether a bracket behind a character beyond ASCII goes on with a word or a number, as an index does."""
    return character.isdigit() or ((character.isalnum() or is_mark(character)) and _UNSPACED(character) is None)


@cache
def reference_pattern(limits: Limits) -> re.Pattern[str]:
    """Finds the next whole reference, or the beginning of one at the end of the text.

    Group 1 is the name of a whole reference with the word, group 2 that of a bare one; a beginning has no group. What
    stands around the match is for the caller to check.
    """
    text = r"[^\[\]\r\n]"
    bracket = rf"\[(?:({text}{{1,{limits.name}}}+)\]|{text}{{0,{limits.name}}}+\Z)"
    return re.compile(
        rf"S(?:(?:OURCE|ource)[ \t]{{0,{limits.gap}}}+(?:{bracket}|\Z)"
        rf"|(?:O(?:U(?:RC?)?)?|o(?:u(?:rc?)?)?)?+\Z)|{bracket}"
    )


@cache
def word_pattern(limits: Limits) -> re.Pattern[str]:
    """Matches what a reference with the word may begin with, up to its bracket."""
    return re.compile(rf"S(?:O(?:U(?:RC?)?)?|o(?:u(?:rc?)?)?)?|(?:SOURCE|Source)[ \t]{{0,{limits.gap}}}")


class Meaning(NamedTuple):
    """What a name in brackets means.

    Args:
        entries: The entries it can mean: none, one, or several where it is ambiguous.
        labels: Their labels.
        is_replaced: Whether something else is written in the place of a reference to it.
    """

    entries: tuple[LedgerEntry, ...]
    labels: tuple[str, ...]
    is_replaced: bool


class Names:
    """What the names of references mean, and which references are rewritten.

    Args:
        ledger: What the prompt showed.
        mark: Whether unknown names are marked.
        rewrite: Whether admitted references are rewritten.
        limits: The numbers that bound what is held.
    """

    __slots__ = ("_limits", "_meanings", "_rewrite", "_rewritten", "_starts", "bare", "marks", "unknown")

    def __init__(self, ledger: CitationLedger, *, mark: bool, rewrite: bool, limits: Limits) -> None:
        self.marks = mark
        self._rewrite = rewrite
        self._limits = limits
        names = {name for entry in ledger for name in (entry.label, entry.source_label)}
        self._meanings = {name: self._meaning(name, ledger.named(name)) for name in names}
        self.unknown = Meaning((), (), mark)
        self.bare = frozenset(entry.label for entry in ledger if _may_stand_bare(entry.label))
        self._starts = Beginnings(self.bare)
        self._rewritten = Beginnings(name for name, meaning in self._meanings.items() if meaning.is_replaced)

    def _meaning(self, name: str, entries: tuple[LedgerEntry, ...]) -> Meaning:
        """What an admitted name means.

        A name that holds a backtick is never rewritten: text after it decides whether it is code, and what may still
        become of the beginning of such a reference could not be told by looking at it.
        """
        labels = tuple(entry.label for entry in entries)
        return Meaning(entries, labels, self._rewrite and len(entries) == 1 and "`" not in name)

    def meaning(self, name: str) -> Meaning:
        """What a name means."""
        return self._meanings.get(name, self.unknown)

    def is_replaced(self, name: str) -> bool:
        """Whether something else is written in the place of a reference to ``name``."""
        return self._meanings.get(name, self.unknown).is_replaced

    def begins_bare(self, beginning: str) -> bool:
        """Whether a label that may stand bare begins like this."""
        return self._starts.shortest(beginning) is not None

    def is_at_stake(self, text: str, ticks: Ticks, end: int, *, torn: bool = False) -> bool:
        """Whether the beginning of a reference can still become one that is replaced.

        Args:
            text: The beginning, up to the end of what was read.
            ticks: The backtick runs in force.
            end: Where the text ends.
            torn: Whether something was deleted behind its bracket, so that whatever name it gets is unknown.
        """
        reach = ticks.reach(end)
        if text[0] == "[":
            return self._rewrite and self._bare_at_stake(text, reach)
        bracket = text.find("[")
        if bracket < 0:
            missing = max(len(WORD) - len(text), 0) + 1
            shortest = self._rewritten.shortest("")
            return (self.marks and missing < reach) or (shortest is not None and missing + shortest + 1 < reach)
        name = text[bracket + 1 :]
        if self.marks and self._mark_at_stake(name, ticks, end, torn=torn):
            return True
        return not torn and _completes(self._rewritten, name, reach)

    def _bare_at_stake(self, text: str, reach: int) -> bool:
        return text[-1] == "]" or _completes(self._starts, text[1:], reach)

    def _mark_at_stake(self, name: str, ticks: Ticks, end: int, *, torn: bool) -> bool:
        """Whether some name that begins like this is unknown, and not in code whatever follows.

        One more character makes any name unknown. Where the text ends in backticks, more of them may follow; each
        length of the run closes what stands open before it, or does not.
        """
        room = self._limits.name - len(name)
        if not ticks.run:
            return room > 0 or (ticks.reach(end) > 1 and (torn or self.is_replaced(name)))
        return any(
            not ticks.closes(ticks.run + more, end + more)
            and (more < room or torn or self.is_replaced(name + "`" * more))
            for more in range(room + 1)
        )


def _completes(names: Beginnings, beginning: str, reach: int) -> bool:
    """Whether one of the names goes on like this, and ends with its bracket before the reach does."""
    shortest = names.shortest(beginning)
    return shortest is not None and shortest - len(beginning) + 1 < reach


def _may_stand_bare(label: str) -> bool:
    """Whether ``[label]`` is a reference without the word: not where it is a number, a box, a footnote or code."""
    return len(label) > 1 and not label.isdigit() and label[0] != "^" and "`" not in label


class Beginnings:
    """Asks of many names: how long is the shortest that begins with a text?"""

    __slots__ = ("_names", "_shortest")

    def __init__(self, names: Iterable[str]) -> None:
        self._names = sorted(names)
        # Row k holds, at i, the least length among the names from i to i + 2 ** k - 1.
        self._shortest = [[len(name) for name in self._names]]
        step = 1
        while step * 2 <= len(self._names):
            row = self._shortest[-1]
            self._shortest.append([min(pair) for pair in zip(row, row[step:], strict=False)])
            step *= 2

    def shortest(self, beginning: str) -> int | None:
        """Length of the shortest name with this beginning, or ``None`` where none has it."""
        first = bisect_left(self._names, beginning)
        last = bisect_left(self._names, beginning + _FAR, first)
        if first == last:
            return None
        power = (last - first).bit_length() - 1
        row = self._shortest[power]
        return min(row[first], row[last - (1 << power)])
