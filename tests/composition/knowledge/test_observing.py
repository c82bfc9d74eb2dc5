"""What traces and measurements tell of questions and answers, received by a real SDK in memory."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sys
import threading
import warnings
from typing import TYPE_CHECKING, Any

import pytest
from openinference.semconv.trace import DocumentAttributes, SpanAttributes
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes
from opentelemetry.trace import SpanKind, StatusCode

from symfonic.adapters.knowledge.ports import Completion, FinishReason, ModelError, StoreError
from symfonic.adapters.knowledge.telemetry.opentelemetry import OpenTelemetry
from symfonic.capabilities.knowledge import ContextContribution, ContextRead, ContextRequest, RetrievalPolicy, ScopePath
from symfonic.composition.knowledge import (
    AsyncKnowledgeBase,
    KnowledgeBase,
    MissingExtraError,
    ModelFailedError,
    NothingAdmittedError,
    QuestionError,
    Settings,
    SettingsError,
    StoreFailedError,
    WiringError,
    ledger_of,
)
from symfonic.composition.knowledge._observing import MAX_CONTENT_CHARS, MAX_TOLD_DROPS, MAX_TOLD_ROWS
from symfonic.testing.knowledge import ScriptedChatModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from symfonic.adapters.knowledge.ports import Attributes, ChatMessage, Span

QUESTION = "How many days of leave has Grimaldi?"
SCOPE = str(ScopePath.of(("tenant", "acme-secret")))
PASSAGE = "Everybody has thirty days of leave, Grimaldi too."
FILE = "zephyr-payroll.md"

# The names as the conventions write them, not as the product does.
GENAI_OPERATION = "gen_ai.operation.name"
GENAI_SOURCE = "gen_ai.data_source.id"
GENAI_TOP_K = "gen_ai.retrieval.top_k"
GENAI_TOP_K_BEFORE = "gen_ai.request.top_k"
GENAI_QUERY = "gen_ai.retrieval.query.text"
GENAI_DOCUMENTS = "gen_ai.retrieval.documents"
GENAI_FINISH = "gen_ai.response.finish_reasons"
GENAI_FIRST = "gen_ai.response.time_to_first_chunk"
GENAI_DURATION = "gen_ai.retrieval.duration"
OPENINFERENCE_KIND = "openinference.span.kind"
OPENINFERENCE_DOCUMENT = "retrieval.documents.{}.document.{}"
LANGFUSE_TYPE = "langfuse.observation.type"
LANGFUSE_INPUT = "langfuse.observation.input"
LANGFUSE_OUTPUT = "langfuse.observation.output"
LANGFUSE_LEVEL = "langfuse.observation.level"
LANGFUSE_STATUS = "langfuse.observation.status_message"
OURS = "symfonic.knowledge."


class Received:
    """A program's own SDK, in memory."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()
        self.tracers = TracerProvider(shutdown_on_exit=False)
        self.tracers.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.reader = InMemoryMetricReader()
        self.meters = MeterProvider([self.reader], shutdown_on_exit=False)

    def telemetry(self, *, content: bool = False) -> OpenTelemetry:
        return OpenTelemetry(tracer_provider=self.tracers, meter_provider=self.meters, content=content)

    def spans(self) -> dict[str, ReadableSpan]:
        """By name; a name that stands twice is a failure."""
        spans = self.exporter.get_finished_spans()
        assert len({span.name for span in spans}) == len(spans)
        return {span.name: span for span in spans}

    def attributes(self, name: str) -> dict[str, Any]:
        return dict(self.spans()[name].attributes or {})

    def parent(self, name: str) -> int | None:
        parent = self.spans()[name].parent
        return None if parent is None else parent.span_id

    def number(self, name: str) -> int:
        context = self.spans()[name].context
        assert context is not None
        return int(context.span_id)

    def everything(self) -> str:
        """All that was exported, as text."""
        spans = "".join(span.to_json() for span in self.exporter.get_finished_spans())
        data = self.reader.get_metrics_data()
        return spans + ("" if data is None else data.to_json())

    def points(self, name: str) -> list[tuple[dict[str, Any], Any]]:
        """Attributes and value, or count, of each series of an instrument."""
        data = self.reader.get_metrics_data()
        metrics = [
            metric
            for resource in ([] if data is None else data.resource_metrics)
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if metric.name == name
        ]
        return [
            (dict(point.attributes or {}), getattr(point, "value", getattr(point, "count", None)))
            for metric in metrics
            for point in metric.data.data_points
        ]


