"""``access create``, ``list`` and ``revoke``: tokens shown once, keys by their ids."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from symfonic.composition.knowledge import AccessKeys, access_path

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Command


@pytest.mark.requirement("CLI-ACC-1")
def test_a_token_stands_alone_on_standard_output(run: Command) -> None:
    """It can be piped to where it is kept; what it is for is said beside it."""
    made = run("access", "create", "Acme sales", "--scope", "tenant:acme", "--scope", "team:sales", "--days", "7")
    (key,) = AccessKeys(access_path(run.store)).listed()
    assert made.code == 0
    assert re.fullmatch(rf"symfonic_{key.id}_[0-9a-f]{{64}}\n", made.text)
    assert AccessKeys(access_path(run.store)).verify(made.text.strip()) == key
    assert (key.name, key.scope_path, key.may_write) == ("Acme sales", "tenant\x1facme\x1fteam\x1fsales", False)
    assert made.err.startswith(f"Key {key.id} for Acme sales: read tenant:acme team:sales, until ")
    assert made.text.strip() not in made.err
    assert not run.store.exists()


@pytest.mark.requirement("CLI-ACC-1")
def test_keys_are_listed_without_their_tokens(run: Command) -> None:
    """Whose, for what, until when."""
    assert (run("access", "list").text, "There is no access key in" in run("access", "list").err) == ("", True)
    one = run("access", "create", "Acme", "--scope", "tenant:acme", "--json").json
    two = run("access", "create", "ops", "--write", "--days", "1", "--json").json
    assert one["token"].startswith(f"symfonic_{one['key']['id']}_")
    assert one["path"] == f"{run.store}.access"
    listed = run("access", "list", "--json")
    assert listed.json == {"path": f"{run.store}.access", "keys": [one["key"], two["key"]]}
    assert one["key"] == {
        "id": one["key"]["id"],
        "name": "Acme",
        "scope": ["tenant:acme"],
        "write": False,
        "created": one["key"]["created"],
        "expires": None,
        "expired": False,
    }
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", two["key"]["expires"])
    shown = run("access", "list").text
    for told in (one["key"]["id"], "Acme", "tenant:acme", "until revoked", "everything", "read and write"):
        assert told in shown
    assert not re.search("[0-9a-f]{64}", shown + listed.text)


@pytest.mark.requirement("CLI-ACC-1")
def test_a_revoked_key_is_gone(run: Command) -> None:
    """By its id; a token in its place is refused and not repeated."""
    token = run("access", "create", "Acme").text.strip()
    wrong = run("access", "revoke", token)
    key_id = token.split("_")[1]
    assert (wrong.code, token in wrong.text + wrong.err) == (2, False)
    assert "this is its token, which others may now have seen" in wrong.err
    assert f"revoke {key_id}" in wrong.err
    assert run("access", "revoke", key_id).text == f"Revoked {key_id} for Acme in {run.store}.access\n"
    assert run("access", "revoke", key_id, "--json").json["error"]["code"] == "input"
    assert run("access", "list", "--json").json["keys"] == []
    other = run("access", "create", "Acme", "--json").json["key"]
    assert run("access", "revoke", other["id"], "--json").json == {"path": f"{run.store}.access", "revoked": other}


def test_another_file_may_hold_them(run: Command, tmp_path: Path) -> None:
    """One file for services of several stores."""
    path = tmp_path / "shared.access"
    assert run("access", "create", "Acme", "--access-file", str(path)).code == 0
    assert [key.name for key in AccessKeys(path).listed()] == ["Acme"]
    assert not access_path(run.store).exists()


def test_an_expired_key_says_so(run: Command) -> None:
    """It stays until it is revoked."""
    AccessKeys(access_path(run.store), clock=lambda: 0.0).create("old", days=1)
    assert "expired 1970-01-02T00:00:00Z" in run("access", "list").text
    assert run("access", "list", "--json").json["keys"][0]["expired"] is True


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["create", "Acme", "--scope", "acme"], 2, "KIND:ID"),
        (["create", "Acme", "--days", "0"], 2, "whole number of days"),
        (["create", "Acme", "--days", "soon"], 2, "whole number such as 8"),
        (["create", " "], 2, "a key's name is text"),
        (["create"], 2, "NAME"),
        (["revoke"], 2, "ID"),
    ],
)
def test_what_makes_no_key_is_refused(run: Command, words: list[str], code: int, told: str) -> None:
    """And leaves no file behind."""
    outcome = run("access", *words)
    assert (outcome.code, outcome.text, told in outcome.err) == (code, "", True)
    assert not access_path(run.store).exists()


def test_help_tells_the_two_kinds_of_keys_apart(run: Command) -> None:
    """One lets people in, the other makes labels and delimiters."""
    words = " ".join(run.bare("access", "--help").text.split())
    assert "The key of a store, which makes labels and delimiters and lets nobody in" in words


@pytest.mark.requirement("CLI-USE-1")
@pytest.mark.parametrize(
    ("words", "option"),
    [((" ",), "NAME"), (("Acme", "--days", "0"), "--days"), (("Acme", "--days", "99999"), "--days")],
)
def test_what_is_no_name_and_no_number_of_days_is_wrong_use(run: Command, words: tuple[str, ...], option: str) -> None:
    """It is told with its name, and no key is made."""
    refused = run("access", "create", *words)
    assert refused.code == 2
    assert f"Invalid value for {option}" in refused.err
    assert not access_path(run.store).exists()


def test_a_key_for_a_store_that_is_not_there_is_told(run: Command, folder: Path) -> None:
    """The name of the store may have been another's."""
    assert f"There is no store at {run.store} yet" in run("access", "create", "Acme").err
    run("ingest", str(folder))
    assert "There is no store" not in run("access", "create", "Acme").err
