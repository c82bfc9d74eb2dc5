"""What is told of a question and an answer: the one place that turns selections, prompts and reports into attributes.

Rules of this module: it tells, and changes nothing of what it tells about. Whatever a telemetry raises is swallowed,
and told once by a warning, so that no answer is lost by it. Names follow the GenAI conventions of OpenTelemetry,
OpenInference and Langfuse at the same time; what they have no name for stands under ``symfonic.knowledge``.

Content (questions, passages, labels, answers, names of documents) is told only where the telemetry says so, and then
without what cannot be written down or seen, up to :data:`MAX_CONTENT_CHARS`. A passage is known by its keyed tag, which
tells nothing without the key. A scope path is never told, nor the message of an error: only its code.
"""

from __future__ import annotations

import json
import time
import warnings
from collections import Counter
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeVar

from symfonic.adapters.knowledge.ports import AdapterError
from symfonic.capabilities.knowledge import DropCode, clean_content

from ._failures import failure_of
from .answering import Answering, ModelFailedError
from .errors import KnowledgeError, WiringError, type_name
from .explanation import OF_THE_READ
from .wiring import Inquiry

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping
    from typing import Self

    from symfonic.adapters.knowledge.ports import Attributes, AttributeValue, Completion, Span, Telemetry
    from symfonic.capabilities.knowledge import (
        ContextRead,
        ContextRequest,
        DropReason,
        FragmentSelection,
        GroundingReport,
    )

    from ._searching import Ranking
    from .answering import Answer
    from .explanation import Answerable

_T = TypeVar("_T")

MAX_CONTENT_CHARS: Final = 4_000
"""Most characters of one text that is told."""

MAX_TOLD_ROWS: Final = 16
"""Most admitted passages that a span names: an SDK keeps 128 attributes of a span, and forgets the first beyond."""

MAX_TOLD_DROPS: Final = 32
"""Most dropped rows that are an event each; of the others their number is told."""

_OURS: Final = "symfonic.knowledge"
_STORE_CODES: Final = frozenset({"store", "embedder"})


