"""Whole documents: how a text that keeps its lines is shown under a header, and which of several texts fit.

Rules of this module:

* A document is a header and its lines, ``KIND SOURCE [label]:`` and below it ``| line``, an empty line being ``|``
  alone. Whatever ends a line in the hygiene table ends one here, and every line gets the treatment of content by
  itself. So no line of content begins like a header, a citation line or a delimiter.
* The header holds the marker of citation lines, ``SOURCE [``. A reference to a document is therefore spelled as one to
  a fragment, and where markers are neutralised, no content of any bridge can spell a header.
* A document is admitted or dropped, whole; those that come after one that does not fit still get their chance, and the
  order is the one they were declared in. It knows no store and no file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from ._counting import CHARS_PER_TOKEN, counted, is_out_of_proportion, unit_of
from ._hardening import TAG_LENGTH, keyed_tag, shown_tags
from ._labels import Label, safe_source, tagged_label
from ._markers import neutralise_markers
from ._reasons import DocumentDropCode, DocumentDropReason, document_reason
from ._text import clean_content, exact_str, is_encodable, is_text, shows_blank
from .contracts import IngestSelection
from .errors import type_name

if TYPE_CHECKING:
    from .contracts import ContextRequest

_REVISION_DIGITS: Final = 16
_FORMAT: Final = "symfonic-knowledge documents 1\n"


@dataclass(frozen=True, slots=True)
class AdmittedDocument:
    """A document, or an attachment that was read, as the prompt shows it; a citation ledger takes it as an entry.

    Args:
        label: The label between the brackets of its header.
        source: The raw name.
        header: The line above its lines.
        content: Its lines as they are shown, without what stands before each, joined by line feeds.
        scope_path: The scope path it was read for, where the source answers by scope; else empty.

    Attributes:
        content_hash: SHA-256 of the content in UTF-8, hexadecimal.
        score: 0.0: nothing was ranked.
    """

    label: Label
    source: str
    header: str
    content: str = field(repr=False)
    scope_path: str = field(default="", kw_only=True)

    @property
    def content_hash(self) -> str:
        """SHA-256 of the content in UTF-8, hexadecimal."""
        return hashlib.sha256(self.content.encode()).hexdigest()

    @property
    def score(self) -> float:
        """Nothing was ranked."""
        return 0.0


@dataclass(frozen=True, slots=True)
class DocumentSelection(IngestSelection):
    """What a source of documents or attachments shows, and why everything else is left out.

    Args:
        text: The admitted documents, rendered, in declared order.
        revision: 16 hex digits (64 bits) of SHA-256 over a format version and the text: it changes exactly when the
            bytes do. It is no identity: use the compiler's digests for that.
        dropped: ``(name, reason)`` for each one left out, in declared order; one with an empty name is about the read
            as a whole. The name is as it was declared; ``dropped_labels`` can be shown.
        admitted: What was admitted, in declared order, for the ledger of a prompt.
        places: Where each of ``admitted`` stands among all that were declared, from 0; the others were dropped.
    """

    dropped: tuple[tuple[str, DocumentDropReason], ...] = ()
    admitted: tuple[AdmittedDocument, ...] = field(default=(), kw_only=True)
    places: tuple[int, ...] = field(default=(), kw_only=True)

    @property
    def dropped_labels(self) -> tuple[Label, ...]:
        """The name of each pair of ``dropped`` as it may be shown."""
        return tuple(safe_source(name) for name, _ in self.dropped)


class DocumentKind(NamedTuple):
    """What tells the documents of one bridge from those of another, where both hold the same."""

    word: str
    domain: bytes


@dataclass(frozen=True, slots=True)
class DocumentRules:
    """What a policy says, by the words both policies share.

    Args:
        most: The ceiling of one raw text.
        total: The ceiling of all that is rendered.
        key: Deployment key of labels.
        neutralise_markers: Whether markers inside content are broken.
        count: What both ceilings count by; ``None`` for characters.
    """

    most: int
    total: int
    key: bytes | None = field(repr=False)
    neutralise_markers: bool
    count: Callable[[str], int] | None


class _Candidate(NamedTuple):
    """A text that nothing speaks against but its length in lines."""

    place: int
    name: str
    text: str
    tag: str


class _Shown(NamedTuple):
    """A document that is admitted so far, and its rendering."""

    place: int
    document: AdmittedDocument
    rendered: str


class Admission:
    """One walk through declared documents, in their order.

    Args:
        kind: Whose documents.
        rules: The ceilings and defences in force.
        request: For whom they are read; its scope path is part of keyed labels.
        scope_aware: Whether admitted documents are those of that scope.
    """

    __slots__ = ("_candidates", "_kind", "_names", "_reasons", "_rules", "_scope", "_stored_under")

    def __init__(self, kind: DocumentKind, rules: DocumentRules, request: ContextRequest, *, scope_aware: bool) -> None:
        self._kind = kind
        self._rules = rules
        self._scope = request.scope_path
        self._stored_under = request.scope_path if scope_aware else ""
        self._names: list[str] = []
        self._reasons: dict[int, DocumentDropReason] = {}
        self._candidates: list[_Candidate] = []

    def drop(self, name: str, reason: DocumentDropReason) -> None:
        """Take the next one, and leave it out."""
        self._reasons[len(self._names)] = reason
        self._names.append(name)

    def offer(self, name: str, answer: object) -> None:
        """Take the next one with the text that a store or an extractor answered, whatever that is.

        Raises:
            CounterError: The policy's counter raised, or answered what is no count.
        """
        if not is_text(answer):
            self.drop(name, document_reason(DocumentDropCode.BAD_CONTENT, detail=f"a {type_name(answer)}"))
            return
        text = exact_str(answer)
        reason = self._fault(text)
        if reason is not None:
            self.drop(name, reason)
            return
        key, domain = self._rules.key, self._kind.domain
        tag = "" if key is None else keyed_tag(key, domain, self._scope, name, text)
        self._candidates.append(_Candidate(len(self._names), name, text, tag))
        self._names.append(name)

    def _fault(self, text: str) -> DocumentDropReason | None:
        """Why a raw text cannot be shown; its length comes before whatever looks at each of its characters."""
        count, most = self._rules.count, self._rules.most
        if count is None and len(text) > most:
            return document_reason(DocumentDropCode.OVER_DOCUMENT, len(text), most)
        if is_out_of_proportion(text, most):
            detail = "more than is counted in tokens, a thousand for each of them"
            return document_reason(DocumentDropCode.OVER_DOCUMENT, len(text), most * CHARS_PER_TOKEN, detail=detail)
        if not is_encodable(text):
            return document_reason(DocumentDropCode.BAD_TEXT)
        if shows_blank(text):
            return document_reason(DocumentDropCode.BLANK)
        if count is not None and (actual := counted(count, text)) > most:
            return document_reason(DocumentDropCode.OVER_DOCUMENT, actual, most, unit=unit_of(count))
        return None

    def selection(self) -> DocumentSelection:
        """What fits, and the account of all the others.

        Raises:
            CounterError: The policy's counter raised, or answered what is no count.
        """
        shown = self._fitting()
        if self._rules.count is not None:
            self._hold_total(shown, self._rules.count)
        text = "\n".join([one.rendered for one in shown])
        return DocumentSelection(
            text,
            documents_revision(text),
            tuple((self._names[place], self._reasons[place]) for place in sorted(self._reasons)),
            admitted=tuple(one.document for one in shown),
            places=tuple(one.place for one in shown),
        )

    def _fitting(self) -> list[_Shown]:
        """Every candidate that fits behind those before it."""
        count, most = self._rules.count, self._rules.total
        shown: list[_Shown] = []
        labels: set[str] = set()
        total = 0
        tags = shown_tags([one.tag for one in self._candidates], TAG_LENGTH)
        for candidate, tag in zip(self._candidates, tags, strict=True):
            one = self._rendered(candidate, tag)
            if one.document.label in labels:
                self._reasons[one.place] = document_reason(DocumentDropCode.DUPLICATE)
                continue
            joined = f"\n{one.rendered}" if shown else one.rendered
            after = total + (len(joined) if count is None else counted(count, joined))
            if after > most:
                self._reasons[one.place] = self._over_total(after)
                continue
            total = after
            shown.append(one)
            labels.add(one.document.label)
        return shown

    def _hold_total(self, shown: list[_Shown], count: Callable[[str], int]) -> None:
        """Count what really renders: a counter may say more of joined lines than of each alone. The last ones go."""
        while shown:
            total = counted(count, "\n".join([one.rendered for one in shown]))
            if total <= self._rules.total:
                return
            self._reasons[shown.pop().place] = self._over_total(total)

    def _over_total(self, total: int) -> DocumentDropReason:
        rules = self._rules
        return document_reason(DocumentDropCode.OVER_TOTAL, total, rules.total, unit=unit_of(rules.count))

    def _rendered(self, candidate: _Candidate, tag: str) -> _Shown:
        label = safe_source(candidate.name)
        if tag:
            label = tagged_label(label, tag)
        lines = document_lines(candidate.text, neutralise=self._rules.neutralise_markers)
        header = f"{self._kind.word} SOURCE [{label}]:"
        document = AdmittedDocument(label, candidate.name, header, "\n".join(lines), scope_path=self._stored_under)
        return _Shown(candidate.place, document, "\n".join([header, *map(_prefixed, lines)]))


def document_lines(text: str, *, neutralise: bool) -> list[str]:
    """The lines of a text as they are shown, each treated by itself; whatever the hygiene table calls a break ends one.

    `str.splitlines` parts text at exactly those characters, CRLF being one.
    """
    lines = [clean_content(line) for line in text.splitlines()]
    return [neutralise_markers(line)[0] for line in lines] if neutralise else lines


def _prefixed(line: str) -> str:
    return f"| {line}" if line else "|"


def documents_revision(text: str) -> str:
    """A change detector for a rendered selection."""
    return hashlib.sha256((_FORMAT + text).encode()).hexdigest()[:_REVISION_DIGITS]


def nothing_read(code: DocumentDropCode) -> DocumentSelection:
    """The selection of a source that read nothing at all, with the reason."""
    return DocumentSelection(revision=documents_revision(""), dropped=(("", document_reason(code)),))
