"""Places and buckets: bounded, and free again whatever happens."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symfonic.frontends.knowledge._asgi.gates import FullError, Gate, Gates, Rates

from .conftest import Clock


def test_whoever_stops_waiting_leaves_no_trace() -> None:
    """A cancelled wait takes no place, and a place comes back where the block fails."""

    async def scenario() -> None:
        gate = Gate(places=1, waiting=1, seconds=5)
        with pytest.raises(ValueError, match="x"):
            async with gate.place():
                raise ValueError("x")

        async def wait() -> None:
            async with gate.place():
                pass

        async with gate.place():
            waiting = asyncio.create_task(wait())
            await asyncio.sleep(0)
            with pytest.raises(FullError):
                await wait()
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        await wait()

    asyncio.run(scenario())


def test_a_gate_of_a_name_is_there_while_somebody_stands_at_it() -> None:
    """Names cost nothing afterwards, whoever gave up waiting included."""

    async def scenario() -> None:
        gates = Gates(places=1, waiting=0, seconds=5)
        async with gates.place("a"), gates.place("b"):
            with pytest.raises(FullError):
                async with gates.place("a"):
                    raise AssertionError("entered")
            assert len(gates) == 2
        assert len(gates) == 0
        async with gates.place("a"):
            assert len(gates) == 1

    asyncio.run(scenario())


def test_a_bucket_fills_to_its_burst_and_no_further() -> None:
    """After a long pause as many come at once as at the beginning."""
    clock = Clock()
    rates = Rates(per_minute=60, burst=3, most=10, clock=clock)
    assert [rates.wait("a") for _ in range(4)] == [0, 0, 0, 1.0]
    clock.now += 0.25
    assert rates.wait("a") == 0.75
    clock.now += 1_000
    assert [rates.wait("a") for _ in range(4)] == [0, 0, 0, 1.0]


def test_a_clock_that_goes_back_gives_nothing() -> None:
    """And takes nothing."""
    clock = Clock()
    rates = Rates(per_minute=60, burst=1, most=10, clock=clock)
    assert rates.wait("a") == 0
    clock.now -= 100
    assert rates.wait("a") == 1.0


def test_buckets_are_bounded_and_those_not_seen_for_longest_go() -> None:
    """A flood of names costs no memory."""
    rates = Rates(per_minute=60, burst=1, most=2, clock=Clock())
    assert [rates.wait(name) for name in "abac"] == [0, 0, 1.0, 0]
    assert len(rates) == 2
    assert [rates.wait(name) for name in "ab"] == [1.0, 0]


@settings(max_examples=50)
@given(pauses=st.lists(st.floats(min_value=0, max_value=3), max_size=60))
def test_never_more_than_the_burst_and_what_flowed_in(pauses: list[float]) -> None:
    """Over any time."""
    clock = Clock()
    rates = Rates(per_minute=60, burst=4, most=10, clock=clock)
    granted = 0
    for pause in pauses:
        clock.now += pause
        granted += rates.wait("a") == 0
        assert granted <= 4 + clock.now + 1e-6
