"""A store in Chroma on a server, which is started for these tests on loopback, and ended."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document, StoreError
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.stores


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The URL of a server, and its process."""
    folder = tmp_path_factory.mktemp("server")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    program = str(Path(sys.executable).with_name("chroma"))
    command = [program, "run", "--path", str(folder), "--host", "127.0.0.1"]
    running = subprocess.Popen(
        [*command, "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "ANONYMIZED_TELEMETRY": "False"},
    )
    url = f"chroma+http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield url, running
    finally:
        running.kill()
        running.wait()


def filled(seed: int) -> list[tuple[Document, list[Chunk], None]]:
    """Documents of two scopes."""
    chance = random.Random(seed)
    return [
        (
            Document(scope_path=("", "tenant\x1fa")[at % 2], origin=f"/{at}", file=str(at), digest="1"),
            [Chunk(text=" ".join(chance.choices("abcdefghijk", k=9)), label=f"{at} {n}", ordinal=n) for n in range(3)],
            None,
        )
        for at in range(20)
    ]


@pytest.mark.requirement("ST-CHROMA-SERVER-1")
def test_a_server_answers_as_the_embedded_store(server: tuple[str, Any], path: Path, make_embedder: Any) -> None:
    """Rows and scores to the bit, with vectors; nothing is left when all is forgotten."""
    from symfonic.adapters.knowledge.stores.chroma import ChromaStore

    embedder = make_embedder()
    items = filled(3)
    with SqliteStore(path, embedder=embedder) as embedded:
        embedded.put_many(items)
        with ChromaStore.from_url(f"{server[0]}/answers", embedder=embedder) as store:
            store.put_many(items)
            for question in ("a b", "c", "d e f", "g zz", "k a"):
                for scope in ("", "tenant\x1fa"):
                    wanted = embedded.search(question, 4, scope_path=scope)
                    assert store.search(question, 4, scope_path=scope) == wanted
            assert (store.check(), store.stats().file_bytes) == ((), 0)
            assert store.forget_scope("").documents == 20
            assert list(store.chunks()) == []
            assert repr(store) == f"ChromaStore('{server[0]}', collection='answers')"


@pytest.mark.requirement("ST-CHROMA-SERVER-1")
def test_two_clients_store_one_document_and_one_of_theirs_stays_whole(server: tuple[str, Any]) -> None:
    """Whoever reads meanwhile sees one version; vacuum takes away what was left."""
    from symfonic.adapters.knowledge.stores.chroma import ChromaStore

    stores = [ChromaStore.from_url(f"{server[0]}/two-clients") for _ in range(2)]

    def write(number: int) -> None:
        for turn in range(6):
            chunks = [Chunk(text=f"shared {number}-{turn}", label="l", ordinal=at) for at in range(4 + number)]
            stores[number].put(Document(scope_path="", origin="/x", file="x", digest=f"{number}-{turn}"), chunks)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (record,) = stores[0].documents()
    version = record.document.digest
    stores[1].vacuum()
    for store in stores:
        assert {each.chunk.text for each in store.chunks()} == {f"shared {version}"}
        assert [row.content for row in store.search("shared", 99)] == [f"shared {version}"] * record.chunks
        store.close()


@pytest.mark.requirement("ST-CHROMA-SERVER-1")
def test_a_document_stored_while_another_client_removes_it_is_whole_or_gone(
    server: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who removes takes away the passages that were there, not those that came meanwhile."""
    from symfonic.adapters.knowledge.stores.chroma import ChromaStore

    one = Document(scope_path="", origin="/x", file="x", digest="1")
    with ChromaStore.from_url(f"{server[0]}/meet") as remover, ChromaStore.from_url(f"{server[0]}/meet") as writer:
        remover.put(one, [Chunk(text="old", label="l", ordinal=0)])
        shelf: Any = remover._shelf
        clean = shelf._clean

        def meanwhile(*given: Any) -> None:
            writer.put(one, [Chunk(text=f"new {at}", label="l", ordinal=at) for at in range(3)])
            clean(*given)

        monkeypatch.setattr(shelf, "_clean", meanwhile)
        assert remover.forget_scope("").documents == 1
        for store in (remover, writer):
            assert [each.chunk.text for each in store.chunks()] == ["new 0", "new 1", "new 2"]
            assert len(store.search("new", 9)) == 3
            assert store.check() == ()


@pytest.mark.requirement("ST-CHROMA-SERVER-1")
def test_a_server_that_goes_away_is_an_error(server: tuple[str, Any]) -> None:
    """And nothing of a header is told."""
    from symfonic.adapters.knowledge.stores.chroma import ChromaStore

    url, running = server
    options: dict[str, Any] = {"headers": {"Authorization": "Bearer secret"}, "attempts": 2, "pause": lambda _: None}
    with ChromaStore.from_url(f"{url}/going", **options) as store:
        running.kill()
        running.wait()
        with pytest.raises(StoreError, match="reading failed with") as lost:
            store.search("x", 1)
    assert "secret" not in str(lost.value)
