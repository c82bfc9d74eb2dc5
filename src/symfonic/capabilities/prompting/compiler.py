"""Contributions of every tier become one prompt, deterministically.

Rules of this module: it is the only one that knows all the others. A compile is a pure function of the declarations,
the request, the policy and the *completed reads*: the same in any order of declaration, process and platform.

- Blocks stand in rank order: layer, then order, then id; the tier takes no part.
- The authority note is there whenever a learned contribution is *declared*, whether or not it is inherited, read or
  rendered: the cached prefix must not change from a turn with retrieval to one without, nor from a parent to its
  delegated child.
- Every contribution is accounted for: one block, or one diagnostic that says why there is none.

An authored tier fails closed, always: a prompt without the operator's text is not a smaller prompt, it is a different
application. ``RenderPolicy.fail_closed`` names the rule, and does not turn it off. The one exception is what the caller
asked for: an ``offline`` compile, meant for looking at a prompt without its outside parts, leaves sources out and says
which ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, cast

from ._counting import CHARS_PER_TOKEN, is_out_of_proportion, unit_of
from ._layout import (
    SEPARATOR,
    CompiledPrompt,
    Outcome,
    Piece,
    PromptBlock,
    PromptDigests,
    fit_to_budget,
    joined_chars,
    lay_out,
)
from ._text import shows_blank
from .contracts import PromptContribution, PromptRead, PromptRequest, is_encodable, ordering_key
from .diagnostics import DiagnosticCode, PromptDiagnostic
from .errors import HydrationError, PromptContractError, PromptError, TierTrustError
from .hydration import (
    Hydrator,
    KeyedHydrator,
    ReadFailure,
    SequentialHydrator,
    failure_of,
    normalise_read,
    type_name,
)
from .policy import RenderPolicy
from .rendering import (
    UntrustedText,
    authority_note,
    closing_delimiter,
    delimiter_tag,
    opening_delimiter,
    prepare_untrusted,
    untrusted_overhead,
)

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
        if not callable(getattr(self.hydrator, "read_all", None)):
            raise PromptContractError(
                f"the hydrator of a compiler has a callable read_all, and {type_name(self.hydrator)} has none: no "
                "source could be read. Give a Hydrator.",
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
            PromptContractError: Something that is no valid contribution or request, or an id declared twice.
            TierTrustError: An authored tier whose source says its text is untrusted.
            HydrationError: Authored text that could not be read, or a hydrator that broke its contract.
            PromptBudgetError: The authority note and the pinned blocks do not fit ``max_prompt_chars``.
            CounterError: The policy's counter raised, or answered what is no count.
        """
        ranked = _ranked(contributions)
        asked = _checked(request)
        excluded = {item.contribution_id: _exclusion(item, delegated=delegated, offline=offline) for item in ranked}
        reads = self._read_all([item for item in ranked if excluded[item.contribution_id] is None], asked)
        outcomes = [
            excluded[item.contribution_id] or self._outcome(item, reads.get(item.contribution_id), asked)
            for item in ranked
        ]
        note = authority_note(self.policy) if any(not item.authored for item in ranked) else ""
        return lay_out(note, fit_to_budget(note, outcomes, self.policy.max_prompt_chars, self.policy.count))

    def _read_all(self, eligible: Sequence[PromptContribution], request: PromptRequest) -> Mapping[str, object]:
        hydrator = self.hydrator
        try:
            if hasattr(type(hydrator), "keyed"):
                hydrator = cast("KeyedHydrator", hydrator).keyed(self.policy.key_fingerprint)
            return _mapping(hydrator.read_all(eligible, request))
        except PromptError:
            raise
        except Exception as error:
            raise HydrationError(
                f"the hydrator raised {type_name(error)}: a hydrator answers with one read or failure per "
                "contribution and raises nothing. Repair it; no prompt was compiled.",
                contribution_id="",
                code=DiagnosticCode.SOURCE_FAILED.value,
            ) from error

    def _outcome(self, item: PromptContribution, answer: object, request: PromptRequest) -> Outcome:
        read = ReadFailure(DiagnosticCode.UNREAD) if answer is None else normalise_read(answer)
        if isinstance(read, PromptRead):
            # First: whatever is dropped for its length is not worth a look at its characters.
            too_long = None if item.authored else _too_long(item, read.text, self.policy)
            if too_long is not None:
                return too_long
            read = _encodable(read)
        if isinstance(read, ReadFailure):
            return _failed(item, read)
        return _authored(item, read) if item.authored else _learned(item, read, request, self.policy)


