"""What filters of a stream share: the port, seams, and how text with seams is written down.

Rules of this module: it knows no filter. A filter is a sans-I/O object that is fed text in chunks of any size and
answers what may be shown by now. For every text and every chunking of it

1. what ``feed`` and ``flush`` answer, put together, is one function of the whole text;
2. nothing is held that could be shown whatever comes next;
3. time is linear in the text, and what is held is bounded by a constant.

A *seam* is a place in the output where something was deleted. Two texts that meet there never stood side by side in
the input, so a filter further down may not read a name across it: of ``[Hand [semantic]book]`` the tag filter leaves
``[Handbook]``, and that is no reference to a handbook. Between filters of ours, text therefore travels as a list of
*parts*: put together they are the text, and between two consecutive parts lies a seam. ``["a", "b"]`` holds one,
``["", "a"]`` begins with one, ``["a", ""]`` ends with one; ``["a"]``, ``[""]`` and ``[]`` hold none, and nothing is
implied about where two lists meet. The interface is private: other filters are fed plain text. So is one that is made
of ours, by a subclass or around it, and writes its own ``feed`` or ``flush``: nothing goes past them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ._refusals import refuse_type
from ._text import exact_str, is_text
from .errors import is_failure

if TYPE_CHECKING:
    from collections.abc import Callable


@runtime_checkable
class StreamFilter(Protocol):
    """A filter of a stream of text. It is used for one stream at a time; after ``flush`` it is as good as new."""

    def feed(self, text: str) -> str:
        """Take the next chunk, empty ones included, and answer what may be shown by now."""
        ...

    def flush(self) -> str:
        """End the stream: answer what is left to show, and forget everything."""
        ...


class DeletingFilter(StreamFilter, Protocol):
    """A filter that can say where it deleted something."""

    def _feed_parts(self, text: str) -> list[str]:
        """As ``feed``, in parts."""
        ...

    def _flush_parts(self) -> list[str]:
        """As ``flush``, in parts."""
        ...


class RelayingFilter(DeletingFilter, Protocol):
    """A deleting filter that also carries on the seams of the filter before it. It may read across them."""

    def _pass_parts(self, parts: list[str]) -> list[str]:
        """Take a chunk in parts, and answer in parts."""
        ...


class JoiningFilter(StreamFilter, Protocol):
    """A filter that must not read across a seam."""

    def _feed_joined(self, parts: list[str]) -> str:
        """As ``feed``, from parts."""
        ...


def checked_text(chunk: object) -> str:
    """The chunk as a plain ``str``.

    Raises:
        BridgeTypeError: It is no text (``KB-STR-TEXT-1``).
    """
    if not is_text(chunk):
        refuse_type("KB-STR-TEXT-1", chunk)
    return exact_str(chunk)


def has_private(one: object, name: str) -> bool:
    """Whether a filter has a method of the private interface that does what its ``feed`` and ``flush`` do.

    It has where one class wrote all three, and nothing else answers for it: no subclass that overrides one of them, no
    attribute of the object, and no wrapper that passes on what it does not know.
    """
    kind = type(one)
    names = {name, "feed", "flush"}
    owners = [next((base for base in kind.__mro__ if each in vars(base)), None) for each in names]
    return (
        owners[0] is not None
        and all(owner is owners[0] for owner in owners)
        and kind.__getattribute__ is object.__getattribute__
        and names.isdisjoint(getattr(one, "__dict__", ()))
    )


def discard(one: StreamFilter) -> None:
    """Have a filter forget a stream whose rest nobody will see.

    A filter of ours may have a way of its own, ``_discard()``, that decides nothing about the rest and calls nobody.
    Others are flushed, and what fails there is told to nobody: something else ended the stream already.
    """
    name = "_discard" if has_private(one, "_discard") else "flush"
    quietly(lambda: getattr(one, name)())  # noqa: PLW0108 - what is looked up may fail, too


def quietly(call: Callable[[], object]) -> None:
    """Call something, and tell nobody of a failure; what asks for the process or the task to end goes through."""
    try:
        call()
    except BaseException as error:
        if not is_failure(error):
            raise


class Parts:
    """Text with seams, written from left to right."""

    __slots__ = ("_done", "_open")

    def __init__(self) -> None:
        self._done: list[str] = []
        self._open: list[str] = []

    def text(self, text: str) -> None:
        """Go on with text."""
        if text:
            self._open.append(text)

    def seam(self) -> None:
        """Go on with a seam; two in one place are one."""
        if self._open or not self._done:
            self._done.append("".join(self._open))
            self._open = []

    def extend(self, parts: list[str]) -> None:
        """Go on with all of another text."""
        for number, part in enumerate(parts):
            if number:
                self.seam()
            self.text(part)

    def parts(self) -> list[str]:
        """All of it; an empty list where there is nothing."""
        if self._done:
            return [*self._done, "".join(self._open)]
        return ["".join(self._open)] if self._open else []
