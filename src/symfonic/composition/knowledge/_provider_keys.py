"""The key a provider is asked with, from the environment.

Rules of this module: it decides whether a key is needed and whether it is one; who may read the environment decides the
caller.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .errors import SettingsError, type_name

if TYPE_CHECKING:
    from symfonic.adapters.knowledge.models.endpoints import Endpoint


def require_environ(environ: object) -> None:
    """Refuse what is neither ``None`` nor an environment to look a key up in.

    Raises:
        SettingsError: It is no mapping.
    """
    if not (environ is None or isinstance(environ, Mapping)):
        raise SettingsError(
            f"an environment is a mapping of names to texts, such as os.environ; {type_name(environ)} is none and no "
            "key was looked for; pass one, or None"
        )


def key_for(endpoint: Endpoint, environ: Mapping[str, str], variable: str, *, option: str = "--base-url") -> str | None:
    """The key that an environment holds for an address, ``None`` where none is needed and there is none.

    Raises:
        SettingsError: One is needed and there is none, or it is no key.
    """
    key = environ.get(variable, "").strip()
    if not key and endpoint.needs_key:
        raise SettingsError(
            f"{endpoint.url} is asked with a key; {variable} is not set and nothing was asked; set it, or name a "
            f"server on this machine with {option}"
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise SettingsError(
            f"a key is one word of ASCII; what {variable} holds is none and could not be sent; set it again"
        )
    return key or None
