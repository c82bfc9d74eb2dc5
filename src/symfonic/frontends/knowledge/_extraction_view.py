"""The view model of ``extract``: what files yield, file by file and summed up.

Rules of this module: those of ``_views``. Headings, labels and reasons are safe to show; ``file`` and ``text`` are raw.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from symfonic.capabilities.knowledge import safe_source
from symfonic.composition.knowledge import FileOutcome, showable

from ._views import SHEETS, SLIDES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from symfonic.adapters.knowledge.ports import Chunk, Section
    from symfonic.composition.knowledge import ExtractedFile

    from ._views import View

_DIGITS: Final = 3


def extracted_view(extracted: ExtractedFile, *, text: bool = False) -> View:
    """What one file yields; with ``text`` the text of every passage too."""
    return {
        "path": showable(extracted.path),
        "file": extracted.file,
        "outcome": extracted.outcome.value,
        "reason": showable(extracted.reason),
        "limit": extracted.limit,
        "kind": extracted.kind,
        "size": extracted.size,
        "characters": extracted.characters,
        "seconds": round(extracted.seconds, _DIGITS),
        "oversized_units": extracted.oversized_units,
        "hidden": dict(extracted.hidden),
        "sections": [_section(section, extracted.kind) for section in extracted.sections],
        "passages": [_passage(chunk, text=text) for chunk in extracted.chunks],
    }


def _passage(chunk: Chunk, *, text: bool) -> View:
    view: View = {
        "ordinal": chunk.ordinal,
        "label": str(safe_source(chunk.label)),
        "characters": len(chunk.text),
    }
    return view | {"text": chunk.text} if text else view


def _section(section: Section, kind: str) -> View:
    headings = [showable(heading) for heading in section.headings]
    return {
        "headings": headings,
        "page": None if kind in SLIDES else section.page,
        "slide": section.page if kind in SLIDES else None,
        "sheet": headings[0] if kind in SHEETS and headings else None,
        "characters": len(section.text),
    }


def extraction_view(files: Iterable[View]) -> View:
    """What ``extract`` answers: counts by outcome, sums, and every file."""
    listed = list(files)
    counted = Counter(file["outcome"] for file in listed)
    return {
        "counts": {outcome.value: counted[outcome.value] for outcome in FileOutcome if counted[outcome.value]},
        "passages": sum(len(file["passages"]) for file in listed),
        "characters": sum(file["characters"] for file in listed),
        "files": listed,
    }