@pytest.fixture
def received() -> Received:
    """What the SDK received."""
    return Received()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., KnowledgeBase]]:
    """Open the same store anew, with options."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / FILE).write_text(f"# Leave\n\n{PASSAGE}\n")
    (folder / "note.txt").write_text("Leave is asked for in writing, two weeks ahead of the days.\n")
    with KnowledgeBase.open(tmp_path / "k.db") as base:
        base.ingest(folder, scope=SCOPE)
    bases = []

    def open_(**options: Any) -> KnowledgeBase:
        bases.append(KnowledgeBase.open(tmp_path / "k.db", **options))
        return bases[-1]

    yield open_
    for base in bases:
        base.close()


class Handbook:
    """A contributor whose source is read beside the store, in a thread of its own."""

    scope_aware = False

    def contributions(self) -> Iterator[ContextContribution]:
        yield ContextContribution("handbook", self)

    def read(self, request: ContextRequest) -> ContextRead:
        assert threading.current_thread() is not threading.main_thread()
        return ContextRead("Be polite.", "1")


class CompletedModel:
    """Says these pieces and how it ended."""

    def __init__(self, *pieces: str, failure: Exception | None = None) -> None:
        self.pieces = pieces
        self.failure = failure

    def stream(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
        yield from self.pieces
        if self.failure is not None:
            raise self.failure
        return Completion(model="m-1", prompt_tokens=7, answer_tokens=3)  # type: ignore[return-value]  # a generator's


# -------------------------------------------------------------------------------------------------------- questions


@pytest.mark.requirement("OB-NAME-1")
def test_one_retrieval_span_has_the_attributes_of_three_conventions(
    received: Received, opened: Callable[..., KnowledgeBase]
) -> None:
    """One span a question, with every name as GenAI, OpenInference and Langfuse write it."""
    base = opened(telemetry=received.telemetry())
    answerable = base.ask(QUESTION, scope=SCOPE)
    rows = [row for row in answerable.explain().rows if row.admitted]
    told = received.attributes("retrieval")
    assert len(rows) == 2
    expected: dict[str, Any] = {
        GENAI_OPERATION: "retrieval",
        GENAI_SOURCE: base.key_fingerprint,
        GENAI_TOP_K: 5,
        GENAI_TOP_K_BEFORE: 5,
        OPENINFERENCE_KIND: "RETRIEVER",
        LANGFUSE_TYPE: "retriever",
        f"{OURS}rows.admitted": 2,
        f"{OURS}rows.dropped": 0,
        f"{OURS}scoped": True,
    }
    tags = [row.citation.rpartition("·")[2] for row in rows]
    for place, (tag, row) in enumerate(zip(tags, rows, strict=True)):
        expected[OPENINFERENCE_DOCUMENT.format(place, "id")] = tag
        expected[OPENINFERENCE_DOCUMENT.format(place, "score")] = row.score
    documents = json.loads(told.pop(GENAI_DOCUMENTS))
    assert documents == [{"id": tag, "score": row.score} for tag, row in zip(tags, rows, strict=True)]
    assert told == expected
    assert received.spans()["retrieval"].kind is SpanKind.INTERNAL


@pytest.mark.requirement("OB-ROW-1")
def test_every_dropped_row_is_an_event_up_to_a_bound(received: Received, opened: Callable[..., KnowledgeBase]) -> None:
    """Code, rank, actual and ceiling of each; beyond the bound only how many there are."""
    base = opened(telemetry=received.telemetry())
    dropped = base.ask(QUESTION, scope=SCOPE, policy=RetrievalPolicy(1, 0.0, 2000, 8000)).explain().dropped
    (event,) = received.spans()["retrieval"].events
    assert dropped[0].reason is not None
    assert event.name == f"{OURS}row_dropped"
    assert event.attributes == {f"{OURS}code": "over-limit", f"{OURS}rank": 2, f"{OURS}ceiling": 1}
    assert received.attributes("retrieval")[f"{OURS}rows.over-limit"] == 1
    assert received.points(f"{OURS}rows") == [
        ({f"{OURS}outcome": "admitted"}, 1),
        ({f"{OURS}outcome": "over-limit"}, 1),
    ]


@pytest.mark.requirement("OB-ROW-1")
def test_events_and_named_passages_are_bounded(received: Received, tmp_path: Path) -> None:
    """Of more rows than an SDK keeps, the rest is a number, and no attribute is lost."""
    (tmp_path / "many").mkdir()
    for number in range(60):
        (tmp_path / "many" / f"{number}.txt").write_text(f"Leave number {number} is granted.")
    with KnowledgeBase.open(
        tmp_path / "m.db", settings=Settings(limit=20, candidates=60), telemetry=received.telemetry()
    ) as base:
        base.ingest(tmp_path / "many")
        base.ask("leave")
    told = received.attributes("retrieval")
    assert (told[f"{OURS}rows.admitted"], told[f"{OURS}rows.dropped"]) == (20, 40)
    assert told[f"{OURS}rows.untold"] == 40 - MAX_TOLD_DROPS
    assert len(received.spans()["retrieval"].events) == MAX_TOLD_DROPS
    assert OPENINFERENCE_DOCUMENT.format(MAX_TOLD_ROWS - 1, "id") in told
    assert OPENINFERENCE_DOCUMENT.format(MAX_TOLD_ROWS, "id") not in told
    assert received.spans()["retrieval"].dropped_attributes == 0


@pytest.mark.requirement("OB-ROW-1")
def test_rows_that_were_not_looked_at_are_an_event_of_the_read(
    received: Received, opened: Callable[..., KnowledgeBase]
) -> None:
    """Without a rank, and not counted among the dropped."""
    policy = RetrievalPolicy(1, 0.0, 2000, 8000, max_rows=1)
    opened(telemetry=received.telemetry()).ask(QUESTION, scope=SCOPE, policy=policy)
    (event,) = received.spans()["retrieval"].events
    assert event.name == f"{OURS}read"
    assert event.attributes == {f"{OURS}code": "unexamined", f"{OURS}ceiling": 1}
    assert received.attributes("retrieval")[f"{OURS}rows.dropped"] == 0


@pytest.mark.requirement("OB-NAME-1")
def test_the_prompt_span_has_digests_layers_and_diagnostics(
    received: Received, opened: Callable[..., KnowledgeBase]
) -> None:
    """Digests and sizes of what was compiled, and the codes of what was left out."""
    prompt = opened(telemetry=received.telemetry()).ask("xylophone", scope=SCOPE).prompt
    told = received.attributes("prompt")
    assert told[f"{OURS}prompt.digest.whole"] == prompt.digests.whole
    assert told[f"{OURS}prompt.digest.l0"] == prompt.digests.l0
    assert told[f"{OURS}prompt.digest.l1"] == prompt.digests.l1
    assert told[f"{OURS}prompt.chars"] == len(prompt.text)
    assert told[f"{OURS}prompt.l0.chars"] + told[f"{OURS}prompt.l1.chars"] + told[f"{OURS}prompt.l2.chars"] == len(
        prompt.text
    )
    assert told[f"{OURS}prompt.diagnostics"] == ("knowledge:blank",)
    assert told[f"{OURS}prompt.grounded"] is False
    assert (told[OPENINFERENCE_KIND], told[LANGFUSE_TYPE]) == ("CHAIN", "chain")


@pytest.mark.requirement("OB-NAME-1")
def test_a_search_without_a_prompt_is_a_retrieval_span(
    received: Received, opened: Callable[..., KnowledgeBase]
) -> None:
    """With the limit that was asked for, and how many rows came."""
    assert len(opened(telemetry=received.telemetry()).search(QUESTION, scope=SCOPE, limit=1)) == 1
    told = received.attributes("retrieval")
    assert (told[GENAI_TOP_K], told[f"{OURS}rows.admitted"], told[OPENINFERENCE_KIND]) == (1, 1, "RETRIEVER")
    received.exporter.clear()
    opened(telemetry=received.telemetry()).search(QUESTION, scope=SCOPE)
    assert received.attributes("retrieval")[GENAI_TOP_K] == Settings().candidates


# ---------------------------------------------------------------------------------------------------------- content


@pytest.mark.requirement("OB-CONTENT-1")
def test_nothing_of_content_is_told_unless_it_is_switched_on(
    received: Received, opened: Callable[..., KnowledgeBase]
) -> None:
    """No question, passage, label, scope, answer, invented name or quotation in anything that is exported."""
    base = opened(telemetry=received.telemetry())
    label = ledger_of(base.ask(QUESTION, scope=SCOPE)).entries[0].label
    received.exporter.clear()
    model = ScriptedChatModel(('"Thirty days of leave" SOURCE [', f"{label}] and SOURCE [kangaroo.md]."))
    list(base.answer(QUESTION, model=model, scope=SCOPE))
    base.search(QUESTION, scope=SCOPE)
    with pytest.raises(QuestionError):
        base.ask(" ", scope=SCOPE)
    everything = "".join(span.to_json() for span in received.exporter.get_finished_spans())
    data = received.reader.get_metrics_data()
    assert data is not None
    everything += data.to_json()
    for secret in ("Grimaldi", "thirty", "Thirty", "leave", "zephyr", "note.txt", "acme", "kangaroo", "tenant"):
        assert secret not in everything


@pytest.mark.requirement("OB-CONTENT-2")
def test_content_is_told_where_it_is_switched_on(received: Received, opened: Callable[..., KnowledgeBase]) -> None:
    """Question, passages with labels, and the answer as it was shown; never the scope path."""
    base = opened(telemetry=received.telemetry(content=True))
    list(base.answer(QUESTION, model=CompletedModel("Thirty ", "days."), scope=SCOPE))
    told = received.attributes("retrieval")
    assert told[GENAI_QUERY] == told["input.value"] == told[LANGFUSE_INPUT] == QUESTION
    contents = [told[OPENINFERENCE_DOCUMENT.format(place, "content")] for place in range(2)]
    assert any(PASSAGE in content for content in contents)
    labels = [json.loads(told[OPENINFERENCE_DOCUMENT.format(place, "metadata")])["label"] for place in range(2)]
    assert any(FILE in label for label in labels)
    for name in ("answer", "chat"):
        assert received.attributes(name)["output.value"] == "Thirty days."
        assert received.attributes(name)[LANGFUSE_OUTPUT] == "Thirty days."
    assert "acme" not in received.everything()


@pytest.mark.requirement("OB-CONTENT-2")
def test_told_content_can_be_written_down_and_is_bounded(
    received: Received, opened: Callable[..., KnowledgeBase]
) -> None:
    """No lone surrogate, nothing hidden, and an end."""
    question = "leave \ud800 \u202e \U000e0041" + "x" * 9_000
    opened(telemetry=received.telemetry(content=True)).ask(question, scope=SCOPE)
    told = received.attributes("retrieval")[GENAI_QUERY]
    assert len(told) == MAX_CONTENT_CHARS
    assert told.startswith("leave \ufffd")
    assert told.endswith("x…")
    assert told.encode()
    assert "\u202e" not in told
    assert "\U000e0041" not in told


# ----------------------------------------------------------------------------------------------------------- answers


@pytest.mark.requirement("OB-NEST-1")
def test_an_answer_is_one_trace_below_the_span_of_the_caller(
    received: Received, opened: Callable[..., KnowledgeBase]
) -> None:
    """Caller above answer; prompt, chat and grounding below it; retrieval below prompt."""
    base = opened(telemetry=received.telemetry())
    with received.tracers.get_tracer("own").start_as_current_span("caller"):
        answering = base.answer(QUESTION, model=CompletedModel("Yes."), scope=SCOPE)
    assert list(answering) == ["Yes."]
    assert received.parent("answer") == received.number("caller")
    assert received.parent("prompt") == received.number("answer")
    assert received.parent("retrieval") == received.number("prompt")
    assert received.parent("chat") == received.number("answer")
    assert received.parent("grounding") == received.number("answer")


@pytest.mark.requirement("OB-NEST-1")
def test_a_store_that_is_read_beside_others_nests_below_the_prompt(
    received: Received, opened: Callable[..., KnowledgeBase]
) -> None:
    """Sources of a contributor are read at the same time, in threads; the retrieval stands where it belongs."""
    base = opened(telemetry=received.telemetry(), contributors=[Handbook()])
    assert len(base.ask(QUESTION, scope=SCOPE).prompt.blocks) == 3
    assert received.parent("retrieval") == received.number("prompt")


@pytest.mark.requirement("OB-NAME-1")
def test_the_chat_span_has_the_end_and_the_time_to_the_first_piece(
    received: Received, opened: Callable[..., KnowledgeBase]
) -> None:
    """Model, tokens, finish and seconds, in the names of each convention."""
    base = opened(telemetry=received.telemetry())
    list(base.answer(QUESTION, model=CompletedModel("Yes."), scope=SCOPE))
    told = received.attributes("chat")
    assert 0 <= told.pop(GENAI_FIRST) < 5
    assert told == {
        GENAI_OPERATION: "chat",
        "gen_ai.request.stream": True,
        OPENINFERENCE_KIND: "LLM",
        LANGFUSE_TYPE: "generation",
        GENAI_FINISH: ("stop",),
        "gen_ai.response.model": "m-1",
        "llm.model_name": "m-1",
        "langfuse.observation.model.name": "m-1",
        "gen_ai.usage.input_tokens": 7,
        "gen_ai.usage.output_tokens": 3,
        "llm.token_count.prompt": 7,
        "llm.token_count.completion": 3,
    }
    assert received.spans()["chat"].kind is SpanKind.CLIENT


@pytest.mark.requirement("OB-NAME-1")
def test_the_grounding_span_counts_what_the_answer_rests_on(
    received: Received, opened: Callable[..., KnowledgeBase]
) -> None:
    """Cited, invented, ambiguous and unused sources, quotations by verdict, and the end."""
    base = opened(telemetry=received.telemetry())
    entries = ledger_of(base.ask(QUESTION, scope=SCOPE))
    label = next(entry.label for entry in entries if FILE in entry.label)
    received.exporter.clear()
    text = f'"Everybody has thirty days of leave" SOURCE [{label}]. SOURCE [kangaroo.md] SOURCE [kangaroo.md]'
    answer = base.answer(QUESTION, model=CompletedModel(text), scope=SCOPE)
    shown = "".join(answer)
    told = received.attributes("grounding")
    assert told == {
        OPENINFERENCE_KIND: "GUARDRAIL",
        LANGFUSE_TYPE: "guardrail",
        f"{OURS}grounding.cited": 1,
        f"{OURS}grounding.references": 1,
        f"{OURS}grounding.invented": 2,
        f"{OURS}grounding.ambiguous": 0,
        f"{OURS}grounding.unused": 1,
        f"{OURS}grounding.quotes.verbatim": 1,
        f"{OURS}grounding.quotes.elsewhere": 0,
        f"{OURS}grounding.quotes.nowhere": 0,
        f"{OURS}grounding.quotes.unchecked": 0,
        f"{OURS}answer.chars": len(shown),
        f"{OURS}answer.complete": True,
        f"{OURS}answer.finish": FinishReason.STOP.value,
    }
    assert received.points(f"{OURS}references.invented") == [({}, 2)]


@pytest.mark.requirement("OB-NEST-2")
def test_an_answer_that_is_stopped_ends_its_spans(received: Received, opened: Callable[..., KnowledgeBase]) -> None:
    """Once, however often it is stopped; and it is no failure."""
    base = opened(telemetry=received.telemetry())
    with base.answer(QUESTION, model=ScriptedChatModel(("One. ", "Two. ")), scope=SCOPE) as answering:
        next(answering)
        assert "chat" not in received.spans()
        answering.stop()
        answering.stop()
    assert sorted(received.spans()) == ["answer", "chat", "grounding", "prompt", "retrieval"]
    assert {span.status.status_code for span in received.spans().values()} == {StatusCode.UNSET}
    assert received.attributes("grounding")[f"{OURS}answer.complete"] is False


@pytest.mark.requirement("OB-NEST-2")
def test_an_answer_that_no_model_was_asked_for_has_no_chat_span(
    received: Received, opened: Callable[..., KnowledgeBase]
) -> None:
    """Stopped before its first piece."""
    opened(telemetry=received.telemetry()).answer(QUESTION, model=ScriptedChatModel(("One.",)), scope=SCOPE).stop()
    assert sorted(received.spans()) == ["answer", "grounding", "prompt", "retrieval"]


@pytest.mark.requirement("OB-NEST-2")
def test_pieces_read_by_other_threads_nest_and_detach_nothing_foreign(
    received: Received, opened: Callable[..., KnowledgeBase], caplog: pytest.LogCaptureFixture
) -> None:
    """Every piece in a thread of its own, stopped by another: one trace, and no complaint of the SDK's."""
    base = opened(telemetry=received.telemetry())
    answering = base.answer(QUESTION, model=ScriptedChatModel(("One. ", "Two. ", "Three.")), scope=SCOPE)
    with caplog.at_level(logging.DEBUG, logger="opentelemetry"):
        for call in (answering.__next__, answering.__next__, answering.stop):
            thread = threading.Thread(target=call)
            thread.start()
            thread.join()
    assert received.parent("chat") == received.parent("grounding") == received.number("answer")
    assert caplog.records == []


