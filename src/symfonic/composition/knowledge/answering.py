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
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Protocol

from symfonic.adapters.knowledge.ports import ChatMessage, Completion, FinishReason, ModelError, SearchResultModel
from symfonic.capabilities.knowledge import BridgeError, CitationTagFilter, GroundingFilter, GroundingReport, chain

from .errors import KnowledgeError, MissingExtraError, SettingsError
from .explanation import explain_rows
from .ledgers import ledger_of
from .wiring import KNOWLEDGE_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping
    from types import TracebackType
    from typing import Self

    from symfonic.adapters.knowledge.messages import MessageParts, Turn
    from symfonic.adapters.knowledge.models.endpoints import Endpoint
    from symfonic.adapters.knowledge.ports import ChatModel
    from symfonic.capabilities.knowledge import CitationLedger, LedgerEntry, StreamFilter

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
        api_key=_key_for(Endpoint(address), environ, KEY_VARIABLE),
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
        api_key=_key_for(Endpoint(address), environ, ANTHROPIC_KEY_VARIABLE),
        timeout=settings.model_timeout,
        max_tokens=settings.max_answer_tokens,
    )


def _key_for(endpoint: Endpoint, environ: Mapping[str, str], variable: str) -> str | None:
    key = environ.get(variable, "").strip()
    if not key and endpoint.needs_key:
        raise SettingsError(
            f"{endpoint.url} is asked with a key; {variable} is not set and nothing was asked; set it, or name a "
            "server on this machine with --base-url"
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise SettingsError(
            f"a key is one word of ASCII; what {variable} holds is none and could not be sent; set it again"
        )
    return key or None


def chat_messages(answerable: Answerable) -> tuple[ChatMessage, ChatMessage]:
    """What a model is sent: the compiled prompt as system text, the question as the user's message."""
    return ChatMessage("system", answerable.prompt.text), ChatMessage("user", answerable.question)


def message_parts(answerable: Answerable, *, history: Iterable[Turn] = ()) -> MessageParts:
    """What a model is sent where evidence goes apart: authored text as system text, every source under its label.

    Args:
        answerable: The question with its prompt.
        history: The conversation so far.

    Raises:
        MessageError: The history is out of order.
    """
    from symfonic.adapters.knowledge.messages import MessageParts

    rows = [_Shown(row.citation) for row in explain_rows(answerable.selection) if row.admitted]
    ledgers = {KNOWLEDGE_ID: rows}
    return MessageParts.apart(answerable.prompt, answerable.question, ledgers=ledgers, history=history)


@dataclass(frozen=True, slots=True)
class _Shown:
    """A row as the prompt shows it."""

    label: str


# ---------------------------------------------------------------------------------------------------------- answers


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer as it was shown, and what it rests on.

    Attributes:
        text: What was shown, after all filters.
        report: Which sources it cites, which it made up, which it never used, and where its quotations stand.
        completion: How it ended, and what it took; ``None`` where it did not come to its end.
    """

    text: str = field(repr=False)
    report: GroundingReport
    completion: Completion | None = None

    @property
    def complete(self) -> bool:
        """Whether the model had said all it would."""
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


class Answering:
    """An answer while it arrives: iterate over the pieces to show; :meth:`answer` is the account of them.

    ::

        with base.answer("How much leave is there?", model=model) as answering:
            for piece in answering:
                print(piece, end="", flush=True)
        print(answering.answer().report)

    A piece is final: nothing shown is taken back. The model is asked when the first piece is. One thread reads; any may
    ask for the account or stop. Get one from :meth:`KnowledgeBase.answer`.

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
        NothingAdmittedError: The prompt holds no source; no model is asked.
        SettingsError: ``on_unknown`` or ``render`` is none.
    """

    __slots__ = (
        "_completion",
        "_failure",
        "_filters",
        "_grounding",
        "_lock",
        "_over",
        "_shown",
        "_source",
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
        if not len(self.ledger):
            raise NothingAdmittedError(
                "an answer rests on sources; the prompt holds none and no model was asked; explain says why each "
                "passage was left out",
                answerable=answerable,
            )
        self._filters, self._grounding = _filters(self.ledger, on_unknown, render, datamark)
        self._source = _asked(model, answerable)
        self._lock = threading.Lock()
        self._shown: list[str] = []
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
            SettingsError: ``render`` raised, or made something that is no text; the answer ends there.
        """
        with self._lock:
            while not self._over:
                if shown := self._advance():
                    return shown
            failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        raise StopIteration

    def _advance(self) -> str:
        """Read one piece of the model and return what can be shown of it."""
        try:
            piece = _checked(next(self._source))
        except StopIteration as end:
            self._completion = end.value
            return self._ended()
        except Exception as error:  # noqa: BLE001 - a model of the user's own may raise anything
            shown = self._ended()
            self._failure = _failed(error, self.answer())
            return shown
        return self._showing(lambda: self._filters.feed(piece))

    def _ended(self) -> str:
        self._over = True
        self._source.close()
        return self._showing(self._filters.flush)

    def _showing(self, passed_on: Callable[[], str]) -> str:
        """Keep and return what the filters pass on."""
        try:
            text = passed_on()
        except BridgeError as error:  # a render of the caller's own raised, or made no text
            self._over = True
            self._source.close()
            raise SettingsError(str(error)) from error
        if text:
            self._shown.append(text)
        return text

    def stop(self) -> str:
        """End the answer here and let go of the model; return what the filters still held, which belongs to it.

        Nothing comes after it. Stopping what has ended does nothing. It waits for a piece that another thread reads.
        """
        with self._lock:
            return "" if self._over else self._ended()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def text(self) -> str:
        """What was shown so far."""
        return "".join(self._shown)

    def answer(self) -> Answer:
        """The account of what was shown so far; after the last piece, of the whole answer."""
        return Answer(text=self.text, report=self._grounding.report(), completion=self._completion)


def verify_answer(text: str, ledger: CitationLedger, *, datamark: str | None = None) -> Answer:
    """Check an answer against the ledger of its prompt, in any process.

    Args:
        text: What the model said.
        ledger: What the prompt showed.
        datamark: As in :class:`Answering`.

    Returns:
        The answer without layer tags, every reference as it stands, and the report; offsets count in that text.
    """
    filters, grounding = _filters(ledger, "keep", None, datamark)
    shown = filters.feed(text) + filters.flush()
    return Answer(text=shown, report=grounding.report(), completion=Completion())


def _filters(
    ledger: CitationLedger,
    on_unknown: OnUnknown,
    render: Callable[[LedgerEntry, int], str] | None,
    datamark: str | None,
) -> tuple[StreamFilter, _Reporting]:
    try:
        grounding = GroundingFilter(ledger, on_unknown=on_unknown, render=render)
    except BridgeError as error:
        raise SettingsError(str(error)) from error
    unmarking = () if datamark is None else (_Unmarking(datamark),)
    return chain(_WellFormed(), *unmarking, CitationTagFilter(), grounding), grounding


def _asked(model: ChatModel, answerable: Answerable) -> Generator[str, None, Completion]:
    """The pieces of a model's answer, and how it ended; a model that does not say so ended by itself."""
    # An iterator, and mostly a generator, which returns more.
    answer: Any
    if isinstance(model, SearchResultModel):
        answer = _cited(model, answerable)
    else:
        answer = model.stream(chat_messages(answerable))
    completion: object = yield from answer
    return completion if isinstance(completion, Completion) else Completion()


def _cited(model: SearchResultModel, answerable: Answerable) -> Generator[str, None, object]:
    """The same of a model that takes search results: what it cites is written into its text as references."""
    from symfonic.adapters.knowledge.messages import AnthropicCitations, anthropic_request

    parts = message_parts(answerable)
    citations = AnthropicCitations(parts.pieces)
    events: Any = model.stream_search_results(anthropic_request(parts))
    try:
        while True:
            try:
                event = next(events)
            except StopIteration as end:
                yield citations.flush()
                return end.value
            except Exception:
                yield citations.flush()  # what came before stands
                raise
            yield citations.feed(event)
    finally:
        if hasattr(events, "close"):
            events.close()


def _checked(piece: object) -> str:
    if not isinstance(piece, str):
        raise ModelError(
            f"a model answers with text; this one gave a {type(piece).__name__} and the answer ends here; look at how "
            "its stream is made",
            code="malformed",
        )
    return piece


def _failed(error: Exception, answer: Answer) -> ModelFailedError:
    if isinstance(error, ModelError):
        failure = ModelFailedError(str(error), reason=error.code, status=error.status, answer=answer)
    else:
        failure = ModelFailedError(
            f"a model answers with text or with an error of its own; this one raised {type(error).__name__} and the "
            "answer ends here; look at its cause",
            reason="failed",
            status=None,
            answer=answer,
        )
    failure.__cause__ = error
    return failure


# ---------------------------------------------------------------------------------------- small filters of our own


class _WellFormed:
    """Makes text that can be written down: halves of a character that came in two pieces are joined, a lone one shows.

    A server may cut between the two escapes of one character, and JSON lets a half stand alone.
    """

    __slots__ = ("_half",)

    def __init__(self) -> None:
        self._half = ""

    def feed(self, text: str) -> str:
        """At most one half is held."""
        text, self._half = self._half + text, ""
        try:
            text.encode()
        except UnicodeEncodeError:
            if "\ud800" <= text[-1] <= "\udbff":
                text, self._half = text[:-1], text[-1]
            return _joined(text)
        return text

    def flush(self) -> str:
        """A half that stayed alone."""
        half, self._half = self._half, ""
        return _joined(half)


def _joined(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class _Unmarking:
    """Reads a datamark as the space it stands for."""

    __slots__ = ("_mark",)

    def __init__(self, mark: str) -> None:
        self._mark = mark

    def feed(self, text: str) -> str:
        """One character for one."""
        return text.replace(self._mark, " ")

    def flush(self) -> str:
        """Nothing is held."""
        return ""
