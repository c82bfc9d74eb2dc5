"""``list``, ``stats``, ``forget`` and ``export``: what the store holds, and taking it out.

Rules of this module: the operator's view of the whole store; ``--scope`` narrows it, nothing widens it.
"""

from __future__ import annotations

import json
import sys

import typer

from symfonic.composition.knowledge import showable
from symfonic.frontends.knowledge._views import View, documents_view, export_view, removal_view, stats_view

from . import _options as options
from ._output import console, print_table, say, write_json
from ._reporting import InputError
from ._session import place, readable, scope_of


def list_documents(
    *,
    store: str | None = options.STORE,
    scope: list[str] | None = options.SCOPE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> None:
    """List the stored documents: of every scope, or exactly of one."""
    whose = scope_of(scope)
    with place(store, settings).open() as knowledge:
        view = documents_view(knowledge.documents(scope=whose))
    if as_json:
        write_json(view)
    elif view["documents"]:
        print_table(
            console(),
            ("Document", "Scope", "Format", ("Passages", "right"), ("Characters", "right")),
            [
                (row["label"], _shown(row), row["kind"], f"{row['chunks']:,}", f"{row['characters']:,}")
                for row in view["documents"]
            ],
        )
    else:
        say("No documents here. Fill the store with `symfonic-knowledge ingest FOLDER`.")


def stats(
    *,
    store: str | None = options.STORE,
    scope: list[str] | None = options.SCOPE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> None:
    """Show totals: documents, passages, scopes, size, and the fingerprint of the key."""
    whose = scope_of(scope)
    chosen = place(store, settings)
    with chosen.open() as knowledge:
        view = stats_view(knowledge.stats(), str(chosen.path), knowledge.key_fingerprint, str(whose or ""))
    if as_json:
        write_json(view)
        return
    out = console()
    out.print(f"Store      {showable(view['store'])}, schema {view['schema_version']}, {view['file_bytes']:,} bytes")
    out.print(f"Key        {view['key_fingerprint']} (fingerprint)")
    out.print(f"Documents  {view['documents']:,} with {view['chunks']:,} passages")
    for kind, count in view["kinds"].items():
        out.print(f"Format     {kind}: {count:,}")
    for entry in view["scopes"]:
        out.print(f"Scope      {_shown(entry)}: {entry['documents']:,} documents, {entry['chunks']:,} passages")


def forget(
    pattern: str | None = options.PATTERN,
    *,
    vacuum: bool = options.VACUUM,
    store: str | None = options.STORE,
    scope: list[str] | None = options.SCOPE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> None:
    """Remove what a file, a label or a glob names, exactly at --scope; --scope alone removes all there and below."""
    whose = scope_of(scope)
    if pattern is None and whose is None:
        raise typer.BadParameter("name what to forget: LABEL-OR-GLOB, --scope KIND:ID, or both")
    with place(store, settings).open() as knowledge:
        removal = knowledge.forget(None if pattern is None else readable(pattern), scope=whose)
        if not removal.documents and not removal.chunks:
            raise InputError(
                "forgetting names something that is stored; nothing matched and nothing was removed; "
                "`symfonic-knowledge list` shows what is stored and in which scope"
            )
        if vacuum:
            knowledge.vacuum()
    view = removal_view(removal, vacuumed=vacuum)
    if as_json:
        write_json(view)
    else:
        tail = ", file rewritten" if vacuum else ""
        console().print(f"Forgotten: {view['documents']:,} documents, {view['chunks']:,} passages{tail}")


def export(
    *,
    store: str | None = options.STORE,
    scope: list[str] | None = options.SCOPE,
    settings: str | None = options.SETTINGS,
) -> None:
    """Write every passage with its document as JSON lines: of every scope, or exactly of one."""
    whose = scope_of(scope)
    with place(store, settings).open() as knowledge:
        for stored in knowledge.export(scope=whose):
            sys.stdout.write(json.dumps(export_view(stored)) + "\n")


def _shown(row: View) -> str:
    return " ".join(row["scope"]) or "(everybody)"
