"""A table of LanceDB as an engine for a store of rows.

Rules of this module: the only one that asks LanceDB. One table holds everything: a row of what the store says of
itself, a row for each document, a row for each passage. LanceDB changes a table from one version to the next, whole or
not at all; a change is therefore a single merge, and a sight is a single version. Vectors are compared by cosine, one
by one: no index of vectors is built, and one that somebody else built is passed by. Filters hold digests and numbers
only.
"""

from __future__ import annotations

import contextlib
import os
import threading
import warnings
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, TypeVar

import lancedb
import numpy as np
import pyarrow as pa

from symfonic.adapters.knowledge.ports import Chunk, Document, EmbeddingSpace, StoreError, embedded_text

from ._encoding import decoded
from ._rowstore_place import Turns, folder_bytes
from ._rowstore_values import (
    FORMAT,
    Change,
    Embedded,
    Head,
    Held,
    New,
    Passage,
    Record,
    Sight,
    Words,
    scope_digest,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from ._lancedb_options import Options

T = TypeVar("T")

_STATE, _DOCUMENT, _PASSAGE = 0, 1, 2
_HEAD: Final = "state"

_COLUMNS: Final = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("kind", pa.int8(), nullable=False),
        pa.field("document", pa.string()),
        pa.field("scope", pa.string()),
        pa.field("scope_path", pa.string()),
        pa.field("origin", pa.string()),
        pa.field("file", pa.string()),
        pa.field("digest", pa.string()),
        pa.field("format", pa.string()),
        pa.field("size", pa.int64()),
        pa.field("chunks", pa.int64()),
        pa.field("characters", pa.int64()),
        pa.field("length", pa.int64()),
        pa.field("ordinal", pa.int64()),
        pa.field("page", pa.int64()),
        pa.field("label", pa.large_string()),
        pa.field("heading", pa.large_string()),
        pa.field("text", pa.large_string()),
        pa.field("words", pa.list_(pa.int64())),
        pa.field("counts", pa.list_(pa.int64())),
        pa.field("hash", pa.string()),
        pa.field("embedder", pa.string()),
        pa.field("dimensions", pa.int64()),
        pa.field("vectors", pa.int64()),
        pa.field("revision", pa.int64()),
        pa.field("version", pa.int64()),
    ]
)
_OF_DOCUMENT: Final = ("scope_path", "origin", "file", "digest", "format", "size")
_OF_CHUNK: Final = ("ordinal", "page", "label", "heading", "text")
_ALL: Final = 2**31 - 1
_BLOCK: Final = 500
"""Values in one filter."""

_COMPACTED: Final = 64
"""After how many changes the table's pieces are joined."""

_KEPT: Final = timedelta(minutes=10)
"""How long versions stay for those that still read them."""


_VERSIONS: Final = 4
"""Versions of which it is kept what was read."""


class LostSightError(StoreError):
    """A version went away, or LanceDB did not answer; reading again may help."""


def asked(doing: str, call: Callable[[], T]) -> T:
    """What LanceDB answers.

    Raises:
        LostSightError: It raised something. Its words stay in the cause: they may hold a piece of what is stored.
    """
    try:
        return call()
    except Exception as error:
        raise LostSightError(
            f"a store in LanceDB answers; {doing} failed with {type(error).__name__} and nothing was changed; look at "
            "the cause, at the disk and its permissions, and try again"
        ) from error


class Facts:
    """What was read of one version, which never changes."""

    def __init__(self, head: Head | None = None, names: frozenset[str] = frozenset()) -> None:
        self.head = head
        self.names = names
        self.totals: dict[str, tuple[int, int]] | None = None


