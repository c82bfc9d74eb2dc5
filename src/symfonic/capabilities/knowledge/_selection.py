"""Selection: which rows render, in which order, and why each other row does not.

Rules of this module: a pure function of the rows as a *set*. Ranking is total, a row is admitted or dropped whole, and
every row that came in is either admitted or dropped with a reason. It knows no store and asks none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from operator import itemgetter
from typing import NamedTuple, cast

from ._counting import CHARS_PER_TOKEN, counted, is_out_of_proportion, unit_of
from ._fragments import FragmentSelection, RetrievedFragment, with_counted
from ._hardening import TAG_LENGTH, Groups, cap_groups, confusable_pairs, fragment_tag, shown_tags
from ._labels import Label, label_skeleton, safe_source, tagged_label
from ._markers import neutralise_markers
from ._policy import RetrievalPolicy
from ._ranking import RowMetadata, rank
from ._reasons import DropCode, DropReason, drop_reason, uncounted
from ._refusals import refuse
from ._screening import BadRow, screened, unusable_key
from ._text import clean_content, exact_str, is_text

Drop = tuple[object, DropReason]


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

    Raises:
        BridgeContractError: The rows cannot be iterated, the policy is none, or the scope path is no text, or, under a
            policy that proves scopes, no scope path.
        CounterError: The policy's counter raised, or answered what is no count.
    """
    _refuse_wrong_types(fragments, policy, scope_path)
    return selected(fragments, policy, exact_str(scope_path), cut=False)


def selected(
    fragments: Iterable[RetrievedFragment], policy: RetrievalPolicy, scope_path: str, *, cut: bool
) -> FragmentSelection:
    """As :func:`select_fragments`; where the answer was ``cut``, with one reason for all that was not read."""
    usable, unusable = screened(fragments)
    unusable.sort(key=unusable_key)
    metadata = RowMetadata.under(policy, scope_path)
    rank(usable, metadata)
    chooser = _Chooser(policy, scope_path, usable, metadata)
    chooser.walk()
    if policy.key is not None:
        chooser.lengthen_tags()
    if policy.count is not None:
        chooser.hold_total(policy.count)
    admitted, lines = chooser.chosen()
    unread = (("", drop_reason(DropCode.UNEXAMINED, ceiling=policy.max_rows)),) if cut else ()
    hardened = policy.neutralise_markers  # no key without it; elsewhere citation_line says the same as these lines
    selection = FragmentSelection(
        admitted,
        (*[bad[:2] for bad in unusable], *chooser.dropped(), *unread),
        lines=lines if hardened else (),
        dropped_rows=(*_kept(unusable, metadata), *chooser.dropped_rows(), *[None for _ in unread]),
        confusable=_confusable(admitted) if policy.report_confusables else (),
    )
    return selection if hardened else with_counted(selection, lines)


def _refuse_wrong_types(fragments: object, policy: object, scope_path: object) -> None:
    if not isinstance(fragments, Iterable):
        refuse("KB-RET-ASK-2", fragments)
    if not isinstance(policy, RetrievalPolicy):
        refuse("KB-RET-SOURCE-4", policy)
    if not is_text(scope_path):
        refuse("KB-CON-PATH-1", scope_path)


def _kept(unusable: Iterable[BadRow], metadata: RowMetadata | None) -> list[object]:
    """The rows behind unusable drops; where scope is proved, none that may be another scope's."""
    # What is no row proves nothing.
    return [None if metadata and metadata.conceals(cast("RetrievedFragment", row)) else row for _, _, row in unusable]


# ---------------------------------------------------------------------------------------------------- admission


class _Tagged(NamedTuple):
    """What the line of an admitted row is made of, kept where a tag may have to be lengthened."""

    place: int
    row: RetrievedFragment
    label: Label
    content: str
    tag: str


