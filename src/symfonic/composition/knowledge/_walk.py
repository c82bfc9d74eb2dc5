"""Which files a run is about: folders walked in a fixed order, everything else named.

Rules of this module: it looks at names and at what they stand for, and reads no content. Nothing it meets is an error;
what is not a readable file gets a named outcome.

* Order is that of the names' bytes, folder by folder; symbolic links of a folder come after its files.
* Names that begin with a dot are counted once and not walked, except where the operator named them.
* A file is reached under its real name only. A symbolic link never leads out of the ingest root (whoever may write into
  a folder of documents could link a secret into it), and one that stays inside names a file which the walk reaches
  anyway. A link the operator names as PATH is followed: it is the operator's word.
* A folder PATH is its own ingest root; a file PATH has its parent as root.

A file has three names:

* its *origin* percent-encodes ``%``, control characters and bytes that are no UTF-8, so that every name can be stored
  and no two share an origin;
* its *file*, with which labels begin, is the raw name: nothing is made to look harmless here, because a doctored name
  must reach the boundary as it is, which replaces what is unsafe visibly and adds a hash. Only what no store can hold
  (bytes that are no UTF-8) is moved to a private-use character, one for each, which the boundary never shows; no two
  names a file system can hold share one;
* what a person is *shown* is one line of valid Unicode, control and bidirectional formatting characters
  percent-encoded. It is an account for people and identifies nothing.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote_to_bytes

from .errors import type_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["FileOutcome", "Found", "Walk", "file_name", "is_gone", "is_under", "origin_of", "shown_name", "walk"]


class FileOutcome(StrEnum):
    """What became of one file, folder or PATH."""

    INGESTED = "ingested"
    REPLACED = "replaced"
    UNCHANGED = "unchanged"
    PRUNED = "pruned"
    UNSUPPORTED = "unsupported"
    EMPTY = "empty"
    BINARY = "binary"
    TOO_LARGE = "too-large"
    HIDDEN = "hidden"
    ALREADY_VISITED = "already-visited"
    OUTSIDE_ROOT = "outside-root"
    SYMLINK_LOOP = "symlink-loop"
    NOT_A_FILE = "not-a-file"
    MISSING = "missing"
    UNREADABLE = "unreadable"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One thing the walk came to.

    Attributes:
        path: Where it is, absolute and free of symbolic links.
        shown: What a person is shown: the PATH as given, then the way below it.
        file: The way from the ingest root, with ``/``; the raw name, made storable.
        origin: The identity of what it holds; ``""`` where that is its path.
        outcome: ``None`` for a file to be read; otherwise why it is not.
        reason: One sentence for people where there is an outcome.
    """

    path: str
    shown: str
    file: str
    origin: str = ""
    outcome: FileOutcome | None = None
    reason: str = ""

    @property
    def identity(self) -> str:
        """Under which it is stored."""
        return self.origin or origin_of(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """All that was found.

    Attributes:
        found: In walking order.
        folders: The real paths of the folders given as PATH.
        gone: The paths given as PATH where nothing is any more, although their folder is there.
    """

    found: tuple[Found, ...]
    folders: tuple[str, ...]
    gone: tuple[str, ...] = ()


def walk(paths: Iterable[str | os.PathLike[str]] | os.PathLike[str]) -> Walk:
    """Find every file below ``paths``; a file that several of them lead to counts for the first."""
    walker = _Walker()
    if isinstance(paths, str | os.PathLike):
        paths = [paths]  # a single PATH, which as a str would be taken for a list of letters
    found = [item for path in paths for item in walker.visit(os.fspath(path))]
    return Walk(found=tuple(found), folders=tuple(walker.folders), gone=tuple(walker.gone))


# ------------------------------------------------------------------------------------------------------------ names

_UNSTORABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f%\ud800-\udfff]")
_UNSHOWABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_UNDECODABLE: Final = re.compile(r"[\ud800-\udfff]")


def origin_of(path: str) -> str:
    """The identity of the file at an absolute ``path``: its POSIX form, percent-encoded where it must be."""
    return _UNSTORABLE.sub(_percent, _same_anywhere(Path(path).as_posix()))


