"""A server that speaks the embeddings protocol: the real SDK over a real connection to a scripted one."""

from __future__ import annotations

import contextlib
import gc
import gzip
import json
import math
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

import pytest

from symfonic.adapters.knowledge import EmbeddingError
from symfonic.adapters.knowledge.embedders.openai import OpenAIEmbedder, _close

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SECRET = "sk-do-not-show"


def honest(texts: list[str]) -> tuple[int, Any]:
    """A vector that tells the length of its text; the last one first, as the protocol allows."""
    data = [{"index": place, "embedding": [float(len(text)), 1.0]} for place, text in enumerate(texts)]
    return 200, {"object": "list", "data": data[::-1], "model": "m"}


class Server:
    """Answers on this machine with what ``answer`` makes of the texts: a status, and JSON, text, or pieces of bytes."""

    def __init__(
        self, answer: Callable[[list[str]], tuple[int, Any]] = honest, *, keeps: bool = False, **headers: str
    ) -> None:
        self.sent = 0
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.connections: set[object] = set()
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1" if keeps else "HTTP/1.0"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                scripted.bodies.append({"path": self.path, **body})
                scripted.connections.add(self.client_address)
                scripted.headers.append({name.lower(): value for name, value in self.headers.items()})
                status, said = answer(body["input"])
                pieces = said
                if isinstance(said, str | dict | list):
                    pieces = [(said if isinstance(said, str) else json.dumps(said)).encode()]
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("retry-after-ms", "1")
                self.send_header("location", "http://192.0.2.1/")
                if isinstance(pieces, list):
                    self.send_header("content-length", str(sum(map(len, pieces))))
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                with contextlib.suppress(ConnectionError):  # a client may leave before
                    self.end_headers()
                    for piece in pieces:
                        self.wfile.write(piece)
                        scripted.sent += len(piece)

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


