"""Which paths can hold a store, and what an open one does when its path leads somewhere else."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document, StoreError
from symfonic.adapters.knowledge.stores import _connections
from symfonic.adapters.knowledge.stores._connections import translated
from symfonic.adapters.knowledge.stores._place import COMPANION_BYTES, MAX_PATH_BYTES, Identity, ReplacedError
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_NAME = os.pathconf("/", "PC_NAME_MAX") - COMPANION_BYTES


def put(store: SqliteStore, name: str) -> None:
    """Store one document of one passage."""
    store.put(Document(scope_path="", origin=name, file=name, digest=""), [Chunk(text="apple", label=name, ordinal=0)])


def rename_linked(store: SqliteStore, link: Path) -> None:
    """Change a document, and give the file a second name before the change is stored."""
    with store._connections.writing() as sql:
        sql.execute("UPDATE document SET file = 'second'")
        link.hardlink_to(store.path)


def files(store: SqliteStore) -> list[str]:
    """What is stored."""
    return [record.document.file for record in store.documents()]


@pytest.mark.requirement("ST-FILE-5")
def test_a_file_with_two_names_is_refused_under_either(tmp_path: Path) -> None:
    """Each would have a write-ahead log of its own. What was stored is there again once one name is gone."""
    one, two = tmp_path / "one.db", tmp_path / "two.db"
    with SqliteStore(one) as store:
        put(store, "first")
    two.hardlink_to(one)
    for path in (one, two):
        with pytest.raises(StoreError, match=rf"a store's file has one name; {path} has 2 \(hard links\), .* remove"):
            SqliteStore(path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["one.db", "two.db"]
    one.unlink()
    with SqliteStore(two) as store:
        assert files(store) == ["first"]


@pytest.mark.requirement("ST-FILE-5")
def test_an_open_store_whose_file_gets_a_second_name_refuses_until_it_is_gone(tmp_path: Path) -> None:
    """Reading and writing; nothing of the request is stored."""
    link = tmp_path / "backup.db"
    with SqliteStore(tmp_path / "s.db") as store:
        put(store, "first")
        link.hardlink_to(store.path)
        with pytest.raises(StoreError, match="a store's file has one name"):
            put(store, "second")
        with pytest.raises(StoreError, match="a store's file has one name"):
            store.search("apple", 3)
        link.unlink()
        assert files(store) == ["first"]
        put(store, "third")
        with pytest.raises(StoreError, match="a store's file has one name"):
            rename_linked(store, link)
        link.unlink()
        assert files(store) == ["first", "third"]
        assert store.check() == ()


@pytest.mark.requirement("ST-FILE-3")
def test_a_relative_path_names_one_file_wherever_the_process_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Connections opened later lead to the file the first one led to."""
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
        monkeypatch.chdir(folder)
        with SqliteStore("s.db") as store:
            put(store, folder.name)
    monkeypatch.chdir(here)
    with SqliteStore("s.db") as store:
        monkeypatch.chdir(there)
        assert store.path == here / "s.db"
        assert files(store) == ["here"]
        put(store, "more")
        assert files(store) == ["here", "more"]
    with SqliteStore(here / "s.db") as store:
        assert files(store) == ["here", "more"]


