"""Whether a store's file is sound: SQLite's own checks, and what must agree between the tables.

Rules of this module: it changes nothing, and no fault it finds is an error. Each check runs whatever became of the one
before it; one that cannot be carried out is a fault as well.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import Chunk, StoreError

from ._schema import MISREAD, SCOPE_SHIFT, indexed_pieces, lengths, stored_scope_path
from ._space import embedding_hash, is_sound, stored_space, with_vector
from ._writing import indexed_context

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MOST_MESSAGES: Final = 20

_COUNTS: Final = (
    ("passages without text", "SELECT count(*) FROM chunk WHERE id NOT IN (SELECT id FROM passage)"),
    ("texts without a passage", "SELECT count(*) FROM passage WHERE id NOT IN (SELECT id FROM chunk)"),
    (
        "passages that are not in the full-text index",
        "SELECT count(*) FROM chunk WHERE id NOT IN (SELECT id FROM passage_index_docsize)",
    ),
    (
        "rows of the full-text index without a passage",
        "SELECT count(*) FROM passage_index_docsize WHERE id NOT IN (SELECT id FROM chunk)",
    ),
    (
        "passages outside their document's scope",
        f"""SELECT count(*) FROM chunk LEFT JOIN document ON document.id = document
        WHERE scope IS NULL OR chunk.id >> {SCOPE_SHIFT} <> scope""",  # noqa: S608 - a constant
    ),
    (
        "scopes whose totals are not the sums of their passages",
        f"""SELECT count(*) FROM scope WHERE (chunks, context_tokens, text_tokens) <> (
            SELECT count(*), coalesce(sum(chunk.context_tokens), 0), coalesce(sum(chunk.text_tokens), 0) FROM chunk
            WHERE chunk.id BETWEEN scope.id << {SCOPE_SHIFT} AND ((scope.id + 1) << {SCOPE_SHIFT}) - 1)""",  # noqa: S608 - a constant
    ),
    (
        "scopes that would give an id of theirs away again",
        f"""SELECT count(*) FROM scope WHERE (SELECT max(id) FROM chunk
        WHERE id BETWEEN scope.id << {SCOPE_SHIFT} AND ((scope.id + 1) << {SCOPE_SHIFT}) - 1)
        >= (id << {SCOPE_SHIFT}) + used""",  # noqa: S608 - a constant
    ),
    ("vectors without a passage", "SELECT count(*) FROM vector WHERE id NOT IN (SELECT id FROM chunk)"),
    ("references that lead nowhere", "SELECT count(*) FROM pragma_foreign_key_check"),
)


_KINDS: Final = (
    ("state", "SELECT revision, embedding, dimensions FROM state", (int, str, int)),
    ("scope", "SELECT path, used, chunks, changes, embedded FROM scope", (str, int, int, int, int)),
    ("document", "SELECT origin, file, digest, kind, size FROM document", (str, str, str, str, int)),
    ("passage", "SELECT label, heading, context, text, pieces FROM passage", (str, str, str, str, str)),
    ("place of a passage", "SELECT ordinal, page FROM chunk", (int, int | None)),
)


def faults(sql: sqlite3.Connection) -> tuple[str, ...]:
    """What is wrong, a sentence each; empty where everything is sound. It needs a transaction that may write."""
    checks: tuple[Callable[[sqlite3.Connection], Iterator[str]], ...] = (
        _file,
        _index,
        _kinds,
        _indexed,
        _scopes,
        _counts,
        _documents,
        _lengths,
        _vectors,
    )
    return tuple(sentence for check in checks for sentence in _carried_out(check, sql))


def _carried_out(check: Callable[[sqlite3.Connection], Iterator[str]], sql: sqlite3.Connection) -> Iterator[str]:
    try:
        yield from check(sql)
    except (sqlite3.Error, StoreError, *MISREAD) as error:
        yield f"A part of the store could not be read to its end: {error}."


def _file(sql: sqlite3.Connection) -> Iterator[str]:
    for (message,) in sql.execute(f"PRAGMA integrity_check({_MOST_MESSAGES})"):
        if message != "ok":
            yield f"SQLite finds the file damaged: {message}."


def _index(sql: sqlite3.Connection) -> Iterator[str]:
    try:
        sql.execute("INSERT INTO passage_index(passage_index, rank) VALUES ('integrity-check', 1)")
    except sqlite3.DatabaseError as error:
        yield f"The full-text index does not agree with the passages: {error}."


def _kinds(sql: sqlite3.Connection) -> Iterator[str]:
    """Each value is of its column's kind. Reading them tells as well whether every text is UTF-8."""
    for what, statement, kinds in _KINDS:
        wrong = sum(not all(map(isinstance, row, kinds)) for row in sql.execute(statement))
        if wrong:
            yield f"There should be no {what} with a value of another kind than its column's; {wrong} found."


