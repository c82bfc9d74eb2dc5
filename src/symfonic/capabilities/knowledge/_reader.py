"""The reader: a stream of text goes in, what may be shown of it comes out, and references are settled on the way.

Rules of this module: places are counted in the text that came in, from its beginning. Text is *sent* as soon as
nothing that can follow would change it, and *settled* once it is certain what it is: a reference, code or plain text.
Only what is not settled is kept. Sent text may still be unsettled: a reference that is left as it is, or the inside of
what may become inline code.

What is kept is bounded: the longest beginning of a reference, or what stands behind a backtick run as long as that may
yet open code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, cast

from ._finder import BODY, NONE, Finder, Item, Kind
from ._quotes import ENDING, OPENING, Paragraph
from ._references import MARK, WORD_CHARACTERS
from ._refusals import refuse
from ._text import exact_str, is_text
from .errors import type_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._account import Account
    from ._ledger import LedgerEntry
    from ._references import Limits, Meaning, Names

_NOTABLE: Final = "S\\[`\r\n"
# A line break is nothing to look at where it is certain that the next line is neither blank nor opens a fence. All
# alternatives begin with a character, so that the search skips to the first of them.
_IN_TEXT: Final = re.compile("|".join([*map(re.escape, f"S[`\r{OPENING}"), "\n(?:[ \t~`\r\n]|\\Z)"])).search
_IN_SENTENCE: Final = re.compile("|".join([*map(re.escape, f"S[`\r{OPENING}{ENDING}"), "\n(?:[ \t~`\r\n]|\\Z)"])).search
_IN_QUOTES: Final = re.compile(f"[{_NOTABLE}]").search
_IN_FENCE: Final = re.compile("[\r\n]").search
_IN_NAME: Final = re.compile("[][`\r\n]").search
_IN_WORD: Final = re.compile(r"[\[`\r\n]").search
_QUOTE: Final = re.compile(f"[{OPENING}]").search
_IN_SENTENCE_CALM: Final = "abcdefghijklmnopqrstuvwxyz0123456789 ,;-()'"
_CALM: Final = _IN_SENTENCE_CALM + ".:?"
_TEXT_PART: Final = (_IN_TEXT, _CALM)
_PROSE_PART: Final = (_IN_SENTENCE, _IN_SENTENCE_CALM)
_HEAD: Final = frozenset(" \t~`\r\n")  # with these a line may begin that is blank, or opens a fence
_LINE_END: Final = re.compile(
    f"[^{_NOTABLE}{OPENING}]*\n(?:[^{_NOTABLE}{OPENING} \t~][^{_NOTABLE}{OPENING}]*)?"
).fullmatch
_PROSE: Final = f"[^{_NOTABLE}{OPENING}{ENDING}]*"
_SENTENCE_END: Final = re.compile(f"{_PROSE}[{ENDING}][ \\t]{_PROSE}").fullmatch
_UNSURE_END: Final = re.compile(f"[ \\t]{_PROSE}").fullmatch
_OPENED: Final = frozenset({"SOURCE [", "Source ["})
_BEGUN: Final = frozenset(text[:end] for text in _OPENED for end in range(1, len(text)))
_NOTHING: Final = frozenset[str]()


class Reader(Finder):
    """Reads one answer.

    Text for which :attr:`find` answers nothing true may be shown as it is, without reading it; whoever does so keeps
    :attr:`position` and :attr:`last` up to date. Other text is given to :attr:`read`.

    Args:
        names: What names mean.
        account: Where references are counted.
        render: What writes an admitted reference.
        limits: The numbers that bound what is held.

    Attributes:
        account: Where references are counted.
        calm: Characters that need not even be looked for; a short text is faster stripped of them than searched.
        find: Answers something true where the next text needs to be read.
        read: Reads text and answers what may be shown of it: one of the methods below, after what is expected next. All
            of them fall back on `_read_any`, and give what it would give.
        position: How many characters came in.
        last: Some text that ends with the last of them; empty at the beginning, and where something was deleted.
    """

    __slots__ = (
        "_begun", "_out", "_paragraph", "_render", "_room", "_sent", "_settled", "_shift", "_swallows", "account",
        "calm", "find", "last", "position", "read",
    )  # fmt: skip

    def __init__(
        self, names: Names, account: Account, render: Callable[[LedgerEntry, int], str] | None, limits: Limits
    ) -> None:
        super().__init__(names, limits)
        self._render = render
        self._paragraph = Paragraph()
        self._out: list[str] = []
        self._begun = (
            _BEGUN if names.marks else _NOTHING
        )  # beginnings of a reference that are at stake, whatever follows
        self._sent = self._settled = 0  # how far text is sent and settled
        self._shift = 0  # how much longer the output is than what came in, up to where it is settled
        self._swallows = False  # whether a colon that comes now belongs to a reference that was replaced
        self._room = 0  # how many more characters of a name keep it shorter than the longest
        self.account = account
        self.calm = ""
        self.find: Callable[[str], object] = len
        self.read: Callable[[Reader, str], str] = Reader._read_any
        self.position = 0
        self.last = ""

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

    def _read_colon(self, text: str) -> str:
        """A reference was replaced: a colon directly behind it belongs to it."""
        self._swallows = False
        self._choose()
        if text[0] != ":":
            return self._read_rest(text)
        self._shift -= 1
        self.position += 1
        self.last = ":"
        return self._read_rest(text[1:])

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

    def _tell(self, text: str, position: int, before: str) -> None:
        """Tell the paragraph of plain text, where it has to know."""
        paragraph = self._paragraph
        if paragraph.is_recording or paragraph.is_watching or _QUOTE(text) is not None:
            paragraph.plain(text, position + self._shift, before)

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
        return self._advance()

    def deleted(self) -> str:
        """Something was deleted here: no reference goes on, and what comes next stands beside nothing."""
        shown = ""
        if self._kept:
            self._wall_off()
            shown = self._advance()
        self.last = ""
        if self._swallows:
            self._swallows = False
            self._choose()
        return shown

    def finish(self) -> str:
        """End the answer and return what was held."""
        self._close()
        shown = self._advance() if self._kept else ""
        self.account.quotes += self._paragraph.end()
        return shown

    def _advance(self) -> str:
        """Settle what is certain, send what nothing can change any more, keep the rest."""
        kept, base, ticks = self._kept, self._base, self._ticks
        end = base + len(kept)
        ticks.expire(end)
        target = self._settle_found(end)
        self._plain(target)
        limit = next((item.start for item in self._found if item.is_replaced), end)
        candidate = self._candidate
        if 0 <= candidate < limit and self._names.is_at_stake(kept[candidate - base :], ticks, end):
            limit = candidate
        if limit > self._sent:
            self._out.append(kept[self._sent - base : limit - base])
            self._sent = limit
        if target > base:
            self._before = kept[target - base - 1]
            self._kept = kept[target - base :]
            self._base = target
        self._choose()
        return self._taken()

    def _taken(self) -> str:
        """What is to be shown now."""
        shown = "".join(self._out)
        self._out.clear()
        return shown

    def _settle_found(self, end: int) -> int:
        """Settle every item that is certain, and return up to where everything is."""
        ticks = self._ticks
        target = self._candidate if self._candidate >= 0 else end
        if ticks.openers:
            target = min(target, ticks.openers[0].start)
        target = min(target, end - (ticks.kept_run(ticks.run) or self._tildes))
        done = 0
        for item in self._found:
            if item.end > target:
                target = min(target, item.start)
                break
            self._settle(item)
            done += 1
        del self._found[:done]
        return target

    def _settle(self, item: Item) -> None:
        self._plain(item.start)
        if item.meaning is not None:
            self._settle_reference(item, item.meaning)
            return
        if item.kind is Kind.CODE:
            self._paragraph.code(self._kept[item.start - self._base : item.end - self._base])
        else:
            self.account.quotes += self._paragraph.end()
        self._settled = item.end

    def _plain(self, stop: int) -> None:
        """Settle plain text up to ``stop``."""
        start, base = self._settled, self._base
        if start < stop:
            before = self._kept[start - base - 1] if start > base else self._before
            self._tell(self._kept[start - base : stop - base], start, before)
            self._settled = stop

    def _settle_reference(self, item: Item, meaning: Meaning) -> None:
        kept, base = self._kept, self._base
        raw = kept[item.start - base : item.end - base]
        shown = self._count(item.name, meaning, item.start, raw)
        self._settled = item.end
        if shown is not raw:
            self._out += (kept[self._sent - base : item.start - base], shown)
            end = item.end
            if not item.sealed:
                # A colon behind it belongs to the reference.
                self._swallows = end - base == len(kept)
                end += kept.startswith(":", end - base)
            self._settled = self._sent = end
            self._shift += len(shown) - (end - item.start)

    def _count(self, name: str, meaning: Meaning, start: int, raw: str) -> str:
        """Count a reference and return what is shown of it: the same object where it is left as it is."""
        offset = start + self._shift
        entries = meaning.entries
        shown = raw
        if len(entries) == 1:
            number = self.account.cite(entries[0], offset)
            if meaning.is_replaced:
                shown = self._rendered(entries[0], number)
        elif entries:
            self.account.doubt(name, offset)
        else:
            self.account.miss(name, offset)
            if meaning.is_replaced:
                shown = MARK
        self._paragraph.reference(shown, meaning.labels)
        return shown

    def _rendered(self, entry: LedgerEntry, number: int) -> str:
        """What ``render`` writes; whatever goes wrong there is told with the label."""
        render = cast("Callable[[LedgerEntry, int], object]", self._render)  # without it nothing is rewritten
        try:
            shown = render(entry, number)
        except Exception as error:  # noqa: BLE001 - the operator's function may raise anything
            refuse("KB-GRD-RENDER-1", entry.label, error=type_name(error))
        if not is_text(shown):
            refuse("KB-GRD-RENDER-2", entry.label, kind=type_name(shown))
        return exact_str(shown)

    def _choose(self) -> None:
        """Choose what to look for in the next text, and what to expect of it."""
        self.find = len
        self.calm = ""
        paragraph = self._paragraph
        if self._kept:
            self.read = self._beginning()
        elif self._swallows:
            self.read = Reader._read_colon
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
            and self._kept[0] == "S"
            and self._names.marks
            and self._head == BODY
            and not (self._ticks.openers or self._ticks.run)
        )
