"""What is asked of a knowledge base, looked at before anything is read.

Rules of this module: it judges what a caller passed by itself, and knows neither store nor settings.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from symfonic.capabilities.knowledge import shows_blank

from .errors import InputError, MissingStoreError, QuestionError, SettingsError, type_name

if TYPE_CHECKING:
    from .locations import StoreUrl


def named_path(path: object) -> object:
    """A path as text where it says of itself what that is; anything else is for the settings to refuse."""
    return os.fspath(path) if isinstance(path, os.PathLike) else path


def is_missing(path: Path) -> bool:
    """Whether there is certainly nothing at ``path``. Where that cannot be told, opening it will say why."""
    try:
        os.stat(path)  # noqa: PTH116 - as Path.stat, which the type of path suggests to be harmless
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def refuse_missing(place: Path | StoreUrl) -> None:
    """Refuse a file that is certainly not there; of a store that is no file only its engine knows.

    Raises:
        MissingStoreError: There is none.
    """
    if isinstance(place, Path) and is_missing(place):
        raise MissingStoreError(
            f"a knowledge base is kept in a store; there is none at {place} and none was made; fill it first with "
            f"`symfonic-knowledge ingest FOLDER --store {place}`, or name another one"
        )


def check_question(question: object, turn: object) -> None:
    """Refuse what is no question, or no turn.

    Raises:
        QuestionError, SettingsError: It is none.
    """
    if not isinstance(question, str):
        raise QuestionError(f"a question is text, not {type_name(question)}; nothing was asked; pass a str")
    if shows_blank(question):
        raise QuestionError("a question holds words; this one shows nothing and nothing was looked for; ask something")
    if type(turn) is not int:
        raise SettingsError(f"a turn is a whole number, not {type_name(turn)}; nothing was asked; pass an int")


def check_paths(paths: tuple[object, ...]) -> None:
    """Refuse what is the path of no document.

    Raises:
        InputError: It is none.
    """
    for path in paths:
        if not isinstance(os.fspath(path) if isinstance(path, os.PathLike) else path, str):
            raise InputError(
                f"documents are read from paths, each a str or a Path; {type_name(path)} was given and no store "
                "was touched; pass paths one by one"
            )
