"""Row-level security alone keeps tenants apart: the adapter's own filter is taken away here."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import psycopg
import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document, Removal, StoreError
from symfonic.adapters.knowledge.stores import _pgvector_ranking, pgvector
from symfonic.adapters.knowledge.stores._pgvector_schema import TENANTS_TABLES
from symfonic.adapters.knowledge.stores.pgvector import PgvectorStore

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.stores, pytest.mark.requirement("ST-PG-TENANT-1")]

A, B, A1 = "tenant\x1fa", "tenant\x1fb", "tenant\x1fa\x1fuser\x1f1"
US = "\x1f"


@pytest.fixture
def url_of_role(postgres: Any, schema: str, open_pgvector: Callable[..., PgvectorStore]) -> str:
    """An application's role that owns nothing, in a store with rows of the deployment, A, A's user and B."""
    role = f"app of {schema}"
    owner = open_pgvector(row_security=True)
    for scope in ("", A, A1, B):
        owner.put(
            Document(scope_path=scope, origin="/doc", file="doc", digest="d"),
            [Chunk(text=f"secret of {scope.replace(US, ' ')}", label="doc", ordinal=0)],
        )
    with psycopg.connect(postgres.url, autocommit=True) as sql:
        sql.execute(f"CREATE ROLE \"{role}\" LOGIN NOBYPASSRLS PASSWORD 'p'")
        for statement in PgvectorStore.grants(role, schema=schema):
            sql.execute(statement)
    return f"postgresql://{quote(role)}:p@127.0.0.1:{postgres.port}/postgres"


@pytest.fixture
def ids(postgres: Any, schema: str, url_of_role: str) -> dict[str, int]:
    """Ids of all scopes, which only the owner can list."""
    del url_of_role  # for it the store was filled
    with psycopg.connect(postgres.url) as sql:
        return dict(sql.execute(f'SELECT path, id FROM "{schema}".scope').fetchall())


@pytest.fixture
def unfiltered(ids: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """The adapter's filter taken away: it asks for every scope there is, and reads an index of vectors where it may."""
    visible = _pgvector_ranking.Visible(scopes=tuple(ids.values()), passages=len(ids), length=4 * len(ids))
    monkeypatch.setattr(pgvector, "visible_from", lambda sql, paths: visible)
    monkeypatch.setattr(_pgvector_ranking, "READ_WHOLE", 0)


def contents(store: PgvectorStore, scope: str) -> list[str]:
    """Every secret that can be seen."""
    return sorted(row.content for row in store.search("secret", 10, scope_path=scope))


@pytest.mark.usefixtures("unfiltered")
@pytest.mark.parametrize("found_by", ["words", "exact", "hnsw"])
def test_without_the_adapters_filter_nothing_leaks(
    open_pgvector: Callable[..., PgvectorStore], url_of_role: str, make_embedder: Callable[..., Any], found_by: str
) -> None:
    """The owner, who is a superuser here, sees all; the application's role sees what its scope path allows."""
    options = {} if found_by == "words" else {"embedder": make_embedder(), "index": found_by}
    owner = open_pgvector(**options)
    if options:
        owner.embed()
    app = open_pgvector(url=url_of_role, **options)
    assert len(contents(owner, A)) == 4
    assert contents(app, A) == ["secret of", "secret of tenant a"]
    assert contents(app, A1) == ["secret of", "secret of tenant a", "secret of tenant a user 1"]
    assert contents(app, B) == ["secret of", "secret of tenant b"]
    assert contents(app, "") == ["secret of"]
    assert contents(app, "tenant\x1fab") == ["secret of"]


