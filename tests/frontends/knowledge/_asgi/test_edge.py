"""The edge of a service: what reaches the application, what does not, and what every answer carries."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.capabilities.knowledge import ScopePath
from symfonic.composition.knowledge import SettingsError, StoreFailedError
from symfonic.frontends.knowledge._asgi import access_of, loopback_hosts, request_id_of

from .conftest import HOST, Answer, echo, scope_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from symfonic.composition.knowledge import AccessKey, AccessKeys

    from .conftest import Caller, Clock

    Service = Callable[..., Caller]

ACME = ScopePath.of(("tenant", "acme"))
SAFE = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "x-request-id": "id0",
}


def bearer(token: str) -> dict[str, Any]:
    """Headers that carry a token."""
    return {"headers": [("Authorization", f"Bearer {token}")]}


async def whose(scope: Any, receive: Any, send: Any) -> None:
    """Answer the id of the key that asks."""
    key = access_of(scope)
    await respond(send, (key.id if key else "nobody").encode())


async def respond(send: Any, body: bytes = b"", status: int = 200, *headers: tuple[bytes, bytes]) -> None:
    """A whole answer."""
    await send({"type": "http.response.start", "status": status, "headers": list(headers)})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def refused(answer: Answer, status: int, code: str) -> bool:
    """Whether the answer is that problem, told in one form."""
    told = answer.json
    assert answer.headers["content-type"] == "application/problem+json"
    assert int(answer.headers["content-length"]) == len(answer.body)
    assert told.keys() == {"type", "title", "status", "code", "detail", "request"}
    assert told["status"] == answer.status
    return (answer.status, told["code"]) == (status, code)


# ------------------------------------------------------------------------------------------------- what is carried


@pytest.mark.requirement("HTTP-EDGE-1")
def test_every_answer_carries_safe_headers_whatever_the_application_says(service: Service) -> None:
    """Neither a laxer policy nor a permission for other sites gets out, and the request id is ours."""

    async def lax(scope: Any, receive: Any, send: Any) -> None:
        assert request_id_of(scope) == "id0"
        await respond(
            send, b"x", 200,
            (b"Content-Security-Policy", b"default-src *"), (b"Access-Control-Allow-Origin", b"*"),
            (b"Server", b"me"), (b"X-Request-Id", b"theirs"), (b"Cache-Control", b"public"), (b"ETag", b"1"),
        )  # fmt: skip

    answer = service(lax)(headers=[("X-Request-Id", "chosen")])
    assert answer.headers == {"etag": "1", **SAFE}
    assert refused(unknown := service()(host="evil.example"), 421, "host")
    assert SAFE.items() <= unknown.headers.items()


def test_only_public_paths_may_be_cached_and_only_tls_is_pinned(service: Service) -> None:
    """Static files say themselves how long they last; plain HTTP never promises TLS."""

    async def static(scope: Any, receive: Any, send: Any) -> None:
        await respond(send, b"x", 200, (b"cache-control", b"max-age=60"))

    call = service(static, public_paths=("/static/",))
    assert call(path="/static/a.css").headers["cache-control"] == "max-age=60"
    assert call(path="/static").headers["cache-control"] == "no-store"
    assert "strict-transport-security" not in call().headers
    assert call(scheme="https").headers["strict-transport-security"] == "max-age=31536000"


@pytest.mark.requirement("HTTP-EDGE-2")
def test_a_log_line_tells_of_a_request_and_nothing_of_what_it_holds(
    service: Service, clock: Clock, keys: AccessKeys
) -> None:
    """The route is that of the application's table, never the path; neither query string nor token stands there."""
    key, token = keys.create("Acme")

    class Route:
        path = "/v1/documents/{label}"

    async def app(scope: Any, receive: Any, send: Any) -> None:
        scope["route"] = Route()
        clock.now += 0.25
        await respond(send, b"12345")

    call = service(app, access=keys)
    call("POST", "/v1/documents/secret.md", query_string=b"q=salary", **bearer(token))
    assert call.lines == [
        {
            "event": "request",
            "request": "id0",
            "method": "POST",
            "route": "/v1/documents/{label}",
            "status": 200,
            "code": None,
            "complete": True,
            "ms": 250.0,
            "bytes": 5,
            "key": key.id,
        }
    ]
    call("BREW\n", "/")
    assert (call.line()["method"], call.line()["route"], call.line()["key"]) == ("other", None, None)


