"""What a role may do with a store in PostgreSQL, and what is said where it may not.

Rules of this module: it imports no client. The server says no with one code whatever was refused, so whoever does what
only some roles may do says here what that was, and who has to do what about it.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

NO_EXTENSION: Final = (
    "a store in PostgreSQL needs the extension pgvector; this database does not have it and nothing was opened; "
    "install it on the server and let a superuser run CREATE EXTENSION vector in this database"
)

FIRST_VECTORS: Final = (
    "the owner of a store's tables decides whose vectors it holds; this role is not, and nothing was stored; let the "
    "owner put the first passage with this embedder, or embed what is stored (`symfonic-knowledge embed`), then do it "
    "again"
)

ALL_VECTORS: Final = (
    "the owner of a store's tables replaces all its vectors; this role is not, and nothing was changed; do it as the "
    "owner"
)

_NO_RIGHT: Final = frozenset({"42501", "3F000"})
"""SQLSTATE of a right that is missing, and of a schema that a role may not look into and so does not find."""


@contextlib.contextmanager
def needing_a_right(refusal: str) -> Iterator[None]:
    """Do what only some roles may do.

    Raises:
        StoreError: This role may not; its message is ``refusal`` and the code.
    """
    try:
        yield
    except Exception as error:
        code = getattr(error, "sqlstate", None)
        if code not in _NO_RIGHT:
            raise
        raise StoreError(f"{refusal} (SQLSTATE {code})") from error


def no_schema(schema: str, name: str) -> str:
    """What is said where a role may not create the schema; ``name`` is it as SQL writes it."""
    return (
        f"a new store gets a schema of its own; this role may not create {schema!a} in this database and nothing was "
        f"opened; let the database's owner run CREATE SCHEMA {name} AUTHORIZATION with the name of this role, or open "
        "the store once as a role that may"
    )


def no_tables(schema: str, name: str) -> str:
    """What is said where a role may not create or change tables in the schema."""
    return (
        f"a store's tables are made, and brought up to date, by the owner of their schema; this role may create "
        f"nothing in {schema!a} and nothing was opened; open the store once as that owner, or let him run ALTER SCHEMA "
        f"{name} OWNER TO with the name of this role"
    )


def no_switch(*, on: bool) -> str:
    """What is said where a role may not switch row-level security ``on``, or off."""
    return (
        f"the owner of a store's tables switches row-level security; this role is not, it is {'off' if on else 'on'} "
        f"and nothing was opened; open the store once with row_security={str(on).lower()} as the owner, and leave the "
        "option out for this role"
    )


def no_index() -> str:
    """What is said where a role may not build the index of vectors."""
    return (
        "the owner of a store's tables builds its index of vectors; this role is not, there is none yet and nothing "
        "was done; let the owner build it (`symfonic-knowledge index`, or store.build_index()) once vectors are in "
        "the store, or open it with index='exact'"
    )
