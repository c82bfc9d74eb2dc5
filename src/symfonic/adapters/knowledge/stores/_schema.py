"""The store's file: its tables, its version, and the refusal of every file that is not one of ours.

Rules of this module: it knows the layout and how a file becomes a store of this version; it runs no query of the
product. Another kind of index joins as a table keyed by ``chunk.id``, with a new :data:`SCHEMA_VERSION` and a
migration here.

Layout. ``chunk`` is narrow, because ranking reads it for every posting; ``passage`` holds the wide text and is the
content table of the full-text index, so text is stored once. The upper bits of a chunk's id are the id of its scope
(:data:`SCOPE_SHIFT`): the index can count and read one scope's postings by a range of row ids. Ids are
never used twice. ``vector`` holds unit vectors as float32, lowest byte first, under the hash of what was embedded.
``scope.changes`` and ``scope.embedded`` count what ``scope.used`` does not show: passages taken out, and vectors
added to passages or dropped.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.ports import StoreError
from symfonic.capabilities.knowledge import BridgeContractError, scope_ancestors

from ._unspaced import pieces

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from types import UnionType

APPLICATION_ID: Final = 0x53594D4B
"""``SYMK`` in the file's header: what tells our files from every other SQLite file."""

SCHEMA_VERSION: Final = 2
"""Version of the tables below, kept in ``PRAGMA user_version``."""

SCOPE_SHIFT: Final = 32
"""``chunk.id >> SCOPE_SHIFT`` is the id of the chunk's scope."""

GENERATION: Final = "((SELECT schema_version FROM pragma_schema_version) << 32)"
"""What is added to a counter that tells one state of the store from another: how often the whole file was replaced.

SQLite counts it up when a backup is restored into an open file, whatever that backup says, and when the file is rebuilt
(``VACUUM``). The store's own counters go back to what they were at the backup, and come to the same numbers again.
"""

MISREAD: Final = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)
"""What Python raises over a stored value that is not of its column's kind; SQLite itself enforces no kinds."""

TOKENIZER: Final = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
"""How text becomes words, before stemming.

``remove_diacritics 2`` folds accents on every letter (``1`` misses letters that carry two). Combining marks count as
letters (``Mn Mc``): without them a Hindi or Thai word falls into pieces at every vowel sign.
"""

STEMMED_TOKENIZER: Final = f"porter {TOKENIZER}"
"""The index's tokenizer: the same words, each reduced to its English stem."""

_INDEX: Final = (
    f"""CREATE VIRTUAL TABLE passage_index USING fts5(
        context, text, pieces, content='passage', content_rowid='id', tokenize="{STEMMED_TOKENIZER}")""",
    "CREATE VIRTUAL TABLE posting USING fts5vocab(passage_index, instance)",
    # One segment is written per transaction; merging eight at a time instead of four costs less at the same query time.
    "INSERT INTO passage_index(passage_index, rank) VALUES ('automerge', 8)",
    # What a transaction adds waits in memory for its end, up to so many bytes; with the usual million a large
    # transaction writes many small segments and merges them right away.
    "INSERT INTO passage_index(passage_index, rank) VALUES ('hashsize', 16000000)",
)
_VECTORS: Final = (
    """CREATE TABLE vector(
        id INTEGER PRIMARY KEY,
        hash BLOB NOT NULL,
        vector BLOB NOT NULL)""",
    "CREATE INDEX vector_hash ON vector(hash)",
)
_PAGE_BYTES: Final = 8_192
"""Pages of a new file: five vectors of 384 numbers fit, where SQLite's usual 4,096 hold two and waste a quarter."""

