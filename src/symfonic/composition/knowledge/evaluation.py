"""How well questions find what was judged to answer them, and what the boundary's ceilings cost of it.

Rules of this module: it asks a knowledge base what anybody could ask it, and has what came back measured; measures and
intervals are libraries' work. Equal inputs give equal values, whatever the order of lines in files; only
:class:`EvaluationTimes` differs from run to run.
"""

from __future__ import annotations

import contextlib
import statistics
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from symfonic.capabilities.knowledge import shows_blank

from ._callbacks import Stopwatch, require_told
from ._corpus_filling import Filling, embed_corpus
from ._guarded import require_embedder
from ._line_files import require_path
from ._provider_keys import require_environ
from ._ranked import NOT_STORED, Outcome, Units, outcome_of, shares, units_of
from .comparisons import RESAMPLES, Estimate, Means
from .errors import InputError, SettingsError
from .explanation import Ceilings, require_kind
from .floors import FloorShares, floor_shares
from .judgements import InputFaults, Judgements, unknown_documents
from .knowledge_base import KnowledgeBase, scope_path_of
from .settings import settings_of

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from symfonic.adapters.knowledge.ports import Embedder
    from symfonic.capabilities.knowledge import RetrievedFragment

    from .knowledge_base import Scope
    from .settings import Settings

__all__ = [
    "EVALUATION_DEPTH",
    "MEASURES",
    "BoundaryCost",
    "Evaluation",
    "EvaluationProgress",
    "EvaluationTimes",
    "evaluate",
    "evaluate_collection",
]

MEASURES: Final = ("ndcg@5", "ndcg@10", "recall@5", "recall@10", "recall@100", "mrr@10")
"""What is measured of every ranking."""

EVALUATION_DEPTH: Final = 100
"""Deepest place that a measure looks at."""

_FIRST_ROWS: Final = 1_000

