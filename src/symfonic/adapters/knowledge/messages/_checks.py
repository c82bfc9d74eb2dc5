"""What may stand in a message: text that shows something, and values of the right kinds.

Rules of this module: it converts and refuses what a constructor was given, and knows no prompt and no provider. Text is
taken for what its characters are before anything is asked of it: a subclass of ``str`` has no say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeVar, cast

from symfonic.capabilities.knowledge import is_encodable, shows_blank
from symfonic.capabilities.prompting import PromptLayer

from .errors import MessageError

if TYPE_CHECKING:
    from collections.abc import Sequence

_Kind = TypeVar("_Kind")


def exact(value: object) -> str | None:
    """The characters of a text as a plain ``str``; ``None`` where it is no text."""
    return str.__str__(cast("str", value)) if issubclass(type(value), str) else None


def text_of(value: object, what: str, *, rule: str) -> str:
    """The characters of a text that may be sent."""
    text = exact(value)
    if text is None or not is_encodable(text) or shows_blank(text):
        raise MessageError(
            f"{what} is text that shows something and that UTF-8 can write: a provider refuses the whole request for "
            "anything else, or a model sees nothing. Leave empty messages out, and repair text where it is decoded.",
            rule=rule,
            value=value,
        )
    return text


def layer_of(value: object) -> PromptLayer:
    """A layer; its name alone would compare as another kind of text."""
    if not isinstance(value, PromptLayer):
        raise MessageError(
            f"a layer is a member of PromptLayer, not {_type_name(value)}: text of this turn could be taken for text "
            "that a cache may keep. Give the member.",
            rule="KB-MSG-LAYER-1",
            value=value,
        )
    return value


def all_of(kind: type[_Kind], values: object) -> tuple[_Kind, ...] | None:
    """The values as a tuple; ``None`` where they are no values, or one of them is of another kind."""
    if not isinstance(values, Iterable):
        return None
    found = tuple(values)
    return found if all(isinstance(value, kind) for value in found) else None


def one_of(choices: Sequence[_Kind], value: object) -> _Kind | None:
    """The choice that a value is; ``None`` where it is none of them."""
    text = exact(value)
    wanted = value if text is None else text
    return next((choice for choice in choices if type(wanted) is type(choice) and wanted == choice), None)


def time_of(value: object, times: tuple[str, ...]) -> str:
    """A time to live that a provider has."""
    time = one_of(times, value)
    if time is None:
        raise MessageError(
            f"ttl is {', '.join(times)} or None, not {value!r}: the provider would refuse the whole request. Give one "
            "of these.",
            rule="KB-MSG-CACHING-2",
            value=value,
        )
    return time


def labels_of(ledgers: object) -> dict[str, tuple[str, ...]]:
    """The labels of every ledger, under the id of its contribution.

    Raises:
        MessageError: They are no mapping, an id is no text, a ledger holds no entries, or an entry has no label.
    """
    if ledgers is None:
        return {}
    if not isinstance(ledgers, Mapping):
        raise _no_ledger(ledgers, f"these are {_type_name(ledgers)}")
    return dict(_labels(name, ledger) for name, ledger in ledgers.items())


def _labels(name: object, ledger: object) -> tuple[str, tuple[str, ...]]:
    contribution_id = exact(name)
    if contribution_id is None:
        raise _no_ledger(ledger, f"one stands under {_type_name(name)}")
    if not isinstance(ledger, Iterable):
        raise _no_ledger(ledger, f"that of {contribution_id!r} is {_type_name(ledger)}")
    labels = tuple(exact(getattr(entry, "label", None)) for entry in ledger)
    if None in labels:
        raise _no_ledger(ledger, f"entry {labels.index(None)} of {contribution_id!r} has none")
    return contribution_id, cast("tuple[str, ...]", labels)


def headers_of(documents: object) -> dict[str, tuple[tuple[str, str], ...]]:
    """Label and header of every document, under the id of its contribution.

    Raises:
        MessageError: They are no mapping, an id is no text, or an entry has no label or no header.
    """
    if not isinstance(documents, Mapping):
        return dict.fromkeys(labels_of(documents), ())
    known = cast("Mapping[object, object]", documents)
    listed = {name: tuple(given) if isinstance(given, Iterable) else given for name, given in known.items()}
    return {
        name: tuple(zip(labels, _headers(name, listed[name]), strict=True))
        for name, labels in labels_of(listed).items()
    }


def _headers(name: str, entries: object) -> tuple[str, ...]:
    headers = tuple(exact(getattr(entry, "header", None)) for entry in cast("Iterable[object]", entries))
    if not all(headers):
        raise _no_ledger(entries, f"a document of {name!r} has no header")
    return cast("tuple[str, ...]", headers)


def _no_ledger(value: object, found: str) -> MessageError:
    return MessageError(
        f"ledgers map a contribution id to entries, each with a label that is text; {found}: nothing would say what "
        "the lines of a block are cited by. Of a selection make them with message_parts(Answerable(question=…, "
        "prompt=…, selections={…})).",
        rule="KB-MSG-LEDGER-3",
        value=value,
    )


def _type_name(value: object) -> str:
    return type(value).__name__
