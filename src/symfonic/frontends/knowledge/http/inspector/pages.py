"""The pages of the inspector and where they are.

Rules of this module: a page is asked for by GET, and what a form says comes by POST, so that no question stands in an
address or a log. The store and the model are asked in worker threads, and pages whose size documents decide are written
there too. What a key's holder may not learn is left out as ``_remote_view`` does it. An error of the knowledge base is
a readable page that keeps what was typed.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from symfonic.capabilities.knowledge import ScopePath
from symfonic.composition.knowledge import (
    AccessKey,
    AccessRefusedError,
    InputError,
    KnowledgeError,
    NothingAdmittedError,
    Upload,
    remove_document,
    require_writer,
    showable,
    upload,
)
from symfonic.frontends.knowledge._asgi import access_of, problem_of
from symfonic.frontends.knowledge._inspection_view import (
    document_id,
    inspected_view,
    scope_words,
    shelf_view,
    sources_view,
)
from symfonic.frontends.knowledge._remote_view import is_removable, view_for
from symfonic.frontends.knowledge._views import report_view

from .answers import answer_events, numbered
from .forms import ceiling_fields, policy_of, question_of, scope_of
from .sessions import COOKIE, SIGN_IN_PATH, Sessions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from symfonic.adapters.knowledge.ports import DocumentRecord
    from symfonic.composition.knowledge import Answerable, AsyncAnswering, KnowledgeBase
    from symfonic.frontends.knowledge._views import View
    from symfonic.frontends.knowledge.http._service import Service

PUBLIC_PATHS: Final = (SIGN_IN_PATH, "/inspector/static/")
"""Paths of the inspector that need no key."""

UPLOAD_PATHS: Final = ("/inspector/documents/upload",)
"""Paths of the inspector that take documents."""

_TYPES: Final[Mapping[str, str]] = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_MOST_FIELDS: Final = 20
_MOST_FILES: Final = 200


def inspector_router(service: Service, sessions: Sessions) -> APIRouter:
    """The routes of the inspector, all below ``/inspector``.

    Args:
        service: What is inspected.
        sessions: Those the edge was given as ``sign_in``.
    """
    pages = _Pages(service, sessions)
    router = APIRouter(include_in_schema=False)
    for path, method, page in (
        ("/", "GET", pages.start),
        ("/inspector", "GET", pages.ask_page),
        ("/inspector", "POST", pages.ask),
        ("/inspector/results", "POST", pages.results),
        ("/inspector/answer", "GET", pages.ask_page),
        ("/inspector/answer", "POST", pages.answer),
        ("/inspector/answer/stream", "POST", pages.answer_stream),
        ("/inspector/documents", "GET", pages.documents),
        ("/inspector/documents/upload", "POST", pages.upload),
        ("/inspector/documents/confirm", "POST", pages.confirm),
        ("/inspector/documents/delete", "POST", pages.delete),
        (SIGN_IN_PATH, "GET", pages.sign_in_page),
        (SIGN_IN_PATH, "POST", pages.sign_in),
        ("/inspector/sign-out", "POST", pages.sign_out),
        ("/inspector/static/{name}", "GET", pages.static),
    ):
        router.add_api_route(path, pages.readable(page), methods=[method])
    return router


def _environment() -> Environment:
    """Templates that escape everything and know every name they use."""
    made = Environment(
        loader=PackageLoader(__package__ or "", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["number"] = "{:,}".format
    return made


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a form asks, before anything was looked for."""

    given: Mapping[str, str]
    key: AccessKey | None

    most_chars: int

    def options(self, knowledge: KnowledgeBase) -> dict[str, Any]:
        """What the knowledge base is asked with."""
        return {
            "question": question_of(self.given, self.most_chars),
            "scope": scope_of(self.key, self.given),
            "policy": policy_of(self.key, knowledge.settings, self.given),
        }

    def shown(self, answerable: Answerable) -> View:
        """What may be shown of the answer."""
        return view_for(self.key, inspected_view(answerable, self.given.get("previous", "")))


