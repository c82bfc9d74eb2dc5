"""Options in the query of a store's URL, and arguments beside it: known by name, read by kind, each said once.

Rules of this module: values only; it knows no engine and imports no client. What stands in a URL may be a secret that
went to the wrong place: no value is repeated, and a name only where it is spelt as options are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl

from symfonic.adapters.knowledge.ports import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Kinds = Mapping[str, Callable[[str], Any]]

_SPELT: Final = re.compile(r"[a-z_]{1,32}", re.ASCII)


def flag(text: str) -> bool:
    """``true`` or ``false``.

    Raises:
        ValueError: It is neither.
    """
    if text not in ("true", "false"):
        raise ValueError
    return text == "true"


def options_of(query: str, kinds: Kinds) -> dict[str, Any]:
    """The options in the query of a URL, which knows no others.

    Raises:
        StoreError: One is not known, is there twice, or cannot be read.
    """
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query))
    except ValueError:
        raise StoreError(
            "the query of a URL is NAME=VALUE&NAME=VALUE; this one is not and nothing was opened; correct it, and "
            "write other characters in a key as %XX"
        ) from None
    require_once(name for name, _ in pairs)
    for name, _ in pairs:
        if name not in kinds:
            raise unknown(name, kinds)
    return {name: value_of(name, text, kinds) for name, text in pairs}


def require_once(names: Iterable[str]) -> None:
    """Refuse a query that says something twice: programs differ in which of the two counts.

    Raises:
        StoreError: It does.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise StoreError(
                f"an option stands once in a URL; {_shown(name)} stands there twice and nothing was opened; leave "
                "one out"
            )
        seen.add(name)


def unknown(name: str, kinds: Iterable[str], others: str = "") -> StoreError:
    """The refusal of an option that this store does not have; ``others`` are those of its client."""
    return StoreError(
        f"options in the URL of this store are {', '.join(kinds)}{others}; {_shown(name)} is none of them and nothing "
        "was opened; correct it, or take it out"
    )


def value_of(name: str, text: str, kinds: Kinds) -> Any:
    """What an option says.

    Raises:
        StoreError: It is no number, or neither true nor false, where it has to be.
    """
    try:
        return kinds[name](text)
    except ValueError:
        what = "true or false" if kinds[name] is flag else "a number"
        raise StoreError(
            f"{name} in a URL is {what}; something else was given and nothing was opened; pass one"
        ) from None


def merged(given: Mapping[str, Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a URL and the arguments beside it, which may say the same and nothing else.

    Raises:
        StoreError: An argument says something else.
    """
    for name, value in arguments.items():
        if name in given and given[name] != value:
            raise StoreError(
                f"an option is said once; {name} stands in the URL and was passed as something else, and nothing was "
                "opened; take it out of the one or of the other"
            )
    return {**arguments, **given}


def _shown(name: str) -> str:
    return repr(name) if _SPELT.fullmatch(name) else "one of another spelling"
