"""Filters in a chain and over streams: order, seams, the end, and streams that break off."""

from __future__ import annotations

import asyncio
import copy
import itertools
import pickle
from contextlib import aclosing, closing
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symfonic.capabilities.knowledge import (
    BridgeContractError,
    BridgeTypeError,
    CitationLedger,
    CitationTagFilter,
    GroundingFilter,
    LedgerEntry,
    StreamFilter,
    afilter_stream,
    chain,
    filter_stream,
)
from symfonic.testing.knowledge import assert_chunk_invariant, assert_latency_optimal, filtered

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator

texts = st.lists(st.sampled_from(["[", "]", "a", "b", " ", "x", "[a]", "[b]", "a]", "[b", "\n"]), max_size=20).map(
    "".join
)


class Upper:
    """Answers at once, in capitals."""

    def __init__(self, log: list[str] | None = None) -> None:
        self.log = [] if log is None else log

    def feed(self, text: str) -> str:
        """Pass on."""
        self.log.append(text)
        return text.upper()

    def flush(self) -> str:
        """Note the end, and add to it."""
        self.log.append("flush")
        return "."


class LastWord:
    """Holds what follows the last space."""

    def __init__(self) -> None:
        self.held = ""

    def feed(self, text: str) -> str:
        """Hold."""
        shown, space, self.held = (self.held + text).rpartition(" ")
        return shown + space

    def flush(self) -> str:
        """Give it back."""
        held, self.held = self.held, ""
        return held


class Bars(LastWord):
    """Shows where it was told of a seam."""

    def feed(self, text: str) -> str:
        """Pass on."""
        return text

    def flush(self) -> str:
        """Nothing was held."""
        return ""

    def _feed_joined(self, parts: list[str]) -> str:
        return "|".join(parts)


# --------------------------------------------------------------------------------------------------- chains


@pytest.mark.requirement("KB-STR-CHAIN-1")
def test_each_filter_is_fed_what_the_one_before_it_answers() -> None:
    """In the order given, and at the end in that order too: what the first still held goes through the second."""
    log: list[str] = []
    chained = chain(LastWord(), Upper(log))
    assert [chained.feed("one two"), chained.feed(" three"), chained.flush()] == ["ONE ", "TWO ", "THREE."]
    assert log == ["one ", "two ", "three", "flush"]
    assert [chained.feed("four"), chained.feed(""), chain(LastWord(), Upper(log)).flush()] == ["", "", "."]
    assert log[4:] == ["flush"], "nobody is fed what is nothing"


@pytest.mark.requirement("KB-STR-CHAIN-1")
def test_a_chain_of_none_passes_text_as_it_is() -> None:
    """Whoever builds a chain from settings needs no special case."""
    nothing = chain()
    assert [nothing.feed("a [semantic]"), nothing.feed(""), nothing.flush()] == ["a [semantic]", "", ""]


@pytest.mark.requirement("KB-STR-CHAIN-1")
def test_a_chain_in_a_chain_is_taken_apart() -> None:
    """So that filters that know each other meet, wherever the brackets are."""
    tags, bars = CitationTagFilter(), Bars()
    assert filtered(chain(chain(chain(), tags), chain(bars)), ["[Hand [semantic]book]"]) == "[Hand|book]"
    assert filtered(chain(chain(Upper()), chain(chain(Upper()))), ["x"]) == "X.."


@pytest.mark.requirement("KB-STR-CHAIN-1")
@given(text=texts)
def test_a_chain_is_its_filters_one_after_the_other(text: str) -> None:
    """For whole texts, however they are cut."""

    def made() -> StreamFilter:
        return chain(CitationTagFilter(["a"]), LastWord(), CitationTagFilter(["b"]))

    output = assert_chunk_invariant(made, text, rounds=3, split_up_to=20)
    assert output == filtered(CitationTagFilter(["b"]), [filtered(CitationTagFilter(["a"]), [text])])


