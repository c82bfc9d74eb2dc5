"""Whose knowledge: what a caller passes, and the path it stands for.

Rules of this module: nobody is refused quietly. What names nobody is an error in every method alike.
"""

from __future__ import annotations

from symfonic.capabilities.knowledge import BridgeContractError, ScopePath

from .errors import ScopeError, type_name

Scope = ScopePath | str | None
"""Whose knowledge: a :class:`ScopePath`, its text, or ``None`` for what the whole deployment shares."""


def scope_path_of(scope: Scope) -> str:
    """The path a scope stands for; ``""`` for ``None`` and for a path without pairs.

    Raises:
        ScopeError: It is no scope path. An empty *text* is refused as well: it is what a lost tenant id looks like, and
            taking it for the whole deployment would publish that tenant's documents.
    """
    if scope is None:
        return ""
    if isinstance(scope, str) and not scope:
        raise ScopeError(
            "a scope names somebody; an empty text names nobody and could be a lost id; pass None for what the whole "
            "deployment shares"
        )
    try:
        if not isinstance(scope, ScopePath | str):
            raise ScopeError(
                f"a scope is a ScopePath, its text, or None, not {type_name(scope)}; nothing was done; pass one"
            )
        return str(scope if isinstance(scope, ScopePath) else ScopePath.parse(scope))
    except BridgeContractError as error:
        raise ScopeError(str(error)) from error


def exact_path_of(scope: Scope) -> str | None:
    """The path of exactly this scope; ``None`` where none is named.

    Raises:
        ScopeError: As :func:`scope_path_of`.
    """
    return None if scope is None else scope_path_of(scope)


def shown_scope(path: str) -> str:
    """A scope path for people: ``KIND:ID`` of each step, root first."""
    return " ".join(f"{kind}:{identity}" for kind, identity in ScopePath.parse(path).pairs) or "everybody (no scope)"