def _indexed(sql: sqlite3.Connection) -> Iterator[str]:
    """What the index holds of passages follows from the rest of them."""
    contexts = texts = 0
    for label, heading, context, text, parts in sql.execute(
        "SELECT label, heading, context, text, pieces FROM passage"
    ):
        contexts += indexed_context(Chunk(text="", label=label, ordinal=0, heading=heading)) != context
        texts += indexed_pieces(context, text) != parts
    if contexts:
        yield f"There should be no passages found by another label or heading than they have; {contexts} found."
    if texts:
        yield f"There should be no passages found by other pairs of characters than they have; {texts} found."


def _scopes(sql: sqlite3.Connection) -> Iterator[str]:
    wrong = 0
    for (path,) in sql.execute("SELECT path FROM scope"):
        try:
            stored_scope_path(path)
        except StoreError:
            wrong += 1
    if wrong:
        yield f"There should be no scopes under a path that is none; {wrong} found."


def _counts(sql: sqlite3.Connection) -> Iterator[str]:
    for what, statement in _COUNTS:
        (count,) = sql.execute(statement).fetchone()
        if count:
            yield f"There should be no {what}; {count} found."


def _documents(sql: sqlite3.Connection) -> Iterator[str]:
    """Passages and characters are those each document says. Counted here: for SQLite a text ends at its first NUL."""
    chunks: Counter[int] = Counter()
    characters: Counter[int] = Counter()
    for document, text in sql.execute("SELECT document, text FROM chunk JOIN passage USING (id)"):
        chunks[document] += 1
        characters[document] += len(text) if isinstance(text, str) else 0
    wrong = sum(
        (chunks[document], characters[document]) != (stated_chunks, stated_characters)
        for document, stated_chunks, stated_characters in sql.execute("SELECT id, chunks, characters FROM document")
    )
    if wrong:
        yield (
            f"There should be no documents with another number of passages or characters than they say; {wrong} found."
        )


def _lengths(sql: sqlite3.Connection) -> Iterator[str]:
    rows = sql.execute(
        "SELECT sz, context_tokens, text_tokens FROM chunk JOIN passage_index_docsize AS size ON size.id = chunk.id"
    )
    wrong = sum(lengths(sizes) != (context, text) for sizes, context, text in rows)
    if wrong:
        yield f"There should be no passages whose lengths differ from those of the index; {wrong} found."


def _vectors(sql: sqlite3.Connection) -> Iterator[str]:
    try:
        space = stored_space(sql)
    except StoreError:
        yield "The store holds vectors and does not say whose they are."
        return
    if space is None:
        return
    found = {"of another size": 0, "not finite, or not of length 1": 0, "of another text than their passage's": 0}
    size, bad_numbers, other_text = found
    for text, key, vector in with_vector(sql):
        if type(vector) is not bytes or len(vector) != 4 * space.dimensions:
            found[size] += 1
        elif not is_sound(vector, space.dimensions):
            found[bad_numbers] += 1
        if key != embedding_hash(text):
            found[other_text] += 1
    for what, count in found.items():
        if count:
            yield f"There should be no vectors {what}; {count} found."
