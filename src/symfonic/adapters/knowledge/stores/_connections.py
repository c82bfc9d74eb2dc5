"""Connections to one store file: many readers, one writer, and no error of SQLite's own.

Rules of this module: every connection is opened and closed here; what happens inside a transaction is the caller's
business. A reader connection serves one thread at a time and goes back to a pool, because opening one costs more than a
query. The single writer stands behind a lock; between processes ``BEGIN IMMEDIATE`` and the busy timeout do the same.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import threading
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import StoreError, retrieved_text

from ._place import Identity, ReplacedError, create_file
from ._schema import MISREAD, prepare, require_version

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

IDLE_READERS: Final = 8
"""How many unused reader connections are kept open."""

MOST_SECONDS: Final = 2_147_483
"""Longest busy timeout: SQLite counts milliseconds in 32 bits, and takes what does not fit for not waiting at all."""

_CACHE_KIBIBYTES: Final = 16_384

_CONSEQUENCES: Final = {
    sqlite3.SQLITE_BUSY: (
        "one process writes at a time; another one held the store for longer than the busy timeout and nothing was "
        "changed; try again, or open the store with a longer busy_timeout"
    ),
    sqlite3.SQLITE_READONLY: (
        "a store is written by its owner; the file or its folder is read-only and nothing was changed; change its "
        "permissions, or name another path"
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "a store is a file in a folder that can be written; it could not be opened; check that the path is a file and "
        "who may write its folder"
    ),
    sqlite3.SQLITE_FULL: (
        "a change is stored whole or not at all; the disk is full and nothing was changed; free some space and repeat"
    ),
    sqlite3.SQLITE_IOERR: (
        "a change is stored whole or not at all; the disk reported an error and nothing was changed; check its free "
        "space, and whether files beside the store were deleted while a process had it open: if so, end that process "
        "first"
    ),
    sqlite3.SQLITE_NOTADB: (
        "a store is a SQLite file this product created; this file is none and was left alone; name another path"
    ),
    sqlite3.SQLITE_CORRUPT: (
        "a store's file must be whole; this one is damaged and cannot be relied on; move it away and ingest again"
    ),
    sqlite3.SQLITE_TOOBIG: (
        "SQLite holds up to a gigabyte in one row; this one is larger and nothing was changed; split it"
    ),
}
_ALIASES: Final = {
    sqlite3.SQLITE_LOCKED: sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_PERM: sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_AUTH: sqlite3.SQLITE_CANTOPEN,
}
_DENIED: Final = (
    "a store is read and written by its owner; this account has no permission for the file or for a folder above it, "
    "which does not mean that no store is there, and nothing was changed; change the permissions, or name another path"
)
_OF_THE_FILE_SYSTEM: Final = {
    errno.ENOSPC: sqlite3.SQLITE_FULL,
    errno.EDQUOT: sqlite3.SQLITE_FULL,
    errno.EROFS: sqlite3.SQLITE_READONLY,
    errno.EIO: sqlite3.SQLITE_IOERR,
}
_UNEXPECTED: Final = (
    "the store answers every request that its file allows; this one failed unexpectedly and nothing was changed; "
    "if it fails again, move the file away and ingest again"
)


@contextlib.contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn what SQLite or the file system raises inside into :class:`StoreError`, the cause attached."""
    try:
        yield
    except (sqlite3.Error, sqlite3.Warning, OSError, UnicodeDecodeError) as error:
        # The module decodes SQLite's messages, and one that quotes a damaged file may be no UTF-8.
        raise StoreError(f"{_consequence(error, path)} ({path}: {error})") from error


@contextlib.contextmanager
def _translated_within(path: Path) -> Iterator[None]:
    """As :func:`translated`, for what happens inside a transaction: values of another kind than was written as well.

    What callers hand in is looked at before, so that only the file can be at fault.
    """
    with translated(path):
        try:
            yield
        except UnicodeDecodeError:
            raise
        except MISREAD as error:
            raise StoreError(f"{_CONSEQUENCES[sqlite3.SQLITE_CORRUPT]} ({path}: {error})") from error


def _consequence(error: Exception, path: Path) -> str:
    if isinstance(error, UnicodeDecodeError):
        return _CONSEQUENCES[sqlite3.SQLITE_CORRUPT]
    if isinstance(error, OSError):
        if isinstance(error, PermissionError):
            return _DENIED
        return _CONSEQUENCES[_OF_THE_FILE_SYSTEM.get(error.errno or 0, sqlite3.SQLITE_CANTOPEN)]
    # The lower byte is the kind of the failure, the rest says more about it. Some errors of the module carry no code.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    code = _ALIASES.get(code, code)
    if code == sqlite3.SQLITE_CANTOPEN and _denied(path):
        return _DENIED
    return _CONSEQUENCES.get(code, _UNEXPECTED)


def _denied(path: Path) -> bool:
    """Whether permissions are why SQLite could not open it; it says the same of a file that is missing."""
    asked = ((path, os.R_OK | os.W_OK), (path.parent, os.W_OK | os.X_OK))
    return any(
        os.path.lexists(name) and not os.access(name, mode, effective_ids=os.access in os.supports_effective_ids)
        for name, mode in asked
    )


def require_busy_timeout(seconds: object) -> None:
    """Refuse what SQLite cannot wait for.

    Raises:
        StoreError: It is no such number.
    """
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= MOST_SECONDS:
        raise StoreError(
            f"a busy timeout is a number of seconds from 0 to {MOST_SECONDS}; {seconds!a} was given and nothing was "
            "opened, for SQLite would not wait at all; pass such a number"
        )