class Observer:
    """Tells a telemetry; safe to use from several threads.

    Args:
        telemetry: Is told.
        data_source: What the knowledge base is called in traces.
    """

    __slots__ = ("_data_source", "_telemetry", "_warned")

    def __init__(self, telemetry: Telemetry, data_source: str) -> None:
        self._telemetry = telemetry
        self._data_source = data_source
        self._warned = False

    # ------------------------------------------------------------------------------------------------- questions

    def asked(self, ask: Callable[[], Answerable]) -> Answerable:
        """Tell of a question and its compiled prompt, while ``ask`` asks it."""
        with self.work("prompt", _kinds("CHAIN", "chain")) as work:
            answerable = ask()
            work.tell(lambda: _prompt_attributes(answerable))
            return answerable

    def searched(self, search: Callable[[], Ranking], question: str, limit: int) -> Ranking:
        """Tell of a search without a prompt, while ``search`` makes it. Its rows have no tags, so none is named."""
        with self.work("retrieval", self._retrieval(question, limit), of_store=True) as work:
            ranking = search()
            work.tell(lambda: {f"{_OURS}.rows.admitted": len(ranking.rows)})
            return ranking

    def inquiry(self, retriever: Any, question: str, policy: Any, *, scope_aware: bool) -> Inquiry:
        """An inquiry whose reading is told of."""
        return _ObservedInquiry(self, retriever, question, policy, scope_aware=scope_aware)

    def reading(self, question: str, limit: int) -> Work:
        """The reading of a store for one question, that is to be told of."""
        return self.work("retrieval", self._retrieval(question, limit))

    def retrieved(self, work: Work, selection: FragmentSelection | None, failure: BaseException | None) -> None:
        """Tell every row of a reading with its outcome."""
        if selection is None:
            return
        self.safely(lambda: self._tell_rows(work, selection))
        if any(reason.code is DropCode.STORE_FAILED for _, reason in selection.dropped):
            work.fail(failure_of(failure).code if isinstance(failure, AdapterError) else "store")

    def _retrieval(self, question: object, limit: object) -> dict[str, AttributeValue]:
        told: dict[str, AttributeValue] = {
            "gen_ai.operation.name": "retrieval",
            "gen_ai.data_source.id": self._data_source,
            **_kinds("RETRIEVER", "retriever"),
        }
        if type(limit) is int:
            # The second is its name before release 0.1 of the GenAI conventions.
            told |= dict.fromkeys(("gen_ai.retrieval.top_k", "gen_ai.request.top_k"), limit)
        names = ("gen_ai.retrieval.query.text", "input.value", "langfuse.observation.input")
        return told | self._content(names, question)

    def _content(self, names: tuple[str, ...], text: object) -> dict[str, AttributeValue]:
        """The text under each name, where it may be told and is one."""
        if not (self.content and isinstance(text, str)):
            return {}
        return dict.fromkeys(names, self.safely(lambda: _text(text)) or "")

    def _tell_rows(self, work: Work, selection: FragmentSelection) -> None:
        """As ``explain`` numbers them; many rows may be dropped, so that each is looked at once."""
        admitted = len(selection.admitted)
        work.set(_documents(selection, content=self.content))
        reasons = [reason for _, reason in selection.dropped]
        dropped = [reason for reason in reasons if reason.code not in OF_THE_READ]
        outcomes = Counter(reason.code.value for reason in dropped)
        for rank, reason in enumerate(dropped[:MAX_TOLD_DROPS], start=admitted + 1):
            work.event("row dropped", {"rank": rank, **_numbers(reason)})
        if len(dropped) < len(reasons):
            for reason in reasons:
                if reason.code in OF_THE_READ:
                    work.event("read", _numbers(reason))
        counts = {f"{_OURS}.rows.{code}": count for code, count in sorted(outcomes.items())}
        work.set({f"{_OURS}.rows.dropped": len(dropped), **counts})
        if len(dropped) > MAX_TOLD_DROPS:
            work.set({f"{_OURS}.rows.untold": len(dropped) - MAX_TOLD_DROPS})
        for outcome, count in {"admitted": admitted, **outcomes}.items():
            if count:
                self.count("rows", count, {f"{_OURS}.outcome": outcome})

    # --------------------------------------------------------------------------------------------------- answers

    def answered(
        self, question: str, ask: Callable[[], Answerable], make: Callable[[Answerable], Answering]
    ) -> Answering:
        """Ask, and make an answer that is told of until it ends. Its span has ended where none comes to be."""
        told = self._content(("input.value", "langfuse.observation.input"), question)
        whole = self.work("answer", _kinds("CHAIN", "chain") | told)
        try:
            with whole.current():
                answerable = ask()
            answering = make(answerable)
        except BaseException as error:
            whole.fail(_code(error))
            whole.end()
            raise
        assert isinstance(answering, ObservedAnswering)
        answering.observe(self, whole)
        return answering

    # --------------------------------------------------------------------------------------- telling without harm

    @property
    def content(self) -> bool:
        """Whether text may be told."""
        return self.safely(lambda: self._telemetry.content) is True

    def work(self, name: str, attributes: Attributes, *, client: bool = False, of_store: bool = False) -> Work:
        """Begin a piece of work; enter it, or end it."""
        span = self.safely(lambda: self._telemetry.begin(name, attributes, client=client))
        return Work(self, name, span, of_store=of_store)

    def count(self, name: str, amount: int, attributes: Attributes) -> None:
        """Add to a counter of ours."""
        self.safely(lambda: self._telemetry.count(f"{_OURS}.{name}", amount, attributes))

    def record(self, step: str, seconds: float, failure: str = "") -> None:
        """Record how long a step took."""
        failed = {"error.type": failure} if failure else {}
        self.safely(lambda: self._telemetry.record(f"{_OURS}.duration", seconds, {f"{_OURS}.step": step, **failed}))
        if step == "retrieval":
            told = {"gen_ai.operation.name": step, "gen_ai.data_source.id": self._data_source, **failed}
            self.safely(lambda: self._telemetry.record("gen_ai.retrieval.duration", seconds, told))

    def safely(self, tell: Callable[[], _T]) -> _T | None:
        """What ``tell`` answers; nothing where it raises, which is warned of once."""
        try:
            return tell()
        except Exception as error:  # noqa: BLE001 - a telemetry may raise anything, and none of it may cost an answer
            if not self._warned:
                self._warned = True
                with suppress(Exception):  # where warnings are errors
                    warnings.warn(
                        f"a telemetry takes what it is told; this one raised {type_name(error)}, questions are "
                        "answered and their traces have gaps; look at the telemetry that was passed",
                        RuntimeWarning,
                        stacklevel=2,
                    )
            return None