def test_a_relative_path_in_a_folder_that_is_gone_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing it could be relative to."""
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    with pytest.raises(StoreError, match="that folder is gone and nothing was opened"):
        SqliteStore("s.db")


def test_a_link_to_a_store_is_followed_and_kept(tmp_path: Path) -> None:
    """The files beside the store lie where it lies."""
    (tmp_path / "far").mkdir()
    with SqliteStore(tmp_path / "far" / "s.db") as store:
        put(store, "a")
    link = tmp_path / "link.db"
    link.symlink_to(tmp_path / "far" / "s.db")
    with SqliteStore(link) as store:
        put(store, "b")
        assert (store.path, files(store)) == (link, ["a", "b"])
        written = sum((tmp_path / "far" / name).stat().st_size for name in ("s.db", "s.db-wal"))
        assert store.stats().file_bytes == written
    link.unlink()
    link.symlink_to(tmp_path / "nothing")
    with pytest.raises(StoreError, match=r"is a link to .*nothing, which is not there, and nothing was created"):
        SqliteStore(link)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["far", "link.db"]


def delete(path: Path) -> None:
    """The file alone goes."""
    path.unlink()


def delete_all(path: Path) -> None:
    """The file and what SQLite keeps beside it."""
    for file in path.parent.iterdir():
        file.unlink()


def replace(path: Path) -> None:
    """Another store takes its name, as a restored backup does."""
    other = path.with_name("other.db")
    SqliteStore(other).close()
    other.replace(path)


def overwrite_by_copy(path: Path) -> None:
    """The same bytes under the same name are another file all the same."""
    shutil.copy(path, path.with_name("copy"))
    path.with_name("copy").replace(path)


def delete_log(path: Path) -> None:
    """Changes are written there first."""
    path.with_name(f"{path.name}-wal").unlink()


def delete_log_index(path: Path) -> None:
    """Processes share their locks there."""
    path.with_name(f"{path.name}-shm").unlink()


def move_folder(path: Path) -> None:
    """The folder above goes elsewhere and a file takes its name."""
    path.parent.rename(path.parent.with_name("elsewhere"))
    path.parent.write_text("")


@pytest.mark.requirement("ST-FILE-3")
@pytest.mark.parametrize(
    "change", [delete, delete_all, replace, overwrite_by_copy, delete_log, delete_log_index, move_folder]
)
def test_a_store_whose_files_went_away_while_open_refuses_every_request(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    """What it would write is lost, and what it would read is no longer what others read."""
    path = tmp_path / "folder" / "s.db"
    with SqliteStore(path) as store:
        put(store, "a")
        assert files(store) == ["a"]  # a reader is idle
        change(path)
        for request in (
            lambda: put(store, "b"),
            lambda: store.forget("a", scope_path=""),
            store.vacuum,
            store.revision,
            lambda: store.search("apple", 1),
        ):
            with pytest.raises(StoreError, match="was deleted, moved or replaced since, and the request was not"):
                request()


@pytest.mark.requirement("ST-FILE-3")
def test_a_file_deleted_while_a_document_is_stored_is_told(path: Path) -> None:
    """Nobody is told that a change was made which nobody can find."""

    def interrupted(store: SqliteStore) -> None:
        with store._connections.writing() as sql:
            sql.execute("UPDATE state SET revision = 7")
            path.unlink()

    with SqliteStore(path) as store, pytest.raises(ReplacedError):
        interrupted(store)


def test_a_store_put_back_goes_on(path: Path) -> None:
    """It is the same file again."""
    with SqliteStore(path) as store:
        put(store, "a")
        path.rename(path.with_name("aside"))
        with pytest.raises(ReplacedError):
            store.stats()
        path.with_name("aside").rename(path)
        put(store, "b")
        assert files(store) == ["a", "b"]


def test_a_new_store_takes_over_nothing_of_a_deleted_one(path: Path) -> None:
    """A log without its file belongs to a process that still has the file open."""
    with SqliteStore(path) as store:
        put(store, "a")
        path.unlink()
        with pytest.raises(StoreError, match=r"knowledge.sqlite3-wal, .*-shm is left of one whose file was deleted"):
            SqliteStore(path)
        assert not path.exists()
    for file in path.parent.iterdir():
        file.unlink()
    with SqliteStore(path) as store:
        assert files(store) == []


def test_a_file_replaced_by_its_copy_when_it_is_opened_is_opened_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Layered file systems do that once; what does it again is no place for a store."""
    with SqliteStore(path) as store:
        put(store, "a")
    seen: list[Path] = []

    def opened(times: int) -> Callable[[Path, os.stat_result], Identity]:
        def identify(place: Path, file: os.stat_result) -> Identity:
            seen.append(place)
            if len(seen) <= times:
                file = os.stat_result((*file[:1], file.st_ino + 1, *file[2:10]))
            return Identity(place, file)

        return identify

    monkeypatch.setattr(_connections, "Identity", opened(1))
    with SqliteStore(path) as store:
        assert (files(store), len(seen)) == (["a"], 2)
    seen.clear()
    monkeypatch.setattr(_connections, "Identity", opened(2))
    with pytest.raises(ReplacedError):
        SqliteStore(path)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.requirement("ST-FILE-4")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("n" * (LONGEST_NAME + 1), f"this one has {LONGEST_NAME + 1} of the"),
        ("é" * (LONGEST_NAME // 2 + 1), "choose a shorter name"),
        ("new/" + "n" * 300, "this one has 300 of the"),
        ("new/" + "n" * 300 + "/s.db", "choose a shorter path"),
        ("new/" + "n/" * 300 + "s.db", f"a store's path has up to {MAX_PATH_BYTES} bytes"),
        ("new\0/s.db", "a path holds no NUL"),
    ],
)
def test_a_path_with_no_room_is_refused_before_anything_is_created(tmp_path: Path, name: str, message: str) -> None:
    """Neither the file nor a folder is left behind."""
    with pytest.raises(StoreError, match=message):
        SqliteStore(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_the_longest_names_and_paths_hold_a_store(tmp_path: Path) -> None:
    """To the byte."""
    room = MAX_PATH_BYTES - len(os.fsencode(tmp_path))
    for path in (tmp_path / ("n" * LONGEST_NAME), tmp_path / (("n" * 99 + "/") * 9)[: room - 1]):
        with SqliteStore(path) as store:
            put(store, "a")
            assert files(store) == ["a"]


def test_a_link_with_a_short_name_needs_room_where_it_leads(tmp_path: Path) -> None:
    """SQLite keeps its files there."""
    (tmp_path / ("n" * 255)).touch()
    (tmp_path / "s.db").symlink_to(tmp_path / ("n" * 255))
    with pytest.raises(StoreError, match="this one has 255 of the"):
        SqliteStore(tmp_path / "s.db")


def pipe(path: Path) -> Path:
    """Opening it would wait for ever."""
    os.mkfifo(path)
    return path


def listening(path: Path) -> Path:
    """A socket bound to that name."""
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as bound:
        bound.bind(os.fspath(path.relative_to(Path.cwd())))
    return path


@pytest.mark.requirement("ST-FILE-4")
@pytest.mark.usefixtures("deadline")
@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda _: Path("/dev/null"), "a device"),
        (lambda _: Path("/"), "a folder"),
        (lambda _: Path(), "a folder"),
        (pipe, "a pipe"),
        (listening, "a socket"),
    ],
)
def test_what_is_no_regular_file_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], Path], kind: str
) -> None:
    """By its name, and nothing is done to it."""
    monkeypatch.chdir(path.parent)
    place = make(path)
    with pytest.raises(StoreError, match=f"a store is a regular file; .* is {kind} and was left alone"):
        SqliteStore(place)