_KINDS: Final = ("ndcg", "recall", "mrr")


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundaryCost:
    """What lies between the first rows of the store and the rows of a prompt. Rows are those of one read each.

    ``raw["recall"].value - sum(lost.values()) + gained == admitted["recall"].value``, and ``relevant`` sums to 1.

    Attributes:
        ceilings: The ceilings in force.
        raw: ``ndcg``, ``recall`` and ``mrr`` of the store's first ``limit`` rows.
        admitted: The same of the rows that were admitted, which are at most ``limit``.
        cost: The first minus the second, paired by query.
        lost: Code of a reason to the share of relevant documents that stood among the first ``limit`` rows and was
            dropped for it, mean over queries.
        gained: Share of relevant documents that was admitted from below the first ``limit`` rows.
        relevant: How all relevant documents ended: ``admitted``, the code of the reason their best row was dropped for,
            or ``not-retrieved`` or ``not-stored``, which no ceiling of a prompt can mend.
        lifted: Ceiling to the recall of the admitted rows if it alone were lifted, among the rows that were read.
    """

    ceilings: Ceilings
    raw: Mapping[str, Estimate]
    admitted: Mapping[str, Estimate]
    cost: Mapping[str, Estimate]
    lost: Mapping[str, float]
    gained: float
    relevant: Mapping[str, float]
    lifted: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationTimes:
    """Seconds, by a clock that knows nothing of what else the machine does.

    Attributes:
        search: Median of ranking for one query, as deep as the measures look.
        prompt: Median of compiling the prompt of one query, retrieval included.
        filling: For storing the corpus; 0 where a store was given.
    """

    search: float
    prompt: float
    filling: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What was measured.

    Attributes:
        metrics: Each of :data:`MEASURES` over the whole ranking, mean over queries.
        boundary: What the ceilings of a prompt cost.
        queries: Number of queries that count: those with a document judged relevant.
        unjudged: Number of queries without one, which were not asked.
        documents: Number of documents visible to them.
        passages: Number of their passages.
        judgements: Number of judgements used.
        not_stored: How many of them judge a document relevant that is not there. It counts as missed, as TREC's tools
            count it.
        faults: Lines that were passed over, and judgements of documents that are not there.
        negatives: Number of questions without an answer that were asked.
        floors: What floors would do to them and to judged queries; empty without them.
        per_query: Query id, in sorted order, to each measure, and to ``recall@admitted`` and ``raw_recall@limit``.
        resamples: How many resamples each interval comes from.
        seed: Seed of the resamples.
        scope_path: For whom was asked.
        embedder: Name of what found passages by their meaning; ``None`` where words alone were searched.
        embedded: Share of the store's passages, whoever may see them, that have a vector; ``None`` where words alone
            were searched. The others are found by their words alone.
        times: The only part that differs between runs.
    """

    metrics: Mapping[str, Estimate]
    boundary: BoundaryCost
    queries: int
    unjudged: int
    documents: int
    passages: int
    judgements: int
    not_stored: int
    negatives: int
    floors: tuple[FloorShares, ...]
    faults: InputFaults
    per_query: Mapping[str, Mapping[str, float]] = field(repr=False)
    resamples: int
    seed: int
    scope_path: str
    embedder: str | None
    embedded: float | None
    times: EvaluationTimes = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationProgress:
    """Where an evaluation stands.

    Attributes:
        stage: ``storing``, ``embedding``, ``asking`` or ``asking negatives``.
        total: How many documents, passages or queries there are; ``None`` while a corpus is read.
        done: How many of them are finished.
        elapsed: Seconds since the evaluation began.
    """

    stage: str
    total: int | None
    done: int
    elapsed: float


def evaluate(
    knowledge: KnowledgeBase,
    judgements: Judgements,
    *,
    scope: Scope = None,
    negatives: Iterable[str] = (),
    resamples: int = RESAMPLES,
    seed: int = 0,
    on_progress: Callable[[EvaluationProgress], None] | None = None,
    clock: Callable[[], float] | None = None,
) -> Evaluation:
    """Ask every judged query twice, for a ranking and for a prompt, and measure what came back.

    Args:
        knowledge: Is asked under its own settings; nothing of it is changed.
        judgements: Queries, and names of what answers them: a file with all its passages, or a label, each as it is
            stored or as it is shown. A name of both is taken for the file's. A document stands in the ranking where
            its best passage stands. One that is judged relevant and not stored counts as missed.
        scope: Who asks.
        negatives: Questions that nothing answers, to measure what floors keep out; they count in no measure.
        resamples: For each interval, from 100 to 1,000,000.
        seed: Of the resamples, from 0.
        on_progress: Is told about every query, in the calling thread.
        clock: Seconds; ``None`` is the machine's. What it took back counts as 0.

    Raises:
        MissingExtraError: ir-measures or SciPy is not installed.
        InputError: No document visible at ``scope`` is judged relevant, a negative is blank or no text, there is an
            embedder and no passage of the store has a vector, or ``knowledge``, ``judgements`` or ``negatives`` is
            something else.
        SettingsError: The knowledge base's limit is 0, ``resamples`` or ``seed`` is out of range, or ``on_progress`` or
            ``clock`` cannot be called.
        QuestionError, ScopeError, WiringError, StoreFailedError, EmbedderFailedError, CompileFailedError,
            CounterFailedError: As :meth:`KnowledgeBase.ask`.
    """
    require_kind("what is measured", "a KnowledgeBase", knowledge, KnowledgeBase)
    asked, means = _checked(judgements, negatives, knowledge.settings), Means(resamples, seed)
    watch = Stopwatch(clock)
    return _evaluate(knowledge, judgements, asked, means, scope=scope, told=_Telling(on_progress, watch), watch=watch)


def evaluate_collection(  # noqa: PLR0913 - what a deployment decides, and what an evaluation does
    corpus: str | os.PathLike[str],
    judgements: Judgements,
    *,
    store: str | os.PathLike[str] | None = None,
    settings: Settings | None = None,
    embedder: Embedder | None = None,
    environ: Mapping[str, str] | None = None,
    negatives: Iterable[str] = (),
    resamples: int = RESAMPLES,
    seed: int = 0,
    on_progress: Callable[[EvaluationProgress], None] | None = None,
    clock: Callable[[], float] | None = None,
) -> Evaluation:
    """Store the documents of a collection and evaluate.

    A document is one passage where it fits under the ceiling of passages; otherwise it is cut as ingestion would cut
    it. Its title is its heading, and its id its file.

    Args:
        corpus: As :func:`read_corpus` reads it.
        judgements: Their names of documents are ids of the corpus.
        store: Where the corpus is kept, so that another run stores only what changed; ``None`` keeps nothing. A store
            with anything in it that is not of a corpus is refused; what is no longer in this corpus is removed.
        settings: What the deployment decided; the defaults where ``None``. The embedder they name finds passages by
            their meaning as well; a passage that has its vector from an earlier run is not embedded again.
        embedder: In place of the one they name. Words alone asked of a store with vectors leave its vectors as they
            are; what changed in the corpus is then embedded by what filled it.
        environ: Where the key of an embedder is read, as in :meth:`KnowledgeBase.open`.
        negatives: As in :func:`evaluate`.
        resamples: As in :func:`evaluate`.
        seed: As in :func:`evaluate`.
        on_progress: Is told about every document and query.
        clock: As in :func:`evaluate`.

    Raises:
        InputError: The corpus cannot be used, the store holds something else, or as :func:`evaluate`.
        SettingsError: ``settings`` or ``environ`` is none, or as :func:`evaluate` and :meth:`KnowledgeBase.open`.
        WiringError: ``embedder`` is none, or as :meth:`KnowledgeBase.open`.
        MissingExtraError, StoreFailedError, EmbedderFailedError, KeyFileError, QuestionError, CompileFailedError,
            CounterFailedError: As :func:`evaluate` and :meth:`KnowledgeBase.open`.
    """
    chosen = settings_of(settings)
    asked, means = _checked(judgements, negatives, chosen), Means(resamples, seed)
    watch = Stopwatch(clock)
    told = _Telling(on_progress, watch)
    require_embedder(embedder)
    require_environ(environ)
    require_path(corpus)
    named = None if store is None else Path(require_path(store))
    with contextlib.ExitStack() as stack:
        place = named or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="symfonic-"))) / "corpus.db"
        started = watch.now()
        faults = Filling(place, chosen, embedder, environ).fill(corpus, told)
        opened = KnowledgeBase.open(place, settings=chosen, embedder=embedder, environ=environ)
        knowledge = stack.enter_context(opened)
        embed_corpus(knowledge, told)
        filling = watch.since(started)
        found = _evaluate(knowledge, judgements, asked, means, scope=None, told=told, watch=watch)
    return replace(found, faults=faults + found.faults, times=replace(found.times, filling=filling))


def _checked(judgements: object, negatives: object, settings: Settings) -> tuple[str, ...]:
    """The negatives, where everything can be measured with."""
    require_kind("what is measured with", "a Judgements", judgements, Judgements)
    if not settings.limit:
        raise SettingsError(
            "an evaluation compares what is admitted with what was found; under a limit of 0 nothing is and nothing "
            "was measured; set a limit of at least 1"
        )
    return _questions(negatives)


def _questions(negatives: object) -> tuple[str, ...]:
    """Questions that nothing answers, each one that can be asked; a single text would be taken for its letters."""
    listed = isinstance(negatives, Iterable) and not isinstance(negatives, str | bytes)
    given = tuple(cast("Iterable[object]", negatives)) if listed else ()
    asked = tuple(question for question in given if isinstance(question, str) and not shows_blank(question))
    if len(asked) < len(given) or not listed:
        raise InputError(
            "negatives are a list of questions, each a text that shows something; something else was given and nothing "
            "was measured; pass a list, without blank ones"
        )
    return asked


# --------------------------------------------------------------------------------------------------------- measuring


@dataclass(slots=True)
class _Asked:
    """What came back of all queries, in their order."""

    grades: list[Mapping[str, int]] = field(default_factory=list)
    rankings: list[tuple[str, ...]] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    best: list[float | None] = field(default_factory=list)
    searching: list[float] = field(default_factory=list)
    prompting: list[float] = field(default_factory=list)
    ceilings: Ceilings | None = None


def _evaluate(
    knowledge: KnowledgeBase,
    judgements: Judgements,
    negatives: Sequence[str],
    means: Means,
    *,
    scope: Scope,
    told: _Telling,
    watch: Stopwatch,
) -> Evaluation:
    embedder, embedded = _meaning(knowledge)
    scope_path = scope_path_of(scope)
    names = {name for query in judgements.judged for name in judgements.grades[query]}
    units = units_of(names, scope_path, knowledge.documents(), knowledge.export())
    faults = _unknown(judgements, units)
    asked = _ask_all(knowledge, judgements, units, scope, told, watch)
    values = means.measures.values(MEASURES, asked.grades, asked.rankings)
    boundary, recalls = _boundary(asked, means)
    per_query = {
        query: {name: found[place] for name, found in {**values, **recalls}.items()}
        for place, query in enumerate(judgements.judged)
    }
    return Evaluation(
        metrics={name: means.of(found) for name, found in values.items()},
        boundary=boundary,
        queries=len(judgements.judged),
        unjudged=len(judgements.queries) - len(judgements.judged),
        documents=units.documents,
        passages=units.passages,
        judgements=sum(len(judgements.grades[query]) for query in judgements.judged),
        not_stored=sum(code == NOT_STORED for outcome in asked.outcomes for code in outcome.ended.values()),
        negatives=len(negatives),
        floors=floor_shares(asked.best, _highest(knowledge, negatives, scope, told)),
        faults=judgements.faults + faults,
        per_query=per_query,
        resamples=means.resamples,
        seed=means.seed,
        scope_path=scope_path,
        embedder=embedder,
        embedded=embedded,
        times=EvaluationTimes(search=statistics.median(asked.searching), prompt=statistics.median(asked.prompting)),
    )


def _meaning(knowledge: KnowledgeBase) -> tuple[str | None, float | None]:
    """What finds passages by their meaning, and the share of them that has a vector.

    Raises:
        InputError: None has one: words would be measured, and called something else.
    """
    if knowledge.embedder is None:
        return None, None
    stats = knowledge.stats()
    if stats.chunks and not stats.vectors:
        raise InputError(
            "an embedder finds passages by their vectors; no passage of this store has one, so words alone would be "
            "measured under its name, and nothing was measured; fill the store first with `symfonic-knowledge embed "
            "--store … --embedder …` or KnowledgeBase.embed(), or measure words with --embedder none"
        )
    return knowledge.embedder.name, stats.vectors / stats.chunks if stats.chunks else 1.0


def _unknown(judgements: Judgements, units: Units) -> InputFaults:
    """Judgements of what is not stored.

    Raises:
        InputError: Nothing that is stored is judged relevant.
    """
    if not any(
        grade > 0 and name in units.by_name
        for query in judgements.judged
        for name, grade in judgements.grades[query].items()
    ):
        raise InputError(
            "an evaluation looks for documents that are stored; not one that is judged relevant is among the "
            f"{units.documents:,} that can be seen, and nothing was measured; the judgements name other documents: "
            "check that all files, the store and the scope belong together"
        )
    return unknown_documents(
        (query, name)
        for query in judgements.judged
        for name in sorted(judgements.grades[query])
        if name not in units.by_name
    )


def _graded(judged: Mapping[str, int], units: Units) -> dict[str, int]:
    """Unit to grade; of two names of one unit the higher grade counts."""
    found: dict[str, int] = {}
    for name, grade in judged.items():
        unit = units.unit(name)
        found[unit] = max(grade, found.get(unit, 0))
    return found


def _ask_all(
    knowledge: KnowledgeBase,
    judgements: Judgements,
    units: Units,
    scope: Scope,
    told: _Telling,
    watch: Stopwatch,
) -> _Asked:
    asked = _Asked()
    for done, query in enumerate(judgements.judged):
        told("asking", len(judgements.judged), done)
        grades = _graded(judgements.grades[query], units)
        _ask(knowledge, judgements.queries[query], grades, units, asked, scope, watch)
    told("asking", len(judgements.judged), len(judgements.judged))
    return asked


def _ask(
    knowledge: KnowledgeBase,
    question: str,
    grades: Mapping[str, int],
    units: Units,
    asked: _Asked,
    scope: Scope,
    watch: Stopwatch,
) -> None:
    started = watch.now()
    relevant = [unit for unit, grade in grades.items() if grade > 0]
    rows, ranking = _ranking(knowledge, question, units, relevant, scope)
    asked.searching.append(watch.since(started))
    started = watch.now()
    answer = knowledge.ask(question, scope=scope)
    asked.prompting.append(watch.since(started))
    asked.best.append(max((row.score for row in rows if grades.get(units.of(row), 0) > 0), default=None))
    asked.grades.append(grades)
    asked.rankings.append(ranking)
    asked.outcomes.append(outcome_of(answer.explain(), relevant, units, knowledge.settings.retrieval_policy()))
    asked.ceilings = answer.ceilings


def _highest(knowledge: KnowledgeBase, questions: Sequence[str], scope: Scope, told: _Telling) -> list[float | None]:
    """The score of each question's best row; ``None`` where it found nothing."""
    floor = min(0.0, knowledge.settings.min_score)
    found: list[float | None] = []
    for question in questions:
        told("asking negatives", len(questions), len(found))
        rows = knowledge.search(question, scope=scope, limit=1, min_score=floor)
        found.append(rows[0].score if rows else None)
    return found


