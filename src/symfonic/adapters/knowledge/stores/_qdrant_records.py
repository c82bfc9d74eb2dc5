"""What a store in Qdrant says of its documents: records, changes on their way, the revision, and whose vectors it has.

Rules of this module: it only reads. A document's record names the generation of its passages; passages of any other
generation are not there, whoever finds them. Records are kept in memory as long as the revision stays what it was.

A collection holds them, beside that of the passages, told apart by ``is``:

``document``
    Identity and state of a document, and its current generation. Writing this one point is what puts a document.
``change``
    A note, made before a change and taken away after it: which generations it touches. Readers leave out what these
    notes name and no record does.
``counter``
    How many changes a client began, or finished. The revision is the sum over all of them, so none is ever lost.
``space``
    Whose vectors the store holds, and in which collection.
``store``
    That this is a store, and of which version.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.ports import Document, DocumentRecord, EmbeddingSpace, StoreError
from symfonic.capabilities.knowledge import scope_ancestors

from ._qdrant_link import nothing_there
from ._qdrant_values import Point, Where, document_id

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from ._qdrant_link import Link

SCHEMA_VERSION: Final = 1
"""What collections of this store look like."""

DOCUMENT, CHANGE, COUNTER, SPACE, STORE = "document", "change", "counter", "space", "store"

STORE_ID: Final = "73796d66-6f6e-6963-0000-000000000000"
SPACE_ID: Final = "73796d66-6f6e-6963-0000-000000000001"

_MOST_KEPT: Final = 200_000
"""Records kept in memory."""

_RECORD_KEYS: Final = {"is": "keyword", "scope": "tenant", "above": "keyword"}
_PASSAGE_KEYS: Final = {"scope": "tenant", "document": "keyword", "generation": "keyword", "words": "integer"}
VECTOR_KEYS: Final = {"scope": "tenant", "document": "keyword", "generation": "keyword", "hash": "keyword"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A document as it is stored.

    Attributes:
        document: It.
        generation: That of its passages.
        chunks: How many they are.
        characters: In them.
        length: In weighted words.
    """

    document: Document
    generation: str
    chunks: int
    characters: int
    length: int

    @property
    def id(self) -> str:
        """Id of its point."""
        return document_id(self.document.scope_path, self.document.origin)

    @property
    def told(self) -> DocumentRecord:
        """What the port says of it."""
        return DocumentRecord(document=self.document, chunks=self.chunks, characters=self.characters)

    @property
    def point(self) -> Point:
        """The point that says so."""
        one = self.document
        return Point(
            id=self.id,
            payload={
                "is": DOCUMENT,
                "scope": one.scope_path,
                "above": list(scope_ancestors(one.scope_path)),
                "origin": one.origin,
                "file": one.file,
                "digest": one.digest,
                "kind": one.kind,
                "size": one.size,
                "generation": self.generation,
                "chunks": self.chunks,
                "characters": self.characters,
                "length": self.length,
            },
        )


