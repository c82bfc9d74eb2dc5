"""The signatures in the reference are those of the code: types, defaults, what is keyword only, what is awaited."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.composition.knowledge import (
    DEFAULT_INSTRUCTIONS,
    Answerable,
    AsyncKnowledgeBase,
    Explanation,
    IngestReport,
    KnowledgeBase,
    Settings,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.tree

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "reference" / "composition.md"
CLASSES: tuple[type, ...] = (KnowledgeBase, AsyncKnowledgeBase, Settings, Answerable, Explanation, IngestReport)
FENCE = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def parameters(signature: inspect.Signature) -> str:
    """Parameters as they are written, without ``self`` or ``cls``."""
    shown: list[str] = []
    star = False
    for name, parameter in signature.parameters.items():
        if name in {"self", "cls"}:
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            shown.append("*")
        star = star or parameter.kind in {parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL}
        prefix = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
        default = "" if parameter.default is parameter.empty else f" = {written(parameter.default)}"
        shown.append(f"{prefix}{name}: {parameter.annotation}{default}")
    return ", ".join(shown)


def written(default: Any) -> str:
    """A default as a reader would write it."""
    return "DEFAULT_INSTRUCTIONS" if default == DEFAULT_INSTRUCTIONS else repr(default)


def signatures(kind: type) -> Iterator[str]:
    """Constructor, methods and properties of a class, in the order of its source."""
    yield f"{kind.__name__}({parameters(inspect.signature(kind))})"
    for name, member in vars(kind).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            yield f"{kind.__name__}.{name} -> {inspect.signature(member.fget).return_annotation}"  # type: ignore[arg-type]
            continue
        function = inspect.unwrap(getattr(member, "__func__", member))
        if inspect.isfunction(function):
            awaited = inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)
            signature = inspect.signature(function)
            call = f"{kind.__name__}.{name}({parameters(signature)}) -> {signature.return_annotation}"
            yield f"async {call}" if awaited else call


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
    assert parameters(inspect.signature(many)) == "*paths: str, c: int = 1"
