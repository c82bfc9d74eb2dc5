"""``ingest``: documents into the store.

Rules of this module: show progress on standard error where that is a terminal, list what could not be read, sum up.
A file that fails is no failure of the command.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from os.path import lexists
from typing import TYPE_CHECKING, Final

from symfonic.composition.knowledge import showable
from symfonic.frontends.knowledge._views import QUIET_OUTCOMES, View, as_counts, report_view

from . import _options as options
from ._output import console, say, write_json
from ._reporting import InputError
from ._session import place, scope_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from symfonic.composition.knowledge import IngestProgress

_UNREACHED: Final = frozenset({"missing", "unreadable"})


def ingest(
    paths: list[str] = options.PATHS,
    *,
    prune: bool = options.PRUNE,
    max_chunk_chars: int | None = options.MAX_CHUNK_CHARS,
    store: str | None = options.STORE,
    scope: list[str] | None = options.SCOPE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> int:
    """Read files and folders into the store. What did not change is left alone."""
    whose = scope_of(scope)
    chosen = place(store, settings, max_chunk_chars=max_chunk_chars)
    if not any(lexists(path) for path in paths):
        raise InputError(
            f"documents are read from files and folders; there is nothing at {', '.join(map(repr, paths))} and no "
            "store was touched; check the spelling"
        )
    with chosen.open(create=True) as knowledge, _progress() as on_progress:
        report = knowledge.ingest(*paths, scope=whose, prune=prune, on_progress=on_progress)
    view = report_view(report)
    if as_json:
        write_json(view)
    else:
        _print_report(view, str(chosen.path))
    reached = not view["files"] or any(file["outcome"] not in _UNREACHED for file in view["files"])
    return 0 if reached else 1


def _print_report(view: View, path: str) -> None:
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
    cut = f", {oversized:,} oversized units cut" if oversized else ""
    console().print(f"{counts}; {view['chunks']:,} passages stored{cut} in {showable(path)}", soft_wrap=True)


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
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def advance(progress: IngestProgress) -> None:
            bar.update(
                task, total=progress.total, completed=progress.done, description=showable(progress.current)[-60:]
            )

        yield advance
