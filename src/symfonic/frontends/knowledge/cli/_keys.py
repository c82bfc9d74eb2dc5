"""``key show``, ``key rotate`` and ``key import``: the key of a store, by its fingerprint only.

Rules of this module: no key is ever printed, and none is taken from the command line, where other users could see it.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from symfonic.composition.knowledge import (
    InputError,
    KeyFileError,
    MissingStoreError,
    fingerprint,
    import_key,
    parse_key,
    read_key,
    rotate_key,
)
from symfonic.frontends.knowledge._views import View, key_view

from . import _options as options
from ._output import console, say, write_json
from ._session import is_missing, place

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_READ = 4096

app = typer.Typer(help="The key of a store: labels and delimiters are made with it.", no_args_is_help=True)


@app.command("show")
def show(
    *,
    store: str | None = options.STORE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> None:
    """Show the fingerprint of the key."""
    path = place(store, settings).key_file
    _print(key_view(str(path), fingerprint(read_key(path))), as_json=as_json)


@app.command("rotate")
def rotate(
    *,
    store: str | None = options.STORE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> None:
    """Replace the key by a new one. Every label tag and delimiter changes; prompt caches start anew."""
    chosen = place(store, settings)
    path = chosen.key_file
    if chosen.is_missing and is_missing(path):
        raise MissingStoreError(
            f"a key is rotated where a store is; there is none at {chosen.path} and no key was made; check the path"
        )
    _replace(path, lambda: rotate_key(path), as_json=as_json)


@app.command("import")
def import_(
    source: str = options.KEY_FILE,
    *,
    store: str | None = options.STORE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> None:
    """Put a key that was made elsewhere in place, for instance the one of another machine."""
    chosen = place(store, settings)
    path = chosen.key_file
    key = parse_key(_read(source))
    _replace(path, lambda: import_key(path, key), as_json=as_json)
    if chosen.is_missing:
        say(
            f"There is no store at {chosen.path} yet. The key was put at {path} and counts for the store that is made "
            "there; if the path was mistyped, remove that file."
        )


def _replace(path: Path, put: Callable[[], bytes], *, as_json: bool) -> None:
    before = None
    with suppress(KeyFileError):  # a key that is missing, damaged or exposed is what a new one is for
        before = fingerprint(read_key(path))
    after = fingerprint(put())
    _print(key_view(str(path), after, before), as_json=as_json)
    if before not in {None, after}:
        say(
            "Labels and delimiters change with the key: providers' prompt caches start anew, and what was recorded "
            "under the old labels no longer matches. Programs that have the store open keep the old key until they "
            "open it again."
        )


def _read(source: str) -> bytes:
    try:
        if source == "-":
            return sys.stdin.buffer.read(_MOST_READ)
        with Path(source).open("rb") as file:
            return file.read(_MOST_READ)
    except OSError as error:
        raise InputError(
            f"a key is read from a file or from standard input; {source} could not be read ({error.strerror}) and the "
            "key in place was kept; check the path"
        ) from error


def _print(view: View, *, as_json: bool) -> None:
    if as_json:
        write_json(view)
    else:
        console().print(f"{view['fingerprint']}  {view['path']}", soft_wrap=True)
