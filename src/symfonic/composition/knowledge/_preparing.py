"""From a file to passages: read, detect, extract, cut.

Rules of this module: it decides what becomes of one file up to the point where it can be stored, and asks the store
only what it holds. Nothing of it depends on other files, so it may run ahead of what is stored.

A document's digest covers its bytes and whatever else decides its passages: file label, format, sizes, the version of
cutting and of the extractor. Equal digest, nothing to do, and the file is not even extracted.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import Chunk, Document, ExtractionError

from ._ingest_report import IngestItem
from ._walk import FileOutcome, Found, origin_of
from .chunking import CHUNKING_VERSION, Chunking, ChunkPolicy, chunk_extraction
from .errors import type_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from symfonic.adapters.knowledge.ports import Extractor, KnowledgeStore

_ITEM_SIZE: Final = 200
"""What anything that is handed on weighs besides its text, and each passage besides its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What is to be done about one file.

    Attributes:
        item: What is reported of it once that is done.
        document: What is to be stored; ``None`` where nothing is.
        chunks: Its passages.
        vectors: One for each passage, where the store keeps some.
    """

    item: IngestItem
    document: Document | None = None
    chunks: Sequence[Chunk] = ()
    vectors: Sequence[Sequence[float]] | None = None

    @property
    def size(self) -> int:
        """Characters of its passages, with something added for each."""
        return _ITEM_SIZE + sum(len(chunk.text) + _ITEM_SIZE for chunk in self.chunks)

    def embedded(self, vectors: Sequence[Sequence[float]]) -> Prepared:
        """The same file with a vector for each passage."""
        return replace(self, vectors=vectors)

    def failed(self, outcome: FileOutcome, reason: str) -> Prepared:
        """The same file where nothing of it is stored after all."""
        return Prepared(item=replace(self.item, outcome=outcome, reason=reason, chunks=0, oversized_units=0))


class Preparer:
    """Prepares the files of one run.

    Args:
        store: Is asked whether it holds a document already.
        scope_path: Scope everything is stored under.
        policy: Sizes of passages.
        extractors: By format.
        max_file_bytes: Larger files are not read.
    """

    def __init__(
        self,
        store: KnowledgeStore,
        *,
        scope_path: str,
        policy: ChunkPolicy,
        extractors: Mapping[str, Extractor],
        max_file_bytes: int,
    ) -> None:
        self._store = store
        self.scope_path = scope_path
        self._policy = policy
        self._extractors = extractors
        self._max_file_bytes = max_file_bytes

    def prepare(self, found: Found) -> Prepared:
        """Read one file and cut it, unless the store holds it already."""
        item = IngestItem(path=found.shown, file=found.file, outcome=found.outcome or FileOutcome.FAILED)
        if found.outcome is not None:
            return Prepared(item=replace(item, reason=found.reason))
        try:
            return self._prepared(found, item)
        except _UnreadError as error:
            reason = self.noted(str(error), origin_of(found.path))
            return Prepared(item=replace(item, outcome=error.outcome, reason=reason))

    def noted(self, reason: str, origin: str) -> str:
        """A reason why a file is not stored, with a word on the version stored before where there is one."""
        if self._store.get(self.scope_path, origin) is None:
            return reason
        return f"{reason} (the version stored before stays until it is forgotten)"

    def _prepared(self, found: Found, item: IngestItem) -> Prepared:
        data = _read(found.path, self._max_file_bytes)
        kind, extractor = self._reader_for(data, found)
        document = Document(
            scope_path=self.scope_path,
            origin=origin_of(found.path),
            file=found.file,
            digest=self._digest(data, found.file, kind, extractor),
            kind=kind,
            size=len(data),
        )
        before = self._store.get(document.scope_path, document.origin)
        if before is not None and before.document.digest == document.digest:
            return Prepared(item=replace(item, outcome=FileOutcome.UNCHANGED))
        chunking = self._chunked(data, kind, extractor, found)
        chunks = chunking.visible
        done = replace(
            item,
            outcome=FileOutcome.INGESTED if before is None else FileOutcome.REPLACED,
            chunks=len(chunks),
            oversized_units=chunking.oversized_units,
        )
        return Prepared(item=done, document=document, chunks=chunks)

    def _reader_for(self, data: bytes, found: Found) -> tuple[str, Extractor]:
        from symfonic.adapters.knowledge.extractors.detection import detect_kind  # as in ingestion.py

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
        if not chunking.visible:
            raise _UnreadError(FileOutcome.EMPTY, f"{name} holds nothing that shows, so nothing of it can be found.")
        return chunking


class _UnreadError(Exception):
    """A file that yields no passages, with the outcome that says why."""

    def __init__(self, outcome: FileOutcome, reason: str) -> None:
        super().__init__(reason)
        self.outcome = outcome


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
