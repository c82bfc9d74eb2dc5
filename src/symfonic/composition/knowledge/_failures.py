"""Errors of the parts below as errors of the knowledge base.

Rules of this module: the one place that decides which is which. The part's error stays attached as the cause.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, TypeVar

from symfonic.adapters.knowledge.ports import AdapterError, EmbeddingError

from .errors import EmbedderFailedError, StoreFailedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .errors import KnowledgeError


_Item = TypeVar("_Item")


def failure_of(error: AdapterError, *, remedy: str = "") -> KnowledgeError:
    """What a store's error is to whoever asked the knowledge base; ``remedy`` is added where the embedder failed."""
    if isinstance(error, EmbeddingError) or isinstance(error.__cause__, EmbeddingError):
        return EmbedderFailedError(f"{error}{remedy}")
    return StoreFailedError(str(error))


@contextlib.contextmanager
def mapped() -> Iterator[None]:
    """Raise what a store raises as an error of the knowledge base."""
    try:
        yield
    except AdapterError as error:
        raise failure_of(error) from error


def mapped_items(items: Callable[[], Iterator[_Item]]) -> Iterator[_Item]:
    """The items of a store one by one; what it raises, at any of them, as an error of the knowledge base."""
    with mapped():
        yield from items()
