"""One request and its answer: bounded as it arrives, bounded in time, cut off where it must be."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symfonic.frontends.knowledge._asgi import Edge, EdgeLimits

from .conftest import HOST, Answer, Caller, echo, scope_of

if TYPE_CHECKING:
    from collections.abc import Callable

    Service = Callable[..., Caller]

LARGE = [("Content-Length", "11")]


@pytest.mark.requirement("HTTP-LIM-3")
def test_a_body_that_is_declared_too_large_is_not_read(service: Service) -> None:
    """The application is not reached, and the connection is closed, for the rest of the body still comes."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("reached")

    answer = service(app, limits={"max_body_bytes": 10})("POST", headers=LARGE, body=(b"x" * 11,))
    assert (answer.status, answer.json["code"], answer.headers["connection"]) == (413, "body-size", "close")


@pytest.mark.requirement("HTTP-LIM-3")
def test_a_body_is_counted_as_it_comes_whatever_was_declared(service: Service) -> None:
    """Reading stops with the piece that is too much, and what the application makes of it goes nowhere."""
    read: list[int] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        try:
            while True:
                read.append(len((await receive())["body"]))
        except Exception:  # noqa: BLE001 - as frameworks do that take everything for a broken body
            assert await receive() == {"type": "http.disconnect"}
            await send({"type": "http.response.start", "status": 400, "headers": []})
            await send({"type": "http.response.body", "body": b"broken body"})

    call = service(app, limits={"max_body_bytes": 10})
    answer = call("POST", headers=[("Content-Length", "8")], body=(b"x" * 4, b"x" * 4, b"x" * 3, b"x" * 3))
    assert (answer.status, answer.json["code"], len(answer.messages)) == (413, "body-size", 2)
    assert answer.headers["connection"] == "close"
    assert read == [4, 4]
    assert (call.line()["status"], call.line()["code"], call.line()["complete"]) == (413, "body-size", True)


def test_documents_may_be_larger_where_they_are_uploaded(service: Service) -> None:
    """Nowhere else."""
    call = service(limits={"max_body_bytes": 10, "max_upload_bytes": 20}, upload_paths=("/v1/documents",))
    for path, status in {"/v1/documents": 200, "/v1/search": 413}.items():
        assert call("POST", path, headers=LARGE, body=(b"x" * 11,)).status == status
    assert call("POST", "/v1/documents", body=(b"x" * 21,)).status == 413


@pytest.mark.requirement("HTTP-LIM-3")
@settings(max_examples=60)
@given(pieces=st.lists(st.binary(max_size=8), min_size=1, max_size=8))
def test_however_a_body_is_cut_it_arrives_whole_or_not_at_all(pieces: list[bytes]) -> None:
    """The sum decides, not the pieces."""
    lines: list[Any] = []
    limits = EdgeLimits(max_body_bytes=16)
    edge = Edge(echo, access=None, hosts=(HOST,), log=lines.append, limits=limits)
    answer = Caller(edge, lines)("POST", body=pieces)
    whole = b"".join(pieces)
    assert (answer.status, answer.body == whole) == ((200, True) if len(whole) <= 16 else (413, False))


def test_a_body_too_large_in_the_middle_of_an_answer_cuts_that_off(service: Service) -> None:
    """It began already, so nothing else can be said."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await receive()
        raise AssertionError("read")

    call = service(app, limits={"max_body_bytes": 1})
    answer = call("POST", body=(b"xx",))
    assert (answer.status, answer.is_complete, call.line()["code"]) == (200, False, "broken-off")


@pytest.mark.requirement("HTTP-LIM-4")
@pytest.mark.parametrize("swallows", [False, True])
def test_an_answer_that_does_not_begin_in_time_is_given_up(service: Service, *, swallows: bool) -> None:
    """Its place is free again, even where the application takes its cancellation for something else."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if not swallows:
                raise

    call = service(app, limits={"request_seconds": 0.01})
    answer = call()
    assert (answer.status, answer.json["code"]) == (504, "time")
    assert call.edge.active == 0


def test_a_timeout_of_the_applications_own_is_its_failure(service: Service) -> None:
    """It is not taken for ours."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise TimeoutError

    call = service(app)
    assert call().status == 500
    assert call.lines[0]["error"] == "TimeoutError"


@pytest.mark.requirement("HTTP-LIM-4")
@pytest.mark.parametrize("limit", ["idle_seconds", "body_seconds"])
def test_a_body_that_does_not_arrive_in_time_is_given_up(service: Service, limit: str) -> None:
    """Neither a pause nor a trickle holds a place."""
    call = service(limits={limit: 0.03, "max_body_bytes": 10_000})

    async def scenario() -> Answer:
        answer = Answer()

        async def receive() -> Any:
            await asyncio.sleep(0.01 if limit == "body_seconds" or not answer.messages else 0)
            if limit == "idle_seconds" and received:
                await asyncio.Event().wait()
            received.append(1)
            return {"type": "http.request", "body": b"x", "more_body": True}

        async def send(message: Any) -> None:
            answer.messages.append(message)

        received: list[int] = []
        await call.edge(scope_of("POST", headers=[("Transfer-Encoding", "chunked")]), receive, send)
        return answer

    answer = asyncio.run(scenario())
    assert (answer.status, answer.json["code"], answer.headers["connection"]) == (408, "body-time", "close")


def test_a_body_may_take_longer_than_an_answer(service: Service) -> None:
    """The time of the answer begins when the request is there."""
    call = service(limits={"request_seconds": 0.03, "idle_seconds": 5, "body_seconds": 5})

    async def scenario() -> Answer:
        answer, pieces = Answer(), [b"x"] * 6

        async def receive() -> Any:
            await asyncio.sleep(0.01)
            return {"type": "http.request", "body": pieces.pop(), "more_body": bool(pieces)}

        async def send(message: Any) -> None:
            answer.messages.append(message)

        await call.edge(scope_of("POST"), receive, send)
        return answer

    assert asyncio.run(scenario()).body == b"x" * 6


async def stream(scope: Any, receive: Any, send: Any) -> None:
    """Pieces without an end, a hundredth of a second apart."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    while True:
        await send({"type": "http.response.body", "body": b"x", "more_body": True})
        await asyncio.sleep(0.01)


