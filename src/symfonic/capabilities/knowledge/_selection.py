"""Selection: which rows render, in which order, and why each other row does not.

Rules of this module: a pure function of the rows as a *set*. Ranking is total, a row is admitted or dropped whole, and
every row that came in is either admitted or dropped with a reason. It knows no store and asks none.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import partial
from itertools import islice
from math import isfinite
from numbers import Real
from operator import attrgetter, eq, itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from ._fragments import FragmentSelection, RetrievedFragment
from ._hardening import TAG_LENGTH, cap_groups, confusable_pairs, fragment_tag, is_in_scope, shown_tags, visible_paths
from ._labels import Label, label_skeleton, safe_source, tagged_label
from ._markers import neutralise_markers
from ._reasons import DropCode, DropReason, drop_reason, over_limit
from ._text import clean_content, exact_str, is_encodable, shows_blank

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._policy import RetrievalPolicy

Drop = tuple[str, DropReason]
BadRow = tuple[object, DropReason, object]
"""Raw source, reason, and the row as it came."""

_by_score: Final = attrgetter("score")
_by_rank: Final = attrgetter("source", "content")


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
    usable, unusable = _screened(fragments)
    unusable.sort(key=_unusable_key)
    visible = visible_paths(scope_path) if policy.prove_scope else None
    chooser = _Chooser(policy, scope_path, _ranked(usable, visible))
    chooser.walk(visible)
    if policy.key is not None:
        chooser.lengthen_tags()
    admitted = chooser.admitted_rows()
    return FragmentSelection(
        admitted,
        (*[bad[:2] for bad in unusable], *chooser.dropped()),  # type: ignore[arg-type]  # a source that is no text too
        lines=chooser.lines(),
        dropped_rows=(*[bad[2] for bad in unusable], *chooser.dropped_rows()),
        confusable=_confusable(admitted) if policy.report_confusables else (),
    )


def _ranked(usable: list[RetrievedFragment], visible: frozenset[str] | None) -> list[RetrievedFragment]:
    """Sort in place into the total order ``(-score, source, content)``.

    Scores alone decide almost always, and sorting by one float is several times cheaper than by three keys; only where
    two neighbours tie is the list sorted by the rest first, which a stable sort by score then keeps. Rows equal in all
    three are put in order by whatever of their metadata can decide about them, or arrival would decide their reasons.
    """
    usable.sort(key=_by_score, reverse=True)
    if any(map(eq, map(_by_score, usable), map(_by_score, islice(usable, 1, None)))):
        usable.sort(key=partial(_decisive, visible))
        usable.sort(key=_by_rank)
        usable.sort(key=_by_score, reverse=True)  # reverse keeps the order of equals
    return usable


def _decisive(visible: frozenset[str] | None, row: RetrievedFragment) -> tuple[bool, tuple[tuple[str, str], ...]]:
    return (visible is not None and not is_in_scope(row, visible), cap_groups(row))


# ------------------------------------------------------------------------------------------------ unusable rows


def _screened(fragments: Iterable[RetrievedFragment]) -> tuple[list[RetrievedFragment], list[BadRow]]:
    """Part the rows that can be ranked from those that cannot. Nothing a row holds may raise here."""
    usable: list[RetrievedFragment] = []
    unusable: list[BadRow] = []
    for row in fragments:
        if (
            type(row) is RetrievedFragment
            and type(row.score) is float
            and type(content := row.content) is str
            and type(row.source) is str
            and isfinite(row.score)
            and content.isascii()
            and row.source.isascii()
            and "!" <= content[:1] <= "~"
        ):  # the ordinary row: nothing to convert, nothing to doubt
            usable.append(row)
            continue
        exact = _exact_row(row)
        if isinstance(exact, RetrievedFragment):
            usable.append(exact)
        else:
            unusable.append(exact)
    return usable, unusable


def _exact_row(row: object) -> RetrievedFragment | BadRow:
    """Return the row with plain ``str`` and ``float`` in it, or its raw source with the reason it is unusable."""
    try:
        if isinstance(row, RetrievedFragment):
            return _converted(row)
        return ("", drop_reason(DropCode.BAD_CONTENT, detail=f"the row is a {type(row).__name__}"), row)
    except Exception as error:  # noqa: BLE001 - a store's own classes may raise anything; that costs their row only
        return ("", drop_reason(DropCode.BAD_CONTENT, detail=f"reading the row raised {type(error).__name__}"), row)


def _converted(row: RetrievedFragment) -> RetrievedFragment | BadRow:
    raw: tuple[object, object] = (row.source, row.content)  # whatever the annotations of a row promise
    source, content = (exact_str(part) if isinstance(part, str) else part for part in raw)
    number = _number(row.score)
    if not isfinite(number):
        return (source, drop_reason(DropCode.BAD_SCORE), row)
    if not isinstance(content, str):
        return (source, drop_reason(DropCode.BAD_CONTENT, detail=f"a {type(content).__name__}"), row)
    if not isinstance(source, str):
        return (source, drop_reason(DropCode.BAD_SOURCE, detail=f"a {type(source).__name__}"), row)
    if not (is_encodable(source) and is_encodable(content)):
        return (source, drop_reason(DropCode.BAD_TEXT), row)
    if shows_blank(content):
        return (source, drop_reason(DropCode.BLANK), row)
    return RetrievedFragment(content, source, number, row.metadata)


def _number(score: object) -> float:
    """Return the score as a plain float; NaN for all that is no real number or lies beyond the range of float."""
    if isinstance(score, bool) or not isinstance(score, Real):
        return math.nan
    try:
        return float(score)
    except Exception:  # noqa: BLE001 - OverflowError from a huge int, anything from a number class of the store's own
        return math.nan


def _unusable_key(drop: BadRow) -> tuple[str, str, str, str]:
    source, reason, _ = drop
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
    label: Label
    content: str
    tag: str
    line: str


class _Chooser:
    """One walk down the ranking. Reasons keep their rank, so that what happens later can still be told in order."""

    __slots__ = ("_admitted", "_per_source", "_policy", "_ranked", "_reasons", "_scope", "_seen", "_tail", "_total")

    def __init__(self, policy: RetrievalPolicy, scope_path: str, ranked: list[RetrievedFragment]) -> None:
        self._policy = policy
        self._scope = scope_path
        self._ranked = ranked
        self._reasons: list[tuple[int, DropReason]] = []
        self._tail = len(ranked)  # from this rank on every row is over the limit and nothing else
        self._admitted: list[_Admitted] = []
        self._per_source: Counter[tuple[str, str]] = Counter()
        self._seen: set[tuple[str, str]] = set()
        self._total = 0

    def walk(self, visible: frozenset[str] | None) -> None:
        """Judge every ranked row, best first; ``visible`` holds the scope paths in force, where scope is proved."""
        limit = self._policy.limit
        for rank, row in enumerate(self._ranked):
            if visible is not None and not is_in_scope(row, visible):
                self._reasons.append((rank, drop_reason(DropCode.OUT_OF_SCOPE)))
            elif len(self._admitted) < limit:
                self._judge(rank, row)
            elif visible is None:
                self._tail = rank
                return
            else:
                self._reasons.append((rank, over_limit(limit)))

    def _judge(self, rank: int, row: RetrievedFragment) -> None:
        reason = self._fault_before_rendering(row)
        if reason is None:
            candidate = self._rendered(rank, row)
            total = self._total + len(candidate.line) + bool(self._admitted)
            reason = self._fault_after_rendering(candidate, total)
            if reason is None:
                self._admit(candidate, total)
                return
        self._reasons.append((rank, reason))

    def _fault_before_rendering(self, row: RetrievedFragment) -> DropReason | None:
        policy = self._policy
        if row.score < policy.min_score:
            return drop_reason(DropCode.BELOW_FLOOR, row.score, policy.min_score)
        if len(row.content) > policy.max_fragment_chars:
            return drop_reason(DropCode.OVER_FRAGMENT, len(row.content), policy.max_fragment_chars)
        most = policy.max_per_source
        if most is not None:
            admitted = max(self._per_source[group] for group in cap_groups(row))
            if admitted >= most:
                return drop_reason(DropCode.OVER_SOURCE, admitted + 1, most)
        return None

    def _rendered(self, rank: int, row: RetrievedFragment) -> _Admitted:
        policy, label, content = self._policy, safe_source(row.source), clean_content(row.content)
        if policy.neutralise_markers:
            content = neutralise_markers(content)[0]
        tag = "" if policy.key is None else fragment_tag(policy.key, self._scope, row.source, row.content)
        return _Admitted(rank, row, label, content, tag, _line(label, tag[:TAG_LENGTH], content))

    def _fault_after_rendering(self, candidate: _Admitted, total: int) -> DropReason | None:
        if self._policy.drop_duplicates and (candidate.row.source, candidate.content) in self._seen:
            return drop_reason(DropCode.DUPLICATE)
        if total > self._policy.max_total_chars:
            return drop_reason(DropCode.OVER_TOTAL, total, self._policy.max_total_chars)
        return None

    def _admit(self, candidate: _Admitted, total: int) -> None:
        self._total = total
        self._admitted.append(candidate)
        if self._policy.max_per_source is not None:
            self._per_source.update(cap_groups(candidate.row))
        self._seen.add((candidate.row.source, candidate.content))

    def lengthen_tags(self) -> None:
        """Show more of the tags that collide, and count again; a row that no longer fits is dropped."""
        before = self._admitted
        tags = shown_tags([candidate.tag for candidate in before], TAG_LENGTH)
        if all(len(tag) == TAG_LENGTH for tag in tags):
            return
        self._admitted, self._total = [], 0
        for candidate, tag in zip(before, tags, strict=True):
            longer = candidate._replace(line=_line(candidate.label, tag, candidate.content))
            total = self._total + len(longer.line) + bool(self._admitted)
            if total > self._policy.max_total_chars:
                reason = drop_reason(DropCode.OVER_TOTAL, total, self._policy.max_total_chars)
                self._reasons.append((candidate.rank, reason))
            else:
                self._admitted.append(longer)
                self._total = total
        self._reasons.sort(key=itemgetter(0))

    def admitted_rows(self) -> tuple[RetrievedFragment, ...]:
        """What was admitted, best first."""
        return tuple([candidate.row for candidate in self._admitted])

    def lines(self) -> tuple[str, ...]:
        """The rendered lines where a switch changed them from what ``citation_line`` gives, else none."""
        changed = self._policy.key is not None or self._policy.neutralise_markers
        return tuple([candidate.line for candidate in self._admitted]) if changed else ()

    def dropped(self) -> list[Drop]:
        """Every ranked row that was not admitted, in rank order."""
        ranked = self._ranked
        drops = [(ranked[rank].source, reason) for rank, reason in self._reasons]
        if self._tail < len(ranked):
            reason = over_limit(self._policy.limit)
            drops.extend([(row.source, reason) for row in islice(ranked, self._tail, None)])
        return drops

    def dropped_rows(self) -> list[RetrievedFragment]:
        """The rows behind :meth:`dropped`."""
        return [*[self._ranked[rank] for rank, _ in self._reasons], *self._ranked[self._tail :]]


def _line(label: Label, tag: str, content: str) -> str:
    return f"SOURCE [{tagged_label(label, tag) if tag else label}]: {content}"


def _confusable(admitted: Iterable[RetrievedFragment]) -> tuple[tuple[str, str], ...]:
    labels = {safe_source(row.source) for row in admitted}
    return confusable_pairs((str(label), label_skeleton(label)) for label in labels)
