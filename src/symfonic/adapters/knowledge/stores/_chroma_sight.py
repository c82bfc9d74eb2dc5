"""Reading collections of Chroma as a store of rows: one sight, and what is kept in which metadata.

Rules of this module: it only reads. Filters hold digests and numbers only. A row of passages counts where its
generation is the one its document's record names; all others are passed over. A vector's own bytes stand in metadata,
for Chroma brings what it indexes to another length; what it says of distances chooses candidates only.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any, Final, TypeVar

from symfonic.adapters.knowledge.ports import Chunk, Document, EmbeddingSpace, StoreError, embedded_text

from ._encoding import cosines, decoded, stored_rows
from ._rowstore_values import FORMAT, Embedded, Head, Held, Passage, Record, Words

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

T = TypeVar("T")

HEAD: Final = "state"
READ_WHOLE: Final = 2_000
"""Visible passages up to which all vectors are read, without the index."""

_MOST_SEARCHED: Final = 1_000
"""Rows asked of the index of vectors at most; who wants more reads all."""

_BLOCK: Final = 500
"""Values in one filter, ids in one request."""

_LISTED: Final = 2_000
"""Words in one row: one of some 5,500 Chroma cannot apply, and then the folder takes no change any more."""

_OF_DOCUMENT: Final = ("scope_path", "origin", "file", "digest", "format", "size")
_OF_CHUNK: Final = ("ordinal", "label", "heading")

_PART: Final = "+"
"""What stands between a passage's name and the place of its words, where they take several rows."""


class LostSightError(StoreError):
    """What was read changed meanwhile, or Chroma did not answer; reading again may help."""


def asked(doing: str, call: Callable[[], T]) -> T:
    """What Chroma answers.

    Raises:
        LostSightError: It raised something. Its words stay in the cause: they may hold a piece of what is stored.
    """
    try:
        return call()
    except Exception as error:
        raise LostSightError(
            f"a store in Chroma answers; {doing} failed with {type(error).__name__} and what had not been changed "
            "before stays; look at the cause, at the disk or the server, and try again"
        ) from error


class Facts:
    """What was read of one state of the store."""

    def __init__(self) -> None:
        self.records: dict[str, Record] | None = None


