"""Who is signed in: sessions of browsers, kept on the server.

Rules of this module: a session is a random id that the browser keeps in a cookie no script can read; of the id only a
digest is kept here, and of the token nothing. A session names a key, and the key is looked up for every request: one
that was revoked, or expired, ends its sessions at once. Sessions end by themselves, are bounded in number, and none
outlives the process.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from symfonic.composition.knowledge import AccessKey, AccessKeys

SIGN_IN_PATH: Final = "/inspector/sign-in"

COOKIE: Final = "symfonic_session"

SESSION_SECONDS: Final = 8 * 3600.0
"""How long a session lasts, however busy it is: a working day."""

_ID_BYTES: Final = 32
_MOST_SESSIONS: Final = 1_000


class Sessions:
    """Sessions of one service. Threads may share it.

    Args:
        access: The service's keys; ``None`` where it asks for none, and then nobody signs in.
        seconds: How long one lasts.
        clock: Seconds, never going back.
        random_bytes: So many random bytes.
        wall: Seconds since the epoch, to tell whether a key expired.
    """

    def __init__(
        self,
        access: AccessKeys | None,
        *,
        seconds: float = SESSION_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._access = access
        self._seconds = seconds
        self._clock = clock
        self._random_bytes = random_bytes
        self._wall = wall
        self._kept: OrderedDict[bytes, tuple[str, float]] = OrderedDict()
        self._alone = threading.Lock()

    @property
    def path(self) -> str:
        """Where people sign in."""
        return SIGN_IN_PATH

    @property
    def required(self) -> bool:
        """Whether the service asks for tokens at all."""
        return self._access is not None

    def begin(self, token: str) -> str | None:
        """Begin a session with a token and return the id for the cookie; ``None`` where the token is nobody's.

        Raises:
            AccessFileError: Keys cannot be checked.
        """
        key = None if self._access is None else self._access.verify(token)
        if key is None:
            return None
        session = self._random_bytes(_ID_BYTES).hex()
        with self._alone:
            self._kept[_digest(session)] = (key.id, self._clock() + self._seconds)
            self._forget_old()
        return session

    def key_of(self, cookies: Mapping[str, str]) -> AccessKey | None:
        """Whose session the cookies name, looked up now; ``None`` for nobody's.

        Raises:
            AccessFileError: Keys cannot be checked.
        """
        if self._access is None or not (session := cookies.get(COOKIE, "")):
            return None
        digest = _digest(session)
        with self._alone:
            key_id, end = self._kept.get(digest, ("", 0.0))
            if self._clock() >= end:
                self._kept.pop(digest, None)
                return None
        key = next((one for one in self._access.listed() if one.id == key_id), None)
        if key is None or (key.expires is not None and self._wall() >= key.expires):
            self.end(session)
            return None
        return key

    def end(self, session: str) -> None:
        """End a session; one that is none changes nothing."""
        with self._alone:
            self._kept.pop(_digest(session), None)

    def _forget_old(self) -> None:
        now = self._clock()
        for digest in [digest for digest, (_, end) in self._kept.items() if end <= now]:
            del self._kept[digest]
        while len(self._kept) > _MOST_SESSIONS:
            self._kept.popitem(last=False)


def _digest(session: str) -> bytes:
    return hashlib.sha256(session.encode("utf-8", "surrogateescape")).digest()
