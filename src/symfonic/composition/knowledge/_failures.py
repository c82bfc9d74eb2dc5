"""Errors of the parts below as errors of the knowledge base.

Rules of this module: the one place that decides which is which. The part's error stays attached as the cause.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from symfonic.adapters.knowledge.ports import AdapterError, EmbeddingError

from .errors import EmbedderFailedError, StoreFailedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .errors import KnowledgeError


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
