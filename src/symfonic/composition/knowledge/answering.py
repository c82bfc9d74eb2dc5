"""From a question to an answer whose references are checked while it arrives.

Rules of this module: it puts a model behind the prompt and the filters behind the model, and decides nothing about
references or tags. The compiled prompt is the system text, the question the user's message, and nothing else is sent; a
model whose provider takes search results is sent the same with evidence apart.
What a model says goes through, in this order: text that can be written down, datamarks read as the spaces they stand
for, the filter of layer tags, the filter of references. Where nothing was admitted no model is asked: an answer without
a source would be the model's own.

The one place where a key is read, from the environment it is given, and handed to the model that may send it.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Protocol

from symfonic.adapters.knowledge.ports import ChatMessage, Completion, FinishReason, ModelError, SearchResultModel
from symfonic.capabilities.knowledge import (
    UNVERIFIED_MARK,
    BridgeError,
    CitationLedger,
    CitationTagFilter,
    GroundingFilter,
    GroundingReport,
    ReferenceWriter,
    chain,
)
from symfonic.capabilities.prompting import PromptContractError, RenderPolicy

from ._answer_text import Unmarking, WellFormed
from ._provider_keys import key_for
from .errors import KnowledgeError, MissingExtraError, SettingsError, type_name
from .explanation import require_answerable, require_kind
from .ledgers import ledger_of, shown_documents, shown_rows, shows_sources, whole_documents

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
    from types import TracebackType
    from typing import Self

    from symfonic.adapters.knowledge.messages import MessageParts, Turn
    from symfonic.adapters.knowledge.ports import ChatModel
    from symfonic.capabilities.knowledge import LedgerEntry, StreamFilter

    from .explanation import Answerable
    from .settings import Settings

__all__ = [
    "ANTHROPIC_KEY_VARIABLE",
    "ANTHROPIC_PREFIX",
    "KEY_VARIABLE",
    "LOCAL_MODEL",
    "Answer",
    "Answering",
    "ModelFailedError",
    "NothingAdmittedError",
    "chat_messages",
    "chat_model",
    "message_parts",
    "verify_answer",
]

KEY_VARIABLE: Final = "OPENAI_API_KEY"
"""The variable a key comes from."""

ANTHROPIC_PREFIX: Final = "anthropic:"
"""Begins the name of a model that is asked through Anthropic's Messages API."""

ANTHROPIC_KEY_VARIABLE: Final = "ANTHROPIC_API_KEY"
"""The variable the key of such a model comes from."""

LOCAL_MODEL: Final = "local"
"""The name of the model that runs in this process, with weights that were installed."""

OnUnknown = Literal["mark", "keep"]


# ----------------------------------------------------------------------------------------------------------- models


def chat_model(settings: Settings, environ: Mapping[str, str] | None = None) -> ChatModel:
    """Make the model that the settings name.

    Args:
        settings: ``model``, ``base_url``, ``model_timeout`` and ``max_answer_tokens`` count.
        environ: The environment, usually ``os.environ``: :data:`KEY_VARIABLE` is read, or for a name that begins with
            :data:`ANTHROPIC_PREFIX` :data:`ANTHROPIC_KEY_VARIABLE`, and nothing else. ``None`` has no key.

    Raises:
        SettingsError: No model is named, or its address needs a key and there is none.
        MissingExtraError: What asks the model is not installed.
    """
    if settings.model is None:
        raise SettingsError(
            "a question is answered by a model; none is named and nothing was asked; name one with --model NAME, with "
            "SYMFONIC_KNOWLEDGE_MODEL, or as model under [answer] in the settings"
        )
    try:
        return _model_of(settings, settings.model, environ or {})
    except ModelError as error:
        raise MissingExtraError(str(error)) from error


