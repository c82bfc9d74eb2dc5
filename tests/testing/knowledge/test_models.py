"""The scripted models: what they say and how they fail, read with plain sockets so that no client smooths it over."""

from __future__ import annotations

import json
import socket
from http.client import HTTPConnection, IncompleteRead
from typing import Any
from urllib.parse import urlsplit

import pytest

from symfonic.adapters.knowledge.ports import ChatMessage, ChatModel, Completion, FinishReason
from symfonic.testing.knowledge import Fault, ScriptedChatModel, ScriptedChatServer, ScriptedReply

MESSAGES = (ChatMessage("user", "a"),)


def post(
    server: ScriptedChatServer, body: dict[str, Any], path: str = "/v1/chat/completions", *, stream: bool = True
) -> tuple[int, bytes]:
    """Status and body of one request."""
    connection = HTTPConnection(urlsplit(server.base_url).netloc, timeout=20)
    try:
        connection.request("POST", path, json.dumps({**body, "stream": True} if stream else body))
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def test_a_scripted_model_says_its_chunks_and_keeps_what_it_was_asked() -> None:
    """Again for each question."""
    scripted = ScriptedChatModel(("a", "", "b"), completion=Completion(finish=FinishReason.LENGTH))
    model: ChatModel = scripted
    assert [list(model.stream(MESSAGES)) for _ in range(2)] == [["a", "", "b"]] * 2
    assert scripted.asked == [MESSAGES, MESSAGES]
    answer = scripted.stream(MESSAGES)
    assert next(answer) == "a"
    answer.close()


def test_a_scripted_model_raises_behind_its_last_chunk() -> None:
    """And returns how it ended where it does not."""
    answer = ScriptedChatModel(("a",), error=KeyError("k")).stream(MESSAGES)
    assert next(answer) == "a"
    with pytest.raises(KeyError):
        next(answer)
    with pytest.raises(StopIteration) as ended:
        next(ScriptedChatModel(()).stream(MESSAGES))
    assert ended.value.value == Completion()


def test_the_server_answers_events_in_order() -> None:
    """The text, the reason of the end, the counts, the mark of the end."""
    with ScriptedChatServer(ScriptedReply(["é", "\ud800"], usage=(2, 1))) as server:
        status, body = post(server, {"model": "m"})
        assert server.requests[0].body == {"model": "m", "stream": True}
    events = body.split(b"\n\n")
    assert (status, events[-2:]) == (200, [b"data: [DONE]", b""])
    said = [json.loads(event.removeprefix(b"data: ")) for event in events[:-2]]
    assert [event["choices"][0]["delta"].get("content") for event in said[:3]] == ["é", "\ud800", None]
    assert (said[2]["choices"][0]["finish_reason"], said[3]["usage"]["total_tokens"]) == ("stop", 3)
    assert "é".encode() in events[0]


def test_replies_come_in_order_and_the_last_one_is_repeated() -> None:
    """A text is a reply of one chunk."""
    with ScriptedChatServer(ScriptedReply(status=429, body="{}"), "fine") as server:
        assert [post(server, {})[0] for _ in range(3)] == [429, 200, 200]


def test_packets_change_nothing_but_the_writes() -> None:
    """The same bytes in the end."""
    bodies = []
    for packet in (None, 1, 5):
        with ScriptedChatServer(ScriptedReply(["äöü"], packet=packet)) as server:
            bodies.append(post(server, {})[1])
    assert bodies[0] == bodies[1] == bodies[2]


def test_a_disconnect_leaves_the_answer_unfinished() -> None:
    """The end of the transfer never comes."""
    with (
        ScriptedChatServer(ScriptedReply(["a"], fault=Fault.DISCONNECT)) as server,
        pytest.raises(IncompleteRead) as broken,
    ):
        post(server, {})
    assert b'"a"' in broken.value.partial


@pytest.mark.parametrize(
    ("fault", "last"),
    [
        (Fault.MALFORMED, b'data: {"choices": ['),
        (Fault.SHAPELESS, b'data: {"object": "something else"}'),
        (Fault.ERROR, b'data: {"error": {"message": "\\u001b[31msecret", "code": 500}}'),
        (Fault.NO_FINISH, b"data: [DONE]"),
    ],
)
def test_other_faults_are_events(fault: Fault, last: bytes) -> None:
    """Behind the last chunk."""
    with ScriptedChatServer(ScriptedReply(["a"], fault=fault)) as server:
        assert post(server, {})[1].split(b"\n\n")[-2] == last


@pytest.mark.parametrize("body", [b'{"stream": true}', b"{}"])
def test_a_stall_ends_with_the_server(body: bytes) -> None:
    """And a client that leaves before is noticed."""
    for leave in (True, False):
        with ScriptedChatServer(ScriptedReply(fault=Fault.STALL)) as server:
            connection = socket.create_connection(("127.0.0.1", urlsplit(server.base_url).port or 0), timeout=20)
            connection.sendall(
                b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
            )
            assert connection.recv(12) == b"HTTP/1.1 200"
            if leave:
                connection.close()
                assert server.hung_up.wait(20)
        connection.close()
        assert server.hung_up.is_set() is leave