def _same_anywhere(name: str) -> str:
    """``name`` by its bytes, read as UTF-8: what a locale reads into them must make no second document of a file."""
    try:
        return os.fsencode(name).decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a name no file can have in this locale
        return name


# U+10F000 to U+10F7FF, one for each surrogate; Python writes an undecodable byte as one of those.
_FIRST_STAND_IN: Final = 0x10F000
_NO_TEXT: Final = re.compile("[\ud800-\udfff\U0010f000-\U0010f7ff]")


def file_name(name: str) -> str:
    """``name`` as it can be stored: what is no text is moved to a private-use character, all else stays."""
    return _NO_TEXT.sub(_stand_in, _same_anywhere(name))


def _stand_in(found: re.Match[str]) -> str:
    # A stand-in that really stands in a name is written as the stand-ins of its two UTF-16 halves: no name holds both
    # halves as such, so it collides with none.
    halves = found[0].encode("utf-16-be", "surrogatepass")
    units = (int.from_bytes(halves[at : at + 2], "big") for at in range(0, len(halves), 2))
    return "".join(chr(_FIRST_STAND_IN + unit - 0xD800) for unit in units)


def shown_name(name: str) -> str:
    """``name`` as a person is shown it: one line, valid Unicode."""
    if _UNDECODABLE.search(name):
        name = name.replace("%", "%25")
    return _UNSHOWABLE.sub(_percent, name)


def _percent(found: re.Match[str]) -> str:
    raw = found[0].encode("utf-8", "surrogateescape") if "\udc80" <= found[0] <= "\udcff" else None
    return "".join(f"%{byte:02X}" for byte in raw or found[0].encode("utf-8", "surrogatepass"))


def is_under(origin: str, folder: str) -> bool:
    """Whether a file's origin lies below the folder at ``folder``, part by part."""
    return origin.startswith(origin_of(folder).rstrip("/") + "/")


def is_gone(origin: str) -> bool:
    """Whether no regular file is at ``origin`` any more; ``False`` where that cannot be found out."""
    path = os.fsdecode(unquote_to_bytes(origin))
    try:
        real = os.path.realpath(path, strict=True)
        return Path(real) != Path(path) or not stat.S_ISREG(Path(real).stat().st_mode)
    except OSError as error:
        return error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}


def _where_it_was(given: str, error: Exception) -> list[str]:
    """The absolute path of a PATH that is gone from a folder that exists; none where that cannot be told."""
    if not isinstance(error, FileNotFoundError):
        return []
    folder, name = os.path.split(given.rstrip("/"))
    try:
        return [str(Path(os.path.realpath(folder or ".", strict=True)) / name)] if name else []
    except OSError:
        return []


# ------------------------------------------------------------------------------------------------------------- walk


