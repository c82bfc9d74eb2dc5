"""An answer on its way to a page: piece by piece, with every reference judged before it is shown.

Rules of this module: it reads an :class:`Answering` to its end and lets go of the model whatever happens. A reference
is shown as its number, and an invented one as the mark that stands in its place. What is told is data, one event for
each piece; nothing in a text can end an event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from symfonic.composition.knowledge import ModelFailedError
from symfonic.frontends.knowledge._asgi import problem_of
from symfonic.frontends.knowledge._inspection_view import answer_spans, report_rows, sources_view
from symfonic.frontends.knowledge._views import answer_view

if TYPE_CHECKING:
    from collections.abc import Iterator

    from symfonic.capabilities.knowledge import LedgerEntry
    from symfonic.composition.knowledge import Answering
    from symfonic.frontends.knowledge._asgi.protocol import Scope
    from symfonic.frontends.knowledge._views import View


def numbered(_: LedgerEntry, number: int) -> str:
    """What stands in the place of a reference."""
    return f"[{number}]"


def answer_events(answering: Answering, request: Scope) -> Iterator[View]:
    """``spans`` of each piece as it comes; at last ``done``, the account, with ``problem`` where there was one."""
    labels = [source["label"] for source in sources_view(answering.answerable)]
    problem = ""
    shown = 0
    with answering:
        try:
            for _ in answering:
                view = answer_view(answering.answerable, answering.answer())
                yield {"spans": answer_spans(view["answer"], view["report"], labels, shown)}
                shown = len(view["answer"])
        except ModelFailedError as error:
            problem = problem_of(error, request).detail
    view = answer_view(answering.answerable, answering.answer())
    if len(view["answer"]) > shown:
        yield {"spans": answer_spans(view["answer"], view["report"], labels, shown)}
    yield {"done": _account(view), "problem": problem}


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
