"""A service on a port. Rules of this module: sockets, signals and the server; nothing of what is asked or answered."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from symfonic.composition.knowledge import SettingsError
from symfonic.frontends.knowledge._asgi.headers import is_any_address, is_loopback, listening_address, listening_hosts
from symfonic.frontends.knowledge._connections import serve_connections

from .app import create_app

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._service import Service

_BACKLOG: Final = 512
_LARGEST_PORT: Final = 65_535


@dataclass(frozen=True, slots=True, kw_only=True)
class Listening:
    """Where a service is reached.

    Attributes:
        host: The address it listens at.
        port: The port, also where any was asked for.
        url: Both as a browser takes them; where it listens at every address, with the first name it is asked under.
        is_open: Whether anybody may ask who reaches it, without a token.
    """

    host: str
    port: int
    url: str
    is_open: bool


def serve(
    service: Service,
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    pages: bool = True,
    behind_proxy: str | None = None,
    on_ready: Callable[[Listening], None] | None = None,
) -> None:
    """Listen until a signal ends it; what was accepted by then is answered first.

    Args:
        service: What answers. Names of the port's own address are added to its hosts.
        host: The address to listen at. Without access keys it must be one of this machine alone.
        port: The port; 0 takes any that is free.
        pages: Whether there are pages for people.
        behind_proxy: Address of the proxy whose word on client and scheme counts, or several and networks of them, with
            commas between; ``None`` believes none.
        on_ready: Is told once where the service is reached.

    Raises:
        SettingsError: Others could reach it without a token, no name is given under which it is asked, or it cannot
            listen there.
    """
    require_proxy(behind_proxy)
    _require_reachable(service, host, port)
    bound = _bound(host, port)
    with bound:
        actual = bound.getsockname()[1]
        edge = create_app(replace(service, hosts=listening_hosts(host, actual, service.hosts)), pages=pages)
        told = Listening(
            host=host,
            port=actual,
            url=f"http://{listening_address(host, actual, service.hosts)}",
            is_open=service.access is None,
        )
        serve_connections(
            edge,
            bound,
            limits=service.limits,
            log=service.log,
            behind_proxy=behind_proxy,
            on_ready=None if on_ready is None else lambda: on_ready(told),
        )


def require_proxy(behind_proxy: str | None) -> None:
    """Refuse what is neither addresses nor networks of proxies: it would match none, and nobody would be told.

    Raises:
        SettingsError: One is neither.
    """
    for one in [] if behind_proxy is None else behind_proxy.split(","):
        try:
            ipaddress.ip_network(one.strip(), strict=False)
        except ValueError as error:
            raise SettingsError(
                "a proxy is named by its address, such as 10.0.0.7, or its network, such as 10.0.0.0/24, with commas "
                f"between several; {ascii(one)[:80]} is neither, nobody's word would count and nothing was started; "
                "correct it"
            ) from error


def _require_reachable(service: Service, host: str, port: int) -> None:
    if type(port) is not int or not 0 <= port <= _LARGEST_PORT:
        raise SettingsError(f"a port is a number from 0 to {_LARGEST_PORT:,}; nothing was started; correct it")
    if service.access is None and not is_loopback(host):
        raise SettingsError(
            "a service that others can reach asks for tokens; there are no access keys, this address is reached from "
            "other machines, and nothing was started; make a key with `symfonic-knowledge access create`, or listen at "
            "127.0.0.1"
        )
    if is_any_address(host) and not service.hosts:
        raise SettingsError(
            "a service answers under names its operator gave it; one that listens at every address has none of its own "
            "and nothing was started; give it some with --allowed-host"
        )


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except (OSError, UnicodeError) as error:
        words = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
        raise SettingsError(
            f"a service listens at an address of this machine and a port that is free; {host}:{port} is none "
            f"({words}) and nothing was started; name another with --host or --port"
        ) from error
