"""What becomes of one contribution: one piece of the text, or one diagnostic that says why there is none.

Rules of this module: it judges reads and never asks a source for one. It knows one contribution at a time; what the
whole prompt has room for is decided afterwards.

Authored text fails closed: a read that failed fails the compile, and so does text that shows nothing where it is
pinned, or where it would leave learned text to speak alone. Learned text is left out.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ._counting import CHARS_PER_TOKEN, is_out_of_proportion, unit_of
from ._layout import Outcome, Piece
from ._text import shows_blank
from .contracts import MAX_REVISION_CHARS, PromptContribution, PromptRead, is_encodable
from .diagnostics import DiagnosticCode, PromptDiagnostic
from .errors import HydrationError, TierTrustError, is_failure
from .hydration import ReadFailure, failure_of, normalise_answer
from .rendering import UntrustedText, closing_delimiter, delimiter_tag, opening_delimiter, prepare_untrusted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .contracts import PromptRequest
    from .policy import RenderPolicy

__all__ = ["exclusion", "outcome_of", "refuse_silence"]


def outcome_of(item: PromptContribution, answer: object, request: PromptRequest, policy: RenderPolicy) -> Outcome:
    """Judge what a hydrator answered for a contribution; ``None`` for nothing."""
    read = ReadFailure(DiagnosticCode.UNREAD) if answer is None else normalise_answer(answer)
    if isinstance(read, PromptRead):
        # First: whatever is dropped for its length is not worth a look at its characters.
        too_long = None if item.authored else _too_long(item, read, policy)
        if too_long is not None:
            return too_long
        read = _encodable(read)
    if isinstance(read, ReadFailure):
        return _failed(item, read)
    return _authored(item, read) if item.authored else _learned(item, read, request, policy)


def exclusion(item: PromptContribution, *, delegated: bool, offline: bool) -> Outcome | None:
    """Why a contribution is not even read, if it is not."""
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
    except BaseException as error:  # a source is foreign code, and its attributes may be computed
        if not is_failure(error):
            raise
        return _failed(item, failure_of(error))
    if not safe:
        return PromptDiagnostic(
            DiagnosticCode.OFFLINE,
            item.contribution_id,
            "the source needs an outside part and this compile is offline: it was not read. "
            "Declare offline_safe=True, on the contribution or on the source, if reading it needs nothing.",
        )
    return None


_FAILURES: Final = MappingProxyType(
    {
        DiagnosticCode.SOURCE_FAILED: "the source raised",
        DiagnosticCode.TOO_SLOW: "the source missed its deadline",
        DiagnosticCode.WRONG_TYPE: "the source answered something other than a read",
        DiagnosticCode.BAD_TEXT: "the text or revision holds a lone surrogate and has no UTF-8 form",
        DiagnosticCode.UNREAD: "the hydrator gave no answer",
    }
)


def _reason(failure: ReadFailure) -> str:
    return _FAILURES[failure.code] + (f" ({failure.detail})" if failure.detail else "")


def _failed(item: PromptContribution, failure: ReadFailure) -> PromptDiagnostic:
    if item.authored:
        raise _unread(item, failure.code, _reason(failure), "Repair the source.") from failure.error
    return PromptDiagnostic(
        failure.code, item.contribution_id, f"{_reason(failure)}: its block is left out. Repair the source."
    )


def _unread(item: PromptContribution, code: DiagnosticCode, reason: str, remedy: str) -> HydrationError:
    return HydrationError(
        f"authored text of {item.contribution_id!r} could not be read, {reason}: a prompt without the operator's text "
        f"must not be sent, so nothing was compiled. {remedy}",
        contribution_id=item.contribution_id,
        code=code.value,
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
        if item.pinned:
            raise _blank_authored(item)
        return _blank(item)
    return Piece(contribution=item, revision=read.revision, content=read.text)


def refuse_silence(items: Sequence[PromptContribution], outcomes: Sequence[Outcome]) -> None:
    """Refuse a prompt for which authored text was read and none of it shows anything.

    Raises:
        HydrationError: For the first of the blank texts.
    """
    authored = [(item, outcome) for item, outcome in zip(items, outcomes, strict=True) if item.authored]
    blank = [
        item for item, outcome in authored if not isinstance(outcome, Piece) and outcome.code is DiagnosticCode.BLANK
    ]
    if blank and not any(isinstance(outcome, Piece) for _, outcome in authored):
        raise _blank_authored(blank[0])


def _blank_authored(item: PromptContribution) -> HydrationError:
    remedy = "Repair the source, or leave the contribution out."
    return _unread(item, DiagnosticCode.BLANK, "the text shows nothing", remedy)


def _blank(item: PromptContribution) -> PromptDiagnostic:
    return PromptDiagnostic(
        DiagnosticCode.BLANK,
        item.contribution_id,
        "the text shows nothing: no block was made. Nothing to repair if the source had nothing to say; "
        "whether it had, or failed, is for its own account to tell, such as what a retrieval dropped.",
    )


def _too_long(item: PromptContribution, read: PromptRead, policy: RenderPolicy) -> PromptDiagnostic | None:
    """Why a learned read is over its ceilings by its characters alone, if it is."""
    text, ceiling = read.text, policy.max_learned_chars
    if len(read.revision) > MAX_REVISION_CHARS:
        return PromptDiagnostic(
            DiagnosticCode.OVER_REVISION,
            item.contribution_id,
            f"the revision has {len(read.revision)} characters and {MAX_REVISION_CHARS} are allowed: the block was "
            "left out, for a revision is kept and shown. Let the source answer a number, a date or a digest.",
            actual=len(read.revision),
            ceiling=MAX_REVISION_CHARS,
        )
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
    # As it was read: what shows nothing must not come to show a datamark, or the stand-in of a hidden character.
    if shows_blank(read.text):
        return _blank(item)
    ready = prepare_untrusted(read.text, policy)
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
        notices=tuple(_notices(name, ready, vouched=not read.untrusted)),
    )


def _notices(name: str, ready: UntrustedText, *, vouched: bool) -> Iterable[PromptDiagnostic]:
    if vouched:
        yield PromptDiagnostic(
            DiagnosticCode.TRUST_IGNORED,
            name,
            "the source says untrusted=False and the tier is learned: the text stands inside an untrusted block, for a "
            "source cannot vouch for itself. Declare the tier operating or platform for text of your own, or let the "
            "source say untrusted=True.",
        )
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
