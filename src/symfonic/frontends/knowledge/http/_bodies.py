"""What requests hold. Rules of this module: shapes and their limits; what a value means is decided behind it."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from symfonic.capabilities.knowledge import Attachment, BridgeContractError, ScopePath
from symfonic.composition.knowledge import InputError, ScopeError, narrowed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from symfonic.composition.knowledge import AccessKey

_MOST = 2**31 - 1
_MOST_NAMES = 100

Format = Literal["text", "anthropic", "openai-chat", "openai-responses", "gemini"]
FORMATS: tuple[str, ...] = get_args(Format)

Step = Annotated[str, Field(min_length=3, max_length=500, pattern="^[^:]+:.", examples=["tenant:acme"])]
Steps = Annotated[
    list[Step] | None,
    Field(max_length=16, description="Whose knowledge, as KIND:ID from the root down; the key's own where left out."),
]
Ceiling = Annotated[int, Field(ge=0, le=_MOST)]
Question = Annotated[str, Field(min_length=1, examples=["How many days of leave are there?"])]


class Body(BaseModel):
    """A JSON object that holds what is declared and nothing else."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, frozen=True)


class Searched(Body):
    """A search: ranked rows, without a prompt."""

    question: Question
    scope: Steps = None
    limit: Annotated[int, Field(ge=1, le=1000)] | None = None
    min_score: Annotated[float, Field(ge=0, le=1)] | None = None


class CeilingsAsked(Body):
    """Ceilings of one question. None may be wider than what the operator set."""

    limit: Ceiling | None = None
    min_score: Annotated[float, Field(ge=0, le=1)] | None = None
    max_fragment_chars: Ceiling | None = None
    max_total_chars: Ceiling | None = None


class FileSent(Body):
    """A file that comes with a question."""

    name: Annotated[str, Field(min_length=1, max_length=255, examples=["offer.pdf"])]
    media_type: Annotated[str, Field(max_length=255)] = ""
    data: Annotated[str, Field(description="Its bytes in Base64.", examples=["SGVsbG8h"])]


class Asked(Body):
    """A question."""

    question: Question
    scope: Steps = None
    ceilings: CeilingsAsked = CeilingsAsked()
    documents: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=500)]],
        Field(max_length=_MOST_NAMES, description="Names of standing documents to show whole."),
    ] = []
    attachments: Annotated[list[FileSent], Field(max_length=_MOST_NAMES)] = []


class PromptAsked(Asked):
    """A question whose prompt is wanted."""

    format: Annotated[
        Format, Field(description="`text` is the compiled prompt; the others are requests of a provider's API.")
    ] = "text"


class Answered(Body):
    """An answer that is to be checked against the ledger of its prompt."""

    answer: str
    ledger: Annotated[dict[str, Any], Field(description="`ledger` of an answer or a prompt of this service.")]


def scope_asked(steps: Sequence[str] | None) -> ScopePath | None:
    """``KIND:ID`` words as a scope; ``None`` where nothing is asked.

    Raises:
        ScopeError: They name none.
    """
    if steps is None:
        return None
    for step in steps:
        if ":" not in step:
            raise ScopeError(
                "a scope is a list of KIND:ID; a word of this one has no colon, would name nobody, and nothing was "
                "done; write tenant:acme, for instance, or leave the scope out"
            )
    try:
        return ScopePath(tuple((kind, identity) for kind, _, identity in (step.partition(":") for step in steps)))
    except BridgeContractError as error:
        raise ScopeError(str(error)) from error


def scope_within(key: AccessKey | None, steps: Sequence[str] | None) -> ScopePath:
    """The scope of a request.

    Raises:
        AccessRefusedError: The key does not reach it.
        ScopeError: It is none.
    """
    return ScopePath.parse(narrowed(key, scope_asked(steps)))


def attachments_of(files: Sequence[FileSent]) -> list[Attachment]:
    """Files as they were before they were put into JSON.

    Raises:
        InputError: The data of one is no Base64.
    """
    return [Attachment(one.name, one.media_type, _decoded(one.data)) for one in files]


def _decoded(data: str) -> bytes:
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InputError(
            "the data of an attachment is Base64; this is not and nothing was asked; encode the file's bytes"
        ) from error