DENIED = """
import os, sys
from symfonic.adapters.knowledge.ports import StoreError
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
if os.geteuid() == 0:
    os.seteuid(65534)
try:
    SqliteStore(sys.argv[1])
except StoreError as error:
    print(error)
"""


@pytest.mark.requirement("ST-FILE-4")
@pytest.mark.parametrize(
    ("above", "mode"), [(0o700, 0o000), (0o000, 0o600), (0o600, 0o600)], ids=["file", "folder", "no way in"]
)
def test_what_may_not_be_opened_is_told_as_a_matter_of_permission(tmp_path: Path, above: int, mode: int) -> None:
    """Never as absence: whoever believes that makes a second store."""
    folder = tmp_path / "folder"
    with SqliteStore(folder / "s.db") as store:
        put(store, "a")
    (folder / "s.db").chmod(mode)
    folder.chmod(above)
    try:
        said = subprocess.run(
            [sys.executable, "-c", DENIED, str(folder / "s.db")],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
    finally:
        folder.chmod(0o700)
    assert "this account has no permission for the file or for a folder above it" in said
    assert "does not mean that no store is there" in said


def test_permission_is_found_out_where_sqlite_only_says_that_it_could_not_open(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says the same of a file that is missing."""
    error = sqlite3.OperationalError("unable to open database file")
    error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
    with pytest.raises(StoreError, match="it could not be opened"), translated(path):
        raise error
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    with pytest.raises(StoreError, match="no permission"), translated(path):
        raise error
