"""The retrieval bridge: ranked rows of a store become lines of a prompt.

Rules of this module: it is the face of selection and the one place that asks a retriever. It is synchronous on purpose;
an async store is adapted once, at the composition root. Whatever a retriever answers is untrusted (``AS-ING-1``), and
whatever it raises becomes a reason, never an exception for the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, Protocol, cast, runtime_checkable

from ._asking import close_generator, has_to_be_awaited, takes_scope
from ._fragments import FragmentSelection, RetrievedFragment, render_fragments, selection_revision
from ._labels import Label, safe_source
from ._policy import RetrievalPolicy
from ._reasons import DropCode, DropReason, drop_reason, failed_query, unscoped_query
from ._refusals import refuse
from ._scope_path import SCOPE_PATH_DELIMITER
from ._selection import select_fragments, selected
from ._text import exact_str, flatten_content, is_text
from .contracts import (
    ContextContribution,
    ContextLayer,
    ContextRead,
    ContextRequest,
    ContextTier,
    attribute_of,
    resolve_scope,
)
from .errors import is_failure, type_name

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
_MAY_FOLLOW: Final = ' \t\r\n,;!?)]}>|"'
"""What may stand behind a scope path in a query; anything else could be the rest of a longer id."""


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
        if not is_text(self.query) and not callable(self.query):
            refuse("KB-RET-SOURCE-2", self.query)
        if not isinstance(self.policy, RetrievalPolicy):
            refuse("KB-RET-SOURCE-4", self.policy)
        if is_text(self.query):
            object.__setattr__(self, "query", exact_str(self.query))
        for name in ("scope_aware", "offline_safe", "scope_in_query"):
            if type(getattr(self, name)) is not bool:
                refuse("KB-RET-SOURCE-5", getattr(self, name), name=name)
        if self.scope_in_query and is_text(self.query) and _PLACEHOLDER not in self.query:
            refuse("KB-RET-SOURCE-3", self.query)

    def select(self, request: ContextRequest) -> FragmentSelection:
        """Ask the store for ``request`` and decide what renders.

        Never raises for what a store does, nor for what the query function does: that reads nothing, with a reason.

        Raises:
            BridgeContractError: ``request`` is no :class:`ContextRequest`.
            CounterError: As :func:`select_fragments`.
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
        except _NothingReadError as error:
            return _nothing(error.reason)
        except BaseException as error:  # a store may raise anything; the turn goes on without it
            if not is_failure(error):
                raise
            # The text of an error stays out: it may quote content, credentials or addresses.
            return _nothing(drop_reason(DropCode.STORE_FAILED, detail=type_name(error)))
        return selected(rows, policy, request.scope_path, cut=cut)

    def read(self, request: ContextRequest) -> ContextRead:
        """Answer with the admitted lines, untrusted."""
        selection = self.select(request)
        return ContextRead(render_fragments(selection), selection_revision(selection))

    def _query_for(self, request: ContextRequest) -> str:
        query = _answered(self.query, request) if callable(self.query) else self.query
        if not self.scope_in_query:
            return query
        query = query.replace(_PLACEHOLDER, request.scope_path)
        if callable(self.query) and not _names_path(query, request.scope_path):
            raise _NothingReadError(unscoped_query())  # a text was checked at construction
        return query

    def _ask(self, query: str, scope_path: str) -> tuple[list[RetrievedFragment], bool]:
        """The rows that count, and whether the store had more. At most ``max_rows + 1`` are asked for and pulled."""
        most = min(self.policy.max_rows, _MOST_ROWS)
        wanted = min(self.policy.limit * self.policy.overfetch, most + 1)
        search = cast("Callable[..., object]", self.retriever.search)
        scoped = takes_scope_path(self.retriever)
        rows = _rows(search(query, wanted, scope_path=scope_path) if scoped else search(query, wanted))
        read = list(islice(rows, most))
        if len(read) < most or not _goes_on(rows):
            return read, False
        close_generator(rows)
        return read, True


class _NothingReadError(Exception):
    """Nothing is read, for a reason in words of our own: nothing of the store stands in it."""

    def __init__(self, reason: DropReason) -> None:
        self.reason = reason


def _answered(query: Callable[[ContextRequest], str], request: ContextRequest) -> str:
    try:
        text: object = query(request)
    except BaseException as error:
        if not is_failure(error):
            raise
        raise _NothingReadError(failed_query(f"it raised {type_name(error)}")) from error
    if not is_text(text):
        raise _NothingReadError(failed_query(f"it answered a {type_name(text)}, not text"))
    return exact_str(text)


def _rows(answer: object) -> Iterator[RetrievedFragment]:
    if has_to_be_awaited(answer):  # before all else: a future is iterable, too
        remedy = ", and has to be awaited: adapt an asynchronous store once, where the application is composed"
        raise _no_rows(answer, remedy)
    if not isinstance(answer, Iterable):
        raise _no_rows(answer)
    return iter(cast("Iterable[RetrievedFragment]", answer))


def _no_rows(answer: object, remedy: str = "") -> _NothingReadError:
    detail = f"its search answered a {type_name(answer)}, not rows{remedy}"
    return _NothingReadError(drop_reason(DropCode.STORE_FAILED, detail=detail))


def _goes_on(rows: Iterator[RetrievedFragment]) -> bool:
    """Whether there is a row more than counts. A store that breaks there loses nothing: what counts was read."""
    try:
        return next(rows, _END) is not _END
    except BaseException as error:
        if not is_failure(error):
            raise
        return True  # whatever it raises, it had not ended


_END: Final = object()


def _nothing(reason: DropReason) -> FragmentSelection:
    return FragmentSelection(dropped=(("", reason),), dropped_rows=(None,))


def takes_scope_path(retriever: KnowledgeRetriever | ScopedKnowledgeRetriever) -> bool:
    """Whether the boundary asks ``retriever`` on behalf of a scope: its ``search`` takes the keyword ``scope_path``.

    What is called decides, not what it wraps; only a wrapper that hands on whatever it is given says nothing itself,
    and then the next one inside is asked. Any other retriever is taken to be bound to its scope already; one whose
    signature cannot be told is such a one.
    """
    return takes_scope(attribute_of(retriever, "search"))


def _names_path(query: str, path: str) -> bool:
    """Whether ``path`` seems to stand in ``query`` as a whole: ``acme`` inside ``acme-labs`` names another tenant.

    A heuristic that errs towards asking nothing. It cannot see everything: an id may hold spaces, so ``acme labs``
    passes for ``acme``, and a query may put its own prefix before the path. Only the proof of scope is exact.
    """
    start = query.find(path)
    while start >= 0:
        end = start + len(path)
        if not _goes_before(query[max(start - 1, 0) : start]) and query[end : end + 1] in _MAY_FOLLOW:
            return True
        start = query.find(path, start + 1)
    return False


def _goes_before(character: str) -> bool:
    """Whether a scope path could begin with it; beyond ASCII anything could, whatever Unicode comes to call it."""
    return not character.isascii() or character.isalnum() or character == SCOPE_PATH_DELIMITER


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