@pytest.mark.requirement("HTTP-LIM-4")
def test_an_answer_may_last_longer_than_its_beginning_but_not_for_ever(service: Service) -> None:
    """Pieces that come in time keep it alive, up to a limit of its own."""
    call = service(stream, limits={"request_seconds": 0.02, "idle_seconds": 5, "stream_seconds": 0.08})
    answer = call()
    assert (answer.status, answer.is_complete, call.line()["code"]) == (200, False, "broken-off")
    assert len(answer.body) > 3


@pytest.mark.requirement("HTTP-LIM-4")
def test_a_reader_that_takes_nothing_frees_its_place(service: Service) -> None:
    """The server holds `send` back while the client does not read."""
    call = service(stream, limits={"idle_seconds": 0.02})

    async def scenario() -> Answer:
        async def sent(message: Any) -> None:
            if message.get("body"):
                await asyncio.Event().wait()

        return await asyncio.wait_for(call.ask(scope_of(), sent=sent), 5)

    answer = asyncio.run(scenario())
    assert (answer.status, len(answer.messages), call.edge.active) == (200, 2, 0)
    assert call.line()["complete"] is False


def test_an_application_that_pauses_too_long_in_its_answer_is_cut_off(service: Service) -> None:
    """Nobody can tell it from one that hangs."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.Event().wait()

    call = service(app, limits={"idle_seconds": 0.01})
    assert (call().is_complete, call.edge.active) == (False, 0)


def test_what_comes_behind_an_answer_goes_nowhere(service: Service) -> None:
    """An application that goes on after its time cannot write into another answer."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            task.append(asyncio.create_task(late(send)))

    async def late(send: Any) -> None:
        await asyncio.sleep(0.01)
        await send({"type": "http.response.start", "status": 200, "headers": []})

    task: list[asyncio.Task[None]] = []
    call = service(app, limits={"request_seconds": 0.01})

    async def scenario() -> Answer:
        answer = await call.ask(scope_of())
        await task[0]
        return answer

    answer = asyncio.run(scenario())
    assert (answer.status, len(answer.messages)) == (504, 2)


def test_the_server_ending_a_request_ends_the_application(service: Service) -> None:
    """A cancellation is nobody's failure; its line is written all the same."""
    call = service(stream)

    async def scenario() -> None:
        task = asyncio.create_task(call.ask(scope_of()))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(scenario())
    assert ([line["event"] for line in call.lines], call.edge.active) == (["request"], 0)


def test_a_head_gets_a_refusals_headers_alone(service: Service) -> None:
    """With the length a GET would have."""
    answer = service()("HEAD", host="evil.example")
    assert (answer.status, answer.body) == (421, b"")
    assert int(answer.headers["content-length"]) == len(service()(host="evil.example").body)


@pytest.mark.requirement("HTTP-ERR-1")
def test_what_a_framework_says_of_a_failure_is_replaced(service: Service) -> None:
    """It sends an answer of its own and raises behind it; the answer is held until then."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 500, "headers": []})
        await send({"type": "http.response.body", "body": b"Internal Server Error: hunter2"})
        raise ValueError

    call = service(app)
    answer = call()
    assert (answer.status, answer.json["code"], len(answer.messages)) == (500, "internal", 2)
    assert [line["event"] for line in call.lines] == ["failure", "request"]


@pytest.mark.parametrize("more", [False, True])
def test_an_answer_of_status_500_that_is_meant_stays_what_it_is(service: Service, *, more: bool) -> None:
    """Whole or in pieces."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 500, "headers": []})
        await send({"type": "http.response.body", "body": b"ours", "more_body": more})
        if more:
            assert len(call.lines) == 0
            await send({"type": "http.response.body", "body": b"!"})

    call = service(app)
    answer = call()
    assert (answer.status, answer.body) == (500, b"ours!" if more else b"ours")
    assert answer.headers["x-frame-options"] == "DENY"
    assert (call.line()["complete"], call.line()["code"]) == (True, None)


def test_a_body_that_was_declared_and_never_begins_is_the_clients_delay(service: Service) -> None:
    """Not an answer that took too long."""
    call = service(limits={"request_seconds": 0.01})
    answer = asyncio.run(call.ask(scope_of("POST", headers=[("Content-Length", "5")]), body=()))
    assert (answer.status, answer.json["code"]) == (408, "body-time")


def test_a_refusal_nobody_reads_is_given_up(service: Service) -> None:
    """It holds nothing."""
    call = service(limits={"idle_seconds": 0.01})

    async def sent(message: Any) -> None:
        await asyncio.Event().wait()

    answer = asyncio.run(call.ask(scope_of(host="evil.example"), sent=sent))
    assert (answer.is_complete, call.line()["complete"], call.line()["status"]) == (False, False, 421)


def test_a_body_may_be_read_on_while_the_answer_streams(service: Service) -> None:
    """What arrives then moves no deadline of the answer, and reading on behind its end is nothing new."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await receive()
        await send({"type": "http.response.body", "body": b"x"})

    assert service(app)("POST", body=(b"a", b"b")).body == b"x"
