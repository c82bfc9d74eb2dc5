"""Which files a run finds, and what it calls the rest."""

from __future__ import annotations

import errno
import os
import socket
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symfonic.capabilities.knowledge import safe_source
from symfonic.composition.knowledge._walk import FileOutcome, file_name, is_gone, is_under, origin_of, shown_name, walk


def found(*paths: Path | str) -> list[tuple[str, str | None]]:
    """Label and outcome of everything found."""
    return [(item.file, item.outcome) for item in walk(paths).found]


def fill(folder: Path, *names: str) -> Path:
    """Write files of these names."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return folder


@pytest.mark.requirement("IN-WALK-1")
def test_folders_are_walked_in_the_order_of_names(tmp_path: Path) -> None:
    """Files of a folder before its subfolders, labels relative to the root."""
    fill(tmp_path, "b.md", "a/z.md", "a/y/x.md", "a.md", "c/d.md", "B.md")
    assert found(tmp_path) == [
        ("B.md", None), ("a.md", None), ("b.md", None), ("a/z.md", None), ("a/y/x.md", None), ("c/d.md", None),
    ]  # fmt: skip


def test_a_file_has_its_folder_as_root(tmp_path: Path) -> None:
    """Its label is its name."""
    fill(tmp_path, "a/b.md")
    result = walk([tmp_path / "a" / "b.md"])
    assert [(item.file, item.shown, item.path) for item in result.found] == [
        ("b.md", str(tmp_path / "a" / "b.md"), str(tmp_path / "a" / "b.md"))
    ]
    assert result.folders == ()


def test_a_single_path_needs_no_list(tmp_path: Path) -> None:
    """As text it would otherwise be taken for a list of letters."""
    fill(tmp_path, "a.md")
    assert [item.file for item in walk(str(tmp_path)).found] == ["a.md"]
    assert [item.file for item in walk(tmp_path).found] == ["a.md"]


def test_relative_paths_are_shown_as_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And stored by where they really are."""
    fill(tmp_path, "docs/a.md")
    monkeypatch.chdir(tmp_path)
    (item,) = walk(["docs"]).found
    assert (item.shown, item.path) == (str(Path("docs") / "a.md"), str(tmp_path / "docs" / "a.md"))
    assert [entry.shown for entry in walk(["."]).found] == [str(Path("docs") / "a.md")]


@pytest.mark.requirement("IN-WALK-2")
def test_hidden_names_are_counted_once_and_not_walked(tmp_path: Path) -> None:
    """Unless the operator names them."""
    fill(tmp_path, ".git/config", ".git/a/b", ".env", "a.md")
    assert found(tmp_path) == [(".env", "hidden"), (".git", "hidden"), ("a.md", None)]
    assert found(tmp_path / ".git") == [("config", None), ("a/b", None)]
    assert found(tmp_path / ".env") == [(".env", None)]


