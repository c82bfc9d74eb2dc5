"""The bridge of documents: standing texts, known by name, become part of a prompt line by line.

Rules of this module: it is the one place that asks a store of documents. Whatever the store answers is untrusted
(``AS-ING-1``), and whatever it raises costs the document it was asked for and no other. How a document is rendered and
which of them fit stands in `_whole_documents`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol, Self, cast, runtime_checkable

from ._asking import has_to_be_awaited, items_of, takes_scope
from ._policy import check_ceiling, check_key, exact_policy
from ._reasons import DocumentDropCode, DocumentDropReason, document_reason
from ._refusals import refuse
from ._text import exact_str, is_encodable, is_text, shows_blank
from ._whole_documents import (
    Admission,
    AdmittedDocument,
    DocumentKind,
    DocumentRules,
    DocumentSelection,
    nothing_read,
)
from .contracts import (
    ContextContribution,
    ContextLayer,
    ContextRequest,
    ContextTier,
    attribute_of,
    resolve_scope,
)
from .errors import is_failure, type_name

if TYPE_CHECKING:
    from .contracts import ContextRead

__all__ = [
    "AdmittedDocument",
    "DocumentDropCode",
    "DocumentDropReason",
    "DocumentPolicy",
    "DocumentSelection",
    "DocumentSource",
    "DocumentStore",
    "ScopedDocumentStore",
    "document_contribution",
]

_KIND: Final = DocumentKind("DOCUMENT", b"symfonic-knowledge document tag 1")
_ANYBODY: Final = ContextRequest("")


@runtime_checkable
class DocumentStore(Protocol):
    """A store of whole documents, known by name."""

    def get(self, name: str) -> str | None:
        """Answer the text of a document; ``None`` where there is none of this name."""
        ...


@runtime_checkable
class ScopedDocumentStore(Protocol):
    """A store that can be asked on behalf of a scope."""

    def get(self, name: str, *, scope_path: str) -> str | None:
        """Answer a document stored at ``scope_path`` or an ancestor of it, and no other."""
        ...


@dataclass(frozen=True, slots=True)
class DocumentPolicy:
    """Ceilings and switches of standing documents. Sizes are characters, or tokens where there is a counter.

    Args:
        max_document_chars: Most characters of one document's raw text; a longer one is dropped whole.
        max_total_chars: Most characters of all that is rendered, headers, prefixes and line feeds included.
        key: Deployment key; with it each label carries a tag that whoever writes content cannot predict. It takes no
            part in ``repr`` and comparison; ``dataclasses.asdict`` and pickles hold it.
        neutralise_markers: Whether citation markers inside content are visibly broken.
        count: Counts the tokens of a text; ``None`` counts characters. As on :class:`RetrievalPolicy`.

    Raises:
        BridgeContractError: A ceiling is negative or not a plain int, the switch is not a bool, the key is short, a key
            stands without ``neutralise_markers``, or a counter cannot be called.
    """

    max_document_chars: int = 20_000
    max_total_chars: int = 40_000
    key: bytes | None = field(default=None, kw_only=True, repr=False, compare=False)
    neutralise_markers: bool = field(default=False, kw_only=True)
    count: Callable[[str], int] | None = field(default=None, kw_only=True, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("max_document_chars", "max_total_chars"):
            check_ceiling("KB-DOC-POLICY-1", name, getattr(self, name))
        if type(self.neutralise_markers) is not bool:
            refuse("KB-DOC-POLICY-2", self.neutralise_markers, name="neutralise_markers")
        check_key(self.key, "KB-DOC-POLICY-3")
        if self.key is not None and not self.neutralise_markers:
            refuse("KB-DOC-POLICY-4", self.neutralise_markers)
        if self.count is not None and not callable(self.count):
            refuse("KB-DOC-POLICY-5", self.count)

    @classmethod
    def hardened(
        cls,
        *,
        key: bytes,
        max_document_chars: int = 20_000,
        max_total_chars: int = 40_000,
        count: Callable[[str], int] | None = None,
    ) -> Self:
        """Keyed labels and neutralised markers switched on.

        Args:
            key: Deployment key, at least 16 bytes. ``None`` is refused here: a setting that got lost must not switch a
                defence off.
            max_document_chars: As on the class.
            max_total_chars: As on the class.
            count: As on the class.

        Raises:
            BridgeContractError: As the class.
        """
        if key is None:  # pyright: ignore[reportUnnecessaryComparison]  # a setting that got lost arrives like this
            refuse("KB-DOC-POLICY-3", None)
        return cls(max_document_chars, max_total_chars, key=key, neutralise_markers=True, count=count)


_DEFAULT_POLICY: Final = DocumentPolicy()


@dataclass(frozen=True, slots=True)
class DocumentSource:
    """Standing documents as a source of prompt text.

    Args:
        store: Holds the documents. One whose ``get`` takes the keyword ``scope_path`` gets the request's.
        names: Which documents, in the order of the prompt; kept as a tuple.
        policy: Ceilings of this side, kept as they are now.
        scope_aware: Whether the answer depends on the request's scope path; then an empty path reads nothing.
        offline_safe: Whether reading touches no network.

    Raises:
        BridgeContractError: The store cannot be asked, the names are no list or tuple of text that shows, one of them
            stands twice, the policy is no policy, or a switch is no bool.
    """

    store: DocumentStore | ScopedDocumentStore
    names: Sequence[str]
    policy: DocumentPolicy = _DEFAULT_POLICY
    scope_aware: bool = False
    offline_safe: bool = False

    def __post_init__(self) -> None:
        if not callable(attribute_of(self.store, "get")):
            refuse("KB-DOC-SOURCE-1", self.store)
        object.__setattr__(self, "names", _checked_names(self.names))
        object.__setattr__(self, "policy", exact_policy(DocumentPolicy, self.policy, "KB-DOC-SOURCE-5"))
        for name in ("scope_aware", "offline_safe"):
            if type(getattr(self, name)) is not bool:
                refuse("KB-DOC-SOURCE-6", getattr(self, name), name=name)

    def select(self, request: ContextRequest = _ANYBODY) -> DocumentSelection:
        """Ask the store for each document, and decide which of them are shown.

        Never raises for what a store does. The checks, in order: missing or failed in the store → no text → over the
        ceiling for one → lone surrogates → blank → over the total.

        Raises:
            BridgeContractError: ``request`` is no :class:`ContextRequest`.
            CounterError: The policy's counter raised, or answered what is no count.
        """
        if not isinstance(request, ContextRequest):
            refuse("KB-DOC-ASK-1", request)
        if self.scope_aware and not request.scope_path:
            return nothing_read(DocumentDropCode.EMPTY_SCOPE)
        admission = Admission(_KIND, _rules(self.policy), request, scope_aware=self.scope_aware)
        for name in self.names:
            answer = self._asked(name, request.scope_path)
            if type(answer) is DocumentDropReason:
                admission.drop(name, answer)
            else:
                admission.offer(name, answer)
        return admission.selection()

    def read(self, request: ContextRequest) -> ContextRead:
        """Answer with the admitted documents, untrusted."""
        return self.select(request).as_read()

    def _asked(self, name: str, scope_path: str) -> object:
        """What the store answers for a name, or the reason why that is nothing to look at."""
        try:
            get = cast("Callable[..., object]", self.store.get)
            answer = get(name, scope_path=scope_path) if takes_scope(get) else get(name)
            awaited = has_to_be_awaited(answer)  # its class may raise when it is looked at
        except BaseException as error:  # a store may raise anything; the other documents do not suffer for it
            if not is_failure(error):
                raise
            # The text of an error stays out: it may quote content, credentials or addresses.
            return document_reason(DocumentDropCode.STORE_FAILED, detail=type_name(error))
        if answer is None:
            return document_reason(DocumentDropCode.MISSING)
        if awaited:
            detail = f"its get answered a {type_name(answer)}, which has to be awaited"
            return document_reason(DocumentDropCode.STORE_FAILED, detail=detail)
        # A store has no say in reasons: one of ours from its hand is a text like any other.
        return exact_str(answer) if is_text(answer) else answer


def _rules(policy: DocumentPolicy) -> DocumentRules:
    most, total = policy.max_document_chars, policy.max_total_chars
    return DocumentRules(most, total, policy.key, policy.neutralise_markers, policy.count)


def _checked_names(given: object) -> tuple[str, ...]:
    items = items_of(given)
    if items is None:
        refuse("KB-DOC-SOURCE-2", given)
    names: dict[str, None] = {}
    for name in items:
        text = exact_str(name) if is_text(name) else ""
        if not is_encodable(text) or shows_blank(text):
            refuse("KB-DOC-SOURCE-3", name)
        if text in names:
            refuse("KB-DOC-SOURCE-4", text)
        names[text] = None
    return tuple(names)


def document_contribution(
    contribution_id: str, source: DocumentSource, *, order: int = 0, scope: str | None = None
) -> ContextContribution:
    """Declare standing documents: layer L1, tier session.

    Raises:
        BridgeContractError: As :class:`ContextContribution`, and for a ``scope`` that is not one of the three names.
    """
    return ContextContribution(
        contribution_id,
        source,
        layer=ContextLayer.L1,
        tier=ContextTier.SESSION,
        scope=resolve_scope(scope),
        order=order,
        requires_hydration=True,
    )
