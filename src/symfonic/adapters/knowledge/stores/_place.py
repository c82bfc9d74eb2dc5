"""Where a store lies: which paths can hold one, and whether the path still leads to the file that is open.

Rules of this module: it looks at names, kinds and identities of files and makes the empty file; it never opens one that
is there. (Closing any handle of a file gives up every lock this process has on it, those of SQLite included.)

SQLite keeps two files beside an open store, ``-wal`` and ``-shm``, beside the file itself where the path is a link. All
three are found by name whenever a connection is opened, and written by handle afterwards. Where a name has come to lead
to another file, the two part: what is written is lost, and other processes read something else. So identities are taken
when the store is opened and compared ever after.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable

COMPANION_BYTES: Final = 32
"""Bytes a store's name leaves for what is kept beside it under the same name.

SQLite's ``-journal`` takes 8; the rest is for the files of the application, such as a key and the name it is written
under before it is complete.
"""

MAX_PATH_BYTES: Final = 504
"""Longest path SQLite opens on a POSIX system: 512 bytes with ``-journal`` behind it."""

_KINDS: Final = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)


def absolute(path: str | os.PathLike[str]) -> Path:
    """``path`` from the root, so that it names one file wherever the process goes; links in it are kept.

    Raises:
        StoreError: It cannot be a path, or is relative and the current folder is gone.
    """
    named = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(named, str):
        raise StoreError(
            f"a store's path is text or a Path; {type(path).__name__} was given and nothing was opened; pass one"
        )
    if "\0" in named:
        raise StoreError("a path holds no NUL; this one does and nothing was opened; name another path")
    try:
        os.fsencode(named)
    except UnicodeEncodeError as error:
        raise StoreError(
            f"a path can be written in the file system's encoding; {named!a} cannot and nothing was opened; name "
            "another path"
        ) from error
    try:
        return Path(path).absolute()
    except FileNotFoundError as error:
        raise StoreError(
            f"a relative path begins at the current folder; that folder is gone and nothing was opened ({path}); name "
            "the path from the root"
        ) from error


def create_file(path: Path) -> None:
    """Make an empty file only its owner can read, with its parent folders, unless there is one.

    The write-ahead log takes over the file's permissions.

    Raises:
        StoreError: No store can be at that path; nothing was created.
        OSError: The file system refused.
    """
    real = Path(os.path.realpath(path))
    _refuse_long({path, real})
    _refuse_irregular(path, real)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Looked for before the file is made: whoever makes it at the same time makes these after it.
    orphans = [name for name in (f"{path}-wal", f"{path}-shm", f"{path}-journal") if os.path.lexists(name)]
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        if orphans:
            path.unlink()
            raise StoreError(
                f"a new store begins with nothing beside it; {', '.join(orphans)} is left of one whose file was "
                "deleted, perhaps while a process had it open, and nothing was created; end that process, then put the "
                "file back or delete what is left of it"
            )


def _refuse_long(paths: Iterable[Path]) -> None:
    for path in paths:
        limit = _longest_name(path.parent)
        taken = len(os.fsencode(path.name))
        if taken > limit - COMPANION_BYTES:
            raise StoreError(
                f"a store's name leaves {COMPANION_BYTES} bytes for the files beside it; this one has {taken} of the "
                f"{limit} bytes the file system allows and nothing was created ({path}); choose a shorter name"
            )
        if any(len(os.fsencode(part)) > limit for part in path.parts) or len(os.fsencode(path)) > MAX_PATH_BYTES:
            raise StoreError(
                f"a store's path has up to {MAX_PATH_BYTES} bytes, and each folder's name up to {limit}; this one is "
                f"longer and nothing was created ({path}); choose a shorter path"
            )


def _longest_name(folder: Path) -> int:
    """What the file system of the nearest folder that exists allows, in bytes."""
    while not os.path.isdir(folder) and folder != folder.parent:  # noqa: PTH112 - Path.is_dir raises where it is locked
        folder = folder.parent
    return os.pathconf(folder, "PC_NAME_MAX")


def _refuse_irregular(path: Path, real: Path) -> None:
    try:
        found = path.stat()
    except FileNotFoundError:
        if not path.is_symlink():
            return
        raise StoreError(
            f"a store is a file; {path} is a link to {real}, which is not there, and nothing was created; name that "
            "path itself, or remove the link"
        ) from None
    if not stat.S_ISREG(found.st_mode):
        kind = next((name for matches, name in _KINDS if matches(found.st_mode)), "something else")
        raise StoreError(
            f"a store is a regular file; {path} is {kind} and was left alone; name a file, one that need not exist yet"
        )
    _refuse_linked(path, found)


def _refuse_linked(path: str | Path, found: os.stat_result) -> None:
    """Refuse a file of several names: SQLite finds the log by the name, so there would be a log for each."""
    if found.st_nlink > 1:
        raise StoreError(
            f"a store's file has one name; {path} has {found.st_nlink} (hard links), each with a write-ahead log of "
            "its own, and the request was not carried out, for what is written under one is lost under the other; "
            "remove the other names, or make a copy in their place"
        )


class ReplacedError(StoreError):
    """A file of an open store is gone, or another one has its name."""


class Identity:
    """The files of an open store as they were found when it was opened.

    Args:
        path: The store's file, from the root. A connection to it is open and has read from it, so that all files exist.
        file: The store's file as it was just before that connection was opened.

    Raises:
        ReplacedError: One is gone already, or another one has its name.
        StoreError: The store's file has another name beside it.
        OSError: One cannot be looked at.
    """

    __slots__ = ("_file", "_found")

    def __init__(self, path: Path, file: os.stat_result) -> None:
        self._file = str(path)
        real = os.path.realpath(path)
        self._found = {self._file: _identity(file)}
        for name in (f"{real}-wal", f"{real}-shm"):
            self._found[name] = _identity(_stat(name))
        self.require()

    def require(self) -> None:
        """Compare the files with those found at first: three calls of ``stat``, a few microseconds.

        Raises:
            ReplacedError: One is gone, or another one has its name.
            StoreError: The store's file was given another name beside it.
            OSError: One cannot be looked at.
        """
        for name, found in self._found.items():
            try:
                file = _stat(name)
            except (FileNotFoundError, NotADirectoryError):
                file = None
            if file is None or _identity(file) != found:
                raise ReplacedError(
                    f"an open store works on the files its path led to; {name} was deleted, moved or replaced since, "
                    "and the request was not carried out, for it would be lost; close this store, see to the files, "
                    "and open it again"
                )
            if name == self._file:
                _refuse_linked(name, file)


def _stat(name: str) -> os.stat_result:
    return os.stat(name)  # noqa: PTH116 - in the way of every transaction, and several times faster


def _identity(file: os.stat_result) -> tuple[int, int]:
    return file.st_dev, file.st_ino
