"""A server that speaks OpenAI's embeddings protocol, asked through the OpenAI SDK.

Rules of this module: the only one of this folder that knows the SDK, which is imported when an embedder is made. Texts
travel in batches; the SDK tries a batch again where that may help. No redirect is followed, and a server on this
machine is never asked through a proxy. The key comes from whoever makes the embedder and goes over TLS, or stays on
this machine; no key, account or address is taken from the environment. What a server says about an error is neither
read nor repeated: it may be hostile, or quote the key. Of an answer no more is read than that many vectors can take,
and none is asked for or taken compressed, for a small one can then become a large one at once.
"""

from __future__ import annotations

import ipaddress
import json
import os
import threading
import weakref
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from symfonic.adapters.knowledge.embedders._answers import Answers, is_failure, readable_texts
from symfonic.adapters.knowledge.ports import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["OpenAIEmbedder"]

_DEFAULT_BASE_URL: Final = "https://api.openai.com/v1"
_MOST_TEXTS: Final = 128
_MOST_CHARS: Final = 100_000
"""Of one batch; OpenAI's own limits are 2,048 texts and 300,000 tokens."""
_RETRIES: Final = 2
_MOST_SECONDS: Final = 1_000_000
_BYTES_AROUND: Final = 65_536
_BYTES_OF_VECTOR: Final = 1_024
_BYTES_OF_NUMBER: Final = 48
"""Most bytes of an answer: around the vectors, around each, and of a number; 17 digits on an indented line take 45."""
_VALUES: Final = 64
"""Most commas and brackets around each vector, and around all."""

_STATUSES: Final = {
    401: ("refused the key", "check the key that was passed"),
    403: ("does not allow this key to use this model", "use another key, or another model"),
    404: ("knows no such model or address", "check the name of the model and the address"),
    413: ("found a text too long", "store shorter passages"),
    429: ("takes no more requests for now, or the account is used up", "try again later"),
}
_NO_KEY: Final = ("asked for a key, but none was sent", "pass one; a key travels over https only")
_REFUSED: Final = ("refused the request", "check that it has this model and that the texts fit it")
_SERVER: Final = ("failed", "try again later")
_CHECK_SERVER: Final = "check that the address is that of such a server"
_NO_COMPRESSION: Final = "have it, or what stands before it, answer without Content-Encoding"


def _close(process: int, client: Any) -> None:
    """Close a client where it was made; what a process inherited is its parent's."""
    if os.getpid() == process:
        client.close()


