"""Why a prompt holds what it holds: every row the store answered, with its one outcome.

Rules of this module: values, and the pure function that tells rows and outcomes together. It asks nothing and decides
nothing: the selections it explains are those that were compiled. Names are shown as labels; keys appear nowhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeVar

from symfonic.capabilities.knowledge import (
    DocumentSelection,
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

from .errors import InputError, type_name
from .explained_documents import ExplainedDocument, explain_documents, explain_whole_read
from .wiring import KNOWLEDGE_ID

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Answerable", "Ceilings", "ExplainedRow", "Explanation"]

OF_THE_READ: Final = frozenset({DropCode.UNEXAMINED, DropCode.EMPTY_SCOPE, DropCode.STORE_FAILED})
"""Reasons about a read as a whole; every other one is about a row, whether the selection kept that row or not."""

_LINE_HEAD: Final = "SOURCE ["
_SELECTION: Final = "a FragmentSelection, as an inquiry keeps it"
_DOCUMENTS: Final = "a DocumentSelection, as the source of documents or attachments selects it"
_WANTED: Final = 'a mapping from contribution id to FragmentSelection, such as {"knowledge": inquiry.selection}'
_WANTED_DOCUMENTS: Final = (
    'a mapping from contribution id to DocumentSelection, such as {"documents": source.select(request)}'
)
_WANTED_DETAILS: Final = "a mapping from contribution id to sentences, as KnowledgeBase.ask makes it"
_WANTED_HIDDEN: Final = "a mapping from contribution id to what Extraction.hidden has, as KnowledgeBase.ask makes it"
_ANSWERABLE: Final = (
    "an Answerable, as KnowledgeBase.ask answers it, or Answerable(question=…, prompt=…, selections={…}) of a prompt "
    "of your own"
)
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
        max_document_chars: Most of one document; like the following, ``None`` where the question has no such thing.
        max_total_document_chars: Most of all that is rendered of those that are pinned, and of those that are named.
        max_attachments: Most attachments that are read.
        max_attachment_bytes: Most bytes of one.
        max_attachment_chars: Most of one's text.
        max_total_attachment_chars: Most of all that is rendered of them.
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
    max_document_chars: int | None = None
    max_total_document_chars: int | None = None
    max_attachments: int | None = None
    max_attachment_bytes: int | None = None
    max_attachment_chars: int | None = None
    max_total_attachment_chars: int | None = None


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
        contribution_id: Of which retrieval it is a row.
    """

    rank: int
    label: Label
    score: float | None
    fragment: RetrievedFragment | None = field(repr=False)
    line: str = ""
    reason: DropReason | None = None
    contribution_id: str = KNOWLEDGE_ID

    @property
    def admitted(self) -> bool:
        """Whether the row has a line in the prompt's sources."""
        return self.reason is None

    @property
    def citation(self) -> str:
        """The label, keyed tag included; empty when the row was dropped.

        The prompt shows it so, but for what the compiler changes of the line: a ledger has it as the prompt does.
        """
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
        """The page it came from, or the number of its slide, where the format has pages."""
        return self._recorded("page", int, None)

    @property
    def slide(self) -> int | None:
        """The slide it came from, beside ``page``, where the format has slides."""
        return self._recorded("slide", int, None)

    @property
    def sheet(self) -> str | None:
        """The sheet of a workbook it came from, beside ``heading``; raw."""
        return self._recorded("sheet", str, None)

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
            dropped ones, of which the unusable come first and the others follow in rank order. Of several retrievals
            the admitted ones of all come first, retrieval by retrieval as they stand in the prompt.
        notes: Reasons about the read as a whole, such as rows that were not looked at.
        ceilings: The ceilings in force; ``None`` where nobody told them.
        digests: SHA-256 of the prompt and of its stable prefixes.
        diagnostics: What the compiler left out or changed.
        confusable: Pairs of admitted labels that look alike and differ.
        documents: Every document and attachment with its one outcome, selection by selection as they stand in the
            prompt, of each in the order in which they were given.
    """

    question: str
    scope_path: str
    rows: tuple[ExplainedRow, ...]
    notes: tuple[DropReason, ...]
    ceilings: Ceilings | None
    digests: PromptDigests
    diagnostics: tuple[PromptDiagnostic, ...]
    confusable: tuple[tuple[str, str], ...] = ()
    documents: tuple[ExplainedDocument, ...] = ()

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
    prompt. :meth:`KnowledgeBase.ask` answers one. Of a prompt you compiled yourself, make one from what its inquiries
    kept::

        Answerable(question=question, prompt=prompt, selections={"knowledge": inquiry.selection})

    Attributes:
        question: What was asked.
        prompt: The compiled prompt.
        selections: Contribution id to the very selection its block was compiled from, for every retrieval in the
            prompt. An untrusted block without one is a document of one piece.
        beside: The same of retrievals that stand in the prompt whatever is asked, as those of a contributor do: their
            labels are sources, and they make no prompt grounded.
        documents: Contribution id to the selection of documents or attachments that its block was compiled from. Each
            of them is a source under its label, and makes the prompt grounded: it was named or sent for the question.
        standing: The same of documents that stand in the prompt whatever is asked: they make no prompt grounded.
        details: Contribution id to a sentence for each of the dropped ones of its documents, in their order: what their
            store or extractor said, or what raises a ceiling; safe to show. Empty where nothing more is known.
        hidden: Contribution id to what was left out of the file of each of its documents, in the order in which they
            were given, as ``Extraction.hidden``; empty where nothing is known.
        scope_path: For whom.
        ceilings: The ceilings in force; ``None`` where nobody told them.

    Raises:
        InputError: A prompt that was not compiled, or selections that are none, stand under an id the prompt does not
            know, or lack that of the block called ``knowledge``.
    """

    question: str
    prompt: CompiledPrompt
    selections: Mapping[str, FragmentSelection] = field(
        default_factory=dict[str, FragmentSelection], repr=False, hash=False
    )
    beside: Mapping[str, FragmentSelection] = field(
        default_factory=dict[str, FragmentSelection], repr=False, hash=False
    )
    documents: Mapping[str, DocumentSelection] = field(
        default_factory=dict[str, DocumentSelection], repr=False, hash=False
    )
    standing: Mapping[str, DocumentSelection] = field(
        default_factory=dict[str, DocumentSelection], repr=False, hash=False
    )
    details: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]], repr=False, hash=False)
    hidden: Mapping[str, Sequence[tuple[tuple[str, int], ...]]] = field(
        default_factory=dict[str, Sequence[tuple[tuple[str, int], ...]]], repr=False, hash=False
    )
    scope_path: str = ""
    ceilings: Ceilings | None = None

    def __post_init__(self) -> None:
        require_kind("a prompt", "a CompiledPrompt, as a PromptCompiler makes one", self.prompt, CompiledPrompt)
        for name in ("selections", "beside"):
            given = getattr(self, name)
            require_kind("the selections of a prompt", _WANTED, given, Mapping)
            for selection in given.values():
                require_kind("the selection of a retrieval", _SELECTION, selection, FragmentSelection)
            object.__setattr__(self, name, dict(given))
        for name in ("documents", "standing"):
            given = getattr(self, name)
            require_kind("the documents of a prompt", _WANTED_DOCUMENTS, given, Mapping)
            for documents in given.values():
                require_kind("the selection of documents", _DOCUMENTS, documents, DocumentSelection)
            object.__setattr__(self, name, dict(given))
        for name, what, wanted in (
            ("details", "the details of documents", _WANTED_DETAILS),
            ("hidden", "what files hide", _WANTED_HIDDEN),
        ):
            given = getattr(self, name)
            require_kind(what, wanted, given, Mapping)
            object.__setattr__(self, name, {key: tuple(told) for key, told in given.items()})
        _require_known(self.prompt, self.all_selections, self.all_documents)

    @property
    def all_selections(self) -> Mapping[str, FragmentSelection]:
        """Contribution id to selection, of every retrieval in the prompt."""
        return {**self.beside, **self.selections}

    @property
    def all_documents(self) -> Mapping[str, DocumentSelection]:
        """Contribution id to selection, of all documents and attachments in the prompt."""
        return {**self.standing, **self.documents}

    @property
    def selection(self) -> FragmentSelection:
        """The selection of the retrieval called ``knowledge``; empty where there is none."""
        return self.selections.get(KNOWLEDGE_ID, FragmentSelection())

    @property
    def grounded(self) -> bool:
        """Whether the prompt holds at least one source that was found, named or sent for the question."""
        return any(
            block.contribution_id in self.selections or block.contribution_id in self.documents
            for block in self.prompt.blocks
        )

    def explain(self) -> Explanation:
        """Tell the outcome of every row, document and attachment."""
        ranked = _in_order_of(self.prompt, self.selections)
        rows = [row for name, selection in ranked for row in explain_rows(selection, name)]
        rows.sort(key=lambda row: not row.admitted)
        whole = _in_order_of(self.prompt, self.all_documents)
        notes = [note for _, selection in ranked for note in explain_read(selection)]
        return Explanation(
            question=self.question,
            scope_path=self.scope_path,
            rows=tuple(replace(row, rank=rank) for rank, row in enumerate(rows, start=1)),
            notes=(*notes, *(note for _, selection in whole for note in explain_whole_read(selection))),
            ceilings=self.ceilings,
            digests=self.prompt.digests,
            diagnostics=self.prompt.diagnostics,
            confusable=tuple(pair for _, selection in ranked for pair in selection.confusable),
            documents=tuple(
                one
                for name, selection in whole
                for one in explain_documents(selection, name, self.details.get(name, ()), self.hidden.get(name, ()))
            ),
        )


