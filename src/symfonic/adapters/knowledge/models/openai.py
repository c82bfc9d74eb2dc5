"""A server that speaks the chat completions protocol, asked through the OpenAI SDK.

Rules of this module: the only one that knows the SDK, which is imported when a model is made. One question is one
request: nothing is sent twice, no redirect is followed, and a server on this machine is never asked through a proxy.
The key comes from whoever makes the model; no key, account or address is taken from the environment. What a server
says about an error is repeated nowhere: it may be hostile, or quote the key.
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
from symfonic.adapters.knowledge.models.endpoints import DEFAULT_BASE_URL, Endpoint
from symfonic.adapters.knowledge.ports import Completion, FinishReason, ModelError

if TYPE_CHECKING:
    import contextlib
    from collections.abc import Generator, Iterator, Sequence

    from symfonic.adapters.knowledge.ports import ChatMessage

__all__ = ["OpenAIChatModel"]

_KEY_VARIABLE: Final = "OPENAI_API_KEY"  # named in messages; nothing is read from it here
_PROTOCOL: Final = "the chat completions protocol"
_FINISHES: Final = {
    "stop": FinishReason.STOP,
    "length": FinishReason.LENGTH,
    "content_filter": FinishReason.FILTERED,
}


class OpenAIChatModel:
    """A model behind the chat completions protocol: OpenAI's own, or any server that speaks it.

    Args:
        model: The model's name, as the server knows it.
        base_url: The address before ``/chat/completions``.
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
        base_url: str = DEFAULT_BASE_URL,
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
        """Answer piece by piece.

        Raises:
            ModelError: Every code but ``unavailable``; from the first piece on, or in the middle.
        """
        reading = _Reading(self.max_tokens * MOST_CHARS_PER_TOKEN)
        try:
            with self._asked(self._clients.get(), messages) as events:
                reading.answered = True
                for event in events:
                    yield from reading.texts(event)
        except ModelError:
            raise
        except Exception as error:  # noqa: BLE001 - the SDK and what it stands on raise a dozen kinds
            # Not chained: an error of the SDK holds what the server said, and the headers that were sent.
            raise self._told(error, answered=reading.answered) from None
        return reading.completion()

    def _asked(self, client: Any, messages: Sequence[ChatMessage]) -> contextlib.AbstractContextManager[Iterator[Any]]:
        import openai

        headers: dict[str, Any] = dict(CLOSING)
        if self._api_key is None:
            headers["Authorization"] = openai.Omit()
        if not self.endpoint.is_default:
            # The SDK takes these from the environment; they are the business of one provider only.
            headers |= {"OpenAI-Organization": openai.Omit(), "OpenAI-Project": openai.Omit()}
        # The provider's newer models know the one name, other servers the other.
        limit = "max_completion_tokens" if self.endpoint.is_default else "max_tokens"
        stream: contextlib.AbstractContextManager[Iterator[Any]] = client.chat.completions.create(
            model=self.model,
            messages=[{"role": message.role, "content": message.content} for message in messages],
            stream=True,
            stream_options={"include_usage": True},
            extra_headers=headers,
            **{limit: self.max_tokens},
        )
        return stream

    def _told(self, error: Exception, *, answered: bool) -> ModelError:
        """An error of the SDK in our words."""
        import openai

        if isinstance(error, openai.APIStatusError):
            return fault_of_status(
                self.endpoint, error.status_code, variable=_KEY_VARIABLE, keyed=self._api_key is not None
            )
        if isinstance(error, openai.APITimeoutError):
            return fault_of_silence(self.endpoint, self.timeout)
        if isinstance(error, openai.APIConnectionError):
            return interrupted() if answered else fault_of_connection(self.endpoint, error)
        if type(error) is openai.APIError:  # an event that says so, in the middle of an answer
            return faulty_server(self.endpoint)
        return no_such_protocol(self.endpoint, _PROTOCOL, error)


def _client(endpoint: Endpoint, api_key: str | None, timeout: float) -> Any:
    import openai

    # Without a proxy where the server is this machine: what was retrieved would leave it otherwise.
    http = openai.DefaultHttpxClient(timeout=timeout, follow_redirects=False, trust_env=not endpoint.loopback)
    return openai.OpenAI(
        api_key=api_key or "none",
        base_url=endpoint.url,
        timeout=timeout,
        max_retries=0,
        http_client=http,
    )


class _Reading:
    """What the events of one answer said so far. Nothing about their shape is taken for granted."""

    def __init__(self, most: int) -> None:
        self.answered = False
        self._begun = False
        self._left = most
        self._finish: FinishReason | None = None
        self._model = ""
        self._tokens: tuple[int | None, int | None] = (None, None)

    def texts(self, event: Any) -> Iterator[str]:
        """The text of one event."""
        self._begun = True
        model, usage = getattr(event, "model", None), getattr(event, "usage", None)
        self._model = model if isinstance(model, str) else self._model
        if usage is not None:
            self._tokens = (count_of(usage, "prompt_tokens"), count_of(usage, "completion_tokens"))
        choices = getattr(event, "choices", None)
        if not isinstance(choices, list):
            raise shapeless("choices", _PROTOCOL)
        for choice in choices[:1]:
            yield from self._said(choice)

    def _said(self, choice: Any) -> Iterator[str]:
        finish = getattr(choice, "finish_reason", None)
        if isinstance(finish, str):
            self._finish = _FINISHES.get(finish, FinishReason.OTHER)
        delta = getattr(choice, "delta", None)
        for text in (getattr(delta, "content", None), getattr(delta, "refusal", None)):
            if text is None or text == "":
                continue
            if not isinstance(text, str):
                raise shapeless("text", _PROTOCOL)
            self._left -= len(text)
            if self._left < 0:
                raise too_long()
            yield text

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
        prompt, answer = self._tokens
        return Completion(finish=self._finish, model=self._model, prompt_tokens=prompt, answer_tokens=answer)


def _require_sdk() -> None:
    try:
        import openai  # noqa: F401 - only whether it is there
    except ImportError as error:
        raise ModelError(
            "a model behind the chat completions protocol is asked through the OpenAI SDK, which is not installed; "
            "nothing was asked; install symfonic-knowledge[openai]",
            code="unavailable",
        ) from error
