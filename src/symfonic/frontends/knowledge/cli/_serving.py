"""``serve``: the service on a port, until a signal ends it.

Rules of this module: from options to a service. Standard output has one line, that it is ready; the log, a JSON object
a line, stands on standard error. The service itself needs an extra, so it is imported when the command runs.
"""

from __future__ import annotations

import json
import sys
import threading
from typing import TYPE_CHECKING, Any, Final

from typer import BadParameter

from symfonic.composition.knowledge import MissingExtraError

from . import _options as options
from ._logging import libraries_logged
from ._output import console, write_json
from ._session import access_of_service, model_of, place, refused_as

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from symfonic.frontends.knowledge._asgi import EdgeLimits
    from symfonic.frontends.knowledge.http import Listening

_MOST: Final = 2**31 - 1
_LIMIT_OPTIONS: Final = {"notice_seconds": "--drain-notice"}
_SERVER = frozenset({"fastapi", "starlette", "uvicorn", "jinja2", "pydantic", "multipart", "python_multipart"})


def serve(  # noqa: PLR0913 - one parameter for each option
    *,
    host: str = options.HOST,
    port: int = options.PORT,
    allowed_host: list[str] | None = options.ALLOWED_HOST,
    allowed_origin: list[str] | None = options.ALLOWED_ORIGIN,
    behind_proxy: str | None = options.BEHIND_PROXY,
    pages: bool = options.PAGES,
    access_file: str | None = options.ACCESS_FILE,
    workers: int = options.SERVICE_WORKERS,
    max_question_chars: int = options.MAX_QUESTION_CHARS,
    max_body_bytes: int | None = options.MAX_BODY_BYTES,
    max_upload_bytes: int | None = options.MAX_UPLOAD_BYTES,
    max_concurrency: int | None = options.MAX_CONCURRENCY,
    requests_per_minute: int | None = options.REQUESTS_PER_MINUTE,
    request_seconds: float | None = options.REQUEST_SECONDS,
    drain_notice: float | None = options.DRAIN_NOTICE,
    model: str | None = options.MODEL,
    base_url: str | None = options.BASE_URL,
    embedder: str | None = options.EMBEDDER,
    store: str | None = options.STORE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> None:
    """Answer over HTTP, with pages that show why each passage is or is not in a prompt."""
    chosen = place(store, settings, embedder=embedder, model=model, base_url=base_url)
    _require_counts(port, workers, max_question_chars)
    access = access_of_service(chosen, access_file)
    limits: dict[str, float | None] = {
        "max_body_bytes": max_body_bytes,
        "max_upload_bytes": max_upload_bytes,
        "max_concurrency": max_concurrency,
        "requests_per_minute": requests_per_minute,
        "request_seconds": request_seconds,
        "notice_seconds": drain_notice,
    }
    try:
        from symfonic.frontends.knowledge import http
    except ModuleNotFoundError as error:
        raise _missing(error) from error
    _require_names(allowed_host or (), allowed_origin or (), behind_proxy)
    edge, log = _limits(limits), _logger()
    with libraries_logged(log), chosen.open() as knowledge:
        service = http.Service(
            knowledge=knowledge,
            access=access,
            model=None if chosen.settings.model is None else model_of(chosen.settings),
            limits=edge,
            hosts=tuple(allowed_host or ()),
            origins=tuple(allowed_origin or ()),
            log=log,
            workers=workers,
            max_question_chars=max_question_chars,
        )
        http.serve(
            service,
            host=host,
            port=port,
            pages=pages,
            behind_proxy=behind_proxy,
            on_ready=_teller(pages=pages, as_json=as_json),
        )


def _limits(given: Mapping[str, float | None]) -> EdgeLimits:
    """The limits that were given as options.

    Raises:
        BadParameter: One is none.
    """
    from symfonic.frontends.knowledge._asgi import EdgeLimits

    chosen: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    for name, value in chosen.items():
        with refused_as(_LIMIT_OPTIONS.get(name, f"--{name.replace('_', '-')}")):
            EdgeLimits(**{name: value})
    return EdgeLimits(**chosen)


def _require_counts(port: int, workers: int, max_question_chars: int) -> None:
    """Refuse numbers that are none.

    Raises:
        BadParameter: One is none.
    """
    counts = (
        ("--port", port, 0, 65_535),
        ("--workers", workers, 1, _MOST),
        ("--max-question-chars", max_question_chars, 1, _MOST),
    )
    for option, value, least, most in counts:
        if not least <= value <= most:
            raise BadParameter(
                f"{value} is not from {least} to {most}; nothing was started; correct it", param_hint=option
            )


def _require_names(hosts: Sequence[str], origins: Sequence[str], behind_proxy: str | None) -> None:
    """Refuse names under which nobody could ask, and a proxy that none is.

    Raises:
        BadParameter: One is none.
    """
    from symfonic.frontends.knowledge._asgi.headers import known_hosts, known_origins
    from symfonic.frontends.knowledge.http.serving import require_proxy

    with refused_as("--allowed-host"):
        known_hosts(hosts)
    with refused_as("--allowed-origin"):
        known_origins(origins)
    with refused_as("--behind-proxy"):
        require_proxy(behind_proxy)


def _missing(error: ModuleNotFoundError) -> Exception:
    if (error.name or "").partition(".")[0] not in _SERVER:
        return error
    return MissingExtraError(
        f"a service needs {error.name}, which is not installed; nothing was started; "
        "pip install 'symfonic-knowledge[server]'"
    )


def _logger() -> Callable[[Mapping[str, object]], None]:
    """One JSON object a line, whole whatever writes at the same time."""
    alone = threading.Lock()

    def write(line: Mapping[str, object]) -> None:
        text = json.dumps(line) + "\n"
        with alone:
            sys.stderr.write(text)
            sys.stderr.flush()

    return write


def _teller(*, pages: bool, as_json: bool) -> Callable[[Listening], None]:
    def tell(listening: Listening) -> None:
        view: dict[str, Any] = {
            "url": listening.url,
            "host": listening.host,
            "port": listening.port,
            "asks_for_tokens": not listening.is_open,
            "pages": f"{listening.url}/inspector" if pages else None,
        }
        if as_json:
            write_json(view)
        else:
            who = "whoever reaches it on this machine" if listening.is_open else "whoever has a token"
            shown = f" Pages for people: {view['pages']}" if pages else ""
            console().print(f"Listening at {listening.url} for {who}. Stop it with Ctrl+C.{shown}", soft_wrap=True)
        sys.stdout.flush()

    return tell
