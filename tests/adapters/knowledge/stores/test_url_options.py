"""Options of a store's URL: known by name, read by kind, each said once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import StoreError
from symfonic.adapters.knowledge.stores import (
    _chroma_options,
    _lancedb_options,
    _pgvector_options,
    _qdrant_options,
)
from symfonic.adapters.knowledge.stores._chroma_options import placed as chroma_placed
from symfonic.adapters.knowledge.stores._lancedb_options import given as lancedb_given
from symfonic.adapters.knowledge.stores._qdrant_options import placed as qdrant_placed
from symfonic.adapters.knowledge.stores._url_options import flag, merged, options_of
from symfonic.adapters.knowledge.stores.chroma import ChromaStore
from symfonic.adapters.knowledge.stores.lancedb import LanceDBStore
from symfonic.adapters.knowledge.stores.qdrant import QdrantStore

if TYPE_CHECKING:
    from pathlib import Path

KINDS: dict[str, Any] = {"table": str, "attempts": int, "secure": flag}


def test_options_are_read_by_kind() -> None:
    """Texts, numbers, and true or false."""
    assert options_of("table=a%20b&attempts=3&secure=true", KINDS) == {"table": "a b", "attempts": 3, "secure": True}
    assert options_of("", KINDS) == {}


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("tabel=s3cret", "are table, attempts, secure; 'tabel' is none of them"),
        ("s3-cret=1", "one of another spelling is none of them"),
        ("table=s3cret&table=s3cret", "'table' stands there twice"),
        ("attempts=s3cret", "attempts in a URL is a number"),
        ("secure=s3cret", "secure in a URL is true or false"),
        ("s3cret", "NAME=VALUE&NAME=VALUE"),
    ],
)
def test_what_is_no_option_is_told_without_what_may_be_a_secret(query: str, told: str) -> None:
    """Named where it is spelt as an option is, with those there are."""
    with pytest.raises(StoreError, match="nothing was opened") as refused:
        options_of(query, KINDS)
    assert told in str(refused.value)
    assert "s3" not in str(refused.value)


def test_an_argument_may_say_what_the_url_says_and_nothing_else() -> None:
    """Neither wins in silence."""
    assert merged({"table": "a"}, {"table": "a", "attempts": 2}) == {"table": "a", "attempts": 2}
    with pytest.raises(StoreError, match="table stands in the URL and was passed as something else"):
        merged({"table": "a"}, {"table": "b"})


@pytest.mark.parametrize(
    ("read", "url", "names"),
    [
        (qdrant_placed, "qdrant:///srv/a?", "collection, api_key, index, timeout, attempts"),
        (chroma_placed, "chroma:///srv/a?", "collection, timeout, lock_timeout, attempts"),
        (chroma_placed, "chroma+http://host/a?", "collection, timeout, lock_timeout, attempts"),
        (lancedb_given, "", "table, timeout, lock_timeout, attempts"),
    ],
)
def test_every_engine_names_its_options(read: Any, url: str, names: str) -> None:
    """And takes none twice."""
    with pytest.raises(StoreError, match=f"are {names}; 'colection' is none of them"):
        read(f"{url}colection=a")
    with pytest.raises(StoreError, match="'timeout' stands there twice"):
        read(f"{url}timeout=1&timeout=2")


def test_a_collection_of_a_server_is_named_once() -> None:
    """In the path or in the query."""
    with pytest.raises(StoreError, match="named once"):
        chroma_placed("chroma+http://host/a?collection=b")


@pytest.mark.parametrize(
    ("store", "url", "argument"),
    [
        (QdrantStore, "qdrant:///srv/a?timeout=5", {"timeout": 6.0}),
        (QdrantStore, "qdrant+https://host/a?api_key=one", {"api_key": "two"}),
        (ChromaStore, "chroma+http://host/a", {"collection": "other"}),
        (LanceDBStore, "lancedb:///srv/a?table=one", {"table": "other"}),
    ],
)
def test_an_argument_that_contradicts_the_url_is_refused_by_every_engine(store: Any, url: str, argument: Any) -> None:
    """Before anything is opened."""
    with pytest.raises(StoreError, match="stands in the URL and was passed as something else"):
        store.from_url(url, **argument)


@pytest.mark.tree
@pytest.mark.parametrize(
    ("engine", "kinds"),
    [
        ("PostgreSQL", _pgvector_options.URL_OPTIONS),
        ("Qdrant", _qdrant_options.URL_OPTIONS),
        ("Chroma", _chroma_options.URL_OPTIONS),
        ("LanceDB", _lancedb_options.URL_OPTIONS),
    ],
)
def test_the_reference_lists_the_options_of_every_engine(project: Path, engine: str, kinds: dict[str, Any]) -> None:
    """In the order in which a refusal names them."""
    page = (project / "docs" / "reference" / "store.md").read_text()
    (row,) = re.findall(rf"^\| {engine} \| (`.*) \|$", page, re.MULTILINE)
    words = re.findall(r"`([a-z_]+)`", re.sub(r"\([^)]*\)", "", row).partition("everything else")[0])
    assert words == list(kinds)
