"""Models that say what they were told to, in this process or behind a connection, honest and not.

Rules of this module: standard library only, and the ports. Nothing is generated: a script decides every chunk, every
event and every fault, so that a test of code that reads a model is the same on each run. The server listens on this
machine only and speaks the chat completions protocol and Anthropic's Messages API, each at its own path and whole or in
events, as a request wants it; that real clients read it is held by the project's own tests.
"""

from __future__ import annotations

import json
import select
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from symfonic.adapters.knowledge.ports import ChatMessage, Completion

from ._messages_api import FAULTS, message_events, whole_message

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from types import TracebackType
    from typing import Self

__all__ = ["Fault", "ScriptedChatModel", "ScriptedChatServer", "ScriptedReply", "ScriptedRequest"]

_DONE: Final = b"data: [DONE]\n\n"
_POLL_SECONDS: Final = 0.02
_CHAT: Final = "/v1/chat/completions"
_MESSAGES: Final = "/v1/messages"


@dataclass(frozen=True, slots=True)
class ScriptedChatModel:
    """Answers its chunks, whatever it is asked, and keeps what it was asked.

    Args:
        chunks: What it says, one after the other.
        error: Is raised behind the last chunk; ``None`` ends the answer.
        completion: How the answer ended.
        asked: The messages of every question so far.
    """

    chunks: Sequence[str]
    error: BaseException | None = None
    completion: Completion = field(default_factory=Completion)
    asked: list[tuple[ChatMessage, ...]] = field(default_factory=list[tuple[ChatMessage, ...]])

    def stream(self, messages: Sequence[ChatMessage]) -> Generator[str, None, Completion]:
        """Answer the script."""
        self.asked.append(tuple(messages))
        yield from self.chunks
        if self.error is not None:
            raise self.error
        return self.completion


class Fault(StrEnum):
    """What goes wrong behind the last chunk of a reply, or with a document that is answered whole."""

    DISCONNECT = "disconnect"
    """The connection is gone in the middle of the answer."""
    STALL = "stall"
    """Nothing more comes until the client or the server gives up."""
    MALFORMED = "malformed"
    """An event, or a document, that is no JSON."""
    SHAPELESS = "shapeless"
    """An event, or a document, that is JSON of another kind."""
    ERROR = "error"
    """An event, or an answer of status 500, that reports a fault, with text that should be shown to nobody."""
    NO_FINISH = "no-finish"
    """The answer ends in order and never says that this is the end."""


