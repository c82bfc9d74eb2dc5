"""What a question names and brings along: standing documents of a store, and the files of this turn.

Rules of this module: documents and attachments are read and selected before the prompt is compiled, once, so that the
selection that is told is the one that was compiled, and the compiler's ceiling is that of what is really there. The
defences of a knowledge base are switched on whatever a policy says: labels keyed with the deployment's key, markers in
content broken, ceilings counted as the deployment's are. Nothing here decides about text; the two bridges do.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from symfonic.capabilities.knowledge import (
    AttachmentExtractor,
    AttachmentPolicy,
    AttachmentSource,
    BridgeContractError,
    ContextContribution,
    ContextRead,
    ContextRequest,
    ContextScope,
    CounterError,
    DocumentPolicy,
    DocumentSelection,
    DocumentSource,
    attachment_contribution,
    document_contribution,
)
from symfonic.capabilities.prompting import CounterError as PromptCounterError

from ._contributors import needed_ceiling
from .attached_files import file_extractor
from .errors import CompileFailedError, CounterFailedError, InputError, WiringError, type_name
from .wiring import prompt_contributions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from symfonic.capabilities.knowledge import Attachment, DocumentStore, ScopedDocumentStore
    from symfonic.capabilities.prompting import CompiledPrompt

    from ._contributors import Beside
    from .keys import DerivedKeys
    from .settings import Settings

__all__ = ["ATTACHMENTS_ID", "DOCUMENTS_ID", "EnclosurePolicy"]

DOCUMENTS_ID: Final = "documents"
"""Contribution id of the documents that a question names."""

ATTACHMENTS_ID: Final = "attachments"
"""Contribution id of the files that come with a question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnclosurePolicy:
    """Ceilings of what questions name and bring along, and what reads their files.

    Keys, markers and counter of the two policies are the deployment's, whatever they say here.

    Attributes:
        documents: Ceilings of documents.
        attachments: Ceilings of attachments.
        extractor: Turns attachments into text; ``None`` opens the extractors of ingestion for each question.
    """

    documents: DocumentPolicy = field(default_factory=DocumentPolicy)
    attachments: AttachmentPolicy = field(default_factory=AttachmentPolicy)
    extractor: AttachmentExtractor | None = None


class _Selected:
    """A selection that was made already, as a source; reading it touches nothing."""

    __slots__ = ("_selection", "offline_safe", "scope_aware")

    def __init__(self, selection: DocumentSelection, *, scope_aware: bool) -> None:
        self._selection = selection
        self.offline_safe = True
        self.scope_aware = scope_aware

    def read(self, request: ContextRequest) -> ContextRead:
        """Answer with the admitted ones, untrusted."""
        del request
        return self._selection.as_read()


@dataclass(frozen=True, slots=True)
class Enclosed:
    """What one question named and brought along.

    Attributes:
        selections: By contribution id; nothing where neither was given.
        contributions: Declares each.
    """

    selections: Mapping[str, DocumentSelection] = field(default_factory=lambda: MappingProxyType({}))
    contributions: tuple[ContextContribution, ...] = ()

    def beside(self, others: Beside, settings: Settings) -> Beside:
        """What stands in every prompt, and these.

        Raises:
            WiringError: A contributor has declared one of their ids.
            CounterFailedError: The settings' counter failed.
        """
        taken = sorted({item.contribution_id for item in others.contributions} & self.selections.keys())
        if taken:
            raise WiringError(
                f"what a question names or brings along stands under an id of its own; a contributor has declared "
                f"{', '.join(taken)}, and nobody could tell them apart; name that contribution otherwise"
            )
        try:
            needed = {name: needed_ceiling(found.text, settings) for name, found in self.selections.items()}
        except PromptCounterError as error:
            raise CounterFailedError(str(error)) from error
        return replace(
            others,
            contributions=(*others.contributions, *prompt_contributions(self.contributions)),
            ceilings=MappingProxyType({**others.ceilings, **needed}),
        )

    def refuse_lost(self, prompt: CompiledPrompt) -> None:
        """Make it the caller's business that something admitted is left out of the prompt.

        Raises:
            CompileFailedError: It is.
        """
        shown = {block.contribution_id for block in prompt.blocks}
        for told in prompt.diagnostics:
            selection = self.selections.get(told.contribution_id)
            if selection is not None and selection.admitted and told.contribution_id not in shown:
                raise CompileFailedError(
                    f"{told.contribution_id} that were admitted stand in the prompt; {told.message.partition(':')[0]}, "
                    "and no prompt was made; raise that ceiling, or name fewer"
                )


