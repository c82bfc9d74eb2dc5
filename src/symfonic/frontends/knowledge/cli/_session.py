"""From options to an open knowledge base. The environment is read here and nowhere else in this face.

Rules of this module: options win over the environment, the environment over the settings file. Only ``ingest`` makes a
store; every other command refuses a path where there is none. An option or argument that is refused is wrong use, and
told with its name; a settings file or a variable that is refused is an error like any other.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from typer import BadParameter

from symfonic.capabilities.knowledge import BridgeContractError, ScopePath, shows_blank
from symfonic.composition.knowledge import (
    MAX_FILE_BYTES,
    AccessKeys,
    InputError,
    KnowledgeBase,
    Settings,
    SettingsError,
    StoreUrl,
    access_in_force,
    access_path,
    chat_model,
    default_store_path,
    key_path,
)
from symfonic.composition.knowledge._keyless import open_without_key

from ._output import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from symfonic.adapters.knowledge.ports import ChatModel
    from symfonic.capabilities.knowledge import DocumentStore, RetrievalPolicy

_LARGEST: Final = 2**31 - 1
"""Largest number a ceiling may have: more than any store holds, and small enough to be multiplied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Settings and the store they lead to."""

    settings: Settings
    path: Path | StoreUrl

    @property
    def key_file(self) -> Path:
        """Where the key of the store is, or would be."""
        return self.settings.key_file or key_path(self.path)

    @property
    def is_missing(self) -> bool:
        """Whether there is certainly no store; of one that is no file only its engine knows."""
        return isinstance(self.path, Path) and is_missing(self.path)

    def open(self, *, create: bool = False, documents: DocumentStore | None = None) -> KnowledgeBase:
        """Open the store; make it only where that is asked for. A key that had to be made for an old store is told."""
        lost = not self.is_missing and not self.has_key
        knowledge = KnowledgeBase.open(
            self.path, settings=self.settings, create=create, documents=documents, environ=os.environ
        )
        if lost and isinstance(self.path, StoreUrl):
            self._tell_new_key(knowledge)
        elif lost:
            say(
                f"The key of this store was not there, so a new one was made at {self.key_file}: labels and "
                "delimiters are no longer those of earlier prompts. If the old key still exists, put it back with "
                "`symfonic-knowledge key import`."
            )
        return knowledge

    def _tell_new_key(self, knowledge: KnowledgeBase) -> None:
        """Say that this machine has a new key for a store that others may ask, or may have filled."""
        if not knowledge.stats().documents:
            say(
                f"The key of this store was made at {self.key_file}, on this machine: labels and delimiters are made "
                "with it. Whatever else asks the store needs the same one, by `symfonic-knowledge key import` or "
                "key_file in the settings."
            )
            return
        say(
            f"There was no key for {self.path} on this machine, so a new one was made at {self.key_file}: labels and "
            "delimiters are not those of prompts that were made elsewhere, or under another spelling of the address. "
            "If there is such a key, put it in place with `symfonic-knowledge key import`, or name one file as "
            "key_file in the settings."
        )

    @property
    def has_key(self) -> bool:
        """Whether there is anything in the place of the store's key."""
        return not is_missing(self.key_file)

    def open_to_keep(self) -> KnowledgeBase:
        """Open the store for what asks no question; a key that is not there is not made, so that it can be put back."""
        if self.is_missing or self.has_key:
            return self.open()
        return open_without_key(self.path, self.settings)


def loaded(settings: str | None = None) -> Settings:
    """Settings of a file and of the environment."""
    return Settings.load(settings, os.environ)


def model_of(settings: Settings) -> ChatModel:
    """The model that the settings name, with the key of the environment where it needs one."""
    return chat_model(settings, os.environ)


def place(store: str | None, settings: str | None = None, **changes: Any) -> Place:
    """Settings with an option's word above the environment's, and the path of the store.

    What asks no question and embeds nothing says ``embedder=NO_EMBEDDER``: it works whatever filled the store.
    """
    chosen = changed(loaded(settings), store=store, **changes)
    return Place(settings=chosen, path=chosen.store or default_store_path())


def changed(settings: Settings, **changes: Any) -> Settings:
    """Settings with an option's word above their own."""
    try:
        return settings.changed(**changes)
    except SettingsError as error:
        raise BadParameter(str(error), param_hint=_option_of(settings, str(error), changes)) from error


@contextmanager
def refused_as(option: str) -> Iterator[None]:
    """Whatever is refused within is the word of this option or argument."""
    try:
        yield
    except (InputError, SettingsError) as error:
        raise BadParameter(str(error), param_hint=option) from error


