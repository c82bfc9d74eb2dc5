"""Connections to a service on a port: how many there are, how long one may ask or read nothing, how it ends.

Rules of this module: what the edge cannot see, because it happens before a request is whole or after its answer was
handed over. It knows the server's protocol and no request. Nothing a library says goes to the log in its own words.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from symfonic.frontends.knowledge._asgi import unreadable_request

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator, Mapping
    from types import FrameType

    from symfonic.frontends.knowledge._asgi import Edge, EdgeLimits

    Log = Callable[[Mapping[str, object]], None]

_LOOKS: Final = 4
"""As often is looked within the shortest time that counts."""
_KEEP_ALIVE_SECONDS: Final = 15
_GIVING_UP_SECONDS: Final = 2.0
_SILENT: Final = logging.CRITICAL + 1


class Connections:
    """All connections of one service; used from its event loop alone.

    Args:
        limits: How many, and how long.
        log: Is told of each request that could not be read, and of what the server itself fails in.
    """

    def __init__(self, limits: EdgeLimits, log: Log) -> None:
        self._limits = limits
        self._log = log
        self._all: dict[_Connection, None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self.logger = logging.Logger("symfonic.knowledge.connections", logging.ERROR)  # noqa: LOG001 - of this service alone
        self.logger.addHandler(_Told(log))

    def __len__(self) -> int:
        return len(self._all)

    def protocol(self, **options: Any) -> asyncio.Protocol:
        """The protocol of a new connection; arguments as the server gives them."""
        return _Connection(self, **options)

    def watch_loop(self, loop: asyncio.AbstractEventLoop) -> None:
        """Have what is left over in the loop told by its kind, for its words may quote a request."""
        loop.set_exception_handler(self._left_over)

    def entered(self, new: _Connection) -> None:
        """One more. Beyond the ceiling whoever has asked nothing for longest goes, the new one where all ask."""
        if len(self._all) >= self._limits.max_connections:
            waiting = [one for one in self._all if not one.is_asking]
            leaving = min(waiting, key=lambda one: one.quiet_since, default=new)
            self.left(leaving)
            leaving.transport.abort()
            if leaving is new:
                return
        self._all[new] = None
        self._look_later(new.loop)

    def left(self, gone: _Connection) -> None:
        """One less."""
        self._all.pop(gone, None)

    def end_all(self) -> None:
        """End every connection, whatever is under way on it."""
        for one in tuple(self._all):
            one.transport.abort()

    def told(self, line: Mapping[str, object]) -> None:
        """Tell the log."""
        self._log(line)

    def _look_later(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._timer is None and self._all:
            shortest = min(self._limits.head_seconds, self._limits.idle_seconds, self._limits.stream_seconds)
            self._timer = loop.call_later(shortest / _LOOKS, self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        now = loop.time()
        for one in [one for one in self._all if one.is_stuck(now, self._limits)]:
            one.transport.abort()
        self._look_later(loop)

    def _left_over(self, _: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
        failure = context.get("exception")
        self._log({"event": "server", "error": type(failure).__name__ if failure is not None else None})


class _Connection(H11Protocol):
    """The server's protocol, watched."""

    def __init__(self, connections: Connections, **options: Any) -> None:
        super().__init__(**options)
        self._watched_by = connections
        self.logger = connections.logger
        self.quiet_since = 0.0
        self._unread = 0
        self._unread_since = 0.0
        self._flushing_since: float | None = None

    @property
    def is_asking(self) -> bool:
        """Whether a request is being worked on."""
        cycle: Any = self.cycle  # none before the first request, whatever the server's types say
        return cycle is not None and not cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as the server has it
        self.quiet_since = self.loop.time()
        super().connection_made(transport)
        self._watched_by.entered(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._watched_by.left(self)
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        self.quiet_since = self.loop.time()
        super().on_response_complete()

    def is_stuck(self, now: float, limits: EdgeLimits) -> bool:
        """Whether it has neither asked nor read for longer than it may."""
        unread = self.transport.get_write_buffer_size()
        if unread != self._unread or not unread:
            self._unread, self._unread_since = unread, now
        if now - self._unread_since > limits.idle_seconds:
            return True
        if self.is_asking and not self.transport.is_closing():
            self._flushing_since = None
            return False  # the edge sees to it
        if unread or self.transport.is_closing():
            self._flushing_since = now if self._flushing_since is None else self._flushing_since
            return now - self._flushing_since > limits.stream_seconds
        self._flushing_since = None
        return now - self.quiet_since > limits.head_seconds

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - in the server's words
        """Refuse what is no HTTP, in the form of every other refusal."""
        if self.is_asking and self.cycle.response_started:
            self.transport.close()  # in the middle of an answer nothing else can be said
            return
        answer = unreadable_request()
        self._watched_by.told(answer.line)
        lines = b"".join(b"%s: %s\r\n" % pair for pair in answer.headers)
        self.transport.write(b"HTTP/1.1 400 Bad Request\r\n" + lines + b"\r\n" + answer.body)
        self.transport.close()

    def _should_upgrade(self) -> bool:
        return False  # other protocols are not spoken here, which is no warning


class _Told(logging.Handler):
    """What the server's protocol fails in, as a line of the log: which error, none of its words."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.ERROR)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        kind = record.exc_info[0] if record.exc_info else None
        self._log({"event": "server", "error": None if kind is None else kind.__name__})


class _Server(uvicorn.Server):
    """Says that it is ending as soon as it is asked to, while what was accepted is still being answered."""

    def __init__(
        self, config: uvicorn.Config, edge: Edge, connections: Connections, *, notice_seconds: float = 0.0
    ) -> None:
        super().__init__(config)
        self._edge = edge
        self._connections = connections
        self._notice_seconds = notice_seconds
        self._ends_at: float | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.on_ready: Callable[[], None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._connections.watch_loop(self._loop)
        await super().startup(sockets)
        if self.started and self.on_ready is not None:
            self.on_ready()

    async def on_tick(self, counter: int) -> bool:
        is_ending = await super().on_tick(counter)
        if not is_ending or self.force_exit:
            return is_ending
        now = asyncio.get_running_loop().time()
        if self._ends_at is None:
            self._ends_at = now + self._notice_seconds
        if now < self._ends_at:
            return False
        self._edge.drain()
        return True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._edge.announce_end()
        if not self._notice_seconds:
            self._edge.drain()
        super().handle_exit(sig, frame)
        if self.force_exit and self._loop is not None:
            # From Python 3.12 on the loop waits for every connection, also for one whose model says nothing.
            self._loop.call_soon_threadsafe(self._connections.end_all)


def serve_connections(
    edge: Edge,
    listening: socket.socket,
    *,
    limits: EdgeLimits,
    log: Log,
    behind_proxy: str | None = None,
    on_ready: Callable[[], None] | None = None,
) -> None:
    """Answer at a socket until a signal ends it; what was accepted by then is answered first.

    Args:
        edge: What answers.
        listening: Where connections are accepted.
        limits: How many, and how long.
        log: Takes a line for what never became a request, and for what the server itself fails in.
        behind_proxy: Address of the proxy whose word on client and scheme counts; ``None`` believes none.
        on_ready: Is called once when requests are taken.

    Raises:
        KeyboardInterrupt: It was interrupted twice, and ended without waiting for what was accepted.
    """
    for name in ("mcp", "uvicorn"):  # nothing a library would write of a request, which may quote it, goes to the log
        logging.getLogger(name).setLevel(_SILENT)
    connections = Connections(limits, log)
    server = _Server(
        _config(edge, limits, connections, behind_proxy), edge, connections, notice_seconds=limits.notice_seconds
    )
    server.on_ready = on_ready
    with _ending_by_signal(server):
        _run(server, listening)
    if server.force_exit:
        raise KeyboardInterrupt


def _run(server: uvicorn.Server, listening: socket.socket) -> None:
    """Run a server to its end, and no longer: a thread in which a model says nothing is waited for by nobody."""
    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(server.serve(sockets=[listening]))
    finally:
        loop.run_until_complete(_given_up())
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def _config(edge: Edge, limits: EdgeLimits, connections: Connections, behind_proxy: str | None) -> uvicorn.Config:
    options: dict[str, Any] = {"proxy_headers": False}
    if behind_proxy is not None:
        options = {"proxy_headers": True, "forwarded_allow_ips": behind_proxy}
    made: Any = connections.protocol
    return uvicorn.Config(
        edge,
        http=made,
        ws="none",
        lifespan="on",
        loop="asyncio",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=round(limits.drain_seconds),
        h11_max_incomplete_event_size=limits.max_header_bytes + limits.max_target_bytes,
        **options,
    )


@contextmanager
def _ending_by_signal(server: uvicorn.Server) -> Iterator[None]:
    """A signal ends the service and not the process: the server sends it again when it has ended."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        server.should_exit = True

    before = {one: signal.signal(one, end) for one in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


async def _given_up() -> None:
    """End what is left in the loop."""
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    if left:
        await asyncio.wait(left, timeout=_GIVING_UP_SECONDS)
