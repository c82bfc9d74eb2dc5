"""The embedder that the settings name, and giving vectors to what has none.

Rules of this module: an embedder is somebody's decision. Whatever needs a network is made only where the settings name
it. Making an embedder is cheap; its model is loaded when the first text is embedded.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from symfonic.adapters.knowledge.ports import AdapterError, CheckedStore, EmbeddingError, IndexedStore, VectorStore

from ._guarded import foreign
from ._provider_keys import key_for, require_environ
from .errors import MissingExtraError, WiringError, type_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from symfonic.adapters.knowledge.ports import Embedder, KnowledgeStore

    from .settings import Settings

__all__ = ["MINILM", "NO_EMBEDDER", "OPENAI_PREFIX", "embedder_of"]

NO_EMBEDDER: Final = "none"
"""The embedder's name that asks for a search by words alone."""

MINILM: Final = "minilm"
"""The embedder's name that asks for the model of the extra ``minilm``, on this machine."""

OPENAI_PREFIX: Final = "openai:"
"""What the embedder's name begins with where a server that speaks OpenAI's protocol embeds; a model's name follows."""

PROVIDERS_MODELS: Final = "text-embedding-"
"""What the names of the provider's own models begin with; vectors of theirs are called by that name alone."""

_MOST_THREADS: Final = 64


def embedder_of(settings: Settings, environ: Mapping[str, str] | None = None) -> Embedder | None:
    """Make the embedder that the settings name; ``None`` where they name none.

    Args:
        settings: ``embedder``, ``embedder_base_url`` and ``model_timeout`` count.
        environ: The environment, usually ``os.environ``: ``OPENAI_API_KEY`` is read where a server embeds, and nothing
            else. ``None`` has no key.

    Raises:
        SettingsError: The address needs a key and there is none, or ``environ`` is no mapping.
        MissingExtraError: What asks the server is not installed.
    """
    require_environ(environ)
    if settings.embedder in {"", NO_EMBEDDER}:
        return None
    if settings.embedder == MINILM:
        return minilm()
    return _openai(settings, settings.embedder.removeprefix(OPENAI_PREFIX), environ or {})


def minilm() -> Embedder:
    """The model of the extra ``minilm``, with a thread for each processor this process may use."""
    from symfonic.adapters.knowledge.embedders.minilm import MiniLM

    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return MiniLM(threads=min(cores, _MOST_THREADS))


def _openai(settings: Settings, model: str, environ: Mapping[str, str]) -> Embedder:
    from symfonic.adapters.knowledge.embedders.openai import OpenAIEmbedder
    from symfonic.adapters.knowledge.models.endpoints import DEFAULT_BASE_URL, Endpoint

    from .answering import KEY_VARIABLE

    address = settings.embedder_base_url or DEFAULT_BASE_URL
    key = key_for(Endpoint(address), environ, KEY_VARIABLE, option="embedder_base_url")
    try:
        return OpenAIEmbedder(
            model=model, base_url=address, api_key=key, timeout=settings.model_timeout, name=_named(model, address)
        )
    except EmbeddingError as error:
        raise MissingExtraError(str(error)) from error


def _named(model: str, address: str) -> str:
    """What vectors are called: by the server as well where it is not the provider's own, for names are anybody's.

    An address with a user, a password or a query is refused before.
    """
    from symfonic.adapters.knowledge.models.endpoints import DEFAULT_BASE_URL

    parts = urlsplit(address)
    place = f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}"
    return model if place == DEFAULT_BASE_URL else f"{model} at {place}"


def vector_store(store: KnowledgeStore) -> VectorStore | None:
    """The store, where it embeds what it is given."""
    return store if isinstance(store, VectorStore) and store.embedder is not None else None


def require_embedder_for(store: KnowledgeStore) -> None:
    """Refuse to add passages to a store that holds vectors and was opened without an embedder.

    Raises:
        WiringError: It is such a store.
        StoreError: The store failed.
    """
    space = None if vector_store(store) is not None else store.stats().embedding
    if space is not None:
        raise WiringError(
            f"a passage joins a store with the vector its search needs; this one holds vectors of {space.name!a} and "
            "was opened without an embedder, so nothing was read or stored; leave out --embedder none, or open it with "
            "that embedder"
        )


def embed(store: KnowledgeStore, *, anew: bool, on_progress: Callable[[int, int], None] | None) -> int:
    """Give a vector to the passages of a store that have none.

    Raises:
        WiringError: The store has no embedder.
        StoreError, EmbeddingError: The store or the embedder failed; what has a vector by then keeps it.
    """
    vectors = vector_store(store)
    if vectors is None:
        raise WiringError(
            "passages are embedded by the embedder their store is opened with; this one has none and nothing was "
            "embedded; name one with --embedder, such as minilm, as embedder in the settings, or to "
            "KnowledgeBase.open(embedder=…)"
        )
    found = attempted(vectors, anew=anew, on_progress=on_progress)
    if isinstance(found, EmbeddingError):
        raise found
    return found


def attempted(
    store: VectorStore, *, anew: bool = False, on_progress: Callable[[int, int], None] | None = None
) -> int | EmbeddingError:
    """Have a store embed what has no vector.

    Returns:
        How many passages it embedded, or what its embedder raised, whatever that was. What has a vector by then keeps
        it.

    Raises:
        StoreError: The store failed. What ``on_progress`` raises passes.
    """
    raised: list[Exception] = []

    def told(done: int, total: int) -> None:
        try:
            on_progress(done, total)  # type: ignore[misc]  # is passed only where it is there
        except Exception as error:
            raised.append(error)
            raise

    try:
        return store.embed(anew=anew, on_progress=None if on_progress is None else told)
    except Exception as error:
        if any(error is one for one in raised):
            raise
        if isinstance(error, EmbeddingError):
            return error
        if isinstance(error, AdapterError):
            raise
        failure = foreign(error)
        failure.__cause__ = error
        return failure


def faults_of(store: KnowledgeStore) -> tuple[str, ...]:
    """What is wrong with a store, one sentence each; nothing where it is sound.

    Raises:
        WiringError: The store cannot tell.
    """
    if not isinstance(store, CheckedStore):
        raise WiringError(
            f"whether a store is sound, it says itself; {type_name(store)} has no method check and nothing was looked "
            "at; use the tools it comes with"
        )
    return store.check()


def indexed(store: KnowledgeStore) -> bool:
    """Have a store build its index of vectors; whether it is there now.

    Raises:
        WiringError: The store has none that is built on request.
        StoreError: It could not be built.
    """
    if not isinstance(store, IndexedStore):
        raise WiringError(
            f"an index of vectors is built on request in PostgreSQL; {type_name(store)} builds none so and nothing was "
            "done; ask it as it is"
        )
    return store.build_index()
