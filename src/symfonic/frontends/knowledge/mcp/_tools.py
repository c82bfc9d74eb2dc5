"""What each tool does: judge the arguments, ask the knowledge base, put its views into a result.

Rules of this module: blocking functions that know no session and no transport. Arguments are judged here whatever a
client's SDK let pass. Text comes from the views alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from mcp_types import CallToolResult, ResourceLink, TextContent

from symfonic.composition.knowledge import KnowledgeBase, Scope
from symfonic.frontends.knowledge._passage_view import (
    fetched_view,
    outcomes_view,
    passages_view,
    results_view,
    shown_block,
)

from . import _refusals as refusals
from ._declared import MAX_LIMIT, MAX_QUESTION_CHARS, NOTICE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from symfonic.composition.knowledge import Answerable
    from symfonic.frontends.knowledge._views import View

_NOTHING: Final = "Nothing was found that may be shown."


@dataclass(frozen=True, slots=True)
class Asking:
    """A knowledge base on behalf of one asker."""

    knowledge: KnowledgeBase
    scope: Scope

    def about(self, question: str, limit: int | None = None) -> Answerable:
        """The question compiled, with fewer passages where that is wanted."""
        usual = self.knowledge.settings.retrieval_policy()
        fewer = None if limit is None or limit >= usual.limit else replace(usual, limit=limit)
        return self.knowledge.ask(question, scope=self.scope, policy=fewer)

    def passage(self, passage_id: str) -> Answerable:
        """A passage that is admitted.

        Raises:
            RefusedError: There is none that this asker sees, or a ceiling leaves it out.
        """
        found = self.knowledge.passage(passage_id, scope=self.scope)
        if found is None:
            raise refusals.RefusedError(refusals.UNKNOWN_PASSAGE)
        if not found.grounded:
            raise refusals.RefusedError(refusals.LEFT_OUT)
        return found


def search_knowledge(asking: Asking, arguments: Mapping[str, object]) -> CallToolResult:
    """Passages as text, as links and as data."""
    question, limit = _text(arguments, "question", "limit"), _limit(arguments)
    answerable = asking.about(question, limit)
    view = passages_view(answerable, asking.knowledge.passage_id)
    block = shown_block(answerable)
    links = [
        ResourceLink(type="resource_link", uri=one["uri"], name=one["label"], mime_type="text/plain")
        for one in view["passages"]
        if one["uri"]
    ]
    text = f"{NOTICE}\n\n{block}" if block else _NOTHING
    return CallToolResult(content=[TextContent(type="text", text=text), *links], structured_content=view)


def explain_context(asking: Asking, arguments: Mapping[str, object]) -> CallToolResult:
    """Every candidate with its outcome."""
    answerable = asking.about(_text(arguments, "question"))
    return _as_data(outcomes_view(answerable, asking.knowledge.passage_id))


def search(asking: Asking, arguments: Mapping[str, object]) -> CallToolResult:
    """Ids and titles."""
    answerable = asking.about(_text(arguments, "query"))
    return _as_data(results_view(passages_view(answerable, asking.knowledge.passage_id)))


def fetch(asking: Asking, arguments: Mapping[str, object]) -> CallToolResult:
    """One passage."""
    passage_id = _text(arguments, "id")
    return _as_data(fetched_view(passage_id, asking.passage(passage_id), asking.knowledge.passage_id))


CALLS: Final[Mapping[str, Callable[[Asking, Mapping[str, object]], CallToolResult]]] = {
    "search_knowledge": search_knowledge,
    "explain_context": explain_context,
    "search": search,
    "fetch": fetch,
}


def resource_text(asking: Asking, passage_id: str) -> str:
    """A passage as the text of a resource."""
    return f"{NOTICE}\n\n{shown_block(asking.passage(passage_id))}"


def refused(refusal: refusals.Refusal) -> CallToolResult:
    """A refusal as the result of a tool."""
    return CallToolResult(content=[TextContent(type="text", text=refusal.message)], is_error=True)


def _as_data(view: View) -> CallToolResult:
    text = json.dumps(view, ensure_ascii=False, allow_nan=False)
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=view)


def _text(arguments: Mapping[str, object], name: str, *others: str) -> str:
    """The text of one argument, where no others stand beside it than those that may."""
    value: Any = arguments.get(name)
    if type(value) is not str or not 0 < len(value) <= MAX_QUESTION_CHARS or not arguments.keys() <= {name, *others}:
        raise refusals.RefusedError(refusals.ARGUMENTS)
    try:
        value.encode()
    except UnicodeEncodeError:  # half a surrogate pair is no text
        raise refusals.RefusedError(refusals.ARGUMENTS) from None
    return value


def _limit(arguments: Mapping[str, object]) -> int | None:
    value = arguments.get("limit")
    if value is None:
        return None
    if type(value) is not int or not 1 <= value <= MAX_LIMIT:
        raise refusals.RefusedError(refusals.ARGUMENTS)
    return value