def test_a_log_that_fails_ends_no_request(service: Service) -> None:
    """A full disk must not close the service."""

    def log(line: Mapping[str, object]) -> None:
        raise OSError

    assert service(log=log)().status == 200


# ------------------------------------------------------------------------------------------------- where it is from


@pytest.mark.requirement("HTTP-EDGE-3")
@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("kb.example.org", 200),
        ("KB.example.org:80", 200),
        ("kb.example.org:8000", 421),
        ("evil.example", 421),
        ("kb.example.org.evil.example", 421),
        ("localhost", 421),
        (None, 421),
        ("", 400),
        ("kb.example.org@evil.example", 400),
        ("kb.example.org, evil.example", 400),
        ("[::1", 400),
    ],
)
def test_a_service_is_asked_under_its_own_names(service: Service, host: str | None, status: int) -> None:
    """A name that an attacker leads here is none of them: DNS rebinding ends here."""
    assert service()(host=host).status == status


def test_a_host_that_is_said_twice_is_no_host(service: Service) -> None:
    """Which of them counts would be a guess."""
    assert refused(service()(headers=[("Host", HOST)]), 400, "header")


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_on_this_machine_alone_its_three_names_are_known(service: Service, host: str) -> None:
    """With the port, which is part of an origin."""
    call = service(hosts=loopback_hosts(8000))
    assert call(host=host).status == 200
    assert call(host=host.removesuffix(":8000")).status == 421
    assert service(hosts=loopback_hosts(80))(host=host.removesuffix(":8000")).status == 200


@pytest.mark.requirement("HTTP-EDGE-3")
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": f"http://{HOST}"}, 200),
        ({"Origin": f"http://{HOST}:80", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": f"https://{HOST}"}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Origin": f"http://{HOST}.evil.example"}, 403),
        ({"Origin": f"http://{HOST}:8000"}, 403),
        ({"Origin": f"http://evil.example/{HOST}"}, 403),
    ],
)
def test_pages_of_other_sites_are_refused(service: Service, method: str, headers: dict[str, str], status: int) -> None:
    """Whatever they do; behind a proxy that ends TLS our own pages may be those of https."""
    assert service()(method, headers=headers.items()).status == status


def test_a_change_that_comes_from_another_site_is_refused_also_without_an_origin(service: Service) -> None:
    """Reading that way shows nothing to that site's page."""
    headers = [("Sec-Fetch-Site", "cross-site")]
    assert refused(service()("POST", headers=headers), 403, "origin")
    assert service()("GET", headers=headers).status == 200
    assert service()("POST", headers=[("Sec-Fetch-Site", "none")]).status == 200


def test_behind_tls_a_page_without_it_is_another_site(service: Service) -> None:
    """Whoever sits on the line could have written it."""
    call = service()
    assert call("POST", scheme="https", headers=[("Origin", f"https://{HOST}:443")]).status == 200
    assert call("POST", scheme="https", headers=[("Origin", f"http://{HOST}")]).status == 403


def test_pages_of_a_site_that_was_named_may_ask(service: Service, keys: AccessKeys) -> None:
    """Its browser is told so, before and with the answer; nobody else's is."""
    _, token = keys.create("Acme")
    site = "https://intranet.example.org"
    call = service(access=keys, origins=(site,))
    asked = [("Origin", site), ("Access-Control-Request-Method", "POST"), ("Sec-Fetch-Site", "cross-site")]
    before = call("OPTIONS", headers=asked)
    assert (before.status, before.body) == (204, b"")
    assert before.headers["access-control-allow-origin"] == site
    assert "authorization" in before.headers["access-control-allow-headers"]
    answer = call("POST", headers=[("Origin", site), ("Authorization", f"Bearer {token}")])
    assert (answer.status, answer.headers["access-control-allow-origin"]) == (200, site)
    assert answer.headers["vary"] == "origin"
    assert refused(call("POST", headers=[("Origin", site)]), 401, "token")
    assert call("OPTIONS", headers=[("Origin", "https://evil.example"), *asked[1:]]).status == 403


