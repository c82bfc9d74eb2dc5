"""Errors of the message shapes.

::

    AdapterError
    └── MessageError      what is to be sent cannot be put into messages (also a ValueError)
"""

from __future__ import annotations

from typing import Final

from symfonic.adapters.knowledge.ports import AdapterError

__all__ = ["MessageError"]

_PLAIN: Final = (str, int, float, bool, bytes, type(None))


class MessageError(AdapterError, ValueError):
    """What is to be sent cannot be put into messages; nothing was built.

    Args:
        message: The rule, what breaking it would cause, and the remedy; the id is put behind it.
        rule: Id of the broken rule, such as ``KB-MSG-QUESTION-1``.
        value: The offending value as it was given.

    Attributes:
        rule: As given.
        value: As given.
    """

    def __init__(self, message: str, *, rule: str, value: object = None) -> None:
        super().__init__(f"{message} [{rule}]")
        self.rule = rule
        self.value = value

    def __reduce__(self) -> tuple[object, ...]:
        """Keep the evidence when the error crosses a process boundary; what may not travel is named by its type."""
        message = self.args[0].removesuffix(f" [{self.rule}]")
        return (_restore, (message, self.rule, _portable(self.value)))


def _portable(value: object) -> object:
    plain = value if type(value) is list else [value]
    return value if all(type(one) in _PLAIN for one in plain) else f"<{type(value).__name__}>"


def _restore(message: str, rule: str, value: object) -> MessageError:
    return MessageError(message, rule=rule, value=value)