@pytest.mark.requirement("KB-STR-CHAIN-1")
def test_a_chain_holds_no_longer_than_its_filters_must() -> None:
    """By brute force, for two filters of tags."""
    ends = ("x", "]", "a]", "b]", "[a]", "[b]b]")
    for pieces in itertools.product(("[", "a", "[b", "b]", " "), repeat=3):
        assert_latency_optimal(
            lambda: chain(CitationTagFilter(["a"]), CitationTagFilter(["b"])), "".join(pieces), ends, 2
        )


@pytest.mark.requirement("KB-STR-SEAM-2")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[Hand [semantic]book]", "[Hand|book]"),
        ("plain", "plain"),
        ("x [sem", "x |"),
        ("[semantic]x[working]", "|x|"),
        ("[sem[working]x", "[sem|x"),
    ],
)
def test_a_filter_that_does_not_read_across_seams_is_told_of_them(text: str, expected: str) -> None:
    """Whole, in small chunks, and at the end of the stream."""
    assert filtered(chain(CitationTagFilter(), Bars()), [text]) == expected
    assert filtered(chain(CitationTagFilter(), Bars()), text) == expected


@pytest.mark.requirement("KB-STR-SEAM-2")
def test_seams_pass_through_a_second_filter_of_tags() -> None:
    """What one deletes is no word for the filter after the other."""
    chained = chain(CitationTagFilter(["a"]), CitationTagFilter(["b"]), Bars())
    assert filtered(chained, ["[x [a]y[b]z [b[a]]w"]) == "[x|y|z|w"
    assert filtered(chained, "[x [a]y[b]z [b[a]]w [a") == "[x|y|z|w |"
    assert filtered(chained, ["x [b[a]y"]) == "x [b|y"
    assert filtered(chained, ["x [b[a]"]) == "x |"
    assert filtered(chained, ["x[a "]) == "x[a "
    assert filtered(chained, ["x[a] "]) == "x| "


class Ends:
    """Is told of seams, and would tell of its own, but cannot carry on those of others."""

    def feed(self, text: str) -> str:
        """Pass on."""
        return text

    def flush(self) -> str:
        """Nothing was held."""
        return ""

    def _feed_joined(self, parts: list[str]) -> str:
        return "|".join(parts)

    def _feed_parts(self, text: str) -> list[str]:
        return [text, ""]

    def _flush_parts(self) -> list[str]:
        return [self.flush()]


@pytest.mark.requirement("KB-STR-SEAM-2")
def test_a_filter_that_cannot_carry_seams_on_is_told_of_them_and_is_the_last_one() -> None:
    """Not to read across one comes before telling of one; at the head of a chain it tells."""
    assert filtered(chain(CitationTagFilter(), Ends(), Bars()), ["[Hand [semantic]book]"]) == "[Hand|book]"
    assert filtered(chain(Ends(), Bars()), ["x", "y"]) == "x|y|"
    assert filtered(chain(Bars(), CitationTagFilter()), ["ab [semantic]"]) == "ab"
    assert filtered(chain(Bars(), CitationTagFilter(), Bars()), ["ab [semantic]c"]) == "ab|c"


@pytest.mark.requirement("KB-STR-SEAM-2")
def test_a_filter_in_between_that_knows_no_seams_ends_them() -> None:
    """It is fed plain text, and gives plain text."""
    assert filtered(chain(CitationTagFilter(), LastWord(), Bars()), ["[Hand [semantic]book]"]) == "[Handbook]"
    assert filtered(chain(CitationTagFilter(), CitationTagFilter(["x"])), ["[Hand [semantic]book]"]) == "[Handbook]"


class Wrapper:
    """Shows no secret; what it does not know it leaves to the filter inside."""

    def __init__(self, inside: StreamFilter) -> None:
        self.inside = inside

    def feed(self, text: str) -> str:
        """Redact."""
        return self.inside.feed(text).replace("secret", "***")

    def flush(self) -> str:
        """Redact."""
        return self.inside.flush().replace("secret", "***")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inside, name)


