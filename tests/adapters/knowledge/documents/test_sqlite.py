"""Documents in a file of their own: who sees which, and whose file is left alone."""

from __future__ import annotations

import contextlib
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from sqlite3 import SQLITE_BUSY, OperationalError
from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.documents import sqlite
from symfonic.adapters.knowledge.documents.sqlite import SCHEMA_VERSION, SqliteDocumentStore
from symfonic.adapters.knowledge.ports import StoreError
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.capabilities.knowledge import ContextRequest, DocumentSource, ScopedDocumentStore, ScopePath

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ACME = str(ScopePath.of(("tenant", "acme")))
ANN = str(ScopePath.of(("tenant", "acme"), ("user", "ann")))
BESIDE = str(ScopePath.of(("tenant", "acme2")))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteDocumentStore]:
    """A new store."""
    with SqliteDocumentStore(tmp_path / "documents.db") as opened:
        yield opened


@pytest.mark.requirement("ST-DOC-5")
def test_the_nearest_scope_wins_and_no_other_is_seen(store: SqliteDocumentStore) -> None:
    """What everybody shares is seen below, a tenant's takes its place there, and beside it nothing changes."""
    store.put("handbook.md", "everybody's")
    store.put("handbook.md", "acme's", scope_path=ACME)
    store.put("notes.md", "ann's", scope_path=ANN)
    assert isinstance(store, ScopedDocumentStore)
    assert [store.get("handbook.md", scope_path=path) for path in ("", ACME, ANN, BESIDE)] == [
        "everybody's",
        "acme's",
        "acme's",
        "everybody's",
    ]
    assert [store.get("notes.md", scope_path=path) for path in ("", ACME, ANN, BESIDE)] == [None, None, "ann's", None]
    assert [store.names(scope_path=path) for path in ("", ACME, ANN)] == [
        ("handbook.md",),
        ("handbook.md",),
        ("handbook.md", "notes.md"),
    ]


@pytest.mark.requirement("ST-DOC-5")
def test_a_source_asks_for_the_scope_of_its_request(store: SqliteDocumentStore) -> None:
    """The bridge of documents passes the scope path on."""
    store.put("handbook.md", "acme's", scope_path=ACME)
    source = DocumentSource(store, ["handbook.md"], scope_aware=True)
    shown = source.select(ContextRequest("documents", ANN))
    assert shown.text == "DOCUMENT SOURCE [handbook.md]:\n| acme's"
    assert [reason.code.value for _, reason in source.select(ContextRequest("documents", BESIDE)).dropped] == [
        "missing"
    ]


@pytest.mark.requirement("ST-DOC-6")
def test_putting_replaces_and_removing_is_exact(store: SqliteDocumentStore) -> None:
    """A document is replaced where it was stored; removing looks neither above nor below."""
    store.put("a.md", "one", scope_path=ACME)
    store.put("a.md", "two", scope_path=ACME)
    assert store.get("a.md", scope_path=ACME) == "two"
    assert (store.remove("a.md"), store.remove("a.md", scope_path=ANN)) == (False, False)
    assert (store.remove("a.md", scope_path=ACME), store.remove("a.md", scope_path=ACME)) == (True, False)
    assert store.get("a.md", scope_path=ACME) is None


@pytest.mark.requirement("ST-DOC-6")
@pytest.mark.parametrize(
    "name", ["../a.md", "'; DROP TABLE document; --", "%", "_", "a\0b", "ä", "x" * 100_000, "\U0001f600"]
)
def test_a_name_is_text_and_nothing_else(store: SqliteDocumentStore, name: str) -> None:
    """Whatever a name looks like, it finds what was put under it and nothing besides."""
    store.put("a", "other")
    assert store.get(name) is None
    store.put(name, f"text\0\n{name}")
    assert store.get(name) == f"text\0\n{name}"
    assert store.get("a") == "other"


@pytest.mark.requirement("ST-DOC-5")
def test_text_of_a_class_of_its_own_is_stored_as_its_characters(store: SqliteDocumentStore) -> None:
    """Whatever it says of itself, its encoding included: what is stored can be read again."""

    class Other(str):
        __slots__ = ()

        def __str__(self) -> str:
            return "forged \ud800"

        def encode(self, *_: object) -> bytes:
            return b""

    store.put(Other("a.md"), Other("opens at nine"))
    assert (store.names(), store.get("a.md")) == (("a.md",), "opens at nine")
    with pytest.raises(StoreError, match="text with a UTF-8 form"):
        store.put("b.md", Other("\ud800"))


@pytest.mark.requirement("ST-DOC-6")
def test_what_cannot_be_kept_is_refused(store: SqliteDocumentStore) -> None:
    """Lone surrogates, other types, blank names and what is no scope path: nothing is stored."""
    for name, text in (("a", "\ud800"), ("\ud800", "a"), ("a", b"a"), (None, "a"), (" ", "a"), ("", "a")):
        with pytest.raises(StoreError, match="nothing was done"):
            store.put(name, text)  # type: ignore[arg-type]  # what a caller without types passes
    for path in ("tenant", None):
        with pytest.raises(StoreError):
            store.put("a", "a", scope_path=path)  # type: ignore[arg-type]  # as above
    assert store.names() == ()


@pytest.mark.requirement("ST-DOC-7")
def test_two_processes_share_the_file(store: SqliteDocumentStore) -> None:
    """What another process stores is seen here at once, and the other way round."""
    store.put("here.md", "from here")
    script = (
        "import sys; from symfonic.adapters.knowledge.documents.sqlite import SqliteDocumentStore as S; "
        "s = S(sys.argv[1]); s.put('there.md', s.get('here.md') + ' and back'); s.close()"
    )
    subprocess.run([sys.executable, "-c", script, str(store.path)], check=True)
    assert store.get("there.md") == "from here and back"


