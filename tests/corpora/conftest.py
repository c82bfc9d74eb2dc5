"""The hostile strings of the external corpora, read once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def strings_of(value: object) -> Iterator[str]:
    """Every string of a JSON value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from strings_of(key)
            yield from strings_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings_of(item)


@pytest.fixture(scope="session")
def hostile_texts(corpora: Path) -> list[str]:
    """Every string, line and whole text of the hostile data, in one order."""
    found: set[str] = set()
    for path in sorted((corpora / "hostile").rglob("*")):
        if not path.is_file() or path.name in {"README.md", "LICENSE.txt"}:
            continue
        text = path.read_text("utf-8")
        found.update(whole[:20_000] for whole in (text, *text.splitlines()))  # a line may be a whole file of JSON
        if path.suffix == ".json":
            found.update(strings_of(json.loads(text)))
        elif path.suffix == ".jsonl":
            found.update(item for line in text.splitlines() if line.strip() for item in strings_of(json.loads(line)))
    assert len(found) > 8_000
    return sorted(found)
