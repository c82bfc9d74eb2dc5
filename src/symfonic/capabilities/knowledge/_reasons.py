"""Why a row or a document was left out: one sentence for people that carries its code and numbers for programs.

Rules of this module: values only. It knows neither policies nor rows; whoever drops something says what and how much.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NoReturn, Self, cast


class DropCode(StrEnum):
    """Every reason a row, or a whole read, can be left out for."""

    BAD_SCORE = "bad-score"
    BAD_CONTENT = "bad-content"
    BAD_SOURCE = "bad-source"
    BAD_TEXT = "bad-text"
    BLANK = "blank"
    OUT_OF_SCOPE = "out-of-scope"
    OVER_LIMIT = "over-limit"
    BELOW_FLOOR = "below-floor"
    OVER_FRAGMENT = "over-fragment"
    OVER_SOURCE = "over-source"
    DUPLICATE = "duplicate"
    OVER_TOTAL = "over-total"
    UNEXAMINED = "unexamined"
    EMPTY_SCOPE = "empty-scope"
    STORE_FAILED = "store-failed"


class DocumentDropCode(StrEnum):
    """Every reason a document or an attachment, or all of them together, can be left out for."""

    EMPTY_SCOPE = "empty-scope"
    MISSING = "missing"
    STORE_FAILED = "store-failed"
    BAD_NAME = "bad-name"
    EMPTY = "empty"
    OVER_COUNT = "over-count"
    OVER_BYTES = "over-bytes"
    UNSUPPORTED = "unsupported"
    EXTRACTION_FAILED = "extraction-failed"
    BAD_CONTENT = "bad-content"
    OVER_DOCUMENT = "over-document"
    BAD_TEXT = "bad-text"
    BLANK = "blank"
    DUPLICATE = "duplicate"
    OVER_TOTAL = "over-total"


Number = int | float


class DropReason(str):
    """A sentence that says why something was left out; JSON and logs take it as text.

    Args:
        text: The sentence.
        code: Its code.
        actual: The number that broke the rule, where one did: characters, tokens, rows, or a score.
        ceiling: The number that was in force.

    It stays as it was made: one object may stand beside many rows, and in the accounts of several readers.
    """

    __slots__ = ("_facts",)

    _facts: tuple[DropCode | DocumentDropCode, Number | None, Number | None]

    def __new__(cls, text: str, code: DropCode, actual: Number | None = None, ceiling: Number | None = None) -> Self:
        """Build the sentence and hang code and numbers on it."""
        reason = str.__new__(cls, text)
        facts = (code if type(code) is DropCode else DropCode(code), actual, ceiling)
        object.__setattr__(reason, "_facts", facts)  # in one place, for every drop pays for it
        return reason

    @property
    def code(self) -> DropCode:
        """Its code."""
        return cast("DropCode", self._facts[0])

    @property
    def actual(self) -> Number | None:
        """The number that broke the rule: characters, tokens, rows, or a score; ``None`` where there is none."""
        return self._facts[1]

    @property
    def ceiling(self) -> Number | None:
        """The number that was in force; ``None`` where there is none."""
        return self._facts[2]

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refuse: it would change what others were told."""
        raise _unchangeable(name)

    def __delattr__(self, name: str) -> NoReturn:
        """Refuse, for the same reason."""
        raise _unchangeable(name)

    def __reduce__(self) -> tuple[object, ...]:
        """Keep code and numbers when copied or pickled."""
        return (type(self), (str(self), *self._facts))


class DocumentDropReason(DropReason):
    """A :class:`DropReason` of a document or an attachment: its code is one of :class:`DocumentDropCode`."""

    __slots__ = ()

    def __new__(
        cls, text: str, code: DocumentDropCode, actual: Number | None = None, ceiling: Number | None = None
    ) -> Self:
        """Build the sentence and hang code and numbers on it."""
        reason = str.__new__(cls, text)
        object.__setattr__(reason, "_facts", (DocumentDropCode(code), actual, ceiling))
        return reason

    # Whoever shows reasons shows these too; whoever tells rows apart by code has a FragmentSelection, and no such code.
    @property
    def code(self) -> DocumentDropCode:  # type: ignore[override]  # see above
        """Its code."""
        return cast("DocumentDropCode", self._facts[0])


def _unchangeable(name: str) -> AttributeError:
    return AttributeError(
        f"a DropReason stays as it was made; changing its {name} would change what other readers were told; "
        "make another one"
    )


_Wording = Callable[[Number | None, Number | None], str]

