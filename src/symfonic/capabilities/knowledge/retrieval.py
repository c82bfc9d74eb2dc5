"""The retrieval bridge: ranked rows of a store become lines of a prompt.

Rules of this module: it is the face of selection and the one place that asks a retriever. It is synchronous on purpose;
an async store is adapted once, at the composition root. Whatever a retriever answers is untrusted (``AS-ING-1``), and
whatever it raises becomes a reason, never an exception for the turn.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Protocol, cast, runtime_checkable

from ._fragments import FragmentSelection, RetrievedFragment, render_fragments, selection_revision
from ._labels import Label, safe_source
from ._policy import RetrievalPolicy
from ._reasons import DropCode, DropReason, drop_reason
from ._refusals import refuse
from ._scope_path import SCOPE_PATH_DELIMITER
from ._selection import select_fragments
from ._text import exact_str, flatten_content
from .contracts import (
    ContextContribution,
    ContextLayer,
    ContextRead,
    ContextRequest,
    ContextTier,
    attribute_of,
    resolve_scope,
)
from .errors import type_name

__all__ = [
    "DropCode",
    "DropReason",
    "FragmentSelection",
    "KnowledgeRetriever",
    "KnowledgeSource",
    "Label",
    "RetrievalPolicy",
    "RetrievedFragment",
    "ScopedKnowledgeRetriever",
    "flatten_content",
    "knowledge_contribution",
    "render_fragments",
    "safe_source",
    "select_fragments",
    "selection_revision",
    "takes_scope_path",
]

_DEFAULT_POLICY: Final = RetrievalPolicy()
_PLACEHOLDER: Final = "{scope_path}"
_MOST_ROWS: Final = 2**40  # beyond any memory, within what slicing takes
_UNSCOPED: Final = "the query does not name the scope path it is asked for, so it might answer for another tenant"


@runtime_checkable
class KnowledgeRetriever(Protocol):
    """A store that can be asked. Higher scores are better; rows may come in any order."""

    def search(self, query: str, limit: int) -> Iterable[RetrievedFragment]:
        """Answer at most ``limit`` rows for ``query``; more are ranked and dropped, never trusted."""
        ...


@runtime_checkable
class ScopedKnowledgeRetriever(Protocol):
    """A store that can be asked on behalf of a scope."""

    def search(self, query: str, limit: int, *, scope_path: str) -> Iterable[RetrievedFragment]:
        """Answer rows stored at ``scope_path`` or an ancestor of it, and no others."""
        ...


Query = str | Callable[[ContextRequest], str]


@dataclass(frozen=True, slots=True)
class KnowledgeSource:
    """A retriever as a source of prompt text.

    Args:
        retriever: The store.
        query: What to ask it, or a function from the request to that.
        policy: Ceilings of this side.
        scope_aware: Whether the answer depends on the request's scope path; then an empty path reads nothing;
            with ``scope_in_query`` too.
        offline_safe: Whether reading touches no network.
        scope_in_query: Whether ``{scope_path}`` in the query is replaced by the request's path.

    Raises:
        BridgeContractError: The retriever cannot be asked, the query is neither text nor a function, the policy is no
            policy, a switch is no bool, or ``scope_in_query`` stands with a text that lacks the placeholder.
    """

    retriever: KnowledgeRetriever | ScopedKnowledgeRetriever
    query: Query
    policy: RetrievalPolicy = _DEFAULT_POLICY
    scope_aware: bool = False
    offline_safe: bool = False
    scope_in_query: bool = False

    def __post_init__(self) -> None:
        if not callable(attribute_of(self.retriever, "search")):
            refuse("KB-RET-SOURCE-1", self.retriever)
        if not isinstance(self.query, str) and not callable(self.query):
            refuse("KB-RET-SOURCE-2", self.query)
        if not isinstance(self.policy, RetrievalPolicy):
            refuse("KB-RET-SOURCE-4", self.policy)
        if isinstance(self.query, str):
            object.__setattr__(self, "query", exact_str(self.query))
        for name in ("scope_aware", "offline_safe", "scope_in_query"):
            if type(getattr(self, name)) is not bool:
                refuse("KB-RET-SOURCE-5", getattr(self, name), name=name)
        if self.scope_in_query and isinstance(self.query, str) and _PLACEHOLDER not in self.query:
            refuse("KB-RET-SOURCE-3", self.query)

    def select(self, request: ContextRequest) -> FragmentSelection:
        """Ask the store for ``request`` and decide what renders. Never raises for what a store does.

        Raises:
            BridgeContractError: ``request`` is no :class:`ContextRequest`.
        """
        policy = self.policy
        if not isinstance(request, ContextRequest):
            refuse("KB-RET-ASK-1", request)
        if (self.scope_aware or self.scope_in_query) and not request.scope_path:
            return _nothing(drop_reason(DropCode.EMPTY_SCOPE))
        if policy.limit == 0:
            return FragmentSelection()
        try:
            query = self._query_for(request)
            rows, cut = self._ask(query, request.scope_path)
        except _UnscopedQueryError:
            return _nothing(DropReason(_UNSCOPED, DropCode.EMPTY_SCOPE))
        except Exception as error:  # noqa: BLE001 - a store may raise anything; the turn goes on without it
            return _nothing(drop_reason(DropCode.STORE_FAILED, detail=_told(error)))
        selection = select_fragments(rows, policy, scope_path=request.scope_path)
        if not cut:
            return selection
        unexamined = ("", drop_reason(DropCode.UNEXAMINED, ceiling=policy.max_rows))
        return replace(
            selection, dropped=(*selection.dropped, unexamined), dropped_rows=(*selection.dropped_rows, None)
        )

    def read(self, request: ContextRequest) -> ContextRead:
        """Answer with the admitted lines, untrusted."""
        selection = self.select(request)
        return ContextRead(render_fragments(selection), selection_revision(selection))

    def _query_for(self, request: ContextRequest) -> str:
        text: object = self.query if isinstance(self.query, str) else self.query(request)
        if not isinstance(text, str):
            raise TypeError(f"the query function answered a {type_name(text)} where text is needed")
        query = exact_str(text)
        if not self.scope_in_query:
            return query
        query = query.replace(_PLACEHOLDER, request.scope_path)
        if callable(self.query) and not _names_path(query, request.scope_path):
            raise _UnscopedQueryError  # a text was checked at construction
        return query

    def _ask(self, query: str, scope_path: str) -> tuple[list[RetrievedFragment], bool]:
        wanted = self.policy.limit * self.policy.overfetch
        search = cast("Callable[..., object]", self.retriever.search)
        scoped = takes_scope_path(self.retriever)
        rows = _rows(search(query, wanted, scope_path=scope_path) if scoped else search(query, wanted))
        most = min(self.policy.max_rows, _MOST_ROWS)
        read = list(islice(rows, most))
        return read, len(read) == most and next(rows, _END) is not _END


def _rows(answer: object) -> Iterator[RetrievedFragment]:
    if inspect.iscoroutine(answer):
        answer.close()
    if not isinstance(answer, Iterable):
        raise TypeError(f"search answered a {type_name(answer)} where rows are needed; adapt an async store once")
    return iter(cast("Iterable[RetrievedFragment]", answer))


class _UnscopedQueryError(Exception):
    """The query that a function answered does not name the scope it is asked for."""


_END: Final = object()


def _nothing(reason: DropReason) -> FragmentSelection:
    return FragmentSelection(dropped=(("", reason),), dropped_rows=(None,))


def _told(error: Exception) -> str:
    """Name the error; its text stays out, for it may quote content, credentials or addresses."""
    return type_name(error)


def takes_scope_path(retriever: KnowledgeRetriever | ScopedKnowledgeRetriever) -> bool:
    """Whether the boundary asks ``retriever`` on behalf of a scope: its ``search`` takes the keyword ``scope_path``.

    Any other retriever is taken to be bound to its scope already; one whose signature cannot be told is such a one.
    """
    search = attribute_of(retriever, "search")
    if not callable(search):
        return False
    try:
        # The wrapper's own: what it wraps is not what is called.
        parameters = inspect.signature(search, follow_wrapped=False).parameters
    except (TypeError, ValueError):
        return False
    named = parameters.get("scope_path")
    if named is not None:
        return named.kind in (named.KEYWORD_ONLY, named.POSITIONAL_OR_KEYWORD)
    return any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())


def _names_path(query: str, path: str) -> bool:
    """Whether ``path`` stands in ``query`` as a whole: ``acme`` inside ``acme-labs`` would name another tenant."""
    start = query.find(path)
    while start >= 0:
        end = start + len(path)
        if not (_is_part(query[max(start - 1, 0) : start], "") or _is_part(query[end : end + 1], "-._")):
            return True
        start = query.find(path, start + 1)
    return False


def _is_part(character: str, others: str) -> bool:
    """Whether a scope part could go on with it; beyond ASCII everything could, whatever Unicode comes to call it."""
    return character != "" and (
        not character.isascii() or character.isalnum() or character in SCOPE_PATH_DELIMITER + others
    )


def knowledge_contribution(
    contribution_id: str, source: KnowledgeSource, *, order: int = 0, scope: str | None = None
) -> ContextContribution:
    """Declare a retrieval: layer L2, tier session, read anew every turn.

    Raises:
        BridgeContractError: As :class:`ContextContribution`, and for a ``scope`` that is not one of the three names.
    """
    return ContextContribution(
        contribution_id,
        source,
        layer=ContextLayer.L2,
        tier=ContextTier.SESSION,
        scope=resolve_scope(scope),
        order=order,
        requires_hydration=True,
    )
