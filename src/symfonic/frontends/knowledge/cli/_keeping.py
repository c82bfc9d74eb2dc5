"""``list``, ``stats``, ``check-store``, ``forget``, ``vacuum`` and ``export``: what the store holds, and taking it out.

Rules of this module: the operator's view of the whole store; ``--scope`` narrows it, nothing widens it.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from symfonic.capabilities.knowledge import ScopePath, safe_source
from symfonic.composition.knowledge import NO_EMBEDDER, InputError, StoreFailedError, showable
from symfonic.frontends.knowledge._views import (
    View,
    check_store_view,
    counted,
    documents_view,
    export_view,
    removal_view,
    stats_view,
    vacuum_view,
)

from . import _options as options
from ._output import Column, console, print_table, say, write_json
from ._session import place, readable, scope_of

if TYPE_CHECKING:
    from symfonic.adapters.knowledge.ports import Removal
    from symfonic.composition.knowledge import KnowledgeBase


def list_documents(
    *,
    store: str | None = options.STORE,
    scope: list[str] | None = options.ANY_SCOPE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> None:
    """List the stored documents: of every scope, or exactly of one."""
    whose = scope_of(scope)
    with place(store, settings, embedder=NO_EMBEDDER).open_to_keep() as knowledge:
        view = documents_view(knowledge.documents(scope=whose))
    if as_json:
        write_json(view)
    elif view["documents"]:
        _print_documents(view["documents"])
    else:
        say("No documents here. Fill the store with `symfonic-knowledge ingest FOLDER`.")


def _print_documents(documents: list[View]) -> None:
    """A table; where two documents of one scope share a name, the origins that tell them apart are shown too."""
    names = Counter((row["file"], *row["scope"]) for row in documents)
    shared = {name for name, times in names.items() if times > 1}
    columns = [Column("Document"), Column("Scope"), Column("Format", wraps=False)]
    columns += [Column("Passages", "right", wraps=False), Column("Characters", "right", wraps=False)]
    rows = [
        [row["label"], _shown(row), row["kind"], f"{row['chunks']:,}", f"{row['characters']:,}"] for row in documents
    ]
    if shared:
        columns.append(Column("Origin"))
        for cells, row in zip(rows, documents, strict=True):
            cells.append(showable(row["origin"]) if (row["file"], *row["scope"]) in shared else "")
    print_table(console(), columns, rows)


def stats(
    *,
    store: str | None = options.STORE,
    scope: list[str] | None = options.ANY_SCOPE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> None:
    """Show totals: documents, passages, scopes, size, and the fingerprint of the key."""
    whose = scope_of(scope)
    chosen = place(store, settings, embedder=NO_EMBEDDER)
    with chosen.open_to_keep() as knowledge:
        fingerprint = knowledge.key_fingerprint if chosen.has_key else None
        view = stats_view(knowledge.stats(), str(chosen.path), fingerprint, str(whose or ""))
    if as_json:
        write_json(view)
        return
    out = console()
    out.print(f"Store      {view['store']}, format {view['schema_version']}, {view['file_bytes']:,} bytes")
    out.print("Key        " + (f"{fingerprint} (fingerprint)" if fingerprint else "not there"))
    out.print(f"Documents  {view['documents']:,} with {counted(view['chunks'], 'passage')}")
    if view["embedder"] is not None:
        out.print(f"Embedder   {view['embedder']}, {view['dimensions']:,} dimensions: {_embedded(view)}")
    for kind, count in view["kinds"].items():
        out.print(f"Format     {kind}: {count:,}")
    for entry in view["scopes"]:
        out.print(f"Scope      {_shown(entry)}: {_totals(entry)}")


def _embedded(view: View) -> str:
    """How many passages have a vector; over the whole store, whatever scope was named."""
    if not view["without_vector"]:
        return "every passage has a vector"
    return (
        f"{counted(view['vectors'], 'vector')}, {counted(view['without_vector'], 'passage')} without "
        "(`symfonic-knowledge embed` completes them)"
    )


_MENDED: Final = (
    "Damaged vectors are replaced by `symfonic-knowledge embed`; for any other fault {anew} and ingest again, or take "
    "a {kept} back."
)


def check_store(
    *,
    store: str | None = options.STORE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> int:
    """Read the whole store and say what is wrong with it; exit 1 where anything is."""
    chosen = place(store, settings, embedder=NO_EMBEDDER)
    with chosen.open_to_keep() as knowledge:
        view = check_store_view(str(chosen.path), knowledge.check())
    if as_json:
        write_json(view)
    else:
        out = console()
        for fault in view["faults"]:
            out.print(f"Fault: {fault}", soft_wrap=True)
        found = "sound" if view["sound"] else f"damaged, {counted(len(view['faults']), 'fault')}"
        out.print(f"{view['store']}: {found}", soft_wrap=True)
        if not view["sound"]:
            is_file = isinstance(chosen.path, Path)
            anew = "move the file away" if is_file else "name another store"
            out.print(_MENDED.format(anew=anew, kept="copy" if is_file else "backup of the server"), soft_wrap=True)
    return 0 if view["sound"] else 1


def forget(
    pattern: str | None = options.PATTERN,
    *,
    vacuum: bool = options.VACUUM,
    store: str | None = options.STORE,
    scope: list[str] | None = options.SCOPE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> None:
    """Remove what a file, label, origin or glob names, exactly at --scope; --scope alone takes all there and below."""
    whose = scope_of(scope)
    if pattern is None and whose is None:
        raise typer.BadParameter("name what to forget: LABEL-OR-GLOB, --scope KIND:ID, or both")
    with place(store, settings, embedder=NO_EMBEDDER).open_to_keep() as knowledge:
        before = _origins(knowledge, whose, below=pattern is None)
        removal = knowledge.forget(None if pattern is None else readable(pattern), scope=whose)
        if not removal.documents and not removal.chunks:
            raise InputError(
                "forgetting names something that is stored; nothing matched and nothing was removed; "
                "`symfonic-knowledge list` shows what is stored and in which scope, and `symfonic-knowledge vacuum` "
                "rewrites the store after an earlier removal"
            )
        gone = before - _origins(knowledge, whose, below=pattern is None)
        if vacuum:
            _rewrite(knowledge, removal)
    view = removal_view(removal, sorted(origin for _, _, origin in gone), vacuumed=vacuum)
    if as_json:
        write_json(view)
        return
    names = Counter((scope_path, file) for scope_path, file, _ in gone)
    out = console()
    for scope_path, file, origin in sorted(gone):
        if names[scope_path, file] > 1:
            out.print(f"{safe_source(file)} of {showable(origin)}", soft_wrap=True)
    tail = ", store rewritten" if vacuum else ""
    out.print(f"Forgotten: {_totals(view)}{tail}")


def _rewrite(knowledge: KnowledgeBase, removal: Removal) -> None:
    """Rewrite the store behind a removal; a failure must not read as if nothing had been removed.

    Raises:
        StoreFailedError: The store could not be rewritten.
    """
    try:
        knowledge.vacuum()
    except StoreFailedError as error:
        raise StoreFailedError(
            f"forget --vacuum removes first and rewrites the store then; {counted(removal.documents, 'document')} with "
            f"{counted(removal.chunks, 'passage')} went and cannot be found any more, and the store was not "
            f"rewritten: {error}; do not forget again, and run `symfonic-knowledge vacuum` as who may"
        ) from error


def _origins(knowledge: KnowledgeBase, scope: ScopePath | None, *, below: bool) -> set[tuple[str, str, str]]:
    """Scope path, file and origin of what a removal can reach: exactly at a scope, or also ``below`` it."""
    at = scope or ScopePath()
    records = knowledge.documents(scope=None if below else at)
    return {
        (document.scope_path, document.file, document.origin)
        for document in (record.document for record in records)
        if not below or str(at) in ScopePath.parse(document.scope_path).ancestors()
    }


def vacuum(
    *,
    store: str | None = options.STORE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> None:
    """Write the store anew, so that nothing of what was removed or replaced is left in its files."""
    chosen = place(store, settings, embedder=NO_EMBEDDER)
    with chosen.open_to_keep() as knowledge:
        before = knowledge.stats().file_bytes
        knowledge.vacuum()
        view = vacuum_view(str(chosen.path), before, knowledge.stats().file_bytes)
    if as_json:
        write_json(view)
    else:
        console().print(
            f"Rewritten: {view['store']}, {view['file_bytes_before']:,} bytes before, {view['file_bytes']:,} now",
            soft_wrap=True,
        )


def export(
    *,
    store: str | None = options.STORE,
    scope: list[str] | None = options.ANY_SCOPE,
    settings: str | None = options.SETTINGS,
) -> None:
    """Write every passage with its document as JSON lines: of every scope, or exactly of one."""
    whose = scope_of(scope)
    with place(store, settings, embedder=NO_EMBEDDER).open_to_keep() as knowledge:
        for stored in knowledge.export(scope=whose):
            sys.stdout.write(json.dumps(export_view(stored)) + "\n")


def _totals(view: View) -> str:
    return f"{counted(view['documents'], 'document')}, {counted(view['chunks'], 'passage')}"


def _shown(row: View) -> str:
    return " ".join(row["scope"]) or "(everybody)"
