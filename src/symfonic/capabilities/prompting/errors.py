"""Errors of the prompt compiler.

This module imports nothing of ours, so that every other module may raise what stands here.

::

    Exception
    └── PromptError                  anything this capability reports as an error
        ├── PromptContractError      a declaration this capability must refuse (also a ValueError)
        ├── TierTrustError           an authored tier whose source says its text is untrusted
        ├── HydrationError           authored text could not be read or is blank: the compile fails closed
        ├── PromptBudgetError        what may not be left out does not fit into the prompt
        └── CounterError             the operator's counter raised, or answered what is no count

A learned block is never worth an exception: it is left out with a diagnostic. Errors are for what the *operator* must
repair before a prompt may be sent. Every error carries its evidence as attributes and keeps it when pickled; its text
ends in the id of the rule, in square brackets.

What stands here besides is needed wherever foreign code is called: whether it failed, and how its types are named.
"""

from __future__ import annotations

from typing import Any, Final

__all__ = [
    "CounterError",
    "HydrationError",
    "PromptBudgetError",
    "PromptContractError",
    "PromptError",
    "TierTrustError",
]


class PromptError(Exception):
    """Root of every error the prompt compiler raises.

    Attributes:
        rule: Id of the broken rule, such as ``PR-CON-ID-1``; it ends the text of the error.
    """

    rule: str = ""

    def __str__(self) -> str:
        """What happened, and the id of the rule."""
        message = super().__str__()
        return f"{message} [{self.rule}]" if self.rule else message

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
        rule: ``PR-TRUST-1``.
        contribution_id: The contribution whose read contradicts its tier.
        tier: The declared tier, as its string.
    """

    rule = "PR-TRUST-1"

    def __init__(self, message: str, *, contribution_id: str, tier: str) -> None:
        super().__init__(message)
        self.contribution_id = contribution_id
        self.tier = tier


class HydrationError(PromptError):
    """Authored text could not be read, or had to show something, or the hydrator itself broke its contract.

    The exception a source raised, where there is one, is the ``__cause__``.

    Attributes:
        rule: ``PR-FAIL-1``.
        contribution_id: The authored contribution; empty when the hydrator itself failed.
        code: Why, as the string of a diagnostic code such as ``source-failed`` or ``blank``.
    """

    rule = "PR-FAIL-1"

    def __init__(self, message: str, *, contribution_id: str, code: str) -> None:
        super().__init__(message)
        self.contribution_id = contribution_id
        self.code = code


class PromptBudgetError(PromptError):
    """What may not be left out does not fit into ``max_prompt_chars``.

    Attributes:
        rule: ``PR-BUD-2``.
        contribution_id: The last-ranked pinned contribution; empty when the authority note alone is too long.
        actual: Characters the pinned blocks, the authority note and their separators take; tokens where the policy has
            a counter.
        ceiling: ``max_prompt_chars``.
    """

    rule = "PR-BUD-2"

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
        rule: ``PR-COUNT-4``.
        answer: What it did, such as ``raised ValueError`` or ``answered a bool``; never text it was shown.
        characters: Length of the text it was shown.
    """

    rule = "PR-COUNT-4"

    def __init__(self, message: str, *, answer: str, characters: int) -> None:
        super().__init__(message)
        self.answer = answer
        self.characters = characters


_SHOWN_CHARS: Final = 80


def type_name(value: object) -> str:
    """Name the type of any value on one short line; neither the class nor its own class has a say in it."""
    name: str = type.__dict__["__name__"].__get__(type(value))
    return ascii(name)[1:-1][:_SHOWN_CHARS]


def is_failure(error: BaseException) -> bool:
    """Whether what foreign code raised means that it failed: every ``Exception``, and a panic of native code.

    PyO3 raises a panic as ``PanicException``, which is no ``Exception``. All else that is none asks for the process,
    the task or the thread to end, in whatever framework, and has to pass through.
    """
    return isinstance(error, Exception) or type_name(error) == "PanicException"
