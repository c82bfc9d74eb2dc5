"""Tokens by tiktoken, with a small vocabulary of our own: no test reaches for the network."""

from __future__ import annotations

import sys
from typing import Any

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from symfonic.adapters.knowledge.counters.tiktoken import TiktokenCounter
from symfonic.adapters.knowledge.ports import AdapterError
from symfonic.capabilities.knowledge import (
    FragmentSelection,
    RetrievalPolicy,
    RetrievedFragment,
    render_fragments,
    select_fragments,
)

RANKS = {bytes([byte]): byte for byte in range(256)} | {b"th": 256, b"the": 257, b" the": 258, b"re": 259, b"no": 260}
PATTERN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
ENCODING = tiktoken.Encoding("tiny", pat_str=PATTERN, mergeable_ranks=RANKS, special_tokens={"<|endoftext|>": 261})


class Broken:
    """Stands in for the native part of an encoding."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def encode_ordinary(self, text: str) -> list[int]:
        """Raise."""
        raise self.error


def broken(error: BaseException) -> TiktokenCounter:
    """Return a counter whose library fails."""
    counter, standing_in = TiktokenCounter(ENCODING), Broken(error)
    object.__setattr__(counter, "_encoding", standing_in)
    return counter


@pytest.mark.requirement("AD-COUNT-1")
@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("the the", 2),
        ("no there", 3),
        ("é", 2),
        ("\U0001f680", 4),
        ("a\nb", 3),
        ("\x00", 1),
        (" the" * 1000, 1000),
    ],
)
def test_tokens_are_the_encodings(text: str, tokens: int) -> None:
    """As the vocabulary says."""
    counted = TiktokenCounter(ENCODING)(text)
    assert (counted, type(counted)) == (tokens, int)
    assert tokens == len(ENCODING.encode(text, disallowed_special=()))


@pytest.mark.requirement("AD-COUNT-1")
def test_a_special_token_is_the_text_it_is_written_with() -> None:
    """Where tiktoken's own default raises: a document may name one."""
    text = "end <|endoftext|>"
    with pytest.raises(ValueError, match="disallowed special token"):
        ENCODING.encode(text)
    assert TiktokenCounter(ENCODING)(text) == len(ENCODING.encode(text, disallowed_special=())) == 17


@pytest.mark.requirement("AD-COUNT-1")
@pytest.mark.parametrize(
    ("text", "tokens"),
    [(" " * 1_000_000 + "y", 1_000_001), ("a" * 250_000, 250_000), ("\ud800", 3), ("\n" * 100_001, 100_001)],
)
def test_long_and_broken_texts_are_counted(text: str, tokens: int) -> None:
    """A million spaces in one piece would end in a panic of the native part."""
    assert TiktokenCounter(ENCODING)(text) == tokens


@pytest.mark.requirement("AD-COUNT-1")
@pytest.mark.parametrize(("length", "pieces"), [(99_999, 1), (100_000, 1), (100_001, 2), (250_000, 3)])
def test_no_piece_that_is_handed_over_is_longer_than_the_library_can_take(length: int, pieces: int) -> None:
    """A hundred thousand characters at a time, one after the other, and nothing twice."""
    seen: list[str] = []

    class Recording:
        def encode_ordinary(self, text: str) -> list[int]:
            seen.append(text)
            return [0] * 7

    counter = TiktokenCounter(ENCODING)
    object.__setattr__(counter, "_encoding", Recording())
    text = "".join(chr(ord("a") + place % 26) for place in range(length))
    assert counter(text) == 7 * pieces
    assert "".join(seen) == text
    assert [len(piece) for piece in seen[:-1]] == [100_000] * (pieces - 1)


class PanicException(BaseException):
    """Looks like a panic of the native part, which is no Exception."""


@pytest.mark.requirement("AD-COUNT-1")
@pytest.mark.parametrize("error", [ValueError(), KeyError(), PanicException()])
def test_what_the_library_cannot_split_is_counted_by_its_bytes(error: BaseException) -> None:
    """More than any tokenizer can make of it, so a ceiling still holds."""
    assert broken(error)("aé\U0001f680") == 1 + 2 + 4
    assert broken(error)("\ud800") == 3


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1)])
def test_what_stops_the_process_passes_through(error: BaseException) -> None:
    """It is nobody's count."""
    with pytest.raises(type(error)):
        broken(error)("a")


@pytest.mark.requirement("AD-COUNT-1")
@given(st.text(st.characters(exclude_categories=[]), max_size=200))
def test_every_text_has_a_count(text: str) -> None:
    """Lone surrogates, controls and all, and never more than its bytes."""
    assert 0 <= TiktokenCounter(ENCODING)(text) <= len(text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("wrong", ["o200k_base", None, len])
def test_only_an_encoding_is_taken(wrong: Any) -> None:
    """A name would be looked up on the network, at the first question."""
    with pytest.raises(TypeError, match=r"must be a tiktoken\.Encoding"):
        TiktokenCounter(wrong)


def test_a_missing_library_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """At construction, not at the first question."""
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(AdapterError, match=r"install symfonic-knowledge\[tiktoken\]"):
        TiktokenCounter(ENCODING)


def test_counters_of_one_encoding_are_equal() -> None:
    """Two policies of one deployment count alike."""
    other = tiktoken.Encoding("other", pat_str=PATTERN, mergeable_ranks=RANKS, special_tokens={})
    assert TiktokenCounter(ENCODING) == TiktokenCounter(ENCODING)
    assert TiktokenCounter(ENCODING) != TiktokenCounter(other)
    assert TiktokenCounter(ENCODING) != len
    assert len({TiktokenCounter(ENCODING), TiktokenCounter(ENCODING), TiktokenCounter(other)}) == 2
    assert repr(TiktokenCounter(ENCODING)) == "TiktokenCounter('tiny')"


@pytest.mark.requirement("AD-COUNT-1")
def test_a_retrieval_is_held_in_its_tokens() -> None:
    """Hostile rows included, the joined lines have at most as many tokens as allowed."""
    counter = TiktokenCounter(ENCODING)
    rows = [RetrievedFragment(text, f"{place}.md", 1 - place / 10) for place, text in enumerate(
        ("the no the", "<|endoftext|> the", " the" * 30, "é" * 9, "the")
    )]  # fmt: skip
    selection = FragmentSelection()
    for ceiling in range(0, 211, 7):
        policy = RetrievalPolicy(5, max_fragment_chars=40, max_total_chars=ceiling, count=counter)
        selection = select_fragments(rows, policy)
        assert counter(render_fragments(selection)) <= ceiling
    assert [row.source for row in selection.admitted] == ["0.md", "1.md", "2.md", "3.md", "4.md"]
