"""LangChain: its vector stores and retrievers in front of the boundary, and the boundary as one of its retrievers.

Rules of this module: only :func:`langchain_retriever` imports LangChain. What it makes holds rendered lines and labels;
LangChain's prompts print ``page_content``, and take a metadata field of that name for it.
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

__all__ = ["LangChainRetriever", "LangChainStore", "langchain_retriever"]


class LangChainStore:
    """A vector store of LangChain as a ``ScopedKnowledgeRetriever``.

    Args:
        store: It has ``similarity_search_with_score(query, k)``.
        scope: Whose its rows are.
        scores: What its number means; that differs from store to store, and LangChain does not tell.
        missing_score: What stands for a score that is ``None``.
        filters: From a scope path to named arguments of the search, such as ``{"filter": …}``. Without it rows of
            others take up places in the answer, and more have to be fetched.
        labels: Metadata fields a row is named after, first choice first.
        max_rows: Most rows fetched for a question.

    Raises:
        TypeError, ValueError: A declaration is none.
    """

    __slots__ = ("_filters", "_origin", "_store")

    def __init__(
        self,
        store: Any,
        *,
        scope: DeclaredScope,
        scores: ScoreKind | Callable[[Any], float],
        missing_score: MissingScore = "drop",
        filters: Filters | None = None,
        labels: Sequence[str] = LABELS,
        max_rows: int = 1_000,
    ) -> None:
        require(store, ("similarity_search_with_score",), "a vector store of LangChain")
        self._store = store
        self._filters = filters
        self._origin = Origin(
            framework="LangChain's store",
            ask=self._ask,
            read=_scored,
            scope=scope,
            scores=ScorePolicy(kind=scores, missing=missing_score),
            labels=tuple(labels),
            max_rows=max_rows,
        )

    def search(self, query: str, limit: int, *, scope_path: str = "") -> Sequence[RetrievedFragment]:
        """The best rows visible at ``scope_path``, with those that tie with the last.

        Raises:
            StoreError: The store failed.
        """
        return self._origin.rows(query, limit, scope_path)

    def _ask(self, query: str, k: int, scope_path: str) -> Iterable[Any]:
        named = self._filters(scope_path) if self._filters is not None else {}
        rows: Iterable[Any] = self._store.similarity_search_with_score(query, k=k, **named)
        return rows


class LangChainRetriever:
    """A retriever of LangChain as a ``ScopedKnowledgeRetriever``. Prefer :class:`LangChainStore` where there is one.

    A retriever tells no scores and takes no limit: how many rows it answers is set where it was made, and rows beyond
    its own cut cannot be asked for.

    Args:
        retriever: It has ``invoke(query)``.
        scope: Whose its rows are.
        missing_score: What stands for the score: ``"rank"`` trusts the retriever's order, a number makes all rows
            equal, ``"drop"`` leaves out every row without one.
        score_field: Metadata field in which this retriever tells a score, ``relevance_score`` for instance.
        scores: What that number means.
        filters: From a scope path to named arguments of ``invoke``.
        labels: As for :class:`LangChainStore`.
        max_rows: Most rows read of an answer.

    Raises:
        TypeError, ValueError: A declaration is none.
    """

    __slots__ = ("_filters", "_origin", "_retriever", "_score_field")

    def __init__(
        self,
        retriever: Any,
        *,
        scope: DeclaredScope,
        missing_score: MissingScore,
        score_field: str | None = None,
        scores: ScoreKind | Callable[[Any], float] = "similarity",
        filters: Filters | None = None,
        labels: Sequence[str] = LABELS,
        max_rows: int = 1_000,
    ) -> None:
        require(retriever, ("invoke",), "a retriever of LangChain")
        self._retriever = retriever
        self._filters = filters
        self._score_field = score_field
        self._origin = Origin(
            framework="LangChain's retriever",
            ask=self._ask,
            read=self._read,
            scope=scope,
            scores=ScorePolicy(kind=scores, missing=missing_score),
            labels=tuple(labels),
            max_rows=max_rows,
            grows=False,
        )

    def search(self, query: str, limit: int, *, scope_path: str = "") -> Sequence[RetrievedFragment]:
        """As :meth:`LangChainStore.search`."""
        return self._origin.rows(query, limit, scope_path)

    def _ask(self, query: str, k: int, scope_path: str) -> Iterable[Any]:  # noqa: ARG002 - a retriever takes no limit
        named = self._filters(scope_path) if self._filters is not None else {}
        rows: Iterable[Any] = self._retriever.invoke(query, **named)
        return rows

    def _read(self, document: Any) -> Item:
        number = document.metadata.get(self._score_field) if self._score_field is not None else None
        return _item(document, number)


def _scored(pair: Any) -> Item:
    document, number = pair
    return _item(document, number)


def _item(document: Any, number: object) -> Item:
    return Item(
        content=document.page_content,
        metadata=document.metadata,
        number=number,
        name=getattr(document, "id", None),
    )


def langchain_retriever(
    knowledge: AnyKnowledge,
    *,
    policy: RetrievalPolicy | None = None,
    scope_path: str = "",
    on_selection: OnSelection | None = None,
) -> Any:
    """The boundary over ``knowledge`` as a ``BaseRetriever`` of LangChain, for any chain that takes one.

    Each document is one admitted row: ``page_content`` is its rendered line, ``SOURCE [label]: content``, and the
    metadata are ``source`` (the label an answer cites) and ``score``. Nothing else of the row leaves the boundary.

    Args:
        knowledge: A store, one of this module's for instance; or a ``KnowledgeBase``, whose boundary, key and settings
            then count, as in its ``ask``.
        policy: Ceilings and defences; ``RetrievalPolicy.hardened(key=…)`` for content of others. A store needs one;
            of a knowledge base ``None`` are the settings', and its defences stay on whatever is passed.
        scope_path: On whose behalf is asked. A retriever is a small thing: make one for each tenant.
        on_selection: Is told what was admitted and why the rest was not.

    Raises:
        AdapterError: LangChain is not installed.
        BridgeContractError: The store cannot be asked, the policy is none, or the path is no scope path.
        TypeError: What was given has to be awaited, as an ``AsyncKnowledgeBase`` has.
    """
    boundary = Boundary(knowledge=knowledge, policy=policy, scope_path=scope_path, on_selection=on_selection)
    try:
        from langchain_core.documents import Document
        from langchain_core.retrievers import BaseRetriever
    except ImportError as error:
        raise missing("LangChain", "langchain-core") from error

    def documents(query: str) -> list[Any]:
        return [
            Document(page_content=passage.line, metadata={"source": passage.label, "score": passage.score})
            for passage in boundary.passages(query)
        ]

    class BoundaryRetriever(BaseRetriever):  # type: ignore[misc, unused-ignore]  # Any where LangChain is missing
        """Rows of a store as the boundary lets them through."""

        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Any]:  # noqa: ARG002 - its interface
            return documents(query)

        async def _aget_relevant_documents(self, query: str, *, run_manager: Any) -> list[Any]:  # noqa: ARG002 - the same
            return await asyncio.to_thread(documents, query)

    return BoundaryRetriever()
