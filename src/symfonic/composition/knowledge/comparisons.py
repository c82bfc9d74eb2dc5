"""Means over queries with their intervals, and evaluations beside each other.

Rules of this module: values and arithmetic over them, and the one file format for values of single queries. Every value
is a number from 0 to 1, as all measures are, wherever it comes from. Resampling is a library's work.
"""

from __future__ import annotations

import math
import os
import re
import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import AdapterError

from ._line_files import opened, require_path
from .errors import InputError, MissingExtraError, SettingsError, type_name
from .judgements import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from symfonic.adapters.knowledge.measures.trec import TrecMeasures

__all__ = ["Estimate", "paired_differences", "read_per_query", "write_per_query"]

RESAMPLES: Final = 10_000
_MOST_BYTES: Final = 200_000_000
_MOST_SHORT: Final = 0xFFFF
_HEADING: Final = "query-id"
_ROUNDING: Final = 1e-9
"""How far beyond 1 the sums of a measure may round."""
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,20}(?:\.[0-9]{1,20})?(?:[eE][+-]?[0-9]{1,3})?")
_ESCAPE: Final = re.compile(r"\\(?:\\|u([0-9a-f]{4})|U(?=00(?:0[1-9a-f]|10))([0-9a-f]{8}))")


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
        other: That of another one. Only queries of both count; those of one alone are for the caller to tell.
        resamples: As in :func:`evaluate`.
        seed: As in :func:`evaluate`.

    Raises:
        InputError: They have no query or no measure in common, or one of them is no values of single queries: ids that
            are text without lone surrogates, the same measures for each, numbers from 0 to 1.
        MissingExtraError, SettingsError: As :func:`evaluate`.
    """
    means = Means(resamples, seed)
    before, after = _values(base), _values(other)
    queries = sorted(before.keys() & after.keys())
    names = [name for name in after[queries[0]] if name in before[queries[0]]] if queries else []
    if not names:
        raise InputError(
            "evaluations are compared query by query; these two have no query or no measure in common and nothing was "
            "compared; compare runs over the same queries"
        )
    return {name: means.of([after[query][name] - before[query][name] for query in queries]) for name in names}


def write_per_query(path: str | os.PathLike[str], per_query: Mapping[str, Mapping[str, float]]) -> None:
    r"""Write values of single queries as a table parted by tabs: ``query-id`` and one column for each measure.

    In an id a backslash is doubled, and what is not printable stands as ``\uXXXX`` or ``\UXXXXXXXX``, so that every id
    is one cell of one line and is read back as it was. Values have six decimals.

    Raises:
        InputError: ``path`` is none, the file cannot be written, or ``per_query`` is none, as in
            :func:`paired_differences`. Nothing was written.
    """
    named = require_path(path)
    table = _values(per_query)
    names = list(next(iter(table.values()), {}))
    lines = ["\t".join([_HEADING, *map(_cell, names)])]
    lines += ["\t".join([_cell(query), *(f"{values[name]:.6f}" for name in names)]) for query, values in table.items()]
    try:
        Path(named).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(
            f"values of queries are written to a file; {named!a} could not be written ({error.strerror}); "
            "check the path"
        ) from error


def read_per_query(path: str | os.PathLike[str]) -> dict[str, dict[str, float]]:
    """Read what :func:`write_per_query` wrote; lines may end as another system ends them.

    Raises:
        InputError: ``path`` is none, the file cannot be read, or is no such table; the message names the line.
    """
    with opened(path) as file:
        data = file.read(_MOST_BYTES + 1)
    try:
        return _table(data)
    except _TableError as error:
        raise InputError(
            f"a baseline is the file that --per-query of an earlier run wrote; {os.fspath(path)!a} is none ({error}) "
            "and nothing was compared; name another"
        ) from error


def _values(per_query: object) -> dict[str, dict[str, float]]:
    """Values of single queries, checked: nothing else can be compared, or would be read back from a file.

    Raises:
        InputError: They are none.
    """
    found = {_name(query): _measured(values) for query, values in _pairs(per_query)}
    if len({frozenset(values) for values in found.values()}) > 1:
        raise _refused("queries with different measures")
    return found


def _measured(values: object) -> dict[str, float]:
    return {_name(name): _number(value) for name, value in _pairs(values)}


def _pairs(mapping: object) -> Iterable[tuple[object, object]]:
    if not isinstance(mapping, Mapping):
        raise _refused(type_name(mapping))
    return mapping.items()


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise _refused(f"{type_name(name)} as an id")
    if not name or _has_surrogates(name):
        raise _refused(f"{shown(name)} as an id")
    return name


def _has_surrogates(name: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in name)


def _number(value: object) -> float:
    try:
        number = float(value) if not isinstance(value, bool) and isinstance(value, Real) else math.nan
    except Exception:  # noqa: BLE001 - beyond every float, or a foreign number, which may raise anything
        number = math.nan
    if not _is_measured(number):
        raise _refused("a value that is no number from 0 to 1")
    return number


def _is_measured(number: float) -> bool:
    """Whether any measure could be that; NaN is none."""
    return 0 <= number <= 1 + _ROUNDING


def _refused(what: str) -> InputError:
    return InputError(
        "values of single queries are a mapping of each query id, text without lone surrogates, to the same measures, "
        f"each a number from 0 to 1; there is {what}, and nothing was compared or written; pass per_query of an "
        "evaluation, or what read_per_query reads"
    )


class _TableError(Exception):
    """Why some bytes are no table of values."""


def _table(data: bytes) -> dict[str, dict[str, float]]:
    if len(data) > _MOST_BYTES:
        raise _TableError(f"it has more than {_MOST_BYTES:,} bytes")
    try:
        lines = data.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        at = data.count(b"\n", 0, error.start) + 1
        raise _TableError(f"line {at}: it is no UTF-8 text") from error
    names = _names(lines[0].removesuffix("\r"))
    found: dict[str, dict[str, float]] = {}
    for number, line in enumerate(lines[1:], 2):
        if not line.removesuffix("\r"):
            continue
        cell, *cells = line.removesuffix("\r").split("\t")
        query = _id(cell, number)
        if query in found:
            raise _TableError(f"line {number}: the query {shown(query)} stands on an earlier line already")
        if len(cells) != len(names):
            raise _TableError(f"line {number}: it has {len(cells)} values for {len(names)} measures")
        found[query] = {name: _value(cell, number) for name, cell in zip(names, cells, strict=True)}
    if not found:
        raise _TableError("it has no line of values")
    return found


def _names(line: str) -> list[str]:
    first, *cells = line.split("\t")
    if first != _HEADING or not cells:
        raise _TableError(f"line 1: it is no heading of {_HEADING} and measures")
    names = [_id(cell, 1) for cell in cells]
    if len(set(names)) < len(names):
        raise _TableError("line 1: a measure stands in two columns")
    return names


def _value(cell: str, number: int) -> float:
    value = float(cell) if _NUMBER.fullmatch(cell) else math.nan
    if not _is_measured(value):
        raise _TableError(f"line {number}: {shown(cell)} is no value from 0 to 1")
    return value


def _cell(name: str) -> str:
    """An id that is one cell of one line, whatever its author wrote; :func:`_id` takes it back."""
    return "".join(_escaped(character) for character in name)


def _escaped(character: str) -> str:
    if character == "\\":
        return "\\\\"
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= _MOST_SHORT else f"\\U{code:08x}"


def _id(cell: str, number: int) -> str:
    if not cell or "\\" in _ESCAPE.sub("", cell):
        raise _TableError(f"line {number}: {shown(cell)} is no id as it is written there")
    name = _ESCAPE.sub(lambda found: _unescaped(found[1] or found[2]), cell)
    if _has_surrogates(name):
        raise _TableError(f"line {number}: {shown(cell)} is no id as it is written there")
    return name


def _unescaped(digits: str | None) -> str:
    return "\\" if digits is None else chr(int(digits, 16))


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
