"""Means over queries with their intervals, and evaluations beside each other.

Rules of this module: values and arithmetic over them, and the one file format for values of single queries. Resampling
is a library's work.
"""

from __future__ import annotations

import math
import os
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import AdapterError

from .errors import InputError, MissingExtraError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from symfonic.adapters.knowledge.measures.trec import TrecMeasures

__all__ = ["Estimate", "paired_differences", "read_per_query", "write_per_query"]

RESAMPLES: Final = 10_000
_MOST_BYTES: Final = 200_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean over queries.

    Attributes:
        value: The mean.
        interval: Bootstrap interval of 95 % over queries; ``None`` where there is one query only.
    """

    value: float
    interval: tuple[float, float] | None


def paired_differences(
    base: Mapping[str, Mapping[str, float]],
    other: Mapping[str, Mapping[str, float]],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> dict[str, Estimate]:
    """How much better ``other`` did than ``base``, query by query: the mean difference of every measure of both.

    An interval that does not hold 0 is a difference that other queries of this kind would show as well.

    Args:
        base: ``per_query`` of an evaluation.
        other: That of another one. Only queries of both count.
        resamples: As in :func:`evaluate`.
        seed: As in :func:`evaluate`.

    Raises:
        InputError: They have no query or no measure in common.
        MissingExtraError, SettingsError: As :func:`evaluate`.
    """
    means = Means(resamples, seed)
    queries = sorted(base.keys() & other.keys())
    names = [name for name in (other[queries[0]] if queries else ()) if name in base[queries[0]]]
    if not names:
        raise InputError(
            "evaluations are compared query by query; these two have no query or no measure in common and nothing was "
            "compared; compare runs over the same queries"
        )
    return {name: means.of([other[query][name] - base[query][name] for query in queries]) for name in names}


def write_per_query(path: str | os.PathLike[str], per_query: Mapping[str, Mapping[str, float]]) -> None:
    """Write values of single queries as a table parted by tabs: ``query-id`` and one column for each measure.

    Raises:
        InputError: The file cannot be written.
    """
    names = list(next(iter(per_query.values()), {}))
    lines = ["\t".join(["query-id", *names])]
    lines += [
        "\t".join([_cell(query), *(f"{values[name]:.6f}" for name in names)]) for query, values in per_query.items()
    ]
    try:
        Path(path).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(
            f"values of queries are written to a file; {os.fspath(path)!a} could not be written ({error.strerror}); "
            "check the path"
        ) from error


def _table(data: bytes) -> dict[str, dict[str, float]]:
    lines = [line.split("\t") for line in data.decode("utf-8").split("\n") if line]
    names = lines[0][1:]
    found = {query: dict(zip(names, map(float, cells), strict=True)) for query, *cells in lines[1:]}
    finite = all(math.isfinite(value) for row in found.values() for value in row.values())
    if not (names and found and finite and len(data) <= _MOST_BYTES):
        raise ValueError
    return found


def _cell(name: str) -> str:
    """An id that is one cell of one line, whatever its author wrote."""
    return "".join(character if character.isprintable() else f"\\u{ord(character):04x}" for character in name)


def read_per_query(path: str | os.PathLike[str]) -> dict[str, dict[str, float]]:
    """Read what :func:`write_per_query` wrote.

    Raises:
        InputError: The file cannot be read, or is no such table.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        found = _table(data)
    except OSError as error:
        raise InputError(
            f"values of queries are read from a file; {os.fspath(path)!a} could not be read ({error.strerror}); check "
            "the path"
        ) from error
    except (ValueError, IndexError) as error:
        raise InputError(
            f"a baseline is the file that --per-query of an earlier run wrote; {os.fspath(path)!a} is none and nothing "
            "was compared; name another"
        ) from error
    return found


class Means:
    """The measures, and means with their intervals."""

    def __init__(self, resamples: int, seed: int) -> None:
        for name, value, least, most in (("resamples", resamples, 100, 1_000_000), ("seed", seed, 0, 2**63 - 1)):
            if type(value) is not int or not least <= value <= most:
                raise SettingsError(
                    f"{name} is a whole number from {least:,} to {most:,}, not {value!a}; nothing was measured; "
                    "correct it"
                )
        self.resamples, self.seed = resamples, seed
        self.measures = _measures()
        self._known: dict[tuple[float, ...], Estimate] = {}

    def of(self, values: Sequence[float]) -> Estimate:
        """The mean over queries. Ceilings that change nothing give equal values, which are resampled once."""
        key = tuple(values)
        if key not in self._known:
            interval = self.measures.interval(key, resamples=self.resamples, seed=self.seed)
            self._known[key] = Estimate(value=statistics.fmean(key), interval=interval)
        return self._known[key]


def _measures() -> TrecMeasures:
    from symfonic.adapters.knowledge.measures.trec import TrecMeasures

    try:
        return TrecMeasures()
    except AdapterError as error:
        raise MissingExtraError(str(error)) from error
