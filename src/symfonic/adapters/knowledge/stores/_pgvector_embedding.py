"""What an embedder does for a store in PostgreSQL: where its vectors are looked up, and where they are kept.

Rules of this module: the embedder is asked by :class:`._embedding.Embedding`, never inside a transaction. Here stands
what that class needs of the database. Another scope lends no vector, not even an ancestor.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import Chunk, StoreError, embedded_text

from . import _pgvector_writing as writing
from ._embedding import Embedding
from ._pgvector_sight import EVERYTHING, Sight
from ._pgvector_values import identity, stored_bytes, unescaped
from ._space import embedding_hash, is_sound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from symfonic.adapters.knowledge.ports import EmbeddingSpace

    from ._pgvector_connections import Connections, Transaction

MOST_DIMENSIONS: Final = 16_000
"""Most numbers in a vector of pgvector's."""

_PAGE: Final = 2_048
"""Vectors looked at together."""


def binding(sql: Transaction) -> EmbeddingSpace | None:
    """Whose vectors the store holds, or is to hold; ``None`` where it holds no passage, whoever was named before.

    Where row-level security hides some, there may be passages that are not seen.
    """
    if sql.space is None:
        return None
    (bound,) = sql.row("SELECT EXISTS (SELECT 1 FROM passage) OR row_security_active('passage')") or (False,)
    return sql.space if bound else None


def require_name(sql: Transaction, name: str) -> EmbeddingSpace | None:
    """Whose vectors the store holds or is to hold, refusing an embedder of another name.

    Raises:
        StoreError: They are another model's.
    """
    stored = binding(sql)
    if stored is not None and stored.name != name:
        raise _refusal(stored, f"{name!a}")
    return stored


def require(sql: Transaction, space: EmbeddingSpace) -> None:
    """Refuse an embedder whose vectors cannot be compared with those that are stored.

    Raises:
        StoreError: They are another model's, or of another size.
    """
    stored = require_name(sql, space.name)
    if stored is not None and stored != space:
        raise _refusal(stored, f"{space.name!a} with {space.dimensions}")


def _refusal(stored: EmbeddingSpace, other: str) -> StoreError:
    return StoreError(
        f"vectors are compared within one model; this store holds or awaits vectors of {stored.name!a} with "
        f"{stored.dimensions} dimensions, and was opened with {other}; nothing was done; open it with the former, or "
        "replace its vectors with store.embed(anew=True) or `symfonic-knowledge embed --anew --embedder NAME`"
    )


def require_none(sql: Transaction) -> None:
    """Refuse to add passages without vectors to a store that holds vectors.

    Raises:
        StoreError: It does.
    """
    stored = binding(sql)
    if stored is not None and sql.row("SELECT 1 FROM embedding LIMIT 1") is not None:
        raise StoreError(
            f"a passage joins a store with the vector its search needs; this one holds vectors of {stored.name!a} and "
            "was opened without an embedder, so nothing was stored; open it with that embedder"
        )


def known_at(sql: Transaction, hashes: Sequence[bytes], scope_path: str) -> dict[bytes, bytes]:
    """Vectors stored exactly at a scope path by the hash of what was embedded, sound ones."""
    if sql.space is None:
        return {}
    rows = sql.rows(
        f"""SELECT hash, {sql.extension}.vector_send(vector) FROM embedding JOIN scope ON scope.id = scope
        WHERE identity = %s AND hash = ANY(%s) ORDER BY embedding.passage DESC""",  # noqa: S608 - a quoted name
        (identity(scope_path), list(dict.fromkeys(hashes))),
    )
    found = ((bytes(key), stored_bytes(vector)) for key, vector in rows)
    return {key: vector for key, vector in found if is_sound(vector, sql.space.dimensions)}