@pytest.mark.requirement("IN-WALK-3")
def test_a_link_never_leads_out_of_the_root(tmp_path: Path) -> None:
    """Neither to a file nor to a folder nor to a neighbour whose name begins alike."""
    fill(tmp_path, "docs/a.md", "docs2/secret.md", "secret.md")
    (tmp_path / "docs" / "f.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "docs" / "g").symlink_to(tmp_path / "docs2")
    (tmp_path / "docs" / "h").symlink_to("../nothing")
    assert found(tmp_path / "docs") == [
        ("a.md", None), ("f.md", "outside-root"), ("g", "outside-root"), ("h", "outside-root"),
    ]  # fmt: skip


@pytest.mark.requirement("IN-WALK-3")
def test_a_link_inside_the_root_names_what_is_read_anyway(tmp_path: Path) -> None:
    """Under its real name, whatever sorts first; hidden stays hidden."""
    fill(tmp_path, "z/b.md", ".secret/c.md")
    (tmp_path / "a.md").symlink_to("z/b.md")
    (tmp_path / "b").symlink_to("z")
    (tmp_path / "c.md").symlink_to(".secret/c.md")
    (tmp_path / "d.md").symlink_to("no-such-file")
    assert found(tmp_path) == [
        (".secret", "hidden"),
        ("a.md", "already-visited"),
        ("b", "already-visited"),
        ("c.md", "hidden"),
        ("d.md", "unreadable"),
        ("z/b.md", None),
    ]


@pytest.mark.requirement("IN-WALK-3")
def test_loops_end(tmp_path: Path) -> None:
    """Links to a folder above, to themselves and to each other."""
    fill(tmp_path, "a/b/c.md")
    (tmp_path / "a" / "b" / "up").symlink_to(tmp_path / "a")
    (tmp_path / "a" / "b" / "top").symlink_to(tmp_path)
    (tmp_path / "self").symlink_to("self")
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    assert found(tmp_path) == [
        ("one", "symlink-loop"),
        ("self", "symlink-loop"),
        ("two", "symlink-loop"),
        ("a/b/c.md", None),
        ("a/b/top", "symlink-loop"),
        ("a/b/up", "symlink-loop"),
    ]
    assert found(tmp_path / "self") == [("self", "symlink-loop")]


def test_a_link_the_operator_names_is_followed(tmp_path: Path) -> None:
    """To a file or to a folder, which then is the root."""
    fill(tmp_path, "data/v3.md")
    (tmp_path / "current").symlink_to("data")
    (tmp_path / "current.md").symlink_to("data/v3.md")
    assert found(tmp_path / "current") == [("v3.md", None)]
    (item,) = walk([tmp_path / "current.md"]).found
    assert (item.file, item.path) == ("current.md", str(tmp_path / "data" / "v3.md"))


@pytest.mark.requirement("IN-WALK-4")
def test_a_file_reached_twice_counts_for_the_first_path(tmp_path: Path) -> None:
    """Paths may overlap."""
    fill(tmp_path, "a/b.md", "c.md")
    assert found(tmp_path / "a", tmp_path, tmp_path / "c.md") == [
        ("b.md", None), ("c.md", None), ("a/b.md", "already-visited"), ("c.md", "already-visited"),
    ]  # fmt: skip


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    """Also one below a file, and one that no path can be."""
    fill(tmp_path, "a.md")
    assert found(tmp_path / "none", tmp_path / "a.md" / "b") == [("none", "missing"), ("b", "missing")]
    assert [outcome for _, outcome in found("a\0b")] == ["unreadable"]


@pytest.mark.usefixtures("deadline")
def test_what_is_no_regular_file_is_named(tmp_path: Path) -> None:
    """A pipe would keep a reader waiting for ever."""
    os.mkfifo(tmp_path / "pipe.md")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        assert found(tmp_path, "/dev/null") == [("pipe.md", "not-a-file"), ("s", "not-a-file"), ("null", "not-a-file")]


def test_what_cannot_be_looked_at_is_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be listed and a file that cannot be asked about; the rest goes on."""
    fill(tmp_path, "a/b.md", "c/d.md", "e.md")
    scandir, lstat = os.scandir, os.lstat

    def guarded_scandir(path: str) -> Any:
        if path.endswith("a"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    def guarded_lstat(path: Any) -> os.stat_result:
        if str(path).endswith("d.md"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return lstat(path)

    monkeypatch.setattr(os, "scandir", guarded_scandir)
    monkeypatch.setattr(os, "lstat", guarded_lstat)
    items = walk([tmp_path]).found
    assert [(item.file, item.outcome) for item in items] == [
        ("e.md", None), ("a", "unreadable"), ("c/d.md", "unreadable"),
    ]  # fmt: skip
    assert items[1].reason == "the folder cannot be listed (Permission denied)"


def test_time_grows_with_the_number_of_folders_only(tmp_path: Path) -> None:
    """Four times as many, about four times the time."""

    def seconds(number: int) -> float:
        folder = tmp_path / str(number)
        for each in range(number):
            (folder / str(each)).mkdir(parents=True)

        def once() -> float:
            start = time.process_time()
            assert walk([folder]).found == ()
            return time.process_time() - start

        return min(once() for _ in range(3))

    assert seconds(2_000) < 8 * max(seconds(500), 0.004)


def test_depth_and_number_do_not_matter(tmp_path: Path) -> None:
    """No recursion."""
    deep = tmp_path.joinpath(*["d"] * 300)
    deep.mkdir(parents=True)
    (deep / "a.md").write_text("x")
    assert found(tmp_path) == [("d/" * 300 + "a.md", None)]


# ------------------------------------------------------------------------------------------------------------ names


@pytest.mark.requirement("IN-NAME-1")
@pytest.mark.parametrize(
    ("name", "shown", "origin"),
    [
        ("plain ü 社内.md", "plain ü 社内.md", "/d/plain ü 社内.md"),
        ("100% cotton.md", "100% cotton.md", "/d/100%25 cotton.md"),
        ("bad\udcff.md", "bad%FF.md", "/d/bad%FF.md"),
        ("bad%\udcff.md", "bad%25%FF.md", "/d/bad%25%FF.md"),
        ("two\nlines\x1b[31m.md", "two%0Alines%1B[31m.md", "/d/two%0Alines%1B[31m.md"),
        ("a\u202egnp.md", "a%E2%80%AEgnp.md", "/d/a\u202egnp.md"),
        ("lone\ud800.md", "lone%ED%A0%80.md", "/d/lone%ED%A0%80.md"),
    ],
)
def test_every_name_can_be_stored_and_shown(name: str, shown: str, origin: str) -> None:
    """One line of valid Unicode; ordinary names stay as they are."""
    assert shown_name(name) == shown
    assert origin_of(f"/d/{name}") == origin
    assert "\n" not in shown_name(name).encode().decode()


@pytest.mark.requirement("IN-NAME-2")
@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("plain ü 社内.md", "plain ü 社内.md"),
        ("100% cotton.md", "100% cotton.md"),
        ("report\n2024.md", "report\n2024.md"),
        ("report%0A2024.md", "report%0A2024.md"),
        ("a\u202egnp.md", "a\u202egnp.md"),
        ("bad\udcff.md", "bad\U0010f4ff.md"),
        ("bad%FF.md", "bad%FF.md"),
        ("lone\ud800.md", "lone\U0010f000.md"),
        ("bad\U0010f4ff.md", "bad\U0010f3fd\U0010f4ff.md"),
    ],
)
def test_a_label_begins_with_the_raw_name(name: str, file: str) -> None:
    """Nothing is made to look harmless; only what no store can hold is moved, where the boundary never shows it."""
    assert file_name(name) == file
    assert file.encode().decode() == file
    assert (safe_source(file) == file) == (name.isprintable() and "\U0010f4ff" not in name)


@pytest.mark.requirement("IN-NAME-2")
def test_a_doctored_name_takes_no_honest_label(tmp_path: Path) -> None:
    """As files on a disk, through to what a citation shows."""
    names = [b"report\n2024.md", b"report%0A2024.md", b"bad\xff.md", b"bad%FF.md", "bad\U0010f4ff.md".encode()]
    for name in names:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text("x")
    labels = [safe_source(item.file) for item in walk([tmp_path]).found]
    assert len(set(labels)) == len(names)
    assert [label for label in labels if "~" not in label] == ["bad%FF.md", "report%0A2024.md"]


@given(
    st.lists(
        st.sampled_from([b"\xff", b"\xee", b"\xf4", b"\x8f", b"\x93", b"\xbf", b"%", b"F", "\U0010f4ff".encode()])
    ),
    st.lists(
        st.sampled_from([b"\xff", b"\xee", b"\xf4", b"\x8f", b"\x93", b"\xbf", b"%", b"F", "\U0010f4ff".encode()])
    ),
)
def test_no_two_names_a_file_system_can_hold_share_a_file(one: list[bytes], other: list[bytes]) -> None:
    """Whatever bytes they are made of."""
    names = {os.fsdecode(b"".join(parts)) for parts in (one, other)}
    assert len({file_name(name) for name in names}) == len(names)


@given(st.binary(min_size=1, max_size=12), st.binary(min_size=1, max_size=12))
def test_different_names_have_different_origins(one: bytes, other: bytes) -> None:
    """The identity of a file is never another's."""
    names = {os.fsdecode(name.replace(b"/", b"_").replace(b"\0", b"_")) for name in (one, other)}
    assert len({origin_of(f"/x{name}") for name in names}) == len(names)


def test_undecodable_names_are_found_and_found_again(tmp_path: Path) -> None:
    """The origin leads back to the file."""
    path = os.fsencode(tmp_path) + b"/a\xff%\n.md"
    Path(os.fsdecode(path)).write_text("x")
    (item,) = walk([tmp_path]).found
    assert (Path(item.shown).name, item.file) == ("a%FF%25%0A.md", "a\U0010f4ff%\n.md")
    assert not is_gone(origin_of(item.path))
    Path(item.path).unlink()
    assert is_gone(origin_of(item.path))


def test_under_means_part_by_part() -> None:
    """Never a prefix of the text."""
    assert is_under("/a/b/c.md", "/a/b")
    assert is_under("/a/b%25/c.md", "/a/b%")
    assert is_under("/a.md", "/")
    assert not is_under("/a/bc.md", "/a/b")
    assert not is_under("/a/b", "/a/b")


def test_gone_means_that_it_is_known_to_be_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that became a folder or a link is; one behind a closed door is not."""
    fill(tmp_path, "a.md", "b/c.md", "d.md")
    (tmp_path / "link.md").symlink_to("a.md")
    (tmp_path / "loop.md").symlink_to("loop.md")
    state = {name: is_gone(origin_of(str(tmp_path / name))) for name in ("a.md", "b", "a.md/x", "link.md", "loop.md")}
    assert state == {"a.md": False, "b": True, "a.md/x": True, "link.md": True, "loop.md": True}

    def closed(path: str, *, strict: bool = False) -> str:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os.path, "realpath", closed)
    assert not is_gone(origin_of(str(tmp_path / "d.md")))


def test_outcomes_are_plain_words() -> None:
    """Programs compare them with text."""
    assert str(FileOutcome.ALREADY_VISITED) == "already-visited"


def test_an_identity_comes_from_the_bytes_of_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under a locale that reads them otherwise a file is the same document, by origin and by name."""
    monkeypatch.setattr(os, "fsencode", lambda name: name.encode("latin-1"))
    name = "ü.md".encode().decode("latin-1")
    assert origin_of(f"/docs/{name}") == "/docs/ü.md"
    assert file_name(name) == "ü.md"
    assert file_name("社.md") == "社.md"