@pytest.mark.parametrize("table", TENANTS_TABLES)
def test_every_table_shows_a_session_its_own_rows_and_the_deployments(
    open_pgvector: Callable[..., PgvectorStore],
    url_of_role: str,
    schema: str,
    ids: dict[str, int],
    make_embedder: Callable[..., Any],
    table: str,
) -> None:
    """Asked past the adapter, without a condition: as A, and as nobody."""
    open_pgvector(embedder=make_embedder()).embed()
    statement = f'SELECT {"id" if table == "scope" else "scope"} FROM "{schema}".{table}'
    with psycopg.connect(url_of_role, autocommit=True) as sql:
        with sql.transaction():
            act(sql, schema)
            assert sorted(row[0] for row in sql.execute(statement)) == sorted([ids[""], ids[A]])
        assert sql.execute(statement).fetchall() == [(ids[""],)]


def test_a_role_uses_the_store_as_the_owner_does(open_pgvector: Callable[..., PgvectorStore], url_of_role: str) -> None:
    """Put, replace, read, list, forget, whole subtrees; totals stay right."""
    app = open_pgvector(url=url_of_role)
    for text in ("first", "second words"):
        app.put(
            Document(scope_path=A, origin="/new", file="new", digest="d"),
            [Chunk(text=text, label="new", ordinal=0), Chunk(text="more", label="new p. 1", ordinal=1)],
        )
    assert [row.content for row in app.search("second", 3, scope_path=A)] == ["second words"]
    assert app.stats().documents == 5
    assert [record.document.scope_path for record in app.documents()] == ["", A, A, A1, B]
    assert app.forget("new p. 1", scope_path=A) == Removal(chunks=1)
    assert app.forget_scope(A) == Removal(documents=3, chunks=3)
    assert app.check() == ()
    assert open_pgvector().check() == ()
    with pytest.raises(StoreError, match="owner"):
        app.vacuum()


def test_what_only_the_owner_may_do_is_told_as_that(
    open_pgvector: Callable[..., PgvectorStore], url_of_role: str, make_embedder: Callable[..., Any]
) -> None:
    """First vectors, another model's, the index over them, and row-level security: each with its own remedy."""
    app = open_pgvector(url=url_of_role, embedder=make_embedder())
    document = Document(scope_path=A, origin="/new", file="new", digest="d")
    chunks = [Chunk(text="some words", label="new", ordinal=0)]
    with pytest.raises(StoreError, match="let the owner put the first passage with this embedder"):
        app.put(document, chunks)
    with pytest.raises(StoreError, match="let the owner put the first passage with this embedder"):
        app.embed()
    with pytest.raises(StoreError, match="row_security=false as the owner"):
        open_pgvector(url=url_of_role, row_security=False)
    open_pgvector(url=url_of_role, row_security=True)  # as it is already
    assert open_pgvector(embedder=make_embedder()).embed() == 4
    app.put(document, chunks)
    with pytest.raises(StoreError, match="owner of a store's tables builds its index"):
        open_pgvector(url=url_of_role, embedder=make_embedder(), index="hnsw")
    with pytest.raises(StoreError, match="owner of a store's tables builds its index"):
        app.build_index()
    open_pgvector(embedder=make_embedder(), index="hnsw")
    near = open_pgvector(url=url_of_role, embedder=make_embedder(), index="hnsw")
    assert near.search("some words", 1, scope_path=A)[0].content == "some words"
    with pytest.raises(StoreError, match="replaces all its vectors"):
        near.embed(anew=True)
    assert open_pgvector().stats().vectors == 5


