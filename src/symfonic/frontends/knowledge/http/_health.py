"""``/healthz`` and ``/readyz``. Rules of this module: a word, and nothing about what is behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Depends

from . import _examples as examples
from ._declared import declared_only

if TYPE_CHECKING:
    from ._service import Service


def health_routes(service: Service) -> APIRouter:
    """The routes that a supervisor asks."""
    routes = APIRouter(tags=["health"], responses=examples.PROBLEMS, dependencies=[Depends(declared_only)])

    @routes.get("/healthz", summary="Whether the process lives", responses=examples.HEALTH)
    async def health() -> dict[str, str]:
        return {"status": "ok"}

    @routes.get("/readyz", summary="Whether requests are taken", responses=examples.READY)
    async def ready() -> dict[str, str]:
        await service.checking.revision()
        return {"status": "ready"}

    return routes