_TABLES: Final = (
    """CREATE TABLE state(
        one INTEGER PRIMARY KEY CHECK (one = 1),
        revision INTEGER NOT NULL,
        embedding TEXT NOT NULL DEFAULT '',
        dimensions INTEGER NOT NULL DEFAULT 0)""",
    """CREATE TABLE scope(
        id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id < 1 << 31),
        path TEXT NOT NULL UNIQUE,
        used INTEGER NOT NULL DEFAULT 0 CHECK (used < 1 << 32),
        chunks INTEGER NOT NULL DEFAULT 0,
        context_tokens INTEGER NOT NULL DEFAULT 0,
        text_tokens INTEGER NOT NULL DEFAULT 0,
        changes INTEGER NOT NULL DEFAULT 0,
        embedded INTEGER NOT NULL DEFAULT 0)""",
    """CREATE TABLE document(
        id INTEGER PRIMARY KEY,
        scope INTEGER NOT NULL REFERENCES scope(id),
        file TEXT NOT NULL,
        origin TEXT NOT NULL,
        digest TEXT NOT NULL,
        kind TEXT NOT NULL,
        size INTEGER NOT NULL,
        chunks INTEGER NOT NULL,
        characters INTEGER NOT NULL,
        UNIQUE (scope, origin))""",
    "CREATE INDEX document_order ON document(scope, file, origin)",
    """CREATE TABLE chunk(
        id INTEGER PRIMARY KEY,
        document INTEGER NOT NULL REFERENCES document(id),
        ordinal INTEGER NOT NULL,
        page INTEGER,
        context_tokens INTEGER NOT NULL,
        text_tokens INTEGER NOT NULL,
        UNIQUE (document, ordinal))""",
    """CREATE TABLE passage(
        id INTEGER PRIMARY KEY,
        label TEXT NOT NULL,
        heading TEXT NOT NULL,
        context TEXT NOT NULL,
        text TEXT NOT NULL,
        pieces TEXT NOT NULL DEFAULT '')""",
    *_INDEX,
    *_VECTORS,
    "INSERT INTO state(one, revision) VALUES (1, 0)",
)


def stored_scope_path(path: object) -> str:
    """A scope path as it stands in a row, whole: no version writes another, but a damaged or planted file may hold one.

    Raises:
        StoreError: It is none.
    """
    try:
        if isinstance(path, str):
            scope_ancestors(path)
            return path
        reason = f"{type(path).__name__} is no text"
    except BridgeContractError as error:
        reason = str(error)
    raise StoreError(
        f"a store files its rows under scope paths; this one holds {path!a}, which is none, and was not read further, "
        f"for it is damaged or another program changed it; move the file away and ingest again ({reason})"
    )


def stored_row(row: tuple[Any, ...], kinds: Sequence[type | UnionType]) -> tuple[Any, ...]:
    """A row as it stands in the file: no version writes values of other kinds, but a damaged file may hold some.

    Raises:
        StoreError: A value is of another kind than its column's.
    """
    if all(map(isinstance, row, kinds)):
        return row
    raise StoreError(
        "a store's rows hold texts and numbers, each in its column; one of this store does not and was not handed out, "
        "for its file is damaged or another program changed it; move the file away and ingest again"
    )


def prepare(sql: sqlite3.Connection, path: Path, busy_timeout: float, *, create: bool) -> None:
    """Make sure the file is a store of this version; an empty one becomes it if ``create`` says so.

    Raises:
        StoreError: It is another program's file, a newer version's, or empty where none should be made. Nothing has
            been written to it.
        sqlite3.Error: The file could not be read or written.
    """
    if _is_empty(sql):
        if not create:
            raise StoreError(
                f"a store is a SQLite file this product created; {path} is empty, so it is none yet, and was left "
                "alone; fill it first, or name another path"
            )
        sql.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        _use_write_ahead_log(sql, busy_timeout)
        _create_tables(sql)
    _migrate(sql, path)
    require_version(sql, path)
    _use_write_ahead_log(sql, busy_timeout)
    sql.execute("SELECT revision FROM state").fetchone()


def _is_empty(sql: sqlite3.Connection) -> bool:
    return _header(sql) == (0, 0) and sql.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)


def _header(sql: sqlite3.Connection) -> tuple[int, int]:
    application_id: int = sql.execute("PRAGMA application_id").fetchone()[0]
    version: int = sql.execute("PRAGMA user_version").fetchone()[0]
    return application_id, version


def _use_write_ahead_log(sql: sqlite3.Connection, busy_timeout: float) -> None:
    """Switch the journal; SQLite does not wait for a lock here by itself, so this does."""
    deadline = time.monotonic() + busy_timeout
    while True:
        try:
            sql.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _create_tables(sql: sqlite3.Connection) -> None:
    """Create everything in one transaction; another process may have been faster."""
    sql.execute("BEGIN IMMEDIATE")
    try:
        if _is_empty(sql):
            for statement in _TABLES:
                sql.execute(statement)
            sql.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            sql.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        sql.execute("COMMIT")
    except sqlite3.Error:
        with contextlib.suppress(sqlite3.Error):
            sql.execute("ROLLBACK")
        raise


