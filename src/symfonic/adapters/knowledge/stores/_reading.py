"""What the store answers besides ranking: documents, passages, totals, and what a pattern names.

Rules of this module: it only reads, inside the caller's transaction, and every answer is read to its end, so that
nobody who stops listening half way keeps a transaction open. Long lists come in pages of :data:`PAGE` rows.
"""

from __future__ import annotations

import fnmatch
import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.ports import Chunk, Document, DocumentRecord, StoredChunk, StoreStats
from symfonic.capabilities.knowledge import RetrievedFragment

from ._schema import SCHEMA_VERSION

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Mapping

PAGE: Final = 256
"""Rows read in one transaction by what lists a whole store."""

_DOCUMENT: Final = "path, origin, file, digest, kind, size"
_RECORD: Final = f"SELECT {_DOCUMENT}, document.chunks, characters FROM document JOIN scope ON scope.id = scope"  # noqa: S608 - constants of this product


def _document(row: tuple[Any, ...]) -> Document:
    path, origin, file, digest, kind, size = row[:6]
    return Document(scope_path=path, origin=origin, file=file, digest=digest, kind=kind, size=size)


def _record(row: tuple[Any, ...]) -> DocumentRecord:
    return DocumentRecord(document=_document(row), chunks=row[6], characters=row[7])


def record(sql: sqlite3.Connection, scope_path: str, origin: str) -> DocumentRecord | None:
    """The document stored under that identity."""
    row = sql.execute(f"{_RECORD} WHERE path = ? AND origin = ?", (scope_path, origin)).fetchone()
    return None if row is None else _record(row)


def document_ids(sql: sqlite3.Connection, documents: Collection[Document]) -> list[int]:
    """Ids of those documents that are stored, each once."""
    found = {
        row[0]: None
        for document in documents
        for row in sql.execute(
            "SELECT document.id FROM document JOIN scope ON scope.id = scope WHERE path = ? AND origin = ?",
            (document.scope_path, document.origin),
        )
    }
    return list(found)


def scope_paths(sql: sqlite3.Connection) -> list[str]:
    """Every path something is stored at, in order."""
    return [path for (path,) in sql.execute("SELECT path FROM scope ORDER BY path")]


def document_page(sql: sqlite3.Connection, scope_path: str, after: tuple[str, str] | None) -> list[DocumentRecord]:
    """The next documents of one scope, ordered by file and origin, after the one with that file and origin."""
    where, values = ("", ()) if after is None else (" AND (file, origin) > (?, ?)", after)
    statement = f"{_RECORD} WHERE path = ?{where} ORDER BY file, origin LIMIT {PAGE}"
    return [_record(row) for row in sql.execute(statement, (scope_path, *values))]


def chunk_page(sql: sqlite3.Connection, document: Document, after: int) -> list[StoredChunk]:
    """The next passages of one document, ordered by ordinal, after that ordinal."""
    statement = f"""
        SELECT {_DOCUMENT}, ordinal, page, label, heading, text
        FROM scope JOIN document ON scope.id = scope JOIN chunk ON document.id = document
        JOIN passage ON passage.id = chunk.id
        WHERE path = ? AND origin = ? AND ordinal > ? ORDER BY ordinal LIMIT {PAGE}"""  # noqa: S608 - constants of this product
    return [
        StoredChunk(
            document=_document(row),
            chunk=Chunk(ordinal=row[6], page=row[7], label=row[8], heading=row[9], text=row[10]),
        )
        for row in sql.execute(statement, (document.scope_path, document.origin, after))
    ]


