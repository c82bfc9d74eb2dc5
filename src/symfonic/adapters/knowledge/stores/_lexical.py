"""What a question asks for in words, and how well a passage answers it: analysis, BM25, similarity.

Rules of this module: no store and no file. The only thing of SQLite here is its tokenizer, run in memory, so that a
question is cut and stemmed exactly as the index was. A score depends on the question and on the visible passages only:
the caller hands in counts over what is visible, never over the whole table.

BM25 (Robertson and Zaragoza, 2009), with an inverse document frequency that is always positive::

    idf(t)    = ln(1 + (N - n(t) + 0.5) / (n(t) + 0.5))
    gain(t,p) = idf(t) * f * (K1 + 1) / (f + K1 * (1 - B + B * length(p) / mean length))

``N`` visible passages, ``n(t)`` of them hold the term, ``f`` counts the term in the passage; words of the context
(label and headings) count :data:`CONTEXT_WEIGHT` times, in ``f`` and in the length alike.
"""

from __future__ import annotations

import contextlib
import math
import os
import sqlite3
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import StoreError

from ._schema import STEMMED_TOKENIZER, TOKENIZER, lengths
from ._unspaced import asked, is_unspaced, normalized

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

K1: Final = 1.2
"""How soon repetition stops to count: at ``f = K1``, in a passage of mean length, half of the weight is reached."""

B: Final = 0.75
"""How much a passage's length counts: 0 not at all, 1 in full proportion."""

CONTEXT_WEIGHT: Final = 2
"""How often a word of the label or the headings counts, compared with a word of the text.

On two judged collections with titles, 2 is a little better than 1 (nDCG@10 +0.001 and +0.005).
"""

MAX_QUESTION_CHARS: Final = 65_536
"""What stands beyond is not searched for, in characters."""

MAX_QUESTION_TERMS: Final = 64
"""A question asks for its first so many distinct terms; the rest is not searched for."""

_STOP_WORDS: Final = (
    # articles, pronouns, pointers
    "a an the i me my we us our you your he him his she her it its they them their this that these those "
    # questions
    "what which who whom whose when where why how "
    # helpers
    "am is are was were be been being do does did doing have has had having can could will would shall should may "
    "might must "
    # joints
    "and or but if than then so as of at by for from in into on onto to with about between through during "
    "there here "
    # small change, and what contractions leave behind
    "not no nor too very just also any some such s t d ll re ve m don"
)

STOP_WORDS: Final = frozenset(_STOP_WORDS.split())
"""English words that say nothing about what a passage is about. They are left out of a question that has others."""


_LAST: Final = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class Term:
    """One thing a question asks for.

    Attributes:
        stem: As it stands in the index.
        word: A word of the question that has this stem, folded; it contains letters, digits and marks only.
        piece: Whether it is a piece of a script written without spaces, looked for among such pieces only. A piece of
            one character stands for all that begin with it.
    """

    stem: str
    word: str
    piece: bool = False

    @property
    def match(self) -> str:
        """The query of the full-text index that holds for passages with this term."""
        if not self.piece:
            return f'"{self.word}"'
        return f'pieces : "{self.word}"{" *" if len(self.word) == 1 else ""}'

    @property
    def posted(self) -> str:
        """The condition on the index's vocabulary that holds for this term, with ``:term`` and ``:beyond`` to fill in.

        ``term`` is compared for equality wherever possible: SQLite then reads nothing else.
        """
        if not self.piece:
            return "term = :term"
        one = "term >= :term AND term < :beyond" if len(self.word) == 1 else "term = :term"
        return f"{one} AND col = 'pieces'"

    @property
    def parameters(self) -> dict[str, str | int]:
        """What :attr:`posted` has to be filled in."""
        return {"term": self.stem, "beyond": f"{self.stem}{_LAST}"}


@dataclass(slots=True)
class Indexed:
    """What an index holds of one passage.

    Attributes:
        counts: Stem, column (``context``, ``text`` or ``pieces``), and how often the one stands in the other.
        context: Words of the context.
        text: Words of the text, pieces included.
    """

    counts: list[tuple[str, str, int]] = field(default_factory=list)
    context: int = 0
    text: int = 0


_COUNTS: Final = f"""
    SELECT doc, sum(CASE col WHEN 'context' THEN {CONTEXT_WEIGHT} ELSE 1 END) FROM counted_posting
    WHERE {{}} GROUP BY doc"""  # noqa: S608 - a constant


