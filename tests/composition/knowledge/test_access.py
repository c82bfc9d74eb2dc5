"""Access keys: shown once, kept as digests, bound to a scope, and never taken for absent."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import subprocess
import sys
import threading
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symfonic.capabilities.knowledge import ScopePath
from symfonic.composition.knowledge import (
    AccessFileError,
    AccessKey,
    AccessKeys,
    AccessRefusedError,
    InputError,
    ScopeError,
    StoreUrl,
    access_in_force,
    access_path,
    key_path,
    narrowed,
    require_writer,
)
from symfonic.composition.knowledge import access as access_module
from symfonic.composition.knowledge._access_files import parse_records
from symfonic.composition.knowledge._private_files import locked_beside

if TYPE_CHECKING:
    from pathlib import Path

ACME = ScopePath.of(("tenant", "acme"))
SALES = ScopePath.of(("tenant", "acme"), ("team", "sales"))
DAY = 86_400


class Clock:
    """A time that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Bytes:
    """Bytes that count up, so that a token is known beforehand."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, count: int) -> bytes:
        self.calls += 1
        return bytes([self.calls]) * count


@pytest.fixture
def clock() -> Clock:
    """A time of one's own."""
    return Clock()


@pytest.fixture
def keys(tmp_path: Path, clock: Clock) -> AccessKeys:
    """Keys in a file that is not there yet."""
    return AccessKeys(tmp_path / "k.db.access", clock=clock, token_bytes=Bytes())


def rewritten(path: Path, **changes: Any) -> None:
    """Change fields of the first key in the file by hand."""
    document = json.loads(path.read_text(encoding="utf-8"))
    document["keys"][0].update(changes)
    path.write_text(json.dumps(document), encoding="utf-8")


@pytest.mark.requirement("CO-ACC-1")
def test_a_token_is_shown_once_and_only_a_digest_of_its_secret_is_kept(keys: AccessKeys) -> None:
    """The prefix, the id, and 32 random bytes; the file holds the digest, made for this purpose."""
    key, token = keys.create("Acme", scope=ACME)
    assert token == f"symfonic_{'02' * 6}_{'01' * 32}"
    assert key == AccessKey(
        id="02" * 6, name="Acme", scope_path=str(ACME), may_write=False, created=1_000_000.0, expires=None
    )
    text = keys.path.read_text(encoding="utf-8")
    assert "01" * 32 not in text
    digest = hashlib.sha256(f"symfonic-knowledge/access/token/v1\n{'02' * 6}\n{'01' * 32}".encode()).hexdigest()
    assert json.loads(text)["keys"] == [
        {
            "id": "02" * 6,
            "name": "Acme",
            "scope_path": str(ACME),
            "may_write": False,
            "created": 1_000_000.0,
            "expires": None,
            "digest": digest,
        }
    ]
    assert token not in repr(keys)
    assert keys.verify(token) == key


