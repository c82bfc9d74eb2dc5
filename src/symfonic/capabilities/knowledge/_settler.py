"""The settler: what of an answer is certain is counted, what nothing can change any more is sent.

Rules of this module: places are counted in the text that came in, from its beginning. Text is *sent* as soon as
nothing that can follow would change it, and *settled* once it is certain what it is: a reference, code or plain text.
Only what is not settled is kept. Sent text may still be unsettled: a reference that is left as it is, or the inside of
what may become inline code.

What is kept is bounded: the longest beginning of a reference, or what stands behind a backtick run as long as that may
yet open code.
"""

from __future__ import annotations

import re
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from ._finder import Finder, Item, Kind
from ._quotes import OPENING, Paragraph
from ._references import MARK, WORD_CHARACTERS, word_pattern
from ._refusals import refuse
from ._text import exact_str, is_text
from .errors import type_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._account import Account
    from ._code import Opener
    from ._ledger import LedgerEntry
    from ._quotes import ParagraphMark
    from ._references import Limits, Meaning, Names

_QUOTE: Final = re.compile(f"[{OPENING}]").search


# What decides, besides what is kept in lists, how an answer ends that ends here; nothing is read any more.
_STATE: Final = (
    "_base", "_before", "_candidate", "_fence_start", "_is_owed", "_kept", "_sent", "_settled", "_shift", "_tildes",
)  # fmt: skip
_state: Final = attrgetter(*_STATE)


class Mark(NamedTuple):
    """A state of an answer, to which whoever reads it can go back to end it there.

    Args:
        shown: How many characters of the output were sent.
        counted: How much was written down in its account.
        paragraph: The state of the paragraph.
        state: Values of slots.
        lists: What was found, and where something was deleted.
        code: What code stands open.
    """

    shown: int
    counted: int
    paragraph: ParagraphMark
    state: tuple[Any, ...]
    lists: tuple[tuple[Item, ...], tuple[int, ...]]
    code: tuple[tuple[Opener, ...], int, bool, str]


class Settler(Finder):
    """Counts and sends what a finder has found.

    Args:
        names: What names mean.
        account: Where references are counted.
        render: What writes an admitted reference.
        limits: The numbers that bound what is held.

    Attributes:
        account: Where references are counted.
    """

    __slots__ = ("_begins_word", "_out", "_paragraph", "_render", "_sent", "_settled", "_shift", "_swallows", "account")

    def __init__(
        self, names: Names, account: Account, render: Callable[[LedgerEntry, int], str] | None, limits: Limits
    ) -> None:
        super().__init__(names, limits)
        self._begins_word = word_pattern(limits).fullmatch
        self._render = render
        self._paragraph = Paragraph()
        self._out: list[str] = []
        self._sent: int = 0  # how far text is sent
        self._settled: int = 0  # how far text is settled
        self._shift: int = 0  # how much longer the output is than what came in, up to where it is settled
        self._swallows = False  # whether a colon that comes now belongs to a reference that was replaced
        self.account = account

    def mark(self, shown: int) -> Mark:
        """This state, at little cost, for :meth:`restore`; ``shown`` characters of the output were sent."""
        ticks, fence = self._ticks, self._fence
        return Mark(
            shown,
            self.account.place(),
            self._paragraph.mark(),
            _state(self),
            (tuple(self._found), tuple(self._walls)),
            (tuple(ticks.openers), ticks.run, ticks.is_fence, fence.character),
        )

    def restore(self, mark: Mark) -> None:
        """Go back to a state of before, to end the answer there."""
        self.account.take_back(mark.counted)
        self._paragraph.restore(mark.paragraph)
        for name, value in zip(_STATE, mark.state, strict=True):
            setattr(self, name, value)
        self._found[:], self._walls[:] = mark.lists
        openers, self._ticks.run, self._ticks.is_fence, self._fence.character = mark.code
        self._ticks.openers[:] = openers
        self._out.clear()

    def _advance(self) -> str:
        """Settle what is certain, send what nothing can change any more, keep the rest."""
        kept, base, ticks = self._kept, self._base, self._ticks
        end = base + len(kept)
        ticks.expire(end)
        target = self._settle_found(end)
        self._plain(target)
        limit = next((item.start for item in self._found if item.is_replaced), end)
        if 0 <= self._candidate < limit:
            limit = min(limit, self._stake(end))
        if limit > self._sent:
            self._out.append(kept[self._sent - base : limit - base])
            self._sent = limit
        if target > base:
            self._before = kept[target - base - 1]
            self._kept = kept[target - base :]
            self._base = target
        return self._taken()

    def _stake(self, end: int) -> int:
        """Where what began and may yet be replaced begins: ``end`` where nothing may.

        Where the beginning as a whole cannot become a reference that is replaced, one that can may have begun inside
        it: ``[S`` may go on as ``[SOURCE [x]``. A name holds no bracket, so that is never more than the word.
        """
        begun = self._kept[self._candidate - self._base :]
        if self._names.is_at_stake(begun, self._ticks, end):
            return self._candidate
        at = begun.rfind("S", 1)
        if at < 0 or begun[at - 1] in WORD_CHARACTERS or self._begins_word(begun, at) is None:
            return end
        return self._candidate + at if self._names.is_at_stake(begun[at:], self._ticks, end) else end

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
        self._paragraph.reference(shown, offset, meaning.labels)
        return shown

    def _rendered(self, entry: LedgerEntry, number: int) -> str:
        """What ``render`` writes; whatever goes wrong there is told with the label."""
        render = cast("Callable[[LedgerEntry, int], object]", self._render)  # without it nothing is rewritten
        try:
            shown = render(entry, number)
        except Exception as error:  # noqa: BLE001 - the operator's function may raise anything
            refuse("KB-GRD-RENDER-1", entry.label, error=type_name(error))
        if not is_text(shown):
            refuse("KB-GRD-RENDER-2", entry.label, got=f"{type_name(shown)} for {entry.label!r}")
        return exact_str(shown)

    def _tell(self, text: str, position: int, before: str) -> None:
        """Tell the paragraph of plain text, where it has to know."""
        paragraph = self._paragraph
        if paragraph.is_recording or paragraph.is_watching or _QUOTE(text) is not None:
            paragraph.plain(text, position + self._shift, before)
