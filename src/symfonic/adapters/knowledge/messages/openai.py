"""Requests of OpenAI's Responses and Chat Completions APIs, as plain data.

Rules of this module: pure functions from parts to the arguments of ``responses.create`` and
``chat.completions.create``; the SDK is not imported. Evidence is what a function answered, one text part for each
piece.

Three ways of caching:

- ``explicit``: breakpoints at the ends of ``L0`` and ``L1``, of the standing evidence, of the last question answered
  and of this one; the provider sets none of its own. A request may write four: where there would be five, that of
  ``L0`` is left out, for ``L1`` begins with it. Models from gpt-5.6 on match a cache at breakpoints only.
- ``automatic``: no breakpoints, for models that match any prefix themselves; a key that names the stable part.
- ``none``: no field about caching, and plain text wherever the API takes it: for servers that imitate the API.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from ._checks import one_of, time_of
from .calls import FUNCTION_NAME, Call, Message, conversation
from .errors import MessageError
from .parts import require_parts

if TYPE_CHECKING:
    from .parts import MessageParts

__all__ = ["Caching", "openai_chat_request", "openai_responses_request"]

Caching = Literal["explicit", "automatic", "none"]
"""How a request says what may be cached."""

_BREAKPOINT: Final = {"mode": "explicit"}
_MOST_BREAKPOINTS: Final = 4
_TIMES: Final = ("30m", "12h")


def openai_responses_request(
    parts: MessageParts, *, caching: Caching = "explicit", ttl: Literal["30m", "12h"] | None = None
) -> dict[str, Any]:
    """Return the arguments for ``responses.create(model=…, **request)``.

    The system text is a developer message where it has breakpoints, which ``instructions`` cannot carry, and
    ``instructions`` otherwise; both have the same authority.

    Args:
        parts: What is to be sent.
        caching: ``explicit`` suits gpt-5.6 and later models: they alone take breakpoints, and charge more for a prefix
            they write than for one they do not keep. Earlier models want ``automatic``.
        ttl: How long the provider keeps at least what a breakpoint marks; ``None`` is its default of thirty minutes.
            Chat Completions have no other, and so no such argument.

    Raises:
        MessageError: ``parts`` are no parts, ``caching`` is none of the three, or ``ttl`` is a time the provider does
            not have, or stands beside another caching than ``explicit``.
    """
    require_parts(parts)
    caching = _caching_of(caching)
    time = _ttl_of(ttl, caching)
    explicit = caching == "explicit"
    items = [item for step in conversation(parts) for item in _response_items(step, explicit=explicit)]
    request: dict[str, Any] = {"input": items}
    if parts.system and explicit:
        items.insert(0, {"type": "message", "role": "developer", "content": _system("input_text", parts)})
    elif parts.system:
        request["instructions"] = parts.system_text
    return request | _cache_fields(parts, caching, time)


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

    Args:
        parts: What is to be sent.
        caching: As in :func:`openai_responses_request`; ``none`` for a server that imitates the API.

    Raises:
        MessageError: ``parts`` are no parts, or ``caching`` is none of the three.
    """
    require_parts(parts)
    caching = _caching_of(caching)
    explicit = caching == "explicit"
    messages = [message for step in conversation(parts) for message in _chat_messages(step, caching)]
    if parts.system:
        content: Any = parts.system_text
        if explicit:
            content = _system("text", parts)
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


def _system(kind: str, parts: MessageParts) -> list[dict[str, Any]]:
    """The system text, with as many of its last ends marked as the rest of the request leaves room for."""
    steps = conversation(parts)
    later = sum(step.ends_prefix if isinstance(step, Message) else step.standing for step in steps)
    stable = [part.layer for part in parts.system if part.stable]
    marked = stable[max(0, len(stable) + later - _MOST_BREAKPOINTS) :]
    return [_part(kind, part.text, ends_prefix=part.layer in marked) for part in parts.system]


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


def _cache_fields(parts: MessageParts, caching: Caching, ttl: str | None = None) -> dict[str, Any]:
    if caching == "none":
        return {}
    fields: dict[str, Any] = {"prompt_cache_key": parts.cache_key}
    if caching == "explicit":
        fields["prompt_cache_options"] = {"mode": "explicit"} | ({} if ttl is None else {"ttl": ttl})
    return fields


def _caching_of(value: object) -> Caching:
    choices: tuple[Caching, ...] = get_args(Caching)
    caching = one_of(choices, value)
    if caching is None:
        raise MessageError(
            f"caching is one of {', '.join(choices)}, not {value!r}: any other word would send a request whose cost "
            "nobody chose. Give one of the three.",
            rule="KB-MSG-CACHING-1",
            value=value,
        )
    return caching


def _ttl_of(value: object, caching: Caching) -> str | None:
    if value is None:
        return None
    ttl = time_of(value, _TIMES)
    if caching != "explicit":
        raise MessageError(
            f"ttl is how long what a breakpoint marks is kept; with {caching} caching there are none: the time would "
            "count for nothing, or the request be refused. Leave it out, or choose explicit.",
            rule="KB-MSG-CACHING-3",
            value=ttl,
        )
    return ttl
