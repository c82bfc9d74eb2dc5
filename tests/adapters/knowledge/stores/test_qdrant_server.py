"""What a store in Qdrant sends over the wire, and what it does when a server is away, busy, slow or refuses."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document, StoreError

from .qdrant_server import KEY, running

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from symfonic.adapters.knowledge.stores.qdrant import QdrantStore

    from .qdrant_server import FakeServer

pytestmark = [pytest.mark.stores, pytest.mark.filterwarnings("ignore:Api key is used with an insecure")]


@pytest.fixture
def server() -> Iterator[FakeServer]:
    """A server of this test's own."""
    with running() as one:
        yield one


@pytest.fixture
def pauses() -> list[float]:
    """How long was waited before each further attempt."""
    return []


@pytest.fixture
def open_store(server: FakeServer, pauses: list[float]) -> Iterator[Callable[..., QdrantStore]]:
    """Open stores on the server; each is closed at the end."""
    from symfonic.adapters.knowledge.stores.qdrant import QdrantStore

    opened: list[QdrantStore] = []

    def open_one(**options: Any) -> QdrantStore:
        given: dict[str, Any] = {"api_key": KEY, "pause": pauses.append, "jitter": lambda: 0.5} | options
        opened.append(QdrantStore.from_url(f"{server.url}/kept", **given))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


def document(origin: str = "/a", scope: str = "") -> Document:
    """A document that is called as its origin."""
    return Document(scope_path=scope, origin=origin, file=origin, digest="d")


def shop(count: int = 1) -> list[Chunk]:
    """Passages about a shop."""
    return [Chunk(text=f"the shop {at}", label=f"p. {at}", ordinal=at) for at in range(count)]


def writes(server: FakeServer) -> list[str]:
    """Requests that change points, each as its collection and what it does."""
    return [
        f"{path.split('/')[2]} {'delete' if path.endswith('delete') else 'upsert'}"
        for method, path, _ in server.seen
        if path.endswith("/points/delete") or (method == "PUT" and path.endswith("/points"))
    ]


def test_collections_are_made_with_an_index_by_tenant(
    open_store: Callable[..., QdrantStore], server: FakeServer
) -> None:
    """The scope is a keyword that tells tenants apart, so that the server keeps each one's points together."""
    open_store()
    indexes = {
        (path.split("/")[2], body["field_name"]): body["field_schema"]
        for _, path, body in server.seen
        if path.endswith("/index")
    }
    assert indexes["kept", "scope"] == {"type": "keyword", "is_tenant": True}
    assert indexes["kept", "words"] == {"type": "integer", "lookup": True, "range": False}
    assert {key for name, key in indexes if name == "kept-documents"} == {"is", "scope", "above"}


@pytest.mark.requirement("ST-QD-CRASH-1")
def test_one_request_decides_between_the_old_document_and_the_new(
    open_store: Callable[..., QdrantStore], server: FakeServer
) -> None:
    """A note first, passages before the record, what was there before behind it, and the note last."""
    store = open_store()
    store.put(document(), shop())
    server.seen.clear()
    store.put(document(), shop(2))
    assert writes(server) == [
        "kept-documents upsert",  # the note
        "kept upsert",
        "kept-documents upsert",  # a counter
        "kept-documents upsert",  # the record
        "kept-documents upsert",  # a counter
        "kept delete",
        "kept-documents delete",  # the note
    ]


def test_passages_are_sent_in_batches(open_store: Callable[..., QdrantStore], server: FakeServer) -> None:
    """At most 256 points in a request, and two million characters."""
    store = open_store()
    store.put(document(), shop(600))
    store.put(document("/long"), [Chunk(text="x" * 900_000, label="x", ordinal=at) for at in range(4)])
    sizes = [
        len(body["points"]) for _, path, body in server.seen if path == "/collections/kept/points" and "points" in body
    ]
    assert sizes == [256, 256, 88, 2, 2]


@pytest.mark.requirement("ST-QD-FAULT-1")
@pytest.mark.parametrize("fault", [0, 429, 502, 503, 504])
def test_a_request_is_made_again_after_pauses_that_grow(
    open_store: Callable[..., QdrantStore], server: FakeServer, pauses: list[float], fault: int
) -> None:
    """The connection is cut, or the server is busy, three times: it is stored once."""
    store = open_store()
    server.answers += [fault] * 3
    store.put(document(), shop())
    assert pauses == pytest.approx([0.15, 0.3, 0.6])
    assert [row.content for row in store.search("shop", 9)] == ["the shop 0"]
    assert store.check() == ()


