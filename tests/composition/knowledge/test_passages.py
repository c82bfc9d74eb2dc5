"""A passage by its id: stable, unguessable, and good for nobody who could not have found the passage."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.capabilities.knowledge import DropCode, RetrievedFragment, ScopePath
from symfonic.composition.knowledge import KnowledgeBase, Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEY: Final = bytes(range(32))
ACME: Final = ScopePath.of(("tenant", "acme"))
GLOBEX: Final = ScopePath.of(("tenant", "globex"))
ANN: Final = ScopePath((("tenant", "acme"), ("user", "ann")))


def put(store: SqliteStore, scope: str, file: str, *texts: str, origin: str = "", kind: str = "md") -> None:
    """Store a document of these passages, on a page and below a heading each."""
    document = Document(scope_path=scope, origin=origin or f"/{file}", file=file, digest="0" * 64, kind=kind)
    chunks = [
        Chunk(text=text, label=f"{file} p. {place + 1}", ordinal=place, heading="Leave", page=place + 1)
        for place, text in enumerate(texts)
    ]
    store.put(document, chunks)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """Documents of everybody and of two tenants."""
    with SqliteStore(tmp_path / "k.db") as opened:
        put(opened, "", "all.md", "Leave is thirty days.", "Leave carries over.")
        put(opened, str(ACME), "acme.md", "Leave at Acme is forty days.")
        put(opened, str(GLOBEX), "globex.md", "Leave at Globex is secret.")
        yield opened


def based(store: SqliteStore, key: bytes = KEY, **settings: int) -> KnowledgeBase:
    """A knowledge base with these settings."""
    return KnowledgeBase(store, key=key, settings=Settings(**settings))  # type: ignore[arg-type]  # numbers by name


def ids(knowledge: KnowledgeBase, scope: ScopePath | None = None) -> dict[str, str]:
    """The id of what a search finds, by its text."""
    return {row.content: knowledge.passage_id(row) for row in knowledge.search("leave", scope=scope)}


@pytest.mark.requirement("CO-PASS-1")
def test_an_id_is_the_same_as_long_as_place_text_and_key_are(store: SqliteStore) -> None:
    """Other documents and another process change nothing; another key, text, place or file does."""
    first = ids(based(store))
    put(store, "", "more.md", "Leave is asked for.")

    again = ids(based(store))
    put(store, "", "all.md", "Leave is thirty days.", "Leave ends.")
    changed = ids(based(store))

    assert again.items() >= first.items()
    assert changed["Leave is thirty days."] == first["Leave is thirty days."]
    assert changed["Leave ends."] not in first.values()
    assert ids(based(store, bytes(32)))["Leave is thirty days."] != first["Leave is thirty days."]
    assert len(set(changed.values())) == len(changed) == 3
    assert all(re.fullmatch("[a-z2-7]{40}", one) for one in changed.values())


@pytest.mark.requirement("CO-PASS-2")
def test_a_passage_is_read_by_its_id_through_the_boundary(store: SqliteStore) -> None:
    """With page, label and the very line a question would get."""
    knowledge = based(store)
    asked = knowledge.ask("forty", scope=ACME)
    line = asked.explain().admitted[0].line
    found = knowledge.passage(ids(knowledge, ACME)["Leave at Acme is forty days."], scope=ACME)

    assert found is not None
    (row,) = found.explain().rows
    assert (row.line, row.page, row.heading, str(row.label)) == (line, 1, "Leave", "acme.md p. 1")
    assert found.grounded
    assert line in found.prompt.text


@pytest.mark.requirement("CO-PASS-3")
def test_an_id_is_good_where_the_passage_is_visible_and_nowhere_else(store: SqliteStore) -> None:
    """Below its scope, but not above it and not beside it; what was forgotten is gone."""
    knowledge = based(store)
    acme = ids(knowledge, ACME)["Leave at Acme is forty days."]
    globex = ids(knowledge, GLOBEX)["Leave at Globex is secret."]

    assert [knowledge.passage(acme, scope=who) is None for who in (ACME, ANN, None, GLOBEX)] == [
        False,
        False,
        True,
        True,
    ]
    assert knowledge.passage(globex, scope=ACME) is None
    knowledge.forget("acme.md", scope=ACME)
    assert knowledge.passage(acme, scope=ACME) is None


@pytest.mark.requirement("CO-PASS-3")
@pytest.mark.parametrize("wrong", ["", "a" * 40, "A" * 40, "a" * 39, "é" * 40, "../all.md", "\ud800", 7, None, b"a"])
def test_what_is_no_id_names_nothing(store: SqliteStore, wrong: str) -> None:
    """Whatever it is, it is answered like an id that never was."""
    assert based(store).passage(wrong) is None


@pytest.mark.requirement("CO-PASS-3")
def test_parts_of_two_ids_make_no_third(store: SqliteStore) -> None:
    """The part of one document with the part of another's passage names nothing."""
    put(store, "", "more.md", "Leave is asked for.")
    known = ids(based(store))
    mixed = known["Leave is asked for."][:16] + known["Leave carries over."][16:]

    assert based(store).passage(mixed) is None


@pytest.mark.requirement("CO-PASS-2")
def test_a_ceiling_leaves_a_passage_out_as_in_a_question(store: SqliteStore) -> None:
    """The selection tells which one; a floor leaves out what was ranked, and a passage was not."""
    passage_id = ids(based(store))["Leave is thirty days."]
    found = based(store, max_fragment_chars=10).passage(passage_id)
    high = based(store, min_score=5).passage(passage_id)

    assert found is not None
    assert not found.grounded
    assert [row.reason.code for row in found.explain().dropped if row.reason] == [DropCode.OVER_FRAGMENT]
    assert high is not None
    assert high.grounded


@pytest.mark.requirement("CO-PASS-1")
def test_copies_under_one_name_share_an_id(store: SqliteStore) -> None:
    """Two origins of one file with one text: either is the very text that was shown."""
    put(store, "", "twice.md", "Leave twice.", origin="/a/twice.md")
    put(store, "", "twice.md", "Leave twice.", "Leave once.", origin="/b/twice.md")
    knowledge = based(store)

    assert all(knowledge.passage(one) is not None for one in ids(knowledge).values())


@pytest.mark.requirement("CO-PASS-2")
@pytest.mark.parametrize(("kind", "slide", "sheet"), [("pptx", 1, None), ("xlsx", None, "Leave"), ("md", None, None)])
def test_slides_and_sheets_are_told(store: SqliteStore, kind: str, slide: int | None, sheet: str | None) -> None:
    """As a search tells them."""
    put(store, "", "one", "Leave is shown.", kind=kind)
    knowledge = based(store)
    found = knowledge.passage(ids(knowledge)["Leave is shown."])

    assert found is not None
    (row,) = found.explain().admitted
    assert (row.slide, row.sheet) == (slide, sheet)


@pytest.mark.requirement("CO-PASS-1")
@pytest.mark.parametrize(
    "metadata",
    [{}, {"scope_path": "", "file": "a"}, {"scope_path": "", "file": "a", "ordinal": True}, {"scope_path": None}],
)
def test_a_row_that_does_not_say_where_it_was_stored_has_no_id(store: SqliteStore, metadata: dict[str, object]) -> None:
    """An empty text."""
    assert not based(store).passage_id(RetrievedFragment("text", "a", 1.0, metadata))
    assert not based(store).passage_id(RetrievedFragment("text", "a", 1.0))