def _model_of(settings: Settings, name: str, environ: Mapping[str, str]) -> ChatModel:
    if name == LOCAL_MODEL:
        from symfonic.adapters.knowledge.models.local import LocalChatModel

        return LocalChatModel(timeout=settings.model_timeout, max_tokens=settings.max_answer_tokens)
    if name.startswith(ANTHROPIC_PREFIX):
        return _anthropic_model(settings, name.removeprefix(ANTHROPIC_PREFIX), environ)
    from symfonic.adapters.knowledge.models.endpoints import DEFAULT_BASE_URL, Endpoint
    from symfonic.adapters.knowledge.models.openai import OpenAIChatModel

    address = settings.base_url or DEFAULT_BASE_URL
    return OpenAIChatModel(
        name,
        base_url=address,
        api_key=key_for(Endpoint(address), environ, KEY_VARIABLE),
        timeout=settings.model_timeout,
        max_tokens=settings.max_answer_tokens,
    )


def _anthropic_model(settings: Settings, name: str, environ: Mapping[str, str]) -> ChatModel:
    from symfonic.adapters.knowledge.models.anthropic import DEFAULT_ADDRESS, AnthropicModel
    from symfonic.adapters.knowledge.models.endpoints import Endpoint

    if not name:
        raise SettingsError(
            f"{ANTHROPIC_PREFIX} begins the name of a model; none follows and nothing was asked; write, for instance, "
            f"{ANTHROPIC_PREFIX}claude-sonnet-5"
        )
    address = settings.base_url or DEFAULT_ADDRESS
    return AnthropicModel(
        name,
        base_url=address,
        api_key=key_for(Endpoint(address), environ, ANTHROPIC_KEY_VARIABLE),
        timeout=settings.model_timeout,
        max_tokens=settings.max_answer_tokens,
    )


def chat_messages(answerable: Answerable) -> tuple[ChatMessage, ChatMessage]:
    """What a model is sent: the compiled prompt as system text, the question as the user's message.

    Raises:
        InputError: It is no :class:`Answerable`.
    """
    require_answerable(answerable)
    return ChatMessage("system", answerable.prompt.text), ChatMessage("user", answerable.question)


def message_parts(answerable: Answerable, *, history: Iterable[Turn] = ()) -> MessageParts:
    """What a model is sent where evidence goes apart: authored text as system text, every source under its label.

    Args:
        answerable: The question with its prompt, of a knowledge base or made of a prompt and selections of your own.
        history: The conversation so far.

    Raises:
        InputError: It is no :class:`Answerable`.
        MessageError: The history is out of order, or a selection is not that of the prompt.
    """
    require_answerable(answerable)
    from symfonic.adapters.knowledge.messages import MessageParts

    ledgers = {name: shown_rows(answerable, name) for name in answerable.all_selections}
    documents = {name: shown_documents(answerable, name) for name in whole_documents(answerable)}
    return MessageParts.apart(
        answerable.prompt, answerable.question, ledgers=ledgers, documents=documents, history=history
    )


