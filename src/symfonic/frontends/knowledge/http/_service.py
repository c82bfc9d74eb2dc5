"""What a service is made of. Rules of this module: a value that every route reads and none changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from symfonic.adapters.knowledge.ports import ChatModel
from symfonic.composition.knowledge import AccessKeys, AsyncKnowledgeBase, KnowledgeBase, SettingsError
from symfonic.frontends.knowledge._asgi import EdgeLimits

_STORING: Final = 4
_CHECKING: Final = 1


def _to_nobody(line: Mapping[str, object]) -> None:
    """Where log lines go that nobody asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A knowledge base and the conditions under which others may ask it.

    Args:
        knowledge: Answers. It is closed by whoever opened it.
        access: Who may ask; ``None`` lets anybody ask who reaches the port, for any scope.
        model: Answers questions; ``None`` leaves ``/v1/answer`` without an answer.
        limits: How much the service takes.
        hosts: Names under which it is asked, as ``Host`` has them.
        origins: Other sites whose pages may ask.
        log: Takes a line for each request and each failure.
        clock: Seconds that never go back.
        workers: Most questions that are worked on at the same time, each in a thread.
        max_question_chars: Most characters of a question.
        asking: The knowledge base in its worker threads, for questions.
        answering: The same in threads of answers, each of which waits for a model as long as that takes.
        storing: The same in threads of what changes documents, which may take long as well.
        checking: The same for whoever asks whether requests are taken.

    Raises:
        SettingsError: ``workers`` or ``max_question_chars`` is below 1.
    """

    knowledge: KnowledgeBase
    access: AccessKeys | None = None
    model: ChatModel | None = None
    limits: EdgeLimits = field(default_factory=EdgeLimits)
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    log: Callable[[Mapping[str, object]], None] = _to_nobody
    clock: Callable[[], float] = time.monotonic
    workers: int = 8
    max_question_chars: int = 10_000
    asking: AsyncKnowledgeBase = field(init=False, repr=False, compare=False)
    answering: AsyncKnowledgeBase = field(init=False, repr=False, compare=False)
    storing: AsyncKnowledgeBase = field(init=False, repr=False, compare=False)
    checking: AsyncKnowledgeBase = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if type(self.max_question_chars) is not int or self.max_question_chars < 1:
            raise SettingsError(
                f"max_question_chars must be a whole number from 1 up, not {ascii(self.max_question_chars)[:80]}; no "
                "question could be asked; correct it"
            )
        pools = {
            "asking": self.workers,
            "answering": self.limits.max_concurrency,
            "storing": _STORING,
            "checking": _CHECKING,
        }
        for name, workers in pools.items():  # threads are made when there is work for them
            # Every request that has a place may be an answer whose model is silent.
            pool = AsyncKnowledgeBase(self.knowledge, workers=workers, readers=self.limits.max_concurrency)
            object.__setattr__(self, name, pool)
