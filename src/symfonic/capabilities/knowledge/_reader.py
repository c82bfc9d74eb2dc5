"""The reader: a stream of text goes in, what may be shown of it comes out.

Rules of this module: it decides nothing about references that the finder and the settler do not decide. It knows what
is to be expected next, so that almost all text is passed on, or kept, with one look at it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ._finder import BODY, MARKERS, NONE
from ._quotes import ENDING, OPENING
from ._references import WORD_CHARACTERS
from ._settler import Settler

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._account import Account
    from ._finder import Item
    from ._ledger import LedgerEntry
    from ._references import Limits, Meaning, Names

_STARTS: Final = MARKERS.replace("-", r"\-") + " \t~"
_NOTABLE: Final = "S\\[`\r\n"
# A line break is nothing to look at where it is certain that the next line is neither blank nor opens a fence. All
# alternatives begin with a character, so that the search skips to the first of them.
_IN_TEXT: Final = re.compile("|".join([*map(re.escape, f"S[`\r{OPENING}"), f"\n(?:[{MARKERS} \t~`\r\n]|\\Z)"])).search
_IN_SENTENCE: Final = re.compile(
    "|".join([*map(re.escape, f"S[`\r{OPENING}{ENDING}"), f"\n(?:[{MARKERS} \t~`\r\n]|\\Z)"])
).search
_IN_QUOTES: Final = re.compile(f"[{_NOTABLE}]").search
_IN_FENCE: Final = re.compile("[\r\n]").search
_IN_NAME: Final = re.compile("[][`\r\n]").search
_IN_WORD: Final = re.compile(r"[\[`\r\n]").search
_IN_SENTENCE_CALM: Final = "abcdefghijklmnopqrstuvwxyz0123456789 ,;-()'"
_CALM: Final = _IN_SENTENCE_CALM + ".:?"
_TEXT_PART: Final = (_IN_TEXT, _CALM)
_PROSE_PART: Final = (_IN_SENTENCE, _IN_SENTENCE_CALM)
_HEAD: Final = frozenset(" \t~`\r\n" + MARKERS)  # with these a line may begin that is blank, or opens a fence
_LINE_END: Final = re.compile(
    f"[^{_NOTABLE}{OPENING}]*\n(?:[^{_NOTABLE}{OPENING}{_STARTS}][^{_NOTABLE}{OPENING}]*)?"
).fullmatch
_PROSE: Final = f"[^{_NOTABLE}{OPENING}{ENDING}]*"
_SENTENCE_END: Final = re.compile(f"{_PROSE}[{ENDING}][ \\t]{_PROSE}").fullmatch
_UNSURE_END: Final = re.compile(f"[ \\t]{_PROSE}").fullmatch
_OPENED: Final = frozenset({"SOURCE [", "Source ["})
_BEGUN: Final = frozenset(text[:end] for text in _OPENED for end in range(1, len(text)))
_NOTHING: Final = frozenset[str]()
_APART_FROM: Final = frozenset("!]")  # behind these what replaces a reference could become a link or an image
_APART: Final = frozenset("([:")  # and with these behind it


class Reader(Settler):
    """Reads one answer.

    Text for which :attr:`find` answers nothing true may be shown as it is, without reading it; whoever does so keeps
    :attr:`position` and :attr:`last` up to date. Other text is given to :attr:`read`.

    Args:
        names: What names mean.
        account: Where references are counted.
        render: What writes an admitted reference.
        limits: The numbers that bound what is held.
        follows_break: Whether the answer before this one broke off.

    Attributes:
        calm: Characters that need not even be looked for; a short text is faster stripped of them than searched.
        find: Answers something true where the next text needs to be read.
        read: Reads text and answers what may be shown of it: one of the methods below, after what is expected next. All
            of them fall back on `_read_any`, and give what it would give.
        position: How many characters came in.
        last: Some text that ends with the last of them; empty at the beginning.
        follows_break: Whether the answer before this one broke off.
    """

    __slots__ = (
        "_begun", "_replaced_end", "_room", "_touches", "calm", "find", "follows_break", "last", "position", "read",
    )  # fmt: skip

    def __init__(
        self,
        names: Names,
        account: Account,
        render: Callable[[LedgerEntry, int], str] | None,
        limits: Limits,
        *,
        follows_break: bool = False,
    ) -> None:
        super().__init__(names, account, render, limits)
        self.follows_break = follows_break
        self._begun = _BEGUN if names.marks else _NOTHING  # beginnings that are at stake, whatever follows
        self._room = 0  # how many more characters of a name keep it shorter than the longest
        self._replaced_end: int = NONE  # where the last reference ended that was replaced, its colon included
        self._touches = False  # whether what comes now stands directly behind it
        self.calm = ""
        self.find: Callable[[str], object] = len
        self.read: Callable[[Reader, str], str] = Reader._read_any
        self.position: int = 0
        self.last = ""

    def keeps_end(self) -> bool:
        """Whether a reference may have ended in what is kept."""
        return "]" in self._kept

    def shown(self) -> int:
        """How many characters of the output were sent."""
        return (self._sent if self._kept else self.position) + self._shift

    # ------------------------------------------------------------------------------------- what happens most

    def _read_plain(self, text: str) -> str:
        """Nothing is kept, in the middle of a line: a reference may begin at the end, a sentence or line may end."""
        at = text.rfind("S")
        if at >= 0:
            if text[at:] in self._begun:
                before = text[at - 1] if at else self.last[-1:]
                if before not in WORD_CHARACTERS and (not at or not self.find(text[:at])):
                    return self._begin_word(text, at, before)
            if self._search(text) is not None:
                return self._read_any(text)
        paragraph = self._paragraph
        if paragraph.is_watching and (_UNSURE_END if paragraph.is_unsure else _SENTENCE_END)(text) is not None:
            paragraph.forget()
        elif _IN_WORD(text) is not None and _LINE_END(text) is None:
            return self._read_any(text)
        else:
            if text[-1] == "\n":
                self._head = 0
            self._tell(text, self.position, self.last[-1:])
        self.position += len(text)
        self.last = text
        self._choose()
        return text

    def _begin_word(self, text: str, at: int, before: str) -> str:
        """From ``at`` on, keep the beginning of a reference."""
        self._kept = text[at:]
        self._before = before
        self._base = self._sent = self._settled = self._candidate = self.position + at
        self.position += len(text)
        self.read = Reader._read_word
        self.find = len
        self.calm = ""
        return text[:at]

    def _read_line(self, text: str) -> str:
        """Nothing is kept, at the beginning of a line."""
        if text[0] in _HEAD:
            return self._read_any(text)
        self._head = BODY
        self._choose()
        return self._read_rest(text)

    def _read_rest(self, text: str) -> str:
        """Read text after the state has changed: perhaps it need not be looked at."""
        if self.find(text):
            return self.read(self, text)
        self.position += len(text)
        self.last = text or self.last
        return text

    def _read_quoted(self, text: str) -> str:
        """Nothing is kept, and the paragraph is recorded."""
        if _IN_QUOTES(text) is not None:
            return self._read_any(text)
        self._paragraph.add(text)
        self.position += len(text)
        self.last = text
        return text

    def _read_behind(self, text: str) -> str:
        """A reference was replaced: a colon directly behind it belongs to it, and from other text it is kept apart."""
        if self._swallows:
            self._swallows = False
            if text[0] == ":":
                self._shift -= 1
                self.position += 1
                self._replaced_end = self.position
                self.last = ":"
                text = text[1:]
        self._touches = not text
        apart = self._apart(text, self.position)
        self._choose()
        return apart + self._read_rest(text)

    def _read_word(self, text: str) -> str:
        """The beginning of the word is kept, and at stake."""
        begun = self._kept + text
        if begun not in _BEGUN:
            if begun[:8] not in _OPENED or _IN_NAME(begun, 8) is not None or len(begun) > self._limits.name + 7:
                return self._read_any(text)
            self.read = Reader._read_name
            self._room = self._limits.name + 7 - len(begun)
        self._kept = begun
        self.position += len(text)
        return ""

    def _read_name(self, text: str) -> str:
        """The word, its bracket and a part of the name are kept, and at stake."""
        found = _IN_NAME(text)
        if found is None:
            if len(text) > self._room:
                return self._read_any(text)
            self._kept += text
            self._room -= len(text)
            self.position += len(text)
            return ""
        at = found.start()
        rest = text[at + 1 :]
        raw = self._kept + text[: at + 1]
        name = raw[raw.index("[") + 1 : -1]
        if text[at] != "]" or not name or at > self._room + 1 or _IN_TEXT(rest) is not None:
            return self._read_any(text)
        start, end = self._base, self._base + len(raw)
        self._kept = ""
        self._candidate = NONE
        shown = self._count(name, self._names.meaning(name), start, raw)
        if shown is not raw:
            self._swallows = not rest
            if rest[:1] == ":":
                rest, end = rest[1:], end + 1
            self._shift += len(shown) - (end - start)
            self._replaced_end, self._touches = end, not rest
            shown += self._apart(rest, end)
        if rest:
            self._tell_end(rest, end)
        self.position += len(text)
        self.last = text
        self._choose()
        return shown + rest

    def _tell_end(self, text: str, position: int) -> None:
        """Tell the paragraph of what stands directly behind a reference."""
        if self._paragraph.is_watching and _SENTENCE_END(text) is not None:
            self._paragraph.forget()
        else:
            self._tell(text, position, "]")

    # ------------------------------------------------------------------------------------- what was deleted

    def _stake(self, end: int) -> int:
        """As before; a reference in whose brackets something was deleted is replaced wherever unknown ones are."""
        begun = self._kept[self._candidate - self._base :]
        bracket = begun.find("[", 1) if self._walls else NONE
        if bracket < 0 or not self._is_torn(self._candidate + bracket, end + 1):
            return super()._stake(end)
        if self._names.is_at_stake(begun, self._ticks, end, torn=True):
            return self._candidate
        at = begun.rfind("S", 1)
        if at < 0 or self._begins_word(begun, at) is None:
            return end
        if begun[at - 1] in WORD_CHARACTERS and not self._is_wall(self._candidate + at):
            return end
        return self._candidate + at if self._names.is_at_stake(begun[at:], self._ticks, end) else end

    # ------------------------------------------------------------------------------- what replaces a reference

    def _count(self, name: str, meaning: Meaning, start: int, raw: str) -> str:
        """As before; what replaces a reference is kept apart from what stands before it by a space."""
        before = self._kept[start - self._base - 1] if start > self._base else self._before
        if not meaning.is_replaced or (before not in _APART_FROM and start != self._replaced_end):
            return super()._count(name, meaning, start, raw)
        self._tell(" ", start, before)
        self._shift += 1
        shown = super()._count(name, meaning, start, raw)
        self._shift -= 1
        return " " + shown

    def _settle_reference(self, item: Item, meaning: Meaning) -> None:
        super()._settle_reference(item, meaning)
        if meaning.is_replaced:
            end = self._replaced_end = self._settled
            at = end - self._base
            behind = self._kept[at : at + 1]
            self._touches = not behind
            self._out.append(self._apart(behind, end))

    def _apart(self, text: str, position: int) -> str:
        """A space, where text directly behind what replaced a reference would make a link of it."""
        if text[:1] not in _APART:
            return ""
        self._tell(" ", position, "]")
        self._shift += 1
        return " "

    # ------------------------------------------------------------------------------------------- any text, any state

    def _read_any(self, text: str) -> str:
        """Read any text in any state."""
        if not self._kept:
            self._base = self._sent = self._settled = self.position
            self._before = self.last[-1:]
        start = len(self._kept)
        self._kept += text
        self.position += len(text)
        self.last = text
        self._walk(start)
        shown = self._advance()
        self._choose()
        return shown

    def deleted(self) -> str:
        """Something was deleted here: what comes next stands beside nothing."""
        self._wall_off(self.position)
        shown = self._advance() if self._kept else ""
        self._swallows = False
        self._choose()
        return shown

    def finish(self) -> str:
        """End the answer and return what was held."""
        self._close()
        shown = self._advance() if self._kept else ""
        self.account.quotes += self._paragraph.end()
        return shown

    def abandon(self) -> None:
        """End the answer with what was shown of it: the rest is as if it had never come."""
        if self._kept:
            self._forget_from(self._sent)
            self._close()
            self._advance()
        self.account.quotes += self._paragraph.end()

    def _choose(self) -> None:
        """Choose what to look for in the next text, and what to expect of it."""
        self.find = len
        self.calm = ""
        paragraph = self._paragraph
        if self._kept:
            self.read = self._beginning()
        elif self._touches:
            self.read = Reader._read_behind
        elif self._fence.character:
            self.read = Reader._read_any
            if self._fence.is_inside:
                self.find = _IN_FENCE
        elif self._ticks.openers or self._ticks.run:
            self.read = Reader._read_any
        elif paragraph.is_recording:
            self.read = Reader._read_quoted if self._head == BODY else Reader._read_any
        elif self._head != BODY:
            self.read = Reader._read_line if self._head == 0 else Reader._read_any
        else:
            self.read = Reader._read_plain
            if not paragraph.is_unsure:
                self.find, self.calm = _PROSE_PART if paragraph.is_watching else _TEXT_PART

    def _beginning(self) -> Callable[[Reader, str], str]:
        """What to expect where something is kept."""
        if not self._keeps_beginning():
            return Reader._read_any
        bracket = self._kept.find("[")
        self._room = self._limits.name + bracket - len(self._kept)
        if bracket < 0:
            return Reader._read_word
        return Reader._read_name if self._room >= 0 else Reader._read_any

    def _keeps_beginning(self) -> bool:
        """Whether what is kept is the beginning of a reference with the word, unknown names are marked, and no more."""
        return (
            self._base == self._sent == self._candidate
            and not (self._walls and self._walls[-1] > self._base)
            and self._kept[0] == "S"
            and self._names.marks
            and self._head == BODY
            and not (self._ticks.openers or self._ticks.run)
        )
