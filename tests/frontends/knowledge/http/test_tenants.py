"""No route answers for another tenant, whatever is sent: the table below names every route there is."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.composition.knowledge import KnowledgeBase, Settings
from symfonic.frontends.knowledge.http.app import routed

from .conftest import events

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from symfonic.composition.knowledge import AccessKeys

    from .conftest import Client

QUESTION = "days of leave code word"
OTHERS = ("31 days", "Quokka", "other.md")
SCOPES: tuple[list[str] | None, ...] = (
    None,
    ["tenant:other"],
    [],
    ["tenant:other", "user:1"],
    ["tenant:acme", "tenant:other"],  # a step below the key's own: its own documents, and none of the other's
    ["tenant:acme\x1ftenant:other"],
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """How a route is asked, and for whom."""

    method: str
    path: str
    asks: Callable[[list[str] | None], dict[str, Any]] = field(default=lambda scope: {})
    public: bool = False
    writes: bool = False


def _json(**members: Any) -> Callable[[list[str] | None], dict[str, Any]]:
    return lambda scope: {"json": members | ({} if scope is None else {"scope": scope})}


def _query(**members: Any) -> Callable[[list[str] | None], dict[str, Any]]:
    return lambda scope: {"params": members | ({} if scope is None else {"scope": scope})}


def _upload(scope: list[str] | None) -> dict[str, Any]:
    return {"files": [("files", ("new.md", b"Bay 7."))], "data": {} if not scope else {"scope": scope}}


LEDGER = {"format": "symfonic-knowledge citation ledger", "version": 1, "entries": []}
ROUTES = (
    Route(method="POST", path="/v1/search", asks=_json(question=QUESTION)),
    Route(method="POST", path="/v1/prompt", asks=_json(question=QUESTION, format="anthropic")),
    Route(method="POST", path="/v1/explain", asks=_json(question=QUESTION)),
    Route(method="POST", path="/v1/answer", asks=_json(question=QUESTION)),
    Route(method="POST", path="/v1/verify", asks=lambda _: {"json": {"answer": "31 days", "ledger": LEDGER}}),
    Route(method="GET", path="/v1/documents", asks=_query(below="true")),
    Route(method="POST", path="/v1/documents", asks=_upload, writes=True),
    Route(method="DELETE", path="/v1/documents", asks=_query(origin="upload:theirs.md"), writes=True),
    Route(method="GET", path="/healthz", public=True),
    Route(method="GET", path="/readyz", public=True),
    Route(method="GET", path="/openapi.json", public=True),
)
PRIVATE = [route for route in ROUTES if not route.public]


def _named(route: Route) -> str:
    return f"{route.method} {route.path}"


@pytest.fixture
def guarded(serving: Callable[..., Client], keys: AccessKeys) -> Client:
    """A service with keys, asked with one of acme's that may write."""
    token = keys.create("acme", scope="tenant\x1facme", may_write=True)[1]
    client = serving(access=keys, says=["It is 27 days."])
    client.token = token
    return client


def _routes(app: Any) -> Iterator[tuple[str, str]]:
    for route in app.routes:
        nested = getattr(route, "original_router", None)
        if nested is not None:
            yield from _routes(nested)
        elif hasattr(route, "methods"):
            yield from ((method, route.path) for method in route.methods if method != "HEAD")
        else:
            yield ("MOUNT", route.path)


@pytest.mark.requirement("HTTP-TENANT-1")
def test_every_route_is_in_the_table(client: Client) -> None:
    """A new route is asked here before anybody else asks it."""
    found = {(method, path) for method, path in _routes(routed(client.service)) if path.startswith("/v1")}
    described = {
        (method.upper(), path)
        for path, methods in client.get("/openapi.json").json()["paths"].items()
        for method in methods
    }
    table = {(route.method, route.path) for route in ROUTES} - {("GET", "/openapi.json")}
    assert described == table
    assert found <= table


@pytest.mark.requirement("HTTP-TENANT-1")
@pytest.mark.parametrize("route", PRIVATE, ids=_named)
@pytest.mark.parametrize("scope", SCOPES, ids=str)
def test_no_route_answers_for_another_tenant(guarded: Client, route: Route, scope: list[str] | None) -> None:
    """Whatever scope is named, and whatever headers are sent along."""
    headers = {"x-tenant": "other", "x-scope": "tenant:other", "x-forwarded-user": "other", "cookie": "scope=other"}
    answer = guarded(route.method, route.path, headers=headers, **route.asks(scope))
    said = answer.text.replace(json.dumps(QUESTION), "")
    if route.path == "/v1/verify":
        said = ""  # it says what it was told
    assert not any(word in said for word in OTHERS)
    below = scope is None or scope[:1] == ["tenant:acme"] or (not scope and route.path == "/v1/documents")
    if not below and route.path != "/v1/verify":
        assert answer.status_code in {403, 422}
    else:
        assert answer.status_code in {200, 404}


