"""The OpenAPI description says what the service does: examples have the form of real answers, no error is missing."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.core.result import Ok

from symfonic.frontends.knowledge._asgi import EdgeLimits

from .conftest import events

if TYPE_CHECKING:
    from collections.abc import Callable

    import httpx

    from .conftest import Client

ASKED = {"question": "How many days of leave?", "scope": ["tenant:acme"]}
MODES = (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE)
EXAMPLES = settings(
    max_examples=int(os.environ.get("SYMFONIC_EXAMPLES", "150")),
    derandomize=True,
    database=None,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)


def _example(client: Client, path: str, method: str = "post") -> Any:
    content = client.get("/openapi.json").json()["paths"][path][method]["responses"]["200"]["content"]
    return next(iter(content.values()))["example"]


def _shape(value: Any) -> Any:
    """Names of members that hold something, as deep as they go; of a list those of its first element."""
    if isinstance(value, dict):
        return {name: _shape(member) for name, member in sorted(value.items()) if member is not None}
    if isinstance(value, list) and value:
        return [_shape(value[0])]
    return "list" if isinstance(value, list) else "value"


def _within(example: Any, real: Any, at: str = "") -> list[str]:
    """Where an example has members that the real answer has not, or lacks some."""
    if isinstance(example, dict) and isinstance(real, dict):
        found = [f"{at}.{name}" for name in example.keys() ^ real.keys()]
        both = example.keys() & real.keys()
        return found + [fault for name in both for fault in _within(example[name], real[name], f"{at}.{name}")]
    if isinstance(example, list) and isinstance(real, list) and example and real:
        return _within(example[0], real[0], f"{at}[]")
    return [] if "list" in (example, real) or type(example) is type(real) else [at]


@pytest.mark.requirement("HTTP-SCHEMA-1")
def test_examples_have_the_form_of_real_answers(serving: Callable[..., Client]) -> None:
    """To the last member."""
    client = serving(says=["It is 27 days."])
    prompted = client.post("/v1/prompt", json=ASKED).json()
    real = {
        "/v1/search": client.post("/v1/search", json=ASKED).json(),
        "/v1/prompt": prompted,
        "/v1/explain": client.post(
            "/v1/explain",
            json={"question": "leave house", "scope": ["tenant:acme"], "ceilings": {"max_total_chars": 100}},
        ).json(),
        "/v1/verify": client.post(
            "/v1/verify",
            json={"answer": f"27 SOURCE [{prompted['ledger']['entries'][0]['label']}]", "ledger": prompted["ledger"]},
        ).json(),
        "/v1/documents": client.post("/v1/documents", files=[("files", ("new.md", b"Bay 7."))]).json(),
    }
    faults = [
        f"{path}{fault}"
        for path, answer in real.items()
        for fault in _within(_shape(_example(client, path)), _shape(answer))
    ]
    listed = client.get("/v1/documents").json()
    faults += _within(_shape(_example(client, "/v1/documents", "get")), _shape(listed))
    gone = client("DELETE", "/v1/documents", params={"origin": "upload:new.md"}).json()
    faults += _within(_shape(_example(client, "/v1/documents", "delete")), _shape(gone))
    assert not faults, "\n".join(sorted(faults))


@pytest.mark.requirement("HTTP-SCHEMA-1")
def test_events_of_an_answer_are_those_of_the_description(serving: Callable[..., Client]) -> None:
    """The example is one of them."""
    client = serving(says=["There are 27 days of leave."])
    example = _example(client, "/v1/answer")
    told = events(client.post("/v1/answer", json=ASKED))
    assert example == f"event: piece\ndata: {json.dumps(told[1][1])}\n\n"


def _requests(described: Any) -> st.SearchStrategy[Any]:
    """Requests to every route, as they should be and as they should not."""
    found = list(schemathesis.openapi.from_dict(described).get_all_operations())
    operations = [made.ok() for made in found if isinstance(made, Ok)]
    assert len(operations) == len(found)
    return st.one_of(*(one.as_strategy(generation_mode=mode) for one in operations for mode in MODES))


def _sent(client: Client, case: Any) -> httpx.Response:
    options = case.as_transport_kwargs(base_url="http://kb.example.org")
    prepared = requests.Request(**options).prepare()
    headers = {name: value for name, value in prepared.headers.items() if name.lower() in {"content-type", "accept"}}
    assert prepared.method is not None
    assert prepared.url is not None
    return client(prepared.method, prepared.url, content=prepared.body or b"", headers=headers)


@pytest.mark.slow
@pytest.mark.requirement("HTTP-SCHEMA-1")
def test_no_request_is_answered_otherwise_than_described(serving: Callable[..., Client]) -> None:
    """Right ones and wrong ones: each gets a status and a content type of the description, and nothing fails."""
    client = serving(says=["It is 27 days."], limits=EdgeLimits(burst=100_000))
    described = client.get("/openapi.json").json()
    asked: set[tuple[str, str, int]] = set()

    @EXAMPLES
    @given(case=_requests(described))
    def holds(case: Any) -> None:
        answer = _sent(client, case)
        method, path = case.method.lower(), case.path
        asked.add((method, path, answer.status_code))
        known = described["paths"][path][method]["responses"].get(str(answer.status_code))
        assert known is not None, (
            f"{method} {path} answers {answer.status_code}, which is not described: {answer.text[:300]}"
        )
        assert answer.headers["content-type"].partition(";")[0] in known["content"]
        assert answer.status_code < 500

    holds()
    assert {(method, path) for method, path, _ in asked} == {
        (method, path) for path, methods in described["paths"].items() for method in methods
    }
