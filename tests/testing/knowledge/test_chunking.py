"""The checks of filters pass on honest ones and fail on each kind of bad one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.capabilities.knowledge import CitationTagFilter, chain
from symfonic.testing.knowledge import assert_chunk_invariant, assert_latency_optimal, filtered

if TYPE_CHECKING:
    from collections.abc import Callable

    from symfonic.capabilities.knowledge import StreamFilter

ENDS = ("x", "]", "a]", " ", "[a]", "a]a]")


class WithinOneChunk:
    """Removes a tag only where one chunk holds all of it."""

    def feed(self, text: str) -> str:
        """Delete and pass on."""
        return re.sub(r" *\[a\]", "", text)

    def flush(self) -> str:
        """Nothing was held."""
        return ""


class HoldsAll(WithinOneChunk):
    """Answers everything at the end: right, and as late as can be."""

    def __init__(self) -> None:
        self.held = ""

    def feed(self, text: str) -> str:
        """Hold."""
        self.held += text
        return ""

    def flush(self) -> str:
        """Delete and pass on."""
        held, self.held = self.held, ""
        return super().feed(held)


class HoldsALine(HoldsAll):
    """Answers line by line."""

    def feed(self, text: str) -> str:
        """Hold what follows the last line feed."""
        lines, end, self.held = (self.held + text).rpartition("\n")
        return WithinOneChunk.feed(self, lines + end)


class ShowsSpace(WithinOneChunk):
    """Passes white space on at once, and takes it back where all comes in one chunk: too early for its own rule."""

    def __init__(self) -> None:
        self.held = ""

    def feed(self, text: str) -> str:
        """Hold from the last bracket on."""
        text = re.sub(r" *\[a\]", "", self.held + text)
        at = text.rfind("[")
        self.held = text[at:] if at >= 0 and "[a]".startswith(text[at:]) else ""
        return text[: len(text) - len(self.held)]

    def flush(self) -> str:
        """Drop what was begun."""
        self.held = ""
        return ""


class KeepsState(WithinOneChunk):
    """Numbers its streams."""

    def __init__(self) -> None:
        self.streams = 0

    def flush(self) -> str:
        """Nothing is forgotten."""
        self.streams += 1
        return "!" * self.streams


class WantsText(WithinOneChunk):
    """Cannot do with an empty chunk."""

    def feed(self, text: str) -> str:
        """Mark each chunk that is empty."""
        return text or "?"


def tags() -> StreamFilter:
    """An honest filter."""
    return CitationTagFilter(["a"])


@pytest.mark.requirement("TST-CHUNK-1")
@pytest.mark.parametrize("make", [tags, HoldsAll, HoldsALine, lambda: chain(tags(), CitationTagFilter(["b"]))])
@pytest.mark.parametrize("text", ["", "x", "one [a] two\n[a]three [", "x [b[a]] y" * 60])
def test_filters_that_do_not_mind_the_chunks_pass(make: Callable[[], StreamFilter], text: str) -> None:
    """However late they answer; the output comes back."""
    assert assert_chunk_invariant(make, text) == filtered(make(), [text])


@pytest.mark.requirement("TST-CHUNK-1")
@pytest.mark.parametrize("make", [WithinOneChunk, ShowsSpace])
def test_filters_that_mind_the_chunks_fail(make: Callable[[], StreamFilter]) -> None:
    """A tag in two chunks, and white space in an earlier one."""
    with pytest.raises(AssertionError, match=r"The output depends on the chunks: a new filter "):
        assert_chunk_invariant(make, "x [a] y")


class KeepsPieces(WithinOneChunk):
    """Numbers its streams of several chunks."""

    def __init__(self) -> None:
        self.chunks = self.streams = 0

    def feed(self, text: str) -> str:
        """Count."""
        self.chunks += 1
        return text

    def flush(self) -> str:
        """Nothing is forgotten."""
        self.streams += self.chunks > 1
        self.chunks = 0
        return "!" * (self.streams > 1)


@pytest.mark.requirement("TST-CHUNK-1")
def test_a_filter_that_keeps_state_over_streams_in_chunks_fails() -> None:
    """Only the streams in chunks bring it out."""
    with pytest.raises(AssertionError, match="The output depends on the chunks: a filter that was flushed fed"):
        assert_chunk_invariant(KeepsPieces, "x [a] y")


@pytest.mark.requirement("TST-CHUNK-1")
def test_the_message_on_what_is_left_behind_shows_both_streams() -> None:
    """The one before, and the one that was answered wrong."""
    with pytest.raises(AssertionError) as caught:
        assert_chunk_invariant(KeepsState, "x [a] y")
    assert str(caught.value) == (
        "A stream leaves something behind: after '\\t', a filter that was flushed fed '' answered '!!', a new one '!'. "
        "Let flush forget everything."
    )


@pytest.mark.requirement("TST-CHUNK-1")
def test_a_filter_that_minds_empty_chunks_fails() -> None:
    """Clients of models send some; the message shows both."""
    with pytest.raises(AssertionError) as caught:
        assert_chunk_invariant(WantsText, "xy")
    assert str(caught.value) == (
        "The output depends on the chunks: a new filter fed ['xy', ''] answered 'xy?', fed whole 'xy'."
    )


@pytest.mark.requirement("TST-CHUNK-1")
def test_a_short_cut_that_fails_is_shown() -> None:
    """In two where that fails; the rest is joined where it does not matter."""
    with pytest.raises(AssertionError) as caught:
        assert_chunk_invariant(WithinOneChunk, "x [a] y")
    assert str(caught.value) == (
        "The output depends on the chunks: a new filter fed ['x ', '[a] y'] answered 'x  y', fed whole 'x y'."
    )

    class ThreeChunks(HoldsAll):
        def __init__(self) -> None:
            self.held, self.fed = "", 0

        def feed(self, text: str) -> str:
            self.fed += 1
            return super().feed(text)

        def flush(self) -> str:
            fed, self.fed = self.fed, 0
            return super().flush() + "!" * (fed > 2)

    with pytest.raises(AssertionError, match=r"a new filter fed \['abcdefg', 'h', 'i'\] answered 'abcdefghi!'"):
        assert_chunk_invariant(ThreeChunks, "abcdefghi")
    with pytest.raises(AssertionError, match=r"fed \['a', 'b', 'c', 'd', .*… \(300 chunks\) answered 'aa"):
        assert_chunk_invariant(ThreeChunks, "abcd" + "a" * 296, split_up_to=2)


@pytest.mark.requirement("TST-CHUNK-1")
def test_of_long_texts_the_message_shows_the_place() -> None:
    """Of the chunks, and of the outputs."""
    with pytest.raises(AssertionError) as caught:
        assert_chunk_invariant(WithinOneChunk, "x" * 150 + " [a]" + "y" * 150)
    assert str(caught.value) == (
        f"The output depends on the chunks: a new filter fed […{'x' * 39 + ' '!r}, {'[a]' + 'y' * 37!r}…], cut behind "
        f"character 151, answered {'x' * 40 + ' ' + 'y' * 39!r} around character 150, "
        f"fed whole {'x' * 40 + 'y' * 40!r} around character 150."
    )


@pytest.mark.parametrize(
    "check", [lambda make: assert_chunk_invariant(make, "x"), lambda make: assert_latency_optimal(make, "x", ["x"], 1)]
)
def test_what_is_no_filter_or_makes_none_is_told(check: Callable[[Any], object]) -> None:
    """A filter in the place of its class, and one that forgets to answer."""

    class AnswersNone:
        def feed(self, text: str) -> None:
            """Nothing is returned."""

        def flush(self) -> str:
            return ""

    with pytest.raises(TypeError, match="a WithinOneChunk object makes none and nothing was checked; pass the class"):
        check(WithinOneChunk())
    with pytest.raises(AssertionError, match=r"A filter answers text.*answered None\. Let every path"):
        check(AnswersNone)
    with pytest.raises(AssertionError, match=r"feed\('x{40}'…'x{40}' \(130 characters\)\) answered None"):
        filtered(AnswersNone(), ["x" * 130])  # type: ignore[arg-type]  # on purpose


@pytest.mark.requirement("TST-CHUNK-1")
def test_one_bad_place_to_cut_is_found() -> None:
    """Every cut in two is tried, up to the length that was asked for."""

    class OneBadCut(WithinOneChunk):
        def feed(self, text: str) -> str:
            return text.upper() if len(text) == 123 else text

    with pytest.raises(AssertionError, match="depends on the chunks"):
        assert_chunk_invariant(OneBadCut, "x" * 300, rounds=0)
    assert assert_chunk_invariant(OneBadCut, "x" * 100) == "x" * 100


@pytest.mark.requirement("TST-CHUNK-1")
def test_long_texts_are_cut_in_two_at_a_sample_of_places_and_the_same_ones_every_time() -> None:
    """A failure can be repeated; another seed cuts elsewhere."""

    class Recorder(WithinOneChunk):
        fed: list[int]

        def feed(self, text: str) -> str:
            self.fed.append(len(text))
            return text

    def cuts(seed: int) -> list[int]:
        Recorder.fed = []
        assert_chunk_invariant(Recorder, "x" * 1000, rounds=3, split_up_to=5, seed=seed)
        return Recorder.fed

    assert cuts(1) == cuts(1) != cuts(2)
    before = 2 * (12 * 40 + 3)  # beginnings of it, and white space, before a stream of nothing and before the text
    assert sum(cuts(1)) == 1000 * (1 + 15 + 2 * (3 + 5 + 3)) + 40 * (3 + 5 + 3) + before


@pytest.mark.requirement("TST-CHUNK-2")
@pytest.mark.parametrize("text", ["x [a] y [", "[a[a[a]a]", " [ [a "])
def test_a_filter_that_shows_at_once_what_is_certain_passes(text: str) -> None:
    """Nothing earlier, nothing later."""
    assert_latency_optimal(tags, text, ENDS, 2)


@pytest.mark.requirement("TST-CHUNK-2")
def test_a_filter_that_holds_too_long_fails() -> None:
    """The message says what could have been shown."""
    with pytest.raises(AssertionError) as caught:
        assert_latency_optimal(HoldsAll, "x [", ENDS, 2)
    assert str(caught.value) == (
        "After 'x' the filter holds too long: '' is shown, 'x' is certain, as far as these tokens and this depth tell. "
        "If the filter waits for something else, add tokens that complete it and tokens that break it off."
    )
    with pytest.raises(AssertionError, match="holds too long"):
        assert_latency_optimal(HoldsALine, "one\ntwo [a]", ENDS, 1)


@pytest.mark.requirement("TST-CHUNK-2")
def test_a_filter_that_shows_too_early_fails() -> None:
    """Where one continuation takes back what was shown."""
    with pytest.raises(AssertionError) as caught:
        assert_latency_optimal(ShowsSpace, "x ", ["[a]"], 1)
    assert str(caught.value) == (
        "After 'x ' the filter shows too early: 'x ' is shown, but followed by '[a]' the output is 'x'."
    )


class Bulk:
    """Holds a chunk of several characters until the next one; single characters pass."""

    def __init__(self) -> None:
        self.held = ""

    def feed(self, text: str) -> str:
        out, self.held = self.held, ""
        if len(text) > 1:
            self.held = text
            return out
        return out + text

    def flush(self) -> str:
        rest, self.held = self.held, ""
        return rest


class Leak:
    """Puts the stream before in front of this one, where they differ."""

    def __init__(self) -> None:
        self.text = self.before = ""

    def feed(self, text: str) -> str:
        self.text += text
        return ""

    def flush(self) -> str:
        out = self.text if self.before in {"", self.text} else self.before + self.text
        self.before, self.text = self.text, ""
        return out


def test_a_filter_that_holds_large_chunks_only_is_caught() -> None:
    """It is chunk invariant, and prompt with single characters."""
    assert_chunk_invariant(Bulk, "hello [sem")
    with pytest.raises(AssertionError, match=r"What is shown depends on the chunks: after \['he'\] it is ''"):
        assert_latency_optimal(Bulk, "hello [sem", ["a", "[", "]"], 2)


def test_a_filter_that_leaks_a_stream_into_a_different_one_is_caught() -> None:
    """The same text again would not bring it out."""
    with pytest.raises(AssertionError, match="A stream leaves something behind: after "):
        assert_chunk_invariant(Leak, "secret of A")


def test_an_empty_text_can_be_checked() -> None:
    """Nothing is shown, in any chunks."""
    assert assert_chunk_invariant(Bulk, "") == ""
    assert_latency_optimal(Bulk, "", ["a"], 1)


# ---------------------------------------------------------------------------- filters that are wrong now and then


class Tags:
    """Right, but for what the classes below do to it."""

    def __init__(self) -> None:
        self.inside, self.late = CitationTagFilter(["ab"]), ""

    def feed(self, text: str) -> str:
        """Pass on what was late, too."""
        late, self.late = self.late, ""
        return late + self.inside.feed(text)

    def flush(self) -> str:
        """Pass on what was late, too."""
        late, self.late = self.late, ""
        return late + self.inside.flush()


class LateOnceUsed(Tags):
    """Holds all of every stream but the first."""

    used = False

    def feed(self, text: str) -> str:
        out = super().feed(text)
        if self.used:
            self.late, out = out, ""
        return out

    def flush(self) -> str:
        self.used = True
        return super().flush()


class LateInLargeChunks(Tags):
    """Holds a character of a chunk of at least so many that is not the first."""

    fed, least = 0, 4

    def feed(self, text: str) -> str:
        out = super().feed(text)
        self.fed += len(text)
        if self.fed > len(text) >= self.least:
            out, self.late = out[:-1], out[-1:]
        return out

    def flush(self) -> str:
        self.fed = 0
        return super().flush()


class LateInFives(LateInLargeChunks):
    """The same, for chunks of five."""

    least = 5


class LateUnevenly(Tags):
    """Holds a character of a chunk that is longer than the one before it."""

    before = 0

    def feed(self, text: str) -> str:
        out = super().feed(text)
        if 0 < self.before < len(text):
            out, self.late = out[:-1], out[-1:]
        self.before = len(text)
        return out

    def flush(self) -> str:
        self.before = 0
        return super().flush()


class TellsTwice(Tags):
    """Answers the end of the stream before to a stream of nothing."""

    last, fed = "", False

    def feed(self, text: str) -> str:
        self.fed = self.fed or bool(text)
        return super().feed(text)

    def flush(self) -> str:
        out = super().flush() if self.fed else self.last
        self.last, self.fed = out, False
        return out


class Carries(Tags):
    """Does not forget a stream that ends in one of these rests."""

    rest = "\t"

    def flush(self) -> str:
        out = super().flush()
        if out == self.rest:
            self.inside.feed("[")
        return out


class CarriesSpace(Carries):
    """The same, for a space."""

    rest = " "


class CarriesPart(Tags):
    """Keeps the beginning of a tag that was dropped at the end."""

    text = ""

    def feed(self, text: str) -> str:
        self.text += text
        return super().feed(text)

    def flush(self) -> str:
        out = super().flush()
        if self.text.endswith("[a"):
            self.inside.feed("[a")
        self.text = ""
        return out


WRONG_TEXT = "x [ab] y [a"


@pytest.mark.requirement("TST-CHUNK-1")
@pytest.mark.parametrize("make", [TellsTwice, Carries, CarriesSpace, CarriesPart])
@pytest.mark.parametrize("rounds", [0, 20])
def test_a_stream_that_leaves_something_behind_is_caught(make: Callable[[], StreamFilter], rounds: int) -> None:
    """After white space, or the beginning of a tag; and where the next stream is empty."""
    with pytest.raises(AssertionError, match=r"A stream leaves something behind: after .* Let flush forget everything"):
        assert_chunk_invariant(make, WRONG_TEXT, rounds=rounds)


@pytest.mark.requirement("TST-CHUNK-2")
@pytest.mark.parametrize("make", [LateOnceUsed, LateInLargeChunks, LateInFives, LateUnevenly])
def test_what_is_late_in_some_chunks_or_streams_only_is_caught(make: Callable[[], StreamFilter]) -> None:
    """It is chunk invariant, and prompt with single characters in its first stream."""
    assert_chunk_invariant(make, WRONG_TEXT)
    with pytest.raises(AssertionError, match=r"What is shown (of a filter that was flushed )?depends on the chunks"):
        assert_latency_optimal(make, WRONG_TEXT, ["[ab]", "ab]", "b]", "]", " ", "x"], 2)


@pytest.mark.requirement("TST-CHUNK-1")
def test_what_the_checks_cost_is_bounded() -> None:
    """In characters that are fed, for a text of a hundred."""
    fed: list[int] = []

    class Counts(Tags):
        def feed(self, text: str) -> str:
            fed.append(len(text))
            return super().feed(text)

    text = "x" * 100
    assert_chunk_invariant(Counts, text)
    assert sum(fed) <= 100 * (1 + 15 + 2 * 122) + 40 * (15 + 15 + 122)
    fed.clear()
    assert_latency_optimal(Counts, text, ["x"], 1)
    assert sum(fed) <= 100 + sum(3 * end + 2 + 14 * end for end in range(101))
