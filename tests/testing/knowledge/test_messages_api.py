"""The scripted server as Anthropic's API: events read without any client that smooths them over."""

from __future__ import annotations

import json
from http.client import HTTPConnection, IncompleteRead
from typing import Any
from urllib.parse import urlsplit

import pytest

from symfonic.testing.knowledge import Fault, ScriptedChatServer, ScriptedReply

RESULTS = [
    {"type": "search_result", "source": name, "title": name, "content": [{"type": "text", "text": f"About {name}."}]}
    for name in ("a.md", "b.md")
]
BODY = {
    "model": "m",
    "messages": [
        {"role": "user", "content": RESULTS[:1]},
        {"role": "assistant", "content": "Fine."},
        {"role": "user", "content": [RESULTS[1], {"type": "text", "text": "?"}]},
    ],
}


def post(reply: ScriptedReply, body: dict[str, Any]) -> list[tuple[str, Any]]:
    """Name and data of every event answered to one request."""
    with ScriptedChatServer(reply) as server:
        connection = HTTPConnection(urlsplit(server.address).netloc, timeout=20)
        try:
            connection.request("POST", "/v1/messages", json.dumps({**body, "stream": True}))
            sent = connection.getresponse().read()
        finally:
            connection.close()
    lines = [event.split(b"\n") for event in sent.split(b"\n\n") if event]
    return [(head.removeprefix(b"event: ").decode(), data.removeprefix(b"data: ")) for head, data in lines]


def test_an_answer_is_blocks_of_text_with_their_citations() -> None:
    """A chunk that cites is a block of its own; numbers count the search results of the whole request."""
    events = [
        (name, json.loads(data)) for name, data in post(ScriptedReply(["x", "é", "\ud800"], cited={1: (1, 5)}), BODY)
    ]
    assert [name for name, data in events if name != data["type"]] == []
    assert [name for name, _ in events] == [
        "message_start",
        "ping",
        *["content_block_start", "content_block_delta", "content_block_stop"],
        *["content_block_start", *["content_block_delta"] * 3, "content_block_stop"],
        *["content_block_start", "content_block_delta", "content_block_stop"],
        "message_delta",
        "message_stop",
    ]
    deltas = [data["delta"] for name, data in events if name == "content_block_delta"]
    assert [delta.get("text") for delta in deltas] == ["x", "é", None, None, "\ud800"]
    first, second = (delta["citation"] for delta in deltas[2:4])
    assert (first["source"], first["search_result_index"], first["cited_text"]) == ("b.md", 1, "About b.md.")
    assert (second["source"], second["search_result_index"], second["cited_text"]) == ("", 5, "")
    assert events[0][1]["message"]["usage"] == {"input_tokens": 7, "output_tokens": 1}
    assert events[-2][1]["delta"]["stop_reason"] == "end_turn"
    assert events[-2][1]["usage"] == {"output_tokens": 3}


def test_the_end_is_told_in_the_words_of_the_protocol() -> None:
    """Reasons of the other protocol are translated, counts can be left out, an empty answer has no block."""
    for finish, said in (("length", "max_tokens"), ("content_filter", "refusal"), ("tool_use", "tool_use")):
        events = post(ScriptedReply(finish=finish, usage=None), {})
        assert [name for name, _ in events] == ["message_start", "ping", "message_delta", "message_stop"]
        ended = json.loads(events[2][1])
        assert (ended["delta"]["stop_reason"], "usage" in ended) == (said, False)


@pytest.mark.parametrize(
    ("fault", "last"),
    [
        (Fault.MALFORMED, ("content_block_delta", b'{"type": "content_block_delta", ')),
        (Fault.SHAPELESS, ("content_block_delta", b'{"type": "content_block_delta", "index": 0, "delta": null}')),
        (Fault.NO_FINISH, ("content_block_stop", b'{"type": "content_block_stop", "index": 0}')),
    ],
)
def test_faults_are_events(fault: Fault, last: tuple[str, bytes]) -> None:
    """Behind the last chunk, and no end after them."""
    assert post(ScriptedReply(["a"], fault=fault), BODY)[-1] == last


def test_a_fault_reported_is_an_event_of_its_own() -> None:
    """With words that should be shown to nobody."""
    name, data = post(ScriptedReply(["a"], fault=Fault.ERROR), BODY)[-1]
    assert (name, json.loads(data)["error"]["message"]) == ("error", "\x1b[31msecret")


def test_a_disconnect_leaves_the_answer_unfinished() -> None:
    """The end of the transfer never comes."""
    with pytest.raises(IncompleteRead):
        post(ScriptedReply(["a"], fault=Fault.DISCONNECT), BODY)


def whole(reply: ScriptedReply, body: dict[str, Any]) -> Any:
    """The message answered to a request that wants no stream."""
    with ScriptedChatServer(reply) as server:
        connection = HTTPConnection(urlsplit(server.address).netloc, timeout=20)
        try:
            connection.request("POST", "/v1/messages", json.dumps(body))
            return json.loads(connection.getresponse().read())
        finally:
            connection.close()


def test_where_no_stream_is_asked_for_the_answer_is_one_message() -> None:
    """With the blocks and citations that the events would have."""
    message = whole(ScriptedReply(["x", "é", "y"], cited={1: (1, 5)}, finish="length"), BODY)
    content = message.pop("content")
    assert [(block["type"], block["text"]) for block in content] == [("text", "x"), ("text", "é"), ("text", "y")]
    assert [block["citations"] for block in content][::2] == [None, None]
    cited = content[1]["citations"]
    assert [(one["source"], one["search_result_index"]) for one in cited] == [("b.md", 1), ("", 5)]
    assert message == {
        "id": "scripted",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "stop_reason": "max_tokens",
        "stop_sequence": None,
        "usage": {"input_tokens": 7, "output_tokens": 3},
    }
    unfinished = whole(ScriptedReply(["x"], fault=Fault.NO_FINISH, usage=None), {})
    assert (unfinished["stop_reason"], "usage" in unfinished) == (None, False)
