"""What the tests of the edge share: a service called as a server calls it, without a network."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.composition.knowledge import AccessKeys
from symfonic.frontends.knowledge._asgi import Edge, EdgeLimits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

HOST = "kb.example.org"


class Clock:
    """Seconds that pass where a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass(slots=True)
class Answer:
    """What left the service."""

    messages: list[Any] = field(default_factory=list)

    @property
    def status(self) -> int:
        return int(self.messages[0]["status"]) if self.messages else 0

    @property
    def headers(self) -> dict[str, str]:
        pairs = [(name.decode(), value.decode()) for name, value in self.messages[0]["headers"]]
        assert len(dict(pairs)) == len(pairs), "a header is sent once"
        return dict(pairs)

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.messages[1:])

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def is_complete(self) -> bool:
        return len(self.messages) > 1 and not self.messages[-1].get("more_body", False)


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answer 200 with the body that came."""
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": body})


def scope_of(
    method: str = "GET",
    path: str = "/v1/search",
    *,
    headers: Iterable[tuple[str, str]] = (),
    host: str | None = HOST,
    **more: Any,
) -> dict[str, Any]:
    """What a server says of a request."""
    named = [] if host is None else [("host", host)]
    return {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "scheme": "http",
        "client": ("192.0.2.7", 4711),
        "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in (*named, *headers)],
        "state": {},
        **more,
    }


@dataclass(slots=True)
class Caller:
    """Calls an edge as a server does."""

    edge: Edge
    lines: list[Any]

    async def ask(
        self,
        scope: dict[str, Any],
        body: Sequence[bytes] = (b"",),
        sent: Callable[[Any], Any] | None = None,
    ) -> Answer:
        """One request; its body comes in pieces, and behind it the client waits."""
        answer, pieces = Answer(), list(body)

        async def receive() -> Any:
            if pieces:
                return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces)}
            return await asyncio.Event().wait()

        async def send(message: Any) -> None:
            answer.messages.append(message)
            if sent is not None:
                await sent(message)

        await self.edge(scope, receive, send)
        return answer

    def __call__(self, method: str = "GET", path: str = "/v1/search", **more: Any) -> Answer:
        """One request alone, in a loop of its own."""
        body = more.pop("body", (b"",))
        return asyncio.run(self.ask(scope_of(method, path, **more), body))

    def line(self) -> Any:
        """What was logged of the last request."""
        return self.lines[-1]


@pytest.fixture
def clock() -> Clock:
    """A time of one's own."""
    return Clock()


@pytest.fixture
def service(clock: Clock) -> Callable[..., Caller]:
    """Make an edge around an application, with numbers as ids, and call it."""

    def make(app: Any = echo, *, access: AccessKeys | None = None, **more: Any) -> Caller:
        lines: list[Any] = []
        ids = iter(f"id{number}" for number in range(10_000))
        limits = EdgeLimits(**more.pop("limits", {}))
        settings: dict[str, Any] = {"hosts": (HOST,), "log": lines.append, "clock": clock, "limits": limits, **more}
        return Caller(Edge(app, access=access, new_id=lambda: next(ids), **settings), lines)

    return make


@pytest.fixture
def keys(tmp_path: Path) -> AccessKeys:
    """Keys in a file that is not there yet."""
    return AccessKeys(tmp_path / "k.access")
