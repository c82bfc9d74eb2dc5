"""The account of documents and attachments: each with its one outcome.

Rules of this module: values only; it carries over what a selection says and judges nothing again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from symfonic.capabilities.knowledge import AdmittedDocument, DocumentDropCode, DropReason, Label, safe_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from symfonic.capabilities.knowledge import DocumentDropReason, DocumentSelection

__all__ = ["ExplainedDocument"]

Hidden = tuple[tuple[str, int], ...]
"""Characters, or cells, by why they were left out, as ``Extraction.hidden``."""


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
        position: Its place among those of its contribution as they were given, from 1: two of one name differ in it.
        hidden: What was left out of its text because no reader of the file sees it, by why, as ``Extraction.hidden``.
    """

    contribution_id: str
    name: str = field(repr=False)
    label: Label
    citation: str = ""
    characters: int = 0
    reason: DropReason | None = None
    detail: str = ""
    position: int = 0
    hidden: tuple[tuple[str, int], ...] = ()

    @property
    def admitted(self) -> bool:
        """Whether the prompt shows it."""
        return self.reason is None


def explain_documents(
    selection: DocumentSelection, contribution_id: str, details: Sequence[str] = (), hidden: Sequence[Hidden] = ()
) -> tuple[ExplainedDocument, ...]:
    """Every document of a selection, in the order in which they were given.

    ``details`` has a sentence for each of the dropped ones, ``hidden`` what was left out of each of all, in their
    order; where there is none for it, it has none.
    """
    sentences, left_out = iter(details), iter(hidden)
    explained: list[ExplainedDocument] = []
    for position, one in enumerate(in_order_given(selection), start=1):
        name, reason = (one.source, None) if isinstance(one, AdmittedDocument) else one
        detail = "" if reason is None else next(sentences, "")
        if reason is not None and reason.code is DocumentDropCode.EMPTY_SCOPE:
            continue
        explained.append(
            ExplainedDocument(
                contribution_id=contribution_id,
                name=name,
                label=safe_source(name),
                citation=str(one.label) if isinstance(one, AdmittedDocument) else "",
                characters=len(one.content) if isinstance(one, AdmittedDocument) else 0,
                reason=reason,
                detail=detail,
                position=position,
                hidden=next(left_out, ()),
            )
        )
    return tuple(explained)


def in_order_given(selection: DocumentSelection) -> Iterator[AdmittedDocument | tuple[str, DocumentDropReason]]:
    """What a selection admitted and what it dropped, as they were given; admitted ones first where no place is told."""
    count = len(selection.admitted) + len(selection.dropped)
    places = set(selection.places)
    if len(places) != len(selection.admitted) or not places <= set(range(count)):
        places = set(range(len(selection.admitted)))
    admitted, dropped = iter(selection.admitted), iter(selection.dropped)
    for place in range(count):
        yield next(admitted) if place in places else next(dropped)


def explain_whole_read(selection: DocumentSelection) -> tuple[DropReason, ...]:
    """The reasons that are about a read of documents as a whole."""
    return tuple(reason for _, reason in selection.dropped if reason.code is DocumentDropCode.EMPTY_SCOPE)
