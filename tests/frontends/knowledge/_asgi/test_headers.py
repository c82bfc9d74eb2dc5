"""Header lines: one reading, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symfonic.frontends.knowledge._asgi.headers import (
    HeaderFaultError,
    authority,
    client_of,
    cookies_of,
    host_of,
    is_same_origin,
    length_of,
    token_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

PARTS = [
    "http",
    "https",
    "://",
    "kb.example.org",
    "kb",
    ".",
    ":80",
    ":443",
    ":8000",
    "@",
    "/",
    "null",
    "evil.example",
    "é",
]
LINES = st.lists(
    st.tuples(
        st.sampled_from([b"host", b"Host", b"authorization", b"x-api-key", b"content-length", b"cookie", b"origin"]),
        st.binary(max_size=20) | st.sampled_from([b"Bearer x", b"bearer  a.b", b"a=b; c=d", b"12", b"kb.example.org"]),
    ),
    max_size=5,
)


def reading(read: Callable[[Any], Any], headers: Any) -> tuple[Any, str]:
    """What was read, and the name of the header that was refused instead."""
    try:
        return read(headers), ""
    except HeaderFaultError as fault:
        return None, str(fault)


@settings(max_examples=150)
@given(headers=LINES)
def test_any_lines_have_a_reading_or_are_refused_by_name(headers: list[tuple[bytes, bytes]]) -> None:
    """Nothing else is ever raised, and no value is invented."""
    joined = b"\n".join(value for _, value in headers)
    for read in (token_of, length_of, lambda lines: host_of(lines, "http")):
        found, fault = reading(read, headers)
        assert fault in {"", "host", "authorization", "x-api-key", "content-length"}
        assert found is None or str(found).encode("latin-1").lower() in joined.lower()
    for name, value in cookies_of(headers).items():
        assert f"{name}={value}".encode("latin-1") in joined


@settings(max_examples=100)
@given(origin=st.lists(st.sampled_from(PARTS), max_size=6).map("".join))
def test_an_origin_is_ours_only_where_it_names_our_host(origin: str) -> None:
    """Whatever stands around it."""
    ours = {f"{scheme}://kb.example.org{port}" for scheme, port in (("http", ""), ("http", ":80"), ("https", ":443"))}
    assert is_same_origin(origin, "kb.example.org", "http") == (origin in {*ours, "https://kb.example.org"})


@pytest.mark.parametrize(
    ("text", "scheme", "expected"),
    [
        ("A.example", "http", "a.example"),
        ("a.example:80", "http", "a.example"),
        ("a.example:80", "https", "a.example:80"),
        ("a.example:443", "https", "a.example"),
        ("a_b:0080", "http", "a_b:80"),
        ("[::1]:8000", "http", "[::1]:8000"),
        ("::1", "http", None),
        ("a.example:", "http", None),
        ("a.example.", "http", None),
        ("-a", "http", None),
        ("a b", "http", None),
        ("a/b", "http", None),
        ("", "http", None),
    ],
)
def test_a_host_has_one_form(text: str, scheme: str, expected: str | None) -> None:
    """Lower case, without the port of its scheme."""
    assert authority(text, scheme) == expected


@pytest.mark.parametrize(
    ("client", "expected"),
    [
        (("192.0.2.7", 1), "192.0.2.7"),
        (["2001:db8:1:2:3:4:5:6", 1], "2001:db8:1:2::/64"),
        (("2001:db8:1:2:ffff::1", 1), "2001:db8:1:2::/64"),
        (("::ffff:192.0.2.7", 1), "192.0.2.7"),
        (("testclient", 1), "unknown"),
        (("fe80::1%eth0", 1), "fe80::/64"),
        (None, "unknown"),
        ((), "unknown"),
    ],
)
def test_clients_are_told_apart_as_far_as_they_cost_anything(client: object, expected: str) -> None:
    """Whoever has an IPv6 network has all its addresses."""
    assert client_of(client) == expected
