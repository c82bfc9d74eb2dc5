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

from symfonic.adapters.knowledge.ports import (
    Chunk,
    Document,
    DocumentRecord,
    StoredChunk,
    StoreStats,
    retrieved_text,
)
from symfonic.capabilities.knowledge import SCOPE_PATH_DELIMITER, RetrievedFragment

from ._schema import SCHEMA_VERSION, stored_row, stored_scope_path
from ._space import count, stored_space

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Mapping

PAGE: Final = 256
"""Rows read in one transaction by what lists a whole store."""

_DOCUMENT: Final = "path, origin, file, digest, kind, size"
_DOCUMENT_KINDS: Final = (str, str, str, str, str, int)
_RECORD: Final = f"SELECT {_DOCUMENT}, document.chunks, characters FROM document JOIN scope ON scope.id = scope"  # noqa: S608 - constants of this product


def _document(row: tuple[Any, ...]) -> Document:
    path, origin, file, digest, kind, size = stored_row(row[:6], _DOCUMENT_KINDS)
    return Document(scope_path=path, origin=origin, file=file, digest=digest, kind=kind, size=size)


def _record(row: tuple[Any, ...]) -> DocumentRecord:
    chunks, characters = stored_row(row[6:], (int, int))
    return DocumentRecord(document=_document(row), chunks=chunks, characters=characters)


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
    """Every path something is stored at, in order.

    Raises:
        StoreError: One is no scope path, so the file is damaged.
    """
    return [stored_scope_path(path) for (path,) in sql.execute("SELECT path FROM scope ORDER BY path")]


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
    rows = sql.execute(statement, (document.scope_path, document.origin, after))
    return [StoredChunk(document=_document(row), chunk=_chunk(row[6:])) for row in rows]


def _chunk(row: tuple[Any, ...]) -> Chunk:
    ordinal, page, label, heading, text = stored_row(row, (int, int | None, str, str, str))
    return Chunk(ordinal=ordinal, page=page, label=label, heading=heading, text=text)


def fragments(sql: sqlite3.Connection, scores: Mapping[int, float]) -> list[RetrievedFragment]:
    """Scored passages as rows of an answer, best first under ``(-score, source, content)``."""
    rows = sql.execute(
        """SELECT chunk.id, scope.path, origin, file, kind, ordinal, page, label, heading, text
        FROM json_each(?) JOIN chunk ON chunk.id = value JOIN passage ON passage.id = chunk.id
        JOIN document ON document.id = document JOIN scope ON scope.id = scope""",
        (json.dumps(list(scores)),),
    )
    return answered([fragment(scores[row[0]], row[1:5], _chunk(row[5:])) for row in rows])


def answered(found: Collection[RetrievedFragment]) -> list[RetrievedFragment]:
    """Rows of an answer in its order: place in the store decides between equal ones, so that even metadata come so."""
    return sorted(
        found,
        key=lambda row: (-row.score, row.source, row.content, *(row.metadata[key] for key in _PLACE)),
    )


_PLACE: Final = ("scope_path", "file", "document", "ordinal")
_PAGE_NAMES: Final = {"pptx": "slide"}
_HEADING_NAMES: Final = {"xlsx": "sheet", "xls": "sheet", "ods": "sheet"}


def fragment(score: float, document: tuple[Any, ...], chunk: Chunk) -> RetrievedFragment:
    """A passage as a row of an answer; ``document`` is scope path, origin, file and kind."""
    path, origin, file, kind = stored_row(document, (str, str, str, str))
    # The boundary counts rows of one document. The origin is a path of this machine, so only its digest leaves.
    identity = hashlib.sha256(origin.encode()).hexdigest()[:32]
    metadata: dict[str, Any] = {"scope_path": path, "document": identity, "file": file, "ordinal": chunk.ordinal}
    if chunk.page is not None:
        metadata["page"] = metadata[_PAGE_NAMES.get(kind, "page")] = chunk.page
    if chunk.heading:
        metadata["heading"] = metadata[_HEADING_NAMES.get(kind, "heading")] = chunk.heading
    return RetrievedFragment(retrieved_text(chunk.text), chunk.label, score, metadata)


@dataclass(frozen=True, slots=True)
class Named:
    """What a pattern names: whole documents, and single passages of other documents, by id."""

    documents: tuple[int, ...] = ()
    chunks: tuple[int, ...] = ()


# A glob over origins says where they begin, so that a word in the path of a folder never names all that lies below it.
PLACE_PATTERN: Final = re.compile(r"/|[A-Za-z][A-Za-z0-9+.-]*:")


def named_by(sql: sqlite3.Connection, pattern: str, scope_path: str) -> Named:
    """Documents whose file or origin and passages whose label is ``pattern``; without any, those it matches as a glob.

    As a glob it is compared with origins only where it begins as one: with ``/``, or with a scheme and a colon.
    """
    exact = _select(sql, scope_path, lambda name: name == pattern, with_origins=True)
    if exact != Named():
        return exact
    matches = re.compile(fnmatch.translate(pattern)).match
    with_origins = PLACE_PATTERN.match(pattern) is not None
    return _select(
        sql, scope_path, lambda name: isinstance(name, str) and matches(name) is not None, with_origins=with_origins
    )


def _select(sql: sqlite3.Connection, scope_path: str, wanted: Callable[[object], bool], *, with_origins: bool) -> Named:
    documents = [
        document
        for document, file, origin in sql.execute(
            "SELECT document.id, file, origin FROM document JOIN scope ON scope.id = scope WHERE path = ?",
            (scope_path,),
        )
        if wanted(file) or (with_origins and wanted(origin))
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


def documents_below(sql: sqlite3.Connection, scope_path: str) -> list[int]:
    """Ids of the documents stored at ``scope_path`` and below it.

    The path is compared as text with the delimiter behind it, which says the same of scope paths, and reaches what a
    damaged file holds under something else as well: damage must not keep anything from being forgotten.
    """
    return [
        document
        for (document,) in sql.execute(
            """SELECT document.id FROM document JOIN scope ON scope.id = scope
            WHERE :path = '' OR path = :path OR substr(path, 1, length(:below)) = :below""",
            {"path": scope_path, "below": f"{scope_path}{SCOPE_PATH_DELIMITER}"},
        )
    ]


def stats(sql: sqlite3.Connection, file_bytes: int) -> StoreStats:
    """Totals over the whole store.

    Raises:
        StoreError: A row stands under what is no scope path, so the file is damaged.
    """
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
        scopes=tuple((stored_scope_path(row[0]), row[1], row[2]) for row in scopes),
        kinds=tuple((row[0], row[1]) for row in kinds),
        schema_version=SCHEMA_VERSION,
        vectors=count(sql),
        embedding=stored_space(sql),
    )


def revision(sql: sqlite3.Connection) -> int:
    """How many changes of content the store has seen."""
    return int(sql.execute("SELECT revision FROM state").fetchone()[0])
