"""A folder as a store of documents: the name of a document is its path inside the folder.

Rules of this module: standard library only, and it writes nothing. A name is taken apart and walked folder by folder,
each opened inside the one before and no link followed, so nothing outside the folder is read, whatever is swapped while
it looks. Names with a part that begins with a dot are refused, as ingestion does not walk them. Text is UTF-8, and
nothing else is guessed; a byte order mark is no part of it. What is no regular file, or too large, is refused unread.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MAX_DOCUMENT_BYTES", "FolderDocumentStore"]

MAX_DOCUMENT_BYTES: Final = 10 * 2**20
"""Most bytes of one document, where nothing else is said."""


def _flags(*names: str) -> int:
    return os.O_RDONLY | sum(getattr(os, name, 0) for name in names)


# A pipe is not waited for. Without O_PATH a folder that may be passed through but not listed could not be opened.
_FILE_FLAGS: Final = _flags("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_NOCTTY")
_FOLDER_FLAGS: Final = _flags("O_PATH", "O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC")
_ABSENT: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG})


class FolderDocumentStore:
    """Documents that are the UTF-8 text files of a folder and of the folders in it. Safe to use from several threads.

    Every asker sees the same documents: a folder knows no scopes.

    Args:
        path: The folder. A link to it is followed once, here; links inside it never are.
        max_bytes: Most bytes of one document.

    Raises:
        StoreError: There is no folder at ``path``, or ``max_bytes`` is no number of bytes.
    """

    __slots__ = ("_max_bytes", "_root")

    def __init__(self, path: str | os.PathLike[str], *, max_bytes: int = MAX_DOCUMENT_BYTES) -> None:
        if type(max_bytes) is not int or max_bytes < 0:
            raise StoreError(
                "max_bytes must be a plain int of at least 0; the ceiling would not hold and nothing was opened; pass "
                "a number of bytes"
            )
        try:
            self._root = Path(path).resolve(strict=True)
            is_folder = self._root.is_dir()
        except (OSError, ValueError, RuntimeError) as error:
            why = getattr(error, "strerror", None) or type(error).__name__
            raise _no_folder(path, why) from error
        if not is_folder:
            raise _no_folder(path, "it is no folder")
        self._max_bytes = max_bytes

    def get(self, name: str) -> str | None:
        """The text of the file with this name; ``None`` where there is none.

        Args:
            name: Its path inside the folder, with ``/`` between the parts, such as ``policies/leave.md``.

        Raises:
            StoreError: The name leads out of the folder, or is hidden; a link stands in its way; the file is no regular
                one, larger than the ceiling, not UTF-8, or cannot be read.
        """
        parts = _parts_of(name)
        try:
            data = self._data(parts)
        except OSError as error:
            if error.errno in _ABSENT:
                return None
            raise _unread(name, error.strerror or type(error).__name__) from error
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise StoreError(
                f"a document is UTF-8 text; {name!a} is not, at byte {error.start}, and nothing of it was used; save "
                "it as UTF-8, or attach it as a file"
            ) from None  # the error holds the bytes

    def names(self) -> tuple[str, ...]:
        """The names of all documents, sorted by code point: regular files, neither hidden nor behind a link.

        Raises:
            StoreError: A folder cannot be listed.
        """
        try:
            return tuple(sorted(_walk(self._root, "")))
        except OSError as error:
            raise _unread(str(self._root), error.strerror or type(error).__name__) from error

    def _data(self, parts: list[str]) -> bytes:
        """The bytes of a file, reached folder by folder."""
        folder = os.open(self._root, _FOLDER_FLAGS)
        try:
            for part in parts[:-1]:
                below = _opened(part, folder, _FOLDER_FLAGS)
                os.close(folder)
                folder = below
            handle = _opened(parts[-1], folder, _FILE_FLAGS)
        finally:
            os.close(folder)
        try:
            return self._bytes_of(handle, "/".join(parts))
        finally:
            os.close(handle)

    def _bytes_of(self, handle: int, name: str) -> bytes:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise _unread(name, "only regular files are read")
        data = bytearray()
        while status.st_size <= self._max_bytes and len(data) <= self._max_bytes:
            piece = os.read(handle, min(2**20, self._max_bytes + 1 - len(data)))
            if not piece:
                return bytes(data)
            data += piece
        size = max(status.st_size, len(data))
        raise _unread(name, f"it has {size:,} bytes, more than the {self._max_bytes:,} a document may have")


def _opened(part: str, folder: int, flags: int) -> int:
    """Open one name inside a folder; one that is a link is told as such.

    Raises:
        StoreError: It is a link.
        OSError: It cannot be opened.
    """
    try:
        return os.open(part, flags, dir_fd=folder)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENOTDIR, errno.EMLINK} and _is_link(part, folder):
            raise _unread(part, "links are not followed, wherever they lead") from error
        raise


def _is_link(part: str, folder: int) -> bool:
    return stat.S_ISLNK(os.stat(part, dir_fd=folder, follow_symlinks=False).st_mode)


def _parts_of(name: object) -> list[str]:
    """The parts of a name that stays inside the folder.

    Raises:
        StoreError: It does not, or is none.
    """
    if isinstance(name, str) and _is_plain(name):
        parts = name.split("/")
        if not any(part.startswith(".") or not part for part in parts):
            return parts
    shown = ascii(name)[:80] if isinstance(name, str) else f"a {type(name).__name__}"
    raise StoreError(
        f"a document is named by its path inside the folder, with / between the parts; {shown} leads out of it, is "
        "hidden or names nothing, and nothing was read; give a name such as policies/leave.md"
    )


def _is_plain(name: str) -> bool:
    """Whether a name has a UTF-8 form and holds nothing that parts a path elsewhere."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return not {"\0", "\\"}.intersection(name)


def _walk(folder: Path, before: str) -> Iterator[str]:
    """Names of what :meth:`FolderDocumentStore.get` may read, without recursion: how deep a tree is must not matter."""
    pending = [(folder, before)]
    while pending:
        place, path = pending.pop()
        with os.scandir(place) as entries:
            for entry in entries:
                name = path + entry.name
                if entry.name.startswith(".") or not _is_plain(name):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    pending.append((Path(entry.path), f"{name}/"))
                elif entry.is_file(follow_symlinks=False):
                    yield name


def _no_folder(path: object, why: str) -> StoreError:
    return StoreError(
        f"documents are read from a folder; there is none at {str(path)!a} ({why}) and nothing was opened; name a "
        "folder that is there"
    )


def _unread(name: str, why: str) -> StoreError:
    return StoreError(
        f"a document is a regular file inside its folder; {name!a} cannot be read ({why}) and nothing of it was used; "
        "correct the file, or leave its name out"
    )
