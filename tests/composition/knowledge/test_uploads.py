"""Documents that are sent are stored under their names, behind the same wall and by the same settings as files."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import Removal
from symfonic.composition.knowledge import (
    InputError,
    KnowledgeBase,
    ScopeError,
    Settings,
    StoreFailedError,
    Upload,
    remove_document,
    upload,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    """An empty knowledge base."""
    with KnowledgeBase.open(tmp_path / "k.db", settings=Settings(max_file_bytes=100)) as opened:
        yield opened


def sent(name: Any, data: bytes = b"Bay 7 is free.") -> Upload:
    """A file as a server hands it over."""
    return Upload(name=name, data=io.BytesIO(data))


@pytest.mark.requirement("HTTP-DOC-2")
def test_a_name_is_an_identity_within_its_scope(base: KnowledgeBase) -> None:
    """The same name at two scopes is two documents."""
    upload(base, [sent("a.md")], scope="tenant\x1facme")
    upload(base, [sent("a.md")])
    stored = [(one.document.scope_path, one.document.origin, one.document.file) for one in base.documents()]
    assert stored == [("", "upload:a.md", "a.md"), ("tenant\x1facme", "upload:a.md", "a.md")]


@pytest.mark.requirement("HTTP-DOC-1")
def test_a_file_over_the_settings_ceiling_is_not_read_to_its_end(base: KnowledgeBase) -> None:
    """It has the outcome of any such file."""
    endless = sent("big.txt", b"x " * 5_000_000)
    report = upload(base, [endless, sent("a.md")])
    assert [one.outcome.value for one in report.items] == ["too-large", "ingested"]
    assert endless.data.tell() == 101


@pytest.mark.requirement("HTTP-DOC-1")
@pytest.mark.parametrize("name", ["", "/", "..", ".", "a/..", "\u200b", "x" * 256, None])
def test_a_file_without_a_name_stores_nothing(base: KnowledgeBase, name: Any) -> None:
    """Not even the good ones beside it."""
    with pytest.raises(InputError, match="has a name of 1 to 255 characters"):
        upload(base, [sent("a.md"), sent(name)])
    assert base.documents() == ()


@pytest.mark.requirement("HTTP-DOC-1")
def test_no_file_at_all_is_refused(base: KnowledgeBase) -> None:
    """It would look like success."""
    with pytest.raises(InputError, match="there was none"):
        upload(base, [])


@pytest.mark.requirement("HTTP-DOC-1")
@pytest.mark.parametrize("name", ["a\x00b.md", "a\nb.md", "caf\u00e9\ud800.md", "..\\..\\b.md", "/etc/passwd.md"])
def test_no_name_leads_anywhere(base: KnowledgeBase, name: str) -> None:
    """Every byte of it is a name."""
    report = upload(base, [sent(name)])
    assert [one.outcome.value for one in report.items] == ["ingested"]
    assert base.documents()[0].document.origin.startswith("upload:")


@pytest.mark.requirement("HTTP-DOC-3")
def test_what_is_not_there_is_not_removed(base: KnowledgeBase) -> None:
    """And a name that is no text is refused."""
    upload(base, [sent("a.md")])
    assert remove_document(base, "upload:*") == Removal()
    assert remove_document(base, "upload:a.md", scope="tenant\x1facme") == Removal()
    wrong: Any = 3
    with pytest.raises(InputError, match="not int"):
        remove_document(base, wrong)
    with pytest.raises(ScopeError):
        remove_document(base, "upload:a.md", scope="")
    assert remove_document(base, "upload:a.md").documents == 1


@pytest.mark.requirement("HTTP-DOC-1")
def test_a_store_that_is_closed_says_so(base: KnowledgeBase) -> None:
    """As for any other ingestion."""
    base.close()
    with pytest.raises(StoreFailedError):
        upload(base, [sent("a.md")])
