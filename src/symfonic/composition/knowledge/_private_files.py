"""Files that only their owner may read, and that appear complete or not at all.

Rules of this module: it writes bytes beside their place and says when they are ready; whether they then take a name
that is free or replace what has it is the caller's to say. Its errors are those of the system, for the
caller to explain.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


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


def _flush_folder(folder: Path) -> None:
    """Make a new name in ``folder`` last through a power cut."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
