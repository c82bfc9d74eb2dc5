"""Documents over HTTP: each file has its outcome, sent again it replaces itself, and only its origin deletes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from symfonic.composition.knowledge import KnowledgeBase

    from .conftest import Client


def sent(client: Client, *files: tuple[str, bytes], scope: str = "tenant:acme", **options: Any) -> Any:
    """Send files to a scope."""
    data = {"scope": scope} if scope else {}
    return client.post("/v1/documents", files=[("files", one) for one in files], data=data, **options)


@pytest.mark.requirement("HTTP-DOC-1")
def test_every_file_has_an_outcome_and_a_bad_one_costs_itself(client: Client) -> None:
    """In the order they were sent."""
    answer = sent(
        client,
        ("new.md", b"# Parking\n\nBay 7 is free.\n"),
        ("x.bin", b"\0\1\2"),
        ("new.md", b"second"),
        ("e.txt", b""),
    )
    assert answer.status_code == 200
    outcomes = [(one["file"], one["outcome"]) for one in answer.json()["files"]]
    assert outcomes == [
        ("new.md", "ingested"),
        ("x.bin", "unsupported"),
        ("new.md", "already-visited"),
        ("e.txt", "empty"),
    ]
    found = client.post("/v1/search", json={"question": "parking bay", "scope": ["tenant:acme"]}).json()["results"]
    assert found[0]["file"] == "new.md"


@pytest.mark.requirement("HTTP-DOC-2")
def test_a_document_sent_again_is_unchanged_or_replaced(client: Client) -> None:
    """Its identity is its name, whatever folder a browser names with it."""
    names = ["new.md", r"C:\Users\me\new.md", "/home/me/new.md", "../../new.md"]
    outcomes = [sent(client, (name, b"Bay 7.")).json()["files"][0]["outcome"] for name in names]
    assert outcomes == ["ingested", "unchanged", "unchanged", "unchanged"]
    assert sent(client, ("new.md", b"Bay 8.")).json()["files"][0]["outcome"] == "replaced"
    listed = client.get("/v1/documents", params={"scope": "tenant:acme"}).json()["documents"]
    assert sorted(one["file"] for one in listed) == ["acme.md", "new.md"]


@pytest.mark.requirement("HTTP-DOC-3")
def test_a_document_is_deleted_by_exactly_its_origin_and_scope(client: Client, knowledge: KnowledgeBase) -> None:
    """A name that reads like a glob is a name."""
    sent(client, ("[a]*.md", b"Bay 7."), ("a.md", b"Bay 8."))
    gone = client("DELETE", "/v1/documents", params={"origin": "upload:[a]*.md", "scope": "tenant:acme"})
    assert gone.json() == {"documents": 1, "chunks": 1, "origins": ["upload:[a]*.md"], "vacuumed": False}
    again = client("DELETE", "/v1/documents", params={"origin": "upload:[a]*.md", "scope": "tenant:acme"})
    assert (again.status_code, again.json()["code"]) == (404, "no-document")
    elsewhere = client("DELETE", "/v1/documents", params={"origin": "upload:a.md", "scope": "tenant:other"})
    assert elsewhere.status_code == 404
    assert client("DELETE", "/v1/documents", params={"origin": "*", "scope": "tenant:acme"}).status_code == 404
    assert {one.document.file for one in knowledge.documents(scope="tenant\x1facme")} == {"acme.md", "a.md"}


@pytest.mark.requirement("HTTP-DOC-4")
def test_documents_are_listed_at_a_scope_or_below_it(client: Client) -> None:
    """Without a scope, what the whole deployment shares."""
    files = [
        [one["file"] for one in client.get("/v1/documents", params=params).json()["documents"]]
        for params in ({}, {"scope": "tenant:acme"}, {"below": "true"})
    ]
    assert files == [["house.md"], ["acme.md"], ["house.md", "acme.md", "other.md"]]


@pytest.mark.requirement("HTTP-DOC-1")
@pytest.mark.parametrize(
    "files", [[], [("files", ("..", b"x"))], [("files", ("\u200b", b"x"))], [("files", ("x" * 300 + ".md", b"x"))]]
)
def test_what_has_no_name_is_refused_whole(client: Client, knowledge: KnowledgeBase, files: list[Any]) -> None:
    """And so is nothing at all; nothing is stored."""
    files = [*files, ("files", ("good.md", b"Bay 9."))] if files else files
    refused = client.post("/v1/documents", files=files, data={"scope": "tenant:acme"})
    assert refused.status_code == (422 if files else 415)  # a form without files is none that carries them
    assert "good.md" not in {one.document.file for one in knowledge.documents()}


@pytest.mark.requirement("HTTP-DOC-1")
def test_an_upload_that_is_too_large_is_refused_by_the_operators_limit(serving: Callable[..., Client]) -> None:
    """Its own, wider than that of questions."""
    from symfonic.frontends.knowledge._asgi import EdgeLimits

    client = serving(limits=EdgeLimits(max_body_bytes=100, max_upload_bytes=5_000))
    assert sent(client, ("new.md", b"x " * 1000)).status_code == 200
    refused = sent(client, ("new.md", b"x " * 5000))
    assert (refused.status_code, refused.json()["code"]) == (413, "body-size")
    assert client.post("/v1/search", json={"question": "x " * 100}).status_code == 413
