"""Anthropic's Messages API, asked through its SDK.

Rules of this module: the only one that knows the SDK, which is imported when a model is made. One question is one
request: nothing is sent twice, no redirect is followed, and a server on this machine is never asked through a proxy.
The key comes from whoever makes the model; no key, profile, header or address is taken from the environment. What a
server says about an error is repeated nowhere: it may be hostile, or quote the key.

It takes a request with evidence apart and hands the provider's own events on, citations included: what they cite is
known to whoever made the request.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.models._faults import (
    MOST_CHARS_PER_TOKEN,
    count_of,
    fault_of_connection,
    fault_of_silence,
    fault_of_status,
    faulty_server,
    interrupted,
    no_such_protocol,
    shapeless,
    too_long,
)
from symfonic.adapters.knowledge.models._kept import CLOSING, KeptClient
from symfonic.adapters.knowledge.models.endpoints import Endpoint
from symfonic.adapters.knowledge.ports import Completion, FinishReason, ModelError

if TYPE_CHECKING:
    import contextlib
    from collections.abc import Generator, Iterator, Mapping, Sequence

    from symfonic.adapters.knowledge.ports import ChatMessage

__all__ = ["DEFAULT_ADDRESS", "AnthropicModel"]

DEFAULT_ADDRESS: Final = "https://api.anthropic.com"
"""Where the model is reached if nobody says otherwise: what stands before ``/v1/messages``."""

_KEY_VARIABLE: Final = "ANTHROPIC_API_KEY"  # named in messages; nothing is read from it here
_PROTOCOL: Final = "the Messages API"
_FINISHES: Final = {
    "end_turn": FinishReason.STOP,
    "stop_sequence": FinishReason.STOP,
    "max_tokens": FinishReason.LENGTH,
    "model_context_window_exceeded": FinishReason.LENGTH,
    "refusal": FinishReason.FILTERED,
}
_READ: Final = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
_OWN_HEADERS: Final = frozenset({"accept", "content-type", "user-agent", "anthropic-version", "authorization"})


class AnthropicModel:
    """A model behind Anthropic's Messages API.

    Args:
        model: The model's name, as the server knows it.
        base_url: The address before ``/v1/messages``.
        api_key: Is sent over TLS and to this machine only; elsewhere it stays here. ``None`` sends none.
        timeout: Most seconds of silence: until a connection stands, and between two pieces of an answer.
        max_tokens: Most tokens of an answer.

    Raises:
        ModelError: ``unavailable``: the SDK is not installed.
        ValueError: ``base_url`` is no address.
    """

    __slots__ = ("_api_key", "_clients", "endpoint", "max_tokens", "model", "timeout")

    def __init__(
        self,
        model: str,
        *,
        base_url: str = DEFAULT_ADDRESS,
        api_key: str | None = None,
        timeout: float = 60.0,
        max_tokens: int = 1024,
    ) -> None:
        _require_sdk()
        self.model = model
        self.endpoint = Endpoint(base_url)
        self.timeout = timeout
        self.max_tokens = max_tokens
        self._api_key = api_key if self.endpoint.takes_key else None
        self._clients = KeptClient(partial(_client, self.endpoint, self._api_key, timeout))

    def stream(self, messages: Sequence[ChatMessage]) -> Generator[str, None, Completion]:
        """Answer piece by piece, all of a prompt in the system text.

        Nothing is marked for a cache: messages do not say where the text ends that stays the same, and what a question
        found stands before the end, so that every question would pay for writing what no other reads. To have stable
        layers kept, give :meth:`stream_search_results` a request with breakpoints.

        Raises:
            ModelError: Every code but ``unavailable``; from the first piece on, or in the middle.
        """
        system = "\n\n".join(message.content for message in messages if message.role == "system")
        turns = [{"role": one.role, "content": one.content} for one in messages if one.role != "system"]
        reading = _Reading(self.max_tokens * MOST_CHARS_PER_TOKEN)
        request: dict[str, Any] = {"system": system} if system else {}
        for _, text in self._read({**request, "messages": turns}, reading):
            if text:
                yield text
        return reading.completion()

    def stream_search_results(self, request: Mapping[str, Any]) -> Generator[object, None, Completion]:
        """Answer a request event by event: text and citations as the provider sends them.

        Args:
            request: ``system`` and ``messages``, with evidence as search results.

        Raises:
            ModelError: As :meth:`stream`.
        """
        reading = _Reading(self.max_tokens * MOST_CHARS_PER_TOKEN)
        for event, _ in self._read(request, reading):
            yield event
        return reading.completion()

    def _read(self, request: Mapping[str, Any], reading: _Reading) -> Iterator[tuple[object, str]]:
        """Every event with its text."""
        try:
            with self._asked(self._clients.get(), request) as events:
                reading.answered = True
                for event in events:
                    yield event, reading.text(event)
        except ModelError:
            raise
        except Exception as error:  # noqa: BLE001 - the SDK and what it stands on raise a dozen kinds
            # Not chained: an error of the SDK holds what the server said, and the headers that were sent.
            raise self._told(error, answered=reading.answered) from None

    def _asked(self, client: Any, request: Mapping[str, Any]) -> contextlib.AbstractContextManager[Iterator[Any]]:
        import anthropic

        # The SDK adds headers that a variable names; whose they are and where they may travel nobody knows.
        omitted = {name: anthropic.omit for name in client.default_headers if not _is_own(name)}
        if self._api_key is None:
            omitted["Authorization"] = anthropic.omit
        stream: contextlib.AbstractContextManager[Iterator[Any]] = client.messages.create(
            model=self.model, max_tokens=self.max_tokens, stream=True, extra_headers={**omitted, **CLOSING}, **request
        )
        return stream

    def _told(self, error: Exception, *, answered: bool) -> ModelError:
        """An error of the SDK in our words."""
        import anthropic
        import httpx2  # comes with the SDK, which lets its errors through once an answer has begun

        if isinstance(error, anthropic.APIStatusError):
            # An event that reports a fault comes with the status of the answer it stands in.
            if answered:
                return faulty_server(self.endpoint)
            return fault_of_status(
                self.endpoint, error.status_code, variable=_KEY_VARIABLE, keyed=self._api_key is not None
            )
        if isinstance(error, anthropic.APITimeoutError | httpx2.TimeoutException):
            return fault_of_silence(self.endpoint, self.timeout)
        if isinstance(error, anthropic.APIConnectionError | httpx2.TransportError):
            return interrupted() if answered else fault_of_connection(self.endpoint, error)
        return no_such_protocol(self.endpoint, _PROTOCOL, error)


def _client(endpoint: Endpoint, api_key: str | None, timeout: float) -> Any:
    import anthropic

    # Without a proxy where the server is this machine: what was retrieved would leave it otherwise.
    http = anthropic.DefaultHttpxClient(timeout=timeout, follow_redirects=False, trust_env=not endpoint.loopback)
    # With a key at hand, if only a word, the SDK looks for no other in the environment or in files.
    return anthropic.Anthropic(
        api_key=api_key or "none",
        base_url=endpoint.url,
        timeout=timeout,
        max_retries=0,
        http_client=http,
        open_telemetry=False,
    )


class _Reading:
    """What the events of one answer said so far. Nothing about their shape is taken for granted.

    Everything that is handed on counts, or an answer of nothing but citations, or of empty events, would have no end.
    """

    def __init__(self, most: int) -> None:
        self.answered = False
        self._begun = False
        self._left = most
        self._finish: FinishReason | None = None
        self._model = ""
        self._read: int | None = None
        self._written: int | None = None

    def text(self, event: Any) -> str:
        """The text of one event."""
        self._begun = True
        kind = getattr(event, "type", None)
        self._count(1)  # whatever it is, it is handed on
        if kind == "message_start":
            self._started(getattr(event, "message", None))
        elif kind == "message_delta":
            self._ended(event)
        elif kind == "content_block_delta":
            return self._said(getattr(event, "delta", None), "text_delta")
        elif kind == "content_block_start":  # may hold the first words of its block
            return self._said(getattr(event, "content_block", None), "text")
        return ""

    def _started(self, message: Any) -> None:
        model, usage = getattr(message, "model", None), getattr(message, "usage", None)
        self._model = model if isinstance(model, str) else ""
        counts = [count_of(usage, name) for name in _READ]
        # Tokens that a cache held are counted apart, and were read all the same.
        self._read = None if counts[0] is None else sum(count or 0 for count in counts)

    def _ended(self, event: Any) -> None:
        reason = getattr(getattr(event, "delta", None), "stop_reason", None)
        if isinstance(reason, str):
            self._finish = _FINISHES.get(reason, FinishReason.OTHER)
        self._written = count_of(getattr(event, "usage", None), "output_tokens")

    def _said(self, delta: Any, kind: str) -> str:
        if delta is None:
            raise shapeless("a change", _PROTOCOL)
        self._count(MOST_CHARS_PER_TOKEN * _citations_in(delta))
        if getattr(delta, "type", None) != kind:
            return ""
        text = getattr(delta, "text", None)
        if not isinstance(text, str):
            raise shapeless("text", _PROTOCOL)
        self._count(max(len(text) - 1, 0))  # one was counted with the event
        return text

    def _count(self, chars: int) -> None:
        """Take from what an answer may hold."""
        self._left -= chars
        if self._left < 0:
            raise too_long()

    def completion(self) -> Completion:
        """How it ended.

        Raises:
            ModelError: ``interrupted``: the connection was closed before anything said that this is the end;
                ``malformed``: there was no event at all.
        """
        if not self._begun:
            raise shapeless("data", _PROTOCOL)
        if self._finish is None:
            raise interrupted()
        return Completion(finish=self._finish, model=self._model, prompt_tokens=self._read, answer_tokens=self._written)


def _citations_in(delta: Any) -> int:
    """How many citations a block or a change brings. Each is a reference in the answer, and took a token at least."""
    if getattr(delta, "type", None) == "citations_delta":
        return 1
    cited = getattr(delta, "citations", None)
    return len(cited) if isinstance(cited, list) else 0


def _is_own(header: str) -> bool:
    name = header.lower()
    return name in _OWN_HEADERS or name.startswith("x-stainless-")


def _require_sdk() -> None:
    try:
        import anthropic  # noqa: F401 - only whether it is there
    except ImportError as error:
        raise ModelError(
            "a model behind Anthropic's Messages API is asked through the Anthropic SDK, which is not installed; "
            "nothing was asked; install symfonic-knowledge[anthropic]",
            code="unavailable",
        ) from error
