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


def filtered(stream_filter: StreamFilter, chunks: Iterable[str]) -> str:
    """Everything the filter answers to these chunks and to the end of the stream, put together."""
    return "".join([*map(stream_filter.feed, chunks), stream_filter.flush()])


def assert_chunk_invariant(
    make_filter: MakeFilter, text: str, *, rounds: int = 20, split_up_to: int = 400, seed: int = 0
) -> str:
    """Check that a filter answers the same for a text however it is cut.

    The text is fed whole, one character at a time, cut in two at every place, and cut at random, with empty chunks in
    between; every time to a new filter, and to one that has served all the streams before and other texts, and was
    flushed.

    Args:
        make_filter: Makes a new filter.
        text: What to feed.
        rounds: How many random cuts are tried.
        split_up_to: Longest text, in characters, that is cut in two at every place; a longer one is so at this many.
        seed: Decides the random cuts; the same seed, the same cuts.

    Returns:
        What the filter makes of the text.

    Raises:
        AssertionError: Two outputs differ.
    """
    expected = filtered(make_filter(), [text])
    used = make_filter()
    other = text[: len(text) // 2 + 1][::-1][:_OTHER_CHARS]
    for chunks in _cuts(text, rounds, split_up_to, random.Random(seed)):  # noqa: S311 - chosen to be repeatable
        filtered(used, other)
        for stream_filter, age in ((make_filter(), "a new filter"), (used, "a filter that was flushed")):
            got = filtered(stream_filter, chunks)
            if got != expected:
                raise AssertionError(
                    f"The output depends on the chunks: {age} fed {chunks!r} answered {got!r}, fed whole {expected!r}."
                )
    return expected


def _cuts(text: str, rounds: int, split_up_to: int, rng: random.Random) -> Iterable[list[str]]:
    yield [text]
    yield list(text)
    yield ["", *(part for character in text for part in (character, ""))]
    places = range(1, len(text))
    for place in places if len(text) <= split_up_to else sorted(rng.sample(places, split_up_to)):
        yield [text[:place], text[place:]]
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
        AssertionError: The filter shows what a continuation takes back, or holds what none of them changes.
    """
    stream_filter = make_filter()
    shown = ""
    for end in range(len(text) + 1):
        fed = text[:end]
        shown += stream_filter.feed(text[end - 1 : end] if end else "")
        certain = _certain(make_filter, fed, shown, alphabet, depth)
        if certain != shown:
            raise AssertionError(
                f"After {fed!r} the filter holds too long: {shown!r} is shown, {certain!r} is certain."
            )
        for size in (2, 3, max(1, len(text))):
            _check_chunks(make_filter(), [fed[start : start + size] for start in range(0, end, size)], shown)


def _check_chunks(stream_filter: StreamFilter, chunks: list[str], shown: str) -> None:
    """Check that a beginning of the text, in these chunks and with an empty one behind, shows what it has to."""
    got = ""
    for count, chunk in enumerate([*chunks, ""], 1):
        got += stream_filter.feed(chunk)
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