def require_kind(what: str, wanted: str, value: object, kind: type) -> None:
    """Refuse a value of another kind.

    Raises:
        InputError: It is one.
    """
    if not isinstance(value, kind):
        raise InputError(f"{what} is {wanted}; this one is a {type_name(value)} and nothing was done; give {wanted}")


def require_answerable(value: object) -> None:
    """Refuse anything but a question with its prompt and selections.

    Raises:
        InputError: It is something else, such as an inquiry or a prompt alone.
    """
    require_kind("what is sent, checked or answered", _ANSWERABLE, value, Answerable)


def _require_known(
    prompt: CompiledPrompt,
    selections: Mapping[str, FragmentSelection],
    documents: Mapping[str, DocumentSelection],
) -> None:
    """Refuse what would make fragments a document of one piece, or a ledger without them."""
    shown = {block.contribution_id: block.trusted for block in prompt.blocks}
    known = shown.keys() | {told.contribution_id for told in prompt.diagnostics}
    for name in (*selections, *documents):
        if name not in known:
            raise InputError(
                f"a selection stands under the id of its contribution; the prompt has none called {name!r} and no "
                "label of its sources could be told; give the id that the inquiry was declared with"
            )
    both = sorted(selections.keys() & documents.keys())
    if both:
        raise InputError(
            f"a block holds what was found or whole documents; {both[0]!r} is given as both and no label of its "
            "sources could be told; give it once"
        )
    if shown.get(KNOWLEDGE_ID) is False and KNOWLEDGE_ID not in selections:
        raise InputError(
            f"the block called {KNOWLEDGE_ID} holds what a retrieval found; without its selection all of it would be "
            f'one source; give selections={{"{KNOWLEDGE_ID}": inquiry.selection}}'
        )


