"""A store whose key is missing, opened for what asks no question.

Rules of this module: no key is made, so that the lost one can be put back; what it opens never compiles a prompt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._failures import mapped
from ._opening import open_store
from .keys import passing_key
from .knowledge_base import KnowledgeBase

if TYPE_CHECKING:
    from pathlib import Path

    from .locations import StoreUrl
    from .settings import Settings


def open_without_key(path: Path | StoreUrl, settings: Settings) -> KnowledgeBase:
    """Open a store whose key is missing, for what asks no question: none is made, and its fingerprint means nothing.

    Raises:
        StoreFailedError, WiringError: As :meth:`KnowledgeBase.open`.
    """
    with mapped():
        store = open_store(path, settings, create=False)
    try:
        return KnowledgeBase(store, key=passing_key(), settings=settings)
    except BaseException:
        store.close()
        raise
