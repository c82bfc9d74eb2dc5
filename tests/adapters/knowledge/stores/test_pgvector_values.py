"""What a store in PostgreSQL makes of texts, words and vectors, without a server."""

from __future__ import annotations

import struct
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symfonic.adapters.knowledge.ports import StoreError, retrieved_text
from symfonic.adapters.knowledge.stores._lexical import Term
from symfonic.adapters.knowledge.stores._pgvector_values import (
    escaped,
    lexeme,
    lexemes,
    occurrence_thresholds,
    parted,
    queried,
    stored_bytes,
    tsvector,
    unescaped,
    vector_bytes,
    vector_text,
)

TEXTS = st.text(st.sampled_from("\0\1 01a\n\té東")) | st.text()


@given(text=TEXTS, other=TEXTS)
def test_texts_with_nul_are_escaped_without_loss_and_keep_their_order(text: str, other: str) -> None:
    """PostgreSQL cannot store NUL; what it stores instead sorts as the texts do."""
    assert unescaped(escaped(text)) == text
    assert "\0" not in escaped(text)
    assert (escaped(text) < escaped(other)) == (text < other)


@given(text=TEXTS)
def test_a_text_is_parted_where_a_search_parts_it(text: str) -> None:
    """The server can order rows by what they show."""
    before, shown, behind = parted(text)
    assert shown == retrieved_text(text)
    assert before + shown + behind == text


def test_words_count_as_the_embedded_index_counts_them() -> None:
    """Words of the context twice, and pieces among themselves as well."""
    found = lexemes([("run", "context", 2), ("run", "text", 3), ("東京", "pieces", 1), ("東", "pieces", 1)])
    assert found == {"wrun": 7, "w東京": 1, "p東京": 1, "c東": 2, "w東": 1, "p東": 1}


def test_a_long_word_is_kept_by_its_digest() -> None:
    """PostgreSQL keeps words of at most 2,046 bytes."""
    long = lexeme("w", "é" * 513)
    assert len(long.encode()) == 66
    assert long != lexeme("w", "é" * 514)
    assert lexeme("w", "é" * 512) == "w" + "é" * 512


@pytest.mark.parametrize(
    ("term", "query"),
    [
        (Term("run", "running"), "'wrun'"),
        (Term("o'x\\", "o'x\\"), "'wo''x\\\\'"),
        (Term("東京", "東京", piece=True), "'p東京'"),
        (Term("東", "東", piece=True), "'c東'"),
    ],
)
def test_a_term_is_asked_for_as_it_is_kept(term: Term, query: str) -> None:
    """Quotes and backslashes are part of a word."""
    assert queried(term) == query


def test_a_word_has_as_many_positions_as_its_frequency() -> None:
    """The form is that of PostgreSQL's ``tsvectorsend``."""
    assert tsvector({"wa": 2}) == struct.pack(">i", 1) + b"wa\0" + struct.pack(">HHH", 2, 1, 2)
    assert tsvector({"wa": 255})[7:9] == struct.pack(">H", 255)
    assert tsvector({"wa": 256}) == struct.pack(">i", 2) + b"wa\0" + struct.pack(">HH", 1, 1) + b"Wa\0" + struct.pack(
        ">HH", 1, 1
    )
    assert tsvector({"wa": 10**6}) == tsvector({"wa": 65_280})


def test_more_words_than_postgresql_keeps_of_a_passage_are_refused() -> None:
    """Its own error would name no cause."""
    tsvector({f"w{at:09}": 1 for at in range(74_898)})
    with pytest.raises(StoreError, match="split it into smaller passages"):
        tsvector({f"w{at:09}": 1 for at in range(74_899)})


def test_thresholds_grow() -> None:
    """Each frequency has a stretch of ranks of its own."""
    numbers = [float(number) for number in occurrence_thresholds().split(",")]
    assert len(numbers) == 255
    assert numbers == sorted(set(numbers))
    assert 0 < numbers[0] < 0.6 < numbers[1]


def test_vectors_come_back_as_they_went() -> None:
    """Bytes in one order here, in the other there."""
    stored = array("f", [0.6, -0.8]).tobytes()
    assert stored_bytes(vector_bytes(stored)) == stored
    assert vector_bytes(stored)[:4] == b"\0\2\0\0"
    assert vector_text(stored) == f"[{array('f', [0.6])[0]!r},{array('f', [-0.8])[0]!r}]"
    assert stored_bytes(None) == b""