@pytest.mark.requirement("HTTP-TENANT-2")
@pytest.mark.parametrize("route", PRIVATE, ids=_named)
@pytest.mark.parametrize("token", ["", "symfonic_000000000000_" + "0" * 64, "wrong", "é"])
def test_no_route_answers_without_a_key(guarded: Client, route: Route, token: str) -> None:
    """The refusal is the same everywhere."""
    guarded.token = None
    headers = {"authorization": f"Bearer {token}".encode()} if token else {}
    refused = guarded(route.method, route.path, headers=headers, **route.asks(None))
    assert (refused.status_code, refused.json()["code"]) in {(401, "token"), (400, "header")}


@pytest.mark.requirement("HTTP-TENANT-2")
@pytest.mark.parametrize("route", [route for route in ROUTES if route.public], ids=_named)
def test_public_routes_say_nothing_of_what_is_stored(guarded: Client, route: Route) -> None:
    """They answer without a key and show no document."""
    guarded.token = None
    answer = guarded(route.method, route.path)
    assert answer.status_code == 200
    assert not any(word in answer.text for word in (*OTHERS, "acme.md", "Wombat"))


@pytest.mark.requirement("HTTP-TENANT-3")
@pytest.mark.parametrize("route", [route for route in ROUTES if route.writes], ids=_named)
def test_a_key_that_may_not_write_changes_nothing(
    guarded: Client, keys: AccessKeys, knowledge: KnowledgeBase, route: Route
) -> None:
    """Reading it may."""
    reader = keys.create("reader", scope="tenant\x1facme")[1]
    before = knowledge.revision()
    refused = guarded(route.method, route.path, token=reader, **route.asks(None))
    assert (refused.status_code, refused.json()["code"]) == (403, "access-refused")
    assert knowledge.revision() == before


@pytest.mark.requirement("HTTP-TENANT-3")
def test_what_a_key_stores_lies_at_its_own_scope(guarded: Client, knowledge: KnowledgeBase) -> None:
    """Nobody else's scope is changed by leaving it out."""
    guarded("POST", "/v1/documents", files=[("files", ("new.md", b"Bay 7."))])
    assert [one.document.scope_path for one in knowledge.documents() if one.document.file == "new.md"] == [
        "tenant\x1facme"
    ]


@pytest.mark.requirement("HTTP-TENANT-5")
def test_a_key_removes_what_was_sent_and_nothing_the_operator_ingested(
    guarded: Client, serving: Callable[..., Client], knowledge: KnowledgeBase
) -> None:
    """Whoever knows where a file lay is answered as if there were none; without keys the operator asks."""
    origin = next(one.document.origin for one in knowledge.documents() if one.document.file == "acme.md")
    guarded.post("/v1/documents", files=[("files", ("new.md", b"Bay 7."))])
    refused = guarded("DELETE", "/v1/documents", params={"origin": origin})
    none = guarded("DELETE", "/v1/documents", params={"origin": f"{origin}x"})
    refusal, absence = ({**one.json(), "request": ""} for one in (refused, none))
    assert (refused.status_code, refusal) == (404, absence)
    assert guarded("DELETE", "/v1/documents", params={"origin": "upload:new.md"}).status_code == 200
    assert {one.document.file for one in knowledge.documents(scope="tenant\x1facme")} == {"acme.md"}
    asked = {"origin": origin, "scope": "tenant:acme"}
    assert serving()("DELETE", "/v1/documents", params=asked).status_code == 200


@pytest.mark.requirement("HTTP-FAULT-3")
@pytest.mark.parametrize("route", ROUTES, ids=_named)
def test_a_parameter_no_route_declares_is_refused(guarded: Client, knowledge: KnowledgeBase, route: Route) -> None:
    """A misspelt scope is never the widest one, and nothing is done."""
    before = knowledge.revision()
    asked = route.asks(None)
    asked["params"] = {**asked.get("params", {}), "scopes": "tenant:acme"}
    refused = guarded(route.method, route.path, **asked)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid")
    [fault] = refused.json()["faults"]
    assert (fault["at"], fault["message"].split(";")[0]) == (["query"], "no parameter of another name belongs here")
    assert "scopes" not in refused.text
    assert knowledge.revision() == before


@pytest.mark.requirement("HTTP-FAULT-3")
@pytest.mark.parametrize("name", ["scopes", "Scope", "scope[]", "file"])
def test_a_field_of_a_form_that_no_route_declares_is_refused(
    guarded: Client, knowledge: KnowledgeBase, name: str
) -> None:
    """Nothing is stored where the whole deployment would see it."""
    before = knowledge.revision()
    refused = guarded.post("/v1/documents", files=[("files", ("n.md", b"Bay 7."))], data={name: "tenant:acme"})
    assert refused.status_code == 422
    message = "no field of another name belongs here; those that do are files, scope"
    assert refused.json()["faults"] == [{"at": ["body"], "type": "unknown_name", "message": message}]
    assert knowledge.revision() == before