# ---------------------------------------------------------------------------------------------------------- answers


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer as it was shown, and what it rests on.

    Attributes:
        text: What was shown, after all filters.
        report: Which sources it cites, which it made up, which it never used, and where its quotations stand.
        completion: How it ended, and what it took; ``None`` where it did not come to its end, and where nobody saw how
            it ended: of an answer that was there already, :func:`verify_answer` cannot tell.
    """

    text: str = field(repr=False)
    report: GroundingReport
    completion: Completion | None = None

    @property
    def marks(self) -> int:
        """How often the mark of an invented source stands in the text: from this check, one before it, or the model."""
        return self.text.count(UNVERIFIED_MARK)

    @property
    def complete(self) -> bool:
        """Whether the model is known to have said all it would."""
        return self.completion is not None and self.completion.finish is FinishReason.STOP


class NothingAdmittedError(KnowledgeError):
    """An answer was asked for where the prompt holds no source, and no model was asked.

    Attributes:
        answerable: The question with its prompt and selection; its ``explain()`` says why each row was left out.
    """

    code: ClassVar[str] = "nothing-admitted"

    def __init__(self, message: str, *, answerable: Answerable) -> None:
        super().__init__(message)
        self.answerable = answerable


class ModelFailedError(KnowledgeError):
    """The model did not answer, or not to the end; what was shown stands.

    Attributes:
        reason: What went wrong, as a stable word: a ``code`` of :class:`ModelError`, or ``failed``.
        status: The HTTP status behind it, or ``None``.
        answer: The account of what was shown.
    """

    code: ClassVar[str] = "model"

    def __init__(self, message: str, *, reason: str, status: int | None, answer: Answer) -> None:
        super().__init__(message)
        self.reason = reason
        self.status = status
        self.answer = answer


class _Reporting(Protocol):
    """What a filter of references also has."""

    def report(self) -> GroundingReport: ...

    def _report_until(self, end: int) -> GroundingReport: ...


class Answering:
    """An answer while it arrives: iterate over the pieces to show; :meth:`answer` is the account of them.

    ::

        with base.answer("How much leave is there?", model=model) as answering:
            for piece in answering:
                print(piece, end="", flush=True)
        print(answering.answer().report)

    A piece is final: nothing shown is taken back. The model is asked when the first piece is. One thread reads; any may
    ask for the account, which waits for no model, or stop, which waits for a piece that is being read. Whatever ends an
    answer inside ``render``, an interrupt too, ends it for good, with the account of what was shown. ``render`` and the
    model may ask for the account; reading or stopping the answer from there is refused, for it would wait for itself.
    Get one from :meth:`KnowledgeBase.answer`.

    Args:
        answerable: The question with its prompt.
        model: Is sent the prompt and the question.
        on_unknown: ``mark`` puts a fixed text in the place of a reference to a source that was never admitted,
            ``keep`` leaves it; both report it.
        render: What to write in the place of an admitted reference, from its entry and its number.
        datamark: The character that joined words in the prompt, if any; it is read as the space it stands for.

    Attributes:
        answerable: As given.
        ledger: What the prompt showed.

    Raises:
        NothingAdmittedError: The prompt holds no source that was found for the question, only standing documents or
            nothing; no model is asked.
        InputError: ``answerable`` is none.
        SettingsError: ``on_unknown``, ``render`` or ``datamark`` is none.
    """

    __slots__ = (
        "_completion",
        "_failure",
        "_filters",
        "_grounding",
        "_lock",
        "_over",
        "_reader",
        "_report",
        "_shown",
        "_source",
        "_state",
        "answerable",
        "ledger",
    )

    def __init__(
        self,
        answerable: Answerable,
        model: ChatModel,
        *,
        on_unknown: OnUnknown = "mark",
        render: Callable[[LedgerEntry, int], str] | None = None,
        datamark: str | None = None,
    ) -> None:
        self.answerable = answerable
        self.ledger = ledger_of(answerable)
        if not shows_sources(answerable):
            raise NothingAdmittedError(
                "an answer rests on sources; the prompt holds none that was found for the question and no model was "
                "asked; explain says why each passage was left out",
                answerable=answerable,
            )
        writer = ReferenceWriter() if isinstance(model, SearchResultModel) else None
        self._filters, self._grounding = _filters(self.ledger, on_unknown, render, datamark, writer)
        self._source = _asked(model, answerable, writer)
        self._lock = threading.Lock()  # who reads, or stops; held while the model is waited for
        self._reader: int | None = None  # the thread that does
        # Filters and account, never held while the model is waited for. Reentrant: a render may ask for the account.
        self._state = threading.RLock()
        self._shown: list[str] = []
        self._report: GroundingReport | None = None
        self._completion: Completion | None = None
        self._failure: ModelFailedError | None = None
        self._over = False

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        """The next piece to show.

        Raises:
            ModelFailedError: The model failed; it carries the account of what was shown. What the filters still held
                came as a piece before.
            SettingsError: ``render`` raised, or made something that is no text; the answer ends there. Or ``render``
                or the model called this.
        """
        with self._alone():
            while not self._over:
                if shown := self._advance():
                    return shown
            failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        raise StopIteration

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Nobody else reads or stops meanwhile; who does so already would wait for itself."""
        if self._reader == threading.get_ident():
            raise SettingsError(
                "an answer is read and stopped from outside; this call came from its own render or model, would wait "
                "for itself and did nothing; let them answer text, and stop where the pieces are read"
            )
        with self._lock:
            self._reader = threading.get_ident()
            try:
                yield
            finally:
                self._reader = None

    def _advance(self) -> str:
        """Read one piece of the model and return what can be shown of it."""
        try:
            piece = _checked(next(self._source))
        except StopIteration as end:
            shown, _ = self._ended()
            self._completion = end.value  # after: an answer whose end the filters did not pass on is not complete
            return shown
        except Exception as error:  # noqa: BLE001 - a model of the user's own may raise anything
            shown = ""
            with suppress(SettingsError):  # what ended the answer is what the reader has to hear of
                shown, _ = self._ended()
            self._failure = _failed(error, self.answer())
            return shown
        return self._showing(lambda: self._filters.feed(piece))

    def _ended(self) -> tuple[str, Exception | None]:
        """Let go of the model; return what the filters still held, and what the model raised over it."""
        self._over = True
        trouble: Exception | None = None
        try:
            trouble = self._let_go()
        finally:
            shown = self._showing(self._filters.flush)
        return shown, trouble

    def _let_go(self) -> Exception | None:
        """Close the model's stream; return what it raised."""
        try:
            self._source.close()
        except Exception as error:  # noqa: BLE001 - a model of the user's own may raise anything
            return error
        return None

    def _showing(self, passed_on: Callable[[], str]) -> str:
        """Keep and return what the filters pass on. Whatever breaks in here, an interrupt too, ends the answer."""
        try:
            return self._kept(passed_on)
        except BaseException as error:
            self._let_go()
            if isinstance(error, BridgeError):  # a render of the caller's own raised, or made no text
                raise SettingsError(str(error)) from error
            raise

    def _kept(self, passed_on: Callable[[], str]) -> str:
        with self._state:
            try:
                if text := passed_on():
                    self._shown.append(text)
            except BaseException:
                self._over = True  # first of all: filters that were interrupted would begin another account
                # References were counted that nobody was shown.
                self._report = self._grounding._report_until(len(self.text))  # noqa: SLF001 - from its own package
                raise
        return text

    def stop(self) -> str:
        """End the answer here and let go of the model; return what the filters still held, which belongs to it.

        Nothing comes after it. Stopping what has ended does nothing. It waits for a piece that another thread reads: a
        model that says nothing is not cut short, but ends by its own time limit.

        Raises:
            ModelFailedError: The model raised over being let go. The answer has ended all the same; what was held
                stands at the end of the account that comes with it.
            SettingsError: As :meth:`__next__`.
        """
        with self._alone():
            if self._over:
                return ""
            held, trouble = self._ended()
            if trouble is not None:
                raise _failed(trouble, self.answer())
            return held

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """As :meth:`stop`; an error on the way out is not replaced by one of stopping."""
        try:
            self.stop()
        except KnowledgeError:
            if error is None:
                raise

    @property
    def text(self) -> str:
        """What was shown so far."""
        with self._state:
            return "".join(self._shown)

    def answer(self) -> Answer:
        """The account of what was shown so far; after the last piece, of the whole answer."""
        with self._state:
            report = self._report or self._grounding.report()
            return Answer(text=self.text, report=report, completion=self._completion)


