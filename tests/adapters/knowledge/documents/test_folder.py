"""A folder of documents: what its names may reach, and what they never reach."""

from __future__ import annotations

import contextlib
import errno
import os
import threading
from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.documents.folder import MAX_DOCUMENT_BYTES, FolderDocumentStore
from symfonic.adapters.knowledge.ports import StoreError
from symfonic.capabilities.knowledge import DocumentSource, DocumentStore

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Documents beside a file that none of their names may reach."""
    (tmp_path / "secret.txt").write_text("secret")
    docs = tmp_path / "docs"
    (docs / "policies").mkdir(parents=True)
    (docs / "handbook.md").write_text("# Handbook\n\nBe kind.\n")
    (docs / "policies" / "leave.md").write_bytes("\ufeffThirty days – at least.\r\n".encode())
    (docs / ".hidden").write_text("hidden")
    return docs


@pytest.mark.requirement("ST-DOC-1")
def test_a_name_is_a_path_inside_the_folder(folder: Path) -> None:
    """Text comes back as it stands, without a byte order mark; a name that nothing has is answered with None."""
    store = FolderDocumentStore(folder)
    assert isinstance(store, DocumentStore)
    assert store.get("handbook.md") == "# Handbook\n\nBe kind.\n"
    assert store.get("policies/leave.md") == "Thirty days – at least.\r\n"
    for absent in ("nothing.md", "policies/nothing.md", "nowhere/leave.md", "handbook.md/leave.md", "a" * 5000):
        assert store.get(absent) is None


@pytest.mark.requirement("ST-DOC-2")
@pytest.mark.parametrize(
    "name",
    [
        "../secret.txt",
        "policies/../../secret.txt",
        "/etc/passwd",
        "//etc/passwd",
        "",
        ".",
        "..",
        "./handbook.md",
        "policies/",
        "policies//leave.md",
        ".hidden",
        "policies/.hidden/leave.md",
        "..\\secret.txt",
        "handbook.md\0.txt",
        "\udc80.md",
        b"handbook.md",
        None,
    ],
)
def test_names_that_lead_out_or_are_hidden_are_refused(folder: Path, name: str) -> None:
    """Nothing is opened for a name that is no plain path inside the folder."""
    with pytest.raises(StoreError, match=r"^a document is named by its path inside the folder, with / between"):
        FolderDocumentStore(folder).get(name)


@pytest.mark.requirement("ST-DOC-2")
def test_links_are_not_followed_wherever_they_lead(folder: Path) -> None:
    """A link to a file or a folder, inside or outside, is refused and listed nowhere."""
    (folder / "out.md").symlink_to(folder.parent / "secret.txt")
    (folder / "in.md").symlink_to("handbook.md")
    (folder / "nowhere.md").symlink_to("nothing.md")
    (folder / "up").symlink_to(folder.parent)
    store = FolderDocumentStore(folder)
    for name in ("out.md", "in.md", "nowhere.md", "up/secret.txt"):
        with pytest.raises(StoreError, match=r"cannot be read \(links are not followed, wherever they lead\)"):
            store.get(name)
    assert store.names() == ("handbook.md", "policies/leave.md")


@pytest.mark.requirement("ST-DOC-2")
def test_a_folder_that_becomes_a_link_meanwhile_leads_nowhere(folder: Path) -> None:
    """Swapped as often as it may be while it is read, no text from outside comes back."""
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / "leave.md").write_text("secret")
    place, aside, stop = folder / "policies", folder / "aside", threading.Event()

    def swap() -> None:
        while not stop.is_set():
            place.rename(aside)
            place.symlink_to(outside)
            place.unlink()
            aside.rename(place)

    store, seen = FolderDocumentStore(folder), set[str | None]()
    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        for _ in range(300):
            with contextlib.suppress(StoreError):
                seen.add(store.get("policies/leave.md"))
    finally:
        stop.set()
        swapping.join()
    assert seen <= {"Thirty days – at least.\r\n", None}


@pytest.mark.requirement("ST-DOC-3")
def test_what_is_no_regular_file_or_too_large_is_refused_unread(folder: Path) -> None:
    """A folder and a pipe are no documents; the ceiling holds to the byte."""
    os.mkfifo(folder / "pipe.md")
    (folder / "big.md").write_text("x" * 11)
    store = FolderDocumentStore(folder, max_bytes=10)
    for name in ("policies", "pipe.md"):
        with pytest.raises(StoreError, match="only regular files are read"):
            store.get(name)
    with pytest.raises(StoreError, match="it has 11 bytes, more than the 10 a document may have"):
        store.get("big.md")
    assert FolderDocumentStore(folder, max_bytes=11).get("big.md") == "x" * 11
    assert MAX_DOCUMENT_BYTES == 10 * 1024 * 1024


@pytest.mark.requirement("ST-DOC-3")
def test_text_is_strictly_utf8(folder: Path) -> None:
    """Nothing is guessed, and the message says where the first wrong byte stands, not what it is."""
    (folder / "old.md").write_bytes(b"caf\xe9 secret")
    with pytest.raises(StoreError, match=r"^a document is UTF-8 text; 'old.md' is not, at byte 3, ") as refusal:
        FolderDocumentStore(folder).get("old.md")
    assert (refusal.value.__cause__, "secret" in str(refusal.value)) == (None, False)


@pytest.mark.requirement("ST-DOC-3")
def test_what_the_system_refuses_is_told_in_its_words(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that may not be read, and a folder that is gone, are a StoreError each."""
    store = FolderDocumentStore(folder)

    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", refuse)
        with pytest.raises(StoreError, match=r"'handbook.md' cannot be read \(Permission denied\)"):
            store.get("handbook.md")
    folder.rename(folder.parent / "elsewhere")
    with pytest.raises(StoreError, match=r"cannot be read \(No such file or directory\)"):
        store.names()


@pytest.mark.requirement("ST-DOC-4")
def test_names_lists_what_get_answers_sorted(folder: Path) -> None:
    """Every listed name is answered with text; order is by code point, whatever order the folder has."""
    for name in ("b.md", "a.md", "ä.md", "B.md"):
        (folder / name).write_text(name)
    (folder / "back\\slash.md").write_text("never")
    store = FolderDocumentStore(folder)
    names = store.names()
    assert names == ("B.md", "a.md", "b.md", "handbook.md", "policies/leave.md", "ä.md")
    assert all(isinstance(store.get(name), str) for name in names)


@pytest.mark.requirement("ST-DOC-1")
def test_a_folder_is_needed_and_a_bad_name_costs_itself(folder: Path) -> None:
    """A file or nothing is refused when it is opened; a name that is refused costs itself."""
    for path in (folder / "nothing", folder / "handbook.md", "a\0b"):
        with pytest.raises(StoreError, match=r"^documents are read from a folder; there is none at "):
            FolderDocumentStore(path)
    with pytest.raises(StoreError, match=r"^max_bytes must be a plain int of at least 0; "):
        FolderDocumentStore(folder, max_bytes=True)
    store = FolderDocumentStore(folder)
    selection = DocumentSource(store, ["handbook.md", "../secret.txt"]).select()
    assert selection.text == "DOCUMENT SOURCE [handbook.md]:\n| # Handbook\n|\n| Be kind."
    assert [(name, reason.code.value) for name, reason in selection.dropped] == [("../secret.txt", "store-failed")]