def fragments(sql: sqlite3.Connection, scores: Mapping[int, float]) -> list[RetrievedFragment]:
    """Scored passages as rows of an answer, best first under ``(-score, source, content)``."""
    rows = sql.execute(
        """SELECT chunk.id, label, text, scope.path, origin, file, ordinal, page, heading
        FROM json_each(?) JOIN chunk ON chunk.id = value JOIN passage ON passage.id = chunk.id
        JOIN document ON document.id = document JOIN scope ON scope.id = scope""",
        (json.dumps(list(scores)),),
    )
    found = [_fragment(scores[row[0]], row[1:3], row[3:]) for row in rows]
    # Place in the store decides between equal rows, so that even their metadata come in one order.
    return sorted(
        found,
        key=lambda row: (-row.score, row.source, row.content, *(row.metadata[key] for key in _PLACE)),
    )


_PLACE: Final = ("scope_path", "file", "ordinal")


def _fragment(score: float, shown: tuple[str, str], place: tuple[Any, ...]) -> RetrievedFragment:
    label, text = shown
    path, origin, file, ordinal, page, heading = place
    # The boundary counts rows of one document. The origin is a path of this machine, so only its digest leaves.
    document = hashlib.sha256(origin.encode()).hexdigest()[:32]
    metadata: dict[str, Any] = {"scope_path": path, "document": document, "file": file, "ordinal": ordinal}
    if page is not None:
        metadata["page"] = page
    if heading:
        metadata["heading"] = heading
    return RetrievedFragment(text, label, score, metadata)


@dataclass(frozen=True, slots=True)
class Named:
    """What a pattern names: whole documents, and single passages of other documents, by id."""

    documents: tuple[int, ...] = ()
    chunks: tuple[int, ...] = ()


def named_by(sql: sqlite3.Connection, pattern: str, scope_path: str) -> Named:
    """Documents whose file and passages whose label is ``pattern``; without any, those it matches as a glob."""
    exact = _select(sql, scope_path, pattern.__eq__)
    if exact != Named():
        return exact
    matches = re.compile(fnmatch.translate(pattern)).match
    return _select(sql, scope_path, lambda name: matches(name) is not None)


def _select(sql: sqlite3.Connection, scope_path: str, wanted: Callable[[str], bool]) -> Named:
    documents = [
        document
        for document, file in sql.execute(
            "SELECT document.id, file FROM document JOIN scope ON scope.id = scope WHERE path = ?", (scope_path,)
        )
        if wanted(file)
    ]
    whole = set(documents)
    chunks = [
        chunk
        for chunk, document, label in sql.execute(
            """SELECT chunk.id, document.id, label FROM scope JOIN document ON scope.id = scope
            JOIN chunk ON document.id = document JOIN passage ON passage.id = chunk.id WHERE path = ?""",
            (scope_path,),
        )
        if document not in whole and wanted(label)
    ]
    return Named(tuple(documents), tuple(chunks))


def documents_at(sql: sqlite3.Connection, paths: Collection[str]) -> list[int]:
    """Ids of the documents stored exactly at ``paths``."""
    return [
        document
        for (document,) in sql.execute(
            """SELECT document.id FROM document JOIN scope ON scope.id = scope
            WHERE path IN (SELECT value FROM json_each(?))""",
            (json.dumps(list(paths)),),
        )
    ]


def stats(sql: sqlite3.Connection, file_bytes: int) -> StoreStats:
    """Totals over the whole store."""
    scopes = sql.execute(
        """SELECT path, count(document.id), sum(document.chunks), sum(characters)
        FROM scope JOIN document ON scope.id = scope GROUP BY path ORDER BY path"""
    ).fetchall()
    kinds = sql.execute("SELECT kind, count(*) FROM document GROUP BY kind ORDER BY kind").fetchall()
    return StoreStats(
        documents=sum(row[1] for row in scopes),
        chunks=sum(row[2] for row in scopes),
        characters=sum(row[3] for row in scopes),
        file_bytes=file_bytes,
        scopes=tuple((row[0], row[1], row[2]) for row in scopes),
        kinds=tuple((row[0], row[1]) for row in kinds),
        schema_version=SCHEMA_VERSION,
    )


def revision(sql: sqlite3.Connection) -> int:
    """How many changes of content the store has seen."""
    return int(sql.execute("SELECT revision FROM state").fetchone()[0])