@pytest.mark.requirement("ST-DOC-7")
def test_threads_share_one_store(store: SqliteDocumentStore) -> None:
    """Several threads store and read at the same time, and nothing is lost."""

    def work(number: int) -> list[str | None]:
        for step in range(20):
            store.put(f"{number}-{step}", f"text {number}")
        return [store.get(f"{number}-{step}") for step in range(20)]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(4))) == [[f"text {number}"] * 20 for number in range(4)]
    assert len(store.names()) == 80


@pytest.mark.requirement("ST-DOC-7")
def test_several_may_make_the_file_at_once(tmp_path: Path) -> None:
    """One of them makes it, and all of them use it."""

    def use(number: int) -> None:
        with SqliteDocumentStore(tmp_path / "d.db") as opened:
            opened.put(f"{number}.md", "text")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(use, range(8)))
    with SqliteDocumentStore(tmp_path / "d.db") as opened:
        assert len(opened.names()) == 8


@pytest.mark.requirement("ST-DOC-7")
def test_a_file_that_somebody_else_makes_meanwhile_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It looked new, and has its table when its turn to write comes."""
    with SqliteDocumentStore(tmp_path / "d.db") as first:
        first.put("a.md", "kept")
    look, looks = sqlite._header, iter([(0, 0, 0)])
    monkeypatch.setattr(sqlite, "_header", lambda sql: next(looks, None) or look(sql))
    with SqliteDocumentStore(tmp_path / "d.db") as second:
        assert second.get("a.md") == "kept"


@pytest.mark.requirement("ST-DOC-7")
def test_a_lock_that_sqlite_does_not_wait_for_is_waited_for(
    store: SqliteDocumentStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The journal is asked for again until the lock is gone."""
    busy = OperationalError()
    busy.sqlite_errorcode = SQLITE_BUSY
    answers: list[OperationalError | None] = [busy, busy, None]

    class Locked:
        def execute(self, statement: str) -> None:
            assert statement == "PRAGMA journal_mode = WAL"
            if (answer := answers.pop(0)) is not None:
                raise answer

    monkeypatch.setattr(sqlite, "_RETRY_SECONDS", 0)
    store._use_write_ahead_log(Locked())  # type: ignore[arg-type]  # all that is asked of a connection here
    assert answers == []


@pytest.mark.requirement("ST-DOC-6")
def test_what_fails_in_the_middle_changes_nothing(store: SqliteDocumentStore) -> None:
    """A transaction that does not come to its end is taken back."""
    with contextlib.suppress(ZeroDivisionError), store._transaction(write=True) as sql:
        sql.execute("INSERT INTO document VALUES ('', 'a.md', 'half')")
        raise ZeroDivisionError
    assert store.names() == ()


@pytest.mark.requirement("ST-DOC-7")
def test_a_writer_that_holds_the_file_too_long_is_told(tmp_path: Path) -> None:
    """The wait ends with the busy timeout, nothing is changed, and readers are not kept waiting."""
    with SqliteDocumentStore(tmp_path / "d.db", busy_timeout=0.05) as store:
        store.put("a.md", "before")
        with contextlib.closing(sqlite3.connect(tmp_path / "d.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="another process held it for longer than the busy timeout"):
                store.put("a.md", "after")
            assert store.get("a.md") == "before"
            other.execute("ROLLBACK")


@pytest.mark.requirement("ST-DOC-7")
def test_a_reader_of_an_older_journal_is_waited_for(tmp_path: Path) -> None:
    """The journal is switched when nobody else reads, and no later than the busy timeout says."""
    SqliteDocumentStore(tmp_path / "d.db").close()
    with contextlib.closing(sqlite3.connect(tmp_path / "d.db", isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN")
        other.execute("SELECT * FROM document").fetchall()
        with pytest.raises(StoreError, match="another process held it for longer than the busy timeout"):
            SqliteDocumentStore(tmp_path / "d.db", busy_timeout=0.05)


@pytest.mark.requirement("ST-DOC-8")
def test_a_file_of_another_kind_is_left_alone(tmp_path: Path) -> None:
    """A store of passages, another program's tables, a later schema and what is no database: each is refused."""
    SqliteStore(tmp_path / "passages.db").close()
    with contextlib.closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE t (a)")
        other.commit()
    SqliteDocumentStore(tmp_path / "later.db").close()
    with contextlib.closing(sqlite3.connect(tmp_path / "later.db")) as later:
        later.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    (tmp_path / "text.db").write_text("no database, and long enough to be looked at " * 9)
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*.db")}
    for name, message in (
        ("passages.db", "belongs to another program"),
        ("other.db", "belongs to another program"),
        ("later.db", "has 2 and was left alone"),
        ("text.db", "it is no SQLite file and was left alone"),
        ("no/folder.db", "it could not be opened"),
    ):
        with pytest.raises(StoreError, match=message):
            SqliteDocumentStore(tmp_path / name)
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*.db")} == before


@pytest.mark.requirement("ST-DOC-8")
def test_the_file_is_private_and_a_closed_store_says_so(tmp_path: Path) -> None:
    """Only its owner may read it; it is write-ahead logged; closing twice is fine."""
    store = SqliteDocumentStore(tmp_path / "d.db")
    store.put("a.md", "kept")
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("d.db*")} == {0o600}
    store.close()
    store.close()
    with pytest.raises(StoreError, match=r"^a closed store answers nothing"):
        store.get("a.md")
    with contextlib.closing(sqlite3.connect(tmp_path / "d.db")) as again:
        assert again.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    with SqliteDocumentStore(tmp_path / "d.db") as opened:
        assert opened.get("a.md") == "kept"
