"""What may enter a prompt, and what a source is asked and answers.

Rules of this module: values, their refusals and the source port; nothing here reads a source or renders a character.
It must not know the knowledge capability. The strings of :class:`PromptLayer`, :class:`PromptTier` and
:class:`PromptScope` are the whole contract between the two, so a plain string is coerced to the member before any rule
looks at it: ``layer="L0"`` never slips past a check that compares members.

Who may declare what: authored tiers (:data:`AUTHORED_TIERS`) may stand in any layer and may be pinned. Learned tiers
stay out of ``L0``, the cached authored prefix, and are never pinned: what an attacker may have written must not be able
to push the operator's text out of the budget, nor stand before it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from types import FunctionType
from typing import Any, Final, Protocol, TypeVar

from .errors import PromptContractError, is_failure, type_name

__all__ = [
    "AUTHORED_TIERS",
    "LAYER_LADDER",
    "MAX_REVISION_CHARS",
    "PromptContribution",
    "PromptLayer",
    "PromptRead",
    "PromptRequest",
    "PromptScope",
    "PromptSource",
    "PromptTier",
    "StaticPromptSource",
    "layer_index",
    "ordering_key",
]


class PromptLayer(StrEnum):
    """Where a contribution stands, by how often its text changes."""

    L0 = "L0"
    """The cached authored prefix."""
    L1 = "L1"
    """Standing text: the same from turn to turn."""
    L2 = "L2"
    """Text of this turn."""


class PromptTier(StrEnum):
    """Whose text it is, in falling order of authority."""

    PLATFORM = "platform"
    OPERATING = "operating"
    PROFILE = "profile"
    SESSION = "session"


class PromptScope(StrEnum):
    """How far a contribution reaches; what a source does with it is told by the request's scope path."""

    DEPLOYMENT = "deployment"
    TENANT = "tenant"
    PROFILE = "profile"


LAYER_LADDER: Final = (PromptLayer.L0, PromptLayer.L1, PromptLayer.L2)
"""Layers in the order in which they stand in the prompt."""

AUTHORED_TIERS: Final = frozenset({PromptTier.PLATFORM, PromptTier.OPERATING})
"""Tiers whose text the operator wrote; every other tier is learned."""

MAX_REVISION_CHARS: Final = 1000
"""Most characters of the revision of a learned read: an outsider's text must not be kept and shown for its length."""

_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_MAX_NAME_CHARS = 128
_Member = TypeVar("_Member", bound=StrEnum)


def is_text(value: object) -> bool:
    """Whether a value really is a ``str``; ``isinstance`` would believe an object's ``__class__``."""
    return issubclass(type(value), str)


def exact_text(value: str) -> str:
    """Return the plain ``str`` inside a subclass: an f-string would call its ``__format__``, which can forge a line."""
    return str.__str__(value)


