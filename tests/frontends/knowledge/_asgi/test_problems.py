"""Problems: every error has a status, and what is the server's own business stays there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from symfonic.composition import knowledge
from symfonic.composition.knowledge import (
    AccessRefusedError,
    InputError,
    KnowledgeError,
    LedgerError,
    QuestionError,
    ScopeError,
    StoreFailedError,
)
from symfonic.frontends.knowledge._asgi import Problem, problem, problem_of, status_of
from symfonic.frontends.knowledge._asgi.problems import _JUDGED, _SHOWN, hidden_message

STATUSES = {
    "knowledge": 500,
    "access-file": 503,
    "access-refused": 403,
    "compile": 500,
    "counter": 500,
    "embedder": 503,
    "input": 422,
    "key": 503,
    "ledger": 422,
    "missing-extra": 501,
    "missing-store": 503,
    "model": 502,
    "nothing-admitted": 422,
    "question": 422,
    "scope": 422,
    "settings": 500,
    "store": 503,
    "wiring": 422,
}


def every(kind: type[KnowledgeError]) -> set[type[KnowledgeError]]:
    """A class and all below it."""
    return {kind}.union(*(every(below) for below in kind.__subclasses__()))


@pytest.mark.requirement("HTTP-ERR-2")
def test_every_error_of_the_knowledge_base_has_a_status_of_its_own() -> None:
    """One that is added later must be judged before it can be answered."""
    ours = {kind for kind in every(KnowledgeError) if kind.__module__.startswith("symfonic.")}
    assert ours == set(_JUDGED)
    assert {kind.code: _JUDGED[kind][0] for kind in ours} == STATUSES
    assert {kind.__name__ for kind in ours} <= set(dir(knowledge))
    assert set(_JUDGED) > _SHOWN


@pytest.mark.requirement("HTTP-ERR-2")
@pytest.mark.parametrize("kind", sorted(set(_JUDGED) - _SHOWN, key=str))
def test_what_failed_on_the_server_is_told_by_its_code_alone(kind: type[KnowledgeError]) -> None:
    """The message, which may hold paths and addresses, is noted for the log."""
    error = kind.__new__(kind, "at /srv/k.db")
    scope: dict[str, Any] = {}
    told = problem_of(error, scope)
    assert (told.status, told.code) == (status_of(error), kind.code)
    assert "/srv" not in told.detail
    of_log = "; the operator finds the reason in the log, under the id of the request"
    assert told.detail.endswith("; send `ledger` whole" if kind is LedgerError else of_log)
    assert scope == {"state": {"failure": error}}
    assert hidden_message(error) == str(error)


@pytest.mark.requirement("HTTP-ERR-2")
@pytest.mark.parametrize("kind", [AccessRefusedError, InputError, QuestionError, ScopeError])
def test_what_the_client_did_wrong_is_told_in_full_unless_it_names_a_place(kind: type[KnowledgeError]) -> None:
    """A path in such a message is the server's."""
    assert problem_of(kind("name somebody")) == Problem(
        status=status_of(kind("")), code=kind.code, detail="name somebody"
    )
    assert hidden_message(kind("name somebody")) is None
    assert "/tmp" not in problem_of(kind("there is nothing at /tmp/upload")).detail
    assert hidden_message(kind("nothing at /tmp/upload")) == "nothing at /tmp/upload"


def test_an_error_of_somebody_elses_class_is_judged_by_ours() -> None:
    """By the nearest one."""

    class OwnStoreError(StoreFailedError):
        pass

    assert status_of(OwnStoreError("x")) == 503


def test_a_problem_is_a_document_in_ascii_of_bounded_length() -> None:
    """With the phrase of the standard, in every release of Python."""
    document = problem(413, "body-size", "é" * 2_000, limit=10)
    assert document.isascii()
    assert json.loads(document) == {
        "type": "urn:symfonic-knowledge:problem:body-size",
        "title": "Content Too Large",
        "status": 413,
        "code": "body-size",
        "detail": "é" * 1_000,
        "limit": 10,
    }
    assert json.loads(problem(404, "a", "b"))["title"] == "Not Found"
    assert json.loads(Problem(status=404, code="a", detail="b").body(c=1)) == json.loads(problem(404, "a", "b", c=1))
    with pytest.raises(ValueError, match="of itself: title, type"):
        problem(404, "a", "b", title="x", type="y")
