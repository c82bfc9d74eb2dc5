"""Errors of routes as problems. Rules of this module: no error repeats what a request held."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from symfonic.composition.knowledge import KnowledgeError
from symfonic.frontends.knowledge._asgi import PROBLEM, PROBLEM_TYPE, problem, problem_of, request_id_of

from ._declared import expected_type

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST_FAULTS = 20
_CODES = {404: "not-found", 405: "method", 400: "malformed"}
_SENTENCES = {
    404: "there is nothing at this path and nothing was done; /openapi.json lists what there is",
    405: "this path has no such method and nothing was done; /openapi.json lists those it has",
    400: "the body is of the form that /openapi.json describes; this one cannot be read and nothing was done"
    "; correct it",
}
_MESSAGES = {
    "extra_forbidden": "no member of another name belongs here",
    "string_pattern_mismatch": "a step of a scope is KIND:ID and names somebody; write tenant:acme, for instance",
}
"""In place of the library's own; a scope alone has a pattern."""
_UNTYPED = (
    "a body says what it is; this route takes {0}, the request has no such Content-Type and nothing was done; send "
    "Content-Type: {0}"
)


def problem_response(
    request: Request, status: int, code: str, detail: str, headers: Mapping[str, str] | None = None, **more: Any
) -> Response:
    """A problem as a response of the application."""
    request.scope["state"][PROBLEM] = code
    body = problem(status, code, detail, request=request_id_of(request.scope), **more)
    return Response(body, status, headers, media_type=PROBLEM_TYPE)


def handle_failures(app: FastAPI) -> None:
    """Have every error of a route answered as a problem."""
    app.add_exception_handler(KnowledgeError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _unrouted)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, KnowledgeError)
    told = problem_of(error, request.scope)
    return problem_response(request, told.status, told.code, told.detail)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    faults = [_fault(one) for one in error.errors()[:_MOST_FAULTS]]
    if any(one["type"] == "json_invalid" for one in faults):
        return problem_response(request, 400, "malformed", _SENTENCES[400])
    if (expected := expected_type(request)) is not None:
        return problem_response(request, 415, "media-type", _UNTYPED.format(expected))
    return problem_response(
        request,
        422,
        "invalid",
        "a request has the form that /openapi.json describes; this one has not, as `faults` says, and nothing was "
        "done; correct it",
        faults=faults,
    )


def _fault(one: Mapping[str, Any]) -> dict[str, Any]:
    """Where something is wrong and what it should be; never what stood there, nor a name of the request's own."""
    steps = list(one.get("loc", ()))
    if one["type"] == "extra_forbidden":
        steps = steps[:-1]
    known = [step for step in steps if isinstance(step, int) or step.isidentifier()]
    return {"at": known[:8], "type": one["type"], "message": _message(one)}


def _message(one: Mapping[str, Any]) -> str:
    return _MESSAGES.get(one["type"], str(one["msg"])[:200])


async def _unrouted(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = error.status_code
    code = _CODES.get(status, "refused")
    sentence = _SENTENCES.get(status, f"this request was refused: {HTTPStatus(status).phrase.lower()}; correct it")
    return problem_response(request, status, code, sentence, error.headers)
