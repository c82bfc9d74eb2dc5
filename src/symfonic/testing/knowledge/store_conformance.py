"""A suite for anything that keeps knowledge: inherit it, say how to make an empty store, run pytest.

Rules of this module: the public classes; checks stand in the private modules beside it, what is demanded in
``_store_rules``, what is put in ``_store_seeds``. Standard library only.

Example:
    class TestMyStore(StoreConformance):
        def make_store(self):
            return MyStore(new_folder())

        def reopen(self, store):
            return MyStore(store.folder)
"""

from __future__ import annotations

from typing import Any

from ._store_changes import ChangeChecks
from ._store_content import ContentChecks
from ._store_handles import HandleChecks

__all__ = ["StoreConformance"]


class StoreConformance(ContentChecks, ChangeChecks, HandleChecks):
    """What a ``KnowledgeStore`` must do, all checks of a scoped retriever included. Override the first two methods.

    A store that has ``put_many`` is held to ``BulkStore`` as well, one that has ``check`` to ``CheckedStore``; of
    others those checks are skipped, and say so.

    Attributes:
        embedder: For ``make_store``, where the store takes one; nothing here asks it.
        deadline_seconds: How long one check may take; what takes longer fails.
        limitations: The names of checks that the engine cannot pass, each with the reason.
    """

    embedder: Any = None

    def make_store(self) -> Any:
        """Build a new, empty store."""
        raise NotImplementedError("say how your store is built: override make_store(self)")

    def reopen(self, store: Any) -> Any:
        """Open what ``store`` keeps once more, while it is open or after it was closed."""
        raise NotImplementedError(
            f"say how {type(store).__name__} is opened again: override reopen(self, store), or declare in limitations "
            "that it cannot be"
        )

    def drop_store(self, store: Any) -> None:
        """Release a store; by default it is closed."""
        store.close()
