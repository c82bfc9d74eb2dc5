"""A knowledge base whose store is named by an address, on a real server."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from symfonic.composition.knowledge import KnowledgeBase, Settings, StoreUrl, copy_knowledge, key_path, store_place

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.stores
ACME = (("tenant", "acme"),)


@pytest.fixture
def address(postgres: Any, request: pytest.FixtureRequest) -> str:
    """The address of a store no other test uses."""
    return f"{postgres.url}?schema={quote(request.node.name[:60])}"


@pytest.fixture(params=["postgresql", "qdrant", "chroma", "lancedb"])
def any_address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of such a store of each engine."""
    if request.param == "postgresql":
        found: str = request.getfixturevalue("address")
        return found
    return f"{request.param}://{tmp_path}/engine"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Two files."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "leave.md").write_text(
        "# Leave\n\nEverybody has 28 days of leave.\n\n# Carry over\n\nSix days at most.\n"
    )
    (folder / "travel.txt").write_text("Travel is booked early.")
    return folder


@pytest.mark.requirement("SE-PLACE-3")
@pytest.mark.parametrize(("engine", "name"), [("qdrant", "QdrantStore"), ("chroma", "ChromaStore")])
def test_chance_and_time_come_from_composition(
    engine: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names that nobody else makes, pauses and the clock are passed to the store, which then needs none of its own."""
    kind = getattr(importlib.import_module(f"symfonic.adapters.knowledge.stores.{engine}"), name)
    real, given = kind.from_url, {}

    def opened(url: str, **options: Any) -> Any:
        given.update(options)
        return real(url, **options)

    monkeypatch.setattr(kind, "from_url", opened)
    KnowledgeBase.open(f"{engine}://{tmp_path}/engine").close()
    wanted = {"qdrant": {"clock", "token"}, "chroma": {"unique"}}[engine]
    assert given.keys() == {"create", "embedder", "jitter", *wanted}
    unique = given["token" if engine == "qdrant" else "unique"]
    assert len({unique() for _ in range(100)}) == 100


@pytest.mark.requirement("SE-PLACE-3")
@pytest.mark.filterwarnings("ignore")  # of clients
def test_a_knowledge_base_on_any_engine_makes_the_prompts_of_a_file(
    any_address: str, docs: Path, tmp_path: Path
) -> None:
    """Filled, asked and copied by address; with one key the prompts are the same bytes, before and after a move."""
    settings = Settings(key_file=tmp_path / "one.key")
    for place in (tmp_path / "a.db", any_address):
        with KnowledgeBase.open(place, settings=settings) as knowledge:
            assert knowledge.ingest(docs).chunks == 3
    moved = copy_knowledge(any_address, tmp_path / "b.db", settings=settings)
    back = copy_knowledge(tmp_path / "a.db", any_address, settings=settings)
    assert (moved.copied, moved.ok, back.copied, back.unchanged) == (2, True, 0, 2)
    assert moved.digest == back.digest
    prompts = []
    for place in (tmp_path / "a.db", any_address, tmp_path / "b.db"):
        with KnowledgeBase.open(place, settings=settings, create=False) as knowledge:
            prompts.append(knowledge.ask("How many days of leave?").prompt.text)
    assert "28 days" in prompts[0]
    assert prompts == [prompts[0]] * 3


@pytest.mark.requirement("SE-PLACE-3")
def test_the_key_of_an_address_is_kept_for_the_user(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One for each place, whoever connects, and made on first use."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    path = key_path(store_place(address))
    assert not path.exists()
    with KnowledgeBase.open(address) as knowledge:
        first = knowledge.key_fingerprint
    with KnowledgeBase.open(StoreUrl(address + "&statement_timeout=5"), create=False) as knowledge:
        assert knowledge.key_fingerprint == first
    assert path.exists()
    assert tmp_path in path.parents