class _Chooser:
    """One walk down the ranking. Reasons keep their place, so that what happens later can still be told in order."""

    __slots__ = (
        "_cleaned",
        "_lines",
        "_metadata",
        "_per_source",
        "_places",
        "_policy",
        "_ranked",
        "_reasons",
        "_rows",
        "_scope",
        "_seen",
        "_seen_raw",
        "_shared",
        "_tagged",
        "_tail",
        "_total",
    )

    def __init__(
        self, policy: RetrievalPolicy, scope_path: str, ranked: list[RetrievedFragment], metadata: RowMetadata | None
    ) -> None:
        self._policy = policy
        self._scope = scope_path
        self._ranked = ranked
        self._metadata = metadata
        self._reasons: list[tuple[int, DropReason]] = []
        self._shared: dict[DropCode, DropReason] = {}
        self._tail = len(ranked)  # from this place on every row is over the limit and nothing else
        self._rows: list[RetrievedFragment] = []
        self._places: list[int] = []  # of the admitted rows
        self._lines: list[str] = []
        self._tagged: list[_Tagged] = []
        self._per_source: dict[tuple[str, str], int] = {}
        self._seen: set[tuple[str, str]] = set()
        self._seen_raw: set[tuple[str, str]] = set()
        self._cleaned: dict[str, str] = {}
        self._total = 0

    def walk(self) -> None:
        """Judge every ranked row, best first."""
        limit, rows, reasons, metadata = self._policy.limit, self._rows, self._reasons, self._metadata
        for place, row in enumerate(self._ranked):
            reason: DropReason | None
            if metadata is not None and metadata.hides(place, row):
                reason = self._same(DropCode.OUT_OF_SCOPE)
            elif len(rows) < limit:
                reason = self._judged(place, row)
            elif metadata is None:
                self._tail = place
                return
            else:
                reason = self._same(DropCode.OVER_LIMIT, ceiling=limit)
            if reason is not None:
                reasons.append((place, reason))

    def _same(self, code: DropCode, actual: int | None = None, ceiling: int | None = None) -> DropReason:
        """A reason whose numbers are the same for every row of this walk: one object for all of them."""
        reason = self._shared.get(code)
        if reason is None:
            reason = self._shared[code] = drop_reason(code, actual, ceiling)
        return reason

    def _judged(self, place: int, row: RetrievedFragment) -> DropReason | None:
        """Admit a row in scope, or say why not: the cheap questions first, those about the rendered line last."""
        policy = self._policy
        groups = () if policy.max_per_source is None else self._groups(place, row)
        reason = self._fault_before_rendering(row, groups)
        if reason is not None:
            return reason
        label, content = safe_source(row.source), self._clean(row.content)
        if policy.drop_duplicates and (row.source, content) in self._seen:
            return self._same(DropCode.DUPLICATE)
        tag = "" if policy.key is None else fragment_tag(policy.key, self._scope, row.source, row.content)
        line = _line(tagged_label(label, tag[:TAG_LENGTH]) if tag else label, content)
        reason = self._admitted(place, row, line)
        if reason is not None:
            return reason
        if tag:
            self._tagged.append(_Tagged(place, row, label, content, tag))
        if policy.drop_duplicates or groups:
            self._remember(row, content, groups)
        return None

    def _admitted(self, place: int, row: RetrievedFragment, line: str) -> DropReason | None:
        """Add a line to those that render, or say by how much it would pass the total."""
        count, ceiling = self._policy.count, self._policy.max_total_chars
        if count is None:
            total = self._total + len(line) + (1 if self._rows else 0)
        else:
            total = self._total + counted(count, f"\n{line}" if self._rows else line)
        if total > ceiling:
            return drop_reason(DropCode.OVER_TOTAL, total, ceiling, unit=unit_of(count))
        self._total = total
        self._rows.append(row)
        self._places.append(place)
        self._lines.append(line)
        return None

    def hold_total(self, count: Callable[[str], int]) -> None:
        """Count what really renders: a counter may say more of joined lines than of each alone. The last ranked go."""
        while self._rows:
            total = counted(count, "\n".join(self._lines))
            if total <= self._policy.max_total_chars:
                return
            reason = drop_reason(DropCode.OVER_TOTAL, total, self._policy.max_total_chars, unit=unit_of(count))
            self._reasons.append((self._places.pop(), reason))
            self._rows.pop()
            self._lines.pop()
            self._reasons.sort(key=itemgetter(0))

    def _groups(self, place: int, row: RetrievedFragment) -> Groups:
        return cap_groups(row, by_document=False) if self._metadata is None else self._metadata.groups(place, row)

    def _fault_before_rendering(self, row: RetrievedFragment, groups: Groups) -> DropReason | None:
        policy, most = self._policy, self._policy.max_per_source
        if row.score < policy.min_score:
            return drop_reason(DropCode.BELOW_FLOOR, row.score, policy.min_score)
        reason = _over_fragment(row.content, policy)
        if reason is not None:
            return reason
        if most is not None and max(self._per_source.get(group, 0) for group in groups) >= most:
            return self._same(DropCode.OVER_SOURCE, most + 1, most)  # each would be one too many
        if policy.drop_duplicates and (row.source, row.content) in self._seen_raw:
            return self._same(DropCode.DUPLICATE)  # what renders alike is found later; this needs no rendering
        return None

    def _clean(self, raw: str) -> str:
        """The content as it renders. Kept for this walk: many rows with one text must not cost many treatments."""
        content = self._cleaned.get(raw)
        if content is None:
            content = clean_content(raw)
            if self._policy.neutralise_markers:
                content = neutralise_markers(content)[0]
            self._cleaned[raw] = content
        return content

    def _remember(self, row: RetrievedFragment, content: str, groups: Groups) -> None:
        for group in groups:
            self._per_source[group] = self._per_source.get(group, 0) + 1
        if self._policy.drop_duplicates:
            self._seen.add((row.source, content))
            self._seen_raw.add((row.source, row.content))

    def lengthen_tags(self) -> None:
        """Show more of the tags that collide, and count again; a row that no longer fits is dropped."""
        tags = shown_tags([one.tag for one in self._tagged], TAG_LENGTH)
        if all(len(tag) == TAG_LENGTH for tag in tags):
            return
        self._rows, self._places, self._lines, self._total = [], [], [], 0
        for one, tag in zip(self._tagged, tags, strict=True):
            line = _line(tagged_label(one.label, tag), one.content)
            reason = self._admitted(one.place, one.row, line)
            if reason is not None:
                self._reasons.append((one.place, reason))
        self._reasons.sort(key=itemgetter(0))

    def chosen(self) -> tuple[tuple[RetrievedFragment, ...], tuple[str, ...]]:
        """What was admitted, best first, and the line of each."""
        return tuple(self._rows), tuple(self._lines)

    def dropped(self) -> list[Drop]:
        """Every ranked row that was not admitted, in rank order."""
        ranked = self._ranked
        drops: list[Drop] = [(ranked[place].source, reason) for place, reason in self._reasons]
        if self._tail < len(ranked):
            reason = self._same(DropCode.OVER_LIMIT, ceiling=self._policy.limit)
            drops.extend([(row.source, reason) for row in islice(ranked, self._tail, None)])
        return drops

    def dropped_rows(self) -> list[RetrievedFragment | None]:
        """The rows behind :meth:`dropped`; what belongs to another scope is not kept."""
        foreign = self._shared.get(DropCode.OUT_OF_SCOPE)
        told = [None if reason is foreign else self._ranked[place] for place, reason in self._reasons]
        return [*told, *self._ranked[self._tail :]]


def _over_fragment(content: str, policy: RetrievalPolicy) -> DropReason | None:
    """Why a raw content is over the ceiling for one fragment, if it is."""
    count, ceiling = policy.count, policy.max_fragment_chars
    if count is None:
        actual = len(content)
    elif is_out_of_proportion(content, ceiling):
        return uncounted(len(content), ceiling * CHARS_PER_TOKEN)
    else:
        actual = counted(count, content)
    return drop_reason(DropCode.OVER_FRAGMENT, actual, ceiling, unit=unit_of(count)) if actual > ceiling else None


def _line(label: Label, content: str) -> str:
    return f"SOURCE [{label}]: {content}"


def _confusable(admitted: Iterable[RetrievedFragment]) -> tuple[tuple[str, str], ...]:
    labels = {safe_source(row.source) for row in admitted}
    return confusable_pairs((str(label), label_skeleton(label)) for label in labels)
