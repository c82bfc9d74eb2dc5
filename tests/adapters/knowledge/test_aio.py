"""An asynchronous retriever, adapted once: answers, deadlines, cancellation, closing, forks and loops."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge import BlockingRetriever, DeclaredScope, StoreError
from symfonic.capabilities.knowledge import ContextRequest, KnowledgeSource, RetrievedFragment
from symfonic.testing.knowledge import InMemoryRetriever, RetrieverConformance

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence

    from symfonic.testing.knowledge import SeedRow

ACME = "tenant\x1facme"
FIXED = DeclaredScope.fixed("")


def row(content: str = "Leave is 28 days.", **told: Any) -> Any:
    """A row of no particular class."""
    return SimpleNamespace(content=content, source="leave.md", score=0.9, metadata=told)


class Provider:
    """Answers what it was told to, on whatever loop it is asked, and keeps what happened to it."""

    def __init__(self, answer: Callable[[str], Any] = lambda _: [row()]) -> None:
        self.answer = answer
        self.loops: set[int] = set()
        self.cancelled = threading.Event()
        self.closed = 0

    async def search(self, query: str, limit: int) -> Any:
        self.loops.add(id(asyncio.get_running_loop()))
        try:
            found = self.answer(query)
            return await found if asyncio.iscoroutine(found) else found
        except asyncio.CancelledError:
            self.cancelled.set()
            raise

    async def aclose(self) -> None:
        await asyncio.sleep(0)
        self.closed += 1


@pytest.fixture
def adapted() -> Iterator[Callable[..., BlockingRetriever]]:
    """Adapts providers, and closes what was adapted."""
    made: list[BlockingRetriever] = []

    def adapt(provider: Any = None, **told: Any) -> BlockingRetriever:
        made.append(BlockingRetriever(provider, **{"scope": FIXED, "timeout": 5.0, **told}))
        return made[-1]

    yield adapt
    for one in made:
        one.close()


class TestScoped(RetrieverConformance):
    """A provider that honours scopes is as good adapted as it is by itself."""

    def make_retriever(self, rows: Sequence[SeedRow]) -> Any:
        store = InMemoryRetriever(rows)

        class Scoped:
            async def search(self, query: str, limit: int, *, scope_path: str) -> list[RetrievedFragment]:
                await asyncio.sleep(0)
                return store.search(query, limit, scope_path=scope_path)

        return BlockingRetriever(Scoped(), scope=None)


@pytest.mark.requirement("FW-AIO-1")
def test_every_request_runs_on_one_loop(adapted: Any) -> None:
    """From whatever thread it comes: a client belongs to the loop it was used on first."""
    provider = Provider()
    retriever = adapted(provider)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda number: retriever.search(str(number), 3), range(64)))
    assert {tuple(one.content for one in found) for found in answers} == {("Leave is 28 days.",)}
    assert len(provider.loops) == 1


@pytest.mark.requirement("FW-AIO-1")
def test_a_factory_builds_the_provider_on_the_loop_that_asks_it(adapted: Any) -> None:
    """Whether it answers the provider or has to be awaited."""
    provider = Provider()

    def at_once() -> Provider:
        provider.loops.add(id(asyncio.get_running_loop()))
        return provider

    async def awaited() -> Provider:
        await asyncio.sleep(0)
        return at_once()

    for factory in (at_once, awaited):
        provider.loops.clear()
        assert len(adapted(factory=factory).search("leave", 3)) == 1
        assert len(provider.loops) == 1


def test_a_factory_that_fails_leaves_no_thread_behind() -> None:
    """Its words are not repeated."""
    before = threading.active_count()
    with pytest.raises(
        StoreError, match="building the provider needs the provider; it failed: ZeroDivisionError"
    ) as told:
        BlockingRetriever(factory=lambda: 1 / 0, scope=FIXED)
    assert isinstance(told.value.__cause__, ZeroDivisionError)
    assert threading.active_count() == before


@pytest.mark.requirement("FW-SCOPE-1")
def test_rows_are_stamped_with_what_the_operator_declared(adapted: Any) -> None:
    """A claim of the document's own does not count, and a row without the field is nobody's."""
    claims = [row("a", scope_path="", document="d", kept=1), row("b", at=ACME), row("c", at="x"), row("d")]
    fixed = adapted(Provider(lambda _: claims), scope=DeclaredScope.fixed(ACME))
    stamped = fixed.search("q", 9, scope_path=ACME)
    assert [(one.content, one.metadata["scope_path"]) for one in stamped] == [(name, ACME) for name in "abcd"]
    assert dict(stamped[0].metadata) == {"kept": 1, "scope_path": ACME}
    assert fixed.search("q", 9) == []
    named = adapted(Provider(lambda _: claims), scope=DeclaredScope.field("at"))
    assert [one.content for one in named.search("q", 9, scope_path=ACME)] == ["b"]
    assert named.search("q", 9, scope_path="tenant\x1fother") == []


def test_a_row_nobody_can_read_costs_no_other(adapted: Any) -> None:
    """The boundary leaves it out by name."""
    source = KnowledgeSource(adapted(Provider(lambda _: [object(), None, row()])), "leave")
    selection = source.select(ContextRequest("k"))
    assert [one.content for one in selection.admitted] == ["Leave is 28 days."]
    assert [reason.code.value for _, reason in selection.dropped] == ["bad-score", "bad-score"]


@pytest.mark.requirement("FW-AIO-2")
def test_what_misses_the_deadline_is_cancelled(adapted: Any) -> None:
    """The next search is answered."""
    provider = Provider(lambda query: asyncio.sleep(60) if query == "slow" else [row()])
    retriever = adapted(provider, timeout=0.05)
    with pytest.raises(StoreError, match=r"a search may take 0\.05 s; the provider took longer and was cancelled"):
        retriever.search("slow", 3)
    assert provider.cancelled.wait(5)
    assert len(retriever.search("quick", 3)) == 1


def test_a_timeout_of_the_providers_own_is_a_failure_and_not_our_deadline(adapted: Any) -> None:
    """The two are told apart."""

    def fail(_: str) -> Any:
        raise TimeoutError("secret")

    with pytest.raises(StoreError, match="it failed: TimeoutError") as told:
        adapted(Provider(fail)).search("q", 3)
    assert "secret" not in str(told.value)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_ends_a_process_passes_and_the_loop_goes_on(adapted: Any, error: type[BaseException]) -> None:
    """It is raised where the search was called."""

    def fail(query: str) -> Any:
        if query == "end":
            raise error
        return [row()]

    retriever = adapted(Provider(fail))
    with pytest.raises(error):
        retriever.search("end", 3)
    assert len(retriever.search("on", 3)) == 1


def test_a_provider_that_cancels_itself_is_one_that_failed(adapted: Any) -> None:
    """And is not said to have been closed."""

    def fail(_: str) -> Any:
        raise asyncio.CancelledError

    with pytest.raises(StoreError, match="the provider cancelled itself"):
        adapted(Provider(fail)).search("q", 3)


@pytest.mark.requirement("FW-AIO-3")
def test_called_on_its_own_loop_it_says_so_instead_of_waiting_for_itself(adapted: Any) -> None:
    """Searching and closing alike."""
    told: list[str] = []

    class Selfish:
        async def search(self, query: str, limit: int) -> list[Any]:
            for call in (lambda: holder[0].search("again", 3), holder[0].close):
                try:
                    call()
                except StoreError as error:
                    told.append(str(error))
            return [row()]

    holder = [adapted(Selfish())]
    assert len(holder[0].search("q", 3)) == 1
    assert len(told) == 2
    assert all("called on that loop it would wait for itself" in one for one in told)


@pytest.mark.requirement("FW-AIO-3")
def test_called_from_another_loop_it_answers_and_hints_at_a_thread(adapted: Any) -> None:
    """A notebook always has a running loop, so this is no error."""
    retriever = adapted(Provider())

    async def ask() -> Any:
        with pytest.warns(RuntimeWarning, match=r"asyncio\.to_thread") as told:
            held = retriever.search("q", 3)
        assert told[0].filename == __file__
        return held, await asyncio.to_thread(retriever.search, "q", 3)

    held, threaded = asyncio.run(ask())
    assert held == threaded


@pytest.mark.requirement("FW-AIO-4")
def test_closing_ends_pending_searches_joins_the_thread_and_closes_the_provider() -> None:
    """Once, on its own loop."""
    before = threading.active_count()
    provider = Provider(lambda _: asyncio.sleep(60))
    retriever = BlockingRetriever(provider, scope=FIXED)
    with ThreadPoolExecutor(3) as pool:
        pending = [pool.submit(retriever.search, "q", 3) for _ in range(3)]
        while len(retriever._pending) < 3:
            time.sleep(0.001)
        retriever.close()
        for one in pending:
            with pytest.raises(StoreError, match="the adapter was closed meanwhile"):
                one.result(5)
    retriever.close()
    assert (provider.closed, threading.active_count()) == (1, before)
    with pytest.raises(StoreError, match="a closed adapter asks nothing"):
        retriever.search("q", 3)


@pytest.mark.requirement("FW-AIO-4")
def test_an_answer_that_is_not_read_to_its_end_is_closed(adapted: Any) -> None:
    """An asynchronous generator may hold a connection."""
    ended = threading.Event()

    class Endless:
        async def search(self, query: str, limit: int) -> AsyncIterator[Any]:
            try:
                while True:
                    yield row()
            finally:
                ended.set()

    assert len(adapted(Endless(), max_rows=7).search("q", 3)) == 7
    assert ended.is_set()
    assert len(adapted(Provider(lambda _: iter([row()] * 100)), max_rows=7).search("q", 3)) == 7


def test_a_provider_that_cannot_be_closed_is_told_of_and_its_thread_ends() -> None:
    """Leaving the context manager closes."""
    before = threading.active_count()

    class Stubborn(Provider):
        async def aclose(self) -> None:
            raise OSError

    with pytest.raises(StoreError, match="closing the provider needs the provider; it failed: OSError"):  # noqa: SIM117
        with BlockingRetriever(Stubborn(), scope=FIXED) as retriever:
            assert len(retriever.search("q", 3)) == 1
    assert threading.active_count() == before


def test_an_adapter_nobody_closed_leaves_no_thread_behind() -> None:
    """Its thread ends when it is forgotten."""
    retriever = BlockingRetriever(Provider(), scope=FIXED)
    thread = retriever._thread
    assert len(retriever.search("q", 3)) == 1
    del retriever
    gc.collect()
    thread.join(5)
    assert not thread.is_alive()


def test_a_provider_that_stops_its_loop_is_told_of() -> None:
    """It is asked nothing more, and closing does not hang."""
    before = threading.active_count()

    class Stopping:
        async def search(self, query: str, limit: int) -> list[Any]:
            asyncio.get_running_loop().stop()
            return []

    retriever = BlockingRetriever(Stopping(), scope=FIXED, timeout=0.1)
    with pytest.raises(StoreError, match="the provider took longer"):
        retriever.search("q", 3)
    retriever._thread.join(5)
    for call in (lambda: retriever.search("q", 3), retriever.close):
        with pytest.raises(StoreError, match="this one stopped it"):
            call()
    assert threading.active_count() == before


@pytest.mark.requirement("FW-AIO-5")
def test_after_a_fork_the_child_is_refused_at_once(adapted: Any) -> None:
    """Its loop stayed behind; closing there touches nothing of the parent's."""
    retriever = adapted(Provider())
    assert len(retriever.search("q", 3)) == 1
    child = os.fork()
    if child == 0:
        code = 1
        try:
            retriever.search("q", 3)
        except StoreError as error:
            code = 0 if "came over by a fork" in str(error) else 2
        retriever.close()
        os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(retriever.search("q", 3)) == 1


@pytest.mark.parametrize(
    ("kind", "told", "message"),
    [
        (TypeError, {"provider": object()}, "has a method search"),
        (ValueError, {"provider": Provider(), "scope": None}, "somebody says whose rows are"),
        (ValueError, {"provider": Provider(), "timeout": 0}, "positive number of seconds"),
        (ValueError, {"provider": Provider(), "timeout": float("nan")}, "positive number of seconds"),
        (ValueError, {"provider": Provider(), "max_rows": 0}, "at least 1"),
        (ValueError, {}, "neither or both"),
        (ValueError, {"provider": Provider(), "factory": Provider}, "neither or both"),
    ],
)
def test_what_cannot_work_is_refused_when_it_is_built(kind: type[Exception], told: Any, message: str) -> None:
    """And leaves no thread behind."""
    before = threading.active_count()
    with pytest.raises(kind, match=message):
        BlockingRetriever(**{"scope": FIXED, **told})
    assert threading.active_count() == before
