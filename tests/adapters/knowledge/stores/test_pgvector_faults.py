"""A store in PostgreSQL loses and doubles nothing when the server fails, says what to do, and goes on by itself."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import psycopg
import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document, StoreError
from symfonic.adapters.knowledge.stores import _pgvector_writing
from symfonic.adapters.knowledge.stores.pgvector import PgvectorStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = [pytest.mark.stores, pytest.mark.requirement("ST-PG-FAULT-1")]


def item(number: int) -> tuple[Document, list[Chunk], None]:
    """A document of three passages."""
    document = Document(scope_path="", origin=f"/{number}", file=f"{number}", digest=f"{number}")
    return document, [Chunk(text=f"text{number} part{at}", label=f"{number}", ordinal=at) for at in range(3)], None


@pytest.fixture
def own_server(postgres: Any) -> Iterator[Any]:
    """The server; it runs again at the end, whatever happened to it."""
    yield postgres
    restart(postgres, signal.SIGINT)


def restart(server: Any, how: int) -> None:
    """End it and start it again; what a killed one left behind may take a moment to go."""
    server.stop(how)
    for attempt in range(50):
        try:
            server.start()
        except SystemExit:
            if attempt == 49:
                raise
            time.sleep(0.1)
        else:
            return


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_server_ended_and_started_again_in_the_middle_of_storing_and_asking(
    open_pgvector: Callable[..., PgvectorStore], own_server: Any, how: int
) -> None:
    """Every call that returned is stored once, others are done again; the same store goes on."""
    store = open_pgvector(pool_timeout=30.0, attempts=20, pause=time.sleep)
    told: list[int] = []
    failures: list[Exception] = []
    answers = 0
    done = threading.Event()

    def ingest() -> None:
        try:
            for number in range(120):
                store.put(*item(number)[:2])
                told.append(number)
        except Exception as error:  # noqa: BLE001 - told below
            failures.append(error)
        finally:
            done.set()

    def ask() -> None:
        nonlocal answers
        try:
            while not done.is_set():
                store.search("text1 part0", 3)
                answers += 1
        except Exception as error:  # noqa: BLE001 - told below
            failures.append(error)

    threads = [threading.Thread(target=ingest), threading.Thread(target=ask)]
    for thread in threads:
        thread.start()
    while len(told) < 20 and not done.is_set():
        time.sleep(0.01)
    restart(own_server, how)
    for thread in threads:
        thread.join()
    assert failures == []
    assert told == list(range(120))
    assert answers > 0
    assert store.stats().documents == 120
    assert store.stats().chunks == 360
    assert store.check() == ()


def test_a_connection_cut_in_the_middle_of_a_change_is_no_loss(
    open_pgvector: Callable[..., PgvectorStore], postgres: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The change is done again on another connection, once."""
    store = open_pgvector()
    cut: list[int] = []
    add = _pgvector_writing._add

    def cut_once(sql: Any, changes: Any) -> None:
        add(sql, changes)
        if not cut:
            cut.append(sql.row("SELECT pg_backend_pid()")[0])
            with psycopg.connect(postgres.url, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s)", cut)

    monkeypatch.setattr(_pgvector_writing, "_add", cut_once)
    store.put_many([item(1), item(2)])
    assert len(cut) == 1
    assert (store.stats().documents, store.stats().chunks, store.revision()) == (2, 6, 1)
    cut.clear()
    assert store.forget("1", scope_path="").documents == 1
    assert (store.stats().documents, store.check()) == (1, ())