@pytest.mark.parametrize(
    "named", [{"hosts": ("http://x",)}, {"hosts": ("a b",)}, {"origins": ("intranet",)}, {"origins": ("http://x/",)}]
)
def test_names_that_could_never_be_asked_are_refused_at_the_start(service: Service, named: dict[str, Any]) -> None:
    """A service that lets nobody in by mistake is found by whoever starts it."""
    with pytest.raises(SettingsError, match="nothing was started"):
        service(**named)


# ------------------------------------------------------------------------------------------------- whose it is


@pytest.mark.requirement("HTTP-KEY-1")
def test_a_token_shows_whose_request_it_is(service: Service, keys: AccessKeys) -> None:
    """In either header."""
    key, token = keys.create("Acme", scope=ACME)
    call = service(whose, access=keys)
    assert call(**bearer(token)).body.decode() == key.id
    assert call(headers=[("authorization", f"bEARER   {token}")]).body.decode() == key.id
    assert call(headers=[("X-Api-Key", token)]).body.decode() == key.id


@pytest.mark.requirement("HTTP-KEY-1")
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ([], 401),
        ([("Authorization", "Bearer symfonic_000000000000_" + "0" * 64)], 401),
        ([("Authorization", "Bearer é")], 400),
        ([("Authorization", "Basic TOKEN")], 400),
        ([("Authorization", "TOKEN")], 400),
        ([("Authorization", "Bearer TOKEN,TOKEN")], 401),
        ([("Authorization", "Bearer TOKEN"), ("X-Api-Key", "TOKEN")], 400),
        ([("Authorization", "Bearer TOKEN"), ("Authorization", "Bearer TOKEN")], 400),
        ([("X-Api-Key", "TOKEN"), ("x-api-key", "TOKEN")], 400),
        ([("X-Api-Key", "Bearer TOKEN")], 401),
        ([("Cookie", "token=TOKEN")], 401),
    ],
)
def test_without_exactly_one_token_nobody_is_let_in(
    service: Service, keys: AccessKeys, headers: list[tuple[str, str]], status: int
) -> None:
    """What is said twice counts for nothing; the application is not reached."""
    _, token = keys.create("Acme")
    reached: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope)

    answer = service(app, access=keys)(headers=[(name, value.replace("TOKEN", token)) for name, value in headers])
    assert refused(answer, status, "token" if status == 401 else "header")
    assert answer.headers.get("www-authenticate") == ('Bearer realm="symfonic-knowledge"' if status == 401 else None)
    assert reached == []


@pytest.mark.requirement("HTTP-KEY-1")
def test_a_revoked_key_is_refused_at_the_next_request(service: Service, keys: AccessKeys) -> None:
    """And a file of keys that is gone closes the service instead of opening it; clients are not told where it was."""
    key, token = keys.create("Acme")
    call = service(access=keys)
    assert call(**bearer(token)).status == 200
    keys.revoke(key.id)
    assert refused(call(**bearer(token)), 401, "token")
    keys.path.unlink()
    gone = call(**bearer(token))
    assert refused(gone, 503, "access-file")
    assert str(keys.path) not in gone.body.decode()
    told = call.lines[-2]
    assert (told["event"], told["error"], told["code"]) == ("failure", "AccessFileError", "access-file")
    assert str(keys.path) in told["message"]


@pytest.mark.requirement("HTTP-KEY-2")
def test_a_public_path_needs_no_key_and_says_nothing_about_one(service: Service, keys: AccessKeys) -> None:
    """What stands there must not take a missing key for a service without keys."""
    keys.create("Acme")
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append("access" in scope["state"])
        await respond(send)

    call = service(app, access=keys, public_paths=("/static/", "/about"))
    states: dict[str, Any] = {"state": {"access": "forged by what runs before"}}
    for path in ("/static/a.css", "/about", "/healthz", "/readyz"):
        assert call(path=path, **states).status == 200
    assert seen == [False] * 4
    for path in ("/static", "/about/", "/healthz/", "/staticky", "//about", "/v1/search"):
        assert call(path=path).status == 401
    assert seen == [False] * 4


