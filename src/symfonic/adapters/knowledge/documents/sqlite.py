"""Whole documents in a file of their own, by scope and name.

Rules of this module: standard library only. A document is seen where it was stored and below, nowhere else: membership
is exact, over the ancestors of the asking scope path, and never a comparison of beginnings. Where several are seen
under one name, the one stored nearest to the asking scope wins, so that a tenant's handbook takes the place of
everybody's. Every change is one transaction. Nothing of SQLite's own is raised.

The file is write-ahead logged: several processes may read while one writes. It is no store of passages and refuses to
open one, as that refuses this.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import StoreError
from symfonic.capabilities.knowledge import BridgeContractError, scope_ancestors, shows_blank

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import Self

__all__ = ["SCHEMA_VERSION", "SqliteDocumentStore"]

SCHEMA_VERSION: Final = 1
"""Version of the tables; a file of another one is left alone."""

_APPLICATION_ID: Final = 0x53594B44
_TABLE: Final = """
CREATE TABLE document (
    scope_path TEXT NOT NULL,
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (scope_path, name)
)"""
_PUT: Final = (
    "INSERT INTO document (scope_path, name, content) VALUES (?, ?, ?) "
    "ON CONFLICT (scope_path, name) DO UPDATE SET content = excluded.content"
)
_NEW: Final = (0, 0, 0)
_RETRY_SECONDS: Final = 0.01
_REMEDIES: Final = {
    sqlite3.SQLITE_BUSY: "another process held it for longer than the busy timeout; try again",
    sqlite3.SQLITE_READONLY: "it is read-only; change its permissions, or name another path",
    sqlite3.SQLITE_CANTOPEN: "it could not be opened; check the path and who may write its folder",
    sqlite3.SQLITE_FULL: "the disk is full; free some space and repeat",
    sqlite3.SQLITE_NOTADB: "it is no SQLite file and was left alone; name another path",
    sqlite3.SQLITE_CORRUPT: "it is damaged; move it away and store the documents again",
}


class SqliteDocumentStore:
    """Documents kept by scope path and name. Safe to use from several threads, and from several processes.

    Args:
        path: The file; made where there is none, readable by its owner only. Its folder has to be there.
        busy_timeout: Most seconds to wait for another process that writes.

    Raises:
        StoreError: The file cannot be opened, belongs to another program, or has another schema.
    """

    __slots__ = ("_busy_timeout", "_lock", "_sql", "path")

    def __init__(self, path: str | os.PathLike[str], *, busy_timeout: float = 5.0) -> None:
        self.path = Path(path)
        self._busy_timeout = busy_timeout
        self._lock = threading.RLock()
        self._sql: sqlite3.Connection | None = None
        with self._translated():
            with contextlib.suppress(FileExistsError):  # made here, so that it is private before anything is in it
                os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
            sql = sqlite3.connect(self.path, timeout=busy_timeout, isolation_level=None, check_same_thread=False)
            try:
                self._prepare(sql)
            except BaseException:
                sql.close()
                raise
        self._sql = sql

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the file. Calling it twice is fine; any other call afterwards raises StoreError."""
        with self._lock, self._translated():
            sql, self._sql = self._sql, None
            if sql is not None:
                sql.close()

    def put(self, name: str, text: str, *, scope_path: str = "") -> None:
        """Store a document; one of that name stored exactly at ``scope_path`` is replaced.

        Args:
            name: Its name, any text that shows something.
            text: Its text.
            scope_path: Who may see it: this scope and everything below it. ``""`` is everybody.

        Raises:
            StoreError: Name or text is no text with a UTF-8 form, the scope path is none, or the file fails.
        """
        row = (_ancestors(scope_path)[-1], _checked_name(name), _checked_text(text))
        with self._transaction(write=True) as sql:
            sql.execute(_PUT, row)

    def get(self, name: str, *, scope_path: str = "") -> str | None:
        """The document of that name stored at ``scope_path`` or the nearest ancestor that has one; ``None`` for none.

        Raises:
            StoreError: The scope path is none, or the file fails.
        """
        paths, asked = _ancestors(scope_path), _checked_name(name)
        marks = ", ".join("?" * len(paths))
        query = f"SELECT scope_path, content FROM document WHERE name = ? AND scope_path IN ({marks})"  # noqa: S608 - marks
        with self._transaction() as sql:
            found: dict[str, str] = dict(sql.execute(query, (asked, *paths)).fetchall())
        return next((found[path] for path in reversed(paths) if path in found), None)

    def remove(self, name: str, *, scope_path: str = "") -> bool:
        """Remove the document of that name stored exactly at ``scope_path``, and tell whether there was one.

        Raises:
            StoreError: The scope path is none, or the file fails; nothing was removed.
        """
        row = (_ancestors(scope_path)[-1], _checked_name(name))
        with self._transaction(write=True) as sql:
            return sql.execute("DELETE FROM document WHERE scope_path = ? AND name = ?", row).rowcount == 1

    def names(self, *, scope_path: str = "") -> tuple[str, ...]:
        """The names that can be asked for at ``scope_path``, its ancestors' included, sorted by code point.

        Raises:
            StoreError: The scope path is none, or the file fails.
        """
        paths = _ancestors(scope_path)
        marks = ", ".join("?" * len(paths))
        query = f"SELECT DISTINCT name FROM document WHERE scope_path IN ({marks})"  # noqa: S608 - marks only
        with self._transaction() as sql:
            return tuple(sorted(name for (name,) in sql.execute(query, paths)))

    @contextlib.contextmanager
    def _transaction(self, *, write: bool = False) -> Iterator[sqlite3.Connection]:
        """The connection, for one thread at a time, within one transaction."""
        with self._lock, self._translated():
            if self._sql is None:
                raise StoreError(
                    "a closed store answers nothing; the request was not carried out; open the documents again"
                )
            with _within(self._sql, "IMMEDIATE" if write else "DEFERRED"):
                yield self._sql

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, sqlite3.Warning, OSError, ValueError) as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
            code = sqlite3.SQLITE_CANTOPEN if isinstance(error, OSError) else code
            remedy = _REMEDIES.get(code, f"it failed unexpectedly ({type(error).__name__}); look at its cause")
            raise StoreError(
                f"documents are kept in a SQLite file of their own; at {str(self.path)!a} nothing was changed: {remedy}"
            ) from error

    def _prepare(self, sql: sqlite3.Connection) -> None:
        """Make the table where the file is new, and refuse anybody else's file."""
        if _header(sql) == _NEW:
            with _within(sql, "IMMEDIATE"):
                if _header(sql) == _NEW:  # nobody else made it meanwhile
                    sql.execute(_TABLE)
                    sql.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
                    sql.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        application, version, _ = _header(sql)
        if application != _APPLICATION_ID:
            raise StoreError(
                f"documents are kept in a SQLite file of their own; {str(self.path)!a} belongs to another program and "
                "was left alone; name another path"
            )
        if version != SCHEMA_VERSION:
            raise StoreError(
                f"this release reads documents of schema {SCHEMA_VERSION}; {str(self.path)!a} has {version} and was "
                "left alone; open it with the release that wrote it"
            )
        sql.execute("PRAGMA secure_delete = ON")
        self._use_write_ahead_log(sql)

    def _use_write_ahead_log(self, sql: sqlite3.Connection) -> None:
        """Switch the journal; SQLite does not wait for a lock here by itself, so this does."""
        deadline = time.monotonic() + self._busy_timeout
        while True:
            try:
                sql.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(_RETRY_SECONDS)
            else:
                return


