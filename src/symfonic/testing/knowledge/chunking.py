"""Checks for filters of a stream: same text, same output, however it is cut; and nothing waits longer than it must.

Rules of this module: standard library only, deterministic; it knows the port of filters and no filter. A check that
fails raises `AssertionError` with the text, the chunks and both outputs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from itertools import product

from symfonic.capabilities.knowledge import StreamFilter

__all__ = ["assert_chunk_invariant", "assert_latency_optimal", "filtered"]

MakeFilter = Callable[[], StreamFilter]
_OTHER_CHARS = 40
"""Characters of another stream, enough to leave something behind."""
_BEGINNINGS = 12
"""How many beginnings of a text are streams of their own before the text."""
_SIZES = (1, 2, 3, 4, 5)
"""Characters of the chunks in which every beginning of a text is fed."""
_MOST_SHOWN = 120
"""Longest text, in characters, that a message shows whole."""
_BESIDE = 40
"""Characters a message shows on each side of the place that matters."""


def filtered(stream_filter: StreamFilter, chunks: Iterable[str]) -> str:
    """Everything the filter answers to these chunks and to the end of the stream, put together.

    Raises:
        AssertionError: It answers something else than text.
    """
    shown = [_answer(stream_filter.feed(chunk), f"feed({_brief(chunk)})") for chunk in chunks]
    return "".join([*shown, _answer(stream_filter.flush(), "flush()")])


def _answer(answer: object, call: str) -> str:
    if not isinstance(answer, str):
        raise AssertionError(  # noqa: TRY004 - what is checked fails, not the call
            f"A filter answers text, if only an empty one; {call} answered {answer!r}. Let every path return text."
        )
    return answer


def _require_factory(make_filter: object) -> None:
    if not callable(make_filter):
        raise TypeError(
            f"a check makes many filters and takes what makes one, such as the class; a {type(make_filter).__name__} "
            "object makes none and nothing was checked; pass the class, or a function without arguments"
        )


def assert_chunk_invariant(
    make_filter: MakeFilter, text: str, *, rounds: int = 20, split_up_to: int = 400, seed: int = 0
) -> str:
    """Check that a filter answers the same for a text however it is cut.

    The text is fed whole, one character at a time, cut in two at every place, and cut at random, with empty chunks in
    between; every time to a new filter, and to one that has served all the streams before and other texts, and was
    flushed. It has also served streams that end in white space or with a beginning of the text, at a dozen places at
    most, and streams of no chunk. Of the cuts that fail, the message shows a short one: one in two where there is one.

    Whether the output is the right one the check cannot know: a filter that loses the same text in every cut passes.
    Compare what comes back.

    Args:
        make_filter: Makes a new filter: a class, or a function without arguments.
        text: What to feed.
        rounds: How many random cuts are tried.
        split_up_to: Longest text, in characters, that is cut in two at every place; a longer one is so at this many.
        seed: Decides the random cuts; the same seed, the same cuts.

    Returns:
        What the filter makes of the text.

    Raises:
        AssertionError: Two outputs differ, or one is no text.
        TypeError: ``make_filter`` makes nothing, such as a filter in the place of its class.
    """
    _require_factory(make_filter)
    expected = filtered(make_filter(), [text])
    used = make_filter()
    rng = random.Random(seed)  # noqa: S311 - chosen to be repeatable
    for before in _other_streams(text, rng):
        _check_after(used, before, "", filtered(make_filter(), []))
        _check_after(used, before, text, expected)
    other = text[: len(text) // 2 + 1][::-1][:_OTHER_CHARS]
    for chunks in _cuts(text, rounds, split_up_to, rng):
        filtered(used, other)
        for stream_filter, age in ((make_filter(), "a new filter"), (used, "a filter that was flushed")):
            got = filtered(stream_filter, chunks)
            if got != expected:
                cut = chunks
                if stream_filter is not used and len(chunks) <= split_up_to:
                    cut = _shortest(make_filter, chunks, expected)
                    got = filtered(make_filter(), cut)
                raise AssertionError(
                    f"The output depends on the chunks: {age} fed {_brief_chunks(cut)} answered "
                    f"{_brief_at(got, expected)}, fed whole {_brief_at(expected, got)}."
                )
    return expected


def _other_streams(text: str, rng: random.Random) -> list[str]:
    """Streams that may leave something behind: white space, and texts that break off where this one has not ended."""
    places = range(1, len(text) + 1)
    ends = places if len(text) <= _BEGINNINGS else sorted(rng.sample(places, _BEGINNINGS))
    return ["\t", " ", "\n", *(text[max(0, end - _OTHER_CHARS) : end] for end in ends)]


def _check_after(used: StreamFilter, before: str, text: str, expected: str) -> None:
    """Check that a stream in one chunk, or in none, is answered alike after another one."""
    filtered(used, [before])
    got = filtered(used, [text] if text else [])
    if got != expected:
        raise AssertionError(
            f"A stream leaves something behind: after {_brief(before)}, a filter that was flushed fed {_brief(text)} "
            f"answered {_brief_at(got, expected)}, a new one {_brief_at(expected, got)}. Let flush forget everything."
        )


def _shortest(make_filter: MakeFilter, chunks: list[str], expected: str) -> list[str]:
    """The chunks, joined where a new filter fails without the cut between them, too."""
    at = 1
    while at < len(chunks):
        fewer = [*chunks[: at - 1], chunks[at - 1] + chunks[at], *chunks[at + 1 :]]
        if filtered(make_filter(), fewer) != expected:
            chunks = fewer
        else:
            at += 1
    return chunks


def _brief(text: str) -> str:
    """A text for a message, its middle left out where it is long."""
    if len(text) <= _MOST_SHOWN:
        return repr(text)
    return f"{text[:_BESIDE]!r}…{text[-_BESIDE:]!r} ({len(text):,} characters)"


def _brief_at(text: str, other: str) -> str:
    """A text for a message; where it is long, what stands around the place where it becomes another."""
    if len(text) <= _MOST_SHOWN:
        return repr(text)
    at = len(_common_beginning(text, other))
    return f"{text[max(0, at - _BESIDE) : at + _BESIDE]!r} around character {at:,}"


def _brief_chunks(chunks: list[str]) -> str:
    """Chunks for a message; of two long ones, what stands at the cut."""
    if sum(map(len, chunks)) <= _MOST_SHOWN:
        return repr(chunks)
    if len(chunks) == 2:
        return f"[…{chunks[0][-_BESIDE:]!r}, {chunks[1][:_BESIDE]!r}…], cut behind character {len(chunks[0]):,},"
    return f"{repr(chunks)[:_MOST_SHOWN]}… ({len(chunks):,} chunks)"


def _cuts(text: str, rounds: int, split_up_to: int, rng: random.Random) -> Iterable[list[str]]:
    yield [text]
    places = range(1, len(text))
    for place in places if len(text) <= split_up_to else sorted(rng.sample(places, split_up_to)):
        yield [text[:place], text[place:]]
    yield list(text)
    yield ["", *(part for character in text for part in (character, ""))]
    for _ in range(rounds):
        yield _random_chunks(text, rng)


def _random_chunks(text: str, rng: random.Random) -> list[str]:
    chunks: list[str] = []
    most = rng.choice((2, 3, 5, 9, 40, 400))
    start = 0
    while start < len(text):
        size = rng.randrange(most)  # 0 is an empty chunk
        chunks.append(text[start : start + size])
        start += size
    return chunks


def assert_latency_optimal(make_filter: MakeFilter, text: str, alphabet: Sequence[str], depth: int) -> None:
    """Check that after each character a filter has answered all that no continuation can change, and nothing more.

    What a filter may show after some text is the longest common beginning of its outputs for all continuations of it,
    each fed whole. After the same text in larger chunks the same is to be shown: in chunks of one to five characters,
    of uneven ones, and in a single one, by a new filter and by one that was flushed. Continuations are tried up to a
    depth, so the alphabet has to hold what brings out different outputs: whatever completes and whatever breaks off
    what the filter may be waiting for. Tokens of several characters reach far at little depth.

    Args:
        make_filter: Makes a new filter.
        text: What to feed: one character at a time, and every beginning of it in larger chunks.
        alphabet: Tokens that continuations are made of.
        depth: Most tokens of a continuation; there are up to ``len(alphabet) ** depth`` of them.

    Raises:
        AssertionError: The filter shows what a continuation takes back, or holds what none of them changes, or answers
            something else than text.
        TypeError: ``make_filter`` makes nothing, such as a filter in the place of its class.
    """
    _require_factory(make_filter)
    stream_filter, used = make_filter(), make_filter()
    rng = random.Random(0)  # noqa: S311 - chosen to be repeatable
    shown = ""
    for end in range(len(text) + 1):
        fed = text[:end]
        shown += _answer(stream_filter.feed(text[end - 1 : end] if end else ""), "feed")
        certain = _certain(make_filter, fed, shown, alphabet, depth)
        if certain != shown:
            raise AssertionError(
                f"After {fed!r} the filter holds too long: {shown!r} is shown, {certain!r} is certain, as far as these "
                "tokens and this depth tell. If the filter waits for something else, add tokens that complete it and "
                "tokens that break it off."
            )
        for chunks in _chunkings(fed, rng):
            _check_chunks(make_filter(), chunks, shown)
            _check_chunks(used, chunks, shown, "of a filter that was flushed ")
            _answer(used.flush(), "flush()")


def _chunkings(text: str, rng: random.Random) -> Iterable[list[str]]:
    """Ways to feed a text: in chunks of one size, of uneven ones, and whole."""
    for size in (*_SIZES, max(1, len(text))):
        yield [text[start : start + size] for start in range(0, len(text), size)]
    yield _random_chunks(text, rng)


def _check_chunks(stream_filter: StreamFilter, chunks: list[str], shown: str, age: str = "") -> None:
    """Check that a beginning of the text, in these chunks and with an empty one behind, shows what it has to."""
    got = ""
    for count, chunk in enumerate([*chunks, ""], 1):
        got += _answer(stream_filter.feed(chunk), "feed")
        if count >= len(chunks) and got != shown:
            raise AssertionError(
                f"What is shown {age}depends on the chunks: after {[*chunks, ''][:count]!r} it is {got!r}, after "
                f"single characters {shown!r}."
            )


def _certain(make_filter: MakeFilter, fed: str, shown: str, alphabet: Sequence[str], depth: int) -> str:
    """The longest common beginning of the outputs for all continuations; what is shown has to be a beginning of it."""
    certain = filtered(make_filter(), [fed])
    for continuation in ("".join(tokens) for size in range(depth + 1) for tokens in product(alphabet, repeat=size)):
        output = filtered(make_filter(), [fed + continuation])
        if not output.startswith(shown):
            raise AssertionError(
                f"After {fed!r} the filter shows too early: {shown!r} is shown, but followed by {continuation!r} the "
                f"output is {output!r}."
            )
        certain = _common_beginning(certain, output)
    return certain


def _common_beginning(one: str, other: str) -> str:
    same = 0
    while same < len(one) and one[same : same + 1] == other[same : same + 1]:
        same += 1
    return one[:same]
