"""``ingest``, ``embed`` and ``index``: documents into the store, vectors for their passages, and the index over these.

Rules of this module: show progress on standard error, list what could not be read, sum up. A file that fails is no
failure of the command, unless ``--strict`` says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from symfonic.composition.knowledge import NO_EMBEDDER, FileOutcome, require_paths, showable
from symfonic.frontends.knowledge._views import (
    QUIET_OUTCOMES,
    View,
    as_counts,
    counted,
    embed_view,
    hidden_characters,
    index_view,
    report_view,
    scope_view,
)

from . import _options as options
from ._output import console, say, write_json
from ._progress import progress
from ._session import place, scope_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from symfonic.capabilities.knowledge import ScopePath
    from symfonic.composition.knowledge import KnowledgeBase

_UNREACHED: Final = frozenset({FileOutcome.MISSING, FileOutcome.UNREADABLE})
_SHOWN_UNSUPPORTED: Final = 3
"""Files of a format that cannot be read which are named; a folder of pictures would push everything else away."""
_TROUBLE: Final = _UNREACHED | {FileOutcome.FAILED}


def ingest(  # noqa: PLR0913 - one parameter for each option
    paths: list[str] = options.PATHS,
    *,
    prune: bool = options.PRUNE,
    strict: bool = options.STRICT,
    max_chunk_chars: int | None = options.MAX_CHUNK_CHARS,
    workers: int | None = options.WORKERS,
    embedder: str | None = options.EMBEDDER,
    store: str | None = options.STORE,
    scope: list[str] | None = options.SCOPE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> int:
    """Read files and folders into the store. What did not change is left alone."""
    whose = scope_of(scope)
    chosen = place(store, settings, max_chunk_chars=max_chunk_chars, workers=workers, embedder=embedder)
    require_paths(paths, prune=prune)  # here as well, because opening makes a store
    with chosen.open(create=True) as knowledge, progress() as on_progress:
        _warn_of_sharing(knowledge, whose)
        report = knowledge.ingest(*paths, scope=whose, prune=prune, on_progress=on_progress)
    view = report_view(report)
    if as_json:
        write_json(view)
    else:
        _print_report(view, whose, str(chosen.path))
    return exit_code((item.outcome for item in report.items), strict=strict)


def exit_code(outcomes: Iterable[FileOutcome], *, strict: bool) -> int:
    """0 where any file could be reached, or there is none; with ``strict`` where none failed or could not be."""
    found = set(outcomes)
    if strict:
        return 1 if found & _TROUBLE else 0
    return 1 if found and found <= _UNREACHED else 0


def embed(
    *,
    anew: bool = options.ANEW,
    embedder: str | None = options.EMBEDDER,
    store: str | None = options.STORE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> None:
    """Give a vector to every stored passage that has none. Interrupted, it goes on where it was."""
    chosen = place(store, settings, embedder=embedder)
    with chosen.open() as knowledge:
        with progress() as on_progress:
            embedded = knowledge.embed(anew=anew, on_progress=on_progress)
        used = knowledge.embedder
        name = "" if used is None else used.name
        view = embed_view(str(chosen.path), name, embedded, knowledge.stats().vectors)
    if as_json:
        write_json(view)
    else:
        console().print(
            f"{counted(embedded, 'passage')} embedded with {view['embedder']}, {counted(view['vectors'], 'vector')} in "
            f"{view['store']}",
            soft_wrap=True,
        )


def index(
    *,
    store: str | None = options.STORE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> int:
    """Build the index of vectors of a store in PostgreSQL, while others ask and change it; exit 1 where none is."""
    chosen = place(store, settings, embedder=NO_EMBEDDER)
    with chosen.open_to_keep() as knowledge:
        view = index_view(str(chosen.path), indexed=knowledge.build_index())
    if as_json:
        write_json(view)
    elif view["indexed"]:
        console().print(f"Indexed: {view['store']}", soft_wrap=True)
    else:
        say(
            "There is no index now: no vector is stored yet, or somebody else is building it. Ingest with an embedder "
            "first, or wait, and run this command again."
        )
    return 0 if view["indexed"] else 1


def _warn_of_sharing(knowledge: KnowledgeBase, scope: ScopePath | None) -> None:
    """Say what a forgotten scope would do to a store that keeps tenants apart."""
    if scope is None and any(path for path, _, _ in knowledge.stats().scopes):
        say(
            "Note: this store keeps scopes apart, and no --scope was given: what is ingested now is visible to all of "
            "them."
        )


def named_outcome(file: View) -> str:
    """The outcome of a file, with the name of the limit it exceeds where that is why."""
    return f"{file['outcome']} (limit:{file['limit']})" if file["limit"] else str(file["outcome"])


def _some(outcome: str, paths: list[str]) -> list[str]:
    """The files of an outcome: all of them where it is trouble, the first few where such files are only passed over."""
    if outcome != FileOutcome.UNSUPPORTED or len(paths) <= _SHOWN_UNSUPPORTED:
        return paths
    left = len(paths) - _SHOWN_UNSUPPORTED
    return [*paths[:_SHOWN_UNSUPPORTED], f"and {left:,} more; --json lists all"]


def _print_report(view: View, scope: ScopePath | None, path: str) -> None:
    alike: dict[tuple[str, str], list[str]] = {}
    for file in view["files"]:
        if left_out := hidden_characters(file):
            say(f"{file['path']}: {left_out}")
        if file["outcome"] not in QUIET_OUTCOMES:
            alike.setdefault((named_outcome(file), file["reason"]), []).append(file["path"])
    for (outcome, reason), paths in alike.items():
        if len(paths) == 1:
            say(f"{outcome}: {paths[0]}" + (f" ({reason})" if reason else ""))
        else:
            say(
                "\n  ".join(
                    (f"{outcome}, {len(paths):,} files" + (f": {reason}" if reason else ""), *_some(outcome, paths))
                )
            )
    if view["unembedded"]:
        say(
            f"Note: {counted(view['unembedded'], 'passage')} of the store could not be embedded and can be found by "
            "words alone; `symfonic-knowledge embed` says why."
        )
    counts = as_counts(view["counts"]) or "no files found"
    oversized = view["oversized_units"]
    split = f" ({counted(oversized, 'oversized unit')} split)" if oversized else ""
    whose = " ".join(scope_view(str(scope))) if scope else "everybody (no scope)"
    completed = f"; {counted(view['embedded'], 'earlier passage')} embedded" if view["embedded"] else ""
    console().print(
        f"{counts}; {counted(view['chunks'], 'passage')} added{split} for {whose} in {showable(path)}{completed}",
        soft_wrap=True,
    )
