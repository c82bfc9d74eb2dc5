"""The ledger: what the compiled prompt really showed the model, label by label.

Rules of this module: plain values that can be kept, sent and read back in another process. An entry says which text
stood behind a label, so its label must be the one its source has, and its digest the one its content has. It knows
nothing of answers.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Protocol, Self, cast

from . import _records as records
from ._folding import MAY_START_REFERENCE
from ._labels import MAX_LABEL_CHARS, TAG_SEPARATOR, safe_source
from ._refusals import refuse
from ._text import exact_str, is_encodable, is_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_TAG_CHARS: Final = 52
"""Characters of a tag when all 256 bits of its digest are shown."""

MAX_REFERENCE_CHARS: Final = MAX_LABEL_CHARS + len(TAG_SEPARATOR) + MAX_TAG_CHARS
"""Characters of the longest label there can be: 254."""

_FORMAT: Final = "symfonic-knowledge citation ledger"
_DATAMARKS: Final = "^\u02c6\u2042"
"""What joins words in a prompt and may stand in a label."""

_REPLACEMENT: Final = "\ufffd"
_TAG: Final = re.compile(f"[a-z2-7]{{10,{MAX_TAG_CHARS}}}")
_TEXTS: Final = ("label", "source", "content", "content_hash", "scope_path")
_ATTRIBUTES: Final = (*_TEXTS, "score")
_FIELDS: Final = frozenset(_ATTRIBUTES)


class AdmittedFragment(Protocol):
    """What a ledger takes: whatever has these attributes, of these types."""

    @property
    def label(self) -> str:
        """The label as the prompt shows it between the brackets."""
        ...

    @property
    def source(self) -> str:
        """The raw source."""
        ...

    @property
    def content(self) -> str:
        """The content."""
        ...

    @property
    def content_hash(self) -> str:
        """SHA-256 of the content in UTF-8, hexadecimal, or empty."""
        ...

    @property
    def scope_path(self) -> str:
        """The scope path the fragment was stored under."""
        ...

    @property
    def score(self) -> float:
        """How well it answered the query."""
        ...


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One fragment that the prompt showed.

    Args:
        label: The label as the prompt shows it between the brackets: ``safe_source(source)``, with a keyed tag where
            the label has one. A compiler may have changed it: one space for several and U+FFFD for a datamark, where it
            marks words, and a parenthesis for a character reference that is part of a look-alike.
        source: The raw source.
        content: The content.
        content_hash: SHA-256 of the content in UTF-8, 64 lower-case hexadecimal digits; left empty, it is computed.
        scope_path: The scope path the fragment was stored under.
        score: How well it answered the query.

    Raises:
        BridgeContractError: A field is of another type or has no UTF-8 form, the label is not that of the source, the
            digest is not that of the content, or the score is not a finite number.
    """

    label: str
    source: str
    content: str = field(repr=False)
    content_hash: str = field(default="", kw_only=True)
    scope_path: str = field(default="", kw_only=True)
    score: float = field(default=0.0, kw_only=True)

    def __post_init__(self) -> None:
        for name in _TEXTS:
            object.__setattr__(self, name, _text(name, getattr(self, name)))
        if not _may_show(untagged(self.label), safe_source(self.source)):
            refuse("KB-GRD-ENTRY-3", self.label)
        digest = sha256(self.content.encode()).hexdigest()
        if self.content_hash not in ("", digest):
            refuse("KB-GRD-ENTRY-4", self.content_hash)
        object.__setattr__(self, "content_hash", digest)
        object.__setattr__(self, "score", _finite(self.score))

    @property
    def source_label(self) -> str:
        """The label without its keyed tag; entries of one source share it."""
        return untagged(self.label)


def untagged(label: str) -> str:
    """A label without the keyed tag at its end. No name looks like a tagged label: ``safe_source`` sees to that."""
    name, separator, tag = label.rpartition(TAG_SEPARATOR)
    return name if separator and _TAG.fullmatch(tag) else label


def _may_show(shown: str, label: str) -> bool:
    """Whether a compiled prompt may show a label like this."""
    if shown == label:
        return True
    places = {0}  # how far of the label what is shown so far may stand for
    for character in shown:
        places = {after for place in places if place < len(label) for after in _shown_as(label, place, character)}
    return len(label) in places


def _shown_as(label: str, place: int, character: str) -> Iterable[int]:
    """Up to where one character that is shown may stand for the label, from a place on."""
    original = label[place]
    if original == " ":
        spaces = len(label) - place - len(label[place:].lstrip(" "))
        return range(place + 1, place + spaces + 1) if character == " " else ()
    if character in "()" and original in MAY_START_REFERENCE:
        end = label.find(" ", place)
        return range(place + 1, (len(label) if end < 0 else end) + 1)
    return (place + 1,) if character in (original, _REPLACEMENT if original in _DATAMARKS else original) else ()


