"""``copy`` on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.composition.knowledge import key_path, obtain_key

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Command


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A store with two documents, and its key."""
    path = tmp_path / "a.db"
    with SqliteStore(path) as store:
        for scope in ("", "tenant\x1facme"):
            store.put(
                Document(scope_path=scope, origin="/a.md", file="a.md", digest="1" * 64, kind="markdown"),
                [Chunk(text="Leave is 28 days.", label="a.md", ordinal=0)],
            )
    obtain_key(key_path(path))
    return path


@pytest.mark.requirement("CLI-COPY-1")
def test_a_knowledge_base_is_copied_with_its_key(run: Command, source: Path, tmp_path: Path) -> None:
    """Labels of the copy are those of the original."""
    target = tmp_path / "b.db"
    result = run.bare("copy", "--from", str(source), "--to", str(target), "--json")
    assert result.code == 0
    view = result.json
    assert (view["copied"], view["unchanged"], view["passages"], view["failures"]) == (2, 0, 2, [])
    assert key_path(target).read_bytes() == key_path(source).read_bytes()
    asked = [run.bare("prompt", "leave", "--store", str(store)).text for store in (source, target)]
    assert asked[0] == asked[1]
    assert "28 days" in asked[0]


@pytest.mark.requirement("CLI-COPY-1")
def test_a_copy_again_says_that_nothing_was_to_do(run: Command, source: Path, tmp_path: Path) -> None:
    """In words, on one line, with the digest on another; a key that is there stays."""
    target = tmp_path / "b.db"
    key = obtain_key(key_path(target))
    first = run.bare("copy", "--from", str(source), "--to", str(target), "--scope", "tenant:acme")
    assert "1 document copied, 0 unchanged, 0 failures: 1 passage from" in first.text
    again = run.bare("copy", "--from", str(source), "--to", str(target))
    assert "1 document copied, 1 unchanged, 0 failures: 2 passages from" in again.text
    assert "read again and the same" in again.text
    assert obtain_key(key_path(target)) == key
    assert f"{target} keeps its own key, at {key_path(target)}" in first.err
    assert f"`symfonic-knowledge key import {key_path(source)} --store {target}`" in again.err


@pytest.mark.requirement("CLI-COPY-1")
def test_a_copy_says_of_which_scope_it_is_and_what_came_of_the_key(run: Command, source: Path, tmp_path: Path) -> None:
    """In words and in the document; nothing is said of a key where it is the same."""
    words = ["copy", "--from", str(source), "--to", str(tmp_path / "b.db")]
    first = run.bare(*words, "--scope", "tenant:acme", "--json").json
    keys = {"from": str(key_path(source)), "to": str(key_path(tmp_path / "b.db"))}
    assert (first["scope"], first["key"]) == (["tenant:acme"], {"outcome": "brought", **keys})
    again = run.bare(*words, "--scope", "tenant:acme")
    assert f"1 passage from {source} in {tmp_path / 'b.db'}, tenant:acme and what is below it\n" in again.text
    assert again.err == ""
    everything = run.bare(*words, "--json").json
    assert (everything["scope"], everything["key"]["outcome"]) == (None, "same")
    key_path(source).unlink()
    assert run.bare(*words, "--json").json["key"]["outcome"] == "none"
    one = {"SYMFONIC_KNOWLEDGE_KEY_FILE": str(tmp_path / "one.key")}
    assert run.bare(*words, "--json", env=one).json["key"] == {
        "outcome": "shared",
        "from": str(tmp_path / "one.key"),
        "to": str(tmp_path / "one.key"),
    }


@pytest.mark.requirement("CLI-COPY-1")
@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_the_copy_of_a_scope_without_documents_fails(
    run: Command, source: Path, tmp_path: Path, as_json: list[str]
) -> None:
    """A mistyped scope must not pass for a copy; no target is made."""
    result = run.bare("copy", "--from", str(source), "--to", str(tmp_path / "b.db"), "--scope", "tenant:acne", *as_json)
    assert result.code == 1
    told = result.json["error"]["message"] if as_json else result.err
    assert f"nothing is stored for tenant:acne in {source} and nothing was copied" in told
    assert not (tmp_path / "b.db").exists()


@pytest.mark.requirement("CLI-COPY-1")
@pytest.mark.parametrize(
    ("origin", "target", "told"),
    [
        ("none.db", "b.db", "there is none at"),
        ("a.db", "./a.db", "is both and nothing was copied"),
        ("a.db", "mysql://host/base", "'mysql' is none that is known"),
    ],
)
def test_what_cannot_be_copied_is_refused(
    run: Command, source: Path, monkeypatch: pytest.MonkeyPatch, origin: str, target: str, told: str
) -> None:
    """No store is made."""
    monkeypatch.chdir(source.parent)
    before = sorted(path.name for path in source.parent.iterdir())
    result = run.bare("copy", "--from", origin, "--to", target)
    assert result.code == 1
    assert told in result.err
    assert sorted(path.name for path in source.parent.iterdir()) == before
