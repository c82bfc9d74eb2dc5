"""What forms of the inspector say, read strictly.

Rules of this module: text in, values of composition out, or an error of composition that says what to correct. A field
that is left out is the settings' own value. Who has the whole deployment tries any ceiling; a tenant stays within the
operator's, as on every other face.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from symfonic.capabilities.knowledge import BridgeContractError, RetrievalPolicy, ScopePath
from symfonic.composition.knowledge import InputError, ScopeError, narrowed
from symfonic.frontends.knowledge.http._asking import policy_within

if TYPE_CHECKING:
    from collections.abc import Mapping

    from symfonic.composition.knowledge import AccessKey, Settings
    from symfonic.frontends.knowledge._views import View

_FLOOR: Final = "min_score"
_MOST_SCOPE_CHARS: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """One ceiling as a form shows it.

    Attributes:
        name: Of the field, as the settings call it.
        title: For people.
        words: What it does.
        least: Least value.
        most: Most that the slider reaches; the number beside it may be larger.
        step: Of the slider.
        whole: Whether it is a whole number.
    """

    name: str
    title: str
    words: str
    least: float
    most: float
    step: float
    whole: bool = True


CEILINGS: Final = (
    Ceiling(name="limit", title="Passages", words="at most so many in the prompt", least=1, most=30, step=1),
    Ceiling(name=_FLOOR, title="Least score", words="weaker passages stay out", least=0, most=1, step=0.01,
            whole=False),
    Ceiling(name="max_fragment_chars", title="One passage", words="longest passage, in {unit}", least=2, most=6_000,
            step=50),
    Ceiling(name="max_total_chars", title="All passages", words="all lines together, in {unit}", least=2, most=24_000,
            step=100),
)  # fmt: skip
_LARGEST: Final = 10_000_000


def ceiling_fields(key: AccessKey | None, settings: Settings, given: Mapping[str, str]) -> list[View]:
    """The ceilings as fields of a form, with what was typed, or the settings' own values; none reaches too far."""
    unit = "characters" if settings.count is None else "tokens"
    fields: list[View] = []
    for one in CEILINGS:
        own = getattr(settings, one.name)
        value = given.get(one.name, "").strip() or _shown(own)
        least, most = _reach(key, one, own)
        fields.append({
            "name": one.name,
            "title": one.title,
            "words": one.words.format(unit=unit),
            "least": _shown(least),
            "most": _shown(most),
            "start": _shown(one.step if 1 < one.step <= most else least),
            "step": _shown(one.step),
            "exact": "1" if one.whole else "0.001",
            "value": value,
            "own": _shown(own),
        })  # fmt: skip
    return fields


def policy_of(key: AccessKey | None, settings: Settings, given: Mapping[str, str]) -> RetrievalPolicy:
    """The settings' ceilings with those of a form in their place.

    Raises:
        InputError: One is no number, out of its range, or wider than the operator's where the key is a tenant's.
    """
    # The form has the settings' own values rounded; what was not touched is no choice.
    said = [one for one in CEILINGS if given.get(one.name, "").strip() not in {"", _shown(getattr(settings, one.name))}]
    chosen: dict[str, Any] = {one.name: _number(one, given[one.name]) for one in said}
    operator = settings.retrieval_policy()
    if key is not None and key.scope_path:
        return policy_within(operator, chosen)
    return replace(operator, **chosen)


def _reach(key: AccessKey | None, one: Ceiling, own: float) -> tuple[float, float]:
    """Least and most that a slider offers; a tenant's slider ends at the operator's value."""
    if key is None or not key.scope_path:
        return one.least, max(one.most, own)
    return (own, one.most) if one.name == _FLOOR else (min(one.least, own), own)


def _number(one: Ceiling, text: str) -> int | float:
    most = _LARGEST if one.whole else 1
    try:
        value = int(text) if one.whole else float(text)
    except ValueError:
        value = math.nan
    if not one.least <= value <= most:
        kind = "a whole number" if one.whole else "a number"
        raise InputError(
            f"“{one.title}” is {kind} from {_shown(one.least)} to {most:,}; {ascii(text)[:40]} is not and nothing was "
            "asked; correct it"
        )
    return value


def question_of(given: Mapping[str, str], most: int) -> str:
    """The question, of at most so many characters.

    Raises:
        InputError: It is longer than a question may be.
    """
    question = given.get("question", "")
    if len(question) > most:
        raise InputError(
            f"a question has at most {most:,} characters; this one has {len(question):,} and nothing "
            "was asked; shorten it"
        )
    return question


def scope_of(key: AccessKey | None, given: Mapping[str, str]) -> ScopePath:
    """Whose knowledge is asked: ``KIND:ID`` steps, root first, or what the key reaches where nothing is said.

    Raises:
        ScopeError: It is no scope.
        AccessRefusedError: The key does not reach it.
    """
    text = given.get("scope", "").strip()
    if len(text) > _MOST_SCOPE_CHARS:
        raise ScopeError(
            f"a scope has at most {_MOST_SCOPE_CHARS:,} characters here; this one has more and nothing was done; "
            "shorten it"
        )
    return ScopePath.parse(narrowed(key, _parsed(text) if text else None))


def _parsed(text: str) -> ScopePath:
    steps = [step.partition(":") for step in text.split()]
    try:
        return ScopePath(tuple((kind, identity) for kind, _, identity in steps))
    except BridgeContractError as error:
        raise ScopeError(
            f"a scope is KIND:ID, several with spaces between them, root first; {ascii(text)[:80]} is none and nothing "
            "was done; write, for instance, tenant:acme, or leave it empty"
        ) from error


def _shown(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") if value % 1 else f"{int(value)}"