class PgvectorEmbedding(Embedding["Connections", int]):
    """A store's embedder, with its vectors in PostgreSQL.

    Raises:
        StoreError: The embedder has no name, or NumPy is not installed.
    """

    def space(self, connections: Connections) -> EmbeddingSpace:
        """Whose vectors are stored and searched: as the store has it recorded, or else as the embedder says.

        Raises:
            StoreError: The store holds another embedder's vectors, or PostgreSQL cannot hold this one's.
            EmbeddingError: The embedder was asked, and failed.
        """
        stored = connections.read(lambda sql: require_name(sql, self._name), EVERYTHING)
        return self._announced() if stored is None else stored

    def _announced(self) -> EmbeddingSpace:
        space = super()._announced()
        if space.dimensions > MOST_DIMENSIONS:
            raise StoreError(
                f"pgvector holds vectors of at most {MOST_DIMENSIONS} dimensions; {space.name!a} has "
                f"{space.dimensions} and nothing was done; use another embedder, or another store"
            )
        return space

    def require(self, sql: Transaction) -> None:
        """Refuse a store that holds another embedder's vectors.

        Raises:
            StoreError: It does.
        """
        require_name(sql, self._name)

    def _known(self, connections: Connections, hashes: Sequence[bytes], scope_path: str) -> dict[bytes, bytes]:
        return _read(connections, scope_path, hashes)

    def _renew(self, connections: Connections, space: EmbeddingSpace) -> None:
        def work(sql: Transaction) -> None:
            writing.drop_vectors(sql)
            writing.claim(sql, space)

        connections.write(work, EVERYTHING, again=True)

    def _wanted(self, connections: Connections) -> list[int]:
        found: list[int] = []
        after = -1
        while True:
            page = connections.read(partial(_page, after=after), EVERYTHING)
            if not page:
                return found
            space = page[0][2]
            if space is None:
                found += (passage for passage, _, _ in page)
            else:
                found += (page[at][0] for at in self._missing([vector for _, vector, _ in page], space))
            after = page[-1][0]

    def _batch(
        self, connections: Connections, chunks: Sequence[int]
    ) -> tuple[list[tuple[int, bytes, str]], dict[int, bytes]]:
        def work(sql: Transaction) -> tuple[list[tuple[int, bytes, str]], dict[int, bytes]]:
            rows = sql.rows(
                """SELECT passage.id, path, heading, text FROM passage JOIN scope ON scope.id = scope
                WHERE passage.id = ANY(%s) ORDER BY passage.id""",
                (list(chunks),),
            )
            texts = [(passage, unescaped(path), _embedded(heading, text)) for passage, path, heading, text in rows]
            found: dict[int, bytes] = {}
            for path in {path for _, path, _ in texts}:
                keys = {passage: embedding_hash(text) for passage, other, text in texts if other == path}
                known = known_at(sql, list(keys.values()), path)
                found |= {passage: known[key] for passage, key in keys.items() if key in known}
            return [(passage, embedding_hash(text), text) for passage, _, text in texts], found

        made: tuple[list[tuple[int, bytes, str]], dict[int, bytes]] = connections.read(work, EVERYTHING)
        return made

    def _keep(self, connections: Connections, space: EmbeddingSpace, rows: Sequence[tuple[int, bytes, bytes]]) -> None:
        def work(sql: Transaction) -> None:
            require(sql, space)
            writing.claim(sql, space)
            writing.put_late_vectors(sql, rows)

        connections.write(work, EVERYTHING, again=True)


def _read(connections: Connections, scope_path: str, hashes: Sequence[bytes]) -> dict[bytes, bytes]:
    return connections.read(lambda sql: known_at(sql, hashes, scope_path), Sight(scope_path))


def _page(sql: Transaction, after: int) -> list[tuple[int, bytes, EmbeddingSpace | None]]:
    return [
        (passage, stored_bytes(vector), sql.space)
        for passage, vector in sql.rows(
            f"""SELECT id, {sql.extension}.vector_send(vector) FROM passage LEFT JOIN embedding ON passage = id
            WHERE id > %s ORDER BY id LIMIT {_PAGE}""",  # noqa: S608 - a number
            (after,),
        )
    ]


def _embedded(heading: str, text: str) -> str:
    return embedded_text(Chunk(text=unescaped(text), label="", ordinal=0, heading=unescaped(heading)))