@dataclass(frozen=True, slots=True)
class ScriptedReply:
    """What the server answers one request.

    Args:
        chunks: The text, one event for each; where no stream was asked for, they are joined.
        fault: What goes wrong behind them; ``None`` ends the answer as it should.
        status: The HTTP status; other than 200 there is no answer, only ``body``.
        finish: What the last event says about why it ended.
        usage: Tokens read and written, as the last event but one tells them; ``None`` leaves that out.
        packet: Bytes of each write, so that events, lines and characters are cut anywhere; ``None`` for one an event.
        body: What an answer of another status says.
        cited: Chunk to the numbers of the search results it rests on, for a request of the Messages API; both count
            from 0.
    """

    chunks: Sequence[str] = ()
    fault: Fault | None = field(default=None, kw_only=True)
    status: int = field(default=200, kw_only=True)
    finish: str = field(default="stop", kw_only=True)
    usage: tuple[int, int] | None = field(default=(7, 3), kw_only=True)
    packet: int | None = field(default=None, kw_only=True)
    body: str = field(default='{"error": {"message": "refused \\u001b[31m"}}', kw_only=True)
    cited: Mapping[int, Sequence[int]] = field(default_factory=dict[int, Sequence[int]], kw_only=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedRequest:
    """What the server was asked.

    Attributes:
        path: The path of the address.
        headers: Names in lower case.
        body: The decoded JSON.
    """

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class ScriptedChatServer:
    """A server on this machine that answers requests with its replies, in order; the last one is repeated.

    It answers ``/v1/chat/completions`` by the chat completions protocol and ``/v1/messages`` by Anthropic's Messages
    API: in events where the request has ``"stream": true``, else in one JSON document. Any other path is answered 404,
    and takes no reply. Clients of the first want ``base_url``, which ends in ``/v1``, those of the second ``address``,
    which does not.

    ::

        with ScriptedChatServer(ScriptedReply(["Thirty ", "days."])) as server:
            ...  # ask a model at server.base_url

    Args:
        replies: What it answers; a text is a reply of one chunk.
    """

    def __init__(self, *replies: ScriptedReply | str) -> None:
        self.replies = tuple(ScriptedReply([reply]) if isinstance(reply, str) else reply for reply in replies)
        self.requests: list[ScriptedRequest] = []
        """What it was asked so far."""
        self.hung_up = threading.Event()
        """Is set when a client left before its reply had ended, whether the reply stalled or was being sent."""
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._server: _Server | None = None

    @property
    def base_url(self) -> str:
        """The address to ask, while the server runs."""
        if self._server is None:
            raise RuntimeError("a scripted server has an address while it runs; it does not: enter it first")
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def address(self) -> str:
        """The same without the version, as clients of the Messages API want it."""
        return self.base_url.removesuffix("/v1")

    def __enter__(self) -> Self:
        self._closing.clear()
        self._server = _Server(self)
        threading.Thread(target=self._server.serve_forever, args=(_POLL_SECONDS,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def reply_to(self, request: ScriptedRequest) -> ScriptedReply:
        """Keep a request and return what it is answered."""
        with self._lock:
            self.requests.append(request)
            return self.replies[min(len(self.requests), len(self.replies)) - 1]

    def wait_for_hang_up(self, connection: Any) -> None:
        """Hold a stalled reply until the client or the server gives up."""
        while not self._closing.is_set():
            readable, _, _ = select.select([connection], [], [], _POLL_SECONDS)
            if readable and _has_gone(connection):
                self.note_hang_up()
                return

    def note_hang_up(self) -> None:
        """Say that a client left; after the server left, a reader who goes tells nothing."""
        if not self._closing.is_set():
            self.hung_up.set()


def _has_gone(connection: Any) -> bool:
    try:
        return not connection.recv(1)
    except OSError:  # it left what it had not read
        return True


def _events(reply: ScriptedReply, model: str) -> Iterator[bytes]:
    """The events of a reply up to its fault or its end."""
    for chunk in reply.chunks:
        yield _event(model, [{"index": 0, "delta": {"content": chunk}, "finish_reason": None}])
    if reply.fault is Fault.MALFORMED:
        yield b'data: {"choices": [\n\n'
    if reply.fault is Fault.SHAPELESS:
        yield b'data: {"object": "something else"}\n\n'
    if reply.fault is Fault.ERROR:
        yield b'data: {"error": {"message": "\\u001b[31msecret", "code": 500}}\n\n'
    if reply.fault is None:
        yield _event(model, [{"index": 0, "delta": {}, "finish_reason": reply.finish}])
        if reply.usage is not None:
            yield _event(model, [], usage=_counts(*reply.usage))
    if reply.fault in {None, Fault.NO_FINISH}:
        yield _DONE


def _messages_events(reply: ScriptedReply, body: Mapping[str, Any]) -> Iterator[bytes]:
    """The same as Anthropic's Messages API has them."""
    finish = reply.finish if reply.fault is None else None
    yield from message_events(reply.chunks, reply.cited, body, reply.usage, finish)
    if reply.fault is not None and reply.fault.value in FAULTS:
        yield FAULTS[reply.fault.value]


def _completion(reply: ScriptedReply, model: str) -> dict[str, Any]:
    """A reply as one document of the chat completions protocol."""
    message = {"role": "assistant", "content": "".join(reply.chunks), "refusal": None}
    finish = None if reply.fault is Fault.NO_FINISH else reply.finish
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish}
    document = {"id": "scripted", "object": "chat.completion", "created": 0, "model": model, "choices": [choice]}
    return document if reply.usage is None else {**document, "usage": _counts(*reply.usage)}


def _message(reply: ScriptedReply, body: Mapping[str, Any]) -> dict[str, Any]:
    """The same as Anthropic's Messages API has it."""
    finish = None if reply.fault is Fault.NO_FINISH else reply.finish
    return whole_message(reply.chunks, reply.cited, body, reply.usage, finish)


def _counts(read: int, written: int) -> dict[str, int]:
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def _document(reply: ScriptedReply, document: Mapping[str, Any]) -> tuple[HTTPStatus, bytes]:
    """Status and body of an answer that is no stream."""
    if reply.fault is Fault.ERROR:
        return HTTPStatus.INTERNAL_SERVER_ERROR, b'{"error": {"message": "\\u001b[31msecret"}}'
    if reply.fault is Fault.SHAPELESS:
        return HTTPStatus.OK, b'{"object": "something else"}'
    data = _encoded(document)
    return HTTPStatus.OK, data[: len(data) // 2] if reply.fault is Fault.MALFORMED else data


def _encoded(data: Mapping[str, Any]) -> bytes:
    # Not ASCII only: a packet may then end in the middle of a character. A lone surrogate has no bytes of its own.
    with suppress(UnicodeEncodeError):
        return json.dumps(data, ensure_ascii=False).encode()
    return json.dumps(data).encode()


def _event(model: str, choices: list[dict[str, Any]], **more: Any) -> bytes:
    event = {"id": "scripted", "object": "chat.completion.chunk", "created": 0, "model": model, "choices": choices}
    return b"data: " + _encoded({**event, **more}) + b"\n\n"


def _packets(events: Iterable[bytes], size: int | None) -> Iterator[bytes]:
    if size is None:
        yield from events
        return
    whole = b"".join(events)
    yield from (whole[start : start + size] for start in range(0, len(whole), size))


def _no_such_path(path: str) -> dict[str, Any]:
    told = (
        f"a scripted server answers {_CHAT} and {_MESSAGES}, not {path}: give clients of the first its base_url, "
        "those of the second its address"
    )
    return {"type": "error", "error": {"type": "not_found_error", "message": told}}


class _Server(ThreadingHTTPServer):
    """Listens on this machine, a thread for each request."""

    daemon_threads = True

    def __init__(self, script: ScriptedChatServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = script


class _Handler(BaseHTTPRequestHandler):
    """One request of one client."""

    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
        """Say nothing."""

    def do_POST(self) -> None:
        """Answer as the script says."""
        data = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        path = urlsplit(self.path).path
        self.close_connection = True
        try:
            if path not in {_CHAT, _MESSAGES}:
                self._refuse(HTTPStatus.NOT_FOUND, _encoded(_no_such_path(path)))
                return
            request = ScriptedRequest(path=self.path, headers=headers, body=json.loads(data))
            reply = self.server.script.reply_to(request)
            if reply.status != HTTPStatus.OK:
                self._refuse(reply.status, reply.body.encode())
            else:
                self._answer(reply, request.body, native=path == _MESSAGES)
        except OSError:
            # The client has gone. One that leaves at the first word may do so while the next is being written.
            self.server.script.note_hang_up()

    def _answer(self, reply: ScriptedReply, body: Mapping[str, Any], *, native: bool) -> None:
        model = str(body.get("model", ""))
        if body.get("stream") is True:
            self._stream(reply, _messages_events(reply, body) if native else _events(reply, model))
        else:
            self._send(reply, *_document(reply, _message(reply, body) if native else _completion(reply, model)))

    def _send(self, reply: ScriptedReply, status: int, data: bytes) -> None:
        """An answer in one piece; what breaks off, or stalls, says how long it would have been."""
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        breaks = reply.fault in {Fault.DISCONNECT, Fault.STALL}
        for packet in _packets([data[: len(data) // 2] if breaks else data], reply.packet):
            self.wfile.write(packet)
            self.wfile.flush()
        if reply.fault is Fault.STALL:
            self.server.script.wait_for_hang_up(self.connection)

    def _refuse(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Location", "http://127.0.0.1:9/elsewhere")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, reply: ScriptedReply, events: Iterable[bytes]) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for packet in _packets(events, reply.packet):
            self.wfile.write(f"{len(packet):x}\r\n".encode() + packet + b"\r\n")
            self.wfile.flush()
        if reply.fault is Fault.STALL:
            self.server.script.wait_for_hang_up(self.connection)
        elif reply.fault is not Fault.DISCONNECT:
            self.wfile.write(b"0\r\n\r\n")
