"""``answer`` and ``verify``: what a model says to a question, and what an answer rests on.

Rules of this module: the answer alone goes to standard output, as it arrives; the report of an ``answer`` stands on
standard error, so that a pipe gets nothing else. Whatever ends an answer early, what was shown is reported.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from typer import BadParameter

from symfonic.composition.knowledge import (
    LOCAL_MODEL,
    ModelFailedError,
    NothingAdmittedError,
    read_instructions,
    read_ledger,
    verify_answer,
    write_ledger,
)
from symfonic.frontends.knowledge._views import (
    View,
    answer_view,
    as_counts,
    counted,
    error_view,
    failure_view,
    verification_view,
)

from . import _options as options
from ._enclosing import enclosing, is_anything_left_out, tell_left_out
from ._nothing import why_not_admitted
from ._output import Column, console, end_line, on_errors, print_table, say, styled, write_json, write_piece
from ._reporting import FAILED, INVENTED_SOURCE, NOTHING_ADMITTED, TOLD_INTERRUPTED
from ._session import ceilings_of, loaded, model_of, place, policy_of, question_of, scope_of, text_of
from ._start import INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from symfonic.composition.knowledge import Answering

_SOURCE_COLUMNS: Final = (
    Column("Source"),
    Column("Verdict", wraps=False),
    Column("References", "right", wraps=False),
    Column("Note"),
)
_QUOTE_COLUMNS: Final = (Column("Quotation"), Column("Verdict", wraps=False), Column("Source"))
_STOPPED: Final = "the answer was stopped from the keyboard and is incomplete; what had come is reported; ask again"
_QUOTE_STYLES: Final = {"verbatim": "green", "elsewhere": "yellow", "nowhere": "red"}


def answer(  # noqa: PLR0913 - one parameter for each option
    question: str = options.QUESTION,
    *,
    model: str | None = options.MODEL,
    base_url: str | None = options.BASE_URL,
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
    """Have a model answer a question, check its references while the answer arrives, and report on them."""
    if model == LOCAL_MODEL and base_url is not None:
        raise BadParameter(
            f"the model {LOCAL_MODEL} runs in this process; an address would have no effect and nothing was asked; "
            "leave one of the two out",
            param_hint="--base-url",
        )
    asked, whose = question_of(question), scope_of(scope)
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
    told = None if instructions is None else read_instructions(instructions)
    chosen = place(store, settings, embedder=embedder, instructions=told, model=model, base_url=base_url, **sizes)
    brought = enclosing(attach, document, documents, chosen.settings)
    answers = model_of(chosen.settings)
    policy = policy_of(chosen.settings, ceilings)
    with chosen.open(documents=brought.store) as knowledge:
        try:
            answering = knowledge.answer(asked, model=answers, scope=whose, policy=policy, **brought.asked)
        except NothingAdmittedError as error:
            view = answer_view(error.answerable)
            if as_json:
                write_json(view)
            else:
                say(why_not_admitted(knowledge, whose, error.answerable))
                tell_left_out(view)
            return NOTHING_ADMITTED
    # The store is closed by now: a model may take its time, and an answer reads nothing more.
    if save_ledger is not None:
        write_ledger(save_ledger, answering.ledger)
    with answering:
        code = _told_as_json(answering) if as_json else _shown(answering)
    return code or (FAILED if strict and is_anything_left_out(answering.answerable) else 0)


def verify(
    source: str = options.ANSWER_FILE,
    *,
    ledger: str = options.LEDGER,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> int:
    """Check what an answer rests on against the ledger of its prompt; exit 4 when it names an invented source."""
    entries = read_ledger(ledger)
    datamark = loaded(settings).datamark
    view = verification_view(entries, verify_answer(text_of(source, "verify"), entries, datamark=datamark))
    if as_json:
        write_json(view)
    else:
        _print_report(console(), view)
    return INVENTED_SOURCE if view["report"]["unknown"] or view["marked"] else 0


# ---------------------------------------------------------------------------------------------------------- answering


def _shown(answering: Answering) -> int:
    """Show an answer piece by piece, then its report; whatever ends it early is told after both."""
    failure: ModelFailedError | None = None
    interrupted, shown = False, 0
    try:
        for piece in answering:
            shown += len(piece)  # before: where an interrupt falls into the writing, nothing must come twice
            write_piece(piece)
    except ModelFailedError as error:
        failure = error
    except KeyboardInterrupt:
        interrupted = True
        _stop(answering)
        write_piece(answering.text[shown:])
    view = answer_view(answering.answerable, answering.answer())
    ended = failure is None and not interrupted
    if view["answer"]:
        end_line()
    if view["answer"] or ended:
        with on_errors() as out:
            _print_report(out, view)
    tell_left_out(view)
    if failure is not None:
        raise failure
    if ended and not view["answer"].strip():
        say("Note: the model said nothing, or nothing but layer tags.")
    if not interrupted and view["finish"] != "stop":
        say(_why_unfinished(view["finish"]))
    return INTERRUPTED if interrupted else 0


def _told_as_json(answering: Answering) -> int:
    """Read an answer to its end, then tell all of it in one document."""
    code, trouble = 0, {}
    try:
        for _ in answering:
            pass
    except ModelFailedError as error:
        code, trouble = FAILED, error_view(error)
        trouble["error"] |= {"reason": error.reason, "status": error.status}
    except KeyboardInterrupt:
        code, trouble = TOLD_INTERRUPTED, failure_view("interrupted", _STOPPED)
        _stop(answering)
    write_json({**trouble, **answer_view(answering.answerable, answering.answer())})
    return code


def _stop(answering: Answering) -> None:
    """Stop it; a model that objects to being let go changes nothing about what was shown, nor about who ended it."""
    with suppress(ModelFailedError):
        answering.stop()


def _why_unfinished(finish: str) -> str:
    if finish == "length":
        return "Note: the answer was cut off at the largest number of tokens; raise max_answer_tokens in the settings."
    if finish == "filtered":
        return "Note: the model's side withheld the rest of the answer."
    return "Note: the model ended the answer for a reason of its own."


# ----------------------------------------------------------------------------------------------------------- printing


def _print_report(out: Console, view: View) -> None:
    report = view["report"]
    rows = list(_source_rows(report))
    if rows:
        print_table(out, _SOURCE_COLUMNS, rows)
    if report["quotes"]:
        print_table(out, _QUOTE_COLUMNS, [_quote_row(quote) for quote in report["quotes"]])
    out.print(_summary(view), soft_wrap=True)
    if left_out := _left_out(report):
        out.print(f"Left out   {left_out}", soft_wrap=True)


def _source_rows(report: View) -> Iterator[list[Any]]:
    for row in report["unknown"]:
        yield [row["name"], styled("invented", "red"), _count(row), "the prompt never showed it"]
    for row in report["ambiguous"]:
        note = f"may mean {counted(len(row['labels']), 'passage')}"
        yield [row["name"], styled("ambiguous", "yellow"), _count(row), note]
    for row in report["cited"]:
        yield [row["label"], styled("cited", "green"), _count(row), ""]
    for label in report["uncited"]:
        yield [label, styled("unused", "dim"), 0, ""]


def _count(row: View) -> int:
    places: list[int] = row["offsets"]
    omitted: int = row["omitted"]
    return len(places) + omitted


def _quote_row(quote: View) -> list[Any]:
    style = _QUOTE_STYLES[quote["verdict"]]
    where = quote["label"]
    if quote["elsewhere"]:
        where += f"; stands in {', '.join(quote['elsewhere'])}"
    return [quote["text"], styled(quote["verdict"], style), where]


def _summary(view: View) -> str:
    report = view["report"]
    counts = {
        "cited": len(report["cited"]),
        "invented": len(report["unknown"]),
        "ambiguous": len(report["ambiguous"]),
        "unused": len(report["uncited"]),
    }
    told = f"Sources    {as_counts({name: count for name, count in counts.items() if count}) or 'none'}"
    if report["quotes"]:
        verdicts = [quote["verdict"] for quote in report["quotes"]]
        told += "; " + counted(len(verdicts), "quotation") + ": "
        told += as_counts({name: verdicts.count(name) for name in _QUOTE_STYLES if name in verdicts})
    if view.get("marked"):
        told += f"; {counted(view['marked'], 'mark')} of an invented source"
    return told


def _left_out(report: View) -> str:
    """What an answer had too much of to be told one by one."""
    told: list[str] = []
    if report["omitted_unknown"]:
        told.append(f"{counted(report['omitted_unknown'], 'reference')} to further invented sources")
    if report["omitted_quotes"]:
        told.append(f"{counted(report['omitted_quotes'], 'further quotation')}, not checked")
    if report["unread_chars"]:
        told.append(f"{counted(report['unread_chars'], 'character')} of long paragraphs, not searched for quotations")
    return "; ".join(told)
