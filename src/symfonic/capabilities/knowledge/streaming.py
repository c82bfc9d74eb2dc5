"""Filters of a stream put to use: in a chain, over an iterable of chunks, over an asynchronous one.

Rules of this module: it knows the port of filters and no filter. It holds no text of its own.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable
from copy import deepcopy
from typing import TYPE_CHECKING, Any, cast

from ._refusals import refuse, refuse_type
from ._streaming import Parts, StreamFilter, checked_text, discard, has_private, quietly
from .errors import is_failure

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Iterator

__all__ = ["StreamFilter", "afilter_stream", "chain", "filter_stream"]


def chain(*filters: StreamFilter) -> StreamFilter:
    """Put filters in a row: each is fed what the one before it answers, and the last one's answers are the chain's.

    A chain is a filter. It holds what its filters hold and nothing else; a chain in a chain is taken apart, and a
    chain of none passes text as it is. Where a filter of this package deletes something, the next one of this package
    does not read across that place; a subclass that writes its own ``feed`` or ``flush`` is fed plain text, as any
    other filter. What a filter raises goes through: out of ``feed``, and the chain is then to be flushed; out of
    ``flush``, and every filter has forgotten the stream. While a chain reads, whatever its filters call
    can neither feed nor flush it: that is refused before any filter takes the text (``KB-STR-BUSY-1``).

    Args:
        *filters: The filters in the order in which text goes through them. They belong to the chain from now on.

    Raises:
        BridgeContractError: One of them is no filter (``KB-STR-FILTER-1``), or stands in the chain twice
            (``KB-STR-FILTER-2``).
    """
    flat: list[StreamFilter] = []
    for one in filters:
        flat += one.filters if type(one) is _Chain else [_checked_filter(one)]
    seen: list[StreamFilter] = []
    for one in flat:
        if any(one is other for other in seen):
            refuse("KB-STR-FILTER-2", one)
        seen.append(one)
    return _Chain(flat)


def filter_stream(stream_filter: StreamFilter, chunks: Iterable[str]) -> Generator[str, None, None]:
    """Filter an iterable of chunks, such as the stream of a model's client.

    Nothing is read before the first answer is asked for, and nothing empty is answered. A stream that is closed before
    that has not begun: it leaves its filter and its source as they are. At the end the filter is flushed and the rest
    answered. Where the stream ends early, because the reader stops, the source raises or a chunk is no text, what the
    filter still held is not shown: it is the filter of a new stream again, and a source that can be closed, such as a
    generator, is closed. What ended the stream is raised, and nothing that fails afterwards; only what asks for the
    process or the task to end, such as ``KeyboardInterrupt``, is raised in its place when it comes then.

    Args:
        stream_filter: A filter, or a chain of them, that serves no other stream in the meantime.
        chunks: Texts of any length.

    Raises:
        BridgeContractError: The filter is none (``KB-STR-FILTER-1``).
        BridgeTypeError: ``chunks`` is no iterable (``KB-STR-CHUNKS-1``), or, while reading, a chunk is no text
            (``KB-STR-TEXT-1``).
    """
    source: object = chunks
    if not isinstance(source, Iterable):
        refuse_type("KB-STR-CHUNKS-1", chunks, kind="an iterable")
    return _filtered(_checked_filter(stream_filter), chunks)


def afilter_stream(stream_filter: StreamFilter, chunks: AsyncIterable[str]) -> AsyncGenerator[str, None]:
    """As :func:`filter_stream`, over an asynchronous iterable of chunks.

    Filters compute and never wait, so the event loop waits for the source only. A reader who stops early should close
    the generator (``contextlib.aclosing``): asyncio does it later otherwise.

    Args:
        stream_filter: As there.
        chunks: As there, asynchronous.

    Raises:
        BridgeContractError: As there.
        BridgeTypeError: As there.
    """
    source: object = chunks
    if not isinstance(source, AsyncIterable):
        refuse_type("KB-STR-CHUNKS-1", chunks, kind="an asynchronous iterable")
    return _afiltered(_checked_filter(stream_filter), chunks)


def _checked_filter(one: StreamFilter) -> StreamFilter:
    if isinstance(one, type) or not all(callable(getattr(one, name, None)) for name in ("feed", "flush")):
        refuse("KB-STR-FILTER-1", one)
    return one


def _filtered(stream_filter: StreamFilter, chunks: Iterable[str]) -> Generator[str, None, None]:
    source: Iterator[str] = iter(())
    try:
        source = iter(chunks)
        for chunk in source:
            if shown := stream_filter.feed(chunk):
                yield shown
        rest = stream_filter.flush()
    except BaseException:  # GeneratorExit, an interrupt, and whatever the source or the filter raises
        try:
            discard(stream_filter)
        finally:
            quietly(lambda: _close(source))  # what ended the stream is what the reader has to hear of
        raise
    if rest:
        yield rest


async def _afiltered(stream_filter: StreamFilter, chunks: AsyncIterable[str]) -> AsyncGenerator[str, None]:
    source: AsyncIterator[str] | None = None
    try:
        source = aiter(chunks)
        async for chunk in source:
            if shown := stream_filter.feed(chunk):
                yield shown
        rest = stream_filter.flush()
    except BaseException:  # GeneratorExit, a cancelled task, and whatever the source or the filter raises
        try:
            discard(stream_filter)
        finally:
            await _aclose_quietly(source)
        raise
    if rest:
        yield rest


def _close(source: Iterator[str]) -> None:
    """Close a source, where it can be."""
    close: Callable[[], object] | None = getattr(source, "close", None)
    if close is not None:
        close()


async def _aclose_quietly(source: object) -> None:
    """Close a source, where it can be; a failure is told to nobody."""
    try:
        close: Callable[[], Awaitable[object]] | None = getattr(source, "aclose", None)
        if close is not None:
            await close()
    except BaseException as error:
        if not is_failure(error):
            raise


# ------------------------------------------------------------------------------------------------------- chains


class _Link:
    """One filter of a chain, and the way text goes in and out of it: as it is, or in parts."""

    __slots__ = ("feed", "flush", "gives_parts")

    def __init__(self, one: StreamFilter, *, takes_parts: bool, gives_parts: bool) -> None:
        self.gives_parts = gives_parts
        name = {
            (False, False): "feed",
            (False, True): "_feed_parts",
            (True, False): "_feed_joined",
            (True, True): "_pass_parts",
        }[takes_parts, gives_parts]
        self.feed: Callable[[Any], Any] = getattr(one, name)
        self.flush: Callable[[], Any] = getattr(one, "_flush_parts" if gives_parts else "flush")


def _linked(filters: list[StreamFilter]) -> list[_Link]:
    """Let a filter give parts where it can, and where somebody further on must not read across seams."""
    wants = [False]
    for one in reversed(filters):
        wants.insert(0, has_private(one, "_feed_joined") or (wants[0] and has_private(one, "_pass_parts")))
    links: list[_Link] = []
    takes = False
    for one, wanted in zip(filters, wants[1:], strict=True):
        gives = wanted and has_private(one, "_pass_parts" if takes else "_feed_parts")
        links.append(_Link(one, takes_parts=takes, gives_parts=gives))
        takes = gives
    return links


class _Chain:
    """Filters in a row."""

    __slots__ = ("_feeds", "_is_busy", "_links", "filters")

    def __init__(self, filters: list[StreamFilter]) -> None:
        self.filters = tuple(filters)
        self._links = _linked(filters)
        self._feeds = [link.feed for link in self._links]
        self._is_busy = False  # whether a filter reads, and may call somebody who calls this chain

    def feed(self, text: str) -> str:
        """Take the next chunk and answer what may be shown by now."""
        if self._is_busy:
            refuse("KB-STR-BUSY-1", "feed", got="a call of feed")
        passed: Any = text if type(text) is str else checked_text(text)
        self._is_busy = True
        try:
            for feed in self._feeds:
                if not passed:
                    return ""
                passed = feed(passed)
        finally:
            self._is_busy = False
        return cast("str", passed)

    def flush(self) -> str:
        """End the stream in each filter, from the first to the last; where one of them raises, all forget it first."""
        if self._is_busy:
            refuse("KB-STR-BUSY-1", "flush", got="a call of flush")
        self._is_busy = True
        try:
            return self._flushed()
        except BaseException:
            self._forget()
            raise
        finally:
            self._is_busy = False

    def __copy__(self) -> _Chain:
        """A chain of copies, in the middle of the same stream; one that shared its filters would be no copy."""
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> _Chain:
        """As a copy; nobody reads in it yet."""
        return _Chain(deepcopy(list(self.filters), memo))

    def _discard(self) -> None:
        """Forget the stream in every filter; one that is being read is not over."""
        if not self._is_busy:
            self._forget()

    def _forget(self) -> None:
        for one in self.filters:
            discard(one)

    def _flushed(self) -> str:
        passed: Any = ""
        for link in self._links:
            fed: Any = link.feed(passed) if passed else passed
            rest = link.flush()
            if link.gives_parts:
                out = Parts()
                out.extend(fed or [])
                out.extend(rest)
                passed = out.parts()
            else:
                passed = (fed or "") + rest
        return cast("str", passed)
