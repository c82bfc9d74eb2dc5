"""The MCP face over its transports: a process on standard streams, a process on a port, and what the edge refuses."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

import anyio
import httpx
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from symfonic.capabilities.knowledge import ScopePath
from symfonic.composition.knowledge import AccessKeys, InputError, KnowledgeBase, access_path
from symfonic.frontends.knowledge._asgi import EdgeLimits
from symfonic.frontends.knowledge.mcp.running import PATH, http_app, listening_socket

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncIterator, Iterator, Mapping
    from pathlib import Path

    from symfonic.frontends.knowledge._asgi import Edge

    from .conftest import Command

ACME: Final = ScopePath.of(("tenant", "acme"))
GLOBEX: Final = ScopePath.of(("tenant", "globex"))
HOST: Final = "localhost:8808"
ASKED: Final = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "search", "arguments": {"query": "leave"}},
}
COMMAND: Final = (sys.executable, "-c", "from symfonic.frontends.knowledge.cli import main; main()", "mcp")


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """A store with a document of everybody's and one of each of two tenants."""
    with KnowledgeBase.open(tmp_path / "k.db") as knowledge:
        for name, scope in (("all", None), ("acme", ACME), ("globex", GLOBEX)):
            (tmp_path / f"{name}.md").write_text(f"Leave for {name}.\n")
            knowledge.ingest(tmp_path / f"{name}.md", scope=scope)
    return tmp_path / "k.db"


@pytest.fixture
def knowledge(filled: Path) -> Iterator[KnowledgeBase]:
    """The same store, open."""
    with KnowledgeBase.open(filled) as opened:
        yield opened


def titles(answer: Mapping[str, Any]) -> list[str]:
    """Labels of what a call of ``search`` found."""
    return sorted(one["title"] for one in answer["result"]["structuredContent"]["results"])


@asynccontextmanager
async def served(app: Edge) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an application that runs, without a network."""
    messages = asyncio.Queue[dict[str, str]]()
    up = asyncio.Event()

    async def send(message: Any) -> None:
        await asyncio.sleep(0)
        if message["type"] == "lifespan.startup.complete":
            up.set()

    await messages.put({"type": "lifespan.startup"})
    living = asyncio.create_task(app({"type": "lifespan"}, messages.get, send))
    await up.wait()
    transport = httpx.ASGITransport(app=app)
    headers = {"accept": "application/json, text/event-stream"}
    async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}", headers=headers) as client:
        yield client
    await messages.put({"type": "lifespan.shutdown"})
    await living


def posted(knowledge: KnowledgeBase, *requests: dict[str, Any], **options: Any) -> list[httpx.Response]:
    """What each of these requests is answered, one after another."""

    async def run() -> list[httpx.Response]:
        told: dict[str, Any] = {"access": None, "scope": None, "hosts": (HOST,), "log": lambda _: None, **options}
        async with served(http_app(knowledge, **told)) as client:
            return [await client.request(**{"method": "POST", "url": PATH, "json": ASKED, **one}) for one in requests]

    return asyncio.run(run())


# ---------------------------------------------------------------------------------------------------- over HTTP


@pytest.mark.requirement("MCP-HTTP-1")
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": f"http://{HOST}"}, 200),
        ({"host": "evil.example"}, 421),
        ({"host": "localhost"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost:9999"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
    ],
)
def test_a_foreign_host_or_origin_is_refused(knowledge: KnowledgeBase, headers: dict[str, str], status: int) -> None:
    """Before anything is read; our own is answered."""
    (answer,) = posted(knowledge, {"headers": headers})

    assert answer.status_code == status
    assert ("results" in answer.text) is (status == 200)


@pytest.mark.requirement("MCP-HTTP-2")
def test_a_key_decides_whose_knowledge_is_reached(knowledge: KnowledgeBase, filled: Path) -> None:
    """Its own scope and what that sees; nobody's key and a revoked one reach nothing, from the next request on."""
    access = AccessKeys(access_path(filled))
    acme, acme_token = access.create("acme", scope=ACME)
    _, all_token = access.create("everybody")

    def by(token: str) -> dict[str, Any]:
        return {"headers": {"authorization": f"Bearer {token}"}}

    first = posted(knowledge, by(acme_token), by(all_token), {}, by("nobody"), access=access, scope=GLOBEX)
    access.revoke(acme.id)
    again = posted(knowledge, by(acme_token), access=access)

    assert [titles(one.json()) for one in first[:2]] == [["acme.md", "all.md"], ["all.md"]]
    assert [one.status_code for one in (*first[2:], *again)] == [401, 401, 401]


