"""What an evaluation measures of each query: its ranking, what the boundary admitted, and what became of the rest.

Rules of this module: pure functions over rows and outcomes. It asks nothing and computes no measure. The unit of a
ranking is what judgements name: a file with all its passages, or a label; it stands where its best passage stands.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from symfonic.capabilities.knowledge import RetrievalPolicy, ScopePath, safe_source, select_fragments

from ._shown import untagged
from .keys import derive_keys
from .wiring import harden

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from symfonic.adapters.knowledge.ports import DocumentRecord, StoredChunk
    from symfonic.capabilities.knowledge import RetrievedFragment

    from .explanation import Explanation

ADMITTED: Final = "admitted"
NOT_RETRIEVED: Final = "not-retrieved"
NOT_STORED: Final = "not-stored"

_NOWHERE: Final = "nowhere "

_STAND_IN: Final = derive_keys(bytes(32))
"""Keys for trying other ceilings: a tag has the same length whatever the key is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """What names in judgements stand for.

    Attributes:
        by_name: Name to unit, of all names that were found.
        files: Raw names of the files judged.
        labels: Raw labels judged.
        documents: Number of visible documents.
        passages: Number of visible passages.
    """

    by_name: Mapping[str, str]
    files: frozenset[str]
    labels: frozenset[str]
    documents: int
    passages: int

    def unit(self, name: str) -> str:
        """The unit a judgement names; one that no row has where nothing of that name is there."""
        return self.by_name.get(name, f"{_NOWHERE}{name}")

    def holds(self, unit: str) -> bool:
        """Whether a unit that :meth:`unit` gave is there."""
        return not unit.startswith(_NOWHERE)

    def of(self, row: RetrievedFragment) -> str:
        """The unit a row belongs to; where its own is judged nowhere, one of the kind that judgements name."""
        file = row.metadata.get("file")
        if isinstance(file, str) and (file in self.files or (row.source not in self.labels and not self.labels)):
            return f"file {file}"
        return f"label {row.source}"

    def ranking(self, rows: Iterable[RetrievedFragment]) -> tuple[str, ...]:
        """Units in the order of their best rows."""
        return tuple(dict.fromkeys(self.of(row) for row in rows))


def units_of(
    names: Iterable[str], scope_path: str, records: Iterable[DocumentRecord], chunks: Iterable[StoredChunk]
) -> Units:
    """Find what names stand for among what is visible at a scope path.

    A file counts before a label; either is named as it is stored, or as it is shown, a tag behind it aside. Passages
    are looked at only where some name is no file's.
    """
    visible = frozenset(ScopePath.parse(scope_path).ancestors())
    seen = [record for record in records if record.document.scope_path in visible]
    files: dict[str, str] = {}
    for record in seen:
        _learn(files, record.document.file)
    wanted = set(names)
    missing = {name for name in wanted if name not in files and untagged(name) not in files}
    labels: dict[str, str] = {}
    for stored in chunks if missing else ():
        if stored.document.scope_path in visible:
            _learn(labels, stored.chunk.label)
    by_name: dict[str, str] = {}
    for name in sorted(wanted):
        for kind, known in (("file", files), ("label", labels)):
            raw = known.get(name, known.get(untagged(name)))
            if raw is not None:
                by_name[name] = f"{kind} {raw}"
                break
    found = set(by_name.values())
    return Units(
        by_name=by_name,
        files=frozenset(unit.removeprefix("file ") for unit in found if unit.startswith("file ")),
        labels=frozenset(unit.removeprefix("label ") for unit in found if unit.startswith("label ")),
        documents=len(seen),
        passages=sum(record.chunks for record in seen),
    )


def _learn(known: dict[str, str], raw: str) -> None:
    known[raw] = raw
    known.setdefault(str(safe_source(raw)), raw)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one question at the boundary.

    Attributes:
        raw: Units of the store's first ``limit`` rows.
        admitted: Units of the rows that were admitted.
        ended: Relevant unit to how it ended: ``admitted``, the code of the reason its best row was dropped for, or
            ``not-retrieved`` or ``not-stored``.
        lifted: Ceiling to the units that would be admitted if it alone were lifted.
    """

    raw: tuple[str, ...]
    admitted: tuple[str, ...]
    ended: Mapping[str, str]
    lifted: Mapping[str, tuple[str, ...]]

    def lost(self) -> dict[str, str]:
        """Relevant units among the first rows of the store that were not admitted, with their reasons."""
        return {unit: code for unit, code in self.ended.items() if unit in self.raw and code != ADMITTED}

    def gained(self) -> int:
        """How many relevant units were admitted that stood below the first rows of the store."""
        return sum(code == ADMITTED and unit not in self.raw for unit, code in self.ended.items())


def outcome_of(explanation: Explanation, relevant: Iterable[str], units: Units, policy: RetrievalPolicy) -> Outcome:
    """Tell what the boundary did to a question's rows.

    Args:
        explanation: The account of the question.
        relevant: Units judged relevant for it.
        units: What judgements name.
        policy: The ceilings it was asked under, without defences.
    """
    rows = [
        (row.fragment, row.reason) for row in explanation.rows if row.fragment is not None and row.score is not None
    ]
    rows.sort(key=lambda row: (-row[0].score, row[0].source, row[0].content))
    codes: dict[str, str] = {}
    for fragment, reason in rows:
        unit = units.of(fragment)
        if reason is None or unit not in codes:
            codes[unit] = ADMITTED if reason is None else str(reason.code)
    fragments = [fragment for fragment, _ in rows]
    return Outcome(
        raw=units.ranking(fragments[: policy.limit]),
        admitted=units.ranking(row.fragment for row in explanation.admitted if row.fragment is not None),
        ended={
            unit: codes.get(unit, NOT_STORED if unit.startswith(_NOWHERE) else NOT_RETRIEVED)
            for unit in sorted(relevant)
        },
        lifted=_lifted(fragments, units, policy, explanation.scope_path),
    )


def _lifted(
    rows: Sequence[RetrievedFragment], units: Units, policy: RetrievalPolicy, scope_path: str
) -> dict[str, tuple[str, ...]]:
    hardened = harden(policy, _STAND_IN)
    lifted = {
        "limit": replace(hardened, limit=sys.maxsize, overfetch=1),
        "min_score": replace(hardened, min_score=-sys.float_info.max),
        "max_fragment_chars": replace(hardened, max_fragment_chars=sys.maxsize),
        "max_total_chars": replace(hardened, max_total_chars=sys.maxsize),
        "max_per_source": replace(hardened, max_per_source=None),
    }
    return {
        name: units.ranking(select_fragments(rows, changed, scope_path=scope_path).admitted)
        for name, changed in lifted.items()
    }


def shares(outcomes: Iterable[Mapping[str, str]], relevant: Sequence[int]) -> dict[str, float]:
    """Code to the mean share of a query's relevant units that have it, by name."""
    found: Counter[str] = Counter()
    for codes, count in zip(outcomes, relevant, strict=True):
        for code in codes.values():
            found[code] += 1 / count  # type: ignore[assignment]  # a Counter adds fractions as well
    return {code: float(total) / len(relevant) for code, total in sorted(found.items())}
