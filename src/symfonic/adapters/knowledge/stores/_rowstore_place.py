"""Where a store of rows lies on this machine, and who changes it: a folder and a file that one holds at a time.

Rules of this module: it knows no engine. The lock is the operating system's, so that it is free again when a process
ends, however it ends; processes of one machine take turns by it, and threads of one process by a lock of their own.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from symfonic.adapters.knowledge.ports import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

try:
    import fcntl
except ImportError:  # pragma: no cover - there are none on Windows
    fcntl = None  # type: ignore[assignment]

_LOOK: Final = 0.01
"""Seconds between two looks at a lock that another process holds."""


def local_path(url: str, scheme: str) -> tuple[Path, str]:
    """The folder a URL names, and its query.

    Raises:
        StoreError: It is no such URL.
    """
    parts = urlsplit(url)
    if parts.scheme != scheme or parts.netloc or not parts.path.startswith("/") or parts.path == "/" or parts.fragment:
        raise StoreError(
            f"a URL of this store is {scheme}:///absolute/folder, with options in its query; another one was given and "
            "nothing was opened; correct it"
        )
    return Path(unquote(parts.path)), parts.query


def folder_bytes(folder: Path) -> int:
    """What the files below a folder take."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):  # it went meanwhile
                total += os.stat(os.path.join(place, name)).st_size  # noqa: PTH116, PTH118 - thousands of them
    return total


class Turns:
    """One that changes at a time: among threads, and among processes where there is a file to lock.

    Args:
        file: What processes lock; ``None`` where the store is on a server.
        timeout: How long a change waits for its turn, in seconds.
    """

    def __init__(self, file: Path | None, timeout: float) -> None:
        self._file = file
        self._timeout = timeout
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Nobody else inside.

        Raises:
            StoreError: Others took too long.
        """
        until = time.monotonic() + self._timeout
        if not self._lock.acquire(timeout=self._timeout):
            raise self._late()
        try:
            with self._locked(until):
                yield
        finally:
            self._lock.release()

    def _late(self) -> StoreError:
        return StoreError(
            "whoever changes a store, or reads what others go on changing, waits for a turn; others took longer than "
            f"{self._timeout:g} seconds and nothing was done; try again, or open the store with a longer lock_timeout"
        )

    @contextlib.contextmanager
    def _locked(self, until: float) -> Iterator[None]:
        if self._file is None or fcntl is None:
            yield
            return
        try:
            handle = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise StoreError(
                f"whoever changes a store locks a file in its folder; it could not be opened ({error.strerror}) and "
                "nothing was done; make the folder writable"
            ) from error
        try:
            self._take(handle, until)
            yield
        finally:
            os.close(handle)  # which gives the lock back

    def _take(self, handle: Any, until: float) -> None:
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= until:
                    raise self._late() from None
                time.sleep(_LOOK)
            except OSError as error:
                raise StoreError(
                    "whoever changes a store locks a file in its folder; this file system locks none "
                    f"({error.strerror}) and nothing was done; move the folder to a disk of this machine"
                ) from error
            else:
                return
