"""Changes of content in Qdrant, which has no transactions: each document is replaced by writing one point.

Rules of this module: every request that changes something stands here. A change goes in this order, and whatever breaks
off in between leaves every document as it was or as it was to be:

1. a note says which generations it touches,
2. passages and vectors of the new generation are written, which no record names,
3. one request writes the records that name it (or takes records away), with counters around them,
4. passages of documents that neither a record nor another change's note names are deleted, vectors first,
5. the note is taken away.

Of two clients that put one document the last to do step 3 wins; whoever comes to step 4 deletes what the other left.
A note nobody will take away any more (its process is gone, or its lease has ended) protects nothing.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import Removal, StoreError, embedded_text

from ._lexical import CONTEXT_WEIGHT
from ._qdrant_records import COUNTER, SPACE, SPACE_ID, VECTOR_KEYS, Change, Record, Space
from ._qdrant_values import Point, Where, document_id, lexemes, marker_id, passage_payload, point_id, sparse
from ._schema import indexed_pieces
from ._space import embedding_hash, floats
from ._writing import Item, indexed_context

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from symfonic.adapters.knowledge.ports import Chunk, EmbeddingSpace

    from ._lexical import Analyzer, Indexed
    from ._qdrant_records import Records

_ANALYZED: Final = 128
"""Passages cut into words at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A document to be stored: its record, its passages, and their vectors."""

    record: Record
    passages: Sequence[Point]
    vectors: Sequence[Point]


def analyzed(analyzer: Analyzer, chunks: Sequence[Chunk]) -> list[Indexed]:
    """What the index will hold of passages."""
    found: list[Indexed] = []
    for start in range(0, len(chunks), _ANALYZED):
        passages = [
            (context, chunk.text, indexed_pieces(context, chunk.text))
            for chunk in chunks[start : start + _ANALYZED]
            for context in (indexed_context(chunk),)
        ]
        found += analyzer.indexed(passages)
    return found


def weighted(words: Indexed) -> int:
    """Length of a passage, in weighted words."""
    return CONTEXT_WEIGHT * words.context + words.text


def prepared(analyzer: Analyzer, item: Item, generation: str) -> Written:
    """A document as it is to be stored. It asks nobody, so it is done before a change begins."""
    document, chunks = item.document, item.chunks
    found = analyzed(analyzer, chunks)
    record = Record(
        document=document,
        generation=generation,
        chunks=len(chunks),
        characters=sum(len(chunk.text) for chunk in chunks),
        length=sum(map(weighted, found)),
    )
    stamp = _stamp(record)
    passages, vectors = [], []
    for at, (chunk, indexed) in enumerate(zip(chunks, found, strict=True)):
        words, length, name = lexemes(indexed.counts), weighted(indexed), point_id(generation, chunk.ordinal)
        said = {**passage_payload(chunk), "length": length, "words": list(words), "counts": list(words.values())}
        passages.append(Point(id=name, payload={**said, **stamp}, sparse=sparse(words, length)))
        if item.vectors is not None:
            key = embedding_hash(embedded_text(chunk)).hex()
            vectors.append(Point(id=name, payload={"hash": key, **stamp}, dense=floats(item.vectors[at])))
    return Written(record=record, passages=passages, vectors=vectors)


def _stamp(record: Record) -> dict[str, str]:
    """What a point says of whose it is; last in its payload, so nothing shadows it."""
    return {"scope": record.document.scope_path, "document": record.id, "generation": record.generation}


class Writer:
    """Changes what a store holds. The caller holds ``link.writing``."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._link = records.link

    def put(self, written: Sequence[Written], space: Space | None) -> None:
        """Store documents, each in place of the one under its identity; they have different ones."""
        former = self._records.of(each.record.id for each in written)
        self._change(written, [], former, space)

    def remove(self, ids: Iterable[str]) -> Removal:
        """Take out documents; those that are not stored are passed over."""
        gone = self._records.of(ids)
        return self.forget(list(gone.values()), [])

    def forget(self, documents: Sequence[Record], passages: Iterable[tuple[Record, Collection[str]]]) -> Removal:
        """Take out documents, and passages of others by id.

        A document that keeps passages loses its digest, so that its file is never taken for unchanged; one that keeps
        none goes as well.
        """
        space = self._records.space()
        gone, kept = list(documents), []
        count = sum(record.chunks for record in gone)
        for record, names in passages:
            count += len(names)
            if len(names) == record.chunks:
                gone.append(record)
            else:
                kept.append(self._without(record, names, space))
        if not gone and not kept:
            return Removal()
        former = {each.id: each for each in gone}
        former |= self._records.of(each.record.id for each in kept)
        self._change(kept, gone, former, space)
        return Removal(documents=len(gone), chunks=count)

    def _without(self, record: Record, names: Collection[str], space: Space | None) -> Written:
        """A document as it is without some passages, in a generation of its own."""
        generation = self._link.options.token()
        where = Where(has={"generation": [record.generation]})
        points = [
            point for point in self._link.scroll(self._records.passages, where, vectors=True) if point.id not in names
        ]
        vectors = [] if space is None else self._link.scroll(space.collection, where, vectors=True)
        ordinals = {point.id: int(point.payload["ordinal"]) for point in points}
        new = replace(
            record,
            document=replace(record.document, digest=""),
            generation=generation,
            chunks=len(points),
            characters=sum(len(point.payload["text"]) for point in points),
            length=sum(point.payload["length"] for point in points),
        )
        moved = [
            [
                replace(point, id=point_id(generation, ordinals[point.id]), payload={**point.payload, **_stamp(new)})
                for point in some
                if point.id in ordinals
            ]
            for some in (points, vectors)
        ]
        return Written(record=new, passages=moved[0], vectors=moved[1])

    def _change(
        self,
        written: Sequence[Written],
        gone: Sequence[Record],
        former: Mapping[str, Record],
        space: Space | None,
    ) -> None:
        link = self._link
        began = link.options.clock()
        notes = [self._note(each.record, each.record.generation, former, began) for each in written]
        notes += [self._note(record, "", former, began) for record in gone]
        names = [note.id for note in notes]
        link.active.update(names)
        try:
            link.upsert(self._records.collection, [note.point for note in notes])
            link.upsert_all(self._records.passages, [point for each in written for point in each.passages])
            if space is not None:
                link.upsert_all(space.collection, [point for each in written for point in each.vectors])
            self._require_lease(began)
            self._commit([each.record.point for each in written], [record.id for record in gone])
        finally:
            link.active.difference_update(names)
        self.sweep({note.document for note in notes}, space, fresh=[each.record.generation for each in written])

    def _note(self, record: Record, generation: str, former: Mapping[str, Record], began: float) -> Change:
        before = former[record.id].generation if record.id in former else ""
        return Change(
            id=marker_id(generation or before),
            scope=record.document.scope_path,
            document=record.id,
            generation=generation,
            former=before,
            writer=self._link.writer,
            at=began,
        )

    def _require_lease(self, began: float) -> None:
        options = self._link.options
        if options.clock() - began > options.lease / 2:
            raise StoreError(
                f"a change takes at most half of its lease of {options.lease:g} s, for others clean up behind it then; "
                "this one took longer and nothing was changed; store fewer or smaller documents at once"
            )

    def _commit(self, records: Sequence[Point], gone: Sequence[str]) -> None:
        """Have records name new generations; counters tell before that something is about to change, and after."""
        link, collection = self._link, self._records.collection
        link.changes += 1
        before, after = (self._counter(name) for name in ("begun", "ended"))
        # One by one: within a request a server is free to write a counter first, and records kept in memory would stay.
        link.upsert(collection, [before])
        link.upsert(collection, records)
        link.delete(collection, gone)
        link.upsert(collection, [after])

    def _counter(self, name: str) -> Point:
        link = self._link
        digest = hashlib.sha256(f"{name} {link.writer}".encode()).digest()
        return Point(id=str(uuid.UUID(bytes=digest[:16])), payload={"is": COUNTER, "changes": link.changes})

    def sweep(self, documents: Collection[str] | None, space: Space | None, fresh: Sequence[str] = ()) -> None:
        """Delete what neither a record nor a living change's note names, of these documents or of all.

        Generations that are ``fresh`` are passed over: whoever comes after them looks at them.
        """
        link = self._link
        has = {} if documents is None else {"document": sorted(documents)}
        lacks = {"generation": fresh} if fresh else {}
        found: set[str] = set()
        for collection in (self._records.passages, *([] if space is None else [space.collection])):
            for page in link.pages(collection, Where(has=has, lacks=lacks), ["generation"]):
                found.update(point.payload["generation"] for point in page)
        # In this order: who ended meanwhile has a record that is read after its note was.
        changes = self._records.changes()
        living = [change for change in changes if not self._records.is_abandoned(change)]
        records = self._records.of(documents).values() if documents is not None else self._records.listed(None)
        dead = found - {change.generation for change in living} - {record.generation for record in records}
        if dead:
            where = Where(has={"generation": sorted(dead)})
            if space is not None:
                link.delete_where(space.collection, where)
            link.delete_where(self._records.passages, where)
        ended = [each.id for each in changes if self._records.is_abandoned(each)]
        if documents is not None:
            ended = [each.id for each in changes if each.id in ended and each.document in documents]
        link.delete(self._records.collection, ended)

    # ------------------------------------------------------------------------------------------------- vectors

    def claim(self, embedding: EmbeddingSpace) -> Space:
        """Have the store hold vectors of that space, in a collection of their size."""
        stored = self._records.space()
        if stored is not None and stored.embedding == embedding:
            return stored
        digest = hashlib.sha256(f"{embedding.dimensions} {embedding.name}".encode()).hexdigest()[:12]
        space = Space(embedding=embedding, collection=f"{self._records.prefix}{digest}")
        # Taken away it is never: whoever has read its name asks it, and another client may just have made it.
        self._link.make(space.collection, dimensions=embedding.dimensions, keys=VECTOR_KEYS)
        stored = self._records.space()
        if stored is not None and stored.embedding == embedding:
            return stored
        self._link.delete_where(space.collection, Where())  # left over
        said = {"is": SPACE, "name": embedding.name, "dimensions": embedding.dimensions, "collection": space.collection}
        self._link.upsert(self._records.collection, [Point(id=SPACE_ID, payload=said)])
        if stored is not None:
            self._link.drop(stored.collection)
        return space

    def renew(self, embedding: EmbeddingSpace) -> None:
        """Drop all vectors, and say whose are to come."""
        space = self.claim(embedding)
        self._link.make(space.collection, dimensions=embedding.dimensions, keys=VECTOR_KEYS)  # where somebody took it
        self._link.delete_where(space.collection, Where())
        self._commit([], [])

    def put_late(self, space: Space, vectors: Sequence[Point]) -> None:
        """Store vectors of passages that had none; those whose passages went meanwhile are deleted again."""
        self._link.upsert_all(space.collection, vectors)
        names = [point.id for point in vectors]
        there = {point.id for point in self._link.retrieve(self._records.passages, names, ["generation"])}
        self._link.delete(space.collection, [name for name in names if name not in there])
        self._commit([], [])

    def tidy(self) -> None:
        """Delete whatever is left over of changes that broke off, and files' room for it."""
        space = self._records.space()
        self.sweep(None, space)
        mine = None if space is None else space.collection
        for name in self._link.collections():
            if name.startswith(self._records.prefix) and name != mine:
                self._link.drop(name)
        self._link.rewrite([name for name in (self._records.passages, self._records.collection, mine) if name])


def identity(item: Item) -> str:
    """Id of the record of a document that is to be stored."""
    return document_id(item.document.scope_path, item.document.origin)