@pytest.mark.requirement("ST-QD-FAULT-1")
def test_a_server_that_stays_away_is_an_error_and_the_open_store_goes_on_later(
    open_store: Callable[..., QdrantStore], server: FakeServer, pauses: list[float]
) -> None:
    """After as many attempts as were asked for; then nothing is there by halves."""
    store = open_store(attempts=3)
    store.put(document(), shop())
    before = len(server.seen)
    store.put(document(), shop())
    for step in range(len(server.seen) - before):
        server.answers += [200] * step + [503] * 3
        with pytest.raises(StoreError, match=r"a server that can be reached.*need not be opened anew"):
            store.put(document(), shop(2))
        assert len(store.search("shop", 9)) in {1, 2}
        assert store.check() == ()
    store.put(document(), shop(3))
    assert len(store.search("shop", 9)) == server.client.count("kept").count == 3
    assert len(pauses) == 2 * step + 2


@pytest.mark.requirement("ST-QD-FAULT-1")
@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "server refused one"),
        (403, "refused this key"),
        (404, "collections are there"),
        (413, "split it into smaller passages"),
        (507, "make room"),
    ],
)
def test_what_a_server_refuses_is_told_without_its_words(
    open_store: Callable[..., QdrantStore], server: FakeServer, pauses: list[float], status: int, words: str
) -> None:
    """Not tried again; no key, no text and nothing the server said stands in the message."""
    store = open_store()
    server.answers.append(status)
    with pytest.raises(StoreError, match=words) as caught:
        store.put(document(), shop())
    assert KEY not in str(caught.value)
    assert "it refuses" not in str(caught.value)
    assert pauses == []


def test_a_key_that_is_wrong_is_never_shown(open_store: Callable[..., QdrantStore], server: FakeServer) -> None:
    """Neither in a message nor in a repr."""
    with pytest.raises(StoreError, match="lets in whom it knows") as caught:
        open_store(api_key="wrong-key")
    assert "wrong-key" not in str(caught.value)
    assert repr(open_store()) == f"QdrantStore('{server.url}/kept')"


def test_nobody_listens(pauses: list[float]) -> None:
    """A server that is not there is an error, after all attempts."""
    from symfonic.adapters.knowledge.stores.qdrant import QdrantStore

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(StoreError, match="a server that can be reached"):
        QdrantStore(f"qdrant+http://127.0.0.1:{port}/kept", attempts=3, pause=pauses.append)
    assert pauses == [0.1, 0.2]


@pytest.mark.requirement("ST-QD-OPEN-1")
def test_without_create_a_server_without_the_collections_is_refused(
    open_store: Callable[..., QdrantStore], server: FakeServer
) -> None:
    """Nothing is made."""
    with pytest.raises(StoreError, match="has none and nothing was made"):
        open_store(create=False)
    assert server.client.get_collections().collections == []


@pytest.mark.requirement("ST-QD-CRASH-1")
def test_a_change_of_another_process_is_left_alone_until_its_lease_ends(
    open_store: Callable[..., QdrantStore], server: FakeServer
) -> None:
    """Its passages are not swept away under it; an hour later they are left over."""
    now = [1_000.0]
    slow, other = open_store(clock=lambda: now[0]), open_store(clock=lambda: now[0])
    server.answers += [200] * 5 + [400]  # note and passages are written, a counter is refused
    with pytest.raises(StoreError):
        slow.put(document(), shop(5))
    server.answers.clear()
    other.put(document(), shop(2))
    assert server.client.count("kept").count == 7
    assert len(other.search("shop", 9)) == 2
    now[0] += 3_700
    other.vacuum()
    assert server.client.count("kept").count == 2


def test_a_change_that_outlives_half_its_lease_is_given_up(open_store: Callable[..., QdrantStore]) -> None:
    """Before it is seen, for others may have begun to clean up behind it."""
    times = iter([0.0, 2_000.0])
    store = open_store(clock=lambda: next(times))
    with pytest.raises(StoreError, match="half of its lease of 3600 s"):
        store.put(document(), shop())
    assert store.search("shop", 9) == []


def test_two_processes_that_put_one_document_leave_one_of_both(
    open_store: Callable[..., QdrantStore], server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one's put falls between this one's passages and its record: the last record wins, nothing is torn."""
    from symfonic.adapters.knowledge.stores._qdrant_writing import Writer

    one, other = open_store(), open_store()
    real = Writer._commit

    def interrupted(self: Writer, *arguments: Any) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(Writer, "_commit", real)
            other.put(document(), shop(2))
        real(self, *arguments)

    monkeypatch.setattr(Writer, "_commit", interrupted)
    one.put(document(), shop(3))
    assert len(one.search("shop", 9)) == len(other.search("shop", 9)) == 3
    assert server.client.count("kept").count == 3
    assert one.check() == ()
