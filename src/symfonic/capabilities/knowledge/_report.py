"""What a report on an answer says: values only.

Rules of this module: it neither reads answers nor judges them. Offsets count characters (code points) of the output
from its beginning. Names that a model invented are shown as labels, so a report can be printed like a prompt. Whoever
makes a report may leave out what is too much, and says how much that is.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Self, TypeGuard, TypeVar

from . import _records as records
from ._refusals import refuse
from ._text import exact_str, is_encodable, is_text

if TYPE_CHECKING:
    from collections.abc import Callable

_FORMAT: Final = "symfonic-knowledge grounding report"
_T = TypeVar("_T")


class QuoteVerdict(StrEnum):
    """Where the words of a quotation were found."""

    VERBATIM = "verbatim"
    """In the fragment it is attributed to."""

    ELSEWHERE = "elsewhere"
    """Not there, but in another admitted fragment."""

    NOWHERE = "nowhere"
    """In no admitted fragment."""


@dataclass(frozen=True, slots=True)
class CitedFragment:
    """An admitted fragment and every reference to it.

    Args:
        label: Its label in the ledger.
        source: Its raw source.
        offsets: Where in the output each reference to it begins, never descending.
        omitted: References to it behind those, whose places are left out.
    """

    label: str
    source: str
    offsets: tuple[int, ...]
    omitted: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        _set_texts(self, "label", "source")
        _check_offsets(self.offsets)
        _check_count("omitted", self.omitted)

    @property
    def count(self) -> int:
        """How often it was cited."""
        return len(self.offsets) + self.omitted


@dataclass(frozen=True, slots=True)
class UnknownReference:
    """A name that the answer cited and the prompt never showed.

    Args:
        name: The name, through ``safe_source``.
        offsets: Where in the output each reference to it begins, or the mark that stands for it, never
            descending.
        omitted: References to it behind those, whose places are left out.
    """

    name: str
    offsets: tuple[int, ...]
    omitted: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        _set_texts(self, "name")
        _check_offsets(self.offsets)
        _check_count("omitted", self.omitted)

    @property
    def count(self) -> int:
        """How often it was cited."""
        return len(self.offsets) + self.omitted


@dataclass(frozen=True, slots=True)
class AmbiguousReference:
    """A source that the answer cited without saying which of its admitted fragments is meant.

    Args:
        name: The label without a tag, as the answer gave it.
        labels: The labels it can mean, at least two, in the order of the ledger.
        offsets: Where in the output each such reference begins, never descending.
        omitted: Such references behind those, whose places are left out.
    """

    name: str
    labels: tuple[str, ...]
    offsets: tuple[int, ...]
    omitted: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        _set_texts(self, "name")
        _check_labels(self.labels, 2)
        _check_offsets(self.offsets)
        _check_count("omitted", self.omitted)

    @property
    def count(self) -> int:
        """How often it was cited."""
        return len(self.offsets) + self.omitted


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """A quotation, and whether its words stand in the fragment it is attributed to.

    Args:
        text: The words between the quotation marks, as they stand in the output.
        offset: Where in the output the opening quotation mark stands.
        label: The fragment that the nearest reference names; empty where that reference is unknown, or ambiguous and
            none of the fragments it can mean holds the words.
        verdict: Where the words were found.
        elsewhere: Labels of the admitted fragments that hold the words, for the verdict ``elsewhere`` only.
    """

    text: str
    offset: int
    label: str
    verdict: QuoteVerdict
    elsewhere: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _set_texts(self, "text", "label")
        _check_offsets((self.offset,))
        if type(self.verdict) is not QuoteVerdict:
            object.__setattr__(self, "verdict", _verdict(self.verdict))
        _check_labels(self.elsewhere, 0)
        if (self.verdict is QuoteVerdict.ELSEWHERE) != bool(self.elsewhere):
            refuse("KB-GRD-REPORT-5", self.verdict)


@dataclass(frozen=True, slots=True)
class GroundingReport:
    """What an answer rests on.

    Args:
        cited: Admitted fragments that were cited, in the order of their first reference.
        unknown: Cited names that were never admitted, in the order of their first reference.
        uncited: Labels of the admitted fragments that no reference names for certain, in the order of the ledger.
        quotes: Every quotation that stands by a reference, in the order of the output.
        ambiguous: References that name a source but not which of its fragments, in the order of the first of each.
        omitted_unknown: References to further names that were never admitted, which are left out of ``unknown``.
        omitted_quotes: Quotations behind those of ``quotes``: they were not checked.
        unread_chars: Characters of paragraphs that are too long to be looked at to their end: quotations there were not
            looked for.
        marked: References by the name of the mark, ``SOURCE [unverified source]``: what a filter before wrote behind
            the word, and no name that was invented.
    """

    cited: tuple[CitedFragment, ...] = ()
    unknown: tuple[UnknownReference, ...] = ()
    uncited: tuple[str, ...] = ()
    quotes: tuple[QuoteCheck, ...] = ()
    ambiguous: tuple[AmbiguousReference, ...] = field(default=(), kw_only=True)
    omitted_unknown: int = field(default=0, kw_only=True)
    omitted_quotes: int = field(default=0, kw_only=True)
    unread_chars: int = field(default=0, kw_only=True)
    marked: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        for name, kind in _ITEMS:
            _check_items(getattr(self, name), kind)
        _check_labels(self.uncited, 0)
        for name in _COUNTS:
            _check_count(name, getattr(self, name))

    def to_json(self) -> str:
        """The report as a JSON document, ASCII only; :meth:`from_json` gives an equal report."""
        body: dict[str, object] = {name: [_plain(one) for one in getattr(self, name)] for name, _ in _ITEMS}
        counts = {name: getattr(self, name) for name in _COUNTS}
        return records.to_text(_FORMAT, {**body, "uncited": self.uncited, **counts}, 2)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The report that :meth:`to_json` wrote, of this version or an earlier one, which left nothing out.

        Raises:
            BridgeContractError: The text is not such a document, is of a newer version, or holds what could not be a
                report.
        """
        body = records.from_text(_FORMAT, text, _FIRST_FIELDS, _FIELDS)
        later = _LATER if body["version"] == 1 else frozenset[str]()
        read: dict[str, Any] = {
            name: tuple(_read(kind, one, later) for one in records.items(body[name], name)) for name, kind in _ITEMS
        }
        read["uncited"] = tuple(records.items(body["uncited"], "uncited"))
        read.update({name: body[name] for name in _COUNTS if name in body})
        return cls(**read)