def is_encodable(text: str) -> bool:
    """Whether a text has a UTF-8 form, that is, holds no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """What every source of one compile is asked.

    Attributes:
        scope_path: Root-first ``kind␟id␟kind␟id…`` of the reader; empty for deployment-wide.
        turn: Number of the turn, for sources that want it; no rule of the compiler depends on it.

    Raises:
        PromptContractError: A scope path that is not encodable text, or a turn that is no plain ``int``.
    """

    scope_path: str = ""
    turn: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "scope_path", _required_text("scope_path", self.scope_path, rule="PR-CON-REQ-1"))
        if not is_encodable(self.scope_path):
            raise PromptContractError(
                "scope_path of a request must be encodable as UTF-8: a lone surrogate has no bytes to key a block "
                "with. Repair the text where it is decoded.",
                rule="PR-CON-REQ-1",
                value=self.scope_path,
            )
        if type(self.turn) is not int:
            raise PromptContractError(
                f"turn must be a plain int, not {type_name(self.turn)}: requests are compared and logged. "
                "Pass the number of the turn.",
                rule="PR-CON-REQ-2",
                value=self.turn,
            )


@dataclass(frozen=True, slots=True)
class PromptRead:
    """What a source answers.

    Attributes:
        text: The text; a ``str`` subclass is converted to the plain ``str`` inside it. No part of the repr.
        revision: The source's own word for this state of its text; shown, never trusted for identity. Of a learned tier
            it has at most :data:`MAX_REVISION_CHARS` characters. No part of the repr.
        untrusted: Whether an outsider may have written the text. ``False`` does not lift a learned tier out of its
            untrusted block.

    Raises:
        PromptContractError: A text or revision that is not ``str``, or a flag that is not ``bool``.
    """

    text: str = field(repr=False)
    revision: str = field(default="", repr=False)
    untrusted: bool = False

    def __post_init__(self) -> None:
        for name in ("text", "revision"):
            object.__setattr__(self, name, _required_text(name, getattr(self, name), rule="PR-CON-READ-1"))
        _require_bool("untrusted", self.untrusted, rule="PR-CON-READ-2")


class PromptSource(Protocol):
    """Where the text of one contribution comes from.

    A source may carry an attribute ``offline_safe``; exactly ``True`` means that reading it needs no outside part. An
    attribute that raises when it is looked up is a source that fails, at the compile that looked it up, and not a
    declaration that is wrong.
    """

    def read(self, request: PromptRequest) -> PromptRead:
        """Return the text for this request; whatever it raises costs its own block, or an authored tier the compile."""
        ...


@dataclass(frozen=True, slots=True)
class StaticPromptSource:
    """Fixed text of any tier. For the operator's own text declare an authored tier: the default is learned.

    Raises:
        PromptContractError: As :class:`PromptRead`, or an ``offline_safe`` that is not ``bool``.
    """

    text: str = field(repr=False)
    revision: str = field(default="static", repr=False)
    untrusted: bool = field(default=False, kw_only=True)
    offline_safe: bool = field(default=True, kw_only=True)

    def __post_init__(self) -> None:
        PromptRead(self.text, self.revision, self.untrusted)
        _require_bool("offline_safe", self.offline_safe, rule="PR-CON-READ-2")

    def read(self, request: PromptRequest) -> PromptRead:  # noqa: ARG002 - the port hands over a request
        """Return the fixed text, whatever the request."""
        return PromptRead(self.text, self.revision, self.untrusted)


@dataclass(frozen=True, slots=True)
class PromptContribution:
    """One declaration of text for the prompt, validated in its constructor.

    Attributes:
        contribution_id: Unique in a compile; ``[A-Za-z0-9_.-]``, 1 to 128 characters. It stands in the opening
            delimiter of an untrusted block.
        source: Answers ``read(request)``.
        capability: Who declares it, under the same rule as the id.
        layer: Where it stands.
        tier: Whose text it is. The default is learned: rendered as untrusted, whatever the source says of it.
        scope: How far it reaches.
        order: Place inside the layer; equal orders are sorted by id.
        inherit: Whether a delegated child's prompt has it too.
        pinned: Whether the budget must keep it; authored tiers only.
        requires_hydration: Whether every compile reads anew; ``False`` allows the hydrator to remember the read.
        offline_safe: Whether reading needs no outside part; a source that says so itself counts too.

    Raises:
        PromptContractError: A broken rule; ``.rule`` names it.
    """

    contribution_id: str
    source: PromptSource
    capability: str = field(default="prompting", kw_only=True)
    layer: PromptLayer = field(default=PromptLayer.L2, kw_only=True)
    tier: PromptTier = field(default=PromptTier.SESSION, kw_only=True)
    scope: PromptScope = field(default=PromptScope.DEPLOYMENT, kw_only=True)
    order: int = field(default=0, kw_only=True)
    inherit: bool = field(default=True, kw_only=True)
    pinned: bool = field(default=False, kw_only=True)
    requires_hydration: bool = field(default=True, kw_only=True)
    offline_safe: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        name = self.contribution_id
        for attribute, rules in _NAME_FIELDS:
            object.__setattr__(self, attribute, _required_name(attribute, getattr(self, attribute), rules, name))
        for kind, attribute, rule in _ENUM_FIELDS:
            object.__setattr__(self, attribute, _member(kind, attribute, getattr(self, attribute), rule, name))
        self.validate()

    @property
    def authored(self) -> bool:
        """Whether the operator wrote the text."""
        return self.tier in AUTHORED_TIERS

    def validate(self) -> None:
        """Check every rule again; the compiler does, because a frozen value can still be forced.

        Raises:
            PromptContractError: A broken rule.
        """
        name = self.contribution_id
        for attribute, rules in _NAME_FIELDS:
            _required_name(attribute, value if type(value := getattr(self, attribute)) is str else None, rules, name)
        if lacks_callable(self.source, "read"):
            raise PromptContractError(
                f"source of {name!r} has no callable read: there would be nothing to ask. "
                "Give an object, not its class, with read(request) -> PromptRead.",
                rule="PR-CON-SOURCE-1",
                contribution_id=name,
                value=self.source,
            )
        for kind, attribute, rule in _ENUM_FIELDS:
            if type(value := getattr(self, attribute)) is not kind:
                raise _unknown_member(kind, attribute, value, rule, name)
        if type(self.order) is not int:
            raise PromptContractError(
                f"order of {name!r} must be a plain int, not {type_name(self.order)}: anything else breaks the "
                "total order. Give a whole number.",
                rule="PR-CON-ORDER-1",
                contribution_id=name,
                value=self.order,
            )
        for attribute in ("inherit", "pinned", "requires_hydration", "offline_safe"):
            _require_bool(attribute, getattr(self, attribute), rule="PR-CON-BOOL-1", contribution_id=name)
        self._refuse_privileged_learned_tier()

    def _refuse_privileged_learned_tier(self) -> None:
        if self.authored:
            return
        if self.layer == PromptLayer.L0:
            raise PromptContractError(
                f"{self.contribution_id!r} has the learned tier {self.tier.value!r} and asks for L0: the cached prefix "
                "holds authored text only. Declare L1 or L2.",
                rule="PR-CON-LEARNED-1",
                contribution_id=self.contribution_id,
                value=self.layer,
            )
        if self.pinned:
            raise PromptContractError(
                f"{self.contribution_id!r} has the learned tier {self.tier.value!r} and is pinned: learned text must "
                "never push authored text out of the budget. Leave pinned off.",
                rule="PR-CON-LEARNED-2",
                contribution_id=self.contribution_id,
                value=self.pinned,
            )


# Each with its rules: there is a name, its spelling, its length.
_NAME_FIELDS: Final = (
    ("contribution_id", ("PR-CON-ID-1", "PR-CON-ID-2", "PR-CON-ID-3")),
    ("capability", ("PR-CON-CAP-1", "PR-CON-CAP-2", "PR-CON-CAP-3")),
)
_ENUM_FIELDS: Final[tuple[tuple[type[StrEnum], str, str], ...]] = (
    (PromptLayer, "layer", "PR-CON-LAYER-1"),
    (PromptTier, "tier", "PR-CON-TIER-1"),
    (PromptScope, "scope", "PR-CON-SCOPE-1"),
)


def layer_index(layer: PromptLayer) -> int:
    """Return the place of a layer in the prompt, counted from 0.

    Raises:
        PromptContractError: No such layer.
    """
    return LAYER_LADDER.index(_member(PromptLayer, "layer", layer, "PR-CON-LAYER-1", ""))


def ordering_key(contribution: PromptContribution) -> tuple[int, int, str]:
    """Return the rank of a contribution: layer, then order, then id, the same as on the knowledge side.

    The tier takes no part: authority is stated by the authority note and by the delimiters, and the operator alone
    decides where inside a layer a text stands.
    """
    return (layer_index(contribution.layer), contribution.order, contribution.contribution_id)


def lacks_callable(value: object, name: str) -> bool:
    """Whether nothing can be called under this name; a class whose method would lack its object counts as such.

    An attribute that cannot be looked up may be there when it is needed; if it is not, that costs its own block, or an
    authored tier the compile.
    """
    try:
        return not callable(getattr(value, name, None)) or (isinstance(value, type) and _is_of_objects(value, name))
    except BaseException as error:
        if not is_failure(error):
            raise
        return False


def _is_of_objects(kind: type, name: str) -> bool:
    """Whether what a class has under this name is a function that needs one of its objects."""
    found = (vars(base)[name] for base in kind.__mro__ if name in vars(base))
    return isinstance(next(found, None), FunctionType)


def _required_text(name: str, value: Any, *, rule: str) -> str:
    if not is_text(value):
        raise PromptContractError(
            f"{name} must be str, not {type_name(value)}: only text can be rendered. Decode it first.",
            rule=rule,
            value=value,
        )
    return exact_text(value)


def _require_bool(name: str, value: object, *, rule: str, contribution_id: str = "") -> None:
    if type(value) is not bool:
        raise PromptContractError(
            f"{name} must be exactly True or False, not {type_name(value)}: a truthy value would decide trust by "
            "accident. Pass a bool.",
            rule=rule,
            contribution_id=contribution_id,
            value=value,
        )


def _required_name(attribute: str, value: Any, rules: tuple[str, str, str], contribution_id: object) -> str:
    text = exact_text(value) if is_text(value) else ""
    if not text:
        fault, rule = "must be text that is not empty", rules[0]
    elif len(text) > _MAX_NAME_CHARS:
        fault, rule = f"is longer than {_MAX_NAME_CHARS} characters", rules[2]
    elif _NAME.fullmatch(text) is None:
        fault, rule = "has a character outside A-Z a-z 0-9 _ . -", rules[1]
    else:
        return text
    raise PromptContractError(
        f"{attribute} {fault}: it is written into a delimiter and must not be able to break out of it. "
        "Name the contribution with plain ASCII letters, digits, dots, dashes and underscores.",
        rule=rule,
        contribution_id=contribution_id,
        value=value,
    )


def _member(kind: type[_Member], attribute: str, value: Any, rule: str, contribution_id: object) -> _Member:
    try:
        return kind(exact_text(value))
    except (TypeError, ValueError):
        raise _unknown_member(kind, attribute, value, rule, contribution_id) from None


def _unknown_member(
    kind: type[StrEnum], attribute: str, value: object, rule: str, contribution_id: object
) -> PromptContractError:
    return PromptContractError(
        f"{attribute} must be one of {', '.join(kind)}: an unknown word would have no rules. "
        f"Use a member of {kind.__name__}.",
        rule=rule,
        contribution_id=contribution_id,
        value=value,
    )
