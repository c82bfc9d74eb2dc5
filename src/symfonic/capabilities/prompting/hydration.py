"""Reading sources: the port, the plain sequential reader, and the memory of reads that do not change.

Rules of this module: it asks sources and hands on what they answered, exactly :class:`PromptRead` or a
:class:`ReadFailure`; it never judges tiers, ceilings or text. It must not know a clock or a pool: a reader with
deadlines implements the same port where those exist. An ``Exception``, and a panic of native code, becomes a failure;
``KeyboardInterrupt``, ``SystemExit`` and their like pass through.

The memory is keyed by source identity, capability, contribution id, scope path and key fingerprint, all five, so one
tenant's read never serves another, nor one deployment's read another deployment. Failures are never remembered. The
fingerprint is no part of a request, which sources see: the compiler asks a hydrator that remembers for its
:meth:`KeyedHydrator.keyed` reader, and reads through that.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from types import CoroutineType
from typing import TYPE_CHECKING, Final, Protocol, Self

from ._memo import ReadMemo
from .contracts import PromptContribution, PromptRead, PromptRequest, PromptSource, exact_text, is_text
from .diagnostics import DiagnosticCode
from .errors import PromptContractError, is_failure, type_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "FAILURE_CODES",
    "Hydrator",
    "KeyedHydrator",
    "ReadFailure",
    "ReadMemo",
    "SequentialHydrator",
    "normalise_read",
    "read_source",
]

FAILURE_CODES: Final = frozenset(
    {
        DiagnosticCode.SOURCE_FAILED,
        DiagnosticCode.TOO_SLOW,
        DiagnosticCode.WRONG_TYPE,
        DiagnosticCode.BAD_TEXT,
        DiagnosticCode.UNREAD,
    }
)
"""Codes a read can fail with."""

_MAX_DETAIL_CHARS: Final = 200


@dataclass(frozen=True, slots=True)
class ReadFailure:
    """A source that gave no usable answer.

    For a hydrator to answer, never for a source: what it says is shown.

    Attributes:
        code: One of :data:`FAILURE_CODES`.
        detail: A type name or a number with its unit, never text that a source or an exception wrote: it is shown. Kept
            on one line of at most 200 characters of ASCII, whatever else stands in it escaped.
        error: What the source raised, for the operator's log; takes no part in comparison or repr.

    Raises:
        PromptContractError: A code that is no failure, a detail that is not ``str``, or an error that is no exception.
    """

    code: DiagnosticCode
    detail: str = ""
    error: BaseException | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        code = exact_text(self.code) if is_text(self.code) else ""
        if code not in FAILURE_CODES or not is_text(self.detail) or not _is_error_or_none(self.error):
            raise PromptContractError(
                f"a ReadFailure needs one of {', '.join(sorted(FAILURE_CODES))}, a str as detail and an exception or "
                "None as error: the diagnostic is made from them. Pick the code that says why the source gave no text.",
                rule="PR-HYD-FAILURE-1",
                value=self.code,
            )
        object.__setattr__(self, "code", DiagnosticCode(code))
        object.__setattr__(self, "detail", _on_one_line(exact_text(self.detail)))


def _is_error_or_none(error: object) -> bool:
    return error is None or issubclass(type(error), BaseException)


def _on_one_line(detail: str) -> str:
    """Escape what is no visible ASCII, and cut; what was treated before stays as it is."""
    shown = (c if " " <= c <= "~" else ascii(c)[1:-1] for c in detail[:_MAX_DETAIL_CHARS])
    return "".join(shown)[:_MAX_DETAIL_CHARS]


class Hydrator(Protocol):
    """Port: how the sources of one compile are read."""

    def read_all(
        self, contributions: Sequence[PromptContribution], request: PromptRequest
    ) -> Mapping[str, PromptRead | ReadFailure]:
        """Return one answer per contribution id; an id left out counts as unread.

        A source that raises, is too slow or answers the wrong type costs its own answer only. The method raises no
        ``Exception`` of its own.
        """
        ...


class KeyedHydrator(Hydrator, Protocol):
    """A hydrator that remembers reads, and therefore has to know under which deployment key it reads.

    Whoever implements :class:`Hydrator` may add the method to the class; the compiler looks for it there and nowhere
    else, so that a wrapper which passes unknown attributes on is not passed over.
    """

    def keyed(self, key_fingerprint: str) -> Hydrator:
        """Return a reader with the same memory that remembers and recalls under this fingerprint only.

        Asked once a compile, before anything is read.

        Args:
            key_fingerprint: :attr:`RenderPolicy.key_fingerprint`; empty without a key.
        """
        ...


def normalise_read(answer: object) -> PromptRead | ReadFailure:
    """Return what a source answered as a read rebuilt from plain parts, or why it is none.

    Exactly :class:`PromptRead` is taken: a look-alike or a subclass could change its text between two looks at it. A
    :class:`ReadFailure` is none either: its words are shown, and a source's are never repeated.
    """
    if type(answer) is ReadFailure:
        return ReadFailure(DiagnosticCode.WRONG_TYPE, "ReadFailure, which is for a hydrator to answer")
    if type(answer) is not PromptRead:
        return ReadFailure(DiagnosticCode.WRONG_TYPE, _kind_of(answer))
    try:
        # Rebuilding checks the parts again: a frozen value can be forced to hold something else, or nothing.
        return PromptRead(answer.text, answer.revision, answer.untrusted)
    except (AttributeError, PromptContractError):
        return ReadFailure(DiagnosticCode.WRONG_TYPE, "a PromptRead forced to hold other types")


def normalise_answer(answer: object) -> PromptRead | ReadFailure:
    """Return what a hydrator answered for one contribution, rebuilt from plain parts: a read, or why there is none."""
    if type(answer) is not ReadFailure:
        return normalise_read(answer)
    try:
        return ReadFailure(answer.code, answer.detail, answer.error)
    except (AttributeError, PromptContractError):
        return ReadFailure(DiagnosticCode.WRONG_TYPE, "a ReadFailure forced to hold other types")


def _kind_of(answer: object) -> str:
    """The type of what is no read; of what has to be awaited, that nobody does."""
    kind, awaited = type_name(answer), _is_async(answer)
    if type(answer) is CoroutineType:
        # An async source was wired without its adapter; closing spares the host a "never awaited" warning. One that
        # was begun may refuse to end, which is its own affair.
        with suppress(Exception):
            answer.close()
    return f"{kind}, as of an async def, which nobody awaits" if awaited else kind


def _is_async(answer: object) -> bool:
    try:
        return issubclass(type(answer), (Awaitable, AsyncIterator))
    except Exception:  # noqa: BLE001 - a metaclass may have a say in it
        return False


def read_source(contribution: PromptContribution, request: PromptRequest) -> PromptRead | ReadFailure:
    """Ask one source; whatever it raises or answers becomes a value."""
    try:
        answer: object = contribution.source.read(request)
    except BaseException as error:  # a source is foreign code and may raise anything
        if not is_failure(error):
            raise
        return failure_of(error)
    return normalise_read(answer)


def failure_of(error: BaseException) -> ReadFailure:
    """Return the failure of a source that raised."""
    return ReadFailure(DiagnosticCode.SOURCE_FAILED, type_name(error), error)


class SequentialHydrator:
    """Reads one source after the other in the caller's thread; needs nothing but Python.

    It sets no deadline: a source that hangs, hangs the compile.

    Args:
        memo_size: Entries of its :class:`ReadMemo`; 0 remembers nothing.

    Attributes:
        memo: The memory of reads declared with ``requires_hydration=False``.
    """

    __slots__ = ("_key_fingerprint", "memo")

    def __init__(self, memo_size: int = 256) -> None:
        self.memo = ReadMemo(memo_size)
        self._key_fingerprint = ""

    def keyed(self, key_fingerprint: str) -> Self:
        """Return a reader with the same memory that remembers and recalls under this fingerprint only."""
        reader = copy(self)  # of the same class: whoever overrode a method meant it to be called
        reader._key_fingerprint = key_fingerprint  # noqa: SLF001 - it is a copy of this object
        return reader

    def read_all(
        self, contributions: Sequence[PromptContribution], request: PromptRequest
    ) -> Mapping[str, PromptRead | ReadFailure]:
        """Return one answer per contribution, read in the given order."""
        return {item.contribution_id: self._read(item, request) for item in contributions}

    def invalidate(
        self,
        *,
        source: PromptSource | None = None,
        capability: str | None = None,
        contribution_id: str | None = None,
        scope_path: str | None = None,
        key_fingerprint: str | None = None,
    ) -> int:
        """Forget remembered reads; the conditions are those of :meth:`ReadMemo.invalidate`."""
        return self.memo.invalidate(
            source=source,
            capability=capability,
            contribution_id=contribution_id,
            scope_path=scope_path,
            key_fingerprint=key_fingerprint,
        )

    def _read(self, contribution: PromptContribution, request: PromptRequest) -> PromptRead | ReadFailure:
        mark = self._key_fingerprint
        remembered = self.memo.recall(contribution, request, key_fingerprint=mark)
        if remembered is not None:
            return remembered
        generation = self.memo.generation
        read = read_source(contribution, request)
        if isinstance(read, PromptRead):
            self.memo.remember(contribution, request, read, generation=generation, key_fingerprint=mark)
        return read
