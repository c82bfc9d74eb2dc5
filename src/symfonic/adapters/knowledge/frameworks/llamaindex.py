"""LlamaIndex: its indexes and retrievers in front of the boundary, and the boundary as one of its retrievers.

Rules of this module: only :func:`llamaindex_retriever` imports LlamaIndex. A missing score is read as missing, where
``get_score()`` would say 0.0; a node's text is read without its metadata, which its prompts print otherwise.
"""

from __future__ import annotations

import asyncio
import hashlib
from typing import TYPE_CHECKING, Any

from symfonic.adapters.knowledge.declared import DeclaredScope, MissingScore, ScoreKind, ScorePolicy

from ._boundary import AnyKnowledge, Boundary, OnSelection, missing
from ._rows import LABELS, Filters, Item, Origin, require

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from symfonic.capabilities.knowledge import RetrievalPolicy, RetrievedFragment

__all__ = ["LlamaIndexRetriever", "llamaindex_retriever"]


class LlamaIndexRetriever:
    """An index or a retriever of LlamaIndex as a ``ScopedKnowledgeRetriever``.

    Args:
        origin: An index, which has ``as_retriever(similarity_top_k=…)`` and is asked for as many rows as it takes; or
            a retriever, which has ``retrieve(query)``, and whose own cut decides how many rows there are.
        scope: Whose its rows are.
        scores: What its number means.
        missing_score: What stands for a score that is ``None``.
        filters: From a scope path to named arguments of ``as_retriever``, such as ``{"filters": …}``.
        labels: Metadata fields a row is named after, first choice first.
        max_rows: Most rows fetched for a question.

    Raises:
        TypeError, ValueError: A declaration is none; or filters are given for a retriever, which takes none.
    """

    __slots__ = ("_filters", "_index", "_origin", "_retriever")

    def __init__(
        self,
        origin: Any,
        *,
        scope: DeclaredScope,
        scores: ScoreKind | Callable[[Any], float] = "similarity",
        missing_score: MissingScore = "drop",
        filters: Filters | None = None,
        labels: Sequence[str] = LABELS,
        max_rows: int = 1_000,
    ) -> None:
        require(origin, ("as_retriever", "retrieve"), "an index or retriever of LlamaIndex")
        self._retriever = origin
        self._index = callable(getattr(origin, "as_retriever", None))
        self._filters = filters
        if filters is not None and not self._index:
            raise ValueError(
                "filters are arguments of as_retriever; a retriever takes none, so nothing would be filtered; pass the "
                "index, or give the retriever its filters where it is made"
            )
        self._origin = Origin(
            framework="LlamaIndex's retriever",
            ask=self._ask,
            read=_item,
            scope=scope,
            scores=ScorePolicy(kind=scores, missing=missing_score),
            labels=tuple(labels),
            max_rows=max_rows,
            grows=self._index,
        )

    def search(self, query: str, limit: int, *, scope_path: str = "") -> Sequence[RetrievedFragment]:
        """The best rows visible at ``scope_path``, with those that tie with the last.

        Raises:
            StoreError: The retriever failed.
        """
        return self._origin.rows(query, limit, scope_path)

    def _ask(self, query: str, k: int, scope_path: str) -> Iterable[Any]:
        retriever = self._retriever
        if self._index:
            named = self._filters(scope_path) if self._filters is not None else {}
            retriever = retriever.as_retriever(similarity_top_k=k, **named)
        rows: Iterable[Any] = retriever.retrieve(query)
        return rows


def _item(found: Any) -> Item:
    node = found.node
    return Item(
        content=node.get_content(metadata_mode="none"),
        metadata=node.metadata,
        number=found.score,
        name=getattr(node, "node_id", None),
    )


def llamaindex_retriever(
    knowledge: AnyKnowledge,
    *,
    policy: RetrievalPolicy | None = None,
    scope_path: str = "",
    on_selection: OnSelection | None = None,
) -> Any:
    """The boundary over ``knowledge`` as a ``BaseRetriever`` of LlamaIndex, for any query engine that takes one.

    Each node is one admitted row: its text is the rendered line, its score the row's, and its only metadata ``source``
    (the label an answer cites), which is kept out of prompts and embeddings because the line says it already.

    Args:
        knowledge: A store, one of this module's for instance; or a ``KnowledgeBase``, whose boundary, key and settings
            then count, as in its ``ask``.
        policy: Ceilings and defences; ``RetrievalPolicy.hardened(key=…)`` for content of others. A store needs one;
            of a knowledge base ``None`` are the settings', and its defences stay on whatever is passed.
        scope_path: On whose behalf is asked. A retriever is a small thing: make one for each tenant.
        on_selection: Is told what was admitted and why the rest was not.

    Raises:
        AdapterError: LlamaIndex is not installed.
        BridgeContractError: The store cannot be asked, the policy is none, or the path is no scope path.
        TypeError: What was given has to be awaited, as an ``AsyncKnowledgeBase`` has.
    """
    boundary = Boundary(knowledge=knowledge, policy=policy, scope_path=scope_path, on_selection=on_selection)
    try:
        from llama_index.core.retrievers import BaseRetriever
        from llama_index.core.schema import NodeWithScore, TextNode
    except ImportError as error:
        raise missing("LlamaIndex", "llama-index-core") from error

    def node(line: str, label: str) -> Any:
        hidden = ["source"]
        return TextNode(
            id_=hashlib.sha256(line.encode()).hexdigest(),  # theirs is random
            text=line,
            metadata={"source": label},
            excluded_llm_metadata_keys=hidden,
            excluded_embed_metadata_keys=hidden,
        )

    def nodes(query: str) -> list[Any]:
        return [
            NodeWithScore(node=node(passage.line, passage.label), score=passage.score)
            for passage in boundary.passages(query)
        ]

    class BoundaryRetriever(BaseRetriever):  # type: ignore[misc, unused-ignore]  # Any where LlamaIndex is missing
        """Rows of a store as the boundary lets them through."""

        def _retrieve(self, query_bundle: Any) -> list[Any]:
            return nodes(query_bundle.query_str)

        async def _aretrieve(self, query_bundle: Any) -> list[Any]:
            return await asyncio.to_thread(nodes, query_bundle.query_str)

    return BoundaryRetriever()
