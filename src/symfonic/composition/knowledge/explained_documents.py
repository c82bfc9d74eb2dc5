"""The account of documents and attachments: each with its one outcome.

Rules of this module: values only; it carries over what a selection says and judges nothing again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from symfonic.capabilities.knowledge import DocumentDropCode, DropReason, Label, safe_source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from symfonic.capabilities.knowledge import DocumentSelection

__all__ = ["ExplainedDocument"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedDocument:
    """One document or attachment and its one outcome.

    Attributes:
        contribution_id: Whose it is: ``standing``, ``documents``, ``attachments``, or a contribution of your own.
        name: Its name as it was given; raw.
        label: Its name, safe to show.
        citation: The label in its header, keyed tag included; empty when it was dropped.
        characters: Characters of its lines as they are shown; 0 when it was dropped.
        reason: Why it was dropped, with code and numbers; ``None`` when it was admitted.
        detail: What its store or extractor said itself of that, or which setting raises the ceiling; one line, safe to
            show, for people. Empty where nothing more is known.
    """

    contribution_id: str
    name: str = field(repr=False)
    label: Label
    citation: str = ""
    characters: int = 0
    reason: DropReason | None = None
    detail: str = ""

    @property
    def admitted(self) -> bool:
        """Whether the prompt shows it."""
        return self.reason is None


def explain_documents(
    selection: DocumentSelection, contribution_id: str, details: Sequence[str] = ()
) -> tuple[ExplainedDocument, ...]:
    """Every document of a selection: the admitted ones as they stand in the prompt, then the dropped ones.

    ``details`` has a sentence for each of the dropped ones, in their order; where there is none for it, it has none.
    """
    admitted = (
        ExplainedDocument(
            contribution_id=contribution_id,
            name=one.source,
            label=safe_source(one.source),
            citation=str(one.label),
            characters=len(one.content),
        )
        for one in selection.admitted
    )
    count = len(selection.dropped)
    told = [*details, *([""] * count)][:count]
    dropped = (
        ExplainedDocument(contribution_id=contribution_id, name=name, label=label, reason=reason, detail=detail)
        for (name, reason), label, detail in zip(selection.dropped, selection.dropped_labels, told, strict=True)
        if reason.code is not DocumentDropCode.EMPTY_SCOPE
    )
    return (*admitted, *dropped)


def explain_whole_read(selection: DocumentSelection) -> tuple[DropReason, ...]:
    """The reasons that are about a read of documents as a whole."""
    return tuple(reason for _, reason in selection.dropped if reason.code is DocumentDropCode.EMPTY_SCOPE)
