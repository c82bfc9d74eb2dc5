"""A knowledge base from one store into another, whatever engines they are, and proof that it arrived.

Rules of this module: it knows stores by their ports alone. It reads the one and writes the other, document by document,
whole ones. Nothing is taken out of either. What the target holds is read before and after, and compared by digest: what
is the same already is left alone, so that a copy which was stopped goes on where it was, and what arrived is known to
be what was sent; a count that is right says little.

Vectors come along where both stores know the same embedding space; otherwise the target's own embedder makes them, or
passages are found there by their words alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import struct
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from symfonic.adapters.knowledge.ports import BulkStore, EmbeddingError, StoreError, embedded_text
from symfonic.capabilities.knowledge import scope_ancestors

from ._callbacks import require_told
from ._failures import mapped
from ._guarded import require_working
from ._ingest_report import Pace
from ._opening import open_store, remembered
from ._scopes import Scope, exact_path_of, shown_scope
from .embedding import NO_EMBEDDER, require_embedder_for, vector_store
from .errors import InputError, KeyFileError, MissingStoreError, SettingsError, WiringError
from .keys import import_key, key_path, read_key
from .locations import StoreUrl, store_place
from .settings import Settings, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from symfonic.adapters.knowledge.ports import (
        Chunk,
        Document,
        DocumentRecord,
        Embedder,
        KnowledgeStore,
        StoredChunk,
        VectorStore,
    )

__all__ = ["CopyFailure", "CopyProgress", "CopyReport", "copy_knowledge", "copy_store"]

_GROUP: Final = 512
"""Passages, and documents counted as one more each, that are handed over at once."""

_FORMAT: Final = b"symfonic-knowledge/copy/v1"
_ABSENT: Final = b"\xff" * 8

KeyOutcome = Literal["", "brought", "same", "other", "none", "shared"]
"""What came of the key: it was put in place for the target; the target had the same one, or has another; the source has
none; the settings name one for both; empty where stores were copied that somebody had opened."""

Identity = tuple[str, str]
"""Scope path and origin: what makes a document this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyFailure:
    """A document that is not in the target as it is in the source.

    Attributes:
        scope_path: Where it is stored.
        file: What a person calls it; raw.
        reason: One sentence for people.
    """

    scope_path: str
    file: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyProgress:
    """Where a copy stands.

    Attributes:
        done: Documents that are finished.
        total: Documents of the source when it began.
        passages: Passages of the documents that are finished.
        stage: ``comparing`` with what the target holds, then ``copying``, then ``verifying``.
        elapsed: Seconds since the copy began; like the next two, ``None`` where it is not known.
        rate: Passages per second, of late.
        remaining: Seconds until this stage is done, if it goes on as of late.
    """

    done: int
    total: int
    passages: int
    stage: str
    elapsed: float | None = None
    rate: float | None = None
    remaining: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyReport:
    """What a copy did, and what reading the target again showed.

    Attributes:
        copied: Documents stored by this run.
        unchanged: Documents the target held already, the same to the last letter, and with vectors if it keeps them.
        passages: Passages of all documents of the source.
        characters: Characters over all of them.
        vectors: Vectors that came along; the others were made anew, or there are none.
        extra: Documents the target holds besides, within the same scope.
        digest: Hex SHA-256 over the documents of the source, their passages, labels and places; equal on both sides
            where ``failures`` is empty.
        failures: Documents that are missing in the target, or differ there, in the source's order.
        moved: Whether the source changed while it was read. What is compared is what was read.
        key: ``brought``, ``same``, ``other``, ``none`` or ``shared``. With ``other`` the target keeps its own key, so
            that tags of labels and delimiters are not those of prompts made from the source.
    """

    copied: int
    unchanged: int
    passages: int
    characters: int
    vectors: int
    extra: int
    digest: str
    failures: tuple[CopyFailure, ...] = field(default=())
    moved: bool = False
    key: KeyOutcome = ""

    @property
    def ok(self) -> bool:
        """Whether the target holds every document as the source does."""
        return not self.failures


