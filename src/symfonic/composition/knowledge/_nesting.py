"""A question from inside a question to the same knowledge base: refused, for each would ask the next one.

Rules of this module: it knows which knowledge bases are being asked in this context, and nothing of them.
"""

from __future__ import annotations

import contextlib
import contextvars
from typing import TYPE_CHECKING, Final

from .errors import WiringError

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Question:
    """One question that is being asked, seen from inside; its context may outlive it."""

    __slots__ = ("base", "over")

    def __init__(self, base: object) -> None:
        self.base = base
        self.over = False


_ASKING: Final[contextvars.ContextVar[tuple[_Question, ...]]] = contextvars.ContextVar("asking", default=())


@contextlib.contextmanager
def asking(base: object) -> Iterator[None]:
    """Refuse a question from inside a question to the same knowledge base: each would ask the next one."""
    around = _ASKING.get()
    if any(one.base is base and not one.over for one in around):
        raise WiringError(
            "a knowledge base asks its contributors and its store, and they must not ask it; each question would ask "
            "another one without end, and this one was not asked; let the source use search, or another knowledge base"
        )
    one = _Question(base)
    token = _ASKING.set((*around, one))
    try:
        yield
    finally:
        one.over = True
        _ASKING.reset(token)
