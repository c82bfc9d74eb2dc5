"""What a route declares, held against what a request brings.

Rules of this module: a parameter that no route declares is refused and never passed over, for a misspelt `scope` would
leave the widest one; a body says what it is. Nothing of the request's own is repeated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fastapi import Request, params
from fastapi.exceptions import RequestValidationError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fastapi.routing import APIRoute

JSON: Final = "application/json"
FORM: Final = "multipart/form-data"


async def declared_only(request: Request) -> None:
    """Refuse parameters and fields of a form that the route does not declare.

    Raises:
        RequestValidationError: There are some.
    """
    route: APIRoute = request.scope["route"]
    faults = _foreign("query", request.query_params, _names(route.dependant.query_params))
    if _is_form(route):
        # Read by now, within the limits of a form; asked for again it is the same.
        faults += _foreign("body", await request.form(), _names(route.dependant.body_params))
    if faults:
        raise RequestValidationError(faults)


def expected_type(request: Request) -> str | None:
    """The media type that the body should have and has not; ``None`` where nothing is wrong with it."""
    route = request.scope.get("route")
    if getattr(route, "body_field", None) is None or not _has_body(request):
        return None
    said = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if _is_form(request.scope["route"]):
        return None if said == FORM else FORM
    kind, _, subtype = said.partition("/")
    return None if kind == "application" and (subtype == "json" or subtype.endswith("+json")) else JSON


def _is_form(route: APIRoute) -> bool:
    return route.body_field is not None and isinstance(route.body_field.field_info, params.Form)


def _has_body(request: Request) -> bool:
    return request.headers.get("content-length", "0") != "0" or "transfer-encoding" in request.headers


def _names(fields: Iterable[Any]) -> list[str]:
    return [field.alias for field in fields]


def _foreign(where: str, given: Iterable[str], declared: list[str]) -> list[dict[str, Any]]:
    if all(name in declared for name in given):
        return []
    known = f"those that do are {', '.join(declared)}" if declared else "none does"
    what = "parameter" if where == "query" else "field"
    return [{"type": "unknown_name", "loc": (where,), "msg": f"no {what} of another name belongs here; {known}"}]
