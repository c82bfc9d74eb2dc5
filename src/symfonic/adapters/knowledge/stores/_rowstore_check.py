"""Whether a store of rows is sound: what must agree between documents and passages, and what follows from the texts.

Rules of this module: it changes nothing, and no fault it finds is an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from symfonic.capabilities.knowledge import BridgeContractError, scope_ancestors

from ._rowstore_values import Passage, Record, Sight, analyzed, together
from ._space import is_sound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._lexical import Analyzer


def faults(sight: Sight, analyzer: Analyzer) -> tuple[str, ...]:
    """What is wrong, a sentence each; empty where everything is sound."""
    found = {
        "documents under a path that is none": 0,
        "documents with other passages than they say": 0,
        "passages found by other words than they have": 0,
        "vectors of another size, or not of length 1": 0,
    }
    paths, totals, words, vectors = found
    for record, passages in _each(sight):
        found[paths] += not _is_path(record.document.scope_path)
        found[totals] += not _is_told(record, [each.chunk.text for each in passages])
        chunks = [each.chunk for each in passages]
        for passage, wanted in zip(passages, analyzed(analyzer, chunks), strict=True):
            found[words] += passage.words != wanted
            dimensions = sight.head.space.dimensions if sight.head.space else 0
            found[vectors] += bool(passage.vector) and not is_sound(passage.vector, dimensions)
    return tuple(f"There should be no {what}; {count} found." for what, count in found.items() if count)


def _each(sight: Sight) -> Iterator[tuple[Record, list[Passage]]]:
    """Every document with its passages."""
    for part in together(sight.records()):
        passages = sight.passages(part)
        yield from ((record, passages.get(record.key, [])) for record in part)


def _is_path(path: str) -> bool:
    try:
        scope_ancestors(path)
    except BridgeContractError:
        return False
    return True


def _is_told(record: Record, texts: list[str]) -> bool:
    return (record.chunks, record.characters) == (len(texts), sum(map(len, texts)))
