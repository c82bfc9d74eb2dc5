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
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import Chunk, Document, ExtractionError, Extractor

from ._ingest_report import IngestItem
from ._lanes import Begun
from ._walk import FileOutcome, Found
from .chunking import CHUNKING_VERSION, Chunking, ChunkPolicy, chunk_extraction
from .errors import type_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from symfonic.adapters.knowledge.ports import Extraction, KnowledgeStore

ITEM_SIZE: Final = 200
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
        return ITEM_SIZE + sum(len(chunk.text) + ITEM_SIZE for chunk in self.chunks)

    def embedded(self, vectors: Sequence[Sequence[float]]) -> Prepared:
        """The same file with a vector for each passage."""
        return replace(self, vectors=vectors)

    def failed(self, outcome: FileOutcome, reason: str) -> Prepared:
        """The same file where nothing of it is stored after all."""
        return Prepared(item=replace(self.item, outcome=outcome, reason=reason, chunks=0, oversized_units=0, hidden=()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A file that was read, and what will read its format.

    Attributes:
        found: The file.
        data: Its bytes.
        kind: Its format.
        extractor: For that format.
    """

    found: Found
    data: bytes
    kind: str
    extractor: Extractor

    @property
    def concurrent(self) -> bool:
        """Whether the extractor says that several threads may call it at once."""
        return bool(getattr(self.extractor, "concurrent", False))


class Reader:
    """Reads files and cuts them; it knows no store.

    Args:
        policy: Sizes of passages.
        extractors: By format.
        max_file_bytes: Larger files are not read.
    """

    def __init__(self, *, policy: ChunkPolicy, extractors: Mapping[str, Extractor], max_file_bytes: int) -> None:
        self.policy = policy
        self._extractors = extractors
        self._max_file_bytes = max_file_bytes

    def read(self, found: Found) -> Reading:
        """Read a file and see what it is.

        Raises:
            UnreadError: It cannot be read, or is nothing that an extractor is there for.
        """
        data = _read(found.path, self._max_file_bytes)
        name = _name_of(found)
        kind = self._kind_of(data, name)
        if kind not in self._extractors:
            raise UnreadError(FileOutcome.UNSUPPORTED, f"{name} is {kind}, for which no extractor is at hand")
        return Reading(found=found, data=data, kind=kind, extractor=self._extractors[kind])

    @staticmethod
    def _kind_of(data: bytes, name: str) -> str:
        from symfonic.adapters.knowledge.extractors.detection import detect_kind  # as in ingestion.py

        try:
            return detect_kind(name, data)
        except ExtractionError as error:
            raise _unread(error) from error
        except Exception as error:
            reason = (
                f"to see what it is failed ({type_name(error)}), so nothing of {name} is stored; repair or convert it"
            )
            raise UnreadError(FileOutcome.FAILED, reason) from error

    def cut(self, reading: Reading) -> tuple[Extraction, Chunking]:
        """Extract its text and cut that into passages.

        Raises:
            UnreadError: It yields none.
        """
        name, kind = _name_of(reading.found), reading.kind
        try:
            extraction = reading.extractor.extract(reading.data, name=name)
            chunking = chunk_extraction(extraction, file=reading.found.file, policy=self.policy)
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
            raise UnreadError(FileOutcome.FAILED, reason) from error
        if not chunking.visible:
            raise UnreadError(FileOutcome.EMPTY, f"{name} holds nothing that shows, so nothing of it can be found.")
        return extraction, chunking

    def let_go(self) -> None:
        """End what extractors are doing, where they can be told to: nobody waits for it any more."""
        for extractor in self._extractors.values():
            stop = getattr(extractor, "stop", None)
            if stop is not None:
                stop()


class Preparer:
    """Prepares the files of one run.

    Args:
        store: Is asked whether it holds a document already.
        scope_path: Scope everything is stored under.
        reader: Reads and cuts.
    """

    def __init__(self, store: KnowledgeStore, *, scope_path: str, reader: Reader) -> None:
        self._store = store
        self.scope_path = scope_path
        self._reader = reader

    def prepare(self, found: Found) -> Prepared:
        """Read one file and cut it, unless the store holds it already."""
        return self.begin(found).finish()

    def begin(self, found: Found) -> Begun[Prepared]:
        """Read one file, and leave it to be cut unless the store holds it already."""
        item = IngestItem(path=found.shown, file=found.file, outcome=found.outcome or FileOutcome.FAILED)
        if found.outcome is not None:
            return _done(Prepared(item=replace(item, reason=found.reason)))
        try:
            reading = self._reader.read(found)
        except UnreadError as error:
            return _done(self._unread(item, found, error))
        document = self._document(reading)
        before = self._store.get(document.scope_path, document.origin)
        if before is not None and before.document.digest == document.digest:
            return _done(Prepared(item=replace(item, outcome=FileOutcome.UNCHANGED)))
        item = replace(item, outcome=FileOutcome.INGESTED if before is None else FileOutcome.REPLACED)
        return Begun(
            finish=partial(self._cut, item, reading, document), apart=reading.concurrent, size=len(reading.data)
        )

    def noted(self, reason: str, origin: str) -> str:
        """A reason why a file is not stored, with a word on the version stored before where there is one."""
        if self._store.get(self.scope_path, origin) is None:
            return reason
        return f"{reason} (the version stored before stays until it is forgotten)"

    def _unread(self, item: IngestItem, found: Found, error: UnreadError) -> Prepared:
        reason = self.noted(str(error), found.identity)
        return Prepared(item=replace(item, outcome=error.outcome, reason=reason, limit=error.limit))

    def _cut(self, item: IngestItem, reading: Reading, document: Document) -> Prepared:
        try:
            extraction, chunking = self._reader.cut(reading)
        except UnreadError as error:
            return self._unread(item, reading.found, error)
        chunks = chunking.visible
        done = replace(item, chunks=len(chunks), oversized_units=chunking.oversized_units, hidden=extraction.hidden)
        return Prepared(item=done, document=document, chunks=chunks)

    def _document(self, reading: Reading) -> Document:
        return Document(
            scope_path=self.scope_path,
            origin=reading.found.identity,
            file=reading.found.file,
            digest=self._digest(reading),
            kind=reading.kind,
            size=len(reading.data),
        )

    def _digest(self, reading: Reading) -> str:
        policy = self._reader.policy
        version = str(getattr(reading.extractor, "version", ""))
        sizes = (str(policy.max_chars), str(policy.target_chars))
        settings = (reading.found.file, reading.kind, version, str(CHUNKING_VERSION), *sizes)
        digest = hashlib.sha256(b"symfonic-knowledge document 1\n")
        for field in (*(setting.encode() for setting in settings), reading.data):
            # The length first: no two different lists of fields are hashed alike.
            digest.update(len(field).to_bytes(8, "big"))
            digest.update(field)
        return digest.hexdigest()


def _done(prepared: Prepared) -> Begun[Prepared]:
    return Begun(finish=lambda: prepared)


class UnreadError(Exception):
    """A file that yields no passages, with the outcome that says why and the limit it exceeds, if that is why."""

    def __init__(self, outcome: FileOutcome, reason: str, limit: str = "") -> None:
        super().__init__(reason)
        self.outcome = outcome
        self.limit = limit


def _name_of(found: Found) -> str:
    """For messages and for the ending, on one line; the folders would only lengthen it."""
    return Path(found.shown).name or found.shown


_OUTCOME_BY_CODE: Final = {
    "unsupported": FileOutcome.UNSUPPORTED,
    "empty": FileOutcome.EMPTY,
    "binary": FileOutcome.BINARY,
}


def _unread(error: ExtractionError) -> UnreadError:
    return UnreadError(_OUTCOME_BY_CODE.get(error.code, FileOutcome.FAILED), str(error), error.limit)


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
        UnreadError: ``unreadable``, ``not-a-file``, ``outside-root`` or ``too-large``.
    """
    try:
        descriptor = _open_by_folders(path) if _BY_FOLDERS else _open_by_name(path)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise UnreadError(FileOutcome.NOT_A_FILE, "only regular files are read")
            # Nothing is read of what is too large, nor where it would have to wait.
            data = b"" if status.st_size > max_bytes else file.read(max_bytes + 1) or b""
    except OSError as error:
        raise UnreadError(
            FileOutcome.UNREADABLE, f"it cannot be read ({error.strerror or type_name(error)})"
        ) from error
    if status.st_size > max_bytes or len(data) > max_bytes:
        size = max(status.st_size, len(data))
        reason = (
            f"it has {size:,} bytes, more than the {max_bytes:,} a file may have; split it, or raise max_file_bytes"
        )
        raise UnreadError(FileOutcome.TOO_LARGE, reason, "file-bytes")
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
            raise UnreadError(FileOutcome.OUTSIDE_ROOT, _SWAPPED) from error
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
        raise UnreadError(FileOutcome.OUTSIDE_ROOT, _SWAPPED)
