"""A store in Chroma: a folder of this machine or a server, words ranked by BM25 and vectors by cosine.

Rules of this module: the public class and how it is opened; collections and queries stand in the private modules beside
it, the outline of each request in :mod:`._rowstore`, and nothing of Chroma passes through it. No embedding function of
Chroma's is ever used, and its telemetry is off.

Guarantees.

* A row stored at a scope path is seen there and below, never beside; nor do rows that cannot be seen change the score
  or the order of those that can.
* Rows and scores are the embedded store's, to the bit, where at most 2,000 passages are visible: all their vectors are
  read. Beyond, Chroma's index says which are nearest, and may miss some; passages found by words have their exact
  cosine either way.
* A document is replaced whole: its new passages are written beside the old ones, and one upsert of its record, and of
  others changed with it, makes them count. What a process that ended leaves behind is never seen; storing the document
  again, or :meth:`ChromaStore.vacuum`, takes it away. On a server nobody may store meanwhile: it cannot tell such rows
  from those of a change on its way.
"""

from __future__ import annotations

import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Self, Unpack

from symfonic.adapters.knowledge.ports import StoreError

from ._chroma_options import Arguments, Options, placed
from ._rowstore import RowStore, named_embedder
from ._url_options import merged

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from symfonic.adapters.knowledge.ports import Embedder

    from ._chroma_options import Server

__all__ = ["ChromaStore"]


def _unique() -> str:
    return uuid.uuid4().hex


class ChromaStore(RowStore):
    """A knowledge store in collections of Chroma; implements ``VectorStore``.

    Any number of threads may use one store. A folder is for the processes of one machine, which take turns to change
    it; Chroma itself recommends a server for several. A store is used in the process that opened it. It is a context
    manager that closes itself.

    Args:
        place: The folder Chroma keeps its files in, or what a URL of a server says; see :meth:`from_url`.
        collection: The first part of the names of the store's collections, of 3 to 63 characters.
        create: Whether collections are made where there are none. Otherwise that is refused, and left as it is.
        embedder: What makes vectors of questions, and of passages that come without one; ``None`` where words alone are
            searched.
        headers: For a server: headers of every request, a key among them. They appear in no message.
        timeout: For a server: how long a request may take, in seconds.
        lock_timeout: How long a change waits for its turn, in seconds.
        attempts: How often a reading is tried when others change what it reads, or Chroma does not answer.
        pause: Waits for so many seconds before the next attempt.
        jitter: A number in [0, 1) by chance, such as ``random.random`` gives: by how much of itself such a pause grows.
        unique: A text that was never used before, for what is written anew.

    Raises:
        StoreError: Chroma is not installed, an argument is not what it must be, the folder or the server cannot be
            used, or the collections belong to another program, compare by something else than the cosine, or
            are of a newer version. The embedder is asked for nothing but its name.
    """

    def __init__(  # noqa: PLR0913 - an engine has many limits, all of them named
        self,
        place: str | Path | Server,
        *,
        collection: str = "symfonic",
        create: bool = True,
        embedder: Embedder | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float = 60.0,
        lock_timeout: float = 60.0,
        attempts: int = 8,
        pause: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] | None = None,
        unique: Callable[[], str] = _unique,
    ) -> None:
        self._options = options = Options(
            place=Path(place).absolute() if isinstance(place, str | Path) else place,
            collection=collection,
            create=create,
            headers=dict(headers or {}),
            timeout=timeout,
            lock_timeout=lock_timeout,
            attempts=attempts,
            pause=pause,
            jitter=jitter,
            unique=unique,
        )
        embedding = named_embedder(embedder)
        try:
            from ._chroma_shelf import ChromaShelf
        except ImportError as error:
            raise StoreError(
                "a store in Chroma needs chromadb, which is not installed, and nothing was opened; install it with "
                "pip install 'symfonic-knowledge[chroma]'"
            ) from error
        super().__init__(ChromaShelf(options), embedding)

    @classmethod
    def from_url(
        cls, url: str, *, embedder: Embedder | None = None, create: bool = True, **options: Unpack[Arguments]
    ) -> Self:
        """Open the store a URL names.

        Args:
            url: ``chroma:///absolute/folder?collection=handbook``, ``chroma+http://host:port/handbook`` or
                ``chroma+https://…``, with any of ``timeout``, ``lock_timeout`` and ``attempts`` in its query.
            embedder: As for the class.
            create: As for the class.
            options: As for the class; what stands in the URL as well has to say the same.

        Raises:
            StoreError: As for the class.
        """
        place, given = placed(url)
        return cls(place, embedder=embedder, create=create, **merged(given, options))

    @property
    def place(self) -> Path | Server:
        """The folder, or the server."""
        return self._options.place

    def __repr__(self) -> str:
        return f"ChromaStore({str(self._options.place)!r}, collection={self._options.collection!r})"
