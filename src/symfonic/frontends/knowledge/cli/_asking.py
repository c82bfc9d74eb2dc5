"""``search``, ``prompt`` and ``explain``: what a question finds, what a model gets, and why.

Rules of this module: ask once, print the view. Nothing is computed here that another face could not show.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from symfonic.composition.knowledge import read_instructions
from symfonic.frontends.knowledge._views import View, explanation_view, prompt_view, search_view

from . import _options as options
from ._output import as_score, console, print_table, say, score_bar, styled, write_exactly, write_json
from ._reporting import NOTHING_ADMITTED
from ._session import place, policy_of, readable, scope_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from symfonic.composition.knowledge import Answerable, KnowledgeBase

_PREVIEW_CHARS: Final = 200


def search(
    question: str = options.QUESTION,
    *,
    limit: int | None = options.LIMIT,
    min_score: float | None = options.MIN_SCORE,
    store: str | None = options.STORE,
    scope: list[str] | None = options.SCOPE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> int:
    """Show the passages that answer a question best, ranked."""
    whose = scope_of(scope)
    with place(store, settings).open() as knowledge:
        found = knowledge.search(readable(question), scope=whose, limit=limit, min_score=min_score)
        view = search_view(readable(question), str(whose or ""), found)
        if as_json:
            write_json(view)
        elif found:
            _print_results(view)
        else:
            say(_nothing(knowledge))
    return 0 if found else NOTHING_ADMITTED


def prompt(  # noqa: PLR0913 - one parameter for each option
    question: str = options.QUESTION,
    *,
    instructions: str | None = options.INSTRUCTIONS,
    limit: int | None = options.LIMIT,
    min_score: float | None = options.MIN_SCORE,
    max_fragment_chars: int | None = options.MAX_FRAGMENT_CHARS,
    max_total_chars: int | None = options.MAX_TOTAL_CHARS,
    store: str | None = options.STORE,
    scope: list[str] | None = options.SCOPE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> int:
    """Print the compiled prompt exactly as a model gets it. The question is the user's message and not part of it."""
    ceilings = _ceilings(limit, min_score, max_fragment_chars, max_total_chars)
    with _asked(question, instructions, ceilings, store=store, scope=scope, settings=settings) as (knowledge, answer):
        if as_json:
            write_json(prompt_view(answer))
        else:
            write_exactly(answer.prompt.text)
            if not answer.grounded:
                say(_nothing(knowledge, answer))
    return 0 if answer.grounded else NOTHING_ADMITTED


def explain(  # noqa: PLR0913 - one parameter for each option
    question: str = options.QUESTION,
    *,
    instructions: str | None = options.INSTRUCTIONS,
    limit: int | None = options.LIMIT,
    min_score: float | None = options.MIN_SCORE,
    max_fragment_chars: int | None = options.MAX_FRAGMENT_CHARS,
    max_total_chars: int | None = options.MAX_TOTAL_CHARS,
    store: str | None = options.STORE,
    scope: list[str] | None = options.SCOPE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> int:
    """Show every candidate passage with its one outcome, and the ceilings that decided."""
    ceilings = _ceilings(limit, min_score, max_fragment_chars, max_total_chars)
    with _asked(question, instructions, ceilings, store=store, scope=scope, settings=settings) as (knowledge, answer):
        view = explanation_view(answer.explain())
        if as_json:
            write_json(view)
        else:
            _print_explanation(view)
            if not answer.grounded:
                say(_nothing(knowledge, answer))
    return 0 if answer.grounded else NOTHING_ADMITTED


def _ceilings(
    limit: int | None, min_score: float | None, max_fragment_chars: int | None, max_total_chars: int | None
) -> dict[str, Any]:
    return {
        "limit": limit,
        "min_score": min_score,
        "max_fragment_chars": max_fragment_chars,
        "max_total_chars": max_total_chars,
    }


@contextmanager
def _asked(
    question: str,
    instructions: str | None,
    ceilings: dict[str, Any],
    *,
    store: str | None,
    scope: list[str] | None,
    settings: str | None,
) -> Iterator[tuple[KnowledgeBase, Answerable]]:
    """The open knowledge base, and the question compiled."""
    told = None if instructions is None else read_instructions(instructions)
    whose = scope_of(scope)
    chosen = place(store, settings, instructions=told)
    policy = policy_of(chosen.settings, **ceilings)
    with chosen.open() as knowledge:
        yield knowledge, knowledge.ask(readable(question), scope=whose, policy=policy)


# --------------------------------------------------------------------------------------------------------- printing


def _nothing(knowledge: KnowledgeBase, answer: Answerable | None = None) -> str:
    """Why nothing was admitted, and what to do."""
    stats = knowledge.stats()
    if not stats.documents:
        return "Nothing admitted: the store is empty. Fill it with `symfonic-knowledge ingest FOLDER`."
    if answer is not None and answer.selection.dropped:
        return "Nothing admitted: every candidate was left out. `symfonic-knowledge explain QUESTION` says why."
    return (
        f"Nothing admitted: none of what is visible here shares a word with the question. The store holds "
        f"{stats.documents:,} documents in {len(stats.scopes):,} scopes; --scope KIND:ID names one."
    )


def _print_results(view: View) -> None:
    out = console()
    for result in view["results"]:
        text = result["text"]
        preview = text if len(text) <= _PREVIEW_CHARS else f"{text[:_PREVIEW_CHARS].rstrip()}…"
        bar = score_bar(result["score"], out)
        out.print(styled(f"{result['rank']:>3}  {as_score(result['score'])} {bar}  {result['label']}", "bold"))
        out.print(styled(f"     {preview}", "dim"))


def _print_explanation(view: View) -> None:
    out = console()
    print_table(
        out,
        (("#", "right"), ("Score", "right"), "", "Label", "Outcome", "Why"),
        [_table_row(row, out) for row in _in_rank_order(view)],
    )
    counts = view["counts"]
    out.print(f"{counts['rows']} rows = {counts['admitted']} admitted + {counts['dropped']} dropped")
    for note in view["notes"]:
        out.print(f"Note       {note['reason']} ({note['code']})")
    for left, right in view["confusable"]:
        out.print(f"Look alike {left} / {right}")
    ceilings = {name: value for name, value in view["ceilings"].items() if value is not None}
    out.print("Ceilings   " + " · ".join(f"{name} {value:,}" for name, value in ceilings.items()))
    for item in view["diagnostics"]:
        out.print(f"Compiler   {item['contribution_id']}: {item['message']} ({item['code']})")
    for name, digest in view["digests"].items():
        out.print(f"Digest     {name:<5} {digest}")


def _in_rank_order(view: View) -> list[View]:
    """Ranked rows by rank, then the unusable ones, whose rank is 0."""
    return sorted([*view["admitted"], *view["dropped"]], key=lambda row: (row["rank"] == 0, row["rank"]))


def _table_row(row: View, out: Console) -> list[Any]:
    admitted = "code" not in row
    outcome = styled("admitted", "green") if admitted else styled(row["code"], "yellow")
    rank = str(row["rank"] or "-")
    tag = row["citation"].removeprefix(row["label"]).lstrip(" ·") if admitted else ""
    why = f"cited with tag {tag}" if admitted else row["reason"]
    return [rank, as_score(row["score"]), score_bar(row["score"], out), row["label"], outcome, why]
