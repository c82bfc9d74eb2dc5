"""Golden passages: what a document becomes, byte for byte.

Each text below ``chunks/`` has a JSON file beside it with the passages it is cut into, at the usual sizes and at small
ones. A stored passage is found by its digest: whenever one of these files changes, ``CHUNKING_VERSION`` (or the
extractor's ``version``) is raised, so that what was stored before is cut anew, and the changelog says so. Running this
file writes them anew.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from symfonic.adapters.knowledge.extractors.html import extract_html
from symfonic.adapters.knowledge.extractors.markup import MarkdownExtractor, RestructuredTextExtractor
from symfonic.adapters.knowledge.extractors.plain import PlainTextExtractor
from symfonic.composition.knowledge.chunking import CHUNKING_VERSION, ChunkPolicy, chunk_extraction

if TYPE_CHECKING:
    from collections.abc import Callable

    from symfonic.adapters.knowledge.ports import Extraction

FOLDER: Final = Path(__file__).parent / "chunks"
EXTRACT: Final[dict[str, Callable[..., Extraction]]] = {
    "guide.md": MarkdownExtractor().extract,
    "manual.rst": RestructuredTextExtractor().extract,
    "notes.txt": PlainTextExtractor().extract,
    "page.html": extract_html,
}
SIZES: Final = (ChunkPolicy(), ChunkPolicy(max_chars=400, target_chars=240), ChunkPolicy(max_chars=90, target_chars=60))


def passages(name: str) -> dict[str, Any]:
    """What the golden file of a text holds."""
    extraction = EXTRACT[name]((FOLDER / name).read_bytes(), name=name)
    cuts = []
    for policy in SIZES:
        chunking = chunk_extraction(extraction, file=f"golden/{name}", policy=policy)
        chunks = [asdict(chunk) for chunk in chunking.chunks]
        cuts.append({"policy": asdict(policy), "oversized_units": chunking.oversized_units, "chunks": chunks})
    return {"chunking_version": CHUNKING_VERSION, "cuts": cuts}


@pytest.mark.requirement("IN-CHUNK-9")
@pytest.mark.parametrize("name", EXTRACT)
def test_passages_change_only_together_with_their_version(name: str) -> None:
    """Texts, labels, headings and numbers of every passage."""
    golden = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    found = passages(name)
    assert golden["chunking_version"] == CHUNKING_VERSION, "write the golden passages anew: run this file"
    assert found == golden, (
        "the same text is cut differently, so stored passages are stale: raise CHUNKING_VERSION, then run this file"
    )


def test_every_text_has_its_passages() -> None:
    """No file is left behind."""
    names = {path.name for path in FOLDER.iterdir()}
    assert names == {*EXTRACT, *(f"{name}.json" for name in EXTRACT)}


if __name__ == "__main__":
    for title in EXTRACT:
        text = json.dumps(passages(title), ensure_ascii=False, indent=1)
        (FOLDER / f"{title}.json").write_text(text + "\n", "utf-8")