class Work:
    """One piece of work that is told of: its span, how long it takes, and what became of it.

    As a context manager it is current inside, and ends there. Ending it twice does nothing.
    """

    __slots__ = ("_begun", "_failure", "_observer", "_of_store", "_over", "_span", "_stack", "name")

    def __init__(self, observer: Observer, name: str, span: Span | None, *, of_store: bool) -> None:
        self._observer = observer
        self._span = span
        self._of_store = of_store
        self._failure = ""
        self._over = False
        self._stack = ExitStack()
        self._begun = time.perf_counter()
        self.name = name

    @contextmanager
    def current(self) -> Iterator[None]:
        """Make it the parent of what begins inside; what is raised inside is no business of the telemetry's."""
        entered = ExitStack()
        if (span := self._span) is not None:
            self._observer.safely(lambda: entered.enter_context(span.current()))
        try:
            yield
        finally:
            self._observer.safely(entered.close)

    def __enter__(self) -> Self:
        self._stack.enter_context(self.current())
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._stack.close()
        if error is not None:
            self.fail(_code(error))
        self.end()

    def tell(self, made: Callable[[], Mapping[str, AttributeValue | None]]) -> None:
        """Set the attributes that ``made`` makes."""
        self._observer.safely(lambda: self.set(made()))

    def set(self, attributes: Mapping[str, AttributeValue | None]) -> None:
        """Set attributes, those that are there."""
        if (span := self._span) is not None:
            self._observer.safely(lambda: span.set(_there(attributes)))

    def event(self, name: str, attributes: Mapping[str, AttributeValue | None]) -> None:
        """Tell what happened, its attributes under our name."""
        if (span := self._span) is not None:
            told = {f"{_OURS}.{key}": value for key, value in _there(attributes).items()}
            self._observer.safely(lambda: span.event(f"{_OURS}.{name.replace(' ', '_')}", told))

    def fail(self, code: str) -> None:
        """Tell that it failed; the first code stands."""
        if self._failure:
            return
        self._failure = code
        self.set({"langfuse.observation.level": "ERROR", "langfuse.observation.status_message": code})
        if (span := self._span) is not None:
            self._observer.safely(lambda: span.failed(code))
        if code in _STORE_CODES and (self._of_store or self.name == "prompt"):
            self._observer.count("store.failures", 1, {"error.type": code})

    def end(self) -> None:
        """It is over."""
        if self._over:
            return
        self._over = True
        self._observer.record(self.name, time.perf_counter() - self._begun, self._failure)
        if (span := self._span) is not None:
            self._observer.safely(lambda: span.end())  # noqa: PLW0108 - looking it up may raise as well


class _ObservedInquiry(Inquiry):
    """An inquiry whose reading is told of, in the thread that reads."""

    __slots__ = ("_observer", "_told")

    def __init__(self, observer: Observer, retriever: Any, question: str, policy: Any, *, scope_aware: bool) -> None:
        super().__init__(retriever, question, policy, scope_aware=scope_aware)
        self._observer = observer
        self._told = (question, policy.limit)

    def read(self, request: ContextRequest) -> ContextRead:
        """As :meth:`Inquiry.read`."""
        with self._observer.reading(*self._told) as work:
            answer = super().read(request)
            if (reading := self._reading) is not None:
                self._observer.retrieved(work, reading.selection, reading.failure)
            work.set({f"{_OURS}.scoped": bool(request.scope_path)})
            return answer