class _Pages:
    """The pages; one method for each route."""

    def __init__(self, service: Service, sessions: Sessions) -> None:
        self._knowledge = service.knowledge
        self._asking = service.asking
        self._models = service.answering
        self._storing = service.storing
        self._most_chars = service.max_question_chars
        self._model = service.model
        self._sessions = sessions
        self._templates = _environment()
        folder = files(__package__ or "") / "static"
        self._static = {file.name: file.read_bytes() for file in folder.iterdir() if file.name[-1:] != "c"}

    def readable(self, page: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        """The page, with errors of the knowledge base as a page of their own."""

        async def shown(request: Request) -> Response:
            try:
                return await page(request)
            except KnowledgeError as error:
                problem = problem_of(error, request.scope)
                return self._page(request, "problem.html", status=problem.status, problem=problem.detail)
            except HTTPException as error:  # a form that is none
                return self._page(request, "problem.html", status=error.status_code, problem=str(error.detail))

        shown.__name__ = page.__name__
        return shown

    # ---------------------------------------------------------------------------------------------------- asking

    async def start(self, _: Request) -> Response:
        """Where who types the bare address is led."""
        return RedirectResponse("/inspector", 303)

    async def ask_page(self, request: Request) -> Response:
        """The form, before a question."""
        return self._page(request, "ask.html", **await self._form(request, {}))

    async def ask(self, request: Request) -> Response:
        """A question with its candidates and its prompt."""
        given = await _fields(request)
        asked = _Asked(given, access_of(request.scope), self._most_chars)
        try:
            view = await self._asking.run(self._inspected, asked)
        except KnowledgeError as error:
            return await self._refused(request, given, error)
        form = await self._form(request, given)
        return await self._asking.run(self._page, request, "ask.html", **{**form, "view": view})

    async def results(self, request: Request) -> Response:
        """The same without the page around it, for a script."""
        given = await _fields(request)
        asked = _Asked(given, access_of(request.scope), self._most_chars)
        try:
            view = await self._asking.run(self._inspected, asked)
        except KnowledgeError as error:
            problem = problem_of(error, request.scope)
            return self._fragment("_problem.html", status=problem.status, problem=problem.detail)
        return await self._asking.run(self._fragment, "_results.html", view=view)

    def _inspected(self, asked: _Asked) -> View:
        return asked.shown(self._knowledge.ask(**asked.options(self._knowledge)))

    async def _refused(
        self, request: Request, given: Mapping[str, str], error: KnowledgeError, view: View | None = None
    ) -> Response:
        """The form as it was filled in, with what is wrong with it, and what was found."""
        problem = problem_of(error, request.scope)
        values = {**await self._form(request, given), "problem": problem.detail, "view": view}
        return await self._asking.run(self._page, request, "ask.html", status=problem.status, **values)

    async def _form(self, request: Request, given: Mapping[str, str]) -> dict[str, Any]:
        settings = self._knowledge.settings
        stats = await self._asking.run(self._knowledge.stats)
        return {
            "question": given.get("question", ""),
            "scope": given.get("scope", ""),
            "reach": _reach(access_of(request.scope)),
            "ceilings": ceiling_fields(access_of(request.scope), settings, given),
            "most_chars": self._most_chars,
            "has_model": self._model is not None,
            "is_empty": not stats.chunks,
            "problem": "",
            "view": None,
            "answer": None,
        }

    # ------------------------------------------------------------------------------------------------- answering

    async def answer(self, request: Request) -> Response:
        """An answer as a whole page, for browsers without a script."""
        given = await _fields(request)
        asked = _Asked(given, access_of(request.scope), self._most_chars)
        try:
            answering = await self._answering(asked)
        except NothingAdmittedError as error:
            return await self._refused(request, given, error, await self._asking.run(asked.shown, error.answerable))
        except KnowledgeError as error:
            return await self._refused(request, given, error)
        told = await _whole(answering, request)
        form = await self._form(request, given)
        return await self._asking.run(self._page, request, "ask.html", **{**form, "answer": told})

    async def answer_stream(self, request: Request) -> Response:
        """The same while it comes: one JSON document a line."""
        given = await _fields(request)
        try:
            answering = await self._answering(_Asked(given, access_of(request.scope), self._most_chars))
        except KnowledgeError as error:
            problem = problem_of(error, request.scope)
            return self._fragment("_problem.html", status=problem.status, problem=problem.detail)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(self._lines(answering, request), media_type="application/x-ndjson", headers=headers)

    async def _answering(self, asked: _Asked) -> AsyncAnswering:
        if self._model is None:
            raise InputError(
                "a question is answered by a model; this service was started without one and nothing was asked; "
                "name one with --model when it is started"
            )
        return await self._models.answer(model=self._model, render=numbered, **asked.options(self._knowledge))

    async def _lines(self, answering: AsyncAnswering, request: Request) -> AsyncIterator[str]:
        sources = sources_view(answering.answerable)
        yield _line({"html": self._rendered("_answer.html", answer=_opened(answering, sources))})
        async with contextlib.aclosing(answer_events(answering, request.scope)) as events:
            async for event in events:
                if "done" in event:
                    told = self._rendered("_report.html", **event)
                    yield _line({"report": told, "sources": event["done"]["sources"]})
                else:
                    yield _line(event)

    # ------------------------------------------------------------------------------------------------- documents

    async def documents(self, request: Request) -> Response:
        """What is stored, and the form that stores more."""
        return await self._shelf(request)

    async def upload(self, request: Request) -> Response:
        """Store files and tell what became of each."""
        key = access_of(request.scope)
        async with request.form(max_files=_MOST_FILES, max_fields=_MOST_FIELDS) as form:
            chosen = [item for item in form.getlist("files") if isinstance(item, UploadFile) and item.filename]
            files = [Upload(name=item.filename or "", data=item.file) for item in chosen]
            given: dict[str, Any] = {"scope": str(form.get("scope", ""))}
            try:
                require_writer(key)
                scope = scope_of(key, given)
                report = await self._storing.run(upload, self._knowledge, files, scope=scope)
            except KnowledgeError as error:
                problem = problem_of(error, request.scope)
                return await self._shelf(request, status=problem.status, problem=problem.detail, **given)
        return await self._shelf(request, report=report_view(report), **given)

    async def confirm(self, request: Request) -> Response:
        """Ask whether a document is to go."""
        record = await self._named(request, await _fields(request))
        return self._page(request, "confirm.html", **shelf_view([record], writable=True))

    async def delete(self, request: Request) -> Response:
        """Remove a document."""
        record = await self._named(request, await _fields(request))
        document = record.document
        scope = ScopePath.parse(document.scope_path)
        await self._storing.run(remove_document, self._knowledge, document.origin, scope=scope)
        return await self._shelf(request, removed=showable(document.file))

    async def _named(self, request: Request, given: Mapping[str, str]) -> DocumentRecord:
        """The document a form names; one the key does not reach is none."""
        key = access_of(request.scope)
        require_writer(key)
        records: list[DocumentRecord] = await self._asking.run(self._visible, key)
        for record in records:
            if document_id(record) == given.get("id", "") and is_removable(key, record.document.origin):
                return record
        raise AccessRefusedError(
            "a document is removed by a key that reaches it, where it was uploaded; there is none such and nothing was "
            "removed; look at the list, it may be gone already, or be the operator's"
        )

    def _visible(self, key: AccessKey | None) -> list[DocumentRecord]:
        """What the key reaches: at its scope and below."""
        records = self._knowledge.documents()
        return [record for record in records if key is None or _is_below(record.document.scope_path, key.scope_path)]

    async def _shelf(self, request: Request, *, status: int = 200, **more: Any) -> Response:
        key = access_of(request.scope)
        records = await self._asking.run(self._visible, key)
        view = shelf_view(records, writable=key is None or key.may_write, removable=partial(is_removable, key))
        told = {"problem": "", "report": None, "removed": "", "scope": "", "reach": _reach(key), **more}
        return await self._asking.run(self._page, request, "documents.html", status=status, **view, **told)

    # --------------------------------------------------------------------------------------------------- signing in

    async def sign_in_page(self, request: Request) -> Response:
        """The form that takes a token."""
        if not self._sessions.required:
            return RedirectResponse("/inspector", 303)
        return self._page(request, "sign_in.html", problem="")

    async def sign_in(self, request: Request) -> Response:
        """Begin a session."""
        given = await _fields(request)
        session = await self._asking.run(self._sessions.begin, given.get("token", "").strip())
        if session is None:
            words = "This token belongs to no key, or to one that expired or was revoked. Ask the operator for another."
            return self._page(request, "sign_in.html", status=403, problem=words)
        answer = RedirectResponse("/inspector", 303)
        secure = request.url.scheme == "https"
        answer.set_cookie(COOKIE, session, path="/inspector", httponly=True, samesite="strict", secure=secure)
        return answer

    async def sign_out(self, request: Request) -> Response:
        """End the session."""
        self._sessions.end(request.cookies.get(COOKIE, ""))
        answer = RedirectResponse(SIGN_IN_PATH if self._sessions.required else "/inspector", 303)
        answer.delete_cookie(COOKIE, path="/inspector", httponly=True, samesite="strict")
        return answer

    # ------------------------------------------------------------------------------------------------------ making

    async def static(self, request: Request) -> Response:
        """A script or a style sheet."""
        name = str(request.path_params["name"])
        data = self._static.get(name)
        if data is None:
            return self._page(request, "problem.html", status=404, problem="There is no such file.")
        kind = _TYPES.get(name.rpartition(".")[2], "application/octet-stream")
        return Response(data, media_type=kind, headers={"Cache-Control": "no-cache"})

    def _page(self, request: Request, template: str, *, status: int = 200, **values: Any) -> Response:
        state = request.scope.get("state", {})
        key: AccessKey | None = state.get("access")
        values = {"path": request.url.path, "who": "" if key is None else key.name, **values}
        return self._fragment(template, status=status, **values)

    def _fragment(self, template: str, *, status: int = 200, **values: Any) -> Response:
        return HTMLResponse(self._rendered(template, **values), status, headers={"Cache-Control": "no-store"})

    def _rendered(self, template: str, **values: Any) -> str:
        text = self._templates.get_template(template).render(**values)
        return text.encode("utf-8", "replace").decode("utf-8")  # half a pair of surrogates has no bytes


async def _fields(request: Request) -> dict[str, str]:
    """The fields of a form; files are none."""
    async with request.form(max_files=0, max_fields=_MOST_FIELDS) as form:
        return {name: value for name, value in form.items() if isinstance(value, str)}


async def _whole(answering: AsyncAnswering, request: Request) -> View:
    """An answer read to its end."""
    told = _opened(answering, sources_view(answering.answerable))
    async for event in answer_events(answering, request.scope):
        if "done" in event:
            return {**told, "account": event}
        told["spans"] += event.get("spans", [])
    return told


def _opened(answering: AsyncAnswering, sources: list[View]) -> View:
    return {"question": answering.answerable.question, "sources": sources, "spans": [], "account": None}


def _line(event: View) -> str:
    return json.dumps(event) + "\n"


def _reach(key: AccessKey | None) -> str:
    return "any scope" if key is None or not key.scope_path else f"{scope_words(key.scope_path)} and below"


def _is_below(scope_path: str, above: str) -> bool:
    return above in ScopePath.parse(scope_path).ancestors()
