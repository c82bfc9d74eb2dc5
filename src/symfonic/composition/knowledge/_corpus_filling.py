"""A corpus in a store of its own, brought up to date: what is new or changed is stored, and what is gone removed.

Rules of this module: it reads a collection and writes one store; it asks nothing and measures nothing. A document that
did not change is left alone, and a store that holds anything else is refused before it is touched.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
from typing import TYPE_CHECKING, Final, Protocol

from symfonic.adapters.knowledge.ports import Chunk, Document, Extraction, Section
from symfonic.capabilities.knowledge import shows_blank

from ._failures import mapped
from ._opening import open_store
from .chunking import CHUNKING_VERSION, chunk_extraction, passage_label
from .embedding import NO_EMBEDDER
from .errors import InputError, WiringError
from .judgements import InputFaults, read_corpus

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from pathlib import Path

    from symfonic.adapters.knowledge.ports import Embedder
    from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

    from .chunking import ChunkPolicy
    from .judgements import CorpusDocument
    from .knowledge_base import KnowledgeBase
    from .settings import Settings

_ORIGIN: Final = "corpus:"


class Telling(Protocol):
    """Is told where an evaluation stands: the stage, how many there are of it, and how many are done."""

    def __call__(self, stage: str, total: int | None, done: int) -> None: ...


def embed_corpus(knowledge: KnowledgeBase, told: Telling) -> None:
    """Give every passage its vector, many at a time, where there is an embedder."""
    if knowledge.embedder is not None:
        knowledge.embed(on_progress=lambda at: told("embedding", at.total, at.done))


class Filling:
    """Brings a store up to date with a corpus."""

    def __init__(
        self, path: Path, settings: Settings, embedder: Embedder | None, environ: Mapping[str, str] | None
    ) -> None:
        self._path, self._settings, self._embedder, self._environ = path, settings, embedder, environ

    def fill(self, corpus: str | os.PathLike[str], told: Telling) -> InputFaults:
        """Store what is new or changed, and remove what is gone."""
        from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

        faults: list[InputFaults] = []
        policy = self._settings.chunk_policy()
        documents = read_corpus(corpus, faults)
        first = [*itertools.islice(documents, 1)]  # before a store is made for what is no corpus
        with mapped(), contextlib.ExitStack() as stack:
            store = stack.enter_context(SqliteStore(self._path))
            before = {record.document.origin: record.document for record in store.documents()}
            if any(not origin.startswith(_ORIGIN) for origin in before):
                raise InputError(
                    "a corpus is kept in a store of its own; this one holds other documents, which would be found as "
                    "well, and nothing was stored; name another --store, or evaluate the store itself, without a corpus"
                )
            # Passages that are all new are embedded afterwards, many at a time; others must bring their vectors.
            writer = store if store.stats().embedding is None else None
            for done, found in enumerate(itertools.chain(first, documents)):
                told("storing", None, done)
                document, chunks = _stored_form(found, policy)
                known = before.pop(document.origin, None)
                if known is None or known.digest != document.digest:
                    writer = writer or stack.enter_context(self._with_embedder())
                    writer.put(document, chunks)
            if before:
                store.remove(before.values())
        return faults[0]

    def _with_embedder(self) -> SqliteStore:
        """The store with what embeds new passages: where words alone are asked, that is what filled it."""
        alone = self._embedder is None and self._settings.embedder == NO_EMBEDDER
        settings = self._settings.changed(embedder="") if alone else self._settings
        try:
            return open_store(self._path, settings, create=False, embedder=self._embedder, environ=self._environ)
        except WiringError as error:
            raise WiringError(
                "a passage joins a store with the vector its search needs; the corpus changed, and what made the "
                "vectors of this store is not made unless somebody names it, so no more was stored; name it with "
                "--embedder or pass it once, or name another --store"
            ) from error


def _stored_form(found: CorpusDocument, policy: ChunkPolicy) -> tuple[Document, tuple[Chunk, ...]]:
    title = " ".join(found.title.split())
    text = title if shows_blank(found.text) else found.text
    section = Section(text=text, headings=(title,) if title else ())
    if shows_blank(text):
        chunks: tuple[Chunk, ...] = ()
    elif len(text) <= policy.max_chars:
        chunks = (Chunk(text=text, label=passage_label(found.id, section), ordinal=0, heading=title),)
    else:
        chunks = chunk_extraction(Extraction(kind="text", sections=(section,)), file=found.id, policy=policy).visible
    state = (found.id, found.title, found.text, str(CHUNKING_VERSION), str(policy.max_chars), str(policy.target_chars))
    digest = hashlib.sha256(b"symfonic-knowledge corpus 1\n")
    for part in map(str.encode, state):
        digest.update(len(part).to_bytes(8, "big") + part)
    document = Document(
        scope_path="",
        origin=f"{_ORIGIN}{found.id}",
        file=found.id,
        digest=digest.hexdigest(),
        kind="corpus",
        size=len(found.text.encode()),
    )
    return document, chunks
