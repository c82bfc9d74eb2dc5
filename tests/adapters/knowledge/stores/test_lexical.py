"""Questions become terms as the index's own tokenizer cuts them, and weights follow the written formula."""

from __future__ import annotations

import math
import sqlite3
import sys
import threading
import unicodedata
from typing import TYPE_CHECKING, Final

import pytest

from symfonic.adapters.knowledge.ports import StoreError
from symfonic.adapters.knowledge.stores._lexical import (
    MAX_QUESTION_CHARS,
    MAX_QUESTION_TERMS,
    STOP_WORDS,
    Analyzer,
    highest_gain,
    inverse_document_frequency,
    similarity,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


_NO_LETTER: Final = {"Cs", "Cn", "Co"}  # surrogates; what is not assigned, or not in public


@pytest.fixture
def analyzer() -> Iterator[Analyzer]:
    """An analyzer that is closed afterwards."""
    made = Analyzer()
    yield made
    made.close()


def stems(analyzer: Analyzer, question: str) -> list[str]:
    """What the index is asked for."""
    return [term.stem for term in analyzer.terms(question)]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How are invoices paid?", ["invoic", "paid"]),
        ("Paying, paid, PAYS and pay", ["pai", "paid"]),
        ("C++", ["c"]),
        ("don't", ["don", "t"]),
        ("foo-bar", ["foo", "bar"]),
        ("col:val", ["col", "val"]),
        ('"', []),
        ("*", []),
        ("", []),
        ("NEAR(", ["near"]),
        ("x AND NOT y OR z", ["x", "y", "z"]),
        ("Café CAFE cafe\u0301 ca\u0301fe\u0323", ["cafe"]),
        ("हिन्दी किताब", ["हिन्दी", "किताब"]),
        ("สวัสดี", ["สว", "วั", "ัส", "สด", "ดี"]),
        ("我的 iPhone手机", ["我的", "iphon", "手机"]),
        ("茶", ["茶"]),
        ("ﾃﾞｰﾀ", ["デー", "ータ"]),
        ("5² \u2164", ["5²", "\u2174"]),
        ("pay\0roll", ["pai", "roll"]),
        ("pay\ud800roll \udfff", ["pai", "roll"]),
        ("😀 ❤", []),
    ],
)
def test_any_question_becomes_distinct_stems_in_its_order(
    analyzer: Analyzer, question: str, expected: list[str]
) -> None:
    """Operators, quotes, damaged text and symbols only separate words."""
    assert stems(analyzer, question) == expected


def test_a_question_of_stop_words_only_asks_for_them(analyzer: Analyzer) -> None:
    """Nothing better is there to ask for."""
    assert stems(analyzer, "To be or not to be") == ["to", "be", "or", "not"]


def test_stop_words_are_compared_before_stemming(analyzer: Analyzer) -> None:
    """``does`` is small talk, a ``doe`` is not, though both have one stem."""
    assert stems(analyzer, "where does the doe live") == ["doe", "live"]


def test_stop_words_are_words_of_the_tokenizer(analyzer: Analyzer) -> None:
    """Each entry is one folded word, so that each can match."""
    assert {term.word for word in STOP_WORDS for term in analyzer.terms(word)} == STOP_WORDS


def test_a_question_asks_for_its_first_terms_only(analyzer: Analyzer) -> None:
    """The work for one question is bounded."""
    words = [f"w{number}" for number in range(MAX_QUESTION_TERMS + 30)]
    assert stems(analyzer, " ".join(words)) == words[:MAX_QUESTION_TERMS]


def test_a_question_is_read_up_to_its_limit(analyzer: Analyzer) -> None:
    """What stands beyond the limit is not searched for."""
    assert stems(analyzer, " " * (MAX_QUESTION_CHARS - 4) + "near" + " far") == ["near"]


def test_a_word_of_a_megabyte_is_one_term(analyzer: Analyzer) -> None:
    """FTS5 cuts a word at 32,768 bytes."""
    assert stems(analyzer, "a" * 1_000_000) == ["a" * 32_768]


def test_a_word_of_a_question_cut_again_gives_the_same_stem(analyzer: Analyzer) -> None:
    """Counting by word and reading by stem must speak of one thing, for every letter there is."""
    letters = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) not in _NO_LETTER]
    for start in range(0, len(letters), 4096):
        terms = list(analyzer._tokens(" ".join(letters[start : start + 4096])))
        assert not {letter for term in terms for letter in term.word} & set('" *^:+-(){}\0')
        cut = [term for term in terms if term.word != term.stem]
        again = analyzer._tokens(" ".join(term.word for term in cut))
        assert [term.stem for term in again] == [term.stem for term in cut]


def test_folding_a_folded_word_changes_nothing(analyzer: Analyzer) -> None:
    """The same, over whole blocks of letters at once."""
    letters = " ".join(chr(code) for code in range(0x3000) if not 0xD800 <= code <= 0xDFFF)
    words = [term.word for term in analyzer._tokens(letters)]
    assert [term.word for term in analyzer._tokens(" ".join(words))] == words


def test_inverse_document_frequency_is_positive_even_for_a_word_of_every_passage() -> None:
    """The classic form turns negative where more than half hold the word."""
    assert inverse_document_frequency(10, 10) == math.log(1 + 0.5 / 10.5)
    assert inverse_document_frequency(10, 0) == math.log(22)


def test_similarity_is_a_share_of_the_highest_sum() -> None:
    """A term held once at mean length attains 1 / 2.2; rounding never leads past 1."""
    assert highest_gain(2.0) == 4.4
    assert similarity(2.0, highest_gain(2.0)) == pytest.approx(1 / 2.2)
    assert similarity(4.400000000000001, 4.4) == 1.0


def test_a_closed_analyzer_refuses() -> None:
    """Closing twice is fine, asking afterwards is not."""
    closed = Analyzer()
    closed.close()
    closed.close()
    with pytest.raises(StoreError, match="a closed store answers nothing"):
        closed.terms("anything")


def test_closing_waits_for_the_question_being_cut(analyzer: Analyzer) -> None:
    """A connection closed under a running statement takes the process with it."""
    with analyzer._lock:
        closing = threading.Thread(target=analyzer.close)
        closing.start()
        closing.join(0.05)
        assert closing.is_alive()
        assert analyzer._sql.execute("SELECT 1").fetchone() == (1,)
    closing.join()
    with pytest.raises(sqlite3.ProgrammingError):
        analyzer._sql.execute("SELECT 1")


def test_a_forked_process_does_not_wait_for_a_thread_it_has_not(
    analyzer: Analyzer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock may have been held when the process was forked, and nobody is there to release it."""
    monkeypatch.setattr(analyzer, "_process", analyzer._process + 1)
    with analyzer._lock:
        for ask in (lambda: analyzer.terms("apple"), lambda: analyzer.counts([("", "apple", "")], [])):
            with pytest.raises(StoreError, match="a store is used in the process that opened it"):
                ask()
        analyzer.close()
    monkeypatch.undo()
    assert stems(analyzer, "apple") == ["appl"]
