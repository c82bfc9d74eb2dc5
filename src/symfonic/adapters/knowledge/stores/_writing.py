"""Changes of content: storing, replacing and removing documents, in the caller's transaction.

Rules of this module: every statement that changes a table stands here, so that passages, index, lengths, totals and the
revision change together. It never commits. The index holds no text of its own: FTS5 takes a row out only when it is
told the very text that went in, so a row leaves the index before it leaves its table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from symfonic.adapters.knowledge.ports import Chunk, Document, Removal, StoreError, embedded_text
from symfonic.capabilities.knowledge import BridgeContractError, scope_ancestors

from ._schema import SCOPE_SHIFT, indexed_pieces, lengths
from ._space import VECTOR, embedding_hash, is_sound

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterator

    from symfonic.adapters.knowledge.ports import EmbeddingSpace

_MAX_INTEGER: Final = (1 << 63) - 1


def ancestors(scope_path: str) -> tuple[str, ...]:
    """The paths visible from ``scope_path``, root first.

    Raises:
        StoreError: It is no scope path.
    """
    require_text("scope path", scope_path)
    try:
        return scope_ancestors(scope_path)
    except BridgeContractError as error:
        raise StoreError(
            f"a scope path is kind and id in turn, root first, joined by U+001F; {scope_path!a} is none and "
            f"nothing was done; build it with ScopePath ({error})"
        ) from error


def validated(document: Document, given: Sequence[Chunk], sound: set[str]) -> tuple[Chunk, ...]:
    """Refuse what could not be stored and read back as it is, before anything is written; what was looked at is kept.

    Whoever gave the passages may write others into the same list before they are stored.

    Args:
        document: What its passages belong to.
        given: They themselves.
        sound: Scope paths that were looked at before; this document's is added.

    Raises:
        StoreError: It is no document with a list of chunks, a text is no ``str`` or cannot be encoded as UTF-8, a
            number is no plain non-negative int, or two chunks have one ordinal.
    """
    chunks = _passages(document, given)
    if not (type(document.scope_path) is str and document.scope_path in sound):
        ancestors(document.scope_path)
        sound.add(document.scope_path)
    for name in ("origin", "file", "digest", "kind"):
        require_text(f"document {name}", getattr(document, name))
    _require_number("document size", document.size)
    for chunk in chunks:
        if not (_is_plain(chunk.text) and _is_plain(chunk.label) and _is_plain(chunk.heading)):
            for name in ("text", "label", "heading"):
                require_text(f"chunk {name}", getattr(chunk, name))
        _require_number("chunk ordinal", chunk.ordinal)
        if chunk.page is not None:
            _require_number("chunk page", chunk.page)
    if len({chunk.ordinal for chunk in chunks}) != len(chunks):
        raise StoreError(
            f"every chunk of a document has its own ordinal; two of {document.file!a} share one and nothing was "
            "stored; number them from zero"
        )
    return chunks


def _passages(document: object, given: object) -> tuple[Chunk, ...]:
    if isinstance(document, Document) and isinstance(given, Sequence):
        chunks = tuple(given)
        if all(isinstance(chunk, Chunk) for chunk in chunks):
            return chunks
    raise StoreError(
        "a store takes a Document and a list of Chunk; "
        f"{type(document).__name__} and {type(given).__name__} were given, or hold something else, and nothing "
        "was stored; pass such a list"
    )


def parts(item: object) -> tuple[Document, Sequence[Chunk], Iterable[Iterable[float]] | None]:
    """A document with its passages and vectors, as many documents are put.

    Raises:
        StoreError: It is no such three.
    """
    if isinstance(item, tuple | list) and len(item) == 3:
        document, chunks, vectors = item
        return document, chunks, vectors
    raise StoreError(
        f"each of many documents is (document, chunks, vectors or None); {type(item).__name__} was given and it was "
        "not stored, nor was what comes behind it; pass three"
    )


def listed(name: str, values: object) -> Iterator[object]:
    """Values one by one.

    Raises:
        StoreError: They are a single text, or no list at all.
    """
    if not isinstance(values, Iterable) or isinstance(values, str | bytes):
        raise StoreError(f"{name} are a list; {type(values).__name__} was given and nothing was done; pass a list")
    return iter(values)


def require_flag(name: str, value: object) -> None:
    """Refuse what is merely truthy.

    Raises:
        StoreError: It is no ``bool``.
    """
    if not isinstance(value, bool):
        raise StoreError(
            f"{name} is True or False; {value!a} was given and nothing was done, for its truth would decide silently; "
            "pass a bool"
        )


def require_bytes(name: str, value: object) -> None:
    """Refuse what is no amount of memory.

    Raises:
        StoreError: It is none.
    """
    if type(value) is not int or value < 0:
        raise StoreError(
            f"{name} is a plain int of at least 0, in bytes; {value!a} was given and nothing was opened; pass one"
        )


def require_callback(name: str, value: object) -> None:
    """Refuse what cannot be called, before there is something to tell.

    Raises:
        StoreError: It is neither ``None`` nor callable.
    """
    if value is not None and not callable(value):
        raise StoreError(
            f"{name} is a function or None; {type(value).__name__} was given and nothing was done; pass one of them"
        )


def documents(values: object) -> list[Document]:
    """Documents that are to be removed, each with an identity that could have been stored.

    Raises:
        StoreError: They are no list of documents.
    """
    found = []
    for value in listed("documents", values):
        if not isinstance(value, Document):
            raise StoreError(
                f"documents are removed by their scope path and origin; {type(value).__name__} was given and nothing "
                "was removed; pass Document values"
            )
        for name in ("scope_path", "origin"):
            require_text(name.replace("_", " "), getattr(value, name))
        found.append(value)
    return found


def _is_plain(value: object) -> bool:
    """Whether it is a text that needs no second look; most are."""
    return isinstance(value, str) and value.isascii()


def require_text(name: str, value: object) -> None:
    """Refuse what is no text SQLite can hold.

    Raises:
        StoreError: ``value`` is no ``str``, or holds a lone surrogate.
    """
    if not isinstance(value, str):
        raise StoreError(f"a {name} is text; {type(value).__name__} was given and nothing was done; pass a str")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise StoreError(
            f"a {name} can be written as UTF-8; {value[error.start : error.start + 20]!a} at character "
            f"{error.start} cannot and nothing was done; decode the source again, replacing what is damaged"
        ) from error


def _require_number(name: str, value: object) -> None:
    if type(value) is not int or not 0 <= value <= _MAX_INTEGER:
        raise StoreError(
            f"a {name} is a plain int from 0 to 2**63 - 1; {shown(value)} was given and nothing was done; pass such a "
            "number"
        )


def shown(value: object) -> str:
    """A value that was refused, for a message: Python writes no number of more than some thousand digits."""
    return "a number of thousands of digits" if type(value) is int and value.bit_length() > 10_000 else f"{value!a}"


class Item(NamedTuple):
    """A document to be stored, with one stored vector for each passage where the store has an embedder.

    ``matrix`` holds the vectors as they were given as long as they wait for those of other documents.
    """

    document: Document
    chunks: Sequence[Chunk]
    vectors: Sequence[bytes] | None = None
    space: EmbeddingSpace | None = None
    matrix: Any = None


def put(sql: sqlite3.Connection, items: Sequence[Item]) -> None:
    """Store documents, each in place of the one under its identity; of several under one, the last."""
    latest = {(item.document.scope_path, item.document.origin): item for item in items}
    placed: dict[int, list[_Placed]] = {}
    for item in latest.values():
        scope = _scope_id(sql, item.document.scope_path)
        identity = _put_document(sql, scope, item)
        vectors: Sequence[bytes | None] = item.vectors or [None] * len(item.chunks)
        placed.setdefault(scope, []).extend(
            _Placed(identity, chunk, vector) for chunk, vector in zip(item.chunks, vectors, strict=True)
        )
    # In the order of ids: a lower one than before would have the index write what it holds so far.
    for scope, rows in sorted(placed.items()):
        if rows:
            _put_chunks(sql, scope, rows)
    advance(sql)


class _Placed(NamedTuple):
    """A passage with the id of its document."""

    document: int | None
    chunk: Chunk
    vector: bytes | None


def _put_document(sql: sqlite3.Connection, scope: int, item: Item) -> int | None:
    stored = sql.execute(
        "SELECT id FROM document WHERE scope = ? AND origin = ?", (scope, item.document.origin)
    ).fetchone()
    if stored is not None:
        remove_documents(sql, [stored[0]])
    return sql.execute(
        "INSERT INTO document(scope, origin, file, digest, kind, size, chunks, characters) VALUES (?,?,?,?,?,?,?,?)",
        (scope, *_columns(item.document), len(item.chunks), sum(len(chunk.text) for chunk in item.chunks)),
    ).lastrowid


def _scope_id(sql: sqlite3.Connection, path: str) -> int:
    row = sql.execute("SELECT id FROM scope WHERE path = ?", (path,)).fetchone()
    if row is not None:
        return int(row[0])
    return sql.execute("INSERT INTO scope(path) VALUES (?)", (path,)).lastrowid or 0


def _columns(document: Document) -> tuple[str | int, ...]:
    return (document.origin, document.file, document.digest, document.kind, document.size)


def _put_chunks(sql: sqlite3.Connection, scope: int, rows: Sequence[_Placed]) -> None:
    (used,) = sql.execute("SELECT used FROM scope WHERE id = ?", (scope,)).fetchone()
    ids = range((scope << SCOPE_SHIFT) + used, (scope << SCOPE_SHIFT) + used + len(rows))
    sql.execute("UPDATE scope SET used = used + ? WHERE id = ?", (len(rows), scope))
    sql.executemany(
        "INSERT INTO passage(id, label, heading, context, text, pieces) VALUES (?,?,?,?,?,?)",
        (
            (at, row.chunk.label, row.chunk.heading, context, row.chunk.text, indexed_pieces(context, row.chunk.text))
            for at, row in zip(ids, rows, strict=True)
            for context in (indexed_context(row.chunk),)
        ),
    )
    sql.execute(
        "INSERT INTO passage_index(rowid, context, text, pieces) SELECT id, context, text, pieces FROM passage "
        "WHERE id BETWEEN ? AND ?",
        (ids[0], ids[-1]),
    )
    counted = list(_lengths(sql, ids[0], ids[-1]))
    sql.executemany(
        "INSERT INTO chunk(id, document, ordinal, page, context_tokens, text_tokens) VALUES (?,?,?,?,?,?)",
        (
            (at, row.document, row.chunk.ordinal, row.chunk.page, *length)
            for at, row, length in zip(ids, rows, counted, strict=True)
        ),
    )
    sql.execute(
        "UPDATE scope SET chunks = chunks + ?, context_tokens = context_tokens + ?, text_tokens = text_tokens + ? "
        "WHERE id = ?",
        (len(rows), sum(length[0] for length in counted), sum(length[1] for length in counted), scope),
    )
    put_vectors(
        sql,
        (
            (at, embedding_hash(embedded_text(row.chunk)), row.vector)
            for at, row in zip(ids, rows, strict=True)
            if row.vector is not None
        ),
    )


def put_vectors(sql: sqlite3.Connection, rows: Iterable[tuple[int, bytes, bytes]]) -> None:
    """Store vectors by chunk id, each with the hash of the text it stands for; a passage that has one keeps it."""
    sql.executemany("INSERT OR IGNORE INTO vector(id, hash, vector) VALUES (?,?,?)", rows)


_STORED: Final = f"SELECT {VECTOR} FROM chunk LEFT JOIN vector USING (id) WHERE id = ?"  # noqa: S608 - a constant


def put_late_vectors(sql: sqlite3.Connection, rows: Sequence[tuple[int, bytes, bytes]], dimensions: int) -> None:
    """Store vectors of passages that had no sound one; passages that are gone meanwhile are passed over."""
    found = [(row, stored) for row in rows for (stored,) in sql.execute(_STORED, row[:1])]
    missing = [row for row, stored in found if not is_sound(stored, dimensions)]
    sql.executemany("DELETE FROM vector WHERE id = ?", [row[:1] for row in missing])
    put_vectors(sql, missing)
    sql.executemany(
        "UPDATE scope SET embedded = embedded + 1 WHERE id = ?",
        [(scope,) for scope in {row[0] >> SCOPE_SHIFT for row in missing}],
    )
    advance(sql)


def drop_vectors(sql: sqlite3.Connection) -> None:
    """Take out every vector, and whose they were."""
    sql.execute("DELETE FROM vector")
    sql.execute("UPDATE state SET embedding = '', dimensions = 0")
    sql.execute("UPDATE scope SET embedded = embedded + 1")
    advance(sql)


def indexed_context(chunk: Chunk) -> str:
    """What a passage is found by besides its text: the label, and the headings the label does not show already."""
    if not chunk.heading:
        return chunk.label
    missing = [part for part in chunk.heading.split(" > ") if part not in chunk.label]
    return " ".join([chunk.label, *missing])


def _lengths(sql: sqlite3.Connection, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Words in context and text as FTS5 counted them."""
    for (sizes,) in sql.execute(
        "SELECT sz FROM passage_index_docsize WHERE id BETWEEN ? AND ? ORDER BY id", (first, last)
    ):
        yield lengths(sizes)


