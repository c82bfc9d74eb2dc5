"""Stores with one fault each, as people build them in by accident, and the checks that have to find it.

Rules of this module: a class is an honest store but for what its docstring says. ``WORDS`` and ``VECTORS`` name, for
each, every check that fails with it; the first is for stores of words alone.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from symfonic.adapters.knowledge.ports import (
    Chunk,
    Document,
    EmbeddingError,
    EmbeddingSpace,
    Removal,
    StoreError,
    StoreStats,
)
from symfonic.capabilities.knowledge import scope_ancestors

from .honest import Content, Entry, HonestStore, Vector

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from symfonic.capabilities.knowledge import RetrievedFragment

# ----------------------------------------------------------------------------------------------------- what is kept


class Changing(HonestStore):
    """Changes passages on their way in."""

    def entry(self, document: Document, chunks: Sequence[Chunk], vectors: Any) -> Entry:
        one = super().entry(document, chunks, vectors)
        return replace(one, document=self.altered(one.document), chunks=tuple(map(self.change, one.chunks)))

    def altered(self, document: Document) -> Document:
        return document

    def change(self, chunk: Chunk) -> Chunk:
        return chunk


class RefusesToForgetNothing(HonestStore):
    """Takes it for an error that there is nothing to remove."""

    def forget_scope(self, scope_path: str) -> Removal:
        if not self.content.entries:
            raise StoreError("nothing there")
        return super().forget_scope(scope_path)


class CapsSizes(Changing):
    """Has a column of 32 bits."""

    def altered(self, document: Document) -> Document:
        return replace(document, size=min(document.size, 2**31 - 1))


class KeepsPagesAsTexts(Changing):
    """Keeps pages as texts."""

    def change(self, chunk: Chunk) -> Chunk:
        return replace(chunk, page=None if chunk.page is None else str(chunk.page))  # type: ignore[arg-type]


class StripsControls(Changing):
    """Cleans labels of control characters."""

    def change(self, chunk: Chunk) -> Chunk:
        return replace(chunk, label=re.sub("[\x00-\x08\x0e-\x1b]", "", chunk.label))


class NormalisesLineEnds(Changing):
    """Reads lines as a text file does."""

    def change(self, chunk: Chunk) -> Chunk:
        return replace(chunk, text=chunk.text.replace("\r\n", "\n").replace("\r", "\n"))


class CutsAtNul(Changing):
    """Hands texts to a library written in C."""

    def change(self, chunk: Chunk) -> Chunk:
        return replace(chunk, text=chunk.text.partition("\x00")[0])


class ReplacesSurrogates(Changing):
    """Encodes with errors="replace"."""

    def require_encodable(self, texts: Sequence[str]) -> None:
        pass

    def change(self, chunk: Chunk) -> Chunk:
        return replace(chunk, text=chunk.text.encode("utf-8", "replace").decode())


class LetsUnicodeErrorsThrough(HonestStore):
    """Raises what its engine raises."""

    def require_encodable(self, texts: Sequence[str]) -> None:
        "".join(texts).encode()


class CapsTexts(Changing):
    """Has a column of a fixed width."""

    def change(self, chunk: Chunk) -> Chunk:
        return replace(chunk, text=chunk.text[:65_535])


class AnswersOnePage(HonestStore):
    """Lists as many passages as its engine answers by default."""

    def in_order(self, chunks: Sequence[Chunk]) -> list[Chunk]:
        return super().in_order(chunks)[:500]


class KeepsOrderOfInsertion(HonestStore):
    """Lists passages as they came."""

    def in_order(self, chunks: Sequence[Chunk]) -> list[Chunk]:
        return list(chunks)


class SortsLikeADictionary(HonestStore):
    """Lists documents by the collation of a language."""

    def place(self, entry: Entry) -> tuple[str, str, str]:
        scope_path, file, origin = super().place(entry)
        return scope_path, file.casefold(), origin


class ListsWhatIsVisible(HonestStore):
    """Lists what searching would see."""

    def listed(self, scope_path: str | None) -> list[Entry]:
        paths = None if scope_path is None else scope_ancestors(scope_path)
        return [one for one in super().listed(None) if paths is None or one.document.scope_path in paths]


class AddsPassages(HonestStore):
    """Inserts again what is there already, under numbers of its own."""

    def store(self, entry: Entry) -> None:
        old = self.content.entries.get(self.key(entry.document))
        if old is not None and old.document.digest == entry.document.digest:
            more = tuple(replace(chunk, ordinal=chunk.ordinal + len(old.chunks)) for chunk in entry.chunks)
            entry = replace(old, chunks=old.chunks + more, vectors=old.vectors + entry.vectors)
        super().store(entry)


class KeepsTheTail(HonestStore):
    """Writes passages one over the other, so that a longer document's last ones stay."""

    def store(self, entry: Entry) -> None:
        old = self.content.entries.get(self.key(entry.document))
        if old is not None and entry.chunks:
            tail = [chunk for chunk in old.chunks if chunk.ordinal > entry.chunks[-1].ordinal]
            entry = replace(entry, chunks=(*entry.chunks, *tail), vectors=(*entry.vectors, *[None] * len(tail)))
        super().store(entry)