def test_without_keys_anybody_who_reaches_the_port_may_ask(service: Service) -> None:
    """A token that is sent all the same is not looked at."""
    call = service(whose)
    assert call().body == b"nobody"
    assert call(**bearer("whatever")).body == b"nobody"


class Sessions:
    """People who signed in."""

    path = "/sign-in"

    def __init__(self, key: AccessKey) -> None:
        self.key = key

    def key_of(self, cookies: Mapping[str, str]) -> AccessKey | None:
        return self.key if cookies.get("session") == "abc" else None


@pytest.mark.requirement("HTTP-KEY-3")
def test_a_session_stands_for_a_key_and_a_page_leads_to_the_sign_in(service: Service, keys: AccessKeys) -> None:
    """A program that asks without a token is told so instead."""
    key, token = keys.create("Acme")
    call = service(whose, access=keys, sign_in=Sessions(key))
    cookie = ("Cookie", "a=1; session=abc; ")
    assert call(headers=[cookie]).body.decode() == key.id
    assert call(**bearer(token)).body.decode() == key.id
    sent = call(headers=[("Accept", "text/html,*/*")])
    assert (sent.status, sent.headers["location"], sent.body) == (303, "/sign-in", b"")
    assert call("POST", headers=[("Accept", "text/html")]).status == 303  # a form of a page whose session has ended
    assert call("POST", headers=[("Accept", "*/*")]).status == 401
    assert call("DELETE", headers=[("Accept", "text/html")]).status == 401
    assert call(headers=[("Accept", "application/json")]).status == 401
    assert call(headers=[("Cookie", "session=abc; session=abd")]).status == 401
    assert call(headers=[("Cookie", "session")]).status == 401
    assert call(headers=[cookie, ("Authorization", "Bearer x")]).status == 401


@pytest.mark.requirement("HTTP-KEY-3")
def test_a_change_by_cookie_says_which_page_it_comes_from(service: Service, keys: AccessKeys) -> None:
    """A cookie comes along with what any page sends."""
    key, _ = keys.create("Acme")
    call = service(access=keys, sign_in=Sessions(key))
    cookie = ("Cookie", "session=abc")
    assert refused(call("POST", headers=[cookie]), 403, "origin")
    assert call("POST", headers=[cookie, ("Origin", f"http://{HOST}")]).status == 200
    assert call("POST", headers=[cookie, ("Sec-Fetch-Site", "same-origin")]).status == 200
    assert call("POST", headers=[cookie, ("Sec-Fetch-Site", "same-site")]).status == 403
    assert call("POST", headers=[cookie, ("Origin", "https://evil.example")]).status == 403


# ------------------------------------------------------------------------------------------------- how much


@pytest.mark.parametrize(
    ("request_", "status", "code"),
    [
        ({"method": "BREW"}, 501, "method"),
        ({"path": "/" + "a" * 60}, 414, "target-size"),
        ({"path": "/" + "a" * 30, "query_string": b"q" * 40}, 414, "target-size"),
        ({"headers": [("a", "b")] * 8}, 431, "header-size"),
        ({"headers": [("a", "b" * 400)]}, 431, "header-size"),
        ({"path": "/static/../v1/search"}, 400, "path"),
        ({"path": "/./v1"}, 400, "path"),
        ({"path": "/a\0"}, 400, "path"),
        ({"headers": [("Content-Length", "-1")]}, 400, "header"),
        ({"headers": [("Content-Length", "1"), ("Content-Length", "1")]}, 400, "header"),
        ({"headers": [("Content-Length", "1"), ("Transfer-Encoding", "chunked")]}, 400, "header"),
    ],
)
def test_what_is_no_request_of_ours_is_refused(
    service: Service, request_: dict[str, Any], status: int, code: str
) -> None:
    """Before anything is looked up for it."""
    call = service(limits={"max_target_bytes": 60, "max_headers": 6, "max_header_bytes": 300})
    assert refused(call(**request_), status, code)


@pytest.mark.requirement("HTTP-LIM-1")
def test_requests_of_one_key_are_bounded_in_a_while_and_do_not_cost_another_its(
    service: Service, clock: Clock, keys: AccessKeys
) -> None:
    """It is told when to come again."""
    _, one = keys.create("one")
    _, two = keys.create("two")
    call = service(access=keys, limits={"requests_per_minute": 30, "burst": 2})
    assert [call(**bearer(one)).status for _ in range(3)] == [200, 200, 429]
    answer = call(**bearer(one))
    assert refused(answer, 429, "rate")
    assert answer.headers["retry-after"] == "2"
    assert call(**bearer(two)).status == 200
    clock.now += 2
    assert [call(**bearer(one)).status for _ in range(2)] == [200, 429]


