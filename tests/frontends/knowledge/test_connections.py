"""Connections to a service: what happens before a request is whole and after its answer was handed over."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import socket
import threading
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.frontends.knowledge._asgi import Edge, EdgeLimits, loopback_hosts
from symfonic.frontends.knowledge._asgi.headers import SAFE_HEADERS
from symfonic.frontends.knowledge._connections import Connections, _config, _Server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LARGE = b"x" * 16_000_000
"""More than two sockets of this machine hold between them."""
QUICK: dict[str, Any] = {"head_seconds": 0.2, "idle_seconds": 0.3, "drain_seconds": 1}


@dataclass(slots=True)
class Running:
    """A service at a port, and what it told."""

    port: int
    connections: Connections
    server: _Server
    lines: list[Any] = field(default_factory=list)

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=10)

    def request(self, path: str = "/") -> bytes:
        return f"GET {path} HTTP/1.1\r\nhost: localhost:{self.port}\r\n\r\n".encode()


async def answer(scope: Any, receive: Any, send: Any) -> None:
    """Answer at once; with a lot where that is asked for."""
    if scope["type"] == "lifespan":
        for kind in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{kind}.complete"})
        return
    body = LARGE if scope["path"] == "/large" else b"short"
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": 200, "headers": [length]})
    await send({"type": "http.response.body", "body": body})


@contextmanager
def running(**limits: Any) -> Iterator[Running]:
    """The service in a thread of its own."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port, lines = listening.getsockname()[1], []  # type: ignore[var-annotated]
        chosen, ready = EdgeLimits(**QUICK | limits), threading.Event()
        edge = Edge(answer, access=None, hosts=loopback_hosts(port), limits=chosen, log=lines.append)
        connections = Connections(chosen, lines.append)
        server = _Server(
            _config(edge, chosen, connections, None), edge, connections, notice_seconds=chosen.notice_seconds
        )
        server.on_ready = ready.set
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        assert ready.wait(10)
        try:
            yield Running(port, connections, server, lines)
        finally:
            server.should_exit = True
            thread.join()


def answered(client: socket.socket) -> bool:
    """Read one short answer to its end."""
    got = b""
    while not got.endswith(b"short"):
        piece = client.recv(4096)
        assert piece
        got += piece
    return got.startswith(b"HTTP/1.1 200")


def until(true: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Whether it comes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.01)
    return False