class IgnoresCaseOfOrigins(HonestStore):
    """Takes origins for names of files on a system that ignores case."""

    def key(self, document: Document) -> Any:
        return document.scope_path, document.origin.casefold()


class JoinsIdentities(HonestStore):
    """Makes one text of scope path and origin."""

    def key(self, document: Document) -> Any:
        return f"{document.scope_path}{document.origin}"


class HasNoBareDocuments(HonestStore):
    """Knows documents by their passages only."""

    def store(self, entry: Entry) -> None:
        super().store(entry)
        if not entry.chunks:
            self.content.entries.pop(self.key(entry.document))


class CountsKindsAsTheyCame(HonestStore):
    """Groups without ordering."""

    def stats(self) -> StoreStats:
        stats = super().stats()
        return replace(stats, kinds=stats.kinds[::-1])


class ForgetsToCount(HonestStore):
    """Has a change that leaves the revision as it was."""

    def forget(self, pattern: str, *, scope_path: str) -> Removal:
        before = self.content.revision
        removal = super().forget(pattern, scope_path=scope_path)
        self.content.revision = before
        return removal


class CountsReading(HonestStore):
    """Counts a search as a change."""

    def asked(self, query: str, vector: Any) -> Vector | None:
        self.changed()
        return super().asked(query, vector)


class LetsOrdinalsOverwrite(HonestStore):
    """Keys passages by ordinal, so that the last one stays."""

    def entry(self, document: Document, chunks: Sequence[Chunk], vectors: Any) -> Entry:
        return super().entry(document, list({chunk.ordinal: chunk for chunk in chunks}.values()), vectors)


class TakesAnyScope(HonestStore):
    """Takes a scope path for any text."""

    def ancestors(self, path: str) -> tuple[str, ...]:
        try:
            return super().ancestors(path)
        except StoreError:
            return (path,)

    def is_below(self, document: Document, scope_path: str) -> bool:
        return scope_path in self.ancestors(document.scope_path)


# ---------------------------------------------------------------------------------------------------- what is found


class CallsSlidesPages(HonestStore):
    """Has one name for every place."""

    def metadata(self, one: Document, chunk: Chunk) -> dict[str, Any]:
        return super().metadata(replace(one, kind="text"), chunk)


class IdentifiesPassages(HonestStore):
    """Gives each passage a document of its own."""

    def metadata(self, one: Document, chunk: Chunk) -> dict[str, Any]:
        data = super().metadata(one, chunk)
        return {**data, "document": f"{data['document']}#{chunk.ordinal}"}


class ParsesHeadings(HonestStore):
    """Keeps metadata beside the heading and merges whatever stands there."""

    def metadata(self, one: Document, chunk: Chunk) -> dict[str, Any]:
        data = super().metadata(one, chunk)
        return data | json.loads(chunk.heading, strict=False) if chunk.heading.startswith("{") else data


class StripsContent(HonestStore):
    """Answers texts without their first line's indent."""

    def shown(self, text: str) -> str:
        return text.strip()


class AnswersWorstFirst(HonestStore):
    """Leaves the order to whoever asks."""

    def cut(self, rows: list[RetrievedFragment], limit: int) -> list[RetrievedFragment]:
        return super().cut(rows, limit)[::-1]


