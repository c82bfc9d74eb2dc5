"""Places: where in an answer a reference can be written so that it counts and nothing else is read in another way.

Rules of this module: it reads the answer without the references that are written into it, by the finder that will read
it with them. What could be the middle of anything is no place: of code, a fence, a reference, a word, brackets, the
address of a link, a quotation, the head of a line. It may pass over a good place, for a better one follows, and never
takes a bad one.
"""

from __future__ import annotations

import re
from typing import Final

from ._code import FENCE_CHARS
from ._finder import BODY, Finder, Kind
from ._ledger import MAX_REFERENCE_CHARS, CitationLedger
from ._quotes import CLOSERS, MAX_QUOTE_CHARS
from ._references import WORD_CHARACTERS, Limits, Names, goes_on

BRACKET_CHARS: Final = MAX_REFERENCE_CHARS + 46
"""How far behind an opening bracket the one that closes it is waited for: more than any reference is long."""

LINK_CHARS: Final = 2048
"""How far behind the beginning of a link's address its end is waited for."""

_LIMITS: Final = Limits()
_NAMES: Final = Names(CitationLedger(), mark=True, rewrite=False, limits=_LIMITS)
_MARKS: Final = "".join(sorted({*CLOSERS, *"".join(CLOSERS.values())}))
_NOTABLE: Final = re.compile(rf"[\[\](){_MARKS}]|[ \t\r\n]+")
_BREAK: Final = re.compile("\r\n|\r|\n")
_LINE_ENDS: Final = re.compile(r"[ \t]*[\r\n]").match
_PARAGRAPH_ENDS: Final = re.compile(r"[ \t]*(?>\r\n|\r|\n)[ \t]*[\r\n]").match
_BEFORE_CLOSING: Final = re.compile("[^\\W_]|[.,;:!?\u2026]")
_UNFINISHED: Final = re.compile("(?:SOURCE|Source)[ \t]*").fullmatch
# A further place is behind what is no space, and not between two letters of a word; in a fence, at the end of a line.
_NEXT: Final = re.compile(r"[A-Za-z0-9_](?![A-Za-z0-9_])|[^A-Za-z0-9_ \t\r\n]").search
_NEXT_LINE: Final = re.compile(r"[^ \t\r\n](?=[ \t]*[\r\n])").search