@pytest.mark.requirement("MCP-HTTP-2")
def test_nothing_in_a_request_widens_a_key(knowledge: KnowledgeBase, filled: Path) -> None:
    """No header, no session, no query, no meta."""
    access = AccessKeys(access_path(filled))
    _, token = access.create("acme", scope=ACME)
    bearer = {"authorization": f"Bearer {token}"}
    meta = {**ASKED, "params": {**ASKED["params"], "_meta": {"scope": str(GLOBEX)}}}  # type: ignore[dict-item]  # it is one
    answers = posted(
        knowledge,
        {"headers": {**bearer, "x-scope": str(GLOBEX), "mcp-session-id": "0" * 32}},
        {"headers": bearer, "params": {"scope": str(GLOBEX)}},
        {"headers": bearer, "json": meta},
        access=access,
    )

    assert [titles(one.json()) for one in answers] == [["acme.md", "all.md"]] * 3


@pytest.mark.requirement("MCP-HTTP-3")
def test_bodies_and_rates_are_bounded_and_no_stream_is_held_open(knowledge: KnowledgeBase) -> None:
    """Each with its status; what is no message of the protocol is refused as well."""
    fast: dict[str, Any] = {}
    large = {"content": b" " * 2000, "json": None}
    answers = posted(
        knowledge,
        large,
        {"method": "GET"},
        {"method": "DELETE"},
        {"content": b"{", "json": None, "headers": {"content-type": "application/json"}},
        fast,
        fast,
        limits=EdgeLimits(max_body_bytes=1000, requests_per_minute=1, burst=5),
    )

    assert [one.status_code for one in answers] == [413, 405, 405, 400, 200, 429]


@pytest.mark.requirement("MCP-HTTP-3")
def test_checks_are_answered_without_a_key(knowledge: KnowledgeBase, filled: Path) -> None:
    """That the process lives, and that it takes requests; nothing else is."""
    access = AccessKeys(access_path(filled))
    access.create("acme", scope=ACME)
    paths = ("/healthz", "/readyz", PATH, "/other")
    answers = posted(knowledge, *({"method": "GET", "url": path, "json": None} for path in paths), access=access)

    assert [(one.status_code, one.text == "") for one in answers[:2]] == [(204, True), (204, True)]
    assert [one.status_code for one in answers[2:]] == [401, 401]


@pytest.mark.requirement("MCP-HTTP-1")
@pytest.mark.slow
def test_a_process_serves_the_sdks_client_on_a_port(filled: Path) -> None:
    """On a port of its own choosing, and ends when it is told to."""
    told = (*COMMAND, "--http", "127.0.0.1:0", "--store", str(filled), "--scope", "tenant:acme")
    with subprocess.Popen(told, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:[0-9]+/mcp", process.stderr.readline())
        assert found is not None
        address = found[0]

        async def talk() -> Any:
            async with Client(address) as client:
                return await client.call_tool("search", {"query": "leave"})

        result = asyncio.run(talk())
        process.send_signal(signal.SIGTERM)
        log, out = process.stderr.read(), process.stdout.read()

    assert sorted(one["title"] for one in result.structured_content["results"]) == ["acme.md", "all.md"]
    assert process.returncode == 0
    assert out == ""
    assert {json.loads(line)["event"] for line in log.splitlines()} == {"request", "mcp"}


# ------------------------------------------------------------------------------------------------ standard streams


@pytest.mark.requirement("MCP-IO-1")
@pytest.mark.slow
def test_a_process_speaks_the_protocol_and_nothing_else(filled: Path, tmp_path: Path) -> None:
    """On standard output; the scope is the process's, the log stands on standard error, and it ends with its input."""
    told = ("--store", str(filled), "--scope", "tenant:acme")
    server = StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], *told], env=dict(os.environ))

    async def talk() -> tuple[Any, Any]:
        async with Client(stdio_client(server, errlog=errors)) as client:
            return await client.call_tool("search", {"query": "leave"}), await client.call_tool(
                "search", {"query": "leave", "scope": "tenant:globex"}
            )

    with (tmp_path / "errors").open("w+") as errors:
        found, widened = anyio.run(talk)
        errors.seek(0)
        log = errors.read()

    assert sorted(one["title"] for one in found.structured_content["results"]) == ["acme.md", "all.md"]
    assert widened.is_error
    assert [json.loads(line)["outcome"] for line in log.splitlines()] == ["ok", "arguments"]


