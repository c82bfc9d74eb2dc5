"""The application. Rules of this module: it puts routes behind the edge and decides nothing of theirs."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from fastapi import Depends, FastAPI
from fastapi.responses import JSONResponse

from symfonic.frontends.knowledge._asgi import Edge

from . import _examples as examples
from ._answering import answering_routes
from ._asking import asking_routes
from ._declared import declared_only
from ._documents import document_routes
from ._failures import handle_failures
from ._health import health_routes
from .inspector.pages import PUBLIC_PATHS, UPLOAD_PATHS, inspector_router
from .inspector.sessions import Sessions

if TYPE_CHECKING:
    from ._service import Service

OPENAPI_PATH: Final = "/openapi.json"


def create_app(service: Service, *, pages: bool = True) -> Edge:
    """The service as an ASGI application.

    Args:
        service: What answers, and under which conditions.
        pages: Whether there are pages for people.
    """
    sessions = Sessions(service.access) if pages else None
    return Edge(
        routed(service, sessions),
        access=service.access,
        hosts=service.hosts,
        origins=service.origins,
        limits=service.limits,
        public_paths=(OPENAPI_PATH, *(PUBLIC_PATHS if pages else ())),
        upload_paths=("/v1/documents", *(UPLOAD_PATHS if pages else ())),
        sign_in=sessions,
        log=service.log,
        clock=service.clock,
    )


def routed(service: Service, sessions: Sessions | None = None) -> FastAPI:
    """The routes without the edge; pages where there are sessions for them."""
    app = FastAPI(
        title="symfonic-knowledge",
        version=version("symfonic-knowledge"),
        summary="The trust boundary between a retrieval store and an LLM prompt.",
        description=examples.DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        strict_content_type=True,
    )
    handle_failures(app)

    @app.get(OPENAPI_PATH, include_in_schema=False, dependencies=[Depends(declared_only)])
    async def description() -> JSONResponse:
        return JSONResponse(app.openapi())

    for routes in (asking_routes, answering_routes, document_routes, health_routes):
        app.include_router(routes(service))
    if sessions is not None:
        app.include_router(inspector_router(service, sessions))
    return app