def _ranking(
    knowledge: KnowledgeBase, question: str, units: Units, relevant: Iterable[str], scope: Scope
) -> tuple[Sequence[RetrievedFragment], tuple[str, ...]]:
    """The first units, from as many rows as it takes to find them or all that is relevant, and these rows.

    What comes behind the last relevant unit changes no measure, and reading all of a store for it is slow. A ranking
    with fewer rows than it may have has not ended for that: copies may have been left out of it.
    """
    # A quarter more than so many documents have passages on average: asking again costs more.
    average = -(-EVALUATION_DEPTH * 5 * units.passages // (4 * units.documents))
    limit = max(EVALUATION_DEPTH, min(average, _FIRST_ROWS))
    wanted = {unit for unit in relevant if units.holds(unit)}
    floor = min(0.0, knowledge.settings.min_score)
    while True:
        ranking = knowledge._ranking(question, scope=scope, limit=limit, min_score=floor)  # noqa: SLF001 - as its search
        found = units.ranking(ranking.rows)
        ended = ranking.ended or limit > units.passages
        if len(found) >= EVALUATION_DEPTH or ended or wanted <= set(found):
            return ranking.rows, found[:EVALUATION_DEPTH]
        limit *= 4


def _boundary(asked: _Asked, means: Means) -> tuple[BoundaryCost, dict[str, Sequence[float]]]:
    """The cost, and the two recalls of each query."""
    assert asked.ceilings is not None
    names = {f"{kind}@{asked.ceilings.limit}": kind for kind in _KINDS}
    raw, admitted = (
        {names[name]: found for name, found in means.measures.values(tuple(names), asked.grades, rankings).items()}
        for rankings in ([outcome.raw for outcome in asked.outcomes], [outcome.admitted for outcome in asked.outcomes])
    )
    cost = {kind: [before - after for before, after in zip(raw[kind], admitted[kind], strict=True)] for kind in _KINDS}
    counts = [len(outcome.ended) for outcome in asked.outcomes]
    gained = [outcome.gained() / count for outcome, count in zip(asked.outcomes, counts, strict=True)]
    found = BoundaryCost(
        ceilings=asked.ceilings,
        raw={kind: means.of(values) for kind, values in raw.items()},
        admitted={kind: means.of(values) for kind, values in admitted.items()},
        cost={kind: means.of(values) for kind, values in cost.items()},
        lost=shares([outcome.lost() for outcome in asked.outcomes], counts),
        gained=statistics.fmean(gained),
        relevant=shares([outcome.ended for outcome in asked.outcomes], counts),
        lifted={name: means.of(_lifted(asked, name, means)) for name in asked.outcomes[0].lifted},
    )
    return found, {"recall@admitted": admitted["recall"], "raw_recall@limit": raw["recall"]}


def _lifted(asked: _Asked, ceiling: str, means: Means) -> tuple[float, ...]:
    rankings = [outcome.lifted[ceiling] for outcome in asked.outcomes]
    name = f"recall@{max(1, *map(len, rankings), 1)}"
    return means.measures.values((name,), asked.grades, rankings)[name]


class _Telling:
    """Tells whoever wants to know where an evaluation stands."""

    def __init__(self, on_progress: Callable[[EvaluationProgress], None] | None, watch: Stopwatch) -> None:
        require_told(on_progress)
        self._on_progress = on_progress
        self._watch = watch
        self._began = watch.now()

    def __call__(self, stage: str, total: int | None, done: int) -> None:
        if self._on_progress is not None:
            elapsed = self._watch.since(self._began)
            self._on_progress(EvaluationProgress(stage=stage, total=total, done=done, elapsed=elapsed))