@pytest.mark.requirement("HTTP-LIM-1")
def test_without_a_key_requests_of_an_address_are_bounded(service: Service, keys: AccessKeys) -> None:
    """Wrong tokens as well; health can always be asked for."""
    keys.create("Acme")
    call = service(access=keys, limits={"requests_per_minute": 30, "burst": 2}, public_paths=("/about",))
    assert [call(**bearer("wrong")).status for _ in range(3)] == [401, 401, 429]
    assert call(path="/about").status == 429
    assert call(path="/about", client=("192.0.2.8", 1)).status == 200
    assert [call(path="/healthz").status for _ in range(5)] == [200] * 5


async def held(scope: Any, receive: Any, send: Any) -> None:
    """Answer when the event in the state is set."""
    await scope["state"]["go"].wait()
    await respond(send)


@pytest.mark.requirement("HTTP-LIM-2")
def test_so_many_are_worked_on_so_many_wait_and_the_others_are_refused_at_once(service: Service) -> None:
    """Health is answered all the same, and a place that becomes free goes to whoever waits."""
    call = service(held, limits={"max_concurrency": 1, "max_waiting": 1})

    async def scenario() -> list[int]:
        go, now = asyncio.Event(), asyncio.Event()
        now.set()
        first, second = (asyncio.create_task(call.ask(scope_of(state={"go": go}))) for _ in range(2))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        third = await call.ask(scope_of(state={"go": now}))
        assert refused(third, 503, "busy")
        assert third.headers["retry-after"] == "1"
        assert call.edge.active == 2
        health = await call.ask(scope_of(path="/healthz", state={"go": now}))
        go.set()
        answers = [(await task).status for task in (first, second)]
        assert call.edge.active == 0
        return [health.status, *answers, (await call.ask(scope_of(state={"go": now}))).status]

    assert asyncio.run(scenario()) == [200, 200, 200, 200]


@pytest.mark.requirement("HTTP-LIM-2")
def test_nobody_waits_for_a_place_for_long(service: Service) -> None:
    """Then it is refused as if nobody could have waited."""
    call = service(held, limits={"max_concurrency": 1, "waiting_seconds": 0.01})

    async def scenario() -> None:
        go = asyncio.Event()
        first = asyncio.create_task(call.ask(scope_of(state={"go": go})))
        await asyncio.sleep(0)
        assert refused(await call.ask(scope_of(state={"go": go})), 503, "busy")
        go.set()
        assert (await first).status == 200

    asyncio.run(scenario())