class OpenAIEmbedder:
    """A model behind the embeddings protocol: OpenAI's own, or any server that speaks it.

    An empty text is sent as one space, for the protocol has none. Connections are kept for the next question, until the
    embedder goes; they are shared by threads and by no two processes.

    Args:
        model: The model's name, as the server knows it.
        base_url: The address before ``/embeddings``.
        api_key: Is sent over TLS and to this machine only; elsewhere it stays here. ``None`` sends none.
        dimensions: Numbers in each vector, asked for where it is given; ``None`` takes the model's own number, which
            the first vector tells.
        timeout: Most seconds of silence.
        name: Name of the vectors; ``None`` takes the model's, with ``dimensions`` where given. Name servers that hold
            different models under one name apart.

    Raises:
        EmbeddingError: The SDK is not installed.
        ValueError: ``base_url`` is no address, ``model`` or ``name`` is no text or empty, ``dimensions`` no positive
            whole number, or ``timeout`` no number of seconds.
    """

    __slots__ = (
        "__weakref__",
        "_answers",
        "_api_key",
        "_asked_dimensions",
        "_base_url",
        "_kept",
        "_loopback",
        "_making",
        "_model",
        "_timeout",
    )

    def __init__(
        self,
        model: str,
        *,
        base_url: str = _DEFAULT_BASE_URL,
        api_key: str | None = None,
        dimensions: int | None = None,
        timeout: float = 60.0,
        name: str | None = None,
    ) -> None:
        _require_sdk()
        self._loopback, secret = _read(base_url)
        self._api_key = api_key if secret else None
        self._model = Answers(model, dimensions).name
        self._answers = Answers(_vectors_name(model, dimensions) if name is None else name, dimensions)
        self._asked_dimensions = dimensions
        self._base_url = base_url
        self._timeout = _seconds(timeout)
        self._making = threading.Lock()
        self._kept: tuple[int, Any] | None = None

    @property
    def model(self) -> str:
        """As it was given."""
        return self._model

    @property
    def base_url(self) -> str:
        """As it was given."""
        return self._base_url

    @property
    def timeout(self) -> float:
        """As it was given."""
        return self._timeout

    @property
    def name(self) -> str:
        """Name of the vectors."""
        return self._answers.name

    @property
    def dimensions(self) -> int:
        """As given, or as the first vector has it: a short text is sent to find out."""
        return self._answers.dimensions(self.embed_documents)

    def embed_documents(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """One vector for each text, in their order.

        Raises:
            EmbeddingError: The server could not be reached, refused, or answered something else.
        """
        given = [text or " " for text in readable_texts(texts)]
        if not given:
            return []
        client = self._client()
        return [vector for batch in _batches(given) for vector in self._batch(client, batch)]

    def embed_query(self, text: str) -> tuple[float, ...]:
        """The vector of a question; raises as :meth:`embed_documents`."""
        return self.embed_documents([text])[0]

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self.model!r}, base_url={self.base_url!r})"

    def _client(self) -> Any:
        """The client of this process; a connection that two share would mix their answers."""
        with self._making:
            if self._kept is None or self._kept[0] != os.getpid():
                self._kept = (os.getpid(), self._made())
                weakref.finalize(self, _close, *self._kept)
            return self._kept[1]

    def _made(self) -> Any:
        try:
            return self._new_client()
        except Exception as error:  # noqa: BLE001 - proxies and certificates raise whatever they like
            said = f"no client could be made ({type(error).__name__})"
            raise self._refused(said, "check the proxies and certificates that the environment names") from None

    def _new_client(self) -> Any:
        import openai

        # Without a proxy where the server is this machine: passages would leave it otherwise.
        http = openai.DefaultHttpxClient(
            timeout=self.timeout,
            follow_redirects=False,
            trust_env=not self._loopback,
            event_hooks={"response": [_leave_refusal_unread]},
        )
        return openai.OpenAI(
            api_key=self._api_key or "none",
            base_url=self.base_url,
            timeout=self.timeout,
            max_retries=_RETRIES,
            http_client=http,
        )

    def _batch(self, client: Any, texts: list[str]) -> list[tuple[float, ...]]:
        return self._answers.checked(len(texts), lambda: self._vectors(client, texts))

    def _vectors(self, client: Any, texts: list[str]) -> list[Any]:
        try:
            return _in_order(json.loads(self._answer(client, texts))["data"], len(texts))
        except EmbeddingError:
            raise
        except BaseException as error:
            if not is_failure(error):
                raise
            # Not chained: an error of the SDK holds what the server said, and the headers that were sent.
            raise self._told(error) from None

    def _answer(self, client: Any, texts: list[str]) -> bytes:
        """What the server answers, read as far as that many vectors can reach."""
        import openai

        headers: dict[str, Any] = {"Accept-Encoding": "identity"}
        if self._api_key is None:
            headers |= {"Authorization": openai.Omit()}
        if self.base_url.rstrip("/") != _DEFAULT_BASE_URL:
            # The SDK takes these from the environment; they are the business of one provider only.
            headers |= {"OpenAI-Organization": openai.Omit(), "OpenAI-Project": openai.Omit()}
        wanted = {} if self._asked_dimensions is None else {"dimensions": self._asked_dimensions}
        streamed = client.embeddings.with_streaming_response
        # A copy, for what this embedder keeps is its own.
        with streamed.create(
            model=self.model, input=list(texts), encoding_format="float", extra_headers=headers, **wanted
        ) as answer:
            if answer.headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}:
                raise self._refused("it answered compressed, which it was not asked for", _NO_COMPRESSION)
            body = self._bounded(answer.iter_bytes(), self._most_bytes(len(texts)))
        # Three bytes can be a list of sixty in memory, so its values are counted before they are made.
        if sum(map(body.count, (b",", b"[", b"{"))) > len(texts) * (_VALUES + self._answers.most_dimensions) + _VALUES:
            raise self._refused("it answered more values than such vectors have", _CHECK_SERVER)
        return body

    def _most_bytes(self, count: int) -> int:
        return _BYTES_AROUND + count * (_BYTES_OF_VECTOR + _BYTES_OF_NUMBER * self._answers.most_dimensions)

    def _bounded(self, pieces: Iterable[bytes], most: int) -> bytes:
        body = bytearray()
        for piece in pieces:
            body += piece
            if len(body) > most:
                raise self._refused(f"it answered more than the {most:,} bytes such vectors can take", _CHECK_SERVER)
        return bytes(body)

    def _told(self, error: BaseException) -> EmbeddingError:
        """An error of the SDK in our words."""
        import httpx2  # comes with the SDK, which lets its errors through once an answer has begun
        import openai

        if isinstance(error, openai.APIStatusError):
            status = error.status_code
            said, remedy = _STATUSES.get(status) or (_SERVER if status >= 500 else _REFUSED)
            if status == 401 and self._api_key is None:
                said, remedy = _NO_KEY
            said = f"that server {said} (status {status})"
        elif isinstance(error, openai.APITimeoutError | httpx2.TimeoutException):
            said, remedy = f"nothing came for {self.timeout:g} seconds", "try again, or raise timeout"
        elif isinstance(error, openai.APIConnectionError):
            said, remedy = "no connection came about", "check the address, and that the server runs"
        elif isinstance(error, httpx2.TransportError):
            said, remedy = "its answer broke off", "try again"
        else:
            said, remedy = f"what came is no list of vectors ({type(error).__name__})", _CHECK_SERVER
        return self._refused(said, remedy)

    def _refused(self, said: str, remedy: str) -> EmbeddingError:
        return EmbeddingError(f"texts are embedded at {self.base_url}; {said} and nothing of this was used; {remedy}")


