"""Anthropic's Messages API: the real SDK over a real connection to a scripted server."""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import anthropic
import pytest

from symfonic.adapters.knowledge.models.anthropic import DEFAULT_ADDRESS, AnthropicModel, _Reading
from symfonic.adapters.knowledge.ports import (
    ChatMessage,
    ChatModel,
    Completion,
    FinishReason,
    ModelError,
    SearchResultModel,
)
from symfonic.testing.knowledge import Fault, ScriptedChatModel, ScriptedChatServer, ScriptedReply

if TYPE_CHECKING:
    from collections.abc import Callable

MESSAGES = (ChatMessage("system", "Say it."), ChatMessage("user", "How much leave? \u2028 é"))
RESULT = {
    "type": "search_result",
    "source": "leave.md",
    "title": "leave.md",
    "content": [{"type": "text", "text": "Thirty days."}],
    "citations": {"enabled": True},
}
REQUEST = {"messages": [{"role": "user", "content": [RESULT, {"type": "text", "text": "How much leave?"}]}]}
SECRET = "sk-do-not-show"


def drain(answer: Any) -> tuple[list[Any], Completion | ModelError]:
    """What an answer gave and how it ended."""
    pieces: list[Any] = []
    try:
        while True:
            pieces.append(next(answer))
    except StopIteration as end:
        completion: Completion = end.value
        return pieces, completion
    except ModelError as error:
        return pieces, error


def read(reply: ScriptedReply | str, **options: Any) -> tuple[list[str], Completion | ModelError]:
    """The pieces of an answer and how it ended."""
    with ScriptedChatServer(reply) as server:
        return drain(AnthropicModel("m", base_url=server.address, **options).stream(MESSAGES))


@pytest.mark.requirement("AN-NATIVE-1")
@pytest.mark.parametrize("packet", [None, 1, 7])
def test_an_answer_arrives_piece_by_piece(packet: int | None) -> None:
    """Wherever the connection cuts events, lines and characters."""
    pieces, end = read(ScriptedReply(["Dreißig ", "", "Tage 😀", "\n\ndata: x"], packet=packet))
    assert pieces == ["Dreißig ", "Tage 😀", "\n\ndata: x"]
    assert end == Completion(finish=FinishReason.STOP, model="m", prompt_tokens=7, answer_tokens=3)


@pytest.mark.parametrize(
    ("said", "finish"),
    [
        ("stop", FinishReason.STOP),
        ("stop_sequence", FinishReason.STOP),
        ("length", FinishReason.LENGTH),
        ("model_context_window_exceeded", FinishReason.LENGTH),
        ("content_filter", FinishReason.FILTERED),
        ("pause_turn", FinishReason.OTHER),
    ],
)
def test_the_reason_of_an_end_is_told(said: str, finish: FinishReason) -> None:
    """With tokens where the server counted."""
    assert read(ScriptedReply(["a"], finish=said, usage=None))[1] == Completion(finish=finish, model="m")


def test_messages_go_out_as_they_are() -> None:
    """The system text by itself, everything else as it was said."""
    with ScriptedChatServer("a") as server:
        model: ChatModel = AnthropicModel("m", base_url=server.address, max_tokens=9)
        drain(model.stream((*MESSAGES, ChatMessage("assistant", "28."), ChatMessage("user", "Sure?"))))
        drain(model.stream(MESSAGES[1:]))
    first, second = server.requests
    assert first.path == "/v1/messages"
    turns = [{"role": "user", "content": MESSAGES[1].content}]
    assert first.body == {
        "model": "m",
        "max_tokens": 9,
        "stream": True,
        "system": "Say it.",
        "messages": [*turns, {"role": "assistant", "content": "28."}, {"role": "user", "content": "Sure?"}],
    }
    assert second.body == {"model": "m", "max_tokens": 9, "stream": True, "messages": turns}


def test_nothing_of_a_request_goes_to_traces(monkeypatch: pytest.MonkeyPatch) -> None:
    """The SDK would send spans, and content where a variable asks for it, wherever the host's tracing leads."""
    made: list[dict[str, Any]] = []
    real = anthropic.Anthropic

    def recorded(**fields: Any) -> anthropic.Anthropic:
        made.append(fields)
        return real(**fields)

    monkeypatch.setattr(anthropic, "Anthropic", recorded)
    pieces, _ = read("a")
    assert pieces == ["a"]
    assert [fields["open_telemetry"] for fields in made] == [False]