class Analyzer:
    """Cuts questions into terms with the index's own tokenizer. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._closed = False
        self._sql = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._sql.text_factory = _whole_characters
        for name, tokenizer in (("word", TOKENIZER), ("stem", STEMMED_TOKENIZER)):
            self._sql.execute(f'CREATE VIRTUAL TABLE {name} USING fts5(text, tokenize="{tokenizer}")')
            self._sql.execute(f"CREATE VIRTUAL TABLE {name}_posting USING fts5vocab({name}, instance)")
        self._sql.execute(
            f"""CREATE VIRTUAL TABLE counted USING fts5(
            context, text, pieces, content='', tokenize="{STEMMED_TOKENIZER}")"""
        )
        self._sql.execute("CREATE VIRTUAL TABLE counted_posting USING fts5vocab(counted, instance)")

    def terms(self, question: str) -> tuple[Term, ...]:
        """The distinct terms of a question, in its order, stop words left out unless there is nothing else.

        Any text is a question: what is no letter, digit or mark separates words, NUL and lone surrogates included.

        Raises:
            StoreError: The analyzer is closed, or another process's.
            sqlite3.Error: Memory ran out.
        """
        tokens = [
            term
            for token in self._tokens(normalized(storable(question[:MAX_QUESTION_CHARS])))
            for term in _pieces(token)
        ]
        telling = [term for term in tokens if term.word not in STOP_WORDS]
        first: dict[str, Term] = {}
        for term in telling or tokens:
            first.setdefault(term.stem, term)
        return tuple(first.values())[:MAX_QUESTION_TERMS]

    def counts(self, passages: Iterable[tuple[str, str, str]], terms: Sequence[Term]) -> list[dict[int, int]]:
        """How often each term stands in each passage, words of the context counted by their weight.

        Args:
            passages: Context, text and pieces of each, as they were indexed.
            terms: What to count.

        Returns:
            For each term, its counts by the passage's position; passages without it are left out.

        Raises:
            StoreError: The analyzer is closed, or another process's.
            sqlite3.Error: Memory ran out.
        """
        with self._asking():
            self._sql.execute("BEGIN")
            try:
                self._sql.executemany(
                    "INSERT INTO counted(rowid, context, text, pieces) VALUES (?,?,?,?)",
                    ((at, *passage) for at, passage in enumerate(passages)),
                )
                return [dict(self._sql.execute(_COUNTS.format(term.posted), term.parameters)) for term in terms]
            finally:
                self._sql.execute("ROLLBACK")

    def indexed(self, passages: Sequence[tuple[str, str, str]]) -> list[Indexed]:
        """What an index holds of passages, the same as the embedded store's does.

        Args:
            passages: Context, text and pieces of each.

        Raises:
            StoreError: The analyzer is closed, or another process's.
            sqlite3.Error: Memory ran out.
        """
        found = [Indexed() for _ in passages]
        with self._asking():
            self._sql.execute("BEGIN")
            try:
                self._sql.executemany(
                    "INSERT INTO counted(rowid, context, text, pieces) VALUES (?,?,?,?)",
                    ((at, *passage) for at, passage in enumerate(passages)),
                )
                for at, stem, column, count in self._sql.execute(
                    "SELECT doc, term, col, count(*) FROM counted_posting WHERE term <> '' GROUP BY term, doc, col"
                ):
                    found[at].counts.append((stem, column, count))
                for at, sizes in self._sql.execute("SELECT id, sz FROM counted_docsize"):
                    found[at].context, found[at].text = lengths(sizes)
            finally:
                self._sql.execute("ROLLBACK")
        return found

    @contextlib.contextmanager
    def _asking(self) -> Iterator[None]:
        """Nobody else inside. A forked process is refused before it waits for a thread that it has not."""
        if os.getpid() != self._process:
            raise StoreError(
                "a store is used in the process that opened it; another thread may have been searching when this one "
                "was forked, and no question was searched; open the store again in this process"
            )
        with self._lock:
            if self._closed:
                raise StoreError("a closed store answers nothing; no question was searched; open the store again")
            yield

    def _tokens(self, text: str) -> list[Term]:
        """Every token of ``text`` in order; the tables hold the same tokens at the same offsets."""
        with self._asking():
            for name in ("word", "stem"):
                self._sql.execute(f"INSERT OR REPLACE INTO {name}(rowid, text) VALUES (1, ?)", (text,))  # noqa: S608 - two constants
            rows = [
                dict(self._sql.execute(f"SELECT offset, term FROM {name}_posting"))  # noqa: S608 - two constants
                for name in ("word", "stem")
            ]
            for name in ("word", "stem"):
                self._sql.execute(f"DELETE FROM {name}")  # noqa: S608 - two constants
        words, stems = rows
        # An accent that stands alone folds to an empty word, which the vocabulary shows as NULL.
        return [Term(stems[offset], words[offset]) for offset in sorted(words) if words[offset]]

    def close(self) -> None:
        """Give the memory back once the question being cut is done; closing twice is fine.

        A connection closed under a statement that runs takes the process with it, hence the lock. In a forked process
        it may be held by a thread that is not there to release it, so there the memory is left to the process's end.
        """
        if os.getpid() != self._process:
            return
        with self._lock:
            self._closed = True
            self._sql.close()


def _whole_characters(data: bytes) -> str:
    """A token as text: FTS5 ends one of more than 32,768 bytes there, be it in the middle of a character."""
    return data.decode("utf-8", "ignore")


def _pieces(token: Term) -> list[Term]:
    """A word of a script written without spaces in the pieces it is indexed by; another one as it is."""
    if token.word.isascii() or not is_unspaced(token.word):
        return [token]
    return [Term(piece, piece, piece=True) for piece in asked(token.word)]


def storable(text: str) -> str:
    """``text`` as something SQLite can read to its end: what it cannot hold becomes a space."""
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace").replace("\ufffd", " ").replace("\0", " ")


def inverse_document_frequency(visible: int, holding: int) -> float:
    """How much a term tells, given how many of the visible passages hold it; always positive."""
    return math.log(1 + (visible - holding + 0.5) / (holding + 0.5))


def highest_gain(idf: float) -> float:
    """What a term can bring at most: the limit of its gain under endless repetition."""
    return idf * (K1 + 1)


def similarity(bm25: float, highest: float) -> float:
    """The share of the question's weight that a passage attains, from 0 to 1.

    ``highest`` sums :func:`highest_gain` over the question's terms, those no visible passage holds included.

    What it means: 0 says no term occurs; a passage of mean length that holds each term once scores 0.45, whatever the
    corpus; only endless repetition of every term would reach 1. Words nobody wrote about weigh most, so a question made
    of them scores low even where its small talk occurs. For one question it never falls where BM25 grows.

    What it does not mean: no probability of being relevant, and between questions no measure of which is answered
    better. It compares words, not meanings: an answer in other words scores 0.
    """
    return min(1.0, bm25 / highest)
