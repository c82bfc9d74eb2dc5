"""The inputs that fuzzing begins with pass, and the check they go through can fail."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from symfonic.capabilities.knowledge import CitationTagFilter, GroundingFilter

pytestmark = pytest.mark.tree

FUZZ = Path(__file__).resolve().parent.parent.parent / "fuzz"
TARGETS = sorted(path.stem for path in FUZZ.glob("*.py") if path.stem != "run")


def loaded(name: str) -> Any:
    """A target as a module, without a fuzzer."""
    spec = importlib.util.spec_from_file_location(f"fuzz_{name}", FUZZ / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.requirement("TST-FUZZ-1")
@pytest.mark.parametrize("name", TARGETS)
def test_a_target_has_all_that_the_runner_asks_for_and_its_corpus_passes(name: str) -> None:
    """A check, modules to look into, tokens, and inputs of its own."""
    target = loaded(name)
    inputs = sorted((FUZZ / "corpus" / name).iterdir())
    assert len(inputs) >= 5
    assert all(isinstance(token, bytes) for token in target.TOKENS)
    assert all(importlib.util.find_spec(module) for module in target.INSTRUMENTED)
    for path in inputs:
        target.check(path.read_bytes())
    target.check(b"")


@pytest.mark.requirement("TST-FUZZ-1")
def test_the_check_of_tags_finds_a_filter_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that leaves a tag it has not seen whole."""
    target = loaded("citation_tags")

    class Wrong(CitationTagFilter):
        def feed(self, text: str) -> str:
            return text.replace("[semantic]", "")

    monkeypatch.setattr(target, "FILTERS", ((Wrong(), Wrong()),) * len(target.VOCABULARIES))
    with pytest.raises(AssertionError):
        target.check(b"0blue [sem|antic].")


@pytest.mark.requirement("TST-FUZZ-1")
def test_the_check_of_grounding_finds_a_filter_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that misses a reference in two chunks."""
    target = loaded("grounding_filter")

    class Wrong(GroundingFilter):
        def feed(self, text: str) -> str:
            return super().feed(text) + self.flush()

    monkeypatch.setattr(target, "GroundingFilter", Wrong)
    with pytest.raises(AssertionError):
        target.check(b"0blue SOURCE [n|o].")
