"""The request of Anthropic's Messages API, as plain data.

Rules of this module: one pure function from parts to the arguments of ``messages.create``; the SDK is not imported.

- Evidence is ``search_result`` blocks in a user message, cited natively. Source and title of a block are its label, so
  what comes back names the fragment.
- At most four cache breakpoints, the number the API takes: the ends of ``L0`` and ``L1``, of the standing evidence, and
  of the history.
- An empty text block makes the API refuse a request; no part is empty, so none is sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from ._checks import time_of
from .parts import require_parts

if TYPE_CHECKING:
    from .parts import Evidence, MessageParts

__all__ = ["anthropic_request"]

_TIMES: Final = ("5m", "1h")


def anthropic_request(parts: MessageParts, *, ttl: Literal["5m", "1h"] | None = None) -> dict[str, Any]:
    """Return ``system`` and ``messages`` for ``messages.create(model=…, max_tokens=…, **request)``.

    Args:
        parts: What is to be sent.
        ttl: How long the provider keeps what a breakpoint marks; ``None`` is its default of five minutes.

    Raises:
        MessageError: ``parts`` are no parts, or ``ttl`` is a time the provider does not have.
    """
    require_parts(parts)
    marker = {"type": "ephemeral"} | ({} if ttl is None else {"ttl": time_of(ttl, _TIMES)})
    system = [_text(part.text) | ({"cache_control": dict(marker)} if part.stable else {}) for part in parts.system]
    request: dict[str, Any] = {"system": system} if system else {}
    return request | {"messages": _messages(parts, marker)}


def _messages(parts: MessageParts, marker: dict[str, str]) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": turn.role, "content": [_text(turn.text)]} for turn in parts.history]
    question = [*(_search_result(piece) for piece in parts.evidence), _text(parts.question)]
    messages.append({"role": "user", "content": question})
    if parts.history and parts.steady:
        messages[-2]["content"][-1]["cache_control"] = dict(marker)
    if parts.standing:
        standing = [_search_result(piece) for piece in parts.standing]
        standing[-1]["cache_control"] = dict(marker)
        messages[0]["content"][:0] = standing
    return messages


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _search_result(piece: Evidence) -> dict[str, Any]:
    return {
        "type": "search_result",
        "source": piece.label,
        "title": piece.label,
        "content": [_text(piece.content)],
        "citations": {"enabled": True},
    }
