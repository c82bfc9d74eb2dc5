"""What stands around an application that listens on a port.

Rules of this module: the order in which a request is judged, and nothing of what it asks for. First what it is made
of, then where it comes from, then whose it is, then how much of it there is; only then does it get a place. A log line
tells of every request and holds neither its query string, nor a token, nor anything it carries.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from symfonic.composition.knowledge import KnowledgeError

from . import headers as lines
from . import refusals
from .exchange import BrokenOffError, Exchange
from .gates import FullError, Gate, Gates, Rates
from .limits import EdgeLimits
from .problems import PROBLEM_TYPE, hidden_message, problem_of
from .protocol import ACCESS, FAILURE, PROBLEM, REQUEST_ID
from .refusals import RefusedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from symfonic.composition.knowledge import AccessKey, AccessKeys

    from .protocol import Application, Message, Receive, Scope, Send

_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_METHODS: Final = frozenset({*_SAFE_METHODS, "POST", "PUT", "PATCH", "DELETE"})
_CHECKS_AT_ONCE: Final = 4


def _new_id() -> str:
    return secrets.token_hex(8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """The refusal of what no request could be read from, and its line of the log."""

    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    line: Mapping[str, object]


def unreadable_request(*, new_id: Callable[[], str] = _new_id) -> Unreadable:
    """What a server answers to bytes that are no request, with the headers of every answer."""
    request, refused = new_id(), refusals.unreadable()
    body = refused.problem.body(request=request)
    return Unreadable(
        headers=(
            (b"content-type", PROBLEM_TYPE.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
            *lines.SAFE_HEADERS,
            (b"x-request-id", request.encode()),
            *refused.headers,
        ),
        body=body,
        line={"event": "request", "request": request, "status": refused.problem.status, "code": refused.problem.code},
    )


class _StrangerError(Exception):
    """Somebody without a key asks for a page."""


class SignIn(Protocol):
    """How people with a browser show whose requests theirs are."""

    @property
    def path(self) -> str:
        """Where they sign in; a public path. Who asks for a page without a key is sent there."""
        ...

    def key_of(self, cookies: Mapping[str, str]) -> AccessKey | None:
        """Whose session the cookies name; ``None`` for nobody's. It is asked for every request.

        Raises:
            AccessFileError: Keys cannot be checked.
        """
        ...


class Edge:
    """An ASGI application around another.

    The inner one finds ``scope["state"]["access"]`` (:func:`access_of`): the key that asks, or ``None`` where no tokens
    are asked for. On public paths of a service with keys it is not there, so that nothing can take it for that.

    Args:
        app: What answers.
        access: Who may ask; ``None`` lets anybody ask who reaches the port.
        limits: How much.
        hosts: Names under which it is asked, as ``Host`` has them, such as ``kb.example.org`` or ``localhost:8000``.
        origins: Other sites whose pages may ask, such as ``https://intranet.example.org``.
        public_paths: Paths that need no key; one that ends in ``/`` stands for all below it.
        upload_paths: Paths, written the same way, whose bodies may have ``max_upload_bytes``.
        health_path: Says that the process lives. Public, never waits for a place.
        ready_path: Says that requests are taken; 503 from :meth:`announce_end` on. Public, never waits for a place.
            Both answer under any name, for whoever checks a machine asks its address.
        sign_in: For people with a browser.
        log: Takes a line for each request, and one for each failure.
        clock: Seconds, never going back.
        new_id: Makes the id of a request.
    """

    def __init__(  # noqa: PLR0913 - each is one decision of whoever runs a service
        self,
        app: Application,
        *,
        access: AccessKeys | None,
        hosts: tuple[str, ...],
        log: Callable[[Mapping[str, object]], None],
        limits: EdgeLimits | None = None,
        origins: tuple[str, ...] = (),
        public_paths: tuple[str, ...] = (),
        upload_paths: tuple[str, ...] = (),
        health_path: str = "/healthz",
        ready_path: str = "/readyz",
        sign_in: SignIn | None = None,
        clock: Callable[[], float] = time.monotonic,
        new_id: Callable[[], str] = _new_id,
    ) -> None:
        self._app = app
        self._access = access
        self._hosts = lines.known_hosts(hosts)
        self._log = log
        self._limits = limits = limits or EdgeLimits()
        self._origins = lines.known_origins(origins)
        self._checks = frozenset({health_path, ready_path})
        self._ready_path = ready_path
        self._public = (*public_paths, *self._checks, *((sign_in.path,) if sign_in else ()))
        self._uploads = upload_paths
        self._sign_in = sign_in
        self._sign_in_path = sign_in.path.encode("ascii") if sign_in else b""
        self._clock = clock
        self._new_id = new_id
        self._gate = Gate(places=limits.max_concurrency, waiting=limits.max_waiting, seconds=limits.waiting_seconds)
        self._key_gates = Gates(
            places=limits.max_concurrency_per_key, waiting=limits.max_waiting, seconds=limits.waiting_seconds
        )
        self._upload_gate = Gate(places=limits.max_uploads, waiting=limits.max_waiting, seconds=limits.waiting_seconds)
        self._check_gate = Gate(places=_CHECKS_AT_ONCE, waiting=limits.max_waiting, seconds=limits.waiting_seconds)
        rates = partial(
            Rates, per_minute=limits.requests_per_minute, burst=limits.burst, most=limits.max_rated, clock=clock
        )
        self._key_rates, self._client_rates = rates(), rates()
        self._active = 0
        self._idle = asyncio.Event()
        self._is_ending = False
        self._is_draining = False

    @property
    def is_draining(self) -> bool:
        """Whether new requests are refused."""
        return self._is_draining

    @property
    def active(self) -> int:
        """Requests that were accepted and are not answered to their end."""
        return self._active

    def announce_end(self) -> None:
        """Say where readiness is asked for that this will end; everything else is answered as before."""
        self._is_ending = True

    def drain(self) -> None:
        """Refuse new requests from now on, and say so where readiness is asked for; accepted ones are finished."""
        self._is_draining = True

    async def drained(self) -> bool:
        """Wait until what was accepted is answered; whether it was, within ``drain_seconds``."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._limits.drain_seconds):
                while self._active:
                    self._idle.clear()
                    await self._idle.wait()
        return not self._active

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what an ASGI server hands over.

        Raises:
            ValueError: It is of a kind there is no answer to.
        """
        if scope["type"] == "http":
            await self._exchange(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._live(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
        else:
            raise ValueError(f"this service answers HTTP; {scope['type']!a} is something else")

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def received() -> Message:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                self.drain()
                await self.drained()
            return message

        await self._app(scope, received, send)

    async def _exchange(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = self._clock()
        path: str = scope["path"]
        exchange = Exchange(
            scope=scope,
            receive_from=receive,
            send_to=send,
            request_id=self._new_id(),
            limits=self._limits,
            max_body_bytes=(
                self._limits.max_upload_bytes if _stands_for(self._uploads, path) else self._limits.max_body_bytes
            ),
            is_public=_stands_for(self._public, path),
        )
        inner: Scope = {**scope, "state": {**scope.get("state", {}), REQUEST_ID: exchange.request_id}}
        inner["state"].pop(ACCESS, None)
        try:
            await self._answered(exchange, inner)
        finally:
            self._tell(exchange, inner, begun)

    async def _answered(self, exchange: Exchange, inner: Scope) -> None:
        """Answer a request whatever happens but a cancellation."""
        try:
            await self._judged(exchange, inner)
        except RefusedError as refused:
            await exchange.refuse(refused)
        except BrokenOffError:
            exchange.code = exchange.code or "broken-off"
        except KnowledgeError as error:
            shown = problem_of(error, inner)
            await exchange.refuse(RefusedError(shown.status, shown.code, shown.detail))
        except Exception as error:  # noqa: BLE001 - whatever it is, its words stay here
            if exchange.is_gone:  # then it says no more than that
                return
            inner["state"][FAILURE] = error
            await exchange.refuse(refusals.failed())

    async def _judged(self, exchange: Exchange, inner: Scope) -> None:
        scope, path = exchange.scope, exchange.scope["path"]
        try:
            if self._is_draining:
                exchange.shared_headers.append((b"connection", b"close"))
            self._check_form(scope)
            host = self._check_host(scope)
            origin = self._check_origin(scope, host, exchange)
            if origin is not None and _is_preflight(scope):
                exchange.shared_headers += _PREFLIGHT
                await exchange.answer(204, ())
                return
            self._check_draining(path)
            self._admit(scope, inner)
            declared = lines.length_of(scope["headers"])
        except _StrangerError:
            await exchange.answer(303, [(b"location", self._sign_in_path)])
            return
        except lines.HeaderFaultError as fault:
            raise refusals.bad_header(str(fault)) from None
        if declared is not None and declared > exchange.max_body_bytes:
            raise refusals.too_large(exchange.max_body_bytes)
        is_upload = scope["method"] not in _SAFE_METHODS and exchange.has_body and _stands_for(self._uploads, path)
        async with self._accepted(path, inner["state"].get(ACCESS), is_upload=is_upload):
            await exchange.run(self._app, inner)

    def _check_form(self, scope: Scope) -> None:
        limits, headers = self._limits, scope["headers"]
        if scope["method"] not in _METHODS:
            raise refusals.unknown_method()
        target = len(scope.get("raw_path") or scope["path"].encode()) + len(scope.get("query_string", b""))
        if target > limits.max_target_bytes:
            raise refusals.long_target(limits.max_target_bytes)
        size = sum(len(name) + len(value) for name, value in headers)
        if len(headers) > limits.max_headers or size > limits.max_header_bytes:
            raise refusals.large_headers(limits.max_headers, limits.max_header_bytes)
        steps = scope["path"].split("/")
        if ".." in steps or "." in steps or "\0" in scope["path"]:
            raise refusals.bad_path()

    def _check_host(self, scope: Scope) -> str:
        """The host that is asked. A name that is not ours belongs to a page that had it lead here.

        What says no more than that the process lives is said under any name.
        """
        scheme: str = scope.get("scheme", "http")
        host = lines.host_of(scope["headers"], scheme)
        if scope["path"] in self._checks:
            return host or ""
        if host is None or host not in self._hosts.get(scheme, ()):
            raise refusals.unknown_host()
        return host

    def _check_origin(self, scope: Scope, host: str, exchange: Exchange) -> str | None:
        """The other site whose page asks, where that may; ``None`` where it is our own, or no page."""
        value = lines.only(scope["headers"], b"origin")
        origin = None if value is None else value.decode("latin-1")
        if origin is not None and lines.is_known_origin(origin, self._origins):
            exchange.shared_headers += [
                (b"access-control-allow-origin", origin.encode("latin-1")),
                (b"access-control-expose-headers", b"x-request-id, retry-after"),
                (b"vary", b"origin"),
            ]
            return origin
        foreign = origin is not None and not lines.is_same_origin(origin, host, scope.get("scheme", "http"))
        fetched = lines.only(scope["headers"], b"sec-fetch-site") == b"cross-site"
        if foreign or (fetched and scope["method"] not in _SAFE_METHODS):
            raise refusals.foreign_origin()
        return None

    def _check_draining(self, path: str) -> None:
        is_told = self._is_ending or self._is_draining
        if is_told if path == self._ready_path else self._is_draining and path not in self._checks:
            raise refusals.draining()

    def _admit(self, scope: Scope, inner: Scope) -> None:
        """Put whose request it is where the application finds it, and count it.

        Raises:
            RefusedError: It is nobody's, or one too many.
        """
        path = scope["path"]
        client = lines.client_of(scope.get("client"))
        if self._access is None:
            inner["state"][ACCESS] = None
        elif not _stands_for(self._public, path):
            key = self._key_of(scope, self._access)
            if key is None:
                self._count(self._client_rates, client)
                raise _StrangerError if self._is_page(scope) else refusals.unknown_token()
            inner["state"][ACCESS] = key
            self._count(self._key_rates, key.id)
            return
        if path not in self._checks:
            self._count(self._client_rates, client)

    def _key_of(self, scope: Scope, access: AccessKeys) -> AccessKey | None:
        headers = scope["headers"]
        token = lines.token_of(headers)
        if token is not None or self._sign_in is None:
            return access.verify(token or "")
        key = self._sign_in.key_of(lines.cookies_of(headers))
        said = lines.only(headers, b"origin") or lines.only(headers, b"sec-fetch-site") == b"same-origin"
        if key is not None and scope["method"] not in _SAFE_METHODS and not said:
            # A cookie comes along with what any page sends; that this one is ours, somebody has to say.
            raise refusals.unsaid_origin()
        return key

    def _is_page(self, scope: Scope) -> bool:
        """Whether a browser asks for a page and can be sent where people sign in."""
        accepted = lines.value_of(scope["headers"], b"accept")
        return self._sign_in is not None and scope["method"] in {"GET", "HEAD", "POST"} and b"text/html" in accepted

    def _count(self, rates: Rates, name: str) -> None:
        seconds = rates.wait(name)
        if seconds:
            raise refusals.many_requests(self._limits.requests_per_minute, seconds)

    @contextlib.asynccontextmanager
    async def _accepted(self, path: str, key: AccessKey | None, *, is_upload: bool) -> AsyncIterator[None]:
        """A place, for as long as the application works; from here on a request is answered before the service ends."""
        self._active += 1
        try:
            async with contextlib.AsyncExitStack() as places:
                if key is not None:  # first its own, so that whoever waits there takes no place from others
                    await places.enter_async_context(self._key_gates.place(key.id))
                if is_upload:  # its body is not read before
                    await places.enter_async_context(self._upload_gate.place())
                gate = self._check_gate if path in self._checks else self._gate
                await places.enter_async_context(gate.place())
                yield
        except FullError:
            raise refusals.busy() from None
        finally:
            self._active -= 1
            self._idle.set()

    def _tell(self, exchange: Exchange, inner: Scope, begun: float) -> None:
        """A line about a failure, where there was one, and one about the request."""
        state = inner["state"]
        failure: BaseException | None = state.get(FAILURE)
        if failure is not None:
            line: dict[str, object] = {
                "event": "failure",
                "request": exchange.request_id,
                "error": type(failure).__name__,
            }
            if isinstance(failure, KnowledgeError):
                line |= {"code": failure.code, "message": hidden_message(failure)}
            self._write(line)
        key: AccessKey | None = state.get(ACCESS)
        route: object = getattr(inner.get("route"), "path", None)
        self._write(
            {
                "event": "request",
                "request": exchange.request_id,
                "method": exchange.scope["method"] if exchange.scope["method"] in _METHODS else "other",
                "route": route if isinstance(route, str) else None,
                "status": exchange.status,
                "code": exchange.code or ("gone" if exchange.is_gone else state.get(PROBLEM)),
                "complete": exchange.is_complete,
                "ms": round((self._clock() - begun) * 1000, 1),
                "bytes": exchange.sent_bytes,
                "key": key.id if key else None,
            }
        )

    def _write(self, line: Mapping[str, object]) -> None:
        with contextlib.suppress(Exception):  # a log that cannot be written ends no request
            self._log(line)


_PREFLIGHT: Final = (
    (b"access-control-allow-methods", b"GET, POST, PUT, PATCH, DELETE"),
    (
        b"access-control-allow-headers",
        b"authorization, content-type, last-event-id, mcp-protocol-version, mcp-session-id, x-api-key",
    ),
    (b"access-control-max-age", b"600"),
)


def _is_preflight(scope: Scope) -> bool:
    return scope["method"] == "OPTIONS" and bool(lines.value_of(scope["headers"], b"access-control-request-method"))


def _stands_for(paths: tuple[str, ...], path: str) -> bool:
    """Whether one of ``paths`` is this one, or ends in ``/`` and is above it."""
    return any(path == one or (one.endswith("/") and path.startswith(one)) for one in paths)
