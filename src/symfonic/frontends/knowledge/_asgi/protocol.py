"""Names of what ASGI passes around, and where the edge puts what it found out.

Rules of this module: names and look-ups, nothing that decides.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symfonic.composition.knowledge import AccessKey

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

ACCESS = "access"
REQUEST_ID = "request_id"
FAILURE = "failure"
PROBLEM = "problem"
"""The word for programs of a problem that the application answered itself, for the log."""


def access_of(scope: Scope) -> AccessKey | None:
    """Whose request it is; ``None`` where no tokens are asked for, and on public paths.

    Raises:
        KeyError: The request did not come through an :class:`Edge`.
    """
    key: AccessKey | None = scope["state"][ACCESS]
    return key


def request_id_of(scope: Scope) -> str:
    """The id under which the request is logged and which its answer carries.

    Raises:
        KeyError: The request did not come through an :class:`Edge`.
    """
    found: str = scope["state"][REQUEST_ID]
    return found
