"""From files to stored passages: walk, read, extract, cut, store.

Rules of this module: it joins the parts and decides what becomes of each file; formats, cutting and storage are theirs.
One bad file never ends a run. A store that fails does, because every further file would fail too; what was stored until
then stays, for each document is stored in one transaction.

A document's digest covers its bytes and whatever else decides its passages: file label, format, sizes, the version of
cutting and of the extractor. Equal digest, nothing to do, and the file is not even extracted; any other, and its
passages are replaced.

A file that was stored before and can no longer be read or extracted keeps its stored version, and its reason says so: a
text editor caught in the middle of saving must not empty the store. ``forget`` removes it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import Document, ExtractionError, StoreError
from symfonic.composition.knowledge._walk import (
    FileOutcome,
    Found,
    Walk,
    is_gone,
    is_under,
    origin_of,
    shown_name,
    walk,
)
from symfonic.composition.knowledge.chunking import CHUNKING_VERSION, Chunking, ChunkPolicy, chunk_extraction
from symfonic.composition.knowledge.errors import InputError, type_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from symfonic.adapters.knowledge.ports import Extractor, KnowledgeStore

__all__ = [
    "MAX_FILE_BYTES",
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

_STORED: Final = frozenset({FileOutcome.INGESTED, FileOutcome.REPLACED})
_TROUBLE: Final = frozenset({FileOutcome.FAILED, FileOutcome.UNREADABLE, FileOutcome.MISSING})


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestItem:
    """What became of one file.

    Attributes:
        path: As a person is shown it: one line of valid Unicode.
        outcome: Its named outcome.
        reason: One sentence for people; empty where the outcome says all.
        file: What its labels begin with: the path relative to the ingest root, raw. Show it as a label.
        chunks: Passages stored for it by this run.
        oversized_units: Units that alone exceeded the ceiling and were split.
    """

    path: str
    outcome: FileOutcome
    reason: str = ""
    file: str = ""
    chunks: int = 0
    oversized_units: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What became of all files, in walking order; pruned documents come last."""

    items: tuple[IngestItem, ...]

    def counts(self) -> dict[FileOutcome, int]:
        """Number of items by outcome, without outcomes that did not occur."""
        counted = Counter(item.outcome for item in self.items)
        return {outcome: counted[outcome] for outcome in FileOutcome if counted[outcome]}

    @property
    def chunks(self) -> int:
        """Passages this run stored."""
        return sum(item.chunks for item in self.items)

    @property
    def oversized_units(self) -> int:
        """Units this run had to split because they alone exceeded the ceiling."""
        return sum(item.oversized_units for item in self.items)

    @property
    def ok(self) -> bool:
        """Whether nothing failed, was unreadable or was missing."""
        return not any(item.outcome in _TROUBLE for item in self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestProgress:
    """Where a run stands.

    Attributes:
        total: Number of things the walk found.
        done: How many of them are finished.
        current: The one that comes next, as shown; empty at the end.
    """

    total: int
    done: int
    current: str = ""


class IngestStoppedError(StoreError):
    """The store failed and the run ended.

    Attributes:
        report: What had become of the files until then; what was stored stays stored.
    """

    def __init__(self, message: str, *, report: IngestReport) -> None:
        super().__init__(message)
        self.report = report


def require_paths(paths: Iterable[str | os.PathLike[str]]) -> None:
    """Refuse a run that could not read anything. One path that exists is enough: the others are outcomes of the run.

    Raises:
        InputError: No path is given, or there is nothing at any of them.
    """
    named = [os.fspath(path) for path in paths]
    if "" in named:
        raise InputError(
            "a path must not be empty, because that would name the current folder and store all of it; no store was "
            "touched; write '.' where that is meant"
        )
    if not named:
        raise InputError(
            "documents are read from files and folders; none was named and no store was touched; name at least one path"
        )
    if not any(os.path.lexists(path) for path in named):
        raise InputError(
            f"documents are read from files and folders; there is nothing at {', '.join(map(repr, named))} and no "
            "store was touched; check the spelling, and the folder it is relative to. To prune what came from a path "
            "that is gone, name it beside one that exists"
        )


def ingest(
    store: KnowledgeStore,
    paths: Iterable[str | os.PathLike[str]],
    *,
    scope_path: str = "",
    policy: ChunkPolicy | None = None,
    extractors: Mapping[str, Extractor] | None = None,
    prune: bool = False,
    max_file_bytes: int = MAX_FILE_BYTES,
    on_progress: Callable[[IngestProgress], None] | None = None,
) -> IngestReport:
    """Bring a store up to date with files and folders.

    Args:
        store: Where passages go.
        paths: Files and folders.
        scope_path: Scope everything is stored under, as ``str(ScopePath(...))`` gives it; ``""`` is the whole
            deployment. It is not checked here.
        policy: Sizes of passages; the default when ``None``.
        extractors: By format; those of this distribution when ``None``. A format without one is ``unsupported``. An
            extractor's ``version``, where it has one, is part of every digest.
        prune: Remove documents stored at exactly this scope that came from one of the given paths, or from below it,
            and whose file no longer exists. A path may be gone itself, as long as the folder it was in is there. What
            cannot be found out (an unreadable folder) is kept.
        max_file_bytes: Larger files are ``too-large`` and not read.
        on_progress: Called before each file and once at the end. What it raises ends the run; what was stored until
            then stays.

    Raises:
        IngestStoppedError: The store failed.
    """
    # Here, because most processes only ask: extractors bring modules that double the time of importing this package.
    from symfonic.adapters.knowledge.extractors.detection import default_extractors

    found = walk(paths)
    with default_extractors() if extractors is None else nullcontext(extractors) as readers:
        run = _Run(store, scope_path, policy or ChunkPolicy(), readers, max_file_bytes)
        items: list[IngestItem] = []
        try:
            for item in found.found:
                _tell(on_progress, len(found.found), len(items), item.shown)
                items.append(run.process(item))
            _tell(on_progress, len(found.found), len(items), "")
            items += run.prune(found) if prune else ()
        except StoreError as error:
            message = f"The store failed, so the run ended after {len(items)} of {len(found.found)} files: {error}"
            raise IngestStoppedError(message, report=IngestReport(items=tuple(items))) from error
    return IngestReport(items=tuple(items))


def _tell(on_progress: Callable[[IngestProgress], None] | None, total: int, done: int, current: str) -> None:
    if on_progress is not None:
        on_progress(IngestProgress(total=total, done=done, current=current))


class _UnreadError(Exception):
    """A file that yields no passages, with the outcome that says why."""

    def __init__(self, outcome: FileOutcome, reason: str) -> None:
        super().__init__(reason)
        self.outcome = outcome


class _Run:
    """One run over one store, scope and set of sizes."""

    def __init__(
        self,
        store: KnowledgeStore,
        scope_path: str,
        policy: ChunkPolicy,
        extractors: Mapping[str, Extractor],
        max_file_bytes: int,
    ) -> None:
        self._store = store
        self._scope_path = scope_path
        self._policy = policy
        self._extractors = extractors
        self._max_file_bytes = max_file_bytes

    def process(self, found: Found) -> IngestItem:
        """Bring the store up to date with one file."""
        item = IngestItem(path=found.shown, file=found.file, outcome=found.outcome or FileOutcome.FAILED)
        if found.outcome is not None:
            return replace(item, reason=found.reason)
        try:
            return self._store_file(found, item)
        except _UnreadError as error:
            return replace(item, outcome=error.outcome, reason=self._with_note(str(error), found))

    def _with_note(self, reason: str, found: Found) -> str:
        if self._store.get(self._scope_path, origin_of(found.path)) is None:
            return reason
        return f"{reason} (the version stored before stays until it is forgotten)"

    def _store_file(self, found: Found, item: IngestItem) -> IngestItem:
        data = _read(found.path, self._max_file_bytes)
        kind, extractor = self._reader_for(data, found)
        document = Document(
            scope_path=self._scope_path,
            origin=origin_of(found.path),
            file=found.file,
            digest=self._digest(data, found.file, kind, extractor),
            kind=kind,
            size=len(data),
        )
        before = self._store.get(document.scope_path, document.origin)
        if before is not None and before.document.digest == document.digest:
            return replace(item, outcome=FileOutcome.UNCHANGED)
        chunking = self._chunked(data, kind, extractor, found)
        self._store.put(document, chunking.chunks)
        return replace(
            item,
            outcome=FileOutcome.INGESTED if before is None else FileOutcome.REPLACED,
            chunks=len(chunking.chunks),
            oversized_units=chunking.oversized_units,
        )

    def _reader_for(self, data: bytes, found: Found) -> tuple[str, Extractor]:
        from symfonic.adapters.knowledge.extractors.detection import detect_kind  # as in ingest()

        name = _name_of(found)
        try:
            kind = detect_kind(name, data)
        except ExtractionError as error:
            raise _unread(error) from error
        if kind not in self._extractors:
            raise _UnreadError(FileOutcome.UNSUPPORTED, f"{name} is {kind}, for which no extractor is at hand")
        return kind, self._extractors[kind]

    def _digest(self, data: bytes, file: str, kind: str, extractor: Extractor) -> str:
        policy = self._policy
        version = str(getattr(extractor, "version", ""))
        settings = (file, kind, version, str(CHUNKING_VERSION), str(policy.max_chars), str(policy.target_chars))
        digest = hashlib.sha256(b"symfonic-knowledge document 1\n")
        for field in (*(setting.encode() for setting in settings), data):
            # The length first: no two different lists of fields are hashed alike.
            digest.update(len(field).to_bytes(8, "big"))
            digest.update(field)
        return digest.hexdigest()

    def _chunked(self, data: bytes, kind: str, extractor: Extractor, found: Found) -> Chunking:
        name = _name_of(found)
        try:
            extraction = extractor.extract(data, name=name)
            chunking = chunk_extraction(extraction, file=found.file, policy=self._policy)
            for chunk in chunking.chunks:
                (chunk.text + chunk.label + chunk.heading).encode()
        except ExtractionError as error:
            raise _unread(error) from error
        except Exception as error:
            # The kind of a foreign error and never its words: they may hold a piece of the file, or of this machine.
            reason = (
                f"the extractor for {kind} failed ({type_name(error)}), so nothing of {name} is stored; repair or "
                "convert it"
            )
            raise _UnreadError(FileOutcome.FAILED, reason) from error
        if not chunking.chunks:
            raise _UnreadError(FileOutcome.EMPTY, f"{name} holds nothing that shows, so nothing of it can be found.")
        return chunking

    def prune(self, found: Walk) -> list[IngestItem]:
        """Remove, in one transaction, what came from these paths and is gone."""
        files = {origin_of(path) for path in found.gone}
        gone = [
            document
            for document in (record.document for record in self._store.documents(scope_path=self._scope_path))
            if (document.origin in files or any(is_under(document.origin, at) for at in (*found.folders, *found.gone)))
            and is_gone(document.origin)
        ]
        if gone:
            self._store.remove(gone)
        return [
            IngestItem(path=shown_name(document.origin), file=document.file, outcome=FileOutcome.PRUNED)
            for document in gone
        ]


def _name_of(found: Found) -> str:
    """For messages and for the ending, on one line; the folders would only lengthen it."""
    return Path(found.shown).name or found.shown


_OUTCOME_BY_CODE: Final = {
    "unsupported": FileOutcome.UNSUPPORTED,
    "empty": FileOutcome.EMPTY,
    "binary": FileOutcome.BINARY,
}


def _unread(error: ExtractionError) -> _UnreadError:
    return _UnreadError(_OUTCOME_BY_CODE.get(error.code, FileOutcome.FAILED), str(error))


def _flags(*names: str) -> int:
    return os.O_RDONLY | sum(getattr(os, name, 0) for name in names)


# Never wait for a writer (a pipe may have taken the file's place), never follow a link that took it.
_FILE_FLAGS: Final = _flags("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY")
_FOLDER_FLAGS: Final = _flags("O_PATH", "O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC")
# Without O_PATH a folder that may be passed through but not listed could not be opened.
_BY_FOLDERS: Final = os.open in os.supports_dir_fd and hasattr(os, "O_PATH")
_SWAPPED: Final = "a folder on its way became a link while the run went on"


def _read(path: str, max_bytes: int) -> bytes:
    """The file's bytes, at most ``max_bytes``; the file may change while this looks at it.

    Raises:
        _UnreadError: ``unreadable``, ``not-a-file``, ``outside-root`` or ``too-large``.
    """
    try:
        descriptor = _open_by_folders(path) if _BY_FOLDERS else _open_by_name(path)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise _UnreadError(FileOutcome.NOT_A_FILE, "only regular files are read")
            data = b"" if status.st_size > max_bytes else file.read(max_bytes + 1)
    except OSError as error:
        raise _UnreadError(
            FileOutcome.UNREADABLE, f"it cannot be read ({error.strerror or type_name(error)})"
        ) from error
    if status.st_size > max_bytes or len(data) > max_bytes:
        size = max(status.st_size, len(data))
        raise _UnreadError(FileOutcome.TOO_LARGE, f"it has {size:,} bytes, more than the {max_bytes:,} a file may have")
    return data


def _open_by_folders(path: str) -> int:
    """Open ``path`` folder by folder and follow no link, so that it does not matter what is swapped, or when."""
    anchor, *folders, name = Path(path).parts
    folder = os.open(anchor, _FOLDER_FLAGS)
    try:
        for part in folders:
            below = _open_folder(part, folder)
            os.close(folder)
            folder = below
        return os.open(name, _FILE_FLAGS, dir_fd=folder)
    finally:
        os.close(folder)


def _open_folder(name: str, folder: int) -> int:
    try:
        return os.open(name, _FOLDER_FLAGS, dir_fd=folder)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENOTDIR}:
            raise _UnreadError(FileOutcome.OUTSIDE_ROOT, _SWAPPED) from error
        raise


def _open_by_name(path: str) -> int:
    """Open ``path`` where folders cannot be opened one by one, and see that it is still what stands there."""
    descriptor = os.open(path, _FILE_FLAGS)
    try:
        _refuse_swapped(path, descriptor)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _refuse_swapped(path: str, descriptor: int) -> None:
    real = Path(os.path.realpath(path)) == Path(path)
    # The link may have been there while the file was opened and be gone by now.
    if not real or not os.path.samestat(os.fstat(descriptor), os.lstat(path)):
        raise _UnreadError(FileOutcome.OUTSIDE_ROOT, _SWAPPED)
