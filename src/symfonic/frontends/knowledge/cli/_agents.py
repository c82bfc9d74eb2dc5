"""``mcp``: agents reach the knowledge base over the Model Context Protocol.

Rules of this module: options in, a running server out. The server and its libraries are imported when it is to run, for
that takes a second. Standard output belongs to the protocol; what is told stands on standard error.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from typer import BadParameter

from symfonic.composition.knowledge import MissingExtraError

from . import _options as options
from ._logging import libraries_logged
from ._output import say
from ._session import access_of_service, place, refused_as, scope_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
    if address is not None:
        _require_names(address[0], allowed_host or ())
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
    from symfonic.frontends.knowledge._asgi.headers import listening_address, listening_hosts

    with server.listening_socket(*address) as listening:
        port: int = listening.getsockname()[1]
        shown = listening_address(address[0], port, names)
        hosts = listening_hosts(address[0], port, names)
        say(f"Serving MCP at http://{shown}{server.PATH}, {'open to this machine' if access is None else 'with keys'}.")
        server.run_http(knowledge, listening, access=access, scope=scope, hosts=hosts, log=_log)


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


def _require_names(host: str, names: Sequence[str]) -> None:
    """Refuse to listen where nobody could ask.

    Raises:
        BadParameter: Every address is listened to and no name was given.
    """
    from symfonic.frontends.knowledge._asgi.headers import is_any_address, known_hosts

    with refused_as("--allowed-host"):
        known_hosts(names)
    if is_any_address(host) and not names:
        raise BadParameter(
            "a server answers under names its operator gave it; one that listens at every address has none of its own "
            "and nothing is served; give it some with --allowed-host",
            param_hint="--http",
        )


def _access(keys: AccessKeys | None, host: str, scope: ScopePath | None) -> AccessKeys | None:
    """The access keys of the service.

    Raises:
        BadParameter: Others could reach it and there are none, or keys and a scope would both decide.
    """
    from symfonic.frontends.knowledge._asgi.headers import is_loopback

    if keys is None and not is_loopback(host):
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
