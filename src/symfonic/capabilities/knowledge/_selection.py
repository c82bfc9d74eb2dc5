"""Selection: which rows render, in which order, and why each other row does not.

Rules of this module: a pure function of the rows as a *set*. Ranking is total, a row is admitted or dropped whole, and
every row that came in is either admitted or dropped with a reason. It knows no store and asks none.
"""

from __future__ import annotations

import math
from itertools import groupby, islice
from math import isfinite
from numbers import Real
from operator import attrgetter, eq, itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from ._fragments import FragmentSelection, RetrievedFragment
from ._hardening import TAG_LENGTH, cap_groups, confusable_pairs, fragment_tag, is_in_scope, shown_tags, visible_paths
from ._labels import Label, label_skeleton, safe_source, tagged_label
from ._markers import neutralise_markers
from ._reasons import DropCode, DropReason, drop_reason, over_limit, over_source
from ._text import clean_content, exact_str, is_encodable, is_text, shows_blank
from .errors import type_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ._policy import RetrievalPolicy

Drop = tuple[str, DropReason]
Decision = tuple[bool, tuple[tuple[str, str], ...]]
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
    _ranked(usable, _decider(policy, visible))
    chooser = _Chooser(policy, scope_path, usable)
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


def _ranked(usable: list[RetrievedFragment], decide: Callable[[RetrievedFragment], Decision] | None) -> None:
    """Sort in place into the total order ``(-score, source, content)``.

    Scores alone decide almost always, and sorting by one float is several times cheaper than by three keys, so only
    runs of equal scores are sorted by the rest. Rows equal in all three are put in order by whatever of their metadata
    decides about them: otherwise their order of arrival would decide their reasons.
    """
    usable.sort(key=_by_score, reverse=True)
    if not any(map(eq, map(_by_score, usable), map(_by_score, islice(usable, 1, None)))):
        return
    start = 0
    for _, run in groupby(usable, key=_by_score):
        tied = list(run)
        if len(tied) > 1:
            if decide is not None:
                tied.sort(key=decide)
            tied.sort(key=_by_rank)
            usable[start : start + len(tied)] = tied
        start += len(tied)


def _decider(policy: RetrievalPolicy, visible: frozenset[str] | None) -> Callable[[RetrievedFragment], Decision] | None:
    """What of a row's metadata decides about it under this policy; ``None`` where nothing does."""
    if visible is None:
        return None
    capped = policy.max_per_source is not None
    return lambda row: (not is_in_scope(row, visible), cap_groups(row, proved=True) if capped else ())


# ------------------------------------------------------------------------------------------------ unusable rows


def _screened(fragments: Iterable[RetrievedFragment]) -> tuple[list[RetrievedFragment], list[BadRow]]:
    """Part the rows that can be ranked from those that cannot. Nothing a row holds may raise here."""
    usable: list[RetrievedFragment] = []
    unusable: list[BadRow] = []
    for row in fragments:
        try:
            if (
                type(row) is RetrievedFragment
                and type(row.score) is float
                and type(content := row.content) is str
                and type(source := row.source) is str
                and isfinite(row.score)
                and row.score != 0.0  # zero might be a negative one
                and (content.isascii() or is_encodable(content))
                and (source.isascii() or is_encodable(source))
                and "!" <= content[:1] <= "~"
            ):  # the ordinary row: nothing to convert, nothing to doubt
                usable.append(row)
                continue
        except AttributeError:  # a row that was never filled is told apart below
            pass
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
        return ("", drop_reason(DropCode.BAD_CONTENT, detail=f"the row is a {type_name(row)}"), row)
    except Exception as error:  # noqa: BLE001 - a store's own classes may raise anything; that costs their row only
        return ("", drop_reason(DropCode.BAD_CONTENT, detail=f"reading the row raised {type_name(error)}"), row)


def _converted(row: RetrievedFragment) -> RetrievedFragment | BadRow:
    raw: tuple[object, object] = (row.source, row.content)  # whatever the annotations of a row promise
    source, content = (exact_str(part) if is_text(part) else part for part in raw)
    number = _number(row.score)
    if not isfinite(number):
        return (source, drop_reason(DropCode.BAD_SCORE), row)
    if not is_text(content):
        return (source, drop_reason(DropCode.BAD_CONTENT, detail=f"a {type_name(content)}"), row)
    if not is_text(source):
        return (source, drop_reason(DropCode.BAD_SOURCE, detail=f"a {type_name(source)}"), row)
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
        return float(score) + 0.0  # no negative zero: it equals zero, but shows otherwise
    except Exception:  # noqa: BLE001 - OverflowError from a huge int, anything from a number class of the store's own
        return math.nan