_SENTENCES: Final[Mapping[DropCode, _Wording]] = MappingProxyType(
    {
        DropCode.BAD_SCORE: lambda _, __: "the score is not a finite number",
        DropCode.BAD_CONTENT: lambda _, __: "the content is not text",
        DropCode.BAD_SOURCE: lambda _, __: "the source is not text",
        DropCode.BAD_TEXT: lambda _, __: "the text holds lone surrogates and cannot be encoded",
        DropCode.BLANK: lambda _, __: "the content shows nothing",
        DropCode.OUT_OF_SCOPE: lambda _, __: (
            "the row carries no proof that it was stored for this scope or one above it"
        ),
        DropCode.OVER_LIMIT: lambda _, most: f"the limit of {most} was reached before it",
        DropCode.BELOW_FLOOR: lambda score, floor: f"its score {score!r} is below the floor {floor!r}",
        DropCode.OVER_FRAGMENT: lambda size, most: (
            f"its {size} characters are over the ceiling of {most} for one fragment"
        ),
        DropCode.OVER_SOURCE: lambda _, most: f"its source or document had reached the cap of {most} before it",
        DropCode.DUPLICATE: lambda _, __: "its source and text were admitted already",
        DropCode.OVER_TOTAL: lambda total, most: (
            f"with it the lines would come to {total} characters, over the total of {most}"
        ),
        DropCode.UNEXAMINED: lambda _, most: f"the store had not ended after {most} rows; the rest was not read",
        DropCode.EMPTY_SCOPE: lambda _, __: (
            "the request carries no scope path, and this source answers only within one"
        ),
        DropCode.STORE_FAILED: lambda _, __: "the store failed",
    }
)
"""The sentence of each code from the number that broke the rule and the one in force; every selection words some."""

_IN_TOKENS: Final[Mapping[DropCode, _Wording]] = MappingProxyType(
    {
        DropCode.OVER_FRAGMENT: lambda size, most: f"its {size} tokens are over the ceiling of {most} for one fragment",
        DropCode.OVER_TOTAL: lambda total, most: (
            f"with it the lines would come to {total} tokens, over the total of {most}"
        ),
    }
)


_BY_UNIT: Final[Mapping[str, Mapping[DropCode, _Wording]]] = MappingProxyType(
    {"characters": _SENTENCES, "tokens": _IN_TOKENS}
)


def uncounted(characters: int, most: int) -> DropReason:
    """The reason of a row too long to be counted in tokens: both numbers are characters."""
    return drop_reason(
        DropCode.OVER_FRAGMENT, characters, most, detail="more than is counted in tokens, a thousand for each of them"
    )


def drop_reason(
    code: DropCode,
    actual: Number | None = None,
    ceiling: Number | None = None,
    detail: str = "",
    *,
    unit: str = "characters",
) -> DropReason:
    """Word the reason ``code`` in ``unit``, which is ``characters`` or ``tokens``; ``detail`` follows after a colon."""
    sentence = _BY_UNIT[unit][code](actual, ceiling)
    return DropReason(f"{sentence}: {detail}" if detail else sentence, code, actual, ceiling)


def unscoped_query() -> DropReason:
    """The query function did not name whom it asks for: as without a scope, nothing is asked."""
    return DropReason(
        "the query does not name the scope path it is asked for, so it might answer for another tenant",
        DropCode.EMPTY_SCOPE,
    )


def failed_query(detail: str) -> DropReason:
    """The query function, which is the operator's own, answered nothing that could be asked."""
    return DropReason(f"the query function failed and the store was not asked: {detail}", DropCode.STORE_FAILED)


_DOCUMENT_SENTENCES: Final[Mapping[DocumentDropCode, str]] = MappingProxyType(
    {
        DocumentDropCode.EMPTY_SCOPE: "the request carries no scope path, and this source answers only within one",
        DocumentDropCode.MISSING: "the store has no document of this name",
        DocumentDropCode.STORE_FAILED: "the store failed",
        DocumentDropCode.BAD_NAME: "the name holds lone surrogates and cannot be encoded",
        DocumentDropCode.EMPTY: "the file has no bytes",
        DocumentDropCode.OVER_COUNT: "the ceiling of {most} for attachments was reached before it",
        DocumentDropCode.OVER_BYTES: "its {actual} bytes are over the ceiling of {most} for one attachment",
        DocumentDropCode.UNSUPPORTED: "files of this kind cannot be read",
        DocumentDropCode.EXTRACTION_FAILED: "its text could not be extracted",
        DocumentDropCode.BAD_CONTENT: "the content is not text",
        DocumentDropCode.OVER_DOCUMENT: "its {actual} {unit} are over the ceiling of {most} for one alone",
        DocumentDropCode.BAD_TEXT: "the text holds lone surrogates and cannot be encoded",
        DocumentDropCode.BLANK: "the content shows nothing",
        DocumentDropCode.DUPLICATE: "its label was admitted already",
        DocumentDropCode.OVER_TOTAL: "with it the lines would come to {actual} {unit}, over the total of {most}",
    }
)
"""The sentence of each code from the number that broke the rule, the one in force, and what both count."""


def document_reason(
    code: DocumentDropCode,
    actual: Number | None = None,
    ceiling: Number | None = None,
    *,
    detail: str = "",
    unit: str = "characters",
) -> DocumentDropReason:
    """Word the reason ``code`` in ``unit``, which is ``characters`` or ``tokens``; ``detail`` follows after a colon."""
    sentence = _DOCUMENT_SENTENCES[code].format(actual=actual, most=ceiling, unit=unit)
    return DocumentDropReason(f"{sentence}: {detail}" if detail else sentence, code, actual, ceiling)
