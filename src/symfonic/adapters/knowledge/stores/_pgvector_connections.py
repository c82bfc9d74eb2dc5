"""Connections to one store in PostgreSQL: a pool, transactions, and what is done again when the server went away.

Rules of this module: every transaction begins and ends here. What requests need is set for a transaction, so that a
pooler between may hand connections around; only a connection of one's own, for what takes as long as it takes, sets it
for all of its session. All of a transaction is done again, with growing pauses, where it collided with another or its
connection was lost; where a connection was lost while a change was being committed, only a change that comes to the
same twice is.
"""

from __future__ import annotations

import contextlib
import logging
import math
import os
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import unquote, urlsplit

import psycopg
import psycopg_pool
from psycopg import sql as quoting
from psycopg.conninfo import conninfo_to_dict

from symfonic.adapters.knowledge.ports import EmbeddingSpace, StoreError

from ._pgvector_errors import COLLIDED, LOST, code_of, is_lost, translated, unknown_outcome
from ._pgvector_options import URL_OPTIONS, shown_url
from ._pgvector_schema import (
    TENANTS_TABLES,
    build_beside_changes,
    index_vectors,
    is_indexed,
    prepare,
    quoted,
    require_version,
    search_path,
    secure,
    turn_to_build,
)
from ._pgvector_values import unescaped
from ._url_options import unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ._pgvector_options import Options
    from ._pgvector_sight import Sight

T = TypeVar("T")

_LOG: Final = logging.getLogger("symfonic.adapters.knowledge.stores.pgvector")

_FIRST_PAUSE: Final = 0.05
"""Seconds before something is done again; each further time twice as long, and up to as much again by chance."""

_LONGEST_PAUSE: Final = 5.0

_WORK_MEMORY: Final = "'32MB'"
"""What a step of a statement may take before it uses files; all cosines of half a million passages fit."""


class Transaction:
    """One transaction: statements, and what the store said of itself at its beginning.

    Attributes:
        revision: Changes of content before it.
        space: Whose vectors the store holds or awaits; ``None`` where nobody ever said.
        extension: The schema of pgvector, quoted, as a statement with values has it.
        product: pgvector's negative inner product, the same way.
    """

    def __init__(self, connection: psycopg.Connection[Any], extension: str, meta: tuple[Any, ...]) -> None:
        revision, name, dimensions = meta
        self._connection = connection
        self.extension = quoted(extension).replace("%", "%%")
        self.product = f"OPERATOR({self.extension}.<#>)"
        self.revision: int = revision
        self.space = EmbeddingSpace(name=unescaped(name), dimensions=dimensions) if name and dimensions else None

    def rows(self, statement: str, values: object = None) -> list[tuple[Any, ...]]:
        """All rows of a statement."""
        found: list[tuple[Any, ...]] = self._connection.execute(statement, values, binary=True).fetchall()  # type: ignore[call-overload]  # a statement of this product
        return found

    def row(self, statement: str, values: object = None) -> tuple[Any, ...] | None:
        """The first row of a statement."""
        return next(iter(self.rows(statement, values)), None)

    def run(self, statement: str, values: object = None) -> int:
        """Carry a statement out; how many rows it touched."""
        return int(self._connection.execute(statement, values).rowcount)  # type: ignore[call-overload]  # the same

    def copy(self, statement: str, data: bytes) -> None:
        """Send rows in the form of a binary COPY."""
        with self._connection.cursor() as cursor, cursor.copy(statement) as copy:
            copy.write(data)

    def act_for(self, sight: Sight) -> None:
        """Act for another scope from now on."""
        self.run(
            "SELECT set_config('symfonic.scope_path', %s, true), set_config('symfonic.reach', %s, true)",
            _settings(sight),
        )


def _settings(sight: Sight) -> tuple[str, str]:
    return sight.scope_path, "below" if sight.below else ""


