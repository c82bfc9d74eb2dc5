"""Signatures for the reference: written from the code, and put into the pages that list all of them.

Run `make signatures` after a public name was added or changed; a test compares the pages with what it would write.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge import messages
from symfonic.capabilities import knowledge, prompting
from symfonic.capabilities.knowledge import RetrievalPolicy
from symfonic.composition.knowledge import DEFAULT_INSTRUCTIONS
from symfonic.testing import knowledge as testing
from symfonic.testing.knowledge import strategies

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

ROOT: Final = Path(__file__).resolve().parent.parent
PAGES: Final = {
    "knowledge.md": (knowledge,),
    "messages.md": (messages,),
    "prompting.md": (prompting,),
    "testing.md": (testing, strategies),
}
"""Pages that list every signature, and the façades each is about."""

_HEADING: Final = "\n## Signatures\n"
_WIDTH: Final = 122
_MOST_CHARACTERS: Final = 1500
"""Of one block; ingestion, which reads these pages in the demo, would split a longer one."""

_STARS: Final[dict[Any, str]] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


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
        prefix = _STARS.get(parameter.kind, "")
        default = "" if parameter.default is parameter.empty else f" = {written(parameter.default)}"
        shown.append(f"{prefix}{name}: {parameter.annotation}{default}")
    return ", ".join(shown)


def written(default: Any) -> str:
    """A default as a reader would write it."""
    if isinstance(default, Enum):
        return f"{type(default).__name__}.{default.name}"
    if isinstance(default, RetrievalPolicy):
        return "RetrievalPolicy()"
    if default is ... or repr(default) == "<factory>":
        return "..."
    return "DEFAULT_INSTRUCTIONS" if default == DEFAULT_INSTRUCTIONS else repr(default)


def signatures(kind: type) -> Iterator[str]:
    """Constructor, methods and properties of a class, in the order of its source; of an enumeration its values."""
    if issubclass(kind, Enum):
        yield f"{kind.__name__}: {', '.join(str(member.value) for member in kind)}"
        return
    if issubclass(kind, Exception) and not inspect.isfunction(kind.__init__):
        yield f"{kind.__name__}(*args)"
    elif not getattr(kind, "_is_protocol", False):
        yield f"{kind.__name__}({parameters(inspect.signature(kind))})"
    for name, member in vars(kind).items():
        if name.startswith(("_", "test_")):
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


def public(facade: ModuleType) -> list[str]:
    """Signatures of every class and function of a façade, by name."""
    lines: list[str] = []
    for name in sorted(getattr(facade, "__all__", None) or dir(facade)):
        member = getattr(facade, name)
        if name.startswith("_") or inspect.ismodule(member):
            continue
        if isinstance(member, type):
            lines += signatures(member)
        elif inspect.isfunction(member):
            signature = inspect.signature(member)
            lines.append(f"{name}({parameters(signature)}) -> {signature.return_annotation}")
    return lines


def written_page(page: Path, facades: tuple[ModuleType, ...]) -> str:
    """The page with its signatures as the code has them; what else it says stays."""
    before, heading, rest = page.read_text(encoding="utf-8").partition(_HEADING)
    section, following, after = rest.partition("\n## ")
    introduction = section.partition("\n### ")[0].strip("\n")
    listed = "\n".join(block for facade in facades for block in blocks(facade))
    return f"{before}{heading}\n{introduction}\n\n{listed}{following}{after}"


def blocks(facade: ModuleType) -> Iterator[str]:
    """Every signature of a façade, in blocks of text that are short enough to be one passage each."""
    kept: list[str] = []
    for line in public(facade):
        if kept and sum(map(len, (*kept, line))) > _MOST_CHARACTERS and name_of(line) != name_of(kept[-1]):
            yield _block(facade, kept)
            kept = []
        kept.append(line)
    yield _block(facade, kept)


def _block(facade: ModuleType, lines: list[str]) -> str:
    filled = (
        textwrap.fill(line, _WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
        for line in lines
    )
    heading = f"### `{facade.__name__}`: `{name_of(lines[0])}` to `{name_of(lines[-1])}`"
    return "\n".join((heading, "", "```text", *filled, "```", ""))


def name_of(line: str) -> str:
    """The public name that a signature belongs to."""
    return re.split(r"[(.:]", line)[0]


def main() -> None:
    """Rewrite the pages."""
    for name, facades in PAGES.items():
        page = ROOT / "docs" / "reference" / name
        page.write_text(written_page(page, facades), encoding="utf-8")


if __name__ == "__main__":
    main()