def remove_documents(sql: sqlite3.Connection, documents: Collection[int]) -> int:
    """Take out documents by id, with all their passages; return how many passages that were."""
    chunks = [
        chunk
        for document in documents
        for (chunk,) in sql.execute("SELECT id FROM chunk WHERE document = ?", (document,)).fetchall()
    ]
    _remove_chunks(sql, chunks)
    sql.executemany("DELETE FROM document WHERE id = ?", ((document,) for document in documents))
    return len(chunks)


def _remove_chunks(sql: sqlite3.Connection, chunks: Sequence[int]) -> None:
    keys = [(chunk,) for chunk in chunks]
    sql.executemany(
        "INSERT INTO passage_index(passage_index, rowid, context, text, pieces) "
        "SELECT 'delete', id, context, text, pieces FROM passage WHERE id = ?",
        keys,
    )
    sql.executemany("DELETE FROM vector WHERE id = ?", keys)
    sql.executemany("DELETE FROM passage WHERE id = ?", keys)
    sql.executemany(
        f"""UPDATE scope SET changes = changes + 1, chunks = chunks - 1,
        context_tokens = scope.context_tokens - gone.context_tokens,
        text_tokens = scope.text_tokens - gone.text_tokens
        FROM chunk AS gone WHERE gone.id = ? AND scope.id = gone.id >> {SCOPE_SHIFT}""",  # noqa: S608 - a constant
        keys,
    )
    sql.executemany("DELETE FROM chunk WHERE id = ?", keys)


