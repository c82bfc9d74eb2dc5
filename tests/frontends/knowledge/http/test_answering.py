"""An answer over HTTP is a stream of checked pieces that ends with its report, whatever model and reader do."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.ports import Completion, ModelError
from symfonic.frontends.knowledge.http import _answering
from symfonic.testing.knowledge import ScriptedChatModel

from .conftest import HOST, events

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from symfonic.adapters.knowledge.ports import ChatMessage

    from .conftest import Client

ASKED = {"question": "How many days of leave?", "scope": ["tenant:acme"]}


@pytest.mark.requirement("HTTP-ANS-1")
def test_an_answer_arrives_in_checked_pieces_and_ends_with_its_report(serving: Callable[..., Client]) -> None:
    """A source that was never shown is marked before it leaves; a line feed forges no event."""
    client = serving(says=["27 days ", "SOURCE [inven", "ted.md].\n\nevent: report\ndata: {}"])
    answer = client.post("/v1/answer", json=ASKED)
    assert answer.headers["content-type"].startswith("text/event-stream")
    told = events(answer)
    assert [name for name, _ in told] == ["sources", *["piece"] * (len(told) - 2), "report"]
    text = "".join(data["text"] for name, data in told if name == "piece")
    assert text == "27 days [unverified source].\n\nevent: report\ndata: {}"
    report = told[-1][1]
    assert (report["answer"], report["finish"]) == (text, "stop")
    assert [one["name"] for one in report["report"]["unknown"]] == ["invented.md"]
    assert [entry["label"].partition(" ·")[0] for entry in told[0][1]["ledger"]["entries"]] == ["acme.md § acme.md"]


@pytest.mark.requirement("HTTP-ANS-2")
def test_a_model_that_fails_ends_the_stream_with_a_problem_and_the_report(serving: Callable[..., Client]) -> None:
    """What was shown stands; the model's own words stay in the house."""
    error = ModelError("connect to 10.0.0.7 failed; secret", code="unreachable")
    client = serving(model=ScriptedChatModel(["27 days"], error=error))
    told = events(client.post("/v1/answer", json=ASKED))
    assert [name for name, _ in told] == ["sources", "piece", "problem", "report"]
    assert (told[2][1]["code"], told[2][1]["reason"], told[2][1]["status"]) == ("model", "unreachable", 502)
    assert "10.0.0.7" not in str(told)
    assert (told[3][1]["answer"], told[3][1]["finish"]) == ("27 days", None)


@pytest.mark.requirement("HTTP-ANS-3")
def test_where_nothing_is_admitted_no_model_is_asked(serving: Callable[..., Client]) -> None:
    """It is a problem with the account of why."""
    model = ScriptedChatModel(["never"])
    refused = serving(model=model).post("/v1/answer", json={"question": "zebra crossing"})
    assert (refused.status_code, refused.json()["code"]) == (422, "nothing-admitted")
    assert refused.json()["account"]["admitted"] == 0
    assert model.asked == []


@pytest.mark.requirement("HTTP-ANS-3")
def test_without_a_model_there_is_no_answer(client: Client) -> None:
    """The service says so and what to do instead."""
    refused = client.post("/v1/answer", json=ASKED)
    assert (refused.status_code, refused.json()["code"]) == (501, "no-model")
    assert "/v1/prompt" in refused.json()["detail"]


class Waiting:
    """Says a word, then waits until it is let go; says whether it was closed."""

    def __init__(self, seconds: float = 10) -> None:
        self.seconds = seconds
        self.go_on = threading.Event()
        self.closed = threading.Event()

    def stream(self, messages: Sequence[ChatMessage]) -> Generator[str, None, Completion]:
        try:
            yield "27 days"
            self.go_on.wait(self.seconds)
            yield " of leave"
            return Completion()
        finally:
            self.closed.set()


async def _asked(app: Any, *, leave_after: bytes) -> list[bytes]:
    """Send the question and go away as soon as that came."""
    sent: list[bytes] = []
    gone = asyncio.Event()
    body = json.dumps(ASKED).encode()
    requests = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if requests:
            return requests.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message.get("body", b""))
        if leave_after in message.get("body", b""):
            gone.set()

    headers = [(b"host", HOST.encode()), (b"content-type", b"application/json")]
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/v1/answer",
        "raw_path": b"/v1/answer",
        "query_string": b"",
        "headers": headers,
        "scheme": "http",
        "client": ("127.0.0.1", 5),
        "server": (HOST, 80),
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "root_path": "",
    }
    await app(scope, receive, send)
    return sent


@pytest.mark.requirement("HTTP-ANS-4")
def test_a_reader_who_leaves_stops_the_model(serving: Callable[..., Client]) -> None:
    """And frees the place."""
    model = Waiting()
    client = serving(model=model)
    threading.Timer(0.05, model.go_on.set).start()
    client.loop.run_until_complete(asyncio.wait_for(_asked(client.edge, leave_after=b'"text": "27 days"'), 5))
    assert model.closed.wait(5)
    assert client.edge.active == 0


@pytest.mark.requirement("HTTP-ANS-5")
def test_a_silent_model_is_not_taken_for_an_end(
    serving: Callable[..., Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Comments go out meanwhile."""
    monkeypatch.setattr(_answering, "_SILENCE", 0.02)
    answer = serving(model=Waiting(seconds=0.3)).post("/v1/answer", json=ASKED)
    assert ": waiting\n\n" in answer.text
    assert [data["text"] for name, data in events(answer) if name == "piece"] == ["27 days", " of leave"]


@pytest.mark.requirement("HTTP-LIM-7")
def test_silent_models_and_long_uploads_keep_no_question_waiting(serving: Callable[..., Client]) -> None:
    """Nor whoever asks whether requests are taken: each kind of work has threads of its own."""
    model, stored = Waiting(), threading.Event()
    client = serving(model=model, workers=1)

    async def scenario() -> list[int]:
        answers = [asyncio.ensure_future(_asked(client.edge, leave_after=b"report")) for _ in range(6)]
        uploads = [asyncio.ensure_future(client.service.storing.run(stored.wait, 10)) for _ in range(6)]
        await asyncio.sleep(0.1)
        question = {"json": {"question": "days of leave", "scope": ["tenant:acme"]}}
        asked = [client._sent("POST", "/v1/search", None, question), client._sent("GET", "/readyz", None, {})]
        answered = [(await asyncio.wait_for(one, 3)).status_code for one in asked]
        model.go_on.set()
        stored.set()
        assert all(b"event: report" in b"".join(sent) for sent in await asyncio.gather(*answers))
        await asyncio.gather(*uploads)
        return answered

    assert client.loop.run_until_complete(scenario()) == [200, 200]
