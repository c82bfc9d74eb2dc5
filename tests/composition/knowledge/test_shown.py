"""What is shown can be forgotten under the very words that were shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document, Removal
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.capabilities.knowledge import ScopePath, safe_source
from symfonic.composition.knowledge import KnowledgeBase

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOSTILE = "[x]*\n.md"
ACME = ScopePath.of(("tenant", "acme"))


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    """Two documents of one hostile name, one of another, and one of another scope."""
    with SqliteStore(tmp_path / "k.db") as store:
        for origin, file, scope in (
            ("/1", HOSTILE, ""),
            ("/2", HOSTILE, ""),
            ("/3", "other.md", ""),
            ("/4", HOSTILE, str(ACME)),
        ):
            chunks = [Chunk(text=f"leave {part}", label=f"{file} § {part}", ordinal=part) for part in (0, 1)]
            store.put(Document(scope_path=scope, origin=origin, file=file, digest=origin), chunks)
    with KnowledgeBase.open(tmp_path / "k.db") as knowledge:
        yield knowledge


def left(base: KnowledgeBase) -> list[tuple[str, int]]:
    """Origins that are stored, with their passages."""
    return sorted((record.document.origin, record.chunks) for record in base.documents())


@pytest.mark.parametrize("tag", ["", " ·abcdefgh27", " ·" + "a" * 52])
def test_a_document_goes_by_its_shown_label(base: KnowledgeBase, tag: str) -> None:
    """With the tag of a prompt or without; exactly at the scope; every document of that name."""
    assert base.forget(f"{safe_source(HOSTILE)}{tag}") == Removal(documents=2, chunks=4)
    assert left(base) == [("/3", 2), ("/4", 2)]


@pytest.mark.parametrize("tag", ["", " ·abcdefgh27"])
def test_a_passage_goes_by_its_shown_label(base: KnowledgeBase, tag: str) -> None:
    """Its document stays."""
    assert base.forget(f"{safe_source(HOSTILE + ' § 1')}{tag}", scope=ACME) == Removal(chunks=1)
    assert left(base) == [("/1", 2), ("/2", 2), ("/3", 2), ("/4", 1)]


def test_a_label_of_a_prompt_goes_as_it_was_copied(base: KnowledgeBase) -> None:
    """The citation itself."""
    citation = base.ask("leave", scope=ACME).explain().admitted[0].citation
    assert base.forget(citation, scope=ACME).chunks == 1


@pytest.mark.parametrize("label", ["* ·abcdefgh27", "other.md ·ABCDEFGH27", "other.md ·a", ""])
def test_a_label_is_never_a_glob_and_a_tag_is_a_tag(base: KnowledgeBase, label: str) -> None:
    """What was taken off must not turn a label into something wider."""
    assert base.forget(label) == Removal()
    assert len(left(base)) == 4
