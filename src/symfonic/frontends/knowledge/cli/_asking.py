"""``search``, ``prompt`` and ``explain``: what a question finds, what a model gets, and why.

Rules of this module: ask once, print the view. Nothing is computed here that another face could not show.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from symfonic.composition.knowledge import ledger_of, read_instructions, write_ledger
from symfonic.frontends.knowledge._views import View, added_up, counted, explanation_view, prompt_view, search_view

from . import _options as options
from ._enclosing import Enclosing, enclosing, is_anything_left_out, print_documents, tell_left_out
from ._nothing import note_of_missing_vectors, why_not_admitted, why_not_found
from ._output import (
    Column,
    as_score,
    console,
    print_hanging,
    print_table,
    say,
    score_bar,
    styled,
    write_exactly,
    write_json,
)
from ._reporting import FAILED, NOTHING_ADMITTED
from ._session import ceilings_of, place, policy_of, question_of, scope_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from symfonic.capabilities.knowledge import ScopePath
    from symfonic.composition.knowledge import Answerable, KnowledgeBase

    from ._session import Place

_PREVIEW_CHARS: Final = 200
_DIGEST_DIGITS: Final = 16
"""Shown of a digest, so that it fits a terminal's line; JSON has all 64."""


def search(
    question: str = options.QUESTION,
    *,
    limit: int | None = options.SEARCH_LIMIT,
    min_score: float | None = options.MIN_SCORE,
    embedder: str | None = options.EMBEDDER,
    store: str | None = options.STORE,
    scope: list[str] | None = options.SCOPE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> int:
    """Show the passages that answer a question best, ranked."""
    asked, whose = question_of(question), scope_of(scope)
    ceilings = ceilings_of(limit=limit, min_score=min_score)
    with place(store, settings, embedder=embedder).open() as knowledge:
        found = knowledge.search(asked, scope=whose, **ceilings)
        view = search_view(asked, str(whose or ""), found)
        note_of_missing_vectors(knowledge)
        if as_json:
            write_json(view)
        elif found:
            _print_results(view)
        else:
            say(why_not_found(knowledge, asked, whose, limit=limit, min_score=min_score))
    return 0 if found else NOTHING_ADMITTED


def prompt(  # noqa: PLR0913 - one parameter for each option
    question: str = options.QUESTION,
    *,
    instructions: str | None = options.INSTRUCTIONS,
    attach: list[str] | None = options.ATTACH,
    document: list[str] | None = options.DOCUMENT,
    documents: str | None = options.DOCUMENTS,
    max_document_chars: int | None = options.MAX_DOCUMENT_CHARS,
    max_total_document_chars: int | None = options.MAX_TOTAL_DOCUMENT_CHARS,
    max_attachments: int | None = options.MAX_ATTACHMENTS,
    max_attachment_bytes: int | None = options.MAX_ATTACHMENT_BYTES,
    max_attachment_chars: int | None = options.MAX_ATTACHMENT_CHARS,
    max_total_attachment_chars: int | None = options.MAX_TOTAL_ATTACHMENT_CHARS,
    strict: bool = options.STRICT_WHOLE,
    save_ledger: str | None = options.SAVE_LEDGER,
    limit: int | None = options.LIMIT,
    min_score: float | None = options.MIN_SCORE,
    max_fragment_chars: int | None = options.MAX_FRAGMENT_CHARS,
    max_total_chars: int | None = options.MAX_TOTAL_CHARS,
    embedder: str | None = options.EMBEDDER,
    store: str | None = options.STORE,
    scope: list[str] | None = options.SCOPE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> int:
    """Print the compiled prompt exactly as a model gets it. The question is the user's message and not part of it."""
    ceilings = ceilings_of(
        limit=limit, min_score=min_score, max_fragment_chars=max_fragment_chars, max_total_chars=max_total_chars
    )
    sizes = {
        "max_document_chars": max_document_chars,
        "max_total_document_chars": max_total_document_chars,
        "max_attachments": max_attachments,
        "max_attachment_bytes": max_attachment_bytes,
        "max_attachment_chars": max_attachment_chars,
        "max_total_attachment_chars": max_total_attachment_chars,
    }
    whose, asked = scope_of(scope), question_of(question)
    told = None if instructions is None else read_instructions(instructions)
    chosen = place(store, settings, embedder=embedder, instructions=told, **sizes)
    brought = enclosing(attach, document, documents, chosen.settings)
    with _asked(asked, ceilings, whose, brought, chosen) as (knowledge, answer):
        code = _exit_code(answer, strict=strict)
        if save_ledger is not None:
            write_ledger(save_ledger, ledger_of(answer))
        view = prompt_view(answer)
        if as_json:
            write_json(view)
        else:
            write_exactly(answer.prompt.text)
            # A terminal got its line feed; where both streams lead to one file the prompt ends without one.
            end = "" if sys.stdout.isatty() else "\n"
            if not answer.grounded:
                say(end + why_not_admitted(knowledge, whose, answer))
            tell_left_out(view, before=end if answer.grounded else "")
    return code


def explain(  # noqa: PLR0913 - one parameter for each option
    question: str = options.QUESTION,
    *,
    instructions: str | None = options.INSTRUCTIONS,
    attach: list[str] | None = options.ATTACH,
    document: list[str] | None = options.DOCUMENT,
    documents: str | None = options.DOCUMENTS,
    max_document_chars: int | None = options.MAX_DOCUMENT_CHARS,
    max_total_document_chars: int | None = options.MAX_TOTAL_DOCUMENT_CHARS,
    max_attachments: int | None = options.MAX_ATTACHMENTS,
    max_attachment_bytes: int | None = options.MAX_ATTACHMENT_BYTES,
    max_attachment_chars: int | None = options.MAX_ATTACHMENT_CHARS,
    max_total_attachment_chars: int | None = options.MAX_TOTAL_ATTACHMENT_CHARS,
    strict: bool = options.STRICT_WHOLE,
    limit: int | None = options.LIMIT,
    min_score: float | None = options.MIN_SCORE,
    max_fragment_chars: int | None = options.MAX_FRAGMENT_CHARS,
    max_total_chars: int | None = options.MAX_TOTAL_CHARS,
    embedder: str | None = options.EMBEDDER,
    store: str | None = options.STORE,
    scope: list[str] | None = options.SCOPE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> int:
    """Show every candidate passage, document and attachment with its one outcome, and the ceilings that decided."""
    ceilings = ceilings_of(
        limit=limit, min_score=min_score, max_fragment_chars=max_fragment_chars, max_total_chars=max_total_chars
    )
    sizes = {
        "max_document_chars": max_document_chars,
        "max_total_document_chars": max_total_document_chars,
        "max_attachments": max_attachments,
        "max_attachment_bytes": max_attachment_bytes,
        "max_attachment_chars": max_attachment_chars,
        "max_total_attachment_chars": max_total_attachment_chars,
    }
    whose, asked = scope_of(scope), question_of(question)
    told = None if instructions is None else read_instructions(instructions)
    chosen = place(store, settings, embedder=embedder, instructions=told, **sizes)
    brought = enclosing(attach, document, documents, chosen.settings)
    with _asked(asked, ceilings, whose, brought, chosen) as (knowledge, answer):
        code = _exit_code(answer, strict=strict)
        view = explanation_view(answer.explain())
        note_of_missing_vectors(knowledge)
        if as_json:
            write_json(view)
        else:
            _print_explanation(view)
            if not answer.grounded:
                say(why_not_admitted(knowledge, whose, answer, explained=True))
    return code


def _exit_code(answer: Answerable, *, strict: bool) -> int:
    if not answer.grounded:
        return NOTHING_ADMITTED
    return FAILED if strict and is_anything_left_out(answer) else 0


@contextmanager
def _asked(
    question: str, ceilings: dict[str, Any], scope: ScopePath | None, brought: Enclosing, chosen: Place
) -> Iterator[tuple[KnowledgeBase, Answerable]]:
    """The open knowledge base, and the question compiled."""
    policy = policy_of(chosen.settings, ceilings)
    with chosen.open(documents=brought.store) as knowledge:
        yield knowledge, knowledge.ask(question, scope=scope, policy=policy, **brought.asked)


# --------------------------------------------------------------------------------------------------------- printing


def _print_results(view: View) -> None:
    out = console()
    for result in view["results"]:
        text = result["text"]
        preview = text if len(text) <= _PREVIEW_CHARS else f"{text[:_PREVIEW_CHARS].rstrip()}…"
        bar = score_bar(result["score"], out)
        head = f"{result['rank']:>3}  {as_score(result['score'])} {bar}  "
        print_hanging(out, head, result["label"], "bold")
        print_hanging(out, "     ", preview, "dim")


def _print_explanation(view: View) -> None:
    out = console()
    print_table(
        out,
        (
            Column("#", "right", wraps=False),
            Column("Score", "right", wraps=False),
            Column("", wraps=False),
            Column("Label"),
            Column("Outcome", wraps=False),
            Column("Why"),
        ),
        [_table_row(row, out) for row in (*view["admitted"], *view["dropped"])],
    )
    counts = view["counts"]
    out.print(f"{counted(counts['rows'], 'row')} = {counts['admitted']} admitted + {counts['dropped']} dropped")
    print_documents(out, view)
    markers = added_up(view["admitted"], "markers")
    if markers:
        out.print(f"Boundary   {counted(markers, 'forged citation marker')} in admitted rows made harmless")
    for note in view["notes"]:
        out.print(f"Note       {note['reason']} ({note['code']})")
    for left, right in view["confusable"]:
        out.print(f"Look alike {left} / {right}")
    ceilings = {name: value for name, value in view["ceilings"].items() if value is not None}
    shown = {name: value if isinstance(value, str) else f"{value:,}" for name, value in ceilings.items()}
    out.print("Ceilings   " + " · ".join(f"{name} {value}" for name, value in shown.items()))
    # That a block of documents is empty because they were left out, the table says, and why.
    emptied = {row["contribution_id"] for row in view["documents"] if row["code"] is not None}
    for item in view["diagnostics"]:
        if item["code"] == "blank" and item["contribution_id"] in emptied:
            continue
        out.print(f"Compiler   {item['contribution_id']}: {item['message']} ({item['code']})")
    for name, digest in view["digests"].items():
        out.print(f"Digest     {name:<5} {digest[:_DIGEST_DIGITS]}")


def _table_row(row: View, out: Console) -> list[Any]:
    admitted = "code" not in row
    outcome = styled("admitted", "green") if admitted else styled(row["code"], "yellow")
    tag = row["citation"].removeprefix(row["label"]).lstrip(" ·") if admitted else ""
    why = f"cited with tag {tag}" if admitted else _why(row)
    return [row["rank"], as_score(row["score"]), score_bar(row["score"], out), row["label"], outcome, why]


def _why(row: View) -> str:
    """Why a row was left out. Its score, which has a column, is not told again with all its digits."""
    below = row["code"] == "below-floor" and row["ceiling"] is not None
    return f"its score is below the floor {row['ceiling']:g}" if below else str(row["reason"])