class Commanding(Wrapper):
    """The same, for whatever is asked of it."""

    def __getattribute__(self, name: str) -> Any:
        return object.__getattribute__(self, name)


class LoudTags(CitationTagFilter):
    """Tags, and capitals."""

    def feed(self, text: str) -> str:
        """Loud."""
        return super().feed(text).upper()


class LoudEnd(CitationTagFilter):
    """Capitals at the end only."""

    def flush(self) -> str:
        """Loud."""
        return super().flush().upper()


class LoudReferences(GroundingFilter):
    """References, and capitals."""

    def feed(self, text: str) -> str:
        """Loud."""
        return super().feed(text).upper()


class Named(CitationTagFilter):
    """Has an attribute of its own, and reads as the class does that it is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = ["x"]


def own_feed() -> StreamFilter:
    """An object whose attribute stands before the method of its class."""
    one: Any = Named()
    one.feed = str.upper
    return one  # type: ignore[no-any-return]  # it has the port


@pytest.mark.requirement("KB-STR-SEAM-2")
@pytest.mark.parametrize(
    ("filters", "text", "expected"),
    [
        (lambda: [LoudTags(), Bars()], "a secret [semantic] s", "A SECRET S"),
        (lambda: [LoudEnd(), Bars()], "a secret [semantic]s [", "a secrets "),
        (lambda: [LoudEnd(), Bars()], "a secret [semantic]s [x[ ", "a secrets [x[ "),
        (lambda: [CitationTagFilter(["a"]), LoudTags(), Bars()], "a secret [semantic] s", "A SECRET S"),
        (lambda: [CitationTagFilter(), LoudReferences(CitationLedger([]))], "a secret [semantic] s", "A SECRET S"),
        (lambda: [Wrapper(CitationTagFilter()), Bars()], "a secret [semantic] s", "a *** s"),
        (lambda: [CitationTagFilter(), Wrapper(Bars())], "a secret [semantic] s", "a *** s"),
        (lambda: [Commanding(CitationTagFilter()), Bars()], "a secret [semantic] s", "a *** s"),
        (lambda: [own_feed(), Bars()], "a secret [semantic] s", "A SECRET [SEMANTIC] S"),
        (lambda: [Named(), Bars()], "a secret [semantic] s", "a secret| s"),
    ],
)
def test_nothing_goes_past_the_feed_and_flush_of_a_filter(
    filters: Callable[[], list[Any]], text: str, expected: str
) -> None:
    """A subclass that writes one of them, and a wrapper that passes all else on, are filters like any other."""
    assert filtered(chain(*filters()), [text]) == expected


@pytest.mark.requirement("KB-STR-STREAM-2")
def test_a_filter_around_ours_is_flushed_where_a_stream_breaks_off() -> None:
    """What it holds itself would be part of the next stream."""

    class Holding(Wrapper):
        held = ""

        def feed(self, text: str) -> str:
            self.held += text
            return ""

        def flush(self) -> str:
            rest, self.held = self.held, ""
            return rest

    one = Holding(GroundingFilter(CitationLedger([])))
    with pytest.raises(OSError, match="net down"):
        list(filter_stream(one, Source()))
    assert one.held == ""


def asking(call: Callable[[StreamFilter], object], told: list[object]) -> StreamFilter:
    """A chain that is called by the `render` of a filter in it."""

    def render(entry: LedgerEntry, number: int) -> str:
        try:
            told.append(call(chained))
        except BridgeContractError as error:
            told.append(error.rule)
        return f"[{number}]"

    ledger = CitationLedger([LedgerEntry("AB", "AB", "x")])
    chained = chain(CitationTagFilter(), GroundingFilter(ledger, render=render), LastWord())
    return chained


@pytest.mark.requirement("KB-STR-BUSY-1")
@pytest.mark.parametrize(
    "call",
    [
        lambda chained: chained.feed(" [sem"),
        lambda chained: chained.feed(""),
        lambda chained: chained.flush(),
        lambda chained: list(filter_stream(chained, ["secret"])),
    ],
    ids=["feed", "feed nothing", "flush", "stream"],
)
def test_a_chain_that_is_called_while_it_reads_takes_and_loses_nothing(call: Callable[[StreamFilter], object]) -> None:
    """Out of `feed`, and out of `flush`; afterwards it goes on as if nobody had asked."""
    told: list[object] = []
    chained = asking(call, told)
    assert [chained.feed("one SOURCE [AB] two [sem"), chained.feed("antic] now")] == ["one [1] ", "two "]
    assert chained.flush() == "now"
    assert filtered(chained, ["[AB]"]) == "[1]", "certain at the end only"
    assert told == ["KB-STR-BUSY-1"] * 2


@pytest.mark.requirement("KB-STR-BUSY-1")
def test_a_chain_that_raised_is_not_busy() -> None:
    """Nor is the copy that somebody takes while it reads."""

    class Copies(LastWord):
        def feed(self, text: str) -> str:
            twins.append(copy.deepcopy(chained))
            return super().feed(text)

    twins: list[StreamFilter] = []
    chained = chain(Copies(), Fails())
    assert chained.feed("a b") == "a "
    assert twins[0].feed("c d") == "c "
    for _ in range(2):
        with pytest.raises(ArithmeticError):
            chained.flush()
    with pytest.raises(BridgeTypeError):
        chained.feed(None)  # type: ignore[arg-type]  # the mistake under test
    assert chained.feed("e f") == "e "


@pytest.mark.requirement("KB-STR-FILTER-1")
@pytest.mark.parametrize("bad", [None, "x", CitationTagFilter, object(), type("Half", (), {"feed": str})()])
def test_what_is_no_filter_is_refused(bad: Any) -> None:
    """In a chain and over a stream, before anything is read; a class is no filter but what makes one."""
    chunks = iter(["x"])
    for use in (lambda: chain(Upper(), bad), lambda: filter_stream(bad, chunks), lambda: afilter_stream(bad, later())):
        with pytest.raises(BridgeContractError) as caught:
            use()
        assert (caught.value.rule, caught.value.value) == ("KB-STR-FILTER-1", bad)
    assert list(chunks) == ["x"]


@pytest.mark.requirement("KB-STR-FILTER-2")
def test_a_filter_that_stands_twice_in_a_chain_is_refused() -> None:
    """It would mix two texts; equal filters may stand there."""
    one = CitationTagFilter()
    with pytest.raises(BridgeContractError) as caught:
        chain(one, chain(Upper(), one))
    assert (caught.value.rule, caught.value.value) == ("KB-STR-FILTER-2", one)
    assert filtered(chain(one, CitationTagFilter()), ["x"]) == "x"


@pytest.mark.requirement("KB-STR-TEXT-1")
@pytest.mark.parametrize("bad", [b"x", b"", None, 0, [], ["x"]])
def test_a_chain_refuses_what_is_no_text_and_stays_as_it_was(bad: Any) -> None:
    """Also an empty chain, and what is empty."""
    for chained in (chain(), chain(LastWord()), chain(CitationTagFilter(), Bars())):
        before = chained.feed("a [")
        with pytest.raises(BridgeTypeError) as caught:
            chained.feed(bad)
        assert (caught.value.rule, caught.value.value) == ("KB-STR-TEXT-1", bad)
        assert before + chained.feed("!") + chained.flush() == "a [!"


@pytest.mark.requirement("KB-STR-TEXT-1")
def test_the_error_keeps_its_evidence_when_it_travels() -> None:
    """What cannot be pickled travels as text."""
    chunks: list[tuple[Any, Any]] = [(b"x", b"x"), (None, None), (lambda: None, "<function>")]
    messages: list[str] = []
    for bad, value in chunks:
        with pytest.raises(BridgeTypeError) as caught:
            chain().feed(bad)
        copy = pickle.loads(pickle.dumps(caught.value))
        assert (str(copy), copy.rule, copy.value) == (str(caught.value), "KB-STR-TEXT-1", value)
        assert type(copy) is BridgeTypeError
        messages.append(str(copy))
    assert messages[-1] == (
        "only text can be fed to a filter, got <function>: nothing else can be joined to what it holds. "
        "Remedy: decode bytes first, and leave out chunks that hold no text. [KB-STR-TEXT-1]"
    )


def test_the_filters_of_this_package_and_others_have_the_port() -> None:
    """No base class is needed."""
    assert all(isinstance(one, StreamFilter) for one in (CitationTagFilter(), chain(), LastWord()))
    assert not isinstance("text", StreamFilter)


# -------------------------------------------------------------------------------------------------- streams


class Closed(Exception):  # noqa: N818 - no error, a signal
    """Raised by a source."""


def source(log: list[str], chunks: tuple[Any, ...], *, fails: bool = False) -> Iterator[str]:
    """A generator that notes how it ended."""
    try:
        yield from chunks
        if fails:
            raise Closed
        log.append("read")
    except GeneratorExit:
        log.append("closed")
        raise


async def asource(log: list[str], chunks: tuple[Any, ...], *, fails: bool = False) -> AsyncIterator[str]:
    """The same, asynchronous, and away for a moment before each chunk."""
    try:
        for chunk in chunks:
            await asyncio.sleep(0)
            yield chunk
        if fails:
            raise Closed
        log.append("read")
    except GeneratorExit:
        log.append("closed")
        raise


async def later(*chunks: str) -> AsyncIterator[str]:
    """Some chunks."""
    for chunk in chunks:
        yield chunk


def read(stream_filter: StreamFilter, chunks: Any, asynchronous: bool, stop_after: int | None = None) -> list[str]:  # noqa: FBT001 - a column of the tables below
    """What a stream answers, read to its end or closed after some answers."""
    if not asynchronous:
        with closing(filter_stream(stream_filter, chunks)) as stream:
            return list(itertools.islice(stream, stop_after))

    async def run() -> list[str]:
        answers: list[str] = []
        async with aclosing(afilter_stream(stream_filter, chunks)) as stream:
            async for answer in stream:
                answers.append(answer)
                if len(answers) == stop_after:
                    break
        return answers

    return asyncio.run(run())


both = pytest.mark.parametrize("asynchronous", [False, True])


def made(asynchronous: bool, log: list[str], *chunks: Any, fails: bool = False) -> Any:  # noqa: FBT001 - see above
    """A source of either kind."""
    return asource(log, chunks, fails=fails) if asynchronous else source(log, chunks, fails=fails)


@both
@pytest.mark.requirement("KB-STR-STREAM-1")
def test_a_stream_answers_what_can_be_shown_and_then_the_rest(asynchronous: bool) -> None:  # noqa: FBT001 - see above
    """Nothing empty, the source read to its end, and the filter ready for the next stream."""
    log: list[str] = []
    tags = CitationTagFilter()
    chunks = made(asynchronous, log, "The sky is blue ", "", "[sem", "antic]", ".", " ")
    assert read(tags, chunks, asynchronous) == ["The sky is blue", ".", " "]
    assert log == ["read"]
    assert read(tags, made(asynchronous, log, "antic]"), asynchronous) == ["antic]"]
    assert read(tags, made(asynchronous, log, "x"), asynchronous) == ["x"]
    assert read(tags, made(asynchronous, log), asynchronous) == []


@both
@pytest.mark.requirement("KB-STR-STREAM-2")
def test_a_reader_who_stops_closes_the_source_and_resets_the_filter(asynchronous: bool) -> None:  # noqa: FBT001 - see above
    """What was held is gone, for nobody reads it any more."""
    log: list[str] = []
    tags = CitationTagFilter()
    assert read(tags, made(asynchronous, log, "one [sem", "two"), asynchronous, 1) == ["one"]
    assert log == ["closed"]
    assert filtered(tags, ["antic]"]) == "antic]"


@both
@pytest.mark.requirement("KB-STR-STREAM-2")
def test_a_source_that_raises_resets_the_filter(asynchronous: bool) -> None:  # noqa: FBT001 - see above
    """The error goes through; what was held does not come before it, for the text is no whole text."""
    tags = CitationTagFilter()
    answers: list[str] = []

    chunks = made(asynchronous, [], "one [semantic] two ", fails=True)

    def consume() -> None:
        for answer in filter_stream(tags, chunks):
            answers.append(answer)  # noqa: PERF402 - what came before the error counts

    async def aconsume() -> None:
        async for answer in afilter_stream(tags, chunks):
            answers.append(answer)  # noqa: PERF401 - the same

    with pytest.raises(Closed):
        asyncio.run(aconsume()) if asynchronous else consume()
    assert answers == ["one two"]
    assert filtered(tags, ["x"]) == "x"


@both
@pytest.mark.requirement("KB-STR-STREAM-2")
@pytest.mark.parametrize("bad", [None, b"x", 7])
def test_a_chunk_that_is_no_text_ends_the_stream(asynchronous: bool, bad: Any) -> None:  # noqa: FBT001 - see above
    """The source is closed, the filter reset."""
    log: list[str] = []
    tags = CitationTagFilter()
    with pytest.raises(BridgeTypeError) as caught:
        read(tags, made(asynchronous, log, "a ", bad, "b"), asynchronous)
    assert caught.value.value == bad
    assert log == ["closed"]
    assert filtered(tags, ["x"]) == "x"


def test_any_iterable_of_texts_is_a_stream() -> None:
    """Also one that cannot be closed, and a text, which is read character by character."""
    assert list(filter_stream(CitationTagFilter(), ("a [sem", "antic] b"))) == ["a", " b"]
    assert "".join(filter_stream(CitationTagFilter(), "a [semantic] b")) == "a b"
    with closing(filter_stream(CitationTagFilter(), iter(["a", "b"]))) as stream:
        assert next(stream) == "a"


class Endless:
    """An asynchronous iterator that is no generator."""

    def __aiter__(self) -> Endless:
        return self

    async def __anext__(self) -> str:
        return "x"


def test_an_asynchronous_source_that_cannot_be_closed_is_left() -> None:
    """There is nothing to do."""
    assert read(CitationTagFilter(), Endless(), asynchronous=True, stop_after=2) == ["x", "x"]


@pytest.mark.requirement("KB-STR-STREAM-2")
def test_a_task_that_is_cancelled_closes_the_source() -> None:
    """While it waits for a chunk."""
    log: list[str] = []
    tags = CitationTagFilter()

    async def forever() -> AsyncIterator[str]:
        try:
            yield "a "
            await asyncio.Event().wait()
        finally:
            log.append("ended")

    async def run() -> None:
        async def consume() -> None:
            async for answer in afilter_stream(tags, forever()):
                log.append(answer)
                answered.set()

        answered = asyncio.Event()
        task = asyncio.create_task(consume())
        await answered.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()

    asyncio.run(run())
    assert log == ["a", "ended"]
    assert tags.flush() == ""


@pytest.mark.requirement("KB-STR-STREAM-1")
@pytest.mark.requirement("KB-STR-CHUNKS-1")
@pytest.mark.parametrize("bad", [None, 5, object()])
def test_what_cannot_be_read_is_refused_at_once(bad: Any) -> None:
    """And each kind of stream where the other is needed."""
    with pytest.raises(BridgeTypeError, match="chunks must be an iterable of text") as caught:
        filter_stream(CitationTagFilter(), bad)
    assert (caught.value.rule, caught.value.value) == ("KB-STR-CHUNKS-1", bad)
    with pytest.raises(BridgeTypeError, match="chunks must be an asynchronous iterable of text"):
        afilter_stream(CitationTagFilter(), bad)
    with pytest.raises(BridgeTypeError, match="an asynchronous iterable"):
        afilter_stream(CitationTagFilter(), ["x"])  # type: ignore[arg-type]  # the mistake under test
    with pytest.raises(BridgeTypeError, match="an iterable"):
        filter_stream(CitationTagFilter(), later("x"))  # type: ignore[arg-type]  # the mistake under test


def test_nothing_is_read_before_the_first_answer_is_asked_for() -> None:
    """A stream that is never read leaves its source alone, and its filter, also where others have begun with them."""
    log: list[str] = []
    tags = CitationTagFilter()
    chunks = source(log, ("a", "b"))
    filter_stream(tags, chunks).close()
    assert next(chunks) == "a"
    tags.feed("x [sem")
    filter_stream(tags, chunks).close()
    assert log == []
    assert list(chunks) == ["b"]
    assert filtered(tags, ["i"]) == " [semi"


# ------------------------------------------------------------------------------------------- what goes wrong at the end


class Fails:
    """Holds everything and raises at the end."""

    def __init__(self) -> None:
        self.held = ""

    def feed(self, text: str) -> str:
        self.held += text
        return text

    def flush(self) -> str:
        raise ArithmeticError(self.held)


class Keeps:
    """Shows everything at the end."""

    def __init__(self) -> None:
        self.held = ""

    def feed(self, text: str) -> str:
        self.held += text
        return ""

    def flush(self) -> str:
        rest, self.held = self.held, ""
        return rest


class Source:
    """Chunks, then an error; notices that it is closed, and may raise over that too."""

    def __init__(self, *, fails: bool = True, stuck: bool = False) -> None:
        self.chunks = iter("ab")
        self.fails, self.stuck, self.closed = fails, stuck, False

    def __iter__(self) -> Source:
        return self

    def __next__(self) -> str:
        chunk = next(self.chunks, None)
        if chunk is None:
            raise OSError("net down") if self.fails else StopIteration
        return chunk

    def close(self) -> None:
        self.closed = True
        if self.stuck:
            raise ValueError("stuck")


class AsyncSource(Source):
    """The same, asynchronous."""

    def __aiter__(self) -> AsyncSource:
        return self

    async def __anext__(self) -> str:
        await asyncio.sleep(0)
        try:
            return next(self)
        except StopIteration:
            raise StopAsyncIteration from None

    async def aclose(self) -> None:
        self.close()


@pytest.mark.parametrize("stuck", [False, True])
def test_what_ended_a_stream_is_raised_whatever_goes_wrong_afterwards(stuck: bool) -> None:  # noqa: FBT001
    """The filter and the source raise on the way out; the source is closed all the same."""
    source = Source(stuck=stuck)
    with pytest.raises(OSError, match="net down"):
        list(filter_stream(Fails(), source))
    assert source.closed
    source = Source(stuck=stuck)
    reader = filter_stream(Fails(), source)
    assert next(reader) == "a"
    reader.close()
    assert source.closed


def test_what_ended_an_asynchronous_stream_is_raised_too() -> None:
    """An error of the source, and a task that is cancelled while a filter would raise."""

    async def read(source: AsyncSource) -> list[str]:
        return [shown async for shown in afilter_stream(Fails(), source)]

    source = AsyncSource(stuck=True)
    with pytest.raises(OSError, match="net down"):
        asyncio.run(read(source))
    assert source.closed

    async def waits() -> AsyncGenerator[str, None]:
        yield "a"
        await asyncio.sleep(60)

    async def cancelled() -> bool:
        async def run() -> None:
            async for _ in afilter_stream(Fails(), waits()):
                pass

        task = asyncio.create_task(run())
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert asyncio.run(cancelled())


class Guarded(AsyncSource):
    """A source whose `close` cannot even be looked at."""

    @property
    def close(self) -> Any:
        raise RuntimeError("property")

    aclose = close


class PanicException(BaseException):
    """What PyO3 raises."""


@both
@pytest.mark.requirement("KB-STR-STREAM-2")
@pytest.mark.parametrize("failure", [RuntimeError, PanicException])
@pytest.mark.parametrize("fails", ["close", "property", "flush"])
def test_no_failure_on_the_way_out_takes_the_place_of_the_error(
    asynchronous: bool,  # noqa: FBT001 - see above
    failure: type[BaseException],
    fails: str,
) -> None:
    """Not of closing, of looking for a way to close, nor of the filter; a panic of native code is one too."""

    class Closes(AsyncSource):
        def close(self) -> None:
            self.closed = True
            raise failure

    class Flushes(Keeps):
        def flush(self) -> str:
            raise failure

    chunks = Guarded() if fails == "property" else Closes() if fails == "close" else AsyncSource()
    with pytest.raises(OSError, match="net down"):
        read(Flushes() if fails == "flush" else Keeps(), chunks, asynchronous)
    assert chunks.closed is (fails != "property")


@both
@pytest.mark.requirement("KB-STR-STREAM-2")
def test_a_source_that_cannot_be_begun_resets_the_filter(asynchronous: bool) -> None:  # noqa: FBT001 - see above
    """It raises as it is asked for its first chunk; what the filter held belongs to no later stream."""

    class Unbegun:
        def __iter__(self) -> Iterator[str]:
            raise Closed

        def __aiter__(self) -> AsyncIterator[str]:
            raise Closed

    tags = CitationTagFilter()
    tags.feed("x [sem")
    with pytest.raises(Closed):
        read(tags, Unbegun(), asynchronous)
    assert filtered(tags, ["antic]"]) == "antic]"


@both
@pytest.mark.requirement("KB-STR-STREAM-2")
@pytest.mark.parametrize("request_", [KeyboardInterrupt, SystemExit, asyncio.CancelledError])
@pytest.mark.parametrize("place", ["close", "flush"])
def test_what_asks_for_the_end_on_the_way_out_goes_through(
    asynchronous: bool,  # noqa: FBT001 - see above
    request_: type[BaseException],
    place: str,
) -> None:
    """It would be lost otherwise; the error is its context, and the source is closed."""

    class Closes(AsyncSource):
        def close(self) -> None:
            self.closed = True
            if place == "close":
                raise request_

    class Flushes(Keeps):
        def flush(self) -> str:
            raise request_

    chunks, told = Closes(), list[BaseException]()
    one = Flushes() if place == "flush" else Keeps()

    async def run() -> None:
        try:
            async for _ in afilter_stream(one, chunks):
                pass
        except BaseException as error:  # noqa: BLE001 - that is what is asked for
            told.append(error)  # an event loop makes another one of it

    def consume() -> None:
        try:
            list(filter_stream(one, chunks))
        except BaseException as error:  # noqa: BLE001 - that is what is asked for
            told.append(error)

    asyncio.run(run()) if asynchronous else consume()
    assert type(told[0]) is request_
    assert isinstance(told[0].__context__, OSError)
    assert chunks.closed


def test_a_flush_that_raises_leaves_no_filter_of_a_chain_with_text() -> None:
    """Of one answer nothing reaches the next, in a chain alone and over a stream."""
    keeps = Keeps()
    filters = chain(Fails(), keeps)
    filters.feed("secret")
    with pytest.raises(ArithmeticError, match="secret"):
        filters.flush()
    assert keeps.held == ""
    source = Source(fails=False)
    with pytest.raises(ArithmeticError):
        list(filter_stream(filters, source))
    assert (keeps.held, source.closed) == ("", True)


def test_a_copy_of_a_chain_shares_no_filter() -> None:
    """In the middle of a stream, each goes on by itself."""
    filters = chain(Keeps(), CitationTagFilter())
    filters.feed("hello [sem")
    other = copy.copy(filters)
    assert filtered(filters, ["antic]"]) == "hello"
    assert filtered(other, ["i]"]) == "hello [semi]"