@pytest.mark.requirement("KB-EMB-13")
def test_a_connection_is_kept_for_the_next_question_of_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process makes its own, and lets the inherited one alone."""
    with Server(keeps=True) as server:
        embedder = OpenAIEmbedder("m", base_url=server.base_url)
        for number in range(5):
            assert embedder.embed_query("a" * number) == (max(1.0, number), 1.0)
        embedder.embed_documents(["a"] * 200)
        assert len(server.connections) == 1
        inherited = embedder._kept
        assert inherited is not None
        made = os.getpid()
        with monkeypatch.context() as patched:
            patched.setattr(os, "getpid", lambda: made + 1)
            embedder.embed_query("a")
            _close(*inherited)
            assert not inherited[1].is_closed()
            own = embedder._kept
            assert own is not None
            assert own[1] is not inherited[1]
            _close(*own)
        assert len(server.connections) == 2
        assert own[1].is_closed()
        assert not inherited[1].is_closed()
        del embedder
        gc.collect()
        assert inherited[1].is_closed()


@pytest.mark.requirement("KB-EMB-13")
def test_threads_share_one_client() -> None:
    """However many ask for the first time at once."""
    with Server(keeps=True) as server:
        embedder = OpenAIEmbedder("m", base_url=server.base_url)
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(embedder.embed_query, ["a" * number for number in range(1, 33)]))
    assert found == [(float(number), 1.0) for number in range(1, 33)]
    assert len(server.connections) <= 8


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
    [None, 5, b"http://a", "", "models.example/v1",
     "ftp://models.example", "http://", "https://me:pw@models.example/v1", "http://a:x/v1",
     "https://models.example/v1?key=1", "https://models.example/v1#a", "http://a b/v1", "http://\u0430.example/v1"],
)  # fmt: skip
def test_what_is_no_address_is_refused(url: Any) -> None:
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
        ({"data": [None]}, "no list of vectors"),
        ({"data": {"0": 1}}, "no list of vectors"),
        ({"data": [{"embedding": [1.0]}]}, "no list of vectors"),
        ({"data": [{"index": False, "embedding": [1.0]}]}, "no list of vectors"),
        ({"data": [{"index": "0", "embedding": [1.0]}]}, "no list of vectors"),
        ("[" * 8_000, "no list of vectors"),
        ({"data": [{"index": 0, "embedding": {"1": 1}}]}, "no sequence of numbers"),
        ({"data": [{"index": 0, "embedding": "12"}]}, "no sequence of numbers"),
        ({"data": [{"index": 0, "embedding": [[1.0]]}]}, "no sequence of numbers"),
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


ONE_NUMBER: int = 65_536 + 1_024 + 48
"""Most bytes of an answer with one vector of one number."""


@pytest.mark.requirement("KB-EMB-12")
@pytest.mark.parametrize("dimensions", [1, None])
def test_an_answer_is_read_as_far_as_its_vectors_can_reach(dimensions: int | None) -> None:
    """To the byte; where nobody said how many numbers there are, 8,192 are allowed for."""
    most = ONE_NUMBER if dimensions else 65_536 + 1_024 + 48 * 8_192
    sound = json.dumps({"data": [{"index": 0, "embedding": [1.0]}]})
    with Server(lambda _: (200, sound.ljust(most))) as server:
        embedder = OpenAIEmbedder("m", base_url=server.base_url, dimensions=dimensions)
        assert embedder.embed_query("a") == (1.0,)
    with (
        Server(lambda _: (200, sound.ljust(most + 1))) as server,
        pytest.raises(EmbeddingError, match=f"answered more than the {most:,} bytes such vectors can take"),
    ):
        OpenAIEmbedder("m", base_url=server.base_url, dimensions=dimensions).embed_query("a")


@pytest.mark.requirement("KB-EMB-12")
@pytest.mark.parametrize("value", ["[]", "{}", "[[]]", "1", '""'])
def test_no_more_values_are_made_than_vectors_have(value: str) -> None:
    """A short list is a few bytes on its way and twenty times as many in memory."""
    said = '{"data": [' + ",".join([value] * 130) + "]}"
    with Server(lambda _: (200, said)) as server, pytest.raises(EmbeddingError, match="more values than such vectors"):
        OpenAIEmbedder("m", base_url=server.base_url, dimensions=1).embed_query("a")


@pytest.mark.requirement("KB-EMB-12")
def test_an_answer_may_say_more_than_vectors() -> None:
    """As real servers do, on indented lines, with all 17 digits of every number."""
    number = -1.2345678901234567e-100
    data = [{"object": "embedding", "index": place, "embedding": [number] * 300} for place in range(100)]
    said = {"object": "list", "data": data, "model": "m", "usage": {"prompt_tokens": 1, "total_tokens": 1}}
    with Server(lambda _: (200, json.dumps(said, indent=4))) as server:
        embedder = OpenAIEmbedder("m", base_url=server.base_url, dimensions=300)
        assert embedder.embed_documents(["a"] * 100) == [(number,) * 300] * 100


@pytest.mark.requirement("KB-EMB-12")
@pytest.mark.parametrize(("status", "fault"), [(200, f"more than the {ONE_NUMBER:,} bytes"), (400, "refused the req")])
def test_an_endless_answer_is_not_read_to_its_end(status: int, fault: str) -> None:
    """Neither one of vectors nor one that says what was wrong."""

    def pieces() -> Iterator[bytes]:
        for _ in range(1_000):
            yield b" " * 100_000

    with (
        Server(lambda _: (status, pieces())) as server,
        pytest.raises(EmbeddingError, match=fault),
    ):
        OpenAIEmbedder("m", base_url=server.base_url, dimensions=1).embed_query("a")
    assert server.sent < 50_000_000  # what the connection holds on its way


@pytest.mark.requirement("KB-EMB-12")
@pytest.mark.parametrize("encoding", ["gzip", "GZIP", "identity, gzip", "br"])
def test_a_compressed_answer_is_neither_asked_for_nor_taken(encoding: str) -> None:
    """A thousandth of its length would do to fill the memory."""
    packed = [gzip.compress(json.dumps(honest(["a"])[1]).encode())]

    def answer(_: list[str]) -> tuple[int, Any]:
        return 200, iter(packed)

    with (
        Server(answer, content_encoding=encoding) as server,
        pytest.raises(EmbeddingError, match="it answered compressed, which it was not asked for"),
    ):
        OpenAIEmbedder("m", base_url=server.base_url).embed_query("a")
    assert [headers["accept-encoding"] for headers in server.headers] == ["identity"]


def test_an_answer_that_says_it_is_not_compressed_is_taken() -> None:
    """Some servers say so."""
    with Server(content_encoding="Identity") as server:
        assert OpenAIEmbedder("m", base_url=server.base_url).embed_query("a") == (1.0, 1.0)


@pytest.mark.requirement("KB-EMB-9")
def test_an_answer_that_breaks_off_is_told() -> None:
    """The connection ends before the bytes that were announced."""
    with (
        Server(lambda _: (200, iter([b"{"])), content_length="100") as server,
        pytest.raises(EmbeddingError, match="its answer broke off"),
    ):
        OpenAIEmbedder("m", base_url=server.base_url).embed_query("a")


@pytest.mark.requirement("KB-EMB-9")
def test_silence_within_an_answer_is_told() -> None:
    """The server begins, and says nothing for longer than was allowed."""
    waiting = threading.Event()

    def pieces() -> Iterator[bytes]:
        yield b"{"
        waiting.wait(20)

    try:
        with Server(lambda _: (200, pieces())) as server, pytest.raises(EmbeddingError, match=r"for 0\.2 seconds"):
            OpenAIEmbedder("m", base_url=server.base_url, timeout=0.2).embed_query("a")
    finally:
        waiting.set()


@pytest.mark.requirement("KB-EMB-9")
def test_what_the_environment_spoils_is_told_in_our_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy that is none."""
    monkeypatch.setenv("HTTPS_PROXY", "nonsense://192.0.2.1:9")
    with pytest.raises(EmbeddingError, match=r"no client could be made \(\w+\)"):
        OpenAIEmbedder("m", base_url="https://models.example/v1").embed_query("a")


