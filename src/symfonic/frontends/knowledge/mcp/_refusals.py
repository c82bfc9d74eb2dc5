"""What a call is refused with: rule, consequence, remedy.

Rules of this module: every text is a constant. What a store, a document or a library said goes to no client: of an
error of ours only its kind is told, and of any other not even that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from symfonic.composition.knowledge import EmbedderFailedError, KnowledgeError, QuestionError

from ._declared import ID_CHARS, MAX_LIMIT, MAX_QUESTION_CHARS


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a call is refused with; ``code`` is for logs."""

    code: str
    message: str


class RefusedError(Exception):
    """A call is refused."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


ARGUMENTS: Final = Refusal(
    "arguments",
    "a tool takes the arguments of its schema, in its types and lengths: a question or query is text of 1 to "
    f"{MAX_QUESTION_CHARS:,} characters, a limit is a whole number from 1 to {MAX_LIMIT}, an id is text; these are not "
    "and nothing was looked for; correct them",
)
QUESTION: Final = Refusal(
    "question", "a question holds words; this one shows nothing and nothing was looked for; ask something"
)
UNKNOWN_PASSAGE: Final = Refusal(
    "not-found",
    f"a passage is read by an id of {ID_CHARS} characters that a search answered; there is none by this id and "
    "nothing was read; search again, for a passage that changes gets another id",
)
LEFT_OUT: Final = Refusal(
    "left-out",
    "a passage is shown under the ceilings of this deployment; this one is left out by one of them and nothing was "
    "read; explain_context tells which, and the operator may raise it",
)
UNKNOWN_TOOL: Final = Refusal(
    "unknown-tool", "a tool is called by a name that the server lists; there is none by this one; list the tools"
)
UNKNOWN_RESOURCE: Final = Refusal(
    "not-found", f"{UNKNOWN_PASSAGE.message}; a resource is addressed as knowledge://passage/ID"
)
BUSY: Final = Refusal(
    "busy", "so many calls at a time are answered; there are more now, and nothing was looked for; try again in a while"
)
TIMED_OUT: Final = Refusal(
    "timeout", "a call is answered within its time; this one was not, and nothing was found; try again in a while"
)
_EMBEDDER: Final = Refusal(
    "embedder-failed",
    "a question is compared by its meaning; that failed and nothing was found; try again in a while, or have the "
    "operator look at the embedder",
)
_STORE: Final = Refusal(
    "failed",
    "a call needs the knowledge base's answer; it failed and nothing was found; try again in a while, or have the "
    "operator look at the server's log",
)


def refusal_of(error: Exception) -> Refusal:
    """What a client is told of an error."""
    if isinstance(error, RefusedError):
        return error.refusal
    if isinstance(error, QuestionError):
        return QUESTION
    return _EMBEDDER if isinstance(error, EmbedderFailedError) else _STORE


def logged_code(error: Exception) -> str:
    """What the log says of an error: our code, or the name of a class that is not ours."""
    if isinstance(error, RefusedError):
        return error.refusal.code
    return error.code if isinstance(error, KnowledgeError) else type(error).__name__
