"""The asynchronous twin: the same answers, from its own threads; cancelling and closing behave."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from symfonic.adapters.knowledge.ports import Completion
from symfonic.capabilities.knowledge import RetrievalPolicy, ScopePath
from symfonic.composition.knowledge import (
    AsyncAnswering,
    AsyncKnowledgeBase,
    IngestProgress,
    KnowledgeBase,
    MissingStoreError,
    ModelFailedError,
    NothingAdmittedError,
    Settings,
    SettingsError,
    StoreFailedError,
)
from symfonic.testing.knowledge import ScriptedChatModel

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from pathlib import Path
    from typing import Self

    from symfonic.adapters.knowledge.ports import ChatMessage

ACME = ScopePath.of(("tenant", "acme"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# Leave\n\nThirty days of leave.\n")
    (docs / "b.txt").write_text("Travel is booked early.\n")
    return docs


@pytest.mark.requirement("CO-AIO-1")
def test_every_method_answers_like_its_twin(tmp_path: Path, folder: Path) -> None:
    """Same values, same order."""

    async def run() -> None:
        settings = Settings(limit=1)
        async with AsyncKnowledgeBase.open(tmp_path / "k.db", settings=settings) as knowledge:
            report = await knowledge.ingest(folder)
            await knowledge.ingest(folder / "b.txt", scope=ACME)
            with KnowledgeBase.open(tmp_path / "k.db", settings=settings) as twin:
                policy = RetrievalPolicy(2)
                assert report.counts() == {"ingested": 2}
                assert await knowledge.ask("leave", policy=policy, turn=1) == twin.ask("leave", policy=policy, turn=1)
                assert await knowledge.search("travel", scope=ACME, limit=3) == twin.search(
                    "travel", scope=ACME, limit=3
                )
                assert await knowledge.documents() == twin.documents()
                assert [item async for item in knowledge.export(scope=ACME)] == list(twin.export(scope=ACME))
                assert (await knowledge.stats()).documents == 3
                assert await knowledge.revision() == twin.revision()
                assert knowledge.settings is settings
                assert knowledge.key_fingerprint == twin.key_fingerprint
            assert (await knowledge.forget("a.md")).documents == 1
            await knowledge.vacuum()
            assert [item.document.file for item in await knowledge.documents(scope=ScopePath())] == ["b.txt"]

    asyncio.run(run())


@pytest.mark.requirement("CO-AIO-1")
def test_it_is_awaited_or_entered(tmp_path: Path, folder: Path) -> None:
    """Both ways open it; entered, it is closed at the end, also where the body raises."""

    async def entered() -> tuple[AsyncKnowledgeBase, int]:
        async with AsyncKnowledgeBase.open(tmp_path / "k.db") as knowledge:
            await knowledge.ingest(folder)
            return knowledge, (await knowledge.stats()).documents

    async def closed(knowledge: AsyncKnowledgeBase) -> None:
        with pytest.raises(StoreFailedError, match="closed knowledge base"):
            await knowledge.stats()

    async def raised() -> None:
        async with AsyncKnowledgeBase.open(tmp_path / "k.db") as knowledge:
            seen.append(knowledge)
            raise ZeroDivisionError

    async def awaited() -> int:
        async with await AsyncKnowledgeBase.open(tmp_path / "k.db") as knowledge:
            seen.append(knowledge)
            return (await knowledge.stats()).documents

    seen: list[AsyncKnowledgeBase] = []
    knowledge, documents = asyncio.run(entered())
    assert documents == 2
    asyncio.run(closed(knowledge))
    with pytest.raises(ZeroDivisionError):
        asyncio.run(raised())
    asyncio.run(closed(seen[0]))
    assert asyncio.run(awaited()) == 2
    asyncio.run(closed(seen[1]))


def test_an_opening_is_a_coroutine(tmp_path: Path) -> None:
    """``asyncio.run`` takes it, and one that never begins may be given up."""
    knowledge = asyncio.run(AsyncKnowledgeBase.open(tmp_path / "k.db"))
    asyncio.run(knowledge.close())
    unused = AsyncKnowledgeBase.open(tmp_path / "none" / "k.db")
    unused.close()
    assert not (tmp_path / "none").exists()


def test_errors_are_the_twins(tmp_path: Path) -> None:
    """A store that is not there, and a pool without workers."""
    with pytest.raises(MissingStoreError):
        asyncio.run(AsyncKnowledgeBase.open(tmp_path / "k.db", create=False))
    with pytest.raises(SettingsError, match="workers must be"):
        AsyncKnowledgeBase.open(tmp_path / "k.db", workers=0)
    assert list(tmp_path.iterdir()) == []
    with KnowledgeBase.open(tmp_path / "k.db") as twin, pytest.raises(SettingsError, match="workers must be"):
        AsyncKnowledgeBase(twin, workers=0)


def test_calls_run_in_threads_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never in the loop's thread, no more at a time than there are workers, with the caller's context."""
    names: list[str] = []
    seen: list[str] = []
    running = threading.Semaphore(2)
    tenant: contextvars.ContextVar[str] = contextvars.ContextVar("tenant", default="none")

    def stats(self: KnowledgeBase) -> str:
        assert running.acquire(blocking=False), "more calls at once than workers"
        names.append(threading.current_thread().name)
        seen.append(tenant.get())
        threading.Event().wait(0.01)
        running.release()
        return "stats"

    async def run() -> list[Any]:
        async with AsyncKnowledgeBase.open(tmp_path / "k.db", workers=2) as knowledge:
            tenant.set("acme")
            return list(await asyncio.gather(*(knowledge.stats() for _ in range(8))))

    monkeypatch.setattr(KnowledgeBase, "stats", stats)
    assert asyncio.run(run()) == ["stats"] * 8
    assert {name.rpartition("_")[0] for name in names} == {"symfonic-knowledge"}
    assert seen == ["acme"] * 8


