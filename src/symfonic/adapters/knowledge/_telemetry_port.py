"""What composition tells of its work while it does it: spans, events and measurements, as an adapter takes them.

Rules of this module: Protocols only, part of :mod:`.ports`, which names them. It knows no convention of attribute names
and no library. Whatever an implementation raises is swallowed by who calls it: telling must never cost an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

AttributeValue: TypeAlias = str | bool | int | float | Sequence[str]
Attributes: TypeAlias = Mapping[str, AttributeValue]


class Span(Protocol):
    """One piece of work that is under way. It may be ended by another thread than began it."""

    def set(self, attributes: Attributes) -> None:
        """Add attributes; one of the same name is replaced."""
        ...

    def event(self, name: str, attributes: Attributes) -> None:
        """Add something that happened now."""
        ...

    def failed(self, code: str) -> None:
        """Note that the work failed, with a stable word for why; never a message."""
        ...

    def current(self) -> AbstractContextManager[object]:
        """Make it the parent of what begins inside, in this thread and context; left where it was entered."""
        ...

    def end(self) -> None:
        """The work is over."""
        ...


class Telemetry(Protocol):
    """Takes spans and measurements; safe to use from several threads.

    Attributes:
        content: Whether text may be told too: questions, passages, labels and answers.
    """

    @property
    def content(self) -> bool: ...

    def begin(self, name: str, attributes: Attributes, *, client: bool = False) -> Span:
        """Begin a piece of work below whatever is current here; it is not made current.

        Args:
            name: What it is, the same for every piece of this kind.
            attributes: What is known at its beginning.
            client: Whether something outside the process is waited for.
        """
        ...

    def count(self, name: str, amount: int, attributes: Attributes) -> None:
        """Add to a counter."""
        ...

    def record(self, name: str, seconds: float, attributes: Attributes) -> None:
        """Record a duration in seconds."""
        ...