_ITEMS: Final[tuple[tuple[str, type], ...]] = (
    ("cited", CitedFragment),
    ("unknown", UnknownReference),
    ("ambiguous", AmbiguousReference),
    ("quotes", QuoteCheck),
)
_COUNTS: Final = ("omitted_unknown", "omitted_quotes", "unread_chars", "marked")
_LATER: Final = frozenset({"omitted"})  # what the parts of a report did not have in the first version
_FIRST_FIELDS: Final = frozenset({"uncited", *(name for name, _ in _ITEMS)})
_FIELDS: Final = _FIRST_FIELDS.union(_COUNTS)


def _plain(one: Any) -> dict[str, object]:
    return {name: getattr(one, name) for name in _names(type(one))}


def _read(kind: Callable[..., _T], value: object, later: frozenset[str]) -> _T:
    body = records.exact_fields(value, frozenset(_names(kind)) - later, kind.__name__)
    return kind(**{name: tuple(part) if records.is_list(part) else part for name, part in body.items()})


def _names(kind: Any) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind))


def _is_tuple(value: object) -> TypeGuard[tuple[object, ...]]:
    return isinstance(value, tuple)


def _set_texts(holder: object, *names: str) -> None:
    for name in names:
        object.__setattr__(holder, name, _text(name, getattr(holder, name)))


def _text(name: str, value: object) -> str:
    if not is_text(value) or not is_encodable(exact_str(value)):
        refuse("KB-GRD-REPORT-1", value, name=name)
    return exact_str(value)


def _check_offsets(offsets: object) -> None:
    if not _is_tuple(offsets) or not offsets:
        refuse("KB-GRD-REPORT-2", offsets)
    before = 0
    for offset in offsets:
        if type(offset) is not int or offset < before:
            refuse("KB-GRD-REPORT-2", offset)
        before = offset


def _check_count(name: str, count: object) -> None:
    if type(count) is not int or count < 0:
        refuse("KB-GRD-REPORT-7", count, name=name)


def _check_labels(labels: object, least: int) -> None:
    if not _is_tuple(labels) or len(labels) < least:
        refuse("KB-GRD-REPORT-3", labels, least=least)
    for label in labels:
        if type(label) is not str or not is_encodable(label):
            refuse("KB-GRD-REPORT-3", label, least=least)


def _verdict(value: object) -> QuoteVerdict:
    for verdict in QuoteVerdict:
        if value == verdict.value:
            return verdict
    return refuse("KB-GRD-REPORT-4", value, names=", ".join(QuoteVerdict))


def _check_items(found: object, kind: type) -> None:
    if not _is_tuple(found):
        refuse("KB-GRD-REPORT-6", found, kind=kind.__name__)
    for one in found:
        if type(one) is not kind:
            refuse("KB-GRD-REPORT-6", one, kind=kind.__name__)
