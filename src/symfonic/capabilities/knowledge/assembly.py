"""What the prompt side is fed: plain values, in their final order.

Rules of this module: the only one that knows every bridge. It emits strings, ints, bools and the source's ``read``; it
imports nothing of the prompt compiler, and the compiler imports nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ._refusals import refuse
from .contracts import ContextContribution, ContextRead, ContextRequest, attribute_of, ordering_key

__all__ = ["ContributionSpec", "assemble"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContributionSpec:
    """One contribution as plain values; the fields mean what they mean on :class:`ContextContribution`.

    Attributes:
        scope_aware: Whether the source answers by scope path.
        offline_safe: Whether reading it touches no network.
        read: The source's own ``read``.
    """

    contribution_id: str
    capability: str
    layer: str
    tier: str
    scope: str
    order: int
    inherit: bool
    pinned: bool
    requires_hydration: bool
    scope_aware: bool
    offline_safe: bool
    read: Callable[[ContextRequest], ContextRead]


def assemble(contributions: Iterable[ContextContribution]) -> tuple[ContributionSpec, ...]:
    """Validate every contribution again, refuse duplicate ids, and put them into the order of the prompt.

    Raises:
        BridgeContractError: A contribution breaks a rule, an id stands twice, or something else was passed.
    """
    if not isinstance(contributions, Iterable):
        refuse("KB-ASM-TYPE-1", contributions)
    declared: dict[str, ContextContribution] = {}
    for contribution in contributions:
        if not isinstance(contribution, ContextContribution):
            refuse("KB-ASM-TYPE-1", contribution)
        contribution.validate()
        ContextContribution.validate(contribution)  # whatever a subclass made of it
        if contribution.contribution_id in declared:
            refuse("KB-ASM-ID-1", contribution.contribution_id, contribution.contribution_id)
        declared[contribution.contribution_id] = contribution
    return tuple(_spec(contribution) for contribution in sorted(declared.values(), key=ordering_key))


def _spec(declared: ContextContribution) -> ContributionSpec:
    return ContributionSpec(
        contribution_id=declared.contribution_id,
        capability=declared.capability,
        layer=declared.layer.value,
        tier=declared.tier.value,
        scope=declared.scope.value,
        order=declared.order,
        inherit=declared.inherit,
        pinned=declared.pinned,
        requires_hydration=declared.requires_hydration,
        scope_aware=attribute_of(declared.source, "scope_aware") is True,
        offline_safe=attribute_of(declared.source, "offline_safe") is True,
        read=declared.source.read,
    )
