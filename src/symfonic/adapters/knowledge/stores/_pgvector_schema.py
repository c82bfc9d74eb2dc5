"""The tables of a store in PostgreSQL: their layout, their version, and who may see which row.

Rules of this module: it knows the layout and how a schema becomes a store of this version; it runs no query of the
product. No statement names the store's schema: each transaction sets ``search_path`` to it alone, and names what is
pgvector's with its schema. An advisory lock lets one process at a time create or migrate.

Layout. ``word`` and ``embedding`` are narrow and lie in their rows, for ranking reads all of them: a value PostgreSQL
moves out of line costs a look-up each. ``passage`` holds the wide text, with the white space a search does not answer
apart, so that the server orders rows as a search shows them. ``scope`` keeps the totals of its passages. Texts have
collation C: order by code point, in every database. What holds NUL, which PostgreSQL cannot store, is escaped
(:mod:`._pgvector_values`). ``identity`` is a digest of the path or the origin beside it: an entry of PostgreSQL's
B-tree has at most 2,704 bytes.

Row-level security. A transaction says for whom it acts in ``symfonic.scope_path``. Rows of that path and above can be
read, rows of exactly that path can be written. ``symfonic.reach = 'below'``, which listings and removals of whole
subtrees set, adds what lies below.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.ports import StoreError

from . import _pgvector_rights as rights
from ._pgvector_values import occurrence_thresholds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SCHEMA_VERSION: Final = 1
"""Version of the tables below, kept in ``meta``."""

LOCK: Final = 0x53594D4B
"""Advisory lock of whoever creates or migrates; the other half of its key is the schema's hash."""

_BUILDING: Final = LOCK + 1
"""Advisory lock of whoever builds the index of vectors."""

_TURN: Final = "(%s, hashtext(current_schema()))"

MOST_NAME_BYTES: Final = 63
"""Longest name PostgreSQL keeps whole."""

LARGEST_INLINE: Final = 1_900
"""Most dimensions of a vector that fits into a page of 8,192 bytes with its row."""

MOST_INDEXED: Final = 2_000
"""Most dimensions pgvector's HNSW index takes."""

MINIMUM_PGVECTOR: Final = (0, 8)
"""The version whose scans of an index go on until enough rows pass the filter."""

_FIRST: Final = (
    """CREATE TABLE meta(
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        version integer NOT NULL,
        revision bigint NOT NULL DEFAULT 0,
        embedding text COLLATE "C" NOT NULL DEFAULT '',
        dimensions integer NOT NULL DEFAULT 0)""",
    "CREATE SEQUENCE id AS bigint CACHE 1",
    """CREATE TABLE scope(
        id bigint PRIMARY KEY DEFAULT nextval('id'),
        identity bytea NOT NULL UNIQUE,
        path text COLLATE "C" NOT NULL,
        passages bigint NOT NULL DEFAULT 0,
        length bigint NOT NULL DEFAULT 0)""",
    """CREATE TABLE document(
        id bigint PRIMARY KEY,
        scope bigint NOT NULL REFERENCES scope,
        identity bytea NOT NULL,
        origin text COLLATE "C" NOT NULL,
        file text COLLATE "C" NOT NULL,
        digest text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL,
        size bigint NOT NULL,
        chunks bigint NOT NULL,
        characters bigint NOT NULL,
        UNIQUE (scope, identity))""",
    """CREATE TABLE passage(
        id bigint PRIMARY KEY,
        scope bigint NOT NULL REFERENCES scope,
        document bigint NOT NULL REFERENCES document ON DELETE CASCADE,
        ordinal bigint NOT NULL,
        page bigint,
        label text COLLATE "C" NOT NULL,
        heading text COLLATE "C" NOT NULL,
        before text COLLATE "C" NOT NULL,
        text text COLLATE "C" NOT NULL,
        behind text COLLATE "C" NOT NULL,
        UNIQUE (document, ordinal))""",
    """CREATE TABLE word(
        passage bigint PRIMARY KEY REFERENCES passage ON DELETE CASCADE,
        scope bigint NOT NULL,
        length bigint NOT NULL,
        lexemes tsvector NOT NULL) WITH (toast_tuple_target = 8160)""",
    "ALTER TABLE word ALTER COLUMN lexemes SET STORAGE EXTERNAL",
    "CREATE INDEX word_scope ON word(scope)",
    "CREATE INDEX word_lexemes ON word USING gin(lexemes)",
    """CREATE TABLE embedding(
        passage bigint PRIMARY KEY REFERENCES passage ON DELETE CASCADE,
        scope bigint NOT NULL,
        hash bytea NOT NULL,
        vector {extension}.vector NOT NULL)""",
    "ALTER TABLE embedding ALTER COLUMN vector SET STORAGE PLAIN",
    "CREATE INDEX embedding_scope ON embedding(scope)",
    "CREATE INDEX embedding_hash ON embedding(hash)",
    "CREATE INDEX passage_scope ON passage(scope)",
    f"""CREATE FUNCTION occurrences(lexemes tsvector, one tsquery) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN width_bucket(ts_rank('{{1,1,1,1}}'::real[], lexemes, one)::double precision,
        '{{{occurrence_thresholds()}}}'::double precision[])""",
    "INSERT INTO meta(version) VALUES (1)",
)