class LanceSight:
    """One version of the table."""

    def __init__(self, table: Any, timeout: float, facts: Facts) -> None:
        self.table = table
        self._timeout = timedelta(seconds=timeout)
        self._facts = facts
        if facts.head is None:
            facts.names = frozenset(asked("reading", lambda: table.schema.names))
            if not set(_COLUMNS.names) <= facts.names:
                raise StoreError(
                    "a table of a store has columns of its own; this one belongs to another program and was left as it "
                    "is; name another table"
                )
            facts.head = self._head()
        self.head = facts.head

    def _head(self) -> Head:
        rows = self.rows(f"id = '{_HEAD}'", ["revision", "embedder", "dimensions", "vectors", "version"])
        if len(rows) != 1 or rows[0]["version"] != FORMAT:
            found = rows[0]["version"] if rows else None
            raise StoreError(
                f"a table of a store says its version, {FORMAT} here; this one says {found!a} and was left as it is; "
                "open it with the release that wrote it, or name another table"
            )
        row = rows[0]
        space = EmbeddingSpace(name=row["embedder"], dimensions=row["dimensions"]) if row["embedder"] else None
        return Head(row["revision"], space, row["vectors"])

    @property
    def vector(self) -> str:
        """The column of vectors; empty where there is none."""
        name = f"vector_{self.head.vectors}"
        return name if self.head.space is not None and name in self._facts.names else ""

    def rows(self, where: str, columns: Sequence[str], *, identified: bool = False) -> list[dict[str, Any]]:
        """Rows with those columns, in no order."""
        found: list[dict[str, Any]] = self.arrow(where, columns, identified=identified).to_pylist()
        return found

    def arrow(self, where: str, columns: Sequence[str], *, identified: bool = False) -> Any:
        """The same as a table of Arrow."""

        def call() -> Any:
            query = self.table.search().where(where).select(list(columns)).limit(_ALL)
            return query.with_row_id(identified).to_arrow(timeout=self._timeout)

        return asked("reading", call)

    def _taken(self, passages: Collection[str], columns: Sequence[str]) -> Any:
        """Columns of passages, as a table of Arrow."""

        def call() -> Any:
            query = self.table.take_row_ids([int(passage) for passage in passages])
            return query.select(list(columns)).with_row_id().to_arrow(timeout=self._timeout)

        return asked("reading", call)

    def _among(self, column: str, values: Collection[str], columns: Sequence[str], also: str = "") -> Iterator[Any]:
        listed = list(values)
        for start in range(0, len(listed), _BLOCK):
            yield from self.rows(f"{_in(column, listed[start : start + _BLOCK])}{also}", columns, identified=True)

    def records(self, scope: str | None = None) -> list[Record]:
        """Documents stored exactly at a scope."""
        where = f"kind = {_DOCUMENT}" + (f" AND scope = '{scope}'" if scope else "")
        return [_record(row) for row in self.rows(where, [*_OF_DOCUMENT, "chunks", "characters", "length"])]

    def record(self, key: str) -> Record | None:
        """The document with that digest."""
        rows = self.rows(f"id = '{key}'", [*_OF_DOCUMENT, "chunks", "characters", "length"])
        return _record(rows[0]) if rows else None

    def some(self, keys: Sequence[str]) -> list[Record]:
        """Documents with those digests."""
        rows = self._among("id", keys, [*_OF_DOCUMENT, "chunks", "characters", "length"])
        return [_record(row) for row in rows]

    def passages(self, records: Sequence[Record]) -> dict[str, list[Passage]]:
        """All passages of documents by ordinal."""
        vector = [self.vector] if self.vector else []
        columns = ["document", *_OF_CHUNK, "length", "words", "counts", *vector]
        rows = self._among("document", [record.key for record in records], columns, f" AND kind = {_PASSAGE}")
        found: dict[str, list[Passage]] = {}
        for row in sorted(rows, key=lambda row: row["ordinal"]):
            words = Words(row["length"], dict(zip(row["words"], row["counts"], strict=True)))
            passage = Passage(_chunk(row), words, _bytes(row[self.vector]) if self.vector else b"")
            found.setdefault(row["document"], []).append(passage)
        return found

    def labels(self, scope: str) -> dict[str, dict[int, str]]:
        """Labels of passages at one scope."""
        found: dict[str, dict[int, str]] = {}
        for row in self.rows(f"kind = {_PASSAGE} AND scope = '{scope}'", ["document", "ordinal", "label"]):
            found.setdefault(row["document"], {})[row["ordinal"]] = row["label"]
        return found

    def totals(self, scopes: Collection[str] | None = None) -> tuple[int, int]:
        """Passages and their length."""
        if self._facts.totals is None:
            found: dict[str, tuple[int, int]] = {}
            for row in self.rows(f"kind = {_DOCUMENT}", ["scope", "chunks", "length"]):
                chunks, length = found.get(row["scope"], (0, 0))
                found[row["scope"]] = (chunks + row["chunks"], length + row["length"])
            self._facts.totals = found
        totals = self._facts.totals
        seen = [totals.get(scope, (0, 0)) for scope in (totals if scopes is None else scopes)]
        return sum(chunks for chunks, _ in seen), sum(length for _, length in seen)

    def any_passages(self) -> bool:
        """Whether there is any."""
        return self.totals()[0] > 0

    def vector_count(self) -> int:
        """How many passages have a vector."""
        if not self.vector:
            return 0
        return asked("counting", lambda: int(self.table.count_rows(f"{self.vector} IS NOT NULL")))

    def holding(self, scopes: Collection[str], words: Sequence[int]) -> list[Held]:
        """Every passage that holds any of the words."""
        where = f"kind = {_PASSAGE} AND {_in('scope', scopes)} AND array_has_any(words, [{', '.join(map(str, words))}])"
        found = self.arrow(where, ["length", "words", "counts"], identified=True).combine_chunks()
        counts = _counted(found, words)
        rows = zip(found.column("_rowid").to_pylist(), found.column("length").to_pylist(), counts, strict=True)
        return [Held(str(row), length, each) for row, length, each in rows]

    def nearest(self, scopes: Collection[str], question: bytes, count: int) -> list[tuple[str, float]]:
        """The nearest passages, each compared."""
        if not self.vector or self.head.space is None:
            return []
        vector = decoded(question, self.head.space)[0]

        def call() -> Any:
            query = self.table.search(vector, vector_column_name=self.vector).distance_type("cosine")
            query = query.bypass_vector_index().where(_in("scope", scopes), prefilter=True)
            query = query.select(["_distance"]).with_row_id(True).limit(min(count, _ALL))
            return query.to_arrow(timeout=self._timeout)

        found = asked("searching", call)
        pairs = zip(found.column("_rowid").to_pylist(), found.column("_distance").to_pylist(), strict=True)
        return [(str(row), 1.0 - distance) for row, distance in pairs if distance is not None]

    def vectors(self, passages: Collection[str]) -> dict[str, bytes]:
        """Vectors of passages."""
        if not (self.vector and passages):
            return {}
        found = self._taken(passages, [self.vector])
        found = found.filter(found.column(self.vector).is_valid()).combine_chunks()
        column = found.column(self.vector)
        numbers = np.concatenate([chunk.flatten().to_numpy() for chunk in column.chunks] or [np.empty(0)])
        rows = numbers.astype("<f4").reshape(found.num_rows, -1) if found.num_rows else numbers
        return {str(key): row.tobytes() for key, row in zip(found.column("_rowid").to_pylist(), rows, strict=True)}

    def loaded(self, passages: Collection[str]) -> dict[str, tuple[Document, Chunk]]:
        """Passages with their documents."""
        if not passages:
            return {}
        rows = self._taken(passages, [*_OF_DOCUMENT, *_OF_CHUNK]).to_pylist()
        return {str(row["_rowid"]): (_document(row), _chunk(row)) for row in rows}

    def known(self, scope: str, hashes: Collection[bytes]) -> dict[bytes, bytes]:
        """Vectors at one scope by the hash of their text."""
        if not self.vector:
            return {}
        also = f" AND scope = '{scope}' AND {self.vector} IS NOT NULL"
        rows = self._among("hash", [key.hex() for key in hashes], ["hash", "id", self.vector], also)
        by_name = sorted(rows, key=lambda row: row["id"])
        return {bytes.fromhex(row["hash"]): _bytes(row[self.vector]) for row in by_name}

    def without_vector(self) -> list[str]:
        """Names of passages that have no vector."""
        also = f" AND {self.vector} IS NULL" if self.vector else ""
        return sorted(row["id"] for row in self.rows(f"kind = {_PASSAGE}{also}", ["id"]))

    def embedded(self, names: Collection[str]) -> list[Embedded]:
        """Passages as they are embedded."""
        rows = self._among("id", names, ["id", "scope_path", *_OF_CHUNK, "hash"])
        found = [
            Embedded(row["id"], row["scope_path"], bytes.fromhex(row["hash"]), embedded_text(_chunk(row)))
            for row in rows
        ]
        return sorted(found, key=lambda each: each.passage)