@pytest.mark.requirement("AN-NATIVE-1")
def test_a_request_goes_out_as_it_is_and_its_events_come_back() -> None:
    """Search results up, citations down; the answer ends as a stream of text does."""
    with ScriptedChatServer(ScriptedReply(["Leave: ", "thirty days", "."], cited={1: (0,)}, packet=5)) as server:
        model = AnthropicModel("m", base_url=server.address)
        events, end = drain(model.stream_search_results(REQUEST))
    assert server.requests[0].body == {"model": "m", "max_tokens": 1024, "stream": True, **REQUEST}
    deltas = [event.delta for event in events if event.type == "content_block_delta"]
    assert [delta.text for delta in deltas if delta.type == "text_delta"] == ["Leave: ", "thirty days", "."]
    (citation,) = [delta.citation for delta in deltas if delta.type == "citations_delta"]
    assert (citation.source, citation.search_result_index, citation.cited_text) == ("leave.md", 0, "Thirty days.")
    assert end == Completion(model="m", prompt_tokens=7, answer_tokens=3)
    assert isinstance(model, SearchResultModel)
    assert not isinstance(ScriptedChatModel(()), SearchResultModel)


@pytest.mark.requirement("AN-NATIVE-1")
def test_the_first_words_of_a_block_may_come_with_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block of another kind has none."""
    starts = [
        {"type": "content_block_start", "index": index, "content_block": block}
        for index, block in enumerate(({"type": "thinking", "thinking": "…"}, {"type": "text", "text": "Thirty days."}))
    ]
    script(monkeypatch, *starts, ENDING)
    assert read("a")[0] == ["Thirty days."]


def test_tokens_that_a_cache_held_were_read_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The API counts them apart."""
    usage = {"input_tokens": 7, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 20, "output_tokens": 1}
    script(monkeypatch, {"type": "message_start", "message": {"model": "m", "usage": usage}}, ENDING)
    assert read("a")[1] == Completion(finish=FinishReason.STOP, model="m", prompt_tokens=127, answer_tokens=None)


