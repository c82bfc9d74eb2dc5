"""Files that only their owner may read, and that appear complete or not at all.

Rules of this module: it writes bytes beside their place and says when they are ready; whether they then take a name
that is free or replace what has it is the caller's to say. Those that change one file take turns by a lock on another
beside it, which stays. Its errors are those of the system, for the caller to explain.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LOOK: Final = 0.01
"""Seconds between looks at a lock that somebody holds."""


@contextlib.contextmanager
def written_beside(path: Path, data: bytes) -> Iterator[Path]:
    """A private file with the data in it, on the disk, beside ``path``; it is gone afterwards unless it was renamed.

    Raises:
        OSError: It could not be written.
    """
    ready = path.with_name(f"{path.name}.{secrets.token_hex(8)}.new")
    handle = os.open(ready, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with open(handle, "wb") as file:  # noqa: PTH123 - a handle has no path
            os.fchmod(handle, 0o600)  # whatever the umask made of it
            file.write(data)
            file.flush()
            os.fsync(handle)
        yield ready
        _flush_folder(path.parent)
    finally:
        ready.unlink(missing_ok=True)


@contextlib.contextmanager
def locked_beside(path: Path, *, seconds: float) -> Iterator[None]:
    """Nobody else who asks is in this block for the same ``path``, in this process or another.

    Raises:
        TimeoutError: Others did not come to an end in time.
        OSError: There could be no lock.
    """
    import fcntl

    until = time.monotonic() + seconds
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW  # a link there is somebody else's doing
    handle = os.open(path.with_name(f"{path.name}.lock"), flags, 0o600)
    try:
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= until:
                    raise TimeoutError from None
                time.sleep(_LOOK)
        yield
    finally:
        os.close(handle)  # which gives the lock back


def _flush_folder(folder: Path) -> None:
    """Make a new name in ``folder`` last through a power cut."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
