"""Errors of the prompt compiler.

This module imports nothing of ours, so that every other module may raise what stands here.

::

    Exception
    └── PromptError                  anything this capability reports as an error
        ├── PromptContractError      a declaration this capability must refuse (also a ValueError)
        ├── TierTrustError           an authored tier whose source says its text is untrusted
        ├── HydrationError           authored text could not be read: the compile fails closed
        ├── PromptBudgetError        what may not be left out does not fit into the prompt
        └── CounterError             the operator's counter raised, or answered what is no count

A learned block is never worth an exception: it is left out with a diagnostic. Errors are for what the *operator* must
repair before a prompt may be sent. Every error carries its evidence as attributes and keeps it when pickled.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "CounterError",
    "HydrationError",
    "PromptBudgetError",
    "PromptContractError",
    "PromptError",
    "TierTrustError",
]


class PromptError(Exception):
    """Root of every error the prompt compiler raises."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep the evidence when the error crosses a process boundary."""
        evidence = {name: value for name, value in vars(self).items() if not name.startswith("__")}
        return (_restore, (type(self), self.args[0] if self.args else "", evidence))


def _restore(kind: type[PromptError], message: str, evidence: dict[str, Any]) -> PromptError:
    return kind(message, **evidence)


class PromptContractError(PromptError, ValueError):
    """A declaration that this capability must refuse.

    Args:
        message: The rule, what breaking it would cause, and the remedy.
        rule: Id of the broken rule, such as ``PR-CON-ID-1``.
        contribution_id: The contribution that was declared, where there is one.
        value: The offending value as it was given; never a key.

    Attributes:
        rule: As given.
        contribution_id: As given; empty where the declaration belongs to no contribution.
        value: As given.
    """

    def __init__(self, message: str, *, rule: str, contribution_id: object = "", value: object = None) -> None:
        super().__init__(message)
        self.rule = rule
        self.contribution_id = contribution_id
        self.value = value


class TierTrustError(PromptError):
    """An authored tier whose source answered ``untrusted=True``.

    The contradiction is never resolved in favour of the tier: authored text is rendered verbatim, so one wrong flag
    would let ingested content speak as the operator.

    Attributes:
        contribution_id: The contribution whose read contradicts its tier.
        tier: The declared tier, as its string.
    """

    def __init__(self, message: str, *, contribution_id: str, tier: str) -> None:
        super().__init__(message)
        self.contribution_id = contribution_id
        self.tier = tier


class HydrationError(PromptError):
    """Authored text could not be read, or the hydrator itself broke its contract.

    The exception a source raised, where there is one, is the ``__cause__``.

    Attributes:
        contribution_id: The authored contribution; empty when the hydrator itself failed.
        code: Why, as the string of a diagnostic code such as ``source-failed``.
    """

    def __init__(self, message: str, *, contribution_id: str, code: str) -> None:
        super().__init__(message)
        self.contribution_id = contribution_id
        self.code = code


class PromptBudgetError(PromptError):
    """What may not be left out does not fit into ``max_prompt_chars``.

    Attributes:
        contribution_id: The last-ranked pinned contribution; empty when the authority note alone is too long.
        actual: Characters the pinned blocks, the authority note and their separators take; tokens where the policy has
            a counter.
        ceiling: ``max_prompt_chars``.
    """

    def __init__(self, message: str, *, contribution_id: str, actual: int, ceiling: int) -> None:
        super().__init__(message)
        self.contribution_id = contribution_id
        self.actual = actual
        self.ceiling = ceiling


class CounterError(PromptError):
    """The counter of a policy raised, or answered something that is no count.

    A counter is the operator's code, and without it no ceiling holds: this is never turned into a block that is left
    out. The exception it raised, where there is one, is the ``__cause__``.

    Attributes:
        answer: What it did, such as ``raised ValueError`` or ``answered a bool``; never text it was shown.
        characters: Length of the text it was shown.
    """

    def __init__(self, message: str, *, answer: str, characters: int) -> None:
        super().__init__(message)
        self.answer = answer
        self.characters = characters
