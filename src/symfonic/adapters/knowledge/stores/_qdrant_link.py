"""The client of Qdrant: collections opened, requests made and tried again, errors put in the store's words.

Rules of this module: the only one that imports the client; it is imported when a store is opened. No message repeats
what the other side said, for that may hold a passage, a name or a key. Every request can be made twice with the effect
of one: points have ids, and what is deleted stays so. That is what lets it be tried again.

The client's local mode is safe from one thread at a time and keeps its folder for one process; requests to it wait for
each other. Changes of one process wait for each other anywhere (:attr:`Link.writing`).
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import httpx
from qdrant_client import QdrantClient, models
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from symfonic.adapters.knowledge.ports import StoreError

from ._qdrant_values import Point, Where
from ._rowstore_place import folder_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ._qdrant_options import Options, Place, VectorSearch

WORDS: Final = "words"
"""Name of the sparse vector."""

MEANING: Final = "dense"
"""Name of the dense vector."""

_POOL: Final = httpx.Limits(max_connections=None, max_keepalive_connections=16, keepalive_expiry=5.0)
"""Connections that are kept for the next request; of one that was closed meanwhile the request is made again."""

_PAGE: Final = 1_024
"""Points read in one request."""

_BATCH: Final = 256
"""Points written in one request at most."""

_BATCH_CHARACTERS: Final = 2_000_000
"""Characters of texts written in one request; a server takes 32 MB."""

_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 5.0
_BUSY: Final = frozenset({429, 500, 502, 503, 504})
"""Answers after which a request is made again."""

_UNKNOWN: Final = "a reading changed nothing, a change may or may not have been made, each document whole"
_REFUSED: Final = {
    400: "a store's requests are made for Qdrant as this version knows it; the server refused one and it was not "
    "carried out; use Qdrant 1.10 or newer, and look at the server's log",
    401: "a server lets in whom it knows; it refused this key, or there was none, and nothing was done; pass the right "
    "one as api_key",
    404: "a store's collections are there from the moment it is opened; one is gone and nothing was done; restore it, "
    "or open the store again to make a new one",
    413: "a server takes requests of a limited size; one passage is larger and its document was not stored; split it "
    "into smaller passages, or raise service.max_request_size_mb",
    507: "a change needs room; the server's disk or memory is full and the change was not carried out whole; make "
    "room, then do it again",
}
_SAME: Final = {403: 401, 422: 400}
_AWAY: Final = (
    "an answer needs a server that can be reached; this one could not be, or was too busy, or took longer than the "
    f"timeout, every time, and {_UNKNOWN}; see that it runs, then do it again: the store need not be opened anew"
)
_TAKEN: Final = (
    "a folder of Qdrant's local mode is used by one process at a time, and by one client in it; another one has it "
    "open and nothing was opened; end that one, use store.beside() within one process, or a server for several"
)
_FOLDER: Final = (
    "a store in a folder needs files that can be read and written; this folder's could not be and the request was not "
    "carried out whole; look at its rights and at the room on the disk, then open the store again"
)
_CLOSED: Final = "a closed store answers nothing; nothing was done; open the store again"


class Link:
    """A client, shared by the stores that were opened beside each other.

    Attributes:
        place: Where it leads.
        options: What the first store was opened with.
        is_local: Whether that is a folder, which no other process has open.
        writing: Held by whoever changes something.
        writer: What tells this client from all others.
        changes: How many changes it began and finished, each.
        active: Generations it is writing.

    Raises:
        StoreError: The folder is another process's, or cannot be used.
    """

    def __init__(self, place: Place, options: Options) -> None:
        self.place = place
        self.options = options
        self.writing = threading.RLock()
        self.writer = options.token()
        self.changes = 0
        self.active: set[str] = set()
        self._alone = threading.Lock()
        self._counting = threading.Lock()
        self._users = 1
        self._busy = 0
        self.is_local = bool(place.folder)
        with self._translated():
            if place.folder:
                if not options.create and not Path(place.folder, "meta.json").is_file():
                    raise nothing_there(place)
                self._client = QdrantClient(path=place.folder, force_disable_check_same_thread=True)
            else:
                self._client = QdrantClient(
                    url=place.address,
                    api_key=place.api_key or None,
                    timeout=max(1, round(options.timeout)),
                    check_compatibility=False,
                    limits=_POOL,
                    # Where nothing is encrypted there are no certificates to load, which takes 50 ms.
                    verify=place.address.startswith("https:"),
                )

    def share(self) -> None:
        """Have one store more use this client."""
        with self._counting:
            if not self._users:
                raise StoreError(_CLOSED)
            self._users += 1

    def close(self) -> None:
        """Have one store fewer use it; behind the last one, and the last request, the client is closed."""
        self._leave(store=True)

    def _leave(self, *, store: bool = False) -> None:
        with self._counting:
            self._users -= store
            self._busy -= not store
            over = not self._users and not self._busy
        if over:
            with contextlib.suppress(Exception):
                self._client.close()

    @contextlib.contextmanager
    def _in_turn(self) -> Iterator[None]:
        """One request: counted, for the client is not closed under it, and in a folder alone."""
        with self._counting:
            if not self._users:
                raise StoreError(_CLOSED)
            self._busy += 1
        try:
            with self._alone if self.is_local else contextlib.nullcontext():
                yield
        finally:
            self._leave()

    # ------------------------------------------------------------------------------------------------- requests

    def _ask(self, name: str, **arguments: Any) -> Any:
        """Make one request; again, after pauses that grow, where the server is away or busy."""
        for attempt in range(1, self.options.attempts + 1):
            with self._translated():
                try:
                    with self._in_turn():
                        return getattr(self._client, name)(**arguments)
                except (ResponseHandlingException, ResourceExhaustedResponse, UnexpectedResponse) as error:
                    if attempt == self.options.attempts or not _is_passing(error):
                        raise
            wait = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** (attempt - 1))
            chance = 0.0 if self.options.jitter is None else self.options.jitter()
            self.options.pause(wait * (1 + chance))
        raise AssertionError  # pragma: no cover - the last attempt returns or raises

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except StoreError:
            raise
        except Exception as error:
            raise _translation(error, local=self.is_local) from error

    def exists(self, collection: str) -> bool:
        """Whether there is such a collection."""
        return bool(self._ask("collection_exists", collection_name=collection))

    def collections(self) -> list[str]:
        """Names of all collections."""
        return [each.name for each in self._ask("get_collections").collections]

    def make(self, collection: str, *, words: bool = False, dimensions: int = 0, keys: Mapping[str, str]) -> None:
        """Make a collection, where it is not there yet, and the indexes over its payload.

        Args:
            collection: Its name.
            words: Whether it has a sparse vector.
            dimensions: Of its dense vector; 0 where it has none.
            keys: Kind of index by key: ``tenant``, ``keyword`` or ``integer``.
        """
        if not self.exists(collection):
            dense = models.VectorParams(size=dimensions or 1, distance=models.Distance.DOT)
            with contextlib.suppress(_There):
                self._make(
                    collection,
                    vectors_config={MEANING: dense} if dimensions else {},
                    sparse_vectors_config={WORDS: models.SparseVectorParams()} if words else None,
                )
        if not self.is_local:  # which scans, whatever is indexed
            for key, kind in keys.items():
                self._ask("create_payload_index", collection_name=collection, field_name=key, field_schema=_index(kind))

    def _make(self, collection: str, **config: Any) -> None:
        try:
            self._ask("create_collection", collection_name=collection, **config)
        except StoreError:
            if self.exists(collection):  # another process was faster
                raise _There from None
            raise

    def drop(self, collection: str) -> None:
        """Take a collection away."""
        self._ask("delete_collection", collection_name=collection)

    def upsert(self, collection: str, points: Sequence[Point]) -> None:
        """Write points in one request, which is whole on a server; in a folder each point is."""
        if points:
            self._ask("upsert", collection_name=collection, points=[_struct(point) for point in points], wait=True)

    def upsert_all(self, collection: str, points: Sequence[Point]) -> None:
        """Write points in as many requests as it takes."""
        batch: list[Point] = []
        size = 0
        for point in points:
            length = len(point.payload.get("text", "")) + 30 * len(point.sparse or ()) + 12 * len(point.dense or ())
            if batch and (len(batch) == _BATCH or size + length > _BATCH_CHARACTERS):
                self.upsert(collection, batch)
                batch, size = [], 0
            batch.append(point)
            size += length
        self.upsert(collection, batch)

    def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Delete points by id, in one request."""
        if ids:
            selector = models.PointIdsList(points=list(ids))
            self._ask("delete", collection_name=collection, points_selector=selector, wait=True)

    def delete_where(self, collection: str, where: Where) -> None:
        """Delete points."""
        selector = models.FilterSelector(filter=_filter(where))
        self._ask("delete", collection_name=collection, points_selector=selector, wait=True)

    def scroll(
        self, collection: str, where: Where, keys: Sequence[str] | None = None, *, vectors: bool = False
    ) -> list[Point]:
        """All such points with these keys of their payloads, or all, in no order that means anything."""
        return [point for page in self.pages(collection, where, keys, vectors=vectors) for point in page]

    def pages(
        self, collection: str, where: Where, keys: Sequence[str] | None = None, *, vectors: bool = False
    ) -> Iterator[list[Point]]:
        """The same, some at once."""
        offset = None
        while True:
            rows, offset = self._ask(
                "scroll",
                collection_name=collection,
                scroll_filter=_filter(where),
                limit=_PAGE,
                offset=offset,
                with_payload=True if keys is None else list(keys) or False,
                with_vectors=vectors,
            )
            yield [_point(row) for row in rows]
            if offset is None:
                return

    def retrieve(
        self, collection: str, ids: Sequence[str], keys: Sequence[str] | None = None, *, vectors: bool = False
    ) -> list[Point]:
        """Points by their ids; those that are gone are passed over."""
        found: list[Point] = []
        for start in range(0, len(ids), _PAGE):
            rows = self._ask(
                "retrieve",
                collection_name=collection,
                ids=list(ids[start : start + _PAGE]),
                with_payload=True if keys is None else list(keys) or False,
                with_vectors=vectors,
            )
            found += map(_point, rows)
        return found

    def count(self, collection: str, where: Where) -> int:
        """How many such points there are."""
        return int(self._ask("count", collection_name=collection, count_filter=_filter(where), exact=True).count)

    def nearest_words(self, collection: str, words: Mapping[int, float], where: Where, limit: int) -> list[Scored]:
        """Points with the largest products of sparse vectors, those of 0 left out."""
        query = models.SparseVector(indices=list(words), values=list(words.values()))
        return self._nearest(collection, query, WORDS, where, limit, "exact")

    def nearest(
        self, collection: str, vector: Sequence[float], where: Where, limit: int, index: VectorSearch
    ) -> list[Scored]:
        """Points with the largest products of dense vectors, with these."""
        return self._nearest(collection, list(vector), MEANING, where, limit, index)

    def _nearest(
        self, collection: str, query: Any, using: str, where: Where, limit: int, index: VectorSearch
    ) -> list[Scored]:
        answer = self._ask(
            "query_points",
            collection_name=collection,
            query=query,
            using=using,
            query_filter=_filter(where),
            search_params=None if self.is_local else models.SearchParams(exact=index == "exact"),
            limit=limit,
            with_payload=True,
            with_vectors=using == MEANING,
        )
        return [(float(row.score), _point(row)) for row in answer.points]

    def folder_bytes(self) -> int:
        """Size of a local store's files; 0 of a server's, which does not tell."""
        if not self.is_local:
            return 0
        return folder_bytes(Path(self.place.folder))

    def rewrite(self, collections: Sequence[str]) -> None:
        """Write a folder's files anew without what was deleted; a server does that by itself, when it thinks fit."""
        if not self.is_local:
            return
        with self._alone, self._translated():
            for collection in collections:
                file = Path(self.place.folder, "collection", collection, "storage.sqlite")
                if file.is_file():
                    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as sql:
                        sql.execute("VACUUM")