class Enclosures:
    """Reads what questions name and bring along. Safe to use from several threads, if store and extractor are.

    Args:
        store: Holds the documents; ``None`` where there are none.
        policy: Ceilings, and what reads files; the defaults where ``None``.
        keys: The derived keys of the deployment.
        settings: Have the counter.

    Raises:
        WiringError: The policy is none, one of its two counts by another counter, or the store cannot be asked.
    """

    __slots__ = ("_attachments", "_documents", "_extractor", "_store")

    def __init__(
        self,
        store: DocumentStore | ScopedDocumentStore | None,
        policy: EnclosurePolicy | None,
        keys: DerivedKeys,
        settings: Settings,
    ) -> None:
        chosen = _checked(policy)
        for given in (chosen.documents, chosen.attachments):
            if given.count is not None and given.count != settings.count:
                raise WiringError(
                    "documents and attachments are counted as the deployment's ceilings are; with another counter "
                    "their text could fit the one and be dropped by the other; leave count out of their policies"
                )
        self._documents = replace(chosen.documents, key=keys.labels, neutralise_markers=True, count=settings.count)
        self._attachments = replace(chosen.attachments, key=keys.labels, neutralise_markers=True, count=settings.count)
        self._extractor = chosen.extractor
        self._store = store
        try:
            if store is not None:
                DocumentSource(store, (), self._documents)
            if chosen.extractor is not None:
                AttachmentSource((), chosen.extractor, self._attachments)
        except BridgeContractError as error:
            raise WiringError(str(error)) from error

    def read(self, names: Sequence[str], attachments: Sequence[Attachment], scope_path: str, turn: int) -> Enclosed:
        """Read and select both; nothing is read of what was not given.

        Raises:
            InputError: Names or attachments are none, or a document is named twice.
            WiringError: Documents are named and there is no store of them.
            CounterFailedError: The settings' counter raised, or answered what is no count.
        """
        selections: dict[str, DocumentSelection] = {}
        contributions: list[ContextContribution] = []
        aware = bool(scope_path)
        scope = ContextScope.TENANT if aware else ContextScope.DEPLOYMENT
        try:
            if not _is_none_given(names):
                source = self._document_source(names, scope_aware=aware)
                selections[DOCUMENTS_ID] = found = source.select(ContextRequest(DOCUMENTS_ID, scope_path, turn))
                declared = document_contribution(DOCUMENTS_ID, source, scope=scope)
                contributions.append(replace(declared, source=_Selected(found, scope_aware=aware)))
            if not _is_none_given(attachments):
                with self._opened_extractor() as extractor:
                    files = AttachmentSource(attachments, extractor, self._attachments, scope_aware=aware)
                    found = files.select(ContextRequest(ATTACHMENTS_ID, scope_path, turn))
                selections[ATTACHMENTS_ID] = found
                declared = attachment_contribution(ATTACHMENTS_ID, files, scope=scope)
                contributions.append(replace(declared, source=_Selected(found, scope_aware=aware)))
        except BridgeContractError as error:
            raise InputError(str(error)) from error
        except CounterError as error:
            raise CounterFailedError(str(error)) from error
        return Enclosed(selections, tuple(contributions))

    def _document_source(self, names: Sequence[str], *, scope_aware: bool) -> DocumentSource:
        if self._store is None:
            raise WiringError(
                "documents are named in a store; this knowledge base was opened without one and nothing was asked; "
                "pass documents=FolderDocumentStore(…) where it is opened"
            )
        return DocumentSource(self._store, names, self._documents, scope_aware=scope_aware)

    def _opened_extractor(self) -> AbstractContextManager[AttachmentExtractor]:
        return file_extractor() if self._extractor is None else nullcontext(self._extractor)


def _is_none_given(given: object) -> bool:
    return isinstance(given, list | tuple) and not given


def _checked(policy: object) -> EnclosurePolicy:
    if policy is None:
        return EnclosurePolicy()
    if not isinstance(policy, EnclosurePolicy):
        raise WiringError(
            f"ceilings of documents and attachments are an EnclosurePolicy, not {type_name(policy)}; nothing was "
            "opened; pass EnclosurePolicy(documents=…, attachments=…)"
        )
    for name, kind in (("documents", DocumentPolicy), ("attachments", AttachmentPolicy)):
        if not isinstance(getattr(policy, name), kind):
            raise WiringError(
                f"{name} of an EnclosurePolicy is a {kind.__name__}, not {type_name(getattr(policy, name))}; nothing "
                f"was opened; pass {kind.__name__}(…)"
            )
    return policy
