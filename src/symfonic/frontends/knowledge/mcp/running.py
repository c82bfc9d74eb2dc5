"""Running the server: over standard input and output, or over HTTP.

Rules of this module: transports only. On standard output stands the protocol and nothing else. Over HTTP the edge
judges every request before the SDK sees it, and each stands alone: no session lives on, so a key that was revoked
reaches nothing from the next request on, and no stream is kept open that nothing would be said on.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from typing import TYPE_CHECKING, Any, Final

from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from symfonic.composition.knowledge import InputError, narrowed
from symfonic.frontends.knowledge._asgi import Edge, EdgeLimits, access_of
from symfonic.frontends.knowledge._connections import serve_connections

from .server import knowledge_server

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server import Server
    from starlette.types import ASGIApp

    from symfonic.composition.knowledge import AccessKeys, KnowledgeBase
    from symfonic.composition.knowledge import Scope as KnowledgeScope
    from symfonic.frontends.knowledge._asgi.protocol import Application, Receive, Scope, Send

    from .server import Log

PATH: Final = "/mcp"
"""Where the server answers over HTTP."""

_CHECKS: Final = frozenset({"/healthz", "/readyz"})


def run_stdio(knowledge: KnowledgeBase, *, scope: KnowledgeScope, log: Log) -> None:
    """Serve one client on standard input and output until it ends.

    Args:
        knowledge: Is asked.
        scope: On whose behalf every request is answered.
        log: Is told of every call.
    """
    _silence()
    asyncio.run(_over_stdio(knowledge_server(knowledge, scope_of=lambda _: scope, log=log)))


async def _over_stdio(server: Server[Any]) -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def run_http(
    knowledge: KnowledgeBase,
    listening: socket.socket,
    *,
    access: AccessKeys | None,
    scope: KnowledgeScope,
    hosts: tuple[str, ...],
    log: Log,
    limits: EdgeLimits | None = None,
) -> None:
    """Serve any number of clients on a listening socket until the process is told to end.

    Args:
        knowledge: Is asked.
        listening: Where connections are accepted.
        access: The keys; the path of a request's key is its scope. ``None`` asks for none.
        scope: On whose behalf requests are answered where no keys are asked for.
        hosts: Names under which it is asked, as ``Host`` has them.
        log: Is told of every request and call.
        limits: How much.
    """
    chosen = limits or EdgeLimits()
    app = http_app(knowledge, access=access, scope=scope, hosts=hosts, log=log, limits=chosen)
    serve_connections(app, listening, limits=chosen, log=log)


def http_app(
    knowledge: KnowledgeBase,
    *,
    access: AccessKeys | None,
    scope: KnowledgeScope,
    hosts: tuple[str, ...],
    log: Log,
    limits: EdgeLimits | None = None,
) -> Edge:
    """The server as an ASGI application with its edge; arguments as in :func:`run_http`."""
    chosen = limits or EdgeLimits()
    server = knowledge_server(knowledge, scope_of=_scope_of(access, scope), log=log)
    inner = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=chosen.max_body_bytes,
        # The edge has judged both by then; what it lets pass is judged by nobody again.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return Edge(_posts_only(inner), access=access, hosts=hosts, log=log, limits=chosen)


def _posts_only(app: ASGIApp) -> Application:
    """The application with POST alone, and the two checks of whoever runs it.

    Other methods are for streams and sessions, of which there are none here.
    """

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] in _CHECKS:
            await _send_empty(send, 204)
        elif scope["type"] == "http" and scope["path"] == PATH and scope["method"] != "POST":
            await _send_empty(send, 405, (b"allow", b"POST"))
        else:
            await app(scope, receive, send)

    return answered


async def _send_empty(send: Send, status: int, *headers: tuple[bytes, bytes]) -> None:
    await send({"type": "http.response.start", "status": status, "headers": [*headers]})
    await send({"type": "http.response.body", "body": b""})


def _scope_of(access: AccessKeys | None, scope: KnowledgeScope) -> Callable[[Any], KnowledgeScope]:
    """The scope of a request: its key's path, never one that a client names."""

    def of_request(request: Any) -> KnowledgeScope:
        if access is None:
            return scope
        return narrowed(access_of(request.scope), None) or None

    return of_request


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens at ``host`` and ``port``; port 0 takes a free one.

    Raises:
        InputError: Nothing can listen there.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(found[4][:2], family=found[0])
    except (OSError, UnicodeError) as error:
        told = error.strerror if isinstance(error, OSError) else "no such name"
        raise InputError(
            f"a server listens at an address of this machine; nothing can listen at this one ({told}) and nothing is "
            "served; name another address or port"
        ) from error


def _silence() -> None:
    """Nothing a library would write of a request, which may quote it, goes to the log."""
    for name in ("mcp", "uvicorn"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
