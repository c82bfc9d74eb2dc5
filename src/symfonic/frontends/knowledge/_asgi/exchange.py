"""One request and its answer: what may arrive, what leaves, and how long either may take.

Rules of this module: it stands between one call of the application and the server. It bounds the body as it arrives,
whatever was declared, puts the safe headers on every answer, and gives up what takes too long. Whose request it is, it
does not know.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from . import refusals
from .headers import HSTS, SAFE_HEADERS
from .limits import EdgeLimits
from .problems import PROBLEM_TYPE
from .protocol import Message, Receive, Scope, Send

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .protocol import Application
    from .refusals import RefusedError

_OWN: Final = frozenset({name for name, _ in SAFE_HEADERS} | {HSTS[0], b"server", b"x-powered-by", b"x-request-id"})
"""Headers of which an application's own are left out."""
_FAILED: Final = 500
_CORS: Final = b"access-control-"


class BrokenOffError(Exception):
    """The answer is over, although the application has not come to its end."""


@dataclass(slots=True, kw_only=True)
class Exchange:
    """The state of one request.

    Attributes:
        scope: As the server gave it.
        request_id: Under which it is logged.
        limits: What it may take.
        max_body_bytes: Most bytes of its body.
        shared_headers: Further headers of the answer, whatever the application says.
        is_public: Whether the answer may be kept by a cache where the application says so.
        status: Of the answer; 0 before it began.
        sent_bytes: Bytes of its body.
        is_complete: Whether it was sent to its end.
        is_gone: Whether the client went before that.
        code: Of the problem that was answered; empty for none.
    """

    scope: Scope
    receive_from: Receive
    send_to: Send
    request_id: str
    limits: EdgeLimits
    max_body_bytes: int
    shared_headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    is_public: bool = False
    status: int = 0
    sent_bytes: int = 0
    is_complete: bool = False
    is_gone: bool = False
    code: str = ""
    _taken_bytes: int = 0
    _is_taken: bool = False
    _is_over: bool = False
    _body_until: float = 0.0
    _stream_until: float = 0.0
    _deadline: asyncio.Timeout | None = None
    _is_reading: bool = False
    _held: list[Message] = field(default_factory=list)

    async def run(self, app: Application, scope: Scope) -> None:
        """Have the application answer, as long as that may take.

        Raises:
            RefusedError: It took too long and had not begun to answer.
            BrokenOffError: It took too long in the middle of its answer, or what arrives is too large.
            Exception: What the application raised.
        """
        now = asyncio.get_running_loop().time()
        self._body_until = now + self.limits.body_seconds
        self._deadline = deadline = asyncio.timeout_at(now + self.limits.request_seconds)
        failure: Exception | None = None
        try:
            async with deadline:
                await app(scope, self.receive, self.send)
        except Exception as error:  # noqa: BLE001 - raised below, unless the answer is over
            failure = error
        finally:
            self._deadline = None
        if self._is_over:
            raise BrokenOffError from failure
        if deadline.expired():  # an application may have swallowed the cancellation
            raise self._late() from failure
        if failure is not None:
            raise failure
        await self._let_go()
        if not self.is_complete and not self.is_gone:
            raise BrokenOffError if self.status else RuntimeError("the application did not answer")

    async def receive(self) -> Message:
        """The next message for the application, counted."""
        if self._is_over:
            return {"type": "http.disconnect"}
        self._is_reading = True
        message = await self.receive_from()
        self._is_reading = False
        if message["type"] != "http.request":
            self.is_gone = self.is_gone or not self.is_complete
            return message
        self._taken_bytes += len(message.get("body", b""))
        if self._taken_bytes > self.max_body_bytes:
            await self._stop(refusals.too_large(self.max_body_bytes))
        if not self.status:
            if message.get("more_body", False):
                self._allow(self.limits.idle_seconds, self._body_until)
            elif not self._is_taken:
                self._is_taken = True
                self._allow(self.limits.request_seconds)
        return message

    async def send(self, message: Message) -> None:
        """Pass a message of the application on, with the headers every answer carries.

        A whole answer of status 500 is held until the application ends: frameworks send one in words of their own, and
        then raise what failed.
        """
        if self._is_over:
            return
        if self._held or message.get("status") == _FAILED:
            self._held.append(message)
            if message.get("more_body", False):
                await self._let_go()
            return
        await self._pass(message)

    async def _let_go(self) -> None:
        """Send what was held."""
        held, self._held = self._held, []
        for message in held:
            await self._pass(message)

    async def _pass(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": self._headers(message.get("headers", ()))}
            self.status = message["status"]
            self._stream_until = asyncio.get_running_loop().time() + self.limits.stream_seconds
        self._allow(self.limits.idle_seconds, self._stream_until)
        await self.send_to(message)
        self._allow(self.limits.idle_seconds, self._stream_until)
        if message["type"] == "http.response.body":
            self.sent_bytes += len(message.get("body", b""))
            self.is_complete = not message.get("more_body", False)

    async def refuse(self, refused: RefusedError) -> None:
        """Answer with a problem, where nothing has been answered; what the application still sends goes nowhere."""
        if self.status:
            self._is_over = True
            return
        self.code = refused.problem.code
        said = [pair for pair in refused.headers if pair not in self.shared_headers]
        if self._has_unread() and refusals.CLOSE not in (*said, *self.shared_headers):
            said.append(refusals.CLOSE)
        body = refused.problem.body(request=self.request_id)
        await self.answer(refused.problem.status, [(b"content-type", PROBLEM_TYPE.encode()), *said], body)

    async def answer(self, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes = b"") -> None:
        """Answer in place of the application, within the time a piece of an answer may take."""
        length = (b"content-length", str(len(body)).encode())
        start = {
            "type": "http.response.start",
            "status": status,
            "headers": self._headers([*headers, *([] if status in {204, 304} else [length])]),
        }
        self._is_over, self.status = True, status
        shown = b"" if self.scope["method"] == "HEAD" else body
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.limits.idle_seconds):
                await self.send_to(start)
                await self.send_to({"type": "http.response.body", "body": shown, "more_body": False})
            self.sent_bytes, self.is_complete = len(shown), True

    async def _stop(self, refused: RefusedError) -> None:
        """End the exchange here and now: an application could take the error for one of its own."""
        await self.refuse(refused)
        raise BrokenOffError

    def _late(self) -> Exception:
        if self.status:
            self._is_over = True
            return BrokenOffError()
        if self._is_reading and not self._is_taken and (self._taken_bytes or self._has_unread()):
            return refusals.late_body()
        return refusals.late_answer()

    def _allow(self, seconds: float, until: float | None = None) -> None:
        if self._deadline is not None and not self._deadline.expired():  # else it is too late already
            end = asyncio.get_running_loop().time() + seconds
            self._deadline.reschedule(end if until is None else min(end, until))

    @property
    def has_body(self) -> bool:
        """Whether the request says that a body comes with it."""
        names = {name.lower(): value for name, value in self.scope["headers"]}
        return b"transfer-encoding" in names or names.get(b"content-length", b"0").strip() != b"0"

    def _has_unread(self) -> bool:
        return not self._is_taken and self.has_body

    def _headers(self, headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        kept = [
            (name, value)
            for name, value in ((bytes(name).lower(), bytes(value)) for name, value in headers)
            if name not in _OWN and not name.startswith(_CORS)
        ]
        if not self.is_public:
            kept = [pair for pair in kept if pair[0] != b"cache-control"]
        if all(name != b"cache-control" for name, _ in kept):
            kept.append((b"cache-control", b"no-store"))
        secured = (HSTS,) if self.scope.get("scheme") == "https" else ()
        own = (*SAFE_HEADERS, *secured, (b"x-request-id", self.request_id.encode("ascii")))
        return [*kept, *own, *self.shared_headers]
