"""Asking foreign code: what a function takes, and whether its answer is one yet.

Rules of this module: it looks at functions and answers of stores and extractors, reads lists, and calls nothing but
``close`` of a coroutine nobody will await and of a generator nobody will read on. It knows no bridge.
"""

from __future__ import annotations

import inspect
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from .errors import is_failure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


def items_of(given: object) -> tuple[object, ...] | None:
    """What a list or tuple holds, read once; ``None`` where it is neither, whatever it says, or cannot be read."""
    if not issubclass(type(given), list | tuple):
        return None
    try:
        return tuple(cast("Iterable[object]", given))
    except BaseException as error:  # a subclass may read itself in any way
        if not is_failure(error):
            raise
        return None


def takes_scope(function: object) -> bool:
    """Whether a function takes the keyword ``scope_path``.

    What is called decides, not what it wraps; only a wrapper that hands on whatever it is given says nothing itself,
    and then the next one inside is asked. One whose signature cannot be told takes none.
    """
    if not callable(function):
        return False
    try:
        deciding = inspect.unwrap(function, stop=lambda wrapper: not _hands_on(wrapper))
        parameters = inspect.signature(deciding, follow_wrapped=False).parameters
    except (TypeError, ValueError):
        return False
    named = parameters.get("scope_path")
    if named is not None:
        return named.kind in (named.KEYWORD_ONLY, named.POSITIONAL_OR_KEYWORD)
    return _takes_any(parameters)


def _hands_on(wrapper: Callable[..., object]) -> bool:
    parameters = inspect.signature(wrapper, follow_wrapped=False).parameters
    return "scope_path" not in parameters and _takes_any(parameters)


def _takes_any(parameters: Mapping[str, inspect.Parameter]) -> bool:
    return any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())


def has_to_be_awaited(answer: object) -> bool:
    """Whether an answer has to be awaited; a coroutine is closed, which spares the host a "never awaited" warning."""
    if inspect.iscoroutine(answer):
        answer.close()
    return inspect.isawaitable(answer) or inspect.isasyncgen(answer)


def close_generator(rows: object) -> None:
    """Let go of a generator that is not read to its end."""
    if inspect.isgenerator(rows):
        with suppress(Exception):  # it holds a connection, perhaps, but what counts was read
            rows.close()