Scored = tuple[float, Point]
"""A product of vectors, and the point it is of."""


class _There(Exception):  # noqa: N818 - no error
    """A collection is there already."""


def _is_passing(error: Exception) -> bool:
    if isinstance(error, UnexpectedResponse):
        return error.status_code in _BUSY
    return not isinstance(error, ResponseHandlingException) or isinstance(error.source, httpx.TransportError)


def _translation(error: Exception, *, local: bool) -> StoreError:
    if isinstance(error, UnexpectedResponse):
        status = error.status_code or 0
        status = _SAME.get(status, status)
        if status not in _BUSY:
            return StoreError(_REFUSED.get(status, _REFUSED[400]))
        return StoreError(_AWAY)
    if isinstance(error, ResponseHandlingException | ResourceExhaustedResponse):
        return StoreError(_AWAY if _is_passing(error) else _REFUSED[400])
    if local and isinstance(error, RuntimeError) and "already accessed" in str(error):
        return StoreError(_TAKEN)
    return StoreError(_FOLDER if local else _REFUSED[400])


def nothing_there(place: Place) -> StoreError:
    """What is said where no store is, and none is to be made."""
    return StoreError(
        f"a store is opened where there is one; {place.shown} has none and nothing was made; correct the "
        "URL, or ingest something first"
    )


def _index(kind: str) -> Any:
    if kind == "integer":
        return models.IntegerIndexParams(type=models.IntegerIndexType.INTEGER, lookup=True, range=False)
    return models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=kind == "tenant")


def _filter(where: Where) -> Any:
    return models.Filter(must=_conditions(where.has), must_not=_conditions(where.lacks))


def _conditions(values: Mapping[str, Sequence[str | int]]) -> list[Any]:
    return [models.FieldCondition(key=key, match=models.MatchAny(any=list(each))) for key, each in values.items()]  # type: ignore[arg-type]  # of one kind


def _struct(point: Point) -> Any:
    vector: dict[str, Any] = {}
    if point.sparse is not None:
        vector[WORDS] = models.SparseVector(indices=list(point.sparse), values=list(point.sparse.values()))
    if point.dense is not None:
        vector[MEANING] = list(point.dense)
    return models.PointStruct(id=point.id, payload=point.payload, vector=vector)


def _point(row: Any) -> Point:
    vector = row.vector or {}
    words, dense = vector.get(WORDS), vector.get(MEANING)
    return Point(
        id=str(row.id),
        payload=row.payload or {},
        sparse=None if words is None else dict(zip(words.indices, words.values, strict=True)),
        dense=dense,
    )
