"""What every face shows of an evaluation.

Rules of this module: those of the view model. Numbers are rounded to six decimals, so that equal inputs give equal
bytes on every machine; what differs from run to run stands under ``timings`` alone.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from symfonic.composition.knowledge import EVALUATION_DEPTH

from ._views import View, scope_view

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from symfonic.composition.knowledge import BoundaryCost, Estimate, Evaluation, InputFaults


def evaluation_view(
    found: Evaluation,
    differences: Mapping[str, Estimate] | None = None,
    compared: Evaluation | None = None,
    baseline: Collection[str] = (),
) -> View:
    """What ``eval`` answers.

    Args:
        found: What was measured.
        differences: Those to a baseline.
        compared: The baseline, where it was measured in the same run.
        baseline: Ids of the baseline's queries.
    """
    view: View = {
        "metrics": _values(found.metrics),
        "intervals": _intervals(found.metrics),
        "boundary": _boundary(found.boundary),
        "queries": found.queries,
        "unjudged": found.unjudged,
        "documents": found.documents,
        "passages": found.passages,
        "judgements": found.judgements,
        "not_stored": found.not_stored,
        "embedder": found.embedder,
        "embedded": None if found.embedded is None else _rounded(found.embedded),
        "scope": scope_view(found.scope_path),
        "settings": asdict(found.boundary.ceilings),
        "depth": EVALUATION_DEPTH,
        "resamples": found.resamples,
        "seed": found.seed,
        "negatives": found.negatives,
        "floors": [
            {"floor": one.floor, "kept": _rounded(one.kept), "refused": _rounded(one.refused)} for one in found.floors
        ],
        "faults": _faults(found.faults),
        "timings": {
            "search_p50": round(found.times.search, 6),
            "prompt_p50": round(found.times.prompt, 6),
            "filling": round(found.times.filling, 6),
        },
    }
    if compared is not None:
        view["compared"] = _apart(evaluation_view(compared), view)
    if differences is not None:
        view["differences"] = {
            "values": _values(differences),
            "intervals": _intervals(differences),
            "queries": len(found.per_query.keys() & set(baseline)),
            "only_here": len(found.per_query.keys() - set(baseline)),
            "only_baseline": len(set(baseline) - found.per_query.keys()),
        }
    return view


def _apart(compared: View, view: View) -> View:
    """Of the run compared with, what is its own; its times go to the others, so that they alone differ."""
    view["timings"]["compared"] = compared["timings"]
    return {name: compared[name] for name in ("embedder", "embedded", "metrics", "intervals", "boundary")}


def _boundary(found: BoundaryCost) -> View:
    named = {f"raw_{kind}@limit": estimate for kind, estimate in found.raw.items()}
    named |= {f"{kind}@admitted": estimate for kind, estimate in found.admitted.items()}
    named |= {f"{kind}_cost": estimate for kind, estimate in found.cost.items()}
    return {
        "limit": found.ceilings.limit,
        **_values(named),
        "intervals": _intervals(named),
        "lost": {code: _rounded(share) for code, share in found.lost.items()},
        "gained": _rounded(found.gained),
        "relevant": {code: _rounded(share) for code, share in found.relevant.items()},
        "lifted": {
            name: {"recall@admitted": _rounded(estimate.value), "interval": _interval(estimate)}
            for name, estimate in found.lifted.items()
        },
    }


def _faults(found: InputFaults) -> View:
    return {
        "total": found.total,
        "counts": [{"file": file, "code": code, "count": count} for file, code, count in found.counts],
        "examples": [asdict(example) for example in found.examples],
    }


def _values(estimates: Mapping[str, Estimate]) -> View:
    return {name: _rounded(found.value) for name, found in estimates.items()}


def _intervals(estimates: Mapping[str, Estimate]) -> View:
    return {name: _interval(found) for name, found in estimates.items()}


def _interval(found: Estimate) -> list[float] | None:
    return None if found.interval is None else [_rounded(end) for end in found.interval]


def _rounded(number: float) -> float:
    """Six decimals; a zero has no sign."""
    return round(number, 6) + 0.0
