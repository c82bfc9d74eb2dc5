"""A store in LanceDB: a folder of this machine, words ranked by BM25 and vectors by cosine, no server.

Rules of this module: the public class and how it is opened; tables and queries stand in the private modules beside it,
the outline of each request in :mod:`._rowstore`, and nothing of LanceDB passes through it.

Guarantees.

* A row stored at a scope path is seen there and below, never beside; nor do rows that cannot be seen change the score
  or the order of those that can.
* Rows and scores are the embedded store's, to the bit: vectors are compared one by one, no index can miss any.
* A change is a single version of the table, whole or absent, also when the process ends in the middle of it. Reading
  happens in one version. Processes of one machine that change the store take turns.
* What was removed is found no more when the call returns, and is gone from the folder after
  :meth:`~symfonic.adapters.knowledge.stores.lancedb.LanceDBStore.vacuum`.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Self, Unpack

from symfonic.adapters.knowledge.ports import StoreError

from ._lancedb_options import Arguments, Options, given
from ._rowstore import RowStore, named_embedder
from ._rowstore_place import local_path
from ._url_options import merged

if TYPE_CHECKING:
    from collections.abc import Callable

    from symfonic.adapters.knowledge.ports import Embedder

__all__ = ["LanceDBStore"]


class LanceDBStore(RowStore):
    """A knowledge store in one table of a folder of LanceDB; implements ``VectorStore``.

    Any number of threads and processes of one machine may use one table. A store is used in the process that opened it.
    It is a context manager that closes itself.

    Args:
        folder: Where LanceDB keeps its tables.
        table: The store's table there; ASCII letters, digits, ``-`` and ``_``.
        create: Whether a table is made where there is none. Otherwise that is refused, and left as it is.
        embedder: What makes vectors of questions, and of passages that come without one; ``None`` where words alone are
            searched.
        timeout: How long a query or a change may take in LanceDB, in seconds.
        lock_timeout: How long a change waits for its turn, in seconds.
        attempts: How often a reading is tried when its version goes away, or LanceDB does not answer.
        pause: Waits for so many seconds before the next attempt.
        jitter: A number in [0, 1) by chance, such as ``random.random`` gives: by how much of itself such a pause grows.

    Raises:
        StoreError: LanceDB is not installed, an argument is not what it must be, the folder cannot be used, or the
            table belongs to another program or a newer version. The embedder is asked for nothing but its name.
    """

    def __init__(  # noqa: PLR0913 - an engine has many limits, all of them named
        self,
        folder: str | Path,
        *,
        table: str = "symfonic",
        create: bool = True,
        embedder: Embedder | None = None,
        timeout: float = 60.0,
        lock_timeout: float = 60.0,
        attempts: int = 5,
        pause: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] | None = None,
    ) -> None:
        self._options = options = Options(
            folder=Path(folder).absolute(),
            table=table,
            create=create,
            timeout=timeout,
            lock_timeout=lock_timeout,
            attempts=attempts,
            pause=pause,
            jitter=jitter,
        )
        embedding = named_embedder(embedder)
        try:
            from ._lancedb_shelf import LanceShelf
        except ImportError as error:
            raise StoreError(
                "a store in LanceDB needs lancedb, which is not installed, and nothing was opened; install it with "
                "pip install 'symfonic-knowledge[lancedb]'"
            ) from error
        super().__init__(LanceShelf(options), embedding)

    @classmethod
    def from_url(
        cls, url: str, *, embedder: Embedder | None = None, create: bool = True, **options: Unpack[Arguments]
    ) -> Self:
        """Open the store a URL names: ``lancedb:///absolute/folder?table=handbook``.

        Args:
            url: The folder, with any of ``table``, ``timeout``, ``lock_timeout`` and ``attempts`` in its query.
            embedder: As for the class.
            create: As for the class.
            options: As for the class; what stands in the query as well has to say the same.

        Raises:
            StoreError: As for the class.
        """
        folder, query = local_path(url, "lancedb")
        return cls(folder, embedder=embedder, create=create, **merged(given(query), options))

    @property
    def folder(self) -> Path:
        """Where LanceDB keeps its tables."""
        return self._options.folder

    def __repr__(self) -> str:
        return f"LanceDBStore({str(self._options.folder)!r}, table={self._options.table!r})"