class ScoresBeyondOne(HonestStore):
    """Passes the engine's scores on."""

    def score(self, wanted: frozenset[str], chunk: Chunk, asked: Vector | None, known: Vector | None) -> float:
        return 1.5 * super().score(wanted, chunk, asked, known)


class RefusesHugeLimits(HonestStore):
    """Hands the limit to an engine of 32 bits."""

    def cut(self, rows: list[RetrievedFragment], limit: int) -> list[RetrievedFragment]:
        if limit >= 2**31:
            raise StoreError("out of range")
        return super().cut(rows, limit)


class CapsLimits(HonestStore):
    """Answers at most ten rows."""

    def cut(self, rows: list[RetrievedFragment], limit: int) -> list[RetrievedFragment]:
        return super().cut(rows, min(limit, 10))


class CutsTiesUnsorted(HonestStore):
    """Has the engine answer 200 rows and sorts those."""

    def ranked(self, rows: list[RetrievedFragment]) -> list[RetrievedFragment]:
        return super().ranked(sorted(rows, key=lambda row: -row.score)[:200])


class RefusesLongQuestions(HonestStore):
    """Has a query language with a limit."""

    def words(self, text: str) -> frozenset[str]:
        if len(text) > 50_000:
            raise StoreError("too many terms")
        return super().words(text)


class RepairsWhileChecking(HonestStore):
    """Changes something when it is only asked."""

    def check(self) -> tuple[str, ...]:
        self.changed()
        return super().check()


# -------------------------------------------------------------------------------------------------- what is removed


class CountsWhatWasAsked(HonestStore):
    """Tells how many documents it was given, not how many it took out."""

    def remove(self, documents: Iterable[Document]) -> Removal:
        asked = list(documents)
        return replace(super().remove(asked), documents=len(asked))


class RemovesByDigest(HonestStore):
    """Removes only what is the same in every field."""

    def remove(self, documents: Iterable[Document]) -> Removal:
        stored = [
            one for one in documents if (entry := self.content.entries.get(self.key(one))) and entry.document == one
        ]
        return super().remove(stored)


class RemembersRemovedWords(HonestStore):
    """Counts in its scores what was taken out."""

    taken = 0

    def drop(self, keys: Collection[Any]) -> Removal:
        self.taken += len(keys)
        return super().drop(keys)

    def score(self, wanted: frozenset[str], chunk: Chunk, asked: Vector | None, known: Vector | None) -> float:
        return super().score(wanted, chunk, asked, known) / (1 + self.taken / 1000)


class VacuumsTooMuch(HonestStore):
    """Loses a document when it gives space back."""

    def vacuum(self) -> None:
        super().vacuum()
        self.content.entries.popitem()


class ForgetsBelow(HonestStore):
    """Forgets at the scopes below as well."""

    def is_here(self, entry: Entry, scope_path: str) -> bool:
        return self.is_below(entry.document, scope_path)


class ForgetsNoPassages(HonestStore):
    """Knows files only."""

    def thin(self, entry: Entry, wanted: Callable[[str], bool]) -> int:
        return 0


class LeavesDigests(HonestStore):
    """Takes passages out of a document and calls it complete."""

    def incomplete(self, document: Document) -> Document:
        return document


class ForgetsLikeSql(HonestStore):
    """Hands the pattern to LIKE."""

    def named(self, scope_path: str, wanted: Callable[[str], bool]) -> Removal:
        return super().named(scope_path, lambda name: wanted(name) or wanted(name.replace("x", "_", 1)))


class ForgetsAnyCase(HonestStore):
    """Compares patterns as some file systems do."""

    def named(self, scope_path: str, wanted: Callable[[str], bool]) -> Removal:
        return super().named(scope_path, lambda name: wanted(name) or wanted(name.swapcase()))


class ForgetsBeginnings(HonestStore):
    """Takes what begins with the path, so acme takes acme-labs along."""

    def is_below(self, document: Document, scope_path: str) -> bool:
        return document.scope_path.startswith(scope_path)


class LeavesWhatIsBelow(HonestStore):
    """Forgets one scope, and not those below it."""

    def is_below(self, document: Document, scope_path: str) -> bool:
        return document.scope_path == scope_path or not scope_path


