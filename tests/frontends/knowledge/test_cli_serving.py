"""``serve`` and ``mcp`` refuse options before anything is opened, and say which it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from symfonic.composition.knowledge import AccessKeys, SettingsError
from symfonic.frontends.knowledge.http.serving import require_proxy

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Command


@pytest.mark.requirement("CLI-USE-1")
@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--port", "65536"),
        ("--port", "-1"),
        ("--workers", "0"),
        ("--max-question-chars", "0"),
        ("--max-body-bytes", "0"),
        ("--max-upload-bytes", "-1"),
        ("--max-concurrency", "0"),
        ("--requests-per-minute", "0"),
        ("--request-seconds", "0"),
        ("--request-seconds", "nan"),
        ("--drain-notice", "-1"),
        ("--allowed-host", "http://kb.example.org"),
        ("--allowed-origin", "kb.example.org"),
        ("--behind-proxy", "foo bar"),
    ],
)
def test_an_option_of_a_service_that_is_none_is_wrong_use(run: Command, option: str, value: str) -> None:
    """It is told with its name, and no store is opened."""
    refused = run("serve", option, value)
    assert (refused.code, refused.text) == (2, "")
    assert f"Invalid value for {option}" in refused.err
    assert not run.store.exists()


@pytest.mark.requirement("CLI-USE-1")
@pytest.mark.parametrize(("option", "value"), [("--allowed-host", "kb.example.org"), ("--access-file", "own.access")])
def test_what_counts_over_http_alone_is_refused_without_it(run: Command, option: str, value: str) -> None:
    """It would be passed over."""
    refused = run("mcp", option, value)
    assert (refused.code, refused.text) == (2, "")
    assert f"Invalid value for {option}" in refused.err


@pytest.mark.parametrize("command", [("serve", "--port", "0"), ("mcp", "--http", "127.0.0.1:0")])
def test_a_named_access_file_that_is_not_there_lets_nobody_in(
    run: Command, tmp_path: Path, command: tuple[str, ...]
) -> None:
    """Neither face starts open where keys were named, and nothing is said of a file that was there before."""
    refused = run(*command, "--access-file", str(tmp_path / "own.access"))
    assert refused.code == 1
    assert f"there is none at {tmp_path / 'own.access'} and nobody is let in" in " ".join(refused.err.split())


def test_keys_of_a_named_file_decide_over_mcp(run: Command, tmp_path: Path) -> None:
    """A scope beside them is refused, as beside keys of the store."""
    AccessKeys(tmp_path / "own.access").create("Acme")
    words = ("--access-file", str(tmp_path / "own.access"), "--scope", "tenant:acme")
    refused = run("mcp", "--http", "127.0.0.1:0", *words)
    assert refused.code == 2
    assert "Invalid value for --scope" in refused.err


@pytest.mark.parametrize("named", ["foo bar", "", "*", "10.0.0.7,", "proxy.example.org"])
def test_a_proxy_that_is_no_address_is_refused(named: str) -> None:
    """It would match nobody."""
    with pytest.raises(SettingsError, match="a proxy is named by its address"):
        require_proxy(named)


@pytest.mark.parametrize("named", [None, "10.0.0.7", "10.0.0.0/24, ::1"])
def test_a_proxy_is_named_by_its_address_or_network(named: str | None) -> None:
    """Several with commas between."""
    require_proxy(named)


def test_a_server_of_agents_at_every_address_has_to_be_named(run: Command, tmp_path: Path) -> None:
    """Nobody could ask it otherwise; a name that is none is refused as well."""
    AccessKeys(tmp_path / "k.db.access").create("Acme")
    refused = run("mcp", "--http", "0.0.0.0:0")
    assert (refused.code, "give it some with --allowed-host" in " ".join(refused.err.split())) == (2, True)
    refused = run("mcp", "--http", "0.0.0.0:0", "--allowed-host", "http://x")
    assert (refused.code, "Invalid value for --allowed-host" in refused.err) == (2, True)