_SETTING: Final = "current_setting('symfonic.scope_path', true)"
_BELOW: Final = (
    f"(current_setting('symfonic.reach', true) = 'below' AND "
    f"({_SETTING} IN ('', path) OR starts_with(path, {_SETTING} || E'\\x1f')))"
)
_READ: Final = f"(path IN ('', {_SETTING}) OR starts_with({_SETTING}, path || E'\\x1f') OR {_BELOW})"
_WRITTEN: Final = f"(path = {_SETTING} OR {_BELOW})"
_READ_SCOPES: Final = f"scope IN (SELECT id FROM scope WHERE {_READ})"  # noqa: S608 - constants of this product
_WRITTEN_SCOPES: Final = f"scope IN (SELECT id FROM scope WHERE {_WRITTEN})"  # noqa: S608 - constants of this product

TENANTS_TABLES: Final = ("scope", "document", "passage", "word", "embedding")
"""Tables whose rows belong to a scope."""


def _policies() -> list[str]:
    found = []
    for table in TENANTS_TABLES:
        read, written = (_READ, _WRITTEN) if table == "scope" else (_READ_SCOPES, _WRITTEN_SCOPES)
        found += [
            f"CREATE POLICY seen ON {table} FOR SELECT USING ({read})",
            f"CREATE POLICY added ON {table} FOR INSERT WITH CHECK ({written})",
            f"CREATE POLICY changed ON {table} FOR UPDATE USING ({written}) WITH CHECK ({written})",
            f"CREATE POLICY removed ON {table} FOR DELETE USING ({written})",
        ]
    return found


MIGRATIONS: Final = ((*_FIRST, *_policies()),)
"""What makes each version of the one before it; the first makes version 1 of nothing."""