# ------------------------------------------------------------------------------------------------- whole or absent


class DeletesFirst(HonestStore):
    """Deletes the old document before it has looked at the new one."""

    def put(self, document: Document, chunks: Sequence[Chunk], *, vectors: Any = None) -> None:
        with self.content.lock:
            self.content.entries.pop(self.key(document), None)
            super().put(document, chunks, vectors=vectors)


class CommitsBatches(HonestStore):
    """Commits every hundred passages."""

    def put(self, document: Document, chunks: Sequence[Chunk], *, vectors: Any = None) -> None:
        if len(chunks) > 100 and vectors is None:
            for end in range(100, len(chunks), 100):
                super().put(document, [chunks[at] for at in range(end)])
        super().put(document, chunks, vectors=vectors)


class LetsTheFirstWin(HonestStore):
    """Keeps the first of several documents under one identity."""

    def put_many(self, items: Iterable[Any]) -> None:
        first: dict[Any, Any] = {}
        for item in items:
            first.setdefault(self.key(item[0]), item)
        super().put_many(first.values())


class GoesOnAfterAFault(HonestStore):
    """Stores what stands behind a document that is refused."""

    def put_many(self, items: Iterable[Any]) -> None:
        failed = None
        for document, chunks, vectors in items:
            try:
                self.put(document, chunks, vectors=vectors)
            except StoreError as error:
                failed = error
        if failed:
            raise failed


# ---------------------------------------------------------------------------------------- handles, threads, closing


class LosesContent(HonestStore):
    """Keeps content for as long as it is open."""

    def close(self) -> None:
        super().close()
        self.content.entries.clear()


class RemembersAnswers(HonestStore):
    """Keeps what is visible until it changes something itself."""

    seen: dict[Any, Any] | None = None

    def visible(self, paths: Collection[str]) -> list[Entry]:
        self.seen = self.seen or dict(self.content.entries)
        return [entry for entry in self.seen.values() if entry.document.scope_path in paths]

    def changed(self) -> None:
        super().changed()
        self.seen = None


class DeletesThenInserts(HonestStore):
    """Replaces a document in two steps, without a lock."""

    def put(self, document: Document, chunks: Sequence[Chunk], *, vectors: Any = None) -> None:
        self.require_open()
        entry = self.entry(document, chunks, vectors)
        self.content.entries.pop(self.key(document), None)
        self.changed()
        self.content.entries[self.key(document)] = entry


class WritesBackACopy(HonestStore):
    """Reads everything, adds to it and writes it back, without a lock."""

    def put(self, document: Document, chunks: Sequence[Chunk], *, vectors: Any = None) -> None:
        self.require_open()
        entry = self.entry(document, chunks, vectors)
        entries = dict(self.content.entries)
        entries[self.key(document)] = entry
        self.changed()
        self.content.entries = entries


class CountsBeforeItRemoves(HonestStore):
    """Looks what is there and removes it later, without a lock."""

    def remove(self, documents: Iterable[Document]) -> Removal:
        self.require_open()
        keys = {self.key(one) for one in documents} & self.content.entries.keys()
        found = [self.content.entries[key] for key in keys if key in self.content.entries]
        removal = Removal(documents=len(found), chunks=sum(len(entry.chunks) for entry in found))
        for key in keys:
            self.content.entries.pop(key, None)
        if found:
            self.changed()
        return removal


class ClosesOnce(HonestStore):
    """Takes a second close for an error."""

    def close(self) -> None:
        self.require_open()
        super().close()


class VacuumsWhenClosed(HonestStore):
    """Has a method that nobody thought of."""

    def vacuum(self) -> None:
        pass


class AnswersWhenClosed(HonestStore):
    """Searches on."""

    def require_open(self) -> None:
        pass


class TakesTheConnectionAway(HonestStore):
    """Closes under whoever is searching, who meets the engine's own error."""

    def __init__(self, content: Content | None = None, embedder: Any = None) -> None:
        super().__init__(content, embedder)
        self.connection = {"open": True}

    def require_open(self) -> None:
        if not self.connection:
            raise StoreError("the store is closed")

    def row(self, one: Entry, chunk: Chunk, score: float) -> RetrievedFragment:
        self.connection["open"]
        return super().row(one, chunk, score)

    def close(self) -> None:
        self.connection.clear()