def _header(sql: sqlite3.Connection) -> tuple[int, int, int]:
    """Application id, schema version, and how many tables and indexes there are, of one moment."""
    found: tuple[int, int, int] = sql.execute(
        "SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version), "
        "(SELECT count(*) FROM sqlite_schema)"
    ).fetchone()
    return found


@contextlib.contextmanager
def _within(sql: sqlite3.Connection, kind: str) -> Iterator[None]:
    sql.execute(f"BEGIN {kind}")
    try:
        yield
        sql.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            sql.execute("ROLLBACK")
        raise


def _ancestors(scope_path: str) -> tuple[str, ...]:
    try:
        return scope_ancestors(scope_path)
    except BridgeContractError as error:
        raise StoreError(str(error)) from error


def _checked_name(name: object) -> str:
    text = _checked_text(name)
    if shows_blank(text):
        raise StoreError("a document has a name that shows something; this one is blank and nothing was done; name it")
    return text


def _checked_text(value: object) -> str:
    try:
        if isinstance(value, str):
            text = str.__str__(value)  # a class of its own may say otherwise of itself
            text.encode()
            return text
    except UnicodeEncodeError:
        pass
    raise StoreError(
        "a document and its name are text with a UTF-8 form; this is none and nothing was done; pass a str without "
        "lone surrogates"
    )
