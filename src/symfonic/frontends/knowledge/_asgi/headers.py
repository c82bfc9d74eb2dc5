"""What is read from the headers of a request, and what every answer carries.

Rules of this module: header lines in, values out. What is said twice, or is no form that is known, counts as wrong and
never as the more convenient of two readings.
"""

from __future__ import annotations

import ipaddress
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from symfonic.composition.knowledge import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

_HOST: Final = re.compile(r"((?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?")
_ORIGIN: Final = re.compile(r"(https?)://(.+)")
_BEARER: Final = re.compile(rb"[Bb][Ee][Aa][Rr][Ee][Rr] +([!-~]+)")
_PORT: Final = re.compile(r":[0-9]+$")
_LENGTH: Final = re.compile(rb"[0-9]{1,18}")
_DEFAULT_PORTS: Final = {"http": "80", "https": "443"}

SAFE_HEADERS: Final = (
    (
        b"content-security-policy",
        (
            b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
            b"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
    ),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    # Not no-referrer: with it browsers send `Origin: null` with a form, and ours could not be told from others'.
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
)
"""What every answer carries, whatever the application says."""

HSTS: Final = (b"strict-transport-security", b"max-age=31536000")
"""Behind TLS only: a browser would not come back to a service without."""


class HeaderFaultError(Exception):
    """A header that is said twice or is not of its form; the text names it."""


def loopback_hosts(port: int) -> tuple[str, ...]:
    """The names under which a service on this machine alone may be asked: what else is named is another's page."""
    return tuple(f"{name}:{port}" for name in ("localhost", "127.0.0.1", "[::1]"))


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address; of names that is ``localhost`` alone."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host.lower() == "localhost"


def is_any_address(host: str) -> bool:
    """Whether it stands for every address of the machine, and so for none that can be asked."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_unspecified
    return False


def listening_hosts(host: str, port: int, given: Sequence[str]) -> tuple[str, ...]:
    """The names of a port, and those the operator gave; one that was given without a port is asked at this one too."""
    names = tuple(name for one in given for name in dict.fromkeys((one, _at_port(one, port))))
    if is_loopback(host):
        return (*loopback_hosts(port), *names)
    return names if is_any_address(host) else (_at_port(_bracketed(host), port), *names)


def listening_address(host: str, port: int, given: Sequence[str]) -> str:
    """Host and port at which it answers: of a service at every address those of the first name it was given."""
    return _at_port(given[0] if given and is_any_address(host) else _bracketed(host), port)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _at_port(name: str, port: int) -> str:
    return name if _PORT.search(name) else f"{name}:{port}"


def only(headers: Sequence[tuple[bytes, bytes]], name: bytes) -> bytes | None:
    """The value of a header that may be said once; ``None`` where it is not.

    Raises:
        HeaderFaultError: It is said twice.
    """
    values = [value for key, value in headers if key.lower() == name]
    if len(values) > 1:
        raise HeaderFaultError(name.decode("ascii"))
    return values[0].strip() if values else None


def value_of(headers: Sequence[tuple[bytes, bytes]], name: bytes) -> bytes:
    """All values of a header, joined; empty where there is none."""
    return b",".join(value for key, value in headers if key.lower() == name)


def authority(text: str, scheme: str) -> str | None:
    """A host and port in one form: lower case, without the port a scheme has of itself. ``None`` where it is none."""
    found = _HOST.fullmatch(text.lower())
    if found is None:
        return None
    host, port = found.groups()
    return host if port in (None, _DEFAULT_PORTS.get(scheme)) else f"{host}:{int(port)}"


def known_hosts(hosts: Sequence[str]) -> dict[str, frozenset[str]]:
    """Names of a service as an operator wrote them, in one form for each scheme.

    Raises:
        SettingsError: One is none.
    """
    known: dict[str, set[str]] = {scheme: set() for scheme in _DEFAULT_PORTS}
    for scheme, found in known.items():
        for host in hosts:
            form = authority(host, scheme)
            if form is None:
                raise SettingsError(
                    f"a host is a name or an address with an optional port, such as kb.example.org or localhost:8000; "
                    f"{host!a} is none and nothing was started; correct it"
                )
            found.add(form)
    return {scheme: frozenset(found) for scheme, found in known.items()}


def known_origins(origins: Sequence[str]) -> frozenset[str]:
    """Sites whose pages may ask, in one form.

    Raises:
        SettingsError: One is none.
    """
    known = frozenset(_origin(origin) for origin in origins)
    if None in known:
        raise SettingsError(
            "an origin is http:// or https:// and a host, such as https://intranet.example.org, without a path; one "
            "of those that were named is not and nothing was started; correct it"
        )
    return frozenset(origin for origin in known if origin is not None)


def is_known_origin(origin: str, known: frozenset[str]) -> bool:
    """Whether pages of that site may ask."""
    return _origin(origin) in known


def _origin(text: str) -> str | None:
    found = _ORIGIN.fullmatch(text.lower())
    host = None if found is None else authority(found[2], found[1])
    return None if found is None or host is None else f"{found[1]}://{host}"


def host_of(headers: Sequence[tuple[bytes, bytes]], scheme: str) -> str | None:
    """The host a request names.

    Raises:
        HeaderFaultError: It is said twice, or is no host.
    """
    value = only(headers, b"host")
    if value is None:
        return None
    host = authority(value.decode("latin-1"), scheme)
    if host is None:
        raise HeaderFaultError("host")
    return host


def is_same_origin(origin: str, host: str, scheme: str) -> bool:
    """Whether an ``Origin`` is the service's own. Behind a proxy that ends TLS the page's scheme may be the safer."""
    found = _ORIGIN.fullmatch(origin.lower())
    if found is None or (scheme == "https" and found[1] == "http"):
        return False
    return authority(found[2], found[1]) == (host if found[1] == scheme else authority(host, found[1]))


def token_of(headers: Sequence[tuple[bytes, bytes]]) -> str | None:
    """The token of a request, from ``Authorization: Bearer`` or ``X-Api-Key``; ``None`` where there is neither.

    Raises:
        HeaderFaultError: There is more than one, or it is of another form.
    """
    bearer, key = only(headers, b"authorization"), only(headers, b"x-api-key")
    if bearer is None:
        return None if key is None else key.decode("latin-1")
    found = _BEARER.fullmatch(bearer)
    if found is None or key is not None:
        raise HeaderFaultError("authorization")
    return found[1].decode("ascii")


def cookies_of(headers: Sequence[tuple[bytes, bytes]]) -> dict[str, str]:
    """Cookies by name. One that is named twice counts as none: another page of the host may have set it."""
    found: dict[str, str] = {}
    twice: set[str] = set()
    for line in (value for key, value in headers if key.lower() == b"cookie"):
        for pair in line.decode("latin-1").split(";"):
            name, equals, value = pair.strip().partition("=")
            if equals and name:
                twice |= {name} & found.keys()
                found[name] = value
    return {name: value for name, value in found.items() if name not in twice}


def length_of(headers: Sequence[tuple[bytes, bytes]]) -> int | None:
    """The length a request declares, in bytes.

    Raises:
        HeaderFaultError: It is said twice, or is no number.
    """
    value = only(headers, b"content-length")
    if value is None:
        return None
    if value_of(headers, b"transfer-encoding"):  # which of them counts is what smuggled requests live on
        raise HeaderFaultError("content-length")
    if not _LENGTH.fullmatch(value):
        raise HeaderFaultError("content-length")
    return int(value)


def client_of(client: object) -> str:
    """A name for the address of a client; those of one IPv6 network of 64 bits are one."""
    host = client[0] if isinstance(client, (tuple, list)) and client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((int(address), 64), strict=False))
    return str(address)