@pytest.mark.requirement("CO-ACC-1")
def test_an_access_file_is_its_owners_alone_whatever_the_umask(tmp_path: Path) -> None:
    """Mode 0600, and folders that are made for it 0700; the lock beside it as well."""
    path = tmp_path / "new" / "k.db.access"
    before = os.umask(0)
    try:
        AccessKeys(path).create("Acme")
    finally:
        os.umask(before)
    assert {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {
        "k.db.access": 0o600,
        "k.db.access.lock": 0o600,
    }
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.requirement("CO-ACC-2")
@pytest.mark.parametrize(
    "token",
    [
        "",
        "symfonic_",
        f"symfonic_{'02' * 6}_{'ff' * 32}",
        f"symfonic_{'ff' * 6}_{'01' * 32}",
        f"symfonic_{'00' * 6}_{'00' * 32}",
        f"symfonic_{'02' * 6}_{'01' * 31}",
        f"symfonic_{'02' * 6}_{'01' * 32}\n",
        f" symfonic_{'02' * 6}_{'01' * 32}",
        f"SYMFONIC_{'02' * 6}_{'01' * 32}",
        f"{'02' * 6}_{'01' * 32}",
        "sk-é",
    ],
)
def test_no_other_token_is_anybodys(keys: AccessKeys, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every one costs one comparison of digests, that of nobody included."""
    keys.create("Acme")
    compared: list[int] = []
    genuine = hmac.compare_digest

    def compare(one: bytes, other: bytes) -> bool:
        compared.append(len(one))
        return genuine(one, other)

    monkeypatch.setattr(hmac, "compare_digest", compare)
    assert keys.verify(token) is None
    assert compared == [32]


@pytest.mark.requirement("CO-ACC-3")
def test_a_revoked_key_lets_nobody_in_at_the_next_request(keys: AccessKeys) -> None:
    """In another process as well: what is verified is what the file says now."""
    key, token = keys.create("Acme")
    other, others = keys.create("Other")
    elsewhere = AccessKeys(keys.path)
    assert elsewhere.verify(token) == key
    assert keys.revoke(key.id) == key
    assert elsewhere.verify(token) is None
    assert elsewhere.verify(others) == other
    assert keys.listed() == (other,)


@pytest.mark.requirement("CO-ACC-3")
def test_a_key_lets_nobody_in_from_its_last_second_on(keys: AccessKeys, clock: Clock) -> None:
    """It is listed all the same, for people to see."""
    key, token = keys.create("Acme", days=2)
    assert key.expires == 1_000_000.0 + 2 * DAY
    clock.now += 2 * DAY - 0.5
    assert keys.verify(token) == key
    clock.now += 0.5
    assert keys.verify(token) is None
    assert keys.listed() == (key,)


def test_keys_are_parsed_again_only_where_the_file_changed(keys: AccessKeys, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its bytes decide, not its times: two changes within one tick of the clock are two."""
    _, token = keys.create("Acme")
    assert keys.verify(token) is not None
    parsed: list[int] = []

    def parse(data: bytes, path: Path) -> Any:
        parsed.append(len(data))
        return parse_records(data, path)

    monkeypatch.setattr(access_module, "parse_records", parse)
    for _ in range(3):
        assert keys.verify(token) is not None
    assert parsed == []
    times = keys.path.stat()
    rewritten(keys.path, name="Amce")
    os.utime(keys.path, ns=(times.st_atime_ns, times.st_mtime_ns))
    found = keys.verify(token)
    assert (found and found.name, len(parsed)) == ("Amce", 1)


@pytest.mark.requirement("CO-ACC-4")
def test_a_file_that_is_gone_lets_nobody_in(keys: AccessKeys) -> None:
    """A service that was started with keys stays closed, and says why."""
    _, token = keys.create("Acme")
    running = access_in_force(keys.path)
    assert running is not None
    assert running.verify(token) is not None
    keys.path.unlink()
    with pytest.raises(AccessFileError, match=r"none at .*k\.db\.access and nobody is let in") as raised:
        running.verify(token)
    assert raised.value.code == "access-file"


@pytest.mark.requirement("CO-ACC-4")
def test_a_service_without_an_access_file_asks_for_no_token_and_one_with_an_empty_one_does(keys: AccessKeys) -> None:
    """That the file is there decides, not how many keys it holds."""
    assert access_in_force(keys.path) is None
    key, token = keys.create("Acme")
    keys.revoke(key.id)
    running = access_in_force(keys.path)
    assert running is not None
    assert running.listed() == ()
    assert running.verify(token) is None


FIELDS = ["format", "keys", "id", "name", "scope_path", "may_write", "created", "expires", "digest"]
DAMAGED = {
    "empty": "",
    "no JSON": "[",
    "not UTF-8": "\udcff",
    "another document": "[]",
    "another format": '{"format": "symfonic-knowledge/access/v2", "keys": []}',
    "more than is known": '{"format": "symfonic-knowledge/access/v1", "keys": [], "deny": []}',
    "said twice": '{"format": "symfonic-knowledge/access/v1", "keys": [1], "keys": []}',
    "an empty object": '{"format": "symfonic-knowledge/access/v1", "keys": {}}',
    "an empty text": '{"format": "symfonic-knowledge/access/v1", "keys": ""}',
    "no list": '{"format": "symfonic-knowledge/access/v1", "keys": 7}',
    "no key": '{"format": "symfonic-knowledge/access/v1", "keys": [7]}',
    "too deep": "[" * 100_000,
    "too large": '{"format": "symfonic-knowledge/access/v1", "keys": []' + " " * (4 * 1024 * 1024) + "}",
}


@pytest.mark.requirement("CO-ACC-4")
@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_lets_nobody_in_and_is_left_as_it_is(keys: AccessKeys, text: str) -> None:
    """Neither verifying, listing, creating nor revoking takes it for no keys."""
    keys.path.write_text(text, encoding="utf-8", errors="surrogateescape")
    keys.path.chmod(0o600)
    before = keys.path.read_bytes()
    for attempt in (
        lambda: keys.verify(f"symfonic_{'02' * 6}_{'01' * 32}"),
        keys.listed,
        lambda: keys.create("Acme"),
        lambda: keys.revoke("02" * 6),
        lambda: access_in_force(keys.path),
    ):
        with pytest.raises(AccessFileError, match=r"does not, .* nobody is let in; restore it from a backup"):
            attempt()
    assert keys.path.read_bytes() == before


@pytest.mark.requirement("CO-ACC-4")
@pytest.mark.parametrize(
    "changes",
    [
        {"id": "02"},
        {"id": 7},
        {"name": None},
        {"scope_path": "tenant"},
        {"scope_path": ["tenant", "acme"]},
        {"may_write": 1},
        {"created": "now"},
        {"created": True},
        {"created": 1e300},
        {"expires": -1},
        {"expires": False},
        {"digest": "00"},
        {"digest": "G" * 64},
        {"only_from": "10.0.0.0/8"},
    ],
)
def test_a_key_with_a_field_that_is_damaged_or_unknown_lets_nobody_in(
    keys: AccessKeys, changes: dict[str, Any]
) -> None:
    """What a later release wrote may be a restriction."""
    keys.create("Acme")
    rewritten(keys.path, **changes)
    with pytest.raises(AccessFileError, match="does not, or a later release"):
        keys.listed()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=8),
    max_leaves=12,
)


