"""The small filters before tags and references are looked at: halves of characters, and datamarks."""

from __future__ import annotations

import random
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symfonic.composition.knowledge._answer_text import Unmarking, WellFormed, _shown_forms
from symfonic.testing.knowledge import assert_chunk_invariant, assert_latency_optimal, filtered

LABELS = ("a^b", "AB", "a  b", "a^bc", "two words", "x^", "^", "a^b  c", "a\ufffdd")
TOKENS = ("[", "]", "a", "b", "c", "^", " ", "\ufffd", "[a\ufffdb", "[a b", "[a^b", "x", "d]", "[two^", "words]")


def plainly(text: str, mark: str, labels: tuple[str, ...]) -> str:
    """What a text without chunks is read as: every form, and else every mark."""
    forms = _shown_forms(mark, labels)
    places = re.compile("|".join(map(re.escape, [*forms, mark])))
    return places.sub(lambda found: forms.get(found[0], " "), text)


@given(text=st.lists(st.sampled_from(TOKENS), max_size=14).map("".join))
def test_marks_and_labels_are_read_as_in_the_whole_text(text: str) -> None:
    """However it is cut."""
    got = assert_chunk_invariant(lambda: Unmarking("^", LABELS), text, rounds=5, split_up_to=30)
    assert got == plainly(text, "^", LABELS)


@pytest.mark.parametrize(
    "text",
    ["x [a\ufffdb] [a^b] [a\ufffd", "[a b]^[", "[[a\ufffdb]", "[a\ufffdb][a", "[a^\ufffd", "[\ufffd", "[x\ufffd]"],
)
def test_nothing_of_a_label_is_held_that_is_certain(text: str) -> None:
    """The beginning in which label and plain text agree is shown at once."""
    ends = ("[", "a", "\ufffd", "b]", "]", "^", " ", "\ufffdb]", "c]", "\ufffdb c]")
    assert_latency_optimal(lambda: Unmarking("^", LABELS), text, ends, 2)


def test_of_a_label_what_is_certain_comes_once() -> None:
    """Whether it becomes the label or not."""
    one = Unmarking("^", ["Hand book ^1", "Handle"])
    assert [one.feed("see [Hand"), one.feed("^book^"), one.feed("\ufffd1"), one.feed("] x")] == [
        "see [Hand", " book ", "", "^1] x",
    ]  # fmt: skip
    assert [one.feed("[Hand^book^\ufffd"), one.feed("2] ^"), one.flush()] == ["[Hand book ", "\ufffd2]  ", ""]
    assert [one.feed("[Hand book \ufffd"), one.flush(), one.flush()] == ["[Hand book ", "\ufffd", ""]


def test_brackets_cost_the_same_however_many_labels_there_are() -> None:
    """Sixty-four times as many, with a generous factor, in processor time."""
    rng = random.Random(1)
    text = "".join(rng.choice(("[ab] ", "[a^b", "[", "[a\ufffdb7] ")) for _ in range(4_000))

    def cost(count: int) -> float:
        one = Unmarking("^", [f"a^b{number}" for number in range(count)])
        began = time.process_time()
        filtered(one, text)
        filtered(one, [text])
        return time.process_time() - began

    assert min(cost(3_200) for _ in range(3)) < 6 * min(cost(50) for _ in range(3))


@pytest.mark.parametrize("text", ["\ud83d\ude00", "a\ud83d", "\ud83d\ud83d\ude00\ude00", "x\ude00\ud83d", "a"])
def test_halves_of_a_character_are_joined_and_lone_ones_shown(text: str) -> None:
    """As soon as it is certain which."""
    expected = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    assert assert_chunk_invariant(WellFormed, text) == expected
    assert_latency_optimal(WellFormed, text, ["\ud83d", "\ude00", "a"], 3)
