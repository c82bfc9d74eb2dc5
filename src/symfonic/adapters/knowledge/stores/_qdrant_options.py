"""How a store in Qdrant is opened: what may be chosen, what is refused, and what a URL says of it.

Rules of this module: values only; it knows no server and imports no client.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypedDict
from urllib.parse import unquote, urlsplit

from symfonic.adapters.knowledge.ports import StoreError

from ._url_options import options_of

VectorSearch = Literal["exact", "hnsw"]
"""How near vectors are found: by reading all that are visible, or by the server's index that may miss some."""

_SCHEMES: Final = {"qdrant": "", "qdrant+http": "http", "qdrant+https": "https"}
_COLLECTION: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
_DEFAULT_COLLECTION: Final = "symfonic"
_MOST_SECONDS: Final = 86_400
_MOST_ATTEMPTS: Final = 100
_PORTS: Final = {"http": 6333, "https": 443}
URL_OPTIONS: Final[dict[str, Callable[[str], Any]]] = {
    "collection": str,
    "api_key": str,
    "index": str,
    "timeout": float,
    "attempts": int,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a store is: a server's address, or a folder, and the name its collections begin with.

    The key is in no message and no ``repr``.
    """

    collection: str
    address: str = ""
    folder: str = ""
    api_key: str = ""

    def __repr__(self) -> str:
        return repr(self.shown)

    @property
    def shown(self) -> str:
        """The place as a URL without a key."""
        if self.folder:
            return f"qdrant://{self.folder}?collection={self.collection}"
        return f"qdrant+{self.address}/{self.collection}"


class Arguments(TypedDict, total=False):
    """What may be passed beside a URL; see ``QdrantStore`` for their meaning."""

    api_key: str
    create: bool
    index: VectorSearch
    timeout: float
    attempts: int
    lease: float
    pause: Callable[[float], None]
    jitter: Callable[[], float] | None
    clock: Callable[[], float]
    token: Callable[[], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a store was opened with; see ``QdrantStore`` for their meaning.

    Raises:
        StoreError: One is not what it must be.
    """

    create: bool
    index: VectorSearch
    timeout: float
    attempts: int
    lease: float
    pause: Callable[[float], None]
    jitter: Callable[[], float] | None
    clock: Callable[[], float]
    token: Callable[[], str]

    def __post_init__(self) -> None:
        if type(self.create) is not bool:
            raise _refusal("create is True or False")
        if self.index not in ("exact", "hnsw"):
            raise _refusal("index is 'exact' or 'hnsw'")
        if type(self.attempts) is not int or not 1 <= self.attempts <= _MOST_ATTEMPTS:
            raise _refusal(f"attempts is a plain int from 1 to {_MOST_ATTEMPTS}")
        for name in ("timeout", "lease"):
            value = getattr(self, name)
            if type(value) not in (int, float) or not math.isfinite(value) or not 1 <= value <= _MOST_SECONDS:
                raise _refusal(f"{name} is a number of seconds from 1 to {_MOST_SECONDS:,}")


def _refusal(rule: str) -> StoreError:
    return StoreError(f"{rule}; something else was given and nothing was opened; pass one")


def placed(url: object) -> tuple[Place, dict[str, Any]]:
    """Where a URL says a store is, and the options that stood in its query.

    Raises:
        StoreError: It is no such URL, or an option in it cannot be read. What stands in it is not repeated.
    """
    if not isinstance(url, str) or url.partition("://")[0] not in _SCHEMES or "://" not in url:
        raise StoreError(
            "a store in Qdrant is named by qdrant+https://host:port/collection, qdrant+http:// or qdrant:///folder; "
            "something else was given and nothing was opened; pass such a URL"
        )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise StoreError(
            "a URL can be taken apart; this one cannot and nothing was opened; correct it, and write other characters "
            "in a key as %XX"
        ) from None
    options = options_of(parts.query, URL_OPTIONS)
    scheme = _SCHEMES[parts.scheme]
    key = str(options.pop("api_key", ""))
    if scheme:
        return _on_server(scheme, parts.hostname, port, parts.path, parts.username, options, key), options
    return _in_folder(parts.netloc, parts.path, options, key), options


def _on_server(
    scheme: str, host: str | None, port: int | None, path: str, user: str | None, options: dict[str, Any], key: str
) -> Place:
    prefix, _, collection = path.strip("/").rpartition("/")
    named = options.pop("collection", "")
    if not host or prefix or user is not None or (named and collection):
        raise StoreError(
            "a server's store is qdrant+https://host:port/collection, its key in ?api_key= or in the environment; this "
            "URL says something else and nothing was opened; correct it"
        )
    shown = f"[{host}]" if ":" in host else host
    address = f"{scheme}://{shown}:{port or _PORTS[scheme]}"
    return Place(collection=_collection(collection or named), address=address, api_key=key)


def _in_folder(netloc: str, path: str, options: dict[str, Any], key: str) -> Place:
    folder = unquote(path)
    if netloc or folder in ("", "/") or "\0" in folder or key:
        raise StoreError(
            "a store in a folder is qdrant:///folder?collection=name, without host or key; this URL says something "
            "else and nothing was opened; correct it"
        )
    return Place(collection=_collection(options.pop("collection", "")), folder=folder)


def _collection(name: str) -> str:
    name = name or _DEFAULT_COLLECTION
    if not _COLLECTION.fullmatch(name):
        raise StoreError(
            "a collection is named by up to 100 letters, digits, _ . and -; another name was given and nothing was "
            "opened; choose such a name"
        )
    return name