class ObservedAnswering(Answering):
    """An answer that is told of: the model's stream, and what the answer rests on, below the span of the whole."""

    __slots__ = ("_chat", "_ended_once", "_observer", "_whole")

    def observe(self, observer: Observer, whole: Work) -> None:
        """Tell from now on; once, before the first piece is asked for."""
        self._observer = observer
        self._whole = whole
        self._chat: Work | None = None
        self._ended_once = False
        self._source = _first_told(self._source, self._first_piece)

    def __next__(self) -> str:
        """As :meth:`Answering.__next__`."""
        with self._whole.current():
            if self._chat is None and not self._over:
                self._chat = self._observer.work("chat", _chat_attributes(), client=True)
            chat = self._whole if self._chat is None else self._chat
            try:
                with chat.current():
                    return super().__next__()
            except BaseException as error:
                self._look_whether_over(error)
                raise
            finally:
                self._look_whether_over(self._failure)

    def stop(self) -> str:
        """As :meth:`Answering.stop`."""
        with self._whole.current():
            try:
                return super().stop()
            except BaseException as error:
                self._look_whether_over(error)
                raise
            finally:
                self._look_whether_over(self._failure)

    def _first_piece(self, seconds: float) -> None:
        if self._chat is not None:
            self._chat.set({"gen_ai.response.time_to_first_chunk": seconds})
        self._observer.record("first_piece", seconds)

    def _look_whether_over(self, error: BaseException | None) -> None:
        """Tell what became of it once it has ended, and end its spans; what comes later tells nothing."""
        with self._state:
            if not self._over or self._ended_once:
                return
            self._ended_once = True
        failure = None if isinstance(error, StopIteration) else error
        answer = self.answer()
        if self._chat is not None:
            self._tell_chat(self._chat, answer, failure)
        with self._observer.work("grounding", _kinds("GUARDRAIL", "guardrail")) as grounding:
            grounding.tell(lambda: _report_attributes(answer))
        if invented := _invented(answer.report):
            self._observer.count("references.invented", invented, {})
        if failure is not None:
            self._whole.fail(_code(failure))
        self._tell_text(self._whole, answer)
        self._whole.end()

    def _tell_chat(self, chat: Work, answer: Answer, failure: BaseException | None) -> None:
        if isinstance(failure, ModelFailedError):
            chat.set({f"{_OURS}.model.reason": failure.reason, "http.response.status_code": failure.status})
        if failure is not None:
            chat.fail(_code(failure))
        chat.tell(lambda: _completion_attributes(answer.completion))
        self._tell_text(chat, answer)
        chat.end()

    def _tell_text(self, work: Work, answer: Answer) -> None:
        if self._observer.content:
            work.tell(lambda: dict.fromkeys(("output.value", "langfuse.observation.output"), _text(answer.text)))


def _first_told(
    source: Generator[str, None, Completion], told: Callable[[float], None]
) -> Generator[str, None, Completion]:
    """The same pieces; the seconds until the first of them are told."""
    try:
        begun = time.perf_counter()
        try:
            piece = next(source)
        except StopIteration as end:
            completion: Completion = end.value
            return completion
        told(time.perf_counter() - begun)
        yield piece
        return (yield from source)
    finally:
        source.close()


def require_telemetry(telemetry: object) -> None:
    """Refuse what is no telemetry; ``None`` is none.

    Raises:
        WiringError: It cannot be told anything.
    """
    if telemetry is None:
        return
    for name in ("begin", "count", "record"):
        if isinstance(telemetry, type) or not callable(getattr(telemetry, name, None)):
            raise WiringError(
                f"a telemetry has begin, count and record; {type_name(telemetry)} has no {name} to call and nothing "
                "could be told; pass an object such as OpenTelemetry()"
            )


# ------------------------------------------------------------------------------------------------------- attributes


def _kinds(open_inference: str, langfuse: str) -> dict[str, AttributeValue]:
    return {"openinference.span.kind": open_inference, "langfuse.observation.type": langfuse}


def _there(attributes: Mapping[str, AttributeValue | None]) -> dict[str, AttributeValue]:
    return {name: value for name, value in attributes.items() if value is not None}


def _code(error: BaseException) -> str:
    return error.code if isinstance(error, KnowledgeError) else type_name(error)


def _text(text: str, most: int = MAX_CONTENT_CHARS) -> str:
    """A text as it may be told: on one line, without what is hidden or has no UTF-8 form, and not too long."""
    sound = text[: most + 1].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    clean = clean_content(sound)
    return clean if len(clean) <= most else f"{clean[: most - 1]}…"


