"""How a long command says where it stands, on standard error.

Rules of this module: a bar where that is a terminal; elsewhere a line every half minute, so that a log shows that it
goes on and a short run leaves nothing in it. Times are those the knowledge base tells.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from symfonic.composition.knowledge import showable

from ._output import say, width_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from symfonic.composition.knowledge import CopyProgress, IngestProgress

_LINE_SECONDS: Final = 30.0
_NAME_CHARS: Final = 60
_MINUTE: Final = 60
_HOUR: Final = 3600


class _Timed(Protocol):
    """What says when it was said."""

    @property
    def elapsed(self) -> float | None: ...


class _Counting(_Timed, Protocol):
    """What says how far it is, and how fast."""

    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def passages(self) -> int: ...
    @property
    def rate(self) -> float | None: ...
    @property
    def remaining(self) -> float | None: ...


_Progress = TypeVar("_Progress", bound=_Timed)
_Paced = TypeVar("_Paced", bound=_Counting)


@contextmanager
def progress() -> Iterator[Callable[[IngestProgress], None]]:
    """Something to tell the progress of an ingestion to."""
    with _shown(_line_of, _doing) as tell:
        yield tell


@contextmanager
def copy_progress() -> Iterator[Callable[[CopyProgress], None]]:
    """Something to tell the progress of a copy to."""
    with _shown(_copy_line_of, lambda progress: progress.stage) as tell:
        yield tell


@contextmanager
def _shown(line_of: Callable[[_Paced], str], doing: Callable[[_Paced], str]) -> Iterator[Callable[[_Paced], None]]:
    if not sys.stderr.isatty():
        yield in_lines(line_of)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    # No column reads markup: names of files may hold brackets.
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[pace]}", markup=False),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True, width=width_of(sys.stderr)), transient=True) as bar:
        task = bar.add_task("", total=None, pace="")

        def advance(progress: _Paced) -> None:
            bar.update(
                task,
                total=progress.total,
                completed=progress.done,
                pace=_pace(progress),
                description=doing(progress),
            )

        yield advance


def in_lines(line_of: Callable[[_Progress], str]) -> Callable[[_Progress], None]:
    """Something to tell progress to that says a line every half minute: what ``line_of`` makes of it."""
    due = _LINE_SECONDS

    def tell(progress: _Progress) -> None:
        nonlocal due
        if progress.elapsed is not None and progress.elapsed >= due:
            due = progress.elapsed + _LINE_SECONDS
            say(line_of(progress))

    return tell


def _line_of(progress: IngestProgress) -> str:
    return f"{progress.done:,} of {progress.total:,} {progress.unit}, {_pace(progress)}".rstrip(", ")


def _doing(progress: IngestProgress) -> str:
    return showable(progress.current)[-_NAME_CHARS:] if progress.unit == "files" else "embedding"


def _copy_line_of(progress: CopyProgress) -> str:
    return f"{progress.stage}: {progress.done:,} of {progress.total:,} documents, {_pace(progress)}".rstrip(", ")


def _pace(progress: _Counting) -> str:
    """Passages, their rate, and the time that remains; what is not known is left out."""
    known = [] if getattr(progress, "unit", "") == "passages" else [f"{progress.passages:,} passages"]
    if progress.rate:
        known.append(f"{progress.rate:,.0f}/s" if progress.rate >= 1 else "under 1/s")
    if progress.remaining is not None and progress.done < progress.total:
        known.append(f"{as_time(progress.remaining)} left")
    return ", ".join(known)


def as_time(seconds: float) -> str:
    """Seconds as a person says them."""
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE:02} s"
    return f"{whole // _HOUR:,} h {whole % _HOUR // _MINUTE:02} min"
