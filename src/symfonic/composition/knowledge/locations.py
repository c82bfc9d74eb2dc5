"""Where a store is: a file of this machine, or what a client of an engine connects to.

Rules of this module: it names places and opens nothing. A secret inside an address is carried and never shown: the text
of a :class:`StoreUrl` is harmless, and whoever connects asks for its ``url``.

::

    knowledge.db, sqlite:///srv/knowledge.db       the embedded store
    postgresql://user@host/database                PostgreSQL with pgvector
    qdrant+https://host:6333/collection            a server of Qdrant; qdrant:///srv/folder for one on this machine
    chroma+https://host:8000/collection            a server of Chroma; chroma:///srv/folder for one on this machine
    lancedb:///srv/folder                          LanceDB on this machine
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from .errors import MissingExtraError, SettingsError, type_name

__all__ = ["ENGINES", "StoreUrl", "store_place"]

ENGINES: Final = {
    "postgresql": "pgvector",
    "postgres": "pgvector",
    "qdrant": "qdrant",
    "qdrant+http": "qdrant",
    "qdrant+https": "qdrant",
    "chroma": "chroma",
    "chroma+http": "chroma",
    "chroma+https": "chroma",
    "lancedb": "lancedb",
}
"""The engine behind each scheme of an address; its name is that of the extra that brings its client."""

_FILE_SCHEME: Final = "sqlite"
_MOST_CHARS: Final = 4_096
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*)://")
_NEARLY: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):")
_SECRET: Final = re.compile(r"pass|secret|token|key|credential", re.IGNORECASE)
_HIDDEN: Final = "***"
_PLACING: Final = frozenset({"schema", "collection", "table", "host", "port", "dbname"})
"""Options of an address that say where a store is, not how it is used."""

_DEFAULTS: Final = frozenset(
    {
        ("pgvector", "schema", "symfonic"),
        ("pgvector", "port", "5432"),
        ("qdrant", "collection", "symfonic"),
        ("chroma", "collection", "symfonic"),
        ("lancedb", "table", "symfonic"),
    }
)
"""What an engine takes where an address names none: written out it is the same place."""

_PORTS: Final = {"qdrant+https": 443, "chroma+https": 443}
_USUAL_PORTS: Final = {"pgvector": 5432, "qdrant": 6333, "chroma": 8000}
"""What an engine takes where neither the address nor its scheme says otherwise."""


@dataclass(frozen=True, slots=True)
class StoreUrl:
    """The address of a store that is no file. Its text is without passwords; two are equal where their addresses are.

    Args:
        url: As it was written, secrets included.

    Raises:
        SettingsError: It is no address of an engine that is known.
    """

    url: str = field(repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.url, str):
            raise SettingsError(
                f"a store's address is text, not {type_name(self.url)}; nothing could be connected to; pass a str"
            )
        scheme = _scheme_of(self.url)
        if scheme not in ENGINES:
            self._refuse_driver(scheme)
            known = ", ".join(f"{name}://" for name in sorted({*ENGINES, _FILE_SCHEME}))
            raise SettingsError(
                f"a store's address begins with what kind of store it is; {scheme!a} is none that is known and nothing "
                f"was opened; known: {known}, and the path of a file"
            )
        self._refuse_unreadable()

    @staticmethod
    def _refuse_driver(scheme: str) -> None:
        engine, plus, _ = scheme.partition("+")
        if plus and ENGINES.get(engine) == "pgvector":
            raise SettingsError(
                "the address of PostgreSQL is libpq's and names no driver; this one does, as SQLAlchemy's do, and "
                "nothing was opened; write postgresql:// in place of what stands before the host"
            )

    def _refuse_unreadable(self) -> None:
        sound = len(self.url) <= _MOST_CHARS and self.url.isprintable() and " " not in self.url
        try:
            parts = urlsplit(self.url)
            _ = parts.port
            # Not percent-encoded, a password with one of /?#@ ends the host in its middle, and what follows is shown.
            sound = sound and "#" not in self.url and "@" not in parts.path + parts.query
            sound = sound and parts.netloc.count("@") <= 1
        except ValueError:
            sound = False
        if not sound:
            raise SettingsError(
                f"a store's address is one word of at most {_MOST_CHARS} characters, such as "
                "postgresql://user@host:5432/database; this one is not, and nothing was opened; write it anew, with "
                "what is no plain letter in it percent-encoded"
            )

    @property
    def scheme(self) -> str:
        """What stands before ``://``, in lower case."""
        return _scheme_of(self.url)

    @property
    def engine(self) -> str:
        """The engine, by the name of the extra that brings its client."""
        return ENGINES[self.scheme]

    @property
    def identity(self) -> str:
        """16 hex digits that tell this place from others, whoever connects to it and with whatever options.

        Case of the host, the ways to write an IP address, and defaults that are written out change nothing. Another
        name of the same host does: which names lead to one machine only that network knows.
        """
        parts = urlsplit(self.url)
        usual = _USUAL_PORTS.get(self.engine)
        port = parts.port or _PORTS.get(self.scheme, usual)
        path = unquote(parts.path).rstrip("/")
        asked = dict(pair for pair in parse_qsl(parts.query) if pair[0] in _PLACING)
        if parts.hostname and self.engine in ("qdrant", "chroma"):  # the collection stands in the path, or there
            path = path or f"/{asked.pop('collection', 'symfonic')}"
        named = sorted(pair for pair in asked.items() if (self.engine, *pair) not in _DEFAULTS)
        host = _plain_host(parts.hostname or "")
        place = f"{self.engine}\n{host}\n{'' if port == usual else port}\n{path}\n{named or ''}"
        return hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def is_named_in(self, message: str) -> bool:
        """Whether a message names this place already."""
        parts = urlsplit(self.url)
        return f"//{parts.netloc.rpartition('@')[2]}{parts.path}" in message

    def __str__(self) -> str:
        """The address without its secrets."""
        parts = urlsplit(self.url)
        user, at, host = parts.netloc.rpartition("@")
        name, colon, _ = user.partition(":")
        shown = f"{name}{f':{_HIDDEN}' if colon else ''}{at}{host}"
        asked = [(key, _HIDDEN if _SECRET.search(key) else value) for key, value in parse_qsl(parts.query)]
        query = f"?{urlencode(asked, safe='*/:', quote_via=quote)}" if asked else ""
        return f"{self.scheme}://{shown}{parts.path}{query}"

    def __repr__(self) -> str:
        return f"StoreUrl({str(self)!r})"


