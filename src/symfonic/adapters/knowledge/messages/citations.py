"""Citations that Anthropic's models give natively become references to labels in the text of the answer.

Rules of this module: sans-I/O, one object for one answer; it takes the SDK's objects and plain data alike and imports
no SDK. The API cites by the number of a search result, beside the text. What checks an answer reads references in the
text, so each citation is written out as one, ``SOURCE [label]``, after the words it stands for; where that would be in
code or in the middle of something, behind that.

Text is never passed over: whatever is given in the place of an event or of content is read where it holds text in a way
known here (events, blocks, messages, LangChain's among them, and plain text) and refused otherwise.

A number nobody sent, a source that is not that of its number, and a citation of another kind are written as a reference
to a name that no piece of evidence has: a citation that cannot be resolved is shown and reported, never dropped.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from symfonic.capabilities.knowledge import ReferenceWriter

from .errors import MessageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .parts import Labelled

__all__ = ["AnthropicCitations", "UnresolvedCitation"]

_MOST_INDEX: Final = 10**9
"""A number from here on names nothing, and is not repeated: it may have more digits than can be written."""

_MOST_KIND: Final = 100
_MOST_NAME: Final = 254
_NAME: Final = re.compile(rf"[^\[\]\r\n]{{1,{_MOST_NAME}}}").fullmatch
_MESSAGES: Final = frozenset({"message", "ai", "AIMessageChunk"})
"""Types of what is a message; a block that has a content of its own, such as what a tool found, is no answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnresolvedCitation:
    """A citation that names no piece of evidence that was sent.

    Attributes:
        name: What stands in the text in place of a label.
        kind: The type of the citation, as the API calls it.
        index: The number it gave, or ``None`` where it gave none, or one no request can have.
    """

    name: str
    kind: str
    index: int | None


