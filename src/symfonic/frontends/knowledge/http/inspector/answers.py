"""An answer on its way to a page: piece by piece, with every reference judged before it is shown.

Rules of this module: it reads an answer to its end and lets go of the model whatever happens. A reference is shown as
its number, and an invented one as the mark that stands in its place. What is told is data, one event for each piece;
nothing in a text can end an event.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

from symfonic.composition.knowledge import ModelFailedError
from symfonic.frontends.knowledge._asgi import problem_of, request_id_of
from symfonic.frontends.knowledge._inspection_view import answer_spans, plain_span, report_rows, sources_view
from symfonic.frontends.knowledge._views import answer_view
from symfonic.frontends.knowledge.http._answering import pieces_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from symfonic.capabilities.knowledge import LedgerEntry
    from symfonic.composition.knowledge import AsyncAnswering
    from symfonic.frontends.knowledge._asgi.protocol import Scope
    from symfonic.frontends.knowledge._views import View

_SILENCE: Final = 10.0
"""Seconds of a model's silence after which an event without content is sent."""


def numbered(_: LedgerEntry, number: int) -> str:
    """What stands in the place of a reference."""
    return f"[{number}]"


async def answer_events(answering: AsyncAnswering, request: Scope) -> AsyncGenerator[View, None]:
    """``spans`` of each piece as it comes, none while the model is silent; at last ``done`` with ``problem``."""
    labels = [source["label"] for source in sources_view(answering.answerable)]
    problem = ""
    shown = 0
    try:
        async for piece in pieces_of(answering, silence=_SILENCE):
            if piece is None:
                yield {}
                continue
            yield {"spans": _spans(answering, piece, labels, shown)}
            shown += len(piece)
    except ModelFailedError as error:
        problem = f"{problem_of(error, request).detail} ({request_id_of(request)})"
    finally:
        with contextlib.suppress(ModelFailedError):
            await answering.stop()
    view = answer_view(answering.answerable, answering.answer())
    if len(view["answer"]) > shown:
        yield {"spans": answer_spans(view["answer"], view["report"], labels, shown)}
    yield {"done": _account(view), "problem": problem}


def _spans(answering: AsyncAnswering, piece: str, labels: list[str], shown: int) -> list[View]:
    """A piece in spans. Whatever stands in the place of a reference has a bracket; without one no report is made."""
    if "[" not in piece:
        return [plain_span(piece)]
    view = answer_view(answering.answerable, answering.answer())
    return answer_spans(view["answer"], view["report"], labels, shown)


def _account(view: View) -> View:
    report = view["report"]
    rows = report_rows(report)
    verdicts = [row["verdict"] for row in rows]
    return {
        **view,
        "sources": rows,
        "quotes": report["quotes"],
        "counts": {name: verdicts.count(name) for name in ("cited", "invented", "ambiguous", "unused")},
    }
