"""What stands in every prompt beside the retrieval: contributions of other knowledge, declared once.

Rules of this module: it asks contributors what they declare, carries that over to the compiler, and tells how long each
may be. It reads no source; the compiler does, at the same time as the store is asked. A retrieval among them keeps what
it selected: the labels of its lines are those of sources, and the ledger of a prompt has to list them.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from symfonic.capabilities.knowledge import (
    BridgeContractError,
    ContextContribution,
    ContextContributor,
    ContextRead,
    ContextRequest,
    FragmentSelection,
    KnowledgeSource,
    render_fragments,
    selection_revision,
)
from symfonic.capabilities.prompting import Hydrator, PromptContribution, SequentialHydrator

from .errors import WiringError
from .explanation import explain_rows
from .hydration import ConcurrentHydrator
from .wiring import INSTRUCTIONS_ID, KNOWLEDGE_ID, prompt_contributions

if TYPE_CHECKING:
    from symfonic.capabilities.prompting import CompiledPrompt

    from .settings import Settings

__all__ = ["Beside"]

_MOST_KEPT: Final = 512
"""Selections kept of one retrieval: twice as many as the hydrator remembers reads of all sources together."""


class KeptSource:
    """A retrieval that keeps what it selected, by scope path and revision; safe to read from several threads."""

    __slots__ = ("_kept", "_lock", "_source", "offline_safe", "scope_aware")

    def __init__(self, source: KnowledgeSource) -> None:
        self._source = source
        self._kept: OrderedDict[tuple[str, str], FragmentSelection] = OrderedDict()
        self._lock = threading.Lock()
        self.offline_safe = source.offline_safe
        self.scope_aware = source.scope_aware

    def read(self, request: ContextRequest) -> ContextRead:
        """Answer what the retrieval itself would."""
        selection = self._source.select(request)
        revision = selection_revision(selection)
        with self._lock:
            self._kept[request.scope_path, revision] = selection
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return ContextRead(render_fragments(selection), revision)

    def selected(self, scope_path: str, revision: str) -> FragmentSelection | None:
        """What stands in a prompt of that scope under that revision, where it is still known."""
        with self._lock:
            selection = self._kept.get((scope_path, revision))
            if selection is not None:
                self._kept.move_to_end((scope_path, revision))
        return selection


@dataclass(frozen=True, slots=True)
class Beside:
    """Contributions that are compiled with every question, and the reader that serves them all.

    Attributes:
        contributions: As the compiler reads them; crossed once, so that what need not be read anew is remembered.
        ceilings: The most that each may answer, by id; ``None`` where its source does not say.
        hydrator: Reads the sources: one after the other where the store is the only one, else at the same time.
        kept: The retrievals among them, by id.
    """

    contributions: tuple[PromptContribution, ...] = ()
    ceilings: Mapping[str, int | None] = field(default_factory=lambda: MappingProxyType({}))
    hydrator: Hydrator = field(default_factory=SequentialHydrator)
    kept: Mapping[str, KeptSource] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(cls, contributors: Iterable[ContextContributor], settings: Settings) -> Beside:
        """Ask every contributor once.

        Raises:
            WiringError: One of them raised or declared what the boundary refuses, or an id is taken.
        """
        declared = [item for contributor in contributors for item in _declared(contributor)]
        if not declared:
            return cls()
        kept: dict[str, KeptSource] = {}
        try:
            crossed = prompt_contributions([_keeping(item, kept) for item in declared])
        except BridgeContractError as error:
            raise WiringError(str(error)) from error
        taken = sorted({item.contribution_id for item in crossed} & {INSTRUCTIONS_ID, KNOWLEDGE_ID})
        if taken:
            raise WiringError(
                f"a contribution has an id of its own; {', '.join(taken)} is one of the two that every prompt has, and "
                "nobody could tell them apart; name it otherwise"
            )
        ceilings = {item.contribution_id: _ceiling_of(item.source) for item in declared}
        return cls(crossed, MappingProxyType(ceilings), ConcurrentHydrator(deadline=settings.source_deadline), kept)

    def selections(
        self, prompt: CompiledPrompt, scope_path: str, own: FragmentSelection
    ) -> dict[str, FragmentSelection]:
        """What the retrievals among them selected for a prompt, by id.

        One whose lines share a label, with each other or with whatever else stands in the prompt, is left out: its
        block is then one source under its id, for a reference could not tell its lines apart.
        """
        found: dict[str, FragmentSelection] = {}
        if not self.kept:
            return found
        lines = dict.fromkeys((block.contribution_id for block in prompt.blocks), "")
        lines.update((row.citation, row.line) for row in explain_rows(own) if row.admitted)
        for block in prompt.blocks:
            source = self.kept.get(block.contribution_id)
            selection = None if source is None else source.selected(scope_path, block.revision)
            if selection is not None and _are_distinct(selection, lines):
                found[block.contribution_id] = selection
        return found


def _are_distinct(selection: FragmentSelection, lines: dict[str, str]) -> bool:
    """Whether no label of a selection has another line, here or among ``lines``, which then get these."""
    rows = [row for row in explain_rows(selection) if row.admitted]
    new = {row.citation: row.line for row in rows}
    if len(new) < len(rows) or any(lines.get(label, line) != line for label, line in new.items()):
        return False
    lines.update(new)
    return True


def _keeping(item: ContextContribution, kept: dict[str, KeptSource]) -> ContextContribution:
    """The same declaration; a retrieval keeps what it selects from now on."""
    if type(item) is not ContextContribution or type(item.source) is not KnowledgeSource:
        return item
    kept[item.contribution_id] = KeptSource(item.source)
    return replace(item, source=kept[item.contribution_id])


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