class ChromaSight:
    """One state of the store, as long as nobody changes it; whoever reads asks afterwards whether it is still there."""

    def __init__(self, collections: Mapping[str, Any], state: Mapping[str, Any], facts: Facts, vectors: Any) -> None:
        self._documents = collections["documents"]
        self._passages = collections["passages"]
        self._words = collections["words"]
        self._vectors = vectors
        self._facts = facts
        self.token = str(state["token"])
        name, dimensions = state["embedder"], state["dimensions"]
        space = EmbeddingSpace(name=name, dimensions=dimensions) if name else None
        self.head = Head(state["revision"], space, state["vectors"])

    def _records(self) -> dict[str, Record]:
        if self._facts.records is None:
            rows = self._get(self._documents, {"kind": "document"})
            self._facts.records = {key: record_of(row) for key, row, _ in rows}
        return self._facts.records

    @staticmethod
    def _get(
        collection: Any,
        where: Mapping[str, Any] | None = None,
        ids: Sequence[str] | None = None,
        *,
        texts: bool = False,
    ) -> list[tuple[str, Mapping[str, Any], str]]:
        include = ["metadatas", "documents"] if texts else ["metadatas"]
        chosen = {"where": where} if ids is None else {"ids": list(ids)}
        found = asked("reading", lambda: collection.get(include=include, **chosen))
        documents = found["documents"] if texts else [""] * len(found["ids"])
        return list(zip(found["ids"], found["metadatas"], documents, strict=True))

    def _some(self, collection: Any, ids: Collection[str], *, texts: bool = False) -> Iterator[tuple[str, Any, str]]:
        listed = list(ids)
        for start in range(0, len(listed), _BLOCK):
            yield from self._get(collection, ids=listed[start : start + _BLOCK], texts=texts)

    def _is_current(self, row: Mapping[str, Any]) -> bool:
        record = self._records().get(row["document"])
        return record is not None and record.generation == row["generation"]

    def records(self, scope: str | None = None) -> list[Record]:
        """Documents stored exactly at a scope."""
        if scope is None:
            return list(self._records().values())
        rows = self._get(self._documents, {"$and": [{"kind": "document"}, {"scope": scope}]})
        return [record_of(row) for _, row, _ in rows]

    def record(self, key: str) -> Record | None:
        """The document with that digest."""
        rows = [row for _, row, _ in self._get(self._documents, ids=[key]) if row["kind"] == "document"]
        return record_of(rows[0]) if rows else None

    def some(self, keys: Sequence[str]) -> list[Record]:
        """Documents with those digests."""
        return [record_of(row) for _, row, _ in self._some(self._documents, keys) if row["kind"] == "document"]

    def passages(self, records: Sequence[Record]) -> dict[str, list[Passage]]:
        """All passages of documents by ordinal."""
        found: dict[str, list[Passage]] = {}
        for start in range(0, len(records), _BLOCK):
            current = {record.key: record.generation for record in records[start : start + _BLOCK]}
            where = {
                "$and": [{"document": {"$in": list(current)}}, {"generation": {"$in": sorted({*current.values()})}}]
            }
            vectors = {}
            if self._vectors is not None:
                vectors = {key: exact(row) for key, row, _ in self._get(self._vectors, where)}
            rows = sorted(self._get(self._passages, where, texts=True), key=lambda row: row[1]["ordinal"])
            for key, row, text in rows:
                if current[row["document"]] == row["generation"]:
                    passage = Passage(_chunk(row, text), _words(row), vectors.get(key, b""))
                    found.setdefault(row["document"], []).append(passage)
        return found

    def labels(self, scope: str) -> dict[str, dict[int, str]]:
        """Labels of passages at one scope."""
        found: dict[str, dict[int, str]] = {}
        for _, row, _ in self._get(self._passages, _at([scope])):
            if self._is_current(row):
                found.setdefault(row["document"], {})[row["ordinal"]] = row["label"]
        return found

    def totals(self, scopes: Collection[str] | None = None) -> tuple[int, int]:
        """Passages and their length."""
        from ._rowstore_values import scope_digest

        wanted = None if scopes is None else frozenset(scopes)
        records = [
            record
            for record in self._records().values()
            if wanted is None or scope_digest(record.document.scope_path) in wanted
        ]
        return sum(record.chunks for record in records), sum(record.length for record in records)

    def any_passages(self) -> bool:
        """Whether there is any."""
        return asked("counting", lambda: int(self._passages.count())) > 0

    def vector_count(self) -> int:
        """How many passages have a vector."""
        return len(self._current_vectors())

    def _current_vectors(self) -> set[str]:
        if self._vectors is None:
            return set()
        return {key for key, row, _ in self._get(self._vectors) if self._is_current(row)}

    def holding(self, scopes: Collection[str], words: Sequence[int]) -> list[Held]:
        """Every passage that holds any of the words."""
        holds: list[Mapping[str, Any]] = [{"words": {"$contains": word}} for word in words]
        any_word = {"$or": holds} if len(holds) > 1 else holds[0]
        where = {"$and": [_at(scopes), any_word]}
        rows = asked("reading", lambda: self._words.get(where=where, include=[])["ids"])
        names = dict.fromkeys(passage_of(row) for row in rows)
        found = []
        for key, row, _ in self._some(self._passages, names):
            if self._is_current(row):
                counts = _words(row).counts
                found.append(Held(key, row["length"], [counts.get(word, 0) for word in words]))
        return found

    def nearest(self, scopes: Collection[str], question: bytes, count: int) -> list[tuple[str, float]]:
        """The nearest passages: by reading all, or, where many are visible, by the index."""
        space = self.head.space
        if self._vectors is None or space is None:
            return []
        vector = decoded(question, space)[0]
        visible, _ = self.totals(scopes)
        if visible > READ_WHOLE and count <= _MOST_SEARCHED:
            found = self._indexed(scopes, vector, count)
            if len(found) >= count:
                return found
        rows = [(key, exact(row)) for key, row, _ in self._get(self._vectors, _at(scopes)) if self._is_current(row)]
        near = cosines(stored_rows([data for _, data in rows], space), vector).tolist() if rows else []
        pairs = [(key, cosine) for (key, _), cosine in zip(rows, near, strict=True)]
        return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:count]

    def _indexed(self, scopes: Collection[str], vector: Any, count: int) -> list[tuple[str, float]]:
        found = asked(
            "searching",
            lambda: self._vectors.query(
                query_embeddings=[vector.tolist()],
                n_results=2 * count,  # rows that count no more are among them
                where=_at(scopes),
                include=["metadatas", "distances"],
            ),
        )
        rows = zip(found["ids"][0], found["metadatas"][0], found["distances"][0], strict=True)
        return [(key, 1.0 - distance) for key, row, distance in rows if self._is_current(row)]

    def vectors(self, passages: Collection[str]) -> dict[str, bytes]:
        """Vectors of passages."""
        if self._vectors is None:
            return {}
        return {key: exact(row) for key, row, _ in self._some(self._vectors, passages)}

    def loaded(self, passages: Collection[str]) -> dict[str, tuple[Document, Chunk]]:
        """Passages with their documents."""
        records = self._records()
        return {
            key: (records[row["document"]].document, _chunk(row, text))
            for key, row, text in self._some(self._passages, passages, texts=True)
            if self._is_current(row)
        }

    def known(self, scope: str, hashes: Collection[bytes]) -> dict[bytes, bytes]:
        """Vectors at one scope by the hash of their text."""
        found: dict[bytes, bytes] = {}
        listed = [key.hex() for key in hashes] if self._vectors is not None else []
        for start in range(0, len(listed), _BLOCK):
            where = {"$and": [{"scope": scope}, {"hash": {"$in": listed[start : start + _BLOCK]}}]}
            rows = [row for row in self._get(self._vectors, where) if self._is_current(row[1])]
            found |= {bytes.fromhex(row["hash"]): exact(row) for _, row, _ in sorted(rows, key=lambda row: row[0])}
        return found

    def without_vector(self) -> list[str]:
        """Names of passages that have no vector."""
        have = self._current_vectors()
        return sorted(key for key, row, _ in self._get(self._passages) if self._is_current(row) and key not in have)

    def embedded(self, names: Collection[str]) -> list[Embedded]:
        """Passages as they are embedded."""
        found = []
        for key, row, text in self._some(self._passages, names, texts=True):
            if self._is_current(row):
                path = self._records()[row["document"]].document.scope_path
                chunk = _chunk(row, text)
                found.append(Embedded(key, path, bytes.fromhex(row["hash"]), embedded_text(chunk)))
        return sorted(found, key=lambda each: each.passage)

    def owners(self, names: Collection[str]) -> dict[str, Mapping[str, Any]]:
        """What is kept of passages that count, by name."""
        return {key: row for key, row, _ in self._some(self._passages, names) if self._is_current(row)}


