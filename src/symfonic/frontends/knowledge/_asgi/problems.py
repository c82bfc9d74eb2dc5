"""Errors as a client sees them: ``application/problem+json`` (RFC 9457), without what is the server's own business.

Rules of this module: what the client did wrong is told in full; of what failed on the server the code and one fixed
sentence, for messages of a store, a model or a settings file hold paths and addresses. The rest is for the log.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from symfonic.composition import knowledge

from .protocol import FAILURE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from symfonic.composition.knowledge import KnowledgeError

    from .protocol import Scope

PROBLEM_TYPE: Final = "application/problem+json"
_NAMESPACE: Final = "urn:symfonic-knowledge:problem:"
_TITLES: Final = {413: "Content Too Large", 414: "URI Too Long", 422: "Unprocessable Content"}
"""As RFC 9110 has them; releases of Python differ."""
_TAKEN: Final = frozenset({"type", "title", "status", "code", "detail"})
_MOST_DETAIL_CHARS: Final = 1_000

_JUDGED: Final[Mapping[type[KnowledgeError], tuple[int, str]]] = {
    knowledge.AccessFileError: (503, "tokens cannot be checked at present, and nobody is let in"),
    knowledge.AccessRefusedError: (403, "this key does not reach that"),
    knowledge.CompileFailedError: (500, "the operator's own text made no prompt"),
    knowledge.CounterFailedError: (500, "the prompt could not be counted"),
    knowledge.EmbedderFailedError: (503, "what finds passages by meaning does not answer"),
    knowledge.InputError: (422, "what was sent or named is not there, or cannot be used"),
    knowledge.KeyFileError: (503, "the key of the store cannot be used"),
    knowledge.KnowledgeError: (500, "something failed on the server"),
    knowledge.LedgerError: (
        422,
        "a ledger is taken as a prompt or an answer gave it; this is none and nothing was checked; send `ledger` whole",
    ),
    knowledge.MissingExtraError: (501, "an optional part of this service is not installed"),
    knowledge.MissingStoreError: (503, "there is no store yet"),
    knowledge.ModelFailedError: (502, "the model did not answer, or not to the end"),
    knowledge.NothingAdmittedError: (422, "there is no source to answer from"),
    knowledge.QuestionError: (422, "a question is text that shows something"),
    knowledge.ScopeError: (422, "a scope names somebody, and this one does not"),
    knowledge.SettingsError: (500, "the settings of this service do not hold together"),
    knowledge.StoreFailedError: (503, "the store does not answer"),
    knowledge.WiringError: (422, "these ceilings do not go together, or documents are named and this service has none"),
}
"""The status of each, and the sentence that stands in place of a message that is not shown."""

_SHOWN: Final = frozenset(
    {
        knowledge.AccessRefusedError,
        knowledge.InputError,
        knowledge.NothingAdmittedError,
        knowledge.QuestionError,
        knowledge.ScopeError,
    }
)
"""Faults of whoever asks: the message says what to correct. It is shown unless it names a place."""

_WHOLE: Final = frozenset({knowledge.LedgerError})
"""Faults of whoever asks whose sentence says what to correct: no log is needed for it."""

_REMEDY: Final = "; the operator finds the reason in the log, under the id of the request"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """An error as it is answered.

    Attributes:
        status: The HTTP status.
        code: A stable word for programs; the same on every face.
        detail: A sentence that is safe to show.
    """

    status: int
    code: str
    detail: str

    def body(self, **more: object) -> bytes:
        """The JSON document; ``more`` are further members."""
        return problem(self.status, self.code, self.detail, **more)


def problem(status: int, code: str, detail: str, **more: object) -> bytes:
    """A problem document of RFC 9457 in ASCII.

    Args:
        status: The HTTP status, 400 to 599.
        code: A stable word for programs.
        detail: What happened and what to do about it; at most 1,000 characters of it are shown.
        more: Further members.

    Raises:
        ValueError: ``more`` holds a member the document has of itself.
    """
    if _TAKEN & set(more):
        raise ValueError(f"a problem has these of itself: {', '.join(sorted(_TAKEN & set(more)))}")
    document: dict[str, Any] = {
        "type": f"{_NAMESPACE}{code}",
        "title": _TITLES.get(status) or HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail[:_MOST_DETAIL_CHARS],
        **more,
    }
    return json.dumps(document, allow_nan=False).encode("ascii")


def status_of(error: KnowledgeError) -> int:
    """The HTTP status of an error of the knowledge base."""
    return _JUDGED[_kind(error)][0]


def problem_of(error: KnowledgeError, scope: Scope | None = None) -> Problem:
    """An error of the knowledge base as it may be shown.

    Args:
        error: What was raised.
        scope: The request it was raised for. The error is noted there, so that the edge logs what is not shown.
    """
    if scope is not None:
        scope.setdefault("state", {})[FAILURE] = error
    status, sentence = _JUDGED[_kind(error)]
    told = sentence if _kind(error) in _WHOLE else f"{sentence}{_REMEDY}"
    detail = told if _is_hidden(error) else str(error)
    return Problem(status=status, code=error.code, detail=detail)


def hidden_message(error: KnowledgeError) -> str | None:
    """What an error says and clients are not shown: for the log, on one line and no longer than a detail.

    ``None`` where they are shown it.
    """
    if not _is_hidden(error):
        return None
    words = " ".join("".join(c if c.isprintable() else " " for c in str(error)).split())
    return words[:_MOST_DETAIL_CHARS]


def _is_hidden(error: KnowledgeError) -> bool:
    """Whether it is the server's own business, or its message names a file or an address."""
    return _kind(error) not in _SHOWN or "/" in str(error)


def _kind(error: KnowledgeError) -> type[KnowledgeError]:
    """The nearest class that is judged; every class of ours is."""
    return next(kind for kind in type(error).__mro__ if kind in _JUDGED)
