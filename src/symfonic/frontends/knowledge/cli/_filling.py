"""``ingest``: documents into the store.

Rules of this module: show progress on standard error where that is a terminal, list what could not be read, sum up.
A file that fails is no failure of the command, unless ``--strict`` says so.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from symfonic.composition.knowledge import require_paths, showable
from symfonic.frontends.knowledge._views import QUIET_OUTCOMES, View, as_counts, counted, report_view, scope_view

from . import _options as options
from ._output import console, say, width_of, write_json
from ._session import place, scope_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from symfonic.capabilities.knowledge import ScopePath
    from symfonic.composition.knowledge import IngestProgress, KnowledgeBase

_UNREACHED: Final = frozenset({"missing", "unreadable"})


def ingest(
    paths: list[str] = options.PATHS,
    *,
    prune: bool = options.PRUNE,
    strict: bool = options.STRICT,
    max_chunk_chars: int | None = options.MAX_CHUNK_CHARS,
    store: str | None = options.STORE,
    scope: list[str] | None = options.SCOPE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> int:
    """Read files and folders into the store. What did not change is left alone."""
    whose = scope_of(scope)
    chosen = place(store, settings, max_chunk_chars=max_chunk_chars)
    require_paths(paths)  # here as well, because opening makes a store
    with chosen.open(create=True) as knowledge, _progress() as on_progress:
        _warn_of_sharing(knowledge, whose)
        report = knowledge.ingest(*paths, scope=whose, prune=prune, on_progress=on_progress)
    view = report_view(report)
    if as_json:
        write_json(view)
    else:
        _print_report(view, whose, str(chosen.path))
    reached = not view["files"] or any(file["outcome"] not in _UNREACHED for file in view["files"])
    return 0 if (report.ok if strict else reached) else 1


def _warn_of_sharing(knowledge: KnowledgeBase, scope: ScopePath | None) -> None:
    """Say what a forgotten scope would do to a store that keeps tenants apart."""
    if scope is None and any(path for path, _, _ in knowledge.stats().scopes):
        say(
            "Note: this store keeps scopes apart, and no --scope was given: what is ingested now is visible to all of "
            "them."
        )


def _print_report(view: View, scope: ScopePath | None, path: str) -> None:
    alike: dict[tuple[str, str], list[str]] = {}
    for file in view["files"]:
        if file["outcome"] not in QUIET_OUTCOMES:
            alike.setdefault((file["outcome"], file["reason"]), []).append(file["path"])
    for (outcome, reason), paths in alike.items():
        if len(paths) == 1:
            say(f"{outcome}: {paths[0]}" + (f" ({reason})" if reason else ""))
        else:
            say("\n  ".join((f"{outcome}, {len(paths):,} files" + (f": {reason}" if reason else ""), *paths)))
    counts = as_counts(view["counts"]) or "no files found"
    oversized = view["oversized_units"]
    split = f" ({counted(oversized, 'oversized unit')} split)" if oversized else ""
    whose = " ".join(scope_view(str(scope))) if scope else "everybody (no scope)"
    console().print(
        f"{counts}; {counted(view['chunks'], 'passage')} added{split} for {whose} in {showable(path)}", soft_wrap=True
    )


@contextmanager
def _progress() -> Iterator[Callable[[IngestProgress], None] | None]:
    """Something to tell progress to, where standard error is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    # No column reads markup: names of files may hold brackets.
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=Console(stderr=True, width=width_of(sys.stderr)), transient=True) as bar:
        task = bar.add_task("", total=None)

        def advance(progress: IngestProgress) -> None:
            bar.update(
                task, total=progress.total, completed=progress.done, description=showable(progress.current)[-60:]
            )

        yield advance