@pytest.mark.parametrize("asked", [{}, {"stream": False}, {"stream": None}])
@pytest.mark.parametrize("packet", [None, 1, 7])
def test_where_no_stream_is_asked_for_the_answer_is_one_document(asked: dict[str, Any], packet: int | None) -> None:
    """As the protocol has it, with all of the text."""
    with ScriptedChatServer(ScriptedReply(["é", "\ud800"], usage=(2, 1), packet=packet)) as server:
        status, body = post(server, {"model": "m", **asked}, stream=False)
    assert (status, json.loads(body)) == (
        200,
        {
            "id": "scripted",
            "object": "chat.completion",
            "created": 0,
            "model": "m",
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": "é\ud800", "refusal": None},
                    "logprobs": None,
                    "finish_reason": "stop",
                }
            ],
            "usage": {"prompt_tokens": 2, "completion_tokens": 1, "total_tokens": 3},
        },
    )


def test_a_document_goes_wrong_as_a_stream_does() -> None:
    """It breaks off, is no JSON, is another one, reports a fault, or does not say that it ended."""
    with (
        ScriptedChatServer(ScriptedReply(["a"], fault=Fault.DISCONNECT)) as server,
        pytest.raises(IncompleteRead) as broken,
    ):
        post(server, {}, stream=False)
    assert broken.value.partial.startswith(b'{"id": "scripted"')
    answers = []
    for fault in (Fault.MALFORMED, Fault.SHAPELESS, Fault.ERROR, Fault.NO_FINISH):
        with ScriptedChatServer(ScriptedReply(["a"], fault=fault, usage=None)) as server:
            answers.append(post(server, {}, stream=False))
    assert [status for status, _ in answers] == [200, 200, 500, 200]
    with pytest.raises(json.JSONDecodeError):
        json.loads(answers[0][1])
    shapeless, fault_told, unfinished = (json.loads(body) for _, body in answers[1:])
    assert (shapeless, fault_told["error"]["message"]) == ({"object": "something else"}, "\x1b[31msecret")
    assert (unfinished["choices"][0]["finish_reason"], "usage" in unfinished) == (None, False)


def test_real_clients_read_answers_that_are_no_streams() -> None:
    """Each at the address it wants; the other one is told apart from an answer."""
    import anthropic
    import openai

    asked: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "?"}]}
    with ScriptedChatServer(ScriptedReply(["Thirty ", "days."], cited={1: (0,)})) as server:
        with openai.OpenAI(api_key="none", base_url=server.base_url, max_retries=0) as chat:
            completion = chat.chat.completions.create(**asked)
        with anthropic.Anthropic(api_key="none", base_url=server.address, max_retries=0) as native:
            message = native.messages.create(max_tokens=9, **asked)
        with (
            anthropic.Anthropic(api_key="none", base_url=server.base_url, max_retries=0) as lost,
            pytest.raises(anthropic.NotFoundError),
        ):
            lost.messages.create(max_tokens=9, **asked)
    assert (completion.choices[0].message.content, completion.choices[0].finish_reason) == ("Thirty days.", "stop")
    texts = [block.text for block in message.content if block.type == "text"]
    assert (texts, message.stop_reason, message.usage.output_tokens) == (["Thirty ", "days."], "end_turn", 3)


@pytest.mark.parametrize(
    "path", ["/v1/v1/messages", "/chat/completions", "/v1/responses", "/v1/chat/completions/", "/messages", "/"]
)
def test_any_other_path_is_not_there(path: str) -> None:
    """An address that a client was given wrongly shows; it takes no reply."""
    with ScriptedChatServer("first", "second") as server:
        status, body = post(server, {}, path)
        assert "base_url, those of the second its address" in json.loads(body)["error"]["message"]
        assert (status, server.requests) == (404, [])
        assert b'"first"' in post(server, {}, "/v1/chat/completions?beta=true")[1]
        assert b"second" in post(server, {}, "/v1/messages?beta=true")[1]


def test_a_client_that_leaves_while_an_answer_is_being_written_is_noticed() -> None:
    """Also where the reply never stalls: more is left to send than anybody between the two keeps."""
    with ScriptedChatServer(ScriptedReply(["a" * 100_000] * 200)) as server:
        connection = socket.create_connection(("127.0.0.1", urlsplit(server.base_url).port or 0), timeout=20)
        connection.sendall(b'POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 16\r\n\r\n{"stream": true}')
        assert connection.recv(12) == b"HTTP/1.1 200"
        connection.close()
        assert server.hung_up.wait(20)


def test_a_server_has_an_address_while_it_runs() -> None:
    """Before and after it has none, and leaving twice does no harm."""
    server = ScriptedChatServer("a")
    with server:
        assert server.base_url.startswith("http://127.0.0.1:")
    server.__exit__(None, None, None)
    with pytest.raises(RuntimeError, match="enter it first"):
        _ = server.base_url
