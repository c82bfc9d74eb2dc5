"""The account of documents and attachments: each with its one outcome.

Rules of this module: values only; it carries over what a selection says and judges nothing again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from symfonic.capabilities.knowledge import DocumentDropCode, DropReason, Label, safe_source

if TYPE_CHECKING:
    from symfonic.capabilities.knowledge import DocumentSelection

__all__ = ["ExplainedDocument"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedDocument:
    """One document or attachment and its one outcome.

    Attributes:
        contribution_id: Whose it is: ``documents``, ``attachments``, or a contribution of your own.
        name: Its name as it was given; raw.
        label: Its name, safe to show.
        citation: The label in its header, keyed tag included; empty when it was dropped.
        characters: Characters of its lines as they are shown; 0 when it was dropped.
        reason: Why it was dropped, with code and numbers; ``None`` when it was admitted.
    """

    contribution_id: str
    name: str = field(repr=False)
    label: Label
    citation: str = ""
    characters: int = 0
    reason: DropReason | None = None

    @property
    def admitted(self) -> bool:
        """Whether the prompt shows it."""
        return self.reason is None


def explain_documents(selection: DocumentSelection, contribution_id: str) -> tuple[ExplainedDocument, ...]:
    """Every document of a selection: the admitted ones as they stand in the prompt, then the dropped ones."""
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
    dropped = (
        ExplainedDocument(contribution_id=contribution_id, name=name, label=label, reason=reason)
        for (name, reason), label in zip(selection.dropped, selection.dropped_labels, strict=True)
        if reason.code is not DocumentDropCode.EMPTY_SCOPE
    )
    return (*admitted, *dropped)


def explain_whole_read(selection: DocumentSelection) -> tuple[DropReason, ...]:
    """The reasons that are about a read of documents as a whole."""
    return tuple(reason for _, reason in selection.dropped if reason.code is DocumentDropCode.EMPTY_SCOPE)