def _in_order_of(prompt: CompiledPrompt, selections: Mapping[str, _Kind]) -> list[tuple[str, _Kind]]:
    """Selections as their blocks stand in the prompt; those without a block last."""
    places = {block.contribution_id: place for place, block in enumerate(prompt.blocks)}
    return sorted(selections.items(), key=lambda item: places.get(item[0], len(places)))


def explain_rows(selection: FragmentSelection, contribution_id: str = KNOWLEDGE_ID) -> tuple[ExplainedRow, ...]:
    """Every row of ``selection`` with its outcome, in the selection's own order; nothing is ranked or judged again."""
    lines = selection.lines or tuple(fragment.citation_line() for fragment in selection.admitted)
    admitted = (
        ExplainedRow(
            rank=rank,
            label=safe_source(row.source),
            score=row.score,
            fragment=row,
            line=line,
            contribution_id=contribution_id,
        )
        for rank, (row, line) in enumerate(zip(selection.admitted, lines, strict=True), start=1)
    )
    dropped = (
        replace(_dropped_row(rank, *drop), contribution_id=contribution_id)
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
        if (reason.code not in OF_THE_READ) is of_rows:
            yield label, reason, row


def _dropped_row(rank: int, label: Label, reason: DropReason, row: object) -> ExplainedRow:
    # A class of the store's own may raise when it is looked at; selection rebuilds such rows where it can use them.
    fragment = row if type(row) is RetrievedFragment else None
    return ExplainedRow(rank=rank, label=label, score=_score_of(fragment), fragment=fragment, reason=reason)


def _score_of(fragment: RetrievedFragment | None) -> float | None:
    """The score where it is an ordinary number; a store may have answered anything, or a row that was never filled."""
    score: object = getattr(fragment, "score", None)
    return score if type(score) is float and math.isfinite(score) else None
