"""Selection: which rows render, in which order, and why each other row does not.

Rules of this module: a pure function of the rows as a *set*. Ranking is total, a row is admitted or dropped whole, and
every row that came in is either admitted or dropped with a reason. It knows no store and asks none.
"""

from __future__ import annotations

import math
from collections import Counter
from numbers import Real
from typing import TYPE_CHECKING, NamedTuple

from ._fragments import FragmentSelection, RetrievedFragment
from ._hardening import TAG_LENGTH, confusable_pairs, fragment_tag, is_in_scope, shown_tags, visible_paths
from ._labels import label_skeleton, safe_source, tagged_label
from ._markers import neutralise_markers
from ._reasons import DropCode, DropReason, drop_reason
from ._text import clean_content, exact_str, is_encodable, shows_blank

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._policy import RetrievalPolicy

Drop = tuple[str, DropReason]
Ranked = tuple[float, str, str, int]


def select_fragments(
    fragments: Iterable[RetrievedFragment], policy: RetrievalPolicy, *, scope_path: str = ""
) -> FragmentSelection:
    """Decide which rows render and in which order.

    Any permutation of the same rows gives the same bytes, the same revision and the same drops. Nothing is cut.

    Args:
        fragments: Every row of one answer; all of it is read and ranked.
        policy: The ceilings in force.
        scope_path: For whom the rows were asked; part of keyed labels and of the scope proof.

    Returns:
        Admitted rows in the order ``(-score, source, content)``; unusable rows first among the dropped, then the
        others in rank order.
    """
    rows: list[RetrievedFragment] = []
    ranked: list[Ranked] = []
    unusable: list[tuple[object, DropReason]] = []
    for row in fragments:
        _screen(row, rows, ranked, unusable)
    ranked.sort()
    unusable.sort(key=_unusable_key)
    chooser = _Chooser(policy, scope_path, rows)
    chooser.walk(ranked)
    admitted, dropped, lines = chooser.settle()
    return FragmentSelection(
        admitted,
        (*unusable, *dropped),  # type: ignore[arg-type]  # a source that is no text is reported as it came
        lines=lines,
        confusable=_confusable(admitted) if policy.report_confusables else (),
    )


# ------------------------------------------------------------------------------------------------ unusable rows


def _screen(
    row: object,
    rows: list[RetrievedFragment],
    ranked: list[Ranked],
    unusable: list[tuple[object, DropReason]],
) -> None:
    """Put one row among the ranked or the unusable. Nothing it holds may raise here."""
    if type(row) is RetrievedFragment:
        content, source, score = row.content, row.source, row.score
        if (
            type(score) is float
            and type(content) is str
            and type(source) is str
            and math.isfinite(score)
            and content.isascii()
            and source.isascii()
            and "!" <= content[:1] <= "~"
        ):  # the ordinary row: nothing to convert, nothing to doubt
            ranked.append((-score, source, content, len(rows)))
            rows.append(row)
            return
    exact = _exact_row(row)
    if isinstance(exact, RetrievedFragment):
        ranked.append((-exact.score, exact.source, exact.content, len(rows)))
        rows.append(exact)
    else:
        unusable.append(exact)


def _exact_row(row: object) -> RetrievedFragment | tuple[object, DropReason]:
    """Return the row with plain ``str`` and ``float`` in it, or its raw source with the reason it is unusable."""
    try:
        if isinstance(row, RetrievedFragment):
            return _converted(row)
        return ("", drop_reason(DropCode.BAD_CONTENT, detail=f"the row is a {type(row).__name__}"))
    except Exception as error:  # noqa: BLE001 - a store's own classes may raise anything; that costs their row only
        return ("", drop_reason(DropCode.BAD_CONTENT, detail=f"reading the row raised {type(error).__name__}"))


def _converted(row: RetrievedFragment) -> RetrievedFragment | tuple[object, DropReason]:
    source: object = exact_str(row.source) if isinstance(row.source, str) else row.source
    content: object = exact_str(row.content) if isinstance(row.content, str) else row.content
    number = _number(row.score)
    if not isinstance(source, str):
        return (source, drop_reason(DropCode.BAD_SOURCE, detail=f"a {type(source).__name__}"))
    if not isinstance(content, str):
        return (source, drop_reason(DropCode.BAD_CONTENT, detail=f"a {type(content).__name__}"))
    reason = _fault(content, source, number)
    return (source, reason) if reason else RetrievedFragment(content, source, number, row.metadata)


def _fault(content: str, source: str, number: float) -> DropReason | None:
    if not math.isfinite(number):
        return drop_reason(DropCode.BAD_SCORE)
    if not (is_encodable(source) and is_encodable(content)):
        return drop_reason(DropCode.BAD_TEXT)
    return drop_reason(DropCode.BLANK) if shows_blank(content) else None


def _number(score: object) -> float:
    """Return the score as a plain float; NaN for all that is no real number or lies beyond the range of float."""
    if isinstance(score, bool) or not isinstance(score, Real):
        return math.nan
    try:
        return float(score)
    except Exception:  # noqa: BLE001 - OverflowError from a huge int, anything from a number class of the store's own
        return math.nan


def _unusable_key(drop: tuple[object, DropReason]) -> tuple[str, str, str, str]:
    source, reason = drop
    return (reason.code.value, type(source).__name__, _sortable(source), str(reason))


def _sortable(source: object) -> str:
    if isinstance(source, str):
        return source
    try:
        return repr(source)
    except Exception:  # noqa: BLE001 - an object that cannot even show itself still has to be listed
        return ""


# ---------------------------------------------------------------------------------------------------- admission


