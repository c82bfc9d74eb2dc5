"""``eval``: how well questions find what was judged to answer them, and what the ceilings cost.

Rules of this module: read, have it measured, show. Progress goes to standard error where that is a terminal; what was
passed over is told on standard error and fails the command only with ``--strict``.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from typer import BadParameter

from symfonic.composition.knowledge import (
    ENVIRONMENT_PREFIX,
    NO_EMBEDDER,
    Evaluation,
    evaluate_collection,
    paired_differences,
    read_judgements,
    read_per_query,
    read_queries,
    write_chart,
    write_per_query,
)
from symfonic.composition.knowledge import evaluate as evaluate_store
from symfonic.frontends.knowledge._evaluation_view import evaluation_view
from symfonic.frontends.knowledge._views import View, counted

from . import _options as options
from ._output import Column, console, print_table, say, width_of, write_json
from ._outputs import check_outputs
from ._progress import in_lines
from ._session import ceilings_of, changed, loaded, place, scope_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from symfonic.composition.knowledge import EvaluationProgress, InputFaults, Judgements

    _Questions = tuple[Judgements, tuple[str, ...]]
    """What is judged, and questions that nothing answers."""

_SHOWN_FAULTS: Final = 5


def evaluate(  # noqa: PLR0913 - one parameter for each option
    *,
    queries: str = options.QUERIES,
    qrels: str = options.QRELS,
    corpus: str | None = options.CORPUS,
    per_query: str | None = options.PER_QUERY,
    baseline: str | None = options.BASELINE,
    compare: str | None = options.COMPARE,
    chart: str | None = options.CHART,
    negatives: str | None = options.NEGATIVES,
    strict: bool = options.STRICT_LINES,
    limit: int | None = options.LIMIT,
    min_score: float | None = options.MIN_SCORE,
    max_fragment_chars: int | None = options.MAX_FRAGMENT_CHARS,
    max_total_chars: int | None = options.MAX_TOTAL_CHARS,
    max_chunk_chars: int | None = options.MAX_CHUNK_CHARS,
    embedder: str | None = options.EMBEDDER,
    store: str | None = options.CORPUS_STORE,
    scope: list[str] | None = options.SCOPE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> int:
    """Measure retrieval on judged questions, and what the ceilings of a prompt cost of it."""
    changes: dict[str, Any] = ceilings_of(
        limit=limit, min_score=min_score, max_fragment_chars=max_fragment_chars, max_total_chars=max_total_chars
    )
    changes["max_chunk_chars"] = max_chunk_chars
    _refuse_two_baselines(baseline, compare)
    named = {"--queries": queries, "--qrels": qrels, "--corpus": corpus, "--negatives": negatives}
    kept = _kept(store, settings, passing=corpus is not None)
    check_outputs({**named, "--baseline": baseline, **kept}, per_query=per_query, chart=chart)
    before: Mapping[str, Mapping[str, float]] | None = None if baseline is None else read_per_query(baseline)
    judgements = read_judgements(queries, qrels)
    passed_over: list[InputFaults] = []
    unanswered = {} if negatives is None else read_queries(negatives, passed_over)
    asked = (judgements, tuple(unanswered.values()))

    def run(embedder: str | None) -> Evaluation:
        chosen = {**changes, "embedder": embedder}
        if corpus is None:
            return _of_store(asked, (store, settings), scope, chosen)
        return _of_corpus(corpus, asked, (store, settings), scope, chosen)

    # What embeds comes first: with it a kept corpus is brought up to date, which words alone may be unable to do.
    found = run(embedder) if compare == NO_EMBEDDER else None
    compared = None if compare is None else _compared(run, compare)
    before = before if compared is None else compared.per_query
    found = found or run(embedder)
    found = replace(found, faults=sum(passed_over, found.faults))
    differences = None if before is None else paired_differences(before, found.per_query)
    view = evaluation_view(found, differences, compared, before or ())
    if per_query is not None:
        write_per_query(per_query, found.per_query)
    if chart is not None:
        other = f"the run in {Path(baseline).name}" if baseline is not None else _way(view.get("compared", view))
        write_chart(chart, found, differences=differences, compared=other)
    if as_json:
        write_json(view)
    else:
        _print(view)
        _tell_faults(view)
    _tell_notes(view)
    return 1 if strict and found.faults.total else 0


def _compared(run: Callable[[str | None], Evaluation], compare: str) -> Evaluation:
    """What the other embedder finds; a word that names none is told with the option it came from.

    Raises:
        BadParameter: It is one.
    """
    try:
        return run(compare)
    except BadParameter as error:
        if error.param_hint == "--embedder":
            error.param_hint = "--compare"
        raise


def _refuse_two_baselines(baseline: str | None, compare: str | None) -> None:
    if baseline is not None and compare is not None:
        raise BadParameter(
            "differences are those to one other run; two were named and nothing was measured; leave out one of "
            "--baseline and --compare",
            param_hint="--compare",
        )


def _kept(store: str | None, settings: str | None, *, passing: bool) -> dict[str, str | Path | None]:
    """The settings file, and the store with what belongs to it; a corpus without ``store`` has none."""
    read: dict[str, str | Path | None] = {"--settings": settings or os.environ.get(f"{ENVIRONMENT_PREFIX}SETTINGS")}
    if store is not None or not passing:
        chosen = place(store, settings)
        read["--store (key)"] = chosen.key_file
        if isinstance(chosen.path, Path):
            real = os.path.realpath(chosen.path)
            beside = {f"--store ({end[1:]})": f"{real}{end}" for end in ("-wal", "-shm", "-journal")}
            read |= {"--store": chosen.path, **beside}
    return read


def _of_store(
    asked: _Questions, where: tuple[str | None, str | None], scope: list[str] | None, changes: dict[str, Any]
) -> Evaluation:
    whose = scope_of(scope)
    if changes.pop("max_chunk_chars") is not None:
        raise BadParameter(
            "passages are made when a corpus is stored; those of a store are made already and nothing was measured; "
            "leave it out, or name a --corpus",
            param_hint="--max-chunk-chars",
        )
    with place(*where, **changes).open() as knowledge, _progress() as on_progress:
        return evaluate_store(knowledge, asked[0], negatives=asked[1], scope=whose, on_progress=on_progress)


def _of_corpus(
    corpus: str,
    asked: _Questions,
    where: tuple[str | None, str | None],
    scope: list[str] | None,
    changes: dict[str, Any],
) -> Evaluation:
    store, settings = where
    if scope:
        raise BadParameter(
            "a corpus is asked for everybody; a scope would find nothing in it and nothing was measured; leave it out, "
            "or ingest the documents under that scope and leave out --corpus",
            param_hint="--scope",
        )
    chosen = changed(loaded(settings), **changes)
    with _progress() as on_progress:
        return evaluate_collection(
            corpus,
            asked[0],
            negatives=asked[1],
            store=store,
            settings=chosen,
            environ=os.environ,
            on_progress=on_progress,
        )


# --------------------------------------------------------------------------------------------------------- printing


def _print(view: View) -> None:
    out = console()
    asked = "1 query" if view["queries"] == 1 else f"{view['queries']:,} queries"
    stored = f"{counted(view['documents'], 'document')} with {counted(view['passages'], 'passage')}"
    how = _way(view)
    if "compared" in view:
        how = f"{how}, compared with {_way(view['compared'])}"
    out.print(f"{asked} over {stored}; {how}; intervals of 95 % by {view['resamples']:,} resamples", soft_wrap=True)
    rows = [[name, name, f"{value:.4f}", _span(view["intervals"][name])] for name, value in view["metrics"].items()]
    _print_estimates("Ranking", rows, view.get("differences"))
    boundary = view["boundary"]
    limit = boundary["limit"]
    named = {f"store, first {limit}": "raw_recall@limit", "prompt": "recall@admitted"}
    rows = [[name, title, f"{boundary[name]:.4f}", _span(boundary["intervals"][name])] for title, name in named.items()]
    rows += [
        ["", f"prompt without {name}", f"{found['recall@admitted']:.4f}", _span(found["interval"])]
        for name, found in boundary["lifted"].items()
        if found["recall@admitted"] != boundary["recall@admitted"]
    ]
    _print_estimates("Recall", rows, view.get("differences"))
    _print_shares("Lost of the first rows", boundary["lost"])
    if boundary["gained"]:
        out.print(f"Gained from below them: {_percent(boundary['gained'])}")
    _print_shares("All relevant documents", boundary["relevant"])
    if view["not_stored"]:
        missed = "is not stored and counts" if view["not_stored"] == 1 else "are not stored and count"
        out.print(f"{counted(view['not_stored'], 'relevant document')} {missed} as missed", soft_wrap=True)
    _print_floors(view)
    times = view["timings"]
    to_rank = f"{times['search_p50']:.4f} to rank {view['depth']} documents"
    out.print(f"Seconds for a query (p50): {to_rank}, {times['prompt_p50']:.4f} for a prompt", soft_wrap=True)


def _way(view: View) -> str:
    if view["embedder"] is None:
        return "words alone"
    part = "" if view["embedded"] == 1.0 else f" (vectors of {_percent(view['embedded'])} of the store's passages)"
    return f"words and {view['embedder']}{part}"


def _print_estimates(title: str, rows: list[list[str]], differences: View | None) -> None:
    """A table of rows that begin with the measure's name in the view, which is not shown."""
    columns = [Column(title), Column("Mean", "right", wraps=False), Column("Interval", wraps=False)]
    if differences is not None:
        columns += [Column("Change", "right", wraps=False), Column("Interval of the change", wraps=False)]
        rows = [[*row, *_change(row[0], differences)] for row in rows]
    print_table(console(), columns, [row[1:] for row in rows])