def _text(name: str, value: object) -> str:
    if not is_text(value):
        refuse("KB-GRD-ENTRY-1", value, name=name)
    text = exact_str(value)
    if not is_encodable(text):
        refuse("KB-GRD-ENTRY-2", text, name=name)
    return text


def _finite(score: object) -> float:
    if type(score) is bool or not issubclass(type(score), int | float):
        refuse("KB-GRD-ENTRY-5", score)
    try:
        number = float(cast("float", score))
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        refuse("KB-GRD-ENTRY-5", score)
    return number


@dataclass(frozen=True, slots=True, init=False)
class CitationLedger:
    """Every fragment the prompt showed, each under a label of its own, in the order of the prompt.

    Iterating gives the entries, ``ledger[label]`` one of them, ``label in ledger`` whether there is one.

    Args:
        entries: :class:`LedgerEntry` values, or whatever else has their attributes.

    Attributes:
        entries: The entries, as :class:`LedgerEntry` values.

    Raises:
        BridgeContractError: One of them lacks an attribute, could not be a :class:`LedgerEntry`, or bears a label that
            another one has; or ``entries`` cannot be iterated over, like a selection (``KB-GRD-LEDGER-8``).
    """

    entries: tuple[LedgerEntry, ...]
    _by_label: dict[str, LedgerEntry] = field(repr=False, compare=False)
    _by_source: dict[str, tuple[LedgerEntry, ...]] = field(repr=False, compare=False)

    def __init__(self, entries: Iterable[AdmittedFragment] = ()) -> None:
        taken = tuple(_entry(one) for one in _iterated(entries))
        by_label: dict[str, LedgerEntry] = {}
        by_source: dict[str, list[LedgerEntry]] = {}
        for entry in taken:
            if entry.label in by_label:
                refuse("KB-GRD-LEDGER-2", entry.label)
            by_label[entry.label] = entry
            by_source.setdefault(entry.source_label, []).append(entry)
        object.__setattr__(self, "entries", taken)
        object.__setattr__(self, "_by_label", by_label)
        object.__setattr__(self, "_by_source", {name: tuple(group) for name, group in by_source.items()})

    def __iter__(self) -> Iterator[LedgerEntry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, label: object) -> bool:
        return label in self._by_label

    def __getitem__(self, label: str) -> LedgerEntry:
        return self._by_label[label]

    def get(self, label: str) -> LedgerEntry | None:
        """The entry under exactly this label, or ``None``."""
        return self._by_label.get(label)

    def named(self, name: str) -> tuple[LedgerEntry, ...]:
        """The entries a reference to ``name`` can mean, in the order of the ledger.

        That is the one whose label it is; else every one whose label it is without the keyed tag. None: the name was
        never admitted. Several: the reference is ambiguous.
        """
        entry = self._by_label.get(name)
        return (entry,) if entry is not None else self._by_source.get(name, ())

    def to_json(self) -> str:
        """The ledger as a JSON document, ASCII only; :meth:`from_json` gives an equal ledger."""
        entries = [{name: getattr(entry, name) for name in _ATTRIBUTES} for entry in self.entries]
        return records.to_text(_FORMAT, {"entries": entries})

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The ledger that :meth:`to_json` wrote.

        Raises:
            BridgeContractError: The text is not such a document, is of a newer version, or holds what could not be a
                ledger: each entry is checked again, its label and digest included.
        """
        body = records.from_text(_FORMAT, text, frozenset({"entries"}))
        return cls([_read(one) for one in records.items(body["entries"], "entries")])


def _read(value: object) -> LedgerEntry:
    fields = cast("dict[str, str]", records.exact_fields(value, _FIELDS, "an entry"))
    return LedgerEntry(
        fields["label"],
        fields["source"],
        fields["content"],
        content_hash=fields["content_hash"],
        scope_path=fields["scope_path"],
        score=cast("float", fields["score"]),
    )


def _iterated(entries: Iterable[AdmittedFragment]) -> Iterator[AdmittedFragment]:
    try:
        return iter(entries)
    except TypeError:
        refuse("KB-GRD-LEDGER-8", entries)


def _entry(one: AdmittedFragment) -> LedgerEntry:
    if type(one) is LedgerEntry:
        return one
    try:
        return LedgerEntry(
            one.label,
            one.source,
            one.content,
            content_hash=one.content_hash,
            scope_path=one.scope_path,
            score=one.score,
        )
    except AttributeError:
        refuse("KB-GRD-LEDGER-1", one, names=", ".join(_ATTRIBUTES))