@pytest.mark.requirement("CO-AIO-2")
def test_a_cancelled_ingestion_stops_after_its_file(tmp_path: Path, folder: Path) -> None:
    """What was stored stays, the rest never begins, and the base goes on working."""
    for number in range(50):
        (folder / f"c{number}.txt").write_text(f"leave {number}")

    async def run() -> int:
        begun = asyncio.Event()
        async with AsyncKnowledgeBase.open(tmp_path / "k.db") as knowledge:
            task = asyncio.create_task(knowledge.ingest(folder, on_progress=lambda _: begun.set()))
            await begun.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await knowledge.ask("leave")
            await knowledge.close()
        with KnowledgeBase.open(tmp_path / "k.db") as twin:
            return twin.stats().documents

    assert asyncio.run(run()) < 52


def test_progress_arrives_in_the_loops_thread(tmp_path: Path, folder: Path) -> None:
    """So that it may touch what lives there."""
    told: list[tuple[int, str]] = []

    async def run() -> None:
        async with AsyncKnowledgeBase.open(tmp_path / "k.db") as knowledge:

            def tell(progress: IngestProgress) -> None:
                told.append((progress.done, threading.current_thread().name))

            await knowledge.ingest(folder, on_progress=tell)
            await asyncio.sleep(0)

    asyncio.run(run())
    # Both are small enough to be stored together.
    assert told == [(done, threading.current_thread().name) for done in (0, 0, 2)]


def test_whoever_cannot_be_told_of_progress_is_refused(tmp_path: Path, folder: Path) -> None:
    """In the caller's task, and before a file is read."""
    wrong: Any = 5

    async def run() -> int:
        async with AsyncKnowledgeBase.open(tmp_path / "k.db") as knowledge:
            with pytest.raises(SettingsError, match="progress is told to a function of one argument"):
                await knowledge.ingest(folder, on_progress=wrong)
            with pytest.raises(SettingsError, match="progress is told to a function of one argument"):
                await knowledge.embed(on_progress=wrong)
            return len(await knowledge.documents())

    assert asyncio.run(run()) == 0