def test_a_connection_cut_in_every_attempt_is_an_error(
    open_pgvector: Callable[..., PgvectorStore],
    postgres: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """After the last attempt it is said, and nothing is stored; pauses grow, and each attempt is logged."""
    caplog.set_level("INFO", "symfonic.adapters.knowledge.stores.pgvector")
    pauses: list[float] = []
    store = open_pgvector(attempts=4, pause=pauses.append, jitter=lambda: 0.5)

    def cut(sql: Any) -> None:
        (pid,) = sql.row("SELECT pg_backend_pid()")
        with psycopg.connect(postgres.url, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s)", [pid])
        sql.run("SELECT 1")

    with monkeypatch.context() as patch:
        patch.setattr(_pgvector_writing, "advance", cut)
        with pytest.raises(StoreError, match="need not be opened anew"):
            store.put(*item(1)[:2])
    assert [round(pause, 3) for pause in pauses] == [0.075, 0.15, 0.3]
    assert [record.getMessage() for record in caplog.records if record.name.startswith("symfonic")] == [
        f"attempt {at} of 4 lost its connection (SQLSTATE 57P01) at postgresql://127.0.0.1:{postgres.port}/postgres; "
        f"again in {seconds} seconds"
        for at, seconds in ((1, "0.08"), (2, "0.15"), (3, "0.30"))
    ]
    assert store.stats().documents == 0
    store.put(*item(1)[:2])
    assert store.stats().documents == 1


def test_idle_connections_that_went_stale_are_replaced(
    open_pgvector: Callable[..., PgvectorStore], own_server: Any
) -> None:
    """A restart between two calls is not noticed."""
    store = open_pgvector()
    store.put(*item(1)[:2])
    restart(own_server, signal.SIGINT)
    assert [row.content for row in store.search("text1 part0", 1)] == ["text1 part0"]


def test_a_server_that_is_down_is_told_and_found_again(
    open_pgvector: Callable[..., PgvectorStore], own_server: Any
) -> None:
    """A request waits pool_timeout, once; when the server runs again the same store answers."""
    store = open_pgvector(pool_timeout=0.5)
    store.put(*item(1)[:2])
    own_server.stop(signal.SIGINT)
    for ask in (lambda: store.put(*item(2)[:2]), lambda: store.search("text1", 1), store.vacuum):
        started = time.monotonic()
        with pytest.raises(StoreError, match="see that it runs"):
            ask()
        assert time.monotonic() - started < 3
    own_server.start()
    assert [row.content for row in store.search("text1 part0", 1)] == ["text1 part0"]
    store.put(*item(2)[:2])
    assert (store.stats().documents, store.check()) == (2, ())


FAULTS = (
    ("53100", "disk, or a quota on it, is full"),
    ("53400", "limit of the server's configuration"),
    ("42501", "lacks a right"),
    ("25006", "read-only"),
    ("57014", "statement_timeout"),
    ("53200", "out of memory"),
    ("XX001", "damaged"),
    ("P0001", "PostgreSQL as this version knows it"),
)


@pytest.mark.parametrize(("code", "words"), FAULTS)
def test_a_fault_of_the_server_is_told_and_changes_nothing(
    open_pgvector: Callable[..., PgvectorStore], postgres: Any, schema: str, code: str, words: str
) -> None:
    """Raised by a trigger in the middle of the change; the message holds no row and no statement."""
    store = open_pgvector()
    store.put(*item(1)[:2])
    with psycopg.connect(postgres.url, autocommit=True) as sql:
        sql.execute(
            f"""CREATE FUNCTION "{schema}".fail() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'row %% of %%', NEW.text, TG_TABLE_NAME USING ERRCODE = '{code}'; END $$""".replace(
                "%%", "%"
            )
        )
        sql.execute(
            f'CREATE TRIGGER fail BEFORE INSERT ON "{schema}".passage FOR EACH ROW EXECUTE FUNCTION "{schema}".fail()'
        )
        for items in ([item(1)], [item(2), item(3)]):
            with pytest.raises(StoreError, match=words) as raised:
                store.put_many(items)
            assert code in str(raised.value)
            assert "text" not in str(raised.value).replace("text search", "")
        assert [record.document.origin for record in store.documents()] == ["/1"]
        sql.execute(f'DROP TRIGGER fail ON "{schema}".passage')
    store.put_many([item(1), item(2)])
    assert store.stats().chunks == 6
    assert store.check() == ()


def test_a_statement_that_takes_too_long_is_ended(
    open_pgvector: Callable[..., PgvectorStore], postgres: Any, schema: str
) -> None:
    """The timeout is the server's; what waits for a lock says so."""
    store = open_pgvector(lock_timeout=0.2)
    store.put(*item(1)[:2])
    slow = open_pgvector(statement_timeout=0.2, lock_timeout=5)
    with psycopg.connect(postgres.url) as other:
        other.execute(f'SELECT * FROM "{schema}".document FOR UPDATE')
        with pytest.raises(StoreError, match="lock_timeout"):
            store.put(*item(1)[:2])
        with pytest.raises(StoreError, match="statement_timeout"):
            slow.put(*item(1)[:2])
        with pytest.raises(StoreError, match="statement_timeout"):  # less than a millisecond is no 0, which is no limit
            open_pgvector(statement_timeout=0.0004, lock_timeout=1).put(*item(1)[:2])
        assert len(store.search("text1", 3)) == 3
        other.rollback()
    store.put(*item(1)[:2])
    assert store.stats().documents == 1


def test_a_role_without_rights_is_told(open_pgvector: Callable[..., PgvectorStore], postgres: Any, schema: str) -> None:
    """Neither may it create a store, nor read one it was not let into."""
    role = f"nobody of {schema}"
    with psycopg.connect(postgres.url, autocommit=True) as sql:
        sql.execute(f"CREATE ROLE \"{role}\" LOGIN PASSWORD 'p'")
    url = f"postgresql://{quote(role)}:p@127.0.0.1:{postgres.port}/postgres"
    with pytest.raises(StoreError, match=f'run CREATE SCHEMA "{schema} new" AUTHORIZATION') as refused:
        open_pgvector(url=url, schema=f"{schema} new")
    assert "(SQLSTATE 42501)" in str(refused.value)
    with psycopg.connect(postgres.url, autocommit=True) as sql:
        sql.execute(f'CREATE SCHEMA "{schema} given"')
        for right in ("none", "USAGE"):
            if right == "USAGE":
                sql.execute(f'GRANT USAGE ON SCHEMA "{schema} given" TO "{role}"')
            with pytest.raises(StoreError, match=f'run ALTER SCHEMA "{schema} given" OWNER TO'):
                open_pgvector(url=url, schema=f"{schema} given")
    open_pgvector()
    with pytest.raises(StoreError, match="lacks a right"):
        open_pgvector(url=url)


def test_a_role_that_may_not_connect_is_told_of_that_right(
    open_pgvector: Callable[..., PgvectorStore], postgres: Any
) -> None:
    """No grant on tables would help it."""
    with psycopg.connect(postgres.url, autocommit=True) as sql:
        sql.execute("CREATE DATABASE shut")
        sql.execute("REVOKE CONNECT ON DATABASE shut FROM PUBLIC")
        sql.execute("CREATE ROLE outside LOGIN PASSWORD 'p'")
    with pytest.raises(StoreError, match="GRANT CONNECT ON DATABASE"):
        open_pgvector(url=f"postgresql://outside:p@127.0.0.1:{postgres.port}/shut")


def test_a_database_that_can_only_be_read_can_be_searched(
    open_pgvector: Callable[..., PgvectorStore], postgres: Any
) -> None:
    """Reading goes on, changes are refused."""
    store = open_pgvector()
    store.put(*item(1)[:2])
    with psycopg.connect(postgres.url, autocommit=True) as sql:
        sql.execute("CREATE ROLE reader LOGIN SUPERUSER PASSWORD 'p'")
        sql.execute("ALTER ROLE reader SET default_transaction_read_only TO on")
    reader = open_pgvector(url=f"postgresql://reader:p@127.0.0.1:{postgres.port}/postgres")
    assert len(reader.search("text1", 3)) == 3
    with psycopg.connect(postgres.url, autocommit=True) as sql:
        sql.execute("ALTER DATABASE postgres SET default_transaction_read_only TO on")
    try:
        assert len(open_pgvector().search("text1", 3)) == 3
        with pytest.raises(StoreError, match="read-only"):
            open_pgvector(schema="new where nothing can be written")
    finally:
        with psycopg.connect(postgres.url, autocommit=True) as sql:
            sql.execute("SET default_transaction_read_only TO off")
            sql.execute("ALTER DATABASE postgres RESET default_transaction_read_only")


REFUSED = (
    ("postgresql://postgres:wrong-secret@127.0.0.1:{port}/postgres", "refused this user or password"),
    (
        "postgresql://postgres@127.0.0.1:{port}/postgres",
        "refused this user or password",
    ),  # and there is no password file
    ("postgresql://postgres:{password}@127.0.0.1:{port}/nowhere", "database that exists"),
    ("postgresql://postgres:{password}@127.0.0.1:1/postgres", "can be reached"),
    ("postgresql://postgres:{password}@127.0.0.1:{port}/postgres?nonsense=1", "URL"),
    ("postgresql://postgres:{password}@127.0.0.1:{port}/postgres?sslmode=secret", "such as sslmode, has another"),
    ("postgresql://postgres:{password}@127.0.0.1:{port}/postgres?keepalives=secret", "such as sslmode, has another"),
    ("mysql://secret@host", "begins with postgresql://"),
    ("postgresql://[secret", "URL"),
    ("postgresql://postgres:{password}@127.0.0.1:{port}/postgres?pool_size=0x", "from_url|number"),
    ("postgresql://postgres:{password}@127.0.0.1:{port}/postgres?schema=x", "from_url"),
)


@pytest.mark.parametrize(("url", "words"), REFUSED)
def test_an_address_that_leads_nowhere_is_told_without_its_password(postgres: Any, url: str, words: str) -> None:
    """Wrong password, database, port, parameter or scheme."""
    with pytest.raises(StoreError, match=words) as raised:
        PgvectorStore(url.format(port=postgres.port, password=postgres.password), pause=lambda _: None)
    assert "secret" not in str(raised.value)
    assert postgres.password not in str(raised.value)


def test_too_many_connections_are_told(open_pgvector: Callable[..., PgvectorStore], postgres: Any) -> None:
    """Both when the pool is used up and when the server's connections are."""
    store = open_pgvector(pool_size=1, pool_timeout=0.2, attempts=1)
    with store._connections._taken(), pytest.raises(StoreError, match="pool_size connections"):
        store.revision()
    assert store.revision() == 0
    with psycopg.connect(postgres.url, autocommit=True) as sql:
        sql.execute("CREATE ROLE single LOGIN CONNECTION LIMIT 1 PASSWORD 'p'")
        sql.execute("GRANT ALL ON SCHEMA public TO single; GRANT CREATE ON DATABASE postgres TO single")
    url = f"postgresql://single:p@127.0.0.1:{postgres.port}/postgres"
    with psycopg.connect(url), pytest.raises(StoreError, match="all are in use"):
        open_pgvector(url=url, schema="another", attempts=1)


def test_schemas_that_are_no_store_of_this_version_are_left_alone(
    open_pgvector: Callable[..., PgvectorStore], postgres: Any, schema: str
) -> None:
    """A newer version's, another program's, none where none is to be made, and one that was dropped."""
    with pytest.raises(StoreError, match="none was made"):
        open_pgvector(create=False)
    store = open_pgvector()
    with psycopg.connect(postgres.url, autocommit=True) as sql:
        sql.execute(f'UPDATE "{schema}".meta SET version = 99')
        with pytest.raises(StoreError, match="has format 99"):
            open_pgvector()
        with pytest.raises(StoreError, match="has format 99"):
            store.revision()
        sql.execute(f'DROP SCHEMA "{schema}" CASCADE; CREATE SCHEMA "{schema}"; CREATE TABLE "{schema}".meta(x int)')
        with pytest.raises(StoreError, match="another program's objects"):
            open_pgvector()
        with pytest.raises(StoreError):
            store.revision()


def test_a_schema_prepared_by_somebody_else_runs_nothing_of_his(
    open_pgvector: Callable[..., PgvectorStore], postgres: Any, schema: str
) -> None:
    """Neither a view that looks like a store, nor a function that fits better than PostgreSQL's own."""
    name = f'"{schema}"'
    function = f"CREATE FUNCTION {name}.called() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE 'called'; END $$"
    view = f"CREATE VIEW {name}.meta AS SELECT true AS one, {name}.called() AS version, 0 AS revision"
    for statements in (f"{function}; {view}", function, f"CREATE TYPE {name}.bigint AS (x int)"):
        with psycopg.connect(postgres.url, autocommit=True) as sql:
            sql.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE; CREATE SCHEMA {name}; {statements}")
        with pytest.raises(StoreError, match="another program's objects"):
            open_pgvector()
    with psycopg.connect(postgres.url, autocommit=True) as sql:
        sql.execute(f"DROP SCHEMA {name} CASCADE; CREATE SCHEMA {name}")
        sql.execute(f"ALTER DEFAULT PRIVILEGES IN SCHEMA {name} GRANT SELECT ON TABLES TO PUBLIC")
    assert open_pgvector().revision() == 0


def test_a_database_without_pgvector_is_told(open_pgvector: Callable[..., PgvectorStore], postgres: Any) -> None:
    """A role that may not install it is told who can."""
    with psycopg.connect(postgres.url, autocommit=True) as sql:
        sql.execute("CREATE DATABASE bare")
        sql.execute("CREATE ROLE modest LOGIN PASSWORD 'p'; GRANT CREATE ON DATABASE bare TO modest")
    url = f"postgresql://modest:p@127.0.0.1:{postgres.port}/bare"
    with psycopg.connect(postgres.url.removesuffix("postgres") + "bare", autocommit=True) as sql:
        sql.execute("REVOKE CREATE ON DATABASE bare FROM modest")
    with pytest.raises(StoreError, match="let a superuser run CREATE EXTENSION vector in this database"):
        open_pgvector(url=url)
    with psycopg.connect(postgres.url.removesuffix("postgres") + "bare", autocommit=True) as sql:
        sql.execute("GRANT CREATE ON DATABASE bare TO modest")
        assert sql.execute("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'store%'").fetchone() == (0,)
        sql.execute("CREATE EXTENSION vector")
    store = open_pgvector(url=url)
    store.put(*item(1)[:2])
    assert len(store.search("text1", 5)) == 3


def test_a_forked_process_is_refused(open_pgvector: Callable[..., PgvectorStore]) -> None:
    """It says so and leaves the parent's connections alone."""
    store = open_pgvector()
    store.put(*item(1)[:2])
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            store.revision()
        except StoreError as error:
            os.write(writing, str(error).encode()[:60])
        store.close()
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as answer:
        assert answer.read() == b"a store is used in the process that opened it; two processes"
    assert store.stats().documents == 1


def test_check_finds_what_another_program_changed(
    open_pgvector: Callable[..., PgvectorStore], postgres: Any, schema: str, embedder: Any
) -> None:
    """A sentence for each kind of fault."""
    store = open_pgvector(embedder=embedder)
    store.put_many([item(number) for number in range(4)])
    assert store.check() == ()
    with psycopg.connect(postgres.url, autocommit=True) as sql:
        sql.execute(f'SET search_path TO "{schema}", public')
        for statement in (
            "DELETE FROM word WHERE passage = (SELECT max(id) FROM passage)",
            "UPDATE passage SET text = 'other' WHERE ordinal = 0",
            "UPDATE embedding SET vector = vector * vector WHERE passage = (SELECT min(passage) FROM embedding)",
            "UPDATE document SET chunks = 7, identity = 'x' WHERE file = '2'",
        ):
            sql.execute(statement)
    found = "\n".join(store.check())
    for words in ("not in the index of words", "totals", "other words", "number of passages", "characters"):
        assert words in found
    for words in ("not of length 1", "another text", "not found by their origin"):
        assert words in found


def test_check_finds_scopes_and_vectors_of_nobody(
    open_pgvector: Callable[..., PgvectorStore], postgres: Any, schema: str, embedder: Any
) -> None:
    """Another program wrote a path that is none, and took away whose the vectors are."""
    store = open_pgvector(embedder=embedder)
    store.put(*item(1)[:2])
    with psycopg.connect(postgres.url, autocommit=True) as sql:
        sql.execute(f'SET search_path TO "{schema}", public')
        sql.execute("INSERT INTO scope(identity, path) VALUES ('x', 'half'), ('y', E'tenant\\x1fa')")
        sql.execute("UPDATE meta SET embedding = '', dimensions = 0")
    found = "\n".join(store.check())
    assert "under a path that is none, or that is not found by it; 2 found" in found
    assert "does not say whose they are" in found


def test_a_database_in_another_encoding_is_refused(open_pgvector: Callable[..., PgvectorStore], postgres: Any) -> None:
    """It could not hold every text."""
    with psycopg.connect(postgres.url, autocommit=True) as sql:
        sql.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    with pytest.raises(StoreError, match="UTF8"):
        open_pgvector(url=postgres.url.removesuffix("postgres") + "latin")


def test_what_the_server_says_of_its_clients_changes_no_text(
    open_pgvector: Callable[..., PgvectorStore], postgres: Any, schema: str
) -> None:
    """A role, a database or an address may name an encoding of clients; texts are UTF-8 all the same."""
    role = f"latin {schema}"
    with psycopg.connect(postgres.url, autocommit=True) as sql:
        sql.execute(f"CREATE ROLE \"{role}\" LOGIN SUPERUSER PASSWORD 'p'")
        sql.execute(f"ALTER ROLE \"{role}\" SET client_encoding TO 'LATIN1'")
    url = f"postgresql://{quote(role)}:p@127.0.0.1:{postgres.port}/postgres"
    for number, place in enumerate((url, f"{url}?client_encoding=LATIN1")):
        document = Document(scope_path="", origin=f"/{number}", file="f", digest="d")
        open_pgvector(url=place).put(document, [Chunk(text="Größe 漢字", label="f", ordinal=0)])
    store = open_pgvector()
    assert [one.chunk.text for one in store.chunks()] == ["Größe 漢字"] * 2
    assert store.check() == ()


def test_a_function_somebody_puts_beside_pgvector_is_never_called(
    open_pgvector: Callable[..., PgvectorStore], postgres: Any
) -> None:
    """It would fit better than PostgreSQL's own, and run with the rights of whoever uses the store."""
    with psycopg.connect(postgres.url, autocommit=True) as sql:
        sql.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
        sql.execute(
            """CREATE FUNCTION public.generate_series(int, smallint) RETURNS SETOF bigint LANGUAGE plpgsql AS
            $$ BEGIN RAISE 'called'; END $$"""
        )
        try:
            item_of_three = item(1)
            open_pgvector().put(item_of_three[0], item_of_three[1])
        finally:
            sql.execute("DROP FUNCTION public.generate_series(int, smallint)")


def test_a_removal_whose_commit_nobody_saw_is_told_as_such(
    open_pgvector: Callable[..., PgvectorStore], postgres: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not done again, for its count would be another; storing is, for it comes to the same."""
    store = open_pgvector()
    store.put(*item(1)[:2])
    execute = psycopg.Connection.execute
    cut: list[str] = []

    def cut_commit(connection: Any, query: Any, *rest: Any, **options: Any) -> Any:
        if query == "COMMIT" and "now" in cut:
            cut.remove("now")
            with psycopg.connect(postgres.url, autocommit=True) as other:
                execute(other, "SELECT pg_terminate_backend(%s)", [connection.info.backend_pid])
            time.sleep(0.1)
        return execute(connection, query, *rest, **options)

    monkeypatch.setattr(psycopg.Connection, "execute", cut_commit)
    cut.append("now")
    with pytest.raises(StoreError, match="nobody here knows which"):
        store.forget("1", scope_path="")
    cut.append("now")
    store.put(*item(2)[:2])
    assert cut == []
    assert [record.document.file for record in store.documents()] == ["1", "2"]


def test_a_file_the_system_lets_grow_no_further_is_told_and_changes_nothing(
    open_pgvector: Callable[..., PgvectorStore], own_server: Any
) -> None:
    """A real limit of the system on the server's files, at 18 MB; lifted, the same store goes on."""
    chance = random.Random(1)
    noise = "".join(chance.choices([chr(0x2500 + at) for at in range(256)], k=350_000))
    huge = [Chunk(text=noise[at:] + noise[:at], label="huge", ordinal=at) for at in range(40)]
    document = Document(scope_path="", origin="/huge", file="huge", digest="1")
    open_pgvector().put(*item(1)[:2])
    own_server.stop()
    own_server.start(largest_file=18 * 2**20)
    store = open_pgvector()
    with pytest.raises(StoreError, match="a file the system lets grow no further, and nothing was changed"):
        store.put(document, huge)
    assert [record.document.file for record in store.documents()] == ["1"]
    assert store.check() == ()
    restart(own_server, signal.SIGINT)
    store.put(document, huge)
    assert (store.stats().documents, store.stats().chunks) == (2, 43)
