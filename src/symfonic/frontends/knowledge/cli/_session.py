"""From options to an open knowledge base. The environment is read here and nowhere else in this face.

Rules of this module: options win over the environment, the environment over the settings file. Only ``ingest`` makes a
store; every other command refuses a path where there is none.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from symfonic.capabilities.knowledge import BridgeContractError, RetrievalPolicy, ScopePath
from symfonic.composition.knowledge import KnowledgeBase, ScopeError, Settings, SettingsError, default_store_path


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Settings and the store they lead to."""

    settings: Settings
    path: Path

    def open(self, *, create: bool = False) -> KnowledgeBase:
        """Open the store; make it only where that is asked for."""
        return KnowledgeBase.open(self.path, settings=self.settings, create=create)


def place(store: str | None, settings: str | None = None, **changes: Any) -> Place:
    """Settings with an option's word above the environment's, and the path of the store."""
    loaded = Settings.load(settings, os.environ).changed(store=store, **changes)
    return Place(settings=loaded, path=loaded.store or default_store_path())


def scope_of(steps: list[str] | None) -> ScopePath | None:
    """``KIND:ID`` words, root first, as a scope; ``None`` where there are none.

    Raises:
        ScopeError: A word is not of that form, or holds what no scope may hold.
    """
    if not steps:
        return None
    for step in steps:
        if ":" not in step:
            raise ScopeError(
                f"a scope is KIND:ID; {step!a} has no colon and would name nobody; write, for instance, tenant:{step}"
            )
    try:
        return ScopePath(tuple((kind, identity) for kind, _, identity in (step.partition(":") for step in steps)))
    except BridgeContractError as error:
        raise ScopeError(str(error)) from error


def policy_of(settings: Settings, **ceilings: Any) -> RetrievalPolicy:
    """The settings' ceilings with those of this question in their place."""
    given = {name: value for name, value in ceilings.items() if value is not None}
    try:
        return replace(settings.retrieval_policy(), **given)
    except BridgeContractError as error:
        raise SettingsError(str(error)) from error


def readable(words: str) -> str:
    """Words of a command line as text: bytes that are no UTF-8 become U+FFFD."""
    return words.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
