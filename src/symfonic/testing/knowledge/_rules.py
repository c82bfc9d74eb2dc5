"""What the conformance suite demands, and how it says that something broke it.

Rules of this module: texts and their layout. A message names the rule, what was seen, the likely cause and the remedy;
it shows few rows and little of each, for a store may be full.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_SHOWN: Final = 3
_MOST_CHARACTERS: Final = 60


class Rule(NamedTuple):
    """One demand of the suite."""

    rule: str
    cause: str
    remedy: str

    def broken(self, seen: str) -> str:
        """Say that it does not hold."""
        return f"{self.rule}\n  seen:         {seen}\n  likely cause: {self.cause}\n  remedy:       {self.remedy}"


def shown(value: object) -> str:
    """``value`` in ASCII, cut to a few characters."""
    text = ascii(value)
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 3]}..."


def listed(rows: Iterable[tuple[object, ...]]) -> str:
    """The first of these rows and how many more there are."""
    every = list(rows)
    texts = [f"({', '.join(map(shown, row))})" for row in every[:_MOST_SHOWN]]
    more = len(every) - len(texts)
    return ", ".join([*texts, f"and {more} more"] if more else texts) or "none"


def difference(wanted: Iterable[tuple[object, ...]], seen: Iterable[tuple[object, ...]]) -> str:
    """Rows that are missing and rows that should not be there; empty where the two hold the same rows."""
    wants, sees = Counter(wanted), Counter(seen)
    parts = {"missing": wants - sees, "not expected": sees - wants}
    return "; ".join(f"{name}: {listed(rows.elements())}" for name, rows in parts.items() if rows)


# ------------------------------------------------------------------------------------------------------ any retriever

TIME: Final = Rule(
    "A check ends within deadline_seconds.",
    "the retriever blocks, for example on a lock that an unread answer holds, or is slower than deadline_seconds",
    "release what an answer holds before search returns; raise deadline_seconds where the store is only slow",
)
LIMITATION: Final = Rule(
    "A limitation that is declared is there, names a check of the suite, and has a reason.",
    "the store has learnt what it could not do, or the name of the check is misspelt",
    "take it out of limitations, or correct it",
)
SEARCH: Final = Rule(
    "A retriever has search(query, limit).",
    "make_retriever returned something else than the retriever",
    "return an object whose search takes a question and a limit, both by position",
)
SCOPED: Final = Rule(
    "A retriever that is asked on behalf of a scope takes the keyword scope_path.",
    "the retriever is bound to one scope, or names the argument otherwise",
    "inherit BoundRetrieverConformance for a bound one; otherwise write search(self, query, limit, *, scope_path)",
)
BOUND: Final = Rule(
    "A retriever that is bound to its scope takes a question and a limit and needs nothing else.",
    "the retriever is asked on behalf of a scope",
    "inherit RetrieverConformance for one that takes scope_path",
)
ANSWER: Final = Rule(
    "search answers rows: a list, a generator, anything that can be iterated.",
    "nothing was found and None was returned, or search is asynchronous",
    "return an empty list; adapt an asynchronous store once, so that search is an ordinary function",
)
ROW: Final = Rule(
    "Every row is a RetrievedFragment.",
    "the store's own rows, such as dicts or records, are passed on",
    "build RetrievedFragment(content, source, score, {'scope_path': where it was stored}) from each",
)
FIELDS: Final = Rule(
    "Content and source are text, the score is a finite real number.",
    "a column holds None or bytes, or a similarity was divided by zero",
    "convert in the adapter, and leave out rows that have no score",
)
RAISES: Final = Rule(
    "No question raises.",
    "the question reaches a query language that reads quotes, stars or words such as AND as operators",
    "take the words out of the question, or quote it as the store demands",
)
FOUND: Final = Rule(
    "A question finds the passages it shares words with.",
    "make_retriever does not store its rows, stores fewer, or the embedder of the test does not compare words",
    "store every row that make_retriever is given, and wait until the store answers for them",
)
BEST: Final = Rule(
    "The passage with all the words of a question has a higher score than any other: higher is better.",
    "the store answers distances or ranks, where lower is better, or the same score for everything it finds",
    "turn distances round, for example 1 / (1 + distance), and pass on the score the store ranks by",
)
VERBATIM: Final = Rule(
    "Content and source come back character for character; white space at the ends of content may go.",
    "the store or the adapter trims names, changes case, normalises, escapes or cuts text",
    "store the text as it is, and normalise only what is indexed beside it",
)
SEVERAL: Final = Rule(
    "Each passage is a row of its own: a source has many passages, and a passage may stand in many sources.",
    "rows are keyed by the source, or by a hash of the content alone",
    "key a row by scope path, source and content or position, or by a number of its own",
)
NAMES: Final = Rule(
    "Sources are told apart character by character.",
    "names are stripped, lower-cased or normalised where they serve as a key",
    "use the name as it is",
)
LIMIT: Final = Rule(
    "At most `limit` rows are answered, but for ties: more may come only with the score of the last one within it.",
    "the limit is not handed to the store, or is off by one",
    "cut after ranking, and hand on rows beyond the cut only where their score equals that of the last row",
)
RANDOM: Final = Rule(
    "The same question gets the same answer, also where rows tie.",
    "ties are decided at random, by thread or by the address of an object",
    "rank by (-score, source, content), or answer every row that ties at the cut",
)
ORDER: Final = Rule(
    "Which of several tied rows a limit leaves out does not depend on the order they were stored in.",
    "a sort by score alone keeps the order of insertion among ties",
    "rank by (-score, source, content), or answer every row that ties at the cut",
)
SAME: Final = Rule(
    "The same question over the same rows gets the same answer.",
    "the search is approximate or random, the scores depend on earlier questions, or an answer can be read once only",
    "search exactly in this test, fix seeds, and build each answer anew",
)
HELD: Final = Rule(
    "An answer that was given stays as it was.",
    "one list or row object is filled again for every question",
    "build a new list and new rows for each answer",
)
UNREAD: Final = Rule(
    "An answer that nobody reads to its end changes nothing for the next question, and can be read on later.",
    "answers share a cursor or a connection",
    "read the store to the end inside search, or give each answer a cursor of its own",
)
ZERO: Final = Rule(
    "A limit of zero answers nothing and does not raise.",
    "zero is taken for `no limit`, or is refused by the store",
    "return an empty list for a limit below one, before the store is asked",
)
NEGATIVE: Final = Rule(
    "A limit below zero answers nothing, or raises an error of the retriever's own choice.",
    "a slice such as rows[:limit] counts from the end, or the store takes -1 for `no limit`",
    "return an empty list for a limit below one, before the store is asked",
)
EMPTY: Final = Rule(
    "An empty store answers nothing.",
    "a default row, or rows of an earlier store that were not cleared",
    "give make_retriever an empty store every time",
)
THREADS: Final = Rule(
    "A retriever is shared by the requests of a service: asked from many threads, it answers as it would alone.",
    "search keeps something in the object between its lines, such as the question, a cursor or its list of hits",
    "keep everything that belongs to one search in local names, or give each thread its connection",
)

# ---------------------------------------------------------------------------------------- asked on behalf of a scope

STAMP: Final = Rule(
    "metadata['scope_path'] of every row says where it was stored; '' is the whole deployment.",
    "the row is answered without the scope path it was stored under",
    "keep the scope path beside each row in the store and put that into the metadata, not the path that was asked for",
)
SCOPES: Final = Rule(
    "A scope sees the rows stored for it and for the scopes above it, never those beside it or below it.",
    "there is no filter, it compares beginnings or the asked path alone, or rows carry the path that was asked for",
    "filter by scope_path in scope_ancestors(path), and stamp each row with the path it was stored under",
)
EXACT: Final = Rule(
    "Scope paths are compared whole and exactly, as scope_ancestors gives them.",
    "a comparison that ignores case, knows wildcards or normalises; pairs joined by a sign that an id may hold, "
    "such as '/' or ':'; or a cache that forgets the scope",
    "store the path as it is, joined by U+001F, and compare for equality",
)
WHOLE: Final = Rule(
    "Scope paths are told apart whole, also where they are long and alike for three hundred characters.",
    "a column, key or name of a collection cuts the path",
    "store the whole path, or a digest of all of it such as SHA-256",
)
KEYED: Final = Rule(
    "Rows of one scope never replace rows of another, however alike they are.",
    "rows are keyed by source or content without the scope path",
    "make the scope path a part of the key",
)
PUSHED: Final = Rule(
    "Rows of others never push out a scope's own, however many there are and however well they score.",
    "the store ranks and cuts everybody's rows first and filters by scope afterwards; asking for a few times as many "
    "rows only moves the number at which that fails",
    "filter inside the store's query, before ranking and cutting, or keep an index for each scope",
)
STATISTICS: Final = Rule(
    "What others have stored moves no score: a tenant could read another's words from its own scores.",
    "word counts or lengths are taken over the whole store",
    "count over the rows that can be seen from the scope, or score each row by itself",
)
LATE: Final = Rule(
    "An answer that is read late keeps the scope it was asked for.",
    "a generator looks the scope up in the object while it is read",
    "keep the scope of a search in a local name",
)
QUESTION: Final = Rule(
    "No question shows more than the scope it is asked for.",
    "the question is pasted into the filter, or a question without words skips it",
    "hand question and scope to the store as two parameters, and filter every answer",
)
