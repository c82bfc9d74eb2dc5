"""Errors of the message shapes.

::

    AdapterError
    └── MessageError      what is to be sent cannot be put into messages (also a ValueError)
"""

from __future__ import annotations

from symfonic.adapters.knowledge.ports import AdapterError

__all__ = ["MessageError"]


class MessageError(AdapterError, ValueError):
    """What is to be sent cannot be put into messages; nothing was built.

    Args:
        message: The rule, what breaking it would cause, and the remedy.
        rule: Id of the broken rule, such as ``KB-MSG-QUESTION-1``.
        value: The offending value as it was given.

    Attributes:
        rule: As given.
        value: As given.
    """

    def __init__(self, message: str, *, rule: str, value: object = None) -> None:
        super().__init__(message)
        self.rule = rule
        self.value = value

    def __reduce__(self) -> tuple[object, ...]:
        """Keep the evidence when the error crosses a process boundary."""
        return (_restore, (self.args[0], self.rule, self.value))


def _restore(message: str, rule: str, value: object) -> MessageError:
    return MessageError(message, rule=rule, value=value)