def _leave_refusal_unread(response: Any) -> None:
    """Close an answer that holds no vectors: the SDK would read it whole, however long it is."""
    if not response.is_success:
        response.close()


def _vectors_name(model: str, dimensions: int | None) -> str:
    return model if dimensions is None else f"{model}/{dimensions}"


def _seconds(timeout: float) -> float:
    if type(timeout) not in {int, float} or not 0 < timeout <= _MOST_SECONDS:
        raise ValueError(
            f"timeout is a number of seconds above 0 and up to {_MOST_SECONDS:,}, not {timeout!a}; no connection can "
            "wait so long; leave it out for 60"
        )
    return timeout


def _in_order(data: Any, count: int) -> list[Any]:
    """The vectors by their index, whatever order they came in."""
    if not isinstance(data, list) or len(data) != count:
        raise ValueError("data")
    by_index = {item["index"]: item["embedding"] for item in data if type(item["index"]) is int}
    if sorted(by_index) != list(range(count)):
        raise ValueError("indexes")
    return [by_index[index] for index in range(count)]


def _batches(texts: list[str]) -> Iterator[list[str]]:
    """The texts in their order, a few at a time; a very long one goes alone."""
    batch: list[str] = []
    chars = 0
    for text in texts:
        if batch and (len(batch) == _MOST_TEXTS or chars + len(text) > _MOST_CHARS):
            yield batch
            batch, chars = [], 0
        batch.append(text)
        chars += len(text)
    yield batch


def _read(url: Any) -> tuple[bool, bool]:
    """Whether an address is this machine (RFC 6761), and whether a key may travel there."""
    host = _host(url)
    if not host:
        raise ValueError(
            "an embedder's address is http:// or https:// with a host and a path, without user, password or query; "
            f"this one is not and nothing was asked; write, for instance, {_DEFAULT_BASE_URL}"
        )
    loopback = host == "localhost" or host.endswith(".localhost") or _is_loopback(host)
    return loopback, loopback or urlsplit(url).scheme == "https"


def _host(url: Any) -> str:
    """The host of an address; nothing where it is none, or holds what belongs elsewhere."""
    if not isinstance(url, str) or not url.isascii() or not url.isprintable() or " " in url:
        return ""
    try:
        parts = urlsplit(url)
        _ = parts.port  # is read when it is asked for
    except ValueError:
        return ""
    if parts.scheme not in {"http", "https"} or "@" in parts.netloc or parts.query or parts.fragment:
        return ""
    return (parts.hostname or "").rstrip(".")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _require_sdk() -> None:
    try:
        import openai  # noqa: F401 - only whether it is there
    except ImportError:
        raise EmbeddingError(
            "texts are embedded by a server through the OpenAI SDK, which is not installed; nothing was embedded; run "
            "pip install 'symfonic-knowledge[openai]'"
        ) from None