@pytest.mark.requirement("HTTP-FAULT-4")
@pytest.mark.parametrize("route", [one for one in PRIVATE if one.method == "POST"], ids=_named)
@pytest.mark.parametrize("said", [None, "text/plain", "application/x-www-form-urlencoded"])
def test_a_body_of_another_kind_is_told_which_is_taken(guarded: Client, route: Route, said: str | None) -> None:
    """By the header that was to be sent."""
    headers = {} if said is None else {"content-type": said}
    refused = guarded(route.method, route.path, content=b'{"question": "leave"}', headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (415, "media-type")
    expected = "multipart/form-data" if route.path == "/v1/documents" else "application/json"
    assert refused.json()["detail"].endswith(f"; send Content-Type: {expected}")


@pytest.mark.requirement("HTTP-TENANT-2")
def test_a_revoked_key_is_refused_at_the_next_request(guarded: Client, keys: AccessKeys) -> None:
    """Without a restart; without the file nobody is let in at all."""
    assert guarded.post("/v1/search", json={"question": QUESTION}).is_success
    keys.revoke(keys.listed()[0].id)
    assert guarded.post("/v1/search", json={"question": QUESTION}).status_code == 401
    keys.path.unlink()
    refused = guarded.post("/v1/search", json={"question": QUESTION})
    assert (refused.status_code, str(keys.path) in refused.text) == (503, False)


@pytest.mark.requirement("HTTP-TENANT-1")
def test_answers_of_two_tenants_do_not_mix(guarded: Client, keys: AccessKeys) -> None:
    """The same question of one after the other's gets its own rows: nothing is kept between them."""
    other = keys.create("other", scope="tenant\x1fother")[1]
    files = []
    for token in (guarded.token, other, guarded.token, other):
        rows = guarded.post("/v1/search", token=token, json={"question": QUESTION}).json()["results"]
        files.append(rows[0]["file"])
    assert files == ["acme.md", "other.md", "acme.md", "other.md"]


@pytest.mark.requirement("HTTP-TENANT-4")
def test_a_key_is_told_no_folder_and_no_path_of_the_operators(
    filled: Path, tmp_path: Path, serving: Callable[..., Client], keys: AccessKeys
) -> None:
    """Neither where a file lay that the operator ingested, nor where a standing document was looked for."""
    token = keys.create("acme", scope="tenant\x1facme", may_write=True)[1]
    (tmp_path / "standing").mkdir()
    settings = Settings(document_folder=tmp_path / "standing")
    asked = {"question": QUESTION, "documents": ["gone.md"], "attachments": [{"name": "x.exe", "data": "AAAA"}]}
    with KnowledgeBase.open(tmp_path / "k.db", settings=settings) as opened:
        client = serving(knowledge=opened, access=keys, says=["27 days."])
        client.token = token
        client.post("/v1/documents", files=[("files", ("new.md", b"Bay 7."))])
        answers = [client.post(f"/v1/{word}", json=asked) for word in ("prompt", "explain", "answer")]
        listed = client.get("/v1/documents")
        assert {one["file"]: one["origin"] for one in listed.json()["documents"]} == {
            "acme.md": None,
            "new.md": "upload:new.md",
        }
        details = [[one["detail"] for one in answer.json()["documents"]] for answer in answers[:2]]
        assert [(first, "cannot be read" in second) for first, second in details] == [(None, True)] * 2
        assert events(answers[2])[-1][1]["documents"][0]["detail"] is None
        assert not any(str(place) in answer.text for answer in (*answers, listed) for place in (tmp_path, filled))
        unguarded = serving(knowledge=opened)
        assert str(tmp_path) in unguarded.post("/v1/explain", json=asked).text
        shown = unguarded.get("/v1/documents", params={"scope": "tenant:acme"}).json()["documents"]
        assert {one["origin"] for one in shown} == {str(filled / "acme.md"), "upload:new.md"}


@pytest.mark.requirement("HTTP-TENANT-1")
def test_a_standing_document_of_another_tenant_is_not_shown(
    tmp_path: Path, serving: Callable[..., Client], keys: AccessKeys
) -> None:
    """A store that knows scopes is asked for the key's, whatever document is named and whatever scope beside it."""
    asked: list[tuple[str, str]] = []

    class Scoped:
        def get(self, name: str, *, scope_path: str) -> str | None:
            asked.append((name, scope_path))
            return "Their word is Quokka." if scope_path == "tenant\x1fother" else None

    with KnowledgeBase.open(tmp_path / "k.db", documents=Scoped()) as opened:
        client = serving(knowledge=opened, access=keys, says=["27 days."])
        client.token = keys.create("acme", scope="tenant\x1facme")[1]
        body = {"question": QUESTION, "documents": ["plan.md"]}
        answers = [client.post(f"/v1/{word}", json=body) for word in ("prompt", "explain", "answer")]
        refused = client.post("/v1/prompt", json={**body, "scope": ["tenant:other"]})
        theirs = client.post("/v1/prompt", token=keys.create("o", scope="tenant\x1fother")[1], json=body)
    assert not any("Quokka" in answer.text for answer in (*answers, refused))
    assert refused.status_code == 403
    assert "Quokka" in theirs.text
    assert set(asked) == {("plan.md", "tenant\x1facme"), ("plan.md", "tenant\x1fother")}
