"""Questions over HTTP answer what every face shows, under the operator's ceilings, and errors say what to correct."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.composition.knowledge import KnowledgeBase, ScopeError, SettingsError, ledger_of
from symfonic.frontends.knowledge import _views as views
from symfonic.frontends.knowledge.http import Service
from symfonic.frontends.knowledge.http._bodies import scope_asked

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .conftest import Client

LEAVE = "How many days of leave?"
ACME_SCOPE = ["tenant:acme"]


@pytest.mark.requirement("HTTP-ASK-1")
def test_search_shows_the_view_of_the_command(client: Client, knowledge: KnowledgeBase) -> None:
    """Same rows, same shape."""
    answer = client.post("/v1/search", json={"question": LEAVE, "scope": ACME_SCOPE, "limit": 3})
    rows = knowledge.search(LEAVE, scope="tenant\x1facme", limit=3)
    assert answer.status_code == 200
    assert answer.json() == views.search_view(LEAVE, "tenant\x1facme", rows)
    assert [row["file"] for row in answer.json()["results"]] == ["acme.md"]


@pytest.mark.requirement("HTTP-ASK-1")
def test_prompt_and_explain_show_the_views_of_the_commands(client: Client, knowledge: KnowledgeBase) -> None:
    """The prompt is the one the library compiles, to the byte."""
    asked = {"question": LEAVE, "scope": ACME_SCOPE}
    answerable = knowledge.ask(LEAVE, scope="tenant\x1facme")
    ledger = views.ledger_view(ledger_of(answerable))
    assert client.post("/v1/prompt", json=asked).json() == views.prompt_view(answerable) | {"ledger": ledger}
    assert client.post("/v1/explain", json=asked).json() == views.explanation_view(answerable.explain())


@pytest.mark.requirement("HTTP-ASK-2")
@pytest.mark.parametrize(
    ("form", "members"),
    [
        ("anthropic", {"system", "messages"}),
        ("openai-chat", {"messages"}),
        ("openai-responses", {"input"}),
        ("gemini", {"contents", "systemInstruction"}),
    ],
)
def test_a_prompt_comes_as_the_request_of_a_provider(client: Client, form: str, members: set[str]) -> None:
    """Ready to be sent."""
    asked = {"question": LEAVE, "scope": ACME_SCOPE, "format": form}
    request = client.post("/v1/prompt", json=asked).json()["request"]
    assert members <= set(request)
    assert "27 days" in str(request)


@pytest.mark.requirement("HTTP-ASK-3")
def test_ceilings_of_a_question_are_narrower_and_never_wider(client: Client) -> None:
    """A caller may show less than the operator allows."""
    asked: dict[str, Any] = {"question": LEAVE, "scope": ACME_SCOPE, "ceilings": {"max_fragment_chars": 10}}
    told = client.post("/v1/explain", json=asked).json()
    assert (told["counts"]["admitted"], told["dropped"][0]["ceiling"]) == (0, 10)
    for name, value in (("limit", 6), ("max_fragment_chars", 2001), ("max_total_chars", 8001)):
        refused = client.post("/v1/explain", json=asked | {"ceilings": {name: value}})
        assert (refused.status_code, refused.json()["code"]) == (422, "input")
        assert f"{name} may be no more than {value - 1} here" in refused.json()["detail"]


@pytest.mark.requirement("HTTP-ASK-3")
def test_a_floor_may_only_be_raised(tmp_path: Path, serving: Callable[..., Client]) -> None:
    """Of the least score, less is wider."""
    from symfonic.composition.knowledge import Settings

    with KnowledgeBase.open(tmp_path / "floor.db", settings=Settings(min_score=0.4)) as held:
        own = serving()
        client = type(own)(Service(knowledge=held))
        try:
            refused = client.post("/v1/explain", json={"question": LEAVE, "ceilings": {"min_score": 0.3}})
            assert "min_score may be no less than 0.4 here" in refused.json()["detail"]
            assert client.post("/v1/explain", json={"question": LEAVE, "ceilings": {"min_score": 0.5}}).is_success
        finally:
            client.close()


@pytest.mark.requirement("HTTP-ASK-4")
def test_a_question_may_bring_a_file(client: Client) -> None:
    """In Base64; what is none is refused before anything is asked."""
    data = base64.b64encode(b"The offer is 4,200 Euro.").decode()
    sent = {"question": "What is the offer?", "attachments": [{"name": "offer.txt", "data": data}]}
    answer = client.post("/v1/prompt", json=sent).json()
    assert "The offer is 4,200 Euro." in answer["prompt"]
    assert [one["code"] for one in answer["documents"]] == [None]
    refused = client.post("/v1/prompt", json=sent | {"attachments": [{"name": "a.txt", "data": "%%%"}]})
    assert (refused.status_code, refused.json()["code"]) == (422, "input")


@pytest.mark.requirement("HTTP-ASK-5")
def test_an_answer_is_checked_against_the_ledger_of_its_prompt(client: Client) -> None:
    """What /v1/prompt hands out, /v1/verify takes."""
    prompted = client.post("/v1/prompt", json={"question": LEAVE, "scope": ACME_SCOPE}).json()
    label = prompted["ledger"]["entries"][0]["label"]
    answer = f"27 days SOURCE [{label}], and 3 more SOURCE [invented.md ·0000000000]."
    told = client.post("/v1/verify", json={"answer": answer, "ledger": prompted["ledger"]}).json()
    assert [one["label"] for one in told["report"]["cited"]] == [label]
    assert [one["name"].partition("~")[0] for one in told["report"]["unknown"]] == ["invented.md ·0000000000"]
    prompted["ledger"]["entries"][0]["content"] = "31 days"
    forged = client.post("/v1/verify", json={"answer": answer, "ledger": prompted["ledger"]})
    assert (forged.status_code, forged.json()["code"]) == (422, "ledger")
    assert forged.json()["detail"].endswith("nothing was checked; send `ledger` whole")


@pytest.mark.requirement("HTTP-ERR-1")
def test_a_scope_that_names_nobody_is_told_how_one_is_written(client: Client) -> None:
    """In a body as in a query, in words and not as a pattern."""
    told = "a step of a scope is KIND:ID and names somebody; write tenant:acme, for instance"
    body = client.post("/v1/search", json={"question": LEAVE, "scope": ["acme"]})
    query = client.get("/v1/documents", params={"scope": "acme"})
    assert [answer.json()["faults"][0]["message"] for answer in (body, query)] == [told, told]


@pytest.mark.requirement("HTTP-LOG-1")
def test_the_log_has_the_code_of_a_problem_that_a_route_answers(client: Client) -> None:
    """As that of one that the edge answers."""
    client.post("/v1/search", json={"question": 1})
    client.get("/nowhere")
    client.post("/v1/answer", json={"question": LEAVE})
    client.get("/v1/documents")
    codes = [line["code"] for line in client.lines if line["event"] == "request"]
    assert codes == ["invalid", "not-found", "no-model", None]


HOSTILE = [
    (b"{", 400),
    (b"\xff\xfe", 400),
    (b"[" * 100_000, 400),
    (b'{"question":"a","limit":' + b"9" * 5000 + b"}", 400),
    (b"", 422),
    (b"null", 422),
    (b"[]", 422),
    (b'{"question":"\\ud800"}', 422),
    (b'{"question":NaN}', 422),
    (b'{"question":"a","min_score":NaN}', 422),
    (b'{"question":"a","min_score":Infinity}', 422),
    (b'{"question":"a","limit":true}', 422),
    (b'{"question":"a","limit":"3"}', 422),
    (b'{"question":"a","limit":1.5}', 422),
    (b'{"question":"a","limit":99999999999999999999}', 422),
    (b'{"question":" "}', 422),
    (b'{"question":""}', 422),
    (b'{"question":"a","wombat":1}', 422),
    (b'{"question":"a","scope":"tenant:acme"}', 422),
    (b'{"question":"a","scope":["acme"]}', 422),
    (b'{"question":"a","scope":["tenant:\\u001f"]}', 422),
    (b'{"question":"a","scope":["tenant:a\\u0000"]}', 422),
]


@pytest.mark.requirement("HTTP-FAULT-1")
@pytest.mark.parametrize(("body", "status"), HOSTILE, ids=[str(place) for place in range(len(HOSTILE))])
def test_what_is_no_request_is_a_problem_that_repeats_nothing(client: Client, body: bytes, status: int) -> None:
    """Whatever stands in a body."""
    refused = client.post("/v1/search", content=body, headers={"content-type": "application/json"})
    assert refused.status_code == status
    assert refused.headers["content-type"] == "application/problem+json"
    told = refused.json()
    assert set(told) >= {"type", "title", "status", "code", "detail", "request"}
    assert told["status"] == status
    assert "wombat" not in refused.text


@pytest.mark.requirement("HTTP-FAULT-1")
def test_a_long_question_is_refused(serving: Callable[..., Client]) -> None:
    """By its own rule, before anything is looked for."""
    client = serving(max_question_chars=20)
    refused = client.post("/v1/search", json={"question": "x" * 21})
    assert (refused.status_code, refused.json()["code"]) == (422, "question")
    assert "at most 20 characters here; this one has 21" in refused.json()["detail"]


@pytest.mark.requirement("HTTP-FAULT-1")
@pytest.mark.parametrize(("path", "status", "code"), [("/v1/nothing", 404, "not-found"), ("/v1/search", 405, "method")])
def test_a_path_or_method_that_is_not_there_is_a_problem(client: Client, path: str, status: int, code: str) -> None:
    """And says where to look."""
    refused = client.get(path)
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert "/openapi.json" in refused.json()["detail"]


@pytest.mark.requirement("HTTP-FAULT-2")
def test_a_failing_store_is_told_without_its_place(client: Client, knowledge: KnowledgeBase, tmp_path: Path) -> None:
    """Code and a fixed sentence; the log has the id."""
    knowledge.close()
    for answer in (client.post("/v1/search", json={"question": LEAVE}), client.get("/readyz")):
        assert (answer.status_code, answer.json()["code"]) == (503, "store")
        assert str(tmp_path) not in answer.text
        logged = [line["request"] for line in client.lines if line["event"] == "failure"]
        assert answer.json()["request"] in logged
    assert client.get("/healthz").json() == {"status": "ok"}


@pytest.mark.requirement("HTTP-LOG-1")
def test_the_log_tells_of_requests_and_not_of_what_they_hold(client: Client) -> None:
    """One line each."""
    client.post("/v1/prompt", json={"question": "wombat leave", "scope": ACME_SCOPE})
    client.get("/v1/documents?scope=tenant:acme")
    assert [(line["route"], line["status"]) for line in client.lines] == [("/v1/prompt", 200), ("/v1/documents", 200)]
    assert not any(word in str(client.lines) for word in ("ombat", "acme"))


@pytest.mark.requirement("HTTP-ASK-1")
def test_scope_words_without_a_colon_name_nobody() -> None:
    """Wherever they come from."""
    with pytest.raises(ScopeError, match="a word of this one has no colon"):
        scope_asked(["acme"])


@pytest.mark.requirement("HTTP-FAULT-1")
def test_a_service_that_could_answer_no_question_is_refused(knowledge: KnowledgeBase) -> None:
    """Where it is made."""
    with pytest.raises(SettingsError, match="max_question_chars must be a whole number from 1 up"):
        Service(knowledge=knowledge, max_question_chars=0)
