"""What knowledge may declare about itself, and every refusal.

Rules of this module:

* Whatever ingestion produced is untrusted by definition (requirement ``AS-ING-1``). Nothing here can say otherwise.
* A wrong declaration is refused where it is made, in the constructor, as :class:`BridgeContractError` with a rule id.
* It knows no bridge, no store, no prompt. The strings of its enums are its whole agreement with the prompt compiler.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol, TypeVar, cast, runtime_checkable

from ._refusals import refuse
from ._scope_path import SCOPE_PATH_DELIMITER, ScopePath, scope_ancestors
from ._text import exact_str, is_text
from .errors import is_failure

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "AUTHORED_TIERS",
    "LAYER_LADDER",
    "SCOPE_PATH_DELIMITER",
    "ContextContribution",
    "ContextContributor",
    "ContextLayer",
    "ContextRead",
    "ContextRequest",
    "ContextScope",
    "ContextSource",
    "ContextTier",
    "IngestSelection",
    "ScopePath",
    "StaticContextSource",
    "layer_index",
    "ordering_key",
    "resolve_scope",
    "scope_ancestors",
]


class ContextLayer(StrEnum):
    """Where in the prompt a contribution stands: how long its bytes are expected to stay the same."""

    L0 = "L0"
    """Cached prefix, authored text only."""
    L1 = "L1"
    """Standing knowledge, stable from turn to turn."""
    L2 = "L2"
    """Knowledge of this turn."""


LAYER_LADDER: Final = (ContextLayer.L0, ContextLayer.L1, ContextLayer.L2)
"""The layers from most to least stable, which is the order they take in the prompt."""


class ContextTier(StrEnum):
    """Whose word a contribution is."""

    PLATFORM = "platform"
    OPERATING = "operating"
    PROFILE = "profile"
    SESSION = "session"


AUTHORED_TIERS: Final = frozenset({ContextTier.PLATFORM, ContextTier.OPERATING})
"""The tiers of text the operator wrote. Knowledge can never claim one."""


class ContextScope(StrEnum):
    """Who shares what a contribution reads."""

    DEPLOYMENT = "deployment"
    TENANT = "tenant"
    PROFILE = "profile"


_ID: Final = re.compile(r"[A-Za-z0-9_.-]+", re.ASCII)
_MAX_ID_CHARS: Final = 128
_EnumT = TypeVar("_EnumT", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """What a source is asked.

    Args:
        contribution_id: The contribution that is being read.
        scope_path: For whom, root first (see :class:`ScopePath`); empty is the whole deployment.
        turn: Number of the turn within the conversation; the first is 0 by convention.
    """

    contribution_id: str
    scope_path: str = ""
    turn: int = 0

    def __post_init__(self) -> None:
        _set_text(self, "contribution_id", "KB-CON-REQUEST-1")
        _set_text(self, "scope_path", "KB-CON-REQUEST-1")
        if type(self.turn) is not int:
            refuse("KB-CON-REQUEST-2", self.turn)


@dataclass(frozen=True, slots=True)
class ContextRead:
    """What a source answers.

    Args:
        text: The text, ready to stand in a prompt.
        revision: Changes when the text changes; empty where the source keeps none.
        untrusted: ``True`` unless said otherwise, and nothing in this capability says otherwise (``AS-ING-1``).
    """

    text: str
    revision: str = ""
    untrusted: bool = True

    def __post_init__(self) -> None:
        _set_text(self, "text", "KB-CON-READ-1")
        _set_text(self, "revision", "KB-CON-READ-1")
        if type(self.untrusted) is not bool:
            refuse("KB-CON-READ-2", self.untrusted, name="untrusted")


@dataclass(frozen=True, slots=True)
class IngestSelection:
    """Rendered text with an account of all that was left out.

    Args:
        text: What was admitted, rendered.
        revision: Changes when the admitted content changes.
        dropped: ``(name, reason)`` for everything that was left out; a reason may be any ``str``, a
            :class:`DropReason` too.

    Raises:
        BridgeContractError: Text or revision is no text, or ``dropped`` no tuple of pairs of texts.
    """

    text: str = ""
    revision: str = ""
    dropped: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        _set_text(self, "text", "KB-CON-READ-1")
        _set_text(self, "revision", "KB-CON-READ-1")
        given: object = self.dropped
        if type(given) is not tuple or not all(map(_is_drop, cast("tuple[object, ...]", given))):
            refuse("KB-CON-INGEST-1", given)

    def as_read(self) -> ContextRead:
        """Hand the text to the prompt, untrusted."""
        return ContextRead(self.text, self.revision)


@runtime_checkable
class ContextSource(Protocol):
    """Anything that can be asked for text.

    Two optional attributes are looked at: ``scope_aware`` (``True`` where the answer depends on ``scope_path``) and
    ``offline_safe`` (``True`` where reading touches no network). A source without them counts as neither.
    """

    def read(self, request: ContextRequest) -> ContextRead:
        """Answer ``request``."""
        ...


@runtime_checkable
class ContextContributor(Protocol):
    """A knowledge-side capability as the composition root sees it."""

    def contributions(self) -> Iterable[ContextContribution]:
        """Everything it contributes to a prompt."""
        ...


@dataclass(frozen=True, slots=True)
class StaticContextSource:
    """Fixed content, for tests and seeds.

    Raises:
        BridgeContractError: Text or revision is no text, or a switch no bool.
    """

    text: str
    revision: str = "static"
    scope_aware: bool = False
    offline_safe: bool = True

    def __post_init__(self) -> None:
        _set_text(self, "text", "KB-CON-READ-1")
        _set_text(self, "revision", "KB-CON-READ-1")
        for name in ("scope_aware", "offline_safe"):
            if type(getattr(self, name)) is not bool:
                refuse("KB-CON-STATIC-1", getattr(self, name), name=name)

    def read(self, request: ContextRequest) -> ContextRead:  # noqa: ARG002 - the same answer whoever asks
        """Answer with the fixed text, untrusted like everything else here."""
        return ContextRead(self.text, self.revision)


@dataclass(frozen=True, slots=True)
class ContextContribution:
    """One declaration: this source, at this place of the prompt, at this trust.

    Args:
        contribution_id: 1 to 128 characters of ``[A-Za-z0-9_.-]``, unique within a prompt.
        source: Has a callable ``read``.
        capability: Who declares it; same alphabet and length as the id.
        layer: ``L1`` or ``L2``; ``L0`` is the authored prefix.
        tier: ``profile`` or ``session``; the other two are authored.
        scope: Whose knowledge it is; other than ``deployment`` only for a source whose ``scope_aware`` is ``True``.
        order: Place within the layer, ascending; ties are broken by id.
        inherit: Whether a delegated child sees it.
        pinned: Always ``False`` for knowledge: only authored text may survive every budget.
        requires_hydration: ``False`` lets the prompt side keep the read between turns.

    Raises:
        BridgeContractError: Any of these rules is broken.
    """

    contribution_id: str
    source: ContextSource
    capability: str = "knowledge"
    layer: ContextLayer = ContextLayer.L2
    tier: ContextTier = ContextTier.SESSION
    scope: ContextScope = ContextScope.DEPLOYMENT
    order: int = 0
    inherit: bool = True
    pinned: bool = False
    requires_hydration: bool = True

    def __post_init__(self) -> None:
        for name in ("contribution_id", "capability"):
            value: object = getattr(self, name)
            if is_text(value):
                object.__setattr__(self, name, exact_str(value))
        for name, kind, rule in _ENUM_FIELDS:
            member = _member(kind, getattr(self, name), name, rule, self.contribution_id)
            object.__setattr__(self, name, member)
        self.validate()

    def validate(self) -> None:
        """Check every rule again; assembly does, because an object may have been tampered with since.

        Raises:
            BridgeContractError: The first broken rule.
        """
        _check_identity(self)
        _check_source(self)
        _check_kinds(self)
        _check_authority(self)
        _check_scope(self)


_NAMES: Final = (
    ("contribution_id", ("KB-CON-ID-1", "KB-CON-ID-2", "KB-CON-ID-3")),
    ("capability", ("KB-CON-CAPABILITY-1", "KB-CON-CAPABILITY-2", "KB-CON-CAPABILITY-3")),
)
_ENUM_FIELDS: Final[tuple[tuple[str, type[StrEnum], str], ...]] = (
    ("layer", ContextLayer, "KB-CON-LAYER-1"),
    ("tier", ContextTier, "KB-CON-TIER-1"),
    ("scope", ContextScope, "KB-CON-SCOPE-1"),
)
_FLAGS: Final = (
    ("inherit", "KB-CON-INHERIT-1"),
    ("pinned", "KB-CON-PINNED-1"),
    ("requires_hydration", "KB-CON-HYDRATION-1"),
)


def _check_identity(declared: ContextContribution) -> None:
    for name, (empty, spelled, long) in _NAMES:
        value: object = getattr(declared, name)
        if type(value) is str and not value:
            refuse(empty, value, declared.contribution_id, name=name)
        if type(value) is not str or _ID.fullmatch(value) is None:
            refuse(spelled, value, declared.contribution_id, name=name)
        if len(value) > _MAX_ID_CHARS:
            refuse(long, value, declared.contribution_id, name=name)


def _check_source(declared: ContextContribution) -> None:
    if not callable(attribute_of(declared.source, "read")):
        refuse("KB-CON-SOURCE-1", declared.source, declared.contribution_id)


def _check_kinds(declared: ContextContribution) -> None:
    for name, kind, rule in _ENUM_FIELDS:
        value: object = getattr(declared, name)
        if type(value) is not kind:
            refuse(rule, value, declared.contribution_id, name=name, kind=kind.__name__, names=", ".join(kind))
    if type(declared.order) is not int:
        refuse("KB-CON-ORDER-1", declared.order, declared.contribution_id)
    for name, rule in _FLAGS:
        flag: object = getattr(declared, name)
        if type(flag) is not bool:
            refuse(rule, flag, declared.contribution_id, name=name)


def _check_authority(declared: ContextContribution) -> None:
    if declared.tier in AUTHORED_TIERS:
        refuse("AS-ING-1", declared.tier, declared.contribution_id)
    if declared.layer is ContextLayer.L0:
        refuse("KB-CON-LAYER-2", declared.layer, declared.contribution_id)
    if declared.pinned:
        refuse("KB-CON-PINNED-2", declared.pinned, declared.contribution_id)


def _check_scope(declared: ContextContribution) -> None:
    aware = attribute_of(declared.source, "scope_aware")
    if declared.scope is not ContextScope.DEPLOYMENT and aware is not True:
        refuse("KB-CON-SCOPE-2", aware, declared.contribution_id)


def attribute_of(source: object, name: str) -> object:
    """Return an optional attribute of a source; ``None`` where it has none, or where reading it raises."""
    try:
        return getattr(source, name, None)
    except BaseException as error:  # a property of somebody else's class may raise anything
        if not is_failure(error):
            raise
        return None


def layer_index(layer: ContextLayer) -> int:
    """Position of ``layer`` on the ladder, 0 for ``L0``.

    Raises:
        BridgeContractError: It is no layer.
    """
    return LAYER_LADDER.index(_member(ContextLayer, layer, "layer", "KB-CON-LAYER-1"))


def ordering_key(contribution: ContextContribution) -> tuple[int, int, str]:
    """Total order of contributions within a prompt: layer, then order, then id.

    Raises:
        BridgeContractError: It is no contribution.
    """
    if not isinstance(contribution, ContextContribution):
        refuse("KB-ASM-TYPE-1", contribution)
    return (layer_index(contribution.layer), contribution.order, contribution.contribution_id)


def resolve_scope(scope: str | None) -> ContextScope:
    """Return the scope that ``scope`` names exactly; ``None`` means the whole deployment.

    Nothing is stripped, lower-cased or guessed: a guessed scope shares one tenant's content with another.

    Raises:
        BridgeContractError: ``scope`` is not one of the three names.
    """
    return ContextScope.DEPLOYMENT if scope is None else _member(ContextScope, scope, "scope", "KB-CON-SCOPE-1")


def _member(kind: type[_EnumT], value: object, name: str, rule: str, contribution_id: object = "") -> _EnumT:
    text = exact_str(value) if is_text(value) else None
    for member in kind:
        if member.value == text:
            return member
    return refuse(rule, value, contribution_id, name=name, kind=kind.__name__, names=", ".join(kind))


def _set_text(holder: object, name: str, rule: str) -> None:
    value: object = getattr(holder, name)
    if not is_text(value):
        refuse(rule, value, name=name)
    object.__setattr__(holder, name, exact_str(value))


def _is_drop(pair: object) -> bool:
    if type(pair) is not tuple:
        return False
    parts = cast("tuple[object, ...]", pair)
    return len(parts) == 2 and all(map(is_text, parts))