def _in(column: str, values: Collection[str]) -> str:
    """A filter; the values are digests and numbers of this product."""
    listed = ", ".join(f"'{value}'" for value in values)
    return f"{column} IN ({listed})"


def _counted(found: Any, words: Sequence[int]) -> list[list[int]]:
    """How often each row holds each of the words."""
    counts = [[0] * len(words) for _ in range(found.num_rows)]
    if not counts:
        return counts
    places = {word: place for place, word in enumerate(words)}
    listed = found.column("words").combine_chunks()
    numbers = listed.flatten().to_numpy()
    times = found.column("counts").combine_chunks().flatten().to_numpy()
    owners = np.repeat(np.arange(found.num_rows), listed.value_lengths().to_numpy())
    hits = np.flatnonzero(np.isin(numbers, np.array(words, dtype=np.int64)))
    for row, number, count in zip(owners[hits].tolist(), numbers[hits].tolist(), times[hits].tolist(), strict=True):
        counts[row][places[number]] = count
    return counts


def _document(row: Mapping[str, Any]) -> Document:
    path, origin, file, digest, kind, size = (row[name] for name in _OF_DOCUMENT)
    return Document(scope_path=path, origin=origin, file=file, digest=digest, kind=kind, size=size)


def _chunk(row: Mapping[str, Any]) -> Chunk:
    return Chunk(**{name: row[name] for name in _OF_CHUNK})