@pytest.mark.requirement("HTTP-LIM-5")
def test_one_key_cannot_take_all_places(service: Service, keys: AccessKeys) -> None:
    """What it asks too much waits for its own, and others are answered meanwhile."""
    _, one = keys.create("one")
    _, two = keys.create("two")
    call = service(held, access=keys, limits={"max_concurrency": 2, "max_concurrency_per_key": 1, "max_waiting": 1})

    async def scenario() -> list[int]:
        go, now = asyncio.Event(), asyncio.Event()
        now.set()
        mine = [asyncio.create_task(call.ask(scope_of(state={"go": go}, **bearer(one)))) for _ in range(2)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert refused(await call.ask(scope_of(state={"go": now}, **bearer(one))), 503, "busy")
        other = await call.ask(scope_of(state={"go": now}, **bearer(two)))
        go.set()
        return [other.status, *[(await task).status for task in mine]]

    assert asyncio.run(scenario()) == [200, 200, 200]


@pytest.mark.requirement("HTTP-LIM-6")
def test_an_upload_is_not_read_before_it_has_its_place(service: Service) -> None:
    """And questions are answered beside those that wait."""
    taken: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        taken.append(scope["method"])
        await held(scope, receive, send)

    call = service(app, upload_paths=("/v1/documents",), limits={"max_uploads": 1})

    async def scenario() -> list[int]:
        go, now = asyncio.Event(), asyncio.Event()
        now.set()
        sent: dict[str, Any] = {"method": "POST", "path": "/v1/documents", "headers": [("content-length", "1")]}
        uploads = [asyncio.create_task(call.ask(scope_of(**sent, state={"go": go}), [b"x"])) for _ in range(3)]
        await asyncio.sleep(0.01)
        assert taken == ["POST"]
        listed = await call.ask(scope_of(path="/v1/documents", state={"go": now}))
        question = await call.ask(scope_of("POST", "/v1/search", state={"go": now}))
        go.set()
        return [listed.status, question.status, *[(await task).status for task in uploads]]

    assert asyncio.run(scenario()) == [200] * 5
    assert taken == ["POST", "GET", "POST", "POST", "POST"]


# ------------------------------------------------------------------------------------------------- failures


@pytest.mark.requirement("HTTP-ERR-1")
def test_what_fails_in_the_application_is_a_problem_without_details(service: Service) -> None:
    """Its type is logged, and not a word of it."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise ZeroDivisionError("password=hunter2")

    call = service(app)
    answer = call("POST", headers=[("Content-Length", "9")])
    assert refused(answer, 500, "internal")
    assert answer.headers["connection"] == "close"
    assert "hunter2" not in f"{answer.messages} {call.lines}"
    assert call.lines[0] == {"event": "failure", "request": "id0", "error": "ZeroDivisionError"}
    assert (call.line()["status"], call.line()["code"]) == (500, "internal")


@pytest.mark.requirement("HTTP-ERR-1")
def test_an_error_of_the_knowledge_base_is_answered_by_its_code(service: Service) -> None:
    """What the server's own business is stands in the log alone."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise StoreFailedError("the store at /srv/k.db is locked")

    call = service(app)
    answer = call()
    assert refused(answer, 503, "store")
    assert "/srv" not in answer.body.decode()
    assert call.lines[0]["message"] == "the store at /srv/k.db is locked"


def test_a_failure_in_the_middle_of_an_answer_cuts_it_off(service: Service) -> None:
    """It must not look like a whole one: the server closes a connection whose answer did not end."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"half", "more_body": True})
        raise ValueError("the rest")

    call = service(app)
    answer = call()
    assert (answer.status, answer.body, answer.is_complete) == (200, b"half", False)
    assert [line["event"] for line in call.lines] == ["failure", "request"]
    assert (call.line()["complete"], call.line()["bytes"]) == (False, 4)


@pytest.mark.parametrize("begins", [False, True])
def test_an_application_that_forgets_to_answer_is_noticed(service: Service, *, begins: bool) -> None:
    """Whether it said nothing or stopped in the middle."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if begins:
            await send({"type": "http.response.start", "status": 200, "headers": []})

    call = service(app)
    answer = call()
    assert (answer.status, call.line()["complete"]) == ((200, False) if begins else (500, True))
    assert call.line()["code"] == ("broken-off" if begins else "internal")


def test_a_client_that_went_is_no_failure(service: Service) -> None:
    """Nobody is left to be told."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        assert (await receive())["type"] == "http.disconnect"
        raise ConnectionError

    call = service(app)
    sent: list[Any] = []

    async def gone() -> Any:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(call.edge(scope_of(), gone, send))
    assert sent == []
    assert (call.line()["status"], call.line()["code"], len(call.lines)) == (0, "gone", 1)


# ------------------------------------------------------------------------------------------------- beginning and end


@pytest.mark.requirement("HTTP-END-1")
def test_at_its_end_a_service_refuses_what_is_new_and_finishes_what_was_accepted(service: Service) -> None:
    """Readiness says so first, health goes on, and connections are closed."""
    call = service(held)

    async def scenario() -> None:
        go = asyncio.Event()
        accepted = asyncio.create_task(call.ask(scope_of(state={"go": go})))
        await asyncio.sleep(0)
        call.edge.drain()
        assert call.edge.is_draining
        for path in ("/v1/search", "/readyz"):
            answer = await call.ask(scope_of(path=path, state={"go": go}))
            assert refused(answer, 503, "draining")
            assert (answer.headers["connection"], answer.headers["retry-after"]) == ("close", "5")
        ended = asyncio.create_task(call.edge.drained())
        await asyncio.sleep(0)
        assert not ended.done()
        go.set()
        assert await ended
        assert (await accepted).status == 200
        assert (await call.ask(scope_of(path="/healthz", state={"go": go}))).headers["connection"] == "close"

    asyncio.run(scenario())


@pytest.mark.requirement("HTTP-END-2")
def test_a_service_that_announces_its_end_says_so_and_answers_on(service: Service) -> None:
    """Only readiness changes."""
    call = service()
    call.edge.announce_end()
    assert refused(call(path="/readyz"), 503, "draining")
    assert [call(path=path).status for path in ("/v1/search", "/healthz")] == [200, 200]
    assert not call.edge.is_draining


@pytest.mark.requirement("HTTP-EDGE-4")
@pytest.mark.parametrize("host", ["10.1.2.3:8080", "10.1.2.3", "[2001:db8::1]:8080", "evil.example"])
def test_whether_a_service_lives_is_told_under_any_name(service: Service, host: str) -> None:
    """Whoever checks a machine asks its address; nothing else is told there."""
    call = service()
    assert [call(path=path, host=host).status for path in ("/healthz", "/readyz")] == [200, 200]
    assert refused(call(path="/", host=host), 421, "host")
    assert refused(call(path="/healthz/x", host=host), 421, "host")


@pytest.mark.requirement("HTTP-END-1")
def test_an_end_waits_no_longer_than_it_may(service: Service) -> None:
    """And says that something was left."""
    call = service(held, limits={"drain_seconds": 0.01})

    async def scenario() -> bool:
        accepted = asyncio.create_task(call.ask(scope_of(state={"go": asyncio.Event()})))
        await asyncio.sleep(0)
        call.edge.drain()
        try:
            return await call.edge.drained()
        finally:
            accepted.cancel()

    assert asyncio.run(scenario()) is False


@pytest.mark.requirement("HTTP-END-1")
def test_the_application_ends_only_when_its_requests_have(service: Service) -> None:
    """What it holds open is closed behind them."""
    order: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await held(scope, receive, send)
            order.append("answered")
            return
        while (message := await receive())["type"] != "lifespan.shutdown":
            await send({"type": "lifespan.startup.complete"})
        order.append(message["type"])
        await send({"type": "lifespan.shutdown.complete"})

    call = service(app)

    async def scenario() -> list[Any]:
        go, end = asyncio.Event(), asyncio.Event()
        said = iter(["lifespan.startup", "lifespan.shutdown"])
        sent: list[Any] = []

        async def receive() -> Any:
            kind = next(said)
            if kind == "lifespan.shutdown":
                await end.wait()
            return {"type": kind}

        async def send(message: Any) -> None:
            sent.append(message["type"])

        life = asyncio.create_task(call.edge({"type": "lifespan", "state": {}}, receive, send))
        request = asyncio.create_task(call.ask(scope_of(state={"go": go})))
        await asyncio.sleep(0)
        end.set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert (call.edge.is_draining, order) == (True, [])
        go.set()
        await asyncio.gather(life, request)
        return sent

    assert asyncio.run(scenario()) == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    assert order == ["answered", "lifespan.shutdown"]


def test_a_web_socket_is_refused_and_what_is_unknown_is_an_error(service: Service) -> None:
    """Nothing of ours speaks it, so nothing behind the edge is reached by it."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("reached")

    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    edge = service(app).edge
    asyncio.run(edge({"type": "websocket", "path": "/", "headers": []}, receive, send))
    assert sent == [{"type": "websocket.close", "code": 1008, "reason": ""}]
    with pytest.raises(ValueError, match="answers HTTP; 'ftp'"):
        asyncio.run(edge({"type": "ftp"}, receive, send))


def test_ids_are_drawn_where_nobody_names_a_source() -> None:
    """Sixteen hex digits, another for each request."""
    from symfonic.frontends.knowledge._asgi import Edge

    edge = Edge(echo, access=None, hosts=(HOST,), log=lambda line: ids.append(line["request"]))
    ids: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        pass

    for _ in range(2):
        asyncio.run(edge(scope_of(), receive, send))
    assert [len(one) for one in set(ids)] == [16, 16]
