"""Why a prompt holds what it holds: every row the store answered, with its one outcome.

Rules of this module: values, and the pure function that tells rows and outcomes together. It asks nothing and decides
nothing: the selection it explains is the one that was compiled. Names are shown as labels; keys appear nowhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

from symfonic.capabilities.knowledge import (
    DropCode,
    DropReason,
    FragmentSelection,
    Label,
    RetrievedFragment,
    clean_content,
    neutralise_markers,
    safe_source,
)
from symfonic.capabilities.prompting import CompiledPrompt, PromptDiagnostic, PromptDigests

from .wiring import KNOWLEDGE_ID

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Answerable", "Ceilings", "ExplainedRow", "Explanation"]

_OF_THE_READ: Final = frozenset({DropCode.UNEXAMINED, DropCode.EMPTY_SCOPE, DropCode.STORE_FAILED})
"""Reasons about a read as a whole; every other one is about a row, whether the selection kept that row or not."""

_LINE_HEAD: Final = "SOURCE ["
_Kind = TypeVar("_Kind")
_Default = TypeVar("_Default")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceilings:
    """The ceilings that were in force.

    Attributes:
        limit: Most rows admitted.
        min_score: Least score admitted.
        max_fragment_chars: Most characters of one row, or tokens, as ``unit`` says; so the others.
        max_total_chars: Most characters of all lines.
        max_per_source: Most rows of one source.
        candidates: Rows the store was asked for.
        max_rows: Most rows read of one answer.
        max_learned_chars: Most characters of one block of sources.
        max_prompt_chars: Most characters of the prompt, or ``None``.
        unit: What sizes are counted in: ``characters`` or ``tokens``.
    """

    limit: int
    min_score: float
    max_fragment_chars: int
    max_total_chars: int
    max_per_source: int | None
    candidates: int
    max_rows: int
    max_learned_chars: int
    max_prompt_chars: int | None
    unit: str = "characters"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedRow:
    """One row and its one outcome.

    Attributes:
        rank: Place in this account, from 1: admitted rows as they stand in the prompt, then the dropped ones.
        label: Its source, safe to show; ``unknown`` where it belongs to another scope, whose names stay its own.
        score: Its score, or ``None`` where that is no finite number, or not the asker's to see.
        fragment: The row as the store answered it; raw, nothing of it is safe to show. ``None`` where it belongs to
            another scope, or is unusable and no plain :class:`RetrievedFragment`.
        line: The line the boundary made of it, before the compiler breaks delimiters and control tokens in it or
            joins its words by a datamark; empty when it was dropped.
        reason: Why it was dropped, with code and numbers; ``None`` when it was admitted.
    """

    rank: int
    label: Label
    score: float | None
    fragment: RetrievedFragment | None = field(repr=False)
    line: str = ""
    reason: DropReason | None = None

    @property
    def admitted(self) -> bool:
        """Whether the row has a line in the prompt's sources."""
        return self.reason is None

    @property
    def citation(self) -> str:
        """The label as the prompt shows it, keyed tag included; empty when the row was dropped."""
        head, found, _ = self.line.removeprefix(_LINE_HEAD).partition("]: ")
        return head if found else ""

    @property
    def markers(self) -> int:
        """How many forged citation markers of its content were made harmless in the line; 0 for a dropped row."""
        if self.fragment is None or not self.line:
            return 0
        content = clean_content(self.fragment.content)
        return 0 if self.line.endswith(f"]: {content}") else neutralise_markers(content)[1]

    @property
    def file(self) -> str:
        """The file it came from, as ingestion recorded it; raw."""
        return self._recorded("file", str, "")

    @property
    def page(self) -> int | None:
        """The page it came from, where the format has pages."""
        return self._recorded("page", int, None)

    @property
    def heading(self) -> str:
        """The headings it stands under; raw."""
        return self._recorded("heading", str, "")

    @property
    def scope_path(self) -> str:
        """The scope path it was stored under; raw."""
        return self._recorded("scope_path", str, "")

    def _recorded(self, name: str, kind: type[_Kind], default: _Default) -> _Kind | _Default:
        try:
            metadata: object = getattr(self.fragment, "metadata", None)
            value = metadata.get(name) if isinstance(metadata, Mapping) else None
        except Exception:  # noqa: BLE001 - a store's own mapping may raise anything; then it recorded nothing
            return default
        return value if type(value) is kind else default


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The whole account of one question. Rows in = rows admitted + rows dropped.

    Attributes:
        question: What was asked.
        scope_path: For whom.
        rows: Every row the store answered, in the order of the selection: the admitted ones, best first, then the
            dropped ones, of which the unusable come first and the others follow in rank order.
        notes: Reasons about the read as a whole, such as rows that were not looked at.
        ceilings: The ceilings in force.
        digests: SHA-256 of the prompt and of its stable prefixes.
        diagnostics: What the compiler left out or changed.
        confusable: Pairs of admitted labels that look alike and differ.
    """

    question: str
    scope_path: str
    rows: tuple[ExplainedRow, ...]
    notes: tuple[DropReason, ...]
    ceilings: Ceilings
    digests: PromptDigests
    diagnostics: tuple[PromptDiagnostic, ...]
    confusable: tuple[tuple[str, str], ...] = ()

    @property
    def admitted(self) -> tuple[ExplainedRow, ...]:
        """Admitted rows, best first."""
        return tuple(row for row in self.rows if row.admitted)

    @property
    def dropped(self) -> tuple[ExplainedRow, ...]:
        """Rows that were left out: the unusable ones, then the others, best first."""
        return tuple(row for row in self.rows if not row.admitted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answerable:
    """A question ready to be answered: the prompt for a model, and the account of how it came to be.

    Send :attr:`prompt` as the system text and :attr:`question` as the user's message; the question is no part of the
    prompt.

    Attributes:
        question: What was asked.
        scope_path: For whom.
        prompt: The compiled prompt.
        selection: The very selection the prompt was compiled from.
        ceilings: The ceilings in force.
    """

    question: str
    scope_path: str
    prompt: CompiledPrompt
    selection: FragmentSelection
    ceilings: Ceilings

    @property
    def grounded(self) -> bool:
        """Whether the prompt holds at least one source."""
        return any(block.contribution_id == KNOWLEDGE_ID for block in self.prompt.blocks)

    def explain(self) -> Explanation:
        """Tell the outcome of every row."""
        return Explanation(
            question=self.question,
            scope_path=self.scope_path,
            rows=explain_rows(self.selection),
            notes=explain_read(self.selection),
            ceilings=self.ceilings,
            digests=self.prompt.digests,
            diagnostics=self.prompt.diagnostics,
            confusable=self.selection.confusable,
        )


def explain_rows(selection: FragmentSelection) -> tuple[ExplainedRow, ...]:
    """Every row of ``selection`` with its outcome, in the selection's own order; nothing is ranked or judged again."""
    lines = selection.lines or tuple(fragment.citation_line() for fragment in selection.admitted)
    admitted = (
        ExplainedRow(rank=rank, label=safe_source(row.source), score=row.score, fragment=row, line=line)
        for rank, (row, line) in enumerate(zip(selection.admitted, lines, strict=True), start=1)
    )
    dropped = (
        _dropped_row(rank, *drop)
        for rank, drop in enumerate(_drops(selection, of_rows=True), start=1 + len(selection.admitted))
    )
    return (*admitted, *dropped)


def explain_read(selection: FragmentSelection) -> tuple[DropReason, ...]:
    """The reasons that are about the read as a whole."""
    return tuple(reason for _, reason, _ in _drops(selection, of_rows=False))


def _drops(selection: FragmentSelection, *, of_rows: bool) -> Iterator[tuple[Label, DropReason, object]]:
    """Label, reason and row of what was dropped: of single rows, or of the read."""
    told = zip(selection.dropped_labels, selection.dropped, selection.dropped_rows, strict=True)
    for label, (_, reason), row in told:
        if (reason.code not in _OF_THE_READ) is of_rows:
            yield label, reason, row


def _dropped_row(rank: int, label: Label, reason: DropReason, row: object) -> ExplainedRow:
    # A class of the store's own may raise when it is looked at; selection rebuilds such rows where it can use them.
    fragment = row if type(row) is RetrievedFragment else None
    return ExplainedRow(rank=rank, label=label, score=_score_of(fragment), fragment=fragment, reason=reason)


def _score_of(fragment: RetrievedFragment | None) -> float | None:
    """The score where it is an ordinary number; a store may have answered anything, or a row that was never filled."""
    score: object = getattr(fragment, "score", None)
    return score if type(score) is float and math.isfinite(score) else None
