"""Whole collections of hostile and of ordinary text in prompts, read back by a reader of its own."""

from __future__ import annotations

import runpy
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from symfonic.capabilities.prompting import PromptCompiler, PromptContribution, RenderPolicy, StaticPromptSource

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.corpora, pytest.mark.slow]

READER: Final[dict[str, Any]] = runpy.run_path(str(Path(__file__).parent.parent / "properties" / "blocks.py"))
KEY: Final = bytes(range(32))
BATCH: Final = 100
LONGEST: Final = 20_000


def texts(folder: Path) -> Iterator[str]:
    """Every line of every file, and the head of each file as a whole; what is no UTF-8 is read byte by byte."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            try:
                text = data.decode()
            except UnicodeDecodeError:
                text = data[: 40 * LONGEST].decode("latin-1")
            yield text[:LONGEST]
            yield from (line[:LONGEST] for line in text.split("\n"))


def batches(folder: Path) -> Iterator[tuple[str, ...]]:
    """The different texts of a folder, some at a time."""
    remaining = iter(dict.fromkeys(texts(folder)))
    while batch := tuple(islice(remaining, BATCH)):
        yield batch


def assert_read_as_told(batch: tuple[str, ...], mark: str | None) -> int:
    """Compile the texts between harmless ones and read the prompt after every transform; return its blocks."""
    policy = RenderPolicy(max_learned_chars=LONGEST, delimiter_key=KEY, datamark=mark)
    items = [
        PromptContribution(f"t{place:03}", StaticPromptSource(text, untrusted=True), order=place % 3 - 1)
        for place, text in enumerate((*batch, "harmless"))
    ]
    prompt = PromptCompiler(policy).compile(items)
    told = [
        (block.contribution_id, prompt.text[block.content_start : block.content_end])
        for block in prompt.blocks
        if not block.trusted
    ]
    for name, later in READER["TRANSFORMS"].items():
        changed = later(prompt.text)
        expected = [(later(found), later(content).replace("\r\n", "\n")) for found, content in told]
        assert list(READER["read_blocks"](changed)) == expected, name
        assert READER["loose_delimiters"](changed) == 2 * len(told), name
    return len(told)


@pytest.mark.requirement("PR-DEL-1")
@pytest.mark.parametrize("folder", ["hostile", "realdocs", "collections", "unicode"])
def test_whatever_the_corpora_hold_stays_in_its_block(corpora: Path, folder: str) -> None:
    """Line by line and file by file; one batch in three is datamarked."""
    blocks = 0
    for number, batch in enumerate(batches(corpora / folder)):
        blocks += assert_read_as_told(batch, "\ue000" if number % 3 == 0 else None)
    assert blocks > 1_000