class _Admitted(NamedTuple):
    rank: int
    row: RetrievedFragment
    content: str
    tag: str
    line: str


class _Chooser:
    """One walk down the ranking. Reasons are kept by rank, so that what happens later can still be told in order."""

    __slots__ = (
        "_admitted",
        "_per_source",
        "_policy",
        "_ranked",
        "_reasons",
        "_rows",
        "_scope",
        "_seen",
        "_total",
        "_visible",
    )

    def __init__(self, policy: RetrievalPolicy, scope_path: str, rows: list[RetrievedFragment]) -> None:
        self._policy = policy
        self._scope = scope_path
        self._rows = rows
        self._ranked: list[Ranked] = []
        self._reasons: dict[int, DropReason] = {}
        self._admitted: list[_Admitted] = []
        self._per_source: Counter[str] = Counter()
        self._seen: set[tuple[str, str]] = set()
        self._total = 0
        self._visible = visible_paths(scope_path) if policy.prove_scope else frozenset()

    def walk(self, ranked: list[Ranked]) -> None:
        """Judge every ranked row, best first."""
        self._ranked = ranked
        over_limit = drop_reason(DropCode.OVER_LIMIT, ceiling=self._policy.limit)
        prove_scope, limit = self._policy.prove_scope, self._policy.limit
        for rank, (_, _, _, index) in enumerate(ranked):
            row = self._rows[index]
            if prove_scope and not is_in_scope(row, self._visible):
                self._reasons[rank] = drop_reason(DropCode.OUT_OF_SCOPE)
            elif len(self._admitted) >= limit:
                if not prove_scope:  # nothing can differ any more: the rest shares one reason
                    self._reasons.update(dict.fromkeys(range(rank, len(ranked)), over_limit))
                    return
                self._reasons[rank] = over_limit
            else:
                self._judge(rank, row)

    def _judge(self, rank: int, row: RetrievedFragment) -> None:
        reason = self._fault_before_rendering(row)
        if reason is None:
            candidate = self._rendered(rank, row)
            reason = self._fault_after_rendering(candidate)
            if reason is None:
                self._admit(candidate)
                return
        self._reasons[rank] = reason

    def _fault_before_rendering(self, row: RetrievedFragment) -> DropReason | None:
        policy = self._policy
        if row.score < policy.min_score:
            return drop_reason(DropCode.BELOW_FLOOR, row.score, policy.min_score)
        if len(row.content) > policy.max_fragment_chars:
            return drop_reason(DropCode.OVER_FRAGMENT, len(row.content), policy.max_fragment_chars)
        most = policy.max_per_source
        if most is not None and self._per_source[row.source] >= most:
            return drop_reason(DropCode.OVER_SOURCE, self._per_source[row.source] + 1, most)
        return None

    def _rendered(self, rank: int, row: RetrievedFragment) -> _Admitted:
        content = clean_content(row.content)
        if self._policy.neutralise_markers:
            content = neutralise_markers(content)[0]
        key = self._policy.key
        tag = "" if key is None else fragment_tag(key, self._scope, row.source, row.content)
        return _Admitted(rank, row, content, tag, _line(row, content, tag[:TAG_LENGTH]))

    def _fault_after_rendering(self, candidate: _Admitted) -> DropReason | None:
        if self._policy.drop_duplicates and (candidate.row.source, candidate.content) in self._seen:
            return drop_reason(DropCode.DUPLICATE)
        total = self._total + _cost(candidate.line, first=not self._admitted)
        if total > self._policy.max_total_chars:
            return drop_reason(DropCode.OVER_TOTAL, total, self._policy.max_total_chars)
        return None

    def _admit(self, candidate: _Admitted) -> None:
        self._total += _cost(candidate.line, first=not self._admitted)
        self._admitted.append(candidate)
        self._per_source[candidate.row.source] += 1
        self._seen.add((candidate.row.source, candidate.content))

    def settle(self) -> tuple[tuple[RetrievedFragment, ...], list[Drop], tuple[str, ...]]:
        """Lengthen tags that collide, count again, and tell the whole account."""
        if self._policy.key is not None:
            self._lengthen()
        admitted = tuple(candidate.row for candidate in self._admitted)
        dropped = [(self._ranked[rank][1], reason) for rank, reason in sorted(self._reasons.items())]
        hardened = self._policy.key is not None or self._policy.neutralise_markers
        return admitted, dropped, tuple(candidate.line for candidate in self._admitted) if hardened else ()

    def _lengthen(self) -> None:
        before = self._admitted
        tags = shown_tags([candidate.tag for candidate in before], TAG_LENGTH)
        self._admitted, self._total = [], 0
        for candidate, tag in zip(before, tags, strict=True):
            longer = candidate._replace(line=_line(candidate.row, candidate.content, tag))
            total = self._total + _cost(longer.line, first=not self._admitted)
            if total > self._policy.max_total_chars:
                self._reasons[candidate.rank] = drop_reason(DropCode.OVER_TOTAL, total, self._policy.max_total_chars)
            else:
                self._admitted.append(longer)
                self._total = total


def _cost(line: str, *, first: bool) -> int:
    return len(line) + (not first)


def _line(row: RetrievedFragment, content: str, tag: str) -> str:
    label = safe_source(row.source)
    return f"SOURCE [{tagged_label(label, tag) if tag else label}]: {content}"


def _confusable(admitted: Iterable[RetrievedFragment]) -> tuple[tuple[str, str], ...]:
    labels = {safe_source(row.source) for row in admitted}
    return confusable_pairs((str(label), label_skeleton(label)) for label in labels)
