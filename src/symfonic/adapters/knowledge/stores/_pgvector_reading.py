"""What a store in PostgreSQL answers besides ranking: documents, passages, totals, and what a pattern names.

Rules of this module: it only reads, inside the caller's transaction, and every answer is read to its end. Long lists
come in pages of ``PAGE`` rows. The rows are what :mod:`._reading` makes of the embedded store's.
"""

from __future__ import annotations

import fnmatch
import re
from typing import TYPE_CHECKING, Any

from symfonic.adapters.knowledge.ports import Chunk, Document, DocumentRecord, StoredChunk, StoreStats
from symfonic.capabilities.knowledge import SCOPE_PATH_DELIMITER

from ._pgvector_schema import SCHEMA_VERSION, TENANTS_TABLES
from ._pgvector_values import escaped, identity, unescaped
from ._reading import PAGE, PLACE_PATTERN, Named, answered, fragment

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from symfonic.capabilities.knowledge import RetrievedFragment

    from ._pgvector_connections import Transaction

_RECORD = """SELECT path, origin, file, digest, kind, size, chunks, characters
    FROM document JOIN scope ON scope.id = scope"""


def _texts(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row whose texts are as they were given."""
    return tuple(unescaped(value) if isinstance(value, str) else value for value in row)


def _document(row: tuple[Any, ...]) -> Document:
    path, origin, file, digest, kind, size = row[:6]
    return Document(scope_path=path, origin=origin, file=file, digest=digest, kind=kind, size=size)


def _record(row: tuple[Any, ...]) -> DocumentRecord:
    row = _texts(row)
    return DocumentRecord(document=_document(row), chunks=row[6], characters=row[7])


def record(sql: Transaction, scope_path: str, origin: str) -> DocumentRecord | None:
    """The document stored under that identity."""
    row = sql.row(
        f"{_RECORD} WHERE scope.identity = %s AND document.identity = %s", (identity(scope_path), identity(origin))
    )
    return None if row is None else _record(row)


def document_id(sql: Transaction, document: Document) -> int | None:
    """Id of a document, where it is stored."""
    row = sql.row(
        """SELECT document.id FROM document JOIN scope ON scope.id = scope
        WHERE scope.identity = %s AND document.identity = %s""",
        (identity(document.scope_path), identity(document.origin)),
    )
    return None if row is None else int(row[0])


def scope_paths(sql: Transaction) -> list[str]:
    """Every path something is stored at, in order."""
    return [unescaped(path) for (path,) in sql.rows("SELECT path FROM scope ORDER BY path")]


def document_page(sql: Transaction, scope_path: str, after: tuple[str, str] | None) -> list[DocumentRecord]:
    """The next documents of one scope, ordered by file and origin, after the one with that file and origin."""
    values: list[object] = [identity(scope_path)]
    where = ""
    if after is not None:
        where = "AND (file, origin) > (%s, %s)"
        values += map(escaped, after)
    rows = sql.rows(f"{_RECORD} WHERE scope.identity = %s {where} ORDER BY file, origin LIMIT {PAGE}", values)
    return [_record(row) for row in rows]


def chunk_page(sql: Transaction, document: Document, after: int) -> list[StoredChunk]:
    """The next passages of one document, ordered by ordinal, after that ordinal."""
    rows = sql.rows(
        f"""SELECT path, origin, file, digest, kind, size, ordinal, page, label, heading, before || text || behind
        FROM scope JOIN document ON scope.id = scope JOIN passage ON passage.document = document.id
        WHERE scope.identity = %s AND document.identity = %s AND ordinal > %s ORDER BY ordinal LIMIT {PAGE}""",  # noqa: S608 - a number
        (identity(document.scope_path), identity(document.origin), after),
    )
    return [StoredChunk(document=_document(row), chunk=_chunk(row[6:])) for row in map(_texts, rows)]


def _chunk(row: tuple[Any, ...]) -> Chunk:
    ordinal, page, label, heading, text = row
    return Chunk(ordinal=ordinal, page=page, label=label, heading=heading, text=text)


def fragments(sql: Transaction, scores: Mapping[int, float]) -> list[RetrievedFragment]:
    """Scored passages as rows of an answer, best first under ``(-score, source, content)``."""
    if not scores:
        return []
    rows = sql.rows(
        """SELECT passage.id, path, origin, file, kind, ordinal, page, label, heading, before || text || behind
        FROM passage JOIN document ON document.id = document JOIN scope ON scope.id = passage.scope
        WHERE passage.id = ANY(%s)""",
        (list(scores),),
    )
    return answered([fragment(scores[row[0]], row[1:5], _chunk(row[5:])) for row in map(_texts, rows)])


def named_by(sql: Transaction, pattern: str, scope_path: str) -> Named:
    """Documents and passages that a pattern names; as the embedded store's ``named_by``."""
    exact = _select(sql, scope_path, lambda name: name == pattern, with_origins=True)
    if exact != Named():
        return exact
    matches = re.compile(fnmatch.translate(pattern)).match
    return _select(
        sql, scope_path, lambda name: matches(name) is not None, with_origins=PLACE_PATTERN.match(pattern) is not None
    )


def _select(sql: Transaction, scope_path: str, wanted: Callable[[str], bool], *, with_origins: bool) -> Named:
    documents = [
        document
        for document, file, origin in map(
            _texts,
            sql.rows(
                """SELECT document.id, file, origin FROM document JOIN scope ON scope.id = scope
                WHERE scope.identity = %s""",
                (identity(scope_path),),
            ),
        )
        if wanted(file) or (with_origins and wanted(origin))
    ]
    whole = set(documents)
    labels = sql.rows(
        """SELECT passage.id, document, label FROM passage JOIN scope ON scope.id = scope WHERE scope.identity = %s""",
        (identity(scope_path),),
    )
    chunks = [chunk for chunk, document, label in map(_texts, labels) if document not in whole and wanted(label)]
    return Named(tuple(documents), tuple(chunks))


def documents_below(sql: Transaction, scope_path: str) -> Collection[int]:
    """Ids of the documents stored at a path and below it."""
    rows = sql.rows(
        """SELECT document.id FROM document JOIN scope ON scope.id = scope
        WHERE %(path)s = '' OR path = %(path)s OR starts_with(path, %(below)s)""",
        {"path": escaped(scope_path), "below": escaped(f"{scope_path}{SCOPE_PATH_DELIMITER}")},
    )
    return [document for (document,) in rows]


def stats(sql: Transaction) -> StoreStats:
    """Totals over what is visible; ``file_bytes`` are those of the tables with their indexes."""
    scopes = sql.rows(
        """SELECT path, count(document.id), sum(chunks)::bigint, sum(characters)::bigint
        FROM scope JOIN document ON scope.id = scope GROUP BY path ORDER BY path"""
    )
    kinds = sql.rows("SELECT kind, count(*) FROM document GROUP BY kind ORDER BY kind")
    (vectors,) = sql.row("SELECT count(*) FROM embedding") or (0,)
    (size,) = sql.row(
        "SELECT sum(pg_total_relation_size(name::regclass))::bigint FROM unnest(%s::text[]) AS name",
        (["meta", *TENANTS_TABLES],),
    ) or (0,)
    return StoreStats(
        documents=sum(row[1] for row in scopes),
        chunks=sum(row[2] for row in scopes),
        characters=sum(row[3] for row in scopes),
        file_bytes=size,
        scopes=tuple((unescaped(row[0]), row[1], row[2]) for row in scopes),
        kinds=tuple((unescaped(row[0]), row[1]) for row in kinds),
        schema_version=SCHEMA_VERSION,
        vectors=vectors,
        embedding=sql.space if vectors else None,
    )