def _at(scopes: Collection[str]) -> dict[str, Any]:
    return {"scope": {"$in": list(scopes)}}


def state_row(head: Head, token: str) -> dict[str, Any]:
    """What the store says of itself, as metadata."""
    return {
        "kind": "state",
        "revision": head.revision,
        "embedder": head.space.name if head.space else "",
        "dimensions": head.space.dimensions if head.space else 0,
        "vectors": head.vectors,
        "version": FORMAT,
        "token": token,
    }


def record_row(record: Record, scope: str) -> dict[str, Any]:
    """A document as metadata."""
    document = record.document
    return {
        "kind": "document",
        "scope": scope,
        "scope_path": document.scope_path,
        "origin": document.origin,
        "file": document.file,
        "digest": document.digest,
        "format": document.kind,
        "size": document.size,
        "chunks": record.chunks,
        "characters": record.characters,
        "length": record.length,
        "generation": record.generation,
    }


def record_of(row: Mapping[str, Any]) -> Record:
    """A document from metadata."""
    path, origin, file, digest, kind, size = (row[name] for name in _OF_DOCUMENT)
    document = Document(scope_path=path, origin=origin, file=file, digest=digest, kind=kind, size=size)
    return Record(document, row["chunks"], row["characters"], row["length"], row["generation"])


def passage_row(record: Record, scope: str, passage: Passage) -> dict[str, Any]:
    """A passage as metadata; its text stands beside them."""
    chunk, words = passage.chunk, passage.words
    row: dict[str, Any] = {
        "document": record.key,
        "generation": record.generation,
        "scope": scope,
        "ordinal": chunk.ordinal,
        "label": chunk.label,
        "heading": chunk.heading,
        "hash": passage.hash.hex(),
        "length": words.length,
        "counts": json.dumps([[word, count] for word, count in words.counts.items()], separators=(",", ":")),
    }
    if chunk.page is not None:
        row["page"] = chunk.page
    return row


def words_rows(name: str, passage: Mapping[str, Any], words: Words) -> Iterator[tuple[str, dict[str, Any]]]:
    """The words of a passage as metadata by row, by which it is found; kept apart, for a list takes long to be read.

    A passage of many words has several rows; one without words has none, for of lists Chroma takes no empty one.
    """
    listed = list(words.counts)
    whose = {key: passage[key] for key in ("document", "generation", "scope")}
    for start in range(0, len(listed), _LISTED):
        yield f"{name}{_PART}{start}" if start else name, {**whose, "words": listed[start : start + _LISTED]}


def passage_of(row: str) -> str:
    """The passage whose words a row holds."""
    return row.partition(_PART)[0]


def vector_row(passage: Mapping[str, Any], key: bytes, vector: bytes) -> dict[str, Any]:
    """A vector as metadata, with the bytes it is compared by."""
    row = {name: passage[name] for name in ("document", "generation", "scope")}
    return {**row, "hash": key.hex(), "exact": base64.b64encode(vector).decode()}


def exact(row: Mapping[str, Any]) -> bytes:
    """The bytes of a vector."""
    return base64.b64decode(row["exact"])


def _chunk(row: Mapping[str, Any], text: str) -> Chunk:
    return Chunk(text=text, page=row.get("page"), **{name: row[name] for name in _OF_CHUNK})


def _words(row: Mapping[str, Any]) -> Words:
    return Words(row["length"], {word: count for word, count in json.loads(row["counts"])})  # noqa: C416 - pairs are lists