class AnthropicCitations:
    """The text of an answer with every native citation written out after the words it stands for.

    Args:
        pieces: The evidence of the request, in the order in which it was sent: ``parts.pieces``.
        writer: What writes the references, where that stands in a chain of filters of your own; :meth:`texts` is then
            what to read. ``None`` for one that stands behind nothing.

    Raises:
        MessageError: They are no pieces, each with a label that can stand in a reference.
    """

    __slots__ = ("_block", "_cited", "_labels", "_sorted", "_unresolved", "_writer")

    def __init__(self, pieces: Iterable[Labelled] = (), *, writer: ReferenceWriter | None = None) -> None:
        self._labels = _labels(pieces)
        self._sorted = sorted(self._labels)
        self._unresolved: list[UnresolvedCitation] = []
        self._cited: list[str] = []
        self._writer = ReferenceWriter() if writer is None else writer
        self._block: int | None = None  # the number of the block that is being read, where somebody gave one

    @property
    def unresolved(self) -> tuple[UnresolvedCitation, ...]:
        """Citations that named no evidence, in the order of the answer."""
        return tuple(self._unresolved)

    def feed(self, event: object) -> str:
        """Take one event of the stream and return what it adds to the text.

        White space at the end of the text is held back, and so are references until it is known what follows.

        Args:
            event: An event of the API, of the SDK's helper, which repeats what the API's own said and then adds
                nothing, or a message chunk of LangChain. A plain text, a block of text and a whole message are what
                they say.

        Raises:
            MessageError: It is none of these: it has neither a ``type`` nor a ``content``.
        """
        return "".join(map(self._writer.feed, self.texts(event)))

    def texts(self, event: object) -> Iterator[str]:
        """The text of one event as the model said it, for filters of your own that a writer stands behind.

        Feed each piece to them before the next one is asked for: in between the writer hears what is cited.

        Args:
            event: As for :meth:`feed`.

        Raises:
            MessageError: As :meth:`feed`.
        """
        if isinstance(event, str):
            self._end_if_cited()
            yield event
            return
        kind, content = _get(event, "type"), _get(event, "content")
        if isinstance(content, str | list | tuple) and (kind is None or kind in _MESSAGES):
            for part in [content] if isinstance(content, str) else content:
                yield from self.texts(part)
        elif not isinstance(kind, str):
            raise _nothing_known(event)
        else:
            yield from self._of_kind(kind, event)

    def end(self) -> None:
        """End the block of text: the writer hears what it rests on. Only for whoever reads :meth:`texts` to the end."""
        self._writer.cite(dict.fromkeys(self._cited))
        self._cited, self._block = [], None

    def flush(self) -> str:
        """End the answer: references that were held back, then the white space it ended with."""
        self.end()
        return self._writer.flush()

    def read(self, content: object) -> str:
        """Return the text of a whole answer.

        Args:
            content: Its message, the content of that, or everything a stream brought; of the SDK, of LangChain, or as
                plain data.

        Raises:
            MessageError: It, or something in it, is nothing that :meth:`feed` takes.
        """
        is_one = isinstance(content, str | Mapping) or _get(content, "content") is not None
        if not is_one and _get(content, "type") is None and isinstance(content, Iterable):
            return "".join(map(self.feed, content)) + self.flush()
        return self.feed(content) + self.flush()

    def _of_kind(self, kind: str, event: object) -> Iterator[str]:
        """The text of an event that says what it is."""
        if kind == "content_block_delta":
            yield self._delta(_get(event, "delta"))
        elif kind == "content_block_start":
            yield self._begun(_get(event, "content_block"))
        elif kind == "text" and _get(event, "snapshot") is None:  # the helper's event of that type has one
            yield from self._text_block(event)
        elif kind == "content_block_stop":
            self.end()

    def _text_block(self, block: object) -> Iterator[str]:
        """A block of text. In chunks of LangChain it has a number, and more of the same block may follow."""
        number = _get(block, "index")
        if type(number) is not int:
            self.end()
            yield self._begun(block)
            self.end()
            return
        if self._block not in (None, number):
            self.end()
        elif _get(block, "text"):
            self._end_if_cited()
        self._block = number
        yield self._begun(block)

    def _end_if_cited(self) -> None:
        """More text comes: citations belong to the words before it."""
        if self._cited:
            self.end()

    def _begun(self, block: object) -> str:
        """The text of a block, whose citations are noted; of other blocks nothing is shown."""
        if _get(block, "type") != "text":
            return ""
        cited = _get(block, "citations")
        if cited is not None:
            # What is no list is one citation that nobody can resolve.
            self._cited += map(self._name, cited if isinstance(cited, list | tuple) else [cited])
        return _text(block)

    def _delta(self, delta: object) -> str:
        kind = _get(delta, "type")
        if kind == "citations_delta":
            self._cited.append(self._name(_get(delta, "citation")))
        return _text(delta) if kind == "text_delta" else ""

    def _name(self, citation: object) -> str:
        kind, index = _get(citation, "type"), _get(citation, "search_result_index")
        if kind == "search_result_location" and type(index) is int and 0 <= index < len(self._labels):
            label = self._labels[index]
            if _get(citation, "source") == label:
                return label
        number = index if type(index) is int and -_MOST_INDEX < index < _MOST_INDEX else None
        name = self._free_name("a citation" if number is None else f"search result {number}")
        kind = kind[:_MOST_KIND] if isinstance(kind, str) else ""
        self._unresolved.append(UnresolvedCitation(name=name, kind=kind, index=number))
        return name

    def _free_name(self, name: str) -> str:
        """A name no label is and no label begins with: a label without its keyed tag is a reference, too."""
        while "".join(self._sorted[(at := bisect_left(self._sorted, name)) : at + 1]).startswith(name):
            name = f"unresolved {name}"
        return name


def _labels(pieces: object) -> tuple[str, ...]:
    found = [getattr(piece, "label", None) for piece in pieces] if isinstance(pieces, Iterable) else [None]
    labels = tuple(label for label in found if isinstance(label, str) and _NAME(label))
    if len(labels) != len(found):
        raise MessageError(
            "citations are read against the pieces that were sent, each with a label that can stand in a reference: at "
            f"most {_MOST_NAME} characters of one line without square brackets. {type(pieces).__name__} holds "
            "something else: no citation could be resolved. Give parts.pieces.",
            rule="KB-MSG-PIECES-1",
            value=pieces,
        )
    return labels


def _text(value: object) -> str:
    text = _get(value, "text")
    return text if isinstance(text, str) else ""


def _nothing_known(given: object) -> MessageError:
    return MessageError(
        f"citations are read from events, blocks, messages or text; {type(given).__name__} is none of them, and what "
        "it says would be lost. Give every event of the stream to feed, or the message to read.",
        rule="KB-MSG-CONTENT-1",
        value=given,
    )


def _get(value: object, name: str) -> Any:
    """A field of the SDK's object or of plain data; ``None`` where there is none."""
    if isinstance(value, Mapping):
        return value.get(name)
    return getattr(value, name, None)
