"""How a store in PostgreSQL is opened: what may be chosen, what is refused, and what a URL says of it.

Rules of this module: values only; it knows no server and imports no client.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypedDict
from urllib.parse import SplitResult, unquote, urlsplit

from symfonic.adapters.knowledge.ports import StoreError

from ._pgvector_schema import require_schema
from ._url_options import flag, require_once, value_of

VectorSearch = Literal["exact", "hnsw"]
"""How near vectors are found: by reading all that are visible, or by an index that may miss some."""

_MOST_SECONDS: Final = 2_000_000
URL_OPTIONS: Final[dict[str, Callable[[str], Any]]] = {
    "schema": str,
    "index": str,
    "row_security": flag,
    "pool_size": int,
    "pool_timeout": float,
    "connect_timeout": float,
    "statement_timeout": float,
    "lock_timeout": float,
    "keepalive": int,
    "attempts": int,
}


class Arguments(TypedDict, total=False):
    """What may be passed beside a URL; see ``PgvectorStore`` for their meaning."""

    schema: str
    create: bool
    index: VectorSearch
    row_security: bool | None
    pool_size: int
    pool_timeout: float
    connect_timeout: float
    statement_timeout: float
    lock_timeout: float
    keepalive: int
    attempts: int
    pause: Callable[[float], None]
    jitter: Callable[[], float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a store was opened with; see ``PgvectorStore`` for their meaning.

    Raises:
        StoreError: One is not what it must be.
    """

    schema: str
    create: bool
    index: VectorSearch
    row_security: bool | None
    pool_size: int
    pool_timeout: float
    connect_timeout: float
    statement_timeout: float
    lock_timeout: float
    keepalive: int
    attempts: int
    pause: Callable[[float], None]
    jitter: Callable[[], float] | None

    def __post_init__(self) -> None:
        require_schema(self.schema)
        flags: tuple[object, ...] = (self.create, self.row_security is None or self.row_security)
        if any(type(flag) is not bool for flag in flags):
            raise _refusal("create is True or False, and row_security one of them or None")
        if self.index not in ("exact", "hnsw"):
            raise _refusal("index is 'exact' or 'hnsw'")
        for name in ("pool_size", "keepalive", "attempts"):
            value = getattr(self, name)
            if type(value) is not int or not 1 <= value <= _MOST_SECONDS:
                raise _refusal(f"{name} is a plain int of at least 1")
        for name in ("pool_timeout", "connect_timeout", "statement_timeout", "lock_timeout"):
            value = getattr(self, name)
            if type(value) not in (int, float) or not math.isfinite(value) or not 0 < value <= _MOST_SECONDS:
                raise _refusal(f"{name} is a number of seconds above 0 and up to {_MOST_SECONDS:,}")


def _refusal(rule: str) -> StoreError:
    return StoreError(f"{rule}; something else was given and nothing was opened; pass one")


def parted_url(url: object) -> tuple[str, dict[str, Any]]:
    """The URL as libpq takes it, and the options of the store that stood in its query.

    Raises:
        StoreError: It is no such URL, or an option in it cannot be read. What stands in it is not repeated.
    """
    if not isinstance(url, str) or not url.startswith(("postgresql://", "postgres://")):
        raise StoreError(
            "a store in PostgreSQL is named by a URL that begins with postgresql://; something else was given and "
            "nothing was opened; pass such a URL"
        )
    try:
        parts = urlsplit(url)
    except ValueError:
        raise _unreadable() from None
    # One of these that is not encoded, in a password perhaps: libpq takes what follows for the host, and may name it.
    if "#" in url or "@" in parts.path + parts.query or parts.netloc.count("@") > 1:
        raise _unreadable()
    options: dict[str, Any] = {}
    others = []
    names: list[str] = []
    # Not form data, where + is a space: libpq decodes %XX alone, so what is its own stays as it was written.
    for piece in parts.query.split("&") if parts.query else ():
        name, equals, value = piece.partition("=")
        if not equals:
            raise _unreadable()
        names.append(unquote(name))
        if names[-1] in URL_OPTIONS:
            options[names[-1]] = value_of(names[-1], unquote(value), URL_OPTIONS)
        else:
            others.append(piece)
    require_once(names)
    return _joined(parts, parts.netloc, "&".join(others)), options


def shown_url(url: str) -> str:
    """A URL without whom it lets in: scheme, host, port and database."""
    parts = urlsplit(url)
    return _joined(parts, parts.netloc.rpartition("@")[2], "")


def _joined(parts: SplitResult, netloc: str, query: str) -> str:
    """Written out here: ``urlunsplit`` leaves out the slashes before an empty host, which libpq takes for a socket."""
    return f"postgresql://{netloc}{parts.path}{f'?{query}' if query else ''}"


def _unreadable() -> StoreError:
    return StoreError(
        "a URL can be taken apart in one way, with one @ before the host and no #; this one cannot and nothing was "
        "opened; correct it, and write other characters in a password as %XX"
    )
