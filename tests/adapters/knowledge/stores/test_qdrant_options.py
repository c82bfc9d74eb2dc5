"""What a store in Qdrant is opened with: URLs and options, told without a client."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from symfonic.adapters.knowledge.ports import StoreError
from symfonic.adapters.knowledge.stores._qdrant_options import Options, Place, placed
from symfonic.adapters.knowledge.stores.qdrant import QdrantStore


@pytest.mark.parametrize(
    ("url", "place", "options"),
    [
        (
            "qdrant+https://kb.example:7000/docs?api_key=s%26t&index=hnsw&timeout=5&attempts=2",
            Place(collection="docs", address="https://kb.example:7000", api_key="s&t"),
            {"index": "hnsw", "timeout": 5.0, "attempts": 2},
        ),
        ("qdrant+http://localhost/docs", Place(collection="docs", address="http://localhost:6333"), {}),
        ("qdrant+https://[::1]", Place(collection="symfonic", address="https://[::1]:443"), {}),
        ("qdrant:///a%20b/c?collection=docs", Place(collection="docs", folder="/a b/c"), {}),
        ("qdrant:///a", Place(collection="symfonic", folder="/a"), {}),
    ],
)
def test_a_url_says_where_a_store_is(url: str, place: Place, options: dict[str, Any]) -> None:
    """A server's address, or a folder, the collection, and options in its query."""
    assert placed(url) == (place, options)


@pytest.mark.parametrize(
    "url",
    [
        "https://kb.example/docs",
        "qdrant+ftp://kb.example/docs",
        "qdrant:",
        5,
        "qdrant+https:///docs",
        "qdrant+https://secret-key@kb.example/docs",
        "qdrant+https://kb.example/a/docs",
        "qdrant+https://kb.example/docs?collection=other&api_key=secret-key",
        "qdrant+https://kb.example/d%20cs?api_key=secret-key",
        "qdrant+https://kb.example:secret-key/docs",
        "qdrant+https://kb.example/docs?secret-key=1",
        "qdrant+https://kb.example/docs?timeout=secret-key",
        "qdrant://folder/docs",
        "qdrant:///",
        "qdrant:///a?api_key=secret-key",
        "qdrant:///a?collection=../b",
    ],
)
def test_what_is_no_such_url_is_refused_without_being_repeated(url: Any) -> None:
    """For it may hold a key."""
    with pytest.raises(StoreError) as caught:
        placed(url)
    assert "secret-key" not in str(caught.value)
    assert "nothing was opened" in str(caught.value)


def test_a_place_never_shows_its_key() -> None:
    """Nor does the URL it gives."""
    place, _ = placed("qdrant+https://kb.example/docs?api_key=secret-key")
    assert repr(place) == "'qdrant+https://kb.example:443/docs'"


@pytest.mark.parametrize(
    "wrong",
    [
        {"create": 1},
        {"index": "flat"},
        {"attempts": 0},
        {"attempts": True},
        {"timeout": 0.5},
        {"timeout": float("nan")},
        {"lease": "3600"},
    ],
)
def test_options_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    """Before anything is opened."""
    sound: dict[str, Any] = {
        "create": True,
        "index": "exact",
        "timeout": 1.0,
        "attempts": 1,
        "lease": 60.0,
        "pause": lambda _: None,
        "jitter": None,
        "clock": lambda: 0.0,
        "token": lambda: "t",
    }
    Options(**sound)
    with pytest.raises(StoreError, match="nothing was opened"):
        Options(**(sound | wrong))


def test_options_in_a_url_need_from_url() -> None:
    """The class takes them as arguments."""
    with pytest.raises(StoreError, match=r"QdrantStore\.from_url"):
        QdrantStore("qdrant:///a?index=hnsw")


def test_a_missing_client_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """And makes nothing."""
    monkeypatch.setitem(sys.modules, "qdrant_client", None)
    monkeypatch.delitem(sys.modules, "symfonic.adapters.knowledge.stores._qdrant_link", raising=False)
    with pytest.raises(StoreError, match=r"pip install 'symfonic-knowledge\[qdrant\]'"):
        QdrantStore.from_url("qdrant:///nowhere/at/all")
