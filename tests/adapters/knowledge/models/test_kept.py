"""A model's client is made once for each process, whatever threads want it, and closed when its model is gone."""

from __future__ import annotations

import gc
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from symfonic.adapters.knowledge.models._kept import KeptClient


class Client:
    """Says when it is closed."""

    def __init__(self) -> None:
        self.closed = 0

    def close(self) -> None:
        self.closed += 1
        raise OSError


@pytest.mark.requirement("AN-CLIENT-1")
def test_a_client_is_made_once_for_all_threads() -> None:
    """However many want it at the same time."""
    made: list[Client] = []
    gate = threading.Barrier(8)

    def make() -> Client:
        made.append(Client())
        return made[-1]

    kept = KeptClient(make)

    def want() -> object:
        gate.wait(10)
        return kept.get()

    with ThreadPoolExecutor(8) as pool:
        found = [one.result() for one in [pool.submit(want) for _ in range(8)]]
    assert len(made) == 1
    assert all(one is made[0] for one in found)


@pytest.mark.requirement("AN-CLIENT-1")
def test_a_client_that_cannot_be_made_is_tried_again() -> None:
    """Its error is the caller's."""
    answers: list[ValueError | Client] = [ValueError("no certificates"), Client()]

    def make() -> Client:
        answer = answers.pop(0)
        if isinstance(answer, ValueError):
            raise answer
        return answer

    kept = KeptClient(make)
    with pytest.raises(ValueError, match="no certificates"):
        kept.get()
    assert isinstance(kept.get(), Client)


@pytest.mark.requirement("AN-CLIENT-1")
def test_a_client_is_closed_with_its_model_and_by_the_process_that_made_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A child makes its own and leaves the parent's alone; one that objects to being closed disturbs nobody."""
    kept = KeptClient(Client)
    first = kept.get()
    monkeypatch.setattr(os, "getpid", lambda: -1)
    second = kept.get()
    assert second is not first
    monkeypatch.undo()
    assert os.getpid() > 0
    del kept
    gc.collect()
    assert (first.closed, second.closed) == (1, 0)
