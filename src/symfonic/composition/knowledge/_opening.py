"""A store by its place, opened with the embedder it is to be used with.

Rules of this module: the only one that knows which class stands behind which place; a client library is loaded by the
store that needs it, when it is opened. An embedder is somebody's decision, and the store remembers it. Where the
settings say nothing, a store is searched with what filled it: MiniLM is made anew, for it runs on this machine.
Whatever needs a network is made only where the settings name it: a store must not decide where questions are sent.
"""

from __future__ import annotations

import os
import random
import time
import uuid
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, overload

from symfonic.adapters.knowledge.ports import AdapterError, StoreError

from ._failures import mapped
from ._guarded import require_embedder
from .embedding import NO_EMBEDDER, OPENAI_PREFIX, PROVIDERS_MODELS, embedder_of, minilm
from .errors import MissingExtraError, WiringError
from .keys import key_path, obtain_key, read_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from symfonic.adapters.knowledge.ports import Embedder, EmbeddingSpace, KnowledgeStore, Telemetry, VectorStore
    from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

    from .locations import StoreUrl
    from .settings import Settings


class _Opener(Protocol):
    """Opens a store of one kind."""

    def __call__(self, url: str, *, embedder: Embedder | None = None, create: bool = True) -> VectorStore: ...


@overload
def open_store(
    place: Path,
    settings: Settings,
    *,
    create: bool,
    embedder: Embedder | None = None,
    environ: Mapping[str, str] | None = None,
) -> SqliteStore: ...


@overload
def open_store(
    place: Path | StoreUrl,
    settings: Settings,
    *,
    create: bool,
    embedder: Embedder | None = None,
    environ: Mapping[str, str] | None = None,
) -> VectorStore: ...


def open_store(
    place: Path | StoreUrl,
    settings: Settings,
    *,
    create: bool,
    embedder: Embedder | None = None,
    environ: Mapping[str, str] | None = None,
) -> VectorStore:
    """Open the store at ``place`` with the embedder it is to be used with.

    Raises:
        StoreError: The store cannot be opened.
        SettingsError, MissingExtraError: As :func:`embedder_of`, or what the store or its vectors need is not
            installed; no store was made.
        WiringError: What was passed is no embedder, or nobody names one and the store's own cannot be made here.
    """
    passed = require_embedder(embedder)
    chosen = passed if passed is not None else embedder_of(settings, environ)
    store = _opened(place, settings, chosen, create=create)
    if chosen is not None or settings.embedder == NO_EMBEDDER:
        return store
    try:
        recorded = store.stats().embedding
        if recorded is None:
            return store
        maker = remembered(recorded)
    except BaseException:
        store.close()
        raise
    store.close()
    return _opened(place, settings, maker, create=False)


@contextmanager
def keyed_store(
    place: Path | StoreUrl,
    settings: Settings,
    *,
    create: bool,
    embedder: Embedder | None,
    environ: Mapping[str, str] | None,
) -> Iterator[tuple[KnowledgeStore, bytes]]:
    """A store and its key; whatever fails inside closes the store.

    A key that is there and cannot be used is told before a store is made, and no key is made without a store.

    Raises:
        KeyFileError, KnowledgeError: As :meth:`KnowledgeBase.open`.
    """
    key_file = settings.key_file or key_path(place)
    if os.path.lexists(key_file):
        read_key(key_file)
    with mapped():
        store = open_store(place, settings, create=create, embedder=embedder, environ=environ)
    try:
        yield store, obtain_key(key_file)
    except BaseException:
        store.close()
        raise


def _opened(place: Path | StoreUrl, settings: Settings, embedder: Embedder | None, *, create: bool) -> VectorStore:
    try:
        if isinstance(place, Path):
            from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

            return SqliteStore(place, create=create, embedder=embedder, vector_cache_bytes=settings.vector_cache_bytes)
        return _opener(place)(place.url, embedder=embedder, create=create)
    except StoreError as error:
        if isinstance(error.__cause__, ImportError):
            raise MissingExtraError(str(error)) from error
        if isinstance(place, Path) or place.is_named_in(str(error)):
            raise
        raise StoreError(f"{place}: {error}") from (error.__cause__ or error)


def _opener(place: StoreUrl) -> _Opener:
    """What opens a store of that engine; chance spreads the pauses of those that try again, and makes names."""
    opened: Callable[..., VectorStore]
    match place.engine:
        case "pgvector":
            from symfonic.adapters.knowledge.stores.pgvector import PgvectorStore

            opened = PgvectorStore.from_url
        case "qdrant":
            from symfonic.adapters.knowledge.stores.qdrant import QdrantStore

            opened = partial(QdrantStore.from_url, clock=time.time, token=_unique)
        case "chroma":
            from symfonic.adapters.knowledge.stores.chroma import ChromaStore

            opened = partial(ChromaStore.from_url, unique=_unique)
        case _:
            from symfonic.adapters.knowledge.stores.lancedb import LanceDBStore

            opened = LanceDBStore.from_url
    return partial(opened, jitter=random.random)


def _unique() -> str:
    """A text that nobody else makes."""
    return uuid.uuid4().hex


def telemetry_of(settings: Settings) -> Telemetry | None:
    """What the settings tell of questions and answers; ``None`` where they name nothing.

    Raises:
        MissingExtraError: What they name is not installed.
    """
    if not settings.telemetry:
        return None
    from symfonic.adapters.knowledge.telemetry.opentelemetry import OpenTelemetry

    try:
        return OpenTelemetry(content=settings.telemetry_content)
    except AdapterError as error:
        raise MissingExtraError(str(error)) from error


def remembered(space: EmbeddingSpace) -> Embedder:
    """The embedder that filled a store, where nobody names one.

    Raises:
        WiringError: It is not one that is made unasked.
    """
    ours = minilm()
    if space.name == ours.name:
        return ours
    raise WiringError(
        f"a store is used with the embedder that filled it; this one was filled with {space.name!a}, which is not made "
        f"unless somebody names it, and nothing was done; {_naming(space.name)}, search words alone with --embedder "
        "none, or replace its vectors with `symfonic-knowledge embed --anew --embedder minilm`"
    )


def _naming(name: str) -> str:
    """How to name an embedder by what its vectors are called. One of a server is told by it; any other is a program's.

    The address is told and not used: whether questions go there is for whoever reads this.
    """
    model, at, address = name.partition(" at ")
    if at and address.startswith(("http://", "https://")):
        return (
            f"name it with --embedder {OPENAI_PREFIX + model!a}, or as embedder in the settings, with "
            f"embedder_base_url = {address!a} there"
        )
    if name.startswith(PROVIDERS_MODELS):
        return f"name it with --embedder {OPENAI_PREFIX + name!a}, or as embedder in the settings"
    return "pass it to KnowledgeBase.open(embedder=…) in a program, for no option can name it"
