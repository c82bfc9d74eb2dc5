"""What PostgreSQL and its client refuse, in the words of the store.

Rules of this module: no message repeats what the other side said, for that may hold a statement, a row, or a name and
host; the code of the error (SQLSTATE, PostgreSQL's appendix A) decides, and it is told, with the server as the store's
URL names it, without user and password. Only a connection that was never made has no code; then libpq's English words
decide, and where they do not tell, the message says only that there is none.
"""

from __future__ import annotations

import re
from typing import Final

import psycopg
import psycopg_pool

from symfonic.adapters.knowledge.ports import StoreError

_UNCHANGED: Final = "nothing was changed"

_BY_CODE: Final = {
    "42501": (
        "a role is granted what it does; this one lacks a right on the store's tables, or row-level security refuses "
        f"the row, and {_UNCHANGED}; let the owner grant what PgvectorStore.grants() lists, or connect as the owner"
    ),
    "53100": (
        f"a change needs room; the server's disk, or a quota on it, is full and {_UNCHANGED}; make room, then do it "
        "again"
    ),
    "53200": f"the server ran out of memory and {_UNCHANGED}; give it more, or store smaller documents at once",
    "53300": (
        "a server takes a limited number of connections; all are in use and the request was not carried out; close "
        "other programs' connections, lower pool_size, or raise max_connections"
    ),
    "53400": (
        f"a limit of the server's configuration (such as temp_file_limit) was reached and {_UNCHANGED}; raise it, or "
        "do less at once"
    ),
    "57014": (
        f"a statement has statement_timeout to finish; one took longer, or was cancelled, and {_UNCHANGED}; try again "
        "when the server is less busy, or open the store with a longer statement_timeout"
    ),
    "55P03": (
        "a request waits lock_timeout for a change, or a vacuum, that is in its way; one took longer and "
        f"{_UNCHANGED}; try again, or open the store with a longer lock_timeout"
    ),
    "25006": (
        f"a store is changed on a server that can be written; this one is read-only, perhaps a standby, and "
        f"{_UNCHANGED}; connect to the primary"
    ),
    "3D000": (
        "a store stands in a database that exists; the one named does not and nothing was opened; create it, or "
        "correct the URL"
    ),
    "28P01": (
        "a server lets in whom it knows; it refused this user or password and nothing was opened; correct the URL, or "
        "the password file"
    ),
    "42P01": (
        f"a store's tables stand in a schema of the database; one is not there, or not visible to this role, and "
        f"{_UNCHANGED}; check the option schema, or open the store once as a role that may create it"
    ),
    "42704": (
        "vectors need the extension pgvector; this database does not have it, or this role cannot see it, and "
        f"{_UNCHANGED}; let a superuser run CREATE EXTENSION vector in it"
    ),
    "54000": (
        f"PostgreSQL stores values up to a size; one of this document, or a vector, is larger and {_UNCHANGED}; split "
        "it into smaller passages, or let the owner store the first vectors of that size"
    ),
    "0A000": (
        f"the server cannot do what the store asks and {_UNCHANGED}; use PostgreSQL 15 or newer with pgvector 0.8 or "
        "newer"
    ),
    "40001": (
        f"changes that collide are done again; these collided every time and {_UNCHANGED}; try again when fewer "
        "programs write"
    ),
    "57P01": (
        "an answer needs a server that runs; this one was stopped, or ended the connection, and the request was not "
        "carried out; start it, and ask again: the store need not be opened anew"
    ),
    "58030": f"the server could not read or write its disk and {_UNCHANGED}; look at the server's log",
    "XX000": (
        "the server met with what it has no name for, such as a file the system lets grow no further, and "
        f"{_UNCHANGED}; look at the server's log, and at the limits it runs under"
    ),
    "XX001": f"the server finds its files damaged and {_UNCHANGED}; look at its log, and restore a backup",
}

