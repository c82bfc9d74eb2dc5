"""Where a model is reached, and whether a key may travel there.

Rules of this module: pure; it reads an address and knows no library. A key travels over TLS, or stays on this machine;
an address of another machine without TLS is asked without one.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

__all__ = ["DEFAULT_BASE_URL", "Endpoint"]

DEFAULT_BASE_URL: Final = "https://api.openai.com/v1"
"""Where a model is reached if nobody says otherwise."""

_MOST_CHARS: Final = 2000
_LOCAL_NAMES: Final = ("localhost", ".localhost")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The address of a server that speaks the chat completions protocol.

    Args:
        url: ``http`` or ``https``, a host, and the path before ``/chat/completions``, such as
            ``http://127.0.0.1:8080/v1``.

    Raises:
        ValueError: It is no such address, or holds what belongs elsewhere: a user or password, a query, a fragment.
    """

    url: str

    def __post_init__(self) -> None:
        fault = _fault_of(self.url)
        if fault:
            raise ValueError(
                f"a model's address is http:// or https:// with a host and a path; this one {fault} and nothing was "
                f"asked; write, for instance, {DEFAULT_BASE_URL}"
            )

    @property
    def is_default(self) -> bool:
        """Whether it is the provider's own."""
        return self.url.rstrip("/") == DEFAULT_BASE_URL

    @property
    def loopback(self) -> bool:
        """Whether it is this machine, by its address or by the names reserved for it (RFC 6761)."""
        host = (urlsplit(self.url).hostname or "").rstrip(".")
        if host == _LOCAL_NAMES[0] or host.endswith(_LOCAL_NAMES[1]):
            return True
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return False

    @property
    def needs_key(self) -> bool:
        """Whether a key is expected: everywhere but on this machine and where none may travel."""
        return self.takes_key and not self.loopback

    @property
    def takes_key(self) -> bool:
        """Whether a key may travel there."""
        return self.loopback or urlsplit(self.url).scheme == "https"


def _fault_of(url: object) -> str:
    """What is wrong with an address, or nothing."""
    if not isinstance(url, str):
        return f"is a {type(url).__name__}"
    if len(url) > _MOST_CHARS or not url.isascii() or not url.isprintable() or " " in url:
        return f"is longer than {_MOST_CHARS} characters, or holds what no address may"
    try:
        parts = urlsplit(url)
        _ = parts.port  # is read when it is asked for
    except ValueError:
        return "cannot be read"
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return "has no such scheme or no host"
    if "@" in parts.netloc:
        return "holds a user or password, and secrets come from the environment alone"
    return "has a query or a fragment" if parts.query or parts.fragment else ""