class Connections:
    """A pool of connections to one store. Safe from any thread, in the process that made it.

    Raises:
        StoreError: The server cannot be reached, or holds no store of this version and none can be made.
    """

    def __init__(self, conninfo: str, options: Options) -> None:
        self._options = options
        self._conninfo = conninfo
        self._shown = shown_url(conninfo)
        self._process = os.getpid()
        self._closed = False
        self._require_readable(conninfo)
        self._extension = self._prepared()
        self._pool = psycopg_pool.ConnectionPool(
            conninfo,
            kwargs=self._settings(),
            min_size=0,
            max_size=options.pool_size,
            timeout=options.pool_timeout,
            max_idle=300,
            # Its pauses double as long as it tries: after a long outage a new try finds the server sooner.
            reconnect_timeout=options.pool_timeout,
            check=psycopg_pool.ConnectionPool.check_connection,
            open=True,
            name="symfonic-knowledge",
        )

    @staticmethod
    def _require_readable(conninfo: str) -> None:
        try:
            conninfo_to_dict(conninfo)
        except (psycopg.ProgrammingError, UnicodeDecodeError):
            known = {option.keyword.decode() for option in psycopg.pq.Conninfo.get_defaults()} | {"ssl"}
            query = urlsplit(conninfo).query
            for name in (unquote(piece.partition("=")[0]) for piece in query.split("&") if piece):
                if name not in known:
                    raise unknown(name, URL_OPTIONS, ", and libpq's own, such as sslmode") from None
            raise StoreError(
                "a URL holds libpq's parameters and a store's options; this one cannot be read and nothing was opened; "
                "correct it, and write other characters in a password as %XX"
            ) from None

    def _settings(self) -> dict[str, Any]:
        return {
            "autocommit": True,
            "prepare_threshold": None,
            "connect_timeout": max(2, round(self._options.connect_timeout)),
            "application_name": "symfonic-knowledge",
            "keepalives": 1,
            "keepalives_idle": self._options.keepalive,
            "keepalives_interval": max(1, self._options.keepalive // 3),
            "keepalives_count": 3,
            "tcp_user_timeout": 2_000 * self._options.keepalive,
            **_without_none(conninfo_to_dict(self._conninfo)),
            # Rows are sent as UTF-8, whatever the role, the database or the environment says of its clients.
            "client_encoding": "UTF8",
        }

    def _prepared(self) -> str:
        """Make or migrate the tables; two that come at once both succeed."""
        options = self._options

        def once() -> str:
            with contextlib.closing(self._connected()) as sql, sql.transaction():
                sql.execute(self._limits("pg_catalog"))
                extension = prepare(sql, options.schema, create=options.create)
                sql.execute(f"SET LOCAL search_path TO {search_path(options.schema)}")
                if options.row_security is not None:
                    secure(sql, on=options.row_security)
                return extension

        return self._repeated(once)

    def _connected(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self._conninfo, **self._settings())

    def index_vectors(self) -> None:
        """Build the index of vectors where it is wanted and missing; it takes as long as it takes."""
        with self.alone() as sql, sql.transaction():
            sql.execute(self._limits(search_path(self._options.schema), statement_timeout=0))
            index_vectors(sql, self._extension)
            if not is_indexed(sql):
                _LOG.info("there is no index of vectors at %s yet; all visible vectors are read", self._shown)

    def build_index(self) -> bool:
        """Build the index of vectors while changes go on; whether it is there now.

        Raises:
            StoreError: As for :func:`build_beside_changes`, or the store is closed, or the server failed.
        """
        with self.alone() as sql, turn_to_build(sql) as free:
            if free:
                build_beside_changes(sql, self._extension)
            else:
                _LOG.info("somebody else is building the index of vectors at %s", self._shown)
            return is_indexed(sql)

    def _limits(self, path: str, *, statement_timeout: float | None = None) -> str:
        seconds = self._options.statement_timeout if statement_timeout is None else statement_timeout
        return (
            f"SET LOCAL search_path TO {path}; SET LOCAL statement_timeout TO {_milliseconds(seconds)}; "
            f"SET LOCAL lock_timeout TO {_milliseconds(self._options.lock_timeout)}; SET LOCAL jit TO off; "
            f"SET LOCAL work_mem TO {_WORK_MEMORY}"
        )

    def read(self, work: Callable[[Transaction], T], sight: Sight) -> T:
        """What ``work`` finds in one state of the store.

        Raises:
            StoreError: The store is closed, is no longer of this version, or the server failed.
        """
        return self._repeated(lambda: self._once("ISOLATION LEVEL REPEATABLE READ READ ONLY", work, sight, again=True))

    def write(self, work: Callable[[Transaction], T], sight: Sight, *, again: bool) -> T:
        """Have ``work`` change the store, all or nothing.

        Args:
            work: What it does; it may be called several times.
            sight: For whom.
            again: Whether doing it twice comes to the same.

        Raises:
            StoreError: As for :meth:`read`; nothing was changed, unless the message says that nobody knows.
        """
        return self._repeated(lambda: self._once("ISOLATION LEVEL READ COMMITTED", work, sight, again=again))

    def _once(self, kind: str, work: Callable[[Transaction], T], sight: Sight, *, again: bool) -> T:
        with self._taken() as connection:
            committing = False
            try:
                found = work(self._begun(connection, kind, sight))
                committing = True
                connection.execute("COMMIT")
            except BaseException as error:
                if not connection.closed:
                    with contextlib.suppress(psycopg.Error):
                        connection.execute("ROLLBACK")
                if committing and not again and isinstance(error, psycopg.Error) and is_lost(error):
                    raise unknown_outcome() from error
                raise
            return found

    def _begun(self, connection: psycopg.Connection[Any], kind: str, sight: Sight) -> Transaction:
        options = self._options
        path, reach = (quoting.Literal(value).as_string(connection) for value in _settings(sight))
        cursor = connection.execute(
            f"BEGIN {kind}; {self._limits(search_path(options.schema))}; "  # noqa: S608 - quoted names and literals
            f"SELECT set_config('symfonic.scope_path', {path}, true), set_config('symfonic.reach', {reach}, true); "
            "SELECT version, revision, embedding, dimensions FROM meta"
        )
        while cursor.nextset():
            pass
        row = cursor.fetchone()
        require_version(None if row is None else row[0], options.schema)
        assert row is not None
        return Transaction(connection, self._extension, row[1:])

    @contextlib.contextmanager
    def _taken(self) -> Iterator[psycopg.Connection[Any]]:
        self.require_open()
        try:
            connection = self._pool.getconn()
        except psycopg_pool.PoolTimeout as error:
            raise translated(self._reason(error), self._shown) from error
        except psycopg_pool.PoolClosed:
            self.require_open()
            raise
        try:
            yield connection
        finally:
            self._pool.putconn(connection)

    def _reason(self, timeout: psycopg.Error) -> psycopg.Error:
        """Why there was no connection for so long; the pool has tried again and again, and does not tell."""
        try:
            self._connected().close()
        except psycopg.Error as error:
            return error
        return timeout

    @contextlib.contextmanager
    def alone(self) -> Iterator[psycopg.Connection[Any]]:
        """A connection outside any transaction and without a limit of time, for what takes as long as it takes.

        Raises:
            StoreError: The store is closed, or the server failed.
        """
        self.require_open()
        try:
            with contextlib.closing(self._connected()) as connection:
                connection.execute(
                    f"SET search_path TO {search_path(self._options.schema)}; SET statement_timeout "
                    f"TO 0; SET lock_timeout TO {_milliseconds(self._options.lock_timeout)}"
                )
                yield connection
        except psycopg.Error as error:
            raise translated(error, self._shown) from error

    def vacuum(self) -> None:
        """Write every table anew, without what was removed.

        Raises:
            StoreError: The store is closed, this role does not own the tables, or the server failed.
        """
        tables = ("meta", *TENANTS_TABLES)
        with self.alone() as sql:
            row = sql.execute(
                "SELECT bool_and(pg_has_role(relowner, 'USAGE')) FROM pg_class WHERE oid = ANY(%s::regclass[])",
                (list(tables),),
            ).fetchone()
            if row != (True,):
                raise StoreError(
                    "the owner of a store's tables writes them anew; this role is not, and nothing was done; connect "
                    "as the owner"
                )
            for table in tables:
                sql.execute(f"VACUUM (FULL, ANALYZE) {table}")

    def _repeated(self, once: Callable[[], T]) -> T:
        """Do something again as long as that may help."""
        attempt = 0
        while True:
            attempt += 1
            try:
                return once()
            except psycopg.Error as error:
                helps = code_of(error) in COLLIDED | LOST or is_lost(error)
                if not helps or attempt >= self._options.attempts:
                    raise translated(error, self._shown) from error
                code = code_of(error)
            pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** (attempt - 1))
            chance = 0.0 if self._options.jitter is None else self._options.jitter()
            seconds = pause * (1 + chance)
            what = "collided with another" if code in COLLIDED else "lost its connection"
            _LOG.info(
                "attempt %d of %d %s (SQLSTATE %s) at %s; again in %.2f seconds",
                attempt,
                self._options.attempts,
                what,
                code or "unknown",
                self._shown,
                seconds,
            )
            self._options.pause(seconds)

    def require_open(self) -> None:
        """Refuse a request once the store is closed, and in another process than that which opened it.

        Raises:
            StoreError: It is so.
        """
        if self._closed:
            raise StoreError("a closed store answers nothing; the request was not carried out; open the store again")
        if os.getpid() != self._process:
            raise StoreError(
                "a store is used in the process that opened it; two processes would talk over one connection and the "
                "request was not carried out; open the store again in this process"
            )

    def close(self) -> None:
        """Close every connection; one in use is closed when it is given back. A forked process leaves them alone."""
        if self._closed:
            return
        self._closed = True
        if os.getpid() == self._process:
            self._pool.close()


def _milliseconds(seconds: float) -> int:
    """Rounded up: PostgreSQL takes 0 for no limit."""
    return math.ceil(seconds * 1000)


def _without_none(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
