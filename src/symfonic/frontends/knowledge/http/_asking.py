"""``/v1/search``, ``/v1/prompt``, ``/v1/explain`` and ``/v1/verify``.

Rules of this module: narrow the scope, ask in a worker thread, show the view. A question's ceilings are never wider
than the operator's.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter, Depends, Request

from symfonic.adapters.knowledge.messages import (
    anthropic_request,
    gemini_request,
    openai_chat_request,
    openai_responses_request,
)
from symfonic.capabilities.knowledge import BridgeError, CitationLedger, RetrievalPolicy
from symfonic.composition.knowledge import (
    Answerable,
    InputError,
    LedgerError,
    QuestionError,
    ledger_of,
    message_parts,
    verify_answer,
)
from symfonic.frontends.knowledge._asgi import access_of
from symfonic.frontends.knowledge._remote_view import view_for
from symfonic.frontends.knowledge._views import (
    View,
    explanation_view,
    ledger_view,
    prompt_view,
    search_view,
    verification_view,
)

from . import _examples as examples
from ._bodies import Answered, Asked, PromptAsked, Searched, attachments_of, scope_within
from ._declared import declared_only

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from symfonic.adapters.knowledge.messages import MessageParts

    from ._service import Service

_REQUESTS: Final[Mapping[str, Callable[[MessageParts], dict[str, Any]]]] = {
    "anthropic": anthropic_request,
    "openai-chat": openai_chat_request,
    "openai-responses": openai_responses_request,
    "gemini": gemini_request,
}


def asking_routes(service: Service) -> APIRouter:
    """The routes that ask and answer with JSON."""
    routes = APIRouter(
        prefix="/v1", tags=["questions"], responses=examples.PROBLEMS, dependencies=[Depends(declared_only)]
    )

    @routes.post("/search", summary="Rank passages", responses=examples.SEARCH)
    async def search(body: Searched, request: Request) -> View:
        scope = scope_within(access_of(request.scope), body.scope)
        question = question_of(service, body.question)
        rows = await service.asking.search(question, scope=scope, limit=body.limit, min_score=body.min_score)
        return search_view(question, str(scope), rows)

    @routes.post("/prompt", summary="Compile the prompt", responses=examples.PROMPT)
    async def prompt(body: PromptAsked, request: Request) -> View:
        answerable = await ask(service, body, request)
        return view_for(access_of(request.scope), await service.asking.run(_prompted, answerable, body.format))

    @routes.post("/explain", summary="Say why each row is or is not in the prompt", responses=examples.EXPLAIN)
    async def explain(body: Asked, request: Request) -> View:
        answerable = await ask(service, body, request)
        view = await service.asking.run(lambda: explanation_view(answerable.explain()))
        return view_for(access_of(request.scope), view)

    @routes.post("/verify", summary="Check an answer against the ledger of its prompt", responses=examples.VERIFY)
    async def verify(body: Answered) -> View:
        return await service.asking.run(_verified, body, service.knowledge.settings.datamark)

    return routes


async def ask(service: Service, body: Asked, request: Request) -> Answerable:
    """Ask what a body asks, on behalf of whoever sent it."""
    return await service.asking.ask(**asked(service, body, request))


def asked(service: Service, body: Asked, request: Request) -> dict[str, Any]:
    """What the knowledge base is asked.

    Raises:
        AccessRefusedError, ScopeError, QuestionError, InputError: It is refused.
    """
    return {
        "question": question_of(service, body.question),
        "scope": scope_within(access_of(request.scope), body.scope),
        "policy": policy_within(
            service.knowledge.settings.retrieval_policy(), body.ceilings.model_dump(exclude_none=True)
        ),
        "documents": body.documents,
        "attachments": attachments_of(body.attachments),
    }


def question_of(service: Service, question: str) -> str:
    """The question, where it is not too long.

    Raises:
        QuestionError: It is.
    """
    if len(question) > service.max_question_chars:
        raise QuestionError(
            f"a question has at most {service.max_question_chars:,} characters here; this one has {len(question):,} "
            "and nothing was looked for; ask in fewer words, or send what it is about as an attachment"
        )
    return question


def policy_within(operator: RetrievalPolicy, given: Mapping[str, Any]) -> RetrievalPolicy:
    """The operator's ceilings with narrower ones in their place.

    Raises:
        InputError: One is wider.
    """
    for name, value in given.items():
        most = getattr(operator, name)
        if (value < most) if name == "min_score" else (value > most):
            bound = "less" if name == "min_score" else "more"
            raise InputError(
                f"a question is held by the operator's ceilings; {name} may be no {bound} than {most} here and nothing "
                "was asked; correct it, or leave it out"
            )
    return replace(operator, **given)


def _prompted(answerable: Answerable, form: str) -> View:
    view = prompt_view(answerable) | {"ledger": ledger_view(ledger_of(answerable))}
    if form != "text":
        view["request"] = _REQUESTS[form](message_parts(answerable))
    return view


def _verified(body: Answered, datamark: str | None) -> View:
    try:
        ledger = CitationLedger.from_json(json.dumps(body.ledger))
    except (BridgeError, ValueError, RecursionError) as error:
        raise LedgerError(str(error)) from error
    return verification_view(ledger, verify_answer(body.answer, ledger, datamark=datamark))
