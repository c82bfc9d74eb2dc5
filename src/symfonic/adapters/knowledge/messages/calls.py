"""Evidence as what a function answered, for the providers that have no part of its own for it.

Rules of this module: names and places that the shapes share. The call is one the model never made, so it carries no
argument: what it found is evidence, and nothing else of it should be read. Every piece stands in it under its label.

Standing evidence is the answer to a call after the first message of the user, which stays the first for the whole
conversation: some providers take a call right after a user's message only. Evidence of this turn answers a call after
the question.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .parts import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .parts import MessageParts

__all__ = ["FUNCTION_NAME"]

FUNCTION_NAME: Final = "retrieve_evidence"
"""Under this name evidence is a function's answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of the conversation; ``ends_prefix`` tells that the next turn begins with all up to here."""

    role: str
    text: str
    ends_prefix: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call and the evidence it was answered with."""

    call_id: str
    pieces: tuple[Evidence, ...]
    standing: bool


def conversation(parts: MessageParts) -> Iterator[Message | Call]:
    """Messages and calls in the order in which they are sent."""
    last_question = len(parts.history) - 2
    for place, turn in enumerate(parts.history):
        yield Message(role=turn.role, text=turn.text, ends_prefix=place == last_question and parts.steady)
        if place == 0:
            yield from _call("call_standing", parts.standing, standing=True)
    yield Message(role="user", text=parts.question, ends_prefix=parts.steady)
    if not parts.history:
        yield from _call("call_standing", parts.standing, standing=True)
    yield from _call("call_evidence", parts.evidence, standing=False)


def _call(call_id: str, pieces: tuple[Evidence, ...], *, standing: bool) -> Iterator[Call]:
    if pieces:
        yield Call(call_id=call_id, pieces=pieces, standing=standing)
