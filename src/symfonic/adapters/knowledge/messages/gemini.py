"""The request of Gemini's ``generateContent``, as plain data.

Rules of this module: one pure function from parts to the fields of a request, named as in its JSON; the SDK is not
imported. Evidence is what a function answered. A request has no breakpoints: Gemini matches prefixes itself, and what
stands first here is what stays the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ._checks import exact
from .calls import FUNCTION_NAME, Call, Message, conversation
from .errors import MessageError
from .parts import require_parts

if TYPE_CHECKING:
    from .parts import MessageParts

__all__ = ["UNSIGNED_CALL", "gemini_request"]

UNSIGNED_CALL: Final = "skip_thought_signature_validator"
"""What Gemini's documentation gives as the signature of a call that no model made; from Gemini 3 on a call without any
signature makes the request fail."""

_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")

_ROLES: Final = {"user": "user", "assistant": "model"}


def gemini_request(parts: MessageParts, *, signature: str | None = UNSIGNED_CALL) -> dict[str, Any]:
    """Return ``contents`` and, where the prompt has system text, ``systemInstruction``.

    With the SDK: ``generate_content(model=…, contents=request["contents"], config={"systemInstruction":
    request.get("systemInstruction")})``; over HTTP the request is the body.

    Args:
        parts: What is to be sent.
        signature: The thought signature of the call that evidence answers; ``None`` leaves it out, for models before
            Gemini 3.

    Raises:
        MessageError: ``parts`` are no parts, or the signature is no text.
    """
    require_parts(parts)
    if signature is not None:
        signature = _signature_of(signature)
    contents = [content for step in conversation(parts) for content in _contents(step, signature)]
    request: dict[str, Any] = {"contents": contents}
    if parts.system:
        request["systemInstruction"] = {"parts": [{"text": part.text} for part in parts.system]}
    return request


def _signature_of(signature: object) -> str:
    text = exact(signature)
    if text is None or not _BASE64.fullmatch(text):
        raise MessageError(
            f"a thought signature is base64 as it came in an answer, or None for none, not {type(signature).__name__} "
            "or any other text: the request would be refused. Give it as text, and do not encode it again.",
            rule="KB-MSG-SIGNATURE-1",
            value=signature,
        )
    return text


def _contents(step: Message | Call, signature: str | None) -> list[dict[str, Any]]:
    if isinstance(step, Message):
        return [{"role": _ROLES[step.role], "parts": [{"text": step.text}]}]
    call: dict[str, Any] = {"functionCall": {"name": FUNCTION_NAME, "args": {}}}
    if signature is not None:
        call["thoughtSignature"] = signature
    response = {"output": [piece.labelled for piece in step.pieces]}
    return [
        {"role": "model", "parts": [call]},
        {"role": "user", "parts": [{"functionResponse": {"name": FUNCTION_NAME, "response": response}}]},
    ]
