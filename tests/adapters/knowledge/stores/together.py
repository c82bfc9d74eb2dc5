"""For engines whose every change takes long: the rows of a check of the shipped suites are put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symfonic.adapters.knowledge.ports import Chunk, Document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from symfonic.testing.knowledge.fakes import SeedRow


class FilledTogether:
    """What ``StoreConformance`` puts one by one; that it is the same has a check of its own there."""

    if TYPE_CHECKING:

        def make_store(self) -> Any: ...

    def make_retriever(self, rows: Sequence[SeedRow]) -> Any:
        """Each row as a document of one passage, in this order."""
        store = self.make_store()
        store.put_many(
            (
                Document(scope_path=row.scope_path, origin=f"/docs/{number}", file=row.source, digest="1"),
                [Chunk(text=row.content, label=row.source, ordinal=0)],
                None,
            )
            for number, row in enumerate(rows)
        )
        return store
