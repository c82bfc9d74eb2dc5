"""What a compile reports about itself.

Rules of this module: values only. Every contribution handed to a compile is accounted for: it is rendered as exactly
one block, or it is left out with exactly one diagnostic whose code is in :data:`LEFT_OUT_CODES`. Other codes are
notices about a block that was rendered. A message never repeats text that a source or an exception wrote: it may be
hostile or secret.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

__all__ = ["LEFT_OUT_CODES", "DiagnosticCode", "PromptDiagnostic"]


class DiagnosticCode(StrEnum):
    """Why something was left out or changed; a stable word for programs."""

    NOT_INHERITED = "not-inherited"
    """A delegated child's prompt leaves out contributions declared with ``inherit=False``."""
    OFFLINE = "offline"
    """An offline compile leaves out sources that need an outside part."""
    SOURCE_FAILED = "source-failed"
    """The source raised."""
    TOO_SLOW = "too-slow"
    """The source missed its deadline."""
    WRONG_TYPE = "wrong-type"
    """The source answered something other than a well-formed read."""
    BAD_TEXT = "bad-text"
    """Text or revision cannot be encoded as UTF-8."""
    UNREAD = "unread"
    """The hydrator gave no answer for this contribution."""
    BLANK = "blank"
    """The text shows nothing; normal for a retrieval that found nothing. Pinned text fails the compile instead."""
    OVER_LEARNED = "over-learned"
    """The read is longer than ``max_learned_chars``."""
    OVER_REVISION = "over-revision"
    """The revision of a learned read is longer than :data:`MAX_REVISION_CHARS`."""
    UNSAFE = "unsafe"
    """Neutralising did not come to rest, so the text was kept out of the prompt."""
    OVER_PROMPT = "over-prompt"
    """The block had to go so that the prompt fits ``max_prompt_chars``."""
    TRUST_IGNORED = "trust-ignored"
    """Notice: the read says ``untrusted=False`` and its tier is learned, so it stands inside an untrusted block."""
    CLEANED = "cleaned"
    """Notice: invisible or control characters were removed, replaced or counted."""
    DELIMITER = "delimiter"
    """Notice: look-alikes of the delimiter were made harmless."""
    CONTROL_TOKEN = "control-token"  # noqa: S105 - a chat template's token, not a secret
    """Notice: control tokens of chat templates were made harmless."""


LEFT_OUT_CODES: Final = frozenset(DiagnosticCode) - {
    DiagnosticCode.TRUST_IGNORED,
    DiagnosticCode.CLEANED,
    DiagnosticCode.DELIMITER,
    DiagnosticCode.CONTROL_TOKEN,
}
"""Codes that stand for a contribution without a block."""


@dataclass(frozen=True, slots=True)
class PromptDiagnostic:
    """One thing a person or a program should know about a compile.

    Attributes:
        code: Why, for programs.
        contribution_id: Which contribution.
        message: Why, for people: rule, consequence, remedy.
        actual: The number that broke a ceiling, or how many changes were made; ``None`` where there is none.
        ceiling: The ceiling it broke, in characters or in the tokens of the policy's counter; ``None`` where there is
            none.
    """

    code: DiagnosticCode
    contribution_id: str
    message: str
    actual: int | None = field(default=None, kw_only=True)
    ceiling: int | None = field(default=None, kw_only=True)

    @property
    def left_out(self) -> bool:
        """Whether the contribution has no block because of this."""
        return self.code in LEFT_OUT_CODES