@pytest.mark.requirement("KB-EMB-9")
def test_an_interrupt_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever presses the keys wants the process to end."""

    def interrupted(*_: object, **__: object) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("openai.resources.Embeddings.create", interrupted)
    with pytest.raises(KeyboardInterrupt):
        OpenAIEmbedder("m").embed_query("a")


@pytest.mark.requirement("KB-EMB-8")
def test_an_answer_that_is_refused_decides_nothing() -> None:
    """A good one of another length is taken after it."""
    said = ['{"data": [{"index": 0, "embedding": [NaN]}]}', '{"data": [{"index": 0, "embedding": [1.0, 2.0]}]}']
    with Server(lambda _: (200, said.pop(0))) as server:
        embedder = OpenAIEmbedder("m", base_url=server.base_url)
        with pytest.raises(EmbeddingError, match="not finite"):
            embedder.embed_query("a")
        assert (embedder.embed_query("a"), embedder.dimensions) == ((1.0, 2.0), 2)


@pytest.mark.parametrize("model", [None, 5, "", " "])
def test_what_is_no_model_is_refused(model: Any) -> None:
    """With a name of its own, too."""
    for name in (None, "mine"):
        with pytest.raises(ValueError, match="has a name"):
            OpenAIEmbedder(model, name=name)


@pytest.mark.parametrize("name", [5, "", b"m"])
def test_what_is_no_name_is_refused(name: Any) -> None:
    """None takes the model's."""
    with pytest.raises(ValueError, match="has a name"):
        OpenAIEmbedder("m", name=name)


@pytest.mark.parametrize("timeout", [0, -1.0, math.nan, math.inf, None, "60", True, 1_000_001])
def test_a_timeout_is_a_positive_number(timeout: Any) -> None:
    """Refused when the embedder is made."""
    with pytest.raises(ValueError, match="timeout is a number of seconds above 0"):
        OpenAIEmbedder("m", timeout=timeout)


@pytest.mark.requirement("KB-EMB-11")
@pytest.mark.parametrize("attribute", ["name", "dimensions", "model", "base_url", "timeout"])
def test_what_was_checked_stays(attribute: str) -> None:
    """A key that may go to one address would otherwise follow to the next."""
    with pytest.raises(AttributeError):
        setattr(OpenAIEmbedder("m", api_key=SECRET), attribute, "http://192.0.2.1/v1")


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
