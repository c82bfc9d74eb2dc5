"""Writing references into an answer: those a model gave beside its text, at places where they count.

Rules of this module: a sans-I/O filter. It adds references and nothing else, but for the fence that it closes at the
end of an answer that left one open. Whoever reads its output finds every reference that was there before, every
reference that was written, and no other.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ._ledger import MAX_REFERENCE_CHARS
from ._places import Places
from ._refusals import refuse
from ._streaming import Parts, checked_text
from ._text import exact_str, is_text

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["ReferenceWriter"]

_SPACE: Final = " \t\r\n"
_NAME: Final = re.compile(rf"[^\[\]\r\n]{{1,{MAX_REFERENCE_CHARS}}}").fullmatch


class ReferenceWriter:
    """Writes ``SOURCE [name]`` into an answer while it streams, behind the words that rest on it.

    A reference that stands in code is none, and one in the middle of something makes something else of it. So it waits
    for the first place where it counts and changes nothing about how the rest is read: behind code, a fence, brackets,
    the address of a link, a quotation, a word, the head of a line. What is still waiting when the answer ends is
    written there, behind a fence that is closed for it. White space goes behind it.

    A filter: it stands in a :func:`chain` behind the filters of text and before the one that checks references. Text is
    held back only where it is white space. A writer serves one answer at a time and is as good as new after `flush`.
    """

    __slots__ = ("_alone", "_begin", "_held", "_places", "_waiting")

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._places = Places()
        self._begin: int = 0  # where the words begin that the next names stand for
        self._held: list[str | None] = []  # white space, and None for each place where something was deleted
        self._waiting: dict[str, int] = {}  # names, and where the words begin that rest on them
        self._alone = False  # whether one of them needs a line of its own: a backtick in it could make code

    def feed(self, text: str) -> str:
        """Take the next piece of the answer and return what can be shown of it now.

        Raises:
            BridgeTypeError: ``text`` is no text (``KB-STR-TEXT-1``); what is held stays as it was.
        """
        return "".join(self._feed_parts(text))

    def cite(self, names: Iterable[str] = ()) -> None:
        """Say what the words rest on that came since this was last said; nothing, where no name is given.

        Args:
            names: Labels, or other names. One that the words name themselves as ``SOURCE [name]`` is not written again.

        Raises:
            BridgeContractError: A name that no reference can have (``KB-GRD-WRITER-1``); nothing was noted.
        """
        taken = [_checked(name) for name in names]
        for name in taken:
            self._waiting.setdefault(name, self._begin)
            self._alone = self._alone or "`" in name
        self._begin = self._places.position

    def flush(self) -> str:
        """End the answer and return what is left of it: references that still wait, then white space."""
        return "".join(self._flush_parts())

    # ---------------------------------------------------------------------------------------- text with seams

    def _feed_parts(self, text: str) -> list[str]:
        out = Parts()
        self._take(checked_text(text), out)
        return out.parts()

    def _pass_parts(self, parts: list[str]) -> list[str]:
        """As `_feed_parts`, from parts."""
        out = Parts()
        for number, part in enumerate(parts):
            if number:
                self._held.append(None)
            self._take(part, out)
        return out.parts()

    def _flush_parts(self) -> list[str]:
        out = Parts()
        if self._waiting:
            places = self._places
            out.text(self._written(places.end() or ("\n" if self._alone else " " * (places.position > 0))))
        for piece in self._held:
            if piece is None:
                out.seam()
            else:
                out.text(piece)
        self._clear()
        return out.parts()

    def _take(self, text: str, out: Parts) -> None:
        shown = text.rstrip(_SPACE)
        if shown:
            if self._waiting:
                self._write_here("".join(filter(None, self._held)) + shown, 0, out)
            self._let_go(out)
            self._pass(shown[self._write_within(shown, out) :], out)
        if len(shown) < len(text):
            self._held.append(text[len(shown) :])

    def _let_go(self, out: Parts) -> None:
        """Show the white space that was held: text follows it."""
        for piece in self._held:
            if piece is None:
                self._places.delete()
                out.seam()
            else:
                self._pass(piece, out)
        self._held = []

    def _write_within(self, text: str, out: Parts) -> int:
        """Write what waits into a text as soon as it can be, and return how far the text was read."""
        places, at = self._places, 0
        while self._waiting and (next_ := places.next_place(text, at)) < len(text):
            self._pass(text[at:next_], out)
            at = next_
            self._write_here(text, at, out)
        return at

    def _pass(self, text: str, out: Parts) -> None:
        self._places.read(text)
        out.text(text)

    def _write_here(self, text: str, at: int, out: Parts) -> None:
        """Write what waits, where it can stand here."""
        places = self._places
        if places.ends_fence(text, at):
            # A blank line behind it: what follows is another paragraph, as it was without.
            out.text(self._written("\n", end="" if places.ends_paragraph(text, at) else "\n"))
        elif self._alone and places.ends_line(text, at):
            out.text(self._written("\n"))
        elif not self._alone and places.may_stand(text, at):
            out.text(self._written(" "))

    def _written(self, lead: str, *, end: str = "") -> str:
        """The references that wait and that the words do not name; nothing waits any more."""
        named = self._places.named
        names = [name for name, since in self._waiting.items() if named.get(name, -1) < since]
        between = "\n" if self._alone else " "
        self._waiting, self._alone = {}, False
        return lead + between.join(f"SOURCE [{name}]" for name in names) + end if names else ""


def _checked(name: object) -> str:
    if not is_text(name) or not _NAME(exact_str(name)):
        refuse("KB-GRD-WRITER-1", name)
    return exact_str(name)
