"""The command line on a store that a server keeps."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import psycopg
import pytest

from symfonic.adapters.knowledge.stores.pgvector import PgvectorStore
from symfonic.composition.knowledge import KnowledgeBase, StoreFailedError, key_path, obtain_key, store_place

from .conftest import Command

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

pytestmark = pytest.mark.stores


class Letters:
    """An embedder that counts letters."""

    name = "letters"
    dimensions = 3

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text."""
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """How often three letters stand in it."""
        return [1.0 + text.count(letter) for letter in "aei"]


@pytest.fixture
def address(postgres: Any, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a store no other test uses; what is kept of the user is this test's."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return f"{postgres.url}?schema={quote(request.node.name[:60])}"


@pytest.mark.requirement("CLI-KEY-2")
def test_a_key_that_is_made_for_a_server_is_told_where_it_lies(
    address: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the store is new, and on another machine, where it is not the key of earlier prompts; once is enough."""
    run = Command(address)  # type: ignore[arg-type]  # written out as a path is
    kept = key_path(store_place(address))
    assert f"there is none at {kept} yet" in run("key", "show").err
    first = run("ingest", str(folder))
    assert f"The key of this store was made at {kept}, on this machine" in first.err
    assert run("ingest", str(folder)).err == ""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other"))
    other = key_path(store_place(address))
    told = run("search", "leave")
    assert told.code == 0
    assert f"on this machine, so a new one was made at {other}: labels and delimiters are not those" in told.err
    assert run("search", "leave").err == ""
    assert run("key", "show").text.split()[1:] == [str(other)]


@pytest.mark.requirement("CLI-COPY-1")
def test_a_copy_to_a_server_with_its_own_key_says_how_to_carry_the_key_over(
    address: str, run: Command, folder: Path
) -> None:
    """The command that is advised does it."""
    run("ingest", str(folder))
    kept = key_path(store_place(address))
    obtain_key(kept)
    copied = run.bare("copy", "--from", str(run.store), "--to", address)
    assert f"keeps its own key, at {kept}" in copied.err
    words = copied.err.partition("`symfonic-knowledge ")[2].partition("`")[0]
    _, command, source, option, _ = shlex.split(words)
    assert run.bare("key", command, source, option, address).code == 0
    assert run.bare("copy", "--from", str(run.store), "--to", address, "--json").json["key"]["outcome"] == "same"


def test_a_damaged_store_on_a_server_is_no_file_to_move_away(address: str, folder: Path) -> None:
    """What cannot be mended is filled anew elsewhere, or restored by the server's own means."""
    run = Command(address)  # type: ignore[arg-type]  # written out as a path is
    run("ingest", str(folder))
    with psycopg.connect(address.partition("?")[0], autocommit=True) as sql:
        sql.execute(f'UPDATE "{address.partition("schema=")[2]}".scope SET passages = 99')
    result = run("check-store")
    assert result.code == 1
    assert "name another store and ingest again, or take a backup of the server back" in result.text
    assert "the file" not in result.text
    assert "format 1," in run("stats").text


def test_reading_while_somebody_holds_the_tables_is_told_as_reading(address: str, folder: Path) -> None:
    """As during a vacuum: it waits, and does not talk of a change it did not make."""
    run = Command(address)  # type: ignore[arg-type]  # written out as a path is
    run("ingest", str(folder))
    with psycopg.connect(address.partition("?")[0]) as sql:
        sql.execute(f'LOCK TABLE "{address.partition("schema=")[2]}".meta')
        waited = run.bare("list", "--store", f"{address}&lock_timeout=0.1")
    assert waited.code == 1
    assert "a request waits lock_timeout for a change, or a vacuum, that is in its way" in waited.err


@pytest.mark.requirement("ST-PG-INDEX-1")
def test_an_index_is_built_on_request(address: str, folder: Path) -> None:
    """Exit 1 where there is nothing to index, and a store that needs none says so."""
    run = Command(address)  # type: ignore[arg-type]  # written out as a path is
    run("ingest", str(folder))
    nothing = run("index", "--json")
    assert (nothing.code, nothing.json["indexed"]) == (1, False)
    assert "no vector is stored yet" in run("index").err
    with PgvectorStore.from_url(address, embedder=Letters()) as store:
        assert store.embed() == 3
    indexed = run("index")
    assert (indexed.code, indexed.text.split()[0]) == (0, "Indexed:")


@pytest.mark.requirement("SE-PLACE-2")
def test_an_error_of_a_server_names_the_store_and_no_secret(run: Command, folder: Path) -> None:
    """When it is opened, and in a copy with the word for which of the two it is."""
    down = "postgresql://bob:s3cret@127.0.0.1:1/base"
    asked = run.bare("search", "leave", "--store", f"{down}?attempts=1")
    assert (asked.code, "at postgresql://127.0.0.1:1/base)" in asked.err, "s3cret" in asked.err) == (1, True, False)
    run("ingest", str(folder))
    copied = run.bare("copy", "--from", str(run.store), "--to", f"{down}?attempts=1")
    assert copied.err.startswith("Error: target of the copy: ")
    back = run.bare("copy", "--from", f"{down}?attempts=1", "--to", str(run.store))
    assert back.err.startswith("Error: source of the copy: ")
    assert "at postgresql://127.0.0.1:1/base)" in back.err
    assert "s3cret" not in copied.err + back.err


@pytest.mark.requirement("SE-PLACE-2")
@pytest.mark.filterwarnings("ignore")  # of clients
@pytest.mark.parametrize(
    "address",
    ["qdrant+http://127.0.0.1:1/shelf?attempts=1&api_key=s3cret", "chroma+http://127.0.0.1:1/shelf?attempts=1"],
)
def test_an_error_of_any_server_names_the_store(address: str) -> None:
    """Where the engine's own words do not."""
    with pytest.raises(StoreFailedError) as caught:
        KnowledgeBase.open(address)
    assert "http://127.0.0.1:1" in str(caught.value)
    assert "s3cret" not in str(caught.value)