class Connections:
    """The pool for one file.

    Args:
        path: The store's file, from the root; it and its folders are created when missing and asked for.
        busy_timeout: How long to wait for another process's write, in seconds.
        create: Whether a missing or empty file becomes a store.

    Raises:
        StoreError: The file cannot be opened or is not a store of this version.
    """

    def __init__(self, path: Path, busy_timeout: float, *, create: bool = True) -> None:
        self._path = path
        self._busy_timeout = busy_timeout
        self._create = create
        self._process = os.getpid()
        self._closed = False
        self._state = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._write_lock = threading.Lock()
        with translated(path):
            if not create:
                path.stat()  # what is not there is refused
            create_file(path)
            try:
                self._open_writer()
            except ReplacedError:
                # A layered file system replaces a file by its copy when it is first opened for writing.
                self._open_writer()

    def _open_writer(self) -> None:
        file = self._path.stat()
        sql = self._open(lambda sql: prepare(sql, self._path, self._busy_timeout, create=self._create))
        try:
            self._identity = Identity(self._path, file)
        except BaseException:
            sql.close()
            raise
        self._writer = sql

    def _open(self, set_up: Callable[[sqlite3.Connection], object]) -> sqlite3.Connection:
        # The URI form with rw never creates a file: a store that was deleted is an error, not an empty store.
        sql = sqlite3.connect(
            f"{self._path.as_uri()}?mode=rw",
            uri=True,
            timeout=self._busy_timeout,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            set_up(sql)
            _configure(sql)
        except BaseException:
            sql.close()
            raise
        return sql

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection inside a read transaction: everything asked within sees one state of the store.

        Raises:
            StoreError: The store is closed, its file is no longer there or no longer of this version, or SQLite failed.
        """
        with _translated_within(self._path):
            sql = self._take()
            try:
                sql.execute("BEGIN")
                require_version(sql, self._path)
                yield sql
                sql.execute("COMMIT")
            except BaseException:
                sql.close()
                raise
            self._give_back(sql)

    def _take(self) -> sqlite3.Connection:
        self.require_open()
        self._require_place()
        with self._state:
            if self._idle:
                return self._idle.pop()
        sql = self._open(lambda sql: sql.execute("PRAGMA query_only = ON"))
        try:
            # Both may have changed while it was opened.
            self.require_open()
            self._require_place()
        except BaseException:
            sql.close()
            raise
        return sql

    def _give_back(self, sql: sqlite3.Connection) -> None:
        with self._state:
            if not self._closed and len(self._idle) < IDLE_READERS:
                self._idle.append(sql)
                return
        sql.close()

    @contextlib.contextmanager
    def writing(self, *, durable: bool = False) -> Iterator[sqlite3.Connection]:
        """The writer inside a transaction that is committed at the end, or rolled back by an exception.

        Args:
            durable: Reach the disk before returning. Otherwise a power cut may take back the last transactions, whole
                ones; the end of the process, however sudden, takes back nothing.

        Raises:
            StoreError: The store is closed, its file is no longer there or no longer of this version, or SQLite failed;
                nothing was changed.
        """
        with self.alone() as sql:
            sql.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            sql.execute("BEGIN IMMEDIATE")
            try:
                require_version(sql, self._path)
                yield sql
                self._identity.require()
                sql.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    sql.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def inspecting(self) -> Iterator[sqlite3.Connection]:
        """The writer inside a transaction that is always rolled back, for checks that SQLite takes for changes."""
        with self.alone() as sql:
            sql.execute("BEGIN IMMEDIATE")
            try:
                require_version(sql, self._path)
                yield sql
            finally:
                # In a damaged file even this may fail; the transaction is gone all the same.
                with contextlib.suppress(sqlite3.Error):
                    sql.execute("ROLLBACK")

    @contextlib.contextmanager
    def alone(self) -> Iterator[sqlite3.Connection]:
        """The writer outside a transaction, for what SQLite does not do inside one."""
        self.require_open()
        with self._write_lock, _translated_within(self._path):
            self.require_open()
            self._require_place()
            yield self._writer

    def _require_place(self) -> None:
        """Refuse files that are no longer those that were opened; those of the log go when the store is closed."""
        try:
            self._identity.require()
        except ReplacedError:
            self.require_open()
            raise

    def require_open(self) -> None:
        """Refuse a request once the store is closed, and in another process than that which opened it.

        Raises:
            StoreError: It is so.
        """
        if self._closed:
            raise StoreError("a closed store answers nothing; the request was not carried out; open the store again")
        if os.getpid() != self._process:
            raise StoreError(
                "a store is used in the process that opened it; SQLite's locks do not survive a fork and the request "
                "was not carried out; open the store again in this process"
            )

    def close(self) -> None:
        """Close every connection; one in use is closed when its reader has finished.

        After a fork the parent's connections are left alone: closing them here could take its locks away.
        """
        if os.getpid() != self._process:
            self._closed = True
            return
        with self._write_lock, self._state, translated(self._path):
            self._closed = True
            while self._idle:
                self._idle.pop().close()
            self._writer.close()


def _configure(sql: sqlite3.Connection) -> None:
    sql.execute("PRAGMA foreign_keys = ON")
    sql.execute(f"PRAGMA cache_size = -{_CACHE_KIBIBYTES}")
    # What is deleted is overwritten with zeros. How SQLite was built must not decide that; it costs at most a
    # twentieth of the time a document takes to be stored.
    sql.execute("PRAGMA secure_delete = ON")
    # A damaged or planted file must not run code or send the parser astray.
    sql.execute("PRAGMA trusted_schema = OFF")
    sql.execute("PRAGMA cell_size_check = ON")
    sql.create_function("retrieved_text", 1, retrieved_text, deterministic=True)