def verify_answer(text: str, ledger: CitationLedger, *, datamark: str | None = None) -> Answer:
    """Check an answer against the ledger of its prompt, in any process.

    Args:
        text: What the model said.
        ledger: What the prompt showed.
        datamark: The character that joined words in the prompt, if any. A ledger does not know it. With it, a label or
            a passage that the model copied with marks is read as it was; without it, such a label counts as an invented
            name and such a quotation stands nowhere.

    Returns:
        The answer without layer tags, datamarks read as spaces, every reference as it stands, and the report; offsets
        count in that text. How the model ended is not known: ``completion`` is ``None``. Marks that an earlier check
        left are no invented names: :attr:`Answer.marks` counts them.

    Raises:
        InputError: ``text`` is no text, or ``ledger`` no ledger.
        SettingsError: ``datamark`` is none.
    """
    require_kind("an answer to check", "a text", text, str)
    require_kind("a ledger to check", "a CitationLedger, as read_ledger gives one", ledger, CitationLedger)
    filters, grounding = _filters(ledger, "keep", None, datamark)
    shown = filters.feed(text) + filters.flush()
    return Answer(text=shown, report=grounding.report())


def _filters(
    ledger: CitationLedger,
    on_unknown: OnUnknown,
    render: Callable[[LedgerEntry, int], str] | None,
    datamark: str | None,
    writer: ReferenceWriter | None = None,
) -> tuple[StreamFilter, _Reporting]:
    try:
        grounding = GroundingFilter(ledger, on_unknown=on_unknown, render=render)
    except BridgeError as error:
        raise SettingsError(str(error)) from error
    unmarking = () if datamark is None else (_unmarking(datamark, ledger),)
    writing = () if writer is None else (writer,)
    return chain(WellFormed(), *unmarking, CitationTagFilter(), *writing, grounding), grounding