@pytest.mark.requirement("CO-AIO-3")
def test_closing_waits_for_what_runs_and_refuses_what_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The call in the thread is answered, the queued one and later ones are refused."""
    begun, go_on = threading.Event(), threading.Event()

    def stats(self: KnowledgeBase) -> str:
        begun.set()
        go_on.wait(5)
        return "stats"

    async def run() -> None:
        knowledge = await AsyncKnowledgeBase.open(tmp_path / "k.db", workers=1)
        running = asyncio.create_task(knowledge.stats())
        await asyncio.to_thread(begun.wait, 5)
        queued = asyncio.create_task(knowledge.revision())
        await asyncio.sleep(0)
        closing = asyncio.create_task(knowledge.close())
        await asyncio.sleep(0.05)
        go_on.set()
        await closing
        answer: object = await running
        assert answer == "stats"
        for refused in (queued, knowledge.ask("leave")):
            with pytest.raises(StoreFailedError, match="closed knowledge base"):
                await refused
        await knowledge.close()

    monkeypatch.setattr(KnowledgeBase, "stats", stats)
    asyncio.run(run())


def test_a_call_that_races_the_closing_is_refused(tmp_path: Path) -> None:
    """A pool that was shut down between the check and the call says so in our words; its other errors stay."""

    async def run() -> None:
        knowledge = await AsyncKnowledgeBase.open(tmp_path / "k.db")
        ordinary = knowledge._pool.submit

        def late(*words: Any, **more: Any) -> Any:
            knowledge._closing = True
            knowledge._pool.shutdown()
            return ordinary(*words, **more)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(knowledge._pool, "submit", late)
            with pytest.raises(StoreFailedError, match="closed knowledge base"):
                await knowledge.stats()
        knowledge._closing = False
        with pytest.raises(RuntimeError, match="after shutdown"):
            await knowledge.stats()
        await knowledge.close()

    asyncio.run(run())


def test_an_opening_nobody_waits_for_may_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing to close then, and nobody to tell."""
    begun, go_on, failed = threading.Event(), threading.Event(), threading.Event()

    def slow(path: Any, **options: Any) -> KnowledgeBase:
        begun.set()
        go_on.wait(5)
        failed.set()
        raise MissingStoreError

    async def run() -> None:
        task = asyncio.create_task(AsyncKnowledgeBase.open(tmp_path / "k.db"))
        await asyncio.to_thread(begun.wait, 5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        go_on.set()
        await asyncio.to_thread(failed.wait, 5)
        await asyncio.sleep(0.01)

    monkeypatch.setattr(KnowledgeBase, "open", slow)
    asyncio.run(run())


def test_an_opening_nobody_waits_for_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cancelled in the middle of it, the store is released as soon as it is open."""
    begun, go_on, closed = threading.Event(), threading.Event(), threading.Event()
    ordinary_open, ordinary_close = KnowledgeBase.open, KnowledgeBase.close

    def slow(path: Any, **options: Any) -> KnowledgeBase:
        begun.set()
        go_on.wait(5)
        return ordinary_open(path, **options)

    def close(self: KnowledgeBase) -> None:
        ordinary_close(self)
        closed.set()

    async def run() -> None:
        task = asyncio.create_task(AsyncKnowledgeBase.open(tmp_path / "k.db"))
        await asyncio.to_thread(begun.wait, 5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        go_on.set()
        assert await asyncio.to_thread(closed.wait, 5)

    monkeypatch.setattr(KnowledgeBase, "open", slow)
    monkeypatch.setattr(KnowledgeBase, "close", close)
    asyncio.run(run())


@pytest.mark.requirement("CO-AIO-1")
def test_an_answer_arrives_as_its_twins(tmp_path: Path, folder: Path) -> None:
    """Piece by piece, with the same account; errors are the same."""

    async def run() -> None:
        async with AsyncKnowledgeBase.open(tmp_path / "k.db") as knowledge:
            await knowledge.ingest(folder)
            model = ScriptedChatModel(("Thirty [sem", "antic]", " days."))
            answering = await knowledge.answer("leave", model=model, on_unknown="keep")
            pieces = [piece async for piece in answering]
            with KnowledgeBase.open(tmp_path / "k.db") as base:
                twin = base.answer("leave", model=model, on_unknown="keep")
                assert (pieces, answering.answer()) == (list(twin), twin.answer())
                assert (answering.text, answering.ledger, answering.answerable) == (
                    twin.text,
                    twin.ledger,
                    twin.answerable,
                )
            with pytest.raises(NothingAdmittedError):
                await knowledge.answer("zebra", model=model)
            failing = await knowledge.answer("leave", model=ScriptedChatModel(("Thirty",), error=KeyError()))
            assert await anext(failing) == "Thirty"
            with pytest.raises(ModelFailedError):
                await anext(failing)

    asyncio.run(run())


@pytest.mark.requirement("AN-END-2")
def test_an_answer_nobody_waits_for_is_stopped(tmp_path: Path, folder: Path) -> None:
    """A cancelled reader leaves at once; stopping waits for the piece under way, also where the base was closed."""
    reading, gate = threading.Event(), threading.Event()

    class Model:
        def stream(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
            yield "Thirty"
            reading.set()
            gate.wait(20)
            yield " days"
            yield "never"

    async def run() -> None:
        async with AsyncKnowledgeBase.open(tmp_path / "k.db") as knowledge:
            await knowledge.ingest(folder)
            async with await knowledge.answer("leave", model=Model()) as answering:
                assert await anext(answering) == "Thirty"
                waiting = asyncio.ensure_future(anext(answering))
                await asyncio.to_thread(reading.wait, 20)
                waiting.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await waiting
                gate.set()
                assert await answering.stop() == ""
                assert answering.text == "Thirty days"
            left = await knowledge.answer("leave", model=Model())
        with pytest.raises(StoreFailedError):
            await anext(left)
        assert await left.stop() == ""

    asyncio.run(run())


class Held:
    """A model that is hung up on, and says so."""

    def __init__(self) -> None:
        self.hung_up = threading.Event()

    def stream(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
        """Say one word, then be hung up on, and complain."""
        try:
            yield "Thirty"
            yield "never"
        finally:
            self.hung_up.set()
            raise OSError("gone")


class Saturated:
    """The loop's own pool, of one thread that is busy until it is let go."""

    def __init__(self) -> None:
        self.go_on = threading.Event()

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(1))
        busy = asyncio.Event()
        loop.run_in_executor(None, lambda: (loop.call_soon_threadsafe(busy.set), self.go_on.wait(20)))
        await busy.wait()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.go_on.set()


