"""A model behind the chat completions protocol: the real SDK over a real connection to a scripted server."""

from __future__ import annotations

import sys
import threading
from typing import Any

import pytest

from symfonic.adapters.knowledge.models._faults import fault_of_status
from symfonic.adapters.knowledge.models.openai import OpenAIChatModel
from symfonic.adapters.knowledge.ports import ChatMessage, Completion, FinishReason, ModelError
from symfonic.testing.knowledge import Fault, ScriptedChatServer, ScriptedReply

MESSAGES = (ChatMessage("system", "Say it."), ChatMessage("user", "How much leave? \u2028 é"))
SECRET = "sk-do-not-show"


def read(reply: ScriptedReply | str, **options: Any) -> tuple[list[str], Completion | ModelError]:
    """The pieces of an answer and how it ended."""
    with ScriptedChatServer(reply) as server:
        return drain(OpenAIChatModel("m", base_url=server.base_url, **options))


def drain(model: OpenAIChatModel) -> tuple[list[str], Completion | ModelError]:
    """The same for a model."""
    pieces: list[str] = []
    answer = model.stream(MESSAGES)
    try:
        while True:
            pieces.append(next(answer))
    except StopIteration as end:
        completion: Completion = end.value
        return pieces, completion
    except ModelError as error:
        return pieces, error


@pytest.mark.requirement("AN-MODEL-1")
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
        ("length", FinishReason.LENGTH),
        ("content_filter", FinishReason.FILTERED),
        ("tool_calls", FinishReason.OTHER),
    ],
)
def test_the_reason_of_an_end_is_told(said: str, finish: FinishReason) -> None:
    """With tokens where the server counted."""
    assert read(ScriptedReply(["a"], finish=said, usage=None))[1] == Completion(finish=finish, model="m")


def test_messages_go_out_as_they_are() -> None:
    """Under the name the server knows the limit by; the default address has another."""
    with ScriptedChatServer("a") as server:
        drain(OpenAIChatModel("m", base_url=server.base_url, max_tokens=9))
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.body == {
        "model": "m",
        "messages": [{"role": message.role, "content": message.content} for message in MESSAGES],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 9,
    }


def test_the_providers_own_address_knows_another_name_for_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its newer models refuse the old one."""
    asked: dict[str, Any] = {}

    class Client:
        def __init__(self, **options: Any) -> None:
            self.chat = self.completions = self

        def create(self, **options: Any) -> Any:
            asked.update(options)
            raise RuntimeError

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_: object) -> None:
            return None

    monkeypatch.setattr("openai.OpenAI", Client)
    assert isinstance(drain(OpenAIChatModel("m", api_key=SECRET))[1], ModelError)
    closing = {"Connection": "close"}
    assert (asked["max_completion_tokens"], asked["extra_headers"], "max_tokens" in asked) == (1024, closing, False)


@pytest.mark.requirement("AN-KEY-1")
def test_nothing_of_the_environment_travels(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key, no account, and no proxy on the way to this machine."""
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, SECRET)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    with ScriptedChatServer("a") as server:
        assert drain(OpenAIChatModel("m", base_url=server.base_url))[0] == ["a"]
    (request,) = server.requests
    assert "authorization" not in request.headers
    assert [name for name, value in request.headers.items() if SECRET in value] == []


@pytest.mark.requirement("AN-KEY-1")
def test_a_key_is_sent_where_it_may_travel_and_shown_nowhere() -> None:
    """Not in an error, nor in what the model says of itself."""
    with ScriptedChatServer(ScriptedReply(status=401, body=f'{{"error": {{"message": "{SECRET}"}}}}')) as server:
        model = OpenAIChatModel("m", base_url=server.base_url, api_key=SECRET)
        _, error = drain(model)
    assert server.requests[0].headers["authorization"] == f"Bearer {SECRET}"
    assert isinstance(error, ModelError)
    assert SECRET not in f"{error}{error.__cause__}{model!r}{error!r}"
    assert error.__suppress_context__
    assert OpenAIChatModel("m", base_url="http://10.0.0.5/v1", api_key=SECRET)._api_key is None


@pytest.mark.requirement("AN-MODEL-2")
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
    expected = "malformed" if fault is Fault.NO_FINISH and not chunks else code
    assert (error.code, error.status) == (expected, None)
    assert "secret" not in str(error)


@pytest.mark.requirement("AN-MODEL-2")
@pytest.mark.parametrize(
    ("status", "code"),
    [
        (307, "refused"),
        (400, "refused"),
        (401, "credentials"),
        (403, "credentials"),
        (404, "not-found"),
        (408, "timeout"),
        (413, "refused"),
        (429, "rate-limit"),
        (500, "server"),
        (503, "server"),
    ],
)
def test_a_status_is_one_error_and_asked_once(status: int, code: str) -> None:
    """No redirect is followed and no request repeated; what the server said is shown nowhere."""
    with ScriptedChatServer(ScriptedReply(status=status)) as server:
        pieces, error = drain(OpenAIChatModel("m", base_url=server.base_url))
    assert (pieces, len(server.requests)) == ([], 1)
    assert isinstance(error, ModelError)
    assert (error.code, error.status, str(error).isprintable()) == (code, status, True)


