"""What the suite for stores demands.

Rules of this module: texts only; :class:`Rule` gives them their layout.
"""

from __future__ import annotations

from typing import Final

from ._rules import Rule

WORKS: Final = Rule(
    "A store does what the port says, and raises StoreError only where it fails.",
    "a method is missing, takes other arguments, or lets an error of the underlying library through",
    "compare the method with KnowledgeStore in adapters/knowledge/ports.py",
)
HOLLOW: Final = Rule(
    "An empty store lists nothing, finds nothing, counts nothing, and removing from it removes nothing.",
    "make_store gives a store of an earlier check, or the store fills itself",
    "make a new, empty store every time",
)
KEPT: Final = Rule(
    "Documents and passages come back as they were put: every field, every character.",
    "a field has no column, text is trimmed, normalised or escaped, or empty and missing are mixed up",
    "store all fields of Document and Chunk as they are, and normalise only what is indexed beside them",
)
HOSTILE: Final = Rule(
    "Whatever characters a text holds, it is kept as it is; NUL and lone surrogates may be refused with StoreError.",
    "a value is pasted into SQL, JSON, a filter or a name of a file, or cut at a character",
    "hand values to the engine as parameters; refuse what it has no place for before anything is written",
)
LARGE: Final = Rule(
    "A document is kept whole, however long a passage is and however many there are.",
    "a column, a request or a page has a limit, and what is beyond it is left out",
    "read and write in pages to the end, and refuse with StoreError what does not fit",
)
BY_ORDINAL: Final = Rule(
    "Passages come by ordinal, in whatever order they were put.",
    "they are listed in the order of insertion, or ordinals are compared as texts",
    "order by the number of the passage",
)
LISTED: Final = Rule(
    "Documents come by scope path, file and origin, compared by code point, in whatever order they were put.",
    "the order of insertion, a collation of a language, or UTF-16 decides",
    "sort by (scope_path, file, origin), in SQL with a binary collation",
)
PLACED: Final = Rule(
    "documents, chunks and get answer for exactly the scope path they are asked for; None means all.",
    "they include ancestors or scopes below, as searching does, or compare beginnings",
    "compare the scope path for equality",
)
ONCE: Final = Rule(
    "A document that is put again is there once, and nothing about it changes.",
    "rows are added where they should replace, or keyed by something that is new each time",
    "delete what is stored under (scope_path, origin) and insert, in one transaction",
)
REPLACED: Final = Rule(
    "A document that is put again is replaced whole: of the old one no passage, word or count is left.",
    "passages are written over one by one, so that those behind the new end stay, or an index keeps old words",
    "delete all passages stored under (scope_path, origin) before the new ones are inserted, in one transaction",
)
IDENTITY: Final = Rule(
    "(scope_path, origin) is the identity of a document, compared exactly; file and content do not count.",
    "the key is the file, the digest, the origin alone, or a normalised or joined form of them",
    "make both a key of two columns, or hash them with a sign between that neither can hold",
)
BARE: Final = Rule(
    "A document without passages is stored, listed, counted and removed like any other.",
    "documents are only known by their passages",
    "keep a record of its own for each document",
)
COUNTED: Final = Rule(
    "stats counts what is stored: documents, passages, characters, by scope in path order, by kind in name order.",
    "totals are kept beside the content and one change forgets them, or bytes are counted for characters",
    "count when asked, or in the same transaction as every change",
)
GROWS: Final = Rule(
    "revision grows with every change of content and with nothing else.",
    "it is a count of documents, a time, or one kind of change forgets it",
    "keep a number beside the content and add one in the transaction of each change",
)
REMOVED: Final = Rule(
    "remove takes out the documents it is given, by identity, counts them once, and passes over those not stored.",
    "the scope is not compared, passages stay behind, or the count is of what was asked and not of what was found",
    "delete by (scope_path, origin), and count what was deleted",
)
FORGOTTEN: Final = Rule(
    "forget takes out documents by file and passages by label, exactly at the scope path, and counts them.",
    "labels or files are not compared, or the scope path is compared as searching does",
    "compare the pattern with every file and label stored exactly at the scope path",
)
GLOB: Final = Rule(
    "An exact match counts first; only where there is none is the pattern a glob, with *, ? and [...], case sensitive.",
    "the pattern goes to LIKE or a regular expression, or is always read as a glob",
    "look for equality first; then use fnmatch.translate, never LIKE",
)
INCOMPLETE: Final = Rule(
    "A document that lost a passage has another digest, so that the next ingest stores it anew.",
    "the passage goes and the document's record stays as it was",
    "clear the digest, and count the passages and characters that are left",
)
BELOW: Final = Rule(
    "forget_scope takes out the scope path and everything below it, nothing beside it, and '' is everything.",
    "the path is compared as a beginning of a text, so acme takes acme-labs along, or what is below stays",
    "delete where path = :path or path starts with :path + U+001F, and everything for ''",
)
GONE: Final = Rule(
    "What was removed is found no more and counts in no score.",
    "an index, a cache or statistics keep it",
    "take it out of every index in the same transaction",
)
VACUUM: Final = Rule(
    "vacuum changes nothing of what is stored.",
    "it rebuilds the store and loses something on the way",
    "do nothing where the engine has no such thing",
)
NO_SCOPE: Final = Rule(
    "What is no scope path is refused by put with StoreError, and reaches no content anywhere.",
    "the path is taken as a text, so that the beginning of a real one reaches what lies below",
    "call scope_ancestors(scope_path) first, and raise StoreError from its BridgeContractError",
)
ORDINALS: Final = Rule(
    "Two passages of one document with the same ordinal are refused with StoreError, and nothing is stored.",
    "one overwrites the other, or both are kept and their order is left to chance",
    "compare the ordinals before anything is written",
)
WHOLE: Final = Rule(
    "A put that fails changes nothing: the document that was there stays whole, and the store can be used.",
    "the old document is deleted, or passages are written, before the last passage was read and looked at",
    "read and check everything first, then write in one transaction and roll it back on any error",
)
BULK: Final = Rule(
    "put_many stores what put would; of several documents under one identity the last one stays.",
    "documents of one batch are told apart by file, or the first one wins",
    "store each as put does, within a transaction for several",
)
PREFIX: Final = Rule(
    "After an error in put_many those at the beginning are stored, without a gap, each whole.",
    "documents of a batch are written in another order, or what stood behind the fault is stored as well",
    "stop at the first fault; commit whole documents, in their order",
)
SOUND: Final = Rule(
    "check finds nothing wrong with a store that was only used, and changes nothing.",
    "a change forgets an index or a total, or check repairs what it sees",
    "see what check says; it only reads",
)
METADATA: Final = Rule(
    "Metadata says where a row comes from: scope_path, document, file, ordinal, and where known page and heading.",
    "a key is missing or has another name, or document is the same for two documents, or not for one",
    "build the metadata from the Document and Chunk that were put; slide and sheet by the kind of the document",
)
SHADOWED: Final = Rule(
    "No content, name or heading writes metadata: scope_path and document come from the Document that was put.",
    "fields are joined to a text and parsed again, or metadata of the engine is merged over the store's own",
    "write the reserved keys last, from values of their own",
)
CONTENT: Final = Rule(
    "Content of a row is retrieved_text of its passage, and its source the passage's label.",
    "the text is answered with its blank lines, loses its first line's indent, or the file stands for the label",
    "call ports.retrieved_text on the stored text when a row is built",
)
RANKED: Final = Rule(
    "Rows come best first under (-score, source, content), each score in [0, 1].",
    "rows come in the order of the engine, or distances and negative cosines are passed on",
    "normalise the score, and sort by (-score, source, content)",
)
HUGE: Final = Rule(
    "A huge limit answers all that is found, and a limit of one the best row.",
    "the limit is multiplied or handed to an engine that takes no such number, or is capped silently",
    "cap the limit at the number of visible passages before the engine is asked",
)
CROWDED: Final = Rule(
    "Where many rows tie at the cut, those first by source and content are among the answer, in whatever order stored.",
    "the engine cuts ties by its own order before the store sorts them",
    "fetch past the cut until the score falls, and cut under (-score, source, content)",
)
QUERIES: Final = Rule(
    "No question raises, nor shows anything but stored rows, also over passages full of quotes and operators.",
    "the question or a stored text is pasted into a query, or a very long question has too many terms",
    "pass values as parameters, and bound the number of terms",
)
HANDLES: Final = Rule(
    "Two handles on one store see the same content, and each sees at once what the other changed.",
    "a handle keeps content, counts or an index in memory and never looks whether they changed",
    "read what is stored for every call, or compare the revision first",
)
SURVIVES: Final = Rule(
    "What was put is there after the store is closed and opened again.",
    "content is written when the object feels like it, or lives in memory",
    "commit before put returns",
)
TORN: Final = Rule(
    "Whoever reads while a document is replaced sees the old one or the new one, whole.",
    "the old one is deleted before the new one is there, outside a transaction or a lock, or an answer reads twice",
    "change in one transaction, and read each answer in one",
)
TURNS: Final = Rule(
    "Writers take turns: whatever several threads put at once is all there, each document whole.",
    "a read-modify-write without a lock, or a busy engine's error that is not waited for",
    "let writers wait for each other, by a lock in the process and a timeout in the engine",
)
TWICE: Final = Rule(
    "Closing a store twice is fine.",
    "the connection is closed again, or set to None and used",
    "let close remember that it was called",
)
CLOSED: Final = Rule(
    "After close every other call raises StoreError.",
    "a connection is opened anew, an error of the engine comes through, or a listing is looked at only when it is read",
    "ask whether the store is open at the beginning of every method, and of every iterator",
)
CLOSING: Final = Rule(
    "A search that meets a close in another thread answers whole or raises StoreError.",
    "the connection is taken away under the search and the engine's own error, or half an answer, comes through",
    "let close wait for running calls, or turn the engine's errors into StoreError",
)