def told_by(loop: asyncio.AbstractEventLoop) -> list[Any]:
    """What the loop has to complain about from now on."""
    complaints: list[Any] = []
    loop.set_exception_handler(lambda _, context: complaints.append(context))
    return complaints


@pytest.mark.requirement("AN-END-5")
@pytest.mark.parametrize("leaves", ["stop", "block"])
def test_a_cancelled_stop_still_hangs_up_and_leaves_no_task(tmp_path: Path, folder: Path, leaves: str) -> None:
    """Though no thread was free to begin with; nobody waits, and nobody is bothered with what the model raises."""
    model = Held()
    complaints: list[Any] = []

    async def read(answering: AsyncAnswering) -> None:
        if leaves == "stop":
            await answering.stop()
            return
        async with answering:
            await asyncio.sleep(20)

    async def run() -> None:
        complaints.extend(told_by(asyncio.get_running_loop()))
        async with AsyncKnowledgeBase.open(tmp_path / "k.db") as knowledge:
            await knowledge.ingest(folder)
            answering = await knowledge.answer("leave", model=model)
            assert await anext(answering) == "Thirty"
            async with Saturated() as pool:
                before = asyncio.all_tasks()
                reading = asyncio.create_task(read(answering))
                await asyncio.sleep(0.01)
                for _ in range(3):
                    reading.cancel()
                    await asyncio.sleep(0.01)
                assert reading.cancelled()
                assert asyncio.all_tasks() == before
                assert not model.hung_up.is_set()
                pool.go_on.set()
                assert await asyncio.to_thread(model.hung_up.wait, 20)
            assert (answering.text, await answering.stop()) == ("Thirty", "")

    asyncio.run(run())
    assert complaints == []