_SAME: Final = {
    "28000": "28P01",
    "3F000": "42P01",
    "42883": "42704",
    "54011": "54000",
    "54023": "54000",
    "58P01": "58030",
    "40P01": "40001",
    "23503": "40001",
    "23505": "40001",
    "57P02": "57P01",
    "57P03": "57P01",
    "57P05": "57P01",
    "XX002": "XX001",
    "53000": "53400",
    "25P03": "57014",
}
_NO_WAY_IN: Final = (
    "a role needs the right to connect to a database; this one lacks it and nothing was opened; let the database's "
    "owner run GRANT CONNECT ON DATABASE, or correct the URL"
)
"""The same code, where there is no connection yet: no grant on tables helps."""
_BAD_VALUE: Final = (
    "a parameter in a URL has a value that libpq knows; one of this URL's, such as sslmode, has another "
    "and nothing was opened; correct it"
)
"""Said before there is a connection: nobody was asked, and asking again comes to the same."""

_OTHER: Final = (
    "a store's requests are made for PostgreSQL as this version knows it; the server refused one and it was not "
    "carried out; look at the server's log, and run check()"
)

LOST: Final = frozenset({"57P01", "57P02", "57P03", "57P05", "08000", "08001", "08003", "08004", "08006", "08P01"})
"""Codes of connections that are gone, or were never made."""

COLLIDED: Final = frozenset({"40001", "40P01", "23503", "23505"})
"""Codes of changes that ran into another one's; done again from the beginning they succeed."""

_WORDS: Final = (
    ("password authentication failed", "28P01"),
    ("no pg_hba.conf entry", "28P01"),
    ("too many clients", "53300"),
    ("too many connections", "53300"),
    ("remaining connection slots", "53300"),
    ("permission denied for database", "42501"),
    ("role ", "28P01"),
)
_NO_VALUE: Final = re.compile(r'invalid \w+ value: "|invalid integer value "')
"""How libpq says that a parameter has a value it does not know."""


def code_of(error: BaseException) -> str:
    """SQLSTATE of an error, empty where nothing tells it."""
    code = getattr(error, "sqlstate", None)
    if code:
        return str(code)
    words = str(error)
    if "database " in words and "does not exist" in words:
        return "3D000"
    if "no password supplied" in words:  # said by libpq itself, without asking the server
        return "28P01"
    if _NO_VALUE.search(words):
        return "22023"
    return next((found for part, found in _WORDS if part in words and "FATAL" in words), "")


def is_lost(error: BaseException) -> bool:
    """Whether the connection is gone, or was never made."""
    code = code_of(error)
    return code in LOST or (not code and isinstance(error, psycopg.OperationalError | psycopg.InterfaceError))


def translated(error: BaseException, shown: str) -> StoreError:
    """The error of the store for one of the client's; ``shown`` is its URL without secrets."""
    code = code_of(error)
    message = _BY_CODE.get(_SAME.get(code, code))
    if code == "42501" and not getattr(error, "sqlstate", None):
        message = _NO_WAY_IN
    if code == "22023" and not getattr(error, "sqlstate", None):
        message = _BAD_VALUE
    if message is None and isinstance(error, psycopg_pool.PoolTimeout):
        message = (
            "a request takes one of pool_size connections; all were in use for longer than pool_timeout and it was not "
            "carried out; open the store with a larger pool_size, or ask less at once"
        )
    if message is None and is_lost(error):
        message = (
            "an answer needs a server that can be reached; this one cannot be, or the connection broke off, and the "
            "request was not carried out; see that it runs and that host, port and network are right, then ask again: "
            "the store need not be opened anew"
        )
    return StoreError(f"{message or _OTHER} ({f'SQLSTATE {code} ' if code else ''}at {shown})")


def unknown_outcome() -> StoreError:
    """What is said where the connection broke while a change was being committed."""
    return StoreError(
        "a change is whole or absent; the connection broke off while it was being committed, so nobody here knows "
        "which; look whether it is there, and do it again if not"
    )