def store_place(value: object) -> Path | StoreUrl:
    """A store's place as it was written: the path of a file, or an address.

    Raises:
        SettingsError: It is neither.
    """
    if isinstance(value, StoreUrl):
        return value
    if not isinstance(value, str | Path) or not str(value) or "\0" in str(value):
        raise SettingsError(
            f"store must be the path of a file or an address, not {_shown(value)}; nothing could be kept there; "
            "name one"
        )
    if isinstance(value, Path):
        return value
    if not _scheme_of(value):
        _refuse_nearly_address(value)
        return Path(value)
    return _file_of(value) if _scheme_of(value) == _FILE_SCHEME else StoreUrl(value)


def user_data_folder() -> Path:
    """The folder for what this product keeps of a user; it need not be there.

    Raises:
        MissingExtraError: platformdirs, which knows it, is not installed.
    """
    try:
        from platformdirs import user_data_path
    except ImportError as error:
        raise MissingExtraError(
            "what nobody names a path for is kept in the user's data folder; platformdirs knows it and is not "
            "installed; pass a path for the store, and a key_file for a store that is no file, or install "
            "symfonic-knowledge[cli]"
        ) from error
    return user_data_path("symfonic-knowledge", appauthor=False)


def _file_of(url: str) -> Path:
    parts = urlsplit(url)
    path = unquote(parts.path)
    if parts.netloc or parts.query or parts.fragment or not path.strip("/") or "\0" in path:
        raise SettingsError(
            "the address of a file is sqlite:// and its path from the root, such as sqlite:///srv/knowledge.db; this "
            "one is not, and nothing was opened; correct it, or give the path alone"
        )
    return Path(path)


def _refuse_nearly_address(text: str) -> None:
    """Refuse what begins as an address and would become a file of that name."""
    found = _NEARLY.match(text)
    scheme = found[1].lower() if found else ""
    if scheme in {*ENGINES, _FILE_SCHEME} or ENGINES.get(scheme.partition("+")[0]) == "pgvector":
        raise SettingsError(
            f"an address has two slashes behind its scheme, and a folder of this machine three; {scheme}: stands here "
            f"without them and nothing was opened; write {scheme}://, or ./ before the name of a file that is called so"
        )


def _plain_host(host: str) -> str:
    """A host in one spelling: lower case, and an IP address as short as it gets."""
    try:
        return ip_address(host).compressed
    except ValueError:
        return host.lower()


def _scheme_of(text: str) -> str:
    found = _SCHEME.match(text)
    return found[1].lower() if found else ""


def _shown(value: object) -> str:
    text = ascii(value) if isinstance(value, str | Path | int | None) else type_name(value)
    return text if len(text) <= 100 else f"{text[:100]}…"
