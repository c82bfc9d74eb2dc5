"""The knowledge base for asyncio: the same core, run in worker threads.

Rules of this module: it adds nothing but the threads. Each :class:`AsyncKnowledgeBase` has a bounded pool of its own,
so that it neither starves nor is starved by other users of the loop's default pool.

Cancelling a call frees the caller at once. What has not begun by then never begins; a question or removal that has
begun is finished in its thread and its answer thrown away; an ingestion stops after the file it is at.

``asyncio`` is imported where it is used: whoever awaits anything has it already, and the façade stays light for
the rest.
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Coroutine, Generator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Generic, ParamSpec, TypeVar

from ._callbacks import require_told
from ._contributors import listed
from .errors import KnowledgeError, SettingsError, StoreFailedError
from .knowledge_base import KnowledgeBase, Scope

if TYPE_CHECKING:
    import asyncio
    import os
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
    from concurrent.futures import Executor
    from types import TracebackType
    from typing import Self

    from symfonic.adapters.knowledge.ports import (
        ChatModel,
        DocumentRecord,
        Embedder,
        Removal,
        Reranker,
        StoredChunk,
        StoreStats,
        Telemetry,
    )
    from symfonic.capabilities.knowledge import (
        Attachment,
        CitationLedger,
        ContextContributor,
        DocumentStore,
        LedgerEntry,
        RetrievalPolicy,
        RetrievedFragment,
        ScopedDocumentStore,
    )

    from .answering import Answer, Answering, OnUnknown
    from .enclosures import EnclosurePolicy
    from .explanation import Answerable
    from .ingestion import IngestProgress, IngestReport
    from .locations import StoreUrl
    from .settings import Settings

__all__ = ["AsyncAnswering", "AsyncKnowledgeBase", "Opening"]

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Base = TypeVar("_Base", bound="AsyncKnowledgeBase")
_EXPORT_BATCH: Final = 256
"""Passages that are fetched in one visit to a worker thread."""


class AsyncKnowledgeBase:
    """A :class:`KnowledgeBase` whose methods are coroutines.

    Open it inside a running loop, in either way::

        async with AsyncKnowledgeBase.open(path) as knowledge: ...

        knowledge = await AsyncKnowledgeBase.open(path)
        ...
        await knowledge.close()

    Args:
        knowledge: Runs in the worker threads; closed by :meth:`close`.
        workers: Most calls that run at the same time; further ones wait their turn.
        readers: Most answers whose next piece is waited for at the same time, each in a thread apart from the workers:
            a model that is silent keeps no question waiting.

    Raises:
        SettingsError: Fewer than one worker or reader.
    """

    __slots__ = ("_closing", "_knowledge", "_pool", "_readers")

    def __init__(self, knowledge: KnowledgeBase, *, workers: int = 4, readers: int = 32) -> None:
        from concurrent.futures import ThreadPoolExecutor

        _check_workers(workers)
        _check_workers(readers, "readers")
        self._knowledge = knowledge
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="symfonic-knowledge")
        self._readers = ThreadPoolExecutor(readers, thread_name_prefix="symfonic-knowledge-reader")
        self._closing = False

    @classmethod
    def open(  # noqa: PLR0913 - one parameter for each part
        cls,
        path: str | os.PathLike[str] | StoreUrl | None = None,
        *,
        settings: Settings | None = None,
        create: bool = True,
        contributors: Iterable[ContextContributor] = (),
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        documents: DocumentStore | ScopedDocumentStore | None = None,
        enclosure: EnclosurePolicy | None = None,
        telemetry: Telemetry | None = None,
        environ: Mapping[str, str] | None = None,
        workers: int = 4,
    ) -> Opening[Self]:
        """As :meth:`KnowledgeBase.open`; ``workers`` as in the constructor. Await the answer, or enter it."""
        _check_workers(workers)  # before a store is made
        opening = partial(
            KnowledgeBase.open,
            path,
            settings=settings,
            create=create,
            contributors=listed(contributors),
            embedder=embedder,
            reranker=reranker,
            documents=documents,
            enclosure=enclosure,
            telemetry=telemetry,
            environ=environ,
        )
        return Opening(cls._opened(opening, workers=workers))

    @classmethod
    async def _opened(cls, open_: Callable[[], KnowledgeBase], *, workers: int) -> Self:
        import asyncio

        opening = _begun(open_)
        try:
            knowledge = await asyncio.shield(opening)
        except asyncio.CancelledError:
            opening.add_done_callback(_close_unclaimed)
            raise
        return cls(knowledge, workers=workers)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Refuse new calls and those that have not begun, wait for those that have, then release the store."""
        import asyncio

        self._closing = True
        await asyncio.shield(_begun(self._shut))

    def _shut(self) -> None:
        for pool in (self._pool, self._readers):
            pool.shutdown(wait=True)  # what has not begun is refused as soon as a thread comes to it
        self._knowledge.close()

    async def _run(self, call: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return await self._run_in(self._pool, partial(call, *args, **kwargs))

    async def _read(self, call: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return await self._run_in(self._readers, partial(call, *args, **kwargs))

    async def _run_in(self, pool: Executor, call: Callable[[], _T]) -> _T:
        import asyncio

        self._refuse_when_closing()
        run = partial(contextvars.copy_context().run, self._begin, call)
        try:
            answer = asyncio.get_running_loop().run_in_executor(pool, run)
        except RuntimeError:
            self._refuse_when_closing()  # the pool was shut down meanwhile
            raise
        return await answer

    def _begin(self, call: Callable[[], _T]) -> _T:
        self._refuse_when_closing()
        return call()

    def _refuse_when_closing(self) -> None:
        if self._closing:
            raise StoreFailedError(
                "a closed knowledge base answers nothing; the request was not carried out; open it again"
            )

    async def run(self, call: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Run a call of your own in a worker thread, in its turn, and return or raise what it does.

        Raises:
            StoreFailedError: The knowledge base was closed.
        """
        return await self._run(call, *args, **kwargs)

    @property
    def settings(self) -> Settings:
        """As :attr:`KnowledgeBase.settings`."""
        return self._knowledge.settings

    @property
    def embedder(self) -> Embedder | None:
        """As :attr:`KnowledgeBase.embedder`."""
        return self._knowledge.embedder

    @property
    def key_fingerprint(self) -> str:
        """As :attr:`KnowledgeBase.key_fingerprint`."""
        return self._knowledge.key_fingerprint

    async def ask(
        self,
        question: str,
        *,
        scope: Scope = None,
        policy: RetrievalPolicy | None = None,
        turn: int = 0,
        documents: Sequence[str] = (),
        attachments: Sequence[Attachment] = (),
    ) -> Answerable:
        """As :meth:`KnowledgeBase.ask`."""
        return await self._run(
            self._knowledge.ask,
            question,
            scope=scope,
            policy=policy,
            turn=turn,
            documents=documents,
            attachments=attachments,
        )

    async def answer(  # noqa: PLR0913 - one parameter for each decision
        self,
        question: str,
        *,
        model: ChatModel,
        scope: Scope = None,
        policy: RetrievalPolicy | None = None,
        turn: int = 0,
        documents: Sequence[str] = (),
        attachments: Sequence[Attachment] = (),
        on_unknown: OnUnknown = "mark",
        render: Callable[[LedgerEntry, int], str] | None = None,
    ) -> AsyncAnswering:
        """As :meth:`KnowledgeBase.answer`; the model stays synchronous and is read in threads of its own."""
        answering = await self._run(
            self._knowledge.answer,
            question,
            model=model,
            scope=scope,
            policy=policy,
            turn=turn,
            documents=documents,
            attachments=attachments,
            on_unknown=on_unknown,
            render=render,
        )
        return AsyncAnswering(answering, self._read)

    async def search(
        self, question: str, *, scope: Scope = None, limit: int | None = None, min_score: float | None = None
    ) -> tuple[RetrievedFragment, ...]:
        """As :meth:`KnowledgeBase.search`."""
        return await self._run(self._knowledge.search, question, scope=scope, limit=limit, min_score=min_score)

    async def passage_id(self, fragment: RetrievedFragment) -> str:
        """As :meth:`KnowledgeBase.passage_id`."""
        return self._knowledge.passage_id(fragment)

    async def passage(self, passage_id: str, *, scope: Scope = None) -> Answerable | None:
        """As :meth:`KnowledgeBase.passage`."""
        return await self._run(self._knowledge.passage, passage_id, scope=scope)

    async def ingest(
        self,
        *paths: str | os.PathLike[str],
        scope: Scope = None,
        prune: bool = False,
        on_progress: Callable[[IngestProgress], None] | None = None,
    ) -> IngestReport:
        """As :meth:`KnowledgeBase.ingest`; ``on_progress`` is called in the loop's thread.

        When cancelled it stops after the file it is at; documents stored by then stay.
        """
        return await self._told(
            partial(self._knowledge.ingest, *paths, scope=scope, prune=prune), on_progress=on_progress
        )

    async def embed(self, *, anew: bool = False, on_progress: Callable[[IngestProgress], None] | None = None) -> int:
        """As :meth:`KnowledgeBase.embed`; ``on_progress`` is called in the loop's thread.

        When cancelled it stops after the passages it is at; vectors stored by then stay.
        """
        return await self._told(partial(self._knowledge.embed, anew=anew), on_progress=on_progress)

    async def _told(self, call: Callable[..., _T], *, on_progress: Callable[[IngestProgress], None] | None) -> _T:
        """Run what tells progress, and end it where nobody waits for it any more."""
        import asyncio

        require_told(on_progress)
        loop = asyncio.get_running_loop()
        stopped = threading.Event()

        def report(progress: IngestProgress) -> None:
            if stopped.is_set():
                raise _StoppedError
            if on_progress is not None:
                loop.call_soon_threadsafe(on_progress, progress)

        try:
            return await self._run(call, on_progress=report)
        except asyncio.CancelledError:
            stopped.set()
            raise

    async def check(self) -> tuple[str, ...]:
        """As :meth:`KnowledgeBase.check`."""
        return await self._run(self._knowledge.check)

    async def build_index(self) -> bool:
        """As :meth:`KnowledgeBase.build_index`."""
        return await self._run(self._knowledge.build_index)

    async def forget(self, pattern: str | None = None, *, scope: Scope = None) -> Removal:
        """As :meth:`KnowledgeBase.forget`."""
        return await self._run(self._knowledge.forget, pattern, scope=scope)

    async def invalidate(
        self, contribution_id: str | None = None, *, capability: str | None = None, scope: Scope = None
    ) -> int:
        """As :meth:`KnowledgeBase.invalidate`."""
        return await self._run(self._knowledge.invalidate, contribution_id, capability=capability, scope=scope)

    async def vacuum(self) -> None:
        """As :meth:`KnowledgeBase.vacuum`."""
        await self._run(self._knowledge.vacuum)

    async def documents(self, *, scope: Scope = None) -> tuple[DocumentRecord, ...]:
        """As :meth:`KnowledgeBase.documents`."""
        return await self._run(self._knowledge.documents, scope=scope)

    async def export(self, *, scope: Scope = None) -> AsyncIterator[StoredChunk]:
        """As :meth:`KnowledgeBase.export`, a batch for each visit to a worker thread."""
        passages = await self._run(self._knowledge.export, scope=scope)
        while batch := await self._run(lambda: tuple(islice(passages, _EXPORT_BATCH))):
            for passage in batch:
                yield passage

    async def stats(self) -> StoreStats:
        """As :meth:`KnowledgeBase.stats`."""
        return await self._run(self._knowledge.stats)

    async def revision(self) -> int:
        """As :meth:`KnowledgeBase.revision`."""
        return await self._run(self._knowledge.revision)


class AsyncAnswering:
    """An :class:`Answering` that is iterated over with ``async for``; each piece is waited for in a worker thread.

    When cancelled, a piece that a thread waits for is still taken into the account; :meth:`stop` then waits for it.

    Args:
        answering: Is read.
        run: Runs a call in a worker thread.
    """

    __slots__ = ("_answering", "_run")

    def __init__(self, answering: Answering, run: Callable[..., Coroutine[Any, Any, Any]]) -> None:
        self._answering = answering
        self._run = run

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        """As :meth:`Answering.__next__`."""
        piece: str | None = await self._run(next, self._answering, None)
        if piece is None:
            raise StopAsyncIteration
        return piece

    async def stop(self) -> str:
        """As :meth:`Answering.stop`; it waits for no other call, and works where the knowledge base was closed.

        Cancelling it, or calling it where everything is cancelled, frees the caller at once; the model is let go all
        the same, in a thread, and no task is left behind.
        """
        import asyncio

        held, failure = await asyncio.shield(_begun(self._stopped))
        if failure is not None:
            raise failure
        return held

    def _stopped(self) -> tuple[str, KnowledgeError | None]:
        """As an answer in either case: where the caller was cancelled, nobody fetches an error."""
        try:
            return self._answering.stop(), None
        except KnowledgeError as error:
            return "", error

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """As :meth:`Answering.__exit__`."""
        try:
            await self.stop()
        except KnowledgeError:
            if error is None:
                raise

    @property
    def answerable(self) -> Answerable:
        """As :attr:`Answering.answerable`."""
        return self._answering.answerable

    @property
    def ledger(self) -> CitationLedger:
        """As :attr:`Answering.ledger`."""
        return self._answering.ledger

    @property
    def text(self) -> str:
        """As :attr:`Answering.text`."""
        return self._answering.text

    def answer(self) -> Answer:
        """As :meth:`Answering.answer`."""
        return self._answering.answer()


class Opening(Coroutine[Any, Any, _Base], Generic[_Base]):
    """A knowledge base that is about to be opened: to be awaited, or to be entered with ``async with``. Once only.

    It is a coroutine in every respect, so that ``asyncio.run`` and ``create_task`` take it as well.
    """

    __slots__ = ("_coroutine", "_opened")

    def __init__(self, coroutine: Coroutine[Any, Any, _Base]) -> None:
        self._coroutine = coroutine
        self._opened: _Base  # there as soon as it was entered

    def __await__(self) -> Generator[Any, Any, _Base]:
        return self._coroutine.__await__()

    def send(self, value: Any) -> Any:
        """As a coroutine's."""
        return self._coroutine.send(value)

    def throw(self, *error: Any) -> Any:
        """As a coroutine's."""
        return self._coroutine.throw(*error)

    def close(self) -> None:
        """As a coroutine's: give up an opening that has not begun."""
        self._coroutine.close()

    async def __aenter__(self) -> _Base:
        self._opened = await self._coroutine
        return self._opened

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._opened.close()


class _StoppedError(Exception):
    """Raised inside a worker to end an ingestion nobody waits for any more."""


def _check_workers(number: object, name: str = "workers") -> None:
    if type(number) is not int or number < 1:
        raise SettingsError(
            f"{name} must be a whole number of at least 1, not {number!r}; no call could ever run; correct it"
        )


def _begun(call: Callable[[], _T]) -> asyncio.Future[_T]:
    """Begin a call in a thread of the loop's own pool. What is awaited of it must be shielded.

    It is no task, so that nothing is left to cancel, and whoever cancels a wait cannot cancel the call, even where it
    has not begun.
    """
    import asyncio

    return asyncio.get_running_loop().run_in_executor(None, contextvars.copy_context().run, call)


def _close_unclaimed(opening: asyncio.Future[KnowledgeBase]) -> None:
    """Close a knowledge base whose opener was cancelled meanwhile."""
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()