# ------------------------------------------------------------------------------------------------------- vectors


class _Wrapped:
    def __init__(self, embedder: Any) -> None:
        self.name = embedder.name
        self.dimensions = embedder.dimensions
        self.embed_documents = embedder.embed_documents
        self.embed_query = embedder.embed_query


class HidesItsEmbedder(HonestStore):
    """Tells another one than it was given."""

    def __init__(self, content: Content | None = None, embedder: Any = None) -> None:
        super().__init__(content, embedder and _Wrapped(embedder))


class MixesVectorsUp(HonestStore):
    """Gives each passage another's vector."""

    def vectors(self, document: Document, chunks: Sequence[Chunk], given: Any) -> tuple[Vector | None, ...]:
        found = super().vectors(document, chunks, given)
        return found if given is None else found[::-1]


class EmbedsTextsAlone(HonestStore):
    """Leaves headings out."""

    def embedded(self, chunk: Chunk) -> str:
        return super().embedded(replace(chunk, heading=""))


class TakesProducts(HonestStore):
    """Compares by a product, which grows with length."""

    def cosine(self, one: Vector, other: Vector) -> float:
        return sum(x * y for x, y in zip(one, other, strict=True))


class TakesMagnitudes(HonestStore):
    """Forgets the sign."""

    def cosine(self, one: Vector, other: Vector) -> float:
        return abs(super().cosine(one, other))


class LendsVectors(HonestStore):
    """Takes a vector from wherever the text is stored."""

    def is_near(self, entry: Entry, scope_path: str) -> bool:
        return True


class EmbedsEverything(HonestStore):
    """Never asks what it knows."""

    def made(self, texts: list[str], scope_path: str) -> tuple[Vector | None, ...]:
        return tuple(tuple(vector) for vector in self.embedder.embed_documents(texts))


class TakesNaN(HonestStore):
    """Stores what is no number."""

    def sound(self, vector: Iterable[Any]) -> Vector:
        numbers = tuple(vector)
        super().sound(tuple(0.5 if isinstance(one, float) and math.isnan(one) else one for one in numbers))
        return numbers


class TakesZeros(HonestStore):
    """Stores what points nowhere."""

    def sound(self, vector: Iterable[Any]) -> Vector:
        numbers = tuple(vector)
        return super().sound(numbers) if any(numbers) else super().sound(tuple(1.0 for _ in numbers))


class PadsVectors(HonestStore):
    """Gives passages without a vector the last one's."""

    def vectors(self, document: Document, chunks: Sequence[Chunk], given: Any) -> tuple[Vector | None, ...]:
        vectors = None if given is None else list(given)
        if vectors and len(vectors) < len(chunks):
            vectors += [vectors[-1]] * (len(chunks) - len(vectors))
        return super().vectors(document, chunks, vectors)


class StoresBeforeItReadsVectors(HonestStore):
    """Writes passages, then their vectors."""

    def put(self, document: Document, chunks: Sequence[Chunk], *, vectors: Any = None) -> None:
        if vectors is not None and not isinstance(vectors, list):
            super().put(document, chunks)
        super().put(document, chunks, vectors=vectors)


class FallsBackOnWords(HonestStore):
    """Answers with less where the embedder fails, and says nothing."""

    def asked(self, query: str, vector: Any) -> Vector | None:
        try:
            return super().asked(query, vector)
        except EmbeddingError:
            return None


class ComparesDimensions(HonestStore):
    """Takes any embedder whose vectors are as long."""

    def space(self) -> EmbeddingSpace:
        return replace(super().space(), name="any")


class KeepsOldVectors(HonestStore):
    """Does not drop them for another embedder."""

    def embed(self, *, anew: bool = False, on_progress: Any = None) -> int:
        return super().embed(on_progress=on_progress)


class EmbedsAgain(HonestStore):
    """Embeds everything every time."""

    def embed(self, *, anew: bool = False, on_progress: Any = None) -> int:
        return super().embed(anew=True, on_progress=on_progress)
