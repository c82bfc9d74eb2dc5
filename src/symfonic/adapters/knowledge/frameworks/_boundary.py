"""The boundary as something to be asked: a question in, the admitted rows out, each as the one line a prompt shows.

Rules of this module: it stands on the capabilities alone and imports no framework. What leaves it is what selection
admitted, rendered; nothing else of a row does, for a framework may print any field of a document into its prompt. No
compiler stands behind it, so what the compiler does to untrusted text is done here: control tokens of chat templates
and look-alikes of delimiters are broken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

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
    takes_scope_path,
)
from symfonic.capabilities.prompting import RenderPolicy
from symfonic.capabilities.prompting.rendering import prepare_untrusted

__all__ = ["AnyRetriever", "Boundary", "OnSelection", "Passage", "missing"]

AnyRetriever = KnowledgeRetriever | ScopedKnowledgeRetriever
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
    """A retriever, asked through selection, hygiene and labels on behalf of one scope.

    Attributes:
        retriever: The store.
        policy: Ceilings and defences.
        scope_path: On whose behalf; ``""`` sees what is stored for the whole deployment.
        on_selection: Is told about each selection.

    Raises:
        BridgeContractError: The retriever cannot be asked, the policy is none, or the path is no scope path.
    """

    retriever: AnyRetriever
    policy: RetrievalPolicy
    scope_path: str = ""
    on_selection: OnSelection | None = None

    def __post_init__(self) -> None:
        ScopePath.parse(self.scope_path)
        KnowledgeSource(self.retriever, "", self.policy)

    def passages(self, question: str) -> tuple[Passage, ...]:
        """What is admitted for a question, best first.

        Raises:
            StoreError: The store failed, so that nothing is known; nothing found is no error.
        """
        watched = (_WatchedScoped if takes_scope_path(self.retriever) else _Watched)(self.retriever)
        selection = KnowledgeSource(watched, question, self.policy).select(ContextRequest("retriever", self.scope_path))
        for _, reason in selection.dropped:
            if reason.code is DropCode.STORE_FAILED:
                raise StoreError(
                    f"a question needs the store's answer; {reason}, and nothing was retrieved; look at its cause"
                ) from watched.error
        if self.on_selection is not None:
            self.on_selection(selection)
        lines = render_fragments(selection).split("\n") if selection.admitted else []
        shown = zip((prepare_untrusted(line, _RENDERING) for line in lines), selection.admitted, strict=True)
        return tuple(
            Passage(line=one.text, label=_label(one.text), score=float(row.score)) for one, row in shown if one.settled
        )


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
