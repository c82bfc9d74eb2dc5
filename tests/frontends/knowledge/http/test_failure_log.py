"""What a client is not told about a failure, the operator finds in the log under the id of the request."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import ModelError
from symfonic.composition.knowledge import StoreFailedError
from symfonic.frontends.knowledge._asgi.problems import hidden_message
from symfonic.testing.knowledge import ScriptedChatModel

from .conftest import events

if TYPE_CHECKING:
    from collections.abc import Callable

    from symfonic.composition.knowledge import KnowledgeBase

    from .conftest import Client

ASKED = {"question": "How many days of leave?", "scope": ["tenant:acme"]}


def failures(client: Client) -> list[dict[str, Any]]:
    """The lines of failures."""
    return [line for line in client.lines if line["event"] == "failure"]


@pytest.mark.requirement("HTTP-LOG-2")
def test_a_failing_store_says_why_in_the_log(client: Client, knowledge: KnowledgeBase) -> None:
    """In the words of its error, which the client is not shown."""
    knowledge.close()
    answer = client.post("/v1/search", json=ASKED).json()
    (line,) = failures(client)
    assert {**line, "message": ""} == {
        "event": "failure",
        "request": answer["request"],
        "error": "StoreFailedError",
        "code": "store",
        "message": "",
    }
    assert "closed" in line["message"]
    assert line["message"] not in answer["detail"]
    assert "leave" not in str(client.lines)


@pytest.mark.requirement("HTTP-LOG-2")
def test_a_failing_model_says_why_in_the_log(serving: Callable[..., Client]) -> None:
    """Although its answer had begun; nothing of the prompt or the answer stands there."""
    error = ModelError("connect to 10.0.0.7\nfailed", code="unreachable")
    client = serving(model=ScriptedChatModel(["27 days"], error=error))
    told = dict(events(client.post("/v1/answer", json=ASKED)))
    (line,) = failures(client)
    assert (line["request"], line["error"], line["code"]) == (told["problem"]["request"], "ModelFailedError", "model")
    assert line["message"] == "connect to 10.0.0.7 failed"
    assert not any(word in str(client.lines) for word in ("days", "ombat", "leave"))


@pytest.mark.requirement("HTTP-LOG-2")
def test_a_message_is_one_bounded_line_whatever_stands_in_it() -> None:
    """No control character, no separator of lines, at most 1,000 characters."""
    told = hidden_message(StoreFailedError("a\r\nb\x1b[31m\u2028c\u202ed " + "x" * 5000))
    assert told is not None
    assert (told[:12], len(told)) == ("a b [31m c d", 1000)
    assert len(json.dumps(told).splitlines()) == 1
