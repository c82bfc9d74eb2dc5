"""The boundary as something to be asked: a question in, the admitted rows out, each as the one line a prompt shows.

Rules of this module: it stands on the capability alone and imports no framework. What leaves it is what selection
admitted, rendered; nothing else of a row does, for a framework may print any field of a document into its prompt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

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
)

__all__ = ["AnyRetriever", "Boundary", "OnSelection", "Passage", "missing"]

AnyRetriever = KnowledgeRetriever | ScopedKnowledgeRetriever
OnSelection = Callable[[FragmentSelection], None]
"""Is told what was admitted and why the rest was not, once for each question, in the thread that asks."""

_END_OF_LABEL: Final = "]: "


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
        selection = KnowledgeSource(self.retriever, question, self.policy).select(
            ContextRequest("retriever", self.scope_path)
        )
        for _, reason in selection.dropped:
            if reason.code is DropCode.STORE_FAILED:
                raise StoreError(
                    f"a question needs the store's answer; {reason}, and nothing was retrieved; see whether the store "
                    "can be reached"
                )
        if self.on_selection is not None:
            self.on_selection(selection)
        lines = render_fragments(selection).split("\n") if selection.admitted else []
        return tuple(
            Passage(line=line, label=_label(line), score=float(row.score))
            for line, row in zip(lines, selection.admitted, strict=True)
        )


def _label(line: str) -> str:
    """The label of a rendered line; no bracket stands in one."""
    return line.partition(_END_OF_LABEL)[0].partition("[")[2]


def missing(framework: str, package: str) -> AdapterError:
    """The error where a framework is not installed."""
    return AdapterError(
        f"what is handed to {framework} is made of its own classes; {framework} is not installed, so there are none; "
        f"pip install {package}"
    )
