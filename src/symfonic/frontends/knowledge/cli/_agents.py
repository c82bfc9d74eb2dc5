"""``mcp``: agents reach the knowledge base over the Model Context Protocol.

Rules of this module: options in, a running server out. The server and its libraries are imported when it is to run, for
that takes a second. Standard output belongs to the protocol; what is told stands on standard error.
"""

from __future__ import annotations

import ipaddress
import json
import re
from typing import TYPE_CHECKING, Final

from typer import BadParameter

from symfonic.composition.knowledge import MissingExtraError

from . import _options as options
from ._logging import libraries_logged
from ._output import say
from ._session import access_of_service, place, scope_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from symfonic.capabilities.knowledge import ScopePath
    from symfonic.composition.knowledge import AccessKeys, KnowledgeBase

_ADDRESS: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+)):([0-9]{1,5})")
_LARGEST_PORT: Final = 65_535
_PARTS: Final = frozenset({"mcp", "mcp_types", "uvicorn"})


def mcp(
    *,
    http: str | None = options.HTTP,
    allowed_host: list[str] | None = options.MCP_HOST,
    access_file: str | None = options.ACCESS_FILE,
    embedder: str | None = options.EMBEDDER,
    store: str | None = options.STORE,
    scope: list[str] | None = options.SCOPE,
    settings: str | None = options.SETTINGS,
) -> None:
    """Serve agents over MCP, on standard input and output or with --http. Nothing can be changed through it."""
    whose = scope_of(scope)
    chosen = place(store, settings, embedder=embedder)
    address = None if http is None else _address(http)
    if address is None:
        _require_unsaid({"--allowed-host": allowed_host, "--access-file": access_file})
    access = None if address is None else _access(access_of_service(chosen, access_file), address[0], whose)
    try:
        import symfonic.frontends.knowledge.mcp.running as server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PARTS:
            raise
        raise MissingExtraError(
            f"agents are served with the MCP SDK; {error.name} is not installed and nothing is served; install it with "
            "pip install 'symfonic-knowledge[mcp]'"
        ) from error
    with libraries_logged(_log), chosen.open() as knowledge:
        if address is None:
            server.run_stdio(knowledge, scope=whose, log=_log)
        else:
            _listen(knowledge, address, access, whose, tuple(allowed_host or ()))


def _listen(
    knowledge: KnowledgeBase,
    address: tuple[str, int],
    access: AccessKeys | None,
    scope: ScopePath | None,
    names: tuple[str, ...],
) -> None:
    import symfonic.frontends.knowledge.mcp.running as server
    from symfonic.frontends.knowledge._asgi import loopback_hosts

    with server.listening_socket(*address) as listening:
        port: int = listening.getsockname()[1]
        shown = f"[{address[0]}]:{port}" if ":" in address[0] else f"{address[0]}:{port}"
        hosts = loopback_hosts(port) if _is_loopback(address[0]) else (shown,)
        say(f"Serving MCP at http://{shown}{server.PATH}, {'open to this machine' if access is None else 'with keys'}.")
        server.run_http(knowledge, listening, access=access, scope=scope, hosts=(*hosts, *names), log=_log)


def _log(line: Mapping[str, object]) -> None:
    say(json.dumps(line))


def _address(text: str) -> tuple[str, int]:
    """Host and port of ``HOST:PORT``.

    Raises:
        BadParameter: It is of another form.
    """
    found = _ADDRESS.fullmatch(text)
    if found is None or int(found[3]) > _LARGEST_PORT:
        raise BadParameter(
            f"a server listens at HOST:PORT; {text!a} is not of that form and nothing is served; write, for instance, "
            "127.0.0.1:8808, or [::1]:8808",
            param_hint="--http",
        )
    return found[1] or found[2], int(found[3])


def _require_unsaid(options_of_http: Mapping[str, object]) -> None:
    """Refuse what counts over HTTP alone.

    Raises:
        BadParameter: One of these was given.
    """
    for option, value in options_of_http.items():
        if value:
            raise BadParameter(
                "without --http a server is reached by the program that started it alone; this would be passed over, "
                "and nothing is served; leave it out, or name an address with --http",
                param_hint=option,
            )


def _access(keys: AccessKeys | None, host: str, scope: ScopePath | None) -> AccessKeys | None:
    """The access keys of the service.

    Raises:
        BadParameter: Others could reach it and there are none, or keys and a scope would both decide.
    """
    if keys is None and not _is_loopback(host):
        raise BadParameter(
            "without access keys a server is reached from this machine alone; this address is another's as well and "
            "nothing is served; make a key with `symfonic-knowledge access create`, or listen at 127.0.0.1",
            param_hint="--http",
        )
    if keys is not None and scope is not None:
        raise BadParameter(
            "with access keys the key of a request decides whose knowledge it reaches; a scope beside them would be "
            "passed over and nothing is served; leave it out, and make a key for that scope",
            param_hint="--scope",
        )
    return keys


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