def _unmarking(datamark: str, ledger: CitationLedger) -> StreamFilter:
    try:
        RenderPolicy(datamark=datamark)
    except PromptContractError as error:
        raise SettingsError(str(error)) from error
    return Unmarking(datamark, (entry.label for entry in ledger))


def _asked(
    model: ChatModel, answerable: Answerable, writer: ReferenceWriter | None
) -> Generator[str, None, Completion]:
    """The pieces of a model's answer, and how it ended. Asked is it with the first piece; what to ask is made now."""
    if writer is not None and isinstance(model, SearchResultModel):
        return _completed(_cited(model, message_parts(answerable), writer))
    return _completed(_said(model, answerable))


def _completed(answer: Generator[str, None, object]) -> Generator[str, None, Completion]:
    """A model that does not say how it ended ended by itself."""
    completion: object = yield from answer
    return completion if isinstance(completion, Completion) else Completion()


def _said(model: ChatModel, answerable: Answerable) -> Generator[str, None, object]:
    answer: Any = model.stream(chat_messages(answerable))  # an iterator, and mostly a generator, which returns more
    completion: object = yield from answer
    return completion


def _cited(model: SearchResultModel, parts: MessageParts, writer: ReferenceWriter) -> Generator[str, None, object]:
    """The same of a model that takes search results: the writer, which stands in the filters, hears what it cites."""
    from symfonic.adapters.knowledge.messages import AnthropicCitations, anthropic_request

    citations = AnthropicCitations(parts.pieces, writer=writer)
    events: Any = model.stream_search_results(anthropic_request(parts))
    try:
        while True:
            try:
                yield from citations.texts(next(events))
            except StopIteration as end:
                citations.end()
                return end.value
            except Exception:
                citations.end()  # what came before stands
                with suppress(Exception):
                    _close(events)
                events = None
                raise
    finally:
        _close(events)


def _close(events: object) -> None:
    if (close := getattr(events, "close", None)) is not None:
        close()


def _checked(piece: object) -> str:
    if not isinstance(piece, str):
        raise ModelError(
            f"a model answers with text; this one gave a {type_name(piece)} and the answer ends here; look at how "
            "its stream is made",
            code="malformed",
        )
    return piece


def _failed(error: Exception, answer: Answer) -> ModelFailedError:
    if isinstance(error, ModelError):
        failure = ModelFailedError(str(error), reason=error.code, status=error.status, answer=answer)
    else:
        failure = ModelFailedError(
            f"a model answers with text or with an error of its own; this one raised {type_name(error)} and the "
            "answer ends here; look at its cause",
            reason="failed",
            status=None,
            answer=answer,
        )
    failure.__cause__ = error
    return failure
