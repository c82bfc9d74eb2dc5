"""From files to stored passages: walk, read, extract, cut, embed, store.

Rules of this module: it joins the parts and decides the order of things; formats, cutting, vectors and storage are
theirs. One bad file never ends a run. A store or an embedder that fails does, because every further file would fail
too; what was stored until then stays, for each document is stored in one transaction. Passages that were stored before
without a vector, by whomever, and cannot be embedded end no run: they are counted.

Where the store keeps vectors, three stages work at the same time: one thread reads, extracts and cuts, one embeds, and
the calling thread stores and tells progress, in walking order. Each stage runs ahead of the next by at most
:data:`MAX_WAITING_CHARS` of passages, or by a single document that is longer. Without vectors the calling thread does
everything but what is said next: cutting and storing take turns in one interpreter, and handing over between threads
cost a third more time on folders of Markdown.

With more than one worker, formats that other processes read are extracted several at a time, in a thread for each
worker; they are read, stored and told in walking order all the same, so that nothing but time depends on how many there
are. What is begun ahead is bounded by :data:`MAX_WAITING_CHARS` of passages and as many bytes of files, and one file
for each worker.

A store that can take several documents at once is given small ones together, in one transaction; each is done when that
has ended.

A file that was stored before and can no longer be read or extracted keeps its stored version, and its reason says so: a
text editor caught in the middle of saving must not empty the store. ``forget`` removes it.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import BulkStore, EmbeddingError, StoreError

from ._flow import Flow
from ._guarded import require_working
from ._ingest_report import IngestItem, IngestProgress, IngestReport, Pace
from ._lanes import Lanes
from ._preparing import Prepared, Preparer, Reader
from ._vectors import Vectors
from ._walk import FileOutcome, Walk, is_gone, is_under, origin_of, shown_name, walk
from .chunking import ChunkPolicy
from .embedding import attempted, vector_store
from .errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from symfonic.adapters.knowledge.extractors.isolation import ExtractionLimits
    from symfonic.adapters.knowledge.ports import Embedder, Extractor, KnowledgeStore, VectorStore

    from ._walk import Found

__all__ = [
    "MAX_FILE_BYTES",
    "MAX_WAITING_CHARS",
    "FileOutcome",
    "IngestItem",
    "IngestProgress",
    "IngestReport",
    "IngestStoppedError",
    "ingest",
    "require_paths",
]

MAX_FILE_BYTES: Final = 50 * 2**20
"""Largest file that is read unless the caller says otherwise: 50 MiB."""

_TICK_SECONDS: Final = 1.0

_GROUP_FILES: Final = 32
_GROUP_PASSAGES: Final = 256
"""Files, or passages, that are stored together where nothing is embedded: few enough to be seen coming."""

_GROUP_SIZE: Final = 400_000
"""Characters that are stored together where they are ready at the same time."""

MAX_WAITING_CHARS: Final = 1_000_000
"""Characters of passages that wait between two stages of a run, at most; a single longer document waits alone."""


class IngestStoppedError(StoreError):
    """The store or the embedder failed and the run ended; which of them, the cause says.

    Attributes:
        report: What had become of the files until then; what was stored stays stored.
    """

    def __init__(self, message: str, *, report: IngestReport) -> None:
        super().__init__(message)
        self.report = report


def require_paths(paths: Iterable[str | os.PathLike[str]], *, prune: bool = False) -> None:
    """Refuse a run that could not read anything. One path that exists is enough: the others are outcomes of the run.

    Args:
        paths: What is to be read.
        prune: Whether what is gone is to be removed, about which the refusal then says a word.

    Raises:
        InputError: No path is given, or there is nothing at any of them.
    """
    named = [os.fspath(path) for path in paths]
    if "" in named:
        raise InputError(
            "a path must not be empty, because that would name the current folder and take all of it; nothing was "
            "read; write '.' where that is meant"
        )
    if not named:
        raise InputError(
            "documents are read from files and folders; none was named and nothing was read; name at least one path"
        )
    if not any(os.path.lexists(path) for path in named):
        raise InputError(
            f"documents are read from files and folders; there is nothing at {', '.join(map(repr, named))} and "
            "nothing was read; check the spelling, and the folder it is relative to" + (_TO_PRUNE if prune else "")
        )


_TO_PRUNE: Final = ". To prune what came from a path that is gone, name it beside one that exists"


def ingest(  # noqa: PLR0913 - each is a decision of the caller's
    store: KnowledgeStore,
    paths: Iterable[str | os.PathLike[str]],
    *,
    scope_path: str = "",
    policy: ChunkPolicy | None = None,
    extractors: Mapping[str, Extractor] | None = None,
    prune: bool = False,
    max_file_bytes: int = MAX_FILE_BYTES,
    workers: int = 1,
    limits: ExtractionLimits | None = None,
    on_progress: Callable[[IngestProgress], None] | None = None,
    clock: Callable[[], float] | None = None,
) -> IngestReport:
    """Bring a store up to date with files and folders.

    Args:
        store: Where passages go. One with an ``embedder`` (a :class:`VectorStore`) gets a vector with each; then, at
            the end, every passage in it that has none yet gets one, as far as it can be embedded. A
            :class:`BulkStore` is given several small documents at once.
        paths: Files and folders.
        scope_path: Scope everything is stored under, as ``str(ScopePath(...))`` gives it; ``""`` is the whole
            deployment. It is not checked here.
        policy: Sizes of passages; the default when ``None``.
        extractors: By format; those of this distribution when ``None``. A format without one is ``unsupported``. An
            extractor's ``version``, where it has one, is part of every digest. Where passages are embedded, they are
            called in another thread; one that has a true ``concurrent`` is called by as many as there are workers.
        prune: Remove documents stored at exactly this scope that came from one of the given paths, or from below it,
            and whose file no longer exists. A path may be gone itself, as long as the folder it was in is there. What
            cannot be found out (an unreadable folder) is kept.
        max_file_bytes: Larger files are ``too-large`` and not read.
        workers: Files that are extracted at the same time, at most; what comes of a run does not depend on it.
        limits: What one file may take in the process that reads it; the defaults when ``None``. Extractors of the
            caller's have their own.
        on_progress: Called in the calling thread, for each file and at the end, and every second in which one that is
            being embedded is waited for. What it raises ends the run; what was stored until then stays.
            Nothing is read before its first call.
        clock: Seconds that never go back, such as ``time.monotonic``, for the times of the progress; ``None`` tells
            none.

    Raises:
        IngestStoppedError: The store failed, or the embedder embeds nothing at all.
    """
    return ingest_found(
        store,
        walk(paths),
        scope_path=scope_path,
        policy=policy,
        extractors=extractors,
        prune=prune,
        max_file_bytes=max_file_bytes,
        workers=workers,
        limits=limits,
        on_progress=on_progress,
        clock=clock,
    )


def ingest_found(  # noqa: PLR0913 - as above
    store: KnowledgeStore,
    found: Walk,
    *,
    scope_path: str,
    policy: ChunkPolicy | None = None,
    extractors: Mapping[str, Extractor] | None = None,
    prune: bool = False,
    max_file_bytes: int = MAX_FILE_BYTES,
    workers: int = 1,
    limits: ExtractionLimits | None = None,
    on_progress: Callable[[IngestProgress], None] | None = None,
    clock: Callable[[], float] | None = None,
) -> IngestReport:
    """As :func:`ingest`, of what was found already."""
    # Here, because most processes only ask: extractors bring modules that double the time of importing this package.
    from symfonic.adapters.knowledge.extractors.detection import default_extractors

    run = _Run(store, [item.shown for item in found.found], on_progress, Pace(clock))
    opened = default_extractors(workers=workers, limits=limits) if extractors is None else nullcontext(extractors)
    with opened as readers:
        reader = Reader(policy=policy or ChunkPolicy(), extractors=readers, max_file_bytes=max_file_bytes)
        preparer = Preparer(store, scope_path=scope_path, reader=reader)
        with run.stopping():
            # Nobody else waits for processes that this run has started.
            let_go = reader.let_go if extractors is None else None
            run.store_all(found, _Stage(preparer, workers, let_go))
            run.items += run.prune(found, scope_path) if prune else ()
            run.complete()
    return run.report()


class _Stage:
    """The first stage: files to what is to be stored of them, in their order."""

    def __init__(self, preparer: Preparer, workers: int, let_go: Callable[[], None] | None) -> None:
        self.preparer = preparer
        self.let_go = let_go
        self._workers = workers

    def prepared(self, found: Sequence[Found], flow: Flow) -> Iterator[Prepared]:
        """Prepare one file after the other, or those that may be extracted apart several at a time."""
        if self._workers <= 1:
            return map(self.preparer.prepare, found)
        lanes = Lanes(flow, self._workers, size=_size_of, most=MAX_WAITING_CHARS)
        return lanes.in_order(map(self.preparer.begin, found))


class _Run:
    """One run: what it has come to, and the part of it that happens in the calling thread."""

    def __init__(
        self,
        store: KnowledgeStore,
        names: Sequence[str],
        on_progress: Callable[[IngestProgress], None] | None,
        pace: Pace,
    ) -> None:
        self.store = store
        self.vectors = vector_store(store)
        self.bulk = store if isinstance(store, BulkStore) else None
        self.names = names
        self.total = len(names)
        self.on_progress = on_progress
        self.pace = pace
        self.items: list[IngestItem] = []
        self.files = 0
        self.passages = 0
        self.embedded = 0
        self.unembedded = 0
        self._most = 0

    def report(self) -> IngestReport:
        """What has become of everything so far."""
        return IngestReport(items=tuple(self.items), embedded=self.embedded, unembedded=self.unembedded)

    @contextmanager
    def stopping(self) -> Iterator[None]:
        """Say of what ends the run early how far it came."""
        try:
            yield
        except (StoreError, EmbeddingError) as error:
            what = "embedder" if isinstance(error, EmbeddingError) else "store"
            message = f"The {what} failed, so the run ended after {self.files} of {self.total} files: {error}"
            raise IngestStoppedError(message, report=self.report()) from error

    def store_all(self, found: Walk, stage: _Stage) -> None:
        """Take every file through all stages."""
        vectors = self.vectors
        if vectors is not None:
            self.tell(0)
        with Flow(stage.let_go) as flow:
            if vectors is None:
                for group in self._in_turn(found, stage, flow):
                    self._store(group)
                    self._count(group)
                self.tell(self.files)
                return
            for group in self._overlapping(found, stage, flow, vectors):
                self._store(group)
                for one in group:
                    self._count([one])
                    self.tell(self.files)

    def _in_turn(self, found: Walk, stage: _Stage, flow: Flow) -> Iterator[list[Prepared]]:
        """Prepare files one after the other, as many as are stored together."""
        group: list[Prepared] = []
        prepared = stage.prepared(found.found, flow)
        for place in range(len(found.found)):
            self.tell(place)
            group.append(next(prepared))
            if self.bulk is None or len(group) >= _GROUP_FILES or _passages(group) >= _GROUP_PASSAGES:
                yield group
                group = []
        yield group

    def _overlapping(self, found: Walk, stage: _Stage, flow: Flow, vectors: VectorStore) -> Iterator[list[Prepared]]:
        """Prepare and embed in threads; what is ready at one time is stored together."""
        prepared = flow.ahead(stage.prepared(found.found, flow), size=_size_of, most=MAX_WAITING_CHARS)
        embedding = Vectors(
            vectors,
            scope_path=stage.preparer.scope_path,
            flow=flow,
            stored=lambda: self.files,
            noted=stage.preparer.noted,
        )
        ready = flow.ahead(embedding.run(prepared), size=_size_of, most=MAX_WAITING_CHARS)
        while True:
            while not ready.ready(_TICK_SECONDS):
                self.tell(self.files, embedding.under_way)
            first = next(ready, None)
            if first is None:
                return
            yield [first, *(ready.waiting(_GROUP_SIZE - first.size) if self.bulk is not None else ())]

    def _store(self, group: Sequence[Prepared]) -> None:
        items = [(one.document, one.chunks, one.vectors) for one in group if one.document is not None]
        if self.bulk is not None and len(items) > 1:
            self.bulk.put_many(items)
            return
        for document, chunks, vectors in items:
            if self.vectors is None:
                self.store.put(document, chunks)
            else:
                self.vectors.put(document, chunks, vectors=vectors)

    def _count(self, group: Sequence[Prepared]) -> None:
        self.items += [one.item for one in group]
        self.files += len(group)
        self.passages += sum(one.item.chunks for one in group)

    def prune(self, found: Walk, scope_path: str) -> list[IngestItem]:
        """Remove, in one transaction, what came from these paths and is gone."""
        files = {origin_of(path) for path in found.gone}
        gone = [
            document
            for document in (record.document for record in self.store.documents(scope_path=scope_path))
            if (document.origin in files or any(is_under(document.origin, at) for at in (*found.folders, *found.gone)))
            and is_gone(document.origin)
        ]
        if gone:
            self.store.remove(gone)
        return [
            IngestItem(path=shown_name(document.origin), file=document.file, outcome=FileOutcome.PRUNED)
            for document in gone
        ]

    def complete(self) -> None:
        """Give a vector to the passages that were stored without one, whoever stored them.

        Whether there are any, the totals say; whether one is damaged would take reading all of every tenant.
        """
        if self.vectors is None or self._is_complete(self.vectors.embedder):
            return
        self.pace.begin()
        before = self.passages
        to_do = 0

        def told(done: int, total: int) -> None:
            nonlocal to_do
            to_do = total
            self.embedded, self.passages = done, before + done
            self._tell(IngestProgress(total=total, done=done, unit="passages", passages=self.passages))

        found = attempted(self.vectors, on_progress=told)
        if not isinstance(found, EmbeddingError):
            self.embedded = found
            return
        stats = self.store.stats()
        self.unembedded = stats.chunks - stats.vectors
        self.embedded = max(0, to_do - self.unembedded)  # a passage that was passed over counts as done
        require_working(self.vectors.embedder)

    def _is_complete(self, embedder: Embedder | None) -> bool:
        stats = self.store.stats()
        is_others = embedder is not None and stats.embedding is not None and stats.embedding.name != embedder.name
        return stats.chunks == stats.vectors and not is_others

    def tell(self, place: int, under_way: int = 0) -> None:
        """Say which file is next, and how many passages are done with those that are under way."""
        current = self.names[place] if place < self.total else ""
        self._most = max(self._most, self.passages + under_way)
        self._tell(IngestProgress(total=self.total, done=self.files, current=current, passages=self._most))

    def _tell(self, progress: IngestProgress) -> None:
        if self.on_progress is not None:
            elapsed, rate, remaining = self.pace.at(progress.done, progress.total, progress.passages)
            self.on_progress(replace(progress, elapsed=elapsed, rate=rate, remaining=remaining))


def _passages(group: Sequence[Prepared]) -> int:
    return sum(len(one.chunks) for one in group)


def _size_of(prepared: Prepared) -> int:
    return prepared.size