def _record(row: Mapping[str, Any]) -> Record:
    return Record(_document(row), row["chunks"], row["characters"], row["length"])


def _bytes(vector: Sequence[float] | None) -> bytes:
    return b"" if vector is None else np.asarray(vector, dtype="<f4").tobytes()


class LanceShelf:
    """One table of one folder. Safe from any thread, in the process that made it.

    Raises:
        StoreError: The folder cannot be used, or holds no such table and none can be made.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._process = os.getpid()
        self._closed = False
        self._lock = threading.Lock()
        self._facts: dict[int, Facts] = {}
        if not options.create and not self._has_table():
            raise StoreError(
                f"a store is opened where there is one; {str(options.folder)!a} holds no table {options.table!a} and "
                "was left as it is; fill it first, or correct the path"
            )
        try:
            options.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"a store in LanceDB is a folder; {str(options.folder)!a} cannot be one ({error.strerror}) and nothing "
                "was opened; name another, or make its parent writable"
            ) from error
        self._turns = Turns(options.folder / f"{options.table}.lock", options.lock_timeout)
        self._database: Any = asked("opening", lambda: lancedb.connect(options.folder))
        if not self._has_table():
            with self._turns.turn():
                if not self._has_table():
                    self._create()
        self.read(lambda _: None)

    def _has_table(self) -> bool:
        """Whether a version is there; the folder alone is not enough: who makes a table may not come to the end."""
        versions = self._options.folder / f"{self._options.table}.lance" / "_versions"
        try:
            with os.scandir(versions) as files:
                return any(file.name.endswith(".manifest") for file in files)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise StoreError(
                f"a store in LanceDB is a folder that can be read; {str(versions)!a} cannot ({error.strerror}) and "
                "nothing was opened; correct its permissions, or the path"
            ) from error

    def _create(self) -> None:
        first = pa.Table.from_pylist([_head_row(Head())], schema=_COLUMNS)
        asked("creating the table", lambda: self._database.create_table(self._options.table, first))

    def _require_open(self) -> None:
        if self._closed:
            raise StoreError("a closed store answers nothing; nothing was done; open the store again")
        if os.getpid() != self._process:
            raise StoreError(
                "a store is used in the process that opened it; this one was forked from it and nothing was done; open "
                "the store again in this process"
            )

    def _sight(self) -> LanceSight:
        self._require_open()
        table = asked("opening the table", lambda: self._database.open_table(self._options.table))
        return LanceSight(table, self._options.timeout, self._facts_of(table))

    def _facts_of(self, table: Any) -> Facts:
        """What was read of that version already; of the last few versions it is kept."""
        version = asked("asking for the version", lambda: int(table.version))
        with self._lock:
            facts = self._facts.setdefault(version, Facts())
            while len(self._facts) > _VERSIONS:
                del self._facts[min(self._facts)]
        return facts

    def read(self, work: Callable[[Sight], T]) -> T:
        """What ``work`` answers from one version of the table."""
        for attempt in range(1, self._options.attempts + 1):
            try:
                return work(self._sight())
            except LostSightError:
                self._require_open()
                if attempt == self._options.attempts:
                    raise
                self._options.wait(attempt)
        raise AssertionError  # pragma: no cover - the last attempt returns or raises

    def write(self, work: Callable[[Sight], tuple[T, Change | None]]) -> T:
        """Carry out a change as a single merge."""
        self._require_open()
        with self._turns.turn():
            answer, change, sight = self.read(lambda sight: (*work(sight), sight))
            if change is not None:
                assert isinstance(sight, LanceSight)
                self._commit(sight, change)
        return answer

    def _commit(self, sight: LanceSight, change: Change) -> None:
        before = sight.head
        space = change.space or before.space
        vectors = before.vectors + (change.renewed or (space != before.space))
        head = Head(before.revision + 1, space, vectors)
        self._add_column(sight, head)
        rows = [_head_row(head)]
        for new in change.put:
            rows += _rows(new, f"vector_{vectors}")
        keys = [new.record.key for new in change.put] + [record.key for record in change.gone]
        version = self._merge(sight.table, rows, keys)
        with self._lock:  # the next change need not read what this one wrote
            self._facts[version] = Facts(head, frozenset(sight.table.schema.names))
        with contextlib.suppress(LostSightError):  # the change is done; a later one tidies
            self._tidy(sight.table, head)

    def _add_column(self, sight: LanceSight, head: Head) -> None:
        """Make place for vectors that no version has shown yet."""
        name = f"vector_{head.vectors}"
        names = sight.table.schema.names
        if name in names and head.vectors != sight.head.vectors:
            asked("dropping a column", lambda: sight.table.drop_columns([name]))  # somebody did not come to the end
            names = [other for other in names if other != name]
        if head.space is not None and name not in names:
            field = pa.field(name, pa.list_(pa.float32(), head.space.dimensions))
            asked("adding a column", lambda: sight.table.add_columns(pa.schema([field])))

    def _merge(
        self, table: Any, rows: Sequence[Mapping[str, Any]], keys: Collection[str], *, late: bool = False
    ) -> int:
        source = pa.Table.from_pylist(list(rows), schema=table.schema)

        def call() -> int:
            merge = table.merge_insert("id").when_matched_update_all()
            if not late:
                merge = merge.when_not_matched_insert_all()
            if keys:
                merge = merge.when_not_matched_by_source_delete(_in("document", keys))
            return int(
                merge.execute(source, on_bad_vectors="null", timeout=timedelta(seconds=self._options.timeout)).version
            )

        return asked("changing the table", call)

    def _tidy(self, table: Any, head: Head) -> None:
        """Join the table's pieces now and then, and drop columns of vectors that count no more."""
        old = [name for name in table.schema.names if name.startswith("vector_") and name != f"vector_{head.vectors}"]
        if old:
            asked("dropping a column", lambda: table.drop_columns(old))
        if head.revision % _COMPACTED == 0:
            asked("joining pieces", lambda: table.optimize(cleanup_older_than=_KEPT))

    def add_vectors(self, space: EmbeddingSpace, vectors: Mapping[str, tuple[bytes, bytes]]) -> None:
        """Give vectors to passages by name."""
        from ._rowstore_embedding import require

        with self._turns.turn():
            sight = self._sight()
            require(sight, space)
            before = sight.head
            head = Head(before.revision + 1, space, before.vectors + (space != before.space))
            self._add_column(sight, head)
            sight = self._sight()
            name = f"vector_{head.vectors}"
            found = []
            for row in sight._among("id", list(vectors), sight.table.schema.names):  # noqa: SLF001 - of this module
                key, vector = vectors[row["id"]]
                if row["hash"] == key.hex() and row[name] is None:
                    found.append({**row, name: np.frombuffer(vector, dtype="<f4")})
            self._merge(sight.table, [_head_row(head), *found], (), late=True)

    def file_bytes(self) -> int:
        """What the files of the table take."""
        return folder_bytes(self._options.folder / f"{self._options.table}.lance")

    def vacuum(self) -> None:
        """Write the table anew without what was removed, and drop all former versions."""
        self._require_open()
        with self._turns.turn():
            table = asked("opening the table", lambda: self._database.open_table(self._options.table))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # readers of former versions read again
                asked(
                    "vacuum",
                    lambda: table.optimize(cleanup_older_than=timedelta(0), delete_unverified=True),
                )

    def faults(self, sight: Sight) -> list[str]:
        """Rows of passages whose document is not there."""
        assert isinstance(sight, LanceSight)
        keys = {record.key for record in sight.records()}
        lost = sum(row["document"] not in keys for row in sight.rows(f"kind = {_PASSAGE}", ["document"]))
        return [f"There should be no passages without a document; {lost} found."] if lost else []

    def close(self) -> None:
        """Let go of the folder."""
        self._closed = True
        self._database = None