@pytest.mark.requirement("OB-NEST-1")
def test_concurrent_questions_of_asyncio_nest_under_their_own_callers(
    received: Received, opened: Callable[..., KnowledgeBase]
) -> None:
    """Two tasks at once, each with its own span above its answer."""
    tracer = received.tracers.get_tracer("own")
    base = opened(telemetry=received.telemetry())

    async def ask(name: str, knowledge: AsyncKnowledgeBase) -> None:
        with tracer.start_as_current_span(name):
            answering = await knowledge.answer(QUESTION, model=CompletedModel("Yes."), scope=SCOPE)
            assert [piece async for piece in answering] == ["Yes."]

    async def both() -> None:
        async with AsyncKnowledgeBase(base) as knowledge:
            await asyncio.gather(ask("one", knowledge), ask("two", knowledge))

    asyncio.run(both())
    spans = received.exporter.get_finished_spans()
    numbers = {span.name: span.context.span_id for span in spans if span.name in {"one", "two"} and span.context}
    above = {span.parent.span_id for span in spans if span.name == "answer" and span.parent}
    assert above == set(numbers.values())
    for name in ("prompt", "chat", "grounding"):
        parents = {span.parent.span_id for span in spans if span.name == name and span.parent}
        assert parents == {span.context.span_id for span in spans if span.name == "answer" and span.context}


