"""An asynchronous retriever, adapted once into the synchronous one that the boundary asks.

Rules of this module: one event loop in one daemon thread for as long as the adapter lives, because an asynchronous
client belongs to the loop it was used on first. Everything of the provider runs on that loop: it is built there where
a factory is given, asked there, and closed there. A caller waits in its own thread, with a deadline; what misses it is
cancelled. ``asyncio`` is imported where it is used, so that whoever has no asynchronous store does not load it.
"""

from __future__ import annotations

import inspect
import os
import threading
import warnings
import weakref
from concurrent import futures
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from symfonic.capabilities.knowledge import RetrievedFragment, scope_ancestors, takes_scope_path

from .ports import AdapterError, StoreError

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterable, Callable, Coroutine, Iterable
    from types import TracebackType
    from typing import Self

    from .declared import DeclaredScope

__all__ = ["BlockingRetriever"]

_RESERVED: Final = frozenset({"scope_path", "document"})
_CLOSING_SECONDS: Final = 5.0
"""How long closing the provider may take where the timeout is shorter, and the thread to end once it was told to."""


class BlockingRetriever:
    """An asynchronous retriever as a ``ScopedKnowledgeRetriever``.

    The provider's ``search(query, limit)`` is a coroutine function or an asynchronous generator. Its rows need the
    attributes ``content``, ``source``, ``score`` and ``metadata`` and no particular class. Where it takes the keyword
    ``scope_path`` it is handed the path.

    The provider is the adapter's from then on: :meth:`close` closes it, on its loop. Any number of threads may search.

    Args:
        provider: The asynchronous retriever.
        factory: Instead, a function that answers it or an awaitable of it. It runs on the loop, for a client that looks
            for a running one when it is made.
        scope: Whose its rows are. ``None`` only where the provider takes ``scope_path`` and stamps its own rows.
        timeout: Seconds a search may take, and building the provider; closing it has five at least.
        max_rows: Most rows read of one answer.

    Raises:
        StoreError: Building the provider failed, or took longer than ``timeout``.
        TypeError: The provider cannot be asked.
        ValueError: Nobody says whose its rows are, a number is none, or there are two providers or none.
    """

    __slots__ = (
        "__weakref__", "_closed", "_lock", "_loop", "_max_rows", "_pending", "_pid", "_provider", "_scope", "_scoped",
        "_thread", "_timeout",
    )  # fmt: skip

    def __init__(
        self,
        provider: Any = None,
        *,
        factory: Callable[[], Any] | None = None,
        scope: DeclaredScope | None,
        timeout: float = 10.0,
        max_rows: int = 10_000,
    ) -> None:
        if (provider is None) is (factory is None):
            raise ValueError(
                "a provider is given, or a factory that builds it on the loop; neither or both were, and there is "
                "nothing to ask; give one of them"
            )
        self._start(timeout, max_rows)
        try:
            self._take(provider if factory is None else self._result(_built(factory), "building the provider"), scope)
        except BaseException:
            self._end()
            raise

    def search(self, query: str, limit: int, *, scope_path: str = "") -> list[RetrievedFragment]:
        """The provider's rows visible at ``scope_path``, in its order.

        Raises:
            StoreError: The provider failed or missed the timeout; the adapter is closed, or was carried over by a fork;
                or the caller is a coroutine on the provider's own loop, which would wait for itself.
        """
        visible = scope_ancestors(scope_path)
        if limit <= 0 or (self._scope is not None and self._scope.path is not None and self._scope.path not in visible):
            return []
        found: list[RetrievedFragment] = self._result(self._asked(query, limit, scope_path), "a search")
        if self._scope is None:
            return found
        rows = (self._stamped(row, self._scope) for row in found)
        return [row for row in rows if row is not None and row.metadata["scope_path"] in visible]

    def close(self) -> None:
        """End pending searches with ``StoreError``, close the provider (``aclose`` or ``close``), join the thread.

        Further calls change nothing. In a child of a fork nothing of the parent's is touched.

        Raises:
            StoreError: The provider could not be closed, or blocks its loop so that the thread does not end.
        """
        if os.getpid() != self._pid:
            self._closed = True
            return
        self._refuse_own_loop()
        with self._lock:
            if self._closed:
                return
            self._closed = True
            pending = tuple(self._pending)
        for future in pending:
            future.cancel()
        try:
            seconds = max(self._timeout, _CLOSING_SECONDS)
            self._wait(self._submit(self._finished()), "closing the provider", seconds)
        finally:
            self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --------------------------------------------------------------------------------------------- the loop's life

    def _start(self, timeout: float, max_rows: int) -> None:
        import asyncio

        if isinstance(timeout, bool) or not 0 < timeout <= threading.TIMEOUT_MAX:
            raise ValueError(
                f"a timeout is a positive number of seconds, not {timeout!a}; a search would fail at once or hang; "
                "leave it out"
            )
        if type(max_rows) is not int or max_rows < 1:
            raise ValueError(
                f"max_rows is a whole number of at least 1, not {max_rows!a}; nothing could be read; leave it out"
            )
        self._timeout, self._max_rows, self._pid = timeout, max_rows, os.getpid()
        self._lock = threading.Lock()
        self._pending: set[futures.Future[Any]] = set()
        self._closed = False
        self._provider: Any = None
        self._scope: DeclaredScope | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=_run, args=(self._loop,), name="symfonic-knowledge-async-store", daemon=True
        )
        self._thread.start()
        weakref.finalize(self, _abandon, self._loop, self._pid)

    def _take(self, provider: Any, scope: DeclaredScope | None) -> None:
        if not callable(getattr(provider, "search", None)):
            raise TypeError(
                f"an asynchronous retriever has a method search; {type(provider).__name__} has none and could not be "
                "asked; wrap it in a class that has"
            )
        self._provider, self._scope, self._scoped = provider, scope, takes_scope_path(provider)
        if scope is None and not self._scoped:
            raise ValueError(
                "somebody says whose rows are: the provider takes scope_path and stamps them, or scope declares it; "
                "neither is so here, and anybody could be shown them; pass scope=DeclaredScope.fixed(path) or "
                "DeclaredScope.field(name)"
            )

    def _end(self) -> None:
        """Stop the loop and join its thread."""
        self._closed = True
        _abandon(self._loop, self._pid)
        self._thread.join(_CLOSING_SECONDS)
        if self._thread.is_alive():
            raise StoreError(
                "an asynchronous provider lets its loop go on; this one blocks it, so its thread could not be ended "
                "and goes on until the process ends; have it await what it waits for"
            )

    async def _finished(self) -> None:
        """On the loop: end what still runs, then close the provider and its generators."""
        import asyncio

        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        close = getattr(self._provider, "aclose", None) or getattr(self._provider, "close", None)
        if callable(close):
            answer = close()
            if inspect.isawaitable(answer):
                await answer
        await asyncio.get_running_loop().shutdown_asyncgens()

    # ------------------------------------------------------------------------------------------------- one request

    def _result(self, work: Coroutine[Any, Any, Any], what: str) -> Any:
        """Run ``work`` on the loop and wait for it, or say why not."""
        try:
            self._refuse_unusable()
            with self._lock:
                self._refuse_closed()
                future = self._submit(work)
                self._pending.add(future)
        except BaseException:
            work.close()
            raise
        try:
            return self._wait(future, what, self._timeout)
        finally:
            with self._lock:
                self._pending.discard(future)

    def _submit(self, work: Coroutine[Any, Any, Any]) -> futures.Future[Any]:
        import asyncio

        kept = _kept(work)
        try:
            return asyncio.run_coroutine_threadsafe(kept, self._loop)
        except RuntimeError:
            kept.close()
            work.close()
            raise StoreError(
                "an asynchronous provider lets its loop go on; this one stopped it, and nothing more can be asked; "
                "build a new adapter, and see what calls the loop's stop"
            ) from None

    def _wait(self, future: futures.Future[Any], what: str, seconds: float) -> Any:
        try:
            answer, error = future.result(seconds)
        except futures.CancelledError:
            how = "the adapter was closed meanwhile" if self._closed else "the provider cancelled itself"
            raise StoreError(
                f"{what} runs to its end or has no answer; {how}; ask an open adapter, and see what cancels its tasks"
            ) from None
        except TimeoutError:
            future.cancel()
            raise StoreError(
                f"{what} may take {seconds:g} s; the provider took longer and was cancelled; allow it more with "
                "timeout, or see what it waits for"
            ) from None
        if error is None:
            return answer
        if not _is_failure(error) or isinstance(error, AdapterError):
            raise error
        raise StoreError(
            f"{what} needs the provider; it failed: {type(error).__name__}, and there is no answer; look at its cause"
        ) from error

    def _refuse_unusable(self) -> None:
        if os.getpid() != self._pid:
            raise StoreError(
                "an adapted provider is used in the process that built it; this one came over by a fork, and its loop "
                "stayed behind; build one after the fork"
            )
        self._refuse_own_loop()
        if _running_loop() is not None:
            warnings.warn(
                "a search blocks its thread; this one holds up a running event loop until the store answers; call it "
                "with asyncio.to_thread",
                RuntimeWarning,
                stacklevel=4,  # whoever called search
            )

    def _refuse_own_loop(self) -> None:
        if _running_loop() is self._loop:
            raise StoreError(
                "a search blocks its thread until the provider's loop answers; called on that loop it would wait for "
                "itself, and is refused; await the provider itself there"
            )

    def _refuse_closed(self) -> None:
        if self._closed:
            raise StoreError("a closed adapter asks nothing; the search was not carried out; build a new one")

    async def _asked(self, query: str, limit: int, scope_path: str) -> list[RetrievedFragment]:
        named = {"scope_path": scope_path} if self._scoped else {}
        answer: Any = self._provider.search(query, limit, **named)
        if inspect.isawaitable(answer):
            answer = await answer
        return await _rows(answer, self._max_rows)

    @staticmethod
    def _stamped(row: Any, scope: DeclaredScope) -> RetrievedFragment | None:
        """A row with the path it is stored under; ``None`` where it has none. One nobody can read is left unusable."""
        content: Any = None
        source: Any = ""
        score: Any = None
        metadata: dict[str, Any] = {}
        try:
            metadata = dict(row.metadata)
            content, source, score = row.content, row.source, row.score
        except Exception:  # noqa: BLE001, S110 - whatever a strange object does; the boundary leaves the row out by name
            pass
        path = scope.of(metadata)
        if path is None:
            return None
        kept = {key: value for key, value in metadata.items() if key not in _RESERVED}
        return RetrievedFragment(content, source, score, {**kept, "scope_path": path})