def _migrate(sql: sqlite3.Connection, path: Path) -> None:
    """Bring a store of schema 1 up to date in one transaction; another process may have been faster.

    Raises:
        StoreError: The file can only be read. It is left as it is.
    """
    if _header(sql) != (APPLICATION_ID, 1):
        return
    # What the old index held must not stay behind in free pages.
    sql.execute("PRAGMA secure_delete = ON")
    try:
        sql.execute("BEGIN IMMEDIATE")
        if _header(sql) == (APPLICATION_ID, 1):
            _from_version_1(sql)
        sql.execute("COMMIT")
    except sqlite3.Error as error:
        with contextlib.suppress(sqlite3.Error):
            sql.execute("ROLLBACK")
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF == sqlite3.SQLITE_READONLY:
            raise StoreError(
                f"a store of schema 1 is brought up to schema {SCHEMA_VERSION} when it is opened; {path} or its folder "
                "is read-only, so it was left as it is and cannot be searched; make it writable and open it once, or "
                "use the version that wrote it"
            ) from error
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF == sqlite3.SQLITE_BUSY:
            raise StoreError(
                f"a store of schema 1 is brought up to schema {SCHEMA_VERSION} by the first that opens it, and others "
                f"wait; another process held {path} for longer than the busy timeout, perhaps for that, and this one "
                "changed nothing; open it again when that process has finished, or with a longer busy_timeout"
            ) from error
        raise


def _from_version_1(sql: sqlite3.Connection) -> None:
    """Add what schema 2 has: vectors, counters of changes, and an index of scripts written without spaces."""
    for statement in (
        "ALTER TABLE state ADD COLUMN embedding TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE state ADD COLUMN dimensions INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE scope ADD COLUMN changes INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE scope ADD COLUMN embedded INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE passage ADD COLUMN pieces TEXT NOT NULL DEFAULT ''",
        "DROP TABLE posting",
        "DROP TABLE passage_index",
        *_INDEX,
        *_VECTORS,
    ):
        sql.execute(statement)
    sql.create_function("pieces", 2, indexed_pieces, deterministic=True)
    sql.execute("UPDATE passage SET pieces = pieces(context, text) WHERE pieces(context, text) <> ''")
    sql.execute("INSERT INTO passage_index(passage_index) VALUES ('rebuild')")
    sizes = sql.execute(
        "SELECT sz, passage.id FROM passage JOIN passage_index_docsize AS size ON size.id = passage.id "
        "WHERE pieces <> ''"
    ).fetchall()
    sql.executemany(
        "UPDATE chunk SET text_tokens = ? WHERE id = ?", ((lengths(size)[1], chunk) for size, chunk in sizes)
    )
    sql.execute(
        f"""UPDATE scope SET text_tokens = (
            SELECT CAST(total(text_tokens) AS INTEGER) FROM chunk
            WHERE chunk.id BETWEEN scope.id << {SCOPE_SHIFT} AND (scope.id << {SCOPE_SHIFT}) + scope.used)"""  # noqa: S608 - a constant
    )
    sql.execute("UPDATE state SET revision = revision + 1")
    sql.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def indexed_pieces(context: str, text: str) -> str:
    """What the index holds of a passage besides its words."""
    return f"{pieces(context)} {pieces(text)}".strip()


def lengths(sizes: bytes) -> tuple[int, int]:
    """Words of context and of text as FTS5 counted them, pieces among the latter (its file format, "docsize")."""
    context, text, parts = varints(sizes)
    return context, text + parts


def varints(data: bytes) -> list[int]:
    """Numbers in SQLite's variable-length form: seven bits a byte, highest first, the top bit set on all but the last.

    The form has a ninth byte of eight bits, reached by numbers from 2**56 only; counts of words stay below.
    """
    numbers = []
    value = 0
    for byte in data:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            numbers.append(value)
            value = 0
    return numbers


def require_version(sql: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is no store of this version, or is none any more: a newer version may have opened it since.

    Raises:
        StoreError: It is none.
    """
    application_id, version = _header(sql)
    if application_id != APPLICATION_ID:
        raise StoreError(
            f"a store is a SQLite file this product created; {path} belongs to another program and was left alone; "
            "name another path"
        )
    if version != SCHEMA_VERSION:
        raise StoreError(
            f"this version reads stores of schema {SCHEMA_VERSION}; {path} has schema {version} and was left alone; "
            "install the version that wrote it, or ingest into a new file"
        )
