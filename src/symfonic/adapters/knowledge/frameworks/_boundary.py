"""The boundary as something to be asked: a question in, the admitted rows out, each as the one line a prompt shows.

Rules of this module: it stands on the capabilities alone and imports no framework. What it asks is a retriever, in
front of which it puts a boundary, or a knowledge base, which has one: of that it takes the selection as it was made.
What leaves it is what selection admitted, rendered; nothing else of a row does, for a framework may print any field of
a document into its prompt. No compiler stands behind it, so what the compiler does to untrusted text is done here:
control tokens of chat templates and look-alikes of delimiters are broken.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Protocol

from symfonic.adapters.knowledge.ports import AdapterError, StoreError
from symfonic.capabilities.knowledge import (
    ContextRequest,
    DropCode,
    FragmentSelection,
    KnowledgeRetriever,
    KnowledgeSource,
    RetrievalPolicy,
    ScopedKnowledgeRetriever,
    ScopePath,
    render_fragments,
    shows_blank,
    takes_scope_path,
)
from symfonic.capabilities.prompting import RenderPolicy
from symfonic.capabilities.prompting.rendering import prepare_untrusted

__all__ = ["Admitted", "AnyKnowledge", "AskedKnowledge", "Boundary", "OnSelection", "Passage", "missing"]


class Admitted(Protocol):
    """An answer that tells what was admitted, as ``Answerable`` does."""

    @property
    def selection(self) -> FragmentSelection:
        """What was admitted, and why the rest was not."""
        ...


class AskedKnowledge(Protocol):
    """What asks through a boundary of its own, with its own ceilings, labels and key, as ``KnowledgeBase`` does."""

    def ask(self, question: str, *, scope: ScopePath | str | None, policy: RetrievalPolicy | None) -> Admitted:
        """Select on behalf of a scope, ``None`` for the whole deployment; raise where the store fails.

        ``policy`` stands for the ceilings of this question, ``None`` for those that were decided before.
        """
        ...


AnyKnowledge = KnowledgeRetriever | ScopedKnowledgeRetriever | AskedKnowledge
OnSelection = Callable[[FragmentSelection], None]
"""Is told what was admitted and why the rest was not, once for each question, in the thread that asks."""

_END_OF_LABEL: Final = "]: "
_RENDERING: Final = RenderPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One admitted row.

    Attributes:
        line: ``SOURCE [label]: content``, one line.
        label: What the line calls its source, safe to show; what an answer cites.
        score: As the store gave it.
    """

    line: str
    label: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Boundary:
    """A retriever or a knowledge base, asked through selection, hygiene and labels on behalf of one scope.

    Attributes:
        knowledge: The store; or what has ``ask(question, scope=…, policy=…)`` and thereby a boundary of its own.
        policy: Ceilings and defences; ``None`` is for a knowledge base only, which has its own. Its defences stay on
            whatever a policy says.
        scope_path: On whose behalf; ``""`` sees what is stored for the whole deployment.
        on_selection: Is told about each selection.

    Raises:
        BridgeContractError: The retriever cannot be asked, the policy is none, or the path is no scope path.
        TypeError: What was given has to be awaited.
    """

    knowledge: AnyKnowledge
    policy: RetrievalPolicy | None = None
    scope_path: str = ""
    on_selection: OnSelection | None = None

    def __post_init__(self) -> None:
        ScopePath.parse(self.scope_path)
        given: Any = self.knowledge
        if not _has_boundary(given):
            _source(given, "", self.policy)
            return
        if inspect.iscoroutinefunction(given.ask):
            raise TypeError(
                f"what frameworks are handed waits for its answer; {type(given).__name__} has to be awaited and could "
                "not be asked; pass a KnowledgeBase"
            )
        if self.policy is not None:
            _source(_Watched(given), "", self.policy)

    def passages(self, question: str) -> tuple[Passage, ...]:
        """What is admitted for a question, best first.

        Raises:
            StoreError: The store failed, so that nothing is known; nothing found is no error. What a store of ours says
                of it is the message. What a knowledge base raises passes.
        """
        selection = self._selection(question)
        if self.on_selection is not None:
            self.on_selection(selection)
        lines = render_fragments(selection).split("\n") if selection.admitted else []
        shown = zip((prepare_untrusted(line, _RENDERING) for line in lines), selection.admitted, strict=True)
        return tuple(
            Passage(line=one.text, label=_label(one.text), score=float(row.score)) for one, row in shown if one.settled
        )

    def _selection(self, question: str) -> FragmentSelection:
        given: Any = self.knowledge
        if _has_boundary(given):
            if shows_blank(question):
                return FragmentSelection()
            answer: Admitted = given.ask(question, scope=self.scope_path or None, policy=self.policy)
            return answer.selection
        watched = (_WatchedScoped if takes_scope_path(given) else _Watched)(given)
        selection = _source(watched, question, self.policy).select(ContextRequest("retriever", self.scope_path))
        for _, reason in selection.dropped:
            if reason.code is DropCode.STORE_FAILED:
                raise StoreError(_told(watched.error, str(reason))) from watched.error
        return selection


def _has_boundary(knowledge: Any) -> bool:
    """Whether it is asked, and not searched: its ``ask`` takes a scope and a policy."""
    ask = getattr(knowledge, "ask", None)
    if not callable(ask):
        return False
    try:
        return {"scope", "policy"} <= inspect.signature(ask).parameters.keys()
    except (TypeError, ValueError):
        return False


def _source(retriever: Any, question: str, policy: Any) -> KnowledgeSource:
    """A retriever as a source.

    Raises:
        BridgeContractError: It cannot be asked, or the policy is none.
    """
    return KnowledgeSource(retriever, question, policy)


def _told(error: BaseException | None, reason: str) -> str:
    """What is said of a store that failed: its own sentence where it is one of ours, and nobody else's words."""
    if isinstance(error, AdapterError):
        return str(error)
    return f"a question needs the store's answer; {reason}, and nothing was retrieved; look at its cause"


class _Watched:
    """A retriever, asked, that keeps what it raised: the boundary makes a reason of that, without its words."""

    __slots__ = ("_retriever", "error")

    def __init__(self, retriever: Any) -> None:
        self._retriever = retriever
        self.error: BaseException | None = None

    def search(self, query: str, limit: int) -> Any:
        return self._asked(query, limit)

    def _asked(self, query: str, limit: int, **named: str) -> Any:
        try:
            rows = self._retriever.search(query, limit, **named)
        except BaseException as error:
            self.error = error
            raise
        return self._read(rows) if isinstance(rows, Iterator) else rows

    def _read(self, rows: Iterator[Any]) -> Iterator[Any]:
        """A store that answers row by row fails while it is read."""
        try:
            yield from rows
        except BaseException as error:
            self.error = error
            raise


class _WatchedScoped(_Watched):
    """The same for one that is asked on behalf of a scope."""

    __slots__ = ()

    def search(self, query: str, limit: int, *, scope_path: str = "") -> Any:
        return self._asked(query, limit, scope_path=scope_path)


def _label(line: str) -> str:
    """The label of a rendered line; no bracket stands in one."""
    return line.partition(_END_OF_LABEL)[0].partition("[")[2]


def missing(framework: str, package: str) -> AdapterError:
    """The error where a framework is not installed."""
    return AdapterError(
        f"what is handed to {framework} is made of its own classes; {framework} is not installed, so there are none; "
        f"pip install {package}"
    )
