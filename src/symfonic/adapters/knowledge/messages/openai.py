"""Requests of OpenAI's Responses and Chat Completions APIs, as plain data.

Rules of this module: pure functions from parts to the arguments of ``responses.create`` and
``chat.completions.create``; the SDK is not imported. Evidence is what a function answered, one text part for each
piece.

Three ways of caching:

- ``explicit``: breakpoints at the ends of ``L0`` and ``L1``, of the standing evidence, of the last question answered
  and of this one; the provider sets none of its own. Models from gpt-5.6 on match a cache at breakpoints only.
- ``automatic``: no breakpoints, for models that match any prefix themselves; a key that names the stable part.
- ``none``: no field about caching, and plain text wherever the API takes it: for servers that imitate the API.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from .calls import FUNCTION_NAME, Call, Message, conversation
from .errors import MessageError
from .parts import require_parts

if TYPE_CHECKING:
    from .parts import MessageParts

__all__ = ["Caching", "openai_chat_request", "openai_responses_request"]

Caching = Literal["explicit", "automatic", "none"]
"""How a request says what may be cached."""

_BREAKPOINT: Final = {"mode": "explicit"}


def openai_responses_request(parts: MessageParts, *, caching: Caching = "explicit") -> dict[str, Any]:
    """Return the arguments for ``responses.create(model=…, **request)``.

    The system text is a developer message where it has breakpoints, which ``instructions`` cannot carry, and
    ``instructions`` otherwise; both have the same authority.

    Raises:
        MessageError: ``parts`` are no parts, or ``caching`` is none of the three.
    """
    require_parts(parts)
    _require_caching(caching)
    explicit = caching == "explicit"
    items = [item for step in conversation(parts) for item in _response_items(step, explicit=explicit)]
    request: dict[str, Any] = {"input": items}
    if parts.system and explicit:
        content = [_part("input_text", part.text, ends_prefix=part.stable) for part in parts.system]
        items.insert(0, {"type": "message", "role": "developer", "content": content})
    elif parts.system:
        request["instructions"] = parts.system_text
    return request | _cache_fields(parts, caching)


def _response_items(step: Message | Call, *, explicit: bool) -> list[dict[str, Any]]:
    if isinstance(step, Message):
        return [{"type": "message", "role": step.role, "content": _content("input_text", step, explicit=explicit)}]
    output = _output("input_text", step, explicit=explicit)
    return [
        {"type": "function_call", "call_id": step.call_id, "name": FUNCTION_NAME, "arguments": "{}"},
        {"type": "function_call_output", "call_id": step.call_id, "output": output},
    ]


def openai_chat_request(parts: MessageParts, *, caching: Caching = "explicit") -> dict[str, Any]:
    """Return the arguments for ``chat.completions.create(model=…, **request)``.

    Raises:
        MessageError: ``parts`` are no parts, or ``caching`` is none of the three.
    """
    require_parts(parts)
    _require_caching(caching)
    explicit = caching == "explicit"
    messages = [message for step in conversation(parts) for message in _chat_messages(step, caching)]
    if parts.system:
        content: Any = parts.system_text
        if explicit:
            content = [_part("text", part.text, ends_prefix=part.stable) for part in parts.system]
        messages.insert(0, {"role": "system", "content": content})
    return {"messages": messages} | _cache_fields(parts, caching)


def _chat_messages(step: Message | Call, caching: Caching) -> list[dict[str, Any]]:
    explicit = caching == "explicit"
    if isinstance(step, Message):
        return [{"role": step.role, "content": _content("text", step, explicit=explicit)}]
    output: Any = _output("text", step, explicit=explicit)
    if caching == "none":
        output = "\n".join(piece.labelled for piece in step.pieces)
    function = {"name": FUNCTION_NAME, "arguments": "{}"}
    return [
        {"role": "assistant", "tool_calls": [{"id": step.call_id, "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": step.call_id, "content": output},
    ]


def _content(kind: str, message: Message, *, explicit: bool) -> str | list[dict[str, Any]]:
    """The user's text as a part wherever one may carry a breakpoint, for what is written alike is cached alike."""
    if explicit and message.role == "user":
        return [_part(kind, message.text, ends_prefix=message.ends_prefix)]
    return message.text


def _output(kind: str, call: Call, *, explicit: bool) -> list[dict[str, Any]]:
    last = len(call.pieces) - 1
    return [
        _part(kind, piece.labelled, ends_prefix=explicit and call.standing and place == last)
        for place, piece in enumerate(call.pieces)
    ]


def _part(kind: str, text: str, *, ends_prefix: bool) -> dict[str, Any]:
    return {"type": kind, "text": text} | ({"prompt_cache_breakpoint": dict(_BREAKPOINT)} if ends_prefix else {})


def _cache_fields(parts: MessageParts, caching: Caching) -> dict[str, Any]:
    if caching == "none":
        return {}
    fields: dict[str, Any] = {"prompt_cache_key": parts.cache_key}
    return fields | ({"prompt_cache_options": {"mode": "explicit"}} if caching == "explicit" else {})


def _require_caching(caching: object) -> None:
    if caching not in get_args(Caching):
        raise MessageError(
            f"caching is one of {', '.join(get_args(Caching))}, not {caching!r}: any other word would send a request "
            "whose cost nobody chose. Give one of the three.",
            rule="KB-MSG-CACHING-1",
            value=caching,
        )