@pytest.mark.requirement("HTTP-CONN-1")
@pytest.mark.parametrize("begun", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nhost: localhost\r\nx: "])
def test_a_connection_on_which_no_request_comes_to_its_end_is_ended(begun: bytes) -> None:
    """Neither nothing at all nor a head that never ends holds one, also where it keeps growing."""
    with running() as service, service.connect() as client:
        client.sendall(begun)
        assert until(lambda: len(service.connections) == 1)
        if begun:
            time.sleep(0.1)
            client.sendall(b"a")
        assert client.recv(1) == b""
        assert until(lambda: len(service.connections) == 0)


@pytest.mark.requirement("HTTP-CONN-1")
def test_half_a_request_behind_an_answer_is_no_reason_to_stay() -> None:
    """Each request has its time from the answer before."""
    with running() as service, service.connect() as client:
        client.sendall(service.request() + b"GET / HTTP")
        assert answered(client)
        assert client.recv(1) == b""


@pytest.mark.requirement("HTTP-CONN-2")
def test_beyond_their_ceiling_the_connection_that_waited_longest_goes() -> None:
    """So that those who ask nothing keep nobody out."""
    with running(max_connections=3, head_seconds=60) as service, ExitStack() as places:
        idle = [places.enter_context(service.connect()) for _ in range(5)]
        assert idle[0].recv(1) == idle[1].recv(1) == b""
        with service.connect() as client:
            client.sendall(service.request())
            assert answered(client)


@pytest.mark.requirement("HTTP-CONN-3")
def test_who_does_not_read_an_answer_is_let_go_and_the_answer_with_them() -> None:
    """An answer that was handed over whole would be kept for as long as they like."""
    with running() as service, socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", service.port))
        client.sendall(service.request("/large"))
        assert until(lambda: len(service.connections) == 1)
        assert until(lambda: len(service.connections) == 0)


@pytest.mark.requirement("HTTP-CONN-3")
def test_who_reads_slowly_gets_the_whole_answer() -> None:
    """As long as some of it leaves in each while."""
    with running(idle_seconds=0.5) as service, service.connect() as client:
        client.sendall(service.request("/large"))
        size = 0
        while size < len(LARGE):
            size += len(client.recv(1_000_000))
            time.sleep(0.01)
        assert size > len(LARGE)


@pytest.mark.requirement("HTTP-CONN-4")
@pytest.mark.parametrize(
    "sent", [b"\x16\x03\x01 nothing\r\n\r\n", b"GET / HTTP/1.1\r\nx\r\n\r\n", b"GET /\x1b[31m HTTP/1.1\r\n\r\n"]
)
def test_what_is_no_request_is_refused_and_logged_as_all_others(sent: bytes, caplog: pytest.LogCaptureFixture) -> None:
    """A problem with the safe headers, one line, and no words of the server's library."""
    with running() as service, service.connect() as client, caplog.at_level(logging.DEBUG):
        client.sendall(sent)
        head, _, body = b"".join(iter(lambda: client.recv(4096), b"")).partition(b"\r\n\r\n")
        problem = json.loads(body)
        assert (problem["status"], problem["code"]) == (400, "form")
        for name, value in SAFE_HEADERS:
            assert b"%s: %s" % (name, value) in head
        assert service.lines == [{"event": "request", "request": problem["request"], "status": 400, "code": "form"}]
        assert [record for record in caplog.records if record.name.startswith("uvicorn")] == []


@pytest.mark.requirement("HTTP-CONN-4")
def test_other_protocols_are_not_spoken_and_that_is_no_warning(caplog: pytest.LogCaptureFixture) -> None:
    """The request is answered as HTTP."""
    with running() as service, service.connect() as client, caplog.at_level(logging.DEBUG):
        upgrade = b"connection: upgrade\r\nupgrade: websocket\r\n\r\n"
        client.sendall(service.request()[:-2] + upgrade)
        assert answered(client)
        assert [record for record in caplog.records if record.name.startswith("uvicorn")] == []


@pytest.mark.requirement("HTTP-CONN-4")
def test_of_what_the_server_itself_fails_in_the_kind_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    """Its words and its trace may quote a request."""
    with running() as service:
        secret = ValueError("days of leave")
        service.connections.watch_loop(loop := asyncio.new_event_loop())
        loop.call_exception_handler({"message": "secret", "exception": secret})
        loop.close()
        service.connections.logger.error("days of leave", exc_info=secret)
        assert service.lines == [{"event": "server", "error": "ValueError"}] * 2
    assert "leave" not in "".join(capfd.readouterr())


def _status(service: Running, path: str) -> int:
    with service.connect() as client:
        client.sendall(service.request(path))
        return int(client.recv(100).split()[1])


def _is_refused(service: Running) -> bool:
    """Whether connections are refused from some moment of the next ten seconds on."""
    for _ in range(200):
        try:
            service.connect().close()
        except ConnectionRefusedError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.requirement("HTTP-END-2")
def test_a_service_that_gives_notice_says_so_while_it_still_answers() -> None:
    """New connections are taken until the notice is over, and refused from then on."""
    with running(notice_seconds=1.5) as service:
        assert _status(service, "/readyz") == 200
        service.server.handle_exit(signal.SIGTERM, None)
        assert [_status(service, path) for path in ("/readyz", "/", "/healthz")] == [503, 200, 200]
        assert _is_refused(service)


@pytest.mark.requirement("HTTP-END-2")
def test_a_second_interrupt_waits_for_no_notice() -> None:
    """Whoever interrupts twice is not kept."""
    with running(notice_seconds=60) as service:
        for _ in range(2):
            service.server.handle_exit(signal.SIGINT, None)
        assert _is_refused(service)