# ----------------------------------------------------------------------------------------------------- the command


@pytest.mark.requirement("MCP-CMD-1")
@pytest.mark.parametrize("address", ["0.0.0.0:8808", "[::]:8808", "192.0.2.1:8808", "kb.example.org:8808"])
def test_without_keys_no_other_machine_is_served(run: Command, folder: Path, address: str) -> None:
    """Wrong use, and nothing listens."""
    run("ingest", str(folder))
    outcome = run("mcp", "--http", address)

    assert (outcome.code, outcome.out) == (2, b"")
    assert "without access keys a server is reached from this machine alone" in outcome.err


@pytest.mark.requirement("MCP-CMD-1")
@pytest.mark.parametrize(
    "address", ["", "8808", "localhost", "localhost:", ":8808", "localhost:65536", "[::1", "a b:1"]
)
def test_an_address_is_host_and_port(run: Command, address: str) -> None:
    """Anything else is wrong use."""
    outcome = run("mcp", "--http", address)

    assert outcome.code == 2
    assert "a server listens at HOST:PORT" in outcome.err


@pytest.mark.requirement("MCP-CMD-1")
def test_keys_and_a_scope_do_not_both_decide(run: Command, folder: Path) -> None:
    """A scope that would be passed over is refused."""
    run("ingest", str(folder))
    AccessKeys(access_path(run.store)).create("acme", scope=ACME)
    outcome = run("mcp", "--http", "127.0.0.1:0", "--scope", "tenant:acme")

    assert outcome.code == 2
    assert "with access keys the key of a request decides" in outcome.err


@pytest.mark.requirement("MCP-CMD-1")
def test_a_store_that_is_not_there_and_a_port_that_is_taken_are_told(run: Command, folder: Path) -> None:
    """As errors, before anything is served."""
    assert run("mcp").code == 1
    run("ingest", str(folder))
    with listening_socket("127.0.0.1", 0) as taken, pytest.raises(InputError, match="nothing can listen at this one"):
        listening_socket("127.0.0.1", taken.getsockname()[1])
    with pytest.raises(InputError, match="nothing can listen at this one"):
        listening_socket("no.such.name.invalid", 0)


@pytest.mark.requirement("MCP-CMD-1")
@pytest.mark.parametrize(
    ("address", "who", "names"),
    [
        (
            "127.0.0.1:0",
            "open to this machine",
            ["localhost:{}", "127.0.0.1:{}", "[::1]:{}", "kb.example.org", "kb.example.org:{}"],
        ),
        ("0.0.0.0:0", "with keys", ["kb.example.org", "kb.example.org:{}"]),
    ],
)
def test_a_server_is_asked_under_its_own_names_and_those_it_was_given(
    run: Command, folder: Path, monkeypatch: pytest.MonkeyPatch, address: str, who: str, names: list[str]
) -> None:
    """And says where it listens, and who may ask."""
    seen: dict[str, Any] = {}
    run("ingest", str(folder))
    if who == "with keys":
        AccessKeys(access_path(run.store)).create("acme", scope=ACME)

    def serve(_: KnowledgeBase, listening: socket.socket, **told: Any) -> None:
        seen.update(told, port=listening.getsockname()[1])

    monkeypatch.setattr("symfonic.frontends.knowledge.mcp.running.run_http", serve)
    outcome = run("mcp", "--http", address, "--allowed-host", "kb.example.org")

    host = {"0.0.0.0": "kb.example.org"}.get(own := address.partition(":")[0], own)
    assert outcome.err == f"Serving MCP at http://{host}:{seen['port']}/mcp, {who}.\n"
    assert list(seen["hosts"]) == [name.format(seen["port"]) for name in names]
    assert (seen["access"] is not None, seen["scope"]) == (who == "with keys", None)


@pytest.mark.requirement("MCP-CMD-2")
def test_a_missing_sdk_is_told_with_its_extra(run: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no other command needs it."""
    run("ingest", str(folder))
    for name in [name for name in sys.modules if name.startswith("symfonic.frontends.knowledge.mcp")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp_types", None)
    outcome = run("mcp")

    assert outcome.code == 1
    assert "pip install 'symfonic-knowledge[mcp]'" in outcome.err
    assert run("search", "leave").code in {0, 3}
