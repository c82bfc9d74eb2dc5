"""Sessions of browsers: what opens one, and what ends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from symfonic.composition.knowledge import AccessKeys
from symfonic.frontends.knowledge.http.inspector import sessions as subject
from symfonic.frontends.knowledge.http.inspector.sessions import COOKIE, Sessions

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("INS-KEY-1")


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_a_session_ends_by_itself(tmp_path: Path) -> None:
    """At its last second it is there, at its end it is not, and it does not come back."""
    clock = Clock()
    access = AccessKeys(tmp_path / "a.access")
    key, token = access.create("ops")
    sessions = Sessions(access, seconds=10, clock=clock)
    cookies = {COOKIE: sessions.begin(token) or ""}
    clock.now += 9.9
    assert sessions.key_of(cookies) == key
    clock.now += 0.1
    assert sessions.key_of(cookies) is None
    clock.now -= 5
    assert sessions.key_of(cookies) is None


def test_an_expired_key_ends_its_sessions(tmp_path: Path) -> None:
    """A session does not outlive its key."""
    clock = Clock()
    access = AccessKeys(tmp_path / "a.access", clock=clock)
    _, token = access.create("ops", days=1)
    sessions = Sessions(access, wall=clock)
    cookies = {COOKIE: sessions.begin(token) or ""}
    assert sessions.key_of(cookies) is not None
    clock.now += 86_400
    assert sessions.key_of(cookies) is None


@pytest.mark.parametrize("value", ["", "x", "0" * 64, "\udcff"])
def test_no_other_cookie_names_a_session(tmp_path: Path, value: str) -> None:
    """Nothing but the id that was given out."""
    access = AccessKeys(tmp_path / "a.access")
    _, token = access.create("ops")
    sessions = Sessions(access)
    sessions.begin(token)
    assert sessions.key_of({COOKIE: value}) is None
    assert sessions.key_of({}) is None


def test_neither_token_nor_id_is_kept(tmp_path: Path) -> None:
    """What stands in memory opens nothing."""
    access = AccessKeys(tmp_path / "a.access")
    _, token = access.create("ops")
    sessions = Sessions(access)
    session = sessions.begin(token) or ""
    kept = repr(sessions._kept)
    assert len(session) == 64
    assert session not in kept
    assert token not in kept


def test_sessions_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One too many ends the oldest."""
    monkeypatch.setattr(subject, "_MOST_SESSIONS", 2)
    access = AccessKeys(tmp_path / "a.access")
    _, token = access.create("ops")
    sessions = Sessions(access)
    ids = [sessions.begin(token) or "" for _ in range(3)]
    assert [sessions.key_of({COOKIE: one}) is not None for one in ids] == [False, True, True]


def test_old_sessions_are_forgotten(tmp_path: Path) -> None:
    """A new one makes room of those that ended."""
    clock = Clock()
    access = AccessKeys(tmp_path / "a.access")
    _, token = access.create("ops")
    sessions = Sessions(access, seconds=10, clock=clock)
    sessions.begin(token)
    clock.now += 10
    sessions.begin(token)
    assert len(sessions._kept) == 1


def test_a_service_without_keys_begins_none() -> None:
    """There is nothing a token could open."""
    sessions = Sessions(None)
    assert (sessions.required, sessions.begin("symfonic_x"), sessions.key_of({COOKIE: "x"})) == (False, None, None)
