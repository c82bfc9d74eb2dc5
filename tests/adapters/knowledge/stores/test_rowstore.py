"""Stores of rows, in LanceDB and in Chroma: the embedded store's rows and scores, whole changes, no network."""

from __future__ import annotations

import importlib
import itertools
import os
import random
import signal
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, Final

import pytest

from symfonic.adapters.knowledge.ports import BulkStore, CheckedStore, Chunk, Document, StoreError, VectorStore
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.stores

A, B, A1 = "tenant\x1fa", "tenant\x1fb", "tenant\x1fa\x1fuser\x1f1"
CLASSES: Final = {"lancedb": "LanceDBStore", "chroma": "ChromaStore"}
QUERY: Final = {"lancedb": "table", "chroma": "collection"}
WORDS: Final = [f"{chr(97 + at % 26)}{at}x" for at in range(200)]
ODD: Final = ["running", "runs", "東京都", "日本語", "café", "don't", "İstanbul", "ﬁn", "x\0y"]


@pytest.fixture(params=sorted(CLASSES))
def engine(request: pytest.FixtureRequest) -> str:
    """Each of the engines."""
    return str(request.param)


@pytest.fixture
def open_one(engine: str, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Open stores in one folder; each is closed at the end."""
    opened = []

    def call(folder: str = "store", **options: Any) -> Any:
        module = importlib.import_module(f"symfonic.adapters.knowledge.stores.{engine}")
        opened.append(getattr(module, CLASSES[engine])(tmp_path / folder, **options))
        return opened[-1]

    yield call
    for store in opened:
        store.close()


def document(origin: str, scope: str = "", digest: str = "d") -> Document:
    """A document that is called as its origin."""
    return Document(scope_path=scope, origin=origin, file=origin, digest=digest, kind="text")


def chunked(*texts: str, file: str = "f", heading: str = "") -> list[Chunk]:
    """Passages labelled by file and place."""
    return [Chunk(text=text, label=f"{file} p. {at}", ordinal=at, heading=heading) for at, text in enumerate(texts)]


def corpus(seed: int, documents: int) -> list[tuple[Document, list[Chunk], None]]:
    """Documents of four scopes whose words repeat often and rarely, with copies of each other."""
    chance = random.Random(seed)
    made = []
    for number in range(documents):
        texts = [
            " ".join(chance.choice([*WORDS, *ODD][: chance.choice((12, 209))]) for _ in range(chance.randint(1, 40)))
            for _ in range(chance.randint(1, 6))
        ]
        if number % 7 == 0:
            texts.append("the very same passage of a10x and b1x")
        heading = f"Head > {chance.choice(WORDS)}" if number % 3 else ""
        one = document(f"/d/{number}", chance.choice(("", A, B, A1)))
        made.append((one, chunked(*texts, file=f"file{number}", heading=heading), None))
    return made


def questions(seed: int, count: int) -> list[tuple[str, int, str]]:
    """Questions of one to six words, with a limit and a scope path."""
    chance = random.Random(seed)
    words = [*WORDS, "run", "東京", "京", "cafe", "istanbul", "the", "unheard"]
    return [
        (
            " ".join(chance.choice(words[: chance.choice((12, 207))]) for _ in range(chance.randint(1, 6))),
            chance.randint(1, 12),
            chance.choice(("", A, B, A1, "tenant\x1fnobody")),
        )
        for _ in range(count)
    ]


@pytest.mark.requirement("ST-ROWS-SAME-1")
@pytest.mark.parametrize("meaning", [False, True])
def test_rows_and_scores_are_the_embedded_stores_to_the_bit(
    open_one: Callable[..., Any], path: Path, make_embedder: Callable[..., Any], *, meaning: bool
) -> None:
    """Seventy questions over four scopes, by words alone and by meaning too."""
    embedder = make_embedder() if meaning else None
    store = open_one(embedder=embedder)
    items = corpus(1, 60)
    store.put_many(items)
    with SqliteStore(path, embedder=embedder) as embedded:
        embedded.put_many(items)
        for question, limit, scope in questions(2, 70):
            wanted = embedded.search(question, limit, scope_path=scope)
            assert store.search(question, limit, scope_path=scope) == wanted, question


@pytest.mark.requirement("ST-ROWS-SAME-1")
def test_a_store_of_rows_has_every_port(open_one: Callable[..., Any]) -> None:
    """It keeps vectors, takes many documents, and can be checked."""
    store = open_one()
    assert [isinstance(store, port) for port in (VectorStore, BulkStore, CheckedStore)] == [True] * 3


KILLED: Final = """
import sys
from pathlib import Path
from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.adapters.knowledge.stores.{engine} import {name} as Store
store = Store(Path(sys.argv[1]))
number = 0
while True:
    number += 1
    chunks = [Chunk(text=f"shop version{{number}} passage {{at}}", label="l", ordinal=at) for at in range(40)]
    store.put(Document(scope_path="", origin="/rota", file="rota", digest=str(number)), chunks)
    print(number, flush=True)
"""


@pytest.mark.requirement("ST-ROWS-WHOLE-1")
def test_a_killed_process_tears_nothing(engine: str, open_one: Callable[..., Any], tmp_path: Path) -> None:
    """Whatever the moment: what it had been told is there, one version whole, and the next put cleans up."""
    open_one().close()
    program = KILLED.format(engine=engine, name=CLASSES[engine])
    for turn in range(3):
        child = subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path / "store")], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        told = [line for _, line in zip(range(3 + turn), child.stdout, strict=False)]
        time.sleep(turn * 0.007)
        child.send_signal(signal.SIGKILL)
        told += child.stdout.readlines()
        child.wait()
        child.stdout.close()
        store = open_one()
        (record,) = store.documents(scope_path="")
        version = int(record.document.digest)
        assert version - int(told[-1]) in (0, 1)
        wanted = {f"shop version{version} passage {at}" for at in range(40)}
        assert {each.chunk.text for each in store.chunks(scope_path="")} == wanted
        assert {row.content for row in store.search("shop", 1_000)} == wanted
        store.put(document("/other", A), chunked("x"))
        assert store.check() == ()
        store.close()


@pytest.mark.requirement("ST-ROWS-WHOLE-1")
def test_rows_a_broken_change_left_are_never_seen(
    open_one: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine that fails in the middle leaves the old document; the next put stores the new one whole."""
    store = open_one(pause=lambda _: None)
    store.put(document("/a"), chunked("old one", "old two"))
    shelf = store._shelf
    step = "_flip" if hasattr(shelf, "_flip") else "_merge"

    def fail(*_: object, **__: object) -> None:
        raise StoreError("the engine fails here")

    with monkeypatch.context() as patched:
        patched.setattr(shelf, step, fail)
        with pytest.raises(StoreError, match="the engine fails here"):
            store.put(document("/a"), chunked("new one", "new two", "new three"))
    assert [row.content for row in store.search("old new", 9)] == ["old one", "old two"]
    store.put(document("/a"), chunked("newer"))
    store.vacuum()
    assert [each.chunk.text for each in store.chunks()] == ["newer"]
    assert [row.content for row in store.search("old new newer", 9)] == ["newer"]
    assert store.check() == ()


@pytest.mark.requirement("ST-ROWS-NET-1")
def test_nothing_is_asked_of_a_network(
    open_one: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, make_embedder: Callable[..., Any]
) -> None:
    """No socket is connected and no name is looked up, from opening to closing."""

    def refuse(*given: object, **_: object) -> None:
        raise AssertionError(f"a network was asked: {given}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    store = open_one(embedder=make_embedder())
    store.put(document("/a"), chunked("one", "two"))
    assert [row.content for row in store.search("two", 1)][:1] == ["two"]
    store.vacuum()
    store.close()


WITHOUT: Final = """
import os, sys
from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.adapters.knowledge.stores.{engine} import {name} as Store
with Store(sys.argv[1]) as store:
    store.put(Document(scope_path="", origin="/a", file="a", digest="1"), [Chunk(text="one", label="l", ordinal=0)])
    print([row.content for row in store.search("one", 1)])
"""


@pytest.mark.requirement("ST-ROWS-NET-1")
def test_it_works_in_a_process_without_any_network(engine: str, tmp_path: Path) -> None:
    """Native code asks none either: the kernel gives this process no network, where it may be told so."""
    program = WITHOUT.format(engine=engine, name=CLASSES[engine])
    command = [sys.executable, "-c", program, str(tmp_path / "store")]
    alone = subprocess.run(["unshare", "-rn", "true"], capture_output=True, check=False).returncode == 0
    done = subprocess.run(
        ["unshare", "-rn", *command] if alone else command, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout == "['one']\n", done.stderr


@pytest.mark.requirement("ST-ROWS-TURN-1")
def test_processes_take_turns(engine: str, open_one: Callable[..., Any], tmp_path: Path) -> None:
    """Two processes that store documents lose none, and this one sees them all."""
    store = open_one()
    program = WITHOUT.replace("/a", "/{{0}}").replace("print(", "0 and print(")
    body = (
        program.format(engine=engine, name=CLASSES[engine])
        .replace("    store.put(", "    for at in range(10): store.put(")
        .replace('"/{0}"', 'f"/{sys.argv[2]}/{at}"')
    )
    children = [
        subprocess.Popen([sys.executable, "-c", body, str(tmp_path / "store"), str(number)]) for number in range(2)
    ]
    assert [child.wait(timeout=60) for child in children] == [0, 0]
    wanted = sorted(f"/{number}/{at}" for number, at in itertools.product(range(2), range(10)))
    assert [record.document.origin for record in store.documents()] == wanted
    assert len(store.search("one", 100)) == 20
    assert store.revision() == 20


@pytest.mark.requirement("ST-ROWS-TURN-1")
def test_a_change_waits_only_so_long(open_one: Callable[..., Any], tmp_path: Path) -> None:
    """Where another process holds the lock, it says so and changes nothing."""
    import fcntl

    store = open_one(lock_timeout=0.05)
    with (tmp_path / "store" / "symfonic.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(StoreError, match=r"others took longer than 0\.05 seconds and nothing was done"):
            store.put(document("/a"), chunked("one"))
    assert list(store.documents()) == []


@pytest.mark.requirement("ST-ROWS-URL-1")
def test_a_url_opens_the_store_it_names(engine: str, open_one: Callable[..., Any], tmp_path: Path) -> None:
    """Options stand in its query; another name is another store."""
    kind = type(open_one())
    url = f"{engine}://{tmp_path}/a%20b?{QUERY[engine]}=handbook&attempts=3"
    with kind.from_url(url) as store:
        store.put(document("/a"), chunked("one"))
    with kind.from_url(url, create=False) as store:
        assert [row.content for row in store.search("one", 1)] == ["one"]
        assert repr(store) == f"{kind.__name__}('{tmp_path}/a b', {QUERY[engine]}='handbook')"
    with kind.from_url(f"{engine}://{tmp_path}/a%20b") as store:
        assert list(store.documents()) == []


@pytest.mark.requirement("ST-ROWS-URL-1")
@pytest.mark.parametrize("tail", ["relative", "//host/x", "///", "///x?shape=round", "///x?attempts=many", "///x#y"])
def test_what_is_no_url_of_it_is_refused(engine: str, open_one: Callable[..., Any], tail: str) -> None:
    """And no value in it is repeated."""
    kind = type(open_one())
    with pytest.raises(StoreError, match="nothing was opened") as refused:
        kind.from_url(f"{engine}:{tail}")
    assert "round" not in str(refused.value)
    assert "many" not in str(refused.value)


@pytest.mark.requirement("ST-ROWS-URL-1")
@pytest.mark.parametrize(
    "options",
    [{"create": 1}, {"attempts": 0}, {"lock_timeout": 0}, {"timeout": float("nan")}, {"name": "a/b"}, {"name": ""}],
)
def test_options_are_what_they_must_be(engine: str, open_one: Callable[..., Any], options: dict[str, Any]) -> None:
    """Or nothing is opened."""
    options = {QUERY[engine] if name == "name" else name: value for name, value in options.items()}
    with pytest.raises(StoreError, match="nothing was opened"):
        open_one("other", **options)


@pytest.mark.requirement("ST-ROWS-OPEN-1")
def test_a_store_that_is_not_there_is_not_made(open_one: Callable[..., Any], tmp_path: Path) -> None:
    """With create=False the folder stays as it is."""
    with pytest.raises(StoreError, match="was left as it is"):
        open_one("nowhere", create=False)
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.requirement("ST-ROWS-OPEN-1")
def test_a_folder_that_is_a_file_is_refused(open_one: Callable[..., Any], tmp_path: Path) -> None:
    """With a StoreError."""
    (tmp_path / "taken").write_text("x")
    with pytest.raises(StoreError, match="cannot be one"):
        open_one("taken")


@pytest.mark.requirement("ST-ROWS-OPEN-1")
def test_a_missing_package_names_the_extra(engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is made."""
    client = {"lancedb": "lancedb", "chroma": "chromadb"}[engine]
    module = importlib.import_module(f"symfonic.adapters.knowledge.stores.{engine}")
    monkeypatch.setitem(sys.modules, client, None)
    monkeypatch.delitem(sys.modules, f"symfonic.adapters.knowledge.stores._{engine}_shelf", raising=False)
    with pytest.raises(StoreError, match=rf"pip install 'symfonic-knowledge\[{engine}\]'"):
        getattr(module, CLASSES[engine])(tmp_path / "none")
    assert not (tmp_path / "none").exists()


@pytest.mark.requirement("ST-ROWS-OPEN-1")
def test_a_forked_process_is_refused(open_one: Callable[..., Any]) -> None:
    """It would share what the engine keeps in memory."""
    store = open_one()
    process = store._shelf._process
    store._shelf._process = os.getppid()
    with pytest.raises(StoreError, match="in the process that opened it"):
        store.revision()
    store._shelf._process = process
    assert store.revision() == 0


@pytest.mark.requirement("ST-ROWS-TEXT-1")
def test_texts_come_back_as_they_were_put(open_one: Callable[..., Any]) -> None:
    """NUL, other controls, private use, four-byte characters and two megabytes, in every field."""
    texts = ["NUL \0 in\0\0", "\x01\x1b\x7f\x85", "\ue000\U0010ffff\ufeff", "'; DROP TABLE x; --", "", "Ä質" * 350_000]
    store = open_one()
    one = Document(scope_path="", origin="/\0", file="f\0", digest="\0", kind="\0", size=2**63 - 1)
    chunks = [Chunk(text=text, label=text[:50], heading=text[:50], ordinal=at) for at, text in enumerate(texts)]
    store.put(one, chunks)
    assert [each.chunk for each in store.chunks()] == chunks
    assert store.get("", "/\0").document == one
    assert store.check() == ()
