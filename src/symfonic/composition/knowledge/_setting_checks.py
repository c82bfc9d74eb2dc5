"""Whether a setting is what it must be.

Rules of this module: it knows single values and no deployment. Every refusal is a :class:`SettingsError` that names the
setting, what would come of it, and what to do; what was refused is shown in a bounded form.
"""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from symfonic.capabilities.knowledge import is_encodable, shows_blank

from .errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_SECONDS: Final = 86_400
_MOST_NAME_CHARS: Final = 200

_SHOWN_DIGITS: Final = 30
_SHOWN_CHARS: Final = 100


def refuse_no_path(what: str, path: object) -> None:
    """Refuse what no file can be named, before it is opened."""
    named = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(named, str) or not named or "\0" in named:
        raise SettingsError(
            f"{what} read from a file; {shown(path)} is no path of one and nothing was read; correct the path"
        )


def as_path(name: str, value: object, what: tuple[str, str]) -> Path:
    """A path, taken from text or a path; ``what`` is what stands there, and what would come of a wrong one."""
    if not isinstance(value, str | Path) or not str(value) or "\0" in str(value):
        raise SettingsError(f"{name} must be the path of {what[0]}, not {shown(value)}; {what[1]}; name one")
    return Path(value)


def check_names(name: str, value: object) -> tuple[str, ...]:
    """Names of documents as a tuple, where they are different texts that show something."""
    named = tuple(cast("Sequence[object]", value)) if isinstance(value, list | tuple) else (None,)
    texts = tuple(one for one in named if isinstance(one, str) and is_encodable(one) and not shows_blank(one))
    if len(set(texts)) != len(named):
        raise SettingsError(
            f"{name} are different names of documents, such as handbook.md, not {shown(value)}; it would be unclear "
            "what every prompt shows; correct them"
        )
    return texts


def check_instructions(text: object) -> None:
    """Refuse what shows nothing or has no bytes."""
    if not isinstance(text, str) or shows_blank(text):
        raise SettingsError(
            "instructions must be text that is not blank; without them the model would not know what the sources are "
            "for; leave them out to use the default"
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise SettingsError(
            "instructions must be encodable as UTF-8; a lone surrogate in them has no bytes a model could be sent; "
            "decode them again"
        ) from error


def check_model(what: str, model: object) -> None:
    """Refuse what is no name of a model; ``None`` names none."""
    if model is not None and not (
        isinstance(model, str) and 0 < len(model) <= _MOST_NAME_CHARS and model.isprintable() and model == model.strip()
    ):
        raise SettingsError(
            f"{what} is the name of a model, of at most {_MOST_NAME_CHARS} characters, not {shown(model)}; no server "
            "could know it; correct it"
        )


def check_embedder(embedder: object) -> None:
    """Refuse what names no embedder."""
    if isinstance(embedder, str) and embedder.startswith("openai:"):
        check_model("what follows openai:", embedder.removeprefix("openai:"))
    elif not isinstance(embedder, str) or embedder not in {"", "none", "minilm"}:
        raise SettingsError(
            f"embedder is minilm, openai:NAME of a model, or none, not {shown(embedder)}; nothing could be "
            "embedded; correct it, or pass an embedder of your own to KnowledgeBase.open"
        )


def check_telemetry(telemetry: object, *, content: object) -> None:
    """Refuse what names no telemetry, and a switch that is none."""
    if telemetry not in ("", "opentelemetry") or not isinstance(telemetry, str):
        raise SettingsError(
            f'telemetry is opentelemetry, or "" for none, not {shown(telemetry)}; nothing could be told; correct '
            "it, or pass a telemetry of your own to KnowledgeBase.open"
        )
    if type(content) is not bool:
        raise SettingsError(
            f"telemetry_content must be true or false, not {shown(content)}; text would be told by accident; correct it"
        )


def check_address(name: str, address: object) -> None:
    """Refuse what is no address of a server; ``None`` is the provider's own."""
    if address is not None:
        from symfonic.adapters.knowledge.models.endpoints import Endpoint

        try:
            Endpoint(address)  # type: ignore[arg-type]  # what it is not, it says itself
        except ValueError as error:
            raise SettingsError(f"{name}: {error}") from error


def check_seconds(name: str, seconds: object, otherwise: str) -> None:
    """Refuse what is no time to wait; ``otherwise`` is what would come of it."""
    if type(seconds) not in {int, float} or not (
        math.isfinite(seconds) and 0 < seconds <= _MOST_SECONDS  # type: ignore[arg-type, operator]  # checked above
    ):
        raise SettingsError(
            f"{name} must be a number of seconds above 0 and up to {_MOST_SECONDS}, not {shown(seconds)}; "
            f"{otherwise}; correct it"
        )


def check_number(name: str, value: object, least: int, most: int) -> None:
    """Refuse what is no whole number of that range."""
    if type(value) is not int or not least <= value <= most:
        raise SettingsError(
            f"{name} must be a whole number from {least} to {most}, not {shown(value)}; the ceiling would not "
            "hold; correct it"
        )


def shown(value: object) -> str:
    """A refused value for a message: of a number longer than any that is allowed, only that."""
    if isinstance(value, int) and abs(value) > 10**_SHOWN_DIGITS:
        return f"a number of more than {_SHOWN_DIGITS} digits"
    text = ascii(value)
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"
