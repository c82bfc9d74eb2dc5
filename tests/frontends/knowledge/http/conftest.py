"""What the tests of the service share: a store with documents of two tenants, and a client without a network."""

from __future__ import annotations

import asyncio
import json
import shutil
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from symfonic.composition.knowledge import AccessKeys, KnowledgeBase
from symfonic.frontends.knowledge.http import Service, create_app
from symfonic.testing.knowledge import ScriptedChatModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

HOST = "kb.example.org"
SHARED = "The house is open from 7 to 21 o'clock on weekdays."
ACME = "Acme staff have 27 days of leave. Wombat is the code word."
OTHER = "Other staff have 31 days of leave. Quokka is the code word."


@dataclass(slots=True)
class Client:
    """Sends requests to one service, in one loop."""

    service: Service
    lines: list[dict[str, Any]] = field(default_factory=list)
    token: str | None = None
    pages: bool = True
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    edge: Any = None

    def __post_init__(self) -> None:
        self.service = replace(self.service, hosts=(HOST,), log=lambda line: self.lines.append(dict(line)))
        self.edge = create_app(self.service, pages=self.pages)

    def __call__(self, method: str, path: str, *, token: str | None = None, **options: Any) -> httpx.Response:
        return self.loop.run_until_complete(self._sent(method, path, token or self.token, options))

    def post(self, path: str, **options: Any) -> httpx.Response:
        return self("POST", path, **options)

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self("GET", path, **options)

    async def _sent(self, method: str, path: str, token: str | None, options: dict[str, Any]) -> httpx.Response:
        headers = {**options.pop("headers", {}), **({"authorization": f"Bearer {token}"} if token else {})}
        transport = httpx.ASGITransport(app=self.edge)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
            return await client.request(method, path, headers=headers, **options)

    def close(self) -> None:
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()


def events(response: httpx.Response) -> list[tuple[str, Any]]:
    """Names and data of server-sent events."""
    found: list[tuple[str, Any]] = []
    for block in response.text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.split("\n") if line and not line.startswith(":"))
        if lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store in which everybody, and each of two tenants, has a document."""
    folder = tmp_path_factory.mktemp("served")
    with KnowledgeBase.open(folder / "k.db") as opened:
        for scope, name, text in (
            (None, "house.md", SHARED),
            ("tenant\x1facme", "acme.md", ACME),
            ("tenant\x1fother", "other.md", OTHER),
        ):
            path = folder / name
            path.write_text(f"# {name}\n\n{text}\n")
            opened.ingest(path, scope=scope)
    return folder


@pytest.fixture
def knowledge(filled: Path, tmp_path: Path) -> Iterator[KnowledgeBase]:
    """A copy of that store."""
    for name in ("k.db", "k.db.key"):
        shutil.copy2(filled / name, tmp_path / name)
    with KnowledgeBase.open(tmp_path / "k.db") as opened:
        yield opened


@pytest.fixture
def serving(knowledge: KnowledgeBase) -> Iterator[Callable[..., Client]]:
    """Make clients of services over the same store."""
    made: list[Client] = []

    def make(*, says: Sequence[str] | None = None, pages: bool = True, **options: Any) -> Client:
        model = options.pop("model", None if says is None else ScriptedChatModel(says))
        asked = options.pop("knowledge", knowledge)
        made.append(Client(Service(knowledge=asked, model=model, **options), pages=pages))
        return made[-1]

    yield make
    for client in made:
        client.close()


@pytest.fixture
def client(serving: Callable[..., Client]) -> Client:
    """A client of a service that asks for no token."""
    return serving()


@pytest.fixture
def keys(tmp_path: Path) -> AccessKeys:
    """Keys of a service; none is made yet."""
    return AccessKeys(tmp_path / "k.db.access")
