"""Files that a command writes, looked at before it does any work.

Rules of this module: it only looks. What could not be written, or would replace what the command itself reads, is wrong
use and refused with the option's name.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from typer import BadParameter

from symfonic.composition.knowledge import InputError, chart_path

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["check_outputs"]


def check_outputs(
    read: Mapping[str, str | os.PathLike[str] | None], *, per_query: str | None, chart: str | None
) -> None:
    """Refuse what would be known to fail, or to destroy something, only when everything is measured.

    Args:
        read: Name to path of what the command reads or keeps; ``None`` where it does not.
        per_query: Where values of queries go, if anywhere.
        chart: Where a picture goes, if anywhere.

    Raises:
        BadParameter: One is a folder, has no folder, cannot be written, or is a file that is read or written as well.
    """
    taken = {name: path for name, path in read.items() if path is not None}
    if chart is not None:
        try:
            chart_path(chart)
        except InputError as error:
            raise BadParameter(str(error), param_hint="--chart") from error
        _check_place(chart, "--chart")
        _check_apart(chart, "--chart", taken)
        taken["--chart"] = chart
    if per_query is not None:
        _check_place(per_query, "--per-query")
        _check_apart(per_query, "--per-query", taken)


def _check_place(path: str, option: str) -> None:
    place = Path(path)
    folder = place.absolute().parent
    if not folder.is_dir():
        raise BadParameter(
            f"a result is written to a file in a folder that exists; there is none for {path!a} and nothing was "
            "measured; make it, or name another",
            param_hint=option,
        )
    if place.is_dir():
        raise BadParameter(
            f"a result is written to a file; {path!a} is a folder and nothing was measured; name a file in it",
            param_hint=option,
        )
    if not os.access(place if place.exists() else folder, os.W_OK):
        raise BadParameter(
            f"a result is written to a file that may be written; {path!a} may not and nothing was measured; name "
            "another, or change its permissions",
            param_hint=option,
        )


def _check_apart(path: str, option: str, taken: Mapping[str, str | os.PathLike[str]]) -> None:
    for name, other in taken.items():
        if _same(path, other):
            raise BadParameter(
                f"a result goes to a file of its own; {path!a} is that of {name}, which would be overwritten, and "
                "nothing was measured; name another",
                param_hint=option,
            )


def _same(left: str | os.PathLike[str], right: str | os.PathLike[str]) -> bool:
    """Whether both paths lead to one file, through links as well, or would if it were there."""
    try:
        return Path(left).samefile(right)
    except OSError:
        return os.path.realpath(left) == os.path.realpath(right)
