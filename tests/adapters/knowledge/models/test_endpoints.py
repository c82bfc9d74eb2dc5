"""Where a model is reached, and where a key may travel."""

from __future__ import annotations

from typing import Any

import pytest

from symfonic.adapters.knowledge.models.endpoints import DEFAULT_BASE_URL, Endpoint


@pytest.mark.requirement("AN-KEY-1")
@pytest.mark.parametrize(
    ("url", "loopback", "takes", "needs"),
    [
        (DEFAULT_BASE_URL, False, True, True),
        ("https://models.example/v1", False, True, True),
        ("http://models.example/v1", False, False, False),
        ("http://10.0.0.5:8000/v1", False, False, False),
        ("http://127.0.0.1:8080/v1", True, True, False),
        ("http://127.9.9.9/v1", True, True, False),
        ("http://[::1]:8080/v1", True, True, False),
        ("http://localhost:8080", True, True, False),
        ("https://LOCALHOST./v1", True, True, False),
        ("http://model.localhost/v1", True, True, False),
        ("http://localhost.evil.example/v1", False, False, False),
        ("http://127.0.0.1.evil.example/v1", False, False, False),
        ("http://0.0.0.0:8080/v1", False, False, False),
    ],
)
def test_a_key_travels_over_tls_or_stays_on_this_machine(url: str, *, loopback: bool, takes: bool, needs: bool) -> None:
    """And none is needed here."""
    endpoint = Endpoint(url)
    assert (endpoint.loopback, endpoint.takes_key, endpoint.needs_key) == (loopback, takes, needs)


def test_the_default_is_the_providers_own() -> None:
    """With or without the stroke at its end."""
    assert [Endpoint(url).is_default for url in (DEFAULT_BASE_URL, f"{DEFAULT_BASE_URL}/", "http://localhost")] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        (3, "is a int"),
        (None, "is a NoneType"),
        ("", "has no such scheme or no host"),
        ("127.0.0.1:8080", "has no such scheme or no host"),
        ("file:///etc/passwd", "has no such scheme or no host"),
        ("http://", "has no such scheme or no host"),
        ("http://host:port/v1", "cannot be read"),
        ("http://[::1/v1", "cannot be read"),
        ("https://user:hunter2@host/v1", "holds a user or password"),
        ("https://host/v1?key=hunter2", "has a query or a fragment"),
        ("https://host/v1#x", "has a query or a fragment"),
        ("https://host/\n", "holds what no address may"),
        ("https://host/a b", "holds what no address may"),
        ("https://höst/", "holds what no address may"),
        ("https://" + "a" * 2000, "longer than 2000"),
    ],
)
def test_what_is_no_address_is_refused_without_repeating_it(url: Any, fault: str) -> None:
    """It may hold a secret, or steer a terminal."""
    with pytest.raises(ValueError, match=fault) as refused:
        Endpoint(url)
    assert "hunter2" not in str(refused.value)
