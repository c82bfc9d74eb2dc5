"""Messages for LangChain's chat models, as plain data.

Rules of this module: one pure function from parts to what ``convert_to_messages`` takes, hence to what every chat model
can be invoked with; LangChain is not imported. Its messages are the same for all providers and have no place for cache
breakpoints, so which provider stands behind a model decides what evidence looks like.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from .anthropic import anthropic_request
from .calls import FUNCTION_NAME, Call, Message, conversation
from .parts import require_parts

if TYPE_CHECKING:
    from .parts import MessageParts

__all__ = ["langchain_anthropic_messages", "langchain_messages"]


def langchain_messages(parts: MessageParts) -> list[dict[str, Any]]:
    """Return messages for a chat model whose provider takes calls nobody declared; evidence is what a tool answered.

    For Anthropic's models use :func:`langchain_anthropic_messages`.

    Raises:
        MessageError: ``parts`` are no parts.
    """
    require_parts(parts)
    system = [{"role": "system", "content": parts.system_text}] if parts.system else []
    return [*system, *(message for step in conversation(parts) for message in _messages(step))]


def langchain_anthropic_messages(
    parts: MessageParts, *, ttl: Literal["5m", "1h"] | None = None
) -> list[dict[str, Any]]:
    """Return messages for ``ChatAnthropic``: the provider's own blocks, with breakpoints and search results.

    Args:
        parts: What is to be sent.
        ttl: How long the provider keeps what a breakpoint marks; ``None`` is its default of five minutes.

    Raises:
        MessageError: ``parts`` are no parts, or ``ttl`` is a time the provider does not have.
    """
    request = anthropic_request(parts, ttl=ttl)
    system = [{"role": "system", "content": request["system"]}] if parts.system else []
    return [*system, *request["messages"]]


def _messages(step: Message | Call) -> list[dict[str, Any]]:
    if isinstance(step, Message):
        return [{"role": step.role, "content": step.text}]
    call = {"name": FUNCTION_NAME, "args": {}, "id": step.call_id, "type": "tool_call"}
    content = [{"type": "text", "text": piece.labelled} for piece in step.pieces]
    return [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "name": FUNCTION_NAME, "tool_call_id": step.call_id, "content": content},
    ]
