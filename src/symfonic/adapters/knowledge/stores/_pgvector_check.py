"""Whether a store in PostgreSQL is sound: what must agree between its tables, and what follows from its texts.

Rules of this module: it changes nothing, and no fault it finds is an error. Whether the server's own files are sound
its own tools tell (``pg_amcheck``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import Chunk, embedded_text
from symfonic.capabilities.knowledge import BridgeContractError, scope_ancestors

from ._pgvector_values import identity, stored_bytes, unescaped
from ._pgvector_writing import analyzed
from ._space import embedding_hash, is_sound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._lexical import Analyzer
    from ._pgvector_connections import Transaction

_PAGE: Final = 512

_COUNTS: Final = (
    (
        "passages that are not in the index of words",
        "SELECT count(*) FROM passage LEFT JOIN word ON passage = id WHERE passage IS NULL",
    ),
    (
        "passages outside their document's scope",
        "SELECT count(*) FROM passage JOIN document ON document.id = document WHERE document.scope <> passage.scope",
    ),
    (
        "words or vectors outside their passage's scope",
        """SELECT (SELECT count(*) FROM passage JOIN word ON passage = id WHERE word.scope <> passage.scope)
        + (SELECT count(*) FROM passage JOIN embedding ON passage = id WHERE embedding.scope <> passage.scope)""",
    ),
    (
        "scopes whose totals are not the sums of their passages",
        """SELECT count(*) FROM scope LEFT JOIN (
            SELECT scope AS id, count(*) AS passages, sum(length) AS length FROM word GROUP BY scope) AS sums USING (id)
        WHERE (scope.passages, scope.length) <> (coalesce(sums.passages, 0), coalesce(sums.length, 0))""",
    ),
    (
        "documents with another number of passages than they say",
        """SELECT count(*) FROM document WHERE chunks <> (SELECT count(*) FROM passage WHERE document = document.id)""",
    ),
)


def faults(sql: Transaction, analyzer: Analyzer) -> tuple[str, ...]:
    """What is wrong, a sentence each; empty where everything is sound."""
    return (*_counted(sql), *_scopes(sql), *_passages(sql, analyzer), *_vectors(sql))


def _counted(sql: Transaction) -> Iterator[str]:
    for what, statement in _COUNTS:
        (count,) = sql.row(statement) or (0,)
        if count:
            yield f"There should be no {what}; {count} found."


def _scopes(sql: Transaction) -> Iterator[str]:
    wrong = 0
    for path, key in sql.rows("SELECT path, identity FROM scope"):
        try:
            scope_ancestors(unescaped(path))
        except BridgeContractError:
            wrong += 1
        else:
            wrong += identity(unescaped(path)) != bytes(key)
    if wrong:
        yield f"There should be no scopes under a path that is none, or that is not found by it; {wrong} found."
    lost = sum(
        identity(unescaped(origin)) != bytes(key) for origin, key in sql.rows("SELECT origin, identity FROM document")
    )
    if lost:
        yield f"There should be no documents that are not found by their origin; {lost} found."


def _passages(sql: Transaction, analyzer: Analyzer) -> Iterator[str]:
    """The index holds of each passage what follows from it, and each document says how many characters it has."""
    wrong = 0
    characters: dict[int, int] = {}
    after = -1
    while rows := sql.rows(
        f"""SELECT passage.id, document, ordinal, label, heading, before || text || behind, word.length,
        tsvectorsend(lexemes) FROM passage LEFT JOIN word ON passage = id
        WHERE passage.id > %s ORDER BY passage.id LIMIT {_PAGE}""",  # noqa: S608 - a number
        (after,),
    ):
        chunks = [
            Chunk(ordinal=row[2], label=unescaped(row[3]), heading=unescaped(row[4]), text=unescaped(row[5]))
            for row in rows
        ]
        for row, chunk, words in zip(rows, chunks, analyzed(analyzer, chunks), strict=True):
            characters[row[1]] = characters.get(row[1], 0) + len(chunk.text)
            wrong += row[7] is not None and (row[6], _sorted(bytes(row[7]))) != (words.length, _sorted(words.lexemes))
        after = rows[-1][0]
    if wrong:
        yield f"There should be no passages found by other words than they have; {wrong} found."
    stated = sql.rows("SELECT id, characters FROM document")
    other = sum(characters.get(document, 0) != count for document, count in stated)
    if other:
        yield f"There should be no documents with another number of characters than they say; {other} found."


def _sorted(lexemes: bytes) -> list[bytes]:
    """Words of a binary ``tsvector`` with their positions, in one order."""
    found = []
    at = 4
    while at < len(lexemes):
        end = lexemes.index(b"\0", at) + 3
        end += 2 * int.from_bytes(lexemes[end - 2 : end], "big")
        found.append(lexemes[at:end])
        at = end
    return sorted(found)


def _vectors(sql: Transaction) -> Iterator[str]:
    found = {"of another size, or not of length 1": 0, "of another text than their passage's": 0}
    damaged, other_text = found
    after = -1
    while rows := sql.rows(
        f"""SELECT passage.id, heading, before || text || behind, hash, {sql.extension}.vector_send(vector)
        FROM passage JOIN embedding ON embedding.passage = passage.id
        WHERE passage.id > %s ORDER BY passage.id LIMIT {_PAGE}""",  # noqa: S608 - a quoted name and a number
        (after,),
    ):
        if sql.space is None:
            yield "The store holds vectors and does not say whose they are."
            return
        for _, heading, text, key, vector in rows:
            chunk = Chunk(text=unescaped(text), label="", ordinal=0, heading=unescaped(heading))
            found[damaged] += not is_sound(stored_bytes(vector), sql.space.dimensions)
            found[other_text] += bytes(key) != embedding_hash(embedded_text(chunk))
        after = rows[-1][0]
    for what, count in found.items():
        if count:
            yield f"There should be no vectors {what}; {count} found."