def test_a_dump_under_row_security_is_whole_or_refused(
    postgres: Any, schema: str, url_of_role: str, open_pgvector: Callable[..., PgvectorStore]
) -> None:
    """The owner's is refused, a superuser's can be restored, as the guide says."""
    owner = f"owner of {schema}"
    before = list(open_pgvector().chunks())
    with psycopg.connect(postgres.url, autocommit=True) as sql:
        sql.execute(f"CREATE ROLE \"{owner}\" LOGIN NOBYPASSRLS PASSWORD 'p'")
        sql.execute(f'ALTER SCHEMA "{schema}" OWNER TO "{owner}"; ALTER SEQUENCE "{schema}".id OWNER TO "{owner}"')
        for table in ("meta", *TENANTS_TABLES):
            sql.execute(f'ALTER TABLE "{schema}".{table} OWNER TO "{owner}"')
    dump = [postgres.programs / "pg_dump", "--schema", f'"{schema}"', "--dbname"]
    refused = subprocess.run(
        [*dump, url_of_role.replace(quote(f"app of {schema}"), quote(owner))], capture_output=True, check=False
    )
    assert refused.returncode == 1
    assert b"row-level security" in refused.stderr
    whole = subprocess.run([*dump, postgres.url], capture_output=True, check=True).stdout
    with psycopg.connect(postgres.url, autocommit=True) as sql:
        sql.execute(f'DROP SCHEMA "{schema}" CASCADE')
    restore = [postgres.programs / "psql", "--quiet", "--set", "ON_ERROR_STOP=1", "--dbname", postgres.url]
    subprocess.run(restore, input=whole, check=True, capture_output=True)
    assert list(open_pgvector().chunks()) == before
    assert open_pgvector().check() == ()
    assert contents(open_pgvector(url=url_of_role), B) == ["secret of", "secret of tenant b"]


def act(sql: Any, schema: str) -> None:
    """Act for A, as the adapter would."""
    sql.execute(f'SET LOCAL search_path TO "{schema}", public')
    sql.execute("SELECT set_config('symfonic.scope_path', %s, true)", (A,))


ATTACKS = (
    "UPDATE passage SET text = 'forged' WHERE scope = {b}",
    "UPDATE document SET file = 'forged' WHERE scope = {b}",
    "UPDATE scope SET passages = 0 WHERE id = {b}",
    "UPDATE scope SET passages = 0 WHERE path = ''",
    "DELETE FROM passage WHERE scope = {b}",
    "DELETE FROM document WHERE scope = {b}",
    "DELETE FROM word WHERE scope = {b}",
    "DELETE FROM document WHERE scope IN (SELECT id FROM scope WHERE path = '')",
)
REFUSED = (
    "INSERT INTO word(passage, scope, length, lexemes) VALUES (999999, {b}, 1, '')",
    "INSERT INTO document VALUES (1000000, {b}, 'x', 'o', 'f', 'd', 'k', 0, 0, 0)",
    "INSERT INTO scope(identity, path) VALUES ('y', E'tenant\\x1fc')",
    "UPDATE passage SET scope = {b} WHERE scope = {a}",
    "UPDATE meta SET embedding = 'forged'",
    "ALTER TABLE passage DISABLE ROW LEVEL SECURITY",
    "DROP POLICY seen ON passage",
    "TRUNCATE passage",
)


def test_a_session_of_one_tenant_cannot_change_another(
    schema: str, url_of_role: str, ids: dict[str, int], open_pgvector: Callable[..., PgvectorStore]
) -> None:
    """Statements of its own, sent past the adapter, find no row of B and none of the deployment to change."""
    before = list(open_pgvector().chunks())
    numbers = {"a": ids[A], "b": ids[B]}
    with psycopg.connect(url_of_role, autocommit=True) as sql:
        for attack in ATTACKS:
            with sql.transaction(force_rollback=True):
                act(sql, schema)
                assert sql.execute(attack.format(**numbers)).rowcount == 0, attack
        for attack in REFUSED:
            with sql.transaction(force_rollback=True):
                act(sql, schema)
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    sql.execute(attack.format(**numbers))
        with sql.transaction():
            sql.execute(f'SET LOCAL search_path TO "{schema}", public')
            assert sql.execute("SELECT text FROM passage").fetchall() == [("secret of",)]
            assert sql.execute("DELETE FROM passage WHERE scope = %s", (ids[A],)).rowcount == 0
    assert list(open_pgvector().chunks()) == before
