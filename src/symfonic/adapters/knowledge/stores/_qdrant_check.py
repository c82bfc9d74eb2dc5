"""Whether a store in Qdrant is sound: what must agree between its collections, and what follows from its texts.

Rules of this module: it changes nothing, and no fault it finds is an error. What a change left over that broke off is
no fault; nobody sees it, and vacuum takes it away.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import StoreError, embedded_text
from symfonic.capabilities.knowledge import BridgeContractError, scope_ancestors

from ._qdrant_embedding import stored_bytes
from ._qdrant_values import Point, chunk_of, document_id, lexemes
from ._qdrant_writing import analyzed, weighted
from ._space import embedding_hash, is_sound

if TYPE_CHECKING:
    from ._lexical import Analyzer
    from ._qdrant_records import Record, Records, Space

_RULES = {
    "paths": "documents under a path that is none, or that are not found by it",
    "counts": "documents with other passages than they say",
    "places": "passages outside their document's scope",
    "words": "passages found by other words than they have",
    "vectors": "vectors of another size, or not of length 1, or of another text than their passage's",
}


_TURNS: Final = 8
"""How often a document that changes meanwhile is looked at again."""


def faults(records: Records, analyzer: Analyzer) -> tuple[str, ...]:
    """What is wrong, a sentence each; empty where everything is sound.

    Others may change the store meanwhile; what they changed is no fault.
    """
    found = dict.fromkeys(_RULES, 0)
    with records.link.writing if records.link.is_local else nullcontext():  # a folder has no other writers
        for record in records.listed(None):
            for what, count in _lasting(records, record, analyzer).items():
                found[what] += count
    return tuple(f"There should be no {_RULES[what]}; {count} found." for what, count in found.items() if count)


def _lasting(records: Records, record: Record, analyzer: Analyzer) -> dict[str, int]:
    """What is wrong with a document that is the same after it was looked at."""
    for turn in range(1, _TURNS + 1):
        space = records.space()
        try:
            found = _judged(records, record, space, analyzer)
        except StoreError:
            if turn == _TURNS or records.space() == space:
                raise
            continue  # another embedder's vectors came meanwhile
        if not any(found.values()):
            return found
        if record in records.listed(record.document.scope_path) and records.space() == space:
            return found
        now = records.of([record.id]).get(record.id)
        if now is None:
            break
        record = now
    return {}


def _judged(records: Records, record: Record, space: Space | None, analyzer: Analyzer) -> dict[str, int]:
    """What is wrong with a document."""
    found = dict.fromkeys(_RULES, 0)
    document = record.document
    try:
        scope_ancestors(document.scope_path)
    except BridgeContractError:
        found["paths"] += 1
    found["paths"] += record.id not in records.of([document_id(document.scope_path, document.origin)])
    whole = _passages(records, record)
    if whole is None:
        found["counts"] += 1
        return found
    _look(whole, record, analyzer, found)
    if space is not None:
        found["vectors"] += _unsound(records, space, whole)
    return found


def _passages(records: Records, record: Record) -> list[Point] | None:
    """A document's passages, where they are as many as it says."""
    try:
        found = records.whole(record)
    except StoreError:
        return None
    return [] if found is None else found[1]


def _look(points: list[Point], record: Record, analyzer: Analyzer, found: dict[str, int]) -> None:
    chunks = [chunk_of(point.payload) for point in points]
    length = 0
    for point, indexed in zip(points, analyzed(analyzer, chunks), strict=True):
        said = point.payload
        words = dict(zip(said["words"], said["counts"], strict=False))
        found["words"] += (words, len(said["counts"]), said["length"]) != (
            lexemes(indexed.counts),
            len(said["words"]),
            weighted(indexed),
        )
        found["places"] += (said["scope"], said["document"]) != (record.document.scope_path, record.id)
        length += weighted(indexed)
    characters = sum(len(chunk.text) for chunk in chunks)
    ordinals = {chunk.ordinal for chunk in chunks}
    found["counts"] += bool(points) and (len(ordinals), characters, length) != (
        record.chunks,
        record.characters,
        record.length,
    )


def _unsound(records: Records, space: Space, points: list[Point]) -> int:
    keys = {point.id: embedding_hash(embedded_text(chunk_of(point.payload))).hex() for point in points}
    return sum(
        point.payload["hash"] != keys[point.id] or not is_sound(stored_bytes(point.dense), space.embedding.dimensions)
        for point in records.link.retrieve(space.collection, list(keys), vectors=True)
    )