@pytest.mark.requirement("AN-END-5")
def test_a_loop_that_ends_in_the_middle_of_a_stop_hangs_up_first(tmp_path: Path, folder: Path) -> None:
    """Ending it cancels all tasks, and then waits for the threads."""
    model = Held()

    async def run() -> None:
        async with AsyncKnowledgeBase.open(tmp_path / "k.db") as knowledge:
            await knowledge.ingest(folder)
            answering = await knowledge.answer("leave", model=model)
            await anext(answering)
        pool = await Saturated().__aenter__()
        left = asyncio.create_task(answering.stop())
        await asyncio.sleep(0.01)
        assert not left.done()
        asyncio.get_running_loop().call_soon(pool.go_on.set)

    asyncio.run(run())
    assert model.hung_up.is_set()


@pytest.mark.requirement("AN-END-5")
def test_in_a_cancelled_scope_of_anyio_it_hangs_up_too(tmp_path: Path, folder: Path) -> None:
    """There every wait is cancelled, not only the first."""
    model = Held()

    async def run() -> None:
        async with AsyncKnowledgeBase.open(tmp_path / "k.db") as knowledge:
            await knowledge.ingest(folder)
            answering = await knowledge.answer("leave", model=model)
            async with Saturated() as pool:
                before = asyncio.all_tasks()
                with anyio.CancelScope() as scope:
                    async with answering:
                        assert await anext(answering) == "Thirty"
                        scope.cancel()
                        await anyio.sleep(20)
                assert scope.cancelled_caught
                assert asyncio.all_tasks() == before
                pool.go_on.set()
                assert await asyncio.to_thread(model.hung_up.wait, 20)

    asyncio.run(run())


@pytest.mark.requirement("AN-END-5")
def test_an_error_of_stopping_reaches_whoever_waits(tmp_path: Path, folder: Path) -> None:
    """As from its twin."""

    async def run() -> None:
        async with AsyncKnowledgeBase.open(tmp_path / "k.db") as knowledge:
            await knowledge.ingest(folder)
            answering = await knowledge.answer("leave", model=Held())
            await anext(answering)
            with pytest.raises(ModelFailedError, match="raised OSError"):
                await answering.stop()

    asyncio.run(run())


@pytest.mark.requirement("CO-AIO-1")
def test_a_cancelled_close_still_releases_the_store_and_leaves_no_task(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though no thread was free to begin with."""
    closed = threading.Event()
    ordinary = KnowledgeBase.close

    def close(self: KnowledgeBase) -> None:
        ordinary(self)
        closed.set()

    monkeypatch.setattr(KnowledgeBase, "close", close)

    async def run() -> None:
        knowledge = await AsyncKnowledgeBase.open(tmp_path / "k.db")
        async with Saturated() as pool:
            before = asyncio.all_tasks()
            closing = asyncio.create_task(knowledge.close())
            await asyncio.sleep(0.01)
            closing.cancel()
            await asyncio.sleep(0.01)
            assert closing.cancelled()
            assert asyncio.all_tasks() == before
            pool.go_on.set()
            assert await asyncio.to_thread(closed.wait, 20)

    asyncio.run(run())


class _Silent:
    """A model that says nothing until it is let go."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.go_on = threading.Event()

    def stream(self, messages: Sequence[ChatMessage]) -> Generator[str, None, Completion]:
        self.asked.set()
        self.go_on.wait(30)
        yield "27 days"
        return Completion()


@pytest.mark.requirement("CO-AIO-4")
def test_a_silent_model_keeps_no_question_waiting(tmp_path: Path, folder: Path) -> None:
    """The next piece of an answer is waited for apart from the workers."""

    async def both() -> str:
        async with AsyncKnowledgeBase.open(tmp_path / "k.db", workers=1) as knowledge:
            await knowledge.ingest(folder)
            model = _Silent()
            answering = await knowledge.answer("leave", model=model)
            coming = asyncio.ensure_future(anext(answering))
            await asyncio.to_thread(model.asked.wait, 30)
            assert (await asyncio.wait_for(knowledge.ask("leave"), 30)).selection.admitted
            model.go_on.set()
            return await coming

    assert asyncio.run(both()) == "27 days"


@pytest.mark.requirement("CO-AIO-4")
def test_without_a_reader_no_answer_could_be_read(tmp_path: Path) -> None:
    """It is refused where it is made."""
    with KnowledgeBase.open(tmp_path / "k.db") as twin, pytest.raises(SettingsError, match="readers must be"):
        AsyncKnowledgeBase(twin, readers=0)
