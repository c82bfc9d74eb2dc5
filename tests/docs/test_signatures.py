"""The signatures in the reference are those of the code: types, defaults, what is keyword only, what is awaited."""

from __future__ import annotations

import inspect
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from symfonic.capabilities import knowledge
from symfonic.capabilities.knowledge import RetrievalPolicy
from symfonic.composition.knowledge import (
    Answer,
    Answerable,
    Answering,
    AsyncAnswering,
    AsyncKnowledgeBase,
    BoundaryCost,
    ConcurrentHydrator,
    Evaluation,
    Explanation,
    IngestReport,
    Inquiry,
    Judgements,
    KnowledgeBase,
    Settings,
)

pytestmark = pytest.mark.tree

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "reference" / "composition.md"
CLASSES: tuple[type, ...] = (
    KnowledgeBase,
    AsyncKnowledgeBase,
    Settings,
    Answerable,
    Answer,
    Answering,
    AsyncAnswering,
    Explanation,
    IngestReport,
    Inquiry,
    ConcurrentHydrator,
    Judgements,
    Evaluation,
    BoundaryCost,
)
SCRIPT = runpy.run_path(str(PAGE.parent.parent.parent / "scripts" / "signatures.py"))
parameters, signatures, written = (SCRIPT[name] for name in ("parameters", "signatures", "written"))
FENCE = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", SCRIPT["PAGES"])
def test_a_page_lists_every_signature_of_its_facade(name: str) -> None:
    """Of classes, their methods and properties, and of functions; of enumerations the values."""
    page = PAGE.with_name(name)
    wanted = SCRIPT["written_page"](page, SCRIPT["PAGES"][name])
    assert page.read_text(encoding="utf-8") == wanted, "run make signatures"
    assert sum(map(wanted.count, ("\n### `symfonic.",))) > 1


def documented() -> list[str]:
    """Signatures on the page; a line that is indented goes on with the one before it."""
    fences = "\n".join(FENCE.findall(PAGE.read_text(encoding="utf-8")))
    joined = re.sub(r"\n +", " ", fences)
    names = tuple(kind.__name__ for kind in CLASSES)
    return [line for line in joined.split("\n") if line.removeprefix("async ").startswith(names)]


@pytest.mark.parametrize("kind", CLASSES)
def test_signatures_in_the_reference_are_the_codes(kind: type) -> None:
    """Each once, none missing, none left over."""
    head = re.compile(rf"(?:async )?{kind.__name__}[.(]")
    assert [line for line in documented() if head.match(line)] == list(signatures(kind))


def test_the_async_twin_takes_what_its_twin_takes() -> None:
    """Parameter for parameter; only opening has a number of workers besides."""
    for name, member in vars(KnowledgeBase).items():
        if inspect.isfunction(member) and not name.startswith("_"):
            assert parameters(inspect.signature(member)) == parameters(
                inspect.signature(getattr(AsyncKnowledgeBase, name))
            )
    opened = parameters(inspect.signature(KnowledgeBase.open))
    assert parameters(inspect.signature(AsyncKnowledgeBase.open)) == f"{opened}, workers: int = 4"


def test_a_signature_is_written_as_a_reader_would() -> None:
    """Stars, defaults and types."""

    def sample(self: Any, a: int, *, b: str | None = None) -> None: ...

    def many(*paths: str, c: int = 1) -> None: ...

    assert parameters(inspect.signature(sample)) == "a: int, *, b: str | None = None"

    def open_ended(**changes: int) -> None: ...

    assert parameters(inspect.signature(many)) == "*paths: str, c: int = 1"
    assert parameters(inspect.signature(open_ended)) == "**changes: int"
    assert [written(value) for value in (knowledge.ContextLayer.L1, RetrievalPolicy(), ..., 1)] == [
        "ContextLayer.L1",
        "RetrievalPolicy()",
        "...",
        "1",
    ]