def copy_knowledge(
    source: str | os.PathLike[str] | StoreUrl,
    target: str | os.PathLike[str] | StoreUrl,
    *,
    settings: Settings | None = None,
    scope: Scope = None,
    embedder: Embedder | None = None,
    environ: Mapping[str, str] | None = None,
    on_progress: Callable[[CopyProgress], None] | None = None,
) -> CopyReport:
    """Copy a knowledge base from one place to another, its key included where the target has none.

    With the same key, labels and delimiters stay what they were in earlier prompts. A key that is there already is left
    as it is, of which ``CopyReport.key`` tells; where the settings name a ``key_file``, it serves both.

    Args:
        source: The path or address of a store that is there.
        target: The path or address of a store; it is made where there is none.
        settings: What the deployment decided; the embedder of the target among it.
        scope: Copy what is stored there and below it; with a scope of no pairs, what everybody shares and nothing
            else; everything where ``None``.
        embedder: The target's; ``None`` makes the one the settings name, or else the one that filled the source, where
            that can be made here.
        environ: Where the key of an embedder that the settings name is read, usually ``os.environ``.
        on_progress: Is told about documents, in the calling thread.

    Raises:
        SettingsError: A place is none, both are the same, or ``on_progress`` cannot be called.
        MissingStoreError: The source is the path of no file.
        ScopeError: ``scope`` names nobody.
        InputError: Nothing is stored at ``scope`` or below it; no target was made.
        KeyFileError: A key cannot be used or kept.
        WiringError: The target's embedder cannot be made here.
        MissingExtraError: What a store or its embedder needs is not installed.
        StoreFailedError, EmbedderFailedError: As :func:`copy_store`.
    """
    require_told(on_progress)
    chosen = settings_of(settings)
    whose = exact_path_of(scope)
    leaving, entering = _places(source, target)
    with contextlib.ExitStack() as opened, mapped():
        words = chosen.changed(embedder=NO_EMBEDDER)
        with _told_of("source"):
            held = opened.enter_context(contextlib.closing(open_store(leaving, words, create=False)))
            _require_documents(held, whose, leaving)
            maker = _embedder_for(held, chosen, embedder)
        with _told_of("target"):
            store = opened.enter_context(
                contextlib.closing(open_store(entering, chosen, create=True, embedder=maker, environ=environ))
            )
        key = _brought_key(key_path(leaving), key_path(entering)) if chosen.key_file is None else "shared"
        report = copy_store(held, store, scope_path=whose, on_progress=on_progress, clock=time.monotonic)
        return replace(report, key=key)


@contextlib.contextmanager
def _told_of(which: str) -> Iterator[None]:
    """Say of which of the two stores an error is.

    Raises:
        StoreError: What the store raised, after the word for it.
    """
    try:
        yield
    except StoreError as error:
        raise StoreError(f"{which} of the copy: {error}") from (error.__cause__ or error)


def _places(source: object, target: object) -> tuple[Path | StoreUrl, Path | StoreUrl]:
    leaving, entering = store_place(source), store_place(target)
    if _is_same(leaving, entering):
        raise SettingsError(
            f"a copy leads from one store into another; {leaving} is both and nothing was copied; name two stores"
        )
    if isinstance(leaving, Path) and not leaving.exists():
        raise MissingStoreError(
            f"a copy is made of a store; there is none at {leaving} and nothing was copied; check the path"
        )
    return leaving, entering


def _is_same(one: Path | StoreUrl, other: Path | StoreUrl) -> bool:
    if isinstance(one, StoreUrl) and isinstance(other, StoreUrl):
        return one.identity == other.identity
    return isinstance(one, Path) and isinstance(other, Path) and one.resolve() == other.resolve()


def _embedder_for(source: KnowledgeStore, settings: Settings, embedder: Embedder | None) -> Embedder | None:
    """The target's embedder, where only the source knows it."""
    space = source.stats().embedding
    return embedder if embedder is not None or settings.embedder or space is None else remembered(space)