class _Walker:
    """Remembers which real files and folders were reached."""

    def __init__(self) -> None:
        self.folders: list[str] = []
        self.gone: list[str] = []
        self._seen: set[str] = set()

    def visit(self, given: str) -> Iterator[Found]:
        """Everything one PATH leads to."""
        try:
            real = os.path.realpath(given, strict=True)
            mode = Path(real).stat().st_mode
        except (OSError, ValueError) as error:
            self.gone += _where_it_was(given, error)
            yield _refused(given, given, Path(given).name, *_why_unreachable(error))
            return
        if stat.S_ISDIR(mode):
            self.folders.append(real)
            yield from self._visit_folder(_Root(given=given, real=real))
        else:
            yield self._leaf(real, given, Path(given).name or given, mode)

    def _visit_folder(self, root: _Root) -> Iterator[Found]:
        """Every entry below a root, without recursion: how deep a tree is must not matter."""
        pending = [root.real]
        while pending:
            folder = pending.pop()
            try:
                with os.scandir(folder) as entries:
                    listed = sorted(entries, key=lambda entry: os.fsencode(entry.name))
            except OSError as error:
                yield root.refused(folder, FileOutcome.UNREADABLE, f"the folder cannot be listed ({_words(error)})")
                continue
            walked = [not _is_hidden(entry.name) and _is_folder(entry) for entry in listed]
            yield from self._visit_entries(root, [e for e, below in zip(listed, walked, strict=True) if not below])
            pending += [e.path for e, below in zip(listed, walked, strict=True) if below][::-1]

    def _visit_entries(self, root: _Root, entries: list[os.DirEntry[str]]) -> Iterator[Found]:
        links: list[str] = []
        for entry in entries:
            if _is_hidden(entry.name):
                yield root.refused(entry.path, FileOutcome.HIDDEN, "names that begin with a dot are not walked")
            elif entry.is_symlink():
                links.append(entry.path)
            else:
                yield self._entry(root, entry.path)
        for link in links:
            yield _link(root, link)

    def _entry(self, root: _Root, path: str) -> Found:
        try:
            mode = os.lstat(path).st_mode
        except OSError as error:
            return root.refused(path, FileOutcome.UNREADABLE, _words(error))
        return self._leaf(path, root.shown(path), root.file(path), mode)

    def _leaf(self, path: str, shown: str, file: str, mode: int) -> Found:
        if not stat.S_ISREG(mode):
            return _refused(path, shown, file, FileOutcome.NOT_A_FILE, "only regular files are read")
        if path in self._seen:
            return _refused(path, shown, file, FileOutcome.ALREADY_VISITED, "this run has come to this file before")
        self._seen.add(path)
        return Found(path=path, shown=shown_name(shown), file=file_name(file))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Root:
    """An ingest root: as it was given, and where it really is."""

    given: str
    real: str

    def file(self, path: str) -> str:
        return Path(path).relative_to(self.real).as_posix()

    def shown(self, path: str) -> str:
        return str(Path(self.given) / Path(path).relative_to(self.real))

    def refused(self, path: str, outcome: FileOutcome, reason: str) -> Found:
        return _refused(path, self.shown(path), self.file(path), outcome, reason)


def _refused(path: str, shown: str, file: str, outcome: FileOutcome, reason: str) -> Found:
    return Found(path=path, shown=shown_name(shown), file=file_name(file), outcome=outcome, reason=reason)


def _link(root: _Root, path: str) -> Found:
    """What a symbolic link below a root amounts to."""
    try:
        target = os.path.realpath(path)
        if not _is_within(target, root.real):
            return root.refused(path, FileOutcome.OUTSIDE_ROOT, "the link leads out of the ingest root")
        if _is_within(path, target) and target != path:
            return root.refused(path, FileOutcome.SYMLINK_LOOP, "the link leads back to a folder it lies in")
        Path(path).stat()
    except OSError as error:
        outcome, reason = _why_unreachable(error)
        if outcome is FileOutcome.MISSING:
            outcome, reason = FileOutcome.UNREADABLE, "the link leads to nothing"
        return root.refused(path, outcome, reason)
    hidden = any(_is_hidden(part) for part in Path(target).relative_to(root.real).parts)
    if hidden:
        return root.refused(path, FileOutcome.HIDDEN, "the link leads to a name that begins with a dot")
    return root.refused(path, FileOutcome.ALREADY_VISITED, "the link leads to what is read under its own name")


def _is_within(path: str, folder: str) -> bool:
    return Path(path).is_relative_to(folder)


def _is_hidden(name: str) -> bool:
    return name.startswith(".")


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:  # pragma: no cover - only where the file system vanishes between two calls
        return False


def _why_unreachable(error: OSError | ValueError) -> tuple[FileOutcome, str]:
    number = error.errno if isinstance(error, OSError) else None
    if number in {errno.ENOENT, errno.ENOTDIR}:
        return FileOutcome.MISSING, "there is nothing at this path; check its spelling"
    if number == errno.ELOOP:
        return FileOutcome.SYMLINK_LOOP, "symbolic links lead round in a circle"
    return FileOutcome.UNREADABLE, _words(error)


def _words(error: OSError | ValueError) -> str:
    """The system's words without the path, which is shown beside them; the kind of the error where it has none."""
    return (error.strerror if isinstance(error, OSError) else None) or type_name(error)
