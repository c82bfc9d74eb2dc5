"""What stands in every prompt beside the retrieval: contributions of other knowledge, declared once.

Rules of this module: it asks contributors what they declare, carries that over to the compiler, and tells how long each
may be. It reads no source but fixed text, which is the same whenever it is read; the compiler reads the others, at the
same time as the store is asked. A retrieval among them keeps what it selected: the labels of its lines are those of
sources, and the ledger of a prompt has to list them.

How long a source's text may be is what its ``policy.max_total_chars`` says, in the unit of its ``policy.count``. One of
somebody's own need not have a policy: it is then held by the compiler's ceiling alone, and what is longer is dropped.
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
    RetrievalPolicy,
    StaticContextSource,
    render_fragments,
    selection_revision,
)
from symfonic.capabilities.prompting import (
    CounterError,
    PromptCompiler,
    PromptContribution,
    SequentialHydrator,
)

from .errors import CounterFailedError, WiringError, type_name
from .explanation import explain_rows
from .hydration import ConcurrentHydrator
from .wiring import INSTRUCTIONS_ID, KNOWLEDGE_ID, prompt_contributions, refuse_empty_handed

if TYPE_CHECKING:
    from symfonic.capabilities.prompting import CompiledPrompt

    from .settings import Settings

__all__ = ["Beside"]

_CHARS_PER_TOKEN: Final = 1000
"""Most characters for each token of its ceiling that a learned text may have, as RenderPolicy says."""

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
        ceilings: The most that each may answer, by id, in the unit of the settings; ``None`` where its source does not
            say.
        hydrator: Reads the sources: one after the other where the store is the only one, else at the same time.
        kept: The retrievals among them, by id.
    """

    contributions: tuple[PromptContribution, ...] = ()
    ceilings: Mapping[str, int | None] = field(default_factory=lambda: MappingProxyType({}))
    hydrator: SequentialHydrator | ConcurrentHydrator = field(default_factory=SequentialHydrator)
    kept: Mapping[str, KeptSource] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(cls, contributors: Iterable[ContextContributor], settings: Settings) -> Beside:
        """Ask every contributor once.

        Raises:
            WiringError: One of them raised or declared what the boundary refuses, an id is taken, a ceiling has no room
                or is in another unit than the settings', or fixed text makes no block.
            CounterFailedError: The settings' counter failed at fixed text.
        """
        declared = [item for contributor in listed(contributors) for item in _declared(contributor)]
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
        ceilings = {item.contribution_id: _ceiling_of(item, settings) for item in declared}
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


def listed(contributors: Iterable[ContextContributor]) -> tuple[ContextContributor, ...]:
    """The contributors, gone through once.

    Raises:
        WiringError: They are not several, or going through them raised.
    """
    try:
        return tuple(contributors)
    except Exception as error:
        raise WiringError(
            f"contributors are given as several, such as a list; going through a {type_name(contributors)} raised "
            f"{type_name(error)} and nothing was opened; put a single one into a list, and leave it out for none"
        ) from error


def _declared(contributor: ContextContributor) -> tuple[ContextContribution, ...]:
    try:
        return tuple(contributor.contributions())
    except Exception as error:
        raise WiringError(
            f"a contributor declares its contributions when a knowledge base is built; one raised "
            f"{type_name(error)} and nothing was opened; look at its cause"
        ) from error


def _ceiling_of(declared: ContextContribution, settings: Settings) -> int | None:
    """How long the text of a contribution may be, in the unit of the settings, where that can be told."""
    if type(declared.source) is StaticContextSource:
        return _measured(declared, declared.source.text, settings)
    try:
        policy: object = declared.source.policy  # type: ignore[attr-defined]  # that is what is asked here
        most: object = policy.max_total_chars  # type: ignore[attr-defined]  # and this
        count: object = getattr(policy, "count", None)
    except Exception:  # noqa: BLE001 - a source is foreign code, and its attributes may be computed
        return None
    if type(most) is not int or most < 0:
        return None
    if count != settings.count:
        raise WiringError(
            f"the ceiling of {declared.contribution_id!r} is counted as the deployment's are; with another counter its "
            "text could fit the one and be dropped by the other; give its policy the count of the settings"
        )
    if isinstance(policy, RetrievalPolicy):
        refuse_empty_handed(policy, f" of {declared.contribution_id!r}")
    return most


def _measured(declared: ContextContribution, text: str, settings: Settings) -> int:
    """The ceiling that fixed text needs, after it was seen to make a block under it."""
    try:
        size = needed_ceiling(text, settings)
        render = replace(settings.render_policy(), max_learned_chars=size, max_prompt_chars=None)
        prompt = PromptCompiler(render).compile(prompt_contributions([declared]))
    except CounterError as error:
        raise CounterFailedError(str(error)) from error
    if not prompt.blocks:
        why = prompt.diagnostics[0].message.partition(":")[0]
        raise WiringError(
            f"fixed text makes a block of the prompt; of {declared.contribution_id!r} {why}, so every prompt would "
            "have a diagnostic in its place; correct the text, or leave the contribution out"
        )
    return size


def needed_ceiling(text: str, settings: Settings) -> int:
    """The least ``max_learned_chars`` that lets a text through, in the unit of the settings.

    Raises:
        CounterError: The settings' counter failed.
    """
    size = settings.render_policy().measure(text)
    return size if settings.count is None else max(size, -(-len(text) // _CHARS_PER_TOKEN))