def quoted(name: str) -> str:
    """A name as an identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'


def require_schema(name: object) -> str:
    """Refuse what cannot name a schema.

    Raises:
        StoreError: It is none.
    """
    if type(name) is str and name and "\0" not in name and not name.startswith("pg_"):
        try:
            if len(name.encode()) <= MOST_NAME_BYTES:
                return name
        except UnicodeEncodeError:
            pass
    raise StoreError(
        f"a schema's name is a text of 1 to {MOST_NAME_BYTES} bytes that does not begin with pg_; {name!a} was given "
        "and nothing was opened; pass another"
    )


def search_path(schema: str) -> str:
    """What finds the store's tables, and a session's own temporary tables last.

    The schema of pgvector, often ``public``, is not in it: whoever may create functions there could have them called in
    place of PostgreSQL's own, with this role's rights. What is pgvector's is named with its schema.
    """
    return f"{quoted(schema)}, pg_temp"


def require_version(version: object, schema: str) -> None:
    """Refuse tables of another version than this one's.

    Raises:
        StoreError: They are.
    """
    if version != SCHEMA_VERSION:
        raise StoreError(
            f"this version reads stores of format {SCHEMA_VERSION}; the one in the schema {schema!a} has format "
            f"{version!a} and was left alone; install the version that wrote it, or name another schema"
        )


def extension_schema(sql: Any, *, create: bool) -> str:
    """Where pgvector is installed; it is installed where that is allowed.

    Raises:
        StoreError: It is not there, or too old.
    """
    statement = """SELECT nspname, extversion FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace
        WHERE extname = 'vector'"""
    row = sql.execute(statement).fetchone()
    if row is None and create:
        available = sql.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'").fetchone()
        if available is not None:
            with rights.needing_a_right(rights.NO_EXTENSION):
                sql.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
            row = sql.execute(statement).fetchone()
    if row is None:
        raise StoreError(rights.NO_EXTENSION)
    if tuple(int(part) for part in str(row[1]).split(".")[:2]) < MINIMUM_PGVECTOR:
        raise StoreError(
            f"a store needs pgvector {'.'.join(map(str, MINIMUM_PGVECTOR))} or newer; this database has {row[1]!a} and "
            "nothing was opened; install a newer one and run ALTER EXTENSION vector UPDATE"
        )
    return str(row[0])


def prepare(sql: Any, schema: str, *, create: bool) -> str:
    """Make sure the schema holds a store of this version, in the caller's transaction; return pgvector's schema.

    Whoever comes second waits, and finds it made.

    Raises:
        StoreError: The database's encoding cannot hold every text, the schema holds another program's objects, or a
            newer version's, or there is no store and none should be made.
    """
    (encoding,) = sql.execute("SHOW server_encoding").fetchone()
    if encoding != "UTF8":
        raise StoreError(
            f"a store holds any text, which takes a database in UTF8; this one has {encoding!a} and nothing was "
            "opened; create one with ENCODING 'UTF8'"
        )
    if version_of(sql, schema) == SCHEMA_VERSION:
        return extension_schema(sql, create=False)
    sql.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (LOCK, schema))
    version = version_of(sql, schema)
    if version is None and not create:
        raise StoreError(
            f"a store is a schema this product created; there is none called {schema!a} in this database and none was "
            "made; fill it first, or name another schema"
        )
    _require_ours(sql, schema, version)
    extension = extension_schema(sql, create=create)
    if version is None:
        if sql.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", (schema,)).fetchone() is None:
            with rights.needing_a_right(rights.no_schema(schema, quoted(schema))):
                sql.execute(f"CREATE SCHEMA {quoted(schema)}")
        version = 0
    sql.execute(f"SET LOCAL search_path TO {search_path(schema)}")
    if version < SCHEMA_VERSION:
        refusal = rights.no_tables(schema, quoted(schema))
        # Where a role may not look into a schema, its tables would be temporary ones.
        may = "SELECT has_schema_privilege(%s, 'USAGE') AND has_schema_privilege(%s, 'CREATE')"
        if sql.execute(may, (schema, schema)).fetchone() != (True,):
            raise StoreError(refusal)
        with rights.needing_a_right(refusal):
            _migrate(sql, MIGRATIONS[version:], extension)
    require_version(version_of(sql, schema), schema)
    return extension


def _migrate(sql: Any, steps: Sequence[Sequence[str]], extension: str) -> None:
    for step in steps:
        for statement in step:
            sql.execute(statement.replace("{extension}", quoted(extension)))
    sql.execute("UPDATE meta SET version = %s", (SCHEMA_VERSION,))


def _require_ours(sql: Any, schema: str, version: int | None) -> None:
    """Refuse a schema that holds anything and is no store: a function there could be called in place of PostgreSQL's.

    What belongs to an extension, such as pgvector itself, is not counted.
    """
    if version is None:
        other = sql.execute(
            """SELECT 1 FROM pg_depend held JOIN pg_namespace n ON n.oid = refobjid
            WHERE refclassid = 'pg_namespace'::regclass AND nspname = %s
            AND classid = ANY('{pg_class, pg_type, pg_proc, pg_operator}'::regclass[])
            AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = held.classid AND objid = held.objid
                AND deptype = 'e') LIMIT 1""",
            (schema,),
        ).fetchone()
        if other is not None:
            raise StoreError(
                f"a store has a schema of its own; {schema!a} holds another program's objects and was left alone; name "
                "another schema"
            )
    elif version > SCHEMA_VERSION:
        require_version(version, schema)


def version_of(sql: Any, schema: str) -> int | None:
    """Version of the store in a schema; ``None`` where there is none. A view is none, for asking it may do anything."""
    found = sql.execute(
        """SELECT count(*) FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid JOIN pg_namespace n
        ON n.oid = relnamespace
        WHERE nspname = %s AND relname = 'meta' AND relkind = 'r' AND attname IN ('one', 'version', 'revision')""",
        (schema,),
    ).fetchone()
    if found != (3,):
        return None
    row = sql.execute(f"SELECT version FROM {quoted(schema)}.meta").fetchone()  # noqa: S608 - a quoted name
    return None if row is None else int(row[0])


def secure(sql: Any, *, on: bool) -> None:
    """Turn row-level security on or off, for the owner as well.

    PostgreSQL knows of no function of text search that it tells nothing of rows it may not show. So with row-level
    security the index of words is not used, and the visible passages are read one by one.

    Raises:
        StoreError: It has to be changed, and this role does not own the tables.
    """
    for table in TENANTS_TABLES:
        row = sql.execute(
            "SELECT relrowsecurity AND relforcerowsecurity FROM pg_class WHERE oid = %s::regclass", (table,)
        )
        if row.fetchone() == (on,):
            continue
        with rights.needing_a_right(rights.no_switch(on=on)):
            sql.execute(f"ALTER TABLE {table} {'ENABLE' if on else 'DISABLE'} ROW LEVEL SECURITY")
            sql.execute(f"ALTER TABLE {table} {'FORCE' if on else 'NO FORCE'} ROW LEVEL SECURITY")


def index_vectors(sql: Any, extension: str) -> None:
    """Build the index that finds near vectors without reading all, unless it is there or somebody is building it.

    In the caller's transaction; changes wait for its end.

    Raises:
        StoreError: The vectors have more dimensions than it takes, or this role does not own the tables.
    """
    dimensions = _unindexed(sql)
    if not dimensions or _has_index(sql):
        return
    (free,) = sql.execute(f"SELECT pg_try_advisory_xact_lock{_TURN}", (_BUILDING,)).fetchone()
    if not free or _has_index(sql):
        return  # Until another one's is built, all vectors are read.
    with rights.needing_a_right(rights.no_index()):
        sql.execute(_index_statement(extension, dimensions))


def build_beside_changes(sql: Any, extension: str) -> None:
    """Build it while questions and changes go on, in place of what a build that was broken off has left.

    Outside any transaction, for whoever has the turn. It waits for what is under way in the database, such as a backup.

    Raises:
        StoreError: As for :func:`index_vectors`.
    """
    dimensions = _unindexed(sql)
    if not dimensions:
        return
    with rights.needing_a_right(rights.no_index()):
        sql.execute("SET lock_timeout TO 0")
        sql.execute("DROP INDEX CONCURRENTLY IF EXISTS embedding_hnsw")
        sql.execute(_index_statement(extension, dimensions, "CONCURRENTLY"))


@contextlib.contextmanager
def turn_to_build(sql: Any) -> Iterator[bool]:
    """Take the turn to build the index of vectors until the end; whether nobody else has it.

    Two that PostgreSQL lets build beside changes at once wait for each other, and it ends one of them.
    """
    (free,) = sql.execute(f"SELECT pg_try_advisory_lock{_TURN}", (_BUILDING,)).fetchone()
    try:
        yield free
    finally:
        if free and not sql.closed:
            sql.execute(f"SELECT pg_advisory_unlock{_TURN}", (_BUILDING,))


def is_indexed(sql: Any) -> bool:
    """Whether the index of vectors is there, whole."""
    row = sql.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('embedding_hnsw')").fetchone()
    return bool(row == (True,))


def _unindexed(sql: Any) -> int:
    """How many dimensions the vectors have that are to be indexed; 0 where there are none, or they are."""
    (dimensions,) = sql.execute("SELECT dimensions FROM meta").fetchone()
    if not dimensions or is_indexed(sql):
        return 0
    if dimensions > MOST_INDEXED:
        raise StoreError(
            f"an HNSW index takes vectors of at most {MOST_INDEXED} dimensions; this store's have {dimensions} and "
            "none was built; open it with index='exact'"
        )
    return int(dimensions)


def _has_index(sql: Any) -> bool:
    """Whether there is an index of vectors, whole or not."""
    return bool(sql.execute("SELECT to_regclass('embedding_hnsw')").fetchone() != (None,))


def _index_statement(extension: str, dimensions: int, how: str = "") -> str:
    own = quoted(extension)
    return (
        f"CREATE INDEX {how} embedding_hnsw ON embedding USING hnsw ((vector::{own}.vector({dimensions})) "
        f"{own}.vector_ip_ops)"
    )


def grants(schema: str, role: str) -> tuple[str, ...]:
    """What an application's role needs to read and write, and nothing that lets it change tables or policies."""
    names, to = quoted(schema), quoted(role)
    tables = ", ".join(f"{names}.{table}" for table in TENANTS_TABLES)
    return (
        f"GRANT USAGE ON SCHEMA {names} TO {to}",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON {tables} TO {to}",
        f"GRANT SELECT, UPDATE (revision) ON {names}.meta TO {to}",
        f"GRANT USAGE ON SEQUENCE {names}.id TO {to}",
        f"GRANT EXECUTE ON FUNCTION {names}.occurrences TO {to}",
    )
