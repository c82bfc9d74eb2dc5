"""The memory of reads that need no hydration.

Rules of this module: it keeps reads and asks no source. It is keyed by source identity, capability, contribution id,
scope path and key fingerprint, all five.

Foreign code may run while it is changed: the finalizer of a source that is forgotten, or one that the garbage collector
finds meanwhile, in this very thread. So what is forgotten is let go of after the lock, and a call from inside changes
nothing at once: it would find the memory half changed, and waiting for itself it would wait for ever.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from .errors import PromptContractError

if TYPE_CHECKING:
    from .contracts import PromptContribution, PromptRead, PromptRequest, PromptSource

__all__ = ["ReadMemo"]


class _SameSource:
    """A source compared by identity, whatever equality it defines; the reference keeps it alive while it is a key."""

    __slots__ = ("source",)

    def __init__(self, source: PromptSource) -> None:
        self.source = source

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SameSource) and self.source is other.source

    def __hash__(self) -> int:
        return object.__hash__(self.source)


class _Key(NamedTuple):
    source: _SameSource
    capability: str
    contribution_id: str
    scope_path: str
    key_fingerprint: str


class _Wanted(NamedTuple):
    """What an invalidation forgets."""

    source: PromptSource | None
    capability: str | None
    contribution_id: str | None
    scope_path: str | None
    key_fingerprint: str | None

    def matches(self, key: _Key) -> bool:
        return (
            (self.source is None or key.source.source is self.source)
            and (self.capability is None or key.capability == self.capability)
            and (self.contribution_id is None or key.contribution_id == self.contribution_id)
            and (self.scope_path is None or key.scope_path == self.scope_path)
            and (self.key_fingerprint is None or key.key_fingerprint == self.key_fingerprint)
        )


class _Gate:
    """A lock that lets its own thread in again, and tells whether it was in already."""

    __slots__ = ("_depth", "_lock")

    def __init__(self) -> None:
        self._depth = 0
        self._lock = threading.RLock()

    def __enter__(self) -> bool:
        """Wait for other threads; whether this one was outside."""
        self._lock.acquire()
        self._depth += 1
        return self._depth == 1

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        self._lock.release()


class ReadMemo:
    """Reads that need no hydration, remembered; bounded, least recently used goes first, safe from several threads.

    Args:
        capacity: Entries kept; 0 remembers nothing.
        max_read_chars: Longest read kept, in characters of text and revision together, so that memory stays bounded
            whatever a source answers.

    Raises:
        PromptContractError: A bound that is negative or no plain ``int``.
    """

    __slots__ = ("_capacity", "_deferred", "_entries", "_gate", "_generation", "_max_read_chars")

    def __init__(self, capacity: int = 256, *, max_read_chars: int = 1_000_000) -> None:
        for name, value in (("capacity", capacity), ("max_read_chars", max_read_chars)):
            if type(value) is not int or value < 0:
                raise PromptContractError(
                    f"{name} must be a plain int of at least 0: the memory of reads has to be bounded. Give a number.",
                    rule="PR-HYD-MEMO-1",
                    value=value,
                )
        self._capacity = capacity
        self._max_read_chars = max_read_chars
        self._entries: OrderedDict[_Key, PromptRead] = OrderedDict()
        self._deferred: list[_Wanted] = []
        self._generation = 0
        self._gate = _Gate()

    def __len__(self) -> int:
        dropped: list[object] = []
        with self._gate as outside:
            if outside:
                self._catch_up(dropped)
            return len(self._entries)

    @property
    def generation(self) -> int:
        """Number of invalidations so far; take it before reading and hand it to :meth:`remember`."""
        with self._gate:
            return self._generation

    def recall(
        self, contribution: PromptContribution, request: PromptRequest, *, key_fingerprint: str = ""
    ) -> PromptRead | None:
        """Return what is remembered for exactly this source, declaration, scope path and key."""
        if contribution.requires_hydration:
            return None
        key = _key(contribution, request, key_fingerprint)
        dropped: list[object] = []
        with self._gate as outside:
            if not outside:
                return None
            self._catch_up(dropped)
            read = self._entries.get(key)
            if read is not None:
                self._entries.move_to_end(key)
            return read

    def remember(
        self,
        contribution: PromptContribution,
        request: PromptRequest,
        read: PromptRead,
        *,
        generation: int,
        key_fingerprint: str = "",
    ) -> None:
        """Keep a read, unless it must be read anew, is too long, or was begun before the last invalidation."""
        if contribution.requires_hydration or len(read.text) + len(read.revision) > self._max_read_chars:
            return
        key = _key(contribution, request, key_fingerprint)
        dropped: list[object] = []
        with self._gate as outside:
            if not outside or generation != self._generation:
                return
            self._catch_up(dropped)
            dropped.append(self._entries.pop(key, None))
            self._entries[key] = read
            while len(self._entries) > self._capacity:
                dropped.append(self._entries.popitem(last=False))

    def invalidate(
        self,
        *,
        source: PromptSource | None = None,
        capability: str | None = None,
        contribution_id: str | None = None,
        scope_path: str | None = None,
        key_fingerprint: str | None = None,
    ) -> int:
        """Forget what matches every given condition, or everything when none is given.

        A read that is under way while this runs is not remembered afterwards.

        Args:
            source: Reads of this very object.
            capability: Reads that this capability declared.
            contribution_id: Reads of this contribution.
            scope_path: Reads for exactly this scope path; ``""`` is the deployment's.
            key_fingerprint: Reads under this :attr:`RenderPolicy.key_fingerprint`; ``""`` is that of no key. A key that
                was rotated away is forgotten by it.

        Returns:
            How many entries were forgotten. A call from inside another one in the same thread, as a finalizer makes it,
            forgets at the next look into the memory and returns 0.
        """
        wanted = _Wanted(source, capability, contribution_id, scope_path, key_fingerprint)
        dropped: list[object] = []
        with self._gate as outside:
            self._generation += 1
            if not outside:
                self._deferred.append(wanted)
                return 0
            self._catch_up(dropped)
            return self._forget(wanted, dropped)

    def _catch_up(self, dropped: list[object]) -> None:
        while self._deferred:
            self._forget(self._deferred.pop(), dropped)

    def _forget(self, wanted: _Wanted, dropped: list[object]) -> int:
        """Move what matches to the list, which the caller lets go of after the lock."""
        doomed = [key for key in self._entries if wanted.matches(key)]
        dropped += [(key, self._entries.pop(key)) for key in doomed]
        return len(doomed)


def _key(contribution: PromptContribution, request: PromptRequest, key_fingerprint: str) -> _Key:
    return _Key(
        _SameSource(contribution.source),
        contribution.capability,
        contribution.contribution_id,
        request.scope_path,
        key_fingerprint,
    )
