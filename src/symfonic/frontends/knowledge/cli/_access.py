"""``access create``, ``access list`` and ``access revoke``: who may ask a service for what.

Rules of this module: a token is printed once, alone on standard output, so that it can go straight to where it is kept;
everything said about it stands on standard error. No token is taken from the command line, where other users see it.
"""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer
from typer import BadParameter

from symfonic.composition.knowledge import NO_EMBEDDER, AccessKeys, InputError, access_path
from symfonic.frontends.knowledge._access_view import access_list_view, access_made_view, access_revoked_view

from . import _options as options
from ._output import Column, console, print_table, say, write_json
from ._session import place, scope_of

if TYPE_CHECKING:
    from symfonic.frontends.knowledge._views import View

app = typer.Typer(
    help="Who may ask a service, and for what. The key of a store, which makes labels and delimiters and lets nobody "
    "in, is that of the key commands.",
    no_args_is_help=True,
)

_TOKEN: Final = re.compile(r"symfonic_([0-9a-f]{12})_.*", re.DOTALL)
_COLUMNS: Final = (
    Column("Id", wraps=False),
    Column("Name"),
    Column("Scope"),
    Column("May", wraps=False),
    Column("Until", wraps=False),
)


@app.command("create")
def create(
    name: str = options.KEY_NAME,
    *,
    scope: list[str] | None = options.KEY_SCOPE,
    write: bool = options.KEY_WRITE,
    days: int | None = options.KEY_DAYS,
    access_file: str | None = options.ACCESS_FILE,
    store: str | None = options.STORE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> None:
    """Make an access key and print its token, this once. A service that starts where there is one asks for tokens."""
    keys, whose = _keys(access_file, store, settings), scope_of(scope)
    try:
        key, token = keys.create(name, scope=whose, may_write=write, days=days)
    except InputError as error:
        raise BadParameter(str(error), param_hint="--days" if "number of days" in str(error) else "NAME") from error
    view = access_made_view(str(keys.path), key, token, time.time())
    if as_json:
        write_json(view)
        return
    sys.stdout.write(f"{token}\n")
    shown = view["key"]
    say(
        f"Key {shown['id']} for {shown['name']}: {_may(shown)} {_scope(shown)}, {_until(shown)}. Its token stands on "
        "standard output and is shown this once; send it as `Authorization: Bearer TOKEN`. What is kept of it in "
        f"{view['path']} lets nobody in."
    )
    if access_file is None and (chosen := place(store, settings, embedder=NO_EMBEDDER)).is_missing:
        say(f"There is no store at {chosen.path} yet: the key is for the one that will be there. Was another meant?")


@app.command("list")
def list_keys(
    *,
    access_file: str | None = options.ACCESS_FILE,
    store: str | None = options.STORE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> None:
    """List the access keys, the oldest first; their tokens are kept nowhere."""
    keys = _keys(access_file, store, settings)
    view = access_list_view(str(keys.path), keys.listed(), time.time())
    if as_json:
        write_json(view)
        return
    if view["keys"]:
        rows = [[key["id"], key["name"], _scope(key), _may(key), _until(key)] for key in view["keys"]]
        print_table(console(), _COLUMNS, rows)
    else:
        say(f"There is no access key in {view['path']}.")


@app.command("revoke")
def revoke(
    key_id: str = options.KEY_ID,
    *,
    access_file: str | None = options.ACCESS_FILE,
    store: str | None = options.STORE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> None:
    """Revoke an access key: it lets nobody in from the next request on, of services that run as well."""
    keys = _keys(access_file, store, settings)
    if (token := _TOKEN.fullmatch(key_id)) is not None:
        raise BadParameter(
            f"a key is revoked by its id; this is its token, which others may now have seen, and none was revoked; "
            f"revoke {token[1]}",
            param_hint="ID",
        )
    view = access_revoked_view(str(keys.path), keys.revoke(key_id), time.time())
    if as_json:
        write_json(view)
        return
    shown = view["revoked"]
    console().print(f"Revoked {shown['id']} for {shown['name']} in {view['path']}", soft_wrap=True)


def _keys(access_file: str | None, store: str | None, settings: str | None) -> AccessKeys:
    if access_file is not None:
        return AccessKeys(Path(access_file))
    return AccessKeys(access_path(place(store, settings, embedder=NO_EMBEDDER).path))


def _scope(key: View) -> str:
    return " ".join(key["scope"]) or "everything"


def _may(key: View) -> str:
    return "read and write" if key["write"] else "read"


def _until(key: View) -> str:
    if key["expired"]:
        return f"expired {key['expires']}"
    return f"until {key['expires']}" if key["expires"] else "until revoked"
