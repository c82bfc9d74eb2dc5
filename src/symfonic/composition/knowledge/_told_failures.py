"""What a store or an extractor said itself of what it refused, and which setting raises a ceiling.

Rules of this module: what an adapter raises is worded for people and told, on one line that is safe to show and no
longer than a ceiling; the words of anything else stay out, for they may quote content or credentials. A sentence stands
beside the reason of a selection and changes none: it goes to people, and nothing of it reaches a prompt.
"""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.ports import AdapterError
from symfonic.capabilities.knowledge import (
    AdmittedDocument,
    AttachmentExtractor,
    DocumentDropCode,
    DocumentStore,
    ScopedDocumentStore,
)

from .attached_files import FileExtractor, extracted_text
from .explained_documents import Hidden, in_order_given
from .hygiene import showable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from symfonic.capabilities.knowledge import (
        Attachment,
        DocumentSelection,
    )

MOST_TOLD_CHARS: Final = 1000
"""Most characters of a sentence; adapters have none as long, but for the name of a file in it."""

_Sentences = dict[tuple[str, DocumentDropCode], list[str]]
_HiddenByName = dict[str, list[Hidden]]

_UNREAD: Final = frozenset(
    {DocumentDropCode.BAD_NAME, DocumentDropCode.EMPTY, DocumentDropCode.OVER_COUNT, DocumentDropCode.OVER_BYTES}
)
"""Why the bridge of attachments gives a file to no extractor."""


@dataclass(frozen=True, slots=True)
class TellingStore:
    """A store of documents that keeps what it said of each name it failed at; ask it on behalf of one question."""

    store: DocumentStore | ScopedDocumentStore
    sentences: _Sentences = field(default_factory=lambda: defaultdict(list))

    @property
    def get(self) -> Callable[..., str | None]:
        """The store's own, which takes a scope path exactly where the store's does."""
        asked: Callable[..., str | None] = self.store.get

        @functools.wraps(asked, assigned=(), updated=())
        def get(name: str, **scope: str) -> str | None:
            try:
                return asked(name, **scope)
            except BaseException as error:  # a parser of another language may raise one; the bridge judges
                self.sentences[name, DocumentDropCode.STORE_FAILED].append(sentence_of(error))
                raise

        return get


@dataclass(frozen=True, slots=True)
class TellingExtractor:
    """An extractor that keeps what it said of each file it failed at, and what is hidden in the others.

    Ours say of a limit which setting raises it.
    """

    extractor: AttachmentExtractor
    sentences: _Sentences = field(default_factory=lambda: defaultdict(list))
    hidden: _HiddenByName = field(default_factory=lambda: defaultdict(list))

    def extract(self, attachment: Attachment) -> str:
        """Answer what the extractor does."""
        hidden: Hidden = ()
        try:
            if not isinstance(self.extractor, FileExtractor):
                return self.extractor.extract(attachment)
            extraction = self.extractor.extraction(attachment)
            hidden = extraction.hidden
            return extracted_text(extraction)
        except BaseException as error:
            self.sentences[attachment.name, _code_of(error)].append(sentence_of(error).removesuffix("."))
            raise
        finally:
            self.hidden[attachment.name].append(hidden)


def sentence_of(error: BaseException) -> str:
    """What an adapter says, safe to show; empty for any other error."""
    if not isinstance(error, AdapterError):
        return ""
    sentence = showable(str(error)[:MOST_TOLD_CHARS])
    return f"{sentence}…" if len(str(error)) > MOST_TOLD_CHARS else sentence


def _code_of(error: BaseException) -> DocumentDropCode:
    """The code under which the bridge of attachments drops a file for an error, by the words it looks at as well."""
    code = _word(error)
    words = {"unsupported": DocumentDropCode.UNSUPPORTED, "empty": DocumentDropCode.BLANK}
    return words.get(code, DocumentDropCode.EXTRACTION_FAILED)


def _word(error: BaseException) -> str:
    """The word of any error, as the bridge reads it: an attribute that may be anything, or raise."""
    try:
        code: object = getattr(error, "code", "")
    except Exception:  # noqa: BLE001 - a property of somebody else's class
        return ""
    return str.__str__(code) if isinstance(code, str) else ""


def details_of(
    selection: DocumentSelection, sentences: Mapping[tuple[str, DocumentDropCode], list[str]], advice: Mapping[Any, str]
) -> tuple[str, ...]:
    """A sentence for each of a selection's dropped ones, in their order; empty where nothing more is known.

    Args:
        selection: Of one question.
        sentences: What was said while it was read, by name and code, in the order of the reads.
        advice: What raises a ceiling, by the code of the reason.
    """
    failed = Counter((name, reason.code) for name, reason in selection.dropped)
    # What answers nothing usable says no sentence. Where files share a name, nobody knows then whose the others are.
    left = {key: iter(told) for key, told in sentences.items() if len(told) == failed[key]}
    return tuple(
        next(left.get((name, reason.code), iter(())), "") or advice.get(reason.code, "")
        for name, reason in selection.dropped
    )


def hidden_of(selection: DocumentSelection, hidden: Mapping[str, Sequence[Hidden]]) -> tuple[Hidden, ...]:
    """What was left out of each file of a selection, as they were given; ``hidden`` by name in the order of reads."""
    left = {name: iter(found) for name, found in hidden.items()}
    told: list[Hidden] = []
    for one in in_order_given(selection):
        name, unread = (one.source, False) if isinstance(one, AdmittedDocument) else (one[0], one[1].code in _UNREAD)
        told.append(() if unread else next(left.get(name, iter(())), ()))
    return tuple(told)


def ceiling_advice(fields: Mapping[DocumentDropCode, tuple[str, str]], policy: str = "") -> dict[DocumentDropCode, str]:
    """What raises each ceiling: a setting and its option, or the field of a policy of the program's own.

    Args:
        fields: By code: the setting, and the field of the policy that it becomes.
        policy: The name of the policy's class, where the program brought one.
    """
    if policy:
        return {code: f"{field_name} of its {policy} raises that ceiling" for code, (_, field_name) in fields.items()}
    return {
        code: f"the setting {setting} raises that ceiling, on the command line --{setting.replace('_', '-')}"
        for code, (setting, _) in fields.items()
    }


DOCUMENT_CEILINGS: Final = {
    DocumentDropCode.OVER_DOCUMENT: ("max_document_chars", "max_document_chars"),
    DocumentDropCode.OVER_TOTAL: ("max_total_document_chars", "max_total_chars"),
}
"""The setting, and the field of a policy, of each ceiling of documents."""

ATTACHMENT_CEILINGS: Final = {
    DocumentDropCode.OVER_COUNT: ("max_attachments", "max_attachments"),
    DocumentDropCode.OVER_BYTES: ("max_attachment_bytes", "max_attachment_bytes"),
    DocumentDropCode.OVER_DOCUMENT: ("max_attachment_chars", "max_attachment_chars"),
    DocumentDropCode.OVER_TOTAL: ("max_total_attachment_chars", "max_total_chars"),
}
"""The same of attachments."""
