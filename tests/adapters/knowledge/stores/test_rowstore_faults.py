"""Stores of rows whose engine breaks off, or whose folder others use meanwhile: nothing stays broken."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.stores

CLASSES: Final = {"lancedb": "LanceDBStore", "chroma": "ChromaStore"}
ASKING: Final = {"lancedb": ["_lancedb_shelf"], "chroma": ["_chroma_sight", "_chroma_shelf"]}


@pytest.fixture(params=sorted(CLASSES))
def engine(request: pytest.FixtureRequest) -> str:
    """Each of the engines."""
    return str(request.param)


@pytest.fixture
def open_one(engine: str, quick_folder: Path) -> Iterator[Callable[..., Any]]:
    """Open stores in one folder; each is closed at the end."""
    opened = []

    def call(**options: Any) -> Any:
        module = importlib.import_module(f"symfonic.adapters.knowledge.stores.{engine}")
        opened.append(getattr(module, CLASSES[engine])(quick_folder, pause=lambda _: None, **options))
        return opened[-1]

    yield call
    for store in opened:
        store.close()


def put(store: Any, origin: str, *texts: str, scope: str = "") -> None:
    """Store a document of these passages."""
    chunks = [Chunk(text=text, label=f"{origin} {at}", ordinal=at) for at, text in enumerate(texts)]
    store.put(Document(scope_path=scope, origin=origin, file=origin, digest="1"), chunks)


def break_off(store: Any, monkeypatch: pytest.MonkeyPatch, call: Callable[[], object]) -> None:
    """The engine fails before a change counts."""

    def fail(*_: object, **__: object) -> None:
        raise StoreError("the engine fails here")

    step = "_flip" if hasattr(store._shelf, "_flip") else "_merge"
    with monkeypatch.context() as patched:
        patched.setattr(store._shelf, step, fail)
        with pytest.raises(StoreError, match="the engine fails here"):
            call()


@pytest.mark.requirement("ST-ROWS-LEFT-1")
def test_a_place_for_vectors_that_others_made_anew_is_found(
    open_one: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, make_embedder: Callable[..., Any]
) -> None:
    """A change that broke off in one handle and came to the end in another leaves both of use."""
    broken, other = open_one(embedder=make_embedder()), open_one(embedder=make_embedder())
    break_off(broken, monkeypatch, lambda: put(broken, "/a", "one"))
    put(other, "/b", "two", "three")
    assert broken.search("two", 1)[0].content == "two"
    put(broken, "/c", "four")
    assert [store.search("four", 1)[0].content for store in (broken, other)] == ["four", "four"]
    assert [(store.check(), store.stats().vectors) for store in (broken, other)] == [((), 3), ((), 3)]


@pytest.mark.requirement("ST-ROWS-LEFT-1")
def test_vectors_that_a_broken_embed_left_are_nobodys(
    open_one: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, make_embedder: Callable[..., Any]
) -> None:
    """Another embedder's take their place, of whatever size; none of the first counts."""
    put(open_one(), "/a", "one", "two")
    first = open_one(embedder=make_embedder(name="first"))
    break_off(first, monkeypatch, first.embed)
    second = open_one(embedder=make_embedder(dimensions=5, name="second"))
    assert (second.embed(), second.stats().vectors, second.check()) == (2, 2, ())
    assert second.search("two", 1)[0].content == "two"


@pytest.mark.requirement("ST-ROWS-TEXT-1")
def test_a_passage_of_thousands_of_words_is_found_by_each(open_one: Callable[..., Any]) -> None:
    """And the store takes changes afterwards, is sound, and lets go of all of it."""
    store = open_one()
    words = [f"w{at}q" for at in range(6_001)]
    put(store, "/long", " ".join(words))
    put(store, "/short", "w1q w6000q")
    for word in (words[0], words[1_999], words[2_000], words[6_000]):
        assert "/long 0" in [row.source for row in store.search(word, 2)]
    assert [row.source for row in store.search("w1q w6000q", 2)] == ["/short 0", "/long 0"]
    store.forget("/long", scope_path="")
    store.vacuum()
    assert [row.source for row in store.search("w0q w1q w6000q", 2)] == ["/short 0"]
    assert store.check() == ()
    if hasattr(store._shelf, "_collections"):
        assert store._shelf._collections["words"].count() == 1


@pytest.mark.requirement("ST-ROWS-MANY-1")
def test_many_documents_are_forgotten_listed_and_checked_with_few_requests(
    engine: str, open_one: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose number does not grow with that of the documents."""
    store = open_one()
    places = [importlib.import_module(f"symfonic.adapters.knowledge.stores.{name}") for name in ASKING[engine]]
    asked = places[0].asked
    requests: list[str] = []

    def counted(doing: str, call: Callable[[], Any]) -> Any:
        requests.append(doing)
        return asked(doing, call)

    for place in places:
        monkeypatch.setattr(place, "asked", counted)
    seen = []
    for count in (4, 40):
        store.put_many(
            (
                Document(scope_path="", origin=f"/{at:02}", file=f"/{at:02}", digest="1"),
                [Chunk(text=f"text {at}", label=f"label {at:02}", ordinal=0)],
                None,
            )
            for at in range(count)
        )
        requests.clear()
        assert [each.chunk.text for each in store.chunks()] == [f"text {at}" for at in range(count)]
        assert store.check() == ()
        assert store.forget("/*", scope_path="").documents == count
        seen.append(len(requests))
    assert seen[0] == seen[1]


@pytest.mark.requirement("ST-ROWS-TURN-1")
def test_a_link_in_the_place_of_the_lock_is_not_followed(open_one: Callable[..., Any], quick_folder: Path) -> None:
    """It would make a file elsewhere."""
    (quick_folder / "symfonic.lock").symlink_to(quick_folder / "elsewhere")
    with pytest.raises(StoreError, match="locks a file in its folder"):
        open_one()
    assert not (quick_folder / "elsewhere").exists()


@pytest.mark.requirement("ST-ROWS-TURN-1")
def test_a_file_system_without_locks_is_told(open_one: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is changed without one."""
    import fcntl

    def none(*_: object) -> None:
        raise OSError(37, "No locks available")

    store = open_one()
    monkeypatch.setattr(fcntl, "flock", none)
    with pytest.raises(StoreError, match=r"this file system locks none \(No locks available\) and nothing was done"):
        put(store, "/a", "one")
    assert list(store.documents()) == []