def _require_documents(source: KnowledgeStore, scope_path: str | None, place: Path | StoreUrl) -> None:
    if scope_path is not None and next(_records(source, scope_path), None) is None:
        raise InputError(
            "the copy of a scope takes what is stored there and below it; nothing is stored for "
            f"{shown_scope(scope_path)} in {place} and nothing was copied; `symfonic-knowledge stats` "
            "shows which scopes there are"
        )


def _brought_key(held: Path, wanted: Path) -> KeyOutcome:
    """Put the source's key in place for the target where that has none; what came of it."""
    if not os.path.lexists(held):
        return "none"
    if not os.path.lexists(wanted):
        import_key(wanted, read_key(held))
        return "brought"
    with contextlib.suppress(KeyFileError):  # a key that cannot be used is not known to be the same
        if read_key(held) == read_key(wanted):
            return "same"
    return "other"


def copy_store(
    source: KnowledgeStore,
    target: KnowledgeStore,
    *,
    scope_path: str | None = None,
    on_progress: Callable[[CopyProgress], None] | None = None,
    clock: Callable[[], float] | None = None,
) -> CopyReport:
    """Copy every document of ``source`` into ``target``, and verify.

    Args:
        source: Is read only.
        target: Keeps what it holds besides; a document under the same scope path and origin is replaced where it
            differs.
        scope_path: Copy what is stored there and below it, with ``""`` what everybody shares and nothing else;
            everything where ``None``.
        on_progress: Is told about documents, in the calling thread.
        clock: Seconds that never go back, such as ``time.monotonic``; ``None`` where no time is told.

    Returns:
        What was done. A document the target refuses costs itself, and stands under ``failures``.

    Raises:
        SettingsError: ``on_progress`` cannot be called.
        WiringError: Both are one store, or the target holds vectors and was opened without its embedder.
        StoreError: The source failed, or the target refused all it was given at once and no longer answers.
        EmbeddingError: The target's embedder embeds nothing any more.
    """
    require_told(on_progress)
    if source is target:
        raise WiringError(
            "a copy leads from one store into another; both are the same and nothing was copied; name two stores"
        )
    require_embedder_for(target)
    return _Copy(source, target, scope_path, _Teller(on_progress, clock)).run()


class _Read(NamedTuple):
    """A document as it was read."""

    document: Document
    chunks: tuple[Chunk, ...]

    @property
    def identity(self) -> Identity:
        return (self.document.scope_path, self.document.origin)

    @property
    def digest(self) -> bytes:
        return _digest(self.document, self.chunks)


