"""A folder of documents as a knowledge base: fill it, ask it, see why it answered what it did.

Rules of this module: the façade of composition. It owns the store it was given, turns scopes and settings into what the
parts below understand, and maps their errors to its own; every rule about rows and text stands elsewhere. After its
construction it changes nothing of itself, so one knowledge base serves any number of threads.

Defences are on by default and cannot be left out of a question: keyed labels, broken markers, no duplicates, proof of
scope, a report of confusable labels, a ceiling for each source.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.ports import Removal
from symfonic.capabilities.knowledge import RetrievalPolicy

from ._callbacks import require_told
from ._ceilings import ceilings_in_force
from ._contributors import Beside, listed
from ._failures import mapped, mapped_items
from ._guarded import require_embedder, require_reranker, require_store
from ._ingest_report import embedding_progress
from ._nesting import asking
from ._observing import ObservedAnswering, Observer, require_telemetry
from ._opening import keyed_store, telemetry_of
from ._passages import asked_alone, find_passage, id_of
from ._requests import check_paths, check_question, named_path, refuse_missing
from ._scopes import Scope, exact_path_of, scope_path_of
from ._searching import ranking_of
from ._shown import forget_shown
from .answering import Answering
from .embedding import embed, faults_of, indexed, require_embedder_for, vector_store
from .enclosures import Enclosures
from .errors import ScopeError, SettingsError, type_name
from .explanation import Answerable
from .ingestion import MAX_FILE_BYTES, ingest, require_paths
from .keys import DerivedKeys, derive_keys, fingerprint
from .reranking import RerankedRetriever
from .settings import Settings, default_store_path, settings_of
from .wiring import KNOWLEDGE_ID, Inquiry, Wiring

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import Self

    from symfonic.adapters.knowledge.ports import (
        ChatModel,
        DocumentRecord,
        Embedder,
        KnowledgeStore,
        Reranker,
        StoredChunk,
        StoreStats,
        Telemetry,
    )
    from symfonic.capabilities.knowledge import (
        Attachment,
        ContextContributor,
        DocumentStore,
        LedgerEntry,
        RetrievedFragment,
        ScopedDocumentStore,
        ScopedKnowledgeRetriever,
    )

    from ._searching import Ranking
    from .answering import OnUnknown
    from .enclosures import EnclosurePolicy
    from .ingestion import IngestProgress, IngestReport
    from .locations import StoreUrl

__all__ = ["KnowledgeBase", "Scope", "scope_path_of"]

_NO_KEYS: Final = DerivedKeys(labels=bytes(32), delimiters=bytes(32), passages=bytes(32))
"""For a trial of the ceilings only: what is refused does not depend on a key."""


class KnowledgeBase:
    """Documents in a store, and the way from a question to a cited prompt. Safe to use from several threads.

    Use :meth:`open` for the embedded store. The constructor is for a store of your own::

        with KnowledgeBase(store, key=secret, settings=settings) as knowledge: ...

    Args:
        store: Is asked and filled; closed by :meth:`close`.
        key: The deployment's key, 32 bytes. Keep it: with another key every label tag and delimiter changes.
        settings: What the deployment decided.
        contributors: Declare further knowledge that is compiled with every question, such as a handbook. They are asked
            once, here. Their sources are then read at the same time as the store, each with the settings'
            ``source_deadline``; one that fails or is too slow costs its own block. One of which 8 reads hang is not
            asked again until some have ended. How long a source's text may be is what its ``policy.max_total_chars``
            says; one that does not say is held by the compiler's ceiling alone.
        reranker: Scores again what the store found, 50 rows at least, before the boundary selects; ``None`` leaves the
            store's order. ``min_score`` then is on the reranker's scale.
        documents: Holds the standing documents that questions may name; closed by whoever opened it. ``None`` is the
            folder of the settings, where they name one.
        enclosure: Ceilings of documents and attachments, and what reads attachments; those of the settings where
            ``None``.

    Raises:
        KeyFileError: The key is not 32 bytes.
        WiringError: A contribution could compile to nothing but a diagnostic, a contributor raised or declared what
            the boundary refuses, or reranker, documents or enclosure are none.
        CounterFailedError: The settings' counter raised, or answered what is no count.
    """

    __slots__ = (
        "_beside",
        "_enclosures",
        "_keys",
        "_observer",
        "_retriever",
        "_settings",
        "_store",
        "_wiring",
        "key_fingerprint",
    )

    def __init__(
        self,
        store: KnowledgeStore,
        *,
        key: bytes,
        settings: Settings | None = None,
        contributors: Iterable[ContextContributor] = (),
        reranker: Reranker | None = None,
        documents: DocumentStore | ScopedDocumentStore | None = None,
        enclosure: EnclosurePolicy | None = None,
        telemetry: Telemetry | None = None,
    ) -> None:
        require_telemetry(telemetry)
        self._store = require_store(store)
        chosen = require_reranker(reranker)
        self._retriever: ScopedKnowledgeRetriever = store if chosen is None else RerankedRetriever(store, chosen)
        self._settings = settings_of(settings)
        self._keys = derive_keys(key)
        self._beside = Beside.of(contributors, self._settings)
        self._wiring = Wiring.build(self._settings, self._keys, beside=self._beside)
        self._enclosures = Enclosures(documents, enclosure, self._keys, self._settings)
        self.key_fingerprint = fingerprint(key)
        """16 hex digits that tell the key apart from others and tell nothing about it."""
        self._observer = None if telemetry is None else Observer(telemetry, self.key_fingerprint)

    @classmethod
    def open(  # noqa: PLR0913 - one parameter for each part
        cls,
        path: str | os.PathLike[str] | StoreUrl | None = None,
        *,
        settings: Settings | None = None,
        create: bool = True,
        contributors: Iterable[ContextContributor] = (),
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        documents: DocumentStore | ScopedDocumentStore | None = None,
        enclosure: EnclosurePolicy | None = None,
        telemetry: Telemetry | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> Self:
        """Open the store at ``path``, with its key: beside a file, and in the user's data folder for any other store.

        Args:
            path: The store's file or address, such as ``postgresql://user@host/base``; ``None`` takes the settings'
                one, else the default file under the user's data folder.
            settings: What the deployment decided; the defaults where ``None``. No file or variable is read here:
                use :meth:`Settings.load` for that.
            create: Whether a store, and the folders above it, are made where there is none.
            contributors: As in the constructor.
            embedder: Finds passages by their meaning; ``None`` makes the one the settings name, or the one that filled
                the store where they name none and it runs on this machine.
            reranker: As in the constructor.
            documents: As in the constructor.
            enclosure: As in the constructor.
            telemetry: As in the constructor; ``None`` makes the one the settings name, if any.
            environ: Where the key of an embedder that the settings name is read, usually ``os.environ``.

        Raises:
            SettingsError: ``path`` cannot be one, or an embedder's address needs a key and there is none.
            MissingStoreError: There is no store and none should be made.
            StoreFailedError: It cannot be opened, or is no store.
            KeyFileError: Its key cannot be used.
            WiringError: As the constructor, what was passed is no embedder, or the one that filled the store cannot be
                made here.
            CounterFailedError: As the constructor.
            MissingExtraError: No path is named and platformdirs is not installed, or what an embedder needs is not.
        """
        chosen = settings_of(settings)
        named = chosen.changed(store=named_path(path)).store
        require_embedder(embedder)
        require_reranker(reranker)
        told = telemetry_of(chosen) if telemetry is None else telemetry
        require_telemetry(told)
        place = named or default_store_path()
        asked = listed(contributors)
        # What is refused whatever the key is must leave no store behind.
        Wiring.build(chosen, _NO_KEYS, beside=Beside.of(asked, chosen))
        Enclosures(documents, enclosure, _NO_KEYS, chosen)
        if not create:
            refuse_missing(place)
        with keyed_store(place, chosen, create=create, embedder=embedder, environ=environ) as (store, key):
            return cls(
                store,
                key=key,
                settings=chosen,
                contributors=asked,
                reranker=reranker,
                documents=documents,
                enclosure=enclosure,
                telemetry=told,
            )

    @property
    def settings(self) -> Settings:
        """What the deployment decided."""
        return self._settings

    @property
    def store(self) -> KnowledgeStore:
        """What it was given, or opened: raw, with no boundary in front of it."""
        return self._store

    @property
    def embedder(self) -> Embedder | None:
        """What finds passages by their meaning; ``None`` where words alone are searched."""
        vectors = vector_store(self._store)
        return None if vectors is None else vectors.embedder

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the store. Calling it twice is fine; any other call afterwards raises StoreFailedError."""
        with mapped():
            self._store.close()

    # ------------------------------------------------------------------------------------------------------ asking

    def ask(
        self,
        question: str,
        *,
        scope: Scope = None,
        policy: RetrievalPolicy | None = None,
        turn: int = 0,
        documents: Sequence[str] = (),
        attachments: Sequence[Attachment] = (),
    ) -> Answerable:
        """Retrieve for ``question`` and compile the prompt. The store is asked once.

        Args:
            question: Any text that shows something. It is the user's message and no part of the prompt.
            scope: Who asks: documents stored there and at every scope above it are visible, deployment-wide ones
                included, and no others.
            policy: Ceilings of this question in place of the settings'. The defences stay on whatever it says.
            turn: Number of the turn within the conversation.
            documents: Names of standing documents to show whole, in this order; asked for on behalf of ``scope``.
            attachments: Files that came with the question, to be read and shown whole, in this order. One that cannot
                be read, or does not fit, is left out with a reason, as a document is; ``explain()`` tells all of them.

        Raises:
            QuestionError: ``question`` is no text, or shows nothing.
            ScopeError: ``scope`` names nobody.
            SettingsError: ``turn`` is no whole number, or ``policy`` no RetrievalPolicy.
            InputError: ``documents`` are no names, or one stands twice, or ``attachments`` are none.
            WiringError: Under ``policy`` the retrieval could compile to nothing but a diagnostic, a contributor's
                source, or the store, asks the knowledge base that is asking it, documents are named and there is no
                store of them, or ``max_prompt_chars`` has no room for what was named and sent beside a retrieval.
            StoreFailedError: The store, or the reranker, failed.
            EmbedderFailedError: The embedder failed.
            CompileFailedError: The operator's text made no prompt, or sources that were admitted had no room in it,
                which only a counter can bring about.
            CounterFailedError: The settings' counter raised, or answered what is no count.
        """
        ask = partial(self._asked, question, scope, policy, turn, (documents, attachments))
        return ask() if self._observer is None else self._observer.asked(ask)

    def _asked(self, question: str, scope: Scope, policy: object, turn: int, files: tuple[Any, Any]) -> Answerable:
        check_question(question, turn)
        scope_path = scope_path_of(scope)
        wiring = self._wiring if policy is None else self._wired(policy, self._beside)
        with asking(self):
            enclosed = self._enclosures.read(*files, scope_path, turn)
            if enclosed.selections:
                beside = enclosed.beside(self._beside, self._settings)
                wiring = self._wired(self._settings.retrieval_policy() if policy is None else policy, beside)
            inquire = Inquiry if self._observer is None else self._observer.inquiry
            inquiry = inquire(self._retriever, question, wiring.policy, scope_aware=bool(scope_path))
            prompt = wiring.ask(inquiry, scope_path, turn)
        enclosed.refuse_lost(prompt)
        return Answerable(
            question=question,
            scope_path=scope_path,
            prompt=prompt,
            selections={KNOWLEDGE_ID: inquiry.selection},
            beside=self._beside.selections(prompt, scope_path, inquiry.selection),
            documents=enclosed.documents,
            standing=enclosed.standing,
            details=enclosed.details,
            hidden=enclosed.hidden,
            ceilings=ceilings_in_force(wiring, enclosed.ceilings),
        )

    def answer(  # noqa: PLR0913, D417 - one parameter for each decision; most are those of `ask`
        self,
        question: str,
        *,
        model: ChatModel,
        scope: Scope = None,
        policy: RetrievalPolicy | None = None,
        turn: int = 0,
        documents: Sequence[str] = (),
        attachments: Sequence[Attachment] = (),
        on_unknown: OnUnknown = "mark",
        render: Callable[[LedgerEntry, int], str] | None = None,
    ) -> Answering:
        """Ask, and have a model answer; its references are checked while the answer arrives.

        The question is compiled here; the model is asked when the first piece is asked for.

        Args:
            question, scope, policy, turn, documents, attachments: As in :meth:`ask`.
            model: Is sent the compiled prompt as system text and the question as the user's message.
            on_unknown: ``mark`` puts a fixed text in the place of a reference to a source that was never admitted,
                ``keep`` leaves it. Both report it.
            render: What to write in the place of an admitted reference, from its entry and its number, counted from 1
                by first appearance. ``None`` leaves references as they are.

        Raises:
            NothingAdmittedError: The prompt holds no source; no model is asked.
            SettingsError: ``on_unknown`` or ``render`` is none, or as :meth:`ask`.
            QuestionError, ScopeError, InputError, WiringError, StoreFailedError, EmbedderFailedError,
                CompileFailedError, CounterFailedError: As :meth:`ask`.
        """
        kind = Answering if self._observer is None else ObservedAnswering
        make = partial(kind, model=model, on_unknown=on_unknown, render=render, datamark=self._settings.datamark)
        ask = partial(self.ask, question, scope=scope, policy=policy, turn=turn)
        ask = partial(ask, documents=documents, attachments=attachments)
        return make(ask()) if self._observer is None else self._observer.answered(question, ask, make)

    def _wired(self, policy: object, beside: Beside) -> Wiring:
        if not isinstance(policy, RetrievalPolicy):
            raise SettingsError(
                f"the ceilings of a question are a RetrievalPolicy, not {type_name(policy)}; nothing was asked; "
                "pass one, or None for the settings'"
            )
        return Wiring.build(self._settings, self._keys, policy, beside)

    def search(
        self, question: str, *, scope: Scope = None, limit: int | None = None, min_score: float | None = None
    ) -> tuple[RetrievedFragment, ...]:
        """Rank what is visible for ``question``, best first, without the ceilings of a prompt.

        The rows went through the boundary (total order, proof of scope, no duplicates) and are raw: show their
        sources through ``safe_source`` and their lines through ``citation_line``.

        The store is asked for twice the limit. Where copies of one passage (the same source and text) fill that, it is
        asked for twice as many again, until ``limit`` rows are left, the store has no more, rows fall below the floor,
        or 10,000 rows beyond twice the limit were read. A reranker then scores all of them.

        Args:
            question: As in :meth:`ask`.
            scope: Who asks, as in :meth:`ask`.
            limit: Most rows; ``None`` is the settings' ``candidates``, for their ``limit`` is one of a prompt.
            min_score: Least score; ``None`` is the settings'.

        Raises:
            QuestionError: ``question`` is no text, or shows nothing.
            ScopeError: ``scope`` names nobody.
            SettingsError: ``limit`` or ``min_score`` is no ceiling.
            StoreFailedError: The store, or the reranker, failed.
            EmbedderFailedError: The embedder failed.
        """
        rank = partial(self._ranking, question, scope=scope, limit=limit, min_score=min_score)
        most = self._settings.candidates if limit is None else limit
        return (rank() if self._observer is None else self._observer.searched(rank, question, most)).rows

    def _ranking(self, question: str, *, scope: Scope, limit: int | None, min_score: float | None) -> Ranking:
        """As :meth:`search`, and whether that is all there is."""
        check_question(question, 0)
        scope_path = scope_path_of(scope)
        chosen = self._settings.changed(limit=limit, min_score=min_score)
        rows, floor = chosen.candidates if limit is None else chosen.limit, chosen.min_score
        return ranking_of(self._retriever, question, scope_path, limit=rows, min_score=floor, keys=self._keys)

    def passage_id(self, fragment: RetrievedFragment) -> str:
        """An id of a row nobody can guess: 40 characters made of place, text and key; empty where no place is said."""
        return id_of(fragment, self._keys)

    def passage(self, passage_id: str, *, scope: Scope = None) -> Answerable | None:
        """The passage of that id through the same boundary as a question's: same ceilings, same defences, alone.

        The selection tells whether it was admitted, and why not. It takes up to the time of reading the passages of one
        scope. ``None`` where ``scope`` sees no such passage, whoever else may: it is gone, changed, or another's.

        Raises:
            ScopeError: ``scope`` names nobody.
            StoreFailedError, CompileFailedError, CounterFailedError: As :meth:`ask`.
        """
        scope_path = scope_path_of(scope)
        with mapped():
            stored = find_passage(self._store, passage_id, scope_path, self._keys)
        return None if stored is None else asked_alone(passage_id, stored, scope_path, self._settings, self._keys)

    def invalidate(
        self, contribution_id: str | None = None, *, capability: str | None = None, scope: Scope = None
    ) -> int:
        """Have contributors read anew that were declared with ``requires_hydration=False``, at the next question.

        Of those a read is remembered for each scope, until this is called or the memory is full. What matches all that
        is given is forgotten, everything where nothing is; a read under way meanwhile is not remembered.

        Args:
            contribution_id: Of this contribution.
            capability: Of all that this capability declared.
            scope: For exactly this scope, not below it; ``None`` for every scope.

        Returns:
            How many remembered reads were forgotten.

        Raises:
            ScopeError: ``scope`` names nobody.
        """
        return self._beside.hydrator.invalidate(
            contribution_id=contribution_id, capability=capability, scope_path=exact_path_of(scope)
        )

    # ----------------------------------------------------------------------------------------------------- filling

    def ingest(
        self,
        *paths: str | os.PathLike[str],
        scope: Scope = None,
        prune: bool = False,
        on_progress: Callable[[IngestProgress], None] | None = None,
    ) -> IngestReport:
        """Read files and folders into the store. What did not change is left alone; a file that fails costs itself.

        Args:
            paths: Files and folders, of which at least one exists.
            scope: Who may see the documents: this scope and everything below it. ``None`` is everybody.
            prune: Whether documents of these paths whose files are gone are removed.
            on_progress: Is told about every file, in the calling thread.

        Raises:
            InputError: No path is given, one is empty or no path at all, or none of them exists. Nothing was stored,
                nothing removed.
            ScopeError: ``scope`` names nobody.
            SettingsError: ``on_progress`` cannot be called.
            WiringError: The store holds vectors and was opened without an embedder. Nothing was read.
            StoreFailedError: The store failed; what was stored before stays.
            EmbedderFailedError: The embedder embeds nothing at all; what was stored before stays.
        """
        scope_path = scope_path_of(scope)
        require_told(on_progress)
        check_paths(paths)
        require_paths(paths, prune=prune)
        limit = self._settings.max_file_bytes
        with mapped():
            require_embedder_for(self._store)
            return ingest(
                self._store,
                paths,
                scope_path=scope_path,
                policy=self._settings.chunk_policy(),
                prune=prune,
                max_file_bytes=MAX_FILE_BYTES if limit is None else limit,
                workers=self._settings.extraction_workers(),
                limits=self._settings.extraction_limits(),
                on_progress=on_progress,
                clock=time.monotonic,
            )

    def embed(self, *, anew: bool = False, on_progress: Callable[[IngestProgress], None] | None = None) -> int:
        """Give a vector to every passage that has none. Interrupted, it goes on where it was.

        Args:
            anew: Whether all vectors are dropped first, also those of another embedder, and made again with this one.
            on_progress: Is told about passages, in the calling thread.

        Returns:
            How many passages were embedded.

        Raises:
            SettingsError: ``on_progress`` cannot be called.
            WiringError: There is no embedder.
            StoreFailedError, EmbedderFailedError: The store or the embedder failed; what has a vector by then keeps it.
        """
        require_told(on_progress)
        told = None if on_progress is None else embedding_progress(on_progress, time.monotonic)
        with mapped():
            return embed(self._store, anew=anew, on_progress=told)

    def check(self) -> tuple[str, ...]:
        """What is wrong with the store, one sentence each; nothing where it is sound.

        Raises:
            WiringError: The store cannot tell.
            StoreFailedError: It could not be looked at.
        """
        with mapped():
            return faults_of(self._store)

    def build_index(self) -> bool:
        """Build the index of vectors of a store that has one, where it is missing; whether it is there now.

        Raises:
            WiringError: The store needs none.
            StoreFailedError: It could not be built.
        """
        with mapped():
            return indexed(self._store)

    def forget(self, pattern: str | None = None, *, scope: Scope = None) -> Removal:
        """Remove documents and passages from the store and its index, in one transaction.

        Args:
            pattern: A file, a label, an origin or a glob, as it is stored; where nothing is named by that, a label as
                it is shown, with or without its tag. It is looked for exactly at ``scope``, never above or below it;
                as a glob it is compared with origins only where it begins as one, with ``/`` or a scheme. Documents of
                one name and several origins all go; name an origin to take one of them.
            scope: Whose documents. Without a pattern everything stored there *and below* is removed.

        Raises:
            ScopeError: ``scope`` names nobody, or neither pattern nor scope is given.
            StoreFailedError: The store failed; nothing was removed.
        """
        scope_path = scope_path_of(scope)
        if pattern is None and not scope_path:
            raise ScopeError(
                "forgetting needs a pattern or a scope; without either it would empty the store and nothing was "
                "removed; pass the pattern '*' to forget all that the whole deployment shares"
            )
        with mapped():
            if pattern is None:
                return self._store.forget_scope(scope_path)
            removal = self._store.forget(pattern, scope_path=scope_path)
            return removal if removal != Removal() else forget_shown(self._store, pattern, scope_path)

    def vacuum(self) -> None:
        """Give the space of what was forgotten back to the file system; nothing of it stays in the file.

        Raises:
            StoreFailedError: The store failed.
        """
        with mapped():
            self._store.vacuum()

    # --------------------------------------------------------------------------------------------------- the account

    def documents(self, *, scope: Scope = None) -> tuple[DocumentRecord, ...]:
        """What is stored, by scope, file and origin: exactly at ``scope``, or everywhere when ``None``.

        This is the operator's view. Nothing here decides who may see it.

        Raises:
            ScopeError: ``scope`` names nobody.
            StoreFailedError: The store failed.
        """
        with mapped():
            return tuple(self._store.documents(scope_path=exact_path_of(scope)))

    def export(self, *, scope: Scope = None) -> Iterator[StoredChunk]:
        """Every passage with its document, one by one, in document order; ``scope`` as in :meth:`documents`.

        Raises:
            ScopeError: As :meth:`documents`.
            StoreFailedError: The store failed, here or while passages are read.
        """
        scope_path = exact_path_of(scope)
        return mapped_items(lambda: self._store.chunks(scope_path=scope_path))

    def stats(self) -> StoreStats:
        """Totals of the store.

        Raises:
            StoreFailedError: The store failed.
        """
        with mapped():
            return self._store.stats()

    def revision(self) -> int:
        """A number that grows with every change of content, seen the same by every process.

        Raises:
            StoreFailedError: The store failed.
        """
        with mapped():
            return self._store.revision()
