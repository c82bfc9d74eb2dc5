"""A service without a port: the pages behind their edge, asked as an ASGI server asks."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from selectolax.lexbor import LexborHTMLParser

from symfonic.composition.knowledge import AccessKeys, KnowledgeBase
from symfonic.frontends.knowledge.http import Service, create_app
from symfonic.testing.knowledge import ScriptedChatModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

HOST = "knowledge.test"


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def page(self) -> LexborHTMLParser:
        return LexborHTMLParser(self.text)

    def texts(self, selector: str) -> list[str]:
        """The text of every element, white space as a page shows it."""
        return [" ".join(node.text().split()) for node in self.page.css(selector)]


@dataclass
class Client:
    """A browser of one user: it keeps cookies and says where its forms come from."""

    app: Any
    knowledge: KnowledgeBase
    access: AccessKeys | None
    log: list[Any]
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **headers: str) -> Answer:
        return self._ask("GET", path, b"", {"accept": "text/html", **headers})

    def post(self, path: str, fields: Mapping[str, str] | None = None, **headers: str) -> Answer:
        kind = "application/x-www-form-urlencoded"
        body = urlencode(fields or {}).encode()
        return self._ask("POST", path, body, {"content-type": kind, "origin": f"http://{HOST}", **headers})

    def upload(self, files: Sequence[tuple[str, bytes]], scope: str = "") -> Answer:
        parts = [f'--b\r\nContent-Disposition: form-data; name="scope"\r\n\r\n{scope}\r\n'.encode()]
        for name, data in files:
            head = f'--b\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n\r\n'
            parts.append(head.encode() + data + b"\r\n")
        headers = {"content-type": "multipart/form-data; boundary=b", "origin": f"http://{HOST}"}
        return self._ask("POST", "/inspector/documents/upload", b"".join([*parts, b"--b--\r\n"]), headers)

    def send(self, path: str, body: bytes, kind: str) -> Answer:
        return self._ask("POST", path, body, {"content-type": kind, "origin": f"http://{HOST}"})

    def leave(self, mark: bytes, then: Any, path: str, fields: Mapping[str, str]) -> None:
        """Ask, and hang up once ``mark`` was read; set ``then`` when that is done."""
        headers = {"content-type": "application/x-www-form-urlencoded", "origin": f"http://{HOST}", "host": HOST}
        asyncio.run(_left(self.app, path, urlencode(fields).encode(), headers, mark, then))

    def _ask(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        told = {"host": HOST, "content-length": str(len(body)), **headers}
        if self.cookies:
            told["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        status, answered, data = asyncio.run(_exchange(self.app, method, path, body, told))
        for name, value in answered:
            if name == "set-cookie":
                cookie, _, rest = value.partition(";")
                key, _, content = cookie.partition("=")
                self.cookies.pop(key, None)
                if "max-age=0" not in rest.lower():
                    self.cookies[key] = content
        return Answer(status, dict(answered), data.decode())


def _scope(method: str, path: str, headers: Mapping[str, str]) -> dict[str, Any]:
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": (HOST, 80),
    }


async def _left(app: Any, path: str, body: bytes, headers: Mapping[str, str], mark: bytes, then: Any) -> None:
    waiting = [{"type": "http.request", "body": body, "more_body": False}]
    seen = asyncio.Event()

    async def receive() -> dict[str, Any]:
        if waiting:
            return waiting.pop()
        await seen.wait()
        asyncio.get_running_loop().call_later(0.05, then.set)
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        if mark in message.get("body", b""):
            seen.set()

    await app(_scope("POST", path, headers), receive, send)
    then.set()


async def _exchange(
    app: Any, method: str, path: str, body: bytes, headers: Mapping[str, str]
) -> tuple[int, list[tuple[str, str]], bytes]:
    scope = _scope(method, path, headers)
    sent: list[dict[str, Any]] = []
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if waiting:
            return waiting.pop()
        await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    answered = [(name.decode().lower(), value.decode("latin-1")) for name, value in sent[0]["headers"]]
    return sent[0]["status"], answered, b"".join(message.get("body", b"") for message in sent[1:])


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Client]]:
    """Make a service with these documents; ``keys`` makes it ask for tokens."""
    with KnowledgeBase.open(tmp_path / "knowledge.db") as knowledge:

        def made(documents: Mapping[str, str] | None = None, *, keys: bool = False, model: Any = None) -> Client:
            for name, text in (documents or {}).items():
                (tmp_path / name).write_text(text)
                knowledge.ingest(tmp_path / name)
            access = AccessKeys(tmp_path / "knowledge.access") if keys else None
            log: list[Any] = []
            edge = create_app(Service(knowledge=knowledge, access=access, model=model, hosts=(HOST,), log=log.append))
            return Client(edge, knowledge, access, log)

        yield made


@pytest.fixture
def scripted() -> Callable[..., ScriptedChatModel]:
    """A model that says these pieces."""
    return lambda *pieces, **more: ScriptedChatModel(pieces, **more)