def _numbers(reason: DropReason) -> dict[str, AttributeValue | None]:
    return {"code": reason.code.value, "actual": reason.actual, "ceiling": reason.ceiling}


def _documents(selection: FragmentSelection, *, content: bool) -> dict[str, AttributeValue]:
    """The admitted passages, in the shapes of GenAI and of OpenInference."""
    told: dict[str, AttributeValue] = {f"{_OURS}.rows.admitted": len(selection.admitted)}
    documents: list[dict[str, object]] = []
    rows = zip(selection.admitted, selection.lines, strict=True)
    for place, (row, line) in enumerate(islice(rows, MAX_TOLD_ROWS)):
        label, _, text = line.removeprefix("SOURCE [").partition("]: ")
        tag, score = label.rpartition("·")[2], float(row.score)
        name = f"retrieval.documents.{place}.document"
        told |= {f"{name}.id": tag, f"{name}.score": score}
        documents.append({"id": tag, "score": score})
        if content:
            told[f"{name}.content"] = _text(text)
            told[f"{name}.metadata"] = json.dumps({"label": _text(label, 200)})
    told["gen_ai.retrieval.documents"] = json.dumps(documents)
    return told


def _prompt_attributes(answerable: Answerable) -> dict[str, AttributeValue]:
    """What was compiled: sizes and digests, and codes of what was left out or changed."""
    prompt = answerable.prompt
    codes = Counter(f"{told.contribution_id}:{told.code.value}" for told in prompt.diagnostics)
    return {
        f"{_OURS}.prompt.chars": len(prompt.text),
        f"{_OURS}.prompt.blocks": len(prompt.blocks),
        f"{_OURS}.prompt.grounded": answerable.grounded,
        f"{_OURS}.prompt.digest.l0": prompt.digests.l0,
        f"{_OURS}.prompt.digest.l1": prompt.digests.l1,
        f"{_OURS}.prompt.digest.whole": prompt.digests.whole,
        **{f"{_OURS}.prompt.{layer.value.lower()}.chars": len(text) for layer, text in prompt.layers.items()},
        f"{_OURS}.prompt.diagnostics": sorted(codes)[:MAX_TOLD_DROPS],
    }


def _chat_attributes() -> dict[str, AttributeValue]:
    return {"gen_ai.operation.name": "chat", "gen_ai.request.stream": True, **_kinds("LLM", "generation")}


def _completion_attributes(completion: Completion | None) -> dict[str, AttributeValue | None]:
    if completion is None:
        return {}
    model = _text(completion.model, 200) or None
    return {
        "gen_ai.response.finish_reasons": [completion.finish.value],
        "gen_ai.response.model": model,
        "llm.model_name": model,
        "langfuse.observation.model.name": model,
        "gen_ai.usage.input_tokens": completion.prompt_tokens,
        "gen_ai.usage.output_tokens": completion.answer_tokens,
        "llm.token_count.prompt": completion.prompt_tokens,
        "llm.token_count.completion": completion.answer_tokens,
    }


def _invented(report: GroundingReport) -> int:
    """References to sources that were never admitted."""
    return sum(one.count for one in report.unknown) + report.omitted_unknown


def _report_attributes(answer: Answer) -> dict[str, AttributeValue | None]:
    """What an answer rests on, in numbers."""
    report = answer.report
    verdicts = Counter(one.verdict.value for one in report.quotes)
    return {
        f"{_OURS}.grounding.cited": len(report.cited),
        f"{_OURS}.grounding.references": sum(one.count for one in report.cited),
        f"{_OURS}.grounding.invented": _invented(report),
        f"{_OURS}.grounding.ambiguous": sum(one.count for one in report.ambiguous),
        f"{_OURS}.grounding.unused": len(report.uncited),
        **{f"{_OURS}.grounding.quotes.{name}": verdicts[name] for name in ("verbatim", "elsewhere", "nowhere")},
        f"{_OURS}.grounding.quotes.unchecked": report.omitted_quotes,
        f"{_OURS}.answer.chars": len(answer.text),
        f"{_OURS}.answer.complete": answer.complete,
        f"{_OURS}.answer.finish": None if answer.completion is None else answer.completion.finish.value,
    }
