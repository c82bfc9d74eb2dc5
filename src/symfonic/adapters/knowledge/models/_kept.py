"""The client of a model's library, made once for each process.

Rules of this module: it knows no library. Making a client reads every certificate this machine trusts, which takes 20
ms and memory that is slow to come back, so it is not done for every answer. A client that was copied into a child
process shares its connections with the parent, so the child makes its own.
"""

from __future__ import annotations

import contextlib
import os
import threading
import weakref
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

CLOSING: Final = {"Connection": "close"}
"""Sent with every request: a connection that idles may be gone when it is wanted, and no answer is asked for twice."""


class KeptClient:
    """Makes a client when it is first wanted, and closes it when nobody wants it any more.

    Args:
        make: Makes one; what it raises is raised.
    """

    __slots__ = ("__weakref__", "_kept", "_make", "_making")

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._making = threading.Lock()
        self._kept: tuple[int, Any] | None = None

    def get(self) -> Any:
        """The client of this process."""
        with self._making:
            if self._kept is None or self._kept[0] != os.getpid():
                self._kept = (os.getpid(), self._make())
                weakref.finalize(self, _close, *self._kept)
            return self._kept[1]


def _close(process: int, client: Any) -> None:
    if process == os.getpid():
        with contextlib.suppress(Exception):
            client.close()
