"""Errors of the knowledge boundary.

This module imports nothing of ours, so that every other module may raise what stands here.

::

    Exception
    └── BridgeError                  anything this capability reports as an error
        ├── BridgeContractError      a declaration this capability must refuse (also a ValueError)
        ├── BridgeTypeError          a call with a value of a type it cannot work on (also a TypeError)
        ├── CounterError             the operator's counter raised, or answered what is no count
        └── AttachmentError          what an extractor raises for a file it cannot read; costs that file only

A row, a document or an attachment is never worth an exception: it is dropped with a reason. Errors are for what the
*operator* declared wrongly, at the moment it is declared, and for calls that no stream of text can contain. The last of
them is no exception to that: the bridge asks for it, and turns it into a reason.
"""

from __future__ import annotations

from typing import Final, cast

__all__ = ["AttachmentError", "BridgeContractError", "BridgeError", "BridgeTypeError", "CounterError"]


class BridgeError(Exception):
    """Root of every error the knowledge boundary raises; each carries its evidence as attributes.

    Args:
        message: The rule, what breaking it would cause, and the remedy.
        rule: Id of the broken rule, such as ``KB-CON-ID-1``.
        contribution_id: The contribution that was declared, where there is one.
        value: The offending value as it was given.

    Attributes:
        rule: As given.
        contribution_id: As given; empty where the error belongs to no contribution.
        value: As given.
    """

    def __init__(self, message: str, *, rule: str, contribution_id: object = "", value: object = None) -> None:
        super().__init__(message)
        self.rule = rule
        self.contribution_id = contribution_id
        self.value = value

    def __reduce__(self) -> tuple[object, ...]:
        """Keep the evidence when the error crosses a process boundary; what may not travel travels as text."""
        evidence = (self.rule, _portable(self.contribution_id), _portable(self.value))
        return (_restore, (type(self), self.args[0], *evidence))


class BridgeContractError(BridgeError, ValueError):
    """A declaration that this capability must refuse."""


class BridgeTypeError(BridgeError, TypeError):
    """A call with a value of a type it cannot work on; whatever was called is as it was before."""


class CounterError(BridgeError):
    """The counter of a policy raised, or answered something that is no count.

    A counter is the operator's code, and without it no ceiling holds: this is never turned into a dropped row. The
    exception it raised, where there is one, is the ``__cause__``.

    Attributes:
        answer: What it did, such as ``raised ValueError`` or ``answered a bool``; never text it was shown.
        characters: Length of the text it was shown.
    """

    def __init__(self, message: str, *, answer: str, characters: int) -> None:
        super().__init__(message, rule="KB-RET-COUNT-4", value=answer)
        self.answer = answer
        self.characters = characters

    def __reduce__(self) -> tuple[object, ...]:
        """Keep the evidence when the error crosses a process boundary."""
        return (_restore_counter_error, (self.args[0], self.answer, self.characters))


class AttachmentError(BridgeError):
    """An extractor cannot read an attachment; the bridge drops that file, with a reason that says this much.

    Any other exception of an extractor drops the file too. What is looked at is ``code`` and ``limit`` alone, whoever's
    class it is, and nothing of a message ever reaches a reason.

    Args:
        message: For logs of the extractor's own.
        code: ``unsupported``, where files of this kind cannot be read at all; ``empty``, where there is no text in it;
            else why it failed: ``binary``, ``encrypted``, ``damaged``, ``limit`` or ``unavailable``.
        limit: The limit that the extraction met: ``seconds``, ``memory``, ``characters``, ``members``,
            ``unpacked-bytes``, ``ratio``, ``depth`` or ``bytes``; empty for none. Any other word is not told.
    """

    def __init__(self, message: str, *, code: str = "damaged", limit: str = "") -> None:
        super().__init__(message, rule="KB-ATT-EXTRACT-1", value=limit or code)
        self.code = code
        self.limit = limit

    def __reduce__(self) -> tuple[object, ...]:
        """Keep the evidence when the error crosses a process boundary, as from a worker that extracts."""
        return (_restore_attachment_error, (self.args[0], self.code, self.limit))


_PLAIN: Final = (str, int, float, bool, bytes, type(None))
_SHOWN_CHARS: Final = 80
_SHOWN_BITS: Final = 512


def _portable(value: object) -> object:
    return value if type(value) in _PLAIN else shown(value)


def shown(value: object) -> str:
    """Show any value on one short line: numbers and the beginning of a text as they are, all else by its type.

    Messages may be logged, so bytes and objects, which may hold content or secrets, are not rendered.
    """
    kind = type(value)
    if issubclass(kind, str):
        text = str.__str__(cast("str", value))
        return ascii(text[:_SHOWN_CHARS]) + ("…" if len(text) > _SHOWN_CHARS else "")
    if kind is int and cast("int", value).bit_length() > _SHOWN_BITS:
        return f"<int of {cast('int', value).bit_length()} bits>"
    if value is None or kind in {int, float, bool}:
        return repr(value)[:_SHOWN_CHARS]
    return f"<{type_name(value)}>"


def type_name(value: object) -> str:
    """Name the type of any value on one line; neither the class nor its own class has a say in it."""
    name: str = type.__dict__["__name__"].__get__(type(value))
    return ascii(name)[1:-1][:_SHOWN_CHARS]


def is_failure(error: BaseException) -> bool:
    """Whether what foreign code raised means that it failed: every ``Exception``, and a panic of native code.

    PyO3 raises a panic as ``PanicException``, which is no ``Exception``. All else that is none asks for the process,
    the task or the thread to end, in whatever framework, and has to pass through.
    """
    return issubclass(type(error), Exception) or type_name(error) == "PanicException"


def _restore(kind: type[BridgeError], message: str, rule: str, contribution_id: object, value: object) -> BridgeError:
    return kind(message, rule=rule, contribution_id=contribution_id, value=value)


def _restore_counter_error(message: str, answer: str, characters: int) -> CounterError:
    return CounterError(message, answer=answer, characters=characters)


def _restore_attachment_error(message: str, code: str, limit: str) -> AttachmentError:
    return AttachmentError(message, code=code, limit=limit)