# ---------------------------------------------------------------------------------------------------------- failures


@pytest.mark.requirement("OB-FAIL-1")
def test_a_failing_model_is_told_by_its_code_alone(received: Received, opened: Callable[..., KnowledgeBase]) -> None:
    """Code and reason; the message, which may quote, is nowhere."""
    base = opened(telemetry=received.telemetry())
    model = CompletedModel("One. ", failure=ModelError("a secret Grimaldi message", code="rate-limit", status=429))
    with pytest.raises(ModelFailedError):
        list(base.answer(QUESTION, model=model, scope=SCOPE))
    for name in ("chat", "answer"):
        span = received.spans()[name]
        assert (span.status.status_code, span.status.description) == (StatusCode.ERROR, "model")
        told = received.attributes(name)
        assert (told["error.type"], told[LANGFUSE_LEVEL], told[LANGFUSE_STATUS]) == ("model", "ERROR", "model")
        assert span.events == ()
    assert received.attributes("chat")[f"{OURS}model.reason"] == "rate-limit"
    assert received.attributes("chat")["http.response.status_code"] == 429
    assert "secret" not in received.everything()


@pytest.mark.requirement("OB-FAIL-1")
def test_a_failing_store_is_told_and_counted_once(
    received: Received, opened: Callable[..., KnowledgeBase], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the retrieval and on the prompt, by its code."""
    base = opened(telemetry=received.telemetry())

    def fail(*_: object, **__: object) -> None:
        raise StoreError("a secret Grimaldi message")

    monkeypatch.setattr(type(base._store), "search", fail)
    with pytest.raises(StoreFailedError):
        base.ask(QUESTION, scope=SCOPE)
    assert {span.attributes["error.type"] for span in received.spans().values() if span.attributes} == {"store"}
    assert received.points(f"{OURS}store.failures") == [({"error.type": "store"}, 1)]
    received.exporter.clear()
    with pytest.raises(StoreFailedError):
        base.search(QUESTION, scope=SCOPE)
    assert received.points(f"{OURS}store.failures") == [({"error.type": "store"}, 2)]
    assert "secret" not in received.everything()


@pytest.mark.requirement("OB-FAIL-1")
def test_an_answer_without_a_source_ends_its_span(received: Received, opened: Callable[..., KnowledgeBase]) -> None:
    """With the code of the refusal."""
    base = opened(telemetry=received.telemetry())
    with pytest.raises(NothingAdmittedError):
        base.answer("xylophone", model=ScriptedChatModel(("One.",)), scope=SCOPE)
    assert received.attributes("answer")["error.type"] == "nothing-admitted"
    assert "chat" not in received.spans()


class BrokenSpan:
    """Every call of it raises."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        def fail(*_: object, **__: object) -> None:
            raise OSError(PASSAGE)

        return fail


class Broken:
    """A telemetry that raises: at once, or in its spans."""

    def __init__(self, *, begins: bool) -> None:
        self.begins = begins

    @property
    def content(self) -> bool:
        raise OSError(PASSAGE)

    def begin(self, name: str, attributes: Attributes, *, client: bool = False) -> Span:
        if not self.begins:
            raise OSError(PASSAGE)
        return BrokenSpan()  # type: ignore[return-value]  # it has every method, and none works

    def count(self, name: str, amount: int, attributes: Attributes) -> None:
        raise OSError(PASSAGE)

    def record(self, name: str, seconds: float, attributes: Attributes) -> None:
        raise OSError(PASSAGE)


@pytest.mark.requirement("OB-FAIL-2")
@pytest.mark.parametrize("begins", [True, False], ids=["in its spans", "at once"])
def test_a_telemetry_that_raises_costs_no_answer(opened: Callable[..., KnowledgeBase], *, begins: bool) -> None:
    """The same prompt and answer as without it, and one warning that names the kind of error alone."""
    base = opened(telemetry=Broken(begins=begins))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        prompt = base.ask(QUESTION, scope=SCOPE).prompt
        assert list(base.answer(QUESTION, model=CompletedModel("Yes."), scope=SCOPE)) == ["Yes."]
        assert len(base.search(QUESTION, scope=SCOPE)) == 2
    assert prompt == opened().ask(QUESTION, scope=SCOPE).prompt
    (warning,) = told
    assert "this one raised OSError" in str(warning.message)
    assert "Grimaldi" not in str(warning.message)


class Methodless(Broken):
    """A telemetry whose spans have nothing to call."""

    def begin(self, name: str, attributes: Attributes, *, client: bool = False) -> Span:
        return object()  # type: ignore[return-value]  # as a telemetry of another release may


@pytest.mark.requirement("OB-FAIL-2")
def test_a_span_without_a_method_costs_no_answer(opened: Callable[..., KnowledgeBase]) -> None:
    """Looking for it raises as calling it does."""
    base = opened(telemetry=Methodless(begins=True))
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        assert list(base.answer(QUESTION, model=CompletedModel("Yes."), scope=SCOPE)) == ["Yes."]


@pytest.mark.requirement("OB-FAIL-2")
def test_a_telemetry_that_raises_costs_no_answer_where_warnings_are_errors(
    opened: Callable[..., KnowledgeBase],
) -> None:
    """The warning is then lost, and not the answer."""
    assert opened(telemetry=Broken(begins=True)).ask(QUESTION, scope=SCOPE).grounded


@pytest.mark.requirement("OB-FAIL-2")
@pytest.mark.parametrize("wrong", [object(), OpenTelemetry], ids=["an object", "a class"])
def test_what_is_no_telemetry_is_refused(opened: Callable[..., KnowledgeBase], wrong: object) -> None:
    """Before anything is opened."""
    with pytest.raises(WiringError, match="no begin to call"):
        opened(telemetry=wrong)


# ------------------------------------------------------------------------------------------------- durations, settings


@pytest.mark.requirement("OB-METER-1")
def test_every_step_has_its_duration(received: Received, opened: Callable[..., KnowledgeBase]) -> None:
    """One measurement of each, in seconds, and the retrieval under the name of the convention too."""
    base = opened(telemetry=received.telemetry())
    list(base.answer(QUESTION, model=CompletedModel("Yes."), scope=SCOPE))
    steps = {told[f"{OURS}step"]: count for told, count in received.points(f"{OURS}duration")}
    assert steps == dict.fromkeys(("answer", "chat", "first_piece", "grounding", "prompt", "retrieval"), 1)
    assert received.points(GENAI_DURATION) == [({GENAI_OPERATION: "retrieval", GENAI_SOURCE: base.key_fingerprint}, 1)]


@pytest.mark.requirement("OB-SET-1")
def test_settings_name_the_telemetry_of_every_face(opened: Callable[..., KnowledgeBase]) -> None:
    """By file or variable; content only where it says so."""
    named = Settings.load(environ={"SYMFONIC_KNOWLEDGE_TELEMETRY": "opentelemetry"})
    assert (named.telemetry, named.telemetry_content) == ("opentelemetry", False)
    observer = opened(settings=named)._observer
    assert observer is not None
    assert observer.content is False
    loud = Settings(telemetry="opentelemetry", telemetry_content=True)
    observer = opened(settings=loud)._observer
    assert observer is not None
    assert observer.content is True
    assert opened()._observer is None


@pytest.mark.requirement("OB-SET-1")
def test_settings_that_name_what_is_not_installed_name_the_extra(
    opened: Callable[..., KnowledgeBase], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an error of ours."""
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(MissingExtraError, match=r"symfonic-knowledge\[opentelemetry\]"):
        opened(settings=Settings(telemetry="opentelemetry"))


@pytest.mark.requirement("OB-SET-1")
@pytest.mark.parametrize("wrong", [{"telemetry": "statsd"}, {"telemetry": None}, {"telemetry_content": 1}])
def test_settings_that_name_no_telemetry_are_refused(wrong: dict[str, Any]) -> None:
    """Nothing would be told, or text by accident."""
    with pytest.raises(SettingsError):
        Settings(**wrong)


#: Names of the GenAI conventions' own release, which the constants of the SDK's release do not have yet.
NEWER = {"gen_ai.retrieval.top_k", "gen_ai.response.time_to_first_chunk", "gen_ai.request.stream"}


def _told(received: Received, prefix: str) -> set[str]:
    """Every attribute told under a prefix, with one number for all places of a list."""
    spans = received.exporter.get_finished_spans()
    return {
        re.sub(r"\.\d+(?=\.)", "", name) for span in spans for name in span.attributes or {} if name.startswith(prefix)
    }


def _constants(*holders: Any) -> set[str]:
    return {value for holder in holders for value in vars(holder).values() if isinstance(value, str)}


@pytest.mark.requirement("OB-NAME-1")
def test_names_are_those_of_the_conventions_own_packages(
    received: Received, opened: Callable[..., KnowledgeBase]
) -> None:
    """Compared with the constants that OpenTelemetry and OpenInference publish, content switched on."""
    base = opened(telemetry=received.telemetry(content=True))
    completion = Completion(finish=FinishReason.STOP, model="m", prompt_tokens=3, answer_tokens=2)
    with base.answer(QUESTION, model=ScriptedChatModel(("Yes.",), completion=completion), scope=SCOPE) as answering:
        assert list(answering) == ["Yes."]
    told = _told(received, "gen_ai.")
    assert len(told) > 10
    assert told - NEWER <= _constants(gen_ai_attributes)
    documents = _told(received, "retrieval.documents")
    assert {name.removeprefix("retrieval.documents.") for name in documents} <= _constants(DocumentAttributes)
    known = _constants(SpanAttributes)
    for prefix in ("openinference.", "llm.", "input.", "output."):
        assert (names := _told(received, prefix))
        assert names <= known
