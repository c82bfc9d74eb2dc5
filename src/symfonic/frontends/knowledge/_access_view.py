"""What faces show of access keys.

Rules of this module: as ``_views``. No token passes through here but the one that is shown when its key is made.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from symfonic.composition.knowledge import showable

from ._views import View, scope_view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from symfonic.composition.knowledge import AccessKey


def access_key_view(key: AccessKey, now: float) -> View:
    """One key; times are UTC as RFC 3339 writes them, ``expires`` is ``None`` for never."""
    return {
        "id": key.id,
        "name": showable(key.name),
        "scope": scope_view(key.scope_path),
        "write": key.may_write,
        "created": _moment(key.created),
        "expires": None if key.expires is None else _moment(key.expires),
        "expired": key.is_expired(now),
    }


def access_list_view(path: str, keys: Sequence[AccessKey], now: float) -> View:
    """What ``access list`` answers."""
    return {"path": showable(path), "keys": [access_key_view(key, now) for key in keys]}


def access_made_view(path: str, key: AccessKey, token: str, now: float) -> View:
    """What ``access create`` answers: the only place where a token is shown."""
    return {"path": showable(path), "key": access_key_view(key, now), "token": token}


def access_revoked_view(path: str, key: AccessKey, now: float) -> View:
    """What ``access revoke`` answers."""
    return {"path": showable(path), "revoked": access_key_view(key, now)}


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