def _record(point: Point) -> Record:
    said = point.payload
    document = Document(
        scope_path=said["scope"],
        origin=said["origin"],
        file=said["file"],
        digest=said["digest"],
        kind=said["kind"],
        size=said["size"],
    )
    return Record(
        document=document,
        generation=said["generation"],
        chunks=said["chunks"],
        characters=said["characters"],
        length=said["length"],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A change on its way, or one that broke off.

    Attributes:
        id: Of its point.
        scope: Where.
        document: Id of the record.
        generation: What it writes; empty where it only removes.
        former: What was there before.
        writer: Whose it is.
        at: When it began, in seconds since 1970.
    """

    id: str
    scope: str
    document: str
    generation: str
    former: str
    writer: str
    at: float

    @property
    def point(self) -> Point:
        """The point that says so."""
        names = ("scope", "document", "generation", "former", "writer", "at")
        return Point(id=self.id, payload={"is": CHANGE, **{name: getattr(self, name) for name in names}})


def _change(point: Point) -> Change:
    said = {key: value for key, value in point.payload.items() if key != "is"}
    return Change(id=point.id, **said)


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """Whose vectors a store holds, and in which collection."""

    embedding: EmbeddingSpace
    collection: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What can be seen from some scope paths at one moment.

    Attributes:
        paths: They.
        records: Documents by the ids of their records.
        unseen: Generations that are being written, or are left over, sorted.
    """

    paths: tuple[str, ...]
    records: Mapping[str, Record]
    unseen: tuple[str, ...]

    @property
    def passages(self) -> int:
        """How many passages are visible."""
        return sum(record.chunks for record in self.records.values())

    @property
    def length(self) -> int:
        """Their length, in weighted words."""
        return sum(record.length for record in self.records.values())

    def where(self, **has: Sequence[str | int]) -> Where:
        """What selects points of these scopes."""
        return Where(has={"scope": self.paths, **has}, lacks={"generation": self.unseen} if self.unseen else {})

    def shows(self, payload: Mapping[str, Any]) -> bool:
        """Whether a point is of a document's current generation."""
        record = self.records.get(payload["document"])
        return record is not None and record.generation == payload["generation"]

    def is_like(self, other: Moment, *, roughly: bool) -> bool:
        """Whether the same passages are visible; and, unless roughly, the same left out, which counts of words are."""
        if not roughly and self.unseen != other.unseen:
            return False
        return self.records is other.records or {key: record.generation for key, record in self.records.items()} == {
            key: record.generation for key, record in other.records.items()
        }


class Records:
    """Reads the collection of records of one store.

    Raises:
        StoreError: There is no store, and none is to be made; or the server cannot be reached.
    """

    def __init__(self, link: Link, *, create: bool) -> None:
        self.link = link
        self.version = SCHEMA_VERSION
        self.passages = link.place.collection
        self.collection = f"{self.passages}-documents"
        self.prefix = f"{self.passages}-vectors-"
        self._lock = threading.Lock()
        self._revision = -1
        self._kept: dict[tuple[str, ...], dict[str, Record]] = {}
        there = [link.exists(name) for name in (self.passages, self.collection)]
        if not create and not all(there):
            raise nothing_there(link.place)
        if self._is_stamped(passages=there[0], records=there[1]) or not create:
            return
        link.make(self.passages, words=True, keys=_PASSAGE_KEYS)
        link.make(self.collection, keys=_RECORD_KEYS)
        link.upsert(self.collection, [Point(id=STORE_ID, payload={"is": STORE, "version": SCHEMA_VERSION})])

    def _is_stamped(self, *, passages: bool, records: bool) -> bool:
        """Whether collections are a store's; another program's, or a newer version's, are refused and left alone."""
        for point in self.link.retrieve(self.collection, [STORE_ID]) if records else ():
            version = point.payload.get("version")
            if version == SCHEMA_VERSION:
                return passages  # where they are gone, they are made again
            raise StoreError(
                f"a store is opened by a version that knows its schema; {self.link.place.shown} has schema "
                f"{version!a} and this version knows {SCHEMA_VERSION}; nothing was done; update symfonic-knowledge"
            )
        if passages and self.link.count(self.passages, Where()):
            raise StoreError(
                f"a store has its collections for itself; that of {self.link.place.shown} holds points of another "
                "program and nothing was done; choose another name"
            )
        return False

    def revision(self) -> int:
        """How many changes were begun and finished."""
        return self._pulse()[0]

    def _pulse(self) -> tuple[int, list[Change]]:
        points = self.link.scroll(self.collection, Where(has={"is": [COUNTER, CHANGE]}))
        revision = sum(point.payload["changes"] for point in points if point.payload["is"] == COUNTER)
        return revision, [_change(point) for point in points if point.payload["is"] == CHANGE]

    def changes(self) -> list[Change]:
        """Changes that have begun and were not ended."""
        return self._pulse()[1]

    def is_abandoned(self, change: Change) -> bool:
        """Whether nobody will end a change: its process is gone, or it had an hour and more."""
        link = self.link
        if link.is_local or change.writer == link.writer:
            return change.id not in link.active
        return link.options.clock() - change.at > link.options.lease

    def moment(self, paths: Sequence[str]) -> Moment:
        """What can be seen from these paths now."""
        revision, changes = self._pulse()
        records = self._at(tuple(paths), revision)
        current = {record.generation for record in records.values()}
        touched = {name for each in changes if each.scope in paths for name in (each.generation, each.former)}
        return Moment(paths=tuple(paths), records=records, unseen=tuple(sorted(touched - current - {""})))

    def _at(self, paths: tuple[str, ...], revision: int) -> dict[str, Record]:
        with self._lock:
            if self._revision == revision and paths in self._kept:
                return self._kept[paths]
        found = {record.id: record for record in self.read(Where(has={"is": [DOCUMENT], "scope": paths}))}
        with self._lock:
            if self._revision != revision or sum(map(len, self._kept.values())) + len(found) > _MOST_KEPT:
                self._kept.clear()
                self._revision = revision
            self._kept[paths] = found
        return found

    def unseen(self, records: Iterable[Record]) -> list[str]:
        """Generations that are being written, or are left over, and are none of these records'."""
        touched = {name for each in self.changes() for name in (each.generation, each.former)}
        return sorted(touched - {record.generation for record in records} - {""})

    def labels(self, scope_path: str) -> dict[str, dict[str, str]]:
        """Labels of the passages at a path by their ids, for each generation."""
        found: dict[str, dict[str, str]] = {}
        for page in self.link.pages(self.passages, Where(has={"scope": [scope_path]}), ["generation", "label"]):
            for point in page:
                found.setdefault(point.payload["generation"], {})[point.id] = point.payload["label"]
        return found

    def let_go(self) -> None:
        """Forget what is kept in memory."""
        with self._lock:
            self._kept.clear()

    def read(self, where: Where) -> list[Record]:
        """Such documents."""
        return [_record(point) for point in self.link.scroll(self.collection, where)]

    def listed(self, scope_path: str | None) -> list[Record]:
        """Documents at a path, or all, by scope path, file and origin."""
        has: dict[str, Sequence[str | int]] = {"is": [DOCUMENT]}
        if scope_path is not None:
            has["scope"] = [scope_path]
        return sorted(self.read(Where(has=has)), key=lambda each: _place(each.document))

    def below(self, scope_path: str) -> list[Record]:
        """Documents at a path and below it."""
        return self.read(Where(has={"is": [DOCUMENT], "above": [scope_path]}))

    def of(self, ids: Iterable[str]) -> dict[str, Record]:
        """Documents by the ids of their records."""
        return {point.id: _record(point) for point in self.link.retrieve(self.collection, list(dict.fromkeys(ids)))}

    def is_empty(self) -> bool:
        """Whether there is no document."""
        return not self.link.count(self.collection, Where(has={"is": [DOCUMENT]}))

    def whole(self, record: Record, keys: Sequence[str] | None = None) -> tuple[Record, list[Point]] | None:
        """A document with its passages by ordinal, as it is now; ``None`` where it is gone.

        Raises:
            StoreError: Passages are missing.
        """
        keys = None if keys is None else [*keys, "ordinal"]
        for _ in range(_TURNS):
            points = self.link.scroll(self.passages, Where(has={"generation": [record.generation]}), keys)
            if len(points) == record.chunks:
                return record, sorted(points, key=lambda point: int(point.payload["ordinal"]))
            now = self.of([record.id]).get(record.id)
            if now is None:
                return None
            if now == record:
                break
            record = now
        raise StoreError(
            "a document's passages are those its record counts; this store has others of one, or it changed all the "
            "time, and they were not read; run check(), and ingest the document again"
        )

    def space(self) -> Space | None:
        """Whose vectors the store holds or awaits; ``None`` where nobody's."""
        for point in self.link.retrieve(self.collection, [SPACE_ID]):
            embedding = EmbeddingSpace(name=point.payload["name"], dimensions=point.payload["dimensions"])
            return Space(embedding=embedding, collection=point.payload["collection"])
        return None

    def vectors(self, space: Space | None, unseen: Collection[str]) -> int:
        """How many passages have a vector."""
        if space is None:
            return 0
        return self.link.count(space.collection, Where(lacks={"generation": sorted(unseen)} if unseen else {}))


_TURNS: Final = 20
"""How often something that changes meanwhile is read again."""


def _place(document: Document) -> tuple[str, str, str]:
    return document.scope_path, document.file, document.origin