def _run(loop: asyncio.AbstractEventLoop) -> None:
    """The thread: it holds the loop and nothing of the adapter, and closes the loop when it was stopped."""
    import asyncio

    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()


def _abandon(loop: asyncio.AbstractEventLoop, pid: int) -> None:
    """Let the thread end: when its adapter is closed, and when one that nobody closed is forgotten."""
    if os.getpid() == pid:
        with suppress(RuntimeError):  # it was stopped before
            loop.call_soon_threadsafe(loop.stop)


async def _kept(work: Coroutine[Any, Any, Any]) -> tuple[Any, BaseException | None]:
    """What ``work`` answers or raises, as a value: an exception that ends a process would end the loop's thread."""
    import asyncio

    try:
        return await work, None
    except asyncio.CancelledError:
        raise
    except BaseException as error:  # noqa: BLE001 - raised again, in the caller's thread
        return None, error


async def _built(factory: Callable[[], Any]) -> Any:
    provider = factory()
    return await provider if inspect.isawaitable(provider) else provider


async def _rows(answer: AsyncIterable[Any] | Iterable[Any], most: int) -> list[Any]:
    """At most ``most`` rows of a list, or of an asynchronous generator, which is closed in any case."""
    rows: list[Any] = []
    if not hasattr(answer, "__aiter__"):
        for row in answer:
            if len(rows) >= most:
                break
            rows.append(row)
        return rows
    try:
        async for row in answer:
            if len(rows) >= most:
                break
            rows.append(row)
    finally:
        close = getattr(answer, "aclose", None)
        if close is not None:
            await close()
    return rows


def _is_failure(error: BaseException) -> bool:
    return isinstance(error, Exception) or type(error).__name__ == "PanicException"


def _running_loop() -> asyncio.AbstractEventLoop | None:
    import asyncio

    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
