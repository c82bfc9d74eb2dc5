"""The bridge of attachments: files that a person sent with this turn become part of a prompt line by line.

Rules of this module: it is the one place that asks an extractor. What a file says is untrusted (``AS-ING-1``), its name
included; an address in either is text and is never fetched. An extractor that fails costs the file it was given and no
other. How the text of a file is rendered and which of them fit stands in `_whole_documents`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol, Self, runtime_checkable

from ._asking import has_to_be_awaited, items_of
from ._policy import check_ceiling, check_key, exact_policy
from ._reasons import DocumentDropCode, DocumentDropReason, document_reason
from ._refusals import refuse
from ._text import exact_str, is_encodable, is_text
from ._whole_documents import Admission, DocumentKind, DocumentRules, DocumentSelection, nothing_read
from .contracts import (
    ContextContribution,
    ContextLayer,
    ContextRequest,
    ContextTier,
    attribute_of,
    resolve_scope,
)
from .errors import BridgeContractError, is_failure, type_name

if TYPE_CHECKING:
    from .contracts import ContextRead

__all__ = [
    "Attachment",
    "AttachmentExtractor",
    "AttachmentPolicy",
    "AttachmentSource",
    "attachment_contribution",
]

_KIND: Final = DocumentKind("ATTACHMENT", b"symfonic-knowledge attachment tag 1")
_ANYBODY: Final = ContextRequest("")
_TOLD: Final = frozenset({"binary", "encrypted", "damaged", "limit", "unavailable"})
"""What an extractor may say of a failure, word for word."""

_LIMITS: Final = frozenset({"seconds", "memory", "characters", "members", "unpacked-bytes", "ratio", "depth", "bytes"})
"""Limits that an extractor may say it met; a word of its own could be anything."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that a person sent.

    Args:
        name: Its name, as the person's system gave it.
        media_type: What it is said to be, such as ``application/pdf``; for the extractor, and for nobody else.
        data: Its bytes; they take no part in ``repr``.

    Raises:
        BridgeContractError: Name or media type is no text, or the data no bytes.
    """

    name: str
    media_type: str
    data: bytes = field(repr=False)

    def __post_init__(self) -> None:
        for name in ("name", "media_type"):
            value: object = getattr(self, name)
            if not is_text(value):
                refuse("KB-ATT-FILE-1", value, name=name)
            object.__setattr__(self, name, exact_str(value))
        if type(self.data) is not bytes:
            refuse("KB-ATT-FILE-2", self.data)


@runtime_checkable
class AttachmentExtractor(Protocol):
    """Whatever turns the bytes of a file into text."""

    def extract(self, attachment: Attachment) -> str:
        """Answer the text of a file, with its lines.

        Raises:
            AttachmentError: It cannot be read; see there for what the reason then says. Any other exception is taken
                for a failure, too.
        """
        ...


@dataclass(frozen=True, slots=True)
class AttachmentPolicy:
    """Ceilings and switches of attachments. Sizes are characters, or tokens where there is a counter, but for bytes.

    Args:
        max_attachments: Most files that are given to the extractor; further ones are dropped unread.
        max_attachment_bytes: Most bytes of one file; a larger one is dropped unread.
        max_attachment_chars: Most characters of one file's extracted text; a longer one is dropped whole.
        max_total_chars: Most characters of all that is rendered, headers, prefixes and line feeds included.
        key: Deployment key; with it each label carries a tag that whoever writes content cannot predict. It takes no
            part in ``repr`` and comparison; ``dataclasses.asdict`` and pickles hold it.
        neutralise_markers: Whether citation markers inside content are visibly broken.
        count: Counts the tokens of a text; ``None`` counts characters. As on :class:`RetrievalPolicy`.

    Raises:
        BridgeContractError: A ceiling is negative or not a plain int, the switch is not a bool, the key is short, a key
            stands without ``neutralise_markers``, or a counter cannot be called.
    """

    max_attachments: int = 8
    max_attachment_bytes: int = 10 * 2**20
    max_attachment_chars: int = 20_000
    max_total_chars: int = 40_000
    key: bytes | None = field(default=None, kw_only=True, repr=False, compare=False)
    neutralise_markers: bool = field(default=False, kw_only=True)
    count: Callable[[str], int] | None = field(default=None, kw_only=True, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("max_attachments", "max_attachment_bytes", "max_attachment_chars", "max_total_chars"):
            check_ceiling("KB-ATT-POLICY-1", name, getattr(self, name))
        if type(self.neutralise_markers) is not bool:
            refuse("KB-ATT-POLICY-2", self.neutralise_markers, name="neutralise_markers")
        check_key(self.key, "KB-ATT-POLICY-3")
        if self.key is not None and not self.neutralise_markers:
            refuse("KB-ATT-POLICY-4", self.neutralise_markers)
        if self.count is not None and not callable(self.count):
            refuse("KB-ATT-POLICY-5", self.count)

    @classmethod
    def hardened(
        cls,
        *,
        key: bytes,
        max_attachments: int = 8,
        max_attachment_bytes: int = 10 * 2**20,
        max_attachment_chars: int = 20_000,
        max_total_chars: int = 40_000,
        count: Callable[[str], int] | None = None,
    ) -> Self:
        """Keyed labels and neutralised markers switched on.

        Args:
            key: Deployment key, at least 16 bytes. ``None`` is refused here: a setting that got lost must not switch a
                defence off.
            max_attachments: As on the class.
            max_attachment_bytes: As on the class.
            max_attachment_chars: As on the class.
            max_total_chars: As on the class.
            count: As on the class.

        Raises:
            BridgeContractError: As the class.
        """
        if key is None:  # pyright: ignore[reportUnnecessaryComparison]  # a setting that got lost arrives like this
            refuse("KB-ATT-POLICY-3", None)
        return cls(
            max_attachments,
            max_attachment_bytes,
            max_attachment_chars,
            max_total_chars,
            key=key,
            neutralise_markers=True,
            count=count,
        )


_DEFAULT_POLICY: Final = AttachmentPolicy()


@dataclass(frozen=True, slots=True)
class AttachmentSource:
    """The files of a turn as a source of prompt text.

    Args:
        attachments: The files, in the order of the prompt; kept as a tuple of copies that share their bytes.
        extractor: Turns each into text.
        policy: Ceilings of this side, kept as they are now.
        scope_aware: Whether the files belong to the request's scope path; then an empty path reads nothing.
        offline_safe: Whether the extractor touches no network.

    Raises:
        BridgeContractError: The attachments are no list or tuple of :class:`Attachment` values, the extractor cannot be
            asked, the policy is no policy, or a switch is no bool.
    """

    attachments: Sequence[Attachment]
    extractor: AttachmentExtractor
    policy: AttachmentPolicy = _DEFAULT_POLICY
    scope_aware: bool = False
    offline_safe: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "attachments", _checked_attachments(self.attachments))
        if not callable(attribute_of(self.extractor, "extract")):
            refuse("KB-ATT-SOURCE-2", self.extractor)
        object.__setattr__(self, "policy", exact_policy(AttachmentPolicy, self.policy, "KB-ATT-SOURCE-3"))
        for name in ("scope_aware", "offline_safe"):
            if type(getattr(self, name)) is not bool:
                refuse("KB-ATT-SOURCE-4", getattr(self, name), name=name)

    def select(self, request: ContextRequest = _ANYBODY) -> DocumentSelection:
        """Have each file read, and decide which of them are shown.

        Never raises for what an extractor does. The checks, in order: unusable name → no bytes → over the count → over
        the bytes for one → unsupported, failed or empty → no text → over the characters for one → lone surrogates →
        blank → a label that was admitted already → over the total.

        Raises:
            BridgeContractError: ``request`` is no :class:`ContextRequest`.
            CounterError: The policy's counter raised, or answered what is no count.
        """
        if not isinstance(request, ContextRequest):
            refuse("KB-ATT-ASK-1", request)
        if self.scope_aware and not request.scope_path:
            return nothing_read(DocumentDropCode.EMPTY_SCOPE)
        admission = Admission(_KIND, _rules(self.policy), request, scope_aware=self.scope_aware)
        read = 0
        for attachment in self.attachments:
            answer: object = self._fault(attachment, read)
            if answer is None:
                read += 1
                answer = self._extracted(attachment)
            if type(answer) is DocumentDropReason:
                admission.drop(attachment.name, answer)
            else:
                admission.offer(attachment.name, answer)
        return admission.selection()

    def read(self, request: ContextRequest) -> ContextRead:
        """Answer with the admitted attachments, untrusted."""
        return self.select(request).as_read()

    def _fault(self, attachment: Attachment, read: int) -> DocumentDropReason | None:
        """Why a file is not even read, after so many that were."""
        policy, size = self.policy, len(attachment.data)
        if not is_encodable(attachment.name):
            return document_reason(DocumentDropCode.BAD_NAME)
        if size == 0:
            return document_reason(DocumentDropCode.EMPTY)
        if read == policy.max_attachments:
            return document_reason(DocumentDropCode.OVER_COUNT, ceiling=read)
        if size > policy.max_attachment_bytes:
            return document_reason(DocumentDropCode.OVER_BYTES, size, policy.max_attachment_bytes)
        return None

    def _extracted(self, attachment: Attachment) -> object:
        """What the extractor answers, or the reason why that is nothing to look at."""
        try:
            answer: object = self.extractor.extract(_copied(attachment))  # what becomes of it is no concern of ours
            awaited = has_to_be_awaited(answer)  # its class may raise when it is looked at
        except BaseException as error:  # an extractor may raise anything; the other files do not suffer for it
            if not is_failure(error):
                raise
            return _failed(error)
        if awaited:
            detail = f"the extractor answered a {type_name(answer)}, which has to be awaited"
            return document_reason(DocumentDropCode.EXTRACTION_FAILED, detail=detail)
        # An extractor has no say in reasons: one of ours from its hand is a text like any other.
        return exact_str(answer) if is_text(answer) else answer


def _rules(policy: AttachmentPolicy) -> DocumentRules:
    most, total = policy.max_attachment_chars, policy.max_total_chars
    return DocumentRules(most, total, policy.key, policy.neutralise_markers, policy.count)


def _failed(error: BaseException) -> DocumentDropReason:
    """What an exception says by its ``code`` and ``limit``, if these are words that are known here; else its type.

    The text of an error stays out: it may quote the file.
    """
    code, limit = _word(error, "code"), _word(error, "limit")
    if code == "unsupported":
        return document_reason(DocumentDropCode.UNSUPPORTED)
    if code == "empty":
        return document_reason(DocumentDropCode.BLANK)
    detail = code if code in _TOLD else type_name(error)
    if limit in _LIMITS:
        detail = f"it met the limit of {limit}"
    return document_reason(DocumentDropCode.EXTRACTION_FAILED, detail=detail)


def _word(error: BaseException, name: str) -> str:
    value = attribute_of(error, name)
    return exact_str(value) if is_text(value) else ""


def _checked_attachments(given: object) -> tuple[Attachment, ...]:
    items = items_of(given)
    if items is None:
        refuse("KB-ATT-SOURCE-1", given)
    return tuple(_checked_attachment(one) for one in items)


def _checked_attachment(one: object) -> Attachment:
    if type(one) is not Attachment:  # what a subclass makes of its fields is nobody's promise
        refuse("KB-ATT-SOURCE-1", one)
    try:
        return _copied(one)
    except (AttributeError, BridgeContractError):  # it was never filled, or changed behind its checks
        refuse("KB-ATT-SOURCE-1", one)


def _copied(attachment: Attachment) -> Attachment:
    """A checked value of its own, over the same bytes."""
    return Attachment(attachment.name, attachment.media_type, attachment.data)


def attachment_contribution(
    contribution_id: str, source: AttachmentSource, *, order: int = 0, scope: str | None = None
) -> ContextContribution:
    """Declare the files of a turn: layer L2, tier session, read anew every turn.

    Raises:
        BridgeContractError: As :class:`ContextContribution`, and for a ``scope`` that is not one of the three names.
    """
    return ContextContribution(
        contribution_id,
        source,
        layer=ContextLayer.L2,
        tier=ContextTier.SESSION,
        scope=resolve_scope(scope),
        order=order,
        requires_hydration=True,
    )