# ------------------------------------------------------------------------------------------------ stores with vectors

VECTORS: Final = Rule(
    "A VectorStore has embedder, search(..., vector=), put(..., vectors=), known_vectors and embed.",
    "a part of the port is missing, or reopen_with gives a store without its embedder",
    "compare the store with VectorStore in adapters/knowledge/ports.py",
)
GIVEN: Final = Rule(
    "Vectors that are given are used: nothing is embedded, and the passage nearest to a question's vector comes first.",
    "given vectors are left aside, or kept for the wrong passages",
    "store the vectors in the order of the passages",
)
MADE: Final = Rule(
    "Passages without vectors get those of the embedder, of embedded_text, and stats tells how many and whose.",
    "other text is embedded, or a passage is passed over",
    "embed ports.embedded_text of every passage in put, and count vectors and their space in stats",
)
KNOWN: Final = Rule(
    "known_vectors answers the vector of each text stored exactly at the scope path, in order, else None.",
    "scopes lend each other vectors, texts are compared loosely, or what was removed is still known",
    "key vectors by scope path and a digest of embedded_text",
)
REUSED: Final = Rule(
    "No text that has a vector at the very scope path is embedded again, and another scope's is never taken.",
    "put embeds everything, or takes a vector from any scope",
    "ask known_vectors first, with the document's scope path",
)
NO_VECTOR: Final = Rule(
    "Vectors that are not one for each passage, of the dimensions, finite and other than zero are a StoreError; "
    "nothing changes.",
    "the engine takes any numbers, or fails when the old document is gone already",
    "check length, math.isfinite and that one number is not zero before anything is written",
)
FAILS: Final = Rule(
    "What the embedder raises is an EmbeddingError, and nothing changes.",
    "it is turned into a StoreError or an answer without meaning, or comes when the old document is gone already",
    "embed before anything is written, and let EmbeddingError through",
)
OTHER: Final = Rule(
    "The vectors of one embedder are never compared with another's: StoreError until embed(anew=True).",
    "only the dimensions are compared, or nothing is",
    "keep the embedder's name and dimensions beside the vectors, and compare both",
)
EMBEDS: Final = Rule(
    "embed gives vectors to the passages that have none, tells how many, and does nothing the second time.",
    "passages that were put without an embedder are passed over, or everything is embedded every time",
    "look for passages without a vector; only with anew=True drop what is there",
)
