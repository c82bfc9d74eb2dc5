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
    flushed. Of the cuts that fail, the message shows a short one: one in two where there is such a cut.

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
    other = text[: len(text) // 2 + 1][::-1][:_OTHER_CHARS]
    for chunks in _cuts(text, rounds, split_up_to, random.Random(seed)):  # noqa: S311 - chosen to be repeatable
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
    each fed whole; and after the same text in larger chunks the same is to be shown. Continuations are tried up to a
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
    stream_filter = make_filter()
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
        for size in (2, 3, max(1, len(text))):
            _check_chunks(make_filter(), [fed[start : start + size] for start in range(0, end, size)], shown)


def _check_chunks(stream_filter: StreamFilter, chunks: list[str], shown: str) -> None:
    """Check that a beginning of the text, in these chunks and with an empty one behind, shows what it has to."""
    got = ""
    for count, chunk in enumerate([*chunks, ""], 1):
        got += _answer(stream_filter.feed(chunk), "feed")
        if count >= len(chunks) and got != shown:
            raise AssertionError(
                f"What is shown depends on the chunks: after {[*chunks, ''][:count]!r} it is {got!r}, after single "
                f"characters {shown!r}."
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