def _head_row(head: Head) -> dict[str, Any]:
    return {
        "id": _HEAD,
        "kind": _STATE,
        "revision": head.revision,
        "embedder": head.space.name if head.space else "",
        "dimensions": head.space.dimensions if head.space else 0,
        "vectors": head.vectors,
        "version": FORMAT,
    }


def _rows(new: New, vector: str) -> Iterator[dict[str, Any]]:
    document, record = new.record.document, new.record
    of_document = {
        "document": record.key,
        "scope": scope_digest(document.scope_path),
        "scope_path": document.scope_path,
        "origin": document.origin,
        "file": document.file,
        "digest": document.digest,
        "format": document.kind,
        "size": document.size,
    }
    totals = {"chunks": record.chunks, "characters": record.characters, "length": record.length}
    yield {"id": record.key, "kind": _DOCUMENT, **of_document, **totals}
    for passage in new.passages:
        row = {"id": f"{record.key}:{passage.chunk.ordinal}", "kind": _PASSAGE, **of_document}
        row |= {name: getattr(passage.chunk, name) for name in _OF_CHUNK}
        row |= {"length": passage.words.length, "hash": passage.hash.hex()}
        row |= {"words": list(passage.words.counts), "counts": list(passage.words.counts.values())}
        if passage.vector:
            row[vector] = np.frombuffer(passage.vector, dtype="<f4")
        yield row
