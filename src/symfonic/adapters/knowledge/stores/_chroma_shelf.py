"""Collections of Chroma as an engine for a store of rows: opening, changing, cleaning.

Rules of this module: it and :mod:`._chroma_sight` alone ask Chroma. There are a collection of documents, in which the
store also says of itself what it is, one of passages, one of their words, and one of vectors; the others have vectors
of one number, because Chroma keeps nothing without. Rows of passages and vectors are written under a new generation
first; one upsert of records then makes them count; what counted before is deleted last. Embedding functions are never
used: Chroma's own would fetch a model.
"""

from __future__ import annotations

import contextlib
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import chromadb
from chromadb.config import Settings

from symfonic.adapters.knowledge.ports import EmbeddingSpace, StoreError

from ._chroma_sight import (
    HEAD,
    ChromaSight,
    Facts,
    LostSightError,
    asked,
    passage_row,
    record_row,
    state_row,
    vector_row,
    words_rows,
)
from ._encoding import decoded
from ._rowstore_place import Turns, folder_bytes
from ._rowstore_values import FORMAT, Change, Head, New, Passage, Record, Sight, scope_digest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from ._chroma_options import Options

T = TypeVar("T")

_MARK: Final = {"symfonic": FORMAT}
_PLACE: Final = [1.0]
"""The vector of what has none."""

_TOGETHER: Final = 1_000
"""Most rows in one request."""

_KEYS: Final = 200


