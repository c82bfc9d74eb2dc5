"""What a store in PostgreSQL can be opened with, and what is refused before any server is asked."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import StoreError
from symfonic.adapters.knowledge.stores._pgvector_options import parted_url, shown_url
from symfonic.adapters.knowledge.stores.pgvector import PgvectorStore

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.stores

NOWHERE = "postgresql://user:hidden@127.0.0.1:1/db"


@pytest.mark.parametrize(
    "options",
    [
        {"schema": ""},
        {"schema": "pg_mine"},
        {"schema": "x" * 64},
        {"schema": "\0"},
        {"schema": "\ud800"},
        {"schema": None},
        {"create": 1},
        {"row_security": "yes"},
        {"index": "ivfflat"},
        {"pool_size": 0},
        {"pool_size": True},
        {"attempts": 1.5},
        {"keepalive": -1},
        {"pool_timeout": 0},
        {"connect_timeout": float("nan")},
        {"statement_timeout": float("inf")},
        {"lock_timeout": "5"},
    ],
)
def test_options_that_are_none_are_refused(options: dict[str, Any]) -> None:
    """A rule, that nothing was opened, and what to pass."""
    with pytest.raises(StoreError, match="nothing was opened; pass"):
        PgvectorStore(NOWHERE, **options)


@pytest.mark.parametrize("query", ["pool_size=many", "row_security=maybe", "lock_timeout=x"])
def test_options_in_a_url_are_read_by_kind(query: str) -> None:
    """A number is a number there."""
    with pytest.raises(StoreError, match="in a URL is"):
        PgvectorStore.from_url(f"{NOWHERE}?{query}")


def test_an_option_that_is_none_is_named_with_those_there_are() -> None:
    """Neither the store's nor libpq's; its value is not repeated, nor a name that is spelt as no option is."""
    with pytest.raises(
        StoreError, match=r"are schema, index, .*, attempts, and libpq's own.*; 'shema' is none"
    ) as told:
        PgvectorStore.from_url(f"{NOWHERE}?sslmode=disable&shema=s3cret")
    assert "s3cret" not in str(told.value)
    with pytest.raises(StoreError, match="one of another spelling is none of them"):
        PgvectorStore.from_url(f"{NOWHERE}?s3-cret=1")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://u:hidden%zz@127.0.0.1:1/db",
        "postgresql://u:hidden%ff@127.0.0.1:1/db",
        f"{NOWHERE}?options=hidden%zz",
    ],
)
def test_a_url_that_libpq_cannot_read_is_told_as_that(url: str) -> None:
    """What is no %XX, or no UTF-8, is no option of another spelling; and neither it nor its cause is shown."""
    with pytest.raises(StoreError, match=r"this one cannot be read and nothing was opened; .* as %XX") as told:
        PgvectorStore(url)
    assert "hidden" not in str(told.value)
    assert told.value.__cause__ is None
    assert told.value.__suppress_context__


@pytest.mark.parametrize("query", ["schema=a&index=exact&schema=b", "sslmode=disable&sslmode=require"])
def test_an_option_that_is_said_twice_is_refused(query: str) -> None:
    """The store's and libpq's alike."""
    with pytest.raises(StoreError, match="stands there twice and nothing was opened"):
        parted_url(f"{NOWHERE}?{query}")


def test_a_url_is_parted_into_what_libpq_takes_and_what_the_store_takes() -> None:
    """And it is shown without whom it lets in."""
    url = f"{NOWHERE}?schema=hand%20book&sslmode=require&row_security=true&pool_size=3&lock_timeout=1.5"
    assert parted_url(url) == (
        f"{NOWHERE}?sslmode=require",
        {"schema": "hand book", "row_security": True, "pool_size": 3, "lock_timeout": 1.5},
    )
    assert parted_url(f"{NOWHERE}?row_security=false")[1] == {"row_security": False}
    assert shown_url(url) == "postgresql://127.0.0.1:1/db"
    for unreadable in (f"{NOWHERE}?nonsense", "postgresql://user:1#2@host/db", "postgresql://[::1/db"):
        with pytest.raises(StoreError, match="can be taken apart"):
            parted_url(unreadable)


@pytest.mark.parametrize(
    ("url", "libpq"),
    [
        ("postgresql:///db?schema=x", {"dbname": "db"}),
        ("postgresql://?host=/run/pg&dbname=db&index=hnsw", {"host": "/run/pg", "dbname": "db"}),
        (
            "postgres://h/db?options=-c%20geqo%3Doff&index=exact&password=a+b",
            {"host": "h", "dbname": "db", "options": "-c geqo=off", "password": "a+b"},
        ),
        ("postgresql://a:1,b:2/db?schema=x", {"host": "a,b", "port": "1,2", "dbname": "db"}),
    ],
)
def test_what_is_libpqs_reaches_it_as_it_was_written(url: str, libpq: dict[str, str]) -> None:
    """An empty host is a socket, ``%20`` a space and ``+`` a plus, as libpq reads them."""
    from psycopg.conninfo import conninfo_to_dict

    assert conninfo_to_dict(parted_url(url)[0]) == libpq


def test_no_host_is_shown_as_none() -> None:
    """The slashes stay, so that it can be told from a path."""
    assert shown_url("postgresql:///db?host=/run/pg") == "postgresql:///db"


@pytest.mark.parametrize("rest", ["u:12/x@h/db", "u:12#x@h/db", "u:12?x=1@h/db", "u:p@x@h/db", "h/db?user=a@b"])
def test_a_url_whose_password_ends_in_two_places_is_refused(rest: str) -> None:
    """What libpq takes for the host, and may name in an error, is then part of it."""
    with pytest.raises(StoreError, match="one @ before the host") as caught:
        parted_url(f"postgresql://{rest}")
    assert caught.value.__cause__ is None
    assert "12" not in str(caught.value)


def test_a_store_is_opened_by_its_url_alone(
    open_pgvector: Callable[..., PgvectorStore], postgres: Any, schema: str
) -> None:
    """An argument may say the same; nothing secret is shown."""
    open_pgvector()
    url = f"{postgres.url}?schema={schema.replace(' ', '%20')}"
    with pytest.raises(StoreError, match="schema stands in the URL and was passed as something else"):
        PgvectorStore.from_url(url, schema="x", create=False)
    with PgvectorStore.from_url(url, schema=schema, create=False) as store:
        assert store.revision() == 0
        assert repr(store) == f"PgvectorStore('postgresql://127.0.0.1:{postgres.port}/postgres', schema={schema!r})"
        assert store.embedder is None


def test_a_missing_client_is_told_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else of the package needs it."""
    monkeypatch.setitem(sys.modules, "symfonic.adapters.knowledge.stores._pgvector_connections", None)
    with pytest.raises(StoreError, match=r"symfonic-knowledge\[pgvector\]"):
        PgvectorStore(NOWHERE)


def test_grants_quote_what_they_are_given() -> None:
    """A role's name is a name, whatever it holds."""
    statements = PgvectorStore.grants('x"; DROP TABLE y; --', schema='a"b')
    assert statements[0] == 'GRANT USAGE ON SCHEMA "a""b" TO "x""; DROP TABLE y; --"'
    assert len(statements) == 5
