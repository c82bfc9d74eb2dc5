"""Haystack: its retrievers and document stores in front of the boundary, and the boundary as one of its components.

Rules of this module: only :func:`haystack_retriever` imports Haystack.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from symfonic.adapters.knowledge.declared import DeclaredScope, MissingScore, ScoreKind, ScorePolicy

from ._boundary import AnyKnowledge, Boundary, OnSelection, missing
from ._rows import LABELS, Filters, Item, Origin, require

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from symfonic.capabilities.knowledge import RetrievalPolicy, RetrievedFragment

__all__ = ["HaystackRetriever", "haystack_retriever"]


class HaystackRetriever:
    """A retriever or a document store of Haystack as a ``ScopedKnowledgeRetriever``.

    Args:
        origin: A component with ``run(query=…, top_k=…)`` that answers ``{"documents": […]}``; or a document store with
            ``bm25_retrieval``.
        scope: Whose its rows are.
        scores: What its number means; the in-memory retrievers answer similarities.
        missing_score: What stands for a score that is ``None``.
        embed: Makes the vector of a question for a retriever by meaning; it is then asked with ``query_embedding``.
        filters: From a scope path to named arguments of ``run``, such as ``{"filters": …}``.
        labels: Metadata fields a row is named after, first choice first.
        max_rows: Most rows fetched for a question.

    Raises:
        TypeError, ValueError: A declaration is none.
    """

    __slots__ = ("_component", "_embed", "_filters", "_origin")

    def __init__(
        self,
        origin: Any,
        *,
        scope: DeclaredScope,
        scores: ScoreKind | Callable[[Any], float] = "similarity",
        missing_score: MissingScore = "drop",
        embed: Callable[[str], Sequence[float]] | None = None,
        filters: Filters | None = None,
        labels: Sequence[str] = LABELS,
        max_rows: int = 1_000,
    ) -> None:
        require(origin, ("run", "bm25_retrieval"), "a retriever or document store of Haystack")
        self._component = origin
        self._embed = embed
        self._filters = filters
        self._origin = Origin(
            framework="Haystack's retriever",
            ask=self._ask,
            read=_item,
            scope=scope,
            scores=ScorePolicy(kind=scores, missing=missing_score),
            labels=tuple(labels),
            max_rows=max_rows,
        )

    def search(self, query: str, limit: int, *, scope_path: str = "") -> Sequence[RetrievedFragment]:
        """The best rows visible at ``scope_path``, with those that tie with the last.

        Raises:
            StoreError: The retriever failed.
        """
        return self._origin.rows(query, limit, scope_path)

    def _ask(self, query: str, k: int, scope_path: str) -> Iterable[Any]:
        named: dict[str, Any] = dict(self._filters(scope_path)) if self._filters is not None else {}
        named |= {"query": query} if self._embed is None else {"query_embedding": list(self._embed(query))}
        if callable(getattr(self._component, "run", None)):
            rows: Iterable[Any] = self._component.run(top_k=k, **named)["documents"]
        else:
            rows = self._component.bm25_retrieval(top_k=k, **named)
        return rows


def _item(document: Any) -> Item:
    return Item(content=document.content, metadata=document.meta, number=document.score, name=document.id)


def haystack_retriever(
    knowledge: AnyKnowledge,
    *,
    policy: RetrievalPolicy | None = None,
    scope_path: str = "",
    on_selection: OnSelection | None = None,
) -> Any:
    """The boundary over ``knowledge`` as a component of Haystack: ``run(query)`` answers ``documents``.

    Each document is one admitted row: its content is the rendered line, its score the row's, and its only ``meta`` is
    ``source``, the label an answer cites. A pipeline can hold it but not write it to YAML: a store has no such form.

    Args:
        knowledge: A store, one of this module's for instance; or a ``KnowledgeBase``, whose boundary, key and settings
            then count, as in its ``ask``.
        policy: Ceilings and defences; ``RetrievalPolicy.hardened(key=…)`` for content of others. A store needs one;
            of a knowledge base ``None`` are the settings', and its defences stay on whatever is passed.
        scope_path: On whose behalf is asked. A component is a small thing: make one for each tenant.
        on_selection: Is told what was admitted and why the rest was not.

    Raises:
        AdapterError: Haystack is not installed.
        BridgeContractError: The store cannot be asked, the policy is none, or the path is no scope path.
        TypeError: What was given has to be awaited, as an ``AsyncKnowledgeBase`` has.
    """
    boundary = Boundary(knowledge=knowledge, policy=policy, scope_path=scope_path, on_selection=on_selection)
    try:
        from haystack import Document, component
    except ImportError as error:
        raise missing("Haystack", "haystack-ai") from error

    def documents(query: str) -> dict[str, list[Any]]:
        return {
            "documents": [
                Document(content=passage.line, meta={"source": passage.label}, score=passage.score)
                for passage in boundary.passages(query)
            ]
        }

    class BoundaryRetriever:
        """Rows of a store as the boundary lets them through."""

        def run(self, query: str) -> dict[str, list[Any]]:
            return documents(query)

        async def run_async(self, query: str) -> dict[str, list[Any]]:
            return await asyncio.to_thread(documents, query)

    for method in (BoundaryRetriever.run, BoundaryRetriever.run_async):
        method.__annotations__ = {"query": str, "return": dict[str, list[Document]]}  # types, which Haystack compares
        component.output_types(documents=list[Document])(method)
    return component(BoundaryRetriever)()
