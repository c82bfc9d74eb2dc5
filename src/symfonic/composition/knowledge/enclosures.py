"""What a question names and brings along: standing documents of a store, and the files of this turn.

Rules of this module: documents and attachments are read and selected before the prompt is compiled, once, so that the
selection that is told is the one that was compiled, and the compiler's ceiling is that of what is really there. The
defences of a knowledge base are switched on whatever a policy says: labels keyed with the deployment's key, markers in
content broken, ceilings counted as the deployment's are. Nothing here decides about text; the two bridges do.

Documents that the settings name stand in every prompt, in a block of their own in front of those a question names, so
that the beginning of prompts stays the same. They ground nothing: nobody named them for the question. They are read
from the folder that the settings name, whatever store the others come from; where the settings name none, from that.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.documents.folder import FolderDocumentStore
from symfonic.adapters.knowledge.ports import StoreError
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
    DocumentDropCode,
    DocumentPolicy,
    DocumentSelection,
    DocumentSource,
    attachment_contribution,
    document_contribution,
)
from symfonic.capabilities.prompting import CounterError as PromptCounterError

from ._contributors import needed_ceiling
from ._told_failures import (
    ATTACHMENT_CEILINGS,
    DOCUMENT_CEILINGS,
    TellingExtractor,
    TellingStore,
    ceiling_advice,
    details_of,
    hidden_of,
)
from .attached_files import file_extractor
from .errors import CompileFailedError, CounterFailedError, InputError, WiringError, type_name
from .explained_documents import Hidden
from .hygiene import showable
from .wiring import ATTACHMENTS_ID, DOCUMENTS_ID, STANDING_ID, prompt_contributions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from symfonic.capabilities.knowledge import (
        Attachment,
        DocumentStore,
        ScopedDocumentStore,
    )
    from symfonic.capabilities.prompting import CompiledPrompt

    from ._contributors import Beside
    from .keys import DerivedKeys
    from .settings import Settings

__all__ = ["ATTACHMENTS_ID", "DOCUMENTS_ID", "STANDING_ID", "EnclosurePolicy"]


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
    """What one question named and brought along, and what stands in every prompt.

    Attributes:
        selections: By contribution id; nothing where nothing was given.
        contributions: Declares each.
        details: By contribution id a sentence for each of what was dropped, as ``Answerable`` holds them.
        hidden: By contribution id what was left out of each of its files, as ``Answerable`` holds it.
        ceilings: The ceilings they were selected under, by the names of settings.
    """

    selections: Mapping[str, DocumentSelection] = field(default_factory=lambda: MappingProxyType({}))
    contributions: tuple[ContextContribution, ...] = ()
    details: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    hidden: Mapping[str, tuple[Hidden, ...]] = field(default_factory=lambda: MappingProxyType({}))
    ceilings: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def documents(self) -> dict[str, DocumentSelection]:
        """What was named or sent for the question."""
        return {name: found for name, found in self.selections.items() if name != STANDING_ID}

    @property
    def standing(self) -> dict[str, DocumentSelection]:
        """What stands in every prompt."""
        return {name: found for name, found in self.selections.items() if name == STANDING_ID}

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
        policy: Ceilings, and what reads files; those of the settings where ``None``.
        keys: The derived keys of the deployment.
        settings: Have the counter, and the folder of documents where there is no store.

    Raises:
        WiringError: The policy is none, one of its two counts by another counter, or the store cannot be asked.
    """

    __slots__ = ("_advice", "_attachments", "_documents", "_extractor", "_settings", "_store")

    def __init__(
        self,
        store: DocumentStore | ScopedDocumentStore | None,
        policy: EnclosurePolicy | None,
        keys: DerivedKeys,
        settings: Settings,
    ) -> None:
        chosen = _checked(policy, settings)
        for given in (chosen.documents, chosen.attachments):
            if given.count is not None and given.count != settings.count:
                raise WiringError(
                    "documents and attachments are counted as the deployment's ceilings are; with another counter "
                    "their text could fit the one and be dropped by the other; leave count out of their policies"
                )
        self._documents = replace(chosen.documents, key=keys.labels, neutralise_markers=True, count=settings.count)
        self._attachments = replace(chosen.attachments, key=keys.labels, neutralise_markers=True, count=settings.count)
        self._extractor = chosen.extractor
        self._settings = settings
        self._store = store
        own = policy is not None
        documents = ceiling_advice(DOCUMENT_CEILINGS, "DocumentPolicy" if own else "")
        self._advice: dict[str, Mapping[DocumentDropCode, str]] = {
            STANDING_ID: documents,
            DOCUMENTS_ID: documents,
            ATTACHMENTS_ID: ceiling_advice(ATTACHMENT_CEILINGS, "AttachmentPolicy" if own else ""),
        }
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
            WiringError: Documents are named and there is no store of them, or the settings' folder is not there.
            CounterFailedError: The settings' counter raised, or answered what is no count.
        """
        reading = _Reading(scope_path, turn, self._advice)
        pinned: Sequence[str] = self._settings.document_names
        try:
            if not _is_none_given(names):
                store = self._document_store(self._store)
                DocumentSource(store, names, self._documents)  # whatever is wrong with them is told of all of them
                if store is self._store and self._settings.document_folder is not None:
                    self._read_pinned(reading, pinned)
                else:
                    # Of one store, what is named for this question is no longer pinned.
                    self._read_documents(reading, STANDING_ID, store, [name for name in pinned if name not in names])
                self._read_documents(reading, DOCUMENTS_ID, store, names)
            elif pinned:
                self._read_pinned(reading, pinned)
            if not _is_none_given(attachments):
                self._read_attachments(reading, attachments)
        except BridgeContractError as error:
            raise InputError(str(error)) from error
        except CounterError as error:
            raise CounterFailedError(str(error)) from error
        ceilings = self._ceilings(reading.selections)
        return Enclosed(reading.selections, tuple(reading.contributions), reading.details, reading.hidden, ceilings)

    def _ceilings(self, selections: Mapping[str, DocumentSelection]) -> dict[str, int]:
        """The ceilings of what there is."""
        found: dict[str, int] = {}
        for policy, fields, ids in (
            (self._documents, DOCUMENT_CEILINGS, {STANDING_ID, DOCUMENTS_ID}),
            (self._attachments, ATTACHMENT_CEILINGS, {ATTACHMENTS_ID}),
        ):
            if ids & selections.keys():
                found |= {setting: getattr(policy, name) for setting, name in fields.values()}
        return found

    def _read_pinned(self, reading: _Reading, names: Sequence[str]) -> None:
        """Read what the settings name, from where they say."""
        if names:
            folder = self._settings.document_folder
            store = self._document_store(self._store if folder is None else None)
            self._read_documents(reading, STANDING_ID, store, names)

    def _read_documents(
        self,
        reading: _Reading,
        contribution_id: str,
        store: DocumentStore | ScopedDocumentStore,
        names: Sequence[str],
    ) -> None:
        if not names:
            return
        telling = TellingStore(store)
        source = DocumentSource(telling, names, self._documents, scope_aware=reading.scope_aware)
        found = source.select(ContextRequest(contribution_id, reading.scope_path, reading.turn))
        order = -1 if contribution_id == STANDING_ID else 0
        declared = document_contribution(contribution_id, source, scope=reading.scope, order=order)
        place = "" if store is self._store else f"it was looked for in {showable(str(self._settings.document_folder))}"
        reading.keep(declared, found, telling.sentences, {DocumentDropCode.MISSING: place})

    def _read_attachments(self, reading: _Reading, attachments: Sequence[Attachment]) -> None:
        with self._opened_extractor() as extractor:
            telling = TellingExtractor(extractor)
            files = AttachmentSource(attachments, telling, self._attachments, scope_aware=reading.scope_aware)
            found = files.select(ContextRequest(ATTACHMENTS_ID, reading.scope_path, reading.turn))
        reading.keep(attachment_contribution(ATTACHMENTS_ID, files, scope=reading.scope), found, telling.sentences)
        reading.hidden[ATTACHMENTS_ID] = hidden_of(found, telling.hidden)

    def _document_store(self, given: DocumentStore | ScopedDocumentStore | None) -> DocumentStore | ScopedDocumentStore:
        """The store that was given, else the folder of the settings."""
        if given is not None:
            return given
        if self._settings.document_folder is None:
            raise WiringError(
                "documents are named in a store; this knowledge base was opened without one and nothing was asked; "
                "set document_folder, or pass documents=FolderDocumentStore(…) where it is opened"
            )
        try:
            return FolderDocumentStore(self._settings.document_folder)
        except StoreError as error:
            raise WiringError(f"document_folder: {error}") from error

    def _opened_extractor(self) -> AbstractContextManager[AttachmentExtractor]:
        if self._extractor is not None:
            return nullcontext(self._extractor)
        return file_extractor(limits=self._settings.extraction_limits())


_NOTHING_MORE: Final[Mapping[DocumentDropCode, str]] = MappingProxyType({})


@dataclass(slots=True)
class _Reading:
    """What was read so far for one question."""

    scope_path: str
    turn: int
    advice: Mapping[str, Mapping[DocumentDropCode, str]]
    selections: dict[str, DocumentSelection] = field(default_factory=dict[str, DocumentSelection])
    contributions: list[ContextContribution] = field(default_factory=list[ContextContribution])
    details: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    hidden: dict[str, tuple[Hidden, ...]] = field(default_factory=dict[str, "tuple[Hidden, ...]"])

    @property
    def scope_aware(self) -> bool:
        """Whether it is read for somebody in particular."""
        return bool(self.scope_path)

    @property
    def scope(self) -> ContextScope:
        """Whose it is."""
        return ContextScope.TENANT if self.scope_path else ContextScope.DEPLOYMENT

    def keep(
        self,
        declared: ContextContribution,
        found: DocumentSelection,
        sentences: Mapping[tuple[str, DocumentDropCode], list[str]],
        more: Mapping[DocumentDropCode, str] = _NOTHING_MORE,
    ) -> None:
        """Take a selection, and declare it as it stands; ``more`` stands beside reasons of these codes."""
        name = declared.contribution_id
        self.selections[name] = found
        self.contributions.append(replace(declared, source=_Selected(found, scope_aware=self.scope_aware)))
        self.details[name] = details_of(found, sentences, {**self.advice[name], **more})


def _is_none_given(given: object) -> bool:
    return isinstance(given, list | tuple) and not given


def _checked(policy: object, settings: Settings) -> EnclosurePolicy:
    if policy is None:
        return EnclosurePolicy(documents=settings.document_policy(), attachments=settings.attachment_policy())
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
