"""``/v1/answer``: an answer as server-sent events, each checked before it leaves.

Rules of this module: what is wrong before the model is asked is a problem; what goes wrong afterwards is the event
``problem``, followed by the account of what was shown. A reader who leaves stops the model. While a model is silent a
comment goes out now and then, so that nothing on the way takes the silence for an end.

Events: ``sources`` (what the prompt shows, and its ledger), ``piece`` any number of times, ``problem`` where the model
failed, ``report`` as the last.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event

from symfonic.composition.knowledge import ModelFailedError, NothingAdmittedError
from symfonic.frontends.knowledge._asgi import access_of, problem_of, request_id_of
from symfonic.frontends.knowledge._remote_view import view_for
from symfonic.frontends.knowledge._views import answer_view, ledger_view, prompt_view

from . import _examples as examples
from ._asking import asked
from ._bodies import Asked  # noqa: TC001 - routes are read at run time
from ._declared import declared_only
from ._failures import problem_response

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from symfonic.composition.knowledge import AsyncAnswering
    from symfonic.frontends.knowledge._views import View

    from ._service import Service

_SILENCE: Final = 10.0
"""Seconds of a model's silence after which a comment is sent."""

_LETTING_GO: Final = 1.0
"""Seconds in which a model is let go of while somebody waits for it."""


def answering_routes(service: Service) -> APIRouter:
    """The route that answers while a model does."""
    routes = APIRouter(
        prefix="/v1", tags=["questions"], responses=examples.PROBLEMS, dependencies=[Depends(declared_only)]
    )

    @routes.post(
        "/answer",
        summary="Answer a question, and check the answer while it arrives",
        response_class=StreamingResponse,
        responses=examples.ANSWER,
    )
    async def answer(body: Asked, request: Request) -> Response:
        if service.model is None:
            access_of(request.scope)
            return problem_response(
                request,
                501,
                "no-model",
                "this service answers where its operator named a model; none is named and nothing was asked; ask "
                "/v1/prompt and send the prompt to a model of your own",
            )
        try:
            answering = await service.answering.answer(model=service.model, **asked(service, body, request))
        except NothingAdmittedError as error:
            told = problem_of(error, request.scope)
            view = view_for(access_of(request.scope), answer_view(error.answerable))
            return problem_response(request, told.status, told.code, told.detail, account=view)
        return StreamingResponse(_events(answering, request), media_type="text/event-stream")

    return routes


async def _events(answering: AsyncAnswering, request: Request) -> AsyncIterator[bytes]:
    try:
        shown = prompt_view(answering.answerable)
        kept = {name: shown[name] for name in ("question", "scope", "admitted", "digests")}
        yield _event("sources", {**kept, "ledger": ledger_view(answering.ledger)})
        async for piece in pieces_of(answering, silence=_SILENCE):
            yield b": waiting\n\n" if piece is None else _event("piece", {"text": piece})
    except ModelFailedError as error:
        told = problem_of(error, request.scope)
        yield _event(
            "problem",
            {
                "status": told.status,
                "code": told.code,
                "detail": told.detail,
                "reason": error.reason,
                "request": request_id_of(request.scope),
            },
        )
    finally:
        # Whoever has gone, or is told to go, waits for no model that says nothing; it is let go all the same.
        with contextlib.suppress(ModelFailedError, TimeoutError):
            async with asyncio.timeout(_LETTING_GO):
                await answering.stop()
    view = answer_view(answering.answerable, answering.answer())
    yield _event("report", view_for(access_of(request.scope), view))


async def pieces_of(answering: AsyncAnswering, *, silence: float) -> AsyncIterator[str | None]:
    """The pieces of an answer, and ``None`` whenever none came for that many seconds.

    Raises:
        ModelFailedError: As :class:`AsyncAnswering`.
    """
    coming: asyncio.Future[str] | None = None
    try:
        while True:
            coming = coming or asyncio.ensure_future(answering.__anext__())
            done, _ = await asyncio.wait({coming}, timeout=silence)
            if not done:
                yield None
                continue
            try:
                piece = coming.result()
            except StopAsyncIteration:
                return
            coming = None
            yield piece
    finally:
        if coming is not None and not coming.done():
            coming.cancel()


def _event(name: str, data: View) -> bytes:
    return format_sse_event(event=name, data_str=json.dumps(data, allow_nan=False))
