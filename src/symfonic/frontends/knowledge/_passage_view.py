"""What faces for agents show of passages: rendered text, an id, and numbers.

Rules of this module: as :mod:`._views`, whose sister it is. Nothing raw leaves it: a passage is the line the prompt has
of it, a name is a label. Headings, file names and words of a store, which a document or a machine decides, stay inside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from symfonic.composition.knowledge import KNOWLEDGE_ID

from ._views import View, explanation_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from symfonic.capabilities.knowledge import RetrievedFragment
    from symfonic.composition.knowledge import Answerable, ExplainedRow

    IdOf = Callable[[RetrievedFragment], str]

PASSAGE_URI: Final = "knowledge://passage/"
"""What stands before the id in the address of a passage."""

_KEPT: Final = ("rank", "label", "score", "page", "slide")
_NUMBERS: Final = ("code", "reason", "actual", "ceiling")
_COUNTED: Final = ("code", "contribution_id", "actual", "ceiling", "left_out")


def shown_block(answerable: Answerable) -> str:
    """The untrusted block of what was found, delimiters included, as the prompt has it; empty where nothing was."""
    text = answerable.prompt.text
    return "".join(
        text[block.start : block.end] for block in answerable.prompt.blocks if block.contribution_id == KNOWLEDGE_ID
    )


def passages_view(answerable: Answerable, id_of: IdOf) -> View:
    """The passages a question found, best first, and how many candidates were left out."""
    explanation = answerable.explain()
    found = [row for row in explanation.admitted if row.contribution_id == KNOWLEDGE_ID]
    return {
        "passages": [_passage(row, line, id_of) for row, line in zip(found, _lines(answerable), strict=True)],
        "left_out": sum(row.contribution_id == KNOWLEDGE_ID for row in explanation.dropped),
    }


def _lines(answerable: Answerable) -> list[str]:
    """The lines of what was found, with all the compiler changed in them; each row has one."""
    text = answerable.prompt.text
    return [
        line
        for block in answerable.prompt.blocks
        if block.contribution_id == KNOWLEDGE_ID
        for line in text[block.content_start : block.content_end].split("\n")
        if line
    ]


def _passage(row: ExplainedRow, line: str, id_of: IdOf) -> View:
    passage_id = "" if row.fragment is None else id_of(row.fragment)
    return {
        "id": passage_id or None,
        "uri": f"{PASSAGE_URI}{passage_id}" if passage_id else None,
        "label": str(row.label),
        "citation": row.citation,
        "score": row.score,
        "page": row.page,
        "slide": row.slide,
        "text": line,
    }


def outcomes_view(answerable: Answerable, id_of: IdOf) -> View:
    """Every candidate with its one outcome, and the ceilings that decided."""
    explanation = answerable.explain()
    view = explanation_view(explanation)
    ids = [None if row.fragment is None else id_of(row.fragment) or None for row in explanation.admitted]
    admitted = [
        {**_named(row, _KEPT), "id": passage_id, "outcome": "admitted", "reason": None, "actual": None, "ceiling": None}
        for row, passage_id in zip(view["admitted"], ids, strict=True)
    ]
    dropped = [
        {**_named(row, (*_KEPT, "reason", "actual", "ceiling")), "id": None, "outcome": row["code"]}
        for row in view["dropped"]
    ]
    return {
        "counts": view["counts"],
        "rows": [*admitted, *dropped],
        "notes": [_named(note, _NUMBERS) for note in view["notes"]],
        "ceilings": view["ceilings"],
        "digests": view["digests"],
        "diagnostics": [_named(item, _COUNTED) for item in view["diagnostics"]],
        "confusable": view["confusable"],
    }


def _named(view: View, names: tuple[str, ...]) -> View:
    return {name: view[name] for name in names}


def results_view(passages: View) -> View:
    """The same passages as a list to choose from: id, title and address."""
    return {
        "results": [
            {"id": one["id"], "title": one["label"], "url": one["uri"]} for one in passages["passages"] if one["id"]
        ]
    }


def fetched_view(passage_id: str, answerable: Answerable, id_of: IdOf) -> View:
    """One passage that was admitted."""
    one = passages_view(answerable, id_of)["passages"][0]
    told = {"citation": one["citation"], "page": one["page"], "slide": one["slide"]}
    return {
        "id": passage_id,
        "title": one["label"],
        "text": shown_block(answerable),
        "url": f"{PASSAGE_URI}{passage_id}",
        "metadata": {name: str(value) for name, value in told.items() if value is not None},
    }