@settings(max_examples=150)
@given(document=JSON, data=st.binary(max_size=30))
def test_any_bytes_are_keys_or_one_named_error(document: Any, data: bytes) -> None:
    """Nothing else is raised, whatever somebody wrote there."""
    whole = {"format": "symfonic-knowledge/access/v1", "keys": [document]}
    for text in (data, json.dumps(document).encode(), json.dumps(whole).encode(), json.dumps(whole).encode()[:-1]):
        with pytest.raises(AccessFileError, match="nobody is let in"):
            parse_records(text, PurePath("k.access"))


def test_a_link_in_the_place_of_the_lock_is_not_followed(keys: AccessKeys) -> None:
    """Where others may write to the folder, one could have a file made somewhere else."""
    keys.path.with_name("k.db.access.lock").symlink_to(keys.path.with_name("elsewhere"))
    with pytest.raises(AccessFileError, match="could not be used"):
        keys.create("Acme")
    assert not keys.path.with_name("elsewhere").exists()


def test_two_keys_with_one_id_are_a_damaged_file(keys: AccessKeys) -> None:
    """Which of them counts would be a guess."""
    keys.create("Acme")
    keys.create("Other")
    rewritten(keys.path, id="04" * 6)
    with pytest.raises(AccessFileError, match="does not"):
        keys.listed()


@pytest.mark.requirement("CO-ACC-4")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o602, 0o660])
def test_a_file_open_to_others_lets_nobody_in(keys: AccessKeys, mode: int) -> None:
    """Somebody may have changed who is let in."""
    _, token = keys.create("Acme")
    keys.path.chmod(mode)
    with pytest.raises(AccessFileError, match=rf"open to others \(mode {mode:04o}\).*nobody is"):
        keys.verify(token)
    with pytest.raises(AccessFileError, match="open to others"):
        keys.create("Other")


