"""Measures of rankings by ir-measures, and intervals around their means by SciPy.

Rules of this module: the only one that knows either library. No measure and no resampling is computed here. Names go
to the libraries as numbers, so nothing written in a collection reaches native code; a place in a ranking goes as a
score of its own, so that the order that was measured is the order that was given.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.ports import AdapterError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

__all__ = ["MOST_GRADE", "TrecMeasures"]

MOST_GRADE: Final = 1000
"""Highest grade of a judgement: the library reserves a place in memory for every grade below the highest."""

_NAME: Final = re.compile(r"(ndcg|recall|mrr)@([1-9][0-9]{0,8})")
_BATCH_NUMBERS: Final = 2_000_000
"""Most numbers that are resampled at once, 16 MB of them."""


class TrecMeasures:
    """The measures of the TREC evaluations, one value for each query.

    * ``ndcg@K``: normalised discounted cumulative gain; the gain of a document is its grade, its discount the binary
      logarithm of its place plus one.
    * ``recall@K``: share of the relevant documents, those with a grade of at least 1, among the first K.
    * ``mrr@K``: one divided by the place of the first relevant document, 0 where it is not among the first K.

    Raises:
        AdapterError: ir-measures or SciPy is not installed; the message names the extra.
    """

    __slots__ = ("_library", "_statistics")

    def __init__(self) -> None:
        self._library, self._statistics = _libraries()

    def values(
        self, names: Sequence[str], judgements: Sequence[Mapping[str, int]], rankings: Sequence[Sequence[str]]
    ) -> dict[str, tuple[float, ...]]:
        """Measure rankings.

        Args:
            names: Measures, such as ``ndcg@10``.
            judgements: For each query document to grade, from 0 to :data:`MOST_GRADE`, at least one of them above 0.
            rankings: For each query its documents, best first, each once.

        Returns:
            Name to one value for each query, in their order, each in [0, 1].

        Raises:
            ValueError: A name is no measure.
        """
        measures = {self._measure(name): name for name in names}
        numbers: dict[str, str] = {}
        judged, run = [], []
        for query, (grades, ranking) in enumerate(zip(judgements, rankings, strict=True)):
            for document, grade in sorted(grades.items()):
                number = numbers.setdefault(document, str(len(numbers)))
                judged.append(self._library.Qrel(str(query), number, grade))
            for place, document in enumerate(ranking):
                number = numbers.setdefault(document, str(len(numbers)))
                run.append(self._library.ScoredDoc(str(query), number, float(len(ranking) - place)))
        found = {name: [0.0] * len(judgements) for name in names}
        for metric in self._library.iter_calc(list(measures), judged, run):
            found[measures[metric.measure]][int(metric.query_id)] = float(metric.value)
        return {name: tuple(values) for name, values in found.items()}

    def interval(self, values: Sequence[float], *, resamples: int, seed: int) -> tuple[float, float] | None:
        """The percentile bootstrap interval of 95 % around the mean of ``values``; ``None`` of fewer than two.

        Args:
            values: One for each query.
            resamples: How many times as many queries are drawn, with replacement.
            seed: Equal seeds, equal intervals.
        """
        if len(values) < 2:
            return None
        if all(left == right for left, right in pairwise(values)):
            return (values[0], values[0])
        found = self._statistics.bootstrap(
            (values,),
            lambda sample, axis: sample.mean(axis=axis),
            n_resamples=resamples,
            batch=max(1, _BATCH_NUMBERS // len(values)),
            confidence_level=0.95,
            method="percentile",
            vectorized=True,
            rng=seed,
        ).confidence_interval
        return (float(found.low), float(found.high))

    def _measure(self, name: str) -> Any:
        found = _NAME.fullmatch(name)
        if found is None:
            raise ValueError(
                f"a measure is ndcg@K, recall@K or mrr@K with a whole number K, not {name!a}; nothing was measured; "
                "correct the name"
            )
        measure = {"ndcg": self._library.nDCG, "recall": self._library.R, "mrr": self._library.RR}[found[1]]
        return measure @ int(found[2])


def _libraries() -> tuple[ModuleType, ModuleType]:
    try:
        import ir_measures
        from scipy import stats
    except ImportError as error:
        raise AdapterError(
            "measuring retrieval needs ir-measures and SciPy, and one of them is not installed; nothing was measured; "
            "install symfonic-knowledge[eval]"
        ) from error
    return ir_measures, stats
