"""The key beside a store: made once, private, replaced as a whole, never shown."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from symfonic.composition.knowledge import (
    KeyFileError,
    fingerprint,
    import_key,
    key_path,
    obtain_key,
    parse_key,
    read_key,
    rotate_key,
)
from symfonic.composition.knowledge.keys import derive_keys

if TYPE_CHECKING:
    from pathlib import Path

KEY = bytes(range(32))
OTHER = bytes(range(100, 132))


def test_the_key_lies_beside_its_store(tmp_path: Path) -> None:
    """The name of the store with .key behind it."""
    assert key_path(tmp_path / "a.db") == tmp_path / "a.db.key"


@pytest.mark.requirement("CO-KEY-1")
def test_the_first_use_makes_a_private_key_and_later_ones_read_it(tmp_path: Path) -> None:
    """32 random bytes, hex in a file that only its owner may read, in folders that are made for it."""
    path = tmp_path / "new" / "a.db.key"
    before = os.umask(0)
    try:
        key = obtain_key(path)
    finally:
        os.umask(before)
    assert len(key) == 32
    assert path.read_bytes() == key.hex().encode() + b"\n"
    assert path.stat().st_mode & 0o777 == 0o600
    assert obtain_key(path) == key == read_key(path)
    assert [entry.name for entry in path.parent.iterdir()] == ["a.db.key"]
    assert obtain_key(tmp_path / "other.key") != key


@pytest.mark.requirement("CO-KEY-2")
def test_two_processes_that_race_get_the_same_key(tmp_path: Path) -> None:
    """Whoever links first wins; the other reads that key, and no temporary file stays."""
    path = tmp_path / "a.db.key"
    program = (
        "import sys, pathlib\n"
        "from symfonic.composition.knowledge.keys import obtain_key\n"
        "sys.stdin.readline()\n"
        "print(obtain_key(pathlib.Path(sys.argv[1])).hex())\n"
    )
    command = [sys.executable, "-c", program, str(path)]
    running = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for process in running:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    keys = {process.communicate()[0].strip() for process in running}
    assert keys == {path.read_text().strip()}
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.db.key"]


def test_the_loser_of_a_race_takes_the_winners_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key that appears between the look and the link counts."""
    path = tmp_path / "a.db.key"
    import_key(path, KEY)
    monkeypatch.setattr("os.path.lexists", lambda _: False)
    assert obtain_key(path) == KEY
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.db.key"]


def test_threads_that_race_get_the_same_key(tmp_path: Path) -> None:
    """The same within one process."""
    path = tmp_path / "a.db.key"
    barrier = threading.Barrier(8)
    keys: list[bytes] = []

    def obtain() -> None:
        barrier.wait()
        keys.append(obtain_key(path))

    threads = [threading.Thread(target=obtain) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(keys) == 8
    assert set(keys) == {read_key(path)}


@pytest.mark.requirement("CO-KEY-3")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644, 0o601])
def test_a_key_open_to_others_is_refused(tmp_path: Path, mode: int) -> None:
    """Anybody who can read it could foresee labels and delimiters."""
    path = tmp_path / "a.db.key"
    import_key(path, KEY)
    path.chmod(mode)
    with pytest.raises(KeyFileError, match=r"readable by its owner only.*key\s+rotate"):
        read_key(path)
    with pytest.raises(KeyFileError, match=f"{mode:04o}"):
        obtain_key(path)


def test_another_users_key_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever put it there knows it; root, who may read everything, is not fooled by owners."""
    path = tmp_path / "a.db.key"
    import_key(path, KEY)
    owner = path.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(KeyFileError, match=f"belongs to user {owner}"):
        read_key(path)


@pytest.mark.parametrize(
    "content", [b"", b"abc", KEY, KEY.hex().encode()[:-1], KEY.hex().encode() + b"00\n", b"g" * 64, b"0" * 5000]
)
def test_a_damaged_key_file_is_refused(tmp_path: Path, content: bytes) -> None:
    """Anything but 64 hex digits and at most one line feed."""
    path = tmp_path / "a.db.key"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(KeyFileError, match="holds 64 hex digits"):
        read_key(path)


@pytest.mark.usefixtures("deadline")
def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """A pipe is not waited for, a folder is not read, nothing is not a key."""
    pipe = tmp_path / "pipe.key"
    os.mkfifo(pipe, 0o600)
    with pytest.raises(KeyFileError, match="is kept in a file"):
        read_key(pipe)
    with pytest.raises(KeyFileError, match="is kept in a file"):
        read_key(tmp_path)
    with pytest.raises(KeyFileError, match="there is none at"):
        read_key(tmp_path / "none.key")


def test_a_folder_that_cannot_be_written_is_explained(tmp_path: Path) -> None:
    """No error of the operating system leaves as it is."""
    (tmp_path / "file").write_text("")
    with pytest.raises(KeyFileError, match="could not be used") as caught:
        obtain_key(tmp_path / "file" / "a.db.key")
    assert isinstance(caught.value.__cause__, OSError)


@pytest.mark.requirement("CO-KEY-4")
def test_rotation_replaces_the_key_whole(tmp_path: Path) -> None:
    """A new key, private again, also where the old one was exposed or damaged."""
    path = tmp_path / "a.db.key"
    first = obtain_key(path)
    path.chmod(0o644)
    second = rotate_key(path)
    assert second != first
    assert read_key(path) == second
    path.write_bytes(b"damaged")
    assert rotate_key(path) == read_key(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.db.key"]


@pytest.mark.requirement("CO-KEY-1")
def test_a_umask_that_takes_everything_leaves_the_key_to_its_owner(tmp_path: Path) -> None:
    """The mode is set, not asked for: a key that its owner cannot read would be lost."""
    path = tmp_path / "a.db.key"
    before = os.umask(0o777)
    try:
        key = obtain_key(path)
        assert path.stat().st_mode & 0o777 == 0o600
        assert rotate_key(path) != key
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_key_and_its_name_are_flushed_before_they_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file before it has its name, and then the folder that holds the name: a power cut costs neither."""
    flushed: list[tuple[str, bool]] = []
    path = tmp_path / "a.db.key"
    flush = os.fsync

    def noting(handle: int) -> None:
        is_folder = os.path.samestat(os.fstat(handle), tmp_path.stat())
        flushed.append(("folder" if is_folder else "file", path.exists() and read_key(path) != KEY))
        flush(handle)

    monkeypatch.setattr(os, "fsync", noting)
    obtain_key(path)
    assert flushed == [("file", False), ("folder", True)]
    path.write_bytes(KEY.hex().encode() + b"\n")
    flushed.clear()
    rotate_key(path)
    assert flushed == [("file", False), ("folder", True)]


