"""Errors of the knowledge base: everything its methods raise.

Rules of this module: one tree, nothing else; it imports nothing of ours. Errors of the parts below (the store, the
boundary, the compiler) never leave the composition root as they are: each is mapped to one of these and stays attached
as its ``__cause__``. Every message states rule, consequence and remedy; none repeats content, a question or a key.

::

    Exception
    └── KnowledgeError                 anything the knowledge base reports as an error
        ├── SettingsError              a setting, an environment variable or a settings file (also a ValueError)
        ├── WiringError                parts that cannot work together (also a ValueError)
        ├── ScopeError                 a scope that names nobody (also a ValueError)
        ├── QuestionError              a question that is no text, or shows nothing (also a ValueError)
        ├── InputError                 what was named to be read is not there, or cannot be used
        ├── KeyFileError               the key of the store cannot be used
        ├── AccessFileError            the file of access keys cannot be used, so nobody is let in
        ├── AccessRefusedError         an access key does not reach what was asked for
        ├── LedgerError                a ledger could not be made, kept or read
        ├── MissingStoreError          there is no store at that path
        ├── StoreFailedError           the store could not be opened, read or written
        ├── EmbedderFailedError        the embedder did not embed: its model is not there, or a server did not answer
        ├── CompileFailedError         the operator's own text did not make a prompt
        ├── CounterFailedError         the counter of the settings raised, or answered what is no count
        ├── NothingAdmittedError       an answer was asked for where the prompt holds no source (in ``answering``)
        ├── ModelFailedError           the model did not answer, or not to the end (in ``answering``)
        └── MissingExtraError          an optional part is not installed (also an ImportError)
"""

from __future__ import annotations

from typing import ClassVar, Final

__all__ = [
    "AccessFileError",
    "AccessRefusedError",
    "CompileFailedError",
    "CounterFailedError",
    "EmbedderFailedError",
    "InputError",
    "KeyFileError",
    "KnowledgeError",
    "LedgerError",
    "MissingExtraError",
    "MissingStoreError",
    "QuestionError",
    "ScopeError",
    "SettingsError",
    "StoreFailedError",
    "WiringError",
]


class KnowledgeError(Exception):
    """Root of every error the knowledge base raises.

    Attributes:
        code: A stable word for programs; the same on every face.
    """

    code: ClassVar[str] = "knowledge"


class SettingsError(KnowledgeError, ValueError):
    """A setting, an environment variable or a settings file that must be refused."""

    code: ClassVar[str] = "settings"


class WiringError(KnowledgeError, ValueError):
    """Ceilings under which a retrieval could compile to nothing but a diagnostic."""

    code: ClassVar[str] = "wiring"


class ScopeError(KnowledgeError, ValueError):
    """A scope that names nobody, or holds what no scope may hold."""

    code: ClassVar[str] = "scope"


class QuestionError(KnowledgeError, ValueError):
    """A question that is no text, or shows nothing."""

    code: ClassVar[str] = "question"


class InputError(KnowledgeError):
    """What was named to be read, to be forgotten or to be checked is not there or cannot be used."""

    code: ClassVar[str] = "input"


class KeyFileError(KnowledgeError):
    """The key of the store is missing, damaged, not private, or could not be written."""

    code: ClassVar[str] = "key"


class AccessFileError(KnowledgeError):
    """The file of access keys is damaged, not private, gone, or could not be written; nobody is let in meanwhile."""

    code: ClassVar[str] = "access-file"


class AccessRefusedError(KnowledgeError):
    """An access key does not reach the scope that was asked for, or may not change what is stored."""

    code: ClassVar[str] = "access-refused"


class MissingStoreError(KnowledgeError):
    """There is no store at the path that was named."""

    code: ClassVar[str] = "missing-store"


class StoreFailedError(KnowledgeError):
    """The store could not be opened, read or written; the cause is attached."""

    code: ClassVar[str] = "store"


class EmbedderFailedError(KnowledgeError):
    """A question or a passage could not be embedded; the cause is attached."""

    code: ClassVar[str] = "embedder"


class CompileFailedError(KnowledgeError):
    """The prompt could not be compiled although every part was wired; the cause is attached."""

    code: ClassVar[str] = "compile"


class CounterFailedError(KnowledgeError):
    """The counter of the settings raised, or answered what is no count; the cause is attached."""

    code: ClassVar[str] = "counter"


class LedgerError(KnowledgeError):
    """A ledger could not be made of a prompt, kept in a file, or read from one."""

    code: ClassVar[str] = "ledger"


class MissingExtraError(KnowledgeError, ImportError):
    """An optional part is not installed; the message names the extra that brings it."""

    code: ClassVar[str] = "missing-extra"


_SHOWN_CHARS: Final = 80


def type_name(value: object) -> str:
    """Name the type of any value on one short line; neither the class nor its own class has a say in it."""
    name: str = type.__dict__["__name__"].__get__(type(value))
    return ascii(name)[1:-1][:_SHOWN_CHARS]
