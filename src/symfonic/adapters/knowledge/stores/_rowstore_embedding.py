"""What an embedder does for a store of rows: where its vectors are looked up, and where they are kept.

Rules of this module: the embedder is asked by :class:`._embedding.Embedding`, never while a change is under way.
Another scope lends no vector, not even an ancestor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symfonic.adapters.knowledge.ports import StoreError

from ._embedding import Embedding
from ._rowstore_values import Change, Sight, scope_digest
from ._space import is_sound

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from symfonic.adapters.knowledge.ports import EmbeddingSpace


def binding(sight: Sight) -> EmbeddingSpace | None:
    """Whose vectors the store holds, or is to hold; ``None`` where it holds no passage, whoever was named before."""
    return sight.head.space if sight.head.space is not None and sight.any_passages() else None


def require_name(sight: Sight, name: str) -> EmbeddingSpace | None:
    """Whose vectors the store holds or is to hold, refusing an embedder of another name.

    Raises:
        StoreError: They are another model's.
    """
    stored = binding(sight)
    if stored is not None and stored.name != name:
        raise _refusal(stored, f"{name!a}")
    return stored


def require(sight: Sight, space: EmbeddingSpace) -> None:
    """Refuse an embedder whose vectors cannot be compared with those that are stored.

    Raises:
        StoreError: They are another model's, or of another size.
    """
    stored = require_name(sight, space.name)
    if stored is not None and stored != space:
        raise _refusal(stored, f"{space.name!a} with {space.dimensions}")


def _refusal(stored: EmbeddingSpace, other: str) -> StoreError:
    return StoreError(
        f"vectors are compared within one model; this store holds or awaits vectors of {stored.name!a} with "
        f"{stored.dimensions} dimensions, and was opened with {other}; nothing was done; open it with the former, or "
        "replace its vectors with store.embed(anew=True) or `symfonic-knowledge embed --anew --embedder NAME`"
    )


def require_none(sight: Sight) -> None:
    """Refuse to add passages without vectors to a store that holds vectors.

    Raises:
        StoreError: It does.
    """
    stored = binding(sight)
    if stored is not None and sight.vector_count():
        raise StoreError(
            f"a passage joins a store with the vector its search needs; this one holds vectors of {stored.name!a} and "
            "was opened without an embedder, so nothing was stored; open it with that embedder"
        )


def known_at(sight: Sight, hashes: Collection[bytes], scope_path: str) -> dict[bytes, bytes]:
    """Vectors stored exactly at a scope path by the hash of what was embedded, sound ones."""
    space = sight.head.space
    if space is None or not hashes:
        return {}
    found = sight.known(scope_digest(scope_path), list(dict.fromkeys(hashes)))
    return {key: vector for key, vector in found.items() if is_sound(vector, space.dimensions)}


class RowEmbedding(Embedding[Any, str]):
    """A store's embedder, with its vectors among the store's rows.

    Raises:
        StoreError: The embedder has no name, or NumPy is not installed.
    """

    def space(self, connections: Any) -> EmbeddingSpace:
        """Whose vectors are stored and searched: as the store has it recorded, or else as the embedder says.

        Raises:
            StoreError: The store holds another embedder's vectors.
            EmbeddingError: The embedder was asked, and failed.
        """
        stored = connections.read(lambda sight: require_name(sight, self._name))
        return self._announced() if stored is None else stored

    def require(self, sql: Any) -> None:
        """Refuse a store that holds another embedder's vectors.

        Raises:
            StoreError: It does.
        """
        require_name(sql, self._name)

    def _known(self, connections: Any, hashes: Sequence[bytes], scope_path: str) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = connections.read(lambda sight: known_at(sight, hashes, scope_path))
        return found

    def _renew(self, connections: Any, space: EmbeddingSpace) -> None:
        connections.write(lambda _: (None, Change(space=space, renewed=True)))

    def _wanted(self, connections: Any) -> Any:
        return connections.read(lambda sight: sight.without_vector())

    def _batch(self, connections: Any, chunks: Sequence[Any]) -> Any:
        def work(sight: Sight) -> tuple[list[tuple[str, bytes, str]], dict[str, bytes]]:
            rows = sight.embedded(list(chunks))
            found: dict[str, bytes] = {}
            for path in {row.path for row in rows}:
                known = known_at(sight, [row.hash for row in rows if row.path == path], path)
                found |= {row.passage: known[row.hash] for row in rows if row.path == path and row.hash in known}
            return [(row.passage, row.hash, row.text) for row in rows], found

        return connections.read(work)

    def _keep(self, connections: Any, space: EmbeddingSpace, rows: Sequence[tuple[Any, bytes, bytes]]) -> None:
        connections.add_vectors(space, {passage: (key, vector) for passage, key, vector in rows})
