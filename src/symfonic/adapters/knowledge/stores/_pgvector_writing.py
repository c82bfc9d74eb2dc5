"""Changes of content in PostgreSQL, in the caller's transaction.

Rules of this module: every statement that changes a row stands here, so that passages, words, totals and the revision
change together. It never commits. Documents are taken in the order of paths and of identities, and totals at the
end of it all, in the order of ids, so that two that store the same documents wait for each other and do not get in each
other's way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from symfonic.adapters.knowledge.ports import Removal, embedded_text

from ._lexical import CONTEXT_WEIGHT
from ._pgvector_rights import ALL_VECTORS, FIRST_VECTORS, needing_a_right
from ._pgvector_schema import LARGEST_INLINE
from ._pgvector_sight import Sight
from ._pgvector_values import copied, escaped, identity, lexemes, parted, row, tsvector, unescaped, vector_bytes
from ._schema import indexed_pieces
from ._space import embedding_hash
from ._writing import Item, indexed_context

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from symfonic.adapters.knowledge.ports import Chunk, EmbeddingSpace

    from ._lexical import Analyzer
    from ._pgvector_connections import Transaction

_ANALYZED: Final = 128
"""Passages cut into words at once."""

_COPIED: Final = {
    "passage": "id, scope, document, ordinal, page, label, heading, before, text, behind",
    "word": "passage, scope, length, lexemes",
    "embedding": "passage, scope, hash, vector",
}


class Words(NamedTuple):
    """What the index holds of a passage: weighted length, and its words as a binary ``tsvector``."""

    length: int
    lexemes: bytes


def analyzed(analyzer: Analyzer, chunks: Sequence[Chunk]) -> list[Words]:
    """What the index will hold of passages. It needs no transaction, so it is done before one begins."""
    found: list[Words] = []
    for start in range(0, len(chunks), _ANALYZED):
        passages = [
            (context, chunk.text, indexed_pieces(context, chunk.text))
            for chunk in chunks[start : start + _ANALYZED]
            for context in (indexed_context(chunk),)
        ]
        found += (
            Words(CONTEXT_WEIGHT * each.context + each.text, tsvector(lexemes(each.counts)))
            for each in analyzer.indexed(passages)
        )
    return found


class Prepared(NamedTuple):
    """A document ready to be stored: what it is, and what the index will hold of each passage."""

    item: Item
    words: Sequence[Words]


def put(sql: Transaction, by_scope: Mapping[str, Sequence[Prepared]]) -> None:
    """Store documents of each scope path, each in place of the one under its identity; they have different ones."""
    changes: dict[str, dict[int, _Total]] = {}
    for path, prepared in by_scope.items():
        sql.act_for(Sight(path))
        changes[path] = _put_at(sql, prepared)
    count(sql, changes)


def _put_at(sql: Transaction, prepared: Sequence[Prepared]) -> dict[int, _Total]:
    """Store documents of one scope path; what that adds to it."""
    scope = _scope_id(sql, prepared[0].item.document.scope_path)
    owners, replaced = _put_documents(sql, scope, [each.item for each in prepared])
    gone = _remove_words(sql, "passage.document", replaced).get(scope, _Total(0, 0))
    sql.run("DELETE FROM passage WHERE document = ANY(%s)", (replaced,))
    passages = sum(len(each.words) for each in prepared)
    _copy(sql, scope, prepared, owners, _new_ids(sql, passages))
    length = sum(words.length for each in prepared for words in each.words)
    return {scope: _Total(passages - gone.passages, length - gone.length)}


def _put_documents(sql: Transaction, scope: int, items: Sequence[Item]) -> tuple[dict[bytes, int], list[int]]:
    """Rows of documents, new or in place of the old: ids by identity, and the ids of those that were there.

    Whoever stores the same document meanwhile waits here.
    """
    columns = [
        (
            identity(document.origin),
            *map(escaped, (document.origin, document.file, document.digest, document.kind)),
            document.size,
            len(item.chunks),
            sum(len(chunk.text) for chunk in item.chunks),
        )
        for item in items
        for document in (item.document,)
    ]
    rows = sql.rows(
        """INSERT INTO document(id, scope, identity, origin, file, digest, kind, size, chunks, characters)
        SELECT nextval('id'), %s, * FROM unnest(
            %s::bytea[], %s::text[], %s::text[], %s::text[], %s::text[], %s::bigint[], %s::bigint[], %s::bigint[])
        ON CONFLICT (scope, identity) DO UPDATE
        SET file = excluded.file, digest = excluded.digest, kind = excluded.kind,
            size = excluded.size, chunks = excluded.chunks, characters = excluded.characters
        RETURNING identity, id, xmax <> 0""",
        (scope, *map(list, zip(*columns, strict=True))),
    )
    return {bytes(key): found for key, found, _ in rows}, [found for _, found, was_there in rows if was_there]


def _scope_id(sql: Transaction, path: str) -> int:
    statement, key = "SELECT id FROM scope WHERE identity = %s", identity(path)
    found = sql.row(statement, (key,))
    if found is None:
        sql.run(
            "INSERT INTO scope(identity, path) VALUES (%s, %s) ON CONFLICT (identity) DO NOTHING", (key, escaped(path))
        )
        found = sql.row(statement, (key,))
    assert found is not None
    return int(found[0])


def _new_ids(sql: Transaction, count: int) -> list[int]:
    return [found for (found,) in sql.rows("SELECT nextval('id') FROM generate_series(1, %s)", (count,))]


def _copy(
    sql: Transaction, scope: int, prepared: Sequence[Prepared], owners: dict[bytes, int], ids: Sequence[int]
) -> None:
    rows: dict[str, list[bytes]] = {name: [] for name in _COPIED}
    free = iter(ids)
    for item, words in prepared:
        owner = owners[identity(item.document.origin)]
        for at, (chunk, word) in enumerate(zip(item.chunks, words, strict=True)):
            passage = next(free)
            texts = map(escaped, (chunk.label, chunk.heading, *parted(chunk.text)))
            rows["passage"].append(row(passage, scope, owner, chunk.ordinal, chunk.page, *texts))
            rows["word"].append(row(passage, scope, word.length, word.lexemes))
            if item.vectors is not None:
                vector = vector_bytes(item.vectors[at])
                rows["embedding"].append(row(passage, scope, embedding_hash(embedded_text(chunk)), vector))
    _send(sql, rows)


def _send(sql: Transaction, rows: dict[str, list[bytes]]) -> None:
    """Copy rows in; by way of a temporary table where row-level security forbids to copy into the table itself."""
    (secured,) = sql.row("SELECT row_security_active('passage')") or (False,)
    for table, lines in rows.items():
        if not lines:
            continue
        columns = _COPIED[table]
        if not secured:
            sql.copy(f"COPY {table}({columns}) FROM STDIN (FORMAT BINARY)", copied(lines))
            continue
        nothing = f"SELECT {columns} FROM {table} LIMIT 0"  # noqa: S608 - constants of this product
        sql.run(f"CREATE TEMPORARY TABLE IF NOT EXISTS staged_{table} ON COMMIT DELETE ROWS AS {nothing}")
        sql.copy(f"COPY pg_temp.staged_{table}({columns}) FROM STDIN (FORMAT BINARY)", copied(lines))
        sql.run(f"INSERT INTO {table}({columns}) SELECT {columns} FROM pg_temp.staged_{table}")  # noqa: S608 - constants of this product
        sql.run(f"TRUNCATE pg_temp.staged_{table}")


class _Total(NamedTuple):
    """How many passages, and their length."""

    passages: int
    length: int


def _remove_documents(sql: Transaction, documents: Collection[int]) -> dict[int, _Total]:
    """Take out documents with all their passages; what that takes from each scope."""
    if not documents:
        return {}
    gone = _remove_words(sql, "passage.document", documents)
    sql.run("DELETE FROM document WHERE id = ANY(%s)", (list(documents),))
    return gone


def _remove_words(sql: Transaction, column: str, ids: Collection[int]) -> dict[int, _Total]:
    rows = sql.rows(
        f"""WITH gone AS (DELETE FROM word USING passage WHERE word.passage = passage.id AND {column} = ANY(%s)
            RETURNING word.scope, length)
        SELECT scope, count(*), sum(length)::bigint FROM gone GROUP BY scope""",  # noqa: S608 - one of two columns
        (list(ids),),
    )
    return {scope: _Total(*total) for scope, *total in rows}


def count(sql: Transaction, by_scope: Mapping[str, Mapping[int, _Total]]) -> None:
    """Change the totals of scopes, and count a change of content: the last thing a transaction does.

    Whoever comes second waits here, and holds nothing that anybody who is further waits for.
    """
    for path, changes in sorted(by_scope.items(), key=lambda each: min(each[1], default=0)):
        if len(by_scope) > 1:
            sql.act_for(Sight(path))
        _add(sql, changes)
    advance(sql)


def _add(sql: Transaction, changes: Mapping[int, _Total]) -> None:
    for scope, change in sorted(changes.items()):
        sql.run(
            "UPDATE scope SET passages = passages + %s, length = length + %s WHERE id = %s",
            (change.passages, change.length, scope),
        )
    lessened = [scope for scope, change in changes.items() if change.passages < 0]
    if lessened:
        # One in which somebody stores a document at this moment is locked by him, and will not be empty.
        sql.run(
            """DELETE FROM scope WHERE id IN (SELECT id FROM scope WHERE id = ANY(%s) AND passages = 0
            AND NOT EXISTS (SELECT FROM document WHERE scope = scope.id) FOR UPDATE SKIP LOCKED)""",
            (lessened,),
        )


def advance(sql: Transaction) -> None:
    """Count a change of content."""
    sql.run("UPDATE meta SET revision = revision + 1")


class Taken(NamedTuple):
    """What was taken out, and what that takes from each scope."""

    removal: Removal
    changes: dict[int, _Total]


def forget(sql: Transaction, documents: Collection[int], chunks: Collection[int] = ()) -> Removal:
    """Take out documents, and passages of other documents, by id, and the scopes that then hold nothing.

    A document that keeps passages loses its digest, so that its file is never taken for unchanged; one that keeps none
    goes as well.
    """
    taken = take(sql, documents, chunks)
    if taken.removal != Removal():
        count(sql, {"": taken.changes})
    return taken.removal


def take(sql: Transaction, documents: Collection[int], chunks: Collection[int] = ()) -> Taken:
    """Take out documents and passages as :func:`forget` does, and leave the totals for :func:`count`."""
    # Who comes second, to store one of them anew, waits for the first; what another one took out meanwhile is his.
    locked = sql.rows(
        """SELECT document.id FROM document JOIN scope ON scope.id = scope WHERE document.id = ANY(%s)
        ORDER BY path, document.identity FOR UPDATE OF document""",
        (list(documents),),
    )
    parts: list[dict[int, _Total]] = []
    emptied: list[int] = []
    if chunks:
        owners = [
            owner for (owner,) in sql.rows("SELECT DISTINCT document FROM passage WHERE id = ANY(%s)", (list(chunks),))
        ]
        parts.append(_remove_words(sql, "passage.id", chunks))
        sql.run("DELETE FROM passage WHERE id = ANY(%s)", (list(chunks),))
        emptied = [owner for owner in owners if not _mark_incomplete(sql, owner)]
    gone = [*(document for (document,) in locked), *emptied]
    before = sum(total.passages for part in parts for total in part.values())
    parts.append(_remove_documents(sql, gone))
    after = sum(total.passages for total in parts[-1].values())
    return Taken(Removal(documents=len(gone), chunks=before + after), _summed(parts))


def _summed(parts: Iterable[dict[int, _Total]]) -> dict[int, _Total]:
    found: dict[int, _Total] = {}
    for part in parts:
        for scope, total in part.items():
            before = found.get(scope, _Total(0, 0))
            found[scope] = _Total(before.passages - total.passages, before.length - total.length)
    return found


def _mark_incomplete(sql: Transaction, document: int) -> int:
    """Clear the digest, count again what is left, and return that count."""
    # Counted here: an escaped character is two in the database.
    texts = [
        unescaped(text)
        for (text,) in sql.rows("SELECT before || text || behind FROM passage WHERE document = %s", (document,))
    ]
    sql.run(
        "UPDATE document SET digest = '', chunks = %s, characters = %s WHERE id = %s",
        (len(texts), sum(map(len, texts)), document),
    )
    return len(texts)


def claim(sql: Transaction, space: EmbeddingSpace) -> None:
    """Say whose vectors the store is to hold. Long ones are kept out of their rows, for a row has to fit a page.

    Raises:
        StoreError: It holds none of them yet, and this role does not own its tables.
    """
    if sql.space == space:
        return
    with needing_a_right(FIRST_VECTORS):
        sql.run("UPDATE meta SET embedding = %s, dimensions = %s", (escaped(space.name), space.dimensions))
        if space.dimensions > LARGEST_INLINE:
            sql.run("ALTER TABLE embedding ALTER COLUMN vector SET STORAGE EXTERNAL")


def drop_vectors(sql: Transaction) -> None:
    """Take out every vector, and the index over them, which is for one number of dimensions."""
    sql.run("DELETE FROM embedding")
    if sql.row("SELECT to_regclass('embedding_hnsw')") != (None,):
        with needing_a_right(ALL_VECTORS):
            sql.run("DROP INDEX embedding_hnsw")
    advance(sql)


def put_late_vectors(sql: Transaction, rows: Sequence[tuple[int, bytes, bytes]]) -> None:
    """Store vectors of passages in place of those they have; passages that are gone meanwhile are passed over."""
    ids = [passage for passage, _, _ in rows]
    sql.run("DELETE FROM embedding WHERE passage = ANY(%s)", (ids,))
    # Locked, so that none of them goes before its vector has come.
    found = dict(sql.rows("SELECT id, scope FROM passage WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE", (ids,)))
    lines = [
        row(passage, found[passage], key, vector_bytes(vector)) for passage, key, vector in rows if passage in found
    ]
    _send(sql, {"embedding": lines})
    advance(sql)