def _change(name: str, differences: View) -> list[str]:
    if name not in differences["values"]:
        return ["-", "-"]
    return [f"{differences['values'][name]:+.4f}", _span(differences["intervals"][name])]


def _print_shares(title: str, shares: View) -> None:
    told = ", ".join(f"{code} {_percent(share)}" for code, share in shares.items())
    console().print(f"{title}: {told or 'nothing'}", soft_wrap=True)


def _print_floors(view: View) -> None:
    if view["floors"]:
        columns = [Column("Floor"), Column("Judged kept", "right"), Column("Negatives refused", "right")]
        rows = [[f"{one['floor']:.2f}", _percent(one["kept"]), _percent(one["refused"])] for one in view["floors"]]
        print_table(console(), columns, rows)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _span(interval: list[float] | None) -> str:
    return "-" if interval is None else f"[{interval[0]:.4f}, {interval[1]:.4f}]"


def _tell_faults(view: View) -> None:
    faults = view["faults"]
    if not faults["total"]:
        return
    kinds = ", ".join(f"{count['count']:,} {count['code']} in {count['file']}" for count in faults["counts"])
    say(f"Passed over: {kinds}")
    for fault in faults["examples"][:_SHOWN_FAULTS]:
        where = f"{fault['file']} line {fault['line']}" if fault["line"] else fault["file"]
        say(f"  {where}: {fault['message']} ({fault['code']})")