def _unusable_key(drop: BadRow) -> tuple[str, str, str, str, str]:
    source, reason, row = drop
    return (reason.code.value, type_name(source), _sortable(source), str(reason), _sortable(row))


def _sortable(source: object) -> str:
    if is_text(source):
        return exact_str(source)
    try:
        return exact_str(repr(source))
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

    __slots__ = (
        "_admitted",
        "_cleaned",
        "_per_source",
        "_policy",
        "_ranked",
        "_reasons",
        "_scope",
        "_seen",
        "_seen_raw",
        "_tail",
        "_total",
    )

    def __init__(self, policy: RetrievalPolicy, scope_path: str, ranked: list[RetrievedFragment]) -> None:
        self._policy = policy
        self._scope = scope_path
        self._ranked = ranked
        self._reasons: list[tuple[int, DropReason]] = []
        self._tail = len(ranked)  # from this rank on every row is over the limit and nothing else
        self._admitted: list[_Admitted] = []
        self._per_source: dict[tuple[str, str], int] = {}
        self._seen: set[tuple[str, str]] = set()
        self._seen_raw: set[tuple[str, str]] = set()
        self._cleaned: dict[str, str] = {}
        self._total = 0

    def walk(self, visible: frozenset[str] | None) -> None:
        """Judge every ranked row, best first; ``visible`` holds the scope paths in force, where scope is proved."""
        limit, out_of_scope = self._policy.limit, drop_reason(DropCode.OUT_OF_SCOPE)
        for rank, row in enumerate(self._ranked):
            if visible is not None and not is_in_scope(row, visible):
                self._reasons.append((rank, out_of_scope))
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
            groups = cap_groups(row, proved=policy.prove_scope)
            if max(self._per_source.get(group, 0) for group in groups) >= most:
                return over_source(most)
        if policy.drop_duplicates and (row.source, row.content) in self._seen_raw:
            return drop_reason(DropCode.DUPLICATE)  # what renders alike is found later; this needs no rendering
        return None

    def _rendered(self, rank: int, row: RetrievedFragment) -> _Admitted:
        policy, label, content = self._policy, safe_source(row.source), self._clean(row.content)
        tag = "" if policy.key is None else fragment_tag(policy.key, self._scope, row.source, row.content)
        return _Admitted(rank, row, label, content, tag, _line(label, tag[:TAG_LENGTH], content))

    def _clean(self, raw: str) -> str:
        """The content as it renders. Kept for this walk: many rows with one text must not cost many treatments."""
        content = self._cleaned.get(raw)
        if content is None:
            content = clean_content(raw)
            if self._policy.neutralise_markers:
                content = neutralise_markers(content)[0]
            self._cleaned[raw] = content
        return content

    def _fault_after_rendering(self, candidate: _Admitted, total: int) -> DropReason | None:
        if self._policy.drop_duplicates and (candidate.row.source, candidate.content) in self._seen:
            return drop_reason(DropCode.DUPLICATE)
        if total > self._policy.max_total_chars:
            return drop_reason(DropCode.OVER_TOTAL, total, self._policy.max_total_chars)
        return None

    def _admit(self, candidate: _Admitted, total: int) -> None:
        self._total = total
        self._admitted.append(candidate)
        row, policy = candidate.row, self._policy
        if policy.max_per_source is not None:
            for group in cap_groups(row, proved=policy.prove_scope):
                self._per_source[group] = self._per_source.get(group, 0) + 1
        if policy.drop_duplicates:
            self._seen.add((row.source, candidate.content))
            self._seen_raw.add((row.source, row.content))

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

    def dropped_rows(self) -> list[RetrievedFragment | None]:
        """The rows behind :meth:`dropped`; what belongs to another scope is not kept."""
        told = [None if reason.code is DropCode.OUT_OF_SCOPE else self._ranked[rank] for rank, reason in self._reasons]
        return [*told, *self._ranked[self._tail :]]


def _line(label: Label, tag: str, content: str) -> str:
    return f"SOURCE [{tagged_label(label, tag) if tag else label}]: {content}"


def _confusable(admitted: Iterable[RetrievedFragment]) -> tuple[tuple[str, str], ...]:
    labels = {safe_source(row.source) for row in admitted}
    return confusable_pairs((str(label), label_skeleton(label)) for label in labels)
