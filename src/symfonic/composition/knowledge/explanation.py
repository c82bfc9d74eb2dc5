"""Why a prompt holds what it holds: every row the store answered, with its one outcome.

Rules of this module: values, and the pure function that tells rows and outcomes together. It asks nothing and decides
nothing: the selection it explains is the one that was compiled. Names are shown as labels; keys appear nowhere.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

from symfonic.capabilities.knowledge import (
    DropCode,
    DropReason,
    FragmentSelection,
    Label,
    RetrievalPolicy,
    RetrievedFragment,
    safe_source,
    select_fragments,
)
from symfonic.capabilities.prompting import CompiledPrompt, PromptDiagnostic, PromptDigests

from .wiring import KNOWLEDGE_ID

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["Answerable", "Ceilings", "ExplainedRow", "Explanation", "explain_rows"]

_OF_THE_READ: Final = frozenset({DropCode.UNEXAMINED, DropCode.EMPTY_SCOPE, DropCode.STORE_FAILED})
_UNUSABLE: Final = frozenset(
    {DropCode.BAD_SCORE, DropCode.BAD_CONTENT, DropCode.BAD_SOURCE, DropCode.BAD_TEXT, DropCode.BLANK}
)
_LINE_HEAD: Final = "SOURCE ["
_Kind = TypeVar("_Kind")
_Default = TypeVar("_Default")
_NO_CEILINGS: Final = RetrievalPolicy(
    limit=1, min_score=-sys.float_info.max, max_fragment_chars=sys.maxsize, max_total_chars=sys.maxsize
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceilings:
    """The ceilings that were in force. Sizes are characters.

    Attributes:
        limit: Most rows admitted.
        min_score: Least score admitted.
        max_fragment_chars: Most characters of one row.
        max_total_chars: Most characters of all lines.
        max_per_source: Most rows of one source.
        candidates: Rows the store was asked for.
        max_rows: Most rows read of one answer.
        max_learned_chars: Most characters of one block of sources.
        max_prompt_chars: Most characters of the prompt, or ``None``.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedRow:
    """One row and its one outcome.

    Attributes:
        rank: Place in the ranking, from 1; 0 for an unusable row, which has none.
        label: Its source, safe to show.
        score: Its score, or ``None`` where that is no finite number.
        fragment: The row as the store answered it; raw, nothing of it is safe to show.
        line: The line it has in the prompt; empty when it was dropped.
        reason: Why it was dropped, with code and numbers; ``None`` when it was admitted.
    """

    rank: int
    label: Label
    score: float | None
    fragment: RetrievedFragment = field(repr=False)
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
        metadata: object = getattr(self.fragment, "metadata", None)
        value = metadata.get(name) if isinstance(metadata, Mapping) else None
        return value if type(value) is kind else default


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The whole account of one question. Rows in = rows admitted + rows dropped.

    Attributes:
        question: What was asked.
        scope_path: For whom.
        rows: Every row the store answered: the ranked ones in rank order, then the unusable ones.
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
        """Rows that were left out, best first."""
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
        rows: Every row the store answered, raw.
        ceilings: The ceilings in force.
    """

    question: str
    scope_path: str
    prompt: CompiledPrompt
    selection: FragmentSelection
    rows: tuple[RetrievedFragment, ...] = field(repr=False)
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
            rows=explain_rows(self.rows, self.selection),
            notes=tuple(reason for _, reason in self.selection.dropped if reason.code in _OF_THE_READ),
            ceilings=self.ceilings,
            digests=self.prompt.digests,
            diagnostics=self.prompt.diagnostics,
            confusable=self.selection.confusable,
        )


def explain_rows(rows: Iterable[RetrievedFragment], selection: FragmentSelection) -> tuple[ExplainedRow, ...]:
    """Tell each row its outcome under ``selection``, which was made from exactly these rows.

    A selection keeps two lists, both in rank order: what was admitted and what was dropped. Ranking the rows again and
    taking from the head of the one or the other list gives each row its outcome, also where rows are alike in all but
    their metadata.

    Returns:
        The ranked rows in rank order, then the unusable ones sorted by code.
    """
    usable, unusable = _screened(rows)
    usable.sort(key=lambda row: (-row.score, row.source, row.content))
    reasons = [reason for _, reason in selection.dropped if reason.code not in _OF_THE_READ | _UNUSABLE]
    lines = selection.lines or tuple(fragment.citation_line() for fragment in selection.admitted)
    return (*_ranked(usable, list(zip(selection.admitted, lines, strict=True)), reasons), *unusable)


def _screened(rows: Iterable[object]) -> tuple[list[RetrievedFragment], list[ExplainedRow]]:
    """Usable rows as selection ranks them, and the others with their reason, by asking selection about each alone."""
    usable: list[RetrievedFragment] = []
    unusable: list[ExplainedRow] = []
    for row in rows:
        alone = select_fragments([row], _NO_CEILINGS)  # type: ignore[list-item]  # a store may answer anything
        if alone.admitted:
            usable.extend(alone.admitted)
        else:
            unusable.extend(_unusable_row(row, source, reason) for source, reason in alone.dropped)
    unusable.sort(key=lambda row: (row.reason.code.value if row.reason else "", row.label, row.reason or ""))
    return usable, unusable


def _unusable_row(row: Any, source: object, reason: DropReason) -> ExplainedRow:
    fragment = row if isinstance(row, RetrievedFragment) else RetrievedFragment("", "", 0.0)
    label = safe_source(source if isinstance(source, str) else "")
    return ExplainedRow(rank=0, label=label, score=None, fragment=fragment, reason=reason)


def _ranked(
    rows: Sequence[RetrievedFragment], admitted: list[tuple[RetrievedFragment, str]], reasons: list[DropReason]
) -> Iterator[ExplainedRow]:
    admitted.reverse()
    reasons.reverse()
    for rank, row in enumerate(rows, start=1):
        is_admitted = bool(admitted) and _same(row, admitted[-1][0])
        yield ExplainedRow(
            rank=rank,
            label=safe_source(row.source),
            score=row.score,
            fragment=row,
            line=admitted.pop()[1] if is_admitted else "",
            reason=None if is_admitted else reasons.pop(),
        )


def _same(row: RetrievedFragment, other: RetrievedFragment) -> bool:
    """Whether both are one row of the store: selection may have rebuilt it, but its metadata stay the same object."""
    return row.metadata is other.metadata and (row.score, row.source, row.content) == (
        other.score,
        other.source,
        other.content,
    )