def test_a_linked_key_is_replaced_where_it_is_kept(tmp_path: Path) -> None:
    """The link stays a link."""
    kept = tmp_path / "vault" / "key"
    import_key(kept, KEY)
    path = tmp_path / "a.db.key"
    path.symlink_to(kept)
    assert read_key(path) == KEY
    import_key(path, OTHER)
    assert path.is_symlink()
    assert read_key(kept) == OTHER


def test_a_failed_replacement_leaves_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is half written, and nothing is left lying around."""
    path = tmp_path / "a.db.key"
    import_key(path, KEY)

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(KeyFileError, match="No space left on device"):
        rotate_key(path)
    assert read_key(path) == KEY
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.db.key"]


@pytest.mark.requirement("CO-KEY-5")
@pytest.mark.parametrize(
    "given",
    [
        KEY.hex().encode(),
        b"  " + KEY.hex().upper().encode() + b"\r\n",
        base64.b64encode(OTHER) + b"\n",
        base64.urlsafe_b64encode(OTHER).rstrip(b"="),
        bytes(range(120, 152)),
    ],
)
def test_keys_made_elsewhere_are_read(given: bytes) -> None:
    """Hex in either case, base64 in either alphabet, or raw bytes."""
    assert parse_key(given) in {KEY, OTHER, bytes(range(120, 152))}


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (b"", "is given as"),
        (b"secret", "is given as"),
        (b"correct horse battery staple 1234", "is given as"),
        (b"0123456789abcdef0123456789abcdef", "is given as"),
        (bytes(33), "is given as"),
        (b"00" * 32, "pattern"),
        (b"ab" * 32, "pattern"),
    ],
)
def test_what_is_no_key_is_not_imported(given: bytes, rule: str) -> None:
    """Too short, a pass phrase, half a key, a pattern."""
    with pytest.raises(KeyFileError, match=rule):
        parse_key(given)


def test_an_imported_key_must_be_whole(tmp_path: Path) -> None:
    """Nothing is written for a key that is none."""
    with pytest.raises(KeyFileError, match="32 bytes"):
        import_key(tmp_path / "a.db.key", b"short")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.requirement("CO-KEY-6")
def test_one_key_serves_two_purposes_apart() -> None:
    """Derived keys differ from each other and from the key; a fingerprint is none of them."""
    derived = derive_keys(KEY)
    assert len({KEY, derived.labels, derived.delimiters}) == 3
    assert derive_keys(KEY) == derived
    assert derive_keys(OTHER).labels != derived.labels
    assert fingerprint(KEY) == "aeb43dbf587aefa0"
    assert fingerprint(KEY) != fingerprint(OTHER)
    assert repr(derived) == "DerivedKeys()"
    with pytest.raises(KeyFileError, match="32 bytes"):
        derive_keys(b"")


@pytest.mark.parametrize("store", [".", "/", "..", "folder/..", "", "a\0b"])
def test_a_path_that_names_no_file_has_no_key(store: str) -> None:
    """A named error rather than one of the path library, in every face."""
    with pytest.raises(KeyFileError, match=r"names no file .* name a file"):
        key_path(store)


@pytest.mark.parametrize("name", ["a\0.key", "a\ud800.key"])
def test_a_path_the_system_cannot_take_is_refused(tmp_path: Path, name: str) -> None:
    """Read, made or replaced: the same named error."""
    for use in (read_key, obtain_key, rotate_key):
        with pytest.raises(KeyFileError, match="a path is text the file system can take"):
            use(tmp_path / name)


def test_a_link_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    """A key is neither promised nor made there; replacing it makes one where the link leads."""
    path = tmp_path / "a.db.key"
    path.symlink_to(tmp_path / "gone.key")
    for use in (read_key, obtain_key):
        with pytest.raises(KeyFileError, match=r"is a link to .*gone\.key, which is not there, and no key was made"):
            use(path)
    assert rotate_key(path) == read_key(path) == read_key(tmp_path / "gone.key")


def test_a_pattern_is_no_key_at_any_door(tmp_path: Path) -> None:
    """Read from a file, put in its place, or given as text: 32 bytes of seven kinds are refused."""
    path = tmp_path / "a.db.key"
    pattern = bytes(range(7)) * 4 + bytes(4)
    path.write_bytes(pattern.hex().encode())
    path.chmod(0o600)
    for use in (read_key, obtain_key):
        with pytest.raises(KeyFileError, match="a pattern that could be guessed"):
            use(path)
    with pytest.raises(KeyFileError, match="a pattern that could be guessed"):
        import_key(path, pattern)
    assert path.read_bytes() == pattern.hex().encode()
    assert import_key(path, bytes(range(8)) * 4) == read_key(path)