def access_of_service(chosen: Place, access_file: str | None) -> AccessKeys | None:
    """The keys of a service; a file that is named and not there lets nobody in.

    Raises:
        AccessFileError: There is one and it cannot be used.
    """
    if access_file is None:
        return access_in_force(access_path(chosen.path))
    keys = AccessKeys(Path(access_file))
    keys.verify("")
    return keys


def _option_of(settings: Settings, refusal: str, changes: dict[str, Any]) -> str | None:
    """The option whose word alone is refused so; ``None`` where it takes two."""
    for name, value in changes.items():
        try:
            settings.changed(**{name: value})
        except SettingsError as single:
            if str(single) == refusal:
                return f"--{name.replace('_', '-')}"
    return None


def is_missing(path: Path) -> bool:
    """Whether there is certainly nothing at ``path``; where a folder is locked that cannot be told."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def scope_of(steps: list[str] | None) -> ScopePath | None:
    """``KIND:ID`` words, root first, as a scope; ``None`` where there are none.

    Raises:
        BadParameter: A word is not of that form, or holds what no scope may hold.
    """
    if not steps:
        return None
    for step in steps:
        if ":" not in step:
            raise BadParameter(
                f"a scope is KIND:ID; {step!a} has no colon and would name nobody; write, for instance, "
                f"{_advised(step)}, or leave --scope out for what everybody shares",
                param_hint="--scope",
            )
    try:
        return ScopePath(tuple((kind, identity) for kind, _, identity in (step.partition(":") for step in steps)))
    except BridgeContractError as error:
        raise BadParameter(str(error), param_hint="--scope") from error


def _advised(step: str) -> str:
    """A scope that would be taken in place of a word without a colon."""
    with suppress(BridgeContractError):
        return f"tenant:{ScopePath.of(('tenant', step)).pairs[0][1]}"
    return "tenant:acme"


def ceilings_of(**ceilings: float | None) -> dict[str, Any]:
    """The ceilings that were given as options.

    Raises:
        BadParameter: One is out of its range, or no number.
    """
    given = {name: value for name, value in ceilings.items() if value is not None}
    for name, value in given.items():
        most = 1 if name == "min_score" else _LARGEST
        if not 0 <= value <= most:
            raise BadParameter(
                f"{value} is not from 0 to {most}; the ceiling would not hold and nothing was asked; correct it",
                param_hint=f"--{name.replace('_', '-')}",
            )
    return given


def policy_of(settings: Settings, ceilings: dict[str, Any]) -> RetrievalPolicy:
    """The settings' ceilings with those of this question in their place."""
    return replace(settings.retrieval_policy(), **ceilings)


def question_of(words: str) -> str:
    """The question as text.

    Raises:
        BadParameter: It shows nothing.
    """
    question = readable(words)
    if shows_blank(question):
        raise BadParameter(
            "a question holds words; this one shows nothing and nothing was looked for; ask something",
            param_hint="QUESTION",
        )
    return question


def readable(words: str) -> str:
    """Words of a command line as text: bytes that are no UTF-8 become U+FFFD."""
    return words.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def text_of(source: str, command: str) -> str:
    """A UTF-8 text from a file, or from standard input where that is ``-``; a byte order mark is no part of it.

    Raises:
        InputError: It cannot be read, is larger than what ingestion reads, or is no UTF-8.
    """
    name = "standard input" if source == "-" else source
    try:
        data = _bytes_of(source)
        if len(data) > MAX_FILE_BYTES:
            raise InputError(
                f"{command} reads texts of at most {MAX_FILE_BYTES:,} bytes, as ingestion does; {name} has more, and "
                "nothing was looked at; give it in parts"
            )
        return data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(
            f"a text is read from a file or from standard input; {name} could not be read ({error.strerror}); "
            "check the path"
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"{command} reads UTF-8 text; {name} is not, at byte {error.start}, and nothing was looked at; "
            f"{_remedy(error.object, source)}"
        ) from error


def _remedy(data: bytes, source: str) -> str:
    """What to do about bytes that are no UTF-8; text from standard input has no name to ingest."""
    if b"\0" in data or data.startswith(b"%PDF-"):
        return "it looks like a binary file: ingest it and look at its text in `symfonic-knowledge export`"
    if source == "-":
        return "convert it on the way in, for example with iconv"
    return "convert it first, or ingest it and look at `symfonic-knowledge export`"


def _bytes_of(source: str) -> bytes:
    """As much as may count and one byte more: what has no end must not fill the memory."""
    if source == "-":
        return sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    with Path(source).open("rb") as file:
        return file.read(MAX_FILE_BYTES + 1)