def forget(sql: sqlite3.Connection, documents: Collection[int], chunks: Sequence[int] = ()) -> Removal:
    """Take out documents, and passages of other documents, by id, and every trace of them in the index.

    A document that keeps passages loses its digest, so that its file is never taken for unchanged; one that keeps none
    goes as well.
    """
    owners = {sql.execute("SELECT document FROM chunk WHERE id = ?", (chunk,)).fetchone()[0] for chunk in chunks}
    _remove_chunks(sql, chunks)
    emptied = [owner for owner in owners if not _mark_incomplete(sql, owner)]
    gone = [*documents, *emptied]
    removal = Removal(documents=len(gone), chunks=len(chunks) + remove_documents(sql, gone))
    if removal != Removal():
        _purge(sql)
    return removal


def _mark_incomplete(sql: sqlite3.Connection, document: int) -> int:
    """Clear the digest, count again what is left, and return that count."""
    texts = sql.execute(
        "SELECT text FROM chunk JOIN passage ON passage.id = chunk.id WHERE document = ?", (document,)
    ).fetchall()
    sql.execute(
        "UPDATE document SET digest = '', chunks = ?, characters = ? WHERE id = ?",
        (len(texts), sum(len(text) for (text,) in texts), document),
    )
    return len(texts)


def _purge(sql: sqlite3.Connection) -> None:
    """Drop scopes that hold nothing, and rewrite the index without the words that only removed passages had.

    Until its segments are merged the index keeps removed words beside a note that they are void; ``optimize`` merges.
    """
    sql.execute("DELETE FROM scope WHERE NOT EXISTS (SELECT 1 FROM document WHERE scope = scope.id)")
    optimize(sql)
    advance(sql)


def optimize(sql: sqlite3.Connection) -> None:
    """Merge the index into one segment, which holds no removed word."""
    sql.execute("INSERT INTO passage_index(passage_index) VALUES ('optimize')")


def advance(sql: sqlite3.Connection) -> None:
    """Count a change of content."""
    sql.execute("UPDATE state SET revision = revision + 1")
