"""A server that speaks OpenAI's embeddings protocol, asked through the OpenAI SDK.

Rules of this module: the only one of this folder that knows the SDK, which is imported when an embedder is made. Texts
travel in batches; the SDK tries a batch again where that may help. No redirect is followed, and a server on this
machine is never asked through a proxy. The key comes from whoever makes the embedder and goes over TLS, or stays on
this machine; no key, account or address is taken from the environment. What a server says about an error is repeated
nowhere: it may be hostile, or quote the key.
"""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from symfonic.adapters.knowledge.embedders._answers import Answers, readable_texts
from symfonic.adapters.knowledge.ports import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["OpenAIEmbedder"]

_DEFAULT_BASE_URL: Final = "https://api.openai.com/v1"
_MOST_TEXTS: Final = 128
_MOST_CHARS: Final = 100_000
"""Of one batch; OpenAI's own limits are 2,048 texts and 300,000 tokens."""
_RETRIES: Final = 2

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


class OpenAIEmbedder:
    """A model behind the embeddings protocol: OpenAI's own, or any server that speaks it.

    An empty text is sent as one space, for the protocol has none.

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
        ValueError: ``base_url`` is no address, ``name`` is empty, or ``dimensions`` no positive whole number.
    """

    __slots__ = ("_answers", "_api_key", "_asked_dimensions", "_loopback", "base_url", "model", "timeout")

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
        self._answers = Answers(name or (model if dimensions is None else f"{model}/{dimensions}"), dimensions)
        self._asked_dimensions = dimensions
        self.model = model
        self.base_url = base_url
        self.timeout = timeout

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
        with self._client() as client:
            return [vector for batch in _batches(given) for vector in self._batch(client, batch)]

    def embed_query(self, text: str) -> tuple[float, ...]:
        """The vector of a question; raises as :meth:`embed_documents`."""
        return self.embed_documents([text])[0]

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self.model!r}, base_url={self.base_url!r})"

    def _client(self) -> Any:
        import openai

        # Without a proxy where the server is this machine: passages would leave it otherwise.
        http = openai.DefaultHttpxClient(timeout=self.timeout, follow_redirects=False, trust_env=not self._loopback)
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
        import openai

        headers: dict[str, Any] = {} if self._api_key is not None else {"Authorization": openai.Omit()}
        if self.base_url.rstrip("/") != _DEFAULT_BASE_URL:
            # The SDK takes these from the environment; they are the business of one provider only.
            headers |= {"OpenAI-Organization": openai.Omit(), "OpenAI-Project": openai.Omit()}
        wanted = {} if self._asked_dimensions is None else {"dimensions": self._asked_dimensions}
        try:
            answer = client.embeddings.create(
                model=self.model, input=texts, encoding_format="float", extra_headers=headers, **wanted
            )
            return _in_order(answer.data, len(texts))
        except Exception as error:  # noqa: BLE001 - the SDK and what it stands on raise a dozen kinds
            # Not chained: an error of the SDK holds what the server said, and the headers that were sent.
            raise self._told(error) from None

    def _told(self, error: Exception) -> EmbeddingError:
        """An error of the SDK in our words."""
        import openai

        if isinstance(error, openai.APIStatusError):
            status = error.status_code
            said, remedy = _STATUSES.get(status) or (_SERVER if status >= 500 else _REFUSED)
            if status == 401 and self._api_key is None:
                said, remedy = _NO_KEY
            said = f"that server {said} (status {status})"
        elif isinstance(error, openai.APITimeoutError):
            said, remedy = f"nothing came for {self.timeout:g} seconds", "try again, or raise timeout"
        elif isinstance(error, openai.APIConnectionError):
            said, remedy = "no connection came about", "check the address, and that the server runs"
        else:
            said = f"what came is no list of vectors ({type(error).__name__})"
            remedy = "check that the address is that of such a server"
        return EmbeddingError(f"texts are embedded at {self.base_url}; {said} and nothing of this was used; {remedy}")


def _in_order(data: Any, count: int) -> list[Any]:
    """The vectors by their index, whatever order they came in."""
    by_index = {item.index: item.embedding for item in data}
    if len(data) != count or sorted(by_index) != list(range(count)):
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


def _read(url: str) -> tuple[bool, bool]:
    """Whether an address is this machine (RFC 6761), and whether a key may travel there."""
    host = _host(url)
    if not host:
        raise ValueError(
            "an embedder's address is http:// or https:// with a host and a path, without user, password or query; "
            f"this one is not and nothing was asked; write, for instance, {_DEFAULT_BASE_URL}"
        )
    loopback = host == "localhost" or host.endswith(".localhost") or _is_loopback(host)
    return loopback, loopback or urlsplit(url).scheme == "https"


def _host(url: str) -> str:
    """The host of an address; nothing where it is none, or holds what belongs elsewhere."""
    if not url.isascii() or not url.isprintable() or " " in url:
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