def test_a_refused_key_that_never_travelled_is_explained() -> None:
    """The remedy is another address."""
    endpoint = OpenAIChatModel("m", base_url="http://10.0.0.5/v1", api_key=SECRET).endpoint
    error = fault_of_status(endpoint, 401, variable="NAME", keyed=False)
    assert "asked for a key, but none was sent (status 401)" in str(error)
    assert "a key travels over https only" in str(error)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        (SECRET, "refused the key (status 401) and nothing was answered; check the key in OPENAI_API_KEY, or "),
        (None, "asked for a key, but none was sent (status 401) and nothing was answered; set OPENAI_API_KEY, or "),
    ],
)
def test_a_missing_key_is_told_from_a_refused_one(key: str | None, said: str) -> None:
    """And the variable is named."""
    with ScriptedChatServer(ScriptedReply(status=401)) as server:
        _, error = drain(OpenAIChatModel("m", base_url=server.base_url, api_key=key))
    assert said in str(error)


@pytest.mark.requirement("AN-MODEL-2")
def test_an_address_nobody_listens_at() -> None:
    """The root of it is named."""
    with ScriptedChatServer("a") as server:
        address = server.base_url
    _, error = drain(OpenAIChatModel("m", base_url=address))
    assert isinstance(error, ModelError)
    assert error.code == "unreachable"
    assert "(ConnectionRefusedError)" in str(error)


@pytest.mark.requirement("AN-MODEL-3")
def test_an_answer_without_end_is_ended() -> None:
    """A server that ignores the limit costs no more than the limit."""
    pieces, error = read(ScriptedReply(["x" * 150] * 1000), max_tokens=1)
    assert pieces == ["x" * 150]
    assert isinstance(error, ModelError)
    assert error.code == "too-long"


@pytest.mark.requirement("AN-MODEL-3")
def test_ending_an_answer_early_hangs_up() -> None:
    """The server notices, and nothing is left open."""
    with ScriptedChatServer(ScriptedReply(["a"], fault=Fault.STALL)) as server:
        answer = OpenAIChatModel("m", base_url=server.base_url).stream(MESSAGES)
        assert next(answer) == "a"
        answer.close()
        assert server.hung_up.wait(20)


def test_several_threads_ask_one_model() -> None:
    """Nothing is shared between answers."""
    with ScriptedChatServer(ScriptedReply(list("abc"))) as server:
        model = OpenAIChatModel("m", base_url=server.base_url)
        answers: list[list[str]] = []
        threads = [threading.Thread(target=lambda: answers.append(drain(model)[0])) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers == [["a", "b", "c"]] * 4


@pytest.mark.parametrize(
    "event",
    [
        {"choices": None},
        {"choices": [{"delta": {"content": 3}}]},
        {"choices": [{"delta": {"content": ["a"]}}]},
        {"choices": "a"},
    ],
)
def test_an_event_of_another_shape_is_malformed(event: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The SDK lets it pass."""
    monkeypatch.setattr("symfonic.testing.knowledge.models._event", lambda *_, **__: _as_event(event))
    pieces, error = read(ScriptedReply(["a"]))
    assert pieces == []
    assert isinstance(error, ModelError)
    assert error.code == "malformed"


def _as_event(event: dict[str, Any]) -> bytes:
    import json

    return b"data: " + json.dumps(event).encode() + b"\n\n"


@pytest.mark.parametrize(
    ("event", "pieces"),
    [
        ({"choices": [{"delta": {"refusal": "No."}, "finish_reason": "stop"}]}, ["No."]),
        ({"choices": [{"delta": None, "finish_reason": "stop"}]}, []),
        ({"choices": [{"finish_reason": "stop"}], "usage": {"prompt_tokens": "7", "completion_tokens": -1}}, []),
        ({"choices": [{"finish_reason": "stop"}], "model": 3}, []),
    ],
)
def test_what_can_be_read_is_read(event: dict[str, Any], pieces: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal is an answer; counts that are none are left out."""
    monkeypatch.setattr("symfonic.testing.knowledge.models._event", lambda *_, **__: _as_event(event))
    said, end = read(ScriptedReply(usage=None))
    assert isinstance(end, Completion)
    assert (said, end.finish, end.prompt_tokens, end.answer_tokens) == (pieces, FinishReason.STOP, None, None)


@pytest.mark.requirement("AN-MODEL-4")
def test_without_the_sdk_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """When a model is made, not in the middle of a question."""
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(ModelError, match=r"symfonic-knowledge\[openai\]") as missing:
        OpenAIChatModel("m")
    assert missing.value.code == "unavailable"
