"""A server that speaks the embeddings protocol: the real SDK over a real connection to a scripted one."""

from __future__ import annotations

import contextlib
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

import pytest

from symfonic.adapters.knowledge import EmbeddingError
from symfonic.adapters.knowledge.embedders.openai import OpenAIEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable

SECRET = "sk-do-not-show"


def honest(texts: list[str]) -> tuple[int, Any]:
    """A vector that tells the length of its text; the last one first, as the protocol allows."""
    data = [{"index": place, "embedding": [float(len(text)), 1.0]} for place, text in enumerate(texts)]
    return 200, {"object": "list", "data": data[::-1], "model": "m"}


class Server:
    """Answers on this machine with what ``answer`` makes of the texts: a status, and JSON or text."""

    def __init__(self, answer: Callable[[list[str]], tuple[int, Any]] = honest) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                scripted.bodies.append({"path": self.path, **body})
                scripted.headers.append({name.lower(): value for name, value in self.headers.items()})
                status, said = answer(body["input"])
                data = (said if isinstance(said, str) else json.dumps(said)).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.send_header("retry-after-ms", "1")
                self.send_header("location", "http://192.0.2.1/")
                with contextlib.suppress(BrokenPipeError):  # a client may leave before
                    self.end_headers()
                    self.wfile.write(data)

            def log_message(self, *_: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.mark.requirement("KB-EMB-10")
def test_vectors_are_in_the_order_of_their_texts() -> None:
    """The server answered them the other way round; an empty text went as a space."""
    with Server() as server:
        embedder = OpenAIEmbedder("m", base_url=server.base_url)
        assert embedder.embed_documents(["four", "", "to\ud800"]) == [(4.0, 1.0), (1.0, 1.0), (3.0, 1.0)]
        assert embedder.embed_query("seven..") == (7.0, 1.0)
    assert server.bodies[0] == {
        "path": "/v1/embeddings",
        "model": "m",
        "input": ["four", " ", "to\ufffd"],
        "encoding_format": "float",
    }


@pytest.mark.requirement("KB-EMB-10")
def test_texts_travel_in_bounded_batches() -> None:
    """At most 128 texts and 100,000 characters; a longer text goes alone."""
    texts = ["a"] * 129 + ["b" * 60_000, "c" * 40_001, "d" * 150_000, "e"]
    with Server() as server:
        vectors = OpenAIEmbedder("m", base_url=server.base_url).embed_documents(texts)
    assert [vector[0] for vector in vectors] == [len(text) for text in texts]
    assert [len(body["input"]) for body in server.bodies] == [128, 2, 1, 1, 1]


def test_nothing_is_asked_for_no_texts() -> None:
    """The protocol has no empty request."""
    with Server() as server:
        assert OpenAIEmbedder("m", base_url=server.base_url).embed_documents([]) == []
    assert server.bodies == []


def test_dimensions_are_found_out_or_asked_for() -> None:
    """Those that are given are part of the name, because they decide vectors."""
    with Server() as server:
        found = OpenAIEmbedder("m", base_url=server.base_url)
        assert (found.name, found.dimensions, found.dimensions) == ("m", 2, 2)
        given = OpenAIEmbedder("m", base_url=server.base_url, dimensions=2)
        assert (given.name, given.dimensions, given.embed_query("a")) == ("m/2", 2, (1.0, 1.0))
        assert OpenAIEmbedder("m", base_url=server.base_url, dimensions=2, name="mine").name == "mine"
    assert [body.get("dimensions") for body in server.bodies] == [None, 2]


@pytest.mark.requirement("KB-EMB-11")
def test_a_key_is_sent_to_this_machine_and_nothing_else_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the environment holds stays there, proxies included."""
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "from-environment")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "OPENAI_BASE_URL"):
        monkeypatch.setenv(name, "http://192.0.2.1:9")
    with Server() as server:
        keyed = OpenAIEmbedder("m", base_url=server.base_url, api_key=SECRET)
        keyed.embed_query("a")
        OpenAIEmbedder("m", base_url=server.base_url).embed_query("a")
    assert [headers.get("authorization") for headers in server.headers] == [f"Bearer {SECRET}", None]
    assert "from-environment" not in str(server.headers)
    assert SECRET not in repr(keyed)


@pytest.mark.requirement("KB-EMB-11")
@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://models.example/v1", SECRET),
        ("http://models.example/v1", None),
        ("http://[::1]:1/v1", SECRET),
        ("http://gpu.localhost/v1", SECRET),
        ("http://127.0.0.1.models.example/v1", None),
    ],
)
def test_a_key_travels_over_tls_or_stays_here(url: str, kept: str | None) -> None:
    """Elsewhere none is sent."""
    assert OpenAIEmbedder("m", base_url=url, api_key=SECRET)._api_key == kept


@pytest.mark.parametrize(
    "url",
    ["", "models.example/v1", "ftp://models.example", "http://", "https://me:pw@models.example/v1", "http://a:x/v1",
     "https://models.example/v1?key=1", "https://models.example/v1#a", "http://a b/v1", "http://\u0430.example/v1"],
)  # fmt: skip
def test_what_is_no_address_is_refused(url: str) -> None:
    """Or holds what belongs elsewhere; it is not repeated, for it may hold a password."""
    with pytest.raises(ValueError, match="an embedder's address") as caught:
        OpenAIEmbedder("m", base_url=url)
    assert "pw@" not in str(caught.value)


@pytest.mark.requirement("KB-EMB-9")
@pytest.mark.parametrize(
    ("status", "said", "asked"),
    [
        (400, "refused the request", 1),
        (401, "asked for a key, but none was sent", 1),
        (403, "does not allow this key", 1),
        (404, "knows no such model", 1),
        (413, "found a text too long", 1),
        (429, "takes no more requests", 3),
        (500, "failed", 3),
        (307, "refused the request", 1),
    ],
)
def test_a_status_is_told_in_our_words(status: int, said: str, asked: int) -> None:
    """What may pass is tried again by the SDK; no redirect is followed; nothing the server said is repeated."""
    with (
        Server(lambda _: (status, {"error": {"message": "\x1b[31mhostile"}})) as server,
        pytest.raises(EmbeddingError, match=rf"that server {said}.*\(status {status}\)") as caught,
    ):
        OpenAIEmbedder("m", base_url=server.base_url).embed_query("a")
    assert (caught.value.__cause__, caught.value.__suppress_context__) == (None, True)
    assert "hostile" not in str(caught.value)
    assert len(server.bodies) == asked


@pytest.mark.requirement("KB-EMB-9")
def test_a_refused_key_is_told_as_such() -> None:
    """It was sent, so it is wrong; it is not shown."""
    with (
        Server(lambda _: (401, {"error": {"message": SECRET}})) as server,
        pytest.raises(EmbeddingError, match="refused the key") as caught,
    ):
        OpenAIEmbedder("m", base_url=server.base_url, api_key=SECRET).embed_query("a")
    assert SECRET not in str(caught.value)


@pytest.mark.requirement("KB-EMB-8")
@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("no json", "no list of vectors"),
        ([], "no list of vectors"),
        ({"data": None}, "no list of vectors"),
        ({"data": []}, "no list of vectors"),
        ({"data": [{"index": 1, "embedding": [1.0]}]}, "no list of vectors"),
        ({"data": [{"index": 0, "embedding": [1.0]}] * 2}, "no list of vectors"),
        ({"data": [{"index": 0, "embedding": None}]}, "no sequence of numbers"),
        ({"data": [{"index": 0, "embedding": ["1"]}]}, "no sequence of numbers"),
        ({"data": [{"index": 0, "embedding": [0.0, 0.0]}]}, "a vector of zeros"),
        ('{"data": [{"index": 0, "embedding": [NaN]}]}', "not finite"),
    ],
)
def test_an_answer_of_another_shape_is_refused(answer: Any, fault: str) -> None:
    """Nothing about what a server answers is taken for granted."""
    with Server(lambda _: (200, answer)) as server, pytest.raises(EmbeddingError, match=fault):
        OpenAIEmbedder("m", base_url=server.base_url).embed_query("a")


@pytest.mark.requirement("KB-EMB-9")
def test_no_connection_is_told() -> None:
    """Nothing listens there any more."""
    with Server() as server:
        embedder = OpenAIEmbedder("m", base_url=server.base_url)
    with pytest.raises(EmbeddingError, match="no connection came about"):
        embedder.embed_query("a")


@pytest.mark.requirement("KB-EMB-9")
def test_silence_is_told() -> None:
    """The server takes the texts and says nothing for longer than was allowed."""
    waiting = threading.Event()

    def never(_: list[str]) -> tuple[int, Any]:
        waiting.wait(20)
        return 500, ""

    try:
        with Server(never) as server, pytest.raises(EmbeddingError, match=r"nothing came for 0\.05 seconds"):
            OpenAIEmbedder("m", base_url=server.base_url, timeout=0.05).embed_query("a")
    finally:
        waiting.set()


def test_a_missing_sdk_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Told when the embedder is made, before anything could be sent."""
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(EmbeddingError, match=r"pip install 'symfonic-knowledge\[openai\]'"):
        OpenAIEmbedder("m")
