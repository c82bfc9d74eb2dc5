"""How a store in Chroma is opened: what may be chosen, what is refused, and what a URL says of it.

Rules of this module: values only; it imports no client.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypedDict
from urllib.parse import urlsplit

from symfonic.adapters.knowledge.ports import StoreError

from ._rowstore_options import paused, require_common
from ._rowstore_place import local_path
from ._url_options import options_of

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,61}[A-Za-z0-9]", re.ASCII)
URL_OPTIONS: Final[dict[str, Callable[[str], Any]]] = {
    "collection": str,
    "timeout": float,
    "lock_timeout": float,
    "attempts": int,
}
_PORTS: Final = {"http": 8000, "https": 443}


@dataclass(frozen=True, slots=True)
class Server:
    """Where Chroma is served."""

    host: str
    port: int
    tls: bool

    def __str__(self) -> str:
        return f"chroma+http{'s' if self.tls else ''}://{self.host}:{self.port}"


class Arguments(TypedDict, total=False):
    """What may be passed beside a URL; see ``ChromaStore`` for their meaning."""

    collection: str
    headers: Mapping[str, str] | None
    timeout: float
    lock_timeout: float
    attempts: int
    pause: Callable[[float], None]
    jitter: Callable[[], float] | None
    unique: Callable[[], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a store was opened with; see ``ChromaStore`` for their meaning.

    Raises:
        StoreError: One is not what it must be.
    """

    place: Path | Server
    collection: str
    create: bool
    headers: Mapping[str, str]
    timeout: float
    lock_timeout: float
    attempts: int
    pause: Callable[[float], None]
    jitter: Callable[[], float] | None
    unique: Callable[[], str]

    def __post_init__(self) -> None:
        name: object = self.collection
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise StoreError(
                "a collection is called by 3 to 63 letters of ASCII, digits, - and _, a letter or digit first and "
                "last; another name was given and nothing was opened; choose such a name"
            )
        require_common(self.create, self.attempts, timeout=self.timeout, lock_timeout=self.lock_timeout)

    def wait(self, attempt: int) -> None:
        """Wait before the next attempt."""
        paused(attempt, self.pause, self.jitter)


def placed(url: str) -> tuple[Path | Server, dict[str, Any]]:
    """Where a URL leads, and the options it has.

    Raises:
        StoreError: It is no URL of such a store; none of it is repeated, for it may hold a key.
    """
    scheme = url.partition(":")[0]
    if scheme not in ("chroma+http", "chroma+https"):
        folder, query = local_path(url, "chroma")
        return folder, options_of(query, URL_OPTIONS)
    parts = urlsplit(url)
    tls = scheme == "chroma+https"
    collection = parts.path.strip("/")
    try:
        port = parts.port or _PORTS[scheme.removeprefix("chroma+")]
    except ValueError:
        port = 0
    if not parts.hostname or not port or "@" in parts.netloc or parts.fragment or "/" in collection:
        raise StoreError(
            "a URL of Chroma on a server is chroma+https://host:port/collection, and says no user and no password; "
            "another one was given and nothing was opened; correct it, and pass keys as headers"
        )
    given = options_of(parts.query, URL_OPTIONS)
    if collection and "collection" in given:
        raise StoreError(
            "a collection is named once, in the path of the URL or in its query; both name one and nothing was opened; "
            "leave one out"
        )
    return Server(parts.hostname, port, tls), {**given, **({"collection": collection} if collection else {})}