def compiled_chars(policy: RenderPolicy, authored: Iterable[int], learned: Mapping[str, int]) -> int:
    """Return the exact length of a prompt from the lengths of its parts, without compiling it, in characters.

    What a composition root needs to know whether a retrieval at its ceiling will fit; numbers of any size cost the
    same. Text that is no longer than its read stays in the sum: rendering makes a read longer by one character at most,
    and only one that begins with a combining mark, as no line of a bridge does. Tokens cannot be added up like this, so
    a policy's counter takes no part.

    Args:
        policy: Decides the authority note, which is part of every prompt with a learned declaration.
        authored: Characters of each authored text; 0 for one that is blank, and makes no block.
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
    # A copy: what a foreign mapping would do when it is looked at later is nobody's concern any more.
    return dict(cast("Mapping[str, object]", reads))


def _ranked(contributions: Iterable[object]) -> tuple[PromptContribution, ...]:
    items: dict[str, PromptContribution] = {}
    for item in contributions:
        if type(item) is not PromptContribution:
            # A subclass too could answer for itself whether it is authored, and that decides what is rendered verbatim.
            raise PromptContractError(
                f"a compile takes exactly PromptContribution values, not {type_name(item)}: nothing else was "
                "validated. Declare the text as a contribution.",
                rule="PR-CON-TYPE-1",
                value=item,
            )
        item.validate()
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


def _checked(request: PromptRequest | None) -> PromptRequest:
    if request is None:
        return PromptRequest()
    if type(request) is not PromptRequest:
        raise PromptContractError(
            f"a compile is asked with a PromptRequest, not {type(request).__name__}: its scope path decides who reads "
            "what. Build a PromptRequest.",
            rule="PR-CON-REQ-3",
            value=request,
        )
    return request


def _exclusion(item: PromptContribution, *, delegated: bool, offline: bool) -> Outcome | None:
    if delegated and not item.inherit:
        return PromptDiagnostic(
            DiagnosticCode.NOT_INHERITED,
            item.contribution_id,
            "declared with inherit=False: a delegated child's prompt does not have it. "
            "Declare inherit=True if the child needs it.",
        )
    if not offline or item.offline_safe:
        return None
    try:
        safe = getattr(item.source, "offline_safe", False) is True
    except Exception as error:  # noqa: BLE001 - a source is foreign code, and its attributes may be computed
        return _failed(item, failure_of(error))
    if not safe:
        return PromptDiagnostic(
            DiagnosticCode.OFFLINE,
            item.contribution_id,
            "the source needs an outside part and this compile is offline: it was not read. "
            "Declare offline_safe=True if reading it needs nothing.",
        )
    return None


_FAILURES: Final = MappingProxyType(
    {
        DiagnosticCode.SOURCE_FAILED: "the source raised",
        DiagnosticCode.TOO_SLOW: "the source missed its deadline",
        DiagnosticCode.WRONG_TYPE: "the source answered something other than a PromptRead",
        DiagnosticCode.BAD_TEXT: "the text or revision holds a lone surrogate and has no UTF-8 form",
        DiagnosticCode.UNREAD: "the hydrator gave no answer",
    }
)


def _reason(failure: ReadFailure) -> str:
    return _FAILURES[failure.code] + (f" ({failure.detail})" if failure.detail else "")


def _failed(item: PromptContribution, failure: ReadFailure) -> PromptDiagnostic:
    if item.authored:
        raise HydrationError(
            f"authored text of {item.contribution_id!r} could not be read, {_reason(failure)}: a prompt without the "
            "operator's text must not be sent, so nothing was compiled. Repair the source.",
            contribution_id=item.contribution_id,
            code=failure.code.value,
        ) from failure.error
    return PromptDiagnostic(
        failure.code, item.contribution_id, f"{_reason(failure)}: its block is left out. Repair the source."
    )


def _encodable(read: PromptRead) -> PromptRead | ReadFailure:
    if is_encodable(read.text) and is_encodable(read.revision):
        return read
    return ReadFailure(DiagnosticCode.BAD_TEXT)


def _authored(item: PromptContribution, read: PromptRead) -> Outcome:
    if read.untrusted:
        raise TierTrustError(
            f"{item.contribution_id!r} is declared as {item.tier.value} and its source says untrusted=True: rendering "
            "it verbatim would let an outsider speak as the operator. Declare a learned tier, or give authored text.",
            contribution_id=item.contribution_id,
            tier=item.tier.value,
        )
    if shows_blank(read.text):
        return _blank(item)
    return Piece(contribution=item, revision=read.revision, content=read.text)


def _blank(item: PromptContribution) -> PromptDiagnostic:
    return PromptDiagnostic(
        DiagnosticCode.BLANK,
        item.contribution_id,
        "the text shows nothing: no block was made. Nothing to repair if the source had nothing to say; "
        "whether it had, or failed, is for its own account to tell, such as what a retrieval dropped.",
    )


def _too_long(item: PromptContribution, text: str, policy: RenderPolicy) -> PromptDiagnostic | None:
    """Why a learned text is over its ceiling by its characters alone, if it is."""
    ceiling = policy.max_learned_chars
    if policy.count is None:
        return _over_learned(item, len(text), ceiling, "characters") if len(text) > ceiling else None
    if not is_out_of_proportion(text, ceiling):
        return None
    return _over_learned(item, len(text), ceiling * CHARS_PER_TOKEN, "characters, too many to be counted in tokens,")


def _over_learned(item: PromptContribution, actual: int, ceiling: int, unit: str) -> PromptDiagnostic:
    return PromptDiagnostic(
        DiagnosticCode.OVER_LEARNED,
        item.contribution_id,
        f"the text has {actual} {unit} and max_learned_chars allows {ceiling}: the block was dropped whole, never cut. "
        "Raise the ceiling or let the source answer less.",
        actual=actual,
        ceiling=ceiling,
    )


def _learned(item: PromptContribution, read: PromptRead, request: PromptRequest, policy: RenderPolicy) -> Outcome:
    name = item.contribution_id
    if policy.count is not None:
        actual = policy.measure(read.text)
        if actual > policy.max_learned_chars:
            return _over_learned(item, actual, policy.max_learned_chars, unit_of(policy.count))
    ready = prepare_untrusted(read.text, policy)
    if shows_blank(ready.text):
        return _blank(item)
    if not ready.settled:
        return PromptDiagnostic(
            DiagnosticCode.UNSAFE,
            name,
            "look-alikes of delimiters or control tokens kept appearing while they were neutralised: the block was "
            "kept out. Look at the source's text.",
        )
    tag = delimiter_tag(policy.delimiter_key, request.scope_path, name, ready.text)
    return Piece(
        contribution=item,
        revision=read.revision,
        content=ready.text,
        opening=opening_delimiter(name, tag),
        closing=closing_delimiter(tag),
        tag=tag,
        notices=tuple(_notices(name, ready)),
    )


def _notices(name: str, ready: UntrustedText) -> Iterable[PromptDiagnostic]:
    if ready.cleaned:
        kinds = ", ".join(f"{kind} {count}" for kind, count in ready.cleaned)
        yield PromptDiagnostic(
            DiagnosticCode.CLEANED,
            name,
            f"line breaks, invisible or control characters were unified, removed, replaced or just counted ({kinds}): "
            "the block shows the result.",
            actual=sum(count for _, count in ready.cleaned),
        )
    if ready.delimiters:
        yield PromptDiagnostic(
            DiagnosticCode.DELIMITER,
            name,
            f"{_counted(ready.delimiters, 'look-alike')} of the delimiter made harmless: the text may be an attack. "
            "Look at its source.",
            actual=ready.delimiters,
        )
    if ready.control_tokens:
        yield PromptDiagnostic(
            DiagnosticCode.CONTROL_TOKEN,
            name,
            f"{_counted(ready.control_tokens, 'control token')} of chat templates made harmless: the text may be an "
            "attack. Look at its source.",
            actual=ready.control_tokens,
        )


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