@pytest.mark.requirement("CO-ACC-4")
def test_a_file_of_another_user_lets_nobody_in(keys: AccessKeys, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for root, who reads everything."""
    _, token = keys.create("Acme")
    monkeypatch.setattr(os, "geteuid", lambda: keys.path.stat().st_uid + 1)
    with pytest.raises(AccessFileError, match="belongs to user"):
        keys.verify(token)


@pytest.mark.requirement("CO-ACC-4")
@pytest.mark.parametrize(
    ("name", "words"),
    [("", "is none"), ("pipe", "is none"), ("file/x", "could not be used"), ("\0", "without NUL"), ("x" * 300, "used")],
)
def test_what_is_no_file_lets_nobody_in(tmp_path: Path, name: str, words: str) -> None:
    """A folder, a pipe, a name behind a file, no path at all: none of it is taken for no keys."""
    os.mkfifo(tmp_path / "pipe", 0o600)
    (tmp_path / "file").touch()
    with pytest.raises(AccessFileError, match=words):
        AccessKeys(tmp_path / name).verify("")
    with pytest.raises(AccessFileError, match=words):
        access_in_force(tmp_path / name)
    with pytest.raises(AccessFileError, match=words):
        AccessKeys(tmp_path / name).create("Acme")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "pipe"]
    assert not tmp_path.with_name(f"{tmp_path.name}.lock").exists()


def test_where_it_cannot_be_written_nothing_is_made(tmp_path: Path) -> None:
    """The reason of the system is told."""
    (tmp_path / "file").touch()
    with pytest.raises(AccessFileError, match=r"could not be used \(.+\).*check the permissions"):
        AccessKeys(tmp_path / "file" / "k.access").create("Acme")


@pytest.mark.requirement("CO-ACC-5")
def test_keys_made_at_once_by_many_are_all_kept(keys: AccessKeys) -> None:
    """Threads here; each takes the lock by itself, as processes do."""
    made: list[str] = []

    def create(number: int) -> None:
        made.append(AccessKeys(keys.path).create(f"key {number}")[1])

    threads = [threading.Thread(target=create, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 12
    assert all(keys.verify(token) for token in made)
    assert sorted(key.name for key in keys.listed()) == sorted(f"key {number}" for number in range(12))


@pytest.mark.slow
@pytest.mark.requirement("CO-ACC-5")
def test_another_process_waits_for_its_turn(keys: AccessKeys) -> None:
    """While one changes the file another one waits, and then loses nothing of what was changed."""
    script = (
        "import sys; from pathlib import Path; from symfonic.composition.knowledge import AccessKeys; "
        "print('ready', flush=True); sys.stdin.readline(); AccessKeys(Path(sys.argv[1])).create('theirs')"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(keys.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        other.stdout.readline()
        with locked_beside(keys.path, seconds=1):
            other.stdin.write("\n")
            other.stdin.flush()
            with pytest.raises(subprocess.TimeoutExpired):
                other.wait(0.3)
            assert not keys.path.exists()
        assert other.wait(20) == 0
    assert [key.name for key in keys.listed()] == ["theirs"]


def test_a_lock_that_is_held_too_long_is_told(keys: AccessKeys, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for ever."""
    monkeypatch.setattr(access_module, "_LOCK_SECONDS", 0.02)
    with (
        locked_beside(keys.path, seconds=1),
        pytest.raises(AccessFileError, match=r"take turns; others held .* longer than 0\.02 seconds"),
    ):
        keys.create("Acme")


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    """Keys that are kept elsewhere are changed where they are kept."""
    (tmp_path / "kept").mkdir()
    link = tmp_path / "k.access"
    link.symlink_to(tmp_path / "kept" / "keys")
    with pytest.raises(AccessFileError, match="where that is a link, put back what it leads to"):
        AccessKeys(link).create("Acme")
    AccessKeys(tmp_path / "kept" / "keys").create("Acme")
    _, token = AccessKeys(link).create("Other")
    assert link.is_symlink()
    assert AccessKeys(tmp_path / "kept" / "keys").verify(token) == AccessKeys(link).verify(token)


def test_an_id_that_is_taken_is_drawn_anew(tmp_path: Path) -> None:
    """As is that of nobody."""
    drawn = iter([b"s" * 32, b"\1" * 6, b"t" * 32, bytes(6), b"\1" * 6, b"\2" * 6])
    keys = AccessKeys(tmp_path / "k.access", token_bytes=lambda _: next(drawn))
    assert [keys.create(name)[0].id for name in "ab"] == ["01" * 6, "02" * 6]


def test_there_is_a_largest_number_of_keys(keys: AccessKeys, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every request reads them all."""
    monkeypatch.setattr(access_module, "_MOST_KEYS", 2)
    keys.create("a")
    keys.create("b")
    with pytest.raises(AccessFileError, match=r"at most 2 keys; .* revoke those that nobody uses"):
        keys.create("c")
    assert len(keys.listed()) == 2


@pytest.mark.parametrize("name", ["", " ", "a\nb", "\u200b", "x" * 101, None, b"a", "\udcff"])
def test_a_name_is_text_on_one_line(keys: AccessKeys, name: Any) -> None:
    """It is shown to people."""
    with pytest.raises(InputError, match="a key's name is text on one line"):
        keys.create(name)
    assert not keys.path.exists()


@pytest.mark.parametrize("days", [0, -1, 36_501, 1.5, True, "7"])
def test_days_are_a_whole_number(keys: AccessKeys, days: Any) -> None:
    """A key that was meant to end must."""
    with pytest.raises(InputError, match="whole number of days"):
        keys.create("Acme", days=days)
    assert not keys.path.exists()


def test_a_scope_that_names_nobody_makes_no_key(keys: AccessKeys) -> None:
    """A lost tenant id must not reach everything."""
    with pytest.raises(ScopeError, match="a scope names somebody"):
        keys.create("Acme", scope="")
    assert not keys.path.exists()


def test_what_merely_counts_as_true_lets_nobody_write(keys: AccessKeys) -> None:
    """Such as the word no."""
    word: Any = "no"
    assert keys.create("Acme", may_write=word)[0].may_write is False
    assert keys.create("Acme", may_write=True)[0].may_write is True


@pytest.mark.requirement("CO-ACC-1")
def test_revoking_by_something_else_than_an_id_repeats_nothing_of_it(keys: AccessKeys) -> None:
    """It could be the token."""
    _, token = keys.create("Acme")
    with pytest.raises(InputError, match="revoked by its id") as raised:
        keys.revoke(token)
    assert token not in str(raised.value)
    assert keys.verify(token) is not None


def test_keys_of_a_store_lie_beside_its_key(tmp_path: Path) -> None:
    """Those of a store that is no file in the user's data folder."""
    assert access_path(tmp_path / "k.db") == tmp_path / "k.db.access"
    url = StoreUrl("postgresql://me@host/base")
    assert access_path(url) == key_path(url).with_name(f"pgvector-{url.identity}.access")


@pytest.mark.requirement("CO-ACC-6")
@pytest.mark.parametrize(
    ("own", "asked", "expected"),
    [
        (None, None, str(ACME)),
        (ACME, None, str(ACME)),
        (ACME, ACME, str(ACME)),
        (ACME, SALES, str(SALES)),
        (ACME, str(SALES), str(SALES)),
    ],
)
def test_a_key_reaches_its_scope_and_below(own: Any, asked: Any, expected: str) -> None:
    """Where nothing is asked it is the key's own; the whole deployment's key reaches everything."""
    if own is None:
        assert narrowed(made(""), None) == ""
        assert narrowed(made(""), ACME) == str(ACME)
        return
    assert narrowed(made(str(own)), asked) == expected


@pytest.mark.requirement("CO-ACC-6")
@pytest.mark.parametrize(
    "asked",
    [
        ScopePath(),
        ScopePath.of(("tenant", "acme-labs")),
        ScopePath.of(("tenant", "other")),
        ScopePath.of(("tenant", "other"), ("tenant", "acme")),
        ScopePath.of(("Tenant", "acme")),
    ],
)
def test_a_key_reaches_nothing_above_and_nothing_beside(asked: ScopePath) -> None:
    """A name that begins the same is beside."""
    with pytest.raises(AccessRefusedError, match="its own scope and what is below it") as raised:
        narrowed(made(str(ACME)), asked)
    assert raised.value.code == "access-refused"


def test_what_is_no_scope_is_an_error_with_and_without_a_key() -> None:
    """An empty text is a lost id, not the key's own scope."""
    for key in (None, made(str(ACME))):
        with pytest.raises(ScopeError, match="a scope names somebody"):
            narrowed(key, "")


def test_without_keys_any_scope_may_be_named() -> None:
    """Then the service is for this machine alone."""
    assert narrowed(None, None) == ""
    assert narrowed(None, SALES) == str(SALES)


def test_a_key_writes_only_where_it_was_made_to() -> None:
    """Without keys everybody may."""
    require_writer(None)
    require_writer(made("", may_write=True))
    with pytest.raises(AccessRefusedError, match="made with --write"):
        require_writer(made(""))


def made(scope_path: str, *, may_write: bool = False) -> AccessKey:
    """A key as a request carries it."""
    return AccessKey(id="02" * 6, name="a", scope_path=scope_path, may_write=may_write, created=0.0, expires=None)
