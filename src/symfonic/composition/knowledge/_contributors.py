"""What stands in every prompt beside the retrieval: contributions of other knowledge, declared once.

Rules of this module: it asks contributors what they declare, carries that over to the compiler, and tells how long each
may be. It reads no source; the compiler does, at the same time as the store is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from symfonic.capabilities.knowledge import BridgeContractError, ContextContribution, ContextContributor
from symfonic.capabilities.prompting import Hydrator, PromptContribution, SequentialHydrator

from .errors import WiringError
from .hydration import ConcurrentHydrator
from .wiring import INSTRUCTIONS_ID, KNOWLEDGE_ID, prompt_contributions

if TYPE_CHECKING:
    from .settings import Settings

__all__ = ["Beside"]


@dataclass(frozen=True, slots=True)
class Beside:
    """Contributions that are compiled with every question, and the reader that serves them all.

    Attributes:
        contributions: As the compiler reads them; crossed once, so that what need not be read anew is remembered.
        ceilings: The most that each may answer, by id; ``None`` where its source does not say.
        hydrator: Reads the sources: one after the other where the store is the only one, else at the same time.
    """

    contributions: tuple[PromptContribution, ...] = ()
    ceilings: Mapping[str, int | None] = field(default_factory=lambda: MappingProxyType({}))
    hydrator: Hydrator = field(default_factory=SequentialHydrator)

    @classmethod
    def of(cls, contributors: Iterable[ContextContributor], settings: Settings) -> Beside:
        """Ask every contributor once.

        Raises:
            WiringError: One of them raised or declared what the boundary refuses, or an id is taken.
        """
        declared = [item for contributor in contributors for item in _declared(contributor)]
        if not declared:
            return cls()
        try:
            crossed = prompt_contributions(declared)
        except BridgeContractError as error:
            raise WiringError(str(error)) from error
        taken = sorted({item.contribution_id for item in crossed} & {INSTRUCTIONS_ID, KNOWLEDGE_ID})
        if taken:
            raise WiringError(
                f"a contribution has an id of its own; {', '.join(taken)} is one of the two that every prompt has, and "
                "nobody could tell them apart; name it otherwise"
            )
        ceilings = {item.contribution_id: _ceiling_of(item.source) for item in declared}
        return cls(crossed, MappingProxyType(ceilings), ConcurrentHydrator(deadline=settings.source_deadline))


def _declared(contributor: ContextContributor) -> tuple[ContextContribution, ...]:
    try:
        return tuple(contributor.contributions())
    except Exception as error:
        raise WiringError(
            f"a contributor declares its contributions when a knowledge base is built; one raised "
            f"{type(error).__name__} and nothing was opened; look at its cause"
        ) from error


def _ceiling_of(source: object) -> int | None:
    """What the policy of a bridge's source says; a source of somebody's own need not have one."""
    try:
        most: object = source.policy.max_total_chars  # type: ignore[attr-defined]  # that is what is asked here
    except Exception:  # noqa: BLE001 - a source is foreign code, and its attributes may be computed
        return None
    return most if type(most) is int and most >= 0 else None
