"""Rendered pieces become one text: budget, offsets, digests. Private; the compiler hands its values out.

Rules of this module: it counts and joins, and never looks into a text. It must not know sources, reads or policies.

- Pieces stand in rank order. Between two neighbours stands :data:`SEPARATOR`, and it belongs to the layer of the later
  one, so that the layers joined without anything between are the text.
- The authority note comes first and belongs to ``L0``.
- Over the ceiling, learned pieces go first, last-ranked first, then unpinned authored ones, last-ranked first.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from ._counting import counted, unit_of
from .contracts import LAYER_LADDER, PromptContribution, PromptLayer, PromptTier
from .diagnostics import DiagnosticCode, PromptDiagnostic
from .errors import PromptBudgetError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = [
    "SEPARATOR",
    "CompiledPrompt",
    "Outcome",
    "Piece",
    "PromptBlock",
    "PromptDigests",
    "fit_to_budget",
    "joined_chars",
    "lay_out",
]

SEPARATOR: Final = "\n\n"
"""Stands between two blocks, and between the authority note and the first block."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptBlock:
    """One rendered contribution, and where it stands. Offsets count code points of :attr:`CompiledPrompt.text`.

    Attributes:
        contribution_id: Whose text it is.
        capability: Who declared it.
        tier: Under which authority it stands.
        layer: In which layer it stands.
        trusted: Whether it is authored text rendered verbatim; otherwise it stands inside an untrusted block.
        revision: The source's own word for this state of its text; not part of the repr.
        tag: Tag of the delimiters; empty for a trusted block.
        start: Where the block begins, delimiters included.
        end: Where it ends, delimiters included.
        content_start: Where the text between the delimiters begins; ``start`` for a trusted block.
        content_end: Where it ends; ``end`` for a trusted block.
    """

    contribution_id: str
    capability: str
    tier: PromptTier
    layer: PromptLayer
    trusted: bool
    revision: str = field(repr=False)
    tag: str
    start: int
    end: int
    content_start: int
    content_end: int

    @property
    def chars(self) -> int:
        """Characters the block takes in the prompt, delimiters included."""
        return self.end - self.start


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptDigests:
    """SHA-256, 64 lower-case hex digits each, of the UTF-8 bytes of cumulative prefixes: equal bytes, equal digest.

    Attributes:
        l0: Of the text up to the end of ``L0``.
        l1: Of the text up to the end of ``L1``.
        whole: Of the whole text.
    """

    l0: str
    l1: str
    whole: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledPrompt:
    """The prompt, and the account of how it came to be.

    Attributes:
        text: The prompt exactly as a model gets it; not part of the repr.
        blocks: Every rendered contribution in the order of the text.
        diagnostics: What was left out or changed, in rank order.
        digests: Digests of the text and of its two stable prefixes.
        layer_ends: Where ``L0``, ``L1`` and ``L2`` end in the text.
        note_end: Where the authority note ends in the text; 0 without one.
    """

    text: str = field(repr=False)
    blocks: tuple[PromptBlock, ...]
    diagnostics: tuple[PromptDiagnostic, ...]
    digests: PromptDigests
    layer_ends: tuple[int, int, int]
    note_end: int

    @property
    def layers(self) -> dict[PromptLayer, str]:
        """Text per layer, each with the separator before its first block: joined they are :attr:`text`."""
        starts = (0, *self.layer_ends)
        return {
            layer: self.text[start:end]
            for layer, start, end in zip(LAYER_LADDER, starts, self.layer_ends, strict=False)
        }

    @property
    def authority_note(self) -> str:
        """The authority note as it stands at the head of the text; empty without one."""
        return self.text[: self.note_end]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A contribution that has text, before the budget has spoken."""

    contribution: PromptContribution
    revision: str
    content: str
    opening: str = ""
    closing: str = ""
    tag: str = ""
    notices: tuple[PromptDiagnostic, ...] = ()

    @property
    def chars(self) -> int:
        return len(self.opening) + len(self.content) + len(self.closing)


Outcome: TypeAlias = Piece | PromptDiagnostic
"""What became of one contribution."""


def fit_to_budget(
    note: str, outcomes: Sequence[Outcome], ceiling: int | None, count: Callable[[str], int] | None = None
) -> list[Outcome]:
    """Turn pieces that have to go into diagnostics, until the text fits.

    Args:
        note: The authority note, or nothing; it stays.
        outcomes: One per contribution, in rank order.
        ceiling: Characters the text may have, or tokens where there is a counter; ``None`` for any number.
        count: The counter. It is shown the text as it would be joined, after each piece that goes: what it says of
            parts proves nothing about the whole.

    Raises:
        PromptBudgetError: The note and the pinned pieces alone do not fit.
        CounterError: The counter raised, or answered what is no count.
    """
    kept = list(outcomes)
    if ceiling is None:
        return kept
    total = _total(note, kept, count)
    for place, piece in _in_leaving_order(kept):
        if total <= ceiling:
            break
        kept[place] = PromptDiagnostic(
            DiagnosticCode.OVER_PROMPT,
            piece.contribution.contribution_id,
            f"the prompt had {total} {unit_of(count)} and max_prompt_chars is {ceiling}: the block was left out whole. "
            "Raise the ceiling, pin authored text that must stay, or let the sources answer less.",
            actual=total,
            ceiling=ceiling,
        )
        if count is None:
            # The very last part has no separator to take along; nothing is left then, and less than nothing fits too.
            total -= piece.chars + len(SEPARATOR)
        else:
            total = _total(note, kept, count)
    if total > ceiling:
        raise _over_budget(kept, total, ceiling, unit_of(count))
    return kept


def _total(note: str, outcomes: Iterable[Outcome], count: Callable[[str], int] | None) -> int:
    pieces = [outcome for outcome in outcomes if isinstance(outcome, Piece)]
    if count is None:
        return joined_chars(note, (piece.chars for piece in pieces))
    blocks = [piece.opening + piece.content + piece.closing for piece in pieces]
    return counted(count, SEPARATOR.join([note, *blocks] if note else blocks))


def joined_chars(note: str, blocks: Iterable[int]) -> int:
    """Return the characters of a text of the note, if any, and blocks of these lengths, separators included."""
    parts = [len(note)] if note else []
    parts += blocks
    return sum(parts) + len(SEPARATOR) * max(0, len(parts) - 1)


def _in_leaving_order(outcomes: Sequence[Outcome]) -> list[tuple[int, Piece]]:
    pieces = [(place, item) for place, item in enumerate(outcomes) if isinstance(item, Piece)]
    pieces.reverse()
    learned = [(place, item) for place, item in pieces if not item.contribution.authored]
    authored = [(place, item) for place, item in pieces if item.contribution.authored and not item.contribution.pinned]
    return learned + authored


def _over_budget(outcomes: Iterable[Outcome], total: int, ceiling: int, unit: str) -> PromptBudgetError:
    pinned = [item.contribution.contribution_id for item in outcomes if isinstance(item, Piece)]
    return PromptBudgetError(
        f"what must stay takes {total} {unit} and max_prompt_chars is {ceiling}: the authority note and pinned "
        f"blocks ({', '.join(pinned) or 'none'}) are never left out, so nothing was compiled. Raise the ceiling, "
        "shorten the pinned text, or pin less.",
        contribution_id=pinned[-1] if pinned else "",
        actual=total,
        ceiling=ceiling,
    )


def lay_out(note: str, outcomes: Sequence[Outcome]) -> CompiledPrompt:
    """Join the note and the pieces, and account for every one of them."""
    parts = [note] if note else []
    position = len(note)
    blocks: list[PromptBlock] = []
    diagnostics: list[PromptDiagnostic] = []
    ends = dict.fromkeys(LAYER_LADDER, position)
    for outcome in outcomes:
        if isinstance(outcome, PromptDiagnostic):
            diagnostics.append(outcome)
            continue
        diagnostics.extend(outcome.notices)
        separator = SEPARATOR if position else ""
        blocks.append(_block(outcome, position + len(separator)))
        parts += (separator, outcome.opening, outcome.content, outcome.closing)
        position = blocks[-1].end
        ends.update(dict.fromkeys(LAYER_LADDER[LAYER_LADDER.index(outcome.contribution.layer) :], position))
    text = "".join(parts)
    layer_ends = (ends[PromptLayer.L0], ends[PromptLayer.L1], ends[PromptLayer.L2])
    return CompiledPrompt(
        text=text,
        blocks=tuple(blocks),
        diagnostics=tuple(diagnostics),
        digests=_digests(text, layer_ends),
        layer_ends=layer_ends,
        note_end=len(note),
    )


def _block(piece: Piece, start: int) -> PromptBlock:
    item = piece.contribution
    content_start = start + len(piece.opening)
    return PromptBlock(
        contribution_id=item.contribution_id,
        capability=item.capability,
        tier=item.tier,
        layer=item.layer,
        trusted=item.authored,
        revision=piece.revision,
        tag=piece.tag,
        start=start,
        end=start + piece.chars,
        content_start=content_start,
        content_end=content_start + len(piece.content),
    )


def _digests(text: str, layer_ends: tuple[int, int, int]) -> PromptDigests:
    running = hashlib.sha256()
    digests: list[str] = []
    start = 0
    for end in layer_ends:
        running.update(text[start:end].encode())
        digests.append(running.hexdigest())
        start = end
    return PromptDigests(l0=digests[0], l1=digests[1], whole=digests[2])
