"""Contributions of every tier become one prompt, deterministically.

Rules of this module: it is the only one that knows all the others. A compile is a pure function of the declarations,
the request, the policy and the *completed reads*: the same in any order of declaration, process and platform.

- Blocks stand in rank order: layer, then order, then id; the tier takes no part.
- The authority note is there whenever a learned contribution is *declared*, whether or not it is inherited, read or
  rendered: the cached prefix must not change from a turn with retrieval to one without, nor from a parent to its
  delegated child.
- Every contribution is accounted for: one block, or one diagnostic that says why there is none.

An authored tier fails closed, always: a prompt without the operator's text is not a smaller prompt, it is a different
application. That holds for a source that fails, for a pinned text that shows nothing, and where none of the authored
texts that were read shows anything. ``RenderPolicy.fail_closed`` names the rule, and does not turn it off. The
exceptions are what the caller asked for: an ``offline`` compile, meant for looking at a prompt without its outside
parts, leaves sources out, a ``delegated`` one what is not inherited, and a prompt over its ceiling what is not pinned;
an unpinned text beside others may be blank. Each is told by a diagnostic.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from ._layout import SEPARATOR, CompiledPrompt, PromptBlock, PromptDigests, fit_to_budget, joined_chars, lay_out
from ._outcomes import exclusion, outcome_of, refuse_silence
from .contracts import PromptContribution, PromptRequest, exact_text, is_text, lacks_callable, ordering_key
from .diagnostics import DiagnosticCode
from .errors import HydrationError, PromptContractError, PromptError, is_failure, type_name
from .hydration import Hydrator, KeyedHydrator, SequentialHydrator
from .policy import RenderPolicy
from .rendering import authority_note, untrusted_overhead

__all__ = ["SEPARATOR", "CompiledPrompt", "PromptBlock", "PromptCompiler", "PromptDigests", "compiled_chars"]


@dataclass(frozen=True, slots=True)
class PromptCompiler:
    """Compiles contributions into one prompt.

    Attributes:
        policy: Ceilings, key and switches.
        hydrator: How sources are read. By default one :class:`SequentialHydrator` per compiler, which remembers reads
            that need no hydration; one hydrator may serve several compilers, and a :class:`KeyedHydrator` keeps what
            they remember apart.

    Raises:
        PromptContractError: A policy that is no :class:`RenderPolicy`, or a hydrator without a callable ``read_all``.
    """

    policy: RenderPolicy = field(default_factory=RenderPolicy)
    hydrator: Hydrator = field(default_factory=SequentialHydrator)

    def __post_init__(self) -> None:
        if not isinstance(self.policy, RenderPolicy):
            raise PromptContractError(
                f"the policy of a compiler is a RenderPolicy, not {type_name(self.policy)}: only its constructor "
                "checks ceilings and key. Build one.",
                rule="PR-CMP-PARTS-1",
            )
        if lacks_callable(self.hydrator, "read_all"):
            raise PromptContractError(
                f"the hydrator of a compiler has a callable read_all, and {_told(self.hydrator)} has none: no "
                "source could be read. Give a Hydrator, not its class.",
                rule="PR-CMP-PARTS-2",
            )

    def compile(
        self,
        contributions: Iterable[PromptContribution],
        request: PromptRequest | None = None,
        *,
        delegated: bool = False,
        offline: bool = False,
    ) -> CompiledPrompt:
        """Read every source and compile the prompt.

        Args:
            contributions: Declarations in any order.
            request: What the sources are asked; by default an empty scope path.
            delegated: Compile a child's prompt: contributions declared with ``inherit=False`` are left out.
            offline: Read only sources that need no outside part; the others are left out with a diagnostic.

        Raises:
            PromptContractError: What is no valid contribution, request or switch, or an id declared twice.
            TierTrustError: An authored tier whose source says its text is untrusted.
            HydrationError: Authored text that could not be read, or that is pinned or the only one and shows nothing,
                or a hydrator that broke its contract.
            PromptBudgetError: The authority note and the pinned blocks do not fit ``max_prompt_chars``.
            CounterError: The policy's counter raised, or answered what is no count.
        """
        _require_bool("delegated", delegated)
        _require_bool("offline", offline)
        ranked = _ranked(contributions)
        asked = _checked(request)
        excluded = {item.contribution_id: exclusion(item, delegated=delegated, offline=offline) for item in ranked}
        reads = self._read_all([item for item in ranked if excluded[item.contribution_id] is None], asked)
        outcomes = [
            excluded[item.contribution_id] or outcome_of(item, reads.get(item.contribution_id), asked, self.policy)
            for item in ranked
        ]
        refuse_silence(ranked, outcomes)
        note = authority_note(self.policy) if any(not item.authored for item in ranked) else ""
        return lay_out(note, fit_to_budget(note, outcomes, self.policy.max_prompt_chars, self.policy.count))

    def _read_all(self, eligible: Sequence[PromptContribution], request: PromptRequest) -> Mapping[str, object]:
        hydrator = self.hydrator
        try:
            if hasattr(type(hydrator), "keyed"):
                hydrator = cast("KeyedHydrator", hydrator).keyed(self.policy.key_fingerprint)
            return _mapping(hydrator.read_all(eligible, request))
        except BaseException as error:
            if isinstance(error, PromptError) or not is_failure(error):
                raise
            raise HydrationError(
                f"the hydrator raised {type_name(error)}: a hydrator answers with one read or failure per "
                "contribution and raises nothing. Repair it; no prompt was compiled.",
                contribution_id="",
                code=DiagnosticCode.SOURCE_FAILED.value,
            ) from error


def compiled_chars(policy: RenderPolicy, authored: Iterable[int], learned: Mapping[str, int]) -> int:
    """Return the exact length of a prompt from the lengths of its parts, without compiling it, in characters.

    What a composition root needs to know whether a retrieval at its ceiling will fit; numbers of any size cost the
    same. Text that is no longer than its read stays in the sum: rendering makes a read longer by one character at most,
    and only one that begins with a combining mark, as no line of a bridge does. Tokens cannot be added up like this, so
    a policy's counter takes no part.

    Args:
        policy: Decides the authority note, which is part of every prompt with a learned declaration.
        authored: Characters of each authored text; 0 for one that is left out.
        learned: Characters of the text of each learned contribution, by contribution id; 0 for one that is blank.

    Returns:
        Authority note, blocks, delimiters and separators together, in characters.

    Raises:
        PromptContractError: A length that is negative or no plain ``int``, or an id that is not ``str``.
    """
    blocks = [_required_length(chars) for chars in authored]
    blocks += [_required_length(chars) and chars + untrusted_overhead(name) for name, chars in learned.items()]
    return joined_chars(authority_note(policy) if learned else "", (chars for chars in blocks if chars))


def _required_length(chars: int) -> int:
    if type(chars) is not int or chars < 0:
        raise PromptContractError(
            "the length of a text is a plain int of at least 0: lengths are added up. Give the number of characters.",
            rule="PR-CMP-CHARS-1",
            value=chars,
        )
    return chars


def _mapping(reads: object) -> Mapping[str, object]:
    if not isinstance(reads, Mapping):
        raise HydrationError(
            f"the hydrator answered {type_name(reads)}: it must be a mapping from contribution id to read or "
            "failure. Repair it; no prompt was compiled.",
            contribution_id="",
            code=DiagnosticCode.WRONG_TYPE.value,
        )
    # A copy under plain keys: what a foreign mapping or key would do when it is looked at later is nobody's concern.
    items = cast("Mapping[object, object]", reads).items()
    return {exact_text(cast("str", name)): answer for name, answer in items if is_text(name)}


def _told(value: object) -> str:
    if not issubclass(type(value), type):
        return type_name(value)
    name: str = type.__dict__["__name__"].__get__(value)
    return f"the class {name[:80]!a}"


def _require_bool(name: str, value: object) -> None:
    if type(value) is not bool:
        raise PromptContractError(
            f"{name} must be exactly True or False, not {type_name(value)}: a truthy word such as 'no' would decide by "
            "accident what is left out. Pass a bool.",
            rule="PR-CMP-BOOL-1",
            value=value,
        )


def _ranked(contributions: Iterable[object]) -> tuple[PromptContribution, ...]:
    items: dict[str, PromptContribution] = {}
    if not isinstance(contributions, Iterable):
        raise PromptContractError(
            f"a compile takes several contributions, not {type_name(contributions)}: it goes through them one by one. "
            "Put a single one into a list; what the knowledge side declares crosses with prompt_contributions.",
            rule="PR-CON-TYPE-2",
            value=contributions,
        )
    for item in contributions:
        if type(item) is not PromptContribution:
            # A subclass too could answer for itself whether it is authored, and that decides what is rendered verbatim.
            raise PromptContractError(
                f"a compile takes exactly PromptContribution values, not {type_name(item)}: nothing else was "
                "validated. Declare the text as a PromptContribution; what the knowledge side declares crosses with "
                "prompt_contributions.",
                rule="PR-CON-TYPE-1",
                value=item,
            )
        _require_valid(item)
        if item.contribution_id in items:
            raise PromptContractError(
                f"contribution id {item.contribution_id!r} is declared twice: blocks, diagnostics and remembered reads "
                "could not be told apart. Give each contribution its own id.",
                rule="PR-CON-DUPLICATE-1",
                contribution_id=item.contribution_id,
                value=item,
            )
        items[item.contribution_id] = item
    return tuple(sorted(items.values(), key=ordering_key))


def _require_valid(item: PromptContribution) -> None:
    try:
        item.validate()
    except AttributeError as error:
        raise PromptContractError(
            "a contribution has every part that its constructor sets, and this one lacks some: its rules cannot be "
            "checked. Build it with PromptContribution(…).",
            rule="PR-CON-TYPE-1",
        ) from error


def _checked(request: PromptRequest | None) -> PromptRequest:
    if request is None:
        return PromptRequest()
    try:
        if type(request) is PromptRequest:
            # Built anew: a frozen value can be forced to hold text that answers for itself, or nothing at all.
            return PromptRequest(request.scope_path, request.turn)
        told = type_name(request)
    except AttributeError:
        told = "one that lacks its parts"
    raise PromptContractError(
        f"a compile is asked with a PromptRequest, not {told}: its scope path decides who reads what. Build a "
        "PromptRequest.",
        rule="PR-CON-REQ-3",
        value=request,
    )