class _Copy:
    """One copy: what was read, what was stored, what is wrong."""

    def __init__(
        self,
        source: KnowledgeStore,
        target: KnowledgeStore,
        scope_path: str | None,
        teller: _Teller,
    ) -> None:
        self._source = source
        self._target = target
        self._scope = scope_path
        self._teller = teller
        self._lender = _lender(source, target)
        self._lacking = _lacking(target)
        self._held: dict[Identity, bytes] = {}
        self._read: dict[Identity, bytes] = {}
        self._names: dict[Identity, str] = {}
        self._refused: dict[Identity, str] = {}
        self._copied = self._unchanged = self._passages = self._characters = self._vectors = 0

    def run(self) -> CopyReport:
        """Copy, verify, and say what came of it."""
        with _told_of("source"):
            revision = self._source.revision()
            self._teller.total = sum(1 for _ in _records(self._source, self._scope))
        self._held = self._digests("comparing")
        for group in _groups(self._given()):
            self._store(group)
            self._teller.tell(len(self._read), self._passages, "copying")
        with _told_of("source"):
            moved = self._source.revision() != revision
        held = self._digests("verifying")
        return CopyReport(
            copied=self._copied,
            unchanged=self._unchanged,
            passages=self._passages,
            characters=self._characters,
            vectors=self._vectors,
            extra=len(held.keys() - self._read.keys()),
            digest=_joined(self._read.values()),
            failures=tuple(self._failures(held)),
            moved=moved,
        )

    def _given(self) -> Iterator[_Read]:
        with _told_of("source"):
            yield from _documents(self._source, self._scope)

    def _store(self, group: Sequence[_Read]) -> None:
        wanted = []
        for read in group:
            self._read[read.identity] = read.digest
            self._names[read.identity] = read.document.file
            self._passages += len(read.chunks)
            self._characters += sum(len(chunk.text) for chunk in read.chunks)
            if self._held.get(read.identity) == read.digest and not self._lacks_vectors(read):
                self._unchanged += 1
            else:
                wanted.append((read, self._vectors_of(read)))
        self._put(wanted)

    def _vectors_of(self, read: _Read) -> list[Sequence[float]] | None:
        """The vectors of its passages where the source has every one of them and the target can take them."""
        if self._lender is None or not read.chunks:
            return None
        texts = [embedded_text(chunk) for chunk in read.chunks]
        with _told_of("source"):
            known = self._lender.known_vectors(texts, scope_path=read.document.scope_path)
        vectors = [vector for vector in known if vector is not None]
        return vectors if len(vectors) == len(texts) else None

    def _lacks_vectors(self, read: _Read) -> bool:
        """Whether the target holds it by its words alone, as before it was opened with its embedder."""
        if self._lacking is None:
            return False
        texts = [embedded_text(chunk) for chunk in read.chunks]
        with _told_of("target"):
            return None in self._lacking.known_vectors(texts, scope_path=read.document.scope_path)

    def _put(self, wanted: Sequence[tuple[_Read, list[Sequence[float]] | None]]) -> None:
        """All at once where the store can; where that fails, one by one, so that one document costs only itself."""
        if isinstance(self._target, BulkStore) and len(wanted) > 1:
            try:
                self._target.put_many([(read.document, read.chunks, vectors) for read, vectors in wanted])
            except (StoreError, EmbeddingError):
                pass
            else:
                self._count(wanted)
                return
        errors: list[Exception] = []
        for read, vectors in wanted:
            try:
                self._put_one(read, vectors)
            except (StoreError, EmbeddingError) as error:
                self._refused[read.identity] = str(error)
                errors.append(error)
            else:
                self._count([(read, vectors)])
        if errors and len(errors) == len(wanted):
            self._require_working(errors[-1])

    def _put_one(self, read: _Read, vectors: list[Sequence[float]] | None) -> None:
        into = vector_store(self._target)
        if into is None:
            self._target.put(read.document, read.chunks)
        else:
            into.put(read.document, read.chunks, vectors=vectors)

    def _require_working(self, error: Exception) -> None:
        """Raise what the target did with documents where it does nothing any more; else it is a matter of these.

        Raises:
            StoreError: It does not answer.
            EmbeddingError: Its embedder does not even embed what any can.
        """
        try:
            self._target.revision()
        except StoreError:
            with _told_of("target"):
                raise error from None
        into = vector_store(self._target)
        if into is not None and isinstance(error, EmbeddingError):
            require_working(into.embedder)

    def _count(self, stored: Iterable[tuple[_Read, list[Sequence[float]] | None]]) -> None:
        for _, vectors in stored:
            self._copied += 1
            self._vectors += len(vectors or ())

    def _digests(self, stage: str) -> dict[Identity, bytes]:
        """What the target holds, by identity."""
        held: dict[Identity, bytes] = {}
        passages = 0
        with _told_of("target"):
            for read in _documents(self._target, self._scope):
                held[read.identity] = read.digest
                passages += len(read.chunks)
                self._teller.tell(len(held), passages, stage)
        return held

    def _failures(self, held: dict[Identity, bytes]) -> Iterator[CopyFailure]:
        for identity, digest in self._read.items():
            if held.get(identity) == digest:
                continue
            state = "it holds another" if identity in held else "it does not hold it"
            reason = self._refused.get(identity) or (
                f"a store keeps a document as it was given; the target took this one, and {state}; copy again while "
                "nobody else writes there, and check the target where it stays so"
            )
            yield CopyFailure(scope_path=identity[0], file=self._names[identity], reason=reason)


