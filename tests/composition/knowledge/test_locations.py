"""Where a store is."""

from __future__ import annotations

from pathlib import Path

import pytest

from symfonic.composition.knowledge.errors import SettingsError
from symfonic.composition.knowledge.locations import ENGINES, StoreUrl, store_place


@pytest.mark.requirement("SE-PLACE-1")
@pytest.mark.parametrize(
    ("written", "engine"),
    [
        ("postgresql://host/base", "pgvector"),
        ("POSTGRES://host/base", "pgvector"),
        ("postgresql:///base?host=/run/postgresql", "pgvector"),
        ("qdrant+https://host:6333/shelf", "qdrant"),
        ("qdrant:///srv/shelf?collection=handbook", "qdrant"),
        ("chroma+http://[::1]:8000/shelf", "chroma"),
        ("lancedb:///srv/lance?table=handbook", "lancedb"),
    ],
)
def test_an_address_names_its_engine(written: str, engine: str) -> None:
    """By its scheme, whatever its case."""
    place = store_place(written)
    assert isinstance(place, StoreUrl)
    assert (place.url, place.engine) == (written, engine)
    assert store_place(place) is place


@pytest.mark.requirement("SE-PLACE-1")
@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("knowledge.db", "knowledge.db"),
        (Path("a/b.db"), "a/b.db"),
        ("sqlite:///srv/my%20base.db", "/srv/my base.db"),
        ("a:b", "a:b"),
        ("/srv/postgresql:/x", "/srv/postgresql:/x"),
        ("./lancedb:x", "lancedb:x"),
        (Path("lancedb:x"), "lancedb:x"),
    ],
    ids=str,
)
def test_everything_else_is_a_file(written: str | Path, path: str) -> None:
    """A path, or the address of a file."""
    assert store_place(written) == Path(path)


@pytest.mark.requirement("SE-PLACE-1")
@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("mysql://host/base", "'mysql' is none that is known"),
        ("http://host/base", "'http' is none that is known"),
        ("postgresql+psycopg://u:s3@host/base", "write postgresql://"),
        ("postgresql:/host/base", "stands here without them"),
        ("PostgreSQL:base", "stands here without them"),
        ("postgresql+psycopg2:base", "stands here without them"),
        ("lancedb:relative", "write lancedb://, or ./"),
        ("qdrant+http:host", "stands here without them"),
        ("sqlite:knowledge.db", "stands here without them"),
        ("sqlite://host/base", "sqlite:///srv/knowledge.db"),
        ("sqlite:///", "sqlite:///srv/knowledge.db"),
        ("sqlite:///a%00b", "sqlite:///srv/knowledge.db"),
        ("postgresql://host:port/base", "one word"),
        ("postgresql://[::1/base", "one word"),
        ("postgresql://host/a base", "one word"),
        ("postgresql://bob:12/34@host/base", "one word"),
        ("postgresql://bob:12#34@host/base", "one word"),
        ("postgresql://host/a\nb", "one word"),
        ("postgresql://host/" + "a" * 5000, "one word"),
        ("", "path of a file or an address"),
        (5, "not 5"),
        (None, "not None"),
        (b"x", "not bytes"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_names_no_place_is_refused(written: object, told: str) -> None:
    """Before anything is opened, and without repeating what may hold a password."""
    with pytest.raises(SettingsError, match="nothing") as caught:
        store_place(written)
    assert told in str(caught.value)


@pytest.mark.requirement("SE-PLACE-2")
@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("postgresql://bob:s3cret@host:5432/base", "postgresql://bob:***@host:5432/base"),
        ("postgresql://bob@host/base?sslmode=require", "postgresql://bob@host/base?sslmode=require"),
        ("postgresql:///base?password=s3cret&host=/run", "postgresql:///base?password=***&host=/run"),
    ],
)
def test_secrets_of_an_address_are_never_shown(written: str, shown: str) -> None:
    """Neither in its text nor in its representation; the client still gets them."""
    place = StoreUrl(written)
    assert str(place) == shown
    assert "s3" not in repr(place)
    assert place.url == written


@pytest.mark.requirement("SE-PLACE-2")
@pytest.mark.parametrize("rest", ["u:12#x@h/db", "u:12/x@h/db", "u:12?x@h/db", "u:p@x@h/db", "h/db?user=a@b"])
def test_an_address_whose_password_ends_in_two_places_is_refused(rest: str) -> None:
    """What one program takes for the password another takes for the host or the path, and shows it."""
    with pytest.raises(SettingsError, match="percent-encoded") as caught:
        StoreUrl(f"postgresql://{rest}")
    assert "12" not in str(caught.value)


@pytest.mark.requirement("SE-PLACE-2")
def test_a_place_is_the_same_whoever_connects() -> None:
    """User, password, options, a slash at the end and written defaults are no part of it; host, port and path are."""
    one = StoreUrl("postgresql://bob:x@Host:5432/base?sslmode=require")
    same = ["postgres://eve@host:5432/base/", "postgresql://host/base", "postgresql://host/base?schema=symfonic"]
    assert {StoreUrl(other).identity for other in same} == {one.identity}
    others = [
        "host:5432/other",
        "host:5433/base",
        "h2:5432/base",
        "host:5432/base?schema=two",
        "host:5432/base?schema=three",
    ]
    assert len({one.identity, *(StoreUrl(f"postgresql://{other}").identity for other in others)}) == 6


@pytest.mark.requirement("SE-PLACE-2")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("qdrant+http://Host", "qdrant+http://host:6333/symfonic"),
        ("qdrant+https://host/shelf", "qdrant+https://host:443?collection=shelf"),
        ("qdrant:///srv/a", "qdrant:///srv/a/?collection=symfonic"),
        ("chroma+http://host/shelf", "chroma+http://host:8000/shelf"),
        ("chroma+https://[0:0::1]", "chroma+https://[::1]:443"),
        ("lancedb:///srv/a", "lancedb:///srv/a?table=symfonic"),
        ("postgresql://[0:0::1]/base", "postgresql://[::1]:5432/base"),
    ],
)
def test_defaults_that_are_written_out_are_the_same_place(one: str, other: str) -> None:
    """So a store has one key by both."""
    assert StoreUrl(one).identity == StoreUrl(other).identity


@pytest.mark.requirement("SE-PLACE-2")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("qdrant+http://host", "qdrant+https://host"),
        ("qdrant+http://host/a", "qdrant+http://host/b"),
        ("chroma:///srv/a", "chroma:///srv/a?collection=other"),
        ("postgresql://localhost/base", "postgresql://127.0.0.1/base"),
    ],
)
def test_what_may_be_another_place_is_one(one: str, other: str) -> None:
    """Ports, collections, and names of a host that may lead elsewhere."""
    assert StoreUrl(one).identity != StoreUrl(other).identity


@pytest.mark.requirement("SE-PLACE-1")
def test_every_engine_is_an_extra() -> None:
    """What has to be installed is named after the engine."""
    assert set(ENGINES.values()) == {"pgvector", "qdrant", "chroma", "lancedb"}


@pytest.mark.requirement("SE-PLACE-1")
def test_an_address_that_is_no_text_is_refused() -> None:
    """Built by a program."""
    with pytest.raises(SettingsError, match="is text, not int"):
        StoreUrl(5)  # type: ignore[arg-type]  # the point of the test
