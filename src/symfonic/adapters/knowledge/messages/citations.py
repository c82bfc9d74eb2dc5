"""Citations that Anthropic's models give natively become references to labels in the text of the answer.

Rules of this module: sans-I/O, one object for one answer; it takes the SDK's objects and plain data alike and imports
no SDK. The API cites by the number of a search result, beside the text. What checks an answer reads references in the
text, so each citation is written out as one, ``SOURCE [label]``, right after the words it stands for.

Text is never passed over: whatever is given in the place of an event or of content is read where it holds text in a way
known here (events, blocks, messages, LangChain's among them, and plain text) and refused otherwise.

A number nobody sent, a source that is not that of its number, and a citation of another kind are written as a reference
to a name that no piece of evidence has: a citation that cannot be resolved is shown and reported, never dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from .errors import MessageError

if TYPE_CHECKING:
    from .parts import Labelled

__all__ = ["AnthropicCitations", "UnresolvedCitation"]

_SPACES = " \t\r\n"
_MESSAGES: Final = frozenset({"message", "ai", "AIMessageChunk"})
"""Types of what is a message; a block that has a content of its own, such as what a tool found, is no answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnresolvedCitation:
    """A citation that names no piece of evidence that was sent.

    Attributes:
        name: What stands in the text in place of a label.
        kind: The type of the citation, as the API calls it.
        index: The number it gave, or ``None`` where it gave none.
    """

    name: str
    kind: str
    index: int | None


class AnthropicCitations:
    """The text of an answer with every native citation written out after the words it stands for.

    Args:
        pieces: The evidence of the request, in the order in which it was sent: ``parts.pieces``.

    Raises:
        MessageError: They are no pieces, each with a label that is text.
    """

    __slots__ = ("_block", "_cited", "_held", "_labels", "_said", "_unresolved")

    def __init__(self, pieces: Iterable[Labelled] = ()) -> None:
        self._labels = _labels(pieces)
        self._unresolved: list[UnresolvedCitation] = []
        self._cited: list[str] = []
        self._held = ""
        self._said: list[str] = []
        self._block: int | None = None  # the number of the block that is being read, where somebody gave one

    @property
    def unresolved(self) -> tuple[UnresolvedCitation, ...]:
        """Citations that named no evidence, in the order of the answer."""
        return tuple(self._unresolved)

    def feed(self, event: object) -> str:
        """Take one event of the stream and return what it adds to the text.

        White space at the end of the text is held back until it is known whether a reference has to stand before it.

        Args:
            event: An event of the API, of the SDK's helper, which repeats what the API's own said and then adds
                nothing, or a message chunk of LangChain. A plain text, a block of text and a whole message are what
                they say.

        Raises:
            MessageError: It is none of these: it has neither a ``type`` nor a ``content``.
        """
        if isinstance(event, str):
            return self._after_citations() + self._text(event)
        kind, content = _get(event, "type"), _get(event, "content")
        if isinstance(content, str | list | tuple) and (kind is None or kind in _MESSAGES):
            return "".join(map(self.feed, [content] if isinstance(content, str) else content))
        if not isinstance(kind, str):
            raise _nothing_known(event)
        if kind == "content_block_delta":
            return self._delta(_get(event, "delta"))
        if kind == "content_block_start":
            return self._begun(_get(event, "content_block"))
        if kind == "text" and _get(event, "snapshot") is None:  # the helper's event of that type has one
            return self._text_block(event)
        return self.flush() if kind == "content_block_stop" else ""

    def flush(self) -> str:
        """End the block of text: the references it rests on and does not name, then the white space it ended with."""
        said = "".join(self._said)
        new = (name for name in dict.fromkeys(self._cited) if f"[{name}]" not in said)
        tail = "".join(f" SOURCE [{name}]" for name in new) + self._held
        self._cited, self._held, self._said, self._block = [], "", [], None
        return tail

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

    def _text_block(self, block: object) -> str:
        """A block of text. In chunks of LangChain it has a number, and more of the same block may follow."""
        number, text = _get(block, "index"), _get(block, "text")
        if type(number) is not int:
            return self.flush() + self._begun(block) + self.flush()
        before = self.flush() if self._block not in (None, number) else self._after_citations() if text else ""
        self._block = number
        return before + self._begun(block)

    def _after_citations(self) -> str:
        """What has to stand before more text: citations belong to the words before them."""
        return self.flush() if self._cited else ""

    def _begun(self, block: object) -> str:
        """The text and the citations that a block has; of other blocks nothing is shown."""
        if _get(block, "type") != "text":
            return ""
        text = self._text(_get(block, "text"))
        self._cited += [self._name(citation) for citation in _get(block, "citations") or ()]
        return text

    def _delta(self, delta: object) -> str:
        kind = _get(delta, "type")
        if kind == "citations_delta":
            self._cited.append(self._name(_get(delta, "citation")))
        return self._text(_get(delta, "text")) if kind == "text_delta" else ""

    def _text(self, text: object) -> str:
        whole = self._held + (text if isinstance(text, str) else "")
        shown = whole.rstrip(_SPACES)
        self._held = whole[len(shown) :]
        self._said.append(shown)
        return shown

    def _name(self, citation: object) -> str:
        kind, index = _get(citation, "type"), _get(citation, "search_result_index")
        if kind == "search_result_location" and type(index) is int and 0 <= index < len(self._labels):
            label = self._labels[index]
            if _get(citation, "source") == label:
                return label
        number = index if type(index) is int else None
        name = self._free_name("a citation" if number is None else f"search result {number}")
        self._unresolved.append(UnresolvedCitation(name=name, kind=str(kind), index=number))
        return name

    def _free_name(self, name: str) -> str:
        """A name no label is and no label begins with: a label without its keyed tag is a reference, too."""
        while any(label.startswith(name) for label in self._labels):
            name = f"unresolved {name}"
        return name


def _labels(pieces: object) -> tuple[str, ...]:
    found = [getattr(piece, "label", None) for piece in pieces] if isinstance(pieces, Iterable) else [None]
    labels = tuple(label for label in found if isinstance(label, str))
    if len(labels) != len(found):
        raise MessageError(
            f"citations are read against the pieces that were sent, each with a label; {type(pieces).__name__} holds "
            "none: no citation could be resolved. Give parts.pieces.",
            rule="KB-MSG-PIECES-1",
            value=pieces,
        )
    return labels


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