@pytest.mark.requirement("AN-KEY-1")
def test_nothing_of_the_environment_travels(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key, no header of a variable, no proxy on the way to this machine, and no other address."""
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE", "ANTHROPIC_WEBHOOK_SIGNING_KEY"):
        monkeypatch.setenv(name, SECRET)
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", f"X-Mine: {SECRET}\nAnthropic-Beta: {SECRET}")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "ANTHROPIC_BASE_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with ScriptedChatServer("a") as server:
        assert drain(AnthropicModel("m", base_url=server.address).stream(MESSAGES))[0] == ["a"]
    (request,) = server.requests
    assert {"authorization", "x-api-key"} & request.headers.keys() == set()
    assert [name for name, value in request.headers.items() if SECRET in value] == []


@pytest.mark.requirement("AN-KEY-1")
def test_a_key_is_sent_where_it_may_travel_and_shown_nowhere() -> None:
    """Not in an error, nor in what the model says of itself."""
    with ScriptedChatServer(ScriptedReply(status=401, body=f'{{"error": {{"message": "{SECRET}"}}}}')) as server:
        model = AnthropicModel("m", base_url=server.address, api_key=SECRET)
        _, error = drain(model.stream(MESSAGES))
    assert [name for name, value in server.requests[0].headers.items() if SECRET in value] != []
    assert isinstance(error, ModelError)
    assert SECRET not in f"{error}{error.__cause__}{model!r}{error!r}"
    assert error.__suppress_context__
    assert AnthropicModel("m", base_url="http://10.0.0.5", api_key=SECRET)._api_key is None
    assert AnthropicModel("m", api_key=SECRET).endpoint.url == DEFAULT_ADDRESS


@pytest.mark.requirement("AN-NATIVE-2")
@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (Fault.DISCONNECT, "interrupted"),
        (Fault.NO_FINISH, "interrupted"),
        (Fault.STALL, "timeout"),
        (Fault.MALFORMED, "malformed"),
        (Fault.SHAPELESS, "malformed"),
        (Fault.ERROR, "server"),
    ],
)
@pytest.mark.parametrize("chunks", [[], ["Thirty ", "days."]])
def test_a_fault_is_one_error_and_what_came_before_stands(fault: Fault, code: str, chunks: list[str]) -> None:
    """Whatever goes wrong, and wherever."""
    pieces, error = read(ScriptedReply(chunks, fault=fault), timeout=0.2)
    assert pieces == chunks
    assert isinstance(error, ModelError)
    assert (error.code, error.status) == (code, None)
    assert "secret" not in str(error)


@pytest.mark.requirement("AN-NATIVE-2")
@pytest.mark.parametrize(
    ("status", "code"),
    [
        (307, "refused"),
        (400, "refused"),
        (401, "credentials"),
        (404, "not-found"),
        (429, "rate-limit"),
        (529, "server"),
    ],
)
def test_a_status_is_one_error_and_asked_once(status: int, code: str) -> None:
    """No redirect is followed and no request repeated; what the server said is shown nowhere."""
    with ScriptedChatServer(ScriptedReply(status=status)) as server:
        pieces, error = drain(AnthropicModel("m", base_url=server.address).stream(MESSAGES))
    assert (pieces, len(server.requests)) == ([], 1)
    assert isinstance(error, ModelError)
    assert (error.code, error.status, str(error).isprintable()) == (code, status, True)


@pytest.mark.requirement("AN-NATIVE-2")
def test_an_address_nobody_listens_at() -> None:
    """The root of it is named."""
    with ScriptedChatServer("a") as server:
        address = server.address
    _, error = drain(AnthropicModel("m", base_url=address).stream(MESSAGES))
    assert isinstance(error, ModelError)
    assert error.code == "unreachable"
    assert "(ConnectionRefusedError)" in str(error)


@pytest.mark.requirement("AN-NATIVE-2")
def test_an_answer_without_end_is_ended() -> None:
    """A server that ignores the limit costs no more than the limit."""
    pieces, error = read(ScriptedReply(["x" * 150] * 1000), max_tokens=1)
    assert pieces == ["x" * 150]
    assert isinstance(error, ModelError)
    assert error.code == "too-long"


@pytest.mark.parametrize(
    "ask", [lambda model: model.stream(MESSAGES), lambda model: model.stream_search_results(REQUEST)]
)
def test_ending_an_answer_early_hangs_up(ask: Callable[[AnthropicModel], Any]) -> None:
    """The server notices, and nothing is left open."""
    with ScriptedChatServer(ScriptedReply(["a"], fault=Fault.STALL)) as server:
        answer = ask(AnthropicModel("m", base_url=server.address))
        next(answer)
        answer.close()
        assert server.hung_up.wait(20)


ENDING = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": -1}}


def script(monkeypatch: pytest.MonkeyPatch, *events: dict[str, Any]) -> None:
    """Have the server send these events and no others."""
    sent = [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events]
    monkeypatch.setattr("symfonic.testing.knowledge.models._messages_events", lambda *_: iter(sent))


@pytest.mark.parametrize(
    "event",
    [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": 3}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta"}},
        {"type": "content_block_delta", "index": 0},
    ],
)
def test_an_event_of_another_shape_is_malformed(event: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The SDK lets it pass."""
    script(monkeypatch, event, ENDING)
    pieces, error = read("a")
    assert pieces == []
    assert isinstance(error, ModelError)
    assert error.code == "malformed"


@pytest.mark.parametrize(
    "event",
    [
        {"type": "message_start"},
        {"type": "message_start", "message": {"model": 3, "usage": {"input_tokens": "7"}}},
        {"type": "something_new", "delta": {"text": "x"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm."}},
        {"type": "message_delta"},
    ],
)
def test_what_can_be_read_is_read(event: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Other events add nothing; counts that are none are left out."""
    script(monkeypatch, event, ENDING)
    assert read("a") == ([], Completion(finish=FinishReason.STOP))


def test_no_event_at_all_is_malformed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What listens there speaks something else."""
    script(monkeypatch)
    _, error = read("a")
    assert isinstance(error, ModelError)
    assert error.code == "malformed"


@pytest.mark.requirement("AN-MODEL-4")
def test_without_the_sdk_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """When a model is made, not in the middle of a question."""
    monkeypatch.setitem(sys.modules, "anthropic", None)
    with pytest.raises(ModelError, match=r"symfonic-knowledge\[anthropic\]") as missing:
        AnthropicModel("m")
    assert missing.value.code == "unavailable"


@pytest.mark.requirement("AN-NATIVE-2")
@pytest.mark.parametrize(
    ("reply", "most"),
    [
        (ScriptedReply(["x"], cited={0: (0,) * 1000}), 30),
        (ScriptedReply([""] * 10_000), 3 * 200),
        (ScriptedReply([""] * 10_000, cited=dict.fromkeys(range(10_000), ())), 3 * 200),
    ],
)
def test_an_answer_of_nothing_but_citations_or_empty_events_ends(reply: ScriptedReply, most: int) -> None:
    """Everything that is handed on counts: a citation as the longest token, any event as a character."""
    with ScriptedChatServer(reply) as server:
        model = AnthropicModel("m", base_url=server.address, max_tokens=3)
        events, error = drain(model.stream_search_results(REQUEST))
    assert isinstance(error, ModelError)
    assert (error.code, len(events) <= most) == ("too-long", True)


@pytest.mark.requirement("AN-NATIVE-1")
def test_citations_of_an_honest_answer_are_within_what_is_allowed() -> None:
    """As many as it may have tokens, but for what its events take."""
    with ScriptedChatServer(ScriptedReply(["x"], cited={0: (0,) * 8})) as server:
        events, end = drain(AnthropicModel("m", base_url=server.address, max_tokens=9).stream_search_results(REQUEST))
    assert isinstance(end, Completion)
    assert sum(getattr(getattr(event, "delta", None), "type", "") == "citations_delta" for event in events) == 8


@pytest.mark.requirement("AN-NATIVE-2")
def test_citations_that_come_with_a_block_count() -> None:
    """A block may hold some from its beginning on."""
    reading = _Reading(700)
    block = SimpleNamespace(type="text", text="x", citations=[None] * 3)
    assert reading.text(SimpleNamespace(type="content_block_start", content_block=block)) == "x"
    with pytest.raises(ModelError):
        reading.text(SimpleNamespace(type="content_block_start", content_block=block))