class ChromaShelf:
    """The collections of one store. Safe from any thread, in the process that made it.

    Raises:
        StoreError: The folder or the server cannot be used, or the collections are not the store's.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._process = os.getpid()
        self._closed = False
        self._lock = threading.Lock()
        self._facts: tuple[str, Facts] = ("", Facts())
        self._folder = options.place if isinstance(options.place, Path) else None
        if self._folder is not None:
            self._prepare(self._folder)
        lock = None if self._folder is None else self._folder / f"{options.collection}.lock"
        self._turns = Turns(lock, options.lock_timeout)
        with self._turns.turn():
            self._client: Any = asked("opening", self._connected)
            self._vectors: dict[int, Any] = {}
            try:
                self._open()
            except StoreError:
                self._let_go()
                raise

    def _open(self) -> None:
        """Have the collections, and look at them."""
        most = asked("opening", lambda: int(self._client.get_max_batch_size()))
        self._together = min(_TOGETHER, most)
        name = self._options.collection
        names = {"documents": f"{name}-documents", "passages": name, "words": f"{name}-words"}
        self._collections = {role: self._collection(each) for role, each in names.items()}
        self._begin()
        self._sight()

    def _prepare(self, folder: Path) -> None:
        if not self._options.create and not (folder / "chroma.sqlite3").is_file():
            raise StoreError(
                f"a store is opened where there is one; {str(folder)!a} holds none and was left as it is; fill it "
                "first, or correct the path"
            )
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"a store in Chroma is a folder; {str(folder)!a} cannot be one ({error.strerror}) and nothing was "
                "opened; name another, or make its parent writable"
            ) from error

    def _connected(self) -> Any:
        settings = Settings(anonymized_telemetry=False)
        if self._folder is not None:
            return chromadb.PersistentClient(path=self._folder, settings=settings)
        place: Any = self._options.place
        client = chromadb.HttpClient(
            host=place.host, port=place.port, ssl=place.tls, headers=dict(self._options.headers), settings=settings
        )
        for session in _sessions_of(client):  # Chroma has no option for it, and waits without end
            session.timeout = self._options.timeout
        return client

    def _collection(self, name: str, *, create: bool | None = None) -> Any:
        if self._options.create if create is None else create:
            found = asked(
                "opening a collection",
                lambda: self._client.get_or_create_collection(
                    name, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}, metadata=_MARK
                ),
            )
        else:
            found = asked("opening a collection", lambda: self._client.get_collection(name, embedding_function=None))
        shown = found.configuration_json  # the other form of it warns of embedding functions
        space = (shown.get("hnsw") or shown.get("spann") or {}).get("space")
        if (found.metadata or {}).get("symfonic") != FORMAT or space != "cosine":
            raise StoreError(
                f"a store's collections are marked with its version, {FORMAT} here, and compare by cosine; {name!a} "
                "is another program's, of another version, or compares by something else, and was left as it is; name "
                "another collection"
            )
        return found

    def _begin(self) -> None:
        """Have the store say what it is, where it never did."""
        documents = self._collections["documents"]
        if not asked("reading", lambda: documents.get(ids=[HEAD]))["ids"]:
            row = state_row(Head(), self._options.unique())
            asked("opening", lambda: documents.upsert(ids=[HEAD], embeddings=[_PLACE], metadatas=[row]))

    def _require_open(self) -> None:
        if os.getpid() != self._process:
            raise StoreError(
                "a store is used in the process that opened it; this one was forked from it and nothing was done; open "
                "the store again in this process"
            )
        if self._closed:
            raise StoreError("a closed store answers nothing; nothing was done; open the store again")

    # -------------------------------------------------------------------------------------------------------- reading

    def _state(self) -> Mapping[str, Any]:
        self._require_open()
        found = asked("reading", lambda: self._collections["documents"].get(ids=[HEAD], include=["metadatas"]))
        if not found["metadatas"] or found["metadatas"][0].get("version") != FORMAT:
            raise StoreError(
                f"a store says its version, {FORMAT} here; this one does not, and was left as it is; open it with the "
                "release that wrote it, or name another collection"
            )
        state: Mapping[str, Any] = found["metadatas"][0]
        return state

    def _sight(self) -> tuple[ChromaSight, Facts]:
        state = self._state()
        with self._lock:
            token, facts = self._facts
        facts = facts if token == state["token"] else Facts()
        vectors = self._vectors_of(state["vectors"]) if state["embedder"] else None
        return ChromaSight(self._collections, state, facts, vectors), facts

    def _vectors_of(self, number: int, *, create: bool = False) -> Any:
        found = self._vectors.get(number)
        if found is None:
            name = f"{self._options.collection}-vectors-{number}"
            found = self._vectors[number] = self._collection(name, create=create)
        return found

    def read(self, work: Callable[[Sight], T]) -> T:
        """What ``work`` answers from a state that nobody changed meanwhile; at the last, while nobody may change it."""
        for attempt in range(1, self._options.attempts):
            answer = self._read_once(work)
            if answer is not None:
                return answer[0]
            self._options.wait(attempt)
        with self._turns.turn():
            answer = self._read_once(work, last=True)
        if answer is None:
            raise StoreError(
                "what is read must not change meanwhile; others change this store all the time and nothing was "
                "answered; try again"
            )
        return answer[0]

    def _read_once(self, work: Callable[[Sight], T], *, last: bool = False) -> tuple[T] | None:
        try:
            sight, facts = self._sight()
            answer = work(sight)
            if self._state()["token"] != sight.token:
                return None
        except LostSightError:
            self._vectors.clear()  # another process may have made a collection of that name anew
            self._require_open()
            if last:
                raise
            return None
        with self._lock:
            self._facts = (sight.token, facts)
        return (answer,)

    # ------------------------------------------------------------------------------------------------------- changing

    def write(self, work: Callable[[Sight], tuple[T, Change | None]]) -> T:
        """Carry out a change: rows first, then what makes them count, then what counts no more."""
        self._require_open()
        with self._turns.turn():
            self._vectors.clear()  # another process may have made a collection of that name anew
            sight, _ = self._sight()
            answer, change = work(sight)
            if change is not None:
                self._commit(sight, change)
        return answer

    def _commit(self, sight: ChromaSight, change: Change) -> None:
        before = sight.head
        space = change.space or before.space
        number = self._number(before, space, renewed=change.renewed)
        generation = self._options.unique()
        put = [New(_in(new.record, generation), new.passages) for new in change.put]
        vectors = self._vectors_of(number, create=True) if space is not None else None
        keys = [new.record.key for new in put]
        before_rows = {key: sight.record(key) for key in keys} if self._folder is None else {}
        for new in put:
            self._add(new, space, vectors)
        rows = {new.record.key: record_row(new.record, _scope(new.record)) for new in put}
        rows |= {record.key: {"kind": "gone", "generation": "", "document": ""} for record in change.gone}
        self._flip(rows, Head(before.revision, space, number))
        with contextlib.suppress(LostSightError):  # it is done; what is left is never seen, and goes the next time
            self._clean(keys, generation, before_rows, change.gone, vectors)
            if number != before.vectors and before.space is not None:
                self._drop_vectors(before.vectors)

    def _number(self, head: Head, space: EmbeddingSpace | None, *, renewed: bool = False) -> int:
        """Which collection holds the vectors from now on; where it is another, nothing stands in it yet."""
        if not renewed and space == head.space:
            return head.vectors
        if self._folder is not None:
            self._drop_vectors(head.vectors + 1)  # somebody may have begun the same, and not come to the end
        return head.vectors + 1

    def _drop_vectors(self, number: int) -> None:
        self._vectors.pop(number, None)
        name = f"{self._options.collection}-vectors-{number}"
        if name in asked("reading", lambda: [each.name for each in self._client.list_collections()]):
            asked("cleaning", lambda: self._client.delete_collection(name))

    def _add(self, new: New, space: EmbeddingSpace | None, vectors: Any) -> None:
        record, scope = new.record, _scope(new.record)
        for start in range(0, len(new.passages), self._together):
            part = new.passages[start : start + self._together]
            names = [f"{record.key}:{record.generation}:{passage.chunk.ordinal}" for passage in part]
            rows = [passage_row(record, scope, passage) for passage in part]
            texts = [passage.chunk.text for passage in part]
            self._upsert(self._collections["passages"], names, rows, [_PLACE] * len(part), texts)
            self._add_words(names, rows, part)
            some = [at for at, passage in enumerate(part) if passage.vector]
            if some and space is not None:
                data = [decoded(part[at].vector, space)[0] for at in some]
                exact = [vector_row(rows[at], part[at].hash, part[at].vector) for at in some]
                self._upsert(vectors, [names[at] for at in some], exact, data)

    def _add_words(self, names: Sequence[str], rows: Sequence[Mapping[str, Any]], passages: Sequence[Passage]) -> None:
        each = zip(names, rows, passages, strict=True)
        listed = [part for name, row, passage in each for part in words_rows(name, row, passage.words)]
        for start in range(0, len(listed), self._together):
            part = listed[start : start + self._together]
            self._upsert(
                self._collections["words"], [name for name, _ in part], [row for _, row in part], [_PLACE] * len(part)
            )

    @staticmethod
    def _upsert(
        collection: Any, names: Sequence[str], rows: Sequence[Any], vectors: Sequence[Any], texts: Any = None
    ) -> None:
        asked(
            "writing",
            lambda: collection.upsert(ids=list(names), metadatas=list(rows), embeddings=list(vectors), documents=texts),
        )

    def _flip(self, rows: Mapping[str, Mapping[str, Any]], head: Head) -> None:
        """Make a change count: one upsert, whole or not at all; only thousands of documents take more than one."""
        listed = list(rows.items())
        most = self._together - 1
        for step, start in enumerate(range(0, max(len(listed), 1), most), 1):
            part = [*listed[start : start + most]]
            state = state_row(Head(head.revision + step, head.space, head.vectors), self._options.unique())
            part.append((HEAD, state))
            keys = [key for key, _ in part]
            self._upsert(self._collections["documents"], keys, [row for _, row in part], [_PLACE] * len(part))

    def _clean(
        self,
        keys: Collection[str],
        generation: str,
        before: Mapping[str, Record | None],
        gone: Collection[Record],
        vectors: Any,
    ) -> None:
        """Delete rows that count no more; on a server only those that were replaced, for others may be writing."""
        listed = list(keys)
        for start in range(0, len(listed), _KEYS):
            part = listed[start : start + _KEYS]
            if self._folder is None:
                old = [record.generation for key in part if (record := before.get(key)) is not None]
                which: dict[str, Any] | None = {"generation": {"$in": old}} if old else None
            else:
                which = {"generation": {"$ne": generation}}
            if which is not None:
                self._delete({"$and": [{"document": {"$in": part}}, which]}, vectors)
        lost = list(gone)
        for start in range(0, len(lost), _KEYS):
            part = [record.key for record in lost[start : start + _KEYS]]
            where: dict[str, Any] = {"document": {"$in": part}}
            if self._folder is None:  # another client may be storing one of them anew
                old = [record.generation for record in lost[start : start + _KEYS]]
                where = {"$and": [where, {"generation": {"$in": old}}]}
            self._delete(where, vectors)
            asked(
                "cleaning",
                lambda part=part: self._collections["documents"].delete(ids=part, where={"kind": "gone"}),  # type: ignore[misc]  # bound now
            )

    def _delete(self, where: Mapping[str, Any], vectors: Any) -> None:
        for collection in self._of_passages(vectors):
            # Most changes leave nothing behind, and to look is much faster than to delete nothing.
            found = asked("cleaning", lambda collection=collection: collection.get(where=where, include=[])["ids"])  # type: ignore[misc]  # bound now
            self._delete_rows(collection, found)

    def _of_passages(self, vectors: Any) -> list[Any]:
        return [self._collections["passages"], self._collections["words"], *([] if vectors is None else [vectors])]

    @staticmethod
    def _delete_rows(collection: Any, names: Sequence[str]) -> None:
        for start in range(0, len(names), _KEYS):
            part = list(names[start : start + _KEYS])
            asked("cleaning", lambda part=part: collection.delete(ids=part))  # type: ignore[misc]  # bound now

    def add_vectors(self, space: EmbeddingSpace, vectors: Mapping[str, tuple[bytes, bytes]]) -> None:
        """Give vectors to passages by name."""
        from ._rowstore_embedding import require

        with self._turns.turn():
            self._vectors.clear()  # as for a change
            sight, _ = self._sight()
            require(sight, space)
            number = self._number(sight.head, space)
            owners = sight.owners(list(vectors))
            have = sight.vectors(list(owners))
            names = [name for name in owners if name not in have]
            rows = [vector_row(owners[name], *vectors[name]) for name in names]
            collection = self._vectors_of(number, create=True)
            if names:
                data = [decoded(vectors[name][1], space)[0] for name in names]
                self._upsert(collection, names, rows, data)
            self._flip({}, Head(sight.head.revision, space, number))

    # ------------------------------------------------------------------------------------------------------ the whole

    def file_bytes(self) -> int:
        """What the folder takes; 0 for a server."""
        return 0 if self._folder is None else folder_bytes(self._folder)

    def vacuum(self) -> None:
        """Delete what counts no more. Chroma has no way to give space back while it runs (see ``chroma vacuum``)."""
        self._require_open()
        with self._turns.turn():
            sight, _ = self._sight()
            current = {record.key: record.generation for record in sight.records()}
            vectors = self._vectors_of(sight.head.vectors) if sight.head.space is not None else None
            for collection in self._of_passages(vectors):
                rows = asked("reading", lambda collection=collection: collection.get(include=["metadatas"]))  # type: ignore[misc]  # bound now
                lost = [
                    name
                    for name, row in zip(rows["ids"], rows["metadatas"], strict=True)
                    if current.get(row["document"]) != row["generation"]
                ]
                self._delete_rows(collection, lost)
            documents = self._collections["documents"]
            asked("cleaning", lambda: documents.delete(where={"kind": "gone"}))

    def faults(self, sight: Sight) -> list[str]:
        """Nothing: rows that count no more are no fault."""
        del sight
        return []

    def close(self) -> None:
        """Let go of the folder, or the server."""
        with self._lock:
            if self._closed or os.getpid() != self._process:
                return
            self._closed = True
        self._let_go()

    def _let_go(self) -> None:
        sessions = _sessions_of(self._client)
        with contextlib.suppress(Exception):
            self._client.close()
        for session in sessions:  # a client of a server leaves them open
            session.close()


def _sessions_of(client: Any) -> list[Any]:
    """What a client of a server sends requests with; nothing of one that has a folder."""
    parts = (client, getattr(client, "_admin_client", None))
    found = (getattr(getattr(part, "_server", None), "_session", None) for part in parts)
    return [session for session in found if session is not None]


def _in(record: Record, generation: str) -> Record:
    return Record(record.document, record.chunks, record.characters, record.length, generation)


def _scope(record: Record) -> str:
    return scope_digest(record.document.scope_path)
