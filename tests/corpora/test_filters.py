"""Filters of streams by the ten thousand, and over every hostile string: each against its plain machine.

A filter takes part by a row in `FILTERS`. After every chunk it has to have shown what its machine has shown, which says
that the output does not depend on the chunks; that the machine shows as early as can be is proven by brute force, here
on more texts than in the ordinary tests.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

import pytest
from plain_tags import PlainTagMachine, lower, without_tags

from symfonic.capabilities.knowledge import DEFAULT_LAYER_NAMES, CitationTagFilter, StreamFilter
from symfonic.testing.knowledge import assert_chunk_invariant, assert_latency_optimal, filtered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

pytestmark = [pytest.mark.corpora, pytest.mark.slow]
CASES: Final = 25_000  # for each row of `FILTERS`


class Machine(StreamFilter, Protocol):
    """A filter, plainly written, that tells what it holds."""

    @property
    def held(self) -> str:
        """What was read and neither shown nor deleted."""

    @property
    def bound(self) -> int:
        """How much that ever is."""


class Filter(NamedTuple):
    """A filter under test: how it is made, what it is held against, and what texts for it are made of."""

    make: Callable[[], StreamFilter]
    machine: Callable[[], Machine]
    tokens: Sequence[str]
    check: Callable[[str, str, Any], str]
    """Asserts what is true of every text and its output; answers which kind of text it was, to be counted."""
    kinds: frozenset[str]
    """Kinds that have to occur."""


def check_tags(names: Sequence[str]) -> Callable[[str, str, PlainTagMachine], str]:
    """No tag is left; without a forced release tags were deleted until none was left, and a second pass finds none."""

    def check(text: str, output: str, machine: PlainTagMachine) -> str:
        folded = lower(output)
        assert not any(tag in folded for tag in machine.tags), text
        if machine.was_forced:
            return "forced"
        if text == output:
            return "unchanged"
        if not any(" " in name for name in names):
            assert output == without_tags(text, names), text
        assert filtered(CitationTagFilter(names), [output]) == output, text
        return "changed"

    return check


def tags(names: Sequence[str], *tokens: str) -> Filter:
    """The filter of tags with some names."""
    common = ("[", "]", " ", "  ", "\t", "x", "\n", "\u212a", "ſ", "]]", *(" " * 40, " " * 65))
    kinds = frozenset({"forced", "unchanged", "changed"})
    return Filter(
        lambda: CitationTagFilter(names),
        lambda: PlainTagMachine(names),
        (*common, *tokens, *(f"[{name}]" for name in names[:3]), *(f" [{name}"[:-1] for name in names[:2])),
        check_tags(names),
        kinds,
    )


FILTERS: Final = {
    "layer tags": tags(DEFAULT_LAYER_NAMES, "[sem", "antic]", "[SEM", "[work", "ing]", "[p", "ro", "cedural]"),
    "short tags": tags(("ab", "b", "é"), "a", "b", "B", "[a", "b]", "[b", "É", "[ab"),
    "many tags": tags(
        ("n1", "n10", "a b", *(f"name{number}" for number in range(60))), "[n", "1", "0]", "[a", "[a ", "b]"
    ),
}


def random_chunks(text: str, rng: random.Random) -> Iterator[str]:
    """The text in pieces; some are empty."""
    most = rng.choice((2, 4, 12, 60))
    start = 0
    while start < len(text):
        size = rng.randrange(most)
        yield text[start : start + size]
        start += size


def run(chosen: Filter, tested: StreamFilter, machine: Any, chunks: Iterator[str]) -> tuple[str, str]:
    """Feed both; the output, and the kind of text."""
    text, output = "", ""
    for chunk in chunks:
        text += chunk
        shown = tested.feed(chunk)
        assert shown == machine.feed(chunk), text
        assert len(machine.held) <= machine.bound, text
        output += shown
    rest = tested.flush()
    forced = machine.was_forced
    assert rest == machine.flush(), text
    machine.was_forced = forced
    kind = chosen.check(text, output + rest, machine)
    machine.was_forced = False
    return output + rest, kind


@pytest.mark.requirement("KB-CIT-STREAM-1")
@pytest.mark.requirement("KB-CIT-TAG-4")
@pytest.mark.parametrize("name", FILTERS)
def test_random_texts_in_random_chunks(name: str) -> None:
    """The same as the plain machine after every chunk, one object for all the streams."""
    chosen = FILTERS[name]
    rng = random.Random(name)
    tested, machine = chosen.make(), chosen.machine()
    kinds: Counter[str] = Counter()
    for _ in range(CASES):
        text = "".join(rng.choices(chosen.tokens, k=rng.randrange(1, 9)))
        kinds[run(chosen, tested, machine, random_chunks(text, rng))[1]] += 1
    assert kinds.keys() == chosen.kinds
    assert min(kinds.values()) > CASES // 50, "a search that never meets a case proves nothing about it"


@pytest.mark.requirement("KB-CIT-STREAM-1")
@pytest.mark.parametrize("name", ["layer tags"])
def test_every_hostile_string_as_an_answer_with_tags_in_it(hostile_texts: list[str], name: str) -> None:
    """Tags, whole and in pieces, at random places."""
    chosen = FILTERS[name]
    rng = random.Random(7)
    tested, machine = chosen.make(), chosen.machine()
    for raw in hostile_texts:
        places = sorted(rng.choices(range(len(raw) + 1), k=rng.randrange(1, 5)))
        pieces = [raw[start:end] for start, end in itertools.pairwise([0, *places, len(raw)])]
        text = "".join([pieces[0], *(rng.choice(chosen.tokens) + piece for piece in pieces[1:])])
        output, _ = run(chosen, tested, machine, random_chunks(text, rng))
        assert filtered(chosen.make(), [text]) == output


@pytest.mark.requirement("KB-CIT-STREAM-3")
def test_texts_of_all_kinds_show_as_early_as_can_be() -> None:
    """By brute force over every text of four pieces; the machine is held to the same as the filter."""
    ends = ("x", "]", "a]", " ", "[a]", "a]a]")
    for pieces in itertools.product(("[", "[a", "a]", "]", " ", "x"), repeat=4):
        text = "".join(pieces)
        assert_latency_optimal(lambda: CitationTagFilter(["a"]), text, ends, 2)
    for pieces in itertools.product(("[", "[a", "a]", " "), repeat=3):
        assert_latency_optimal(lambda: PlainTagMachine(["a"]), "".join(pieces), ends, 2)


@pytest.mark.requirement("KB-CIT-STREAM-1")
def test_every_text_of_up_to_nine_characters_comes_out_the_same_in_all_chunks() -> None:
    """Exhaustively, over the characters that mean something to a filter of one short name."""
    machine = PlainTagMachine(["a"])
    tested = CitationTagFilter(["a"])
    for size in range(10):
        for characters in itertools.product("[a] ", repeat=size):
            text = "".join(characters)
            expected = machine.feed(text) + machine.flush()
            assert tested.feed(text) + tested.flush() == expected, text
    for characters in itertools.product("[a] ", repeat=5):
        assert_chunk_invariant(lambda: CitationTagFilter(["a"]), "".join(characters), rounds=5)