class _Teller:
    """Tells whoever asked where a copy stands."""

    def __init__(self, on_progress: Callable[[CopyProgress], None] | None, clock: Callable[[], float] | None) -> None:
        self._on_progress = on_progress
        self._pace = Pace(clock)
        self._stage = ""
        self.total = 0

    def tell(self, done: int, passages: int, stage: str) -> None:
        """Say how far ``stage`` is."""
        if self._on_progress is None:
            return
        if stage != self._stage:
            self._pace.begin()
            self._stage = stage
        total = max(self.total, done)
        elapsed, rate, remaining = self._pace.at(done, total, passages)
        self._on_progress(
            CopyProgress(
                done=done,
                total=total,
                passages=passages,
                stage=stage,
                elapsed=elapsed,
                rate=rate,
                remaining=remaining,
            )
        )


def _lender(source: KnowledgeStore, target: KnowledgeStore) -> VectorStore | None:
    """The source, where its vectors are those the target's embedder would make."""
    into, lends = vector_store(target), getattr(source, "known_vectors", None)
    if into is None or into.embedder is None or lends is None:
        return None
    space = source.stats().embedding
    same = space is not None and (space.name, space.dimensions) == (into.embedder.name, into.embedder.dimensions)
    return source if same else None  # type: ignore[return-value]  # it has known_vectors, all that is asked of it


def _lacking(target: KnowledgeStore) -> VectorStore | None:
    """The target, where passages it holds have no vector and its embedder would make them one."""
    into = vector_store(target)
    if into is None or into.embedder is None:
        return None
    stats = into.stats()
    return into if stats.vectors < stats.chunks else None


def _within(store: KnowledgeStore, scope_path: str | None) -> list[str | None]:
    """The paths that are asked one by one for what is stored at a scope and below it; ``None`` asks for everything."""
    if not scope_path:
        return [scope_path]
    paths = {record.document.scope_path for record in store.documents()}
    return [*sorted(path for path in paths if scope_path in scope_ancestors(path))]


def _records(store: KnowledgeStore, scope_path: str | None) -> Iterator[DocumentRecord]:
    for path in _within(store, scope_path):
        yield from store.documents(scope_path=path)


def _documents(store: KnowledgeStore, scope_path: str | None) -> Iterator[_Read]:
    """Every document with its passages, those without passages included, one at a time."""
    for path in _within(store, scope_path):
        yield from _documents_at(store, path)


def _documents_at(store: KnowledgeStore, scope_path: str | None) -> Iterator[_Read]:
    empty = {
        (record.document.scope_path, record.document.origin): record.document
        for record in store.documents(scope_path=scope_path)
        if not record.chunks
    }
    chunks = store.chunks(scope_path=scope_path)
    for document, stored in itertools.groupby(chunks, key=_owner):
        empty.pop((document.scope_path, document.origin), None)  # it got passages meanwhile
        yield _Read(document, tuple(one.chunk for one in stored))
    for document in empty.values():
        yield _Read(document, ())


def _owner(stored: StoredChunk) -> Document:
    return stored.document


def _groups(documents: Iterable[_Read]) -> Iterator[list[_Read]]:
    group: list[_Read] = []
    size = 0
    for read in documents:
        group.append(read)
        size += 1 + len(read.chunks)
        if size >= _GROUP:
            yield group
            group, size = [], 0
    if group:
        yield group


def _digest(document: Document, chunks: Sequence[Chunk]) -> bytes:
    """SHA-256 over a document and its passages in order; every part is preceded by its length."""
    found = hashlib.sha256(_FORMAT)
    for text in (document.scope_path, document.origin, document.file, document.digest, document.kind):
        _add_text(found, text)
    found.update(struct.pack(">QQ", document.size, len(chunks)))
    for chunk in chunks:
        for text in (chunk.text, chunk.label, chunk.heading):
            _add_text(found, text)
        found.update(struct.pack(">Q", chunk.ordinal))
        found.update(_ABSENT if chunk.page is None else struct.pack(">Q", chunk.page))
    return found.digest()


def _add_text(into: hashlib._Hash, text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    into.update(struct.pack(">Q", len(data)))
    into.update(data)


def _joined(digests: Iterable[bytes]) -> str:
    """One digest of all, whatever the order they came in."""
    return hashlib.sha256(_FORMAT + b"".join(sorted(digests))).hexdigest()