class Places(Finder):
    """Reads an answer up to a place, and says whether a reference can stand there.

    Attributes:
        named: Names in the references that were read, each with the place where the last of them begins.
        position: How many characters were read.
    """

    __slots__ = ("_address", "_bracket", "_breaks", "_closers", "_depth", "_last", "_quotation", "named", "position")

    def __init__(self) -> None:
        super().__init__(_NAMES, _LIMITS)
        self.named: dict[str, int] = {}
        self.position: int = 0
        self._last = ""  # the last character
        self._breaks: int = 0  # line breaks since anything showed
        self._depth: int = 0  # brackets that are open
        self._bracket: int = 0  # where the last of them stands
        self._address: int = -1  # where the address of a link begins
        self._closers = ""  # what closes the quotation that is open
        self._quotation: int = 0  # where it begins

    # -------------------------------------------------------------------------------------------------- reading

    def read(self, text: str) -> None:
        """Read on."""
        start = len(self._kept)
        self._kept += text
        self._walk(start)
        self._trim()
        at = 0
        for found in _NOTABLE.finditer(text):
            if found.start() > at:
                self._breaks = 0
            self._notice(found[0], text[found.start() - 1] if found.start() else self._last, found.start())
            at = found.end()
        if at < len(text):
            self._breaks = 0
        self.position += len(text)
        self._last = text[-1:] or self._last

    def delete(self) -> None:
        """Something was deleted here: no reference goes on."""
        self._wall_off(self._base + len(self._kept))

    def next_place(self, text: str, at: int) -> int:
        """The next offset in a text at which to ask again: its length where there is none."""
        found = (_NEXT_LINE if self._fence.character else _NEXT)(text, at)
        return found.end() if found else len(text)

    def _trim(self) -> None:
        """Keep what is not certain, and write down the references that are."""
        base, ticks = self._base, self._ticks
        end = base + len(self._kept)
        ticks.expire(end)
        target = self._candidate if self._candidate >= 0 else end
        if ticks.openers:
            target = min(target, ticks.openers[0].start)
        target = min(target, end - (ticks.kept_run(ticks.run) or self._tildes))
        for item in self._found:
            is_torn = self._is_torn(item.end - len(item.name) - 2, item.end)
            if item.kind is Kind.REFERENCE and item.end <= target and not is_torn:
                self.named[item.name] = item.start
        self._found = [item for item in self._found if item.end > target]
        if target > base:
            self._before = self._kept[target - base - 1]
            self._kept = self._kept[target - base :]
            self._base = target

    def _notice(self, what: str, before: str, offset: int) -> None:
        """Read a bracket, a quotation mark, or white space."""
        place = self.position + offset
        if what[0] in " \t\r\n":
            self._spaced(what, before)
            return
        self._breaks = 0
        if what == "[":
            # Those of long ago count no more: nobody closed them.
            self._depth = self._depth + 1 if self._is_bracketed(place) else 1
            self._bracket = place
        elif what == "]":
            self._depth = max(self._depth - 1, 0)
        elif what in "()":
            self._address = place if what == "(" and before == "]" else -1
        else:
            self._quoted(what, before, place)

    def _spaced(self, spaces: str, before: str) -> None:
        """White space ends an address, a line brackets, and a paragraph quotations."""
        self._address = -1
        self._breaks += len(_BREAK.findall(spaces)) - (before == "\r" and spaces[0] == "\n")
        if self._breaks:
            self._depth = 0
        if self._breaks > 1:
            self._closers = ""

    def _quoted(self, mark: str, before: str, place: int) -> None:
        """A mark closes the quotation that is open, or opens one where it does not stand behind a word."""
        if self._is_quoted(place):
            if mark in self._closers:
                self._closers = ""
        elif mark in CLOSERS and not (mark in CLOSERS[mark] and before and _BEFORE_CLOSING.match(before)):
            self._closers, self._quotation = CLOSERS[mark], place

    def _is_bracketed(self, place: int) -> bool:
        return self._depth > 0 and place - self._bracket <= BRACKET_CHARS

    def _is_quoted(self, place: int) -> bool:
        return self._closers != "" and place - self._quotation <= MAX_QUOTE_CHARS

    # -------------------------------------------------------------------------------------------------- asking

    def ends_fence(self, text: str, at: int) -> bool:
        """Whether a fence ends here: a reference goes on a line of its own behind it.

        Args:
            text: What follows, with at least one character that is no white space.
            at: From where on.
        """
        return self._fence.character != "" and self._fence.may_close and _LINE_ENDS(text, at) is not None

    def ends_paragraph(self, text: str, at: int) -> bool:
        """Whether a blank line follows."""
        return _PARAGRAPH_ENDS(text, at) is not None

    def ends_line(self, text: str, at: int) -> bool:
        """Whether a line ends here, and a reference may stand at its end or on a line of its own behind it."""
        if self._fence.character or _LINE_ENDS(text, at) is None or not self._has_paused(text[at]):
            return False
        if self._is_quoted(self.position) and not self.ends_paragraph(text, at):
            return False
        return all(opener.length < FENCE_CHARS for opener in self._ticks.openers)

    def may_stand(self, text: str, at: int) -> bool:
        """Whether a reference may stand here, in the middle of a line or at its end."""
        if self.ends_line(text, at):
            return True
        following = text[at]
        if self._fence.character or self._head != BODY or following in "([:" or not self._has_paused(following):
            return False
        return not (self._ticks.openers or self._is_quoted(self.position) or self._is_inside(following))

    def _has_paused(self, following: str) -> bool:
        """Whether anything was shown, and no run of backticks, fence or character goes on."""
        if self._last in ("", *" \t\r\n") or "\ud800" <= self._last <= "\udbff":
            return False
        if self._ticks.run:
            if following == "`":
                return False
            self._end_run(len(self._kept))
        return not self._ticks.is_fence

    def _is_inside(self, following: str) -> bool:
        """Whether this is the middle of a word, of brackets, of an address, or of what may become a reference."""
        if _is_in_word(self._last) and _is_in_word(following):
            return True
        if self._is_bracketed(self.position) or (self._address >= 0 and self.position - self._address <= LINK_CHARS):
            return True
        begun = self._kept[self._candidate - self._base :] if self._candidate >= 0 else ""
        return "[" in begun or _UNFINISHED(begun) is not None

    def end(self) -> str:
        """What has to stand between the end of the answer and a line with references; ``""`` where none is needed."""
        if self._ticks.run:
            self._end_run(len(self._kept))
        opened = self._ticks.is_fence
        if opened:
            self._open_fence()
        if self._fence.character:
            return "\n" if self._fence.may_close else f"\n{self._fence.closing}\n"
        return "\n" if opened else ""


def _is_in_word(character: str) -> bool:
    return character in WORD_CHARACTERS or (character > "\x7f" and goes_on(character))
