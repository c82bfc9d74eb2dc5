"""The ceilings of a question, as its account tells them.

Rules of this module: it carries over what a wiring holds and decides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .explanation import Ceilings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .wiring import Wiring


def ceilings_in_force(wiring: Wiring, enclosed: Mapping[str, int]) -> Ceilings:
    """What a question is asked under; ``enclosed`` are those of documents and attachments, where it has some."""
    policy, render = wiring.policy, wiring.compiler.policy
    return Ceilings(
        limit=policy.limit,
        min_score=policy.min_score,
        max_fragment_chars=policy.max_fragment_chars,
        max_total_chars=policy.max_total_chars,
        max_per_source=policy.max_per_source,
        candidates=policy.limit * policy.overfetch,
        max_rows=policy.max_rows,
        max_learned_chars=render.max_learned_chars,
        max_prompt_chars=render.max_prompt_chars,
        **enclosed,
        unit="characters" if policy.count is None else "tokens",
    )
