"""The server: which requests there are, and who they come from.

Rules of this module: it joins declarations, tools and workers, and knows no transport. Every failure becomes a refusal
here, so that no message of a library reaches a client or a log. The SDK's low-level server is used, because the other
one derives schemas from code and answers wrong arguments with what it was given.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final, TypeVar

from mcp.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextResourceContents,
)

from symfonic.composition.knowledge import KnowledgeBase, Scope
from symfonic.frontends.knowledge._passage_view import PASSAGE_URI

from . import _refusals as refusals
from ._declared import INSTRUCTIONS, NAME, TEMPLATES, TITLE, TOOLS
from ._tools import CALLS, Asking, refused, resource_text
from ._work import Workers, WorkLimits

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

ScopeOf = Callable[[Any], Scope]
Log = Callable[[Mapping[str, object]], None]

_T = TypeVar("_T")
_ADDRESS: Final = re.compile(re.escape(PASSAGE_URI) + r"([a-z2-7]{40})")


def knowledge_server(
    knowledge: KnowledgeBase,
    *,
    scope_of: ScopeOf,
    limits: WorkLimits | None = None,
    log: Log | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Server[Workers]:
    """A server of one knowledge base, to be run over any transport.

    Args:
        knowledge: Is asked; it stays open and is closed by whoever opened it.
        scope_of: On whose behalf a request is answered, from the HTTP request it came with; that is ``None`` where the
            transport has none. Nothing a client sends as an argument takes part.
        limits: How much is answered at a time.
        log: Is told of every call: the tool, the outcome and the milliseconds, and nothing of what was asked or found.
        clock: Seconds that only go forward.
    """
    served = _Served(
        knowledge=knowledge,
        scope_of=scope_of,
        log=log or _quiet,
        clock=clock,
    )

    @asynccontextmanager
    async def working(_: Server[Workers]) -> AsyncIterator[Workers]:
        workers = Workers(limits or WorkLimits())
        try:
            yield workers
        finally:
            workers.close()

    return Server(
        NAME,
        lifespan=working,
        title=TITLE,
        version=version("symfonic-knowledge"),
        instructions=INSTRUCTIONS,
        on_list_tools=_list_tools,
        on_call_tool=served.call_tool,
        on_list_resources=_list_resources,
        on_list_resource_templates=_list_templates,
        on_read_resource=served.read_resource,
    )


async def _list_tools(context: ServerRequestContext[Workers], params: PaginatedRequestParams | None) -> ListToolsResult:  # noqa: ARG001
    return ListToolsResult(tools=list(TOOLS))


async def _list_resources(
    context: ServerRequestContext[Workers],  # noqa: ARG001 - the signature is the library's
    params: PaginatedRequestParams | None,  # noqa: ARG001 - as above
) -> ListResourcesResult:
    """None: passages are reached by what a search answers, and are not listed."""
    return ListResourcesResult(resources=[])


async def _list_templates(
    context: ServerRequestContext[Workers],  # noqa: ARG001 - the signature is the library's
    params: PaginatedRequestParams | None,  # noqa: ARG001 - as above
) -> ListResourceTemplatesResult:
    return ListResourceTemplatesResult(resource_templates=list(TEMPLATES))


def _quiet(line: Mapping[str, object]) -> None:
    """Log nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Served:
    """What the two requests that read share."""

    knowledge: KnowledgeBase
    scope_of: ScopeOf
    log: Log
    clock: Callable[[], float]

    async def call_tool(self, context: ServerRequestContext[Workers], params: CallToolRequestParams) -> CallToolResult:
        call = CALLS.get(params.name)
        if call is None:
            return refused(refusals.UNKNOWN_TOOL)
        try:
            return await self._logged(params.name, context, partial(_called, call, params.arguments or {}))
        except Exception as error:  # noqa: BLE001 - whatever it is, a client gets one of ours
            return refused(refusals.refusal_of(error))

    async def read_resource(
        self, context: ServerRequestContext[Workers], params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        uri = str(params.uri)
        found = _ADDRESS.fullmatch(uri)
        if found is None:
            raise MCPError(INVALID_PARAMS, refusals.UNKNOWN_RESOURCE.message)
        try:
            text = await self._logged("resource", context, lambda asking: resource_text(asking, found[1]))
        except Exception as error:  # noqa: BLE001 - as above
            refusal = refusals.refusal_of(error)
            unknown = refusal is refusals.UNKNOWN_PASSAGE
            code = INVALID_PARAMS if unknown else INTERNAL_ERROR
            raise MCPError(code, (refusals.UNKNOWN_RESOURCE if unknown else refusal).message) from None
        return ReadResourceResult(contents=[TextResourceContents(uri=uri, text=text, mime_type="text/plain")])

    async def _logged(self, name: str, context: ServerRequestContext[Workers], call: Callable[[Asking], _T]) -> _T:
        """Run a call in a thread and tell the log how it ended."""
        began, outcome = self.clock(), "cancelled"
        try:
            asking = Asking(self.knowledge, self.scope_of(context.request))
            answer = await context.lifespan_context.run(lambda: call(asking))
        except Exception as error:
            outcome = refusals.logged_code(error)
            raise
        else:
            outcome = "ok"
            return answer
        finally:
            milliseconds = round((self.clock() - began) * 1000)
            self.log({"event": "mcp", "call": name, "outcome": outcome, "milliseconds": milliseconds})


def _called(
    call: Callable[[Asking, Mapping[str, object]], CallToolResult], arguments: Mapping[str, object], asking: Asking
) -> CallToolResult:
    return call(asking, arguments)