def _tell_notes(view: View) -> None:
    _tell_vectors(view)
    _tell_unmatched(view)


def _tell_vectors(view: View) -> None:
    """Say where meaning was measured over a part, and where two runs went the same way."""
    runs = [view, view["compared"]] if "compared" in view else [view]
    if any(run["embedded"] not in {None, 1.0} for run in runs):
        say(
            "Note: some passages of this store have no vector and are found by their words alone; `symfonic-knowledge "
            "embed` completes them."
        )
    if len({run["embedder"] for run in runs}) < len(runs):
        say(
            f"Note: both runs went by {_way(view)}, so there was nothing to compare; name another embedder with "
            "--embedder or --compare; a store without vectors gets them from `symfonic-knowledge embed` first."
        )


def _tell_unmatched(view: View) -> None:
    differences = view.get("differences", {"only_here": 0, "only_baseline": 0})
    here, there = differences["only_here"], differences["only_baseline"]
    if here or there:
        say(
            f"Note: differences are over queries of both runs, {differences['queries']:,}; {here:,} of this run alone "
            f"and {there:,} of the baseline alone were not compared."
        )


@contextmanager
def _progress() -> Iterator[Callable[[EvaluationProgress], None]]:
    """Something to tell progress to: a bar on a terminal, a line every half minute elsewhere."""
    if not sys.stderr.isatty():
        yield in_lines(_line_of)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True, width=width_of(sys.stderr)), transient=True) as bar:
        task = bar.add_task("", total=None)

        def advance(progress: EvaluationProgress) -> None:
            bar.update(task, total=progress.total, completed=progress.done, description=progress.stage)

        yield advance


def _line_of(progress: EvaluationProgress) -> str:
    of = "" if progress.total is None else f" of {progress.total:,}"
    return f"{progress.stage}: {progress.done:,}{of}"
