"""``/v1/documents``: send documents, list them, delete one.

Rules of this module: only a key that may write changes anything, only at its own scope or below it, and of what is
stored it removes what was sent alone. Every file has an outcome of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from fastapi import APIRouter, Depends, File, Form, Query, Request, Response, UploadFile

from symfonic.adapters.knowledge.ports import Removal
from symfonic.capabilities.knowledge import ScopePath, scope_ancestors
from symfonic.composition.knowledge import Upload, remove_document, require_writer, upload
from symfonic.frontends.knowledge._asgi import access_of
from symfonic.frontends.knowledge._remote_view import documents_view_for, is_removable
from symfonic.frontends.knowledge._views import View, removal_view, report_view

from . import _examples as examples
from ._bodies import Step, scope_within
from ._declared import declared_only
from ._failures import problem_response

if TYPE_CHECKING:
    from symfonic.adapters.knowledge.ports import DocumentRecord
    from symfonic.composition.knowledge import AccessKey

    from ._service import Service

_NO_DOCUMENT: Final = (
    "a document is deleted by its origin at exactly its scope; there is none of that origin here and nothing was "
    "removed; GET /v1/documents lists them"
)
_Words = Annotated[list[Step] | None, Query(alias="scope", max_length=16, description="KIND:ID, once for each step.")]


def document_routes(service: Service) -> APIRouter:
    """The routes that show and change what is stored."""
    routes = APIRouter(
        prefix="/v1", tags=["documents"], responses=examples.PROBLEMS, dependencies=[Depends(declared_only)]
    )

    @routes.post("/documents", summary="Send documents", responses=examples.UPLOAD)
    async def send(
        request: Request,
        files: Annotated[list[UploadFile], File(min_length=1, max_length=200, description="One or more files.")],
        scope: Annotated[list[Step] | None, Form(max_length=16, description="KIND:ID, once for each step.")] = None,
    ) -> View:
        key = _writer(request)
        whose = scope_within(key, scope)
        sent = [Upload(name=one.filename or "", data=one.file) for one in files]
        return report_view(await service.storing.run(upload, service.knowledge, sent, scope=whose))

    @routes.get("/documents", summary="List documents", responses=examples.DOCUMENTS)
    async def show(
        request: Request,
        scope: _Words = None,
        *,
        below: Annotated[bool, Query(description="Whether documents of narrower scopes are listed as well.")] = False,
    ) -> View:
        key = access_of(request.scope)
        whose = scope_within(key, scope)
        return documents_view_for(key, await service.asking.run(_records, service, whose, below))

    @routes.delete("/documents", summary="Delete a document", response_model=None, responses=examples.DELETE)
    async def delete(
        request: Request,
        origin: Annotated[str, Query(min_length=1, max_length=5000, description="`origin` of the list.")],
        scope: _Words = None,
    ) -> View | Response:
        key = _writer(request)
        whose = scope_within(key, scope)
        removal = await service.storing.run(_removed, service, key, origin, whose)
        if not removal.documents:
            return problem_response(request, 404, "no-document", _NO_DOCUMENT)
        return removal_view(removal, [origin], vacuumed=False)

    return routes


def _writer(request: Request) -> AccessKey | None:
    key = access_of(request.scope)
    require_writer(key)
    return key


def _removed(service: Service, key: AccessKey | None, origin: str, whose: ScopePath) -> Removal:
    if not is_removable(key, origin):
        return Removal()
    return remove_document(service.knowledge, origin, scope=whose)


def _records(service: Service, whose: ScopePath, below: bool) -> list[DocumentRecord]:  # noqa: FBT001 - run takes it so
    if not below:
        return list(service.knowledge.documents(scope=whose))
    everything = service.knowledge.documents()
    return [one for one in everything if str(whose) in scope_ancestors(one.document.scope_path)]
